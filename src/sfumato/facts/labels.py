"""Labels tell who is who: every fact of a document has a number of its own, in order of appearance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sfumato.document import Document, Edit, Term
from sfumato.facts.understanding import understand
from sfumato.policy import Label, Policy


def numbered(edits: Sequence[Edit], document: Document, policy: Policy) -> list[Edit]:
    """The edits with their labels numbered, where the policy's labels have numbers. Running it again changes
    nothing. A number that the text itself has in such a label is not given again.

    >>> from sfumato.policy import load
    >>> edits = [Edit(a, b, "PERSON", "[PERSON]", "") for a, b in ((0, 7), (12, 14), (16, 19))]
    >>> [e.replacement for e in numbered(edits, Document("Ann Lee met Bo. Lee left"), load("default"))]
    ['[PERSON 1]', '[PERSON 2]', '[PERSON 1]']
    """
    forms = {e.kind: policy.label(e.kind).form(e.kind) for e in edits if e.how == "label"}
    labelled = [
        Term(e.start, e.end, e.kind, 1.0, "")
        for e in edits
        if e.how == "label" and forms[e.kind].fullmatch(e.replacement)
    ]
    made: dict[int, str] = {}
    last: dict[str, int] = {}  # of the numbers that a label has been given
    for fact in understand(document.text, labelled):
        label = policy.label(fact.kind)
        plain = label.of(fact.kind)
        if plain not in last:
            last[plain] = _highest(document.text, label, fact.kind)
        last[plain] += 1
        made |= {term.start: label.of(fact.kind, last[plain]) for term in fact.mentions}
    return [replace(e, replacement=made[e.start]) if e.start in made else e for e in edits]


def _highest(text: str, label: Label, kind: str) -> int:
    """The highest number that a text has in labels of this form."""
    return max(
        (int(m[1]) for m in label.form(kind).finditer(text) if m.groups()[:1] and m[1]), default=0
    )
