"""Somebody lays invented numbers, names and addresses beside what they may stand for: they tell nothing."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from sfumato import sanitize, sanitize_many
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


PERSONS = [
    ("Grace", "Smith", "Ms"),
    ("Peter", "Brown", "Mr"),
    ("Fatima", "Taylor", "Ms"),
    ("Amara", "Ward", "Ms"),
    ("Tomasz", "Bishop", "Mr"),
    ("Priya", "O'Brien", "Ms"),
]
SPELLINGS = (
    "{given} {family} attended the clinic.",
    "We wrote to {title} {family} about the scan.",
    "Signed by {letter}. {family} in person.",
    "PATIENT: {GIVEN} {FAMILY}\nNo change.",
    "{given} {family}'s brother came along.",
    "Please write to {mail}@example.org about it.",
)


@pytest.mark.parametrize("turn", range(len(SPELLINGS)))
def test_a_person_has_one_surrogate_in_a_folder_whatever_the_spelling_and_the_order(
    turn: int,
) -> None:
    """Each file tells a person in one way alone, and any of them may be read first."""
    for given, family, title in PERSONS:
        frames = SPELLINGS[turn:] + SPELLINGS[:turn]
        mail = f"{given}.{family}".lower().replace("'", "")
        said = {"given": given, "family": family, "title": title, "letter": given[0], "mail": mail}
        said |= {"GIVEN": given.upper(), "FAMILY": family.upper()}
        texts = [frame.format(**said) for frame in frames]
        released = [made.text for made in sanitize_many(texts, "research", key=KEYS[3])]
        new = {
            re.sub("[^a-z]", "", told.lower())
            for made in released
            for pair in re.findall(
                r"(\S+)(?:'s brother| attended| about the| in person|\nNo)|\.(\S+)@", made
            )
            for told in pair
            if told
        }
        assert len(new) == 1, (family, released)


def test_two_of_a_common_surname_stay_two_and_a_bare_one_is_the_first() -> None:
    texts = ["Mr Smith came.", "Anna Smith came.", "Peter Smith came.", "Mr Smith left."]
    made = [r.text.split()[-2] for r in sanitize_many(texts, "research", key=KEYS[1])]
    assert made[0] == made[1] == made[3] != made[2]
