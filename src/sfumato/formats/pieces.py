"""Several texts as one document: the parts of a page or an e-mail are read together, so they are judged so.

What stands in a subject and what stands in a body may give an entity away only together; and a word may run
over the border of two parts ("weight <b>loss</b>"). So the parts are joined, sanitised as one, and taken
apart again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from sfumato.document import Document, Edit

BREAK = "\n"
PARAGRAPH = "\n\n"


class Pieces:
    """Texts in order, each followed by what parts it from the next (`""` if they are one run of text).

    >>> pieces = Pieces([("weight ", ""), ("loss", "\\n"), ("today", "")])
    >>> pieces.document("page").text
    'weight loss\\ntoday'
    >>> pieces.released([Edit(0, 11, "TERM", "[…]", "why")])
    ['[…]', '', 'today']
    """

    def __init__(self, pieces: Iterable[tuple[str, str]]) -> None:
        self._pieces = list(pieces)
        lengths = [len(text) + len(after) for text, after in self._pieces]
        self._starts = [0, *accumulate(lengths)]

    def __len__(self) -> int:
        return len(self._pieces)

    def document(self, name: str) -> Document:
        """All of them as one document."""
        return Document("".join(text + after for text, after in self._pieces), name)

    def released(self, edits: Sequence[Edit]) -> list[str]:
        """Each text with its share of the edits, which are sorted and do not overlap. A replacement goes to
        the first text that its edit is about; one about nothing but what parts two texts is not needed."""
        changes: list[list[tuple[int, int, str]]] = [[] for _ in self._pieces]
        for edit in edits:
            replacement = edit.replacement
            at = bisect_right(self._starts, edit.start) - 1
            while at < len(self._pieces) and self._starts[at] < edit.end:
                begin = self._starts[at]
                start = max(edit.start - begin, 0)
                end = min(edit.end - begin, len(self._pieces[at][0]))
                if start < end:
                    changes[at].append((start, end, replacement))
                    replacement = ""
                at += 1
        return [_changed(text, made) for (text, _), made in zip(self._pieces, changes, strict=True)]


def _changed(text: str, changes: Sequence[tuple[int, int, str]]) -> str:
    parts, at = [], 0
    for start, end, replacement in changes:
        parts += [text[at:start], replacement]
        at = end
    return "".join([*parts, text[at:]])
