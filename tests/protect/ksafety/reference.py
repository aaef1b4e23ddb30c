"""Definition 3.1 and best sets in the plainest way: every subset, every entity, Python sets."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from hypothesis import strategies as st

from sfumato.protect.ksafety import Problem


@dataclass(frozen=True)
class Case:
    contexts: list[list[int]]
    protected: list[int]
    document: list[int]
    k: int
    weights: list[float] | None = None

    def problem(self) -> Problem:
        return Problem(self.contexts, self.protected, self.document, self.k, self.weights)

    def worth(self, kept: Iterable[Hashable]) -> float:
        weights = self.weights or [1.0] * len(self.document)
        chosen = set(kept)
        return sum(w for t, w in zip(self.document, weights, strict=True) if t in chosen)

    def best(self) -> float:
        return max(self.worth(kept) for kept in subsets(self.document) if safe(self, kept))


def safe(case: Case, kept: Iterable[Hashable]) -> bool:
    left = set(kept)
    return all(
        sum(
            entity != mine and left & set(case.contexts[mine]) <= set(context)
            for entity, context in enumerate(case.contexts)
        )
        >= case.k
        for mine in case.protected
    )


def subsets(document: Sequence[int]) -> Iterable[tuple[int, ...]]:
    return chain.from_iterable(combinations(document, size) for size in range(len(document) + 1))


@st.composite
def cases(draw: st.DrawFn, terms: int = 8, entities: int = 10, k: int = 4) -> Case:
    """Small problems: duplicates among contexts, empty contexts, terms outside the document, all weights."""
    size = draw(st.integers(0, terms))
    universe = st.integers(0, size + 1)
    contexts = draw(st.lists(st.lists(universe, max_size=size + 2), min_size=2, max_size=entities))
    limit = min(k, len(contexts) - 1)
    return Case(
        contexts=contexts,
        protected=draw(st.lists(st.integers(0, len(contexts) - 1), max_size=5)),
        document=draw(st.permutations(range(size))),
        k=draw(st.integers(1, limit)),
        weights=draw(
            st.none()
            | st.lists(st.integers(0, 4).map(float), min_size=size, max_size=size)
            | st.lists(st.floats(0, 50), min_size=size, max_size=size)
        ),
    )
