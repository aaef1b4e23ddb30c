"""All searches under their names."""

from __future__ import annotations

from typing import Literal, get_args

from sfumato.errors import InputError
from sfumato.protect.plausibility.esearch import esearch_prune, uniform_esearch_prune
from sfumato.protect.plausibility.exact_count import exact_count
from sfumato.protect.plausibility.exact_uniform import exact_uniform
from sfumato.protect.plausibility.lub import mstep, top_down
from sfumato.protect.plausibility.problem import Problem, Solution, solution

Method = Literal["auto", "exact", "top_down", "mstep", "esearch_prune", "uniform_esearch_prune"]
METHODS: tuple[Method, ...] = get_args(Method)

# What "auto" spends before it settles for the best found: about a second or two.
AUTO_BUDGET = 10_000_000


def search(
    problem: Problem, method: Method = "auto", *, delta: int = 2, budget: int | None = None
) -> Solution:
    """Solves a problem.

    | method | does |
    |---|---|
    | `exact` | the proven optimum of either definition; the best found, with a bound, if a `budget` ends |
    | `auto` | `exact` with a budget, and the better of that and `top_down` when it ends |
    | `top_down` | the paper's Algorithms 4 and 6 |
    | `mstep` | the paper's Algorithms 4 and 5, within `delta` steps |
    | `esearch_prune` | the paper's Algorithm 1: the least |D(d̄)|, also where the problem is uniform |
    | `uniform_esearch_prune` | the paper's Algorithm 3 |

    `budget` counts steps of work (partial texts, products, numbers tried), not time: the same problem gives
    the same solution anywhere.

    >>> search(Problem(ladders=[[1, 4, 32], [1, 2, 6], [1, 2], [1, 2]], t=32), method="exact")
    Solution(levels=(1, 1, 1, 1), cost=0.09375, plausible_texts=32, proven=True, bound=0.09375)
    """
    if method not in METHODS:
        raise InputError(f"method {method!r} does not exist: use one of {', '.join(METHODS)}")
    if delta < 0:
        raise InputError(f"delta={delta}: must be at least 0")
    if budget is not None and budget < 0:
        raise InputError(f"budget={budget}: must be at least 0")
    problem.require_reachable()
    if not problem.size:
        return solution(problem, (), proven=True)
    match method:
        case "exact":
            return exact(problem, budget)
        case "top_down":
            return top_down(problem)
        case "mstep":
            return mstep(problem, delta)
        case "esearch_prune":
            return esearch_prune(problem, budget)
        case "uniform_esearch_prune":
            return uniform_esearch_prune(problem, budget)
        case "auto":
            return _auto(problem, AUTO_BUDGET if budget is None else budget)


def exact(problem: Problem, budget: int | None = None) -> Solution:
    """The optimum; at α = 1 the uniform problem is Definition 3, and solved as such."""
    if problem.global_share == 1:
        return exact_count(problem, budget)
    return exact_uniform(problem, budget)


def _auto(problem: Problem, budget: int) -> Solution:
    found = exact(problem, budget)
    if found.proven:
        return found
    other = top_down(problem)
    if problem.in_whole_numbers:
        better = other.plausible_texts < found.plausible_texts
    else:
        better = other.cost < found.cost
    return solution(problem, (other if better else found).levels, bound=found.bound)
