"""What a place in PostgreSQL may consist of is a list, and all else is refused: one statement of known parts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sfumato import InputError
from sfumato.know.entities.logins import as_login, as_role
from sfumato.know.entities.postgres import PostgresEntities, Tables, rows
from tests.attacks.test_postgres import SETUP, planted
from tests.clinic import SIGNS
from tests.postgres import Server, psycopg, serving


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as made:
        with psycopg.connect(made.dsn("owner")) as owner:
            owner.execute(SETUP)
            for entity, signs in SIGNS.items():
                secret = entity in ("HIV", "Tuberculosis")
                owner.execute("INSERT INTO diseases VALUES (%s, %s)", (entity, secret))
                for sign in signs:
                    owner.execute("INSERT INTO contexts VALUES (%s, %s)", (entity, sign))
        yield made


def seen_by_bob(server: Server, entities: str, *, login: bool = False) -> list[str]:
    tables = Tables(entities=entities, reader_login=server.dsn("{reader}") if login else None)
    with PostgresEntities(server.dsn(), tables) as clinic:
        return clinic.names(clinic.visible("bob"))


MAY_MAKE = "GRANT CREATE ON SCHEMA public TO service"
_SIGNS = "SELECT entity, term FROM public.contexts"
SEVERAL = {
    "a writing one between": f"{_SIGNS}) AS place; COMMIT; INSERT INTO public.written VALUES ('x'); COMMIT; "
    f"BEGIN; SELECT entity, term FROM ({_SIGNS}",
    "one after": f"{_SIGNS}; INSERT INTO public.written VALUES ('x')",
    "one after a commit": f"{_SIGNS}; COMMIT; INSERT INTO public.written VALUES ('x'); COMMIT; SELECT 1",
    "one that is no error by itself": f"{_SIGNS}) AS place, LATERAL (SELECT entity, term",
    "one behind an end": f"{_SIGNS}) AS place; INSERT INTO public.written VALUES ('x'); COMMIT; --\0",
    "a writing one within": "WITH w AS (INSERT INTO public.written VALUES ('x') RETURNING what) "
    "SELECT what AS entity, what AS term FROM w",
    "one that makes a table": "SELECT entity, term INTO public.made FROM public.contexts",
}


@pytest.mark.parametrize("what", SEVERAL)
@pytest.mark.parametrize("place", ["contexts", "entities", "labels"])
def test_a_place_is_one_question_and_no_second_statement(
    server: Server, place: str, what: str
) -> None:
    tables = {"contexts": "contexts", "entities": "diseases", place: SEVERAL[what]}
    with (
        planted(
            server, MAY_MAKE, MAY_MAKE.replace("GRANT", "REVOKE").replace(" TO ", " FROM "), "owner"
        ),
        pytest.raises(InputError),
    ):
        PostgresEntities(server.dsn(), Tables(**tables)).close()
    with pytest.raises(InputError), rows(server.dsn(), SEVERAL[what]) as (_, found):
        list(found)
    with psycopg.connect(server.dsn("owner")) as owner:
        assert owner.execute("SELECT count(*) FROM written").fetchone() == (0,)
        assert owner.execute("SELECT to_regclass('public.made')").fetchone() == (None,)


def test_a_readers_question_is_one_statement_by_itself(server: Server) -> None:
    with pytest.raises(InputError):
        as_role(server.dsn(), "bob", "SELECT 1) AS x; SELECT entity FROM public.diseases", 5, 5)


# A value, two spellings of it and the setting that makes one the other: the second row is hidden from bob.
SPELT = {
    "zone of time": ("timezone = 'Asia/Tokyo'", "date", "2020-01-01 23:00Z", "2020-01-02 12:00Z"),
    "form of dates": ("datestyle = 'SQL, DMY'", "text", "2020-03-02 00:00Z", "2020-02-03 00:00Z"),
    "digits": ("extra_float_digits = -15", "float8", "1.0004", "1"),
    "intervals": ("intervalstyle = 'sql_standard'", "interval", "1 day", "2 days"),
    "bytes": ("bytea_output = 'escape'", "bytea", "a", "b"),
    "money": ("lc_monetary = 'C'", "money", "1", "2"),
}


@pytest.mark.parametrize("what", SPELT)
def test_a_readers_own_settings_spell_no_name(server: Server, what: str) -> None:
    setting, kind, shown, hidden = SPELT[what]
    stored = "timestamptz" if kind in ("date", "text") else kind
    made = (
        f"CREATE TABLE spelt (at {stored}, secret bool); INSERT INTO spelt VALUES ('{shown}', false), "
        f"('{hidden}', true); ALTER TABLE spelt ENABLE ROW LEVEL SECURITY; "
        "CREATE POLICY p ON spelt TO bob USING (NOT secret); CREATE VIEW shown WITH (security_invoker) AS "
        f"SELECT at::{kind} AS entity FROM spelt; GRANT SELECT ON spelt, shown TO PUBLIC"
    )
    with planted(server, made, "DROP TABLE spelt CASCADE", "owner"):
        before = seen_by_bob(server, "shown", login=True)
        assert len(before) == 1
        with planted(server, f"ALTER ROLE bob SET {setting}", "ALTER ROLE bob RESET ALL"):
            assert (
                seen_by_bob(server, "shown", login=True) == before == seen_by_bob(server, "shown")
            )


def test_every_setting_that_a_login_may_set_is_the_services(server: Server) -> None:
    made = (
        "CREATE FUNCTION bob.own() RETURNS SETOF text LANGUAGE sql AS "
        "$$ SELECT name FROM pg_settings WHERE source IN ('user', 'database', 'database user') $$"
    )
    with planted(server, made, "DROP FUNCTION bob.own; ALTER ROLE bob RESET ALL"):
        with psycopg.connect(server.dsn("bob"), autocommit=True) as bob:
            for name, value in (("array_nulls", "off"), ("xmlbinary", "hex"), ("geqo", "off")):
                bob.execute(f"ALTER ROLE bob SET {name} = '{value}'")
        with PostgresEntities(server.dsn(), Tables(entities="diseases")) as service:
            found = as_login(
                server.dsn("{reader}"), "bob", "SELECT bob.own()", 5, 5, service._connection
            )
        assert found == []


@pytest.mark.parametrize(
    ("tables", "kind"),
    [
        ({"weight": "w"}, "invalid text representation"),
        ({"weight": "z"}, "division by zero"),
    ],
)
def test_an_error_says_nothing_that_stands_in_the_database(
    server: Server, tables: dict[str, str], kind: str
) -> None:
    query = "SELECT entity, term, term AS w, 1 / (length(term) - length(term)) AS z FROM public.contexts"
    with (
        PostgresEntities(
            server.dsn(), Tables(entities="diseases", contexts=query, **tables)
        ) as clinic,
        pytest.raises(InputError, match=kind) as told,
    ):
        clinic.entity("HIV")
    assert not any(sign in str(told.value) for sign in SIGNS["HIV"])


def test_a_role_that_a_row_names_is_not_told(server: Server) -> None:
    query = "SELECT entity FROM public.diseases WHERE pg_has_role(entity::name, 'MEMBER')"
    with pytest.raises(InputError, match="undefined object") as told:
        PostgresEntities(server.dsn(), Tables(entities=query)).close()
    assert not any(name in str(told.value) for name in SIGNS)
