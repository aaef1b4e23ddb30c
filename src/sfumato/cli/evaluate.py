"""`sfumato evaluate`: how good the detectors are, on texts in which people have marked what to hide."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sfumato import policy
from sfumato.detect.finder import Finder
from sfumato.document import Document
from sfumato.measure import gold, tab
from sfumato.measure.gold import GoldDocument
from sfumato.measure.tab import Counts, Identifier, Interval, Mention, Span
from sfumato.policy import Keep, Policy

SCORES = ("token_recall", "direct_recall", "quasi_recall", "token_precision")

evaluate_app = typer.Typer(no_args_is_help=True, help="Score the detectors against gold data.")


@dataclass(frozen=True, slots=True)
class Score:
    """A share, its bootstrap interval, and of how many; `value` is None where there was nothing."""

    value: float | None
    interval: Interval | None
    total: int


@dataclass(frozen=True, slots=True)
class KindScore:
    """What was found of one kind of gold entity."""

    token_recall: Score
    entities_masked: int
    entities: int


@dataclass(frozen=True, slots=True)
class Missed:
    """A term that should have been masked and was not: how often, and where first."""

    text: str
    kind: str
    identifier: Identifier
    count: int
    document: str
    start: int


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The scores of a policy's detectors on gold documents."""

    documents: int
    scores: Mapping[str, Score]
    kinds: Mapping[str, KindScore]
    missed: tuple[Missed, ...]


def evaluate(documents: Sequence[GoldDocument], settings: Policy, *, seed: int = 0) -> Evaluation:
    """Run a policy's detectors over gold documents and count by the benchmark's definitions.

    Masked is what is found and not kept by the policy's rule. Several annotators of a document are
    averaged as the benchmark does: each is counted, and the counts are added up.
    """
    find = Finder(settings)
    counts: list[Counts] = []
    by_kind: list[dict[str, Counts]] = []
    missed: list[tuple[GoldDocument, Mention]] = []
    for document in documents:
        masked = _masked(find, settings, document)
        counts.append(_count(document.text, document.annotations, masked))
        split = [_by_kind(mentions) for mentions in document.annotations]
        by_kind.append(
            {
                kind: _count(document.text, [part.get(kind, ()) for part in split], masked)
                for kind in {kind for part in split for kind in part}
            }
        )
        for mentions in document.annotations:
            found = tab.missed(document.text, mentions, masked)
            missed += [(document, mention) for mention in found]
    kinds = {
        kind: _kind_score([part.get(kind, Counts()) for part in by_kind], seed)
        for kind in {kind for part in by_kind for kind in part}
    }
    marked = [(kind, found) for kind, found in kinds.items() if found.entities]
    ranked = sorted(marked, key=lambda k: (-k[1].token_recall.total, k[0]))
    return Evaluation(len(documents), _scores(counts, seed), dict(ranked), _gathered(missed))


def _masked(find: Finder, settings: Policy, document: GoldDocument) -> list[Span]:
    terms = find(Document(document.text, document.name))
    return [(t.start, t.end) for t in terms if not isinstance(settings.rule(t.kind), Keep)]


def _count(text: str, annotations: Iterable[Sequence[Mention]], masked: Sequence[Span]) -> Counts:
    return sum((tab.count(text, mentions, masked) for mentions in annotations), start=Counts())


def _by_kind(mentions: Iterable[Mention]) -> dict[str, list[Mention]]:
    """The mentions by the kind of their entity, which is that of its first mention."""
    kinds: dict[str, str] = {}
    parts: dict[str, list[Mention]] = {}
    for mention in mentions:
        kind = kinds.setdefault(mention.entity, mention.kind)
        parts.setdefault(kind, []).append(mention)
    return parts


def _scores(counts: Sequence[Counts], seed: int) -> dict[str, Score]:
    values, intervals = tab.score(counts), tab.bootstrap(counts, seed=seed)
    total = sum(counts, start=Counts())
    totals = (total.tokens, total.direct, total.quasi, total.tokens_masked)
    return {
        name: Score(getattr(values, name), getattr(intervals, name), number)
        for name, number in zip(SCORES, totals, strict=True)
    }


def _kind_score(counts: Sequence[Counts], seed: int) -> KindScore:
    total = sum(counts, start=Counts())
    return KindScore(
        _scores(counts, seed)["token_recall"],
        total.direct_masked + total.quasi_masked,
        total.direct + total.quasi,
    )


def _gathered(missed: Iterable[tuple[GoldDocument, Mention]]) -> tuple[Missed, ...]:
    """The missed terms, the most frequent first; direct identifiers before quasi."""
    times: Counter[tuple[str, str, Identifier]] = Counter()
    first: dict[tuple[str, str, Identifier], tuple[str, int]] = {}
    for document, mention in missed:
        words = " ".join(document.text[mention.start : mention.end].split())
        term = (words, mention.kind, mention.identifier)
        times[term] += 1
        first.setdefault(term, (document.name, mention.start))
    ranked = sorted(times.items(), key=lambda t: (-t[1], t[0][2], t[0]))
    return tuple(Missed(*term, count, *first[term]) for term, count in ranked)


# The command


@evaluate_app.callback()
def _group() -> None:
    """Score the detectors against gold data."""


@evaluate_app.command("detect")
def detect(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="GOLD", help="Gold data: the benchmark's .json, .jsonl, or CoNLL (any other)."
        ),
    ],
    policy_name: Annotated[
        str, typer.Option("-p", "--policy", help="A policy file or a built-in profile.")
    ] = "default",
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable output.")] = False,
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
        "missed": [
            {
                "text": m.text,
                "kind": m.kind,
                "identifier": m.identifier.value,
                "count": m.count,
                "document": m.document,
                "start": m.start,
            }
            for m in result.missed[:most]
        ],
    }


def _score_fields(score: Score) -> dict[str, float | int | None]:
    low, high = (score.interval.low, score.interval.high) if score.interval else (None, None)
    return {"value": score.value, "low": low, "high": high, "total": score.total}


def _show(result: Evaluation, most: int, title: str) -> None:
    out = Console(highlight=False)
    out.print(Text(title, style="bold"))
    table = _table("score", "", "95 % interval", "of")
    for name, score in result.scores.items():
        unit = "words" if name.startswith("token") else "entities"
        table.add_row(name.replace("_", " "), *_cells(score), f"{score.total:,} {unit}")
    out.print(table)
    table = _table("\nkind", "token\nrecall", "\n95 % interval", "\nwords", "entities\nhidden")
    for kind, found in result.kinds.items():
        hidden = f"{found.entities_masked:,} of {found.entities:,}"
        recall = found.token_recall
        table.add_row(Text(kind or "(none)"), *_cells(recall), f"{recall.total:,}", hidden)
    out.print(table)
    if result.missed and most:
        out.print(Text(f"{len(result.missed):,} different terms missed", style="bold"))
        table = _table("times", "kind", "identifier", "term", "first in")
        for m in result.missed[:most]:
            place = Text(f"{m.document}:{m.start}")
            table.add_row(f"{m.count:,}", Text(m.kind), m.identifier.lower(), Text(m.text), place)
        out.print(table)


def _table(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(column)
    return table


def _cells(score: Score) -> tuple[str, str]:
    if score.value is None:
        return "–", ""
    shown = f"{score.interval.low:.3f}–{score.interval.high:.3f}" if score.interval else ""
    return f"{score.value:.3f}", shown
