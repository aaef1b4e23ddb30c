from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.english.folding import (
    after_marks,
    fold,
    folded_words,
    letters,
    normal_form,
    plain_letters,
    skeleton,
)

any_characters = st.text(st.characters())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna-Maria  KELLER", "anna maria Keller"),
        ("STRASSE", "straße"),
        ("ﬁle", "FILE"),
        ("A\u2014B", "a b"),
        ("x_y", "X Y"),
    ],
)
def test_one_thing_has_one_normal_form(one: str, other: str) -> None:
    assert normal_form(one) == normal_form(other)


def test_words_of_a_normal_form_are_the_same_by_the_quick_way() -> None:
    text = "Anna-Maria KELLER, 5th_floor"
    assert folded_words(text) == folded_words(text + "–")


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_folding_is_the_same_for_all_spellings_of_a_text(text: str) -> None:
    assert fold(text).text == fold(unicodedata.normalize("NFD", text)).text


@given(any_characters)
def test_folded_text_leads_back_to_the_original(text: str) -> None:
    folded = fold(text)
    for at, char in enumerate(folded.text):
        start, end = folded.place(at, at + 1)
        assert char in fold(text[start:end]).text


@given(any_characters)
def test_a_skeleton_holds_letters_and_digits_alone(text: str) -> None:
    assert all(c.isalnum() for c in skeleton(text))
    assert skeleton(skeleton(text)) == skeleton(text)


@given(st.text(st.characters(max_codepoint=0x24F, exclude_characters="ı")))  # "I" is no dotless i
def test_case_and_punctuation_do_not_show_in_a_skeleton(text: str) -> None:
    assert skeleton(f"- {text.upper()}!") == skeleton(text)


def test_a_letter_and_its_parts_have_one_skeleton() -> None:
    for char in map(chr, range(0x30000)):
        assert skeleton(unicodedata.normalize("NFD", char)) == skeleton(char), ascii(char)


@given(any_characters)
def test_letters_lead_back_to_the_original(text: str) -> None:
    found = letters(text)
    plain = plain_letters(text)
    assert found.text == skeleton(text)
    assert [plain[at] for at in found.at] == list(found.text)
    assert [c != " " for c in plain] == found.is_letter.tolist()
    for char, origin in zip(plain, found.origin.tolist(), strict=True):
        assert char in plain_letters(text[origin])


def test_a_mark_belongs_to_the_letter_before_it() -> None:
    assert after_marks("e\u0301\u0302x", 1) == 3
    assert after_marks("ex", 1) == 1
    assert after_marks("e", 1) == 1
