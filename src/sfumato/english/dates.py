"""Dates as they stand in a text, read as rows of pieces, so that a new date can be written in the old form.

Whatever is not understood gives `None`; the caller then hides the term in another way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from sfumato.english.numbers import ordinal
from sfumato.english.wordlists import words

MONTHS = words(
    "January February March April May June July August September October November December"
)
WEEKDAYS = words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
# The same in expressions.
MONTH_NAMES, DAY_NAMES = "|".join(MONTHS), "|".join(WEEKDAYS)
SHORT_MONTHS = "|".join(month[:3] for month in MONTHS)
SEASONS = "spring|summer|autumn|winter|fall"
MONTH_NUMBER = {m.lower()[:n]: i for i, m in enumerate(MONTHS, 1) for n in (3, len(m))} | {
    "sept": 9
}
WEEKDAY_NUMBER = {d.lower()[:n]: i for i, d in enumerate(WEEKDAYS) for n in (3, len(d))}
WEEKDAY_NUMBER |= {"tues": 1, "weds": 2, "thur": 3, "thurs": 3}
# Words that may stand inside a date term without changing which date it is.
FILLERS = words(
    "of the on in day year early late mid circa c ca about around since from by before after during until"
    " between for dated ad ce"
)
EPOCH = date(1970, 1, 1)
# Two-digit years below this belong to this century.
_PIVOT = 40

_TOKEN = re.compile(r"(\d+)(?:(st|nd|rd|th)\b)?|([^\W\d_]+)|(.)", re.IGNORECASE | re.DOTALL)
_TIME = re.compile(
    r"(?:T|(?:,|(?<![,\s]))\s+(?:at\s+)?)\d{1,2}(?:[:.]\d{2}){1,2}(?:[.,]\d{1,9})?\s?(?:[ap]\.?m\.?)?\s?"
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
_NUMERIC = re.compile(r"(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(?:\d{4}|\d{2})(?![\d/-]|\.\d)")

_EITHER = re.compile(r"(?<![\d/.-])0?(\d{1,2})([/-])0?(\d{1,2})(?:\2(?:\d{4}|\d{2}))?(?![\d/-])")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a written date: literal text (no field), or a field and how it is written."""

    text: str
    field: Literal["", "year", "month", "day", "weekday"] = ""
    style: Literal["", "pad", "ordinal", "name", "short"] = ""

    @property
    def named(self) -> bool:
        """Whether it is a word, not a number."""
        return self.style in ("name", "short")


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


@lru_cache(maxsize=1)  # asked for every date of a text
def day_first(text: str) -> bool | None:
    """Whether the numeric dates of a text put the day first; `None` where nothing tells.

    >>> day_first("seen 13/02/2025 and 05/06/2024")
    True
    """
    votes = 0
    for first, _, second in (m.groups() for m in _NUMERIC.finditer(text)):
        votes += (int(first) > 12 >= int(second)) - (int(second) > 12 >= int(first))
    return votes > 0 if votes else None


def is_ambiguous(text: str) -> bool:
    """Whether a date in numbers is another one with its month first. Dots are the continental way, and the
    continent puts the day first.

    >>> [is_ambiguous(said) for said in ("05/03/2024", "13/03/2024", "5.3.2024", "4/5", "4/5 May")]
    [True, False, False, True, False]
    """
    found = _EITHER.search(text)
    if any(word.lower() in MONTH_NUMBER for word in re.findall(r"[^\W\d_]+", text)):
        return False
    return found is not None and found[1] != found[3] and max(int(found[1]), int(found[3])) <= 12


@lru_cache(maxsize=1 << 12)  # every step of a run asks for the dates of a text
def read(text: str, *, dayfirst: bool | None = None) -> Reading | None:
    """The date or dates that a text consists of."""
    if len(text) > 120:
        return None
    one = _read_years(text) or _single(text, dayfirst)
    return one or _read_days(text, dayfirst) or _read_pair(text, dayfirst)


def year_of(text: str, *, dayfirst: bool | None = None) -> int | None:
    """The year of a complete date."""
    reading = read(text, dayfirst=dayfirst)
    one = reading.last if isinstance(reading, DayRange) else reading
    return one.year if isinstance(one, Written) and one.day is not None else None


def read_day(text: str, form: str | None = None) -> int | None:
    """The day that a text is, as in a cell of a table: days since 1970-01-01. Its form is given as for
    `strptime`, or it is read as people write dates.

    >>> read_day("2004-05-14"), read_day("14,May,2004", "%d,%B,%Y"), read_day("14 May 2004"), read_day("May")
    (12552, 12552, 12552, None)
    """
    try:
        found = datetime.strptime(text, form).date() if form is not None else _whole_day(text)
    except (ValueError, OverflowError):
        return None
    return (found - EPOCH).days if found is not None else None


def _whole_day(text: str) -> date | None:
    try:
        return datetime.fromisoformat(text).date()
    except ValueError:
        found = read(text)
    if isinstance(found, Written) and found.year and found.month and found.day:
        return date(found.year, found.month, found.day)
    return None


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
            (Piece(y, "year"), Piece(m, "month", "pad"), Piece(d, "day", "pad")),
            int(y),
            int(m),
            int(d),
        )
    pieces: list[Piece] = []
    numbers: list[int] = []  # where in `pieces` the numbers stand
    month = None
    for digits, suffix, word, other in _TOKEN.findall(text):
        if digits:
            if len(digits) > 4 or len(digits) == 3:
                return None
            numbers.append(len(pieces))
            pieces.append(Piece(digits + suffix, "", "ordinal" if suffix else ""))
        elif word:
            low = word.lower()
            if low in MONTH_NUMBER:
                if month is not None:
                    return None
                month = MONTH_NUMBER[low]
                hyphened = bool(pieces) and pieces[-1].text in "-/"
                long = len(word) > 4 or low in ("june", "july") or (low == "may" and not hyphened)
                pieces.append(Piece(word, "month", "name" if long else "short"))
            elif low in WEEKDAY_NUMBER:
                pieces.append(Piece(word, "weekday", "name" if low.endswith("day") else "short"))
            elif low in FILLERS:
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
    numeric = next((_number(p) for p in pieces if p.field == "month" and not p.named), None)
    return _made(tuple(pieces), values.get("year"), month or numeric, values.get("day"))


def _fields(
    pieces: Sequence[Piece], numbers: Sequence[int], month: int | None, dayfirst: bool | None
) -> list[Literal["year", "month", "day"]] | None:
    """What each number is: the year, the month or the day."""
    texts = [pieces[at].text for at in numbers]
    long = [len(t) == 4 and t.isdigit() for t in texts]
    short_year = [
        at > 0 and pieces[at - 1].text in "'’" and len(pieces[at].text) == 2 for at in numbers
    ]
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
                is_range = not any(p.field == "month" for p in pieces[: numbers[1]])
                return None if is_range else ["day", "year"]  # "19/20 Jan"
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
        if not joint or (joint == "." and not any(long)):  # "3.5", but "04.2022"
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
    if (
        last is None
        or last.day is None
        or not any(p.field == "month" and p.named for p in last.pieces)
    ):
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


def _number(piece: Piece) -> int:
    return int(re.sub(r"\D", "", piece.text))


# Writing


def write(written: Written, new: date, days: int) -> str:
    """A date in the form of another one, `days` before it.

    >>> found = read("Mon, Feb. 24th, 2025")
    >>> assert isinstance(found, Written)
    >>> write(found, date(2025, 3, 3), 7)
    'Mon, Mar. 3rd, 2025'
    """
    out: list[str] = []
    for piece in written.pieces:
        if not piece.field and piece.text == "." and out and out[-1].lower() == "may":
            continue  # "Feb." has a dot, "May" has none
        out.append(write_field(piece, new, days))
    return "".join(out)


def write_field(piece: Piece, new: date, days: int) -> str:
    """What a piece of a written date becomes in a date so many days later."""
    match piece.field:
        case "year":
            return f"{new.year % 100:02}" if len(piece.text) == 2 else f"{new.year:04}"
        case "month" if piece.named:
            return name_like(MONTHS[new.month - 1], piece)
        case "weekday":
            # Moved, not computed: a weekday that was wrong stays just as wrong.
            return name_like(WEEKDAYS[(WEEKDAY_NUMBER[piece.text.lower()] + days) % 7], piece)
        case "month" | "day":
            value = new.month if piece.field == "month" else new.day
            if piece.style == "ordinal":
                return ordinal(value)
            return f"{value:02}" if piece.style == "pad" else str(value)
    return piece.text


def name_like(name: str, like: Piece) -> str:
    """The name of a month or a weekday, as long as another one and in its case."""
    name = name[:3] if like.style == "short" else name
    return name.upper() if like.text.isupper() else name.lower() if like.text.islower() else name
