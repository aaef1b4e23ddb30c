"""Many terms looked up in many texts at once, as whole words in any case, accents and spacing, also behind
and within codes such as `%20`, and long numbers by what they are worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

from sfumato.english.folding import GAP, after_marks, letters, skeleton
from sfumato.english.ordinary import is_ordinary
from sfumato.protect.tables.readings import DecodedCell, readings
from sfumato.protect.tables.worth import LongNumbers

CHUNK = 2_000_000  # characters that are searched at once
_WALL = "\n" * (GAP + 2)  # stands between two texts: no term reaches across


class WordIndex:
    """Terms with numbers of the caller's; one number may have several terms, one term several numbers.

    >>> index = WordIndex()
    >>> index.add("New York", 1), index.add("York", 2), index.add("may", 3)
    (True, True, False)
    >>> [(row, start, end, index.numbers[term]) for row, start, end, term in index.scan(["", "In new-york"])]
    [(1, 3, 11, [1]), (1, 7, 11, [2])]
    """

    def __init__(self) -> None:
        self._terms: dict[str, int] = {}  # by folded form
        self.numbers: list[list[int]] = []  # of each term
        self._long = LongNumbers()
        self._automaton: Any = None

    def __bool__(self) -> bool:
        return bool(self._terms)

    @property
    def terms(self) -> list[str]:
        """The folded terms, by their number in `scan`."""
        return list(self._terms)

    def knows(self, term: str) -> bool:
        """Whether it is one of the terms."""
        return skeleton(term) in self._terms

    def add(self, term: str, number: int) -> bool:
        """Take a term in, unless it is an ordinary word, which proves nothing where it stands."""
        folded = skeleton(term)
        place = self._terms.get(folded)
        if place is None:
            if not folded or is_ordinary(folded):
                return False
            place = self._terms[folded] = len(self.numbers)
            self.numbers.append([])
            self._automaton = None
            if folded.isdecimal():
                self._long.add(folded, place)
        self.numbers[place].append(number)
        return True

    def scan(self, texts: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
        """Where terms stand in texts, however these are read: (row, start, end, term)."""
        if not self._terms:
            return
        yield from self._as_they_stand(texts)
        coded = [(row, each) for row, text in enumerate(texts) for each in _codes_undone(text)]
        seen: set[tuple[int, int, int, int]] = set()
        for at, start, end, term in self._as_they_stand([each.text for _, each in coded]):
            row, reading = coded[at]
            found = (row, *reading.place(start, end), term)
            if found not in seen:
                seen.add(found)
                yield found

    def _as_they_stand(self, texts: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
        if self._automaton is None:
            self._automaton = AhoCorasick(
                list(self._terms), MatchKind.Standard, implementation=Implementation.ContiguousNFA
            )
        first = 0
        while first < len(texts):
            last, size = first, 0
            while last < len(texts) and size < CHUNK:
                size += len(texts[last]) + len(_WALL)
                last += 1
            yield from self._scan(texts[first:last], first)
            first = last
        for row, text in enumerate(texts):
            yield from ((row, *found) for found in self._long.scan(text))

    def _scan(self, texts: Sequence[str], first: int) -> Iterator[tuple[int, int, int, int]]:
        whole = _WALL.join(texts)
        plain = letters(whole)
        found = self._automaton.find_matches_as_indexes(plain.text, overlapping=True)
        if not found:
            return
        term, start, end = np.array(found, np.int64).T
        begin, after = plain.at[start], plain.at[end - 1] + 1
        far = np.append(0, np.cumsum(np.diff(plain.at) > GAP + 1))
        edge = np.append(~plain.is_letter, True)  # also what stands before the first one
        fits = edge[begin - 1] & edge[after] & (far[start] == far[end - 1])
        places = plain.origin
        lengths = np.array([len(t) + len(_WALL) for t in texts], np.int64)
        bounds = np.cumsum(lengths) - lengths
        rows = np.searchsorted(bounds, places[begin[fits]], "right") - 1
        for row, a, b, which in zip(
            rows.tolist(),
            (places[begin[fits]] - bounds[rows]).tolist(),
            (places[after[fits] - 1] + 1 - bounds[rows]).tolist(),
            term[fits].tolist(),
            strict=True,
        ):
            yield first + row, a, after_marks(texts[row], b), which


def _codes_undone(text: str) -> Iterator[DecodedCell]:
    return islice(readings(text), 1, None)
