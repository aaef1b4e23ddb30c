"""What a term says, whatever its spelling: days, amounts, places, names.

A value that can be read in two ways (05/03/2024, Paris) keeps both readings, the likelier first; whoever
hides it reckons with the more dangerous one.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from sfumato.english import dates, spoken
from sfumato.english.folding import normal_form, skeleton, unaccented
from sfumato.english.inflection import singular
from sfumato.english.numbers import CURRENCIES, numbers_in_digits, numbers_in_words
from sfumato.facts import phones
from sfumato.kinds import rule_chain

Level = Literal["day", "month", "year", "decade"]
AGE = "years of age"
_DECADE = re.compile(r"(?:the\s+)?(?:early |mid-?|late )?((?!000)\d{3})0['’]?s", re.IGNORECASE)
_UNIT = re.compile(r"[^\W\d_]+|[%$€£¥₹]")
# Words beside a number that say nothing of what is counted.
_ASIDE = frozenset(
    {"about", "around", "circa", "approximately", "nearly", "over", "under", "at", "of"}
)
_AGE_WORDS = frozenset({"year", "yr", "old", "age", "aged", "y", "o", "yo", "birthday"})
_MAILTO = re.compile(r"^mailto:", re.IGNORECASE)
_NTH = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Days:
    """A span of the calendar, both ends included (`date.toordinal`), and how finely the text tells it."""

    first: int
    last: int
    level: Level

    def holds(self, other: Value) -> bool:
        return isinstance(other, Days) and self.first <= other.first and other.last <= self.last


@dataclass(frozen=True, slots=True)
class DayOfYear:
    """A day of no particular year, or a whole month: `day` is 0."""

    month: int
    day: int

    def holds(self, other: Value) -> bool:
        if isinstance(other, Days) and other.level in ("day", "month"):
            told = date.fromordinal(other.first)
            other = DayOfYear(told.month, told.day if other.level == "day" else 0)
        same = isinstance(other, DayOfYear) and other.month == self.month
        return same and self.day in (0, getattr(other, "day", 0))


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit; an age counts `AGE`."""

    number: Decimal
    unit: str

    def holds(self, other: Value) -> bool:
        return self == other


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the table, and those it lies in, the nearest first."""

    node: int
    within: tuple[int, ...] = ()

    def holds(self, other: Value) -> bool:
        return isinstance(other, Place) and self.node in (other.node, *other.within)


@dataclass(frozen=True, slots=True)
class Name:
    """Whatever is known by its words alone: a person, an organisation, a code, a concept."""

    words: str

    def holds(self, other: Value) -> bool:
        return self == other


Value = Days | DayOfYear | Amount | Place | Name
PlaceFinder = Callable[[str], Iterator[Place]]  # the places of a name, the likeliest first


def readings(
    words: str, kind: str, *, day_first: bool | None, places: PlaceFinder
) -> tuple[Value, ...]:
    """The values that a term of a kind may have, the likeliest first; never none.

    >>> nowhere = lambda words: iter(())
    >>> said = ("aged fifty-six", "56-year-old")
    >>> [readings(w, "AGE", day_first=None, places=nowhere)[0].number for w in said]
    [Decimal('56'), Decimal('56')]
    >>> len(readings("05/03/2024", "DATE", day_first=None, places=nowhere))
    2
    """
    chain = rule_chain(kind)
    found: list[Value] = []
    if "DATE" in chain and kind != "TIME":
        found = list(days(words, day_first))
    elif kind in ("AGE", "QUANTITY", "MONEY"):
        found = list(_amounts(words, kind))
    elif kind == "LOC":
        found = list(places(words))
    return tuple(dict.fromkeys(found)) or (Name(_key(words, chain)),)


def _key(words: str, chain: tuple[str, ...]) -> str:
    """One spelling for all: of a code its letters and digits, of words their normal form, the last one in the
    singular."""
    if "PHONE" in chain:
        return phones.key(words) or words
    if not {"CODE", "USERNAME"}.isdisjoint(chain):
        return number_key(words) if "CODE" in chain else skeleton(words) or words
    if not {"EMAIL", "URL"}.isdisjoint(chain):
        return address_key(words)
    head, space, last = normal_form(words).rpartition(" ")
    return f"{head}{space}{singular(last)}"


def number_key(words: str) -> str:
    """One spelling of a code: its letters and digits, said or written."""
    return spoken.digits(words) or skeleton(words) or words


def address_key(words: str) -> str:
    """One spelling of an e-mail or web address: what the name of a host may go without is left out."""
    scheme, _, rest = words.strip("<> ").rpartition("://")
    box, at, host = (rest if scheme else _MAILTO.sub("", rest)).rpartition("@")
    host, slash, path = host.partition("/")
    return f"{box.lower()}{at}{host.lower().removeprefix('www.')}{slash}{path}".rstrip("/")


def days(words: str, day_first: bool | None) -> Iterator[Days | DayOfYear]:
    """The days that a date may mean, the likeliest first; none where it cannot be read."""
    plain = spoken.in_digits(unaccented(words))  # full-width digits are digits
    if decade := _DECADE.fullmatch(plain.strip()):
        year = int(decade[1]) * 10
        yield Days(date(year, 1, 1).toordinal(), date(year + 9, 12, 31).toordinal(), "decade")
        return
    for order in (None, False, True) if day_first is None else (day_first,):
        read = dates.read(plain, dayfirst=order)
        if isinstance(read, dates.Written) and (value := _written(read)) is not None:
            yield value
        elif isinstance(read, dates.Pair):
            ends = [_written(part) for part in (read.left, read.right)]
            if all(isinstance(end, Days) for end in ends):
                first, last = ends
                assert isinstance(first, Days)
                assert isinstance(last, Days)
                if first.first <= last.last:
                    yield Days(first.first, last.last, last.level)
        elif isinstance(read, dates.DayRange) and isinstance(last := _written(read.last), Days):
            yield Days(last.first - (read.last.day or 1) + read.first, last.last, "day")


def _written(read: dates.Written) -> Days | DayOfYear | None:
    year, month, day = read.year, read.month, read.day
    if not year:
        return DayOfYear(month, day or 0) if month else None
    if not month:
        return Days(date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal(), "year")
    last = day or calendar.monthrange(year, month)[1]
    ends = (date(year, month, day or 1).toordinal(), date(year, month, last).toordinal())
    return Days(*ends, "day" if day else "month")


def _amounts(words: str, kind: str) -> Iterator[Value]:
    plain = unaccented(words)
    plain = _NTH.sub("", plain) if kind == "AGE" else plain  # "her 80th birthday"
    numbers = list(numbers_in_digits(plain)) or list(numbers_in_words(plain))
    if len(numbers) != 1 or numbers[0].decade:  # "in her 40s" is no age
        return
    number = numbers[0]
    around = f"{plain[: number.start]} {plain[number.end :]}".lower()
    units = [CURRENCIES.get(u := singular(w), u) for w in _UNIT.findall(around) if w not in _ASIDE]
    aged = kind == "AGE" and not set(units) - _AGE_WORDS
    units = list(dict.fromkeys(units))  # "US dollars" is one word
    value = Decimal(str(number.value)).normalize()
    yield Amount(value, AGE if aged else " ".join(units))
    if kind != "AGE" and not units:
        yield Amount(value, AGE)  # "at fifty-six", where an age of 56 is told
