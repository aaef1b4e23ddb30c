"""Entity databases: what is publicly known about each entity, what is protected, and who may see what.

An entity (a person, a disease, a product) has a *context*: the terms that are publicly tied to it, C(e) in
section 3 of the ERASE paper. A document gives an entity away if its terms fit too few contexts, so a search
needs two things of a database: which context terms stand in a text (`match`), and every entity's context
restricted to these (`restrict`).

`Entities` is what every database offers. `SqliteEntities` is the embedded one: one file, made by
`sfumato know entities import`, with arrays that are built once, kept in a cache and mapped into memory.

A term is known by its normal form: case, accents, spaces, dashes, plurals and possessives do not count.

    >>> normal("Night  Sweats"), normal("night-sweat's"), normal("Diagnoses"), normal("AIDS")
    ('night sweat', 'night sweat', 'diagnos', 'aids')
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

import ahocorasick_rs
import numpy as np

from sfumato.english.folding import Folded, fold
from sfumato.errors import InputError

if TYPE_CHECKING:
    from sfumato.know.entities.postgres import Tables

FORMAT = "1"
APPLICATION = 0x53464D45  # "SFME": tells the file from other SQLite files
PROTECTED = "protected"
POSTGRES = ("postgresql://", "postgres://")
ACRONYM = (
    5  # letters up to which a word in capitals is left as it is: AIDS is not the plural of aid
)

Ints = np.ndarray[Any, np.dtype[np.int64]]
Int32s = np.ndarray[Any, np.dtype[np.int32]]
Floats = np.ndarray[Any, np.dtype[np.float32]]

_WORD = re.compile(r"[a-z]+(?:'s\b)?")
_ARRAYS = ("indptr", "indices", "term_indptr", "term_entities")


class Match(NamedTuple):
    """A context term in a text, from code point `start` up to `end`."""

    start: int
    end: int
    term: int


@dataclass(frozen=True, slots=True)
class Entity:
    """One entity with all that is known about it; weights are 1 where none were given."""

    id: int
    name: str
    labels: tuple[str, ...]
    context: tuple[tuple[str, float], ...]  # (term, weight), the heaviest first


@dataclass(frozen=True, slots=True, eq=False)
class Contexts:
    """Every entity's context restricted to some terms, as a sparse matrix in rows (CSR).

    The context of entity `i` is `indices[indptr[i]:indptr[i + 1]]`: positions in `terms`, ascending.
    """

    terms: Ints  # shape (terms,): ids, as they were given
    indptr: Ints  # shape (entities + 1,)
    indices: Int32s  # shape (pairs,)

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def of(self, entity: int) -> Int32s:
        """The restricted context of one entity."""
        return self.indices[self.indptr[entity] : self.indptr[entity + 1]]


class Entities(Protocol):
    """A database of entities. Entities and terms are numbered from 0, in an order that stays the same
    while it is open."""

    @property
    def digest(self) -> str:
        """A hash of the entities and their contexts. Labels and readers are no part of it: it may stand
        in a certificate, which must not tell what is protected."""
        ...

    def __len__(self) -> int:
        """How many entities there are."""
        ...

    def names(self, entities: Iterable[int]) -> list[str]:
        """The names of some entities."""
        ...

    def terms(self, terms: Iterable[int]) -> list[str]:
        """Some context terms, as they are written in the database."""
        ...

    def entity(self, name: str) -> Entity:
        """One entity; a name that is unknown or fits several is an error."""
        ...

    def labels(self) -> dict[str, int]:
        """Each label and how many entities carry it."""
        ...

    def labelled(self, label: str) -> Ints:
        """The entities that carry a label, ascending."""
        ...

    def readers(self) -> list[str]:
        """The readers whose rights are known here."""
        ...

    def visible(self, reader: str) -> Ints:
        """The entities that a reader may know, ascending; an unknown reader is an error."""
        ...

    def protected(self, reader: str | None = None) -> Ints:
        """The entities that must not be told from others, for one reader or for the public."""
        ...

    def match(self, text: str) -> list[Match]:
        """The context terms in a text: by start, longest first, overlaps kept."""
        ...

    def restrict(self, terms: Sequence[int]) -> Contexts:
        """Every entity's context restricted to some terms, given by their ids."""
        ...

    def close(self) -> None:
        """Give back files and connections."""
        ...


def open_entities(
    source: str | Path, *, tables: Tables | None = None, cache: Path | None = None
) -> Entities:
    """A database by its file, or by its PostgreSQL address and where its tables are."""
    if str(source).startswith(POSTGRES):
        from sfumato.know.entities import postgres as entities_postgres

        return entities_postgres.PostgresEntities(
            str(source), entities_postgres.Tables() if tables is None else tables
        )
    return SqliteEntities(source, cache=cache)


def normal(term: str) -> str:
    """The form by which a term is known."""
    if len(term) <= ACRONYM and term.isalpha() and term.isupper() and term.endswith("S"):
        return fold(term).text.strip()
    return _singular(fold(term).text.strip())


def _singular(folded: str) -> str:
    return _WORD.sub(lambda found: _base(found[0]), folded)


def _base(word: str) -> str:
    """What the singular and the plural of a word have in common; not always a word.

    >>> [_base(w) for w in ("boxes", "box", "diseases", "disease", "cities", "city", "virus", "movies")]
    ['box', 'box', 'diseas', 'diseas', 'city', 'city', 'virus', 'movy']
    """
    word = word.removesuffix("'s")
    if len(word) <= 3:
        return word
    if word.endswith("sis"):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if word.endswith("ie"):
        return word[:-2] + "y"
    if len(word) > 3 and word.endswith(("se", "xe", "ze", "che", "she", "oe")):
        return word[:-1]
    return word


class Terms:
    """Finds context terms by their normal forms, all of them in one run of an automaton.

    The text is looked at as it is (for acronyms) and with every word in its singular.

    >>> Terms(["night sweat", "sweat"]).match("Night-sweats end")
    [Match(start=0, end=12, term=0), Match(start=6, end=12, term=1)]
    """

    def __init__(self, normals: Sequence[str]) -> None:
        self._automaton = ahocorasick_rs.AhoCorasick(normals) if normals else None

    def match(self, text: str) -> list[Match]:
        if self._automaton is None or not text:
            return []
        folded = fold(text)
        singular, origin = _singular_text(folded.text)
        ends: dict[tuple[int, int], int] = {}
        for words, places in ((folded.text, None), (singular, origin)):
            for start, end, term in self._find(folded, words, places):
                ends[start, term] = max(end, ends.get((start, term), 0))  # with its "'s"
        found = [Match(start, end, term) for (start, term), end in ends.items()]
        return sorted(found, key=lambda m: (m.start, -m.end, m.term))

    def _find(self, folded: Folded, words: str, origin: Ints | None) -> Iterator[Match]:
        assert self._automaton is not None
        for term, start, end in self._automaton.find_matches_as_indexes(words, overlapping=True):
            if _inside_word(words, start) or _inside_word(words, end):
                continue
            if origin is not None:
                start, end = int(origin[start]), int(origin[end])
            yield Match(*folded.place(start, end), term)


def _singular_text(folded: str) -> tuple[str, Ints]:
    """A folded text with all words in the singular, and where each of its places was; its last place is
    the end."""
    parts: list[str] = []
    origin: list[Ints] = []
    last = 0
    for found in _WORD.finditer(folded):
        base = _base(found[0])
        if base == found[0]:
            continue
        start, end = found.span()
        parts += [folded[last:start], base]
        # Inside a word places mean nothing: a match neither starts nor ends there.
        origin += [np.arange(last, start), np.full(len(base), start)]
        last = end
    parts.append(folded[last:])
    origin.append(np.arange(last, len(folded) + 1))
    return "".join(parts), np.concatenate(origin).astype(np.int64)


def _inside_word(text: str, at: int) -> bool:
    """Whether a word goes on at this place; scripts without spaces between words have no such places."""
    return 0 < at < len(text) and _spaced(text[at - 1]) and _spaced(text[at])


def _spaced(char: str) -> bool:
    if char.isascii() or not char.isalnum():
        return char.isalnum()
    return not (
        "\u0e00" <= char <= "\u0eff"
        or "\u3040" <= char <= "\u30ff"
        or "\u3400" <= char <= "\u9fff"
        or char >= "\U00020000"
    )


def transpose(indptr: Ints, indices: Int32s, terms: int) -> tuple[Ints, Int32s]:
    """The matrix by terms: for each the entities whose context holds it, ascending."""
    term_indptr = np.zeros(terms + 1, dtype=np.int64)
    np.cumsum(np.bincount(indices, minlength=terms), out=term_indptr[1:])
    entities = len(indptr) - 1
    # One sort of packed pairs is faster than a stable sort with its permutation.
    packed = indices.astype(np.int64) * max(entities, 1)
    packed += np.repeat(np.arange(entities, dtype=np.int64), np.diff(indptr))
    packed.sort()
    packed %= max(entities, 1)
    return term_indptr, packed.astype(np.int32)


def restrict(
    terms: Sequence[int] | Ints, term_indptr: Ints, term_entities: Int32s, entities: int
) -> Contexts:
    """The contexts restricted to `terms`, from the matrix by terms.

    >>> found = restrict([2, 0], np.array([0, 2, 2, 3]), np.array([0, 2, 2], dtype=np.int32), 3)
    >>> [found.of(entity).tolist() for entity in range(len(found))]
    [[1], [], [0, 1]]
    """
    given = np.asarray(terms, dtype=np.int64)
    if len(given) and (given.min() < 0 or given.max() >= len(term_indptr) - 1):
        raise ValueError("a term id that this database does not have")
    postings = [term_entities[term_indptr[t] : term_indptr[t + 1]] for t in given.tolist()]
    indptr = np.zeros(entities + 1, dtype=np.int64)
    if postings:
        np.cumsum(np.bincount(np.concatenate(postings), minlength=entities), out=indptr[1:])
    pairs = int(indptr[-1])
    indices = np.empty(pairs, dtype=np.int32)
    # A counting sort, term by term: an entity is at most once in a posting.
    at: np.ndarray[Any, np.dtype[Any]] = indptr[:-1].astype(np.int32 if pairs < 2**31 else np.int64)
    for position, posting in enumerate(postings):
        places = at[posting]
        indices[places] = position
        places += 1
        at[posting] = places
    return Contexts(given, indptr, indices)


def default_cache() -> Path:
    """The user's folder for arrays that can be made again."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "sfumato" / "entities"


def contexts_digest(
    names: Iterable[str], normals: Iterable[str], indptr: Ints, indices: Int32s, weights: bytes
) -> str:
    """A hash of entities, terms and contexts."""
    made = hashlib.blake2b(digest_size=32)
    for texts in (names, normals):
        made.update("\0".join(texts).encode("utf-8", "surrogatepass") + b"\1")
    made.update(np.ascontiguousarray(indptr).data)
    made.update(np.ascontiguousarray(indices).data)
    made.update(weights)
    return made.hexdigest()


class SqliteEntities:
    """The embedded database: one file, opened for reading.

    The file may be changed with any SQLite tool: triggers in it forget the hash when entities, terms or
    contexts change, and then hash and arrays are made anew.
    """

    def __init__(self, path: str | Path, *, cache: Path | None = None) -> None:
        self.path = Path(path)
        self._cache = default_cache() if cache is None else cache
        self._database = _open(self.path)
        weakref.finalize(self, self._database.close)
        self._size, self._terms = _check(self.path, self._database)
        self._arrays: dict[str, np.ndarray[Any, Any]] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

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
        row = self._query("SELECT value FROM meta WHERE key = 'digest'")
        if row:
            return str(row[0][0])
        indptr, indices = self._read_contexts()
        names = [name for (name,) in self._query("SELECT name FROM entities ORDER BY id")]
        normals = [text for (text,) in self._query("SELECT normal FROM terms ORDER BY id")]
        weights = b"".join(
            w for (w,) in self._query("SELECT weights FROM entities ORDER BY id") if w is not None
        )
        return contexts_digest(names, normals, indptr, indices, weights)

    def names(self, entities: Iterable[int]) -> list[str]:
        return self._texts("SELECT name FROM entities WHERE id = ?", entities)

    def terms(self, terms: Iterable[int]) -> list[str]:
        return self._texts("SELECT term FROM terms WHERE id = ?", terms)

    def _texts(self, query: str, ids: Iterable[int]) -> list[str]:
        run = self._database.execute
        return [str(run(query, (int(number),)).fetchone()[0]) for number in ids]

    def entity(self, name: str) -> Entity:
        columns = "SELECT id, name, context, weights FROM entities WHERE"
        said = " ".join(name.split())
        rows = self._query(f"{columns} name = ?", said)
        rows = rows or self._query(f"{columns} normal = ? LIMIT 2", fold(said).text.strip())
        if not rows:
            raise InputError(f"{self.path}: no entity '{said}'", path=str(self.path))
        if len(rows) > 1:
            raise InputError(
                f"{self.path}: several entities are like '{said}'; give the name exactly",
                path=str(self.path),
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
            raise InputError(
                f"{self.path}: no reader '{reader}'; known: {', '.join(self.readers()) or 'none'}",
                path=str(self.path),
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

    def protected(self, reader: str | None = None) -> Ints:
        """For the public: what is labelled "protected". For a reader: what it may not see."""
        if reader is None:
            return self.labelled(PROTECTED)
        seen = np.zeros(self._size, dtype=bool)
        seen[self.visible(reader)] = True
        return np.flatnonzero(~seen)

    @cached_property
    def _matcher(self) -> Terms:
        return Terms([text for (text,) in self._query("SELECT normal FROM terms ORDER BY id")])

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
                indptr, indices = self._read_contexts()
                made = make_arrays(indptr, indices, self._terms)
                self._arrays = keep_arrays(folder, made) or made
        return self._arrays[name]

    def _read_contexts(self) -> tuple[Ints, Int32s]:
        blobs = [c for (c,) in self._query("SELECT context FROM entities ORDER BY id")]
        if len(blobs) != self._size or not all(type(b) is bytes and len(b) % 4 == 0 for b in blobs):
            raise _damaged(self.path)
        indptr = np.zeros(len(blobs) + 1, dtype=np.int64)
        np.cumsum([len(blob) // 4 for blob in blobs], out=indptr[1:])
        indices = np.frombuffer(b"".join(blobs), dtype="<u4").astype(np.int32)
        if not _within(indices, self._terms):
            raise _damaged(self.path)
        return indptr, indices

    def _query(self, query: str, *values: object) -> list[Any]:
        try:
            return self._database.execute(query, values).fetchall()
        except sqlite3.DatabaseError:
            raise _damaged(self.path) from None


def make_arrays(indptr: Ints, indices: Int32s, terms: int) -> dict[str, np.ndarray[Any, Any]]:
    """All that is kept in the cache: the contexts by entities and by terms."""
    return dict(zip(_ARRAYS, (indptr, indices, *transpose(indptr, indices, terms)), strict=True))


def load_arrays(folder: Path, entities: int, terms: int) -> dict[str, np.ndarray[Any, Any]] | None:
    """The arrays of a cache folder, mapped into memory; None where there are none that fit."""
    try:
        found = {
            n: np.load(folder / f"{n}.npy", mmap_mode="r", allow_pickle=False) for n in _ARRAYS
        }
    except (OSError, ValueError):
        return None
    pairs = len(found["indices"])
    lengths = {
        "indptr": entities + 1,
        "indices": pairs,
        "term_indptr": terms + 1,
        "term_entities": pairs,
    }
    fits = all(len(found[name]) == length for name, length in lengths.items())
    fits = fits and found["indptr"][-1] == found["term_indptr"][-1] == pairs
    return {n: np.asarray(a) for n, a in found.items()} if fits else None


def keep_arrays(
    folder: Path, arrays: dict[str, np.ndarray[Any, Any]]
) -> dict[str, np.ndarray[Any, Any]] | None:
    """Write the arrays to a cache folder that only its owner may read, and map them; None where that is
    not possible (a cache is a convenience)."""
    made = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        made = Path(tempfile.mkdtemp(dir=folder.parent))  # mode 700
        for name, array in arrays.items():
            descriptor = os.open(made / f"{name}.npy", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                np.save(file, array, allow_pickle=False)
        shutil.rmtree(folder, ignore_errors=True)
        made.replace(folder)
    except OSError:
        if made is not None:
            shutil.rmtree(made, ignore_errors=True)
    return load_arrays(folder, len(arrays["indptr"]) - 1, len(arrays["term_indptr"]) - 1)


def _within(indices: Int32s, terms: int) -> bool:
    return not len(indices) or (int(indices.min()) >= 0 and int(indices.max()) < terms)


def _open(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise InputError(
            f"{path}: no such entity database; make one with "
            f"'sfumato know entities import SOURCE -o {path}'",
            path=str(path),
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
        raise InputError(f"{path}: cannot be read", path=str(path)) from None
    return database


def _check(path: Path, database: sqlite3.Connection) -> tuple[int, int]:
    """How many entities and terms the file has, if it is one of ours and of this format."""
    foreign = InputError(f"{path}: not an entity database", path=str(path))
    try:
        if database.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
            raise foreign
        meta = dict(database.execute("SELECT key, value FROM meta"))
        if meta.get("format") != FORMAT:
            raise InputError(
                f"{path}: an entity database of format {meta.get('format')}, this program reads "
                f"{FORMAT}; make it again with 'sfumato know entities import SOURCE -o {path}'",
                path=str(path),
            )
        sizes = []
        for table in ("entities", "terms"):  # ids go from 0 without a gap
            (last,) = database.execute(f"SELECT max(id) FROM {table}").fetchone()
            sizes.append(0 if last is None else int(last) + 1)
        return sizes[0], sizes[1]
    except sqlite3.DatabaseError:
        raise foreign from None


def _damaged(path: Path) -> InputError:
    return InputError(
        f"{path}: the entity database is damaged; make it again with "
        f"'sfumato know entities import SOURCE -o {path}'",
        path=str(path),
    )
