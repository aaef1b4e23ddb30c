"""A check and its verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from sfumato.document import where

Verdict = Literal["holds", "attested", "does not hold", "cannot be checked", "skipped"]


# what is missing where a file may hold what nobody has read
MORE = "the public key: the file holds more than its cells, or was not written by this version"


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the verdict: what was checked, how it came out, and what to know about it."""

    name: str
    verdict: Verdict
    detail: str = ""
    empty: bool = False  # holds because the text has nothing that it is about
    by_ledger: bool = False  # the ledger alone can show it
    essential: bool = False  # nothing may be trusted where it cannot be checked

    @property
    def failed(self) -> bool:
        return self.verdict == "does not hold"

    @property
    def refuses(self) -> bool:
        """Whether the release must not be trusted: this does not hold, or should and nobody knows."""
        return self.failed or (self.essential and self.verdict == "cannot be checked")


def holds(name: str, detail: str = "") -> Check:
    return Check(name, "holds", detail)


def fails(name: str, detail: str) -> Check:
    return Check(name, "does not hold", detail)


def needs(name: str, what: str) -> Check:
    return Check(name, "cannot be checked", f"without {what}")


def needs_ledger(name: str, why: str = "") -> Check:
    """What the release alone cannot show; where its certificate is signed, the signature attests it."""
    return replace(needs(name, f"the ledger{f': {why}' if why else ''}"), by_ledger=True)


def places(text: str, offsets: list[int], most: int = 5) -> str:
    """The first few places, and how many more there are."""
    shown = ", ".join(where(text, o) for o in offsets[:most])
    return shown + (f" and {len(offsets) - most} more" if len(offsets) > most else "")
