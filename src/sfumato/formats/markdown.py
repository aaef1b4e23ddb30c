"""Markdown: the file is its text, read as viewers show it. References and backslashes are undone (CommonMark
2.4 and 2.5), and marks within a word do not part it: `Mar**ga**ret` is "Margaret". Comments, tags with
attributes and empty links within a word are seen by nobody: they are taken out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from sfumato.document import Document, Origin, Patch, patched
from sfumato.formats import addresses
from sfumato.formats.attributes import REFERENCE
from sfumato.formats.html import INLINE
from sfumato.formats.parts import (
    BREAK,
    Change,
    Escape,
    Gone,
    Layout,
    Structured,
    TextRun,
    changed,
    is_encodable,
    spliced,
)
from sfumato.formats.references import unescape
from sfumato.plugins import Source, format

_SIGN = r"[!-/:-@\[-`{-~]"
_ESCAPE = re.compile(rf"\\(?P<sign>{_SIGN})|{REFERENCE.pattern}")
_MUST_BE_ESCAPED = re.compile(rf"\\(?={_SIGN})|(?=&)(?={REFERENCE.pattern})")
_MARKS = re.compile(r"[\\&*~`<\[]")
# What within a word is not shown, bounded so that thousands which never end are passed over at once.
_BARE = rf"[*`]++|~~++|</?(?:{'|'.join(INLINE)}|br)\s*/?>"
# Where a link leads, with its title (CommonMark 6.3); all else without brackets is taken for that, too.
_ADDRESS = r"(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.){0,100}+\)){0,100}+\)){0,500}+"
_TITLE = r""""(?:[^"\\\n]|\\.){0,500}+"|'(?:[^'\\\n]|\\.){0,500}+'|\((?:[^()\\\n]|\\.){0,500}+\)"""
_TARGET = (
    rf"\((?:(?:[^()\\\n]|\\.){{0,500}}+|[ \t]*+(?:<[^<>\n]{{0,500}}+>|{_ADDRESS})"
    rf"(?:[ \t]++(?:{_TITLE}))?+[ \t]*+)\)"
)
_TAGS = r"<!--(?:[^-]|-(?!->)){0,1000}+-->|</?[A-Za-z][^<>\n]{0,500}+>"
_FULL = rf"{_TAGS}|!?\[\]{_TARGET}|!\[[^\[\]\n]{{0,100}}+\]{_TARGET}"
# A letter, or what belongs to the one before it and is not shown for itself.
_LETTER = r"[^\W_]|[\xad\u0300-\u036f\u061c\u180e\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff]"
# between letters, either of which may be a reference; a lowline beside another sign is a mark
_WITHIN = re.compile(
    rf"(?<={_LETTER}|;)(?:_*+(?:{_BARE}|{_FULL})(?:{_BARE}|{_FULL}|_)*+(?={_LETTER}|&[#A-Za-z])"
    rf"|_++(?=&#?\w{{1,32}};)|(?<=;)_++(?={_LETTER}))"
)
_PLAIN = re.compile(rf"(?:{_BARE}|_)++")
# Not undone: links stay links.
_MARKED = rf"(?:{_BARE}|{_TAGS}|_)*+"
_LINKS = re.compile(
    rf"(?:{_LETTER}|&#?\w{{1,32}};){_MARKED}!?\[[^\[\]\n]{{0,200}}+\][(\[]"
    rf"|\](?:{_TARGET}|\[[^\[\]\n]{{0,500}}+\]){_MARKED}(?:{_LETTER}|&[#A-Za-z])"
)
_TAG = re.compile(r"<[A-Za-z/!?]")


class _Words(TextRun):
    """What stands between marks within words."""

    @property
    def unseen(self) -> Iterable[Change]:
        return addresses.linked(self.text)

    def escapes(self, raw: str) -> Iterator[Escape]:
        for found in _ESCAPE.finditer(raw):
            said = found["sign"] or unescape(found[0])
            if said != found[0]:
                yield found.start(), found.end(), said

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        # a backslash before a sign is the sign, also where another one stands before it
        ways: tuple[Callable[[str], str], ...] = (
            _escaped,
            lambda t: ("\\" if re.match(_SIGN, t) else "") + _escaped(t),
        )
        tries = [spliced(raw, self.escapes(raw), changes, way) for way in ways]
        tries.append(_MARKS.sub(r"\\\g<0>", new))
        fine = (m for m in tries if m is not None and is_encodable(m, encoding))
        return next((made for made in fine if _read(made) == new), None)


def _escaped(text: str) -> str:
    return _MUST_BE_ESCAPED.sub(r"\\\g<0>", text)


def _read(raw: str) -> str:
    r"""What a stretch of Markdown says.

    >>> _read(r"M\. &#77;&auml;r, \&amp; AT&T")
    'M. Mär, &amp; AT&T'
    """
    return _ESCAPE.sub(lambda found: found["sign"] or unescape(found[0]), raw)


@format("markdown")
class Markdown(Structured):
    kind = "markdown"

    def pieces(self, text: str, origin: Origin, where: str) -> Iterator[TextRun | str]:
        at, line, gone = 0, 1, list[TextRun]()
        for found in [*_WITHIN.finditer(text), None]:
            start, end = found.span() if found else (len(text), len(text))
            place = f"line {line}"
            yield _Words(_read(text[at:start]), at, start, place)
            if found and not _PLAIN.fullmatch(found[0]):  # behind the text: the word is one
                gone.append(Gone(BREAK + found[0], start, end, place))
            line += text.count("\n", at, end)
            at = end
        yield from gone

    def read(self, data: bytes, source: Source) -> Document:
        document = super().read(data, source)
        if len(document.origin.parts) > 1:
            return document
        return replace(document, origin=replace(document.origin, parts=()))  # lines are places

    def written(
        self,
        source: str,
        runs: Sequence[TextRun],
        changes: Mapping[int, Sequence[Change]],
        document: Document,
    ) -> list[Patch]:
        """As it is to be read; with signs escaped where new words would make marks of them."""
        wanted = "".join(changed(run.text, changes.get(at, ())) for at, run in enumerate(runs))
        made = super().written(source, runs, changes, document)
        for patches in (made, [_without_marks(patch) for patch in made]):
            fitting = sorted([*patches, *_no_longer_within(source, runs, patches)], key=_start)
            if Layout(self.pieces(patched(source, fitting), document.origin, "")).text == wanted:
                break
        return fitting

    def shown_otherwise(self, document: Document) -> str:
        if _LINKS.search(document.file):
            return "links within words"
        return "tags" if _TAG.search(document.file) else ""


def _start(patch: Patch) -> int:
    return patch.start


def _without_marks(patch: Patch) -> Patch:
    return replace(patch, text=_MARKS.sub(r"\\\g<0>", _read(patch.text)))


def _no_longer_within(
    source: str, runs: Sequence[TextRun], patches: Sequence[Patch]
) -> Iterator[Patch]:
    """Marks gone that would not stand within a word."""
    new = {patch.start: patch.text for patch in patches}
    for left, right in pairwise(run for run in runs if isinstance(run, _Words)):
        before = new.get(left.start, source[left.start : left.end])[-1:]
        after = new.get(right.start, source[right.start : right.end])[:36]
        marks = source[left.end : right.start]
        if left.end not in new and not _WITHIN.search(before + marks + after):
            yield Patch(left.end, right.start, "")
