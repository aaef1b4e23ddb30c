"""Writing an entity database: pairs of entity and term are taken in, and the SQLite file comes out.

The order of the pairs does not count: entities are numbered by name, terms by normal form, and the same pairs
give the same file. Of spellings with one normal form the first in alphabetical order is kept; of a pair that
is given twice the larger weight.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from sfumato.english.folding import fold
from sfumato.errors import InputError
from sfumato.files import PRIVATE, Target
from sfumato.know.entities import contexts
from sfumato.know.entities.contexts import Floats, Int32s, Ints
from sfumato.know.entities.matching import RULES, normal
from sfumato.know.entities.sqlite import APPLICATION, FORMAT

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE entities (
    id INTEGER PRIMARY KEY,  -- from 0, by name
    name TEXT NOT NULL,
    normal TEXT NOT NULL,    -- folded: another spelling finds it, too
    context BLOB NOT NULL,   -- term ids, ascending: unsigned 32 bits, little-endian
    weights BLOB             -- 32-bit floats in the same order; NULL: all are 1
);
CREATE TABLE terms (id INTEGER PRIMARY KEY, normal TEXT NOT NULL, term TEXT NOT NULL);
CREATE TABLE labels (label TEXT NOT NULL, entity INTEGER NOT NULL REFERENCES entities (id),
    PRIMARY KEY (label, entity)) WITHOUT ROWID;
CREATE TABLE readers (reader TEXT NOT NULL, sees TEXT NOT NULL CHECK (sees IN ('all', 'label', 'entity')),
    value TEXT NOT NULL, PRIMARY KEY (reader, sees, value)) WITHOUT ROWID;
"""
_INDEXES = (
    "CREATE UNIQUE INDEX entities_by_name ON entities (name)",
    "CREATE INDEX entities_by_normal ON entities (normal)",
    "CREATE UNIQUE INDEX terms_by_normal ON terms (normal)",
    "CREATE INDEX labels_by_entity ON labels (entity)",
)


class DatabaseSize(NamedTuple):
    """The size of a database."""

    entities: int
    terms: int
    pairs: int


class EntityLabel(NamedTuple):
    """An entity's label; `where` is named if there is no such entity."""

    entity: str
    label: str
    where: str = "labels"


class Right(NamedTuple):
    """What a reader may see: `sees` is "all", "label" or "entity"."""

    reader: str
    sees: str
    value: str
    where: str = "readers"


def is_text(said: str) -> bool:
    """Whether a database can hold it: no zero, and no half of a character."""
    return re.search("[\0\ud800-\udfff]", said) is None


class Refused(Exception):  # noqa: N818
    """A value among many is wrong; who gave them finds out which."""


class _Numbers(dict[str, int]):
    """A number for each spelling, by order of arrival; spellings with one form share one."""

    def __init__(self, form: Callable[[str], str]) -> None:
        super().__init__()
        self._form = form
        self._numbers: dict[str, int] = {}
        self.first: list[str] = []  # for each number the first spelling in alphabetical order

    def __missing__(self, text: str) -> int:
        if not isinstance(text, str):
            raise Refused
        said = " ".join(text.split())
        form = self._form(said)
        if not form or not is_text(said):
            raise Refused
        number = self._numbers.setdefault(form, len(self.first))
        if number == len(self.first):
            self.first.append(said)
        elif said < self.first[number]:
            self.first[number] = said
        self[text] = number
        return number

    def of(self, texts: Sequence[str]) -> Int32s:
        return np.fromiter(map(self.__getitem__, texts), dtype=np.int32, count=len(texts))

    def order(self) -> tuple[list[str], Int32s]:
        """The forms in order, and the rank of each number."""
        forms = sorted(self._numbers)
        rank = np.empty(len(forms), dtype=np.int32)
        rank[[self._numbers[form] for form in forms]] = np.arange(len(forms), dtype=np.int32)
        return forms, rank


class Builder:
    """Takes in pairs of entity and term, many at a time, and writes the database at the end."""

    def __init__(self) -> None:
        self._entities = _Numbers(str)
        self._terms = _Numbers(normal)
        self._pairs: list[tuple[Int32s, Int32s, Floats | None]] = []
        self.labels: list[EntityLabel] = []
        self.rights: list[Right] = []

    def add(
        self, entities: Sequence[str], terms: Sequence[str], weights: Sequence[float] | None = None
    ) -> None:
        """Pairs of entity and term. Nothing of them is taken if one is refused."""
        heavy = None
        if weights is not None:
            heavy = np.asarray(weights, dtype=np.float32)
            if not (np.isfinite(heavy).all() and (heavy >= 0).all()):
                raise Refused
        self._pairs.append((self._entities.of(entities), self._terms.of(terms), heavy))

    def write(self, path: Path, *, cache: Path | None = None) -> DatabaseSize:
        """Write the file, and its arrays into the cache."""
        if not self._pairs:
            raise InputError("no entities in the source: nothing was written")
        names, entity_rank = self._entities.order()
        normals, term_rank = self._terms.order()
        spellings = [""] * len(normals)
        for number, rank in enumerate(term_rank.tolist()):
            spellings[rank] = self._terms.first[number]
        indptr, indices, weights = self._contexts(entity_rank, term_rank)
        blob = b"" if weights is None else weights.astype("<f4").tobytes()
        digest = contexts.contexts_digest(names, normals, spellings, indptr, indices, blob)
        ids = {name: number for number, name in enumerate(names)}
        labels = self._numbered_labels(ids)
        rights = self._checked_rights(ids)
        meta = {"format": FORMAT, "rules": RULES}

        def fill(made: sqlite3.Connection) -> None:
            run = made.executemany
            run("INSERT INTO meta VALUES (?, ?)", sorted(meta.items()))
            run("INSERT INTO entities VALUES (?, ?, ?, ?, ?)", _rows(names, indptr, indices, blob))
            numbered = zip(range(len(normals)), normals, spellings, strict=True)
            run("INSERT INTO terms VALUES (?, ?, ?)", numbered)
            run("INSERT INTO labels VALUES (?, ?)", labels)
            run("INSERT INTO readers VALUES (?, ?, ?)", rights)

        _write_file(path, fill)
        folder = (contexts.default_cache() if cache is None else cache) / digest
        if contexts.load_arrays(folder, len(names), len(normals)) is None:
            contexts.keep_arrays(folder, contexts.make_arrays(indptr, indices, len(normals)))
        return DatabaseSize(len(names), len(normals), len(indices))

    def _contexts(
        self, entity_rank: Int32s, term_rank: Int32s
    ) -> tuple[Ints, Int32s, Floats | None]:
        """The pairs in rows, each once; weights are None if none was given."""
        width = len(term_rank)
        weighted = any(heavy is not None for _, _, heavy in self._pairs)
        total = sum(len(entities) for entities, _, _ in self._pairs)
        keys = np.empty(total, dtype=np.int64)
        weights = np.ones(total if weighted else 0, dtype=np.float32)
        at = 0
        for entities, terms, heavy in self._pairs:
            end = at + len(entities)
            keys[at:end] = entity_rank[entities]
            keys[at:end] *= width
            keys[at:end] += term_rank[terms]
            if heavy is not None:
                weights[at:end] = heavy
            at = end
        self._pairs.clear()
        if weighted:
            order = np.argsort(keys, kind="stable")
            keys, weights = keys[order], weights[order]
        else:
            keys.sort()
        first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        if len(first) < total:
            keys = keys[first]
            weights = np.maximum.reduceat(weights, first) if weighted else weights
        indptr = np.searchsorted(keys, np.arange(len(entity_rank) + 1, dtype=np.int64) * width)
        keys %= width
        return indptr.astype(np.int64), keys.astype(np.int32), weights if weighted else None

    def _numbered_labels(self, ids: dict[str, int]) -> list[tuple[str, int]]:
        found = set()
        for name, label, where in self.labels:
            number = ids.get(" ".join(name.split()))
            if number is None:  # a typing error would leave an entity without protection
                raise InputError(f"{where}: no entity '{name}' in the source")
            found.add((label.strip(), number))
        return sorted(found)

    def _checked_rights(self, ids: dict[str, int]) -> list[tuple[str, str, str]]:
        known = {label.strip() for _, label, _ in self.labels}
        found = set()
        for reader, sees, value, where in self.rights:
            said = " ".join(value.split())
            if sees == "label" and said not in known:
                raise InputError(f"{where}: no entity carries the label '{said}'")
            if sees == "entity" and said not in ids:
                raise InputError(f"{where}: no entity '{said}' in the source")
            found.add((reader.strip(), sees, "" if sees == "all" else said))
        return sorted(found)


def _rows(
    names: list[str], indptr: Ints, indices: Int32s, weights: bytes
) -> Iterator[tuple[int, str, str, bytes, bytes | None]]:
    ids = indices.astype("<u4").tobytes()
    bounds = (indptr * 4).tolist()
    for number, name in enumerate(names):
        start, end = bounds[number], bounds[number + 1]
        heavy = weights[start:end] if weights else None
        yield number, name, fold(name).text.strip(), ids[start:end], heavy


def _write_file(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    """A new database file, whole or not at all; only its owner may read it."""
    target = database_at(path)
    try:
        # SQLite opens files by name: in a folder where nobody else may give that name to another file.
        with TemporaryDirectory(prefix="sfumato-") as folder:
            made = Path(folder, "entities")
            with closing(sqlite3.connect(made, isolation_level=None)) as connection:
                connection.executescript(
                    f"PRAGMA application_id = {APPLICATION}; PRAGMA journal_mode = OFF;"
                    "PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;" + _SCHEMA
                )
                connection.execute("BEGIN")
                fill(connection)
                for statement in (*_INDEXES, "COMMIT"):
                    connection.execute(statement)
            with made.open("rb") as source, target.unfinished(mode=PRIVATE) as file:
                shutil.copyfileobj(source, file)
    except sqlite3.Error as error:
        raise InputError.at(path, f"cannot be written ({error})") from None


def database_at(path: Path) -> Target:
    """Where a database goes: only one of entities is replaced by a new one."""

    def is_database(data: bytes) -> bool:
        header = data[:16] + data[68:72]  # as SQLite lays it out
        if header != b"SQLite format 3\0" + APPLICATION.to_bytes(4, "big"):
            raise InputError.at(path, "exists and is no entity database; it is not overwritten")
        return True

    return Target.at(
        path, force=False, is_ours=is_database, what="entity database", may_force=False
    )
