"""What people look at: the terminal, pages, plots."""
