r"""Markdown: the file is its text, read as viewers show it, by CommonMark and GitHub's strikethrough.

References and backslashes are undone (2.4, 2.5). Marks, quote signs, tags, brackets and targets of links are
no text where they stand, so that they part no word and no phrase: `Mar**ga**ret`, `Operation [Finch](x)`.
What tags, comments and targets say is read behind the text. All of it stays in the file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from sfumato.document import Document, Origin, Patch, patched
from sfumato.errors import InputError
from sfumato.formats import addresses
from sfumato.formats.html import INLINE
from sfumato.formats.parts import (
    BREAK,
    Change,
    Escape,
    Structured,
    TextRun,
    changed,
    is_encodable,
    spliced,
    whole_text,
)
from sfumato.formats.references import REFERENCE, unescape
from sfumato.plugins import Source, format

_SIGN = r"[!-/:-@\[-`{-~]"
_ESCAPE = re.compile(rf"\\(?P<sign>{_SIGN}|\r?\n)|{REFERENCE.pattern}")
_MUST_BE_ESCAPED = re.compile(rf"\\(?={_SIGN})|(?=&)(?={REFERENCE.pattern})")
_MARKS = re.compile(r"[\\&*~`\[\]_>]")
_SIGNS = re.compile(r"[*_`~]++")
# A lowline is a mark unless it stands within a word.
_TOKEN = re.compile(
    rf"\\(?:{_SIGN}|\r?\n)|(?P<mark>[*`~]++|(?<![^\W_])_++|(?<!_)_++(?![^\W_]))|(?P<tag><[A-Za-z/!?])"
    r"|(?P<open>!?\[)|(?P<close>\])"
)
# Quote signs at the beginning of a line, behind those of lists.
_QUOTE = re.compile(r"(?:[ \t]*+(?:[-+*]|\d{1,9}[.)])(?=[ \t]))*+(?P<sign>[ \t]*+>)")
_LINE = re.compile(r"(?<![^\n\r\x0b\x0c\x85])(?=[^\n\r]*?>)")
# Tags as CommonMark knows them (6.6), and as browsers do where a block of HTML is passed on to them.
_TAG = re.compile(
    r"""</?(?P<name>[A-Za-z][A-Za-z0-9:-]*+)(?:\s*+/?+>"""
    r"""|(?:\s++(?:[^\s"'=<>/]++(?:\s*+=\s*+(?:[^\s"'=<>`]++|'[^']*+'|"[^"]*+"))?+)?+)*+\s*+/?>|[\s/"'=][^<>]*+>)"""
)
_PLAIN = (*INLINE, "br", "div", "hr", "img", "p", "table", "tbody", "td", "th", "thead", "tr")
_SAYS_NOTHING = re.compile(rf"(?i)</?(?:{'|'.join(_PLAIN)})\s*+/?>")
_ADDRESS = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*+>")
_ENDS = (("<!--", "-->", "--!>"), ("<![CDATA[", "]]>", ">"), ("<?", "?>", ">"), ("<!", ">", ">"))
_EMPTY = "<wbr />"  # of a tag that is gone
_APART = "<b></b>"  # shows nothing, and makes nothing of what stands beside it
# Where a link leads, with its title (6.3); all else without brackets is taken for that, too.
_SPACE = r"[ \t]*+(?:\r?\n[ \t]*+)?+"
_LIBERAL = re.compile(r"\((?:[^()\\\n]|\\[^\n])*+\)")
_BRACKETED = re.compile(rf"\({_SPACE}<(?:[^<>\\\n]|\\[^\n])*+>")
_PLAIN_TARGET = re.compile(r"[^\s()\\]++|\\[^\n]|\\|[()]")
_TARGET_END = re.compile(
    rf"""(?:{_SPACE}(?<=\s)(?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\)))?+{_SPACE}\)""",
    re.DOTALL,
)
_DEEPEST = 32  # brackets in an address, as in CommonMark's own programs
_NAME = r"\[((?:[^\[\]\\]|\\.){1,999}+)\]"
_LABEL = re.compile(_NAME, re.DOTALL)
_DEFINED = re.compile(
    rf"(?<![^\n\r])[ \t]*+(?:(?:[-+*]|\d{{1,9}}[.)])[ \t]++)*+{_NAME}:{_SPACE}\S++"
    r"(?=[ \t]*+(?:[\r\n]|\Z|(?<=\s)[\"'(]))",
    re.DOTALL,
)


class _Words(TextRun):
    """What stands between marks."""

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
        tries.append(_without_marks(new))
        fine = (m for m in tries if m is not None and is_encodable(m, encoding))
        return next((made for made in fine if self.reads(made) == new), None)

    def reads(self, raw: str) -> str | None:
        """What a stretch of Markdown says in its place, if it stays one."""
        return None if any(_marks(f"x {raw}")) else _read(raw)


class _Target(_Words):
    """Where a link leads, with its title; or the name of the place that says so."""

    def reads(self, raw: str) -> str | None:
        return _read(raw) if _target_end(f"({raw})", 0) == len(raw) + 2 else None


class _Label(_Words):
    def reads(self, raw: str) -> str | None:
        return _read(raw) if not raw or _LABEL.fullmatch(f"[{raw}]") else None


class _Tag(_Words):
    """A tag or a comment, as it stands."""

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        return super().written(raw, changes, encoding) or (
            _EMPTY if not changed(self.text, changes) else None
        )

    def reads(self, raw: str) -> str | None:
        found = _tag(raw, 0, {})
        return _read(raw) if found and found[1] is _Tag and found[0] == len(raw) else None


class _Literal(_Words):
    """A sign that begins what some viewers show and others do not: in a release, all show it."""

    @property
    def unseen(self) -> Iterable[Change]:
        return [(0, len(self.text), self.text)]

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        return _without_marks(changed(self.text, changes))


@dataclass(frozen=True, slots=True)
class _Mark:
    """A stretch of a file that is no text where it stands; one that says something behind the text."""

    start: int
    end: int
    run: type[_Words] | None = None
    shows_to: int = 0  # of brackets: where they close
    is_name: bool = False  # brackets whose words say where they lead


def _escaped(text: str) -> str:
    return _MUST_BE_ESCAPED.sub(r"\\\g<0>", text)


def _without_marks(text: str) -> str:
    return _MARKS.sub(r"\\\g<0>", text).replace("<", "&lt;")


def _read(raw: str) -> str:
    r"""What a stretch of Markdown says.

    >>> _read(r"M\. &#77;&auml;r, \&amp; AT&T")
    'M. Mär, &amp; AT&T'
    """
    return _ESCAPE.sub(lambda found: found["sign"] or unescape(found[0]), raw)


def _tag(text: str, at: int, ends: dict[str, int]) -> tuple[int, type[_Words] | None] | None:
    """Where a tag that begins at a place ends, and as what it is read. `ends` remembers of what there is no
    more."""
    if text.startswith(("<!-->", "<!--->"), at):
        return text.index(">", at) + 1, _Tag
    for begin, last, other in _ENDS:
        if text.startswith(begin, at):
            if ends.get(last, at) < at or (end := text.find(last, at + len(begin))) < 0:
                ends[last] = -1
                return None
            within = text[at + len(begin) : end]
            return (end + len(last), _Tag) if other not in within else (at + 1, _Literal)
    found = _TAG.match(text, at)
    if found is None or _ADDRESS.match(text, at):
        return None
    if found[0] == _EMPTY:
        return found.end(), _Tag
    return found.end(), None if _SAYS_NOTHING.fullmatch(found[0]) else _Tag


def _target_end(text: str, at: int) -> int | None:
    """Where a link's target that begins with a bracket ends, if it is one."""
    if (found := _LIBERAL.match(text, at)) is not None:
        return found.end()
    if (found := _BRACKETED.match(text, at)) is not None:
        place = found.end()
    else:
        start = re.compile(rf"\({_SPACE}").match(text, at)
        place, depth = start.end() if start else at, 0
        while (part := _PLAIN_TARGET.match(text, place)) is not None:
            depth += (part[0] == "(") - (part[0] == ")")
            if depth < 0 or depth > _DEEPEST:
                break
            place = part.end()
        if depth > 0:
            return None
    ended = _TARGET_END.match(text, place)
    return ended.end() if ended else None


def _name(label: str) -> str:
    return " ".join(label.split()).casefold()


def _marks(text: str) -> Iterator[_Mark]:
    """All of a text without quote signs that is no text where it stands."""
    named = {found.start(1): found[1] for found in _DEFINED.finditer(text)} if "]:" in text else {}
    defined = set(map(_name, named.values()))
    open_at: list[tuple[int, int]] = []
    ends = dict[str, int]()
    at = 0
    while (found := _TOKEN.search(text, at)) is not None:
        start, at = found.span()
        if found["mark"]:
            yield _Mark(start, at)
        elif found["open"]:
            open_at.append((start, at))
        elif found["tag"]:
            at = start + 1
            if (tag := _tag(text, start, ends)) is not None:
                at = tag[0]
                yield _Mark(start, at, tag[1])
        elif found["close"] and open_at:
            first, begin = open_at.pop()
            if text.startswith("(", at) and (end := _target_end(text, at)) is not None:
                yield from (_Mark(first, begin, shows_to=start), _Mark(start, at + 1))
                yield from (_Mark(at + 1, end - 1, _Target), _Mark(end - 1, end))
                at = end
                continue
            said = text[begin:start] if start - begin < 1000 else ""
            label = _LABEL.match(text, at) if defined else None
            if label is not None and _name(label[1]) in defined:
                yield from (_Mark(first, begin, shows_to=start), _Mark(start, at + 1))
                yield from (_Mark(at + 1, label.end() - 1, _Label),)
                yield _Mark(label.end() - 1, label.end())
                at = label.end()
            elif defined and begin not in named and _name(said) in defined:
                at += 2 * text.startswith("[]", at)
                yield _Mark(first, begin, shows_to=start, is_name=True)
                yield _Mark(start, at, is_name=True)


def _quotes(text: str) -> Iterator[tuple[int, int]]:
    """Where quote signs stand."""
    for line in _LINE.finditer(text) if ">" in text else ():
        at = line.start()
        while (found := _QUOTE.match(text, at)) is not None:
            yield found.span("sign")
            at = found.end()


def _all_marks(text: str, where: str) -> list[_Mark]:
    """Quote signs and all else that is no text where it stands, in the order of the file."""
    quotes = list(_quotes(text))
    edges = [0, *(place for span in quotes for place in span), len(text)]
    flat = "".join(text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True))
    begins, cut, before = list[int](), list[int](), 0
    for start, end in quotes:
        begins.append(start - before)
        before += end - start
        cut.append(before)

    def placed(at: int) -> int:
        passed = bisect_right(begins, at)
        return at + (cut[passed - 1] if passed else 0)

    made = [_Mark(start, end) for start, end in quotes]
    for mark in _marks(flat):
        start, end = placed(mark.start), placed(max(mark.end - 1, mark.start)) + 1
        if mark.start == mark.end:
            end = start
        if end - start != mark.end - mark.start:
            line = text.count("\n", 0, start) + 1
            raise InputError.at(
                where,
                f"a tag or a link's address over two lines of a quote (line {line}) cannot be read with "
                "certainty; write it on one line",
            )
        made.append(_Mark(start, end, mark.run, placed(mark.shows_to), mark.is_name))
    return sorted(made, key=lambda mark: (mark.start, mark.end))


@format("markdown")
class Markdown(Structured):
    kind = "markdown"

    def pieces(self, text: str, origin: Origin, where: str) -> Sequence[TextRun | str]:
        """The text, and behind it what tags, targets and the words for pictures say."""
        at, line, picture = 0, 1, 0
        shown, behind = list[TextRun | str](), list[TextRun | str]()
        for mark in [*_all_marks(text, where), _Mark(len(text), len(text))]:
            place = f"line {line}"
            if at < mark.start:
                words = _Words(_read(text[at : mark.start]), at, mark.start, place)
                (behind if at < picture else shown).append(words)
            line += text.count("\n", at, mark.start)
            if mark.run is not None:
                raw = text[mark.start : mark.end]
                said = _read(raw) if raw != _EMPTY else ""
                run = mark.run(said, mark.start, mark.end, f"line {line}")
                is_shown = mark.run is _Literal and mark.start >= picture
                (shown if is_shown else behind).extend([run] if is_shown else [BREAK, run])
            if text.startswith("![", mark.start) and mark.start >= picture:
                picture = mark.shows_to
                behind.append(BREAK)
            line += text.count("\n", mark.start, mark.end)
            at = mark.end
        return [*shown, *behind]

    def read(self, data: bytes, source: Source) -> Document:
        document = super().read(data, source)
        if len(document.origin.parts) > 1 or document.unseen:
            return document
        return replace(document, origin=replace(document.origin, parts=()))  # lines are places

    def written(
        self,
        source: str,
        runs: Sequence[TextRun],
        changes: Mapping[int, Sequence[Change]],
        document: Document,
    ) -> list[Patch]:
        """As it is to be read; with signs escaped where new words would make marks of them, and without marks
        that would stand around nothing."""
        wanted = [changed(run.text, changes.get(at, ())) for at, run in enumerate(runs)]
        each = iter(wanted)
        pieces = self.pieces(source, document.origin, "")
        said = "".join(p if isinstance(p, str) else next(each) for p in pieces)
        made = super().written(source, runs, changes, document)
        empty = {run.start for run, new in zip(runs, wanted, strict=True) if not new}
        marks = [m for m in _all_marks(source, "") if m.run is None]
        signs = [m for m in marks if _SIGNS.fullmatch(source, m.start, m.end)]
        tidy = _around_nothing(source, signs, {p.start: p.end for p in made if p.start in empty})
        words = {run.start for run in runs if type(run) is _Words}
        escaped = [_literally(patch) if patch.start in words else patch for patch in made]
        touching = {place for patch in made for place in (patch.start, patch.end)}
        beside = [m for m in signs if m.start in touching or m.end in touching]
        torn = _torn(source, marks, made)
        named = [m for m in marks if m.is_name]
        ways = [(made, tidy), (made, []), (escaped, tidy), (made, [*tidy, *named])]
        alone = [
            replace(p, text=f"{_APART}{p.text}{_APART}") if p.start in words else p for p in escaped
        ]
        for patches, more in [*ways, (escaped, [*beside, *named]), (alone, named)]:
            gone = {*more, *torn}
            fitting = sorted([*patches, *(Patch(m.start, m.end, "") for m in gone)], key=_start)
            new = patched(source, fitting)
            with suppress(InputError):
                if whole_text(self.pieces(new, document.origin, "")) == said:
                    return fitting
        raise InputError(f"{document.name}: its marks cannot be written so; nothing written")

    def shown_otherwise(self, document: Document) -> str:
        return "tags" if re.search(r"<[A-Za-z/!?]", document.file) else ""


def _torn(source: str, marks: Sequence[_Mark], patches: Sequence[Patch]) -> list[_Mark]:
    """Quote signs of lines that do not begin there any more."""
    quotes = (m for m in marks if source[m.start : m.end].lstrip() == ">")
    starts = {mark.start: mark for mark in quotes}
    torn = []
    for patch in patches:
        old = source[patch.start : patch.end]
        is_first = patch.text.endswith("\n") or ("\n" not in old and patch.text == old)
        at = patch.end if not is_first else -1
        while (mark := starts.get(at)) is not None:
            torn.append(mark)
            at = mark.end
    return torn


def _start(patch: Patch) -> tuple[int, int]:
    return patch.start, patch.end


def _literally(patch: Patch) -> Patch:
    """The same without any sign that could be a mark."""
    return replace(patch, text=_without_marks(_read(patch.text)))


def _around_nothing(source: str, signs: Sequence[_Mark], empty: Mapping[int, int]) -> list[_Mark]:
    """Pairs of marks between which nothing is left: `**` and `**` of a word that is gone."""
    gone: list[_Mark] = []
    open_marks: list[_Mark] = []
    reached = -1
    for mark in signs:
        if mark.start != reached:
            open_marks = []
        said = source[mark.start : mark.end]
        if open_marks and source[open_marks[-1].start : open_marks[-1].end] == said:
            gone += [open_marks.pop(), mark]
        else:
            open_marks.append(mark)
        reached = empty.get(mark.end, -1)
    return gone
