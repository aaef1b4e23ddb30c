"""The dates and numbers of a release: how many values fit them, in whatever order the text tells them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from sfumato.english.births import may_be_age
from sfumato.verify.alternatives import span_of, spans_in
from sfumato.verify.counts import Slot, is_too_old, pairs
from sfumato.verify.orders import DAY, MONTH, YEAR, Row, Stretch
from sfumato.verify.told import NUMBERS

GRAINS = {"day": DAY, "day of year": DAY, "month": MONTH, "year": YEAR}


class ToldBands:
    """What is shown of dates and numbers, with how many values each may have by itself and which date gives
    way to another. A birth and an event from which an age follows (`life`) leave nobody too old for one."""

    def __init__(
        self,
        text: str,
        shown: Iterable[Slot],
        count: Callable[[Slot], int],
        life: Sequence[Slot] = (),
        gives_way: Callable[[Slot], bool] = lambda _: False,
    ) -> None:
        self._count, self._gives_way = count, gives_way
        slots = list(shown)
        self._dates = {s.fact: self._date(s) for s in slots if s.sort in GRAINS}
        self._life, self._lives = self._pairs(life)
        self._calendar = Row(self._dates.values(), calendar=True)
        self._kinds = {s.fact: _kind(s, text) for s in slots if s.sort in NUMBERS}
        behind = {s.fact: digits(s.of(text)) for s in slots if s.sort in NUMBERS}
        most: Counter[str] = Counter()
        for fact, kind in self._kinds.items():
            most[kind] = max(most[kind], behind[fact])
        self._bands: dict[int, Stretch] = {}
        bands: dict[str, list[Stretch]] = defaultdict(list)
        for slot in (s for s in slots if s.sort in NUMBERS):
            kind = self._kinds[slot.fact]
            grain = most[kind] - behind[slot.fact]
            low, high = span_of(slot.concept)
            ends = low * 10**grain, (high + 1) * 10**grain - 1
            self._bands[slot.fact] = Stretch(*ends, grain, count(slot))
            bands[kind].append(self._bands[slot.fact])
        self._rows = {kind: Row(some, calendar=False) for kind, some in bands.items()}

    def ways(self, slots: Sequence[Slot]) -> Iterator[int]:
        """Factors: in how many ways the values of a unit may be chosen."""
        facts = {slot.fact for slot in slots}
        apart = self._life if self._lives and self._life <= facts else frozenset()
        yield self._lives if apart else 1
        dates = [s.fact for s in slots if s.fact in self._dates]
        yield from self._calendar.ways(self._dates[fact] for fact in dates if fact not in apart)
        by_kind: dict[str, list[Stretch]] = defaultdict(list)
        for slot in slots:
            if slot.fact in self._bands:
                by_kind[self._kinds[slot.fact]].append(self._bands[slot.fact])
        for kind, bands in by_kind.items():
            yield from self._rows[kind].ways(bands)

    def _date(self, slot: Slot) -> Stretch:
        if slot.sort == "day of year":
            return Stretch(0, 0, DAY, self._count(slot), month=slot.node // 100)
        grain, gives_way = GRAINS[slot.sort], self._gives_way(slot)
        return Stretch(*span_of(slot.concept), grain, self._count(slot), gives_way)

    def _pairs(self, life: Sequence[Slot]) -> tuple[frozenset[int], int]:
        """A birth and an event some of which are too far apart, and how many pairs there are of them where no
        other date may come between; else only births stay with which nobody is too old at any event."""
        born, event = sorted(life, key=lambda s: span_of(s.concept)) if life else (None, None)
        if born is None or event is None:
            return frozenset(), 0
        own, later = self._dates[born.fact], self._dates[event.fact]
        sizes = [sum(1 for _ in spans_in(s.concept, s.sort)) for s in (born, event)]
        fitting = pairs(born, event)
        if own.high >= later.low or fitting == sizes[0] * sizes[1]:
            return frozenset(), 0
        facts = frozenset({born.fact, event.fact})
        rest = [s for fact, s in self._dates.items() if fact not in facts]
        is_apart = not any(
            s.month or any(s.low <= one.high and one.low <= s.high for one in (own, later))
            for s in rest
        )
        lost = sizes[0] - own.fitting, sizes[1] - later.fitting
        last = max(spans_in(event.concept, event.sort))
        fits = sum(not is_too_old(b, last[0]) for _, b in spans_in(born.concept, born.sort))
        self._dates[born.fact] = replace(own, fitting=max(0, fits - lost[0]))
        fitting -= lost[0] * sizes[1] + lost[1] * sizes[0]
        return facts, max(1, fitting) if is_apart else 0


def _kind(slot: Slot, text: str) -> str:
    """What a number counts; one that may be an age counts years."""
    words = slot.of(text)
    if slot.sort == "age" or may_be_age(words):
        return ""
    return re.sub(r"[\d\s.,–-]+", " ", words.casefold()).strip()


def digits(words: str) -> int:
    """How many digits stand behind the point."""
    written = re.search(r"\d\.(\d+)", words)
    return len(written[1]) if written else 0
