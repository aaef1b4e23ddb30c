"""Acronyms and short forms of organisations."""

from __future__ import annotations

from sfumato.facts.organisations import organisations, short_forms


def test_an_acronym_stands_for_the_one_name_it_fits() -> None:
    found = organisations(["Royal Mersey Clinic", "RMC", "R.M.C."])
    assert set(found.values()) == {"royal mersey clinic"}


def test_an_acronym_of_two_names_stands_for_neither() -> None:
    found = organisations(["Royal Mersey Clinic", "Rural Medical Centre", "RMC"])
    assert found["rmc"] == "rmc"


def test_a_legal_form_is_no_part_of_the_name() -> None:
    assert organisations(["Acme Ltd", "Acme"])["acme"] == "acme ltd"
    assert "acme" in short_forms("acme ltd")


def test_names_that_share_a_common_word_are_two() -> None:
    found = organisations(["Northern Health Trust", "Southern Health Trust", "Health Trust"])
    assert len(set(found.values())) == 3
