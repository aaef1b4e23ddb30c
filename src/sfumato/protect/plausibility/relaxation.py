"""The Lagrangian relaxation of the uniform problem: a bound, and what each step away from it costs at least.

Drop H(d̄) ≥ log2 t and pay `multiplier` λ per missing bit instead: then every term has its own best rung. The
rungs of one term lie on a parabola (bits, cost), which is convex, so the best rung at λ is had by taking all
steps up whose slope is below λ, and the best λ is the slope of the step at which the text becomes
t-plausible. One sort finds it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.protect.plausibility.problem import Floats, Problem


@dataclass(frozen=True, eq=False)
class Relaxation:
    """What the relaxation says.

    The cost of any choice of rungs is `bound` + Σ `reduced` of its rungs + `overshoot(slack)`, where all
    three are at least 0 and slack is H(d̄) - log2 t ≥ 0.
    """

    bound: float
    multiplier: float
    weight: float  # α/m², what a squared bit of slack costs
    goal: float  # the slack at which `overshoot` is 0
    positions: NDArray[np.intp]  # (m,) the best rung of each term at the multiplier
    reduced: Floats  # (m, longest) float64, 0 at `positions`, infinity beyond a ladder's end
    slack: float  # of `positions`; may be below 0
    above: NDArray[np.intp]  # (m,) rungs near `positions` that are t-plausible

    @property
    def slope(self) -> float:
        """The linear part of `overshoot`."""
        return max(self.multiplier, 0.0)

    def overshoot(self, slack: Floats) -> Floats:
        """What slack ≥ 0 costs beyond the bound: a convex function with its zero at `goal`."""
        beyond = slack - self.goal
        return self.weight * beyond * beyond + self.slope * beyond


def relax(problem: Problem) -> Relaxation:
    """The relaxation of a problem that can be solved.

    >>> round(relax(Problem([[1, 4, 32], [1, 2, 6], [1, 2], [1, 2]], t=32)).bound, 6)
    0.09375
    """
    table, shares, log_t = problem.table, problem.shares, problem.log_t
    m = problem.size
    weight = problem.global_share / m**2
    local = (1 - problem.global_share) / m
    real = np.isfinite(table)
    bits = np.where(real, table, 0.0)
    steps = real[:, 1:]
    rise = (bits[:, 1:] - bits[:, :-1])[steps]
    slope = (local * (bits[:, 1:] + bits[:, :-1] - 2 * shares[:, None]))[steps]
    order = np.argsort(slope, kind="stable")
    slope = slope[order]
    lowest = float(bits[:, 0].sum())
    reached = lowest + np.cumsum(rise[order])
    slack_after = reached - log_t
    slack_before = np.concatenate(([lowest - log_t], slack_after[:-1]))
    # The first step up that is not taken whole: the text is t-plausible after it, and it does not pay.
    stop = (slack_after >= 0) & (slope + 2 * weight * slack_after > 0)
    last = int(np.argmax(stop)) if stop.any() else len(order)
    if last == len(order):  # every step pays, or t needs them all
        multiplier = float(slope[-1]) if len(slope) else 0.0
        if weight:
            multiplier = max(multiplier, -2 * weight * max(0.0, problem.excess(problem.widest)))
        taken = len(order)
    elif slack_before[last] >= 0 and slope[last] + 2 * weight * slack_before[last] >= 0:
        multiplier = -2 * weight * float(slack_before[last])  # between two steps: nothing is lost
        taken = last
    else:
        multiplier = float(slope[last])
        taken = last + 1
    if not weight:
        multiplier = max(multiplier, 0.0)
    goal = -multiplier / (2 * weight) if multiplier < 0 else 0.0

    price = np.where(real, local * (bits - shares[:, None]) ** 2 - multiplier * bits, np.inf)
    positions = price.argmin(axis=1)
    least = np.take_along_axis(price, positions[:, None], axis=1)
    bound = float(least.sum()) + multiplier * log_t
    bound += weight * goal * goal + multiplier * goal
    owner = np.broadcast_to(np.arange(m)[:, None], steps.shape)[steps][order[:taken]]
    return Relaxation(
        bound=max(0.0, bound),
        multiplier=multiplier,
        weight=weight,
        goal=goal,
        positions=positions,
        reduced=price - least,
        slack=float(bits[np.arange(m), positions].sum()) - log_t,
        above=np.bincount(owner, minlength=m),
    )
