"""Taking words out of a text so that what is left still reads: a member of a list goes with its comma."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from sfumato.english.units import begins_sentence
from sfumato.protect.ksafety.matching import Span

_CONJUNCTION = r"(?:and/or|and|or|nor|plus)"
_BETWEEN = re.compile(rf"\s*(?:[,;/]\s*(?:{_CONJUNCTION}\s+)?|\s{_CONJUNCTION}\s+)")
_LEFT = re.compile(rf"(?P<comma>[,;/][^\S\n]*)?(?:(?<=\s)|^)(?P<word>{_CONJUNCTION}\s+)$|[,;/]\s*$")
_RIGHT = re.compile(
    r"\s*[,;/](?!\s*(?:which|who|whose|that|but|so|yet|although|while)\b)\s*"
    rf"(?P<both>{_CONJUNCTION}\s+)?"
    rf"|(?P<word>\s+{_CONJUNCTION}\s+)"
)
# "a cough" and "no cough" go as a whole.
_DETERMINER = re.compile(
    r"(?<!\w)(?:an?|the|some|any|no|his|her|their|its|your|my|our)[^\S\n]+$", re.IGNORECASE
)
_END = re.compile(r"\s*(?:[,.;:!?)\]]|\n|$)")
# What follows a list that ends here: "fever and cough since May".
_GOES_ON = re.compile(
    r"\s+(?:since|in|on|at|for|with|without|during|after|before|from|when|while|until|over|but)\b"
)
_BULLET = re.compile(r"(?:^|\n)[^\S\n]*(?:[-*•]|\d+[.)])[^\S\n]+$")


class Removal(NamedTuple):
    """A stretch of the text and what stands there instead."""

    start: int
    end: int
    replacement: str


def cuts(text: str, spans: Sequence[Span], mark: str = "[…]") -> list[Removal]:
    """How to take disjoint spans out, in order. Neighbours in a list go together.

    >>> text = "He has fever, a cough, sweating and headache."
    >>> made = cuts(text, [(14, 21), (23, 31)])
    >>> "".join([text[: made[0].start], made[0].replacement, text[made[0].end :]])
    'He has fever and headache.'
    """
    made: list[Removal] = []
    for start, end in _runs(text, spans):
        at = made[-1].end if made else 0
        made.append(_cut(text, start, end, at, mark))
    return made


def _runs(text: str, spans: Sequence[Span]) -> list[Span]:
    runs: list[Span] = []
    for start, end in spans:
        begin = runs[-1][1] if runs else 0
        if found := _DETERMINER.search(text, max(begin, start - 12), start):
            start = found.start()
        if runs and _BETWEEN.fullmatch(text, runs[-1][1], start):
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((start, end))
    return runs


def _cut(text: str, start: int, end: int, free_from: int, mark: str) -> Removal:
    before = text[max(free_from, start - 40) : start]
    after = text[end : end + 40]
    if before.endswith("(") and after.startswith(")"):
        space = before[:-1].endswith(" ")
        return Removal(start - 1 - space, end + 1, "")
    ends = _END.match(after) is not None
    if (bullet := _BULLET.search(before)) and re.match(r"[^\S\n]*(?:\n|$)", after):
        first = not bullet[0].startswith("\n") and after.startswith("\n")
        return Removal(start - len(bullet[0]), end + first, "")
    left, right = _LEFT.search(before), _RIGHT.match(after)
    if right and after[right.end() :].strip() == "":
        right = None  # a comma at the end of a line closes nothing
    if left and right:
        # "a, X, b": one comma stays; "a, X and b", "a and X, b": the one that follows stays.
        comma_only = right["word"] is None and left["word"] is None
        if comma_only and right["both"] is None:
            return _capital(text, Removal(start, end + right.end(), ""))
        return Removal(start - len(left[0]) - _space(before, left), end, "")
    if left and (ends or (left["word"] and _GOES_ON.match(after))):
        return Removal(start - len(left[0]) - _space(before, left), end, "")
    if right:
        return _capital(text, Removal(start, end + right.end(), ""))
    return Removal(start, end, mark)


def _space(before: str, left: re.Match[str]) -> int:
    """The space before a conjunction goes with it."""
    return int(before[: left.start()].endswith(" "))


def _capital(text: str, cut: Removal) -> Removal:
    """What moves to the start of a sentence gets its capital letter."""
    first = text[cut.end : cut.end + 1]
    if not text[cut.start].isupper() or not first.islower():
        return cut
    if not begins_sentence(text, cut.start):
        return cut
    return Removal(cut.start, cut.end + 1, first.upper())
