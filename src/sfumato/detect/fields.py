"""Forms in one line, "Name: Ann Wood Ward: 7B": no term goes over the label of the next field."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace

from sfumato.document import Spans, Term
from sfumato.english.wordlists import TITLES

_LABEL = re.compile(
    r"(?<=[\w.,;)])[ \t]+(?:Ward|Consultant|D\.?O\.?B\.?|Date|Sex|Gender|Age|Bed|Unit|Room|Address|Postcode|"
    r"Phone|Tel|Telephone|Mobile|Fax|E-?mail|Hospital|Clinic|Practice|Department|Dept|Specialty|GP|NHS|MRN|Ref|"
    r"Reference|Allerg(?:ies|y)|Diagnosis|Next of [Kk]in|NOK|Carer|Relationship|Name|First [Nn]ame|"
    r"Last [Nn]ame|Forenames?|Surname|Title|Occupation|Religion|Ethnicity|Status|Team|Site|School|Class|"
    r"Employer|Position|Company|Keyworker)(?: of (?:[Bb]irth|[Aa]dmission|[Dd]ischarge|[Dd]eath))?"
    r"(?: (?:[Nn]o|[Nn]umber|[Nn]ame|ID|[Cc]ode|[Rr]ef)\.?)? ?:(?=[ \t]|\Z|\n)"
)
_FIELD = re.compile(r"(?:^|[ \t])[A-Z][\w.-]*(?: \w+){0,2} ?:(?=[ \t]|$)", re.MULTILINE)
_LONGEST = 300  # characters of such a form that are looked at, to either side
_NAME = re.compile(r"(?i)\b(?:name|patient|client|surname)\s?:\s*\Z")


def without_labels(text: str, terms: Iterable[Term]) -> Iterator[Term]:
    """The terms, those over a label without it; what stands behind it is of a kind of its own, where nothing
    else was found.

    >>> text = "Name: Li Wei Hospital No: A12 Ward: 7B"
    >>> [(t.of(text), t.kind) for t in without_labels(text, [Term(6, 21, "ORG", 1.0, "")])]
    [('Li Wei', 'PERSON')]
    """
    given = list(terms)
    labels = [m.span() for m in _LABEL.finditer(text) if _is_form(text, m.start())]
    if not labels:
        yield from given
        return
    others, cut = list[Term](), list[Term]()
    spans = Spans(labels)
    for term in given:
        over = spans.touch(term.start, term.end) and _labels_in(labels, term)
        (cut if over else others).append(term)
    yield from others
    found = Spans((t.start, t.end) for t in others)
    for term in cut:
        inside = _labels_in(labels, term)
        first = replace(term, end=inside[0][0])
        is_name = term.kind in ("ORG", "LOC") and _NAME.search(
            text, max(0, term.start - 20), term.start
        )
        yield replace(first, kind="PERSON") if is_name else first
        ends = [start for start, _ in inside[1:]] + [term.end]
        for (_, start), end in zip(inside, ends, strict=True):
            for a, b in found.open_words(start, end, text) if start < end else ():
                if text[a:b].strip(" .").lower() not in TITLES:
                    yield replace(term, start=a, end=b, kind="MISC")


def _labels_in(labels: list[tuple[int, int]], term: Term) -> list[tuple[int, int]]:
    """The labels that begin inside a term."""
    return labels[
        bisect_right(labels, (term.start, term.end)) : bisect_left(labels, (term.end - 1, 0))
    ]


def _is_form(text: str, at: int) -> bool:
    """Whether a line has several fields."""
    first, last = max(0, at - _LONGEST), at + _LONGEST
    begin, end = text.rfind("\n", first, at) + 1, text.find("\n", at, last)
    return len(_FIELD.findall(text[max(begin, first) : end if end >= 0 else last])) > 1
