"""K-safety as a problem about sets: which terms may stay so that no protected entity stands out.

Definition 3.1 of the ERASE paper: with the terms T left in a document, a protected entity ē is safe if at
least K *other* entities have all of C(ē) ∩ T in their contexts. T is K-safe if every protected entity is.
The problem is to find the K-safe part of a document that keeps most: most terms, or most information
where terms carry weights.

Entities are merged where the document does not tell them apart: equal contexts after restriction are one
*class* with a count, the empty context included. No entity is dropped, since one that shares little with a
protected entity is still one of its K others once enough terms are gone.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from sfumato.errors import InputError, PolicyError
from sfumato.protect.ksafety import bits, support
from sfumato.protect.ksafety.bits import Bools, Ints, Words

Floats = np.ndarray[Any, np.dtype[np.float64]]


class Problem:
    """Entities' contexts, the positions of the protected ones, a document's terms, and K.

    A term may be named twice in a context, but not in the document: that is an error, since a weight
    or an edit would then belong to one of two.

    >>> problem = Problem(contexts=[["a", "b"], ["a"], ["b"]], protected=[0], document=["a", "b"], k=1)
    >>> is_safe(problem, ["a"]), is_safe(problem, ["a", "b"])
    (True, False)
    """

    document: tuple[Hashable, ...]
    k: int
    entities: int
    weights: Floats  # shape (terms,): what each term is worth, 1 where nothing was said
    weighted: bool
    rows: Words  # shape (classes, words): distinct contexts, bit t = term t of the document
    counts: Ints  # shape (classes,): how many entities have this context
    protected: Ints  # shape (protected classes,): the classes with a protected entity, ascending

    def __init__(
        self,
        contexts: Iterable[Iterable[Hashable]],
        protected: Iterable[int],
        document: Sequence[Hashable],
        k: int = 10,
        weights: Sequence[float] | None = None,
    ) -> None:
        place = {term: at for at, term in enumerate(document)}
        lists = [[place[term] for term in context if term in place] for context in contexts]
        indptr = np.zeros(len(lists) + 1, dtype=np.int64)
        np.cumsum([len(found) for found in lists], out=indptr[1:])
        indices = np.array([at for found in lists for at in found], dtype=np.int64)
        self._set(indptr, indices, protected, document, k, weights)

    @classmethod
    def from_arrays(
        cls,
        indptr: Ints,
        indices: np.ndarray[Any, Any],
        protected: Iterable[int],
        document: Sequence[Hashable],
        k: int = 10,
        weights: Sequence[float] | None = None,
    ) -> Self:
        """The same from contexts as positions in the document, in CSR form: what an entity database's
        `restrict` gives. With `found = entities.restrict(ids)`:

            Problem.from_arrays(found.indptr, found.indices, entities.protected(), found.terms.tolist())
        """
        made = cls.__new__(cls)
        made._set(indptr, indices, protected, document, k, weights)
        return made

    def _set(
        self,
        indptr: Ints,
        indices: np.ndarray[Any, Any],
        protected: Iterable[int],
        document: Sequence[Hashable],
        k: int,
        weights: Sequence[float] | None,
    ) -> None:
        self.document = tuple(document)
        self.k = _checked_k(k)
        self.entities = len(indptr) - 1
        self.weighted = weights is not None
        self.weights = _checked_weights(weights, len(self.document))
        marked = _checked_protected(protected, self.entities)
        _check_document(self.document)
        if self.entities <= k:
            raise InputError(
                f"{self.entities} entities are too few for K={k}: no text can be K-safe with fewer than "
                f"{k + 1}; add entities or lower K"
            )
        if len(indices) and not 0 <= int(indices.min()) <= int(indices.max()) < len(self.document):
            raise InputError(
                "a context names a term beyond the document's; restrict contexts to its terms"
            )
        flags = np.zeros(self.entities, dtype=np.bool_)
        flags[marked] = True
        rows = bits.from_positions(indptr, indices, len(self.document))
        self._merge(rows, np.ones(self.entities, dtype=np.int64), flags)

    def _merge(self, rows: Words, counts: Ints, flags: Bools) -> None:
        """Sets the classes from contexts, how many entities have each, and whether one is protected."""
        # Entities without any term of the document are most of a large database: they need no sorting.
        empty = ~rows.any(axis=1)
        filled = np.flatnonzero(~empty)
        distinct, which = bits.merge(rows[filled])
        merged = np.bincount(which, weights=counts[filled], minlength=len(distinct))
        held = np.bincount(which, weights=flags[filled], minlength=len(distinct)) > 0
        if len(filled) < len(rows):
            distinct = np.concatenate([distinct, np.zeros((1, rows.shape[1]), dtype=np.uint64)])
            merged = np.append(merged, counts[empty].sum())
            held = np.append(held, flags[empty].any())
        self.rows, self.counts = distinct, merged.astype(np.int64)
        self.protected = np.flatnonzero(held)

    def part(self, at: Sequence[int]) -> Problem:
        """The problem of a document that has only the terms at these positions, ascending."""
        made = Problem.__new__(Problem)
        made.document = tuple(self.document[i] for i in at)
        made.k, made.entities, made.weighted = self.k, self.entities, self.weighted
        made.weights = self.weights[list(at)]
        flags = np.zeros(len(self.rows), dtype=np.bool_)
        flags[self.protected] = True
        made._merge(bits.transpose(self.columns[list(at)], len(self.rows)), self.counts, flags)
        return made

    @cached_property
    def columns(self) -> Words:
        """Shape (terms, words): for each term of the document the classes that have it."""
        return bits.transpose(self.rows, len(self.document))

    def enough_hold(self, masks: Words) -> Bools:
        """Whether more than K entities have all terms of each mask; `masks` has shape (masks, words)."""
        found = np.ones(len(masks), dtype=np.bool_)  # every entity has no terms at all
        some = np.flatnonzero(masks.any(axis=1))
        found[some] = support.enough_hold(
            self.rows, self.columns, masks[some], self.k + 1, self.counts
        )
        return found

    def mask(self, kept: Collection[Hashable]) -> Words:
        """Terms of the document as a set, shape (words,); a term that is not in it is an error."""
        chosen = set(kept)
        flags = np.array([term in chosen for term in self.document], dtype=np.bool_)
        if int(flags.sum()) != len(chosen):
            raise ValueError("a term that the document does not have")
        mask: Words = bits.from_bools(flags[None])[0]
        return mask

    def solution(self, deleted: Collection[int], bound: float | None = None) -> Solution:
        """The solution that deletes the terms at these positions; `bound` is on the information kept,
        none means that nothing was proven."""
        whole = range(len(self.document))
        gone = set(deleted)
        kept = tuple(at for at in whole if at not in gone)
        value = self.value(kept)
        limit = self.value(whole) if bound is None else max(bound, value)
        return Solution(
            kept=tuple(self.document[at] for at in kept),
            deleted=tuple(self.document[at] for at in whole if at in gone),
            proven=limit - value <= tolerance(self.weights),
            bound=limit,
            value=value,
        )

    def value(self, at: Iterable[int]) -> float:
        """The information of the terms at these positions: their number if terms carry no weights."""
        return float(self.weights[list(at)].sum())


@dataclass(frozen=True, slots=True)
class Solution:
    """What stays and what goes, both in the document's order.

    No K-safe part of the document keeps more information than `bound`; `proven` says that this one
    keeps as much. Information is the sum of weights, or the number of terms where there are none.
    """

    kept: tuple[Hashable, ...]
    deleted: tuple[Hashable, ...]
    proven: bool
    bound: float
    value: float


def is_safe(problem: Problem, kept: Collection[Hashable]) -> bool:
    """Whether the terms `kept` of the document are K-safe, straight by Definition 3.1."""
    masks = problem.rows[problem.protected] & problem.mask(kept)
    return bool(problem.enough_hold(bits.merge(masks)[0]).all())


def tolerance(weights: Floats) -> float:
    """Differences of information that are rounding."""
    return 1e-9 * max(1.0, float(weights.sum()))


def _checked_k(k: int) -> int:
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise PolicyError("K must be a whole number of at least 1")
    return int(k)


def _checked_weights(weights: Sequence[float] | None, size: int) -> Floats:
    if weights is None:
        return np.ones(size)
    made = np.asarray(weights, dtype=np.float64)
    if made.shape != (size,):
        raise InputError(
            f"{made.size} weights for {size} terms of the document; give one for each term"
        )
    bad = np.flatnonzero(~(np.isfinite(made) & (made >= 0)))
    if len(bad):
        raise InputError(f"the weight at position {bad[0]} is negative or not a number")
    return made


def _checked_protected(protected: Iterable[int], entities: int) -> Ints:
    marked = np.asarray(
        protected if isinstance(protected, np.ndarray) else list(protected), dtype=np.int64
    )
    if len(marked) and not 0 <= int(marked.min()) <= int(marked.max()) < entities:
        raise InputError(
            f"a protected entity is outside the {entities} entities; positions count from 0"
        )
    return marked


def _check_document(document: tuple[Hashable, ...]) -> None:
    first: dict[Hashable, int] = {}
    for at, term in enumerate(document):
        if first.setdefault(term, at) != at:
            raise InputError(
                f"the document's terms at positions {first[term]} and {at} are the same; "
                "give each term once"
            )
