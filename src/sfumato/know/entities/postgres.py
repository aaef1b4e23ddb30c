"""The organisation's own PostgreSQL as entity database (extra `[postgres]`).

`Tables` says where entities, context terms and labels are; nothing is copied. While a database is open, names
and terms are held in memory, and a document's rows are selected by the server. Everything is read in one
read-only transaction, so that all answers are about the same moment.

What a reader may know is what the database says: the reader is a role, and the entities that it can SELECT,
by grants and row-level security, are visible to it. All others are protected. The service's own role has to
see all rows: where row-level security would hide some from it, that is an error and not a smaller database.

Readers may be able to make objects in this database. None of theirs is looked at: names are looked up once,
in the schemas of the service's login, and are asked for with their schema from then on (see `logins`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import Field

from sfumato.english.folding import fold
from sfumato.errors import InputError
from sfumato.know.entities.contexts import Contexts, Ints, contexts_digest, restrict
from sfumato.know.entities.database import Entities, Entity
from sfumato.know.entities.logins import as_login, as_role, connect, driver, failed, host, pin
from sfumato.know.entities.matching import Match, TermFinder, normal
from sfumato.know.entities.owners import judge, judge_query
from sfumato.plugins import Options

if TYPE_CHECKING:
    from psycopg import sql

ROWS = 20_000
# Longer names are cut by the server, and of letters beyond ASCII it knows the small ones by its own rules.
_NAME = r"[a-z_][a-z0-9_]{0,62}"
_TABLE = re.compile(rf"TABLE\s+(?P<schema>{_NAME})\.(?P<name>{_NAME})", re.IGNORECASE | re.ASCII)
_COLUMNS = {
    "contexts": ("entity", "term", "weight"),
    "entities": ("entity",),
    "labels": ("entity", "label"),
}


class Tables(Options):
    """Where the organisation keeps its entities. A place is a table or view (`schema.table`), or a query
    in which every table has its schema."""

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
    reader_login: str | None = Field(
        None,
        description="The address under which a reader logs in, with `{reader}` for the role's name "
        "(passwords: `~/.pgpass`), or `$NAME`. Not given: the service's login asks with the reader's role.",
    )
    timeout: int = Field(10, ge=1, description="Seconds to wait for a connection.")
    statement_timeout: int = Field(60, ge=1, description="Seconds a query may take.")


@contextmanager
def rows(
    dsn: str, query: str, *, timeout: int = 10
) -> Iterator[tuple[list[str], Iterator[list[Any]]]]:
    """The columns and rows of a query, read in portions, unless others could change what it runs."""
    query = query.strip().rstrip(";")
    with connect(dsn, timeout) as connection:
        try:
            pin(connection)
            # Needs no view of its own to be judged
            if (table := _TABLE.fullmatch(query)) is not None:
                why = judge(connection, table["schema"].lower(), table["name"].lower())
            else:
                why = judge_query(dsn, query, "1", timeout)
            if why:
                raise InputError(
                    f"the entity database at {host(dsn)}: the query {why}; nothing was read"
                )
            with connection.cursor(name="sfumato") as cursor:
                cursor.execute(query.encode())
                cursor.itersize = ROWS
                header = [column.name for column in cursor.description or ()]
                yield header, iter(lambda: cursor.fetchmany(ROWS), [])
        except driver().Error as error:
            raise failed(host(dsn), error) from None


class PostgresEntities(Entities):
    """Entities in tables of the organisation's own, read where they are."""

    def __init__(
        self,
        dsn: str,
        tables: Tables = Tables(),  # noqa: B008
        *,
        rights_only: bool = False,
    ) -> None:
        """`rights_only`: the context terms are not read; all places are judged none the less."""
        self._dsn, self._where = dsn, host(dsn)
        self._connection = connect(dsn, tables.timeout)
        self._sql: Any = driver().sql
        self._tables = tables
        self._places = [name for name in _COLUMNS if getattr(tables, name)]
        try:
            self._tables = self._with_schemas(tables)
            self._judge()  # before a row is read
            found = self._all(
                'SELECT DISTINCT {entity}::text COLLATE "C" FROM {entities} '
                "WHERE {entity}::text IS NOT NULL ORDER BY 1"
            )
            self._names = [str(name) for (name,) in found]
            self._ids = {name: number for number, name in enumerate(self._names)}
            self._spellings = {} if rights_only else self._read_terms()
        except BaseException:
            self.close()
            raise

    def _with_schemas(self, tables: Tables) -> Tables:
        """The places with their schemas, looked up as the service before anything else is asked."""
        try:
            schemas = pin(self._connection, tables.statement_timeout)
        except driver().Error as error:
            raise failed(self._where, error) from None
        places = {name: getattr(tables, name) for name in ("contexts", "entities", "labels")}
        return tables.model_copy(
            update={name: place and self._found(place, schemas) for name, place in places.items()}
        )

    def _found(self, place: str, schemas: list[str]) -> str:
        """A place as it is judged and asked from now on: a query, or the server's own schema and name."""
        said = place.strip().rstrip("; \t\n")
        if _is_query(said):
            return said
        schema, dot, name = said.rpartition(".")
        known = self._all(
            "SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE c.relname = %s AND n.nspname = ANY(%s) AND c.relkind = ANY('{{r,p,v,m,f}}')",
            name,
            [schema] if dot else schemas,
        )
        if len(known) != 1:
            what = "several tables are called" if known else "there is no table or view"
            where = "" if dot else " in the schemas that this login looks into"
            raise InputError(
                f"the entity database at {self._where}: {what} '{said}'{where}; write schema.table"
            )
        return f"{known[0][0]}.{name}"

    def _read_terms(self) -> dict[str, list[str]]:
        """The spellings of each normal form, in order."""
        found = self._all("SELECT DISTINCT {term}::text FROM {contexts} WHERE {term} IS NOT NULL")
        spellings: dict[str, list[str]] = {}
        for said, term in sorted((" ".join(term.split()), term) for (term,) in found):
            spellings.setdefault(normal(said), []).append(term)
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
        made: sql.Composable
        if _is_query(place):
            # The driver reads %s as a value
            said = place.replace("%", "%%") if with_values else place
            made = self._sql.SQL("({}\n) AS place").format(self._sql.SQL(said))
        else:
            made = self._sql.Identifier(*place.rpartition(".")[::2])
        return made

    def _all(self, text: str, *values: object) -> list[Any]:
        cursor = self._asked(text, *values)
        try:
            return cursor.fetchall() if cursor.description else []
        except driver().Error as error:
            raise failed(self._where, error) from None

    def _asked(self, text: str, *values: object) -> Any:
        try:
            query = self._query(text, with_values=bool(values))
            return self._connection.execute(query, values or None)
        except (driver().Error, UnicodeEncodeError) as error:
            raise failed(self._where, error) from None

    @cached_property
    def digest(self) -> str:
        """Reads all rows: the database keeps no hash of them."""
        order = list(self._spellings)
        ids = {text: number for number, text in enumerate(order)}
        found = self._all(
            "SELECT {entity}::text, {term}::text, max({weight}::float8) FROM {contexts} "
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
        terms = self.terms(range(len(order)))
        return contexts_digest(self._names, order, terms, indptr, indices, weights)

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
            "SELECT {term}::text, max({weight}::float8) FROM {contexts} "
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
                'SELECT {label}::text COLLATE "C", count(DISTINCT {entity}::text) FROM {labels} '
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
        self._judge(reader)
        query = self._query(
            "SELECT DISTINCT {entity}::text FROM {entities} WHERE {entity}::text IS NOT NULL"
        )
        asked, seconds = query.as_string(self._connection), self._tables.statement_timeout
        if self._tables.reader_login is None:
            found = as_role(self._dsn, reader, asked, self._tables.timeout, seconds)
        else:
            login = self._tables.reader_login
            wait = self._tables.timeout
            found = as_login(login, reader, asked, wait, seconds, self._connection)
        return np.array(sorted(self._ids[name] for name in found if name in self._ids), np.int64)

    def _judge(self, reader: str | None = None) -> None:
        """Nothing is read that others could change, for a reader nothing that he could change himself."""
        tables = self._tables
        for name in self._places:
            place: str = getattr(tables, name)
            called = f"the query for {name}" if _is_query(place) else place
            rights = name == "entities" or (name == "contexts" and not tables.entities)
            policies = rights and tables.reader_login is None
            try:
                if _is_query(place):
                    columns = ", ".join(f"{{{c}}}::text AS {c}" for c in _COLUMNS[name])
                    asked = self._query(columns).as_string(self._connection)
                    wait, seconds = tables.timeout, tables.statement_timeout
                    why = judge_query(self._dsn, place, asked, wait, seconds, reader, policies)
                else:
                    schema, _, table = place.rpartition(".")
                    why = judge(self._connection, schema, table, reader, policies)
            except (driver().Error, UnicodeEncodeError) as error:
                raise failed(self._where, error) from None
            if why:
                done = "read" if reader is None else "written"
                raise InputError(
                    f"the entity database at {self._where}: {called} {why}; nothing was {done}"
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


def _is_query(place: str) -> bool:
    return re.match(r"\s*(?:select|with|table|values)\s", place, re.IGNORECASE) is not None
