"""Definition 3 to proven optimality: the smallest product of one volume per ladder that is at least t.

Three ways, by what the instance allows.

1. Few choices: the products of one half of the ladders are kept sorted, and each product of the other half
   finds its partner there by bisection.
2. Many choices: products lie so densely that trying t, t+1, … soon meets one (`smooth.py`).
3. Neither: both in turn, each time for twice as long. The other half's products are made piece by piece and
   the numbers from t on end at the best product known, so it always ends, only maybe not soon; the
   first number not tried is the bound until then.

With probabilities the same is done with sums of bits instead of products, by the first and third way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.protect.plausibility.problem import (
    ENTROPY_TOLERANCE,
    Levels,
    Problem,
    Solution,
    excess_bits,
    solution,
)
from sfumato.protect.plausibility.smooth import first_product

Values = NDArray[Any]  # int64, object (Python integers) where those are too small, or float64

FEW_CHOICES = 1 << 32  # up to so many texts, both halves are small
HALF = 1 << 16  # as many products are kept sorted
CHUNK = 1 << 17  # as many products of the other half are made at once
STEPS = 1 << 23  # as many counts from t on are tried, at first
CHEAPER = 128  # trying a count costs that much less than making a product


def exact_count(problem: Problem, budget: int | None = None) -> Solution:
    """The least |D(d̄)| ≥ t; after `budget` steps the best found, with a bound.

    A step is one product looked at, or one number tried.

    >>> exact_count(Problem([[1, 4, 32], [1, 2, 6], [1, 2], [1, 2]], t=48, uniform=False)).plausible_texts
    48
    """
    halves = _Halves(problem)
    untried = problem.t
    left = math.inf if budget is None else budget
    dense = problem.probabilities is None and halves.choices > FEW_CHOICES
    if halves.best <= halves.stop_at:
        return solution(problem, halves.levels, proven=True)
    steps = STEPS
    while left > 0:
        if dense:
            tried = min(steps, halves.best - untried, left)
            met = first_product(problem.ladders, untried, int(tried))
            if not isinstance(met, int):
                return solution(problem, met[0], proven=True)
            left -= tried
            halves.stop_at = untried = met
        made = min(steps // CHEAPER, left) if dense else left
        if halves.advance(made):
            return solution(problem, halves.levels, proven=True)
        left -= made
        steps *= 2
    bound = (excess_bits(untried, problem.t) / problem.size) ** 2
    return solution(problem, halves.levels, bound=bound)


@dataclass(frozen=True, eq=False)
class _Part:
    """All values that the first ladders of an order can make, ascending, and where they came from."""

    values: Values
    before: _Part | None = None


class _Halves:
    """Owns the best choice so far and the budget. Values are products, or sums of bits."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.sums = problem.probabilities is not None
        self.target: Any = problem.log_t - ENTROPY_TOLERANCE if self.sums else problem.t
        self.stop_at: Any = self.target
        self.levels: Levels = problem.widest
        self.best: Any = (
            problem.entropy(self.levels) if self.sums else problem.plausible_texts(self.levels)
        )
        rows = problem.bits if self.sums else problem.ladders
        self._first_choice(rows)
        numbers = [[row[j] for j in order] for row, order in zip(rows, problem.rungs, strict=True)]
        kept = [[x for x in row if x < self.best] or row[:1] for row in numbers]
        kind: Any = np.float64 if self.sums else np.int64 if self.best < 2**62 else object
        self.options = [np.array(row, dtype=kind) for row in kept]
        self.one = np.array([0.0 if self.sums else 1], dtype=kind)
        self.choices = math.prod(map(len, self.options))
        self.todo: list[tuple[int, _Part]] | None = None

    # Products or sums

    def _join(self, values: Values, option: Any) -> Values:
        """Ascending values with one more option, those that beat the best: so none can overflow."""
        if self.sums:
            joined: Values = values + option
            return joined[: np.searchsorted(joined, self.best)]
        product: Values = values[: np.searchsorted(values, -(-self.best // option))] * option
        return product

    def _missing(self, values: Values) -> Values:
        """What each value needs to reach the target."""
        missing: Values = self.target - values if self.sums else -(-self.target // values)
        return missing

    def _distinct(self, values: Values) -> Values:
        values = np.unique(values)
        if self.sums and len(values) > 1:  # the same sum in another order
            values = values[np.concatenate(([True], np.diff(values) > 1e-13))]
        return values

    def _first_choice(self, rows: Sequence[Sequence[Any]]) -> None:
        """A choice that is soon found: climb as far as fits below t, then the smallest step over it."""
        levels = [order[0] for order in self.problem.rungs]
        lowest = [row[j] for row, j in zip(rows, levels, strict=True)]
        value: Any = sum(lowest) if self.sums else math.prod(lowest)
        widest = [row[order[-1]] for row, order in zip(rows, self.problem.rungs, strict=True)]
        for i in sorted(range(len(rows)), key=widest.__getitem__, reverse=True):
            row, order = rows[i], self.problem.rungs[i]
            below = levels[i]
            for j in order:
                made = self._instead(value, lowest[i], row[j])
                if made >= self.target:
                    if made < self.best:
                        self.best = made
                        self.levels = tuple(j if k == i else old for k, old in enumerate(levels))
                    break
                below = j
            value = self._instead(value, lowest[i], row[below])
            levels[i] = below

    def _instead(self, value: Any, old: Any, new: Any) -> Any:
        return value - old + new if self.sums else value // old * new

    # The search

    def _begin(self) -> None:
        """Makes the sorted half."""
        ladders = [i for i, values in enumerate(self.options) if len(values) > 1]
        ladders.sort(key=lambda i: -len(self.options[i]))
        fixed = self.one
        for values in self.options:
            if len(values) == 1:
                fixed = fixed + values[0] if self.sums else fixed * values[0]
        self.parts = self._sorted_half(ladders, fixed)
        self.kept = ladders[: len(self.parts) - 1]
        self.rest = ladders[len(self.parts) - 1 :]
        self.todo = []
        if not len(self.parts[-1].values):
            return
        # What the ladders that follow add at least, and how far they can still reach.
        least: list[Any] = [0.0 if self.sums else 1]
        reach: list[Any] = [self.parts[-1].values[-1]]
        for i in reversed(self.rest):
            low, top = self.options[i][0], self.options[i][-1]
            least.append(least[-1] + low if self.sums else least[-1] * int(low))
            reach.append(reach[-1] + top if self.sums else int(reach[-1]) * int(top))
        self.least, self.reach = least[::-1], reach[::-1]
        self.todo.append((0, _Part(self.one)))

    def advance(self, steps: float) -> bool:
        """Makes about so many more products of the other half; whether those were all that matter."""
        if self.todo is None:
            self._begin()
            assert self.todo is not None
        while self.todo and self.best > self.stop_at:
            if steps <= 0:
                return False
            depth, part = self.todo.pop()
            self._match(part, depth)
            if depth == len(self.rest) or self.best <= self.stop_at:
                continue
            options = self.options[self.rest[depth]]
            grown = np.concatenate([self._join(part.values, x) for x in options])
            steps -= len(grown)
            need = self.target - self.reach[depth + 1]
            if not self.sums:
                need = -(-self.target // int(self.reach[depth + 1]))
            grown = self._distinct(grown[grown >= need])
            self.todo.extend(
                (depth + 1, _Part(grown[begin : begin + CHUNK], part))
                for begin in range(0, len(grown), CHUNK)
            )
        return True

    def _sorted_half(self, ladders: Sequence[int], fixed: Values) -> list[_Part]:
        """All that as many ladders as fit can make, one ladder more each time."""
        parts = [_Part(fixed)]
        for i in ladders:
            values, options = parts[-1].values, self.options[i]
            if len(values) * len(options) > HALF or len(values) ** 2 > self.choices:
                break
            grown = np.concatenate([self._join(values, x) for x in options])
            parts.append(_Part(self._distinct(grown), parts[-1]))
        return parts

    def _match(self, part: _Part, depth: int) -> None:
        """The smallest value from the target on that a value of this part makes with one of the half."""
        half = self.parts[-1].values
        values = self._join(part.values, self.least[depth])
        own = part.values[: len(values)]
        at = np.searchsorted(half, self._missing(values))
        fits = at < len(half)
        values, own, at = values[fits], own[fits], at[fits]
        partners = half[at]
        room = self.best - values if self.sums else -(-self.best // values)
        better = partners < room
        values, own, partners = values[better], own[better], partners[better]
        if not len(values):
            return
        made = values + partners if self.sums else values * partners
        for pick in (
            np.argsort(made, kind="stable").tolist() if self.sums else [int(np.argmin(made))]
        ):
            levels = [order[0] for order in self.problem.rungs]
            self._trace(part, own[pick], self.rest[:depth], levels)
            self._trace(self.parts[-1], partners[pick], self.kept, levels)
            if self.problem.reaches(levels):
                self.levels = tuple(levels)
                self.best = made[pick] if self.sums else int(made[pick])
                return

    def _trace(self, part: _Part, value: Any, ladders: Sequence[int], levels: list[int]) -> None:
        """Writes the levels that made a value."""
        for i in reversed(ladders):
            assert part.before is not None
            before = part.before.values
            for position, option in enumerate(self.options[i]):
                if self.sums:
                    hit = np.flatnonzero(before + option == value)
                elif value % option:
                    continue
                else:
                    hit = np.flatnonzero(before == value // option)
                if len(hit):
                    levels[i] = self.problem.rungs[i][position]
                    value, part = before[hit[0]], part.before
                    break
