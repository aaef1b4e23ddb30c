"""How much may be told about a hidden term: the thresholds of section 3.5, and when a term is risky.

One rule for the search and the check: a term is risky where its risk is *at least* the threshold; under
equation (9) only where it is *above*, because every independent term tells IC(g) of a term that was
generalised to g, and under "at least" all terms beside the most telling generalisation would be risky.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import PolicyError

Floats = NDArray[np.float64]
Rule = Literal["share", "bits", "least hidden", "most telling generalisation"]
SHARE = 0.4  # of IC(s), where a policy says nothing else
ROUNDING = 1e-9  # bits; sums of logarithms in another order may differ by less


@dataclass(frozen=True, slots=True)
class Threshold:
    """Where risk begins.

    `share`: a share of the information of each hidden term; `bits`: a number of bits; `least hidden`: the
    information of the least informative hidden term, equation (8); `most telling generalisation`: that of the
    most informative generalisation of a hidden term, equation (9).
    """

    rule: Rule = "share"
    value: float = SHARE

    def __post_init__(self) -> None:
        if self.rule == "share" and not 0 < self.value <= 1:
            raise PolicyError(
                f"a share of a hidden term's information is above 0 and at most 1, not {self.value:g}"
            )
        if self.rule == "bits" and not self.value > 0:
            raise PolicyError(f"a threshold is above 0 bits, not {self.value:g}")

    @property
    def strict(self) -> bool:
        """Whether a risk must be above the threshold to count."""
        return self.rule == "most telling generalisation"


def limits(threshold: Threshold, hidden: Floats, generalised: Floats) -> Floats:
    """The threshold in bits for each hidden term, t_DR; shape (hidden,).

    `hidden` is the information of each hidden term, shape (hidden,); `generalised` that of the
    generalisations in their places, shape (generalised,), none for removed terms.

    >>> limits(Threshold("share", 0.5), np.array([8.0, 12.0]), np.array([2.0])).tolist()
    [4.0, 6.0]
    >>> limits(Threshold("least hidden"), np.array([8.0, 12.0]), np.array([2.0])).tolist()
    [8.0, 8.0]
    """
    if not len(hidden):
        return np.zeros(0)
    if threshold.rule == "share":
        return hidden * threshold.value
    if threshold.rule == "bits":
        return np.full(len(hidden), threshold.value)
    if threshold.rule == "least hidden":
        return np.full(len(hidden), hidden.min())
    if not len(generalised):
        raise PolicyError(
            "the threshold 'most telling generalisation' needs a hidden term that was generalised; all of "
            "them are removed: choose 'share', 'bits' or 'least hidden'"
        )
    return np.full(len(hidden), generalised.max())


def is_risky(risk: Floats, limit: Floats | float, strict: bool = False) -> NDArray[np.bool_]:
    """Whether so many bits are too many."""
    return risk > limit + ROUNDING if strict else risk >= limit - ROUNDING
