"""Named things: names climb through what they are to WordNet."""

from __future__ import annotations

import itertools

import pytest

from sfumato.know.taxonomy import named, wordnet
from sfumato.know.taxonomy.chain import default

THINGS = named.default()
WORDS = wordnet.default()
KINDS = {kind.phrase: kind.synset for kind in THINGS.kinds()}


def ladder(term: str, number: int = 0) -> list[str]:
    return [s.term for s in THINGS.climb(THINGS.senses(term)[number])]


@pytest.mark.parametrize(
    ("name", "through"),
    [
        ("Toivo Ovaska", ["Finnish speed skater", "speed skater", "skater", "athlete", "person"]),
        ("Sunnyvale Heritage Park Museum", ["historical museum", "museum"]),
        ("Sandside railway station", ["railway station"]),
        ("Dennis McFarland", ["American novelist", "novelist", "writer", "person"]),
    ],
)
def test_names_climb_through_their_kind(name: str, through: list[str]) -> None:
    assert [t for t in ladder(name) if t in through] == through
    assert ladder(name)[-1] == "entity"


def test_the_example_of_the_cricket_player() -> None:
    above = WORDS.above(KINDS["Tasmanian cricket player"])
    assert [s.term for s in above][:3] == ["cricketer", "athlete", "contestant"]


def test_all_kinds_have_ladders() -> None:
    from sfumato.know.taxonomy.ladder import Sense

    for kind in [*range(400), *range(400, 54_000, 97)]:
        steps = THINGS.climb(Sense(named.NAME, kind, "X", True))
        assert steps[0].volume == 1
        for low, high in itertools.pairwise(steps):
            assert low.volume < high.volume
            assert low.bits >= high.bits >= 0


def test_titles_are_found_without_what_tells_them_apart() -> None:
    kinds = {THINGS.describe(s) for s in THINGS.senses("Kennon")}
    assert "unincorporated community" in kinds


def test_unknown_and_lower_case_names_are_not_found() -> None:
    assert THINGS.senses("Xyzzyqua Qux") == []
    assert THINGS.senses("toivo ovaska") == []
    assert THINGS.senses("") == []


def test_a_name_is_a_leaf() -> None:
    (sense,) = THINGS.senses("Toivo Ovaska")
    assert THINGS.volume(sense) == 1
    assert THINGS.children(sense) == []
    assert THINGS.describe(sense) == "Finnish speed skater"
    assert len(THINGS) > 200_000


def test_the_chain_asks_for_named_things_last() -> None:
    assert [s.term for s in default().ladder("Toivo Ovaska", kind="PERSON")][:2] == [
        "Toivo Ovaska",
        "Finnish speed skater",
    ]


@pytest.mark.parametrize(
    ("phrase", "concept"),
    [
        ("Presbyterian minister", "curate"),
        ("Deputy Minister", "minister"),
        ("village development committee", "village"),
        ("top rugby clubs", "club"),
        ("Australian rules footballer", "athlete"),
    ],
)
def test_words_are_taken_in_the_sense_of_definitions(phrase: str, concept: str) -> None:
    assert WORDS.word(KINDS[phrase]) == concept


def test_a_name_is_no_sort_of_thing_and_a_model_is_one() -> None:
    assert "Rome" not in KINDS
    assert any(step.term == "person" for step in WORDS.above(KINDS["American model"]))
