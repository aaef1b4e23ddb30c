"""What a text tells of entities: the terms and names that stand in it, where, and who has them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from sfumato.document import Spans, joined
from sfumato.know.entities.contexts import Contexts, Ints, transpose
from sfumato.know.entities.matching import Match
from sfumato.know.entities.names import Names
from sfumato.protect.ksafety.problem import Problem

Floats = np.ndarray[Any, np.dtype[np.float64]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]
Span = tuple[int, int]


class Vocabulary(Protocol):
    """Context terms: an entity database, or one with the words above its terms."""

    def __len__(self) -> int: ...

    def terms(self, terms: Sequence[int]) -> list[str]: ...

    def match(self, text: str) -> list[Match]: ...

    def restrict(self, terms: Sequence[int]) -> Contexts: ...


@dataclass(frozen=True, eq=False)
class ContextTerms:
    """The context terms of a text and the names of protected entities in it, each a *column*, with every
    place where it stands, overlaps included. Terms come first, then names."""

    text: str
    words: tuple[int, ...]  # the terms' numbers in the vocabulary
    names: tuple[int, ...]  # the names' numbers
    places: tuple[tuple[Span, ...], ...]  # for each column, ascending
    indptr: Ints  # shape (entities + 1,): who has which column, in rows
    indices: Ints  # shape (pairs,)
    protected: Ints  # shape (protected,): entities, ascending

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def having(self) -> Ints:
        """Shape (columns,): how many entities have each."""
        return np.bincount(self.indices, minlength=len(self)).astype(np.int64)

    def information(self) -> Floats:
        """Shape (columns,): log2 of all entities by those that have it; never zero."""
        entities = len(self.indptr) - 1
        return np.log2((entities + 1) / np.maximum(self.having, 1))

    def problem(self, k: int, columns: Sequence[int], weights: Sequence[float] | None) -> Problem:
        """Which of some columns may stay; they are the terms of its document."""
        place = np.full(len(self), -1, dtype=np.int64)
        place[list(columns)] = np.arange(len(columns))
        at = place[self.indices]
        inside = at >= 0
        before = np.concatenate([[0], np.cumsum(inside)])
        return Problem.from_arrays(
            before[self.indptr], at[inside], self.protected, columns, k, weights
        )

    def rows(self, column: int) -> tuple[Bools, Ints]:
        """Shape (entities that have it, columns): what else they have; and which entities they are."""
        entities = self.owners[column]
        sizes = np.diff(self.indptr)[entities]
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        row = np.repeat(np.arange(len(entities)), sizes)
        within = np.arange(len(row)) - starts[row]
        have = np.zeros((len(entities), len(self)), dtype=np.bool_)
        have[row, self.indices[self.indptr[entities][row] + within]] = True
        return have, entities

    @cached_property
    def owners(self) -> list[Ints]:
        """For each column the entities that have it, ascending."""
        starts, entities = transpose(self.indptr, self.indices.astype(np.int32), len(self))
        return [entities[a:b].astype(np.int64) for a, b in pairwise(starts.tolist())]

    def with_words(self, words: Sequence[int], vocabulary: Vocabulary) -> ContextTerms:
        """The context as it would be with more words that stand nowhere yet, as the last columns."""
        found = vocabulary.restrict(words)
        starts, entities = transpose(found.indptr, found.indices, len(words))
        owners = [entities[a:b].astype(np.int64) for a, b in pairwise(starts.tolist())]
        indptr, indices = _with_columns(self.indptr, self.indices, len(self), owners)
        places = (*self.places, *(() for _ in words))
        return replace(self, places=places, indptr=indptr, indices=indices)

    def removed_spans(self, deleted: Collection[int]) -> list[Span]:
        """The stretches to take out so that no deleted column is left: all of its places, each with the
        whole of what it is a part of ("breast cancer" where "cancer" goes); joined where they overlap."""
        longest = _longest({span for places in self.places for span in places})
        starts, ends = [a for a, _ in longest], [b for _, b in longest]
        spans = {span for column in deleted for span in self.places[column]}
        # Of those that are in no other, starts and ends ascend: what holds a span is a run of them.
        return joined(
            (starts[bisect_left(ends, end)], ends[bisect_right(starts, start) - 1])
            for start, end in spans
        )

    def left(self, removed: Iterable[Span]) -> set[int]:
        """The columns that still stand somewhere once some stretches are gone."""
        gone = Spans(removed)
        return {
            column
            for column, places in enumerate(self.places)
            if not all(gone.touch(*span) for span in places)
        }


def _longest(spans: Iterable[Span]) -> list[Span]:
    """The spans that are in no other one, in order."""
    made: list[Span] = []
    for start, end in sorted(spans, key=lambda s: (s[0], -s[1])):
        if not made or end > made[-1][1]:
            made.append((start, end))
    return made


def look(text: str, vocabulary: Vocabulary, names: Names, protected: Ints) -> ContextTerms:
    """The context of a text. Of names, those count that a protected entity goes by."""
    places: dict[int, list[Span]] = {}
    for found in vocabulary.match(text):
        places.setdefault(found.term, []).append((found.start, found.end))
    called: dict[int, set[Span]] = {}
    for found in (*names.match(text), *names.spelled(text)):
        called.setdefault(found.term, set()).add((found.start, found.end))
    marked = np.zeros(len(vocabulary), dtype=np.bool_)
    marked[protected] = True
    called = {name: spans for name, spans in called.items() if marked[names.entities(name)].any()}
    words = tuple(places)
    contexts = vocabulary.restrict(words)
    indptr, indices = _with_columns(
        contexts.indptr,
        contexts.indices.astype(np.int64),
        len(words),
        [names.entities(name) for name in called],
    )
    stands = (*places.values(), *called.values())
    return ContextTerms(
        text,
        words,
        tuple(called),
        tuple(tuple(sorted(spans)) for spans in stands),
        indptr,
        indices,
        protected,
    )


def problem_of(
    owners: Sequence[Ints],
    context: ContextTerms,
    document: Sequence[Hashable],
    k: int,
    weights: Sequence[float],
) -> Problem:
    """Which of some forms may stand in a context; `owners` are the entities that have each."""
    none = np.zeros(len(context.indptr), dtype=np.int64)
    indptr, indices = _with_columns(none, np.empty(0, dtype=np.int64), 0, owners)
    return Problem.from_arrays(indptr, indices, context.protected, document, k, weights)


def _with_columns(
    indptr: Ints, indices: Ints, first: int, owners: Sequence[Ints]
) -> tuple[Ints, Ints]:
    """A matrix in rows with more columns, from number `first` on, by the entities that have them."""
    if not owners:
        return indptr, indices
    entities = len(indptr) - 1
    rows = np.concatenate([np.repeat(np.arange(entities), np.diff(indptr)), *owners])
    numbers = [np.full(len(owned), first + at) for at, owned in enumerate(owners)]
    columns = np.concatenate([indices, *numbers])
    made = np.zeros(entities + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows, minlength=entities), out=made[1:])
    return made, columns[np.argsort(rows, kind="stable")]
