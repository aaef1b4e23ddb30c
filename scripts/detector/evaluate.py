"""Scores of a model, torch or ONNX, on everything that was kept aside."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.detect.encoder import Reading
from sfumato.detect.personal import ScoredSpan, agree, kinds_of, mentions, to_mask
from sfumato.measure import gold, tab

from .data import Example, Record, read_gum, read_json_lines, read_tab, read_wikigold, read_wnut17

Change = Callable[[str], tuple[str, list[int]]]

# What the thresholds are to reach on the documents kept aside; a little above the goals, since those
# documents are few.
WANTED_RECALL = {"balanced": 0.945, "high": 0.972}
WANTED_PRECISION = 0.9  # of "precise"


@dataclass(frozen=True)
class Thresholds:
    """Chances from which on a mention is masked."""

    balanced: float
    high: float
    precise: float


@dataclass(frozen=True)
class Judged:
    """A text with its gold mentions and what the model found in it."""

    text: str
    gold: tuple[tab.Mention, ...]
    found: list[ScoredSpan]

    def counts(self, threshold: float) -> tab.MaskCounts:
        masked = [
            (start, end)
            for mention in to_mask(self.text, self.found, threshold)
            for start, end, _ in kinds_of(self.text, mention, threshold)
        ]
        return tab.count(self.text, self.gold, masked)


def judge(readings: Iterable[Reading], records: Sequence[Record]) -> list[Judged]:
    """What the detector would weigh in each text."""
    return [
        Judged(
            r["text"],
            gold.mentions_of(r["mentions"], r["text"]),
            agree(r["text"], mentions(reading)),
        )
        for r, reading in zip(records, readings, strict=True)
    ]


def choose_thresholds(judged: Sequence[Judged]) -> Thresholds:
    """The highest thresholds that reach the wanted token recall and miss no direct identifier; for
    "precise", the lowest one that reaches the wanted precision."""
    grid = np.round(np.concatenate([np.arange(0.01, 0.1, 0.005), np.arange(0.1, 0.9, 0.01)]), 3)
    scores = {float(t): tab.score([j.counts(float(t)) for j in judged]) for t in grid}

    def reaching(recall: float) -> float:
        reached = [
            t
            for t, s in scores.items()
            if (s.token_recall or 0) >= recall and (s.direct_recall or 0) >= 1
        ]
        return max(reached, default=float(grid[0]))

    balanced = reaching(WANTED_RECALL["balanced"])
    precise = [t for t, s in scores.items() if (s.token_precision or 0) >= WANTED_PRECISION]
    return Thresholds(
        balanced,
        min(balanced, reaching(WANTED_RECALL["high"])),
        max(balanced, min(precise, default=float(grid[-1]))),
    )


def train_records(data: Path, held: int) -> tuple[list[Record], NDArray[np.bool_]]:
    """The benchmark's train part, and which of its documents were kept aside."""
    names = {e.name for e in read_tab(data / "tab", held) if e.held}
    records = read_json_lines(data / "tab/train.jsonl")
    return records, np.array([r["doc_id"] in names for r in records])


# --- Texts written in another way -----------------------------------------------------------------


def upper(text: str) -> tuple[str, list[int]]:
    """In upper case, but for the letters whose upper case is longer; offsets stay."""
    changed = "".join(u if len(u := c.upper()) == 1 else c for c in text)
    return changed, list(range(len(text) + 1))


def lower(text: str) -> tuple[str, list[int]]:
    changed = "".join(low if len(low := c.lower()) == 1 else c for c in text)
    return changed, list(range(len(text) + 1))


def bare(text: str) -> tuple[str, list[int]]:
    """Without punctuation at the edges of words, and where each old offset went.

    >>> bare('"Ann" (b. 1970/71), left.')[0]
    'Ann b 1970/71 left'
    """
    kept: list[str] = []
    where: list[int] = []
    for at, char in enumerate(text):
        where.append(len(kept))
        inside = 0 < at < len(text) - 1 and text[at - 1].isalnum() and text[at + 1].isalnum()
        if char.isalnum() or char.isspace() or inside:
            kept.append(char)
    where.append(len(kept))
    return "".join(kept), where


CHANGES: dict[str, Change] = {"upper": upper, "lower": lower, "bare": bare}


def changed(record: Record, change: Change) -> Record:
    text, where = change(record["text"])
    moved = [
        m | {"start_offset": start, "end_offset": end, "span_text": text[start:end]}
        for m in record["mentions"]
        if (start := where[m["start_offset"]]) < (end := where[m["end_offset"]])
    ]
    return record | {"text": text, "mentions": moved}


# --- Named entities and parts of speech -----------------------------------------------------------


def f1(readings: Sequence[Reading], examples: Sequence[Example]) -> dict[str, Any]:
    """Of exact spans with their type, over the types the source annotates. Spans it leaves open (a
    handle, a time without a date) count neither way."""
    kinds = {k for e in examples for m in e.mentions if len(m.kinds) == 1 for k in m.kinds}
    counts: list[
        tuple[int, int]
    ] = []  # twice the right ones; all that are said and all that are gold
    for reading, example in zip(readings, examples, strict=True):
        open_ = [(m.start, m.end) for m in example.mentions if len(m.kinds) > 1]
        gold = {(m.start, m.end, m.kinds[0]) for m in example.mentions if len(m.kinds) == 1}
        predicted = {
            (f.start, f.end, f.kind)
            for f in mentions(reading)
            if f.kind in kinds and not any(a < f.end and f.start < b for a, b in open_)
        }
        counts.append((2 * len(gold & predicted), len(predicted) + len(gold)))
    return _share(counts)


def tag_accuracy(readings: Sequence[Reading], examples: Sequence[Example]) -> dict[str, Any]:
    """The share of words whose first piece has the right tag."""
    counts: list[tuple[int, int]] = []
    for reading, example in zip(readings, examples, strict=True):
        said = reading.tags.argmax(axis=1)
        starts = np.array([start for start, _, _ in example.tags])
        gold = np.array([tag for _, _, tag in example.tags])
        piece = np.searchsorted(reading.pieces.ends, starts, side="right")
        piece = np.minimum(piece, len(said) - 1)
        counts.append((int((said[piece] == gold).sum()), len(gold)))
    return _share(counts)


def _share(counts: Sequence[tuple[int, int]], draws: int = 2000) -> dict[str, Any]:
    """Part by whole over all texts, with the 95 % interval of bootstrap draws of the texts."""
    table = np.array(counts)
    drawn = np.random.default_rng(0).integers(len(table), size=(draws, len(table)))
    part, whole = table[drawn].sum(axis=1).T
    low, high = np.quantile(part / np.maximum(whole, 1), [0.025, 0.975])
    part, whole = table.sum(axis=0)
    return {"value": float(part / max(whole, 1)), "low": float(low), "high": float(high)}


# --- All of it ------------------------------------------------------------------------------------


def evaluate(
    read: Callable[[str], Reading], data: Path, handwritten: Path, thresholds: Thresholds
) -> dict[str, Any]:
    """Every score there is."""

    def judged(records: Sequence[Record]) -> list[Judged]:
        return judge((read(r["text"]) for r in records), records)

    levels = asdict(thresholds)
    dev = read_json_lines(data / "tab/dev.jsonl")
    begun, words = time.process_time(), sum(len(r["text"].split()) for r in dev)
    found = judged(dev)
    speed = words / (time.process_time() - begun)
    result: dict[str, Any] = {
        "thresholds": levels,
        "words per CPU-second": round(speed),
        "tab dev": by_level(found, levels),
    }
    own = read_json_lines(handwritten)
    result["handwritten"] = by_level(judged(own), levels)
    for name, change in CHANGES.items():
        for source, records in (("tab dev", dev), ("handwritten", own)):
            variant = judged([changed(r, change) for r in records])
            result[f"{source} {name}"] = by_level(variant, {"balanced": thresholds.balanced})
    for name, examples in _held_examples(data).items():
        readings = [read(e.text) for e in examples]
        result[f"{name} entities F1"] = f1(readings, examples)
        if any(e.tags for e in examples):
            result[f"{name} tags"] = tag_accuracy(readings, examples)
    return result


def _held_examples(data: Path) -> dict[str, list[Example]]:
    sources: dict[str, Iterable[Example]] = {
        "wnut17 test": read_wnut17(data / "ner/wnut17"),
        "wikigold held": read_wikigold(data / "ner/wikigold"),
        "gum test": read_gum(data / "gum"),
    }
    return {name: [e for e in examples if e.held] for name, examples in sources.items()}


def by_level(judged: Sequence[Judged], levels: dict[str, float]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for level, threshold in levels.items():
        counts = [j.counts(threshold) for j in judged]
        out[level] = asdict(tab.score(counts))
        out[level]["intervals"] = asdict(tab.bootstrap(counts))
    return out


def show(result: dict[str, Any]) -> str:
    """The result as lines of text, for people: scores, each with its interval."""
    lines = []
    for name, value in result.items():
        if not isinstance(value, dict) or name == "thresholds":
            lines.append(f"{name:23} {json.dumps(value)}")
        elif "value" in value:
            lines.append(f"{name:23} {_with_interval(value['value'], value)}")
        else:
            for level, scores in value.items():
                numbers = "  ".join(
                    f"{k.replace('_', ' ')} {_with_interval(scores[k], interval)}"
                    for k, interval in scores["intervals"].items()
                )
                lines.append(f"{name:23} {level:9} {numbers}")
    return "\n".join(lines)


def _with_interval(value: float, interval: dict[str, float]) -> str:
    return f"{value:.3f} ({interval['low']:.3f}-{interval['high']:.3f})"
