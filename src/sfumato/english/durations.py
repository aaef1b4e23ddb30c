"""Lengths of time, in whatever words: "three long weeks", "21d", "the next day", "day 21", "3/52"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor

from sfumato.english.numbers import Number, numbers_in_digits, numbers_in_words

# Days of each unit, and by how many a duration may miss what lies between two dates.
_UNITS = {
    "hour": (1 / 24, 1), "night": (1, 1), "day": (1, 1), "week": (7, 3), "weekend": (7, 4),
    "fortnight": (14, 3), "month": (30.44, 15), "quarter": (91.3, 45), "year": (365.25, 183),
    "decade": (3652.5, 1826), "century": (36525, 18262), "morning": (1, 1), "afternoon": (1, 1),
    "evening": (1, 1),
}  # fmt: skip
_SHORT = {
    "h": "hour", "hr": "hour", "d": "day", "w": "week", "wk": "week", "mo": "month", "mth": "month",
    "mnth": "month", "y": "year", "yr": "year", "decades": "decade", "centurie": "century",
}  # fmt: skip
_LONG_NAMES = [*_UNITS, "centurie", "hr", "wk", "mth", "mnth", "yr"]
_NOT_AGE = r"(?! ?-?(?:old\b|of age))"
_UNIT = re.compile(
    rf"(?<![^\W\d_])(?i:({'|'.join(_LONG_NAMES)})s?)\b{_NOT_AGE}|(?<=\d)(?i:([hdwy]|mo))\b"
    r"|(?<=\d )([hdwy]|(?i:mo))\b(?![’'])"
)
# How many: what stands before a unit, where it is no number, and how few and how many that may be.
_MANY = {
    "couple of": (1, 3), "couple": (1, 3), "pair of": (2, 2), "few": (2, 8), "several": (2, 15),
    "many": (3, 60), "dozen": (12, 12), "half": (0.5, 0.5), "half a": (0.5, 0.5),
    "half an": (0.5, 0.5), "a": (1, 1), "an": (1, 1), "one": (1, 1), "the next": (0, 2),
    "next": (0, 2), "following": (0, 2), "same": (0, 1), "previous": (0, 2), "preceding": (0, 2),
    "prior": (0, 2), "last": (0, 2), "past": (0, 2), "another": (1, 1),
}  # fmt: skip
_NTH = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)
_MANY |= {nth: (n, n + 1) for n, nth in enumerate(_NTH)}
_HOW_MANY = re.compile(
    rf"(?i)\b(?:(?:an?|the|very|only|over|about|nearly) )*"
    rf"({'|'.join(sorted(_MANY, key=len, reverse=True))})[ -]\Z"
)
_OFTEN = re.compile(r"(?i)(?:\b(?:times|once|twice|thrice|per|each|every|of the|mg|ml|g)|/) ?\Z")
_ADJECTIVE = re.compile(r"(?<=[\w’']) ?[ -][^\W\d_]{3,}\Z")  # "three long weeks"
_FROM = re.compile(r"(?<!\d)(\d+) ?(?:-|–|to|or) ?\Z")  # "2 to 3 weeks"
_LAST = re.compile(r"(?<!\d)\d+\Z")
_MOST_COUNTED = 366  # "day 366", but "year 2019"
_PARTS_OF_DAY = ("morning", "afternoon", "evening")
_HALF = re.compile(r" and a half\b")
# Further ways: "day 21", "3/52", "overnight", "the day after".
_COUNTED_UNIT = re.compile(
    r"(?i)\b(?:post-?op(?:erative)? )?(day|week|month|year)s?"
    r"(?: (?:of|in|after|post) (?:life|stay|admission|illness|treatment|therapy|hospital|surgery|birth))?"
    r" (?:no\. ?|number |#)?([+]?\d{1,3}|\w+(?:-\w+)?)\b(?![/.:]\d)"
    r"|\b(?-i:POD|DOL|HD|PND|D(?=\+))[ #.:-]*(\+?\d{1,3})\b(?![/.:]\d)"
)
_SHORTHAND = re.compile(r"(?<![\d/.])(\d{1,2})/(7|52|12)(?![\d/]|\.\d)")
_NEXT_TO = re.compile(
    r"(?i)\bovernight\b|\bthe (?:day|morning|night|week|month|year) (?:after|before)\b"
    r"|\bthe (?:eve of|morrow)\b"
)
_BETWEEN = re.compile(
    r"[\s,]*(?:and|over|about|nearly|almost|some|more than|less than)?[\s,]*", re.IGNORECASE
)
_NEXT = re.compile(
    r"(?i)\b(?:next|following|same|previous|preceding|prior|last|past|first|second|third|ago|the)\b"
)
_ADJECTIVES = 2  # words between a number and its unit
_BEFORE = 40  # characters before a unit in which its number stands


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time in a text, in days, as exactly as it is told."""

    start: int
    end: int
    least: float
    most: float


@lru_cache(maxsize=8)  # every step of a run asks for those of one text
def durations(text: str) -> tuple[Duration, ...]:
    """The lengths of time that a text tells, in whatever words.

    >>> said = "for three long weeks, 21d; the next day; a couple of months, day 21 of; two years old"
    >>> [said[d.start : d.end] for d in durations(said)]
    ['three long weeks', '21d', 'the next day', 'a couple of months', 'day 21']
    >>> [round((d.least + d.most) / 2) for d in durations("for three weeks, 21 days; a fortnight later")]
    [21, 21, 14]
    """
    found = [*_counted_units(text), *_before_units(text), *_shorthand(text)]
    apart, reached = list[Duration](), 0
    for one in sorted(found, key=lambda d: (d.start, -d.end)):
        if one.start >= reached:
            apart.append(one)
            reached = one.end
    return tuple(apart)


def _duration(start: int, end: int, unit: str, least: float, most: float) -> Duration:
    days, miss = _UNITS[unit]
    return Duration(start, end, least * days - miss, most * days + miss)


def _before_units(text: str) -> Iterator[Duration]:
    """Numbers, and what stands for one, before a unit of time, with a word or two between at most."""
    for found in _UNIT.finditer(text):
        name = (found[1] or found[2] or found[3]).lower()
        unit = _SHORT.get(name, name)
        begin = max(0, found.start() - _BEFORE)
        before = text[begin : found.start()]
        for words in range(_ADJECTIVES + 1):  # "three whole calendar months"
            how_many = _how_many(before, unit)
            if how_many is None:
                before = _ADJECTIVE.sub(" ", before.rstrip(" -"))
            else:
                start, least, most = how_many
                most = most * 1.5 if words else most  # "15 working days"
                half = _HALF.match(text, found.end())
                end, most = (half.end(), most + 0.5) if half else (found.end(), most)
                yield _duration(begin + start, end, unit, least, most)
                break


def _how_many(before: str, unit: str) -> tuple[int, float, float] | None:
    """Where the number of a unit begins, at the end of some words, and how few and how many it is."""
    stop = len(before.rstrip(" -"))
    numbers = (*numbers_in_digits(before), *numbers_in_words(before))
    number = next((n for n in numbers if n.end == stop), None)
    if number is None and (last := _LAST.search(before[:stop])):  # "x3 weeks"
        number = Number(last.start(), stop, float(last[0]))
    words = _HOW_MANY.search(before)
    said = words[1].lower() if words else ""
    if unit in _PARTS_OF_DAY and (number or said not in ("next", "the next", "following", "same")):
        return None  # "this morning" is a time of the day
    if number is not None and said != "half":
        range_ = _FROM.search(before[: number.start])
        if range_ and float(range_[1]) < number.value:  # no "on 3 May 2021 to 36 months"
            return range_.start(), float(range_[1]), number.value
        return number.start, number.value, number.value
    if words is None or _OFTEN.search(before[: words.start()]):  # "three times a day"
        return (stop - 3, 1, 1) if unit == "fortnight" and before.endswith("the ") else None
    least, most = _MANY[said]
    start = words.start()
    whole = re.search(r"(?i)\b([\w-]+) and \Z", before[:start])
    if said.startswith("half") or before[start:].lower().startswith("a half"):
        number = next(iter(numbers_in_words(whole[1])), None) if whole else None
        if number is not None and whole is not None:  # "one and a half years"
            return whole.start(), number.value, number.value + 1
    return start, least, most


def _counted_units(text: str) -> Iterator[Duration]:
    """ "Day 21", "week three", "day of life 5", "POD 3", "D+2"."""
    for found in _COUNTED_UNIT.finditer(text):
        said, unit = found[2] or found[3], (found[1] or "day").lower()
        number = next(iter([*numbers_in_digits(said), *numbers_in_words(said)]), None)
        whole = number is not None and number.end - number.start >= len(said.lstrip("+"))
        if number is not None and whole and (value := number.value) <= _MOST_COUNTED:
            yield _duration(*found.span(), unit, value - 1, value)


def _shorthand(text: str) -> Iterator[Duration]:
    for found in _SHORTHAND.finditer(text):
        unit = {"7": "day", "52": "week", "12": "month"}[found[2]]
        yield _duration(*found.span(), unit, int(found[1]), int(found[1]))
    for found in _NEXT_TO.finditer(text):
        unit = next((u for u in ("week", "month", "year") if u in found[0].lower()), "day")
        yield _duration(*found.span(), unit, 1, 1)


def full_years(duration: Duration) -> range:
    """How many birthdays lie in a length of time, if it is taken at its word.

    >>> [[*full_years(d)] for d in durations("two months; five years; the next year")]
    [[0, 1], [5], [0, 1, 2]]
    """
    year, half = _UNITS["year"]
    miss = min(half, (duration.most - duration.least) / 2)
    least, most = round((duration.least + miss) / year, 2), round((duration.most - miss) / year, 2)
    return range(max(0, floor(least)), max(0, ceil(most)) + 1)


def is_duration(words: str) -> bool:
    """Whether words say how long something lasts, and nothing else.

    >>> said = ("two years and four months", "three days", "20 years ago", "the next day", "3/7", "day 21")
    >>> [is_duration(each) for each in said]
    [True, True, False, False, False, False]
    """
    found = [*_before_units(words)]
    rests = (
        [words[: found[0].start], *(words[d.end : e.start] for d, e in pairwise(found))]
        if found
        else []
    )
    return (
        bool(found)
        and found[-1].end == len(words)
        and all(map(_BETWEEN.fullmatch, rests))
        and not _NEXT.search(words)
    )


def may_last(words: str) -> bool:
    """Whether what looks like a date is for so many days, weeks or months: "2/7" to a doctor, "3/52"."""
    return _SHORTHAND.fullmatch(words) is not None
