"""Workbooks: what goes over into a release, and what stays behind."""

from __future__ import annotations

import datetime as dt
import io
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from sfumato import formats, sanitize
from sfumato.document import Edit, restored
from sfumato.errors import InputError
from sfumato.formats import excel, parse, table
from sfumato.formats.cells import edited

openpyxl = pytest.importorskip("openpyxl")
SECRET = "Wilhelmina"
DAY = dt.datetime(2004, 5, 14)


def book_of(rows: Iterable[list[Any]], title: str = "people") -> Any:
    book = openpyxl.Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    return book


def saved(book: Any) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def saved_in(folder: Path, book: Any) -> bytes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(folder))
        return saved(book)


def opened(data: bytes) -> Any:
    return openpyxl.load_workbook(io.BytesIO(data))


def with_looks() -> Any:
    book = book_of([["id", "day", "share", "note"], [1, DAY, 0.5, "ask ann@example.org"], []])
    sheet = book.active
    sheet["A4"], sheet["B4"], sheet["C4"], sheet["D4"] = 2, DAY, 0.25, "x"
    for line in (2, 4):
        sheet[f"B{line}"].number_format = "yyyy-mm-dd"
        sheet[f"C{line}"].number_format = "0.0%"
    sheet.column_dimensions["D"].width = 40
    return book


def test_the_sheet_keeps_its_name_blank_rows_formats_and_widths() -> None:
    raw = saved(with_looks())
    document = parse(raw, name="t.xlsx", format="excel", columns=["note"])
    release = sanitize(document, {"detect": ["patterns"]})
    sheet = opened(release.data).active
    assert sheet.title == "people"
    assert sheet["D2"].value == "ask [EMAIL 1]"
    assert [cell.value for cell in sheet[3]] == [None] * 4
    assert sheet["B4"].value == DAY
    assert (sheet["B4"].number_format, sheet["C2"].number_format) == ("yyyy-mm-dd", "0.0%")
    assert sheet.column_dimensions["D"].width == 40
    assert restored(release.data, release.record) == raw
    again = parse(release.data, name="t.xlsx", format="excel", columns=["note"])
    assert not again.unseen  # what we write holds nothing beside the cells


def test_no_file_is_made_in_which_an_original_could_stay(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where a process is killed, nobody removes it."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    raw = saved_in(tmp_path, with_looks())
    document = parse(raw, name="t.xlsx", format="excel", columns=["note"])
    assert opened(sanitize(document, {"detect": ["patterns"]}).data).active["D2"].value


def test_rows_and_columns_that_are_left_out_leave_no_gap() -> None:
    read = table.parse(saved(with_looks()), "t.xlsx")
    rows = [Edit(0, len("1\n2004-05-14\n0.5\nask ann@example.org\n"), "ROW", "", "out")]
    sheet = opened(table.write(edited(read, rows))).active
    assert [cell.value for cell in sheet[3]] == [2, DAY, 0.25, "x"]
    assert sheet["B3"].number_format == "yyyy-mm-dd"
    column = [Edit(0, 2, "ID", "", "out"), Edit(37, 39, "ID", "", "out")]
    text = "1\n2004-05-14\n0.5\nask ann@example.org\n2\n"
    assert text[37:39] == "2\n"
    sheet = opened(table.write(edited(read, column))).active
    assert sheet["A2"].number_format == "yyyy-mm-dd"
    assert sheet.column_dimensions["C"].width == 40


def test_what_nobody_looked_at_stays_behind() -> None:
    book = with_looks()
    sheet = book.active
    sheet["A1"].comment = openpyxl.comments.Comment(SECRET, SECRET)
    sheet["A2"].hyperlink = f"https://example.org/{SECRET}"
    sheet["C2"].number_format = f'0"{SECRET}"'
    sheet["A5"] = f'=IF(TRUE,3,"{SECRET}")'
    sheet.oddHeader.center.text = SECRET
    sheet.sheet_properties.codeName = SECRET
    book.properties.creator = book.properties.keywords = SECRET
    book.defined_names[SECRET] = openpyxl.workbook.defined_name.DefinedName(SECRET, attr_text="1")
    rule = openpyxl.worksheet.datavalidation.DataValidation("list", f'"{SECRET}"')
    rule.add("D2")
    sheet.add_data_validation(rule)
    raw = with_value(saved(book), "A5", 3)
    document = parse(raw, name="t.xlsx", format="excel", columns=["note"])
    release = sanitize(document, {"detect": ["patterns"]})
    with zipfile.ZipFile(io.BytesIO(raw)) as parts:
        assert any(SECRET.encode() in parts.read(part) for part in parts.namelist())
    with zipfile.ZipFile(io.BytesIO(release.data)) as parts:
        for part in parts.namelist():
            assert SECRET.encode() not in parts.read(part), part
    assert opened(release.data).active["A5"].value == 3
    assert restored(release.data, release.record) == raw


def with_value(data: bytes, cell: str, value: int) -> bytes:
    """A workbook in which a formula has a stored value, as spreadsheet programs write it."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for part in old.namelist():
            body = old.read(part)
            if part == "xl/worksheets/sheet1.xml":
                begin = body.index(f'r="{cell}"'.encode())
                end = body.index(b"</f>", begin) + len(b"</f>")
                rest = (
                    body[end:].removeprefix(b"<v />").removeprefix(b"<v/>").removeprefix(b"<v></v>")
                )
                body = body[:end] + f"<v>{value}</v>".encode() + rest
            new.writestr(part, body)
    return out.getvalue()


def test_a_formula_without_a_stored_value_is_refused_by_its_cell() -> None:
    raw = saved(book_of([["id", "note"], [1, "x"], [2, "=A2+1"]]))
    with pytest.raises(InputError, match=r"t\.xlsx: the formula in B3 has no stored value; open"):
        table.parse(raw, "t.xlsx")
    known = table.parse(with_value(raw, "B3", 2), "t.xlsx")
    assert known.column("note") == ["x", 2]


@pytest.mark.parametrize(
    ("title", "becomes"), [("Ann Lee", "(PERSON 1)"), ("of Ann Lee 2024", "of (PERSON 1) 2024")]
)
def test_the_name_of_a_sheet_is_text(title: str, becomes: str) -> None:
    raw = saved(book_of([["id", "note"], [1, "x"]], title))
    document = parse(raw, name="t.xlsx", format="excel", columns=["note"])
    assert document.origin.parts[0].place == "name of the sheet"
    release = sanitize(
        document, {"detect": [{"lists": {"hide": [{"kind": "PERSON", "terms": ["Ann Lee"]}]}}]}
    )
    assert opened(release.data).sheetnames == [becomes]
    assert formats.read_again(release.data, document).text == f"{becomes}\nx\n"


def test_several_sheets_are_refused_hidden_ones_too() -> None:
    book = book_of([["id"], [1]])
    book.create_sheet("more").sheet_state = "hidden"
    with pytest.raises(InputError, match="has several sheets"):
        table.parse(saved(book), "t.xlsx")


def test_letters_that_a_workbook_escapes_are_read_as_programs_show_them() -> None:
    said = "Call Mar_x0067_aret, 0770_x0030_ 900318, ann_x0040_example.org; _x005F_x0041_ _xD83D__xDE00_"
    raw = saved(book_of([["n_x006F_te"], [said]], title="list _x0061_"))
    document = parse(raw, name="t.xlsx", format="excel", columns=["note"])
    release = sanitize(document, {"detect": ["patterns"]})
    sheet = table.parse(release.data, "t.xlsx")
    assert sheet.names == ("note",)
    assert sheet.form.sheet is not None
    assert sheet.form.sheet.title == "list a"
    assert sheet.columns[0] == ["Call Margaret, [PHONE 1], [EMAIL 1]; _x0041_ \U0001f600"]


@pytest.mark.parametrize("said", ["_x0041_", "a\x01b", "__x0041__x", "_x005F_x0041_", "\ud83d"])
def test_what_looks_like_an_escape_is_written_as_it_stands(said: str) -> None:
    shown = said.replace("\ud83d", "\ufffd")
    assert excel.unescaped(excel.escaped(said)) == shown


@pytest.mark.parametrize(
    ("number", "format", "shown"),
    [
        (7700900318, "00000 000000", "07700 900318"),
        (5551234567, "(###) ###-####", "(555) 123-4567"),
        (2138, "00000", "02138"),
        (12345, "# ##0", 12345),
        (12345, "#,##0", 12345),
        (7, "0", 7),
        (-5, "00", -5),
    ],
)
def test_a_number_that_is_shown_as_a_code_is_read_so(number: int, format: str, shown: Any) -> None:
    book = book_of([["x"], [number]])
    book.active["A2"].number_format = format
    read = table.parse(saved(book), "t.xlsx")
    assert read.columns[0] == [shown]


@pytest.mark.parametrize(
    ("value", "look"),
    [
        (5, ";;;"),
        (5, "0;0"),
        (-5, "0;0"),
        (1967.9, "0"),
        (1968000000, "0,,"),
        (0.19685, "0%"),
        (68, '"19"00'),
        (68, "\\1\\900"),
        (68, "19"),
        (5, "[=5]19;0"),
        (0.5, "?/?"),
        (19.68, "0_0.00"),
        (DAY, "yyyy"),
        (DAY, "d.m."),
        (DAY, "dd/mm/yyyy;;;"),
        (DAY, 'd" of May "yyyy'),
        (DAY, "[$-407]d/m/yyyy"),
    ],
)
def test_a_format_that_shows_another_value_than_the_cell_holds_stays_behind(
    value: Any, look: str
) -> None:
    book = book_of([["x"], [value]])
    book.active["A2"].number_format = look
    cell = opened(table.write(table.parse(saved(book), "t.xlsx"))).active["A2"]
    assert cell.value == value
    assert cell.number_format == ("yyyy-mm-dd h:mm:ss" if value is DAY else "General")


@pytest.mark.parametrize(
    ("value", "look"),
    [(1968, "0"), (0.25, "0.0%"), (-3.5, "#,##0.00"), (5, "£#,##0"), (DAY, "dd/mm/yyyy")],
)
def test_a_format_that_shows_the_value_stays(value: Any, look: str) -> None:
    book = book_of([["x"], [value]])
    book.active["A2"].number_format = look
    cell = opened(table.write(table.parse(saved(book), "t.xlsx"))).active["A2"]
    assert (cell.value, cell.number_format) == (value, look)


def test_a_whole_number_with_a_point_is_read_as_the_code_that_is_shown() -> None:
    book = book_of([["x"], [31468.0]])
    book.active["A2"].number_format = "00\\-00\\-00"
    assert table.parse(saved(book), "t.xlsx").columns[0] == ["03-14-68"]
