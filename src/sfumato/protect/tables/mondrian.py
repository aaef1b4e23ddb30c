"""Mondrian partitioning over columns and sensitive terms (Algorithm 1), a whole level at once.

A cut is chosen by the widest span. A column's span is the width of the partition by the width of
the table (numbers and dates) or its distinct values by all distinct values. Text has one attribute
for each type of term: its span is the distinct terms of that type in the partition by all of that
type. λ, the relational weight, multiplies relational spans, 1 - λ textual ones; a column's bias
multiplies its span by 1 + bias.

A column is cut between two values, as near to the median person (numbers) or to the middle of the
partition's distinct values (all others, whose loss counts distinct values) as both sides keep k
persons. A set of numbers or dates stands at its last value, which on blog-like data lost less than
its mean, first value or middle; any other set counts as a value of its own. A type
is cut by the presence of its most frequent term among those that leave k persons on both sides: the
side that has the term keeps it, which a cut in the alphabet does not achieve. At λ = 1 text is not
looked at, at λ = 0 columns are cut only where no term can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from sfumato.errors import InputError, PolicyError
from sfumato.protect.tables.classes import Classes, numbered
from sfumato.protect.tables.problem import Column, Persons, Terms, require
from sfumato.protect.tables.segments import (
    Bools,
    Floats,
    Ints,
    distinct_pairs,
    first_of_run,
    runs,
    split_stably,
    spread,
    starts_of,
)

NO_CUT = -1


class ClassRule(Protocol):
    """A demand on every class beyond its size, such as ℓ-diversity: see `diversity`."""

    def holds(self, order: Ints, starts: Ints) -> Bools:
        """For each group order[starts[i]:starts[i + 1]] of persons, whether it may stand as a class."""

    def describe(self) -> str: ...


@dataclass(frozen=True)
class _Level:
    """The partitions that may still be cut: `order` holds their persons, one partition after the other."""

    order: Ints
    sizes: Ints

    @property
    def segment(self) -> Ints:
        return np.repeat(np.arange(len(self.sizes)), self.sizes)


@dataclass(frozen=True)
class _Cuts:
    """For every partition (row) and attribute (column): the span, and where to cut it or NO_CUT."""

    span: Floats
    at: Ints


def mondrian(
    table: Persons, k: int, *, relational_weight: float = 0.5, rules: Sequence[ClassRule] = ()
) -> Classes:
    """Classes of at least k persons by Mondrian with relational weight λ (Algorithm 1)."""
    require(table.count, k)
    if not 0 <= relational_weight <= 1:
        raise PolicyError(f"the relational weight is {relational_weight}: it lies between 0 and 1")
    require_rules(rules, table.count)
    columns = table.columns
    text = _Text(table.terms, k) if relational_weight < 1 and len(table.terms.ids) else None
    names = [c.name for c in columns] + (text.names if text else [])
    whole = np.array([_width(column) for column in columns])
    labels = np.zeros(table.count, np.int64)
    made, splits = 1, np.zeros(len(names), np.int64)
    level = _Level(np.arange(table.count), np.array([table.count]))
    while True:
        alive = level.sizes >= 2 * k
        if not alive.all():
            level, gone = _keep(level, alive)
            if text:
                text.keep(alive)
            made = _number(labels, gone, made)
        if len(level.sizes) == 0:
            break
        parts = [_column_cuts(column, level, k) for column in columns]
        span = (
            np.array([cut.span for cut in parts]).reshape(len(columns), len(level.sizes)).T / whole
        )
        at = np.array([cut.at for cut in parts], np.int64).reshape(len(columns), len(level.sizes)).T
        score = span * np.array([1 + column.bias for column in columns])
        if text:
            cuts = text.cuts(level)
            at = np.hstack([at, cuts.at])
            score = _weigh(score, cuts.span, relational_weight)
        score = np.where(at == NO_CUT, -1.0, score)
        chosen, side = _choose(table, level, score, at, text, rules)
        splits += np.bincount(chosen[chosen >= 0], minlength=len(names))
        cut = chosen >= 0
        if not cut.all():
            side = side[np.repeat(cut, level.sizes)]
            level, gone = _keep(level, cut)
            if text:
                text.keep(cut)
            made = _number(labels, gone, made)
        if text:
            text.split(level, side)
        level = _split(level, side)
    return Classes(
        numbered(labels),
        dict(zip(names, splits.tolist(), strict=True)),
        int(splits[: len(columns)].sum()),
        int(splits[len(columns) :].sum()),
    )


def require_rules(rules: Sequence[ClassRule], count: int) -> None:
    """A rule that all persons together break cannot be met by any partition of them."""
    everyone, ends = np.arange(count), np.array([0, count])
    for rule in rules:
        if not rule.holds(everyone, ends)[0]:
            raise InputError(
                f"all persons taken as one class break {rule.describe()}: lower the demand or leave it out"
            )


def _weigh(relational: Floats, textual: Floats, weight: float) -> Floats:
    if weight == 0:  # any term before any column
        return np.hstack([relational, textual + relational.max(initial=0.0) + 1])
    return np.hstack([weight * relational, (1 - weight) * textual])


def _width(column: Column) -> float:
    """The span of all persons; 1 where they do not differ, which no cut ever sees."""
    if column.kind in ("number", "date"):
        place = column.place_value[column.position]
        return float(place.max() - place.min()) or 1.0
    return float(len(np.unique(column.position)))


def _keep(level: _Level, keep: Bools) -> tuple[_Level, _Level]:
    inside = np.repeat(keep, level.sizes)
    return (
        _Level(level.order[inside], level.sizes[keep]),
        _Level(level.order[~inside], level.sizes[~keep]),
    )


def _number(labels: Ints, done: _Level, made: int) -> int:
    labels[done.order] = done.segment + made
    return made + len(done.sizes)


def _split(level: _Level, side: Bools) -> _Level:
    segment = level.segment
    right = np.add.reduceat(side.astype(np.int64), starts_of(level.sizes)[:-1])
    sizes = np.column_stack([level.sizes - right, right]).ravel()
    return _Level(level.order[split_stably(segment, side)], sizes)


def _column_cuts(column: Column, level: _Level, k: int) -> _Cuts:
    """Where each partition would be cut on this column: the last position of its lower side."""
    place = column.place_value
    group, position, count = distinct_pairs(level.segment, column.position[level.order], len(place))
    bounds = np.searchsorted(group, np.arange(len(level.sizes) + 1))
    first, last = bounds[:-1], bounds[1:] - 1
    if column.kind in ("number", "date"):
        span = place[position[last]] - place[position[first]]
    else:
        span = (last - first + 1).astype(np.float64)
    lower = np.cumsum(count) - np.repeat(starts_of(level.sizes)[:-1], bounds[1:] - bounds[:-1])
    size = level.sizes[group]
    if column.kind == "number":
        far = np.abs(2 * lower - size)
    else:
        many = (last - first + 1)[group]
        far = np.abs(2 * (np.arange(len(group)) - first[group] + 1) - many)
    far[(lower < k) | (size - lower < k)] = np.iinfo(np.int64).max
    nearest = np.minimum.reduceat(far, first)
    hit = np.flatnonzero(far == nearest[group])
    hit = hit[first_of_run(group[hit])]
    at = position[hit]
    at[nearest == np.iinfo(np.int64).max] = NO_CUT
    return _Cuts(span, at)


def _choose(
    table: Persons,
    level: _Level,
    score: Floats,
    at: Ints,
    text: _Text | None,
    rules: Sequence[ClassRule],
) -> tuple[Ints, Bools]:
    """The attribute each partition is cut on (NO_CUT for none), and the side of each person."""
    rows = np.arange(len(level.sizes))
    side = np.zeros(len(level.order), np.bool_)
    if score.shape[1] == 0:
        return np.full(len(rows), NO_CUT), side
    score = score.copy()
    chosen = np.full(len(rows), NO_CUT)
    open_rows = rows
    while len(open_rows):
        best = np.argmax(score[open_rows], axis=1)
        possible = score[open_rows, best] >= 0
        open_rows, best = open_rows[possible], best[possible]
        chosen[open_rows] = best
        _sides(table, level, at, text, open_rows, best, side)
        if not rules or len(open_rows) == 0:
            break
        bad = _broken(level, side, open_rows, rules)
        score[open_rows[bad], best[bad]] = -1.0
        chosen[open_rows[bad]] = NO_CUT
        open_rows = open_rows[bad]
    return chosen, side


def _sides(
    table: Persons,
    level: _Level,
    at: Ints,
    text: _Text | None,
    rows: Ints,
    attribute: Ints,
    side: Bools,
) -> None:
    wanted = np.full(len(level.sizes), NO_CUT)
    wanted[rows] = attribute
    of_person = np.repeat(wanted, level.sizes)
    segment = level.segment
    for number, column in enumerate(table.columns):
        here = np.flatnonzero(of_person == number)
        side[here] = column.position[level.order[here]] > at[segment[here], number]
    if text:
        side[of_person >= len(table.columns)] = False
        textual = rows[attribute >= len(table.columns)]
        owners = text.having(at[textual, wanted[textual]])
        place = np.empty(table.count, np.int64)
        place[level.order] = np.arange(len(level.order))
        side[place[owners]] = True


def _broken(level: _Level, side: Bools, rows: Ints, rules: Sequence[ClassRule]) -> Bools:
    inside = np.zeros(len(level.sizes), np.bool_)
    inside[rows] = True
    part, _ = _keep(level, inside)
    halves = _split(part, side[np.repeat(inside, level.sizes)])
    fine = np.ones(len(halves.sizes), np.bool_)
    for rule in rules:
        fine &= rule.holds(halves.order, starts_of(halves.sizes))
    return np.asarray(~fine.reshape(-1, 2).all(axis=1))


class _Text:
    """The postings of all partitions of a level, by partition and then by term id.

    A term that only one person of a partition has can neither be cut on nor be shared; it leaves
    the postings and is only counted, so postings shrink fast from level to level.
    """

    def __init__(self, terms: Terms, k: int) -> None:
        self.k = k
        types = len(terms.types)
        attribute = terms.column_of * types + terms.type_of
        used, self.attribute = np.unique(attribute, return_inverse=True)
        several = len(terms.columns) > 1
        self.names = [
            f"{terms.columns[a // types]}:{terms.types[a % types]}"
            if several
            else terms.types[a % types]
            for a in used.tolist()
        ]
        self.whole = np.bincount(self.attribute).astype(np.float64)
        self.alone = np.zeros((len(terms.indptr) - 1, len(used)), np.int32)
        order = np.argsort(terms.ids, kind="stable")
        self.owner, self.term = terms.owner[order], terms.ids[order]
        self.segment = np.zeros(len(order), np.int64)
        self.run_begin = self.run_size = np.zeros(0, np.int64)

    def cuts(self, level: _Level) -> _Cuts:
        """The most frequent term of each type that leaves k persons on both sides: its run."""
        many, attributes = len(level.sizes), len(self.names)
        if self.k > 1:
            self._drop_singles()
        self.run_begin, self.run_size = begin, size = runs(self.segment, self.term)
        segment = self.segment[begin]
        cell = segment * attributes + self.attribute[self.term[begin]]
        distinct = np.bincount(cell, minlength=many * attributes).reshape(many, attributes)
        alone = np.add.reduceat(
            self.alone[level.order], starts_of(level.sizes)[:-1], axis=0, dtype=np.int64
        )
        span = (distinct + alone) / self.whole
        at = np.full(many * attributes, NO_CUT)
        fit = np.flatnonzero((size >= self.k) & (level.sizes[segment] - size >= self.k))
        if len(fit):
            group, lengths = runs(cell[fit])
            most = np.maximum.reduceat(size[fit], group)
            hit = fit[size[fit] == np.repeat(most, lengths)]
            hit = hit[first_of_run(cell[hit])]
            at[cell[hit]] = hit
        return _Cuts(span, at.reshape(many, attributes))

    def having(self, run: Ints) -> Ints:
        """The persons who have the terms of these runs."""
        return np.asarray(self.owner[spread(self.run_begin[run], self.run_size[run])])

    def keep(self, keep: Bools) -> None:
        number = np.cumsum(keep) - 1
        inside = keep[self.segment]
        self.owner, self.term = self.owner[inside], self.term[inside]
        self.segment = number[self.segment[inside]]

    def split(self, level: _Level, side: Bools) -> None:
        of_person = np.zeros(len(self.alone), np.bool_)
        of_person[level.order] = side
        right = of_person[self.owner]
        order = split_stably(self.segment, right)
        self.segment = (2 * self.segment + right)[order]
        self.owner, self.term = self.owner[order], self.term[order]

    def _drop_singles(self) -> None:
        begin = first_of_run(self.segment, self.term)
        alone = begin.copy()
        alone[:-1] &= begin[1:]
        attribute = self.attribute[self.term[alone]]
        np.add.at(self.alone, (self.owner[alone], attribute), 1)
        left = ~alone
        self.owner, self.term, self.segment = self.owner[left], self.term[left], self.segment[left]
