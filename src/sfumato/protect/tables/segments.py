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


def split_stably(group: Ints, side: Bools) -> Ints:
    """The order that puts each group's False before its True and keeps all else as it is.

    `group` is ascending; cost is linear, where a stable sort would not be.

    >>> split_stably(np.array([0, 0, 0, 1]), np.array([True, False, True, False])).tolist()
    [1, 0, 2, 3]
    """
    n = len(group)
    if n == 0:
        return np.zeros(0, np.int64)
    begin = np.flatnonzero(first_of_run(group))
    size = np.diff(np.append(begin, n))
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


def distinct_pairs(group: Ints, value: Ints, values: int) -> tuple[Ints, Ints]:
    """The distinct (group, value) pairs, ascending; `value` lies in 0 … values - 1.

    >>> [a.tolist() for a in distinct_pairs(np.array([0, 0, 0, 2]), np.array([1, 1, 0, 1]), 2)]
    [[0, 0, 2], [0, 1, 1]]
    """
    if len(group) == 0:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    key = group.astype(np.int64) * values + value
    room = (int(group.max()) + 1) * values
    if room <= 8 * len(key) + 1024:  # a table of flags is cheaper than sorting
        seen = np.zeros(room, np.bool_)
        seen[key] = True
        pairs = np.flatnonzero(seen)
    else:
        pairs = np.sort(key)
        pairs = pairs[first_of_run(pairs)]
    return pairs // values, pairs % values
