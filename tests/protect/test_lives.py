"""The dates of a life: the birth and the event, told by words and place, never by value."""

from __future__ import annotations

import re
from datetime import date, timedelta
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.document import Document, Edit, Term, render
from sfumato.english.births import ages
from sfumato.facts.ages import ages_told
from sfumato.facts.understanding import understand
from sfumato.keys import Key
from sfumato.pipeline import Sanitizer
from sfumato.policy import load
from sfumato.protect.lives import births_among, without_ages
from sfumato.release.ledger import Ledger
from tests.worlds import DAYS, LEVELS, MONTHS, Fact, World, age_at, span_at


def roles(marked: str) -> list[str] | None:
    """The birth and the event of a text whose dates stand in «»."""
    text = re.sub("[«»]", "", marked)
    terms = [
        Term(m.start() - 2 * n, m.end() - 2 * n - 2, "DATE", 1.0, "")
        for n, m in enumerate(re.finditer("«(.+?)»", marked))
    ]
    facts = list(understand(text, terms))
    births = births_among(text, facts)
    if len(births) != 1 or len(facts) < 2:
        return None
    return [f.mentions[0].of(text) for f in (*births, *(f for f in facts if f not in births))][:2]


@pytest.mark.parametrize(
    "marked",
    [
        "He was born in the year «1985» and admitted in the year «2019».",
        "DOB: «1985», seen «2019».",
        "Date of birth («1985»); admitted «2019».",
        "Seen «2019». D.O.B. «1985».",
        "| Birth date | «1985» | \n| Visit | «2019» |",
        "Ann Lee (b. «1985») came in «2019».",
    ],
)
def test_a_birth_is_told_by_the_words_before_it(marked: str) -> None:
    assert roles(marked) == ["1985", "2019"]


@pytest.mark.parametrize(
    "marked",
    [
        "Seen «1985» and «2019».",
        "Born «1985».",
        "Born «1985», her son was born in «2011», seen «2019».",
    ],
)
def test_without_exactly_one_birth_and_another_date_there_is_no_pair(marked: str) -> None:
    assert roles(marked) is None


def test_the_event_is_the_first_other_date_whatever_its_value() -> None:
    assert roles("Born «1985», seen «2019», again «2001».") == ["1985", "2019"]
    assert roles("Born «1985», seen «1901», again «2001».") == ["1985", "1901"]


def test_several_spellings_of_the_birth_are_one_date() -> None:
    assert roles("Born «4 February 1985», DOB «1985-02-04», seen «2019».") == [
        "4 February 1985",
        "2019",
    ]


SPANS = st.tuples(st.integers(700_000, 740_000), st.integers(0, 4000)).map(lambda s: (s[0], sum(s)))


@given(st.lists(SPANS, max_size=5))
def test_ages_of_any_two_dates_lie_in_one_of_ranges_that_lie_apart(
    spans: list[tuple[int, int]],
) -> None:
    told = ages_told(spans)
    assert all(low <= high for low, high in told)
    assert all(one[1] < other[0] for one, other in pairwise(told))
    found = set[int]()
    for born, event in permutations(spans, 2):
        if born[0] <= event[1]:
            low, high = ages(born, event)
            assert any(a <= low and high <= b for a, b in told)
            found.update(range(low, high + 1))
    assert found == {age for low, high in told for age in range(low, high + 1)}


def test_some_two_of_many_dates_allow_any_age_and_take_no_time() -> None:
    assert ages_told([(day, day) for day in range(700_000, 720_000)]) == [(0, 119)]
    assert ages_told([(700_000, 700_000)] * 5000) == [(0, 0)]
    assert ages_told([(700_000, 700_000)]) == []


def days_shown(words: str) -> tuple[date, date] | None:
    """The first and the last day that the words for a date leave open; none for a label."""
    if found := re.search(r"(\d{4})–(\d{4})|(\d{3}0)s", words):
        first, last = (
            (int(found[1]), int(found[2])) if found[1] else (int(found[3]), int(found[3]) + 9)
        )
        return date(first, 1, 1), date(last, 12, 31)
    if "[" in words or "_" in words:  # a label, or a hash
        return None
    if found := re.fullmatch(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", words):
        day = date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
        return span_at(day, "day" if found[3] else "month" if found[2] else "year")
    name = re.findall(r"[A-Z][a-z]{2}", words)[0]
    month = next(n for n, full in enumerate(MONTHS) if full.startswith(name))
    year = int(re.findall(r"\d{4}", words)[0])
    days = re.findall(r"\b\d{1,2}\b", words)
    return span_at(date(year, month, int(days[0]) if days else 1), "day" if days else "month")


@pytest.mark.parametrize("policy", ["default", "gdpr", "research", "hipaa-safe-harbor"])
@given(DAYS, st.integers(0, 36_000), LEVELS, LEVELS, st.integers(0, 1), st.integers(0, 1))
@settings(max_examples=30, deadline=None)
def test_no_two_dates_leave_fewer_ages_than_stand_for_a_hidden_one(
    policy: str, born: date, days: int, level: str, of_event: str, one: int, other: int
) -> None:
    event = min(born + timedelta(days), date(2099, 12, 31))
    world = World(
        (
            Fact("born", level, span_at(born, level)[0], (one,)),
            Fact("event", of_event, span_at(event, of_event)[0], (other,)),
            Fact("age", "age", age_at(born, event), (1,)),
        )
    )
    document = Document(world.text)
    with Ledger(Key(bytes(32))) as vault:
        made = Sanitizer(load(policy), Key(bytes(32)), vault).protect(document, world.terms)
    shown = {e.start: e.replacement for e in made}
    words = [shown.get(t.start, t.of(world.text)) for t in world.terms]
    birth, visit = (days_shown(w) for w in words[:2])
    if birth is None or visit is None or words[2] == world.terms[2].of(world.text):
        return
    low, high = map(int, (re.findall(r"\d+", words[2]) * 2)[:2])
    high = 119 if "older" in words[2] else high
    youngest, oldest = age_at(birth[1], visit[0]), age_at(birth[0], visit[1])
    left = min(high, oldest, 119) - max(low, youngest, 0) + 1
    assert left >= min(10, high - low + 1), render(document, made)


def test_the_number_of_a_label_is_no_year() -> None:
    text = "DOB 1969, aged 49, seen in 2019"
    terms = [Term(4, 8, "DATE", 1, ""), Term(10, 17, "AGE", 1, ""), Term(27, 31, "DATE", 1, "")]
    edits = [
        Edit(4, 8, "DATE", "[DATE 1970]", "", "label"),
        Edit(10, 17, "AGE", "aged 40-49", "", "bucket"),
    ]
    assert without_ages(edits, Document(text), terms, load("gdpr")) == edits
