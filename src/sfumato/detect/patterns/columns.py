"""Cells of columns whose heads say what they are: ages, births and postcodes that are bare numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sfumato.document import Term

_HEADED = re.compile(
    r"(?i)(?:\w+[ _])?(?:(age)|(zip(?:[ _]?code)?|postal[ _]?code)|"
    r"(dob|yob|birth[ _]?(?:year|date)|(?:year|date)[ _]of[ _]birth))(?:[ _(].*)?"
)
_CELL = re.compile(r"\d{1,3}(?:\.\d+)?|\d{5}(?:-\d{4})?|(?:1[89]|20)\d\d(?:-\d\d-\d\d)?")
_KINDS = {1: "AGE", 2: "POSTCODE", 3: "DATE"}
_SEPARATORS = ",;|\t"


def in_columns(text: str) -> Iterator[Term]:
    """The cells below a head that says `age` or `birth year`, as long as rows are of one length.

    >>> text = "id,age\\n17,97\\n18,64"
    >>> [(t.kind, t.of(text)) for t in in_columns(text)]
    [('AGE', '97'), ('AGE', '64')]
    """
    heads: dict[int, str] = {}
    separator, many, start = "", 0, 0
    for line in text.splitlines(keepends=True):
        cells = line.rstrip("\r\n").split(separator) if separator else []
        if len(cells) != many or many < 2:
            heads, separator, cells = _heads(line)
            many = len(cells)
        else:
            at = start
            for number, cell in enumerate(cells):
                said = cell.strip(' "')
                if number in heads and _CELL.fullmatch(said):
                    begin = at + cell.index(said)
                    end = begin + len(said)
                    yield Term(begin, end, heads[number], 0.6, "patterns", "in its column")
                at += len(cell) + 1
        start += len(line)


def _heads(line: str) -> tuple[dict[int, str], str, list[str]]:
    for separator in _SEPARATORS:
        cells = line.rstrip("\r\n").split(separator)
        found = {n: _HEADED.fullmatch(cell.strip(' "')) for n, cell in enumerate(cells)}
        heads = {n: _KINDS[head.lastindex or 1] for n, head in found.items() if head}
        if len(cells) > 1 and heads and not any(map(str.isdigit, line)):
            return heads, separator, cells
    return {}, "", []
