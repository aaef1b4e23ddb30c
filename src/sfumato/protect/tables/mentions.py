"""Mentions of terms in the texts of a table, as arrays: millions of them fit.

A mention is a span of one cell with a kind; its term is (text column, kind, normal form). A mention
that says what a column says is *redundant*: it has a column in place of a term.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from sfumato import document
from sfumato.english.folding import normal_form
from sfumato.protect.tables.problem import Terms
from sfumato.protect.tables.segments import Ints, starts_of

Spans = Sequence[tuple[int, int, str]]  # start, end, kind


FIELDS = ("row", "column", "start", "end", "term", "redundant")


class CellMention(NamedTuple):
    """A span of a text cell that is a term."""

    row: int
    column: int
    start: int
    end: int
    kind: str


@dataclass
class Mentions:
    """Mentions in the order they were added; `columns` are the text columns.

    `flat` holds FIELDS of one mention after the other: `term` is into `words` and `kinds`, `redundant` a
    quasi-identifier's number or -1.
    """

    columns: tuple[str, ...]
    flat: array[int] = field(default_factory=lambda: array("i"))
    terms: dict[tuple[int, str, str], int] = field(default_factory=dict)  # by (column, kind, form)
    words: list[str] = field(default_factory=list)  # a term as it was first written
    kinds: list[str] = field(default_factory=list)  # the kind of each term
    _written: dict[tuple[int, str, str], int] = field(default_factory=dict)  # terms by spelling

    def __len__(self) -> int:
        return len(self.flat) // len(FIELDS)

    def add(self, mention: CellMention, said: str, redundant: int = -1) -> None:
        """Add one, with its words."""
        row, column, start, end, kind = mention
        term = self._written.get((column, kind, said))
        if term is None:
            term = self._written[column, kind, said] = self._term(column, kind, said)
        self.flat.extend((row, column, start, end, term, redundant))

    def _term(self, column: int, kind: str, said: str) -> int:
        key = (column, kind, normal_form(said))
        term = self.terms.get(key)
        if term is None:
            term = self.terms[key] = len(self.terms)
            self.words.append(said)
            self.kinds.append(kind)
        return term

    def arrays(self) -> dict[str, Ints]:
        """The mentions as arrays, shape (mentions,), int64."""
        table = np.array(self.flat, np.int64).reshape(-1, len(FIELDS))
        return {name: np.ascontiguousarray(table[:, i]) for i, name in enumerate(FIELDS)}

    def of_cell(self, column: int, row: int) -> list[tuple[int, int]]:
        """The spans of all mentions in one cell."""
        table = np.frombuffer(self.flat, np.int32).reshape(-1, len(FIELDS))
        here = (table[:, 0] == row) & (table[:, 1] == column)
        return [(a, b) for a, b in table[here][:, 2:4].tolist()]

    def redundant(self) -> int:
        """How many say what a column says."""
        return int((self.arrays()["redundant"] >= 0).sum())


@dataclass(frozen=True)
class TermIndex:
    """The terms of all persons, and which posting each mention is."""

    terms: Terms
    keys: tuple[tuple[int, str, str], ...]  # by term id: (text column, kind, normal form)
    words: tuple[str, ...]  # by term id: as it was first written
    posting: Ints  # shape (mentions,), int64; -1 for redundant mentions


def term_index(mentions: Mentions, person: Ints, persons: int) -> TermIndex:
    """The sets of terms of all persons: the union over their rows."""
    keys = list(mentions.terms)  # in the order of their numbers
    order = sorted(range(len(keys)), key=keys.__getitem__)  # by text column, kind, normal form
    place = [keys[i] for i in order]
    old = np.array(order, np.int64)
    number = np.zeros(max(len(place), 1), np.int64)
    number[old] = np.arange(len(old))
    found = mentions.arrays()
    counts = found["redundant"] < 0
    many = max(len(place), 1)
    pair = person[found["row"]] * many + number[found["term"]]
    postings = np.unique(pair[counts])
    posting = np.full(len(mentions), -1, np.int64)
    posting[counts] = np.searchsorted(postings, pair[counts])
    types = sorted({kind for _, kind, _ in place})
    type_number = {kind: i for i, kind in enumerate(types)}
    terms = Terms(
        starts_of(np.bincount(postings // many, minlength=persons)),
        postings % many,
        np.array([type_number[kind] for _, kind, _ in place], np.int64),
        tuple(types),
        np.array([column for column, _, _ in place], np.int64),
        mentions.columns or ("text",),
    )
    said = tuple(mentions.words[i] for i in order)
    return TermIndex(terms, tuple(place), said, posting)


def without_overlaps(spans: Iterable[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Spans in order; of two that overlap the first given stays."""
    taken = document.Spans()
    return sorted(span for span in spans if taken.add(span[0], span[1]))
