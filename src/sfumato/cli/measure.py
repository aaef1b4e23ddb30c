"""`sfumato measure`: what a release has kept and what it still tells."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato import policy
from sfumato.cli.console import show
from sfumato.cli.options import (
    AsJson,
    DocumentColumn,
    Encoding,
    Force,
    Match,
    PolicyName,
    Timeout,
    User,
)
from sfumato.deadline import Deadline, deadline_of
from sfumato.detect.finder import Finder
from sfumato.errors import InputError
from sfumato.files import Target, identities
from sfumato.measure.compare import compare_texts, measure_pairs
from sfumato.measure.downstream import read_text_labels
from sfumato.measure.texts import is_table, keep_apart, pair_up, read_texts
from sfumato.report import measures
from sfumato.report.measures_page import (
    compare_page,
    log_page,
    measures_page,
    numbers_of,
    side_by_side,
)
from sfumato.report.pages import page_at
from sfumato.report.plain import table

if TYPE_CHECKING:
    from sfumato.measure.matching import Sensitivity

SHIPPED = "shipped"


def measure(
    original: Annotated[
        Path,
        typer.Argument(
            metavar="ORIGINAL",
            help="A text, a folder of texts, or a log: a table with the columns user and document.",
        ),
    ],
    released: Annotated[
        Path | None, typer.Argument(metavar="[RELEASED]", help="The same after any sanitizer.")
    ] = None,
    compare: Annotated[
        str | None,
        typer.Option(
            "--compare",
            metavar="NAME=PATH,…",
            help="Several releases side by side, for instance presidio=FOLDER,ours=FOLDER.",
        ),
    ] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write a page with pictures.")] = None,
    as_json: AsJson = False,
    policy_name: PolicyName = "default",
    labels: Annotated[
        Path | None,
        typer.Option(
            "--labels",
            help="Classes of the texts (columns file and label): how good is a classifier that is trained on "
            "the release?",
        ),
    ] = None,
    sensitivity: Annotated[
        str | None,
        typer.Option(
            "--sensitivity",
            help=f"Logs: a model of `sfumato know sensitivity`, or '{SHIPPED}' for the one that comes along.",
        ),
    ] = None,
    match: Match = "exact",
    user: User = "user",
    document: DocumentColumn = "document",
    encoding: Encoding = "utf-8",
    timeout: Timeout = None,
    force: Force = False,
) -> None:
    """Say what a release has kept and what it still tells, whatever made it."""
    others = _named(compare) if compare is not None else {}
    keep_apart(html, original, released, labels, *others.values())
    inputs = identities([original, released, labels, *others.values()])
    page = page_at(html, force=force, never=inputs)
    time = deadline_of(original, released, *others.values(), seconds=timeout)
    if compare is not None:
        if released is not None:
            raise InputError("give RELEASED or --compare, not both")
        _compare(original, others, policy_name, labels, page, as_json, encoding, time)
        return
    if released is None:
        raise InputError("give the release too: sfumato measure ORIGINAL RELEASED")
    if is_table(original) and is_table(released):
        from sfumato.measure.spi import spi_report

        sigma = _sensitivity(sensitivity)
        with time:
            found = spi_report(
                original, released, sensitivity=sigma, match=match, user=user, document=document
            )
        if page is not None:
            page.write(log_page(found).encode())
        if as_json:
            print(json.dumps(found.as_dict() | {"notes": found.notes()}))
            return
        show(*measures.log_parts(found), *_written(page))
        return
    find = Finder(policy.load(policy_name))
    with time:
        pairs = pair_up(original, released, encoding=encoding)
        classes = read_text_labels(labels, [p.name for p in pairs]) if labels else None
        report = measure_pairs(pairs, find=find, labels=classes)
    if page is not None:
        page.write(measures_page(report).encode())
    if as_json:
        print(json.dumps(report.as_dict() | {"by_text": report.rows()}))
        return
    numbers = table(("measure", "value", ""), numbers_of(report))
    show(numbers, *measures.kind_parts(report), *_written(page))


def _compare(
    original: Path,
    released: Mapping[str, Path],
    policy_name: str,
    labels: Path | None,
    page: Target | None,
    as_json: bool,
    encoding: str,
    time: Deadline,
) -> None:
    classes = None
    find = Finder(policy.load(policy_name))
    with time:
        if labels is not None:
            classes = read_text_labels(labels, list(read_texts(original, encoding=encoding)))
        reports = compare_texts(original, released, find=find, labels=classes, encoding=encoding)
    if page is not None:
        page.write(compare_page(reports).encode())
    if as_json:
        print(json.dumps({name: report.as_dict() for name, report in reports.items()}))
        return
    show(table(("measure", *reports), side_by_side(reports)), *_written(page))


def _written(page: Target | None) -> list[str]:
    return [] if page is None else [f"{page.path}: written"]


def _sensitivity(named: str | None) -> Sensitivity:
    from sfumato.measure import sensitivity

    if named is None:
        return None
    return sensitivity.default() if named == SHIPPED else sensitivity.load(Path(named))


def _named(given: str) -> dict[str, Path]:
    """`ours=DIR,theirs=DIR`."""
    found: dict[str, Path] = {}
    for part in given.split(","):
        name, equals, path = part.partition("=")
        if not equals or not name.strip() or not path or name.strip() in found:
            raise InputError("--compare takes names and folders: presidio=FOLDER,ours=FOLDER")
        found[name.strip()] = Path(path)
    return found
