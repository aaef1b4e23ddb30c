"""Rows made ready: cells read as what their column is, texts cleaned, persons told apart.

Nothing is shifted: a row keeps its number, and rows that the policy drops are counted by line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Set
from dataclasses import dataclass, field, replace

import numpy as np

from sfumato.english.dates import read_day
from sfumato.english.folding import id_form
from sfumato.english.numbers import read_number
from sfumato.errors import InputError, PolicyError
from sfumato.formats.clean import clean
from sfumato.formats.table import Table, is_formula, is_turned, said_as_drawn
from sfumato.policy.table import ColumnSettings, Role, TableSettings
from sfumato.protect.tables.segments import Ints

Value = float | int | str  # a number, days since 1970-01-01, or a name


@dataclass(frozen=True)
class Rows:
    """The rows that will be released, in order.

    `values[name]` has one entry for each row: the cell as a value, None where it is empty.
    """

    source: Table  # as it was read
    table: Table  # without formulas
    settings: TableSettings
    number: Ints  # shape (rows,): the row of the table
    person: Ints  # shape (rows,): persons are numbered by their first row
    persons: int
    values: dict[str, list[Value | None]] = field(repr=False)
    texts: dict[str, list[str]] = field(repr=False)
    dropped: Counter[str]  # rows left out, by column
    named: Set[str] = frozenset()  # the columns that the policy names

    def __len__(self) -> int:
        return len(self.number)

    def columns(self, *roles: Role) -> list[str]:
        """The columns of these roles, in the order of the table."""
        named = set(self.settings.of_role(*roles))
        return [n for n in self.table.names if n in named]


def prepare(table: Table, settings: TableSettings) -> Rows:
    """Read every cell as what the policy says its column is."""
    named = set(settings.columns)
    settings = with_all_columns(table, settings)
    source, table = table, _without_formulas(table, settings)
    readers: dict[str, Callable[[str], Value | None]] = {}
    for name, column in settings.columns.items():
        if column.role in ("quasi", "sensitive"):
            readers[name] = reader(column)
    values: dict[str, list[Value | None]] = {}
    bad: dict[int, str] = {}
    for name in (n for n in table.names if n in readers):
        cells, known = table.texts(name), {}
        read = readers[name]
        for cell in set(cells):
            known[cell] = read(cell.strip()) if cell.strip() else None
        values[name] = [known[cell] for cell in cells]
        if settings.empty != "keep-empty":
            for row, value in enumerate(values[name]):
                if value is None:
                    bad.setdefault(row, name)
    texts: dict[str, list[str]] = {}
    for name in sorted(settings.of_role("text"), key=table.places.__getitem__):
        texts[name] = [clean(cell, settings.clean) for cell in table.texts(name)]
        if settings.empty != "keep-empty":
            before, after = source.texts(name), table.texts(name)
            for row, text in enumerate(texts[name]):
                if not text.strip() and before[row] == after[row]:  # it was no formula
                    bad.setdefault(row, name)
    name_of_person = settings.person_column
    keys = table.texts(name_of_person) if name_of_person is not None else None
    for row, key in enumerate(keys or ()):
        if not id_form(key):
            bad.setdefault(row, str(name_of_person))
            if settings.empty == "keep-empty":
                raise InputError(_problem(source, settings, row, str(name_of_person)))
    if bad and settings.empty == "error":
        row = min(bad)
        raise InputError(_problem(source, settings, row, bad[row]), path=table.path)
    kept = np.array([r for r in range(len(table)) if r not in bad], np.int64)
    if bad:
        values = {n: [column[r] for r in kept.tolist()] for n, column in values.items()}
        texts = {n: [column[r] for r in kept.tolist()] for n, column in texts.items()}
    person, count = _numbered(keys, kept)
    dropped = Counter(bad.values())
    return Rows(source, table, settings, kept, person, count, values, texts, dropped, named)


def _without_formulas(table: Table, settings: TableSettings) -> Table:
    """The table with nothing in place of cells that programs show otherwise, in columns that are shown:
    formulas of CSV, and letters in another order (in texts, where that is forced upon all letters). Nobody
    has looked at what they make of them."""
    direct, columns = {*settings.of_role("direct")}, list(table.columns)
    for place, name in enumerate(table.names):
        head, is_shown = table.header[place], name not in direct
        if said_as_drawn(head) != head or (
            is_shown and _is_shown_otherwise(table, head, is_text=False)
        ):
            raise InputError.at(
                table.path,
                f"programs show another name of column {place + 1} than stands there (a formula, letters "
                "in another order, or signs that nobody sees); rename it, in the policy too",
            )
        if not is_shown:
            continue
        is_text = settings.columns[name].role == "text"
        steps = settings.clean if is_text else ()
        gone = {
            cell
            for cell in {c for c in columns[place] if isinstance(c, str)}
            for said in {cell, clean(cell, steps)}
            if _is_shown_otherwise(table, said, is_text=is_text)
        }
        if gone:
            cells = columns[place]
            columns[place] = ["" if isinstance(c, str) and c in gone else c for c in cells]
    return replace(table, columns=tuple(columns))


def _is_shown_otherwise(table: Table, cell: str, *, is_text: bool) -> bool:
    if table.form.kind == "csv" and is_formula(cell):
        return True
    return "\u202d" in cell or "\u202e" in cell if is_text else is_turned(cell)


def with_all_columns(table: Table, settings: TableSettings) -> TableSettings:
    """The settings with a role for every column of the table; errors where names do not fit."""
    missing = [n for n in settings.columns if n not in table.names]
    if missing:
        raise InputError(
            f"{table.path}: has no column '{missing[0]}', which the policy names; it has "
            f"{len(table.names)} columns, and its first line must name them"
        )
    unnamed = [n for n in table.names if n not in settings.columns]
    if unnamed and settings.others == "refuse":
        raise PolicyError(
            f"the policy does not say what the column '{unnamed[0]}' is; name it under table.columns, "
            "or set table.others"
        )
    role: Role = "insensitive" if settings.others == "insensitive" else "direct"
    how = None if role == "insensitive" else "remove"
    added = {n: ColumnSettings.model_validate({"role": role, "how": how}) for n in unnamed}
    made = settings.model_copy(
        update={"columns": settings.columns | added, "person": settings.person_column or ""}
    )
    if not made.of_role("quasi", "text"):
        raise PolicyError("table.columns names no `quasi` and no `text` column; name one")
    return made


def _numbered(keys: list[str] | None, kept: Ints) -> tuple[Ints, int]:
    if keys is None:
        return np.arange(len(kept)), len(kept)
    number: dict[str, int] = {}
    person = [number.setdefault(id_form(keys[row]), len(number)) for row in kept.tolist()]
    return np.array(person, np.int64), len(number)


def _problem(table: Table, settings: TableSettings, row: int, name: str) -> str:
    cell = table.texts(name)[row]
    column = settings.columns[name]
    what = "an empty cell"
    if column.role == "text":
        what = "an empty text"
    elif table.form.kind == "csv" and is_formula(cell):
        what = "a formula"
    elif is_turned(cell):
        what = "letters that are shown in another order"
    elif cell.strip():
        form = f" of the form {column.format}" if column.format else ""
        what = "no number" if column.type == "number" else f"no date{form}"
    where = table.where(row)
    if name == settings.person_column:
        return f"{where}: {what} in column '{name}', which tells persons apart; fill it, or drop the row"
    return f"{where}: {what} in column '{name}'; mend it, or set table.empty to drop or keep-empty"


# Cells


def reader(column: ColumnSettings) -> Callable[[str], Value | None]:
    """How a cell of this column is read; what it cannot read is None."""
    if column.type == "number":
        return read_number
    if column.type == "date":
        return lambda text: read_day(text, column.format)
    return str
