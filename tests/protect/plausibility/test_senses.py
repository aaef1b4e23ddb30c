"""A generalisation that is right in several senses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.protect.plausibility.senses import CommonTerm, common_term

BANK = [
    [
        ("bank", 1),
        ("institution", 20),
        ("organisation", 90),
        ("group", 300),
        ("thing", 5000),
        ("entity", 9000),
    ],
    [
        ("bank", 1),
        ("slope", 8),
        ("formation", 60),
        ("group", 300),
        ("thing", 5000),
        ("entity", 9000),
    ],
    [("bank", 1), ("row", 5), ("formation", 60), ("group", 300), ("thing", 5000), ("entity", 9000)],
    [("bank", 1), ("building", 400), ("structure", 700), ("thing", 5000), ("entity", 9000)],
]


def test_the_concept_above_most_senses_is_taken() -> None:
    assert common_term(BANK, 1) == CommonTerm("group", 300, 3 / 4)


def test_the_narrowest_of_those_that_cover_as_many_is_taken() -> None:
    assert common_term(BANK, 1, height=1.0) == CommonTerm("thing", 5000, 1.0)
    assert common_term(BANK[1:3], 1) == CommonTerm("formation", 60, 1.0)


def test_nothing_narrower_than_the_choice_is_taken() -> None:
    assert common_term(BANK[1:3], 3).volume >= 300


def test_the_choice_stays_where_nothing_covers_enough() -> None:
    assert common_term(BANK, 1, coverage=0.8) == CommonTerm("institution", 20, 1 / 4)
    assert common_term(BANK[:1], 2) == CommonTerm("organisation", 90, 1.0)
    assert common_term([BANK[0], BANK[3]], 1) == CommonTerm("institution", 20, 1 / 2)


def test_a_word_left_as_it_stands_stays() -> None:
    assert common_term(BANK, 0) == CommonTerm("bank", 1, 1.0)


@pytest.mark.parametrize(
    ("paths", "chosen", "settings"),
    [
        ([], 0, {}),
        (BANK, 9, {}),
        (BANK, -1, {}),
        (BANK, 1, {"coverage": 2.0}),
        (BANK, 1, {"height": -1.0}),
    ],
)
def test_what_makes_no_sense_is_refused(
    paths: list[object], chosen: int, settings: dict[str, float]
) -> None:
    with pytest.raises(InputError):
        common_term(paths, chosen, **settings)  # type: ignore[arg-type]


_PATHS = st.lists(
    st.lists(st.integers(1, 12), max_size=6, unique=True).map(
        lambda nodes: [(0, 1), *((n, n * 10) for n in sorted(nodes))]
    ),
    min_size=1,
    max_size=5,
)


@given(_PATHS, st.integers(0, 6), st.sampled_from([0.0, 0.5, 1.0]))
def test_the_text_hides_no_less_and_covers_what_it_says(
    paths: list[list[tuple[int, int]]], chosen: int, coverage: float
) -> None:
    chosen = min(chosen, len(paths[0]) - 1)
    node, volume = paths[0][chosen]
    found = common_term(paths, chosen, coverage=coverage)
    assert found.volume >= volume
    on = sum(found.node in {step for step, _ in path} for path in paths)
    assert found.coverage <= on / len(paths)
    assert found.node == node or (on >= 2 and found.coverage >= coverage)
