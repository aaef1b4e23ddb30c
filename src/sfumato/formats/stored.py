"""Parquet and Excel files of which some columns are text. Their cells have no place of their own in the file:
one that is edited is written anew, without metadata, properties, comments and formulas. The name of a sheet
is text as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sfumato.document import BYTES, Document, Edit, Origin, Patch
from sfumato.formats import table as files
from sfumato.formats.delimited import chosen
from sfumato.formats.excel import MOST_LETTERS, NOT_IN_NAMES
from sfumato.formats.parts import BREAK, Change, Gone, Structured, TextRun, brief, changed
from sfumato.formats.table import Table
from sfumato.plugins import Source, format

BESIDE = "[what stands beside the cells]"


@dataclass(frozen=True)
class _StoredCell(TextRun):
    column: str = ""
    row: int = 0

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        return changed(self.text, changes)


@dataclass(frozen=True)
class _SheetName(TextRun):
    def tidied(self, replacement: str) -> str:
        """Without what no sheet's name may hold: `[PERSON]` becomes `(PERSON)`."""
        round = replacement.replace("[", "(").replace("]", ")")
        return NOT_IN_NAMES.sub(" ", round)[:MOST_LETTERS].strip("' ") or "-"

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        fits = 0 < len(new) <= MOST_LETTERS and not NOT_IN_NAMES.search(new)
        return new if fits and new == new.strip("' ") else None


class _Stored(Structured):
    is_text = False
    form: str
    empty: str | None = ""  # what stands in a cell that says nothing

    def decoded(self, data: bytes, source: Source) -> tuple[str, str]:
        return data.decode(BYTES), BYTES

    def _table(self, text: str, where: str) -> Table:
        return files.parse(text.encode(BYTES), where, kind=self.form, as_it_stands=True)

    def spans(self, document: Document, edits: Sequence[Edit]) -> dict[int, tuple[int, int]]:
        return {}

    def columns(self, text: str, wanted: tuple[str, ...], where: str) -> tuple[str, ...]:
        table = self._table(text, where)
        names = chosen(table.names, wanted, where)
        for name in names:
            table.texts(name)  # refuses what holds none
        return names

    def pieces(self, text: str, origin: Origin, where: str) -> Sequence[TextRun | str]:
        table = self._table(text, where)
        texts = {name: table.texts(name) for name in origin.columns}
        made: list[TextRun | str] = []
        if table.form.sheet is not None:
            made += [_SheetName(table.form.sheet.title, 0, 0, "name of the sheet"), BREAK]
        for row in range(len(table)):
            for name in origin.columns:
                place = f"row {row + 1}, {brief(name)}"
                made += [_StoredCell(texts[name][row], 0, 0, place, name, row), BREAK]
        # Only what is written here holds nothing but cells.
        if files.holds_more(table, text.encode(BYTES)):
            made.append(Gone(BESIDE, 0, 0, "metadata, properties, comments and formulas"))
        return made

    def written(
        self,
        source: str,
        runs: Sequence[TextRun],
        changes: Mapping[int, Sequence[Change]],
        document: Document,
    ) -> list[Patch]:
        """One patch for the whole file."""
        if not changes:
            return []
        table = self._table(source, document.name)
        form, new = table.form, dict[str, dict[int, str]]()
        for at, change in changes.items():
            run = runs[at]
            if isinstance(run, _SheetName):
                form = replace(form, sheet=replace(form.sheet, title=changed(run.text, change)))
            if isinstance(run, _StoredCell):
                new.setdefault(run.column, {})[run.row] = changed(run.text, change)
        columns = list(table.columns)
        for name, cells in new.items():
            at = table.places[name]
            columns[at] = [
                (cells[row] or self.empty) if row in cells else _shown(cell)
                for row, cell in enumerate(columns[at])
            ]
        written = files.write(replace(table, form=form, columns=tuple(columns)))
        return [Patch(0, len(source), written.decode(BYTES))]


def _shown(cell: object) -> object:
    """A cell of a column of which others become text."""
    return cell if cell is None else files.cell_text(cell)


@format("parquet")
class Parquet(_Stored):
    kind = form = "parquet"


@format("excel")
class Excel(_Stored):
    kind = form = "excel"
    empty = None
