"""What a term left in a text tells about a hidden one, in bits: the equations of the correlated-terms paper.

Each takes probabilities, numbers or arrays of equal shape, and returns the same. `s` is the hidden term, `g`
the generalisation that stands in its place, `q` a term that is left. p(g) counts what holds g or any of its
specialisations, so p(s, q) ≤ p(g, q) ≤ p(q), and no risk is above IC(s).

    >>> p_s, p_q, p_sq, p_gq = 1 / 1024, 1 / 256, 1 / 2048, 1 / 512
    >>> risk(p_s, p_sq, p_q), risk(p_s, p_sq, p_gq)  # where s is gone without a trace, and behind g
    (7.0, 8.0)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", float, NDArray[np.float64])


def _log2(value: Number) -> Number:
    found = np.log2(value)
    return found if isinstance(value, np.ndarray) else float(found)


def information(p: Number) -> Number:
    """IC = -log2 p: equation (1).

    >>> information(1 / 8)
    3.0
    """
    return _log2(1 / p)


def risk(p_s: Number, p_sq: Number, p_gq: Number) -> Number:
    """DR(s; q) = log2 p(s, q) / (p(s) p(g, q)): equation (16).

    A removed term has no g: everything may stand there, p(g, q) is p(q), and this is equation (3).
    """
    return _log2(p_sq / (p_s * p_gq))


def utility(released: Iterable[float], original: Iterable[float]) -> float:
    """The share of the original's information that the release has kept, in percent: equation (21). That of a
    document is the sum over its terms, each mention counted: equation (20); one without any loses none.

    >>> utility([3.0, 0.0], [3.0, 9.0])
    25.0
    """
    whole = sum(original)
    return 100 * sum(released) / whole if whole else 100.0
