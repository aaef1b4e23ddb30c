"""How many texts a unit is one of, against who has the text alone: what lies below each concept."""

from __future__ import annotations

import math
from collections import Counter as Tally
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property

from sfumato.know.settings import Know
from sfumato.know.statistics import probability
from sfumato.know.taxonomy import named, places, telling, wordnet
from sfumato.know.taxonomy.ladder import Sense
from sfumato.verify.alternatives import Walk
from sfumato.verify.counts import Asked, Slot, known_in, product, within
from sfumato.verify.tied import Ties
from sfumato.verify.told import DATES, WORDS, Told


class TextCounter:
    """Against who has the text alone: the values below each concept."""

    takes_labels = False

    def __init__(
        self,
        asked: Asked,
        walk: Walk,
        know: Know,
        slots: Collection[Slot] = (),
        tied: Ties = Ties(),  # noqa: B008
    ) -> None:
        self._asked, self._walk, self._know = asked, walk, know
        self._slots, self._tied = slots, tied
        self._entropies: dict[str, float] = {}

    @cached_property
    def _located(self) -> Tally[int]:
        return Tally(slot.node for slot in self._slots if slot.sort == "place")

    def texts(self, slots: Sequence[Slot]) -> int:
        """Of words every value, if none may tell of what another does; of a time and an amount what is known
        of it, and of places what fits whichever lies in which."""
        slots = [s for s in slots if s not in self._tied and s.sort != "derived"]
        spoken = {of for of in telling.DIMENSIONS if any(self._tells(s, of) for s in self._words)}
        facts = {s.fact for s in slots}
        lines = (pays for line, pays in self._lines if line <= facts)
        may_pay = "place" not in spoken and not self._tied.near
        places_ = self._places(s for s in slots if s.sort == "place" and may_pay)
        rest = (s for s in slots if s.sort not in (*WORDS, "place") and "time" not in spoken)
        return product([*lines, *map(self._ranged, rest), min(places_, default=1)])

    def _ranged(self, slot: Slot) -> int:
        return max(1, known_in(slot)) if slot.sort in DATES else self.alone(slot)

    @cached_property
    def _words(self) -> list[Slot]:
        return [s for s in self._slots if s.sort in WORDS and s.concept]

    @staticmethod
    def _tells(slot: Slot, dimension: telling.Dimension) -> bool:
        """Whether a word may tell a time or a sort of place."""
        taxonomy, _, key = slot.concept.partition(":")
        return taxonomy == wordnet.NAME and bool(telling.mask_above(dimension)[int(key)])

    @cached_property
    def _lines(self) -> list[tuple[frozenset[int], int]]:
        """Words of which one is said as another is, or more finely, and so on: their facts, and how many
        values the one with fewest has."""
        rest, made = list(self._words), list[tuple[frozenset[int], int]]()
        while rest:
            line = [rest.pop()]
            for one in line:
                near = [s for s in rest if self._walk.is_on_line(s.concept, one.concept)]
                line += near
                rest = [s for s in rest if s not in near]
            made.append((frozenset(s.fact for s in line), min(map(self.alone, line))))
        return made

    def _places(self, slots: Iterable[Slot]) -> Iterator[int]:
        """Places of which one may lie in the other, by what they are said, count as one of them: as one that
        may lie in as many others."""
        own = Tally(slot.node for slot in slots)
        above = places.default().above
        for node in own:
            near = [n for n in self._located if n in above(node) or node in above(n)]
            if any(node in above(n)[1:] for n in near) or any(
                own[n] < self._located[n] for n in near
            ):
                continue  # a narrower one counts, or one that is told elsewhere may lie in it
            others = sum(own[n] for n in near) - 1
            yield min(self._walk.nested(node, most) for most in range(min(others, 2) + 1))

    def bits(self, slots: Sequence[Slot]) -> float:
        if self._asked.probabilities != "corpus":
            return math.inf
        return math.fsum(self._entropy(slot) for slot in slots if slot.sort != "derived")

    def _entropy(self, slot: Slot) -> float:
        """Of what a word may stand for, by how often the statistics have seen each."""
        if slot.concept not in self._entropies:
            taxonomy, _, key = slot.concept.partition(":")
            shares = [1.0] * self.alone(slot)
            if taxonomy not in ("calendar", "ranges", named.NAME):
                statistics = probability.blended(self._know.index, self._know.weight)
                leaves = self._walk.leaves(Sense(taxonomy, int(key), "")).values()
                shares = [statistics.p(leaf.replace("_", " ")) for leaf in leaves]
            total = math.fsum(shares)
            bits = -math.fsum(p / total * math.log2(p / total) for p in shares)
            self._entropies[slot.concept] = bits
        return self._entropies[slot.concept]

    def alone(self, slot: Slot) -> int:
        return 1 if slot.sort == "derived" else self._walk.count(slot.concept, slot.sort)

    def is_class(self, slot: Slot) -> bool:
        return True

    def is_diverse(self, slot: Slot) -> bool:
        return self._walk.families(slot.concept) >= self._asked.diverse

    def holds(self, slot: Slot, told: Told, words: str) -> bool:
        if slot.sort in WORDS:
            return self._walk.is_below(words, slot.concept)
        if slot.sort == "place":
            above = places.default().above
            return any(slot.node in above(node)[1:] for node in told.values)  # type: ignore[arg-type]
        return within(slot, told)
