"""Amounts of money that may follow from others are seen, and no others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.protect.plausibility.sums import Band, following
from sfumato.verify.sums import Money, worked_out

SIGNS = {"pound": "£", "euro": "€"}


def follow(*amounts: str) -> list[bool]:
    """By what each says: pounds, or euros behind an E."""
    said = [(a.startswith("E"), a.lstrip("E")) for a in amounts]
    exact = [
        (("pound", "euro")[e], int(n.replace(".", "")), len(n.partition(".")[2])) for e, n in said
    ]
    return [*following(Band(currency, n, n, decimals) for currency, n, decimals in exact)]


@pytest.mark.parametrize(
    ("amounts", "last"),
    [
        (("900", "310", "1210"), True),
        (("900", "310", "590"), True),
        (("310", "900", "590"), True),
        (("2000", "24000"), True),
        (("100", "120"), True),
        (("99.99", "20.00"), True),
        (("99.99", "119.99"), True),
        (("600", "200"), True),
        (("1300", "731", "301", "268"), True),
        (("731", "301", "68", "1100"), True),
        (("900", "E310", "1210"), False),
        (("713", "1250", "85"), False),
        (("900", "3100", "4001"), False),
        (("900", "77", "1913", "4444", "9013", "977"), False),
    ],
)
def test_an_amount_follows_from_those_before_it(amounts: tuple[str, ...], last: bool) -> None:
    assert follow(*amounts)[-1] == last


def test_what_follows_is_not_reckoned_with() -> None:
    assert follow("900", "450", "337", "787") == [False, True, False, False]


bands = st.builds(
    lambda currency, low, width, decimals: Band(
        currency, low // width * width, low // width * width + width - 1, decimals
    ),
    st.sampled_from([*SIGNS]),
    st.integers(0, 5000),
    st.sampled_from([1, 5, 10, 50, 100]),
    st.sampled_from([0, 0, 2]),
)


@given(st.lists(bands, max_size=9))
def test_nothing_that_is_left_can_be_worked_out_and_what_is_taken_out_can(some: list[Band]) -> None:
    taken, shown = [*following(some)], list[Money]()
    for at, (band, follows) in enumerate(zip(some, taken, strict=True)):
        digits = f"{SIGNS[band.currency]}1.{'0' * band.decimals}".rstrip(".")
        money = Money.of(at, digits, (band.low, band.high))
        assert money is not None
        assert (at in worked_out([*shown, money])) == follows
        shown += [] if follows else [money]
