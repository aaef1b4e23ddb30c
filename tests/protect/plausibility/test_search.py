"""Every search against trying everything; the exact ones are never beaten."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.protect.plausibility import exact_count as counting
from sfumato.protect.plausibility import exact_uniform as deviating
from sfumato.protect.plausibility.lub import mstep
from sfumato.protect.plausibility.problem import COST_TOLERANCE, Problem, UnreachableError
from sfumato.protect.plausibility.relaxation import relax
from sfumato.protect.plausibility.search import METHODS, search
from tests.protect.plausibility.instances import (
    beats,
    every_choice,
    ladders,
    least_cost,
    least_count,
    problems,
)
from tests.strategies import examples

LONG = [[1, 3, 17, 120, 900], [1, 2, 11, 350], [1, 7, 64, 5000], [1, 5, 9, 31, 77, 1000]] * 6


@examples(400)
@given(problems())
def test_exact_finds_what_trying_everything_finds(problem: Problem) -> None:
    found = search(problem, "exact")
    assert problem.reaches(found.levels)
    assert found.proven
    if problem.in_whole_numbers:
        assert found.plausible_texts == least_count(problem)
    else:
        assert found.cost == pytest.approx(least_cost(problem), rel=1e-11, abs=1e-11)


@examples(150)
@given(problems(), st.integers(0, 3))
def test_every_method_gives_a_plausible_text_and_none_beats_the_exact_one(
    problem: Problem, delta: int
) -> None:
    best = search(problem, "exact")
    for method in METHODS:
        found = search(problem, method, delta=delta)
        assert problem.reaches(found.levels)
        assert found.cost == problem.cost(found.levels)
        assert found.plausible_texts == problem.plausible_texts(found.levels)
        assert not beats(problem, found, best)
        assert found.bound <= found.cost
        assert found.bound <= best.cost + COST_TOLERANCE * (1 + best.cost)
        if found.proven:
            assert not beats(problem, best, found)


@examples(150)
@given(problems(uniform=False))
def test_esearch_prune_finds_the_optimum_of_definition_3(problem: Problem) -> None:
    found = search(problem, "esearch_prune")
    assert found.proven
    assert not beats(problem, search(problem, "exact"), found)


@examples(150)
@given(problems(uniform=True))
def test_uniform_esearch_prune_finds_the_optimum_of_definition_4(problem: Problem) -> None:
    found = search(problem, "uniform_esearch_prune")
    assert found.cost == pytest.approx(least_cost(problem), rel=1e-11, abs=1e-11)


@given(problems(uniform=True))
def test_relaxation_bounds_every_choice_by_its_parts(problem: Problem) -> None:
    relaxed = relax(problem)
    rungs = problem.rungs
    for levels in every_choice(problem):
        if not problem.reaches(levels) or any(j not in rungs[i] for i, j in enumerate(levels)):
            continue
        reduced = [relaxed.reduced[i, rungs[i].index(j)] for i, j in enumerate(levels)]
        assert min(reduced) > -1e-9
        slack = max(0.0, problem.excess(levels))
        whole = relaxed.bound + sum(reduced) + float(relaxed.overshoot(np.array(slack)))
        assert problem.cost(levels) >= relaxed.bound - 1e-9
        assert problem.cost(levels) == pytest.approx(whole, rel=1e-6, abs=1e-6)


@examples(100)
@given(problems(uniform=True), st.integers(0, 60))
def test_when_the_budget_ends_the_bound_still_holds(problem: Problem, budget: int) -> None:
    best = search(problem, "exact")
    for method in METHODS:
        found = search(problem, method, budget=budget)
        assert problem.reaches(found.levels)
        assert found.bound <= best.cost + COST_TOLERANCE * (1 + best.cost)
        assert not beats(problem, found, best)
        assert not (found.proven and beats(problem, best, found))


@examples(60)
@given(problems())
def test_small_pieces_change_nothing(problem: Problem) -> None:
    best = search(problem, "exact")
    with pytest.MonkeyPatch.context() as patch:
        for module in (counting, deviating):
            patch.setattr(module, "CHUNK", 8)
        patch.setattr(counting, "HALF", 4)
        patch.setattr(counting, "FEW_CHOICES", 1)
        patch.setattr(counting, "STEPS", 16)
        patch.setattr(deviating, "FEW", 2)
        found = search(problem, "exact")
    assert found.proven
    assert not beats(problem, best, found)
    assert not beats(problem, found, best)


@settings(max_examples=30)
@given(ladders(most=9, volumes=st.integers(2, 30)), st.integers(1, 10**6))
def test_equal_ladders_and_equal_sums_are_no_trouble(steps: list[list[int]], t: int) -> None:
    steps = steps[:3] * 3
    problem = Problem(steps, min(t, Problem(steps, 1).largest_t))
    assert search(problem, "exact").cost == pytest.approx(
        search(problem, "uniform_esearch_prune").cost, abs=1e-11
    )


@st.composite
def repeated(draw: st.DrawFn) -> tuple[Problem, list[int]]:
    """Long texts of two ladders, each many times: the cost depends only on how many stand on which rung."""
    rungs = st.lists(st.integers(2, 40), min_size=1, max_size=2, unique=True)
    pair = [[1, *sorted(draw(rungs))] for _ in range(2)]
    times = [draw(st.integers(1, 14)), draw(st.integers(1, 6))]
    steps = [ladder for ladder, n in zip(pair, times, strict=True) for _ in range(n)]
    alpha = draw(st.sampled_from([0.0, 0.2, 0.5, 0.99, 0.99999]))
    weights = [
        w
        for w, n in zip((1.0, draw(st.sampled_from([1.0, 2.5]))), times, strict=True)
        for _ in range(n)
    ]
    count = math.prod(draw(st.sampled_from(ladder)) for ladder in steps)
    largest = Problem(steps, 1).largest_t
    t = min(largest, count + draw(st.sampled_from([0, 0, 1, 1, 17])))
    return Problem(steps, t, alpha=alpha, weights=weights), times


def least_cost_of_repeated(problem: Problem, times: list[int]) -> float:
    """Eq. 1 over all ways to put so many equal terms on rungs, one half of the text after the other."""
    halves = []
    for at, n in zip((0, -1), times, strict=True):
        ladder, share = problem.ladders[at], float(problem.shares[at])
        apart = [(math.log2(v) - share) ** 2 for v in ladder]
        ways = itertools.combinations_with_replacement(range(len(ladder)), n)
        halves.append([(math.prod(ladder[j] for j in w), sum(apart[j] for j in w)) for w in ways])
    m, alpha, t = problem.size, problem.alpha, problem.t
    return min(
        alpha / m**2 * math.log2(one * other / t) ** 2 + (1 - alpha) / m * (near + far)
        for (one, near), (other, far) in itertools.product(*halves)
        if one * other >= t
    )


@examples(150)
@given(repeated(), st.booleans())
def test_exact_on_long_texts_with_counts_next_to_t(
    made: tuple[Problem, list[int]], pieces: bool
) -> None:
    problem, times = made
    with pytest.MonkeyPatch.context() as patch:
        if pieces:
            patch.setattr(deviating, "CHUNK", 16)
            patch.setattr(deviating, "FEW", 2)
        found = search(problem, "exact")
    assert found.proven
    assert problem.reaches(found.levels)
    assert found.cost == pytest.approx(least_cost_of_repeated(problem, times), rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("t", [2**40, 2**40 + 1, 2**40 + 2**9])
@pytest.mark.parametrize("few", [2, 64])
def test_a_text_just_short_of_t_is_not_taken(
    t: int, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deviating, "FEW", few)
    problem = Problem([[1, 2, 3, 9]] * 30 + [[1, 4, 5]] * 10, t)
    found = search(problem, "exact")
    assert found.proven
    assert found.plausible_texts >= t
    assert found.cost == pytest.approx(least_cost_of_repeated(problem, [30, 10]), abs=1e-11)


def test_a_rung_just_short_of_t_is_not_taken() -> None:
    assert search(Problem([[1, 2**60 - 1, 2**61], [1]], 2**60), "exact").levels == (2, 0)


def test_going_further_than_t_needs_may_cost_less_or_more() -> None:
    for alpha in (0.001, 0.04, 0.2):
        problem = Problem([[1, 800], [1, 850], [1, 900]], 2**15, alpha=alpha)
        assert search(problem, "exact").cost == pytest.approx(least_cost(problem), abs=1e-12)


# Instances with a trap


def test_sparse_ladders_end() -> None:
    problem = Problem([[1, 10**6], [1, 10**6]], 10**6 + 1, uniform=False)
    assert search(problem, "exact").plausible_texts == 10**12
    assert search(problem, "exact").proven


@pytest.mark.parametrize("uniform", [True, False])
@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
def test_counts_too_near_for_logarithms_are_told_apart(uniform: bool, alpha: float) -> None:
    # 2^60 - 1 and 2^60 have the same logarithm; only the second is enough.
    steps = [[1, 2**60 - 1, 2**60, 2**60 + 1], [1, 3]]
    problem = Problem(steps, 2**60, alpha=alpha, uniform=uniform)
    found = search(problem, "exact")
    assert found.plausible_texts >= 2**60
    assert found.cost == pytest.approx(least_cost(problem), abs=1e-11)
    for method in METHODS:
        assert search(problem, method).plausible_texts >= 2**60


def test_the_right_one_of_two_merged_sums_is_found() -> None:
    # The two middle texts cost the same to the last bit, but only one of them reaches t.
    near = [[1, 2**30 - 1, 2**30], [1, 2**30, 2**30 + 1]] * 2
    product = 2**30 * (2**30 + 1)
    problem = Problem([*near, [1, 2, 4], [1, 2, 8]], product**2 * 8)
    found = search(problem, "exact")
    assert found.proven
    assert found.plausible_texts >= product**2 * 8
    assert found.cost == pytest.approx(least_cost(problem), abs=1e-11)


def test_volumes_that_the_prints_cannot_see_are_no_trouble() -> None:
    prime = int(deviating.PRIMES[0])
    problem = Problem([[1, prime, 2 * prime], [1, 4, prime * 5], [1, 3, 9]], 4 * prime * 9 + 1)
    assert search(problem, "exact").cost == pytest.approx(least_cost(problem), abs=1e-11)


@pytest.mark.parametrize("method", METHODS)
def test_t_of_one_changes_nothing(method: str) -> None:
    found = search(Problem([[1, 2], [1, 8, 9]], 1), method)  # type: ignore[arg-type]
    assert found == search(Problem([[1, 2], [1, 8, 9]], 1), "exact")
    assert (found.levels, found.cost, found.plausible_texts, found.proven) == ((0, 0), 0.0, 1, True)


@pytest.mark.parametrize("method", METHODS)
def test_ladders_of_one_rung_stay(method: str) -> None:
    found = search(Problem([[1], [1, 5], [1]], 5), method)  # type: ignore[arg-type]
    assert found.levels == (0, 1, 0)


@pytest.mark.parametrize("method", METHODS)
def test_no_terms_at_all(method: str) -> None:
    found = search(Problem([], 1), method)  # type: ignore[arg-type]
    assert (found.levels, found.cost, found.plausible_texts, found.proven) == ((), 0.0, 1, True)


@pytest.mark.parametrize("method", METHODS)
def test_numbers_beyond_floating_point(method: str) -> None:
    problem = Problem([[1, 10**400], [1, 10**200, 10**500]], 10**600)
    found = search(problem, method)  # type: ignore[arg-type]
    assert found.plausible_texts >= 10**600


@pytest.mark.parametrize("uniform", [True, False])
def test_auto_falls_back_with_a_bound(uniform: bool) -> None:
    draw = random.Random(5)
    steps = [[1, draw.randrange(10**11, 10**12)] for _ in range(40)]
    problem = Problem(steps, 10**230 + 7, alpha=0.9999999, uniform=uniform)
    found = search(problem, "auto", budget=20_000)
    assert not found.proven
    assert found.bound < found.cost <= search(problem, "top_down").cost
    assert found == search(problem, "auto", budget=20_000)


def test_auto_is_exact_when_the_budget_lasts() -> None:
    problem = Problem(LONG, 2**60)
    assert search(problem) == search(problem, "exact")
    assert search(problem).proven


@pytest.mark.parametrize("t", [10**9 + 7, 10**12])
def test_many_choices_give_a_count_next_to_t(t: int) -> None:
    problem = Problem(LONG, t, uniform=False)
    found = search(problem, "exact")
    assert found.proven
    assert found.plausible_texts >= t
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "FEW_CHOICES", 10**99)
        assert search(problem, "exact").plausible_texts == found.plausible_texts


def test_exhaustive_searches_stop_with_their_budget() -> None:
    for method in ("esearch_prune", "uniform_esearch_prune"):
        found = search(Problem(LONG, 2**60 + 1), method, budget=1000)
        assert found.plausible_texts > 2**60
        assert not found.proven


def test_steps_below_zero_are_refused_by_the_method_itself() -> None:
    with pytest.raises(InputError, match="delta=-1"):
        mstep(Problem(LONG, 4), -1)


def test_more_steps_never_cost_more() -> None:
    problem = Problem(LONG, 2**70)
    costs = [search(problem, "mstep", delta=delta).cost for delta in range(4)]
    assert costs == sorted(costs, reverse=True)
    assert costs[0] > costs[-1]


def test_a_start_below_t_is_raised() -> None:
    # The share is 8 for each, but the first ladder ends at 2.
    for method in METHODS:
        assert search(Problem([[1, 2], [1, 8, 1024]], 64), method).plausible_texts >= 64


def test_a_term_that_must_be_raised_is_never_left_as_it_stands() -> None:
    for method in METHODS:
        for uniform in (True, False):
            problem = Problem([[3, 7], [1, 5], [2]], 7, uniform=uniform)
            assert search(problem, method).plausible_texts >= 7
            assert (
                search(Problem([[3, 7], [1, 5], [2]], 1, uniform=uniform), method).plausible_texts
                == 6
            )


# Errors


def test_t_beyond_reach_names_the_largest_and_the_limiting_terms() -> None:
    with pytest.raises(UnreachableError) as caught:
        search(Problem([[1, 2], [1, 900], [1], [1, 3]], 10_000))
    assert caught.value.largest == 5400
    assert caught.value.limiting == (2, 0, 3)
    assert str(caught.value) == (
        "t=10,000 cannot be reached: the largest t is 5,400 (limited by term 3, 1, 4); "
        "lower t, or give more terms or longer ladders"
    )


def test_t_beyond_reach_with_many_terms_or_none_is_still_one_line() -> None:
    with pytest.raises(UnreachableError, match=r"term 1, 2, 3, 4, 5 and 3 more\)"):
        search(Problem([[1]] * 8, 2))
    with pytest.raises(UnreachableError, match=r"t=6.3·10\^29 .* the largest t is 1;"):
        search(Problem([], 2**99))


def test_with_probabilities_the_largest_t_is_by_entropy() -> None:
    problem = Problem([[1, 4]], 4, probabilities=[[[1.0], [0.5, 0.5, 0.0, 0.0]]])
    assert problem.largest_t == 2
    with pytest.raises(UnreachableError):
        search(problem)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"method": "best"}, "method 'best' does not exist: use one of auto, exact"),
        ({"delta": -1}, "delta=-1: must be at least 0"),
        ({"budget": -1}, "budget=-1: must be at least 0"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        search(Problem([[1, 2]], 2), **settings)  # type: ignore[arg-type]
