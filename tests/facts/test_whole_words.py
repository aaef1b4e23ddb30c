"""No edit ends inside a word, a number, an address or a compound."""

from __future__ import annotations

import pytest

from sfumato.document import Document, Term
from sfumato.facts.mentions import SPREAD
from sfumato.facts.whole_words import whole_words


def widened(text: str, *found: str, kind: str = "MISC", keeps: str = "") -> list[str]:
    terms = [Term(at := text.index(said), at + len(said), kind, 1.0, "") for said in found]
    return [t.of(text) for t in whole_words(Document(text), terms, lambda k: k == keeps)]


@pytest.mark.parametrize(
    ("text", "found", "whole"),
    [
        ("AFP 1,180 ng/mL", "180", "1,180"),
        ("pH 7.35 today", "7", "7.35"),
        ("her brother-in-law came", "law", "brother-in-law"),
        ("her mother-in-law came", "mother", "mother-in-law"),
        ("a non-smoker", "smoker", "non-smoker"),
        ("Mrs Holloway-Okoro left", "Holloway", "Holloway-Okoro"),
        ("Mrs Holloway-Okoro left", "Okoro", "Holloway-Okoro"),
        ("a Leeds-based firm", "Leeds", "Leeds"),
        ("a Nigerian-born nurse", "Nigerian", "Nigerian"),
        ("at Adria d.o.o. now", "o", "d.o.o."),
        ("met O'Brien there", "Brien", "O'Brien"),
        ("met Brien's wife", "Brien", "Brien"),
        ("ask s.lee@example.org now", "lee", "s.lee@example.org"),
        ("ask s.lee@example.org now", "example", "s.lee@example.org"),
        ("call (0113) 496 0000 now", "0113) 496 0000", "(0113) 496 0000"),
        ("call [0113 (now", "0113", "0113"),
        ("a 67M with pain", "67", "67"),
        ("Cardiology", "ard", "Cardiology"),
    ],
)
def test_a_term_takes_in_the_rest_of_its_words(text: str, found: str, whole: str) -> None:
    assert widened(text, found) == [whole]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("She was at St Mary's.", "St Mary's"),
        ("She was at St Mary's on Monday.", "St Mary's"),
        ("She liked St Mary's staff.", "St Mary"),
    ],
)
def test_a_possessive_with_nothing_owned_belongs_to_the_name(text: str, whole: str) -> None:
    assert widened(text, "St Mary", kind="ORG") == [whole]


def test_a_region_found_in_two_is_hidden_though_the_whole_might_stand() -> None:
    text = "Site: Lagos State"
    found = [Term(6, 11, "LOC", 1.0, "personal"), Term(12, 17, "ORG", 1.0, "personal")]
    made = whole_words(Document(text), found)
    assert [(t.of(text), t.kind, t.detector) for t in made] == [("Lagos State", "LOC", SPREAD)]


def test_terms_that_meet_are_one_and_what_stays_makes_way() -> None:
    assert widened("leads V-A and more", "V", "A") == ["V-A"]
    text = "value 1,180"
    hidden, kept = Term(8, 11, "MISC", 1.0, ""), Term(6, 8, "QUANTITY", 1.0, "")
    made = whole_words(Document(text), [kept, hidden], lambda kind: kind == "QUANTITY")
    assert [(t.of(text), t.kind) for t in made] == [("1,180", "MISC")]


@pytest.mark.parametrize(
    ("kinds", "made"),
    [
        (("ORG", "LOC"), ["ORG"]),
        (("LOC", "ORG"), ["ORG"]),
        (("MISC", "MISC"), ["MISC"]),
        (("LOC", "MISC"), ["LOC"]),
        (("LOC", "LOC"), ["LOC", "LOC"]),  # each has a county of its own
        (("PERSON", "MISC"), ["PERSON", "MISC"]),
        (("MISC", "DATE"), ["MISC", "DATE"]),
    ],
)
def test_a_name_found_in_two_is_one(kinds: tuple[str, str], made: list[str]) -> None:
    text = "at Larkfield Ely"
    terms = [Term(3, 12, kinds[0], 1.0, ""), Term(13, 16, kinds[1], 1.0, "")]
    assert [t.kind for t in whole_words(Document(text), terms)] == made
    apart = [terms[0], Term(14, 17, kinds[1], 1.0, "")]
    assert len(whole_words(Document("at Larkfield, Ely"), apart)) == 2


def test_an_address_is_one_whatever_was_found_in_it() -> None:
    text = "ask 4711@example.org"
    (term,) = whole_words(Document(text), [Term(4, 8, "CODE", 1.0, "")])
    assert (term.kind, term.of(text)) == ("EMAIL", "4711@example.org")
