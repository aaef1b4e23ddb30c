"""A text without what is only in the way: tags, signs that nobody sees, runs of spaces."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from html.parser import HTMLParser

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\ufeff]")
_SPACES = re.compile(r"[^\S\n]+")


class _Text(HTMLParser):
    """The text between tags."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def clean(text: str, steps: Sequence[str]) -> str:
    """A text without what is only in the way.

    >>> clean("<b>My  name</b> is\\x00 Ann &amp; Co", ("html", "control", "spaces"))
    'My name is Ann & Co'
    """
    if "html" in steps and ("<" in text or "&" in text):
        parser = _Text()
        parser.feed(text)
        parser.close()
        text = html.unescape("".join(parser.parts)).replace("\xa0", " ")
    if "control" in steps:
        text = _CONTROL.sub("", text)
    if "spaces" in steps:
        text = _SPACES.sub(" ", text).strip()
    return text
