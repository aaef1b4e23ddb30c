"""Privacy beyond k: what a class tells about sensitive values and sensitive terms.

A person who is known to be in a class must not be known to have one value. *Distinct ℓ-diversity*:
at least ℓ values in each class. *Entropy ℓ-diversity*: the entropy of the values is at least log ℓ.
*t-closeness*: the values are spread in a class as in the whole table, up to a distance t (earth
mover's distance, ordered or equal ground distance). Each is a rule that partitioning keeps, and a
measure.

For *terms* the value is whether a person has the term, one question for each sensitive term: ℓ is
meant for a table's values, so there is one demand, `TermCloseness`: no sensitive term may be
commoner in a class than in the table by more than t, nor may all persons of a class have one (ℓ =
2), unless all persons of the table have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from sfumato.errors import PolicyError
from sfumato.protect.tables.classes import Classes
from sfumato.protect.tables.problem import Terms
from sfumato.protect.tables.segments import (
    Bools,
    Floats,
    Ints,
    distinct_pairs,
    entries_of,
    first_of_run,
)

TOLERANCE = 1e-9


@dataclass(frozen=True)
class Sensitive:
    """A sensitive column: one code for each person; codes of ordered values ascend with the value."""

    name: str
    codes: Ints  # shape (persons,), int64, 0 … values - 1

    @cached_property
    def values(self) -> int:
        return int(self.codes.max(initial=-1)) + 1

    def counted(self, order: Ints, starts: Ints) -> tuple[Ints, Ints, Floats]:
        """Each group with each of its values, ascending, and the share of its persons that have it."""
        sizes = np.diff(starts)
        every = np.repeat(np.arange(len(sizes)), sizes)
        group, value, many = distinct_pairs(every, self.codes[order], max(self.values, 1))
        return group, value, many / sizes[group]


def sensitive(name: str, values: Sequence[float] | Sequence[str]) -> Sensitive:
    """A sensitive column from its values, ordered as they sort.

    >>> sensitive("salary", [50, 10, 50]).codes.tolist()
    [1, 0, 1]
    """
    return Sensitive(name, np.unique(np.asarray(values), return_inverse=True)[1].astype(np.int64))


def distinct(column: Sensitive, order: Ints, starts: Ints) -> Floats:
    """The number of distinct values in each group."""
    group, _, _ = column.counted(order, starts)
    return np.bincount(group, minlength=len(starts) - 1).astype(np.float64)


def entropy(column: Sensitive, order: Ints, starts: Ints) -> Floats:
    """The effective number of values in each group: 2 to the power of their entropy in bits."""
    group, _, share = column.counted(order, starts)
    return np.asarray(np.exp2(-np.bincount(group, share * np.log2(share), len(starts) - 1)))


def distance(
    column: Sensitive, order: Ints, starts: Ints, ground: Literal["equal", "ordered"]
) -> Floats:
    """The earth mover's distance of each group's values from those of all persons, in [0, 1]. Values that a
    group does not have are summed between those that it has: there may be as many as persons."""
    group, value, share = column.counted(order, starts)
    groups, values = len(starts) - 1, column.values
    overall = np.bincount(column.codes, minlength=values) / max(len(column.codes), 1)
    if ground == "equal":
        own = np.bincount(group, np.abs(share - overall[value]) - overall[value], groups)
        return np.asarray((own + 1) / 2)
    below = np.append(0.0, np.cumsum(overall))  # the share of the first values
    sums = np.cumsum(below)
    first = first_of_run(group)
    last = np.append(first[1:], True)[: len(group)]
    held = np.cumsum(share) - share
    held -= held[np.maximum.accumulate(np.where(first, np.arange(len(group)), 0))]
    start = np.where(first, 1, np.append(0, value[:-1] + 1)[: len(group)])
    # up to each value of a group, and from its last one on
    group = np.append(group, group[last])
    held = np.append(held, np.ones(int(last.sum())))
    start, end = (
        np.append(start, value[last] + 1),
        np.append(value + 1, np.full(last.sum(), values)),
    )
    cut = np.clip(np.searchsorted(below, held, "right"), start, np.maximum(start, end))
    apart = held * (2 * cut - start - end) + sums[start - 1] + sums[end - 1] - 2 * sums[cut - 1]
    return np.asarray(
        np.bincount(group, np.where(start < end, apart, 0.0), groups) / max(values - 1, 1)
    )


@dataclass(frozen=True)
class DistinctDiversity:
    """At least `l` distinct values in each class."""

    column: Sensitive
    l: int  # noqa: E741

    def holds(self, order: Ints, starts: Ints) -> Bools:
        return distinct(self.column, order, starts) >= self.l

    def describe(self) -> str:
        return f"distinct {self.l}-diversity of {self.column.name}"


@dataclass(frozen=True)
class EntropyDiversity:
    """Entropy of at least log `l` in each class."""

    column: Sensitive
    l: float  # noqa: E741

    def holds(self, order: Ints, starts: Ints) -> Bools:
        return entropy(self.column, order, starts) >= self.l - TOLERANCE

    def describe(self) -> str:
        return f"entropy {self.l:g}-diversity of {self.column.name}"


@dataclass(frozen=True)
class Closeness:
    """Values of each class within `t` of the table's."""

    column: Sensitive
    t: float
    ground: Literal["equal", "ordered"] = "equal"

    def __post_init__(self) -> None:
        if not 0 <= self.t <= 1:
            raise PolicyError(f"t is {self.t}: t-closeness wants a number between 0 and 1")

    def holds(self, order: Ints, starts: Ints) -> Bools:
        return distance(self.column, order, starts, self.ground) <= self.t + TOLERANCE

    def describe(self) -> str:
        return f"{self.t:g}-closeness of {self.column.name}"


@dataclass(frozen=True)
class TermCloseness:
    """No sensitive term tells much about the persons of a class: see the module's text."""

    terms: Terms
    wanted: Ints  # shape (sensitive terms,), int64: their ids, ascending
    t: float = 1.0

    @cached_property
    def overall(self) -> Floats:
        count = np.bincount(self.terms.ids, minlength=max(self.terms.count, 1))[self.wanted]
        return np.asarray(count / (len(self.terms.indptr) - 1))

    def shares(self, order: Ints, starts: Ints) -> Floats:
        """The share of each group's persons who have each sensitive term: shape (groups, terms)."""
        sizes = np.diff(starts)
        places, person = entries_of(self.terms.indptr, order)
        ids = self.terms.ids[places]
        group = np.repeat(np.arange(len(sizes)), sizes)[person]
        if len(self.wanted) == 0:
            return np.zeros((len(sizes), 0))
        place = np.minimum(np.searchsorted(self.wanted, ids), len(self.wanted) - 1)
        hit = self.wanted[place] == ids
        cell = group[hit] * len(self.wanted) + place[hit]
        counts = np.bincount(cell, minlength=len(sizes) * len(self.wanted))
        return np.asarray(counts.reshape(len(sizes), len(self.wanted)) / sizes[:, None])

    def distance(self, order: Ints, starts: Ints) -> Floats:
        """The largest excess of a sensitive term in each group over the table."""
        return np.asarray((self.shares(order, starts) - self.overall).max(1, initial=0.0))

    def holds(self, order: Ints, starts: Ints) -> Bools:
        share = self.shares(order, starts)
        certain = ((share == 1) & (self.overall < 1)).any(1)
        close = (share - self.overall).max(1, initial=0.0) <= self.t + TOLERANCE
        return np.asarray(close & ~certain)

    def describe(self) -> str:
        return f"{self.t:g}-closeness of sensitive terms"


@dataclass(frozen=True)
class Diversity:
    """What the least protected class of a release has."""

    distinct: int
    entropy: float  # as an effective number of values
    equal_distance: float
    ordered_distance: float


def diversity(column: Sensitive, classes: Classes) -> Diversity:
    """ℓ and t of a release, over its worst class."""
    order, starts = classes.order, classes.starts
    return Diversity(
        int(distinct(column, order, starts).min()),
        float(entropy(column, order, starts).min()),
        float(distance(column, order, starts, "equal").max()),
        float(distance(column, order, starts, "ordered").max()),
    )
