"""The original behind a release."""

from __future__ import annotations

from typing import overload

from sfumato.document import Release, restored, unrender
from sfumato.errors import LedgerError
from sfumato.release.ledger import Ledger


@overload
def restore(release: Release | str, ledger: Ledger | None = None) -> str: ...


@overload
def restore(release: bytes, ledger: Ledger) -> bytes: ...


def restore(release: Release | str | bytes, ledger: Ledger | None = None) -> str | bytes:
    """The original text of a release: of the object as it is, of a text with the ledger it is in; the
    original file of a released one.

    >>> from sfumato import sanitize
    >>> restore(sanitize("Write to ann@example.org today"))
    'Write to ann@example.org today'
    """
    if isinstance(release, Release):
        return unrender(release.text, release.record)
    if ledger is None:
        raise LedgerError("a text alone cannot be restored; give the ledger it is in")
    if isinstance(release, bytes):
        return restored(release, ledger.find_one(release).record)
    entry = ledger.find_one(release.encode("utf-8", "surrogatepass"))
    return unrender(release, entry.record)
