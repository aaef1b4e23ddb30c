"""Context terms in a text: normal forms, and every match that comparing all spans finds."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.know.entities.matching import RULES, TermFinder, normal
from sfumato.know.taxonomy import wordnet


def test_normal_forms_are_those_of_their_rules() -> None:
    """They stand in databases: whoever changes them changes `RULES` and this hash."""
    forms = "\n".join(map(normal, wordnet.default().lemmas()))
    seen = hashlib.sha256(forms.encode()).hexdigest()
    assert (RULES, seen[:16]) == ("1", "c5decf7c4421dcd8")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Night  Sweats", "night-sweat"),
        ("tumours", "tumour"),
        ("boxes", "box"),
        ("diseases", "disease"),
        ("biopsies", "biopsy"),
        ("viruses", "virus"),
        ("diagnoses", "diagnosis"),
        ("Crohn’s disease", "Crohn disease"),
        ("MÉNIÈRE", "meniere"),
        ("movies", "movie"),
        ("NOSE", "nose"),
    ],
)
def test_spellings_of_one_term_have_one_normal_form(one: str, other: str) -> None:
    assert normal(one) == normal(other)


@pytest.mark.parametrize(("one", "other"), [("AIDS", "aid"), ("SARS", "sar"), ("gas", "ga")])
def test_acronyms_and_short_words_are_no_plurals(one: str, other: str) -> None:
    assert normal(one) != normal(other)


def test_terms_are_found_in_any_spelling_longest_first_with_overlaps() -> None:
    terms = TermFinder(
        [normal(t) for t in ("night sweat", "sweat", "sweats at night", "AIDS", "aid")]
    )
    text = "NIGHT\u00a0SWEATS at night; aids, an aid"
    assert [(text[m.start : m.end], m.term) for m in terms.match(text)] == [
        ("NIGHT\u00a0SWEATS", 0),
        ("SWEATS at night", 2),
        ("SWEATS", 1),
        ("aids", 3),
        ("aids", 4),
        ("aid", 4),
    ]


def test_a_possessive_belongs_to_the_match_and_a_quote_does_not() -> None:
    text = "the 'tumour' and the tumour’s size"
    spans = [text[m.start : m.end] for m in TermFinder([normal("tumours")]).match(text)]
    assert spans == ["tumour", "tumour’s"]


@pytest.mark.parametrize("text", ["", "feverish", "xfever", "fever2"])
def test_parts_of_words_are_not_found(text: str) -> None:
    assert TermFinder([normal("fever")]).match(text) == []


def test_no_terms_no_matches() -> None:
    assert TermFinder([]).match("fever") == []


WORDS = ["fever", "cough", "coughs", "night", "sweats", "disease's", "ÉTÉ", "Straße", "x2"]


@given(st.lists(st.sampled_from([*WORDS, "-", ",", "'", "  ", "\u200b", "的"]), max_size=12))
def test_matches_are_what_comparing_every_span_finds(pieces: list[str]) -> None:
    terms = ["cough", "night sweat", "fever cough", "disease", "été", "strasse fever"]
    text = " ".join(pieces)
    normals = {normal(t): i for i, t in enumerate(terms)}
    spans = {(m.start, m.end): m.term for m in TermFinder(list(normals)).match(text)}
    for (start, end), term in spans.items():
        assert normals[normal(text[start:end])] == term
    words = [(i, j) for i in range(len(text)) for j in range(i + 1, len(text) + 1)]
    for i, j in words:
        free = (i == 0 or text[i - 1] == " ") and (j == len(text) or text[j] == " ")
        inner = text[i:j]
        if free and inner[0].isalnum() and inner[-1].isalnum() and normal(inner) in normals:
            assert any(s == i and e >= j for s, e in spans)
