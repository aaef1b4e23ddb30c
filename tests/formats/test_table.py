"""Tables in files: read as columns, written as the same kind, joined on a key."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import EncodingError, InputError, MissingExtraError
from sfumato.formats import table as files
from sfumato.protect.tables.joins import join
from tests.protect.tables.tables import column, csv_bytes, release, rules

CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\x00"), max_size=8)


@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=6))
def test_a_csv_file_comes_back_as_it_was(rows: list[tuple[str, str]]) -> None:
    data = csv_bytes(["a", "b"], rows)
    table = files.parse(data, "t.csv", as_it_stands=True)
    assert [tuple(r) for r in zip(*table.columns, strict=True)] == rows
    assert files.write(table) == data


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("t.tsv", b"a\tb\n1\t2\n"),
        ("t.csv", b"a;b\r\n1;2\r\n"),
        ("t.csv", b"\xef\xbb\xbfa,b\n1,2\n"),
        ("t.csv", b"a|b\n1|2\n"),
    ],
)
def test_delimiter_line_ends_and_mark_stay(name: str, data: bytes) -> None:
    table = files.parse(data, name)
    assert table.names == ("a", "b")
    assert files.write(table) == data


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("said", ["one\rtwo", "one\r", "\r", "one\r\n", "one\n"])
def test_a_cell_with_any_end_of_line_is_in_quotes(newline: str, said: str) -> None:
    data = newline.join(("a,b", f'1,"{said}"', f'"{said}",2', "")).encode()
    table = files.parse(data, "t.csv", as_it_stands=True)
    assert table.columns == (["1", said], [said, "2"])
    assert files.write(table) == data


def test_lines_are_counted_where_rows_begin() -> None:
    table = files.parse(b'a,b\n1,"x\ny"\n\n2,z\n', "t.csv")
    assert list(table.lines) == [2, 5]
    assert table.where(1) == "t.csv:5"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"a,b\n", "no rows"),
        (b"a,b\n1\n", "t.csv:2: 1 cells where the header has 2"),
        (b'a,b\n1,"2\n', "not a row of a table"),
        (b"a,a,a#2\n1,2,3\n", "cannot be told apart"),
    ],
)
def test_broken_csv_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        files.parse(data, "t.csv")


def test_encodings() -> None:
    data = "a,b\n1,é\n".encode("cp1252")
    with pytest.raises(EncodingError, match="byte 6 is not utf-8"):
        files.parse(data, "t.csv")
    table = files.parse(data, "t.csv", encoding="cp1252")
    assert table.texts("b") == ["é"]
    assert files.write(table) == data
    with pytest.raises(InputError, match="unknown encoding"):
        files.parse(data, "t.csv", encoding="klingon")
    with pytest.raises(InputError, match="unknown encoding"):
        files.parse(data, "t.csv", encoding="utf-8\0")


def test_what_cannot_be_encoded_is_an_error() -> None:
    table = files.parse(b"a,b\n1,2\n", "t.csv", encoding="latin-1")
    table = replace(table, columns=(["1"], ["€"]))
    with pytest.raises(InputError, match="cannot be written in latin-1"):
        files.write(table)


def test_json_lines_keep_values_keys_and_order() -> None:
    lines = [{"id": 1, "n": 2.5, "x": {"deep": [1]}}, {"id": 2, "y": None, "n": True}]
    data = "".join(json.dumps(line) + "\n" for line in lines).encode()
    table = files.parse(data, "t.jsonl")
    assert table.names == ("id", "n", "x", "y")
    made = [json.loads(line) for line in files.write(table).decode().splitlines()]
    assert made == lines
    for bad, said in (
        (b"{]\n", "1: not JSON"),
        (b"[1]\n", "1: not a JSON object"),
        (b'{"a": 1}\n{"a": [1e400]}\n', "2: a number is too large; write it as a string"),
        (b'{"a": -1.5e999}\n', "1: a number is too large"),
        (b'{"a": NaN}\n', "1: NaN and Infinity are no JSON; write null, or a string"),
        (b'{"a": -Infinity}\n', "1: NaN and Infinity are no JSON"),
    ):
        with pytest.raises(InputError, match=said):
            files.parse(bad, "t.jsonl")


def test_parquet_keeps_the_types_of_columns_that_stay() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet")
    pytest.importorskip("pyarrow.parquet")
    out = io.BytesIO()
    columns = {
        "id": [1, 2, 3],
        "age": [20, 30, 40],
        "when": [dt.date(2004, 5, 14)] * 3,
        "score": [0.5, None, 1.5],
        "text": ["from Zwolle", "b", "c"],
    }
    small = pyarrow.schema([("n", pyarrow.int16())])
    table = pyarrow.table(columns).append_column(
        small.field(0), pyarrow.array([1, 2, None], pyarrow.int16())
    )
    pyarrow.parquet.write_table(table, out)
    settings = rules(
        {
            "id": "direct",
            "age": {"role": "quasi", "type": "number"},
            "when": {"role": "quasi", "type": "date"},
            "score": "insensitive",
            "text": "text",
            "n": "insensitive",
        },
        lists={"LOC": ["Zwolle"]},
        k=3,
    )
    _, published = release(out.getvalue(), settings, name="t.parquet")
    released = pyarrow.parquet.read_table(io.BytesIO(published.data))
    assert released.schema.field("n").type == pyarrow.int16()
    made = released.to_pydict()
    assert made["age"] == ["[20-40]"] * 3
    assert made["when"] == [dt.date(2004, 5, 14)] * 3  # the same for all: nothing to change
    assert made["score"] == [0.5, None, 1.5]
    assert made["text"][0] == "from [PLACE]"
    for broken in (b"no", out.getvalue().replace(b"Zwolle", b"Zwo\xffle")):
        with pytest.raises(InputError, match="not a Parquet file"):
            files.parse(broken, "t.parquet")


def test_excel_in_excel_out() -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "people"
    for row in (["id", "age", "day", "note", None], [1, 20, dt.datetime(2004, 5, 14), "=x"]):
        sheet.append(row)
    sheet["D2"].data_type = "s"  # a text, no formula
    sheet.append([None])
    sheet.append([2, 30.0, dt.datetime(2004, 6, 14), None])
    out = io.BytesIO()
    book.save(out)
    settings = rules(
        {
            "id": "direct",
            "age": {"role": "quasi", "type": "number"},
            "day": {"role": "quasi", "type": "date"},
            "note": "insensitive",
        }
    )
    _, published = release(out.getvalue(), settings, name="t.xlsx")
    _, again = release(out.getvalue(), settings, name="t.xlsx")
    assert published.data == again.data
    made = openpyxl.load_workbook(io.BytesIO(published.data))
    assert made.sheetnames == ["Sheet1"]  # nobody has looked at its name
    rows = list(made.active.iter_rows(values_only=True))
    assert rows[1] == ("P1", "[20-30]", "2004", "=x")
    assert rows[2] == (None,) * 4  # a blank row stays
    assert len(rows) == 4
    with pytest.raises(InputError, match="not an Excel file"):
        files.parse(b"no", "t.xlsx")
    torn = bytearray(out.getvalue())
    at = torn.index(b"xl/worksheets/sheet1.xml") + 24
    torn[at : at + 20] = b"\xff" * 20  # what is compressed
    with pytest.raises(InputError, match="not an Excel file"):
        files.parse(bytes(torn), "t.xlsx")
    book.create_sheet("more")
    out = io.BytesIO()
    book.save(out)
    with pytest.raises(InputError, match="several sheets"):
        files.parse(out.getvalue(), "t.xlsx")


def test_a_sheet_named_like_a_person_is_not_released_so() -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "Zbigniew"
    for row in (["id", "age"], ["zbigniew", 20], ["ann", 30]):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    settings = rules({"id": "direct", "age": {"role": "quasi", "type": "number"}})
    _, published = release(out.getvalue(), settings, name="t.xlsx")
    assert openpyxl.load_workbook(io.BytesIO(published.data)).sheetnames == ["Sheet1"]


def test_a_text_that_looks_like_a_formula_is_none_in_excel() -> None:
    openpyxl = pytest.importorskip("openpyxl")
    table = files.parse(b"a,b\n=1+1,x\n", "t.csv")
    excel = files.Table(table.header, table.names, table.columns, table.lines, files.Form("excel"))
    made = openpyxl.load_workbook(io.BytesIO(files.write(excel)))
    assert made.active["A2"].data_type == "s"
    assert made.active["A2"].value == "=1+1"


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [("t.parquet", "pyarrow", "parquet"), ("t.xlsx", "openpyxl", "excel")],
)
def test_a_missing_extra_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, name: str, module: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError) as caught:
        files.parse(b"", name)
    assert caught.value.extra == extra


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no table file"):
        files.read(tmp_path / "t.docx")
    with pytest.raises(InputError, match="cannot be read"):
        files.read(tmp_path / "t.csv")


def test_memory_is_stated_for_big_files_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = tmp_path / "t.csv"
    small.write_text("a\n1\n")
    assert files.memory([small]) is None
    monkeypatch.setattr(files, "BIG", 2)
    assert files.memory([small]) == 4 * files.MEMORY_PER_BYTE["csv"]


# Joins


def _table(text: str, name: str) -> files.Table:
    return files.parse(text.encode(), name)


def test_tables_are_joined_on_the_columns_they_share() -> None:
    people = _table("id,age\n1,20\n2,30\n3,40\n", "people.csv")
    posts = _table("id,text\n2,b\n1,a\n2,c\n", "posts.csv")
    for pair in ((people, posts), (posts, people)):
        joined, unused = join(pair)
        assert unused == 1
        assert joined.texts("text") == ["b", "a", "c"]
        assert joined.texts("age") == ["30", "20", "30"]
        assert list(joined.lines) == [2, 3, 4]
    assert join([posts])[0] is posts


@pytest.mark.parametrize(
    ("left", "right", "on", "said"),
    [
        ("id,a\n1,2\n", "di,b\n1,2\n", None, "shares no column"),
        ("id,a\n1,2\n", "id,b\n1,2\n", "key", "has no column 'key' in common"),
        ("id,a\n1,2\n1,3\n", "id,b\n1,2\n1,3\n", None, "tells the rows of neither table apart"),
        ("id,a\n1,2\n", "id,b\n7,2\n7,3\n", None, "right.csv:2: no row of left.csv has this key"),
        ("id,a\n1,2\n", "id,a\n1,2\n", "id", "'a' is in both tables"),
    ],
)
def test_joins_that_cannot_be_made(left: str, right: str, on: str | None, said: str) -> None:
    with pytest.raises(InputError, match=said):
        join([_table(left, "left.csv"), _table(right, "right.csv")], on)


def test_joined_tables_are_released_with_all_columns() -> None:
    people = _table("id,age\n1,20\n2,30\n", "people.csv")
    posts = _table("id,text\n2,b\n1,a\n2,c\n", "posts.csv")
    joined, _ = join([people, posts])
    settings = rules({"id": "direct", "text": "text", "age": {"role": "quasi", "type": "number"}})
    _, published = release(files.write(joined), settings)
    assert column(published, "age") == ["[20-30]"] * 3
    rows = list(csv.reader(io.StringIO(published.data.decode())))
    assert rows[0] == ["id", "text", "age"]
    assert [r[0] for r in rows[1:]] == ["P1", "P2", "P1"]


@pytest.mark.parametrize("cell", ['["Zoe\\u00a0Kravitzo"]', '{"a": "Zoe\\tKravitzo"}', "[]"])
def test_cells_that_are_no_texts_are_not_read_as_what_python_writes_for_them(cell: str) -> None:
    found = files.parse(f'{{"a": "x", "b": null}}\n{{"a": "x", "b": {cell}}}\n'.encode(), "x.jsonl")
    assert found.texts("a") == ["x", "x"]
    with pytest.raises(InputError, match="the column 'b' holds no texts but lists"):
        found.texts("b")


def test_bytes_are_no_texts() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet")
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table({"a": ["Renée".encode()]}), out)
    with pytest.raises(InputError, match="the column 'a' holds no texts"):
        files.parse(out.getvalue(), "x.parquet").texts("a")


@pytest.mark.parametrize("other", [", ", ";", "|", "\t"])
@pytest.mark.parametrize("separator", [",", ";", "|"])
def test_names_of_columns_with_other_separators_are_read_again(separator: str, other: str) -> None:
    name = other.join(["visits", "calls", "mails", "letters"])
    data = f'id{separator}"{name}"\n1{separator}a\n2{separator}b\n'.encode()
    read = files.parse(data, "t.csv")
    assert read.names == ("id", name)
    again = files.parse(files.write(read), "t.csv")
    assert (again.names, again.columns) == (read.names, read.columns)
    assert files.write(again) == files.write(read)
