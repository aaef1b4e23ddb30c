"""The user's own lists: found in any spelling, as whole words, with exact offsets."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from sfumato.detect.lists import ListOptions, lists, read_terms
from sfumato.document import Document
from sfumato.english.matcher import TermMatcher


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


@pytest.mark.parametrize("words", [2_000, pytest.param(200_000, marks=pytest.mark.slow)])
def test_a_long_text_is_searched_in_one_go(words: int) -> None:
    text = "aaaa " * words
    assert len(TermMatcher(["aaaa", "aaaa aaaa"]).find(text)) == words // 2
