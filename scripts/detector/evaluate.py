"""Scores of a model, torch or ONNX, on everything that was kept aside."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from sfumato.detect.encoder import Model, Reading, read
from sfumato.detect.personal import Mention, agree, mentions, to_mask
from sfumato.measure import tab

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
    found: list[Mention]

    def counts(self, threshold: float) -> tab.Counts:
        masked = [(m.start, m.end) for m in to_mask(self.text, self.found, threshold)]
        return tab.count(self.text, self.gold, masked)


def judge(model: Model, tokenizer: Tokenizer, records: Sequence[Record]) -> list[Judged]:
    """What the detector would weigh in each text."""
    return [
        Judged(text, tab.mentions_of(r), agree(text, mentions(read(model, tokenizer, text))))
        for r in records
        for text in [r["text"]]
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


def held_records(data: Path, held: int) -> list[Record]:
    """The documents of the benchmark's train part that were kept aside."""
    names = {e.name for e in read_tab(data / "tab", held) if e.held}
    return [r for r in read_json_lines(data / "tab/train.jsonl") if r["doc_id"] in names]


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
        m | {"start_offset": where[m["start_offset"]], "end_offset": where[m["end_offset"]]}
        for m in record["mentions"]
    ]
    kept = [m for m in moved if m["start_offset"] < m["end_offset"]]
    return record | {"text": text, "mentions": kept}


# --- Named entities and parts of speech -----------------------------------------------------------


@dataclass(frozen=True)
class F1:
    precision: float
    recall: float
    f1: float


def entity_f1(readings: Sequence[Reading], examples: Sequence[Example]) -> F1:
    """Exact spans with their type, over the types the source annotates. Spans it leaves open (a
    handle, a time without a date) count neither way."""
    kinds = {k for e in examples for m in e.mentions if len(m.kinds) == 1 for k in m.kinds}
    right = said = wanted = 0
    for reading, example in zip(readings, examples, strict=True):
        open_ = [(m.start, m.end) for m in example.mentions if len(m.kinds) > 1]
        gold = {(m.start, m.end, m.kinds[0]) for m in example.mentions if len(m.kinds) == 1}
        predicted = {
            (f.start, f.end, f.kind)
            for f in mentions(reading)
            if f.kind in kinds and not any(a < f.end and f.start < b for a, b in open_)
        }
        right += len(gold & predicted)
        said += len(predicted)
        wanted += len(gold)
    precision, recall = right / max(said, 1), right / max(wanted, 1)
    return F1(precision, recall, 2 * precision * recall / max(precision + recall, 1e-9))


def tag_accuracy(readings: Sequence[Reading], examples: Sequence[Example]) -> float:
    """The share of words whose first piece has the right tag."""
    right = total = 0
    for reading, example in zip(readings, examples, strict=True):
        said = reading.tags.argmax(axis=1)
        starts = np.array([start for start, _, _ in example.tags])
        gold = np.array([tag for _, _, tag in example.tags])
        piece = np.searchsorted(reading.pieces.ends, starts, side="right")
        piece = np.minimum(piece, len(said) - 1)
        right += int((said[piece] == gold).sum())
        total += len(gold)
    return right / max(total, 1)


# --- All of it ------------------------------------------------------------------------------------


def evaluate(
    model: Model,
    tokenizer: Tokenizer,
    data: Path,
    held: int,
    handwritten: Path | None = None,
    thresholds: Thresholds | None = None,
) -> dict[str, Any]:
    """Every score there is. Thresholds come from documents kept aside, never from the tested ones."""
    kept = judge(model, tokenizer, held_records(data, held))
    chosen = thresholds or choose_thresholds(kept)
    levels = asdict(chosen)
    dev = read_json_lines(data / "tab/dev.jsonl")
    begun, words = time.process_time(), sum(len(r["text"].split()) for r in dev)
    judged = judge(model, tokenizer, dev)
    speed = words / (time.process_time() - begun)
    result: dict[str, Any] = {
        "thresholds": levels,
        "words per CPU-second": round(speed),
        "tab held": _by_level(kept, levels),
        "tab dev": _by_level(judged, levels, intervals=True),
    }
    for name, change in CHANGES.items():
        variant = judge(model, tokenizer, [changed(r, change) for r in dev])
        result[f"tab dev {name}"] = _by_level(variant, {"balanced": chosen.balanced})
    for name, examples in _held_examples(data).items():
        readings = [read(model, tokenizer, e.text) for e in examples]
        result[f"{name} entities"] = asdict(entity_f1(readings, examples))
        if any(e.tags for e in examples):
            result[f"{name} tags"] = tag_accuracy(readings, examples)
    if handwritten and handwritten.exists():
        records = read_json_lines(handwritten)
        own = judge(model, tokenizer, records)
        result["handwritten"] = _by_level(own, levels, intervals=True)
        for name, change in CHANGES.items():
            variant = judge(model, tokenizer, [changed(r, change) for r in records])
            result[f"handwritten {name}"] = _by_level(variant, {"balanced": chosen.balanced})
    return result


def _held_examples(data: Path) -> dict[str, list[Example]]:
    sources: dict[str, Iterable[Example]] = {
        "wnut17 test": read_wnut17(data / "ner/wnut17"),
        "wikigold held": read_wikigold(data / "ner/wikigold"),
        "gum test": read_gum(data / "gum"),
    }
    return {name: [e for e in examples if e.held] for name, examples in sources.items()}


def _by_level(
    judged: Sequence[Judged], levels: dict[str, float], intervals: bool = False
) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for level, threshold in levels.items():
        counts = [j.counts(threshold) for j in judged]
        out[level] = asdict(tab.score(counts))
        if intervals:
            out[level]["intervals"] = asdict(tab.bootstrap(counts))
    return out


def show(result: dict[str, Any]) -> str:
    """The result as lines of text, for people."""
    lines = []
    for name, value in result.items():
        if isinstance(value, dict) and any(isinstance(v, dict) for v in value.values()):
            for level, scores in value.items():
                numbers = "  ".join(
                    f"{k.replace('_', ' ')} {v:.3f}"
                    for k, v in scores.items()
                    if isinstance(v, float)
                )
                lines.append(f"{name:22} {level:9} {numbers}")
        else:
            lines.append(f"{name:22} {json.dumps(value)}")
    return "\n".join(lines)
