"""Hidden places that are told all the same."""

from __future__ import annotations

import pytest

from sfumato.document import GENERALISE, Edit, Origin, Record
from sfumato.know.taxonomy import places
from sfumato.verify.edits import originals_gone


def released(*parts: str | tuple[str, str, str] | tuple[str, str, str, str]) -> tuple[str, Record]:
    """A release of texts that are kept, and of originals with their kind, their replacement and, where it is
    a place, the name of that."""
    text, at, edits, originals = "", 0, [], []
    for part in parts:
        if isinstance(part, str):
            text, at = text + part, at + len(part)
            continue
        original, kind, shown, *place = part
        concept = places.default().senses(place[0])[0].concept if place else ""
        how = GENERALISE if place else "label"
        edits.append(Edit(at, at + len(original), kind, shown, "", how, concept=concept))
        originals.append(original)
        text, at = text + shown, at + len(original)
    return text, Record("t", Origin(), tuple(edits), tuple(originals))


@pytest.mark.parametrize(
    ("hidden", "kind", "shown", "tells"),
    [
        ("Republic of Estonia", "ORG", "Estonia", True), ("Kent County Council", "ORG", "Kent", True),
        ("14 Pikk Street, Tallinn, Estonia", "ADDRESS", "Estonia", True),
        ("9 Main Street, Austin, Texas 78701", "ADDRESS", "Harris County", True),
        ("visitestonia.com", "URL", "Estonia", True), ("ann@Scotland.example", "EMAIL", "Scotland", True),
        ("Bank of England", "ORG", "United Kingdom", False), ("Tartu Hospital", "ORG", "Estonia", False),
        ("Estonia", "PERSON", "Tartu", True), ("Jordan", "PERSON", "Amman", False),
        ("Council of Europe", "ORG", "Northern Europe", False), ("3 March 2024", "DATE", "England", False),
    ],
)  # fmt: skip
def test_no_general_word_lies_in_a_place_that_an_original_names(
    hidden: str, kind: str, shown: str, tells: bool
) -> None:
    made = released((hidden, kind, "[X]"), " and ", ("Somewhere", "LOC", shown, shown))
    assert originals_gone(*made).failed == tells


@pytest.mark.parametrize(
    ("hidden", "kept", "tells"),
    [
        ("United States", "said US twice", True), ("United States", "told us twice", False),
        ("United States", "SAID US TWICE", False), ("Texas", "the TX office", True),
        ("Los Angeles", "in L.A. then", True), ("California", "CA 125 was high", False),
        ("Oregon", "lives in OR now", True), ("Oregon", "now or never, the OR nurse", False),
        ("Estonia", "the Estonian woman", True), ("Tartu, Estonia", "Estonians say", True),
        ("Nice", "a nice Nice day", True), ("Wien", "in Vienna", True),
        ("Panama", "a Panamanian", True), ("Bosnia", "Bosnians say", True), ("Togo", "Togolese", True),
        ("France", "the Parisian left", True), ("Germany", "two Bavarians", True), ("Italy", "a Texan", False),
        ("France", "a Parisian-born cook", True), ("France", "the Parisian’s car", True),
        ("France", "ex-Parisian", True), ("France", "a Parisian.Then", True), ("France", "a Milan-born", False),
        ("United States", "many New Yorkers", True), ("United States", "an Indian", False),
        ("England", "the English say", True), ("England", "plain english words", False),
        ("Poland", "two Poles", True), ("Poland", "tent poles", False), ("Britain", "the Brits", True),
        ("Bosnia and Herzegovina", "in Bosnia", True), ("Brighton & Hove", "Hove is calm", True),
        ("North Macedonia", "in Macedonia", True), ("UAE", "the Emirates", True),
        ("DR Congo", "the Congo", True), ("Oklahoma City", "in OKC", True),
        ("Buckinghamshire", "in Bucks", True), ("Buckinghamshire", "ten bucks", False),
    ],
)  # fmt: skip
def test_no_other_name_of_a_hidden_place_stands(hidden: str, kept: str, tells: bool) -> None:
    made = released(("Ann", "PERSON", "[X]"), f" {kept} ", (hidden, "LOC", "[Y]"))
    assert originals_gone(*made).failed == tells
    assert not originals_gone(*made, place_stands=lambda _: True).failed


@pytest.mark.parametrize(
    ("kept", "number", "tells"),
    [
        (" Had a CT ", "3 May", False), (" Had a CT: ", "3 May", False), (" Had a CT-", "3 May", False),
        (" Gone to CT ", "3 May", True), (" Ames, CT ", "06511", True), (" Had a CT ", "May 3", True),
        (" A CT was done ", "3 May", True),
    ],
)  # fmt: skip
def test_letters_before_a_hidden_number_are_a_code_where_no_word_says_where(
    kept: str, number: str, tells: bool
) -> None:
    made = released(("Connecticut", "LOC", "[X]"), kept, (number, "DATE", "[Y]"))
    assert originals_gone(*made).failed == tells


@pytest.mark.parametrize(
    ("before", "hidden", "kind", "kept", "tells"),
    [
        ("v. ", "Poland", "ORG", "the Polish side", True), ("v. ", "TURKEY", "PERSON", "a Turkish man", True),
        ("at the ", "Embassy of Kenya", "ORG", "Kenyans", True), ("", "Bank of Ireland plc", "ORG", "Irish", True),
        ("versus ", "Chad", "PERSON", "the Chadian side", True), ("", "Nowak v Spain", "MISC", "Spanish", True),
        ("saw ", "Chad", "PERSON", "a Chadian house", False), ("", "Jordan Ltd", "ORG", "Jordanian", False),
    ],
)  # fmt: skip
def test_a_country_that_a_name_is_or_is_of_is_hidden_too(
    before: str, hidden: str, kind: str, kept: str, tells: bool
) -> None:
    made = released(("Ann", "PERSON", "[X]"), f" {before}", (hidden, kind, "[Y]"), f" and {kept}")
    assert originals_gone(*made).failed == tells
    assert not originals_gone(*made, place_stands=lambda _: True).failed
