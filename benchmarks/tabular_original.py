"""Partitioning by the rules of the thesis' own program, to compare losses with; not for use.

Its Mondrian adds λ to the normalised span, reduces a person to the most mentioned term of each
type, cuts numbers below their median and categories in the middle of their sorted list. Its GDF
takes the term with the highest share of its type, uses one table of terms for all branches, and
gives a partition up at the first term that does not fit.
"""

from __future__ import annotations

import numpy as np

from sfumato.protect.tables import Classes, Column, Persons
from sfumato.protect.tables.classes import numbered
from sfumato.protect.tables.segments import Floats, Ints, spread, starts_of


def favourites(table: Persons, mentions: Ints) -> Ints:
    """Each person's most mentioned term of each type, ties to the smaller id: shape (persons, types).

    `mentions` has one count for each posting. Persons without terms of a type get a value of their own.
    """
    t = table.terms
    types = len(t.types)
    kind = t.type_of[t.ids]
    order = np.lexsort((t.ids, -mentions, kind, t.owner))
    cell = (t.owner * types + kind)[order]
    first = np.unique(cell, return_index=True)[1]
    most = np.full(table.count * types, t.count, np.int64)
    most[cell[first]] = t.ids[order[first]]
    return most.reshape(table.count, types)


def _means(column: Column) -> Floats:
    """A set of values stands at its mean."""
    total = np.bincount(column.owner, column.scale[column.codes])
    return np.asarray(total / np.diff(column.indptr))


def original_mondrian(table: Persons, k: int, weight: float, mentions: Ints) -> Classes:
    relational: list[tuple[str, Floats]] = [(c.kind, _means(c)) for c in table.columns]
    textual: list[tuple[str, Floats]] = [
        ("nominal", f.astype(float)) for f in favourites(table, mentions).T
    ]
    relational = [] if weight == 0 else relational
    textual = [] if weight == 1 else textual
    columns = relational + textual if weight >= 0.5 else textual + relational
    bonus = [weight] * len(relational), [1 - weight] * len(textual)
    extra = np.array(bonus[0] + bonus[1] if weight >= 0.5 else bonus[1] + bonus[0])
    values = np.stack([v for _, v in columns], 1)
    wide = np.array([kind in ("number", "date") for kind, _ in columns])

    def spans(ordered: Floats) -> Floats:
        distinct = (ordered[1:] != ordered[:-1]).sum(0) + 1.0
        return np.asarray(np.where(wide, ordered[-1] - ordered[0], distinct))

    scale = np.maximum(spans(np.sort(values, 0)), 1e-12)
    labels, made, stack = np.zeros(table.count, np.int64), 0, [np.arange(table.count)]
    while stack:
        part = stack.pop()
        lower = None
        if len(part) >= 2 * k:
            mine = values[part]
            ordered = np.sort(mine, 0)
            for c in np.argsort(-(spans(ordered) / scale + extra), kind="stable").tolist():
                if columns[c][0] == "number":
                    cut = np.median(mine[:, c])
                else:
                    seen = np.unique(ordered[:, c])
                    cut = seen[len(seen) // 2]
                low = mine[:, c] < cut
                if k <= low.sum() <= len(part) - k:
                    lower = low
                    break
        if lower is None:
            labels[part] = made
            made += 1
        else:
            stack += [part[~lower], part[lower]]
    return Classes(numbered(labels))


def original_gdf(table: Persons, k: int) -> Classes:
    t = table.terms
    often = np.flatnonzero(np.bincount(t.ids, minlength=t.count) >= k)
    number = np.full(t.count, -1, np.int64)
    number[often] = np.arange(len(often))
    kind = t.type_of[often]
    # types with fewer distinct terms come first
    rank = np.argsort(np.argsort(np.bincount(t.type_of, minlength=len(t.types)), kind="stable"))
    left = np.zeros((table.count, len(t.types)), np.int64)
    np.add.at(left, (t.owner, t.type_of[t.ids]), 1)
    inside = number[t.ids] >= 0
    term, owner = number[t.ids[inside]], t.owner[inside]
    indptr = starts_of(np.bincount(owner, minlength=table.count))
    holders = owner[np.argsort(term, kind="stable")]
    by_term = starts_of(np.bincount(term, minlength=len(often)))
    free = np.ones(len(often), np.bool_)
    labels, made, stack = np.zeros(table.count, np.int64), 0, [np.arange(table.count)]
    while stack:
        part = stack.pop()
        while True:
            count = np.zeros(0, np.int64)
            if len(part) > k:
                places = spread(indptr[part], indptr[part + 1] - indptr[part])
                count = np.bincount(term[places], minlength=len(often))
            fit = np.flatnonzero((count >= k) & free[: len(count)])
            if len(fit) == 0:
                labels[part] = made
                made += 1
                break
            having = (left[part] > 0).sum(0)
            share = count[fit] / np.maximum(having[kind[fit]], 1)
            best = int(fit[np.lexsort((fit, rank[kind[fit]], -share))[0]])
            people = holders[by_term[best] : by_term[best + 1]]
            has = np.isin(part, people)
            lacking = int((~has).sum())
            if 0 < lacking < k:
                labels[part] = made
                made += 1
                break
            free[best] = False
            left[people, kind[best]] -= 1
            if lacking:
                stack.append(part[~has])
                part = part[has]
    return Classes(numbered(labels))
