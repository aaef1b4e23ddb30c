"""How many texts could have been the original, by what the taxonomies hold for possible."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import numpy as np

from sfumato.facts.values import Days
from sfumato.know.taxonomy import named, places, telling, wordnet
from sfumato.know.taxonomy.chain import Chain
from sfumato.know.taxonomy.ladder import Sense
from sfumato.protect.plausibility.soft_facts import SoftFact
from sfumato.protect.plausibility.trees import DEEPEST, values_known

_DIMENSION = {"noun": "", "place": "place"}


class TextCounting:
    """Counts texts by the taxonomies of a policy."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._known: dict[str, tuple[str, ...]] = {}

    def texts(self, facts: Sequence[SoftFact], every: Sequence[SoftFact]) -> int:
        """How many texts could have been the original: of words, of which those count as one that may tell of
        one thing, the product of their volumes; of times and of amounts that of the one that pays; and of
        places that may lie in each other, those of one. Those of other units, among `every`, stand still."""
        said = [f for f in every if f.level and not f.derived]
        nouns = [f for f in said if f.sort == "noun"]
        tied = {of for of in telling.DIMENSIONS if _may_tell(nouns, of)}
        own = [
            f for f in facts if f.level and f.pays and _DIMENSION.get(f.sort, "time") not in tied
        ]
        located = Counter(_node(f) for f in said if f.sort == "place")
        inside = Counter(_node(f) for f in own if f.sort == "place")
        ranged = (_values(f) for f in own if f.sort not in ("noun", "place"))
        lines = self._lines(nouns)
        words = (min(f.volume for f in line) for line in lines if {*own}.issuperset(line))
        return math.prod(words) * math.prod(ranged) * min(_places(inside, located), default=1)

    def _lines(self, words: Sequence[SoftFact]) -> Iterable[list[SoftFact]]:
        """Words of which one is said by what holds the other, or by the same."""
        lines: dict[str, list[SoftFact]] = {}
        for fact in words:
            lines.setdefault(self._above(fact.rung.concept)[0], []).append(fact)
        for own, (fact, *_) in tuple(lines.items()):
            for other in lines.keys() & self._above(fact.rung.concept):
                one, joined = lines[own], lines[other]
                if one is not joined:
                    one += joined
                    lines |= dict.fromkeys((self._above(f.rung.concept)[0] for f in joined), one)
        return {id(line): line for line in lines.values()}.values()

    def _above(self, concept: str) -> tuple[str, ...]:
        """A concept and what holds it, each alike whichever taxonomy has it: what names are by words, and by
        WordNet's concepts."""
        if concept not in self._known:
            taxonomy, _, key = concept.partition(":")
            number, is_phrase, dropped = key.partition("/")
            found, synset = list[str](), int(number)
            if taxonomy == named.NAME and is_phrase:
                table = self._chain[named.NAME]
                assert isinstance(table, named.Named)
                phrase, synset, _ = table.kinds()[synset]
                found = [f"{taxonomy}:{tail}" for tail in named.tails(phrase)[int(dropped) :]]
            if taxonomy in (named.NAME, wordnet.NAME):
                above = wordnet.default().subsumers_of(synset)  # by all parents
                found += [f"{wordnet.NAME}:{n}" for n in (synset, *above)]
            else:
                climbed = self._chain.climb(Sense(taxonomy, synset, ""))
                found = [concept, *(step.concept for step in climbed)]
            self._known[concept] = tuple(found)
        return self._known[concept]


def _places(own: Counter[int], every: Counter[int]) -> Iterator[int]:
    """Of places that are said by one name, or by one that holds the other, how many there are: the narrowest
    count, and of these such as may lie in as many others."""
    above = {node: places.default().above(node) for node in every}
    for node in own:
        near = [n for n in every if n in above[node] or node in above[n]]
        if any(n != node and node in above[n] for n in near):
            continue
        if all(own[n] == every[n] for n in near):
            others = min(sum(every[n] for n in near) - 1, DEEPEST)
            yield min(_leaves(node, between) for between in range(others + 1))


@cache
def _leaves(node: int, between: int) -> int:
    """How many leaves lie below a place with so many others between them and it; all, where none does."""
    parents = places.default().parents
    at = np.setdiff1d(np.arange(len(parents)), parents)
    found = list[int]()  # by how many lie between, and first the place itself
    while len(at):
        found.append(int((at == node).sum()))
        at = parents[at[(at != node) & (at != 0)]]
    return sum(found[between + 1 :]) or sum(found)


def _may_tell(nouns: Iterable[SoftFact], dimension: telling.Dimension) -> bool:
    """Whether a word that is released may be one that tells a time or a sort of place."""
    concepts = (f.rung.concept.partition(":") for f in nouns)
    above = telling.mask_above(dimension)
    return any(taxonomy == wordnet.NAME and above[int(key)] for taxonomy, _, key in concepts)


def _node(fact: SoftFact) -> int:
    return int(fact.rung.concept.partition(":")[2])


def _values(fact: SoftFact) -> int:
    if isinstance(fact.value, Days) and fact.value.level != "decade":
        return max(1, values_known(_node(fact), fact.value.level))
    return fact.volume
