"""Generalisation trees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.protect.tables import nominal, read_arx
from sfumato.protect.tables.hierarchies import dates, from_paths, prefixes
from tests.conftest import SHARED


@pytest.mark.parametrize("delimiter", ";,|\t")
def test_the_delimiter_of_a_hierarchy_is_found(delimiter: str) -> None:
    text = "\ufeffa;x;*\nb; y ;*\n\n".replace(";", delimiter)
    assert read_arx(text) == (("a", "x", "*"), ("b", "y", "*"))


def test_one_label_under_two_parents_is_two_nodes() -> None:
    tree, leaves = from_paths([("a", "same", "p"), ("b", "same", "q"), ("c", "same", "p")])
    assert leaves == ("a", "c", "b")
    assert tree.label(0, 1) == "same"
    assert tree.label(0, 2) == "*"


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        ([], "no values"),
        ([("a", "*"), ("b",)], "row 2 has 1 levels"),
        ([("a", "*"), ("a", "*")], "twice"),
    ],
)
def test_broken_hierarchies_are_refused(paths: list[tuple[str, ...]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_paths(paths)


def test_a_value_outside_its_hierarchy_is_counted_not_named() -> None:
    with pytest.raises(InputError, match=r"of job lacks 1 of the column's values") as error:
        nominal("job", ["a", "secret"], paths=[("a", "*")])
    assert "secret" not in str(error.value)


@given(st.lists(st.text("ab", max_size=5), min_size=1, unique=True))
def test_prefixes_join_by_the_longest_common_beginning(values: list[str]) -> None:
    values = sorted(values)
    tree = prefixes(values)
    for low in range(len(values)):
        for high in range(low, len(values)):
            first, last = tree.extent(np.array([low]), np.array([high]))
            common = 0
            while all(
                len(v) > common and v[: common + 1] == values[low][: common + 1]
                for v in values[low : high + 1]
            ):
                common += 1
            expected = [i for i, v in enumerate(values) if v.startswith(values[low][:common])]
            if low == high:
                expected = [low]
            assert (first[0], last[0]) == (expected[0], expected[-1])


@given(st.lists(st.integers(10000, 14000), min_size=1, max_size=30, unique=True))
def test_dates_join_by_month_then_year_then_range_of_years(days: list[int]) -> None:
    tree = dates(np.array(sorted(days)))
    iso = [str(np.datetime64(d, "D")) for d in sorted(days)]
    for low in range(len(days)):
        for high in range(low, len(days)):
            a, b = iso[low], iso[high]
            same = [n for n in (10, 7, 4) if a[:n] == b[:n]]
            expected = a[: same[0]] if same else f"[{a[:4]}-{b[:4]}]"
            first, last = tree.extent(np.array([low]), np.array([high]))
            inside = (
                [i for i, d in enumerate(iso) if a[: same[0]] == d[: same[0]]]
                if same
                else [i for i, d in enumerate(iso) if a[:4] <= d[:4] <= b[:4]]
            )
            assert (first[0], last[0]) == (inside[0], inside[-1])
            if len(inside) > 1 or low == high:
                shown = tree.label(int(first[0]), int(last[0]))
                assert (
                    shown.startswith(expected[:4]) if not same else expected.startswith(shown[:4])
                )
                if not same:
                    assert shown == expected


@pytest.mark.skipif(not (SHARED / "adult").is_dir(), reason="needs ../shared/data/adult")
def test_the_hierarchies_of_arx_are_read() -> None:
    for file in sorted((SHARED / "adult").glob("adult_hierarchy_*.csv")):
        paths = read_arx(file.read_text())
        tree, leaves = from_paths(paths)
        assert tree.label(0, len(leaves) - 1) == "*"
        assert sorted(leaves) == sorted(p[0] for p in paths)


def test_strings_part_at_few_lengths_however_long_they_are() -> None:
    tree = prefixes(sorted("a" * n + "b" for n in range(300)))
    assert len(tree.nodes) < 110
    assert len(tree.label(0, 1)) <= 101
    assert tree.label(298, 299) == "*"
