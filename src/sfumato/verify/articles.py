"""How many articles hold a term, a generalisation, or several at once: for the check of disclosure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyroaring import BitMap

from sfumato.know import sources
from sfumato.know.statistics import probability as statistics
from sfumato.know.statistics.concepts import ConceptUnits
from sfumato.know.statistics.probability import BackOff, IndexStatistics
from sfumato.know.taxonomy.chain import Chain
from sfumato.policy import Know

COUNTED = (BackOff.NONE, BackOff.PARTS)  # a term of which so much is known can be assessed


@dataclass(frozen=True, slots=True)
class Count:
    """The articles of a source that may hold something, how many do, and whether that was counted."""

    articles: BitMap
    number: float
    known: bool


class Articles:
    """The statistics and taxonomies, one source after the other, each with its share."""

    def __init__(self, know: Know, options: Mapping[str, Any]) -> None:
        self.chain: Chain = sources.taxonomy_for(know)
        self.indexes: list[tuple[IndexStatistics, ConceptUnits, float]] = [
            (index, ConceptUnits(index, self.chain), weight)
            for index, weight in statistics.shares(know.index, know.weight)
        ]
        self.beside = bool(options["disambiguate"])
        self._intrinsic = bool(options["intrinsic"])
        self._support = int(options["support"])

    def words(self, said: str, above: Sequence[str]) -> tuple[Count, ...]:
        """A term as it stands; `above` are the words next above it, where the policy counts it with them."""
        return tuple(self._words(index, said, above) for index, _, _ in self.indexes)

    def _words(self, index: IndexStatistics, said: str, above: Sequence[str]) -> Count:
        found = index.known(said)
        if found.units is None:
            return Count(BitMap(range(index.size)), float(index.size), False)
        if self.beside and found.units and found.backoff is BackOff.NONE:
            near = BitMap()
            for word in above:
                near |= index.known(word).units or BitMap()
            if len(found.units & near) >= 5:
                both = found.units & near
                return Count(both, float(len(both)), True)
        number = found.estimate
        if self._intrinsic and found.backoff > BackOff.FUNCTION:
            steps = self.chain.ladder(said)
            if steps and steps[0].bits > 0:
                number = index.size * 2.0 ** -steps[0].bits
        if found.units:
            number = min(number, len(found.units))
        return Count(found.units, number, bool(found.units) and found.backoff in COUNTED)

    def concept(self, concept: str, words: str) -> tuple[Count, ...]:
        """A generalisation: everything that holds it or a specialisation; words that are no concept count
        wherever all of them stand."""
        made = []
        for index, concepts, _ in self.indexes:
            articles = concepts.units(concept) if concept else BitMap()
            if not articles and concept.partition(":")[0] not in ("calendar", "ranges"):
                found = index.known(words)
                articles = (found.units or BitMap()) if found.backoff in COUNTED else BitMap()
            made.append(Count(articles, float(len(articles)) or 0.5, bool(articles)))
        return tuple(made)

    def p(self, *rows: tuple[Count, ...]) -> float:
        """The probability that an article holds all of some rows: equations (13) and (14)."""
        total = 0.0
        for at, (index, _, weight) in enumerate(self.indexes):
            total += weight * self._p([row[at] for row in rows], index.size)
        return total

    def _p(self, rows: Sequence[Count], size: int) -> float:
        placed = [r for r in rows if r.articles]
        apart = math.prod(r.number / size for r in rows if not r.articles)
        if not placed:
            return apart
        if len(placed) == 1:
            return placed[0].number / size * apart
        if len(placed) == 2:
            both = float(placed[0].articles.intersection_cardinality(placed[1].articles))
        else:
            both = float(len(BitMap.intersection(*(r.articles for r in placed))))
        if both < self._support:
            expected = size * math.prod(len(r.articles) / size for r in placed)
            chance = expected / (1 + 2 * expected)
            both = min(both, chance) if both else chance
        return both / size * math.prod(r.number / len(r.articles) for r in placed) * apart
