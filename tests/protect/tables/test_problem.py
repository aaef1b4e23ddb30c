"""Persons as arrays."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.errors import InputError, PolicyError
from sfumato.protect.tables import dates, nominal, numbers, terms, terms_from_mentions
from sfumato.protect.tables.problem import MISSING
from sfumato.protect.tables.segments import distinct_pairs


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_number_must_be_finite(value: float) -> None:
    with pytest.raises(InputError, match="column age"):
        numbers("age", [1.0, value])


def test_a_bias_must_leave_a_span() -> None:
    with pytest.raises(PolicyError, match="above -1"):
        numbers("age", [1.0], bias=-1)


def test_repeated_values_of_a_person_are_one() -> None:
    column = nominal("sign", [["Leo", "Leo", "Aries"], ["Leo"]])
    assert column.codes.tolist() == [0, 1, 1]
    assert column.indptr.tolist() == [0, 2, 3]


def test_a_person_without_a_value_has_no_ends_and_stands_first() -> None:
    column = dates("date", [[12420, 12418], [], [12419]])
    assert column.low.tolist() == [0, MISSING, 1]
    assert column.high.tolist() == [2, MISSING, 1]
    assert column.position.tolist() == [3, 0, 2]
    assert column.place_value.tolist() == [12418, 12418, 12419, 12420]


def test_mentions_and_sets_give_the_same_terms() -> None:
    sets = terms([{("A", "x")}, {("A", "x"), ("B", "y")}])
    mentions = terms_from_mentions(
        np.array([1, 0, 1, 1]), np.array([1, 0, 0, 1]), 2, np.array([0, 1]), ("A", "B")
    )
    assert mentions.ids.tolist() == sets.ids.tolist()
    assert mentions.indptr.tolist() == sets.indptr.tolist()
    assert mentions.weight.tolist() == [1.0, 0.5, 0.5]


def test_pairs_are_counted_alike_with_many_and_few_values() -> None:
    group, value = np.array([0, 0, 3, 3]), np.array([7, 7, 2, 1])
    few, many = distinct_pairs(group, value, 8), distinct_pairs(group, value, 10**6)
    assert (
        [a.tolist() for a in few] == [a.tolist() for a in many] == [[0, 3, 3], [7, 1, 2], [2, 1, 1]]
    )
    assert [len(a) for a in distinct_pairs(group[:0], value[:0], 8)] == [0, 0, 0]
