"""The best-first search of section 5.2 of the ERASE paper, with both of its bounds.

The search goes through the terms in order and always goes on from the set that promises most. What the
terms after position r can add at most is either all of them (UB_naive), or the best set that is K-safe
within every window of L terms (UB_L, section 5.2.1). UB_L of a child may exceed that of its parent, so
the open sets are kept in a real priority queue.

Which of the 2^L sets of a window are K-safe is found for all at once: with sums over supersets (a zeta
transform) one has for each set the entities that hold it and whether a protected context does; a set is
unsafe if a part of it is in a protected context and held by at most K entities.
"""

from __future__ import annotations

import heapq

import numpy as np

from sfumato.protect.ksafety import bits
from sfumato.protect.ksafety.bits import Bools, Ints
from sfumato.protect.ksafety.core import Core
from sfumato.protect.ksafety.problem import Floats
from sfumato.protect.ksafety.subsets import Subsets

NODES = 100_000


def window(size: int) -> int:
    """L by the number of terms: wider windows bound better and cost 2^L each.

    >>> [window(size) for size in (5, 20, 50)]
    [5, 12, 16]
    """
    return min(size, 12 if size <= 30 else 16)


def best_first(
    core: Core, width: int | None = None, nodes: int = NODES
) -> tuple[Bools, float, int]:
    """The best K-safe set, a bound on its information, and the nodes used; `width` is L, 0 for UB_naive."""
    size = len(core)
    after = suffix_bounds(core, window(size) if width is None else min(width, size))
    asked = Subsets(core)
    best, best_value = 0, 0.0
    # Of equal promises the deepest first, then the one made last: it is nearest to an end.
    queue: list[tuple[float, int, int, int, float]] = [(-after[0], 0, 0, 0, 0.0)]
    made = used = 0
    while True:
        promise, minus_depth, _, chosen, value = heapq.heappop(queue)
        depth = -minus_depth
        if depth == size or -promise <= best_value:
            # Nothing open promises more than this one, or than one seen before.
            best, best_value = max((best_value, best), (value, chosen))[::-1]
            return asked.table(best), best_value, used
        if used == nodes:
            return asked.table(best), -promise, used
        used += 1
        options = [(chosen, value)]
        if asked.can_add(chosen, depth):
            options.append((chosen | 1 << depth, value + asked.weights[depth]))
        for child, worth in options:
            made += 1
            heapq.heappush(queue, (-(worth + after[depth + 1]), -(depth + 1), -made, child, worth))
            if worth > best_value:
                best, best_value = child, worth


def suffix_bounds(core: Core, width: int) -> list[float]:
    """What the terms from each position on can add at most; the last entry is 0.

    With windows of `width` terms; for the last of them this is the optimum itself.
    """
    size = len(core)
    if width < 1:
        return [float(core.weights[r:].sum()) for r in range(size + 1)]
    rows = bits.to_bools(core.rows, size)
    bounds = np.zeros(size + 1)
    ahead: Floats | None = None
    sets = np.arange(1 << width)
    for start in range(size - width, -1, -1):
        safe = _safe_sets(core, rows, start, width)
        weights = core.weights[start : start + width]
        if ahead is None:
            value = np.zeros(1 << width)
            for t, weight in enumerate(weights.tolist()):
                value += weight * (sets >> t & 1)
            value[~safe] = -np.inf
            for skip in range(width):
                bounds[start + skip] = value[sets & ((1 << skip) - 1) == 0].max()
        else:
            # The window moves on: its first term leaves, the term after it comes in or not.
            half = 1 << (width - 1)
            rest = np.maximum(ahead[:half], ahead[half:])[sets >> 1]
            value = np.where(safe, rest + weights[0] * (sets & 1), -np.inf)
            bounds[start] = value.max()
        ahead = value
    return [float(bound) for bound in bounds]


def _safe_sets(core: Core, rows: Bools, start: int, width: int) -> Bools:
    """For each set of the window's terms whether it is K-safe, shape (2^width,)."""
    power = 1 << np.arange(width)
    held = np.bincount(rows[:, start : start + width] @ power, minlength=1 << width)
    inside = np.bincount(core.has[:, start : start + width] @ power, minlength=1 << width)
    for t in range(width):
        for table in (held, inside):
            _halves(table, t)[:, 0] += _halves(table, t)[:, 1]
    unsafe = (held < core.need) & (inside > 0)
    for t in range(width):
        halves = unsafe.reshape(-1, 2, 1 << t)
        halves[:, 1] |= halves[:, 0]
    return ~unsafe


def _halves(table: Ints, term: int) -> Ints:
    """The sets without a term (first) and with it (second), side by side; a view."""
    return table.reshape(-1, 2, 1 << term)
