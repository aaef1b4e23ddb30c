"""The tables of a ledger, and how its file is opened."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from sfumato.errors import LedgerError
from sfumato.files import distrusted

_T = TypeVar("_T")

PATIENCE = 60.0  # seconds to wait for others that use it

_VAULT = "original BLOB PRIMARY KEY, surrogate BLOB NOT NULL UNIQUE, sealed BLOB NOT NULL"
_RELEASES = (
    "release BLOB NOT NULL, name BLOB NOT NULL, input BLOB NOT NULL, policy BLOB NOT NULL, "
    "sealed BLOB NOT NULL, PRIMARY KEY (release, name, input, policy)"
)
SCHEMA = {
    "meta": "CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT",
    "vault": f"CREATE TABLE vault ({_VAULT}) STRICT, WITHOUT ROWID",
    "releases": f"CREATE TABLE releases ({_RELEASES}) STRICT, WITHOUT ROWID",
    "alike": "CREATE TABLE alike (release BLOB PRIMARY KEY, sealed BLOB NOT NULL) STRICT, WITHOUT ROWID",
}
_UNTIL_3 = {table: made for table, made in SCHEMA.items() if table != "alike"}
SEALED = ("vault", "releases", "alike")  # the tables with sealed rows
VAULT_ROW = "original, surrogate, sealed"
RELEASE_ROW = "release, name, input, policy, sealed"
ALIKE_ROW = "release, sealed"
OF_VAULT = ("vault:original", "vault:surrogate")  # what the columns of each table are hashes of
OF_RELEASES = ("release", "name", "input", "policy")
IS_AT = " AND ".join(f"{column} = ?" for column in OF_RELEASES)
# The rows of one release, each with the seal over all of them: one query, so that no writer comes between.
_SEAL = "(SELECT sealed FROM alike WHERE alike.release = releases.release)"
ALIKE = f"SELECT {RELEASE_ROW}, {_SEAL} FROM releases WHERE release = ? ORDER BY name"
ALIKE_UNTIL_3 = ALIKE.replace(_SEAL, "NULL")
# All but what is SQLite's own: indexes of keys, and the tables that ANALYZE leaves. Its names prove nothing.
SHAPE = (
    "SELECT name, sql FROM sqlite_master WHERE NOT (type = 'index' AND sql IS NULL) "
    "AND NOT (type = 'table' AND name GLOB 'sqlite_stat[134]')"
)


def is_ours(found: Iterable[tuple[str, str]]) -> bool:
    """Whether the answer to `SHAPE` is that of a ledger: a rule that was taken away or added, a view or a
    trigger would act in our name.

    >>> is_ours(SCHEMA.items()), is_ours([*SCHEMA.items(), ("more", "CREATE TABLE more (x)")])
    (True, False)
    """
    shape = sorted(map(_unspaced, found))
    return any(shape == sorted(map(_unspaced, known.items())) for known in (SCHEMA, _UNTIL_3))


def _unspaced(row: tuple[str, str]) -> tuple[str, str]:
    """Earlier versions laid their tables out over several lines."""
    return row[0], "".join(str(row[1]).split())


def address(path: Path, read_only: bool) -> str:
    """How SQLite shall open the file. A ledger nobody writes to opens in a read-only folder too."""
    mode = "rw"
    if read_only:
        mode = "ro" if path.with_name(path.name + "-wal").exists() else "ro&immutable=1"
    return f"{path.absolute().as_uri()}?mode={mode}"


def prepare(path: Path, create: bool) -> None:
    """Have the file there, readable by its owner alone; refuse one that others may have written, or beside
    which they may lay what SQLite obeys."""
    if not path.exists():
        if not create:
            raise LedgerError(f"{path}: no such ledger", path=str(path))
        prepare_folder(path)
        try:
            with suppress(FileExistsError):  # another process has just made it; else a link
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            path.stat()
        except OSError as error:
            raise LedgerError(
                f"{path}: cannot make the ledger ({error.strerror})", path=str(path)
            ) from None
    elif not path.is_file():
        raise LedgerError(f"{path}: not a ledger file", path=str(path))
    prepare_folder(path)
    if why := distrusted(path, path.stat()):
        raise LedgerError(f"{path}: the ledger is not used: {why}", path=str(path))
    for ending in ("-wal", "-shm", "-journal"):
        beside = path.with_name(path.name + ending)
        with suppress(FileNotFoundError):
            found = beside.lstat()
            # Ours is a write-ahead log. By a journal SQLite changes the ledger, and deletes what it names.
            ours = ending != "-journal" or not path.stat().st_size
            if not ours or not stat.S_ISREG(found.st_mode) or distrusted(beside, found):
                raise LedgerError(
                    f"{beside}: is no part of the ledger; somebody else has put it there, remove it",
                    path=str(path),
                )


def prepare_folder(path: Path) -> None:
    """Have the folder of a ledger there; refuse one that others may write to before all else."""
    folder = path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        why = distrusted(folder, folder.stat())
    except OSError as error:
        raise LedgerError(
            f"{path}: cannot make the ledger ({error.strerror})", path=str(path)
        ) from None
    if why:
        raise LedgerError(f"{folder}: a ledger in it is not used: {why}", path=str(path))


def is_busy(error: BaseException) -> bool:
    """Whether SQLite says that somebody else is at the file."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def patiently(act: Callable[[], _T]) -> _T:
    """While another process opens, closes or mends the same file, SQLite says so at once, whatever its own
    patience."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return act()
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > until:
                raise
        time.sleep(0.02)
