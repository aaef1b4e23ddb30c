"""The instance: what it costs, what it refuses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.protect.plausibility.problem import Problem
from tests.protect.plausibility.instances import every_choice, ladders, problems

STEPS = [[1, 4, 32], [1, 6]]


def test_cost_is_equation_1() -> None:
    problem = Problem(STEPS, 12, alpha=0.25)
    half = math.log2(12) / 2
    assert problem.cost((1, 1)) == pytest.approx(
        0.25 / 4 * 1**2 + 0.75 / 2 * ((2 - half) ** 2 + (math.log2(6) - half) ** 2)
    )


def test_definition_3_costs_by_the_count_alone() -> None:
    problem = Problem(STEPS, 12, alpha=0.25, uniform=False)
    assert problem.cost((1, 1)) == pytest.approx(1 / 4)
    assert problem.cost((1, 1)) == Problem(STEPS, 12, alpha=1.0).cost((1, 1))


@given(problems())
def test_equal_weights_are_no_weights(problem: Problem) -> None:
    plain = Problem(problem.ladders, problem.t, problem.alpha, problem.uniform)
    weighted = Problem(
        problem.ladders, problem.t, problem.alpha, problem.uniform, weights=[7.0] * problem.size
    )
    for levels in every_choice(problem):
        assert weighted.cost(levels) == pytest.approx(plain.cost(levels), rel=1e-9, abs=1e-9)


@given(ladders(volumes=st.integers(2, 60)), st.sampled_from([0.0, 0.5, 1.0]), st.booleans())
def test_equal_probabilities_are_no_probabilities(
    steps: list[list[int]], alpha: float, uniform: bool
) -> None:
    even = [[[1 / v] * v for v in ladder] for ladder in steps]
    plain = Problem(steps, 36, alpha, uniform)
    told = Problem(steps, 36, alpha, uniform, probabilities=even)
    assert told.largest_t == plain.largest_t
    for levels in every_choice(plain):
        assert told.cost(levels) == pytest.approx(plain.cost(levels), rel=1e-9, abs=1e-9)
        assert told.reaches(levels) == plain.reaches(levels)


def test_a_heavier_term_is_to_hide_more() -> None:
    problem = Problem([[1, 2, 4, 8]] * 2, 16, alpha=0.0, weights=[1, 3])
    assert problem.shares.tolist() == [1.0, 3.0]
    assert problem.cost((1, 3)) == 0.0 < problem.cost((2, 2))


def test_the_number_of_texts_is_exact() -> None:
    problem = Problem([[1, 10**30 + 1]] * 3, (10**30 + 1) ** 3)
    assert problem.plausible_texts((1, 1, 1)) == problem.t
    assert problem.reaches((1, 1, 1))
    assert not Problem([[1, 10**30 + 1]] * 3, problem.t + 1).reaches((1, 1, 1))


def test_a_wider_rung_may_hide_less_and_rungs_are_climbed_by_bits() -> None:
    rows = [[1.0], [0.5, 0.5], [0.01, 0.01, 0.98]]
    problem = Problem([[1, 2, 3]], 2, probabilities=[rows])
    assert problem.rungs == ((0, 2, 1),)
    assert problem.widest == (1,)


def test_numpy_numbers_are_numbers() -> None:
    problem = Problem([np.array([1, 4])], np.int64(3))  # type: ignore[list-item, arg-type]
    assert problem.ladders == ((1, 4),)
    assert type(problem.ladders[0][1]) is int


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ladders": [[1, 2], []]}, "ladder 2 is empty"),
        ({"ladders": [[0, 3]]}, "ladder 1 begins with 0"),
        ({"ladders": [[1, 3, 3]]}, "ladder 1, rung 3: volume 3 after 3; volumes must ascend"),
        ({"ladders": [[1, 5, 4]]}, "ladder 1, rung 3: volume 4 after 5"),
        ({"ladders": [[1, 2.5]]}, "ladder 1: volumes must be whole numbers"),
        ({"t": 0}, "t=0: must be at least 1"),
        ({"t": 2.0}, "t must be a whole number, not float"),
        ({"alpha": 1.5}, "alpha=1.5: must be between 0 and 1"),
        ({"alpha": math.nan}, "alpha=nan: must be between 0 and 1"),
        ({"weights": [1.0, 2.0]}, "weights: 2 for 1 ladders"),
        ({"weights": [0.0]}, "weight 1 is 0.0: must be a number above 0"),
        ({"weights": [math.inf]}, "weight 1 is inf: must be a number above 0"),
        ({"probabilities": []}, "probabilities: 0 for 1 ladders"),
        ({"probabilities": [[[1.0]]]}, "probabilities of ladder 1: 1 vectors for 2 rungs"),
        ({"probabilities": [[[1.0], [1.0]]]}, "ladder 1, rung 2: 1 values for a volume of 2"),
        (
            {"probabilities": [[[1.0], [1.5, -0.5]]]},
            "ladder 1, rung 2: must be numbers of at least 0",
        ),
        ({"probabilities": [[[1.0], [0.5, 0.4]]]}, "ladder 1, rung 2: must sum to 1, not 0.9"),
    ],
)
def test_what_makes_no_sense_is_said_in_one_line(settings: dict[str, object], message: str) -> None:
    given: dict[str, object] = {"ladders": [[1, 2]], "t": 2, **settings}
    with pytest.raises(InputError) as caught:
        Problem(**given)  # type: ignore[arg-type]
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
