"""Any table at all: k counted independently, rows in their order, nothing hidden left."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.policy import Policy
from tests.protect.tables.tables import cells, csv_bytes, release, rules
from tests.strategies import examples

TERMS = {
    "LOC": ["Zwolle", "Kraków", "Saint-Étienne", "東京"],
    "PERSON": ["Wanda Kowalczyk", "Brzęczyszczykiewicz", "Paris"],
}
WORDS = ["the", "rain", "and", "größer", "naïve", "of 7", "\U0001f600", "—", "paris-like", "<b>"]
ALL = [term for terms in TERMS.values() for term in terms]


def fold(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.casefold()).strip()


@dataclass(frozen=True)
class Case:
    """A table, its policy, and what it was made from."""

    header: list[str]
    rows: list[list[str]]
    policy: Policy
    k: int
    persons: list[int]


TEXT = st.lists(st.sampled_from([*ALL, *map(str.upper, ALL), *WORDS]), max_size=5).map(" ".join)


@st.composite
def tables(draw: st.DrawFn) -> Case:
    count = draw(st.integers(1, 9))
    rows_of = draw(st.lists(st.integers(1, 3), min_size=count, max_size=count))
    persons = draw(st.permutations([p for p, many in enumerate(rows_of) for _ in range(many)]))
    constant = draw(st.booleans())
    ages = draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
    rows = []
    for number, person in enumerate(persons):
        age = "7" if constant else str(ages[person])
        name = draw(st.sampled_from(["x", "y", "Żółć", "a,b", "(z)"]))
        day = f"200{draw(st.integers(3, 5))}-0{draw(st.integers(1, 3))}-1{draw(st.integers(0, 2))}"
        empty = draw(st.integers(0, 7))
        age, name = ("" if empty == 0 else age), ("" if empty == 1 else name)
        where = draw(st.sampled_from(["", "Zwolle", "PARIS"]))
        note = f"row {number}"
        rows.append([f"u{person}", age, name, day, draw(TEXT), draw(TEXT), note, where])
    header = ["id", "age", "name", "day", "text", "text", "note", "where"]
    columns = {
        "id": "direct",
        "age": {"role": "quasi", "type": "number"},
        "name": {"role": "quasi", "type": draw(st.sampled_from(["nominal", "string"]))},
        "day": {"role": "quasi", "type": "date"},
        "text": "text",
        "text#2": "text",
        "note": "insensitive",
        "where": "insensitive",
    }
    k = draw(st.integers(2, 4))
    policy = rules(
        columns,
        lists=TERMS,
        k=k,
        strategy=draw(st.sampled_from(["mondrian", "gdf", "clusters"])),
        relational_weight=draw(st.sampled_from([0, 0.3, 0.5, 1])),
        recoding=draw(st.sampled_from(["local", "global"])),
        generalise=draw(st.booleans()),
        empty="keep-empty",
    )
    return Case(header, rows, policy, k, list(persons))


@given(tables())
@examples(120)
def test_any_table_is_released_k_anonymous_or_refused(case: Case) -> None:
    data = csv_bytes(case.header, case.rows)
    persons = len(set(case.persons))
    if persons < case.k:
        with pytest.raises(InputError, match=f"{persons} persons are fewer than k = {case.k}"):
            release(data, case.policy)
        return
    made, published = release(data, case.policy)
    shown = cells(published)
    # one row out for each row in, in the same order, with the same header
    assert [row[6] for row in shown] == [row[6] for row in case.rows]
    assert published.data.decode().splitlines()[0] == ",".join(case.header)
    assert [row[0] for row in shown] == _numbered(case.persons)
    # persons counted by what their rows show, and by the listed terms that their texts still have
    seen: dict[int, tuple[set[tuple[str, ...]], set[tuple[int, str]]]] = {}
    for person, row in zip(case.persons, shown, strict=True):
        quasi, left = seen.setdefault(person, (set(), set()))
        quasi.add(tuple(row[1:4]))
        for place in (4, 5):
            words = f" {fold(row[place])} "
            left.update((place, t) for t in ALL if f" {fold(t)} " in words)
    classes = Counter((frozenset(quasi), frozenset(left)) for quasi, left in seen.values())
    assert min(classes.values()) >= case.k
    # what is kept anywhere in a class is kept by all: so nothing that was suppressed is left
    for (cells_shown, terms_left), many in classes.items():
        assert len(cells_shown) == 1
        assert many >= case.k, terms_left
    # outside terms a text is as it was
    for before, after in zip(case.rows, shown, strict=True):
        for place in (4, 5):
            if not any(fold(t) in fold(before[place]) for t in ALL):
                assert before[place] == after[place]
    assert 0 <= made.loss.total <= 1


def _numbered(persons: list[int]) -> list[str]:
    number = {p: i for i, p in enumerate(dict.fromkeys(persons), 1)}
    return [f"P{number[p]}" for p in persons]


@pytest.mark.parametrize("strategy", ["mondrian", "gdf", "clusters"])
def test_constant_zero_columns_no_terms_and_number_sets(strategy: str) -> None:
    """All of these crashed or corrupted the original."""
    rows = [[f"u{i % 4}", "0", "same", str(i), "no terms here", ""] for i in range(8)]
    columns = {
        "id": "direct",
        "zero": {"role": "quasi", "type": "number"},
        "name": "quasi",
        "many": {"role": "quasi", "type": "number"},
        "a": "text",
        "b": "text",
    }
    policy = rules(columns, strategy=strategy, empty="keep-empty")
    made, published = release(csv_bytes(list(columns), rows), policy)
    shown = cells(published)
    assert {row[1] for row in shown} == {"0"}
    assert {row[2] for row in shown} == {"same"}
    assert all(re.fullmatch(r"\[\d-\d\]", row[3]) for row in shown)
    assert made.loss.by_column["zero"] == 0
