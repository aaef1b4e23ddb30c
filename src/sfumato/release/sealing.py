"""How rows of a ledger are sealed, found and opened: bound to their place, all of a few lengths.

A row is found by keyed hashes of what it is about, and sealed together with them: one that stands in another
place, or comes from another ledger, does not open.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sfumato.errors import SecretError
from sfumato.keys import FormerKey, Key

# The one of before signatures has no place and no length in its seals, and none over all rows of a release.
# It is read, and becomes this when it is written to.
FORMAT, UNSIGNED = 5, 2
MODULUS = 1 << 256  # of sums of keyed hashes
SHORTEST, STEP = 256, 1 << 20
_TAG = 16  # bytes of a seal that depend on all of it


@dataclass(frozen=True, slots=True)
class Sealing:
    """The key of a ledger, what is left of the keys before it, and the ledger's own name."""

    key: Key
    identity: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    former: tuple[FormerKey, ...] = ()
    format: int = FORMAT

    @classmethod
    def read(cls, key: Key, meta: dict[str, bytes]) -> Sealing | None:
        """The sealing that a ledger's own rows tell of, which must all be there; None if it is of another
        version."""
        if meta["format"] not in (bytes([UNSIGNED]), bytes([FORMAT])):
            return None
        number = meta["format"][0]
        made = cls(key, meta["identity"] if number == FORMAT else b"", (), number)
        if meta["check"] != made._check:
            raise SecretError("this key does not open the ledger; give the key it was made with")
        if made.is_old:
            return made
        kept = json.loads(_unpadded(key.open("former", meta["former"], made.identity)))
        return replace(made, former=tuple(map(FormerKey, kept)))

    def meta(self) -> dict[str, bytes]:
        """What `read` needs."""
        kept = json.dumps([key.kept for key in self.former]).encode()
        return {
            "format": bytes([FORMAT]),
            "check": self._check,
            "identity": self.identity,
            "former": self.key.seal("former", _padded(kept), self.identity),
        }

    @property
    def is_old(self) -> bool:
        """Whether the ledger is of before certificates were signed."""
        return self.format == UNSIGNED

    @property
    def _check(self) -> bytes:
        if self.is_old:
            return self.key.tag("check", b"ledger")
        return self.key.tag(f"check:{self.format}", self.identity)  # nobody says that it is older

    @property
    def keys(self) -> tuple[Key, ...]:
        """The key, then what is left of those before it."""
        return (self.key, *reversed(self.former))

    def under(self, key: Key) -> Sealing:
        """The sealing of the same ledger under another key."""
        return Sealing(key, former=(*self.former, FormerKey(self.key.former())))

    def tag(self, purpose: str, data: str | bytes) -> bytes:
        """By what a row is found. After a change of key it is a hash by the new one of the hash by the old
        one: what a row is about, from which it could be made anew, is not in the ledger."""
        for key in (*self.former, self.key):
            data = key.tag(purpose, data)
        assert isinstance(data, bytes)
        return data

    def seal(self, table: str, place: Sequence[bytes], row: Any) -> bytes:
        """A row for its place in a table."""
        plain = json.dumps(row).encode()
        return self.key.seal(table, _padded(plain), self.identity, *place)

    def open(self, table: str, place: Sequence[bytes], sealed: bytes) -> Any:
        """What was sealed for this place, and for no other."""
        if self.is_old:
            return json.loads(self.key.open(table, sealed))
        return json.loads(_unpadded(self.key.open(table, sealed, self.identity, *place)))

    def digest(self, rows: Iterable[Sequence[bytes]]) -> int:
        """Which rows there are: a set hash, to which each row is added and from which it is taken alone, the
        sum of keyed hashes of their places and seals (Clarke et al., MSet-Add-Hash). What is taken from it
        without being in it is missing for ever."""
        parts = ((*row[:-1], row[-1][:_TAG]) for row in rows)
        framed = (b"".join(len(p).to_bytes(8, "big") + p for p in row) for row in parts)
        return sum(int.from_bytes(self.key.tag("row:5", row), "big") for row in framed) % MODULUS


def _padded(plain: bytes) -> bytes:
    """Of a length that tells little: powers of two, from a million bytes on whole millions."""
    least = len(plain) + 1
    length = max(SHORTEST, 1 << (least - 1).bit_length())
    if least > STEP:
        length = -(-least // STEP) * STEP
    return plain + b"\x80" + bytes(length - least)


def _unpadded(padded: bytes) -> bytes:
    return padded.rstrip(b"\0")[:-1]
