"""The engine: patterns in, terms out, in time linear in the text.

Every pattern runs on RE2, over UTF-8 bytes. One pass of an RE2 set tells which patterns occur in a block
of the text at all; only those are searched there. What Python looks at is the candidates, never the text.
RE2's `\\b` knows ASCII only, so the edges of a term are checked here, against all of Unicode.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
import re2

from sfumato.document import Alignment, Edit, Term, changed
from sfumato.english.folding import after_marks, plain_digits, seen_through

# BLOCK and SHARED decide how fast it goes, not what is found. OVERLAP and LONGEST are the longest terms that
# are seen as a whole: chosen, not measured, as far longer than terms are.
BLOCK = 8192  # bytes that one pass of the set looks at
OVERLAP = 512  # how far a term may reach into the next block and still be seen as a whole
SHARED = 16  # expressions that one set looks for
LONGEST = 2048  # bytes of a user's own pattern: what keeps repeated searches linear
# Bytes before a term in which a context word counts. From 20 to 240 the scores are the same to the fourth
# digit, on the handwritten texts (tests/data) and on the Text Anonymization Benchmark (dev).
WINDOW = 60
# What a context word adds to a score. On the handwritten texts, 0.2 finds 39.4 % of the words, 0.3 43.8 %,
# 0.4 and 0.5 45.9 %, at a precision of 94.1, 94.5 and 94.0 %; on the benchmark all from 0.3 on are alike.
CONTEXT = 0.4

# What stands between the groups of a number, where it is none of the signs that patterns know: blanks and
# dashes of print, several blanks, the end of a line.
_PARTED = re.compile(
    r"(?<=\d)[\xa0\u2000-\u200a\u202f\u3000\u2010-\u2015\u2212](?=[\dA-Z])|(?<=[A-Z])[\xa0\u2007\u202f](?=\d)"
    r"|(?<=[\d-])(?:[ \t]{2,4}|\t|[ \t]{0,4}\r?\n[ \t>|]{0,8})(?=\d)"
)
_BESIDE = 24
_WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_DIGITS = frozenset(b"0123456789")


class Found:
    """A candidate as its check sees it: the words, what stands before and after. A check may narrow the
    span (`start`, `end`) or change the kind."""

    __slots__ = ("_before", "_start0", "data", "end", "kind", "name", "start")

    def __init__(self, data: bytes, start: int, end: int, kind: str, name: str) -> None:
        self.data = data
        self.start = start
        self.end = end
        self.kind = kind
        self.name = name
        self._start0 = start
        self._before: str | None = None

    @property
    def text(self) -> str:
        return self.data[self.start : self.end].decode("utf-8", "replace")

    @property
    def before(self) -> str:
        """What stands before the candidate: at most `WINDOW` bytes, on this line and the one before."""
        if self._before is None:
            self._before = before(self.data, self._start0)
        return self._before

    def after(self, length: int = 24) -> str:
        return self.data[self.end : self.end + length].decode("utf-8", "replace")

    def narrow(self, text: str, part: str) -> None:
        """Make `part` of the candidate's `text` the whole candidate."""
        at = text.index(part)
        self.start += len(text[:at].encode())
        self.end = self.start + len(part.encode())


# What a check says: None rejects the candidate, "" leaves it as likely as it was, and anything else names
# what was validated ("checksum valid"), which raises the score.
Check = Callable[[Found], str | None]


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way to find one kind of term.

    `score` holds for the bare pattern, `checked` where the check validated something; a context word adds
    to either. A score of 0 means: never without the one or the other. In a `labelled` pattern group 1 is
    the context word and group 2 the term.
    """

    name: str
    kind: str
    regex: str
    score: float
    checked: float = 0.0
    check: Check | None = None
    context: tuple[str, ...] = ()
    hint: str = ""  # a cheaper expression that matches wherever `regex` does
    labelled: bool = False
    group: int = 0
    edges: bool = True  # the term neither starts nor ends inside a word
    whole: bool = False  # … nor inside a longer chain such as 1.2.3.4.5 or 12-34-56-78
    retry: bool = False  # a rejected candidate may hide another that starts inside it
    near: bool = False  # nothing without a context word, so the check need not run without one
    custom: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """A judged candidate, in bytes; in code points once it is settled."""

    start: int
    end: int
    kind: str
    score: float
    reason: str
    validated: bool


@dataclass(frozen=True, slots=True)
class Scan:
    """An expression and the patterns that share it."""

    search: Any
    hint: str
    patterns: tuple[Pattern, ...]
    contexts: tuple[re.Pattern[str] | None, ...]
    retry: bool
    custom: bool


@dataclass(frozen=True)
class Engine:
    """Finds the terms of a fixed set of patterns."""

    patterns: tuple[Pattern, ...]
    scans: tuple[Scan, ...] = field(init=False, repr=False)
    _sets: tuple[tuple[Any, int], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        by_regex: dict[tuple[bool, str], list[Pattern]] = {}
        for pattern in sorted(self.patterns, key=lambda p: p.custom):
            by_regex.setdefault((pattern.custom, pattern.regex), []).append(pattern)
        scans = [
            Scan(
                compile_linear(
                    regex, not all(p.custom and p.group == 0 and not p.labelled for p in group)
                ),
                group[0].hint or regex,
                tuple(group),
                tuple(_any_word(p.context) if p.context else None for p in group),
                any(p.retry for p in group),
                any(p.custom for p in group),
            )
            for (_, regex), group in by_regex.items()
        ]
        object.__setattr__(self, "scans", tuple(scans))
        object.__setattr__(self, "_sets", tuple(_sets(scans)))

    def find(self, text: str, detector: str) -> list[Term]:
        """The terms of `text`, in its order: as it is written, and as it is read, without signs that draw
        nothing."""
        if not text or not self.scans:
            return []
        found = self._settled(text)
        seen = seen_through(text)
        if seen.origin is not None:
            at = seen.origin
            read = self._settled(seen.text)
            spans = [(int(at[c.start]), after_marks(text, int(at[c.end - 1]) + 1)) for c in read]
            places = zip(read, spans, strict=True)
            found = settle([*found, *(replace(c, start=a, end=b) for c, (a, b) in places)])
        if parted := list(_PARTED.finditer(text)):
            found = settle([*found, *self._rejoined(text, parted)])
        return [Term(c.start, c.end, c.kind, c.score, detector, c.reason) for c in found]

    def _rejoined(self, text: str, parted: Sequence[re.Match[str]]) -> Iterator[Candidate]:
        """The candidates that hold where numbers are written with one plain sign between their groups. Where
        several stood there, as at the end of a line, a word before it must tell, or a checksum where it is no
        number among numbers."""
        changes = [(m.start(), m.end(), _plain_sign(text, m)) for m in parted]
        edits = Alignment([Edit(a, b, "", new, "") for a, b, new in changes])
        starts = [a for a, _, _ in changes]
        for one in self._settled(changed(text, changes)):
            start, end = edits.to_original(one.start, one.end) or (one.start, one.start)
            within = changes[bisect_left(starts, start) : bisect_left(starts, end)]
            wide = [text[a:b] for a, b, _ in within if b - a > 1 or text[a] in "\t\n"]
            is_line = len(wide) == 1 and "\n" in wide[0] and _is_alone(text, start, end)
            is_told = "context word" in one.reason or (one.validated and is_line)
            if within and (is_told or not wide):
                yield replace(one, start=start, end=end)

    def _settled(self, text: str) -> list[Candidate]:
        """The candidates that hold, in code points."""
        # A lone surrogate has no UTF-8; "?" takes its place, one for one, so that offsets stay.
        data = plain_digits(text).encode("utf-8", "replace")
        kept = settle(self._candidates(data))
        if not kept or len(data) == len(text):
            return kept
        spans = np.array([(c.start, c.end) for c in kept], dtype=np.int64)
        points = (spans - _surplus(data, spans)).tolist()
        return [replace(c, start=a, end=b) for c, (a, b) in zip(kept, points, strict=True)]

    def _candidates(self, data: bytes) -> Iterator[Candidate]:
        for index, ranges in enumerate(self._ranges(data)):
            scan = self.scans[index]
            for low, high in ranges:
                yield from _search(scan, data, low, high)

    def _ranges(self, data: bytes) -> list[list[tuple[int, int]]]:
        """For each scan the parts of the text that it has to look at: blocks, joined where they touch."""
        # A user's own pattern may match more than a block and its overlap hold, so it sees everything.
        ranges = [[(0, len(data))] if scan.custom else [] for scan in self.scans]
        for low in range(0, len(data), BLOCK):
            high = min(low + BLOCK, len(data))
            block = data[low : high + OVERLAP]
            for hints, first in self._sets:
                for index in hints.Match(block) or ():
                    mine = ranges[first + index]
                    if mine and mine[-1][1] == low:
                        mine[-1] = (mine[-1][0], high)
                    else:
                        mine.append((low, high))
        return ranges


def _plain_sign(text: str, between: re.Match[str]) -> str:
    """What patterns know to stand between groups of a number."""
    if text[between.start() - 1] == "-":
        return ""
    return "-" if unicodedata.category(between[0][0]) in ("Pd", "Sm") else " "


def _is_alone(text: str, start: int, end: int) -> bool:
    """Whether no number stands beside a stretch of a text."""
    around = (
        text[max(0, start - _BESIDE) : start].rstrip()[-1:],
        text[end : end + _BESIDE].lstrip()[:1],
    )
    return not any(map(str.isdigit, around))


def _sets(scans: Sequence[Scan]) -> Iterator[tuple[Any, int]]:
    """The hints as RE2 sets of a few each, with the number of their first scan. One set of them all would
    have a state for every combination of half-seen patterns; neighbours in the catalogue share theirs."""
    built_in = [scan for scan in scans if not scan.custom]
    for first in range(0, len(built_in), SHARED):
        hints = re2.Set.SearchSet(_options(256))
        for scan in built_in[first : first + SHARED]:
            hints.Add(scan.hint)
        hints.Compile()
        yield hints, first


def compile_linear(regex: str, captures: bool = True) -> Any:
    """The expression on RE2, which has no look-around and no backreferences and never backtracks. What a
    match takes grows with the groups, unless nobody asks for them."""
    options = _options(64)
    options.never_capture = not captures
    return re2.compile(regex, options)


def _options(megabytes: int) -> Any:
    options = re2.Options()
    options.max_mem = megabytes << 20
    options.log_errors = False
    return options


@cache
def _any_word(words: tuple[str, ...]) -> re.Pattern[str]:
    """Any of the words, whole, in any case. Literals only: nothing here can backtrack."""
    choice = "|".join(re.escape(w) for w in sorted(words, key=len, reverse=True))
    # A label that stands in a release ("[PHONE]") is no context word.
    return re.compile(rf"(?<![\w\[])(?:{choice})(?!\w)", re.IGNORECASE)


def _search(scan: Scan, data: bytes, low: int, high: int) -> Iterator[Candidate]:
    """The candidates that start in data[low:high]."""
    limit = min(high + OVERLAP, len(data))
    matches = _windows(scan.search, data, low, limit) if scan.custom else None
    at = low
    while True:
        for match in matches or scan.search.finditer(data, at, limit):
            start, end = match.span()
            if start >= high:
                return
            if end == limit < len(data) and not scan.custom:
                match = scan.search.match(data, start) or match
                end = match.end()
            taken = False
            for pattern, context in zip(scan.patterns, scan.contexts, strict=True):
                candidate = _judge(pattern, context, data, match)
                if candidate is not None:
                    taken = True
                    yield candidate
            if scan.retry and not taken and not scan.custom:
                at = _next_token(data, start, end)
                break
            if end > limit:
                at = end
                break
        else:
            return


def _windows(search: Any, data: bytes, low: int, high: int) -> Iterator[Any]:
    """The matches of a user's own expression. RE2 makes one search linear, but `x.*y|x` would look at the
    rest of the text from every x; so no search sees more than `LONGEST` bytes."""
    at = low
    while at < high:
        end = min(at + 2 * LONGEST, high)
        match = search.search(data, at, end)
        if match is None:
            if end == high:
                return
            at = max(end - LONGEST, at + 1)
            continue
        if match.end() == end < high and match.start() > at:
            at = match.start()  # cut short by the window: look again from its own start
            continue
        yield match
        at = match.end() if match.end() > match.start() else match.end() + 1


def _judge(
    pattern: Pattern, context: re.Pattern[str] | None, data: bytes, match: Any
) -> Candidate | None:
    start, end = match.span(2 if pattern.labelled else pattern.group)
    if start < 0 or start == end:
        return None
    if pattern.edges and not has_edges(data, start, end):
        return None
    if pattern.whole and in_chain(data, start, end):
        return None
    score, says, validated = pattern.score, "", False
    kind, name = pattern.kind, pattern.name
    found = None
    if pattern.check is not None or context is not None:
        found = Found(data, start, end, kind, name)
    if pattern.near and found and context and not context.search(found.before, 1):
        return None
    if pattern.check is not None and found is not None:
        verdict = pattern.check(found)
        if verdict is None or found.start >= found.end:
            return None
        start, end, kind, name = found.start, found.end, found.kind, found.name
        if verdict:
            score, says, validated = max(pattern.checked, score), f", {verdict}", True
    if pattern.labelled:
        word = " ".join(match.group(1).decode("utf-8", "replace").split()).rstrip(".:")
        score += CONTEXT
        says += f", context word '{word.lower()}'"
    elif context is not None and found is not None:
        seen = context.findall(found.before, 1)
        if seen:
            score += CONTEXT
            says += f", context word '{seen[-1].lower()}'"
    if score <= 0:
        return None
    # maybe one of Unicode's many spaces
    if not (32 < data[start] < 127 and 32 < data[end - 1] < 127):
        start, end = _strip(data, start, end)
        if start == end:
            return None
    return Candidate(start, end, kind, min(round(score, 2), 1.0), name + says, validated)


def before(data: bytes, start: int) -> str:
    """Up to `WINDOW` bytes before `start`, on its line and the one before, led by one character more (a
    space at the start of the text): that tells whether the first word is whole."""
    low = max(0, start - WINDOW - 1)
    raw = data[low:start]
    lines = raw.rsplit(b"\n", 2)
    if len(lines) == 3:
        raw = b"\n" + lines[1] + b"\n" + lines[2]
    elif low == 0:
        raw = b" " + raw
    return raw.decode("utf-8", "replace")


def has_edges(data: bytes, start: int, end: int) -> bool:
    """Whether data[start:end] neither starts nor ends inside a word."""
    return not ((start > 0 and _joined(data, start)) or (end < len(data) and _joined(data, end)))


def _joined(data: bytes, at: int) -> bool:
    """Whether the characters on both sides of a byte offset are letters or digits, in all of Unicode."""
    a, b = data[at - 1], data[at]
    if a < 128 and b < 128:
        return a in _WORD_BYTES and b in _WORD_BYTES
    left = data[max(0, at - 4) : at].decode("utf-8", "ignore")
    right = data[at : at + 4].decode("utf-8", "ignore")
    return bool(left and right) and _in_word(left[-1]) and _in_word(right[0])


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_" or "\u0300" <= char <= "\u036f"


def in_chain(data: bytes, start: int, end: int) -> bool:
    """Whether a number is a link of a longer chain: 1.2.3.4.5, 12-34-56, 3/4/5, 1,234."""
    if start > 1 and data[start - 1] in b".,-/:_+" and data[start - 2] in _DIGITS:
        return True
    return end + 1 < len(data) and data[end] in b".,-/:_" and data[end + 1] in _DIGITS


def _next_token(data: bytes, start: int, end: int) -> int:
    at = start + 1
    while at < end and data[at] in _WORD_BYTES:
        at += 1
    while at < end and data[at] not in _WORD_BYTES and data[at] < 128:
        at += 1
    return at


def _strip(data: bytes, start: int, end: int) -> tuple[int, int]:
    text = data[start:end].decode("utf-8", "replace")
    left = len(text) - len(text.lstrip())
    right = len(text) - len(text.rstrip())
    if left == len(text):
        return start, start
    return start + len(text[:left].encode()), end - len(text[len(text) - right :].encode())


def _surplus(data: bytes, spans: np.ndarray[Any, np.dtype[np.int64]]) -> Any:
    """How many bytes before each offset only continue a character: what is to be taken off an offset in
    bytes to make it one in code points."""
    raw = np.frombuffer(data, dtype=np.uint8)
    return np.searchsorted(np.flatnonzero((raw & 0xC0) == 0x80), spans)


# Kinds whose terms hold other things by nature: a number inside one of them is its matter.
_HOLDERS = frozenset({"URL", "EMAIL"})


def settle(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates without those that better ones contradict, in the order of the text.

    One candidate for each span, the one with the highest score. What lies inside a web or e-mail address
    is that address's matter; what overlaps a term whose checksum holds, with a lower score, is dropped.
    """
    best: dict[tuple[int, int], Candidate] = {}
    for candidate in candidates:
        span = (candidate.start, candidate.end)
        if span not in best or candidate.score > best[span].score:
            best[span] = candidate
    ordered = sorted(best.values(), key=lambda c: (c.start, -c.end))
    out = _outside(ordered, [c for c in ordered if c.kind in _HOLDERS], holders=True)
    return _outside(out, [c for c in out if c.validated], holders=False)


def _outside(
    ordered: Sequence[Candidate], strong: Sequence[Candidate], *, holders: bool
) -> list[Candidate]:
    """`ordered` without what lies in a holder, or is overlapped by a stronger validated term. Both lists
    are sorted by start, so one sweep does; a strong term inside an earlier strong one is passed over."""
    kept: list[Candidate] = []
    spans: list[Candidate] = []
    for one in strong:
        if spans and one.start < spans[-1].end:
            if one.score > spans[-1].score and not holders:
                spans[-1] = one
            continue
        spans.append(one)
    at = 0
    for c in ordered:
        while at < len(spans) and spans[at].end <= c.start:
            at += 1
        near = spans[at : at + 2]
        if not any(_beats(s, c, holders) for s in near):
            kept.append(c)
    return kept


def _beats(strong: Candidate, weak: Candidate, holders: bool) -> bool:
    if strong is weak or strong.end <= weak.start or weak.end <= strong.start:
        return False
    if holders:
        return strong.start <= weak.start and weak.end <= strong.end
    return strong.score > weak.score and (weak.end - weak.start <= 2 * (strong.end - strong.start))
