"""Does a hidden age follow from two dates that the release tells?"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import product

from sfumato.document import Claim, Document, Edit, Record, Spans
from sfumato.english.births import OLDEST, ages, may_be_age, told_as_birth
from sfumato.english.dates import day_first
from sfumato.kinds import rule_chain
from sfumato.plugins import claim
from sfumato.verify.check import Check, fails, holds, needs_ledger, places
from sfumato.verify.evidence import Evidence
from sfumato.verify.told import DATES, told

AGES = "no age follows from dates"
_ROWS = ("csv", "tsv", "jsonl", "table/")  # formats of records, which speak of one life each
_MOST_COMPARED = 1 << 17  # births, events and ages of one row
_LEAST = 10  # ages that are left where an age is gone
_YEARS = re.compile(r"(?:the )?(\d{3}0)s|(\d{4})–(\d{4})")
_BETWEEN = re.compile(r"(\d{1,3}) ?(?:[-–]|to|and) ?(\d{1,3})(?!\d)")
_ABOVE = re.compile(r"(\d{1,3})(?:\+|[ -]or[ -](?:older|more))")

Ends = tuple[int, int]


@claim(AGES)
def no_age_follows(claim: Claim, evidence: Evidence) -> Check:
    """No birth and other date that the release tells leave fewer ages than stand for the hidden one."""
    record, original = evidence.record, evidence.original
    if record is None or original is None:
        return needs_ledger(claim.name)
    standing = list[tuple[int, int, str]]()
    if evidence.find is not None and any(e.kind in ("AGE", "QUANTITY") for e in record.edits):
        edited = Spans((e.start, e.end) for e in record.edits)
        found = evidence.find.all(Document(original, record.name, record.origin))
        standing = [(t.start, t.end, t.kind) for t in found if not edited.touch(t.start, t.end)]
    bad = sorted({*_told(original, record, standing)})
    if bad:
        return fails(
            AGES, f"with another date, the birth at {places(original, bad)} of the original"
        )
    return holds(AGES)


@dataclass(frozen=True, slots=True)
class _Date:
    """A date: when it was, and when it is by what stands for it; what both are may be said in two ways."""

    was: frozenset[Ends]
    shown: frozenset[Ends]


@dataclass(frozen=True, slots=True)
class _Age:
    """A hidden age: what it was, what stands for it, and how many of these must be left."""

    was: int
    shown: Ends
    least: int


def _told(original: str, record: Record, standing: list[tuple[int, int, str]]) -> Iterator[int]:
    """Where the births stand that tell a hidden age."""
    births = defaultdict[str, dict[_Date, int]](dict)  # by the row
    events, hidden = defaultdict[str, set[_Date]](set), defaultdict[str, set[_Age]](set)
    counted = defaultdict[str, set[_Age]](set)
    order = day_first(original)
    shown = [(e.start, e.end, e.kind, e) for e in record.edits if e.hides]
    for start, end, kind, edit in [*shown, *((a, b, k, None) for a, b, k in standing)]:
        said, row = original[start:end], _row(record, start)
        if "DATE" in rule_chain(kind) and kind != "TIME":
            now = said if edit is None else edit.replacement
            made = _Date(_days(said, order), _days(now, order))
            if made.was and made.shown:
                if told_as_birth(original, start):
                    births[row].setdefault(made, start)
                else:
                    events[row].add(made)
        elif kind in ("AGE", "QUANTITY") and edit is not None:
            ages_of = counted if "fact" in edit.numbers else hidden
            ages_of[row].update(_hidden(said, edit))
    for row, some in counted.items():
        if len({birth.was for birth in births[row]}) == 1:  # whose age else it is, is not told
            hidden[row] |= some
    for row in births.keys() & events.keys() & hidden.keys():
        many = len(births[row]) * len(events[row]) * len(hidden[row]) > _MOST_COMPARED
        if many:  # than can be shown to tell nothing
            yield from births[row].values()
            continue
        for (birth, start), event, age in product(births[row].items(), events[row], hidden[row]):
            if _follows(age, birth, event) and _is_told(age, birth, event):
                yield start


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
    return frozenset(found)  # type: ignore[arg-type]


def _hidden(said: str, edit: Edit) -> Iterator[_Age]:
    if not may_be_age(said) or (edit.kind != "AGE" and re.search(r"(?i)years?|yrs?", said)):
        return  # it counts something else
    numbers = {value[0] for value in told(said, "age", None, "text").values}  # type: ignore[index]
    between, above = _BETWEEN.search(edit.replacement), _ABOVE.search(edit.replacement)
    if "fact" in edit.numbers and (between or above or edit.kind != "AGE"):
        return  # what is told of it is counted together with the dates
    for was in numbers if len(numbers) == 1 else ():
        if between and int(between[1]) < int(between[2]):
            low, high = int(between[1]), int(between[2])
            wide = high - low + 1 if edit.kind == "AGE" and high - low < 2 * _LEAST else _LEAST
            yield _Age(was, (low, high), wide)
        elif above:
            yield _Age(was, (int(above[1]), OLDEST), _LEAST)
        elif "[" in edit.replacement:
            yield _Age(was, (0, OLDEST), _LEAST)


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
