"""The certificate: what a release claims, in a form that may go with it.

It names policy and knowledge by hash and carries keyed hashes of input and output, so that it tells nothing
about the original to whoever lacks the key. It never holds originals, reasons, or counts of what was hidden,
but for one: how many hidden terms the statistics know too little about to be assessed for disclosure.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sfumato._version import __version__
from sfumato.document import Claim, Origin
from sfumato.errors import InputError
from sfumato.keys import Key

FORMAT = 2  # 1, which does not say what kind of file it is about, is read as well
SUFFIX = ".cert.json"


@dataclass(frozen=True, slots=True)
class Certificate:
    """Claims that held when the release was made, and what they are about."""

    policy: str
    knowledge: Mapping[str, str]
    claims: tuple[Claim, ...]
    input: str
    output: str
    document: Mapping[str, Any] = field(default_factory=dict)  # how the released file is read
    seal: str = ""
    version: str = __version__
    format: int = FORMAT

    def to_dict(self) -> dict[str, Any]:
        """The certificate as it is written."""
        return {
            "sfumato": self.version,
            "format": self.format,
            **({"document": dict(self.document)} if self.format > 1 else {}),
            "policy": self.policy,
            "knowledge": dict(self.knowledge),
            "claims": [{"name": c.name, **c.parameters, "holds": True} for c in self.claims],
            "input": self.input,
            "output": self.output,
            "seal": self.seal,
        }

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n"

    def is_sealed_by(self, key: Key) -> bool:
        """Whether this key made this very certificate."""
        return hmac.compare_digest(self.seal.encode(), _seal(self, key).encode())


def issue(
    *,
    policy: str,
    knowledge: Mapping[str, str],
    claims: Sequence[Claim],
    origin: Origin,
    source: bytes,
    released: bytes,
    key: Key,
) -> Certificate:
    """A sealed certificate for a release whose claims were checked."""
    bare = Certificate(
        policy,
        knowledge,
        tuple(claims),
        key.input_hash(source),
        key.output_hash(released),
        {
            "format": origin.format,
            "encoding": origin.encoding,
            "columns": list(origin.columns),
        },
    )
    return replace(bare, seal=_seal(bare, key))


def parse(text: str, where: str) -> Certificate:
    """A certificate from its file."""
    try:
        data = json.loads(text)
        if data["format"] not in (1, FORMAT):
            raise InputError(f"{where}: a certificate of another version of Sfumato", path=where)
        claims = tuple(
            Claim(c["name"], {k: v for k, v in c.items() if k not in ("name", "holds")})
            for c in data["claims"]
        )
        document = data["document"] if data["format"] > 1 else {}
        texts = [
            *(data[name] for name in ("policy", "input", "output", "seal", "sfumato")),
            *(document.get("format", "text"), document.get("encoding", "utf-8")),
            *dict(data["knowledge"]).values(),
            *document.get("columns", ()),
        ]
        if not all(isinstance(t, str) for t in texts):
            raise TypeError
        return Certificate(
            data["policy"],
            data["knowledge"],
            claims,
            data["input"],
            data["output"],
            document,
            data["seal"],
            data["sfumato"],
            data["format"],
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{where}: not a certificate", path=where) from None


def _seal(certificate: Certificate, key: Key) -> str:
    body = certificate.to_dict() | {"seal": ""}
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return "hmac-sha256:" + key.tag("certificate:seal", canonical).hex()
