"""Processes of our own look for modules where we do, never in the folder that they happen to start in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def safe_path() -> Iterator[None]:
    """While children are started: `python -c` has the working folder first in its path, and a file there that
    is called like a module of Python's would be run."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before
