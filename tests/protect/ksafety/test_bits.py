from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.protect.ksafety import bits, support


@st.composite
def tables(draw: st.DrawFn) -> bits.Bools:
    rows, size = draw(st.integers(0, 150)), draw(st.integers(0, 150))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    return random.random((rows, size)) < draw(st.sampled_from([0.02, 0.5, 0.98]))


@given(tables())
def test_rows_and_tables_are_the_same_thing(table: bits.Bools) -> None:
    rows = bits.from_bools(table)
    assert np.array_equal(bits.to_bools(rows, table.shape[1]), table)
    assert np.array_equal(bits.count(rows), table.sum(axis=1))
    indptr = np.concatenate([[0], np.cumsum(table.sum(axis=1))])
    assert np.array_equal(bits.from_positions(indptr, np.nonzero(table)[1], table.shape[1]), rows)


@given(tables())
def test_transposing_turns_columns_into_rows(table: bits.Bools) -> None:
    turned = bits.transpose(bits.from_bools(table), table.shape[1])
    assert np.array_equal(turned, bits.from_bools(np.ascontiguousarray(table.T)))


@given(tables())
def test_merging_keeps_each_row_once(table: bits.Bools) -> None:
    rows = bits.from_bools(table)
    distinct, which = bits.merge(rows)
    assert np.array_equal(distinct[which], rows)
    assert len(distinct) == len({row.tobytes() for row in rows})


def test_rows_that_share_a_key_are_not_merged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bits, "_MIX", np.zeros(4, dtype=np.uint64))
    rows = np.array([[1], [2], [1], [3]], dtype=np.uint64)
    distinct, which = bits.merge(rows)
    assert np.array_equal(distinct[which], rows)
    assert len(distinct) == 3


@given(tables(), st.integers(1, 20), st.booleans(), st.integers(0, 2**32))
def test_large_and_small_tables_count_the_same_holders(
    table: bits.Bools, need: int, counted: bool, seed: int
) -> None:
    random = np.random.default_rng(seed)
    masks = random.random((30, table.shape[1])) < 0.05
    masks = masks[masks.any(axis=1)]
    counts = random.integers(1, 4, len(table)) if counted else np.ones(len(table), dtype=np.int64)
    expected = [int(counts[table[:, mask].all(axis=1)].sum()) >= need for mask in masks]
    rows, packed = bits.from_bools(table), bits.from_bools(masks)
    columns = bits.transpose(rows, table.shape[1])
    given = counts if counted else None
    small = support.enough_hold(rows, columns, packed, need, given)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(support, "LARGE", 0)
        large = support.enough_hold(rows, columns, packed, need, given)
    assert small.tolist() == large.tolist() == expected


def test_a_mask_without_bits_is_refused() -> None:
    with pytest.raises(ValueError, match="without bits"):
        list(bits.holders(np.ones((1, 1), dtype=np.uint64), np.zeros((1, 1), dtype=np.uint64)))
