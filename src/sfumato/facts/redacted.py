"""Somebody else's redactions as edits: what a first sanitizer, a person or another tool, has hidden."""

from __future__ import annotations

from sfumato.document import GENERALISE, Document, Edit
from sfumato.errors import InputError
from sfumato.facts.redactions import HiddenSpan, align

KIND = "MISC"  # of what is hidden, where the redaction does not say


def redacted_edits(
    document: Document, redacted: str, *, name: str = "the redacted version"
) -> list[Edit]:
    """The edits that make the redacted version of a document: its labels, boxes, other words and gaps.

    Blanks and line breaks of the document stay as they are. Refused is a text that is no version of the
    document, or one that hides nothing.

    >>> note = Document("Ann Lee has had the flu for days.", "note.txt")
    >>> version = "[NAME] has had an illness for days."
    >>> [(e.kind, e.replacement, e.how) for e in redacted_edits(note, version)]
    [('PERSON', '[NAME]', 'label'), ('MISC', 'an illness', 'generalise')]
    """
    found = align(document.text, redacted, name=name)
    if not found:
        raise InputError(f"{name} hides nothing of {document.name}: there is nothing to protect")
    return [_edit(hidden) for hidden in found]


def _edit(hidden: HiddenSpan) -> Edit:
    how = GENERALISE
    if hidden.label:
        how = "label" if hidden.shown else "remove"
    said = "removed" if not hidden.shown else "replaced" if how == GENERALISE else "covered"
    return Edit(
        hidden.start,
        hidden.end,
        hidden.kind or KIND,
        hidden.shown,
        f"{said} in the redacted version",
        how,
    )
