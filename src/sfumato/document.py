"""The words every other module speaks: Document, Term, Edit, Claim, Patch, Record, Release.

Offsets are code points into the original text, `start` included, `end` not. `render` is the one place
where text is rebuilt, and `unrender` its inverse. Where a file is more than its text, edits become patches of
the file; `patched` and `unpatched` are the same two for it.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain, count, islice
from operator import add, gt, sub
from typing import TYPE_CHECKING, Any

from sfumato.errors import EncodingError

if TYPE_CHECKING:
    from sfumato.release.certificate import Certificate
    from sfumato.verify import Check

# How an edit's text came about, where no replacement method of the policy made it.
AGREEMENT = "agreement"  # a neighbouring article made to fit: "an" -> "a"
GENERALISE = "generalise"  # a rung of the term's ladder: "Chicago" -> "Illinois"
# In the numbers of an edit: the fact whose values are counted, as which sort of nouns its word is counted,
# whether its words are said of several things.
FACT, SORT, SEVERAL = "fact", "sort", "several"
Change = tuple[int, int, str]  # of a text: from, to, what it becomes
BYTES = "latin-1"  # the encoding of a file that is no text: one character for each byte

_WORD = re.compile(r"[^\W_]+")
_SHOWN = ("start", "end", "kind", "replacement", "how", "reason")  # of an edit, outside the ledger


@dataclass(frozen=True, slots=True)
class Part:
    """A run of the text and the place in the source file it was read from."""

    start: int
    end: int
    place: str


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a text came from, so that a file of the same kind can be written back.

    Plain text needs no `parts`: an offset is its own place. Formats with structure name the run of text
    that each part of the file holds, in order; between two parts stands what is in no part. `columns` are
    those of a table that were read.
    """

    format: str = "text"
    encoding: str = "utf-8"
    parts: Sequence[Part] = ()
    columns: tuple[str, ...] = ()
    seams: tuple[int, ...] = ()  # where something within a part is taken out, which may part words

    def place(self, offset: int, text: str) -> str:
        """A place for people: what the format calls it, or LINE:COLUMN of the text."""
        at = bisect_right(self.parts, offset, key=lambda part: part.start) - 1
        return self.parts[at].place if at >= 0 else where(text, offset)


@dataclass(frozen=True, slots=True)
class Term:
    """A span of a document with a kind and a detector's score."""

    start: int
    end: int
    kind: str
    score: float
    detector: str
    reason: str = ""
    is_guess: bool = False  # of the kind: labels then say no more than that it has a name

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"a term needs 0 <= start < end, not {self.start}:{self.end}")

    def of(self, text: str) -> str:
        """The term's own words."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Edit:
    """A term with its replacement and its reason. Holds no original text, but for `private`: a reason that
    names terms or entities, for the ledger and never for a release or a public report."""

    start: int
    end: int
    kind: str
    replacement: str
    reason: str
    how: str = "label"
    alternatives: tuple[str, ...] = ()
    numbers: Mapping[str, float] = field(default_factory=dict)
    concept: str = ""  # what the replacement says, as a taxonomy's concept, where it is one
    private: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"an edit needs 0 <= start < end, not {self.start}:{self.end}")

    @property
    def hides(self) -> bool:
        """Whether it hides a term: one that makes an article fit does not."""
        return self.how != AGREEMENT


class StringColumn(Sequence[str]):
    """Many strings of which few differ: a number for each, into the different ones.

    >>> words = StringColumn.of(["male", "female", "male"])
    >>> words[2], words.strings, list(words.codes)
    ('male', ('male', 'female'), [0, 1, 0])
    """

    __slots__ = ("codes", "strings")

    def __init__(self, codes: array[int], strings: Sequence[str]) -> None:
        self.codes, self.strings = codes, tuple(strings)

    @classmethod
    def of(cls, values: Iterable[str]) -> StringColumn:
        known = defaultdict[str, int](count().__next__)
        return cls(array("i", map(known.__getitem__, values)), tuple(known))

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return tuple(self.strings[code] for code in self.codes[place])
        return self.strings[self.codes[place]]

    def __iter__(self) -> Iterator[str]:
        return map(self.strings.__getitem__, self.codes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


@dataclass(frozen=True, slots=True, eq=False)
class EditColumns(Sequence[Edit]):
    """Edits stored as columns: millions of them fit. Each is an `Edit` when it is looked at.

    >>> words = [StringColumn.of(w) for w in (["PERSON"], ["[PERSON]"], ["a name"], ["label"])]
    >>> edits = EditColumns(array("q", [0]), array("q", [3]), *words)
    >>> render(Document("Ann went home"), edits), edits[0].reason
    ('[PERSON] went home', 'a name')
    """

    starts: array[int]
    ends: array[int]
    kinds: StringColumn
    replacements: StringColumn
    reasons: StringColumn
    hows: StringColumn

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return tuple(self[i] for i in range(*place.indices(len(self))))
        return Edit(
            self.starts[place],
            self.ends[place],
            self.kinds[place],
            self.replacements[place],
            self.reasons[place],
            self.hows[place],
        )

    def __iter__(self) -> Iterator[Edit]:
        columns = (self.kinds, self.replacements, self.reasons, self.hows)
        return map(Edit, self.starts, self.ends, *columns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash((len(self), self.starts.tobytes(), self.ends.tobytes()))

    def originals(self, text: str) -> StringColumn:
        """What stood where each of them is."""
        return StringColumn.of(map(text.__getitem__, map(slice, self.starts, self.ends)))


def changes(edits: Sequence[Edit]) -> tuple[Sequence[int], Sequence[int], Sequence[str]]:
    """Starts, ends and replacements of edits: columns, for tables have millions."""
    if isinstance(edits, EditColumns):
        return edits.starts, edits.ends, edits.replacements
    return [e.start for e in edits], [e.end for e in edits], [e.replacement for e in edits]


def rebuilt(text: str, starts: Sequence[int], ends: Sequence[int], new: Iterable[str]) -> str:
    """A text with other words in some spans of it, which are sorted and do not overlap."""
    pieces = [""] * (2 * len(starts) + 1)
    pieces[1::2] = new
    pieces[::2] = map(text.__getitem__, map(slice, chain((0,), ends), chain(starts, (None,))))
    return "".join(pieces)


def changed(text: str, changes: Iterable[Change]) -> str:
    """A text with other words in some spans of it, which are sorted and do not overlap.

    >>> changed("Ann went", [(0, 3, "She")])
    'She went'
    """
    found = [*changes]
    return rebuilt(text, [a for a, _, _ in found], [b for _, b, _ in found], [w for *_, w in found])


@dataclass(frozen=True, slots=True)
class Patch:
    """A run of a file's text, and what it becomes."""

    start: int
    end: int
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Document:
    """A text, the name it goes by, and where it came from.

    The text is what a reader of the release sees: what no reader of the file sees is no part of it. `source`
    is the whole file as text (bytes that are no text, one character each), where it is more than that.
    """

    text: str = field(repr=False)
    name: str = "text"
    origin: Origin = Origin()
    source: str | None = field(default=None, repr=False)
    unseen: bool = (
        False  # whether the file holds what no reader of it sees; its format takes it out
    )
    drawn: tuple[
        Change, ...
    ] = ()  # what makes the text of a file that is its text, as programs draw it
    released_as: str = ""  # the name of its release, where that is another

    @property
    def file(self) -> str:
        """The file's text."""
        return self.text if self.source is None else self.source

    @property
    def is_its_file(self) -> bool:
        """Whether the file is the text, as programs draw it."""
        return self.source is None or bool(self.drawn)


@dataclass(frozen=True, slots=True)
class Claim:
    """A guarantee with its parameters, e.g. `K-safe` with K=10."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Record:
    """What is needed to explain, check and undo a release: the ledger's entry for it."""

    name: str
    origin: Origin
    edits: Sequence[Edit]
    originals: Sequence[str] = field(repr=False)
    # of the released file, if not its text
    undo: tuple[Patch, ...] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if len(self.edits) != len(self.originals):
            raise ValueError("a record needs one original for each edit")


@dataclass(frozen=True, slots=True)
class Release:
    """What may leave the house (`data`, the file; `text`, what it says), and what stays in it (`record`)."""

    text: str
    data: bytes = field(repr=False)
    record: Record = field(repr=False)
    certificate: Certificate = field(repr=False)
    checks: tuple[Check, ...] = field(repr=False, default=())

    @property
    def name(self) -> str:
        return self.record.name

    @property
    def edits(self) -> Sequence[Edit]:
        return self.record.edits

    def to_dict(self) -> dict[str, Any]:
        """The release without any original, ready for JSON."""
        return {
            "file": self.name,
            "text": self.text,
            "edits": [{name: getattr(edit, name) for name in _SHOWN} for edit in self.edits],
            "certificate": self.certificate.to_dict(),
        }


def resolve(terms: Iterable[Term]) -> list[Term]:
    """Terms without overlaps, in order of the text: the longer wins, then the higher score, then the
    earlier one. Where all three are equal, the kind's and the detector's names decide.

    >>> a, b = Term(0, 9, "PERSON", 0.5, "x"), Term(5, 11, "DATE", 0.9, "x")
    >>> [t.kind for t in resolve([b, a])]
    ['PERSON']
    """
    ranked = sorted(
        terms, key=lambda t: (t.start - t.end, -t.score, t.start, t.kind, t.detector, t.reason)
    )
    taken = Spans()
    return sorted((t for t in ranked if taken.add(t.start, t.end)), key=lambda t: t.start)


def joined(spans: Iterable[tuple[int, int]], apart: int = 0) -> list[tuple[int, int]]:
    """Spans in order, as one where they overlap or less than `apart` lies between them.

    >>> joined([(4, 9), (0, 5), (9, 12)]), joined([(0, 5), (5, 9)], 1)
    ([(0, 9), (9, 12)], [(0, 9)])
    """
    made = list[tuple[int, int]]()
    for start, end in sorted(spans):
        if made and start < made[-1][1] + apart:
            start, end = made[-1][0], max(made.pop()[1], end)
        made.append((start, end))
    return made


class Spans:
    """Disjoint spans; whether another touches them is answered in logarithmic time."""

    def __init__(self, spans: Iterable[tuple[int, int]] = ()) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in spans:
            self.add(start, end)

    def touch(self, start: int, end: int) -> bool:
        """Whether any of them overlaps this one."""
        at = bisect_left(self._starts, end) - 1
        return at >= 0 and self._ends[at] > start

    def holds(self, start: int, end: int) -> bool:
        """Whether one of them has all of this one."""
        at = bisect_right(self._starts, start) - 1
        return at >= 0 and self._ends[at] >= end

    def gaps(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The parts of a span that none of them covers."""
        at = max(0, bisect_left(self._starts, start) - 1)
        while start < end:
            if at >= len(self._starts) or self._starts[at] >= end:
                yield start, end
                return
            if start < self._starts[at]:
                yield start, self._starts[at]
            start = max(start, self._ends[at])
            at += 1

    def open_words(self, start: int, end: int, text: str) -> list[tuple[int, int]]:
        """The parts of a span of a text that none of them covers, from their first word to their last."""
        found = ([*_WORD.finditer(text, *gap)] for gap in self.gaps(start, end))
        return [(words[0].start(), words[-1].end()) for words in found if words]

    def add(self, start: int, end: int) -> bool:
        """Take it in, unless it overlaps one that is there."""
        if self.touch(start, end):
            return False
        at = bisect_left(self._starts, start)
        self._starts.insert(at, start)
        self._ends.insert(at, end)
        return True


def render(document: Document, edits: Sequence[Edit]) -> str:
    """The document's text with every edit made. Edits are sorted and do not overlap.

    >>> render(Document("Ann went home"), [Edit(0, 3, "PERSON", "[PERSON]", "a name")])
    '[PERSON] went home'
    """
    starts, ends, new = changes(edits)
    if any(map(gt, ends, islice(starts, 1, None))):
        raise ValueError("edits overlap or are out of order")
    if len(ends) and ends[-1] > len(document.text):
        raise ValueError("an edit lies beyond the end of the text")
    return rebuilt(document.text, starts, ends, new)


def unrender(text: str, record: Record) -> str:
    """The original of a released text: `render` run backwards."""
    spans = released_spans(record.edits)
    return rebuilt(text, [a for a, _ in spans], [b for _, b in spans], record.originals)


def released_spans(edits: Sequence[Edit]) -> list[tuple[int, int]]:
    """Where each replacement stands in the released text."""
    starts, ends, new = changes(edits)
    sizes = list(map(len, new))
    grown = accumulate(map(sub, sizes, map(sub, ends, starts)), initial=0)
    begins = list(map(add, starts, grown))
    return list(zip(begins, map(add, begins, sizes), strict=True))


class Alignment:
    """Which part of the original a part of the release stands for."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._edits = edits
        self._spans = released_spans(edits)
        self._starts = [start for start, _ in self._spans]

    def to_original(self, start: int, end: int) -> tuple[int, int] | None:
        """The span of the original behind a span of the release, with the whole of every edit that it
        touches; None where it lies inside one replacement."""
        first = bisect_right(self._starts, start) - 1
        last = bisect_left(self._starts, end) - 1
        if first == last >= 0 and end <= self._spans[first][1]:
            return None
        begin = start
        if first >= 0:
            edit, stop = self._edits[first], self._spans[first][1]
            begin = edit.start if start < stop else start + edit.end - stop
        finish = end
        if last >= 0:
            edit, stop = self._edits[last], self._spans[last][1]
            finish = edit.end if end <= stop else end + edit.end - stop
        return begin, finish


def patched(text: str, patches: Sequence[Patch]) -> str:
    """A file's text with every patch made. Patches are sorted and do not overlap.

    >>> patched("<b>Ann</b>", [Patch(3, 6, "[PERSON]")])
    '<b>[PERSON]</b>'
    """
    ends = (0, *(patch.end for patch in patches))
    if not all(at <= p.start <= p.end <= len(text) for at, p in zip(ends, patches, strict=False)):
        raise ValueError("patches overlap, are out of order or lie beyond the file")
    return changed(text, ((p.start, p.end, p.text) for p in patches))


def reversed_patches(text: str, patches: Sequence[Patch]) -> tuple[Patch, ...]:
    """The patches that give a file's text back after these were made.

    >>> reversed_patches("<b>Ann</b>", [Patch(3, 6, "[PERSON]")])
    (Patch(start=3, end=11),)
    """
    found, grown = [], 0
    for patch in patches:
        start = patch.start + grown
        found.append(Patch(start, start + len(patch.text), text[patch.start : patch.end]))
        grown += len(patch.text) - (patch.end - patch.start)
    return tuple(found)


def encode(text: str, encoding: str, name: str) -> bytes:
    """A file's text in its encoding. Text from Python may hold lone surrogates."""
    try:
        return text.encode(encoding, "surrogatepass" if encoding == "utf-8" else "strict")
    except UnicodeEncodeError:
        raise EncodingError(
            f"{name}: a replacement cannot be written in {encoding}; convert the file to UTF-8 first"
        ) from None


def decode(data: bytes, encoding: str) -> str:
    """A file's text from its bytes: the inverse of `encode`."""
    return data.decode(encoding, "surrogatepass" if encoding == "utf-8" else "strict")


def restored(data: bytes, record: Record) -> bytes:
    """The original file behind a released one, byte for byte."""
    text = decode(data, record.origin.encoding)
    original = unrender(text, record) if record.undo is None else patched(text, record.undo)
    return encode(original, record.origin.encoding, record.name)


def where(text: str, offset: int) -> str:
    """A place in a text as LINE:COLUMN, for people."""
    before = text[:offset]
    return f"{before.count(chr(10)) + 1}:{offset - before.rfind(chr(10))}"
