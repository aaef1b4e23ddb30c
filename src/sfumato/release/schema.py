"""The tables of a ledger, and how its file is opened."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

_VAULT = "original BLOB PRIMARY KEY, surrogate BLOB NOT NULL UNIQUE, sealed BLOB NOT NULL"
_RELEASES = (
    "release BLOB NOT NULL, name BLOB NOT NULL, input BLOB NOT NULL, policy BLOB NOT NULL, "
    "sealed BLOB NOT NULL, PRIMARY KEY (release, name, input, policy)"
)
SCHEMA = {
    "meta": "CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT",
    "vault": f"CREATE TABLE vault ({_VAULT}) STRICT, WITHOUT ROWID",
    "releases": f"CREATE TABLE releases ({_RELEASES}) STRICT, WITHOUT ROWID",
}
SEALED = ("vault", "releases")  # the tables with sealed rows
VAULT_ROW = "original, surrogate, sealed"
RELEASE_ROW = "release, name, input, policy, sealed"
OF_VAULT = ("vault:original", "vault:surrogate")  # what the columns of each table are hashes of
OF_RELEASES = ("release", "name", "input", "policy")
IS_AT = " AND ".join(f"{column} = ?" for column in OF_RELEASES)
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
    return sorted(map(_unspaced, found)) == sorted(map(_unspaced, SCHEMA.items()))


def _unspaced(row: tuple[str, str]) -> tuple[str, str]:
    """Earlier versions laid their tables out over several lines."""
    return row[0], "".join(str(row[1]).split())


def address(path: Path, read_only: bool) -> str:
    """How SQLite shall open the file. A ledger nobody writes to opens in a read-only folder too."""
    mode = "rw"
    if read_only:
        mode = "ro" if path.with_name(path.name + "-wal").exists() else "ro&immutable=1"
    return f"{path.absolute().as_uri()}?mode={mode}"
