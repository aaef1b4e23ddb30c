"""Towns beside what they are called in: before a noun, behind a comma in terse notes."""

from __future__ import annotations

import pytest

from sfumato import sanitize
from sfumato.detect.towns import is_english_town


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
        "Bogota bag applied, Nottingham grade 2.",
        "Glasgow Coma Scale 15, Oxford knee score 22.",
        "Tests: reflexes, Murphy (positive), tone.",
        "She studied physics, Euclid (geometry), and law.",
        "He owns a phone, Nokia (old), and a car, Toyota (new).",
    ],
)
def test_what_is_called_after_a_town_stays(text: str) -> None:
    assert sanitize(text, "default").text == text


@pytest.mark.parametrize(
    "road",
    [
        "the A4103",
        "the B4203",
        "the M6",
        "I-95",
        "US-31",
        "Route 66",
        "Highway 61",
        "State Route 9",
    ],
)
def test_numbered_roads_are_places_smaller_than_a_state(road: str) -> None:
    text = sanitize(f"The crash was on {road} near the inn.", "hipaa-safe-harbor").text
    assert road.split(" ")[-1] not in text


@pytest.mark.parametrize(
    "text", ["I-131 scan, B12 300.", "An A4 page, on B12.", "Bed 4. Ward 7B. Room 12."]
)
def test_isotopes_vitamins_and_beds_are_no_roads_and_no_codes(text: str) -> None:
    assert sanitize(text, "hipaa-safe-harbor").text == text


@pytest.mark.parametrize(
    "told", ["PC 2210 Baines", "PC Baines 2210", "DC 441 Shah", "WPC Jane Shah 8841"]
)
def test_warrant_numbers_go_and_the_rank_is_no_person(told: str) -> None:
    text = sanitize(f"Statement witnessed by {told} at the scene.", "default").text
    assert not any(word in text for word in told.split() if word.istitle() or word.isdigit())


@pytest.mark.parametrize("profile", ["default", "gdpr", "hipaa-safe-harbor", "clinical"])
@pytest.mark.parametrize(
    "town",
    [
        "Kirchheim unter Teck",
        "Neustadt am Rübenberge",
        "Freiburg im Breisgau",
        "Freiburg i. Br.",
        "Bad Homburg vor der Höhe",
        "Mülheim an der Ruhr",
        "Rothenburg ob der Tauber",
        "Neustadt a. d. Weinstraße",
        "San Pedro de Macorís",
        "Talavera de la Reina",
        "Santa Maria da Feira",
        "Castello di Godego",
        "Villefranche sur Saône",
        "Villeneuve d'Ascq",
        "Alphen aan den Rijn",
        "Shoreham by Sea",
        "Stow on the Wold",
        "Hay on Wye",
        "Barrow in Furness",
    ],
)
def test_a_town_is_hidden_with_the_second_half_of_its_name(profile: str, town: str) -> None:
    text = sanitize(f"She lives in {town} with her son.", profile).text
    assert not any(w in text for w in town.replace("'", " ").split() if w[0].isupper())
    assert text.endswith(" with her son.")


@pytest.mark.parametrize("rest", ["en route home", "de novo", "by train"])
def test_what_stands_behind_a_town_is_not_its_second_half(rest: str) -> None:
    assert f" {rest}." in sanitize(f"He came from Leeds {rest}.", "clinical").text


@pytest.mark.parametrize("profile", ["default", "hipaa-safe-harbor", "clinical"])
@pytest.mark.parametrize("town", ["Deal", "Hook", "Battle", "Rugby", "Crook", "Barking"])
@pytest.mark.parametrize(
    "told",
    [
        "They moved to {} in 2019.",
        "We stayed in {} with Mum.",
        "He grew up in {} and left.",
        "She has a flat in {} now.",
    ],
)
def test_a_town_that_is_a_word_is_one_where_somebody_lives(
    profile: str, town: str, told: str
) -> None:
    assert town not in sanitize(told.format(town), profile).text


def test_where_nobody_lives_is_no_town() -> None:
    words = ("Theatre", "Recovery", "Sales", "Resus", "Hospice", "School", "March", "Church")
    assert not any(map(is_english_town, words))


@pytest.mark.parametrize("profile", ["default", "gdpr", "hipaa-safe-harbor", "clinical"])
@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("House 7, Block C, DHA Phase 5, Lahore", ("House 7", "Block C", "Phase 5")),
        ("Flat No. 12, Sector 4, Rohini, Delhi", ("12", "Sector 4")),
        ("Plot 14-B, Street 9, Phase 2, Karachi", ("14-B", "Street 9", "Phase 2")),
        ("it is sonnenallee 88, whg 12", ("sonnenallee", "88", "12")),
        ("Hinterhaus, 3. OG links", ("3. OG",)),
    ],
)
def test_an_address_is_hidden_without_words_that_say_so(
    profile: str, text: str, gone: tuple[str, ...]
) -> None:
    released = sanitize(text, profile).text
    assert not [part for part in gone if part in released]


@pytest.mark.parametrize(
    "text", ["Phase 2, Phase 3 trials, Block 4", "Block 4, Phase 2 ended.", "3. OGTT 4. Stock low"]
)
def test_a_part_of_an_address_alone_is_none(text: str) -> None:
    assert "[ADDRESS" not in sanitize(text, "clinical").text


@pytest.mark.parametrize(
    "text",
    ["She lives in March with her son.", "He lived near March.", "We moved to March, then back.", "He moved to March last year.",
     "They grew up in March until the war.", "She was born in March, Cambridgeshire."],
)  # fmt: skip
def test_march_is_a_town_where_somebody_lives(text: str) -> None:
    assert sanitize(text).text.replace("[PLACE 1]", "March") == text
    assert "[PLACE 1]" in sanitize(text).text


@pytest.mark.parametrize(
    "text",
    ["The appointment was moved to March.", "She lived in March 2020 alone.", "He lived in March of 2019 there.",
     "The march moved to March."],
)  # fmt: skip
def test_march_is_a_month_elsewhere(text: str) -> None:
    assert "[PLACE" not in sanitize(text).text
