"""Which names are words where they stand in small letters: Mr Baker buys a baker's dozen.

The list has what WordNet writes small and is no ordinary word by count (`scripts/build_words.py`).
"""

from __future__ import annotations

import gzip
import re
from functools import cache

from sfumato.english.ordinary import SMALL, word_data

_FAR = 400  # characters in which a sentence begins
_BEGUN = re.compile(r"(?s).*(?:\n|[.!?…]['\"”’)\]]*\s)")
# What stands before a sentence: marks of a list, a time, whoever speaks
_LEAD = re.compile(
    r"[\W\d_]*(?:[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*){0,2}|[a-z]\w*)(?:\s\([^()\n]{1,20}\))?:\s[\W\d_]*"
)
_FREE = re.compile(r"(?:['’]s?)?[.,;:!?)\"”’']*(?:\s|\Z)")
_COUNTED = re.compile(r"(?i)\b(?:an?|any|every|each|another|no)\s\Z")
# Behind these somebody is told whom nothing introduces: "seen by walker"
_BESIDE = re.compile(
    r"(?i)\b(?:m(?:rs?|s|iss)|dr|prof|sir|lady|lord|by|with|from|for|and|or|of|per|via|told|tell|asked|ask|saw|see|seen|"
    r"met|meet|phoned|rang|called|call|emailed|thanked?"
    r"|(?:sp[eo]a?ke?n?|talk\w*|listen\w*|went|gave|given|sent|wrote|written|said|according|addressed|referred|handed|"
    r"letter|e-?mail|copy|message|note|report\w*|apolog\w+|return\w*|back|next|due|known) to)\.?\s\Z"
)
_IT = re.compile(r"\s(?:it|them|that|this)\b")


def is_small_word(text: str, start: int, end: int) -> bool:
    r"""Whether a word that is oftener a name stands in small letters, by itself and in no address.

    >>> text = "baker keller maria carter baker@example.org Baker"
    >>> [is_small_word(text, m.start(), m.end()) for m in re.finditer(r"\w+", text)][:5]
    [True, False, False, True, False]
    """
    is_free = not text[max(0, start - 1) : start].strip(" \t\n\r(\"“‘'") and _FREE.match(text, end)
    return bool(is_free) and text[start:end] in _words()


def stands_as_word(text: str, start: int, end: int) -> bool:
    """Whether such a word is no name: it is counted, or in a sentence that begins with a capital and not
    where somebody is told.

    >>> text = "Tom likes to dally now. No, ask baker. met baker. A baker came. not a baker"
    >>> [stands_as_word(text, m.start(), m.end()) for m in re.finditer("dally|baker", text)]
    [True, False, False, True, True]
    """
    if not is_small_word(text, start, end):
        return False
    before = text[max(0, start - _FAR) : start]
    if _COUNTED.search(before[-40:]):
        return True
    if _BESIDE.search(before[-40:]) and not _IT.match(text, end):
        return False
    begun = _BEGUN.match(before)
    sentence = before[begun.end() if begun else 0 :]
    lead = _LEAD.match(sentence)
    first = re.search(r"[^\W\d_]", sentence[lead.end() if lead else 0 :])
    return first is not None and first[0].isupper()


@cache
def _words() -> frozenset[str]:
    return frozenset(gzip.decompress(word_data(SMALL)).decode("ascii").split())
