"""Numbers and days as people say them: digit by digit, in pairs, as ordinals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from sfumato.english.numbers import SMALL, TENS, ordinal
from sfumato.english.wordlists import words

_VALUES = {w: i for i, w in enumerate(SMALL)} | {w: i * 10 for i, w in enumerate(TENS, 2)}
_VALUES |= dict.fromkeys(("oh", "o", "nought", "naught"), 0)
_TIMES = {"double": 2, "triple": 3, "treble": 3}
_ORDINALS = words(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
    " fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_NTH = {w: i for i, w in enumerate(_ORDINALS, 1)}
_NTH |= {f"{w[:-1]}ieth": i * 10 for i, w in enumerate(TENS, 2)}
_WORD = re.compile(r"[^\W\d_]+|\d+")
_IN_WORDS = re.compile(
    rf"\b(?:({'|'.join(TENS)})[ -])?({'|'.join(_NTH)})\b"
    rf"|\b(eighteen|nineteen|twenty|two[ ]thousand)"
    rf"((?:[ ]and)?(?:[ -](?:{'|'.join(_VALUES)}|hundred)){{0,2}})\b",
    re.IGNORECASE,
)


def digits(text: str) -> str | None:
    """The digits of a number that is said piece by piece; None where a word is none of its pieces.

    >>> digits("plus four four, seven seven double-oh, nine hundred, three one eight")
    '447700900318'
    >>> digits("forty-one eleven"), digits("078-oh five"), digits("one of them")
    ('4111', '07805', None)
    """
    made: list[str] = []
    times, tens = 1, False
    for word in _WORD.findall(text.lower()):
        if word == "plus":
            continue
        if word in _TIMES:
            times = _TIMES[word]
            continue
        if word in ("hundred", "thousand"):
            made.append("00" if word == "hundred" else "000")
            continue
        value = int(word) if word.isdecimal() and len(word) < 9 else _VALUES.get(word)
        if value is None:
            return None
        if tens and not word.isdecimal() and 0 < value < 10:
            made[-1] = made[-1][:-1]  # the nought of "forty" makes way for the one of "forty-one"
        made.append((word if word.isdecimal() else str(value)) * times)
        times, tens = 1, word in TENS
    return "".join(made)


def counts(run: str) -> bool:
    """Whether digits only count up or down, as somebody does who counts aloud.

    >>> counts("1234567"), counts("07700900")
    (True, False)
    """
    steps = {int(b) - int(a) for a, b in pairwise(run)}
    return steps in ({1}, {-1})


def in_digits(text: str) -> str:
    """A date with its ordinals and its year in digits.

    >>> in_digits("the twenty-first of May nineteen seventy-two"), in_digits("two thousand and four")
    ('the 21st of May 1972', '2004')
    """
    return _IN_WORDS.sub(_as_digits, text)


def days_and_years(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a text has ordinals and years in words, and their digits.

    >>> [*days_and_years("the fourteenth of March nineteen sixty-eight")]
    [(4, 14, '14'), (24, 44, '1968')]
    """
    for found in _IN_WORDS.finditer(text):
        yield *found.span(), re.sub(r"\D", "", _as_digits(found))


def _as_digits(match: re.Match[str]) -> str:
    tens, nth, century, rest = match.groups()
    if nth:
        return ordinal(_VALUES.get((tens or "").lower(), 0) + _NTH[nth.lower()])
    first = 2000 if " " in century else _VALUES[century.lower()] * 100
    parts = [w for w in re.split(r"[ -]", rest.lower()) if w not in ("", "and")]
    if not parts and first != 2000:
        return match[0]  # "nineteen" alone is no year
    return str(first + sum(_VALUES.get(w, 0) for w in parts))
