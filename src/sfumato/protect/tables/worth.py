"""Long numbers and days of cells, found in texts by what they are worth, however they are written.

Of two numbers the shorter may be the end of the longer, from eight digits on: a telephone number with and
without the code of its country, an account in its IBAN.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import pairwise, permutations

from sfumato.english.dates import (
    EPOCH,
    FILLERS,
    MONTH_NUMBER,
    WEEKDAY_NUMBER,
    day_first,
    read_day,
)
from sfumato.english.folding import GAP, plain_digits
from sfumato.english.numbers import LONG_NUMBER
from sfumato.english.spoken import days_and_years
from sfumato.facts.values import Days, days
from sfumato.protect.tables.readings import readings

END = 8  # digits by which the end of a number tells it
_MOST = 40  # digits of a number
_EXACT = 15  # digits that a number has in every program
_RUN = re.compile(rf"\d(?:[\W_]{{0,{GAP}}}\d)*")
_POWER = re.compile(r"(\d{1,3}(?:,\d{3}(?!\d))+|\d+)(?:\.(\d+))?(?:[eE]\+?(\d\d?)(?!\d))?")
_PARTS = re.compile(r"[;,/|\n]|\s[-–]\s")
_TOKEN = re.compile(
    rf"(\d+)(?:st|nd|rd|th)?|({'|'.join(sorted(MONTH_NUMBER, reverse=True))})(?![^\W\d_])",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    rf"[\W_]{{0,3}}(?:(?:{'|'.join((*FILLERS, *WEEKDAY_NUMBER))})[\W_]{{1,3}}){{0,4}}",
    re.IGNORECASE,
)
_JOINT = re.compile(r"[^\w\s,;:]")  # between the numbers of a date whose year has two digits


def worth(cell: str) -> list[str]:
    """The digits of the long numbers that a cell is: its only number, or any of eight digits and more;
    without the code of a country, too.

    >>> worth("4929123.0"), worth("+49-2912345678"), worth("NHS 943 476 5919"), worth("2 at 493000")
    (['49291230', '4929123'], ['492912345678', '92912345678', '2912345678', '912345678'], ['9434765919'], [])
    """
    plain, made = plain_digits(cell), dict[str, None]()
    only = len([*_RUN.finditer(plain)]) == 1
    for part in (plain, *_PARTS.split(plain)):
        for run in _RUN.finditer(part):
            digits = "".join(filter(str.isdigit, run[0])).lstrip("0")
            if len(digits) < (LONG_NUMBER if only and part == plain else END):
                continue
            made[digits] = None
            if run[0].startswith("00") or part[: run.start()].endswith("+"):
                ends = (digits[n:].lstrip("0") for n in (1, 2, 3))
                made |= dict.fromkeys(end for end in ends if len(end) >= END)
    if found := _POWER.fullmatch(plain.strip()):
        made |= dict.fromkeys(_powered(found))
    return [*made]


def _powered(found: re.Match[str]) -> Iterator[str]:
    """The digits of a whole number that is written with a point or a power of ten."""
    rest, power = found[2] or "", int(found[3] or 0)
    if not rest[power:].strip("0"):
        digits = (found[1].replace(",", "") + rest[:power].ljust(power, "0")).lstrip("0")
        if len(digits) >= LONG_NUMBER:
            yield digits


def _exact(digits: str) -> Iterator[str]:
    """A number as programs keep it: they cut off digits behind the fifteenth, or round them."""
    yield digits
    if len(digits) > _EXACT:
        first = int(digits[:_EXACT])
        for kept in {first, first + (digits[_EXACT] > "4")}:
            yield str(kept) + "0" * (len(digits) - _EXACT)


class LongNumbers:
    """Numbers of six digits and more, to be looked for.

    >>> known = LongNumbers()
    >>> known.add("7700900123", 5)
    >>> said = "tel07700900123, +44 (0)7700/900123 2 times, 900123"
    >>> [said[a:b] for a, b, _ in known.scan(said)]
    ['07700900123', '7700/900123']
    """

    def __init__(self) -> None:
        self._terms: dict[str, int] = {}
        self._ends: dict[str, list[str]] = {}  # numbers by their last digits
        self._lengths: list[int] = []  # of those by whose end others are told
        self._longest = 0

    def add(self, digits: str, term: int) -> None:
        """Take a number in; short ones and endless ones are none."""
        digits = digits.lstrip("0")
        if not LONG_NUMBER <= len(digits) <= _MOST:
            return
        for form in _exact(digits):
            self._terms.setdefault(form, term)
        self._ends.setdefault(digits[-END:], []).append(digits)
        self._longest = max(self._longest, len(digits))
        if len(digits) >= END and len(digits) not in self._lengths:
            self._lengths.append(len(digits))

    def scan(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Where numbers stand in a text: (start, end, term)."""
        if not self._terms:
            return
        plain = plain_digits(text)
        for run in _RUN.finditer(plain):
            at = [run.start() + n for n, char in enumerate(run[0]) if char.isdigit()]
            if len(at) >= LONG_NUMBER:
                yield from self._in_run("".join(map(plain.__getitem__, at)), at)
        for found in _POWER.finditer(plain):
            for digits in _powered(found) if found[3] else ():
                for form in _exact(digits):
                    if form in self._terms:
                        yield *found.span(), self._terms[form]

    def _in_run(self, digits: str, at: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """Those in digits one after the other, of which each stands at a place."""
        gaps = [n for n, (a, b) in enumerate(pairwise(at), 1) if b > a + 1]
        firsts = [n for n in (0, *gaps) if digits[n] != "0" or at[n + 1 : n + 2] == [at[n] + 1]]
        for end in (*gaps, len(at)):
            found: dict[int, int] = {}  # the term of each that ends here, by its first digit
            for length in self._lengths:
                if length <= end and digits[end - length : end] in self._terms:
                    before = bisect_left(firsts, end - length + 1)
                    first = firsts[before - 1] if before else 0
                    found[first] = self._terms[digits[end - length : end]]
            for first in firsts[bisect_left(firsts, end - self._longest - GAP) :]:
                said = digits[first:end].lstrip("0")
                if len(said) < LONG_NUMBER:
                    break
                if (term := self._told(said)) is not None:
                    found[first] = term
            for first, term in found.items():
                yield at[first], at[end - 1] + 1, term

    def _told(self, said: str) -> int | None:
        for form in _exact(said):
            if form in self._terms:
                return self._terms[form]
        longer = self._ends.get(said[-END:], ()) if len(said) >= END else ()
        return next((self._terms[n] for n in longer if n.endswith(said)), None)


def days_of(cells: Iterable[str], form: str | None) -> dict[str, list[date]]:
    """The days that cells of one column are, in each order of day and month that the column allows. Bare
    digits are a day where all of the column are."""
    told = [cell for cell in dict.fromkeys(map(str.strip, cells)) if cell]
    order = day_first("\n".join(told)) if form is None else None
    made: dict[str, list[date]] = {}
    for cell in told:
        if form is not None:
            number = read_day(cell, form)
            found = [] if number is None else [number + EPOCH.toordinal()]
        else:
            spans = [d for d in days(cell, order) if isinstance(d, Days)]
            found = [d.first for d in spans if d.first == d.last]
        if found:
            whole = [*map(date.fromordinal, dict.fromkeys(found))]
            # a year in two digits may be of either century
            is_short = "%Y" not in form if form else not re.search(r"\d{4}", plain_digits(cell))
            short = whole if is_short else []
            made[cell] = [*whole, *(d.replace(year=d.year - 100) for d in short if _has_other(d))]
    if len(made) < len(told):
        made = {cell: found for cell, found in made.items() if not cell.isdecimal()}
    return made


def _has_other(day: date) -> bool:
    """Whether there was such a day a hundred years before."""
    return day.year >= 2000 and (day.month, day.day, day.year) != (2, 29, 2000)


class KnownDays:
    """Days to be looked for.

    >>> known = KnownDays()
    >>> known.add(date(1968, 3, 14), 5)
    >>> said = "19680314: born 14.3.68, on March the 14th, 1968, not on 14 March"
    >>> [said[a:b] for a, b, _ in known.scan(said)]
    ['19680314', '14.3.68', 'March the 14th, 1968']
    """

    def __init__(self) -> None:
        self._terms: dict[tuple[str, int, int], list[int]] = {}
        self._years: set[str] = set()

    def add(self, day: date, term: int) -> None:
        """Take a day in, with its year in four and in two digits."""
        for year in (f"{day.year:04}", f"{day.year % 100:02}"):
            self._terms.setdefault((year, day.month, day.day), []).append(term)
            self._years.add(year)

    def scan(self, text: str) -> Iterator[tuple[int, int, list[int]]]:
        """Where days stand in a text: (start, end, terms)."""
        for reading in readings(text) if self._terms else ():
            for start, end, terms in self._scan(reading.text):
                yield *reading.place(start, end), terms

    def _scan(self, text: str) -> Iterator[tuple[int, int, list[int]]]:
        plain = plain_digits(text)
        said = [(m.start(), m.end(), m[1] or m[2]) for m in _TOKEN.finditer(plain)]
        if any(not word.isdecimal() for _, _, word in said):  # a month in words
            said = sorted({*said, *days_and_years(plain)})
        for start, end, word in said:
            if len(word) == END and word.isdecimal():
                for y, m, d in ((0, 4, 6), (4, 2, 0), (4, 0, 2)):
                    parts = (word[y : y + 4], word[m : m + 2], word[d : d + 2])
                    if (found := self._found(*parts)) is not None:
                        yield start, end, found
        for one, two, three in zip(said, said[1:], said[2:], strict=False):
            if one[2] not in self._years and three[2] not in self._years:
                continue
            gaps = plain[one[1] : two[0]], plain[two[1] : three[0]]
            if all(map(_BETWEEN.fullmatch, gaps)):
                first, second, third = words = one[2], two[2], three[2]
                for year, month, day in (  # it never stands between them
                    *((first, *rest) for rest in permutations((second, third))),
                    *((third, *rest) for rest in permutations((first, second))),
                ):
                    found = self._found(year, month, day)
                    if found is not None and _is_written(words, year, gaps):
                        yield one[0], three[1], found

    def _found(self, year: str, month: str, day: str) -> list[int] | None:
        number = MONTH_NUMBER.get(month.lower()) or (int(month) if month.isdecimal() else 0)
        return self._terms.get((year, number, int(day))) if day.isdecimal() else None


def _is_written(words: Sequence[str], year: str, gaps: Sequence[str]) -> bool:
    """Whether three words are the fields of a date: numbers have the same sign between them, and one that
    dates have, where the year has two digits; such a year stands behind the name of a month."""
    if not all(map(str.isdecimal, words)):
        return len(year) == 4 or year == words[2]
    joint = gaps[0].strip()
    return joint == gaps[1].strip() and (len(year) == 4 or _JOINT.fullmatch(joint) is not None)
