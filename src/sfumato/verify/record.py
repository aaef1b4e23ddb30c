"""The ledger's record of a release, read by its own offsets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, chain, pairwise
from operator import add, gt, ne, sub

from sfumato.document import Edit, Record, changes, rebuilt


def replacements(record: Record) -> list[tuple[int, int]]:
    """Where the replacements stand in the release, counted from the record's own offsets."""
    return list(zip(*_replacements(record), strict=True))


Hidden = tuple[Edit, str, tuple[int, int]]


def whole_edits(record: Record) -> list[Hidden]:
    """Edits, originals, and where the replacements stand: as one where the parts of a file cut one into
    several, of which one has the replacement.

    >>> from sfumato.document import Origin, Part
    >>> edits = [Edit(0, 3, "TERM", "an illness", "r"), Edit(3, 6, "TERM", "", "r")]
    >>> origin = Origin(parts=(Part(0, 3, "text"), Part(3, 6, "text")))
    >>> ((edit, *others),) = whole_edits(Record("", origin, edits, ["can", "cer"]))
    >>> (edit.end, *others)
    (6, 'cancer', (0, 10))
    """
    made: list[Hidden] = []
    ends = {edit.end for edit in record.edits}
    meet = any(edit.start in ends for edit in record.edits)
    parts = record.origin.parts if meet else ()  # of a table there are very many
    cuts = {b.start for a, b in pairwise(parts) if a.end == b.start}
    for edit, said, span in zip(record.edits, record.originals, replacements(record), strict=True):
        last, before, at = made[-1] if made else (edit, "", span)
        is_one = (last.end, last.kind, last.reason) == (edit.start, edit.kind, edit.reason)
        if is_one and edit.start in cuts and not (last.replacement and edit.replacement):
            made.pop()
            taker = last if last.replacement else edit
            at = at if last.replacement else span
            made.append((replace(taker, start=last.start, end=edit.end), before + said, at))
        else:
            made.append((edit, said, span))
    return made


def _replacements(record: Record) -> tuple[list[int], list[int]]:
    """Where they begin, and where they end."""
    starts, ends, made = changes(record.edits)
    sizes, before = list(map(len, made)), list(map(len, record.originals))
    if any(map(gt, chain((0,), ends), starts)) or any(map(ne, map(sub, ends, starts), before)):
        raise ValueError("the record contradicts itself")
    begins = list(map(add, starts, accumulate(map(sub, sizes, before), initial=0)))
    return begins, list(map(add, begins, sizes))


def original_text(text: str, record: Record) -> str | None:
    """The original that the record and the release give together; None if they do not fit."""
    try:
        begins, ends = _replacements(record)
    except ValueError:
        return None
    if any(map(ne, map(text.__getitem__, map(slice, begins, ends)), changes(record.edits)[2])):
        return None
    return rebuilt(text, begins, ends, record.originals)


def kept(text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    """What of a text stands around some spans."""
    edges = [0, *chain.from_iterable(spans), len(text)]
    return list(map(text.__getitem__, map(slice, edges[::2], edges[1::2])))
