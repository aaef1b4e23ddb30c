"""The cost of a text once the true senses are known."""

from __future__ import annotations

import math

import pytest
from experiments.true_cost import TrueCost, true_cost

from sfumato.errors import InputError
from sfumato.protect.plausibility.problem import Problem

DRUG = [("marijuana", 1), ("soft drug", 4), ("drug", 64), ("entity", 4096)]
PLANT = [("marijuana", 1), ("hemp", 2), ("plant", 256), ("entity", 4096)]
PAIN = [("phantom pain", 1), ("pain", 8), ("symptom", 64), ("entity", 4096)]


@pytest.mark.parametrize("weights", [None, [1.0, 3.0]])
@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
def test_right_senses_cost_what_the_search_says(alpha: float, weights: list[float] | None) -> None:
    problem = Problem([[1, 4, 64, 4096], [1, 8, 64, 4096]], 16, alpha=alpha, weights=weights)
    found = true_cost(["soft drug", "pain"], [DRUG, PAIN], t=16, alpha=alpha, weights=weights)
    assert found == TrueCost(pytest.approx(problem.cost((1, 1))), 2, 2)  # type: ignore[arg-type]


def test_a_wrong_sense_counts_as_the_root() -> None:
    found = true_cost(["hemp", "pain"], [DRUG, PAIN], t=16)
    assert (found.right, found.words) == (1, 2)
    assert found.cost == true_cost(["entity", "pain"], [DRUG, PAIN], t=16).cost
    assert found.cost > true_cost(["soft drug", "pain"], [DRUG, PAIN], t=16).cost


def test_a_common_concept_is_right_in_either_sense() -> None:
    assert true_cost(["entity"] * 2, [DRUG, PLANT], t=2).right == 2


def test_each_occurrence_has_its_own_sense() -> None:
    assert true_cost(["soft drug"] * 3, [DRUG, PLANT, DRUG], t=2).right == 2


def test_a_word_as_it_stands_is_right_and_hides_nothing() -> None:
    found = true_cost([None, "pain"], [PLANT, PAIN], t=8, alpha=0.0)
    assert found == TrueCost(pytest.approx((1.5**2 + 1.5**2) / 2), 2, 2)  # type: ignore[arg-type]


def test_no_words_cost_nothing() -> None:
    assert true_cost([], [], t=9) == TrueCost(0.0, 0, 0)


@pytest.mark.parametrize(
    ("released", "gold", "settings"),
    [
        (["pain"], [], {"t": 2}),
        (["pain"], [PAIN], {"t": 0}),
        (["pain"], [PAIN], {"t": 2, "alpha": math.nan}),
        (["pain"], [PAIN], {"t": 2, "weights": []}),
        (["pain"], [[]], {"t": 2}),
    ],
)
def test_what_makes_no_sense_is_refused(
    released: list[str], gold: list[list[tuple[str, int]]], settings: dict[str, float]
) -> None:
    with pytest.raises(InputError):
        true_cost(released, gold, **settings)  # type: ignore[arg-type]
