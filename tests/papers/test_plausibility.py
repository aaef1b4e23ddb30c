"""Worked examples of Anandan et al., "t-Plausibility" (2012), with the trees of its Figure 2."""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np
import pytest

from sfumato.protect.plausibility.problem import Problem, entropy
from sfumato.protect.plausibility.search import search
from sfumato.protect.plausibility.senses import common_term


class Tree(NamedTuple):
    """A word's way up, and how many base values each concept may stand for."""

    names: tuple[str, ...]
    volumes: tuple[int, ...]


# Figure 2, the concepts whose volumes the text gives or uses.
PLACE = Tree(("Sacramento", "state capital", "capital"), (1, 4, 32))
DRUG = Tree(("marijuana", "controlled substance", "drug"), (1, 2, 6))
PAIN = Tree(("lumbar pain", "pain"), (1, 2))
CANCER = Tree(("liver cancer", "carcinoma"), (1, 2))
TREES = (PLACE, DRUG, PAIN, CANCER)
BASE_VALUES = {
    "controlled substance": ("morphine", "marijuana"),
    "pain": ("lumbar pain", "migraine"),
}

HEAVY = ("capital", "marijuana", "lumbar pain", "liver cancer")
EVEN = ("state capital", "drug", "pain", "carcinoma")


def problem(t: int, *, alpha: float = 0.5, uniform: bool = True) -> Problem:
    return Problem([tree.volumes for tree in TREES], t, alpha=alpha, uniform=uniform)


def levels(names: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(tree.names.index(name) for tree, name in zip(TREES, names, strict=True))


def test_example_1_two_words_of_two_base_values_give_four_texts() -> None:
    texts = list(itertools.product(*BASE_VALUES.values()))
    pair = Problem([DRUG.volumes, PAIN.volumes], t=4)
    chosen = (DRUG.names.index("controlled substance"), PAIN.names.index("pain"))
    assert pair.plausible_texts(chosen) == len(texts) == 4
    assert 2 ** -pair.entropy(chosen) == pytest.approx(1 / 4)  # P of each of them


def test_definition_2_the_sanitised_text_of_figure_1_is_96_plausible() -> None:
    assert problem(96).reaches(levels(EVEN))
    assert not problem(97).reaches(levels(EVEN))


@pytest.mark.parametrize("method", ["exact", "esearch_prune", "auto"])
def test_example_2_one_word_generalised_heavily_is_optimal_by_definition_3(method: str) -> None:
    plain = problem(32, uniform=False)
    found = search(plain, method)  # type: ignore[arg-type]
    assert found.proven
    assert found.plausible_texts == 32 == plain.plausible_texts(levels(HEAVY))
    assert plain.cost(levels(HEAVY)) == found.cost == 0


@pytest.mark.parametrize("method", ["exact", "uniform_esearch_prune", "auto", "top_down"])
def test_example_2_a_uniform_text_generalises_every_word(method: str) -> None:
    found = search(problem(32), method)  # type: ignore[arg-type]
    assert min(found.levels) >= 1
    assert found.cost < problem(32).cost(levels(EVEN)) < problem(32).cost(levels(HEAVY))


def test_example_3_senses_that_meet_give_a_common_term() -> None:
    doctor = [
        ("resident", 1),
        ("doctor", 6),
        ("medical practitioner", 9),
        ("person", 70),
        ("organism", 90),
    ]
    doctor += [("living thing", 95), ("object", 200), ("entity", 400)]
    dweller = [("resident", 1), ("inhabitant", 12), ("person", 70), ("organism", 90)]
    dweller += [("living thing", 95), ("object", 200), ("entity", 400)]
    found = common_term([doctor, dweller], chosen=1)
    assert (found.node, found.coverage) == ("person", 1.0)


def test_example_4_entropies() -> None:
    assert entropy(np.full(4, 1 / 4)) == 2
    assert problem(32).entropy(levels(EVEN)) == pytest.approx(math.log2(96))
    assert math.log2(96) == pytest.approx(6.6, abs=0.02)


def test_example_4_costs() -> None:
    # The paper rounds 2.34375 to 2.33; its 0.31 leaves out the global term.
    assert problem(32).cost(levels(HEAVY)) == pytest.approx(2.34375)
    assert problem(32, alpha=0.0).cost(levels(EVEN)) / 2 == pytest.approx(0.31, abs=0.01)
    assert problem(32).cost(levels(EVEN)) == pytest.approx(0.387, abs=0.0005)


def test_hardness_subset_product_is_an_instance() -> None:
    numbers = [6, 10, 15, 14, 35, 21]
    found = search(Problem([[1, n] for n in numbers], 6 * 35 * 10, uniform=False), "exact")
    assert found.plausible_texts == 2100
    missed = search(Problem([[1, n] for n in numbers], 2101, uniform=False), "exact")
    assert missed.plausible_texts > 2101
