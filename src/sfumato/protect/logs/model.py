"""Binds the problem to logs: which users and documents are the same, and what is written."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.english.folding import normal_form
from sfumato.errors import InputError
from sfumato.formats.columns import Numbers
from sfumato.formats.log import Log, Table, read, user_form
from sfumato.formats.rows import JSON_LINES, PARQUET, SEPARATORS
from sfumato.formats.table import Form, cell_text, format_of, is_formula, is_turned, write
from sfumato.formats.table import Table as File
from sfumato.formats.text import drawn
from sfumato.keys import Key
from sfumato.policy.log import LogSettings
from sfumato.protect.logs.problem import Bools, Ints, Problem, largest, users_of

FILES = (*SEPARATORS, *JSON_LINES, *PARQUET)
_PURPOSE = "log user"
# Hexadecimal digits: two of a million users share one with a chance of 1 in 37 million
_PSEUDONYM = 16


@dataclass(frozen=True, slots=True)
class LogSummary:
    """What became of a log."""

    k: int
    rows: int
    rows_released: int
    documents: int  # distinct
    documents_released: int
    users: int
    users_gone: int  # users of whom nothing is left

    def as_dict(self) -> dict[str, int]:
        """For JSON."""
        return asdict(self)


@dataclass(frozen=True, eq=False)
class SharedLog:
    """A log and the rows of it that may be released."""

    settings: LogSettings
    users: Sequence[Any] = field(repr=False)
    documents: Sequence[Any] = field(repr=False)
    problem: Problem = field(repr=False)
    kept: Bools = field(repr=False)  # shape (rows,)

    @property
    def most(self) -> int:
        """How many users the document has that most have."""
        return int(users_of(self.problem.users, self.problem.documents).max())

    def summary(self) -> LogSummary:
        """The numbers of the release."""
        users, documents = self.problem.users, self.problem.documents
        return LogSummary(
            k=self.settings.k,
            rows=len(self.kept),
            rows_released=int(self.kept.sum()),
            documents=len(self.documents),
            documents_released=len(np.unique(documents[self.kept])),
            users=len(self.users),
            users_gone=len(self.users) - len(np.unique(users[self.kept])),
        )

    def rows(self, name: Callable[[Any], Any] = lambda user: user) -> tuple[list[Any], list[Any]]:
        """The released users, as `name` names them, and their documents."""
        names = [name(user) for user in self.users]
        users = [names[n] for n in self.problem.users[self.kept].tolist()]
        documents = [self.documents[n] for n in self.problem.documents[self.kept].tolist()]
        return users, documents

    def to_bytes(self, out: Path, key: Key) -> bytes:
        """The release as a file of the kind that its name says: two columns, no others."""
        if self.settings.users == "keep":
            columns = self.rows()
        else:
            columns = self.rows(lambda user: key.tag(_PURPOSE, cell_text(user)).hex()[:_PSEUDONYM])
        header = (self.settings.user, self.settings.document)
        form = Form(format_of(out), delimiter=SEPARATORS.get(out.suffix.lower(), ","))
        if form.kind == "csv":
            columns = [*map(cell_text, columns[0])], [*map(cell_text, columns[1])]
        otherwise = {
            said
            for said in {*header, *columns[0], *columns[1]}
            if isinstance(said, str)
            if is_turned(said) or (form.kind == "csv" and is_formula(said))
        }
        made = write(File(header, header, columns, range(2, len(columns[0]) + 2), form, str(out)))
        if otherwise or (
            form.kind != "parquet" and drawn(made.decode("utf-8", "replace"), marked=True)
        ):
            raise InputError.at(
                out,
                f"programs would show {self._first_of(otherwise, columns)} otherwise than it stands (a "
                "formula, letters in another order or struck over); take it out of the log first, or "
                "write a formula to .jsonl",
            )
        return made

    def _first_of(self, texts: Container[str], columns: tuple[list[Any], list[Any]]) -> str:
        """Where the first of some released texts stands in the log."""
        rows = zip(np.flatnonzero(self.kept).tolist(), *columns, strict=True)
        found = (row + 1 for row, user, document in rows if user in texts or document in texts)
        row = next(found, None)
        return "one of the texts" if row is None else f"the text in row {row:,} of the log"


def share(log: Log, settings: LogSettings) -> SharedLog:
    """The rows whose document at least k users have. Documents are what they read: 1 and "1" are one. With
    `match: normal_form` so are spellings that differ in case, spaces and dashes, released in that of most
    users (a rare one would give its writer away) which is not longer than others. Users are one whatever
    their case and blanks: "Ann" and "ann " are not two people."""
    same = normal_form if settings.match == "normal_form" else str
    users, user = _merged(
        log.users, lambda u: user_form(cell_text(u)), log.rows.users, log.rows.documents
    )
    documents, document = _merged(
        log.documents, lambda d: same(cell_text(d)), log.rows.documents, user[log.rows.users]
    )
    problem = Problem(user[log.rows.users], document[log.rows.documents], settings.k)
    return SharedLog(settings, users, documents, problem, largest(problem))


def _merged(
    values: Sequence[Any], key: Callable[[Any], str], column: Ints, others: Ints
) -> tuple[list[Any], Ints]:
    """Values that are the same by their key, as one: the one that most others go with, of equals the first
    in the alphabet; and the new number of each old one. None is longer than they are in the mean of the rows,
    each of which shows it."""
    numbers = Numbers()
    number = numbers.of([key(value) for value in values])
    if len(numbers) == len(values):
        return list(values), number
    often, rows = users_of(others, column), np.bincount(column, minlength=len(values))
    letters = np.array([len(cell_text(value)) for value in values])
    room = np.bincount(number, rows * letters) / np.bincount(number, rows)
    rank = list(zip(letters > room[number], -often, map(cell_text, values), strict=True))
    chosen: dict[int, Any] = {}
    for old in sorted(range(len(values)), key=rank.__getitem__):
        chosen.setdefault(int(number[old]), values[old])
    return [chosen[n] for n in range(len(numbers))], number


def k_anonymous(
    log: Table, k: int, *, match: str = "exact", user: str = "user", document: str = "document"
) -> list[tuple[Any, Any]]:
    """The rows whose document at least k users have, in their order; users as they are.

    >>> k_anonymous([("a", "Flu"), ("b", "flu"), ("c", "flu")], 3, match="normal_form")
    [('a', 'flu'), ('b', 'flu'), ('c', 'flu')]
    """
    made = share(read(log, user=user, document=document), settings_of(k, match))
    return list(zip(*made.rows(), strict=True))


def settings_of(k: int, match: str = "exact", **others: Any) -> LogSettings:
    """The settings that a caller names one by one."""
    if k < 1:
        raise InputError("k is a number of users: 1 or more")
    if match not in ("exact", "normal_form"):
        raise InputError("a log keeps or drops whole documents: match is 'exact' or 'normal_form'")
    return LogSettings(k=k, match=match, **others)
