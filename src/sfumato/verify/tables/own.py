"""Does a cell tell a value of its own person of which the column shows less?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from typing import Any

from sfumato.english.dates import EPOCH, read_day
from sfumato.english.folding import skeleton
from sfumato.english.numbers import LONG_NUMBER, read_number
from sfumato.english.ordinary import is_ordinary
from sfumato.policy.table import ColumnSettings
from sfumato.verify.numbers import WALL, HiddenDays
from sfumato.verify.tables.rows import Released
from sfumato.verify.words import Words

_SORTS = {"date": "DATE", "number": "QUANTITY", "string": "CODE"}
_SHORTEST = 4  # letters and digits of a code


def told_otherwise(table: Released) -> tuple[int, str] | None:
    """The row and the column of the first cell that tells such a value: a day, a code, a long number."""
    assert table.persons is not None
    assert table.ledger is not None
    days: dict[Any, set[date]] = defaultdict(set)
    words: dict[Any, set[str]] = defaultdict(set)
    for person, told in _values(table):
        if isinstance(told, str):
            words[person].add(told)
        else:
            days[person].add(told)
    if not days and not words:
        return None
    any_day, any_word = HiddenDays(set().union(*days.values())), Words(set().union(*words.values()))
    for name in (*table.text, *table.insensitive):
        for row, cell in enumerate(table.table.texts(name)):
            if any_day.stand_in(cell) or any_word.stand_in(cell):
                whose, rest = table.persons[row], _beside(table, name, row, cell)
                if HiddenDays(days[whose]).stand_in(rest) or Words(words[whose]).stand_in(rest):
                    return row, name
    return None


def _values(table: Released) -> Iterator[tuple[Any, date | str]]:
    """Whose values the columns no longer show as they were."""
    assert table.persons is not None
    assert table.ledger is not None
    for name in table.quasi:
        settings, policy = table.settings.columns[name], table.evidence.policy
        kind = next(iter(settings.kinds), _SORTS.get(settings.type, ""))
        if settings.type in _SORTS and (policy is None or not policy.keeps(kind)):
            cells = table.ledger.original.texts(name)
            for row, place in enumerate(table.ledger.edits.rows.tolist()):
                told = _told(cells[place].strip(), table.cells[name][row], settings)
                if told is not None:
                    yield table.persons[row], told


def _told(cell: str, shown: str, settings: ColumnSettings) -> date | str | None:
    if settings.type == "date":
        day = read_day(cell, settings.format)
        is_less = day is not None and read_day(shown) != day
        return date.fromordinal(EPOCH.toordinal() + (day or 0)) if is_less else None
    code = skeleton(cell)
    if settings.type == "number":
        value = read_number(cell)
        if value is None or value % 1 or read_number(shown) == value:
            return None
        code = str(abs(int(value)))
        return code if len(code) >= LONG_NUMBER else None
    has_digit = any(char.isdigit() for char in code) and not is_ordinary(code)
    return code if has_digit and len(code) >= _SHORTEST and skeleton(shown) != code else None


def _beside(table: Released, name: str, row: int, cell: str) -> str:
    """A cell without labels, and without terms that were kept since all of a class have them."""
    assert table.ledger is not None
    kept = [(a, b) for a, b, _ in table.kept.get(name, {}).get(row, ())]
    for start, end in sorted([*table.ledger.edits.shown(name, row, cell), *kept], reverse=True):
        cell = f"{cell[:start]}{WALL}{cell[end:]}"
    return cell
