"""Does a hidden age follow from two dates that the release tells?"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import product
from operator import itemgetter

from sfumato.document import Claim, Document, Edit, Record, Spans
from sfumato.english.births import (
    AGES_BEFORE,
    OLDEST,
    ages,
    ages_by_years,
    are_together,
    born_by,
    in_years,
    is_in_months,
    lone_years,
    lone_years_of,
    may_be_age,
    sentence_of,
    told_as_birth,
    years_passed,
)
from sfumato.english.dates import day_first
from sfumato.english.durations import durations, full_years
from sfumato.kinds import rule_chain
from sfumato.plugins import claim
from sfumato.verify.check import Check, fails, holds, needs_ledger, places
from sfumato.verify.evidence import Evidence
from sfumato.verify.told import DATES, told

AGES = "no age follows from dates"
_ROWS = ("csv", "tsv", "jsonl", "table/")  # formats of records, which speak of one life each
_MOST_COMPARED = 1 << 19  # births, events and ages of one row
_GROWN = 5  # years: fewer lie between any two dates
_TO = re.compile(r"\s?[–—]\s?|\s-\s|(?<=\d{4})-(?=\d{4}\b)|\s(?:to|and|until)\s")
_LEAST = 10  # ages that are left where an age is gone
_YEARS = re.compile(r"(?:the )?(?!0000)(?:(\d{3}0)s|(\d{4})–(?!0000)(\d{4}))")
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_BETWEEN = re.compile(r"(\d{1,3}) ?(?:[-–]|to|and) ?(\d{1,3})(?!\d)")
_ABOVE = re.compile(r"(\d{1,3})(?:\+|[ -]or[ -](?:older|more))")

Ends = tuple[int, int]
_IsOpen = Callable[[int, int], bool]  # whether a stretch of the original stands in the release


@claim(AGES)
def no_age_follows(claim: Claim, evidence: Evidence) -> Check:
    """No birth and other date that the release tells leave fewer ages than stand for the hidden one."""
    record, original = evidence.record, evidence.original
    if record is None or original is None:
        return needs_ledger(claim.name)
    standing = list[tuple[int, int, str]]()
    is_told = any(
        e.kind in ("AGE", "QUANTITY") or told_as_birth(original, e.start) for e in record.edits
    )
    if evidence.find is not None and is_told:
        edited = Spans((e.start, e.end) for e in record.edits)
        found = evidence.find.all(Document(original, record.name, record.origin))
        standing = [(t.start, t.end, t.kind) for t in found if not edited.touch(t.start, t.end)]
    kept = Spans(evidence.find.kept(original) if evidence.find is not None else ())
    edited = Spans((e.start, e.end) for e in record.edits)

    def is_open(start: int, end: int) -> bool:
        return not (edited.touch(start, end) or kept.touch(start, end))

    bad = sorted({*_told(original, record, [*_whole(standing)])})
    bad += _years_apart(original, record, is_open)
    if evidence.policy is None or not evidence.policy.keeps("DATE"):
        bad += _between_ages(original, record, is_open)
        bad += _lone_births(original, record, is_open)
    if bad:
        return fails(
            AGES,
            f"with another date, the birth or the age at {places(original, bad)} of the original",
        )
    return holds(AGES)


@dataclass(frozen=True, slots=True)
class _Date:
    """A date: when it was, and when it is by what stands for it; what both are may be said in two ways. It is
    told as a birth, or may be one by its distance from another."""

    was: frozenset[Ends]
    shown: frozenset[Ends]
    is_birth: bool = False
    may_be_birth: bool = True


@dataclass(frozen=True, slots=True)
class _Age:
    """A hidden age: what it was, what stands for it, how many of these must be left, and whether it is told
    as one."""

    was: int
    shown: Ends
    least: int
    is_certain: bool


_Dates = dict[int, tuple[int, list[_Date]]]  # where each begins: where it ends, and what it tells


@dataclass(slots=True)
class _Life:
    """What a row tells: dates with their places, births that follow from an age, and ages and births that are
    hidden."""

    dates: dict[_Date, int] = field(default_factory=dict)
    derived: dict[_Date, int] = field(default_factory=dict)
    hidden: set[_Age] = field(default_factory=set)
    gone: set[Ends] = field(default_factory=set)


def _whole(found: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """What was found, without dates that are part of another: the year of "summer 2009" is no second date."""
    reach = -1
    for start, end, kind in sorted(found, key=lambda each: (each[0], -each[1])):
        is_date = "DATE" in rule_chain(kind)
        if not is_date or end > reach:
            yield start, end, kind
        reach = max(reach, end) if is_date else reach


def _told(original: str, record: Record, standing: list[tuple[int, int, str]]) -> Iterator[int]:
    """Where the births stand that tell a hidden age."""
    lives, order = defaultdict[str, _Life](_Life), day_first(original)
    shown = [(e.start, e.end, e.kind, e) for e in record.edits if e.hides]
    numbers, dates = list[tuple[int, int, bool]](), _Dates()
    for start, end, kind, edit in [*shown, *((a, b, k, None) for a, b, k in standing)]:
        said, life = original[start:end], lives[_row(record, start)]
        if "DATE" in rule_chain(kind) and kind != "TIME":
            is_birth = told_as_birth(original, start)
            is_free = edit is None or "fact" not in edit.numbers
            now = said if edit is None else edit.replacement
            if edit is not None and edit.how == "label" and now[:1] in ("[", "<", "{"):
                now = ""  # the number of "[DATE 2011]" is no year
            made = [_Date(*each, is_birth, is_free) for each in _ends(said, now, order)]
            if is_birth and edit is not None and not re.search(r"\d{3}", now):
                life.gone |= _days(said, order)
            dates[start] = (end, made)
            for each in made:
                life.dates.setdefault(each, start)
        elif kind in ("AGE", "QUANTITY") and edit is not None:
            life.hidden.update(_hidden(said, edit))
        elif kind in ("AGE", "QUANTITY") and may_be_age(said):
            numbers.append((start, end, kind == "AGE"))
    edited = Spans((e.start, e.end) for e in record.edits)
    lone = {
        at: (stop, [_Date(year := _days(original[at:stop], order), year)])
        for at, stop in lone_years_of(original)
        if not edited.touch(at, stop)
    }
    for start, end, is_age in numbers:
        passed = years_passed(original, start, end) if is_age else set()
        before = {n for n in _numbers(original[start:end]) if n >= _GROWN} if passed else set()
        if any(
            age.is_certain and age.was - number in passed
            for age, number in product(lives[_row(record, start)].hidden, before)
        ):
            yield start
    near = _Near(original, record, dates, lone)
    for start, birth in _births_by_age(original, numbers, dates, near):
        lives[_row(record, start)].derived.setdefault(birth, start)
    for life in lives.values():
        yield from _telling(life)
    yield from _two_ages(original, record, near)


def _telling(life: _Life) -> Iterator[int]:
    by_year = defaultdict[int, list[_Date]](list)
    for event in life.dates:
        for year in {y for ends in event.was for y in _years(ends)}:
            by_year[year].append(event)
    for birth, start in life.derived.items():
        is_near = any(last - first < _LEAST * 365 for first, last in birth.shown)
        if is_near and any(a <= d and c <= b for (a, b), (c, d) in product(birth.was, life.gone)):
            yield start
    left = _MOST_COMPARED
    for age, (birth, start) in product(life.hidden, [*life.dates.items(), *life.derived.items()]):
        grown = age.was >= _GROWN
        if birth.shown and (birth.is_birth or (grown and age.is_certain and birth.may_be_birth)):
            years = {y + more for ends in birth.was for y in _years(ends) for more in (0, 1)}
            events = [e for year in years for e in by_year[year + age.was]]
            left -= len(events)
            if left < 0 or any(  # more than can be shown to tell nothing
                _follows(age, birth, e) and _is_told(age, birth, e)
                for e in events
                if grown or not e.is_birth
            ):
                yield start


def _two_ages(original: str, record: Record, near: _Near) -> Iterator[int]:
    """Where an age stands that, with one before it and the dates of both, leaves less than half of what is
    shown of either."""
    before = defaultdict[str, list[tuple[_Age, list[_Date]]]](list)
    for edit in (e for e in record.edits if e.kind == "AGE" and e.hides):
        events = [day for _, days in near.of_age(edit.start, edit.end) for day in days[1]]
        row = before[_row(record, edit.start)]
        shown = [
            age
            for age in _hidden(original[edit.start : edit.end], edit)
            if age.is_certain and age.shown != (0, OLDEST)
        ]
        for age, (other, days) in product(shown, row[-AGES_BEFORE:]):
            if any(_few(age, at, other, then) for at, then in product(events, days)):
                yield edit.start
        row += [(age, events) for age in shown] or [(_Age(0, (0, 0), 1, False), [])]


def _certain(original: str, record: Record) -> Iterator[tuple[Edit, _Age]]:
    """The hidden ages that are told as such."""
    for edit in (e for e in record.edits if e.kind == "AGE" and e.hides):
        found = _hidden(original[edit.start : edit.end], edit)
        yield from ((edit, age) for age in found if age.is_certain)


class _Near:
    """The dates and the lone years that an age may be told with."""

    def __init__(self, text: str, record: Record, dates: _Dates, lone: _Dates) -> None:
        self._text, self._record, self._dates, self._lone = text, record, dates, lone
        self._years = [at for at, _ in lone_years_of(text)]
        self._rows = defaultdict[str, list[int]](list)
        for at in sorted(at for at, (_, made) in dates.items() if made):
            self._rows[_row(record, at)].append(at)

    def of_age(self, start: int, end: int) -> Iterator[tuple[int, tuple[int, list[_Date]]]]:
        """Those of its sentence; where it has no date, the last one before, the next and the first one; where
        it has no year either, such years, as of "Clinic 2025" over it."""
        first, last = sentence_of(self._text, start, end)
        row = _row(self._record, start)
        starts = self._rows.get(row, [])
        own, lone = _within(starts, first, last), _within(self._years, first, last)
        near = own or _around(starts, end)
        yield from ((at, self._dates[at]) for at in near)
        for at in lone if own or lone else _around(self._years, end):
            if at in self._lone and at not in self._dates and _row(self._record, at) == row:
                yield at, self._lone[at]


def _within(starts: Sequence[int], first: int, last: int) -> Sequence[int]:
    return starts[bisect_left(starts, first) : bisect_right(starts, last)]


def _around(starts: Sequence[int], place: int) -> Sequence[int]:
    """The last one before a place, the next one, and the first."""
    behind = bisect_right(starts, place)
    return sorted({*starts[:1], *starts[max(0, behind - 1) : behind + 1]})


def _between_ages(original: str, record: Record, is_open: _IsOpen) -> Iterator[int]:
    """Where a duration stands that leaves less than half of the bands of two ages beside it."""
    aged = [
        (edit.start, age.was, set(range(age.shown[0], age.shown[1] + 1)))
        for edit, age in _certain(original, record)
        if "-" in edit.replacement
        if age.shown[1] < OLDEST and age.shown[0] <= age.was <= age.shown[1]
    ]
    for duration in durations(original) if len(aged) > 1 else ():
        at = bisect_left(aged, duration.start, key=itemgetter(0))
        near = aged[max(0, at - 2) : at + 2] if is_open(duration.start, duration.end) else []
        for (_, was, some), (_, later, others) in product(near, near):
            fit = [(n, n + y) for n in some for y in full_years(duration) if n + y in others]
            left = min(len({n for n, _ in fit}), len({n for _, n in fit}))
            least = min(len(some), len(others), _LEAST)
            if some is not others and later - was in full_years(duration) and 2 * left < least:
                yield duration.start


def _years_apart(original: str, record: Record, is_open: _IsOpen) -> Iterator[int]:
    """Where an age stands from which a hidden one follows by the years that are told beside it."""
    whole = {age.was for _, age in _certain(original, record) if age.was >= _GROWN}
    for start, end, number, years in ages_by_years(original) if whole else ():
        others = {number + sign * many for many in years for sign in (1, -1)}
        if number >= _GROWN and whole & others and is_open(start, end):
            yield start


def _lone_births(original: str, record: Record, is_open: _IsOpen) -> Iterator[int]:
    """Where a year stands, called a birth or in the sentence of a hidden age, that lies the age before
    another year of the original."""
    whole = [each for each in _certain(original, record) if each[1].was >= _GROWN]
    lone = [*lone_years_of(original)] if whole else []
    told_years = {int(original[a:b]) for a, b in lone}
    before = {year - age.was - more for year in told_years for _, age in whole for more in (0, 1)}
    births = {
        at for at in lone if int(original[slice(*at)]) in before and told_as_birth(original, at[0])
    }
    for edit, age in whole:
        for at in lone_years(original, edit.start, edit.end):
            if {int(original[slice(*at)]) + age.was + more for more in (0, 1)} & told_years:
                births.add(at)
    yield from (a for a, b in births if is_open(a, b))


def _few(age: _Age, at: _Date, other: _Age, then: _Date) -> bool:
    same = product((born_by(age.was, e) for e in at.was), (born_by(other.was, e) for e in then.was))
    if not any(a <= d and c <= b for (a, b), (c, d) in same):
        return False  # two persons
    for here, there in product(at.shown, then.shown):
        for one, event, two, day in ((age, here, other, there), (other, there, age, here)):
            ages_then = range(two.shown[0], two.shown[1] + 1)
            births = [born_by(years, day) for years in ages_then]
            first, last = min(a for a, _ in births), max(b for _, b in births)
            low, high = ages((first, last), event)
            left = len(range(max(low, one.shown[0]), min(high, one.shown[1]) + 1))
            if 2 * left < min(one.shown[1] - one.shown[0] + 1, _LEAST):
                return True
    return False


def _births_by_age(
    original: str, numbers: list[tuple[int, int, bool]], dates: _Dates, around: _Near
) -> Iterator[tuple[int, _Date]]:
    """The births that follow from a number that stands beside a date: "at 65 in 2021". Of an age, any date of
    its sentence may be that."""
    starts = sorted(dates)
    for start, end, is_age in numbers:
        ages_told = _numbers(original[start:end])
        at = bisect_right(starts, start)
        beside = ((begin, dates[begin]) for begin in starts[max(0, at - 1) : at + 1])
        near = around.of_age(start, end) if is_age else beside
        for begin, (stop, made) in near if len(ages_told) == 1 else ():
            (age,) = ages_told
            is_beside = is_age or are_together(original, (start, end), (begin, stop))
            if _GROWN <= age <= OLDEST and is_beside:
                for event in made:
                    was = frozenset(born_by(age, ends) for ends in event.was)
                    yield start, _Date(was, frozenset(born_by(age, ends) for ends in event.shown))


def _ends(
    said: str, now: str, order: bool | None
) -> Iterator[tuple[frozenset[Ends], frozenset[Ends]]]:
    """When a date was and is shown to be; of one that goes from one day to another, either end."""
    was = _TO.split(said)
    shown = _TO.split(now) if len(was) > 1 else [now]
    for at, one in enumerate(was):
        made = _days(one, order), _days(shown[at] if len(shown) == len(was) else now, order)
        if all(made):
            yield made


def _years(ends: Ends) -> range:
    first, last = (date.fromordinal(day).year for day in ends)
    return range(first, min(last, first + OLDEST) + 1)


def _row(record: Record, start: int) -> str:
    """The record that a place of the original lies in."""
    if not record.origin.format.startswith(_ROWS):
        return ""
    at = bisect_right(record.origin.parts, start, key=lambda part: part.start) - 1
    return record.origin.parts[at].place.partition(",")[0] if at >= 0 else ""


def _days(words: str, order: bool | None) -> frozenset[Ends]:
    if years := _YEARS.fullmatch(words.strip()):
        first, last = (
            (int(years[1]), int(years[1]) + 9) if years[1] else (int(years[2]), int(years[3]))
        )
        return frozenset({(date(first, 1, 1).toordinal(), date(last, 12, 31).toordinal())})
    found = (value for sort in DATES for value in told(words, sort, order, "text").values)
    told_years = map(int, _YEAR.findall(words))  # of what nobody reads: "Q2 1961"
    whole = ((date(y, 1, 1).toordinal(), date(y, 12, 31).toordinal()) for y in told_years)
    return frozenset(found) or frozenset(whole)  # type: ignore[arg-type]


def _numbers(words: str) -> set[int]:
    """The ages that words may tell."""
    return {value[0] for value in told(words, "age", None, "text").values}  # type: ignore[index]


def _hidden(said: str, edit: Edit) -> Iterator[_Age]:
    is_age = edit.kind == "AGE"
    is_young = is_age and is_in_months(said)
    if not (is_young or may_be_age(said)) or (not is_age and re.search(r"(?i)years?|yrs?", said)):
        return  # it counts something else
    numbers = _numbers(said)
    between, above = _BETWEEN.search(edit.replacement), _ABOVE.search(edit.replacement)
    if "fact" in edit.numbers and (between or above or edit.kind != "AGE"):
        return  # what is told of it is counted together with the dates
    is_certain = is_age and "fact" not in edit.numbers
    for number in numbers if len(numbers) == 1 else ():
        was = in_years(number, said) if is_age else number
        if is_young:  # what stands for it counts no years
            yield _Age(was, (0, _LEAST - 1), _LEAST, is_certain)
        elif between and int(between[1]) < int(between[2]):
            low, high = int(between[1]), int(between[2])
            wide = high - low + 1 if is_age and high - low < 2 * _LEAST else _LEAST
            yield _Age(was, (low, high), wide, is_certain)
        elif above:
            yield _Age(was, (int(above[1]), OLDEST), _LEAST, is_certain)
        elif "[" in edit.replacement or number not in _numbers(edit.replacement):
            yield _Age(was, (0, OLDEST), _LEAST, is_certain)


def _follows(age: _Age, birth: _Date, event: _Date) -> bool:
    """Whether the age was that of somebody born then, at the event."""
    found = (ages(b, e) for b in birth.was for e in event.was)
    return any(low <= age.was <= high for low, high in found)


def _is_told(age: _Age, birth: _Date, event: _Date) -> bool:
    """Whether what is shown of both leaves too few ages."""
    for low, high in (ages(b, e) for b in birth.shown for e in event.shown):
        if min(high, age.shown[1]) - max(low, age.shown[0]) + 1 < age.least:
            return True
    return False
