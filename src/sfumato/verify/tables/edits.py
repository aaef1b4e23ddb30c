"""The ledger's edits of a released table, by cell; counted from the record's own offsets."""

from __future__ import annotations

import re
from array import array
from collections.abc import Container, Iterator, Sequence
from functools import cached_property
from operator import eq
from typing import Any, NamedTuple

import numpy as np

from sfumato.document import AGREEMENT, GENERALISE, EditColumns, Record, StringColumn, rebuilt
from sfumato.formats.cells import END, Cells
from sfumato.verify.numbers import WALL

Ints = np.ndarray[Any, np.dtype[np.int64]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]

# How edits came about that hide no term of a text
COLUMN, DIRECT, CLEAN = "column", "direct", "clean"
NOT_HIDING = (COLUMN, DIRECT, CLEAN, AGREEMENT)
_EXPLAINED = (COLUMN, GENERALISE, AGREEMENT)
_WHOLE_NUMBER = re.compile(r"(?<![\w.,+-])\d+(?!\w|[.,]\d)")


class CellEdit(NamedTuple):
    """An edit of a cell: where its replacement stands in the released cell."""

    row: int
    begin: int
    stop: int
    original: str
    replacement: str
    kind: str
    how: str

    @property
    def hides(self) -> bool:
        """Whether a term was hidden here."""
        return self.how not in NOT_HIDING


class CellEdits:
    """All edits, by cell of the release."""

    def __init__(
        self, record: Record, original: Cells, released: Cells, labels: Container[str] = ()
    ) -> None:
        """`labels` are what hidden terms became, as the certificate says."""
        self._labels = labels
        edits = record.edits
        if not isinstance(edits, EditColumns):
            words = (StringColumn.of(getattr(e, n) for e in edits) for n in _WORDS)
            starts = array("q", (e.start for e in edits))
            edits = EditColumns(starts, array("q", (e.end for e in edits)), *words)
        originals = record.originals
        self._edits = edits
        self._originals = (
            originals if isinstance(originals, StringColumn) else StringColumn.of(originals)
        )
        start, end = (np.frombuffer(a, np.int64) for a in (edits.starts, edits.ends))
        sizes = np.array([len(s) for s in edits.replacements.strings] or [0], np.int64)
        codes = np.frombuffer(edits.replacements.codes, np.int32)
        growth = sizes[codes] - (end - start)
        begin = start + np.cumsum(growth) - growth
        bounds = original.row_bounds()
        at = np.searchsorted(start, bounds[:-1], "right") - 1
        gone = np.zeros(len(bounds) - 1, bool)
        if len(start):
            whole = (start[at] == bounds[:-1]) & (end[at] == bounds[1:]) & (sizes[codes[at]] == 0)
            gone = (at >= 0) & whole
        self.rows = np.flatnonzero(~gone)  # the row of the original for each of the release
        # an edit belongs to the released cell in which it begins; those that leave cells out, to none
        cell = np.searchsorted(released.bounds, begin, "right") - 1
        width = max(len(released.names), 1)
        drops = (sizes[codes] == 0) & np.isin(end, original.bounds[1:])
        fills = ~drops & np.isin(end, original.bounds[1:])  # an empty cell, with its line end
        inside = ~drops & (cell < len(released.bounds) - 1)
        offset = released.bounds[np.minimum(cell, len(released.bounds) - 2)]
        row, column = cell // width, cell % width
        # compact, and quicker than numpy where they are asked for one by one
        self._row, self._begin = _compact(row), _compact(begin - offset)
        self._stop = _compact(begin - offset + sizes[codes] - fills * len(END))
        self._fills = frozenset(np.flatnonzero(fills).tolist())
        self._places: dict[str, array[int]] = {}
        self._bounds: dict[str, array[int]] = {}
        rows = np.arange(released.rows + 1)
        inside = np.flatnonzero(inside)
        inside = inside[np.argsort(column[inside], kind="stable")]
        starts = np.searchsorted(column[inside], np.arange(width + 1)).tolist()
        for name, first, last in zip(released.names, starts, starts[1:], strict=False):
            mine = inside[first:last]
            self._places[name] = _compact(mine)
            self._bounds[name] = _compact(np.searchsorted(row[mine], rows))

    def of_column(self, name: str) -> Iterator[CellEdit]:
        """All edits of a column's cells."""
        return map(self._edit, self._places.get(name, ()))

    def words(self, name: str) -> tuple[list[tuple[str, str, str]], Ints, Ints]:
        """Original, replacement and how of the edits of a column's cells, each such once; and for every edit
        its row, and which of these it is."""
        edits, places = self._edits, np.asarray(self._places.get(name, ()), np.int64)
        original, new, how = self._originals, edits.replacements, edits.hows
        which = np.zeros(len(places), np.int64)
        for column in (original, new, how):
            which = which * max(len(column.strings), 1) + np.asarray(column.codes)[places]
        _, first, which = np.unique(which, return_index=True, return_inverse=True)
        found = [(original[at], new[at], how[at]) for at in places[first].tolist()]
        return found, np.asarray(self._row)[places], which

    def beside(self, name: str, cells: Sequence[str]) -> list[str]:
        """The cells of a column with blanks where they show a label, or words that the ledger explains
        otherwise."""
        new, hows = self._edits.replacements, self._edits.hows
        places = np.asarray(self._places.get(name, ()), np.int64)
        if not len(places):
            return list(cells)
        explained, label = self._blanked
        places = places[
            explained[np.asarray(hows.codes)[places]] | label[np.asarray(new.codes)[places]]
        ]
        bounds = np.zeros(len(cells) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, cells), np.int64, len(cells)), out=bounds[1:])
        row, text = np.asarray(self._row)[places], "".join(cells)
        begin, stop = (bounds[row] + np.asarray(each)[places] for each in (self._begin, self._stop))
        stands = map(text.__getitem__, map(slice, begin.tolist(), stop.tolist()))
        words = map(new.strings.__getitem__, np.asarray(new.codes)[places].tolist())
        said = (w[:size] for w, size in zip(words, (stop - begin).tolist(), strict=True))
        same = np.fromiter(map(eq, stands, said), bool, len(places)) & (stop <= bounds[row + 1])
        begin, stop = begin[same], stop[same]
        size = np.maximum(stop - begin, len(WALL))
        blanks = map(" ".__mul__, size.tolist())
        grown = np.append(0, np.cumsum(size - (stop - begin)))
        text = rebuilt(text, begin.tolist(), stop.tolist(), blanks)
        edges = (bounds + grown[np.searchsorted(begin, bounds, "left")]).tolist()
        return list(map(text.__getitem__, map(slice, edges, edges[1:])))

    @cached_property
    def _blanked(self) -> tuple[Bools, Bools]:
        """Which ways of editing explain their words, and which words are labels."""
        edits = self._edits
        explained = [how in _EXPLAINED for how in edits.hows.strings]
        labels = [said.removesuffix(END) in self._labels for said in edits.replacements.strings]
        return np.array(explained, bool), np.array(labels, bool)

    def of_cell(self, name: str, row: int) -> list[CellEdit]:
        """The edits of one cell."""
        return [self._edit(at) for at in self._of_cell(name, row)]

    def _of_cell(self, name: str, row: int) -> Sequence[int]:
        bounds = self._bounds.get(name)
        return self._places[name][bounds[row] : bounds[row + 1]] if bounds is not None else ()

    def _edit(self, at: int) -> CellEdit:
        edits = self._edits
        replacement = edits.replacements[at]
        return CellEdit(
            self._row[at],
            self._begin[at],
            self._stop[at],
            self._originals[at],
            replacement.removesuffix(END) if at in self._fills else replacement,
            edits.kinds[at],
            edits.hows[at],
        )

    def shown(self, name: str, row: int, cell: str) -> list[tuple[int, int]]:
        """Where a cell of the release shows a label, or words that the ledger explains otherwise."""
        new, hows, found = self._edits.replacements, self._edits.hows, []
        for at in self._of_cell(name, row):
            begin, stop, said = self._begin[at], self._stop[at], new.strings[new.codes[at]]
            if at in self._fills:
                said = said.removesuffix(END)
            if cell[begin:stop] == said and (hows[at] in _EXPLAINED or said in self._labels):
                found.append((begin, stop))
        return found

    def numbers_beside(
        self, name: str, row: int, cell: str, kept: list[tuple[int, int]]
    ) -> Iterator[str]:
        """The whole numbers of a cell that are part of nothing shown there, and of no term that was kept."""
        spans = [*self.shown(name, row, cell), *kept]
        for found in _WHOLE_NUMBER.finditer(cell):
            if not any(a < found.end() and found.start() < b for a, b in spans):
                yield found[0]


_WORDS = ("kind", "replacement", "reason", "how")


def _compact(numbers: Any) -> array[int]:
    return array("q", np.ascontiguousarray(numbers, np.int64).tobytes())
