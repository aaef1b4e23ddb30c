"""Words that tie two dates or two numbers together: "his seventh birthday", "together they are 78"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sfumato.english.dates import MONTHS
from sfumato.english.feasts import FEAST
from sfumato.english.numbers import numbers_in_digits, numbers_in_words

_NTH = r"(?:(?:\d{1,3}(?:st|nd|rd|th)|[a-z-]*(?:th|first|second|third)|next|last|following)[ -])?"
_YEARS = r"\d{1,2}\b(?! ?[%°])|(?:one|two|three|four|five|six|seven|eight|nine|ten|\w+(?:even|lve|teen|ty))\b"
_DAYS = re.compile(
    rf"(?i)\b{_NTH}(?:birthdays?|anniversar(?:y|ies)|jubilees?|wedding days?|name days?)\b"
    r"(?!\s*[:=]| is\b|[,;|\t]\S)"  # it names a field
    r"|\b(?:silver|ruby|golden|diamond) weddings?\b"
    r"|\b(?:c[ao]me|comes|coming|was|were|is) of (?:full |legal )?age\b"
    r"|\b(?:c[ao]me|comes|coming) (?:in)?to (?:his|her|their) majority\b"
    rf"|\bturn(?:ed|s|ing)?(?= (?:{_YEARS}))|\breach(?:ed|es|ing)?(?= the age of\b)"
    r"|\b(?:on )?(?:exactly )?(?:the|that) (?:very )?same (?:day|date)\b|\bto the day\b"
    r"|\bthe day (?:he|she|they) (?:was|were) born\b"
)
_NUMBERS = re.compile(
    r"(?i)\b(?:when|before|after|the (?:day|year)) (?:[a-z'’-]+ ){1,3}?(?:was|were) born\b"
    r"|\b(?:at|since|before) (?:his|her|their|[a-z]+['’]s?) birth\b"
    r"|\b(?:all |taken |put )?together\b(?=,? (?:they|both|we|it|this|that|these|those|make|aged?)\b)"
    r"|\b(?:altogether|combined|in total|in all|total(?:s|l?ed|l?ing)?|sums? (?:up )?to"
    r"|add(?:s|ed|ing)? up to|the (?:sum|difference|balance|rest)|remain(?:s|ed|ing|der)|outstanding|leaving"
    r"|(?:is|are|was|were|has|have|had)(?: only| just| still| now)? left(?: over)?"
    r"(?! (?:the|for|on|in|at|his|her|to)\b)|(?:older|younger) (?:by|than))\b"
)
_NAMED = re.compile(  # "every Monday" tells no day
    rf"(?<!every )(?<!each )\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|{FEAST})\b(?!['’]?s\b)"
)
_MONTH = rf"(?:{'|'.join(f'{month[:3]}(?:{month[3:]})?' for month in MONTHS)})\.?"
_DATE = re.compile(
    rf"\b\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{2,4}}\b"
    rf"|\b(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? \d{{4}})?\b"
    rf"|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?\b"
    rf"|\b(?:{_MONTH} )?(?:1[89]|20)\d\d\b"
)
DATES_AROUND = 5  # on either side of a duration, which may be what lies between any two of them
# How often one amount of money goes into another that is told beside it: a price with tax, a year's rent. An
# amount may also be the sum or the difference of two that are near, or the total of many.
RATIOS = [(21, 20), (11, 10), (6, 5), (5, 4), (3, 2), (13, 3)]
RATIOS += [(times, 1) for times in (2, 3, 4, 5, 6, 10, 12, 20, 52)]
NEAR = 3
MOST_ADDED = 50


def dates_written(text: str) -> Iterator[tuple[int, int]]:
    """Where dates stand in their usual forms.

    >>> said = "on 3/4/2024, the 5th of May, June 2024 and 1999"
    >>> [said[a:b] for a, b in dates_written(said)]
    ['3/4/2024', 'the 5th of May', 'June 2024', '1999']
    """
    return (found.span() for found in _DATE.finditer(text))


def named_days(text: str) -> Iterator[tuple[int, int]]:
    """Where a day is told by what it is called: with the month of a date, "that Monday" leaves few days.

    >>> said = "That Monday it rained. It was Halloween. He comes every Friday, or on Sundays."
    >>> [said[a:b] for a, b in named_days(said)]
    ['Monday', 'Halloween']
    """
    return (found.span() for found in _NAMED.finditer(text))


def numbers_among(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where numbers stand in a stretch of a text, from the line before it to the line after it: any of them
    may be how often one amount in it goes into another.

    >>> said = "Rent.\\n12 rooms at £30 for two weeks, one of us paid £10.\\nThanks!"
    >>> [said[a:b] for a, b in numbers_among(said, 18, 21)]
    ['12', '30', '10', 'two']
    """
    first = text.rfind("\n", 0, max(0, text.rfind("\n", 0, start))) + 1
    last = text.find("\n", text.find("\n", end) + 1) if "\n" in text[end:] else -1
    part = text[first : last if last >= 0 else len(text)]
    worded = (n for n in numbers_in_words(part) if n.value > 1)  # "one of us"
    for number in (*numbers_in_digits(part), *worded):
        yield first + number.start, first + number.end


def ties(text: str, dates: bool) -> Iterator[tuple[int, int]]:
    """Where words stand that tell one date by another, or one number by others.

    >>> said = "seen on his seventh birthday; together they are 78, so £300 is left"
    >>> [said[a:b] for dates in (True, False) for a, b in ties(said, dates)]
    ['seventh birthday', 'together', 'is left']
    """
    for found in (_DAYS if dates else _NUMBERS).finditer(text):
        yield found.span()
