"""The trees on which facts are softened: words, places, days, ages and amounts.

For a number of values tau, the closed cut of a tree says under which node a value is released: with what
words, as what concept, and together with how many others.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Protocol

import numpy as np

from sfumato.english.dates import MONTHS
from sfumato.facts.values import AGE, Amount, DayOfYear, Days, Place, Value
from sfumato.know.taxonomy import places, wordnet
from sfumato.know.taxonomy.chain import shorter
from sfumato.know.taxonomy.ranges import AGE_WIDTHS
from sfumato.protect.plausibility.closed import NOWHERE, Tree

_UPPER_FLOORS = 3  # of WordNet, that nobody says: entity, physical entity, object …
YEARS = range(1600, 2200)  # the years of which dates are softened; others get labels
_DECADE = 99  # in a key of the calendar, in the place of the day


@dataclass(frozen=True, slots=True)
class Softened:
    """A node as it is said: its words (of a number, what stands in the number's place), its concept, and how
    many values are released as it."""

    words: str
    concept: str
    size: int


class SoftTree(Protocol):
    """What knows how values are softened so that tau of them look the same."""

    def softened(self, value: Value, tau: int) -> Softened | None:
        """How a value is said; None where no node holds enough values."""

    def excluded(self, concept: str, other: str, tau: int) -> int:
        """How many of the values that are released as one concept equal or hold what another one says."""


@dataclass(frozen=True, slots=True)
class Word:
    """A noun in its first sense, whatever stands around it: the same word is always softened alike."""

    synset: int

    def holds(self, other: object) -> bool:
        return self == other

    @classmethod
    def of(cls, phrase: str) -> Word | None:
        """The sense of a phrase, or of what is left of it without modifiers."""
        for form in (phrase, *shorter(phrase)):
            if senses := wordnet.default().senses(form):
                return cls(senses[0].key)
        return None


class _Table:
    """Words or places: every node is a value of its own."""

    def __init__(self, name: str, tree: Tree) -> None:
        self._name, self._tree = name, tree

    def softened(self, value: Value | Word, tau: int) -> Softened | None:
        cut = self._tree.cut(tau)
        node = cut.released_as(value.synset if isinstance(value, Word) else value.node)  # type: ignore[union-attr]
        if node == NOWHERE:
            return None
        written = places.default().written if self._name == places.NAME else wordnet.default().word
        return Softened(written(node), f"{self._name}:{node}", cut.size(node))

    def excluded(self, concept: str, other: str, tau: int) -> int:
        node, inner = (int(c.partition(":")[2]) for c in (concept, other))
        cut = self._tree.cut(tau)
        around = [inner, *self._tree.above(inner)]
        holding = sum(cut.released_as(n) == node for n in around if self._tree.values[n])
        return holding + (node == inner)  # two facts are not the same value


@cache
def _words() -> SoftTree:
    net = wordnet.default()
    above = [n if (p := net.parent(n)) is None else p for n in range(len(net))]
    tree = Tree(above, values=net.first_senses)
    tree.sayable &= tree.depth >= _UPPER_FLOORS
    return _Table(wordnet.NAME, tree)


@cache
def _places() -> SoftTree:
    table = places.default()
    above = [table.above(n)[1] if n else 0 for n in range(len(table))]
    return _Table(places.NAME, Tree(above, sayable=np.arange(len(above)) > 0))


class _Calendar:
    """Spans of days. The values of a level (days, months, years) wait at the span above them."""

    def __init__(self, level: str) -> None:
        self._level = level
        self._keys = list(_spans(level))
        number = {key: at for at, key in enumerate(self._keys)}
        parents = [number[_span_above(key)] if key else 0 for key in self._keys]
        inside = [_values_in(key, level) for key in self._keys]
        self._number = number
        self._tree = Tree(parents, [False] * len(parents), [key != 0 for key in self._keys], inside)

    def softened(self, value: Value, tau: int) -> Softened | None:
        assert isinstance(value, Days)
        first = date.fromordinal(value.first)
        own = first.year * 10000 + first.month * 100 + first.day
        above = {"day": own // 100 * 100, "month": own // 10000 * 10000}
        key = above.get(self._level, first.year // 10 * 100000 + _DECADE)
        if key not in self._number:
            return None
        cut = self._tree.cut(tau)
        node = cut.inside(self._number[key])
        if node == NOWHERE:
            return None
        return Softened(
            _span_words(self._keys[node]), f"calendar:{self._keys[node]}", cut.size(node)
        )

    def excluded(self, concept: str, other: str, tau: int) -> int:
        outer, inner = (int(c.partition(":")[2]) for c in (concept, other))
        return int(outer == inner or outer in _spans_above(inner) or inner in _spans_above(outer))


def _spans(level: str) -> Iterator[int]:
    """Keys of the spans of all years down to where the values of a level wait; 0 is the root."""
    yield 0
    for year in YEARS:
        if year % 10 == 0:
            yield year * 10000 + _DECADE
        if level in ("day", "month"):
            yield year * 10000
        if level == "day":
            yield from (year * 10000 + month * 100 for month in range(1, 13))


def _span_above(key: int) -> int:
    year, month, day = key // 10000, key // 100 % 100, key % 100
    if day == _DECADE:
        return 0
    return year * 10000 if month else year // 10 * 100000 + _DECADE


def _spans_above(key: int) -> list[int]:
    found = []
    while key := _span_above(key) if key else 0:
        found.append(key)
    return found


def _values_in(key: int, level: str) -> int:
    year, month, day = key // 10000, key // 100 % 100, key % 100
    if level == "day":
        return monthrange(year, month)[1] if month else 0
    if level == "month":
        return 12 if key and day != _DECADE else 0
    return 10 if day == _DECADE else 0


def _span_words(key: int) -> str:
    year, month, day = key // 10000, key // 100 % 100, key % 100
    if day == _DECADE:
        return f"{year}s"
    return f"{MONTHS[month - 1]} {year}" if month else str(year)


class _Bands:
    """Numbers in nested bands: 5, 10, 50, 100 … of the last digit; ages in their own."""

    def __init__(self, widths: tuple[int, ...] = ()) -> None:
        self._widths = widths

    def softened(self, value: Value, tau: int) -> Softened | None:
        assert isinstance(value, Amount)
        width = next((w for w in self._widths or _widths() if w >= tau), 0)
        if not width:
            return None
        places = max(0, -int(value.number.as_tuple().exponent))
        last = int(value.number.scaleb(places))
        low = last // width * width
        ends = [f"{Decimal(n).scaleb(-places):,.{places}f}" for n in (low, low + width - 1)]
        return Softened(
            (" to " if low < 0 else "–").join(ends), f"ranges:{low}..{low + width - 1}", width
        )

    def excluded(self, concept: str, other: str, tau: int) -> int:
        return int(concept == other)


def _widths() -> Iterator[int]:
    width = 5
    while True:
        yield width
        yield width * 2
        width *= 10


class _DaysOfYear:
    """Days of no particular year: the month, or nothing."""

    def softened(self, value: Value, tau: int) -> Softened | None:
        assert isinstance(value, DayOfYear)
        days = monthrange(2024, value.month)[1]
        if not value.day or days < tau:
            return None
        return Softened(MONTHS[value.month - 1], f"calendar:{value.month * 100}", days)

    def excluded(self, concept: str, other: str, tau: int) -> int:
        return int(concept == other)


@cache
def _calendar(level: str) -> SoftTree:
    return _Calendar(level)


_AGES, _AMOUNTS, _RECURRING = _Bands(AGE_WIDTHS), _Bands(), _DaysOfYear()


def tree_of(value: Value | Word) -> SoftTree | None:
    """The tree that a value is softened on; None for what is only ever labelled."""
    match value:
        case Word():
            return _words()
        case Place():
            return _places()
        case Days(level=("day" | "month" | "year") as level):
            return _calendar(level)
        case DayOfYear():
            return _RECURRING
        case Amount(unit=unit):
            return _AGES if unit == AGE else _AMOUNTS
    return None
