"""Terms that the policy keeps: they stay in the texts, and persons that differ in them share no class."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sfumato.detect.keeper import Keeper
from sfumato.document import Spans
from sfumato.errors import InputError
from sfumato.policy import Policy
from sfumato.protect.tables.classes import Classes, numbered
from sfumato.protect.tables.mentions import Mentions
from sfumato.protect.tables.mondrian import ClassRule
from sfumato.protect.tables.problem import Column, Persons
from sfumato.protect.tables.rows import Rows
from sfumato.protect.tables.segments import Bools, Ints, entries_of, starts_of


class Kept:
    """What `keep` names."""

    def __init__(self, policy: Policy) -> None:
        self._keeper = Keeper(policy)
        self._is_asked = bool(policy.keep)

    def __bool__(self) -> bool:
        return self._is_asked

    def holds(self, text: str, start: int, end: int) -> bool:
        """Whether a span is part of something kept."""
        return Spans(self._keeper.spans(text)).holds(start, end)

    def blocks(self, rows: Rows, mentions: Mentions) -> Ints:
        """Persons by the kept terms of their texts: a number for each, equal where these are the same."""
        sets: list[set[int]] = [set() for _ in range(rows.persons)]
        if self:
            found = mentions.arrays()
            names = ("row", "column", "start", "end", "term")
            for row, column, start, end, term in zip(
                *(found[n].tolist() for n in names), strict=True
            ):
                if self.holds(rows.texts[mentions.columns[column]][row], start, end):
                    sets[int(rows.person[row])].add(term)
        number: dict[frozenset[int], int] = {}
        return np.array([number.setdefault(frozenset(s), len(number)) for s in sets], np.int64)


def refuse_small_blocks(blocks: Ints, rows: Rows, k: int) -> None:
    """Each set of kept terms needs persons enough for a class, where there are several."""
    if not blocks.any():
        return
    small = np.flatnonzero(np.bincount(blocks) < k)
    if len(small):
        row = int(np.flatnonzero(np.isin(blocks[rows.person], small))[0])
        where = rows.table.where(int(rows.number[row]))
        raise InputError(
            f"{where}: fewer than k = {k} persons share the terms of `keep` in their texts, which "
            "would tell them apart; take terms off the list, or lower k",
            path=rows.table.path,
        )


def joined(blocks: Ints, parts: list[Classes]) -> Classes:
    """The classes of each block as those of all persons."""
    labels = np.zeros(len(blocks), np.int64)
    splits: dict[str, int] = {}
    first = 0
    for block, classes in enumerate(parts):
        labels[blocks == block] = classes.labels + first
        first += classes.count
        for name, many in classes.splits.items():
            splits[name] = splits.get(name, 0) + many
    relational = sum(c.relational_splits for c in parts)
    textual = sum(c.textual_splits for c in parts)
    return Classes(numbered(labels), splits, relational, textual)


def some(persons: Persons, members: Ints) -> Persons:
    """The persons with these numbers, by themselves."""
    columns = tuple(_column(column, members) for column in persons.columns)
    terms = persons.terms
    indptr, ids = _taken(terms.indptr, terms.ids, members)
    return Persons(columns, replace(terms, indptr=indptr, ids=ids))


def _column(column: Column, members: Ints) -> Column:
    indptr, codes = _taken(column.indptr, column.codes, members)
    return replace(column, indptr=indptr, codes=codes)


def _taken(indptr: Ints, flat: Ints, members: Ints) -> tuple[Ints, Ints]:
    """The rows of these members, of lists that stand one after the other."""
    places, _ = entries_of(indptr, members)
    return starts_of(np.diff(indptr)[members]), flat[places]


@dataclass(frozen=True)
class Within:
    """A rule of all persons, asked about some of them by their numbers there."""

    rule: ClassRule
    members: Ints

    def holds(self, order: Ints, starts: Ints) -> Bools:
        return self.rule.holds(self.members[order], starts)

    def describe(self) -> str:
        return self.rule.describe()
