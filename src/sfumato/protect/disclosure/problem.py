"""A document as the sanitizer sees it: things, what each may become, and which of them stand together.

A *thing* is all mentions of one term: it is decided once. Its *options* are rows of the counts, itself first,
then its generalisations from specific to general. A *level* says which option is shown; the level after the
last option means that the thing is removed. A hidden thing starts above level 0 and never comes back to it.
One that was *softened* before starts there too, but nothing is kept from anybody: it only tells less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.protect.disclosure import measures
from sfumato.protect.disclosure.counts import EVERYTHING, Counts, Floats
from sfumato.protect.disclosure.thresholds import Threshold, is_risky, limits

Levels = tuple[int, ...]  # one for each thing


@dataclass(frozen=True, slots=True)
class Thing:
    """The rows that a thing may show, and the level at which it comes in.

    `assessed`: whether the counts know enough about a hidden thing to tell what gives it away.
    `softened`: it stands above its own words because it told too much of another thing.
    """

    options: tuple[int, ...]
    start: int = 0
    assessed: bool = True
    softened: bool = False

    def __post_init__(self) -> None:
        if not self.options or not 0 <= self.start <= len(self.options):
            raise ValueError("a thing needs an option, and a level from 0 to their number")

    @property
    def hidden(self) -> bool:
        return self.start > 0 and not self.softened

    def row(self, level: int) -> int:
        """What stands in the text at a level; everything may, where the thing was removed."""
        return self.options[level] if level < len(self.options) else EVERYTHING


@dataclass(frozen=True, slots=True)
class Context:
    """Things that stand together, by number, and the hidden ones among them that they may give away."""

    targets: tuple[int, ...]
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """Things, contexts, and for each hidden thing how much may be told."""

    counts: Counts
    things: tuple[Thing, ...]
    contexts: tuple[Context, ...]
    limits: tuple[float, ...]  # bits, one for each thing; infinite for open ones
    strict: bool = False

    @property
    def start(self) -> Levels:
        """The levels at which the things come in."""
        return tuple(t.start for t in self.things)

    def row(self, thing: int, level: int) -> int:
        return self.things[thing].row(level)

    def targets(self) -> list[int]:
        """The hidden things of which the counts know enough, in order."""
        return [i for i, t in enumerate(self.things) if t.hidden and t.assessed]

    def together(self) -> NDArray[np.bool_]:
        """Which targets stand in a context with which things; shape (targets, things)."""
        at = {thing: row for row, thing in enumerate(self.targets())}
        found = np.zeros((len(at), len(self.things)), dtype=np.bool_)
        for context in self.contexts:
            rows = [at[t] for t in context.targets if t in at]
            if rows:
                found[np.ix_(rows, context.members)] = True
        return found

    def information(self, rows: Sequence[int]) -> Floats:
        """IC of rows, equation (1); shape (rows,)."""
        return measures.information(self.counts.p(rows))


def pose(
    counts: Counts, things: Sequence[Thing], contexts: Sequence[Context], threshold: Threshold
) -> Problem:
    """A problem whose limits follow from a threshold (section 3.5)."""
    hidden = [i for i, t in enumerate(things) if t.hidden]
    known = [i for i in hidden if things[i].assessed]
    shown = [things[i].row(things[i].start) for i in known]
    bits = measures.information(counts.p([things[i].options[0] for i in known]))
    general = np.minimum(bits, measures.information(counts.p(shown)))[
        np.array(shown, int) != EVERYTHING
    ]
    found = np.full(len(things), np.inf)
    found[known] = limits(threshold, bits, general)
    return Problem(counts, tuple(things), tuple(contexts), tuple(found.tolist()), threshold.strict)


def risks(problem: Problem, targets: Sequence[int], levels: Levels, rows: Sequence[int]) -> Floats:
    """DR of each target by each row, given what stands in the targets' places: equation (16), or (3) for a
    removed one; shape (targets, rows), bits."""
    if not targets or not rows:
        return np.zeros((len(targets), len(rows)))
    hidden = [problem.row(t, 0) for t in targets]
    general = [problem.row(t, levels[t]) for t in targets]
    # Many hidden things stand as one word ("person"), many things climb to one.
    columns, column_of = _once(rows)
    places, place_of = _once(general)
    p_s = problem.counts.p(hidden)[:, None]
    p_sq = problem.counts.joint(hidden, columns)
    # Whatever holds s holds g, of which it is a sort.
    p_gq = np.maximum(problem.counts.joint(places, columns)[place_of], p_sq)
    return measures.risk(p_s, p_sq, p_gq)[:, column_of]


def _once(rows: Sequence[int]) -> tuple[list[int], list[int]]:
    """Rows without repetition, and where each of the given ones is among them."""
    at = {row: number for number, row in enumerate(dict.fromkeys(rows))}
    return list(at), [at[row] for row in rows]


def risky(problem: Problem, targets: Sequence[int], risk: Floats) -> NDArray[np.bool_]:
    """Which of the risks of some targets, shape (targets, …), reach the limits."""
    bound = np.array([problem.limits[t] for t in targets]).reshape(-1, *[1] * (risk.ndim - 1))
    return is_risky(risk, bound, problem.strict)
