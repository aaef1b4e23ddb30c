"""Generalise before deleting: a term may also be replaced by a more general one that more contexts have.

Every form of a term (itself, each step up its ladder) is an entry of the problem's document, with the
information it keeps as its weight; an entity has a form if its context has it or a specialisation of it.
Of the entries of one *group* at most one is kept; a group without one is deleted. Parts of K-safe sets
are K-safe, so this is the problem of deletion with one more rule, and the searches for it find the
starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.errors import InputError
from sfumato.protect.ksafety import bits
from sfumato.protect.ksafety.bits import Bools, Ints, Words
from sfumato.protect.ksafety.conflicts import conflicts
from sfumato.protect.ksafety.core import Core, reduce
from sfumato.protect.ksafety.methods import DENSE, TABLE, search
from sfumato.protect.ksafety.problem import Floats, Problem, Solution, tolerance
from sfumato.protect.ksafety.seeds import best_seed
from sfumato.protect.ksafety.subsets import Subsets

TRIALS = 40  # exchanges that are tried
NODES = 2_000  # nodes of the search for a proof


@dataclass(frozen=True, eq=False)
class _Choice:
    """The core of the problem over all forms, and what choosing one of each group adds to it."""

    core: Core
    groups: Ints  # shape (n,): the group of each form in the core
    # Shape (groups,): what a group keeps at no risk, by a form that is not in the core
    given: Floats
    gain: Floats  # shape (n,): what each form in the core keeps beyond that


def generalise(
    problem: Problem, groups: Sequence[int], trials: int = TRIALS, nodes: int = NODES
) -> Solution:
    """The forms to keep, at most one for each group; never less information than deletion alone keeps.

    `groups` has the group of every entry of the document, counted from 0; the first entry of a group is the
    term itself. `nodes` limits the search for a proof, 0 for none.

    >>> contexts = [["flu", "virus"], ["cold", "virus"], ["measles", "virus"]]
    >>> forms = Problem(contexts, [0], ["flu", "virus"], k=2, weights=[3.0, 1.0])
    >>> generalise(forms, [0, 0]).kept
    ('virus',)
    """
    table = _checked(groups, len(problem.document))
    first = np.unique(table, return_index=True)[1] if len(table) else table
    alone = search(problem.part(np.sort(first).tolist()))
    choice = _choice(problem, table)
    start = problem.mask(alone.kept)
    at = bits.to_bools(start[None], len(problem.document))[0][choice.core.terms]
    starts = [at]
    if len(choice.core):
        large = len(choice.core.protected) * len(choice.core.rows) > DENSE
        starts.append(conflicts(choice.core) if large else best_seed(choice.core))
    found = [_climb(choice, _one_of_each(choice, kept), trials) for kept in starts]
    kept = max(found, key=lambda one: _value(choice, one))
    bound = _most(choice)
    if nodes and len(choice.core):
        kept, proven = _prove(choice, kept, nodes)
        bound = _value(choice, kept) if proven else bound
    return _solution(problem, table, choice, kept, bound)


def _checked(groups: Sequence[int], size: int) -> Ints:
    table = np.asarray(groups, dtype=np.int64)
    if table.shape != (size,) or (size and int(table.min()) < 0):
        raise InputError(
            f"{table.size} groups for {size} forms; give each form its group, from 0 on"
        )
    return table


def _choice(problem: Problem, groups: Ints) -> _Choice:
    core = reduce(problem)
    decided = np.zeros(len(problem.document), dtype=np.bool_)
    decided[core.terms] = True
    decided[core.gone] = True
    given = np.zeros(int(groups.max()) + 1 if len(groups) else 0)
    free = np.flatnonzero(~decided)
    np.maximum.at(given, groups[free], problem.weights[free])
    mine = groups[core.terms]
    return _Choice(core, mine, given, core.weights - given[mine])


def _one_of_each(choice: _Choice, kept: Bools) -> Bools:
    """Of the kept forms of each group the one that keeps most, if it is worth anything."""
    made = np.zeros(len(kept), dtype=np.bool_)
    order = np.lexsort((np.arange(len(kept)), -choice.gain))
    taken: set[int] = set()
    for at in order[kept[order] & (choice.gain[order] > 0)].tolist():
        group = int(choice.groups[at])
        if group not in taken:
            taken.add(group)
            made[at] = True
    return made


def _value(choice: _Choice, kept: Bools) -> float:
    return float(choice.given.sum() + choice.gain[kept].sum())


def _most(choice: _Choice) -> float:
    """What all groups would keep if nothing were at risk beyond what must go."""
    most = np.zeros(len(choice.given))
    np.maximum.at(most, choice.groups, choice.gain)
    return float(choice.given.sum() + most.sum())


def _climb(choice: _Choice, kept: Bools, trials: int) -> Bools:
    """Adds and raises forms while something fits, then tries to lower one form so that others fit."""
    slack = tolerance(choice.core.problem.weights)
    kept = _fill(choice, kept)
    tried = 0
    while tried < trials:
        better = None
        for at in np.flatnonzero(kept).tolist():
            for lower in (*_below(choice, at), None):
                tried += 1
                trial = kept.copy()
                trial[at] = False
                if lower is not None:
                    if not _fits(choice.core, trial, None, lower):
                        continue
                    trial[lower] = True
                trial = _fill(choice, trial, barred=at)
                if _value(choice, trial) > _value(choice, kept) + slack:
                    better = trial
                    break
                if tried >= trials:
                    break
            if better is not None or tried >= trials:
                break
        if better is None:
            break
        kept = better
    return kept


def _below(choice: _Choice, at: int) -> list[int]:
    """The forms of the same group that keep less, but something, the best first."""
    same = np.flatnonzero((choice.groups == choice.groups[at]) & (choice.gain > 0))
    less = same[choice.gain[same] < choice.gain[at]]
    return [int(form) for form in less[np.argsort(-choice.gain[less], kind="stable")]]


def _fill(choice: _Choice, kept: Bools, barred: int | None = None) -> Bools:
    """Adds or raises forms, the largest gain first, until nothing fits; `barred` is tried last."""
    kept = kept.copy()
    core = choice.core
    small = core.work <= TABLE
    sets = core.supports(kept) if small else None
    now = np.zeros(len(choice.given))
    now[choice.groups[kept]] = choice.gain[kept]
    order = np.lexsort((np.arange(len(core)), -choice.gain)).tolist()
    if barred is not None:
        order.remove(barred)
        order.append(barred)
    for at in order:
        group = int(choice.groups[at])
        if choice.gain[at] <= now[group]:
            continue
        before = np.flatnonzero(kept & (choice.groups == group))
        if len(before) == 0:
            if not _fits(core, kept, sets, at):
                continue
        else:
            without = kept.copy()
            without[before] = False
            if not _fits(core, without, None, at):
                continue
            kept = without
        kept[at] = True
        now[group] = choice.gain[at]
        if sets is not None:
            if len(before):
                sets = core.supports(kept)
            else:
                sets[core.has[:, at]] &= core.columns[at]
    return kept


def _fits(core: Core, kept: Bools, sets: Words | None, at: int) -> bool:
    """Whether a K-safe set stays K-safe with one more form; `sets` are its supports, if at hand."""
    having = core.has[:, at]
    if sets is not None:
        return bool((bits.count(sets[having] & core.columns[at]) >= core.need).all())
    trial = kept.copy()
    trial[at] = True
    return bool(core.enough_hold(core.protected[having] & bits.from_bools(trial[None])).all())


def _prove(choice: _Choice, kept: Bools, nodes: int) -> tuple[Bools, bool]:
    """The best choice, group by group with the most valuable forms first, and whether all were seen."""
    core = choice.core
    asked = Subsets(core)
    slack = tolerance(core.problem.weights)
    forms: dict[int, list[int]] = {}
    for at in np.lexsort((np.arange(len(core)), -choice.gain)).tolist():
        if choice.gain[at] > 0:
            forms.setdefault(int(choice.groups[at]), []).append(at)
    order = list(forms.values())
    after = [0.0] * (len(order) + 1)
    for i in range(len(order) - 1, -1, -1):
        after[i] = after[i + 1] + float(choice.gain[order[i][0]])
    best, best_gain, used = None, float(choice.gain[kept].sum()), 0
    stack: list[tuple[int, int, float]] = [(0, 0, 0.0)]
    while stack:
        depth, chosen, gain = stack.pop()
        if gain > best_gain + slack:
            best, best_gain = chosen, gain
        if depth == len(order) or gain + after[depth] <= best_gain + slack:
            continue
        if used == nodes:
            return kept if best is None else asked.table(best), False
        used += 1
        stack.append((depth + 1, chosen, gain))
        stack += [
            (depth + 1, chosen | 1 << at, gain + float(choice.gain[at]))
            for at in reversed(order[depth])
            if asked.can_add(chosen, at)
        ]
    return kept if best is None else asked.table(best), True


def _solution(
    problem: Problem, groups: Ints, choice: _Choice, kept: Bools, bound: float
) -> Solution:
    chosen = set(choice.core.terms[kept].tolist())
    taken = {int(groups[at]) for at in chosen}
    decided = {*choice.core.terms.tolist(), *choice.core.gone.tolist()}
    free = [at for at in range(len(problem.document)) if at not in decided]
    for at in sorted(free, key=lambda at: (-float(problem.weights[at]), at)):
        if int(groups[at]) not in taken:
            taken.add(int(groups[at]))
            chosen.add(at)
    return problem.solution([at for at in range(len(problem.document)) if at not in chosen], bound)
