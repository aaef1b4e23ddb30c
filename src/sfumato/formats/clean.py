"""A text without what is only in the way: tags, signs that nobody sees, runs of spaces."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from itertools import pairwise

from sfumato.formats.html import PARTS_WORDS
from sfumato.formats.references import bounded, unescape

_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
_SPACES = re.compile(r"[^\S\n]+")
_REFERENCE = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)")


class _Text(HTMLParser):
    """The text between tags, and where all that it consists of begins."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self._lines = [0, *(m.end() for m in re.finditer("\n", text))]
        self.begins: list[tuple[int, str | None]] = []  # a place, and the words that begin there
        self.feed(text)
        self.close()

    def _at(self, words: str | None = None) -> None:
        line, column = self.getpos()
        self.begins.append((self._lines[line - 1] + column, words))

    def handle_data(self, data: str) -> None:
        self._at(data)

    def handle_starttag(self, tag: str, _: object) -> None:
        self._at(" " if tag in PARTS_WORDS else None)

    def handle_startendtag(self, tag: str, attributes: object) -> None:
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag: str) -> None:
        self.handle_starttag(tag, None)

    def handle_comment(self, *_: object) -> None:
        self._at()

    def handle_decl(self, *_: object) -> None:
        self._at()

    def handle_pi(self, *_: object) -> None:
        self._at()

    def unknown_decl(self, *_: object) -> None:
        self._at()


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
            self._without_tags()
            self._replace(_REFERENCE, lambda m: unescape(m[0]))
            self._replace(re.compile("\xa0"), lambda _: " ")
        if "control" in steps:
            self._replace(_CONTROL, lambda _: "")
        if "spaces" in steps:
            self._replace(_SPACES, lambda _: " ")
            self._replace(re.compile(r"^\s+|\s+\Z"), lambda _: "")

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original behind a stretch of this text."""
        return self.spans[start][0], self.spans[end - 1][1]

    def _without_tags(self) -> None:
        made, spans = [], []
        begins = [*_Text(bounded(self.raw)).begins, (len(self.raw), None)]
        for (begin, words), (end, _) in pairwise(begins):
            if words is None:
                continue
            raw = self.raw[begin:end]
            if unescape(raw) == words:
                part = Cleaned(raw, ())
                part._replace(_REFERENCE, lambda m: unescape(m[0]))
                spans += [(a + begin, b + begin) for a, b in part.spans]
            else:  # a script's own text, or what the parser reads in its own way
                same = raw == words
                spans += [
                    (begin + i, begin + i + 1) if same else (begin, end) for i in range(len(words))
                ]
            made.append(words)
        self.text, self.spans = "".join(made), spans

    def _replace(self, pattern: re.Pattern[str], new: Callable[[re.Match[str]], str]) -> None:
        made, spans, at = [], [], 0
        for found in pattern.finditer(self.text):
            said = new(found)
            if said == found[0]:
                continue
            a, b = found.span()
            made += [self.text[at:a], said]
            spans += [*self.spans[at:a], *[self.original(a, b)] * len(said)]
            at = b
        self.text = "".join([*made, self.text[at:]])
        self.spans = [*spans, *self.spans[at:]]


def clean(text: str, steps: Sequence[str]) -> str:
    """A text without what is only in the way.

    >>> clean("<b>My  name</b> is\\x00 Ann &amp; Co", ("html", "control", "spaces"))
    'My name is Ann & Co'
    """
    return Cleaned(text, steps).text if steps else text
