"""The certificate: what a release claims, in a form that may go with it.

It names policy and knowledge by hash and carries keyed hashes of input and output, so that it tells nothing
about the original to whoever lacks the key. It never holds originals, reasons, or counts of what was hidden,
but for one: how many hidden terms the statistics know too little about to be assessed for disclosure.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sfumato._version import __version__
from sfumato.errors import InputError
from sfumato.keys import Key

FORMAT = 1
SUFFIX = ".cert.json"


@dataclass(frozen=True, slots=True)
class Claim:
    """A guarantee with its parameters, e.g. `K-safe` with K=10."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Certificate:
    """Claims that held when the release was made, and what they are about."""

    policy: str
    knowledge: Mapping[str, str]
    claims: tuple[Claim, ...]
    input: str
    output: str
    seal: str = ""
    version: str = __version__

    def to_dict(self) -> dict[str, Any]:
        """The certificate as it is written."""
        return {
            "sfumato": self.version,
            "format": FORMAT,
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
    source: bytes,
    released: bytes,
    key: Key,
) -> Certificate:
    """A sealed certificate for a release whose claims were checked."""
    bare = Certificate(
        policy, knowledge, tuple(claims), hash_input(source, key), hash_output(released, key)
    )
    return Certificate(
        bare.policy, bare.knowledge, bare.claims, bare.input, bare.output, _seal(bare, key)
    )


def hash_input(source: bytes, key: Key) -> str:
    return "hmac-sha256:" + key.tag("certificate:input", source).hex()


def hash_output(released: bytes, key: Key) -> str:
    return "hmac-sha256:" + key.tag("certificate:output", released).hex()


def parse(text: str, where: str) -> Certificate:
    """A certificate from its file."""
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise InputError(f"{where}: a certificate of another version of Sfumato", path=where)
        claims = tuple(
            Claim(c["name"], {k: v for k, v in c.items() if k not in ("name", "holds")})
            for c in data["claims"]
        )
        texts = (data["policy"], data["input"], data["output"], data["seal"], data["sfumato"])
        if not all(isinstance(t, str) for t in (*texts, *dict(data["knowledge"]).values())):
            raise TypeError
        return Certificate(
            data["policy"],
            data["knowledge"],
            claims,
            data["input"],
            data["output"],
            data["seal"],
            data["sfumato"],
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{where}: not a certificate", path=where) from None


def _seal(certificate: Certificate, key: Key) -> str:
    body = certificate.to_dict() | {"seal": ""}
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return "hmac-sha256:" + key.tag("certificate:seal", canonical).hex()
