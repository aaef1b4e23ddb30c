"""Information lost by classes: the normalised certainty penalty of section 4.3.2, equations (2) to (8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sfumato.errors import PolicyError
from sfumato.protect.tables.classes import Classes
from sfumato.protect.tables.problem import MISSING, Column, Persons, Terms
from sfumato.protect.tables.segments import Bools, Floats, Ints, distinct_pairs, runs


@dataclass(frozen=True)
class Loss:
    """NCP of a release: 0 is nothing lost, 1 is everything."""

    relational: float  # NCP_A, eq. (3), mean over persons
    textual: float  # NCP_X, eq. (6), mean over persons
    total: float  # eq. (8)
    by_column: Mapping[str, float]  # mean over persons
    by_type: Mapping[str, float]  # mean over the persons who have terms of that type
    per_person: Floats  # eq. (2), shape (persons,), float64


def total_of(
    relational: Floats, textual: Floats, relational_weight: float, textual_weight: float
) -> Floats:
    """Eq. (2): the weighted mean of both sides, w_A and w_X being the weights."""
    if min(relational_weight, textual_weight) < 0 or relational_weight + textual_weight == 0:
        raise PolicyError("weights of loss must not be negative, and one must be above 0")
    both = relational_weight * relational + textual_weight * textual
    return both / (relational_weight + textual_weight)


def extremes(column: Column, classes: Classes) -> tuple[Ints, Ints, Bools]:
    """First and last code of each class, and where a class is to be suppressed whole.

    A class in which some persons have no value and others have one cannot be shown without telling
    them apart. Where nobody has a value both codes are MISSING.
    """
    begin = classes.starts[:-1]
    low, high = column.low[classes.order], column.high[classes.order]
    top = np.maximum.reduceat(high, begin)
    if column.single:
        return np.minimum.reduceat(low, begin), top, np.zeros(classes.count, np.bool_)
    empty = np.add.reduceat(low == MISSING, begin, dtype=np.int64)
    bottom = np.minimum.reduceat(np.where(low == MISSING, np.iinfo(np.int64).max, low), begin)
    bottom[empty == classes.sizes] = MISSING
    return bottom, top, (empty > 0) & (empty < classes.sizes)


def range_loss(column: Column, low: Ints, high: Ints) -> Floats:
    """NCP_num (eq. 4): the width of a range by the width of the column; 0 in a constant column."""
    width = float(column.scale[-1] - column.scale[0]) if len(column.scale) else 0.0
    if width == 0:
        return np.zeros(len(low))
    return np.where(low == MISSING, 0.0, (column.scale[high] - column.scale[low]) / width)


def column_loss(column: Column, classes: Classes) -> Floats:
    """NCP of one column for each class: shape (classes,), float64."""
    low, high, mixed = extremes(column, classes)
    if column.kind == "number":
        loss = range_loss(column, low, high)
    elif column.tree is not None:
        known = low != MISSING
        loss = np.zeros(classes.count)
        loss[known] = column.tree.share(low[known], high[known])
    else:
        group, *_ = distinct_pairs(
            classes.labels[column.owner], column.codes, max(len(column.values), 1)
        )
        distinct = np.bincount(group, minlength=classes.count)
        loss = np.where(distinct <= 1, 0.0, distinct / max(len(column.values), 1))
    return np.where(mixed, 1.0, loss)


def shared_terms(terms: Terms, classes: Classes) -> Bools:
    """Which postings may stay as they are: every person of the class has that term id.

    A term id carries its type, so one word of two types is two terms. Shape (postings,), bool.
    """
    kept = np.zeros(len(terms.ids), np.bool_)
    # a term that fewer persons have than the smallest class cannot be shared
    spread = np.bincount(terms.ids, minlength=max(terms.count, 1))
    some = np.flatnonzero(spread[terms.ids] >= classes.sizes.min())
    key = classes.labels[terms.owner[some]] * max(terms.count, 1) + terms.ids[some]
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    begin, size = runs(ordered)
    whole = size == classes.sizes[ordered[begin] // max(terms.count, 1)] if len(begin) else size > 0
    kept[some[order[np.repeat(whole, size)]]] = True
    return kept


def measure(
    table: Persons,
    classes: Classes,
    *,
    term_loss: Floats | None = None,
    column_losses: Mapping[str, Floats] | None = None,
    relational_weight: float = 1.0,
    textual_weight: float = 1.0,
) -> Loss:
    """What releasing `table` in these classes loses, by the thesis' definition: sets, all records.

    `term_loss`, shape (postings,), is the loss of each posting where recoding did something else
    than keep what all share and suppress the rest; `column_losses` are per class, likewise (global
    recoding).
    """
    count = table.count
    relational = np.zeros(count)
    by_column = {}
    for column in table.columns:
        loss = (column_losses or {}).get(column.name)
        each = (column_loss(column, classes) if loss is None else loss)[classes.labels]
        relational += each
        by_column[column.name] = float(each.mean())
    relational /= max(len(table.columns), 1)
    terms = table.terms
    lost = (~shared_terms(terms, classes)).astype(np.float64) if term_loss is None else term_loss
    textual = np.bincount(terms.owner, terms.weight * lost, count).astype(np.float64)
    types = max(len(terms.types), 1)
    cell = terms.owner * types + terms.type_of[terms.ids]
    size = np.bincount(cell, minlength=count * types).reshape(count, types)
    gone = np.bincount(cell, lost, count * types).astype(np.float64).reshape(count, types)
    share = np.divide(gone, size, out=np.zeros_like(gone), where=size > 0).sum(0)
    having = (size > 0).sum(0)
    per_person = total_of(relational, textual, relational_weight, textual_weight)
    return Loss(
        float(relational.mean()),
        float(textual.mean()),
        float(per_person.mean()),
        by_column,
        {name: float(share[i] / max(having[i], 1)) for i, name in enumerate(terms.types)},
        per_person,
    )
