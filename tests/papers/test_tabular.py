"""The running example of the thesis on tables with text: tables 1, 4 and 5."""

from __future__ import annotations

from datetime import date

import pytest

from sfumato.protect.tables import (
    dates,
    gdf,
    measure,
    mondrian,
    nominal,
    numbers,
    persons,
    recode,
    terms,
)
from sfumato.protect.tables.problem import Persons
from tests.protect.tables.random_persons import as_sets, smallest_class_shown


def _days(*texts: str) -> list[int]:
    return [(date.fromisoformat(text) - date(1970, 1, 1)).days for text in texts]


@pytest.fixture
def table_4() -> Persons:
    """Persons 1 to 6 are 0 to 5 here; normal forms are in lower case."""
    return persons(
        [
            nominal("gender", ["male", "male", "male", "female", "male", "female"]),
            numbers("age", [36, 24, 37, 24, 29, 27]),
            nominal("topic", ["Education", "Student", "Banking", "Science", "indUnk", "Science"]),
            nominal("sign", ["Aries", "Leo", "Pisces", "Aries", "Pisces", "Aries"]),
            dates(
                "date",
                [
                    _days("2004-05-14", "2004-05-15"),
                    _days("2005-08-18"),
                    _days("2004-05-27"),
                    _days("2004-01-13", "2004-01-17", "2004-01-19"),
                    _days("2004-05-15"),
                    _days("2004-05-15"),
                ],
            ),
        ],
        terms(
            [
                {("person", "pedro"), ("job", "engineer"), ("location", "mexico")},
                {("job", "engineer")},
                {("person", "ben"), ("location", "canada")},
                {
                    ("date", "four days ago"),
                    ("job", "scientist"),
                    ("job", "biologist"),
                    ("location", "uk"),
                },
                set(),
                {("location", "uk")},
            ]
        ),
    )


def test_gdf_gives_the_classes_of_table_5(table_4: Persons) -> None:
    assert as_sets(gdf(table_4, 2)) == {frozenset({0, 1}), frozenset({2, 4}), frozenset({3, 5})}


def test_recoding_gives_the_cells_of_table_5(table_4: Persons) -> None:
    """Sets are shown in the order of their values."""
    recoded = recode(table_4, gdf(table_4, 2))
    rows = [
        tuple(column.labels[recoded.classes.labels[person]] for column in recoded.columns)
        for person in range(6)
    ]
    engineers = ("male", "[24-36]", "(Education,Student)", "(Aries,Leo)", "[2004-2005]")
    others = ("male", "[29-37]", "(Banking,indUnk)", "Pisces", "2004-05")
    scientists = ("female", "[24-27]", "Science", "Aries", "2004")
    assert rows == [engineers, engineers, others, scientists, others, scientists]


def test_only_engineer_and_uk_stay_in_table_5(table_4: Persons) -> None:
    kept = recode(table_4, gdf(table_4, 2)).terms.kept
    stay = [
        (int(owner), int(term))
        for owner, term in zip(table_4.terms.owner[kept], table_4.terms.ids[kept], strict=True)
    ]
    engineer = int(table_4.terms.ids[table_4.terms.indptr[1]])
    uk = int(table_4.terms.ids[table_4.terms.indptr[5]])
    assert stay == [(0, engineer), (1, engineer), (3, uk), (5, uk)]


def test_the_loss_of_table_5_by_hand(table_4: Persons) -> None:
    loss = measure(table_4, gdf(table_4, 2))
    assert loss.textual == pytest.approx((2 / 3 + 0 + 1 + 3 / 4 + 0 + 0) / 6)
    assert loss.by_column["gender"] == 0
    assert loss.by_column["age"] == pytest.approx((12 + 8 + 3) * 2 / 13 / 6)
    assert loss.by_column["topic"] == pytest.approx((2 / 5 + 2 / 5 + 0) * 2 / 6)
    assert loss.by_column["sign"] == pytest.approx((2 / 3 + 0 + 0) * 2 / 6)
    # seven distinct dates: all seven, the three of May 2004, the six of 2004
    assert loss.by_column["date"] == pytest.approx((7 + 3 + 6) / 7 * 2 / 6)


@pytest.mark.parametrize("weight", [tenth / 10 for tenth in range(11)])
def test_mondrian_for_every_weight_shows_nothing_that_fewer_than_two_share(
    table_4: Persons, weight: float
) -> None:
    classes = mondrian(table_4, 2, relational_weight=weight)
    assert classes.count > 1
    assert smallest_class_shown(table_4, recode(table_4, classes)) >= 2


def test_mondrian_cuts_terms_at_zero_and_columns_at_one(table_4: Persons) -> None:
    textual = mondrian(table_4, 2, relational_weight=0)
    relational = mondrian(table_4, 2, relational_weight=1)
    assert textual.textual_splits > 0
    assert (relational.textual_splits, relational.relational_splits) == (0, 2)
    assert measure(table_4, textual).textual < measure(table_4, relational).textual
