from __future__ import annotations

import hashlib

import pytest

from sfumato.english import ordinary
from sfumato.english.dates import MONTHS, WEEKDAYS
from sfumato.english.ordinary import is_ordinary


@pytest.mark.parametrize("word", ["rose", "mark", "patient", "a", "7", "365", "é"])
def test_words_short_numbers_and_single_characters_are_ordinary(word: str) -> None:
    assert is_ordinary(word)


@pytest.mark.parametrize("word", ["keller", "smith", "okafor", "1984", "x7", "Rose"])
def test_names_codes_and_long_numbers_are_not(word: str) -> None:
    assert not is_ordinary(word)


@pytest.mark.parametrize("word", [*MONTHS, *WEEKDAYS])
def test_months_and_days_are_ordinary_however_they_are_written(word: str) -> None:
    assert is_ordinary(word.lower())


def test_the_list_holds_folded_words_and_is_known_by_its_hash() -> None:
    known = ordinary._words()
    assert len(known) > 30_000
    assert all(w.isascii() and w.isalpha() and w.islower() for w in known)
    both = ordinary.word_data("words.txt.gz") + ordinary.word_data(ordinary.SMALL)
    assert ordinary.digest() == hashlib.sha256(both).hexdigest()
