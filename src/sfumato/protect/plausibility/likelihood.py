"""How likely the things are that a word may stand for, by how often the statistics have seen them (eq. 2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from sfumato.facts.ladders import Rung
from sfumato.know.settings import Know
from sfumato.know.statistics import probability
from sfumato.know.taxonomy import named
from sfumato.know.taxonomy.chain import Chain
from sfumato.know.taxonomy.ladder import Sense
from sfumato.protect.plausibility.problem import ENTROPY_TOLERANCE
from sfumato.protect.plausibility.soft_facts import SoftFact

Floats = np.ndarray[Any, np.dtype[np.float64]]


class Likelihood:
    """The probabilities of leaves, from articles. Days, numbers and names that stand for nothing else are all
    alike."""

    def __init__(self, chain: Chain, know: Know) -> None:
        self._chain = chain
        self._statistics = probability.blended(know.index, know.weight)
        self._rows: dict[str, Floats] = {}

    def rows(self, facts: Sequence[SoftFact]) -> list[list[list[float]]]:
        """The probabilities of what each rung of each fact may stand for, from its present one on."""
        return [[self._row(rung).tolist() for rung in f.ladder[f.level :]] for f in facts]

    def is_enough(self, facts: Sequence[SoftFact], t: int) -> bool:
        """Whether the entropy of some facts reaches log2 t."""
        bits = math.fsum(_entropy(self._row(f.rung)) for f in facts if f.volume > 1)
        return bits >= math.log2(t) - ENTROPY_TOLERANCE

    def _row(self, rung: Rung) -> Floats:
        key = f"{rung.concept} {rung.volume}"
        if key not in self._rows:
            seen = self._seen(rung.concept) if rung.concept else []
            if len(seen) != rung.volume:
                seen = [1.0] * rung.volume
            self._rows[key] = np.array(seen) / math.fsum(seen)
        return self._rows[key]

    def _seen(self, concept: str) -> list[float]:
        """How often the leaves below a concept were seen, each once."""
        taxonomy, _, key = concept.partition(":")
        if taxonomy in ("calendar", "ranges", named.NAME):
            return []
        top = Sense(taxonomy, int(key), "")
        met, waiting, leaves = {top.key}, [top], list[str]()
        while waiting:
            sense = waiting.pop()
            below = self._chain.children(sense)
            if not below:
                leaves.append(sense.term)
            fresh = [s for s in below if s.key not in met]
            met.update(s.key for s in fresh)
            waiting += fresh
        return [self._statistics.p(leaf.replace("_", " ")) for leaf in leaves]


def _entropy(row: Floats) -> float:
    some = row[row > 0]
    return float(-(some * np.log2(some)).sum())
