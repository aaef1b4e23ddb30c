"""An ASGI middleware that gives each caller the view of their role.

    app = SanitizeResponses(app, "policy.yaml", reader_from=lambda scope: scope["user"])

Whatever cannot be sanitised is withheld: a body that is too large or of an unknown kind, a caller without a
reader, a database that does not answer, a guarantee that does not hold. Then the caller gets one line and a
status of 403, 422 or 500 and up, never a part of the original.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import re
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from sfumato import formats, keys
from sfumato.errors import InputError, PolicyError
from sfumato.keys import Key
from sfumato.pipeline import PolicyLike
from sfumato.policy import load
from sfumato.policy.steps import steps_for_readers
from sfumato.release import access
from sfumato.serve.bodies import Bodies, BodySettings, SafeBody, WithheldError
from sfumato.serve.workers import Workers

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]
# The view of a body by format, encoding, body and reader.
Sanitized = Callable[[str, str, bytes, str | None], Awaitable[SafeBody]]

CERTIFICATE = b"x-sfumato-certificate"
LONGEST_HEADER = 16_000  # characters; most clients take that much, many proxies must be told to
LONGEST_TYPE = 1000  # bytes of a Content-Type; the longest in use have a tenth
LIMIT = 1_000_000
REFRESH = 300.0
SECONDS = 30.0
PROCESSES = 2
# Headers that hold no text of the original. ETag, Content-MD5 and the like would tell it from others.
PASSED = frozenset(
    b"allow content-language content-security-policy content-type cross-origin-embedder-policy "
    b"cross-origin-opener-policy cross-origin-resource-policy date location permissions-policy "
    b"referrer-policy retry-after server set-cookie strict-transport-security vary www-authenticate "
    b"x-content-type-options x-frame-options x-request-id access-control-allow-origin "
    b"access-control-allow-credentials "
    b"access-control-allow-headers access-control-allow-methods access-control-expose-headers "
    b"access-control-max-age".split()
)
# Asked for by a caller, these would make the application answer with a part, nothing, or compressed.
_PARAMETER = re.compile(r'(?<![\w-])(?P<name>[\w-]+)=(?P<value>[\w.:+-]+|"[^",;\\]*")', re.ASCII)
_TYPE = re.compile(
    r"[\t ]*(?P<media>[\w!#$&^.+-]+/[\w!#$&^.+-]+)[\t ]*"
    rf"(?P<rest>(?:;[\t ]*(?:{_PARAMETER.pattern}[\t ]*)?)*)",
    re.ASCII,
)
_NOT_ASKED = frozenset(
    (b"accept-encoding", b"if-match", b"if-modified-since", b"if-none-match", b"if-range", b"range")
)
_EMPTY = frozenset((204, 205, 304))
# Behind 1xx clients wait for the answer: what follows would be read as that, or as another protocol.
_FINAL = range(200, 600)
_log = logging.getLogger("sfumato.serve")


class SanitizeResponses:
    """Wraps an ASGI application; every answer goes out as the caller's view of it.

    `reader_from` gives the reader for a request's scope (it may be async). None means that nobody is known:
    refused, unless `public` lets such callers have the view of the public; without `reader_from` that is
    everybody. `limit` is the largest body in bytes. A body may take so many `seconds` in one of some
    `processes`; None does all work in a thread of this one, without a limit. `pass_through` are media types
    that go out as they are, e.g. `image/png` or `font/*`; `headers` are names of further headers to let
    through. Rights are read for every answer, the contents of a PostgreSQL again after `refresh` seconds.
    With a `ledger`, releases are kept on record, under the key that is given, in `SFUMATO_KEY`, or beside it,
    where a new one is put if there is none. `certificates` go along in a header, so that callers can
    verify what they have got; one of more than 16,000 characters is left out, with a line in the log.
    """

    def __init__(
        self,
        app: App,
        policy: PolicyLike = "default",
        *,
        reader_from: Callable[[Scope], str | Awaitable[str | None] | None] | None = None,
        public: bool = False,
        limit: int = LIMIT,
        seconds: float | None = SECONDS,
        processes: int = PROCESSES,
        pass_through: Collection[str] = (),
        headers: Collection[str] = (),
        refresh: float = REFRESH,
        key: Key | None = None,
        ledger: Path | None = None,
        certificates: bool = False,
    ) -> None:
        rules = load(policy)
        if reader_from is None and not public:
            raise InputError(
                "say who reads with reader_from, or give everybody the same: public=True"
            )
        if reader_from is not None and not rules.depends_on_reader:
            raise PolicyError(
                "this policy makes no difference between readers; leave reader_from out, or "
                f"{steps_for_readers()}"
            )
        self._app = app
        self._reader_from, self._public = reader_from, public
        self._limit, self._certificates = limit, certificates
        self._pass_through = frozenset(pass_through)
        self._headers = PASSED | {name.lower().encode("latin-1") for name in headers}
        if not isinstance(key, Key | None) or not isinstance(ledger, Path | None):
            raise InputError("give `key` as a Key (sfumato.keys.read) and `ledger` as a Path")
        if key is None:
            # a ledger that is sealed with a key which nobody keeps is lost
            key = (
                access.key_for(ledger, None)[0] if ledger else keys.from_environment() or keys.new()
            )
        settings = BodySettings(rules, key, ledger, keep=ledger is not None, refresh=refresh)
        self._sanitized: Sanitized = (
            _in_a_thread(settings) if seconds is None else Workers(settings, processes, seconds)
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:  # a stream of messages cannot be judged as a whole
            await receive()
            await send({"type": "websocket.close", "code": 1008})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            reader = await self._reader(scope)
            answer = _Answer(self._limit)
            try:
                await self._app(_plain_request(scope), receive, answer.send)
            except Exception:
                if answer.refused is None:
                    raise  # the application's own error: nothing has gone out
            start, body = answer.whole()
            headers, body = await self._view(scope, start, body, reader)
        except WithheldError as error:
            _log.warning("%s (%d, %s)", error.why, error.status, error.cause)
            await _send(send, error.status, _line_headers(), f"{error.why}\n".encode())
            return
        await _send(send, start["status"], headers, b"" if scope["method"] == "HEAD" else body)

    async def _reader(self, scope: Scope) -> str | None:
        found = self._reader_from(scope) if self._reader_from is not None else None
        reader = await found if inspect.isawaitable(found) else found
        if reader is None and not self._public:
            raise WithheldError(403, "withheld: nobody knows who reads this")
        return reader

    async def _view(
        self, scope: Scope, start: Message, body: bytes, reader: str | None
    ) -> tuple[Headers, bytes]:
        given: Headers = [(bytes(n).lower(), bytes(v)) for n, v in start.get("headers", ())]
        headers = [(n, v) for n, v in given if n in self._headers and n != CERTIFICATE]
        headers.append((b"cache-control", b"private, no-store"))  # rights may change
        if scope["method"] == "HEAD" or start["status"] in _EMPTY or not body:
            if body and scope["method"] != "HEAD":
                raise WithheldError(500, "withheld: a body where there must be none")
            return [
                (n, v.partition(b";")[0] if n == b"content-type" else v) for n, v in headers
            ], b""
        coding = [
            v for n, v in given if n == b"content-encoding" and v.strip().lower() != b"identity"
        ]
        if coding:
            raise WithheldError(500, "withheld: the body is compressed; compress after sanitising")
        media, charset = _media_type(given)
        if (format := formats.format_for(media)) is not None:
            named = charset or "utf-8"
            written, body, certificate = await self._sanitized(format, named, body, reader)
            # Other parameters may hold text; a page that may say its encoding itself would name another.
            said = charset or written != named or format == "html"
            headers = [(n, v) for n, v in headers if n != b"content-type"]
            whole = f"{media}; charset={written}" if said else media
            headers.append((b"content-type", whole.encode()))
            if self._certificates and len(certificate) <= LONGEST_HEADER:
                headers.append((CERTIFICATE, certificate.encode("ascii")))
            elif self._certificates:
                _log.warning("a certificate is too long for a header (%d)", len(certificate))
        elif not self._passes(media):
            raise WithheldError(500, "withheld: this kind of content is not let through")
        return [*headers, (b"content-length", str(len(body)).encode())], body

    def _passes(self, media: str) -> bool:
        return bool(self._pass_through & {media, f"{media.partition('/')[0]}/*", "*/*"})


class _Answer:
    """Keeps what an application sends until it is complete."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._start: Message | None = None
        self._body = bytearray()
        self._done = False
        self.refused: WithheldError | None = None

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            if self._start is not None or message["status"] not in _FINAL:
                self.refused = WithheldError(500, "withheld: the answer is not one final answer")
            self._start = message
        elif message["type"] == "http.response.body":
            self._body += message.get("body", b"")
            self._done = not message.get("more_body", False)
            if len(self._body) > self._limit:
                self.refused = WithheldError(
                    500, "withheld: the answer is too large to be looked at"
                )
        else:
            self.refused = WithheldError(
                500, "withheld: the answer comes in a way that is not known"
            )
        if self.refused is not None:
            self._body.clear()
            raise self.refused

    def whole(self) -> tuple[Message, bytes]:
        if self.refused is not None:
            raise self.refused
        if self._start is None or not self._done:
            raise WithheldError(500, "withheld: the answer is not complete")
        return self._start, bytes(self._body)


def _in_a_thread(settings: BodySettings) -> Sanitized:
    bodies = Bodies(settings)
    # One thread does the work: it owns the ledger, and Python would not do two at once anyway.
    thread = ThreadPoolExecutor(1, "sfumato")

    async def sanitized(format: str, charset: str, body: bytes, reader: str | None) -> SafeBody:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(thread, bodies, format, charset, body, reader)

    return sanitized


def _plain_request(scope: Scope) -> Scope:
    """The request without what would make the answer come in parts, compressed, or not at all."""
    headers = [(n, v) for n, v in scope.get("headers", ()) if bytes(n).lower() not in _NOT_ASKED]
    return {**scope, "headers": headers, "extensions": {}}


def _media_type(headers: Headers) -> tuple[str, str]:
    """What an answer is, and the encoding that it names, if it does. What browsers read otherwise than
    others (several types, none, parameters in parts) is refused."""
    said = [value.decode("latin-1") for name, value in headers if name == b"content-type"]
    # What is longer is parsed in quadratic time, and says nothing.
    found = _TYPE.fullmatch(said[0]) if len(said) == 1 and len(said[0]) <= LONGEST_TYPE else None
    if found is None:
        raise WithheldError(500, "withheld: the answer does not say what it is")
    charsets = [
        m["value"] for m in _PARAMETER.finditer(found["rest"]) if m["name"].lower() == "charset"
    ]
    if len(charsets) > 1:
        raise WithheldError(500, "withheld: the answer does not say what it is")
    return found["media"].lower(), charsets[0].strip('"') if charsets else ""


def _line_headers() -> Headers:
    return [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"cache-control", b"private, no-store"),
    ]


async def _send(send: Send, status: int, headers: Headers, body: bytes) -> None:
    if body and not any(name == b"content-length" for name, _ in headers):
        headers = [*headers, (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
