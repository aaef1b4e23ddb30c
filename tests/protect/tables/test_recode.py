"""What classes show."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import PolicyError
from sfumato.protect.tables import (
    AS_IT_IS,
    SUPPRESSED,
    Classes,
    Ladders,
    dates,
    gdf,
    measure,
    nominal,
    numbers,
    persons,
    recode,
    strings,
    terms,
)
from sfumato.protect.tables.problem import Column, Persons
from sfumato.protect.tables.recode import LONGEST, recode_column
from tests.protect.tables.random_persons import PATHS, smallest_class_shown, tables


def _classes(*labels: int) -> Classes:
    return Classes(np.array(labels))


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (numbers("n", [24, 36, 7, 7]), ("[24-36]", "7")),
        (numbers("n", [1.5, 2, 0, -1]), ("[1.5-2]", "[-1-0]")),
        (numbers("n", [[1, 4], [2], [0], [0]]), ("[1-4]", "0")),
        (nominal("s", ["Leo", "Aries", "Leo", "Leo"]), ("(Aries,Leo)", "Leo")),
        (nominal("s", [["Leo", "Aries"], "Leo", "Leo", []]), ("(Aries,Leo)", "*")),
        (nominal("h", ["b", "c", "a", "b"], paths=PATHS), ("consonant", "*")),
        (strings("z", ["8010", "8011", "9", "80"]), ("801*", "*")),
        (dates("d", [12418, 12419, 12418, 13013]), ("2004-01", "[2004-2005]")),
        (dates("d", [[12418, 12600], [12418], [12600], [12600]]), ("2004", "2004-07-01")),
        (numbers("n", [[], [], [1], []]), ("", "*")),
        (nominal("s", [[], [], "a", "a"]), ("", "a")),
    ],
)
def test_local_recoding_of_two_classes(column: Column, expected: tuple[str, ...]) -> None:
    assert recode_column(column, _classes(0, 0, 1, 1)).labels == expected


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (numbers("n", [1, 3, 2, 5, 8, 9]), ("[1-5]", "[1-5]", "[8-9]")),
        (nominal("s", ["a", "b", "b", "c", "d", "e"]), ("(a,b,c)", "(a,b,c)", "(d,e)")),
        (
            nominal("h", ["a", "e", "b", "c", "b", "b"], paths=PATHS),
            ("vowel", "consonant", "consonant"),
        ),
        (
            dates("d", [12418, 13013, 12600, 12600, 11000, 11000]),
            ("[2004-2005]", "[2004-2005]", "2000-02-13"),
        ),
    ],
)
def test_global_recoding_shows_equal_values_equally(
    column: Column, expected: tuple[str, ...]
) -> None:
    assert recode_column(column, _classes(0, 0, 1, 1, 2, 2), scope="global").labels == expected


LONG, MANY = "x" * (LONGEST + 1), [f"value {n}" for n in range(LONGEST)]


@pytest.mark.parametrize("scope", ["local", "global"])
@pytest.mark.parametrize(
    "column",
    [
        nominal("s", [MANY, "a"]),
        nominal("s", [LONG, LONG]),
        nominal("s", [["a", "b"], ["b", LONG]]),
        nominal("h", ["a", "b"], paths=[("a", LONG), ("b", LONG)]),
        strings("z", [[LONG], [LONG]]),
    ],
)
def test_what_would_be_very_long_is_shown_as_the_whole(
    column: Column, scope: Literal["local", "global"]
) -> None:
    shown = recode_column(column, _classes(0, 0), scope=scope)
    assert shown.labels == ("*",)
    assert shown.loss.tolist() == [1.0]


@given(table=tables(least=4))
def test_global_recoding_never_shows_one_value_in_two_ways(table: Persons) -> None:
    recoded = recode(table, gdf(table, 2), scope="global")
    for column, shown in zip(table.columns, recoded.columns, strict=True):
        seen: dict[int, set[str]] = {}
        for code, owner in zip(column.codes.tolist(), column.owner.tolist(), strict=True):
            seen.setdefault(code, set()).add(shown.labels[recoded.classes.labels[owner]])
        assert all(len(labels - {"*"}) <= 1 for labels in seen.values())


@given(table=tables(least=4))
def test_local_recoding_loses_what_the_measure_says(table: Persons) -> None:
    classes = gdf(table, 2)
    recoded = recode(table, classes)
    given_losses = measure(
        table, classes, term_loss=recoded.terms.loss, column_losses=recoded.column_losses
    )
    assert np.allclose(given_losses.per_person, measure(table, classes).per_person)


@pytest.mark.parametrize(("how", "label"), [("mean", "30"), ("median", "28.5")])
def test_numbers_can_be_shown_by_their_mean_or_median(
    how: Literal["mean", "median"], label: str
) -> None:
    ages = numbers("age", [24, 27, 30, 39])
    assert recode_column(ages, _classes(0, 0, 0, 0), shown=how).labels == (label,)


def test_a_mean_does_not_go_with_global_recoding() -> None:
    table = persons([numbers("age", [1, 2])])
    with pytest.raises(PolicyError, match="local"):
        recode(table, _classes(0, 0), scope="global", shown={"age": "mean"})


def test_a_term_is_kept_only_with_the_same_type() -> None:
    """Paris the place does not keep Paris the person."""
    table = persons([numbers("n", [1, 1])], terms([{("GPE", "paris")}, {("PERSON", "paris")}]))
    assert recode(table, _classes(0, 0)).terms.outcome.tolist() == [SUPPRESSED, SUPPRESSED]


def test_a_term_is_kept_only_where_every_person_of_the_class_has_it() -> None:
    sets = [{("T", "a"), ("T", "b")}, {("T", "a")}, {("T", "a")}]
    table = persons([numbers("n", [1, 1, 1])], terms(sets))
    assert recode(table, _classes(0, 0, 0)).terms.kept.tolist() == [True, False, True, True]


def test_text_columns_are_kept_apart() -> None:
    sets = [{("title", "T", "a")}, {("body", "T", "a")}]
    table = persons([numbers("n", [1, 1])], terms(sets))
    assert not recode(table, _classes(0, 0)).terms.kept.any()


FRENCH_CITY, CITY, FRANCE = 100, 101, 102


def _ladders(table: Persons, rungs: dict[int, list[tuple[int, float]]]) -> Ladders:
    """`rungs` by term id."""
    sizes = [len(rungs.get(i, ())) for i in range(table.terms.count)]
    flat = [r for i in range(table.terms.count) for r in rungs.get(i, ())]
    return Ladders(
        np.concatenate([[0], np.cumsum(sizes)]),
        np.array([a for a, _ in flat], np.int64),
        np.array([loss for _, loss in flat]),
    )


def test_a_shared_ancestor_stays_where_no_term_is_shared() -> None:
    table = persons([numbers("n", [1, 1])], terms([{("GPE", "lyon")}, {("GPE", "paris")}]))
    rungs = {0: [(FRENCH_CITY, 0.3), (CITY, 0.6)], 1: [(FRENCH_CITY, 0.4), (CITY, 0.7)]}
    recoded = recode(table, _classes(0, 0), ladders=_ladders(table, rungs))
    assert recoded.terms.outcome.tolist() == [FRENCH_CITY, FRENCH_CITY]
    loss = measure(table, recoded.classes, term_loss=recoded.terms.loss)
    assert loss.textual == pytest.approx(0.35)


def test_an_ancestor_that_one_person_lacks_does_not_stay() -> None:
    sets = [{("GPE", "lyon")}, {("GPE", "paris")}, {("GPE", "rome")}]
    table = persons([numbers("n", [1, 1, 1])], terms(sets))
    rungs = {
        0: [(FRENCH_CITY, 0.3), (CITY, 0.6)],
        1: [(FRENCH_CITY, 0.4), (CITY, 0.7)],
        2: [(CITY, 0.5)],
    }
    recoded = recode(table, _classes(0, 0, 0), ladders=_ladders(table, rungs))
    assert recoded.terms.outcome.tolist() == [CITY, CITY, CITY]


def test_a_kept_term_does_not_lend_its_ancestor() -> None:
    """All have Paris; that one also has Lyon must not show as a French city."""
    sets = [{("GPE", "lyon"), ("GPE", "paris")}, {("GPE", "paris")}]
    table = persons([numbers("n", [1, 1])], terms(sets))
    rungs = {0: [(FRENCH_CITY, 0.3)], 1: [(FRENCH_CITY, 0.4)]}
    recoded = recode(table, _classes(0, 0), ladders=_ladders(table, rungs))
    assert recoded.terms.outcome.tolist() == [SUPPRESSED, AS_IT_IS, AS_IT_IS]


def test_a_term_may_become_one_that_all_show_already() -> None:
    sets = [{("GPE", "france"), ("GPE", "lyon")}, {("GPE", "france")}]
    table = persons([numbers("n", [1, 1])], terms(sets))
    rungs = {0: [(FRANCE, 0.0)], 1: [(FRANCE, 0.5)]}
    recoded = recode(table, _classes(0, 0), ladders=_ladders(table, rungs))
    assert recoded.terms.outcome.tolist() == [AS_IT_IS, FRANCE, AS_IT_IS]
    assert recoded.terms.loss.tolist() == [0.0, 0.5, 0.0]


def test_types_do_not_meet_in_an_ancestor() -> None:
    table = persons([numbers("n", [1, 1])], terms([{("GPE", "paris")}, {("PERSON", "paris")}]))
    recoded = recode(
        table, _classes(0, 0), ladders=_ladders(table, {0: [(CITY, 0.1)], 1: [(CITY, 0.1)]})
    )
    assert recoded.terms.outcome.tolist() == [SUPPRESSED, SUPPRESSED]


@given(data=st.data(), table=tables(least=4), k=st.integers(2, 4))
def test_generalised_terms_are_shared_by_k_and_never_lose_more(
    data: st.DataObject, table: Persons, k: int
) -> None:
    rung = st.lists(st.sampled_from([200, 201, 202, 203]), max_size=3, unique=True)
    rungs = {
        i: [(a, (n + 1) / 4) for n, a in enumerate(data.draw(rung))]
        for i in range(table.terms.count)
    }
    classes = gdf(table, k)
    recoded = recode(table, classes, ladders=_ladders(table, rungs))
    assert smallest_class_shown(table, recoded) >= k
    assert (recoded.terms.loss <= recode(table, classes).terms.loss).all()
