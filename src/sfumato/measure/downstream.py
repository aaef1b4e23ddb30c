"""What a release is still good for: a text classifier trained on it, against one trained on the originals.

    >>> before = ["fever and cough", "cough at night", "broken arm", "broken leg and arm"] * 3
    >>> after = ["fever and cough", "cough at night", "broken limb", "broken limb and limb"] * 3
    >>> accuracy_kept_score(before, after, ["flu", "flu", "fracture", "fracture"] * 3, folds=3)
    1.0

Both classifiers are naive Bayes on the words that a text holds, and both are tried on *original* texts that
neither was trained on: whoever learns from a release uses what was learnt on real texts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sfumato.errors import InputError
from sfumato.formats.columns import chunks, plain
from sfumato.measure.sensitivity import words
from sfumato.measure.texts import Source, TextPair, pair_up

FOLDS = 5
SMOOTHING = 1.0

Label = Hashable


@dataclass(frozen=True, slots=True)
class AccuracyKept:
    """How often each classifier was right about original texts."""

    original: float
    released: float
    majority: float  # of one that always says the most frequent label
    texts: int
    folds: int

    @property
    def kept(self) -> float:
        """The share of the accuracy that is left."""
        return self.released / self.original if self.original else 1.0


class NaiveBayes:
    """A classifier of texts by the words that they hold, each counted once."""

    def __init__(self, texts: Sequence[str], labels: Sequence[Label]) -> None:
        self._sizes: Counter[Label] = Counter(labels)
        self._counts: dict[str, Counter[Label]] = {}
        for text, label in zip(texts, labels, strict=True):
            for word in words(text):
                self._counts.setdefault(word, Counter())[label] += 1

    def predict(self, text: str) -> Label:
        """The most probable label; of equals the one that was met first.

        Words that are not there count as well: log p(c) + Σ log p(w|c) + Σ log (1 - p(w|c)). The last sum is
        over all words but those of the text, and is kept ready for all of them.
        """
        known = [w for w in words(text) if w in self._counts]
        scores = {
            label: base + math.fsum(self._odds(word, label) for word in known)
            for label, base in self._base.items()
        }
        return max(scores, key=scores.__getitem__)

    def _p(self, word: str, label: Label) -> float:
        count = self._counts[word][label]
        return (count + SMOOTHING) / (self._sizes[label] + 2 * SMOOTHING)

    def _odds(self, word: str, label: Label) -> float:
        p = self._p(word, label)
        return math.log(p) - math.log1p(-p)

    @cached_property
    def _base(self) -> Mapping[Label, float]:
        return {
            label: math.log(size)
            + math.fsum(math.log1p(-self._p(word, label)) for word in self._counts)
            for label, size in self._sizes.items()
        }


def accuracy_kept(
    pairs: Sequence[TextPair], labels: Sequence[Label], *, folds: int = FOLDS
) -> AccuracyKept:
    """Train on all folds but one, of the originals and of the releases, and try the originals of that one."""
    sizes = Counter(labels)
    if len(labels) != len(pairs):
        raise InputError(f"{len(labels):,} labels for {len(pairs):,} texts; give one for each")
    if len(sizes) < 2:
        raise InputError(
            f"all {len(labels):,} texts have the same label; a classifier needs at least two classes"
        )
    if len(pairs) < 2 * folds or folds < 2:
        raise InputError(
            f"{len(pairs):,} texts are too few to be split {folds} ways: two for each part at least"
        )
    order = sorted(range(len(pairs)), key=lambda n: (str(labels[n]), n))
    part = {n: place % folds for place, n in enumerate(order)}
    right = [0, 0]
    for fold in range(folds):
        rest = [n for n in range(len(pairs)) if part[n] != fold]
        told = [labels[n] for n in rest]
        models = (
            NaiveBayes([pairs[n].original for n in rest], told),
            NaiveBayes([pairs[n].released for n in rest], told),
        )
        for n in (n for n in range(len(pairs)) if part[n] == fold):
            for which, model in enumerate(models):
                right[which] += model.predict(pairs[n].original) == labels[n]
    total = len(pairs)
    return AccuracyKept(
        right[0] / total, right[1] / total, max(sizes.values()) / total, total, folds
    )


def accuracy_kept_score(
    original: Source, released: Source, labels: Sequence[Label], *, folds: int = FOLDS
) -> float:
    """The accuracy of a classifier trained on the release over that of one trained on the originals."""
    return accuracy_kept(pair_up(original, released), list(labels), folds=folds).kept


def read_text_labels(path: Path, names: Sequence[str]) -> list[Any]:
    """The labels of texts, in the order of their names, from a table of (file, label)."""
    found: dict[str, Any] = {}
    for files, labels in chunks(path, ("file", "label")):
        found.update(zip(map(str, plain(files)), plain(labels), strict=True))
    missing = [n for n in names if n not in found]
    if missing:
        raise InputError.at(
            path,
            f"{len(missing):,} of {len(names):,} texts have no label, the first is {missing[0]}",
        )
    labels = [found[n] for n in names]
    if len(set(labels)) < 2:
        raise InputError.at(
            path, "all texts have the same label; a classifier needs at least two classes"
        )
    return labels
