"""Texts are counted again: against who has the text alone, and what a policy asks of each fact."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.know.settings import Know
from sfumato.know.taxonomy import wordnet
from sfumato.know.taxonomy.chain import default
from sfumato.verify.alternatives import Walk
from sfumato.verify.counts import MANY, Asked, Slot, ages_between, pairs, product
from sfumato.verify.text import TextCounter
from sfumato.verify.told import told

OPTIONS: dict[str, Any] = {
    "t": 10, "unit": "document", "adversary": "text", "each": None, "diverse": 1, "terms": "auto",
    "probabilities": "uniform", "paying": 4,
}  # fmt: skip
SOFT_DRUG = wordnet.default().senses("soft drug")[0].concept


def asked(**options: Any) -> Asked:
    return Asked.by(OPTIONS | options)


def slot(concept: str, sort: str, fact: int = 1) -> Slot:
    return Slot(2 * fact, 2 * fact + 1, concept, sort, fact)


def year(decade: int, fact: int) -> Slot:
    return slot(f"calendar:{decade}0099", "year", fact)


@given(st.integers(180, 202), st.integers(180, 202), st.booleans())
def test_a_birth_is_never_later_than_what_it_is_seen_with_nor_too_early_for_an_age(
    born: int, event: int, aged: bool
) -> None:
    slots = [year(born * 10, 1), year(event * 10, 2)]
    years = [range(decade * 10, decade * 10 + 10) for decade in (born, event)]
    true = sum(b <= e <= b + 120 for b in years[0] for e in years[1])
    assert pairs(*slots) == true
    all_slots = [*slots, slot("ranges:0..119", "derived", 3)] if aged else slots
    counter = TextCounter(asked(), (1, 2), Walk(default()), Know(), all_slots)
    late = aged and abs(born - event) > 10  # some are too old
    some = max(1, true, pairs(*slots[::-1]))
    expected = 45 if born == event else some if late else 100
    assert counter.texts(all_slots) == expected
    untold = TextCounter(asked(), (), Walk(default()), Know(), all_slots).texts(all_slots)
    assert untold == expected


def test_leaves_of_a_word_and_values_of_a_range_are_multiplied_and_what_follows_counts_once() -> (
    None
):
    slots = [
        slot(SOFT_DRUG, "noun", 1),
        slot("ranges:20..29", "age", 2),
        slot("ranges:20..39", "derived", 3),
    ]
    counter = TextCounter(asked(), (), Walk(default()), Know(), slots)
    assert [counter.alone(s) for s in slots] == [4, 10, 1]
    assert counter.texts(slots) == 40


def test_soft_drugs_are_all_of_one_family() -> None:
    assert TextCounter(asked(), (), Walk(default()), Know()).is_diverse(slot(SOFT_DRUG, "noun"))
    assert not TextCounter(asked(diverse=2), (), Walk(default()), Know()).is_diverse(
        slot(SOFT_DRUG, "noun")
    )


def test_likely_texts_are_fewer_than_possible_ones() -> None:
    counter = TextCounter(asked(probabilities="corpus"), (), Walk(default()), Know())
    assert 0 < counter.bits([slot(SOFT_DRUG, "noun")]) < 2
    assert counter.bits([year(1980, 1)]) == pytest.approx(3.3219, abs=1e-3)


@pytest.mark.parametrize(
    ("words", "holds"), [("marijuana", True), ("heroin", False), ("ganja", True)]
)
def test_an_original_is_below_its_concept(words: str, holds: bool) -> None:
    counter = TextCounter(asked(), (), Walk(default()), Know())
    assert counter.holds(slot(SOFT_DRUG, "noun"), told(words, "noun", None, "text"), words) is holds


@pytest.mark.parametrize(
    ("sort", "kind", "least"),
    [
        ("noun", "DISEASE", 20),
        ("noun", "TERM", 5),
        ("noun", "", 5),
        ("age", "AGE", 3),
        ("year", "", 5),
    ],
)
def test_each_fact_needs_what_its_kind_needs_and_without_it_the_least_of_those_it_may_have(
    sort: str, kind: str, least: int
) -> None:
    assert asked(each={"DISEASE": 20, "AGE": 3, "*": 5}).least_of(sort, kind) == least


@given(st.lists(st.integers(-3, 10**400), max_size=8))
def test_a_product_stops_at_many_and_nothing_counts_below_nothing(counts: list[int]) -> None:
    made = product(counts)
    assert 0 <= made <= MANY
    assert (made == 0) == any(n <= 0 for n in counts)


@given(st.lists(st.integers(190, 202), min_size=2, max_size=4))
def test_every_age_that_two_released_decades_allow_follows(decades: list[int]) -> None:
    told_ages = ages_between(f"calendar:{d * 10}0099" for d in decades)
    follow = {age for ages in told_ages for age in ages}
    for n, born in enumerate(decades):
        for m, event in enumerate(decades):
            if n != m:
                seen = {
                    e - b
                    for b in range(born * 10, born * 10 + 10)
                    for e in range(event * 10, event * 10 + 10)
                }
                assert {age for age in seen if 0 <= age < 120} <= follow
    firsts = sorted((ages[0], ages[-1]) for ages in told_ages)
    assert all(a[1] < b[0] for a, b in itertools.pairwise(firsts))
