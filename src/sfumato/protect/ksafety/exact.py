"""Branch and bound with budget propagation: the optimum with its proof, or a bound on it.

A blocker of a protected context is what another entity lacks of it; to be K-safe, the deleted terms must
cover K+1 blockers of every protected context, its own empty one included (Proposition 6.1 of the ERASE
paper; blockers are a multiset). A better solution than the one at hand may delete only so much, its
*budget*. So

- a blocker is a candidate only if none of its terms is kept and the rest of it fits the budget;
- with fewer than K+1 candidates for one context there is no better solution here;
- a term must go if keeping it leaves a context too few candidates;
- a term must stay if deleting it does.

Weights are made whole numbers (2^40 in all) so that sums are exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.protect.ksafety import bits
from sfumato.protect.ksafety.bits import Bools, Ints
from sfumato.protect.ksafety.core import Core
from sfumato.protect.ksafety.problem import Floats

SCARCE = 128  # contexts that are looked at term by term
ROUNDS = 60  # in which shares of a bound are raised

Costs = np.ndarray[Any, np.dtype[Any]]  # what is left of each blocker, shape (contexts, entities)


@dataclass(frozen=True, slots=True)
class Proof:
    """The best set found, and what at least must be deleted (in information)."""

    kept: Bools
    lost: float


class _Hopeless(Exception):  # noqa: N818
    """No better solution below this node."""


@dataclass(slots=True)
class _Node:
    """A part of the search: what is decided, and what is left of the blockers."""

    open: Ints  # terms not decided
    kept: Bools  # shape (n,)
    spent: int  # what the deleted terms cost
    contexts: Ints  # protected contexts not yet safe
    entities: Ints  # entities that may still be candidates
    costs: Costs  # shape (contexts, entities); `big` and near it: no candidate

    def copy(self) -> _Node:
        return _Node(
            self.open, self.kept.copy(), self.spent, self.contexts, self.entities, self.costs.copy()
        )


class Search:
    """One core with whole-number costs; `prove` looks for sets that cost less than a limit."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.price = _whole(core)
        total = int(self.price.sum())
        self.unit = float(core.weights.sum()) / total if total else 1.0
        self._kind: Any = np.uint8 if total < 127 else np.int16 if total < 2**14 else np.int64
        self._big = {np.uint8: 255, np.int16: 2**15 - 1}.get(self._kind, 2**62)
        self._lacks = ~bits.to_bools(core.columns, len(core.rows))  # shape (n, entities)
        self._steps = self._lacks * self.price.astype(self._kind)[:, None]

    def root(self) -> _Node:
        """Nothing decided."""
        core = self.core
        costs = np.zeros((len(core.protected), len(core.rows)), dtype=self._kind)
        if (self.price == 1).all():
            for w in range(core.rows.shape[1]):
                costs += np.bitwise_count(core.protected[:, w, None] & ~core.rows[:, w])
        else:
            for term in range(len(core)):
                costs[core.has[:, term]] += self._steps[term]
        whole = np.arange(len(core))
        return _Node(
            whole,
            np.ones(len(core), dtype=np.bool_),
            0,
            np.arange(len(core.protected)),
            np.arange(len(core.rows)),
            costs,
        )

    def least(self, root: _Node) -> int:
        """What must be spent at least: each context needs K+1 blockers covered, so at least the cost of
        the K+1 smallest one from its own terms. Contexts share terms; `_packing` adds up what they need."""
        need = self.core.need
        each = np.partition(root.costs, need - 1, axis=1)[:, need - 1].astype(np.float64)
        together = _packing(self.core.has, each, self.price.astype(np.float64))
        return max(int(each.max()), int(np.ceil(together * (1 - 1e-9))))

    def prove(self, root: _Node, limit: int, nodes: int) -> tuple[Bools | None, bool]:
        """A cheapest set that costs less than `limit`, or none, and whether all were looked at."""
        best: Bools | None = None
        stack = [root.copy()]
        used = 0
        while stack:
            if used >= nodes:
                return best, False
            used += 1
            node = stack.pop()
            try:
                counts = self._propagate(node, limit - 1)
            except _Hopeless:
                continue
            if not len(node.contexts):
                best, limit = node.kept, node.spent
                continue
            term = self._branch(node, counts)
            keep = node.copy()
            self._keep(keep, [term])
            self._delete(node, [term])
            stack += [keep, node]
        return best, True

    def _propagate(self, node: _Node, limit: int) -> Ints:
        """Decides what follows; gives, for the scarcest contexts and each open term, the candidates that
        are left if it is kept."""
        core = self.core
        while True:
            left = limit - node.spent
            if left < 0:
                raise _Hopeless
            candidates = node.costs <= left
            found: Ints = np.count_nonzero(candidates, axis=1)
            if (found < core.need).any():
                raise _Hopeless
            waiting = np.asarray(np.count_nonzero(node.costs == 0, axis=1) < core.need)
            if not waiting.all():
                node.contexts, node.costs = node.contexts[waiting], node.costs[waiting]
                candidates, found = candidates[waiting], found[waiting]
            if not len(node.contexts):
                return found
            useful = candidates.any(axis=0)
            if 4 * int(useful.sum()) < 3 * candidates.shape[1]:
                node.entities, node.costs = node.entities[useful], node.costs[:, useful]
                candidates = candidates[:, useful]
            # The contexts with fewest candidates decide most; the others would cost most of the time.
            scarce = np.argsort(found, kind="stable")[:SCARCE]
            has = core.has[np.ix_(node.contexts, node.open)]
            counts = self._counts(node, candidates[scarce], has[scarce])
            out = node.open[(counts < core.need).any(axis=0)]
            if len(out):
                self._delete(node, out.tolist())
                continue
            stay = self._forced_to_stay(node, left, has)
            # What is in no candidate blocker may stay: deleting it makes nothing safe.
            stay |= ~has.any(axis=0)
            if len(scarce) == len(found):
                stay |= (counts >= found[scarce][:, None]).all(axis=0)
            if not stay.any():
                return counts
            self._keep(node, node.open[stay].tolist())

    def _counts(self, node: _Node, candidates: Bools, has: Bools) -> Ints:
        """The candidates of each context that keeping each open term leaves; a term that is not in a
        context takes none from it."""
        sets = bits.from_bools(candidates)
        holding = bits.from_bools(~self._lacks[np.ix_(node.open, node.entities)])
        counts = np.full(has.shape, np.iinfo(np.int32).max, dtype=np.int64)
        for i in range(len(node.open)):
            here = has[:, i]
            counts[here, i] = bits.count(sets[here] & holding[i])
        return counts

    def _forced_to_stay(self, node: _Node, left: int, has: Bools) -> Bools:
        """The open terms that the budget does not allow to delete, since some context would then have
        too few candidates."""
        core = self.core
        price = self.price[node.open]
        stay = price > left
        for cost in np.unique(price).tolist():
            small = left - cost
            fit = np.count_nonzero(node.costs <= small, axis=1)
            for i in np.flatnonzero(fit < core.need).tolist():
                same = price == cost
                stay |= same & ~has[i]
                # Candidates that fit only because the term that goes is in them.
                edge = np.flatnonzero((node.costs[i] > small) & (node.costs[i] <= left))
                inside = np.flatnonzero(same & has[i] & ~stay)
                lacks = self._lacks[np.ix_(node.open[inside], node.entities[edge])]
                stay[inside] |= fit[i] + np.count_nonzero(lacks, axis=1) < core.need
        return stay

    def _branch(self, node: _Node, counts: Ints) -> int:
        """The open term whose keeping leaves contexts closest to having too few candidates."""
        score = ((counts - self.core.need + 1.0) ** -3).sum(axis=0)
        return int(node.open[int(score.argmax())])

    def _delete(self, node: _Node, terms: list[int]) -> None:
        for term in terms:
            rows = self.core.has[node.contexts, term]
            node.costs[rows] -= self._steps[term, node.entities]
            node.spent += int(self.price[term])
            node.kept[term] = False
        node.open = node.open[~np.isin(node.open, terms)]

    def _keep(self, node: _Node, terms: list[int]) -> None:
        for term in terms:
            rows = np.flatnonzero(self.core.has[node.contexts, term])
            lacking = np.flatnonzero(self._lacks[term, node.entities])
            node.costs[np.ix_(rows, lacking)] = self._big
        node.open = node.open[~np.isin(node.open, terms)]


def exact(core: Core, start: Bools, nodes: int) -> Proof:
    """The best set of terms to keep, looking at no more than `nodes` nodes; `start` is K-safe."""
    if not len(core):
        return Proof(start, 0.0)
    search = Search(core)
    root = search.root()
    limit = int(search.price[~start].sum())
    best, complete = search.prove(root, limit, nodes)
    kept = start if best is None else best
    limit = int(search.price[~kept].sum())
    if complete:
        return Proof(kept, float(core.weights[~kept].sum()))
    return Proof(kept, min(search.least(root), limit) * search.unit)


def _packing(has: Bools, each: Floats, price: Floats) -> float:
    """A lower bound on Σ price·x where every context needs Σ x·price ≥ `each` over its terms, x ≤ 1.

    Shares y of contexts such that no term is charged more than its price give the bound Σ y·each, by
    linear programming duality; the shares are found by raising, round after round, those of the contexts
    that ask most of the terms least charged so far.
    """
    table = has.astype(np.float64)
    shares, best = np.zeros(len(each)), 0.0
    scarce = np.ones(len(price))
    for _ in range(ROUNDS):
        asked = each / (table @ (scarce * price))
        shares += asked >= 0.97 * asked.max()
        charged = shares @ table
        best = max(best, float(shares @ each) / float(charged.max()))
        scarce = np.exp(10 * (charged / charged.max() - 1))
    return best


def _whole(core: Core) -> Ints:
    weights = core.weights
    total = float(weights.sum())
    if (weights == np.floor(weights)).all() and weights.min() > 0 and total < 2**40:
        return weights.astype(np.int64)
    # Nothing is for free: a term without information is kept where that costs none.
    return np.maximum(1, np.round(weights * (2.0**40 / total if total else 0.0))).astype(np.int64)
