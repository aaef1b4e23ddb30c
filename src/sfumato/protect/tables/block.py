"""Some of the persons with all that is needed to ask, fast and often, what a class of them would lose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.protect.tables.hierarchies import Tree
from sfumato.protect.tables.problem import MISSING, Column, Persons
from sfumato.protect.tables.segments import Bools, Floats, Ints, entries_of

Counts = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Interval:
    """A column whose classes are intervals: a number's range, or the node of a tree above it.

    `low` and `high`, shape (persons,): the ends of each person's own set. Where a person has no
    value they are the ends of the whole column: a class of such persons and others is suppressed,
    which costs 1.
    """

    low: Ints
    high: Ints
    scale: Floats  # by code, so that the column is 1 wide
    tree: Tree | None

    def cost(self, low: Ints, high: Ints) -> Floats:
        if self.tree is not None:
            return self.tree.share(low, high)
        return self.scale[high] - self.scale[low]


@dataclass(frozen=True)
class Sets:
    """A nominal column: `has`, shape (persons, values seen in the block), and |A|, all its values."""

    has: Bools
    values: int

    def cost(self, distinct: Counts) -> Floats:
        return np.where(distinct > 1, distinct / self.values, 0.0)


def interval(column: Column, people: Ints) -> Interval:
    """The column of these persons, as intervals of codes."""
    low, high = column.low[people], column.high[people]
    if (empty := low == MISSING).any():
        low = np.where(empty, 0, low)
        high = np.where(empty, len(column.values) - 1, high)
    if len(column.values) == 0:  # nobody has a value: nothing to lose
        nobody = np.zeros(len(people), np.int64)
        return Interval(nobody, nobody, np.zeros(1), None)
    scale = column.scale
    width = float(scale[-1] - scale[0])
    return Interval(low, high, scale / (width or 1.0), column.tree)


class Block:
    """Persons `people` of a table, numbered 0, 1, 2 … here; losses are summed over persons, weighted (eq. 2).

    Losses leave out what does not depend on the classes: a class that keeps no term and joins
    nothing costs 0, and terms that are kept count as a gain.
    """

    def __init__(
        self, table: Persons, people: Ints, k: int, relational: float, textual: float
    ) -> None:
        self.people, self.k = people, k
        self.relational = relational / max(len(table.columns), 1)
        self.textual = textual
        self.intervals: list[Interval] = []
        self.sets: list[Sets] = []
        for column in table.columns:
            if column.kind == "nominal":
                self.sets.append(Sets(_membership(column, people), max(len(column.values), 1)))
            else:
                self.intervals.append(interval(column, people))
        terms = table.terms
        places, owner = entries_of(terms.indptr, people)
        ids, number, count = np.unique(terms.ids[places], return_inverse=True, return_counts=True)
        useful = count >= k  # no class can share the others
        ids = ids[useful]
        place = np.cumsum(useful) - 1
        inside = useful[number]
        self.has = np.zeros((len(people), len(ids)), np.bool_)
        self.has[owner[inside], place[number[inside]]] = True
        self.text_columns = len(terms.columns)
        self.column_of = terms.column_of[ids]
        self.weight = np.zeros((len(people), self.text_columns))
        self.weight[owner, terms.column_of[terms.ids[places]]] = terms.weight[places]

    def __len__(self) -> int:
        return len(self.people)

    def gain(self, kept: Counts, weight: Floats) -> Floats:
        """What kept terms (by text column) save, for the summed weights of the persons who keep them."""
        return np.asarray(self.textual * (kept * weight).sum(-1))

    def by_column(self, kept: Ints) -> Counts:
        """How many of these terms each text column has."""
        return np.bincount(self.column_of[kept], minlength=self.text_columns)

    def loss(self, members: Ints) -> float:
        """The loss of one class."""
        return Group(self, members).loss()


class Group:
    """A class in the making."""

    def __init__(self, block: Block, members: Ints) -> None:
        self.block, self.size = block, len(members)
        self.low = [i.low[members].min() for i in block.intervals]
        self.high = [i.high[members].max() for i in block.intervals]
        self.seen = [s.has[members].any(0) for s in block.sets]
        self.kept = np.flatnonzero(block.has[members].all(0))
        self.weight = block.weight[members].sum(0)

    def loss(self) -> float:
        block = self.block
        cost = 0.0
        for column, low, high in zip(block.intervals, self.low, self.high, strict=True):
            cost += float(column.cost(np.array([low]), np.array([high]))[0])
        for sets, seen in zip(block.sets, self.seen, strict=True):
            cost += float(sets.cost(np.array([seen.sum()]))[0])
        gain = block.gain(block.by_column(self.kept), self.weight)
        return block.relational * self.size * cost - float(gain)

    def with_each(self, others: Ints) -> Floats:
        """The loss of this class and one more person, for each of `others`."""
        block = self.block
        cost = np.zeros(len(others))
        for column, low, high in zip(block.intervals, self.low, self.high, strict=True):
            cost += column.cost(
                np.minimum(low, column.low[others]), np.maximum(high, column.high[others])
            )
        for sets, seen in zip(block.sets, self.seen, strict=True):
            new = np.flatnonzero(~seen)
            cost += sets.cost(seen.sum() + sets.has[np.ix_(others, new)].sum(1))
        cost *= block.relational * (self.size + 1)
        if len(self.kept):
            has = block.has[np.ix_(others, self.kept)]
            column_of = block.column_of[self.kept]
            kept = np.stack([has[:, column_of == c].sum(1) for c in range(block.text_columns)], 1)
            cost -= block.gain(kept, self.weight + block.weight[others])
        return cost

    def add(self, person: int) -> None:
        block = self.block
        self.size += 1
        for place, column in enumerate(block.intervals):
            self.low[place] = min(self.low[place], column.low[person])
            self.high[place] = max(self.high[place], column.high[person])
        for place, sets in enumerate(block.sets):
            self.seen[place] = self.seen[place] | sets.has[person]
        self.kept = self.kept[block.has[person, self.kept]]
        self.weight = self.weight + block.weight[person]


def without_each(block: Block, members: Ints) -> Floats:
    """The loss of a class without one of its members, for each of them: shape (members,)."""
    size = len(members)
    cost = np.zeros(size)
    for column in block.intervals:
        low, high = column.low[members], column.high[members]
        cost += column.cost(_other_least(low), -_other_least(-high))
    for sets in block.sets:
        has = sets.has[members]
        count = has.sum(0)
        only = has[:, count == 1].sum(1)
        cost += sets.cost((count > 0).sum() - only)
    cost *= block.relational * (size - 1)
    has = block.has[members]
    count = has.sum(0)
    everyone = block.by_column(np.flatnonzero(count == size))
    almost = np.flatnonzero(count == size - 1)
    kept = np.tile(everyone, (size, 1))
    if len(almost):
        lacking = np.argmin(has[:, almost], axis=0)
        np.add.at(kept, (lacking, block.column_of[almost]), 1)
    weight = block.weight[members]
    return cost - block.gain(kept, weight.sum(0) - weight)


def _other_least(values: Ints) -> Ints:
    """The least of all the other values, for each value."""
    first = int(np.argmin(values))
    least = np.full(len(values), values[first])
    least[first] = np.delete(values, first).min()
    return least


def _membership(column: Column, people: Ints) -> Bools:
    places, owner = entries_of(column.indptr, people)
    seen, number = np.unique(column.codes[places], return_inverse=True)
    has = np.zeros((len(people), len(seen)), np.bool_)
    has[owner, number] = True
    return has
