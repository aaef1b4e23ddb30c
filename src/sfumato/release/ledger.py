"""The ledger: what was replaced by what, and why; the vault that keeps replacements consistent.

One SQLite file. Everything that could tell something is sealed with the key (AES-SIV), bound to its place and
padded; rows are found by keyed hashes. Whoever has the file without the key learns how many documents and
replacements there are; whoever writes to it without the key makes it a damaged one, or puts an earlier copy
back, and no more.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from sfumato.deadline import undisturbed
from sfumato.document import Release, restored
from sfumato.english.folding import normal_form
from sfumato.errors import LedgerError, SecretError, SfumatoError
from sfumato.keys import Key
from sfumato.policy import Policy
from sfumato.release import entries, schema, targets
from sfumato.release.certificate import Certificate
from sfumato.release.entries import Entry, Forgotten
from sfumato.release.sealing import MODULUS, Sealing
from sfumato.release.targets import Row

MEMORY = ":memory:"
_ALL = b""  # stands for all releases, where each has its seal
ATTEMPTS = 100_000
NEW_KEY = "key.new"  # beside a ledger whose key is being changed

_MOST_TARGETS = 100  # places that an entry knows, the last ones that were written to
_MOST_ALIKE = 128  # entries of one release that a new one is compared with


class Ledger:
    """An open ledger. Without a path it lives in memory and is gone with the process."""

    def __init__(
        self, key: Key, path: Path | None = None, *, read_only: bool = False, create: bool = True
    ) -> None:
        self.key = key
        self.path = path
        self._read_only = read_only
        self._sealing = Sealing(key)
        self._meta: dict[str, bytes] = {}
        self._used: set[bytes] = set()  # rows of the vault that the document at hand has
        try:
            self._db: sqlite3.Connection = (
                schema.connect(path, create and not read_only, read_only)
                if path
                else sqlite3.connect(MEMORY, isolation_level=None)
            )
            try:
                schema.patiently(self._start)
            except BaseException:
                self._db.close()  # nobody else will
                raise
        except sqlite3.OperationalError as error:
            raise LedgerError.at(path, f"cannot be used ({error})") from None
        except (sqlite3.DatabaseError, UnicodeError):
            raise self._damaged() from None

    def _start(self) -> None:
        if self._read_only:
            self._read_meta()
            return
        if self._is_new():  # else nothing is done to it yet
            self._db.execute("PRAGMA journal_mode = MEMORY")  # no journal of a killed run stays
        self._db.execute("PRAGMA secure_delete = ON")
        if self.path is not None:
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
        self._begin()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close it, and leave nothing in the write-ahead log unless somebody else is at it."""
        if self.path is not None and not self._read_only:
            with suppress(sqlite3.Error):  # whoever else has it open does it
                self._db.execute("PRAGMA busy_timeout = 0")
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._db.close()

    # The vault

    def begin(self) -> None:
        """Another document: its releases have none of the surrogates that were asked for before."""
        self._used.clear()

    def allocate(self, kind: str, original: str, propose: Callable[[int], str]) -> str:
        """The surrogate of an original, for ever: the stored one, or the first proposal that is nobody
        else's. Safe over processes: the search and the storing are one transaction."""
        if (found := self.stored(kind, original)) is not None:
            return found
        with self._transaction():
            if (found := self.stored(kind, original)) is not None:  # another process was faster
                return found
            sealing = self._sealing
            name = self._vault_tag(kind, original)
            for attempt in range(ATTEMPTS):
                surrogate = propose(attempt)
                place = (name, sealing.tag("vault:surrogate", normal_form(surrogate)))
                sealed = sealing.seal("vault", place, [kind, original, surrogate])
                try:
                    self._db.execute("INSERT INTO vault VALUES (?, ?, ?)", (*place, sealed))
                except sqlite3.IntegrityError:
                    continue
                self._used.add(name)
                return surrogate
        raise LedgerError(f"no free surrogate of kind {kind} is left; use another replacement")

    def _vault_tag(self, kind: str, original: str) -> bytes:
        return self._sealing.tag("vault:original", f"{kind}\0{normal_form(original)}")

    def stored(self, kind: str, original: str) -> str | None:
        """The surrogate of an original, if it has one."""
        name = self._vault_tag(kind, original)
        rows = self._rows_of("vault", "WHERE original = ?", name)
        if not rows:
            return None
        self._used.add(name)
        kept_kind, kept, surrogate = self._open("vault", rows[0])
        tag = self._sealing.tag("vault:surrogate", normal_form(surrogate))
        if (kept_kind, normal_form(kept), tag) != (kind, normal_form(original), rows[0][1]):
            raise self._damaged()
        return str(surrogate)

    def _rows(self, query: str, *values: bytes) -> list[Any]:
        try:
            return schema.patiently(lambda: self._db.execute(query, values).fetchall())
        except (sqlite3.DatabaseError, UnicodeError) as error:  # SQLite quotes what is damaged
            raise self._damaged(schema.fault(error)) from None

    def _rows_of(self, table: str, which: str = "", *values: bytes) -> list[Any]:
        """Rows of a table, each there once: SQLite believes what a file says of its types and keys, and two
        that are equal would hide each other where all are reckoned together."""
        rows = self._rows(f"SELECT {schema.ROW[table]} FROM {table} {which}", *values)
        if any(type(value) is not bytes for row in rows for value in row):
            raise self._damaged()
        if len({row[:-1] for row in rows}) < len(rows):
            raise self._damaged(schema.EDITED)
        return rows

    def _open(self, table: str, row: Sequence[bytes]) -> Any:
        """What a row holds: its last column, sealed for the place that the others are."""
        try:
            return self._sealing.open(table, row[:-1], row[-1])
        except (SecretError, ValueError, TypeError):  # the key fits the ledger: that was checked
            raise self._damaged() from None

    def _damaged(self, why: str = schema.DAMAGED) -> LedgerError:
        return LedgerError.at(self.path, f"{why}")

    # Releases

    def put(self, release: Release, policy: Policy, target: Path | None = None) -> None:
        """Keep what was done to a document, and where its release will be written: until `take_over` others
        may have that place too, and nobody says whose release stands there."""
        record, made = release.record, release.certificate
        with self._transaction():
            if not all(self._rows_of("vault", "WHERE original = ?", name) for name in self._used):
                raise LedgerError(schema.FORGOTTEN)
            place = self._place_for(release)
            where, links = [], []
            if target is not None:
                where, links = [targets.place_of(target)], [targets.name_of(target)]
            rows = self._rows_of("releases", schema.AT, *place)
            for row in rows:
                with suppress(LedgerError):  # a damaged row makes way for the new one
                    before = self._entry(row)
                    where = [*(t for t in before.targets if t not in where), *where]
                    links = [*(t for t in before.links if t not in links), *links]
            entry = Entry(
                record,
                policy.to_yaml(),
                made,
                surrogates=tuple(sorted(self._used)),
                targets=tuple(where[-_MOST_TARGETS:]),
                links=tuple([link for link in links if link not in where][-_MOST_TARGETS:]),
            )
            sealed = self._sealing.seal("release", place, entries.to_json(entry))
            self._exchange(rows, [(*place, sealed)])

    def _exchange(self, before: Sequence[Row], after: Sequence[Row]) -> None:
        """Put rows of releases in the place of others, and seal for each release which rows it has now: a row
        that somebody takes away, or puts back, is missed. What was missing before stays so."""
        if not self._rows_of("alike", "WHERE release = ?", _ALL):
            raise self._damaged(schema.EDITED)
        self._db.executemany(f"DELETE FROM releases {schema.AT}", [row[:4] for row in before])
        self._db.executemany("INSERT INTO releases VALUES (?, ?, ?, ?, ?)", after)
        for release in {row[0] for row in (*before, *after)}:
            gone, come = ([row for row in rows if row[0] == release] for rows in (before, after))
            self._seal_alike(release, gone, come)

    def _seal_alike(self, release: bytes, gone: Sequence[Row], come: Sequence[Row]) -> None:
        """Seal which rows a release has, where these come or go; then which seals there are."""
        kept = self._rows_of("alike", "WHERE release = ?", release)
        change = self._sealing.digest(come) - self._sealing.digest(gone)
        digest = (self._digest(release, dict(kept)) + change) % MODULUS
        # none is made twice, lest one that was put back, and taken from the sum, be added to it later
        sealed = self._sealing.seal("alike", (release,), f"{digest:x}:{secrets.token_hex(8)}")
        made = [(release, sealed)] if digest or release == _ALL else []
        self._db.execute("DELETE FROM alike WHERE release = ?", (release,))
        self._db.executemany("INSERT INTO alike VALUES (?, ?)", made)
        if release != _ALL:
            self._seal_alike(_ALL, kept, made)

    def _digest(self, release: bytes, seals: dict[bytes, bytes]) -> int:
        """Which rows a release has, as that was sealed: none where there is no seal."""
        sealed = self._open("alike", (release, seals[release])) if release in seals else "0"
        return int(sealed.partition(":")[0], 16)

    def _check(self, release: bytes, rows: Sequence[Row], seals: dict[bytes, bytes]) -> None:
        """Refuse other rows of a release than those that were sealed."""
        sealing = self._sealing
        if not sealing.is_old and self._digest(release, seals) != sealing.digest(rows):
            raise self._damaged(schema.EDITED)

    def _sealed(self) -> dict[bytes, bytes]:
        """The seals of all releases over their rows, which must all be there."""
        if self._sealing.is_old:
            return {}
        seals = dict(self._rows_of("alike"))
        whole = self._digest(_ALL, seals)
        if seals.pop(_ALL, None) is None or whole != self._sealing.digest(seals.items()):
            raise self._damaged(schema.EDITED)
        return seals

    def take_over(self, release: Release, target: Path) -> None:
        """Say in the entries of other inputs that their release, which is the same, stands there no more, now
        that this one does: else whoever takes the new entry away makes an earlier one the answer. Of
        thousands of equal releases a part is looked at."""
        where = targets.place_of(target)
        with self._transaction():
            place = self._place_for(release)
            first = f"WHERE release = ? AND name = ? LIMIT {8 * _MOST_ALIKE}"
            rows = self._rows_of("releases", first, *place[:2])
            rows += self._rows_of("releases", f"WHERE release = ? LIMIT {_MOST_ALIKE}", place[0])
            for row in {tuple(row[:4]): row for row in rows if row[2] != place[2]}.values():
                with suppress(LedgerError):
                    if where in self._open("release", row).get("targets", ()):
                        entry = targets.without(self._entry(row), where)
                        sealed = self._sealing.seal("release", row[:4], entries.to_json(entry))
                        self._exchange([row], [(*row[:4], sealed)])

    def _place_for(self, release: Release) -> tuple[bytes, ...]:
        record = release.record
        source = restored(release.data, record)
        return self._place(release.data, record.name, source, release.certificate.policy)

    def _place(self, *about: str | bytes) -> tuple[bytes, ...]:
        """Where the row stands that is about this release, name, input and policy."""
        return tuple(map(self._sealing.tag, schema.OF_RELEASES, about))

    def has(self, released: bytes) -> bool:
        """Whether there is an entry of this very release."""
        self._read_meta()
        tag = self._sealing.tag("release", released)
        rows = self._rows_of("releases", "WHERE release = ? LIMIT 1", tag)
        return any(self._entry(row, released) for row in rows)

    def find(self, released: bytes) -> list[Entry]:
        """The entries of exactly this release; several where originals differ only in what was hidden."""
        with schema.snapshot(self._db):
            self._read_meta()
            tag = self._sealing.tag("release", released)
            rows = self._rows_of("releases", "WHERE release = ? ORDER BY name", tag)
            opened = [self._entry(row, released) for row in rows]
            self._check(tag, rows, self._sealed())
        return opened

    def _entry(self, row: Sequence[bytes], released: bytes | None = None) -> Entry:
        """The entry in a row, if it is about what the row's place says, and about this release."""
        try:
            entry = entries.from_json(self._open("release", row))
        except (SfumatoError, ValueError, KeyError, TypeError):
            raise self._damaged() from None
        made, tag = entry.certificate, self._sealing.tag
        if (row[1], row[3]) != (tag("name", entry.record.name), tag("policy", made.policy)):
            raise self._damaged()
        maker = self.maker(made) or self.key
        if released is not None and not made.is_about(released, maker):
            raise self._damaged()
        return replace(entry, key=maker)

    def maker(self, certificate: Certificate) -> Key | None:
        """The key of this ledger that made a certificate, or what is left of it if it was replaced."""
        return next((key for key in self._sealing.keys if certificate.is_made_by(key)), None)

    def find_one(
        self,
        released: bytes,
        name: str | None = None,
        input_hash: str | None = None,
        policy: str | None = None,
        place: Path | None = None,
    ) -> Entry:
        """The one entry of this release. Documents that differ only in what was hidden have the same
        release: the input's hash in the certificate tells them apart, or the document's name, or the place
        that it was written to. So may two policies give the same release of one document; `policy` is the
        digest of the one."""
        return targets.one_of(self.find(released), name, input_hash, policy, place)

    def on_record(self, released: bytes, name: str, source: bytes, policy: str) -> Entry | None:
        """The entry of this very release of this very input under this very policy."""
        self._read_meta()
        rows = self._rows_of("releases", schema.AT, *self._place(released, name, source, policy))
        return self._entry(rows[0], released) if rows else None

    def forget(
        self, name: str, *, release: Path | None = None, surrogates: bool = True
    ) -> Forgotten:
        """Delete every entry of a document for good, and the `surrogates` that only it has in the vault:
        nobody could name them afterwards. Of several documents of one name, it is the one that has
        this `release`."""
        with self._transaction():
            every = self._checked_rows()  # one that is hidden meanwhile would not be forgotten
            tag = self._sealing.tag("name", name)
            rows = [row for row in every if row[1] == tag]
            if not rows:
                raise LedgerError(f"the ledger has no document named '{name}'")
            found = [(row, self._entry(row)) for row in rows]
            rows = targets.of_one(found, name, release, partial(self._sealing.tag, "release"))
            gone = {tuple(row[:4]) for row in rows}
            alone = self._used_by(rows)
            others = self._used_by(row for row in every if tuple(row[:4]) not in gone)
            known = None if alone is None or others is None else alone - others
            if surrogates and known is None:
                raise LedgerError(
                    "the ledger has entries of an earlier version, which do not say whose surrogates are "
                    "whose; sanitize their documents again first, or let all stay with --keep-surrogates"
                )
            self._exchange(rows, [])
            for each in known if surrogates and known else ():
                self._db.execute("DELETE FROM vault WHERE original = ?", (each,))
        self.clean()
        return Forgotten(len(rows), None if known is None else len(known))

    def _used_by(self, rows: Iterable[Sequence[bytes]]) -> set[bytes] | None:
        """The rows of the vault that these releases have; None if one of them does not say."""
        found: set[bytes] = set()
        for row in rows:
            used = self._entry(row).surrogates
            if used is None:
                return None
            found.update(used)
        return found

    # The key

    def rotate(self, key: Key) -> None:
        """Seal everything anew under another key, all or nothing. Surrogates stay what they are."""
        with self._transaction():
            self._rewrite(self._sealing.under(key), key.tag)
        self.key = key
        self.clean()

    def _checked_rows(self) -> list[Row]:
        """The rows of all releases, none of which somebody without the key has taken out or put back."""
        rows, seals = self._rows_of("releases"), self._sealed()
        of_release = defaultdict[bytes, list[Row]](list)
        for row in rows:
            self._entry(row)  # it stands where it was put
            of_release[row[0]].append(row)
        for release in {*seals, *of_release}:
            self._check(release, of_release[release], seals)
        return rows

    def follows(self, key: Key) -> bool:
        """Whether its key has taken the place of this one. Only who had this one can have made it so."""
        former = self._sealing.former
        return bool(former) and former[-1].kept == key.former()

    def _rewrite(
        self, new: Sealing, retag: Callable[[str, bytes], bytes] = lambda _, tag: tag
    ) -> None:
        """Every row sealed anew, in a transaction; `retag` gives the new hash for an old one."""
        self._checked_rows()
        before = schema.SEALED[: 2 if self._sealing.is_old else 3]
        for table in before:
            self._db.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
        for table in schema.SEALED:
            self._db.execute(schema.SCHEMA[table])
        for row in self._db.execute(f"SELECT {schema.ROW['vault']} FROM old_vault"):
            kind, original, surrogate = self._open("vault", row)
            if self._vault_tag(kind, original) != row[0]:
                raise self._damaged()
            place = tuple(map(retag, schema.OF_VAULT, row[:-1]))
            sealed = new.seal("vault", place, [kind, original, surrogate])
            self._db.execute("INSERT INTO vault VALUES (?, ?, ?)", (*place, sealed))
        sealed_anew = defaultdict[bytes, list[Row]](list)
        for row in self._db.execute(f"SELECT {schema.ROW['releases']} FROM old_releases"):
            entry = self._entry(row)
            used = entry.surrogates
            used = used and tuple(retag("vault:original", tag) for tag in used)
            place = tuple(map(retag, schema.OF_RELEASES, row[:-1]))
            sealed = new.seal("release", place, entries.to_json(replace(entry, surrogates=used)))
            self._db.execute("INSERT INTO releases VALUES (?, ?, ?, ?, ?)", (*place, sealed))
            sealed_anew[place[0]].append((*place, sealed[:16]))
        for table in before:
            self._db.execute(f"DROP TABLE old_{table}")
        self._write_meta(new)
        self._seal_alike(_ALL, (), ())
        for release, rows in sealed_anew.items():
            self._seal_alike(release, (), rows)

    # The file

    def _begin(self) -> None:
        """Make what is not there, and bring what is older to this version."""
        with self._transaction(opening=True):
            if self._is_new():
                for made in schema.SCHEMA.values():
                    self._db.execute(made)
                self._write_meta(self._sealing)
                self._seal_alike(_ALL, (), ())
            self._read_meta()
            is_old = self._sealing.is_old
            if is_old:
                self._rewrite(Sealing(self.key))
        if is_old:
            self.clean()

    def _is_new(self) -> bool:
        """Whether there is nothing in it yet. Refuses what has other tables than ours."""
        found = self._rows(schema.SHAPE)
        if found and not schema.is_ours(found):
            raise self._damaged()
        return not found

    def _write_meta(self, sealing: Sealing) -> None:
        self._db.execute("DELETE FROM meta")
        self._db.executemany("INSERT INTO meta VALUES (?, ?)", sealing.meta().items())
        self._sealing, self._meta = sealing, sealing.meta()

    def _read_meta(self) -> None:
        """How the ledger is sealed now; another process may have changed its key."""
        if self._is_new():
            raise self._damaged()
        stored = dict(self._rows("SELECT name, value FROM meta"))
        if stored and stored == self._meta:
            return
        try:
            found = Sealing.read(self.key, stored)
        except SecretError as error:
            why = str(error)
            if self.path is not None and self.path.with_name(NEW_KEY).exists():
                why = "a change of its key was interrupted; finish it with: sfumato key rotate"
            raise SecretError(f"{self.path}: {why}") from None
        except (KeyError, ValueError, TypeError):
            raise self._damaged() from None
        if found is None:
            raise self._damaged("made by another version of Sfumato")
        self._sealing, self._meta = found, stored

    def clean(self) -> None:
        """Leave nothing of what was deleted or replaced, in the file and in its log."""
        if self.path is None:
            return
        if why := schema.not_cleaned(self._db):
            raise LedgerError.at(
                self.path,
                f"done, but {why}, and what is gone may stand in its log until that has ended; "
                "then run any command that writes to the ledger",
            )

    @contextmanager
    def _transaction(self, *, opening: bool = False) -> Iterator[None]:
        """All or nothing; a transaction inside another is part of it (a proposal may need the vault)."""
        if self._db.in_transaction:
            yield
            return
        with undisturbed():
            before = self._sealing, self._meta
            try:
                self._db.execute("BEGIN IMMEDIATE")
                if not opening:
                    self._read_meta()
                yield
                self._db.execute("COMMIT")
            except BaseException as error:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                self._sealing, self._meta = before
                if isinstance(error, sqlite3.DatabaseError) and not opening:
                    raise self._damaged(schema.fault(error)) from None
                raise
