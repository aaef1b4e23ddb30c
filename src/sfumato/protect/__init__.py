"""The privacy models, and what each of them works with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from sfumato.keys import Key
from sfumato.policy import Policy


class Vault(Protocol):
    """What keeps invented values consistent over many documents, and apart."""

    def allocate(self, kind: str, original: str, propose: Callable[[int], str]) -> str:
        """The stored value of an original; if there is none, the first proposal that is nobody else's."""


@dataclass(frozen=True)
class Run:
    """What a protector may use: the settings, the key, the vault of replacements, and who will read."""

    policy: Policy
    key: Key
    vault: Vault
    reader: str | None = None
