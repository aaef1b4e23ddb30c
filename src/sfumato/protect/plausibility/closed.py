"""Closed cuts: rungs that hold against an adversary who runs the program himself.

A least-cost search tells on itself: of the originals below a released rung only those count that it would
have led there. A closed cut is safe by construction. Every value of a tree waits at the node above it; from
the bottom to the top, a node where at least tau values wait releases all of them, together, under its own
name. So the values that are released as a node are exactly its class, and the class is all that the adversary
is left with. With n facts in a unit and tau = ⌈t^(1/n)⌉, which depends on nothing but what the release shows,
at least t combinations lead to the same release.

What no node releases gets a label. So that the label does not tell it from a few others, the smallest
class gets labels as well where fewer than tau values are left over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Ints = np.ndarray[Any, np.dtype[np.int64]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]
NOWHERE = -1


class ClosedTree:
    """A tree of nodes, each with its parent (the root is its own), whether it is itself a value that a text
    may have, whether it can be said in the place of another, and how many of those below it its own name
    tells: they do not count.

    >>> tree = ClosedTree(parents=[0, 0, 0, 1, 1, 2])
    >>> cut = tree.cut(2)
    >>> cut.released_as(3), cut.released_as(5), cut.size(1)
    (1, 0, 2)
    """

    def __init__(
        self,
        parents: Sequence[int] | Ints,
        values: Sequence[bool] | Bools | None = None,
        sayable: Sequence[bool] | Bools | None = None,
        told: Sequence[int] | Ints | None = None,
    ) -> None:
        self.parents = np.asarray(parents, dtype=np.int64)
        everywhere = np.ones(len(self.parents), dtype=bool)
        self.values = everywhere if values is None else np.asarray(values, dtype=bool)
        self.sayable = everywhere if sayable is None else np.asarray(sayable, dtype=bool)
        nothing = np.zeros(len(self.parents), dtype=np.int64)
        self.told = nothing if told is None else np.asarray(told, dtype=np.int64)
        self._floors = _floors(self.parents)
        self._cuts: dict[tuple[int, int], ClosedCut] = {}

    def cut(self, tau: int, diverse: int = 1) -> ClosedCut:
        """The closed cut for a number of values; if they are to be `diverse`, directly below so many
        different nodes below the one that releases them. Kept, as it is the same for every text."""
        if (tau, diverse) not in self._cuts:
            self._cuts[tau, diverse] = self._cut(tau, diverse)
        return self._cuts[tau, diverse]

    def _cut(self, tau: int, diverse: int) -> ClosedCut:
        waiting = np.zeros_like(self.told)
        sorts = np.zeros_like(waiting)  # of parents, below each node, of the values that wait at it
        is_parent = np.zeros_like(self.values)
        is_parent[self.parents[self.values & (self.parents != np.arange(len(waiting)))]] = True
        releases = np.zeros(len(self.parents), dtype=bool)
        for floor in reversed(self._floors):
            enough = waiting[floor] - self.told[floor] >= tau
            enough &= (sorts[floor] >= diverse) | (diverse == 1)
            releases[floor] = self.sayable[floor] & enough
            if self.parents[floor[0]] != floor[0]:
                above, still = self.parents[floor], ~releases[floor]
                np.add.at(waiting, above, waiting[floor] * still + self.values[floor])
                np.add.at(sorts, above, (sorts[floor] + is_parent[floor]) * still)
        exits = np.full(len(self.parents), NOWHERE, dtype=np.int64)
        left = self._left_over(waiting, releases)
        hidden = self._smallest(waiting, releases) if 0 < left < tau else NOWHERE
        for floor in self._floors:
            above = exits[self.parents[floor]]
            exits[floor] = np.where(releases[floor], floor, above)
            exits[floor[floor == hidden]] = NOWHERE
        return ClosedCut(tau, self.parents, exits, np.where(releases, waiting, 0))

    def _left_over(self, waiting: Ints, releases: Bools) -> int:
        """How many values reach the root and are not released there. (The root itself is none: it tells
        nothing.)"""
        root = int(self._floors[0][0])
        return 0 if releases[root] else int(waiting[root])

    def _smallest(self, waiting: Ints, releases: Bools) -> int:
        classes = np.flatnonzero(releases)
        return int(classes[np.argmin(waiting[classes])]) if len(classes) else NOWHERE

    def above(self, node: int) -> list[int]:
        """The nodes above one, the nearest first."""
        found: list[int] = []
        while (parent := int(self.parents[node])) != node:
            found.append(parent)
            node = parent
        return found


@dataclass(frozen=True, eq=False)
class ClosedCut:
    """Where the values of a tree are released: `exits` has, for a node, where what waits at it comes out."""

    tau: int
    parents: Ints = field(repr=False)
    exits: Ints = field(repr=False)
    sizes: Ints = field(repr=False)  # of the classes, by the node that releases them; 0 for others

    def released_as(self, value: int) -> int:
        """The node under whose name a node's value is released; `NOWHERE` for a label."""
        return int(self.exits[self.parents[value]])

    def size(self, node: int) -> int:
        """How many values are released as this node."""
        return int(self.sizes[node])


def _floors(parents: Ints) -> list[Ints]:
    """The nodes by their distance from the root."""
    depth = np.zeros(len(parents), dtype=np.int64)
    above, step = parents.copy(), np.arange(len(parents))
    while (above != step).any():  # each goes up until it is its own parent
        depth += above != step
        step, above = above, parents[above]
    order = np.argsort(depth, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(depth[order])) + 1)
