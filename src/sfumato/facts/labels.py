"""Labels tell who is who: every fact of a document has a number of its own, in order of appearance.

In files of records (rows of a table, lines of JSON) numbers count within a record: over the whole file they
would say which rows speak of one person.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, groupby

from sfumato.document import Document, Edit, Spans, Term
from sfumato.facts.understanding import understand
from sfumato.policy import Policy

_RECORDS = frozenset({"csv", "tsv", "jsonl"})  # formats of records; so are all tables


def numbered(edits: Sequence[Edit], document: Document, policy: Policy) -> list[Edit]:
    """The edits with their labels numbered, where the policy's labels have numbers. Running it again changes
    nothing. A number that the text itself has in such a label, outside all edits, is not given again.

    >>> from sfumato.policy import load
    >>> edits = [Edit(a, b, "PERSON", "[PERSON]", "") for a, b in ((0, 7), (12, 14), (16, 19))]
    >>> [e.replacement for e in numbered(edits, Document("Ann Lee met Bo. Lee left"), load("default"))]
    ['[PERSON 1]', '[PERSON 2]', '[PERSON 1]']
    """
    # An organisation may have been given a person's label in an earlier round: any form will do.
    forms = [policy.label(k).form(k) for k in {e.kind for e in edits if e.how == "label"}]
    labelled = [
        Term(e.start, e.end, e.kind, 1.0, "")
        for e in edits
        if e.how == "label" and any(form.fullmatch(e.replacement) for form in forms)
    ]
    made: dict[int, str] = {}
    taken: dict[str, set[int]] = {}  # by a plain label, the numbers that the text has in such ones
    edited = Spans((e.start, e.end) for e in edits)
    for terms in _by_record(labelled, document):
        given: dict[str, int] = {}
        for kind, starts in _facts(terms, document.text):
            label = policy.label(kind)
            plain = label.of(kind)
            if plain not in taken:
                taken[plain] = set(_numbers(document.text, label.form(kind), edited))
            free = (n for n in count(given.get(plain, 0) + 1) if n not in taken[plain])
            given[plain] = next(free)
            made |= dict.fromkeys(starts, label.of(kind, given[plain]))
    return [replace(e, replacement=made[e.start]) if e.start in made else e for e in edits]


def _by_record(terms: Sequence[Term], document: Document) -> Iterator[list[Term]]:
    """The terms of each record: of a row, of a line; of all other documents, all."""
    origin = document.origin
    if origin.format not in _RECORDS and not origin.format.startswith("table/"):
        yield list(terms)
        return

    def record(term: Term) -> str:
        at = bisect_right(origin.parts, term.start, key=lambda part: part.start) - 1
        return origin.parts[at].place.partition(",")[0] if at >= 0 else ""

    yield from (list(group) for _, group in groupby(terms, key=record))


def _facts(terms: Sequence[Term], text: str) -> Iterator[tuple[str, list[int]]]:
    """Of each fact its kind and where its mentions start. No more of the text is read than holds them."""
    if not terms:
        return
    first, end = terms[0].start, max(term.end for term in terms)
    moved = [replace(t, start=t.start - first, end=t.end - first) for t in terms]
    for fact in understand(text[first:end], moved):
        yield fact.kind, [first + term.start for term in fact.mentions]


def _numbers(text: str, form: re.Pattern[str], edited: Spans) -> Iterator[int]:
    """The numbers that a text has in labels of a form, where no edit touches them."""
    for match in form.finditer(text):
        if match.lastindex and not edited.touch(*match.span()):
            yield int(match[1])
