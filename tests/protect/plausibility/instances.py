"""Random problems, and their solution by trying everything."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from sfumato.protect.plausibility.problem import COST_TOLERANCE, Problem, Solution

_VOLUMES = st.one_of(
    st.integers(2, 12),
    st.integers(2, 500),
    st.sampled_from([2**20, 10**6, 2**31 - 19, 10**18, 10**40]),
)


@st.composite
def ladders(
    draw: st.DrawFn, most: int = 5, volumes: st.SearchStrategy[int] = _VOLUMES
) -> list[list[int]]:
    some = st.lists(st.lists(volumes, max_size=3), min_size=1, max_size=most)
    made = [[1, *sorted(set(rungs))] for rungs in draw(some)]
    forced = draw(st.integers(0, 3)) == 0  # some terms must be raised
    return [
        ladder[1:] if forced and i % 2 and ladder[1:] else ladder for i, ladder in enumerate(made)
    ]


@st.composite
def problems(draw: st.DrawFn, *, uniform: bool | None = None) -> Problem:
    """Reachable problems of either definition, with and without weights and probabilities."""
    odds = draw(st.booleans())
    volumes = st.integers(2, 9) if odds else _VOLUMES
    steps = draw(ladders(volumes=volumes))
    probabilities = None
    if odds:
        masses = st.sampled_from([0.0, 0.1, 1.0, 1.0, 3.0, 50.0])
        probabilities = []
        for ladder in steps:
            rows = []
            for volume in ladder:
                mass = [1.0, *draw(st.lists(masses, min_size=volume - 1, max_size=volume - 1))]
                rows.append([x / sum(mass) for x in mass])
            probabilities.append(rows)
    weights = draw(
        st.none()
        | st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=len(steps), max_size=len(steps))
    )
    settings: dict[str, Any] = {
        "alpha": draw(st.sampled_from([0.0, 0.1, 0.5, 0.9, 0.999, 1.0])),
        "uniform": draw(st.booleans()) if uniform is None else uniform,
        "probabilities": probabilities,
        "weights": weights,
    }
    largest = Problem(steps, 1, **settings).largest_t
    at_a_text = math.prod(draw(st.sampled_from(ladder)) for ladder in steps)
    t = draw(
        st.one_of(st.integers(1, largest), st.sampled_from([at_a_text, at_a_text + 1, largest]))
    )
    return Problem(steps, min(t, largest), **settings)


def every_choice(problem: Problem) -> Iterator[tuple[int, ...]]:
    return itertools.product(*(range(len(ladder)) for ladder in problem.ladders))


def least_cost(problem: Problem) -> float:
    return min(problem.cost(c) for c in every_choice(problem) if problem.reaches(c))


def least_count(problem: Problem) -> int:
    return min(problem.plausible_texts(c) for c in every_choice(problem) if problem.reaches(c))


def beats(problem: Problem, one: Solution, other: Solution) -> bool:
    """Whether one solution is better than another, by the problem's own objective."""
    if problem.in_whole_numbers:
        return one.plausible_texts < other.plausible_texts
    return one.cost < other.cost - COST_TOLERANCE * (1 + other.cost)
