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
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
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
    """A file to write to: at the end it takes its place, after a fault it is gone. Its name is for nobody to
    write to: somebody else may have given it to another file."""
    with _explained(path):
        _prepare(path)
        with _part(path, mode) as (file, move):
            yield file
            _keep(file)
            move.place()


def real(path: Path) -> Path:
    """Where a path leads, as far as it leads anywhere: a link that leads to itself is no fault here."""
    return Path(os.path.realpath(path))


Identity = tuple[int, int]  # of a file, whatever its names: device and inode


def identity(path: Path) -> Identity | None:
    """Which file a path leads to; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def write_new(path: Path, data: bytes, *, mode: int = PRIVATE) -> None:
    """Write a file where there is none yet; else that is a `FileExistsError`."""
    with _part(path, mode) as (file, move):
        file.write(data)
        _keep(file)
        move.refuse_another()
        try:
            os.link(move.part, move.name, src_dir_fd=move.folder, dst_dir_fd=move.folder)
        except FileExistsError:
            raise
        except OSError:  # a disk without hard links
            if _identity_in(move.folder, move.name) is not None:
                raise FileExistsError(path) from None
            move.place()


def write_together(
    files: Sequence[tuple[Path, bytes]],
    *,
    check: Callable[[], None] | None = None,
    never: Container[Identity] = (),
) -> None:
    """Write files that belong together, the last of them the one that counts: it is there only while all the
    others are, and are its own. Of several writers one has the last word on all of them. `check` may refuse,
    while nobody else writes. Files that are `never` to be replaced are not, even if somebody puts
    their folder in the place of another meanwhile: folders are held, not their names."""
    with ExitStack() as stack, _explained(files[-1][0]):
        for path, _ in files:
            _prepare(path)
        folders = {path.parent: 0 for path, _ in files}
        for folder in folders:
            folders[folder] = _held(folder)
            stack.callback(os.close, folders[folder])
        parts = []
        for path, data in files:
            part, place = _new_name(path).name, folders[path.parent]
            file = stack.enter_context(_part_in(place, part, 0o666))
            file.write(data)
            _keep(file)
            parts.append(_Move(place, part, path.name, _identity_of(file)))
        stack.enter_context(_locked(folders))
        for move, (path, _) in zip(parts, files, strict=True):
            if never and _identity_in(move.folder, move.name) in never:
                raise InputError(
                    f"{path}: is an input too; an original is never overwritten", path=str(path)
                )
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


def distrusted(path: Path, found: os.stat_result, forbidden: int = 0o022) -> str | None:
    """Why what lies here may be known to others, or theirs, and what to do; None where it is ours alone."""
    if found.st_uid not in (os.geteuid(), 0):
        return f"it belongs to another user; use one of your own, or run: chown $USER {quote(str(path))}"
    if found.st_mode & forbidden:
        mode = 700 if stat.S_ISDIR(found.st_mode) else 600
        may = "change" if found.st_mode & forbidden & 0o022 else "read"
        return f"others may {may} it; if it is your own, run: chmod {mode} {quote(str(path))}"
    return None


def sweep(folder: Path) -> None:
    """Remove what killed processes have left in a folder: files with such a name that nobody has locked."""
    if folder in _swept or not folder.is_dir():
        return
    _swept.add(folder)
    with suppress(OSError, InputError), alone([folder], patience=1) as (held,):
        for entry in os.scandir(held):
            if _UNFINISHED.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    _remove_if_left(held, entry.name)


def _remove_if_left(folder: int, name: str) -> None:
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    try:
        found = os.fstat(descriptor)
        if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid():
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails while it is written
            os.unlink(name, dir_fd=folder)
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
def _part(path: Path, mode: int) -> Iterator[tuple[BinaryIO, _Move]]:
    """A new file beside a path, and what gives it its name there."""
    folder, part = _held(path.parent), _new_name(path).name
    try:
        with _part_in(folder, part, mode) as file:
            yield file, _Move(folder, part, path.name, _identity_of(file))
    finally:
        os.close(folder)


@contextmanager
def _part_in(folder: int, name: str, mode: int) -> Iterator[BinaryIO]:
    """A new file in a folder that is held: ours, locked, and gone at the end unless it was renamed."""
    try:
        with _created(folder, name, mode) as file:
            yield file
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)


def _created(folder: int, name: str, mode: int) -> BinaryIO:
    def create(path: str, flags: int) -> int:
        return os.open(path, flags | os.O_NOFOLLOW, mode, dir_fd=folder)

    while True:
        file = open(name, "x+b", opener=create)  # noqa: SIM115 - closed by who asked for it
        fcntl.flock(file, fcntl.LOCK_EX)
        if os.fstat(file.fileno()).st_nlink:
            return file
        file.close()  # somebody swept the folder before it was locked


def _held(folder: Path) -> int:
    """A folder, whatever becomes of its name."""
    try:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except PermissionError:  # a folder to put things into, not to look at
        return os.open(folder, getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY)


def _identity_of(file: BinaryIO) -> Identity:
    found = os.fstat(file.fileno())
    return found.st_dev, found.st_ino


def _identity_in(folder: int, name: str) -> Identity | None:
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _new_name(path: Path) -> Path:
    """A name that nobody can have guessed; not made of the path's own, which may be as long as names get."""
    return path.with_name(f".sfumato-{secrets.token_hex(8)}.part")


def _keep(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def alone(folders: Iterable[Path], patience: float | None = None) -> Iterator[list[int]]:
    """While no other writer exchanges files in these folders, which are held meanwhile."""
    with ExitStack() as stack:
        held = {}
        for folder in folders:
            held[folder] = _held(folder)
            stack.callback(os.close, held[folder])
        stack.enter_context(_locked(held, patience))
        yield list(held.values())


@contextmanager
def _locked(folders: Mapping[Path, int], patience: float | None = None) -> Iterator[None]:
    """The lock is the folder's own: no file is left of it, and it goes with its process."""
    held = {}
    for folder, descriptor in folders.items():
        found = os.fstat(descriptor)
        held[found.st_dev, found.st_ino] = descriptor, folder
    for _, (descriptor, folder) in sorted(held.items()):  # in one order: none waits for ever
        _lock(descriptor, folder, PATIENCE if patience is None else patience)
    try:
        yield
    finally:
        for descriptor, _ in held.values():
            with suppress(OSError):
                fcntl.flock(descriptor, fcntl.LOCK_UN)


def _lock(descriptor: int, folder: Path, patience: float) -> None:
    until, pause = time.monotonic() + patience, 0.001
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno == errno.EBADF:  # a folder that is not to be looked at has no lock
                return None
            if not isinstance(error, BlockingIOError):
                raise
            if time.monotonic() >= until:
                raise InputError(
                    f"{folder}: another program has kept it locked for a minute; end that one, or write "
                    "to another folder",
                    path=str(folder),
                ) from None
        time.sleep(pause)
        pause = min(2 * pause, 0.05)


@dataclass(frozen=True, slots=True)
class _Move:
    """A finished file of a folder, the name that it is to have there, and which one it is."""

    folder: int
    part: str
    name: str
    written: Identity

    def refuse_another(self) -> None:
        """Refuse what somebody has put in the place of the file that was written."""
        if _identity_in(self.folder, self.part) != self.written:
            raise OSError(errno.ESTALE, "somebody else has changed the folder meanwhile")

    def place(self) -> None:
        self.refuse_another()
        self.rename(self.part, self.name)

    def rename(self, old: str, new: str) -> None:
        os.rename(old, new, src_dir_fd=self.folder, dst_dir_fd=self.folder)

    def unlink(self, name: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self.folder)


def _exchange(moves: Sequence[_Move]) -> None:
    """Give each file its name. What counts (the last) goes away before and appears after the others; if
    anything fails, all is as it was."""
    aside = [(move, _new_name(Path(move.name)).name) for move in reversed(moves)]
    try:
        for move, old in aside:
            with suppress(FileNotFoundError):
                move.rename(move.name, old)
        for move in moves:
            move.place()
    except BaseException:
        for move in reversed(moves):
            if _identity_in(move.folder, move.part) is None:
                move.unlink(move.name)
        for move, old in reversed(aside):
            with suppress(FileNotFoundError):
                move.rename(old, move.name)
        raise
    for move, old in aside:
        move.unlink(old)
