"""The commands `know build` and `know stats`."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from sfumato.cli.console import err, out, say, show
from sfumato.cli.options import AsJson, Force
from sfumato.know.statistics import index_build
from sfumato.know.statistics import probability as statistics
from sfumato.know.statistics.index_build import IndexSettings
from sfumato.know.statistics.probability import BackOff, Statistics
from sfumato.know.statistics.shards import Unit
from sfumato.report.plain import table

STEPS = {
    "cut": "reading the corpus",
    "sift": "sifting phrases",
    "count": "counting terms",
    "code": "writing the index",
}


def build(
    corpus: Annotated[
        list[Path],
        typer.Argument(
            metavar="CORPUS…",
            help="Folders, text files, JSON lines with `text` and `title`; also .xz.",
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="The index to write.")],
    unit: Annotated[
        Unit, typer.Option("--unit", help="Terms count as together within this.")
    ] = "article",
    least: Annotated[
        int, typer.Option("--min-count", min=1, help="Leave out terms seen in fewer units.")
    ] = 5,
    least_phrase: Annotated[
        int,
        typer.Option(
            "--min-phrase-count",
            min=0,
            help="The same for terms of several words; 0: as for words.",
        ),
    ] = 0,
    max_megabytes: Annotated[
        float,
        typer.Option(
            "--max-size",
            min=0,
            help="Raise the minimum for several words until the file has at most so many megabytes; "
            "0: no limit.",
        ),
    ] = 0,
    source: Annotated[
        str, typer.Option("--source", help="Where the corpus comes from, to be kept in the index.")
    ] = "",
    jobs: Annotated[int, typer.Option("-j", "--jobs", min=0, help="Processes; 0: all cores.")] = 0,
    force: Force = False,
) -> None:
    """Count the terms of a corpus, alone and together, into an index of statistics.

    Stopped and started again with the same options, it goes on where it was.
    """
    settings = IndexSettings(
        unit=unit,
        least=least,
        least_phrase=least_phrase,
        max_bytes=int(max_megabytes * 1_000_000),
        source=source,
    )
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=err, transient=True, disable=not err.is_terminal
    ) as bar:
        summary = index_build.build(
            corpus, output, settings, jobs=jobs, force=force, progress=_teller(bar)
        )
    rate = summary.units / max(summary.seconds, 1e-9)
    show(
        f"{output}: {summary.terms:,} terms ({summary.words:,} words, the rest phrases seen in at least "
        f"{summary.least_phrase}) of {summary.units:,} {unit}s, {summary.bytes / 1e6:.1f} MB, "
        f"{summary.seconds:.0f} s ({rate:,.0f} {unit}s/s)"
    )


def _teller(bar: Progress) -> Callable[[str, int, int], None]:
    tasks = {
        step: bar.add_task(said, total=1, visible=False, start=False)
        for step, said in STEPS.items()
    }

    def tell(step: str, done: int, total: int) -> None:
        task = tasks[step]
        if not bar.tasks[task].started:
            bar.start_task(task)
        bar.update(task, completed=done, total=total, visible=done < total)

    return tell


def stats(
    terms: Annotated[list[str], typer.Argument(metavar="TERM…", help="One term or several.")],
    index: Annotated[
        Path | None,
        typer.Option(
            "--index", help="An index of your own; the one that comes along if not given."
        ),
    ] = None,
    weight: Annotated[
        float,
        typer.Option(
            "--weight",
            min=0,
            max=1,
            help="The share of your own index; the rest is the one that comes along.",
        ),
    ] = 1.0,
    as_json: AsJson = False,
) -> None:
    """Print how probable terms are, their information content, and what they tell about each other."""
    source = _source(index, weight)
    groups: list[tuple[str, ...]] = [(t,) for t in terms]
    groups += list(combinations(terms, 2))
    if len(terms) > 2:
        groups.append(tuple(terms))
    rows = [_row(source, group) for group in groups]
    if as_json:
        for row in rows:
            print(json.dumps(row))
    else:
        out.print(_table(rows), soft_wrap=True)
    unknown = [t for t in terms if source.sure(t).backoff is BackOff.UNKNOWN]
    if unknown:
        named = ", ".join(f"'{t}'" for t in unknown)
        say(f"not in the statistics: {named}; the numbers are no more than a guess")


def _source(index: Path | None, weight: float) -> Statistics:
    if index is None:
        return statistics.default()
    own = statistics.load(index)
    if weight == 1:
        return own
    return statistics.Blend([(own, weight), (statistics.default(), 1 - weight)])


def _row(source: Statistics, terms: tuple[str, ...]) -> dict[str, object]:
    sure = source.sure(*terms)
    row: dict[str, object] = {"terms": list(terms), "count": sure.count, "p": source.p(*terms)}
    if len(terms) == 1:
        row["ic"] = source.ic(terms[0])
    elif len(terms) == 2:
        row["pmi"] = source.pmi(*terms)
    return row | {"counted": sure.counted, "backoff": sure.backoff.name.lower()}


def _table(rows: list[dict[str, object]]) -> Table:
    numbers = ("count", "p", "IC", "PMI")
    made = table(("terms", *numbers, "evidence"), right=numbers)
    for row in rows:
        said, ic, pmi = row["terms"], row.get("ic"), row.get("pmi")
        assert isinstance(said, list)
        made.add_row(
            Text(" + ".join(said)),
            f"{row['count']:,}",
            f"{row['p']:.2e}",
            "" if ic is None else f"{ic:.2f}",
            "" if pmi is None else f"{pmi:.2f}",
            BackOff[str(row["backoff"]).upper()].meaning,
        )
    return made
