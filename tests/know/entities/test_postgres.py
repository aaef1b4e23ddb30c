"""The organisation's own tables in a real PostgreSQL, started in a temporary folder."""

from __future__ import annotations

import socket
import struct
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.errors import InputError, MissingExtraError
from sfumato.know.entities.database import open_entities
from sfumato.know.entities.imports import build
from sfumato.know.entities.logins import asking, host, pin
from sfumato.know.entities.postgres import PostgresEntities, Tables, rows
from sfumato.know.entities.sqlite import SqliteEntities
from tests.postgres import Server, psycopg, serving

SETUP = """
CREATE SCHEMA clinic;
CREATE TABLE clinic.diseases (disease text PRIMARY KEY, ward text);
CREATE TABLE clinic.signs (disease text, sign text, strength real);
CREATE TABLE clinic.marks (disease text, mark text);
INSERT INTO clinic.diseases VALUES ('AIDS', 'virology'), ('Flu', 'open'), ('Cold', 'open'),
    ('Tuberculosis', 'lungs'), ('Unknown', 'open');
INSERT INTO clinic.signs VALUES ('AIDS', 'weight loss', 3), ('AIDS', 'night sweats', 2), ('AIDS', 'fever', 1),
    ('Flu', 'fever', 2), ('Flu', 'cough', NULL), ('Cold', 'Coughs', 2), ('Cold', 'sneezing', 1),
    ('Tuberculosis', 'night sweat', 1), ('Tuberculosis', 'cough', 4), ('Tuberculosis', 'fever', 1);
INSERT INTO clinic.marks VALUES ('AIDS', 'protected'), ('Tuberculosis', 'protected'), ('Cold', 'common');
CREATE ROLE service LOGIN;
CREATE ROLE limited LOGIN;
CREATE ROLE alice; CREATE ROLE bob; CREATE ROLE press; CREATE ROLE stranger;
GRANT alice, bob, press TO service;
GRANT USAGE ON SCHEMA clinic TO service, limited, alice, bob, press;
GRANT SELECT ON ALL TABLES IN SCHEMA clinic TO service, limited;
GRANT SELECT ON clinic.diseases TO alice, bob;
ALTER TABLE clinic.diseases ENABLE ROW LEVEL SECURITY;
CREATE POLICY wards ON clinic.diseases TO alice, bob, limited
    USING (ward = 'open' OR (current_user = 'alice' AND ward = 'lungs'));
ALTER ROLE service BYPASSRLS;
"""

TABLES = Tables(
    contexts="clinic.signs",
    entity="disease",
    term="sign",
    weight="strength",
    entities="clinic.diseases",
    labels="clinic.marks",
    label="mark",
)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as made:
        with psycopg.connect(made.dsn("owner")) as owner:
            owner.execute(SETUP)
        yield made


@pytest.fixture
def clinic(server: Server) -> Iterator[PostgresEntities]:
    with PostgresEntities(server.dsn(), TABLES) as made:
        yield made


@pytest.mark.parametrize("place", ["", " "])
def test_an_empty_place_is_refused_in_words(server: Server, place: str) -> None:
    with pytest.raises(InputError, match="the entity database at"):
        PostgresEntities(server.dsn(), TABLES.model_copy(update={"contexts": place}))


def test_a_document_is_matched_and_restricted(clinic: PostgresEntities) -> None:
    text = "Night-sweats, a fever, coughing, and a cough."
    matches = clinic.match(text)
    assert [text[m.start : m.end] for m in matches] == ["Night-sweats", "fever", "cough"]
    ids = [m.term for m in matches]
    assert clinic.terms(ids) == ["night sweat", "fever", "Coughs"]
    contexts = clinic.restrict(ids)
    names = clinic.names(range(len(clinic)))
    assert {n: contexts.of(i).tolist() for i, n in enumerate(names)} == {
        "AIDS": [0, 1],
        "Cold": [2],
        "Flu": [1, 2],
        "Tuberculosis": [0, 1, 2],
        "Unknown": [],
    }
    assert contexts.terms.tolist() == ids
    with pytest.raises(ValueError, match="term id"):
        clinic.restrict([99])


def test_a_database_is_opened_by_address_or_by_file(server: Server, tmp_path: Path) -> None:
    opened = open_entities(server.dsn(), tables=TABLES)
    assert len(opened) == 5
    opened.close()
    (tmp_path / "rows.csv").write_text("entity,term\nFlu,fever\n")
    build([tmp_path / "rows.csv"], tmp_path / "out", cache=tmp_path / "cache")
    opened = open_entities(tmp_path / "out", cache=tmp_path / "cache")
    assert len(opened) == 1
    opened.close()


def test_an_entity_is_shown(clinic: PostgresEntities) -> None:
    shown = clinic.entity("aids")
    assert shown.name == "AIDS"
    assert shown.labels == ("protected",)
    assert shown.context == (("weight loss", 3.0), ("night sweat", 2.0), ("fever", 1.0))
    assert clinic.entity("Flu").context == (("fever", 2.0), ("Coughs", 1.0))
    with pytest.raises(InputError, match="no entity 'Gout'"):
        clinic.entity("Gout")


def test_labels_say_what_is_protected_for_the_public(clinic: PostgresEntities) -> None:
    assert clinic.labels() == {"common": 1, "protected": 2}
    assert clinic.names(clinic.protected()) == ["AIDS", "Tuberculosis"]
    assert clinic.names(clinic.labelled("common")) == ["Cold"]


def test_grants_and_row_security_say_what_a_reader_may_know(clinic: PostgresEntities) -> None:
    assert clinic.readers() == ["alice", "bob", "press"]
    assert clinic.names(clinic.visible("alice")) == ["Cold", "Flu", "Tuberculosis", "Unknown"]
    assert clinic.names(clinic.protected("alice")) == ["AIDS"]
    assert clinic.names(clinic.protected("bob")) == ["AIDS", "Tuberculosis"]
    assert len(clinic.protected("press")) == len(clinic) == 5  # no right at all
    assert clinic.names(clinic.protected()) == ["AIDS", "Tuberculosis"]  # the role was given back


_OPEN = "ward = 'open' OR "


@pytest.mark.parametrize(
    "policy",
    [
        f"CREATE POLICY more ON clinic.diseases USING ({_OPEN}session_user = 'service')",
        f"CREATE POLICY more ON clinic.diseases TO bob USING ({_OPEN}current_setting('a.b') = 'x')",
        "CREATE FUNCTION clinic.who() RETURNS text RETURN session_user;"
        f"CREATE POLICY more ON clinic.diseases USING ({_OPEN}clinic.who() = 'service')",
        f"CREATE POLICY more ON clinic.diseases USING ({_OPEN}current_schema = 'pg_catalog')",
        f"CREATE POLICY more ON clinic.diseases USING ({_OPEN}current_query() ~ 'sfumato')",
        f"CREATE POLICY more ON clinic.diseases USING ({_OPEN}query_to_xml("
        "'select session'||'_user', true, true, '')::text ~ 'service')",
        f"CREATE POLICY more ON clinic.diseases USING ({_OPEN}16384 IN (SELECT "
        "pg_stat_get_backend_userid(i) FROM pg_stat_get_backend_idset() i))",
    ],
)
def test_a_policy_that_asks_who_has_logged_in_is_refused_with_a_role_taken_on(
    server: Server, policy: str
) -> None:
    with psycopg.connect(server.dsn("owner"), autocommit=True) as owner:
        owner.execute(policy)
        try:
            with (
                PostgresEntities(server.dsn(), TABLES) as clinic,
                pytest.raises(InputError, match="asks for the session's user or settings"),
            ):
                clinic.visible("bob")
        finally:
            owner.execute("DROP POLICY more ON clinic.diseases")
            owner.execute("DROP FUNCTION IF EXISTS clinic.who()")


@pytest.mark.parametrize(
    "behind",
    [
        "CREATE VIEW clinic.mine AS SELECT disease FROM clinic.cleared; ALTER VIEW clinic.mine OWNER TO app;"
        "GRANT SELECT ON clinic.mine TO PUBLIC;"
        "CREATE POLICY more ON clinic.diseases USING (disease IN (SELECT disease FROM clinic.mine))",
        "CREATE FUNCTION clinic.may(d text) RETURNS bool STABLE SECURITY DEFINER "
        "RETURN EXISTS (SELECT FROM clinic.cleared c WHERE c.disease = d);"
        "ALTER FUNCTION clinic.may OWNER TO app;"
        "CREATE POLICY more ON clinic.diseases USING (clinic.may(disease))",
    ],
)
def test_a_policy_for_who_owns_a_view_or_a_function_may_not_ask_who_has_logged_in(
    server: Server, behind: str
) -> None:
    with psycopg.connect(server.dsn("owner"), autocommit=True) as owner:
        owner.execute(
            "CREATE ROLE app NOLOGIN; GRANT USAGE, CREATE ON SCHEMA clinic TO app;"
            "CREATE TABLE clinic.cleared (who name, disease text); GRANT SELECT ON clinic.cleared TO app;"
            "ALTER TABLE clinic.cleared ENABLE ROW LEVEL SECURITY;"
            "CREATE POLICY own ON clinic.cleared TO app USING (who = session_user);" + behind
        )
        try:
            with (
                PostgresEntities(server.dsn(), TABLES) as clinic,
                pytest.raises(InputError, match="asks for the session's user or settings"),
            ):
                clinic.visible("bob")
        finally:
            owner.execute("DROP POLICY more ON clinic.diseases; DROP TABLE clinic.cleared CASCADE")
            owner.execute("DROP OWNED BY app CASCADE; DROP ROLE app")


def test_a_query_that_asks_who_has_logged_in_is_refused(server: Server) -> None:
    asks = "SELECT disease FROM clinic.diseases WHERE session_user = 'service'"
    with pytest.raises(InputError, match=r"itself, which calls .session_user.\(\)"):
        PostgresEntities(server.dsn(), TABLES.model_copy(update={"entities": asks}))


def test_a_policy_for_others_may_ask_who_has_logged_in(server: Server) -> None:
    with psycopg.connect(server.dsn("owner"), autocommit=True) as owner:
        owner.execute("CREATE POLICY more ON clinic.diseases TO limited USING (session_user = 'x')")
        try:
            with PostgresEntities(server.dsn(), TABLES) as clinic:
                assert clinic.names(clinic.protected("bob")) == ["AIDS", "Tuberculosis"]
        finally:
            owner.execute("DROP POLICY more ON clinic.diseases")


def test_a_revoked_grant_counts_from_the_next_opening(server: Server) -> None:
    with psycopg.connect(server.dsn("owner"), autocommit=True) as owner:
        owner.execute("REVOKE SELECT ON clinic.diseases FROM bob")
        try:
            with PostgresEntities(server.dsn(), TABLES) as clinic:
                assert len(clinic.visible("bob")) == 0
        finally:
            owner.execute("GRANT SELECT ON clinic.diseases TO bob")


@pytest.mark.parametrize(
    "reader", ["stranger", "nobody", "none", "NONE", "", 'a"; RESET ROLE', "owner"]
)
def test_a_role_that_cannot_be_taken_on_is_refused(clinic: PostgresEntities, reader: str) -> None:
    with pytest.raises(InputError, match="is no role that this login can take on"):
        clinic.protected(reader)
    assert len(clinic.restrict([0])) == 5  # it can still be used


def test_rows_hidden_from_the_service_are_an_error_not_a_smaller_database(server: Server) -> None:
    with pytest.raises(InputError, match="row-level security"):
        PostgresEntities(server.dsn("limited"), TABLES)
    with (
        pytest.raises(InputError, match="row-level security"),
        rows(server.dsn("limited"), "SELECT disease AS entity FROM clinic.diseases"),
    ):
        pass


def test_queries_may_stand_for_tables(server: Server) -> None:
    tables = Tables(
        contexts="SELECT disease AS entity, sign AS term FROM clinic.signs WHERE sign NOT LIKE 'x%';",
        labels="WITH m AS (SELECT disease AS entity, mark AS label FROM clinic.marks) SELECT * FROM m",
    )
    with PostgresEntities(server.dsn(), tables) as clinic:
        assert clinic.names(range(len(clinic))) == ["AIDS", "Cold", "Flu", "Tuberculosis"]
        assert clinic.entity("Flu").context == (("Coughs", 1.0), ("fever", 1.0))
        assert len(clinic.restrict([0]).indices) == 3
        assert clinic.names(clinic.protected()) == ["AIDS", "Tuberculosis"]


def test_without_labels_nothing_is_labelled(server: Server) -> None:
    tables = Tables(contexts="clinic.signs", entity="disease", term="sign")
    with PostgresEntities(server.dsn(), tables) as clinic:
        assert clinic.labels() == {}
        assert len(clinic.protected()) == 0
        assert clinic.entity("Flu").labels == ()


def test_a_label_of_no_entity_is_an_error(server: Server) -> None:
    tables = TABLES.model_copy(update={"labels": "SELECT 'Gout' AS disease, 'protected' AS mark"})
    with (
        PostgresEntities(server.dsn(), tables) as clinic,
        pytest.raises(InputError, match="1 entities labelled 'protected' are not among"),
    ):
        clinic.protected()


def test_all_answers_are_about_one_moment(server: Server, clinic: PostgresEntities) -> None:
    with psycopg.connect(server.dsn("owner"), autocommit=True) as owner:
        owner.execute("INSERT INTO clinic.signs VALUES ('Cold', 'fever', 1)")
        try:
            fever = [m.term for m in clinic.match("fever")]
            assert len(clinic.restrict(fever).indices) == 3
            with PostgresEntities(server.dsn(), TABLES) as later:
                assert len(later.restrict(fever).indices) == 4
                assert later.digest != clinic.digest
        finally:
            owner.execute("DELETE FROM clinic.signs WHERE disease = 'Cold' AND sign = 'fever'")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"contexts": "clinic.nothing"}, "there is no table or view 'clinic.nothing'; write"),
        ({"term": "symptom"}, 'column "symptom" does not exist'),
        ({"contexts": "SELECT FROM WHERE"}, "syntax error"),
        (
            {"contexts": "SELECT pg_sleep(9)", "statement_timeout": 1},
            "statement timeout|does not exist",
        ),
        (
            {
                "entities": "SELECT count(*)::text AS disease FROM generate_series(1, 1000000000)",
                "statement_timeout": 1,
            },
            "statement timeout",
        ),
    ],
)
def test_a_wrong_mapping_is_told_in_one_line(
    server: Server, change: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message) as told:
        PostgresEntities(server.dsn(), TABLES.model_copy(update=change))
    assert "\n" not in str(told.value)
    assert "not-a-secret" not in str(told.value)


def test_a_database_that_does_not_answer_is_told_with_its_host_and_no_password() -> None:
    with pytest.raises(InputError) as told:
        PostgresEntities("postgresql://ann:hunter2@127.0.0.1:1/clinic")
    assert "127.0.0.1/clinic does not answer" in str(told.value)
    assert "hunter2" not in str(told.value)
    assert "ann" not in str(told.value)
    with pytest.raises(InputError, match="not one that PostgreSQL knows") as told:
        PostgresEntities("postgresql://ann:hunter2@[bad")
    assert "hunter2" not in str(told.value)


def _silent(taken: socket.socket) -> None:
    """Logs everybody in, and says nothing more."""
    with suppress(OSError):
        while True:
            said = taken.recv(4096)
            if not said:
                return
            if struct.unpack(">i", said[4:8])[0] in (80877103, 80877104):
                taken.sendall(b"N")
            else:
                taken.sendall(b"R" + struct.pack(">ii", 8, 0) + b"Z" + struct.pack(">i", 5) + b"I")
                while taken.recv(4096):
                    pass
                return


def test_a_server_that_logs_in_and_says_nothing_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sfumato.know.entities.logins._LATE", 0)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with suppress(OSError):
                taken = listening.accept()[0]
                with taken:
                    _silent(taken)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        begun = time.monotonic()
        address = f"postgresql://x@127.0.0.1:{listening.getsockname()[1]}/clinic"
        with pytest.raises(InputError, match="does not answer any more; nothing was written"):
            PostgresEntities(address, Tables(timeout=1, statement_timeout=1))
        assert time.monotonic() - begun < 10


def test_a_server_that_forgets_its_own_limit_is_not_waited_for(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sfumato.know.entities.logins._LATE", 0)
    with asking(server.dsn(), 5) as connection:
        pin(connection, 1)
        connection.execute("SET LOCAL statement_timeout = 0")
        begun = time.monotonic()
        with pytest.raises(psycopg.OperationalError, match="no answer"):
            connection.execute("SELECT pg_sleep(20)")
        assert time.monotonic() - begun < 10


@pytest.mark.parametrize("value", ["'infinity'::timestamptz", "'0044-03-15 BC'::date"])
def test_a_value_that_cannot_be_read_is_told_as_such(server: Server, value: str) -> None:
    query = f"SELECT disease AS entity, sign AS term, {value} AS until FROM clinic.signs"
    with (
        pytest.raises(InputError, match="has a value that cannot be read here"),
        rows(server.dsn(), query) as (_, found),
    ):
        list(found)


def test_a_database_that_goes_away_is_an_error(server: Server) -> None:
    clinic = PostgresEntities(server.dsn(), TABLES)
    server.stop()
    try:
        with pytest.raises(InputError, match="nothing was written"):
            clinic.restrict([0])
        with pytest.raises(InputError, match="nothing was written"):
            clinic.protected("alice")
        clinic.close()
        with pytest.raises(InputError, match="does not answer or refuses"):
            PostgresEntities(server.dsn(), TABLES)
    finally:
        server.start()


def test_without_the_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtraError, match=r"sfumato\[postgres\]"):
        PostgresEntities("postgresql://localhost/clinic")


def test_a_query_is_imported_and_is_the_same_database(
    server: Server, clinic: PostgresEntities, tmp_path: Path
) -> None:
    path = tmp_path / "copy.entities"
    query = "SELECT disease AS entity, sign AS term, strength AS weight FROM clinic.signs"
    build([server.dsn()], path, query=query, cache=tmp_path / "cache")
    with SqliteEntities(path, cache=tmp_path / "cache") as copy:
        assert copy.names(range(len(copy))) == ["AIDS", "Cold", "Flu", "Tuberculosis"]
        assert copy.entity("Flu").context == clinic.entity("Flu").context
        inner = TABLES.model_copy(update={"entities": "clinic.signs"})
        with PostgresEntities(server.dsn(), inner) as same:
            assert same.digest == copy.digest


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT disease AS entity FROM clinic.signs", "gives no column 'term'; it gives: entity"),
        ("SELECT nothing", 'column "nothing" does not exist'),
        ("SELECT 'a' AS entity, NULL::text AS term", "the query's row 1: no 'term'"),
        ("DELETE FROM clinic.signs RETURNING disease AS entity, sign AS term", "syntax error"),
    ],
)
def test_bad_queries_are_told(server: Server, tmp_path: Path, query: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        build([server.dsn("owner")], tmp_path / "out", query=query)
    assert not list(tmp_path.iterdir())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
@given(
    st.lists(st.sets(st.integers(0, 6), min_size=1), min_size=1, max_size=8),
    st.lists(st.integers(0, 6), max_size=8),
)
def test_restrict_agrees_with_the_embedded_database(
    server: Server, rows: list[set[int]], document: list[int]
) -> None:
    values = ", ".join(f"('e{e}', 'word{t}')" for e, row in enumerate(rows) for t in row)
    query = f"SELECT * FROM (VALUES {values}) AS v (entity, term)"
    tables = Tables(contexts=query)
    with tempfile.TemporaryDirectory() as name, PostgresEntities(server.dsn(), tables) as ours:
        folder = Path(name)
        build([server.dsn()], folder / "copy", query=query, cache=folder / "cache")
        with SqliteEntities(folder / "copy", cache=folder / "cache") as copy:
            wanted = [t for t in document if t < copy.size[1]]
            one, other = ours.restrict(wanted), copy.restrict(wanted)
            assert one.indptr.tolist() == other.indptr.tolist()
            assert one.indices.tolist() == other.indices.tolist()
            assert ours.digest == copy.digest


def test_the_host_is_shown_without_user_and_password() -> None:
    assert host("postgresql://u:p@db.example/clinic") == "db.example/clinic"
    assert host("host=db password=p") == "db"


def test_an_import_does_not_wait_for_ever_for_a_lock(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sfumato.know.entities.logins._LOCKED", 1)
    with psycopg.connect(server.dsn("owner")) as owner:
        owner.execute("LOCK TABLE clinic.signs IN ACCESS EXCLUSIVE MODE")
        for query in ("TABLE clinic.signs", "SELECT * FROM clinic.signs"):
            with pytest.raises(InputError, match="lock timeout"), rows(server.dsn(), query):
                pass


@pytest.mark.parametrize("kind", ["text[]", "jsonb", "json", "name[]"])
@pytest.mark.parametrize("column", ["term", "entity", "label"])
def test_a_column_of_lists_is_not_taken_for_text(server: Server, kind: str, column: str) -> None:
    """Nothing that a text says would match, and the note would be released as it stands."""
    value = "ARRAY['fever']" if "[]" in kind else """'["fever"]'"""
    names = {
        "term": ("contexts", "sign"),
        "entity": ("entities", "disease"),
        "label": ("labels", "mark"),
    }
    place, stored = names[column]
    others = {"sign", "disease", "mark"} - {stored}
    query = f"SELECT {value}::{kind} AS {stored}, " + ", ".join(f"'x' AS {o}" for o in others)
    change = {place: query, "weight": None}
    with pytest.raises(InputError, match=f"has '{stored}' of the type .*, which is not text"):
        PostgresEntities(server.dsn(), TABLES.model_copy(update=change))
