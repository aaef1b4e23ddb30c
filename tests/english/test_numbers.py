from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.english.numbers import (
    ONES,
    SMALL,
    TENS,
    numbers_in_digits,
    numbers_in_words,
    ordinal,
    read_number,
)


def in_words(number: int) -> str:
    """Up to 999, by the rules of a primer."""
    if number < 20:
        return SMALL[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return TENS[tens - 2] + (f"-{ONES[ones - 1]}" if ones else "")
    hundreds, rest = divmod(number, 100)
    return f"{ONES[hundreds - 1]} hundred" + (f" and {in_words(rest)}" if rest else "")


def test_every_number_below_a_thousand_is_read_in_words() -> None:
    for number in range(1000):
        text = in_words(number)
        assert [(n.start, n.end, n.value) for n in numbers_in_words(text)] == [
            (0, len(text), number)
        ]


@given(st.integers(-(10**15) + 1, 10**15 - 1))
def test_a_number_in_digits_is_read_with_and_without_commas(number: int) -> None:
    for text in (str(number), f"{number:,}"):
        assert [n.value for n in numbers_in_digits(text)] == [number]
        assert read_number(text) == number


@pytest.mark.parametrize("text", ["B12", "1.2.3", "14th", "x4", "12,34"])
def test_digits_that_are_no_number_of_their_own_are_left(text: str) -> None:
    assert list(numbers_in_digits(text)) == []


@pytest.mark.parametrize("text", ["", "n/a", "1e999", "1,25", "5 kg", "--3", "five"])
def test_a_cell_that_is_no_number_has_none(text: str) -> None:
    assert read_number(text) is None


def test_ordinals_end_as_they_are_said() -> None:
    said = [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 111, 122)]
    assert said == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "111th", "122nd"]
