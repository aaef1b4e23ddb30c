"""A re-identification attack in the open: whose release is this?

    >>> known = {"Ann": "Ann plays chess in Oslo", "Bob": "Bob sells boats in Bergen"}
    >>> report = reidentify({"Ann": "[PERSON] plays chess"}, known)
    >>> report.best.top_1.rate, report.best.candidates
    (1.0, 2)

The adversary has a background collection: people and what is publicly known about them. Each release is
compared with every person, and the nearest is accused. Two ways are tried: the words that both hold (TF-IDF),
and what both are about (sums of word vectors, the mean of the background taken off). The better one counts:
an adversary would find out which it is. Labels such as [PERSON] are left out: nobody would look for them.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from sfumato.english.folding import normal_form
from sfumato.errors import InputError
from sfumato.measure.matching import Floats, Ints
from sfumato.measure.similarity import text_vectors, unit_rows
from sfumato.measure.texts import without_labels

SHOWN = 5  # persons named for each release
Z = 1.959963984540054  # of a 95 % interval

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of releases, with its 95 % confidence interval (Wilson)."""

    hits: int
    of: int

    @property
    def rate(self) -> float:
        return self.hits / self.of

    @property
    def interval(self) -> tuple[float, float]:
        return wilson_interval(self.hits, self.of)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.rate:.0%} ({low:.0%} to {high:.0%})"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"hits": self.hits, "of": self.of, "rate": self.rate, "interval": self.interval}


@dataclass(frozen=True, slots=True)
class Linkage:
    """How well one way of comparing finds the persons again."""

    method: str
    candidates: int
    top_1: Rate
    top_5: Rate
    ranks: tuple[int, ...] = field(repr=False)  # of the right person, from 1, for each release

    @property
    def median_rank(self) -> float:
        return float(np.median(self.ranks))

    def as_dict(self) -> dict[str, Any]:
        """For JSON; names nobody."""
        found = {"method": self.method, "candidates": self.candidates}
        rates = {"top_1": self.top_1.as_dict(), "top_5": self.top_5.as_dict()}
        return {**found, **rates, "median_rank": self.median_rank}


@dataclass(frozen=True, slots=True)
class Suspect:
    """A person and how near the release is to what is known of them, from 0 to 1."""

    person: str
    score: float


@dataclass(frozen=True, slots=True)
class AttackReport:
    """Both ways, and whom the better one accuses, release by release. Holds names of persons."""

    linkages: tuple[Linkage, ...]
    suspects: Mapping[str, tuple[Suspect, ...]] = field(repr=False)
    unknown: tuple[str, ...] = ()  # releases about nobody of the background; they do not count

    @property
    def best(self) -> Linkage:
        """The way that finds most."""
        return max(self.linkages, key=lambda found: (found.top_1.hits, found.top_5.hits))

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "best": self.best.method,
            "linkages": [found.as_dict() for found in self.linkages],
            "suspects": {name: [asdict(s) for s in who] for name, who in self.suspects.items()},
            "not_in_background": list(self.unknown),
        }


def wilson_interval(hits: int, of: int, z: float = Z) -> tuple[float, float]:
    """The confidence interval of a share, by Wilson's score; it does not collapse at 0 and 1.

    >>> [round(edge, 3) for edge in wilson_interval(0, 25)]
    [0.0, 0.133]
    """
    if of < 1 or not 0 <= hits <= of:
        raise InputError("an interval needs hits from 0 to a number of tries of at least 1")
    share, square = hits / of, z * z
    middle = (share + square / (2 * of)) / (1 + square / of)
    wide = z * math.sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    return max(0.0, middle - wide), min(1.0, middle + wide)


class Background:
    """What is known about people, made ready to be compared with many releases."""

    def __init__(self, known: Mapping[str, str]) -> None:
        if len(known) < 2:
            raise InputError(
                "the background names fewer than two persons: there is nothing to tell apart"
            )
        self.people = list(known)
        self.numbers = {normal_form(p): n for n, p in enumerate(self.people)}
        self._words = _Words(list(known.values()))
        vectors = text_vectors(list(known.values()))
        # What all texts of the background share tells nobody apart, so their mean is taken off.
        self._mean = vectors.mean(axis=0)
        self._vectors = unit_rows(vectors - self._mean)

    def scores(self, texts: Sequence[str]) -> dict[str, Floats]:
        """How near each text is to each person, by each way: shape (texts, people)."""
        vectors = text_vectors(texts)
        said = vectors.any(axis=1, keepdims=True)
        near = unit_rows((vectors - self._mean) * said) @ self._vectors.T
        return {"words": self._words.cosines(texts), "meaning": near.astype(np.float64)}


def reidentify(
    releases: Mapping[str, str],
    background: Mapping[str, str] | Background,
    truth: Mapping[str, str] | None = None,
) -> AttackReport:
    """Link each release to a person of the background.

    `releases` are texts by name; `truth` gives the person of each name, where it is not the person's own.
    """
    if not releases:
        raise InputError("there are no releases to attack")
    known = background if isinstance(background, Background) else Background(background)
    right: dict[str, int] = {}
    for name in releases:
        said = name if truth is None else truth.get(name, name)
        if normal_form(said) in known.numbers:
            right[name] = known.numbers[normal_form(said)]
    if not right:
        raise InputError(
            "no release is about a person of the background: releases are named after their persons "
            "(Maria Keller.txt), or --truth says who each is about"
        )
    wanted = np.array(list(right.values()))
    scores = known.scores([without_labels(releases[name]) for name in right])
    linkages = tuple(_linkage(method, found, wanted) for method, found in scores.items())
    unknown = tuple(n for n in releases if n not in right)
    best = scores[AttackReport(linkages, {}).best.method]
    suspects = {}
    for name, near in zip(right, best, strict=True):
        order = np.argsort(-near, kind="stable")[:SHOWN]
        suspects[name] = tuple(
            Suspect(known.people[p], float(near[p])) for p in order if near[p] > 0
        )
    return AttackReport(linkages, suspects, unknown)


def reidentification_score(
    releases: Mapping[str, str],
    background: Mapping[str, str] | Background,
    truth: Mapping[str, str] | None = None,
) -> float:
    """The share of releases whose person is found at the first try, by the better of two ways.

    >>> reidentification_score({"Ann": "in Oslo"}, {"Ann": "lives in Oslo", "Bob": "lives in Rome"})
    1.0
    """
    return reidentify(releases, background, truth).best.top_1.rate


def _linkage(method: str, scores: Floats, wanted: Ints) -> Linkage:
    """A person of equal score counts as found before the right one: no luck for the adversary's favour."""
    own = scores[np.arange(len(wanted)), wanted]
    ranks = (scores >= own[:, None]).sum(axis=1)
    ranks = np.where(own > 0, ranks, scores.shape[1])
    count = len(wanted)
    return Linkage(
        method,
        scores.shape[1],
        Rate(int((ranks == 1).sum()), count),
        Rate(int((ranks <= SHOWN).sum()), count),
        tuple(int(r) for r in ranks),
    )


class _Words:
    """TF-IDF of texts, (1 + log tf)·log(N / df), word by word: who holds it and how much it counts there."""

    def __init__(self, known: Sequence[str]) -> None:
        self._size = len(known)
        self._numbers: dict[str, int] = {}
        counts = [Counter(_WORD.findall(normal_form(text))) for text in known]
        rows = [self._numbers.setdefault(w, len(self._numbers)) for c in counts for w in c]
        often = [n for c in counts for n in c.values()]
        word = np.array(rows, dtype=np.int64)
        owner = np.repeat(np.arange(len(known)), [len(c) for c in counts])
        self._idf = np.log(len(known) / np.bincount(word, minlength=len(self._numbers)))
        weight = (1 + np.log(np.array(often, dtype=np.float64))) * self._idf[word]
        lengths = np.sqrt(np.bincount(owner, weights=weight**2, minlength=len(known)))
        weight /= np.maximum(lengths, 1e-12)[owner]
        order = np.argsort(word, kind="stable")
        self._weight, self._owner = weight[order], owner[order]
        self._starts = np.searchsorted(word[order], np.arange(len(self._numbers) + 1))

    def cosines(self, texts: Sequence[str]) -> Floats:
        """Shape (texts, known); words that nobody of the background has do not count."""
        found = np.zeros((len(texts), self._size))
        for n, text in enumerate(texts):
            length = 0.0
            for said, count in Counter(_WORD.findall(normal_form(text))).items():
                at = self._numbers.get(said)
                if at is None:
                    continue
                own = (1 + math.log(count)) * self._idf[at]
                length += own**2
                here = slice(self._starts[at], self._starts[at + 1])
                found[n, self._owner[here]] += own * self._weight[here]
            found[n] /= math.sqrt(length) or 1.0
        return found
