"""Entity databases: what is publicly known about each entity, what is protected, and who may see what.

An entity (a person, a disease, a product) has a *context*: the terms that are publicly tied to it, C(e) in
section 3 of the ERASE paper. A document gives an entity away if its terms fit too few contexts, so a search
needs two things of a database: which context terms stand in a text (`match`), and every entity's context
restricted to these (`restrict`).

`Entities` is what every database offers. `SqliteEntities` is the embedded one: one file, with arrays that are
built once, kept in a cache and mapped into memory. `PostgresEntities` reads the organisation's own tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np

from sfumato.know.entities.contexts import Contexts, Ints
from sfumato.know.entities.matching import Match

if TYPE_CHECKING:
    from sfumato.know.entities.postgres import Tables

PROTECTED = "protected"
POSTGRES = ("postgresql://", "postgres://")


@dataclass(frozen=True, slots=True)
class Entity:
    """One entity with all that is known about it; weights are 1 where none were given."""

    id: int
    name: str
    labels: tuple[str, ...]
    context: tuple[tuple[str, float], ...]  # (term, weight), the heaviest first


class Database(Protocol):
    """What is publicly known. Entities and terms are numbered from 0, in an order that stays the same while
    the database is open."""

    @property
    def digest(self) -> str:
        """A hash of the entities and their contexts. Labels and readers are no part of it: it may stand
        in a certificate, which must not tell what is protected."""

    @property
    def size(self) -> tuple[int, int, int]:
        """How many entities, terms and pairs of both."""

    def __len__(self) -> int:
        """How many entities there are."""

    def names(self, entities: Iterable[int]) -> list[str]:
        """The names of some entities."""

    def terms(self, terms: Iterable[int]) -> list[str]:
        """Some context terms, as they are written in the database."""

    def match(self, text: str) -> list[Match]:
        """The context terms in a text: by start, longest first, overlaps kept."""

    def restrict(self, terms: Sequence[int]) -> Contexts:
        """Every entity's context restricted to some terms, given by their ids."""

    def close(self) -> None:
        """Give back files and connections."""


class Entities(Database, Protocol):
    """A database that also knows each entity, what is protected, and who may see what."""

    def entity(self, name: str) -> Entity:
        """One entity; a name that is unknown or fits several is an error."""

    def labels(self) -> dict[str, int]:
        """Each label and how many entities carry it."""

    def labelled(self, label: str) -> Ints:
        """The entities that carry a label, ascending."""

    def readers(self) -> list[str]:
        """The readers whose rights are known here."""

    def visible(self, reader: str) -> Ints:
        """The entities that a reader may know, ascending; an unknown reader is an error."""

    def protected(self, reader: str | None = None) -> Ints:
        """The entities that must not be told from others: for the public those labelled "protected", for
        a reader all that it may not know."""
        if reader is None:
            return self.labelled(PROTECTED)
        hidden = np.ones(len(self), dtype=np.bool_)
        hidden[self.visible(reader)] = False
        return np.flatnonzero(hidden)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def open_entities(
    source: str | Path, *, tables: Tables | None = None, cache: Path | None = None
) -> Entities:
    """A database by its file, or by its PostgreSQL address and where its tables are."""
    if str(source).startswith(POSTGRES):
        from sfumato.know.entities import postgres

        return postgres.PostgresEntities(str(source), tables or postgres.Tables())
    from sfumato.know.entities.sqlite import SqliteEntities

    return SqliteEntities(source, cache=cache)
