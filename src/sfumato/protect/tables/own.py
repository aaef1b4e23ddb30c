"""The values of quasi-identifiers of which a class shows less: no cell of their person may tell them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date

from sfumato.english.dates import EPOCH, read_day
from sfumato.english.folding import skeleton
from sfumato.english.numbers import LONG_NUMBER, read_number
from sfumato.protect.tables.rows import Rows, Value
from sfumato.protect.tables.wordindex import WordIndex
from sfumato.protect.tables.worth import KnownDays

LEAST_CODE = 4  # letters and digits
# The kinds of what is looked for by its column's type; names are the detectors' to find.
_KINDS = {"date": "DATE", "number": "QUANTITY", "string": "CODE"}


class OwnValues:
    """Days, codes and long numbers of quasi-identifiers."""

    def __init__(self, rows: Rows, keeps: Callable[[str], bool]) -> None:
        self._rows, self._days, self._words = rows, KnownDays(), WordIndex()
        self._own: list[set[tuple[str, Value]]] = [set() for _ in range(rows.persons)]
        self._kinds: dict[str, str] = {}
        for name in rows.columns("quasi"):
            column = rows.settings.columns[name]
            kind = next(iter(column.kinds), _KINDS.get(column.type, ""))
            if column.type in _KINDS and not keeps(kind):
                self._kinds[name] = kind
                for person, value in zip(rows.person.tolist(), rows.values[name], strict=True):
                    if value is not None:
                        self._own[person].add((name, value))
        self._values = [*dict.fromkeys(each for own in self._own for each in sorted(own, key=str))]
        for number, (name, value) in enumerate(self._values):
            self._add(rows.settings.columns[name].type, value, number)

    def _add(self, type: str, value: Value, number: int) -> None:
        if type == "date":
            self._days.add(date.fromordinal(EPOCH.toordinal() + int(value)), number)
        elif type == "string":
            code = skeleton(str(value))
            if len(code) >= LEAST_CODE and any(map(str.isdigit, code)):
                self._words.add(code, number)
        elif isinstance(value, float) and value.is_integer():
            digits = str(abs(int(value)))
            if len(digits) >= LONG_NUMBER:
                self._words.add(digits, number)

    def scan(
        self, texts: Sequence[str], shown: Callable[[int, str], str]
    ) -> Iterator[tuple[int, int, int, str]]:
        """(row, start, end, kind) where a person's cell tells a value of which the class shows less."""
        person = self._rows.person.tolist()
        for row, start, end, numbers in self._found(texts):
            for name, value in map(self._values.__getitem__, numbers):
                if (name, value) in self._own[person[row]]:
                    if self._is_shown(name, value, shown(person[row], name)):
                        continue
                    yield row, start, end, self._kinds[name]
                    break

    def _found(self, texts: Sequence[str]) -> Iterator[tuple[int, int, int, list[int]]]:
        for row, start, end, term in self._words.scan(texts):
            yield row, start, end, self._words.numbers[term]
        for row, text in enumerate(texts):
            yield from ((row, *found) for found in self._days.scan(text))

    def _is_shown(self, name: str, value: Value, label: str) -> bool:
        type = self._rows.settings.columns[name].type
        if type == "string":
            return skeleton(label) == skeleton(str(value))
        return (read_day(label) if type == "date" else read_number(label)) == value
