"""Profile Exposure Level (PEL): what the release tells about the original, user by user.

Equation (4) of Carpineto and Romano (2018): the mutual information of a user's documents before and after, in
percent of the entropy before. It is counted over pairs of an original document and what became of it; the
partner of a suppressed document is "nothing". Smaller is more private; X = Y gives 100.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sfumato.errors import InputError
from sfumato.formats.log import LogRows
from sfumato.measure.matching import Floats, Ints
from sfumato.measure.pairs import SUPPRESSED, Pairs

NOT_PAIRED = (
    "the tables do not pair up: PEL must know what became of each document; give the release one row for "
    "each row of the original, in the same order, with an empty document where one was suppressed"
)


def partners(pairs: Pairs, form: Ints) -> Ints:
    """What became of each original row: the form of its released document or `SUPPRESSED`, shape (rows,).

    `form` is the number of each document's form, shape (documents,). Where both tables name the same users
    row by row, rows are partners. Otherwise the release must consist of original documents only, and each
    of them is the partner of its own, the first ones of a user first.
    """
    if np.array_equal(pairs.original.users, pairs.released.users):
        numbers = pairs.released.documents
        return np.where(numbers == SUPPRESSED, SUPPRESSED, form[numbers])
    width = int(form.max(initial=0)) + 1
    keys = _keys(pairs.original, form, width)
    out_keys, out_counts = np.unique(_keys(pairs.kept, form, width), return_counts=True)
    order = np.argsort(keys, kind="stable")
    found, starts, counts = np.unique(keys[order], return_index=True, return_counts=True)
    place = np.searchsorted(found, out_keys)
    if (found[np.minimum(place, len(found) - 1)] != out_keys).any():
        raise InputError(NOT_PAIRED)
    quota = np.zeros(len(found), dtype=np.int64)
    quota[place] = out_counts
    if (quota > counts).any():
        raise InputError(NOT_PAIRED)
    rank = np.arange(len(keys)) - np.repeat(starts, counts)
    is_kept = np.empty(len(keys), dtype=np.bool_)
    is_kept[order] = rank < np.repeat(quota, counts)
    return np.where(is_kept, form[pairs.original.documents], SUPPRESSED)


def _keys(rows: LogRows, form: Ints, width: int) -> Ints:
    """One number for user and form, shape (rows,)."""
    return rows.users.astype(np.int64) * width + form[rows.documents]


def exposure(users: Ints, x: Ints, y: Ints, count: int) -> Floats:
    """PEL of each user in percent, shape (count,), from pairs of shape (rows,); y is -1 for "nothing".

    A user with one distinct document has no entropy to lose: 100 if anything of theirs is out, else 0.

    >>> who = np.zeros(4, dtype=np.int64)
    >>> exposure(who, np.arange(4), np.array([0, 1, -1, -1]), 1).tolist()
    [75.0]
    """
    before = _entropy(users, x, count)
    after = _entropy(users, y + 1, count)
    width = int(y.max(initial=0)) + 2
    both = _entropy(users, np.unique(x * width + y + 1, return_inverse=True)[1], count)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = 100 * (before + after - both) / before
    anything = np.bincount(users, weights=y >= 0, minlength=count) > 0
    share = np.where(before > 0, share, np.where(anything, 100.0, 0.0))
    return np.clip(share, 0.0, 100.0)


def _entropy(users: Ints, values: Ints, count: int) -> Floats:
    """The entropy of each user's values in bits: H = log2 n - (1/n)·Σ c·log2 c."""
    width = int(values.max(initial=0)) + 1
    keys, counts = np.unique(users * width + values, return_counts=True)
    total = np.bincount(users, minlength=count)
    inner = np.bincount(keys // width, weights=counts * np.log2(counts), minlength=count)
    entropy = np.log2(np.maximum(total, 1)) - inner / np.maximum(total, 1)
    distinct = np.bincount(keys // width, minlength=count)
    result: np.ndarray[Any, np.dtype[np.float64]] = np.where(distinct > 1, entropy, 0.0)
    return result
