"""The verifier works amounts of money out by itself."""

from __future__ import annotations

import pytest

from sfumato.verify.sums import Money, worked_out


def found(*said: str) -> list[int]:
    return [*worked_out(filter(None, (Money.of(at, words) for at, words in enumerate(said))))]


@pytest.mark.parametrize(
    ("said", "first"),
    [
        (("£900", "£310", "£1,210"), [2]),
        (("GBP 900", "310 pounds", "one hundred and one pounds", "£1,311"), [3]),
        (("£15", "£600"), [1]),  # of 40 hours
        (("£3,300", "£110"), [1]),  # one of 30 days
        (("£230", "£997"), [1]),  # of weeks, a month
        (("£12.50", "£99.99", "£112.49", "£25.00"), [2]),
        (("£900", "€310", "£1,210"), []),
        (("£900", "1800 mg", "1,800"), []),
        (("£713", "£1,250", "£85"), []),
        (("£900", "€600", "£450", "€300"), [2, 3]),
    ],
)
def test_the_first_amount_that_follows_from_others_is_named(
    said: tuple[str, ...], first: list[int]
) -> None:
    assert found(*said) == first


def test_what_is_no_amount_of_money_is_none() -> None:
    assert Money.of(0, "12 mg") is None
    assert Money.of(0, "pounds") is None
    assert Money.of(0, "£5 or £6") is None
