"""Clusters: what the fast losses say is what a plain count says, and exchanges only help."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.protect.tables import Classes, clusters, measure, nominal, numbers, persons, sweep
from sfumato.protect.tables.block import Block, Group, without_each
from sfumato.protect.tables.classes import numbered
from sfumato.protect.tables.clusters import grow
from sfumato.protect.tables.exchange import exchange
from sfumato.protect.tables.problem import MISSING, Column, Persons
from sfumato.protect.tables.segments import Ints
from tests.protect.tables.random_persons import tables


def _block(table: Persons, k: int = 1) -> Block:
    return Block(table, np.arange(table.count), k, 0.5, 0.5)


def _gaps(table: Persons) -> bool:
    return any((column.low == MISSING).any() for column in table.columns)


@given(data=st.data(), table=tables(least=2))
def test_the_loss_of_a_block_is_the_measured_loss(data: st.DataObject, table: Persons) -> None:
    """Up to what all persons lose if everything goes; empty cells are judged more harshly in search."""
    if _gaps(table):
        return
    labels = np.array(
        data.draw(st.lists(st.integers(0, 2), min_size=table.count, max_size=table.count))
    )
    classes = Classes(numbered(labels))
    block = _block(table)
    having = np.bincount(table.terms.owner, table.terms.weight, table.count).sum() / 2
    total = sum(block.loss(classes.members(i)) for i in range(classes.count)) + having
    assert total == pytest.approx(measure(table, classes).per_person.sum())


@given(data=st.data(), table=tables(least=3))
def test_joining_and_leaving_cost_what_a_new_count_says(
    data: st.DataObject, table: Persons
) -> None:
    block = _block(table)
    size = data.draw(st.integers(2, table.count - 1))
    members, others = np.arange(size), np.arange(size, table.count)
    group = Group(block, members)
    expected = [block.loss(np.append(members, other)) for other in others]
    assert np.allclose(group.with_each(others), expected)
    assert np.allclose(
        without_each(block, members), [block.loss(np.delete(members, i)) for i in range(size)]
    )
    group.add(int(others[0]))
    assert group.loss() == pytest.approx(expected[0])


@given(table=tables(least=4), k=st.integers(2, 4))
def test_exchanges_never_raise_the_loss_and_keep_k(table: Persons, k: int) -> None:
    if table.count < k:
        return
    block = _block(table, k)
    parts = np.array_split(np.arange(table.count), table.count // k)
    better = exchange(block, parts, k, 3)
    assert sorted(np.concatenate(better).tolist()) == list(range(table.count))
    assert min(len(p) for p in better) >= k
    assert sum(map(block.loss, better)) <= sum(map(block.loss, parts)) + 1e-9


@given(table=tables(least=4), k=st.integers(1, 4))
def test_grown_classes_hold_everybody_once(table: Persons, k: int) -> None:
    if table.count >= k:
        parts = grow(_block(table, k), k)
        assert sorted(np.concatenate(parts).tolist()) == list(range(table.count))
        assert all(k <= len(p) for p in parts)


def test_fewer_than_k_persons_are_an_error() -> None:
    with pytest.raises(InputError, match="2 persons are fewer than k = 3"):
        clusters(persons([numbers("age", [1, 2])]), 3)


def test_the_columns_asked_for_their_loss_grow_with_the_columns_not_with_their_square(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Column] = []
    count = sweep._distinct_so_far

    def counted(column: Column, ordered: Ints) -> Ints:
        asked.append(column)
        return count(column, ordered)

    monkeypatch.setattr(sweep, "_distinct_so_far", counted)
    random = np.random.default_rng(5)

    def work(columns: int) -> int:
        asked.clear()
        cells = random.choice(["aa", "bb"], size=(columns, 10))
        cut = sweep.PersonCuts(
            persons([nominal(f"c{i}", each.tolist()) for i, each in enumerate(cells)]), 2, 0.5, 0.5
        )
        cut.parts(np.arange(10), 4)
        return len(asked)

    assert work(240) < 6 * work(60)


def test_a_column_that_can_be_cut_is_found_among_many_wider_ones() -> None:
    """One person far away makes a column wide, but no cut leaves k on either side of it."""
    wide = [numbers(f"c{i}", [9] * 7 + [0]) for i in range(40)]
    narrow = nominal("d", [*"aabbaabb"])
    table = persons([*wide, narrow])
    parts = sweep.PersonCuts(table, 2, 0.5, 0.5).parts(np.arange(8), 8)
    assert {tuple(p.tolist()) for p in parts} == {(0, 1, 4, 5), (2, 3, 6, 7)}
