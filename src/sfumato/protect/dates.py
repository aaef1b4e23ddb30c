"""Dates as people write them: read, shifted, made coarser, and written again in the form they had.

A `Written` date is a row of pieces (literal text and fields), so that a new date can be put into the old
form. Whatever is not understood gives `None`; the caller then hides the term in another way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Literal

from sfumato.protect.wordlists import words

MONTHS = words(
    "January February March April May June July August September October November December"
)
WEEKDAYS = words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
_MONTH = {m.lower()[:n]: i for i, m in enumerate(MONTHS, 1) for n in (3, len(m))} | {"sept": 9}
_WEEKDAY = {d.lower()[:n]: i for i, d in enumerate(WEEKDAYS) for n in (3, len(d))}
_WEEKDAY |= {"tues": 1, "weds": 2, "thur": 3, "thurs": 3}
# Words that may stand inside a date term without changing which date it is.
_FILLERS = words(
    "of the on in day year early late mid circa c ca about around since from by before after during until"
    " between for dated ad ce"
)
# Two-digit years below this belong to this century.
_PIVOT = 40

_TOKEN = re.compile(r"(\d+)(?:(st|nd|rd|th)\b)?|([^\W\d_]+)|(.)", re.IGNORECASE | re.DOTALL)
_TIME = re.compile(
    r"(?:T|,?\s+(?:at\s+)?)\d{1,2}(?:[:.]\d{2}){1,2}(?:[.,]\d{1,9})?\s?(?:[ap]\.?m\.?)?\s?"
    r"(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})?$",
    re.IGNORECASE,
)
_DAY_RANGE = re.compile(
    r"\b(\d{1,2})(?:st|nd|rd|th)?(\s?[-–—/]\s?|\s(?:to|and|or|until|through|&)\s)(?=\d{1,2}(?!\d))",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s?[–—]\s?|\s-\s|\s(?:to|and|or|until|through|till|&)\s", re.IGNORECASE)
_YEARS = re.compile(r"(\d{4})([-–—/])(\d{4}|\d{2})")
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)")
_DECADE = re.compile(r"(?:the\s)?(?:(?:early|mid|late)[\s-])?\d{3}0['’]?s", re.IGNORECASE)
_NUMERIC = re.compile(r"(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(?:\d{4}|\d{2})(?![\d/-]|\.\d)")
_LONE_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")

Grain = Literal["month", "year", "decade"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a written date: literal text (no field), or a field and how it is written."""

    text: str
    field: Literal["", "year", "month", "day", "weekday"] = ""
    style: Literal["", "pad", "ordinal", "name", "short"] = ""


@dataclass(frozen=True, slots=True)
class Written:
    """A date and its form. A field may be known without a piece: "3 May" of "3 May to 5 June 2024"."""

    pieces: tuple[Piece, ...]
    year: int | None = None
    month: int | None = None
    day: int | None = None

    def has(self, field: str) -> bool:
        return any(p.field == field for p in self.pieces)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two dates with words or a dash between them."""

    left: Written
    between: str
    right: Written


@dataclass(frozen=True, slots=True)
class DayRange:
    """Two days of one month: "12–14 May 2024". The form is that of the later one."""

    first: int
    between: str
    last: Written


Reading = Written | Pair | DayRange


def day_first(text: str) -> bool | None:
    """Whether the numeric dates of a text put the day first; `None` where nothing tells.

    >>> day_first("seen 13/02/2025 and 05/06/2024")
    True
    """
    votes = 0
    for first, _, second in (m.groups() for m in _NUMERIC.finditer(text)):
        votes += (int(first) > 12 >= int(second)) - (int(second) > 12 >= int(first))
    return votes > 0 if votes else None


def read(text: str, *, dayfirst: bool | None = None) -> Reading | None:
    """The date or dates that a text consists of."""
    if len(text) > 120:
        return None
    one = _read_years(text) or _single(text, dayfirst)
    return one or _read_days(text, dayfirst) or _read_pair(text, dayfirst)


def shift(
    text: str, days: int, *, dayfirst: bool | None = None, near: int | None = None
) -> str | None:
    """The date moved by a number of days, in the form it had. `near` is the year of dates without one.

    >>> shift("Monday, 3 March 2025", 28)
    'Monday, 31 March 2025'
    >>> shift("May 12th, 2024", -7)
    'May 5th, 2024'
    """
    reading = read(text, dayfirst=dayfirst)
    try:
        moved = _shifted(reading, days, near) if reading is not None else None
    except (OverflowError, ValueError):  # beyond the years that calendars know
        return None
    return None if moved == text else moved


def reduce(text: str, to: Grain, *, dayfirst: bool | None = None) -> str | None:
    """The date without its parts finer than `to`.

    >>> reduce("14 May 2004", "month"), reduce("2004-05-14", "month"), reduce("5/14/04", "year")
    ('May 2004', '2004-05', '2004')
    """
    if _DECADE.fullmatch(text):
        return text
    reading = read(text, dayfirst=dayfirst)
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


def year_of(text: str, *, dayfirst: bool | None = None) -> int | None:
    """The year of a complete date."""
    reading = read(text, dayfirst=dayfirst)
    one = reading.last if isinstance(reading, DayRange) else reading
    return one.year if isinstance(one, Written) and one.day is not None else None


# Reading


def _single(text: str, dayfirst: bool | None) -> Written | None:
    """One date, with or without a time of day after it; the time stays as it is."""
    found = _read_fields(text, dayfirst)
    if found is None and (tail := _TIME.search(text)):
        found = _read_fields(text[: tail.start()], dayfirst)
        if found is not None and found.day is not None:
            return replace(found, pieces=(*found.pieces, Piece(tail[0])))
        return None
    return found


def _read_fields(text: str, dayfirst: bool | None) -> Written | None:
    if compact := _COMPACT.fullmatch(text):
        y, m, d = compact.groups()
        return _made(
            (Piece(y, "year"), Piece(m, "month", "pad"), Piece(d, "day", "pad")), int(y), int(m), int(d)
        )
    pieces: list[Piece] = []
    numbers: list[int] = []  # where in `pieces` the numbers stand
    month = None
    for digits, ordinal, word, other in _TOKEN.findall(text):
        if digits:
            if len(digits) > 4 or len(digits) == 3:
                return None
            numbers.append(len(pieces))
            pieces.append(Piece(digits + ordinal, "", "ordinal" if ordinal else ""))
        elif word:
            low = word.lower()
            if low in _MONTH:
                if month is not None:
                    return None
                month = _MONTH[low]
                hyphened = bool(pieces) and pieces[-1].text in "-/"
                long = len(word) > 4 or low in ("june", "july") or (low == "may" and not hyphened)
                pieces.append(Piece(word, "month", "name" if long else "short"))
            elif low in _WEEKDAY:
                pieces.append(Piece(word, "weekday", "name" if low.endswith("day") else "short"))
            elif low in _FILLERS:
                pieces.append(Piece(word))
            else:
                return None
        else:
            if not (other.isspace() or other in "/.,-–'’()"):
                return None
            pieces.append(Piece(other))
    if not numbers and month is None:
        return None
    fields = _fields(pieces, numbers, month, dayfirst)
    if fields is None:
        return None
    for at, field in zip(numbers, fields, strict=True):
        pieces[at] = replace(pieces[at], field=field)
    pieces = _with_padding(pieces)
    values = {p.field: _number(p) for p in pieces if p.field in ("year", "day")}
    numeric = next((_number(p) for p in pieces if p.field == "month" and not _named(p)), None)
    return _made(tuple(pieces), values.get("year"), month or numeric, values.get("day"))


def _fields(
    pieces: Sequence[Piece], numbers: Sequence[int], month: int | None, dayfirst: bool | None
) -> list[Literal["year", "month", "day"]] | None:
    """What each number is: the year, the month or the day."""
    texts = [pieces[at].text for at in numbers]
    long = [len(t) == 4 and t.isdigit() for t in texts]
    short_year = [at > 0 and pieces[at - 1].text in "'’" and len(pieces[at].text) == 2 for at in numbers]
    if month is not None:
        match [a or b for a, b in zip(long, short_year, strict=True)]:
            case []:
                return []
            case [is_year]:
                return ["year"] if is_year else ["day"]
            case [True, False]:
                return ["year", "day"]
            case [False, True]:
                return ["day", "year"]
            case [False, False] if texts[1].isdigit() and len(texts[1]) == 2:
                return ["day", "year"]
        return None
    if any(p.style == "ordinal" for p in pieces):
        return None
    if len(numbers) == 1:
        weekday = any(p.field == "weekday" for p in pieces)
        return ["year"] if long[0] and not weekday else None
    joints = {"".join(p.text for p in pieces[a + 1 : b]).strip() for a, b in pairwise(numbers)}
    if len(joints) != 1 or not joints <= {"/", "-", ".", "–", ""}:
        return None
    joint = joints.pop()
    values = [int(t) for t in texts]
    if len(numbers) == 2:
        if joint in ("", "."):
            return None
        if long[0] != long[1]:
            return ["year", "month"] if long[0] else ["month", "year"]
        return None if any(long) else _day_and_month(values, joint, dayfirst)
    if len(numbers) != 3 or any(long[1:2]):
        return None
    if long[0] or (values[0] > 31 and not long[2]):
        return ["year", "month", "day"]
    order = _day_and_month(values[:2], joint, dayfirst)
    return [*order, "year"] if order and len(texts[2]) in (2, 4) else None


def _day_and_month(
    values: Sequence[int], joint: str, dayfirst: bool | None
) -> list[Literal["year", "month", "day"]] | None:
    first, second = values
    if min(first, second) > 12:
        return None
    # Dots are the continental way, and the continent puts the day first.
    day_leads = first > 12 or (second <= 12 and (joint == "." if dayfirst is None else dayfirst))
    return ["day", "month"] if day_leads else ["month", "day"]


def _with_padding(pieces: Sequence[Piece]) -> list[Piece]:
    """Day and month with the leading zeros that the whole date is written with."""
    plain = [p for p in pieces if p.field in ("day", "month") and not p.style]
    zero = any(p.text.startswith("0") for p in plain)
    full = all(len(p.text) == 2 for p in plain) and any(p.field == "month" for p in plain)
    return [replace(p, style="pad") if p in plain and (zero or full) else p for p in pieces]


def _made(
    pieces: tuple[Piece, ...], year: int | None, month: int | None, day: int | None
) -> Written | None:
    """The date, if the calendar has it."""
    if year is not None and len(next(p.text for p in pieces if p.field == "year")) == 2:
        year += 2000 if year < _PIVOT else 1900
    try:
        date(year or 2024, month or 1, day or 1)
    except ValueError:
        return None
    if year is not None and not 1000 <= year <= 2999:
        return None
    return Written(pieces, year, month, day)


def _read_years(text: str) -> Pair | None:
    """Two years: "2019-2021", "2019/20". "2019-05" is a month, "2011-12" is taken for one."""
    found = _YEARS.fullmatch(text)
    if not found:
        return None
    left, between, right = found.groups()
    last = int(right) if len(right) == 4 else int(left) // 100 * 100 + int(right)
    if last <= int(left) or (len(right) == 2 and int(right) <= 12):
        return None
    one, two = _read_fields(left, None), Written((Piece(right, "year"),), last)
    return Pair(one, between, two) if one is not None else None


def _read_days(text: str, dayfirst: bool | None) -> DayRange | None:
    found = _DAY_RANGE.search(text)
    if not found:
        return None
    last = _single(text[: found.start()] + text[found.end() :], dayfirst)
    if last is None or last.day is None or not any(p.field == "month" and _named(p) for p in last.pieces):
        return None
    return DayRange(int(found[1]), found[2], last) if 0 < int(found[1]) < last.day else None


def _read_pair(text: str, dayfirst: bool | None) -> Pair | None:
    for found in _BETWEEN.finditer(text):
        right = _single(text[found.end() :], dayfirst)
        left = _single(text[: found.start()], dayfirst) if right is not None else None
        if left is None or right is None:
            continue
        if left.year is None and right.year is not None:
            later = (left.month or 0, left.day or 0) > (right.month or 13, right.day or 0)
            left = replace(left, year=right.year - later)
        return Pair(left, found[0], right)
    return None


# Shifting


def _shifted(reading: Reading, days: int, near: int | None) -> str | None:
    if isinstance(reading, Pair):
        return (
            _write(reading.left, _moved(reading.left, days, near), days)
            + reading.between
            + _write(reading.right, _moved(reading.right, days, near), days)
        )
    if isinstance(reading, Written):
        return _write(reading, _moved(reading, days, near), days)
    last = reading.last
    one = _moved(replace(last, day=reading.first), days, near)
    two = _moved(last, days, near)
    if (one.year, one.month) != (two.year, two.month):
        # "from 28 to 30 May" becomes "from 28 May to 3 June": words around the date are said once.
        fields = [i for i, p in enumerate(last.pieces) if p.field]
        left = replace(last, pieces=last.pieces[: fields[-1] + 1])
        right = replace(last, pieces=last.pieces[fields[0] :])
        return _write(left, one, days) + reading.between + _write(right, two, days)
    first = next(_field(p, one, days) for p in last.pieces if p.field == "day")
    pieces = [
        Piece(first + reading.between + _field(p, two, days)) if p.field == "day" else p
        for p in last.pieces
    ]
    return _write(replace(last, pieces=tuple(pieces)), two, days)


def _moved(written: Written, days: int, near: int | None) -> date:
    """The new date. A month or a year without a day moves by its middle, and always moves."""
    year = written.year or (near if near and not (written.month == 2 and written.day == 29) else None)
    start = date(year or 2024, written.month or 7, written.day or (15 if written.month else 2))
    moved = start + timedelta(days)
    if written.day is None:
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


def _write(written: Written, new: date, days: int) -> str:
    out: list[str] = []
    for piece in written.pieces:
        if not piece.field and piece.text == "." and out and out[-1].lower() == "may":
            continue  # "Feb." has a dot, "May" has none
        out.append(_field(piece, new, days))
    return "".join(out)


def _field(piece: Piece, new: date, days: int) -> str:
    match piece.field:
        case "year":
            return f"{new.year % 100:02}" if len(piece.text) == 2 else f"{new.year:04}"
        case "month" if _named(piece):
            return _cased(MONTHS[new.month - 1], piece)
        case "weekday":
            # Moved, not computed: a weekday that was wrong stays just as wrong.
            return _cased(WEEKDAYS[(_WEEKDAY[piece.text.lower()] + days) % 7], piece)
        case "month" | "day":
            value = new.month if piece.field == "month" else new.day
            if piece.style == "ordinal":
                return ordinal(value)
            return f"{value:02}" if piece.style == "pad" else str(value)
    return piece.text


def ordinal(number: int) -> str:
    """The number as 1st, 2nd, 3rd, 4th …"""
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def _cased(name: str, like: Piece) -> str:
    name = name[:3] if like.style == "short" else name
    return name.upper() if like.text.isupper() else name.lower() if like.text.islower() else name


# Making coarser


def _coarse(written: Written, to: Grain) -> str | None:
    year, month = written.year, written.month
    if to != "month":
        return None if year is None else str(year) if to == "year" else f"the {year // 10 * 10}s"
    if month is None:
        return None if year is None else str(year)
    kept = [p for p in written.pieces if p.field in ("year", "month")]
    # "05/2024" is a month already; written out, it can no longer be taken for anything finer.
    if year is None or written.day is None or any(_named(p) for p in kept) or not written.has("year"):
        like = next((p for p in kept if p.field == "month" and _named(p)), Piece("May", "month", "name"))
        return _cased(MONTHS[month - 1], like) + (f" {year}" if year is not None else "")
    joint = next((p.text for p in written.pieces if not p.field and p.text in ("/", "-", ".")), "-")
    by_year = next(p.field for p in kept) == "year"
    return f"{year:04}{joint}{month:02}" if by_year else f"{month:02}{joint}{year:04}"


def _named(piece: Piece) -> bool:
    return piece.style in ("name", "short")


def _number(piece: Piece) -> int:
    return int(re.sub(r"\D", "", piece.text))
