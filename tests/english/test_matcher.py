"""Terms of a list, found in any spelling, as whole words, with exact offsets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.english.folding import fold
from sfumato.english.matcher import TermMatcher


def words(matcher: TermMatcher, text: str) -> list[str]:
    return [text[start:end] for start, end, _ in matcher.find(text)]


@pytest.mark.parametrize(
    ("term", "text", "found"),
    [
        ("lantern", "a LANTERN here", ["LANTERN"]),
        ("Café", "the cafe, CAFÉ, cafe\u0301", ["cafe", "CAFÉ", "cafe\u0301"]),
        (
            "copper lantern",
            "Copper-Lantern and copper \n lantern",
            ["Copper-Lantern", "copper \n lantern"],
        ),
        ("STRASSE", "eine Straße", ["Straße"]),
        ("file", "the ﬁle", ["ﬁle"]),
        ("Keller", "Keller's and the Kellers and Kellers’ x", ["Keller's", "Kellers", "Kellers’"]),
        ("city", "two cities", ["cities"]),
        ("box", "many boxes", ["boxes"]),
        ("tumours", "one tumour", ["tumour"]),
        ("James", "James's and James'", ["James's", "James'"]),
        ("C++", "in C++, not C", ["C++"]),
        ("東京", "私は東京に住む", ["東京"]),
        ("ΣΊΣΥΦΟΣ", "σίσυφος", ["σίσυφος"]),
        ("Anna", "ａｎｎａ", ["ａｎｎａ"]),
        ("soft", "so\u00adft", ["so\u00adft"]),
        ("O’Brien", "o'brien", ["o'brien"]),
        ("snake_case", "snake case", ["snake case"]),
    ],
)
def test_a_term_is_found_in_any_case_accent_spacing_and_number(
    term: str, text: str, found: list[str]
) -> None:
    assert words(TermMatcher([term]), text) == found


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("ann", "anna and joann"),
        ("lantern", "lanternfish"),
        ("cat", "café cats2"),
        ("file", "proﬁle"),
        ("москва", "москвахх"),
        ("art", "_party_"),
        ("a b", "ab"),
    ],
)
def test_parts_of_words_are_not_found(term: str, text: str) -> None:
    assert words(TermMatcher([term]), text) == []


def test_without_inflection_only_the_term_itself_is_found() -> None:
    assert words(TermMatcher(["Keller"], inflect=False), "Keller, Kellers, Keller's") == [
        "Keller",
        "Keller",
    ]


def test_the_longest_term_wins_and_a_shorter_one_is_not_lost_behind_it() -> None:
    matcher = TermMatcher(["grey", "grey plover", "grey plover nine"])
    text = "Grey Plover nines, grey plover ninety, grey"
    assert [(text[a:b], i) for a, b, i in matcher.find(text)] == [
        ("Grey Plover nines", 2),
        ("grey plover", 1),
        ("grey", 0),
    ]


def test_no_terms_and_empty_terms_find_nothing() -> None:
    assert TermMatcher([]).find("text") == []
    assert TermMatcher(["", " -- "]).find("a -- b") == []
    assert TermMatcher(["x"]).find("") == []


def test_lone_surrogates_do_not_disturb_offsets() -> None:
    assert TermMatcher(["anna"]).find("\ud800 Anna\udfff") == [(2, 6, 0)]


@given(st.text(max_size=30), st.text(min_size=1, max_size=8), st.text(max_size=30))
def test_a_term_that_stands_alone_is_found_with_valid_offsets(
    left: str, term: str, right: str
) -> None:
    text = f"{left} {term} {right}"
    matcher = TermMatcher([term])
    matches = matcher.find(text)
    for start, end, index in matches:
        assert 0 <= start < end <= len(text)
        assert index == 0
        assert text[start:end].strip()
    assert [m[0] for m in matches] == sorted(m[0] for m in matches)
    if fold(term).text.strip():
        assert matches
    assert matches == matcher.find(text)


def test_quotes_around_a_term_are_no_possessive() -> None:
    find = TermMatcher(["Ana Souza", "the Jones"]).find
    for text, found in [
        ("say 'Ana Souza' now", "Ana Souza"),
        ("‘Ana Souza’", "Ana Souza"),
        ("'Ana Souzas' now", "Ana Souzas"),
        ("Ana Souza's", "Ana Souza's"),
        ("'Ana Souza's", "Ana Souza's"),
        ("the Jones' house", "the Jones'"),
        ("'the Jones' house", "the Jones"),
    ]:
        assert [text[a:b] for a, b, _ in find(text)] == [found]


def test_words_may_end_at_given_edges() -> None:
    find = TermMatcher(["Ana"]).find
    assert find("byAnaSouza") == []
    assert find("byAnaSouza", edges={2, 5}) == [(2, 5, 0)]
    assert find("byAnaSouza", edges={2}) == []
