"""A search for databases too large to hold every blocker: it only looks at what goes wrong.

A *conflict* is a part of a protected context that at most K entities hold, and none of whose own parts is
that rare. A set of terms is K-safe if and only if it has no conflict in it. The search deletes terms
until the conflicts found so far are broken, looks for new ones, and ends when there are none. A context
that is safe once stays safe, so the rounds get shorter.
"""

from __future__ import annotations

import numpy as np

from sfumato.protect.ksafety import bits
from sfumato.protect.ksafety.bits import Bools, Ints, Words
from sfumato.protect.ksafety.core import Core

ROUND = 2_000  # contexts from which conflicts are taken in one round


def conflicts(core: Core) -> Bools:
    """Kept terms by greedily breaking conflicts, with what can come back."""
    kept = np.ones(len(core), dtype=np.bool_)
    waiting = core.protected
    often = bits.count(core.columns)
    while True:
        masks = bits.merge(waiting & bits.from_bools(kept[None]))[0]
        waiting = masks[~core.enough_hold(masks)]
        if not len(waiting):
            return readd_lean(core, kept)
        step = -(-len(waiting) // ROUND)
        found = {_conflict(core, mask, often) for mask in waiting[::step]}
        _break(core, kept, np.array([_flags(part, len(core)) for part in sorted(found)]))


def _conflict(core: Core, mask: Words, often: Ints) -> tuple[int, ...]:
    """A conflict in a context: its rarest terms until too few entities hold them, then without those
    that are not needed for that."""
    terms = sorted(bits.positions(mask), key=lambda t: (int(often[t]), t))
    sets = [core.entities]
    for term in terms:
        sets.append(sets[-1] & core.columns[term])
        if int(bits.count(sets[-1])) < core.need:
            break
    needed = [terms[len(sets) - 2]]  # without the last one enough hold the others
    after = core.columns[needed[0]]
    for at in range(len(sets) - 3, -1, -1):
        if int(bits.count(sets[at] & after)) >= core.need:
            needed.append(terms[at])
            after = after & core.columns[terms[at]]
    return tuple(sorted(needed))


def _flags(part: tuple[int, ...], size: int) -> Bools:
    made = np.zeros(size, dtype=np.bool_)
    made[list(part)] = True
    return made


def _break(core: Core, kept: Bools, found: Bools) -> None:
    """Deletes terms until no conflict is whole: each time the one that breaks most for its weight, where
    short conflicts count more."""
    while len(found):
        score = (found / found.sum(axis=1, keepdims=True)).sum(axis=0)
        worth = np.round(score / np.maximum(core.weights, 1e-12), 9)
        term = int(worth.argmax())
        kept[term] = False
        found = found[~found[:, term]]


def readd_lean(core: Core, kept: Bools) -> Bools:
    """Brings back what can come back, the most valuable first, with no table of all supports."""
    kept = kept.copy()
    out = np.flatnonzero(~kept)
    for term in out[np.lexsort((out, -core.weights[out]))].tolist():
        trial = kept.copy()
        trial[term] = True
        masks = core.protected[core.has[:, term]] & bits.from_bools(trial[None])
        if core.enough_hold(masks).all():
            kept = trial
    return kept
