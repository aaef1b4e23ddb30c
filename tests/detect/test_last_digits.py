"""The last digits of a number are told in place of it."""

import re

import pytest

from sfumato import detect, sanitize

DIGITS = ("1234", "0615", "2019", "7714", "0000", "2359", "1987", "0136", "9931", "2024")
WAYS = (
    "SSN ending in {}.",
    "MRN ending in {} was asked for.",
    "ID confirmed with last four of social, {}.",
    "Patient texted from the phone ending in {} today.",
    "Last four of SSN: {}.",
    "The account ends with {}.",
    "Card on file ending {} declined.",
    "The last 4 digits are {} on the form.",
    "Last 4: {}; called back.",
    "SSN last four {} on the form.",
    "The policy number that ends in {} is his.",
    "The last four digits of her card ({}) were read out.",
)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("digits", DIGITS)
def test_the_last_digits_of_a_number_are_found_whatever_else_they_could_be(
    way: str, digits: str
) -> None:
    text = way.format(digits)
    found = [
        t.of(text) for t in detect(text, {"detect": ["patterns"]}) if t.kind in ("CODE", "ACCOUNT")
    ]
    assert found == [digits]


@pytest.mark.parametrize("profile", ["hipaa-safe-harbor", "clinical", "gdpr", "default"])
@pytest.mark.parametrize("way", WAYS)
def test_no_profile_releases_the_last_digits_of_a_number(profile: str, way: str) -> None:
    words = re.findall(r"\w+", sanitize(way.format("0615"), profile).text)
    assert "0615" not in words  # the digits of a pseudonym may have them by chance


@pytest.mark.parametrize(
    "text",
    [
        "The licence ends in 2025.",
        "The period ending in 2019 was calm.",
        "In the last four of 2023 the ward was full.",
        "The last 5 1000 mg doses were missed.",
        "The last four years, 2019 to 2023, were hard.",
        "His phone rang at 0615.",
    ],
)
def test_years_and_counts_after_such_words_are_no_last_digits(text: str) -> None:
    assert not [t for t in detect(text, {"detect": ["patterns"]}) if t.kind == "CODE"]
