"""Dates and numbers that a text may tell in an order: counted as sets, not as tuples.

"From 3 June to 9 June" tells which day was first, and so do "the elder" and most stories, in words that
nobody has to understand here: of values whose released spans meet, only those count that come in one order,
whichever it is. Where most spans meet, at the *leaves*, values are chosen as a set; who has a wider span fits
in beside a neighbour, all of them in one leaf at worst. What is told elsewhere in the text may come between
any two: then each has a stretch of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from math import comb, prod

from sfumato.know.taxonomy.softening import DAYS_OF_YEAR

_FEWEST = {(0, 1): 28, (0, 2): 365, (1, 2): 12}  # days of a month or a year, months of a year


@dataclass(frozen=True, slots=True)
class Ranged:
    """A date or a number as it is released: the first and the last day, or the ends of a band in the last
    digit that any has. `level` tells months (1) and years (2) from days, and of a number how many digits
    others have behind its own. What `gave_way` goes with a coarser date. A day of no year has its `month`
    alone."""

    level: int
    first: int
    last: int
    count: int
    gave_way: bool = False
    month: int = 0

    def units(self, level: int, dated: bool) -> tuple[int, int]:
        """Its ends in units of a level."""
        first, last = (
            _unit(n, level) if dated else n // 10**level for n in (self.first, self.last)
        )
        return first, last


_Some = Counter[Ranged]  # facts that are released alike, and how many


class Ordered:
    """The dates of a text, or its numbers of one kind."""

    def __init__(self, facts: Iterable[Ranged], dated: bool) -> None:
        every, self._dated = Counter(facts), dated
        self._parts = [*_meeting(Counter({f: n for f, n in every.items() if not f.month}))]
        for month in sorted({f.month for f in every if f.month}):
            near = [any(_holds_month(f, month) for f in part) for part in self._parts]
            joined = Counter({f: n for f, n in every.items() if f.month == month})
            for part, is_near in zip(self._parts, near, strict=True):
                joined.update(part if is_near else {})
            rest = zip(self._parts, near, strict=True)
            self._parts = [*(part for part, is_near in rest if not is_near), joined]
        self._part_of = {fact: at for at, part in enumerate(self._parts) for fact in part}

    def sets(self, own: Iterable[Ranged]) -> int:
        """How many ways there are at least to choose some of them in one order, whichever it is.

        >>> june = Ranged(0, date(2024, 6, 1).toordinal(), date(2024, 6, 30).toordinal(), 30)
        >>> Ordered([june, june], dated=True).sets([june, june])
        435
        """
        inside: dict[int, _Some] = {}
        for fact in own:
            inside.setdefault(self._part_of[fact], Counter())[fact] += 1
        parts = ((self._parts[at], some) for at, some in inside.items())
        return prod(_best(part, some, self._dated) for part, some in parts)


def _best(part: _Some, own: _Some, dated: bool) -> int:
    """What those of one level leave at least, finer ones in one unit of it; the coarser ones stand where they
    are, if none of these can pass them: but a number may be equal to one."""
    found = [1]
    for level, above in pairwise([*sorted({f.level for f in part}), None]):
        assert level is not None
        goes_with = {f for f in part if f.gave_way and f.level < level}
        some = Counter({f: n for f, n in part.items() if f.level <= level and f not in goes_with})
        placed = [f for f in some if not f.month]
        if above is not None and any(len({*f.units(above, dated)}) > 1 for f in placed):
            continue
        if len(placed) < len(some):  # of no year: all may lie in one month
            is_free = level == 0 and not any(f.gave_way for f in some)
            inside = sum(own[f] for f in some)
            found.append(_chosen(DAYS_OF_YEAR, inside, some.total() - inside) if is_free else 1)
            continue
        equal = int(above is not None and not dated)
        free = (p for p in _meeting(some) if not any(f.gave_way for f in p))
        found.append(prod(max(1, _sets(p, own, level, dated, equal)) for p in free))
    return max(found)


def _sets(part: _Some, own: _Some, level: int, dated: bool, equal: int) -> int:
    """How many sets there are, each value in a unit of a level, if so many are taken by what stands."""
    own = Counter({f: own[f] for f in part if own[f]})
    inside, elsewhere = own.total(), part.total() - own.total()
    missing = max(b - a + 1 - f.count for f in part for a, b in [f.units(f.level, dated)]) + equal
    spans = {f.units(level, dated) for f in part}
    events = sorted([(a, 0) for a, _ in spans] + [(b, 1) for _, b in spans])
    leaves = [(a, b) for (a, is_end), (b, ends) in pairwise(events) if ends > is_end]
    sizes = [b - a + 1 - missing for a, b in leaves]
    if any(f.level < level for f in part):
        # what is told elsewhere may hold all, or lie in it
        units = 1 if elsewhere else min(_chosen(min(sizes), n, 0) for n in (1, inside))
        return units * _sets_within(part, own, level, dated, missing)
    exactly: Counter[tuple[int, int]] = Counter()
    for fact, many in own.items():
        exactly[fact.units(level, dated)] += many
    wider = inside - sum(exactly[leaf] for leaf in leaves)
    least = [_chosen(n, exactly[leaf], elsewhere) for n, leaf in zip(sizes, leaves, strict=True)]
    more = [
        _chosen(n, exactly[leaf] + wider, elsewhere) for n, leaf in zip(sizes, leaves, strict=True)
    ]
    whole = prod(least)
    return min(whole // n * m for n, m in zip(least, more, strict=True)) if whole else 0


def _sets_within(part: _Some, own: _Some, level: int, dated: bool, missing: int) -> int:
    """Of facts that are told more finely than by units of a level how many sets there are within one: there
    they lie all at worst, in the narrowest span of any, and a coarser one may tell which it is."""
    finer = [f for f in own if f.level < level]
    if len({f.level for f in finer}) != 1:
        return 1
    fine, elsewhere = finer[0].level, part.total() - own.total()
    fewest = _FEWEST[fine, level] if dated else 10 ** (level - fine)
    narrow = (b - a + 1 for f in part if f.level < level for a, b in [f.units(fine, dated)])
    missing += not dated  # a coarser number may be the same as one of these
    return _chosen(min(fewest, *narrow) - missing, sum(own[f] for f in finer), elsewhere)


def _chosen(values: int, some: int, elsewhere: int) -> int:
    """How many ways there are to choose some of so many values in one order, if so many others, which stand
    still, may come between them."""
    if values < some + elsewhere or not some:
        return not some
    return ((values - elsewhere) // some) ** some if elsewhere else comb(values, some)


def _meeting(facts: _Some) -> Iterator[_Some]:
    """Facts whose spans meet, or are joined by others."""
    part, last = _Some(), 0
    for fact in sorted(facts, key=lambda f: f.first):
        if part and fact.first > last:
            yield part
            part = _Some()
        last = max(last, fact.last) if part else fact.last
        part[fact] = facts[fact]
    if part:
        yield part


def _unit(day: int, level: int) -> int:
    at = date.fromordinal(day)
    return (day, at.year * 12 + at.month, at.year)[level]


def _holds_month(fact: Ranged, month: int) -> bool:
    """Whether some words for days may tell a day of a month."""
    if fact.month:
        return fact.month == month
    return fact.last - fact.first > 31 or date.fromordinal(fact.first).month == month
