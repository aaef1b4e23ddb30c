"""How probable terms are, alone and together: p, information content, pointwise mutual information.

    >>> from sfumato.know import statistics
    >>> wikipedia = statistics.default()
    >>> wikipedia.pmi("Miami", "Florida") > wikipedia.pmi("Miami", "cancer")
    True

A probability is a share of units, articles as a rule: p(a) = n(a) / N, p(a, b) = n(a, b) / N, where n counts
the units that hold all of them. From these follow equations (1) and (2) of the correlated-terms paper,
IC(a) = -log2 p(a) and PMI(a; b) = log2 p(a, b) / (p(a) p(b)).

Where nothing was counted, a number is estimated, and `sure` says so:

- *A pair never seen together.* With E = N p(a) p(b) units expected if the two were independent, the count
  is taken as E / (1 + 2E): E where little was expected (PMI near 0: no evidence), and never more than half
  a unit where much was, so PMI is -log2(1 + 2E), finite and at most 0. For three and more terms alike.
- *A phrase that is no term of the index* is split from the right into the longest terms that are, so that
  modifiers on the left come off first ("metastatic | liver cancer"). It stands in units that hold all the
  parts, M of them; the phrase itself in at most L-1 (else it would be a term; L is the least count of
  phrases) and in at most M, so at most in as many as its rarest part. In pairs its parts stand for it.
- *A word of the phrase that is unknown* is left out of the parts; the phrase then counts as half a unit.
- *A term none of whose words is known* counts as half a unit, and as independent of everything.
- *Function words* ("the") are no terms: every unit holds them.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Protocol

from pyroaring import BitMap

from sfumato.english import chunker
from sfumato.errors import PolicyError
from sfumato.know.statistics.index import Index, IndexEntry

DEFAULT = "wikipedia.terms"
HALF = 0.5  # the count of what was never seen
CACHED = 8192  # terms kept with their units
# Probability of a phrase, however many words it has: products with others stay above 0
_LEAST = 1e-60
_NEVER_ZERO = sys.float_info.min


class BackOff(IntEnum):
    """How a number came about, from the surest to the least sure."""

    NONE = 0  # counted
    FUNCTION = 1  # a function word, which every unit holds
    PARTS = 2  # a phrase by its parts
    APART = 3  # known terms that were never seen together
    PARTIAL = 4  # a phrase of which some words are unknown
    UNKNOWN = 5  # a term of which nothing is known

    @property
    def meaning(self) -> str:
        """In words."""
        return {
            0: "counted",
            1: "a function word: taken as in every text",
            2: "estimated from the phrase's parts",
            3: "never seen together: close to independence",
            4: "estimated from the known parts of the phrase",
            5: "not in the statistics",
        }[self.value]


@dataclass(frozen=True, slots=True)
class Certainty:
    """How sure a number is: the units behind it, and the weakest estimate that it needed."""

    count: int
    backoff: BackOff

    @property
    def counted(self) -> bool:
        return self.backoff is BackOff.NONE


class Statistics(Protocol):
    """A source of probabilities. Terms are given as they stand in a text: normal forms are its own
    business."""

    def p(self, *terms: str) -> float:
        """The probability that a unit holds all the terms; above 0, at most 1."""

    def count(self, *terms: str) -> int:
        """How many units were seen to hold all the terms."""

    def sure(self, *terms: str) -> Certainty:
        """How sure `p` of these terms is."""

    def knows(self, term: str) -> bool:
        """Whether the term itself was counted."""
        return self.sure(term).backoff <= BackOff.FUNCTION

    def ic(self, term: str) -> float:
        """Information content in bits: equation (1)."""
        return -math.log2(self.p(term))

    def pmi(self, a: str, b: str) -> float:
        """Pointwise mutual information in bits: equation (2)."""
        return math.log2(self.p(a, b)) - math.log2(self.p(a)) - math.log2(self.p(b))


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What the index says about one term: the units in which it may stand (None: all of them), and how
    many of them really hold it, by count or by estimate."""

    units: BitMap | None
    seen: int  # units in which all its known parts stand
    estimate: float
    backoff: BackOff


class IndexStatistics(Statistics):
    """Statistics from an index file (`sfumato know build`)."""

    def __init__(self, path: str | Path) -> None:
        self.index = Index(Path(path))
        self.size = self.index.size
        self._least_phrase = int(self.index.about["least_phrase"])
        self.known = lru_cache(maxsize=CACHED)(self._known)

    def p(self, *terms: str) -> float:
        if len(terms) == 1:
            return self.known(terms[0]).estimate / self.size
        found = [self.known(term) for term in _distinct(terms)]
        placed = [k for k in found if k.units]
        # Terms without any unit are independent of the others.
        rest = math.prod(
            k.estimate / self.size for k in found if k.units is not None and not k.units
        )
        together = self._together(found)
        if together:
            share = math.prod(k.estimate / k.seen for k in placed)
            return max(together * share / self.size * rest, _NEVER_ZERO)
        expected = self.size * math.prod(k.estimate / self.size for k in placed)
        return max(expected / (1 + expected / HALF) / self.size * rest, _NEVER_ZERO)

    def count(self, *terms: str) -> int:
        found = [self.known(term) for term in _distinct(terms)]
        if any(k.backoff > BackOff.FUNCTION for k in found):
            return 0
        return self._together(found)

    def sure(self, *terms: str) -> Certainty:
        found = [self.known(term) for term in _distinct(terms)]
        backoff = max((k.backoff for k in found), default=BackOff.NONE)
        blind = any(k.units is not None and not k.units for k in found)
        seen = 0 if blind else self._together(found)
        if seen or len(found) == 1:
            return Certainty(seen, backoff)
        return Certainty(0, max(backoff, BackOff.APART))

    def _together(self, found: Sequence[Known]) -> int:
        """How many units hold all the terms, or their known parts. Terms without any are left out: they
        are independent."""
        some = [k.units for k in found if k.units]
        return in_all(some) if some else self.size

    def _known(self, term: str) -> Known:
        words = chunker.words(term)
        if words and all(w.normal in chunker.FUNCTION for w in words):
            return Known(None, self.size, self.size, BackOff.FUNCTION)
        entry = self._entry(tuple(w.normal for w in words))
        if entry is not None:
            return Known(self.index.posting(entry), entry.count, entry.count, BackOff.NONE)
        parts, missing = self._parts(tuple(w.normal for w in words))
        if not parts:
            return Known(BitMap(), 0, HALF, BackOff.UNKNOWN)
        units = BitMap.intersection(*(self.index.posting(part) for part in parts))
        if missing:
            return Known(units, len(units), HALF, BackOff.PARTIAL)
        bound = min(len(units), self._least_phrase - 1)
        if bound:
            return Known(units, len(units), bound, BackOff.PARTS)
        expected = self.size * max(math.prod(part.count / self.size for part in parts), _LEAST)
        return Known(units, 0, expected / (1 + expected / HALF), BackOff.PARTS)

    def _entry(self, normals: tuple[str, ...]) -> IndexEntry | None:
        """A term of the index; capitals that mean nothing there (a heading's) are tried in lower case."""
        if not normals or len(normals) > chunker.LONGEST:
            return None
        entry = self.index.find(" ".join(normals))
        if entry is None and any(n != n.lower() for n in normals):
            folded = (n if n == n.lower() else chunker.counted_form(n.lower()) for n in normals)
            entry = self.index.find(" ".join(folded))
        return entry

    def _parts(self, normals: tuple[str, ...]) -> tuple[list[IndexEntry], bool]:
        """The longest known terms from the right, and whether a word was in none of them."""
        parts, missing, end = [], False, len(normals)
        while end > 0:
            for start in range(max(0, end - chunker.LONGEST), end):
                entry = self._entry(normals[start:end])
                if entry is not None:
                    parts.append(entry)
                    end = start
                    break
            else:
                end -= 1
                missing = missing or normals[end] not in chunker.FUNCTION
        return parts, missing


class Blend(Statistics):
    """Several sources by weight: a unit is drawn from a source with the probability of its weight.

    Weights are shares: 3 and 1 mean three quarters and one quarter.
    """

    def __init__(self, sources: Iterable[tuple[Statistics, float]]) -> None:
        self._sources = [(source, float(weight)) for source, weight in sources]
        total = sum(weight for _, weight in self._sources)
        if not self._sources or total <= 0 or any(w < 0 for _, w in self._sources):
            raise PolicyError("a blend needs sources with weights of 0 or more, and one above 0")
        self._sources = [(s, w / total) for s, w in self._sources if w > 0]

    def p(self, *terms: str) -> float:
        return sum(weight * source.p(*terms) for source, weight in self._sources)

    def count(self, *terms: str) -> int:
        return sum(source.count(*terms) for source, _ in self._sources)

    def sure(self, *terms: str) -> Certainty:
        found = [source.sure(*terms) for source, _ in self._sources]
        return Certainty(sum(e.count for e in found), min(e.backoff for e in found))


def in_all(units: Sequence[BitMap]) -> int:
    """How many units are in all of some sets: of two this is known without making the set."""
    if len(units) == 2:
        return units[0].intersection_cardinality(units[1])
    return len(BitMap.intersection(*units) if len(units) > 2 else units[0])


def _distinct(terms: Sequence[str]) -> Sequence[str]:
    """Terms that are one in their normal form count once."""
    if len(terms) == 1:
        return terms
    return list({chunker.normal(term): term for term in terms}.values())


def load(path: str | Path) -> IndexStatistics:
    """The statistics of an index file."""
    return IndexStatistics(path)


def shares(own: str | None, weight: float) -> list[tuple[IndexStatistics, float]]:
    """The user's statistics with their weight and ours with the rest; what has no weight is left out."""
    if own is None:
        return [(default(), 1.0)]
    return [(s, w) for s, w in ((load(own), weight), (default(), 1 - weight)) if w > 0]


def blended(own: str | None, weight: float) -> Statistics:
    """The user's statistics and ours as one."""
    found = shares(own, weight)
    return found[0][0] if len(found) == 1 else Blend(found)


@cache
def default() -> IndexStatistics:
    """The statistics that come with Sfumato: articles of a sample of English Wikipedia."""
    return load(str(resources.files("sfumato.know") / "data" / DEFAULT))
