"""The privacy models, and what each of them works with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.keys import Key
from sfumato.policy import Policy

if TYPE_CHECKING:
    from sfumato.release.ledger import Ledger


@dataclass(frozen=True)
class Workshop:
    """What a protector may use: the settings, the key, the vault of replacements, and who will read."""

    policy: Policy
    key: Key
    vault: Ledger
    reader: str | None = None
