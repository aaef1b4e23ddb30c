"""GDF: the most frequent term, branch by branch."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from sfumato.protect.tables import DistinctDiversity, gdf, nominal, persons, sensitive, terms
from sfumato.protect.tables.problem import Persons
from tests.protect.tables.random_persons import as_sets, tables


def _table(*sets: str) -> Persons:
    return persons(
        [nominal("c", ["same"] * len(sets))], terms([{("T", x) for x in s} for s in sets])
    )


def test_terms_belong_to_their_branch() -> None:
    """b is used up where a is; where a is not it must still be there."""
    classes = gdf(_table("ab", "ab", "a", "a", "a", "b", "b", "", ""), 2)
    assert as_sets(classes) == {
        frozenset({0, 1}),
        frozenset({2, 3, 4}),
        frozenset({5, 6}),
        frozenset({7, 8}),
    }


def test_a_term_whose_cut_is_not_allowed_gives_way_to_the_next() -> None:
    """a is the most frequent, but only one person lacks it."""
    classes = gdf(_table("ab", "ab", "a", "a", ""), 2)
    assert as_sets(classes) == {frozenset({0, 1}), frozenset({2, 3, 4})}


def test_the_most_frequent_term_is_taken_not_the_highest_share_of_its_type() -> None:
    sets = [
        {("A", "x")},
        {("A", "x"), ("B", "y")},
        {("B", "y")},
        {("B", "y")},
        {("B", "z")},
        {("B", "z")},
    ]
    table = persons([nominal("c", ["same"] * 6)], terms(sets))
    assert frozenset({1, 2, 3}) in as_sets(gdf(table, 3))


def test_ties_go_by_type_and_then_by_term() -> None:
    sets = [{("B", "a")}, {("B", "a"), ("A", "z")}, {("A", "z")}, {("A", "y")}, {("A", "y")}]
    table = persons([nominal("c", ["same"] * 5)], terms(sets))
    assert frozenset({3, 4}) in as_sets(gdf(table, 2))


def test_a_partition_of_fewer_than_2k_persons_is_not_cut() -> None:
    assert gdf(_table("a", "a", ""), 2).count == 1


def test_splits_are_counted_by_type() -> None:
    classes = gdf(_table("a", "a", "", ""), 2)
    assert (classes.splits, classes.textual_splits, classes.relational_splits) == ({"T": 1}, 1, 0)


def test_a_cut_that_a_rule_forbids_gives_way_to_the_next() -> None:
    table = _table("ab", "a", "a", "b", "", "")
    rule = DistinctDiversity(sensitive("s", [0, 0, 0, 1, 0, 1]), 2)
    assert as_sets(gdf(table, 2, rules=[rule])) == {frozenset({0, 3}), frozenset({1, 2, 4, 5})}


def _reference(table: Persons, k: int) -> set[frozenset[int]]:
    t = table.terms
    sets = [set(t.ids[t.indptr[i] : t.indptr[i + 1]].tolist()) for i in range(table.count)]

    def cut(people: list[int]) -> list[frozenset[int]]:
        count = Counter(x for p in people for x in sets[p])
        fit = [(-n, x) for x, n in count.items() if n >= k and len(people) - n >= k]
        if not fit:
            return [frozenset(people)]
        term = min(fit)[1]
        return cut([p for p in people if term in sets[p]]) + cut(
            [p for p in people if term not in sets[p]]
        )

    return set(cut(list(range(table.count))))


@given(table=tables(least=1, most=30), k=st.integers(1, 4))
def test_counting_only_the_smaller_side_gives_the_same_classes(table: Persons, k: int) -> None:
    if table.count >= k:
        assert as_sets(gdf(table, k)) == _reference(table, k)
