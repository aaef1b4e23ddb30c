"""The dates of a life: which date of a text is the birth, which one the event that the text is about.

Whoever knows both can reckon an age. Both are told by the words around a date and by its place in the text,
never by its value: another date in the same place would be taken alike.
"""

from __future__ import annotations

from collections.abc import Iterable

from sfumato.english.births import told_as_birth
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
