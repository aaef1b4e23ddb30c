"""How often sets of units (articles) meet: what the disclosure risk is computed from. Knows no text.

A *row* is a set of units: those that hold a term, or a generalisation with all its specialisations. Row 0
is `EVERYTHING`, all the units: what stands where a term was removed.

Equations (13) and (14): p(a) = n(a) / N, p(a, b, …) = n(a, b, …) / N. Three estimates go beyond counting:

- *A row that is only bounded.* A phrase that the index does not have stands in at most the units with all
  its words. Such a row has these units and a *share*, how many of them are taken to hold the phrase; in
  pairs the count of the units is multiplied by the share.
- *A pair never seen together*, or in fewer units than the least that count as evidence. With E = n(a) n(b)
  / N units expected of independent rows, the count is taken as E / (1 + 2E), or as it was seen if that is
  less: PMI is -log2(1 + 2E), at most 0 and near 0 where little was expected, so that nothing is inferred
  from not having seen two rare terms together.
- *A row without units*, of which nothing is known, is independent of all others.

For rows A ⊆ B with shares w(A) ≤ w(B), p(A, C) ≤ p(B, C) holds in every one of these cases.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from sfumato.know.statistics.probability import in_all

EVERYTHING = 0
HALF = 0.5  # the count of what was never seen

Floats = NDArray[np.float64]


class Counts(Protocol):
    """What a problem asks about its rows."""

    @property
    def size(self) -> int:
        """The number of units, N."""

    def p(self, rows: Sequence[int]) -> Floats:
        """The probability of each row: equation (13); shape (rows,), above 0."""

    def joint(self, left: Sequence[int], right: Sequence[int]) -> Floats:
        """p(a, b) for each a of `left` and b of `right`: equation (14); shape (left, right), above 0."""

    def joint_all(self, rows: Sequence[int]) -> float:
        """p of all the rows together: equation (14)."""

    def units(self, row: int) -> BitMap:
        """The units of a row that may be counted on; empty where there are none."""


class UnitCounts:
    """Rows as bitmaps of units.

    >>> counts = UnitCounts(8)
    >>> a, b = counts.add(BitMap([1, 2, 3, 4])), counts.add(BitMap([4, 5]))
    >>> counts.p([a, b]).tolist(), counts.joint([a], [b]).tolist()
    ([0.5, 0.25], [[0.125]])
    """

    def __init__(self, size: int, least: int = 1) -> None:
        self.size, self.least = size, least
        self._units = [BitMap()]
        self._seen = [float(size)]
        self._estimate = [float(size)]
        self._met: list[dict[int, int]] = [{}]
        self._unread: dict[int, Callable[[], BitMap]] = {}

    def add(self, units: BitMap | None, estimate: float | None = None) -> int:
        """A new row; `estimate` is how many of its units are taken to hold it, all of them if not given.
        None for the units: every unit holds it."""
        if units is None or len(units) == self.size:
            return EVERYTHING
        seen = len(units)
        if estimate is None:
            estimate = float(seen)
        self._units.append(units)
        self._met.append({})
        self._seen.append(float(seen))
        self._estimate.append(min(estimate, seen) if seen else (estimate or HALF))
        return len(self._units) - 1

    def add_later(self, read: Callable[[], BitMap]) -> int:
        """A new row whose units are read when they are first asked for: most steps of most ladders are never
        looked at."""
        self._units.append(BitMap())
        self._met.append({})
        self._seen.append(0.0)
        self._estimate.append(HALF)
        self._unread[len(self._units) - 1] = read
        return len(self._units) - 1

    def _read(self, rows: Iterable[int]) -> None:
        for row in rows:
            if row in self._unread:
                units = self._unread.pop(row)()
                self._units[row] = units
                self._seen[row] = float(len(units))
                self._estimate[row] = float(len(units)) or HALF

    def p(self, rows: Sequence[int]) -> Floats:
        self._read(rows)
        return np.array([self._estimate[r] for r in rows], dtype=np.float64) / self.size

    def joint(self, left: Sequence[int], right: Sequence[int]) -> Floats:
        self._read(left)
        self._read(right)
        seen = np.empty((len(left), len(right)))
        for at, row in enumerate(left):
            if row == EVERYTHING:
                seen[at] = [self._seen[r] for r in right]
            else:
                # Rounds ask for the same pairs again.
                known, meet = self._met[row], self._units[row].intersection_cardinality
                new = [r for r in right if r not in known]
                known.update(zip(new, [meet(self._units[r]) for r in new], strict=True))
                seen[at] = [known[r] for r in right]
        whole = [at for at, row in enumerate(right) if row == EVERYTHING]
        if whole:
            seen[:, whole] = np.array([self._seen[r] for r in left])[:, None]
        return self._estimated(left, right, seen)

    def _estimated(self, left: Sequence[int], right: Sequence[int], seen: Floats) -> Floats:
        n_left = np.array([self._seen[r] for r in left])[:, None]
        n_right = np.array([self._seen[r] for r in right])[None, :]
        p_left, p_right = self.p(left)[:, None], self.p(right)[None, :]
        expected = n_left * n_right / self.size
        chance = expected / (1 + expected / HALF)
        alone = (np.array(left) == EVERYTHING)[:, None] | (np.array(right) == EVERYTHING)[None, :]
        few = (seen < self.least) & ~alone
        seen = np.where(seen == 0, chance, np.where(few, np.minimum(seen, chance), seen))
        shares = p_left / np.maximum(n_left, 1) * p_right / np.maximum(n_right, 1) * self.size
        blind = (n_left == 0) | (n_right == 0)
        return np.where(blind, p_left * p_right, seen * shares)

    def joint_all(self, rows: Sequence[int]) -> float:
        self._read(rows)
        known = [r for r in dict.fromkeys(rows) if r != EVERYTHING]
        blind = math.prod(self._estimate[r] / self.size for r in known if not self._seen[r])
        placed = [r for r in known if self._seen[r]]
        if not placed:
            return blind
        seen = float(in_all([self._units[r] for r in placed]))
        if not seen:
            expected = self.size * math.prod(self._seen[r] / self.size for r in placed)
            seen = expected / (1 + expected / HALF)
        shares = math.prod(self._estimate[r] / self._seen[r] for r in placed)
        return seen * shares * blind / self.size

    def units(self, row: int) -> BitMap:
        self._read([row])
        return self._units[row] if self._estimate[row] == self._seen[row] else BitMap()


class BlendCounts:
    """Several sources by weight: a unit is drawn from a source with the probability of its weight."""

    def __init__(self, sources: Sequence[tuple[UnitCounts, float]]) -> None:
        self._sources = [counts for counts, _ in sources]
        total = sum(weight for _, weight in sources)
        self._weights = [weight / total for _, weight in sources]
        self._rows = [(EVERYTHING,) * len(sources)]
        self._numbers: dict[tuple[int, ...], int] = {}
        self.size = sum(counts.size for counts in self._sources)

    def add(self, rows: tuple[int, ...]) -> int:
        """A new row from a row of each source."""
        if not any(rows):
            return EVERYTHING
        found = self._numbers.get(rows)
        if found is None:
            found = self._numbers[rows] = len(self._rows)
            self._rows.append(rows)
        return found

    def _each(self) -> list[tuple[int, UnitCounts, float]]:
        return list(zip(range(len(self._sources)), self._sources, self._weights, strict=True))

    def p(self, rows: Sequence[int]) -> Floats:
        found = np.zeros(len(rows))
        for i, source, weight in self._each():
            found += weight * source.p([self._rows[r][i] for r in rows])
        return found

    def joint(self, left: Sequence[int], right: Sequence[int]) -> Floats:
        found = np.zeros((len(left), len(right)))
        for i, source, weight in self._each():
            here, there = ([self._rows[r][i] for r in rows] for rows in (left, right))
            found += weight * source.joint(here, there)
        return found

    def joint_all(self, rows: Sequence[int]) -> float:
        return sum(w * s.joint_all([self._rows[r][i] for r in rows]) for i, s, w in self._each())

    def units(self, row: int) -> BitMap:
        """The units of all sources, one after the other."""
        found, before = BitMap(), 0
        for i, source, _ in self._each():
            found |= source.units(self._rows[row][i]).shift(before)
            before += source.size
        return found
