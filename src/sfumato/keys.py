"""The releasing party's key: everything that must be unpredictable is derived from it."""

from __future__ import annotations

import binascii
import hashlib
import hmac
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

from sfumato.errors import SecretError

LENGTH = 32
ENVIRONMENT = "SFUMATO_KEY"


class Key:
    """32 secret bytes. Each purpose gets a key of its own, so that none tells about another."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) != LENGTH:
            raise SecretError(
                f"a key has {LENGTH} bytes, not {len(secret)}; make one with: sfumato key new"
            )
        self._secret = secret

    def __repr__(self) -> str:
        return "Key(…)"

    def hex(self) -> str:
        return self._secret.hex()

    def derive(self, purpose: str, length: int = 32) -> bytes:
        """A key for one purpose: HKDF's expansion with SHA-512 (RFC 5869)."""
        return HKDFExpand(SHA512(), length, f"sfumato:{purpose}".encode()).derive(self._secret)

    def tag(self, purpose: str, data: str | bytes) -> bytes:
        """A keyed hash of `data`: 32 bytes that tell nothing without the key."""
        raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        return hmac.digest(self.derive(purpose), raw, hashlib.sha256)

    def input_hash(self, source: bytes) -> str:
        """The keyed hash of an original file, as a certificate has it."""
        return "hmac-sha256:" + self.tag("certificate:input", source).hex()

    def output_hash(self, released: bytes) -> str:
        """The keyed hash of a released file, as a certificate has it."""
        return "hmac-sha256:" + self.tag("certificate:output", released).hex()

    def integers(self, purpose: str, data: str) -> Iterator[int]:
        """An endless stream of 32-bit integers that depends on the key, the purpose and `data`."""
        counter = 0
        while True:
            block = self.tag(purpose, f"{counter}:{data}")
            yield from (int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4))
            counter += 1

    def seal(self, purpose: str, plain: str | bytes) -> bytes:
        """AES-SIV: encrypted, authenticated, and the same for the same input."""
        raw = plain.encode("utf-8", "surrogatepass") if isinstance(plain, str) else plain
        return AESSIV(self.derive(f"seal:{purpose}", 64)).encrypt(raw, [purpose.encode()])

    def open(self, purpose: str, sealed: bytes) -> bytes:
        """What `seal` was given; another key is an error."""
        try:
            return AESSIV(self.derive(f"seal:{purpose}", 64)).decrypt(sealed, [purpose.encode()])
        except (InvalidTag, ValueError):
            raise SecretError("this key does not open it; give the key it was made with") from None


def new() -> Key:
    """A fresh random key."""
    return Key(secrets.token_bytes(LENGTH))


def read(path: Path) -> Key:
    """The key in a file: 64 hexadecimal digits, or 32 raw bytes."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise SecretError(f"{path}: cannot read the key file ({error.strerror})") from None
    return _parse(raw, str(path))


def write(key: Key, path: Path) -> None:
    """Write a key that only its owner may read; an existing file is never overwritten."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise SecretError(f"{path}: exists already; a key is never overwritten") from None
    except OSError as error:
        raise SecretError(f"{path}: cannot write the key file ({error.strerror})") from None
    with os.fdopen(descriptor, "w") as file:
        file.write(key.hex() + "\n")


def from_environment() -> Key | None:
    """The key in SFUMATO_KEY, if there is one."""
    value = os.environ.get(ENVIRONMENT)
    return _parse(value.encode(), f"${ENVIRONMENT}") if value else None


def _parse(raw: bytes, where: str) -> Key:
    if len(raw) == LENGTH:
        return Key(raw)
    try:
        return Key(binascii.unhexlify(raw.strip()))
    except (binascii.Error, SecretError):
        raise SecretError(
            f"{where}: not a key (64 hexadecimal digits or 32 bytes); make one with: sfumato key new"
        ) from None
