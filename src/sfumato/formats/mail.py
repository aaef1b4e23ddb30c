"""E-mails: `eml` in, `eml` out, as the reader's view of them.

Subject, addresses, bodies, attached texts and names of files are one document, for they are read together.
Everything else is taken out: other headers (they tell routes, programs and identities), what the parts are
parted by, and attachments that are no text, for which a note stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from urllib.parse import quote

from sfumato.document import BYTES, Document, Edit, Origin, Patch, patched
from sfumato.errors import InputError
from sfumato.formats import html
from sfumato.formats.mime import (
    KEPT,
    STRUCTURE,
    Field,
    MailPart,
    Parser,
    encoded,
    folded,
    parameters,
    position,
    spoken,
    words,
)
from sfumato.formats.parts import (
    Change,
    Escape,
    Gone,
    Structured,
    TextRun,
    changed,
    patches_of,
    placed,
    spliced,
)
from sfumato.plugins import Source, format

ATTACHMENT = "[attachment]"
NOTE = "[attachment removed]"
BREAK = "\n"
PARAGRAPH = "\n\n"
_OURS = "=_sfumato_"
_TEXTS = frozenset(
    ("plain", "html", "calendar", "csv", "markdown", "enriched", "tab-separated-values")
)
_JOINED = frozenset(("mixed", "alternative", "related"))  # other multiparts become `mixed`
_PLAIN_TYPE = re.compile(
    r'(?i)\s*(?P<media>[a-z]+/[a-z0-9.+-]+)(?:\s*;\s*(?:charset="?[a-z0-9._-]+"?|format="?(?:flowed|fixed)"?'
    rf'|delsp="?(?:yes|no)"?|boundary="{_OURS}[0-9]+"))*;?\s*'
)
_PLAIN_DISPOSITION = re.compile(
    r"""(?i)\s*(?:inline|attachment)(?:\s*;\s*filename(?:="[^"\\]*"|\*=utf-8''[a-z0-9%._~-]*))?;?\s*"""
)

_BARE_DISPOSITION = re.compile(r"(?i)\s*(?:inline|attachment)\s*")
_FLOWED = re.compile(r'(?i);\s*format="?flowed')


@dataclass(frozen=True)
class _Header(TextRun):
    """A field that people read."""

    name: str = ""
    newline: str = "\n"

    def escapes(self, raw: str) -> Iterable[Escape]:
        return [(0, len(self.name) + 2, "")]

    def tidied(self, replacement: str) -> str:
        return " ".join(replacement.split()) if re.search(r"[^\S ]", replacement) else replacement

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        line = folded(f"{self.name}: {words(new)}", self.newline)
        return line if line.isascii() and spoken(_value(line, self.newline)) == new else None


def _value(line: str, newline: str) -> str:
    value = line.partition(":")[2].replace(newline, "")
    return value[1:] if value[:1] == " " else value


@dataclass(frozen=True)
class _FileName(TextRun):
    """The field that tells a file's name, and what else it may tell. The text is the name, then the whole
    field where it says more than it may."""

    length: int = 0  # of the name
    named: bool = False
    canonical: str = ""  # the field without a name
    name_as: str = "filename"

    def escapes(self, raw: str) -> Iterable[Escape]:
        return [(0, raw.find(self.name_as) + len(self.name_as) + 2, "")] if self.named else ()

    @property
    def unseen(self) -> Iterable[Change]:
        return [(self.length, len(self.text), "")] if self.length < len(self.text) else ()

    def tidied(self, replacement: str) -> str:
        return " ".join(replacement.split())

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        if not self.named:
            return self.canonical if not new else None
        value = f"{self.name_as}{_parameter(new)}"
        kind, _, rest = self.canonical.partition(": ")
        made = f"{kind}: {rest}; {value}"
        return made if _file_name(kind.lower(), f"{rest}; {value}") == new else None


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


@dataclass(frozen=True)
class _InBody(TextRun):
    """A run of a body: its places are those in the decoded text."""

    inner: TextRun
    leaf: int
    body: str

    @property
    def unseen(self) -> Iterable[Change]:
        return self.inner.unseen

    def tidied(self, replacement: str) -> str:
        return self.inner.tidied(replacement)

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        return self.inner.written(raw, changes, "utf-8")  # which any body can be written in

    def position(self, raw: str, offset: int) -> int:
        return self.inner.position(raw, offset)


@dataclass(frozen=True)
class _PlainBody(TextRun):
    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        return spliced(raw, (), changes, str)


class _Letter:
    """A letter cut into runs."""

    def __init__(self, source: str, where: str) -> None:
        self.source = source
        self.parser = Parser(source, where)
        self.root, begin = self.parser.letter()
        self.leaves = list(self.root.leaves())
        self.bodies = [self.parser.text(leaf) if _is_text(leaf) else None for leaf in self.leaves]
        self.numbers = (n for n in count(1) if f"{_OURS}{n}" not in source)
        self.pieces: list[TextRun | str] = []
        if begin:
            self.pieces.append(Gone(source[:begin], 0, begin, "line of a mailbox"))
        if not any(f.name in (*KEPT, "content-type", "mime-version") for f in self.root.fields):
            raise self.parser.refuse("not an e-mail: it has none of the headers of one")
        self.number = 0
        self.entity(self.root, is_root=True)

    def gone(self, start: int, end: int, place: str, instead: str = "") -> None:
        self.pieces.append(Gone(self.source[start:end], start, end, place, "", instead))

    def entity(self, given: MailPart, *, is_root: bool = False) -> None:
        boundary = ""
        if given.is_multipart():
            is_ours = re.fullmatch(rf"{_OURS}[0-9]+", given.boundary) is not None
            boundary = given.boundary if is_ours else f"{_OURS}{next(self.numbers)}"
        is_text = given.is_multipart() or _is_text(given)
        for field in given.fields:
            if is_root and field.name in KEPT:
                self.header(field, given.newline)
            elif field.name not in STRUCTURE or (
                not is_text and field.name not in ("content-type", "mime-version")
            ):
                self.gone(field.start, field.stop, f"header {field.name}")
            else:
                self.structural(field, given, boundary)
        if is_root:
            self.pieces.append(BREAK)
        if given.is_multipart():
            self.parts(given, boundary)
        else:
            self.leaf(given)

    def header(self, field: Field, newline: str) -> None:
        said = spoken(field.value)
        if said is None:
            raise self.parser.refuse(f"the header '{field.name}' cannot be read")
        name = self.source[field.start : field.end].partition(":")[0].strip()
        self.pieces += [_Header(said, field.start, field.end, field.name, name, newline), BREAK]

    def structural(self, field: Field, given: MailPart, boundary: str) -> None:
        """A field that the form of the letter needs: as it was, if it says nothing more."""
        place = f"header {field.name}"
        if field.name == "mime-version":
            if field.value.strip() != "1.0":
                self.gone(field.start, field.end, place, "MIME-Version: 1.0")
        elif field.name in ("content-type", "content-disposition"):
            self.with_parameters(field, given, boundary)

    def with_parameters(self, field: Field, given: MailPart, boundary: str) -> None:
        is_type = field.name == "content-type"
        canonical = _type(given, boundary) if is_type else _disposition(field)
        disposition = given.find("content-disposition")
        named_elsewhere = (
            disposition and _file_name(disposition.name, disposition.value) is not None
        )
        name = None
        if _is_text(given) and not (is_type and named_elsewhere):
            name = _file_name(field.name, field.value)
        if is_type:
            found = _PLAIN_TYPE.fullmatch(field.value)
            said = canonical.partition(": ")[2].partition(";")[0]
            plain = found is not None and found["media"].lower() == said
            plain = plain and field.value.lower().count("charset=") == (given.charset != "")
            plain = plain and (not boundary or boundary == given.boundary)
        else:
            expected = _PLAIN_DISPOSITION if name is not None else _BARE_DISPOSITION
            plain = expected.fullmatch(field.value) is not None
        if plain and name is None:
            return
        if is_type and name is not None:
            plain = (
                re.fullmatch(
                    re.escape(canonical.partition(": ")[2])
                    + r"""; name(?:="[^"\\]*"|\*=utf-8''[\w%.~-]*)""",
                    field.value,
                )
                is not None
            )
        rest = "" if plain else field.value or field.name
        place = "file name" if name is not None else f"header {field.name}"
        self.pieces.append(
            _FileName(
                (name or "") + rest,
                field.start,
                field.end,
                place,
                len(name or ""),
                name is not None,
                canonical,
                "name" if is_type else "filename",
            )
        )
        self.pieces += [BREAK] if name is not None else []

    def parts(self, given: MailPart, boundary: str) -> None:
        for at in given.delimiters:
            if boundary != given.boundary:
                self.gone(at, at + len(given.boundary), "boundary", boundary)
        for start, end in given.around:
            if self.source[start:end].strip():
                self.gone(start, end, "text around the parts")
        for part in given.parts:
            self.entity(part)

    def leaf(self, given: MailPart) -> None:
        number = self.number
        self.number += 1
        text = self.bodies[number]
        if text is None:
            if given.body > given.head_end:  # else it ends with its headers
                self.pieces.append(
                    Gone(ATTACHMENT, given.body, given.end, "attachment", NOTE, NOTE)
                )
            self.pieces.append(PARAGRAPH)
            return
        named = f"body {number + 1}" if len(self.leaves) > 1 else "body"
        inner: Sequence[TextRun | str] = [_PlainBody(text, 0, len(text), "")]
        if given.media == "text/html":
            inner = html.page(text, self.parser.where)
        for piece in inner:
            if isinstance(piece, str):
                self.pieces.append(piece)
            else:
                place = f"{named}, {piece.place}" if piece.place else named
                self.pieces.append(
                    _InBody(piece.text, piece.start, piece.end, place, piece, number, text)
                )
        self.pieces.append(PARAGRAPH)


def _is_text(leaf: MailPart) -> bool:
    kind, _, subtype = leaf.media.partition("/")
    return kind == "text" and subtype in _TEXTS


def _type(given: MailPart, boundary: str, charset: str | None = None) -> str:
    """The field that tells what kind of thing a part is, and nothing else."""
    kind, _, subtype = given.media.partition("/")
    if kind == "multipart":
        return f'Content-Type: multipart/{subtype if subtype in _JOINED else "mixed"}; boundary="{boundary}"'
    if not _is_text(given):
        return 'Content-Type: text/plain; charset="utf-8"'
    charset = given.charset if charset is None else charset
    kind_field = given.find("content-type")
    flowed = kind_field is not None and _FLOWED.search(kind_field.value)
    return (
        f"Content-Type: {given.media}"
        + (f'; charset="{charset}"' if charset else "")
        + ("; format=flowed" if flowed else "")
    )


def _disposition(field: Field) -> str:
    kind = parameters(field.name, field.value).get_content_disposition()
    return f"Content-Disposition: {'inline' if kind == 'inline' else 'attachment'}"


@format("mail", suffixes=(".eml",), media=("message/rfc822",))
class Mail(Structured):
    kind = "mail"

    def decoded(self, data: bytes, source: Source) -> tuple[str, str]:
        return data.decode(BYTES), BYTES

    def pieces(self, text: str, origin: Origin, where: str) -> Sequence[TextRun | str]:
        return _Letter(text, where).pieces

    def raw(self, source: str, run: TextRun) -> str:
        return (run.body if isinstance(run, _InBody) else source)[run.start : run.end]

    def spans(self, document: Document, edits: Sequence[Edit]) -> dict[int, tuple[int, int]]:
        layout, patches = self.layout(document), self.patches(document, edits)
        letter = _Letter(patched(document.file, patches), document.name)
        by_leaf: dict[int, dict[int, list[Edit]]] = {}
        for at, share in layout.shares(edits).items():
            run = layout.runs[at]
            by_leaf.setdefault(run.leaf if isinstance(run, _InBody) else -1, {})[at] = share
        found = placed(layout, by_leaf.pop(-1, {}), patches)
        for number, shares in by_leaf.items():
            leaf = letter.leaves[number]
            changes = {at: layout.changes(at, share) for at, share in shares.items()}
            changing = _body_patches(layout.runs, changes, leaf.media, document.name)
            raw = letter.source[leaf.body : leaf.end]
            for begin, span in placed(layout, shares, changing).items():
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
        outside = {at: c for at, c in changes.items() if not isinstance(runs[at], _InBody)}
        made = {p.start: p for p in super().written(source, runs, outside, document)}
        for number, leaf in enumerate(letter.leaves):
            inside = {
                at: c
                for at, c in changes.items()
                if isinstance(run := runs[at], _InBody) and run.leaf == number
            }
            if inside:
                patches = _body_patches(runs, inside, leaf.media, document.name)
                new = patched(letter.bodies[number] or "", patches)
                for patch in _rewritten(leaf, new, made, document.name):
                    made[patch.start] = patch
        return sorted(made.values(), key=lambda p: p.start)


def _body_patches(
    runs: Sequence[TextRun], changes: Mapping[int, Sequence[Change]], media: str, name: str
) -> list[Patch]:
    """What changes of the text of a body where these of its runs change."""
    inside = {at: run for at in changes if isinstance(run := runs[at], _InBody)}
    inner = {at: run.inner for at, run in inside.items()}
    body = next(iter(inside.values())).body
    patches = patches_of(body, inner, changes, "utf-8", name)
    return (
        html.joined(body, patches, html.in_tags(inner.values()))
        if media == "text/html"
        else patches
    )


def _rewritten(leaf: MailPart, text: str, made: Mapping[int, Patch], name: str) -> list[Patch]:
    """The patches after which a leaf says a text: in its own encoding if that can, else in UTF-8."""
    new = encoded(text, leaf.encoding, leaf.charset, leaf.newline)
    if new is not None:
        return [Patch(leaf.body, leaf.end, new)]
    new = encoded(text, "quoted-printable", "utf-8", leaf.newline)
    if new is None:
        raise InputError(f"{name}: a body cannot be written so; nothing written")
    patches = [Patch(leaf.body, leaf.end, new)]
    missing = []
    for field, line in (
        ("content-type", _type(leaf, "", "utf-8")),
        ("content-transfer-encoding", "Content-Transfer-Encoding: quoted-printable"),
    ):
        there = leaf.find(field)
        if there is None:
            missing.append(line + leaf.newline)
            continue
        patches.append(Patch(there.start, there.end, line + _named(there, made.get(there.start))))
    if missing:
        patches.append(Patch(leaf.head_end, leaf.head_end, "".join(missing)))
    return patches


def _named(field: Field, earlier: Patch | None) -> str:
    """The name of a file that a field goes on to tell."""
    if earlier is not None:
        found = re.search(r'; name(?:\*=|=").*', earlier.text)
        return found[0] if found else ""
    name = _file_name(field.name, field.value) if field.name == "content-type" else None
    return "" if name is None else f"; name{_parameter(name)}"
