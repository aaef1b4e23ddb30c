"""The paper's heuristics: LUB_Search (Algorithm 4) with a greedy search, MStep (5) or Top_Down (6).

The paper's bound on their error (Theorem 2) holds only if a rung never adds more than σ bits, which WordNet
does not keep, so the bound that is reported is the relaxation's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError
from sfumato.protect.plausibility.problem import (
    COST_TOLERANCE,
    NEAR,
    Floats,
    Problem,
    Solution,
    solution,
)
from sfumato.protect.plausibility.relaxation import relax


def least_upper_bound(problem: Problem) -> list[int]:
    """Algorithm 4, lines 1-3: every term on the lowest rung that hides its share of log2 t.

    A ladder that ends below its share gives its widest rung. Where the text is then not t-plausible, the
    term whose next step costs least is raised until it is. Positions in `problem.rungs`.

    >>> least_upper_bound(Problem([[1, 2], [1, 8, 1024]], t=64))
    [1, 2]
    """
    if problem.probabilities is None and problem.weights is None:
        share = _root(problem.t, problem.size)  # in whole numbers: volume^m ≥ t
        start = [
            next((j for j, v in enumerate(ladder) if v >= share), len(ladder) - 1)
            for ladder in problem.ladders
        ]
    else:
        high_enough = problem.table >= problem.shares[:, None] - COST_TOLERANCE
        ends = np.array([len(order) - 1 for order in problem.rungs])
        start = np.minimum(high_enough.argmax(axis=1), ends).tolist()
    climb = _Climb(problem, start)
    while not problem.reaches(problem.levels(climb.positions.tolist())):
        climb.step(int(np.argmin(climb.costs(+1)[0])), +1)
    return [int(j) for j in climb.positions]


def top_down(problem: Problem) -> Solution:
    """Algorithms 4 and 6: go down one rung at a time, where it lowers the cost most, while it does.

    >>> top_down(Problem([[1, 4, 32], [1, 2, 6], [1, 2], [1, 2]], t=32)).levels
    (1, 1, 1, 1)
    """
    climb = _Climb(problem, least_upper_bound(problem))
    while True:
        costs, slack = climb.costs(-1)
        costs[(slack < -NEAR) | (costs >= climb.cost - 1e-15)] = np.inf
        term = int(np.argmin(costs))
        # Rounding cannot tell whether the text still reaches t: count.
        while costs[term] < np.inf and slack[term] <= NEAR:
            climb.step(term, -1)
            reaches = problem.reaches(problem.levels(climb.positions.tolist()))
            climb.step(term, +1)
            if reaches:
                break
            costs[term] = np.inf
            term = int(np.argmin(costs))
        if costs[term] == np.inf:
            return _finish(problem, climb.positions.tolist())
        climb.step(term, -1)


def mstep(problem: Problem, delta: int = 2) -> Solution:
    """Algorithms 4 and 5: the best text within `delta` (δ) steps up or down of the start.

    Several steps may be on one term.

    >>> mstep(Problem([[1, 4, 32], [1, 2, 6], [1, 2], [1, 2]], t=32), delta=1).levels
    (1, 1, 1, 1)
    """
    if delta < 0:
        raise InputError(f"delta={delta}: must be at least 0")
    start = least_upper_bound(problem)
    m, share = problem.size, problem.global_share
    weight, local = share / m**2, (1 - share) / m
    shares = problem.shares.tolist()
    rows = [
        [(row[j], local * (row[j] - wanted) ** 2) for j in order]
        for row, order, wanted in zip(problem.bits, problem.rungs, shares, strict=True)
    ]
    positions = list(start)
    best_positions = list(start)
    slack = sum(rows[i][j][0] for i, j in enumerate(start)) - problem.log_t
    apart = sum(rows[i][j][1] for i, j in enumerate(start))
    best = weight * slack**2 + apart

    def deviate(first: int, left: int, slack: float, apart: float) -> None:
        nonlocal best, best_positions
        for i in range(first, m):
            row, here = rows[i], positions[i]
            bits, deviation = row[here]
            for there in range(max(0, here - left), min(len(row), here + left + 1)):
                if there == here:
                    continue
                positions[i] = there
                new_slack = slack - bits + row[there][0]
                new_apart = apart - deviation + row[there][1]
                cost = weight * new_slack**2 + new_apart
                if cost < best and new_slack >= -NEAR:
                    near = new_slack <= NEAR
                    if not near or problem.reaches(problem.levels(positions)):
                        best, best_positions = cost, list(positions)
                rest = left - abs(there - here)
                if rest:
                    deviate(i + 1, rest, new_slack, new_apart)
            positions[i] = here

    if best > 0 and delta:
        deviate(0, delta, slack, apart)
    return _finish(problem, best_positions)


class _Climb:
    """A text, and what one step of each of its terms would make of its cost."""

    def __init__(self, problem: Problem, positions: list[int]) -> None:
        self.problem = problem
        self.positions: NDArray[np.intp] = np.array(positions, dtype=np.intp)
        self.rows = np.arange(problem.size)
        self.weight = problem.global_share / problem.size**2
        self.local = (1 - problem.global_share) / problem.size
        edge = np.full((problem.size, 1), np.inf)
        self.table = np.hstack((edge, problem.table, edge))  # shifted: no rung below the first
        self.bits = self.table[self.rows, self.positions + 1]

    @property
    def cost(self) -> float:
        slack = float(self.bits.sum()) - self.problem.log_t
        apart = float(((self.bits - self.problem.shares) ** 2).sum())
        return self.weight * slack * slack + self.local * apart

    def costs(self, direction: int) -> tuple[Floats, Floats]:
        """The cost and the slack after one step of each term: both (m,) float64, infinite where it cannot."""
        there = self.table[self.rows, self.positions + 1 + direction]
        can = np.isfinite(there)
        moved = np.where(can, there, self.bits)
        shares = self.problem.shares
        slack = float(self.bits.sum()) - self.problem.log_t
        slacks = slack - self.bits + moved
        deviation = (self.bits - shares) ** 2
        aparts = float(deviation.sum()) - deviation + (moved - shares) ** 2
        costs = self.weight * slacks * slacks + self.local * aparts
        return np.where(can, costs, np.inf), np.where(can, slacks, np.inf)

    def step(self, term: int, direction: int) -> None:
        self.positions[term] += direction
        self.bits[term] = self.table[term, self.positions[term] + 1]


def _finish(problem: Problem, positions: list[int]) -> Solution:
    return solution(problem, problem.levels(positions), bound=relax(problem).bound)


def _root(number: int, degree: int) -> int:
    """The smallest integer whose power is at least the number.

    >>> _root(32, 4), _root(81, 4), _root(1, 3)
    (3, 3, 1)
    """
    low, high = 1, 1 << (-(-number.bit_length() // degree))
    while low < high:
        middle = (low + high) // 2
        if middle**degree >= number:
            high = middle
        else:
            low = middle + 1
    return low
