"""Tables in files: CSV, TSV, Parquet, JSON lines and Excel, read as columns and written as the same kind.

Cells of a CSV file are strings and stay exactly what they are. Other formats have values of their own; a
column that nobody changes keeps them, and one that is recoded holds strings.
"""

from __future__ import annotations

import codecs
import csv
import datetime as dt
import io
import json
import operator
import re
import unicodedata
from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from sfumato.document import changed
from sfumato.english.folding import composed
from sfumato.errors import EncodingError, InputError
from sfumato.formats import file_bytes, rows
from sfumato.formats.text import drawn, exact_encoding, is_told

FORMATS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".txt": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".xlsx": "excel",
}
# Memory for each byte of a file, as measured: cells as Python strings, mentions, and both texts at the end.
MEMORY_PER_BYTE = {"csv": 40, "jsonl": 30, "parquet": 120, "excel": 90}
MARK = "\ufeff"  # of byte order
BIG = 50_000_000  # bytes from which the memory is stated
# Bytes that a small file may unpack to; a larger one, to fifty times its own
UNPACKED = 200_000_000
BYTES_PER_CELL = 100  # at the least, also of an empty one: what is made of it takes some hundreds
_LONGEST = 1e22  # from which on whole numbers are told by their first digits
# a key that a JSON line does not have
ABSENT = type("Absent", (), {"__repr__": lambda self: "ABSENT"})()


@dataclass(frozen=True)
class Form:
    """How a file is written: what is needed to write another of the same kind."""

    kind: str  # "csv", "jsonl", "parquet" or "excel"
    encoding: str = "utf-8"
    delimiter: str = ","
    newline: str = "\n"
    mark: bool = False  # begins with a byte-order mark
    types: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)  # Parquet's
    sheet: Any = field(default=None, compare=False, repr=False)  # Excel's


@dataclass(frozen=True)
class Table:
    """A table: `header` as in the file, `names` with every name once, one list of cells for each column."""

    header: tuple[str, ...]
    names: tuple[str, ...]
    columns: tuple[list[Any], ...] = field(repr=False)
    lines: Sequence[int] = field(repr=False)  # the line of the file that each row begins on
    form: Form
    path: str = "table"
    left_out: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)  # by a join
    unseen: bool = False  # its file holds what programs draw otherwise than it stands

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The place of each column by its name: there may be thousands."""
        return {name: at for at, name in enumerate(self.names)}

    def column(self, name: str) -> list[Any]:
        return self.columns[self.places[name]]

    def texts(self, name: str) -> list[str]:
        """The cells of a column as they read; not to be changed. What a list says is not what Python writes
        for it."""
        cells = self.column(name)
        if self.form.kind == "csv":
            return cells
        if any(isinstance(cell, list | tuple | dict | bytes) for cell in cells):
            raise InputError.at(
                self.path,
                f"the column '{name}' holds no texts but lists, objects or bytes, which are not "
                "read; make texts of them or take it out of the table",
            )
        return [cell_text(cell) for cell in cells]

    def written(self, name: str) -> Sequence[object]:
        """The cells of a column as the file tells them apart: 36 is not "36", and 0.5 is not 50 %."""
        cells = self.column(name)
        if self.form.kind == "csv":
            return cells
        looks = self.form.sheet.formats.get(name, {}) if self.form.sheet is not None else {}
        return [
            (repr(cell), looks.get(line, "")) for cell, line in zip(cells, self.lines, strict=True)
        ]

    def where(self, row: int) -> str:
        """A row for people: file and line."""
        return f"{self.path}:{self.lines[row]}"


def cell_text(cell: Any) -> str:
    """What a cell says, to the last digit: a number may name a person.

    >>> [cell_text(c) for c in (" a", None, 3.0, 2.5, True, dt.date(2004, 5, 14))]
    [' a', '', '3', '2.5', 'true', '2004-05-14']
    >>> cell_text(4111111111111111.0), cell_text(0.1 + 0.2), cell_text(1e300)
    ('4111111111111111', '0.30000000000000004', '1e+300')
    """
    if isinstance(cell, str):
        return cell
    if cell is None or cell is ABSENT:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float):
        whole = cell.is_integer() and abs(cell) < _LONGEST
        return "" if cell != cell else str(int(cell)) if whole else repr(cell)
    if isinstance(cell, dt.datetime):
        return cell.date().isoformat() if cell.time() == dt.time() else cell.isoformat(" ")
    if isinstance(cell, dt.date):
        return cell.isoformat()
    return str(cell)


def unique_names(header: Sequence[str]) -> tuple[str, ...]:
    """A name for each column: the header's, with a number where it stands twice or is empty.

    >>> unique_names(["a", "text", "text", ""])
    ('a', 'text', 'text#2', 'column#4')
    """
    seen: dict[str, int] = {}
    made: list[str] = []
    for place, said in enumerate(header, 1):
        name = said.strip() or f"column#{place}"
        seen[name] = seen.get(name, 0) + 1
        made.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    if len(set(made)) < len(made):
        raise InputError("two columns cannot be told apart by their names; rename one")
    return tuple(made)


def format_of(path: Path) -> str:
    """The format a file's name stands for."""
    kind = FORMATS.get(path.suffix.lower())
    if kind is None:
        raise InputError.at(path, f"no table file; known are {', '.join(FORMATS)}")
    return kind


def memory(paths: Sequence[Path]) -> int | None:
    """The bytes of memory that files of this size are likely to take; None where it does not matter."""
    sizes = [p.stat().st_size * MEMORY_PER_BYTE[format_of(p)] for p in paths if p.is_file()]
    whole = sum(p.stat().st_size for p in paths if p.is_file())
    return sum(sizes) if whole >= BIG else None


def read(path: Path, *, encoding: str = "utf-8", limit: int | None = None) -> Table:
    """The table in a file. Refuses, before reading, a file that is larger than `limit` bytes."""
    kind = format_of(path)
    return parse(file_bytes(path, limit), str(path), encoding=encoding, kind=kind)


def parse(
    data: bytes,
    where: str,
    *,
    encoding: str = "utf-8",
    kind: str | None = None,
    as_it_stands: bool = False,
) -> Table:
    """The table in the bytes of a file; not to be changed. Its cells say what programs draw of them, or
    `as_it_stands` all that they hold."""
    kind = kind or format_of(Path(where))
    tab = kind == "csv" and Path(where).suffix.lower() in (".tsv", ".tab")
    key = (data, encoding, kind, tab, as_it_stands)
    found = _remembered.get(key)
    if found is None:
        found = _parsed(data, where, encoding, kind, tab)
        found = found if as_it_stands else _as_drawn(found)
        while len(_remembered) >= _MOST_REMEMBERED:
            _remembered.pop(next(iter(_remembered)), None)
        _remembered[key] = found
    return replace(found, path=where)


def check_unpacked(size: int, data: Sized, where: str) -> None:
    """Refuse a packed file that is far larger than it looks."""
    most = most_unpacked(data)
    if size > most:
        raise InputError.at(where, f"unpacks to {size:,} bytes, more than {most:,}; split the file")


def most_unpacked(data: Sized) -> int:
    """The most bytes that a file may unpack to."""
    return max(UNPACKED, 50 * len(data))


# What is written is read again and checked, and so is what it was made from: the last are remembered.
_remembered: dict[tuple[bytes, str, str, bool, bool], Table] = {}
_MOST_REMEMBERED = 2


def _parsed(data: bytes, where: str, encoding: str, kind: str, tab: bool) -> Table:
    if kind == "csv":
        return _read_csv(data, where, encoding, "\t" if tab else None)
    return _read_jsonl(data, where) if kind == "jsonl" else _packed(kind).read(data, where)


def _packed(kind: str) -> Any:
    """The module for a kind of packed file."""
    from sfumato.formats import excel, parquet

    return {"excel": excel, "parquet": parquet}[kind]


def write(table: Table) -> bytes:
    """A table as the bytes of a file of its form."""
    writers = {"csv": _write_csv, "jsonl": _write_jsonl}
    write = writers.get(table.form.kind) or _packed(table.form.kind).write
    return bytes(write(table))


def holds_more(table: Table, data: bytes) -> bool:
    """Whether the file that a table was read from holds more than its cells, as no release does: comments,
    properties, metadata, cells beside the header, quotes and escapes that need not be. What another version
    wrote may look so, too."""
    return write(table) != data


# CSV and TSV


def _decoded(data: bytes, where: str, encoding: str) -> tuple[str, bool, str]:
    """The text, whether it had a byte-order mark, and the encoding to write it in."""
    exact = exact_encoding(data, encoding, where)
    try:
        text = data.decode(exact)
    except UnicodeDecodeError as error:
        raise EncodingError(
            f"{where}: byte {error.start} is not {encoding}; give the file's encoding, "
            "e.g. --encoding cp1252",
            path=where,
            offset=error.start,
        ) from None
    known = exact if exact.startswith("utf") else encoding
    return text.removeprefix(MARK), text.startswith(MARK), known


def _read_csv(data: bytes, where: str, encoding: str, delimiter: str | None) -> Table:
    text, mark, encoding = _decoded(data, where, encoding)
    first = text.partition("\n")[0]
    delimiter = delimiter or separator_of(text)
    newline = "\r\n" if first.endswith("\r") else "\n"
    # with the header, before a column is made for each of its cells (some separators may be quoted)
    width = _header(text).count(delimiter) + 1
    check_unpacked(2 * width * BYTES_PER_CELL, data, where)
    table = rows.delimited(io.BytesIO(text.encode()), where, delimiter)
    header = [name for (name,) in next(table)[0]]
    columns: list[list[str]] = [[] for _ in header]
    lines: list[int] = []
    known: dict[str, str] = {}  # short cells repeat: one object for all of them
    for found, at in table:
        lines += at
        check_unpacked(len(header) * len(lines) * BYTES_PER_CELL, data, where)
        for column, cells in zip(columns, found, strict=True):
            column += [known.setdefault(c, c) if len(c) < 16 else c for c in cells]
    require(header, lines, where)
    form = Form("csv", encoding, delimiter, newline, mark)
    return Table(tuple(header), unique_names(header), tuple(columns), lines, form, where)


SEPARATORS = ",;\t|"
QUOTED = r'"(?:[^"]++|"")*+"'
_QUOTED_CELL = rf"(?:\A|(?<=[,;\t|])){QUOTED}"
_IN_QUOTES = re.compile(_QUOTED_CELL)
_HEADER = re.compile(rf"(?:{_QUOTED_CELL}|[^\r\n])*+")


def separator_of(text: str) -> str:
    """What parts the cells of a table, by its header; what stands in quotes does not count.

    >>> separator_of("name;note\\nAnn;a, b"), separator_of('"last, first, middle";note')
    (';', ';')
    """
    return max(SEPARATORS, key=_IN_QUOTES.sub("", _header(text)).count)


def _header(text: str) -> str:
    header = _HEADER.match(text.removeprefix(MARK))
    assert header is not None
    return header[0]


_FORMULA = re.compile(
    r"""=[^&("]*[&("]|=.*?(?:\||!|\d\s*[-+*/^]\s*\.?\d)"""
    r"""|[+@-]\s*[A-Za-z][\w.]*\(|[+@-][^\s"&]*&[\w$]"""
    r"""|[+@-].*?(?:\)&|["}]\s*&|&[({$]|&\s*(?:"|[A-Za-z][\w.]*\())"""
    r"""|[+@-][A-Za-z][\w.]*\|['\w]|[+-][\d.,\s]+(?:[-/][\d.,\s]+)*[+*^][-+*/^\d.,\s]*\Z""",
    re.DOTALL,
)
# What programs leave out before a formula: blanks, quotes, signs that nobody sees.
_BEFORE = re.compile(r"""[\s"'“”‘’`\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]*""")
_TURNED = re.compile("[\u061c\u200f\u202a-\u202e\u2066-\u2069]")


def is_formula(cell: str) -> bool:
    """Whether programs take a cell of CSV for a formula that makes words or numbers, or runs something.

    >>> [is_formula(cell) for cell in ('＝CHAR(65)&"nn"', "=cmd|' /C'!A0", "= 5 mg", "- fish & chips")]
    [True, True, False, False]
    """
    begun = _BEFORE.match(cell)
    at = begun.end() if begun is not None else 0
    sign = unicodedata.normalize("NFKC", cell[at : at + 1])
    if sign not in ("=", "+", "-", "@"):
        return False
    return _FORMULA.match(composed("NFKC", cell[at:])) is not None


def is_turned(cell: object) -> bool:
    """Whether a cell is shown with its letters or words in another order than it holds them.

    >>> is_turned("\\u202eamleS"), is_turned("Selma")
    (True, False)
    """
    return isinstance(cell, str) and _TURNED.search(cell) is not None


def said_as_drawn(said: str) -> str:
    """What programs draw of a cell. Letters that are shown in another order stay: see `is_turned`.

    >>> said_as_drawn("To\\x1b[1mday\\x1b[0m"), said_as_drawn("\\u202eamleS") == "\\u202eamleS"
    ('Today', True)
    """
    found = [change for change in drawn(said) if not _TURNED.fullmatch(said, *change[:2])]
    return changed(said, found) if found else said


def _as_drawn(table: Table) -> Table:
    """A table with its cells as programs draw them."""
    columns, told = list(table.columns), any(said_as_drawn(name) != name for name in table.header)
    for at, cells in enumerate(columns):
        seen = [said_as_drawn(cell) if isinstance(cell, str) else cell for cell in cells]
        if any(map(operator.is_not, seen, cells)):
            columns[at] = seen
            told |= any(
                is_told(a, drawn(a)) for a, b in zip(cells, seen, strict=True) if a is not b
            )
    changed_any = any(map(operator.is_not, columns, table.columns))
    return replace(table, columns=tuple(columns), unseen=told) if changed_any or told else table


def require(header: Sequence[str], rows: Sequence[Any], where: str) -> None:
    if not header:
        raise InputError.at(where, "empty; the first line must name the columns")
    if not len(rows):
        raise InputError.at(where, "no rows below the header")


def _write_csv(table: Table) -> bytes:
    form, lines = table.form, list[str]()
    delimiter = form.delimiter if len(table.names) > 1 else ","  # which a header alone means
    # a cell with "\r" or "\n" is put in quotes, whichever ends the lines
    file: Any = SimpleNamespace(write=lines.append)
    others = set(SEPARATORS) - {delimiter}  # a header is read by what parts most of it
    quoting: Any = csv.QUOTE_ALL if others & {*"".join(table.header)} else csv.QUOTE_MINIMAL
    csv.writer(file, delimiter=delimiter, quoting=quoting).writerow(table.header)
    writer = csv.writer(file, delimiter=delimiter)
    writer.writerows(zip(*map(table.texts, table.names), strict=True))
    try:
        text = "".join(line.removesuffix("\r\n") + form.newline for line in lines)
        return ((MARK if form.mark else "") + text).encode(form.encoding)
    except UnicodeEncodeError:
        raise InputError(
            f"{table.path}: a cell cannot be written in {form.encoding}; convert the file to UTF-8 first"
        ) from None


# JSON lines


def _read_jsonl(data: bytes, where: str) -> Table:
    text, mark, _ = _decoded(data, where, "utf-8")
    columns: dict[str, list[Any]] = {}
    lines: list[int] = []
    for number, row in rows.json_lines(io.BytesIO(text.encode()), where):
        for name in row:
            if name not in columns:
                columns[name] = [ABSENT] * len(lines)
        check_unpacked(len(columns) * (len(lines) + 1) * BYTES_PER_CELL, data, where)
        for name, cells in columns.items():
            cells.append(row.get(name, ABSENT))
        lines.append(number)
    header = tuple(columns)
    require(header, lines, where)
    form = Form("jsonl", mark=mark)
    return Table(header, unique_names(header), tuple(columns.values()), lines, form, where)


def _write_jsonl(table: Table) -> bytes:
    rows = zip(*table.columns, strict=True)
    pairs = (zip(table.header, row, strict=True) for row in rows)
    objects = ({name: cell for name, cell in each if cell is not ABSENT} for each in pairs)
    made = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in objects)
    return (codecs.BOM_UTF8 if table.form.mark else b"") + made.encode("utf-8", "surrogatepass")
