"""The true cost of a t-plausible text: what it costs once the right sense of every word is known."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from sfumato.errors import InputError

Path = Sequence[tuple[Hashable, int]]
"""A sense from the word itself to the root: each concept and its volume. Concepts of equal volume are all
there, so that one which a ladder merged with the next is still found."""


@dataclass(frozen=True)
class TrueCost:
    """Ĉ of section 4.2.2, and how many of the words' generalisations are right in their true sense."""

    cost: float
    right: int
    words: int


def true_cost(
    released: Sequence[Hashable | None],
    gold: Sequence[Path],
    *,
    t: int,
    alpha: float = 0.5,
    weights: Sequence[float] | None = None,
) -> TrueCost:
    """Eq. 1 where every generalisation that is not above the true sense is replaced by that sense's root.

    `released` has for each occurrence of a word the concept that stands for it, or None where it stands as
    it was; `gold` has the path of its true sense. Volumes are those of the true path. `weights` shift the
    shares of log2 t as in the problem that was solved.

    >>> resident = [("resident", 1), ("person", 8), ("entity", 1024)]
    >>> true_cost(["person", "doctor"], [resident, resident], t=8, alpha=1.0)
    TrueCost(cost=25.0, right=1, words=2)
    """
    if len(released) != len(gold):
        raise InputError(
            f"{len(released)} released words for {len(gold)} true senses; give one for each"
        )
    if weights is not None and len(weights) != len(gold):
        raise InputError(f"{len(weights)} weights for {len(gold)} words; give one for each")
    if not all(gold):
        raise InputError("a true sense has an empty path: it begins with the word itself")
    if t < 1:
        raise InputError(f"t={t}: must be at least 1")
    if not 0 <= alpha <= 1:
        raise InputError(f"alpha={alpha}: must be between 0 and 1")
    m = len(gold)
    if not m:
        return TrueCost(0.0, 0, 0)
    right = 0
    bits = []
    for concept, path in zip(released, gold, strict=True):
        volumes = dict(reversed(path))
        if concept is None:
            right += 1
            bits.append(0.0)
        elif concept in volumes:
            right += 1
            bits.append(math.log2(volumes[concept]))
        else:
            bits.append(math.log2(path[-1][1]))
    log_t = math.log2(t)
    total = m if weights is None else math.fsum(weights)
    shares = [log_t * w / total for w in (weights or [1.0] * m)]
    apart = math.fsum((b - share) ** 2 for b, share in zip(bits, shares, strict=True))
    cost = alpha / m**2 * (math.fsum(bits) - log_t) ** 2 + (1 - alpha) / m * apart
    return TrueCost(cost, right, m)
