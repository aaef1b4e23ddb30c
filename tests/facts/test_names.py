"""How names may be read, and which readings fit."""

from __future__ import annotations

import pytest

from sfumato import sanitize
from sfumato.facts.names import keys_of, merged, name_readings, searched


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
        ("Webb", "Ann Torres-Webb", True),
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


@pytest.mark.parametrize("many", [2, 12, 13, 40])
@pytest.mark.parametrize("joint", [" ", ""])
def test_any_number_of_initials_in_a_row_is_read(many: int, joint: str) -> None:
    letters = joint.join(f"{chr(ord('A') + at % 26)}." for at in range(many))
    for text in (f"Present: {letters} Apologies: Anna Keller.", f"Dear {letters} Keller"):
        assert "Keller" not in sanitize(text).text
    for reading in name_readings(letters):
        assert keys_of(reading)
        assert list(searched(reading))
