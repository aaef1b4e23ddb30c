"""How many dates or numbers fit what is released, whatever order the text tells them in: by sets of values.

Nobody reads here whether it is "from … to …", "the elder" or a story in its order. Whichever order it is,
there are so many ways: in the narrowest stretches that released spans have in common, all values that are
told there are picked as a set; those of wider spans go where their neighbours are, all to one at worst.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from sfumato.know.taxonomy.softening import DAYS_OF_YEAR

DAY, MONTH, YEAR = range(3)
_IN_ONE = {(DAY, MONTH): 28, (DAY, YEAR): 365, (MONTH, YEAR): 12}  # at least


@dataclass(frozen=True, slots=True, order=True)
class Stretch:
    """What is released of a date or a number: from where to where, in days or in the last digit that any
    number has; by what it is told (days, months, years, or numbers without so many of these digits); how many
    values fit; whether it goes with a date told by more; and of which month of no year it is a day."""

    low: int
    high: int
    grain: int
    fitting: int
    follows: bool = False
    month: int = 0


class Row:
    """All the dates of a release, or all numbers that count one thing."""

    def __init__(self, stretches: Iterable[Stretch], calendar: bool) -> None:
        self._calendar, self._all = calendar, Counter(stretches)
        self._where: dict[Stretch, int] = {}
        self._joined: dict[int, list[Stretch]] = defaultdict(list)
        for number, some in enumerate(self._together()):
            for stretch in some:
                self._where[stretch] = number
                self._joined[number].append(stretch)

    def ways(self, own: Iterable[Stretch]) -> Iterator[int]:
        """In how many ways the dates or numbers of a unit may be chosen: factors, one for each place where
        spans have something in common."""
        inside: dict[int, Counter[Stretch]] = defaultdict(Counter)
        for stretch in own:
            inside[self._where[stretch]][stretch] += 1
        for number, some in inside.items():
            counts = {s: (some[s], self._all[s] - some[s]) for s in self._joined[number]}
            grains = {stretch.grain for stretch in counts}
            yield max(_by(grain, counts, self._coarse, self._calendar) for grain in grains)

    def _coarse(self, at: int, grain: int) -> int:
        return _coarse(at, grain) if self._calendar else at // 10**grain

    def _together(self) -> list[list[Stretch]]:
        groups = _touching(s for s in self._all if not s.month)
        for month in {s.month for s in self._all} - {0}:
            here = [g for g in groups if any(_has(s, month) for s in g)]
            groups = [g for g in groups if g not in here]
            groups.append([s for s in self._all if s.month == month])
            for group in here:
                groups[-1] += group
        return groups


_Counts = Mapping[Stretch, tuple[int, int]]  # of the unit, and elsewhere
_Coarse = Callable[[int, int], int]  # in which unit of a grain something is


def _by(grain: int, counts: _Counts, coarse: _Coarse, calendar: bool) -> int:
    """Ways to choose what is told by a grain, or by less; what is told by more does not move, and none of the
    others can get past it, but a number may be the same."""
    told = {s: n for s, n in counts.items() if s.grain <= grain}
    told = {s: n for s, n in told.items() if s.grain == grain or not s.follows}
    more = min((s.grain for s in counts if s.grain > grain), default=None)
    placed = [s for s in told if not s.month]
    if more is not None and any(coarse(s.low, more) != coarse(s.high, more) for s in placed):
        return 1
    if len(placed) < len(told):
        own, others = (sum(n[at] for n in told.values()) for at in (0, 1))
        fixed = grain != DAY or any(s.follows for s in told)
        return 1 if fixed else max(1, pick(DAYS_OF_YEAR, own, others))
    same = 0 if calendar or more is None else 1
    ways = 1
    for group in _touching(told):
        if not any(s.follows for s in group):
            some = {s: told[s] for s in group}
            ways *= max(1, _picked(some, grain, coarse, calendar, same))
    return ways


def _picked(counts: _Counts, grain: int, coarse: _Coarse, calendar: bool, same: int) -> int:
    """Ways to choose values of a grain, of which those that are told more finely are in one unit at worst."""
    own, others = (sum(n[at] for n in counts.values()) for at in (0, 1))
    lost = max(_size(s, coarse) - s.fitting for s in counts) + same
    spans = {s: (coarse(s.low, grain), coarse(s.high, grain)) for s in counts}
    shared = {span: span[1] - span[0] + 1 - lost for span in _narrowest(set(spans.values()))}
    finer = [s for s in counts if s.grain < grain]
    if finer:
        room = min(shared.values())
        ways = 1 if others else min(pick(room, 1, 0), pick(room, own, 0))
        mine = [s for s in finer if counts[s][0]]
        if len({s.grain for s in mine}) == 1:
            kind = mine[0].grain
            within = _IN_ONE[kind, grain] if calendar else 10 ** (grain - kind)
            ends = ((coarse(s.low, kind), coarse(s.high, kind)) for s in finer)
            within = min(within, *(high - low + 1 for low, high in ends)) - lost
            within -= not calendar  # one number may be a coarser one
            ways *= pick(within, sum(counts[s][0] for s in mine), others)
        return ways
    there: Counter[tuple[int, int]] = Counter()
    for stretch, span in spans.items():
        there[span] += counts[stretch][0]
    moving = own - sum(there[span] for span in shared)
    ways = math.prod(pick(room, there[span], others) for span, room in shared.items())
    return min(
        (
            ways // pick(room, there[span], others) * pick(room, there[span] + moving, others)
            for span, room in shared.items()
            if ways
        ),
        default=0,
    )


def pick(room: int, some: int, others: int) -> int:
    """Ways to pick some of so many values in an order, with so many others that do not move among them.

    >>> pick(30, 2, 0), pick(30, 2, 1), pick(3, 4, 0), pick(3, 0, 9)
    (435, 196, 0, 1)
    """
    if not some:
        return 1
    if room < some + others:
        return 0
    return math.comb(room, some) if not others else ((room - others) // some) ** some


def _narrowest(spans: Collection[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """What spans have in common and nothing else lies within.

    >>> sorted(_narrowest({(0, 9), (5, 14), (12, 20), (30, 40)}))
    [(5, 9), (12, 14), (30, 40)]
    """
    starts = sorted(low for low, _ in spans)
    before, at = None, 0
    for end in sorted({high for _, high in spans}):
        while at < len(starts) and starts[at] <= end:
            at += 1
        if (low := starts[at - 1]) != before:
            yield low, end
        before = low


def _touching(stretches: Iterable[Stretch]) -> list[list[Stretch]]:
    """Stretches that touch each other, or are joined by others that do."""
    groups, reached = list[list[Stretch]](), 0
    for stretch in sorted(stretches):
        if groups and stretch.low <= reached:
            groups[-1].append(stretch)
            reached = max(reached, stretch.high)
        else:
            groups.append([stretch])
            reached = stretch.high
    return groups


def _coarse(day: int, grain: int) -> int:
    """The number of the day, month or year that a day is in."""
    if grain == DAY:
        return day
    on = date.fromordinal(day)
    return on.year if grain == YEAR else 12 * on.year + on.month - 1


def _size(stretch: Stretch, coarse: _Coarse) -> int:
    """How many values of its own grain a stretch has."""
    return coarse(stretch.high, stretch.grain) - coarse(stretch.low, stretch.grain) + 1


def _has(stretch: Stretch, month: int) -> bool:
    """Whether a day of a month may be in a stretch."""
    if stretch.month:
        return stretch.month == month
    return stretch.high - stretch.low >= 31 or _coarse(stretch.low, MONTH) % 12 + 1 == month
