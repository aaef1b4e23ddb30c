"""How many texts lead to what is released of some facts: assignments of values to them, no two the same."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from sfumato.know.taxonomy import softening, wordnet
from sfumato.protect.plausibility.orders import Ranged
from sfumato.protect.plausibility.ranges import LEVELS, CountedBand, SoftenedBands, counts
from sfumato.protect.plausibility.softened import Softened
from sfumato.protect.plausibility.trees import DEEPEST, NodeSort, ToldByNodes, span_of

Taken = Counter[tuple[str, Any]]  # how many, by what values facts have


class Counting:
    """Counts the facts of units beside all that are released as something; of two dates that tell an age
    (`life`) only those in which nobody is too old for one."""

    def __init__(
        self, text: str, said: Sequence[Softened], told: ToldByNodes, life: Sequence[Softened]
    ) -> None:
        self._told = told
        bands = {f: _band(f, text) for f in said if f.sort.tree == "number"}
        self._ranges = SoftenedBands(
            {f: _date(f) for f in said if f.sort.name in LEVELS}, bands, life
        )
        self._located = Counter(f.node for f in said if f.sort.name == "place")
        self._chains: dict[int, int | None] = {}

    def texts(self, own: Sequence[Softened]) -> int:
        """Of how many texts a unit with these facts is one."""
        by_node: dict[int, list[Softened]] = defaultdict(list)
        for fact in own:
            if fact.sort.name == "place":
                by_node[fact.node].append(fact)
        words = words_apart(f for f in own if f.sort.tree == wordnet.NAME)
        return words * self._ranges.sets(own) * math.prod(map(self._places, by_node.values()))

    def _places(self, some: Sequence[Softened]) -> int:
        """Places that are released as one node: one may lie in another, and then they count as one."""
        first, others = some[0], len(some) - 1
        if len(some) < self._located[first.node]:
            return 1
        count = min(f.count for f in some) - others
        if others:
            assert isinstance(first.sort, NodeSort)
            if first.node not in self._chains:
                self._chains[first.node] = first.sort.chains(
                    first.node, first.size, self._told, min(others, DEEPEST)
                )
            chains = self._chains[first.node]
            count = count if chains is None else min(count, chains)
        return max(1, count)


def words_apart(words: Iterable[Softened]) -> int:
    """How many ways there are to say words, no two the same. Those of one node that cannot all be assigned
    one keep what they have, which others must then go without."""
    groups: dict[tuple[str, Any], list[Softened]] = defaultdict(list)
    for fact in words:
        groups[fact.values].append(fact)
    taken = overlapping([f for some in groups.values() for f in some], Taken())
    made: dict[tuple[str, Any], int] = {}
    fixed = 0
    while True:
        for key in [key for key in groups if key not in made or made[key]]:
            counts = sorted(fact.count for fact in groups[key])
            made[key] = math.prod(max(0, n - at) for at, n in enumerate(counts, taken[key] + fixed))
        stuck = [key for key, many in made.items() if not many and key in groups]
        if not stuck:
            return math.prod(filter(None, made.values()))
        for key in stuck:
            fixed += len(groups.pop(key))


def overlapping(facts: Iterable[Softened], taken: Taken, both: bool = False) -> Taken:
    """How many values of each node are taken by facts of other nodes, beside those that are taken already: by
    those that lie below it, which choose first, or, if `both`, above. What is asked of two facts may differ,
    so that a value may be in the class of either."""
    facts = list(facts)
    made, some = taken.copy(), {f.values: f for f in facts}
    many = Counter(f.values for f in facts)
    for own, around in chain(_inside(some), _meeting(n for n in some if n[0] == "number")):
        made[around] += many[own]
        made[own] += many[around] if both else taken[around]
    return made


def _inside(some: Mapping[tuple[str, Any], Softened]) -> Iterator[tuple[tuple[str, Any], ...]]:
    """Which nodes of words, places and dates lie below which others."""
    for own, fact in some.items():
        for node in fact.sort.around(fact.node):
            if (around := (fact.kin, fact.sort.concept(node))) in some:
                yield own, around


def _meeting(bands: Iterable[tuple[str, Any]]) -> Iterator[tuple[tuple[str, Any], ...]]:
    """Which bands of numbers have values in common, the narrower first."""
    order = sorted(bands, key=lambda band: (band[1][1] - band[1][0], band[1]))
    low, high = np.array([ends for _, ends in order]).reshape(-1, 2).T
    for at, own in enumerate(order):
        meets = (low[at + 1 :] <= high[at]) & (low[at] <= high[at + 1 :])
        yield from ((own, order[at + 1 + n]) for n in np.flatnonzero(meets).tolist())


def is_lifted(fact: Softened) -> bool:
    """Whether a date gave way to something that is hidden."""
    return fact.sort.tree == "calendar" and fact.sort.first_span(fact.size) != span_of(fact.node)  # type: ignore[attr-defined]


def _date(fact: Softened) -> Ranged:
    if fact.sort.name == "day of year":
        return Ranged(0, 0, 0, fact.count, month=fact.node // 100)
    ends = softening.span_ends(fact.node)
    return Ranged(LEVELS[fact.sort.name], *ends, fact.count, is_lifted(fact))


def _band(fact: Softened, text: str) -> CountedBand:
    kind = "" if fact.sort.name == "age" else counts(fact.words(text, fact.mentions[0]))
    return CountedBand(kind, fact.node[0], fact.node[-1], fact.decimals, fact.count)
