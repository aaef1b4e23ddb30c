"""The tables of a ledger, and how its file is opened."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from sfumato import private
from sfumato.errors import LedgerError
from sfumato.private import HeldDatabase

_T = TypeVar("_T")

DAMAGED = "not a ledger, or a damaged one; take a copy from before"
FORGOTTEN = "invented values of this document were forgotten while it was sanitised; run it again"
EDITED = (
    "entries were taken out of the ledger or put back into it by somebody without the key; take a copy from "
    "before"
)
# A disk that is full, gone or not to be written to is no fault of the file.
_OF_DISK = {
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY),
    *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_LOCKED),
}
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
_OF_UNSIGNED = {table: made for table, made in SCHEMA.items() if table != "alike"}
SEALED = ("vault", "releases", "alike")  # the tables with sealed rows
ROW = {
    "vault": "original, surrogate, sealed",
    "releases": "release, name, input, policy, sealed",
    "alike": "release, sealed",
}
OF_VAULT = ("vault:original", "vault:surrogate")  # what the columns of each table are hashes of
OF_RELEASES = ("release", "name", "input", "policy")
AT = "WHERE " + " AND ".join(f"{column} = ?" for column in OF_RELEASES)
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
    return any(shape == sorted(map(_unspaced, known.items())) for known in (SCHEMA, _OF_UNSIGNED))


def _unspaced(row: tuple[str, str]) -> tuple[str, str]:
    """Earlier versions laid their tables out over several lines."""
    return row[0], "".join(str(row[1]).split())


def connect(path: Path, create: bool, read_only: bool) -> HeldDatabase:
    """The file in a connection, made if it is not there, readable by its owner alone; refused is one that
    others may have written, or beside which they may lay what SQLite obeys."""
    if not path.exists() and not create:
        raise LedgerError.at(path, "no such ledger")
    refusal = partial(LedgerError, path=str(path))
    try:
        if path.is_symlink():  # what counts stands beside the file itself
            path = path.resolve(strict=True)
        return private.connect(
            hold_folder(path),
            path,
            what="ledger",
            refusal=refusal,
            make=create,
            read_only=read_only,
            isolation_level=None,
            timeout=PATIENCE,
        )
    except OSError as error:
        raise refusal(f"{path}: the ledger cannot be made ({error.strerror})") from None


def hold_folder(path: Path) -> int:
    """The folder of a ledger, made if it is not there; refused is one that others may write to."""
    refusal = partial(LedgerError, path=str(path))
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return private.hold(path.parent, what="ledger", refusal=refusal)
    except OSError as error:
        raise refusal(f"{path}: the ledger cannot be made ({error.strerror})") from None


def fault(error: Exception) -> str:
    """What SQLite has met, in words: others, the disk, or what is no ledger."""
    if is_busy(error):
        return "another program keeps the ledger to itself; try again when it has ended"
    of_disk = getattr(error, "sqlite_errorcode", 0) & 0xFF in _OF_DISK
    return f"cannot be used ({error})" if of_disk else DAMAGED


@contextmanager
def snapshot(database: sqlite3.Connection) -> Iterator[None]:
    """One state of the file, for several questions."""
    if database.in_transaction:
        yield
        return
    database.execute("BEGIN")
    try:
        yield
    finally:
        with suppress(sqlite3.Error):
            database.execute("ROLLBACK")


def not_cleaned(database: sqlite3.Connection) -> str:
    """Why something of what was deleted may be left in the log; nothing if it is not. In the file it is
    overwritten; where there is no room to make that smaller, or others use it, it stays as large as it is."""
    is_read = 0
    for query in ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
        try:
            is_read = patiently(lambda: database.execute(query).fetchall() or [(0,)])[0][0]  # noqa: B023
        except sqlite3.DatabaseError as error:
            is_full = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL
            if query != "VACUUM" or not (is_full or is_busy(error)):
                said = getattr(error, "sqlite_errorname", "")
                return f"its log cannot be emptied ({said})"
    return "another program reads it" if is_read else ""


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
