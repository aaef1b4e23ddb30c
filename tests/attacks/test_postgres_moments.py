"""Rows are filled in anew, and what reads them is rewritten, at any moment while a database is read.

Each change is one transaction of the owner's, before and after which every answer is the same. What is not
locked before the moment that we see would be half of the one and half of the other: as a rule, nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain

import pytest

from sfumato import InputError
from sfumato.know.entities.logins import Again
from sfumato.know.entities.postgres import PostgresEntities, Tables, rows
from sfumato.know.entities.readers import Register
from tests.attacks.test_postgres import clinic_server, planted
from tests.attacks.test_postgres_texts import between
from tests.clinic import SIGNS
from tests.postgres import Server, psycopg


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with clinic_server() as made:
        yield made


MARKED = (
    "CREATE OR REPLACE FUNCTION ours.marked() RETURNS TABLE (entity text, label text) STABLE "
    "BEGIN ATOMIC SELECT * FROM ours.a; END"
)
OURS = f"""
CREATE SCHEMA ours; GRANT USAGE ON SCHEMA ours TO PUBLIC;
CREATE TABLE ours.a AS SELECT entity, 'protected'::text AS label FROM diseases WHERE secret;
CREATE TABLE ours.b AS SELECT entity, 'protected'::text AS label FROM diseases WHERE entity = 'Flu';
CREATE TABLE ours.c (LIKE ours.a);
CREATE MATERIALIZED VIEW ours.m AS TABLE ours.a;
{MARKED};
CREATE FUNCTION ours.inner_one(text) RETURNS bool STABLE BEGIN ATOMIC
  SELECT EXISTS (SELECT FROM ours.a WHERE a.entity = $1); END;
CREATE FUNCTION ours.for_us(text) RETURNS bool STABLE SECURITY DEFINER RETURN ours.inner_one($1);
CREATE FUNCTION ours.words(text) RETURNS bool STABLE LANGUAGE plpgsql AS
  'BEGIN RETURN EXISTS (SELECT FROM ours.a WHERE a.entity = $1); END';
CREATE VIEW ours.shown AS TABLE ours.a;
CREATE VIEW ours.of_function AS SELECT * FROM ours.marked() UNION ALL SELECT * FROM ours.b;
CREATE TABLE ours.parts (entity text, label text) PARTITION BY LIST (entity);
CREATE TABLE ours.flu PARTITION OF ours.parts FOR VALUES IN ('Flu'); INSERT INTO ours.parts TABLE ours.b;
CREATE TABLE ours.rest PARTITION OF ours.parts DEFAULT; INSERT INTO ours.parts TABLE ours.a;
CREATE FUNCTION ours.of_parts() RETURNS TABLE (entity text, label text) STABLE BEGIN ATOMIC
  SELECT * FROM ours.parts; END;
CREATE TABLE ours.kept AS SELECT entity FROM diseases; ALTER TABLE ours.kept ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON ALL TABLES IN SCHEMA ours TO PUBLIC;
"""
UNDO = "DROP SCHEMA ours CASCADE"
REFILLED = "CREATE TEMPORARY TABLE t AS TABLE ours.a; TRUNCATE ours.a; INSERT INTO ours.a TABLE t"
MOVED = "INSERT INTO ours.c TABLE ours.a; DELETE FROM ours.a"


def labelled(server: Server, place: str) -> list[str]:
    with PostgresEntities(server.dsn(), Tables(contexts="contexts", labels=place)) as clinic:
        return clinic.names(clinic.labelled("protected"))


def listed(server: Server, place: str) -> list[str]:
    tables = Tables(contexts="contexts", entities=place)
    with PostgresEntities(server.dsn(), tables) as clinic:
        return clinic.names(range(len(clinic)))


def copied(server: Server, place: str) -> list[str]:
    with rows(server.dsn(), place if " " in place else f"TABLE {place}") as (_, found):
        return sorted(row[0] for row in chain.from_iterable(found))


def hidden(server: Server, place: str) -> list[str]:
    with PostgresEntities(server.dsn(), Tables(contexts="contexts", entities=place)) as clinic:
        return clinic.names(clinic.protected("bob"))


def hidden_by_login(server: Server, place: str) -> list[str]:
    tables = Tables(contexts="contexts", entities=place, reader_login=server.dsn("{reader}"))
    with PostgresEntities(server.dsn(), tables) as clinic:
        return clinic.names(clinic.protected("bob"))


SECRET, ALL = ["HIV", "Tuberculosis"], ["Flu", "HIV", "Tuberculosis"]
FUNCTION = "SELECT * FROM ours.marked() UNION ALL SELECT * FROM ours.b"
CHANGES: dict[str, tuple[Callable[[Server, str], list[str]], str, str, str, list[str]]] = {
    "behind a function": (labelled, FUNCTION, "", REFILLED, ALL),
    "behind a function in a view": (labelled, "ours.of_function", "", REFILLED, ALL),
    "behind functions in a question": (
        labelled,
        "SELECT entity, CASE WHEN ours.for_us(entity) OR entity = 'Flu' THEN 'protected' END AS label "
        "FROM public.diseases",
        *("", REFILLED, ALL),
    ),
    "in a part behind a function": (
        *(labelled, "SELECT * FROM ours.of_parts()", ""),
        REFILLED.replace("ours.a", "ours.rest"),
        ALL,
    ),
    "in the list of entities": (listed, "ours.of_function", "", REFILLED, ALL),
    "in a copy": (copied, FUNCTION, "", REFILLED, ALL),
    "in a materialized view": (labelled, "ours.m", "", "REFRESH MATERIALIZED VIEW ours.m", SECRET),
    "in a copy of a materialized view": (
        *(copied, "ours.m", "", "REFRESH MATERIALIZED VIEW ours.m", SECRET),
    ),
    "by rewriting a view": (
        *(
            labelled,
            "ours.shown",
            "",
            f"{MOVED}; CREATE OR REPLACE VIEW ours.shown AS TABLE ours.c",
        ),
        SECRET,
    ),
}
POLICIES = {
    "a table": "entity NOT IN (SELECT entity FROM ours.a)",
    "a view": "entity NOT IN (SELECT entity FROM ours.shown)",
    "a materialized view": "entity NOT IN (SELECT entity FROM ours.m)",
    "a function": "NOT ours.inner_one(entity)",
    "a function with its owner's rights": "NOT ours.for_us(entity)",
    "a text": "NOT ours.words(entity)",
}
for _name, _policy in POLICIES.items():
    _makes = f"CREATE POLICY p ON ours.kept TO bob USING ({_policy})"
    _change = "REFRESH MATERIALIZED VIEW ours.m" if "ours.m)" in _policy else REFILLED
    _rest = "ours.kept", _makes, _change, SECRET
    if _name != "a text":
        CHANGES[f"behind {_name} of a policy"] = (hidden, *_rest)
    if _name in ("a text", "a table", "a materialized view"):
        CHANGES[f"behind {_name} of a policy, by login"] = (hidden_by_login, *_rest)
_REWRITTEN = (
    *("ours.kept", f"CREATE POLICY p ON ours.kept TO bob USING ({POLICIES['a table']})"),
    f"{MOVED}; ALTER POLICY p ON ours.kept USING (entity NOT IN (SELECT entity FROM ours.c))",
    SECRET,
)
CHANGES["by rewriting a function"] = (
    *(labelled, FUNCTION, "", f"{MOVED}; {MARKED.replace('ours.a', 'ours.c')}"),
    ALL,
)
CHANGES["by rewriting a policy"] = (hidden, *_REWRITTEN)
CHANGES["by rewriting a policy, by login"] = (hidden_by_login, *_REWRITTEN)


@pytest.mark.parametrize("what", CHANGES)
def test_no_answer_is_half_of_the_one_and_half_of_the_other(
    server: Server, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, place, makes, change, wanted = CHANGES[what]
    last, done = 0, list[int]()

    def act(at: int, said: str) -> None:
        nonlocal last
        if (last := at) == moment:
            with (
                suppress(psycopg.errors.LockNotAvailable),
                psycopg.connect(server.dsn("owner")) as owner,
            ):
                owner.execute("SET lock_timeout = 10")
                owner.execute(change)
                done.append(at)

    again = "CREATE OR REPLACE" in change or "POLICY" in change
    told = list[int]()
    for moment in range(len(what) % 4, 199, 4):
        if moment < 4 or again:
            with psycopg.connect(server.dsn("owner")) as owner:
                owner.execute("DROP SCHEMA IF EXISTS ours CASCADE")
                owner.execute(OURS)
                owner.execute(makes or "SELECT 1")
        with between(act, monkeypatch), suppress(Again):
            assert read(server, place) == wanted
            told.append(moment)
        if last < moment:
            break
    with psycopg.connect(server.dsn("owner")) as owner:
        owner.execute(UNDO)
    assert moment > 10
    assert len(done) > 2
    assert len(told) > 2


@contextmanager
def locking(server: Server, table: str, seconds: float = 0.0) -> Iterator[list[float]]:
    """Somebody asks for a table alone, keeps it for a while, and tells how long it took to get it."""
    waited = list[float]()

    def ask() -> None:
        with psycopg.connect(server.dsn("owner")) as owner:
            begun = time.monotonic()
            owner.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
            waited.append(time.monotonic() - begun)
            time.sleep(seconds)

    thread = threading.Thread(target=ask)
    thread.start()
    queued = "SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND relation = %s::regclass"
    try:
        with psycopg.connect(server.dsn("owner"), autocommit=True) as owner:
            while owner.execute(queued, [table]).fetchone() == (0,) and not waited:
                time.sleep(0.01)
        yield waited
    finally:
        thread.join()


def test_nobody_waits_for_who_waits_for_him(server: Server) -> None:
    begun = time.monotonic()
    clinic = PostgresEntities(server.dsn(), Tables(entities="diseases"))
    with locking(server, "diseases") as waited:
        assert clinic.names(clinic.protected("bob")) == SECRET
        assert not len(clinic.protected("alice"))
        assert not waited
        clinic.close()
    assert time.monotonic() - begun < 10


def test_a_readers_own_login_waits_for_no_long_time_and_is_asked_again(server: Server) -> None:
    tables = Tables(entities="diseases", reader_login=server.dsn("{reader}"))
    begun = time.monotonic()
    clinic = PostgresEntities(server.dsn(), tables)
    with locking(server, "diseases"):
        with pytest.raises(InputError, match=r"lock timeout.*somebody has locked it; try again"):
            clinic.protected("bob")
        clinic.close()
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize("reader_login", [False, True])
def test_a_register_asks_until_the_table_is_free(
    server: Server, reader_login: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    login = server.dsn("{reader}") if reader_login else None
    register = Register(server.dsn(), Tables(entities="diseases", reader_login=login))
    with locking(server, "diseases", 2.5):
        opened, found = register.view(["bob"])
        assert opened.database.names(found) == SECRET


def test_who_keeps_a_table_is_told_of_after_the_limit(server: Server) -> None:
    tables = Tables(entities="diseases", statement_timeout=2)
    with locking(server, "diseases", 6):
        begun = time.monotonic()
        with pytest.raises(InputError, match="somebody has locked it; try again"):
            PostgresEntities(server.dsn(), tables)
        assert 1 < time.monotonic() - begun < 5


def test_what_cannot_be_locked_is_not_asked_by_the_service(server: Server) -> None:
    makes = (
        f"{OURS} CREATE POLICY p ON ours.kept TO bob USING ({POLICIES['a table']}); REVOKE ALL ON ours.a FROM "
        "PUBLIC; GRANT SELECT ON ours.a TO bob; ALTER ROLE service NOINHERIT; GRANT SELECT ON contexts TO service"
    )
    undo = f"{UNDO}; ALTER ROLE service INHERIT"
    with planted(server, makes, undo, "owner"):
        said = r"depends on table ours\.a, which this login cannot lock; .*grant this login SELECT"
        with pytest.raises(InputError, match=said):
            hidden(server, "ours.kept")
        assert hidden_by_login(server, "ours.kept") == SECRET
        assert len(listed(server, "ours.kept")) == len(SIGNS)
        with psycopg.connect(server.dsn("owner")) as owner:
            owner.execute("GRANT SELECT ON ours.a TO service")
        assert hidden(server, "ours.kept") == SECRET
        assert labelled(server, "ours.shown") == SECRET  # with the rights of whose view it is


def test_the_readers_login_leads_to_the_same_database(server: Server) -> None:
    with planted(server, "CREATE DATABASE other", "DROP DATABASE other WITH (FORCE)", "owner"):
        elsewhere = server.dsn("{reader}").replace("/postgres?", "/other?")
        tables = Tables(entities="diseases", reader_login=elsewhere)
        with (
            PostgresEntities(server.dsn(), tables) as clinic,
            pytest.raises(InputError, match="has to lead to the same database of the same server"),
        ):
            clinic.protected("bob")
