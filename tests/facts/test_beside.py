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
