"""What a document says and what its edits hide: the occurrences from which a problem is made.

Left are the noun phrases of the original, or what edits have left of them. What the policy keeps, and
findings that it lets stand, are not looked at: they are not ours to change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sfumato.detect.keeper import Keeper
from sfumato.detect.noun_phrases import noun_phrases
from sfumato.document import FACT, GENERALISE, Document, Edit, Spans, Term
from sfumato.english import chunker
from sfumato.policy import Policy
from sfumato.protect.disclosure.things import Occurrence, Shown

TOLD = "told"  # among an edit's numbers: it softens a term that told so much of a hidden one
_WRAPPED = 60  # characters of a line that may have been broken
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")


class DocumentTerms:
    """A document with what may be said about it, read once for all rounds."""

    def __init__(self, document: Document, terms: Iterable[Term], policy: Policy) -> None:
        self.text = document.text
        self._phrases = [(p.start, p.end) for p in noun_phrases(document.text)]
        self._fixed = Spans(Keeper(policy).spans(document.text))
        for term in terms:
            if policy.keeps(term.kind):
                self._fixed.add(term.start, term.end)

    def occurrences(self, edits: Sequence[Edit]) -> list[Occurrence]:
        """What is hidden, what was softened, and what is left, in order of the text."""
        found = [occurrence_of(self.text, e) for e in edits if e.hides]
        taken = Spans((o.start, o.end) for o in found)
        found += [
            Occurrence(start, end, said)
            for start, end, said in open_terms(self.text, self._phrases, taken)
            if not self._fixed.touch(start, end)
        ]
        return sorted(found, key=lambda o: (o.start, o.end))

    def is_fixed(self, start: int, end: int) -> bool:
        """Whether a span is not to be edited."""
        return self._fixed.touch(start, end)


def occurrence_of(text: str, edit: Edit) -> Occurrence:
    """A term that was edited: generalised, or hidden so that nothing of it is told."""
    shown = Shown()
    if edit.how == GENERALISE:
        shown = Shown(re.sub(r"^an?\s+", "", edit.replacement), edit.concept)
    said = " ".join(text[edit.start : edit.end].split())
    softened = is_softened(edit)
    kind = "" if softened else edit.kind
    return Occurrence(edit.start, edit.end, said, kind, shown, softened)


def is_softened(edit: Edit) -> bool:
    """Whether an edit hides nothing by itself: it softens a term that told too much, or a noun for the sake
    of plausibility."""
    return TOLD in edit.numbers or (edit.kind == "TERM" and FACT in edit.numbers)


def open_terms(
    text: str, phrases: Iterable[tuple[int, int]], taken: Spans
) -> Iterable[tuple[int, int, str]]:
    """The parts of phrases that no edit has taken, without function words at their edges."""
    for start, end in phrases:
        for a, b in (
            part for line in lines(text, start, end) for part in taken.open_words(*line, text)
        ):
            words = [m.span() for m in _WORD.finditer(text, a, b)]
            while words and _is_empty(text, words[0]):
                words.pop(0)
            while words and _is_empty(text, words[-1]):
                words.pop()
            if words:
                first, last = words[0][0], words[-1][1]
                yield first, last, " ".join(text[first:last].split())


def lines(text: str, start: int, end: int) -> Iterable[tuple[int, int]]:
    """A phrase in its lines, where a line is so short that it was not broken by its length: a heading does
    not belong to what follows."""
    while (found := text.find("\n", start, end)) >= 0:
        if found - text.rfind("\n", 0, found) <= _WRAPPED:
            yield start, found
            start = found + 1
        else:
            break
    yield start, end


def _is_empty(text: str, span: tuple[int, int]) -> bool:
    """Whether a word tells nothing at the edge of a term: a function word or a number."""
    word = text[span[0] : span[1]]
    return word.lower() in chunker.FUNCTION or not any(c.isalpha() for c in word)
