"""Operations on many groups at once: a group is a run of consecutive places in an array."""

from __future__ import annotations

from typing import Any

import numpy as np

Ints = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]


def starts_of(sizes: Ints) -> Ints:
    """Where each group begins, and after the last one the end: shape (groups + 1,).

    >>> starts_of(np.array([2, 0, 3])).tolist()
    [0, 2, 2, 5]
    """
    bounds = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=bounds[1:])
    return bounds


def spread(starts: Ints, sizes: Ints) -> Ints:
    """The places of the given runs, one run after the other.

    >>> spread(np.array([10, 4]), np.array([2, 3])).tolist()
    [10, 11, 4, 5, 6]
    """
    bounds = starts_of(sizes)
    return np.arange(bounds[-1], dtype=np.int64) + np.repeat(starts - bounds[:-1], sizes)


def first_of_run(*keys: Ints) -> Bools:
    """Whether a place differs from the one before it in any of the keys.

    >>> first_of_run(np.array([1, 1, 2, 2]), np.array([0, 0, 0, 5])).tolist()
    [True, False, True, True]
    """
    new = np.zeros(len(keys[0]), np.bool_)
    new[:1] = True
    for key in keys:
        new[1:] |= key[1:] != key[:-1]
    return new


def runs(*keys: Ints) -> tuple[Ints, Ints]:
    """Where each run of equal keys begins, and how long it is.

    >>> [a.tolist() for a in runs(np.array([1, 1, 2, 2]), np.array([0, 0, 0, 5]))]
    [[0, 2, 3], [2, 1, 1]]
    """
    begin = np.flatnonzero(first_of_run(*keys))
    return begin, np.diff(np.append(begin, len(keys[0])))


def entries_of(indptr: Ints, rows: Ints) -> tuple[Ints, Ints]:
    """Where the entries of these rows stand, one row after the other, and whose each is: a place in `rows`.

    >>> [a.tolist() for a in entries_of(np.array([0, 2, 2, 5]), np.array([2, 0]))]
    [[2, 3, 4, 0, 1], [0, 0, 0, 1, 1]]
    """
    begin = indptr[rows]
    size = indptr[rows + 1] - begin
    return spread(begin, size), np.repeat(np.arange(len(rows)), size)


def split_stably(group: Ints, side: Bools) -> Ints:
    """The order that puts each group's False before its True and keeps all else as it is.

    `group` is ascending; cost is linear, where a stable sort would not be.

    >>> split_stably(np.array([0, 0, 0, 1]), np.array([True, False, True, False])).tolist()
    [1, 0, 2, 3]
    """
    n = len(group)
    if n == 0:
        return np.zeros(0, np.int64)
    begin, size = runs(group)
    right_before: Ints = np.cumsum(side) - side
    right_in_group: Ints = right_before - np.repeat(right_before[begin], size)
    rights = np.add.reduceat(side.astype(np.int64), begin)
    left_in_group = np.arange(n) - np.repeat(begin, size) - right_in_group
    place = np.repeat(begin, size) + np.where(
        side, np.repeat(size - rights, size) + right_in_group, left_in_group
    )
    order = np.empty(n, np.int64)
    order[place] = np.arange(n)
    return order


def distinct_pairs(group: Ints, value: Ints, values: int) -> tuple[Ints, Ints, Ints]:
    """The distinct (group, value) pairs, ascending, and how often each occurs; `value` is in 0 … values - 1.

    >>> [a.tolist() for a in distinct_pairs(np.array([0, 0, 0, 2]), np.array([1, 1, 0, 1]), 2)]
    [[0, 0, 2], [0, 1, 1], [1, 2, 1]]
    """
    key = group.astype(np.int64) * values + value
    if (int(group.max(initial=-1)) + 1) * values <= 4 * len(key) + 1024:  # cheaper than sorting
        count = np.bincount(key)
        pairs = np.flatnonzero(count)
        count = count[pairs]
    else:
        key = np.sort(key)
        begin, count = runs(key)
        pairs = key[begin]
    return pairs // values, pairs % values, count
