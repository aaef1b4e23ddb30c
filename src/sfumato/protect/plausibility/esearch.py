"""The paper's exhaustive searches with pruning: Algorithm 1 (ESearch_Prune) and 3 (Uniform_ESearch_Prune).

Both go on until every term has a rung (as printed, they would skip the last one), and partial costs are
divided by the full m. They are the yardstick of the others, and only fit for short texts.
"""

from __future__ import annotations

import math
from typing import Any

from sfumato.protect.plausibility.problem import (
    ENTROPY_TOLERANCE,
    NEAR,
    Problem,
    Solution,
    solution,
)


def esearch_prune(problem: Problem, budget: int | None = None) -> Solution:
    """Algorithm 1: the smallest |D(d̄)| ≥ t, whatever the problem's cost; what exceeds the best is cut.

    `budget` is the number of partial texts to look at; when it ends, so does the search.

    >>> esearch_prune(Problem([[1, 4, 32], [1, 2, 6], [1, 2], [1, 2]], t=32, uniform=False)).levels
    (1, 1, 1, 1)
    """
    sums = problem.probabilities is not None
    source: Any = problem.bits if sums else problem.ladders
    rows = [[row[j] for j in order] for row, order in zip(source, problem.rungs, strict=True)]
    target: Any = problem.log_t - ENTROPY_TOLERANCE if sums else problem.t
    m = problem.size
    partial: list[Any] = [0.0 if sums else 1] * (m + 1)
    following = [0] * m
    best: Any = math.inf
    found: list[int] | None = None
    left = math.inf if budget is None else budget
    i = 0
    while i >= 0 and left > 0 and best != target:
        if i == m:
            if target <= partial[m] < best:
                positions = [j - 1 for j in following]
                if not sums or problem.reaches(problem.levels(positions)):
                    best, found = partial[m], positions
            i -= 1
        elif following[i] == len(rows[i]):
            following[i] = 0
            i -= 1
        else:
            left -= 1
            step = rows[i][following[i]]
            value = partial[i] + step if sums else partial[i] * step
            if value > best:  # and so are all rungs above
                following[i] = 0
                i -= 1
            else:
                following[i] += 1
                i += 1
                partial[i] = value
    whole = i < 0 or best == target
    levels = problem.widest if found is None else problem.levels(found)
    return solution(problem, levels, proven=whole and problem.global_share == 1)


def uniform_esearch_prune(problem: Problem, budget: int | None = None) -> Solution:
    """Algorithm 3: the least cost; cuts partial texts whose cost can only grow beyond the best.

    `budget` is the number of partial texts to look at; when it ends, so does the search.

    >>> uniform_esearch_prune(Problem([[1, 4, 32], [1, 2, 6], [1, 2], [1, 2]], t=32)).levels
    (1, 1, 1, 1)
    """
    m, log_t, shares = problem.size, problem.log_t, problem.shares.tolist()
    weight = problem.global_share / m**2
    local = (1 - problem.global_share) / m
    rows = [
        [(row[j], local * (row[j] - wanted) ** 2) for j in order]
        for row, order, wanted in zip(problem.bits, problem.rungs, shares, strict=True)
    ]
    slack, apart = [-log_t] * (m + 1), [0.0] * (m + 1)
    following = [0] * m
    best = math.inf
    found: list[int] | None = None
    left = math.inf if budget is None else budget
    i = 0
    while i >= 0 and left > 0:
        if i == m:
            cost = weight * slack[m] ** 2 + apart[m]
            if cost < best and slack[m] >= -NEAR:
                positions = [j - 1 for j in following]
                near = slack[m] <= NEAR
                if not near or problem.reaches(problem.levels(positions)):
                    best, found = cost, positions
            i -= 1
            continue
        if following[i] == 0:
            left -= 1
            grows = slack[i] >= 0 and weight * slack[i] ** 2 + apart[i] > best  # Observation 2
            if grows or apart[i] > best:  # Observation 1
                i -= 1
                continue
        if following[i] == len(rows[i]):
            following[i] = 0
            i -= 1
            continue
        bits, deviation = rows[i][following[i]]
        following[i] += 1
        i += 1
        slack[i], apart[i] = slack[i - 1] + bits, apart[i - 1] + deviation
    levels = problem.widest if found is None else problem.levels(found)
    return solution(problem, levels, proven=i < 0 and not problem.in_whole_numbers)
