"""Whether a text tells a long number or a day that it must not, in whatever way it is written.

Two numbers are one where they have the same digits without the zeros before them, or where one has at least
eight and the other ends with these.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from functools import cached_property
from itertools import pairwise

from sfumato.english.dates import EPOCH, SHORT_MONTHS, day_first, read_day
from sfumato.english.folding import GAP, plain_digits, unaccented
from sfumato.english.numbers import LONG_NUMBER
from sfumato.english.spoken import in_digits
from sfumato.verify.readings import readings
from sfumato.verify.told import told

WALL = " " * (GAP + 1)  # no term reaches across
_WHOLE = 8  # digits with which a longer number may end
_MOST = 40
_KEPT = 15  # digits that spreadsheets keep
_APART = re.compile(rf"[^\W\d_]+|[\W_]{{{GAP + 1},}}")  # no number goes on behind
_LISTED = re.compile(r"[;,/|\n]|\s[-–]\s")
_SCIENTIFIC = re.compile(r"\d[\d,]*+(?P<power>(?:\.\d++)?[eE]\+?\d{1,2}(?!\d))?")
_DECIMAL = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)\.0+")
_NAMED = re.compile(rf"(?i){SHORT_MONTHS}")
_FIELD = re.compile(rf"(?i)\d{{1,4}}(?!\d)(?:st|nd|rd|th)?|(?:{SHORT_MONTHS})[a-z]*")
_LONGEST_DAY = 40  # characters


def _value(written: str) -> str:
    """The digits of a whole number in decimal or scientific notation; none of any other."""
    value = Decimal(written.replace(",", ""))
    whole = value.to_integral_value()
    return f"{whole:f}" if value == whole else ""


def _spreadsheet(digits: str) -> set[str]:
    """A number, and what is left of a long one in a spreadsheet."""
    rest = "0" * (len(digits) - _KEPT)
    if not rest:
        return {digits}
    kept = int(digits[:_KEPT])
    return {digits, f"{kept}{rest}", f"{kept + (digits[_KEPT] > '4')}{rest}"}


def numbers_of(cell: str) -> set[str]:
    """The digits of the long numbers that a cell is.

    >>> sorted(numbers_of("+44 7700 900123")), numbers_of("id 104233"), numbers_of("12 b 104233")
    (['447700900123', '47700900123', '700900123', '7700900123'], {'104233'}, set())
    """
    plain = plain_digits(cell)
    pieces = [p for p in _APART.split(plain) if re.search(r"\d", p)]
    made = set[str]()
    for piece in pieces:
        for part in (piece, *_LISTED.split(piece)):
            digits = re.sub(r"\D", "", part)
            value = digits.lstrip("0")
            if len(value) >= (LONG_NUMBER if len(pieces) == 1 and part == piece else _WHOLE):
                made.add(value)
                if re.match(r"\D*\+\d|00", part):
                    made |= {v for n in (1, 2, 3) if len(v := value[n:].lstrip("0")) >= _WHOLE}
    if _SCIENTIFIC.fullmatch(plain.strip()) or _DECIMAL.fullmatch(plain.strip()):
        made |= {v for v in [_value(plain.strip())] if len(v) >= LONG_NUMBER}
    return made


class HiddenNumbers:
    """Long numbers that a text must not tell.

    >>> known = HiddenNumbers({"7700900123"})
    >>> [known.stand_in(said) for said in ("tel+44(0)7700-900 123", "900123", "77 009")]
    [True, False, False]
    """

    def __init__(self, digits: Iterable[str]) -> None:
        known = {d.lstrip("0") for d in digits if d.isdecimal()}
        self._known = {d for d in known if LONG_NUMBER <= len(d) <= _MOST}
        self._all = {form for digits in self._known for form in _spreadsheet(digits)}
        self._longest = max(map(len, self._known), default=0)
        self._lengths = {len(d) for d in self._known if len(d) >= _WHOLE}

    @cached_property
    def _backwards(self) -> list[str]:
        return sorted(d[::-1] for d in self._known)

    def stand_in(self, text: str) -> bool:
        """Whether one of them stands in the text."""
        if not self._known:
            return False
        plain = plain_digits(text)
        scientific = (found[0] for found in _SCIENTIFIC.finditer(plain) if found["power"])
        if any(self._is_known(_value(said)) for said in scientific):
            return True
        return any(self._ends_here(said) for said in _endings(plain, self._longest))

    def _ends_here(self, said: str) -> bool:
        return self._is_known(said.lstrip("0")) or any(
            said[-length:] in self._known for length in self._lengths if length <= len(said)
        )

    def _is_known(self, digits: str) -> bool:
        if len(digits) < LONG_NUMBER:
            return False
        if not self._all.isdisjoint(_spreadsheet(digits)):
            return True
        at = bisect_left(self._backwards, digits[::-1])
        longer = self._backwards[at : at + 1] if len(digits) >= _WHOLE else ()
        return any(number.startswith(digits[::-1]) for number in longer)


def _endings(plain: str, longest: int) -> Iterator[str]:
    """What one, two, three … groups of digits that stand one after the other make."""
    for piece in _APART.split(plain):
        groups = re.findall(r"\d+", piece)
        if sum(map(len, groups)) < LONG_NUMBER:
            continue
        for last in range(len(groups), 0, -1):
            said = ""
            for group in reversed(groups[max(0, last - longest - GAP) : last]):
                said = group + said
                yield said
                if len(said) >= longest + GAP:
                    break


def days_of(cells: Iterable[str], form: str | None) -> dict[str, set[date]]:
    """The days that the cells of a column are; bare digits only where every cell is a day."""
    read: dict[str, set[date]] = {}
    said = {cell.strip() for cell in cells} - {""}
    order = day_first("\n".join(sorted(said)))
    for cell in said:
        if form is None:
            read[cell] = _days(cell, order)
        else:
            number = read_day(cell, form)
            read[cell] = set() if number is None else {date.fromordinal(EPOCH.toordinal() + number)}
    for cell, days in read.items():
        is_whole = "%Y" in form if form is not None else re.search(r"\d{4}", plain_digits(cell))
        if not is_whole:  # the year is of either century
            read[cell] = days | {*map(_earlier, days)}
    if not all(read.values()):
        return {cell: days for cell, days in read.items() if days and not cell.isdecimal()}
    return read


def _earlier(day: date) -> date:
    """The same day a hundred years before, if the year is one of this century."""
    is_leap = (day.month, day.day) == (2, 29) and day.year == 2000
    return day if day.year < 2000 or is_leap else day.replace(year=day.year - 100)


def _days(words: str, order: bool | None) -> set[date]:
    found = told(words, "day", order, "text").values
    return {date.fromordinal(ends[0]) for ends in found if isinstance(ends, tuple)}


class HiddenDays:
    """Days that a text must not tell, in either order of day and month.

    >>> known = HiddenDays({date(1968, 3, 14)})
    >>> [known.stand_in(said) for said in ("the 14th of March, 1968", "14.3.68", "14031968", "14 March")]
    [True, True, True, False]
    """

    def __init__(self, days: Iterable[date]) -> None:
        self._whole = frozenset(days)
        self._short = {(d.year % 100, d.month, d.day) for d in self._whole}
        self._years = {str(d.year) for d in self._whole} | {f"{y:02}" for y, _, _ in self._short}

    def stand_in(self, text: str) -> bool:
        """Whether one of them stands in the text."""
        return bool(self._whole) and any(map(self._stand_in, readings(text)))

    def _stand_in(self, text: str) -> bool:
        plain = unaccented(plain_digits(text))
        if _NAMED.search(plain):
            plain = in_digits(plain)
        for compact in re.findall(r"(?<!\d)\d{8}(?!\d)", plain):
            parted = f"{compact[:2]}/{compact[2:4]}/{compact[4:]}"
            if not self._whole.isdisjoint(_days(compact, None) | _days(parted, None)):
                return True
        return any(map(self._is_known, self._windows(plain)))

    def stand_in_any(self, texts: Iterable[str]) -> bool:
        """Whether one of them stands in one of many texts."""
        return any(map(self.stand_in, dict.fromkeys(texts)))

    def _windows(self, plain: str) -> Iterator[str]:
        """Three fields that stand one after the other, one of which may be the year."""
        fields = [*_FIELD.finditer(plain)]
        for three in zip(fields, fields[1:], fields[2:], strict=False):
            begin, end = three[0].start(), three[2].end()
            # the year never stands between the others
            if end - begin > _LONGEST_DAY or not {three[0][0], three[2][0]} & self._years:
                continue
            gaps = [plain[a.end() : b.start()].strip() for a, b in pairwise(three)]
            is_one = gaps[0] == gaps[1] or not all(field[0].isdecimal() for field in three)
            is_one &= re.fullmatch(r"\d{4}", three[1][0]) is None
            if (
                is_one
                and gaps[0][-1:] not in ("'", "’")
                and not plain[max(0, begin - 1) : begin].isdigit()
            ):
                yield plain[begin:end]

    def _is_known(self, words: str) -> bool:
        if re.search(r"\d{4}", words):
            return not self._whole.isdisjoint(_days(words, None))
        if re.fullmatch(r"\d+\s+\d+\s+\d+", words):  # a row of numbers
            return False
        return any((d.year % 100, d.month, d.day) in self._short for d in _days(words, None))
