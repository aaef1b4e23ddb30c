"""Tables come as frames, sequences and files; what is wrong with one is said in one line, without its text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as arrow
import pytest
from pyarrow import parquet

from sfumato.errors import EncodingError, InputError, MissingExtraError
from sfumato.formats import columns as blocks
from sfumato.formats import rows as files
from sfumato.measure import jsd_score, spi_report, spi_score

BEFORE = [("ann", "flu"), ("ann", "hiv, test"), ("bob", 'a "rash"'), ("bob", "flu")]
AFTER = [("ann", "flu"), ("ann", ""), ("bob", "flu")]
SIGMA = {"hiv, test": 0.9}
EXPECTED = spi_score(BEFORE, AFTER, sensitivity=SIGMA)


def columns(log: list[tuple[str, str]]) -> dict[str, list[str]]:
    return {"user": [u for u, _ in log], "document": [d for _, d in log]}


def write(path: Path, log: list[tuple[str, str]]) -> Path:
    if path.suffix == ".parquet":
        parquet.write_table(arrow.table(columns(log)), path)
    elif path.suffix == ".jsonl":
        lines = [json.dumps({"user": u, "document": d, "more": 1}) for u, d in log]
        path.write_text("\n\n".join(lines) + "\n")
    else:
        mark = files.SEPARATORS[path.suffix]
        quoted = [f'{u}{mark}x{mark}"{d.replace(chr(34), chr(34) * 2)}"' for u, d in log]
        path.write_text("\n".join([f"user{mark}when{mark}document", *quoted, ""]), "utf-8-sig")
    return path


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet"])
@pytest.mark.parametrize("as_text", [True, False])
def test_files_of_every_kind_give_the_same(tmp_path: Path, suffix: str, as_text: bool) -> None:
    before = write(tmp_path / f"before{suffix}", BEFORE)
    after = write(tmp_path / f"after{suffix}", AFTER)
    sources: tuple[Any, Any] = (str(before), str(after)) if as_text else (before, after)
    assert spi_score(*sources, sensitivity=SIGMA) == EXPECTED


def test_arrow_tables() -> None:
    before, after = arrow.table(columns(BEFORE)), arrow.table(columns(AFTER))
    assert spi_score(before, after, sensitivity=SIGMA) == EXPECTED
    nulls = arrow.table({"user": ["ann", "ann", "bob"], "document": ["flu", None, "flu"]})
    assert spi_score(before, nulls, sensitivity=SIGMA) == EXPECTED


def test_pandas_frames() -> None:
    pandas = pytest.importorskip("pandas")
    before, after = (pandas.DataFrame(columns(log)) for log in (BEFORE, AFTER))
    assert spi_score(before, after, sensitivity=SIGMA) == EXPECTED
    for nothing in (None, float("nan"), pandas.NA):
        column = pandas.Series(["flu", nothing, "flu"], dtype=object)
        frame = pandas.DataFrame({"user": ["ann", "ann", "bob"], "document": column})
        assert spi_score(before, frame, sensitivity=SIGMA) == EXPECTED
    shuffled = before.sample(frac=1, random_state=1)  # its index is out of order
    assert spi_score(shuffled, after.astype("category"), sensitivity=SIGMA) == EXPECTED


def test_polars_frames() -> None:
    polars = pytest.importorskip("polars")
    before, after = (polars.DataFrame(columns(log)) for log in (BEFORE, AFTER))
    assert spi_score(before, after, sensitivity=SIGMA) == EXPECTED
    assert spi_score(before.lazy(), after.lazy(), sensitivity=SIGMA) == EXPECTED


def test_columns_may_have_other_names(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("AnonID,Query\n1,flu\n1,rash\n")
    assert jsd_score(path, path, user="AnonID", document="Query") == 0


def test_chunks_do_not_change_the_numbers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(blocks, "CHUNK", 2)
    monkeypatch.setattr(files, "ROWS", 2)
    for suffix in (".csv", ".jsonl", ".parquet"):
        before, after = (
            write(tmp_path / f"{name}{suffix}", log) for name, log in (("b", BEFORE), ("a", AFTER))
        )
        assert spi_score(before, after, sensitivity=SIGMA) == EXPECTED
    assert spi_score(iter(BEFORE), iter(AFTER), sensitivity=SIGMA) == EXPECTED
    tables = arrow.table(columns(BEFORE)), arrow.table(columns(AFTER))
    assert spi_score(*tables, sensitivity=SIGMA) == EXPECTED


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (
            "log.csv",
            "user,document\nann,secret\nann\n",
            "log.csv:3: 1 cells where the header has 2",
        ),
        ("log.csv", "who,document\nann,secret\n", "log.csv:1: no column 'user'"),
        ("log.csv", "", "log.csv:1: no column 'user'"),
        ("log.csv", "user,document\n", "has no documents"),
        ("log.csv", 'user,document\nann,"secret\n', "log.csv:2: not a row of a table"),
        ("log.csv", "user,document\nann,secret\nann,\n", "row 2 has no document"),
        ("log.csv", "user,document\n ,secret\n", "row 1 has no user"),
        ("log.jsonl", '{"user": "ann", "document": "secret"}\n{\n', "log.jsonl:2: not JSON"),
        ("log.jsonl", '{"user": "ann"}\n', "log.jsonl:1: no 'document'"),
        ("log.jsonl", "[1]\n", "log.jsonl:1: not a JSON object"),
        ("log.jsonl", '{"user": "ann", "document": ["secret"]}\n', "must be text or numbers"),
        ("log.parquet", "secret", "cannot be read (not Parquet)"),
        ("log.docx", "secret", "not a file of rows"),
    ],
)
def test_a_bad_file_is_named_with_its_line(
    tmp_path: Path, name: str, content: str, said: str
) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        spi_score(path, [])
    assert said in str(caught.value)
    assert name in str(caught.value)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_a_missing_file_is_said(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        spi_score(tmp_path / f"none{suffix}", [])


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_a_file_that_is_not_utf8_is_said(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"log{suffix}"
    head = b"user,document\nann," if suffix == ".csv" else b'{"user": "ann", "document": "'
    path.write_bytes(head + "läuse".encode("latin-1"))
    with pytest.raises(EncodingError, match="not UTF-8"):
        spi_score(path, [])


def test_a_parquet_file_without_the_column(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    parquet.write_table(arrow.table({"user": ["ann"]}), path)
    with pytest.raises(InputError, match="no column 'document'"):
        spi_score(path, path)


def test_parquet_without_pyarrow_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    with pytest.raises(MissingExtraError, match="parquet"):
        spi_score(tmp_path / "log.parquet", [])


def test_a_frame_without_the_column() -> None:
    with pytest.raises(InputError, match="the original has no column 'user'"):
        spi_score(arrow.table({"who": ["ann"], "document": ["flu"]}), [])


def test_users_of_the_release_must_be_users_of_the_original() -> None:
    with pytest.raises(InputError, match="1 of its users is not in the original") as caught:
        spi_score(BEFORE, [("zoe", "flu")])
    assert "zoe" not in str(caught.value)
    with pytest.raises(InputError, match="values of one type"):
        spi_score([(1, "flu")], [("1", "flu")])


@pytest.mark.parametrize("rows", [[("ann", "flu"), ("ann",)], [1, 2], [("a", "b", "c")]])
def test_rows_that_are_no_pairs_are_refused(rows: list[Any]) -> None:
    with pytest.raises(InputError, match="of the original is no"):
        spi_score(rows, [])


@pytest.mark.parametrize("source", [7, {"ann": "flu"}, b"log.csv"])
def test_what_is_no_table_is_refused(source: Any) -> None:
    with pytest.raises(InputError, match="neither a data frame nor"):
        spi_score(source, [])


def test_nothing_to_compare_is_refused() -> None:
    with pytest.raises(InputError, match="the original has no documents"):
        spi_report([], [])


def test_an_unknown_way_of_matching_is_refused() -> None:
    with pytest.raises(InputError, match="exact, words, normal_form"):
        spi_score(BEFORE, AFTER, match="fuzzy")


def test_documents_may_be_numbers() -> None:
    assert spi_score([("a", 1), ("a", 2)], [("a", 1)], sensitivity={1: 1}) == 0.25
    assert jsd_score([("a", 1)], [("a", 1)], match="words") == 0
