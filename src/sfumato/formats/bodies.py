"""The bodies of an e-mail's parts, each read by a format of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, pairwise

from sfumato.document import Document, Origin, Patch, patched
from sfumato.errors import InputError
from sfumato.formats.mime import MailPart
from sfumato.formats.parts import Change, Gone, Structured, TextRun, changed, spliced, whole_text
from sfumato.formats.text import ENCODED_FILE

ATTACHMENT = "[attachment]"
NOTE = "[attachment removed]"
_QUOTE = re.compile(r"\r?\n(?:> ?)++")
_LINE = re.compile(r"(?P<quote>>*+)(?P<said>[^\r\n]*+)(?:\r\n|\r|\n|\Z)")


@dataclass(frozen=True)
class BodyRun(TextRun):
    """A run of a body: its places are those in the decoded text."""

    inner: TextRun
    leaf: int
    body: Body

    @property
    def unseen(self) -> Iterable[Change]:
        return self.inner.unseen

    @property
    def is_gone(self) -> bool:
        return self.inner.is_gone

    def is_certain(self, raw: str) -> bool:
        return self.inner.is_certain(raw)

    def tidied(self, replacement: str) -> str:
        return self.inner.tidied(replacement)

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        return self.inner.written(raw, changes, "utf-8")  # which any body can be written in

    def positions(self, raw: str, offsets: Sequence[int]) -> list[int]:
        return self.inner.positions(raw, offsets)


@dataclass(frozen=True)
class _Plain(TextRun):
    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        return spliced(raw, (), changes, str)


@dataclass(frozen=True)
class _SoftBreak(TextRun):
    """The end of a line that goes on in the next one, or is quoted with it."""

    def is_certain(self, raw: str) -> bool:
        return bool(self.text)  # else words are joined, but not by programs that know no such lines

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        return changed(self.text, changes)


class Lines(Structured):
    """Plain text, of which some lines may go on in the next one, and some be a file."""

    kind = "text"

    def __init__(self, part: MailPart) -> None:
        self.part = part

    def pieces(self, text: str, origin: Origin, where: str) -> Sequence[TextRun | str]:
        files = [found.span() for found in ENCODED_FILE.finditer(text)]
        others: list[TextRun] = [Gone(ATTACHMENT, *f, "attachment", NOTE, NOTE) for f in files]
        breaks = [*self._breaks(text), *_quoted_breaks(text)]
        others += [_SoftBreak(said, start, end, "") for start, end, said in breaks]
        made: list[TextRun | str] = []
        at = 0
        for run in sorted(others, key=lambda run: run.start):
            if run.start >= at:
                made += [_Plain(text[at : run.start], at, run.start, ""), run]
                at = run.end
        return [*made, _Plain(text[at:], at, len(text), "")]

    def _breaks(self, text: str) -> Iterable[tuple[int, int, str]]:
        if self.part.flow:
            for line, following in pairwise(_LINE.finditer(text)):
                ends = [found["said"].removeprefix(" ") == "-- " for found in (line, following)]
                goes_on = line["said"].endswith(" ") and line["quote"] == following["quote"]
                if goes_on and following[0] and not any([*ends, line["said"] == "-- "]):
                    stuffed = following["said"].startswith(" ")
                    end = following.start("said") + stuffed
                    yield line.end("said") - 1, end, "" if self.part.flow == "delsp" else " "


def _quoted_breaks(text: str) -> Iterable[tuple[int, int, str]]:
    """The ends of lines between two that are quoted: the marks of the second are no words.

    >>> [*_quoted_breaks("> Ann\\n> Lee\\nx\\n> y")]
    [(5, 8, '\\n')]
    """
    for found in _QUOTE.finditer(text):
        if text.startswith(">", text.rfind("\n", 0, found.start()) + 1):
            yield *found.span(), "\n"


@dataclass(frozen=True)
class Body:
    """The text of a part, and the format that it is read by."""

    text: str
    format: Structured
    pieces: Sequence[TextRun | str]
    certain: bool  # programs read the text alike

    def patches(
        self, runs: Sequence[TextRun], changes: Mapping[int, Sequence[Change]], name: str
    ) -> list[Patch]:
        """What changes of the text where these of its runs change."""
        document = Document(self.text, name, Origin(self.format.kind))
        return self.format.written(self.text, runs, changes, document)

    def written(
        self, runs: Sequence[TextRun], changes: Mapping[int, Sequence[Change]], name: str
    ) -> tuple[str, bool]:
        """What it becomes, and whether a reader of its lines reads that as it is meant."""
        new = patched(self.text, self.patches(runs, changes, name))
        at = count()
        wanted = "".join(
            piece if isinstance(piece, str) else changed(piece.text, changes.get(next(at), ()))
            for piece in self.pieces
        )
        if whole_text(self.format.embedded(new, name)) == wanted:
            return new, True
        if not isinstance(self.format, Lines):
            raise InputError(f"{name}: an attachment cannot be written so; nothing written")
        return wanted, False
