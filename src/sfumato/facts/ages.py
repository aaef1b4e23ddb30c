"""The ages that follow from dates: of whom, born at one of them, at another."""

from __future__ import annotations

from bisect import bisect_left
from calendar import monthrange
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import permutations

from sfumato.document import FACT, Edit, Spans, Term, joined
from sfumato.english.births import (
    MANY_DATES,
    OLDEST,
    ages,
    ages_by_years,
    in_years,
    lone_years,
    lone_years_of,
    told_as_birth,
)
from sfumato.facts.mentions import SPREAD
from sfumato.facts.values import AGE, Amount, Days, Value, readings

_GROWN = 5  # years: fewer lie between any two dates


def ages_told(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ages that somebody may have who was born at one of some dates, at another of them: ranges that lie
    apart, in order. A date is a span of `date.toordinal`.

    >>> from datetime import date
    >>> years = [(date(y, 1, 1).toordinal(), date(y, 12, 31).toordinal()) for y in (1984, 2004, 2024)]
    >>> ages_told(years)
    [(19, 20), (39, 40)]
    """
    times = Counter(spans)
    if len(times) > MANY_DATES:
        return [(0, OLDEST)]
    pairs = permutations([span for span, n in times.items() for _ in range(min(n, 2))], 2)
    return joined({ages(*pair) for pair in pairs if pair[0][0] <= pair[1][1]}, 1)


def spans_in(first: int, last: int, level: str) -> Iterator[tuple[int, int]]:
    """The days, months or years of a span of days, each by its first and last day."""
    while first <= last:
        day, end = date.fromordinal(first), first
        if level == "month":
            end = first - day.day + monthrange(day.year, day.month)[1]
        elif level == "year":
            end = date(day.year, 12, 31).toordinal()
        yield first, end
        first = end + 1


def pairs(births: Iterable[tuple[int, int]], events: Sequence[tuple[int, int]]) -> int:
    """How many pairs of a birth and an event there are, in order, of which the birth is not later, and nobody
    is too old for an age to follow.

    >>> years = [list(spans_in(date(y, 1, 1).toordinal(), date(y + 99, 12, 31).toordinal(), "year"))
    ...          for y in (1900, 2000)]
    >>> pairs(*years)
    6840
    """
    firsts, lasts = [first for first, _ in events], [last for _, last in events]
    found = 0
    for first, last in births:
        most = bisect_left(firsts, _too_old(last))
        found += max(0, most - bisect_left(lasts, first))
    return found


def _too_old(born: int) -> int:
    """The first day on which somebody is too old."""
    day = date.fromordinal(born)
    return date(day.year + OLDEST + 1, day.month, min(day.day, 28)).toordinal() + max(
        0, day.day - 28
    )


def order_by_ages(values: Sequence[tuple[Value, ...]]) -> list[tuple[Value, ...]]:
    """The readings of all terms, those of days that may be two ("03/06/1969") the other way round where that
    makes more of the ages follow that are told."""
    turned = [v[::-1] if len(v) > 1 and _is_days(v) else v for v in values]
    told = [v[0].number for v in values if isinstance(v[0], Amount) and v[0].unit == AGE]
    if not told or all(a is b for a, b in zip(turned, values, strict=True)):
        return list(values)

    def fitting(read: Sequence[tuple[Value, ...]]) -> int:
        days = [(v[0].first, v[0].last) for v in read if isinstance(v[0], Days)]
        follow = ages_told(list(dict.fromkeys(days)))
        return sum(any(low <= age <= high for low, high in follow) for age in told)

    return turned if fitting(turned) > fitting(values) else list(values)


def _is_days(readings: Iterable[Value]) -> bool:
    return all(isinstance(value, Days) for value in readings)


def years_of_birth(text: str, edits: Sequence[Edit]) -> list[Term]:
    """The years that no detector has found, called a birth or in the sentence of a hidden age, that lie the
    age before another year of the text: "Mr Lowe (1960) is 65. Assessment 2025." tells it.

    >>> note = "Lowe (1960) is 65. Assessment 2025. Room 1961."
    >>> [note[t.start : t.end] for t in years_of_birth(note, [Edit(15, 17, "AGE", "60-69", "")])]
    ['1960']
    """
    hidden = [e for e in edits if e.kind == "AGE" and e.hides and FACT not in e.numbers]
    aged = {(e.start, e.end): age for e in hidden if (age := _age(text[e.start : e.end])) >= _GROWN}
    if not aged:
        return []
    taken, years = Spans((e.start, e.end) for e in edits), [*lone_years_of(text)]
    told = {int(text[a:b]) for a, b in years}
    ages_of = {span: {*aged.values()} for span in years if told_as_birth(text, span[0])}
    for place, age in aged.items():
        for span in lone_years(text, *place):
            ages_of.setdefault(span, set()).add(age)
    why = "with another year it would tell an age that is hidden"
    return [
        Term(a, b, "DATE", 1.0, SPREAD, why)
        for (a, b), some in ages_of.items()
        if not taken.touch(a, b)
        if any(int(text[a:b]) + age + more in told for age in some for more in (0, 1))
    ]


def ages_at_other_times(text: str, edits: Sequence[Edit]) -> list[Term]:
    """The ages that no detector has found which lie as many years from a hidden one as the words beside them
    tell: "He is 96. He gave up driving 23 years ago, at 73." tells it.

    >>> note = "He is 96. He gave up driving 23 years ago, at 73, and his son left home at 40."
    >>> [note[t.start : t.end] for t in ages_at_other_times(note, [Edit(6, 8, "AGE", "90+", "")])]
    ['73']
    """
    hidden = [e for e in edits if e.kind == "AGE" and e.hides and FACT not in e.numbers]
    aged = {age for e in hidden if (age := _age(text[e.start : e.end])) >= _GROWN}
    taken = Spans((e.start, e.end) for e in edits)
    why = "with the years between them it would tell an age that is hidden"
    return [
        Term(start, end, "AGE", 1.0, SPREAD, why)
        for start, end, number, years in (ages_by_years(text) if aged else ())
        if number >= _GROWN and not taken.touch(start, end)
        if any(abs(age - number) in years for age in aged)
    ]


def _age(words: str) -> int:
    read = readings(words, "AGE", day_first=None, places=lambda _: iter(()))
    return next((in_years(int(v.number), words) for v in read if isinstance(v, Amount)), 0)
