"""Dates are read as people write them, and written again in the same form."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import sanitize
from sfumato.english.dates import day_first
from sfumato.protect.replace import dates
from tests.strategies import any_text

FORMS = [
    "%Y-%m-%d",
    "%d %B %Y",
    "%B %d, %Y",
    "%A, %d %B %Y",
    "%d-%b-%Y",
    "%Y/%m/%d",
    "%Y%m%d",
    "%Y-%m-%dT10:30:00Z",
]


@pytest.mark.parametrize(
    ("written", "days", "expected"),
    [
        ("12 May 2024", 28, "9 June 2024"),
        ("2024-05-12", 28, "2024-06-09"),
        ("05/12/24", 28, "06/09/24"),
        ("5/7/2024", 28, "6/4/2024"),
        ("May 12th, 2024", 28, "June 9th, 2024"),
        ("May 12th, 2024", -7, "May 5th, 2024"),
        ("the 1st of May, 2024", 21, "the 22nd of May, 2024"),
        ("Monday, 3 March 2025", 28, "Monday, 31 March 2025"),
        ("MON, 3 MAR 2025", 28, "MON, 31 MAR 2025"),
        ("May 2024", 28, "June 2024"),
        ("May 2024", 7, "June 2024"),
        ("May 2024", -7, "April 2024"),
        ("1984", 7, "1985"),
        ("1984", -364, "1983"),
        ("May '24", 28, "June '24"),
        ("12-MAY-2024", 28, "9-JUN-2024"),
        ("Feb. 29, 2024", 14, "Mar. 14, 2024"),
        ("Apr. 29, 2024", 14, "May 13, 2024"),
        ("13.02.2025", 28, "13.03.2025"),
        ("20240512", 28, "20240609"),
        ("2025-02-04T21:40:00Z", 28, "2025-03-04T21:40:00Z"),
        ("4 February 2025, 21:40", 28, "4 March 2025, 21:40"),
        ("19 January", 28, "16 February"),
        ("Monday 23 September", 7, "Monday 30 September"),
        ("12-14 May 2024", 28, "9-11 June 2024"),
        ("May 12–14, 2024", 28, "June 9–11, 2024"),
        ("from 2 to 5 May 2024", 28, "from 30 May 2024 to 2 June 2024"),
        ("28 December – 3 January 2025", 28, "25 January – 31 January 2025"),
        ("between 1 May 2023 and 2 June 2024", 28, "between 29 May 2023 and 30 June 2024"),
        ("2019–2021", 364, "2020–2022"),
        ("2019/20", 364, "2020/21"),
        ("99-12-31", 7, "00-01-07"),
        ("May", 28, "June"),
    ],
)
def test_a_shifted_date_keeps_its_form(written: str, days: int, expected: str) -> None:
    assert dates.shift(written, days) == expected


@pytest.mark.parametrize(
    "written",
    ["", "Tuesday", "21:40", "9.30", "Christmas", "30/02/2024", "yesterday", "the 14th", "May May 2024",
     "13/13/2024", "2024-13-01", "1990s", "autumn 2012", "3, 5 and 7 May", "12.5", "May 0000", "9" * 200,
     "Monday 1984", "12345"],
)  # fmt: skip
def test_what_is_no_date_is_not_shifted(written: str) -> None:
    assert dates.shift(written, 28) is None


def test_the_end_of_the_calendar_is_no_error() -> None:
    assert dates.shift("31 December 2999", 3_000_000) is None


@pytest.mark.parametrize(
    ("written", "month", "year", "decade"),
    [
        ("14 May 2004", "May 2004", "2004", "the 2000s"),
        ("2004-05-14", "2004-05", "2004", "the 2000s"),
        ("05/14/04", "05/2004", "2004", "the 2000s"),
        ("Tuesday, 4 FEB 2025", "FEB 2025", "2025", "the 2020s"),
        ("17/03/1968", "03/1968", "1968", "the 1960s"),
        ("May 2004", "May 2004", "2004", "the 2000s"),
        ("05/2004", "May 2004", "2004", "the 2000s"),
        ("1984", "1984", "1984", "the 1980s"),
        ("1990s", "1990s", "1990s", "1990s"),
        ("14 May", "May", None, None),
        ("autumn 2012", "autumn 2012", "2012", "the 2010s"),
        ("Q3 2024", None, "2024", "the 2020s"),
        ("12–14 May 2024", "May 2024", "2024", "the 2020s"),
        (
            "3 May 2019 to 5 June 2021",
            "May 2019 to June 2021",
            "2019 to 2021",
            "the 2010s to the 2020s",
        ),
        ("3 March to 5 April 2025", "March 2025 to April 2025", "2025", "the 2020s"),
        ("Christmas", None, None, None),
        ("3 May to Easter", None, None, None),
    ],
)
def test_a_date_loses_its_finer_parts(
    written: str, month: str | None, year: str | None, decade: str | None
) -> None:
    assert dates.reduce(written, "month") == month
    assert dates.reduce(written, "year") == year
    assert dates.reduce(written, "decade") == decade


@pytest.mark.parametrize(
    ("dayfirst", "expected"), [(None, "June 2024"), (True, "May 2024"), (False, "June 2024")]
)
def test_ambiguous_dates_are_month_first_unless_the_document_says_otherwise(
    dayfirst: bool | None, expected: str
) -> None:
    moved = dates.reduce("06/05/2024", "month", dayfirst=dayfirst)
    assert moved == ("05/2024" if expected.startswith("May") else "06/2024")


def test_dots_put_the_day_first() -> None:
    assert dates.reduce("06.05.2024", "month") == "05.2024"


@given(
    st.dates(date(1900, 1, 1), date(2100, 1, 1)), st.integers(-1000, 1000), st.sampled_from(FORMS)
)
def test_a_shift_moves_by_exactly_that_many_days(day: date, weeks: int, form: str) -> None:
    weeks = weeks or 1
    moved = dates.shift(day.strftime(form), 7 * weeks)
    expected = (day + timedelta(7 * weeks)).strftime(form)

    def plain(text: str) -> str:
        return text.replace(" 0", " ").lstrip("0")

    assert moved is not None
    assert plain(moved) == plain(expected)


@given(
    st.lists(st.dates(date(1950, 1, 1), date(2050, 1, 1)), min_size=2, max_size=6),
    st.integers(1, 5000).flatmap(lambda n: st.sampled_from([7 * n, -7 * n])),
)
def test_order_and_distances_stay(days: list[date], offset: int) -> None:
    moved = [date.fromisoformat(dates.shift(d.isoformat(), offset) or "") for d in days]
    assert [a - days[0] for a in days] == [b - moved[0] for b in moved]
    assert [a.weekday() for a in days] == [b.weekday() for b in moved]


@given(
    st.lists(st.integers(1900, 2050), min_size=2, max_size=5),
    st.integers(1, 500).flatmap(lambda n: st.sampled_from([7 * n, -7 * n])),
)
def test_years_keep_their_order_and_never_stay(years: list[int], offset: int) -> None:
    moved = [int(dates.shift(str(y), offset) or 0) for y in sorted(years)]
    assert moved == sorted(moved)
    assert all(a != b for a, b in zip(sorted(years), moved, strict=True))


@pytest.mark.parametrize(
    ("written", "days", "beside", "expected"),
    [
        ("2019", 14, ["2019-06-17"], None),  # the year would overtake its own day
        ("2019", 210, ["2019-06-17"], "2020"),
        ("2019", -210, ["2019-06-17"], "2018"),
        ("2019", 210, ["2019-01-02", "2019-12-03"], None),
        ("2019", 14, ["2018-06-17", "2020-06-17"], "2020"),
        ("June 2019", 7, ["2019-06-17"], None),
        ("June 2019", 14, ["2019-06-17", "2019-06-27"], "July 2019"),
        ("June 2019", 364, ["2019-06-17"], "June 2020"),
        ("June", 364, ["2024-06-17"], None),
        ("June 2019", 14, ["2019-06-02", "2019-06-27"], None),
        ("2019–2021", 14, ["2019-06-17"], None),
        ("12/2019", 28, ["2019-12-05"], "01/2020"),
    ],
)
def test_a_month_or_year_moves_with_its_days(
    written: str, days: int, beside: list[str], expected: str | None
) -> None:
    assert dates.shift(written, days, beside=[*map(date.fromisoformat, beside)]) == expected


@given(
    st.one_of(any_text, st.text("0123456789/-. MaySept'’,thrd:T", max_size=30)),
    st.integers(-999, 999),
)
def test_any_text_is_safe_and_nothing_comes_back_unshifted(text: str, days: int) -> None:
    assert dates.shift(text, 7 * (days or 1)) != text
    for grain in ("month", "year", "decade"):
        dates.reduce(text, grain)
    day_first(text)


@pytest.mark.parametrize("text", ["1/" * 40_000, "- " * 50_000, "May " * 30_000, "1 to " * 20_000])
def test_long_input_takes_no_longer_than_its_length(text: str) -> None:
    day_first(text)
    assert dates.shift(text, 7) is None


@pytest.mark.parametrize("part", ["night", "morning", "evening", "early hours"])
def test_a_part_of_a_day_is_that_of_a_day(part: str) -> None:
    text = f"On the {part} of 8th August 2021 he fell. On 9 August 2021 he rose."
    made = sanitize(text, "default").text
    assert made == f"On the {part} of a day in 2021 he fell. In 2021 he rose."


@pytest.mark.parametrize(
    ("text", "released"),
    [
        ("The baby is due in February.", "The baby is due in February."),
        ("You left in late November.", "You left in late November."),
        ("Seen on 12 May, again in June.", "Seen on [DATE 1], again in June."),
        ("She was born in June, in 1951.", "She was born in [DATE 1], in 1951."),
        ("His birthday is in March.", "His birthday is in [DATE 1]."),
        ("He turned fifty in April.", "He turned 50-59 in [DATE 1]."),
        ("In November and December 2022.", "In [DATE 1] and 2022."),
        ("From August to 3 October.", "From [DATE 1] to [DATE 2]."),
    ],
)
def test_a_month_alone_stays_by_default_but_for_a_birth_or_a_row(text: str, released: str) -> None:
    assert sanitize(text, "default").text == released


def test_no_month_stays_under_the_safe_harbor() -> None:
    made = sanitize("The baby is due in February.", "hipaa-safe-harbor").text
    assert made == "The baby is due in [DATE 1]."
