"""Numbers and days in words are found where they tell something, and prose is left alone."""

from __future__ import annotations

import pytest

from sfumato import detect
from sfumato.document import Term

RULES = {"detect": ["patterns"]}


def found(text: str) -> list[tuple[str, str]]:
    def said(term: Term) -> tuple[str, str]:
        return term.kind, term.of(text)

    return [said(term) for term in detect(text, RULES)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Call me on oh seven seven double-oh nine hundred three one eight.", "PHONE"),
        ("My number is five five five, oh one four two.", "PHONE"),
        ("Ring plus four four seven seven double oh nine hundred one two three.", "PHONE"),
        ("Her social security number is oh seven eight, oh five, one one two oh.", "SSN"),
        (
            "The card is four one one one, one one one one, one one one one, one one one one.",
            "CARD",
        ),
        ("She was born on the third of June nineteen seventy-two.", "DATE"),
        ("Seen on June the twenty-first.", "DATE"),
        ("BOLA: Nineteen eighty-four. I was young.", "DATE"),
        ("He left in two thousand and four.", "DATE"),
        ("We have been here since nineteen oh-five.", "DATE"),
        ("Call ０７７００ ９００３１８ now.", "PHONE"),
    ],
)
def test_what_is_said_in_words_is_found(text: str, kind: str) -> None:
    assert kind in [k for k, _ in found(text)]


@pytest.mark.parametrize(
    "text",
    [
        "One or two of the three came, four or five stayed.",
        "He read Nineteen Eighty-Four twice.",
        "Two thousand people came.",
        "She counted one two three four five six seven.",
        "They won three two, then one nil, then four three.",
        "On the ninth floor, the second door.",
        "Chapters one, two, three and four are short.",
        "Five, six, seven, eight!",
    ],
)
def test_prose_stays(text: str) -> None:
    assert [k for k, _ in found(text) if k in ("PHONE", "SSN", "CARD")] == []


@pytest.mark.parametrize(
    "text",
    [
        "Nineteen eighty-cent stamps.",
        "By twenty twenty-pound notes.",
        "In two thousand years.",
        "In twenty ways.",
    ],
)
def test_what_is_counted_is_no_year(text: str) -> None:
    assert found(text) == []
