"""A cell as programs may read it: with the codes of letters and spaces undone, without what nobody sees.

Which program reads a cell is not known: `\\nora` is the folder "nora" or "ora" in a new line. So there are
up to three readings, each leading back to the cell: as it stands; with the codes undone that are nothing else
(`%20`, `&nbsp;`, `\\u0020`); with all that may be one (`=20`, `\\n`).
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.entities import html5

_ROUNDS = 4  # codes of codes of codes: "&#37;2520"
_OPEN = "|".join(sorted((n for n in html5 if n[-1] != ";"), key=len, reverse=True))
_BEGINS_OPEN = re.compile(_OPEN)
_UNSEEN = (
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e01ef]+|</?[a-zA-Z][^<>\n]{0,60}>"
)
_MAY_HOLD = re.compile(rf"[%&=\\]|_x|{_UNSEEN}")
_HEX = "[0-9A-Fa-f]"
_BACK = r"(?<!\\)\\++"  # however often it is escaped itself
_CERTAIN = (
    rf"(?P<bytes>(?:%(?:25)*{_HEX}{{2}})+|(?:{_BACK}[x']{_HEX}{{2}})+)"
    rf"|(?:{_BACK}(?:u|U0000)|%(?:25)*u|_x)(?:(?P<point>{_HEX}{{4}})_?|\{{(?P<braced>{_HEX}{{1,6}})\}})"
    rf"|&(?:amp;)*(?P<entity>#\d{{1,7}};?|#[xX]{_HEX}{{1,6}};?|[a-zA-Z]\w{{1,30}};|{_OPEN})"
    rf"|(?P<unseen>{_UNSEEN})"
)
_FIRST = re.compile(_CERTAIN)
_ALL = re.compile(
    rf"{_CERTAIN}|(?P<quoted>(?:=(?:3[Dd])*{_HEX}{{2}})+)|{_BACK}(?:[a-zA-Z]|\d{{1,6}})"
)
_BYTE = re.compile(rf"(?:%(?:25)*|=(?:3[Dd])*|{_BACK}[x'])({_HEX}{{2}})")


@dataclass(frozen=True, slots=True)
class DecodedCell:
    """What is read, and where in the cell each of its characters begins and ends; None: where it stands."""

    text: str
    places: list[tuple[int, int]] | None = None

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where text[start:end] stands in the cell."""
        if self.places is None:
            return start, end
        return self.places[start][0], self.places[end - 1][1]


def readings(cell: str) -> Iterator[DecodedCell]:
    """The different ways to read a cell, as it stands first.

    >>> [each.text for each in readings("J%C3%BCrg%2520Ko&#99;h\\\\tM=C3=BCller")]
    ['J%C3%BCrg%2520Ko&#99;h\\\\tM=C3=BCller', 'Jürg Koch\\\\tM=C3=BCller', 'Jürg Koch Müller']
    """
    yield (made := DecodedCell(cell))
    if not _MAY_HOLD.search(cell):
        return
    for codes in (_FIRST, _ALL):
        before = made
        for _ in range(_ROUNDS):
            made, last = _undone(made, codes), made
            if made is last:
                break
        if made is not before:
            yield made


def _undone(reading: DecodedCell, codes: re.Pattern[str]) -> DecodedCell:
    text, made, at = reading.text, list[str](), 0
    places: list[tuple[int, int]] = []
    known = reading.places
    for code in codes.finditer(text):
        made.append(text[at : code.start()])
        places += (
            known[at : code.start()] if known else ((n, n + 1) for n in range(at, code.start()))
        )
        for start, end, said in _said(code):
            made.append(said)
            places += [reading.place(start, end)] * len(said)
        at = code.end()
    if not at:
        return reading
    made.append(text[at:])
    places += known[at:] if known else ((n, n + 1) for n in range(at, len(text)))
    return DecodedCell("".join(made), places)


def _said(code: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    """(start, end, what it says) of each character of a code; what says no letter is a space."""
    if code.lastgroup in ("bytes", "quoted"):
        yield from _from_bytes(code)
    elif number := code["point"] or code["braced"]:
        point = int(number, 16)
        is_one = point < 0xD800 or 0xE000 <= point < 0x110000
        yield *code.span(), chr(point) if is_one else " "
    elif code["entity"]:
        name = code["entity"]
        if name[0] != "#" and name not in html5:  # "&nbspKeller;"
            known = _BEGINS_OPEN.match(name)
            begin = code.start("entity") + (known.end() if known else 0)
            yield code.start(), begin, html5[known[0]] if known else " "
            yield from ((at, at + 1, code.string[at]) for at in range(begin, code.end()))
        else:
            said = html.unescape(f"&{name.rstrip(';')};")
            yield *code.span(), said if len(said) < 3 else " "
    elif not code["unseen"]:
        yield *code.span(), " "


def _from_bytes(code: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    """The characters of bytes in UTF-8, or each as in Latin-1 where they are none."""
    each = [*_BYTE.finditer(code[0])]
    data, at = bytes(int(one[1], 16) for one in each), 0
    while at < len(data):
        many = 1 + sum(data[at] >= first for first in (0xC0, 0xE0, 0xF0))
        try:
            said = data[at : at + many].decode()
        except UnicodeDecodeError:
            said, many = chr(data[at]), 1
        last = min(at + many, len(data)) - 1
        yield code.start() + each[at].start(), code.start() + each[last].end(), said
        at = last + 1
