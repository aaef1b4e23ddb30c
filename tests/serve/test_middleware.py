"""The middleware around a plain ASGI application, driven directly."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sfumato import InputError, Ledger, PolicyError, formats, keys
from sfumato.document import restored
from sfumato.formats.encodings import web_codec
from sfumato.keys import Key
from sfumato.policy import load
from sfumato.serve import SanitizeResponses as Middleware
from sfumato.serve import middleware
from sfumato.serve.bodies import WithheldError
from tests.clinic import make_clinic, policy

NOTE = "He reports weight loss, sweating, fever, fatigue and pain."
# Most of it does not depend on where the work is done; test_workers.py has processes.
SanitizeResponses = partial(Middleware, seconds=None)
PLAIN = [(b"content-type", b"text/plain; charset=utf-8")]


@pytest.fixture
def clinic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return make_clinic(tmp_path)


def app_of(
    *bodies: bytes,
    status: int = 200,
    headers: Iterable[tuple[bytes, bytes]] = PLAIN,
    scopes: list[dict[str, Any]] | None = None,
) -> Callable[..., Awaitable[None]]:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scopes is not None:
            scopes.append(scope)
        await send({"type": "http.response.start", "status": status, "headers": list(headers)})
        for at, body in enumerate(bodies):
            more = at < len(bodies) - 1
            await send({"type": "http.response.body", "body": body, "more_body": more})

    return app


def by_header(scope: Any) -> str | None:
    return dict(scope["headers"]).get(b"x-reader", b"").decode() or None


class Answer:
    def __init__(self, messages: list[dict[str, Any]]) -> None:
        start, *rest = messages
        self.status: int = start["status"]
        self.headers = dict(start["headers"])
        self.body = b"".join(m["body"] for m in rest)


def get(
    app: Any, reader: str = "head", method: str = "GET", *headers: tuple[bytes, bytes]
) -> Answer:
    return asyncio.run(ask(app, reader, method, *headers))


async def ask(app: Any, reader: str, method: str = "GET", *headers: tuple[bytes, bytes]) -> Answer:
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    given = [(b"x-reader", reader.encode()), *headers]
    scope = {
        "type": "http",
        "method": method,
        "path": "/",
        "headers": given,
        "extensions": {"x": {}},
    }
    await app(scope, receive, send)
    return Answer(sent)


def test_each_caller_gets_their_view(clinic: Path) -> None:
    app = SanitizeResponses(app_of(NOTE.encode()), policy(clinic), reader_from=by_header)
    assert get(app, "head").body == NOTE.encode()
    seen = get(app, "virologist")
    assert seen.status == 200
    assert b"pain" in seen.body
    assert seen.body != NOTE.encode()
    assert int(seen.headers[b"content-length"]) == len(seen.body)
    assert seen.headers[b"cache-control"] == b"private, no-store"


def test_the_reader_may_be_found_by_a_coroutine(clinic: Path) -> None:
    async def reader(scope: Any) -> str | None:
        return by_header(scope)

    app = SanitizeResponses(app_of(NOTE.encode()), policy(clinic), reader_from=reader)
    assert get(app, "head").body == NOTE.encode()


def test_a_right_that_is_taken_back_shows_in_the_next_view(clinic: Path) -> None:
    app = SanitizeResponses(app_of(NOTE.encode()), policy(clinic), reader_from=by_header)
    assert get(app, "head").body == NOTE.encode()
    with sqlite3.connect(clinic) as opened:
        opened.execute("UPDATE readers SET sees = 'entity', value = 'Flu' WHERE reader = 'head'")
    opened.close()
    assert get(app, "head").body != NOTE.encode()


def test_contents_are_read_again_after_a_while(clinic: Path) -> None:
    app = SanitizeResponses(
        app_of(NOTE.encode()), policy(clinic), reader_from=by_header, refresh=0.0
    )
    assert get(app).body == get(app).body == NOTE.encode()


def test_a_page_is_sanitised_between_its_tags(clinic: Path) -> None:
    body = b"<p>It is <i>HI</i>V, weight <b>loss</b>, pain &amp; fever</p>"
    app = SanitizeResponses(
        app_of(body, headers=[(b"Content-Type", b"text/html")]),
        policy(clinic),
        reader_from=by_header,
    )
    seen = get(app, "lung clinic").body
    assert b"V" not in seen
    assert seen.startswith(b"<p>")
    assert seen.endswith(b"</p>")


def test_json_is_sanitised_by_its_values(clinic: Path) -> None:
    app = SanitizeResponses(
        app_of(b'{"found": ["HIV", "pain"]}', headers=[(b"content-type", b"application/json")]),
        policy(clinic),
        reader_from=by_header,
    )
    seen = get(app, "lung clinic").body
    assert b"HIV" not in seen
    assert b"pain" in seen


@pytest.mark.parametrize(
    ("bodies", "headers", "reader", "status", "said"),
    [
        ((b"x" * 60, b"x" * 60), PLAIN, "head", 500, b"too large"),
        ((b"\x89PNG",), [(b"content-type", b"image/png")], "head", 500, b"kind of content"),
        ((b"fever",), [], "head", 500, b"does not say what it is"),
        ((b"fever",), [*PLAIN, (b"content-encoding", b"gzip")], "head", 500, b"compressed"),
        ((b"\xff",), PLAIN, "head", 500, b"encoding"),
        ((b"x",), [(b"content-type", b"text/plain; charset=none")], "head", 500, b"encoding"),
        ((b"{",), [(b"content-type", b"application/json")], "head", 422, b"kind that it names"),
        ((b"[1, 2",), [(b"content-type", b"application/json")], "head", 422, b"kind that it names"),
        ((b"fever",), PLAIN, "", 403, b"nobody knows"),
        ((b"fever",), PLAIN, "eve", 503, b"cannot be told"),
    ],
)
def test_what_cannot_be_sanitised_is_withheld(
    clinic: Path,
    bodies: tuple[bytes, ...],
    headers: list[tuple[bytes, bytes]],
    reader: str,
    status: int,
    said: bytes,
) -> None:
    app = SanitizeResponses(
        app_of(*bodies, headers=headers), policy(clinic), reader_from=by_header, limit=100
    )
    seen = get(app, reader)
    assert seen.status == status
    assert said in seen.body
    assert seen.body.count(b"\n") == 1
    assert bodies[0] not in seen.body or bodies[0] in (b"x", b"{")


@pytest.mark.parametrize("charset", ["latin-1", "windows-1252", "macintosh", "cp437", "utf-8"])
def test_a_text_goes_out_as_utf_8(clinic: Path, charset: str) -> None:
    headers = [(b"content-type", f"text/plain; charset={charset}".encode())]
    body = "Café: HIV is here.".encode(web_codec(charset, page=False) or "")
    app = SanitizeResponses(app_of(body, headers=headers), policy(clinic), reader_from=by_header)
    for reader, shown in (("lung clinic", "Café: […]"), ("head", "Café: HIV is here.")):
        seen = get(app, reader)
        assert seen.headers[b"content-type"] == b"text/plain; charset=utf-8"
        assert seen.body.decode().startswith(shown)


def test_json_with_a_byte_order_mark_is_read(clinic: Path) -> None:
    json_type = [(b"content-type", b"application/json")]
    app = SanitizeResponses(
        app_of(b'\xef\xbb\xbf["pain"]', headers=json_type), policy(clinic), reader_from=by_header
    )
    assert get(app).body == b'\xef\xbb\xbf["pain"]'


def test_a_policy_must_tell_readers_apart_if_somebody_says_who_reads() -> None:
    with pytest.raises(PolicyError, match="add a step that does: ksafety"):
        SanitizeResponses(app_of(b"x"), "default", reader_from=by_header)
    with pytest.raises(InputError, match="say who reads"):
        SanitizeResponses(app_of(b"x"), "default")
    app = SanitizeResponses(app_of(b"Ask ann@example.org"), "default", public=True)
    assert get(app).body == b"Ask [EMAIL 1]"


def test_what_is_withheld_is_logged_without_its_text(
    clinic: Path, caplog: pytest.LogCaptureFixture
) -> None:
    headers = [(b"content-type", b"application/json")]
    app = SanitizeResponses(
        app_of(b'{"HIV"', headers=headers), policy(clinic), reader_from=by_header
    )
    get(app)
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert "InputError" in caplog.text
    assert "HIV" not in caplog.text


def test_the_public_is_served_only_if_it_may_be(clinic: Path) -> None:
    app = SanitizeResponses(
        app_of(NOTE.encode()), policy(clinic), reader_from=by_header, public=True
    )
    assert get(app, "").status == 200
    assert get(app, "").body != NOTE.encode()


def test_named_kinds_of_content_pass(clinic: Path) -> None:
    png = app_of(b"\x89PNG", headers=[(b"content-type", b"image/png")])
    for allowed in ("image/png", "image/*"):
        app = SanitizeResponses(png, policy(clinic), reader_from=by_header, pass_through=[allowed])
        assert get(app).body == b"\x89PNG"


def test_headers_that_tell_of_the_original_are_dropped(clinic: Path) -> None:
    headers = [*PLAIN, (b"ETag", b"1"), (b"X-Title", b"HIV"), (b"vary", b"x"), (b"x-mine", b"y")]
    app = SanitizeResponses(
        app_of(b"fever", headers=headers), policy(clinic), reader_from=by_header, headers=["X-Mine"]
    )
    seen = get(app)
    assert set(seen.headers) == {
        b"content-type",
        b"vary",
        b"x-mine",
        b"cache-control",
        b"content-length",
    }


def test_the_application_is_asked_for_the_whole_text(clinic: Path) -> None:
    scopes: list[dict[str, Any]] = []
    inner = app_of(b"fever", scopes=scopes)
    app = SanitizeResponses(inner, policy(clinic), reader_from=by_header)
    get(app, "head", "GET", (b"Range", b"bytes=0-2"), (b"if-none-match", b"1"), (b"accept", b"*/*"))
    (scope,) = scopes
    assert [name for name, _ in scope["headers"]] == [b"x-reader", b"accept"]
    assert scope["extensions"] == {}


@pytest.mark.parametrize(
    ("method", "status", "body", "expected"),
    [
        ("HEAD", 200, b"fever", 200),
        ("GET", 304, b"", 304),
        ("GET", 204, b"HIV", 500),
        ("GET", 200, b"", 200),
    ],
)
def test_answers_without_a_body(
    clinic: Path, method: str, status: int, body: bytes, expected: int
) -> None:
    app = SanitizeResponses(app_of(body, status=status), policy(clinic), reader_from=by_header)
    seen = get(app, "head", method)
    assert seen.status == expected
    assert b"HIV" not in seen.body
    if method == "HEAD":
        assert b"content-length" not in seen.headers


@pytest.mark.parametrize("status", [0, 99, 100, 101, 102, 103, 199, 600, "200", None])
@pytest.mark.parametrize("body", [b"", b"HTTP/1.1 200 OK\r\n\r\nHIV"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_what_is_no_final_answer_is_withheld(
    clinic: Path, method: str, body: bytes, status: Any
) -> None:
    """A client waits for another behind it, takes the body for that, or speaks another protocol from then on."""
    app = SanitizeResponses(app_of(body, status=status), policy(clinic), reader_from=by_header)
    seen = get(app, "head", method)
    assert (seen.status, seen.body) == (500, b"withheld: the answer is not one final answer\n")


@pytest.mark.parametrize("first", [103, 200])
def test_an_answer_has_one_start(clinic: Path, first: int) -> None:
    async def twice(scope: Any, receive: Any, send: Any) -> None:
        hint = [(b"content-type", b"image/png"), (b"link", b"</HIV.css>; rel=preload")]
        with suppress(OSError):
            await send({"type": "http.response.start", "status": first, "headers": hint})
        await app_of(b"fine")(scope, receive, send)

    seen = get(SanitizeResponses(twice, policy(clinic), reader_from=by_header))
    assert (seen.status, seen.body) == (500, b"withheld: the answer is not one final answer\n")


def test_an_application_that_fails_says_nothing(clinic: Path) -> None:
    async def failing(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": PLAIN})
        await send({"type": "http.response.body", "body": b"HIV", "more_body": True})
        raise KeyError("inside")

    app = SanitizeResponses(failing, policy(clinic), reader_from=by_header)
    with pytest.raises(KeyError):
        get(app)


def test_answers_that_are_not_complete_or_not_known_are_withheld(clinic: Path) -> None:
    async def cut(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": PLAIN})
        await send({"type": "http.response.body", "body": b"HIV", "more_body": True})

    async def by_path(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": PLAIN})
        await send({"type": "http.response.pathsend", "path": "/etc/passwd"})

    for inner in (cut, by_path):
        seen = get(SanitizeResponses(inner, policy(clinic), reader_from=by_header))
        assert seen.status == 500
        assert b"HIV" not in seen.body


def test_a_guarantee_that_does_not_hold_and_an_error_of_ours_are_withheld(
    clinic: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from sfumato.protect.ksafety.model import KSafety

    app = SanitizeResponses(app_of(NOTE.encode()), policy(clinic), reader_from=by_header)
    monkeypatch.setattr(KSafety, "__call__", lambda self, document, terms, edits: list(edits))
    seen = get(app, "lung clinic")
    assert (seen.status, seen.body) == (500, b"withheld: it cannot be made safe\n")

    def broken(*_: Any) -> None:
        raise RuntimeError(NOTE)

    monkeypatch.setattr(KSafety, "__call__", broken)
    seen = get(app, "lung clinic")
    assert (seen.status, seen.body) == (500, b"withheld: an internal error\n")
    assert "RuntimeError" in caplog.text
    assert "weight" not in caplog.text


def test_web_sockets_are_closed_and_lifespan_passes(clinic: Path) -> None:
    seen: list[str] = []

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["type"])

    async def drive(kind: str) -> list[Any]:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> Any:
            return {"type": f"{kind}.connect"}

        await SanitizeResponses(inner, policy(clinic), reader_from=by_header)(
            {"type": kind}, receive, send
        )
        return sent

    assert asyncio.run(drive("websocket")) == [{"type": "websocket.close", "code": 1008}]
    assert asyncio.run(drive("lifespan")) == []
    assert seen == ["lifespan"]


def test_many_callers_at_once_get_their_own_views(clinic: Path) -> None:
    app = SanitizeResponses(app_of(NOTE.encode()), policy(clinic), reader_from=by_header)

    async def all_of_them() -> list[Answer]:
        names = ["head", "virologist", "lung clinic"] * 10
        return await asyncio.gather(*(ask(app, name) for name in names))

    seen = asyncio.run(all_of_them())
    assert [a.body == NOTE.encode() for a in seen] == [True, False, False] * 10


@pytest.mark.parametrize(
    ("media", "body"),
    [
        ("text/plain", NOTE),
        ("text/html", f"<p title='fever'>{NOTE}</p><!-- x -->"),
        ("application/json", f'{{"note": "{NOTE}"}}'),
    ],
)
def test_an_answer_is_found_again_checked_and_restored(
    clinic: Path, key: Key, tmp_path: Path, media: str, body: str
) -> None:
    ledger = tmp_path / "ledger.db"
    given = app_of(body.encode(), headers=[(b"content-type", media.encode())])
    app = SanitizeResponses(given, policy(clinic), reader_from=by_header, key=key, ledger=ledger)
    seen = get(app, "virologist")
    assert seen.body != body.encode()
    with Ledger(key, ledger, read_only=True) as opened:
        entry = opened.find_one(seen.body)
    assert restored(seen.body, entry.record) == body.encode()
    made = entry.certificate
    assert made.is_about(seen.body)
    assert made.is_signed_by(key.public)
    assert {claim.name for claim in made.claims} >= {"K-safe", "originals gone"}


def test_the_key_of_a_ledger_is_kept_beside_it(tmp_path: Path) -> None:
    """Else nobody could ever open it again."""
    given = app_of(b"Ask ann@example.org.", headers=[(b"content-type", b"text/plain")])
    for _ in range(2):  # the second is started anew
        app = SanitizeResponses(
            given, {"detect": ["patterns"]}, public=True, ledger=tmp_path / "own" / "ledger.db"
        )
        seen = get(app)
        assert (seen.status, seen.body) == (200, b"Ask [EMAIL 1].")
    key = keys.read(tmp_path / "own" / "key")
    with Ledger(key, tmp_path / "own" / "ledger.db", read_only=True) as opened:
        assert restored(seen.body, opened.find_one(seen.body).record) == b"Ask ann@example.org."


def test_only_so_many_readers_are_kept(clinic: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sfumato.serve import bodies

    monkeypatch.setattr(bodies, "READERS_KEPT", 1)
    app = SanitizeResponses(app_of(NOTE.encode()), policy(clinic), reader_from=by_header)
    assert get(app, "head").body == NOTE.encode()
    assert get(app, "virologist").body != NOTE.encode()
    assert get(app, "head").body == NOTE.encode()


@pytest.mark.parametrize("seconds", [None, 60.0])
def test_a_caller_verifies_an_answer_by_its_certificate(
    clinic: Path, tmp_path: Path, seconds: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else's folder has the answer, the certificate of its header, the policy and the public key."""
    monkeypatch.delenv("SFUMATO_KEY", raising=False)
    page = [(b"content-type", b"text/html; charset=utf-8"), (b"x-sfumato-certificate", b"{}")]
    rules, key = policy(clinic), Key(bytes(range(32)))
    wrapped = app_of(f"<p>{NOTE}</p>".encode(), headers=page)
    given: dict[str, Any] = {"reader_from": by_header, "key": key, "seconds": seconds}
    answer = get(Middleware(wrapped, rules, certificates=True, **given), "virologist")
    assert b"x-sfumato-certificate" not in get(Middleware(wrapped, rules, **given)).headers
    receiver = tmp_path / "receiver"
    receiver.mkdir()
    (receiver / "answer.html").write_bytes(answer.body)
    (receiver / "answer.html.cert.json").write_bytes(answer.headers[b"x-sfumato-certificate"])
    (receiver / "rules.yaml").write_text(load(rules).to_yaml())

    def verified(*more: str) -> int:
        command = [sys.executable, "-m", "sfumato", "verify", "answer.html", "-p", "rules.yaml"]
        given = ["--public-key", str(key.public), *more]
        return subprocess.run([*command, *given], cwd=receiver, capture_output=True).returncode

    assert verified("--reader", "virologist") == 0
    assert verified("--reader", "head") == 3
    assert verified() == 3
    (receiver / "answer.html").write_bytes(answer.body + b"<!-- weight loss -->")
    assert verified("--reader", "virologist") == 3


def test_a_certificate_that_is_too_long_for_a_header_is_left_out(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("sfumato.serve.middleware.LONGEST_HEADER", 10)
    app = SanitizeResponses(app_of(b"Hello."), "default", public=True, certificates=True)
    answer = get(app)
    assert answer.body == b"Hello."
    assert b"x-sfumato-certificate" not in answer.headers
    assert "too long for a header" in caplog.text


@pytest.mark.parametrize(
    "said", [b"text/plain; " + b"a=b; " * 400, b"text/plain; charset*" + b"1" * 5000 + b"=a"]
)
def test_an_answer_whose_type_is_endless_is_withheld(said: bytes) -> None:
    with pytest.raises(WithheldError):
        middleware._media_type([(b"content-type", said)])


def by_patterns(body: bytes, said: bytes) -> Answer:
    app = app_of(body, headers=[(b"content-type", said)])
    return get(SanitizeResponses(app, {"detect": ["patterns"]}, public=True))


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"garbage",
        b"text",
        b"text/html/x",
        b"text/plain, text/html",
        b"text/plain; charset=utf-8, text/html",
        b"text/plain; charset*=us-ascii''utf-8",
        b"text/plain; charset*0=utf-8",
        b"text/plain; charset=utf-8; charset=gbk",
    ],
)
def test_an_answer_that_browsers_may_take_for_something_else_is_withheld(said: bytes) -> None:
    seen = by_patterns(b"<p>margaret&#64;example.org</p>", said)
    assert (seen.status, b"does not say what it is" in seen.body) == (500, True)


@pytest.mark.parametrize("media", [b"text/plain", b"text/html", b"application/json"])
@pytest.mark.parametrize("charset", [b"cp037", b"utf-7", b"utf-32", b"s_jis", b"hz", b'"cp500"'])
def test_an_answer_in_an_encoding_that_browsers_do_not_know_is_withheld(
    media: bytes, charset: bytes
) -> None:
    seen = by_patterns(b'"margaret@example.org"  ', media + b";charset=" + charset)
    assert (seen.status, b"not in the encoding it names" in seen.body) == (500, True)


@pytest.mark.parametrize("media", [b"text/plain", b"text/html"])
def test_a_mark_goes_before_the_encoding_of_the_header_as_in_browsers(media: bytes) -> None:
    hidden = b"".join(b"\x81" + bytes([letter]) for letter in b"margaret@example.org ")
    seen = by_patterns(b"\xef\xbb\xbf" + hidden, media + b"; charset=gbk")
    assert seen.status == 500
    seen = by_patterns("\ufeffZoë, ann@example.org".encode(), media + b"; charset=latin1")
    assert seen.headers[b"content-type"] == media + b"; charset=utf-8"
    assert seen.body.decode() == "\ufeffZoë, [EMAIL 1]"


@pytest.mark.parametrize("said", [b"; charset=utf-8", b""])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_other_parameters_of_the_type_are_left_out(said: bytes, method: str) -> None:
    named = b"text/plain" + said + b'; name="Margaret Holloway"'
    app = app_of(b"ann@example.org", headers=[(b"content-type", named)])
    seen = get(SanitizeResponses(app, {"detect": ["patterns"]}, public=True), "", method)
    assert seen.headers[b"content-type"] == (
        b"text/plain" + said if method == "GET" else b"text/plain"
    )


def test_a_page_without_an_encoding_is_told_to_be_read_as_it_was() -> None:
    page = "<meta charset=iso-2022-jp><p>Zoë, ann@example.org".encode()
    seen = by_patterns(page, b"text/html")
    assert seen.headers[b"content-type"] == b"text/html; charset=utf-8"
    assert seen.body.endswith("<p>Zoë, [EMAIL 1]".encode())
    assert by_patterns(b"ann@example.org", b"text/plain").headers[b"content-type"] == b"text/plain"


WIDE = "".join(chr(ord(c) + 0xFEE0) for c in "ann@example.org")


@pytest.mark.parametrize(
    "charset", ["koi8-r", "iso-8859-5", "macintosh", "windows-1251", "latin-1", "cp437", "x-sjis"]
)
@pytest.mark.parametrize("media", ["text/plain", "text/html", "text/csv", "text/markdown"])
def test_bytes_that_are_an_address_in_utf_8_are_none_when_they_are_saved(
    media: str, charset: str
) -> None:
    """One byte for each letter, to whoever knows the header alone."""
    for body in (f"Seen: {WIDE}".encode(), f"\ufeffSeen: {WIDE}".encode("utf-16-le")):
        seen = by_patterns(body, f"{media}; charset={charset}".encode())
        assert seen.status == 500 or WIDE not in seen.body.decode()
        assert seen.status == 500 or "example" not in seen.body.decode("utf-16", "replace")


@pytest.mark.parametrize("header", ["utf-8", "koi8-r", "latin1", "windows-1252", ""])
@pytest.mark.parametrize(
    "head",
    [
        "<meta charset=koi8-r>",
        "<meta http-equiv=content-type content='text/html; charset=iso-8859-5'>",
        "<meta charset=utf-8><meta charset=shift_jis>",
        f"<title>{'x' * 1100}</title><meta charset=big5>",
        "<meta charset=iso-2022-jp>",
    ],
)
def test_a_page_that_names_another_encoding_has_a_mark_that_goes_before_it(
    header: str, head: str, tmp_path: Path
) -> None:
    page = f"{head}<p>©, ann@example.org"
    said = f"text/html; charset={header}" if header else "text/html"
    codec = web_codec(header or "utf-8", page=True) or ""
    seen = by_patterns(page.encode(codec), said.encode())
    assert seen.headers[b"content-type"] == b"text/html; charset=utf-8"
    assert seen.body == f"\ufeff{head}<p>©, [EMAIL 1]".encode()
    saved = tmp_path / "answer.html"
    saved.write_bytes(seen.body)
    assert "©, [EMAIL 1]" in formats.read(saved, name="answer").text


@pytest.mark.parametrize("said", [b"", b"; charset=utf-8", b"; charset=latin1"])
def test_a_letter_keeps_the_bytes_of_its_parts(said: bytes) -> None:
    letter = b"Content-Type: text/plain; charset=%s\nContent-Transfer-Encoding: 8bit\n\n%sZ, ann@example.org"
    for charset, name in ((b"utf-8", "Zoë".encode()), (b"latin1", "Zoë".encode("latin1"))):
        body = letter % (charset, name)
        seen = by_patterns(body, b"message/rfc822" + said)
        readable = charset == b"utf-8" or b"latin1" in said
        assert seen.status == (200 if readable else 500)
        assert not readable or (name in seen.body and b"[EMAIL 1]" in seen.body)


@pytest.mark.parametrize("charset", ["utf-16le", "utf-16be", "shift_jis", "gbk", "big5"])
@pytest.mark.parametrize("media", ["text/plain", "text/html", "application/json"])
def test_what_is_shown_when_it_is_saved_is_what_was_read(media: str, charset: str) -> None:
    """Bytes of letters that are not ASCII's may be those of names to whoever does not know the header."""
    body = b'"You may write to ann@example.org. "'
    if not charset.startswith("utf-16"):
        body = b'"' + b"".join(b"\x83" + bytes([letter]) for letter in b"Margaret") + b'"'
    seen = by_patterns(body, f"{media}; charset={charset}".encode())
    assert b"Margaret" not in seen.body.replace(b"\x83", b"").replace("\ufffd".encode(), b"")
    assert b"ann@example.org" not in seen.body
