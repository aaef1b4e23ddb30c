"""Words that tie dates or numbers together are seen, others are not."""

from __future__ import annotations

import pytest

from sfumato.english.ties import named_days, ties, time_is_told


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


@pytest.mark.parametrize(
    "text",
    [
        "at 73",
        "(60)",
        "in 1985",
        "a decade ago",
        "for a fortnight",
        "that Tuesday",
        "on Boxing Day",
        "in early September",
        "the winter before",
        "her 40th",
        "his fiftieth",
        "in his forties",
        "3/6",
        "three times her age",
        "as a teenager",
        "in sixth grade",
        "12 or 13",
    ],
)
def test_whatever_may_tell_a_time_does(text: str) -> None:
    assert time_is_told(f"It was {text}.", several=False)


@pytest.mark.parametrize(
    "text",
    [
        "under Articles 8 and 13 (Rule 59 § 3)",
        "the Housing Act 1996 and the 1985 Act",
        "with 3 dogs and two lamps",
        "500 mg three times a day",
        "38.5 and 128/83 at 10:30",
        "1,180 ng/mL",
        "a share of 20 %",
        "one of us, before and after",
    ],
)
def test_what_counts_something_else_tells_no_time(text: str) -> None:
    assert not time_is_told(f"It was {text}.", several=False)
