"""One list of feasts, for what is found, what is hidden further, and what ties days together."""

import re

import pytest

from sfumato import detect, sanitize
from sfumato.english.feasts import FEAST
from sfumato.english.ties import named_days

FEASTS = (
    *("Halloween", "Hallowe’en", "Boxing Day", "Labor Day", "Labour Day", "Memorial Day", "Passover"),
    *("Veterans Day", "Veterans' Day", "Valentine's Day", "St Valentine’s Day", "Mother's Day"),
    *("Good Friday", "Bonfire Night", "St Patrick's Day", "St. Patrick’s Day", "Juneteenth"),
    *("Christmas", "Christmas Eve", "Thanksgiving", "New Year's Eve", "New Years Day", "Easter Monday"),
    *("Diwali", "Eid", "Eid al-Fitr", "Presidents' Day", "MLK Day", "Fourth of July", "Holi", "Easter"),
)  # fmt: skip
WAYS = (
    "The patient fell on {} and broke a hip.",
    "She was seen after {}.",
    "It was {} when he fell.",
    "{}: fell from a ladder.",
)


@pytest.mark.parametrize("feast", FEASTS)
@pytest.mark.parametrize("way", WAYS)
def test_a_feast_is_found_as_a_date(feast: str, way: str) -> None:
    text = way.format(feast)
    found = detect(text, {"detect": ["patterns"]})
    assert [(t.kind, t.of(text)) for t in found] == [("DATE", feast)]


@pytest.mark.parametrize("feast", FEASTS)
def test_the_safe_harbor_hides_a_feast_without_a_year(feast: str) -> None:
    released = sanitize(WAYS[0].format(feast), "hipaa-safe-harbor").text
    assert released == "The patient fell on [DATE 1] and broke a hip."


@pytest.mark.parametrize("feast", FEASTS)
def test_a_feast_is_a_day_that_ties_dates_together(feast: str) -> None:
    said = f"It was {feast}."
    assert [said[a:b] for a, b in named_days(said)] == [feast]


@pytest.mark.parametrize(
    "text",
    [
        "He came from Easter Island.",
        "It was settled by the Good Friday Agreement and not before Good Friday Agreement talks.",
        "They met every Christmas and had boxing days.",
        "Merry Christmas to all.",
        "He had an epiphany on holiday.",
    ],
)
def test_what_is_named_after_a_feast_is_no_date(text: str) -> None:
    assert not detect(text, {"detect": ["patterns"]})


def test_a_longer_name_of_a_feast_comes_before_a_shorter_one() -> None:
    for feast in FEASTS:
        found = re.match(FEAST, feast)
        assert found
        assert found[0] == feast
