"""Terms -> things: which terms speak of the same one, and what is more general than it."""
