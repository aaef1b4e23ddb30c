"""From probabilities of pieces to spans of the text: windows, words, mentions, one decision per name.

A simple form of what the detector does when it runs; used here to choose thresholds and to score.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np
import onnxruntime
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer

from .labels import ENTITY, MASK, OUTSIDE, POS, TYPES
from .model import Detector
from .pieces import GAPS, SHAPES, Pieces, split

Floats = NDArray[np.float32]
Answer = tuple[Floats, Floats, Floats]  # entity, mask, tags: (1, pieces, labels)

WINDOW = 256
OVERLAP = 48


class Model(Protocol):
    """Anything that turns a window of pieces (1, pieces) into probabilities."""

    def __call__(self, ids: NDArray[np.int64], features: NDArray[np.int64]) -> Answer: ...


class TorchModel:
    """The network as it was trained."""

    def __init__(self, network: Detector) -> None:
        self._network = network.eval()

    def __call__(self, ids: NDArray[np.int64], features: NDArray[np.int64]) -> Answer:
        with torch.no_grad():
            positions = torch.arange(ids.shape[1])[None].expand(ids.shape)
            logits = self._network(
                torch.from_numpy(ids), torch.from_numpy(features), positions, None
            )
        entity, mask, tags = (said.softmax(-1).numpy() for said in logits)
        return entity, mask, tags


class OnnxModel:
    """The exported file, on one thread."""

    def __init__(self, path: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )

    def __call__(self, ids: NDArray[np.int64], features: NDArray[np.int64]) -> Answer:
        entity, mask, tags = self._session.run(
            ["entity", "mask", "pos"],
            {
                "input_ids": ids.astype(np.int32),
                "features": features.astype(np.int32),
                "attention_mask": np.ones(ids.shape, dtype=np.int32),
            },
        )
        return entity, mask, tags


@dataclass(frozen=True)
class Reading:
    """A text as the model sees it: probabilities for each piece."""

    text: str
    pieces: Pieces
    entity: Floats  # (pieces, labels)
    mask: Floats
    tags: Floats


@dataclass(frozen=True, slots=True)
class Found:
    """A candidate: a span, its most probable type (or `O`), and the probability that it must be
    masked."""

    start: int
    end: int
    kind: str
    chance: float


def read(model: Model, tokenizer: Tokenizer, texts: Sequence[str]) -> list[Reading]:
    """Every piece of every text, in overlapping windows."""
    cut = [split(tokenizer, text) for text in texts]
    sums = [
        [np.zeros((len(p), n), dtype=np.float32) for n in (len(ENTITY), len(MASK), len(POS))]
        for p in cut
    ]
    weights = [np.zeros(len(p), dtype=np.float32) for p in cut]
    for number, start, end in windows(cut):
        # One window at a time: it fits the cache, and no text changes the scale of another.
        here = slice(start, end)
        ids, features = (
            x[None, here].astype(np.int64) for x in (cut[number].ids, cut[number].features)
        )
        answer = model(ids, features)
        # A piece near the edge of its window counts for less than in the next window.
        at = np.arange(end - start, dtype=np.float32)
        weight = np.minimum(np.minimum(at + 1, end - start - at), OVERLAP / 2)
        weights[number][here] += weight
        for total, part in zip(sums[number], answer, strict=True):
            total[here] += part[0] * weight[:, None]
    for totals, weight in zip(sums, weights, strict=True):
        for total in totals:
            total /= weight[:, None]
    return [
        Reading(text, pieces, *totals)
        for text, pieces, totals in zip(texts, cut, sums, strict=True)
    ]


def windows(cut: Sequence[Pieces]) -> Iterator[tuple[int, int, int]]:
    """Text, first piece and one past the last piece of each window; the last one is a full one."""
    for number, pieces in enumerate(cut):
        start, end = 0, min(WINDOW, len(pieces))
        while start < end:
            yield number, start, end
            if end == len(pieces):
                break
            end = min(end + WINDOW - OVERLAP, len(pieces))
            start = end - WINDOW


def words_of(pieces: Pieces) -> NDArray[np.int64]:
    """The first piece of each word, and one past the last piece of all."""
    glued = pieces.features // len(SHAPES) == GAPS.index("glued")
    punctuation = pieces.features % len(SHAPES) == SHAPES.index("other")
    joined = np.zeros(len(pieces), dtype=np.bool_)
    joined[1:] = glued[1:] & ~punctuation[1:] & ~punctuation[:-1]
    return np.append(np.flatnonzero(~joined), len(pieces))


def mentions(reading: Reading, certain: float = 0.5) -> list[Found]:
    """Runs of words of one type, and words that must be masked whatever their type."""
    edges = words_of(reading.pieces)
    if len(edges) < 2:
        return []
    first, last = edges[:-1], edges[1:] - 1
    per_word = np.add.reduceat(reading.entity, first, axis=0) / np.diff(edges)[:, None]
    begin, inside = per_word[:, 1::2], per_word[:, 2::2]
    types = begin + inside  # (words, types)
    typed = per_word[:, 0] < 1 - certain
    kind = types.argmax(axis=1)
    opens = (reading.entity[first, 1::2] > reading.entity[first, 2::2])[np.arange(len(kind)), kind]
    chance = np.maximum.reduceat(1 - reading.mask[:, 0], first)
    starts, ends = reading.pieces.starts[first], reading.pieces.ends[last]
    found: list[Found] = []
    at = 0
    while at < len(first):
        after = at + 1
        if typed[at]:
            while (
                after < len(first) and typed[after] and kind[after] == kind[at] and not opens[after]
            ):
                after += 1
            name = TYPES[kind[at]]
        else:
            name = OUTSIDE
        bounds = _trimmed(reading.text, starts, ends, at, after)
        if bounds is not None:
            chosen = slice(*bounds)
            telling = [
                c
                for c, start, end in zip(chance[chosen], starts[chosen], ends[chosen], strict=True)
                if _telling(reading.text[start:end])
            ]
            # The mean over the words that carry meaning: a mention is masked as a whole.
            likely = float(np.mean(telling or chance[chosen]))
            found.append(Found(int(starts[bounds[0]]), int(ends[bounds[1] - 1]), name, likely))
        at = after
    return found


def _trimmed(
    text: str, starts: NDArray[np.int32], ends: NDArray[np.int32], first: int, after: int
) -> tuple[int, int] | None:
    """The words from `first` to `after` without function words and punctuation at either end."""

    def idle(word: int, also: frozenset[str] = frozenset()) -> bool:
        said = text[starts[word] : ends[word]].lower()
        return said in _FUNCTION - also or not any(c.isalnum() for c in said)

    while first < after and idle(first, _TITLES):
        first += 1
    while first < after and idle(after - 1):
        after -= 1
    return (first, after) if first < after else None


_TITLES = frozenset({"mr", "mrs", "ms", "dr", "no", "nr"})
_FUNCTION = frozenset(
    {
        *("a", "an", "the", "this", "that", "these", "those", "its", "his", "her", "their", "my"),
        *("your", "our", "about", "after", "against", "around", "as", "at", "before", "between"),
        *("by", "during", "for", "from", "in", "into", "near", "of", "on", "onto", "over", "per"),
        *("since", "than", "through", "till", "to", "towards", "under", "until", "upon", "with"),
        *("within", "without", "and", "but", "or", "nor", "not", "both", "s"),
        *_TITLES,
    }
)


def _telling(word: str) -> bool:
    return word.lower() not in _FUNCTION and any(c.isalnum() for c in word)


def key_of(text: str) -> str:
    """What mentions of the same thing have in common: their telling words in lower case."""
    return " ".join(w for w in re.findall(r"\w+", text.lower()) if w not in _FUNCTION)


def agree(text: str, found: Sequence[Found], pull: float = 0.5) -> list[Found]:
    """One decision for each name of a document: mentions of the same words share one chance.

    `pull` says how far towards the highest chance among them the mean is drawn. A person's surname
    follows the full name.
    """
    groups: dict[str, list[int]] = defaultdict(list)
    for number, mention in enumerate(found):
        if mention.kind != OUTSIDE and (key := key_of(text[mention.start : mention.end])):
            groups[key].append(number)
    shared: dict[str, float] = {}
    for key, members in groups.items():
        chances = [found[m].chance for m in members]
        shared[key] = pull * max(chances) + (1 - pull) * float(np.mean(chances))
    people = {
        key: shared[key]
        for key, members in groups.items()
        if any(found[m].kind == "PERSON" for m in members)
    }
    for key in people:
        longer = [c for other, c in people.items() if set(key.split()) < set(other.split())]
        shared[key] = max([shared[key], *longer])
    agreed = list(found)
    for key, members in groups.items():
        for m in members:
            agreed[m] = replace(found[m], chance=shared[key])
    return agreed


_NAMED = frozenset({"PERSON", "ORG", "LOC", "CODE"})


def masked(text: str, found: Sequence[Found], threshold: float) -> list[tuple[int, int]]:
    """The spans to mask: chances at the threshold or above, and what else bears a masked name."""
    chosen = [f for f in found if f.chance >= threshold]
    spans = [(f.start, f.end) for f in chosen]
    names = {text[f.start : f.end] for f in chosen if f.kind in _NAMED and f.end - f.start >= 4}
    if names:
        pattern = "|".join(re.escape(n) for n in sorted(names, key=len, reverse=True))
        spans += [m.span() for m in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", text)]
    return spans
