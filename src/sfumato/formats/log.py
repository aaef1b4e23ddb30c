"""Document logs: tables of (user, document), as numbers.

>>> log = read([("ann", "flu"), ("bob", "flu"), ("bob", "my street")])
>>> log.users, log.documents, log.rows.documents.tolist()
(['ann', 'bob'], ['flu', 'my street'], [0, 0, 1])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.english.folding import id_form
from sfumato.errors import InputError
from sfumato.formats.columns import Coded, Column, Int32s, Numbers, chunks, is_file
from sfumato.formats.table import said_as_drawn

# A data frame (pandas, polars, pyarrow), a sequence of (user, document), or the path of a file.
Table = Any


@dataclass(frozen=True, slots=True, eq=False)
class LogRows:
    """One table: the numbers of users and documents, each of shape (rows,), int32."""

    users: Int32s
    documents: Int32s

    def __len__(self) -> int:
        return len(self.users)

    def where(self, mask: np.ndarray[Any, np.dtype[np.bool_]]) -> LogRows:
        """The rows that a mask of shape (rows,) chooses."""
        return LogRows(self.users[mask], self.documents[mask])


@dataclass(frozen=True, slots=True, eq=False)
class Log:
    """A table whose numbers stand for places in `users` and `documents`."""

    users: Sequence[Any]
    documents: Sequence[Any]
    rows: LogRows


def read(table: Table, *, user: str = "user", document: str = "document") -> Log:
    """A log of which every row has a user and a document."""
    numbers = _Typed(), _Typed()
    rows = numbered(table, (user, document), *numbers, "table")
    if not len(rows):
        raise InputError(f"{name_of(table, 'table')} has no documents")
    users, documents = (each.values_in_order() for each in numbers)
    refuse_missing(rows, users, documents, table)
    _refuse_zeros(rows, users, documents, table)
    return Log(users, documents, rows)


class _Typed(Numbers):
    """By type and value: for Python `true`, 1 and 1.0 are one, which say different things."""

    def of(self, column: Column) -> Int32s:
        if isinstance(column, Coded) or {*map(type, column)} <= {str}:
            return super().of(column)
        return super().of([v if type(v) is str else (type(v), v) for v in column])

    def values_in_order(self) -> list[Any]:
        return [value if isinstance(value, str) else value[1] for value in self]


def numbered(
    source: Table, columns: tuple[str, str], users: Numbers, documents: Numbers, what: str
) -> LogRows:
    """The rows of a table; its users and documents are added to the numbers."""
    parts: list[tuple[Int32s, Int32s]] = []
    try:
        for who, said in chunks(source, columns, what):
            parts.append((users.of(who), documents.of(said)))
    except TypeError:
        raise InputError(
            f"{name_of(source, what)}: users and documents must be text or numbers, not lists or objects"
        ) from None
    if not parts:
        return LogRows(np.empty(0, np.int32), np.empty(0, np.int32))
    return LogRows(np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts]))


def refuse_missing(
    rows: LogRows, users: Iterable[Any], documents: Iterable[Any], source: Table
) -> None:
    """An error for the first row that has no user or no document."""
    for column, values, what in (
        (rows.users, users, "user"),
        (rows.documents, documents, "document"),
    ):
        _refuse_first(column, missing(values), source, f"no {what}; leave it out")


def _refuse_zeros(
    rows: LogRows, users: Iterable[Any], documents: Iterable[Any], source: Table
) -> None:
    """An error for the first row with a sign that programs show as the end of a text, or leave out."""
    why = "a zero (U+0000), which programs leave out where they show it; remove it first"
    for column, values in ((rows.users, users), (rows.documents, documents)):
        bad = np.fromiter((isinstance(v, str) and "\0" in v for v in values), np.bool_)
        _refuse_first(column, bad, source, why)


def _refuse_first(
    column: Int32s, bad: np.ndarray[Any, np.dtype[np.bool_]], source: Table, why: str
) -> None:
    if bad.any():
        row = int(np.flatnonzero(bad[column])[0]) + 1
        raise InputError(f"{name_of(source, 'original')}: row {row:,} has {why}")


def missing(values: Iterable[Any]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which values hold nothing, shape (values,)."""
    return np.fromiter(map(is_missing, values), dtype=np.bool_)


def is_missing(value: Any) -> bool:
    """Whether a cell holds nothing: None, not-a-number, or only blanks and signs that nobody sees.

    >>> [is_missing(v) for v in (None, float("nan"), " ", "flu", 0)]
    [True, True, True, False, False]
    """
    if isinstance(value, str):
        return not user_form(value)
    if value is None:
        return True
    try:
        return bool(value != value)
    except TypeError:  # pandas' NA is neither equal to itself nor different
        return True


def user_form(said: str) -> str:
    """One spelling of what a user is called, as programs draw it.

    >>> user_form("Ann\x1b[0m") == user_form("annx\b \b") == "ann"
    True
    """
    return id_form(said_as_drawn(said))


def name_of(source: Table, what: str) -> str:
    """A table for people."""
    return str(Path(source)) if is_file(source) else f"the {what}"
