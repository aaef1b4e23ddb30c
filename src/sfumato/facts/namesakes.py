"""Names that persons and places share: Jack London is a person, and London in England a place."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from sfumato.detect.guessed_people import BODY
from sfumato.document import Term
from sfumato.english.folding import normal_form
from sfumato.facts.mentions import called_for_short, letters_for_short
from sfumato.facts.persons import core, word_key

_TAKEN_FOR_PLACES = frozenset({"PERSON", "ORG", "MISC", "DEM"})
# Before a place; what may also stand before a person says so with a verb or a noun of going, and where things
# may come from as well ("the answer came from George") with somebody who goes.
_STAYING = "born|live[sd]?|living|based|raised|stay(?:s|ed|ing)?|arriv(?:es|ed|ing)|work(?:s|ed)?"
_GOING = (
    "home|flew|fly|flies|flying|travel(?:s|l?ed|l?ing)?|drove|driv(?:es|ing)|train|bus|flight|road|trip|native|city|town"
    "|county|state|outskirts|cent(?:re|er)|north|south|east|west|people|man|woman|family|hails?|originally"
)
_MOVING = (
    "moved?|moving|went|go(?:es|ing)?|return(?:s|ed|ing)?|came|comes?|way|back|is|are|was|were"
)
AT_A_PLACE = re.compile(
    r"\b(?:in|near|outside|around|throughout|across|via|within"
    rf"|(?:{_STAYING}) at|(?:{_GOING}) (?:to|from|of))\s+\Z",
    re.IGNORECASE,
)
_VISITED = re.compile(r"\bvisit(?:ed|ing|s)?\s+\Z", re.IGNORECASE)
_MOVES = re.compile(
    rf"(?:\A|\b(?:I|he|she|we|they|you|who|him|her|them|us|me)),?\s(?:\w+\s){{0,3}}?"
    rf"(?:{_MOVING}) (?:to|from|of)\s+\Z",
    re.IGNORECASE,
)
_IN_A_PLACE = re.compile(r", ([A-Z][\w.]*(?: [A-Z]\w+)?)")
# The place of a report in a newspaper: "PARIS — The minister resigned".
_DATELINE = re.compile(r" ?(?:\([A-Z][\w ]+\) ?)?[—–] ?(?=[A-Z])")
_FAR = 40


def as_meant(
    text: str, terms: Sequence[Term], said: Sequence[str], is_place: Callable[[str], bool]
) -> list[Term]:
    """The terms, each a place or a person as its name is meant where it stands.

    What is told as a place elsewhere ("Popov v. ESTONIA", "Tartu" of "Tartu, Estonia", "the Big Apple", "LA")
    is one; but a word of a person's full name is the person, unless the words beside it say that it is a
    place.

    >>> text = "Jack London writes. London was born in London."
    >>> spans = [(0, 11, "PERSON"), (20, 26, "LOC"), (39, 45, "LOC")]
    >>> terms = [Term(a, b, kind, 1.0, "") for a, b, kind in spans]
    >>> found = as_meant(text, terms, [t.of(text) for t in terms], lambda words: False)
    >>> [term.kind for term in found]
    ['PERSON', 'PERSON', 'LOC']
    """
    forms = [normal_form(words) for words in said]
    places = {form for form, term in zip(forms, terms, strict=True) if term.kind == "LOC"}
    for words, term in zip(said, terms, strict=True):
        if term.kind == "LOC" and "," in words:
            places |= {normal_form(part) for part in words.split(",")}
        elif term.kind == "MISC" and " " in words and is_place(words):
            places.add(normal_form(words))
    told = (words for words, term in zip(said, terms, strict=True) if term.kind == "LOC")
    short = frozenset[str]().union(*map(called_for_short, told))
    full = [
        core(words)
        for words, form, term in zip(said, forms, terms, strict=True)
        if term.kind == "PERSON" and " " in form and form not in places
    ]
    given = {name[0] for name in full if len(name) > 1}
    persons = {word for name in full if len(name) > 1 for word in name if len(word) > 2}
    made = []
    for at, (term, form) in enumerate(zip(terms, forms, strict=True)):
        kind = term.kind
        starts = text[max(0, term.start - 1) : term.start] in ("", "\n")
        if " " not in form and kind in ("LOC", "ORG", "PERSON") and BODY.match(text, term.end):
            kind = "PERSON"
        elif starts and kind == "PERSON" and said[at].isupper() and _DATELINE.match(text, term.end):
            kind = "LOC" if is_place(said[at].title()) else kind
        elif " " not in form and word_key(said[at]) in persons:
            if kind in ("PERSON", "LOC", "MISC") and (form in places or is_place(said[at])):
                last = terms[at - 1] if at and terms[at - 1].kind == "PERSON" else None
                persons_at = {t.start for t in terms[at + 1 : at + 2] if t.kind == "PERSON"}
                stands = _stands_as_place(text, term, last, persons_at, is_place)
                if word_key(said[at]) not in given:  # "visits Elizabeth"
                    stands |= (
                        _VISITED.search(text, max(0, term.start - _FAR), term.start) is not None
                    )
                kind = "LOC" if stands else "PERSON"
            elif kind == "MISC" or (kind == "ORG" and word_key(said[at]) in given):
                kind = "PERSON"
        elif kind in _TAKEN_FOR_PLACES and (form in places or letters_for_short(said[at]) in short):
            kind = "LOC"
        made.append(term if kind == term.kind else replace(term, kind=kind))
    return made


def _stands_as_place(
    text: str,
    term: Term,
    last: Term | None,
    persons_at: Collection[int],
    is_place: Callable[[str], bool],
) -> bool:
    """Whether the words around a name say that it is a place: "in London", "London, England", but not "Thanks
    Anna, Martin will call". The person told before it (`last`) may be who goes there."""
    start = max(0, term.start - _FAR)
    if AT_A_PLACE.search(text, start, term.start):
        return True
    # \A is where the name of a person ends, else nobody's
    known = last is not None and start <= last.end <= term.start
    if _MOVES.search(text[last.end if last and known else start : term.start], 0 if known else 1):
        return True
    after = _IN_A_PLACE.match(text, term.end)
    if after is None or after.start(1) in persons_at:
        return False
    return is_place(after[1]) or is_place(after[1].split()[0])
