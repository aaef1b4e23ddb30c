"""The certificate: what a release claims, in a form that may go with it.

It names policy and knowledge by hash, has a plain hash of the release and a keyed one of the input, so that
it tells nothing about the original to whoever lacks the key. It is signed: whoever has the public key
can tell it from a forgery. It never holds originals, reasons, or counts of what was hidden, but for one:
how many hidden terms the statistics know too little about to be assessed for disclosure.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any

from sfumato._version import __version__
from sfumato.document import Claim, Document
from sfumato.errors import InputError
from sfumato.files import contents
from sfumato.keys import SIGNATURE, Key, PublicKey

FORMAT, UNSIGNED = 3, 2  # those of before signatures are read
MOST_BYTES = 1 << 22  # of a certificate's file
SUFFIX = ".cert.json"
MOST_CLAIMS, MOST_DEPTH = 1000, 50  # far more than any has
DOMAIN = b"sfumato certificate 3\0"  # what is signed begins with this, so that it is nothing else


@dataclass(frozen=True, slots=True)
class Certificate:
    """Claims that held when the release was made, and what they are about."""

    policy: str
    knowledge: Mapping[str, str]
    claims: tuple[Claim, ...]
    input: str
    output: str
    document: Mapping[str, Any] = field(default_factory=dict)  # how the released file is read
    signature: str = ""
    version: str = __version__
    format: int = FORMAT

    def to_dict(self) -> dict[str, Any]:
        """The certificate as it is written."""
        return {
            "sfumato": self.version,
            "format": self.format,
            "document": dict(self.document),
            "policy": self.policy,
            "knowledge": dict(self.knowledge),
            "claims": [{"name": c.name, **c.parameters, "holds": True} for c in self.claims],
            "input": self.input,
            "output": self.output,
            "signature" if self.is_signed else "seal": self.signature,
        }

    def to_json(self) -> str:
        return _escaped(json.dumps(self.to_dict(), indent=2, ensure_ascii=False)) + "\n"

    @property
    def is_signed(self) -> bool:
        """Whether it was made since certificates are signed."""
        return self.format == FORMAT

    def is_signed_by(self, key: PublicKey) -> bool:
        """Whether the owner of this key made this very certificate."""
        return self.is_signed and key.verifies(self.signature, self.canonical())

    def is_made_by(self, key: Key) -> bool:
        """The same for the owner, who can tell it of the older ones too."""
        if self.is_signed:
            return self.is_signed_by(key.public)
        body = json.dumps(self.to_dict() | {"seal": ""}, sort_keys=True, separators=(",", ":"))
        seal = "hmac-sha256:" + key.tag("certificate:seal", body).hex()
        return hmac.compare_digest(self.signature.encode("utf-8", "replace"), seal.encode())

    def is_about(self, released: bytes, key: Key | None = None) -> bool | None:
        """Whether this is the file that was certified; None where it takes the key to tell."""
        if self.is_signed:
            return self.output == _plain_hash(released)
        if key is None:
            return None
        return self.output == "hmac-sha256:" + key.tag("certificate:output", released).hex()

    def canonical(self) -> bytes:
        """What is signed: all but the signature, keys in order, no spaces, in UTF-8."""
        body = {name: value for name, value in self.to_dict().items() if name != "signature"}
        text = json.dumps(
            body, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        )
        return DOMAIN + _escaped(text).encode()


def issue(
    document: Document,
    released: bytes,
    *,
    policy: str,
    knowledge: Mapping[str, str],
    claims: Sequence[Claim],
    source: bytes,
    reader: str | None,
    key: Key,
) -> Certificate:
    """A signed certificate for a release whose claims were checked."""
    origin = document.origin
    bare = Certificate(
        policy,
        knowledge,
        tuple(claims),
        key.input_hash(source),
        _plain_hash(released),
        {
            "name": PurePath(document.released_as or document.name).name,
            "format": origin.format,
            "encoding": origin.encoding,
            # a table's file has the names of those that it shows; others are nobody's business
            "columns": [] if origin.format.startswith("table/") else list(origin.columns),
            "reader": reader,
        },
        signature=SIGNATURE + "0" * 128,  # takes its place
    )
    written = parse(bare.to_json(), document.name)  # as whoever reads it will see it
    for claim in claims:
        if taken := claim.parameters.keys() & {"name", "holds"}:
            raise InputError(
                f"the claim '{claim.name}' has a parameter '{min(taken)}', which every claim has; "
                "give it another name"
            )
    return replace(written, signature=key.sign(written.canonical()))


def read(path: Path) -> Certificate | None:
    """The certificate in a file; None where there is no file."""
    return of_file(path) if path.is_file() else None


def of_file(path: Path) -> Certificate:
    """The certificate in a file that must be there."""
    try:
        return parse(contents(path, MOST_BYTES), str(path))
    except OSError as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from None


def parse(text: str | bytes, where: str) -> Certificate:
    """A certificate from its file. Whatever is not exactly one is refused, with the reason."""
    try:
        data = json.loads(
            text if isinstance(text, str) else text.decode("utf-8"),
            object_pairs_hook=_unique,
            parse_constant=_refuse_number,
            parse_float=_finite,
        )
        if isinstance(data, dict) and data.get("format") not in (UNSIGNED, FORMAT):
            raise InputError.at(where, "a certificate of another version of Sfumato")
        _require_flat(data)
        is_signed = not isinstance(data, dict) or data["format"] == FORMAT
        _check(data, _SIGNED if is_signed else _SEALED, "")
        _check(data["document"], _SIGNED_DOCUMENT if is_signed else _DOCUMENT, "document.")
        return Certificate(
            data["policy"],
            data["knowledge"],
            tuple(map(_claim, data["claims"])),
            data["input"],
            data["output"],
            data["document"],
            data["signature" if is_signed else "seal"],
            data["sfumato"],
            data["format"],
        )
    except (ValueError, RecursionError) as error:
        why = str(error) if isinstance(error, _NotOneError) else "it is not JSON"
        raise InputError.at(where, f"not a certificate ({why})") from None


def _require_flat(data: Any) -> None:
    """Refuse what is nested so deeply that it could be read, but not written again."""
    level = [data]
    for _ in range(MOST_DEPTH):
        nested = [
            v.values() if isinstance(v, dict) else v for v in level if isinstance(v, dict | list)
        ]
        level = [value for values in nested for value in values]
    if level:
        raise _NotOneError("it is nested too deeply")


class _NotOneError(ValueError):
    """Why something is no certificate; names no value of it."""


Shape = Mapping[str, Callable[[Any], bool]]


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_text, value))


def _like(pattern: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


_HEX = "[0-9a-f]{64}"
_DOCUMENT: Shape = {"format": _text, "encoding": _text, "columns": _texts}
_SIGNED_DOCUMENT: Shape = {
    **_DOCUMENT,
    "name": _text,
    "reader": lambda value: value is None or _text(value),
}
_ALL: Shape = {
    "sfumato": _text,
    "format": lambda value: type(value) is int,
    "document": lambda value: isinstance(value, dict),
    "policy": _like(_HEX),
    "knowledge": lambda value: isinstance(value, dict) and all(map(_text, value.values())),
    "claims": lambda value: isinstance(value, list) and len(value) <= MOST_CLAIMS,
    "input": _like(f"hmac-sha256:{_HEX}"),
}
_SEALED: Shape = {**_ALL, "output": _like(f"hmac-sha256:{_HEX}"), "seal": _text}
_SIGNED: Shape = {
    **_ALL,
    "output": _like(f"sha256:{_HEX}"),
    "signature": _like(f"{SIGNATURE}[0-9a-f]{{128}}"),
}


def _check(data: Any, fields: Shape, inside: str) -> None:
    """Refuse what has not exactly these fields."""
    if not isinstance(data, dict):
        raise _NotOneError("it is no mapping")
    for name in sorted(fields.keys() - data.keys()):
        raise _NotOneError(f"'{inside}{name}' is missing")
    if data.keys() - fields.keys():
        raise _NotOneError(f"{inside.rstrip('.') or 'it'} has a field that is not known")
    for name, is_right in fields.items():
        if not is_right(data[name]):
            raise _NotOneError(f"'{inside}{name}' is not what it should be")


def _claim(data: Any) -> Claim:
    if not isinstance(data, dict) or not isinstance(data.get("name"), str):
        raise _NotOneError("a claim has no name")
    if data.get("holds") is not True:
        raise _NotOneError("a claim is not said to hold")
    return Claim(data["name"], {k: v for k, v in data.items() if k not in ("name", "holds")})


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise _NotOneError("a field stands in it twice")
    return dict(pairs)


def _finite(text: str) -> float:
    return float(text) if math.isfinite(float(text)) else _refuse_number(text)


def _refuse_number(text: str) -> float:
    raise _NotOneError("a number is none that JSON knows")


def _plain_hash(released: bytes) -> str:
    return "sha256:" + hashlib.sha256(released).hexdigest()


def _escaped(text: str) -> str:
    """JSON that can be written in UTF-8: halves of characters, in names of columns, as escapes."""
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)
