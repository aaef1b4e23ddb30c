"""Ladders: what a term is, from specific to general, and how many things each word may stand for.

A *ladder* begins with the word as it stands and climbs by the first parent of each concept. The *volume* of
a rung is the number of leaves of the taxonomy below it, each counted once; the first rung is always 1, also
for a word that has narrower ones, or a text would be plausible without any edit. Rungs of equal volume are
one rung, the most specific of them.

The *bits* of a rung are its intrinsic information content after Sánchez, Batet and Isern (2011): see
`sanchez_batet`. Leaves shrink and the concepts above grow with every step down, so bits never decrease on
the way down. (-log2(volume / all) is not used: it would give "person" as it stands, whose volume is 1 by the
rule above, as many bits as the rarest leaf.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Step:
    """A rung of a ladder: what to say, for how many things it may stand, how much it tells, and the concept
    behind it as `taxonomy:key`, where it is one of a taxonomy (the word as it stands is none)."""

    term: str
    volume: int
    bits: float
    concept: str = ""


@dataclass(frozen=True, slots=True)
class Sense:
    """One meaning of a term: `key` is the taxonomy's own number for it."""

    taxonomy: str
    key: int
    term: str
    named: bool = False  # an individual ("Sacramento"), not a sort of thing ("city")
    frequency: int = 0

    @property
    def concept(self) -> str:
        """By which it is found again."""
        return f"{self.taxonomy}:{self.key}"


class Taxonomy(Protocol):
    """What knows senses and their ladders."""

    @property
    def name(self) -> str:
        """Under which it is chained."""

    def senses(self, term: str) -> Sequence[Sense]:
        """The meanings of a term, the most likely first; none if it is unknown."""

    def climb(self, sense: Sense) -> list[Step]:
        """The ladder of a sense, from specific to general."""

    def volume(self, sense: Sense) -> int:
        """How many leaves are below; 1 for a leaf."""

    def children(self, sense: Sense) -> Sequence[Sense]:
        """The senses one step more specific."""

    def describe(self, sense: Sense) -> str:
        """A line that tells this sense from the others."""


# Information content


def sanchez_batet(leaves: int, subsumers: int, all_leaves: int) -> float:
    """-log2((leaves / subsumers + 1) / (all leaves + 1)), eq. 7 of Sánchez, Batet and Isern (2011).

    `leaves` are those below (0 for a leaf itself), `subsumers` the concepts above, itself included.

    >>> sanchez_batet(0, 3, 7), sanchez_batet(7, 1, 7)
    (3.0, 0.0)
    """
    return math.log2((all_leaves + 1) / (leaves / subsumers + 1))


def merge(steps: Sequence[Step]) -> list[Step]:
    """Rungs of equal volume as one, the most specific of them.

    >>> [s.term for s in merge([Step("a", 1, 3), Step("b", 1, 3), Step("c", 4, 1)])]
    ['a', 'c']
    """
    return [s for i, s in enumerate(steps) if not i or s.volume > steps[i - 1].volume]
