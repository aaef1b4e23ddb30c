"""Trains the detector of personal information: see `scripts/train_detector.py`."""
