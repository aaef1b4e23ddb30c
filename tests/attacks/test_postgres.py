"""A reader who may make objects in the organisation's database makes some that act for him."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from sfumato import InputError, sanitize
from sfumato.know.entities.logins import as_role, asking, pin
from sfumato.know.entities.owners import judge
from sfumato.know.entities.postgres import PostgresEntities, Tables, rows
from tests.clinic import SIGNS
from tests.postgres import Server, psycopg, serving

NOTE = "Weight loss, sweating, fatigue and fever: it may be HIV."
SETUP = """
CREATE TABLE diseases (entity text PRIMARY KEY, secret bool);
CREATE TABLE contexts (entity text, term text);
CREATE TABLE written (what text);
CREATE ROLE service LOGIN BYPASSRLS;
CREATE ROLE alice LOGIN; CREATE ROLE bob LOGIN;
GRANT alice, bob, pg_read_all_data TO service;
GRANT SELECT ON diseases, contexts TO service;
GRANT SELECT ON diseases TO alice, bob;
GRANT INSERT ON written TO PUBLIC;
ALTER TABLE diseases ENABLE ROW LEVEL SECURITY;
CREATE POLICY everything ON diseases TO alice USING (true);
CREATE POLICY open_rows ON diseases TO bob USING (NOT secret);
CREATE SCHEMA bob AUTHORIZATION bob;
"""
ALL = "SELECT unnest(ARRAY['HIV', 'Tuberculosis', 'Lymphoma', 'Flu']) AS entity"
LEAVES = """
CREATE FUNCTION bob.leaves() RETURNS TABLE (entity text) LANGUAGE plpgsql {settings} AS $$ BEGIN
  {leave};
  RETURN QUERY EXECUTE 'SELECT d.entity FROM public.diseases d';
END $$;
"""


@contextmanager
def clinic_server() -> Iterator[Server]:
    with serving() as made:
        with psycopg.connect(made.dsn("owner")) as owner:
            owner.execute(SETUP)
            for entity, signs in SIGNS.items():
                secret = entity in ("HIV", "Tuberculosis")
                owner.execute("INSERT INTO diseases VALUES (%s, %s)", (entity, secret))
                for sign in signs:
                    owner.execute("INSERT INTO contexts VALUES (%s, %s)", (entity, sign))
        yield made


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with clinic_server() as made:
        yield made


@contextmanager
def planted(server: Server, objects: str, undo: str, user: str = "bob") -> Iterator[None]:
    with psycopg.connect(server.dsn(user), autocommit=True) as connection:
        connection.execute(objects)
        try:
            yield
        finally:
            connection.execute(undo)


def asked_as_bob(server: Server, query: str, seconds: int) -> list[str]:
    with asking(server.dsn(), 5, read_only=False) as service:
        pin(service, seconds)
        return as_role(service, "bob", query)


def hidden_from_bob(server: Server, entities: str = "diseases") -> list[str]:
    with PostgresEntities(server.dsn(), Tables(entities=entities)) as clinic:
        return clinic.names(clinic.protected("bob"))


def test_the_reader_who_may_see_everything_gets_the_note(server: Server) -> None:
    step = {"k": 2, "entities": server.dsn(), "tables": {"entities": "diseases"}}
    rules = {"detect": ["patterns"], "protect": [{"ksafety": step}]}
    assert sanitize(NOTE, rules, reader="alice").text == NOTE
    assert "HIV" not in sanitize(NOTE, rules, reader="bob").text


@pytest.mark.parametrize("kind", ["TABLE", "VIEW", "MATERIALIZED VIEW"])
@pytest.mark.parametrize("entities", ["diseases", "public.diseases"])
def test_an_object_of_the_same_name_in_the_readers_schema_is_not_asked(
    server: Server, kind: str, entities: str
) -> None:
    with planted(server, f"CREATE {kind} bob.diseases AS {ALL}", f"DROP {kind} bob.diseases"):
        assert hidden_from_bob(server, entities) == ["HIV", "Tuberculosis"]


OWN = {
    "a policy with his way of searching": "CREATE TEXT SEARCH CONFIGURATION bob.mine (COPY = english)",
    "a policy with his dictionary": "CREATE TEXT SEARCH DICTIONARY bob.mine (TEMPLATE = simple)",
    "his table": f"CREATE TABLE bob.mine AS {ALL}",
    "his view": f"CREATE VIEW bob.mine AS {ALL}",
    "a view over his table": f"CREATE TABLE bob.mine AS {ALL}",
    "a view over a view over his function": "CREATE FUNCTION bob.mine() RETURNS TABLE (entity text) "
    f"LANGUAGE sql AS $$ {ALL} $$",
    "a policy that asks his function": "CREATE FUNCTION bob.may(text) RETURNS bool LANGUAGE sql "
    "AS 'SELECT true'",
    "a view with his operator": "CREATE FUNCTION bob.yes(text, text) RETURNS bool LANGUAGE sql AS "
    "'SELECT true'; CREATE OPERATOR bob.= (LEFTARG = text, RIGHTARG = text, FUNCTION = bob.yes)",
    "a view with his domain": "CREATE DOMAIN bob.mine AS text",
    "a policy with his type": "CREATE TYPE bob.mine AS ENUM ('HIV', 'Flu')",
}
THEIRS = {
    "a policy with his way of searching": "CREATE TABLE theirs AS SELECT * FROM diseases; "
    "ALTER TABLE theirs ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON theirs "
    "USING (NOT to_tsvector('bob.mine'::regconfig, entity) @@ 'hiv')",
    "a policy with his dictionary": "CREATE TEXT SEARCH CONFIGURATION ours (COPY = english); "
    "ALTER TEXT SEARCH CONFIGURATION ours ALTER MAPPING FOR asciiword WITH bob.mine; "
    "CREATE TABLE theirs AS SELECT * FROM diseases; ALTER TABLE theirs ENABLE ROW LEVEL SECURITY; "
    "CREATE POLICY p ON theirs USING (NOT to_tsvector('ours'::regconfig, entity) @@ 'hiv')",
    "a view over his table": "CREATE VIEW theirs AS SELECT * FROM bob.mine",
    "a view over a view over his function": "CREATE VIEW inner_one AS SELECT * FROM bob.mine(); "
    "CREATE VIEW theirs AS SELECT * FROM inner_one",
    "a policy that asks his function": "CREATE TABLE theirs AS SELECT * FROM diseases; "
    "ALTER TABLE theirs ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON theirs USING (bob.may(entity))",
    "a view with his operator": "CREATE VIEW theirs AS SELECT * FROM diseases "
    "WHERE entity OPERATOR(bob.=) 'Flu'",
    "a view with his domain": "CREATE VIEW theirs AS SELECT entity::bob.mine::text AS entity FROM diseases",
    "a policy with his type": "CREATE TABLE theirs AS SELECT entity, 'HIV'::bob.mine AS kind FROM diseases; "
    "ALTER TABLE theirs ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON theirs USING (entity = kind::text)",
}


@contextmanager
def theirs(server: Server, what: str) -> Iterator[None]:
    make = "DROP SCHEMA bob CASCADE; DROP TABLE IF EXISTS theirs CASCADE; CREATE SCHEMA bob AUTHORIZATION bob"
    with (
        planted(server, "GRANT USAGE ON SCHEMA bob TO PUBLIC", make, "owner"),
        planted(server, OWN[what], "SELECT 1"),
        planted(server, "GRANT SELECT ON ALL TABLES IN SCHEMA bob TO PUBLIC", "SELECT 1", "owner"),
        planted(server, THEIRS.get(what, "SELECT 1"), "SELECT 1", "owner"),
        planted(
            server, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO service", "SELECT 1", "owner"
        ),
    ):
        yield


@pytest.mark.parametrize("what", OWN)
def test_what_belongs_to_the_reader_says_nothing_of_his_rights(server: Server, what: str) -> None:
    with theirs(server, what), pytest.raises(InputError, match="which belongs to the reader 'bob'"):
        hidden_from_bob(server, "theirs" if what in THEIRS else "bob.mine")


QUERIES = {
    "his table": "SELECT entity FROM bob.mine",
    "his view": "WITH a AS (SELECT entity FROM bob.mine) SELECT entity FROM a",
    "a view over his table": "SELECT entity FROM public.theirs",
    "a policy that asks his function": "SELECT entity FROM public.diseases WHERE bob.may(entity)",
    "a view with his operator": "SELECT entity FROM public.diseases WHERE entity OPERATOR(bob.=) 'Flu'",
    "a view with his domain": "SELECT entity::bob.mine::text AS entity FROM public.diseases",
}


@pytest.mark.parametrize("what", QUERIES)
def test_a_query_depends_on_nothing_of_the_readers(server: Server, what: str) -> None:
    with theirs(server, what), pytest.raises(InputError, match="which belongs to the reader 'bob'"):
        hidden_from_bob(server, QUERIES[what])


def test_a_query_over_what_others_own_is_asked(server: Server) -> None:
    query = "SELECT entity FROM public.diseases WHERE entity <> '100 %'"
    assert hidden_from_bob(server, query) == ["HIV", "Tuberculosis"]
    with (
        planted(
            server,
            "REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC",
            "GRANT TEMPORARY ON DATABASE postgres TO PUBLIC",
            "owner",
        ),
        pytest.raises(InputError, match="make a view of the query"),
    ):
        hidden_from_bob(server, query)


def test_a_column_whose_type_is_somebody_elses_is_not_read(server: Server) -> None:
    """His cast would run with the rights of the service."""
    mine = "CREATE TYPE bob.mood AS ENUM ('HIV', 'Flu')"
    table = (
        "CREATE TABLE moods AS SELECT 'HIV'::bob.mood AS entity; GRANT SELECT ON moods TO PUBLIC"
    )
    cast = (
        "CREATE FUNCTION bob.tx(bob.mood) RETURNS text LANGUAGE sql AS $$ SELECT 'Flu' $$; "
        "CREATE CAST (bob.mood AS text) WITH FUNCTION bob.tx(bob.mood)"
    )
    with (
        planted(server, mine, "DROP TYPE bob.mood CASCADE"),
        planted(server, "GRANT USAGE ON SCHEMA bob TO PUBLIC", "DROP TABLE moods", "owner"),
        planted(server, table, "SELECT 1", "owner"),
    ):
        with pytest.raises(InputError, match=r"depends on type bob\.mood"):
            hidden_from_bob(server, "moods")
        with psycopg.connect(server.dsn("bob")) as bob:
            bob.execute(cast)
        for place in ("moods", "SELECT entity FROM public.moods"):
            with pytest.raises(InputError, match=r"depends on function bob\.tx"):
                hidden_from_bob(server, place)


@pytest.mark.parametrize("place", ["distant", "over", "SELECT entity, term FROM public.over"])
def test_a_table_on_another_server_is_not_read_but_its_copy_is(server: Server, place: str) -> None:
    """Whoever has user mappings there, or the other server itself, says what stands in it."""
    make = (
        "CREATE FOREIGN DATA WRAPPER far; CREATE SERVER far FOREIGN DATA WRAPPER far; "
        "CREATE FOREIGN TABLE distant (entity text, term text) SERVER far; CREATE VIEW over AS TABLE distant; "
        "CREATE MATERIALIZED VIEW copied AS TABLE distant WITH NO DATA; GRANT SELECT ON distant, over TO PUBLIC"
    )
    with planted(server, make, "DROP FOREIGN DATA WRAPPER far CASCADE", "owner"):
        with pytest.raises(
            InputError, match=r"foreign table public\.distant, which is on another server"
        ):
            opened_entities(server, place)
        with psycopg.connect(server.dsn("owner")) as owner:
            assert judge(owner, "public", "copied") == ""


def test_names_that_are_no_unicode_and_other_encodings_are_no_fault(server: Server) -> None:
    login = Tables(entities="diseases", reader_login=server.dsn("{reader}"))
    for tables in (Tables(entities="diseases"), login):
        with (
            PostgresEntities(server.dsn(), tables) as clinic,
            pytest.raises(InputError, match="not UTF-8"),
        ):
            clinic.protected("\ud800")
    with (
        planted(
            server, "ALTER ROLE bob SET client_encoding = 'SQL_ASCII'", "ALTER ROLE bob RESET ALL"
        ),
        PostgresEntities(server.dsn(), login) as clinic,
    ):
        assert clinic.names(clinic.protected("bob")) == ["HIV", "Tuberculosis"]


@pytest.mark.parametrize(
    ("leave", "settings"),
    [
        ("PERFORM set_config('role', 'none', true)", ""),
        ("PERFORM set_config('role', 'none', false)", ""),
        ("PERFORM set_config('role', 'service', true)", ""),
        ("PERFORM set_config('session_authorization', 'service', true)", ""),
        ("RESET ROLE", ""),
        ("SET ROLE NONE", ""),
        ("RESET SESSION AUTHORIZATION", ""),
        ("NULL", "SET role = 'none'"),
        ("DISCARD ALL", ""),
        ("ROLLBACK", ""),
    ],
)
def test_the_role_that_asks_cannot_be_left(server: Server, leave: str, settings: str) -> None:
    make = LEAVES.format(leave=leave, settings=settings)
    with planted(server, make, "DROP FUNCTION bob.leaves()"):
        try:
            seen = asked_as_bob(server, "SELECT * FROM bob.leaves()", 5)
        except InputError:
            seen = []
        assert "HIV" not in seen


def test_a_role_that_is_only_set_can_be_left(server: Server) -> None:
    """Why that is not done: the attack is a real one."""
    make = LEAVES.format(leave="PERFORM set_config('role', 'none', true)", settings="")
    with planted(server, make, "DROP FUNCTION bob.leaves()"):
        with psycopg.connect(server.dsn()) as service:
            service.execute("SET ROLE bob")
            seen = {name for (name,) in service.execute("SELECT * FROM bob.leaves()")}
        assert "HIV" in seen


@pytest.mark.parametrize(
    ("objects", "undo"),
    [
        (
            "CREATE FUNCTION bob.yes(text, text) RETURNS bool LANGUAGE sql AS 'SELECT true';"
            "CREATE OPERATOR bob.= (LEFTARG = text, RIGHTARG = text, FUNCTION = bob.yes)",
            "DROP FUNCTION bob.yes CASCADE",
        ),
        (
            "CREATE FUNCTION bob.max(real) RETURNS real LANGUAGE sql AS 'SELECT 9::real'",
            "DROP FUNCTION bob.max",
        ),
        ("CREATE TYPE bob.text AS ENUM ('HIV')", "DROP TYPE bob.text"),
        ("CREATE TABLE bob.pg_class AS SELECT 1 AS oid", "DROP TABLE bob.pg_class"),
    ],
    ids=["operator", "function", "type", "catalogue"],
)
def test_names_of_the_system_mean_the_system_even_on_a_careless_search_path(
    server: Server, objects: str, undo: str
) -> None:
    careless = 'ALTER ROLE service SET search_path = bob, pg_catalog, public, "$user"'
    with (
        planted(server, careless, "ALTER ROLE service RESET search_path", "owner"),
        planted(server, objects, undo),
    ):
        assert hidden_from_bob(server) == ["HIV", "Tuberculosis"]


def test_a_schema_with_the_services_name_makes_the_name_of_a_table_unclear(server: Server) -> None:
    make = "CREATE SCHEMA service AUTHORIZATION bob; GRANT USAGE ON SCHEMA service TO PUBLIC; "
    make += f"CREATE TABLE service.diseases AS {ALL}; GRANT SELECT ON service.diseases TO PUBLIC"
    with planted(server, make, "DROP SCHEMA service CASCADE", "owner"):
        with pytest.raises(
            InputError, match=r"several tables are called 'diseases'.*schema\.table"
        ):
            hidden_from_bob(server)
        assert hidden_from_bob(server, "public.diseases") == ["HIV", "Tuberculosis"]


@pytest.mark.parametrize("reader", ["pg_read_all_data", "pg_monitor", "PUBLIC", "current_user"])
def test_a_role_of_the_system_is_no_reader(server: Server, reader: str) -> None:
    with (
        PostgresEntities(server.dsn(), Tables(entities="diseases")) as clinic,
        pytest.raises(InputError, match="is no role that this login can take on"),
    ):
        clinic.visible(reader)


def test_row_security_cannot_be_switched_off_for_the_next_question(server: Server) -> None:
    make = """
    CREATE FUNCTION bob.sets() RETURNS text LANGUAGE plpgsql AS $$ BEGIN
      PERFORM set_config('search_path', 'bob, pg_catalog', false);
      PERFORM set_config('row_security', 'off', false); RETURN 'done'; END $$;
    """
    with (
        planted(server, make, "DROP FUNCTION bob.sets"),
        PostgresEntities(server.dsn(), Tables(entities="diseases")) as clinic,
    ):
        assert asked_as_bob(server, "SELECT bob.sets()", 5) == ["done"]
        assert clinic.names(clinic.protected("bob")) == ["HIV", "Tuberculosis"]


def test_nothing_is_written_while_a_reader_is_asked(server: Server) -> None:
    make = """
    CREATE FUNCTION bob.writes() RETURNS text LANGUAGE plpgsql AS $$ BEGIN
      {}; INSERT INTO public.written VALUES ('x'); RETURN 'done'; END $$;
    """
    for first in ("NULL", "SET TRANSACTION READ WRITE", "SET transaction_read_only = off"):
        with (
            planted(server, make.format(first), "DROP FUNCTION bob.writes"),
            pytest.raises(InputError, match=r"read-write|read-only"),
        ):
            asked_as_bob(server, "SELECT bob.writes()", 5)
    left = "SELECT (SELECT count(*) FROM written), (SELECT count(*) FROM pg_proc WHERE proname ~ '^sfumato')"
    with psycopg.connect(server.dsn("owner")) as owner:
        assert owner.execute(left).fetchone() == (0, 0)


def test_a_reader_cannot_keep_the_service_waiting(server: Server) -> None:
    make = """
    CREATE FUNCTION bob.sleeps() RETURNS text LANGUAGE plpgsql AS $$ BEGIN
      PERFORM set_config('statement_timeout', '0', false); PERFORM pg_sleep(60); RETURN ''; END $$;
    """
    with (
        planted(server, make, "DROP FUNCTION bob.sleeps"),
        pytest.raises(InputError, match="statement timeout"),
    ):
        asked_as_bob(server, "SELECT bob.sleeps()", 1)


def test_without_temporary_objects_the_reader_logs_in(server: Server) -> None:
    login = server.dsn("{reader}")
    with planted(
        server,
        "REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC",
        "GRANT TEMPORARY ON DATABASE postgres TO PUBLIC",
        "owner",
    ):
        with pytest.raises(InputError, match=r"grant TEMPORARY.*tables\.reader_login"):
            hidden_from_bob(server)
        tables = Tables(entities="diseases", reader_login=login)
        with PostgresEntities(server.dsn(), tables) as clinic:
            assert clinic.names(clinic.protected("bob")) == ["HIV", "Tuberculosis"]
            assert len(clinic.protected("alice")) == 0
            for stranger in ("none", "bob@other", "bob?user=owner", ""):
                with pytest.raises(InputError, match=r"refuses the login|another role"):
                    clinic.visible(stranger)
    with (
        PostgresEntities(
            server.dsn(), Tables(entities="diseases", reader_login=server.dsn("owner"))
        ) as clinic,
        pytest.raises(InputError, match=r"write \{reader\}"),
    ):
        clinic.visible("bob")


LISTENS = """
CREATE FUNCTION bob.tidy(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN
  RAISE LOG 'it is read by %', current_user; RETURN $1; END $$;
CREATE VIEW bob.mine AS SELECT 'HIV'::text AS entity, 'fever'::text AS term, 'protected'::text AS label
"""
PLACES = {
    "a function in a view": Tables(entities="public.theirs"),
    "a function that a plan may ask": Tables(entities="public.folded"),
    "a function in the contexts": Tables(
        entities="diseases", contexts="public.theirs", term="entity"
    ),
    "a function in the labels": Tables(entities="diseases", labels="public.theirs", label="entity"),
    "contexts of his own": Tables(entities="diseases", contexts="bob.mine"),
    "labels of his own": Tables(entities="diseases", labels="bob.mine"),
    "a query over them": Tables(entities="diseases", contexts="SELECT entity, term FROM bob.mine"),
    "a query with the function": Tables(
        entities="diseases",
        labels="SELECT bob.tidy(entity) AS entity, '' AS label FROM public.diseases",
    ),
}


@pytest.mark.parametrize("reader_login", [False, True])
@pytest.mark.parametrize("what", PLACES)
def test_nothing_of_a_readers_runs_as_the_service(
    server: Server, what: str, reader_login: bool
) -> None:
    """Not for another reader, nor before anybody is asked for: the database is not even opened."""
    made = (
        "GRANT USAGE ON SCHEMA bob TO PUBLIC; "
        "CREATE VIEW theirs AS SELECT bob.tidy(entity) AS entity FROM diseases; CREATE VIEW folded AS "
        "SELECT bob.tidy('x') AS entity; GRANT SELECT ON ALL TABLES IN SCHEMA public, bob TO PUBLIC"
    )
    undo = "DROP SCHEMA bob CASCADE; CREATE SCHEMA bob AUTHORIZATION bob"
    tables = PLACES[what]
    if reader_login:  # then nothing tells who the readers are
        tables = tables.model_copy(update={"reader_login": server.dsn("{reader}")})
    no_member = ("REVOKE bob FROM service", "GRANT bob TO service")
    rights = (
        no_member
        if reader_login and "his own" not in what and "them" not in what
        else ("SELECT 1",) * 2
    )
    with (
        planted(server, LISTENS, "SELECT 1"),
        planted(server, made, undo, "owner"),
        planted(server, *rights, "owner"),
        pytest.raises(InputError, match=r"depends on .* bob\.(tidy|mine).*'bob'"),
    ):
        PostgresEntities(server.dsn(), tables).close()
    assert "it is read by service" not in (server.folder / "log").read_text()


def test_whoever_owns_what_the_settings_name_may_have_a_login(server: Server) -> None:
    make = (
        "CREATE ROLE clinic LOGIN; CREATE SCHEMA clinic AUTHORIZATION clinic; SET ROLE clinic; "
        "CREATE TABLE clinic.kept AS SELECT 'HIV' AS entity, 'fever' AS term; "
        "CREATE FUNCTION clinic.tidy(text) RETURNS text RETURN $1; "
        "CREATE VIEW clinic.shown AS SELECT clinic.tidy(entity) AS entity, term FROM clinic.kept; "
        "GRANT USAGE ON SCHEMA clinic TO service, bob; GRANT SELECT ON clinic.shown TO service, bob; RESET ROLE"
    )
    with planted(server, make, "DROP SCHEMA clinic CASCADE; DROP ROLE clinic", "owner"):
        for place in ("clinic.shown", "SELECT entity, term FROM clinic.shown"):
            with PostgresEntities(server.dsn(), Tables(contexts=place)) as clinic:
                assert clinic.names(clinic.visible("bob")) == ["HIV"]
        with (
            planted(server, "GRANT clinic TO service", "REVOKE clinic FROM service", "owner"),
            pytest.raises(InputError, match="belongs to the reader 'clinic'"),
        ):
            PostgresEntities(server.dsn(), Tables(contexts="clinic.shown")).close()


# What hangs on a table is planned, run or filled with it, whoever has made it.
HANGING = {
    "a partition": "CREATE TABLE bob.mine PARTITION OF parts FOR VALUES IN (true)",
    "a child": "CREATE TABLE bob.mine () INHERITS (parts_f)",
    "an index": "CREATE INDEX ON parts_f ((bob.tidy(entity)))",
    "a partial index of a partition": "CREATE INDEX ON parts_f (entity) WHERE bob.tidy('x') = 'x'",
    "a check": "ALTER TABLE parts_f ADD CHECK (bob.tidy('x') = 'x')",
    "statistics": "CREATE STATISTICS many ON (bob.tidy(entity)), secret FROM parts_f",
    "statistics of his own": "CREATE STATISTICS bob.mine ON entity, secret FROM parts_f",
    "a rule": "CREATE RULE more AS ON UPDATE TO parts_f DO ALSO SELECT bob.tidy(entity) FROM diseases",
    "a trigger": "CREATE FUNCTION bob.fill() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; "
    "CREATE TRIGGER fill BEFORE INSERT ON parts_f FOR EACH ROW EXECUTE FUNCTION bob.fill()",
    "a policy": "CREATE POLICY all_rows ON parts_f USING (bob.tidy(entity) = entity)",
}
PARTS = (
    "CREATE TABLE parts (entity text, secret bool) PARTITION BY LIST (secret); "
    "CREATE TABLE parts_f (entity text, secret bool); {} ;"
    "GRANT SELECT ON parts, parts_f TO PUBLIC; GRANT USAGE ON SCHEMA bob TO PUBLIC"
)
ATTACH = "ALTER TABLE parts ATTACH PARTITION parts_f FOR VALUES IN (false)"
UNDO = "DROP TABLE parts, parts_f CASCADE; DROP SCHEMA bob CASCADE; CREATE SCHEMA bob AUTHORIZATION bob"


@pytest.mark.parametrize("what", HANGING)
def test_nothing_of_a_readers_hangs_on_a_table(server: Server, what: str) -> None:
    made = f"{HANGING[what]}; " + ("" if what == "a child" else ATTACH)
    given = {"a partition": "TABLE bob.mine", "a child": "TABLE bob.mine"}
    given |= {"a trigger": "FUNCTION bob.fill()", "statistics of his own": "STATISTICS bob.mine"}
    if what in given:
        made += f"; ALTER {given[what]} OWNER TO bob"
    place = "public.parts_f" if what == "a child" else "public.parts"
    query = f"SELECT entity, entity AS term FROM {place}"
    with (
        planted(server, LISTENS.partition("CREATE VIEW")[0], "SELECT 1"),
        planted(server, PARTS.format(made), UNDO, "owner"),
    ):
        for found in (place, query):
            with pytest.raises(InputError, match=r"depends on .* bob\.(tidy|mine|fill).*'bob'"):
                PostgresEntities(server.dsn(), Tables(entities=found)).close()
        for found in (f"table {place}", query):
            with pytest.raises(InputError, match="nothing was read"), rows(server.dsn(), found):
                pass
    assert "it is read by service" not in (server.folder / "log").read_text()


def test_a_partition_is_read_though_another_one_is_a_readers(server: Server) -> None:
    made = f"{ATTACH}; {HANGING['a partition']}; ALTER TABLE bob.mine OWNER TO bob; CREATE INDEX ON parts (entity)"
    with planted(server, PARTS.format(made), UNDO, "owner"):
        PostgresEntities(server.dsn(), Tables(entities="public.parts_f")).close()
        with rows(server.dsn(), "TABLE public.parts_f;") as (header, _):
            assert header == ["entity", "secret"]


def test_a_copy_is_not_made_through_what_a_reader_owns(server: Server) -> None:
    made = (
        "GRANT USAGE ON SCHEMA bob TO PUBLIC; CREATE VIEW theirs AS SELECT bob.tidy(entity) AS entity "
        "FROM diseases; GRANT SELECT ON theirs TO PUBLIC"
    )
    undo = "DROP SCHEMA bob CASCADE; CREATE SCHEMA bob AUTHORIZATION bob"
    asked = "SELECT entity, entity FROM public.theirs -- both"
    with planted(server, LISTENS, "SELECT 1"), planted(server, made, undo, "owner"):
        for query in (asked, "TABLE public.theirs", "SELECT bob.tidy('x') AS entity"):
            with (
                pytest.raises(InputError, match=r"the query depends on function bob\.tidy.*'bob'"),
                rows(server.dsn(), query),
            ):
                pass
    assert "it is read by service" not in (server.folder / "log").read_text()
    with rows(server.dsn(), asked.replace("theirs", "diseases")) as (header, _):
        assert header == ["entity", "entity"]


@pytest.mark.parametrize("what", ["entities", "contexts", "labels"])
def test_a_place_is_judged_as_it_is_asked_however_it_is_spelt(server: Server, what: str) -> None:
    cut = "t" * 63  # the server cuts longer names
    columns = "bob.tidy(entity) AS entity, '' AS term, '' AS label"
    made = "; ".join(
        f"CREATE VIEW {name} AS SELECT {columns} FROM diseases; GRANT SELECT ON {name} TO PUBLIC"
        for name in ("theirs", cut, '"ÄRZTE"', "ärzte")
    )
    undo = "DROP SCHEMA bob CASCADE; CREATE SCHEMA bob AUTHORIZATION bob"
    with (
        planted(server, LISTENS, "SELECT 1"),
        planted(server, f"GRANT USAGE ON SCHEMA bob TO PUBLIC; {made}", undo, "owner"),
    ):
        for place in (
            *(
                "public.theirs;",
                " public.theirs ; ",
                "\tpublic.theirs\n;;",
                "postgres.public.theirs",
            ),
            *(f"public.{cut}", f"public.{cut}ttt", f"{cut}ttt", "public.ÄRZTE", "public.ärzte;"),
            *("PUBLIC.theirs", 'public."theirs"', "TABLE public.theirs", "(TABLE public.theirs)"),
        ):
            places = {"contexts": "public.contexts", "entities": "public.diseases", what: place}
            with pytest.raises(InputError):
                PostgresEntities(server.dsn(), Tables(**places)).close()
        for query in (
            *("TABLE public.ÄRZTE", "TABLE public.ärzte", f"TABLE public.{cut}ttt"),
            *("TABLE ONLY public.theirs", "TABLE postgres.public.theirs", "table PUBLIC.THEIRS ;;"),
        ):
            with pytest.raises(InputError), rows(server.dsn(), query):
                pass
    assert "it is read by service" not in (server.folder / "log").read_text()


def test_a_cast_that_nobody_asks_for_stops_nobody(server: Server) -> None:
    """Whoever may use a type can say what of his own it is to be cast to."""
    made = (
        "CREATE TYPE mood AS ENUM ('HIV', 'Flu'); CREATE TABLE felt AS SELECT entity::mood AS entity, "
        "'' AS term FROM diseases WHERE entity IN ('HIV', 'Flu'); GRANT SELECT ON felt TO PUBLIC"
    )
    cast = (
        "CREATE TYPE bob.t AS (x text); CREATE FUNCTION bob.c(public.mood) RETURNS bob.t LANGUAGE sql AS "
        "$$ SELECT ROW('x')::bob.t $$; CREATE CAST (public.mood AS bob.t) WITH FUNCTION bob.c(public.mood)"
    )
    undo = "DROP SCHEMA bob CASCADE; CREATE SCHEMA bob AUTHORIZATION bob"
    with (
        planted(server, made, "DROP TABLE felt; DROP TYPE mood CASCADE", "owner"),
        planted(server, "SELECT 1", undo, "owner"),
        planted(server, cast, "SELECT 1"),
    ):
        tables = Tables(entities="public.felt", contexts="public.felt")
        with PostgresEntities(server.dsn(), tables) as entities:
            assert len(entities) == 2


@pytest.mark.parametrize("to", ["bob", "PUBLIC", "staff"])
@pytest.mark.parametrize(
    "asked",
    [
        "SELECT shared.norm(entity) AS entity, term FROM public.contexts",
        "SELECT entity, term FROM public.contexts "
        "WHERE entity::shared.citext OPERATOR(shared.=) entity::shared.citext",
        "WITH n AS (SELECT shared.norm(entity) AS entity, term FROM public.contexts) SELECT * FROM n",
    ],
)
def test_a_query_calls_nothing_that_others_can_put_another_beside(
    server: Server, asked: str, to: str
) -> None:
    """It is read once to be judged, and again to be asked: his own may fit better by then."""
    made = (
        "CREATE SCHEMA shared; GRANT USAGE ON SCHEMA shared TO PUBLIC; CREATE ROLE staff; GRANT staff TO bob; "
        "CREATE FUNCTION shared.norm(text) RETURNS text RETURN upper($1); CREATE EXTENSION citext SCHEMA shared"
    )
    with planted(server, made, "DROP SCHEMA shared CASCADE; DROP ROLE staff", "owner"):
        PostgresEntities(server.dsn(), Tables(contexts=asked)).close()
        with rows(server.dsn(), asked):
            pass
        with psycopg.connect(server.dsn("owner")) as owner:
            owner.execute(f"GRANT CREATE ON SCHEMA shared TO {to}")
        with pytest.raises(InputError, match="where others can be made by"):
            PostgresEntities(server.dsn(), Tables(contexts=asked)).close()
        with pytest.raises(InputError, match="where others can"), rows(server.dsn(), asked):
            pass


# What the text of a body names is looked up when it runs: nothing in the catalogue says what that is.
TEXTS = {
    "a harmless one": "LANGUAGE sql AS 'SELECT upper($1)'",
    "a call": "LANGUAGE sql AS 'SELECT shared.helper($1)'",
    "a call in plpgsql": "LANGUAGE plpgsql AS 'BEGIN RETURN SHARED . helper($1); END'",
    "a name in codes": """LANGUAGE sql AS 'SELECT U&"\\0073hared".helper($1)'""",
    "a search path": "LANGUAGE sql SET search_path = pg_catalog, shared AS 'SELECT helper($1)'",
    "a search path of whoever asks": """LANGUAGE sql SET search_path = "$user", shared AS 'SELECT helper($1)'""",
    "a search path that is computed": "LANGUAGE plpgsql AS 'BEGIN "
    "PERFORM set_config(''search_path'', ''sha'' || ''red'', true); RETURN helper($1); END'",
    "words made at run time": "LANGUAGE plpgsql AS 'DECLARE s text; BEGIN "
    "EXECUTE ''SELECT sha'' || ''red.helper($1)'' INTO s USING $1; RETURN s; END'",
    "one of the system's by another name": "LANGUAGE internal AS 'upper'",
}
READ = {
    "a call": "RETURN shared.helper($1)",
    "a query": "BEGIN ATOMIC SELECT max(entity) FROM ours.signs WHERE entity = $1; END",
    "a path that changes nothing": "SET search_path = shared RETURN shared.helper($1)",
}
IN_BODIES = """
CREATE SCHEMA shared; CREATE SCHEMA ours; GRANT USAGE ON SCHEMA shared, ours TO PUBLIC;
CREATE TABLE ours.signs AS TABLE public.contexts;
CREATE FUNCTION shared.helper(text) RETURNS text RETURN upper($1);
CREATE FUNCTION ours.norm(text) RETURNS text {};
CREATE FUNCTION ours.outer_one(text) RETURNS text RETURN ours.norm($1);
CREATE VIEW ours.shown AS SELECT ours.outer_one(entity) AS entity, term FROM ours.signs;
CREATE TABLE ours.kept AS TABLE public.contexts; ALTER TABLE ours.kept ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON ours.kept USING (ours.outer_one(entity) <> '');
CREATE MATERIALIZED VIEW ours.copied AS SELECT entity, ours.norm(term) AS term FROM ours.signs;
GRANT SELECT ON ALL TABLES IN SCHEMA ours TO PUBLIC;
"""
ASKED = ("ours.shown", "SELECT ours.norm(entity) AS entity, term FROM ours.signs")
NO_BODIES = "DROP SCHEMA shared, ours CASCADE"


@pytest.mark.parametrize("body", TEXTS)
def test_a_body_that_is_a_text_runs_for_nobody(server: Server, body: str) -> None:
    with planted(server, IN_BODIES.format(TEXTS[body]), NO_BODIES, "owner"):
        for asked in ASKED:
            with pytest.raises(
                InputError, match=r"ours\.norm\(text\), whose body is a text.*BEGIN ATOMIC"
            ):
                opened_entities(server, asked)
            if asked != "ours.shown":
                with pytest.raises(InputError, match="nothing was read"), rows(server.dsn(), asked):
                    pass
        with (
            PostgresEntities(server.dsn(), Tables(contexts="ours.kept")) as kept,
            pytest.raises(InputError, match=r"a text.*or set tables\.reader_login"),
        ):
            kept.visible("bob")
        login = Tables(contexts="ours.kept", reader_login=server.dsn("{reader}"))
        with PostgresEntities(server.dsn(), login) as kept, suppress(InputError):
            assert len(kept.visible("bob")) > 0  # his own session, with his own rights


def test_what_has_filled_a_table_has_run_before(server: Server) -> None:
    """A materialized view, a default, a trigger and a check are their owner's business."""
    more = (
        "; ALTER TABLE ours.kept ADD at timestamptz DEFAULT clock_timestamp(), ADD number serial, "
        "ADD CHECK (ours.norm(entity) <> ''); CREATE FUNCTION ours.fill() RETURNS trigger LANGUAGE plpgsql "
        "AS 'BEGIN RETURN NEW; END'; CREATE TRIGGER fill BEFORE INSERT ON ours.kept FOR EACH ROW "
        "EXECUTE FUNCTION ours.fill(); DROP POLICY p ON ours.kept"
    )
    made = IN_BODIES.format(TEXTS["a harmless one"]) + more
    with planted(server, made, NO_BODIES, "owner"):
        for place in ("ours.copied", "ours.kept"):
            with PostgresEntities(server.dsn(), Tables(contexts=place)) as opened:
                assert len(opened) > 0
                opened.visible("bob")


@pytest.mark.parametrize("body", READ)
def test_what_a_body_calls_that_was_read_when_it_was_made_is_nobody_elses(
    server: Server, body: str
) -> None:
    with planted(server, IN_BODIES.format(READ[body]), NO_BODIES, "owner"):
        with psycopg.connect(server.dsn("owner")) as owner:
            owner.execute("GRANT CREATE ON SCHEMA shared TO bob")
        for asked in (*ASKED, "ours.kept"):
            with PostgresEntities(server.dsn(), Tables(contexts=asked)) as opened:
                assert len(opened.visible("bob")) == len(opened) > 0
        of = "TABLE ours.signs" if body == "a query" else "FUNCTION shared.helper"
        with psycopg.connect(server.dsn("owner")) as owner:
            owner.execute(f"ALTER {of} OWNER TO bob")
        for asked in (*ASKED, "ours.kept"):
            with pytest.raises(InputError, match="belongs to the reader 'bob'"):
                opened_entities(server, asked)


RUNNING = {
    "a query": "query_to_xml('TABLE sha' || 'red.t', true, true, '')",
    "a query in an operator": "'TABLE sha'::text OPERATOR(ours.!!) 'red.t'::text",
    "a query in an aggregate": "(SELECT ours.rewritten('SELECT q, q FROM sha' || 'red.t'))",
    "a query in a default": "ours.by_default()",
    "a table": "table_to_xml((SELECT max(oid) FROM pg_class WHERE relname = 't'), true, true, '')",
    "a schema": "schema_to_xml('shared', true, true, '')",
    "a statistic": "(SELECT count(*) FROM ts_stat('SELECT v FROM shared.t'))",
    "a search that is rewritten": "ts_rewrite('a'::tsquery, 'SELECT q, q FROM shared.t')",
    "a type's check": "num_nulls(domain_in('x', (SELECT max(oid) FROM pg_type WHERE typname = 'd'), -1))",
    "a name that is looked up": "(entity || term)::regclass",
    "names that are looked up": "(entity || term)::regconfig[]",
    "a setting": "current_setting('search_path')",
    "the session": "(SELECT count(*) FROM pg_stat_activity)",
    "a domain that asks": "entity::ours.asks",
    "words that are searched for as it is set": "to_tsvector(entity)",
    "a file": "pg_read_file('x')",
}


@pytest.mark.parametrize("what", RUNNING)
def test_what_looks_at_more_than_its_arguments_runs_for_nobody(server: Server, what: str) -> None:
    made = (
        "CREATE SCHEMA shared; CREATE SCHEMA ours; CREATE DOMAIN shared.d AS text; "
        "CREATE VIEW shared.t AS SELECT to_tsvector('a') AS v, 'a'::tsquery AS q; "
        "CREATE FUNCTION ours.both(text, text) RETURNS xml RETURN query_to_xml($1 || $2, true, true, ''); "
        "CREATE OPERATOR ours.!! (FUNCTION = ours.both, LEFTARG = text, RIGHTARG = text); "
        "CREATE FUNCTION ours.by_default(xml DEFAULT query_to_xml('TABLE shared.t', true, true, '')) "
        "RETURNS xml RETURN $1; CREATE DOMAIN ours.asks AS text CHECK (VALUE <> current_setting('a.b', true)); "
        "CREATE AGGREGATE ours.rewritten(text) (SFUNC = ts_rewrite, STYPE = tsquery, INITCOND = 'a'); "
        f"CREATE VIEW ours.shown AS SELECT entity, {RUNNING[what]}::text AS term FROM public.contexts; "
        "CREATE TABLE ours.kept AS TABLE public.contexts; ALTER TABLE ours.kept ENABLE ROW LEVEL SECURITY; "
        f"CREATE POLICY p ON ours.kept USING ({RUNNING[what]} IS NOT NULL); "
        "GRANT USAGE ON SCHEMA shared, ours TO PUBLIC; "
        "GRANT SELECT ON ALL TABLES IN SCHEMA shared, ours TO PUBLIC"
    )
    query = f"SELECT entity, {RUNNING[what]}::text AS term FROM public.contexts"
    with planted(server, made, NO_BODIES, "owner"):
        for asked in ("ours.shown", query):
            with pytest.raises(
                InputError, match=r"which (calls|asks|is neither) .*nothing was read"
            ):
                opened_entities(server, asked)
        with pytest.raises(InputError, match="nothing was read"), rows(server.dsn(), query):
            pass
        with (
            PostgresEntities(server.dsn(), Tables(contexts="ours.kept")) as kept,
            pytest.raises(
                InputError, match=r"which (calls|asks|is neither) .*or set tables\.reader_login"
            ),
        ):
            kept.visible("bob")


def opened_entities(server: Server, contexts: str) -> int:
    with PostgresEntities(server.dsn(), Tables(contexts=contexts)) as entities:
        return len(entities)


HARMLESS = {
    "members": "CREATE TABLE ours.members (who name, what text); GRANT SELECT ON ours.members TO PUBLIC; "
    "CREATE TABLE ours.place AS TABLE public.contexts; ALTER TABLE ours.place ENABLE ROW LEVEL SECURITY; "
    "CREATE POLICY p ON ours.place USING (entity IN (SELECT what FROM ours.members WHERE who = current_user) "
    "OR pg_has_role('alice', 'MEMBER') OR EXISTS (SELECT FROM pg_roles WHERE rolname = entity))",
    "a view with the rights of who asks": "CREATE TABLE ours.t AS TABLE public.contexts; CREATE VIEW ours.place "
    "WITH (security_invoker) AS SELECT initcap(lower(entity)) AS entity, concat(term, '') AS term FROM ours.t",
    "parts, types and times": "CREATE TYPE ours.kind AS ENUM ('a', 'b'); CREATE DOMAIN ours.word AS text "
    "CHECK (VALUE ~ '.'); CREATE TABLE ours.t (entity ours.word, term text, kind ours.kind, at timestamptz "
    "DEFAULT now()) PARTITION BY LIST (kind); CREATE TABLE ours.t_a PARTITION OF ours.t FOR VALUES IN ('a'); "
    "INSERT INTO ours.t SELECT entity, term, 'a' FROM public.contexts; CREATE INDEX ON ours.t (lower(term)); "
    "CREATE VIEW ours.place AS SELECT entity, string_agg(DISTINCT term, ' ' ORDER BY term) AS term FROM ours.t "
    "WHERE at <= now() AND to_char(at, 'YYYY') > '1999' AND kind = 'b'::text::ours.kind OR at::date <= CURRENT_DATE "
    "GROUP BY entity HAVING count(*) > 0",
    "words without case": "CREATE EXTENSION citext SCHEMA ours; CREATE TABLE ours.t (entity ours.citext PRIMARY "
    "KEY, term text); INSERT INTO ours.t SELECT DISTINCT ON (entity) * FROM public.contexts; CREATE VIEW "
    "ours.place AS SELECT * FROM ours.t WHERE entity OPERATOR(ours.<>) 'x'::ours.citext",
}


@pytest.mark.parametrize("what", HARMLESS)
def test_what_can_be_judged_is_read(server: Server, what: str) -> None:
    """Also where everybody may make things in a schema that no place is in."""
    made = (
        f"GRANT CREATE ON SCHEMA public TO PUBLIC; CREATE SCHEMA ours; {HARMLESS[what]}; GRANT USAGE ON SCHEMA "
        "ours TO PUBLIC; GRANT SELECT ON ALL TABLES IN SCHEMA ours TO PUBLIC"
    )
    undo = "DROP SCHEMA ours CASCADE; REVOKE CREATE ON SCHEMA public FROM PUBLIC"
    with planted(server, made, undo, "owner"):
        for place in ("ours.place", "SELECT * FROM ours.place"):
            with PostgresEntities(server.dsn(), Tables(contexts=place)) as opened:
                assert len(opened) > 0
                seen = opened.visible("bob")
                assert len(seen) == (0 if what == "members" else len(opened))


def test_an_extension_of_a_strangers_is_not_used(server: Server) -> None:
    made = (
        "CREATE ROLE eve LOGIN; GRANT CREATE ON DATABASE postgres TO eve; CREATE SCHEMA ours AUTHORIZATION eve; "
        "SET ROLE eve; CREATE EXTENSION citext SCHEMA ours; RESET ROLE; ALTER SCHEMA ours OWNER TO owner; "
        "CREATE TABLE ours.t (entity ours.citext, term text); GRANT USAGE ON SCHEMA ours TO PUBLIC; "
        "GRANT SELECT ON ours.t TO PUBLIC"
    )
    undo = "DROP SCHEMA ours CASCADE; DROP OWNED BY eve; DROP ROLE eve"
    with (
        planted(server, made, undo, "owner"),
        pytest.raises(InputError, match="extension citext, which belongs to 'eve'"),
    ):
        opened_entities(server, "ours.t")


WRITES = {
    "a row": "GRANT INSERT ON diseases TO bob",
    "a column": "GRANT UPDATE (secret) ON diseases TO bob",
    "rows that go": "GRANT DELETE ON diseases TO bob",
    "what is done as rows are written": "GRANT TRIGGER ON diseases TO bob",
    "all rows": "GRANT TRUNCATE ON diseases TO bob",
    "a group's rows": "GRANT INSERT ON diseases TO staff; GRANT staff TO bob",
    "everybody's rows": "GRANT INSERT ON diseases TO PUBLIC",
    "a view's rows": "CREATE VIEW over AS SELECT * FROM diseases; GRANT INSERT ON over TO bob",
    "rows of contexts": "GRANT INSERT ON contexts TO bob",
    "rows that follow others": "CREATE TABLE open_to (who name PRIMARY KEY, next name); CREATE TABLE over_these "
    "(entity text PRIMARY KEY REFERENCES open_to ON UPDATE CASCADE); ALTER TABLE diseases ADD FOREIGN KEY "
    "(entity) REFERENCES over_these ON DELETE CASCADE NOT VALID; GRANT UPDATE (who) ON open_to TO bob",
    "rows that are emptied": "CREATE TABLE open_to (who text PRIMARY KEY); ALTER TABLE diseases ADD "
    "FOREIGN KEY (entity) REFERENCES open_to ON DELETE SET NULL NOT VALID; GRANT DELETE ON open_to TO bob",
    "rows that follow his own": "CREATE TABLE open_to (who text PRIMARY KEY); ALTER TABLE diseases ADD "
    "FOREIGN KEY (entity) REFERENCES open_to ON DELETE CASCADE NOT VALID; ALTER TABLE open_to OWNER TO bob; "
    "REVOKE ALL ON open_to FROM bob",
    "rows that a policy asks": "CREATE TABLE open_to (who name); GRANT SELECT ON open_to TO PUBLIC; "
    "CREATE POLICY more ON diseases TO bob USING (EXISTS (SELECT FROM open_to WHERE who = current_user)); "
    "GRANT INSERT ON open_to TO bob",
}
NOT_WRITTEN = (
    "DROP VIEW IF EXISTS over; DROP POLICY IF EXISTS more ON diseases; "
    "DROP TABLE IF EXISTS open_to, over_these CASCADE; "
    "REVOKE INSERT ON diseases FROM PUBLIC; REVOKE ALL ON diseases, contexts FROM bob, staff; "
    "GRANT SELECT ON diseases TO bob; DROP ROLE staff"
)


@pytest.mark.parametrize("entities", ["diseases", "SELECT entity FROM public.diseases"])
@pytest.mark.parametrize("what", WRITES)
def test_who_writes_what_he_may_know_is_refused(server: Server, what: str, entities: str) -> None:
    with planted(server, f"CREATE ROLE staff NOINHERIT; {WRITES[what]}", NOT_WRITTEN, "owner"):
        with pytest.raises(InputError, match="the reader 'bob' may write there"):
            hidden_from_bob(server, entities)
        if "PUBLIC" not in WRITES[what].partition("INSERT ON")[2]:
            with PostgresEntities(server.dsn(), Tables(entities=entities)) as clinic:
                assert not len(clinic.protected("alice"))


@pytest.mark.parametrize("contexts", ["contexts", "SELECT * FROM public.contexts -- all"])
@pytest.mark.parametrize("reader_login", [False, True])
def test_who_writes_the_contexts_gets_no_release(
    server: Server, contexts: str, reader_login: bool
) -> None:
    tables = {"entities": "diseases", "contexts": contexts}
    if reader_login:
        tables["reader_login"] = server.dsn("{reader}")
    step = {"k": 2, "entities": server.dsn(), "tables": tables}
    rules = {"detect": ["patterns"], "protect": [{"ksafety": step}]}
    assert "HIV" not in sanitize(NOTE, rules, reader="bob").text
    may, may_not = "GRANT DELETE ON contexts TO bob", "REVOKE ALL ON contexts FROM bob"
    with planted(server, may, may_not, "owner"):
        with pytest.raises(InputError, match="the reader 'bob' may write there"):
            sanitize(NOTE, rules, reader="bob")
        assert sanitize(NOTE, rules, reader="alice").text == NOTE


@pytest.mark.parametrize("rights", ["INVOKER", "DEFINER"])
@pytest.mark.parametrize("setting", ["row_security = on", "work_mem = '1MB'"])
def test_no_function_hides_rows_from_the_service(server: Server, setting: str, rights: str) -> None:
    """Where the session says that a hidden row is an error, a function's own setting said otherwise."""
    made = (
        "CREATE ROLE staff; CREATE SCHEMA ours; GRANT USAGE ON SCHEMA ours TO PUBLIC; "
        "GRANT SELECT ON diseases TO staff; CREATE POLICY less ON diseases TO staff USING (NOT secret); "
        f"CREATE FUNCTION ours.f() RETURNS SETOF text STABLE SECURITY {rights} SET search_path = public "
        "BEGIN ATOMIC SELECT entity FROM public.diseases; END; "
        "CREATE VIEW ours.v AS SELECT f AS entity FROM ours.f(); GRANT SELECT ON ours.v TO PUBLIC"
    )
    undo = (
        "DROP SCHEMA ours CASCADE; DROP POLICY less ON diseases; DROP OWNED BY staff; "
        "DROP ROLE staff"
    )
    with planted(server, made, undo, "owner"):
        with PostgresEntities(server.dsn(), Tables(entities="ours.v")) as clinic:
            assert len(clinic) == len(SIGNS)
        with psycopg.connect(server.dsn("owner")) as owner:
            owner.execute(
                f"ALTER FUNCTION ours.f() OWNER TO staff; ALTER FUNCTION ours.f() SET {setting}"
            )
        for place in ("ours.v", "SELECT entity FROM ours.v"):
            with pytest.raises(InputError, match=f"which sets {setting.split()[0]}"):
                hidden_from_bob(server, place)


def test_rows_that_nothing_follows_are_the_readers_own(server: Server) -> None:
    made = (
        "CREATE ROLE staff NOINHERIT; CREATE TABLE open_to (who text PRIMARY KEY); ALTER TABLE diseases ADD "
        "FOREIGN KEY (entity) REFERENCES open_to ON DELETE CASCADE NOT VALID; GRANT INSERT ON open_to TO bob; "
        "CREATE TABLE over_these (entity text REFERENCES diseases ON DELETE CASCADE); GRANT ALL ON over_these TO bob"
    )
    with planted(server, made, NOT_WRITTEN, "owner"):
        assert hidden_from_bob(server) == ["HIV", "Tuberculosis"]


GROUP = (
    "CREATE ROLE nurses; CREATE ROLE carol LOGIN; GRANT nurses TO carol, service; "
    "GRANT SELECT ON diseases TO nurses, carol; CREATE TABLE told (entity text, who name); "
    "GRANT SELECT ON told TO PUBLIC; CREATE POLICY n ON diseases TO nurses USING (NOT secret OR EXISTS "
    "(SELECT FROM public.told t WHERE t.entity = diseases.entity AND t.who = current_user));"
)
WITHOUT_GROUP = "DROP POLICY n ON diseases; DROP TABLE told; DROP OWNED BY nurses, carol; DROP ROLE nurses, carol"
BY_MEMBERS = {
    "a table that is asked": "GRANT INSERT ON told TO carol",
    "the rights themselves": "GRANT UPDATE (secret) ON diseases TO carol",
    "as another of her groups": "CREATE ROLE editors; GRANT editors TO carol; GRANT DELETE ON told TO editors",
}


@pytest.mark.parametrize("login", [False, True])
@pytest.mark.parametrize("what", BY_MEMBERS)
def test_who_is_one_of_a_group_does_not_choose_for_it(
    server: Server, what: str, login: bool
) -> None:
    rights = Tables(entities="diseases", reader_login=server.dsn("{reader}") if login else None)
    undo = WITHOUT_GROUP + ("; DROP OWNED BY editors; DROP ROLE editors" if "group" in what else "")
    more = "ALTER ROLE nurses LOGIN;" if login else ""
    with (
        planted(server, GROUP + more, undo, "owner"),
        PostgresEntities(server.dsn(), rights) as clinic,
    ):
        assert clinic.names(clinic.protected("nurses")) == ["HIV", "Tuberculosis"]
        with psycopg.connect(server.dsn("owner"), autocommit=True) as owner:
            owner.execute(BY_MEMBERS[what])
        with pytest.raises(InputError, match="and 'carol' of 'nurses' may write there"):
            clinic.protected("nurses")
        assert clinic.names(clinic.protected("bob")) == ["HIV", "Tuberculosis"]  # not her group


@pytest.mark.parametrize("right", ["USAGE", "UPDATE"])
def test_who_moves_a_sequence_on_chooses_what_it_opens(server: Server, right: str) -> None:
    made = (
        "CREATE SEQUENCE level; CREATE TABLE ranked (entity text, need int); INSERT INTO ranked VALUES "
        "('Flu', 1), ('HIV', 5); ALTER TABLE ranked ENABLE ROW LEVEL SECURITY; "
        "GRANT SELECT ON ranked, level TO bob, service; "
        "CREATE POLICY p ON ranked TO bob USING (need <= (SELECT last_value FROM level))"
    )
    with planted(server, made, "DROP TABLE ranked; DROP SEQUENCE level", "owner"):
        assert hidden_from_bob(server, "ranked") == ["HIV"]
        with psycopg.connect(server.dsn("owner"), autocommit=True) as owner:
            owner.execute(f"GRANT {right} ON SEQUENCE level TO bob")
        with pytest.raises(InputError, match="level, and the reader 'bob' may write"):
            hidden_from_bob(server, "ranked")


def test_a_sequence_that_numbers_rows_opens_nothing(server: Server) -> None:
    made = (
        "CREATE TABLE numbered (id serial, entity text); INSERT INTO numbered (entity) VALUES ('Flu'); "
        "GRANT SELECT ON numbered TO bob, service; GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO bob"
    )
    with planted(server, made, "DROP TABLE numbered", "owner"):
        assert hidden_from_bob(server, "numbered") == []


def test_a_row_without_a_name_is_no_entity(server: Server) -> None:
    made = (
        "CREATE TABLE unnamed (entity text, secret bool); INSERT INTO unnamed VALUES ('None', true), "
        "(NULL, false), ('Flu', false); GRANT SELECT ON unnamed TO service, bob; "
        "ALTER TABLE unnamed ENABLE ROW LEVEL SECURITY; CREATE POLICY o ON unnamed TO bob USING (NOT secret)"
    )
    with planted(server, made, "DROP TABLE unnamed", "owner"):
        assert hidden_from_bob(server, "unnamed") == ["None"]


@pytest.mark.parametrize("row", ["x", "ARRAY[x]", "(SELECT y FROM ours.t y LIMIT 1)"])
def test_whole_rows_are_cast_by_nobodys_text(server: Server, row: str) -> None:
    """`to_json` runs the function of a cast that no view depends on."""
    made = (
        "CREATE SCHEMA ours; CREATE TABLE ours.t (entity text); INSERT INTO ours.t VALUES ('HIV'), ('Flu'); "
        "GRANT USAGE ON SCHEMA ours TO PUBLIC; GRANT SELECT ON ours.t TO PUBLIC; "
        f"CREATE VIEW ours.v AS SELECT to_json({row})::text AS entity FROM ours.t x; "
        "GRANT SELECT ON ours.v TO PUBLIC"
    )
    cast = (
        "CREATE FUNCTION ours.j(ours.t) RETURNS json LANGUAGE plpgsql AS $$ BEGIN RETURN "
        "to_json(current_user::text); END $$; CREATE CAST (ours.t AS json) WITH FUNCTION ours.j(ours.t)"
    )
    with planted(server, made, "DROP SCHEMA ours CASCADE", "owner"):
        with PostgresEntities(server.dsn(), Tables(entities="ours.v")) as clinic:
            assert len(clinic)
        with psycopg.connect(server.dsn("owner"), autocommit=True) as owner:
            owner.execute(cast)
        with pytest.raises(InputError, match=r"ours\.j\(ours\.t\), whose body is a text"):
            hidden_from_bob(server, "ours.v")
