"""A small file that unpacks to gigabytes is refused before it does."""

from __future__ import annotations

import io
import time
import tracemalloc
import zipfile

import pytest

from sfumato.errors import InputError
from sfumato.formats import parse

openpyxl = pytest.importorskip("openpyxl")
arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def workbook(old: bytes, new: bytes, part: str = "xl/worksheets/sheet1.xml") -> bytes:
    """A workbook in whose sheet something else stands."""
    book, made, out = openpyxl.Workbook(), io.BytesIO(), io.BytesIO()
    book.active.append(["note", "n"])
    book.active.append(["Ann Lee", 1])
    book.save(made)
    with zipfile.ZipFile(made) as given, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for info in given.infolist():
            data = given.read(info)
            assert info.filename != part or old in data
            packed.writestr(
                info.filename, data.replace(old, new) if info.filename == part else data
            )
    return out.getvalue()


def of_rows(column: object, packed: str) -> bytes:
    out = arrow.BufferOutputStream()
    table = arrow.table({"note": column})
    parquet.write_table(table, out, compression=packed, use_dictionary=["note"])
    return bytes(out.getvalue().to_pybytes())


def tall() -> bytes:
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.active["A1"], book.active["XFD1"], book.active["A1048576"] = "note", "n", "Ann Lee"
    book.save(out)
    return out.getvalue()


def blank() -> bytes:
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.active["A1"], book.active["A1000000"] = "note", "Ann Lee"
    book.save(out)
    return out.getvalue()


def long() -> bytes:
    return workbook(b"Ann Lee", b"A" * 210_000_000)


def many() -> bytes:
    nothing = arrow.array([0], arrow.int32()).take(arrow.nulls(30_000_000, arrow.int32()))
    return of_rows(nothing, "gzip")


def repeated() -> bytes:
    often = arrow.array([0] * 300, arrow.int32())
    return of_rows(arrow.DictionaryArray.from_arrays(often, ["A" * 1_000_000]), "zstd")


def large() -> bytes:
    return of_rows(["A" * 210_000_000], "zstd")


@pytest.mark.parametrize(
    ("kind", "bomb"),
    [
        ("excel", tall),
        ("excel", blank),
        ("excel", long),
        ("parquet", many),
        ("parquet", repeated),
        ("parquet", large),
    ],
)
def test_a_small_file_that_holds_very_much_is_refused(kind: str, bomb: object) -> None:
    assert callable(bomb)
    data = bomb()
    assert len(data) < 1_000_000
    begun = time.process_time()
    for format in (kind, f"table/{kind}"):
        with pytest.raises(
            InputError, match=r"^x: unpacks to [0-9,]+ bytes, more than 200,000,000"
        ):
            parse(data, name="x", format=format, columns=["note"])
    assert time.process_time() - begun < 5


ALL = b"A3:XFD1048576"
SPANS = {
    "a far cell": (b'r="B2"', b'r="XFD1048576"'),
    "merged cells": (
        b"</sheetData>",
        b'</sheetData><mergeCells><mergeCell ref="%s"/></mergeCells>' % ALL,
    ),
    "a link": (
        b"</sheetData>",
        b'</sheetData><hyperlinks><hyperlink ref="%s" location="x"/></hyperlinks>' % ALL,
    ),
    "a check of values": (
        b"</sheetData>",
        b'</sheetData><dataValidations><dataValidation type="list" sqref="%s"/></dataValidations>'
        % ALL,
    ),
    "looks": (
        b"</sheetData>",
        b'</sheetData><conditionalFormatting sqref="%s"><cfRule type="expression" priority="1">'
        b"<formula>1</formula></cfRule></conditionalFormatting>" % ALL,
    ),
    "a dimension": (b'ref="A1:B2"', b'ref="A1:XFD1048576"'),
}


@pytest.mark.parametrize("what", SPANS)
def test_what_spans_very_many_cells_takes_no_memory(what: str) -> None:
    data = workbook(*SPANS[what])
    tracemalloc.start()
    try:
        assert parse(data, name="x", format="excel", columns=["note"]).text.count("Ann Lee") == 1
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


COLUMN = b'<col min="1" max="%d" width="9" customWidth="1"/>'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"<sheetData>", b"<cols>" + COLUMN % 99 * 2 + b"</cols><sheetData>"),
        (b"<sheetData>", b"<cols>" + COLUMN % 10**9 + b"</cols><sheetData>"),
        (b"</sheetData>", b'<row r="2"><c r="A2"><v>1</v></c></row></sheetData>'),
        (b"</sheetData>", b'<row r="3"><c r="C3"/><c r="A3"><v>1</v></c></row></sheetData>'),
        (b"</sheetData>", b'<row r="3"><c r="A3"/><c r="A3"><v>1</v></c></row></sheetData>'),
        (b'r="A1"', b'r="C1"'),
    ],
)
def test_what_no_program_writes_is_refused(old: bytes, new: bytes) -> None:
    with pytest.raises(InputError, match=r"not an Excel file \(ValueError\)"):
        parse(workbook(old, new), name="x", format="excel", columns=["note"])


def test_warnings_do_not_quote_what_nobody_has_looked_at(
    recwarn: pytest.WarningsRecorder, capfd: pytest.CaptureFixture[str]
) -> None:
    area = b'<definedName name="_xlnm.Print_Area" localSheetId="0">Margaret Holloway</definedName>'
    data = workbook(
        b"</sheets>", b"</sheets><definedNames>" + area + b"</definedNames>", "xl/workbook.xml"
    )
    assert parse(data, name="x", format="excel", columns=["note"]).text.count("Ann Lee") == 1
    assert "Holloway" not in "".join([*capfd.readouterr(), *(str(w.message) for w in recwarn)])
