"""The user's own lists: found in any spelling, as whole words, with exact offsets."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from sfumato.detect.lists import ListOptions, lists, read_terms
from sfumato.document import Document
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


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
@settings(deadline=None)
def test_folding_is_the_same_for_all_spellings_of_a_text(text: str) -> None:
    assert fold(text).text == fold(unicodedata.normalize("NFD", text)).text


@given(st.text(max_size=30), st.text(min_size=1, max_size=8), st.text(max_size=30))
@settings(deadline=None)
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


def options(value: object, folder: Path | None = None) -> ListOptions:
    return ListOptions.model_validate(value, context={"folder": folder} if folder else None)


def test_lists_hide_their_terms_under_their_kind() -> None:
    detect = lists(options({"hide": [{"kind": "PROJECT", "terms": ["Copper Lantern"]}]}))
    text = "Operation COPPER LANTERN"
    (term,) = detect(Document(text))
    assert (term.of(text), term.kind, term.score) == ("COPPER LANTERN", "PROJECT", 1.0)
    assert term.reason == "on the list of kind PROJECT"


def test_a_file_is_read_once_and_becomes_part_of_the_policy(tmp_path: Path) -> None:
    (tmp_path / "terms.txt").write_text("# ours\nGrey Plover # a source\n\nC#\n", encoding="utf-8")
    made = options({"hide": [{"kind": "X", "terms": ["a"], "file": "terms.txt"}]}, tmp_path)
    assert made.hide[0].terms == ("a", "Grey Plover", "C#")
    assert made.hide[0].file is None
    again = ListOptions.model_validate(made.model_dump(mode="json"))
    assert again == made


def test_without_a_folder_a_path_starts_where_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "t.txt").write_text("\ufeffone\r\ntwo\r\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert options({"hide": [{"kind": "X", "file": "t.txt"}]}).hide[0].terms == ("one", "two")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match=r"nowhere\.txt' does not exist"):
        options({"hide": [{"kind": "X", "file": "nowhere.txt"}]}, tmp_path)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"b\.txt' is not UTF-8 text"):
        read_terms(tmp_path / "b.txt")
    with pytest.raises(ValueError, match="cannot be read"):
        read_terms(tmp_path)


@pytest.mark.parametrize(
    "bad",
    [
        {"kind": "project", "terms": ["x"]},
        {"kind": "X"},
        {"kind": "X", "terms": "not a list", "file": "f"},
        {"kind": "X", "terms": ["x"], "unknown": 1},
        "just text",
    ],
)
def test_lists_that_make_no_sense_are_refused(bad: object) -> None:
    with pytest.raises(ValidationError):
        options({"hide": [bad]})


def test_every_option_has_a_description() -> None:
    for model in (ListOptions, type(options({"hide": [{"kind": "X", "terms": ["x"]}]}).hide[0])):
        assert all(field.description for field in model.model_fields.values())


def test_a_megabyte_is_searched_in_one_go() -> None:
    text = "aaaa " * 200_000
    assert len(TermMatcher(["aaaa", "aaaa aaaa"]).find(text)) == 100_000
