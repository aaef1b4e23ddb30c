"""Terms that end where words do: of a word, a number, an address or a compound all is hidden, or nothing."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace

from sfumato.document import Document, Spans, Term
from sfumato.english.chunker import end_of_own
from sfumato.facts.mentions import SPREAD
from sfumato.know.taxonomy import places

_LETTER = r"[^\W\d_]"
# What no term parts: an e-mail address, a number with its decimals, an abbreviation with dots, a word.
_WHOLE = re.compile(
    r"(?<![\w.+%-])(?P<email>[\w.+%-]{1,100}+@[\w-]+(?:\.[\w-]+)+)"
    r"|\d+(?:[.,]\d+)*"
    rf"|(?<![\w.]){_LETTER}(?:\.{_LETTER})+(?!\w)\.?"
    rf"|{_LETTER}+(?:['’](?!s(?!\w)){_LETTER}+)*"
)
_COMPOUND = re.compile(rf"(?<![\w-]){_LETTER}+(?:-{_LETTER}+)+(?![\w-])")
_EXTENSION = re.compile(r",?\s?\(?(?:ext(?:ension|n)?|x)\.?\s?", re.IGNORECASE)
_LONGEST = 80  # letters of a compound
_IN_NAMES = ("ADDRESS", "ORG", "LOC", "MISC")  # two of which, side by side, are the first of them


def whole_words(
    document: Document, terms: Sequence[Term], keeps: Callable[[str], bool] = lambda _: False
) -> list[Term]:
    """The terms, each to the end of the words that it is in; those that then meet are one. `keeps` tells of
    which kinds terms stay as they are: they make way.

    >>> text = "AFP 1,180; her brother-in-law at St Mary's."
    >>> found = [(6, 9, "QUANTITY"), (26, 29, "MISC"), (33, 40, "ORG")]
    >>> terms = whole_words(Document(text), [Term(a, b, kind, 1.0, "") for a, b, kind in found])
    >>> [term.of(text) for term in terms]
    ['1,180', 'brother-in-law', "St Mary's"]
    """
    words = _Words(document.text)
    made: list[Term] = []
    hidden = [t for t in terms if not keeps(t.kind)]
    for term in map(words.around, sorted(hidden, key=lambda t: (t.start, -t.end))):
        if made and _is_one_name(document.text, made[-1], term):
            whole = replace(min(made[-1], term, key=_rank), start=made[-1].start, end=term.end)
            is_place = whole.kind == "ORG" and places.default().senses(whole.of(document.text))
            # "Lagos", "State": hidden, though the whole might stand
            made[-1] = replace(whole, kind="LOC", detector=SPREAD) if is_place else whole
        elif made and _is_extension(document.text, made[-1], term):
            made[-1] = replace(made[-1], end=term.end)
        elif made and term.start < made[-1].end:
            last = made[-1]
            longer = max(last, term, key=lambda t: t.end - t.start)
            made[-1] = replace(longer, start=last.start, end=max(last.end, term.end))
        else:
            made.append(term)
    taken = Spans((t.start, t.end) for t in made)
    made += [t for t in terms if keeps(t.kind) and not taken.touch(t.start, t.end)]
    return sorted(made, key=lambda t: t.start)


def _rank(term: Term) -> int:
    return _IN_NAMES.index(term.kind)


def _is_extension(text: str, last: Term, term: Term) -> bool:
    """Whether a number is the extension of the telephone before it."""
    beside = last.kind == term.kind == "PHONE" and last.end <= term.start
    return beside and _EXTENSION.fullmatch(text, last.end, term.start) is not None


def _is_one_name(text: str, last: Term, term: Term) -> bool:
    """Whether two terms are a name that was found in two: "Royal Infirmary", "Leeds"."""
    kinds = {last.kind, term.kind}
    return text[last.end : term.start] == " " and kinds <= {*_IN_NAMES} and kinds != {"LOC"}


class _Words:
    """Where the words of a text begin and end."""

    def __init__(self, text: str) -> None:
        self._text = text
        found = [(*m.span(), m["email"] is not None) for m in _WHOLE.finditer(text)]
        self._whole = found
        self._starts = [start for start, _, _ in found]
        compounds = (m.span() for m in _COMPOUND.finditer(text))
        self._compounds = [(a, b) for a, b in compounds if b - a <= _LONGEST]
        self._compound_starts = [start for start, _ in self._compounds]

    def around(self, term: Term) -> Term:
        """A term with the rest of the words at its ends."""
        (start, _, first), (_, end, last) = self._at(term.start), self._at(term.end - 1)
        start, end = min(start, term.start), max(end, term.end)
        kind = "EMAIL" if (first or last) and term.kind != "URL" else term.kind
        start, end = self._bracket(*self._compound(start, end))
        if kind == "ORG":
            end = end_of_own(self._text, end)
        return replace(term, kind=kind, start=start, end=end)

    def _at(self, place: int) -> tuple[int, int, bool]:
        """The word at a place."""
        at = bisect_right(self._starts, place) - 1
        found = self._whole[at] if at >= 0 else (place, place, False)
        return found if found[1] > place else (place, place, False)

    def _compound(self, start: int, end: int) -> tuple[int, int]:
        """All of a compound where it is one word ("brother-in-law") or one name ("Holloway-Okoro"); of
        "Leeds-based" the name alone."""
        for at in (start, end - 1):
            found = bisect_right(self._compound_starts, at) - 1
            if found < 0 or self._compounds[found][1] <= at:
                continue
            first, last = self._compounds[found]
            inside = self._text[max(first, start)]
            parts = self._text[first:start] + self._text[end:last]
            others = re.findall(rf"(?<!['’\w]){_LETTER}", parts)
            if inside.islower() or any(map(str.isupper, others)):
                start, end = min(start, first), max(end, last)
        return start, end

    def _bracket(self, start: int, end: int) -> tuple[int, int]:
        """With the other bracket: "(0113) 496 0000"."""
        said = self._text[start:end]
        if said.count(")") > said.count("(") and self._text[start - 1 : start] == "(":
            start -= 1
        elif said.count("(") > said.count(")") and self._text[end : end + 1] == ")":
            end += 1
        return start, end
