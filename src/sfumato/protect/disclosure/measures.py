"""What a term left in a text tells about a hidden one, in bits: the equations of the correlated-terms paper.

Each takes probabilities, numbers or arrays of equal shape, and returns the same. `s` is the hidden term, `g`
the generalisation that stands in its place, `q` a term that is left. p(g) counts what holds g or any of its
specialisations, so p(s, q) ≤ p(g, q) ≤ p(q), and no risk is above IC(s).

    >>> p_s, p_q, p_sq, p_g, p_gq = 1 / 1024, 1 / 256, 1 / 2048, 1 / 16, 1 / 512
    >>> risk_of_removed(p_s, p_q, p_sq)
    7.0
    >>> risk_by_overlap(p_s, p_q, p_sq, p_g, p_gq) == risk(p_s, p_sq, p_gq) == 8.0
    True
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


def conditional_information(p_ab: Number, p_b: Number) -> Number:
    """IC(a | b) = -log2 p(a | b), the surprise that is left of a once b is known."""
    return _log2(p_b / p_ab)


def pmi(p_a: Number, p_b: Number, p_ab: Number) -> Number:
    """PMI(a; b) = log2 p(a, b) / (p(a) p(b)): equation (2)."""
    return _log2(p_ab / (p_a * p_b))


def pmi_by_condition(p_a: Number, p_a_given_b: Number) -> Number:
    """PMI(a; b) = log2 p(a | b) / p(a): equation (4)."""
    return _log2(p_a_given_b / p_a)


def pmi_by_information(ic_a: Number, ic_a_given_b: Number) -> Number:
    """PMI(a; b) = IC(a) - IC(a | b): equation (5)."""
    return ic_a - ic_a_given_b


def risk_of_removed(p_s: Number, p_q: Number, p_sq: Number) -> Number:
    """DR(s; q) = PMI(s; q), where s is gone without a trace: equation (3)."""
    return pmi(p_s, p_q, p_sq)


def risk_by_overlap(p_s: Number, p_q: Number, p_sq: Number, p_g: Number, p_gq: Number) -> Number:
    """DR(s; q) = PMI(s; q) + IC(g) - PMI(g; q): equations (6) and (10), by its five probabilities (15)."""
    return pmi(p_s, p_q, p_sq) + information(p_g) - pmi(p_g, p_q, p_gq)


def risk_by_condition(p_s: Number, p_q: Number, p_sq: Number, p_gq: Number) -> Number:
    """DR(s; q) = PMI(s; q) + IC(g | q): equation (7)."""
    return pmi(p_s, p_q, p_sq) + conditional_information(p_gq, p_q)


def risk(p_s: Number, p_sq: Number, p_gq: Number) -> Number:
    """DR(s; q) = log2 p(s, q) / (p(s) p(g, q)): equation (16).

    A removed term has no g: everything may stand there, p(g, q) is p(q), and this is equation (3).
    """
    return _log2(p_sq / (p_s * p_gq))


def document_information(bits: Iterable[float]) -> float:
    """IC(D), the sum over the terms of a document, each mention counted: equation (20)."""
    return float(sum(bits))


def utility(released: Iterable[float], original: Iterable[float]) -> float:
    """The share of the original's information that the release has kept, in percent: equation (21).

    A document without any information loses none.

    >>> utility([3.0, 0.0], [3.0, 9.0])
    25.0
    """
    whole = document_information(original)
    return 100 * document_information(released) / whole if whole else 100.0
