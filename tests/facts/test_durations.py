"""No hidden date follows from one that stands and from what lies between them."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import sanitize
from sfumato.document import Edit, Origin, Record
from sfumato.english.durations import Duration, durations
from sfumato.facts.durations import _apart, _by_level, _lies_apart, telling_durations
from sfumato.facts.values import Days
from sfumato.verify.between import days_told


def telling(text: str, hidden: str, **numbers: float) -> list[str]:
    """The durations of a text that tell one of its dates."""
    at = text.index(hidden)
    edits = [Edit(at, at + len(hidden), "DATE", "[DATE]", "", numbers=numbers)]
    return [text[t.start : t.end] for t in telling_durations(text, edits)]


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("three weeks", 21), ("21 days", 21), ("twenty-one days", 21), ("a fortnight", 14),
        ("two fortnights", 28), ("14 nights", 14), ("72 hours", 3), ("one week", 7), ("6-week", 42),
    ],
)  # fmt: skip
def test_a_length_of_time_is_one_number_in_all_spellings(words: str, days: int) -> None:
    (found,) = durations(f"after {words} of rest")
    assert (found.least + found.most) / 2 == pytest.approx(days)


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("the next day", 1), ("the following morning", 1), ("3 wks", 21), ("21d", 21), ("day 21", 21),
        ("a couple of weeks", 14), ("15 working days", 21), ("two decades", 7305), ("3/52", 21),
        ("three long weeks", 21), ("the fortnight", 14), ("half a year", 183), ("24hrs", 1), ("x3 weeks", 21),
        ("one and a half years", 548), ("a month and a half", 46), ("a few days", 4), ("several weeks", 30),
        ("overnight", 1), ("the same week", 3), ("week three", 21), ("the day after", 1), ("2-3 weeks", 18),
        ("three whole calendar months", 91), ("the third week", 18), ("another week", 7), ("2 yrs", 731),
    ],
)  # fmt: skip
def test_a_length_of_time_is_understood_in_whatever_words(words: str, days: int) -> None:
    (found,) = durations(f"and {words}, of")
    assert found.least <= days <= found.most
    text = f"Admitted on 3 June 2024 and seen on 24 June 2024, {words}."
    (told,) = telling(text, "24 June 2024", fact=1.0)
    assert words in told or told in words
    assert len(told) >= len(words) - 1


@pytest.mark.parametrize(
    "text",
    [
        "Jim, 56, is two years older than Ann.",
        "Jim, 56, is three full years Ann’s junior.",
        "Jim, 56, is twice her age.",
        "Jim, 56, has half his sister's age.",
        "Jim, 56, has the same age.",
        "Jim, 56, is just as old as Ann.",
        "Jim, 56, and Ann were born 2 yrs apart.",
    ],
)
def test_what_tells_one_age_by_another_is_hidden_with_it(text: str) -> None:
    edits = [Edit(5, 7, "AGE", "50–59", "")]
    (told,) = telling_durations(text, edits)
    assert told.end > told.start > 7
    assert not telling_durations(text, [])


@pytest.mark.parametrize(
    "text",
    [
        "three times a day",
        "once a week",
        "20 mg a day",
        "5 mg/day",
        "year 2019",
        "this morning",
        "three weeks old",
        "weeks",
        "the day",
        "40 years of age",
        "daylight",
    ],
)
def test_ages_and_bare_units_are_no_durations(text: str) -> None:
    assert not list(durations(text))


@pytest.mark.parametrize(
    ("text", "hidden", "expected"),
    [
        (
            "In on 3 June 2024, out three weeks later. Seen 24 June 2024.",
            "24 June 2024",
            ["three weeks"],
        ),
        ("In on 03/06/2024, out 20 days later; 23/06/2024.", "03/06/2024", ["20 days"]),
        ("Hurt on May 2nd; a fortnight on, May 16, better.", "May 16", ["a fortnight"]),
        ("Hurt on 28 December; ten days on, 7 January, better.", "7 January", ["ten days"]),
        ("Moved in 1985. Fourteen years later, in 1999, they left.", "1999", ["Fourteen years"]),
        ("In March 2010 ill, two months before May 2010.", "March 2010", ["two months"]),
        ("In on 3 June 2024; ill for two days. Out 24 June 2024.", "24 June 2024", []),
        ("In on 3 June 2024, out three weeks later.", "3 June 2024", []),
    ],
)
def test_what_lies_between_a_hidden_and_a_standing_date_is_told(
    text: str, hidden: str, expected: list[str]
) -> None:
    assert telling(text, hidden) == expected


def test_where_dates_are_counted_no_duration_depends_on_them() -> None:
    for later in ("24 June 2024", "25 June 2024", "2 July 2024"):
        text = f"In on 3 June 2024, out three weeks later; home {later}."
        assert telling(text, later, fact=1.0) == ["three weeks"]


COUNTED: dict[str, Any] = {"protect": [{"plausibility": {"t": 100}}]}


@pytest.mark.parametrize(
    ("text", "tie"),
    [
        ("Born on 19 August 2017 and seen on 19 August 2024, his seventh birthday.", "birthday"),
        ("They wed on 4 June 2010 and parted on 4 June 2020, their anniversary.", "anniversary"),
        ("Ann was born on 4 June 1970 and came of age on 4 June 1988.", "of age"),
        ("Tom is aged 56 and Ann is aged 30; he was 26 when she was born.", "she was born"),
        ("Tom is 40 and Ann is 38; together they are 78 years old.", "together"),
        ("Seen on 3 June 2024. That Monday it rained. He left on 12 June 2024.", "Monday"),
        ("Seen on 31 October 2023. It was Halloween.", "Halloween"),
        ("He came on 25 December 2023, on Christmas Day.", "Christmas"),
    ],
)
def test_where_values_are_counted_no_word_ties_them(text: str, tie: str) -> None:
    assert tie not in sanitize(text, COUNTED).text


def test_a_year_is_not_told_by_what_a_day_is_called() -> None:
    text = "It happened in 1985, the year of the strike. The church is full at Easter Sunday mass."
    assert (
        "Easter"
        in sanitize(
            text, {"protect": [{"plausibility": {"t": 10}}], "keep": ["Easter Sunday"]}
        ).text
    )


def test_a_single_date_leaves_the_birthday_alone() -> None:
    assert "birthday" in sanitize("Seen on 19 August 2024, his birthday.", COUNTED).text


@given(st.dates(date(1950, 1, 1), date(2030, 1, 1)), st.integers(3, 400), st.booleans())
def test_no_hidden_day_can_be_reckoned(first: date, days: int, forwards: bool) -> None:
    second = first + timedelta(days=days)
    said = [f"{d.day} {d:%B %Y}" for d in (first, second)]
    text = f"It began on {said[0]} and ended {days} days later, on {said[1]}."
    assert telling(text, said[forwards]) == [f"{days} days"]


def test_a_kept_date_and_a_duration_do_not_tell_the_hidden_one() -> None:
    text = "Admitted on 3 June 2024 and discharged three weeks later, on 24 June 2024."
    rules = {"keep": ["3 June 2024"], "protect": ["replace"], "replace": {"*": "label"}}
    shown = sanitize(text, rules).text
    assert "3 June 2024" in shown
    assert not re.search("week|24 June", shown), shown
    for adversary in ("program", "text"):
        counted = {"protect": [{"plausibility": {"t": 20, "adversary": adversary}}]}
        shown = sanitize(text, counted).text
        assert "week" not in shown or "June" not in shown
    assert "three weeks" in sanitize(text).text  # years tell as much


@given(
    st.lists(st.tuples(st.integers(0, 900), st.sampled_from(["day", "month"])), max_size=6),
    st.data(),
)
def test_spans_between_dates_are_those_of_all_pairs(
    spans: list[tuple[int, Any]], data: st.DataObject
) -> None:
    told = [Days(first, first + 30 * (level == "month"), level) for first, level in spans]
    stand = data.draw(st.lists(st.sampled_from(told), unique=True)) if told else []
    duration = Duration(0, 0, float(data.draw(st.integers(-1, 900))), 950.0)
    near = any(
        duration.least <= max(abs(a.first - b.last), abs(a.last - b.first))
        for a in told
        for b in stand
        if a.level == b.level
    )
    assert _lies_apart(duration, _apart(_by_level(told, ()), _by_level(stand, ()))) == near


def test_among_very_many_dates_every_duration_is_hidden() -> None:
    days = ", ".join(f"{day} {month}" for month in ("May", "June", "July") for day in range(1, 31))
    years = ", ".join(str(year) for year in range(1200, 1900))
    text = f"On {days} or 3 June 2024; in {years}; four days later."
    assert telling(text, "3 June 2024") == ["four days"]


# Dates that are told by months or years

ACROSS = [
    ("She was admitted on 31 December 2023 and died the following day, 1 January 2024.", "the following day"),
    ("In on 30 December 2023 and out three days later, on 2 January 2024.", "three days"),
    ("He fell on 31 May 2024. He came the next day. Seen on 1 June 2024.", "the next day"),
    ("Admission 30/11/2023, discharge 01/12/2023 (1 night).", "1 night"),
    ("Operated on 29 April 2024; 48 hours later, on 1 May 2024, she walked.", "48 hours"),
    ("Held from 30 November 2023 for 2 days, until 2 December 2023.", "2 days"),
    ("In on 1 May 2024, out 60 days later, on 30 June 2024.", "60 days"),
    ("In on 2 May 2024 and out 28 days later, on 30 May 2024.", "28 days"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "between"), ACROSS)
def test_what_lies_between_two_months_leaves_half_of_their_days(text: str, between: str) -> None:
    shown = sanitize(text, "gdpr").text
    assert between not in shown
    assert "202" in shown


def test_what_lies_between_two_years_leaves_half_of_their_days() -> None:
    for text, between in ACROSS:
        crosses = "2023" in text and "2024" in text
        for profile in ("default", "hipaa-safe-harbor"):
            assert (between in sanitize(text, profile).text) != crosses


@pytest.mark.parametrize(
    "text",
    [
        "In on 10 May 2024, out three weeks later, on 31 May 2024; ill for two days.",
        "He fell on 20 May 2024 and was seen three weeks later, on 10 June 2024.",
        "He fell on 31 May 2024. Seen on 20 June 2024: pain for two days.",
        "He came on 3 May 2020 and again four years later, on 3 May 2024.",
        "Seen in 1999 and 2000 for four years. Seen on 3 May 2024.",
    ],
)
def test_what_leaves_most_days_stays(text: str) -> None:
    shown = sanitize(text, "gdpr").text
    assert ("three weeks" in shown) == ("10 June" in text)
    for said in ("two days", "four years"):
        assert (said in shown) == (said in text)


MONTHS = st.dates(date(2020, 1, 1), date(2023, 12, 31))


@given(MONTHS, st.integers(0, 70), st.sampled_from(["gdpr", "default"]))
def test_any_duration_that_stands_leaves_half_of_the_days_by_counting_them(
    first: date, length: int, profile: str
) -> None:
    """Over all pairs of days that are released alike: how many firsts are left, and how many seconds."""
    second = first + timedelta(days=length)
    shown = [(d.year, d.month) if profile == "gdpr" else (d.year,) for d in (first, second)]
    level = "%B %Y" if profile == "gdpr" else "%Y"
    text = f"In on {first.day} {first:%B %Y} for {length} days, out on {second.day} {second:%B %Y}."
    edits = list[Edit]()
    for day, said in (
        (first, f"{first.day} {first:%B %Y}"),
        (second, f"{second.day} {second:%B %Y}"),
    ):
        at = text.rindex(said) if edits else text.index(said)
        edits.append(Edit(at, at + len(said), "DATE", f"{day:{level}}", ""))
    stands = not telling_durations(text, edits)
    all_days = [date(2019, 1, 1) + timedelta(days=n) for n in range(2200)]
    classes = [[d for d in all_days if (d.year, d.month)[: len(s)] == s] for s in shown]
    own = [set(c) for c in classes]
    near = [timedelta(days=n) for n in range(length - 1, length + 2)]  # as exactly as it is told
    left = [
        sum(any(d + more in own[1] for more in near) for d in classes[0]),
        sum(any(d - more in own[0] for more in near) for d in classes[1]),
    ]
    assert stands == (2 * min(left) >= min(map(len, classes)))
    record = Record("t", Origin(), tuple(edits), tuple(text[e.start : e.end] for e in edits))
    assert stands == (not [*days_told(text, record)])


def test_a_duration_that_the_policy_keeps_stands() -> None:
    text = "He fell on 31 May 2024 and was seen the next day, 1 June 2024."
    kept = {"keep": ["the next day"], "replace": {"DATE": {"how": "reduce", "to": "month"}}}
    assert "the next day" in sanitize(text, kept).text
