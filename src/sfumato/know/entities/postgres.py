"""The organisation's own PostgreSQL as entity database (extra `[postgres]`).

`Tables` says where entities, context terms and labels are; nothing is copied. While a database is open, names
and terms are held in memory, and a document's rows are selected by the server. Everything is read in one
read-only transaction, so that all answers are about the same moment.

What a reader may know is what the database says: the reader is a role, the service's role takes it on
(`SET ROLE`), and the entities that it can then SELECT, by grants and row-level security, are visible to it.
All others are protected. The service's own role has to see all rows: where row-level security would hide
some from it, that is an error and not a smaller database.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import Field

from sfumato.english.folding import fold
from sfumato.errors import InputError, MissingExtraError
from sfumato.know.entities.contexts import Contexts, Ints, contexts_digest, restrict
from sfumato.know.entities.database import Entities, Entity
from sfumato.know.entities.matching import Match, TermFinder, normal
from sfumato.plugins import Options

if TYPE_CHECKING:
    from psycopg import Connection, sql

ROWS = 20_000


class Tables(Options):
    """Where the organisation keeps its entities. A place is a table or view (`schema.table`), or a query."""

    contexts: str = Field(
        "contexts", description="Rows of an entity and a context term: a table, a view or a query."
    )
    entity: str = Field("entity", description="The column with the entity's name, in all places.")
    term: str = Field("term", description="The column with the context term.")
    weight: str | None = Field(None, description="The column with the weight, if there is one.")
    entities: str | None = Field(
        None,
        description="Rows of entities: a table, a view or a query. What a reader's role can select here "
        "is what it may know. Not given: the entities of `contexts`.",
    )
    labels: str | None = Field(
        None, description="Rows of an entity and a label: a table, a view or a query."
    )
    label: str = Field("label", description="The column with the label.")
    timeout: int = Field(10, ge=1, description="Seconds to wait for a connection.")
    statement_timeout: int = Field(60, ge=1, description="Seconds a query may take.")


def _psycopg() -> Any:
    try:
        return importlib.import_module("psycopg")
    except ImportError:
        raise MissingExtraError("an entity database in PostgreSQL", "postgres") from None


def host(dsn: str) -> str:
    """The database's host and name, without user and password."""
    psycopg = _psycopg()
    try:
        parts = psycopg.conninfo.conninfo_to_dict(dsn)
    except psycopg.Error:
        raise InputError("the address of the database is not one that PostgreSQL knows") from None
    where = parts.get("host") or parts.get("hostaddr") or "localhost"
    return f"{where}/{parts['dbname']}" if parts.get("dbname") else str(where)


def _connect(dsn: str, timeout: int) -> Connection[Any]:
    psycopg = _psycopg()
    where = host(dsn)
    try:
        made: Connection[Any] = psycopg.connect(
            dsn, connect_timeout=timeout, autocommit=False, application_name="sfumato"
        )
        made.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        made.read_only = True
    except psycopg.Error:
        # The driver's own words may hold the user's name: they stay out.
        raise InputError(
            f"the entity database at {where} does not answer or refuses the login; nothing was written"
        ) from None
    return made


def _failed(where: str, error: Exception) -> InputError:
    said = getattr(getattr(error, "diag", None), "message_primary", None)
    if said is None:
        return InputError(
            f"the entity database at {where} does not answer any more; nothing was written"
        )
    return InputError(f"the entity database at {where}: {said}; nothing was written")


@contextmanager
def rows(
    dsn: str, query: str, *, timeout: int = 10
) -> Iterator[tuple[list[str], Iterator[list[Any]]]]:
    """The columns and rows of a query, read in portions."""
    psycopg = _psycopg()
    with _connect(dsn, timeout) as connection:
        try:
            with connection.cursor(name="sfumato") as cursor:
                cursor.execute(query.strip().rstrip(";").encode())
                cursor.itersize = ROWS
                header = [column.name for column in cursor.description or ()]
                yield header, iter(lambda: cursor.fetchmany(ROWS), [])
        except psycopg.Error as error:
            raise _failed(host(dsn), error) from None


class PostgresEntities(Entities):
    """Entities in tables of the organisation's own, read where they are."""

    def __init__(self, dsn: str, tables: Tables = Tables()) -> None:  # noqa: B008
        self._where = host(dsn)
        self._tables = tables
        self._connection = _connect(dsn, tables.timeout)
        self._sql: Any = importlib.import_module("psycopg.sql")
        try:
            # Rows hidden from the service would be entities that nobody protects: better an error.
            self._all("SET LOCAL row_security = off")
            self._all(f"SET LOCAL statement_timeout = {tables.statement_timeout * 1000}")
            found = self._all(
                'SELECT DISTINCT {entity}::text COLLATE "C" FROM {entities} '
                "WHERE {entity} IS NOT NULL ORDER BY 1"
            )
            self._names = [str(name) for (name,) in found]
            self._ids = {name: number for number, name in enumerate(self._names)}
            self._spellings = self._read_terms()
        except BaseException:
            self.close()
            raise

    def _read_terms(self) -> dict[str, list[str]]:
        """The spellings of each normal form, in order."""
        found = self._all(
            'SELECT DISTINCT {term}::text COLLATE "C" FROM {contexts} '
            "WHERE {term} IS NOT NULL ORDER BY 1"
        )
        spellings: dict[str, list[str]] = {}
        for (term,) in found:
            spellings.setdefault(normal(" ".join(term.split())), []).append(term)
        spellings.pop("", None)
        return dict(sorted(spellings.items()))

    def close(self) -> None:
        self._connection.close()

    def __len__(self) -> int:
        return len(self._names)

    @cached_property
    def size(self) -> tuple[int, int, int]:
        terms = len(self._spellings)
        return len(self), terms, int(self.restrict(range(terms)).indptr[-1])

    @property
    def term_count(self) -> int:
        """How many different context terms there are."""
        return len(self._by_term)

    def _query(self, text: str, *, with_values: bool = False) -> sql.Composed:
        """A query with the places and columns of this database."""
        column, tables = self._sql.Identifier, self._tables
        made: sql.Composed = self._sql.SQL(text).format(
            contexts=self._place(tables.contexts, with_values),
            entities=self._place(tables.entities or tables.contexts, with_values),
            labels=self._place(tables.labels or tables.contexts, with_values),
            entity=column(tables.entity),
            term=column(tables.term),
            label=column(tables.label),
            weight=column(tables.weight) if tables.weight else self._sql.SQL("1"),
        )
        return made

    def _place(self, place: str, with_values: bool) -> sql.Composable:
        said = place.strip().rstrip(";")
        said = said.replace("%", "%%") if with_values else said  # the driver reads %s as a value
        made: sql.Composable
        if said.split(None, 1)[0].lower() in ("select", "with", "table", "values"):
            made = self._sql.SQL("({}) AS place").format(self._sql.SQL(said))
        else:
            made = self._sql.Identifier(*said.split("."))
        return made

    def _all(self, text: str, *values: object) -> list[Any]:
        psycopg = _psycopg()
        try:
            cursor = self._connection.execute(
                self._query(text, with_values=bool(values)), values or None
            )
            return cursor.fetchall() if cursor.description else []
        except psycopg.Error as error:
            raise _failed(self._where, error) from None

    @cached_property
    def digest(self) -> str:
        """Reads all rows: the database keeps no hash of them."""
        order = list(self._spellings)
        ids = {text: number for number, text in enumerate(order)}
        found = self._all(
            "SELECT {entity}::text, {term}::text, max({weight})::float8 FROM {contexts} "
            "WHERE {entity} IS NOT NULL AND {term} IS NOT NULL GROUP BY 1, 2"
        )
        pairs: dict[tuple[int, int], float] = {}
        for name, term, weight in found:
            number = ids.get(normal(" ".join(term.split())))
            if number is not None and name in self._ids:
                pair = self._ids[name], number
                pairs[pair] = max(1.0 if weight is None else weight, pairs.get(pair, 0.0))
        ordered = sorted(pairs)
        indptr = np.zeros(len(self) + 1, dtype=np.int64)
        np.cumsum(
            np.bincount(np.array([e for e, _ in ordered], dtype=np.int64), minlength=len(self)),
            out=indptr[1:],
        )
        indices = np.array([t for _, t in ordered], dtype=np.int32)
        weights = b""
        if self._tables.weight:
            weights = np.array([pairs[p] for p in ordered], dtype="<f4").tobytes()
        return contexts_digest(self._names, order, indptr, indices, weights)

    def names(self, entities: Iterable[int]) -> list[str]:
        return [self._names[number] for number in entities]

    @cached_property
    def _by_term(self) -> list[list[str]]:
        return list(self._spellings.values())

    def terms(self, terms: Iterable[int]) -> list[str]:
        return [" ".join(self._by_term[number][0].split()) for number in terms]

    def entity(self, name: str) -> Entity:
        number = self._ids.get(name)
        if number is None:
            said = fold(name).text.strip()
            like = [n for text, n in self._ids.items() if fold(text).text.strip() == said]
            if len(like) != 1:
                what = "several entities are like" if like else "no entity"
                raise InputError(f"the entity database at {self._where}: {what} '{name}'")
            number = like[0]
        found = self._all(
            "SELECT {term}::text, max({weight})::float8 FROM {contexts} "
            "WHERE {entity}::text = %s AND {term} IS NOT NULL GROUP BY 1",
            self._names[number],
        )
        context: dict[str, float] = {}
        for term, weight in found:
            spellings = self._spellings.get(normal(" ".join(term.split())))
            if spellings:
                said = " ".join(spellings[0].split())
                context[said] = max(1.0 if weight is None else weight, context.get(said, 0.0))
        labels: list[Any] = []
        if self._tables.labels:
            labels = self._all(
                "SELECT DISTINCT {label}::text FROM {labels} WHERE {entity}::text = %s ORDER BY 1",
                self._names[number],
            )
        return Entity(
            number,
            self._names[number],
            tuple(label for (label,) in labels),
            tuple(sorted(context.items(), key=lambda p: (-p[1], p[0]))),
        )

    def labels(self) -> dict[str, int]:
        if not self._tables.labels:
            return {}
        return dict(
            self._all(
                'SELECT {label}::text COLLATE "C", count(DISTINCT {entity}) FROM {labels} '
                "WHERE {label} IS NOT NULL GROUP BY 1 ORDER BY 1"
            )
        )

    def labelled(self, label: str) -> Ints:
        if not self._tables.labels:
            return np.empty(0, dtype=np.int64)
        found = self._all(
            "SELECT DISTINCT {entity}::text FROM {labels} WHERE {label}::text = %s", label
        )
        missing = [name for (name,) in found if name not in self._ids]
        if missing:
            raise InputError(
                f"the entity database at {self._where}: {len(missing)} entities labelled '{label}' are "
                "not among the entities"
            )
        return np.array(sorted(self._ids[name] for (name,) in found), dtype=np.int64)

    def readers(self) -> list[str]:
        """The roles that the service's role can take on."""
        found = self._all(
            "SELECT rolname FROM pg_roles WHERE pg_has_role(current_user, oid, 'MEMBER') "
            "AND rolname <> current_user AND rolname !~ '^pg_' ORDER BY 1"
        )
        return [str(name) for (name,) in found]

    def visible(self, reader: str) -> Ints:
        """The entities that the reader's role can SELECT; none where it has no right at all."""
        psycopg = _psycopg()
        found: list[Any] = []
        try:
            with self._connection.transaction(force_rollback=True):  # which gives the role back
                self._take_on(reader)
                query = self._query("SELECT DISTINCT {entity}::text FROM {entities}")
                found = self._connection.execute(query).fetchall()
        except psycopg.errors.InsufficientPrivilege:
            found = []
        except psycopg.Error as error:
            raise _failed(self._where, error) from None
        return np.array(
            sorted(self._ids[name] for (name,) in found if name in self._ids), dtype=np.int64
        )

    def _take_on(self, reader: str) -> None:
        psycopg = _psycopg()
        role = self._sql.SQL("SET LOCAL ROLE {}").format(self._sql.Identifier(reader))
        try:
            self._connection.execute("SET LOCAL row_security = on")
            self._connection.execute(role)
            asked = "SELECT current_user, session_user"
            now = self._connection.execute(asked).fetchone()
        except psycopg.OperationalError:
            raise
        except psycopg.Error:
            now = None
        # "none" is no role but would leave the service's own, which sees everything.
        if now is None or now[0] != reader or now[0] == now[1]:
            raise InputError(
                f"the entity database at {self._where}: the reader '{reader}' is no role that this "
                "login can take on; nothing was written"
            )

    @cached_property
    def _matcher(self) -> TermFinder:
        return TermFinder(list(self._spellings))

    def match(self, text: str) -> list[Match]:
        return self._matcher.match(text)

    def restrict(self, terms: Sequence[int]) -> Contexts:
        """The rows of these terms, selected by the server: an index on the term's column helps."""
        given = [int(number) for number in terms]
        if any(not 0 <= number < len(self._by_term) for number in given):
            raise ValueError("a term id that this database does not have")
        distinct = sorted(set(given))
        place = {text: at for at, number in enumerate(distinct) for text in self._by_term[number]}
        found = self._all(
            "SELECT {term}::text, array_agg(DISTINCT {entity}::text) FROM {contexts} "
            "WHERE {term} = ANY(%s) AND {entity} IS NOT NULL GROUP BY 1",
            list(place),
        )
        postings: list[set[int]] = [set() for _ in distinct]
        for term, names in found:
            # A name that is in `contexts` only has no number: `entities` says what there is.
            postings[place[term]].update(self._ids[n] for n in names if n in self._ids)
        indptr = np.zeros(len(distinct) + 1, dtype=np.int64)
        np.cumsum([len(p) for p in postings], out=indptr[1:])
        entities = np.fromiter(
            (number for p in postings for number in sorted(p)),
            dtype=np.int32,
            count=int(indptr[-1]),
        )
        at = np.searchsorted(np.array(distinct, dtype=np.int64), np.array(given, dtype=np.int64))
        made = restrict(at, indptr, entities, len(self))
        return Contexts(np.array(given, dtype=np.int64), made.indptr, made.indices)

    def copy_query(self) -> str:
        """The query whose rows are all that a copy needs (`entity`, `term`, `weight`), for the import."""
        return self._query(
            "SELECT {entity}::text AS entity, {term}::text AS term, {weight} AS weight FROM {contexts}"
            if self._tables.weight
            else "SELECT {entity}::text AS entity, {term}::text AS term FROM {contexts}"
        ).as_string(self._connection)
