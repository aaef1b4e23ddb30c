"""The trees on which facts are softened: words, places, days, ages and amounts.

A *sort* is a tree with the values that may stand there. For a number of values it says as which nodes a value
may be released, the nearest first, and how many values the program releases as a node, less those that it
would not release so because of something else that the release says (`ToldByNodes`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from typing import Any, Protocol

import numpy as np

from sfumato.english.births import this_year
from sfumato.english.numbers import currency
from sfumato.facts.values import AGE, Amount, DayOfYear, Days, Place, Value
from sfumato.know.taxonomy import places, softening, telling, wordnet
from sfumato.know.taxonomy.ranges import AGE_WIDTHS
from sfumato.know.taxonomy.softening import SPANS, DateLevel, WordSort
from sfumato.protect.plausibility.closed import NOWHERE, Bools, ClosedCut, ClosedTree, Ints

_WIDEST = 10**6  # a band of more numbers says nothing
_SHOWN = 2  # members of a class that a reason names
DEEPEST = 2  # places that hold one and are counted with it


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun, whatever stands around it."""

    synset: int


class ToldByNodes:
    """What the released nodes of a document say: who has such a value is not released as the class that it is
    in. `spans` are those of dates that gave way to something else, first and last year; `near` is in how many
    facts each place may be told."""

    def __init__(
        self,
        nodes: Iterable[tuple[str, str]],
        spans: Iterable[range] = (),
        near: Ints | None = None,
    ) -> None:
        synsets, found = set[int](), set[int]()
        self.months, self.years = set[int](), set[int]()
        self.spans, self.near = list(spans), near
        for concept, said in set(nodes):
            taxonomy, _, key = concept.partition(":")
            if taxonomy == wordnet.NAME:
                synsets |= wordnet.default().subsumers_of(int(key))
            elif taxonomy == places.NAME:
                found.update(places.default().above(int(key)))
            elif taxonomy == "calendar" and int(key) >= 10000 and not int(key) % 100:
                self.years.add(int(key) // 10000)
                self.months.add(int(key))
            if taxonomy in (wordnet.NAME, places.NAME):
                by_words = softening.read_in(said)
                synsets, found = synsets | by_words[0], found | by_words[1]
        self.synsets = frozenset(synsets)
        self.places = np.array(sorted(found), dtype=np.int64)

    def beside(self, unread: frozenset[int]) -> ToldByNodes:
        """The same for a word in whose place some synsets would not be read by themselves."""
        if not unread:
            return self
        made = copy(self)
        made.synsets = self.synsets | unread
        return made


class Sort(Protocol):
    """What knows how values are softened so that many of them look the same."""

    @property
    def name(self) -> str:
        """As a claim has it."""

    @property
    def tree(self) -> str:
        """Values of one tree may be equal, or one may hold the other."""

    @property
    def cap(self) -> int | None:
        """The most values that one node may stand for, where there is such a number."""

    def path(self, value: Any, size: int) -> Iterator[int | range]:
        """The nodes as which a value may be released so that at least `size` look the same."""

    def concept(self, node: Any) -> str:
        """A node as a claim has it."""

    def said(self, node: Any) -> str:
        """A node in words."""

    def count(self, node: Any, size: int, told: ToldByNodes) -> int:
        """How many values are released as a node, as far as nothing else that is told forbids it."""

    def around(self, node: Any) -> Iterator[Any]:
        """The nodes that hold a node."""

    def examples(self, node: Any, size: int) -> list[str]:
        """Some of these values, the same for all of them."""


class NodeSort:
    """Words or places: every node is a value of its own. Words that are `standing` do not count."""

    cap = None

    def __init__(
        self,
        name: str,
        taxonomy: str,
        tree: ClosedTree,
        diverse: int = 1,
        others: int = 0,
        standing: frozenset[int] = frozenset(),
    ) -> None:
        self.name, self.tree, self.standing = name, taxonomy, standing
        self._nodes, self._diverse, self._others = tree, diverse, others

    def _cut(self, size: int) -> ClosedCut:
        of_words = self.tree == wordnet.NAME
        tau = softening.words_for(size) if of_words else size
        return self._nodes.cut(tau, self._diverse, self._others)

    def path(self, value: Noun | Place, size: int) -> Iterator[int]:
        if size > len(self._nodes.parents):
            return
        cut = self._cut(size)
        at = value.synset if isinstance(value, Noun) else value.node
        while (at := cut.released_as(at)) != NOWHERE:
            yield at

    def concept(self, node: int) -> str:
        return f"{self.tree}:{node}"

    def said(self, node: int) -> str:
        if self.tree == places.NAME:
            return places.default().written(node)
        return wordnet.default().word(node).replace("_", " ")

    def count(self, node: int, size: int, told: ToldByNodes) -> int:
        if self.tree == places.NAME:
            return self._count_places(node, size, told)
        many, own = len(self.members(node, size)), self.within(node, size)[0]
        lost = many - len(own) + len(own & told.synsets)
        return softening.certainly_found(many) - lost

    def _count_places(self, node: int, size: int, told: ToldByNodes) -> int:
        """Of the places of a class, those that are told neither by a node nor by the name of this one, and
        that their names mean and tell alone beside all that other facts may tell."""
        members, said = self.members(node, size), set(told.places.tolist())
        left = members[~np.isin(members, [*said, *places.default().told_by(node)])]
        waver = left[softening.place_tree().wavering[left]].tolist()
        own = set(members.tolist())

        def is_near(place: int) -> bool:
            return told.near is not None and told.near[place] > (place in own)

        lost = 0
        for others, tells in map(softening.beside, waver):
            lost += any(map(is_near, others)) or not said.isdisjoint(tells)
        return len(left) - lost

    def joint(self, node: int, size: int, told: ToldByNodes, longest: int) -> int:
        """Of places that are released as a node, how many one of them may be: where each lies in the next,
        of whatever length up to one, and where none does. The last of a chain is of its class, and the others
        give way, as their own nodes lie in what is hidden."""
        lost = [*told.places.tolist(), *places.default().told_by(node).tolist()]
        own = self.members(node, size)
        free = np.setdiff1d(own[self._nodes.sure[own]], _array(lost))
        apart = len(free) - int(self._nodes.holding(free)[free].sum())
        return min([apart, *self.nested(node, size, lost, longest)])

    def nested(self, node: int, size: int, lost: Iterable[int], longest: int) -> list[int]:
        """The same by their length, less what is lost; as far as there are any."""
        cut, tree = self._cut(size), self._nodes
        free = tree.sure.copy()
        free[_array({*lost} | self.standing)] = False
        below = tree.below(node)
        known = [_longest(below[m[below]], m, cut, node) for m in (free, tree.values)]
        lengths = range(1, min(longest, int(known[1].max(initial=0))) + 1)
        return [int((known[0] >= length).sum()) for length in lengths]

    @lru_cache(maxsize=256)  # noqa: B019 - sorts are few, and live as long as the program
    def names(self, node: int, size: int) -> tuple[str, ...]:
        """What the values are called that are released as a node."""
        members = self.members(node, size).tolist()
        if self.tree == places.NAME:
            return tuple(map(self.said, members))
        return tuple(name for n in members for name in wordnet.default().terms_of(n))

    @lru_cache(maxsize=1024)  # noqa: B019 - as above
    def members(self, node: int, size: int) -> Ints:
        """The values that are released as a node."""
        cut = self._cut(size)
        here = self._nodes.values & (cut.exits[cut.parents] == node)
        return np.flatnonzero(here & (cut.parents != np.arange(len(here))))

    @lru_cache(maxsize=256)  # noqa: B019 - as above
    def within(self, node: int, size: int) -> tuple[frozenset[int], frozenset[int]]:
        """The words that are surely released as a node, and all that lie at or above one of them."""
        found = frozenset(self.members(node, size).tolist()) - self.standing
        return found, frozenset(wordnet.default().above_any(found))

    def around(self, node: int) -> Iterator[int]:
        yield from self._nodes.above(node)

    def examples(self, node: int, size: int) -> list[str]:
        return [self.said(n) for n in self.members(node, size)[:_SHOWN].tolist()]


def _array(nodes: Iterable[int]) -> Ints:
    return np.fromiter(nodes, dtype=np.int64)


def _longest(at: Ints, mask: Bools, cut: ClosedCut, node: int) -> Ints:
    """Of values below a node, how many others hold each, of which the last is released as the node."""
    found, most = np.zeros_like(at), np.zeros_like(at)
    ends = cut.exits[cut.parents[at]] == NOWHERE  # it has a label
    while (at != node).any():
        at = np.where(at == node, node, cut.parents[at])
        found = found + mask[at]
        comes = mask[at] & (cut.exits[cut.parents[at]] == node) & (at != node) & ~ends
        most = np.where(comes, found, most)
        ends |= cut.exits[at] == NOWHERE
    return most


class _Dates:
    """Days, months or years, in spans of the calendar."""

    tree = "calendar"

    def __init__(self, level: DateLevel) -> None:
        self.name: DateLevel = level
        self._spans = SPANS[level]
        self.cap = max(self._spans.values())

    def path(self, value: Days, size: int) -> Iterator[int]:
        for span, fewest in self._spans.items():
            if fewest >= size:
                yield softening.span_key(value.first, span)

    def concept(self, node: int) -> str:
        return f"calendar:{node}"

    def said(self, node: int) -> str:
        return softening.span_written(node)

    def count(self, node: int, size: int, told: ToldByNodes) -> int:
        if self.first_span(size) != span_of(node):
            # It gave way to a year or month that holds it: one such value for each of these
            return 1
        first, last = (date.fromordinal(day) for day in softening.span_ends(node))
        found = 0
        if self.name == "year":
            found = sum(first.year <= year <= last.year for year in told.years)
        elif self.name == "month":
            found = sum(
                first.year <= k // 10000 <= last.year for k in told.months if k // 100 % 100
            )
        return values_known(node, self.name) - found

    def around(self, node: int) -> Iterator[int]:
        first, _ = softening.span_ends(node)
        wider = {span: n for span, n in self._spans.items() if n > self._fewest(node)}
        yield from (softening.span_key(first, span) for span in wider)

    def _fewest(self, node: int) -> int:
        return next((n for span, n in self._spans.items() if span == span_of(node)), self.cap)

    def first_span(self, size: int) -> str:
        """As what values are released that give way to nothing."""
        return next((span for span, fewest in self._spans.items() if fewest >= size), "")

    def examples(self, node: int, size: int) -> list[str]:
        return []


def values_known(key: int, level: DateLevel) -> int:
    """How many days, months or years of a span whoever reads the release may think of: of one that this year
    is in, those of the years that are over, or of those to come, whichever are fewer.

    >>> values_known(19800099, "year"), values_known(this_year() * 10000, "day")
    (10, 0)
    """
    first, last = (date.fromordinal(day) for day in softening.span_ends(key))
    if not first.year <= this_year() <= last.year:
        return softening.values_in(key, level)
    years = min(this_year() - first.year, last.year - this_year())
    return years * {"day": 365, "month": 12, "year": 1}[level]


def span_of(key: int) -> str:
    rest = {99: "decade", 98: "century"}.get(key % 100)
    return rest or ("month" if key // 100 % 100 else "year")


class _DaysOfYear:
    """Days of no particular year, in their month."""

    name = tree = "day of year"
    cap = softening.DAYS_OF_YEAR

    def path(self, value: DayOfYear, size: int) -> Iterator[int]:
        if size <= self.cap:
            yield value.month * 100

    def concept(self, node: int) -> str:
        return f"calendar:{node}"

    def said(self, node: int) -> str:
        return softening.span_written(node)

    def count(self, node: int, size: int, told: ToldByNodes) -> int:
        return self.cap if size <= self.cap else 0

    def around(self, node: int) -> Iterator[int]:
        return iter(())

    def examples(self, node: int, size: int) -> list[str]:
        return []


class _Numbers:
    """Ages and amounts in nested bands. A node is a range of numbers in units of the last digit. A bare
    number that is equal to an age is that age."""

    tree = "number"

    def __init__(self, name: str, widths: tuple[int, ...] = ()) -> None:
        self.name, self._widths = name, widths
        self.cap = max(widths) if widths else None

    def path(self, value: int, size: int) -> Iterator[range]:
        if size > _WIDEST:
            return
        if width := next((w for w in self._widths or softening.band_widths() if w >= size), 0):
            low = value // width * width
            yield range(low, low + width)

    def concept(self, node: range) -> str:
        return f"ranges:{node[0]}..{node[-1]}"

    def said(self, node: range) -> str:
        return f"{node[0]:,}–{node[-1]:,}"

    def count(self, node: range, size: int, told: ToldByNodes) -> int:
        if any(span[0] <= node[-1] and node[0] <= span[-1] for span in told.spans):
            return 1  # a date may have given way to this number
        return len(node) - sum(year in node for year in told.years)

    def around(self, node: range) -> Iterator[range]:
        return iter(())  # bands of several last digits meet otherwise

    def examples(self, node: range, size: int) -> list[str]:
        return []


@cache
def word_sort(name: WordSort, diverse: int = 1, stands: bool = False) -> Sort:
    """The sort of a noun: of any, of one that is sensitive, or of one that is not; such as tell a time or a
    sort of place do not count if they stand."""
    standing = telling.standing() if stands else frozenset[int]()
    return NodeSort(name, wordnet.NAME, _word_tree(name), diverse, standing=standing)


@cache
def _word_tree(name: WordSort) -> ClosedTree:
    known = softening.words()
    return ClosedTree(known.parents, known.values[name], known.sayable)


@cache
def place_sort(others: int = 0) -> Sort:
    """The sort of a place, beside so many others that may lie in it or hold it."""
    return NodeSort("place", places.NAME, _place_tree(), others=min(others, DEEPEST))


@cache
def _place_tree() -> ClosedTree:
    known = softening.place_tree()
    sure = known.values & ~known.wavering
    return ClosedTree(known.parents, known.values, known.sayable, told=known.told, sure=sure)


_AGES, _AMOUNTS, _RECURRING = _Numbers("age", AGE_WIDTHS), _Numbers("amount"), _DaysOfYear()
_MONEY = _Numbers("money")
_DATES = {level: _Dates(level) for level in SPANS}


def sort_of(value: Value) -> Sort | None:
    """The sort of a value that is no word; None for what is only ever labelled."""
    match value:
        case Place():
            return place_sort()
        case Days(first=first, last=last, level=("day" | "month" | "year") as level):
            one = _ends(first, level)
            inside = softening.YEARS[0] <= date.fromordinal(first).year <= softening.YEARS[-1]
            return _DATES[level] if inside and one == (first, last) else None
        case DayOfYear(day=day):
            return _RECURRING if day else None
        case Amount(unit=unit, number=number):
            if unit != AGE:
                return _MONEY if currency(unit) else _AMOUNTS
            return _AGES if number == int(number) and 0 <= number < AGE_WIDTHS[-1] else None
    return None


def _ends(day: int, level: DateLevel) -> tuple[int, int]:
    return (day, day) if level == "day" else softening.span_ends(softening.span_key(day, level))
