"""The ledger's marks of a released table, by cell."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator

import numpy as np

from sfumato.protect.tables.details import Details

_WHOLE_NUMBER = re.compile(r"(?<![\w.,+-])\d+(?!\w|[.,]\d)")


class Marks:
    """The ledger's marks, by cell."""

    def __init__(self, details: Details, count: int) -> None:
        self._details = details
        marks = details.marks
        self.hiding = {i for i, how in enumerate(details.hows) if how in ("label", "generalise")}
        self.column = details.hows.index("column")
        self.kept = details.hows.index("kept")
        order = np.lexsort((marks["start"], marks["row"], marks["column"]))
        self._arrays = {n: marks[n][order] for n in marks}
        self._compact = {n: array("i", a.astype("i").tobytes()) for n, a in self._arrays.items()}
        cell = self._arrays["column"].astype(np.int64) * count + self._arrays["row"]
        self._bounds = {
            name: np.searchsorted(cell, np.arange(count + 1) + place * count).tolist()
            for place, name in enumerate(details.columns)
        }

    def of_column(self, name: str, *fields: str) -> Iterator[tuple[int, ...]]:
        """(row, fields …) of all marks of a column."""
        if name not in self._bounds:
            return
        first, last = self._bounds[name][0], self._bounds[name][-1]
        yield from zip(
            *(self._compact[f][first:last] for f in ("row", *fields)),
            strict=True,
        )

    def shown(self, name: str, row: int, cell: str) -> list[tuple[int, int]]:
        """Where a cell of the release shows what the ledger put there."""
        if name not in self._bounds:
            return []
        begin, stop, text = (self._compact[f] for f in ("begin", "stop", "text"))
        said = self._details.strings
        places = range(self._bounds[name][row], self._bounds[name][row + 1])
        return [
            (begin[i], stop[i])
            for i in places
            if text[i] >= 0 and cell[begin[i] : stop[i]] == said[text[i]]
        ]

    def numbers_beside(self, name: str, row: int, cell: str) -> Iterator[str]:
        """The whole numbers of a cell that are part of no mark."""
        places = range(self._bounds[name][row], self._bounds[name][row + 1])
        begin, stop = self._compact["begin"], self._compact["stop"]
        for found in _WHOLE_NUMBER.finditer(cell):
            if not any(begin[i] < found.end() and found.start() < stop[i] for i in places):
                yield found[0]

    def edited(self, name: str, row: int, original: str) -> str:
        """The original with every edit made."""
        if name not in self._bounds:
            return original
        start, end, text = (self._compact[f] for f in ("start", "end", "text"))
        pieces, at = [], 0
        for i in range(self._bounds[name][row], self._bounds[name][row + 1]):
            if text[i] < 0:
                continue
            if start[i] < at:
                return ""
            pieces += [original[at : start[i]], self._details.strings[text[i]]]
            at = end[i]
        return "".join([*pieces, original[at:]]) if pieces else original
