"""A text without what is only in the way: tags, signs that nobody sees, runs of spaces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from sfumato.document import Change
from sfumato.formats.references import references
from sfumato.formats.tags import tags

_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
_SPACES = re.compile(r"[^\S\n]+")
_NO_BREAK = re.compile("\xa0")


class Cleaned:
    """A text without what is only in the way, and what of the original each character stands for.

    What has a line or a cell of its own parts words.

    >>> made = Cleaned("<b>My  name</b> is\\x00 Ann &amp; Co", ("html", "control", "spaces"))
    >>> made.text, made.original(3, 7)
    ('My name is Ann & Co', (7, 11))
    """

    def __init__(self, text: str, steps: Sequence[str]) -> None:
        self.raw = text
        self.text = text
        self.spans = [(i, i + 1) for i in range(len(text))]  # of each character
        if "html" in steps and ("<" in text or "&" in text):
            self._replace(tags(text))
            self._replace(references(self.text))
            self._replace(references(self.text))  # texts of the web are escaped twice at times
            self._replace(_found(_NO_BREAK, self.text, " "))
        if "control" in steps:
            self._replace(_found(_CONTROL, self.text, ""))
        if "spaces" in steps:
            self._replace(_found(_SPACES, self.text, " "))
            size, before = len(self.text), len(self.text) - len(self.text.lstrip())
            behind = max(before, len(self.text.rstrip()))
            self._replace(((0, before, ""), (behind, size, "")))

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original behind a stretch of this text."""
        return self.spans[start][0], self.spans[end - 1][1]

    def _replace(self, changes: Iterable[Change]) -> None:
        made, spans, at = list[str](), list[tuple[int, int]](), 0
        for start, end, said in changes:
            if start < end and said != self.text[start:end]:
                made += [self.text[at:start], said]
                spans += [*self.spans[at:start], *[self.original(start, end)] * len(said)]
                at = end
        self.text = "".join([*made, self.text[at:]])
        self.spans = [*spans, *self.spans[at:]]


def _found(pattern: re.Pattern[str], text: str, instead: str) -> Iterator[Change]:
    return ((*found.span(), instead) for found in pattern.finditer(text))


def clean(text: str, steps: Sequence[str]) -> str:
    """A text without what is only in the way.

    >>> clean("<b>My  name</b> is\\x00 Ann &amp; Co", ("html", "control", "spaces"))
    'My name is Ann & Co'
    """
    return Cleaned(text, steps).text if steps else text
