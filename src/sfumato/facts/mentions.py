"""Every further mention of a hidden term is hidden too, even where no detector saw it.

A mention is the same run of letters and digits, from the start of a word to the end of one, whatever the
case, the accents, the spacing and the hyphenation. Ordinary words and short numbers are left alone: "May" the
person does not hide the month. Of a person's name every word of four letters or more that is no ordinary word
counts as well, so that "Keller" goes where "Maria Keller" went. A term without a letter or digit is searched
for as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from sfumato.document import Edit, Term
from sfumato.english.folding import GAP, Bools, Ints, after_marks, letters, plain_letters, skeleton
from sfumato.english.ordinary import is_ordinary

SPREAD = "spread"  # the detector of further mentions
# Letters of a part of a name that is hidden wherever it stands. In 92 judgments (Text Anonymization
# Benchmark, train) no part of three to eight letters stands for anything but a person, and 3 would find 9
# mentions more beside 308: 4 is on the cautious side.
LEAST_PART = 4
_WALL = "\n" * (GAP + 1)  # stands for an edited span: no mention reaches across


def further_mentions(text: str, edits: Sequence[Edit], edges: Collection[int] = ()) -> list[Term]:
    """The terms that repeat, outside all edits, what some edit has hidden. Words may end at `edges`, too."""
    hidden: dict[str, Edit] = {}
    for edit in edits:
        original = text[edit.start : edit.end]
        if edit.hides:
            hidden.setdefault(skeleton(original) or original, edit)
        for part in name_parts(original) if edit.kind == "PERSON" else ():
            hidden.setdefault(part, edit)
    pieces, places, at = [], [], 0
    for edit in edits:
        pieces += [text[at : edit.start], _WALL]
        places += [np.arange(at, edit.start), np.full(len(_WALL), edit.start)]
        at = edit.end
    pieces.append(text[at:])
    places.append(np.arange(at, len(text)))
    where = np.concatenate(places)
    return [
        Term(
            int(where[start]),
            int(where[end - 1]) + 1,
            hidden[key].kind,
            1.0,
            SPREAD,
            "a further mention of a hidden term",
        )
        for start, end, key in find("".join(pieces), hidden, np.isin(where, [*edges]))
    ]


def find(
    text: str, terms: Iterable[str], begins: Bools | None = None
) -> Iterator[tuple[int, int, str]]:
    """Where folded terms stand in a text as whole words: (start, end, term). A word may also begin at the
    characters for which `begins` holds, and one end before them."""
    worded = sorted(t for t in terms if skeleton(t) and not is_ordinary(t))
    if worded:
        yield from _find_words(text, worded, begins)
    for term in sorted(t for t in terms if not skeleton(t) and t.strip()):
        yield from ((m.start(), m.end(), term) for m in re.finditer(re.escape(term), text))


def _find_words(
    text: str, terms: list[str], begins: Bools | None
) -> Iterator[tuple[int, int, str]]:
    found = letters(text)
    edge = np.append(~found.is_letter, True)  # also what stands before the first one
    # In a run of letters and digits, a mention may go on over at most GAP other characters.
    far = np.append(0, np.cumsum(np.diff(found.at) > GAP + 1))
    is_start, is_end = edge[found.at - 1], edge[found.at + 1]
    if begins is not None and begins.any():
        is_new = begins[found.origin[found.at]]
        is_start, is_end = is_start | is_new, is_end | np.append(is_new[1:], False)
    starts = np.flatnonzero(is_start)
    hashes = Hashes(found.text)
    spans: list[tuple[int, int]] = []
    reach = np.zeros(len(found.text), np.int64)  # where the mentions end that start here or before
    for length, of_length in _by_length(terms, len(found.text)):
        here = starts[: np.searchsorted(starts, len(found.text) - length, "right")]
        here = here[is_end[here + length - 1] & (far[here] == far[here + length - 1])]
        if len(spans) > len(
            found.text
        ):  # more mentions than letters: those in longer ones tell nothing
            here = here[reach[here] < here + length]
        here = here[np.isin(hashes.of(here, length), [hashes.of_term(t) for t in of_length])]
        spans += [(s, s + length) for s in here.tolist() if found.text[s : s + length] in of_length]
        reach[here] = np.maximum(reach[here], here + length)
        np.maximum.accumulate(reach, out=reach)
    for start, end in sorted(spans):
        stop = after_marks(text, int(found.origin[found.at[end - 1]]) + 1)
        yield int(found.origin[found.at[start]]), stop, found.text[start:end]


def _by_length(terms: Iterable[str], most: int) -> list[tuple[int, set[str]]]:
    """The terms that could stand in a text, the longest first."""
    made: dict[int, set[str]] = {}
    for term in terms:
        if len(term) <= most:
            made.setdefault(len(term), set()).add(term)
    return sorted(made.items(), reverse=True)


class Hashes:
    """Hashes of all runs of a text, each in one step however long the run is: sums of c(i) · b^i, modulo a
    prime, divided by b^start. (An automaton would list every overlapping mention, and be built for days from
    a long term.) Equal runs have equal hashes; whether it also holds the other way, the caller looks."""

    _PRIME = np.uint64(2**31 - 1)
    _BASE = 1_103_515_245

    def __init__(self, text: str) -> None:
        self._powers = self._powers_of(self._BASE, len(text))
        self._inverse = self._powers_of(pow(self._BASE, -1, int(self._PRIME)), len(text))
        sums = np.cumsum(self._codes(text) * self._powers % self._PRIME, dtype=np.uint64)
        self._sums = np.append(np.uint64(0), sums % self._PRIME)

    def of(self, starts: Ints, length: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
        """The hashes of the runs of a length that start at these places."""
        sums = self._sums[starts + length] + self._PRIME - self._sums[starts]
        return sums % self._PRIME * self._inverse[starts] % self._PRIME

    def of_term(self, term: str) -> np.uint64:
        """The hash of a term no longer than the text."""
        found: np.uint64 = (self._codes(term) * self._powers[: len(term)] % self._PRIME).sum()
        return found % self._PRIME

    @staticmethod
    def _codes(text: str) -> np.ndarray[Any, np.dtype[np.uint64]]:
        return np.frombuffer(text.encode("utf-32-le"), np.uint32).astype(np.uint64) + np.uint64(1)

    @classmethod
    def _powers_of(cls, base: int, count: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
        made = np.ones(max(count, 1), np.uint64)
        known = 1
        while known < count:
            more = min(known, count - known)
            step = np.uint64(pow(base, known, int(cls._PRIME)))
            made[known : known + more] = made[:more] * step % cls._PRIME
            known += more
        return made[:count]


def name_parts(name: str) -> list[str]:
    """The folded words of a person's name that name the person by themselves.

    >>> name_parts("Dr Maria J. Keller-Braun")
    ['maria', 'keller', 'braun']
    """
    words = plain_letters(name).split(" ")
    return [w for w in words if len(w) >= LEAST_PART and w.isalpha() and not is_ordinary(w)]
