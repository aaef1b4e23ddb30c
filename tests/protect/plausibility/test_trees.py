"""Sorts of values: as what each is released, with how many others, and what holds what."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.facts.values import AGE, Amount, DayOfYear, Days, Name, Place
from sfumato.know.taxonomy import places, softening
from sfumato.know.taxonomy.ranges import in_band
from sfumato.protect.plausibility.trees import Noun, ToldByNodes, sort_of, word_sort

NOTHING = ToldByNodes(())
DAYS = st.dates(date(1000, 1, 1), date(2999, 12, 31)).map(
    lambda d: Days(d.toordinal(), d.toordinal(), "day")
)


def noun(word: str) -> Noun:
    synset = softening.words().meant(word)
    assert synset is not None
    return Noun(synset)


@given(DAYS, st.integers(1, 40_000))
def test_a_day_is_released_as_spans_that_hold_it_and_have_enough(day: Days, size: int) -> None:
    sort = sort_of(day)
    assert sort is not None
    nodes = list(sort.path(day, size))
    assert bool(nodes) == (size <= 36_524)
    for node in nodes:
        assert isinstance(node, int)
        assert softening.span_ends(node)[0] <= day.first <= softening.span_ends(node)[1]
        assert softening.values_in(node, "day") >= size
    if nodes:
        assert list(sort.around(nodes[0])) == nodes[1:]


@given(st.integers(-(10**7), 10**7), st.integers(1, 10**6))
def test_a_number_is_released_as_the_first_band_that_holds_enough(number: int, size: int) -> None:
    sort = sort_of(Amount(Decimal(number), "mg"))
    assert sort is not None
    (band,) = sort.path(number, size)
    assert isinstance(band, range)
    assert number in band
    assert len(band) >= size
    assert sort.count(band, size, NOTHING) == len(band)
    assert all(band[0] in wider and band[-1] in wider for wider in sort.around(band))


def test_years_that_the_release_tells_are_no_amounts_beside_them() -> None:
    sort = sort_of(Amount(Decimal(1984), "mg"))
    assert sort is not None
    told = ToldByNodes([("calendar:19840500", "May 1984"), ("calendar:19800099", "1980s")])
    assert sort.count(range(1980, 1990), 10, told) == 9  # the decade tells no year
    assert sort.count(range(1980, 1990), 10, ToldByNodes([], [range(1985, 1987)])) == 1


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (Amount(Decimal(56), AGE), "age"), (Amount(Decimal(130), AGE), None), (Amount(Decimal("5.5"), AGE), None),
        (DayOfYear(5, 4), "day of year"), (DayOfYear(5, 0), None), (Name("tumour"), None),
        (Days(date(1984, 1, 1).toordinal(), date(1984, 12, 31).toordinal(), "year"), "year"),
        (Days(date(1984, 1, 1).toordinal(), date(1985, 12, 31).toordinal(), "year"), None),
        (Days(date(999, 1, 1).toordinal(), date(999, 1, 1).toordinal(), "day"), None),
    ],
)  # fmt: skip
def test_what_has_no_tree_is_only_ever_labelled(value: object, name: str | None) -> None:
    sort = sort_of(value)  # type: ignore[arg-type]
    assert (sort and sort.name) == name


@pytest.mark.parametrize("word", ["marijuana", "spaniel", "trombone", "arthritis"])
@pytest.mark.parametrize("size", [5, 20, 300])
def test_all_values_of_a_class_of_words_have_the_same_path(word: str, size: int) -> None:
    sort = word_sort("noun")
    first, *_ = path = list(sort.path(noun(word), size))
    assert sort.count(first, size, NOTHING) >= size
    for other in (
        softening.words().values["noun"].nonzero()[0][:: 997 if size > 20 else 211].tolist()
    ):
        if next(sort.path(Noun(other), size), None) == first:
            assert list(sort.path(Noun(other), size)) == path
    assert set(path) <= {first, *sort.around(first)}


def test_a_word_that_the_release_says_is_not_counted() -> None:
    sort = word_sort("noun")
    drug = next(n for n in sort.path(noun("marijuana"), 100) if sort.said(n) == "drug")
    cannabis = softening.words().meant("cannabis")
    told = ToldByNodes([(f"wordnet:{cannabis}", "cannabis")])
    assert sort.count(drug, 100, told) < sort.count(drug, 100, NOTHING)


def test_a_place_is_said_by_what_holds_it() -> None:
    leeds = next(iter(places.default().senses("Leeds"))).key
    sort = sort_of(Place(leeds))
    assert sort is not None
    nodes = list(sort.path(Place(leeds), 10))
    assert nodes
    assert set(nodes) <= set(places.default().above(leeds))
    assert sort.concept(nodes[0]) == f"{places.NAME}:{nodes[0]}"


def test_bands_are_written_with_the_decimals_of_the_original() -> None:
    assert in_band(range(150, 155), 2) == "1.50–1.54"
    assert in_band(range(1000, 2000), 0) == "1,000–1,999"
