"""How many entities have all terms of a set: the one question that K-safety asks, for many sets at once."""

from __future__ import annotations

import numpy as np

from sfumato.protect.ksafety import bits
from sfumato.protect.ksafety.bits import Bools, Ints, Words

LARGE = 1 << 9  # words of a column from which the rows with a set's rarest term are looked at alone


def enough_hold(
    rows: Words, columns: Words, masks: Words, need: int, counts: Ints | None = None
) -> Bools:
    """Whether at least `need` entities have all terms of each mask.

    `rows` are distinct contexts, `columns` the same transposed, `counts` how many entities each row stands
    for (1 if not given). All masks have a term.
    """
    found = np.zeros(len(masks), dtype=np.bool_)
    if columns.shape[1] < LARGE or not len(masks):
        for run, sets in bits.holders(columns, masks):
            found[run] = _enough(sets, need, counts)
        return found
    often = bits.count(columns)
    table = bits.to_bools(masks, len(columns))
    rank = np.empty(len(columns), dtype=np.int64)
    order = np.argsort(often, kind="stable")
    rank[order] = np.arange(len(columns))
    rarest = order[np.where(table, rank, len(columns)).min(axis=1)]
    for term in np.unique(rarest).tolist():
        group = np.flatnonzero(rarest == term)
        # Sets over all rows cost (masks × words of a column), making a narrow table (rows × terms).
        if len(group) * columns.shape[1] < 16 * int(often[term]):
            for run, sets in bits.holders(columns, masks[group]):
                found[group[run]] = _enough(sets, need, counts)
            continue
        having = np.flatnonzero(bits.to_bools(columns[term][None], len(rows))[0])
        narrow = bits.transpose(rows[having], len(columns))
        weights = None if counts is None else counts[having]
        for run, sets in bits.holders(narrow, masks[group]):
            found[group[run]] = _enough(sets, need, weights)
    return found


def _enough(sets: Words, need: int, counts: Ints | None) -> Bools:
    # Every row stands for an entity at least, so that many rows need no look at the counts.
    found = bits.count(sets) >= need
    if counts is not None:
        for i in np.flatnonzero(~found).tolist():
            found[i] = int(counts[bits.positions(sets[i])].sum()) >= need
    return found
