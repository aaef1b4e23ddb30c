"""Dates shifted and made coarser, and written again in the form they had.

What cannot be read, or lies beyond the calendar, gives `None`; the caller then hides the term in another way.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Literal

from sfumato.english.dates import (
    MONTHS,
    SEASONS,
    DayRange,
    Pair,
    Piece,
    Reading,
    Written,
    name_like,
    read,
    write,
    write_field,
)
from sfumato.english.folding import unaccented
from sfumato.english.spoken import in_digits

_DECADE = re.compile(r"(?:the\s)?(?:(?:early|mid|late)[\s-])?\d{3}0['’]?s", re.IGNORECASE)
_SEASON = re.compile(
    rf"(?:(?:last|next|this|that|the)\s)?(?:(?:early|mid|late)[\s-])?(?:{SEASONS})"
    r"(?:(?:,?\s(?:of|in))?,?\s\d{4})?",
    re.IGNORECASE,
)
WEEKDAY = re.compile(
    r"(?:(?:last|next|this) )?(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:days?)?"
    r"(?: (?:morning|afternoon|evening|night)s?)?",
    re.IGNORECASE,
)
_LONE_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")

Grain = Literal["month", "year", "decade"]


def shift(
    text: str,
    days: int,
    *,
    dayfirst: bool | None = None,
    near: int | None = None,
    beside: Sequence[date] = (),
) -> str | None:
    """The date moved by a number of days, in the form it had. `near` is the year of dates without one. A
    month or year goes where those of the days `beside` it, in order, go that lie in it.

    >>> shift("Monday, 3 March 2025", 28)
    'Monday, 31 March 2025'
    >>> shift("May 12th, 2024", -7)
    'May 5th, 2024'
    >>> [shift("2019", 7, beside=[date(2019, month, 30)]) for month in (6, 12)]
    [None, '2020']
    """
    reading = _read(text, dayfirst)
    try:
        moved = _shifted(reading, days, near, beside) if reading is not None else None
    except (OverflowError, ValueError):  # beyond the years that calendars know
        return None
    return None if moved == text else moved


def reduce(text: str, to: Grain, *, dayfirst: bool | None = None) -> str | None:
    """The date without its parts finer than `to`.

    >>> reduce("14 May 2004", "month"), reduce("2004-05-14", "month"), reduce("5/14/04", "year")
    ('May 2004', '2004-05', '2004')
    """
    if _DECADE.fullmatch(text) or (to == "month" and _SEASON.fullmatch(text)):
        return text
    reading = _read(text, dayfirst)
    match reading:
        case Written():
            return _coarse(reading, to)
        case DayRange():
            return _coarse(reading.last, to)
        case Pair():
            left, right = _coarse(reading.left, to), _coarse(reading.right, to)
            if left is None or right is None or left == right:
                return left if left == right else None
            return left + reading.between + right
    years = set(_LONE_YEAR.findall(text))
    if to == "month" or len(years) != 1:
        return None
    return _coarse(Written((Piece("", "year"),), int(years.pop())), to)


def _read(text: str, dayfirst: bool | None) -> Reading | None:
    """The date, which may be told in words."""
    plain = in_digits(unaccented(text))
    return read(text, dayfirst=dayfirst) or (
        read(plain, dayfirst=dayfirst) if plain != text else None
    )


# Shifting


def _shifted(reading: Reading, days: int, near: int | None, beside: Sequence[date]) -> str | None:
    if isinstance(reading, Pair):
        return (
            write(reading.left, _moved(reading.left, days, near, beside), days)
            + reading.between
            + write(reading.right, _moved(reading.right, days, near, beside), days)
        )
    if isinstance(reading, Written):
        return write(reading, _moved(reading, days, near, beside), days)
    last = reading.last
    one = _moved(replace(last, day=reading.first), days, near, beside)
    two = _moved(last, days, near, beside)
    if (one.year, one.month) != (two.year, two.month):
        # "from 28 to 30 May" becomes "from 28 May to 3 June": words around the date are said once.
        fields = [i for i, p in enumerate(last.pieces) if p.field]
        left = replace(last, pieces=last.pieces[: fields[-1] + 1])
        right = replace(last, pieces=last.pieces[fields[0] :])
        return write(left, one, days) + reading.between + write(right, two, days)
    first = next(write_field(p, one, days) for p in last.pieces if p.field == "day")
    pieces = [
        Piece(first + reading.between + write_field(p, two, days)) if p.field == "day" else p
        for p in last.pieces
    ]
    return write(replace(last, pieces=tuple(pieces)), two, days)


def _moved(written: Written, days: int, near: int | None, beside: Sequence[date]) -> date:
    """The new date. A month or a year without a day moves with the days that lie in it, or by its middle, and
    always moves."""
    year = written.year or (
        near if near and not (written.month == 2 and written.day == 29) else None
    )
    start = date(year or 2024, written.month or 7, written.day or (15 if written.month else 2))
    moved = start + timedelta(days)
    if written.day is None:
        if inside := _inside(start.year, written.month, beside):
            first, last = (day + timedelta(days) for day in inside)
            was, new, end = (
                (written.has("year") and day.year, written.month and day.month)
                for day in (start, first, last)
            )
            if new == was or new != end:
                raise ValueError("its days stay, or come to lie in two months or years")
            return first
        step = 1 if days > 0 else -1
        if written.month is None:
            return moved.replace(year=start.year + step) if moved.year == start.year else moved
        if (moved.year, moved.month) == (start.year, start.month) or (
            not written.has("year") and moved.month == start.month
        ):
            months = moved.year * 12 + moved.month - 1 + step
            return date(months // 12, months % 12 + 1, 15)
    elif not written.has("year") and (moved.month, moved.day) == (start.month, start.day):
        return moved + timedelta(7 if days > 0 else -7)
    return moved


def _inside(year: int, month: int | None, days: Sequence[date]) -> tuple[date, date] | None:
    """The first and the last of some days in order that lie in a year, or in a month of it."""
    low = bisect_left(days, date(year, month or 1, 1))
    high = bisect_right(days, date(year, month or 12, monthrange(year, month or 12)[1]))
    return (days[low], days[high - 1]) if low < high else None


# Making coarser


def _coarse(written: Written, to: Grain) -> str | None:
    year, month = written.year, written.month
    if to != "month":
        return None if year is None else str(year) if to == "year" else f"the {year // 10 * 10}s"
    if month is None:
        return None if year is None else str(year)
    kept = [p for p in written.pieces if p.field in ("year", "month")]
    # "05/2024" is a month already; written out, it can no longer be taken for anything finer.
    if year is None or written.day is None or any(p.named for p in kept) or not written.has("year"):
        like = next(
            (p for p in kept if p.field == "month" and p.named), Piece("May", "month", "name")
        )
        return name_like(MONTHS[month - 1], like) + (f" {year}" if year is not None else "")
    joint = next((p.text for p in written.pieces if not p.field and p.text in ("/", "-", ".")), "-")
    by_year = next(p.field for p in kept) == "year"
    return f"{year:04}{joint}{month:02}" if by_year else f"{month:02}{joint}{year:04}"
