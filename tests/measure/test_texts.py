from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sfumato.errors import InputError
from sfumato.measure.texts import is_table, pair_up, read_people, read_texts, read_truth


def folder(path: Path, **files: str) -> Path:
    path.mkdir()
    for name, text in files.items():
        (path / f"{name}.txt").write_text(text)
    return path


def test_folders_pair_by_relative_name(tmp_path: Path) -> None:
    before, after = folder(tmp_path / "a", one="Ann", two="Bob"), tmp_path / "b"
    folder(after, two="[B]", one="[A]")
    (after / "one.txt.cert.json").write_text("{}")
    pairs = pair_up(before, after)
    assert [(p.name, p.original, p.released) for p in pairs] == [
        ("one.txt", "Ann", "[A]"),
        ("two.txt", "Bob", "[B]"),
    ]


def test_two_files_pair_whatever_their_names(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("Ann")
    (tmp_path / "safe.txt").write_text("[A]")
    assert pair_up(tmp_path / "note.txt", tmp_path / "safe.txt")[0].name == "note.txt"


def test_what_does_not_pair_up_is_named(tmp_path: Path) -> None:
    before = folder(tmp_path / "a", a="x", b="x", c="x", d="x", e="x")
    after = folder(tmp_path / "b", a="x", f="x")
    with pytest.raises(InputError) as raised:
        pair_up(before, after)
    said = str(raised.value)
    assert f"{after} has no b.txt, c.txt, d.txt and 1 more" in said
    assert f"{before} has no f.txt" in said
    assert "\n" not in said


@pytest.mark.parametrize(
    "make",
    [
        list,
        tuple,
        pd.Series,
        pl.Series,
        pa.array,
        lambda texts: pd.DataFrame({"text": texts}),
        lambda texts: pl.DataFrame({"text": texts}),
        lambda texts: {"text 1": texts[0], "text 2": texts[1]},
    ],
)
def test_texts_come_from_sequences_and_frames(make: Callable[[list[str]], object]) -> None:
    assert read_texts(make(["Ann", "Bob"])) == {"text 1": "Ann", "text 2": "Bob"}


def test_a_missing_text_is_empty_and_a_number_is_refused() -> None:
    assert read_texts([None, "b"]) == {"text 1": "", "text 2": "b"}
    with pytest.raises(InputError, match="a text is a string, not int"):
        read_texts([1])


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ([], [], "the original holds no texts"),
        (["", " "], ["a", "b"], "the original is empty"),
        (["a", "b"], ["", ""], "the release is empty"),
        (["a", "b"], ["a"], "do not pair up"),
    ],
)
def test_bad_input_is_answered_in_words(before: list[str], after: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        pair_up(before, after)


def test_a_folder_of_certificates_holds_no_texts(tmp_path: Path) -> None:
    (tmp_path / "a.txt.cert.json").write_text("{}")
    with pytest.raises(InputError, match="no texts in it"):
        read_texts(tmp_path)


def test_rows_about_one_person_are_one_text(tmp_path: Path) -> None:
    table = tmp_path / "known.csv"
    table.write_text("person,text\nAnn,plays chess\nBob,sails\nAnn,lives in Oslo\n")
    assert read_people(table) == {"Ann": "plays chess\nlives in Oslo", "Bob": "sails"}
    assert read_people(folder(tmp_path / "people", Ann="x")) == {"Ann": "x"}


def test_a_background_without_names_or_rows_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "known.csv"
    table.write_text("person,text\n,plays chess\n")
    with pytest.raises(InputError, match="a row has no 'person'"):
        read_people(table)
    table.write_text("person,text\n")
    with pytest.raises(InputError, match="no rows"):
        read_people(table)


def test_the_truth_is_a_table_or_the_names_of_the_files(tmp_path: Path) -> None:
    table = tmp_path / "truth.csv"
    table.write_text("file,person\na.txt,Ann\nz.txt,Zoe\n")
    assert read_truth(None, ["Bob.txt"]) == {"Bob.txt": "Bob"}
    assert read_truth(table, ["a.txt", "b.txt"]) == {"a.txt": "Ann", "b.txt": "b"}


def test_a_folder_with_the_name_of_a_table_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "x.csv").mkdir()
    assert not is_table(tmp_path / "x.csv")
    assert is_table(tmp_path / "y.csv")
