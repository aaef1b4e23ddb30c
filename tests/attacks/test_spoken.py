"""Numbers and days that are said in words, or in digits of another width, are gone like those in digits."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import sanitize
from sfumato.english.numbers import SMALL

_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(SMALL[:10])}|oh|double|hundred)\b", re.IGNORECASE)


@given(st.text("0123456789", min_size=9, max_size=9), st.sampled_from([" ", ", "]))
@settings(max_examples=25, deadline=None)
def test_a_telephone_number_said_digit_by_digit_is_gone(rest: str, between: str) -> None:
    said = between.join(SMALL[int(d)] for d in "07" + rest)
    told = sanitize(f"You can reach me on {said} any time.", "default").text
    assert len(_NUMBER_WORD.findall(told)) == 0, told


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("Call oh seven seven double oh nine hundred one two three.", "double oh"),
        ("My social security number is five three six, nine oh, four three nine nine.", "five three"),
        ("He was born on the twenty-second of April nineteen sixty-one.", "twenty-second"),
        ("She was admitted on April the fifth.", "fifth"),
        ("Call ０２０ ７９４６ ０９５８.", "７９４６"),
        ("Card four five three nine, one four eight eight, oh three four three, six four six seven.", "four eight"),
    ],
)  # fmt: skip
def test_what_is_said_in_words_is_gone(text: str, gone: str) -> None:
    assert gone not in sanitize(text, "strict").text


@pytest.mark.parametrize(
    "text",
    [
        "One of the two came, three or four stayed.",
        "They lost four three after leading three nil.",
        "Count to ten: one, two, three, four, five.",
        "The first of many, on the second attempt.",
    ],
)
def test_counting_and_scores_stay(text: str) -> None:
    assert sanitize(text, "default").text == text


@pytest.mark.parametrize("profile", ["default", "gdpr", "research", "strict"])
def test_digits_of_full_width_are_replaced_like_others(profile: str) -> None:
    told = sanitize("Card ４１１１ １１１１ １１１１ １１１１, paid.", profile).text
    assert "１" not in told
