"""How many texts lead to what is released of some facts: assignments of values to them, no two the same.

Of dates and amounts one of each dimension pays at most (see `tied`). Words of which one may be said of what
another means ("leukaemia … the cancer") pay as one, and so do all places.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from sfumato.know.taxonomy import softening, wordnet
from sfumato.protect.plausibility.softened import Softened
from sfumato.protect.plausibility.trees import DEEPEST, NodeSort, ToldByNodes, span_of

Taken = Counter[tuple[str, Any]]  # how many, by what values facts have
_Class = tuple[str, int]  # of words: their sort and node


class Counting:
    """Counts the facts of units beside all that are `said`, and those that have labels: these keep what they
    have. Of each word, by its `id`, some values would not be read by themselves where it stands."""

    def __init__(
        self,
        facts: Iterable[Softened],
        said: Sequence[Softened],
        told: ToldByNodes,
        unread: Mapping[int, frozenset[int]],
        near: bool = False,
    ) -> None:
        self._told, self._near = told, near
        self._located = Counter(f.node for f in said if f.sort.name == "place")
        self._labels = Counter(f.sort.tree for f in facts if f.node is None)
        self._joint: dict[int, int] = {}
        words = [f for f in said if f.sort.tree == wordnet.NAME]
        lines = _lines(words, told.synsets)
        self._lines = [(len(line), self._line(line, told.synsets, unread)) for line in lines]
        self._line_of = {fact: at for at, line in enumerate(lines) for fact in line}

    def texts(self, own: Sequence[Softened]) -> int:
        """Of how many texts a unit with these facts is one."""
        by_node: dict[int, list[Softened]] = defaultdict(list)
        made, inside = 1, Counter(self._line_of[f] for f in own if f in self._line_of)
        for fact in own:
            if fact.sort.name == "place":
                by_node[fact.node].append(fact)
            elif fact.sort.tree != wordnet.NAME:
                made *= max(1, fact.count)
        # one of a line that is told elsewhere may tell of what is told here
        made *= math.prod(self._lines[n][1] for n in inside if inside[n] == self._lines[n][0])
        return made * min(map(self._places, by_node.values()), default=1)

    def _line(
        self, line: Sequence[Softened], told: frozenset[int], unread: Mapping[int, frozenset[int]]
    ) -> int:
        """How many values one of some words has at least that may all tell of one thing: where values lie
        below others that another word may have, those that do."""
        others = len(line) - 1
        least = min(f.count for f in line) - others - self._labels[wordnet.NAME]
        lost = told.union(*(unread.get(id(f), ()) for f in line))
        alike = _by_class(line) if others else {}
        nested = list[int]()
        for key, some in alike.items():
            longest = min(len(some) - 1, DEEPEST)
            for fact in _of_each_size(some):
                assert isinstance(fact.sort, NodeSort)
                nested += fact.sort.nested(fact.node, fact.size, lost, longest)
            for other in (others for k, others in alike.items() if k != key):
                if below := _below(some, _members(other) - told):
                    nested.append(len(below - lost))
        return max(1, min([least, *map(softening.certainly_found, nested)]))

    def _places(self, some: Sequence[Softened]) -> int:
        """Places that are released as one node, of which one may lie in another, or none: so many as one of
        them may be whichever the text tells."""
        first, others = some[0], len(some) - 1
        labels = self._labels[first.sort.tree]
        if len(some) < self._located[first.node]:
            return 1
        if self._near and (others != 1 or labels or len(self._located) > 1):
            return 1
        count = min(f.count for f in some) - others
        if others:
            assert isinstance(first.sort, NodeSort)
            if first.node not in self._joint:
                self._joint[first.node] = first.sort.joint(
                    first.node, first.size, self._told, min(others, DEEPEST)
                )
            count = min(count, self._joint[first.node] - others)
        return max(1, count - labels)


def members(fact: Softened) -> frozenset[int]:
    """The synsets that a word may mean as it is released."""
    assert isinstance(fact.sort, NodeSort)
    return fact.sort.within(fact.node, fact.size)[0]


def _members(some: Iterable[Softened]) -> frozenset[int]:
    """The same for words of one class; what is asked of them may differ by one."""
    return frozenset[int]().union(*(members(f) for f in _of_each_size(some)))


def _around(some: Iterable[Softened]) -> frozenset[int]:
    """What holds one of these synsets, or is one."""
    return frozenset[int]().union(
        *(f.sort.within(f.node, f.size)[1] for f in _of_each_size(some))  # type: ignore[attr-defined]
    )


def _of_each_size(some: Iterable[Softened]) -> Iterable[Softened]:
    return {fact.size: fact for fact in some}.values()


def _below(some: Sequence[Softened], others: frozenset[int]) -> frozenset[int]:
    """Of the synsets that words of a class may mean, those that are a sort of one of others."""
    above, holders = wordnet.default().subsumers_of, others & _around(some)
    own = _members(some) if holders else frozenset[int]()
    return frozenset(n for n in own if not (holders & above(n)) <= {n})


def _by_class(words: Iterable[Softened]) -> dict[_Class, list[Softened]]:
    by_class: dict[_Class, list[Softened]] = defaultdict(list)
    for fact in words:
        by_class[fact.sort.name, fact.node].append(fact)
    return by_class


def _lines(words: Iterable[Softened], told: frozenset[int]) -> list[list[Softened]]:
    """Words of which one may mean what another does, or a sort of it, and so on. What a node tells no other
    word means: it would have given way."""
    by_class = _by_class(words)
    lines: dict[_Class, list[_Class]] = {key: [key] for key in by_class}
    holding: dict[int, _Class] = {}
    for key, some in by_class.items():
        for value in _members(some) - told:
            _join(lines, holding.setdefault(value, key), key)
    for key, some in by_class.items():
        for value in _around(some) & holding.keys():
            _join(lines, holding[value], key)
    found = {id(line): line for line in lines.values()}.values()
    return [[f for key in line for f in by_class[key]] for line in found]


def _join(lines: dict[_Class, list[_Class]], one: _Class, other: _Class) -> None:
    if lines[one] is not lines[other]:
        lines[one] += lines[other]
        for key in lines[other]:
            lines[key] = lines[one]


def overlapping(facts: Iterable[Softened]) -> Taken:
    """How many others have values of each node, or of one below or above it: what is asked of two facts may
    differ, so that a value may be in the class of either."""
    facts = list(facts)
    some = {f.values: f for f in facts}
    many = Counter(f.values for f in facts)
    made = many.copy()
    for own, around in chain(_inside(some), _meeting(n for n in some if n[0] == "number")):
        made[around] += many[own]
        made[own] += many[around]
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
