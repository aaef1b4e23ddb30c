"""Tables in Excel workbooks, by openpyxl.

A release is a workbook of its own into which only this goes over: values, the name of the sheet, the place
of rows, the formats of numbers and dates, the widths of columns. All else (comments, formulas, properties,
defined names, caches, pictures) may hold what nobody has looked at, and stays behind.
"""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from sfumato.errors import InputError, needed
from sfumato.formats.table import (
    ABSENT,
    BYTES_PER_CELL,
    Form,
    Table,
    cell_text,
    check_unpacked,
    require,
    unique_names,
)

SHEET = "Sheet1"
MOST_LETTERS = 31  # of a sheet's name
NOT_IN_NAMES = re.compile(r"[\\*?:/\[\]\x00-\x1f]")
# A format may say words of its own ("kg"); one that does is left out.
_FORMAT = re.compile(r"(?:[dmyhs0#?.,%/:;()+_@ $€£-]|AM/PM|E[+-]|\\[ .,/-])*", re.IGNORECASE)


@dataclass(frozen=True)
class Sheet:
    """What of a sheet goes over into its release, besides the values."""

    title: str
    lines: Sequence[int]  # of all rows that hold something
    widths: Mapping[str, float]  # by column
    formats: Mapping[str, Mapping[int, str]]  # by column and line


def _excel(where: str) -> Any:
    return needed("openpyxl", f"{where}: an Excel file", "excel")


def read(data: bytes, where: str) -> Table:
    """The one sheet of a workbook."""
    openpyxl = _excel(where)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            check_unpacked(sum(part.file_size for part in parts.infolist()), data, where)
        book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
        sheet = book.worksheets[0]
        unknown = _without_value(data)
    except InputError:
        raise
    except Exception as error:  # whatever a broken archive makes of the library
        raise InputError(
            f"{where}: not an Excel file ({type(error).__name__})", path=where
        ) from None
    if len(book.worksheets) > 1:
        raise InputError(
            f"{where}: has several sheets; save the one to release by itself", path=where
        )
    if unknown is not None:
        raise InputError(
            f"{where}: the formula in {unknown} has no stored value; open the file in a spreadsheet program "
            "and save it, so that formulas have values",
            path=where,
        )
    check_unpacked(sheet.max_row * sheet.max_column * BYTES_PER_CELL, data, where)
    cells = sheet._cells  # to ask for a blank one by way of the sheet would make it, for good
    width = max((at for (line, at), cell in cells.items() if line == 1 and _says(cell)), default=0)
    header = tuple(cell_text(_value(cells.get((1, at)))) for at in range(1, width + 1))
    lines = sorted({r for (r, at), cell in cells.items() if r > 1 and at <= width and _says(cell)})
    require(header, lines, where)
    names = unique_names(header)
    formats = {
        name: {r: f for r in lines if (cell := cells.get((r, at))) and (f := _format(cell))}
        for at, name in enumerate(names, 1)
    }
    found = Sheet(sheet.title, lines, _widths(sheet, names), formats)
    columns = tuple([_value(cells.get((r, at))) for r in lines] for at in range(1, width + 1))
    return Table(header, names, columns, lines, Form("excel", sheet=found), where)


def _value(cell: Any) -> Any:
    return None if cell is None else cell.value


def _says(cell: Any) -> bool:
    return cell.value is not None


def _without_value(data: bytes) -> str | None:
    """The first formula whose value nobody has stored."""
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        for part in parts.namelist():
            if not re.fullmatch(r"xl/worksheets/[^/]+\.xml", part):
                continue
            with parts.open(part) as file:
                for _, cell in ElementTree.iterparse(file):
                    if cell.tag.rpartition("}")[2] == "c":
                        inside = {child.tag.rpartition("}")[2]: child.text for child in cell}
                        is_known = inside.get("v") or cell.get("t") == "str"  # a text may be empty
                        if "f" in inside and not is_known:
                            return str(cell.get("r", "a cell"))
                        cell.clear()
    return None


def _format(cell: Any) -> str:
    """How a number or date is shown, unless the format may say more than that."""
    said = str(cell.number_format or "General")
    plain = not isinstance(cell.value, str) and said != "General" and _FORMAT.fullmatch(said)
    return said if cell.value is not None and plain else ""


def _widths(sheet: Any, names: Sequence[str]) -> dict[str, float]:
    found = {}
    for each in sheet.column_dimensions.values():
        for at in range(each.min or 1, min(each.max or 0, len(names)) + 1):
            if each.customWidth:
                found[names[at - 1]] = float(each.width)
    return found


def write(table: Table) -> bytes:
    """A workbook of one sheet."""
    openpyxl = _excel(table.path)
    book = openpyxl.Workbook(write_only=True)
    stamp = dt.datetime(2000, 1, 1)  # the same input gives the same file
    book.properties.created = book.properties.modified = stamp
    looks = table.form.sheet or Sheet(SHEET, (), {}, {})
    sheet = book.create_sheet(looks.title)
    for at, name in enumerate(table.names, 1):
        if name in looks.widths:
            letter = openpyxl.utils.get_column_letter(at)
            sheet.column_dimensions[letter].width = looks.widths[name]
    sheet.append([_plain(cell, "", sheet) for cell in table.header])
    formats = [looks.formats.get(name, {}) for name in table.names]
    reached = 1
    for line, place, row in _placed(table, looks):
        for _ in range(reached + 1, place):
            sheet.append([])
        cells = zip(row, formats, strict=True)
        sheet.append([_plain(cell, known.get(line, ""), sheet) for cell, known in cells])
        reached = place
    out = io.BytesIO()
    book.save(out)
    return _unstamped(out.getvalue())


def _placed(table: Table, looks: Sheet) -> Iterator[tuple[int, int, tuple[Any, ...]]]:
    """Each row with its line, and the line it gets: blank ones stay, those of rows left out do not."""
    gone = sorted({*looks.lines} - {*table.lines})
    for number, row in enumerate(zip(*table.columns, strict=True)):
        line = table.lines[number] if looks.lines else number + 2
        yield line, line - bisect_left(gone, line), row


def _plain(cell: Any, format: str, sheet: Any) -> Any:
    """A cell that Excel takes for what it is: text that begins with `=` is no formula."""
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import TYPE_STRING

    if cell is ABSENT or cell is None:
        return None
    is_formula = isinstance(cell, str) and cell[:1] == "="
    if not is_formula and (isinstance(cell, str) or not format):
        return cell
    made = WriteOnlyCell(sheet, value=cell)
    if is_formula:
        made.data_type = TYPE_STRING
    else:
        made.number_format = format
    return made


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
