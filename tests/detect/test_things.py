"""What everybody knows stands, unless it tells where somebody works or is somebody's name."""

from __future__ import annotations

from typing import Any

import pytest

from sfumato import sanitize
from sfumato.detect import known, things


def told(text: str) -> list[str]:
    return [text[start:end] for start, end, _ in things.told(text)]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("He bought a Bosch drill at Screwfix.", ["Bosch", "Screwfix"]),
        ("Flight by Ryanair, paid by Revolut.", ["Ryanair", "Revolut"]),
        ("laptop: Dell Latitude 5440, dock fine", ["Dell Latitude 5440"]),
        ("They watched The Gruffalo and read War Horse.", ["The Gruffalo", "War Horse"]),
        (
            "A Polkey deduction under Gillick competence.",
            ["Polkey deduction", "Gillick competence"],
        ),
        (
            "Southampton wound score 2, Rotterdam Symptom Checklist, Addenbrooke's Cognitive Examination, Vancouver style.",
            [
                "Southampton wound score",
                "Rotterdam Symptom Checklist",
                "Addenbrooke's Cognitive Examination",
                "Vancouver style",
            ],
        ),
        (
            "Seen in Southampton for a score. Lille hospital score; Oxford and the index; Tadley score",
            [],
        ),
        (
            "Glasgow Coma Scale 14, Seldinger technique",
            ["Glasgow Coma Scale", "Seldinger technique"],
        ),
        (
            "Ludwig’s angina, Bell's palsy, Baker's cyst",
            ["Ludwig’s angina", "Bell's palsy", "Baker's cyst"],
        ),
        ("Sertraline and Ocrevus; Inj. Monocef 1 g", ["Sertraline", "Ocrevus", "Inj. Monocef"]),
        ("They played Mozart.", ["Mozart"]),
    ],
)
def test_known_things_are_told(text: str, named: list[str]) -> None:
    assert told(text) == named


@pytest.mark.parametrize(
    "text",
    [
        "She has worked as a cashier at Lidl since May.",
        "Employer: Ryanair",
        "a Tesco employee in the next town",
        "Anna Bell, Head of Claims, Aviva",
        "Baker's report and Wilson's test were late.",  # what anybody of the name may have
        "Hunter denies fever; Hashimoto reports chest pain and spasm.",
        "our Lloyds account",
        "Mr Mozart came late.",
        "T. Keller, 45, came late.",
        "PNC19/443817K",
    ],
)
def test_where_one_works_and_who_one_is_is_not_let_stand(text: str) -> None:
    assert told(text) == []


def test_a_model_is_no_code_and_no_year() -> None:
    assert told("a Samsung S21 Ultra 5G") == ["Samsung S21 Ultra 5G"]
    assert told("Samsung 4471829, bought from Samsung in 2019") == ["Samsung", "Samsung"]


def test_a_brand_stands_and_an_employer_goes_wherever_it_is_told() -> None:
    assert "Stihl" in sanitize("Exhibit 4: Stihl saw, taken from Marek Kowalczyk's shed.").text
    assert "Lidl" not in sanitize("Marek Kowalczyk works at Lidl in Ely. His wife hates Lidl.").text


def test_the_name_of_somebody_in_the_text_is_hidden_in_an_ailment_too() -> None:
    released = sanitize("Mr Crohn has Crohn's disease; his wife Ruth Crohn does not.").text
    assert "Crohn" not in released


def test_no_given_name_or_town_is_listed_alone() -> None:
    listed = {name for kind in ("alone", "coined", "thing") for name in known.names(kind)}
    assert {"Stihl", "Ofgem", "Wolf Hall"} <= listed
    assert not listed & {"Matilda", "Oscar", "Chelsea", "Halifax", "Winchester", "Stella", "Carmen"}


def test_finding_known_things_takes_time_with_the_length() -> None:
    """No part of the patterns goes on without end."""
    for piece in ("Dell A", "Bosch a1.", "works ", "Wilson's a-", "T. Xa 1"):
        assert sum(1 for _ in things.told(piece * 20_000)) < 200_000


def test_offices_of_state_and_gods_are_nobody() -> None:
    said = "The Secretary of State refused it, thank God, and I bought another at Argos."
    assert sanitize(said).text == said


def test_a_working_folder_is_no_password() -> None:
    assert sanitize("PWD=/srv/www ; COMMAND=/bin/ls").text.startswith("PWD=/srv/www")
    assert "x9Kd" not in sanitize("PWD=x9Kd!fq7").text


def test_a_target_is_no_age() -> None:
    assert sanitize("Call answered; the target is 95.").text == "Call answered; the target is 95."


@pytest.mark.parametrize("house", ["Regal", "Wren", "Galtymore", "Anchor"])
def test_a_house_in_which_somebody_works_is_hidden(house: str) -> None:
    made = sanitize(f"I saw Tom, who does the lights at the {house}.", "default").text
    assert house not in made


@pytest.mark.parametrize(
    "text",
    [
        "He works nights at the Council.",
        "Universal Credit pays £512 a month.",
        "The MENTAL HEALTH TRIBUNAL met.",
        "The Border Collie is lame.",
    ],
)
def test_what_is_nobody_s_own_stands(text: str) -> None:
    assert sanitize(text, "default").text == text


@pytest.mark.parametrize(
    "step",
    [
        {"lists": {"hide": [{"kind": "CLUB", "terms": ["Leeds"]}]}},
        {"patterns": {"custom": [{"kind": "CLUB", "pattern": "Leeds"}]}},
    ],
)
@pytest.mark.parametrize(
    "text", ["He wore a Leeds United scarf.", "As in Leeds v Flint [1996] AC 344."]
)
def test_what_everybody_knows_is_hidden_where_a_users_own_list_or_pattern_asks_for_it(
    step: dict[str, Any], text: str
) -> None:
    assert "Leeds" not in sanitize(text, {"detect": [step], "replace": {"*": "label"}}).text


def test_a_place_of_a_scale_that_is_somebodys_own_is_hidden() -> None:
    shown = sanitize(
        "She lives in Lille. Her Lille score was 12 and the Vancouver scar scale 3."
    ).text
    assert "Lille" not in shown
    assert "Vancouver scar scale 3" in shown
