"""A check and its verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sfumato.document import where

Verdict = Literal["holds", "does not hold", "cannot be checked"]


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the verdict: what was checked, how it came out, and what to know about it."""

    name: str
    verdict: Verdict
    detail: str = ""
    empty: bool = False  # holds because the text has nothing that it is about

    @property
    def failed(self) -> bool:
        return self.verdict == "does not hold"


def holds(name: str, detail: str = "") -> Check:
    return Check(name, "holds", detail)


def fails(name: str, detail: str) -> Check:
    return Check(name, "does not hold", detail)


def needs(name: str, what: str) -> Check:
    return Check(name, "cannot be checked", f"without {what}")


def places(text: str, offsets: list[int], most: int = 5) -> str:
    """The first few places, and how many more there are."""
    shown = ", ".join(where(text, o) for o in offsets[:most])
    return shown + (f" and {len(offsets) - most} more" if len(offsets) > most else "")
