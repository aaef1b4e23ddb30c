"""`sfumato explore`: risk against utility for each value of a setting."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from sfumato import files, policy
from sfumato.cli.console import err, say, show
from sfumato.cli.options import AsJson, Background, Encoding, Force, PolicyName, Truth
from sfumato.folders import Folders, Root
from sfumato.measure import frontier, table_frontier
from sfumato.measure.sweep import parse_sweep
from sfumato.measure.texts import keep_apart, read_people, read_truth
from sfumato.release import batch
from sfumato.report.frontier_page import advice, frontier_page, frontier_rows
from sfumato.report.losses_page import losses_advice, losses_page, losses_plot
from sfumato.report.pages import is_page
from sfumato.report.plain import table
from sfumato.report.plots import frontier_plot

TABLE_FILES = frozenset((".csv", ".tsv", ".tab", ".parquet", ".xlsx", ".jsonl", ".ndjson"))
PAGE = "frontier.html"
BESIDE = (
    *("frontier.json", "frontier.svg", "frontier.png"),
    *("losses.html", "losses.svg", "losses.png"),
)


def explore(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH…", help="Documents: files or folders. Or one table."),
    ],
    policy_name: PolicyName = "default",
    sweep: Annotated[
        list[str] | None,
        typer.Option(
            "--sweep",
            metavar="SETTING=VALUES",
            help="A setting of the policy and its values, protect.plausibility.t=10,100,1000; several "
            "sweeps are combined.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="A folder for the page, the pictures and the numbers."),
    ] = None,
    background: Background = None,
    truth: Truth = None,
    max_risk: Annotated[
        float | None,
        typer.Option("--max-risk", min=0, max=1, help="Recommend nothing that risks more."),
    ] = None,
    as_json: AsJson = False,
    encoding: Encoding = "utf-8",
    force: Force = False,
) -> None:
    """Show what a setting costs: risk against utility for each of its values. Releases nothing."""
    keep_apart(output, *(Path(p) for p in paths))
    root = None
    if output is not None:
        root = Root.at(output)
        files.look(output / PAGE, root, lambda folders: _refuse_strangers(folders, output, force))
    base = policy.load(policy_name)
    sweeps = [parse_sweep(s) for s in sweep or []]
    if len(paths) == 1 and Path(paths[0]).suffix.lower() in TABLE_FILES:
        found = replace(table_frontier.explore(Path(paths[0]), base, sweeps), at_most=max_risk)
    else:
        jobs = [j for j in batch.plan(paths, None, tell=say) if not j.name.endswith(".cert.json")]
        documents = [batch.read_job(job, batch.job_bytes(job, base), encoding) for job in jobs]
        known = read_people(background, encoding=encoding) if background else None
        whom = read_truth(truth, [d.name for d in documents]) if known else None
        with err.status("") as status:
            found = frontier.explore(
                documents,
                base,
                sweeps,
                background=known,
                truth=whom,
                at_most=max_risk,
                watch=status.update,
            )
    header, rows = frontier_rows(found)
    k = base.table.k if base.table else None
    if as_json:
        print(json.dumps(found.as_dict()))
    else:
        refused = [f"{point.label}: {point.refused}" for point in found.points if point.refused]
        what = losses_advice(found, k) if found.what == "table" else advice(found)
        show(table(header, rows), *refused, what)
    if output is None or root is None:
        return
    made = {
        PAGE: frontier_page(found, base.name).encode(),
        "frontier.json": (json.dumps(found.as_dict(), indent=1) + "\n").encode(),
    }
    _write(root, made, force)  # also where there is nothing to draw pictures with
    if not all(p.refused for p in found.points):
        pictures = {f"frontier.{form}": frontier_plot(found, form) for form in ("svg", "png")}
        if found.what == "table":
            pictures |= {f"losses.{form}": losses_plot(found, form) for form in ("svg", "png")}
            pictures["losses.html"] = losses_page(found, base.name, k).encode()
        _write(root, pictures, force)
        made |= pictures
    if not as_json:
        show(f"{output}: {', '.join(made)}")


def _write(root: Root, made: dict[str, bytes], force: bool) -> None:
    files.write_together(
        [(root.path / name, data) for name, data in reversed(made.items())],
        root=root,
        judge=lambda folders: _refuse_strangers(folders, root.path, force),
    )


def _refuse_strangers(folders: Folders, output: Path, force: bool) -> None:
    """The page says that what lies beside it is ours too."""
    folders.refuse(output / PAGE, force=force, is_ours=is_page, what="page")
    ours = folders.stands(output / PAGE) and not force
    for name in BESIDE:
        if ours:
            folders.stands(output / name)
        else:
            folders.refuse(output / name, force=force)
