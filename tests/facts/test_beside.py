"""What stands beside a name tells who is meant."""

from __future__ import annotations

import re

import pytest

from sfumato.document import Term
from sfumato.facts.understanding import understand


def count(marked: str) -> int:
    """How many persons a text tells whose names are marked by braces."""
    text, terms = "", []
    for piece in re.split(r"(\{[^}]*\})", marked):
        said = piece.strip("{}")
        if piece.startswith("{"):
            terms.append(Term(len(text), len(text) + len(said), "PERSON", 1.0, ""))
        text += said
    return len(understand(text, terms))


@pytest.mark.parametrize(
    "text",
    [
        "{Mr Brown} called. His wife {Seun Brown} came.",
        "{Seun Jones} and her husband {Mr Jones} came.",
        "{Mr Brown} called. His brother {Tom Brown} came.",
        "Dear {Mrs Patel}, your child {Chi Patel} was late.",
        "{Chi Doyle} is a son of {Mr Doyle}.",
        "{Florence Adams} called her mother {Mrs Adams}.",
        "{Dr Chi Brown} saw {Mr Brown} on the ward.",
        "{Mr Brown} was examined by {Chi Brown}.",
        "{Brown} v. {Chi Brown}.",
        "Mr {Brown} came. Mrs {Brown} left.",  # the titles stand outside the names
        "{Mr Brown}’s ex-wife, {Seun Brown}, has the child.",
        "{Mr Brown} came with his mother-in-law {Chi Brown}.",
        "{Dr Chen} (oncology) spoke to {Wei Chen}.",
        "{John Smith} hit his teacher {Mr Smith}.",
    ],
)
def test_these_persons_are_two(text: str) -> None:
    assert count(text) == 2


@pytest.mark.parametrize(
    "text",
    [
        "{Mr Brown} called. Later {Chi Brown} called again.",
        "Her brother {Tom Brown} fell. {Mr Brown} is well. {Tom} thanked us.",
        "{Tom Brown} was late. Her brother {Tom Brown} is always late.",
        "{Chi Brown} left because {Brown} was tired.",
        "Nurse {Joy Okoro} came. {Nurse Okoro} left.",
        "{Mr Brown} came. Her brother {Tom Brown} is well.",  # whose brother he is, the text does not say
    ],
)
def test_this_person_is_one(text: str) -> None:
    assert count(text) == 1


@pytest.mark.parametrize(
    ("text", "persons"),
    [
        ("Mr and {Mrs Webb} came. {Cy Webb} is 7. {Mrs Webb} rang. {Mr Webb} cried.", 3),
        ("Dr & {Mrs Webb} came. {Cy Webb} is 7. {Dr Webb} cried.", 3),
        ("{Mrs Webb} rang about her son, {Cy Webb}. {Mr Webb} is away.", 3),
        ("{Cy Webb} is ill. {Mr Webb} told us that his son {Cy} was ill.", 2),
        ("{Tom} and {Ann Webb} came. Mr and {Mrs Webb} left. {Mr Webb} ate. {T. Webb} slept.", 2),
        ("{Mr T Webb} & {Mrs A Webb}. Mr and {Mrs Webb} left. {Tom Webb} ate. {Mr Webb} slept.", 2),
        ("{Peter} and {Mary van Dyke} came. {Peter Smith} left. {Peter van Dyke} slept.", 3),
        ("{Brian} & {Sheila Webb} came. {Tim Webb} left. {Mr Webb} slept.", 4),
        ("{Keller} and {Anna Brown} met. {Mr Keller} left. {Keller} slept.", 2),
        ("{Tom Smith} came. {Tom} and {Mary Jones} left.", 2),
        ("{Neeta Sharma} is well. Baby girl {Sharma} is fed. {Ms Sharma} eats. {Sharma} slept.", 2),
        ("{Ms Otieno} is well. Newborn {Otieno} is fed. {Baby Otieno} sleeps.", 2),
        ("Baby {Tom} is ill. {Tom Lee} sleeps.", 1),
        ("{KOVÁCS}, {István}. {István} came. {Emily Kovács} thanks all.", 2),
        ("{PN}, {István} came. {István} left.", 2),
    ],
)
def test_families_are_told_apart(text: str, persons: int) -> None:
    assert count(text) == persons


@pytest.mark.parametrize(
    ("text", "persons"),
    [
        ("{John Smith} had a son, {John Jr.}, in 1829. {John Smith} and {John} were here.", 2),
        ("{John Smith Jr.} came. {John Jr.} left. {John} slept.", 1),
        # As the patient is no surgeon
        ("{Ms. Anna Keller} came. {Ms. Keller} left. She is now {Dr. Keller}.", 2),
        ("{Mr Tom Lee} is ill. {Dr Lee} saw {Mr Lee}.", 2),
        ("{Captain Smith} wrote. {Sergeant Tom Smith} left. {Captain Smith} stayed.", 2),
        ("{Lt Col Ann Reed} came. {Colonel Reed} left. {Lieutenant Reed} slept.", 2),
        ("{Sgt Tom Smith} came. {Sergeant Smith} left. {Officer Smith} slept.", 1),
        ("{PC Khan} came. {Inspector Khan} left. {Sara Khan} wrote.", 3),
        ("{Fr. Liam Byrne} came. {Father Liam} spoke. {Liam Walsh} left.", 2),
    ],
)
def test_titles_and_generations_tell_who_is_meant(text: str, persons: int) -> None:
    assert count(text) == persons
