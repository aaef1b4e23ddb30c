"""What Carpineto and Romano (2018) say about SPI, on cases that can be counted by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.measure import impressions, jsd_score, pel_score, spi_score
from sfumato.protect.logs.model import k_anonymous

LOG = [(u, d) for u in "abcdef" for d in ("mail", "weather", f"{u}'s street", "hiv")][:-1]
SIGMA = {"hiv": 0.9, **{f"{u}'s street": 0.6 for u in "abcdef"}}


def test_section_2_equal_databases_have_spi_0_and_spi_is_below_jsd() -> None:
    assert spi_score(LOG, LOG, sensitivity=SIGMA) == 0
    release = k_anonymous(LOG, 2)
    assert 0 < spi_score(LOG, release, sensitivity=SIGMA) < jsd_score(LOG, release) < 1
    assert spi_score(LOG, release) == jsd_score(LOG, release)


def test_section_3_2_k_anonymity_keeps_documents_of_k_users() -> None:
    assert {d for _, d in k_anonymous(LOG, 5)} == {"mail", "weather", "hiv"}
    assert {d for _, d in k_anonymous(LOG, 6)} == {"mail", "weather"}
    shares = [impressions(LOG, k_anonymous(LOG, k)) for k in (1, 2, 6)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] == 100


def test_section_3_2_jsd_grows_where_spi_may_fall() -> None:
    # Of ten documents one sensitive and one harmless are left; then the harmless one goes, too.
    before = [("u", f"d{n}") for n in range(10)]
    sigma = {"d0": 1.0}
    two, one = [("u", "d0"), ("u", "d1")], [("u", "d0")]
    assert jsd_score(before, two) < jsd_score(before, one)
    assert spi_score(before, two, sensitivity=sigma) > spi_score(before, one, sensitivity=sigma)


def test_section_3_2_pel_rises_when_a_frequent_document_is_removed_instead_of_a_rare_one() -> None:
    before = [("u", "mine")] * 6 + [("u", "popular")] * 2 + [("u", "other")] * 2
    without_frequent = [row for row in before if row[1] != "mine"]
    without_rare = [row for row in before if row[1] != "other"]
    # As many distinct documents are left, and far fewer rows; the exposure is the same and not smaller.
    assert impressions(before, without_frequent) < impressions(before, without_rare)
    assert pel_score(before, without_frequent) == pytest.approx(pel_score(before, without_rare))


@given(st.integers(1, 20), st.integers(1, 20))
def test_of_n_documents_m_are_left_in_closed_form(n: int, m: int) -> None:
    m = min(n, m)
    before = [("u", str(d)) for d in range(n)]
    share = m / n
    # Each document that is left: p = 1/n, q = 1/m; each that is gone adds p/2.
    q = 1 / share
    left = (math.log2(2 / (1 + q)) + q * math.log2(2 * q / (1 + q))) / 2
    expected = share * left + (1 - share) / 2
    assert jsd_score(before, before[:m]) == pytest.approx(expected, abs=1e-9)
