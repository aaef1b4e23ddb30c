"""Examples as flat arrays of pieces: small on disk, ready to be sliced into batches.

`prepare` needs the tokenizer and the data sets and writes one file; training needs only that file.

A source that does not annotate dates says nothing about "May", but it need not say nothing about
"was". Where a source marks nothing, a type it does not annotate stays possible only for pieces that
are that type often enough in the sources that annotate everything, and for numbers. Without this, a
type drifts over all words that nobody speaks for.
"""

from __future__ import annotations

import io
import lzma
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .data import ANY_ANNOTATOR, ORDINARY_NOT_MASKED, Example
from .labels import NOT_MASKED, UNKNOWN, EntitySets
from .model import VOCABULARY
from .package import encoder

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_NUMBERS = [encoder.SHAPES.index("digits"), encoder.SHAPES.index("alphanumeric")]
_NUMBER_TYPES = ["DATETIME", "CODE", "QUANTITY"]
_OFTEN = 0.05


@dataclass(frozen=True)
class Packed:
    """All examples end to end. The first five arrays have one entry per piece; `starts` has one entry
    per example and one more, the others one per example."""

    ids: NDArray[np.uint16]
    features: NDArray[np.uint8]
    entities: NDArray[np.uint8]  # numbers of sets of entity labels
    masks: NDArray[np.uint8]  # numbers of sets of mask labels
    tags: NDArray[np.uint8]  # 0 or 1 + the number of the tag
    starts: NDArray[np.int64]
    source: NDArray[np.uint8]
    annotator: NDArray[np.uint8]
    held: NDArray[np.bool_]
    entity_table: NDArray[np.bool_]  # (sets, labels)
    sources: NDArray[np.str_]
    annotators: NDArray[np.str_]

    def save(self, path: Path) -> None:
        buffer = io.BytesIO()
        np.savez(buffer, **{f.name: getattr(self, f.name) for f in fields(self)})
        path.write_bytes(lzma.compress(buffer.getvalue(), preset=6))

    @classmethod
    def load(cls, path: Path) -> Packed:
        with np.load(io.BytesIO(lzma.decompress(path.read_bytes()))) as arrays:
            return cls(**{f.name: arrays[f.name] for f in fields(cls)})


def folds(packed: Packed, count: int) -> NDArray[np.int64]:
    """A fold for each example, -1 for texts made by a program and for plain ones: no teacher errs by
    having learnt their labels by heart."""
    found = np.full(len(packed.source), -1)
    for number, source in enumerate(packed.sources):
        if source not in ("synthetic", "contrast", "written", "plain"):
            members = np.flatnonzero((packed.source == number) & ~packed.held)
            found[members] = np.arange(len(members)) % count
    return found


def pack(examples: Iterable[Example], tokenizer: Tokenizer) -> Packed:
    """Tokenises every example once and keeps what training needs of it."""
    sets = EntitySets()
    sources: dict[str, int] = {}
    annotators: dict[str, int] = {ANY_ANNOTATOR: 0}
    columns: list[tuple[NDArray[np.generic], ...]] = []
    rows: list[tuple[int, int, bool]] = []
    cut = [(example, encoder.split(tokenizer, example.text)) for example in examples]
    cut = [(example, pieces) for example, pieces in cut if len(pieces)]
    possible = possible_types(cut)
    for example, pieces in cut:
        found = targets(example, pieces, sets, possible)
        columns.append((pieces.ids, pieces.features, *found))
        rows.append(
            (
                sources.setdefault(example.source, len(sources)),
                annotators.setdefault(example.annotator, len(annotators)),
                example.held,
            )
        )
    lengths = [len(column[0]) for column in columns]
    ids, features, entities, masks, tags = (
        np.concatenate(part) for part in zip(*columns, strict=True)
    )
    source, annotator, held = zip(*rows, strict=True)
    return Packed(
        ids.astype(np.uint16),
        features.astype(np.uint8),
        entities.astype(np.uint8),
        masks.astype(np.uint8),
        tags.astype(np.uint8),
        np.concatenate([[0], np.cumsum(lengths)]),
        np.array(source, dtype=np.uint8),
        np.array(annotator, dtype=np.uint8),
        np.array(held, dtype=np.bool_),
        sets.table(),
        np.array(list(sources)),
        np.array(list(annotators)),
    )


def possible_types(cut: Iterable[tuple[Example, encoder.EncodedText]]) -> NDArray[np.bool_]:
    """(pieces of the vocabulary, types): whether a piece is often enough of a type."""
    inside = np.zeros((VOCABULARY, len(encoder.TYPES)))
    seen = np.zeros(VOCABULARY)
    for example, pieces in cut:
        if example.unannotated or example.held:
            continue
        np.add.at(seen, pieces.ids, 1)
        for mention in example.mentions:
            first, end = overlapping(pieces, mention.start, mention.end)
            np.add.at(inside[:, encoder.TYPES.index(mention.kinds[0])], pieces.ids[first:end], 1)
    return (inside >= 2) & (inside >= _OFTEN * seen[:, None])


def targets(
    example: Example,
    pieces: encoder.EncodedText,
    sets: EntitySets,
    possible: NDArray[np.bool_] | None = None,
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    """What is known of each piece, for the three heads."""
    open_ = np.zeros((len(pieces), len(encoder.TYPES)), dtype=np.bool_)
    if possible is not None and example.unannotated:
        number = np.isin(pieces.features % len(encoder.SHAPES), _NUMBERS)
        open_ = possible[pieces.ids] | (number[:, None] & np.isin(encoder.TYPES, _NUMBER_TYPES))
        open_ &= np.isin(encoder.TYPES, sorted(example.unannotated))
    kinds, which = np.unique(open_, axis=0, return_inverse=True)
    numbers = [sets.outside(np.array(encoder.TYPES)[row]) for row in kinds]
    entities = np.array(numbers, dtype=np.uint8)[which.ravel()]
    if not example.mentions and example.unannotated == frozenset(encoder.TYPES):
        entities[:] = UNKNOWN  # plain text
    if example.mask_outside == ORDINARY_NOT_MASKED:
        masks = np.where(open_.any(axis=1), UNKNOWN, NOT_MASKED).astype(np.uint8)
    else:
        masks = np.full(len(pieces), example.mask_outside, dtype=np.uint8)
    # The longest mention last, so that it wins where mentions overlap.
    for mention in sorted(example.mentions, key=lambda m: m.end - m.start):
        first, end = overlapping(pieces, mention.start, mention.end)
        if first == end:
            continue
        entities[first] = sets.inside(mention.kinds, first=True)
        entities[first + 1 : end] = sets.inside(mention.kinds, first=False)
        masks[first:end] = mention.mask
    tags = np.zeros(len(pieces), dtype=np.uint8)
    if example.tags:
        starts = np.array([start for start, _, _ in example.tags])
        # A piece has the tag of the word its first character belongs to.
        owner = np.searchsorted(starts, pieces.starts, side="right") - 1
        tags[:] = 1 + np.array([tag for _, _, tag in example.tags])[np.maximum(owner, 0)]
        tags[owner < 0] = UNKNOWN
    return entities, masks, tags


def overlapping(pieces: encoder.EncodedText, start: int, end: int) -> tuple[int, int]:
    """The pieces that share a character with a slice of the text: first, and one past the last."""
    first = int(np.searchsorted(pieces.ends, start, side="right"))
    last = int(np.searchsorted(pieces.starts, end, side="left"))
    return first, max(first, last)
