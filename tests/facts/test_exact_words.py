"""Labels say what a thing is, as plainly as its own words do."""

from __future__ import annotations

import pytest

from sfumato import sanitize
from sfumato.facts.exact_words import exact_word
from sfumato.kinds import KINDS, label_words


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("ST BRANNOC'S GENERAL HOSPITAL", "HOSPITAL"),
        ("Royal Hospital for Sick Children", "HOSPITAL"),
        ("Heavitree Health Centre", "HEALTH CENTRE"),
        ("Whipton Park Academy", "SCHOOL"),
        ("Holy Trinity Church of England Primary School", "SCHOOL"),
        ("University of Leeds", "UNIVERSITY"),
        ("Arizona Department of Insurance", "DEPARTMENT"),
        ("Leeds School of Law", "SCHOOL"),
        ("Friends of the Hospital", "HOSPITAL"),
        ("Barclays Bank plc", "BANK"),
        ("HMP Leeds", "PRISON"),
        ("The King's Arms", "PUB"),
        ("Lindgren AB", "COMPANY"),
        ("Pike & Rowe Solicitors", "LAW FIRM"),
        ("Limited", "ORGANISATION"),
        ("St Mary's", "ORGANISATION"),
        ("", "ORGANISATION"),
    ],
)
def test_an_organisation_is_called_by_the_head_of_its_name(name: str, word: str) -> None:
    assert exact_word("ORG", [name]) == word


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("secondary school teacher", "PROFESSION"),
        ("taxi drivers", "PROFESSION"),
        ("Polish plumber", "PROFESSION"),
        ("Lithuanian", "NATIONALITY"),
        ("British", "NATIONALITY"),
        ("Nigerian-born", "NATIONALITY"),
        ("Muslim", "RELIGION"),
        ("Jewish", "RELIGION"),
        ("Urdu", "LANGUAGE"),
        ("widow", "DETAIL"),
        ("left-handed", "DETAIL"),
        ("²", "DETAIL"),
    ],
)
def test_a_person_is_described_by_what_the_words_are_of(said: str, word: str) -> None:
    assert exact_word("DEM", [said]) == word


def test_the_fullest_mention_says_what_it_is() -> None:
    assert exact_word("ORG", ["Derriford", "Derriford Hospital", "DH"]) == "HOSPITAL"
    assert exact_word("LOC", ["Peru"]) == "COUNTRY"
    assert exact_word("LOC", ["Lima"]) == "PLACE"


def test_every_word_is_one_that_a_label_may_have() -> None:
    words = [word for kind in KINDS for word in label_words(kind)]
    assert not {"DEM", "MISC", "ORG", "LOC", "CODE"} & set(words)
    assert all(word.isupper() and "[" not in word for word in words)


def test_one_thing_keeps_one_word_and_number() -> None:
    rules = {
        "detect": [
            {"lists": {"hide": [{"kind": "ORG", "terms": ["Larkfield Surgery", "Larkfield"]}]}}
        ]
    }
    made = sanitize("Seen at Larkfield Surgery. Larkfield is full.", rules).text
    assert made == "Seen at [SURGERY 1]. [SURGERY 1] is full."
