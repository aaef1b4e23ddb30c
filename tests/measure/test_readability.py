from __future__ import annotations

import math

import pytest

from sfumato.measure import coleman_liau_index, flesch_kincaid_grade, flesch_reading_ease
from sfumato.measure.readability import readability, syllables


def test_the_formulas_by_hand() -> None:
    text = "The cat sat on the mat. It was warm."  # 9 words, 2 sentences, 9 syllables, 26 letters
    found = readability(text)
    assert found is not None
    assert (found.sentences, found.words, found.syllables, found.letters) == (2, 9, 9, 26)
    assert flesch_reading_ease(text) == pytest.approx(206.835 - 1.015 * 4.5 - 84.6)
    assert flesch_kincaid_grade(text) == pytest.approx(0.39 * 4.5 + 11.8 - 15.59)
    assert coleman_liau_index(text) == pytest.approx(5.88 * 26 / 9 - 29.6 * 2 / 9 - 15.8)


def test_long_words_are_harder() -> None:
    easy, hard = (
        "We go to see the dog.",
        "Institutional considerations necessitate reconsideration.",
    )
    assert flesch_reading_ease(easy) > flesch_reading_ease(hard)
    assert flesch_kincaid_grade(easy) < flesch_kincaid_grade(hard)
    assert coleman_liau_index(easy) < coleman_liau_index(hard)


@pytest.mark.parametrize(
    ("word", "count"),
    [
        *(("a", 1), ("hope", 1), ("hoped", 1), ("boxes", 2), ("tables", 2), ("42", 1)),
        *(("hospital", 3), ("ambulance", 3), ("seeing", 2), ("medication", 4)),
    ],
)
def test_syllables(word: str, count: int) -> None:
    assert syllables(word) == count


def test_a_text_without_words_has_no_index() -> None:
    assert readability(" … !") is None
    for index in (flesch_reading_ease, flesch_kincaid_grade, coleman_liau_index):
        assert math.isnan(index("—"))
