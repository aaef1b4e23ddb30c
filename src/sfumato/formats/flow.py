"""In which order browsers show the words of a page. What they never show (scripts, styles, templates, titles
in the text) parts no word, and words that stand in a table but in no cell go before it (the HTML standard,
13.2.6.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sfumato.english.wordlists import word_set
from sfumato.formats.parts import BREAK, Gone, TextRun

_UNSHOWN = word_set("noembed noframes script style template title")
_CELLS = word_set("caption td th")
_ROWS = word_set("col colgroup tbody tfoot thead tr")
_STRUCTURE = _CELLS | _ROWS | {"table"}


class _Words(list[Any]):
    """Pieces in their order; among them lists of those that go before a table."""

    def __init__(self, in_word: bool = False) -> None:
        self.in_word = in_word  # whether what follows may go on with a word

    def add(self, piece: TextRun | str) -> None:
        self.append(piece)
        if isinstance(piece, str):
            self.in_word = False
        elif piece.text and not isinstance(piece, Gone):
            self.in_word = not piece.text[-1].isspace()


class Flow:
    """The pieces of a page, put where they are shown."""

    def __init__(self) -> None:
        self._shown, self._unshown = _Words(), _Words()
        self._within: list[
            str
        ] = []  # elements that are open, stand within a word and are not shown
        self._tables: list[
            tuple[_Words, str]
        ] = []  # what goes before each, and the cell that is open

    def add(self, piece: TextRun | str) -> None:
        said = isinstance(piece, str) or bool(piece.text.strip())
        self._words(fostered=said).add(piece)

    def extend(self, pieces: Iterable[TextRun | str]) -> None:
        for piece in pieces:
            self.add(piece)

    def _words(self, *, fostered: bool) -> _Words:
        if self._within:
            return self._unshown
        before, cell = self._tables[-1] if self._tables else (self._shown, "td")
        return before if fostered and not cell else self._shown

    def tag(self, name: str, *, is_end: bool, parts: bool, foreign: bool) -> None:
        """A tag, whether it parts words, and whether it stands in a drawing, a formula or a list of options,
        where names mean something else."""
        begins = name in _UNSHOWN and not is_end and not foreign
        if self._within or (begins and self._words(fostered=True).in_word):
            if not is_end and (not self._within or name == self._within[-1] == "template"):
                self._within.append(name)
            elif is_end and name == self._within[-1]:
                self._within.pop()
            self._unshown.add(BREAK)
            return
        if name in _STRUCTURE and not foreign:
            self._structure(name, is_end)
        if parts:
            self._words(fostered=name not in _STRUCTURE).add(BREAK)

    def _structure(self, name: str, is_end: bool) -> None:
        if name == "table" and not is_end:
            if self._tables and not self._tables[-1][1]:  # it ends the one before
                self._tables.pop()
            before = _Words(self._shown.in_word)
            self._shown.append(before)
            self._tables.append((before, ""))
        elif self._tables and name == "table":
            self._tables.pop()
        elif self._tables:
            before, cell = self._tables[-1]
            if name in _CELLS and is_end:
                cell = "" if name == cell else cell
            else:
                cell = name if name in _CELLS else ""
            self._tables[-1] = (before, cell)

    def pieces(self) -> Iterator[TextRun | str]:
        """All of them; those that are not shown come last."""
        for piece in self._shown:
            if isinstance(piece, _Words):
                yield from piece
            else:
                yield piece
        if self._unshown:
            yield BREAK
            yield from self._unshown
