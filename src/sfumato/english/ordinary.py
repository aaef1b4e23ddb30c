"""Which words are ordinary: finding one again proves nothing about what was hidden.

The list was counted from a sample of the English Wikipedia (`scripts/build_words.py`): words that stand there
in lower case often enough.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from functools import cache
from importlib import resources

_FILE, SMALL = "words.txt.gz", "small_words.txt.gz"  # see `small_words`
_SHORT_DATE = re.compile(r"\d ?([/.-]) ?\d ?\1 ?\d\d")


def is_ordinary(folded: str) -> bool:
    """An English dictionary word, a number of fewer than four digits, or a single character.

    >>> is_ordinary("may"), is_ordinary("365"), is_ordinary("keller"), is_ordinary("1984")
    (True, True, False, False)
    """
    if len(folded) <= 1:
        return True
    if folded.isdigit():
        return len(folded) < 4
    return folded in _words()


def is_year_of(original: str, shown: str) -> bool:
    """Whether what is shown is a year that has only the digits of a date by chance.

    >>> is_year_of("1/9/43", "1943"), is_year_of("1/9/43", "1-9-43"), is_year_of("1 943", "1943")
    (True, False, False)
    """
    return bool(_SHORT_DATE.fullmatch(original)) and shown.isdecimal()


@cache
def _words() -> frozenset[str]:
    return frozenset(gzip.decompress(word_data(_FILE)).decode("ascii").split())


@cache
def digest() -> str:
    """The lists of words by hash, for the certificate."""
    return hashlib.sha256(word_data(_FILE) + word_data(SMALL)).hexdigest()


def word_data(file: str) -> bytes:
    return (resources.files("sfumato") / "english" / file).read_bytes()
