"""Whole tables as documents: the text is all cells, row by row, a line end after each.

An edit of a cell stays within it. One that takes the cell's line end along leaves the cell out: a column is
left out by such an edit in every row, a row by one edit for all of its cells. Cells that are empty have
nothing to edit but their line end, so an edit that fills one puts a line end behind.
"""

from __future__ import annotations

import csv
import io
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from sfumato.document import Document, Edit, Origin, Part, Patch, changes, decode, encode
from sfumato.errors import InputError
from sfumato.formats import table as files
from sfumato.formats.table import Table
from sfumato.plugins import Source, format

END = "\n"  # of a cell
Offsets = np.ndarray[Any, np.dtype[np.int64]]


class Cells:
    """Where each cell of a table stands in the table's text."""

    def __init__(self, table: Table) -> None:
        self.names = table.names
        texts = [table.texts(name) for name in table.names]
        lengths = np.array([[len(cell) for cell in column] for column in texts], np.int64)
        bounds = np.zeros(lengths.size + 1, np.int64)
        np.cumsum(lengths.T.ravel() + len(END), out=bounds[1:])
        self.bounds: Offsets = bounds  # shape (cells + 1,): where each begins, and the end
        self._texts = texts

    @property
    def text(self) -> str:
        """The table's text."""
        return "".join(chain.from_iterable((cell, END) for row in self._rows() for cell in row))

    def _rows(self) -> Any:
        return zip(*self._texts, strict=True)

    @property
    def rows(self) -> int:
        return (len(self.bounds) - 1) // max(len(self.names), 1)

    def starts(self, name: str) -> Offsets:
        """Where the cells of a column begin: shape (rows,)."""
        return self.bounds[:-1][self.names.index(name) :: len(self.names)]

    def ends(self, name: str) -> Offsets:
        """Where they end, before their line ends."""
        return self.bounds[1:][self.names.index(name) :: len(self.names)] - len(END)

    def row_bounds(self) -> Offsets:
        """Where each row begins, and the end: shape (rows + 1,)."""
        return self.bounds[:: len(self.names)]


class CellParts(Sequence[Part]):
    """The cells of a table as parts of its text, each made when it is asked for.

    >>> table = files.parse(b"id,note\\n1,Ann\\n2,Lee\\n", "people.csv")
    >>> CellParts(Cells(table))[3]
    Part(start=8, end=11, place='row 2, note')
    """

    def __init__(self, cells: Cells) -> None:
        self._bounds, self._names = cells.bounds, cells.names

    def __len__(self) -> int:
        return len(self._bounds) - 1

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return tuple(self[i] for i in range(*at.indices(len(self))))
        at = range(len(self))[at]
        row, column = divmod(at, len(self._names))
        start, end = int(self._bounds[at]), int(self._bounds[at + 1]) - len(END)
        return Part(start, end, f"row {row + 1}, {self._names[column]}")


class WholeTable:
    """A table of which every cell may be edited."""

    kind: str

    def read(self, data: bytes, source: Source) -> Document:
        table = files.parse(data, source.where, encoding=source.encoding, kind=self.kind)
        return _document(table, decode(data, table_encoding(table)), source.name)

    def fit(self, document: Document, edits: Sequence[Edit]) -> list[Edit]:
        return list(edits)

    def patches(self, document: Document, edits: Sequence[Edit]) -> list[Patch]:
        """One for the file: what is left out has no place of its own in it."""
        if not edits:
            return []
        encoding = document.origin.encoding
        written = files.write(edited(self._table(document), edits))
        return [Patch(0, len(document.file), decode(written, encoding))]

    def _table(self, document: Document) -> Table:
        source, table = _last.pop() if _last else (None, None)
        if source is document.source and table is not None:
            return table
        data = encode(document.file, document.origin.encoding, document.name)
        encoding = document.origin.encoding
        return files.parse(data, document.name, encoding=encoding, kind=self.kind)


_last: list[tuple[str, Table]] = []  # a file, and its table: what is written is not read once more


def document(table: Table, data: bytes, name: str) -> Document:
    """The document of a table that was read from these bytes, and will be written next."""
    source = decode(data, table_encoding(table))
    _last[:] = [(source, table)]
    return _document(table, source, name)


def _document(table: Table, source: str, name: str) -> Document:
    cells, encoding = Cells(table), table_encoding(table)
    origin = Origin(f"table/{table.form.kind}", encoding, CellParts(cells), table.names)
    return Document(cells.text, name, origin, source)


def table_encoding(table: Table) -> str:
    """How a table's file is read as text; one that is none has a character for each byte."""
    return table.form.encoding if table.form.kind in ("csv", "jsonl") else "latin-1"


def cell_at(document: Document, line: int, column: int) -> Part | None:
    """The cell at a line and column of a CSV file, from 1; None of a file of another kind."""
    if document.origin.format != "table/csv":
        return None
    data = encode(document.file, document.origin.encoding, document.name)
    table = files.parse(data, document.name, encoding=document.origin.encoding, kind="csv")
    lines = document.file.removeprefix(files.MARK).split("\n")
    row = bisect_right(table.lines, line) - 1
    if row < 0 or line > len(lines) or column > len(lines[line - 1]):
        raise InputError(f"{document.name}:{line}:{column}: there is no cell")
    before = [*lines[table.lines[row] - 1 : line - 1], lines[line - 1][: column - 1]]
    delimiter = table.form.delimiter if len(table.names) > 1 else ","
    begun = next(csv.reader(io.StringIO("\n".join(before), newline=""), delimiter=delimiter), [""])
    part: Part = document.origin.parts[row * len(table.names) + len(begun) - 1]
    return part


def edited(table: Table, edits: Sequence[Edit]) -> Table:
    """A table with every edit made."""
    width = len(table.names)
    new, gone = _new_cells(table, edits)
    gone_rows = {cell // width for cell, size in gone.items() if size == width}
    gone_cells = Counter(cell % width for cell, size in gone.items() if size < width)
    if any(many != len(table) - len(gone_rows) for many in gone_cells.values()):
        raise InputError(f"{table.path}: an edit would leave a cell out of its column")
    kept = [row for row in range(len(table)) if row not in gone_rows]
    stay = [column for column in range(width) if column not in gone_cells]
    return replace(
        table,
        header=tuple(table.header[column] for column in stay),
        names=tuple(table.names[column] for column in stay),
        columns=tuple(_column(table.columns[column], new[column], kept) for column in stay),
        lines=[table.lines[row] for row in kept],
    )


def _new_cells(table: Table, edits: Sequence[Edit]) -> tuple[list[dict[int, str]], dict[int, int]]:
    """What edited cells become, by column and row; and which cells are left out: for the first of several in
    a row, how many."""
    bounds, width = Cells(table).bounds.tolist(), len(table.names)
    texts = [table.texts(name) for name in table.names]
    new: list[dict[int, str]] = [{} for _ in table.names]
    gone: dict[int, int] = {}
    at, reached = -1, 0  # the last cell that was edited, and how far
    for start, end, said in changes(edits):
        cell = bisect_right(bounds, start) - 1
        row, column = divmod(cell, width)
        begin, after = bounds[cell], bounds[cell + 1]
        if end >= after and not said and start == begin:
            whole = column == 0 and width > 1 and end == bounds[cell + width]
            gone[cell] = width if whole or (width == 1 and end == after) else 1
            if not whole and end > after:
                raise InputError(f"{table.path}: an edit would join two cells")
            continue
        if end > after or (end == after and not said.endswith(END)):
            raise InputError(f"{table.path}: an edit would join two cells")
        if end == after:  # an edit that takes the line end along puts one there
            said = said.removesuffix(END)
        cells = new[column]
        text = texts[column][row]
        before = (
            text[: start - begin]
            if cell != at
            else cells[row][: len(cells[row]) - len(text) + reached]
        )
        between = "" if cell != at else text[reached : start - begin]
        cells[row] = f"{before}{between}{said}{text[end - begin :]}"
        at, reached = cell, end - begin
    return new, gone


def _column(cells: list[Any], new: Mapping[int, str], kept: Sequence[int]) -> list[Any]:
    """A column with new cells. Where they take the place of values, all of them become text."""
    if not new:
        return [cells[row] for row in kept]

    def shown(row: int) -> Any:
        cell = cells[row]
        return cell if cell is None or cell is files.ABSENT else files.cell_text(cell)

    return [new[row] if row in new else shown(row) for row in kept]


@format("table/csv")
class CsvTable(WholeTable):
    kind = "csv"


@format("table/jsonl")
class JsonLinesTable(WholeTable):
    kind = "jsonl"


@format("table/parquet")
class ParquetTable(WholeTable):
    kind = "parquet"


@format("table/excel")
class ExcelTable(WholeTable):
    kind = "excel"
