"""The ledger: what was replaced by what, and why; the vault that keeps replacements consistent.

One SQLite file. Everything that could tell something is sealed with the key (AES-SIV); rows are found by
keyed hashes. Whoever has the file without the key learns how many documents and replacements there are.
"""

from __future__ import annotations

import base64
import json
import os
import sqlite3
import sys
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from sfumato.document import (
    Edit,
    EditColumns,
    Origin,
    Part,
    Patch,
    Record,
    Release,
    StringColumn,
    restored,
)
from sfumato.english.folding import normal_form
from sfumato.errors import LedgerError, SecretError, UnknownReleaseError
from sfumato.keys import Key
from sfumato.policy import Policy

# 1 had every edit for itself and no patches of files; it is read, and becomes this when it is written to.
FORMAT = 2
MEMORY = ":memory:"
ATTEMPTS = 100_000

_TABLES = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS vault (
    original BLOB PRIMARY KEY, surrogate BLOB NOT NULL UNIQUE, sealed BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS releases (
    release BLOB NOT NULL, name BLOB NOT NULL, input BLOB NOT NULL, policy BLOB NOT NULL,
    sealed BLOB NOT NULL,
    PRIMARY KEY (release, name, input, policy)
) STRICT, WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A release as the ledger knows it: its record, the policy it was made by, its certificate."""

    record: Record
    policy: str
    certificate: dict[str, Any]


class Ledger:
    """An open ledger. Without a path it lives in memory and is gone with the process."""

    def __init__(self, key: Key, path: Path | None = None, *, read_only: bool = False) -> None:
        self.key = key
        self.path = path
        if path is not None:
            self._prepare_file(path, create=not read_only)
        where = _address(path, read_only) if path else MEMORY
        try:
            self._db = sqlite3.connect(where, isolation_level=None, timeout=60, uri=bool(path))
            if read_only:
                self._check_format()
                return
            if path is not None:
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = NORMAL")
            with self._transaction():
                for statement in _TABLES.split(";"):
                    self._db.execute(statement)
                self._check_format()
                self._db.execute(
                    "UPDATE meta SET value = ? WHERE name = 'format'", (bytes([FORMAT]),)
                )
        except sqlite3.OperationalError as error:
            raise LedgerError(f"{path}: cannot be used ({error})", path=str(path)) from None
        except sqlite3.DatabaseError:
            raise LedgerError(f"{path}: not a ledger", path=str(path)) from None

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._db.close()

    # The vault

    def allocate(self, kind: str, original: str, propose: Callable[[int], str]) -> str:
        """The surrogate of an original, for ever: the stored one, or the first proposal that is nobody
        else's. Safe over processes: the search and the storing are one transaction."""
        name = self.key.tag("vault:original", f"{kind}\0{normal_form(original)}")
        found = self._surrogate(name)
        if found is not None:
            return found
        with self._transaction():
            found = self._surrogate(name)  # another process may have been faster
            if found is not None:
                return found
            for attempt in range(ATTEMPTS):
                surrogate = propose(attempt)
                sealed = self.key.seal("vault", json.dumps([kind, original, surrogate]))
                tag = self.key.tag("vault:surrogate", normal_form(surrogate))
                try:
                    self._db.execute("INSERT INTO vault VALUES (?, ?, ?)", (name, tag, sealed))
                except sqlite3.IntegrityError:
                    continue
                return surrogate
        raise LedgerError(f"no free surrogate of kind {kind} is left; use another replacement")

    def _surrogate(self, name: bytes) -> str | None:
        row = self._db.execute("SELECT sealed FROM vault WHERE original = ?", (name,)).fetchone()
        return json.loads(self._open("vault", row[0]))[2] if row else None

    def _open(self, purpose: str, sealed: bytes) -> bytes:
        try:
            return self.key.open(purpose, sealed)
        except SecretError:  # the key fits the ledger: that was checked when it was opened
            raise LedgerError(f"{self.path}: the ledger is damaged", path=str(self.path)) from None

    # Releases

    def put(self, release: Release, policy: Policy) -> None:
        """Keep what was done to a document."""
        record = release.record
        entry = Entry(record, policy.to_yaml(), release.certificate.to_dict())
        self._db.execute(
            "INSERT OR REPLACE INTO releases VALUES (?, ?, ?, ?, ?)",
            (
                self.key.tag("release", release.data),
                self.key.tag("name", record.name),
                self.key.tag("input", restored(release.data, record)),
                self.key.tag("policy", policy.digest),
                self.key.seal("release", json.dumps(_entry_to_json(entry))),
            ),
        )

    def find(self, released: bytes) -> list[Entry]:
        """The entries whose release is exactly this; several where originals differ only in what was
        hidden."""
        rows = self._db.execute(
            "SELECT sealed FROM releases WHERE release = ? ORDER BY name",
            (self.key.tag("release", released),),
        )
        return [_entry_from_json(json.loads(self._open("release", row[0]))) for row in rows]

    def find_one(
        self,
        released: bytes,
        name: str | None = None,
        input_hash: str | None = None,
        policy: str | None = None,
    ) -> Entry:
        """The one entry of this release. Documents that differ only in what was hidden have the same
        release: the input's hash in the certificate tells them apart, or the document's name. So may two
        policies give the same release of one document; `policy` is the digest of the one."""
        entries = self.find(released)
        if not entries:
            raise UnknownReleaseError(
                "this release is not in the ledger; was it changed, or made elsewhere?"
            )
        if input_hash is not None:
            entries = [e for e in entries if e.certificate["input"] == input_hash] or entries
        if policy is not None:
            entries = [e for e in entries if e.certificate["policy"] == policy] or entries
        if name is not None:
            entries = [e for e in entries if e.record.name == name]
            if not entries:
                raise LedgerError(f"the ledger has this release, but of no document named '{name}'")
        inputs = {e.certificate["input"] for e in entries}
        if len(inputs) > 1:
            names = ", ".join(sorted({e.record.name for e in entries}))
            raise LedgerError(
                f"several documents have this release ({names}); say which with --name"
            )
        return entries[0]

    def has(self, name: str, *, source: bytes, policy_digest: str, released: bytes) -> bool:
        """Whether this very release of this very input under this very policy is on record."""
        row = self._db.execute(
            "SELECT 1 FROM releases WHERE release = ? AND name = ? AND input = ? AND policy = ?",
            (
                self.key.tag("release", released),
                self.key.tag("name", name),
                self.key.tag("input", source),
                self.key.tag("policy", policy_digest),
            ),
        ).fetchone()
        return row is not None

    # The file

    def _prepare_file(self, path: Path, create: bool) -> None:
        if not path.exists():
            if not create:
                raise LedgerError(f"{path}: no such ledger", path=str(path))
            try:
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
            except OSError as error:
                raise LedgerError(
                    f"{path}: cannot make the ledger ({error.strerror})", path=str(path)
                ) from None
        elif not path.is_file():
            raise LedgerError(f"{path}: not a ledger file", path=str(path))

    def _check_format(self) -> None:
        stored = dict(self._db.execute("SELECT name, value FROM meta"))
        check = self.key.tag("check", "ledger")
        if not stored:
            self._db.execute(
                "INSERT INTO meta VALUES ('format', ?), ('check', ?)", (bytes([FORMAT]), check)
            )
        elif stored.get("format") not in (bytes([1]), bytes([FORMAT])):
            raise LedgerError(
                f"{self.path}: made by another version of Sfumato", path=str(self.path)
            )
        elif stored.get("check") != check:
            raise SecretError(
                f"{self.path}: this key does not open the ledger; give the key it was made with"
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing; a transaction inside another is part of it (a proposal may need the vault)."""
        if self._db.in_transaction:
            yield
            return
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")


def _address(path: Path, read_only: bool) -> str:
    """How SQLite shall open the file. A ledger nobody writes to opens in a read-only folder too."""
    mode = "rw"
    if read_only:
        mode = "ro" if path.with_name(path.name + "-wal").exists() else "ro&immutable=1"
    return f"{path.absolute().as_uri()}?mode={mode}"


_EDIT_FIELDS = tuple(f.name for f in fields(Edit))


def _entry_to_json(entry: Entry) -> dict[str, Any]:
    """An entry's edits are stored as columns: one list for each field."""
    record = entry.record
    edits: dict[str, Any]
    if isinstance(record.edits, EditColumns):
        edits = _packed_edits(record.edits)
    else:
        rows = [tuple(getattr(e, name) for name in _EDIT_FIELDS) for e in record.edits]
        columns = list(map(list, zip(*rows, strict=True))) or [[] for _ in _EDIT_FIELDS]
        edits = dict(zip(_EDIT_FIELDS, columns, strict=True))
    originals = record.originals
    undo = record.undo if record.undo is None else [(p.start, p.end, p.text) for p in record.undo]
    return {
        "name": record.name,
        "origin": asdict(record.origin),
        "edits": edits,
        "originals": _packed_strings(originals)
        if isinstance(originals, StringColumn)
        else originals,
        "undo": undo,
        "policy": entry.policy,
        "certificate": entry.certificate,
    }


def _entry_from_json(data: dict[str, Any]) -> Entry:
    record = data.get("record", data)  # version 1 had one around these
    origin, edits, undo = record["origin"], record["edits"], record.get("undo")
    originals = record["originals"]
    return Entry(
        Record(
            record["name"],
            Origin(
                **origin
                | {
                    "parts": tuple(Part(**p) for p in origin["parts"]),
                    "columns": tuple(origin.get("columns", ())),
                }
            ),
            _edits(edits),
            _strings(originals) if isinstance(originals, dict) else tuple(originals),
            undo if undo is None else tuple(Patch(*p) for p in undo),
        ),
        data["policy"],
        data["certificate"],
    )


def _edits(stored: Any) -> Sequence[Edit]:
    if isinstance(stored, dict) and "gaps" in stored:
        return _unpacked_edits(stored)
    if isinstance(stored, dict):
        rows = zip(*stored.values(), strict=True)
        stored = [dict(zip(stored, row, strict=True)) for row in rows]
    edits = (Edit(**e | {"alternatives": tuple(e["alternatives"])}) for e in stored)
    # Version 1 packed what was done to a table into the private part of one edit.
    return tuple(replace(e, private="") if e.kind == "TABLE" else e for e in edits)


# Edits that are columns already stay so: gaps and lengths are small numbers, and compress well.


def _packed_edits(edits: EditColumns) -> dict[str, Any]:
    before = array("q", [0, *edits.ends[:-1]]) if len(edits) else edits.ends
    gaps = array("i", (a - b for a, b in zip(edits.starts, before, strict=True)))
    lengths = array("i", (b - a for a, b in zip(edits.starts, edits.ends, strict=True)))
    return {
        "gaps": _packed(gaps),
        "lengths": _packed(lengths),
        "kinds": _packed_strings(edits.kinds),
        "replacements": _packed_strings(edits.replacements),
        "reasons": _packed_strings(edits.reasons),
        "hows": _packed_strings(edits.hows),
    }


def _unpacked_edits(stored: dict[str, Any]) -> EditColumns:
    starts, ends, at = array("q"), array("q"), 0
    for gap, length in zip(_unpacked(stored["gaps"]), _unpacked(stored["lengths"]), strict=True):
        starts.append(at + gap)
        at += gap + length
        ends.append(at)
    words = (_strings(stored[n]) for n in ("kinds", "replacements", "reasons", "hows"))
    return EditColumns(starts, ends, *words)


def _packed_strings(column: StringColumn) -> dict[str, Any]:
    return {"codes": _packed(column.codes), "strings": column.strings}


def _strings(stored: dict[str, Any]) -> StringColumn:
    return StringColumn(_unpacked(stored["codes"]), stored["strings"])


def _packed(numbers: array[int]) -> str:
    """Numbers of 32 bits, the low byte first."""
    if sys.byteorder == "big":
        numbers = array("i", numbers)
        numbers.byteswap()
    return base64.b64encode(zlib.compress(numbers.tobytes(), 1)).decode("ascii")


def _unpacked(text: str) -> array[int]:
    numbers = array("i", zlib.decompress(base64.b64decode(text)))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
