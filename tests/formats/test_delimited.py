"""Tables of which some columns are text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sfumato import formats, sanitize
from sfumato.document import Document, Edit, restored
from sfumato.errors import InputError
from sfumato.formats import parse, read
from sfumato.formats import table as files
from sfumato.formats.table import is_formula
from sfumato.formats.text import as_drawn
from tests.formats.contract import edits_of, guises, keeps_to_the_contract

PEOPLE = 'id,name,note\n1,Ann,"called, ""twice""\nat noon"\n2,Bob,\n\n3,Cy,plain\n'


def table(data: bytes, *columns: str, kind: str = "csv") -> Document:
    return parse(data, name="people", format=kind, columns=columns)


def shown(cells: Iterable[str]) -> str:
    """What a document has of cells: nothing of formulas, and the others as programs draw them."""
    return "".join(
        f"{'' if is_formula(cell) else as_drawn(Document(cell)).text}\n" for cell in cells
    )


def edited(data: bytes, column: str, *edits: tuple[str, str], kind: str = "csv") -> bytes:
    document = table(data, column, kind=kind)
    spans = sorted((document.text.index(old), old, new) for old, new in edits)
    made = [Edit(at, at + len(old), "TERM", new, "why") for at, old, new in spans]
    return keeps_to_the_contract(data, document, made)


CELLS = st.text('ab ,;"\n\té=', max_size=8)
TABLES = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=4)
)
DIALECTS = st.fixed_dictionaries(
    {
        "delimiter": st.sampled_from(",;\t|"),
        "quoting": st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
        "lineterminator": st.sampled_from(["\n", "\r\n"]),
    }
)


def dumped(rows: list[list[str]], dialect: dict[str, Any]) -> str:
    assume(len(rows[0]) > 1 or dialect["delimiter"] == ",")  # else the header does not tell it
    out = io.StringIO(newline="")
    writer = csv.writer(out, **dialect)
    writer.writerows([[f"c{n}" for n in range(len(rows[0]))], *rows])
    return out.getvalue()


@given(TABLES, DIALECTS, st.booleans(), st.data())
def test_any_table_reads_back_as_it_was_edited(
    rows: list[list[str]], dialect: dict[str, Any], mark: bool, data: st.DataObject
) -> None:
    raw = ("\ufeff" * mark + dumped(rows, dialect)).encode()
    names = [f"c{n}" for n in range(len(rows[0]))]
    wanted = data.draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
    document = table(raw, *wanted)
    written = keeps_to_the_contract(raw, document, edits_of(document, data))
    assert len(table(written, *wanted).origin.columns) == len(wanted)


@given(TABLES, DIALECTS)
def test_cells_say_what_the_reader_of_whole_tables_reads(
    rows: list[list[str]], dialect: dict[str, Any]
) -> None:
    raw = dumped(rows, dialect).encode()
    names = tuple(f"c{n}" for n in range(len(rows[0])))
    whole = files.parse(raw, "people.csv")
    cells = zip(*(whole.texts(name) for name in names), strict=True)
    assert table(raw, *names).text == shown(cell for row in cells for cell in row)


@given(st.text('a,"\n ', max_size=30), st.sampled_from(",\t"))
def test_cells_say_what_csv_reads(text: str, separator: str) -> None:
    raw, kind = f"x,y\n{text}".replace(",", separator), "csv" if separator == "," else "tsv"
    found = csv.reader(io.StringIO(raw + "\nEND", newline=""), delimiter=separator)
    *rows, last = [row for row in found if row]
    is_closed = last == ["END"]  # a quote that is still open takes it along
    if not is_closed or len(rows) < 2 or any(len(row) != 2 for row in rows):
        with pytest.raises(InputError):
            table(raw.encode(), "x", "y", kind=kind)
        return
    said = "".join(f"{cell}\n" for row in rows[1:] for cell in row)
    assert table(raw.encode(), "x", "y", kind=kind).text == said


@pytest.mark.parametrize(
    ("kind", "raw", "cells"),
    [
        ("tsv", b'id\tnote\n1\t5" pipe, said "hi"\n', '5" pipe, said "hi"'),
        ("tsv", b'id\tnote\n1\t"hi" there\n', "hi there"),
        ("csv", b'id,note\n"1"  ,"x"  \n', "x  "),
        ("csv", b'id,note\n1, "x"\n', ' "x"'),
        ("csv", b'id,note\n1,"x"y"z"\n', 'xy"z"'),
        ("csv", b'"last, first, middle";note\n"a, b, c, d";x\n', "x"),
    ],
)
def test_quotes_are_read_as_csv_reads_them_and_stay_where_nothing_is_edited(
    kind: str, raw: bytes, cells: str
) -> None:
    document = table(raw, "note", kind=kind)
    assert document.text == f"{cells}\n"
    assert files.parse(raw, f"people.{kind}").texts("note") == [cells]
    separator = "\t" if kind == "tsv" else ";" if b";" in raw else ","
    (_, row) = csv.reader(io.StringIO(raw.decode(), newline=""), delimiter=separator)
    assert row[1] == cells
    keeps_to_the_contract(raw, document, [Edit(0, 1, "TERM", '"', "why")])


@given(st.text('a,"\n\r;', max_size=30))
def test_what_is_no_table_is_refused_like_the_reader_of_whole_tables_does(text: str) -> None:
    raw = ("x,y\n" + text).encode()
    try:
        whole = files.parse(raw, "people.csv")
    except InputError:
        with pytest.raises(InputError):
            table(raw, "x")
        return
    assert table(raw, "x").text == shown(whole.texts("x"))


def test_only_cells_that_are_edited_change() -> None:
    made = edited(PEOPLE.encode(), "note", ("twice", "2 times"), ("plain", 'a, "b"'))
    expected = PEOPLE.replace("twice", "2 times").replace("plain", '"a, ""b"""')
    assert made.decode() == expected


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "cp1252"])
def test_encodings_stay(encoding: str) -> None:
    data = "id;note\r\n1;café Ann\r\n".encode(encoding)
    document = parse(data, name="x", format="csv", encoding=encoding, columns=["note"])
    at = document.text.index("Ann")
    written = keeps_to_the_contract(data, document, [Edit(at, at + 3, "X", "Bo", "")])
    assert written == "id;note\r\n1;café Bo\r\n".encode(encoding)


def test_a_cell_alone_in_its_row_does_not_become_an_empty_line() -> None:
    assert edited(b"note\nAnn\nBob\n", "note", ("Ann", "")) == b'note\n""\nBob\n'


def test_places_say_where() -> None:
    places = [part.place for part in table(PEOPLE.encode(), "name", "note").origin.parts]
    assert places == ["row 1, name", "row 1, note", "row 2, name", "row 3, name", "row 3, note"]


def test_columns_must_be_named_and_be_there(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE)
    with pytest.raises(
        InputError, match=r"a table; name .* with --columns, or use `sfumato anonymize`"
    ):
        read(path, name="people.csv")
    with pytest.raises(InputError, match="no column 'notes'; did you mean 'note'"):
        read(path, name="people.csv", columns=["notes"])
    with pytest.raises(InputError, match="no column 'xyz'; say what"):
        read(path, name="people.csv", columns=["xyz"])
    for broken, why in (
        (b"", "empty"),
        (b"note\n", "no rows"),
        (b"a,note\n1\n", ":2: 1 cells where"),
        (b'note\n"a b\n', ":2: not CSV: a quote is not closed"),
    ):
        with pytest.raises(InputError, match=why):
            table(broken, "note")


def test_nothing_hidden_is_left_in_any_guise() -> None:
    secret = "ann.lee@example.org"
    data = f'id,note\n1,"ask ""{secret}"""\n2,{secret}\n'.encode()
    release = sanitize(table(data, "note"), {"detect": ["patterns"]})
    for guise in guises(secret):
        assert guise not in release.data
    assert restored(release.data, release.record) == data
    assert release.data == b'id,note\n1,"ask ""[EMAIL 1]"""\n2,[EMAIL 1]\n'


# Parquet and Excel


def parquet(columns: dict[str, list[Any]], metadata: dict[str, str] | None = None) -> bytes:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    out = arrow.BufferOutputStream()
    made = arrow.table(columns)
    pq.write_table(made.replace_schema_metadata(metadata), out)
    return bytes(out.getvalue().to_pybytes())


def workbook(rows: list[list[Any]], **properties: str) -> bytes:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for name, value in properties.items():
        setattr(book.properties, name, value)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


WORDS = st.text("ab é,\n<&", min_size=1, max_size=6)
SHEETS = st.lists(st.tuples(st.integers(0, 99), WORDS, st.none() | WORDS), min_size=1, max_size=3)


@settings(deadline=None)
@given(SHEETS, st.data())
def test_any_parquet_file_reads_back_as_it_was_edited(rows: list[Any], data: st.DataObject) -> None:
    columns = dict(zip(("id", "name", "note"), map(list, zip(*rows, strict=True)), strict=True))
    assume(any(cell is not None for cell in columns["note"]))
    raw = parquet(columns)
    wanted = data.draw(st.lists(st.sampled_from(["id", "name", "note"]), min_size=1, unique=True))
    document = table(raw, *wanted, kind="parquet")
    keeps_to_the_contract(raw, document, edits_of(document, data))


@settings(deadline=None)
@given(SHEETS, st.data())
def test_any_workbook_reads_back_as_it_was_edited(rows: list[Any], data: st.DataObject) -> None:
    raw = workbook([["id", "name", "note"], *map(list, rows)])
    document = table(raw, "name", "note", kind="excel")
    keeps_to_the_contract(raw, document, edits_of(document, data))


def test_what_stands_beside_the_cells_is_taken_out() -> None:
    raw = workbook([["id", "note"], [1, "Bob called"]], creator="Ann Lee", title="Ann")
    release = sanitize(table(raw, "note", kind="excel"), {"detect": ["patterns"]})
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.load_workbook(io.BytesIO(release.data))
    assert book.properties.creator != "Ann Lee"
    assert book.properties.title is None
    assert [[c.value for c in row] for row in book.active.iter_rows()] == [
        ["id", "note"],
        [1, "Bob called"],
    ]
    assert restored(release.data, release.record) == raw
    noted = parquet({"id": [1], "note": ["x"]}, {"author": "Ann Lee"})
    assert b"Ann Lee" in noted
    assert b"Ann Lee" not in sanitize(table(noted, "note", kind="parquet"), {"detect": []}).data


def test_columns_that_are_not_edited_keep_their_values() -> None:
    raw = parquet({"id": [1, 2], "age": [1.5, None], "note": ["Ann", None]})
    written = edited(raw, "note", ("Ann", "[X]"), kind="parquet")
    made = files.parse(written, "x.parquet")
    assert made.columns == ([1, 2], [1.5, None], ["[X]", None])
    changed = files.parse(edited(raw, "age", ("1.5", "1-2"), kind="parquet"), "x.parquet")
    assert changed.texts("age") == ["1-2", ""]
    nested = parquet({"id": [1], "list": [["a"]]})
    with pytest.raises(InputError, match="'list' holds no texts"):
        table(nested, "list", kind="parquet")


def test_a_table_stays_a_table_on_the_way_through_files(tmp_path: Path) -> None:
    for name, data in (("a.csv", PEOPLE.encode()), ("b.tsv", b"id\tnote\n1\tx, y\n")):
        (tmp_path / name).write_bytes(data)
        document = read(tmp_path / name, name=name, columns=["note"])
        assert formats.write(document, []) == data


@pytest.mark.parametrize(
    "cell",
    [
        '=CHAR(65)&"nn"',
        '="0770"&"0 900318"',
        " =A1&B1",
        "+CHAR(65)",
        "@SUM(A1)",
        "-cmd(1)",
        '+"Mar"&"garet"',
        '-(0)&"0"',
        '@("0770"&"0")',
        "++CHAR(77)&CHAR(97)",
        "+$A$1&CHAR(77)",
        "+TRUE&A1",
        '+1 &"0770"&"0 900318"',
        '+ "Mar"&"garet"',
        '- 1&"0770"&A1',
        "+TRUE &CHAR(77)&CHAR(97)",
        "+A1 &CHAR(77)",
        "- A1 & B1 & UNICHAR(77)",
        '+1+1 \n& "0770"',
        '+{"0770"} & A1',
        "-A1 &($B$1)",
        "=cmd|' /C calc'!A0",
        "+cmd|'/C calc'!A0",
        "@dde|x!A0",
        "=1900+68",
        "+1900+68",
        "-2+3+4",
        "=Sheet1!A1",
        "＝CHAR(65)",
        "＋CHAR(65)",
        "\t=CHAR(65)",
        "\r=CHAR(65)",
        "\u200b=CHAR(65)",
        "'=CHAR(65)",
        '"=CHAR(65)"',
        "“+CHAR(65)",
    ],
)
def test_formulas_are_taken_out(cell: str) -> None:
    source = "id,note\n1,{}\n2,x\n".format('"' + cell.replace('"', '""') + '"')
    document = parse(source.encode(), name="t.csv", format="csv", columns=["note"])
    assert sanitize(document, {"detect": ["patterns"]}).data == b'id,note\n1,""\n2,x\n'


@pytest.mark.parametrize(
    "cell",
    [
        "=",
        "= 5 mg",
        "+44 20 (home)",
        "- no allergies (none)",
        "@ann",
        "-5",
        "a=b&c",
        "- AT&T bill",
        "- fish & chips",
        "- R&D (new) & co",
        "- asthma (mild) & fish & (chips)",
        '+ "quoted" words (and more)',
        "+44-20-7946-0958",
        "-1/2",
        "+ 5 mg + tea",
        "- fish | chips!",
        "=> see below",
        "'quoted' words",
    ],
)
def test_signs_before_words_are_no_formulas(cell: str) -> None:
    source = f"id,note\n1,{cell}\n".encode()
    document = parse(source, name="t.csv", format="csv", columns=["note"])
    assert sanitize(document, {"detect": []}).data == source


def test_what_an_edit_leaves_does_not_become_a_formula() -> None:
    assert edited(b'id,note\n1,"Ann=SUM(A1)"\n', "note", ("Ann", "")) == b'id,note\n1,""\n'
