"""The searches by their names, and `auto`: the best that is found fast, then a try to prove it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sfumato.errors import PolicyError
from sfumato.protect.ksafety.best_first import best_first
from sfumato.protect.ksafety.bits import Bools
from sfumato.protect.ksafety.conflicts import conflicts
from sfumato.protect.ksafety.core import Core, reduce
from sfumato.protect.ksafety.exact import exact
from sfumato.protect.ksafety.greedy import bfreq, bsize, btop, btop_naive
from sfumato.protect.ksafety.improve import exchange, readd
from sfumato.protect.ksafety.levelwise import levelwise
from sfumato.protect.ksafety.problem import Problem, Solution
from sfumato.protect.ksafety.seeds import best_seed

DENSE = 20_000_000  # cells of the table protected × entities up to which every blocker is looked at
TOO_LARGE = 500_000_000  # cells that no search may take
CELLS = 20_000_000  # cells protected × entities that `auto` spends on a proof, one table of them per node
TABLE = 1 << 20  # words of a table of supports up to which exchanges are tried in larger ones
SPARSE = 4_000  # terms in all protected contexts up to which conflicts are few
NODE = 40_000  # cells that a node costs whatever its table
NODES = 20_000  # nodes that `exact` spends
EXCHANGES = 4  # steps of the search for better neighbours,
LOOKED_AT = 400  # and contexts that each of them looks at closely
SCORED = 30_000  # contexts × terms that `auto` lets btop score


def search(problem: Problem, method: str = "auto", budget: int | None = None) -> Solution:
    """The terms to keep, by one of `METHODS`.

    `budget` limits the searches that may take long, in steps of their own and not in seconds, so that the
    same problem always has the same solution: nodes for `auto`, `exact` and `best_first`, sets for
    `levelwise`. With 0 `auto` tries no proof.

    >>> problem = Problem([["a", "b"], ["a"], []], protected=[0], document=["a", "b", "c"], k=1)
    >>> search(problem)
    Solution(kept=('a', 'c'), deleted=('b',), proven=True, bound=2.0, value=2.0)
    """
    if method not in METHODS:
        raise PolicyError(f"no search '{method}'; there are {', '.join(METHODS)}")
    if budget is not None and budget < 0:
        raise PolicyError("the budget of a search must not be negative")
    core = reduce(problem)
    if not len(core):
        return core.solution(np.zeros(0, dtype=np.bool_))
    cells = len(core.protected) * len(core.rows)
    if method not in ("auto", "conflicts") and cells > TOO_LARGE:
        raise PolicyError(
            f"the search '{method}' would need a table of {cells:,} blockers; take auto or conflicts"
        )
    return METHODS[method](core, budget)


def _auto(core: Core, budget: int | None) -> Solution:
    cells = len(core.protected) * len(core.rows)
    if cells > DENSE:
        kept = conflicts(core)
        if core.work <= TABLE:
            kept = exchange(core, kept, EXCHANGES, LOOKED_AT)
        return core.solution(kept)
    kept = best_seed(core)
    nodes = CELLS // (cells + NODE) if budget is None else budget
    bound = float(core.weights.sum())
    if nodes:
        # Most problems are small: their proof takes less time than a search for something better.
        proof = exact(core, kept, nodes)
        kept, bound = proof.kept, bound - proof.lost
        solution = core.solution(kept, bound)
        if solution.proven:
            return solution
    return core.solution(_better(core, kept), bound)


def _better(core: Core, kept: Bools) -> Bools:
    """The best of what the fast searches and exchanges of terms find."""
    others = [btop(core, SCORED // len(core))]
    if int(core.has.sum()) <= SPARSE:
        others.append(conflicts(core))
    for other in others:
        if other is not None:
            kept = max((kept, readd(core, other)), key=core.value)
    return exchange(core, kept, EXCHANGES, LOOKED_AT)


def _exact(core: Core, budget: int | None) -> Solution:
    kept = best_seed(core)
    proof = exact(core, _better(core, kept), NODES if budget is None else budget)
    return core.solution(proof.kept, float(core.weights.sum()) - proof.lost)


def _levelwise(core: Core, budget: int | None) -> Solution:
    kept, all_of_them = levelwise(core) if budget is None else levelwise(core, budget)
    return core.solution(kept, core.value(kept) if all_of_them else None)


def _best_first(core: Core, budget: int | None) -> Solution:
    kept, bound, _ = best_first(core) if budget is None else best_first(core, nodes=budget)
    return core.solution(kept, bound)


def _simple(run: Callable[[Core], Bools | None]) -> Callable[[Core, int | None], Solution]:
    def method(core: Core, budget: int | None) -> Solution:
        kept = run(core)
        assert kept is not None
        return core.solution(kept)

    return method


METHODS: dict[str, Callable[[Core, int | None], Solution]] = {
    "auto": _auto,
    "exact": _exact,
    "levelwise": _levelwise,
    "best_first": _best_first,
    "bfreq": _simple(bfreq),
    "bsize": _simple(bsize),
    "btop": _simple(btop),
    "btop_naive": _simple(btop_naive),
    "support_seeds": _simple(best_seed),
    "conflicts": _simple(conflicts),
}
