"""Who of one family name are two, by the words around."""

from __future__ import annotations

import re

import pytest

from sfumato import sanitize


def persons(text: str) -> list[str]:
    return re.findall(r"\[PERSON (\d)\]", sanitize(text).text)


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("Emily Carter, aged 9, attended with her mother. Mrs Carter reports that Emily fell.", "121"),
        ("Liam Walsh (6) attended with his father. Mr Walsh reports that Liam fell.", "121"),
        ("Noah Khan is in year 4. Noah's dad, Dr Khan, is the governor.", "112"),
        ("Patient Karen White, 54, was seen by Dr White. Karen is well.", "121"),
        ("Rosa Martinez came with her son. Seen by Dr. Martinez, who is not related.", "12"),
        ("Hakan Yildiz came with his wife. Mrs Yildiz asked for a leaflet.", "12"),
        ("I, Dave Singh, bought a car from Harpreet Singh. Mr Singh said it was new.", "123"),
        ("Thank you for seeing Rosa Ali. Mrs Ali has diabetes.\n\nYours sincerely,\nDr Ali", "112"),
        ("Anna Fischer lives with her parents. Mr Fischer works; Mrs Fischer is at home.", "123"),
        ("Dear Ms Turner,\nGrace has been off school. Grace Turner is missed.", "122"),
    ],
)  # fmt: skip
def test_persons_of_one_family_name_are_two_where_the_words_say_so(text: str, who: str) -> None:
    assert "".join(persons(text)) == who


@pytest.mark.parametrize(
    "text",
    [
        "John Smith, 54, attended with his wife. Mr Smith reports pain.",
        "Mrs Anna Fischer came. Mrs Fischer reports pain.",
        "Karen White gave the lecture. Dr White answered questions.",
        "Patient Karen White, 54. Mrs White is well.",
        "Emily Carter, aged 9, was seen. Miss Carter fell.",
    ],
)
def test_a_name_with_a_title_is_of_whom_it_fits_else(text: str) -> None:
    assert {*persons(text)} == {"1"}
