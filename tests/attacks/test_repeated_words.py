"""A word that is hidden as a noun stands nowhere in its release, whatever part of speech it is there."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sfumato import sanitize
from sfumato.document import SORT, Edit, Origin, Record
from sfumato.errors import InputError
from sfumato.verify.edits import originals_gone

TEXTS = [
    ("He was charged with the murder of his wife. Theft and murder were nothing new to him.", "murder"),
    ("His rape of her was proved. Robbery and rape are in his file.", "rape"),
    ("Her divorce was hard. Debt and divorce ruined her.", "divorce"),
    ("He is a schizophrenic. My son and schizophrenic brother came with a fever.", "schizophrenic"),
    ("She hates the abuse. They Abuse him. He abuses heroin, and has cancer.", "abuse"),
    ("He told of a murder. Murder mystery books and heroin are all he has.", "murder"),
]  # fmt: skip
POLICIES: dict[str, Any] = {
    "plausible": "plausible",
    "auto": {"protect": [{"plausibility": {"t": 4}}]},
    "nouns": {"detect": [], "protect": [{"plausibility": {"t": 2, "terms": "nouns"}}]},
    "text": {"detect": [], "protect": [{"plausibility": {"t": 4, "adversary": "text"}}]},
}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("text", "word"), TEXTS)
def test_a_noun_hidden_once_is_hidden_everywhere(text: str, word: str, policy: str) -> None:
    try:
        made = sanitize(text, POLICIES[policy])
    except InputError:
        return  # what counts is too little
    said = re.findall(word, text, re.IGNORECASE)
    assert len(re.findall(word, made.text, re.IGNORECASE)) in (0, len(said))
    if policy in ("plausible", "auto"):
        assert word not in made.text.lower()


@pytest.mark.parametrize(
    ("rest", "is_gone"),
    [
        (" Theft and murder.", False),
        (" They murder him.", False),
        (" MURDERS!", False),
        (" Two murders.", False),
        (" A murderer.", True),
        (" They killed.", True),
    ],
)
@pytest.mark.parametrize("is_counted", [True, False])
def test_the_checker_sees_a_noun_that_stands(rest: str, is_gone: bool, is_counted: bool) -> None:
    numbers = {SORT: 1.0} if is_counted else {}
    edit = Edit(2, 8, "TERM", "felony", "", numbers=numbers)
    record = Record("x", Origin(), [edit], ["murder"])
    assert originals_gone("A felony." + rest, record).failed == (is_counted and not is_gone)


def test_a_noun_that_stands_in_a_hidden_name_is_hidden_there_once() -> None:
    names = {"lists": {"hide": [{"kind": "PERSON", "terms": ["Professor Strobel"]}]}}
    policy = {"detect": [names], "protect": [{"plausibility": {"t": 5, "terms": "nouns"}}]}
    made = sanitize("The cat ate. He is a professor. Professor Strobel drank wine.", policy)
    assert "Strobel" not in made.text
