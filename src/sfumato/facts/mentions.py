"""Every further mention of a hidden term is hidden too, even where no detector saw it.

A mention is the same run of letters and digits, from the start of a word to the end of one, whatever the
case, the accents, the spacing and the hyphenation. Ordinary words and short numbers are left alone: "May" the
person does not hide the month. Of a person's name every word of four letters or more that is no ordinary word
counts as well, so that "Keller" goes where "Maria Keller" went. A term without a letter or digit is searched
for as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from ahocorasick_rs import AhoCorasick, MatchKind

from sfumato.document import Edit, Term
from sfumato.english.folding import GAP, after_marks, letters, plain_letters, skeleton
from sfumato.english.ordinary import is_ordinary

SPREAD = "spread"  # the detector of further mentions
# Letters of a part of a name that is hidden wherever it stands. In 92 judgments (Text Anonymization
# Benchmark, train) no part of three to eight letters stands for anything but a person, and 3 would find 9
# mentions more beside 308: 4 is on the cautious side.
LEAST_PART = 4
_WALL = "\n" * (GAP + 1)  # stands for an edited span: no mention reaches across


def further_mentions(text: str, edits: Sequence[Edit]) -> list[Term]:
    """The terms that repeat, outside all edits, what some edit has hidden."""
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
        for start, end, key in find("".join(pieces), hidden)
    ]


def find(text: str, terms: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """Where folded terms stand in a text as whole words: (start, end, term)."""
    worded = sorted(t for t in terms if skeleton(t) and not is_ordinary(t))
    if worded:
        yield from _find_words(text, worded)
    for term in sorted(t for t in terms if not skeleton(t) and t.strip()):
        yield from ((m.start(), m.end(), term) for m in re.finditer(re.escape(term), text))


def _find_words(text: str, terms: list[str]) -> Iterator[tuple[int, int, str]]:
    found = letters(text)
    edge = np.append(~found.is_letter, True)  # also what stands before the first one
    # In a run of letters and digits, a mention may go on over at most GAP other characters.
    far = np.append(0, np.cumsum(np.diff(found.at) > GAP + 1))
    automaton = AhoCorasick(terms, matchkind=MatchKind.Standard)
    for index, start, end in automaton.find_matches_as_indexes(found.text, overlapping=True):
        first, last = found.at[start], found.at[end - 1]
        if edge[first - 1] and edge[last + 1] and far[start] == far[end - 1]:
            stop = after_marks(text, int(found.origin[last]) + 1)
            yield int(found.origin[first]), stop, terms[index]


def name_parts(name: str) -> list[str]:
    """The folded words of a person's name that name the person by themselves.

    >>> name_parts("Dr Maria J. Keller-Braun")
    ['maria', 'keller', 'braun']
    """
    words = plain_letters(name).split(" ")
    return [w for w in words if len(w) >= LEAST_PART and w.isalpha() and not is_ordinary(w)]
