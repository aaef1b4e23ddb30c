"""Algorithm 1, to a fixed point: no term left in a context tells too much about a term hidden there.

First the generalisations of hidden things are checked, each against all hidden things in its contexts, itself
included, since the words in its own place tell IC(g) of it. Then everything else. A risky thing takes the
option above its level that tells the most (equation 12) of those that are risky for no target in any of its
contexts, or else is removed. Raising a hidden thing's generalisation only lowers the risk of that thing, so
what was found safe stays safe as long as p(g) counts all specialisations; where a source of counts breaks
that, the rounds go on until nothing changes. Levels only rise, so they end.

What stands for a hidden thing weighs on it with every other term: an independent one already tells IC(g). The
nearer IC(g) is to the limit, the more of the text must go. `room` is the share of the limit that IC(g) may
take up; at 1, as in the paper, all of it. Under equation (9) IC(g) is the limit itself, and `room` is 1.

Groups of things (`groups`) are looked at last, in the same way: a risky group has its least loss raised.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sfumato.protect.disclosure.counts import Floats
from sfumato.protect.disclosure.groups import GroupSettings, RowBits, search_groups
from sfumato.protect.disclosure.problem import Levels, Problem, risks, risky
from sfumato.protect.disclosure.thresholds import ROUNDING

ROOM = 0.5  # the share of a limit that the generalisation of the hidden thing itself may take up


@dataclass(frozen=True, slots=True)
class Finding:
    """A thing that was raised, and the hidden one about which it told the most beyond the limit.

    `risk` is what it told of the target's `information` before, `left` what it tells now; all in bits.
    """

    thing: int
    target: int
    risk: float
    left: float
    limit: float
    information: float
    group: tuple[int, ...] = ()  # the things that told it together, where no single one did


@dataclass(frozen=True, slots=True)
class Solution:
    """The level of each thing, why those that rose did, and the size up to which every group was weighed."""

    levels: Levels
    findings: tuple[Finding, ...]
    groups: int = 1


@dataclass(frozen=True, slots=True)
class Exposure:
    """A thing that tells at least as much of a target as the limit allows."""

    thing: int
    target: int
    risk: float
    limit: float
    information: float


def sanitize(
    problem: Problem,
    groups: GroupSettings | None = None,
    room: float = ROOM,
    table: RowBits | None = None,
) -> Solution:
    """The levels at which nothing is risky any more. `table` keeps what was counted of groups, where a
    problem with the same counts was solved before."""
    levels, findings = _with_room(problem, room)
    while True:
        before = levels
        for thing in _telling(problem, levels):
            # One at a time: what stands for one hidden thing weighs on the risk of itself and of others.
            levels, found = _settle(problem, levels, [thing])
            findings += found
        others = [i for i, t in enumerate(problem.things) if not t.hidden]
        levels, found = _settle(problem, levels, others)
        findings += found
        if levels == before:
            break
    weighed = 1
    if groups is not None and groups.size > 1:
        levels, found, weighed = _settle_groups(
            problem, levels, groups, table or RowBits(problem.counts)
        )
        findings += found
    return Solution(levels, _joined(problem, levels, findings), weighed)


def _with_room(problem: Problem, room: float) -> tuple[Levels, list[Finding]]:
    """The levels to begin with: hidden things whose generalisations leave others room to speak."""
    levels = list(problem.start)
    findings: list[Finding] = []
    for target in problem.targets():
        options, start = problem.things[target].options, problem.start[target]
        limit = problem.limits[target] * (1.0 if problem.strict else room)
        while (
            levels[target] < len(options)
            and _bits(problem, target, levels[target]) > limit + ROUNDING
        ):
            levels[target] += 1
        if levels[target] > start:
            told = _bits(problem, target, start)
            findings.append(_finding(problem, target, target, told))
    return tuple(levels), findings


def _bits(problem: Problem, thing: int, level: int) -> float:
    return float(problem.information([problem.row(thing, level)])[0])


def _telling(problem: Problem, levels: Levels) -> list[int]:
    """The hidden things whose generalisations tell too much about one of them; first those that tell
    too much about themselves, as raising these may be enough."""
    found = [e for e in exposures(problem, levels) if problem.things[e.thing].hidden]
    itself = {e.thing for e in found if e.thing == e.target}
    return sorted({e.thing for e in found}, key=lambda t: (t not in itself, t))


def exposures(problem: Problem, levels: Levels) -> list[Exposure]:
    """Everything that tells too much at these levels, the most telling first."""
    targets = problem.targets()
    shown = [i for i, t in enumerate(problem.things) if levels[i] < len(t.options)]
    risk = risks(problem, targets, levels, [problem.row(i, levels[i]) for i in shown])
    over = risky(problem, targets, risk) & problem.together()[:, shown]
    bits = problem.information([problem.row(t, 0) for t in targets])
    found = [
        Exposure(
            shown[q], targets[s], float(risk[s, q]), problem.limits[targets[s]], float(bits[s])
        )
        for s, q in np.argwhere(over).tolist()
    ]
    return sorted(found, key=lambda e: (e.limit - e.risk, e.thing, e.target))


def _settle(
    problem: Problem, levels: Levels, things: Sequence[int]
) -> tuple[Levels, list[Finding]]:
    """Raise those of some things that are risky. They must not weigh on each other's risk."""
    targets, together = problem.targets(), problem.together()
    shown = [i for i in things if levels[i] < len(problem.things[i].options)]
    risk = risks(problem, targets, levels, [problem.row(i, levels[i]) for i in shown])
    over = risky(problem, targets, risk) & together[:, shown]
    bad = np.flatnonzero(over.any(axis=0)).tolist()
    if not bad:
        return levels, []
    raised = list(levels)
    for thing, level in zip(
        [shown[b] for b in bad],
        _best(problem, levels, [shown[b] for b in bad], together),
        strict=True,
    ):
        raised[thing] = level
    findings = []
    for at in bad:
        excess = np.where(over[:, at], risk[:, at] - [problem.limits[t] for t in targets], -np.inf)
        worst = int(excess.argmax())
        findings.append(_finding(problem, shown[at], targets[worst], float(risk[worst, at])))
    return tuple(raised), findings


def _best(
    problem: Problem, levels: Levels, things: Sequence[int], together: NDArray[np.bool_]
) -> list[int]:
    """For each thing the level above its own that tells the most and is safe: equation (12).

    The rows of a ladder's concepts contain each other, so bits do not rise on the way up: the first that is
    safe tells the most. All things take their next step at once.
    """
    targets = problem.targets()
    chosen = dict.fromkeys(things, 0)
    waiting = {t: levels[t] + 1 for t in chosen}
    while waiting:
        for thing, level in list(waiting.items()):
            if level >= len(problem.things[thing].options):
                chosen[thing] = waiting.pop(thing)
        choices = list(waiting.items())
        risk = _of_choices(problem, targets, levels, choices)
        bad = risky(problem, targets, risk) & together[:, [thing for thing, _ in choices]]
        for (thing, level), unsafe in zip(
            choices, np.atleast_1d(bad.any(axis=0)).tolist(), strict=True
        ):
            if unsafe:
                waiting[thing] = level + 1
            else:
                chosen[thing] = waiting.pop(thing)
    return [chosen[thing] for thing in things]


def _of_choices(
    problem: Problem, targets: Sequence[int], levels: Levels, choices: Sequence[tuple[int, int]]
) -> Floats:
    """The risk of each target by each choice, a thing and a level; a target that chooses for itself has the
    choice in its place. Shape (targets, choices)."""
    rows = [problem.row(thing, level) for thing, level in choices]
    risk = risks(problem, targets, levels, rows)
    at = {target: row for row, target in enumerate(targets)}
    for column, (thing, level) in enumerate(choices):
        if thing in at:
            trial = (*levels[:thing], level, *levels[thing + 1 :])
            risk[at[thing], column] = risks(problem, [thing], trial, [rows[column]])[0, 0]
    return risk


def _finding(
    problem: Problem, thing: int, target: int, risk: float, group: tuple[int, ...] = ()
) -> Finding:
    bits = float(problem.information([problem.row(target, 0)])[0])
    return Finding(thing, target, risk, 0.0, problem.limits[target], bits, group)


def _settle_groups(
    problem: Problem, levels: Levels, settings: GroupSettings, table: RowBits
) -> tuple[Levels, list[Finding], int]:
    """Raise members of risky groups until there is none; and up to which size all groups were weighed."""
    findings: list[Finding] = []
    changed: set[int] | None = None
    complete = settings.size
    while True:
        found, reached = search_groups(problem, levels, settings, changed, table)
        complete = min(complete, reached)
        if not found:
            return levels, findings, complete
        members = sorted({m for group in found for m in group.members})
        losses = _losses(problem, levels, members)
        times = Counter(m for group in found for m in group.members)
        raised = list(levels)
        changed = set()
        for group in found:
            if changed.isdisjoint(group.members):  # else it is looked at again in the next round
                cost = {m: losses[m][0] / times[m] for m in group.members}
                member = min(cost, key=lambda m: (cost[m], m))
                raised[member] = losses[member][1]
                changed.add(member)
                told = _finding(problem, member, group.target, group.risk, group.members)
                findings.append(told)
        levels = tuple(raised)


def _losses(
    problem: Problem, levels: Levels, members: Sequence[int]
) -> dict[int, tuple[float, int]]:
    """For each thing the bits that its next safe option costs, and the level of that."""
    chosen = _best(problem, levels, members, problem.together())
    before = problem.information([problem.row(m, levels[m]) for m in members])
    after = problem.information(
        [problem.row(m, level) for m, level in zip(members, chosen, strict=True)]
    )
    lost = np.maximum(before - after, 0.0).tolist()
    return dict(zip(members, zip(lost, chosen, strict=True), strict=True))


def _joined(problem: Problem, levels: Levels, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """One finding for each thing, the first, with what it tells where it ended."""
    first: dict[int, Finding] = {}
    for finding in findings:
        first.setdefault(finding.thing, finding)
    made = []
    for thing, finding in sorted(first.items()):
        left = 0.0
        if levels[thing] < len(problem.things[thing].options):
            row = problem.row(thing, levels[thing])
            left = float(risks(problem, [finding.target], levels, [row])[0, 0])
        made.append(replace(finding, left=left))
    return tuple(made)
