"""Examples 1 and 2 and Figure 4 of the ERASE paper."""

from __future__ import annotations

from itertools import combinations

import pytest

from sfumato.protect.ksafety import METHODS, Problem, is_safe, search

ENTITIES = {  # the first three are protected
    "p1": {"t1", "t2", "t3"},
    "p2": {"t2", "t4", "t5", "t6"},
    "p3": {"t1", "t4", "t7"},
    "e1": {"t1", "t2", "t4", "t7"},
    "e2": {"t3", "t5", "t6"},
    "e3": {"t2", "t7"},
    "e4": {"t1", "t2", "t3", "t5", "t6", "t7"},
}
DOCUMENT = ("t1", "t2", "t4", "t5", "t6", "t7")
OPTIMUM = ("t1", "t5", "t6", "t7")
FIGURE_4 = {
    "p1": [None, "t1", "t2", "", "t1 t2", "t1", ""],
    "p2": ["t4 t5 t6", None, "t2 t5 t6", "t5 t6", "t2 t4", "t4 t5 t6", "t4"],
    "p3": ["t4 t7", "t1 t7", None, "", "t1 t4 t7", "t1 t4", "t4"],
}


@pytest.fixture
def example() -> Problem:
    return Problem([sorted(c) for c in ENTITIES.values()], [0, 1, 2], DOCUMENT, k=2)


def blockers(protected: str) -> list[set[str] | None]:
    mine = ENTITIES[protected] & set(DOCUMENT)
    return [None if name == protected else mine - other for name, other in ENTITIES.items()]


def test_example_1_t2_t4_t7_is_not_safe(example: Problem) -> None:
    assert not is_safe(example, ["t2", "t4", "t7"])


def test_example_1_the_document_of_six_terms_is_not_safe(example: Problem) -> None:
    assert len(DOCUMENT) == 6
    assert not is_safe(example, DOCUMENT)


def test_example_1_t1_t5_t6_t7_is_the_only_optimum(example: Problem) -> None:
    assert is_safe(example, OPTIMUM)
    assert [c for c in combinations(DOCUMENT, 4) if is_safe(example, c)] == [OPTIMUM]
    assert not any(is_safe(example, c) for c in combinations(DOCUMENT, 5))


@pytest.mark.parametrize("method", ["auto", "exact", "levelwise", "best_first"])
def test_example_1_is_solved_with_its_proof(example: Problem, method: str) -> None:
    found = search(example, method)
    assert found.kept == OPTIMUM
    assert found.deleted == ("t2", "t4")
    assert found.proven
    assert found.bound == 4


def test_the_optimum_of_example_1_is_within_one_context_only() -> None:
    # So that asking for K+1 entities that hold the whole set would miss it.
    assert sum(set(OPTIMUM) <= context for context in ENTITIES.values()) == 1


@pytest.mark.parametrize("method", METHODS)
def test_example_1_is_made_safe_by_every_search(example: Problem, method: str) -> None:
    assert is_safe(example, search(example, method).kept)


@pytest.mark.parametrize("protected", FIGURE_4)
def test_figure_4_shows_the_blockers(protected: str) -> None:
    shown = [None if cell is None else set(cell.split()) for cell in FIGURE_4[protected]]
    assert blockers(protected) == shown


@pytest.mark.parametrize("size", range(7))
def test_example_2_safe_means_two_blockers_of_each_are_deleted(example: Problem, size: int) -> None:
    # Proposition 6.1, with blockers as a multiset.
    for deleted in combinations(DOCUMENT, size):
        covered = [
            sum(b is not None and b <= set(deleted) for b in blockers(protected))
            for protected in FIGURE_4
        ]
        kept = [term for term in DOCUMENT if term not in deleted]
        assert is_safe(example, kept) == (min(covered) >= 2)


def test_example_2_counts_the_blockers_that_both_deletions_cover() -> None:
    first = [b for b in blockers("p2") if b is not None and b <= {"t1", "t5", "t6"}]
    assert len(first) == 1
    for protected in FIGURE_4:
        second = [b for b in blockers(protected) if b is not None and b <= {"t2", "t4"}]
        assert len(second) >= 2
