"""What originals tell, read again."""

from __future__ import annotations

from itertools import combinations

import pytest

from sfumato.verify.told import told


@pytest.mark.parametrize(
    ("sort", "spellings"),
    [
        (
            "day",
            ("4 February 1985", "1985-02-04", "February 4th, 1985", "the fourth of February 1985"),
        ),
        ("month", ("February 1985", "Feb 1985", "02/1985")),
        ("year", ("1985", "nineteen eighty-five")),
        ("day of year", ("4 February", "February 4th")),
        ("age", ("56", "aged fifty-six", "56-year-old", "56 years of age", "her 56th birthday")),
        ("amount", ("1,200 mg", "1200 mg")),
        ("place", ("USA", "United States")),
        ("noun", ("tumour", "Tumours")),
    ],
)
def test_spellings_of_one_value_are_the_same(sort: str, spellings: tuple[str, ...]) -> None:
    values = [told(words, sort, None, "text") for words in spellings]
    assert all(one.same_as(other) for one, other in combinations(values, 2))


@pytest.mark.parametrize(
    ("sort", "one", "other"),
    [
        ("day", "4 February 1985", "5 February 1985"),
        ("amount", "5 mg", "5 kg"),
        ("amount", "1.5 mg", "2 mg"),
        ("age", "aged 56", "aged 57"),
        ("place", "Tartu", "Estonia"),
        ("noun", "dog", "cat"),
    ],
)
def test_different_values_are_not_the_same(sort: str, one: str, other: str) -> None:
    assert not told(one, sort, None, "text").same_as(told(other, sort, None, "text"))


def test_what_may_be_read_in_two_ways_has_both_values_unless_the_text_tells() -> None:
    assert len(told("04/02/1985", "day", None, "text").values) == 2
    assert told("04/02/1985", "day", True, "text") == told("4 February 1985", "day", True, "text")


def test_a_value_of_another_level_is_none() -> None:
    for words, sort in (
        ("1985", "day"),
        ("4 May 1985", "year"),
        ("in her 40s", "age"),
        ("soon", "month"),
    ):
        assert not told(words, sort, None, "text").values


def test_a_bare_number_may_be_an_age_that_is_told_elsewhere() -> None:
    assert told("56", "amount", None, "text").same_as(told("aged 56", "age", None, "text"))


def test_synonyms_are_one_word_for_who_runs_the_program() -> None:
    one, other = (told(words, "noun", None, "program") for words in ("Car", "automobile"))
    assert one.same_as(other)
