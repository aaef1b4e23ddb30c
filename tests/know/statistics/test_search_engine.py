"""A search engine as source, against a server on this machine."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from sfumato.errors import InputError, PolicyError
from sfumato.know.statistics.probability import BackOff, Evidence
from sfumato.know.statistics.search_engine import SearchEngine

COUNTS = {'"HIV"': 40, '"AIDS"': 50, '"AIDS" AND "HIV"': 30, '"Miami"': 20, '"flood"': 5000}


class Engine(ThreadingHTTPServer):
    """Counts queries; fails as often as `failures` says."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[str] = []
        self.headers: list[str | None] = []
        self.failures: list[int] = []
        self.body: bytes | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/_count?q={{query}}"


class Handler(BaseHTTPRequestHandler):
    server: Engine

    def do_GET(self) -> None:
        query = parse_qs(urlsplit(self.path).query)["q"][0]
        self.server.asked.append(query)
        self.server.headers.append(self.headers.get("Authorization"))
        status = self.server.failures.pop(0) if self.server.failures else 200
        if status == 0:
            time.sleep(0.5)
        body = self.server.body or json.dumps({"hits": [{"total": COUNTS.get(query, 0)}]}).encode()
        self.send_response(status or 200)
        if status == 302:
            self.send_header("Location", "http://127.0.0.1:1/")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def closing() -> Iterator[list[SearchEngine]]:
    made: list[SearchEngine] = []
    yield made
    for source in made:
        source.close()


@pytest.fixture
def ask(engine: Engine, closing: list[SearchEngine]):
    def make(**options) -> SearchEngine:
        settings = {
            "count": "hits.0.total",
            "documents": 1000,
            "allow_network": True,
            "per_second": 1000,
        }
        closing.append(SearchEngine(**({"url": engine.url} | settings | options)))
        return closing[-1]

    return make


def test_numbers_are_hits_over_documents(ask) -> None:
    source = ask()
    assert source.p("HIV") == 0.04
    assert source.ic("AIDS") == pytest.approx(-math.log2(0.05))
    assert source.pmi("HIV", "AIDS") == pytest.approx(math.log2(0.03 / (0.04 * 0.05)))
    assert source.sure("HIV", "the AIDS") == Evidence(30, BackOff.NONE)
    assert source.knows("HIV")
    assert source.p("flood") == 1.0  # an engine's counts are rough: never above all documents


def test_what_was_never_found_is_estimated(ask) -> None:
    source = ask()
    expected = 1000 * 0.04 * 0.02
    assert source.p("HIV", "Miami") == pytest.approx(expected / (1 + 2 * expected) / 1000)
    assert source.sure("HIV", "Miami") == Evidence(0, BackOff.APART)
    assert source.p("Zyxgood") == 0.5 / 1000
    assert source.sure("Zyxgood") == Evidence(0, BackOff.UNKNOWN)
    assert source.pmi("Zyxgood", "HIV") == pytest.approx(0)
    assert source.pmi("Zyxgood", "Qwxood") == pytest.approx(0)


def test_nothing_is_asked_without_leave(engine: Engine, closing, tmp_path: Path, ask) -> None:
    cache = str(tmp_path / "counts.sqlite")
    assert ask(cache=cache).count("HIV") == 40
    asked = len(engine.asked)
    quiet = SearchEngine(engine.url, count="hits.0.total", documents=1000, cache=cache)
    closing.append(quiet)
    assert quiet.count("HIV") == 40  # from the cache
    with pytest.raises(PolicyError, match="allow_network: true"):
        quiet.count("AIDS")
    assert len(engine.asked) == asked


def test_the_cache_outlives_the_run_and_holds_no_query(engine: Engine, ask, tmp_path: Path) -> None:
    cache = tmp_path / "counts.sqlite"
    first = ask(cache=str(cache))
    assert first.count("HIV", "AIDS") == 30
    first.close()
    assert ask(cache=str(cache)).count("AIDS", "HIV") == 30
    assert engine.asked == ['"AIDS" AND "HIV"']
    assert cache.stat().st_mode & 0o777 == 0o600
    data = cache.read_bytes()
    assert b"HIV" not in data
    assert b"AIDS" not in data


def test_a_term_cannot_change_the_query(ask) -> None:
    assert ask().query('x" OR "y*:(') == '"x OR y"'
    assert (
        ask(quote="+{term}", join=" ").query("liver cancer", "the tumour")
        == "+liver cancer +tumour"
    )


def test_failures_are_tried_again(engine: Engine, ask, monkeypatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    engine.failures = [500, 429]
    assert ask().count("HIV") == 40
    assert len(engine.asked) == 3
    engine.failures = [503] * 5
    with pytest.raises(InputError, match=r"127\.0\.0\.1:\d+ gave no count \(HTTP status 503\)"):
        ask(retries=2).count("AIDS")
    assert len(engine.asked) == 6


def test_a_refusal_is_final(engine: Engine, ask) -> None:
    for status in (403, 302):
        engine.failures = [status]
        with pytest.raises(InputError, match=f"HTTP status {status}"):
            ask().count("AIDS")
    assert len(engine.asked) == 2


def test_silence_and_absence_are_errors(engine: Engine, ask) -> None:
    engine.failures = [0]
    with pytest.raises(InputError, match="no answer in time"):
        ask(timeout=0.1, retries=0).count("AIDS")
    with pytest.raises(InputError, match="no connection"):
        ask(url="http://127.0.0.1:1/?q={query}", retries=0).count("AIDS")


@pytest.mark.parametrize(
    "body", [b"no json", b"{}", b'{"hits": [{"total": "many"}]}', b'{"hits": []}']
)
def test_an_answer_without_a_count_is_an_error(engine: Engine, ask, body: bytes) -> None:
    engine.body = body
    with pytest.raises(InputError, match=r"no count at 'hits\.0\.total'"):
        ask().count("AIDS")


def test_requests_keep_to_the_rate_and_carry_the_headers(engine: Engine, ask) -> None:
    source = ask(per_second=20, headers={"Authorization": "ApiKey x"})
    begun = time.monotonic()
    for term in ("HIV", "AIDS", "Miami", "HIV"):
        source.count(term)
    assert time.monotonic() - begun >= 2 / 20
    assert engine.headers == ["ApiKey x"] * 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"url": "http://localhost/"}, "needs {query}"),
        ({"url": "file:///etc/{query}"}, "http://"),
        ({"quote": "x"}, "needs {term}"),
        ({"documents": 0}, "documents"),
        ({"speed": 1}, "speed"),
    ],
)
def test_wrong_options_are_named(ask, options, message) -> None:
    with pytest.raises(PolicyError, match=message):
        ask(**options)


def test_a_cache_that_is_none_is_an_error(ask, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("no database, but long enough to be taken for one" * 9)
    with pytest.raises(InputError, match="not a cache"):
        ask(cache=str(tmp_path / "x"))
