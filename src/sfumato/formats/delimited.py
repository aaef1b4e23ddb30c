"""CSV and TSV of which some columns are text: cells keep their exact places, so that only those that are
edited change. Whole tables are anonymised by `sfumato.formats.cells`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sfumato.document import Origin
from sfumato.errors import InputError
from sfumato.formats.parts import BREAK, Change, Escape, Structured, TextRun, brief, changed
from sfumato.formats.table import QUOTED, is_formula, require, separator_of, unique_names
from sfumato.plugins import format

Cell = tuple[int, int]  # from, to; with its quotes


def chosen(names: Sequence[str], wanted: Sequence[str], where: str) -> tuple[str, ...]:
    """The wanted columns of a table; refuses a table of which nobody said which columns are text."""
    if not wanted:
        raise InputError.at(
            where,
            "a table; name the columns that are text with --columns, or use `sfumato anonymize`",
        )
    known, asked = set(names), set(wanted)
    alike: dict[str, list[str]] = {}  # those that were given a number, by their name
    for name in names:
        first, mark, number = name.rpartition("#")
        if mark and number.isdigit() and first in known:
            alike.setdefault(first, []).append(name)
    for name in wanted:
        if name not in known:
            near = difflib.get_close_matches(name, names, 1, 0.5)
            hint = f"did you mean '{near[0]}'?" if near else "say what yours is called"
            raise InputError.at(where, f"no column '{name}'; {hint}")
        if any(other not in asked for other in alike.get(name, ())):
            raise InputError(
                f"{where}: several columns are named '{name}'; rename them, or name all: {name},"
                + ",".join(alike[name]),
                path=where,
            )
    return tuple(wanted)


@dataclass(frozen=True)
class _CellRun(TextRun):
    separator: str = ","
    alone: bool = False  # the only one of its row

    @property
    def unseen(self) -> Iterable[Change]:
        """A formula: programs show what it makes of letters, which nobody has looked at."""
        return [(0, len(self.text), "")] if is_formula(self.text) else ()

    def escapes(self, raw: str) -> Iterator[Escape]:
        if raw[:1] == '"':
            yield 0, 1, ""
            for found in re.finditer('""', raw[1:-1]):
                yield found.start() + 1, found.end() + 1, '"'

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        if is_formula(new):
            return None  # it would be taken out
        quoted = raw[:1] == '"' or re.search(rf'[\r\n"{re.escape(self.separator)}]', new)
        if quoted or (self.alone and not new):  # an empty line is no row
            return '"' + new.replace('"', '""') + '"'
        return new


def rows(text: str, separator: str, where: str) -> Iterator[tuple[int, list[Cell]]]:
    """The rows of a table, each with its line and its cells; empty lines are left out."""
    other = re.escape(separator)
    # as `csv` reads: what follows a closing quote is part of the cell, as it stands
    cell = re.compile(rf'(?:{QUOTED}|(?!"))[^\r\n{other}]*+')
    end = re.compile(r"\r\n|\r|\n|\Z")
    at, line = (1 if text[:1] == "\ufeff" else 0), 1
    while at < len(text):
        cells: list[Cell] = []
        begin = at
        while True:
            found = cell.match(text, at)
            if found is None:
                raise InputError(f"{where}:{line}: not CSV: a quote is not closed", path=where)
            cells.append(found.span())
            at = found.end()
            if text[at : at + 1] != separator:
                break
            at += 1
        closed = end.match(text, at)
        assert closed is not None
        at = closed.end()
        if len(cells) > 1 or cells[0][0] < cells[0][1]:
            yield line, cells
        line += len(re.findall(r"\r\n|\r|\n", text[begin:at]))


def cell_text(raw: str) -> str:
    """What a cell says.

    >>> cell_text('"a ""b"" c"'), cell_text('5" pipe'), cell_text('"a"  ')
    ('a "b" c', '5" pipe', 'a  ')
    """
    quoted = re.match(QUOTED, raw)
    if quoted is None:
        return raw
    return quoted[0][1:-1].replace('""', '"') + raw[quoted.end() :]


class _Delimited(Structured):
    separator: str | None = None

    def pieces(self, text: str, origin: Origin, where: str) -> Sequence[TextRun | str]:
        separator = self.separator or separator_of(text)
        found = rows(text, separator, where)
        header = self._header(text, found, where)
        places = [header.index(name) for name in origin.columns]
        names = [brief(name) for name in origin.columns]
        made: list[TextRun | str] = []
        count = 0
        for count, (line, cells) in enumerate(found, 1):
            if len(cells) != len(header):
                raise InputError(
                    f"{where}:{line}: {len(cells)} cells where the header has {len(header)}; "
                    "quote cells that hold the delimiter",
                    path=where,
                )
            for name, place in zip(names, places, strict=True):
                start, end = cells[place]
                said, row = cell_text(text[start:end]), f"row {count}, {name}"
                made += [_CellRun(said, start, end, row, separator, len(header) == 1), BREAK]
        require(header, range(count), where)
        return made

    def embedded(self, text: str, where: str) -> Sequence[TextRun | str]:
        """Every cell; the first row too, which may be no header."""
        separator = self.separator or separator_of(text)
        made: list[TextRun | str] = []
        for line, cells in rows(text, separator, where):
            for number, (start, end) in enumerate(cells, 1):
                place, alone = f"line {line}, cell {number}", len(cells) == 1
                said = cell_text(text[start:end])
                made += [_CellRun(said, start, end, place, separator, alone), BREAK]
        return made

    def columns(self, text: str, wanted: tuple[str, ...], where: str) -> tuple[str, ...]:
        separator = self.separator or separator_of(text)
        return chosen(self._header(text, rows(text, separator, where), where), wanted, where)

    def _header(
        self, text: str, found: Iterator[tuple[int, list[Cell]]], where: str
    ) -> tuple[str, ...]:
        _, cells = next(found, (1, []))
        require([""] * len(cells), [0], where)
        return unique_names([cell_text(text[start:end]) for start, end in cells])


@format("csv")
class Csv(_Delimited):
    kind = "csv"


@format("tsv")
class Tsv(_Delimited):
    kind = "tsv"
    separator = "\t"
