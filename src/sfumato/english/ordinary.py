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

from sfumato.english.folding import plain_letters

_FILE, SMALL = "words.txt.gz", "small_words.txt.gz"  # see `small_words`
_LEAST = 5  # letters of a word that is known in parts
_HYPHEN = re.compile(r"[^\W\d_][-\u2010\u2011\xad]\s*[^\W\d_]")
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


def may_be_parted(folded: str) -> bool:
    """Whether a word is long enough to be known in parts."""
    return len(folded) >= _LEAST and folded.isalpha()


def is_parted_word(said: str) -> bool:
    """Whether a hyphen parts what is said of a word, or a blank so that what it leaves are no words: an
    ordinary word that is hidden is meant nonetheless.

    >>> [is_parted_word(said) for said in ("dia-\\nbetes", "tuber culosis", "the rapist", "12-34")]
    [True, True, False, False]
    """
    parts = plain_letters(said).split()
    if len(parts) < 2 or not may_be_parted("".join(parts)):
        return False
    are_words = all(is_ordinary(part) and (len(part) > 1 or part in ("a", "i")) for part in parts)
    return not are_words or _HYPHEN.search(said) is not None


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
