"""What is left to decide of a problem once the easy part is done (section 6.2 of the ERASE paper).

- A term in no protected context stays: it tells nothing of a protected entity.
- A term of a protected context that at most K entities have must go.
- A protected entity that is safe with all other terms left is safe with fewer, and one whose context lies
  within another protected context is safe whenever that one is: neither needs a look.
- What then is in no context of those that do need one stays.

Entities that are equal on the remaining terms are merged; a class of more than K entities is as good as
K+1 of them. So the core has plain entities, each counting once, and a set is safe for a protected context
if at least `need` = K+1 of them hold it (the protected entity itself is one).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sfumato.protect.ksafety import bits, support
from sfumato.protect.ksafety.bits import Bools, Ints, Words
from sfumato.protect.ksafety.problem import Floats, Problem, Solution


@dataclass(frozen=True, eq=False)
class Core:
    """The undecided part of a problem; its terms and entities are numbered anew."""

    problem: Problem
    terms: Ints  # shape (n,): positions in the document, ascending
    gone: Ints  # positions in the document of the terms that must go whatever else is done
    rows: Words  # shape (entities, words): contexts on the n terms
    protected: Words  # shape (protected, words): the contexts that need a look
    weights: Floats  # shape (n,)
    need: int  # entities that must hold what is left of a protected context, itself included

    def __len__(self) -> int:
        return len(self.terms)

    @cached_property
    def columns(self) -> Words:
        """Shape (n, words): the entities that have each term."""
        return bits.transpose(self.rows, len(self))

    @cached_property
    def has(self) -> Bools:
        """Shape (protected, n): the terms of each protected context."""
        return bits.to_bools(self.protected, len(self))

    @cached_property
    def entities(self) -> Words:
        """Shape (words,): all entities, as a set."""
        every: Words = bits.from_bools(np.ones((1, len(self.rows)), dtype=np.bool_))[0]
        return every

    @property
    def work(self) -> int:
        """How many words a table of protected contexts by sets of entities has."""
        return len(self.protected) * bits.width(len(self.rows))

    def supports(self, kept: Bools) -> Words:
        """Shape (protected, words): the entities that hold what `kept` leaves of each protected context."""
        sets = np.broadcast_to(self.entities, (len(self.protected), len(self.entities))).copy()
        for term in np.flatnonzero(kept).tolist():
            sets[self.has[:, term]] &= self.columns[term]
        return sets

    def is_safe(self, kept: Bools) -> bool:
        """Whether this part of the terms is K-safe."""
        return bool(self.enough_hold(self.protected & bits.from_bools(kept[None])).all())

    def enough_hold(self, masks: Words) -> Bools:
        """Whether enough entities have all terms of each mask, shape (masks, words)."""
        distinct, which = bits.merge(masks)
        found = np.ones(len(distinct), dtype=np.bool_)
        some = np.flatnonzero(distinct.any(axis=1))
        found[some] = support.enough_hold(self.rows, self.columns, distinct[some], self.need)
        return found[which]

    def value(self, kept: Bools) -> float:
        """The information that these terms of the core keep."""
        return float(self.weights[kept].sum())

    def solution(self, kept: Bools, bound: float | None = None) -> Solution:
        """A solution of the whole problem from one of the core; `bound` is on the core's information."""
        deleted = self.deleted(kept)
        if bound is None:
            bound = float(self.weights.sum())
        outside = float(self.problem.weights.sum() - self.problem.weights[self.gone].sum())
        return self.problem.solution(deleted, outside - float(self.weights.sum()) + bound)

    def deleted(self, kept: Bools) -> Collection[int]:
        """The positions in the document that go."""
        return [*self.gone.tolist(), *self.terms[~kept].tolist()]


def reduce(problem: Problem) -> Core:
    """The core of a problem.

    >>> problem = Problem([["a", "b"], ["a"], ["b"], ["c"]], [0], ["a", "b", "c", "d"], k=1)
    >>> reduce(problem).terms.tolist()
    [0, 1]
    """
    size = len(problem.document)
    contexts = problem.rows[problem.protected]
    union = np.bitwise_or.reduce(contexts, axis=0, initial=np.uint64(0))
    in_protected = bits.to_bools(union[None], size)[0]
    alone = bits.from_bools(np.eye(size, dtype=np.bool_))
    gone = in_protected & ~problem.enough_hold(alone)
    contexts = bits.merge(contexts & ~bits.from_bools(gone[None]))[0]
    # One term alone is in more than K contexts by now, and none is in all of them.
    contexts = contexts[bits.count(contexts) > 1]
    contexts = _maximal(contexts[~problem.enough_hold(contexts)], size)
    union = np.bitwise_or.reduce(contexts, axis=0, initial=np.uint64(0))
    terms = np.flatnonzero(bits.to_bools(union[None], size)[0])
    if not len(terms):
        rows = np.zeros((0, 1), dtype=np.uint64)
    elif len(terms) == size:
        rows = np.repeat(problem.rows, np.minimum(problem.counts, problem.k + 1), axis=0)
    else:
        rows = _rows(problem, terms)
        contexts = bits.from_bools(bits.to_bools(contexts, size)[:, terms])
    if not len(terms):
        contexts = rows
    return Core(
        problem=problem,
        terms=terms,
        gone=np.flatnonzero(gone),
        rows=rows,
        protected=contexts,
        weights=problem.weights[terms],
        need=problem.k + 1,
    )


def _rows(problem: Problem, terms: Ints) -> Words:
    """Contexts on some terms, equal ones up to K+1 times."""
    narrow = bits.transpose(problem.columns[terms], len(problem.rows))
    filled = narrow.any(axis=1)
    distinct, which = bits.merge(narrow[filled])
    counts = np.bincount(which, weights=problem.counts[filled], minlength=len(distinct))
    rows = np.repeat(distinct, np.minimum(counts, problem.k + 1).astype(np.int64), axis=0)
    empty = min(problem.k + 1, int(problem.counts[~filled].sum()))
    return np.concatenate([rows, np.zeros((empty, rows.shape[1]), dtype=np.uint64)])


def _maximal(contexts: Words, size: int) -> Words:
    """The contexts that lie within no other, largest first; all are distinct."""
    contexts = contexts[np.argsort(-bits.count(contexts), kind="stable")]
    columns = bits.transpose(contexts, size)
    return contexts[~support.enough_hold(contexts, columns, contexts, 2)]
