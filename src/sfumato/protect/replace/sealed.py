"""The methods that only the key can retrace: `hash` and `encrypt`."""

from __future__ import annotations

import base64
import binascii
import re

from pydantic import Field

from sfumato.document import Term
from sfumato.english.folding import normal_form
from sfumato.errors import SecretError
from sfumato.keys import Key
from sfumato.plugins import Options, method
from sfumato.protect.replace.method import Method, Overview, Replacement

_SEALED = re.compile(r"ENC\[([A-Z][A-Z0-9_]*):([A-Za-z0-9_=-]+)\]")


class Hash(Options):
    """A keyed hash (HMAC-SHA-256): the same for the same thing, useless without the key."""

    length: int = Field(12, ge=8, le=64, description="Hexadecimal digits kept.")


class Encrypt(Options):
    """Encrypted in place (AES-SIV): whoever has the key reads it back."""


@method("hash", options=Hash, gives="code", leaves="identity")
def keyed_hash(options: Hash, overview: Overview) -> Method:
    def replace(term: Term, original: str) -> Replacement:
        told = overview.identity(term) if overview.terms else normal_form(original)
        tag = overview.run.key.tag(f"hash:{term.kind}", told).hex()
        return Replacement(f"{term.kind}_{tag[: options.length]}", "replaced by a keyed hash")

    return replace


@method("encrypt", options=Encrypt, gives="code", leaves="identity")
def encrypt(options: Encrypt, overview: Overview) -> Method:
    key = overview.run.key
    return lambda term, original: Replacement(seal(term.kind, original, key), "encrypted")


def seal(kind: str, original: str, key: Key) -> str:
    """The original, encrypted, in a wrapper that `decrypt_text` finds again."""
    sealed = base64.urlsafe_b64encode(key.seal(f"encrypt:{kind}", original)).decode()
    return f"ENC[{kind}:{sealed}]"


def decrypt_text(text: str, key: Key) -> str:
    """The text with everything that `encrypt` has sealed read back.

    What looks sealed but was never so stays as it is; if nothing at all opens, the key is wrong.
    """
    opened = 0

    def restore(found: re.Match[str]) -> str:
        nonlocal opened
        try:
            sealed = base64.urlsafe_b64decode(found[2])
            plain = key.open(f"encrypt:{found[1]}", sealed).decode("utf-8", "surrogatepass")
        except (SecretError, binascii.Error):
            return found[0]
        opened += 1
        return plain

    restored = _SEALED.sub(restore, text)
    if not opened and _SEALED.search(text):
        raise SecretError("this key opens nothing in the text; give the key it was encrypted with")
    return restored
