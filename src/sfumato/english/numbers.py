"""Numbers as people write them, in digits and in words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.english.inflection import singular
from sfumato.english.wordlists import words

SMALL = words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
)
TENS = words("twenty thirty forty fifty sixty seventy eighty ninety")
ONES = SMALL[1:10]
_VALUES = {w: i for i, w in enumerate(SMALL)} | {w: i * 10 for i, w in enumerate(TENS, 2)}
_CELL = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?|[-+]?\.\d+")
# Digits from which a number was written to name something: of 4,367 numbers in 92 judgments (Text
# Anonymization Benchmark, train) none has as many.
LONG_NUMBER = 6
_IN_DIGITS = re.compile(
    r"(?<![\w.,])([-−]?)(\d{1,3}(?:,\d{3})+|\d{1,15})(\.\d+)?(?!\d|[.,]\d|(?:st|nd|rd|th)\b)|\d+"
)
_IN_WORDS = re.compile(
    rf"\b(?:(?:({'|'.join(ONES)})\s+)?(hundred)(?:\s+and)?(?:[\s-]+|\b))?"
    rf"(?:({'|'.join(TENS)})(?:[\s-]+({'|'.join(ONES)}))?|({'|'.join(SMALL)}))?\b",
    re.IGNORECASE,
)
_DECADES = {"for": 4, "fif": 5} | {tens.removesuffix("ty"): n for n, tens in enumerate(TENS, 2)}
_ARIANS = {"quadra": 4, "quinqua": 5, "sexa": 6, "septua": 7, "octo": 8, "nona": 9}
_DECADE_WORDS = re.compile(
    rf"\b(?:({'|'.join(_DECADES)})ties|({'|'.join(_ARIANS)})genarians?|(super)?-?centenarians?|hundreds)\b",
    re.IGNORECASE,
)
_FACTOR = re.compile(
    r"(?i)\b(?:thousand|million|billion|trillion|crore|lakh|dozen)s?\b|\d[ -]?hundreds?\b"
    r"|\d ?(?:k|mn|bn|tn)\b|(?m:^)(?:[\d_]|[^\w$€£¥₹\n])*+.+\d ?[mb]\b|\d ?[mb](?: [a-z]| ?[$€£¥₹])"
)
_OTHERS = re.compile(r"(?!(?<=[a-z])[23]\b)\d")  # but not in "m2"
# What currencies are called, beside their own names.
CURRENCIES = {
    **dict.fromkeys(("$", "usd", "us", "buck"), "dollar"),
    **dict.fromkeys(("€", "eur"), "euro"),
    **dict.fromkeys(("£", "gbp", "quid", "sterling"), "pound"),
    **dict.fromkeys(("¥", "jpy"), "yen"),
    **dict.fromkeys(("₹", "inr", "rs"), "rupee"),
    **dict.fromkeys(("sek", "nok", "dkk", "krona"), "krone"),
    "chf": "franc",
    "pln": "zloty",
}
_MONEY = frozenset({*CURRENCIES.values(), *words("lira rouble ruble yuan peso rand won")})
_COUNTED = re.compile(r"[^\W\d_]+|[$€£¥₹]")


@dataclass(frozen=True, slots=True)
class Number:
    """A number and where it stands in its text."""

    start: int
    end: int
    value: float
    grouped: bool = False  # written as 1,250
    decade: bool = False  # written as 40s


def read_number(text: str) -> float | None:
    """The finite number that a text is, as in a cell of a table.

    >>> read_number("1,250.5"), read_number("-3"), read_number("n/a"), read_number("1e999")
    (1250.5, -3.0, None, None)
    """
    if not _CELL.fullmatch(text):
        return None
    value = float(text.replace(",", ""))
    return value if math.isfinite(value) else None


def numbers_in_digits(text: str) -> Iterator[Number]:
    """The numbers written in digits. Digits inside a word, an ordinal or a version are none.

    >>> [(n.value, n.decade) for n in numbers_in_digits("1,250 of B12 in the 1980s, v1.2.3, on the 14th")]
    [(1250.0, False), (1980.0, True)]
    """
    return (n for m in _IN_DIGITS.finditer(text) if (n := _in_digits(text, m)))


def numbers_in_words(text: str) -> Iterator[Number]:
    """The numbers written in words.

    >>> [n.value for n in numbers_in_words("a hundred and two of forty-seven")]
    [102.0, 47.0]
    """
    return (_in_words(m) for m in _IN_WORDS.finditer(text) if m[0])


def decades_in_words(text: str) -> Iterator[Number]:
    """The ages that are told to ten years, in words.

    >>> [n.value for n in decades_in_words("a nonagenarian, his son in his late sixties, and a centenarian")]
    [90.0, 60.0, 100.0]
    """
    for found in _DECADE_WORDS.finditer(text):
        tens, arian, above = (group.lower() if group else "" for group in found.groups())
        value = _DECADES.get(tens) or _ARIANS.get(arian) or (11 if above else 10)
        yield Number(*found.span(), 10.0 * value, decade=True)


def has_factor(words: str) -> bool:
    """Whether a word makes an amount another than its number: "€1.2 million", "$2m". Grams do not.

    >>> [has_factor(said) for said in ("$2m", "EUR 3 bn", "two thousand", "2m USD", "5 mg", "five hundred")]
    [True, True, True, True, False, False]
    """
    return _FACTOR.search(words) is not None


def has_others(words: str) -> bool:
    """Whether other digits stand beside a number: more of it, as other lands write them, or another one.

    >>> [has_others(said) for said in ("1 286,45 €", "12'345.60", "5 mg/24 h", "1,286.45", "6,299 m2")]
    [True, True, True, False, False]
    """
    found = next(numbers_in_digits(words), None)
    rest = f"{words[: found.start]} {words[found.end :]}" if found else ""
    return _OTHERS.search(rest) is not None


def currency(said: str) -> str:
    """The currency of an amount; none of what is no money.

    >>> [currency(said) for said in ("US$ 1,200", "300–349 pounds", "EUR 5", "12 mg")]
    ['dollar', 'pound', 'euro', '']
    """
    found = (singular(word) for word in _COUNTED.findall(said.lower()))
    return next((name for w in found if (name := CURRENCIES.get(w, w)) in _MONEY), "")


def _in_digits(text: str, match: re.Match[str]) -> Number | None:
    if match[2] is None:
        return None
    value = float(match[2].replace(",", "") + (match[3] or ""))
    end = match.end()
    decade = match[3] is None and value % 10 == 0 and re.match(r"['’]?s\b", text[end:])
    if decade:
        end += decade.end()
    sign = match[1] and (match.start() == 0 or text[match.start() - 1].isspace())
    return Number(
        match.start() if sign else match.start(2),
        end,
        -value if sign else value,
        "," in match[2],
        bool(decade),
    )


def _in_words(match: re.Match[str]) -> Number:
    hundreds, hundred, tens, ones, small = (g.lower() if g else None for g in match.groups())
    value = (_VALUES[hundreds] if hundreds else 1) * 100 if hundred else 0
    value += sum(_VALUES[part] for part in (tens, ones, small) if part)
    stripped = match[0].rstrip(" -")
    return Number(match.start(), match.start() + len(stripped), float(value))


def ordinal(number: int) -> str:
    """The number as 1st, 2nd, 3rd, 4th …

    >>> [ordinal(n) for n in (1, 11, 22, 103)]
    ['1st', '11th', '22nd', '103rd']
    """
    suffix = (
        "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number}{suffix}"
