"""The greedy searches of section 6 of the ERASE paper: delete the highest-scoring term until it is safe.

A blocker of a protected context is what another entity lacks of it (`exact` says more). A term scores by
the blockers that have it and are not yet covered:

- `bfreq` counts them;
- `bsize` lets each count 1/|b|, where |b| is what is left of it;
- `btop` does so for contexts that are not safe yet, and of each only for the K smallest blockers that have
  the term.

Ties go to the term that comes first in the document. Where terms carry weights, a score is divided by the
term's weight. Contexts that are safe from the start, and equal ones, are left out (see `core`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sfumato.protect.ksafety import bits
from sfumato.protect.ksafety.bits import Bools, Ints
from sfumato.protect.ksafety.core import Core
from sfumato.protect.ksafety.problem import Floats

FIRST = 4  # times K+1 blockers are looked at first by the fast search
Sizes = np.ndarray[Any, np.dtype[np.int16]]


class _Blockers:
    """What is left of every blocker while terms are deleted."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.kept = np.ones(len(core), dtype=np.bool_)
        self.lacks = ~bits.to_bools(core.columns, len(core.rows))  # shape (n, entities)
        self.sizes: Sizes = np.zeros((len(core.protected), len(core.rows)), dtype=np.int16)
        for w in range(core.rows.shape[1]):
            self.sizes += np.bitwise_count(core.protected[:, w, None] & ~core.rows[:, w])
        self.unsafe: Bools = np.ones(len(core.protected), dtype=np.bool_)

    def delete(self, term: int) -> Ints:
        """Deletes a term; gives the contexts that had it and are still not safe."""
        self.kept[term] = False
        having = np.flatnonzero(self.core.has[:, term] & self.unsafe)
        self.sizes[having] -= self.lacks[term]
        covered = np.count_nonzero(self.sizes[having] == 0, axis=1)
        self.unsafe[having] = covered < self.core.need
        return having[self.unsafe[having]]

    def best(self, score: Floats) -> int:
        """The kept term with the highest score for its weight."""
        worth = np.round(score / np.maximum(self.core.weights, 1e-12), 9)
        return int(np.where(self.kept, worth, -1.0).argmax())

    def scores(self, context: int, first: int) -> Floats:
        """The scores of a context's terms by its K smallest blockers with each of them; at first only
        the `first` smallest blockers are looked at, and more if these are too few for some term."""
        terms = np.flatnonzero(self.core.has[context] & self.kept)
        sizes = self.sizes[context]
        order = np.argsort(sizes, kind="stable")
        order = order[np.searchsorted(sizes[order], 1) :]  # covered ones count no more
        while True:
            near = order[:first]
            rank = np.cumsum(self.lacks[terms[:, None], near], axis=1, dtype=np.int32)
            if len(near) == len(order) or (rank[:, -1] >= self.core.need - 1).all():
                break
            first *= 2
        counts = self.lacks[terms[:, None], near] & (rank <= self.core.need - 1)
        made = np.zeros(len(self.core))
        made[terms] = np.where(counts, 1.0 / sizes[near], 0.0).sum(axis=1)
        return made


def bfreq(core: Core) -> Bools:
    """Deletes the terms that are in most blockers. Scores never change, so neither does the order, and
    how many must go is found by halving."""
    score = core.has.sum(axis=0) * (len(core.rows) - bits.count(core.columns)).astype(np.float64)
    order = np.lexsort((np.arange(len(core)), -score / np.maximum(core.weights, 1e-12)))
    few, many = 0, len(core)
    while few < many:
        middle = (few + many) // 2
        if core.is_safe(_without(core, order[:middle])):
            many = middle
        else:
            few = middle + 1
    return _without(core, order[:many])


def _without(core: Core, deleted: Ints) -> Bools:
    kept = np.ones(len(core), dtype=np.bool_)
    kept[deleted] = False
    return kept


def bsize(core: Core) -> Bools:
    """Deletes the terms that are in many small blockers."""
    state = _Blockers(core)
    # All contexts count to the end, safe or not: that is what sets this score apart from the next.
    always = np.ones(len(core.protected), dtype=np.bool_)
    waiting = len(core.protected) > 0
    while waiting:
        share = np.divide(1.0, state.sizes, where=state.sizes > 0, out=np.zeros(state.sizes.shape))
        term = state.best(np.where(core.has, share @ state.lacks.T, 0.0).sum(axis=0))
        safe = state.unsafe.copy()
        state.unsafe = always.copy()
        state.delete(term)
        state.unsafe &= safe
        waiting = bool(state.unsafe.any())
    return state.kept


def btop_naive(core: Core) -> Bools:
    """BTop with all blockers of all contexts looked at for every deletion."""
    state = _Blockers(core)
    while state.unsafe.any():
        contexts = np.flatnonzero(state.unsafe).tolist()
        state.delete(state.best(_total(core, [state.scores(p, len(core.rows)) for p in contexts])))
    return state.kept


def btop(core: Core, work: int | None = None) -> Bools | None:
    """BTop with two shortcuts that change no score: only contexts that had the last deleted term are
    scored anew, and large blockers are not looked at before the small ones are too few.

    With `work` it gives up, and returns nothing, once more than so many contexts were scored.
    """
    if work is not None and len(core.protected) > work:
        return None
    state = _Blockers(core)
    table = np.zeros(core.has.shape)
    changed = np.arange(len(core.protected))
    done = 0
    while state.unsafe.any():
        done += len(changed)
        if work is not None and done > work:
            return None
        for context in changed.tolist():
            table[context] = state.scores(context, FIRST * core.need)
        changed = state.delete(state.best(_total(core, list(table[state.unsafe]))))
    return state.kept


def _total(core: Core, scores: list[Floats]) -> Floats:
    return np.sum(scores, axis=0) if scores else np.zeros(len(core))
