"""Towns that tell a hidden place."""

from __future__ import annotations

import pytest

from sfumato import sanitize


@pytest.mark.parametrize(
    ("text", "town"),
    [
        ("She is from Wales. Prices in Cardiff went up.", "Cardiff"),
        ("He is from the Netherlands; Holland won. Prices in Amsterdam rose.", "Amsterdam"),
        ("Her Japanese husband is ill. Tourism in Tokyo has grown.", "Tokyo"),
        ("Born in Bavaria. Prices in Munich rose.", "Munich"),
        ("The University of Oslo refused. Prices in Norway and in Oslo went up.", "Oslo"),
        ("He was convicted by the Moscow District Court. The train from Moscow was late.", "Moscow"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("policy", ["gdpr", "strict"])  # which let no land stand
def test_a_town_does_not_tell_the_hidden_place_that_it_lies_in(
    text: str, town: str, policy: str
) -> None:
    assert town not in sanitize(text, policy).text


@pytest.mark.parametrize(
    ("town", "country"),
    [("Bergen", "Norway"), ("Bari", "Italy"), ("Kumasi", "Ghana"), ("Arequipa", "Peru")],
)
@pytest.mark.parametrize("policy", ["gdpr", "strict"])
@pytest.mark.parametrize("sentence", ["{} was cold.", "He loves {}.", "{}'s buses are late."])
def test_a_country_does_not_tell_the_hidden_town_that_lies_in_it(
    town: str, country: str, policy: str, sentence: str
) -> None:
    text = f"Tom Reed left {town} last May. {sentence.format(country)}"
    assert country not in sanitize(text, policy).text


def test_a_country_stands_beside_a_hidden_town_where_countries_may() -> None:
    assert "Norway was cold" in sanitize("She left Bergen. Norway was cold.", "default").text


def test_towns_elsewhere_stay_as_they_were_found() -> None:
    policy = {
        "detect": [{"lists": {"hide": [{"kind": "LOC", "terms": ["Wales"]}]}}],
        "protect": ["replace"],
    }
    made = sanitize(
        "He is from Wales. Prices in Paris and in Cardiff rose.",
        {**policy, "replace": {"*": "label"}},
    )
    assert made.text == "He is from [PLACE 1]. Prices in Paris and in [PLACE 2] rose."


@pytest.mark.parametrize("short", ["LEEDS", "POOLE", "LIMA", "MACON"])
def test_a_few_capitals_are_not_told_by_a_region(short: str) -> None:
    text = sanitize(f"Her advocate ({short}) is in {short}. Then he left.", "default").text
    assert short not in text
    assert text.count("[") == 2
