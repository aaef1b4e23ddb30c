"""Somebody lays invented numbers, names and addresses beside what they may stand for: they tell nothing."""

from __future__ import annotations

from importlib import import_module

import pytest

from sfumato import sanitize
from sfumato.keys import Key
from sfumato.protect.replace.codes import code
from sfumato.protect.replace.pools import Draw

NATIONAL = {
    "it.codicefiscale": "RSSMRA85T10A562S",
    "pl.pesel": "44051401359",
    "se.personnummer": "8803200016",
    "no.fodselsnummer": "15108695088",
    "dk.cpr": "2110625629",
    "za.idnr": "7503305044089",
    "be.nn": "85073003328",
    "fr.nir": "295109912611193",
    "at.vnr": "1237010180",
    "es.dni": "54362315K",
    "nl.bsn": "111222333",
}
KEYS = [Key(bytes([number] * 32)) for number in range(60)]


@pytest.mark.parametrize("sort", NATIONAL)
def test_an_invented_national_number_is_valid_and_tells_no_birth_date_or_name(sort: str) -> None:
    original, valid = NATIONAL[sort], import_module(f"stdnum.{sort}").is_valid
    assert valid(original)
    made = [code("NATIONAL_ID", original, Draw(key, original), 0) for key in KEYS]
    assert all(map(valid, made))
    assert sum(number[:3] == original[:3] for number in made) <= 4
    for at in range(len(original)):  # no place keeps its character
        assert len({number[at] for number in made}) > 1


def test_how_often_an_invented_surname_occurs_does_not_tell_the_common_one() -> None:
    given = [
        "Alice",
        "Brian",
        "Carla",
        "David",
        "Emily",
        "Frank",
        "Gita",
        "Henry",
        "Ivan",
        "Julia",
        "Karen",
    ]
    key = KEYS[1]

    def surrogates(surname: str) -> set[str]:
        lines = [f"Patient: {name} {surname}" for name in given]
        return {sanitize(line, "research", key=key).text.split()[-1] for line in lines}

    assert len(surrogates("Smith")) > 3
    assert len(surrogates("Holloway")) == 1


def test_one_person_of_a_common_surname_has_one_surrogate_whatever_the_spelling() -> None:
    text = "Margaret Smith came. Ms Smith, M. Smith and Smith, Margaret are one; peggy.smith@example.com, too."
    told = sanitize(text, "research", key=KEYS[2]).text
    new = told.split()[1]
    assert told.count(new) == 4
    assert new.lower() in told.split("@")[0]
    assert "Smith" not in told
    assert new == sanitize("Seen: Dr Peggy Smith.", "research", key=KEYS[2]).text.split()[-1][:-1]


@pytest.mark.parametrize(
    "street", ["Mill Lane", "Bridge Street", "Church Park Road", "Station Way"]
)
def test_a_street_named_after_a_thing_gets_another_name(street: str) -> None:
    told = sanitize(f"She lives at 7 {street}, Ely.", "research", key=KEYS[3]).text
    assert street.split()[0] not in told
    assert street.split()[-1] in told
