"""Acronyms and short forms of organisations."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.document import Term
from sfumato.facts.organisations import _united, defined, organisations, short_forms


def test_an_acronym_stands_for_the_one_name_it_fits() -> None:
    found = organisations(["Royal Mersey Clinic", "RMC", "R.M.C."])
    assert set(found.values()) == {"royal mersey clinic"}


def test_an_acronym_of_two_names_stands_for_neither() -> None:
    found = organisations(["Royal Mersey Clinic", "Rural Medical Centre", "RMC"])
    assert found["rmc"] == "rmc"


def test_a_legal_form_is_no_part_of_the_name() -> None:
    assert organisations(["Acme Ltd", "Acme"])["acme"] == "acme ltd"
    assert "mersey" in short_forms("mersey clinic ltd")


@pytest.mark.parametrize(
    "mentions",
    [
        (
            "Thames Valley Water Ltd",
            "Thames Valley Water",
            "TVW",
            "Thames Valley Water Limited",
            "TVW's",
        ),
        ("Acme Widgets Ltd", "Acme Widgets", "AW", "ACME WIDGETS LTD.", "the Acme Widgets"),
        ("Hillcrest Primary School", "HPS", "Hillcrest Primary", "Hillcrest"),
        ("Société Générale", "Societe Generale", "SOCIÉTÉ GÉNÉRALE", "SG"),
        ("Marks & Partners", "Marks and Partners", "M&P", "The Marks & Partners Group"),
        ("O'Neill Brothers Inc", "O’Neill Brothers Incorporated", "O’Neill Brothers"),
        ("Northern Arts Council (NAC)", "Northern Arts Council", "N.A.C."),
        ("Northfield Community Hospital", "Northfield Hospital", "NCH"),
        ("Söke Labour Court", "the Labour Court", "Söke Labour Court’s"),
        ("Supreme Court (Högsta domstolen)", "Supreme Court", "Högsta domstolen"),
        ("PKK (the Kurdistan Workers’ Party)", "PKK", "Kurdistan Workers' Party"),
        ("Bright Horizons Care Homes Ltd", "Bright Horizons", "Bright Horizons Care"),
        ("Lindgren & Holm Fastigheter AB", "Lindgren and Holm", "LHF"),
        ("Trans-Sahel Mining Corporation", "Trans-Sahel", "TSMC"),
        ("Fjordtrygd Forsikring ASA", "FF ASA", "FF"),
        ("Royal Mersey Clinic", "The Royal Mersey Clinic", "Royal Mersey Clinic's"),
        ("Brightline Broadband Ltd", "Brightline", "Brightline Broadband", "BBL"),
        ("Hartley & Finch LLP", "Hartley and Finch", "Hartley's"),
    ],
)
def test_these_are_one(mentions: tuple[str, ...]) -> None:
    assert len(set(organisations(mentions).values())) == 1


@pytest.mark.parametrize(
    "mentions",
    [
        ("Acme Ltd", "Acme Inc"),
        ("First Bank of Calabar", "First Bank of Lagos", "First Bank"),
        ("New York Times Company", "New York"),
        ("European Court of Justice", "European Court"),
        ("Marks & Partners", "Parks & Martners"),
        ("Bank of Estonia", "Bank of Latvia"),
        ("University of York", "York University Press"),
        ("Hillcrest Primary School", "Hillcrest Secondary School"),
        ("City Council", "County Council"),
        ("Supreme Administrative Court", "Administrative Court"),
        ("Kestrel Aviation", "Kestrel Motors", "Kestrel"),
        ("Leeds Building Society", "Leeds"),
        ("Friends of the Earth", "Friends"),
    ],
)
def test_these_are_as_many_as_they_are(mentions: tuple[str, ...]) -> None:
    assert len(set(organisations(mentions).values())) == len(mentions)


def test_what_stands_in_brackets_is_another_name() -> None:
    text = "Deutsche Bahn (DB), the Post (“Royal Mail”), High Court (Hovrätten), York (Mill Bank), Bank (Köln)"
    names = (
        "Deutsche Bahn",
        "DB",
        "Post",
        "Royal Mail",
        "High Court",
        "Hovrätten",
        "York",
        "Mill Bank",
        "Bank",
        "Köln",
    )
    places = [(text.rindex(n), text.rindex(n) + len(n)) for n in names]
    assert [*defined(text, [Term(a, b, "ORG", 1.0, "") for a, b in places])] == [
        (0, 1),
        (2, 3),
        (4, 5),
    ]
    assert organisations(names, [("deutsche bahn", "db")])["db"] == "deutsche bahn"


@pytest.mark.parametrize(
    ("marked", "inside"),
    [
        ("{Northstar Logistics Limited} (“{Northstar}” or “{NLL}”)", ["Northstar", "NLL"]),
        ('{Northstar Logistics} (hereinafter "{Northstar}" or "the Company")', ["Northstar"]),
        ('{Midshires Building Society} ("the {Society}", {MBS})', ["Society", "MBS"]),
        ("{Fjord Forsikring ASA} ({FFA}; '{Fjord}')", ["FFA", "Fjord"]),
        ("{Svenska Dagbladet} ({SvD})", ["SvD"]),
        ("{Mill Bank} (of {York} and {Hull})", []),
        ("{Mill Bank} ({York}, {Hull})", []),
    ],
)
def test_several_names_may_stand_in_brackets(marked: str, inside: list[str]) -> None:
    text, terms = "", []
    for at, part in enumerate(re.split("[{}]", marked)):
        terms += [Term(len(text), len(text) + len(part), "ORG", 1.0, "")] if at % 2 else []
        text += part
    assert [terms[other].of(text) for _, other in defined(text, terms)] == inside


def test_names_that_share_a_common_word_are_two() -> None:
    found = organisations(["Northern Health Trust", "Southern Health Trust", "Health Trust"])
    assert len(set(found.values())) == 3


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef"))))
def test_pairs_that_are_one_mean_what_the_first_does(same: list[tuple[str, str]]) -> None:
    names = dict(zip("abcdef", "aabbcc", strict=True))
    plain = dict(names)
    for one, other in same:
        plain |= {name: plain[one] for name, meant in plain.items() if meant == plain[other]}
    assert _united(names, same) == plain
