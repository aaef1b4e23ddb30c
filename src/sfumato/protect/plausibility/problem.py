"""The instance: how far each term climbs its ladder so that at least t texts could have been the original.

No text here: a term is its *ladder* of volumes, and a choice is one *level* (rung index) per term. The first
rung is the term as it stands, volume 1, unless it has to be raised in any case: then its ladder begins with
the volume that it must have at least.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError

Floats = NDArray[np.float64]
Levels = tuple[int, ...]

# How far an entropy in bits may fall short of log2 t by rounding and still count as reaching it. Only
# problems with `probabilities` ask: without them, whole numbers are compared.
ENTROPY_TOLERANCE = 1e-11
# A text whose bits are this near to log2 t is looked at by `Problem.reaches` before it is held for either.
NEAR = 1e-9
# Costs nearer than this, relative to one plus the cost, are held for equal by the searches.
COST_TOLERANCE = 1e-12


class UnreachableError(InputError):
    """No choice makes the text t-plausible: `largest` is the t that can be had, `limiting` the terms
    whose ladders end below their share of t, the shortest first."""

    def __init__(self, t: int, largest: int, limiting: Sequence[int]) -> None:
        self.t, self.largest, self.limiting = t, largest, tuple(limiting)
        shown = ", ".join(str(i + 1) for i in self.limiting[:5])
        more = f" and {len(self.limiting) - 5} more" if len(self.limiting) > 5 else ""
        where = f" (limited by term {shown}{more})" if self.limiting else ""
        super().__init__(
            f"t={in_words(t)} cannot be reached: the largest t is {in_words(largest)}{where}; "
            "lower t, or give more terms or longer ladders"
        )


def in_words(count: int) -> str:
    """A count for a message; a very large one by its power of ten, never more than it is.

    >>> in_words(2304), in_words(10**70 + 1), in_words(2**99)
    ('2,304', '10^70', '6.3·10^29')
    """
    if count < 10**15:
        return f"{count:,}"
    power = int(math.log10(count))
    power -= 10**power > count  # the logarithm of a number just below a power of ten rounds up
    tenths = count // 10 ** (power - 1)
    return f"10^{power}" if tenths == 10 else f"{tenths // 10}.{tenths % 10}·10^{power}"


@dataclass(frozen=True, eq=False, init=False)
class Problem:
    """Ladders, t and the price: which levels make the text t-plausible at the least cost?

    `uniform=True` is the paper's Definition 4: minimise C(d̄, t) of eq. 1,

        α/m² (H(d̄) - log2 t)²  +  (1-α)/m Σ (H(w̄ᵢ) - shareᵢ)²,    subject to H(d̄) ≥ log2 t.

    `uniform=False` is Definition 3: minimise |D(d̄)| ≥ t. That is the order of eq. 1 at α = 1, so its cost
    is reported as such and `alpha` is not used.

    H(w̄) is log2 of the volume, or, with `probabilities`, the entropy of eq. 2 of the base values below
    each rung (one vector per ladder and rung, as long as the volume). |D(d̄)| ≥ t is compared in whole
    numbers; with probabilities H ≥ log2 t must hold, too, within `ENTROPY_TOLERANCE` bits, and
    Definition 3 minimises H(d̄).

    shareᵢ is the part of log2 t that term i should carry: log2 t / m in the paper. With `weights` it is
    log2 t · weightᵢ / Σ weights, so that a term of twice the weight should hide twice the bits; equal
    weights are the paper's case. A deviation costs the same for every term. Definition 3 has no shares.

    >>> problem = Problem(ladders=[[1, 4, 32], [1, 2, 6], [1, 2], [1, 2]], t=32)
    >>> problem.plausible_texts((1, 2, 1, 1)), round(problem.cost((1, 2, 1, 1)), 3)
    (96, 0.387)
    """

    ladders: tuple[tuple[int, ...], ...]
    t: int
    alpha: float = 0.5
    uniform: bool = True
    probabilities: tuple[tuple[Floats, ...], ...] | None = field(default=None, repr=False)
    weights: tuple[float, ...] | None = None

    def __init__(
        self,
        ladders: Sequence[Sequence[int]],
        t: int,
        alpha: float = 0.5,
        uniform: bool = True,
        probabilities: Sequence[Sequence[Sequence[float]]] | None = None,
        weights: Sequence[float] | None = None,
    ) -> None:
        put = object.__setattr__
        put(self, "ladders", tuple(_ladder(i, ladder) for i, ladder in enumerate(ladders)))
        put(self, "t", _whole("t", t))
        put(self, "alpha", float(alpha))
        put(self, "uniform", bool(uniform))
        put(self, "weights", None if weights is None else tuple(float(w) for w in weights))
        put(self, "probabilities", None)
        if self.t < 1:
            raise InputError(f"t={self.t}: must be at least 1")
        if not 0 <= self.alpha <= 1:
            raise InputError(f"alpha={self.alpha}: must be between 0 and 1")
        if self.weights is not None:
            if len(self.weights) != len(self.ladders):
                raise InputError(
                    f"weights: {len(self.weights)} for {len(self.ladders)} ladders; give one for each"
                )
            for i, weight in enumerate(self.weights):
                if not 0 < weight < math.inf:
                    raise InputError(f"weight {i + 1} is {weight}: must be a number above 0")
        if probabilities is not None:
            put(self, "probabilities", _probabilities(self.ladders, probabilities))

    # What the cost is made of

    @property
    def size(self) -> int:
        """m, the number of terms."""
        return len(self.ladders)

    @property
    def global_share(self) -> float:
        """The α that the cost uses: Definition 3 is the order of α = 1."""
        return self.alpha if self.uniform else 1.0

    @property
    def in_whole_numbers(self) -> bool:
        """Whether only the number of plausible texts counts, so that it can be compared exactly."""
        return self.global_share == 1 and self.probabilities is None

    @cached_property
    def log_t(self) -> float:
        """log2 t, the bits that the text has to hide."""
        return math.log2(self.t)

    @cached_property
    def shares(self) -> Floats:
        """The bits that each term should hide: (m,) float64."""
        if self.weights is None:
            return np.full(self.size, self.log_t / max(1, self.size))
        weights = np.array(self.weights)
        shares: Floats = self.log_t * (weights / weights.sum())
        return shares

    @cached_property
    def bits(self) -> tuple[tuple[float, ...], ...]:
        """H(w̄) of each rung, eq. 2."""
        if self.probabilities is None:
            return tuple(tuple(map(math.log2, ladder)) for ladder in self.ladders)
        return tuple(tuple(map(entropy, vectors)) for vectors in self.probabilities)

    @cached_property
    def rungs(self) -> tuple[Levels, ...]:
        """The levels of each ladder by ascending bits, of equal ones the lowest.

        Without probabilities these are all levels in their order. With them a wider rung may well hide
        fewer bits than the one below; every search climbs by bits.
        """
        if self.probabilities is None:
            return tuple(tuple(range(len(ladder))) for ladder in self.ladders)
        rungs = []
        for row in self.bits:
            kept: list[int] = []
            for level in sorted(range(len(row)), key=row.__getitem__):
                if not kept or row[level] > row[kept[-1]]:
                    kept.append(level)
            rungs.append(tuple(kept))
        return tuple(rungs)

    @cached_property
    def table(self) -> Floats:
        """Bits of the rungs in the order of `rungs`, padded with infinity: (m, longest) float64."""
        lengths = np.array([len(row) for row in self.rungs], dtype=np.intp)
        table = np.full((self.size, int(lengths.max(initial=1))), np.inf)
        if self.probabilities is None:
            rows = self.bits
        else:
            rows = tuple(
                tuple(row[level] for level in order)
                for row, order in zip(self.bits, self.rungs, strict=True)
            )
        table[np.arange(table.shape[1]) < lengths[:, None]] = [x for row in rows for x in row]
        return table

    def levels(self, positions: Sequence[int]) -> Levels:
        """Levels from positions in `rungs`."""
        if self.probabilities is None:
            return tuple(int(p) for p in positions)
        return tuple(order[p] for order, p in zip(self.rungs, positions, strict=True))

    # What a choice of levels gives

    def plausible_texts(self, levels: Sequence[int]) -> int:
        """|D(d̄)|: the product of the volumes, exactly."""
        return math.prod(ladder[j] for ladder, j in zip(self.ladders, levels, strict=True))

    def entropy(self, levels: Sequence[int]) -> float:
        """H(d̄) of eq. 3 in bits: terms are independent (eq. 4), so it is the sum of theirs."""
        return math.fsum(row[j] for row, j in zip(self.bits, levels, strict=True))

    def excess(self, levels: Sequence[int]) -> float:
        """H(d̄) - log2 t: what the text hides beyond t."""
        if self.probabilities is not None:
            return self.entropy(levels) - self.log_t
        return excess_bits(self.plausible_texts(levels), self.t)

    def reaches(self, levels: Sequence[int]) -> bool:
        """Whether the text is t-plausible: Definition 2, and with probabilities H(d̄) ≥ log2 t."""
        if self.probabilities is not None and self.excess(levels) < -ENTROPY_TOLERANCE:
            return False
        return self.plausible_texts(levels) >= self.t

    def cost(self, levels: Sequence[int]) -> float:
        """C(d̄, t) of eq. 1; at α = 1 for Definition 3."""
        if not self.size:
            return 0.0
        share = self.global_share
        apart = math.fsum(
            (row[j] - wanted) ** 2
            for row, j, wanted in zip(self.bits, levels, self.shares.tolist(), strict=True)
        )
        return share / self.size**2 * self.excess(levels) ** 2 + (1 - share) / self.size * apart

    # Whether there is any solution

    @property
    def widest(self) -> Levels:
        """The levels that hide the most."""
        return tuple(order[-1] for order in self.rungs)

    @property
    def largest_t(self) -> int:
        """The largest t that these ladders can reach."""
        texts = self.plausible_texts(self.widest)
        if self.probabilities is None:
            return texts
        whole, part = divmod(self.entropy(self.widest) + ENTROPY_TOLERANCE, 1)
        return min(texts, int(2.0**part * 2**52) << int(whole) >> 52)

    def require_reachable(self) -> None:
        """Raises `UnreachableError` if even the widest levels are not t-plausible."""
        if self.reaches(self.widest):
            return
        tops = [row[j] for row, j in zip(self.bits, self.widest, strict=True)]
        short = [i for i, wanted in enumerate(self.shares.tolist()) if tops[i] < wanted]
        raise UnreachableError(self.t, self.largest_t, sorted(short, key=tops.__getitem__))


@dataclass(frozen=True)
class Solution:
    """Levels that make the text t-plausible, what they cost, and what is known about the best.

    No choice costs less than `bound`. If `proven`, none costs less than these levels: in whole numbers
    for Definition 3, else within `COST_TOLERANCE`.
    """

    levels: Levels
    cost: float
    plausible_texts: int
    proven: bool
    bound: float


def solution(
    problem: Problem, levels: Sequence[int], *, bound: float = 0.0, proven: bool = False
) -> Solution:
    """The solution that has these levels; it is also proven where it meets the bound."""
    cost = problem.cost(levels)
    texts = problem.plausible_texts(levels)
    if problem.in_whole_numbers:
        proven = proven or texts == problem.t
    else:
        proven = proven or cost <= bound + COST_TOLERANCE * (1 + cost)
    return Solution(tuple(levels), cost, texts, proven, cost if proven else min(cost, bound))


def entropy(probabilities: Floats) -> float:
    """Entropy in bits, eq. 2.

    >>> entropy(np.array([0.5, 0.25, 0.25]))
    1.5
    """
    some = probabilities[probabilities > 0]
    return max(0.0, -math.fsum((some * np.log2(some)).tolist()))


def excess_bits(count: int, t: int) -> float:
    """log2(count / t), to full precision also where the two are huge and near each other.

    >>> excess_bits(96, 24), excess_bits(10**30, 10**30)
    (2.0, 0.0)
    >>> excess_bits(10**30 + 1, 10**30) > 0
    True
    """
    if t <= count < 2 * t:
        return math.log1p((count - t) / t) / math.log(2)
    return math.log2(count) - math.log2(t)


# Checks


def _whole(what: str, value: object) -> int:
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise InputError(f"{what} must be a whole number, not {type(value).__name__}") from None


def _ladder(i: int, volumes: Sequence[int]) -> tuple[int, ...]:
    try:
        ladder = tuple(map(operator.index, volumes))
    except TypeError:
        raise InputError(f"ladder {i + 1}: volumes must be whole numbers") from None
    if not ladder:
        raise InputError(
            f"ladder {i + 1} is empty: the first rung is the term as it stands, volume 1"
        )
    if ladder[0] < 1:
        raise InputError(
            f"ladder {i + 1} begins with {ladder[0]}: the first rung is the term as it stands, volume 1, "
            "or the least it must be raised to"
        )
    for above, (low, high) in enumerate(itertools.pairwise(ladder), start=2):
        if low >= high:
            raise InputError(
                f"ladder {i + 1}, rung {above}: volume {high} after {low}; volumes must ascend, "
                "merge rungs of equal volume"
            )
    return ladder


def _probabilities(
    ladders: Sequence[Sequence[int]], given: Sequence[Sequence[Sequence[float]]]
) -> tuple[tuple[Floats, ...], ...]:
    if len(given) != len(ladders):
        raise InputError(
            f"probabilities: {len(given)} for {len(ladders)} ladders; give one list for each"
        )
    made = []
    for i, (ladder, rows) in enumerate(zip(ladders, given, strict=True), start=1):
        if len(rows) != len(ladder):
            raise InputError(
                f"probabilities of ladder {i}: {len(rows)} vectors for {len(ladder)} rungs"
            )
        vectors = []
        for j, (volume, row) in enumerate(zip(ladder, rows, strict=True), start=1):
            vector = np.array(row, dtype=np.float64)
            where = f"probabilities of ladder {i}, rung {j}"
            if vector.shape != (volume,):
                raise InputError(f"{where}: {vector.size} values for a volume of {volume}")
            if not (np.isfinite(vector) & (vector >= 0)).all():
                raise InputError(f"{where}: must be numbers of at least 0")
            if abs(float(vector.sum()) - 1) > 1e-6:
                raise InputError(f"{where}: must sum to 1, not {float(vector.sum()):.6g}")
            vector.setflags(write=False)
            vectors.append(vector)
        made.append(tuple(vectors))
    return tuple(made)
