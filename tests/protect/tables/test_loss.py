"""NCP by the thesis' definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import PolicyError
from sfumato.protect.tables import Classes, dates, measure, nominal, numbers, persons, terms
from sfumato.protect.tables.classes import numbered
from sfumato.protect.tables.problem import Column, Persons
from tests.protect.tables.random_persons import tables


def _classes(*labels: int) -> Classes:
    return Classes(np.array(labels))


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (numbers("n", [0, 5, 10, 10]), [0.5, 0.5, 0, 0]),
        (numbers("n", [0, 0, 0, 0]), [0, 0, 0, 0]),
        (nominal("s", ["a", "b", "c", "c"]), [2 / 3, 2 / 3, 0, 0]),
        (nominal("s", ["same"] * 4), [0, 0, 0, 0]),
        (dates("d", [12418, 12420, 12600, 13013]), [2 / 4, 2 / 4, 1, 1]),
        (numbers("n", [[], [3], [], []]), [1, 1, 0, 0]),
    ],
)
def test_a_column_by_equations_4_and_5(column: Column, expected: list[float]) -> None:
    loss = measure(persons([column]), _classes(0, 0, 1, 1))
    assert np.allclose(2 * loss.per_person, expected)


def test_every_person_of_a_class_counts_and_terms_count_as_a_set() -> None:
    """The middle person keeps what all share, like the others: losses 1/2, 0, 2/3."""
    sets = [{("T", "a"), ("T", "b")}, {("T", "a")}, {("T", "a"), ("T", "c"), ("T", "d")}]
    loss = measure(persons([], terms(sets)), _classes(0, 0, 0))
    assert loss.textual == pytest.approx((1 / 2 + 0 + 2 / 3) / 3)


def test_a_person_without_terms_loses_none() -> None:
    loss = measure(persons([], terms([set(), {("T", "a")}])), _classes(0, 0))
    assert loss.textual == 0.5


def test_weights_are_settings() -> None:
    table = persons([numbers("n", [0, 1])], terms([{("T", "a")}, {("T", "a")}]))
    both = _classes(0, 0)
    assert measure(table, both).total == 0.5
    assert measure(table, both, relational_weight=3, textual_weight=1).total == 0.75
    assert measure(table, both, relational_weight=0).total == 0.0


@pytest.mark.parametrize("weights", [(0, 0), (-1, 1)])
def test_weights_without_sense_are_refused(weights: tuple[float, float]) -> None:
    with pytest.raises(PolicyError, match="weights"):
        measure(
            persons([numbers("n", [0])]),
            _classes(0),
            relational_weight=weights[0],
            textual_weight=weights[1],
        )


def test_loss_by_column_and_by_type() -> None:
    sets = [{("A", "x"), ("B", "y")}, {("A", "x")}]
    loss = measure(
        persons([numbers("n", [0, 1]), numbers("m", [0, 0])], terms(sets)), _classes(0, 0)
    )
    assert loss.by_column == {"n": 1.0, "m": 0.0}
    assert loss.by_type == {"A": 0.0, "B": 1.0}


def test_several_text_columns_count_by_their_mean() -> None:
    sets = [{("a", "T", "x"), ("b", "T", "p"), ("b", "T", "q")}, {("a", "T", "x")}]
    loss = measure(persons([], terms(sets)), _classes(0, 0))
    assert loss.textual == pytest.approx((1 / 2 + 0) / 2)


@given(data=st.data(), table=tables())
def test_loss_as_counted_person_by_person(data: st.DataObject, table: Persons) -> None:
    labels = data.draw(st.lists(st.integers(0, 3), min_size=table.count, max_size=table.count))
    classes = Classes(numbered(np.array(labels)))
    t = table.terms
    sets = [set(t.ids[t.indptr[i] : t.indptr[i + 1]].tolist()) for i in range(table.count)]
    total = 0.0
    for person in range(table.count):
        mates = [i for i in range(table.count) if labels[i] == labels[person]]
        shared = set.intersection(*(sets[i] for i in mates))
        for column in range(len(t.columns)):
            mine = [x for x in sets[person] if t.column_of[x] == column]
            total += len(set(mine) - shared) / len(mine) / len(t.columns) if mine else 0
    assert measure(table, classes).textual == pytest.approx(total / table.count)
