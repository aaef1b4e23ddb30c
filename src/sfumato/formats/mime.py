"""The structure of an e-mail, with the exact place of every field, boundary and body.

A letter is text of one character for each byte. What is read here is read as the standards have it (RFC 5322,
2045–2047, 2231); where programs differ in how they read something, it is refused.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message
from itertools import groupby

from sfumato.errors import InputError
from sfumato.formats import encodings
from sfumato.formats.transfer import decoded, is_base64, is_certain, is_quoted, unquoted

MOST_PARTS = 1000
MOST_DEPTH = 50
LONGEST = 10_000  # characters of a field that says how a part is written; names of files have a few hundred
KEPT = ("from", "to", "cc", "reply-to", "date", "subject")
STRUCTURE = ("mime-version", "content-type", "content-transfer-encoding", "content-disposition")
READ = frozenset((*KEPT, *STRUCTURE))
MESSAGES = frozenset(("message/rfc822", "message/global"))
ENCODINGS = ("7bit", "8bit", "binary", "quoted-printable", "base64")
_FIELD = re.compile(r"(?P<name>[!-9;-~]+)[ \t]*:(?P<value>[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)")
_LINE_END = re.compile(r"\r?\n")
_FROM_LINE = re.compile(r"From [^\r\n]*\r?\n")  # of a mailbox file
_WORD = re.compile(
    r"=\?(?P<charset>[^?*\s]+)(?:\*[^?\s]*)?\?(?P<how>[bBqQ])\?(?P<said>[^?\r\n]*)\?="
)
_OPEN_WORD = re.compile(r"=\?[^?]*\?[bBqQ]\?")  # which some programs read in their own way
_EXACT_WORD = re.compile(r"=\?[^?*\s]+\?(?:[bB]\?[^?]*|[qQ]\?(?:=[0-9A-Fa-f]{2}|[!-<>@-~])*)\?=")
# Words of a field that must be encoded, with the spaces between them.
_NOT_PLAIN_WORD = r"(?=[^ ]*?(?:[^\x20-\x7e]|=\?))[^ ]++"
_NOT_PLAIN = re.compile(rf"(?<![^ ]){_NOT_PLAIN_WORD}(?: ++{_NOT_PLAIN_WORD})*+")
_CUT = re.compile(" (?=[^ ])")  # where a field can go on in the next line
_CHARSET = re.compile(r"(?i);\s*charset\s*+(\*?)[0-9*]*+\s*=")
# Programs write names of files without quotes, where brackets are part of them.
_LONG_NUMBER = re.compile(r"\*[0-9]{10}")  # of a parameter in parts: name*0, name*1
_COMMENT_OR_NOT = re.compile(
    r'(?P<kept>"(?:[^"\\]|\\.)*+"|(?i:name)\s*=\s*[^\s";][^;]*+)|(?P<sign>[()])|\\.'
)


@dataclass(frozen=True)
class Field:
    """A header field: from its name to before its line end, and with it."""

    name: str  # in small letters
    start: int
    end: int
    stop: int
    value: str  # unfolded, without the space after the colon; nothing where nobody keeps it


@dataclass
class MailPart:
    """A letter, or a part of one."""

    fields: tuple[Field, ...]
    head_end: int  # where another field could stand
    body: int
    end: int
    newline: str
    media: str = "text/plain"
    charset: str = ""
    encoding: str = ""
    boundary: str = ""
    parts: list[MailPart] = field(default_factory=list)
    delimiters: list[int] = field(default_factory=list)  # where the boundary's text stands
    # before the first part, after the last
    around: list[tuple[int, int]] = field(default_factory=list)
    # "flowed" where lines that end in a space go on, "delsp" where it is no part of them
    flow: str = ""

    def find(self, name: str) -> Field | None:
        return next((f for f in self.fields if f.name == name), None)

    def is_multipart(self) -> bool:
        return self.media.startswith("multipart/")

    def is_digest(self) -> bool:
        """Whether each part that does not say what it is is a letter."""
        parts = (part for part in self.parts if not part.find("content-type"))
        return self.media == "multipart/digest" and all(part.parts for part in parts)

    def leaves(self) -> Iterator[MailPart]:
        if not self.parts and not self.is_multipart():
            yield self
        for part in self.parts:
            yield from part.leaves()


class Parser:
    """Reads a letter; refuses what cannot be read with certainty."""

    def __init__(self, source: str, where: str) -> None:
        self.source, self.where = source, where
        self.count = 0

    def refuse(self, why: str) -> InputError:
        return InputError.at(self.where, f"{why}")

    def letter(self) -> tuple[MailPart, int]:
        """The letter, and where it begins: a line of a mailbox file may stand before it."""
        found = _FROM_LINE.match(self.source)
        begin = found.end() if found else 0
        made = self.entity(begin, len(self.source), 0)
        if not made.fields:
            raise self.refuse("not an e-mail: it has no headers")
        return made, begin

    def entity(self, start: int, end: int, depth: int, media: str = "text/plain") -> MailPart:
        self.count += 1
        if self.count > MOST_PARTS or depth > MOST_DEPTH:
            raise self.refuse(
                f"the e-mail has more than {MOST_PARTS} parts, or parts in parts deeper than {MOST_DEPTH}"
            )
        fields, at = [], start
        while at < end and (found := _FIELD.match(self.source, at, end)) is not None:
            closed = _LINE_END.match(self.source, found.end(), end)
            if closed is None and found.end() < end:
                raise self.stray(found.end())
            stop = closed.end() if closed else end
            name = found["name"].lower()
            value = self.unfolded(found["value"]) if name in READ else ""
            if name in STRUCTURE and len(value) > LONGEST:
                raise self.refuse(f"a {name} header is longer than {LONGEST:,} characters")
            fields.append(Field(name, at, found.end(), stop, value))
            at = stop
        blank = _LINE_END.match(self.source, at, end)
        if blank is None and at < end:
            if self.source[at] == "\r":
                raise self.stray(at)
            line = self.source.count("\n", 0, at) + 1
            raise self.refuse(f"line {line} is neither a header nor empty, so it is no e-mail")
        newline = _LINE_END.search(self.source)
        made = MailPart(
            tuple(fields), at, blank.end() if blank else end, end, newline[0] if newline else "\n"
        )
        self.describe(made, media)
        if made.is_multipart():
            self.split(made, depth)
        elif made.media in MESSAGES and made.encoding not in ("quoted-printable", "base64"):
            self.attached(made, depth)
        return made

    def stray(self, at: int) -> InputError:
        line = self.source.count("\n", 0, at) + 1
        return self.refuse(
            f"line {line} has a carriage return alone among the headers, which programs read differently; "
            "end lines with LF or CRLF"
        )

    def attached(self, made: MailPart, depth: int) -> None:
        """The letter in a part, if it can be read; else the part is like any that is no text."""
        try:
            inner = self.entity(made.body, made.end, depth + 1)
            self.require_headers(inner)
            for part in inner.leaves():
                if part.media.startswith("text/"):
                    self.text(part)
            if any(f.name in KEPT and spoken(f.value) is None for f in inner.fields):
                return
        except InputError:
            return
        made.parts = [inner]

    def require_headers(self, made: MailPart) -> None:
        if not any(f.name in (*KEPT, "content-type", "mime-version") for f in made.fields):
            raise self.refuse("not an e-mail: it has none of the headers of one")

    def unfolded(self, raw: str) -> str:
        """What a field says, on one line."""
        try:
            text = raw.encode("latin-1").decode("utf-8")
        except UnicodeDecodeError:
            raise self.refuse("a header of the e-mail is not UTF-8") from None
        text = re.sub(r"\r?\n(?=[ \t])", "", text)
        return text[1:] if text[:1] in (" ", "\t") else text

    def describe(self, made: MailPart, media: str) -> None:
        """What the fields say of the body. Two that speak of the same are refused."""
        for name in ("content-type", "content-transfer-encoding", "content-disposition"):
            if sum(f.name == name for f in made.fields) > 1:
                raise self.refuse(f"a part of the e-mail has two {name} headers")
            if any(f.name == name and _LONG_NUMBER.search(f.value) for f in made.fields):
                raise self.refuse(
                    f"a {name} header of the e-mail numbers its parts beyond all bounds"
                )
        made.media = media
        if (kind := made.find("content-type")) is not None:
            charsets = _CHARSET.findall(uncommented(kind.value))
            if len(charsets) > 1 or "*" in charsets:
                raise self.refuse("a part of the e-mail names its encoding twice, or in parts")
            parsed = parameters("content-type", kind.value)
            made.media = parsed.get_content_type()
            made.charset = str(parsed.get_content_charset("") or "")
            boundary = parsed.get_param("boundary", "")
            made.boundary = boundary.rstrip() if isinstance(boundary, str) else ""
            if made.media == "text/plain" and _says(parsed, "format", "flowed"):
                made.flow = "delsp" if _says(parsed, "delsp", "yes") else "flowed"
        encoding = made.find("content-transfer-encoding")
        made.encoding = uncommented(encoding.value).strip().lower() if encoding else ""
        if made.encoding and made.encoding not in ENCODINGS:
            raise self.refuse("a part of the e-mail is encoded in an unknown way")

    def split(self, made: MailPart, depth: int) -> None:
        """The parts of a multipart."""
        if not made.boundary or made.encoding in ("quoted-printable", "base64"):
            raise self.refuse("the parts of the e-mail cannot be told apart: no boundary")
        line = re.compile(
            rf"(?:(?<=[\r\n])|(?<![\s\S]))--{re.escape(made.boundary)}(?P<last>--)?[ \t]*(?:\r\n|\r|\n|\Z)"
        )
        opened: int | None = None
        closed = False
        media = "message/rfc822" if made.media == "multipart/digest" else "text/plain"
        at = made.body
        while not closed and (found := line.search(self.source, at, made.end)) is not None:
            before = _last_line_end(self.source, found.start())
            if opened is None:
                made.around.append((made.body, found.start()))
            else:
                made.parts.append(self.entity(opened, max(opened, before), depth + 1, media))
            made.delimiters.append(found.start() + 2)
            at = opened = found.end()
            closed = bool(found["last"])
        if opened is None:
            raise self.refuse("the parts of the e-mail cannot be told apart: no boundary")
        if closed:
            made.around.append((opened, made.end))
        else:
            made.parts.append(self.entity(opened, made.end, depth + 1, media))
        if not made.is_digest():  # it becomes `mixed`, where parts are letters only if they say so
            for part in made.parts:
                part.parts = part.parts if part.find("content-type") else []

    def text(self, leaf: MailPart) -> str:
        """The text of a leaf."""
        raw = self.source[leaf.body : leaf.end]
        is_coded = {"base64": is_base64, "quoted-printable": is_quoted}.get(leaf.encoding)
        if is_coded is not None and not is_coded(raw):
            raise self.refuse(f"a part of the e-mail is not the {leaf.encoding} that it says it is")
        text = decoded(raw, leaf.encoding, leaf.charset)
        if text is None:
            raise self.refuse("a part of the e-mail is not in the encoding it names")
        return text

    def is_certain(self, leaf: MailPart) -> bool:
        """Whether programs read the text of a leaf alike."""
        return is_certain(self.source[leaf.body : leaf.end], leaf.encoding, leaf.charset)


def _last_line_end(source: str, at: int) -> int:
    """Where the line end before a line begins."""
    if source[at - 2 : at] == "\r\n":
        return at - 2
    return at - 1 if source[at - 1 : at] in ("\r", "\n") else at


def parameters(name: str, value: str) -> Message[str, str]:
    """A field with parameters, ready to be asked for them."""
    made: Message[str, str] = Message()
    made[name] = uncommented(value).replace("\0", "\ufffd")  # which no charset's name may hold
    return made


def uncommented(value: str) -> str:
    """A structured field without its comments, which may stand in one another.

    >>> uncommented('text/plain (by (Ann) Lee); name="a(b).txt"')
    'text/plain ; name="a(b).txt"'
    """
    made, at, depth = [], 0, 0
    for found in _COMMENT_OR_NOT.finditer(value):
        if not found["sign"] or (found["sign"] == ")" and not depth):
            continue
        if not depth:
            made.append(value[at : found.start()])
        depth += 1 if found["sign"] == "(" else -1
        if not depth:
            at = found.end()
    return "".join(made) + ("" if depth else value[at:])


def _says(parsed: Message[str, str], name: str, value: str) -> bool:
    return str(parsed.get_param(name, "")).lower() == value


# Encoded words in fields


def spoken(value: str) -> str | None:
    """What the value of a field says, with its encoded words; None where these cannot be read.

    >>> spoken("=?utf-8?q?Caf=C3?= =?utf-8?b?qQ==?= <x@example.org>")
    'Café <x@example.org>'
    """
    pieces: list[str | tuple[str, bytes]] = []
    at = 0
    for found in _WORD.finditer(value):
        between = value[at : found.start()]
        if not (pieces and isinstance(pieces[-1], tuple) and not between.strip(" \t")):
            pieces.append(between)
        if found["how"] in "qQ" and not is_quoted(found["said"]):
            return None
        try:
            pieces.append((found["charset"].lower(), _word_bytes(found)))
        except ValueError:
            return None
        at = found.end()
    pieces.append(value[at:])
    if any(isinstance(piece, str) and _OPEN_WORD.search(piece) for piece in pieces):
        return None
    made = []
    for charset, group in groupby(pieces, lambda p: p[0] if isinstance(p, tuple) else None):
        if charset is None:
            made += [piece for piece in group if isinstance(piece, str)]
            continue
        data = b"".join(p[1] for p in group if isinstance(p, tuple))
        if (said := encodings.decoded(data, charset)) is None:
            return None
        made.append(said)
    return re.sub(r"[\r\n]", " ", "".join(made))


def _word_bytes(found: re.Match[str]) -> bytes:
    said = found["said"].encode()
    if found["how"] in "bB":
        return base64.b64decode(said, validate=True)
    return unquoted(said.replace(b"_", b" "))


def are_certain_words(value: str) -> bool:
    """Whether programs read the encoded words of a field alike.

    >>> are_certain_words("=?latin-1?q?caf=E9?= Ann"), are_certain_words("=?latin-1?q?caf=80?=")
    (True, False)
    """
    found = [*_WORD.finditer(value)]
    charsets = {word["charset"].lower() for word in found}  # some programs part those of two
    return len(charsets) < 2 and all(
        _EXACT_WORD.fullmatch(word[0]) and encodings.is_certain(_word_bytes(word), word["charset"])
        for word in found
    )


def words(text: str) -> str:
    """A text as the value of a field: plain where it can be, else in encoded words.

    >>> words("Café déjà, Ann"), words("Ann")
    ('=?utf-8?b?Q2Fmw6kgZMOpasOgLA==?= Ann', 'Ann')
    """
    made = _NOT_PLAIN.sub(lambda found: encoded_words(found[0]), text)
    return made if spoken(made) == text else encoded_words(text)


def encoded_words(text: str) -> str:
    """A text as encoded words."""
    chunks, chunk = [], ""
    for char in text:
        if len((chunk + char).encode()) > 42:
            chunks.append(chunk)
            chunk = ""
        chunk += char
    chunks += [chunk] if chunk else []
    coded = (base64.b64encode(chunk.encode()).decode() for chunk in chunks)
    return " ".join(f"=?utf-8?b?{c}?=" for c in coded)


def folded(line: str, newline: str) -> str:
    """A long field on several lines; it says the same.

    >>> folded("Subject: " + "a " * 40 + "b", "\\n").count("\\n")
    1
    """
    made, at = [], 0
    while len(line) - at > 78:
        near = [*_CUT.finditer(line, at + 1, at + 78)]
        cut = near[-1] if near else _CUT.search(line, at + 78)
        if cut is None:
            break
        made.append(line[at : cut.start()])
        at = cut.start()
    return newline.join([*made, line[at:]])
