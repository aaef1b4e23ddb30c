"""Mondrian: λ, bias, spans, cuts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import PolicyError
from sfumato.protect.tables import mondrian, nominal, numbers, persons, terms
from sfumato.protect.tables.problem import Column, Persons
from tests.protect.tables.random_persons import as_sets, tables


def _crossed() -> Persons:
    """Age parts {0, 1} from {2, 3}; the terms part {0, 2} from {1, 3}."""
    return persons(
        [numbers("age", [1, 1, 2, 2])],
        terms([{("T", "x")}, {("T", "y")}, {("T", "x")}, {("T", "y")}]),
    )


BY_AGE = {frozenset({0, 1}), frozenset({2, 3})}
BY_TERM = {frozenset({0, 2}), frozenset({1, 3})}


@pytest.mark.parametrize(
    ("weight", "expected"), [(0, BY_TERM), (0.4, BY_TERM), (0.6, BY_AGE), (1, BY_AGE)]
)
def test_the_relational_weight_multiplies_spans(
    weight: float, expected: set[frozenset[int]]
) -> None:
    """Both spans are 1 here, so λ alone decides."""
    assert as_sets(mondrian(_crossed(), 2, relational_weight=weight)) == expected


def test_bias_multiplies_a_span_once() -> None:
    """Spans at the first cut: a = 1, b = 1; a bias of 0.5 makes 1.5, which 1 - λ over λ = 1.6 outweighs."""
    columns = [numbers("a", [1, 1, 2, 2], bias=0.5)]
    table = persons(columns, _crossed().terms)
    # (1 - λ) / λ = 1.6: more than 1 + bias, less than 1 + 2 · bias and (1 + bias)²
    weight = 1 / 2.6
    assert as_sets(mondrian(table, 2, relational_weight=weight)) == BY_TERM
    assert as_sets(mondrian(table, 2, relational_weight=1 / 2.4)) == BY_AGE


def test_at_weight_one_terms_are_not_looked_at() -> None:
    table = persons([nominal("c", ["same"] * 4)], _crossed().terms)
    assert mondrian(table, 2, relational_weight=1).count == 1


def test_at_weight_zero_columns_are_cut_where_no_term_can_be() -> None:
    table = persons([numbers("age", [1, 1, 2, 2])], terms([{("T", "x")}, set(), set(), set()]))
    classes = mondrian(table, 2, relational_weight=0)
    assert as_sets(classes) == BY_AGE
    assert (classes.relational_splits, classes.textual_splits) == (1, 0)


def test_a_type_is_cut_by_the_presence_of_its_most_frequent_term() -> None:
    sets = [
        {("T", "a")},
        {("T", "a"), ("T", "z")},
        {("T", "z")},
        {("T", "z")},
        {("T", "q")},
        {("T", "r")},
    ]
    table = persons([nominal("c", ["same"] * 6)], terms(sets))
    classes = mondrian(table, 2, relational_weight=0.5)
    assert as_sets(classes) == {frozenset({1, 2, 3}), frozenset({0, 4, 5})}
    assert classes.splits["T"] == 1


def test_names_are_cut_in_the_middle_of_their_distinct_values() -> None:
    table = persons([nominal("topic", list("aaaaaabbcd"))])
    classes = mondrian(table, 2, relational_weight=1)
    assert as_sets(classes) == {frozenset(range(6)), frozenset({6, 7}), frozenset({8, 9})}


def test_a_column_is_cut_next_to_the_median_where_the_median_itself_is_not_allowed() -> None:
    table = persons([numbers("age", [1, 5, 5, 5, 5, 9, 9])])
    assert mondrian(table, 2, relational_weight=1).sizes.tolist() == [5, 2]


@pytest.mark.parametrize("weight", [-0.1, 1.1])
def test_the_weight_lies_between_zero_and_one(weight: float) -> None:
    with pytest.raises(PolicyError, match="between 0 and 1"):
        mondrian(_crossed(), 2, relational_weight=weight)


Option = tuple[tuple[float, float], int, list[int]]  # its rank, its place, who goes left


def _reference(table: Persons, k: int, weight: float) -> set[frozenset[int]]:
    """Algorithm 1, person by person, from the module's own words."""
    cols, t = table.columns, table.terms
    sets = [set(t.ids[t.indptr[i] : t.indptr[i + 1]].tolist()) for i in range(table.count)]
    kinds = sorted({(int(t.column_of[x]), int(t.type_of[x])) for s in sets for x in s})
    kind = {x: (int(t.column_of[x]), int(t.type_of[x])) for x in range(t.count)}

    def span(column: Column, people: list[int]) -> float:
        place = column.place_value[column.position[people]]
        if column.kind in ("number", "date"):
            return float(place.max() - place.min())
        return len(set(column.position[people].tolist()))

    def options(people: list[int]) -> list[Option]:
        found: list[Option] = []
        for place, column in enumerate(cols):
            full = span(column, list(range(table.count))) or 1
            position = column.position[people]
            best: tuple[int, int] | None = None
            seen = sorted(set(position.tolist()))
            for nth, value in enumerate(seen, 1):
                low = int((position <= value).sum())
                numeric = column.kind == "number"
                far = abs(2 * low - len(people)) if numeric else abs(2 * nth - len(seen))
                if low >= k and len(people) - low >= k and (best is None or far < best[0]):
                    best = (far, value)
            if best is not None:
                share = span(column, people) / full * (1 + column.bias)
                rank = (weight * share if weight else share, 0) if weight else (0, share)
                left = [p for p in people if column.position[p] <= best[1]]
                found.append((rank, -place, left))
        if weight == 1:
            return found
        for number, each in enumerate(kinds):
            mine = [x for p in people for x in sets[p] if kind[x] == each]
            share = len(set(mine)) / sum(k2 == each for k2 in kind.values())
            fit = [(mine.count(x), -x) for x in set(mine) if k <= mine.count(x) <= len(people) - k]
            if fit:
                term = -max(fit)[1]
                rank = ((1 - weight) * share, 0) if weight else (1, share)
                left = [p for p in people if term not in sets[p]]
                found.append((rank, -len(cols) - number, left))
        return found

    def cut(people: list[int]) -> list[frozenset[int]]:
        found = options(people) if len(people) >= 2 * k else []
        if not found:
            return [frozenset(people)]
        left = set(max(found, key=lambda f: (f[0], f[1]))[2])
        return cut([p for p in people if p in left]) + cut([p for p in people if p not in left])

    return set(cut(list(range(table.count))))


@given(
    table=tables(least=2, most=16),
    k=st.integers(1, 4),
    weight=st.sampled_from([0, 0.25, 0.5, 0.75, 1]),
)
def test_a_level_at_once_is_the_same_as_one_partition_after_the_other(
    table: Persons, k: int, weight: float
) -> None:
    if table.count >= k:
        assert as_sets(mondrian(table, k, relational_weight=weight)) == _reference(table, k, weight)


def test_many_distinct_values_are_counted_by_sorting() -> None:
    rng = np.random.default_rng(3)
    table = persons([numbers("x", rng.random(3000)), numbers("y", rng.random(3000))])
    classes = mondrian(table, 3, relational_weight=1)
    assert classes.sizes.min() >= 3
    assert classes.sizes.max() < 6
