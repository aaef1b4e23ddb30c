"""Processes of our own look for modules where we do, never in the folder that they happen to start in, and
Ctrl-C is their parent's alone from their first moment on."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


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


@contextmanager
def uninterrupted() -> Iterator[None]:
    """While children are started: they inherit that SIGINT waits, and so does what follows from it here."""
    if not hasattr(signal, "pthread_sigmask"):  # as on Windows
        yield
        return
    resource_tracker.ensure_running()  # which would let SIGINT through again when it is started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
