"""The largest release of a log."""

from __future__ import annotations

from sfumato.protect.logs.problem import Bools, Problem, users_of


def largest(problem: Problem) -> Bools:
    """The rows of every document that k users have, shape (rows,).

    It is the one largest solution, and holds every other: leaving a document out takes no user from another.
    """
    counts = users_of(problem.users, problem.documents)
    kept: Bools = (counts >= problem.k)[problem.documents]
    return kept
