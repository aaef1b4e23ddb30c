"""Labels tell who is who: every fact of a document has a number of its own, in order of appearance.

In files of records (rows of a table, lines of JSON) numbers count within a record: over the whole file they
would say which rows speak of one person.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count, islice

from sfumato.document import Document, Edit, Spans, Term
from sfumato.english.folding import plain_digits, seen_through
from sfumato.english.wordlists import DOTTED_OFFICES, OFFICES, SHORT_TITLES
from sfumato.facts.exact_words import NEAR, exact_word
from sfumato.facts.fact import Fact
from sfumato.facts.understanding import understand_records
from sfumato.kinds import NAME, label_word, label_words
from sfumato.policy import Policy

_NAMED = label_words("PERSON")
_SIGNS = 20  # that draw nothing, behind an "@"; chosen, not measured
_TITLE = re.compile(
    rf"(?i:(?:(?:{'|'.join(SHORT_TITLES)})\.?|(?:{'|'.join(DOTTED_OFFICES)})\.|{'|'.join(OFFICES)})[ ])+"
    r"(?=[^\W\d_])(?!v(?:s?|ersus)\b(?!/d|\. ?d\b))"  # a party of "Judge v. Hartley" has none
)


def numbered(
    edits: Sequence[Edit], document: Document, policy: Policy, found: Iterable[Term] = ()
) -> list[Edit]:
    """The edits with their labels numbered, where the policy's labels have numbers. Running it again changes
    nothing. A number that the text itself has in such a label, outside all edits, is not given again. What is
    a person, a place or an organisation by a guess alone, wherever it is told (`found` by the detectors), is
    no more than a name.

    >>> from sfumato.policy import load
    >>> edits = [Edit(a, b, "PERSON", "[PERSON]", "") for a, b in ((0, 7), (12, 14), (16, 19))]
    >>> [e.replacement for e in numbered(edits, Document("Ann Lee met Bo. Lee left"), load("default"))]
    ['[PERSON 1]', '[PERSON 2]', '[PERSON 1]']
    """
    # An organisation may have been given a person's label in an earlier round: any form will do.
    kinds = {e.kind for e in edits if e.how == "label"}
    forms = [form for kind in kinds for form in policy.label(kind).forms(kind)]
    labelled = {
        e.start
        for e in edits
        if e.how == "label" and any(form.fullmatch(e.replacement) for form in forms)
    }
    # What else is edited tells who is who as well: "RMC" behind the clinic that became "a clinic".
    terms = [Term(e.start, e.end, e.kind, 1.0, "") for e in edits if e.start in labelled or e.hides]
    made: dict[int, str] = {}
    free: dict[str, _Free] = {}  # by a plain label, the numbers that the text has in no such one
    edited = Spans((e.start, e.end) for e in edits)
    # What a guarantee counts says no more than its kind: that is what was counted.
    counted = {e.start for e in edits if e.numbers}
    guesses = _Guesses(found)
    for facts in understand_records(document, terms):
        given: dict[str, int] = {}
        for fact in facts:
            if not any(t.start in labelled for t in fact.mentions):
                continue
            label = policy.label(fact.kind)
            said = [m.of(document.text) for m in fact.mentions if m.start not in counted]
            before = [document.text[max(0, m.start - NEAR) : m.start] for m in fact.mentions]
            is_free = len(said) == len(fact.mentions)
            word = exact_word(fact.kind, said, before) if is_free else ""
            if word == label_word(fact.kind) and guesses.alone(fact):
                word = NAME
            plain = label.of(fact.kind, word=word)
            if plain not in free:
                free[plain] = _Free(_numbers(document.text, label.form(fact.kind, word), edited))
            given[plain] = given.get(plain, 0) + 1
            number = label.of(fact.kind, free[plain].number(given[plain]), word)
            made |= {t.start: number for t in fact.mentions if t.start in labelled}
    return [replace(e, replacement=made[e.start]) if e.start in made else e for e in edits]


def with_titles(edits: Iterable[Edit], text: str) -> list[Edit]:
    """The edits, those of names that become a label with the title that the name has.

    >>> edit = Edit(0, 7, "PERSON", "[PERSON 1]", "", "label")
    >>> [e.replacement for e in with_titles([edit], "Dr. Lee left")]
    ['Dr. [PERSON 1]']
    """
    edits = list(edits)
    begins, ends = [e.start for e in edits], [e.end for e in edits]
    # Of a name that tags cut, one part has the label
    for at in range(1, len(edits)):
        if ends[at - 1] == begins[at] and not edits[at - 1].replacement:
            begins[at] = begins[at - 1]
    for at in reversed(range(len(edits) - 1)):
        if ends[at] == edits[at + 1].start and not edits[at + 1].replacement:
            ends[at] = ends[at + 1]
    return [
        _with_title(e, text, *span) if e.kind == "PERSON" else e
        for e, *span in zip(edits, begins, ends, strict=True)
    ]


def _with_title(edit: Edit, text: str, start: int, end: int) -> Edit:
    is_called = edit.how == "pseudonym" or (
        edit.how == "label" and any(word in edit.replacement for word in _NAMED)
    )
    # Behind "@" a title would be a user's name
    is_user = seen_through(plain_digits(text[max(0, start - _SIGNS) : start])).text.endswith("@")
    title = _TITLE.match(text, start, end) if is_called and not is_user else None
    return replace(edit, replacement=title[0] + edit.replacement) if title else edit


class _Guesses:
    """Which terms were found whose kind is a guess, and which are of a kind by more than that."""

    def __init__(self, found: Iterable[Term]) -> None:
        self._spans = {True: defaultdict[str, Spans](Spans), False: defaultdict[str, Spans](Spans)}
        for term in found:
            self._spans[term.is_guess][term.kind].add(term.start, term.end)

    def alone(self, fact: Fact) -> bool:
        """Whether a fact is of its kind by guesses alone."""
        guessed, told = (
            any(self._spans[is_guess][fact.kind].touch(m.start, m.end) for m in fact.mentions)
            for is_guess in (True, False)
        )
        return guessed and not told


class _Free:
    """The numbers from 1 that are not taken, looked for once for all records."""

    def __init__(self, taken: Iterable[int]) -> None:
        numbers = set(taken)
        self._found: list[int] = []
        self._next = (n for n in count(1) if n not in numbers)

    def number(self, place: int) -> int:
        """The first, second … of them."""
        self._found += islice(self._next, max(0, place - len(self._found)))
        return self._found[place - 1]


def _numbers(text: str, form: re.Pattern[str], edited: Spans) -> Iterator[int]:
    """The numbers that a text has in labels of a form, where no edit touches them."""
    for match in form.finditer(text):
        if match.lastindex and not edited.touch(*match.span()):
            yield int(match[1])
