"""Numbers and days as people say them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.english import spoken
from sfumato.english.numbers import SMALL

DIGITS = st.text("0123456789", min_size=1, max_size=16)


@given(DIGITS, st.sampled_from([" ", ", ", "-", " - "]))
def test_digits_said_one_by_one_are_read_back(digits: str, between: str) -> None:
    assert spoken.digits(between.join(SMALL[int(d)] for d in digits)) == digits


@given(DIGITS)
def test_doubles_and_noughts_are_what_they_stand_for(digits: str) -> None:
    said, at = [], 0
    while at < len(digits):
        word = "oh" if digits[at] == "0" else SMALL[int(digits[at])]
        twice = digits[at : at + 2] == digits[at] * 2
        said.append(f"double {word}" if twice else word)
        at += 2 if twice else 1
    assert spoken.digits(" ".join(said)) == digits


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("plus four four", "44"),
        ("nine hundred", "900"),
        ("twenty-one forty", "2140"),
        ("five five five, 0142", "5550142"),
        ("one of them", None),
        ("three apples", None),
    ],
)
def test_what_is_no_number_is_none(said: str, read: str | None) -> None:
    assert spoken.digits(said) == read


@pytest.mark.parametrize("run", ["12345", "987654", "0123"])
def test_counting_aloud_is_told_from_a_number(run: str) -> None:
    assert spoken.counts(run)
    assert not spoken.counts(run + run[-1])


@pytest.mark.parametrize(
    ("said", "digits"),
    [
        ("the third of June", "the 3rd of June"),
        ("nineteen eighty-four", "1984"),
        ("two thousand and four", "2004"),
        ("twenty twenty-three", "2023"),
        ("the thirty-first", "the 31st"),
        ("nineteen", "nineteen"),
    ],
)
def test_ordinals_and_years_in_words_become_digits(said: str, digits: str) -> None:
    assert spoken.in_digits(said) == digits
