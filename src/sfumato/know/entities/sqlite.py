"""The embedded entity database: one SQLite file, made by `sfumato know entities import`."""

from __future__ import annotations

import re
import sqlite3
import weakref
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.english.folding import fold
from sfumato.errors import InputError
from sfumato.know.entities.contexts import (
    Arrays,
    Contexts,
    Int32s,
    Ints,
    contexts_digest,
    default_cache,
    keep_arrays,
    load_arrays,
    make_arrays,
    restrict,
)
from sfumato.know.entities.database import PROTECTED, Entities, Entity
from sfumato.know.entities.matching import RULES, Match, TermFinder

FORMAT = "1"
APPLICATION = 0x53464D45  # "SFME": tells the file from other SQLite files
# What every row of a table is: SQLite holds no column to its type, and whoever made the file made its checks.
_ROWS = {
    "entities": "typeof(id) = 'integer' AND typeof(name) = 'text' AND typeof(normal) = 'text' "
    "AND typeof(context) = 'blob' AND typeof(weights) IS (SELECT typeof(weights) FROM entities LIMIT 1) "
    "AND (weights IS NULL OR typeof(weights) = 'blob' AND length(weights) = length(context))",
    "terms": "typeof(id) = 'integer' AND typeof(normal) = 'text' AND normal <> '' AND typeof(term) = 'text'",
    "labels": "typeof(label) = 'text' AND typeof(entity) = 'integer' AND entity IN (SELECT id FROM entities)",
    "readers": "typeof(reader) = 'text' AND sees IN ('all', 'label', 'entity') AND typeof(value) = 'text'",
}


class SqliteEntities(Entities):
    """The embedded database: one file, opened for reading.

    The file may be changed with any SQLite tool. Its hash is that of what it holds, whatever it says itself:
    whoever made it could give it that of another one.
    """

    def __init__(self, path: str | Path, *, cache: Path | None = None) -> None:
        self.path = Path(path)
        self._cache = default_cache() if cache is None else cache
        self._database = _open(self.path)
        weakref.finalize(self, self._database.close)
        self._size, self._terms = _check(self.path, self._database)
        self._arrays: Arrays | None = None

    def close(self) -> None:
        self._database.close()

    def __len__(self) -> int:
        return self._size

    @property
    def size(self) -> tuple[int, int, int]:
        """How many entities, terms and pairs of both."""
        return self._size, self._terms, len(self._array("indices"))

    @cached_property
    def digest(self) -> str:
        indptr, indices = self._contexts
        names, normals, terms = (
            [text for (text,) in self._query(f"SELECT {column} ORDER BY id")]
            for column in ("name FROM entities", "normal FROM terms", "term FROM terms")
        )
        weights = b"".join(
            w for (w,) in self._query("SELECT weights FROM entities ORDER BY id") if w is not None
        )
        # a text that parts as several do would have the hash of these
        if len(normals) != self._terms or any(
            sign in text for text in (*names, *normals, *terms) for sign in "\0\1"
        ):
            raise _damaged(self.path)
        return contexts_digest(names, normals, terms, indptr, indices, weights)

    def names(self, entities: Iterable[int]) -> list[str]:
        return self._texts("SELECT name FROM entities WHERE id = ?", entities)

    def terms(self, terms: Iterable[int]) -> list[str]:
        return self._texts("SELECT term FROM terms WHERE id = ?", terms)

    def _texts(self, query: str, ids: Iterable[int]) -> list[str]:
        try:
            return [self._query(query, int(number))[0][0] for number in ids]
        except IndexError:
            raise _damaged(self.path) from None

    def entity(self, name: str) -> Entity:
        columns = "SELECT id, name, context, weights FROM entities WHERE"
        said = " ".join(name.split())
        rows = self._query(f"{columns} name = ?", said)
        rows = rows or self._query(f"{columns} normal = ? LIMIT 2", fold(said).text.strip())
        if not rows:
            raise InputError.at(self.path, f"no entity '{said}'")
        if len(rows) > 1:
            raise InputError.at(
                self.path, f"several entities are like '{said}'; give the name exactly"
            )
        number, found, context, weights = rows[0]
        try:
            ids = np.frombuffer(context, dtype="<u4").tolist()
            heavy = np.frombuffer(weights, dtype="<f4").tolist() if weights else [1.0] * len(ids)
            pairs = sorted(zip(self.terms(ids), heavy, strict=True), key=lambda p: (-p[1], p[0]))
        except (TypeError, ValueError):
            raise _damaged(self.path) from None
        labels = self._query("SELECT label FROM labels WHERE entity = ? ORDER BY label", number)
        return Entity(number, found, tuple(label for (label,) in labels), tuple(pairs))

    def labels(self) -> dict[str, int]:
        return dict(self._query("SELECT label, count(*) FROM labels GROUP BY label ORDER BY label"))

    def labelled(self, label: str) -> Ints:
        rows = self._query("SELECT entity FROM labels WHERE label = ? ORDER BY entity", label)
        return np.array([entity for (entity,) in rows], dtype=np.int64)

    def readers(self) -> list[str]:
        return [r for (r,) in self._query("SELECT DISTINCT reader FROM readers ORDER BY reader")]

    def visible(self, reader: str) -> Ints:
        """What is not labelled "protected", and what the reader's rows in the file allow: entities, all
        that carry a label, everything."""
        rights = self._query("SELECT sees, value FROM readers WHERE reader = ?", reader)
        if not rights:
            raise InputError.at(
                self.path, f"no reader '{reader}'; known: {', '.join(self.readers()) or 'none'}"
            )
        seen = np.ones(self._size, dtype=bool)
        seen[self.labelled(PROTECTED)] = False
        for sees, value in rights:
            if sees == "all":
                seen[:] = True
            elif sees == "label":
                seen[self.labelled(value)] = True
            else:
                rows = self._query("SELECT id FROM entities WHERE name = ?", value)
                seen[[entity for (entity,) in rows]] = True
        return np.flatnonzero(seen)

    @cached_property
    def _matcher(self) -> TermFinder:
        return TermFinder([text for (text,) in self._query("SELECT normal FROM terms ORDER BY id")])

    def match(self, text: str) -> list[Match]:
        return self._matcher.match(text)

    def restrict(self, terms: Sequence[int]) -> Contexts:
        pointers, entities = self._array("term_indptr"), self._array("term_entities")
        return restrict(terms, pointers, entities, self._size)

    def contexts(self) -> tuple[Ints, Int32s]:
        """All contexts in rows: `indptr` (entities + 1,) and `indices` (pairs,) of term ids."""
        return self._array("indptr"), self._array("indices")

    def _array(self, name: str) -> np.ndarray[Any, Any]:
        if self._arrays is None:
            folder = self._cache / self.digest
            self._arrays = load_arrays(folder, self._size, self._terms)
            if self._arrays is None:
                made = make_arrays(*self._contexts, self._terms)
                self._arrays = keep_arrays(folder, made) or made
            del self._contexts  # they are in the arrays
        return self._arrays[name]

    @cached_property
    def _contexts(self) -> tuple[Ints, Int32s]:
        """Read once: the hash is that of the very rows which are kept under it."""
        blobs = [c for (c,) in self._query("SELECT context FROM entities ORDER BY id")]
        if len(blobs) != self._size or not all(type(b) is bytes and len(b) % 4 == 0 for b in blobs):
            raise _damaged(self.path)
        indptr = np.zeros(len(blobs) + 1, dtype=np.int64)
        np.cumsum([len(blob) // 4 for blob in blobs], out=indptr[1:])
        indices = np.frombuffer(b"".join(blobs), dtype="<u4").astype(np.int32)
        if not (indices.min(initial=0) >= 0 and indices.max(initial=-1) < self._terms):
            raise _damaged(self.path)
        return indptr, indices

    def _query(self, query: str, *values: object) -> list[Any]:
        try:
            return self._database.execute(query, values).fetchall()
        except UnicodeEncodeError:  # half a character is in no database
            return []
        except (sqlite3.DatabaseError, UnicodeError):
            raise _damaged(self.path) from None


def _open(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise InputError.at(
            path,
            f"no such entity database; make one with "
            f"'sfumato know entities import SOURCE -o {path}'",
        )
    try:
        database = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro",
            uri=True,
            check_same_thread=False,  # it is only read, and SQLite lets one in at a time
        )
        with suppress(sqlite3.Error):
            database.execute(f"PRAGMA mmap_size = {1 << 32}")
    except sqlite3.Error:
        raise InputError.at(path, "cannot be read") from None
    return database


def _check(path: Path, database: sqlite3.Connection) -> tuple[int, int]:
    """How many entities and terms the file has, if it is one of ours and of this format."""
    try:
        ours = database.execute("PRAGMA application_id").fetchone()[0] == APPLICATION
    except sqlite3.DatabaseError:
        ours = False
    if not ours:
        raise InputError.at(path, "not an entity database")
    try:
        if not _is_plain(database):
            raise _unfit(path, "it has more than tables: what it says may change as it is asked")
        meta = dict(database.execute("SELECT key, value FROM meta"))
        if meta.get("format") != FORMAT:
            raise _unfit(
                path,
                f"an entity database of format {meta.get('format')}, this program reads {FORMAT}",
            )
        if meta.get("rules", "1") != RULES:  # the first ones did not say
            raise _unfit(
                path, f"its terms are written by rules {meta['rules']}, this program has {RULES}"
            )
        for table, row in _ROWS.items():
            strange = f"SELECT EXISTS (SELECT 1 FROM {table} WHERE ({row}) IS NOT TRUE)"
            if database.execute(strange).fetchone()[0]:
                raise _damaged(path)
        return _size(path, database, "entities"), _size(path, database, "terms")
    except (sqlite3.DatabaseError, UnicodeError, TypeError):
        raise _damaged(path) from None


def _size(path: Path, database: sqlite3.Connection, table: str) -> int:
    """How many rows there are, whose ids go from 0 without a gap."""
    asked = f"SELECT min(id), max(id), count(*), count(DISTINCT id) FROM {table}"
    first, last, many, different = database.execute(asked).fetchone()
    if many and (first, last, different) != (0, many - 1, many):
        raise _damaged(path)
    return int(many)


def _is_plain(database: sqlite3.Connection) -> bool:
    """Whether all that is read was stored: no view, no virtual table, no column that is computed."""
    database.execute("PRAGMA trusted_schema = OFF")
    found = database.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    if any(
        kind not in ("table", "index") or re.match(r"\s*CREATE\s+VIRTUAL", sql or "", re.IGNORECASE)
        for kind, _, sql in found
    ):
        return False
    columns = "SELECT count(*) FROM pragma_table_xinfo(?) WHERE hidden <> 0"
    tables = [name for kind, name, _ in found if kind == "table"]
    return not any(database.execute(columns, (name,)).fetchone()[0] for name in tables)


def _damaged(path: Path) -> InputError:
    return _unfit(path, "the entity database is damaged")


def _unfit(path: Path, why: str) -> InputError:
    again = f"make it again with 'sfumato know entities import SOURCE -o {path}'"
    return InputError.at(path, f"{why}; {again}")
