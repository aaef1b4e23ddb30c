"""How many texts a unit is one of: against who has the text alone, and against who runs the program."""

from __future__ import annotations

import itertools
import re
from collections import Counter as Tally
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from sfumato.english.births import MANY_DATES, OLDEST, ages, this_year
from sfumato.kinds import rule_chain
from sfumato.verify.alternatives import span_of, spans_in
from sfumato.verify.told import AMOUNTS, DATES, NUMBERS, WORDS, Told

# Counts above this are given as this: a claim is a line in a file, not a book of digits.
MANY = 10**1000
_KINDS = {**dict.fromkeys(DATES, "DATE"), "day of year": "DATE", "age": "AGE", "derived": "AGE"}
_KINDS |= {**dict.fromkeys(AMOUNTS, "QUANTITY"), "place": "LOC"}


@dataclass(frozen=True, slots=True)
class Slot:
    """A place of the release, the concept that it stands for (none: a label), and the fact it tells."""

    start: int
    end: int
    concept: str
    sort: str
    fact: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]

    @property
    def node(self) -> int:
        return int(self.concept.partition(":")[2])


@dataclass(frozen=True, slots=True)
class Asked:
    """What a step of the policy asks for."""

    t: Mapping[str, int]
    adversary: str
    each: Mapping[str, int]
    diverse: int
    terms: str
    probabilities: str
    paying: int

    @classmethod
    def by(cls, options: Mapping[str, Any]) -> Asked:
        t, each = options["t"], options["each"]
        return cls(
            dict(t) if isinstance(t, Mapping) else {options["unit"]: t},
            options["adversary"],
            dict(each) if isinstance(each, Mapping) else {"*": each} if each else {},
            options["diverse"],
            options["terms"],
            options["probabilities"],
            options["paying"],
        )

    @property
    def stated(self) -> dict[str, Any]:
        """What the claim must say alike."""
        return {name: getattr(self, name) for name in ("t", "adversary", "each", "diverse")}

    def least_of(self, sort: str, kind: str = "") -> int:
        """How many values a fact must have by itself; without its kind, at least so many."""
        names = rule_chain(kind or _KINDS.get(sort, "TERM"))
        if not kind and sort in (*WORDS, *AMOUNTS):
            others = set(self.each) - set(_KINDS.values()) - {"MONEY"}
            known = others if sort in WORDS else {"QUANTITY", "MONEY"} & set(self.each)
            return min([self.each.get("*", 0), *(self.each[name] for name in known)])
        return next((self.each[name] for name in names if name in self.each), 0)

    def takes(self, sort: str, kinds: Collection[str]) -> bool:
        """Whether words of some kinds may be of a sort: among all nouns only those are looked for that were
        found, or all where the policy says so."""
        among_all = self.terms == "nouns" or set(kinds) != {"TERM"}
        return self.adversary != "program" or sort not in ("noun", "nouns") or among_all

    @property
    def depends_on_kinds(self) -> bool:
        """Whether what words must have depends on kinds that only the ledger has."""
        return bool(set(self.each) - set(_KINDS.values()) - {"*"})


class Counter(Protocol):
    """Counts the texts of units."""

    takes_labels: bool

    def texts(self, slots: Sequence[Slot]) -> int:
        """Of how many texts a unit with these slots is one."""

    def bits(self, slots: Sequence[Slot]) -> float:
        """How unsure one is of them, in bits; at least that of so many texts where all are alike."""

    def is_class(self, slot: Slot) -> bool:
        """Whether its concept can stand for what is asked of it."""

    def alone(self, slot: Slot) -> int:
        """How many values a fact may have by itself."""

    def is_diverse(self, slot: Slot) -> bool:
        """Whether what a word may stand for is of several families."""

    def holds(self, slot: Slot, told: Told, words: str) -> bool:
        """Whether an original is one of the values that a slot stands for."""


def product(counts: Iterable[int], whole: int = 1) -> int:
    """All counts multiplied, up to MANY: a certificate that somebody made up may list any number of them."""
    for count in counts:
        whole = min(whole * max(count, 0), MANY)
    return whole


def known_in(slot: Slot) -> int:
    """How many values of its sort the span of a date has, less those that the time of the release tells
    apart: where this year is in it, either the earlier years count or the later ones."""
    spans = [date.fromordinal(first).year for first, _ in spans_in(slot.concept, slot.sort)]
    if this_year() not in spans:
        return len(spans)
    years = min(
        len({y for y in spans if y < this_year()}), len({y for y in spans if y > this_year()})
    )
    return years * {"day": 365, "month": 12, "year": 1}[slot.sort]


def digits(words: str) -> int:
    """How many digits stand behind the point."""
    written = re.search(r"\d\.(\d+)", words)
    return len(written[1]) if written else 0


def ages_between(dates: Iterable[str]) -> list[range]:
    """The ages that follow from some two of the calendar's spans, as one was born within the one and is seen
    within the other: ranges of which none meets another."""
    spans = Tally(span_of(concept) for concept in dates)
    if len(spans) > MANY_DATES:
        return [range(OLDEST + 1)]
    possible = set[int]()
    joined = set[int]()  # ages that follow together with the next one
    for born, event in itertools.product(spans, spans):
        if born[0] <= event[1] and (born != event or spans[born] > 1):
            low, high = ages(born, event)
            possible.update(range(low, high + 1))
            joined.update(range(low, high))
    firsts = (age for age in sorted(possible) if age - 1 not in joined)
    return [range(n, next(k for k in itertools.count(n) if k not in joined) + 1) for n in firsts]


def within(slot: Slot, told: Told) -> bool:
    """Whether some date or number that was told lies in a slot's span or range."""
    if slot.sort == "day of year":
        return any(value[0] == slot.node // 100 for value in told.values)  # type: ignore[index]
    low, high = span_of(slot.concept)
    if slot.sort in NUMBERS:
        return any(low <= value[0] <= high for value in told.values)  # type: ignore[index]
    return any(low <= value[0] and value[1] <= high for value in told.values)  # type: ignore[index]
