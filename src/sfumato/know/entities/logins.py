"""Sessions with PostgreSQL in which nothing that a reader has made can act for the service.

`SET ROLE` alone is no wall: a function that is reached from a query can leave the role again. So a reader's
question is put into a function of the reader's that runs with its owner's rights (`SECURITY DEFINER`), made
in the session's temporary schema and gone with it: inside it, PostgreSQL refuses every change of role. Where
none can be made (a server that only follows another, no right to temporary objects) the reader logs in.

In every session the search path is `pg_catalog` alone, temporary objects last: a table, a function or an
operator that somebody has put elsewhere under the same name is never meant. Whatever is asked is one
statement, and a reader's own login writes values by the service's settings, not by its own.
"""

from __future__ import annotations

import re
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from sfumato.errors import InputError, needed
from sfumato.know.entities.database import POSTGRES

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from psycopg import Connection

_PATH = "pg_catalog, pg_temp"
# All that a session may set itself: what the text of a value looks like hangs on some of it.
_SETTINGS = (
    "SELECT name, setting FROM pg_settings WHERE context = 'user' AND name !~ '^transaction_'"
)
_LOCKED = 60  # seconds to wait for who has locked a table, also where a query may take any time
_LATE = 10  # seconds beyond what the server was told, for its answer to come
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
    """A session whose transactions see one moment."""
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
        made.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        made.read_only = read_only
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


def pin(connection: Connection[Any], seconds: int = 0) -> list[str]:
    """Make names mean what they say until the transaction ends; the schemas that the login looked into."""
    found = connection.execute("SELECT pg_catalog.current_schemas(false)").fetchone()
    connection.execute(f"SET LOCAL search_path = {_PATH}")
    connection.execute("SET LOCAL standard_conforming_strings = on")  # as `queries` reads them
    connection.execute("SET LOCAL jit = off")  # long questions, short answers
    connection.execute("SET LOCAL constraint_exclusion = off")  # no plan runs what a check calls
    # No policy runs with other rights than a reader's, and rows hidden from the service would be entities
    # that nobody protects: better an error.
    connection.execute("SET LOCAL row_security = off")
    connection.execute(f"SET LOCAL statement_timeout = {seconds * 1000:d}".encode())
    connection.execute(f"SET LOCAL lock_timeout = {_LOCKED * 1000:d}".encode())
    _answered_within(connection, seconds)
    return [name for name in (found[0] if found else ()) if not name.startswith("pg_")]


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
    if not position and not re.match("42501|25|55|57", state or ""):
        kind = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__).lower()
        said = f"reading its rows ends in an error ({kind}, {state})"
    names = ("UndefinedTable", "UndefinedFunction", "UndefinedObject")
    missing = isinstance(error, tuple(getattr(driver().errors, name) for name in names))
    todo = "; write names with their schema (schema.table)" if missing else ""
    return InputError(f"the entity database at {where}: {said}{todo}; nothing was written")


def as_role(dsn: str, reader: str, query: str, timeout: int, seconds: int) -> list[str]:
    """The first column of a query, asked with the reader's role by a login that can take it on."""
    errors = driver().errors
    with asking(dsn, timeout, read_only=False) as connection:
        pin(connection, seconds)
        _take_on(connection, host(dsn), reader)
        try:
            connection.execute(_function(query))
        except (errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction) as error:
            raise InputError(
                f"the entity database at {host(dsn)}: the role '{reader}' can make no temporary "
                f"function ({error.diag.message_primary}); grant TEMPORARY on the database, or set "
                "tables.reader_login; nothing was written"
            ) from None
        connection.execute("SET TRANSACTION READ ONLY")
        return _names(connection, "SELECT * FROM pg_temp.sfumato_asks()")


def as_login(
    login: str, reader: str, query: str, timeout: int, seconds: int, service: Connection[Any]
) -> list[str]:
    """The first column of a query, asked by the reader's own login with the settings of the service's."""
    if "{reader}" not in login or not login.startswith(POSTGRES):
        raise InputError(
            "tables.reader_login: write {reader} where the role's name goes, in an address (postgresql://…)"
        )
    dsn = login.replace("{reader}", quote(reader, safe=""))
    with asking(dsn, timeout) as connection:
        pin(connection, seconds)
        said = service.execute(_SETTINGS).fetchall()
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
        return [str(name) for (name,) in connection.execute(query.encode())]
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
