"""Words that tell a time, an age, or what sort of place is meant: below which concepts of WordNet they lie.

A day of May that is "a Tuesday", somebody who is "a baby" or a town that is "the capital" is one of few.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Literal

import numpy as np

from sfumato.english.wordlists import lists
from sfumato.know import tables
from sfumato.know.taxonomy import sensitive, wordnet

Dimension = Literal["time", "place"]
DIMENSIONS: tuple[Dimension, ...] = ("time", "place")
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_MOST = re.compile(r"(?i)\w{3,}est|(?!almost)\w{2,}most")


@cache
def mask(dimension: Dimension) -> tables.Array:
    """Which synsets tell something of a dimension: shape (synsets,), bool."""
    net = wordnet.default()
    made = np.zeros(len(net), dtype=bool)
    tops = map(sensitive.concept, lists("know/taxonomy/telling")[dimension])
    made[[*net.below_any(tops)]] = True
    return made


@cache
def mask_above(dimension: Dimension) -> tables.Array:
    """Which synsets hold one that tells something of a dimension, or are one: shape (synsets,), bool."""
    net = wordnet.default()
    made = np.zeros(len(net), dtype=bool)
    made[[*net.above_any(np.flatnonzero(mask(dimension)).tolist())]] = True
    return made


@cache
def standing() -> frozenset[int]:
    """What tells something and is not delicate: it stands where it may tell something of what is hidden."""
    found = np.logical_or(*map(mask, DIMENSIONS)) & ~sensitive.mask()
    return frozenset(np.flatnonzero(found).tolist())


@lru_cache(maxsize=1 << 16)
def tells(word: str, dimension: Dimension) -> bool:
    """Whether a word tells something of a dimension: in a sense that is ever meant, by one that it is made
    of, or as a superlative, "the oldest" or "the northernmost".

    >>> [w for w in ("Tuesdays", "weekly", "daily", "toddler", "oldest", "table") if tells(w, "time")]
    ['Tuesdays', 'weekly', 'daily', 'toddler', 'oldest']
    """
    known = [wordnet.default().senses(form) for form in _forms(word)]
    is_name = word[:1].isupper()  # "may" is no month
    return any(
        mask(dimension)[s.key]
        and (s.frequency or not some[0].frequency)
        and (s.term.islower() or (is_name and s.term.isupper() == word.isupper()))
        for some in known
        for s in some
    ) or (not known[0] and _MOST.fullmatch(word) is not None)


def words_telling(text: str, dimension: Dimension) -> Iterator[tuple[int, int]]:
    """Where words stand that tell something of a dimension.

    >>> said = "At new moon, at the weekend, the baby was taken to the capital."
    >>> [[said[a:b] for a, b in words_telling(said, of)] for of in ("time", "place")]
    [['new moon', 'weekend', 'baby'], ['capital']]
    """
    before = None
    for found in _WORD.finditer(text):
        is_next = before is not None and text[before.end() : found.start()].isspace()
        if before and is_next and tells(f"{before[0]} {found[0]}", dimension):
            yield before.start(), found.end()
        if tells(found[0], dimension):
            yield found.span()
        before = found


def _forms(word: str) -> Iterator[str]:
    word = re.sub(r"['’]s?$", "", word)
    yield word
    yield from re.findall(r"[^\W_]+", word) if "-" in word else ()
    if word.lower().endswith("ly"):  # "weekly", "daily"
        yield re.sub(r"i$", "y", word[:-2])
