"""Sets of a core's terms as whole numbers, bit t for term t: for searches that walk through many of them."""

from __future__ import annotations

import numpy as np

from sfumato.protect.ksafety.bits import Bools, Words
from sfumato.protect.ksafety.core import Core


class Subsets:
    """Tells K-safe sets from others, and remembers what it was asked."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.weights: list[float] = core.weights.tolist()
        self._columns = _numbers(core.columns)
        contexts = _numbers(core.protected)
        self._having = [[c for c in contexts if c >> t & 1] for t in range(len(core))]
        self._enough: dict[int, bool] = {0: True}

    def can_add(self, chosen: int, term: int) -> bool:
        """Whether a K-safe set stays K-safe with one more term: only contexts with it need a look."""
        chosen |= 1 << term
        return all(self._held(part) for part in {c & chosen for c in self._having[term]})

    def _held(self, part: int) -> bool:
        found = self._enough.get(part)
        if found is None:
            found = self._enough[part] = self._support(part) >= self.core.need
        return found

    def _support(self, part: int) -> int:
        left = (1 << len(self.core.rows)) - 1
        while part:
            low = part & -part
            left &= self._columns[low.bit_length() - 1]
            part ^= low
        return left.bit_count()

    def value(self, chosen: int) -> float:
        """The information in a set."""
        return sum(weight for t, weight in enumerate(self.weights) if chosen >> t & 1)

    def table(self, chosen: int) -> Bools:
        """The set as flags, shape (n,)."""
        return np.array([chosen >> t & 1 for t in range(len(self.core))], dtype=np.bool_)


def _numbers(rows: Words) -> list[int]:
    if rows.size == 0:
        return []
    data = np.ascontiguousarray(rows).astype("<u8", copy=False)
    return [int.from_bytes(row.tobytes(), "little") for row in data]
