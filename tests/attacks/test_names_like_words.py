"""A name that is an ordinary word is hidden wherever it stands as a name."""

from __future__ import annotations

import re

import pytest

from sfumato import sanitize

PROFILES = ("default", "gdpr", "hipaa-safe-harbor")
SURNAMES = (
    "Bishop", "Lord", "Judge", "Justice", "Constable", "Captain", "Coach", "Nurse", "Green", "Park", "Church", "Law",
    "Ward", "Day", "Best", "Sergeant",
)  # fmt: skip
TOWNS = ("Bath", "Hull", "Derby", "Cork", "Nice", "Reading", "Split", "Sandwich")
OF_PERSONS = (
    "Alan {0} was seen. {0} told the doctor that it hurt.",
    "Alan {0} was seen. Later {0} rang again.",
    "Alan {0} was seen. The clerk wrote that {0} had improved.",
    "Alan {0} was seen. The {0} case was closed.",
    "Alan {0} was seen. {0} v. Hartley was cited.",
    "Alan {0} was seen. It was {0}'s idea.",
    "Patient: ALAN {1}\nThe clerk saw {0} again.",
    "Dr Alan {0} was seen. We asked {0}.",
    "WITNESS: {1}, Tom\n\nWe spoke to {0}. {0} said no.",
    "{1}, Anna  DOB 3/4/1970\n\nWe saw {0} today.",
    'Kwame "Buzz" {0} came home late. We like Buzz.',
    "Tom 'Tiny' {0} came. We asked {0}.",
    "Dr Alan {0} was seen. We had the {0}{2} to dinner.",
    "Alan {0} was seen. The {0}{2} came to dinner.",
    "Alan {0} was seen. The {0}{2}' cat is old.",
    "Alan {0} was seen. She shouted {1} at him.",
)
OF_TOWNS = (
    "She lives in {0}. The {0} clinic is near.",
    "She lives in {0}. Her {0} relatives came.",
    "He moved to {0} last week. {0} was cold.",
    "The {0} branch closed. She works in {0}.",
)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("sentence", OF_PERSONS)
def test_a_family_name_that_is_a_word_or_a_title_is_hidden_again(
    sentence: str, profile: str
) -> None:
    for name in SURNAMES:
        several = "es" if name.endswith(("s", "ch", "sh")) else "s"
        told = sanitize(sentence.format(name, name.upper(), several), profile).text
        assert name not in told
        assert name.upper() not in told


@pytest.mark.parametrize("profile", PROFILES)
def test_who_is_called_by_the_beginning_of_a_name_is_hidden(profile: str) -> None:
    text = "Miroslav Horák came. Mr Rivers told Miro to go. Miro wept. A mirror broke."
    told = sanitize(text, profile).text
    assert "Miro " not in told
    assert "mirror" in told


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("kind", ["Surgery", "Nursing Home", "Primary School", "Hospice"])
def test_a_house_is_hidden_by_the_words_with_which_its_name_begins(kind: str, profile: str) -> None:
    for name in (
        "Orchard",
        "Bridge",
        "Elm Tree",
        "Park View",
        "Lighthouse",
        "Church View",
        "Meadow",
    ):
        told = sanitize(f"She is at {name} {kind}. The {name} nurse came to {name}.", profile).text
        assert name not in told


@pytest.mark.parametrize("profile", PROFILES[1:])
@pytest.mark.parametrize("sentence", OF_TOWNS)
def test_a_town_that_is_a_word_is_hidden_again(sentence: str, profile: str) -> None:
    for town in TOWNS:
        assert town not in sanitize(sentence.format(town), profile).text


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    "sentence",
    ["{0} is wet.", "She likes {0}.", "The {0} canteen is shut.", "{0}'s streets are wet."],
)
def test_the_town_of_a_hidden_house_is_hidden_again(sentence: str, profile: str) -> None:
    for town, house in (("Leeds", "General Infirmary"), ("Norwich", "Community Hospital")):
        text = f"She works at {town} {house}. {sentence.format(town)}"
        assert town not in sanitize(text, profile).text


HOUSES = ("Quince", "Harbour", "Larch", "Two Rivers", "Ash Tree", "Canal Side", "Meadow")
SORTS = ("Surgery", "Care Home", "Primary School", "Day Nursery", "Medical Centre", "Hospice")
OF_HOUSES = (
    "She goes to {0} {1}. The {0} kitchen is cold.",
    "She goes to {0} {1}. We told {0} in May.",
    "She goes to {0} {1}. {0} rang her.",
)


@pytest.mark.parametrize("sentence", OF_HOUSES)
@pytest.mark.parametrize("sort", SORTS)
def test_a_house_is_one_under_its_short_name_though_that_is_a_word(
    sentence: str, sort: str
) -> None:
    for name in HOUSES:
        told = sanitize(sentence.format(name, sort), "default").text
        assert name not in told
        assert len({*re.findall(r"\[(?!DATE)[A-Z ]+ \d\]", told)}) == 1, told


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("Tom Park came. The parks are shut. We like the parks of Leeds.", "The parks are shut"),
        ("She goes to Meadow Surgery. A meadow is behind the surgery.", "A meadow is behind the"),
        ("She goes to Ash Tree Surgery. The old ash tree fell.", "The old ash tree fell"),
        ("She lives in Sandwich and goes to Sandwich Surgery.", "lives in [PLACE 1]"),
        ("Susan Ward was admitted to the ward. The ward is full.", "the ward. The ward is"),
        ("Will Stone came. Will you call? A stone fell.", "Will you call? A stone fell."),
        ("Ann May Stone came in May. May I call?", "May I call?"),
        ("Ivy Bath fell. Bath twice daily and rest.", "Bath twice daily"),
        ("Alan Bishop left. The bishop rang.", "The bishop rang."),
        ("Tom Park left. The parks are shut.", "The parks are shut."),
        ("She is at Orchard Surgery. The orchard is in bloom.", "The orchard is in bloom."),
    ],
)
def test_the_word_itself_stands(text: str, stands: str) -> None:
    assert stands in sanitize(text, "default").text


@pytest.mark.parametrize("name", ["Elizabeth", "Katherine", "Anthony", "Victoria"])
@pytest.mark.parametrize("verb", ["visits", "visited", "was visiting"])
def test_whoever_is_visited_is_no_town(name: str, verb: str) -> None:
    text = f"{name} Price has a bad hip. Her niece {verb} {name} daily."
    told = sanitize(text, "default").text
    assert re.search(rf"{verb} \[PERSON 1\]", told), told


@pytest.mark.parametrize("later", ["48h", "48 h", "2 d", "2d", "48 hrs"])
def test_a_length_of_time_is_read_with_a_blank_before_its_letter(later: str) -> None:
    rules = {"protect": [{"plausibility": {"t": 20}}]}
    text = f"He came on 3 May 2004 and left {later} later, on 5 May 2004."
    assert later not in sanitize(text, rules).text
