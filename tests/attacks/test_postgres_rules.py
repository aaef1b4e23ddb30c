"""What a place in PostgreSQL may consist of is a list, and all else is refused: one statement of known parts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sfumato import InputError
from sfumato.know.entities.logins import as_login
from sfumato.know.entities.postgres import PostgresEntities, Tables, rows
from tests.attacks.test_postgres import asked_as_bob, clinic_server, opened_entities, planted
from tests.clinic import SIGNS
from tests.postgres import Server, psycopg


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with clinic_server() as made:
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
        asked_as_bob(server, "SELECT 1) AS x; SELECT entity FROM public.diseases", 5)


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
        login = Tables(entities="diseases", reader_login=server.dsn("{reader}"))
        with PostgresEntities(server.dsn(), login) as service:
            found = as_login(
                server.dsn("{reader}"), "bob", "SELECT bob.own()", 5, 5, service._connection
            )
        assert found == []


VALUES = {
    "a number": "term::float8",
    "a sum": "1 / (length(term) - length(term))",
    "words that are searched for": "(term || ' ' || term)::tsquery::text::float8",
    "a path": "(term || ' ' || term)::jsonpath::text::float8",
    "a role": "pg_has_role(term::name, 'MEMBER')::int",
}


@pytest.mark.parametrize("what", VALUES)
def test_an_error_says_nothing_that_stands_in_the_database(server: Server, what: str) -> None:
    """Also one that is called an error of syntax: it is that of a value."""
    query = f"SELECT entity, term, {VALUES[what]} AS w FROM public.contexts"
    tables = Tables(entities="diseases", contexts=query, weight="w")
    with (
        PostgresEntities(server.dsn(), tables) as clinic,
        pytest.raises(
            InputError, match=r"reading its rows ends in an error \([a-z ]+, [0-9A-Z]{5}\)"
        ) as told,
    ):
        clinic.entity("HIV")
    assert not any(sign in str(told.value) for sign in SIGNS["HIV"])


HELPED = """
CREATE SCHEMA shared; CREATE SCHEMA ours; GRANT USAGE ON SCHEMA ours, shared TO PUBLIC;
GRANT CREATE ON SCHEMA shared TO bob;
CREATE FUNCTION shared.helper() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  RAISE LOG 'it is helped as %', current_user; END $$;
ALTER FUNCTION shared.helper() OWNER TO bob;
CREATE FUNCTION ours.equal(text, text) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN
  PERFORM shared.helper(); RETURN $1 = $2; END $$;
CREATE FUNCTION ours.compared(text, text) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN
  PERFORM shared.helper(); RETURN bttextcmp($1, $2); END $$;
CREATE TYPE ours.kind AS ENUM ('HIV', 'Flu');
CREATE FUNCTION ours.kinds(ours.kind, ours.kind) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN
  PERFORM shared.helper(); RETURN enum_cmp($1, $2); END $$;
CREATE FUNCTION ours.said(int4range) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN
  PERFORM shared.helper(); RETURN 'HIV'; END $$;
CREATE TABLE ours.t AS SELECT entity, term, CASE WHEN entity = 'HIV' THEN 'HIV' ELSE 'Flu' END::ours.kind AS kind,
  int4range(1, 2) AS span FROM public.contexts;
"""
_CLASS = (
    "; ".join(
        f"CREATE OPERATOR ours.{sign} (FUNCTION = text_{of}, LEFTARG = text, RIGHTARG = text)"
        for sign, of in (("<<", "lt"), ("<<=", "le"), (">>=", "ge"), (">>", "gt"))
    )
    + "; CREATE OPERATOR ours.== (FUNCTION = texteq, LEFTARG = text, RIGHTARG = text); "
    "CREATE OPERATOR CLASS ours.oc FOR TYPE text USING btree AS OPERATOR 1 ours.<<, OPERATOR 2 ours.<<=, "
    "OPERATOR 3 ours.==, OPERATOR 4 ours.>>=, OPERATOR 5 ours.>>, FUNCTION 1 ours.compared(text, text); "
)
_KINDS = (
    "CREATE OPERATOR CLASS ours.oc DEFAULT FOR TYPE ours.kind USING btree AS OPERATOR 1 <(anyenum, anyenum), "
    "OPERATOR 2 <=(anyenum, anyenum), OPERATOR 3 =(anyenum, anyenum), OPERATOR 4 >=(anyenum, anyenum), "
    "OPERATOR 5 >(anyenum, anyenum), FUNCTION 1 ours.kinds(ours.kind, ours.kind); "
)
_VIEW = "CREATE VIEW ours.place AS SELECT entity, term FROM ours.t"
UNKNOWN = {
    "an operator": "CREATE OPERATOR ours.== (FUNCTION = ours.equal, LEFTARG = text, RIGHTARG = text); "
    f"{_VIEW} WHERE entity OPERATOR(ours.==) 'HIV'",
    "its negator": "CREATE OPERATOR ours.== (FUNCTION = texteq, LEFTARG = text, RIGHTARG = text, NEGATOR = "
    "OPERATOR(ours.!==)); CREATE OPERATOR ours.!== (FUNCTION = ours.equal, LEFTARG = text, RIGHTARG = text, "
    f"NEGATOR = OPERATOR(ours.==)); {_VIEW} WHERE NOT (entity OPERATOR(ours.==) 'x')",
    "its commutator": "CREATE OPERATOR ours.== (FUNCTION = texteq, LEFTARG = text, RIGHTARG = text, COMMUTATOR = "
    "OPERATOR(ours.===)); CREATE OPERATOR ours.=== (FUNCTION = ours.equal, LEFTARG = text, RIGHTARG = text, "
    "COMMUTATOR = OPERATOR(ours.==)); CREATE INDEX ON ours.t (entity); "
    f"{_VIEW} WHERE 'HIV' OPERATOR(ours.==) entity",
    "the class of an order": f"{_CLASS}{_VIEW} ORDER BY entity USING OPERATOR(ours.<<) OFFSET 0",
    "the class of an index": f"{_CLASS}CREATE INDEX ON ours.t (entity ours.oc); {_VIEW}",
    "the class of parts": f"{_CLASS}CREATE TABLE ours.place (entity text, term text) PARTITION BY RANGE "
    "(entity ours.oc); CREATE TABLE ours.p PARTITION OF ours.place DEFAULT; "
    "INSERT INTO ours.place SELECT entity, term FROM ours.t",
    "the class of a type": f"{_KINDS}{_VIEW} GROUP BY entity, term, kind",
    "the class of a type in rows": f"{_KINDS}{_VIEW} GROUP BY entity, term, ARRAY[kind]",
    "an aggregate's operator": f"{_CLASS}CREATE AGGREGATE ours.least(text) (SFUNC = text_smaller, STYPE = text, "
    "SORTOP = OPERATOR(ours.<<)); CREATE VIEW ours.place AS SELECT ours.least(entity) AS entity, term "
    "FROM ours.t GROUP BY term",
    "a cast of the system's": f"CREATE CAST (int4range AS text) WITH FUNCTION ours.said(int4range); {_VIEW}",
    "a member of the system's families": "CREATE FUNCTION ours.of(int, text) RETURNS bool LANGUAGE plpgsql "
    "IMMUTABLE AS 'BEGIN RETURN true; END'; CREATE OPERATOR ours.=~ (FUNCTION = ours.of, LEFTARG = int, "
    "RIGHTARG = text); ALTER OPERATOR FAMILY integer_ops USING btree ADD OPERATOR 3 ours.=~ (int, text); "
    f"{_VIEW}",
    "a commutator of the system's": "CREATE OPERATOR ours.~~ (FUNCTION = ours.equal, LEFTARG = text, RIGHTARG = "
    f"text, COMMUTATOR = OPERATOR(pg_catalog.~~)); {_VIEW} WHERE entity LIKE 'HIV'",
    "a type with functions of its own": "CREATE TYPE ours.b; CREATE FUNCTION ours.b_in(cstring) RETURNS ours.b "
    "LANGUAGE internal IMMUTABLE STRICT AS 'textin'; CREATE FUNCTION ours.b_out(ours.b) RETURNS cstring LANGUAGE "
    "internal IMMUTABLE STRICT AS 'textout'; CREATE TYPE ours.b (INPUT = ours.b_in, OUTPUT = ours.b_out, LIKE = "
    "text); CREATE VIEW ours.place AS SELECT entity::text::ours.b AS entity, term FROM ours.t",
    "an extension's order, written anew": "CREATE EXTENSION citext SCHEMA ours; CREATE OR REPLACE FUNCTION "
    "ours.citext_cmp(ours.citext, ours.citext) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN "
    "PERFORM shared.helper(); RETURN bttextcmp($1::text, $2::text); END $$; CREATE VIEW ours.place AS SELECT "
    "entity::ours.citext AS entity, term FROM ours.t ORDER BY 1 OFFSET 0",
    "what runs as something is made": "CREATE FUNCTION bob.made() RETURNS event_trigger LANGUAGE plpgsql AS $$ "
    "BEGIN PERFORM shared.helper(); END $$; ALTER FUNCTION bob.made() OWNER TO bob; CREATE EVENT TRIGGER made ON "
    f"ddl_command_start EXECUTE FUNCTION bob.made(); {_VIEW}",
    "a schema of the system's": f"GRANT CREATE ON SCHEMA pg_catalog TO bob; {_VIEW}",
}
UNHELPED = (
    "DROP EVENT TRIGGER IF EXISTS made; REVOKE CREATE ON SCHEMA pg_catalog FROM bob; ALTER OPERATOR FAMILY "
    "integer_ops USING btree DROP OPERATOR 3 (int, text); DROP SCHEMA shared, ours CASCADE; "
    "DROP FUNCTION IF EXISTS bob.made"
)


@pytest.mark.parametrize("what", UNKNOWN)
def test_what_is_of_no_known_kind_is_not_run(server: Server, what: str) -> None:
    """Whatever leads to it: operators, their classes and families reach functions that no place depends on."""
    undo = UNHELPED
    if "families" not in what:
        undo = UNHELPED.replace(
            " ALTER OPERATOR FAMILY integer_ops USING btree DROP OPERATOR 3 (int, text);", ""
        )
    made = f"{HELPED}{UNKNOWN[what]}; GRANT SELECT ON ALL TABLES IN SCHEMA ours TO PUBLIC"
    with planted(server, made, undo, "owner"):
        for place in ("ours.place", "SELECT entity, term FROM ours.place"):
            with pytest.raises(InputError, match=r"depends on .*; nothing was read"):
                opened_entities(server, place)
            with (
                pytest.raises(InputError, match="nothing was read"),
                rows(server.dsn(), place if " " in place else f"TABLE {place}"),
            ):
                pass
    assert "it is helped as service" not in (server.folder / "log").read_text()


WRITTEN = {
    "an array": (
        "'{x}'::bob.word[]",
        "CREATE DOMAIN bob.word AS text CHECK (bob.check_word(VALUE))",
    ),
    "a row": (
        "'(x)'::bob.pair",
        "CREATE DOMAIN bob.word AS text CHECK (bob.check_word(VALUE)); CREATE TYPE bob.pair AS (word bob.word)",
    ),
    "a dollar's": (
        "$$ {x} $$::bob.word[]",
        "CREATE DOMAIN bob.word AS text CHECK (bob.check_word(VALUE))",
    ),
    "a query of the system's": (
        "'{x}'::bob.word[]",
        "CREATE DOMAIN bob.word AS text CHECK (query_to_xml('SELECT bob.check_word(''x'')', true, true, '') IS NOT NULL)",
    ),
}


@pytest.mark.parametrize("what", WRITTEN)
def test_a_value_that_is_written_out_runs_nothing_as_it_is_read(server: Server, what: str) -> None:
    """The server makes it before anybody can judge the query."""
    value, made = WRITTEN[what]
    function = (
        "CREATE FUNCTION bob.check_word(text) RETURNS bool LANGUAGE plpgsql AS $f$ BEGIN "
        "RAISE LOG 'it is helped as %', current_user; RETURN true; END $f$; GRANT USAGE ON SCHEMA bob TO PUBLIC; "
    )
    undo = "DROP SCHEMA bob CASCADE; CREATE SCHEMA bob AUTHORIZATION bob"
    with planted(server, "SELECT 1", undo, "owner"), planted(server, function + made, "SELECT 1"):
        for asked in (
            f"{_SIGNS} WHERE {value} IS NOT NULL",
            f"SELECT {value}::text AS entity, '' AS term",
        ):
            with pytest.raises(InputError, match="depends on"):
                opened_entities(server, asked)
            with pytest.raises(InputError, match="nothing was read"), rows(server.dsn(), asked):
                pass
        assert opened_entities(server, _SIGNS) == len(SIGNS)
    assert "it is helped as service" not in (server.folder / "log").read_text()


def test_a_query_with_values_is_asked_beside_types_of_whoever_owns_tables(server: Server) -> None:
    made = (
        "CREATE ROLE clinic LOGIN; CREATE SCHEMA clinic AUTHORIZATION clinic; SET ROLE clinic; "
        "CREATE DOMAIN clinic.word AS text CHECK (VALUE ~ '.'); CREATE TABLE clinic.t (entity clinic.word, term text); "
        "INSERT INTO clinic.t VALUES ('HIV', 'fever'); GRANT USAGE ON SCHEMA clinic TO PUBLIC; "
        "GRANT SELECT ON clinic.t TO PUBLIC; RESET ROLE"
    )
    with planted(server, made, "DROP SCHEMA clinic CASCADE; DROP ROLE clinic", "owner"):
        assert opened_entities(server, "SELECT entity, term FROM clinic.t WHERE term <> 'x'") == 1


CATALOGUES = {
    "what the reader sets": "EXISTS (SELECT FROM pg_roles WHERE rolname = current_user AND 'application_name=high' = "
    "ANY (rolconfig))",
    "all that is said of a role": "EXISTS (SELECT FROM pg_roles r WHERE r::text ~ 'high')",
    "all of it in another query": "EXISTS (SELECT FROM (SELECT * FROM pg_roles) r WHERE r::text ~ 'high')",
    "a comment": "EXISTS (SELECT FROM pg_description WHERE description = entity)",
    "a comment behind a view": "EXISTS (SELECT FROM ours.said WHERE description = entity)",
    "a comment behind a function": "ours.is_said(entity)",
    "a table's name": "EXISTS (SELECT FROM pg_class WHERE relname = entity)",
    "a schema's name": "EXISTS (SELECT FROM information_schema.schemata WHERE schema_name = entity)",
    "settings": "EXISTS (SELECT FROM pg_db_role_setting)",
    "members": "EXISTS (SELECT FROM pg_auth_members)",
    "what was done": "EXISTS (SELECT FROM pg_stat_user_tables WHERE seq_scan > 5)",
    "a type that is looked up": "EXISTS (SELECT FROM XMLTABLE('/r' PASSING xml '<r>bob</r>' COLUMNS c "
    "regnamespace PATH '.') x)",
}


@pytest.mark.parametrize("what", CATALOGUES)
def test_rights_are_not_told_by_catalogues(server: Server, what: str) -> None:
    """Whoever makes, names or describes something of his own writes there, with no right on any table."""
    made = (
        "CREATE SCHEMA ours; GRANT USAGE ON SCHEMA ours TO PUBLIC; CREATE VIEW ours.said AS SELECT description "
        "FROM pg_description; CREATE FUNCTION ours.is_said(text) RETURNS bool RETURN EXISTS (SELECT FROM "
        "pg_description WHERE description = $1); CREATE TABLE ours.t AS TABLE public.diseases; ALTER TABLE ours.t "
        f"ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON ours.t TO bob USING (NOT secret OR {CATALOGUES[what]}); "
        f"CREATE VIEW ours.v AS SELECT entity FROM ours.t WHERE {CATALOGUES[what]}; "
        "GRANT SELECT ON ALL TABLES IN SCHEMA ours TO PUBLIC"
    )
    with planted(server, made, "DROP SCHEMA ours CASCADE", "owner"):
        for place in ("ours.t", "SELECT entity FROM ours.t", "ours.v", "SELECT entity FROM ours.v"):
            with pytest.raises(InputError, match=r"which (asks|calls) .*current_user"):
                seen_by_bob(server, place)


@pytest.mark.parametrize("place", ["pg_catalog.pg_class", "pg_class", "information_schema.tables"])
def test_a_catalogue_is_no_place(server: Server, place: str) -> None:
    with pytest.raises(InputError):
        PostgresEntities(server.dsn(), Tables(entities=place, entity="relname")).close()


@pytest.mark.parametrize(
    "asked",
    [
        "rolname IN (SELECT rolname FROM pg_roles WHERE pg_has_role(current_user, oid, 'MEMBER'))",
        "EXISTS (SELECT FROM pg_roles r JOIN pg_roles o USING (oid) WHERE o.rolname = current_user AND owned.rolname = o.rolname)",
        "pg_has_role(rolname, 'MEMBER')",
        "rolname = current_user",
    ],
)
def test_a_policy_may_ask_who_is_one_of_a_group(server: Server, asked: str) -> None:
    made = (
        "CREATE TABLE owned (entity text, rolname name); INSERT INTO owned VALUES ('HIV', 'alice'), ('Flu', 'bob'); "
        f"GRANT SELECT ON owned TO PUBLIC; CREATE POLICY p ON owned USING ({asked}); "
        "ALTER TABLE owned ENABLE ROW LEVEL SECURITY"
    )
    with planted(server, made, "DROP TABLE owned", "owner"):
        assert seen_by_bob(server, "owned") == ["Flu"]


# Of what a column of the organisation's holds for one, each is an entity, a term and a label by itself.
ALIKE = (
    "CREATE SCHEMA ours; GRANT USAGE ON SCHEMA ours TO PUBLIC; CREATE COLLATION ours.alike (provider = icu, "
    "locale = 'und-u-ks-level1', deterministic = false); CREATE EXTENSION citext SCHEMA ours; "
    "CREATE TABLE ours.plain (entity text, term text, label text); INSERT INTO ours.plain VALUES "
    "('MS', 'numbness', 'protected'), ('Ms', 'murmur', 'Protected'), ('Röhm', 'Fever', 'protected'), "
    "('Rohm', 'fever', 'protected'), ('Rohm', 'Numbness', 'protected'), ('Flu', 'fever', 'x'), "
    "('Flu', 'féver', 'X'), ('ms', 'murmur', 'protected'); "
)
COLUMNS = {
    "a collation": "text COLLATE ours.alike",
    "words without case": "ours.citext",
    "both": "ours.citext COLLATE ours.alike",
    "short words": "varchar(20) COLLATE ours.alike",
}


@pytest.mark.parametrize("what", COLUMNS)
def test_entities_terms_and_labels_are_told_byte_for_byte(server: Server, what: str) -> None:
    """Or of two that a column holds for one, the other is protected by nobody."""
    made = ", ".join(f"{name}::{COLUMNS[what]} AS {name}" for name in ("entity", "term", "label"))
    made = f"{ALIKE} CREATE TABLE ours.alike AS SELECT {made} FROM ours.plain; "
    made += "GRANT SELECT ON ALL TABLES IN SCHEMA ours TO PUBLIC"

    def told(place: str) -> list[object]:
        tables = Tables(contexts=place, labels=place)
        with PostgresEntities(server.dsn(), tables) as opened:
            all_of = opened.restrict(range(opened.term_count))
            labels = opened.labels()
            names = opened.names(range(len(opened)))
            return [
                *(names, opened.digest, opened.terms(range(opened.term_count)), labels),
                *(all_of.indptr.tolist(), all_of.indices.tolist()),
                *({label: opened.names(opened.labelled(label)) for label in labels},),
                *([opened.entity(name) for name in names], opened.names(opened.visible("bob"))),
            ]

    with planted(server, made, "DROP SCHEMA ours CASCADE", "owner"):
        plain = told("ours.plain")
        assert told("ours.alike") == plain
        assert told("SELECT * FROM ours.alike") == plain == told("SELECT * FROM ours.plain")


# What a stranger or a reader makes over a table of others, with no right to write there.
OVER = {
    "a stranger's view": (
        "CREATE ROLE carol LOGIN; CREATE SCHEMA carol AUTHORIZATION carol; SET ROLE carol; "
        "CREATE VIEW carol.v AS SELECT * FROM public.diseases; GRANT ALL ON carol.v TO PUBLIC",
        True,
    ),
    "one over another": (
        "CREATE ROLE carol LOGIN; CREATE SCHEMA carol AUTHORIZATION carol; SET ROLE carol; "
        "CREATE VIEW carol.v AS SELECT * FROM public.diseases; CREATE VIEW carol.w AS TABLE carol.v; "
        "GRANT ALL ON carol.v, carol.w TO PUBLIC",
        True,
    ),
    "a reader's view": ("SET ROLE bob; CREATE VIEW bob.v AS SELECT * FROM public.diseases", True),
    "a rule of hers": (
        "CREATE ROLE carol LOGIN; CREATE SCHEMA carol AUTHORIZATION carol; SET ROLE carol; "
        "CREATE TABLE carol.t (entity text); GRANT ALL ON carol.t TO PUBLIC; "
        "CREATE RULE r AS ON INSERT TO carol.t DO ALSO INSERT INTO public.diseases VALUES (NEW.entity)",
        True,
    ),
    "a view of one who may": (
        "CREATE ROLE carol LOGIN; CREATE SCHEMA carol AUTHORIZATION carol; GRANT UPDATE (secret) ON public.diseases "
        "TO carol; SET ROLE carol; CREATE VIEW carol.v AS SELECT * FROM public.diseases; GRANT UPDATE ON carol.v TO bob",
        False,
    ),
    "a rule of one who may": (
        "CREATE ROLE carol LOGIN; CREATE SCHEMA carol AUTHORIZATION carol; GRANT INSERT ON public.diseases TO carol; "
        "SET ROLE carol; CREATE TABLE carol.t (entity text); GRANT INSERT ON carol.t TO bob; "
        "CREATE RULE r AS ON INSERT TO carol.t DO ALSO INSERT INTO public.diseases VALUES (NEW.entity)",
        False,
    ),
}


@pytest.mark.parametrize("what", OVER)
def test_who_owns_a_view_has_no_more_rights_on_the_rows_behind_it(
    server: Server, what: str
) -> None:
    made, is_read = OVER[what]
    undo = "RESET ROLE; DROP SCHEMA IF EXISTS carol CASCADE; DROP VIEW IF EXISTS bob.v"
    if "carol" in made:
        undo += "; DROP OWNED BY carol; DROP ROLE carol"
    with planted(server, f"GRANT USAGE ON SCHEMA bob TO PUBLIC; {made}", undo, "owner"):
        for place in ("diseases", "SELECT entity FROM public.diseases"):
            if is_read:
                assert "HIV" not in seen_by_bob(server, place)
            else:
                with pytest.raises(InputError, match="the reader 'bob' may write there"):
                    seen_by_bob(server, place)


def test_only_who_owns_what_is_asked_runs_policies(server: Server) -> None:
    made = (
        "CREATE ROLE carol LOGIN; CREATE SCHEMA carol AUTHORIZATION carol; CREATE TABLE kept AS TABLE diseases; "
        "GRANT SELECT ON kept TO PUBLIC; ALTER TABLE kept ENABLE ROW LEVEL SECURITY; CREATE FUNCTION ward() "
        "RETURNS bool LANGUAGE plpgsql AS 'BEGIN RETURN true; END'; CREATE POLICY c ON kept TO carol USING (ward()); "
        "CREATE POLICY b ON kept TO bob USING (NOT secret); SET ROLE carol; CREATE VIEW carol.w AS SELECT 1; "
        "CREATE FUNCTION carol.f() RETURNS int SECURITY DEFINER RETURN 1; RESET ROLE"
    )
    undo = "DROP TABLE kept; DROP FUNCTION ward; DROP SCHEMA carol CASCADE; DROP ROLE carol"
    with planted(server, made, undo, "owner"):
        for place in ("kept", "SELECT entity FROM public.kept"):
            assert "Flu" in seen_by_bob(server, place)


MARKED = (
    "CREATE SCHEMA ours; GRANT USAGE ON SCHEMA ours TO PUBLIC; CREATE EXTENSION citext SCHEMA ours; "
    "CREATE DOMAIN ours.sign AS ours.citext; SET search_path = ours, public; CREATE TABLE ours.marks AS SELECT "
    "entity, mark::ours.citext, mark::ours.sign AS sign, mark::varchar AS word, ARRAY[mark]::ours.citext[] AS marks FROM "
    "(VALUES ('HIV', 'Protected'), ('Flu', 'protected'), ('Cold', 'none')) AS v (entity, mark); "
    "CREATE TYPE ours.pair AS (a ours.citext, b int); CREATE FUNCTION ours.same(citext) RETURNS citext RETURN $1; "
    "CREATE VIEW ours.seen AS SELECT entity, 'x' AS term FROM ours.marks WHERE mark = 'protected'; "
    "GRANT SELECT ON ALL TABLES IN SCHEMA ours TO PUBLIC; RESET search_path"
)
COMPARED = {
    "mark = 'protected'": None,
    "'protected' = mark": None,
    "sign = 'protected'": None,
    "mark IN ('protected', 'x')": None,
    "mark LIKE 'prot%'": None,
    "mark <> ALL (ARRAY['none'])": None,
    "coalesce(mark, word) = 'protected'": None,
    "CASE WHEN true THEN mark END = 'protected'": None,
    "EXISTS (SELECT FROM ours.marks m WHERE m.mark = marks.word)": None,
    "(entity, mark) IN (SELECT entity, word FROM ours.marks)": None,
    "NOT mark IS DISTINCT FROM word": None,
    "EXISTS (SELECT FROM ours.marks a JOIN ours.marks b USING (mark) WHERE a.entity = marks.entity)": None,
    "CASE mark WHEN 'protected' THEN true ELSE false END": None,
    "'protected' = ANY (marks)": None,
    "'none' <> ALL (marks)": None,
    "marks[1] = 'protected'": None,
    "marks[1] ~ '^prot'": None,
    "marks[1] BETWEEN 'protected' AND 'protected'": None,
    "(marks[1:1])[1] = 'protected'": None,
    "(SELECT m.mark FROM ours.marks m WHERE m.entity = marks.entity) = 'protected'": None,
    "'protected' = ANY (SELECT mark)": None,
    "entity IN (SELECT entity FROM ours.marks GROUP BY entity HAVING max(mark) = 'protected')": None,
    "entity IN (SELECT entity FROM ours.marks GROUP BY entity HAVING ours.max(mark) = 'protected')": None,
    "entity IN (SELECT entity FROM ours.marks GROUP BY 1 HAVING 'protected' = ANY (array_agg(mark)))": None,
    "entity IN (SELECT entity FROM ours.marks GROUP BY 1 HAVING mode() WITHIN GROUP (ORDER BY mark) = 'protected')": None,
    "entity IN (SELECT entity FROM (SELECT entity, first_value(mark) OVER (PARTITION BY entity) = 'protected' AS is "
    "FROM ours.marks) AS w WHERE w.is)": None,
    "(ROW(mark, 1)::ours.pair).a = 'protected'": None,
    "strpos(mark, 'prot') > 0": None,
    "ours.same(mark) = 'protected'": None,
    "word = upper('protected') OR (VALUES (marks[1])) = 'protected'": None,
    "greatest(mark, 'a') = 'protected'": None,
    "nullif(mark, 'protected') IS NULL": None,
    "marks @> '{protected}'": 2,
    "array_position(marks, 'protected') IS NOT NULL": 2,
    "word || '' <> 'none' AND mark IS NOT NULL": 2,
    "mark OPERATOR(ours.=) CAST('protected' AS ours.citext)": 2,
    "CAST(mark AS text) = 'protected'": 1,
    "lower(sign::text) = 'protected'": 2,
    "word <> 'none'": 2,
    "mark IS NOT NULL": 3,
}


@pytest.mark.parametrize("condition", COMPARED)
def test_no_type_is_compared_by_other_operators_than_its_own(
    server: Server, condition: str
) -> None:
    """Without a word fewer rows would be found than by the same words of whoever asks the database."""
    wanted = COMPARED[condition]
    asked = f"SELECT entity, mark AS term FROM ours.marks WHERE {condition}"
    with planted(server, MARKED, "DROP SCHEMA ours CASCADE", "owner"):
        assert (
            opened_entities(server, "ours.seen") == opened_entities(server, "TABLE ours.seen") == 2
        )
        if wanted is not None:
            assert opened_entities(server, asked) == wanted
            return
        for opened in (opened_entities, lambda _, query: rows(server.dsn(), query).__enter__()):
            with pytest.raises(InputError, match=r"reads ours\.\w+ as another type .*TABLE schema"):
                opened(server, asked)


@pytest.mark.parametrize(
    "query",
    ["-- the signs\nSELECT *\nFROM public.contexts", "/* a */ (SELECT * FROM public.contexts)",
     "select*from public.contexts", "VALUES('a', 'b')", "((TABLE public.contexts)) -- x"],
)  # fmt: skip
def test_a_query_is_known_by_how_it_begins(server: Server, query: str) -> None:
    columns = {"entity": "column1", "term": "column2"} if "VALUES" in query else {}
    with PostgresEntities(server.dsn(), Tables(contexts=query, **columns)) as opened:
        assert len(opened) == (1 if columns else len(SIGNS))


def test_what_cannot_be_asked_is_told_in_one_line(server: Server) -> None:
    for query, said in {
        "SELECT '' AS entity, '' AS term WHERE '\udcff' <> ''": "not UTF-8",
        "SELECT varchar 'x'": r"no type, but CAST\('x' AS type\)",
        "SELECT FROM WHERE 'x'": "syntax error at or near",
        "nothing\nof the\tkind": "no table or view 'nothing of the kind'",
    }.items():
        if " or " not in said:
            with pytest.raises(InputError, match=said), rows(server.dsn(), query):
                pass
        with pytest.raises(InputError, match=said) as told:
            opened_entities(server, query)
        assert "\n" not in str(told.value)
