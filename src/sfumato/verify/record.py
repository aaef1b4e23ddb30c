"""The ledger's record of a release, read by its own offsets."""

from __future__ import annotations

from sfumato.document import UNSEEN, EditColumns, Record, changes


def replacements(record: Record) -> list[tuple[int, int]]:
    """Where the replacements stand in the release, counted from the record's own offsets."""
    found, grown, last = [], 0, 0
    for (begin, end, made), original in zip(changes(record.edits), record.originals, strict=True):
        if begin < last or end - begin != len(original):
            raise ValueError("the record contradicts itself")
        last = end
        start = begin + grown
        found.append((start, start + len(made)))
        grown += len(made) - len(original)
    return found


def original_text(text: str, record: Record) -> str | None:
    """The original that the record and the release give together, with blanks for what no reader of it saw;
    None if they do not fit."""
    try:
        spans = replacements(record)
    except ValueError:
        return None
    made = (replacement for _, _, replacement in changes(record.edits))
    if any(text[a:b] != said for (a, b), said in zip(spans, made, strict=True)):
        return None
    pieces = kept(text, spans)
    edits = record.edits
    hows = edits.hows if isinstance(edits, EditColumns) else [edit.how for edit in edits]
    originals = (
        " " * len(said) if how == UNSEEN else said
        for how, said in zip(hows, record.originals, strict=True)
    )
    return "".join(a + b for a, b in zip(pieces, [*originals, ""], strict=True))


def kept(text: str, spans: list[tuple[int, int]]) -> list[str]:
    """What of a text stands around some spans."""
    edges = [0, *(edge for span in spans for edge in span), len(text)]
    return [text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]
