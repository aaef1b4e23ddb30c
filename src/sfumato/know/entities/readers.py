"""Who may see what: the one place where that is asked.

A *reader* is who will see a release. With an embedded database its rights stand in the file's own table. With
PostgreSQL the reader is a role, and what that role can SELECT is what it may know: no second list is kept.
Either way, what a reader may not know is protected for it; for the public, that is what carries a label.

A `Register` keeps a database open over many documents and asks for rights anew each time, so that a right
that was taken back counts from the next view on. Whatever cannot be answered is an error: an unknown reader,
a role that cannot be taken on, a database that does not answer.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from threading import RLock

import numpy as np

from sfumato.errors import InputError
from sfumato.know.entities.contexts import Ints
from sfumato.know.entities.database import POSTGRES, PROTECTED, Database, Entities
from sfumato.know.entities.logins import again, of_policy
from sfumato.know.entities.names import Names
from sfumato.know.entities.postgres import PostgresEntities, Tables
from sfumato.know.entities.snapshot import Snapshot
from sfumato.know.entities.sqlite import SqliteEntities


def address(given: str, environment: Mapping[str, str] | None = None) -> str:
    """A database's file or address as a policy names it; `$NAME` stands for what the environment has under
    that name, and only there goes the password that the environment has.

    >>> address("$CLINIC", {"CLINIC": "postgresql://db.example/clinic"})
    'postgresql://db.example/clinic'
    """
    if not given.startswith("$"):
        return of_policy(given) if given.startswith(POSTGRES) else given
    if not given[1:].strip():
        raise InputError("entities: '$' alone names nothing of the environment; write e.g. $CLINIC")
    found = (os.environ if environment is None else environment).get(given[1:], "").strip()
    if not found:
        raise InputError(
            f"the environment has no {given[1:]}: set it to the entity database's file or address"
        )
    if not (found.startswith(POSTGRES) or Path(found).exists()):
        # what it holds may be a secret, and stays unsaid
        raise InputError(f"{given}: the environment has no entity database under that name")
    return found


@cache
def register(source: str, tables: Tables | None = None) -> Register:
    """The register of a database, by its file or address (not `$NAME`); one for a process."""
    return Register(source, tables)


class Register:
    """An entity database with its readers, kept open over documents and safe to use from threads."""

    def __init__(self, source: str, tables: Tables | None = None) -> None:
        self._source = source
        self._tables = tables or Tables()
        self._lock = RLock()
        self._opened: Opened | None = None

    @property
    def is_postgres(self) -> bool:
        return self._source.startswith(POSTGRES)

    def current(self) -> Opened:
        """The database as it was last read; a file that has changed is read again."""
        with self._lock:
            if self._opened is None or self._opened.stamp != self._stamp():
                self._opened = self._open()
            return self._opened

    def refresh(self) -> None:
        """Read the contents again before they are next used."""
        with self._lock:
            self._opened = None

    def view(self, readers: Sequence[str] = (), label: str = PROTECTED) -> tuple[Opened, Ints]:
        """The database, and the entities that *none* of these readers may know, ascending; without a
        reader, those that carry the label. Rights are read at this moment."""
        with self._lock:
            if self.is_postgres:
                return self._view_postgres(readers, label)
            opened = self.current()
            assert isinstance(opened.database, SqliteEntities)
            return opened, _hidden(opened.database, readers, label)

    def _view_postgres(self, readers: Sequence[str], label: str) -> tuple[Opened, Ints]:
        login = self._tables.reader_login
        rights = self._tables.model_copy(
            update={
                "reader_login": login and address(login),
                "entities": self._tables.entities or self._tables.contexts,
            }
        )

        def ask() -> tuple[list[str], Ints]:
            with PostgresEntities(self._source, rights, rights_only=True) as now:
                return now.names(range(len(now))), _hidden(now, readers, label)

        names, hidden = again(ask, rights.statement_timeout)
        if self.current().names != names:  # entities came or went since the contents were read
            self.refresh()
            if self.current().names != names:
                raise InputError(
                    "the entity database is being changed at this moment; try again, nothing was written"
                )
        return self.current(), hidden

    def _open(self) -> Opened:
        database: Database
        stamp = self._stamp()
        if self.is_postgres:
            database = again(self._snapshot, self._tables.statement_timeout)
        else:
            database = SqliteEntities(self._source)
        if not len(database):
            database.close()
            raise InputError("the entity database is empty: there is nothing to hide among")
        return Opened(database, stamp)

    def _snapshot(self) -> Snapshot:
        with PostgresEntities(self._source, self._tables) as found:
            return Snapshot(found)

    def _stamp(self) -> tuple[int, ...]:
        """Tells one state of a file from the next."""
        if self.is_postgres:
            return ()
        try:
            found = Path(self._source).stat()
        except OSError:
            return (-1,)  # the opening says what is wrong
        return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


class Opened:
    """A database at one state of its contents, and what follows from them."""

    def __init__(self, database: Database, stamp: tuple[int, ...]) -> None:
        self.database, self.stamp = database, stamp

    @cached_property
    def names(self) -> list[str]:
        return self.database.names(range(len(self.database)))

    @cached_property
    def by_name(self) -> Names:
        """The entities by the names that a text may call them."""
        return Names(self.names)


def _hidden(rights: Entities, readers: Iterable[str], label: str) -> Ints:
    hidden = np.ones(len(rights), dtype=np.bool_)
    known = list(readers)
    for reader in known:
        hidden[rights.visible(reader)] = False
    if known:
        return np.flatnonzero(hidden)
    found = rights.labelled(label)
    if not len(found):
        raise InputError(
            f"no entity is labelled '{label}', so nothing would be protected: label some, or say who "
            "reads with --reader"
        )
    return found
