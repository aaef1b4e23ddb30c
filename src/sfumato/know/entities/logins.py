"""Sessions with PostgreSQL in which nothing that a reader has made can act for the service.

`SET ROLE` alone is no wall: a function that is reached from a query can leave the role again. So a reader's
question is put into a function of the reader's that runs with its owner's rights (`SECURITY DEFINER`), made
in the session's temporary schema and gone with it: inside it, PostgreSQL refuses every change of role. Where
none can be made (a server that only follows another, no right to temporary objects) the reader logs in.

What is read is locked before the moment that is read (`steadily`), and a reader is asked in the same
transaction, or of the same moment by his own login while the service holds its locks: a table that is emptied
and filled again is whole before and after, and a moment that is older than a lock would see it empty.

In every session the search path is `pg_catalog` alone, temporary objects last: a table, a function or an
operator that somebody has put elsewhere under the same name is never meant. Whatever is asked is one
statement, and a reader's own login writes values by the service's settings, not by its own.
"""

from __future__ import annotations

import re
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote, urlencode

from sfumato.errors import InputError, needed
from sfumato.know.entities.database import POSTGRES

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from psycopg import Connection

T = TypeVar("T")

_PATH = "pg_catalog, pg_temp"
# All that a session may set itself: what the text of a value looks like hangs on some of it.
_SETTINGS = (
    "SELECT name, setting FROM pg_settings WHERE context = 'user' AND name !~ '^transaction_'"
)
# Seconds to wait for who has locked a table, in all where a query may take any time, and at a time: whoever
# comes behind us waits for as long.
_LOCKED, _QUEUED = 60, 1
_PAUSE, _TRIES = 0.1, 9
_LATE = 10  # seconds beyond what the server was told, for its answer to come
# What has been emptied or filled anew, or made, since the moment that a transaction sees: of all that it has
# locked, and so of all that it has read, which from then on stays as it is. Functions cannot be locked.
_CHANGED = (
    "SELECT 1 FROM pg_locks l LEFT JOIN pg_class c ON c.oid = l.relation "
    "WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation' AND l.relation >= 16384 "
    "AND (c.oid IS NULL OR c.relkind IN ('r', 'm') AND c.relfilenode <> 0 "
    "AND pg_relation_filenode(c.oid) IS DISTINCT FROM c.relfilenode) "
    "UNION ALL SELECT 1 FROM pg_proc p WHERE p.oid = ANY (%s::oid[]) AND p.xmax <> 0 "
    "AND age(p.xmax) <= age(pg_snapshot_xmin(pg_current_snapshot())::xid) LIMIT 1"
)
# A network that is gone is told after a minute and a half, also where a query may take any time.
_ALIVE = {
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 6,
    "tcp_user_timeout": 90_000,
}
# No hostaddr, passfile or service, which send one server the password of another.
_OF_POLICY = {"host", "port", "dbname", "user", "password", "sslmode", "sslrootcert"}


def driver() -> Any:
    """psycopg, or which extra has it."""
    return needed("psycopg.sql", "an entity database in PostgreSQL", "postgres")


def host(dsn: str) -> str:
    """The database's host and name, without user and password."""
    psycopg = driver()
    try:
        parts = psycopg.conninfo.conninfo_to_dict(dsn)
    except psycopg.Error:
        raise InputError("the address of the database is not one that PostgreSQL knows") from None
    where = parts.get("host") or parts.get("hostaddr") or "localhost"
    return f"{where}/{parts['dbname']}" if parts.get("dbname") else str(where)


def of_policy(dsn: str) -> str:
    """An address that a policy writes out: whoever wrote it is sent no password of the environment's."""
    host(dsn)  # refuses what is none
    parts = driver().conninfo.conninfo_to_dict(dsn)
    if more := parts.keys() - _OF_POLICY:
        raise InputError(
            f"the address of the database in the policy says '{min(more)}'; put the address into the "
            "environment and write $NAME"
        )
    # an empty one keeps PGPASSWORD out; ~/.pgpass, which goes by host, is still asked
    return "postgresql://?" + urlencode({"password": "", **parts}, quote_via=quote, safe="{}")


def connect(dsn: str, timeout: int, *, read_only: bool = True) -> Connection[Any]:
    """A session whose transactions see one moment. Not `read_only`: what the server lets it do."""
    psycopg = driver()
    where = host(dsn)
    try:
        made: Connection[Any] = psycopg.connect(
            psycopg.conninfo.make_conninfo(
                "", **{**_ALIVE, **psycopg.conninfo.conninfo_to_dict(dsn)}
            ),
            connect_timeout=timeout,
            autocommit=False,
            application_name="sfumato",
            client_encoding="UTF8",  # a role may have set another one
            cursor_factory=_one_statement,
        )
        made.prepare_threshold = None  # what has a name could be given another meaning
        made.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        made.read_only = read_only or None  # a standby refuses to be told that it may write
        _answered_within(made, timeout)
    except psycopg.Error:
        # The driver's own words may hold the user's name: they stay out.
        raise InputError(
            f"the entity database at {where} does not answer or refuses the login; nothing was written"
        ) from None
    return made


def _answered_within(connection: Connection[Any], seconds: int) -> None:
    """Whether it keeps to its own limits is up to the server: here nobody waits for long beyond them."""

    def wait(answer: Generator[Any, Any, Any], *more: Any, **options: Any) -> Any:
        limited = _until(answer, time.monotonic() + seconds + _LATE) if seconds else answer
        return type(connection).wait(connection, limited, *more, **options)

    vars(connection)["wait"] = wait


def _until(answer: Generator[Any, Any, Any], end: float) -> Generator[Any, Any, Any]:
    try:
        wanted = next(answer)
        while True:
            ready = yield wanted  # also every tenth of a second
            if time.monotonic() > end:
                raise driver().OperationalError("no answer")
            wanted = answer.send(ready)
    except StopIteration as done:
        return done.value


def _one_statement(connection: Connection[Any], **options: Any) -> Any:
    """Binary answers come by the extended protocol, in which a second statement is an error."""
    psycopg = driver()
    cursor = psycopg.Cursor(connection, **options)
    cursor.format = psycopg.pq.Format.BINARY
    return cursor


class Again(InputError):  # noqa: N818
    """What is asked for was locked or changed meanwhile: begun again, it may go well."""


@dataclass
class Pinned:
    """A transaction that sees one moment: the schemas that the login looked into, the tables that were locked
    before that moment, and those that should have been; the functions that are called."""

    schemas: list[str]
    held: list[int]
    wanted: set[str] = field(default_factory=set)
    functions: set[int] = field(default_factory=set)


def pin(connection: Connection[Any], seconds: int = 0, first: str = "") -> Pinned:
    """Make names mean what they say until the transaction ends. `first` comes before the moment it sees."""
    connection.execute("SET LOCAL standard_conforming_strings = on")  # as `queries` reads them
    connection.execute("SET LOCAL jit = off")  # long questions, short answers
    connection.execute("SET LOCAL constraint_exclusion = off")  # no plan runs what a check calls
    # No policy runs with other rights than a reader's, and rows hidden from the service would be entities
    # that nobody protects: better an error.
    connection.execute("SET LOCAL row_security = off")
    connection.execute(f"SET LOCAL statement_timeout = {seconds * 1000:d}".encode())
    connection.execute(f"SET LOCAL lock_timeout = {_QUEUED * 1000:d}".encode())
    _answered_within(connection, seconds)
    if first:
        connection.execute(first.encode())
    schemas, held = connection.execute(
        "SELECT pg_catalog.current_schemas(false), ARRAY(SELECT relation FROM pg_catalog.pg_locks "
        "WHERE pid OPERATOR(pg_catalog.=) pg_catalog.pg_backend_pid() AND relation IS NOT NULL)"
    ).fetchone() or ([], [])
    connection.execute(f"SET LOCAL search_path = {_PATH}")
    return Pinned([name for name in schemas if not name.startswith("pg_")], held)


def again(ask: Callable[[], T], seconds: int = 0) -> T:
    """What is asked, from the beginning, until nobody comes in between."""
    end = time.monotonic() + (seconds or _LOCKED)
    while True:
        try:
            return ask()
        except Again:
            if time.monotonic() > end:
                raise
        time.sleep(_PAUSE)


def steadily(
    connection: Connection[Any], judge: Callable[[Pinned], None], seconds: int = 0
) -> Pinned:
    """A transaction that sees one moment, before which every table that counts was locked: `judge` says which
    these are, and then, with these locked, whether they still are.

    Who waits for a lock is waited for by all who come later: so it is a second at a time, and nothing else is
    held in the pause."""
    errors = driver().errors
    vanished = (errors.UndefinedTable, errors.InvalidSchemaName, errors.WrongObjectType)
    where = host(connection.info.dsn)

    def once() -> Pinned:
        names = set[str]()
        for _ in range(_TRIES):
            connection.rollback()
            lock = f"LOCK TABLE {', '.join(sorted(names))} IN ACCESS SHARE MODE" if names else ""
            try:
                pinned = pin(connection, seconds, lock)
            except vanished:
                break
            judge(pinned)
            if not pinned.wanted:
                return pinned
            names |= pinned.wanted
        raise Again(
            f"the entity database at {where} is being changed; try again, nothing was written"
        )

    def told() -> Pinned:
        try:
            return once()
        except (driver().Error, UnicodeEncodeError) as error:
            raise failed(where, error) from None
        except Again:
            connection.rollback()
            raise

    return again(told, seconds)


def unchanged(connection: Connection[Any], functions: Iterable[int] = ()) -> None:
    """Whether all that was read is what stood there at the moment that the transaction sees."""
    if connection.execute(_CHANGED.encode(), [list(functions)]).fetchone():
        where = host(connection.info.dsn)
        raise Again(
            f"the entity database at {where}: what is read was emptied, filled in anew or rewritten "
            "meanwhile; try again, nothing was written"
        )


def failed(where: str, error: Exception) -> InputError:
    """What the server says, in one line: of what is asked, of rights and of waiting. All else may quote a
    value that stands in the database."""
    if isinstance(error, UnicodeEncodeError):
        return InputError(
            f"the entity database at {where}: a name is not UTF-8, so nothing there has it"
        )
    of_error = ("message_primary", "sqlstate", "statement_position")
    said, state, position = (getattr(getattr(error, "diag", None), of, None) for of in of_error)
    if said is None and isinstance(error, driver().DataError):
        return InputError(
            f"the entity database at {where} has a value that cannot be read here (a date beyond the year "
            "9999, 'infinity'); leave its column out, or write it as text; nothing was written"
        )
    if said is None:
        return InputError(
            f"the entity database at {where} does not answer any more; nothing was written"
        )
    if state in ("55P03", "40P01"):
        return Again(
            f"the entity database at {where}: {said}; somebody has locked it; try again, nothing was written"
        )
    if not position and not re.match("42501|25|55|57", state or ""):
        kind = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__).lower()
        said = f"reading its rows ends in an error ({kind}, {state})"
    names = ("UndefinedTable", "UndefinedFunction", "UndefinedObject")
    missing = isinstance(error, tuple(getattr(driver().errors, name) for name in names))
    todo = "; write names with their schema (schema.table)" if missing else ""
    return InputError(f"the entity database at {where}: {said}{todo}; nothing was written")


def as_role(connection: Connection[Any], reader: str, query: str) -> list[str]:
    """The first column of a query, asked with the reader's role by a login that can take it on. Whoever calls
    it undoes what it has done to the session."""
    errors, where = driver().errors, host(connection.info.dsn)
    _take_on(connection, where, reader)
    try:
        connection.execute(_function(query))
    except (errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction) as error:
        raise InputError(
            f"the entity database at {where}: the role '{reader}' can make no temporary "
            f"function ({error.diag.message_primary}); grant TEMPORARY on the database, or set "
            "tables.reader_login; nothing was written"
        ) from None
    connection.execute("SET TRANSACTION READ ONLY")
    return _names(connection, "SELECT * FROM pg_temp.sfumato_asks()")


def as_login(
    login: str, reader: str, query: str, timeout: int, seconds: int, service: Connection[Any]
) -> list[str]:
    """The first column of a query, asked by the reader's own login with the settings of the service's, and of
    the moment that the service sees, while it holds its locks."""
    if "{reader}" not in login or not login.startswith(POSTGRES):
        raise InputError(
            "tables.reader_login: write {reader} where the role's name goes, in an address (postgresql://…)"
        )
    dsn = login.replace("{reader}", quote(reader, safe=""))
    with asking(dsn, timeout) as connection:
        said = service.execute(_SETTINGS).fetchall()
        (moment,) = service.execute("SELECT pg_export_snapshot()").fetchone() or ("",)
        try:
            pin(connection, seconds, f"SET TRANSACTION SNAPSHOT '{moment}'")
        except driver().DatabaseError as error:
            if isinstance(error, driver().OperationalError):
                raise
            raise InputError(
                f"the entity database at {host(dsn)}: the reader's login sees another moment than the "
                "service's; tables.reader_login has to lead to the same database of the same server; "
                "nothing was written"
            ) from None
        connection.execute(
            "SELECT set_config(name, said, true) FROM unnest(%s::text[], %s::text[]) AS s (name, said)",
            [list(column) for column in zip(*said, strict=True)],
        )
        connection.execute("SET LOCAL row_security = on")
        now = connection.execute("SELECT current_user, session_user").fetchone()
        if now != (reader, reader):
            raise InputError(
                f"the entity database at {host(dsn)}: the login of '{reader}' is another role's; "
                "nothing was written"
            )
        return _names(connection, query)


@contextmanager
def asking(dsn: str, timeout: int, *, read_only: bool = True) -> Iterator[Connection[Any]]:
    """A session of its own for one question, undone at the end: nothing in it outlives the answer."""
    connection = connect(dsn, timeout, read_only=read_only)
    try:
        yield connection
    except (driver().Error, UnicodeEncodeError) as error:
        raise failed(host(dsn), error) from None
    finally:
        connection.close()  # without a commit


def _names(connection: Connection[Any], query: str) -> list[str]:
    try:
        found = [str(name) for (name,) in connection.execute(query.encode())]
        unchanged(connection)
        return found
    except driver().errors.InsufficientPrivilege:
        return []


def _function(query: str) -> Any:
    sql = driver().sql
    return sql.SQL(
        "CREATE FUNCTION pg_temp.sfumato_asks() RETURNS SETOF text LANGUAGE sql STABLE SECURITY DEFINER "
        f"SET search_path = {_PATH} SET row_security = on AS {{}}"
    ).format(sql.Literal(query))


def _take_on(connection: Connection[Any], where: str, reader: str) -> None:
    psycopg = driver()
    sql, now = psycopg.sql, None
    try:
        connection.execute("SET LOCAL check_function_bodies = off")
        connection.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(reader)))
        now = connection.execute("SELECT current_user, session_user").fetchone()
    except psycopg.OperationalError:
        raise
    except psycopg.Error:
        pass
    # "none" is no role but would leave the service's own, which sees everything, as pg_read_all_data does.
    if now is None or now[0] != reader or now[0] == now[1] or reader.startswith("pg_"):
        raise InputError(
            f"the entity database at {where}: the reader '{reader}' is no role that this "
            "login can take on; nothing was written"
        )
