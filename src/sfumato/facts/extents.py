"""How far names reach: all words of a name are one mention, whatever of them a detector has found."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from sfumato.document import Document, Term
from sfumato.english.folding import normal_form
from sfumato.english.nicknames import is_given
from sfumato.english.wordlists import LEGAL_FORMS, SUFFIXES, TITLES
from sfumato.facts.persons import core
from sfumato.know.taxonomy import places

_SUFFIX = rf"(?i:{'|'.join(sorted(SUFFIXES, key=len, reverse=True))})\b"
_LISTED = re.compile(rf",? (?:and|or|&) |, (?!{_SUFFIX})[A-Z]")  # after a name of several in a row
_GOES_ON = re.compile(r" [A-Z]\w+|\.(?=[ ,;)]+[a-z(])")  # a name of a place: "York City", "D.C"
_LIES_IN = re.compile(
    r", ?([A-Z]\w*(?:\.[A-Z]\.?)*(?: [A-Z]\w+)?)(?!\w)"
)  # "Cambridge, MA", "Lima, Peru"
_MOST_WORDS = 3  # that the name of a place may have beside those that were found
_TITLED = re.compile(rf",? {_SUFFIX}")
_INITIALS = re.compile(r"(?<![\w.])(?:[A-Z]\.[ -]?)+\Z")
# After a name: an initial of a heading ("SMITH JOHN A"), "Jr", and the dot of either within a sentence.
_GENERATION = re.compile(r"(?:,? (?:Jn?r|Sn?r|JR|SR|Junior|Senior|II|III|IV)\b)?")
_LAST_INITIAL = re.compile(r" [A-Z]\b(?=\.| *$)", re.MULTILINE)
_DOT = re.compile(rf"\.(?=[ ,;)]+(?:[a-z(]|{_SUFFIX}))")
_SHORTENED = re.compile(r"\b(?:[A-Z]|[JS]r|[JS]R)\Z")
_FORMS = "|".join(spelt for form in LEGAL_FORMS for spelt in (form.title(), form.upper()))
_LEGAL = re.compile(rf",? (?:{_FORMS}|GmbH|plc|ltd)\b")
_SHORT_LEGAL = re.compile(r"\b(?i:Ltd|Inc|Co|Corp)\Z")
_CALLED = re.compile(
    r" [\"“‘'(](?:[^\W\d_][\w-]*[\"”’')] )?|[\"”’')] "
)  # Daniel "Danno" McAllister
_OPENED = re.compile(r"\s[\"“‘'(][^\W\d_][\w-]*\Z")
_SHORT_LINE = 50  # characters of a line that ends because something else begins


def whole_names(document: Document, terms: Sequence[Term]) -> list[Term]:
    """The terms, those of names with all that belongs to them: initials and "Jr", the given name behind a
    comma, the rest of a place's name.

    >>> text = "A. Drax, Jr. and Drax, William saw New York City."
    >>> found = [(3, 7, "PERSON"), (17, 21, "PERSON"), (23, 30, "PERSON"), (35, 43, "LOC")]
    >>> terms = whole_names(Document(text), [Term(a, b, kind, 1.0, "") for a, b, kind in found])
    >>> [term.of(text) for term in terms]
    ['A. Drax, Jr.', 'Drax, William', 'New York City']
    """
    text, made = document.text, list[Term]()
    ordered = [part for t in sorted(terms, key=lambda t: t.start) for part in _lines(text, t)]
    known = {" ".join(core(t.of(text))) for t in ordered if t.kind == "PERSON"}
    limits = (*(term.start for term in ordered[1:]), len(text))
    for term, limit in zip(ordered, limits, strict=False):
        last = made[-1] if made else None
        if term.kind == "LOC" and term.end <= limit:
            term = replace(term, end=_end_of_place(text, term, limit))
        elif term.kind == "PERSON" and (city := _end_of_city(text, term, limit)):
            term = replace(term, kind="LOC", end=city)
        elif term.kind == "PERSON" and term.end <= limit:
            free = last.end if last else 0
            initials = _INITIALS.search(text, max(free, term.start - 16), term.start)
            start = initials.start() if initials else term.start
            term = replace(term, start=start, end=_end_of_person(text, term, limit))
        elif term.kind == "ORG":
            term = replace(term, end=_end_of_organisation(text, term))
        if last is not None and term.end <= last.end:
            continue  # "Ltd" was found by itself
        if last is not None and (
            _is_given_behind(text, last, term, known) or _is_same_name(text, last, term)
        ):
            made[-1] = replace(last, kind=term.kind, end=term.end)
        elif last is not None and _is_rest_of_place(text, last, term):
            made[-1] = replace(last, kind="LOC", end=term.end)
        else:
            made.append(term)
    return made


def _lines(text: str, term: Term) -> Iterator[Term]:
    """A person's term, parted where a line ends that is too short to have been broken: below a signature
    stands something else."""
    start = term.start
    for match in re.finditer(r"\s*\n\s*", term.of(text)) if term.kind == "PERSON" else ():
        end = term.start + match.start()
        line = text[text.rfind("\n", 0, end) + 1 : end]
        if len(line) < _SHORT_LINE and " " in text[start:end].strip():
            yield replace(term, start=start, end=end)
            start = term.start + match.end()
    yield replace(term, start=start)


def _is_same_name(text: str, last: Term, term: Term) -> bool:
    """Whether two terms are one name: a title, or a nickname in quotes, and what follows it; words of an
    organisation."""
    between = text[last.end : term.start]
    if last.kind == term.kind == "ORG":
        return between == " "
    if term.kind == "PERSON" and between in (" ", ". "):
        words = last.of(text).lower().split()
        is_title = all(word.replace(".", "") in TITLES for word in words)
        if is_title and last.kind in ("PERSON", "MISC"):
            return True
    if not last.kind == term.kind == "PERSON" or _CALLED.fullmatch(between) is None:
        return False
    return between[0] == " " or _OPENED.search(text, last.start, last.end) is not None


def _is_given_behind(text: str, last: Term, term: Term, known: Collection[str]) -> bool:
    """Whether a term is the given name of the one before it: "Drax, William"; "Young, May, MD"; "Young, May"
    where May Young is told as well."""
    if last.kind != "PERSON" or term.kind != "PERSON" or text[last.end : term.start].strip() != ",":
        return False
    family, given = normal_form(last.of(text)), normal_form(term.of(text))
    if not family.replace(" ", "").isalpha() or _LISTED.match(text, term.end):
        return False
    if " ".join((*core(given), *core(family))) in known or _TITLED.match(text, term.end):
        return True
    words = (is_given(word) or len(word.rstrip(".")) == 1 for word in given.split())
    return is_given(given.split()[0]) and all(words) and not is_given(family)


def _end_of_person(text: str, term: Term, limit: int) -> int:
    """Where a person's name ends, with an initial at the end of a heading, "Jr", and the dot of these."""
    end = term.end
    if term.of(text).isupper() and (initial := _LAST_INITIAL.match(text, end, limit)):
        end = initial.end()
    if generation := _GENERATION.match(text, end, limit):
        end = generation.end()
    if _SHORTENED.search(text, term.start, end) and (dot := _DOT.match(text, end)):
        end = dot.end()
    return end


def _end_of_organisation(text: str, term: Term) -> int:
    """Where an organisation's name ends, with what it is by law and the dot of that."""
    legal = _LEGAL.match(text, term.end)
    end = legal.end() if legal else term.end
    dot = _DOT.match(text, end) if _SHORT_LEGAL.search(text, term.start, end) else None
    return dot.end() if dot else end


def _is_rest_of_place(text: str, last: Term, term: Term) -> bool:
    """Whether a term is the end of a place's name that was found in two: "Ho Chi Minh", "City"; "Paris",
    "Texas"."""
    joints = (" ", ", ") if last.kind == "LOC" else (" ",)
    beside = term.kind == "LOC" and text[last.end : term.start] in joints
    whole = " ".join(text[last.start : term.end].split()) if beside else ""
    return last.kind in ("PERSON", "LOC") and bool(whole and places.default().senses(whole))


def _end_of_city(text: str, term: Term, limit: int) -> int:
    """Where a city ends that is named after a person: "Ho Chi Minh City"; 0 for none."""
    if not text.startswith(" City", term.end):
        return 0
    end = _end_of_place(text, term, limit)
    return end if end > term.end else 0


def _end_of_place(text: str, term: Term, limit: int) -> int:
    """Where the longest name of a place ends that begins like a term."""
    table, ends = places.default(), [term.end]
    for _ in range(_MOST_WORDS):
        if (word := _GOES_ON.match(text, ends[-1], limit)) is None:
            break
        ends.append(word.end())
    words = (" ".join(text[term.start : end].split()) for end in ends[:0:-1])
    longer = [end for end, name in zip(ends[:0:-1], words, strict=True) if table.senses(name)]
    end = longer[0] if longer else term.end
    if around := _LIES_IN.match(text, end, limit):
        for last in (around.end(), text.find(" ", around.start(1), around.end())):
            whole = " ".join(text[term.start : last].split()) if last > end else ""
            if whole and "," not in text[term.start : end] and table.senses(whole):
                return last
    return end
