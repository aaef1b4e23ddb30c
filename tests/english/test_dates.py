"""Dates are read as people write them. How they are written again is shown by the methods that move them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.english.dates import EPOCH, day_first, read_day, year_of
from tests.strategies import any_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("seen 05/06/2024", None),
        ("seen 13/02/2025 and 05/06/2024", True),
        ("seen 02/13/2025 and 05/06/2024", False),
        ("version 1.13.2, 192.168.13.2", None),
    ],
)
def test_the_document_tells_whether_the_day_comes_first(text: str, expected: bool | None) -> None:
    assert day_first(text) is expected


@given(
    st.dates(date(1000, 1, 1), date(2999, 12, 31)),
    st.sampled_from(["%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%A, %d %B %Y", "%d-%b-%Y", "%Y%m%d"]),
)
def test_a_day_is_read_as_people_write_it_and_in_its_form(day: date, form: str) -> None:
    text = f"{day:{form}}"
    assert read_day(text) == read_day(text, form) == (day - EPOCH).days
    assert year_of(text) == day.year


@pytest.mark.parametrize(
    "text", ["", "May", "May 2004", "2004", "30 February 2004", "12-14 May 2004"]
)
def test_what_is_no_single_day_is_not_read_as_one(text: str) -> None:
    assert read_day(text) is None


@given(any_text)
def test_any_text_is_a_day_or_none(text: str) -> None:
    found = read_day(text)
    assert found is None or abs(found) < 4_000_000
