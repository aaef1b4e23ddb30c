"""What the words of an original tell: read again, with no code of whoever softened them."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache

from sfumato.english import dates
from sfumato.english.chunker import FUNCTION
from sfumato.english.folding import normal_form, unaccented
from sfumato.english.inflection import singular
from sfumato.english.numbers import has_factor, numbers_in_digits, numbers_in_words
from sfumato.english.short_names import places_for_short
from sfumato.english.spoken import in_digits
from sfumato.know.taxonomy import places, softening

DATES = ("day", "month", "year")
AMOUNTS = ("amount", "money")
NUMBERS = ("age", *AMOUNTS, "derived")
WORDS: tuple[str, ...] = softening.WORD_SORTS
ONE = WORDS[:3]  # the others stand in the plural somewhere
SORTS = frozenset({*DATES, *NUMBERS, *WORDS, "day of year", "place"})


@dataclass(frozen=True, slots=True)
class Told:
    """The values that words may tell, and under what they are the same: one of them in common."""

    values: frozenset[Hashable]

    def same_as(self, other: Told) -> bool:
        return not self.values.isdisjoint(other.values)


@lru_cache(maxsize=4096)
def told(words: str, sort: str, day_first: bool | None, adversary: str) -> Told:
    """What an original tells as a value of a sort.

    >>> [len(told(w, "day", None, "text").values) for w in ("4 May 1985", "04/05/1985", "1985")]
    [1, 2, 0]
    >>> told("aged fifty-six", "age", None, "text").same_as(told("56-year-old", "age", None, "text"))
    True
    """
    words = " ".join(words.split())
    if sort in DATES or sort in ("day of year", "span"):
        return Told(frozenset(_days(words, sort, day_first)))
    if sort in NUMBERS:
        return Told(frozenset(_numbers(words, sort)))
    if sort == "place":
        names = (words, *places_for_short(words))
        return Told(frozenset(s.key for name in names for s in places.default().senses(name)))
    if adversary == "program":  # at the start of a sentence a capital letter means nothing
        forms = (words, words[:1].lower() + words[1:])
        meant = {softening.words().meant(form) for form in forms} - {None}
        return Told(frozenset(meant))
    return Told(frozenset({_key(words)}))


def _key(words: str) -> str:
    head, space, last = normal_form(words).rpartition(" ")
    return f"{head}{space}{singular(last)}"


def _days(words: str, sort: str, day_first: bool | None) -> Iterator[tuple[int, int]]:
    """Spans of days by their ends; of a day of the year its month and its number."""
    plain = in_digits(unaccented(words))
    for order in (day_first,) if day_first is not None else (False, True):
        read = dates.read(plain, dayfirst=order)
        if not isinstance(read, dates.Written):
            if sort == "span" and read is not None:
                yield hash(normal_form(plain)), 0  # several days: which, nobody asks
            continue
        year, month, day = read.year, read.month, read.day
        level = "day" if day else "month" if month else "year"
        if sort == "day of year" and month and day and not year:
            yield month, day
        elif year and sort == level:
            last = day or monthrange(year, month or 12)[1]
            ends = date(year, month or 1, day or 1), date(year, month or 12, last)
            yield ends[0].toordinal(), ends[1].toordinal()


def _numbers(words: str, sort: str) -> Iterator[tuple[int, str]]:
    """A number in units of its last digit, and of what it counts."""
    plain = unaccented(words)
    if sort not in AMOUNTS:
        plain = re.sub(r"(?i)(?<=\d)(?:st|nd|rd|th)\b", "", plain)
    found = [*numbers_in_digits(plain)] or [*numbers_in_words(plain)]
    if len(found) != 1 or found[0].decade or has_factor(plain):
        return
    around = plain[: found[0].start] + " " + plain[found[0].end :]
    counted = re.findall(r"[^\W\d_]+|[%$€£¥₹]", around.lower())
    units = [singular(w) for w in counted if w not in FUNCTION]
    written = re.search(r"\.(\d+)", plain[found[0].start : found[0].end])
    for number in (
        last_digits(found[0].value),
        last_digits(found[0].value, len(written[1]) if written else 0),
    ):
        if sort in AMOUNTS:
            yield number, " ".join(units)
        if sort not in AMOUNTS or not units:
            yield number, "age"  # a bare number may be an age that is told elsewhere


def last_digits(number: float, written: int = 0) -> int:
    """A number in units of its last digit, or of the last one of so many that are written after the point.

    >>> last_digits(1.5), last_digits(1.5, 2), last_digits(1200.0)
    (15, 150, 1200)
    """
    value = Decimal(str(number)).normalize()
    return int(value.scaleb(max(written, -int(value.as_tuple().exponent))))
