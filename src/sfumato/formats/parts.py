"""Files that hold their text in many places, read as one document.

What stands in a subject and what stands in a body may give somebody away only together; and a word may run
over the border of two places ("weight <b>loss</b>"). So the runs of a file's text are joined, with what parts
them, and each edit is cut at their borders again.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from sfumato.document import Change as Change
from sfumato.document import Document, Edit, Origin, Part, Patch, released_spans
from sfumato.document import changed as changed
from sfumato.errors import InputError
from sfumato.formats.text import after, decoded, drawn, is_told, refuse_zeros, word_seams
from sfumato.plugins import Source

Escape = tuple[int, int, str]  # of a file: from, to, what it says
BREAK = "\n"  # between runs that have nothing to do with each other
REDACTED = "redacted"  # where a name must stand, but no replacement can
_LONGEST_NAME = 60


def brief(name: str) -> str:
    """A name as it is told in places, of which a file may have very many: its beginning, where it is long."""
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


@dataclass(frozen=True)
class TextRun(ABC):
    """A run of a document's text, and the stretch of its file that says it."""

    text: str = field(repr=False)
    start: int
    end: int
    place: str

    @property
    def unseen(self) -> Iterable[Change]:
        """What of it no reader of the file sees, and what stands there instead."""
        return ()

    @property
    def is_gone(self) -> bool:
        """Whether no reader of the file sees anything of it: nothing can be put there."""
        return False

    @property
    def is_needed(self) -> bool:
        """Whether its place should not be left empty: a link that shows nothing cannot be followed."""
        return False

    def is_certain(self, raw: str) -> bool:
        """Whether all programs read what stands in the file as this; else it is written anew."""
        return True

    def tidied(self, replacement: str) -> str:
        """A replacement as this place can hold it."""
        return replacement

    def escapes(self, raw: str) -> Iterable[Escape]:
        """The stretches of what stands in the file that say something else than they are."""
        return ()

    def positions(self, raw: str, offsets: Sequence[int]) -> list[int]:
        """Where characters of what it says stand in the file's stretch."""
        # Of escapes: their end in what is said, their start, how much more is said before
        edges, grown = [], 0
        for start, end, said in self.escapes(raw):
            edges.append((start + grown + len(said), start, grown))
            grown += len(said) - (end - start)
        edges.append((sys.maxsize, len(raw), grown))
        ends = [end for end, _, _ in edges]
        behind = (edges[bisect_right(ends, offset)] for offset in offsets)
        return [
            min(start, offset - before)
            for offset, (_, start, before) in zip(offsets, behind, strict=True)
        ]

    @abstractmethod
    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        """What stands in the file instead of `raw` once these changes are made; None where the file
        would not read so."""


@dataclass(frozen=True)
class Gone(TextRun):
    """What no reader of the file sees: a comment, a header that tells the route of a letter. The file gets
    `instead`, which reads as `note`."""

    note: str = ""
    instead: str = ""

    @property
    def unseen(self) -> Iterable[Change]:
        return [(0, len(self.text), self.note)] if self.text else ()

    @property
    def is_gone(self) -> bool:
        return True

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        return self.instead


def _all_unseen(run: TextRun) -> Iterable[Change]:
    """What of a run no reader sees, in order: what its format says, and what programs draw otherwise."""
    own, at = list(run.unseen), 0
    for change in drawn(run.text, marked=not run.start):
        while at < len(own) and own[at][1] <= change[0]:
            yield own[at]
            at += 1
        if at == len(own) or change[1] <= own[at][0]:
            yield change
    yield from own[at:]


def whole_text(pieces: Iterable[TextRun | str]) -> str:
    """What pieces of a file say, with what no reader sees."""
    return "".join(piece if isinstance(piece, str) else piece.text for piece in pieces)


def whole_edits(edits: Iterable[Edit], cuts: Container[int]) -> list[Edit]:
    """Edits in order: as one where one was cut into several there, of which one has the replacement.

    >>> halves = [Edit(0, 3, "A", "", "r"), Edit(3, 6, "A", "[A]", "r")]
    >>> [(e.end, e.replacement) for e in whole_edits(halves, {3})]
    [(6, '[A]')]
    """
    made: list[Edit] = []
    for edit in edits:
        last = made[-1] if made else edit
        is_cut = last.end == edit.start in cuts and last.reason == edit.reason
        if is_cut and last.kind == edit.kind and not (last.replacement and edit.replacement):
            taker = last if last.replacement else edit
            edit = replace(taker, start=made.pop().start, end=edit.end)
        made.append(edit)
    return made


def touching(parts: Sequence[Part]) -> set[int]:
    """Where one part begins at the end of another."""
    return {behind.start for before, behind in pairwise(parts) if before.end == behind.start}


class Layout:
    """Runs in the order of the document, with what stands between them: `seen` is what a release shows of
    each, `unseen` are the changes that make it so.

    >>> layout = Layout([Gone("<!-- -->", 0, 8, "comment", "-"), Gone("<!-- -->", 8, 16, "comment"), "\\n"])
    >>> layout.text, layout.starts, layout.unseen[1]
    ('-\\n', [0, 1], [(0, 8, '')])
    """

    def __init__(self, pieces: Iterable[TextRun | str]) -> None:
        self.runs: list[TextRun] = []
        self.seen: list[str] = []
        self.starts: list[int] = []
        self.unseen: dict[int, list[Change]] = {}
        self.is_told = False  # whether more is unseen than signs that comparisons leave out
        texts, size = [], 0
        self._may_part: list[int] = []
        for piece in pieces:
            text = piece if isinstance(piece, str) else piece.text
            if isinstance(piece, TextRun):
                if unseen := [*_all_unseen(piece)]:
                    self.unseen[len(self.runs)] = unseen
                    self.is_told |= is_told(text, unseen)
                    self._may_part += [size + at for at in word_seams(text, unseen)]
                    text = changed(text, unseen)
                self.runs.append(piece)
                self.seen.append(text)
                self.starts.append(size)
            texts.append(text)
            size += len(text)
        self.text = "".join(texts)
        self._full = [at for at, run in enumerate(self.runs) if self.seen[at] and not run.is_gone]
        self._full_starts = [self.starts[at] for at in self._full]
        self._parts, self._within = self._joined()

    def parts(self) -> tuple[Part, ...]:
        """Where the runs stand. Those between which nothing stood but what goes without a trace are one."""
        return self._parts

    def seams(self) -> tuple[int, ...]:
        """Where runs begin within a part, or what stood there may part words."""
        return tuple(sorted({*self._within, *self._may_part}))

    def _joined(self) -> tuple[tuple[Part, ...], set[int]]:
        """The parts, and where runs begin within them."""
        made: list[Part] = []
        within = set[int]()
        reached = -1  # in the file, by what is taken out behind the last one
        for run, start, seen in zip(self.runs, self.starts, self.seen, strict=True):
            if seen:
                goes_on = run.start == reached and made[-1].end == start
                begin, place = (made[-1].start, made.pop().place) if goes_on else (start, run.place)
                within |= {start} if goes_on else set()
                made.append(Part(begin, start + len(seen), place))
                reached = -1
                last = run.end
            elif made and run.start in (last, reached) and run.is_gone:
                reached = run.end if not run.written("", (), "utf-8") else -1
        return tuple(made), within

    def whole(self, edits: Iterable[Edit]) -> list[Edit]:
        """Edits of runs, in order: those as one that are cut within a part."""
        return whole_edits(edits, self._within)

    def shares(self, edits: Sequence[Edit]) -> dict[int, list[Edit]]:
        """The edits of each run. Two values of a list are both hidden where an edit is about them; of runs
        that nothing parts, as two halves of a word, one gets the replacement: one that is needed, or says
        something else, or the one with most of it. What lies only between runs needs no edit."""
        found: dict[int, list[Edit]] = {}
        for edit in edits:
            together: list[tuple[int, Edit]] = []  # runs that nothing parts
            first = max(0, bisect_right(self._full_starts, edit.start) - 1)
            last = bisect_left(self._full_starts, edit.end, first)
            for at in self._full[first:last]:
                start = max(edit.start, self.starts[at])
                end = min(edit.end, self.starts[at] + len(self.seen[at]))
                if start < end:
                    if together and together[-1][1].end < start:
                        self._share(together, found)
                        together = []
                    together.append((at, replace(edit, start=start, end=end)))
            self._share(together, found)
        return found

    def _share(self, together: list[tuple[int, Edit]], found: dict[int, list[Edit]]) -> None:
        def need(share: tuple[int, Edit]) -> tuple[bool, bool, int]:
            at, edit = share
            begin = self.starts[at]
            said = self.seen[at][edit.start - begin : edit.end - begin].strip()
            # The year of a day that becomes one would look as if it had been left.
            is_other = said != edit.replacement.strip()
            return self.runs[at].is_needed, is_other, edit.end - edit.start

        taker = max(together, key=need, default=None)
        for share in together:
            at, edit = share
            found.setdefault(at, []).append(
                edit if share is taker else replace(edit, replacement="")
            )

    def changes(self, at: int, edits: Sequence[Edit]) -> list[Change]:
        """What changes of a run where these edits are made, and what no reader sees is taken out."""
        return after(self.unseen.get(at, ()), self._seen_changes(at, edits))

    def all_changes(self, shares: Mapping[int, Sequence[Edit]]) -> dict[int, Sequence[Change]]:
        """The changes of each run that changes."""
        return {at: self.changes(at, shares.get(at, ())) for at in sorted({*shares, *self.unseen})}

    def changed(self, at: int, edits: Sequence[Edit]) -> str:
        """What a release shows of a run with these edits."""
        return changed(self.seen[at], self._seen_changes(at, edits))

    def _seen_changes(self, at: int, edits: Sequence[Edit]) -> list[Change]:
        begin = self.starts[at]
        return [(e.start - begin, e.end - begin, e.replacement) for e in edits]


def spliced(
    raw: str,
    escapes: Iterable[Escape],
    changes: Sequence[Change],
    escape: Callable[[str], str],
) -> str | None:
    """A raw text with changes of what it says, and all else as it was. `escapes` are the stretches of it
    that say something else than they are; None where two changes meet in one of them.

    >>> spliced("caf&eacute; Ann", [(3, 11, "é")], [(5, 8, "<X>")], lambda t: t.replace("<", "&lt;"))
    'caf&eacute; &lt;X>'
    """
    # where each escape begins in the text and in the raw one, its end, what it says
    edges = [(0, 0, 0, "")]
    grown = 0
    for start, end, said in escapes:
        edges.append((start + grown, start, end, said))
        grown += len(said) - (end - start)
    begins = [edge[0] for edge in edges]

    def behind(place: int) -> tuple[int, int, int, str]:
        return edges[bisect_right(begins, place) - 1]

    pieces, at = [], 0
    for start, end, new in changes:
        begin, raw_start, raw_end, said = behind(start)
        within = start - begin
        kept = said[:within] if within < len(said) else ""
        first = raw_start if within < len(said) else raw_end + within - len(said)
        begin, raw_start, raw_end, said = behind(end - 1)
        within = end - begin
        rest = said[within:] if within < len(said) else ""
        last = raw_end + max(0, within - len(said))
        if first < at:
            return None
        pieces += [raw[at:first], escape(kept + new + rest)]
        at = last
    return "".join([*pieces, raw[at:]])


def is_encodable(text: str, encoding: str) -> bool:
    """Whether an encoding has all of these characters."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


class Structured(ABC):
    """A format whose files are runs of text among other things."""

    kind: str
    is_text = True  # its files are text, which may stand in a letter

    def embedded(self, text: str, where: str) -> Iterable[TextRun | str]:
        """The pieces of a text of this format that stands in another file: nobody says what to leave out."""
        return self.pieces(text, Origin(self.kind), where)

    @abstractmethod
    def pieces(self, text: str, origin: Origin, where: str) -> Iterable[TextRun | str]:
        """The runs of a file's text, and what stands between them."""

    def decoded(self, data: bytes, source: Source) -> tuple[str, str]:
        """The file's text and its encoding."""
        return decoded(data, source)

    def columns(self, text: str, wanted: tuple[str, ...], where: str) -> tuple[str, ...]:
        """Those of the wanted columns that are in this file."""
        return ()

    def read(self, data: bytes, source: Source) -> Document:
        text, encoding = self.decoded(data, source)
        columns = self.columns(text, source.columns, source.where)
        origin = Origin(self.kind, encoding, (), columns)
        layout = _layout(self, text, origin, source.where)
        for run in layout.runs:
            if "\0" in run.text:
                refuse_zeros(run.text, source.where, self.line(text, run))
        return Document(
            layout.text,
            source.name,
            replace(origin, parts=layout.parts(), seams=layout.seams()),
            text,
            layout.is_told,
        )

    def shown_otherwise(self, document: Document) -> str:
        """What in a file programs may show otherwise than it is read here; nothing if there is none."""
        return ""

    def layout(self, document: Document) -> Layout:
        origin = replace(document.origin, parts=(), seams=())
        return _layout(self, document.file, origin, document.name)

    def fit(self, document: Document, edits: Sequence[Edit]) -> list[Edit]:
        """The edits cut at the borders of parts."""
        layout = self.layout(document)
        shares = layout.shares(edits)
        for at in shares:
            shares[at] = self._fitted(layout, at, shares[at], document)
        self.adjust(layout, shares, document.name)
        made = (e for share in shares.values() for e in share)
        return layout.whole(sorted(made, key=lambda e: e.start))

    def _fitted(self, layout: Layout, at: int, edits: list[Edit], document: Document) -> list[Edit]:
        """A run's edits as they can be written; if not so, all of the run is replaced."""
        run = layout.runs[at]
        raw, encoding = self.raw(document.file, run), document.origin.encoding
        own = [replace(e, replacement=run.tidied(e.replacement)) for e in edits]
        begin = layout.starts[at]
        whole = replace(own[0], start=begin, end=begin + len(layout.seen[at]))
        empty = replace(whole, replacement=run.tidied(""))
        for made in (own, [whole], [empty]):
            if run.written(raw, layout.changes(at, made), encoding) is not None:
                return made
        told = self.line(document.file, run)
        raise InputError(f"{document.name}: {told} cannot be written in {encoding}")

    def adjust(self, layout: Layout, shares: dict[int, list[Edit]], name: str) -> None:  # noqa: B027
        """Make what is written in one run go with what is written in others."""

    def raw(self, source: str, run: TextRun) -> str:
        """What stands in the file where a run was read from."""
        return source[run.start : run.end]

    def patches(self, document: Document, edits: Sequence[Edit]) -> list[Patch]:
        layout = self.layout(document)
        changes = layout.all_changes(layout.shares(edits))
        return self.written(document.file, layout.runs, changes, document)

    def spans(self, document: Document, edits: Sequence[Edit]) -> dict[int, tuple[int, int]]:
        """Where replacements stand in the file that is written for edits, by where the edits begin; nothing
        of a file that has no lines."""
        layout = self.layout(document)
        return placed(layout, layout.shares(edits), self.patches(document, edits))

    def line(self, source: str, run: TextRun) -> str:
        """Where a run stands, in no words of the file: its place names keys, which may be anybody's."""
        return f"line {source.count(BREAK, 0, run.start) + 1}"

    def written(
        self,
        source: str,
        runs: Sequence[TextRun],
        changes: Mapping[int, Sequence[Change]],
        document: Document,
    ) -> list[Patch]:
        """What becomes of a text where these of its runs change, in the order of the text."""
        made = []
        for number, change in changes.items():
            run = runs[number]
            new = run.written(source[run.start : run.end], change, document.origin.encoding)
            if new is None:
                at = self.line(source, run)
                raise InputError(f"{document.name}: {at} cannot be written so; nothing written")
            made.append(Patch(run.start, run.end, new))
        return sorted(made, key=lambda p: p.start)


def uncertain(
    format: Structured, source: str, runs: Sequence[TextRun]
) -> dict[int, Sequence[Change]]:
    """The runs that are written anew, also where nothing changes of what they say."""
    return {at: () for at, run in enumerate(runs) if not run.is_certain(format.raw(source, run))}


def placed(
    layout: Layout, shares: Mapping[int, Sequence[Edit]], patches: Sequence[Patch]
) -> dict[int, tuple[int, int]]:
    """Where the replacements of runs' edits stand in a text with these patches made."""
    grown, moved = 0, {}
    for patch in patches:
        moved[patch.start] = (patch.start + grown, patch.text)
        grown += len(patch.text) - (patch.end - patch.start)
    found = {}
    for at, share in shares.items():
        run = layout.runs[at]
        begin, raw = moved[run.start]
        offsets = [n - layout.starts[at] for span in released_spans(share) for n in span]
        places = [begin + place for place in run.positions(raw, offsets)]
        for edit, start, end in zip(share, places[::2], places[1::2], strict=True):
            found[edit.start] = (start, end)
    return found


# An edit is fitted in every round, and what is written is read again: the last files are remembered.
_remembered: dict[tuple[str, str, Origin], Layout] = {}
_MOST_REMEMBERED = 2


def _layout(format: Structured, text: str, origin: Origin, where: str) -> Layout:
    key = (format.kind, text, origin)
    found = _remembered.get(key)
    if found is None:
        found = Layout(format.pieces(text, origin, where))
        while len(_remembered) >= _MOST_REMEMBERED:
            _remembered.pop(next(iter(_remembered)), None)
        _remembered[key] = found
    return found
