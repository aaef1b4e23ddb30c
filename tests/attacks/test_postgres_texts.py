"""A reader acts at the moment between two questions of ours, while a query is judged, read and asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import InputError
from sfumato.know.entities.logins import asking, pin
from sfumato.know.entities.postgres import PostgresEntities, Tables, rows
from sfumato.know.entities.queries import without_texts
from tests.attacks.test_postgres import clinic_server, opened_entities, planted
from tests.clinic import SIGNS
from tests.postgres import Server, psycopg

_SIGNS = "SELECT entity, term FROM public.contexts"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with clinic_server() as made:
        yield made


@pytest.fixture(autouse=True)
def unhelped(server: Server) -> Iterator[None]:
    log = server.folder / "log"
    before = len(log.read_text())
    yield
    assert "it is helped as service" not in log.read_text()[before:]


@contextmanager
def between(act: Callable[[int, str], None], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Before each statement of the service's, it is told which one it is, and what it says."""
    execute, count = psycopg.Connection.execute, 0

    def heard(self: Any, query: Any, *more: Any, **options: Any) -> Any:
        nonlocal count
        if self.info.get_parameters().get("application_name") == "sfumato":
            act(count, query.decode() if isinstance(query, bytes) else str(query))
            count += 1
        return execute(self, query, *more, **options)

    with monkeypatch.context() as patched:
        patched.setattr(psycopg.Connection, "execute", heard)
        yield


LOGS = (
    "LANGUAGE plpgsql AS $f$ BEGIN RAISE LOG 'it is helped as %', current_user; RETURN $1; END $f$"
)
OURS = (
    "CREATE SCHEMA shared; GRANT USAGE, CREATE ON SCHEMA shared TO PUBLIC; "
    "CREATE DOMAIN shared.word AS text; CREATE DOMAIN shared.words AS text[]"
)
HIS = (
    f"CREATE FUNCTION bob.check_word(text) RETURNS text {LOGS}; GRANT USAGE ON SCHEMA bob TO PUBLIC; "
    "CREATE DOMAIN bob.word AS text"
)
GONE = "DROP SCHEMA bob CASCADE; CREATE SCHEMA bob AUTHORIZATION bob; DROP SCHEMA shared CASCADE"
_CHECK = "ALTER DOMAIN bob.word ADD CHECK (bob.check_word(VALUE) <> '')"
# What is asked, and what bob does meanwhile.
MEANWHILE = {
    "a check of his": (f"{_SIGNS} WHERE '{{x}}'::bob.word[] IS NOT NULL", _CHECK),
    "a check, of dollars": (
        f"{_SIGNS} WHERE term::text <> ($$(x)$$::bob.pair)::text",
        f"CREATE TYPE bob.pair AS (a bob.word); {_CHECK}",
    ),
    "a cast like a function": (
        "SELECT shared.word(entity) AS entity, term FROM public.contexts",
        f"CREATE FUNCTION shared.word(text) RETURNS text {LOGS}",
    ),
    "a cast to what it is": (
        f"SELECT shared.word(entity) AS entity, term FROM (SELECT entity::shared.word, term FROM ({_SIGNS}) AS a) AS b",
        f"CREATE FUNCTION shared.word(shared.word) RETURNS text {LOGS}",
    ),
    "what a text is compared with": (
        f"{_SIGNS} WHERE \"shared\" /* */ .words(ARRAY[term]) = '{{x}}'",
        f"{_CHECK}; CREATE FUNCTION shared.words(text[]) RETURNS bob.word[] LANGUAGE sql AS 'SELECT NULL::bob.word[]'",
    ),
}


@pytest.mark.parametrize("what", MEANWHILE)
def test_at_no_moment_does_a_query_run_what_a_reader_makes(
    server: Server, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, made = MEANWHILE[what]
    last, done = 0, list[int]()

    def act(at: int, said: str) -> None:
        nonlocal last
        if (last := at) == moment:
            with psycopg.connect(server.dsn("bob")) as bob:
                bob.execute(made)
                done.append(moment)

    for moment in range(99):
        with (
            planted(server, OURS, GONE, "owner"),
            planted(server, HIS, "SELECT 1"),
            between(act, monkeypatch),
            suppress(InputError),
        ):
            opened_entities(server, asked)
        if last < moment:
            break
    assert len(done) == moment > 5


def test_what_is_dropped_between_reading_and_judging_is_not_what_was_judged(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made anew before the query is read with its texts, it would be another."""
    made = (
        "CREATE SCHEMA ours; CREATE DOMAIN ours.word AS text; GRANT USAGE ON SCHEMA ours TO PUBLIC"
    )
    acts = ["DROP DOMAIN ours.word"]
    is_read = False

    def act(at: int, said: str) -> None:
        nonlocal is_read
        is_read |= said.startswith("CREATE")
        if is_read and acts and said.strip().startswith("WITH RECURSIVE"):
            with psycopg.connect(server.dsn("owner")) as owner:
                owner.execute(acts.pop())

    with (
        planted(server, made, "DROP SCHEMA ours CASCADE", "owner"),
        between(act, monkeypatch),
        pytest.raises(InputError, match=r"ours\.word\[\]. does not exist"),
    ):
        opened_entities(server, f"{_SIGNS} WHERE '{{x}}'::ours.word[] IS NOT NULL")


_HIS_VIEW = (
    "CREATE VIEW shared.signs AS SELECT bob.check_word(entity) AS entity, 'x'::text AS term, "
    "'x'::text AS label FROM (VALUES ('HIV')) AS v (entity); GRANT SELECT ON shared.signs TO PUBLIC"
)
_TABLE = (
    "CREATE TABLE shared.signs AS SELECT entity, term, 'all' AS label FROM public.contexts; "
    "GRANT SELECT ON shared.signs TO PUBLIC"
)


def _imported(server: Server, query: str) -> int:
    with rows(server.dsn(), query) as (_, found):
        return len({row[0] for row in chain.from_iterable(found)})


def _labelled(server: Server, place: str) -> int:
    with PostgresEntities(server.dsn(), Tables(labels=place)) as clinic:
        return len(clinic.labelled("all"))


def _seen(server: Server, place: str) -> int:
    with PostgresEntities(server.dsn(), Tables(entities=place)) as clinic:
        return len(clinic.visible("bob"))


READS = {
    "imported": (_imported, "TABLE shared.signs"),
    "imported by a query": (_imported, "SELECT * FROM shared.signs"),
    "contexts": (opened_entities, "shared.signs"),
    "contexts of a query": (opened_entities, "SELECT * FROM shared.signs"),
    "labels": (_labelled, "shared.signs"),
    "labels of a query": (_labelled, "SELECT entity, label FROM shared.signs WHERE term <> 'x'"),
    "entities": (_seen, "shared.signs"),
}
# Who does what, at any moment between two statements of ours; tables that we have opened are waited for. Where
# others may make things for longer than that, nothing is read.
_BOBS = [
    ("owner", "GRANT CREATE ON SCHEMA shared TO bob"), ("bob", _HIS_VIEW),
    ("owner", "REVOKE CREATE ON SCHEMA shared FROM bob"),
]  # fmt: skip
SWAPS = {
    "what is not there is made": _BOBS,
    "what is dropped is made anew": [("owner", f"{_TABLE}"), ("owner", "DROP TABLE shared.signs"), *_BOBS],
    "what is renamed is made anew": [
        ("owner", f"{_TABLE}"), ("owner", "ALTER TABLE shared.signs RENAME TO old"), *_BOBS
    ],
    "rows are filled in anew": [
        ("owner", f"{_TABLE}"),
        ("owner", "TRUNCATE shared.signs; INSERT INTO shared.signs SELECT entity, term, 'all' FROM public.contexts"),
    ],
    "a table is filled in anew": [("owner", f"{_TABLE}"), ("owner", f"DROP TABLE shared.signs; {_TABLE}")],
}  # fmt: skip


@pytest.mark.parametrize(
    ("how", "what"),
    [
        *(("imported", "what is not there is made"), ("contexts", "what is not there is made")),
        *(("imported", "what is dropped is made anew"), ("contexts", "what is dropped is made anew")),
        *(("contexts of a query", "what is dropped is made anew"), ("labels", "what is renamed is made anew")),
        *(("imported by a query", "what is renamed is made anew"), ("entities", "what is dropped is made anew")),
        *(("labels", "rows are filled in anew"), ("labels of a query", "a table is filled in anew")),
    ],
)  # fmt: skip
def test_what_is_read_is_what_was_judged_at_every_moment(
    server: Server, how: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And all of it: no table is read that is empty for a moment."""
    first = 0 if "not there" in what else 1
    read, place = READS[how]
    last, done = 0, 0

    def act(at: int, said: str) -> None:
        nonlocal last, done
        if (last := at) != moment:
            return
        with suppress(psycopg.Error):
            for user, made in SWAPS[what][first:]:
                with psycopg.connect(server.dsn(user)) as other:
                    other.execute("SET lock_timeout = 10")
                    other.execute(made)
            done += 1

    found = []
    for moment in range(99):
        ours = OURS.replace(", CREATE", "")
        with planted(server, ours, GONE, "owner"), planted(server, HIS, "SELECT 1"):
            for user, made in SWAPS[what][:first]:
                with psycopg.connect(server.dsn(user)) as other:
                    other.execute(made)
            with between(act, monkeypatch), suppress(InputError):
                found.append(read(server, place))
        if last < moment:
            break
    assert done > 0
    assert set(found) <= {len(SIGNS)}
    assert len(found) > 0 or not first  # where nobody came in between


SCHEMAS = ("Ärzte", "ÄRZTE", '"Ärzte"', '"SHÄR"', "Sharit", '"a.b"', '"a""b"', "é$1")


@pytest.mark.parametrize("name", SCHEMAS)
@pytest.mark.parametrize("call", ["{}.norm(term)", "term OPERATOR({}.+) ''", "term::{}.word::text"])
def test_a_schema_is_the_one_that_the_server_reads(server: Server, name: str, call: str) -> None:
    """Its small letters are not those of a column's language."""
    made = (
        f"CREATE SCHEMA {name}; GRANT USAGE ON SCHEMA {name} TO PUBLIC; CREATE FUNCTION {name}.norm(text) "
        f"RETURNS text RETURN lower($1); CREATE DOMAIN {name}.word AS text; CREATE FUNCTION {name}.plus(text, text) "
        "RETURNS text RETURN $1"
    )
    operator = f"CREATE OPERATOR {name}.+ (FUNCTION = {name}.plus, LEFTARG = text, RIGHTARG = text)"
    asked = f"SELECT entity, {call.format(name)} AS term FROM public.contexts"
    with planted(server, f"{made}; {operator}", f"DROP SCHEMA {name} CASCADE", "owner"):
        if "OPERATOR" not in call:
            assert opened_entities(server, asked) == len(SIGNS)
        with psycopg.connect(server.dsn("owner")) as owner:
            owner.execute(f"GRANT CREATE ON SCHEMA {name} TO PUBLIC")
        with pytest.raises(InputError, match="where others can be made by"):
            opened_entities(server, asked)
        with pytest.raises(InputError, match="where others can be made by"):
            _imported(server, asked)


def test_a_schema_is_the_one_that_the_server_reads_in_other_languages(server: Server) -> None:
    """In a Turkish database the small letter of I is none of the system's."""
    made = "CREATE DATABASE turkish TEMPLATE template0 ENCODING utf8 LOCALE_PROVIDER icu ICU_LOCALE 'tr'"
    with planted(server, made, "DROP DATABASE turkish WITH (FORCE)", "owner"):
        where = server.dsn().replace("/postgres?", "/turkish?")
        with psycopg.connect(where.replace("service", "owner")) as owner:
            owner.execute(
                "CREATE SCHEMA sharit; GRANT USAGE, CREATE ON SCHEMA sharit TO PUBLIC; "
                "CREATE FUNCTION sharit.norm(text) RETURNS text RETURN $1"
            )
        asked = "SELECT SHARIT.norm(CAST(1 AS text)) AS entity, '' AS term"
        with pytest.raises(InputError, match="where others can be made by"):
            PostgresEntities(where, Tables(contexts=asked)).close()


def test_a_query_with_texts_is_asked_beside_domains_of_a_readers(server: Server) -> None:
    with planted(server, OURS, GONE, "owner"), planted(server, f"{HIS}; {_CHECK}", "SELECT 1"):
        for text in ("'x'", "$$x$$", r"E'\'x'", "U&'x'", "DATE '2020-01-01'::text", "'x' -- it's"):
            asked = f"{_SIGNS} WHERE term <> {text}"
            assert opened_entities(server, asked) == len(SIGNS)
            with rows(server.dsn(), asked) as (_, found):
                assert sum(map(len, found)) == sum(map(len, SIGNS.values()))
            with PostgresEntities(server.dsn(), Tables(entities=asked)) as clinic:
                assert len(clinic.names(clinic.protected("bob"))) == len(SIGNS)  # not his to read


GAPS = st.sampled_from(
    [" ", "\n", "\t\r\n", " -- it's\n", "/* ' */", "/* /* $$ */ ' */", "/**/", ' /*/ " */ ']
)
VALUES = st.sampled_from([
    *("'x'", "''", "'it''s'", "''''", "'\\'", "'--'", "'/*'", "'$$'", "'a'\n'b'", "'a' \t\r\n 'b'\n\n'c'''"),
    *(r"E'\''", r"e'\\'", r"E'a''\'b'", "E'a'\n'\\'b'", r"E'\\\'$$'"),
    *("U&'x'", r"u&'\0041'", "U&'a'\n'b'"),
    *("$$x$$", "$$'$$", "$a$ $$ $b$ ' $a$", "$$$$", "$A$ $a$ $A$", "$é$'$é$", "$_1$ $_$ $_1$"),
])  # fmt: skip
OTHERS = st.sampled_from(
    ["1", "-1.5", "B'101'", "x'1F'", "n'x'", "DATE '2020-01-01'", "interval '1' DAY", "(1 - -1)", "1 <> 2", "2*/**/3",
     "TIMESTAMP WITH TIME ZONE '2020-01-01 00:00Z'", "now() AT TIME ZONE 'UTC'", 'a$b$."it""s$$"', '"é\'"."x--"']
)  # fmt: skip


@settings(deadline=None, max_examples=300)
@given(parts=st.lists(st.tuples(GAPS, VALUES | OTHERS, GAPS), min_size=1, max_size=6))
def test_texts_are_where_the_server_finds_them(server: Server, parts: list[Any]) -> None:
    values = {"'", "$", "e", "u", "E", "U"}
    is_text = [v[0] in values and not v.startswith("U ") for _, v, _ in parts]
    said = ",".join(f"{before}{value}{after}" for before, value, after in parts)
    query = f"""SELECT {said} FROM (SELECT 1 AS "it""s$$") AS a$b$, (SELECT 2 AS "x--") AS "é'" """
    with asking(server.dsn(), 5) as connection:
        pin(connection)
        real = connection.execute(query.encode()).fetchone() or ()
        unread = connection.execute(without_texts(query)[0].encode()).fetchone() or ()
    for text, one, other in zip(is_text, real, unread, strict=True):
        assert one is not None
        assert other is None if text else other == one or "now" in said


@pytest.mark.parametrize(
    "query",
    ["SELECT 'x", "SELECT $a$ $A$", "SELECT /* /* */", 'SELECT "x', "SELECT 'x''", r'SELECT U&"\0061"(1)', "SELECT 1\0",
     "SELECT /*/", r"SELECT E'\'"],
)  # fmt: skip
def test_a_query_that_cannot_be_read_is_none(query: str) -> None:
    with pytest.raises(InputError, match=r"no end|U&"):
        without_texts(query)


def test_a_text_behind_the_name_of_a_type_makes_no_call(server: Server) -> None:
    """As a call it would be of the function, and the type, which makes the value, would be judged by nobody."""
    named = "CREATE FUNCTION shared.pair(text) RETURNS bool RETURN true"
    his = f"{HIS}; {_CHECK}; CREATE TYPE shared.pair AS (a bob.word)"
    with (
        planted(server, f"{OURS}; {named}", GONE, "owner"),
        planted(server, his, "SELECT 1"),
        planted(server, "REVOKE CREATE ON SCHEMA shared FROM PUBLIC", "SELECT 1", "owner"),
    ):
        for asked in ("shared.pair '(x)' IS NULL", "shared.pair\n'(x)' IS NULL"):
            with pytest.raises(InputError):
                opened_entities(server, f"{_SIGNS} WHERE {asked}")


def test_schemas_are_found_wherever_something_is_called() -> None:
    for query, called in {
        'SELECT a.f(1), A . F (2), "a"""."f"(3)': ["a", "A", '"a"""'],
        "SELECT d.a.f(1)": ["a"],
        "SELECT a.b, a.* FROM a.f -- a.f(1)": [],
        "SELECT 1 OPERATOR(a.=) 2 /* b.f(1) */": ["a"],
        "SELECT 1 operator ( d.a.* ) 2": ["a"],
        "SELECT 'a.f(1)', a/**/.f--\n(1), é$1.f(1)": ["a", "é$1"],
        "SELECT shared.date '(x)'": [],
    }.items():
        assert without_texts(query)[1] == called
    assert "'" not in without_texts("SELECT shared.date '(x)', shared . /**/ interval 'x'")[0]
    assert re.findall("'.'", without_texts("SELECT date 'x', 'y', zone 'z'")[0]) == ["'x'", "'z'"]


@pytest.mark.parametrize("how", READS)
def test_a_place_is_in_no_schema_in_which_others_may_make_things(server: Server, how: str) -> None:
    """Between dropping and making it anew, the name would be theirs, and they who the data belong to."""
    read, place = READS[how]
    ours = f"{OURS.replace(', CREATE', '')}; {_TABLE}"
    with planted(server, ours, "DROP SCHEMA shared CASCADE", "owner"):
        assert read(server, place) == len(SIGNS)
        for to in ("bob", "PUBLIC", "alice"):
            with psycopg.connect(server.dsn("owner")) as owner:
                owner.execute(f"GRANT CREATE ON SCHEMA shared TO {to}")
            with pytest.raises(
                InputError, match=r"schema shared, where others can be made by .*CREATE"
            ):
                read(server, place)
            with psycopg.connect(server.dsn("owner")) as owner:
                owner.execute(f"REVOKE CREATE ON SCHEMA shared FROM {to}")
        with psycopg.connect(server.dsn("owner")) as owner:
            owner.execute("GRANT CREATE ON SCHEMA shared TO service")
        assert read(server, place) == len(SIGNS)
        with psycopg.connect(server.dsn("owner")) as owner:
            owner.execute("ALTER TABLE shared.signs OWNER TO bob")
        with pytest.raises(InputError, match=r"belongs to the reader 'bob'; .*take that role away"):
            read(server, place)
