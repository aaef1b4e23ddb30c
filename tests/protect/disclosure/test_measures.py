from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from sfumato.protect.disclosure import measures
from sfumato.protect.disclosure.counts import EVERYTHING, UnitCounts
from tests.protect.disclosure.corpora import UNITS, some_units

numbers = st.integers(1, 10**6)


# The paper's other forms of what is computed by equation (16).


def pmi(p_a: float, p_b: float, p_ab: float) -> float:
    """Equation (2), and (3) where the hidden term is gone without a trace."""
    return math.log2(p_ab / (p_a * p_b))


def risk_by_overlap(p_s: float, p_q: float, p_sq: float, p_g: float, p_gq: float) -> float:
    """Equations (6) and (10), by its five probabilities (15)."""
    return pmi(p_s, p_q, p_sq) + measures.information(p_g) - pmi(p_g, p_q, p_gq)


def risk_by_condition(p_s: float, p_q: float, p_sq: float, p_gq: float) -> float:
    """Equation (7)."""
    return pmi(p_s, p_q, p_sq) + measures.information(p_gq / p_q)


@st.composite
def chances(draw: st.DrawFn) -> tuple[float, ...]:
    """p(s), p(q), p(s, q), p(g), p(g, q) of sets with s inside g."""
    s, q, extra = draw(some_units), draw(some_units), draw(st.sets(st.integers(0, UNITS - 1)))
    s.add(min(q))
    g = s | extra
    return tuple(len(x) / UNITS for x in (s, q, s & q, g, g & q))


@given(chances())
def test_equations_6_7_and_16_are_one(p: tuple[float, ...]) -> None:
    p_s, p_q, p_sq, p_g, p_gq = p
    overlap = risk_by_overlap(p_s, p_q, p_sq, p_g, p_gq)
    assert overlap == pytest.approx(risk_by_condition(p_s, p_q, p_sq, p_gq))
    assert overlap == pytest.approx(measures.risk(p_s, p_sq, p_gq))


@given(chances())
def test_the_forms_of_pmi_are_one(p: tuple[float, ...]) -> None:
    p_s, p_q, p_sq, _, _ = p
    told = pmi(p_s, p_q, p_sq)
    assert told == pytest.approx(math.log2(p_sq / p_q / p_s))  # equation (4)
    rest = measures.information(p_sq / p_q)
    assert told == pytest.approx(measures.information(p_s) - rest)  # equation (5)


@given(chances())
def test_no_more_is_told_than_there_is_to_know(p: tuple[float, ...]) -> None:
    p_s, p_q, p_sq, _, p_gq = p
    whole = measures.information(p_s) + 1e-9
    assert measures.risk(p_s, p_sq, p_gq) <= whole
    assert pmi(p_s, p_q, p_sq) <= whole


@given(st.floats(1e-6, 1), st.floats(1e-6, 1), st.floats(1e-6, 1))
def test_independent_terms_tell_nothing_of_a_removed_one_and_the_generalisation_of_another(
    p_s: float, p_q: float, p_g: float
) -> None:
    assert pmi(p_s, p_q, p_s * p_q) == pytest.approx(0, abs=1e-6)
    general = measures.information(p_g)
    p_sq, p_gq = p_s * p_q, p_g * p_q
    for told in (
        risk_by_overlap(p_s, p_q, p_sq, p_g, p_gq),
        risk_by_condition(p_s, p_q, p_sq, p_gq),
        measures.risk(p_s, p_sq, p_gq),
    ):
        assert told == pytest.approx(general, abs=1e-6)


@given(st.floats(1e-6, 1), st.floats(1e-6, 1))
def test_a_term_that_never_stands_without_the_hidden_one_tells_all(p_s: float, p_q: float) -> None:
    p_q = min(p_s, p_q)
    whole = measures.information(p_s)
    assert pmi(p_s, p_q, p_q) == pytest.approx(whole)
    assert measures.risk(p_s, p_q, p_q) == pytest.approx(whole)


def test_a_removed_term_is_one_generalised_to_everything() -> None:
    assert measures.risk(0.1, 0.05, 0.2) == pytest.approx(pmi(0.1, 0.2, 0.05))


def test_measures_take_arrays() -> None:
    told = measures.risk(np.array([0.5, 0.25]), np.array([0.25, 0.25]), np.array([0.5, 0.25]))
    assert told.tolist() == [0.0, 2.0]


def test_utility_is_the_share_of_bits_that_is_left() -> None:
    assert measures.utility([], []) == 100.0
    assert measures.utility([2.0, 1.0], [4.0, 2.0]) == 50.0


# Counts


@given(some_units, some_units)
def test_pairs_that_were_seen_are_counted(a: set[int], b: set[int]) -> None:
    counts = UnitCounts(UNITS)
    rows = [counts.add(BitMap(a)), counts.add(BitMap(b))]
    found = counts.joint(rows[:1], rows[1:])[0, 0]
    assert found == pytest.approx(counts.joint_all(rows))
    if a & b:
        assert found == pytest.approx(len(a & b) / UNITS)
    else:
        expected = len(a) * len(b) / UNITS
        assert found * UNITS == pytest.approx(expected / (1 + 2 * expected))


@given(
    some_units,
    st.sets(st.integers(0, UNITS - 1)),
    st.sets(st.integers(0, UNITS - 1)),
    st.floats(0.1, 1),
    st.floats(0.1, 1),
)
def test_what_holds_a_term_holds_its_generalisation_also_where_numbers_are_estimated(
    s: set[int], more: set[int], q: set[int], share_s: float, share_q: float
) -> None:
    counts = UnitCounts(UNITS)
    hidden = counts.add(BitMap(s), share_s * len(s))
    general = counts.add(BitMap(s | more))
    other = counts.add(BitMap(q), share_q * len(q) or None)
    p_s = counts.p([hidden])[0]
    joint = counts.joint([hidden, general, EVERYTHING], [other])[:, 0]
    assert joint[0] <= joint[1] + 1e-12
    assert joint[1] <= joint[2] + 1e-12
    assert joint[2] == pytest.approx(counts.p([other])[0])
    assert measures.risk(p_s, joint[0], joint[1]) <= measures.information(p_s) + 1e-9


def test_a_row_of_which_nothing_is_known_is_independent() -> None:
    counts = UnitCounts(100)
    known, unknown = counts.add(BitMap(range(10))), counts.add(BitMap(), 0.5)
    assert counts.joint([known], [unknown])[0, 0] == pytest.approx(0.1 * 0.005)
    assert counts.joint_all([known, unknown]) == pytest.approx(0.1 * 0.005)
    assert counts.joint_all([unknown]) == pytest.approx(0.005)


def test_estimated_rows_have_no_units_to_count_on() -> None:
    counts = UnitCounts(100)
    row = counts.add(BitMap(range(10)), 4)
    assert not counts.units(row)
    assert counts.p([row])[0] == pytest.approx(0.04)


def test_everything_is_one_row() -> None:
    counts = UnitCounts(4)
    assert counts.add(None) == counts.add(BitMap(range(4))) == EVERYTHING
    assert counts.joint([EVERYTHING], [EVERYTHING]).tolist() == [[1.0]]
    assert counts.joint_all([]) == 1.0
    assert math.isclose(counts.joint_all([counts.add(BitMap([1])), EVERYTHING]), 0.25)
