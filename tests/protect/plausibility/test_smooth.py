"""Counts from t on, tried one by one."""

from __future__ import annotations

import itertools
import math

from hypothesis import given
from hypothesis import strategies as st

from sfumato.protect.plausibility.smooth import coprime_atoms, first_product
from tests.protect.plausibility.instances import ladders

LARGE = st.sampled_from([1000003, 1000033, 1000037, 2**31 - 1, 10**9 + 7])


@given(
    st.lists(
        st.integers(2, 3000) | st.builds(lambda a, b, c: a * b**c, LARGE, LARGE, st.integers(1, 2))
    )
)
def test_atoms_have_no_common_factor_and_make_every_volume(volumes: list[int]) -> None:
    atoms = coprime_atoms(volumes)
    assert all(math.gcd(a, b) == 1 for a, b in itertools.combinations(atoms, 2))
    for volume in volumes:
        for atom in atoms:
            while volume % atom == 0:
                volume //= atom
        assert volume == 1


@given(
    ladders(volumes=st.integers(2, 40) | st.builds(int.__mul__, LARGE, LARGE)),
    st.integers(1, 10**5),
    st.integers(0, 6000),
)
def test_the_first_product_is_the_smallest(steps: list[list[int]], start: int, tried: int) -> None:
    products = {math.prod(choice) for choice in itertools.product(*steps)}
    least = min((p for p in products if start <= p < start + tried), default=None)
    found = first_product(steps, start, tried)
    if least is None:
        assert found == start + tried
    else:
        assert isinstance(found, tuple)
        levels, product = found
        assert product == least == math.prod(v[j] for v, j in zip(steps, levels, strict=True))
