"""The order in which browsers draw what stands in a page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sfumato.english.wordlists import word_set
from sfumato.formats.parts import BREAK, TextRun

# Text that stands right in one of these is drawn before the table (the HTML standard, 13.2.6.1).
_NO_CELL = word_set("table tbody tfoot thead tr colgroup")
# Elements that are drawn nowhere, and one that is drawn where it says that it is open.
_UNDRAWN = word_set("template datalist")
_MAY_BE_OPEN = "dialog"
_DEEPEST = 64  # of them in one another, so far as an end is looked for
_Tree = list[Any]  # of runs, of what parts them, and of such lists


class Flow:
    """The runs of a page, in the order of what is drawn: titles first, and what is not drawn last.

    >>> flow = Flow()
    >>> flow.begins_table()
    >>> flow.add("cell")
    >>> flow.before_table("text")
    >>> [*flow.pieces()]
    ['text', 'cell', '\\n']
    """

    def __init__(self) -> None:
        self.titles: _Tree = []
        self._drawn: _Tree = []
        self.behind: _Tree = []
        self._into = self._drawn
        self._tables: list[tuple[_Tree, _Tree]] = []  # what stands around each, and right before it
        self._away: list[
            tuple[str, _Tree]
        ] = []  # elements that are not drawn, and where they stand

    def add(self, *pieces: TextRun | str) -> None:
        self._into += pieces

    def add_text(self, run: TextRun, boxes: list[str]) -> None:
        """A text, in the boxes that are open."""
        if self._tables and boxes and boxes[-1] in _NO_CELL and run.text.strip():
            self.before_table(run)
        else:
            self.add(run)

    def before_table(self, run: TextRun | str) -> None:
        self._tables[-1][1].append(run)

    def begins_table(self) -> None:
        before: _Tree = []
        inside: _Tree = []
        self._into += [before, inside]
        self._tables.append((self._into, before))
        self._into = inside

    def ends_tables(self, left: int) -> None:
        """So many tables are open still."""
        while len(self._tables) > left:
            self._into, _ = self._tables.pop()

    def begins(self, name: str, *, is_open: bool) -> None:
        """An element begins, which is drawn or not."""
        if name in _UNDRAWN or (name == _MAY_BE_OPEN and not is_open):
            self._away.append((name, self._into))
            self._into = [BREAK]
            self.behind.append(self._into)

    def ends(self, name: str) -> None:
        if any(name == away for away, _ in self._away[-_DEEPEST:]):
            ended = ""
            while ended != name:
                self._into.append(BREAK)
                ended, self._into = self._away.pop()

    def pieces(self) -> Iterable[TextRun | str]:
        """All runs, and what parts them."""
        rest: list[Any] = [self.behind, BREAK, self._drawn, self.titles]
        while rest:
            piece = rest.pop()
            if isinstance(piece, list):
                rest += reversed(piece)
            else:
                yield piece
