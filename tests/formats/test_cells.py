"""A whole table as a document: all its cells are text that edits may change, and cells may be left out."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import formats
from sfumato.document import Edit, Patch, render, restored
from sfumato.errors import InputError
from sfumato.formats import cells, table
from sfumato.formats.cells import END, Cells, cell_at, edited

CELL = st.text(st.sampled_from("ab ,\"'\n;é"), max_size=6)
NEW = ("", "x", '"q"', "a\nb", "é,")


def as_csv(rows: list[list[str]]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows([["one", "two", "three"], *rows])
    return out.getvalue().encode()


@st.composite
def tables(draw: st.DrawFn) -> bytes:
    """A table of three columns, of which no row is a line without anything."""
    row = st.lists(CELL, min_size=3, max_size=3)
    return as_csv(draw(st.lists(row, min_size=1, max_size=4)))


@st.composite
def edits_for(draw: st.DrawFn, read: table.Table) -> list[Edit]:
    """Edits within cells, of empty ones, and such that leave rows and columns out."""
    where = Cells(read)
    width = len(where.names)
    bounds = where.bounds.tolist()
    gone_rows = draw(st.sets(st.integers(0, len(read) - 1), max_size=len(read) - 1))
    gone_columns = draw(st.sets(st.integers(0, width - 1), max_size=width - 1))
    made = []
    for row in range(len(read)):
        if row in gone_rows:
            made.append(Edit(bounds[row * width], bounds[(row + 1) * width], "ROW", "", "why"))
            continue
        for column in range(width):
            start, after = bounds[row * width + column], bounds[row * width + column + 1]
            new = draw(st.sampled_from(NEW))
            if column in gone_columns:
                made.append(Edit(start, after, "COLUMN", "", "why"))
            elif start == after - 1 and new:
                made.append(Edit(start, after, "FILLED", new + END, "why"))
            elif start < after - 1 and draw(st.booleans()):
                cut = draw(st.integers(start + 1, after - 1))
                made.append(Edit(start, cut, "TERM", new, "why"))
                if cut < after - 1:
                    made.append(Edit(cut, after - 1, "TERM", "y", "why"))
    return made


@given(tables(), st.data())
def test_what_is_written_reads_as_the_edits_render_and_can_be_undone(
    raw: bytes, data: st.DataObject
) -> None:
    document = formats.parse(raw, name="t.csv", format="table/csv")
    made = data.draw(edits_for(table.parse(raw, "t.csv")))
    written, record = formats.released(document, made)
    assert formats.write(document, []) == raw
    assert restored(written, record) == raw
    assert formats.read_again(written, document).text == render(document, made)


def test_every_kind_of_file_is_read_and_written() -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("openpyxl")
    lines = [{"id": 1, "age": 36, "note": "Ann"}, {"id": 2, "age": 24, "note": None}]
    jsonl = "".join(json.dumps(line) + "\n" for line in lines).encode()
    read = table.parse(jsonl, "t.jsonl")
    for kind in ("jsonl", "parquet", "excel"):
        form = table.Form(kind)
        name = {"jsonl": "t.jsonl", "parquet": "t.parquet", "excel": "t.xlsx"}[kind]
        data = table.write(
            table.Table(read.header, read.names, read.columns, read.lines, form, name)
        )
        document = formats.parse(data, name=name, format=f"table/{kind}")
        assert document.text == "1\n36\nAnn\n2\n24\n\n"
        edits = [Edit(0, 2, "ID", "", "out"), Edit(2, 4, "AGE", "[24-36]", "same")]
        edits += [Edit(9, 11, "ID", "", "out"), Edit(11, 13, "AGE", "[24-36]", "same")]
        written, record = formats.released(document, edits)
        assert formats.read_again(written, document).text == "[24-36]\nAnn\n[24-36]\n\n"
        assert restored(written, record) == data
        shown = table.parse(written, name, kind=kind)
        assert shown.column("note")[0] == "Ann"
        assert shown.column("note")[1] is None


def test_columns_that_nobody_edits_keep_their_values() -> None:
    read = table.parse(b'{"n": 1, "m": 2}\n{"n": 3, "m": 4}\n', "t.jsonl")
    made = edited(read, [Edit(2, 3, "M", "two", "why")])
    assert made.column("n") == [1, 3]
    assert made.column("m") == ["two", "4"]


@pytest.mark.parametrize("span", [(0, 2, ""), (1, 4, "x"), (1, 2, "x"), (0, 8, "x")])
def test_an_edit_that_would_join_cells_or_leave_one_out_of_its_column_is_refused(
    span: tuple[int, int, str],
) -> None:
    start, end, new = span
    read = table.parse(b"a,b\n1,2\n3,4\n", "t.csv")
    with pytest.raises(InputError, match="an edit would"):
        edited(read, [Edit(start, end, "X", new, "why")])


def test_places_are_rows_and_columns() -> None:
    document = formats.parse(b"id,note\n1,Ann\n2,\n", name="t.csv", format="table/csv")
    parts = document.origin.parts
    assert [p.place for p in parts] == ["row 1, id", "row 1, note", "row 2, id", "row 2, note"]
    assert [document.text[p.start : p.end] for p in parts] == ["1", "Ann", "2", ""]
    assert parts[1:2] == (parts[1],)
    assert document.origin.place(3, document.text) == "row 1, note"


def test_a_cell_is_found_by_line_and_column_of_its_file() -> None:
    raw = b'id,note\n1,"two, and\nmore"\n2,x\n'
    document = formats.parse(raw, name="t.csv", format="table/csv")
    found = {at: cell_at(document, *at) for at in ((2, 1), (2, 9), (3, 2), (4, 1), (4, 3))}
    assert [p.place if p else None for p in found.values()] == [
        *("row 1, id", "row 1, note", "row 1, note", "row 2, id", "row 2, note")
    ]
    for line, column in ((1, 1), (9, 1), (4, 9)):
        with pytest.raises(InputError, match="there is no cell"):
            cell_at(document, line, column)
    assert cell_at(formats.parse(b"x", name="t.txt"), 1, 1) is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "cp1252"])
def test_encodings_and_marks_come_back(encoding: str) -> None:
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    raw = (mark + "id,note\n1,Zoë\n2,x\n").encode(encoding)
    read = table.parse(raw, "t.csv", encoding=encoding)
    document = cells.document(read, raw, "t.csv")
    assert document.text == "1\nZoë\n2\nx\n"
    written, record = formats.released(document, [Edit(2, 5, "PERSON", "[É]", "why")])
    assert written == (mark + "id,note\n1,[É]\n2,x\n").encode(encoding)
    assert restored(written, record) == raw
    assert record.undo is not None
    assert all(isinstance(patch, Patch) for patch in record.undo)
