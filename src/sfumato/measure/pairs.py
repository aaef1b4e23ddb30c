"""Two tables of (user, document), before and after, as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.errors import InputError
from sfumato.measure.rows import Int32s, Numbers, chunks, is_file

SUPPRESSED = -1  # the number of a released document that is empty

# A data frame (pandas, polars, pyarrow), a sequence of (user, document), or the path of a file.
Table = Any


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """One table: the numbers of users and documents, each of shape (rows,), int32."""

    users: Int32s
    documents: Int32s

    def __len__(self) -> int:
        return len(self.users)

    def where(self, mask: np.ndarray[Any, np.dtype[np.bool_]]) -> Rows:
        """The rows that a mask of shape (rows,) chooses."""
        return Rows(self.users[mask], self.documents[mask])


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Before and after. Numbers stand for places in `users` and `documents`; a released document that is
    empty or missing has the number `SUPPRESSED`."""

    users: Sequence[Any]
    documents: Sequence[Any]
    original: Rows
    released: Rows

    @property
    def kept(self) -> Rows:
        """The released rows that hold a document."""
        return self.released.where(self.released.documents != SUPPRESSED)


def load(
    original: Table, released: Table, *, user: str = "user", document: str = "document"
) -> Pairs:
    """Read two tables. Users of the release must be users of the original, who all have documents.

    >>> pairs = load([("ann", "flu"), ("ann", "cough")], [("ann", "flu"), ("ann", None)])
    >>> pairs.original.documents.tolist(), pairs.released.documents.tolist()
    ([0, 1], [0, -1])
    """
    users, documents = Numbers(), Numbers()
    before = _read(original, (user, document), users, documents, "original")
    if not len(before):
        raise InputError(f"{_name(original, 'original')} has no documents: nothing to compare")
    known = len(users)
    _refuse_missing(before, users, documents, original)
    after = _read(released, (user, document), users, documents, "release")
    strange = len(users) - known
    if strange:
        raise InputError(
            f"{_name(released, 'release')}: {strange:,} of its users {_are(strange)} not in the original; "
            "the tables must name users alike (and by values of one type)"
        )
    gone = _missing(documents)
    if gone.any():
        after = Rows(after.users, np.where(gone[after.documents], SUPPRESSED, after.documents))
    return Pairs(list(users), list(documents), before, after)


def load_one(table: Table, *, user: str = "user", document: str = "document") -> Pairs:
    """Read one table; the release is the same rows."""
    users, documents = Numbers(), Numbers()
    rows = _read(table, (user, document), users, documents, "table")
    if not len(rows):
        raise InputError(f"{_name(table, 'table')} has no documents")
    _refuse_missing(rows, users, documents, table)
    return Pairs(list(users), list(documents), rows, rows)


def _read(
    source: Table, columns: tuple[str, str], users: Numbers, documents: Numbers, what: str
) -> Rows:
    parts: list[tuple[Int32s, Int32s]] = []
    try:
        for who, said in chunks(source, columns, what):
            parts.append((users.of(who), documents.of(said)))
    except TypeError:
        raise InputError(
            f"{_name(source, what)}: users and documents must be text or numbers, not lists or objects"
        ) from None
    if not parts:
        return Rows(np.empty(0, np.int32), np.empty(0, np.int32))
    return Rows(np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts]))


def _refuse_missing(rows: Rows, users: Numbers, documents: Numbers, source: Table) -> None:
    for column, numbers, what in (
        (rows.users, users, "user"),
        (rows.documents, documents, "document"),
    ):
        bad = _missing(numbers)
        if bad.any():
            row = int(np.flatnonzero(bad[column])[0]) + 1
            raise InputError(
                f"{_name(source, 'original')}: row {row:,} has no {what}; leave it out"
            )


def _missing(values: Iterable[Any]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    return np.fromiter(map(is_missing, values), dtype=np.bool_)


def is_missing(value: Any) -> bool:
    """Whether a cell holds nothing: None, not-a-number, or only spaces.

    >>> [is_missing(v) for v in (None, float("nan"), " ", "flu", 0)]
    [True, True, True, False, False]
    """
    if isinstance(value, str):
        return not value or value.isspace()
    if value is None:
        return True
    try:
        return bool(value != value)
    except TypeError:  # pandas' NA is neither equal to itself nor different
        return True


def _name(source: Table, what: str) -> str:
    return str(Path(source)) if is_file(source) else f"the {what}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def distinct_users(rows: Rows, documents: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """How many users have each document, shape (documents,).

    >>> distinct_users(load_one([("ann", "flu"), ("ann", "flu"), ("bob", "flu")]).original, 1).tolist()
    [2]
    """
    width = int(rows.users.max(initial=0)) + 1
    pairs = rows.documents.astype(np.int64) * width + rows.users
    pairs.sort()
    first = np.ones(len(pairs), dtype=np.bool_)
    np.not_equal(pairs[1:], pairs[:-1], out=first[1:])
    return np.bincount(pairs[first] // width, minlength=documents)
