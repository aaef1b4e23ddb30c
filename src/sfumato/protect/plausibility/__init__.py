"""t-plausibility: at least t texts could have been the original (Anandan et al., 2012)."""
