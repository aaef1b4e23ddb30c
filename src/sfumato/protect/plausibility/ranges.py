"""The dates and numbers of a text as they are released, and in how many ways they may be chosen."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Generic, TypeVar

from sfumato.english.births import may_be_age
from sfumato.facts.ages import pairs, spans_in
from sfumato.protect.plausibility.orders import Ordered, Ranged

Fact = TypeVar("Fact", bound=Hashable)
LEVELS = {"day": 0, "day of year": 0, "month": 1, "year": 2}


@dataclass(frozen=True, slots=True)
class CountedBand:
    """A band of numbers that count one kind of thing, in units of the last of its decimals."""

    kind: str
    low: int
    high: int
    decimals: int
    count: int


def counts(said: str) -> str:
    """What a number counts by the words beside it: one that may be an age, nothing.

    >>> counts("0–4 tablets"), counts("£1,200–1,209"), counts("20–24")
    ('tablets', '£', '')
    """
    words = " ".join(re.findall(r"[^\W\d_]+|[^\w\s.,–-]", said.casefold()))
    return "" if may_be_age(said) else words


class SoftenedBands(Generic[Fact]):
    """The dates and the bands of a text. Of two dates that tell an age (`life`) only those count in which
    nobody is too old for one."""

    def __init__(
        self,
        dates: Mapping[Fact, Ranged],
        bands: Mapping[Fact, CountedBand],
        life: Sequence[Fact] = (),
    ) -> None:
        self._dates, self._kinds = dict(dates), {f: band.kind for f, band in bands.items()}
        self._life, self._lives = self._pairs(life)
        self._calendar = Ordered(self._dates.values(), dated=True)
        decimals: Counter[str] = Counter()
        for band in bands.values():
            decimals[band.kind] = max(decimals[band.kind], band.decimals)
        self._bands = {f: _ranged(band, decimals[band.kind]) for f, band in bands.items()}
        by_kind: dict[str, list[Ranged]] = defaultdict(list)
        for fact, kind in self._kinds.items():
            by_kind[kind].append(self._bands[fact])
        self._numbers = {kind: Ordered(some, dated=False) for kind, some in by_kind.items()}

    def sets(self, own: Iterable[Fact]) -> int:
        """In how many ways some of them may be chosen, whatever order the text tells them in."""
        own = set(own)
        apart = self._life if self._lives and self._life <= own else frozenset()
        by_kind: dict[str, list[Ranged]] = defaultdict(list)
        for fact in own & self._bands.keys():
            by_kind[self._kinds[fact]].append(self._bands[fact])
        made = self._calendar.sets(self._dates[f] for f in (own & self._dates.keys()) - apart)
        made *= self._lives if apart else 1
        return made * prod(self._numbers[kind].sets(some) for kind, some in by_kind.items())

    def _pairs(self, life: Sequence[Fact]) -> tuple[frozenset[Fact], int]:
        """A birth and an event, and how many pairs of them there are, if no other date may come between: then
        they are counted apart. Else only births count with which nobody is too old at any event."""
        if len(life) < 2:
            return frozenset(), 0
        born, event = sorted(life, key=lambda fact: self._dates[fact].first)
        ends = self._dates[born], self._dates[event]
        births, events = map(_values, ends)
        missing = len(births) - ends[0].count, len(events) - ends[1].count
        found = pairs(births, events)
        if ends[0].last >= ends[1].first or found == len(births) * len(events):
            return frozenset(), 0  # nobody is too old
        others = (date for fact, date in self._dates.items() if fact not in life)
        is_apart = not any(
            o.month or any(o.first <= one.last and one.first <= o.last for one in ends)
            for o in others
        )
        left = pairs(births, events[-1:]) - missing[0]
        self._dates[born] = replace(ends[0], count=max(0, left))
        found -= missing[0] * len(events) + missing[1] * len(births)
        return frozenset(life), max(1, found) if is_apart else 0


def _values(ranged: Ranged) -> list[tuple[int, int]]:
    level = ("day", "month", "year")[ranged.level]
    return list(spans_in(ranged.first, ranged.last, level))


def _ranged(band: CountedBand, decimals: int) -> Ranged:
    """A band, where others have so many decimals."""
    level = decimals - band.decimals
    first, end = band.low * 10**level, (band.high + 1) * 10**level
    return Ranged(level, first, end - 1, band.count)
