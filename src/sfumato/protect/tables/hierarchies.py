"""Generalisation trees over a column's values: the user's own (ARX's files), dates, and prefixes of strings.

Leaves are kept in an order in which every node's leaves stand side by side. So the lowest node
above a whole class is the lowest one above the class' first and last leaf, and classes can be
generalised all at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from sfumato.english.dates import EPOCH
from sfumato.errors import InputError
from sfumato.protect.tables.segments import Floats, Ints, runs

ROOT = "*"
_LONGEST_BEGINNING = 100  # letters: each length at which strings part is a level over all of them

Nodes = np.ndarray[Any, np.dtype[np.int32]]


@dataclass(frozen=True)
class Tree:
    """A generalisation tree whose leaves are a column's values in tree order.

    `nodes`, shape (levels, leaves), int32: the node above each leaf at each level, level 0 being
    the leaf itself, ids ascending from left to right. `labels[level][node]` is what a release
    shows. Where no level joins two leaves the join is the root: of `ranged` trees (dates) the range
    from the first to the last top node, of others everything.
    """

    nodes: Nodes
    labels: tuple[tuple[str, ...], ...]
    ranged: bool = False

    @property
    def leaves(self) -> int:
        return int(self.nodes.shape[1])

    @cached_property
    def _bounds(self) -> tuple[tuple[Ints, Ints], ...]:
        """First and last leaf of each leaf's node, for each level."""
        bounds = []
        for nodes in self.nodes:
            ids = np.arange(int(nodes.max(initial=-1)) + 1)
            first, after = np.searchsorted(nodes, ids, "left"), np.searchsorted(nodes, ids, "right")
            bounds.append((first[nodes], after[nodes] - 1))
        return tuple(bounds)

    def extent(self, low: Ints, high: Ints) -> tuple[Ints, Ints]:
        """First and last leaf of the lowest node above leaves `low` … `high`, element by element."""
        if self.ranged:
            first, last = self._bounds[-1][0][low], self._bounds[-1][1][high]
        else:
            first, last = np.zeros_like(low), np.full_like(high, self.leaves - 1)
        for nodes, (begin, end) in zip(self.nodes[::-1], self._bounds[::-1], strict=True):
            joined = nodes[low] == nodes[high]
            first = np.where(joined, begin[low], first)
            last = np.where(joined, end[low], last)
        return first, last

    def share(self, low: Ints, high: Ints) -> Floats:
        """NCP_cat of the join of `low` … `high` (eq. 5): leaves below it by all leaves, 0 for a leaf."""
        first, last = self.extent(low, high)
        return np.where(first == last, 0.0, (last - first + 1) / max(self.leaves, 1))

    def label(self, first: int, last: int) -> str:
        """What a release shows for the node whose leaves are `first` … `last`."""
        for nodes, names in zip(self.nodes, self.labels, strict=True):
            if nodes[first] == nodes[last]:
                return names[int(nodes[first])]
        if self.ranged:
            top, names = self.nodes[-1], self.labels[-1]
            return f"[{names[int(top[first])]}-{names[int(top[last])]}]"
        return ROOT


def from_paths(paths: Sequence[Sequence[str]]) -> tuple[Tree, tuple[str, ...]]:
    """A tree from each leaf's path (leaf first, root last), and the leaves in tree order.

    A node is a label *with all that stands above it*: one label under two parents is two nodes.
    Paths of unequal length and a leaf that appears twice are errors.

    >>> tree, leaves = from_paths([("Lyon", "France", "*"), ("Rome", "Italy", "*"), ("Nice", "France", "*")])
    >>> leaves
    ('Lyon', 'Nice', 'Rome')
    >>> tree.share(np.array([0, 0]), np.array([1, 2])).round(2).tolist()
    [0.67, 1.0]
    >>> tree.label(0, 1)
    'France'
    """
    if not paths or not paths[0]:
        raise InputError("a hierarchy holds no values: give it one row for each value")
    depth = len(paths[0])
    for row, path in enumerate(paths, 1):
        if len(path) != depth:
            raise InputError(
                f"hierarchy row {row} has {len(path)} levels where row 1 has {depth}: make them equal"
            )
    order = sorted(paths, key=lambda path: tuple(reversed(path)))
    leaves = tuple(path[0] for path in order)
    if len(set(leaves)) < len(leaves):
        raise InputError("a hierarchy names a value twice: give each value one row")
    nodes = np.zeros((depth, len(order)), np.int32)
    labels: list[tuple[str, ...]] = []
    for level in range(depth):
        names = [order[0][level]]
        for place, (before, here) in enumerate(pairwise(order), 1):
            if before[level:] != here[level:]:
                names.append(here[level])
            nodes[level, place] = len(names) - 1
        labels.append(tuple(names))
    return Tree(nodes, tuple(labels)), leaves


def cover(
    paths: Sequence[Sequence[str]], values: Iterable[str], name: str = "hierarchy"
) -> tuple[Tree, tuple[str, ...]]:
    """The tree of `paths`, with an error where one of a column's `values` is not in it.

    The message counts what is missing and does not name it.
    """
    known = {path[0] for path in paths if path}
    missing = sum(value not in known for value in set(values))
    if missing:
        raise InputError(
            f"the hierarchy of {name} lacks {missing} of the column's values: add a row for each"
        )
    return from_paths(paths)


def dates(days: Ints) -> Tree:
    """El Emam's tree over distinct, ascending `days` (since 1970-01-01): day, month, year, range of years.

    >>> tree = dates(np.array([12418, 12431, 12600, 13013]))
    >>> [tree.label(0, last) for last in range(4)]
    ['2004-01-01', '2004-01', '2004', '[2004-2005]']
    """
    calendar = [EPOCH + timedelta(days=int(day)) for day in days]
    names = [[day.isoformat() for day in calendar]]
    names.append([name[:7] for name in names[0]])
    names.append([name[:4] for name in names[0]])
    nodes, labels = [], []
    for level in names:
        _, codes = np.unique(np.array(level, dtype="U10"), return_inverse=True)
        nodes.append(codes.astype(np.int32))
        labels.append(tuple(sorted(set(level))))
    return Tree(np.array(nodes, np.int32).reshape(3, -1), tuple(labels), ranged=True)


def prefixes(values: Sequence[str]) -> Tree:
    """The tree of common beginnings over distinct, ascending `values`: strings are cut from the right.

    >>> tree = prefixes(["8010", "8011", "8020"])
    >>> [tree.label(0, last) for last in range(3)]
    ['8010', '801*', '80*']
    """
    shared = np.array([_common(left, right) for left, right in pairwise(values)], np.int64)
    shared = np.minimum(shared, _LONGEST_BEGINNING)
    nodes = [np.arange(len(values), dtype=np.int32)]
    labels = [tuple(values)]
    # only lengths at which two neighbours are joined give a level of their own
    for length in sorted(set(shared.tolist()) - {0}, reverse=True):
        new = np.ones(len(values), np.bool_)
        new[1:] = shared < length
        # a value that stands alone at this length stays whole
        node = np.cumsum(new) - 1
        nodes.append(node.astype(np.int32))
        begin, size = runs(node)
        labels.append(
            tuple(
                values[place] if many == 1 else values[place][:length] + ROOT
                for place, many in zip(begin.tolist(), size.tolist(), strict=True)
            )
        )
    return Tree(np.array(nodes, np.int32), tuple(labels))


def _common(left: str, right: str) -> int:
    for place, (a, b) in enumerate(zip(left, right, strict=False)):
        if a != b:
            return place
    return min(len(left), len(right))
