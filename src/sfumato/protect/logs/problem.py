"""Which rows of a log may be released, so that each document in them is that of k users?

Section 3.2 of Carpineto and Romano (2018); the core knows numbers alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Ints = np.ndarray[Any, np.dtype[Any]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A row is a user and a document, by number: both of shape (rows,), integers from 0."""

    users: Ints
    documents: Ints
    k: int

    def holds(self, kept: Bools) -> bool:
        """Whether each document of the kept rows is that of k users in these rows.

        >>> problem = Problem(np.array([0, 1, 1]), np.array([0, 0, 1]), 2)
        >>> problem.holds(np.array([True, True, False])), problem.holds(np.array([True] * 3))
        (True, False)
        """
        documents = self.documents[kept]
        return bool((users_of(self.users[kept], documents)[documents] >= self.k).all())


def users_of(users: Ints, documents: Ints) -> Ints:
    """How many users have each document, shape (largest document + 1,).

    >>> users_of(np.array([0, 0, 1]), np.array([0, 0, 0])).tolist()
    [2]
    """
    width = int(users.max(initial=0)) + 1
    pairs = documents.astype(np.int64) * width + users
    pairs.sort()
    first = np.ones(len(pairs), dtype=np.bool_)
    np.not_equal(pairs[1:], pairs[:-1], out=first[1:])
    return np.bincount(pairs[first] // width)


def largest(problem: Problem) -> Bools:
    """The rows of every document that k users have, shape (rows,).

    It is the one largest solution, and holds every other: leaving a document out takes no user from another.
    """
    counts = users_of(problem.users, problem.documents)
    kept: Bools = (counts >= problem.k)[problem.documents]
    return kept
