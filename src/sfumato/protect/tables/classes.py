"""Equivalence classes: what every partitioning strategy returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from sfumato.protect.tables.segments import Ints, starts_of


@dataclass(frozen=True)
class Classes:
    """Which persons are to become indistinguishable.

    Classes are numbered by their first person, so equal partitions have equal labels.
    """

    labels: Ints  # shape (persons,), int64
    splits: Mapping[str, int] = field(default_factory=dict)  # by column or type that was cut
    relational_splits: int = 0
    textual_splits: int = 0

    @cached_property
    def sizes(self) -> Ints:
        """Persons in each class: shape (classes,), int64."""
        return np.bincount(self.labels)

    @cached_property
    def order(self) -> Ints:
        """Persons sorted by class, then by number: shape (persons,), int64."""
        return np.argsort(self.labels, kind="stable")

    @cached_property
    def starts(self) -> Ints:
        """Where each class begins in `order`, and the end: shape (classes + 1,), int64."""
        return starts_of(self.sizes)

    @property
    def count(self) -> int:
        return len(self.sizes)

    def members(self, number: int) -> Ints:
        """The persons of one class, ascending."""
        return self.order[self.starts[number] : self.starts[number + 1]]


@dataclass(frozen=True)
class ClassStatistics:
    """How many classes there are, and how large (section 4.3.1)."""

    count: int
    mean: float
    deviation: float
    smallest: int
    largest: int
    relational_splits: int
    textual_splits: int


def numbered(labels: Ints) -> Ints:
    """The same partition with classes numbered by their first person.

    >>> numbered(np.array([7, 3, 7, 0])).tolist()
    [0, 1, 0, 2]
    """
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    return rank[inverse]


def statistics(classes: Classes) -> ClassStatistics:
    """Count, mean size and deviation of classes, and the splits by kind.

    >>> statistics(Classes(np.array([0, 0, 1, 1, 1, 1]))).deviation
    1.0
    """
    sizes = classes.sizes
    return ClassStatistics(
        classes.count,
        float(sizes.mean()),
        float(sizes.std()),
        int(sizes.min()),
        int(sizes.max()),
        classes.relational_splits,
        classes.textual_splits,
    )
