"""Terms as rows of units: what the statistics and the taxonomies say about the terms of a document.

The row of words is the set of articles that hold them; of a phrase that the index does not have, those with
all its words, of which it is taken to stand in few (`sfumato.know.statistics`). The row of a generalisation
is the set of articles that hold it **or any of its specialisations** (section 3.2, `statistics.concepts`).
Nothing depends on the document: whoever has the statistics counts the same.

A phrase that is put for a longer one ("breast cancer" for "curable breast cancer") counts wherever all its
words stand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from pyroaring import BitMap

from sfumato.facts.ladders import Ladder, Rung
from sfumato.know import sources
from sfumato.know.statistics import probability as statistics
from sfumato.know.statistics.concepts import VALUES, ConceptUnits
from sfumato.know.statistics.probability import BackOff, IndexStatistics, Known
from sfumato.know.taxonomy import chain as taxonomy
from sfumato.know.taxonomy.chain import Chain
from sfumato.policy import Know
from sfumato.protect.disclosure.counts import BlendCounts, Counts, UnitCounts
from sfumato.protect.disclosure.generalise import ladder

# Articles that must be left of a term that is counted with its generalisations only
LEAST_SENSE = 5
NEAR = 3  # steps above the first sense of a term that count as its generalisations there
SURE = (BackOff.NONE, BackOff.PARTS)  # a hidden term of which so much is known can be assessed


@dataclass(frozen=True)
class WeightedIndex:
    """An index, the articles of concepts in it, and its share."""

    statistics: IndexStatistics
    concepts: ConceptUnits
    weight: float


@dataclass(frozen=True)
class Knowledge:
    """The knowledge behind rows. Holds no documents."""

    chain: Chain
    sources: tuple[WeightedIndex, ...]

    @classmethod
    def of(cls, index: IndexStatistics, chain: Chain) -> Knowledge:
        return cls(chain, (WeightedIndex(index, ConceptUnits(index, chain), 1.0),))


@cache
def knowledge_for(settings: Know) -> Knowledge:
    """What a policy's `know` names, opened once for a process."""
    chain = sources.taxonomy_for(settings)
    shares = statistics.shares(settings.index, settings.weight)
    return Knowledge(chain, tuple(WeightedIndex(s, ConceptUnits(s, chain), w) for s, w in shares))


@cache
def default() -> Knowledge:
    """The statistics and taxonomies that come along."""
    return Knowledge.of(statistics.default(), taxonomy.default())


@dataclass(frozen=True, slots=True)
class LadderRows:
    """The rows of one ladder, and whether the statistics know the term itself well enough to assess it."""

    options: tuple[int, ...]
    assessed: bool


class Catalogue:
    """The rows of one document's terms. They stay what they are when the document is looked at again.

    `disambiguate` counts a term only where one of its next generalisations stands in the same article
    ("cancer" and "disease", not the constellation), unless too little is left.
    `intrinsic` takes the information of terms that the index does not count from the taxonomy (intrinsic IC).
    `least` is how many articles must hold two terms before that is evidence.
    """

    def __init__(
        self,
        knowledge: Knowledge,
        *,
        disambiguate: bool = False,
        intrinsic: bool = False,
        least: int = 1,
    ) -> None:
        self.knowledge = knowledge
        self._makers = [
            _Maker(s, knowledge.chain, disambiguate, intrinsic, least) for s in knowledge.sources
        ]
        self.counts: Counts = self._makers[0].counts
        self._blend: BlendCounts | None = None
        if len(self._makers) > 1:
            weights = (s.weight for s in knowledge.sources)
            self._blend = BlendCounts(
                [(m.counts, w) for m, w in zip(self._makers, weights, strict=True)]
            )
            self.counts = self._blend
        self._ladders: dict[tuple[int, int, str], Ladder] = {}

    def ladder(self, text: str, start: int, end: int, kind: str) -> Ladder:
        """The ladder of a span of the document."""
        found = self._ladders.get((start, end, kind))
        if found is None:
            found = ladder(self.knowledge.chain, text, start, end, kind)
            self._ladders[start, end, kind] = found
        return found

    def rows(self, steps: Ladder) -> LadderRows:
        """The rows of a ladder."""
        made = [maker.rows(steps) for maker in self._makers]
        if self._blend is None:
            return made[0]
        options = (self._blend.add(each) for each in zip(*(r.options for r in made), strict=True))
        return LadderRows(tuple(options), any(r.assessed for r in made))


class _Maker:
    """The rows of one source."""

    def __init__(
        self, source: WeightedIndex, chain: Chain, disambiguate: bool, intrinsic: bool, least: int
    ) -> None:
        self.counts = UnitCounts(source.statistics.size, least)
        self._source, self._chain = source, chain
        self._disambiguate, self._intrinsic = disambiguate, intrinsic
        self._made: dict[str, int] = {}
        self._terms: dict[str, tuple[int, bool]] = {}

    def rows(self, steps: Ladder) -> LadderRows:
        first, assessed = self._term(steps[0].words)
        return LadderRows((first, *(self._general(rung) for rung in steps[1:])), assessed)

    def _term(self, words: str) -> tuple[int, bool]:
        if words not in self._terms:
            known = self._known(words)
            row = self.counts.add(known.units, known.estimate)
            self._terms[words] = row, bool(known.units) and known.backoff in SURE
        return self._terms[words]

    def _general(self, rung: Rung) -> int:
        key = rung.concept or f" {rung.words}"
        if key not in self._made:
            self._made[key] = self.counts.add_later(lambda: self._articles(rung))
        return self._made[key]

    def _articles(self, rung: Rung) -> BitMap:
        """What holds a generalisation or anything below it."""
        units = self._source.concepts.units(rung.concept) if rung.concept else BitMap()
        if not units and rung.concept.partition(":")[0] not in VALUES:
            known = self._source.statistics.known(rung.words)
            units = (known.units or BitMap()) if known.backoff in SURE else BitMap()
        return units

    def _known(self, term: str) -> Known:
        index = self._source.statistics
        known = index.known(term)
        if self._disambiguate and known.units and known.backoff is BackOff.NONE:
            steps = self._chain.ladder(term)[1 : NEAR + 1]
            above = [index.known(step.term).units for step in steps]
            left = known.units & BitMap.union(BitMap(), *(u for u in above if u))
            if len(left) >= LEAST_SENSE:
                return Known(left, len(left), len(left), BackOff.NONE)
        if self._intrinsic and known.backoff > BackOff.FUNCTION:
            steps = self._chain.ladder(term)
            if steps and steps[0].bits > 0:
                estimate = index.size * 2.0 ** -steps[0].bits
                return Known(known.units, known.seen, estimate, known.backoff)
        return known
