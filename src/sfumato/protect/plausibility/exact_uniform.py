"""The uniform problem, Definition 4, to proven optimality.

After the relaxation, the cost of a text is the bound plus, for every term that leaves its best rung, a known
amount, plus what the final slack costs (`relaxation.py`). So only few terms can leave theirs: those whose
amount is below the gap between the bound and the best text known. They are added one by one, cheapest first,
to the set of all partial choices that can still win: (slack, amount) pairs, of which those that another one
beats whatever follows are dropped. The gap is guessed small and widened until a text is found within it,
which proves that text: every choice that costs less has been looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.protect.plausibility.problem import (
    COST_TOLERANCE,
    NEAR,
    Floats,
    Problem,
    Solution,
    solution,
)
from sfumato.protect.plausibility.relaxation import Relaxation, relax

Indices = NDArray[np.intp]

WIDENING = 4.0  # how the guessed gap grows
FIRST_TERMS = 8  # the first guess lets so many terms leave their rung
CHUNK = 1 << 17  # more partial choices are worked off in pieces, so that memory stays small
FEW = 64  # below this, looking for beaten choices costs more than it saves
# Counts of texts modulo two primes below 2^31 tell them apart where their bits are too near each other.
PRIMES = np.array([2_147_483_629, 2_147_483_587], dtype=np.int64)


class _OutOfBudgetError(Exception):
    """The search has made as many partial choices as it may."""


class _TooNearError(Exception):
    """Two counts of texts cannot be told apart by their bits."""


@dataclass(frozen=True, eq=False)
class _Layer:
    """Partial choices after some terms were decided.

    `slack` and `amount` are (n,) float64, `prints` (2, n) int64 are counts of texts modulo `PRIMES`.
    `origin` and `rung` (both (n,) intp) say from which choice of the layer before each one came and
    which rung (-1: its best one) it gave to `term`.
    """

    slack: Floats
    amount: Floats
    prints: NDArray[np.int64] | None
    before: _Layer | None = None
    term: int = -1
    origin: Indices | None = None
    rung: Indices | None = None

    def take(self, keep: Indices | NDArray[np.bool_]) -> _Layer:
        assert self.origin is not None
        assert self.rung is not None
        prints = None if self.prints is None else self.prints[:, keep]
        return _Layer(
            self.slack[keep], self.amount[keep], prints, self.before, self.term,
            self.origin[keep], self.rung[keep],
        )  # fmt: skip

    def positions(self, at: int, best: Indices) -> list[int]:
        """The rung of every term in one of the choices."""
        made: list[int] = best.tolist()
        layer: _Layer = self
        while layer.before is not None and layer.origin is not None and layer.rung is not None:
            if layer.rung[at] >= 0:
                made[layer.term] = int(layer.rung[at])
            at, layer = int(layer.origin[at]), layer.before
        return made


def exact_uniform(problem: Problem, budget: int | None = None) -> Solution:
    """The least cost of eq. 1; after `budget` partial choices the best found, with a bound.

    >>> exact_uniform(Problem([[1, 4, 32], [1, 2, 6], [1, 2], [1, 2]], t=32)).levels
    (1, 1, 1, 1)
    """
    relaxed = relax(problem)
    start = problem.levels(relaxed.above.tolist())
    if not problem.reaches(start):  # the sum of the bits rounded up over log2 t
        start = problem.widest
    alone = problem.levels(relaxed.positions.tolist())
    if problem.reaches(alone) and problem.cost(alone) < problem.cost(start):
        start = alone
    first = solution(problem, start, bound=relaxed.bound)
    if first.proven:
        return first
    try:
        search = _Search(problem, relaxed, first, budget, exact_sums=False)
        return search.run()
    except _TooNearError:
        return _Search(problem, relaxed, first, budget, exact_sums=True).run()


class _Search:
    """Owns the best text so far and the budget."""

    def __init__(
        self,
        problem: Problem,
        relaxed: Relaxation,
        first: Solution,
        budget: int | None,
        *,
        exact_sums: bool,
    ) -> None:
        self.problem, self.relaxed = problem, relaxed
        self.levels = first.levels
        self.tolerance = COST_TOLERANCE * (1 + first.cost) / 4
        self.gap = first.cost - relaxed.bound  # what the best text costs beyond the bound
        self.left = budget
        self.exact_sums = exact_sums
        self.short: set[tuple[int, ...]] = set()  # prints of counts just below t
        self._order_terms()

    def _order_terms(self) -> None:
        """Terms by the least amount for leaving their rung, and what a bit costs from there on."""
        reduced, m = self.relaxed.reduced, self.problem.size
        away = reduced.copy()
        rows = np.arange(m)
        away[rows, self.relaxed.positions] = np.inf
        least = away.min(axis=1)
        self.order = np.argsort(least, kind="stable")
        self.least = least[self.order]
        table = self.problem.table
        moved = table - table[rows, self.relaxed.positions][:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            rate = np.where(np.isfinite(away), away / np.abs(moved), np.inf)
        up = np.where(moved > 0, rate, np.inf).min(axis=1)[self.order]
        down = np.where(moved < 0, rate, np.inf).min(axis=1)[self.order]
        ends = np.array([np.inf])
        self.up = np.concatenate((np.minimum.accumulate(up[::-1])[::-1], ends)).tolist()
        self.down = np.concatenate((np.minimum.accumulate(down[::-1])[::-1], ends)).tolist()
        self.away, self.moved = away, moved

    def run(self) -> Solution:
        bound = self.relaxed.bound
        guess = float(self.least[min(FIRST_TERMS, len(self.least) - 1)])
        guess = min(max(guess, self.gap * 1e-6, self.tolerance), self.gap)
        try:
            while True:
                whole = self.gap
                if self._within(min(guess, whole)) or guess >= whole:
                    return solution(self.problem, self.levels, bound=bound, proven=True)
                bound = self.relaxed.bound + guess - self.tolerance
                guess *= WIDENING
        except _OutOfBudgetError:
            return solution(self.problem, self.levels, bound=bound)

    def _within(self, gap: float) -> bool:
        """Looks at all texts that cost less than the bound plus `gap`; whether one was found."""
        self.limit = gap - self.tolerance
        self.found = False
        prints = np.ones((2, 1), dtype=np.int64) if self.exact_sums else None
        todo = [(0, _Layer(np.array([self.relaxed.slack]), np.zeros(1), prints))]
        while todo:
            depth, layer = todo.pop()
            while depth < len(self.order) and self.least[depth] < self.limit and len(layer.slack):
                layer = self._decide(layer, depth)
                depth += 1
                if len(layer.slack) > CHUNK:
                    todo.extend((depth, piece) for piece in self._pieces(layer))
                    break
        return self.found

    def _decide(self, layer: _Layer, depth: int) -> _Layer:
        """All choices of a layer with every rung that the next term may take."""
        term = int(self.order[depth])
        rungs = np.flatnonzero(self.away[term] < self.limit)
        moved, amounts = self.moved[term, rungs], self.away[term, rungs]
        n, k = len(layer.slack), len(rungs)
        slack = np.concatenate((layer.slack, np.add.outer(moved, layer.slack).ravel()))
        amount = np.concatenate((layer.amount, np.add.outer(amounts, layer.amount).ravel()))
        if self.left is not None:
            self.left -= n * k
            if self.left < 0:
                raise _OutOfBudgetError
        prints = None
        if layer.prints is not None:
            prints = np.hstack((layer.prints, self._prints(layer.prints, term, rungs)))
        here = np.arange(n)
        grown = _Layer(
            slack, amount, prints, layer, term,
            np.tile(here, k + 1), np.repeat(np.concatenate(([-1], rungs)), n),
        )  # fmt: skip
        self._look(grown, n)
        kept = amount + self._still_to_pay(slack, depth + 1) < self.limit
        grown = grown.take(np.flatnonzero(kept))
        return grown if len(grown.slack) < FEW else self._unbeaten(grown)

    def _look(self, layer: _Layer, begin: int) -> None:
        """Takes the best t-plausible choice of those that are new, if it beats the best so far."""
        slack = layer.slack[begin:]
        total = layer.amount[begin:] + self.relaxed.overshoot(np.maximum(slack, 0.0))
        better = np.flatnonzero((slack >= -NEAR) & (total < self.limit))
        if not len(better):
            return
        for at in better[np.argsort(total[better], kind="stable")].tolist():
            surely = slack[at] > NEAR
            known = () if layer.prints is None else tuple(layer.prints[:, begin + at].tolist())
            if not surely and known in self.short:
                continue
            levels = self.problem.levels(layer.positions(begin + at, self.relaxed.positions))
            if surely or self.problem.reaches(levels):
                self.levels, self.found = levels, True
                self.gap = float(total[at])
                self.limit = self.gap - self.tolerance
                return
            if not known:
                raise _TooNearError
            if self.problem.probabilities is None:
                self.short.add(known)

    def _still_to_pay(self, slack: Floats, depth: int) -> Floats:
        """The least that the terms from `depth` on and the final slack can add.

        Bits cost at least `up` each to add and `down` each to take away, and the overshoot is convex, so
        the best is to go towards the goal until the overshoot grows slower than that.
        """
        relaxed = self.relaxed
        weight, slope = relaxed.weight, relaxed.slope
        up, down = self.up[depth], self.down[depth]
        beyond = slack - relaxed.goal
        far = np.maximum(beyond, 0.0)
        if weight:
            stay = np.minimum(far, max(0.0, (down - slope) / (2 * weight)))
        else:
            stay = far if down > slope else np.zeros_like(far)
        least = weight * stay * stay + slope * stay
        if down < np.inf:
            least += down * (far - stay)
        short = np.maximum(-beyond, 0.0)
        if relaxed.goal:
            stay = np.minimum(short, up / (2 * weight))
            least += weight * stay * stay
            short -= stay
        elif up == np.inf:
            short = np.where(short > NEAR, short, 0.0)
        if up < np.inf:
            least += up * short
        else:
            least[short > 0] = np.inf
        return least

    def _unbeaten(self, layer: _Layer) -> _Layer:
        """The choices that no other one beats whatever the other terms do.

        A choice with more bits reaches t wherever the other does, and its overshoot is larger by at most
        `dearest` per bit, so it beats the other if its amount is smaller by that. The other ends within
        the limit or does not matter, which bounds its final slack and so `dearest`.
        """
        relaxed = self.relaxed
        weight, slope = relaxed.weight, relaxed.slope
        order = np.argsort(-layer.slack, kind="stable")
        slack, amount = layer.slack[order], layer.amount[order]
        span = float(slack[0] - slack[-1])
        if weight:
            room = max(0.0, self.limit)
            end = (np.sqrt(slope * slope + 4 * weight * room) - slope) / (2 * weight)
            dearest = slope + weight * (2 * float(end) + span)
        else:
            dearest = slope
        price = amount + dearest * slack
        cheapest = np.minimum.accumulate(price)
        blur = 1e-15 * (1 + abs(float(cheapest[-1])))
        if layer.prints is None:
            kept = np.ones(len(order), dtype=np.bool_)
            kept[1:] = price[1:] < cheapest[:-1] - blur
            return layer.take(order[kept])
        # Sums that rounding may have confused are compared by their prints alone.
        surely = np.searchsorted(-slack, -slack - NEAR, side="right")
        kept = (surely == 0) | (price < cheapest[np.maximum(surely - 1, 0)] - blur)
        order = order[kept]
        near = np.floor(layer.slack[order] / (4 * NEAR)).astype(np.int64)
        keys = np.vstack((layer.prints[:, order], near))
        same = np.lexsort((layer.amount[order], *keys))
        keys = keys[:, same]
        first = np.concatenate(([True], (keys[:, 1:] != keys[:, :-1]).any(axis=0)))
        return layer.take(order[np.sort(same[first])])

    def _pieces(self, layer: _Layer) -> Iterator[_Layer]:
        """A layer in pieces, those with the smallest amounts last: they are worked off first."""
        order = np.argsort(-layer.amount, kind="stable")
        for begin in range(0, len(order), CHUNK // 8):
            yield layer.take(order[begin : begin + CHUNK // 8])

    def _prints(self, prints: NDArray[np.int64], term: int, rungs: Indices) -> NDArray[np.int64]:
        """Prints after a term moved from its best rung to each of some others.

        They count relative to the relaxation's rungs, so that any two of them can be compared.
        """
        ladder = [self.problem.ladders[term][level] for level in self.problem.rungs[term]]
        best = ladder[int(self.relaxed.positions[term])]
        made = np.empty((2, len(rungs), prints.shape[1]), dtype=np.int64)
        for row, prime in enumerate(PRIMES.tolist()):
            undo = pow(best % prime or 1, -1, prime)
            factors = [(ladder[j] % prime or 1) * undo % prime for j in rungs.tolist()]
            made[row] = np.outer(np.array(factors, dtype=np.int64), prints[row]) % prime
        return made.reshape(2, -1)
