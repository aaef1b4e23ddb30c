"""Places: senses by population, ladders through region, country and continent."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.know.taxonomy import places
from sfumato.know.taxonomy.ladder import Sense

WORLD = places.default()
NUMBERS = st.integers(0, len(WORLD) - 1)


def ladder(term: str, number: int = 0) -> list[str]:
    return [s.term for s in WORLD.climb(WORLD.senses(term)[number])]


@pytest.mark.parametrize(
    ("city", "around"),
    [
        ("Sacramento", ["California", "United States", "North America", "place"]),
        ("Munich", ["Bavaria", "Germany", "Europe", "place"]),
        ("Osaka", ["Japan", "Asia", "place"]),
        ("Toronto", ["Ontario", "Canada", "North America", "place"]),
        ("Mumbai", ["Maharashtra", "India", "Asia", "place"]),
        ("Glasgow", ["Scotland", "United Kingdom", "Europe", "place"]),
        ("Texas", ["United States", "North America", "place"]),
        ("France", ["Europe", "place"]),
    ],
)
def test_places_climb_to_the_world(city: str, around: list[str]) -> None:
    assert ladder(city)[1:] == around


def test_senses_are_ordered_by_population() -> None:
    paris = WORLD.senses("Paris")
    assert [WORLD.describe(s) for s in paris[:2]] == [
        "city in Île-de-France, France",
        "city in Texas, United States",
    ]
    assert WORLD.probability(paris[0]) > 0.9
    assert sum(WORLD.probability(s) for s in paris) == pytest.approx(1)
    assert [s.frequency for s in paris] == sorted((s.frequency for s in paris), reverse=True)


def test_a_place_can_be_named_with_what_it_lies_in() -> None:
    assert ladder("Paris, Texas")[1] == "Texas"
    assert ladder("Paris, Texas, USA")[1] == "Texas"
    assert WORLD.senses("Paris, Ohio, France") == []


@pytest.mark.parametrize(
    ("said", "same"),
    [
        ("München", "Munich"),
        ("Zurich", "Zürich"),
        ("UK", "United Kingdom"),
        ("SAO PAULO", "São Paulo"),
    ],
)
def test_other_names_and_spellings_are_found(said: str, same: str) -> None:
    assert same in {s.term for s in WORLD.senses(said)}


def test_words_in_lower_case_are_no_places() -> None:
    assert WORLD.senses("nice") == []
    assert WORLD.senses("reading") == []
    assert WORLD.senses("") == []
    assert WORLD.senses("Xyzzyqua") == []
    assert not WORLD.senses("place")[0].named


def test_a_city_comes_before_the_region_of_its_name_and_skips_it() -> None:
    assert WORLD.describe(WORLD.senses("Kyoto")[0]) == "city in Kyoto, Japan"
    assert ladder("Kyoto") == ["Kyoto", "Japan", "Asia", "place"]


def test_volumes_are_those_of_a_recount() -> None:
    for number in [0, *random.Random(0).sample(range(2200), 300)]:
        sense = Sense(places.NAME, number, "x")
        leaves, todo = 0, [sense]
        while todo:
            below = WORLD.children(todo.pop())
            leaves += not below
            todo += below
        assert WORLD.volume(sense) == leaves


@given(NUMBERS)
def test_volumes_grow_and_bits_shrink_on_the_way_up(number: int) -> None:
    steps = WORLD.climb(Sense(places.NAME, number, "x"))
    assert steps[0].volume == 1
    for low, high in itertools.pairwise(steps):
        assert low.volume < high.volume
        assert low.bits >= high.bits >= 0


def test_population_is_not_a_volume() -> None:
    tokyo = WORLD.senses("Tokyo")[0]
    assert WORLD.population(tokyo.key) > 5_000_000
    assert WORLD.climb(tokyo)[0].volume == 1
