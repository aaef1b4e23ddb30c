"""The dates of a life: the birth and the event, told by words and place, never by value."""

from __future__ import annotations

import re

import pytest

from sfumato.document import Term
from sfumato.facts.lives import birth_and_event
from sfumato.facts.understanding import understand


def roles(marked: str) -> list[str] | None:
    """The birth and the event of a text whose dates stand in «»."""
    text = re.sub("[«»]", "", marked)
    terms = [
        Term(m.start() - 2 * n, m.end() - 2 * n - 2, "DATE", 1.0, "")
        for n, m in enumerate(re.finditer("«(.+?)»", marked))
    ]
    found = birth_and_event(text, understand(text, terms))
    return [f.mentions[0].of(text) for f in found] if found else None


@pytest.mark.parametrize(
    "marked",
    [
        "He was born in the year «1985» and admitted in the year «2019».",
        "DOB: «1985», seen «2019».",
        "Date of birth («1985»); admitted «2019».",
        "Seen «2019». D.O.B. «1985».",
        "| Birth date | «1985» | \n| Visit | «2019» |",
        "Ann Lee (b. «1985») came in «2019».",
    ],
)
def test_a_birth_is_told_by_the_words_before_it(marked: str) -> None:
    assert roles(marked) == ["1985", "2019"]


@pytest.mark.parametrize(
    "marked",
    [
        "Seen «1985» and «2019».",
        "Born «1985».",
        "Born «1985», her son was born in «2011», seen «2019».",
    ],
)
def test_without_exactly_one_birth_and_another_date_there_is_no_pair(marked: str) -> None:
    assert roles(marked) is None


def test_the_event_is_the_first_other_date_whatever_its_value() -> None:
    assert roles("Born «1985», seen «2019», again «2001».") == ["1985", "2019"]
    assert roles("Born «1985», seen «1901», again «2001».") == ["1985", "1901"]


def test_several_spellings_of_the_birth_are_one_date() -> None:
    assert roles("Born «4 February 1985», DOB «1985-02-04», seen «2019».") == [
        "4 February 1985",
        "2019",
    ]
