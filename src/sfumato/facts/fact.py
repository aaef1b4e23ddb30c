"""Facts: the things that a document tells, each with every term that tells it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sfumato.document import Term
from sfumato.facts.values import Value


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a document tells. `number` counts the facts of its kind in order of appearance;
    `readings` are the values it may have, the likeliest first; `belongs_to` is the number of the person whose
    user name or address it is, 0 for none."""

    kind: str
    number: int
    readings: tuple[Value, ...]
    mentions: tuple[Term, ...]
    belongs_to: int = 0

    @property
    def value(self) -> Value:
        """The likeliest value."""
        return self.readings[0]


class Facts(Sequence[Fact]):
    """The facts of a document in order of appearance, each found by any of its mentions."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._facts = sorted(facts, key=lambda fact: fact.mentions[0].start)
        self._by_place = {(t.start, t.end): fact for fact in self._facts for t in fact.mentions}

    def __len__(self) -> int:
        return len(self._facts)

    def __getitem__(self, place: int) -> Fact:  # type: ignore[override]  # no slices: nobody needs them
        return self._facts[place]

    def __iter__(self) -> Iterator[Fact]:
        return iter(self._facts)

    def of(self, term: Term) -> Fact:
        """The fact that a term tells."""
        return self._by_place[term.start, term.end]

    @property
    def terms(self) -> list[Term]:
        """All mentions, in order of the text."""
        return sorted((t for fact in self for t in fact.mentions), key=lambda t: t.start)
