"""Better solutions from good ones: terms that can come back, and exchanges of terms."""

from __future__ import annotations

import numpy as np

from sfumato.protect.ksafety import bits
from sfumato.protect.ksafety.bits import Bools, Ints, Words
from sfumato.protect.ksafety.core import Core
from sfumato.protect.ksafety.problem import tolerance

TIGHT = 48  # protected contexts with the least to spare; they rule out most terms


def readd(core: Core, kept: Bools) -> Bools:
    """Brings back what can come back: of the terms that fit, the most valuable, then the one that leaves
    most others possible."""
    kept, sets = kept.copy(), core.supports(kept)
    _readd(core, kept, sets, np.flatnonzero(~kept))
    return kept


def _readd(core: Core, kept: Bools, sets: Words, candidates: Ints) -> None:
    """The same in place: `sets` are the supports of `kept`."""
    while len(candidates):
        spare = _spare(core, sets, candidates)
        fits = spare >= 0
        # What does not fit now never will: supports only shrink.
        candidates, spare = candidates[fits], spare[fits]
        if not len(candidates):
            return
        best = int(np.lexsort((candidates, -spare, -core.weights[candidates]))[0])
        term = int(candidates[best])
        kept[term] = True
        sets[core.has[:, term]] &= core.columns[term]
        candidates = np.delete(candidates, best)


def _spare(core: Core, sets: Words, candidates: Ints) -> Ints:
    """For each candidate how far the scarcest support would stay above what is needed; negative if it
    does not fit."""
    size = bits.count(sets)
    order = np.argsort(size, kind="stable")
    spare = np.full(len(candidates), np.iinfo(np.int64).max)
    alive = np.arange(len(candidates))
    for start in range(0, len(order), TIGHT):
        tight = order[start : start + TIGHT]
        columns = core.columns[candidates[alive]]
        left = bits.count(sets[tight][None] & columns[:, None])
        left[~core.has[tight][:, candidates[alive]].T] = np.iinfo(np.int64).max
        spare[alive] = np.minimum(spare[alive], left.min(axis=1))
        alive = alive[spare[alive] >= core.need]
        if not len(alive):
            break
    return spare - core.need


def exchange(core: Core, kept: Bools, steps: int, work: int) -> Bools:
    """Takes one term out where several can come in for it, or at least one that was not in lately.

    Works on solutions to which nothing can be added; the best one found is returned. In each step at
    most `work` contexts are looked at closely.
    """
    best = current = kept
    moved = np.zeros(len(core), dtype=np.int64)  # the step in which a term last moved
    slack = tolerance(core.problem.weights)
    for step in range(1, steps + 1):
        outs = _exchanges(core, current, work)
        move = _best_move(core, current, outs, moved, step)
        if move is None:
            break
        moved[move != current] = step
        current = move
        if core.value(current) > core.value(best) + slack:
            best = current
    return best


def _best_move(
    core: Core, kept: Bools, outs: dict[int, list[int]], moved: Ints, step: int
) -> Bools | None:
    slack = tolerance(core.problem.weights)
    value = core.value(kept)
    plateau: tuple[float, int, int, int] | None = None
    for out, ins in sorted(outs.items()):
        gain = float(core.weights[ins].sum() - core.weights[out])
        if gain > slack:
            trial = kept.copy()
            trial[out] = False
            _readd(core, trial, core.supports(trial), np.array(ins, dtype=np.int64))
            if core.value(trial) > value + slack:
                return readd(core, trial)
        for term in ins:
            loss = float(core.weights[out] - core.weights[term])
            # A term that moved lately stays where it is for a while, or the walk would turn in circles.
            if loss <= slack and not (moved[[out, term]] > max(0, step - 7)).any():
                plateau = min(
                    plateau or (np.inf, 0, 0, 0), (-loss, int(moved[[out, term]].max()), out, term)
                )
    if plateau is None:
        return None
    trial = kept.copy()
    trial[plateau[2]], trial[plateau[3]] = False, True
    return readd(core, trial)


def _exchanges(core: Core, kept: Bools, work: int) -> dict[int, list[int]]:
    """For each kept term what could come in for it, each alone; those that make few contexts unsafe are
    looked at first."""
    sets = core.supports(kept)
    newcomers: list[tuple[int, int, Ints]] = []
    for term in np.flatnonzero(~kept).tolist():
        having = np.flatnonzero(core.has[:, term])
        short = having[bits.count(sets[having] & core.columns[term]) < core.need]
        newcomers.append((len(short), term, short))
    found: dict[int, list[int]] = {}
    for _, term, short in sorted(newcomers, key=lambda newcomer: newcomer[:2]):
        # The term that goes must be in all contexts that the newcomer makes unsafe.
        possible = kept & core.has[short].all(axis=0)
        for context in short.tolist():
            if work <= 0 or not possible.any():
                break
            work -= 1
            outs = np.flatnonzero(possible)
            possible[outs] = _without(core, kept & core.has[context], outs, term) >= core.need
        if work <= 0:
            break
        for out in np.flatnonzero(possible).tolist():
            found.setdefault(out, []).append(term)
    return found


def _without(core: Core, part: Bools, outs: Ints, term: int) -> Ints:
    """How many entities hold `part` and `term` without each of `outs`."""
    terms = np.flatnonzero(part)
    columns = core.columns[terms]
    edge = np.broadcast_to(core.entities, (1, columns.shape[1]))
    before = np.bitwise_and.accumulate(np.concatenate([edge, columns[:-1]]), axis=0)
    after = np.bitwise_and.accumulate(np.concatenate([edge, columns[:0:-1]]), axis=0)[::-1]
    at = np.searchsorted(terms, outs)
    return bits.count(before[at] & after[at] & core.columns[term])
