"""What places are called for short."""

from __future__ import annotations

import pytest

from sfumato.english.short_names import places_for_short, short_names


@pytest.mark.parametrize(
    ("place", "short"),
    [
        ("Massachusetts", "ma"), ("the United Kingdom", "gb"), ("Kingdom of Saudi Arabia", "ksa"),
        ("Democratic Republic of the Congo", "drc"), ("Ho Chi Minh City", "hcmc"), ("New Zealand", "nz"),
    ],
)  # fmt: skip
def test_a_place_has_its_code_and_its_initials(place: str, short: str) -> None:
    assert short in short_names(place)


@pytest.mark.parametrize("place", ["New Orleans", "San Diego", "Saint Tropez", "Paris"])
def test_initials_that_say_something_else_are_none(place: str) -> None:
    assert not {"no", "sd", "st", "p"} & {*short_names(place)}


def test_a_code_in_small_letters_is_a_word() -> None:
    assert places_for_short("OH") == ["Ohio"]
    assert not places_for_short("oh")
