"""Contexts as a sparse matrix, against brute force."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.know.entities.contexts import restrict, transpose


@given(
    st.lists(st.sets(st.integers(0, 12)), min_size=1, max_size=20),
    st.lists(st.integers(0, 12), max_size=15),
)
def test_restrict_agrees_with_brute_force(contexts: list[set[int]], document: list[int]) -> None:
    rows = [sorted(c) for c in contexts]
    indptr = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    indices = np.array([t for row in rows for t in row], dtype=np.int32)
    pointers, owners = transpose(indptr, indices, 13)
    for term in range(13):
        held = owners[pointers[term] : pointers[term + 1]].tolist()
        assert held == [e for e, c in enumerate(contexts) if term in c]
    made = restrict(document, pointers, owners, len(contexts))
    for number, context in enumerate(contexts):
        assert made.of(number).tolist() == [i for i, t in enumerate(document) if t in context]
