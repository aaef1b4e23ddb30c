from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from sfumato.errors import PolicyError
from sfumato.protect.disclosure.counts import UnitCounts
from sfumato.protect.disclosure.groups import GroupSettings, search_groups
from sfumato.protect.disclosure.problem import Context, Problem, Thing, pose
from sfumato.protect.disclosure.sanitizer import exposures, sanitize
from sfumato.protect.disclosure.thresholds import Threshold, is_risky, limits
from tests.protect.disclosure.corpora import UNITS, corpora
from tests.strategies import examples

Sets = list[list[set[int]]]


def units_at(sets: Sets, thing: int, level: int) -> set[int]:
    """What holds a thing as it is shown; everything does where it was removed."""
    return sets[thing][level] if level < len(sets[thing]) else set(range(UNITS))


def probability(*sets: set[int]) -> float:
    """Straight from counts, smoothed as documented."""
    both = len(set.intersection(*sets))
    if both:
        return both / UNITS
    expected = UNITS * math.prod(len(s) / UNITS for s in sets)
    return expected / (1 + 2 * expected) / UNITS


def told(sets: Sets, levels: tuple[int, ...], target: int, members: tuple[int, ...]) -> float:
    """DR by equation (6), or (3) for a removed target, from the sets alone."""
    s, g = sets[target][0], units_at(sets, target, levels[target])
    q = [units_at(sets, m, levels[m]) for m in members]
    p_q = probability(*q)
    overlap = math.log2(probability(s, *q) / (probability(s) * p_q))
    general = -math.log2(len(g) / UNITS)
    return overlap + general - math.log2(probability(g, *q) / (len(g) / UNITS * p_q))


def too_much(problem: Problem, sets: Sets, levels: tuple[int, ...]) -> list[tuple[int, int]]:
    found = []
    for context in problem.contexts:
        for target in context.targets:
            for member in context.members:
                if levels[member] < len(sets[member]):
                    risk = told(sets, levels, target, (member,))
                    if risk >= problem.limits[target] - 1e-6:
                        found.append((target, member))
    return found


@given(corpora())
@examples(300)
def test_nothing_left_reaches_the_threshold(case: tuple[Problem, Sets]) -> None:
    problem, sets = case
    solution = sanitize(problem)
    over = too_much(problem, sets, solution.levels)
    assert not [
        p for p in over if told(sets, solution.levels, p[0], (p[1],)) > problem.limits[p[0]] + 1e-6
    ]
    assert not exposures(problem, solution.levels)


@given(corpora())
def test_levels_only_rise_and_safe_things_stay(case: tuple[Problem, Sets]) -> None:
    problem, _ = case
    solution = sanitize(problem)
    assert all(a <= b for a, b in zip(problem.start, solution.levels, strict=True))
    touched = {f.thing for f in solution.findings}
    for thing, (a, b) in enumerate(zip(problem.start, solution.levels, strict=True)):
        assert (a != b) == (thing in touched)


@given(corpora())
def test_an_open_thing_keeps_the_most_telling_option_that_is_safe(
    case: tuple[Problem, Sets],
) -> None:
    problem, sets = case
    solution = sanitize(problem)
    together = problem.together()
    targets = problem.targets()
    for finding in solution.findings:
        thing = finding.thing
        if problem.things[thing].hidden:
            continue
        for level in range(solution.levels[thing]):
            trial = (*solution.levels[:thing], level, *solution.levels[thing + 1 :])
            if len(sets[thing][level]) == len(units_at(sets, thing, solution.levels[thing])):
                continue  # tells as much
            assert any(
                told(sets, trial, t, (thing,)) >= problem.limits[t] - 1e-6
                for row, t in enumerate(targets)
                if together[row, thing]
            )


@given(corpora())
def test_findings_say_what_was_told_and_what_still_is(case: tuple[Problem, Sets]) -> None:
    problem, sets = case
    solution = sanitize(problem)
    for f in solution.findings:
        assert f.risk >= f.limit * (0.5 if f.thing == f.target else 1) - 1e-6
        assert f.information == pytest.approx(-math.log2(len(sets[f.target][0]) / UNITS))
        assert f.risk <= f.information + 1e-6
        if solution.levels[f.thing] == len(sets[f.thing]):
            assert f.left == 0
        else:
            assert f.left == pytest.approx(told(sets, solution.levels, f.target, (f.thing,)))


@given(corpora(), st.integers(2, 4), st.integers(1, 3))
@examples(200)
def test_no_group_with_enough_support_reaches_the_threshold(
    case: tuple[Problem, Sets], size: int, support: int
) -> None:
    problem, sets = case
    solution = sanitize(problem, GroupSettings(size, support))
    assert solution.groups == size
    assert not exposures(problem, solution.levels)
    for context in problem.contexts:
        shown = [m for m in context.members if solution.levels[m] < len(sets[m])]
        shown = [m for m in shown if len(sets[m][solution.levels[m]]) < UNITS]
        for target in context.targets:
            for number in range(2, size + 1):
                for group in combinations(shown, number):
                    held = [sets[m][solution.levels[m]] for m in group]
                    if len(set.intersection(sets[target][0], *held)) >= support:
                        risk = told(sets, solution.levels, target, group)
                        assert risk < problem.limits[target] + 1e-6


@given(corpora(), st.integers(1, 3))
def test_risky_groups_are_found_by_their_smallest(case: tuple[Problem, Sets], support: int) -> None:
    problem, sets = case
    found, reached = search_groups(problem, problem.start, GroupSettings(3, support))
    assert reached == 3
    for group in found:
        held = [units_at(sets, m, problem.start[m]) for m in group.members]
        assert group.support == len(set.intersection(sets[group.target][0], *held)) >= support
        assert group.confidence == pytest.approx(group.support / len(set.intersection(*held)))
        assert group.risk == pytest.approx(told(sets, problem.start, group.target, group.members))
    parts = {(g.target, g.members) for g in found}
    for target, members in parts:
        for fewer in combinations(members, 2):
            assert fewer == members or (target, fewer) not in parts


def world(sets: Sets, starts: list[int], threshold: Threshold, **options: bool) -> Problem:
    counts = UnitCounts(64)
    things = [
        Thing(tuple(counts.add(BitMap(s)) for s in ladder), start, **options)
        for ladder, start in zip(sets, starts, strict=True)
    ]
    hidden = tuple(i for i, t in enumerate(things) if t.hidden)
    return pose(counts, things, [Context(hidden, tuple(range(len(things))))], threshold)


DISEASE, CANCER, RADIOTHERAPY, TREATMENT = (
    set(range(32)),
    set(range(4)),
    set(range(3)),
    set(range(0, 60, 2)),
)


def test_what_betrays_a_removed_term_is_generalised() -> None:
    problem = world(
        [[CANCER], [RADIOTHERAPY, TREATMENT | RADIOTHERAPY]], [1, 0], Threshold("bits", 3)
    )
    solution = sanitize(problem)
    assert solution.levels == (1, 1)
    (finding,) = solution.findings
    assert finding.risk == finding.information == 4.0
    assert finding.left < 3


def test_a_generalisation_that_tells_too_much_itself_is_raised() -> None:
    tumour = set(range(6))
    problem = world([[CANCER, tumour, DISEASE]], [1], Threshold("bits", 2))
    assert sanitize(problem).levels == (2,)
    assert sanitize(world([[CANCER, tumour]], [1], Threshold("bits", 2))).levels == (2,)


def test_a_generalisation_leaves_room_for_other_terms() -> None:
    noise = {0, 4, 8, 12, 20, 24, 28, *range(40, 61, 4)}  # every fourth unit: independent
    problem = world([[CANCER, set(range(17)), DISEASE], [noise]], [1, 0], Threshold("bits", 2))
    assert sanitize(problem, room=1.0).levels == (1, 1)
    assert sanitize(problem, room=0.5).levels == (2, 0)


def test_under_the_most_telling_generalisation_independent_terms_stand() -> None:
    even, low = set(range(0, 64, 2)), set(range(32))
    cancer = {0, 1, 2, 3}
    problem = world([[cancer, low], [even]], [1, 0], Threshold("most telling generalisation"))
    assert problem.strict
    assert problem.limits[0] == 1.0
    assert sanitize(problem).levels == (1, 0)
    by_bits = world([[cancer, low], [even]], [1, 0], Threshold("bits", 1.0))
    assert sanitize(by_bits).levels == (2, 0)


def test_a_hidden_term_that_is_not_known_asks_for_nothing() -> None:
    problem = world([[CANCER], [RADIOTHERAPY]], [1, 0], Threshold("bits", 1), assessed=False)
    assert problem.targets() == []
    assert sanitize(problem, GroupSettings(2, 1)).levels == problem.start
    assert exposures(problem, problem.start) == []


def test_nothing_hidden_nothing_changed() -> None:
    problem = world([[CANCER], [DISEASE]], [0, 0], Threshold())
    assert sanitize(problem).levels == (0, 0)


def test_two_terms_tell_together_what_neither_tells_alone() -> None:
    left, right = set(range(4)) | set(range(20, 40)), set(range(4)) | set(range(40, 60))
    problem = world([[CANCER], [left], [right]], [1, 0, 0], Threshold("share", 0.9))
    assert sanitize(problem).levels == (1, 0, 0)
    assert sanitize(problem, GroupSettings(1)).levels == (1, 0, 0)
    solution = sanitize(problem, GroupSettings(2, 3))
    assert sorted(solution.levels) == [0, 1, 1]
    assert solution.findings[0].group == (1, 2)
    assert sanitize(problem, GroupSettings(2, 5)).levels == (1, 0, 0)


def test_a_search_for_groups_that_gives_up_says_so() -> None:
    many = [set(range(4)) | {10 + i, 30 + i} for i in range(8)]
    problem = world([[CANCER], *[[m] for m in many]], [1] + [0] * 8, Threshold("bits", 100))
    assert sanitize(problem, GroupSettings(3, 2)).groups == 3
    assert sanitize(problem, GroupSettings(3, 2, budget=5)).groups == 2


def test_exposures_come_with_the_most_telling_first() -> None:
    problem = world([[CANCER], [set(range(8))], [RADIOTHERAPY]], [1, 0, 0], Threshold("bits", 2))
    found = exposures(problem, problem.start)
    assert [(e.thing, e.risk) for e in found] == [(2, 4.0), (1, 3.0)]
    assert {e.information for e in found} == {4.0}


# Thresholds


def test_the_thresholds_of_section_3_5() -> None:
    hidden, general = np.array([8.0, 5.0]), np.array([2.0, 3.0])
    assert limits(Threshold("least hidden"), hidden, general).tolist() == [5, 5]
    assert limits(Threshold("most telling generalisation"), hidden, general).tolist() == [3, 3]
    assert limits(Threshold("bits", 4), hidden, general).tolist() == [4, 4]
    assert limits(Threshold("share", 0.5), hidden, general).tolist() == [4, 2.5]
    assert limits(Threshold(), np.zeros(0), np.zeros(0)).tolist() == []


def test_risky_is_at_least_the_threshold_but_above_it_for_equation_9() -> None:
    assert is_risky(np.array([3.0]), 3.0).tolist() == [True]
    assert is_risky(np.array([3.0]), 3.0, strict=True).tolist() == [False]
    assert is_risky(np.array([2.9]), 3.0).tolist() == [False]


def test_the_most_telling_generalisation_needs_one() -> None:
    with pytest.raises(PolicyError, match="all of them are removed"):
        limits(Threshold("most telling generalisation"), np.array([8.0]), np.zeros(0))


@pytest.mark.parametrize(
    ("rule", "value"), [("share", 0), ("share", 1.1), ("bits", 0), ("bits", -1)]
)
def test_thresholds_that_make_no_sense_are_refused(rule: str, value: float) -> None:
    with pytest.raises(PolicyError):
        Threshold(rule, value)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"size": 5}, {"size": 0}, {"support": 0}, {"budget": 0}])
def test_groups_have_sensible_settings(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="groups"):
        GroupSettings(**wrong)


def test_a_thing_has_an_option() -> None:
    with pytest.raises(ValueError, match="option"):
        Thing(())
    with pytest.raises(ValueError, match="level"):
        Thing((1,), 2)
