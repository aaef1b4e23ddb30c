"""The parts of a text within which a guarantee is to hold."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given

from sfumato.english import units
from tests.strategies import mixed_text

NOTE = "Summary\nDr. Wu saw her on 3 May. She slept.\n\nPLAN:\n- rest\n- tea e.g. at 5 p.m. today\n"


def cut(text: str, unit: units.Unit) -> list[str]:
    return [text[a:b] for a, b in units.spans(text, unit)]


def test_a_sentence_ends_at_a_stop_but_not_at_an_abbreviation_or_in_a_list() -> None:
    assert cut(NOTE, "sentence") == [
        "Summary",
        "Dr. Wu saw her on 3 May.",
        "She slept.",
        "PLAN:",
        "- rest",
        "- tea e.g. at 5 p.m. today",
    ]


def test_a_long_line_goes_on_in_the_next() -> None:
    text = "The first line of this paragraph is wrapped by its author at\nSeventy columns."
    assert len(cut(text, "sentence")) == 1


def test_paragraphs_stand_between_blank_lines() -> None:
    assert [p[:7] for p in cut(NOTE, "paragraph")] == ["Summary", "PLAN:\n-"]


def test_sections_begin_with_their_headings() -> None:
    assert [p.split("\n")[0] for p in cut(NOTE, "section")] == ["Summary", "PLAN:"]
    assert cut("# One\na\n# Two\nb", "section") == ["# One\na", "# Two\nb"]


@pytest.mark.parametrize("unit", ["sentence", "paragraph", "section", "document"])
def test_an_empty_text_has_no_units(unit: units.Unit) -> None:
    assert cut(" \n ", unit) == []


@given(mixed_text)
def test_units_keep_every_character_that_is_no_space(text: str) -> None:
    for unit in ("sentence", "paragraph", "section", "document"):
        spans = units.spans(text, unit)
        assert all(a < b for a, b in spans)
        assert all(b <= c for (_, b), (c, _) in pairwise(spans))
        assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())


@pytest.mark.parametrize(
    "before", ["", "It rained. ", "“", "Plan:\n- ", "\n2. ", "Really?) “", "x\n\n"]
)
def test_a_sentence_begins_after_a_stop_a_line_or_a_bullet(before: str) -> None:
    assert units.begins_sentence(f"{before}She left.", len(before))


@pytest.mark.parametrize("before", ["Then ", "Dr ", "well, ", "(as ", "10.5 mg of "])
def test_no_sentence_begins_within_one(before: str) -> None:
    assert not units.begins_sentence(f"{before}She left.", len(before))
