"""The dates of a life: which date of a text is the birth, which one the event that the text is about.

Whoever knows both can reckon an age. Both are told by the words around a date and by its place in the text,
never by its value: another date in the same place would be taken alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations

from sfumato.english.births import MANY_DATES, OLDEST, ages, told_as_birth
from sfumato.facts.fact import Fact
from sfumato.facts.values import Days


def birth_and_event(text: str, facts: Iterable[Fact]) -> tuple[Fact, Fact] | None:
    """The date that is told as a birth, if there is exactly one, and the first other date.

    >>> from sfumato.document import Term
    >>> from sfumato.facts.understanding import understand
    >>> note = "Admitted in May 2019, was born in 1985."
    >>> facts = understand(note, [Term(12, 20, "DATE", 1, ""), Term(34, 38, "DATE", 1, "")])
    >>> [note[f.mentions[0].start :][:4] for f in birth_and_event(note, facts)]
    ['1985', 'May ']
    """
    dates = [f for f in facts if isinstance(f.value, Days)]
    births = [f for f in dates if any(told_as_birth(text, m.start) for m in f.mentions)]
    others = [f for f in dates if f not in births]
    return (births[0], others[0]) if len(births) == 1 and others else None


def ages_told(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ages that somebody may have who was born at one of some dates, at another of them: ranges that lie
    apart, in order. A date is a span of `date.toordinal`.

    >>> from datetime import date
    >>> years = [(date(y, 1, 1).toordinal(), date(y, 12, 31).toordinal()) for y in (1984, 2004, 2024)]
    >>> ages_told(years)
    [(19, 20), (39, 40)]
    """
    times = Counter(spans)
    if len(times) > MANY_DATES:
        return [(0, OLDEST)]
    pairs = permutations([span for span, n in times.items() for _ in range(min(n, 2))], 2)
    found: list[tuple[int, int]] = []
    for low, high in sorted({ages(*pair) for pair in pairs if pair[0][0] <= pair[1][1]}):
        if found and low <= found[-1][1]:
            low, high = found[-1][0], max(high, found.pop()[1])
        found.append((low, high))
    return found
