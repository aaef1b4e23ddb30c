"""Which facts of a release count for nothing, because something that is told in it might tell them.

Read from the release itself: what is left of it without labels and without the words of facts. A date is
told, for all that is known, by another one and by any word of time or bare number there, an age by any word;
an amount by any number, or another amount; a place by a name, a language or a sort of place, by the rest of a
name that it is a part of, and by another place beside any number or word that may tell the way there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sfumato.document import Spans
from sfumato.english.births import may_be_age
from sfumato.english.ties import (
    BLANK,
    amounts_told,
    beside_in_name,
    lands_told,
    times_told,
    way_told,
    without_fields,
)
from sfumato.know.taxonomy import telling
from sfumato.verify.counts import Slot
from sfumato.verify.told import AMOUNTS, DATES, WORDS

_TIMES = frozenset({*DATES, "day of year", "age", "derived"})
_MOST_PLACES = 3  # that count together
_BAND = re.compile(r"(?<![\d.,])[\d.,]++(?:–| to )[\d.,]*\d")


@dataclass(frozen=True, slots=True)
class Ties:
    """The facts of a release that count for nothing."""

    facts: frozenset[int] = frozenset()
    near: bool = False  # places that pay lie in each other

    @classmethod
    def seen(
        cls, text: str, slots: Collection[Slot], hidden: Iterable[tuple[int, int]], known: bool
    ) -> Ties:
        """Ties among slots; `hidden` is where labels, and if they are `known` all words of facts stand. Else
        words that are those of a slot tell it again."""
        by_fact = {s.fact: s for s in slots}.values()
        times = [s for s in by_fact if s.sort in _TIMES]
        amounts = [s for s in by_fact if s.sort in AMOUNTS]
        located = [s for s in by_fact if s.sort == "place"]
        if not (times or amounts or located):
            return cls()
        hidden = [*hidden]
        rest = _blanked(text, [*hidden, *((s.start, s.end) for s in slots)])
        if not known:
            said = {s.of(text) for s in slots if s.concept}
            said |= {band for words in said for band in _BAND.findall(words)}
            forms = "|".join(map(re.escape, sorted(said, key=len, reverse=True)))
            rest = re.sub(rf"(?<!\w)(?:{forms})(?!\w)", BLANK, rest) if forms else rest
        # a day of no year may be one of this year, which is not over
        bare = [s for s in amounts if may_be_age(s.of(text))]
        found = {*bare, *(s for s in times if s.sort in ("age", "day of year"))}
        times += bare
        if len(times) > 1 or (times and _is_told(without_fields(rest), "time")):
            found |= {*times}
        if len(amounts) > 1 or (amounts and next(amounts_told(rest), None)):
            found |= {*amounts}
        beside = " ".join(s.of(text) for s in amounts)
        way = way_told(rest) if len(located) > 1 else ""
        others = any(s.sort in (*AMOUNTS, "age", "derived", *WORDS) for s in by_fact)
        if located and (_is_told(f"{rest} {beside}", "place") or way == "any"):
            found |= {*located}
        if len(located) > 1 and (others or len(located) > _MOST_PLACES):
            found |= {*located}
        taken = Spans(sorted({*hidden, *((s.start, s.end) for s in slots)}))
        in_name = {
            w: _is_in_name(text, w, taken) for w in {s.of(text) for s in located if s.concept}
        }
        found |= {s for s in located if in_name.get(s.of(text), False)}
        return cls(frozenset(s.fact for s in found), way == "short")

    def __contains__(self, slot: Slot) -> bool:
        return slot.fact in self.facts


def _is_told(rest: str, dimension: telling.Dimension) -> bool:
    """Whether what stands tells something of a dimension, by a number, a name or any other word."""
    by_sign = times_told(rest) if dimension == "time" else lands_told(rest)
    words = telling.words_telling(rest, dimension)
    return any(True for found in (by_sign, words) for _ in found)


def _is_in_name(text: str, words: str, taken: Spans) -> bool:
    """Whether words stand somewhere in the name of something else, which tells what they stand for."""
    found = re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", text)
    return any(not taken.touch(*near) for m in found for near in beside_in_name(text, *m.span()))


def _blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    pieces, reached = list[str](), 0
    for start, end in sorted(set(spans)):
        if start >= reached:
            pieces += [text[reached:start], BLANK]
        reached = max(reached, end)
    return "".join([*pieces, text[reached:]])
