"""Seams: where parts of a file touch within a word, or something between two letters is taken out, so that
nothing tells whether it is one word or two.

`<b>Wie</b>czorek` is one word and `<span>Name</span><span>Ann</span>` are two. A document
has such parts as one; detectors see the other reading as well. So they do where a code ends before a word:
`?name=Ann%20Keller`, `Dear all,\\nKeller`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from sfumato.document import Alignment, Document, Edit, Part, Term, changed
from sfumato.formats.tags import parting
from sfumato.plugins import Detector

_WITHIN_WORD = re.compile(r"\w\w")
_BEFORE_CUT, _BEHIND_CUT = re.compile(r"[\w@>./:-]"), re.compile(r"[\w@<./:-]")
_CODE = re.compile(r"(?:[%=][0-9A-Fa-f]{2}|\\[nrt])(?=[^\W_])")


def seams(document: Document) -> list[int]:
    """Where parts of a document touch within a word, or a code ends before one.

    >>> from sfumato.document import Origin
    >>> seams(Document("NameAnn", origin=Origin(parts=(Part(0, 4, "text"), Part(4, 7, "text")))))
    [4]
    """
    text = document.text
    parts, taken_out = document.origin.parts, document.origin.seams
    touching = [b.start for a, b in pairwise(parts) if a.end == b.start]
    within = {at for at in (*touching, *taken_out) if _WITHIN_WORD.match(text, at - 1)}
    return sorted(within | {code.end() for code in _CODE.finditer(text)})


def found_apart(document: Document, detectors: Iterable[Detector]) -> Iterator[Term]:
    """What detectors find where each seam is a space."""
    places = seams(document)
    if not places:
        return
    text, edges = document.text, [0, *places, len(document.text)]
    apart = Document(" ".join(text[a:b] for a, b in pairwise(edges)), document.name)
    spaces = [place + before for before, place in enumerate(places)]
    for detect in detectors:
        for term in detect(apart):
            start, end = (at - bisect_left(spaces, at) for at in (term.start, term.end))
            yield replace(term, start=start, end=end)


def found_rejoined(document: Document, detectors: Iterable[Detector]) -> Iterator[Term]:
    """What detectors find where no tag in a text (`{"html": "Hollo<b>way</b>"}`) and no line's end behind a
    hyphen cuts a word, and what they did not see whole. Tags that cut no word stay as they are."""
    text = document.text
    gone = parting(text)
    cuts = [change for change in gone if _cuts(text, *change)]
    if not cuts:
        return
    rejoined = Document(changed(text, gone), document.name)
    starts = [start for start, _, _ in gone]
    places = Alignment([Edit(a, b, "TAG", new, "") for a, b, new in gone])
    for detect in detectors:
        for term in detect(rejoined):
            span = places.to_original(term.start, term.end)
            if span is None:
                continue
            within = gone[bisect_left(starts, span[0]) : bisect_left(starts, span[1])]
            if not any(_cuts(text, *change) for change in within):
                continue
            start = span[0]
            for a, b, new in (*within, (span[1], span[1], " ")):
                if not _cuts(text, a, b, new):  # this tag stays
                    if any(map(str.isalnum, text[start:a])):
                        yield replace(term, start=start, end=a)
                    start = b


def _cuts(text: str, start: int, end: int, instead: str) -> bool:
    """Whether what is taken out stands within a word or a number."""
    return (
        not instead
        and bool(_BEFORE_CUT.match(text, start - 1))
        and bool(_BEHIND_CUT.match(text, end))
    )


def released_parts(parts: Sequence[Part], edits: Sequence[Edit]) -> tuple[Part, ...]:
    """The parts of a text once edits are made, none of which reaches over the end of one.

    >>> edits = [Edit(0, 3, "PERSON", "[PERSON]", "a name")]
    >>> released_parts((Part(0, 3, "text"), Part(3, 5, "text")), edits)
    (Part(start=0, end=8, place='text'), Part(start=8, end=10, place='text'))
    """
    ends = [e.end for e in edits]
    grown = [*accumulate((len(e.replacement) - e.end + e.start for e in edits), initial=0)]

    def moved(place: int) -> int:
        return place + grown[bisect_right(ends, place)]

    return tuple(Part(moved(p.start), moved(p.end), p.place) for p in parts)
