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
from sfumato.english.folding import GAP, plain_char, skeleton
from sfumato.english.ordinary import is_ordinary

SPREAD = "spread"  # the detector of further mentions
LEAST_PART = 4  # letters of a part of a name that is hidden wherever it stands
_SPACE = ord(" ")
_WALL = "\n" * (GAP + 1)  # stands for an edited span: no mention reaches across


def further_mentions(text: str, edits: Sequence[Edit]) -> list[Term]:
    """The terms that repeat, outside all edits, what some edit has hidden."""
    hidden: dict[str, Edit] = {}
    for edit in edits:
        original = text[edit.start : edit.end]
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
    codes, places = _fold_with_places(text)
    is_word = codes != _SPACE
    words = np.flatnonzero(is_word)
    # In a run of letters and digits, a mention may go on over at most GAP other characters.
    far = np.concatenate([[0], np.cumsum(np.diff(words) > GAP + 1)]) if len(words) else words
    automaton = AhoCorasick(terms, matchkind=MatchKind.Standard)
    folded = codes[words].astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    for index, start, end in automaton.find_matches_as_indexes(folded, overlapping=True):
        first, last = words[start], words[end - 1]
        starts = first == 0 or not is_word[first - 1]
        ends = last + 1 == len(codes) or not is_word[last + 1]
        if starts and ends and far[start] == far[end - 1]:
            stop = int(places[last]) + 1
            while stop < len(text) and not plain_char(text[stop]):
                stop += 1  # accents upon the last letter go with it
            yield int(places[first]), stop, terms[index]


def name_parts(name: str) -> list[str]:
    """The folded words of a person's name that name the person by themselves.

    >>> name_parts("Dr Maria J. Keller-Braun")
    ['maria', 'keller', 'braun']
    """
    words = "".join(map(plain_char, name)).split(" ")
    return [w for w in words if len(w) >= LEAST_PART and w.isalpha() and not is_ordinary(w)]


def _fold_with_places(text: str) -> tuple[np.ndarray, np.ndarray]:
    """The folded text as code points (uint32), and for each the place of its character (int64)."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    distinct, which = np.unique(points, return_inverse=True)
    pieces = [plain_char(chr(p)) for p in distinct]
    lengths = np.array([len(p) for p in pieces], dtype=np.int64)
    table = np.array([ord(c) for p in pieces for c in p], dtype=np.uint32)
    begins = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    counts = lengths[which]
    places = np.repeat(np.arange(len(points)), counts)
    within = np.arange(len(places)) - np.repeat(np.cumsum(counts) - counts, counts)
    return table[begins[which][places] + within], places
