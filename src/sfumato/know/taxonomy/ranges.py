"""Numbers and ages as a taxonomy of nested ranges: 37 → 35–39 → 30–39 → 20–39 …

Ages ("37 years old", "aged 37", "37-year-old") nest in 5, 10, 20, 40 and 120 years. Other numbers nest in
5, 10, 50, 100 … of their last digit, up to the first range that holds everything of their magnitude. The
volume of a rung is how many numbers of that precision lie in it. What stands around the number stays.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from sfumato.english.numbers import numbers_in_words
from sfumato.know.fingerprints import together
from sfumato.know.taxonomy.ladder import Sense, Step, sanchez_batet
from sfumato.plugins import taxonomy

NAME = "ranges"
AGE_WIDTHS = (5, 10, 20, 40, 120)
_OLDEST = 119
_NUMBER = re.compile(
    r"(?P<before>(?:(?i:aged?|about|around|circa|approximately|nearly|over|under)\s+|[$€£¥]\s?)?)"
    r"(?P<sign>[-−]?)(?P<digits>\d{1,3}(?:,\d{3})+|\d+)(?:\.(?P<decimals>\d{1,6}))?"
    r"(?P<after>(?:%|(?:-(?=[a-z])|\s?)[^\W\d_]+(?:[\s/-][^\W\d_]+){0,3})?)"
)
_AGE = re.compile(r"\baged?\s|[\s-]years?[\s-]old|\byears? of age|\by/?o\b", re.IGNORECASE)
_MOST_DIGITS = 12


class _Read(NamedTuple):
    """A number in units of its last digit, and how it is written."""

    before: str
    value: int
    decimals: int
    commas: bool
    after: str
    age: bool


class Ranges:
    """Nested ranges of numbers.

    >>> ranges = Ranges()
    >>> [(s.term, s.volume) for s in ranges.climb(ranges.senses("37-year-old")[0])][:3]
    [('37-year-old', 1), ('35–39-year-old', 5), ('30–39-year-old', 10)]
    """

    name = NAME

    def senses(self, term: str) -> list[Sense]:
        found = _read(term)
        return [] if found is None else [Sense(NAME, found.value, term, named=True)]

    def climb(self, sense: Sense) -> list[Step]:
        found = _read(sense.term)
        if found is None:  # a range that `children` gave
            return [Step(sense.term, 1, 0.0)]
        widths = _widths(found)
        total = widths[-1]
        steps = [Step(sense.term, 1, sanchez_batet(0, len(widths) + 1, total))]
        for depth, width in zip(range(len(widths), 0, -1), widths, strict=True):
            low = found.value // width * width
            steps.append(
                Step(
                    _written(found, width),
                    width,
                    sanchez_batet(width, depth, total),
                    f"{NAME}:{low}..{low + width - 1}",
                )
            )
        return steps

    def volume(self, sense: Sense) -> int:
        return 1

    def children(self, sense: Sense) -> list[Sense]:
        return []

    def describe(self, sense: Sense) -> str:
        found = _read(sense.term)
        return "age" if found and found.age else "number"


def _in_digits(term: str) -> str:
    """A number or an age in words as one in digits; all else as it stands.

    >>> _in_digits("aged fifty-six"), _in_digits("fifty-six dogs")
    ('aged 56', 'fifty-six dogs')
    """
    if any(map(str.isdigit, term)):
        return term
    numbers = list(numbers_in_words(term))
    if len(numbers) != 1:
        return term
    (number,) = numbers
    alone = not term[: number.start].strip() and not term[number.end :].strip()
    if not (alone or _AGE.search(term)) or number.value % 1:
        return term
    return f"{term[: number.start]}{number.value:.0f}{term[number.end :]}"


def _read(term: str) -> _Read | None:
    term = _in_digits(term.strip())
    found = _NUMBER.fullmatch(term)
    if found is None:
        return None
    digits, decimals = found["digits"].replace(",", ""), found["decimals"] or ""
    if len(digits + decimals) > _MOST_DIGITS or (len(digits) > 1 and digits[0] == "0"):
        return None  # a code, not a quantity
    value = int(digits + decimals) * (-1 if found["sign"] else 1)
    age = not decimals and 0 <= value <= _OLDEST and _AGE.search(term) is not None
    return _Read(found["before"], value, len(decimals), "," in found["digits"], found["after"], age)


def _widths(found: _Read) -> list[int]:
    if found.age:
        return list(AGE_WIDTHS)
    widths: list[int] = []
    width = 1
    while width <= max(abs(found.value), 10 ** (found.decimals + 1)):
        width *= 2 if len(widths) % 2 else 5
        widths.append(width)
    if len(widths) % 2:
        widths.append(width * 2)
    return widths


def _written(found: _Read, width: int) -> str:
    low = found.value // width * width
    band = in_band(range(low, low + width), found.decimals, found.commas)
    return f"{found.before}{band}{found.after}"


def in_band(band: range, decimals: int, grouped: bool = True) -> str:
    """A band of numbers, in units of their last digit, as it is written.

    >>> in_band(range(1500, 1550), 1), in_band(range(-10, -5), 0), in_band(range(1000, 1005), 0, False)
    ('150.0–154.9', '-10 to -6', '1000–1004')
    """
    form = f"{',' if grouped else ''}.{decimals}f"
    ends = [format(Decimal(n).scaleb(-decimals), form) for n in (band[0], band[-1])]
    return (" to " if band[0] < 0 else "–").join(ends)


@taxonomy(NAME, knowledge=together())
def default() -> Ranges:
    """Nested ranges of numbers: nothing but rules."""
    return Ranges()
