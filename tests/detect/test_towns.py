"""Towns beside what they are called in: before a noun, behind a comma in terse notes."""

from __future__ import annotations

import pytest

from sfumato import sanitize


@pytest.mark.parametrize("profile", ["default", "hipaa-safe-harbor"])
@pytest.mark.parametrize("town", ["Fraserburgh", "Whitby", "Stornoway", "Norwich", "Omaha"])
@pytest.mark.parametrize(
    "told",
    [
        "Refer genetics, {} (criteria not met).",
        "She was hurt in the {} bus accident in 2019.",
        "She does the books for the {} boats; her husband is at sea.",
        "Seen in {} clinic.",
        "D/w surgeons, {}. Bloods tomorrow.",
    ],
)
def test_a_town_is_hidden_before_a_noun_and_behind_a_comma(
    profile: str, town: str, told: str
) -> None:
    assert town not in sanitize(told.format(town), profile).text


@pytest.mark.parametrize(
    "text",
    [
        "Nottingham grade 2 tumour, Barcelona staging B.",
        "Amsterdam II criteria not met; Bristol stool chart type 4.",
        "She wore Wellington boots and ate a Bath bun.",
        "Bogota bag applied, Rotterdam criteria met.",
        "Glasgow Coma Scale 15, Oxford knee score 22.",
        "He owns a phone, Nokia (old), and a car, Toyota (new).",
    ],
)
def test_what_is_called_after_a_town_stays(text: str) -> None:
    assert sanitize(text, "default").text == text
