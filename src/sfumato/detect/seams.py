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

from sfumato.document import Document, Edit, Part, Term
from sfumato.plugins import Detector

_WITHIN_WORD = re.compile(r"\w\w")
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
