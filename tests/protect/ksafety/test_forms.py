from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.protect.ksafety import Problem, forms, generalise, is_safe, methods, search
from tests.protect.ksafety.reference import Case, safe


@dataclass(frozen=True)
class Ladders:
    case: Case
    groups: list[int]

    def first(self) -> list[int]:
        return sorted({group: at for at, group in reversed(list(enumerate(self.groups)))}.values())

    def best(self) -> float:
        by_group: dict[int, list[int | None]] = {}
        for form, group in enumerate(self.groups):
            by_group.setdefault(group, [None]).append(form)
        picks = ([f for f in pick if f is not None] for pick in product(*by_group.values()))
        return max(self.case.worth(pick) for pick in picks if safe(self.case, pick))


@st.composite
def ladders(draw: st.DrawFn) -> Ladders:
    """Up to four terms, each with up to two steps above it that more entities have and that tell less."""
    entities = draw(st.integers(2, 9))
    contexts: list[list[int]] = [[] for _ in range(entities)]
    groups: list[int] = []
    weights: list[float] = []
    some = st.sets(st.integers(0, entities - 1))
    for group in range(draw(st.integers(0, 4))):
        having: set[int] = set()
        weight = draw(st.floats(0, 9))
        for _ in range(draw(st.integers(1, 3))):
            having |= draw(some)
            for entity in having:
                contexts[entity].append(len(groups))
            groups.append(group)
            weights.append(weight)
            weight *= draw(st.floats(0, 1))
    protected = sorted(draw(some))
    k = draw(st.integers(1, min(3, entities - 1)))
    return Ladders(Case(contexts, protected, list(range(len(groups))), k, weights), groups)


@given(ladders())
def test_the_best_choice_of_forms_is_found_on_small_problems(made: Ladders) -> None:
    found = generalise(made.case.problem(), made.groups)
    assert found.proven
    assert found.value == pytest.approx(made.best(), abs=1e-6)


@given(ladders(), st.integers(0, 3), st.integers(0, 5))
def test_whatever_the_budget_it_is_safe_and_never_worse_than_deletion(
    made: Ladders, nodes: int, trials: int
) -> None:
    problem = made.case.problem()
    found = generalise(problem, made.groups, trials=trials, nodes=nodes)
    assert safe(made.case, found.kept)
    kept = [form for form in found.kept if isinstance(form, int)]
    assert len({made.groups[form] for form in kept}) == len(found.kept)
    alone = search(problem.part(made.first()))
    assert alone.value - 1e-9 <= found.value <= made.best() + 1e-6 <= found.bound + 2e-6


def large(seed: int) -> tuple[Problem, list[int]]:
    """Thirty terms of families of entities, each with one step above it that two terms share."""
    random = np.random.default_rng(seed)
    contexts = []
    for _ in range(20):
        base = random.choice(30, 8, replace=False)
        for _ in range(8):
            terms = np.union1d(base, random.choice(30, 7, replace=False))
            contexts.append([*terms.tolist(), *(30 + term // 2 for term in terms.tolist())])
    document = list(range(30)) + [("up", term) for term in range(30)]
    lists = [
        [*(t for t in c if t < 30), *(("up", t) for t in range(30) if 30 + t // 2 in c)]
        for c in contexts
    ]
    weights = [3.0] * 30 + [1.0] * 30
    protected = random.choice(160, 25, replace=False).tolist()
    return Problem(lists, protected, document, 3, weights), [*range(30), *range(30)]


@pytest.mark.parametrize("table", [methods.TABLE, 0])
def test_steps_up_the_ladder_keep_more_than_deletion(
    table: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forms, "TABLE", table)
    problem, groups = large(0)
    alone = search(problem.part(range(30)))
    found = generalise(problem, groups, nodes=200)
    assert is_safe(problem, found.kept)
    assert found.value > alone.value
    assert any(isinstance(form, tuple) for form in found.kept)
    assert found.value <= found.bound


def test_large_problems_start_from_conflicts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "DENSE", 0)
    problem, groups = large(1)
    found = generalise(problem, groups, trials=5, nodes=0)
    assert is_safe(problem, found.kept)
    assert found.value >= search(problem.part(range(30))).value


def test_a_form_that_is_free_beats_one_at_risk() -> None:
    # "virus" is in no protected context and tells as much as the term itself.
    contexts = [["flu", "cough"], ["cough"], ["flu"], ["virus"]]
    problem = Problem(contexts, [0], ["flu", "virus", "cough"], k=1, weights=[2.0, 2.0, 1.0])
    assert generalise(problem, [0, 0, 1]).kept == ("virus", "cough")


def test_groups_must_fit_the_document() -> None:
    problem = Problem([["a"], []], [0], ["a"], k=1)
    for groups in ([], [0, 0], [-1]):
        with pytest.raises(InputError, match="give each form its group"):
            generalise(problem, groups)
