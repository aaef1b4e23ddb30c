"""The commands `know entities import` and `know entities show`."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from sfumato.cli import console
from sfumato.cli.options import AsJson
from sfumato.errors import InputError
from sfumato.know.entities import imports as entities_import
from sfumato.know.entities.database import Entity
from sfumato.know.entities.imports import Builder, Columns
from sfumato.know.entities.sqlite import SqliteEntities
from sfumato.report.plain import table

CacheFolder = Annotated[
    Path | None,
    typer.Option("--cache", help="Where arrays are kept; the user's cache folder if not given."),
]


app = typer.Typer(no_args_is_help=True, help="Make and look at entity databases.")


@app.command("import")
def import_(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE…",
            help="Files of rows (.csv, .tsv, .jsonl, .parquet) with the columns entity, term and, if you "
            "like, weight; with --query SQLite files or postgresql:// addresses; with --corpus texts; or "
            "hpo: diseases and their phenotypes.",
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="The database to write.")],
    query: Annotated[
        str | None,
        typer.Option("--query", help="SQL that gives the rows; the source is a database."),
    ] = None,
    corpus: Annotated[
        bool,
        typer.Option(
            "--corpus",
            help="The sources are JSON lines with `title` and `text` (also .xz): each title is an "
            "entity, its context the terms of its article that tell most about it.",
        ),
    ] = False,
    most: Annotated[
        int, typer.Option("--terms", min=1, help="With --corpus: terms of an article, at most.")
    ] = 50,
    entity: Annotated[
        str, typer.Option("--entity", help="The column with the entity's name.")
    ] = "entity",
    term: Annotated[str, typer.Option("--term", help="The column with the context term.")] = "term",
    weight: Annotated[str, typer.Option("--weight", help="The column with the weight.")] = "weight",
    labels: Annotated[
        Path | None, typer.Option("--labels", help="A table with the columns entity, label.")
    ] = None,
    protect: Annotated[
        list[str] | None,
        typer.Option("--protect", help="An entity to label 'protected'; may be repeated."),
    ] = None,
    readers: Annotated[
        Path | None,
        typer.Option(
            "--readers",
            help="Who may see what: a table with the columns reader, sees (label, entity, all), value.",
        ),
    ] = None,
    cache: CacheFolder = None,
) -> None:
    """Make an entity database: entities, the terms publicly tied to them, labels, and who may see what."""
    if query is not None and corpus:
        raise InputError("give --query or --corpus, not both")
    begin = time.perf_counter()
    builder = Builder()
    columns = Columns(entity, term, weight)
    if corpus:
        entities_import.add_corpus(builder, [Path(source) for source in sources], most=most)
    summary = entities_import.build(
        [] if corpus else sources,
        output,
        builder=builder,
        query=query,
        columns=columns,
        labels=labels,
        readers=readers,
        protect=protect or (),
        cache=cache,
    )
    seconds = time.perf_counter() - begin
    console.show(
        f"{output}: {summary.entities:,} entities, {summary.terms:,} terms, {summary.pairs:,} pairs, "
        f"{output.stat().st_size / 1e6:.1f} MB, {seconds:.1f} s"
    )


@app.command("show")
def show(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="The entity database.")],
    name: Annotated[
        str | None, typer.Argument(metavar="ENTITY", help="An entity of it; all if not given.")
    ] = None,
    as_json: AsJson = False,
    cache: CacheFolder = None,
) -> None:
    """Print what a database holds, or what it knows about one entity."""
    with SqliteEntities(path, cache=cache) as database:
        if name is not None:
            _show_entity(database.entity(name), as_json=as_json)
        else:
            _show_all(database, as_json=as_json)


def _show_entity(entity: Entity, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(asdict(entity)))
        return
    rows = [(term, f"{weight:g}") for term, weight in entity.context]
    labels = f" ({', '.join(entity.labels)})" if entity.labels else ""
    console.out.print(Text(f"{entity.name}{labels}", style="bold"), soft_wrap=True)
    console.out.print(table(("term", "weight"), rows, right=("weight",)), soft_wrap=True)


def _show_all(database: SqliteEntities, *, as_json: bool) -> None:
    entities, terms, pairs = database.size
    readers = {reader: len(database.protected(reader)) for reader in database.readers()}
    if as_json:
        row = {"entities": entities, "terms": terms, "pairs": pairs, "digest": database.digest}
        print(json.dumps({**row, "labels": database.labels(), "protected_for": readers}))
        return
    counts = {
        "entities": entities,
        "terms": terms,
        "pairs": pairs,
        **{f"label {label}": count for label, count in database.labels().items()},
        **{f"protected for {reader}": count for reader, count in readers.items()},
    }
    rows = [(name, f"{count:,}") for name, count in counts.items()]
    console.out.print(table(("", ""), [*rows, ("digest", database.digest[:16])]), soft_wrap=True)
