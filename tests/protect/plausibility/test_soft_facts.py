"""Facts as a search takes them: rungs counted at the original's own level."""

from __future__ import annotations

import itertools
from datetime import date
from decimal import Decimal

import pytest

from sfumato.document import Term
from sfumato.facts.ages import spans_in
from sfumato.facts.ladders import Rung
from sfumato.facts.values import AGE, Amount, DayOfYear, Days, Name
from sfumato.know.taxonomy import softening
from sfumato.protect.plausibility.soft_facts import (
    SoftFact,
    may_follow,
    sort_of,
    span_of,
)


def dated(first: date, last: date, level: softening.DateLevel, span: softening.Span) -> SoftFact:
    key = softening.span_key(first.toordinal(), span)
    ladder = (Rung("", 1), Rung("", softening.values_in(key, level), f"calendar:{key}"))
    value = Days(first.toordinal(), last.toordinal(), level)
    return SoftFact(value, "DATE", ladder, [Term(0, 1, "DATE", 1.0, "")], 1)


def year(number: int) -> SoftFact:
    return dated(date(number, 1, 1), date(number, 12, 31), "year", "decade")


@pytest.mark.parametrize(("level", "many"), [("day", 366), ("month", 12), ("year", 1)])
def test_a_span_is_the_sum_of_its_days_months_or_years(level: str, many: int) -> None:
    span = Days(date(1984, 1, 1).toordinal(), date(1984, 12, 31).toordinal(), "day")
    parts = list(spans_in(span.first, span.last, level))
    assert len(parts) == many
    assert parts[0][0] == span.first
    assert parts[-1][1] == span.last
    assert all(b[0] == a[1] + 1 for a, b in itertools.pairwise(parts))


def test_a_fact_is_one_of_the_values_of_its_own_level() -> None:
    assert year(1984).volume == 10
    assert year(1984).counted.startswith("one of 10 years")
    assert span_of(year(1984)).first == date(1980, 1, 1).toordinal()
    assert [sort_of(v) for v in (Amount(Decimal(3), AGE), Amount(Decimal(3), "mg"), DayOfYear(5, 4), Name("x"))] == [
        "age", "amount", "day of year", "noun",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("unit", "text", "may"), [(AGE, "aged 20", True), ("", "20", True), ("mg", "20 mg", False)]
)
def test_a_bare_number_may_be_an_age_and_one_with_a_unit_may_not(
    unit: str, text: str, may: bool
) -> None:
    ladder = (Rung(text, 1), Rung("20–24", 5, "ranges:20..24"))
    kind = "AGE" if unit == AGE else "QUANTITY"
    term = Term(0, len(text), kind, 1.0, "")
    assert may_follow(SoftFact(Amount(Decimal(20), unit), kind, ladder, [term], 1), text) is may
