"""Tables in Excel workbooks, by openpyxl."""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile
from typing import Any

from sfumato.errors import InputError, MissingExtraError
from sfumato.formats.table import ABSENT, Form, Table, cell_text, require, unique_names

SHEET = "Sheet1"  # a title may name somebody


def _excel() -> Any:
    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError("an Excel file", "excel") from None
    return openpyxl


def read(data: bytes, where: str) -> Table:
    """The one sheet of a workbook."""
    openpyxl = _excel()
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        rows = [list(row) for row in sheet.iter_rows(values_only=True)]
    except (OSError, KeyError, ValueError, IndexError, zipfile.BadZipFile) as error:
        raise InputError(
            f"{where}: not an Excel file ({type(error).__name__})", path=where
        ) from None
    if len(book.worksheets) > 1:
        raise InputError(
            f"{where}: has several sheets; save the one to release by itself", path=where
        )
    head = rows[0] if rows else []
    while head and head[-1] is None:
        head.pop()
    header = tuple(cell_text(cell) for cell in head)
    width = len(header)
    body = [(n, (r + [None] * width)[:width]) for n, r in enumerate(rows[1:], 2)]
    body = [(n, r) for n, r in body if any(c is not None for c in r)]
    require(header, body, where)
    columns = tuple([row[i] for _, row in body] for i in range(width))
    lines = [number for number, _ in body]
    return Table(header, unique_names(header), columns, lines, Form("excel"), where)


def write(table: Table) -> bytes:
    """A workbook of one sheet."""
    openpyxl = _excel()
    book = openpyxl.Workbook(write_only=True)
    stamp = dt.datetime(2000, 1, 1)  # the same input gives the same file
    book.properties.created = book.properties.modified = stamp
    sheet = book.create_sheet(SHEET)
    sheet.append([_plain(cell, sheet) for cell in table.header])
    for row in zip(*table.columns, strict=True):
        sheet.append([_plain(cell, sheet) for cell in row])
    out = io.BytesIO()
    book.save(out)
    return _unstamped(out.getvalue())


def _plain(cell: Any, sheet: Any) -> Any:
    """A cell that Excel takes for what it is: text that begins with `=` is no formula."""
    if isinstance(cell, str) and cell[:1] == "=":
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.cell.cell import TYPE_STRING

        made = WriteOnlyCell(sheet, value=cell)
        made.data_type = TYPE_STRING
        return made
    return None if cell is ABSENT else cell


def _unstamped(data: bytes) -> bytes:
    """The same archive without the time it was made at."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for info in old.infolist():
            body = old.read(info)
            if info.filename == "docProps/core.xml":
                body = re.sub(
                    rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>2000-01-01T00:00:00Z", body
                )
            plain = zipfile.ZipInfo(info.filename, (2000, 1, 1, 0, 0, 0))
            plain.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(plain, body)
    return out.getvalue()
