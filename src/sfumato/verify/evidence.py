"""What a verifier has in hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from sfumato.document import Claim, Document, Origin, Part, Record, Term
from sfumato.keys import Key, PublicKey
from sfumato.policy import Policy
from sfumato.verify.record import original_text


class Find(Protocol):
    """The policy's detectors: the terms of a text, everything they find, what they find wherever it stands,
    what is kept. `absent` are the names of those that are not installed here, `by_context` of those that
    go by the words around a term and do not look at a release again."""

    @property
    def absent(self) -> tuple[str, ...]: ...

    @property
    def by_context(self) -> tuple[str, ...]: ...

    def __call__(self, document: Document) -> list[Term]: ...

    def all(self, document: Document) -> list[Term]: ...

    def again(self, document: Document) -> list[Term]: ...

    def kept(self, text: str) -> list[tuple[int, int]]: ...


@dataclass(frozen=True, eq=False)
class Evidence:
    """What a verifier has in hand. Without a key, a policy or the ledger's record less can be checked."""

    text: str = field(repr=False)
    policy: Policy | None = None
    find: Find | None = field(repr=False, default=None)
    record: Record | None = field(repr=False, default=None)
    key: Key | None = None
    data: bytes = field(repr=False, default=b"")  # the file itself
    reader: str | None = None  # whose view it is
    name: str = "release"
    input: str = ""  # the certificate's keyed hash of the original file
    claims: tuple[Claim, ...] = field(repr=False, default=())  # all that the certificate has
    public_key: PublicKey | None = None  # whose certificates are genuine, where it is not the key's
    signed: bool = False  # whether the certificate is genuine, and of this very file
    encoding: str = "utf-8"  # what the receiver takes the file for
    unseen: bool = False  # whether the file holds what no reader of it sees
    shown_otherwise: str = ""  # what in the file programs may show otherwise than it is read
    parts: Sequence[Part] = field(repr=False, default=())  # of the text, as the file has them
    # what checkers have worked out, for one another
    shared: dict[str, Any] = field(repr=False, init=False, default_factory=dict)

    @property
    def document(self) -> Document:
        """The release as detectors take it."""
        return Document(self.text, self.name, Origin(parts=self.parts))

    @cached_property
    def original(self) -> str | None:
        """The original that the record and the release give together; None if there is no record, or it
        does not fit."""
        return original_text(self.text, self.record) if self.record is not None else None

    def asked(self, name: str) -> list[dict[str, Any]]:
        """The options of the policy's steps that promise the claim `name`: what it must hold for is read
        here, never in the certificate under test."""
        steps = self.policy.protect if self.policy is not None else ()
        return [dict(s.options) for s in steps if name in s.plugin.claims(s.options)]

    def asked_by(self, claim: Claim) -> dict[str, Any] | None:
        """The options of the step that makes this claim: of several claims of one name, each has its own."""
        same = [c for c in self.claims if c.name == claim.name]
        place = next((at for at, c in enumerate(same) if c is claim), 0)
        return next(iter(self.asked(claim.name)[place:]), None)
