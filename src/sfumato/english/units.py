"""The parts of a text within which a guarantee is to hold: sentences, paragraphs, sections, the document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Literal

Unit = Literal["sentence", "paragraph", "section", "document"]

_BLANK_LINE = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
# A heading: a Markdown one, a line that shouts or ends in a colon, a short line that starts a paragraph.
_HEADING = re.compile(
    r"^(?:\#{1,6}[^\S\n]+\S.*|[A-Z][^\n.!?;:]{0,60}:|[A-Z0-9][A-Z0-9 ,/&()'’-]{3,60})[^\S\n]*$"
    r"|(?:\A|(?<=\n\n))[A-Z][^\n\d.!?,;:]{1,40}(?=\n[^\n])",
    re.MULTILINE,
)
_SENTENCE_END = re.compile(
    r"(?<![.!?…])[.!?…]+[\"'”’)\]]*(?=\s+[\"'“‘(\[]*[^\W_a-z])|\n(?=[^\S\n]*(?:\n|[-*•]|\d+[.)]|[^\W_a-z]))"
)
_SENTENCE_START = re.compile(
    r"(?:^|[.!?…]['\"”’)\]]*\s+|\n\s*)(?:[-*#>•]+\s+|\d+[.)]\s+)?['\"“‘(\[]*$"
)
_WRAPPED = 60  # a line of so many characters may go on in the next one
_ABBREVIATION = re.compile(
    r"(?:\b(?:[A-Z]|Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|Rev|Hon|Gen|Col|Lt|Sgt|Capt|vs|etc|cf|No|Nos|Art|Fig|Figs|Sec|"
    r"Inc|Ltd|Tel|Co|Corp|Dept|Ave|Rd|Blvd|approx|e\.g|i\.e|a\.m|p\.m|U\.S|U\.K))$"
)


def spans(text: str, unit: Unit) -> list[tuple[int, int]]:
    """Where the units of a text stand, in order, without the white space around them.

    >>> text = "Dr. Wu came. She left."
    >>> [text[a:b] for a, b in spans(text, "sentence")]
    ['Dr. Wu came.', 'She left.']
    """
    found: Iterable[tuple[int, int]]
    match unit:
        case "document":
            found = [(0, len(text))]
        case "section":  # from one heading to the next
            found = pairwise([0, *(m.start() for m in _HEADING.finditer(text)), len(text)])
        case "paragraph":
            found = _paragraphs(text)
        case "sentence":
            found = _sentences(text)
    return [s for a, b in found if (s := _stripped(text, a, b))[0] < s[1]]


def begins_sentence(text: str, at: int) -> bool:
    """Whether a sentence, a line or an item of a list begins at this place.

    >>> begins_sentence("It rained. She left.", 11), begins_sentence("Dr Wu left.", 3)
    (True, False)
    """
    return _SENTENCE_START.search(text[max(0, at - 12) : at]) is not None


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Between blank lines."""
    at = 0
    for blank in _BLANK_LINE.finditer(text):
        yield at, blank.start()
        at = blank.end()
    yield at, len(text)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    for start, end in _paragraphs(text):
        at = start
        for found in _SENTENCE_END.finditer(text, start, end):
            dot = text[found.start()] == "."
            if found[0] == "\n" and found.start() - text.rfind("\n", 0, found.start()) > _WRAPPED:
                continue
            if dot and _ABBREVIATION.search(text, max(at, found.start() - 8), found.start()):
                continue
            yield at, found.end()
            at = found.end()
        yield at, end


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
