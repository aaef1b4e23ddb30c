"""Whole tables as documents: the text is all cells, row by row, a line end after each.

An edit of a cell stays within it. One that takes the cell's line end along leaves the cell out: a column is
left out by such an edit in every row, a row by one edit for all of its cells. Cells that are empty have
nothing to edit but their line end, so an edit that fills one puts a line end behind.
"""

from __future__ import annotations

import csv
import io
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sfumato.document import Document, Edit, Origin, Part, Patch, changes, decode, encode, render
from sfumato.errors import InputError
from sfumato.formats import table as files
from sfumato.formats.excel import SHEET
from sfumato.formats.table import Table
from sfumato.plugins import Source, format

END = "\n"  # of a cell
Offsets = np.ndarray[Any, np.dtype[np.int64]]


class Cells:
    """Where each cell of a table stands in the table's text."""

    def __init__(self, table: Table) -> None:
        self.names, self._places = table.names, table.places
        texts = [table.texts(name) for name in table.names]
        lengths = np.array([np.fromiter(map(len, t), np.int64, len(t)) for t in texts])
        bounds = np.zeros(lengths.size + 1, np.int64)
        np.cumsum(lengths.T.ravel() + len(END), out=bounds[1:])
        self.bounds: Offsets = bounds  # shape (cells + 1,): where each begins, and the end
        self._texts = texts

    @property
    def text(self) -> str:
        """The table's text."""
        pieces = [END] * (2 * (len(self.bounds) - 1))
        for column, cells in enumerate(self._texts):
            pieces[2 * column :: 2 * len(self.names)] = cells
        return "".join(pieces)

    @property
    def rows(self) -> int:
        return (len(self.bounds) - 1) // max(len(self.names), 1)

    def starts(self, name: str) -> Offsets:
        """Where the cells of a column begin: shape (rows,)."""
        return self.bounds[:-1][self._places[name] :: len(self.names)]

    def ends(self, name: str) -> Offsets:
        """Where they end, before their line ends."""
        return self.bounds[1:][self._places[name] :: len(self.names)] - len(END)

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
        """One for the file: what is left out has no place of its own in it. Also where no cell is edited:
        quotes and types tell rows apart, and a workbook holds more than its cells."""
        table = edited(self._table(document), edits) if edits else self._table(document)
        text = decode(files.write(unnamed(table)), document.origin.encoding)
        return [Patch(0, len(document.file), text)] if text != document.file else []

    def _table(self, document: Document) -> Table:
        encoding = document.origin.encoding
        data = encode(document.file, encoding, document.name)
        return files.parse(data, document.name, encoding=encoding, kind=self.kind)


def document(table: Table, data: bytes, name: str) -> Document:
    """The document of a table that was read from these bytes."""
    return _document(table, decode(data, table_encoding(table)), name)


def _document(table: Table, source: str, name: str) -> Document:
    cells, encoding = Cells(table), table_encoding(table)
    origin = Origin(f"table/{table.form.kind}", encoding, CellParts(cells), table.names)
    return Document(cells.text, name, origin, source, table.unseen)


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
    cells, width = Cells(table), len(table.names)
    changed, gone_cells, gone_rows = _touched(cells, edits, table.path)
    gone_of = np.bincount(gone_cells % width, minlength=width)
    if ((gone_of > 0) & (gone_of != len(table) - len(gone_rows))).any():
        raise InputError(f"{table.path}: an edit would leave a cell out of its column")
    kept = np.delete(np.arange(len(table)), gone_rows).tolist()
    stay = np.flatnonzero(gone_of == 0).tolist()
    text, bounds = render(Document(cells.text), edits), _bounds_after(cells, edits)
    by_column = changed[np.argsort(changed % width, kind="stable")]
    starts = np.searchsorted(by_column % width, np.arange(width + 1)).tolist()
    columns = []
    for column in stay:
        mine = by_column[starts[column] : starts[column + 1]]
        spans = map(slice, bounds[mine].tolist(), (bounds[mine + 1] - len(END)).tolist())
        new = zip((mine // width).tolist(), map(text.__getitem__, spans), strict=True)
        columns.append(_column(table, column, new if len(mine) else (), kept))
    return replace(
        table,
        header=tuple(table.header[column] for column in stay),
        names=tuple(table.names[column] for column in stay),
        columns=tuple(columns),
        lines=table.lines if len(kept) == len(table) else [table.lines[row] for row in kept],
    )


def unnamed(table: Table) -> Table:
    """A table whose sheet, if it has one, is called as by default: nobody has looked at its name."""
    sheet = table.form.sheet
    if sheet is None:
        return table
    return replace(table, form=replace(table.form, sheet=replace(sheet, title=SHEET)))


def _bounds_after(cells: Cells, edits: Sequence[Edit]) -> Offsets:
    """Where the cells that stay begin once the edits are made."""
    starts, ends, new = changes(edits)
    end, size = np.array(ends, np.int64), np.fromiter(map(len, new), np.int64, len(ends))
    grown = np.zeros(len(end) + 1, np.int64)
    np.cumsum(size - (end - np.array(starts, np.int64)), out=grown[1:])
    after: Offsets = cells.bounds + grown[np.searchsorted(end, cells.bounds, "right")]
    return after


def _touched(cells: Cells, edits: Sequence[Edit], where: str) -> tuple[Offsets, Offsets, Offsets]:
    """The cells that are edited, those that are left out, and the rows that are left out as a whole."""
    starts, ends, new = changes(edits)
    start, end, width = np.array(starts, np.int64), np.array(ends, np.int64), len(cells.names)
    cell = np.searchsorted(cells.bounds, start, "right") - 1
    begin, after = cells.bounds[cell], cells.bounds[cell + 1]
    row_end = cells.bounds[np.minimum(cell + width, len(cells.bounds) - 1)]
    to_end = np.flatnonzero(end >= after)
    says_nothing, ends_a_cell = np.zeros(len(end), bool), np.zeros(len(end), bool)
    said = [new[at] for at in to_end.tolist()]
    says_nothing[to_end] = [not each for each in said]
    ends_a_cell[to_end] = [each.endswith(END) for each in said]
    leaves = says_nothing & (start == begin)
    rows = leaves & (cell % width == 0) & (end == row_end)
    if ((end > after) & ~rows).any() or ((end == after) & ~leaves & ~ends_a_cell).any():
        raise InputError(f"{where}: an edit would join two cells")
    within = cell[~leaves]  # in order, some of them several times
    changed = within[np.diff(within, prepend=-1) > 0]
    return changed, cell[leaves & ~rows], cell[rows] // width


def _column(
    table: Table, column: int, new: Iterable[tuple[int, str]], kept: Sequence[int]
) -> list[Any]:
    """A column with new cells. Where they take the place of values, all of them become text."""
    cells = list(table.columns[column])
    if new and table.form.kind != "csv":
        cells = [c if c is None or c is files.ABSENT else files.cell_text(c) for c in cells]
    for row, said in new:
        cells[row] = said
    return cells if len(kept) == len(cells) else [cells[row] for row in kept]


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
