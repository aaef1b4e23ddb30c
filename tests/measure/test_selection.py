"""Selection of a log's documents by names and private words."""

from __future__ import annotations

from itertools import pairwise

import pytest

from sfumato.errors import InputError
from sfumato.measure import Ppp, select_ppp

MIXED = [(f"u{n % 7}", d) for n, d in enumerate(["hiv test", "pizza", "snow", "keller"] * 25)]


def test_the_shipped_lists_know_names_places_and_private_words() -> None:
    ppp = Ppp()
    assert [ppp(d) for d in ("robert martinez", "hotels in chicago", "heroin withdrawal")] == [
        True
    ] * 3
    assert not any(ppp(d) for d in ("pizza recipe", "how to draw a horse", "snow tomorrow"))


@pytest.mark.parametrize("release", ["only-ppp", "no-ppp"])
def test_larger_shares_hold_smaller_ones(release: str) -> None:
    ppp = Ppp(["hiv", "keller"])
    parts = [select_ppp(MIXED, ppp, s, release=release) for s in (0.1, 0.3, 0.5)]  # type: ignore[arg-type]
    assert [len(p) for p in parts] == [10, 30, 50]
    for small, large in pairwise(parts):
        left = list(large)
        for row in small:
            left.remove(row)
    assert all(ppp(d) == (release == "only-ppp") for _, d in parts[-1])


def test_a_share_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match=r"only-ppp can release 25.0% of this log"):
        select_ppp(MIXED, Ppp(["hiv"]), 0.5, release="only-ppp")
    with pytest.raises(InputError, match="from 0 to 1"):
        select_ppp(MIXED, Ppp(["hiv"]), 1.5, release="only-ppp")
