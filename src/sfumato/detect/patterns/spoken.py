"""Patterns for numbers and days in words, as transcripts of speech have them."""

from __future__ import annotations

import re

from sfumato.detect.patterns.engine import Found, Pattern
from sfumato.english import spoken
from sfumato.english.dates import DAY_NAMES, MONTH_NAMES, MONTHS

_DIGIT = "zero|oh|o|nought|naught|one|two|three|four|five|six|seven|eight|nine"
_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_TOKEN = (
    rf"(?:(?i:(?:double|triple|treble)[ -](?:{_DIGIT})|(?:{_TENS})(?:[ -](?:{_DIGIT}))?|{_TEENS}|"
    rf"(?:{_DIGIT})(?:[ ](?:hundred|thousand))?)\b|[0-9]{{1,6}}\b)"
)
# No longer than the longest number of a card with a few tens and doubles: a run without end is looked at
# again from each of its words.
_RUN = rf"\b(?:(?i:plus)[ ]|\+)?{_TOKEN}(?:[ ]?[ ,.–-]{{1,3}}{_TOKEN}){{3,30}}"
_NUMBER_WORDS = (
    "number", "phone", "telephone", "tel", "mobile", "cell", "call", "called", "ring", "reach", "text",
    "reached", "dial", "fax", "me on", "ssn", "social", "social security", "card", "account", "code",
    "pin", "id", "plus",
)  # fmt: skip
_THOUSANDS = re.compile(r"(?<!\d)\d{1,3},\d{3}(?!\d)")
_SOCIAL = re.compile(r"\b(?:ssn|social(?: security)?)\b", re.IGNORECASE)
_CARD = re.compile(r"\b(?:card|visa|mastercard|amex)\b", re.IGNORECASE)


def _number(found: Found) -> str | None:
    """What a run of digits said one after the other is: by its length, and by the words before it."""
    text = found.text
    digits = spoken.digits(text)
    if (
        digits is None
        or not 4 <= len(digits) <= 19
        or spoken.counts(digits)
        or _THOUSANDS.search(text)
    ):
        return None
    told = re.search(r"[A-Za-z]", text) is not None
    if _SOCIAL.search(found.before) and len(digits) == 9:
        found.kind, found.name = "SSN", "US social security number, digit by digit"
    elif len(digits) >= 13:
        if not (_luhn(digits) or _CARD.search(found.before)):
            return None
        found.kind, found.name = "CARD", "payment card number, digit by digit"
    elif len(digits) < 7 or not (told or digits[0] == "0"):
        return None if not told else ""
    return "said digit by digit" if len(digits) >= 7 else ""


def _luhn(digits: str) -> bool:
    doubled = [int(d) * (1 + at % 2) for at, d in enumerate(reversed(digits))]
    return sum(d - 9 * (d > 9) for d in doubled) % 10 == 0


def _day(found: Found) -> str | None:
    """A day alone ("on the ninth") only where nothing is counted by it ("on the ninth floor")."""
    return "" if re.match(r"[ \t]*(?:[.,;:!?)\n]|and\b|at\b|to\b|$)", found.after()) else None


def _year(found: Found) -> str | None:
    """A year, unless something is counted by its words ("nineteen eighty-cent stamps")."""
    return None if _COUNTED.match(found.after()) else ""


_COUNTED = re.compile(
    r"-|[ ](?:years?|months?|weeks?|days?|hours?|minutes?|percent|per cent|pounds?|dollars?|euros?|people)\b"
)
_ONES = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth"
_NTH = (
    rf"(?i:(?:twenty|thirty)[ -](?:{_ONES})|{_ONES}|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|"
    r"sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth)"
)
_MONTH = rf"(?:{MONTH_NAMES}|{'|'.join(m.lower() for m in MONTHS if m not in ('March', 'May'))})"
_UPTO99 = rf"(?:(?:{_TENS})(?:[ -](?:{_DIGIT}))?|{_TEENS}|(?:oh|o)[ -](?:{_DIGIT}))"
_SAID_YEAR = (
    rf"(?i:(?:eighteen|nineteen|twenty)[ ](?:hundred|{_UPTO99})"
    rf"|two[ ]thousand(?:[ ](?:and[ ])?(?:{_UPTO99}|{_DIGIT}))?)"
)
_YEAR = rf"(?:(?:1[0-9]|20)[0-9]{{2}}|{_SAID_YEAR})"
_WEEKDAY = rf"(?:{DAY_NAMES})"
_NTH_ANY = rf"(?:{_NTH}|(?:3[01]|[12][0-9]|0?[1-9])(?:st|nd|rd|th))"

PATTERNS = (
    Pattern(
        "telephone number, digit by digit",
        "PHONE",
        _RUN,
        0.1,
        checked=0.6,
        check=_number,
        context=_NUMBER_WORDS,
        hint=rf"(?i:(?:{_DIGIT}|{_TEENS}|{_TENS})[ ,-]{{1,3}}(?:{_DIGIT}|{_TEENS}|{_TENS}|double|hundred))"
        r"|[0-9][ ,-]{1,3}[0-9][ ,-]{1,3}[0-9]",
        retry=True,
    ),
    Pattern(
        "day in words",
        "DATE",
        rf"(?:{_WEEKDAY},?[ ])?(?:(?i:the)[ ])?{_NTH}(?:[ ](?i:day))?[ ](?i:of)[ ]{_MONTH}(?:,?[ ]{_YEAR})?"
        rf"|{_MONTH}[ ](?:(?i:the)[ ])?{_NTH}(?:,?[ ]{_YEAR})?"
        rf"|(?:(?i:the)[ ])?{_NTH_ANY}[ ](?i:of[ ]the)[ ]{_NTH_ANY},?[ ]{_YEAR}",
        0.8,
        hint=rf"{_NTH}[ ](?:day[ ])?of|{_MONTH}[ ](?:the[ ])?{_NTH}|(?i:of[ ]the)[ ]{_NTH_ANY}",
    ),
    Pattern(
        "day in words",
        "DATE",
        rf"\b((?i:on|until|till|since|by))[ ]((?i:the)[ ]{_NTH_ANY})\b",
        0.2,
        labelled=True,
        check=_day,
        hint=rf"(?i:the)[ ]{_NTH_ANY}",
    ),
    Pattern(
        "year in words",
        "DATE",
        rf"\b(?i:(?:eighteen|nineteen)[ ](?:(?:{_TENS})(?:[ -](?:{_DIGIT}))?|oh[ -](?:{_DIGIT})))\b",
        0.7,
        check=_year,
        hint=rf"(?i:teen[ ](?:{_TENS}|oh))",
    ),
    Pattern(
        "year in words",
        "DATE",
        rf"\b((?i:in|since|until|till|by|from|before|after))[ ]({_SAID_YEAR})\b",
        0.5,
        labelled=True,
        check=_year,
        hint=r"(?i:[ ](?:eighteen|nineteen|twenty|two[ ]thousand))",
    ),
)
