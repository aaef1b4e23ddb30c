"""Words that tie dates or numbers together are seen, others are not."""

from __future__ import annotations

import pytest

from sfumato.english.ties import named_days, ties


def tying(text: str, dates: bool) -> list[str]:
    return [text[a:b] for a, b in ties(text, dates)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("on his 21st birthday", ["21st birthday"]),
        ("Their Tenth Anniversary came", ["Tenth Anniversary"]),
        ("two anniversaries, a golden wedding", ["anniversaries", "golden wedding"]),
        ("Ann came of age, Tom turned eighteen", ["came of age", "turned"]),
        ("on the very same day a year later", ["on the very same day"]),
        ("Birthday: 3 May 1980", []),
        ("her birthday is in May", []),
        ("he turned left and then turned 90%", []),
    ],
)
def test_what_tells_one_date_by_another(text: str, found: list[str]) -> None:
    assert tying(text, dates=True) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("he was 26 when his sister was born", ["when his sister was born"]),
        ("26 at her birth", ["at her birth"]),
        ("Together, they are 78", ["Together"]),
        ("they are 78 in total", ["in total"]),
        ("they came together and left", []),
        ("she was left in the cold", []),
    ],
)
def test_what_tells_one_number_by_another(text: str, found: list[str]) -> None:
    assert tying(text, dates=False) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("That Monday it rained, on Boxing Day", ["Monday", "Boxing Day"]),
        ("New Year’s Eve, or Valentine's Day", ["New Year’s Eve", "Valentine's Day"]),
        ("Easter Monday and Good Friday", ["Easter Monday", "Good Friday"]),
        ("every Monday, on Tuesdays, in sunday best", []),
    ],
)
def test_days_that_have_a_name(text: str, found: list[str]) -> None:
    assert [text[a:b] for a, b in named_days(text)] == found
