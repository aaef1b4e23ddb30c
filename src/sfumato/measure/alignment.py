"""What stayed and what changed between two texts, word by word; for any sanitizer's output.

    >>> found = align("Ann Lee has flu.", "[PERSON] has flu.")
    >>> [(c.original, c.released) for c in found.changes]
    [((0, 7), (0, 8))]
    >>> found.is_kept(12, 15), found.is_kept(4, 15)
    (True, False)

White space does not count. Lines that are the same are found first, then sentences, then words; in long runs
of them those that stand once on either side, and where everything repeats itself, only what is near: time
grows with the texts' length.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from difflib import SequenceMatcher
from operator import add
from typing import Any

from sfumato.english import units
from sfumato.facts.redactions import rising

_TOKEN = re.compile(r"\w+|[^\w\s]")
_LINE = re.compile(r"[^\n]+")
_DIRECT = 250_000, 20_000  # pairs, and equal pairs, up to which all are compared with all
_DEPTH = 8  # of anchors between anchors
_NEAR = 64  # how far is looked where nothing is an anchor

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Change:
    """A span of the original and what stands in its place; either may be empty (start == end)."""

    original: Span
    released: Span


@dataclass(frozen=True, slots=True)
class EditCounts:
    """How much was changed."""

    edits: int
    words: int
    words_kept: int
    words_added: int

    @property
    def share_kept(self) -> float:
        """Of the original's words, from 0 to 1; a text without words has lost none."""
        return self.words_kept / self.words if self.words else 1.0

    def __add__(self, other: EditCounts) -> EditCounts:
        return EditCounts(*map(add, astuple(self), astuple(other)))


@dataclass(frozen=True, slots=True)
class TextAlignment:
    """Which tokens of the original stand in the release, and the changes in order."""

    changes: tuple[Change, ...]
    counts: EditCounts
    starts: tuple[int, ...]  # of the original's tokens
    kept: tuple[bool, ...]

    def is_kept(self, start: int, end: int) -> bool:
        """Whether every token of a span of the original stands in the release at its place."""
        return all(self.kept[n] for n in self._tokens(start, end))

    def left_of(self, start: int, end: int, text: str) -> list[str]:
        """What is left of a span of the original, run by run."""
        runs: list[str] = []
        last = -1
        for n in self._tokens(start, end):
            if self.kept[n]:
                until = self.starts[n + 1] if n + 1 < len(self.starts) else len(text)
                said = text[self.starts[n] : min(until, end)]
                if last == n - 1 and runs:
                    runs[-1] += said
                else:
                    runs.append(said)
                last = n
        return [" ".join(run.split()) for run in runs if any(c.isalnum() for c in run)]

    def instead(self, start: int, end: int) -> Iterator[Span]:
        """The spans of the release that stand for a span of the original."""
        first = bisect_right(self.changes, start, key=lambda c: c.original[1])
        for change in self.changes[first:]:
            if change.original[0] >= end:
                break
            if change.original[0] < change.original[1]:
                yield change.released

    def _tokens(self, start: int, end: int) -> range:
        first = bisect_right(self.starts, start) - 1
        if first < 0 or self.starts[first] < start:
            first += 1
        return range(first, bisect_left(self.starts, end))


def align(original: str, released: str) -> TextAlignment:
    """The words of the original that stand in the release, and what became of the others."""
    one, two = _Side(original), _Side(released)
    before, after = one.spans, two.spans
    kept = [False] * len(before)
    changes: list[Change] = []
    added = 0
    at = [0, 0]
    ends = (len(before), len(after))
    for a, b, same in (*_same(one, two, 0, (0, ends[0]), (0, ends[1])), (*ends, 0)):
        if a > at[0] or b > at[1]:
            changes.append(
                Change(
                    _span(before, at[0], a, len(original)), _span(after, at[1], b, len(released))
                )
            )
            added += sum(released[s].isalnum() for s, _ in after[at[1] : b])
        kept[a : a + same] = [True] * same
        at = [a + same, b + same]
    words = [original[s].isalnum() for s, _ in before]
    counts = EditCounts(
        len(changes), sum(words), sum(w and k for w, k in zip(words, kept, strict=True)), added
    )
    return TextAlignment(tuple(changes), counts, tuple(s for s, _ in before), tuple(kept))


def edit_counts(original: str, released: str) -> EditCounts:
    """How many words were kept and added, in how many edits.

    >>> edit_counts("Ann Lee has flu.", "[PERSON] has flu.")
    EditCounts(edits=1, words=4, words_kept=2, words_added=1)
    """
    return align(original, released).counts


def _span(tokens: Sequence[Span], first: int, after: int, length: int) -> Span:
    if first < after:
        return tokens[first][0], tokens[after - 1][1]
    place = tokens[first][0] if first < len(tokens) else length
    return place, place


Block = tuple[int, int, int]  # place in the original, in the release, tokens that are the same


class _Side:
    """One of the two texts as tokens, and its lines and sentences as ranges of tokens."""

    def __init__(self, text: str) -> None:
        self.spans = [m.span() for m in _TOKEN.finditer(text)]
        self.tokens = [text[s:e] for s, e in self.spans]
        starts = [s for s, _ in self.spans]
        cuts = ([m.span() for m in _LINE.finditer(text)], units.spans(text, "sentence"))
        self.parts = [
            [(bisect_left(starts, s), bisect_left(starts, e)) for s, e in cut] for cut in cuts
        ]

    def within(self, level: int, first: int, after: int) -> list[Span]:
        """The lines (0) or sentences (1) that lie in a range of tokens."""
        return [(s, e) for s, e in self.parts[level] if first <= s < e <= after]


def _same(one: _Side, two: _Side, level: int, x: Span, y: Span) -> Iterator[Block]:
    """Runs of equal tokens in two ranges, in order: equal lines, equal sentences, then words."""
    if level == len(one.parts):
        yield from _runs(one.tokens, two.tokens, x, y)
        return
    before, after = one.within(level, *x), two.within(level, *y)
    ours = [tuple(one.tokens[s:e]) for s, e in before]
    theirs = [tuple(two.tokens[s:e]) for s, e in after]
    a, b = x[0], y[0]
    for i, j, size in _runs(ours, theirs, (0, len(ours)), (0, len(theirs))):
        for n in range(size):
            (start, end), (place, _) = before[i + n], after[j + n]
            yield from _same(one, two, level + 1, (a, start), (b, place))
            yield start, place, end - start
            a, b = end, place + end - start
    yield from _same(one, two, level + 1, (a, x[1]), (b, y[1]))


def _runs(a: Sequence[Any], b: Sequence[Any], x: Span, y: Span, depth: int = 0) -> Iterator[Block]:
    """Equal runs in two ranges of two sequences, in order."""
    (i, i_end), (j, j_end) = x, y
    start = i, j
    while i < i_end and j < j_end and a[i] == b[j]:
        i, j = i + 1, j + 1
    if i > start[0]:
        yield *start, i - start[0]
    end = i_end
    while i < i_end and j < j_end and a[i_end - 1] == b[j_end - 1]:
        i_end, j_end = i_end - 1, j_end - 1
    if i < i_end and j < j_end:
        ours, theirs = Counter(a[i:i_end]), Counter(b[j:j_end])
        pairs = (i_end - i) * (j_end - j), sum(n * theirs[item] for item, n in ours.items())
        if pairs[0] <= _DIRECT[0] and pairs[1] <= _DIRECT[1]:
            yield from _compared(a, b, (i, i_end), (j, j_end))
        else:
            once = {item for item, n in ours.items() if n == 1 == theirs[item]}
            place = {a[at]: at for at in range(i, i_end) if a[at] in once}
            shared = [(place[b[at]], at) for at in range(j, j_end) if b[at] in once]
            if shared and depth < _DEPTH:
                for k, m in (*rising(shared), (i_end, j_end)):
                    yield from _runs(a, b, (i, k), (j, m), depth + 1)
                    if k < i_end:
                        yield k, m, 1
                    i, j = k + 1, m + 1
            else:
                yield from _near(a, b, (i, i_end), (j, j_end))
    if i_end < end:
        yield i_end, j_end, end - i_end


def _compared(a: Sequence[Any], b: Sequence[Any], x: Span, y: Span) -> Iterator[Block]:
    matcher = SequenceMatcher(None, a[slice(*x)], b[slice(*y)], autojunk=False)
    yield from ((x[0] + i, y[0] + j, size) for i, j, size in matcher.get_matching_blocks() if size)


def _near(a: Sequence[Any], b: Sequence[Any], x: Span, y: Span) -> Iterator[Block]:
    """Equal runs found by looking on a little at a time."""
    (i, i_end), (j, j_end) = x, y
    while i < i_end and j < j_end:
        to = min(i + _NEAR, i_end), min(j + _NEAR, j_end)
        half = (to[0] - i + 1) // 2, (to[1] - j + 1) // 2
        until = (i_end, j_end) if to == (i_end, j_end) else (i + half[0], j + half[1])
        last = None
        for k, m, size in _compared(a, b, (i, to[0]), (j, to[1])):
            if k < until[0] and m < until[1]:
                yield k, m, size
                last = k + size, m + size
        i, j = last or until
