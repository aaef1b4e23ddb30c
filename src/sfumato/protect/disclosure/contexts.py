"""Which terms stand together: within some words, a sentence, a paragraph, or the document (section 3.1).

Sentences, paragraphs and the document part the text: all that stands in one part stands together. A window is
laid around every mention of a hidden term, `width` words to either side, for that term alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from sfumato.english import units
from sfumato.protect.disclosure.problem import Context

Unit = Literal["window", "sentence", "paragraph", "document"]
WIDTH = 20
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Occurring:
    """Where a thing stands in the text."""

    thing: int
    start: int
    end: int


def contexts(
    text: str,
    mentions: Sequence[Occurring],
    hidden: Collection[int],
    unit: Unit = "document",
    width: int = WIDTH,
) -> list[Context]:
    """The contexts of a document that hold a hidden thing; equal ones once."""
    ordered = sorted(mentions, key=lambda m: (m.start, m.end, m.thing))
    secret = frozenset(hidden)
    if unit == "window":
        made = _windows(text, ordered, secret, width)
    else:
        made = _parts(ordered, secret, units.spans(text, unit))
    return list(dict.fromkeys(made))


def _parts(
    mentions: Sequence[Occurring], hidden: frozenset[int], spans: Sequence[tuple[int, int]]
) -> list[Context]:
    """One context for each part of the text. A mention that reaches over an edge stands in both parts."""
    starts, ends = [a for a, _ in spans], [b for _, b in spans]
    parts: dict[int, dict[int, None]] = {}
    for mention in mentions:
        first = bisect_right(ends, mention.start)
        last = bisect_left(starts, mention.end) - 1
        for part in range(first, last + 1):
            parts.setdefault(part, {})[mention.thing] = None
    return [
        _context([t for t in things if t in hidden], things)
        for _, things in sorted(parts.items())
        if not hidden.isdisjoint(things)
    ]


def _windows(
    text: str, mentions: Sequence[Occurring], hidden: frozenset[int], width: int
) -> list[Context]:
    """One context around each mention of a hidden thing."""
    words = [m.span() for m in _WORD.finditer(text)]
    begins, ends = [a for a, _ in words], [b for _, b in words]
    firsts = [bisect_right(ends, m.start) for m in mentions]  # the word at which each begins
    lasts = [bisect_left(begins, m.end) - 1 for m in mentions]
    made = []
    for mention, first, last in zip(mentions, firsts, lasts, strict=True):
        if mention.thing in hidden:
            near = [
                other.thing
                for other, a, b in zip(mentions, firsts, lasts, strict=True)
                if b >= first - width and a <= last + width
            ]
            made.append(_context([mention.thing], near))
    return made


def _context(targets: Collection[int], members: Collection[int]) -> Context:
    return Context(tuple(sorted(set(targets))), tuple(sorted(set(members))))
