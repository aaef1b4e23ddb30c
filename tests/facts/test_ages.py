"""The ages that follow from dates, held to brute force."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from sfumato.facts.ages import order_by_ages, pairs, spans_in
from sfumato.facts.values import AGE, Amount, Days


@given(st.integers(1700, 2000), st.integers(1700, 2000))
def test_pairs_are_those_of_brute_force(born: int, seen: int) -> None:
    births, events = (
        list(spans_in(date(y, 1, 1).toordinal(), date(y + 30, 12, 31).toordinal(), "year"))
        for y in (born, seen)
    )
    true = sum(b[0] <= e[1] and ages_free(b[1], e[0]) <= 119 for b in births for e in events)
    assert pairs(births, events) == true


def ages_free(born: int, event: int) -> int:
    a, b = date.fromordinal(born), date.fromordinal(event)
    return b.year - a.year - ((b.month, b.day) < (a.month, a.day))


def day(*when: int) -> Days:
    return Days(date(*when).toordinal(), date(*when).toordinal(), "day")


def test_days_that_may_be_two_are_read_so_that_more_ages_follow() -> None:
    dated = [(day(1969, 3, 6), day(1969, 6, 3)), (day(2019, 5, 5),)]
    for age, first in ((49, day(1969, 6, 3)), (50, day(1969, 3, 6)), (12, day(1969, 3, 6))):
        read = order_by_ages([*dated, (Amount(Decimal(age), AGE),)])
        assert read[0][0] == first
        assert set(read[0]) == set(dated[0])
