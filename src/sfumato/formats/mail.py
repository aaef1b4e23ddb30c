"""E-mails: `eml` in, `eml` out, as the reader's view of them.

Subject, addresses, bodies, attached texts and letters, and names of files are one document, for they are read
together. Everything else is taken out: other headers (they tell routes, programs and identities), what the
parts are parted by, and attachments that are no text, for which a note stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import count
from pathlib import PurePath
from urllib.parse import quote

from sfumato.document import BYTES, Document, Edit, Origin, Patch, patched
from sfumato.errors import InputError
from sfumato.formats import SUFFIXES, format_for, headers
from sfumato.formats.bodies import ATTACHMENT, NOTE, Body, BodyRun, Lines
from sfumato.formats.mime import (
    KEPT,
    STRUCTURE,
    Field,
    MailPart,
    Parser,
    parameters,
    spoken,
    uncommented,
)
from sfumato.formats.parts import (
    BREAK,
    Change,
    Escape,
    Gone,
    Layout,
    Structured,
    TextRun,
    changed,
    placed,
    uncertain,
)
from sfumato.formats.properties import METHODS
from sfumato.formats.transfer import encoded, position
from sfumato.plugins import FORMATS, Source, format

PARAGRAPH = "\n\n"
_OURS = "=_sfumato_"
_TEXTS = frozenset(
    (
        *("plain", "html", "csv", "markdown", "enriched", "tab-separated-values"),
        *("calendar", "vcard", "x-vcard", "directory"),
    )
)
# Types of files that are told by their names.
_SAY_NOTHING = frozenset(("text/plain", "application/octet-stream"))
_JOINED = frozenset(("mixed", "alternative", "related"))  # other multiparts become `mixed`
# Endings of files' names that say nothing but what kind of file it is.
_ENDINGS = frozenset((*SUFFIXES, ".xml", ".yaml", ".yml", ".rtf", ".pdf"))
_PLAIN_TYPE = re.compile(
    r'(?i)\s*(?P<media>[a-z]+/[a-z0-9.+-]+)(?:\s*;\s*(?:charset="?[a-z0-9._:+-]+"?|format="?(?:flowed|fixed)"?'
    rf'|delsp="?(?:yes|no)"?|method="?(?:{METHODS})"?|boundary="{_OURS}[0-9]+"))*;?\s*'
)
_PLAIN_DISPOSITION = re.compile(
    r"""(?i)\s*(?:inline|attachment)(?:\s*;\s*filename(?:="[^"\\]*"|\*=utf-8''[a-z0-9%._~-]*))?;?\s*"""
)

_BARE_DISPOSITION = re.compile(r"(?i)\s*(?:inline|attachment)\s*")
_PLAIN_NAME = r"""; name(?:="[^"\\]*"|\*=utf-8''[\w%.~-]*)"""
# Without it, programs show an invitation as a file.
_METHOD = re.compile(rf'(?i);\s*method\s*=\s*"?({METHODS})"?\s*(?:;|\Z)')
_QUOTED_CHARSET = re.compile(r'(?i);\s*charset\s*=\s*"')


@dataclass(frozen=True)
class _FileName(TextRun):
    """The field that tells a file's name, and what else it may tell. The text is the whole field where it
    says more than it may, then the name without its ending."""

    length: int = 0  # of what it says too much
    ending: str | None = None  # of the name; None if it tells no name
    canonical: str = ""  # the field without a name
    name_as: str = "filename"

    def escapes(self, raw: str) -> Iterable[Escape]:
        is_named = self.ending is not None
        return [(0, raw.find(self.name_as) + len(self.name_as) + 2, "")] if is_named else ()

    @property
    def unseen(self) -> Iterable[Change]:
        return [(0, self.length, "")] if self.length else ()

    def tidied(self, replacement: str) -> str:
        return " ".join(replacement.split())

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        if self.ending is None:
            return self.canonical if not new else None
        value = f"{self.name_as}{_parameter(new + self.ending)}"
        kind, _, rest = self.canonical.partition(": ")
        made = f"{kind}: {rest}; {value}"
        name = _file_name(kind.lower(), f"{rest}; {value}")
        is_kept = name == new + self.ending and _ending(name) == self.ending
        return made if is_kept else None  # by its ending it is read


def _parameter(name: str) -> str:
    if name.isascii() and name.isprintable() and not re.search(r'["\\]|=\?', name):
        return f'="{name}"'
    return f"*=utf-8''{quote(name, safe='')}"


def _file_name(field: str, value: str) -> str | None:
    """The name of a file that a field tells, if it tells one."""
    parsed = parameters(field, value)
    which = "filename" if field == "content-disposition" else "name"
    if parsed.get_param(which, None, field) is None:
        return None
    name = parsed.get_filename("") or ""
    said = spoken(name)
    return name if said is None else said


def _ending(name: str) -> str:
    """The ending of a file's name, if it says nothing else.

    >>> _ending("ann.TXT"), _ending("for.ann")
    ('.TXT', '')
    """
    ending = PurePath(f"x{name}").suffix  # a name may be nothing but one
    return ending if ending.lower() in _ENDINGS else ""


class _Letter:
    """A letter cut into runs."""

    def __init__(self, source: str, where: str) -> None:
        self.source = source
        self.parser = Parser(source, where)
        self.root, begin = self.parser.letter()
        self.leaves = list(self.root.leaves())
        self.bodies = [self.body(leaf) for leaf in self.leaves]
        self.read = {id(leaf) for leaf, body in zip(self.leaves, self.bodies, strict=True) if body}
        self.numbers = (n for n in count(1) if f"{_OURS}{n}" not in source)
        self.pieces: list[TextRun | str] = []
        if begin:
            self.pieces.append(Gone(source[:begin], 0, begin, "line of a mailbox"))
        self.parser.require_headers(self.root)
        self.number = 0
        self.entity(self.root, "")

    def gone(self, start: int, end: int, place: str, instead: str = "") -> None:
        self.pieces.append(Gone(self.source[start:end], start, end, place, "", instead))

    def body(self, leaf: MailPart) -> Body | None:
        """What a leaf says, by the format of its name or its type; None if it cannot be read as that."""
        kind, _, subtype = leaf.media.partition("/")
        is_text = kind == "text" and subtype in _TEXTS
        by_name = SUFFIXES.get(_ending(_named(leaf)[1] or "").lower())
        by_type = format_for(leaf.media)
        name = by_name if leaf.media in _SAY_NOTHING and by_name else by_type
        if not is_text and (name is None or kind == "text"):
            return None
        found = FORMATS.get(name or "text").format
        if isinstance(found, Structured) and not found.is_text:
            return None
        try:
            text = self.parser.text(leaf)
        except InputError:
            if is_text:
                raise
            return None
        if leaf.media == "text/enriched" and "<" in text:  # tags of its own
            return None
        lines = found if isinstance(found, Structured) else Lines(leaf)
        try:
            pieces = list(lines.embedded(text, self.parser.where))
            return Body(text, lines, pieces, self.parser.is_certain(leaf))
        except InputError:
            if leaf.media == "text/html":
                raise
            return None

    def entity(self, given: MailPart, within: str | None = None) -> None:
        """A part; `within` is the place of one that is a letter."""
        boundary = ""
        if given.is_multipart():
            is_ours = re.fullmatch(rf"{_OURS}[0-9]+", given.boundary) is not None
            # Some programs part at lines that go on, too.
            is_ours &= self.source.count(f"--{given.boundary}") == len(given.delimiters)
            boundary = given.boundary if is_ours else f"{_OURS}{next(self.numbers)}"
        is_read = bool(given.parts) or id(given) in self.read
        for field in given.fields:
            if within is not None and field.name in KEPT:
                self.header(field, given.newline, within)
            elif field.name not in STRUCTURE or (
                not is_read and field.name not in ("content-type", "mime-version")
            ):
                self.gone(field.start, field.stop, f"header {field.name}")
            else:
                self.structural(field, given, boundary)
        if within is not None:
            self.pieces.append(BREAK)
        if given.is_multipart():
            self.parts(given, boundary)
        elif given.parts:
            self.entity(given.parts[0], "attached e-mail, ")
        else:
            self.leaf(given)

    def header(self, field: Field, newline: str, within: str) -> None:
        made = headers.pieces(field, self.source, newline, within + field.name)
        if made is None:
            raise self.parser.refuse(f"the header '{field.name}' cannot be read")
        self.pieces += [*made, BREAK]

    def structural(self, field: Field, given: MailPart, boundary: str) -> None:
        """A field that the form of the letter needs: as it was, if it says nothing more."""
        if field.name in ("content-type", "content-disposition"):
            self.with_parameters(field, given, boundary)
            return
        name, said = ("MIME-Version", "1.0")
        if field.name == "content-transfer-encoding":
            name, said = "Content-Transfer-Encoding", given.encoding
        if field.value.strip().lower() != said or not self.is_plainly_named(field):
            self.gone(field.start, field.end, f"header {field.name}", f"{name}: {said}")

    def is_plainly_named(self, field: Field) -> bool:
        return self.source[field.start + len(field.name)] == ":"

    def with_parameters(self, field: Field, given: MailPart, boundary: str) -> None:
        is_type = field.name == "content-type"
        canonical = self.type(given, boundary) if is_type else _disposition(field)
        name = None
        if not given.is_multipart() and (given.parts or id(given) in self.read):
            told_by, name = _named(given)
            name = name if told_by == field.name else None
        if is_type:
            found = _PLAIN_TYPE.fullmatch(field.value)
            said = canonical.partition(": ")[2].partition(";")[0]
            plain = found is not None and found["media"].lower() == said
            told = "" if given.parts or given.is_multipart() else given.charset
            plain = plain and field.value.lower().count("charset=") == (told != "")
            plain = plain and (not boundary or boundary == given.boundary)
        else:
            expected = _PLAIN_DISPOSITION if name is not None else _BARE_DISPOSITION
            plain = expected.fullmatch(field.value) is not None
        plain = plain and self.is_plainly_named(field)
        if plain and name is None:
            return
        if is_type and name is not None:
            wanted = re.escape(canonical.partition(": ")[2]) + _PLAIN_NAME
            plain = re.fullmatch(wanted, field.value) is not None
        rest = "" if plain else field.value or field.name
        ending = None if name is None else _ending(name)
        place = "file name" if name is not None else f"header {field.name}"
        text = rest + (name or "").removesuffix(ending or "")
        name_as = "name" if is_type else "filename"
        span = field.start, field.end
        self.pieces.append(_FileName(text, *span, place, len(rest), ending, canonical, name_as))
        self.pieces += [] if ending is None else [BREAK]

    def type(
        self, given: MailPart, boundary: str = "", charset: str = "", lines: bool = True
    ) -> str:
        """The field that tells what kind of thing a part is, and nothing else. Without `lines` of a kind of
        its own, it is plain text."""
        kind, _, subtype = given.media.partition("/")
        if kind == "multipart":
            kept = subtype in _JOINED or given.is_digest()
            return f'Content-Type: multipart/{subtype if kept else "mixed"}; boundary="{boundary}"'
        if given.parts:
            return f"Content-Type: {given.media}"
        if id(given) not in self.read:
            return 'Content-Type: text/plain; charset="utf-8"'
        charset = charset or given.charset
        field = given.find("content-type")
        mark = "" if field and not _QUOTED_CHARSET.search(uncommented(field.value)) else '"'
        flow = {"flowed": "; format=flowed", "delsp": "; format=flowed; delsp=yes"}.get(given.flow)
        method = _METHOD.search(uncommented(field.value)) if field and lines else None
        return (
            f"Content-Type: {given.media if lines else 'text/plain'}"
            + (f"; charset={mark}{charset}{mark}" if charset else "")
            + (f"; method={method[1]}" if method else "")
            + (flow or "" if lines else "")
        )

    def parts(self, given: MailPart, boundary: str) -> None:
        for at in given.delimiters:
            if boundary != given.boundary:
                self.gone(at, at + len(given.boundary), "boundary", boundary)
        for start, end in given.around:
            if self.source[start:end].strip():
                self.gone(start, end, "text around the parts")
        for part in given.parts:
            self.entity(part)

    def rewritten(
        self, leaf: MailPart, text: str, lines: bool, made: Mapping[int, Patch]
    ) -> list[Patch]:
        """The patches after which a leaf says a text: in its own encoding if that can, else in UTF-8."""
        new = encoded(text, leaf.encoding, leaf.charset, leaf.newline)
        if new is not None and lines:
            return [Patch(leaf.body, leaf.end, new)]
        new = encoded(text, "quoted-printable", "utf-8", leaf.newline)
        if new is None:
            raise self.parser.refuse("a body cannot be written so; nothing written")
        patches = [Patch(leaf.body, leaf.end, new)]
        missing = []
        for field, line in (
            ("content-type", self.type(leaf, "", "utf-8", lines)),
            ("content-transfer-encoding", "Content-Transfer-Encoding: quoted-printable"),
        ):
            there = leaf.find(field)
            if there is None:
                missing.append(line + leaf.newline)
                continue
            named = _named_again(there, leaf, made.get(there.start))
            patches.append(Patch(there.start, there.end, line + named))
        if missing:
            patches.append(Patch(leaf.head_end, leaf.head_end, "".join(missing)))
        return patches

    def leaf(self, given: MailPart) -> None:
        number = self.number
        self.number += 1
        body = self.bodies[number]
        if body is None:
            if given.body > given.head_end:  # else it ends with its headers
                self.pieces.append(
                    Gone(ATTACHMENT, given.body, given.end, "attachment", NOTE, NOTE)
                )
            self.pieces.append(PARAGRAPH)
            return
        named = f"body {number + 1}" if len(self.leaves) > 1 else "body"
        for piece in body.pieces:
            if isinstance(piece, str):
                self.pieces.append(piece)
            else:
                place = f"{named}, {piece.place}" if piece.place else named
                span = piece.start, piece.end
                self.pieces.append(BodyRun(piece.text, *span, place, piece, number, body))
        self.pieces.append(PARAGRAPH)


def _named(part: MailPart) -> tuple[str, str | None]:
    """The field that tells the name of a part's file, and the name, if there is one."""
    for kind in ("content-disposition", "content-type"):
        field = part.find(kind)
        if field is not None and (name := _file_name(kind, field.value)) is not None:
            return kind, name
    return "", None


def _named_again(field: Field, part: MailPart, earlier: Patch | None) -> str:
    """The name of a file that a type goes on to tell."""
    if earlier is not None:
        found = re.search(r'; name(?:\*=|=").*', earlier.text)
        return found[0] if found else ""
    told_by, name = _named(part)
    return f"; name{_parameter(name)}" if name is not None and told_by == field.name else ""


def _disposition(field: Field) -> str:
    kind = parameters(field.name, field.value).get_content_disposition()
    return f"Content-Disposition: {'inline' if kind == 'inline' else 'attachment'}"


@format("mail")
class Mail(Structured):
    kind = "mail"
    is_text = False

    def decoded(self, data: bytes, source: Source) -> tuple[str, str]:
        return data.decode(BYTES), BYTES

    def pieces(self, text: str, origin: Origin, where: str) -> Sequence[TextRun | str]:
        return _Letter(text, where).pieces

    def shown_otherwise(self, document: Document) -> str:
        runs = self.layout(document).runs
        bodies = {run.leaf: run.body for run in runs if isinstance(run, BodyRun)}.values()
        if uncertain(self, document.file, runs) or not all(body.certain for body in bodies):
            return "words in codes that programs read differently"
        said = (body.format.shown_otherwise(Document(body.text)) for body in bodies)
        return next(filter(None, said), "")

    def raw(self, source: str, run: TextRun) -> str:
        return (run.body.text if isinstance(run, BodyRun) else source)[run.start : run.end]

    def line(self, source: str, run: TextRun) -> str:
        if isinstance(run, BodyRun):
            return f"{super().line(run.body.text, run)} of a part"
        return super().line(source, run)

    def adjust(self, layout: Layout, shares: dict[int, list[Edit]], name: str) -> None:
        """Each body as its format has it."""
        for number, ats in _by_leaf(layout.runs, sorted({*shares, *layout.unseen})).items():
            first = layout.runs[ats[0]]
            assert isinstance(first, BodyRun)
            inside = copy(layout)
            inside.runs = [
                run.inner if isinstance(run, BodyRun) and run.leaf == number else run
                for run in layout.runs
            ]
            first.body.format.adjust(inside, shares, name)

    def spans(self, document: Document, edits: Sequence[Edit]) -> dict[int, tuple[int, int]]:
        layout, patches = self.layout(document), self.patches(document, edits)
        letter = _Letter(patched(document.file, patches), document.name)
        shares = layout.shares(edits)
        by_leaf = _by_leaf(layout.runs, shares)
        inside = {at for ats in by_leaf.values() for at in ats}
        found = placed(layout, {at: s for at, s in shares.items() if at not in inside}, patches)
        changes = layout.all_changes(shares)
        for number, ats in by_leaf.items():
            leaf = letter.leaves[number]
            body, runs, changing = _inside(layout.runs, changes, number)
            raw = letter.source[leaf.body : leaf.end]
            inner = body.patches(runs, changing, document.name)
            for begin, span in placed(layout, {at: shares[at] for at in ats}, inner).items():
                start, end = (
                    leaf.body + position(raw, leaf.encoding, leaf.charset, n) for n in span
                )
                found[begin] = (start, end)
        return found

    def written(
        self,
        source: str,
        runs: Sequence[TextRun],
        changes: Mapping[int, Sequence[Change]],
        document: Document,
    ) -> list[Patch]:
        letter = _Letter(source, document.name)
        changes = {**uncertain(self, source, runs), **changes}
        anew = {r.leaf for r in runs if isinstance(r, BodyRun) and not r.body.certain}
        outside = {at: c for at, c in changes.items() if not isinstance(runs[at], BodyRun)}
        made = {p.start: p for p in super().written(source, runs, outside, document)}
        for number in sorted(anew | {*_by_leaf(runs, changes)}):
            body, inner, changing = _inside(runs, changes, number)
            new, as_lines = body.written(inner, changing, document.name)
            for patch in letter.rewritten(letter.leaves[number], new, as_lines, made):
                made[patch.start] = patch
        return sorted(made.values(), key=lambda p: p.start)


def _inside(
    runs: Sequence[TextRun], changes: Mapping[int, Sequence[Change]], number: int
) -> tuple[Body, list[TextRun], dict[int, Sequence[Change]]]:
    """The body of a leaf, its runs and what changes of them."""
    ats = [at for at, run in enumerate(runs) if isinstance(run, BodyRun) and run.leaf == number]
    of_leaf = [run for at in ats if isinstance(run := runs[at], BodyRun)]
    changing = {place: changes[at] for place, at in enumerate(ats) if at in changes}
    return of_leaf[0].body, [run.inner for run in of_leaf], changing


def _by_leaf(runs: Sequence[TextRun], ats: Iterable[int]) -> dict[int, list[int]]:
    """The places of runs, by the leaf that they are in."""
    found: dict[int, list[int]] = {}
    for at in ats:
        if isinstance(run := runs[at], BodyRun):
            found.setdefault(run.leaf, []).append(at)
    return found
