"""What a source says, and what it leaves unsaid, about the labels of the three heads.

A source rarely annotates everything. What is known of a piece of text is therefore a *set* of labels
that may be right: one label where the source is sure, several where it cannot tell. Training asks for
the probability of the set (see `train.set_loss`). Sets are stored as small numbers.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .package import encoder

UNKNOWN = 0  # the set of all labels, in every table

# Sets of the mask head: bit masks would do, but five numbers are all there are.
MASK_SETS = {
    frozenset(encoder.MASK): UNKNOWN,
    frozenset({"NO_MASK"}): 1,
    frozenset({"QUASI"}): 2,
    frozenset({"DIRECT"}): 3,
    frozenset({"QUASI", "DIRECT"}): 4,
}
NOT_MASKED = MASK_SETS[frozenset({"NO_MASK"})]
DIRECT = MASK_SETS[frozenset({"DIRECT"})]
MASKED = MASK_SETS[frozenset({"QUASI", "DIRECT"})]


class EntitySets:
    """Numbers for the sets of entity labels that the sources use; 0 is the set of all."""

    def __init__(self) -> None:
        self._numbers: dict[frozenset[int], int] = {frozenset(range(len(encoder.ENTITY))): UNKNOWN}

    def outside(self, unannotated: Iterable[str]) -> int:
        """Not one of the types the source annotates: outside, or any type it does not annotate."""
        return self._number({0, *(i for kind in unannotated for i in _labels(kind))})

    def inside(self, kinds: Iterable[str], first: bool) -> int:
        """A piece of a mention that may be of any of `kinds` (`O` among them: perhaps none)."""
        numbers = {0 if k == encoder.OUTSIDE else _labels(k)[0 if first else 1] for k in kinds}
        return self._number(numbers)

    def table(self) -> NDArray[np.bool_]:
        """Which labels each set allows: (sets, labels)."""
        table = np.zeros((len(self._numbers), len(encoder.ENTITY)), dtype=np.bool_)
        for labels, number in self._numbers.items():
            table[number, sorted(labels)] = True
        return table

    def _number(self, labels: Iterable[int]) -> int:
        number = self._numbers.setdefault(frozenset(labels), len(self._numbers))
        if number > 255:
            raise ValueError("more than 256 sets of entity labels")
        return number


def mask_table() -> NDArray[np.bool_]:
    """Which mask labels each set allows: (sets, labels)."""
    table = np.zeros((len(MASK_SETS), len(encoder.MASK)), dtype=np.bool_)
    for labels, number in MASK_SETS.items():
        table[number] = [m in labels for m in encoder.MASK]
    return table


def pos_table() -> NDArray[np.bool_]:
    """Which tags each set allows: unknown, then one set for each tag."""
    return np.vstack(
        [np.ones(len(encoder.POS), dtype=np.bool_), np.eye(len(encoder.POS), dtype=np.bool_)]
    )


def _labels(kind: str) -> tuple[int, int]:
    return encoder.ENTITY.index(f"B-{kind}"), encoder.ENTITY.index(f"I-{kind}")
