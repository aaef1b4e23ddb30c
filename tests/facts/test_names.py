"""How names may be read, and which readings fit."""

from __future__ import annotations

import pytest

from sfumato.facts.names import merged, name_readings


@pytest.mark.parametrize(
    ("name", "given", "family"),
    [
        ("Anna Keller", "anna", "keller"),
        ("Keller, Anna", "anna", "keller"),
        ("AL-SAYED, Ahmed", "ahmed", "sayed"),
        ("MAC DONALD, Arthur", "arthur", "macdonald"),
        ("KELLER ANNA", "anna", "keller"),
        ("Robert St. John", "robert", "john"),
        ("Von Stein O.", "o", "stein"),
        ("Ludwig van Beethoven", "ludwig", "beethoven"),
        ("Mrs Torres-Webb", "", "torres webb"),
        ("Anna E Keller", "anna e", "keller"),
        ("DI Frost", "", "frost"),
    ],
)
def test_the_likeliest_reading(name: str, given: str, family: str) -> None:
    first = name_readings(name)[0]
    assert " ".join(min(words) for words in first.given) == given
    assert " ".join(word for words in first.families for word in words) == family


@pytest.mark.parametrize(
    ("short", "full", "fits"),
    [
        ("Rossi D.", "Daniel Rossi", True),
        ("Rossi M.", "Daniel Rossi", False),
        ("De la Cruz M.", "Maria de la Cruz", True),
        ("de la Cruz", "Penelope Cruz", False),
        ("O Rossi", "Olga Rossi", True),
        ("Sean O Casey", "Sean O'Casey", True),
        ("Webb", "Ann Torres-Webb", False),
        ("Ann Webb", "Ann Torres-Webb", True),
        ("Torres", "Ann Torres Webb", True),
        ("Siu Ming", "Wong Siu-ming", True),
        ("James Thomas", "Thomas James", False),
        ("THOMAS JAMES", "James Thomas", True),
        ("KP", "K. P. Menon", False),  # no letters, but a word
        ("K.P.", "K. P. Menon", True),
    ],
)
def test_a_mention_fits_a_person_in_some_order_of_its_words(
    short: str, full: str, fits: bool
) -> None:
    pairs = ((one, whole) for one in name_readings(short) for whole in name_readings(full))
    assert any(merged(one, whole) for one, whole in pairs) == fits
