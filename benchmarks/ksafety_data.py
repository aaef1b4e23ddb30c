"""Invented entities and documents as section 7 of the ERASE paper makes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.protect.ksafety import Problem

UNIVERSE = 200  # terms
BASE_SETS = 100
BASE_SIZE = 50
PER_BASE_SET = 30  # entities that share a base set
EXTRA = 50  # terms of an entity beside its base set
PROTECTED = 450

Bools = np.ndarray[Any, np.dtype[np.bool_]]
Ints = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, eq=False)
class World:
    """3,000 entities in families of 30 that share 50 terms and have 50 more of their own each."""

    has: Bools  # shape (entities, terms)
    base_sets: tuple[Ints, ...]
    protected: Ints

    def document(self, size: int, alpha: float, seed: int) -> list[int]:
        """A document of `size` terms and goodness alpha: min(alpha · size, 50) terms of one base set,
        the others from outside it; where outside are too few, more from inside."""
        random = np.random.default_rng([seed, size, round(1000 * alpha)])
        base = self.base_sets[int(random.integers(len(self.base_sets)))]
        outside = np.setdiff1d(np.arange(UNIVERSE), base)
        inside = max(min(round(alpha * size), len(base)), size - len(outside))
        drawn = np.concatenate(
            [
                random.choice(base, inside, replace=False),
                random.choice(outside, size - inside, replace=False),
            ]
        )
        return [int(term) for term in random.permutation(drawn)]

    def problem(self, document: list[int], k: int = 10) -> Problem:
        """The problem for one document."""
        rows, at = np.nonzero(self.has[:, document])
        indptr = np.zeros(len(self.has) + 1, dtype=np.int64)
        np.cumsum(np.bincount(rows, minlength=len(self.has)), out=indptr[1:])
        return Problem.from_arrays(indptr, at, self.protected, document, k)


def world(seed: int = 1) -> World:
    """The entities; the same for the same seed."""
    random = np.random.default_rng(seed)
    has = np.zeros((BASE_SETS * PER_BASE_SET, UNIVERSE), dtype=np.bool_)
    base_sets = []
    for family in range(BASE_SETS):
        base = random.choice(UNIVERSE, BASE_SIZE, replace=False)
        outside = np.setdiff1d(np.arange(UNIVERSE), base)
        base_sets.append(base)
        for entity in range(family * PER_BASE_SET, (family + 1) * PER_BASE_SET):
            has[entity, base] = True
            has[entity, random.choice(outside, EXTRA, replace=False)] = True
    protected = np.sort(random.choice(len(has), PROTECTED, replace=False))
    return World(has, tuple(base_sets), protected)
