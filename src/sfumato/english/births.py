"""Which dates of a text are told as the day, month or year of a birth, and what age follows from one."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date

from sfumato.english.chunker import FUNCTION
from sfumato.english.durations import Duration, durations
from sfumato.english.numbers import SMALL, numbers_in_digits, numbers_in_words

OLDEST = 119
MANY_DATES = 200  # some two of more are taken to allow any age: nobody tries all pairs of thousands
AGES_BEFORE = 10  # which may be of the same person as another
_YEARS = frozenset({"year", "years", "yr", "yrs", "age", "aged", "old", "approximately", "nearly"})
_NEAR = 80  # characters before a date in which its birth may be told
_TOGETHER = 12
_IN_A_SENTENCE = 120  # characters from an age to the year in which somebody had it
_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n")
_LONE_YEAR = re.compile(r"(?<![\w.,/-])(?:1[89]|20)\d\d(?![\w/]|-(?!born\b)|[.,]\d)")
_A_YEAR = 365.25
# "at 73", "since she was 85", "at the age of 40", "she turned 20"
_AT_AGE = re.compile(
    r"(?i)(?:\b(?:at|aged?|age[:d]?|of age|since|when|turn(?:ed|s|ing)|from|by|until|till|to|before|after)|@"
    r"|\b(?:he|she|they|i|who|(?-i:[A-Z][a-z'’-]+))"
    r"(?: (?:was|were|is|am|had been|will be|would be)|['’][sm]))"
    r"(?: (?:he|she|they|i|only|just|was|were|the|age|of|about|around|nearly|almost|then|now|aged))*\s\Z"
)
_YEARS_OLD = re.compile(r"(?i)[ -](?:years?|yrs?)[ -](?:old|of age)\b|[ -]?y/?o\b")
# What nobody does as a child.
_GROWN_UP = re.compile(
    r"(?i)\b(?:retire[ds]?|(?:re)?married|wed|divorced|widowed|graduated?|enlisted|drafted|conscripted|"
    r"served in|qualified|worked|employed|discharged from the (?:army|navy|forces))\b"
)
_RETIRED_WHO = re.compile(r"(?i)\b(?:an?|the) retired (?:[a-z-]+ ){1,4}(?:who|that) ")
_NEXT_WORD = re.compile(r"(?: ?[%$€£°]|-?[^\W\d_]+| ?[^\W\d_]+|[ /:.,–-]?\d)")
_AFTER_AGE = FUNCTION - {"a", "an", "each", "of", "per", "the"} | {
    "years",
    "yrs",
    "now",
    "today",
    "due",
}
_TELLS = 60  # characters before a number in which its age is told
_IN_A_YEAR = {"month": 12, "mth": 12, "week": 53, "wk": 53, "day": 366, "hour": 366 * 24}
_YOUNG = re.compile(rf"(?i)(?<![^\W\d_])({'|'.join(_IN_A_YEAR)})s?(?![^\W\d_])")
# What an age in years has of the next one: "9 yrs 4 mths", "6½", "2 1/2", "7;11".
_UNDER_YEAR = r"(?:months?|mths?|mos?|m|weeks?|wks?|w|days?|d)"
_PART_OF_YEAR = re.compile(
    r"(?i)(?<=\w)(?:\s?[¼½¾]|\s1/2\b|;\d{1,2}\b|\sand\s(?:a\s(?:half|quarter|bit)|three[\s-]quarters)\b)"
    r"|(?<=\w)([\s-]?(?:years?|yrs?|y)\.?)"
    rf"(?:,?\s?(?:and\s|&\s?)?(?:\d\d?|{'|'.join(SMALL)})[\s-]?{_UNDER_YEAR}(?!\w))+"
)
_STOP = re.compile(r"[.;:!?\n]")
_BETWEEN = (
    r"(?:of|on|in|at|near|the|is|was|as|about|around|circa|early|late|mid|year|month|day|date|a|to|"
    r"him|her|it|them|me|us|his|their|my|our|first|son|daughter|child|baby|boy|girl|twins)"
)
# "born in Tartu on", "Date of birth:", "patient_dob=", "YOB", "(b.", "geb.", "(*"; a place or a name may
# stand between, and few other words.
_BORN = re.compile(
    r"(?:(?<![^\W_])(?i:born|birth(?:date|day|year)?|[dy][./]?o[./]?b|geb(?:oren)?|n[ée]e?)(?![^\W_])"
    r"|(?<![^\W_])[bB](?=[.:]?\s*$)|(?<=[^\s*])[ \t]*\*(?=\s?$))\.?"
    rf"(?:[\s:;=,(\[–—|/_-]|\b(?i:{_BETWEEN})\b|\b[A-Z][\w'’]*)*+$"
)
_YEAR_BORN = re.compile(r"(?:\w+[ -])?(?:1[89]|20)\d\d[ -]born\b(?!-)")  # "a 1965-born man"


def told_as_birth(text: str, start: int) -> bool:
    """Whether the date that begins at a place of a text is told as a birth.

    >>> told = "Born in Tartu on 4 May 1985, moved in 1999 (DOB: 1985-05-04)."
    >>> [told_as_birth(told, told.index(said)) for said in ("4 May", "1999", "1985-")]
    [True, False, True]
    """
    if _YEAR_BORN.match(text, start):
        return True
    return _BORN.search(text[max(0, start - _NEAR) : start]) is not None


_of_release: ContextVar[int] = ContextVar("year")


def this_year() -> int:
    """The year in which somebody reads a release, who is told how old a person is by a year of birth."""
    return _of_release.get(date.today().year)


@contextmanager
def as_of(year: str) -> Iterator[None]:
    """Judge by the year in which a release was made, if there has been such a year.

    >>> with as_of("2020"):
    ...     this_year()
    2020
    """
    is_past = re.fullmatch("20[0-9]{2}", year) and int(year) <= date.today().year
    before = _of_release.set(int(year) if is_past else date.today().year)
    try:
        yield
    finally:
        _of_release.reset(before)


def ages(born: tuple[int, int], event: tuple[int, int]) -> tuple[int, int]:
    """The youngest and the oldest that somebody may be who was born within some days, within others; both are
    spans of `date.toordinal`, ends included. The oldest is below the youngest where the birth is later.

    >>> days = [date(*day).toordinal() for day in ((1968, 3, 1), (1968, 3, 31), (2025, 2, 1), (2025, 2, 28))]
    >>> ages((days[0], days[1]), (days[2], days[3]))
    (56, 56)
    """
    youngest, oldest = _full_years(born[1], event[0]), _full_years(born[0], event[1])
    return min(max(0, youngest), OLDEST), min(oldest, OLDEST)


def born_by(age: int, event: tuple[int, int]) -> tuple[int, int]:
    """When somebody was born who has an age within some days.

    >>> event = date(2021, 3, 1).toordinal(), date(2021, 3, 31).toordinal()
    >>> [str(date.fromordinal(day)) for day in born_by(65, event)]
    ['1955-03-02', '1956-03-31']
    """
    first, last = (date.fromordinal(day) for day in event)
    early, late = max(1, first.year - age - 1), max(1, last.year - age)
    return (
        first.replace(year=early, day=min(first.day, 28)).toordinal() + 1 + max(0, first.day - 28),
        last.replace(year=late, day=min(last.day, 28)).toordinal() + max(0, last.day - 28),
    )


def are_together(text: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether a number and a date stand so close that one is told of the other: "at 65 in 2021"."""
    between = text[min(one[1], other[1]) : max(one[0], other[0])]
    return len(between) <= _TOGETHER and not _STOP.search(between)


def sentence_of(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the words begin and end that are told with an age, as far as one reads.

    >>> told = "Well. At the age of 26 she emigrated, in 1957. She died."
    >>> told[slice(*sentence_of(told, 20, 22))]
    ' At the age of 26 she emigrated, in 1957'
    """
    first, last = max(0, start - _IN_A_SENTENCE), end + _IN_A_SENTENCE
    ends = [found.end() for found in _SENTENCE_END.finditer(text, first, start)]
    stop = _SENTENCE_END.search(text, end, last)
    return (ends[-1] if ends else first), (stop.start() if stop else min(last, len(text)))


def lone_years(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where years stand by themselves in the sentence of an age.

    >>> list(lone_years("CABG 1957 (age 28), 2000 ml, on 3/4/1957", 15, 17))
    [(5, 9), (20, 24)]
    """
    return (found.span() for found in _LONE_YEAR.finditer(text, *sentence_of(text, start, end)))


def lone_years_of(text: str) -> Iterator[tuple[int, int]]:
    """Where years stand by themselves."""
    return (found.span() for found in _LONE_YEAR.finditer(text))


def years_passed(text: str, start: int, end: int) -> set[int]:
    """How many years lie between an age and another one, by the durations of its sentence and of those beside
    it.

    >>> sorted(years_passed("Ten years ago, at 82, he had a stroke.", 18, 20))
    [9, 10, 11]
    """
    first, last = _around(text, start, end)
    return {years for d in durations(text[first:last]) for years in _years_of(d)}


def ages_by_years(text: str) -> Iterator[tuple[int, int, int, set[int]]]:
    """Where numbers stand that are told as somebody's age, what they are, and how many years before or after
    them something was, by the durations of their sentence and of those beside it.

    >>> told = "Mr Lowe is 96. He gave up driving 23 years ago, at 73, and smoking at 40 a day."
    >>> [(told[a:b], age, sorted(years)) for a, b, age, years in ages_by_years(told)]
    [('96', 96, [22, 23, 24]), ('73', 73, [22, 23, 24])]
    """
    lasting = [(d.start, d.end, d) for d in durations(text)]
    numbers = (*numbers_in_digits(text), *numbers_in_words(text)) if lasting else ()
    for number in numbers:
        start, end, age = number.start, number.end, int(number.value)
        if (
            age != number.value
            or age > OLDEST
            or not _AT_AGE.search(text, max(0, start - _TELLS), start)
        ):
            continue
        after = _NEXT_WORD.match(text, end)
        if after and after[0].strip().lower() not in _AFTER_AGE:
            continue
        first, last = _around(text, start, end)
        near = lasting[bisect_left(lasting, (first,)) : bisect_left(lasting, (last,))]
        if not any(a < end and start < b for a, b, _ in near):
            yield start, end, age, {years for *_, d in near for years in _years_of(d)}


def ages_beside(text: str, start: int, end: int) -> Iterator[int]:
    """How old somebody was at a date, by the words of its sentence, or at least.

    >>> said = "CABG 1957 (age 28). She married in 1951, at 22. Founded in 1950. Retired 1990."
    >>> [[*ages_beside(said, at, at + 4)] for at in map(said.index, ("1957", "1951", "1950", "1990"))]
    [[28], [22, 15], [], [50]]
    """
    first, last = sentence_of(text, start, end)
    part = text[first:last]
    for number in (*numbers_in_digits(part), *numbers_in_words(part)):
        at, stop = first + number.start, first + number.end
        after = _NEXT_WORD.match(text, stop)
        counts = after is not None and after[0].strip().lower() not in _AFTER_AGE
        is_told = _AT_AGE.search(text, max(0, at - _TELLS), at) and not counts
        is_age = is_told or _YEARS_OLD.match(text, stop)
        if is_age and number.value in range(OLDEST + 1) and not (at < end and start < stop):
            yield int(number.value)
    for found in _GROWN_UP.finditer(text, max(first, start - _NEAR), start):
        if _RETIRED_WHO.search(text, max(first, found.start() - 5), start):
            continue  # "a retired midwife who trained in 1974"
        yield 50 if found[0][:6].lower() == "retire" else 15


def _around(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the sentence before some words begins, and the one behind them ends."""
    first, last = sentence_of(text, start, end)
    before, behind = max(0, first - 2), min(len(text), last + 1)
    return sentence_of(text, before, before)[0], sentence_of(text, behind, behind)[1]


def _years_of(duration: Duration) -> Iterable[int]:
    least, most = duration.least / _A_YEAR, duration.most / _A_YEAR
    return range(round(least), min(round(most), OLDEST) + 1) if most > 1 else ()


def may_be_age(words: str) -> bool:
    """Whether words with a whole number leave open that it is an age: they name nothing that it counts.

    >>> [may_be_age(said) for said in ("At 20", "20 years", "20–39", "20 tablets", "$20", "2.0")]
    [True, True, True, False, False, False]
    """
    counted = re.findall(r"[^\W\d_]+|[%$€£¥₹]|\d\.\d", words.lower())
    return all(word in FUNCTION or word in _YEARS for word in counted)


def ages_in(text: str, found: Iterable[tuple[int, int, str]]) -> set[str]:
    """The words among some finds, each with its place and its kind, that tell an age or a number that may be
    one, and no length of time.

    >>> said = "He is 40, his wife 37, for ten years"
    >>> sorted(ages_in(said, [(6, 8, "AGE"), (19, 21, "QUANTITY"), (27, 36, "QUANTITY")]))
    ['37', '40']
    """
    finds = [(a, b, kind) for a, b, kind in found if kind == "AGE" or may_be_age(text[a:b])]
    lasting = [(d.start, d.end) for d in durations(text)] if finds else []

    def lasts(start: int, end: int) -> bool:
        at = bisect_left(lasting, (end, 0)) - 1
        return at >= 0 and lasting[at][1] > start

    return {text[a:b] for a, b, kind in finds if kind == "AGE" or not lasts(a, b)}


def in_years(number: int, words: str) -> int:
    """An age in full years that words tell in years, months, weeks or days.

    >>> in_years(7, "7 months old"), in_years(56, "56 years"), in_years(90, "a 90-week-old")
    (0, 56, 1)
    """
    found = _YOUNG.search(in_whole_years(words))
    return number // _IN_A_YEAR[found[1].lower()] if found else number


def is_in_months(words: str) -> bool:
    """Whether words tell an age in months, weeks or days."""
    return _YOUNG.search(in_whole_years(words)) is not None


def in_whole_years(words: str) -> str:
    """An age without what it has of the next year.

    >>> [in_whole_years(said) for said in ("9 yrs 4 mths", "6½", "7;11", "93 years and 2 months old")]
    ['9 yrs', '6', '7', '93 years old']
    """
    return _PART_OF_YEAR.sub(lambda part: part[1] or "", words)


def _full_years(first: int, last: int) -> int:
    a, b = date.fromordinal(first), date.fromordinal(last)
    return b.year - a.year - ((b.month, b.day) < (a.month, a.day))
