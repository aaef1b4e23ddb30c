"""`sfumato check`: what still discloses in a released text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from sfumato import formats as read
from sfumato import policy
from sfumato.cli.console import out, show
from sfumato.cli.options import AsJson, Columns, Encoding, PolicyName, Timeout, column_names
from sfumato.deadline import deadline_of
from sfumato.document import Document
from sfumato.errors import GuaranteeError
from sfumato.facts.redacted import KIND as OTHER
from sfumato.kinds import KINDS
from sfumato.measure import check as leaks
from sfumato.measure.check import Leak, Report
from sfumato.report.plain import table


def check(
    released: Annotated[
        Path, typer.Argument(metavar="RELEASED", help="The released file, by Sfumato or any tool.")
    ],
    original: Annotated[
        Path | None,
        typer.Option(
            "--original",
            help="What it was made from; then it is known what was hidden, and the output names it.",
        ),
    ] = None,
    policy_name: PolicyName = "default",
    likely: Annotated[
        float,
        typer.Option(
            "--likely",
            min=0,
            max=1,
            help="Without the original: the share of texts with a term that must hold what it points to.",
        ),
    ] = leaks.LIKELY,
    columns: Columns = "",
    as_json: AsJson = False,
    encoding: Encoding = "utf-8",
    timeout: Timeout = None,
) -> None:
    """List the terms that still tell too much about what is hidden, and what to write instead.

    Exit code 3 if there are any.
    """
    rules = policy.load(policy_name)

    def opened(path: Path) -> Document:
        limit = rules.limits.file_bytes
        chosen = column_names(columns)
        return read.read(path, name=path.name, encoding=encoding, limit=limit, columns=chosen)

    with deadline_of(released, original, seconds=timeout):
        source = opened(original) if original is not None else None
        report = leaks.check(opened(released), source, rules, likely)
    if as_json:
        _print_json(released, report, source is not None)
    else:
        show(*report.lines)
        if report.leaks:
            out.print(_table(report.leaks))
    if report.leaks:
        raise typer.Exit(GuaranteeError.exit_code)


def _print_json(released: Path, report: Report, with_hidden: bool) -> None:
    described = {
        "file": str(released),
        "hidden": report.hidden,
        "assessed": report.assessed,
        "not assessed": dict(report.not_assessed),
        "not in the statistics": list(report.unknown),
        "disclosures": [leak.to_dict(with_hidden=with_hidden) for leak in report.leaks],
    }
    print(json.dumps(described))


def _table(found: tuple[Leak, ...]) -> Table:
    """The disclosures, one in each row."""
    rows = []
    for leak in found:
        about = f"perhaps {leak.hidden}" if leak.guessed else leak.hidden
        if leak.kind in KINDS and leak.kind != OTHER:
            about += f" ({KINDS[leak.kind].title})"
        cells = (
            leak.place,
            " + ".join(leak.terms),
            f"{leak.told:.1f} of {leak.information:.1f} bits",
            f"{leak.limit:.1f}",
            about,
            leak.suggestion,
        )
        rows.append([" ".join(cell.split()) for cell in cells])
    return table(("place", "term", "tells", "threshold", "of", "instead"), rows)
