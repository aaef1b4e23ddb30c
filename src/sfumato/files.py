"""Files are written whole and under a name of our own choosing: nobody sees one half-written, no planted
link is followed, and after a crash there is the old file, the new one, or none.

What is unfinished has a random name, is locked by whoever writes it, and is gone after any fault. Of a
process that was killed it stays; its lock does not, and so the next one to write there removes it.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from sfumato.errors import InputError

PRIVATE = 0o600  # the mode of what holds originals
PATIENCE = 60.0  # seconds to wait for another writer, who needs thousandths of one
_UNFINISHED = re.compile(r"\.sfumato-[0-9a-f]{16}\.part")
_swept: set[Path] = set()


def write_file(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Write a file whole. A link that stands there is replaced, never followed."""
    with unfinished(path, mode=mode) as file:
        file.write(data)


@contextmanager
def unfinished(path: Path, *, mode: int = 0o666) -> Iterator[BinaryIO]:
    """A file to write to, or to give the name of to whoever writes: at the end it takes its place, after a
    fault it is gone."""
    with _explained(path):
        _prepare(path)
        with _part(path, mode) as file:
            yield file
            _keep(file)
            Path(file.name).replace(path)


def write_new(path: Path, data: bytes, *, mode: int = PRIVATE) -> None:
    """Write a file where there is none yet; else that is a `FileExistsError`."""
    with _part(path, mode) as file:
        file.write(data)
        _keep(file)
        try:
            os.link(file.name, path)
        except FileExistsError:
            raise
        except OSError:  # a disk without hard links
            if os.path.lexists(path):
                raise FileExistsError(path) from None
            Path(file.name).replace(path)


def write_together(
    files: Sequence[tuple[Path, bytes]], *, check: Callable[[], None] | None = None
) -> None:
    """Write files that belong together, the last of them the one that counts: it is there only while all the
    others are, and are its own. Of several writers one has the last word on all of them. `check` may refuse,
    while nobody else writes."""
    with ExitStack() as stack, _explained(files[-1][0]):
        for path, _ in files:
            _prepare(path)
        parts = []
        for path, data in files:
            file = stack.enter_context(_part(path, 0o666))
            file.write(data)
            _keep(file)
            parts.append((Path(file.name), path))
        with alone({path.parent for path, _ in files}):
            if check is not None:
                check()
            _exchange(parts)


def refuse_odd(path: Path) -> None:
    """Refuse a target that is there and is no file: a folder, a pipe, a device, or a link to one."""
    try:
        is_odd = not stat.S_ISREG(path.stat().st_mode)
    except OSError as error:
        # nothing, or a link to nothing
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
            return
        raise InputError(f"{path}: cannot be written ({error.strerror})", path=str(path)) from None
    if is_odd:
        raise InputError(
            f"{path}: exists and is no plain file; give another name, or - for standard output",
            path=str(path),
        )


def refuse_overwriting(
    path: Path, *, force: bool, is_ours: Callable[[bytes], bool] = lambda _: False, what: str = ""
) -> None:
    """Refuse to replace what may be dear to somebody: a file that is not of our making, or a link."""
    refuse_odd(path)
    if force or not os.path.lexists(path):
        return
    try:
        ours = not path.is_symlink() and is_ours(path.read_bytes())
    except FileNotFoundError:  # another writer has just taken it away
        return
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})", path=str(path)) from None
    if not ours:
        no_earlier = f" and is no earlier {what}" if what else ""
        raise InputError(
            f"{path}: exists{no_earlier}; give another name, or --force to replace it",
            path=str(path),
        )


def sweep(folder: Path) -> None:
    """Remove what killed processes have left in a folder: files with such a name that nobody has locked."""
    if folder in _swept or not folder.is_dir():
        return
    _swept.add(folder)
    with suppress(OSError, InputError), alone({folder}, patience=1):
        for entry in os.scandir(folder):
            if _UNFINISHED.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    _remove_if_left(Path(entry.path))


def _remove_if_left(name: Path) -> None:
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        found = os.fstat(descriptor)
        if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid():
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails while it is written
            name.unlink()
    finally:
        os.close(descriptor)


def _prepare(path: Path) -> None:
    refuse_odd(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    sweep(path.parent)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Faults of the disk in words for users."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})", path=str(path)) from None


@contextmanager
def _part(path: Path, mode: int) -> Iterator[BinaryIO]:
    """A new file beside a path: ours, locked, and gone at the end unless it was renamed."""
    part = _new_name(path)
    try:
        with _created(part, mode) as file:
            yield file
    finally:
        part.unlink(missing_ok=True)


def _created(part: Path, mode: int) -> BinaryIO:
    def create(name: str, flags: int) -> int:
        return os.open(name, flags | os.O_NOFOLLOW, mode)

    while True:
        file = open(part, "x+b", opener=create)  # noqa: SIM115 - closed by who asked for it
        fcntl.flock(file, fcntl.LOCK_EX)
        if os.fstat(file.fileno()).st_nlink:
            return file
        file.close()  # somebody swept the folder before it was locked


def _new_name(path: Path) -> Path:
    """A name that nobody can have guessed; not made of the path's own, which may be as long as names get."""
    return path.with_name(f".sfumato-{secrets.token_hex(8)}.part")


def _keep(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def alone(folders: set[Path], patience: float | None = None) -> Iterator[None]:
    """While no other writer exchanges files in these folders. The lock is the folder's own: no file is left
    of it, and it goes with its process."""
    with ExitStack() as stack:
        opened = {}
        for folder in folders:
            # a folder to put things into, not to look at: no lock to be had
            with suppress(PermissionError):
                descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
                stack.callback(os.close, descriptor)
                found = os.fstat(descriptor)
                opened[found.st_dev, found.st_ino] = descriptor, folder
        for _, (descriptor, folder) in sorted(opened.items()):  # in one order: none waits for ever
            _lock(descriptor, folder, PATIENCE if patience is None else patience)
        yield


def _lock(descriptor: int, folder: Path, patience: float) -> None:
    until, pause = time.monotonic() + patience, 0.001
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                raise InputError(
                    f"{folder}: another program has kept it locked for a minute; end that one, or write "
                    "to another folder",
                    path=str(folder),
                ) from None
        time.sleep(pause)
        pause = min(2 * pause, 0.05)


def _exchange(parts: Sequence[tuple[Path, Path]]) -> None:
    """Rename each file to its path. What counts (the last) goes away before and appears after the others; if
    anything fails, all is as it was."""
    aside = [(path, _new_name(path)) for _, path in reversed(parts)]
    try:
        for path, old in aside:
            with suppress(FileNotFoundError):
                path.rename(old)
        for part, path in parts:
            part.rename(path)
    except BaseException:
        for part, path in reversed(parts):
            if not os.path.lexists(part):
                path.unlink(missing_ok=True)
        for path, old in reversed(aside):
            with suppress(FileNotFoundError):
                old.rename(path)
        raise
    for _, old in aside:
        old.unlink(missing_ok=True)
