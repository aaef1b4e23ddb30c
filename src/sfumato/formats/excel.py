"""Tables in Excel workbooks, by openpyxl.

A release is a workbook of its own into which only this goes over: values, the name of the sheet, the place
of rows, the formats of numbers and dates, the widths of columns. All else (comments, formulas, properties,
defined names, caches, pictures) may hold what nobody has looked at, and stays behind.
"""

from __future__ import annotations

import datetime as dt
import io
import re
import warnings
import zipfile
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from sys import getsizeof
from typing import IO, Any
from xml.parsers import expat

from sfumato.errors import InputError, needed
from sfumato.formats.table import (
    ABSENT,
    BYTES_PER_CELL,
    Form,
    Table,
    cell_text,
    check_unpacked,
    most_unpacked,
    require,
    unique_names,
)

SHEET = "Sheet1"
MOST_LETTERS = 31  # of a sheet's name
MOST_COLUMNS = 1 << 14
MOST_SIGNS = 255  # of a number's format, and of the name of a space of names
BYTES_PER_ELEMENT = 200  # that the library makes a tree of, and for each of its attributes
_BLANK = 32  # cells that a blank row counts for: few hold much of nothing
NOT_IN_NAMES = re.compile(r"[\\*?:/\[\]\x00-\x1f]")
# A format may show other words or another value than the cell holds; those are kept that show all of it.
_NUMBER = re.compile(r"[$€£]? ?(?:#,##)?0(?:\.(0+))?(%?) ?[$€£]?")
_DAY = re.compile(
    r"(?=.*d)(?=.*m)(?=.*y)(?:d{1,4}|m{1,4}|yyyy|yy|hh?|ss?|AM/PM|[-/.,: ]|\\[-/., ])+",
    re.IGNORECASE,
)
# Whole numbers that are shown as codes, "00000 000000"; thousands are not, "# ##0".
_CODE = re.compile(r"(?!#[ ,]?##0\Z)(?=[^0#]*[0#][^0#]*[0#])(?:[0# ()/+-]|\\[ ./-])+")
# What the library takes from a part, one after the other, and clears.
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_STRING, _ROW = f"{_MAIN}si", f"{_MAIN}row"
# What stands for a letter in any string of a workbook (ECMA-376, ST_Xstring).
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)|[\x00-\x08\x0b-\x1f\ufffe\uffff]")


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
    """The one sheet of a workbook. It is read row by row: as a whole, openpyxl makes a cell for each that a
    merged range or a link spans, and its warnings quote what nobody has looked at."""
    _excel(where)
    try:
        with warnings.catch_warnings(), _Parts(data, where) as parts:
            warnings.simplefilter("ignore")
            book = _book(parts)
            sheet = book.worksheets[0]
            header, lines, rows = _rows(sheet, data, where)
            unknown, widths = parts.found(sheet._worksheet_path)
    except InputError:
        raise
    except Exception as error:  # whatever a broken archive makes of the library
        raise InputError.at(where, f"not an Excel file ({type(error).__name__})") from None
    if len(book.worksheets) > 1:
        raise InputError.at(where, "has several sheets; save the one to release by itself")
    if unknown is not None:
        raise InputError.at(
            where,
            f"the formula in {unknown} has no stored value; open the file in a spreadsheet program "
            "and save it, so that formulas have values",
        )
    require(header, lines, where)
    names = unique_names(header)
    formats = {
        name: {line: f for line, row in zip(lines, rows, strict=True) if (f := _format(row[at]))}
        for at, name in enumerate(names)
    }
    shown = {names[at - 1]: width for at, width in widths.items() if at <= len(names)}
    title = NOT_IN_NAMES.sub(" ", unescaped(sheet.title))
    found = Sheet(title, lines, shown, formats)
    columns = tuple([_value(row[at]) for row in rows] for at in range(len(names)))
    return Table(header, names, columns, lines, Form("excel", sheet=found), where)


def _rows(
    sheet: Any, data: bytes, where: str
) -> tuple[tuple[str, ...], list[int], list[Sequence[Any]]]:
    """The header, and the rows below it that hold something, with their lines."""
    from openpyxl.cell.read_only import EmptyCell

    sheet.reset_dimensions()  # what the file says of its size may be wrong
    first = next(iter(sheet.iter_rows(max_row=1)), ())
    width = max((at for at, cell in enumerate(first, 1) if cell.value is not None), default=0)
    size = _size(first)
    check_unpacked(size, data, where)
    header = tuple(unescaped(cell_text(cell.value)) for cell in first[:width])
    lines: list[int] = []
    rows: list[Sequence[Any]] = []
    if width:
        for line, row in enumerate(sheet.iter_rows(min_row=2, max_col=width), 2):
            size += _size(row)
            blank = line - 2 - len(lines)
            check_unpacked(size + blank * _BLANK * BYTES_PER_CELL, data, where)
            if {*map(type, row)} != {EmptyCell} and any(cell.value is not None for cell in row):
                lines.append(line)
                rows.append(row)
    return header, lines, rows


def _size(row: Sequence[Any]) -> int:
    """What the cells of a row take: each text as often as it is named, though it is there once."""
    return sum(max(BYTES_PER_CELL, getsizeof(cell.value)) for cell in row)


def _book(parts: _Parts) -> Any:
    """The workbook, of which only what is read here: strings, formats and sheets."""
    from openpyxl.reader.excel import ExcelReader
    from openpyxl.styles.stylesheet import apply_stylesheet

    reader = ExcelReader(parts.fp, read_only=True, data_only=True, keep_links=False)
    reader.archive = parts
    reader.read_chartsheet = lambda *_: None
    reader.read_manifest()
    parts.cleared = _STRING
    reader.read_strings()
    parts.cleared = _ROW
    reader.read_workbook()
    apply_stylesheet(parts, reader.wb)
    reader.read_worksheets()
    return reader.wb


class _Parts(zipfile.ZipFile):
    """The parts of a workbook. Each is gone through before the library makes anything of it: those that it
    reads make a tree each, of those that it opens it clears one thing after the other."""

    def __init__(self, data: bytes, where: str) -> None:
        super().__init__(io.BytesIO(data))
        self._data, self._where = data, where
        self._trees = 0
        self._scans: dict[tuple[str, str], _Scan] = {}
        self.cleared = ""
        check_unpacked(sum(part.file_size for part in self.infolist()), data, where)

    def read(self, name: Any, pwd: bytes | None = None) -> bytes:
        with super().open(name) as file:
            self._trees = _Scan(file, self._data, self._where, self._trees).size
        with super().open(name) as file:
            return file.read()

    def open(self, name: Any, *_: Any, **__: Any) -> IO[bytes]:
        if (name, self.cleared) not in self._scans:
            with super().open(name) as file:
                made = _Scan(file, self._data, self._where, self._trees, self.cleared)
            self._scans[name, self.cleared] = made
        return super().open(name)

    def found(self, name: str) -> tuple[str | None, dict[int, float]]:
        """Of a sheet, the first formula whose value nobody has stored, and the widths of columns by their
        numbers."""
        scan = self._scans[name, _ROW]
        return scan.unknown, scan.widths


class _Scan:
    """A part, gone through element by element. Refused is what would take much more memory than its file,
    beginning at some `size`, and what no program writes."""

    def __init__(
        self, file: IO[bytes], data: bytes, where: str, size: int, cleared: str = ""
    ) -> None:
        self.size, self._cleared = size, cleared
        self._data, self._where, self._most = data, where, most_unpacked(data)
        self.unknown: str | None = None
        self.widths: dict[int, float] = {}
        self._after: int | None = None  # the size when what is being read will be cleared
        self._line = self._column = self._last = 0
        self._cell: Mapping[str, str] = {}
        self._in_value = self._has_formula = self._has_value = False
        parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._text
        parser.StartNamespaceDeclHandler = self._space
        parser.StartDoctypeDeclHandler = self._doctype
        parser.ParseFile(file)

    def _start(self, tag: str, said: dict[str, str]) -> None:
        name = tag.rpartition("}")[2]
        if tag == self._cleared:
            if self._after is not None:
                raise ValueError("a row within a row")
            # It stays, empty, and what a row says of its looks.
            self._after = self.size + BYTES_PER_CELL * (2 + len(said)) // 2
        self.size += BYTES_PER_ELEMENT * (1 + len(said))
        if self.size > self._most:
            check_unpacked(self.size, self._data, self._where)
        if len(said.get("formatCode", "")) > MOST_SIGNS:
            raise InputError.at(
                self._where,
                f"has a number format of over {MOST_SIGNS} characters, which no program shows; remove it",
            )
        if name == "c":
            at = _number(said.get("r", "")) or self._column + 1
            if at <= self._column:
                raise ValueError("cells out of order")
            self._column, self._cell = at, said
            self._has_formula = self._has_value = False
        elif name == "f":
            self._has_formula = True
        elif name == "v":
            self._in_value = True
        elif name == "row":
            line = int(said.get("r", self._line + 1))
            if line <= self._line:
                raise ValueError("rows out of order, of which one would be lost")
            self._line, self._column = line, 0
        elif name == "col" and said.get("customWidth") in ("1", "true"):
            first, end = int(said["min"]), int(said["max"])
            if not self._last < first <= end <= MOST_COLUMNS:
                raise ValueError("columns out of order")
            self.widths |= dict.fromkeys(range(first, end + 1), float(said["width"]))
            self._last = end

    def _text(self, _: str) -> None:
        self._has_value |= self._in_value

    def _end(self, tag: str) -> None:
        name = tag.rpartition("}")[2]
        if name == "v":
            self._in_value = False
        elif name == "c" and self._has_formula and not self.unknown:
            is_known = self._has_value or self._cell.get("t") == "str"  # a text may be empty
            self.unknown = None if is_known else self._cell.get("r", "a cell")
        if tag == self._cleared and self._after is not None:
            self.size, self._after = self._after, None

    def _space(self, _: str | None, uri: str | None) -> None:
        if len(uri or "") > MOST_SIGNS:  # it becomes part of every name
            raise ValueError("a long name of a space of names")

    def _doctype(self, *_: object) -> None:
        raise ValueError("a document type, which may define what stands for more")


def _number(place: str) -> int:
    """The number of a cell's column: 28 of AB7."""
    made = 0
    for letter in re.match(r"[A-Z]*", place)[0]:  # type: ignore[index]  # it matches nothing, at least
        made = made * 26 + ord(letter) - 64
    return made


def unescaped(said: str) -> str:
    """A string of a workbook as programs show it.

    >>> unescaped("Mar_x0067_aret, _x005F_x0041_"), escaped("_x0041_")
    ('Margaret, _x0041_', '_x005F_x0041_')
    """
    units = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), said)
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def escaped(said: str) -> str:
    """A string as a workbook keeps it."""
    return _ESCAPED.sub(lambda found: f"_x{ord(found[0]):04X}_", said)


def _value(cell: Any) -> Any:
    """What a cell holds, as it is shown: letters that are escaped, and numbers that are codes."""
    value, said = cell.value, str(cell.number_format or "")
    if isinstance(value, str):
        return unescaped(value)
    is_whole = type(value) is int or (isinstance(value, float) and value.is_integer())
    return (
        _as_code(int(value), said) if is_whole and value >= 0 and _CODE.fullmatch(said) else value
    )


def _as_code(number: int, format: str) -> str:
    """A number with its digits at the places of a format.

    >>> _as_code(7700900318, "00000 000000"), _as_code(5551234567, "(###) ###-####")
    ('07700 900318', '(555) 123-4567')
    """
    digits, made = list(str(number)), list[str]()
    for sign in reversed(format.replace("\\", "")):
        if sign not in "0#":
            made.append(sign)
        elif digits:
            made.append(digits.pop())
        elif sign == "0":
            made.append("0")
    return ("".join(digits) + "".join(reversed(made))).strip()


def _format(cell: Any) -> str:
    """How a number or date is shown, where that is all of what it is."""
    value, said = _value(cell), str(cell.number_format or "General")
    if isinstance(value, dt.datetime | dt.date):
        return said if _DAY.fullmatch(said) else ""
    found = _NUMBER.fullmatch(said) if isinstance(value, int | float) else None
    if found is None or isinstance(value, bool):
        return ""
    shown = len(found[1] or "") + 2 * len(found[2])  # digits behind the point
    return said if round(value, shown) == value else ""


def write(table: Table) -> bytes:
    """A workbook of one sheet."""
    openpyxl = _excel(table.path)
    book = openpyxl.Workbook(write_only=True)
    stamp = dt.datetime(2000, 1, 1)  # the same input gives the same file
    book.properties.created = book.properties.modified = stamp
    looks = table.form.sheet or Sheet(SHEET, (), {}, {})
    sheet = book.create_sheet(escaped(looks.title))
    for at, name in enumerate(table.names, 1):
        if name in looks.widths:
            letter = openpyxl.utils.get_column_letter(at)
            sheet.column_dimensions[letter].width = looks.widths[name]
    sheet._writer = _in_memory(sheet)
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
    openpyxl.writer.excel.ExcelWriter(book, _Archive(out, "w")).save()
    return _unstamped(out.getvalue())


def _in_memory(sheet: Any) -> Any:
    """What writes a sheet, without the file that the library would make for it: that has the original in it,
    and stays where the process is killed."""
    from openpyxl.worksheet._writer import WorksheetWriter

    writer = WorksheetWriter(sheet, io.BytesIO())
    writer.cleanup = lambda: None
    writer.write_top()
    return writer


class _Archive(zipfile.ZipFile):
    """An archive that takes a sheet from memory where the library has a file in mind."""

    def write(self, filename: Any, arcname: Any = None, *_: Any) -> None:
        self.writestr(arcname, filename.getvalue())


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
    if isinstance(cell, str):
        cell = escaped(cell)
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
                    rb"(<dcterms:modified[^<>]*>)[^<]*", rb"\g<1>2000-01-01T00:00:00Z", body
                )
            plain = zipfile.ZipInfo(info.filename, (2000, 1, 1, 0, 0, 0))
            plain.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(plain, body)
    return out.getvalue()
