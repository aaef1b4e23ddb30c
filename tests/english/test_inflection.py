from __future__ import annotations

import pytest
from hypothesis import given

from sfumato.english import inflection
from sfumato.english.inflection import (
    IRREGULAR,
    certain_plural,
    inflections,
    is_plural,
    looks_plural,
    pluralise,
    possible_singulars,
    several_asked,
    singular,
    stem,
)
from tests.strategies import any_text


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("growth", "growths"), ("tumour", "tumours"), ("body", "bodies"), ("boy", "boys"), ("box", "boxes"),
        ("church", "churches"), ("stomach", "stomachs"), ("virus", "viruses"), ("diagnosis", "diagnoses"),
        ("woman", "women"), ("policewoman", "policewomen"), ("human", "humans"), ("person", "people"),
        ("grandchild", "grandchildren"), ("series", "series"), ("criterion", "criteria"), ("leaf", "leaves"),
        ("shelf", "shelves"), ("knowledge", "knowledges"),
        ("growths", "growths"), ("disease of the liver", "diseases of the liver"), ("", ""), ("bus", "buses"),
        ("person with diabetes", "people with diabetes"), ("medical treatment", "medical treatment"),
    ],
)  # fmt: skip
def test_plurals(one: str, many: str) -> None:
    assert pluralise(one) == many


@pytest.mark.parametrize(
    "word", ["Paris", "diabetes", "abscess", "virus", "analysis", "Texas", "is", "bus"]
)
def test_not_every_s_is_a_plural(word: str) -> None:
    assert not is_plural(word)


@pytest.mark.parametrize("one", IRREGULAR)
def test_an_irregular_noun_is_found_by_its_plural(one: str) -> None:
    many = IRREGULAR[one]
    assert pluralise(one) == many
    assert looks_plural(many)
    assert one in possible_singulars(many)
    assert singular(many) == (many if many in inflection._OWN_NOUNS else one)


@pytest.mark.parametrize("word", sorted(inflection._SINGULAR_IN_S | inflection._UNCHANGED))
def test_a_singular_in_s_stays(word: str) -> None:
    assert singular(word) == word


@pytest.mark.parametrize("word", ["tumour", "city", "box", "glass", "hero", "boy"])
def test_forms_of_a_noun_find_each_other(word: str) -> None:
    many = pluralise(word)
    assert many in inflections(word)
    assert word in inflections(many)
    assert stem(many) == stem(word) == stem(word + "'s")


def test_a_verb_tells_the_number_of_a_name() -> None:
    assert not is_plural("Carpathians", " was")
    assert is_plural("Carpathians", " were")


@pytest.mark.parametrize(
    ("plural", "one"),
    [("tumours", "tumour"), ("biopsies", "biopsy"), ("boxes", "box"), ("series", "series"), ("people", "person"),
     ("glasses", "glass"), ("virus", "virus"), ("gas", "gas"), ("metastases", "metastasis")],
)  # fmt: skip
def test_nouns_have_a_singular(plural: str, one: str) -> None:
    assert singular(plural) == one


@given(any_text)
def test_what_is_plural_stays_as_it_is(text: str) -> None:
    once = pluralise(text)
    assert pluralise(once) == once or not is_plural(once)


@pytest.mark.parametrize(
    ("before", "after", "several"),
    [
        ("Nobody saw two ", " there.", True), ("saw 3 ", "", True), ("took 1,200 ", "", True),
        ("these ", "", True), ("There are ", " here.", None), ("the ", " are here.", True),
        ("The ", "’ owner", True), ("The ", "'s owner", False), ("She owns an ", " now", False),
        ("every ", " are", False), ("The ", " was here.", False), ("They know ", ".", None),
        ("fever and ", " were noted.", None), ("type 2 ", " was found", False), ("type 2 ", ".", None),
        ("in 1984 ", " came", None), ("COVID-19 ", "", None), ("some ", " left", None), ("", "", None),
    ],
)  # fmt: skip
def test_a_place_asks_for_one_or_for_several_whatever_stands_there(
    before: str, after: str, several: bool | None
) -> None:
    assert several_asked(before, after) is several


@given(any_text)
def test_a_plural_that_is_certain_is_another_word_and_what_everybody_says(noun: str) -> None:
    many = certain_plural(noun)
    assert many is None or (many != noun and noun in possible_singulars(many))


@pytest.mark.parametrize(
    ("noun", "many"),
    [("whisky", "whiskies"), ("mother-in-law", "mother-in-laws"), ("glass", "glasses"), ("bus", "buses"),
     ("gymnastics", None), ("diabetes", None), ("aircraft", None), ("head of state", None), ("vitamin 3", None)],
)  # fmt: skip
def test_words_in_s_and_phrases_with_a_tail_have_no_plural_that_is_certain(
    noun: str, many: str | None
) -> None:
    assert certain_plural(noun) == many
