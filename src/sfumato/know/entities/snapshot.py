"""An entity database in memory: what a PostgreSQL held at one moment.

A long transaction would keep the organisation from changing its tables, and a short one for every document
would read all terms again each time. So the contents are read once, with their hash, and the connection is
given back. Rights are no part of it: `sfumato.know.entities.readers` asks for them anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from sfumato.know.entities.contexts import Contexts, Ints, restrict, transpose
from sfumato.know.entities.matching import Match, TermFinder, normal
from sfumato.know.entities.postgres import PostgresEntities


class Snapshot:
    """Names, terms and contexts of a database, and its hash."""

    def __init__(self, database: PostgresEntities) -> None:
        self.digest: str = database.digest
        self._names = database.names(range(len(database)))
        self._terms = database.terms(range(database.term_count))
        found = database.restrict(range(len(self._terms)))
        self._postings = transpose(found.indptr, found.indices, len(self._terms))

    def __len__(self) -> int:
        return len(self._names)

    def names(self, entities: Iterable[int]) -> list[str]:
        return [self._names[number] for number in entities]

    def terms(self, terms: Iterable[int]) -> list[str]:
        return [self._terms[number] for number in terms]

    @property
    def size(self) -> tuple[int, int, int]:
        """How many entities, terms and pairs of both."""
        return len(self), len(self._terms), len(self._postings[1])

    @cached_property
    def _matcher(self) -> TermFinder:
        return TermFinder([normal(term) for term in self._terms])

    def match(self, text: str) -> list[Match]:
        return self._matcher.match(text)

    def restrict(self, terms: Sequence[int] | Ints) -> Contexts:
        return restrict(terms, *self._postings, len(self))

    def close(self) -> None:
        """Nothing is open."""
