"""What stands may tell a time, an age or what sort of place is meant: by a number, a name or a word of WordNet."""

from __future__ import annotations

import pytest

from sfumato.english.ties import times_told, words_of_lands
from sfumato.know.taxonomy import telling, wordnet


def tells_time(text: str) -> bool:
    return any(
        True for found in (times_told(text), telling.words_telling(text, "time")) for _ in found
    )


def tells_place(text: str) -> bool:
    found = words_of_lands(text), telling.words_telling(text, "place")
    return any(True for some in found for _ in some)


@pytest.mark.parametrize(
    "text",
    [
        "at 73",
        "(60)",
        "in 1985",
        "a decade ago",
        "for a fortnight",
        "that Tuesday",
        "on Tuesdays",
        "done weekly",
        "at the weekend",
        "on the first of the month",
        "on the last day of the year",
        "12 h later",
        "at 10:30",
        "on Boxing Day",
        "in early September",
        "the winter before",
        "her 40th",
        "his fiftieth",
        "in his forties",
        "3/6",
        "three times her age",
        "as a teenager",
        "a baby",
        "a minor",
        "an adult",
        "two toddlers",
        "a pensioner",
        "a schoolboy",
        "the youngest",
        "a twin",
        "in sixth grade",
        "12 or 13",
    ],
)
def test_whatever_may_tell_a_time_or_an_age_does(text: str) -> None:
    assert tells_time(f"It was {text}.")


@pytest.mark.parametrize(
    "text",
    [
        "under Articles 8 and 13 (Rule 59 § 3)",
        "the Housing Act 1996 and the 1985 Act",
        "with 3 dogs and two lamps",
        "500 mg by mouth",
        "38.5 and 128/83",
        "1,180 ng/mL",
        "a share of 20 %",
        "one of us, before and after",
        "what he may march to",
    ],
)
def test_what_counts_something_else_tells_no_time(text: str) -> None:
    assert not tells_time(f"It was {text}.")


@pytest.mark.parametrize(
    "text",
    [
        "the capital",
        "the biggest city",
        "the third largest",
        "the northernmost",
        "a village on the coast",
        "an island",
        "an Estonian",
        "London",
        "said in Urdu",
        "said in Igbo",
        "300 złoty",
        "the Government",
    ],
)
def test_whatever_may_tell_a_place_does(text: str) -> None:
    assert tells_place(f"It was {text}.")


@pytest.mark.parametrize("text", ["a table", "the man", "or me", "almost a car", "In the end"])
def test_what_is_no_place_tells_none(text: str) -> None:
    assert not tells_place(f"It was {text}.")


def test_what_tells_something_lies_below_all_that_may() -> None:
    above = wordnet.default().subsumers_of
    for dimension in telling.DIMENSIONS:
        mask, upper = telling.mask(dimension), telling.mask_above(dimension)
        assert (upper[mask]).all()
        assert all(upper[n] for word in ("baby", "capital", "Monday") for s in wordnet.default().senses(word)
                   if mask[s.key] for n in above(s.key))  # fmt: skip
