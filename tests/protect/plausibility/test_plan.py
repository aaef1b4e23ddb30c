"""What is asked of the facts of a unit follows from their sorts alone, and is enough."""

from __future__ import annotations

import math
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.document import Term
from sfumato.facts.implication import Hidden
from sfumato.facts.values import AGE, Amount, DayOfYear, Days
from sfumato.know.taxonomy import softening
from sfumato.policy import load
from sfumato.protect.plausibility.asking import least
from sfumato.protect.plausibility.options import PlausibilityOptions
from sfumato.protect.plausibility.plan import PlannedUnit, SofteningPlan, UnreachableTError
from sfumato.protect.plausibility.softened import Softened
from sfumato.protect.plausibility.tied import Standing
from sfumato.protect.plausibility.trees import Noun, sort_of, word_sort

TEXT = "x " * 40
STANDING = Standing(load("default"))
WORDS = ("spaniel", "trombone", "morphine", "willow", "dagger", "teacher", "cheddar", "arthritis")


def noun(at: int, word: str) -> Softened:
    synset = softening.words().meant(word)
    assert synset is not None
    term = Term(2 * at, 2 * at + 1, "TERM", 1.0, "")
    return Softened(
        "TERM", word_sort("noun"), Noun(synset), [term], frozenset({f"wordnet:{synset}"})
    )


def number(at: int, value: int, unit: str) -> Softened:
    sort = sort_of(Amount(Decimal(value), unit))
    assert sort is not None
    return Softened("QUANTITY", sort, value, [Term(2 * at, 2 * at + 1, "QUANTITY", 1.0, "")])


def planned(facts: list[Softened], t: int, **options: Any) -> SofteningPlan:
    plan = SofteningPlan(
        TEXT, PlausibilityOptions(t=t, terms="nouns", **options), facts, (), STANDING
    )
    plan.ask()
    plan.release(Hidden.of((), (c for f in facts for c in f.hidden)))
    plan.count()
    return plan


@settings(max_examples=25)  # each size is a cut of its own
@given(
    st.lists(st.sampled_from(WORDS), min_size=2, max_size=6, unique=True),
    st.permutations(WORDS),
    st.integers(2, 400),
)
def test_sizes_do_not_depend_on_values_and_t_is_reached(
    words: list[str], others: list[str], t: int
) -> None:
    sizes = []
    for chosen in (words, others[: len(words)]):
        facts = [noun(at, word) for at, word in enumerate(chosen)]
        plan = SofteningPlan(TEXT, PlausibilityOptions(t=t, terms="nouns"), facts, (), STANDING)
        plan.ask()
        sizes.append([fact.size for fact in facts])
    assert sizes[0] == sizes[1]
    made = planned([noun(at, word) for at, word in enumerate(words)], t)
    assert made.parts[0].texts >= t


@given(st.integers(2, 10**6))
def test_a_larger_t_never_asks_for_less(t: int) -> None:
    asked = []
    for wanted in (t, t + 1, 2 * t):
        facts = [noun(0, "spaniel"), noun(1, "willow"), number(2, 30, "mg")]
        SofteningPlan(TEXT, PlausibilityOptions(t=wanted, terms="nouns"), facts, (), STANDING).ask()
        asked.append([fact.size for fact in facts])
    assert all(a <= b for one, two in pairwise(asked) for a, b in zip(one, two, strict=True))


def year(at: int, number: int) -> Softened:
    first, last = (date(number, *day).toordinal() for day in ((1, 1), (12, 31)))
    value = Days(first, last, "year")
    sort = sort_of(value)
    assert sort is not None
    return Softened("DATE", sort, value, [Term(2 * at, 2 * at + 1, "DATE", 1.0, "")])


def test_facts_with_few_values_refuse_a_t_beyond_them_and_say_which() -> None:
    fact = year(0, 1956)
    with pytest.raises(UnreachableTError) as error:
        planned([fact], 101)
    assert error.value.limiting == [(fact, 100)]
    assert planned([fact], 100).parts[0].texts == 100


def test_of_two_dates_none_pays_and_of_ages_not_even_one() -> None:
    alone = planned([noun(0, "willow"), year(1, 1931)], 4)
    assert alone.parts[0].texts == math.prod(f.count for f in alone.facts)
    for others in ([year(1, 1931), year(2, 1877)], [number(1, 31, AGE)]):
        both = planned([noun(0, "willow"), *others], 4)
        assert all(f.node is not None for f in both.facts)
        assert both.parts[0].texts == both.facts[0].count


def test_words_that_may_tell_of_one_thing_pay_once() -> None:
    apart, together = (
        planned([noun(0, word), noun(1, other)], 8)
        for word, other in (("willow", "leukaemia"), ("cancer", "leukaemia"))
    )
    assert apart.parts[0].texts == math.prod(f.count for f in apart.facts)
    assert together.facts[0].node == together.facts[1].node
    assert 8 <= together.parts[0].texts < min(f.count for f in together.facts)


def test_a_word_is_none_that_a_label_hides() -> None:
    plan = planned([noun(0, "willow"), noun(1, "leukaemia")], 4)
    first, second = plan.facts
    second.node = None
    plan.count(checked=False)
    assert plan.parts[0].texts == first.count - 1


def test_each_fact_has_what_it_needs_by_itself() -> None:
    plan = planned([number(0, 31, "mg"), noun(1, "willow")], 2, each=18)
    assert len(plan.facts[0].node) == 50
    for unit in (AGE, "mg"):  # one may follow from the other
        facts = [number(0, 31, unit), number(1, 77, unit), noun(2, "willow")]
        assert [f.node is None for f in planned(facts, 2, each=18).facts] == [True, True, False]
    recurring = sort_of(DayOfYear(5, 4))
    assert recurring is not None
    day = Softened("DATE", recurring, DayOfYear(5, 4), [Term(0, 1, "DATE", 1.0, "")])
    assert planned([day, noun(2, "willow")], 2, each=2).facts[0].node is None  # May may not be over


@given(st.integers(1, 10**40), st.integers(1, 30))
def test_tau_is_the_least_that_reaches_t(t: int, facts: int) -> None:
    tau = least(lambda tau: tau**facts, t)
    assert tau is not None
    assert tau**facts >= t
    assert tau == 1 or (tau - 1) ** facts < t


class Unsettled(SofteningPlan):
    """A plan of which a sentence has too little for so many rounds."""

    rounds = 0

    def _counted(self, beside: bool = True) -> list[tuple[PlannedUnit, list[tuple[Softened, int]]]]:
        self.rounds -= 1
        return [(self.parts[0], [])] if self.rounds >= 0 else []


@pytest.mark.parametrize(("rounds", "settles"), [(0, True), (24, True), (25, False)])
def test_units_that_take_from_each_other_settle_in_some_rounds(rounds: int, settles: bool) -> None:
    plan = Unsettled(
        TEXT, PlausibilityOptions(t=2, unit="sentence"), [noun(0, "spaniel")], (), STANDING
    )
    plan.ask()
    plan.rounds = rounds
    if settles:
        plan.count()
    else:
        with pytest.raises(UnreachableTError):
            plan.count()
