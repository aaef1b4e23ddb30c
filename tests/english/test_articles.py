from __future__ import annotations

import pytest
from hypothesis import given

from sfumato.english.articles import indefinite_article
from tests.strategies import any_text

AN = (
    "hour honest heir heiress honour HIV MRI FBI X-ray 80-89-year-old 8 11 18 18th 11,000 1800 8-bit 800"
    " apple 85,000 11.5 umbrella unimportant unidentified uninsured unimaginable ulcer urgent ugly e-mail"
    " S-shaped H-index NHS SSN LED MRSA HMO icon ICU IV ECG AIDS island NBA MOT Indian Ørsted élite African"
    " utter usher upper urn onion only oncologist RAF mph nth Yvonne ABC Uber uneven HTML A"
)
A = (
    "European one-off university UK URL unit union user uterus urine unique uniform once one unanimous"
    " ukulele UFO UNESCO NATO NASA HIPAA 40-49-year-old 1,800 180 110 7 house herb hospital viral US U-turn"
    " euro ewe eulogy uranium Ugandan Ukrainian Uruguayan utensil utility usual Uighur year one-year-old SIM"
    " LASER unicorn universal unidirectional T-shirt PhD CT BMW HOUSE urologist USB GP 1984 b Mr Mrs Ms Sgt Lt"
)


@pytest.mark.parametrize("word", AN.split())
def test_an_stands_before_a_vowel_that_is_heard(word: str) -> None:
    assert indefinite_article(word) == "an"


@pytest.mark.parametrize("word", A.split())
def test_a_stands_before_everything_else(word: str) -> None:
    assert indefinite_article(word) == "a"


@given(any_text)
def test_any_text_has_one_of_two_articles(text: str) -> None:
    assert indefinite_article(text) in ("a", "an")


def test_a_letter_that_is_but_a_mark_has_an_article() -> None:
    assert indefinite_article("\uff9e") == "a"
