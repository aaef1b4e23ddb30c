"""The order in which browsers draw what stands in a page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sfumato.english.wordlists import word_set
from sfumato.formats.parts import BREAK, TextRun
from sfumato.formats.tags import BOX, OF_TABLES

# Text that stands right in one of these is drawn before the table (the HTML standard, 13.2.6.1).
_NO_CELL = word_set("table tbody tfoot thead tr colgroup")
# Elements whose words are drawn nowhere, those of drawings, and one that is drawn if it says that it is open.
_UNDRAWN = word_set("audio canvas datalist meter noscript object progress rp template video")
_UNDRAWN_IN_SVG = word_set(
    "clippath defs desc lineargradient marker mask metadata pattern radialgradient symbol"
)
_MAY_BE_OPEN = "dialog"
_APART = word_set("noscript template")  # no other end tag in these ends what stands around them
_RUBY = word_set("rb rp rt rtc")  # each ends the one before
_END_ALIKE = word_set("dd dt li option p")  # the one of their kind beside them
_IN_A_LINE = word_set("br button meter progress select textarea")  # boxes that end no paragraph
_VOID = word_set(
    "area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr"
)
_BOX_WITHIN = {"text": "svg", "mtable": "math", "mtd": "math", "mtr": "math"}
_CSS_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_HIDING = re.compile(
    r"(?:\A|;)\s*(?:display\s*:\s*none|(?P<room>visibility\s*:\s*(?:hidden|collapse)))\b"
)
_Tree = list[Any]  # of runs, of what parts them, and of such lists


def room_of(name: str, attributes: Mapping[str, str], foreign: str) -> bool | None:
    """Whether an element whose words are not drawn has a place of its own still; None if they are drawn.

    >>> [room_of("i", {"style": said}, "") for said in ("color:red", "Display: none", "visibility:hidden")]
    [None, False, True]
    """
    said = attributes.get("style", "")
    if foreign:
        said += "".join(f";{k}:{attributes.get(k, '')}" for k in ("display", "visibility"))
    found = _HIDING.search(_CSS_COMMENT.sub("", said.lower()))
    if found or (not foreign and "hidden" in attributes):
        return bool(found and found["room"])
    is_none = name in _UNDRAWN or (foreign == "svg" and name in _UNDRAWN_IN_SVG)
    if is_none or (name == _MAY_BE_OPEN and "open" not in attributes):
        return name in BOX
    return None


class _Away(NamedTuple):
    """An element that is not drawn, or one of its name in it."""

    name: str  # none of a box
    around: _Tree
    boxes: int  # that are open, with its own
    has_room: bool


class _Open:
    """What is open, on a page or in what stands apart from it."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.boxes: list[str] = []  # elements that are no part of a line
        self.count = Counter[str]()  # how many of each these are
        self.tables: list[tuple[_Tree, _Tree]] = []  # what stands around each, and right before it
        self.away: list[_Away] = []
        self.named = Counter[str]()  # how many of each these are


class Flow:
    """The runs of a page, in the order of what is drawn: titles first, and what is not drawn last.

    >>> flow = Flow()
    >>> flow.begins("i", room=False)
    >>> flow.add("unseen")
    >>> flow.ends("i")
    >>> flow.add("drawn")
    >>> [*flow.pieces()]
    ['drawn', '\\n', '\\n', 'unseen', '\\n']
    """

    def __init__(self) -> None:
        self.titles: _Tree = []
        self._drawn: _Tree = []
        self.behind: _Tree = []
        self._into = self._drawn
        self._open = _Open()
        self._around: list[tuple[_Open, _Tree]] = []  # what is open around what stands apart
        self._apart = Counter[str]()

    def add(self, *pieces: TextRun | str) -> None:
        self._into += pieces

    def add_text(self, run: TextRun) -> None:
        if self._is_in_no_cell() and run.text.strip():
            self._open.tables[-1][1].append(run)
        else:
            self.add(run)

    def begins(
        self, name: str, room: bool | None = None, within: Counter[str] | None = None
    ) -> None:
        """An element begins, which is drawn or not, in some drawings and formulas."""
        if name in _RUBY:
            self._ends_in_line("rp")
        boxes, is_box = self._open.boxes, self._is_box(name, within)
        is_alike = name in _END_ALIKE and boxes[-1:] == [name]
        if is_box and (is_alike or room is not False or self._ends_paragraph(name)):
            if is_alike:
                self._ends_box(name)
            self.add(*([BREAK] if name != "table" else []))
        before: _Tree = []
        around = self._into
        if name == "table":
            around.append(before)
        if name in _VOID:
            return
        if is_box:
            boxes.append(name)
            self._open.count[name] += 1
        if room is not None:
            self._begins_away(name, bool(room), is_box)
        elif self._open.named[name] and not is_box:
            self._away(name, self._into, room=False)
        if name == "table":
            inside: _Tree = [BREAK]
            self._into.append(inside)
            self._open.tables.append((around, before))
            self._into = inside

    def ends(self, name: str, within: Counter[str] | None = None) -> None:
        if name in _APART:
            if self._apart[name]:
                self._ends_apart(name)
        elif name == "ruby":
            self._ends_in_line("rp")
        elif not self._is_box(name, within):
            self._ends_in_line(name)
        elif not self._open.count[name]:
            self.add(*([BREAK] if name in ("p", "br") else []))
        elif self._ends_box(name):
            self.add(BREAK)

    def _is_in_no_cell(self) -> bool:
        """Whether what stands here is moved before a table."""
        return bool(self._open.tables) and {*self._open.boxes[-1:]} <= _NO_CELL

    def _is_box(self, name: str, within: Counter[str] | None) -> bool:
        """Whether a tag begins or ends a box where it stands: a cell in no table parts nothing, nor does a
        form between cells, which is empty at once."""
        if name == "form" and self._is_in_no_cell():
            return False
        if name in OF_TABLES:
            return self._open.count["table"] > 0
        return name in BOX or bool(within and within[_BOX_WITHIN.get(name, "")])

    def _ends_paragraph(self, name: str) -> bool:
        return self._open.boxes[-1:] == ["p"] and name not in _IN_A_LINE

    def _ends_box(self, name: str) -> bool:
        """Whether it parts what stands around it."""
        now = self._open
        while (ended := now.boxes.pop()) != name:
            now.count[ended] -= 1
        now.count[name] -= 1
        parts = True
        while now.away and now.away[-1].boxes > len(now.boxes):
            ended_away = self._comes_back()
            is_it = not ended_away.name and ended_away.boxes == len(now.boxes) + 1
            parts = ended_away.has_room or not is_it
        while len(now.tables) > now.count["table"]:
            self._into, _ = now.tables.pop()
        return parts

    def _begins_away(self, name: str, has_room: bool, is_box: bool) -> None:
        around, self._into = self._into, [BREAK]
        self.behind.append(self._into)
        if name in _APART:
            self._around.append((self._open, around))
            self._apart[name] += 1
            self._open = _Open(name)
        else:
            self._away("" if is_box else name, around, room=has_room)

    def _away(self, name: str, around: _Tree, *, room: bool) -> None:
        self._open.away.append(_Away(name, around, len(self._open.boxes), room))
        self._open.named[name] += 1

    def _comes_back(self) -> _Away:
        ended = self._open.away.pop()
        self._open.named[ended.name] -= 1
        self._into.append(BREAK if ended.around is not self._into else "")
        self._into = ended.around
        return ended

    def _ends_in_line(self, name: str) -> None:
        """What is away and open in an element of a line ends with it; a box around it does not."""
        if self._open.named[name]:
            while self._open.away[-1].name and self._comes_back().name != name:
                pass

    def _ends_apart(self, name: str) -> None:
        ended = ""
        while ended != name:
            self._into.append(BREAK)
            ended = self._open.name
            self._apart[ended] -= 1
            self._open, self._into = self._around.pop()

    def pieces(self) -> Iterable[TextRun | str]:
        """All runs, and what parts them."""
        rest: list[Any] = [self.behind, BREAK, self._drawn, self.titles]
        while rest:
            piece = rest.pop()
            if isinstance(piece, list):
                rest += reversed(piece)
            else:
                yield piece
