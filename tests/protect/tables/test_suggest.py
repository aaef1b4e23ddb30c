"""A first policy for a table, from the look of its columns."""

from __future__ import annotations

import pytest

from sfumato import policy
from sfumato.formats import table as files
from sfumato.protect.tables.suggest import look, suggest


@pytest.mark.parametrize(
    ("name", "cells", "wanted"),
    [
        ("mail", [f"a{i}@example.org" for i in range(30)], {"role": "direct"}),
        ("patient_id", [str(i) for i in range(30)], {"role": "direct"}),
        ("reference", [f"q{i}x" for i in range(30)], {"role": "direct"}),
        ("country", ["a", "a"], {"role": "insensitive"}),
        ("nothing", ["", " "], {"role": "insensitive"}),
        ("zip", ["8010", "8020", "8010"], {"role": "quasi", "type": "string"}),
        ("salary", ["10", "20", "10"], {"role": "sensitive", "type": "number", "distinct": 2}),
        ("diagnosis", ["flu", "gout", "flu"], {"role": "sensitive", "distinct": 2}),
        ("height", ["1.7", "1.8", "1.7"], {"role": "quasi", "type": "number"}),
        ("city", list("abcdefghi") * 2, {"role": "quasi", "kinds": ["LOC"]}),
        (
            "day",
            ["3 May 2004", "May 5, 2004"],
            {"role": "quasi", "type": "date", "kinds": ["DATE"]},
        ),
        (
            "born",
            ["03.05.1980", "04.05.1981"],
            {"role": "quasi", "type": "date", "format": "%d.%m.%Y", "kinds": ["DATE"]},
        ),
        ("review", ["it was very nice here", "not a good place at all"], {"role": "text"}),
    ],
)
def test_columns_are_taken_for_what_they_look_like(
    name: str, cells: list[str], wanted: dict[str, object]
) -> None:
    found = look(name, cells)
    assert found.settings == wanted
    assert all(found.reasons)


def test_a_table_without_persons_and_with_empty_cells() -> None:
    made = policy.parse(suggest(files.parse(b"age,job\n1,\n2,x\n1,x\n", "t.csv")))
    assert made.table is not None
    assert made.table.person is None
    assert made.table.empty == "keep-empty"
    assert "every row has its own" in suggest(files.parse(b"id,n\na1,1\nb1,2\nc1,1\n", "t.csv"))
