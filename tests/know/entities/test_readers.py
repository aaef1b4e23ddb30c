"""Who may see what, asked of a file and of a real PostgreSQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from sfumato import InputError, sanitize
from sfumato.know.entities.contexts import Ints
from sfumato.know.entities.postgres import Tables
from sfumato.know.entities.readers import Opened, Register, address, register
from sfumato.verify import Evidence
from sfumato.verify.ksafety import is_k_safe
from tests.clinic import SIGNS, make_clinic
from tests.postgres import Server, psycopg, serving

TABLES = {"entities": "diseases", "labels": "labels"}


@pytest.fixture
def clinic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return make_clinic(tmp_path)


def names(view: tuple[Opened, Ints]) -> list[str]:
    opened, hidden = view
    return [opened.names[e] for e in hidden.tolist()]


def test_a_variable_needs_a_name() -> None:
    for given in ("$", "$ "):
        with pytest.raises(InputError, match="alone names nothing"):
            address(given)


def test_rights_of_a_file(clinic: Path) -> None:
    rights = Register(str(clinic))
    assert names(rights.view()) == ["HIV", "Tuberculosis"]
    assert names(rights.view(["virologist"])) == ["Tuberculosis"]
    assert names(rights.view(["virologist", "lung clinic"])) == []
    assert names(rights.view((), "lungs")) == ["Tuberculosis"]
    with pytest.raises(InputError, match="no reader 'eve'"):
        rights.view(["virologist", "eve"])


def test_a_right_that_is_taken_back_counts_at_once(clinic: Path) -> None:
    rights = register(str(clinic))
    assert names(rights.view(["virologist"])) == ["Tuberculosis"]
    with sqlite3.connect(clinic) as opened:
        opened.execute("DELETE FROM readers WHERE reader = 'virologist'")
    opened.close()
    with pytest.raises(InputError, match="no reader 'virologist'"):
        rights.view(["virologist"])


def test_a_file_that_is_replaced_is_read_again(clinic: Path) -> None:
    rights = register(str(clinic))
    before = rights.current()
    assert rights.current() is before
    make_clinic(clinic.parent, {"HIV": ["x"], "Tuberculosis": ["y"]})
    assert len(rights.current().database) == 2
    rights.refresh()
    assert rights.current() is not before
    clinic.unlink()
    with pytest.raises(InputError, match="no such entity database"):
        rights.current()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as made:
        with psycopg.connect(made.dsn("owner")) as owner:
            owner.execute(
                """
                CREATE TABLE diseases (entity text PRIMARY KEY, ward text);
                CREATE TABLE contexts (entity text, term text);
                CREATE TABLE labels (entity text, label text);
                INSERT INTO labels VALUES ('HIV', 'protected');
                CREATE ROLE service LOGIN BYPASSRLS;
                CREATE ROLE alice; CREATE ROLE bob; CREATE ROLE press;
                GRANT alice, bob, press TO service;
                """
            )
            for entity, signs in SIGNS.items():
                ward = {"HIV": "virology", "Tuberculosis": "lungs"}.get(entity, "open")
                owner.execute("INSERT INTO diseases VALUES (%s, %s)", (entity, ward))
                for sign in signs:
                    owner.execute("INSERT INTO contexts VALUES (%s, %s)", (entity, sign))
            owner.execute(
                """
                GRANT SELECT ON diseases, contexts, labels TO service;
                GRANT SELECT ON diseases TO alice, bob;
                ALTER TABLE diseases ENABLE ROW LEVEL SECURITY;
                CREATE POLICY wards ON diseases TO alice, bob
                    USING (ward = 'open' OR (ward = 'virology' AND current_user = 'alice'));
                """
            )
        yield made


@pytest.fixture
def rights(server: Server) -> Register:
    return Register(server.dsn(), Tables.model_validate(TABLES))


def test_a_role_knows_what_it_can_select(rights: Register) -> None:
    assert names(rights.view(["alice"])) == ["Tuberculosis"]
    assert names(rights.view(["bob"])) == ["HIV", "Tuberculosis"]
    assert len(rights.view(["press"])[1]) == len(SIGNS)
    assert names(rights.view(["press", "alice"])) == ["Tuberculosis"]
    assert names(rights.view()) == ["HIV"]
    with pytest.raises(InputError, match="no role that this login can take on"):
        rights.view(["eve"])


@pytest.mark.parametrize("reader", ["service", "none", "SERVICE"])
def test_the_services_own_login_is_no_reader(rights: Register, reader: str) -> None:
    with pytest.raises(InputError, match="no role that this login can take on"):
        rights.view([reader])


def test_the_contents_in_memory_are_those_of_the_database(rights: Register, clinic: Path) -> None:
    opened = rights.current()
    copy = register(str(clinic)).current()
    assert opened.database.digest == copy.database.digest
    assert opened.database.size == copy.database.size
    text = "Fevers, and a weight-loss; Flu"
    ids = [m.term for m in opened.database.match(text)]
    assert opened.database.match(text) == copy.database.match(text)
    assert opened.database.terms(ids) == copy.database.terms(ids)
    one, other = opened.database.restrict(ids), copy.database.restrict(ids)
    assert one.indices.tolist() == other.indices.tolist()
    assert one.indptr.tolist() == other.indptr.tolist()
    opened.database.close()


def test_no_transaction_stays_open_so_that_altering_a_table_is_accepted(
    server: Server, rights: Register
) -> None:
    rights.view(["alice"])
    with psycopg.connect(server.dsn("owner"), autocommit=True) as owner:
        owner.execute("SET lock_timeout = '2s'")
        owner.execute("ALTER TABLE diseases ADD COLUMN note text")  # needs the table for itself
        owner.execute("ALTER TABLE diseases DROP COLUMN note")


def test_a_revoked_grant_counts_from_the_next_view(server: Server, rights: Register) -> None:
    with psycopg.connect(server.dsn("owner"), autocommit=True) as owner:
        assert len(rights.view(["alice"])[1]) == 1
        owner.execute("REVOKE SELECT ON diseases FROM alice")
        try:
            assert len(rights.view(["alice"])[1]) == len(SIGNS)
        finally:
            owner.execute("GRANT SELECT ON diseases TO alice")


def test_an_entity_that_is_new_is_known_from_the_next_view(
    server: Server, rights: Register
) -> None:
    rights.view(["alice"])
    with psycopg.connect(server.dsn("owner"), autocommit=True) as owner:
        owner.execute("INSERT INTO diseases VALUES ('Ague', 'lungs')")
        try:
            assert names(rights.view(["alice"])) == ["Ague", "Tuberculosis"]
        finally:
            owner.execute("DELETE FROM diseases WHERE entity = 'Ague'")


def test_each_role_gets_a_view_that_is_verified(server: Server) -> None:
    step = {"k": 2, "entities": server.dsn(), "tables": TABLES}
    rules = {"detect": ["patterns"], "protect": [{"ksafety": step}]}
    text = "Weight loss, sweating, fever, fatigue and pain: HIV?"
    views = {name: sanitize(text, rules, reader=name) for name in ("alice", "bob", "press")}
    assert "HIV" in views["alice"].text
    assert "HIV" not in views["bob"].text
    from sfumato.policy import load

    for name, release in views.items():
        claim = next(c for c in release.certificate.claims if c.name == "K-safe")
        assert is_k_safe(claim, Evidence(release.text, load(rules), reader=name)).verdict == "holds"


def test_a_database_that_is_down_gives_nothing(server: Server, rights: Register) -> None:
    rights.view(["alice"])
    server.stop()
    try:
        with pytest.raises(InputError, match="does not answer"):
            rights.view(["alice"])
    finally:
        server.start()


def test_an_empty_database_is_refused(server: Server) -> None:
    nobody = Tables(contexts="SELECT '' AS entity, '' AS term WHERE false")
    with pytest.raises(InputError, match="empty"):
        Register(server.dsn(), nobody).current()
