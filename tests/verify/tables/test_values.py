"""Whether the sensitive values of a class are spread as they must be."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.verify.tables.values import Overall, broken

VALUES = st.lists(st.integers(0, 12).map(float), min_size=1, max_size=30)


def by_definition(mine: Counter[float], whole: Counter[float], *, ordered: bool) -> float:
    values = sorted(whole)
    gaps = [mine[v] / mine.total() - whole[v] / whole.total() for v in values]
    if not ordered:
        return sum(map(abs, gaps)) / 2
    sums = [sum(gaps[: i + 1]) for i in range(len(gaps) - 1)]
    return sum(map(abs, sums)) / max(len(values) - 1, 1)


@pytest.mark.parametrize("ordered", [True, False])
@given(some=VALUES, others=VALUES)
def test_the_distance_is_that_of_the_definition(
    some: list[float], others: list[float], ordered: bool
) -> None:
    mine, whole = Counter(some), Counter(some + others)
    found = Overall(whole, ordered=ordered).distance(mine)
    assert found == pytest.approx(by_definition(mine, whole, ordered=ordered), abs=1e-9)


def test_what_is_broken_is_named() -> None:
    whole = Overall(Counter("aabb"), ordered=False)
    assert broken(Counter("aa"), whole, {"distinct": 2}) == "distinct 2-diversity"
    assert broken(Counter("aa"), whole, {"closeness": 0.4}) == "0.4-closeness"
    assert broken(Counter("aab"), whole, {"entropy": 2}) == "entropy 2-diversity"
    assert not broken(Counter("ab"), whole, {"distinct": 2, "entropy": 2, "closeness": 0})
