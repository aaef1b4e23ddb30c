"""What every partitioning strategy promises."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import InputError, PolicyError
from sfumato.protect.tables import (
    Closeness,
    DistinctDiversity,
    EntropyDiversity,
    TermCloseness,
    clusters,
    diversity,
    mondrian,
    no_terms,
    nominal,
    numbers,
    persons,
    recode,
    sensitive,
    statistics,
    terms,
)
from sfumato.protect.tables.classes import Classes
from sfumato.protect.tables.mondrian import ClassRule
from sfumato.protect.tables.problem import Persons
from sfumato.protect.tables.recode import Scope
from tests.protect.tables.random_persons import (
    STRATEGIES,
    Strategy,
    as_sets,
    smallest_class_shown,
    tables,
)

every_strategy = pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES.keys())


@every_strategy
@settings(max_examples=25)
@given(table=tables(), k=st.integers(1, 6), scope=st.sampled_from(["local", "global"]))
def test_what_is_shown_is_shown_by_k_persons(
    strategy: Strategy, table: Persons, k: int, scope: Scope
) -> None:
    if table.count < k:
        with pytest.raises(InputError, match="fewer than k"):
            strategy(table, k, ())
        return
    classes = strategy(table, k, ())
    assert classes.sizes.min() >= k
    assert classes.sizes.sum() == table.count
    assert smallest_class_shown(table, recode(table, classes, scope=scope)) >= k


@every_strategy
@settings(max_examples=25)
@given(table=tables(least=4), k=st.integers(1, 4))
def test_the_same_persons_give_the_same_classes(strategy: Strategy, table: Persons, k: int) -> None:
    assert strategy(table, k, ()).labels.tolist() == strategy(table, k, ()).labels.tolist()


@every_strategy
def test_one_person_is_a_class_of_its_own_where_k_is_one(strategy: Strategy) -> None:
    table = persons([numbers("age", [7.0])])
    assert strategy(table, 1, ()).labels.tolist() == [0]


@every_strategy
def test_classes_are_numbered_by_their_first_person(strategy: Strategy) -> None:
    table = persons(
        [numbers("age", [9, 1, 9, 1])], terms([{("T", "x")}, set(), {("T", "x")}, set()])
    )
    assert strategy(table, 2, ()).labels.tolist() == [0, 1, 0, 1]


@every_strategy
@settings(max_examples=25)
@given(data=st.data(), table=tables(least=6), k=st.integers(1, 3))
def test_rules_hold_in_every_class(
    strategy: Strategy, data: st.DataObject, table: Persons, k: int
) -> None:
    column = sensitive(
        "s", data.draw(st.lists(st.integers(0, 3), min_size=table.count, max_size=table.count))
    )
    ids = np.arange(table.terms.count)
    everyone = Classes(np.zeros(table.count, np.int64))
    whole = diversity(column, everyone)
    rules: list[ClassRule] = [
        DistinctDiversity(column, min(2, whole.distinct)),
        EntropyDiversity(column, min(1.5, whole.entropy)),
        Closeness(column, 0.5),
        Closeness(column, 0.4, "ordered"),
        TermCloseness(table.terms, ids[:2], 0.6),
    ]
    for rule in rules:
        classes = strategy(table, k, [rule])
        assert rule.holds(classes.order, classes.starts).all(), rule.describe()


@every_strategy
def test_a_rule_that_all_persons_break_is_an_error(strategy: Strategy) -> None:
    table = persons([numbers("age", [1, 2, 3, 4])])
    rule = DistinctDiversity(sensitive("disease", ["flu"] * 4), 2)
    with pytest.raises(InputError, match="2-diversity of disease"):
        strategy(table, 2, [rule])


@pytest.mark.parametrize("k", [0, -3])
def test_k_is_at_least_one(k: int) -> None:
    with pytest.raises(PolicyError, match="at least 1"):
        mondrian(persons([numbers("age", [1])]), k)


def test_a_table_needs_columns_or_terms() -> None:
    with pytest.raises(InputError, match="without columns"):
        persons([])
    assert persons([], no_terms(3)).count == 3


def test_columns_of_different_length_are_refused() -> None:
    with pytest.raises(InputError, match="column b has 1 persons"):
        persons([numbers("a", [1, 2]), nominal("b", ["x"])])


def test_statistics_count_classes_and_splits() -> None:
    table = persons([numbers("age", [1, 1, 2, 2, 3, 3, 4, 4])])
    found = statistics(mondrian(table, 2, relational_weight=1))
    assert (found.count, found.mean, found.deviation) == (4, 2.0, 0.0)
    assert (found.relational_splits, found.textual_splits) == (3, 0)


def _two_groups() -> Persons:
    """Text parts the persons one way, age the other."""
    return persons(
        [numbers("age", [1, 1, 2, 2, 1, 1, 2, 2])],
        terms([{("T", "x" if i < 4 else "y")} for i in range(8)]),
    )


def test_clusters_follow_the_weights_of_loss() -> None:
    by_age = clusters(_two_groups(), 4, relational_weight=1, textual_weight=0)
    by_text = clusters(_two_groups(), 4, relational_weight=0, textual_weight=1)
    assert as_sets(by_age) == {frozenset({0, 1, 4, 5}), frozenset({2, 3, 6, 7})}
    assert as_sets(by_text) == {frozenset({0, 1, 2, 3}), frozenset({4, 5, 6, 7})}


@pytest.mark.parametrize("weights", [(0, 0), (-1, 2)])
def test_clusters_refuse_weights_without_sense(weights: tuple[float, float]) -> None:
    with pytest.raises(PolicyError, match="weights"):
        clusters(_two_groups(), 2, relational_weight=weights[0], textual_weight=weights[1])
