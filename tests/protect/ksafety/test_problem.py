from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError, PolicyError
from sfumato.know.entities.contexts import restrict, transpose
from sfumato.protect.ksafety import Problem, is_safe
from sfumato.protect.ksafety.core import reduce
from tests.protect.ksafety.reference import Case, cases, safe


@given(cases(), st.data())
def test_is_safe_is_definition_3_1(case: Case, data: st.DataObject) -> None:
    kept = data.draw(
        st.lists(st.sampled_from(case.document), unique=True) if case.document else st.just([])
    )
    assert is_safe(case.problem(), kept) == safe(case, kept)


@given(cases())
def test_equal_contexts_are_one_class_with_a_count_the_empty_one_too(case: Case) -> None:
    problem = case.problem()
    whole = set(case.document)
    restricted = [frozenset(whole & set(context)) for context in case.contexts]
    assert sorted(problem.counts.tolist()) == sorted(restricted.count(c) for c in set(restricted))
    assert problem.counts.sum() == len(case.contexts)
    assert len(problem.protected) == len({restricted[p] for p in case.protected})


@given(cases())
def test_arrays_give_the_same_problem_as_lists(case: Case) -> None:
    place = {term: at for at, term in enumerate(case.document)}
    found = [sorted({place[t] for t in context if t in place}) for context in case.contexts]
    indptr = np.cumsum([0, *map(len, found)])
    indices = np.array([at for row in found for at in row], dtype=np.int32)
    made = Problem.from_arrays(
        indptr,
        indices,
        np.array(case.protected, dtype=np.int64),
        case.document,
        case.k,
        case.weights,
    )
    plain = case.problem()
    assert np.array_equal(made.rows, plain.rows)
    assert np.array_equal(made.counts, plain.counts)
    assert np.array_equal(made.protected, plain.protected)


def test_an_entity_databases_restricted_contexts_are_a_problem() -> None:
    indptr, indices = np.array([0, 2, 3, 4]), np.array([0, 1, 0, 1], dtype=np.int32)
    found = restrict([1, 0], *transpose(indptr, indices, 2), 3)
    problem = Problem.from_arrays(found.indptr, found.indices, [0], found.terms.tolist(), k=1)
    assert not is_safe(problem, [0, 1])
    assert is_safe(problem, [1])


@given(cases(), st.data())
def test_a_part_of_the_document_is_a_problem_of_its_own(case: Case, data: st.DataObject) -> None:
    at = sorted(
        data.draw(st.sets(st.sampled_from(range(len(case.document))))) if case.document else set()
    )
    part = case.problem().part(at)
    terms = [case.document[i] for i in at]
    assert part.document == tuple(terms)
    assert is_safe(part, terms) == safe(case, terms)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"contexts": []}, "0 entities are too few for K=1: .* fewer than 2"),
        ({"contexts": [["a"]], "protected": []}, "1 entities are too few"),
        ({"document": ["a", "b", "a"]}, "positions 0 and 2 are the same"),
        ({"protected": [2]}, "outside the 2 entities"),
        ({"protected": [-1]}, "outside the 2 entities"),
        ({"weights": [1.0]}, "1 weights for 2 terms"),
        ({"weights": [1.0, -2.0]}, "weight at position 1"),
        ({"weights": [float("nan"), 1.0]}, "weight at position 0"),
    ],
)
def test_bad_input_is_said_in_one_line_without_a_word_of_the_text(
    change: dict[str, object], message: str
) -> None:
    good: dict[str, object] = {
        "contexts": [["a"], ["b"]],
        "protected": [0],
        "document": ["a", "b"],
        "k": 1,
    }
    if change.get("contexts") == []:
        change = {**change, "protected": []}
    with pytest.raises(InputError, match=message) as caught:
        Problem(**{**good, **change})  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    assert not re.search(r"'[ab]'", str(caught.value))


@pytest.mark.parametrize("k", [0, -3, True, 1.5])
def test_k_must_be_a_whole_number_of_at_least_one(k: int) -> None:
    with pytest.raises(PolicyError, match="K must be"):
        Problem([["a"], ["b"]], [0], ["a"], k)


def test_positions_beyond_the_document_are_an_error() -> None:
    with pytest.raises(InputError, match="beyond the document"):
        Problem.from_arrays(np.array([0, 1, 1]), np.array([3]), [], ["a"], 1)


def test_a_term_that_the_document_does_not_have_cannot_be_kept() -> None:
    problem = Problem([["a"], ["b"]], [0], ["a"], 1)
    with pytest.raises(ValueError, match="does not have"):
        is_safe(problem, ["b"])


def test_a_term_in_exactly_k_entities_must_go() -> None:
    # K others are needed, so that the term must be in K+1 contexts.
    contexts = [["a", "b"], ["a", "b"], ["b"], []]
    core = reduce(Problem(contexts, [0], ["a", "b"], k=2))
    assert core.gone.tolist() == [0]
    assert len(core) == 0


def test_a_term_in_no_protected_context_is_never_looked_at() -> None:
    contexts = [["a", "b"], ["a"], ["b"], ["c"]]
    assert reduce(Problem(contexts, [0], ["c", "a", "b"], k=1)).terms.tolist() == [1, 2]


def test_only_the_largest_of_nested_protected_contexts_is_looked_at() -> None:
    contexts = [["a", "b", "c"], ["a", "b"], ["c"], ["c"], ["b"], ["a"]]
    core = reduce(Problem(contexts, [0, 1], ["a", "b", "c"], k=1))
    assert core.has.tolist() == [[True, True, True]]


def test_more_than_k_equal_entities_are_as_good_as_k_and_one() -> None:
    contexts = [["a", "b"], *[["a"]] * 50, *[["b"]] * 50, *[[]] * 50]
    core = reduce(Problem(contexts, [0], ["a", "b"], k=3))
    assert len(core.rows) == 1 + 4 + 4 + 4
