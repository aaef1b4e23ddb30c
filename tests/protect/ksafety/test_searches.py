from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import PolicyError
from sfumato.protect.ksafety import METHODS, Problem, Solution, is_safe, search
from sfumato.protect.ksafety import methods as methods_module
from sfumato.protect.ksafety.best_first import best_first, suffix_bounds
from sfumato.protect.ksafety.conflicts import conflicts, readd_lean
from sfumato.protect.ksafety.core import reduce
from sfumato.protect.ksafety.exact import exact
from sfumato.protect.ksafety.greedy import btop
from sfumato.protect.ksafety.improve import exchange, readd
from sfumato.protect.ksafety.seeds import best_seed
from tests.protect.ksafety.reference import Case, cases, safe

OPTIMAL = ("auto", "exact", "levelwise", "best_first")


def close(value: float, other: float) -> bool:
    return abs(value - other) < 1e-6


def families(seed: int, size: int = 30, k: int = 4) -> Problem:
    """Entities in families that share half of their terms, as in section 7 but fewer."""
    random = np.random.default_rng(seed)
    contexts = []
    for _ in range(20):
        base = random.choice(60, 15, replace=False)
        for _ in range(10):
            own = random.choice(60, 15, replace=False)
            contexts.append(np.union1d(base, own).tolist())
    document = random.choice(60, size, replace=False).tolist()
    return Problem(contexts, random.choice(200, 30, replace=False).tolist(), document, k)


@given(cases(), st.sampled_from(sorted(METHODS)))
def test_every_search_gives_a_k_safe_part_of_the_document(case: Case, method: str) -> None:
    found = search(case.problem(), method)
    assert safe(case, found.kept)
    assert is_safe(case.problem(), found.kept)
    assert [t for t in case.document if t in found.kept] == list(found.kept)
    assert [t for t in case.document if t not in found.kept] == list(found.deleted)
    assert close(found.value, case.worth(found.kept))


@given(cases(), st.sampled_from(OPTIMAL))
def test_exact_searches_find_what_brute_force_finds(case: Case, method: str) -> None:
    found = search(case.problem(), method)
    assert found.proven
    assert close(found.value, case.best())
    assert close(found.bound, found.value)


@given(cases(), st.sampled_from(sorted(METHODS)), st.integers(0, 3))
def test_no_bound_is_beaten_whatever_the_budget(case: Case, method: str, budget: int) -> None:
    found = search(case.problem(), method, budget)
    best = case.best()
    assert safe(case, found.kept)
    assert found.value <= best + 1e-6
    assert found.bound >= best - 1e-6
    assert not found.proven or close(found.value, best)


@given(cases())
def test_fast_btop_deletes_what_naive_btop_deletes(case: Case) -> None:
    assert search(case.problem(), "btop") == search(case.problem(), "btop_naive")


@given(cases())
def test_nothing_can_come_back_after_readding(case: Case) -> None:
    core = reduce(case.problem())
    nothing = np.zeros(len(core), dtype=np.bool_)
    for kept in (readd(core, nothing), readd_lean(core, nothing)):
        assert core.is_safe(kept)
        for term in np.flatnonzero(~kept).tolist():
            assert not core.is_safe(kept | (np.arange(len(core)) == term))


@given(cases(), st.integers(1, 8))
def test_window_bounds_hold_for_every_suffix(case: Case, width: int) -> None:
    core = reduce(case.problem())
    if not len(core):
        return
    bounds = suffix_bounds(core, min(width, len(core)))
    for start in range(len(core) + 1):
        kept = np.zeros(len(core), dtype=np.bool_)
        rest = np.arange(start, len(core))
        best = 0.0
        for mask in range(1 << len(rest)):
            kept[:] = False
            kept[rest[[mask >> i & 1 == 1 for i in range(len(rest))]]] = True
            if core.is_safe(kept):
                best = max(best, core.value(kept))
        assert bounds[start] >= best - 1e-9
        if len(core) - start <= width:
            assert close(bounds[start], best)


@given(cases())
def test_both_bounds_of_best_first_lead_to_the_optimum(case: Case) -> None:
    core = reduce(case.problem())
    naive, bound, _ = best_first(core, width=0)
    assert close(core.value(naive), core.value(best_first(core)[0]))
    assert close(core.value(naive), bound)


@pytest.mark.parametrize("seed", range(4))
def test_exact_agrees_with_best_first_on_larger_documents(seed: int) -> None:
    problem = families(seed, size=18)
    found = search(problem, "exact")
    other = search(problem, "best_first")
    assert found.proven
    assert other.proven
    assert found.value == other.value


SEEDS = [3, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3))]


@pytest.mark.parametrize("seed", SEEDS)
def test_no_search_beats_the_proven_optimum(seed: int) -> None:
    problem = families(seed, size=24)
    best = search(problem, "exact")
    assert best.proven
    for method in set(METHODS) - {"levelwise"}:
        found = search(problem, method)
        assert is_safe(problem, found.kept)
        assert found.value <= best.value <= found.bound


@pytest.mark.parametrize("seed", range(3))
def test_exact_with_weights_is_at_least_as_good_as_every_other_search(seed: int) -> None:
    plain = families(seed, size=20)
    weights = np.random.default_rng(seed).uniform(0, 9, 20)
    problem = plain.part(range(20))
    problem.weights, problem.weighted = weights, True
    best = search(problem, "exact")
    assert best.proven
    assert best.value == pytest.approx(search(problem, "best_first").value)
    for method in set(METHODS) - {"levelwise"}:
        assert search(problem, method).value <= best.value + 1e-9


def test_weights_decide_what_goes() -> None:
    contexts = [["a", "b", "c"], ["a"], ["b", "c"]]
    few = search(Problem(contexts, [0], ["a", "b", "c"], k=1))
    assert few.deleted == ("a",)
    heavy = search(Problem(contexts, [0], ["a", "b", "c"], k=1, weights=[5.0, 1.0, 1.0]))
    assert heavy.deleted == ("b", "c")
    assert heavy.value == 5.0


def test_a_document_that_is_safe_is_left_alone() -> None:
    contexts = [["a", "b"], ["a", "b", "c"], ["b"]]
    for method in METHODS:
        found = search(Problem(contexts, [0], ["b", "a", "x"], k=1), method)
        assert found == Solution(("b", "a", "x"), (), proven=True, bound=3.0, value=3.0)


def test_nothing_protected_means_nothing_deleted() -> None:
    assert search(Problem([["a"], []], [], ["a"], k=1)).kept == ("a",)


def test_an_empty_document_is_safe() -> None:
    assert search(Problem([["a"], []], [0], [], k=1)).kept == ()


def test_two_entities_with_the_same_blocker_count_twice() -> None:
    # The blockers of the first context are {b}, {b}: as a set only one, and K=2 could not be had.
    found = search(Problem([["a", "b"], ["a"], ["a"]], [0], ["a", "b"], k=2))
    assert found.kept == ("a",)
    assert found.proven


def test_entities_with_a_single_term_are_not_dropped() -> None:
    found = search(Problem([["a", "b"], ["a"], ["b"]], [0], ["a", "b"], k=1))
    assert len(found.kept) == 1
    assert found.proven


def test_entities_with_none_of_the_terms_are_not_dropped() -> None:
    contexts = [["a", "b"], ["a"], ["b"], []]
    assert search(Problem(contexts, [0], ["a", "b"], k=3)).kept == ()


def test_btop_is_repaired_by_support_seeds() -> None:
    problem = families(3, size=50, k=5)
    greedy = search(problem, "btop").value
    assert search(problem, "support_seeds").value > greedy
    assert search(problem).value >= search(problem, "support_seeds").value


def test_exchanges_never_lose_and_stay_safe() -> None:
    for seed in range(3):
        core = reduce(families(seed, size=40, k=3))
        start = readd(core, np.zeros(len(core), dtype=np.bool_))
        better = exchange(core, start, steps=12, work=2_000)
        assert core.is_safe(better)
        assert core.value(better) >= core.value(start)


def test_an_exchange_brings_two_in_for_one() -> None:
    # {a} and {b, c} cannot be told from others, {a, b} and {a, c} can.
    contexts = [["a", "b", "c"], ["a"], ["b", "c"]]
    core = reduce(Problem(contexts, [0], ["a", "b", "c"], k=1))
    start = np.array([True, False, False])
    assert exchange(core, start, steps=1, work=100).tolist() == [False, True, True]


def test_a_budget_of_none_leaves_the_bound_and_no_proof() -> None:
    found = search(families(0, size=40), "exact", budget=0)
    assert not found.proven
    assert found.value < found.bound < 40


def test_btop_gives_up_when_it_would_take_too_long() -> None:
    core = reduce(families(0))
    assert btop(core, work=1) is None
    assert btop(core, work=len(core.protected)) is None


def test_exact_improves_a_bad_start() -> None:
    core = reduce(families(1, size=16))
    proof = exact(core, np.zeros(len(core), dtype=np.bool_), nodes=5_000)
    assert core.value(proof.kept) == core.value(best_first(core)[0])
    assert core.is_safe(proof.kept)


def test_large_problems_are_solved_without_a_table_of_blockers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(methods_module, "DENSE", 0)
    for seed in range(3):
        problem = families(seed)
        found = search(problem)
        assert is_safe(problem, found.kept)
        assert found.value >= search(problem, "conflicts").value
        core = reduce(problem)
        assert core.is_safe(conflicts(core))


def test_the_same_problem_has_the_same_solution_every_time() -> None:
    for method in set(METHODS) - {"levelwise"}:
        assert search(families(5), method, budget=40) == search(families(5), method, budget=40)


def test_seeds_are_found_with_little_work_too() -> None:
    core = reduce(families(2))
    assert core.is_safe(best_seed(core, seeds=2, work=1))


def test_an_unknown_search_is_an_error_that_names_those_there_are() -> None:
    problem = Problem([["a"], []], [0], ["a"], k=1)
    with pytest.raises(PolicyError, match="there are auto, exact"):
        search(problem, "guess")
    with pytest.raises(PolicyError, match="must not be negative"):
        search(problem, budget=-1)


def test_a_table_that_is_too_large_is_refused_before_it_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(methods_module, "TOO_LARGE", 10)
    with pytest.raises(PolicyError, match="take auto or conflicts"):
        search(families(0), "btop")
    assert is_safe(families(0), search(families(0), "conflicts").kept)
