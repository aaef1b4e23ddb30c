"""What people are called leads to their place, and a place to what they are called."""

from __future__ import annotations

import pytest

from sfumato.english.demonyms import demonyms, places_of

PAIRS = [
    line.strip().split(": ")
    for line in """
    england: Englishman
    wales: Welshwoman
    cornwall: Cornishman
    yorkshire: Yorkshirewoman
    manchester: Mancunian
    liverpool: Scouser
    bavaria: Bavarian
    saxony: Saxon
    tuscany: Tuscan
    burgundy: Burgundian
    sicily: Sicilian
    crete: Cretan
    bologna: Bolognese
    naples: Neapolitan
    prague: Praguer
    berlin: Berliner
    vancouver: Vancouverite
    honduras: Honduran
    kansas: Kansan
    ohio: Ohioan
    new york: New Yorker
    costa rica: Costa Rican
    sao paulo: Paulistano
    quebec: Québécois
    germany: German
    normandy: Norman
    panama: Panamanian
    somalia: Somali
    el salvador: Salvadorans
    azerbaijan: Azeri
    saudi arabia: Saudis
    bosnia and herzegovina: Bosnian
    bosnia: Bosnian
    togo: Togolese
    bahamas: Bahamian
    barbados: Barbadian
    trinidad: Trinidadian
    united arab emirates: Emirati
    dominican republic: Dominican
    south korea: Koreans
    cambodia: Khmer
    hungary: Magyars
    cook islands: Cook Islander
    cabo verde: Cape Verdean
    democratic republic of the congo: Congolese
""".strip().splitlines()
]


@pytest.mark.parametrize(("place", "people"), PAIRS)
def test_a_place_and_its_people_tell_each_other(place: str, people: str) -> None:
    assert place in set(places_of(people))
    assert people.lower().replace("é", "e") in set(demonyms(place))


@pytest.mark.parametrize(
    ("several", "place"),
    [
        ("Londoners", "london"),
        ("Frenchmen", "france"),
        ("Irishwomen", "ireland"),
        ("Finns", "finland"),
    ],
)
def test_several_of_them_tell_it_as_well(several: str, place: str) -> None:
    assert place in set(places_of(several))


def test_a_word_of_two_words_is_not_the_word_of_either() -> None:
    assert "new zealand" not in set(places_of("New"))


@pytest.mark.parametrize(
    "place",
    ["Germany", "Texas", "Mali", "Peru", "Sierra Leone", "Faroe Islands", "Oman", "Rome", "Saxony"],
)
def test_whatever_a_place_makes_of_its_people_leads_back_to_it(place: str) -> None:
    assert all(place.lower() in set(places_of(people)) for people in demonyms(place))
