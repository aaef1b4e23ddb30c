"""How far two tables of (user, event) are apart, user by user. Knows no text.

Equations (1) to (3) and SPI of Carpineto and Romano (2018), with logarithms to base 2. P(d|X_u) is the share
of event d among the rows of user u.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sfumato.formats.log import LogRows
from sfumato.measure.matching import Floats, Ints

BLOCK = 1 << 20  # rows of both tables that are compared at once


class AlignedPairs(NamedTuple):
    """Pairs of user and event that occur before or after; all arrays have the shape (pairs,)."""

    users: Ints
    events: Ints
    p: Floats  # P(d|X_u)
    q: Floats  # P(d|Y_u)


class Divergence(NamedTuple):
    """A divergence of each user, shape (users,): plain, and with each event's share weighted."""

    plain: Floats
    weighted: Floats


def jensen_shannon(before: LogRows, after: LogRows, users: int, weights: Floats) -> Divergence:
    """JSD (eq. 2) and WJSD of each user; `weights` has the shape (events,).

    Where nothing of a user is left, all is gone: JSD is 1, and WJSD the sum of w_d·P(d|X_u).

    >>> x = LogRows(np.array([0, 0], np.int32), np.array([0, 1], np.int32))
    >>> y = LogRows(np.array([0, 0], np.int32), np.array([0, 0], np.int32))
    >>> [v.round(3).tolist() for v in jensen_shannon(x, y, 1, np.array([1.0, 0.5]))]
    [[0.311], [0.186]]
    """
    plain, weighted = np.zeros(users), np.zeros(users)
    gone = np.bincount(after.users, minlength=users) == 0
    for block in aligned(before, after, users, len(weights)):
        p, q = block.p, block.q
        # An event's share is never negative: x·log x is convex. Rounding must not make it so.
        share = np.maximum(_term(p, (p + q) / 2) + _term(q, (p + q) / 2), 0.0) / 2
        share = np.where(gone[block.users], p, share)
        _add(plain, block.users, share)
        _add(weighted, block.users, share * weights[block.events])
    # Where all is gone, `plain` is the sum of P(d|X_u), which is 1 but for rounding.
    np.divide(weighted, plain, out=weighted, where=gone & (plain > 0))
    plain = np.clip(np.where(gone, 1.0, plain), 0.0, 1.0)
    return Divergence(plain, np.minimum(weighted, plain))


def kullback_leibler(before: LogRows, after: LogRows, users: int, weights: Floats) -> Divergence:
    """KLD (eq. 1) and WKLD (eq. 3) of each user.

    Infinite where an event of X_u with a weight above 0 is not in Y_u. WKLD may be negative.
    """
    plain, weighted = np.zeros(users), np.zeros(users)
    for block in aligned(before, after, users, len(weights)):
        p, q = block.p, block.q
        share = np.where((p > 0) & (q == 0), np.inf, _term(p, np.where(q > 0, q, 1.0)))
        w = weights[block.events]
        _add(plain, block.users, share)
        # 0 times infinity is 0 here.
        _add(weighted, block.users, np.multiply(share, w, out=np.zeros_like(share), where=w > 0))
    return Divergence(np.maximum(plain, 0.0), weighted)


def _add(totals: Floats, users: Ints, shares: Floats) -> None:
    """Add the shares of a block, whose users are in order, to the totals of its users."""
    first = int(users[0])
    found = np.bincount(users - first, weights=shares)
    totals[first : first + len(found)] += found


def _term(p: Floats, q: Floats) -> Floats:
    """p·log2(p/q), which is 0 where p is."""
    positive = p > 0
    ratio = np.divide(p, q, out=np.ones_like(p), where=positive)
    return p * np.log2(ratio)


def aligned(before: LogRows, after: LogRows, users: int, events: int) -> Iterator[AlignedPairs]:
    """Both tables side by side, whole users at a time, ordered by user and event."""
    before_totals = np.bincount(before.users, minlength=users)
    after_totals = np.bincount(after.users, minlength=users)
    left, right = _sorted_keys(before, events), _sorted_keys(after, events)
    left_ends, right_ends = np.cumsum(before_totals), np.cumsum(after_totals)
    first, left_start, right_start = 0, 0, 0
    while first < users:
        last = int(
            np.searchsorted(left_ends + right_ends, left_start + right_start + BLOCK, side="right")
        )
        last = min(max(last, first + 1), users)
        left_end, right_end = int(left_ends[last - 1]), int(right_ends[last - 1])
        keys, n, m = _counts(left[left_start:left_end], right[right_start:right_end])
        if len(keys):
            who = keys // events
            p = n / np.maximum(before_totals[who], 1)
            q = m / np.maximum(after_totals[who], 1)
            yield AlignedPairs(who, keys - who * events, p, q)
        first, left_start, right_start = last, left_end, right_end


def _sorted_keys(rows: LogRows, events: int) -> Ints:
    keys = rows.users.astype(np.int64)
    keys *= events
    keys += rows.documents
    keys.sort()
    return keys


def _counts(left: Ints, right: Ints) -> tuple[Ints, Ints, Ints]:
    """The distinct keys of two sorted arrays, and how often each has them."""
    both = np.concatenate((left << 1, (right << 1) | 1))
    both.sort(kind="stable")  # two sorted runs: merged
    keys = both >> 1
    if not len(keys):
        return keys, keys, keys
    starts = np.flatnonzero(np.concatenate((np.ones(1, np.bool_), keys[1:] != keys[:-1])))
    in_right = np.add.reduceat(both & 1, starts)
    total = np.diff(starts, append=len(keys))
    return keys[starts], total - in_right, in_right
