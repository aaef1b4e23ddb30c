"""The releasing party's key: everything that must be unpredictable is derived from it."""

from __future__ import annotations

import binascii
import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

from sfumato.errors import SecretError
from sfumato.files import bounded, contents, distrusted, write_new

LENGTH = 32
MOST_BYTES = 1 << 16  # of a key's file
ENVIRONMENT = "SFUMATO_KEY"
# What a key that was replaced is still needed for: it finds rows of a ledger, and tells its certificates.
_KEPT = (
    *("release", "name", "input", "policy", "vault:original", "vault:surrogate"),
    *("certificate:input", "certificate:output", "certificate:seal"),
)
SIGNATURE = "ed25519:"  # before a public key and a signature, both in hexadecimal digits


class Key:
    """32 secret bytes. Each purpose gets a key of its own, so that none tells about another."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) != LENGTH:
            raise SecretError(
                f"a key has {LENGTH} bytes, not {len(secret)}; make one with: sfumato key new"
            )
        self._secret = secret
        # There are few, and each is asked for often
        self._derived: dict[tuple[str, int], bytes] = {}

    def __repr__(self) -> str:
        return "Key(…)"

    def hex(self) -> str:
        return self._secret.hex()

    def is_in(self, data: bytes) -> bool:
        """Whether the key stands in some bytes, as one of its files has it."""
        return self._secret in data or self.hex().encode() in data.lower()

    def derive(self, purpose: str, length: int = 32) -> bytes:
        """A key for one purpose: HKDF's expansion with SHA-512 (RFC 5869)."""
        found = self._derived.get((purpose, length))
        if found is None:
            found = HKDFExpand(SHA512(), length, f"sfumato:{purpose}".encode()).derive(self._secret)
            self._derived[purpose, length] = found
        return found

    def tag(self, purpose: str, data: str | bytes) -> bytes:
        """A keyed hash of `data`: 32 bytes that tell nothing without the key."""
        raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        return hmac.digest(self.derive(purpose), raw, hashlib.sha256)

    def input_hash(self, source: bytes) -> str:
        """The keyed hash of an original file, as a certificate has it."""
        return "hmac-sha256:" + self.tag("certificate:input", source).hex()

    @property
    def public(self) -> PublicKey:
        """What others need to tell the certificates of this key from forgeries."""
        return PublicKey(self._signer.public_key().public_bytes_raw())

    def sign(self, message: bytes) -> str:
        """An Ed25519 signature, as a certificate has it."""
        return SIGNATURE + self._signer.sign(message).hex()

    def former(self) -> dict[str, str]:
        """What a ledger keeps of this key when another takes its place, as a `FormerKey` needs it."""
        derived = {purpose: self.derive(purpose).hex() for purpose in _KEPT}
        return derived | {"public": str(self.public)}

    @property
    def _signer(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.derive("certificate:signature", 32))

    def integers(self, purpose: str, data: str) -> Iterator[int]:
        """An endless stream of 32-bit integers that depends on the key, the purpose and `data`."""
        counter = 0
        while True:
            block = self.tag(purpose, f"{counter}:{data}")
            yield from (int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4))
            counter += 1

    def seal(self, purpose: str, plain: str | bytes, *place: bytes) -> bytes:
        """AES-SIV: encrypted, authenticated together with its place, and the same for the same input."""
        raw = plain.encode("utf-8", "surrogatepass") if isinstance(plain, str) else plain
        return AESSIV(self.derive(f"seal:{purpose}", 64)).encrypt(raw, [purpose.encode(), *place])

    def open(self, purpose: str, sealed: bytes, *place: bytes) -> bytes:
        """What `seal` was given; another key or place is an error."""
        box = AESSIV(self.derive(f"seal:{purpose}", 64))
        try:
            return box.decrypt(sealed, [purpose.encode(), *place])
        except (InvalidTag, ValueError):
            raise SecretError("this key does not open it; give the key it was made with") from None


@dataclass(frozen=True, slots=True)
class PublicKey:
    """The public half of a key: it tells genuine certificates from others, and nothing else.

    >>> public = Key(bytes(32)).public
    >>> public.verifies(Key(bytes(32)).sign(b"fine"), b"fine"), public == parse_public(str(public))
    (True, True)
    """

    raw: bytes

    def __str__(self) -> str:
        return SIGNATURE + self.raw.hex()

    def verifies(self, signature: str, message: bytes) -> bool:
        """Whether the key that belongs to this one signed this very message."""
        if re.fullmatch(f"{SIGNATURE}[0-9a-f]{{128}}", signature) is None:
            return False
        raw = bytes.fromhex(signature.removeprefix(SIGNATURE))
        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(raw, message)
        except (InvalidSignature, ValueError):
            return False
        return True


class FormerKey(Key):
    """What is kept of a key that was replaced: it hashes as that did, but opens and signs nothing."""

    def __init__(self, kept: Mapping[str, str]) -> None:
        self.kept = dict(kept)

    def derive(self, purpose: str, length: int = 32) -> bytes:
        if purpose not in _KEPT or length != LENGTH:
            raise SecretError("this was done with a former key; give that key")
        return bytes.fromhex(self.kept[purpose])

    def hex(self) -> str:
        raise SecretError("a former key is not kept as a whole")

    @property
    def public(self) -> PublicKey:
        return parse_public(self.kept["public"])


def parse_public(text: str, where: str = "public key") -> PublicKey:
    """A public key from its text: `ed25519:` and 64 hexadecimal digits."""
    if re.fullmatch(f"{SIGNATURE}[0-9a-f]{{64}}", text.strip()) is None:
        raise SecretError(
            f"{where}: not a public key ({SIGNATURE} and 64 hexadecimal digits); its owner prints it "
            "with: sfumato key public"
        )
    raw = bytes.fromhex(text.strip().removeprefix(SIGNATURE))
    if _is_weak(raw):
        raise SecretError(
            f"{where}: nobody's public key (anybody could sign for it); ask its owner for the true one"
        )
    return PublicKey(raw)


def _is_weak(raw: bytes) -> bool:
    """Whether a point is of small order, or is spelt as no signer spells one: for such a key,
    anybody can make signatures.

    >>> _is_weak(bytes(32)), _is_weak(Key(bytes(32)).public.raw)
    (True, False)
    """
    y = int.from_bytes(raw, "little") & ~(1 << 255)
    return y >= _PRIME or y in _SMALL_ORDER


_PRIME = 2**255 - 19
# The second coordinates of the eight points whose order divides 8: 1, -1, 0, and the two of order 8.
_SMALL_ORDER = {
    1,
    _PRIME - 1,
    0,
    *(
        int.from_bytes(bytes.fromhex(y), "little")
        for y in (
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        )
    ),
}


def read_public(given: str) -> PublicKey:
    """A public key that is given as its text, or as the name of the file that holds it."""
    if given.startswith(SIGNATURE):
        return parse_public(given)
    try:
        data = contents(Path(given), MOST_BYTES, pipe=True)
        return parse_public(data.decode("ascii", "replace"), given)
    except OSError as error:
        raise SecretError(f"{given}: cannot read the public key ({error.strerror})") from None


def new() -> Key:
    """A fresh random key."""
    return Key(secrets.token_bytes(LENGTH))


def read(path: Path, *, named: bool = True) -> Key:
    """The key in a file: 64 hexadecimal digits, or 32 raw bytes. Others must not be able to change it; one
    that nobody `named`, but that just lay there, they must not be able to read, and it must be no link."""
    if not named and path.is_symlink():
        raise SecretError(f"{path}: the key is a link; name the file itself with --key-file")
    flags = os.O_RDONLY | os.O_NONBLOCK | (0 if named else os.O_NOFOLLOW)
    try:
        with os.fdopen(os.open(path, flags), "rb") as file:
            why = distrusted(path, os.fstat(file.fileno()), 0o022 if named else 0o077)
            raw = bounded(file, MOST_BYTES, pipe=named)
    except OSError as error:
        raise SecretError(f"{path}: cannot read the key file ({error.strerror})") from None
    if why:
        raise SecretError(f"{path}: the key is not used: {why}")
    if len(raw) == LENGTH:
        return Key(raw)
    return _parse(raw, str(path), "64 hexadecimal digits or 32 bytes")


def write(key: Key, path: Path) -> None:
    """Write a key that only its owner may read; an existing file is never overwritten."""
    try:
        write_new(path, to_line(key))
    except FileExistsError:
        raise SecretError(f"{path}: exists already; a key is never overwritten") from None
    except OSError as error:
        raise SecretError(f"{path}: cannot write the key file ({error.strerror})") from None


def to_line(key: Key) -> bytes:
    """A key as its file has it."""
    return f"{key.hex()}\n".encode()


def from_environment() -> Key | None:
    """The key in SFUMATO_KEY, if there is one."""
    value = os.environ.get(ENVIRONMENT)
    return _parse(os.fsencode(value), f"${ENVIRONMENT}", "64 hexadecimal digits") if value else None


def _parse(raw: bytes, where: str, shape: str) -> Key:
    try:
        return Key(binascii.unhexlify(raw.strip()))
    except (binascii.Error, SecretError):
        raise SecretError(f"{where}: not a key ({shape}); make one with: sfumato key new") from None
