"""A reader acts at the moment between two questions of ours, while a query is judged, read and asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
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
    """Made anew before the query is read with its texts, it would run."""
    acts = [
        ("WITH RECURSIVE", "DROP DOMAIN bob.word"),
        ("PREPARE", f"CREATE DOMAIN bob.word AS text; {_CHECK}"),
    ]
    is_read = False

    def act(at: int, said: str) -> None:
        nonlocal is_read
        is_read |= said.startswith("CREATE")
        if is_read and acts and said.strip().startswith(acts[0][0]):
            with psycopg.connect(server.dsn("bob")) as bob:
                bob.execute(acts.pop(0)[1])

    with (
        planted(server, OURS, GONE, "owner"),
        planted(server, HIS, "SELECT 1"),
        between(act, monkeypatch),
        pytest.raises(InputError, match="depends on what was dropped; try again"),
    ):
        opened_entities(server, MEANWHILE["a check of his"][0])


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
        'SELECT a.f(1), A . F (2), "a"""."f"(3)': ["a", "A", 'a"'],
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
