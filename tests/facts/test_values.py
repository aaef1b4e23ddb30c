"""What a term says does not depend on how it is spelt."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.english.numbers import SMALL, TENS, ordinal
from sfumato.facts.values import AGE, Amount, DayOfYear, Days, Name, Place, Value, days, readings


def values(words: str, kind: str, day_first: bool | None = None) -> tuple[Value, ...]:
    return readings(words, kind, day_first=day_first, places=lambda _: iter(()))


def value(words: str, kind: str) -> Value:
    return values(words, kind)[0]


@given(st.dates(date(1800, 1, 1), date(2099, 12, 31)))
def test_a_day_has_one_value_in_all_spellings(day: date) -> None:
    month = day.strftime("%B")
    spellings = [
        day.isoformat(),
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{ordinal(day.day)} of {month} {day.year}",
        f"the {ordinal(day.day)} of {month} {day.year}",
        f"{day.day} {month[:3]} {day.year}",
    ]
    told = Days(day.toordinal(), day.toordinal(), "day")
    assert {value(s, "DATE") for s in spellings} == {told}


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_a_day_in_digits_keeps_both_readings_unless_the_order_is_known(day: date) -> None:
    words = f"{day:%d/%m/%Y}"
    read = values(words, "DATE")
    assert Days(day.toordinal(), day.toordinal(), "day") in read
    assert len(read) == (2 if day.day <= 12 and day.day != day.month else 1)
    assert values(words, "DATE", day_first=True) == (Days(day.toordinal(), day.toordinal(), "day"),)


@given(st.integers(1, 99))
def test_an_age_has_one_value_in_all_spellings(age: int) -> None:
    words = (
        SMALL[age] if age < 20 else TENS[age // 10 - 2] + (f"-{SMALL[age % 10]}" * bool(age % 10))
    )
    wide = "".join(chr(ord(d) + 0xFEE0) for d in str(age))
    spellings = (
        str(age),
        words,
        f"aged {age}",
        f"{age}-year-old",
        f"{age} years old",
        wide,
        f"{ordinal(age)} birthday",
        ordinal(age).upper(),
    )
    assert {value(s, "AGE") for s in spellings} == {Amount(Decimal(age).normalize(), AGE)}


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("$5,000", "$5000", "MONEY"),
        ("12 mg", "12mg", "QUANTITY"),
        ("about 40 miles", "40 mile", "QUANTITY"),
        ("the 1980s", "1980s", "DATE"),
        ("nineteen eighty-four", "1984", "DATE"),
        ("the third of June", "June 3", "DATE"),
        ("+44 20 7946 0958", "+442079460958", "PHONE"),
        ("AB-12 34", "ab1234", "CODE"),
        ("soft drugs", "Soft drug", "TERM"),
    ],
)
def test_spellings_of_one_thing_have_one_value(one: str, other: str, kind: str) -> None:
    assert value(one, kind) == value(other, kind)


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("5 kg", "5 mg", "QUANTITY"),
        ("$5", "€5", "MONEY"),
        ("1984", "May 1984", "DATE"),
        ("June 3", "June 4", "DATE"),
        ("56", "65", "AGE"),
    ],
)
def test_other_things_have_other_values(one: str, other: str, kind: str) -> None:
    assert value(one, kind) != value(other, kind)


@pytest.mark.parametrize(
    ("whole", "part"),
    [
        ("1984", "14 May 1984"),
        ("May 1984", "14 May 1984"),
        ("the 1980s", "1984"),
        ("May", "May 14"),
    ],
)
def test_a_span_holds_what_lies_in_it(whole: str, part: str) -> None:
    assert value(whole, "DATE").holds(value(part, "DATE"))
    assert not value(part, "DATE").holds(value(whole, "DATE"))


def test_values_of_other_sorts_hold_nothing_of_each_other() -> None:
    day, place = Days(1, 1, "day"), Place(3, (2, 1))
    assert Place(2, (1,)).holds(place)
    assert not place.holds(Place(2, (1,)))
    for one in (day, place, DayOfYear(1, 1), Amount(Decimal(1), ""), Name("x")):
        assert not one.holds(Name("y"))


@pytest.mark.parametrize("words", ["0000s", "the 0000s", "early 0000s"])
def test_there_is_no_year_nought(words: str) -> None:
    assert list(days(words, None)) == []
