"""Batches of pieces: which slices of which examples, in which order, and written in which way.

Slices of many examples share a row; each looks only at itself (`segment`). A long text is cut anew in
every pass, so that no cut is learnt.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from .pack import Packed
from .package import encoder

ROW = 384  # pieces
SHORTEST_CUT = 48  # a text is not cut into slices shorter than this
PADDING = -1  # the segment of padding

CASES = ("as written", "lower", "upper", "title", "at random")
CASE_CHANCE = (0.76, 0.12, 0.07, 0.02, 0.03)
BARE_CHANCE = 0.08  # of a slice without its punctuation


@dataclass(frozen=True)
class Batch:
    """All tensors are (rows, pieces). Labels are numbers of sets, 0 for padding."""

    ids: Tensor
    features: Tensor
    entities: Tensor
    masks: Tensor
    tags: Tensor
    annotator: Tensor
    segment: Tensor
    index: Tensor  # of each piece in the flat arrays; their length for padding

    @property
    def real(self) -> Tensor:
        return self.segment != PADDING

    @property
    def visible(self) -> Tensor:
        """(rows, 1, pieces, pieces): a piece sees the pieces of its own segment."""
        return (self.segment[:, :, None] == self.segment[:, None, :])[:, None]

    @property
    def positions(self) -> Tensor:
        """Counted from the start of each segment."""
        at = torch.arange(self.segment.shape[1], device=self.segment.device)
        changed = torch.ones_like(self.segment, dtype=torch.bool)
        changed[:, 1:] = self.segment[:, 1:] != self.segment[:, :-1]
        return at - torch.where(changed, at, 0).cummax(dim=1).values


@dataclass(frozen=True)
class Plan:
    """The slices of a whole training run, in order."""

    starts: NDArray[np.int64]  # into the flat arrays
    lengths: NDArray[np.int64]
    annotator: NDArray[np.uint8]

    @property
    def pieces(self) -> int:
        return int(self.lengths.sum())


def plan(
    packed: Packed,
    passes: Mapping[str, float],
    rng: np.random.Generator,
    shuffle: bool = True,
    held: bool = False,
    without: NDArray[np.bool_] | None = None,
) -> Plan:
    """Cuts every example of the named sources into slices, `passes` times, and shuffles them.

    A pass of 2.5 reads each example twice and half of them once more. `without` marks examples to
    leave out.
    """
    left_out = packed.held != held if without is None else (packed.held != held) | without
    starts, lengths, annotators = [], [], []
    for number, source in enumerate(packed.sources):
        wanted = passes.get(str(source), 0.0)
        members = np.flatnonzero((packed.source == number) & ~left_out)
        for turn in range(int(np.ceil(wanted))):
            share = min(1.0, wanted - turn)
            chosen = (
                members if share == 1 else rng.permutation(members)[: int(share * len(members))]
            )
            for example in chosen:
                begin, end = packed.starts[example], packed.starts[example + 1]
                for start, length in _cut(int(begin), int(end), rng if shuffle else None):
                    starts.append(start)
                    lengths.append(length)
                    annotators.append(packed.annotator[example])
    order = rng.permutation(len(starts)) if shuffle else np.arange(len(starts))
    return Plan(
        np.array(starts, dtype=np.int64)[order],
        np.array(lengths, dtype=np.int64)[order],
        np.array(annotators, dtype=np.uint8)[order],
    )


def _cut(begin: int, end: int, rng: np.random.Generator | None) -> Iterator[tuple[int, int]]:
    at = begin
    while at < end:
        length = ROW
        # The first cut falls anywhere; some slices are short, as some texts are.
        if rng is not None and end - begin > ROW and (at == begin or rng.random() < 0.2):
            length = int(rng.integers(SHORTEST_CUT, ROW + 1))
        length = min(length, end - at)
        if end - at - length < SHORTEST_CUT and end - at <= ROW:
            length = end - at
        yield at, length
        at += length


def overlapping_plan(packed: Packed, overlap: int, source: str = "") -> Plan:
    """Every example (of one source) once, in overlapping windows, the long ones first."""
    starts, lengths = [], []
    chosen = (packed.sources[packed.source] == source) | (not source)
    for begin, end in zip(
        packed.starts[:-1][chosen].tolist(), packed.starts[1:][chosen].tolist(), strict=True
    ):
        at = begin
        while at + ROW < end:
            starts.append(at)
            lengths.append(ROW)
            at += ROW - overlap
        starts.append(max(begin, end - ROW))
        lengths.append(end - starts[-1])
    order = np.argsort(-np.array(lengths), kind="stable")
    return Plan(
        np.array(starts, dtype=np.int64)[order],
        np.array(lengths, dtype=np.int64)[order],
        np.zeros(len(order), dtype=np.uint8),
    )


def rows(plan: Plan, cutting: bool = True) -> Iterator[list[tuple[int, int, int]]]:
    """Slices (start, length, annotator) that fill a row; long ones may go on in the next row."""
    row: list[tuple[int, int, int]] = []
    room = ROW
    for start, length, annotator in zip(
        plan.starts.tolist(), plan.lengths.tolist(), plan.annotator.tolist(), strict=True
    ):
        while length:
            taken = length
            if length > room:
                # Cut only what leaves two slices worth reading.
                cut = cutting and min(room, length - room) >= SHORTEST_CUT
                taken = room if cut else 0
            if taken:
                row.append((start, taken, annotator))
                start, length, room = start + taken, length - taken, room - taken
            if length or room == 0:
                yield row
                row, room = [], ROW
    if row:
        yield row


class Batches:
    """Batches on a device, put together in a thread of their own."""

    def __init__(self, packed: Packed, device: torch.device) -> None:
        self._device = device
        arrays = (packed.ids, packed.features, packed.entities, packed.masks, packed.tags)
        # One more entry at the end: padding.
        self._flat = [
            torch.from_numpy(np.append(array, 0).astype(np.int32)).to(device) for array in arrays
        ]
        self.padding = len(packed.ids)

    def of(self, plan: Plan, size: int, cutting: bool = True) -> Iterator[Batch]:
        """Batches of `size` rows, the last one perhaps smaller."""
        ready: queue.Queue[tuple[NDArray[np.int64], ...] | None] = queue.Queue(maxsize=8)
        stopped = threading.Event()

        def fill() -> None:
            pending: list[list[tuple[int, int, int]]] = []
            for row in rows(plan, cutting):
                if stopped.is_set():
                    return
                pending.append(row)
                if len(pending) == size:
                    ready.put(self._lay_out(pending))
                    pending = []
            if pending:
                ready.put(self._lay_out(pending))
            ready.put(None)

        worker = threading.Thread(target=fill, daemon=True)
        worker.start()
        try:
            while (laid_out := ready.get()) is not None:
                index, segment, annotator = (
                    torch.from_numpy(a).to(self._device, non_blocking=True) for a in laid_out
                )
                ids, features, entities, masks, tags = (flat[index] for flat in self._flat)
                yield Batch(ids, features, entities, masks, tags, annotator, segment, index)
        finally:
            stopped.set()
            while worker.is_alive():  # it may be waiting for room in the queue
                try:
                    ready.get(timeout=0.05)
                except queue.Empty:
                    continue

    def _lay_out(self, lines: list[list[tuple[int, int, int]]]) -> tuple[NDArray[np.int64], ...]:
        index = np.full((len(lines), ROW), self.padding, dtype=np.int64)
        segment = np.full((len(lines), ROW), PADDING, dtype=np.int64)
        annotator = np.zeros((len(lines), ROW), dtype=np.int64)
        for r, line in enumerate(lines):
            at = 0
            for s, (start, length, who) in enumerate(line):
                index[r, at : at + length] = np.arange(start, start + length)
                segment[r, at : at + length] = s
                annotator[r, at : at + length] = who
                at += length
        return index, segment, annotator


def _recased(**changes: str) -> NDArray[np.uint8]:
    shapes = np.arange(len(encoder.SHAPES))
    for old, new in changes.items():
        shapes[encoder.SHAPES.index(old)] = encoder.SHAPES.index(new)
    gaps = np.arange(len(encoder.GAPS))[:, None] * len(encoder.SHAPES)
    return (gaps + shapes).ravel().astype(np.uint8)


# What a feature becomes when the text is written in another case: the ids stay what they are.
LOWERED = _recased(upper="lower", title="lower", mixed="lower")
UPPERED = _recased(lower="upper", title="upper", mixed="upper")
TITLED = _recased(lower="title", upper="title", mixed="title")


class Rewriting:
    """Other ways to write the same slice: in another case, without punctuation.

    The tokenizer is uncased, so another case is another feature and nothing else.
    """

    def __init__(self, device: torch.device, seed: int, padding: int) -> None:
        self._padding = padding
        self._random = torch.Generator(device=device).manual_seed(seed)
        plain = np.arange(len(LOWERED))
        table = np.stack([plain, LOWERED, UPPERED, TITLED])
        self._recased = torch.from_numpy(table.astype(np.int64)).to(device)
        self._chance = torch.tensor(CASE_CHANCE, device=device)

    def __call__(self, batch: Batch) -> tuple[Batch, Tensor]:
        """The batch written anew, and for each of its pieces the place it had in its row before."""
        batch = replace(batch, features=self._recase(batch))
        return self._without_punctuation(batch)

    def _recase(self, batch: Batch) -> Tensor:
        case = self._per_segment(batch, self._chance)
        at_random = torch.randint(
            0, 3, batch.ids.shape, generator=self._random, device=batch.ids.device
        )
        case = torch.where(case == CASES.index("at random"), at_random, case)
        return self._recased[case, batch.features.long()].to(batch.features.dtype)

    def _without_punctuation(self, batch: Batch) -> tuple[Batch, Tensor]:
        chance = torch.tensor([1 - BARE_CHANCE, BARE_CHANCE], device=batch.ids.device)
        bare = self._per_segment(batch, chance) == 1
        shape, gap = batch.features % len(encoder.SHAPES), batch.features // len(encoder.SHAPES)
        glued = gap == encoder.GAPS.index("glued")
        glued_after = torch.zeros_like(glued)
        glued_after[:, :-1] = glued[:, 1:]
        # "18403/91" and "O'Neill" keep theirs: only punctuation at the edge of a word goes.
        dropped = (
            bare & (shape == encoder.SHAPES.index("other")) & ~(glued & glued_after) & batch.real
        )
        # What stood apart from the word before the punctuation still does.
        moved = torch.zeros_like(gap)
        moved[:, 1:] = torch.where(dropped[:, :-1], gap[:, :-1], 0)
        features = torch.maximum(gap, moved) * len(encoder.SHAPES) + shape
        gone = dropped | ~batch.real
        order = gone.to(torch.uint8).argsort(dim=1, stable=True)
        empty = gone.gather(1, order)

        def moved_up(values: Tensor, padding: int = 0) -> Tensor:
            return values.gather(1, order).masked_fill(empty, padding)

        return (
            Batch(
                moved_up(batch.ids),
                moved_up(features),
                moved_up(batch.entities),
                moved_up(batch.masks),
                moved_up(batch.tags),
                moved_up(batch.annotator),
                moved_up(batch.segment, PADDING),
                moved_up(batch.index, self._padding),
            ),
            order,
        )

    def _per_segment(self, batch: Batch, chance: Tensor) -> Tensor:
        """A number drawn for each segment of each row, at each of its pieces."""
        most = int(ROW)
        drawn = torch.multinomial(
            chance, batch.ids.shape[0] * most, replacement=True, generator=self._random
        )
        return drawn.view(-1, most).gather(1, batch.segment.clamp_min(0))
