"""Does a hidden day follow from months or years that are told, and what lies between them?"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from math import ceil, floor
from typing import cast

from sfumato.document import Record, Spans
from sfumato.english.dates import day_first
from sfumato.english.durations import durations
from sfumato.english.ties import DATES_AROUND, dates_written
from sfumato.kinds import rule_chain
from sfumato.verify.told import DATES, told


def days_told(original: str, record: Record, kept: Sequence[tuple[int, int]] = ()) -> Iterator[int]:
    """Where in an original durations stand, in the release too, that leave less than half of the days which
    are shown of two dates beside them."""
    edited, order = Spans((e.start, e.end) for e in record.edits), day_first(original)
    shown = {
        e.start: (original[e.start : e.end], e.replacement)
        for e in record.edits
        if e.hides and "DATE" in rule_chain(e.kind)
    }
    if not shown:
        return
    for start, end in dates_written(original):
        if not edited.touch(start, end):
            shown[start] = (original[start:end], original[start:end])
    read = {at: [*_read(*words, order)] for at, words in shown.items()}
    starts, stays = sorted(at for at in read if read[at]), Spans(kept)
    for duration in durations(original):
        if edited.touch(duration.start, duration.end) or stays.touch(duration.start, duration.end):
            continue
        here = bisect_left(starts, duration.start)
        around = starts[max(0, here - DATES_AROUND) : here + DATES_AROUND]
        lengths = ceil(duration.least), floor(duration.most)
        pairs = (
            (a, b) for one, other in permutations(around, 2) for a in read[one] for b in read[other]
        )
        if any(_tells(a, b, *lengths) for a, b in pairs):
            yield duration.start


def _read(said: str, now: str, order: bool | None) -> Iterator[tuple[range, range]]:
    """When a date was, and within what it is shown to be."""
    for was, within in product(_spans(said, order), _spans(now, order)):
        if within.start <= was.start and was.stop <= within.stop:
            yield was, within


def _spans(words: str, order: bool | None) -> list[range]:
    found = [v for sort in DATES for v in told(words, sort, order, "text").values]
    return [range(first, last + 1) for first, last in cast(list[tuple[int, int]], found)]


def _tells(first: tuple[range, range], then: tuple[range, range], least: int, most: int) -> bool:
    """Whether so many days may lie between two dates, and leave few of those that are shown of either."""
    (was, now), (later, shown) = first, then
    if (was, later) == (now, shown) or not _meet(_moved(was, least, most), later):
        return False
    left = _meet(now, _moved(shown, -most, -least)), _meet(shown, _moved(now, least, most))
    return 2 * min(left) < min(len(now), len(shown))


def _moved(days: range, least: int, most: int) -> range:
    """The days that lie so many after some day."""
    return range(days.start + least, days.stop + most)


def _meet(some: range, others: range) -> int:
    return len(range(max(some.start, others.start), min(some.stop, others.stop)))
