"""`sfumato evaluate`: how good the detectors are."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from sfumato import policy
from sfumato.cli.console import out
from sfumato.cli.options import AsJson, PolicyName
from sfumato.measure import gold
from sfumato.measure.detection import Evaluation, Score, evaluate
from sfumato.report.plain import table

app = typer.Typer(no_args_is_help=True, help="Score the detectors against gold data.")


@app.command("detect")
def detect(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="GOLD", help="Gold data: the benchmark's .json, .jsonl, or CoNLL (any other)."
        ),
    ],
    policy_name: PolicyName = "default",
    as_json: AsJson = False,
    missed: Annotated[
        int, typer.Option("--missed", min=0, help="How many missed terms are listed.")
    ] = 20,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the bootstrap's draws.")] = 0,
) -> None:
    """Score a policy's detectors by the definitions of the Text Anonymization Benchmark.

    Intervals are 95 % of 2,000 bootstrap draws of the documents. Missed terms are listed, the most frequent
    first: the output holds text of the gold data.
    """
    settings = policy.load(policy_name)
    result = evaluate(gold.read(file), settings, seed=seed)
    if as_json:
        head = {"gold": str(file), "policy": settings.name, "seed": seed}
        print(json.dumps(head | _described(result, missed)))
    else:
        number = f"{result.documents:,} document{'s' if result.documents != 1 else ''}"
        _show(result, missed, f"{file.name}: {number}, policy {settings.name}")


def _described(result: Evaluation, most: int) -> dict[str, Any]:
    return {
        "documents": result.documents,
        "scores": {name: _score_fields(score) for name, score in result.scores.items()},
        "kinds": {
            kind: {
                "token_recall": _score_fields(found.token_recall),
                "entities_masked": found.entities_masked,
                "entities": found.entities,
            }
            for kind, found in result.kinds.items()
        },
        "missed_terms": len(result.missed),
        "missed_mentions": sum(m.count for m in result.missed),
        "missed": [asdict(m) for m in result.missed[:most]],
    }


def _score_fields(score: Score) -> dict[str, float | int | None]:
    low, high = (score.interval.low, score.interval.high) if score.interval else (None, None)
    return {"value": score.value, "low": low, "high": high, "total": score.total}


def _show(result: Evaluation, most: int, title: str) -> None:
    out.print(Text(title, style="bold"))
    scores = (
        (
            name.replace("_", " "),
            *_cells(score),
            f"{score.total:,} {'words' if name.startswith('token') else 'entities'}",
        )
        for name, score in result.scores.items()
    )
    out.print(table(("score", "", "95 % interval", "of"), scores))
    kinds = (
        (
            kind or "(none)",
            *_cells(found.token_recall),
            f"{found.token_recall.total:,}",
            f"{found.entities_masked:,} of {found.entities:,}",
        )
        for kind, found in result.kinds.items()
    )
    header = ("\nkind", "token\nrecall", "\n95 % interval", "\nwords", "entities\nhidden")
    out.print(table(header, kinds))
    if result.missed and most:
        out.print(Text(f"{len(result.missed):,} different terms missed", style="bold"))
        missed = (
            (f"{m.count:,}", m.kind, m.identifier.lower(), m.text, f"{m.document}:{m.start}")
            for m in result.missed[:most]
        )
        out.print(table(("times", "kind", "identifier", "term", "first in"), missed))


def _cells(score: Score) -> tuple[str, str]:
    if score.value is None:
        return "–", ""
    shown = f"{score.interval.low:.3f}–{score.interval.high:.3f}" if score.interval else ""
    return f"{score.value:.3f}", shown
