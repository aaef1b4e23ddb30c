"""Closed cuts against their definition, told in the slowest way."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.know.taxonomy import wordnet
from sfumato.protect.plausibility.closed import NOWHERE, ClosedTree


@st.composite
def trees(draw: st.DrawFn) -> ClosedTree:
    size = draw(st.integers(1, 40))
    parents = [0, *(draw(st.integers(0, i - 1)) for i in range(1, size))]
    values = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    sayable = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    order = draw(st.permutations(range(size)))  # a parent may have a higher number than its child
    place = {node: at for at, node in enumerate(order)}
    return ClosedTree(
        [place[parents[node]] for node in order],
        [values[node] for node in order],
        [sayable[node] for node in order],
    )


def slow_classes(tree: ClosedTree, tau: int) -> tuple[dict[int, list[int]], list[int]]:
    """The classes by their node, and what is left over, by going up one by one."""
    parents, classes = tree.parents.tolist(), {}

    def up(node: int) -> list[int]:
        below = [i for i, p in enumerate(parents) if p == node and i != node]
        waiting = [v for i in below for v in [*up(i), *([i] if tree.values[i] else [])]]
        if tree.sayable[node] and len(waiting) >= tau:
            classes[node] = sorted(waiting)
            return []
        return waiting

    left = up(next(i for i, p in enumerate(parents) if p == i))
    return classes, left


@given(trees(), st.integers(1, 12))
def test_a_cut_has_the_classes_of_the_definition(tree: ClosedTree, tau: int) -> None:
    classes, left = slow_classes(tree, tau)
    cut = tree.cut(tau)
    for node, members in classes.items():
        assert cut.size(node) == len(members)
        assert {cut.released_as(v) for v in members} <= {node, NOWHERE}
    assert all(cut.released_as(v) == NOWHERE for v in left)


@given(trees(), st.integers(1, 12))
def test_whoever_inverts_a_cut_is_left_with_tau_values(tree: ClosedTree, tau: int) -> None:
    root = next(i for i, p in enumerate(tree.parents.tolist()) if p == i)
    cut = tree.cut(tau)
    said = Counter(cut.released_as(v) for v in np.flatnonzero(tree.values).tolist() if v != root)
    nowhere = said.pop(NOWHERE, 0)
    assert all(many >= tau for many in said.values())
    # a label, too, stands for tau values, unless no class could be formed at all
    assert nowhere == 0 or nowhere >= tau or not said


@given(trees(), st.integers(1, 12))
def test_nothing_is_released_as_itself_or_as_what_does_not_contain_it(
    tree: ClosedTree, tau: int
) -> None:
    cut = tree.cut(tau)
    for value in range(len(tree.parents)):
        node = cut.released_as(value)
        if tree.parents[value] != value:
            assert node == NOWHERE or node in tree.above(value)


@pytest.mark.parametrize("tau", [5, 20, 100])
def test_all_of_wordnet_is_cut_into_classes_of_tau(tau: int) -> None:
    words = wordnet.default()
    above = [words.parent(n) for n in range(len(words))]
    tree = ClosedTree([n if p is None else p for n, p in enumerate(above)])
    cut = tree.cut(tau)
    nodes = np.array([cut.released_as(n) for n in range(len(words))])
    sizes = np.unique(nodes[nodes != NOWHERE], return_counts=True)[1]
    assert sizes.min() >= tau
    assert (nodes == NOWHERE).sum() < 2 * tau + sizes.min()
