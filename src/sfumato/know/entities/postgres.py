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
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import Field

from sfumato.english.folding import fold
from sfumato.errors import InputError
from sfumato.know.entities.contexts import Contexts, Ints, contexts_digest, restrict
from sfumato.know.entities.database import Entities, Entity
from sfumato.know.entities.logins import (
    Again,
    Pinned,
    as_login,
    as_role,
    asking,
    connect,
    driver,
    failed,
    host,
    steadily,
    unchanged,
)
from sfumato.know.entities.matching import Match, TermFinder, normal
from sfumato.know.entities.owners import judge, judge_query, judge_table, judge_view
from sfumato.plugins import Options

if TYPE_CHECKING:
    from psycopg import sql

ROWS = 20_000
_VIEW, _BEFORE = "sfumato_", "sfumato_before"  # a reader was asked
# Longer names are cut by the server, and of letters beyond ASCII it knows the small ones by its own rules.
_NAME = r"[a-z_][a-z0-9_]{0,62}"
_TABLE = re.compile(rf"TABLE\s+(?P<schema>{_NAME})\.(?P<name>{_NAME})", re.IGNORECASE | re.ASCII)
_QUERY = re.compile(
    r"(?:[\s(]|--[^\n]*+\n|/\*(?:[^*]|\*(?!/))*+\*/)*+(?:select|with|table|values)(?![\w$.]|\s*$)",
    re.IGNORECASE,
)
_COLUMNS = {
    "contexts": ("entity", "term", "weight"),
    "entities": ("entity",),
    "labels": ("entity", "label"),
}


# Arrays, rows, ranges and all that has a form of its own (jsonb), but not what has one spelling.
_NO_TEXT = (
    "SELECT oid::regtype::text FROM pg_type WHERE oid = %s AND (typcategory IN ('A', 'C', 'R') "
    "OR typcategory = 'U' AND oid NOT IN (17, 2950))"
)


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
    table = _TABLE.fullmatch(query)  # needs no view of its own to be judged
    with asking(dsn, timeout, read_only=table is not None) as connection:

        def judge(pinned: Pinned) -> None:
            if table is not None:
                where = table["schema"].lower(), table["name"].lower()
                why = judge_table(connection, *where, pinned)
            else:
                why = judge_query(connection, query, "1", "sfumato_rows", pinned)
            if why:
                raise InputError(
                    f"the entity database at {host(dsn)}: the query {why}; nothing was read"
                )

        functions = steadily(connection, judge).functions
        connection.execute("SET TRANSACTION READ ONLY")
        with connection.cursor(name="sfumato") as cursor:
            cursor.execute(query.encode())
            cursor.itersize = ROWS
            header = [column.name for column in cursor.description or ()]
            yield header, _portions(connection, cursor, functions)


def _portions(connection: Any, cursor: Any, functions: set[int]) -> Iterator[list[Any]]:
    yield from iter(lambda: cursor.fetchmany(ROWS), [])
    unchanged(connection, functions)


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
        self._where = host(dsn)
        self._sql: Any = driver().sql
        self._tables = tables
        self._places = [name for name in _COLUMNS if getattr(tables, name)]
        makes = any(_is_query(getattr(tables, name)) for name in self._places)
        self._connection = connect(
            dsn, tables.timeout, read_only=tables.reader_login is not None and not makes
        )

        def begin(pinned: Pinned) -> None:
            self._tables, self._pinned = self._with_schemas(tables, pinned.schemas), pinned
            self._judge()  # before a row is read
            if not pinned.wanted:
                self._read(rights_only)

        try:
            steadily(self._connection, begin, tables.statement_timeout)
        except BaseException:
            self.close()
            raise

    def _read(self, rights_only: bool) -> None:
        if self._tables.reader_login is None:
            self._all(f"SAVEPOINT {_BEFORE}")
        self._all("SET TRANSACTION READ ONLY")
        found = self._all(
            "SELECT DISTINCT {entity} FROM {entities} WHERE {entity} IS NOT NULL ORDER BY 1"
        )
        self._names = [str(name) for (name,) in found]
        self._ids = {name: number for number, name in enumerate(self._names)}
        self._spellings = {} if rights_only else self._read_terms()

    def _with_schemas(self, tables: Tables, schemas: list[str]) -> Tables:
        """The places with their schemas, looked up as the service before anything else is asked."""
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
            "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE c.relname = %s AND n.nspname = ANY(%s) AND c.relkind = ANY('{{r,p,v,m,f}}')",
            name,
            [schema] if dot else schemas,
        )
        if len(known) != 1:
            what = "several tables are called" if known else "there is no table or view"
            where = "" if dot else " in the schemas that this login looks into"
            raise InputError(
                f"the entity database at {self._where}: {what} '{' '.join(said.split())}'{where}; "
                "write schema.table, without quotes and in the letters that it is stored with"
            )
        return ".".join(known[0])

    def _read_terms(self) -> dict[str, list[str]]:
        """The spellings of each normal form, in order."""
        found = self._all("SELECT DISTINCT {term} FROM {contexts} WHERE {term} IS NOT NULL")
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

    def _query(self, text: str, *, by_name: bool = False) -> sql.Composed:
        """A query with the places and columns of this database; texts are one where they are byte for byte,
        whatever a column of the organisation's holds for one. `by_name`: for who has none of our views."""
        tables = self._tables
        words = {
            name: self._sql.SQL('{}::text COLLATE "C"').format(self._sql.Identifier(said))
            for name in ("entity", "term", "label")
            if (said := getattr(tables, name))
        }
        weight = self._sql.Identifier(tables.weight) if tables.weight else self._sql.SQL("1")
        made: sql.Composed = self._sql.SQL(text).format(
            contexts=self._place("contexts", by_name),
            entities=self._place("entities" if tables.entities else "contexts", by_name),
            labels=self._place("labels" if tables.labels else "contexts", by_name),
            stored_term=self._sql.Identifier(tables.term),
            weight=self._sql.SQL("{}::float8").format(weight),
            **words,
        )
        return made

    def _place(self, name: str, by_name: bool) -> sql.Composable:
        place: str = getattr(self._tables, name)
        made: sql.Composable
        if not _is_query(place):
            made = self._sql.Identifier(*place.rpartition(".")[::2])
        elif by_name:
            made = self._sql.SQL("({}\n) AS place").format(self._sql.SQL(place))
        else:
            made = self._sql.Identifier("pg_temp", _VIEW + name)
        return made

    def _columns(self, name: str) -> str:
        """What a place is asked for: its columns, and what becomes of them."""
        columns = [c for c in _COLUMNS[name] if getattr(self._tables, c)]
        stored = dict.fromkeys(getattr(self._tables, column) for column in columns)
        made = [self._sql.Identifier(said) for said in stored]
        made += [self._query(f"{{{c}}} AS sfumato_{c}") for c in columns]
        return str(self._sql.SQL(", ").join(made).as_string(self._connection))

    def _all(self, text: str, *values: object) -> list[Any]:
        cursor = self._asked(text, *values)
        try:
            found = cursor.fetchall() if cursor.description else []
            if "FROM {" in text:
                unchanged(self._connection, self._pinned.functions)
            return found
        except driver().Error as error:
            raise failed(self._where, error) from None

    def _asked(self, text: str | sql.Composed, *values: object) -> Any:
        try:
            query = self._query(text) if isinstance(text, str) else text
            return self._connection.execute(query, values or None)
        except (driver().Error, UnicodeEncodeError) as error:
            raise failed(self._where, error) from None

    @cached_property
    def digest(self) -> str:
        """Reads all rows: the database keeps no hash of them."""
        order = list(self._spellings)
        ids = {text: number for number, text in enumerate(order)}
        found = self._all(
            "SELECT {entity}, {term}, max({weight}) FROM {contexts} "
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
            "SELECT {term}, max({weight}) FROM {contexts} "
            "WHERE {entity} = %s AND {term} IS NOT NULL GROUP BY 1",
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
                "SELECT DISTINCT {label} FROM {labels} WHERE {entity} = %s ORDER BY 1",
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
                "SELECT {label}, count(DISTINCT {entity}) FROM {labels} "
                "WHERE {label} IS NOT NULL GROUP BY 1 ORDER BY 1"
            )
        )

    def labelled(self, label: str) -> Ints:
        if not self._tables.labels:
            return np.empty(0, dtype=np.int64)
        found = self._all("SELECT DISTINCT {entity} FROM {labels} WHERE {label} = %s", label)
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
        tables = self._tables
        query = self._query(
            "SELECT DISTINCT {entity} FROM {entities} WHERE {entity} IS NOT NULL", by_name=True
        )
        asked = query.as_string(self._connection)
        try:
            if tables.reader_login is None:
                found = self._as_role(reader, asked)
            else:
                limits = tables.timeout, tables.statement_timeout
                found = as_login(tables.reader_login, reader, asked, *limits, self._connection)
            unchanged(self._connection, self._pinned.functions)
        except (driver().Error, UnicodeEncodeError) as error:
            raise failed(self._where, error) from None
        return np.array(sorted(self._ids[name] for name in found if name in self._ids), np.int64)

    def _as_role(self, reader: str, asked: str) -> list[str]:
        """In the same transaction: a second one would wait for whoever waits for this one."""
        self._all(f"ROLLBACK TO SAVEPOINT {_BEFORE}")
        try:
            return as_role(self._connection, reader, asked)
        finally:
            with suppress(driver().Error):
                self._connection.execute(f"ROLLBACK TO SAVEPOINT {_BEFORE}")
                self._connection.execute("SET TRANSACTION READ ONLY")

    def _judge(self, reader: str | None = None) -> None:
        """Nothing is read that others could change, for a reader nothing that he could change himself."""
        tables, connection, pinned = self._tables, self._connection, self._pinned
        for name in self._places:
            place: str = getattr(tables, name)
            called = f"the query for {name}" if _is_query(place) else place
            rights = name == "entities" or (name == "contexts" and not tables.entities)
            asks, view = (reader, rights and tables.reader_login is None), _VIEW + name
            schema, _, table = place.rpartition(".")
            try:
                if _is_query(place) and reader is None:
                    why = judge_query(connection, place, self._columns(name), view, pinned)
                elif _is_query(place):
                    why = judge_view(connection, place, view, pinned, *asks)
                elif reader is None:
                    why = judge_table(connection, schema, table, pinned)
                else:
                    why = judge(connection, schema, table, pinned, *asks)
            except (driver().Error, UnicodeEncodeError) as error:
                raise failed(self._where, error) from None
            if not why and reader is None:
                why = self._no_text(name)
            if why:
                done = "read" if reader is None else "written"
                raise InputError(
                    f"the entity database at {self._where}: {called} {why}; nothing was {done}"
                )
        if reader is not None and pinned.wanted:
            raise Again(
                f"the entity database at {self._where} is being changed; try again, nothing was written"
            )

    def _no_text(self, name: str) -> str:
        """Which column holds what no text would ever say, as a list of terms in one value."""
        columns = dict.fromkeys(getattr(self._tables, c) for c in _COLUMNS[name] if c != "weight")
        asked = self._sql.SQL("SELECT {} FROM {} LIMIT 0").format(
            self._sql.SQL(", ").join(self._sql.Identifier(c) for c in columns),
            self._place(name, by_name=False),
        )
        for column in self._asked(asked).description:
            for (kind,) in self._all(_NO_TEXT, column.type_code):
                return (
                    f"has '{column.name}' of the type {kind}, which is not text (one term, one row)"
                )
        return ""

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
            "SELECT {term}, array_agg(DISTINCT {entity}) FROM {contexts} "
            "WHERE {stored_term} = ANY(%s) AND {term} = ANY(%s) AND {entity} IS NOT NULL GROUP BY 1",
            list(place),
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
    return _QUERY.match(place) is not None
