"""Letters that are nobody's initials: "Q." and "A." of a transcript, and the letters of a list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from sfumato.english.wordlists import TITLES

# At the beginning of a line or behind a sentence, which no title and no initial ends.
_TURN = re.compile(
    r"(?m)(?:^[ \t]*|(?:[?!]|\b(\w{2,}|\d|I)\.|[?!.][\"”’')])\s{0,4})([QA])(?:\.\s+|[ \t]{2,}|\t)"
)
_ITEM = re.compile(r"(?m)^[ \t]*((?:[A-Z]|I{1,3}|IV|VI{0,3}|IX)[.)])[ \t]+(\S+$)?")
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")


def markers(text: str) -> dict[int, int]:
    """Where such letters begin, and what stands behind them.

    >>> markers("Q. Your name? A. Ann Lee."), markers("A. Lee and Q. Fox came.")
    ({0: 3, 14: 17}, {})
    """
    turns, last = list[re.Match[str]](), "A"
    for turn in _TURN.finditer(text):
        is_line = text.rfind("\n", 0, turn.start(2)) + 1 == turn.start()
        if is_line or ((turn[1] or "").lower() not in TITLES and turn[2] != last):
            turns.append(turn)  # but not the second of "A. Yes. A. Lee is."
            last = turn[2]
    said = "".join(turn[2] for turn in turns)
    found = turns if said.startswith("Q") and "QA" in said else []
    return {turn.start(2): turn.end() for turn in found} | dict(_items(text))


def _items(text: str) -> Iterator[tuple[int, int]]:
    """The letters and Roman numbers of lists; "A. Lee", "B. Fox" may be two persons."""
    row, last = list[re.Match[str]](), ""
    for item in (*_ITEM.finditer(text), None):
        mark = item[1] if item else ""
        if item and row and mark in _next(last):
            row.append(item)
        else:
            if len(row) > 1 and not all(each[2] for each in row):
                yield from ((each.start(1), each.end(1) + 1) for each in row)
            row = [item] if item and mark[:-1] in ("A", "I") else []
        last = mark


def _next(mark: str) -> set[str]:
    """What may follow in a list."""
    word, end = mark[:-1], mark[-1:]
    after = {chr(ord(word) + 1) + end} if len(word) == 1 else set[str]()
    return after | {b + end for a, b in pairwise(_ROMAN) if a == word}
