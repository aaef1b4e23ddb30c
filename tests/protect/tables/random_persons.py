"""Random persons for property tests: constant and all-zero columns, no terms, sets, empty cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from sfumato.protect.tables import (
    Classes,
    ClassRule,
    Column,
    Persons,
    Recoded,
    clusters,
    dates,
    gdf,
    mondrian,
    nominal,
    numbers,
    persons,
    strings,
    terms,
)

PATHS = [
    ("a", "vowel", "*"),
    ("b", "consonant", "*"),
    ("c", "consonant", "*"),
    ("d", "consonant", "*"),
    ("e", "vowel", "*"),
]

Strategy = Callable[[Persons, int, Sequence[ClassRule]], Classes]

STRATEGIES: dict[str, Strategy] = {
    "gdf": lambda table, k, rules: gdf(table, k, rules=rules),
    "mondrian 0": lambda t, k, rules: mondrian(t, k, relational_weight=0, rules=rules),
    "mondrian 0.3": lambda t, k, rules: mondrian(t, k, relational_weight=0.3, rules=rules),
    "mondrian 0.5": lambda t, k, rules: mondrian(t, k, relational_weight=0.5, rules=rules),
    "mondrian 1": lambda t, k, rules: mondrian(t, k, relational_weight=1, rules=rules),
    "clusters": lambda table, k, rules: clusters(table, k, rules=rules),
    "clusters in small blocks": lambda t, k, rules: clusters(t, k, block=4 * k, rules=rules),
}


def _column(draw: st.DrawFn, name: str, count: int) -> Column:
    kind = draw(
        st.sampled_from(
            [
                "constant",
                "zero",
                "number",
                "numbers",
                "nominal",
                "sets",
                "tree",
                "date",
                "dates",
                "string",
                "gaps",
            ]
        )
    )

    def many(values: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(values, min_size=count, max_size=count))

    letter = st.sampled_from("abcde")
    day = st.integers(12000, 13200)
    match kind:
        case "constant":
            return nominal(name, ["same"] * count)
        case "zero":
            return numbers(name, [0.0] * count)
        case "number":
            return numbers(name, many(st.integers(0, 9)))
        case "numbers":
            return numbers(name, many(st.frozensets(st.integers(0, 9), min_size=1, max_size=3)))
        case "nominal":
            return nominal(name, many(letter))
        case "sets":
            return nominal(name, many(st.frozensets(letter, min_size=1, max_size=3)))
        case "tree":
            return nominal(name, many(letter), paths=PATHS)
        case "date":
            return dates(name, many(day))
        case "dates":
            return dates(name, many(st.frozensets(day, min_size=1, max_size=3)))
        case "string":
            return strings(name, many(st.text("12", min_size=0, max_size=4)))
        case _:
            return numbers(name, many(st.frozensets(st.integers(0, 9), max_size=1)))


@st.composite
def tables(draw: st.DrawFn, least: int = 1, most: int = 24) -> Persons:
    count = draw(st.integers(least, most))
    columns = [_column(draw, f"c{i}", count) for i in range(draw(st.integers(1, 3)))]
    term = st.tuples(
        st.sampled_from(["text", "title"]),
        st.sampled_from(["JOB", "GPE"]),
        st.sampled_from("uvwxyz"),
    )
    if draw(st.booleans()):
        term = term.map(lambda t: ("text", t[1], t[2]))
    sets: list[frozenset[tuple[str, str, str]]] = draw(
        st.one_of(
            st.just([frozenset()] * count),
            st.lists(st.frozensets(term, max_size=5), min_size=count, max_size=count),
        )
    )
    return persons(columns, terms(sets))


def smallest_class_shown(table: Persons, recoded: Recoded) -> int:
    """k counted from what is released alone: equal labels, equal terms and equal ancestors."""
    outcome = recoded.terms.outcome
    shown: Counter[tuple[object, ...]] = Counter()
    for person in range(table.count):
        label = int(recoded.classes.labels[person])
        cells = tuple(column.labels[label] for column in recoded.columns)
        postings = range(int(table.terms.indptr[person]), int(table.terms.indptr[person + 1]))
        left = frozenset(
            (int(outcome[p]), int(table.terms.ids[p]) if outcome[p] == -2 else None)
            for p in postings
            if outcome[p] != -1
        )
        shown[cells, left] += 1
    return min(shown.values())


def as_sets(classes: Classes) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(classes.labels == i).tolist()) for i in range(classes.count)}
