"""The largest release of a log, against every other one."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.protect.logs.problem import Problem, largest, users_of

ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=8)


def problem_of(rows: list[tuple[int, int]], k: int) -> Problem:
    users, documents = np.array(rows).T
    return Problem(users, documents, k)


@given(ROWS, st.integers(1, 4))
def test_it_holds_and_holds_every_solution(rows: list[tuple[int, int]], k: int) -> None:
    problem = problem_of(rows, k)
    best = largest(problem)
    assert problem.holds(best)
    for kept in product([False, True], repeat=len(rows)):
        if problem.holds(np.array(kept)):
            assert not (np.array(kept) & ~best).any()


@given(ROWS)
def test_users_are_counted_once_for_a_document(rows: list[tuple[int, int]]) -> None:
    counts = users_of(*np.array(rows).T)
    for document in range(len(counts)):
        assert counts[document] == len({u for u, d in rows if d == document})
