"""Two ages of one person that are told by bands leave half of each, whatever lies between them: counted over
all births."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sfumato import sanitize
from sfumato.document import Claim, Document, Edit, Origin, Record, render
from sfumato.english.births import ages
from sfumato.facts.durations import telling_durations
from sfumato.protect.lives import leave_few
from sfumato.verify import Evidence, check_claims

CLAIM = Claim("no age follows from dates")
BANDS = st.tuples(st.integers(2, 16), st.sampled_from([5, 10])).map(
    lambda made: (made[0] * 5, made[0] * 5 + made[1] - 1)
)


def edits_of(text: str, *shown: tuple[str, str, str]) -> list[Edit]:
    """Edits by which these words of a kind become others, in the order of a text."""
    edits = list[Edit]()
    for words, kind, becomes in shown:
        (start, end), *_ = (
            found.span()
            for found in re.finditer(rf"\b{words}\b(?! years)", text)
            if not edits or found.start() >= edits[-1].end
        )
        edits.append(Edit(start, end, kind, becomes, ""))
    return edits


def holds(text: str, edits: list[Edit]) -> bool:
    record = Record("t", Origin(), tuple(edits), tuple(text[e.start : e.end] for e in edits))
    (check,) = check_claims([CLAIM], Evidence(render(Document(text), edits), record=record))
    return check.verdict == "holds"


def days(year: int) -> tuple[int, int]:
    return date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal()


@given(BANDS, st.integers(2000, 2025), BANDS, st.integers(0, 12))
@settings(max_examples=60, deadline=None)
def test_what_two_bands_leave_is_what_all_births_leave(
    one: tuple[int, int], year: int, other: tuple[int, int], later: int
) -> None:
    """A birth is tried in the middle of every month; ages that only single days leave count as well."""
    left: tuple[set[int], set[int]] = set(), set()
    for month in range(12 * 130):
        born = date(year + 13 - month // 12, month % 12 + 1, 15).toordinal()
        low, high = ages((born, born), days(year))
        low_then, high_then = ages((born, born), days(year + later))
        fit = {n for n in range(low, high + 1) if one[0] <= n <= one[1]}
        then = {n for n in range(low_then, high_then + 1) if other[0] <= n <= other[1]}
        if fit and then:
            left[0].update(fit)
            left[1].update(then)
    few = any(
        2 * len(some) < band[1] - band[0] + 1 for some, band in zip(left, (one, other), strict=True)
    )
    assert leave_few(one, days(year), other, days(year + later)) == few


VISITS = [
    "Visit {a.day} {a:%B %Y}: patient aged {n}. Visit {b.day} {b:%B %Y}: patient aged {m}.",
    "In {a.year}, aged {n}, he married. In {b.year}, aged {m}, he divorced.",
    "Seen on {a:%d/%m/%Y}, aged {n}; seen again on {b:%d/%m/%Y}, aged {m}.",
]


@pytest.mark.parametrize("profile", ["default", "gdpr", "research"])
@pytest.mark.parametrize("frame", VISITS)
@settings(max_examples=8, deadline=None)
@given(
    st.dates(date(1940, 1, 1), date(1990, 1, 1)),
    st.integers(12 * 365, 40 * 365),
    st.integers(200, 12 * 365),
)
def test_two_visits_leave_half_of_the_ages_that_are_shown(
    frame: str, profile: str, born: date, until: int, apart: int
) -> None:
    first = born + timedelta(days=until)
    second = first + timedelta(days=apart)
    age, later = (
        ages((born.toordinal(), born.toordinal()), (day.toordinal(), day.toordinal()))[0]
        for day in (first, second)
    )
    assume(age != later and first.year != second.year)
    shown = sanitize(frame.format(a=first, b=second, n=age, m=later), profile).text
    bands = [(int(a), int(b)) for a, b in re.findall(r"aged (\d\d)-(\d\d)", shown)]
    years = [int(year) for year in re.findall(r"\b(?:19|20)\d\d\b", shown)]
    if len(bands) == len(years) == 2:
        assert not leave_few(bands[0], days(years[0]), bands[1], days(years[1])), shown


HEADS = (
    "Clinic {y}\n\nThank you for seeing Ivy Lowe, aged {n}.",
    "Ivy Lowe, aged {n}, came. Typed on 4 March {y}.",
    "Report of 4 March {y}. Ivy Lowe is aged {n} and a cook.",
)
TAILS = (
    "She broke a hip in {x}, aged {m}.",
    "Her mother died in {x}. She was aged {m} then.",
    "At the time she was aged {m}. It was May {x}.",
)


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("profile", ["default", "gdpr"])
@settings(max_examples=4, deadline=None)
@given(st.integers(2015, 2025), st.integers(30, 79), st.integers(1, 25))
def test_an_age_is_told_with_the_date_of_another_sentence(
    profile: str, tail: str, head: str, year: int, age: int, apart: int
) -> None:
    then = year - apart
    text = head.format(y=year, n=age) + "\n\n" + tail.format(x=then, m=age - apart)
    shown = sanitize(text, profile).text
    bands = [(int(a), int(b)) for a, b in re.findall(r"aged (\d\d?)-(\d\d)", shown)]
    if len(bands) == 2 and str(year) in shown and str(then) in shown:
        assert not leave_few(bands[0], days(year), bands[1], days(then)), shown


def test_verify_finds_an_age_that_is_told_with_the_date_of_another_sentence() -> None:
    text = "Clinic 2014\n\nIvy Lowe is 39. In 2024 she divorced, aged 50."
    dates = [("2014", "DATE", "2014"), ("39", "AGE", "30-39"), ("2024", "DATE", "2024")]
    assert not holds(text, edits_of(text, *dates, ("50", "AGE", "50-59")))
    assert holds(text, edits_of(text, *dates, ("50", "AGE", "[AGE 1]")))


@pytest.mark.parametrize(
    "text",
    [
        "He is 49; in two months he turns 50.",
        "She is 39 and will be 40 next year.",
        "At 38 she had a son; two years later, at 40, a daughter.",
    ],
)
@pytest.mark.parametrize("profile", ["default", "gdpr", "research"])
def test_what_lies_between_two_bands_is_hidden_where_it_leaves_few(text: str, profile: str) -> None:
    assert not re.search("month|next year|two years", sanitize(text, profile).text)


@given(st.integers(15, 80), st.integers(0, 25))
def test_what_stands_between_two_bands_leaves_half_of_both(age: int, apart: int) -> None:
    text = f"At {age} she came; {apart} years later, at {age + apart}, she left."
    bands = [(n // 10 * 10, n // 10 * 10 + 9) for n in (age, age + apart)]
    shown = (
        (str(n), "AGE", f"{a}-{b}") for n, (a, b) in zip((age, age + apart), bands, strict=True)
    )
    edits = edits_of(text, *shown)
    stands = not telling_durations(text, edits)
    (a, b), (c, d) = bands
    fit = [(n, n + apart) for n in range(a, b + 1) if c <= n + apart <= d]
    assert stands == (2 * len(fit) >= 10)
    assert holds(text, edits) == stands


def test_verify_finds_two_bands_that_leave_few() -> None:
    text = "In 2014, aged 39, he married. In 2024, aged 50, he divorced."
    dates = [("2014", "DATE", "2014"), ("39", "AGE", "30-39"), ("2024", "DATE", "2024")]
    assert not holds(text, edits_of(text, *dates, ("50", "AGE", "50-59")))
    assert holds(text, edits_of(text, *dates, ("50", "AGE", "[AGE 1]")))


@pytest.mark.parametrize("profile", ["default", "gdpr", "clinical"])
@pytest.mark.parametrize(
    "text",
    [
        "Mr Lowe (1960) is 65. Assessment 2025.",
        "Lowe, b. 1960, 65, joined the 2025 trial.",
        "Mr Lowe, YOB 1960, lives alone. He is 65 years old. Report 2025.",
    ],
)
def test_a_year_that_no_detector_finds_tells_no_hidden_age(text: str, profile: str) -> None:
    shown = sanitize(text, profile).text
    assert "1960" not in shown
    assert "60-69" in shown


def test_a_year_that_lies_no_age_before_another_stays() -> None:
    assert "1961" in sanitize("The 1961 trial was large. Mr Lowe is 65. Report 2025.").text


def test_verify_finds_a_lone_year_that_tells_an_age() -> None:
    text = "Lowe (1960) is 65. Assessment 2025."
    assert not holds(text, edits_of(text, ("65", "AGE", "60-69")))
    assert holds(text, edits_of(text, ("1960", "DATE", "[DATE 1]"), ("65", "AGE", "60-69")))
