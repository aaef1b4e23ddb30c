"""Locks on folders and new files, which others may try to keep: nobody is waited for for ever."""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from sfumato.errors import InputError

PATIENCE = 60.0  # seconds to wait for another writer, who needs thousandths of one
_LEAST = 0.05  # seconds that are always left for another writer
_kept: set[tuple[int, int]] = set()  # folders whose lock somebody keeps
_waited = 0.0  # for these, all together


@contextmanager
def locked(
    folders: Mapping[Path, int], patience: float | None = None, *, insist: bool = True
) -> Iterator[None]:
    """The lock is the folder's own: no file is left of it, and it goes with its process. Whoever may read
    folders can keep theirs; so he is waited for once, and who does not `insist` goes on without them."""
    global _waited
    held = {}
    for folder, descriptor in folders.items():
        found = os.fstat(descriptor)
        held[found.st_dev, found.st_ino] = descriptor, folder
    patience = PATIENCE if patience is None else patience
    for this, (descriptor, folder) in sorted(held.items()):  # in one order: none waits for ever
        wait = patience if insist else max(patience - _waited, _LEAST)
        if _lock(descriptor, 0 if this in _kept else wait):
            _kept.discard(this)  # our own writers wait for each other there again
            continue
        if insist:
            raise InputError.at(
                folder,
                "another program has kept it locked for a minute; end that one, or write "
                "to another folder",
            )
        if this not in _kept:
            _kept.add(this)
            _waited += wait
    try:
        yield
    finally:
        for descriptor, _ in held.values():
            with suppress(OSError):
                fcntl.flock(descriptor, fcntl.LOCK_UN)


def _lock(descriptor: int, patience: float) -> bool:
    until, pause = time.monotonic() + patience, 0.001
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except OSError as error:
            if error.errno == errno.EBADF:  # a folder that is not to be looked at has no lock
                return True
            if not isinstance(error, BlockingIOError):
                raise
            if time.monotonic() >= until:
                return False
        time.sleep(pause)
        pause = min(2 * pause, 0.05)


def lock_first(file: BinaryIO) -> bool:
    """Lock a new file, unless somebody else was first, or took it for a left one."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return os.fstat(file.fileno()).st_nlink > 0
