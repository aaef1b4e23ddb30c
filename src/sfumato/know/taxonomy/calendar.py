"""Dates as a taxonomy: day → month → year → decade.

Its leaves are days, so the volume of a rung is the number of days in it. A date without a year climbs to its
month and no further.
"""

from __future__ import annotations

from calendar import isleap, monthrange

from sfumato.english.dates import MONTHS, Written, read
from sfumato.know.fingerprints import together
from sfumato.know.taxonomy.ladder import Sense, Step, sanchez_batet
from sfumato.plugins import taxonomy

NAME = "calendar"
_FIRST, _LAST = 1000, 2999  # the years that a date may have
_ALL_DAYS = sum(366 if isleap(y) else 365 for y in range(_FIRST, _LAST + 1))
_MONTHS_OF_ALL_YEARS = 28  # days that every month has, whatever the year
# A key is year * 10000 + month * 100 + day; a decade is year * 10000 with the digit below.
_DECADE, _CENTURY = 99, 98  # the latter is no rung here


class Calendar:
    """Days, months, years and decades.

    >>> calendar = Calendar()
    >>> [(s.term, s.volume) for s in calendar.climb(calendar.senses("14 May 2004")[0])]
    [('14 May 2004', 1), ('May 2004', 31), ('2004', 366), ('2000s', 3653)]
    """

    name = NAME

    def senses(self, term: str) -> list[Sense]:
        if not any(map(str.isdigit, term)):
            return []
        found = read(term)
        if isinstance(found, Written) and (found.year or (found.month and found.day)):
            key = (found.year or 0) * 10000 + (found.month or 0) * 100 + (found.day or 0)
            return [Sense(NAME, key, term, named=True)]
        if len(term) == 5 and term.endswith("0s") and term[:4].isdecimal() and term.isascii():
            return [Sense(NAME, int(term[:4]) * 10000 + _DECADE, term, named=True)]
        return []

    def climb(self, sense: Sense) -> list[Step]:
        own = Step(sense.term, 1, _bits(sense.key))
        rungs = above(sense.key)
        return [own, *(Step(_written(k), _days(k), _bits(k), f"{NAME}:{k}") for k in rungs)]

    def volume(self, sense: Sense) -> int:
        return _days(sense.key)

    def children(self, sense: Sense) -> list[Sense]:
        """The years of a decade, the months of a year, the days of a month."""
        year, month, day = _fields(sense.key)
        if day == _DECADE:
            keys = [y * 10000 for y in range(year, year + 10)]
        elif day:
            keys = []
        elif month:
            keys = [sense.key + d for d in range(1, _month_days(year, month) + 1)]
        else:
            keys = [sense.key + m * 100 for m in range(1, 13)]
        return [Sense(NAME, k, _written(k), named=True) for k in keys]

    def describe(self, sense: Sense) -> str:
        _, month, day = _fields(sense.key)
        return "decade" if day == _DECADE else "day" if day else "month" if month else "year"


def _fields(key: int) -> tuple[int, int, int]:
    return key // 10000, key // 100 % 100, key % 100


def above(key: int) -> list[int]:
    """The keys of the month, the year and the decade that a date lies in, without itself."""
    year, month, day = _fields(key)
    if day in (_DECADE, _CENTURY):
        return []
    found = [year * 10000 + month * 100] if day else []
    if year:
        found += [year * 10000] if month else []
        found.append(year // 10 * 100000 + _DECADE)
    return found


def decade(year: int) -> str:
    """The concept of the decade of a year.

    >>> decade(1969)
    'calendar:19600099'
    """
    return f"{NAME}:{year // 10 * 100000 + _DECADE}"


def _month_days(year: int, month: int) -> int:
    return monthrange(year, month)[1] if year else _MONTHS_OF_ALL_YEARS


def _days(key: int) -> int:
    year, month, day = _fields(key)
    if day == _DECADE:
        return sum(366 if isleap(y) else 365 for y in range(year, year + 10))
    if day:
        return 1
    return _month_days(year, month) if month else 366 if isleap(year) else 365


def _bits(key: int) -> float:
    days = _days(key)
    return sanchez_batet(0 if days == 1 else days, 1 + len(above(key)), _ALL_DAYS)


def _written(key: int) -> str:
    year, month, day = _fields(key)
    if day == _DECADE:
        return f"{year}s"
    parts = [str(day) if day else "", MONTHS[month - 1] if month else "", str(year) if year else ""]
    return " ".join(p for p in parts if p)


@taxonomy(NAME, knowledge=together())
def default() -> Calendar:
    """Days, months, years and decades: nothing but rules."""
    return Calendar()
