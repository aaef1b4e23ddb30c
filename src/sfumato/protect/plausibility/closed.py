"""Closed cuts: rungs that hold against an adversary who runs the program himself.

A least-cost search tells on itself: of the originals below a released rung only those count that it would
have led there. A closed cut is safe by construction. Every value of a tree waits at the node above it; from
the bottom to the top, a node where at least tau values wait releases all of them, together, under its own
name. So the values that are released as a node are exactly its class, and the class is all that the adversary
is left with. With n facts in a unit and tau = ⌈t^(1/n)⌉, which depends on nothing but what the release shows,
at least t combinations lead to the same release.

What no node releases gets a label. So that the label does not tell it from a few others, the smallest
class gets labels as well where fewer than tau values are left over.

Of several facts of one tree, one may lie in another, and the text may tell that: then tau such pairs (or
chains of more) must be left, too, wherever a node could release one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from sfumato.know.taxonomy.softening import depths

Ints = np.ndarray[Any, np.dtype[np.int64]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]
NOWHERE = -1


class ClosedTree:
    """A tree of nodes, each with its parent (the root is its own), whether it is itself a value that a text
    may have, whether it can be said in the place of another, how many of those below it its own name
    tells: they do not count; and which values certainly come out as planned, whatever stands beside them.

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
        sure: Bools | None = None,
    ) -> None:
        self.parents = np.asarray(parents, dtype=np.int64)
        everywhere = np.ones(len(self.parents), dtype=bool)
        self.values = everywhere if values is None else np.asarray(values, dtype=bool)
        self.sayable = everywhere if sayable is None else np.asarray(sayable, dtype=bool)
        nothing = np.zeros(len(self.parents), dtype=np.int64)
        self.told = nothing if told is None else np.asarray(told, dtype=np.int64)
        self.sure = self.values if sure is None else sure
        self._floors = _floors(self.parents)
        self._cuts: dict[tuple[int, int, int], ClosedCut] = {}

    def cut(self, tau: int, diverse: int = 1, others: int = 0) -> ClosedCut:
        """The closed cut for a number of values; if they are to be `diverse`, directly below so many
        different nodes below the one that releases them; if so many `others` may lie in each other, as many
        chains of each length. Kept, as it is the same for every text."""
        key = tau, diverse, others
        if key not in self._cuts:
            self._cuts[key] = self._cut(*key)
        return self._cuts[key]

    def _cut(self, tau: int, diverse: int, others: int) -> ClosedCut:
        waiting = np.zeros_like(self.told)
        sorts = np.zeros_like(waiting)  # of parents, below each node, of the values that wait at it
        is_parent = np.zeros_like(self.values)
        is_parent[self.parents[self.values & (self.parents != np.arange(len(waiting)))]] = True
        releases = np.zeros(len(self.parents), dtype=bool)
        # below what waits at each node, by their length: chains that come out there, and such as may
        sure, any_ = (self._chains(mask, others) for mask in (self.sure, self.values))
        chains, may = np.zeros_like(sure), np.zeros_like(any_)
        for floor in reversed(self._floors):
            enough = waiting[floor] - self.told[floor] >= tau
            enough &= (sorts[floor] >= diverse) | (diverse == 1)
            enough &= ((chains[:, floor] >= tau) | (may[:, floor] == 0)).all(axis=0)
            releases[floor] = self.sayable[floor] & enough
            if self.parents[floor[0]] != floor[0]:
                above, still = self.parents[floor], ~releases[floor]
                np.add.at(waiting, above, waiting[floor] * still + self.values[floor])
                np.add.at(sorts, above, (sorts[floor] + is_parent[floor]) * still)
                for all_, own, mask in ((chains, sure, self.sure), (may, any_, self.values)):
                    more = np.where(mask[floor], own[:, floor], all_[:, floor] * still)
                    np.add.at(all_.T, above, more.T)
        exits = np.full(len(self.parents), NOWHERE, dtype=np.int64)
        left = self._left_over(waiting, releases)
        hidden = self._smallest(waiting, releases) if 0 < left < tau else NOWHERE
        for floor in self._floors:
            above = exits[self.parents[floor]]
            exits[floor] = np.where(releases[floor], floor, above)
            exits[floor[floor == hidden]] = NOWHERE
        return ClosedCut(self.parents, exits, np.where(releases, waiting, 0))

    def _chains(self, mask: Bools, longest: int) -> Ints:
        """How many values lie below each node with none, one, two … between them and it: shape (longest,
        nodes)."""
        made = np.zeros((longest, len(self.parents)), dtype=np.int64)
        at = np.flatnonzero(mask)
        between = np.zeros_like(at)
        while longest and len(at):
            is_below = self.parents[at] != at
            at, between = self.parents[at[is_below]], between[is_below]
            for fewest in range(longest):
                np.add.at(made[fewest], at[between >= fewest], 1)
            between = between + mask[at]
        return made

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

    def holding(self, nodes: Ints) -> Bools:
        """Which nodes have one of some below."""
        made = np.zeros(len(self.parents), dtype=bool)
        at = nodes
        while len(at):
            at = np.unique(self.parents[at[self.parents[at] != at]])
            at = at[~made[at]]
            made[at] = True
        return made

    @lru_cache(maxsize=1024)  # noqa: B019 - trees are few, and live as long as the program
    def below(self, node: int) -> Ints:
        """The nodes below one."""
        held = np.arange(len(self.parents)) == node
        for floor in self._floors:
            held[floor] |= held[self.parents[floor]]
        held[node] = False
        return np.flatnonzero(held)


@dataclass(frozen=True, eq=False)
class ClosedCut:
    """Where the values of a tree are released: `exits` has, for a node, where what waits at it comes out."""

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
    depth = depths(parents)
    order = np.argsort(depth, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(depth[order])) + 1)
