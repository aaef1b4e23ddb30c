"""One telephone number has many spellings."""

from __future__ import annotations

import pytest

from sfumato.facts.phones import ends_of, key


@pytest.mark.parametrize(
    "spellings",
    [
        ("+44 20 7946 0958", "020 7946 0958", "(020) 79460958", "0044 20 7946 0958", "+44 (0) 20.7946.0958",
         "０２０ ７９４６ ０９５８", "oh two oh seven nine four six oh nine five eight",
         "plus four four two oh seven nine four six oh nine five eight", "020-7946-0958"),
        ("+1 202-555-0143", "(202) 555-0143", "1-202-555-0143", "202.555.0143", "001 202 555 0143",
         "two oh two five five five oh one four three"),
        ("+49 30 23125 123", "030 23125-123", "0049 (0)30 23125 123"),
    ],
)  # fmt: skip
def test_the_spellings_of_a_number_have_one_key(spellings: tuple[str, ...]) -> None:
    assert len({key(spelling) for spelling in spellings}) == 1


def test_numbers_that_differ_by_a_digit_or_an_extension_are_two() -> None:
    said = ["020 7946 0958", "020 7946 0959", "020 7946 0958 ext 12", "020 7946 0958 x13"]
    assert len({key(number) for number in said}) == 4


def test_an_end_that_two_numbers_have_tells_neither() -> None:
    assert ends_of(["2079460958", "1619460958", "9460958"]) == {}
    assert ends_of(["2079460958", "79460958", "9460958"]) == dict.fromkeys(
        ("79460958", "9460958"), "2079460958"
    )
