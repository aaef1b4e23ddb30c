"""Examples as flat arrays of pieces: small on disk, ready to be sliced into batches.

`prepare` needs the tokenizer and the data sets and writes one file; training needs only that file.
"""

from __future__ import annotations

import io
import lzma
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from .data import ANY_ANNOTATOR, ORDINARY_NOT_MASKED, Example
from .labels import NOT_MASKED, UNKNOWN, EntitySets
from .pieces import SHAPES, Pieces, split

_LOWER = SHAPES.index("lower")


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


def pack(examples: Iterable[Example], tokenizer: Tokenizer) -> Packed:
    """Tokenises every example once and keeps what training needs of it."""
    sets = EntitySets()
    sources: dict[str, int] = {}
    annotators: dict[str, int] = {ANY_ANNOTATOR: 0}
    columns: list[tuple[NDArray[np.generic], ...]] = []
    rows: list[tuple[int, int, bool]] = []
    for example in examples:
        pieces = split(tokenizer, example.text)
        if len(pieces) == 0:
            continue
        columns.append((pieces.ids, pieces.features, *targets(example, pieces, sets)))
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


def targets(
    example: Example, pieces: Pieces, sets: EntitySets
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    """What is known of each piece, for the three heads."""
    entities = np.full(len(pieces), sets.outside(example.unannotated), dtype=np.uint8)
    if example.mask_outside == ORDINARY_NOT_MASKED:
        lower = pieces.features % len(SHAPES) == _LOWER
        masks = np.where(lower, NOT_MASKED, UNKNOWN).astype(np.uint8)
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


def overlapping(pieces: Pieces, start: int, end: int) -> tuple[int, int]:
    """The pieces that share a character with a slice of the text: first, and one past the last."""
    first = int(np.searchsorted(pieces.ends, start, side="right"))
    last = int(np.searchsorted(pieces.starts, end, side="left"))
    return first, max(first, last)
