"""The bodies of answers, sanitised one after the other in the process that this runs in."""

from __future__ import annotations

import codecs
import json
import os
import pickle
import shutil
import sys
import time
import traceback
from collections import OrderedDict
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NamedTuple

from sfumato import formats
from sfumato.errors import GuaranteeError, InputError, SfumatoError
from sfumato.formats.encodings import names_utf_8_alone, web_codec
from sfumato.keys import Key
from sfumato.pipeline import Sanitizer
from sfumato.plugins import FORMATS, Refreshable
from sfumato.policy import Policy
from sfumato.release import access
from sfumato.release.ledger import Ledger

READERS_KEPT = 64
_UTF8 = "utf-8"


class WithheldError(OSError):
    """The answer will not be given. An OSError, as ASGI has it for a caller who is gone."""

    def __init__(self, status: int, why: str, cause: str = "not looked at") -> None:
        super().__init__(why)
        self.status, self.why, self.cause = status, why, cause


@dataclass(frozen=True)
class BodySettings:
    """What sanitising bodies depends on. The `vault` keeps replacements consistent; releases are kept on
    record in it where it is the user's own ledger (`keep`)."""

    policy: Policy
    key: Key
    vault: Path | None
    keep: bool
    refresh: float
    temporary: str | None = None  # the vault's folder, where it is for this server's life alone


class SafeBody(NamedTuple):
    """The view of a body, its encoding, and its certificate in one line of ASCII."""

    charset: str
    body: bytes
    certificate: str


class Bodies:
    """Sanitises bodies for one reader or another."""

    def __init__(self, settings: BodySettings) -> None:
        self._settings = settings
        self._ledger: Ledger | None = None
        self._fresh_until = 0.0
        self._sanitizers: OrderedDict[str | None, Sanitizer] = OrderedDict()

    def __call__(self, format: str, charset: str, body: bytes, reader: str | None) -> SafeBody:
        """The body's view. A text goes out as UTF-8, and a page that names another encoding with a mark that
        goes before it: saved, without their header, bytes would be shown as other letters."""
        known = web_codec(charset, page=format == "html")
        if body.startswith(codecs.BOM_UTF8) or (known and format in ("json", "jsonl")):
            charset = known = _UTF8  # as clients have it, whatever the header says
        try:
            text = body.decode(known or "undefined")
        except ValueError as error:
            why = "withheld: the body is not in the encoding it names"
            raise WithheldError(500, why, type(error).__name__) from None
        if getattr(FORMATS.get(format).format, "is_text", True):  # a letter is bytes
            charset, body = _UTF8, text.encode(_UTF8)
            if format == "html" and not names_utf_8_alone(body):
                body = codecs.BOM_UTF8 + body.removeprefix(codecs.BOM_UTF8)
        try:
            return self._released(format, charset, body, reader)
        except WithheldError:
            raise
        except GuaranteeError as error:
            why = "withheld: it cannot be made safe"
            raise WithheldError(500, why, type(error).__name__) from None
        except SfumatoError as error:
            why = "withheld: what you may see cannot be told now"
            raise WithheldError(503, why, type(error).__name__) from None
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            cause = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
            raise WithheldError(500, "withheld: an internal error", cause) from None

    def _released(self, format: str, charset: str, body: bytes, reader: str | None) -> SafeBody:
        sanitizer = self._sanitizer(reader)
        try:
            document = formats.parse(
                body, name="answer", format=format, encoding=charset, certain=True
            )
        except InputError as error:  # which the same answer will be again
            why = "withheld: the answer cannot be read as the kind that it names"
            raise WithheldError(422, why, type(error).__name__) from None
        release = sanitizer(document)
        if self._ledger is not None and self._settings.keep:
            self._ledger.put(release, self._settings.policy)
        made = json.dumps(release.certificate.to_dict(), separators=(",", ":"))
        return SafeBody(charset, release.data, made)

    def _sanitizer(self, reader: str | None) -> Sanitizer:
        if self._ledger is None:
            self._ledger = Ledger(self._settings.key, self._settings.vault)
        self._ledger.begin()
        policy = self._settings.policy
        made = self._sanitizers.get(reader)
        if made is None:
            access.check_readers(policy, () if reader is None else (reader,))
            made = Sanitizer(policy, self._settings.key, self._ledger, reader)
            self._sanitizers[reader] = made
            if len(self._sanitizers) > READERS_KEPT:
                self._sanitizers.popitem(last=False)
        self._sanitizers.move_to_end(reader)
        now = time.monotonic()
        if now >= self._fresh_until:
            if self._fresh_until:
                for protector in made.protectors:
                    if isinstance(protector, Refreshable):
                        protector.refresh()
            self._fresh_until = now + self._settings.refresh
        return made


# A process of its own: messages are a line of JSON with the length of the bytes that follow it.


def put(stream: IO[bytes], head: dict[str, Any], body: bytes = b"") -> None:
    """Write a message."""
    stream.write(json.dumps({**head, "length": len(body)}).encode() + b"\n" + body)
    stream.flush()


def take(stream: IO[bytes]) -> tuple[dict[str, Any], bytes]:
    """Read a message; EOFError where the other side is gone, also in the middle of it."""
    line = stream.readline()
    if not line.endswith(b"\n"):
        raise EOFError
    head: dict[str, Any] = json.loads(line)
    length = head.pop("length")
    body = stream.read(length)
    if len(body) != length:
        raise EOFError
    return head, body


def answer(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Do what is asked until the other side is gone. The first message has the settings."""
    settings: BodySettings | None = None
    try:
        head, body = take(requests)
        sys.path[:] = head["path"]
        for module in head["modules"]:  # which register plug-ins
            import_module(module)
        settings = pickle.loads(body)  # our own, from the process that started this one
        bodies = Bodies(settings)
        put(answers, {})
        while True:
            head, body = take(requests)
            try:
                made = bodies(head["format"], head["charset"], body, head["reader"])
            except WithheldError as error:
                why = {"status": error.status, "why": error.why, "cause": error.cause}
                put(answers, why)
            else:
                head = {"charset": made.charset, "certificate": made.certificate}
                put(answers, head, made.body)
    # Whoever asked is gone, and may have had no time to tidy up
    except (EOFError, BrokenPipeError):
        if settings is not None and settings.temporary is not None:
            shutil.rmtree(settings.temporary, ignore_errors=True)


def main() -> None:
    """Answer on what was the standard output; whatever else is printed goes to the error stream."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    answer(sys.stdin.buffer, answers)
