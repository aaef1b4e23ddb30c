"""Texts are counted again: against who has the text alone, and what a policy asks of each fact."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.english.births import as_of
from sfumato.know.settings import Know
from sfumato.know.taxonomy import wordnet
from sfumato.know.taxonomy.chain import default
from sfumato.verify.alternatives import Walk
from sfumato.verify.counts import MANY, Asked, Slot, ages_between, known_in, product
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


@given(st.integers(180, 209), st.sampled_from(["year", "month", "day"]))
def test_of_the_decade_of_a_release_either_the_years_before_it_count_or_those_after_it(
    decade: int, sort: str
) -> None:
    with as_of("2024"):  # 2020 to 2023 are over
        known = known_in(slot(f"calendar:{decade * 10}0099", sort))
    whole = {"year": 10, "month": 120, "day": 3652}[sort]
    assert known in ((whole, whole + 1) if decade != 202 else (4 * whole // 10,))


def test_leaves_of_a_word_and_values_of_a_range_are_multiplied_and_what_follows_counts_once() -> (
    None
):
    slots = [
        slot(SOFT_DRUG, "noun", 1),
        slot("ranges:20..29", "age", 2),
        slot("ranges:20..39", "derived", 3),
    ]
    counter = TextCounter(asked(), Walk(default()), Know(), slots)
    assert [counter.alone(s) for s in slots] == [4, 10, 1]
    assert counter.texts(slots) == 40


def test_soft_drugs_are_all_of_one_family() -> None:
    assert TextCounter(asked(), Walk(default()), Know()).is_diverse(slot(SOFT_DRUG, "noun"))
    assert not TextCounter(asked(diverse=2), Walk(default()), Know()).is_diverse(
        slot(SOFT_DRUG, "noun")
    )


def test_likely_texts_are_fewer_than_possible_ones() -> None:
    counter = TextCounter(asked(probabilities="corpus"), Walk(default()), Know())
    assert 0 < counter.bits([slot(SOFT_DRUG, "noun")]) < 2
    assert counter.bits([year(1980, 1)]) == pytest.approx(3.3219, abs=1e-3)


@pytest.mark.parametrize(
    ("words", "holds"), [("marijuana", True), ("heroin", False), ("ganja", True)]
)
def test_an_original_is_below_its_concept(words: str, holds: bool) -> None:
    counter = TextCounter(asked(), Walk(default()), Know())
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
