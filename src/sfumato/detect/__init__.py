"""Detectors: a Document goes in, the Terms that may give something away come out."""
