"""Risk, ℓ-diversity, t-closeness, k^m-anonymity."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError, PolicyError
from sfumato.protect.tables import (
    Classes,
    Closeness,
    TermCloseness,
    combinations_hold,
    diversity,
    keep_combinations,
    measure,
    mondrian,
    numbers,
    persons,
    recode,
    risk,
    sensitive,
    terms,
)
from sfumato.protect.tables.diversity import distance
from sfumato.protect.tables.problem import Persons
from tests.protect.tables.random_persons import tables


def _classes(*labels: int) -> Classes:
    return Classes(np.array(labels))


def test_risks_of_two_classes() -> None:
    found = risk(_classes(0, 0, 1, 1, 1, 1), threshold=0.3, population=np.array([10, 4]))
    assert (found.prosecutor.highest, found.prosecutor.lowest) == (0.5, 0.25)
    assert found.prosecutor.at_risk == pytest.approx(2 / 6)
    assert found.prosecutor.success == pytest.approx(2 / 6)
    assert (found.journalist.highest, found.journalist.lowest) == (0.25, 0.1)
    assert found.marketer == pytest.approx((2 * 0.1 + 4 * 0.25) / 6)


@pytest.mark.parametrize("population", [[2], [1, 9]])
def test_a_population_smaller_than_the_table_is_refused(population: list[int]) -> None:
    with pytest.raises(InputError, match="population"):
        risk(_classes(0, 0, 1, 1), population=np.array(population))


def test_diversity_of_the_worst_class() -> None:
    found = diversity(sensitive("s", ["a", "b", "a", "a"]), _classes(0, 0, 1, 1))
    assert (found.distinct, found.entropy) == (1, 1.0)
    assert found.equal_distance == pytest.approx(0.25)


def test_distances_of_salaries_as_known_from_the_literature() -> None:
    """{3k, 4k, 5k} of 3k … 11k: 0.375 in order; {6k, 8k, 11k}: 0.167."""
    salaries = [3, 4, 5, 6, 11, 8, 7, 9, 10]
    far = Closeness(sensitive("salary", salaries), 0.37, "ordered")
    starts = np.array([0, 3, 6, 9])
    assert far.holds(np.arange(9), starts).tolist() == [False, True, True]
    found = diversity(far.column, _classes(0, 0, 0, 1, 1, 1, 2, 2, 2))
    assert found.ordered_distance == pytest.approx(0.375)


def test_t_lies_between_zero_and_one() -> None:
    with pytest.raises(PolicyError, match="t-closeness"):
        Closeness(sensitive("s", [1, 2]), 1.5)


def test_a_sensitive_term_must_not_be_certain_or_common_in_a_class() -> None:
    found = terms([{("D", "hiv")}, {("D", "hiv")}, {("D", "flu")}, set()])
    rule = TermCloseness(found, np.array([1]), 1.0)
    order = np.arange(4)
    assert rule.holds(order, np.array([0, 2, 4])).tolist() == [False, True]
    assert rule.distance(order, np.array([0, 2, 4])).tolist() == [0.5, 0.0]
    assert TermCloseness(found, np.array([1]), 0.1).holds(order, np.array([0, 3, 4])).tolist() == [
        False,
        True,
    ]
    table = persons([numbers("age", [1, 1, 2, 2])], found)
    assert mondrian(table, 2).count == 2
    assert mondrian(table, 2, rules=[rule]).count == 1


def test_combinations_keep_more_than_equal_sets() -> None:
    sets = [{("T", x) for x in s} for s in ("ab", "ab", "a", "b", "")]
    table = persons([], terms(sets))
    everyone = _classes(0, 0, 0, 0, 0)
    kept = keep_combinations(table.terms, everyone, 2, 2)
    assert kept.kept.all()
    assert not recode(table, everyone).terms.kept.any()
    assert measure(table, everyone, term_loss=kept.loss).textual == 0.0


def test_a_rare_combination_is_broken_up() -> None:
    sets = [{("T", x) for x in s} for s in ("ab", "a", "b", "a")]
    found = terms(sets)
    kept = keep_combinations(found, _classes(0, 0, 0, 0), 2, 2)
    assert kept.kept.tolist() == [True, False, True, False, True]


def test_of_more_combinations_than_can_be_counted_the_rarest_terms_go() -> None:
    many = {("T", f"t{n:03}") for n in range(150)}  # twenty million of four
    found = terms([many, many, many - {("T", "t007")}, {("T", "t001"), ("T", "t002")}, set()])
    classes = _classes(0, 0, 0, 0, 0)
    kept = keep_combinations(found, classes, 2, 4).kept
    assert combinations_hold(found, classes, kept, 2, 4)
    assert {1, 2} <= {*found.ids[kept].tolist()}  # those that most persons have


@pytest.mark.parametrize("m", [40, 41, 100])
def test_combinations_of_most_terms_of_a_person_are_bounded_too(m: int) -> None:
    many = {("T", f"t{n:03}") for n in range(40)}
    other = many - {("T", "t007")}
    found, classes = terms([many, many, other, other, many - {("T", "t008")}]), _classes(*[0] * 5)
    kept = keep_combinations(found, classes, 2, m).kept
    assert kept.any()
    assert not kept.all()


def test_sets_that_k_persons_show_stay_whole_however_large() -> None:
    many = {("T", f"t{n:03}") for n in range(400)}
    found = terms([many, many, set(), set()])
    assert keep_combinations(found, _classes(0, 0, 0, 0), 2, 4).kept.all()


def test_m_is_at_least_one() -> None:
    with pytest.raises(PolicyError, match="m is 0"):
        keep_combinations(terms([{("T", "a")}]), _classes(0), 1, 0)


@given(data=st.data(), table=tables(), k=st.integers(1, 4), m=st.integers(1, 3))
def test_every_combination_of_m_terms_is_shown_by_k_persons(
    data: st.DataObject, table: Persons, k: int, m: int
) -> None:
    labels = sorted(
        data.draw(st.lists(st.integers(0, 1), min_size=table.count, max_size=table.count))
    )
    classes = Classes(np.unique(labels, return_inverse=True)[1])
    kept = keep_combinations(table.terms, classes, k, m).kept
    shown = [
        (
            int(classes.labels[p]),
            {int(x) for x, y in zip(table.terms.ids, table.terms.owner, strict=True) if y == p},
        )
        for p in range(table.count)
    ]
    gone = [
        {
            int(x)
            for x, y, z in zip(table.terms.ids, table.terms.owner, kept, strict=True)
            if y == p and not z
        }
        for p in range(table.count)
    ]
    left = [(c, s - g) for (c, s), g in zip(shown, gone, strict=True)]
    for label, mine in left:
        for size in range(1, m + 1):
            for known in combinations(sorted(mine), size):
                assert sum(c == label and set(known) <= s for c, s in left) >= k
    assert combinations_hold(table.terms, classes, kept, k, m)
    everything = np.ones(len(table.terms.ids), np.bool_)
    assert combinations_hold(table.terms, classes, everything, k, m) == bool(kept.all())


@given(
    codes=st.lists(st.integers(0, 9), min_size=1, max_size=30),
    cuts=st.sets(st.integers(1, 29), max_size=5),
)
def test_distances_are_those_of_the_definition(codes: list[int], cuts: set[int]) -> None:
    """Counted from the values that a group has, not from a table of all groups by all values."""
    column, n = sensitive("s", codes), len(codes)
    starts = np.array([0, *sorted(c for c in cuts if c < n), n])
    groups = [column.codes[a:b] for a, b in pairwise(starts)]
    overall = np.bincount(column.codes, minlength=column.values) / n
    gaps = np.array([np.bincount(g, minlength=column.values) / len(g) for g in groups]) - overall
    moved = np.abs(np.cumsum(gaps, axis=1)[:, :-1]).sum(1) / max(column.values - 1, 1)
    order = np.arange(n)
    assert np.allclose(distance(column, order, starts, "equal"), np.abs(gaps).sum(1) / 2)
    assert np.allclose(distance(column, order, starts, "ordered"), moved)
