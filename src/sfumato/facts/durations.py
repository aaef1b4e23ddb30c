"""What lies between two dates: with a date that stands, "three weeks later" tells one that is hidden.

Where two dates are told of which one is hidden and the other stands, what says about as much as lies between
them is hidden, too. Where the values of dates are counted, each for itself, every duration is hidden that
stands beside two dates, whatever it says: what is told of the dates must not depend on them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from calendar import monthrange
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from operator import itemgetter

from sfumato.document import Edit, Spans, Term
from sfumato.english.dates import MONTHS, day_first
from sfumato.english.numbers import numbers_in_digits, numbers_in_words
from sfumato.facts.mentions import SPREAD
from sfumato.facts.values import DayOfYear, Days, days
from sfumato.kinds import rule_chain

COUNTED = "fact"  # in the numbers of an edit whose values somebody counts
# Days of each unit, and by how many a duration may miss what lies between two dates.
_UNITS = {
    "hour": (1 / 24, 1), "night": (1, 1), "day": (1, 1), "week": (7, 3), "fortnight": (14, 3),
    "month": (30.44, 15), "year": (365.25, 183),
}  # fmt: skip
_UNIT = re.compile(rf"\b(?i:({'|'.join(_UNITS)})s?)\b(?! ?-?(?:old\b|of age))")
_ONE = re.compile(r"(?i)\b(?:an?|one|the)[ -]\Z")
_MONTH = rf"(?:{'|'.join(f'{month[:3]}(?:{month[3:]})?' for month in MONTHS)})\.?"
_DATE = re.compile(
    rf"\b\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{2,4}}\b"
    rf"|\b(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? \d{{4}})?\b"
    rf"|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?\b"
    rf"|\b(?:{_MONTH} )?(?:1[89]|20)\d\d\b"
)
_BEFORE = 40  # characters before a unit in which its number stands
_ANY_YEAR = 2001
_MOST_COMPARED = 50_000  # pairs of dates; beside more of them any duration tells something


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time in a text, in days, as exactly as it is told."""

    start: int
    end: int
    least: float
    most: float


def durations(text: str) -> Iterator[Duration]:
    """The lengths of time that a text tells, in whatever words.

    >>> said = "for three weeks, 21 days; a fortnight later; 48 hours; two years old"
    >>> [said[d.start : d.end] for d in durations(said)]
    ['three weeks', '21 days', 'a fortnight', '48 hours']
    >>> [round((d.least + d.most) / 2) for d in durations(said)]
    [21, 21, 14, 2]
    """
    for unit in _UNIT.finditer(text):
        begin = max(0, unit.start() - _BEFORE)
        before = text[begin : unit.start()]
        stop = len(before.rstrip(" -"))
        numbers = (*numbers_in_digits(before), *numbers_in_words(before))
        number = next((n for n in numbers if n.end == stop), None)
        one = _ONE.search(before)
        if number is None and (
            one is None or (one[0].lower() == "the " and "f" not in unit[1].lower())
        ):
            continue
        at, many = (
            (number.start, number.value) if number else (one.start(), 1.0) if one else (0, 0.0)
        )
        days, miss = _UNITS[unit[1].lower()]
        yield Duration(begin + at, unit.end(), many * days - miss, many * days + miss)


def telling_durations(text: str, edits: Sequence[Edit]) -> list[Term]:
    """The durations outside all edits that would tell a hidden date.

    >>> note = "Admitted on 3 June 2024, left three weeks later. Seen on 24 June 2024 for two days."
    >>> [note[t.start : t.end] for t in telling_durations(note, [Edit(12, 23, "DATE", "", "")])]
    ['three weeks']
    """
    hidden = [e for e in edits if e.hides and "DATE" in rule_chain(e.kind)]
    if not hidden:
        return []
    taken, order = Spans((e.start, e.end) for e in edits), day_first(text)
    standing = {m[0] for m in _DATE.finditer(text) if not taken.touch(*m.span())}
    told = [v for words in {text[e.start : e.end] for e in hidden} for v in days(words, order)]
    stand = [v for words in standing for v in days(words, order)]
    all_of = len({*told, *stand}) > 1 and any(COUNTED in e.numbers for e in hidden)
    years = {date.fromordinal(v.first).year for v in (*told, *stand) if isinstance(v, Days)}
    without_year = sum(isinstance(v, DayOfYear) for v in {*told, *stand})
    all_of = all_of or without_year * len(years) > _MOST_COMPARED
    apart = [] if all_of else _apart(_by_level(told, years), _by_level(stand, years))
    if not all_of and not apart:
        return []
    return [
        Term(d.start, d.end, hidden[0].kind, 1.0, SPREAD, "with a date it would tell another")
        for d in durations(text)
        if not taken.touch(d.start, d.end) and (all_of or _lies_apart(d, apart))
    ]


def _apart(told: Mapping[str, set[Days]], stand: Mapping[str, set[Days]]) -> list[tuple[int, int]]:
    """How many days may lie between two dates of a level: spans in order, which do not overlap. Beside too
    many dates any length does."""
    pairs = [(some, stand[level]) for level, some in told.items() if level in stand]
    if sum(len(some) * len(others) for some, others in pairs) > _MOST_COMPARED:
        return [(0, date.max.toordinal())]
    spans = {
        tuple(sorted((abs(a.first - b.last), abs(a.last - b.first))))
        for some, others in pairs
        for a in some
        for b in others
    }
    joined = list[tuple[int, int]]()
    for least, most in sorted(spans):
        if joined and least <= joined[-1][1] + 1:
            least, most = joined[-1][0], max(joined.pop()[1], most)
        joined.append((least, most))
    return joined


def _lies_apart(duration: Duration, apart: Sequence[tuple[int, int]]) -> bool:
    at = bisect_left(apart, duration.least, key=itemgetter(1))
    return at < len(apart) and apart[at][0] <= duration.most


def _by_level(values: Sequence[Days | DayOfYear], years: Collection[int]) -> dict[str, set[Days]]:
    found = dict[str, set[Days]]()
    for value in values:
        for one in _in_years(value, years):
            found.setdefault(one.level, set()).add(one)
    return found


def _in_years(value: Days | DayOfYear, years: Collection[int]) -> Iterator[Days]:
    """A date; one of no particular year in all years that the text tells, and next to them."""
    if isinstance(value, Days):
        yield value
        return
    for year in {y + step for y in years or {_ANY_YEAR} for step in (-1, 0, 1)}:
        if value.day and value.day <= monthrange(year, value.month)[1]:
            day = date(year, value.month, value.day).toordinal()
            yield Days(day, day, "day")
