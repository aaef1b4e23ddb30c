"""What a verifier has in hand."""

from __future__ import annotations

from dataclasses import dataclass, field

from sfumato.document import Record
from sfumato.keys import Key
from sfumato.policy import Policy
from sfumato.verify import kinds


@dataclass(frozen=True)
class Evidence:
    """What a verifier has in hand. Without a key, a policy or the ledger's record less can be checked."""

    text: str = field(repr=False)
    policy: Policy | None = None
    find: kinds.Find | None = field(repr=False, default=None)
    record: Record | None = field(repr=False, default=None)
    key: Key | None = None
    data: bytes = field(repr=False, default=b"")  # the file itself
    reader: str | None = None  # whose view it is
