"""An entity database with the words above its terms: who has "sweating" also has "symptom".

An entity has a word if its context has it, or has a term on whose ladder the word stands. So a text that says
something more general fits more entities, and never fewer. The ladder is that of the term's first sense; all
of this is a matter of words, so that it can be retraced from a released text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from sfumato.know.entities.contexts import Contexts, Ints, restrict, transpose
from sfumato.know.entities.database import Database
from sfumato.know.entities.matching import Match, TermFinder, normal
from sfumato.know.entities.readers import Opened
from sfumato.know.taxonomy.chain import Chain


@dataclass(frozen=True, slots=True)
class BroaderTerm:
    """A word above a term: its number, how it is said, and the taxonomy's concept."""

    word: int
    term: str
    concept: str


_made: WeakKeyDictionary[Opened, tuple[Chain, Broader]] = WeakKeyDictionary()


def broader(opened: Opened, chain: Chain) -> Broader:
    """The words above the terms of an opened database; made once for it."""
    found = _made.get(opened)
    if found is None or found[0] is not chain:
        _made[opened] = found = (chain, Broader(opened.database, chain))
    return found[1]


class Broader:
    """Finds terms and the words above them, and says who has them. Terms keep their numbers; the other words
    follow. Reads the ladder of every term once: about a second for 10,000."""

    def __init__(self, database: Database, chain: Chain) -> None:
        self._database = database
        self._size = len(database)
        said = database.terms(range(database.size[1]))
        normals = [normal(term) for term in said]
        numbers = {text: number for number, text in enumerate(normals)}
        below: list[list[int]] = [[number] for number in range(len(said))]
        self._ladders: list[tuple[BroaderTerm, ...]] = []
        for number, term in enumerate(said):
            ladder: list[BroaderTerm] = []
            for step in chain.ladder(term)[1:]:
                form = normal(step.term)
                if (
                    not form
                    or form == normals[number]
                    or any(r.word == numbers.get(form) for r in ladder)
                ):
                    continue
                word = numbers.setdefault(form, len(below))
                if word == len(below):
                    below.append([])
                    normals.append(form)
                below[word].append(number)
                ladder.append(BroaderTerm(word, step.term, step.concept))
            self._ladders.append(tuple(ladder))
        self._said = said
        self._normals = normals
        self._below = [np.array(sorted(set(numbers)), dtype=np.int64) for numbers in below]
        self._matcher = TermFinder(normals)

    def __len__(self) -> int:
        return self._size

    def ladder(self, word: int) -> tuple[BroaderTerm, ...]:
        """The words above a term, from specific to general; a word that is no term has none."""
        return self._ladders[word] if word < len(self._ladders) else ()

    def terms(self, terms: Sequence[int]) -> list[str]:
        return [
            self._said[word] if word < len(self._said) else self._normals[word] for word in terms
        ]

    def match(self, text: str) -> list[Match]:
        return self._matcher.match(text)

    def restrict(self, terms: Sequence[int]) -> Contexts:
        given = [int(word) for word in terms]
        below = [self._below[word] for word in given]
        needed: Ints = np.unique(np.concatenate([*below, np.empty(0, dtype=np.int64)]))
        found = self._database.restrict(needed.tolist())
        starts, entities = transpose(found.indptr, found.indices, len(needed))
        postings = []
        for terms_below in below:
            at = np.searchsorted(needed, terms_below).tolist()
            parts = [entities[starts[i] : starts[i + 1]] for i in at]
            postings.append(np.unique(np.concatenate(parts)))
        indptr = np.zeros(len(given) + 1, dtype=np.int64)
        np.cumsum([len(p) for p in postings], out=indptr[1:])
        joined = np.concatenate([*postings, np.empty(0, dtype=np.int32)]).astype(np.int32)
        made = restrict(range(len(given)), indptr, joined, self._size)
        return Contexts(np.array(given, dtype=np.int64), made.indptr, made.indices)
