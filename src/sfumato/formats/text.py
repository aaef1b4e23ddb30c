"""Plain text: the file is its text, but for what programs draw otherwise than it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from unicodedata import combining, east_asian_width

from sfumato.document import Alignment, Change, Document, Edit, Origin, Patch, Term, changed
from sfumato.errors import EncodingError, InputError
from sfumato.formats import encodings
from sfumato.plugins import Source, format

# What draws nothing within words and numbers: soft hyphens, zero-width signs. Joiners and variants do so
# within latin ones; letters of other scripts and pictures are drawn otherwise by them.
_BLANK = r"[\xad\u034f\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb]"
_JOINS = (
    r"[\u180b-\u180e\u200c\u200d\ufe00-\ufe0f\U000e0001\U000e0020-\U000e007f\U000e0100-\U000e01ef]"
)
_LATIN = r"[0-9A-Za-z\xc0-\u024f .,:;/@+()\-]"
_SILENT = re.compile(rf"(?:{_BLANK}|{_JOINS})+")
# What colours the words of a terminal, moves its place of writing, turns the order of letters, or draws
# nothing (ECMA-48, 5.4 and 8.3). A carriage return alone writes over its line. A string of commands in 8 bits
# stands in one line, and behind no half of a letter that was read in another encoding.
_CSI = r"(?:\x1b\[|\x9b)"
_DRAWN = re.compile(
    rf"(?P<line>{_CSI}(?:[0-?]*+[ABEFLMdek]|[0-9]*+(?:;[01]?)?[Hf])|\x1b[DEMc]"
    r"|[\x0b\x0c\x84\x85\x8d]|\r(?!\n|\Z))"
    rf"|(?P<blank>{_CSI}[0-?]*+[CDGHIZ`afu]|\x1b[689]|[\x1c-\x1f\u115f\u1160\u3164\uffa0])"
    rf"|{_CSI}[0-?]*+[ -/]*+[@-~]|\x1b[PX\]^_][^\x07\x1b\x9c]*+(?:\x07|\x1b\\|\x9c)"
    r"|(?<![\x80-\xbf\xc2-\xf4])[\x90\x98\x9d-\x9f][^\n\x07\x1b\x90\x98\x9c-\x9f]*+(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*+[0-~]|[\x00-\x08\x0e-\x1f\x7f-\x9f]"
    r"|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2065\ufff0-\ufff8]"
    rf"|{_BLANK}|(?<={_LATIN}){_JOINS}++(?={_LATIN})"
    r"|[\U000e0000\U000e0002-\U000e001f\U000e0080-\U000e00ff\U000e01f0-\U000e0fff]"
)
_INSTEAD = {"line": "\n", "blank": " "}
MAY_PART = "\u200b"  # words, as in scripts without blanks
# Files within the lines of a text, which some programs unpack: uuencode, yEnc, BinHex, parts of a letter in
# base64, messages and keys of PGP and its like (private keys are secrets, which are found). One that has no
# end goes on to that of the text.
_MARGIN = r"^[ \t>|]*+"
ENCODED_FILE = re.compile(
    rf"{_MARGIN}(?:begin[ ]++[0-7]{{3,4}}[ ]++[^\r\n]*+(?:\s*\n{_MARGIN})(?=[ -`]++[a-z]?\r?$)"
    rf"(?:[\s\S]*?{_MARGIN}end(?=[ \t]*\r?$)|[\s\S]*+)"
    rf"|begin-base64[ ]++[0-7]{{3,4}}[ ](?:[\s\S]*?{_MARGIN}====(?=[ \t]*\r?$)|[\s\S]*+)"
    rf"|(?i:Content-Transfer-Encoding:[ \t]*+base64\b)(?:[\s\S]*?(?=\r?\n{_MARGIN}--)|[\s\S]*+)"
    rf"|-----BEGIN (?!PGP SIGN|[A-Z ]*PRIVATE KEY-)[A-Z0-9 ]++-----"
    rf"(?:[\s\S]*?{_MARGIN}-----END [^\r\n]*|[\s\S]*+)"
    rf"|=ybegin[ ](?:[\s\S]*?{_MARGIN}=yend\b[^\r\n]*|[\s\S]*+)"
    rf"|\(This file must be converted with BinHex(?:[\s\S]*?{_MARGIN}:[\s\S]*?:(?=[ \t]*\r?$)|[\s\S]*+))",
    re.MULTILINE,
)


def drawn(text: str, *, marked: bool = False) -> list[Change]:
    """What in a text programs draw otherwise than it stands, and what stands there in a release, so that all
    show the same. A byte-order mark stays at the beginning of a text that may have one.

    >>> drawn("user \x1b[32mAnn\x1b[0m\\rin")
    [(5, 10, ''), (13, 17, ''), (17, 18, '\\n')]
    """
    if text.isascii() and text.isprintable():
        return []
    begin = 1 if marked and text[:1] == "\ufeff" else 0
    found = _drawn(text, begin)
    # What is gone may have kept a joiner from the letter beside it
    return after(found, _drawn(changed(text, found), begin)) if found else found


def _drawn(text: str, begin: int) -> list[Change]:
    found = [(*m.span(), _INSTEAD.get(m.lastgroup or "", "")) for m in _DRAWN.finditer(text, begin)]
    return _struck(text, found) if "\b" in text else found


def is_told(text: str, changes: Iterable[Change]) -> bool:
    """Whether any of these changes takes out more of a text than signs that draw nothing, which comparisons
    leave out."""
    return not all(_SILENT.fullmatch(text, start, end) for start, end, _ in changes)


def word_seams(text: str, changes: Iterable[Change]) -> list[int]:
    """Where in the changed text signs stood that may part two words.

    >>> word_seams("Ann\u200bLee, Hal\xadyard", [(3, 4, ""), (12, 13, "")])
    [3]
    """
    made, grown = list[int](), 0
    for start, end, new in changes:
        if MAY_PART in text[start:end] and not new:
            made.append(start + grown)
        grown += len(new) - (end - start)
    return made


def _struck(text: str, found: Iterable[Change]) -> list[Change]:
    """The same where letters are struck over: the last stands where the first stood, but an underscore
    leaves what is below it.

    >>> changed("see Hollx\bo\b_way", _struck("see Hollx\bo\b_way", [(9, 10, ""), (11, 12, "")]))
    'see Holloway'
    """
    made = dict[int, tuple[int, str]]()
    line: list[int] = []  # where the letters of a line stand that were written first
    at, column, in_wide = 0, 0, False

    def write(places: Iterable[int]) -> None:
        nonlocal column, in_wide
        for place in places:
            sign = text[place]
            if combining(sign):
                continue
            if column == len(line):
                line.append(place)
            else:
                below = line[column]
                if sign != "_":
                    made[below] = below + 1, sign
                made[place] = place + 1, ""
            column, in_wide = column + 1, False

    for start, end, new in (*found, (len(text), len(text), "")):
        if (ended := text.find("\n", at, start)) >= 0:
            write(range(at, ended))
            line, column = [], 0
            at = text.rfind("\n", at, start) + 1
        write(range(at, start))
        at = end
        if text[start:end] == "\b":
            column -= column > 0 and not in_wide
            in_wide = not in_wide and column < len(line) and _is_wide(text[line[column]])
        elif new:
            line, column = [], 0
        if start < end:
            made[start] = end, new
    return [(start, *made[start]) for start in sorted(made)]


def _is_wide(sign: str) -> bool:
    """Whether two steps back are needed to strike over a sign."""
    return east_asian_width(sign) in "WF"


def as_drawn(document: Document) -> Document:
    """A document that is its file, without what programs draw otherwise than it stands."""
    found, text = tuple(drawn(document.text, marked=True)), document.text
    if not found:
        return document
    origin = replace(document.origin, seams=tuple(word_seams(text, found)))
    told = is_told(text, found)
    return replace(
        document, text=changed(text, found), origin=origin, source=text, unseen=told, drawn=found
    )


def in_file(document: Document, terms: Iterable[Term]) -> list[Term]:
    """The terms of a document that is its file, where they stand in that."""
    made = (change for change in document.drawn if len(change[2]) != change[1] - change[0])
    gone = Alignment([Edit(a, b, "UNSEEN", new, "") for a, b, new in made])
    spans = ((term, gone.to_original(term.start, term.end)) for term in terms)
    return [replace(term, start=span[0], end=span[1]) for term, span in spans if span is not None]


def after(first: Sequence[Change], then: Iterable[Change]) -> list[Change]:
    """The changes of a text that do what `first` does and `then` does after it.

    >>> made = after([(1, 3, ""), (5, 6, "yz")], [(0, 2, "N"), (4, 5, "")])
    >>> made, changed("A--nxxo", made)
    ([(0, 4, 'N'), (5, 6, 'y')], 'Nxyo')
    """
    rest, made, grown = [*reversed(first)], list[Change](), 0

    def put(start: int, end: int, new: str) -> None:
        if start == end:  # more of what stands instead of something
            start, _, said = made.pop()
            new = said + new
        made.append((start, end, new))

    def taken(until: int, *, with_gone: bool) -> Change | None:
        """The next of `first`, as much of it as stands before a place; what is gone there as well."""
        nonlocal grown
        start, end, said = rest[-1] if rest else (until + 1 - grown, 0, "")
        size = until - start - grown
        if size < 0 or (size == 0 and not (with_gone and not said)):
            return None
        rest.pop()
        if size < len(said):
            rest.append((end, end, said[size:]))
        grown += len(said[:size]) - (end - start)
        return start, end, said[:size]

    for start, end, new in then:
        while (one := taken(start, with_gone=True)) is not None:
            put(*one)
        begin = start - grown
        while taken(end, with_gone=False) is not None:
            pass
        put(begin, end - grown, new)
    for one in reversed(rest):
        put(*one)
    return made


def decoded(data: bytes, source: Source) -> tuple[str, str]:
    """The text of a file and the codec that gives the same bytes back."""
    encoding, where = source.encoding, source.where
    exact = exact_encoding(data, encoding, where, marked=not source.certain)
    if b"\0" in data and not exact.startswith(("utf-16", "utf-32")):
        raise InputError.at(
            where,
            f"looks like a binary file (a zero byte at {data.index(0)}); "
            "for UTF-16 text give --encoding utf-16",
        )
    try:
        text = data.decode(exact)
    except UnicodeDecodeError as error:
        raise EncodingError(
            f"{where}: byte {error.start} (0x{data[error.start]:02x}) is not {encoding}; "
            "give the file's encoding, e.g. --encoding cp1252",
            path=where,
            offset=error.start,
        ) from None
    if text.encode(exact) != data:
        raise EncodingError(
            f"{where}: would not come back byte for byte in {encoding}; convert it to UTF-8 first",
            path=where,
        )
    return text, exact


def exact_encoding(data: bytes, encoding: str, where: str, *, marked: bool = True) -> str:
    """The codec that keeps every byte: a byte-order mark stays in the text as its first character. What the
    mark says goes before what anybody says; UTF-16 and UTF-32 must be `marked`."""
    known = encodings.python_name(encoding)
    if known is None:
        raise InputError.at(
            where, f"unknown encoding '{encoding}'; try utf-8, latin-1, cp1252 or utf-16"
        )
    said = encodings.mark(data, known)
    is_wide = known.startswith(("utf-16", "utf-32"))
    if said == "utf-8" or (said and is_wide):
        return said
    if (is_wide and marked) or (said and known != "utf-8"):
        mark = f"the byte-order mark of {said[:6]}" if said else "no byte-order mark"
        raise InputError.at(
            where, f"has {mark}, so it is not read as {encoding}; convert it to UTF-8 first"
        )
    return f"{known}-le" if known in ("utf-16", "utf-32") else known


def refuse_zeros(text: str, where: str, place: str = "the text") -> None:
    """Refuse a text with a sign that programs take for its end, or leave out."""
    if (at := text.find("\0")) >= 0:
        raise InputError.at(
            where,
            f"{place} has a zero (U+0000) at {at}, which programs leave out where they show it; "
            "remove it first",
        )


@format("text")
class PlainText:
    """The file is the document."""

    kind = "text"

    def read(self, data: bytes, source: Source) -> Document:
        text, encoding = decoded(data, source)
        refuse_zeros(text, source.where)
        document = as_drawn(Document(text, source.name, Origin(self.kind, encoding)))
        if (found := ENCODED_FILE.search(document.text)) is not None:
            line = document.text.count("\n", 0, found.start()) + 1
            raise InputError.at(
                source.where,
                f"line {line} begins a file within the text (uuencode, yEnc, base64, PGP …), which "
                "nobody has looked at; take it out first",
            )
        return document

    def fit(self, document: Document, edits: Sequence[Edit]) -> list[Edit]:
        return list(edits)

    def patches(self, document: Document, edits: Sequence[Edit]) -> list[Patch]:
        return [Patch(e.start, e.end, e.replacement) for e in edits]
