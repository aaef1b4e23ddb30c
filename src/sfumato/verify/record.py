"""The ledger's record of a release, read by its own offsets."""

from __future__ import annotations

from sfumato.document import UNSEEN, Record


def replacements(record: Record) -> list[tuple[int, int]]:
    """Where the replacements stand in the release, counted from the record's own offsets."""
    found, grown, last = [], 0, 0
    for edit, original in zip(record.edits, record.originals, strict=True):
        if edit.start < last or edit.end - edit.start != len(original):
            raise ValueError("the record contradicts itself")
        last = edit.end
        start = edit.start + grown
        found.append((start, start + len(edit.replacement)))
        grown += len(edit.replacement) - len(original)
    return found


def original_text(text: str, record: Record) -> str | None:
    """The original that the record and the release give together, with blanks for what no reader of it saw;
    None if they do not fit."""
    try:
        spans = replacements(record)
    except ValueError:
        return None
    if any(text[a:b] != e.replacement for (a, b), e in zip(spans, record.edits, strict=True)):
        return None
    pieces = kept(text, spans)
    originals = (
        " " * len(said) if edit.how == UNSEEN else said
        for edit, said in zip(record.edits, record.originals, strict=True)
    )
    return "".join(a + b for a, b in zip(pieces, [*originals, ""], strict=True))


def kept(text: str, spans: list[tuple[int, int]]) -> list[str]:
    """What of a text stands around some spans."""
    edges = [0, *(edge for span in spans for edge in span), len(text)]
    return [text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]
