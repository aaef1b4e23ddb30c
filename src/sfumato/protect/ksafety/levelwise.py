"""The levelwise search of section 5.1 of the ERASE paper: all K-safe sets of one term, of two, and so on.

A set is K-safe only if all its parts are, so sets of r+1 terms are made from those of r terms. Each is
tested by Definition 3.1 itself: how many entities hold the whole set says too little (the paper's own
optimum of Example 1 is within one context only).
"""

from __future__ import annotations

from sfumato.protect.ksafety.bits import Bools
from sfumato.protect.ksafety.core import Core
from sfumato.protect.ksafety.subsets import Subsets

SETS = 200_000


def levelwise(core: Core, sets: int = SETS) -> tuple[Bools, bool]:
    """The best K-safe set, and whether all were looked at before `sets` of them were."""
    asked = Subsets(core)
    level = [0]
    best, best_value, looked = 0, 0.0, 0
    while level:
        known = set(level)
        larger = []
        for chosen in level:
            # Terms are added in order, so that no set is made twice.
            for term in range(chosen.bit_length(), len(core)):
                candidate = chosen | 1 << term
                if not _parts_in(candidate, known):
                    continue
                looked += 1
                if looked > sets:
                    return asked.table(best), False
                if asked.can_add(chosen, term):
                    larger.append(candidate)
                    value = asked.value(candidate)
                    if value > best_value:
                        best, best_value = candidate, value
        level = larger
    return asked.table(best), True


def _parts_in(candidate: int, known: set[int]) -> bool:
    rest = candidate
    while rest:
        low = rest & -rest
        if candidate ^ low not in known:
            return False
        rest ^= low
    return True
