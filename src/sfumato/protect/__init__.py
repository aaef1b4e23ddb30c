"""The privacy models, and what each of them works with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from sfumato.document import Document, Edit, Term
from sfumato.keys import Key
from sfumato.plugins import Protector
from sfumato.policy import Policy


class Vault(Protocol):
    """What keeps invented values consistent over many documents, and apart."""

    def allocate(self, kind: str, original: str, propose: Callable[[int], str]) -> str:
        """The stored value of an original; if there is none, the first proposal that is nobody else's."""

    def stored(self, kind: str, original: str) -> str | None:
        """The stored value of an original, if there is one; a proposal may ask, too."""


def _nothing_to_do(
    document: Document, terms: Sequence[Term], edits: Sequence[Edit]
) -> Sequence[Edit]:
    return edits


@dataclass(frozen=True)
class Run:
    """What a protector may use: the settings, the key, the vault of replacements, and who will read.

    `by_rules` replaces the given terms, where nobody has edited them, by the policy's rules for their kinds.
    After the last step that happens to all of them; a last step that looks at the text as it will be released
    does it before.
    """

    policy: Policy
    key: Key
    vault: Vault
    reader: str | None = None
    by_rules: Protector = _nothing_to_do
    is_last: bool = False  # of the policy's steps
