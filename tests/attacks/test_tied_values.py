"""Values that are counted follow from no other by what stands: whoever tries every pair of values that is shown
finds as many that fit the text as are certified."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import sanitize
from sfumato.document import Spans
from sfumato.verify.plausibility import PLAUSIBLE
from sfumato.verify.sums import Money, among_numbers

SINCE = [
    "POD 3 ({})",
    "POD#3, {},",
    "day of life 3, {},",
    "post-op day 3 ({})",
    "D+3 ({})",
    "DOL 3: {}",
]
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
BAND = re.compile(r"(\d[\d,]*)–(\d[\d,]*)")


def bands(shown: str) -> list[range]:
    ends = ((int(n.replace(",", "")) for n in found.groups()) for found in BAND.finditer(shown))
    return [range(low, high + 1) for low, high in ends]


def released(text: str, t: int, adversary: str) -> tuple[str, int]:
    rules: dict[str, Any] = {
        "detect": ["patterns"],
        "protect": [{"plausibility": {"t": t, "adversary": adversary, "terms": "findings"}}],
    }
    made = sanitize(text, rules)
    claim = next(c for c in made.certificate.claims if c.name == PLAUSIBLE)
    return made.text, claim.parameters["units"][0]["texts"]


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize(
    "frame",
    [
        "Ann is aged {a}. In {d} years she will be aged {b}.",
        "She is aged {b} now; {d} years ago, aged {a}, she moved.",
        "He began aged {a} and stopped aged {b}, after {d} years.",
        "He is aged {b}, she is aged {a}; he is the elder by {d} years.",
        "Tom is aged {b}; his wife, {d} years his junior, is aged {a}.",
        "The boy is aged {b}, his sister, aged {a}, is {d} years younger.",
    ],
)
@settings(max_examples=10, deadline=None)
@given(st.integers(16, 60), st.integers(2, 30))
def test_ages_that_are_counted_are_free_of_what_lies_between(
    frame: str, adversary: str, young: int, apart: int
) -> None:
    said = WORDS[apart] if apart < 10 else str(apart)
    text = frame.format(a=young, b=young + apart, d=said)
    shown, texts = released(text, 10, adversary)
    found = bands(shown)
    stands = f"{said} years" in shown
    fit = [v for v in product(*found) if not stands or len(v) < 2 or abs(v[0] - v[1]) == apart]
    assert len(fit) >= texts, shown


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize(
    ("frame", "many"),
    [
        ("A loan of £{b} in {n} instalments of £{a}.", lambda n: Fraction(n)),
        ("He earns £{a} an hour.\nHe worked {n} hours and got £{b}.", lambda n: Fraction(n)),
        ("It cost £{a}; with {n} % of tax £{b}.", lambda n: 1 + Fraction(n, 100)),
        ("He paid £{b}, {n} % of £{a}.", lambda n: Fraction(n, 100)),
    ],
)
@settings(max_examples=10, deadline=None)
@given(st.integers(1, 900), st.integers(2, 99))
def test_amounts_that_are_counted_are_free_of_numbers_that_stand(
    frame: str, many: Callable[[int], Fraction], adversary: str, base: int, number: int
) -> None:
    first = base * 100
    text = frame.format(a=first, n=number, b=round(first * many(number)))
    shown, texts = released(text, 20, adversary)
    found = bands(shown)
    assert len(found) == 1
    assert texts <= len(found[0])


@pytest.mark.parametrize("to", ["36 months", "three years in prison"])
def test_a_length_of_time_after_a_year_is_one(to: str) -> None:
    text = f"Sentenced on 3 May 2021 to {to}; he was released on 3 May 2024."
    assert to not in sanitize(text, {"protect": [{"plausibility": {"t": 100}}]}).text


def test_amounts_without_a_number_among_them_are_all_shown() -> None:
    shown, texts = released("He paid £77 on a Monday and she owed £912.", 10, "text")
    assert len(bands(shown)) == 2
    assert texts == 25


def test_verify_finds_two_amounts_beside_a_number() -> None:
    text = "3 tickets at £24, £102 in all"
    made = [Money.of(text.index(said), said) for said in ("£24", "£102")]
    spans = [(13, 16), (18, 22)]
    assert [*among_numbers(text, filter(None, made), Spans(spans))] == [18]
    assert not [*among_numbers(text, filter(None, made), Spans([(0, 1), *spans]))]


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize("since", SINCE)
def test_days_that_are_counted_are_free_of_how_many_days_passed(since: str, adversary: str) -> None:
    text = f"It began on 3 June 2024; {since.format('6 June 2024')} it ended."
    shown, texts = released(text, 20, adversary)
    assert not re.search(r"\b3\b", shown), shown
    assert texts <= 435


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize("times", [7, 8, 9, 11, 13, 24, 30, 37, 40, 60])
@pytest.mark.parametrize("amount", [15, 110, 1337])
def test_of_an_amount_and_a_multiple_of_it_one_is_counted(
    amount: int, times: int, adversary: str
) -> None:
    for pair in ((amount, amount * times), (amount * times, amount)):
        shown, texts = released("She earns £{:,}, which is £{:,}.".format(*pair), 20, adversary)
        (band,) = bands(shown)
        assert texts == len(band)
