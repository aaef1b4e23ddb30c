"""Folders that are held while files in them are judged, written and replaced.

Whoever exchanges folders or files meanwhile gains nothing by it. A run writes below one folder, its root,
which is known by what it is, not by its name; below it no link is followed. What may be replaced is judged by
the bytes that stand in the folder that is held, and nothing but what was judged is replaced.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import re
import secrets
import stat
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, TypeVar

from sfumato.errors import InputError
from sfumato.locks import lock_first, locked

MOST_BYTES = 1 << 31  # of an earlier file of ours
ATTEMPTS = 100  # to judge and replace what somebody else changes meanwhile
_CHANGED = "somebody else has changed the folder meanwhile"
_UNFINISHED = re.compile(r"\.sfumato-[0-9a-f]{16}\.part")
_swept: set[Identity] = set()

Identity = tuple[int, int]  # of a file, whatever its names: device and inode
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Root:
    """The folder below which a run reads or writes. Links on the way to it are the user's own, and followed
    once, when it is named; what takes its place later is another folder."""

    path: Path  # as it was given
    there: Path  # as far as it was there
    identity: Identity
    missing: tuple[str, ...]  # to be made

    @classmethod
    def at(cls, path: Path) -> Root:
        """The folder that a path leads to now."""
        there, missing = path, list[str]()
        try:
            while not there.is_dir():
                missing.insert(0, there.name)
                there = there.parent
            there = Path(os.path.realpath(there))
            found = there.stat()
        except OSError as error:
            raise InputError.at(path, f"cannot be written ({error.strerror})") from None
        return cls(path, there, (found.st_dev, found.st_ino), tuple(missing))

    def hold(self, folder: Path, *, make: bool) -> int | None:
        """A folder below it, made where it is missing; else None. No link on the way is followed."""
        names = (*self.missing, *folder.relative_to(self.path).parts)
        shown = self.path.parents[len(self.missing) - 1] if self.missing else self.path
        held = _held(self.there)
        try:
            if _identity_of(held) != self.identity:
                raise InputError(
                    f"{shown}: another folder has taken its place since this run began; nothing in that one "
                    "is read or written",
                    path=str(folder),
                )
            for at, name in enumerate(names, 1):
                inner = _inside(held, name, (shown, names, at), make=make)
                if inner is None:
                    return None
                os.close(held)
                held = inner
            return os.dup(held)
        finally:
            os.close(held)


def _inside(
    held: int, name: str, way: tuple[Path, Sequence[str], int], *, make: bool
) -> int | None:
    """A folder in one that is held; it is no link. The `way` to it is put together where it is told."""
    try:
        return _held(name, os.O_NOFOLLOW, held)
    except FileNotFoundError:
        if not make:
            return None
        with suppress(FileExistsError):
            os.mkdir(name, dir_fd=held)
        return _inside(held, name, way, make=False)
    except OSError as error:
        if error.errno in (errno.ENOTDIR, errno.ELOOP) and _may_be_link(held, name):
            shown = way[0].joinpath(*way[1][: way[2]])
            raise InputError.at(
                shown,
                "is a link; below the folder that was named none is followed: remove it, or give "
                "another folder",
            ) from None
        raise


def refuse_odd(path: Path | str, *, shown: Path | None = None, folder: int | None = None) -> None:
    """Refuse a target that is there and is no file: a folder, a pipe, a device, or a link to one."""
    shown = shown or Path(path)
    try:
        is_odd = not stat.S_ISREG(os.stat(path, dir_fd=folder).st_mode)
    except OSError as error:
        # nothing, or a link to nothing
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
            return
        raise InputError.at(shown, f"cannot be written ({error.strerror})") from None
    if is_odd:
        raise InputError.at(
            shown, "exists and is no plain file; give another name, or - for standard output"
        )


class Folders:
    """Folders below a root, held while files in them are judged and replaced, whatever becomes of names.
    Which file was judged is remembered, and it stays open: no other can come to look like it."""

    def __init__(self, root: Root, *, make: bool = False, never: Container[Identity] = ()) -> None:
        self._root, self._make, self._never = root, make, never
        self._held: dict[Path, int | None] = {}
        self._seen: dict[Path, Identity | None] = {}
        self._forced: set[Path] = set()
        self._stack = ExitStack()

    def __enter__(self) -> Folders:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def read(self, path: Path, most: int = MOST_BYTES) -> bytes | None:
        """The bytes of the plain file that stands there; None for anything else, and for more bytes."""
        file = self._open(path)
        if file is None:
            return None
        size = os.fstat(file.fileno()).st_size
        return file.read(size) if size <= most else None

    def sha256(self, path: Path) -> str | None:
        """The hash of the plain file that stands there, if it is no longer than what we may have made."""
        file = self._open(path)
        if file is None or os.fstat(file.fileno()).st_size > MOST_BYTES:
            return None
        return hashlib.file_digest(file, "sha256").hexdigest()

    def _open(self, path: Path) -> BufferedReader | None:
        """The plain file that stands there, which is remembered and stays open."""
        found = self._look(path)
        if found is None or not stat.S_ISREG(found.st_mode):
            return None
        try:
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
            opened = os.open(path.name, flags, dir_fd=self._folder(path))
        except FileNotFoundError:
            raise _ChangedError from None
        file = self._stack.enter_context(os.fdopen(opened, "rb"))
        self._remember(path, _identity_of(opened))
        return file

    def refuse(
        self,
        path: Path,
        *,
        force: bool,
        is_ours: Callable[[bytes], bool] = lambda _: False,
        is_known: Callable[[str], bool] = lambda _: False,
        what: str = "",
        most: int = MOST_BYTES,
        may_force: bool = True,
    ) -> None:
        """Refuse to replace what may be dear to somebody: a file that is not of our making, or a link. One of
        more than so many bytes is judged by its hash alone."""
        self.refuse_odd(path)
        if not self.stands(path):
            return
        if force:
            self._forced.add(path)
            return
        try:
            data = self.read(path, most)
            ours = is_known(self.sha256(path) or "") if data is None else is_ours(data)
        except _ChangedError:
            raise
        except OSError as error:
            raise InputError.at(path, f"cannot be read ({error.strerror})") from None
        if not ours:
            no_earlier = f" and is no earlier {what}" if what else ""
            advice = f"give another name{', or --force to replace it' if may_force else ''}"
            raise InputError.at(path, f"exists{no_earlier}; {advice}")

    def refuse_odd(self, path: Path) -> None:
        """Refuse what is there and is no file, nor a link to one."""
        folder = self._folder(path)
        if folder is not None:
            refuse_odd(path.name, shown=path, folder=folder)

    def stands(self, path: Path) -> bool:
        """Whether anything stands there, be it a link to nothing."""
        return self._look(path) is not None

    def judged(self, judge: Callable[[Folders], T]) -> T:
        """What a judge finds at one moment, though others may write meanwhile."""
        for _ in range(ATTEMPTS):
            self._seen, self._forced = {}, set()
            with suppress(_ChangedError):
                return judge(self)
        raise _ChangedError

    @contextmanager
    def part(self, path: Path, mode: int) -> Iterator[tuple[BinaryIO, _Move]]:
        """A new file beside a path, no more open to others than what stands there, and what gives it its name
        there."""
        folder = self._folder(path)
        if folder is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))
        self.refuse_odd(path)
        with suppress(FileNotFoundError):  # what was closed to others stays so
            mode &= os.stat(path.name, dir_fd=folder, follow_symlinks=False).st_mode | 0o600
        with _part_in(folder, mode) as (file, name):
            yield file, _Move(folder, name, path, _identity_of(file.fileno()))

    def replace(self, moves: Sequence[_Move], judge: Callable[[Folders], None] | None) -> None:
        """Give files their names, if the judge lets them replace what stands there."""

        def attempt(_: Folders) -> None:
            if judge is not None:
                judge(self)
            for move in moves:
                self._refuse_never(move.path, _identity_in(move.folder, move.path.name))
            _exchange(moves, self._confirm if judge is not None else self._refuse_never)

        held = {path: folder for path, folder in self._held.items() if folder is not None}
        with locked(held, insist=False):
            self.judged(attempt)

    def _confirm(self, path: Path, found: Identity | None) -> None:
        """Refuse what is not the file that was judged."""
        self._refuse_never(path, found)
        if path not in self._forced and self._seen.get(path) != found:
            raise _ChangedError

    def _refuse_never(self, path: Path, found: Identity | None) -> None:
        if found is not None and found in self._never:
            raise InputError.at(
                path, "is an input, or a policy, key or ledger in use; it is never overwritten"
            )

    def _look(self, path: Path) -> os.stat_result | None:
        folder, found = self._folder(path), None
        if folder is not None:
            with suppress(FileNotFoundError):
                found = os.stat(path.name, dir_fd=folder, follow_symlinks=False)
        self._remember(path, None if found is None else (found.st_dev, found.st_ino))
        return found

    def _remember(self, path: Path, found: Identity | None) -> None:
        if self._seen.setdefault(path, found) != found:
            raise _ChangedError

    def _folder(self, path: Path) -> int | None:
        folder = path.parent
        if folder not in self._held:
            held = self._root.hold(folder, make=self._make)
            self._held[folder] = held
            if held is not None:
                self._stack.callback(os.close, held)
                _sweep(folder, held)
        return self._held[folder]


class _ChangedError(OSError):
    """Another file stands there than the one that was judged."""

    def __init__(self) -> None:
        super().__init__(errno.ESTALE, _CHANGED)


@contextmanager
def _part_in(folder: int, mode: int) -> Iterator[tuple[BinaryIO, str]]:
    """A new file in a folder that is held, and its name: ours, locked, and gone at the end unless it was
    renamed. Whoever may read it can lock it before we do, and keep it so: then another one is made."""

    def create(path: str, flags: int) -> int:
        return os.open(path, flags | os.O_NOFOLLOW, mode, dir_fd=folder)

    for _ in range(ATTEMPTS):
        name = _new_name()
        try:
            with open(name, "x+b", opener=create) as file:
                if lock_first(file):
                    yield file, name
                    return
        finally:
            with suppress(FileNotFoundError):
                os.unlink(name, dir_fd=folder)
    raise OSError(errno.EBUSY, "somebody locks every new file there")


def _held(folder: Path | str, flags: int = 0, inside: int | None = None) -> int:
    """A folder, whatever becomes of its name."""
    flags |= os.O_DIRECTORY
    try:
        return os.open(folder, flags | os.O_RDONLY, dir_fd=inside)
    except PermissionError:  # a folder to put things into, not to look at
        return os.open(folder, flags | getattr(os, "O_PATH", os.O_RDONLY), dir_fd=inside)


@contextmanager
def _closing(descriptor: int) -> Iterator[int]:
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _may_be_link(folder: int, name: str) -> bool:
    """Whether it is one, or was a moment ago."""
    with suppress(FileNotFoundError):
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        return stat.S_ISLNK(mode) or stat.S_ISDIR(mode)
    return True


def _identity_of(descriptor: int) -> Identity:
    found = os.fstat(descriptor)
    return found.st_dev, found.st_ino


def _identity_in(folder: int, name: str) -> Identity | None:
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _new_name() -> str:
    """A name that nobody can have guessed; not made of the file's own, which may be as long as names get."""
    return f".sfumato-{secrets.token_hex(8)}.part"


@dataclass(frozen=True, slots=True)
class _Move:
    """A finished file of a folder, the path that it is to have, and which one it is."""

    folder: int
    part: str
    path: Path
    written: Identity

    def place(self) -> None:
        """Take its place, whatever stands there."""
        self._refuse_another()
        self.rename(self.part, self.path.name)

    def place_new(self) -> None:
        """Take its place if nothing stands there; else that is a `FileExistsError`."""
        self._refuse_another()
        self.put(self.part)

    def set_aside(self, aside: str, confirm: Callable[[Path, Identity | None], None]) -> None:
        """Take away what stands there; what is not confirmed stays."""
        with suppress(FileNotFoundError):
            self.rename(self.path.name, aside)
        try:
            confirm(self.path, _identity_in(self.folder, aside))
        except BaseException:
            with suppress(FileNotFoundError):
                self.rename(aside, self.path.name)
            raise

    def put(self, name: str) -> None:
        """Give a file of the folder this name, if no other has it."""
        new = self.path.name
        try:
            os.link(
                name,
                new,
                src_dir_fd=self.folder,
                dst_dir_fd=self.folder,
                follow_symlinks=False,
            )
        except (FileExistsError, FileNotFoundError):
            raise
        except OSError:  # a disk without hard links
            if _identity_in(self.folder, new) is not None:
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new) from None
            self.rename(name, new)
        else:
            self.unlink(name)

    def keep(self) -> None:
        """Have the disk know its name: who seals something by a key needs that key after a power cut."""
        os.fsync(self.folder)

    def take_back(self) -> None:
        """Leave its place, if it has taken it."""
        if _identity_in(self.folder, self.path.name) != self.written:
            return
        if _identity_in(self.folder, self.part) == self.written:  # it has both names for a moment
            self.unlink(self.path.name)
        else:
            self.rename(self.path.name, self.part)

    def rename(self, old: str, new: str) -> None:
        os.rename(old, new, src_dir_fd=self.folder, dst_dir_fd=self.folder)

    def unlink(self, name: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self.folder)

    def _refuse_another(self) -> None:
        """Refuse what somebody has put in the place of the file that was written."""
        if _identity_in(self.folder, self.part) != self.written:
            raise OSError(errno.ESTALE, _CHANGED)


def _exchange(moves: Sequence[_Move], confirm: Callable[[Path, Identity | None], None]) -> None:
    """Give each file its name. What counts (the last) goes away before and appears after the others; if
    anything fails, all is as it was."""
    aside = [(move, _new_name()) for move in reversed(moves)]
    try:
        for move, old in aside:
            move.set_aside(old, confirm)
        for move in moves:
            move.place_new()
    except BaseException as error:
        for move in reversed(moves):
            move.take_back()
        for move, old in reversed(aside):
            with suppress(FileNotFoundError, FileExistsError):
                move.put(old)
            move.unlink(old)  # it is ours, and somebody else has put a file in its place
        if isinstance(error, FileExistsError):
            raise _ChangedError from None
        raise
    for move, old in aside:
        move.unlink(old)


def sweep(folder: Path) -> None:
    """Remove what killed processes have left in a folder: files with such a name that nobody has locked."""
    with suppress(OSError), _closing(_held(folder)) as held:
        _sweep(folder, held)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """While no other writer exchanges files in a folder."""
    with _closing(_held(folder)) as held, locked({folder: held}):
        yield


def _sweep(folder: Path, held: int) -> None:
    this = _identity_of(held)
    if this in _swept:
        return
    with suppress(OSError, InputError), locked({folder: held}, patience=0):
        _swept.add(this)  # else the next one that writes there does it
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
