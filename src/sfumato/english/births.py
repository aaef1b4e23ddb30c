"""Which dates of a text are told as the day, month or year of a birth, and what age follows from one."""

from __future__ import annotations

import re
from datetime import date

from sfumato.english.chunker import FUNCTION

OLDEST = 119
MANY_DATES = 200  # some two of more are taken to allow any age: nobody tries all pairs of thousands
_YEARS = frozenset({"year", "years", "yr", "yrs", "age", "aged", "old", "approximately", "nearly"})
_NEAR = 80  # characters before a date in which its birth may be told
_WORD = (
    r"(?:of|on|in|at|near|the|is|was|as|about|around|circa|early|late|mid|year|month|day|date|a|to)"
)
# "born in Tartu on", "Date of birth:", "DOB", "(b."; a place may stand between, no other word.
_BORN = re.compile(
    rf"(?:(?i:\bborn|\bbirth(?:date|day)?|\bdob|\bd\.o\.b\.?)\b\.?|[(,]\s?b\.)"
    rf"(?:[\s:,(\[–—|-]|\b(?i:{_WORD})\b|\b[A-Z][\w'’]*)*+$"
)


def told_as_birth(text: str, start: int) -> bool:
    """Whether the date that begins at a place of a text is told as a birth.

    >>> told = "Born in Tartu on 4 May 1985, moved in 1999 (DOB: 1985-05-04)."
    >>> [told_as_birth(told, told.index(said)) for said in ("4 May", "1999", "1985-")]
    [True, False, True]
    """
    return _BORN.search(text[max(0, start - _NEAR) : start]) is not None


def ages(born: tuple[int, int], event: tuple[int, int]) -> tuple[int, int]:
    """The youngest and the oldest that somebody may be who was born within some days, within others; both are
    spans of `date.toordinal`, ends included. The oldest is below the youngest where the birth is later.

    >>> days = [date(*day).toordinal() for day in ((1968, 3, 1), (1968, 3, 31), (2025, 2, 1), (2025, 2, 28))]
    >>> ages((days[0], days[1]), (days[2], days[3]))
    (56, 56)
    """
    youngest, oldest = _full_years(born[1], event[0]), _full_years(born[0], event[1])
    return min(max(0, youngest), OLDEST), min(oldest, OLDEST)


def may_be_age(words: str) -> bool:
    """Whether words with a whole number leave open that it is an age: they name nothing that it counts.

    >>> [may_be_age(said) for said in ("At 20", "20 years", "20–39", "20 tablets", "$20", "2.0")]
    [True, True, True, False, False, False]
    """
    counted = re.findall(r"[^\W\d_]+|[%$€£¥₹]|\d\.\d", words.lower())
    return all(word in FUNCTION or word in _YEARS for word in counted)


def _full_years(first: int, last: int) -> int:
    a, b = date.fromordinal(first), date.fromordinal(last)
    return b.year - a.year - ((b.month, b.day) < (a.month, a.day))
