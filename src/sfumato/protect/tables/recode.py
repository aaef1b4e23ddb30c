"""Recoding: what every class shows in place of its persons' own values and terms (section 3.2.2).

Columns: a number becomes a range (or the class' mean or median), a nominal value a set, a tree
value or date the lowest node above all. *Local* recoding treats each class by itself; *global*
recoding shows equal values equally everywhere, so classes that overlap in a column are shown with
the union.

Terms: what every person of the class has stays. What is left is generalised before it is
suppressed, where the caller gives ladders: an ancestor stays if every person of the class has a
term below it, most specific first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sfumato.errors import PolicyError
from sfumato.protect.tables.classes import Classes
from sfumato.protect.tables.hierarchies import ROOT
from sfumato.protect.tables.loss import extremes, range_loss, shared_terms
from sfumato.protect.tables.problem import MISSING, Column, Persons, Terms
from sfumato.protect.tables.segments import (
    Bools,
    Floats,
    Ints,
    distinct_pairs,
    entries_of,
    first_of_run,
    spread,
    starts_of,
)

Shown = Literal["range", "mean", "median"]
Scope = Literal["local", "global"]

SUPPRESSED = -1
AS_IT_IS = -2
LONGEST = 400  # letters that a class shows: every row of it shows them all


@dataclass(frozen=True)
class RecodedColumn:
    """What each class shows for one column."""

    name: str
    labels: tuple[str, ...]  # by class, as released
    loss: Floats  # NCP by class, shape (classes,), float64


@dataclass(frozen=True)
class Ladders:
    """Generalisations of terms, most specific first: those of term i are at indptr[i] … indptr[i + 1].

    `ancestors` are ids of the caller's; `losses`, in [0, 1], ascend along a ladder and say what is
    lost by information content: 1 - IC(ancestor) / IC(term). A term that is itself an ancestor of
    others lists itself first, with loss 0. Only terms of one type and text column meet in an
    ancestor.
    """

    indptr: Ints  # shape (term ids + 1,), int64
    ancestors: Ints  # shape (indptr[-1],), int64
    losses: Floats  # shape (indptr[-1],), float64


@dataclass(frozen=True)
class RecodedTerms:
    """What becomes of each posting: AS_IT_IS, SUPPRESSED, or the ancestor that takes its place."""

    outcome: Ints  # shape (postings,), int64
    loss: Floats  # shape (postings,), float64

    @property
    def kept(self) -> Bools:
        return np.asarray(self.outcome == AS_IT_IS)


@dataclass(frozen=True)
class Recoded:
    """A table as it is to be released, class by class, and what to give `loss.measure`."""

    classes: Classes
    columns: tuple[RecodedColumn, ...]
    terms: RecodedTerms

    @property
    def column_losses(self) -> Mapping[str, Floats]:
        return {column.name: column.loss for column in self.columns}


def recode(
    table: Persons,
    classes: Classes,
    *,
    scope: Scope = "local",
    shown: Mapping[str, Shown] | None = None,
    ladders: Ladders | None = None,
) -> Recoded:
    """Every column and all terms; `shown` names the columns of numbers that are not shown as ranges."""
    how = shown or {}
    if scope == "global" and any(way != "range" for way in how.values()):
        raise PolicyError(
            "a mean or median differs from class to class: use it with local recoding"
        )
    columns = tuple(
        recode_column(column, classes, scope=scope, shown=how.get(column.name, "range"))
        for column in table.columns
    )
    return Recoded(classes, columns, recode_terms(table.terms, classes, ladders))


def recode_column(
    column: Column, classes: Classes, *, scope: Scope = "local", shown: Shown = "range"
) -> RecodedColumn:
    """What each class shows for one column; what would be very long is shown as the whole."""
    low, high, mixed = extremes(column, classes)
    if column.kind == "nominal":
        labels, loss = _sets(column, classes, scope)
    else:
        labels, loss = _intervals(column, low, high, scope)
    if shown != "range" and column.kind == "number":
        labels = _summaries(column, classes, labels, low, mixed, shown)
    whole = mixed | np.array([len(label) > LONGEST for label in labels], bool)
    labels = [ROOT if blur else label for label, blur in zip(labels, whole.tolist(), strict=True)]
    return RecodedColumn(column.name, tuple(labels), np.where(whole, 1.0, loss))


def _intervals(column: Column, low: Ints, high: Ints, scope: Scope) -> tuple[list[str], Floats]:
    """Numbers, trees and dates: from the first to the last value of a class."""
    known = low != MISSING
    if column.tree is not None:
        low[known], high[known] = column.tree.extent(low[known], high[known])
    if scope == "global":
        low[known], high[known] = _united(low[known], high[known], len(column.values))
    pairs = set(zip(low[known].tolist(), high[known].tolist(), strict=True))
    if column.tree is not None:
        wide = np.where(low == high, 0, high - low + 1)
        loss = np.where(known, wide / max(column.tree.leaves, 1), 0.0)
        names = {pair: column.tree.label(*pair) for pair in pairs}
    else:
        loss = range_loss(column, low, high)
        values = column.values
        names = {(a, b): values[a] if a == b else f"[{values[a]}-{values[b]}]" for a, b in pairs}
    return [names.get(pair, "") for pair in zip(low.tolist(), high.tolist(), strict=True)], loss


def _summaries(
    column: Column, classes: Classes, labels: list[str], low: Ints, mixed: Bools, shown: Shown
) -> list[str]:
    """The class' mean or median over all values of its persons; the loss stays that of the range it hides."""
    label = classes.labels[column.owner]
    order = np.lexsort((column.codes, label))
    value = column.scale[column.codes[order]]
    size = np.bincount(label, minlength=classes.count)
    begin = starts_of(size)[:-1]
    some = np.flatnonzero((size > 0) & ~mixed & (low != MISSING))
    if shown == "mean":
        result = np.bincount(label, column.scale[column.codes], classes.count) / np.maximum(size, 1)
        result = result[some]
    else:
        left, right = begin + (size - 1) // 2, begin + size // 2
        result = (value[left[some]] + value[right[some]]) / 2
    labels = list(labels)
    for place, number in zip(some.tolist(), result.tolist(), strict=True):
        labels[place] = f"{number:.6g}"
    return labels


def _united(low: Ints, high: Ints, values: int) -> tuple[Ints, Ints]:
    """Intervals made so large that those which share a value are equal.

    >>> [a.tolist() for a in _united(np.array([0, 2, 5]), np.array([2, 3, 5]), 6)]
    [[0, 0, 5], [3, 3, 5]]
    """
    change = np.zeros(values + 1, np.int64)
    np.add.at(change, low, 1)
    np.add.at(change, high, -1)
    bridged = np.cumsum(change)[: max(values - 1, 0)] > 0  # between a value and the next
    first = np.ones(values, np.bool_)
    first[1:] = ~bridged
    run = np.cumsum(first) - 1
    begin = np.flatnonzero(first)
    end = np.append(begin[1:], values) - 1
    return begin[run[low]], end[run[low]]


def _sets(column: Column, classes: Classes, scope: Scope) -> tuple[list[str], Floats]:
    """All values of a class; those of sets that share one, where equal values are shown equally."""
    values = max(len(column.values), 1)
    group, code, _ = distinct_pairs(classes.labels[column.owner], column.codes, values)
    shown = np.arange(classes.count)  # the set of each class
    if scope == "global":
        leader, first = _leaders(group, code, values), first_of_run(group)
        shown = np.full(classes.count, values)  # has no value, nor has any leader this number
        shown[group[first]] = leader[code[first]]
        code = np.argsort(leader, kind="stable")
        group = leader[code]
    size = np.bincount(group, minlength=max(classes.count, values + 1))
    flat, bounds = code.tolist(), starts_of(size).tolist()
    labels = {}
    for number in set(shown.tolist()):
        names = [column.values[c] for c in flat[bounds[number] : bounds[number + 1]]]
        labels[number] = f"({','.join(names)})" if len(names) > 1 else "".join(names)
    many = size[shown]
    return [labels[n] for n in shown.tolist()], np.where(many <= 1, 0.0, many / values)


def _leaders(group: Ints, code: Ints, values: int) -> Ints:
    """The first value of all that are joined to each value by groups that share one: shape (values,)."""
    root = list(range(values))

    def find(value: int) -> int:
        while root[value] != value:
            root[value] = root[root[value]]
            value = root[value]
        return value

    same = ~first_of_run(group)
    for left, right in zip(code[:-1][same[1:]].tolist(), code[1:][same[1:]].tolist(), strict=True):
        a, b = find(left), find(right)
        root[max(a, b)] = min(a, b)
    return np.array([find(value) for value in range(values)])


def recode_terms(terms: Terms, classes: Classes, ladders: Ladders | None = None) -> RecodedTerms:
    """What becomes of each term of each person, the same for all persons of a class."""
    kept = shared_terms(terms, classes)
    outcome = np.where(kept, AS_IT_IS, SUPPRESSED).astype(np.int64)
    loss = (~kept).astype(np.float64)
    if ladders is not None and len(ladders.ancestors):
        _generalise(terms, classes, ladders, outcome, loss)
    return RecodedTerms(outcome, loss)


def _generalise(
    terms: Terms, classes: Classes, ladders: Ladders, outcome: Ints, loss: Floats
) -> None:
    kind = terms.column_of * max(len(terms.types), 1) + terms.type_of
    for number in range(classes.count):
        people = classes.members(number)
        places, who = entries_of(terms.indptr, people)
        rungs = np.diff(ladders.indptr)[terms.ids[places]]
        if not rungs.any():
            continue
        rung = spread(ladders.indptr[terms.ids[places]], rungs)
        posting = np.repeat(places, rungs)
        kinds = kind[terms.ids[posting]]
        ancestor, rung_loss = ladders.ancestors[rung], ladders.losses[rung]
        every = np.vstack((posting, np.repeat(who, rungs), kinds, ancestor))
        # what the class shows already may stand for more: it tells nobody apart
        known = outcome[posting] == AS_IT_IS
        itself = known & (rung_loss == 0) & (rung == ladders.indptr[terms.ids[posting]])
        shown = set(zip(kinds[itself].tolist(), ancestor[itself].tolist(), strict=True))
        _climb(every[:, ~known], rung_loss[~known], shown, len(people), (outcome, loss))


def _climb(
    rungs: Ints,
    rung_loss: Floats,
    shown: set[tuple[int, int]],
    persons: int,
    made: tuple[Ints, Floats],
) -> None:
    """Take ancestors that all persons share, the one with the least mean loss first. `rungs` has for each
    its posting, person, kind and ancestor: shape (4, rungs); what is `made` are outcomes and losses."""
    if not rungs.size:
        return
    outcome, loss = made
    order = np.lexsort(rungs[1:][[0, 2, 1]])
    (posting, person, kinds, ancestor), rung_loss = rungs[:, order], rung_loss[order]
    new = first_of_run(kinds, ancestor)
    begin = np.flatnonzero(new)
    end = np.append(begin[1:], len(new))
    distinct = np.add.reduceat(first_of_run(kinds, ancestor, person).astype(np.int64), begin)
    options = []
    for place, (a, b) in enumerate(zip(begin.tolist(), end.tolist(), strict=True)):
        key = (int(kinds[a]), int(ancestor[a]))
        if distinct[place] == persons or key in shown:
            options.append((float(rung_loss[a:b].mean()), key, a, b))
    for _, key, a, b in sorted(options):
        free = np.flatnonzero(outcome[posting[a:b]] == SUPPRESSED) + a
        everyone = len(np.unique(person[free])) == persons
        if len(free) and (everyone or key in shown):
            shown.add(key)
            outcome[posting[free]] = key[1]
            loss[posting[free]] = rung_loss[free]
