"""Dates and numbers that a text may tell in an order, held to all worlds of small ones."""

from __future__ import annotations

from collections import Counter
from datetime import date
from itertools import combinations, product
from math import comb, prod

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from sfumato.facts.ages import spans_in
from sfumato.know.taxonomy import softening
from sfumato.protect.plausibility.orders import Ordered, Ranged
from sfumato.verify.orders import Row, Stretch

MOST_WORLDS = 30_000
LEVELS = ("day", "month", "year")


@st.composite
def bands(draw: st.DrawFn) -> Ranged:
    """A band of whole numbers, or of numbers with another digit behind."""
    level = draw(st.sampled_from([0, 0, 1]))
    width = draw(st.sampled_from([2, 5, 10, 20] if level == 0 else [2, 4]))
    at = draw(st.integers(0, 2))
    unit = 10**level
    return Ranged(level, at * width * unit, (at + 1) * width * unit - 1, width)


@st.composite
def spans(draw: st.DrawFn) -> Ranged:
    """A day, month or year of one of few years, as a month, a year or a decade."""
    level, span = draw(st.sampled_from([(0, "month"), (1, "year"), (1, "decade"), (2, "decade")]))
    day = date(draw(st.sampled_from([2019, 2020, 2021])), draw(st.integers(5, 6)), 3).toordinal()
    key = softening.span_key(day, span)  # type: ignore[arg-type]
    count = softening.values_in(key, LEVELS[level])  # type: ignore[arg-type]
    return Ranged(level, *softening.span_ends(key), count)


def relation(one: tuple[int, int], other: tuple[int, int]) -> str:
    """What a text may tell of two dates: which was first, or that one was in the other."""
    return "before" if one[1] < other[0] else "after" if other[1] < one[0] else "within"


def fewest(values: list[list[tuple[int, int]]], own: list[bool]) -> int:
    """Of all that a text may tell of the order of some values, no two the same, what leaves the fewest worlds:
    so many, for the values elsewhere with which there are most."""
    worlds: dict[tuple[str, ...], Counter[tuple[tuple[int, int], ...]]] = {}
    for world in product(*values):
        if len({*world}) == len(world):
            told = tuple(relation(*pair) for pair in combinations(world, 2))
            elsewhere = tuple(v for v, is_own in zip(world, own, strict=True) if not is_own)
            worlds.setdefault(told, Counter())[elsewhere] += 1
    assume(worlds)
    return min(max(some.values()) for some in worlds.values())


def sets(facts: list[Ranged], own: list[bool], dated: bool) -> int:
    inside = [fact for fact, is_own in zip(facts, own, strict=True) if is_own]
    return Ordered(facts, dated).sets(inside)


@given(st.lists(st.tuples(bands(), st.booleans()), min_size=1, max_size=4))
@example([(Ranged(0, 0, 1, 2), False), (Ranged(0, 0, 4, 5), True), (Ranged(1, 0, 19, 2), False)])
@example([(Ranged(0, 0, 4, 5), False), (Ranged(0, 0, 4, 5), True), (Ranged(1, 0, 19, 2), True)])
def test_numbers_have_as_many_worlds_in_whatever_order(some: list[tuple[Ranged, bool]]) -> None:
    facts, own = [fact for fact, _ in some], [is_own for _, is_own in some]
    assume(any(own))
    values = [[(n, n) for n in range(f.first, f.last + 1, 10**f.level)] for f in facts]
    assume(prod(map(len, values)) <= MOST_WORLDS)
    assert sets(facts, own, dated=False) <= max(1, fewest(values, own))


@given(st.lists(st.tuples(spans(), st.booleans()), min_size=1, max_size=3))
def test_dates_have_as_many_worlds_in_whatever_order(some: list[tuple[Ranged, bool]]) -> None:
    facts, own = [fact for fact, _ in some], [is_own for _, is_own in some]
    assume(any(own))
    values = [list(spans_in(f.first, f.last, LEVELS[f.level])) for f in facts]
    assume(prod(map(len, values)) <= MOST_WORLDS)
    assert sets(facts, own, dated=True) <= max(1, fewest(values, own))


JUNE = Ranged(0, date(2024, 6, 1).toordinal(), date(2024, 6, 30).toordinal(), 30)
YEAR = Ranged(0, date(2024, 1, 1).toordinal(), date(2024, 12, 31).toordinal(), 366)
IN_2024 = Ranged(1, YEAR.first, YEAR.last, 12)
ANY_JUNE = Ranged(0, 0, 0, 28, month=6)


@pytest.mark.parametrize(
    ("facts", "many"),
    [
        ([JUNE], 30),
        ([JUNE] * 4, comb(30, 4)),
        ([JUNE, YEAR], comb(30, 2)),  # of any day of the year, those of June
        ([JUNE, IN_2024], 30),  # the month may hold the day
        ([YEAR, IN_2024], 12 * 28),
        ([ANY_JUNE, ANY_JUNE], comb(28, 2)),
        ([ANY_JUNE, JUNE], comb(28, 2)),
        ([JUNE] * 31, 1),
    ],
)
def test_dates_that_may_meet_are_a_set(facts: list[Ranged], many: int) -> None:
    assert Ordered(facts, dated=True).sets(facts) == many


def test_what_is_told_elsewhere_may_come_between() -> None:
    assert Ordered([JUNE] * 3, dated=True).sets([JUNE] * 2) == 14 * 14


def test_a_date_that_gave_way_goes_with_the_one_that_it_gave_way_to() -> None:
    lifted = Ranged(0, YEAR.first, YEAR.last, 1, gave_way=True)
    assert Ordered([IN_2024, lifted], dated=True).sets([IN_2024, lifted]) == 12
    assert Ordered([YEAR, lifted], dated=True).sets([YEAR, lifted]) == 1


@given(
    st.lists(st.tuples(spans(), st.booleans(), st.integers(0, 2)), min_size=1, max_size=7),
    st.integers(0, 2),
)
def test_a_reader_of_the_release_counts_the_same(
    some: list[tuple[Ranged, bool, int]], months: int
) -> None:
    facts = [Ranged(f.level, f.first, f.last, f.count - lost) for f, _, lost in some]
    facts += [ANY_JUNE] * months
    own = [is_own for _, is_own, _ in some] + [True] * months
    told = [Stretch(f.first, f.last, f.level, f.count, f.gave_way, f.month) for f in facts]
    inside = [each for each, is_own in zip(told, own, strict=True) if is_own]
    assert prod(Row(told, calendar=True).ways(inside)) == sets(facts, own, dated=True)


@given(st.lists(st.tuples(bands(), st.booleans()), min_size=1, max_size=7))
def test_a_reader_of_the_release_counts_numbers_alike(some: list[tuple[Ranged, bool]]) -> None:
    facts, own = [fact for fact, _ in some], [is_own for _, is_own in some]
    told = [Stretch(f.first, f.last, f.level, f.count) for f in facts]
    inside = [each for each, is_own in zip(told, own, strict=True) if is_own]
    assert prod(Row(told, calendar=False).ways(inside)) == sets(facts, own, dated=False)
