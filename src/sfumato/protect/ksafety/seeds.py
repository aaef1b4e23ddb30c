"""Support seeds: a set of terms that K+1 entities share is K-safe, whoever is protected.

From each entity the search takes the K others that share most with it, one after the other, and keeps what
all of them share; the largest sets found are then grown by what can come back. This finds what the greedy
searches of the ERASE paper miss: at |D| = 150 they keep about 28 terms where 52 are possible.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sfumato.protect.ksafety import bits
from sfumato.protect.ksafety.bits import Bools, Ints, Words
from sfumato.protect.ksafety.core import Core
from sfumato.protect.ksafety.improve import readd

SEEDS = 8  # sets that are grown
NEAR = 4  # times K+1 entities are looked at around each
WORK = 1_500_000  # words that are compared at most to find who is near whom


def best_seed(core: Core, seeds: int = SEEDS, work: int = WORK) -> Bools:
    """The best kept terms from the `seeds` largest seeds."""
    best = np.zeros(len(core), dtype=np.bool_)
    if not len(core):
        return best
    shared, _ = bits.merge(_chains(core, work))
    table = bits.to_bools(shared, len(core))
    value = table @ core.weights
    order = np.lexsort((*shared.T, -value))[:seeds]
    for kept in table[order]:
        grown = readd(core, kept)
        if core.value(grown) > core.value(best):
            best = grown
    return best


def _chains(core: Core, work: int) -> Words:
    """What each of many entities shares with K others, shape (entities looked at, words)."""
    size, words = core.rows.shape
    anchors = _anchors(core, max(2, min(size, work // (size * words))))
    near = min(size, NEAR * core.need)
    shared = core.rows[anchors].copy()
    closest = np.empty((len(anchors), near), dtype=np.int64)
    step = max(1, bits.CHUNK // (size * words))
    for start in range(0, len(anchors), step):
        run = slice(start, start + step)
        overlap = _worth(core, core.rows[anchors[run]][:, None] & core.rows)
        closest[run] = np.argpartition(overlap, size - near, axis=1)[:, size - near :]
    closest.sort(axis=1)
    # The entity itself is among those near it, so K+1 steps take it and K others.
    around = core.rows[closest]
    free = np.ones(closest.shape, dtype=np.bool_)
    line = np.arange(len(anchors))
    for _ in range(core.need):
        overlap = np.where(free, _worth(core, shared[:, None] & around), -1)
        chosen = overlap.argmax(axis=1)
        free[line, chosen] = False
        shared &= around[line, chosen]
    return shared


def _anchors(core: Core, many: int) -> Ints:
    """The entities to start from: half of them those with most of the document, the others spread
    evenly over all."""
    size = len(core.rows)
    if many >= size:
        return np.arange(size)
    most = np.argsort(-_worth(core, core.rows), kind="stable")[: many // 2]
    evenly = np.linspace(0, size - 1, many - many // 2).astype(np.int64)
    return np.union1d(most, evenly)


def _worth(core: Core, sets: Words) -> np.ndarray[Any, Any]:
    """The information of each set of terms."""
    if not core.problem.weighted:
        size: np.ndarray[Any, Any] = np.bitwise_count(sets).sum(axis=-1, dtype=np.int16)
        return size
    flat = bits.to_bools(sets.reshape(-1, sets.shape[-1]), len(core))
    return np.asarray(flat @ core.weights).reshape(sets.shape[:-1])
