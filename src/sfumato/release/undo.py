"""The original behind a release: the very one that was certified, or none."""

from __future__ import annotations

from typing import overload

from sfumato import formats
from sfumato.document import Document, Record, Release, decode, restored, unrender
from sfumato.errors import EncodingError, GuaranteeError, LedgerError, SfumatoError
from sfumato.formats.text import as_drawn
from sfumato.release.entries import Entry
from sfumato.release.ledger import Ledger


@overload
def restore(
    release: Release | str, ledger: Ledger | None = None, *, name: str | None = None
) -> str: ...


@overload
def restore(release: bytes, ledger: Ledger, *, name: str | None = None) -> bytes: ...


def restore(
    release: Release | str | bytes, ledger: Ledger | None = None, *, name: str | None = None
) -> str | bytes:
    """The original text of a release: of the object as it is, of a text with the ledger it is in; the
    original file of a released one. `name` tells documents with the same release apart.

    >>> from sfumato import sanitize
    >>> restore(sanitize("Write to ann@example.org today"))
    'Write to ann@example.org today'
    """
    if isinstance(release, Release):
        made = release.certificate
        if not made.is_about(release.data) or text_of_file(release) != release.text:
            raise GuaranteeError("this is not the release that was certified; nothing is restored")
        undone = unrender(release.text, release.record)
        if ledger is not None:
            entry = Entry(release.record, "", made, key=ledger.maker(made))
            if _text(original(release.data, entry), release.record) != undone:
                raise GuaranteeError("its edits are not those of its file; nothing is restored")
        record = release.record
        is_file = record.origin.format == "text"
        return decode(restored(release.data, record), record.origin.encoding) if is_file else undone
    if ledger is None:
        raise LedgerError("a text alone cannot be restored; give the ledger it is in")
    data = release if isinstance(release, bytes) else release.encode("utf-8", "surrogatepass")
    entry = ledger.find_one(data, name)
    found = original(data, entry)
    return found if isinstance(release, bytes) else decode(found, entry.record.origin.encoding)


def original(released: bytes, entry: Entry) -> bytes:
    """The original file behind a released one, if it is the one that its certificate is about."""
    try:
        found = restored(released, entry.record)
    except (ValueError, EncodingError):  # patches or bytes that do not fit
        found = None
    if found is None or entry.key is None or entry.key.input_hash(found) != entry.certificate.input:
        raise GuaranteeError(
            "what comes back is not the original that was certified; nothing is restored"
        )
    return found


def text_of_file(release: Release) -> str | None:
    """What the released file says; None where it cannot be read."""
    return _text(release.data, release.record)


def is_edited_alike(release: Release) -> bool:
    """Whether what the file was made of says what the edits of the text undo to."""
    try:
        source = restored(release.data, release.record)
        return _text(source, release.record) == unrender(release.text, release.record)
    except (ValueError, EncodingError):  # patches, edits or bytes that do not fit
        return False


def _text(data: bytes, record: Record) -> str | None:
    try:
        if record.undo is None:  # the file is its text
            return decode(data, record.origin.encoding)
        if record.origin.format == "text":  # which may hold halves of letters, from Python
            return as_drawn(Document(decode(data, record.origin.encoding))).text
        return formats.read_again(data, record).text
    except (SfumatoError, UnicodeError):
        return None
