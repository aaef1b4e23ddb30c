"""Folders that are the user's alone. One is held while it is judged and used: what takes its name meanwhile
is another folder, which nobody opens."""

from __future__ import annotations

import ctypes
import os
import sqlite3
import stat
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from sfumato.errors import InputError, SfumatoError
from sfumato.files import distrusted, guard

Refusal = Callable[[str], SfumatoError]
_DESCRIPTORS = Path("/proc/self/fd")
_FOLDER = os.O_DIRECTORY | getattr(os, "O_PATH", os.O_RDONLY)
_SYSTEM = b"sfumato-held"


def caches() -> Path:
    """Where users keep what can be made again; a relative path says nothing, as its specification has it."""
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return base if base.is_absolute() else Path.home() / ".cache"


def hold(
    base: Path, *names: str, make: bool = False, what: str = "cache", refusal: Refusal = InputError
) -> int:
    """A descriptor of a folder: of `base`, whatever links lead there, or of one below it, where none is
    followed. Each of those named must be the user's alone, and is looked at before one is made in it."""
    held, shown = os.open(base, _FOLDER), base
    try:
        for name in names:
            shown /= name
            if make:
                with suppress(FileExistsError):
                    os.mkdir(name, 0o700, dir_fd=held)
            inner = os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=held)
            os.close(held)
            held = inner
            _refuse(shown, os.fstat(held), what, refusal)
        if not names:
            _refuse(shown, os.fstat(held), what, refusal)
    except BaseException:
        os.close(held)
        raise
    return held


def _refuse(folder: Path, found: os.stat_result, what: str, refusal: Refusal) -> None:
    if why := distrusted(folder, found):
        raise refusal(f"{folder}: a {what} in it is not used: {why}")


def inside(held: int, folder: Path, name: str) -> Path:
    """The name of a file in a folder that is held, for those who open by names alone. Where the system names
    no descriptors, it is the folder's own, and nothing but its rights keep others from it."""
    return _DESCRIPTORS / str(held) / name if _DESCRIPTORS.is_dir() else folder / name


class _Shared:
    """Folders that databases are open in, each held once: SQLite knows the log of a database by the name that
    the first connection gave, and a descriptor that was let go is given to another folder."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[tuple[int, int], tuple[int, int]] = {}  # descriptor, how many use it

    def share(self, held: int) -> int:
        """The one descriptor of a folder, in place of another one."""
        found = os.fstat(held)
        with self._lock:
            one, many = self._held.get((found.st_dev, found.st_ino), (held, 0))
            self._held[found.st_dev, found.st_ino] = one, many + 1
        if one != held:
            os.close(held)
        return one

    def let_go(self, held: int) -> None:
        found = os.fstat(held)
        with self._lock:
            one, many = self._held.pop((found.st_dev, found.st_ino))
            if many > 1:
                self._held[found.st_dev, found.st_ino] = one, many - 1
            else:
                os.close(one)


_SHARED = _Shared()


class HeldDatabase(sqlite3.Connection):
    """A database in a folder that is held as long as it is open, and longer if nobody closes it."""

    held: int | None = None
    name = ""

    def close(self) -> None:
        super().close()
        held, self.held = self.held, None
        if held is not None:
            guard(held, self.name, -1)
            _SHARED.let_go(held)


def connect(
    held: int,
    path: Path,
    *,
    what: str = "cache",
    refusal: Refusal = InputError,
    make: bool = False,
    read_only: bool = False,
    **options: Any,
) -> HeldDatabase:
    """The database of a path's name in a folder that is held, and let go with it. Refused is one that others
    may have written, or beside which they have laid what SQLite obeys."""
    held = _SHARED.share(held)
    try:
        if make:
            with suppress(FileExistsError):  # it is there, or another process has just made it
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
                os.close(os.open(path.name, flags, 0o600, dir_fd=held))
        found = os.stat(path.name, dir_fd=held, follow_symlinks=False)
        if not stat.S_ISREG(found.st_mode):
            raise refusal(f"{path}: not a {what} file")
        if why := distrusted(path, found):
            raise refusal(f"{path}: the {what} is not used: {why}")
        logged = _look_beside(held, path, found.st_size, what, refusal)
        # Whoever reads beside a writer needs the log, which is made in the folder: where that cannot be
        # written to, nobody writes.
        may_write = not read_only or (
            found.st_mode & stat.S_IWUSR and os.access(".", os.W_OK, dir_fd=held)
        )
        mode = "rw" if may_write else "ro" if logged else "ro&immutable=1"
        system = _register() if _DESCRIPTORS.is_dir() else None
        where = inside(held, path.parent, path.name) if system else path.absolute()
        more = f"?mode={mode}" + (f"&vfs={system.name.decode()}" if system else "")
        made = sqlite3.connect(where.as_uri() + more, uri=True, factory=HeldDatabase, **options)
        # Nothing is read yet. Without names of descriptors, who exchanges folders right after this is missed.
        if not system and not os.path.samestat(os.fstat(held), path.parent.stat()):
            raise refusal(f"{path.parent}: another folder has taken its place; run it again")
    except BaseException:
        _SHARED.let_go(held)
        raise
    made.held, made.name = held, path.name
    guard(held, path.name)
    if read_only:
        made.execute("PRAGMA query_only = ON")
    return made


def _look_beside(held: int, path: Path, size: int, what: str, refusal: Refusal) -> bool:
    """Refuse what others have laid beside a database; whether it has a log."""
    logged = False
    for ending in ("-wal", "-shm", "-journal"):
        beside = path.with_name(path.name + ending)
        with suppress(FileNotFoundError):
            found = os.stat(beside.name, dir_fd=held, follow_symlinks=False)
            # Ours is a write-ahead log. By a journal SQLite changes the file, and deletes what it names.
            ours = ending != "-journal" or not size
            if not ours or not stat.S_ISREG(found.st_mode) or distrusted(beside, found):
                raise refusal(
                    f"{beside}: is no part of the {what}; somebody else has put it there, remove it"
                )
            logged |= ending == "-wal"
    return logged


class _FileSystem(ctypes.Structure):
    """`sqlite3_vfs`, the same since its version 1; what comes after is copied as it is."""

    _full_name = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p
    )
    _fields_ = (
        *((name, ctypes.c_int) for name in ("version", "size", "longest")),
        ("next", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        *((name, ctypes.c_void_p) for name in ("data", "open", "delete", "access")),
        ("full_name", _full_name),
        ("more", ctypes.c_void_p * 12),
    )


@cache
def _register() -> _FileSystem | None:
    """Have SQLite know files by the names it is given. Its own way puts what links say into them, also that
    of a descriptor, and opens the file, its log and its journal by what the folder was called then. None
    where Python's SQLite cannot be reached."""
    try:
        library = ctypes.CDLL(__import__("_sqlite3").__file__)
        find, register = library.sqlite3_vfs_find, library.sqlite3_vfs_register
    except (AttributeError, ImportError, OSError):
        return None
    find.argtypes, find.restype = [ctypes.c_char_p], ctypes.POINTER(_FileSystem)
    register.argtypes = [ctypes.POINTER(_FileSystem), ctypes.c_int]
    if not (usual := find(b"unix")):
        return None

    def full_name(_: int, name: bytes, size: int, made: int) -> int:
        if len(name) >= size:
            return sqlite3.SQLITE_CANTOPEN
        ctypes.memmove(made, name + b"\0", len(name) + 1)
        return sqlite3.SQLITE_OK

    ours = _FileSystem.from_buffer_copy(usual.contents)
    ours.next, ours.name = None, _SYSTEM
    ours.full_name = _FileSystem._full_name(full_name)
    return ours if register(ours, 0) == sqlite3.SQLITE_OK else None
