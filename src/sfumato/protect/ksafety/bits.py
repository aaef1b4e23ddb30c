"""Sets as rows of 64-bit words: bit `i` of a row is bit `i % 64` of its word `i // 64`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

Words = np.ndarray[Any, np.dtype[np.uint64]]
Ints = np.ndarray[Any, np.dtype[np.int64]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]

CHUNK = 1 << 16  # words that stay in the processor's cache

# Odd numbers that spread a word over 64 bits, one for every word of a row, taken in turn.
_MIX = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93],
    dtype=np.uint64,
)
# The three steps that transpose 8 × 8 bits in a word: which bits change places, and how far.
_TURN = tuple(
    (np.uint64(shift), np.uint64(mask))
    for shift, mask in ((7, 0x00AA00AA00AA00AA), (14, 0x0000CCCC0000CCCC), (28, 0x00000000F0F0F0F0))
)


def width(size: int) -> int:
    """How many words a row of `size` bits takes; never none, so that rows of no bits can be told apart
    from no rows.

    >>> width(0), width(64), width(65)
    (1, 1, 2)
    """
    return max(1, -(-size // 64))


def from_positions(indptr: Ints, indices: np.ndarray[Any, Any], size: int) -> Words:
    """Rows from positions in CSR form; a position may be named twice in a row.

    >>> from_positions(np.array([0, 2, 2]), np.array([0, 65]), 66).tolist()
    [[1, 2], [0, 0]]
    """
    made = np.zeros((len(indptr) - 1, width(size)), dtype=np.uint64)
    filled = np.flatnonzero(indptr[1:] > indptr[:-1])
    if not len(filled):
        return made
    word, bit = np.divmod(indices, 64)
    bits = np.left_shift(np.uint64(1), bit.astype(np.uint64))
    for w in range(made.shape[1]):
        # Rows without positions are left out: reduceat would give them their neighbour's first one.
        here = np.where(word == w, bits, np.uint64(0)) if made.shape[1] > 1 else bits
        made[filled, w] = np.bitwise_or.reduceat(here, indptr[filled])
    return made


def from_bools(table: Bools) -> Words:
    """Rows from a table of shape (rows, bits)."""
    rows, size = table.shape
    made = np.zeros((rows, width(size) * 8), dtype=np.uint8)
    packed = np.packbits(table, axis=1, bitorder="little")
    made[:, : packed.shape[1]] = packed
    return made.view("<u8").astype(np.uint64, copy=False)


def to_bools(rows: Words, size: int) -> Bools:
    """The table of shape (rows, `size`) that rows stand for."""
    data = np.ascontiguousarray(rows).astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(data, axis=-1, count=size, bitorder="little").view(np.bool_)


def transpose(rows: Words, size: int) -> Words:
    """Columns as rows: bit `i` of row `t` is bit `t` of `rows[i]`, for `size` bits t.

    >>> transpose(np.array([[0b01], [0b11]], dtype=np.uint64), 2).tolist()
    [[3], [2]]
    """
    many = 8 * width(len(rows))  # bytes of a row of the result
    data = np.zeros((8 * many, rows.shape[1] * 8), dtype=np.uint8)
    data[: len(rows)] = np.ascontiguousarray(rows).astype("<u8", copy=False).view(np.uint8)
    data = data[:, : -(-size // 8)]
    # Bytes are moved first: then a word holds 8 bits of 8 rows, and these are turned in place.
    blocks = np.ascontiguousarray(data.reshape(many, 8, -1).transpose(2, 0, 1)).view("<u8")[..., 0]
    for shift, mask in _TURN:
        swap = blocks >> shift
        swap ^= blocks
        swap &= mask
        blocks ^= swap
        swap <<= shift
        blocks ^= swap
    turned = blocks[..., None].view(np.uint8).transpose(0, 2, 1)
    made = np.ascontiguousarray(turned).reshape(-1, many)[:size]
    return made.view("<u8").astype(np.uint64, copy=False)


def count(rows: Words) -> Ints:
    """How many bits are set in each row, whatever the shape before the last axis."""
    found: Ints = np.bitwise_count(rows).sum(axis=-1, dtype=np.int64)
    return found


def positions(row: Words) -> list[int]:
    """The bits that are set in one row, ascending."""
    return np.flatnonzero(to_bools(row[None], 64 * len(row))[0]).tolist()


def merge(rows: Words) -> tuple[Words, Ints]:
    """The distinct rows, in an order that depends on nothing but them, and for every row which it is."""
    key = np.zeros(len(rows), dtype=np.uint64)
    for w in range(rows.shape[1]):
        key = (key ^ rows[:, w]) * _MIX[w % len(_MIX)]
        key ^= key >> np.uint64(29)
    order = np.argsort(key)  # equal keys are equal rows, in whatever order
    ranked = key[order]
    same = _like_the_one_before(rows, order)
    if not np.array_equal(same, ranked[1:] == ranked[:-1]):  # two rows share a key
        order = np.lexsort(rows.T)
        same = _like_the_one_before(rows, order)
    first = np.ones(len(rows), dtype=np.bool_)
    first[1:] = ~same
    which = np.empty(len(rows), dtype=np.int64)
    which[order] = np.cumsum(first) - 1
    return rows[order[first]], which


def _like_the_one_before(rows: Words, order: Ints) -> Bools:
    same = np.ones(max(0, len(rows) - 1), dtype=np.bool_)
    for w in range(rows.shape[1]):
        column = rows[:, w][order]
        same &= column[1:] == column[:-1]
    return same


def holders(columns: Words, masks: Words) -> Iterator[tuple[slice, Words]]:
    """For each mask the rows that hold all its bits, as sets over the rows; from the transposed rows.

    A mask without bits would be held by rows that do not exist, and is an error. The sets come in runs,
    small enough to stay in the processor's cache.
    """
    if not masks.any(axis=1).all():
        raise ValueError("a mask without bits")
    step = max(1, CHUNK // columns.shape[1])
    for start in range(0, len(masks), step):
        run = slice(start, min(start + step, len(masks)))
        table = to_bools(masks[run], len(columns))
        sets = np.full((len(table), columns.shape[1]), ~np.uint64(0))
        for term in np.flatnonzero(table.any(axis=0)).tolist():
            having = np.flatnonzero(table[:, term])
            if len(having) == len(sets):
                sets &= columns[term]
            else:
                sets[having] &= columns[term]
        yield run, sets
