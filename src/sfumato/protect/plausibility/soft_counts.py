"""How many texts could have been the original, by what the taxonomies hold for possible."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from sfumato.facts.values import Amount, Place
from sfumato.know.taxonomy import places, softening
from sfumato.protect.plausibility.orders import Ranged
from sfumato.protect.plausibility.ranges import LEVELS, CountedBand, SoftenedBands, counts
from sfumato.protect.plausibility.soft_facts import Life, SoftFact
from sfumato.protect.plausibility.trees import DEEPEST


def texts_of(
    text: str, facts: Sequence[SoftFact], every: Sequence[SoftFact], life: Life | None
) -> int:
    """How many texts could have been the original: of words, the product of their volumes; of dates and
    numbers, what fits in whatever order the text tells them; and of places that may lie in each other, those
    of one. Those of other units, among `every`, stand still."""
    said = [f for f in every if f.level and not f.derived]
    dates = {f: _date(f) for f in said if f.sort in LEVELS}
    bands = {f: _band(f, text) for f in said if isinstance(f.value, Amount)}
    pair = life.dates if life is not None and life.aged else None
    ranges = SoftenedBands(dates, bands, [f for f in pair or () if f in dates])
    own = [f for f in facts if f.level and f.pays]
    ranged = [f for f in own if f in dates or f in bands]
    located = Counter(_node(f) for f in said if f.sort == "place")
    inside = Counter(_node(f) for f in own if f.sort == "place")
    words = (f.volume for f in own if f.sort == "noun")
    return math.prod(words) * ranges.sets(ranged) * math.prod(_places(inside, located))


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


def in_long_chains(facts: Sequence[SoftFact]) -> list[SoftFact]:
    """The places of which each lies in the next, and that are more than are counted together."""
    found = {f: f.value.node for f in facts if isinstance(f.value, Place)}
    above = {f: {*places.default().above(node)} for f, node in found.items()}
    chains = [[g for g in found if found[g] in above[f]] for f in found]
    return [*dict.fromkeys(f for chain in chains if len(chain) > DEEPEST + 1 for f in chain)]


def _node(fact: SoftFact) -> int:
    return int(fact.rung.concept.partition(":")[2])


def _date(fact: SoftFact) -> Ranged:
    key = _node(fact)
    if fact.sort == "day of year":
        return Ranged(0, 0, 0, fact.volume, month=key // 100)
    return Ranged(LEVELS[fact.sort], *softening.span_ends(key), fact.volume)


def _band(fact: SoftFact, text: str) -> CountedBand:
    low, high = map(int, fact.rung.concept.partition(":")[2].split(".."))
    said = fact.said(fact.mentions[0], text)
    assert isinstance(fact.value, Amount)
    decimals = max(0, -int(fact.value.number.as_tuple().exponent))
    kind = "" if fact.sort == "age" else counts(said)
    return CountedBand(kind, low, high, decimals, fact.volume)
