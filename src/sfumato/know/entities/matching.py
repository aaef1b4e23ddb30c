"""Where context terms stand in a text: terms are known by their normal forms.

Case, accents, spaces, dashes, plurals and possessives do not count.

    >>> normal("Night  Sweats"), normal("night-sweat's"), normal("Diagnoses"), normal("AIDS")
    ('night sweat', 'night sweat', 'diagnos', 'aids')
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import ahocorasick_rs
import numpy as np

from sfumato.english.folding import Folded, fold, inside_word
from sfumato.english.inflection import stem
from sfumato.know.entities.contexts import Ints

# Of the normal forms, which stand in databases: one that was made by other rules must be made again.
RULES = "1"
# Letters up to which a word in capitals is left as it is: AIDS is not the plural of aid.
ACRONYM = 5
_WORD = re.compile(r"[a-z]+(?:'s\b)?")


class Match(NamedTuple):
    """A context term in a text, from code point `start` up to `end`."""

    start: int
    end: int
    term: int


def normal(term: str) -> str:
    """The form by which a term is known."""
    folded = fold(term).text.strip()
    if len(term) <= ACRONYM and term.isalpha() and term.isupper() and term.endswith("S"):
        return folded
    return _WORD.sub(lambda found: stem(found[0]), folded)


class TermFinder:
    """Finds context terms by their normal forms, all of them in one run of an automaton.

    The text is looked at as it is (for acronyms) and with the stem of every word.

    >>> TermFinder(["night sweat", "sweat"]).match("Night-sweats end")
    [Match(start=0, end=12, term=0), Match(start=6, end=12, term=1)]
    """

    def __init__(self, normals: Sequence[str]) -> None:
        linear = ahocorasick_rs.Implementation.ContiguousNFA
        made = ahocorasick_rs.AhoCorasick(normals, implementation=linear) if normals else None
        self._automaton = made

    def match(self, text: str) -> list[Match]:
        if self._automaton is None or not text:
            return []
        folded = fold(text)
        stems, origin = _stemmed_text(folded.text)
        ends: dict[tuple[int, int], int] = {}
        for words, places in ((folded.text, None), (stems, origin)):
            for start, end, term in self._find(folded, words, places):
                ends[start, term] = max(end, ends.get((start, term), 0))  # with its "'s"
        found = [Match(start, end, term) for (start, term), end in ends.items()]
        return sorted(found, key=lambda m: (m.start, -m.end, m.term))

    def _find(self, folded: Folded, words: str, origin: Ints | None) -> Iterator[Match]:
        assert self._automaton is not None
        for term, start, end in self._automaton.find_matches_as_indexes(words, overlapping=True):
            if inside_word(words, start) or inside_word(words, end):
                continue
            if origin is not None:
                start, end = int(origin[start]), int(origin[end])
            yield Match(*folded.place(start, end), term)


def _stemmed_text(folded: str) -> tuple[str, Ints]:
    """A folded text with the stems of all words, and where each of its places was; its last place is
    the end."""
    parts: list[str] = []
    origin: list[Ints] = []
    last = 0
    for found in _WORD.finditer(folded):
        base = stem(found[0])
        if base == found[0]:
            continue
        start, end = found.span()
        parts += [folded[last:start], base]
        # Inside a word places mean nothing: a match neither starts nor ends there.
        origin += [np.arange(last, start), np.full(len(base), start)]
        last = end
    parts.append(folded[last:])
    origin.append(np.arange(last, len(folded) + 1))
    return "".join(parts), np.concatenate(origin).astype(np.int64)
