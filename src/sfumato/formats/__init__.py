"""Files <-> documents. A format is reader and writer in one file, registered by name.

A reader takes the bytes of a file and returns its text with what is needed to write the same kind of file
back, so that nothing in between knows about formats. A writer says what changes of the file; all else stays
as it was, to the byte.
"""

from __future__ import annotations

import re
import stat
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from json import loads  # `json` is a module of this package
from pathlib import Path

from sfumato.document import (
    Document,
    Edit,
    EditColumns,
    Patch,
    Record,
    encode,
    patched,
    released_spans,
    render,
    reversed_patches,
)
from sfumato.english.wordlists import lists
from sfumato.errors import InputError
from sfumato.files import contents
from sfumato.folders import Root
from sfumato.formats.parts import Structured
from sfumato.formats.text import after, drawn, is_told, refuse_zeros
from sfumato.plugins import FORMATS, Source

# The endings of files' names and the media types of what is sent, and the formats they stand for; those of
# plug-ins are asked next.
_NAMES = {name: format for format, names in lists("formats/names").items() for name in names}
SUFFIXES = {name: format for name, format in _NAMES.items() if name.startswith(".")}
MEDIA = {name: format for name, format in _NAMES.items() if "/" in name}
_MARKUP = re.compile(  # a text may begin with a label in brackets, "[[TIME 1]]"
    rb"[\xef\xbb\xbf\xfe\xff\s]*(?:<[!?a-zA-Z]|[{\[]\s*[\"{]|\[\s*\[\s*[\"{\[\]\d-])"
)
# Lines and signs of files in which words are written in codes: letters, calendars, directories, sources.
_CODED = re.compile(
    rb"(?im)^[\xef\xbb\xbf\xfe\xff \t]{0,9}(?:BEGIN:[a-z]|-----BEGIN |{\\rtf|=ybegin "
    rb"|begin(?:-base64)? [0-7]{3,4} |(?:MIME-Version|Content-[a-z-]{2,40})[ \t]{0,9}:"
    rb"|[\w;.-]{1,80}::[ \t]{0,9}[a-z0-9+/]{4,}+={0,2}[ \t\r]{0,9}$)"
    rb"|;(?:ENCODING=|QUOTED-PRINTABLE\b|BASE64\b)|=\?[^?\s]{1,80}\?[bq]\?|(?:=[0-9A-F]{2}){2}"
    rb"|\\(?:u[0-9a-f]{4}|u\{|x[0-9a-f]{2}|[0-3][0-7]{2})|&#x?[0-9a-f]{1,8};"
)
# Signs by which programs show other words than stand in a file of a kind that nobody knows: escapes as of TeX
# and style sheets, references, tags.
_ESCAPED = re.compile(
    rb"\\[^\s]|&[A-Za-z#][A-Za-z0-9]{0,31};|</?[A-Za-z][A-Za-z0-9:_-]{0,80}(?:[\s/>]|\Z)|<[!?]|!!binary"
)
# Endings of files that programs show as they stand: programs, settings, lists.
_SHOWN = (
    "py pyi ini cfg conf toml env yaml yml sh bash zsh bat ps1 sql c h cc cpp hpp cs java kt go rs rb pl pm"
    " r jl lua js ts jsx tsx swift scala m f90 diff patch out err lst asc nfo"
)
SHOWN = frozenset(("", *(f".{ending}" for ending in _SHOWN.split())))
MOST_BYTES = 1 << 31  # of a file that no policy is about
# Formats that look like text, or are easily mistaken for it, but need a reader of their own: programs show
# other words than stand there.
_OTHERS = (
    "docx doc odt rtf pdf msg mbox mht mhtml xhtml xht shtml shtm hta xml xsl xslt svg fodt fods fodp rss "
    "atom opml kml gpx plist wml tei dita docbook ipynb xhtm svgz mdx php phtml jsp asp aspx vue "
    "tex latex ltx rst adoc asciidoc org textile wiki mediawiki creole"
)
NOT_YET = frozenset(f".{ending}" for ending in _OTHERS.split())


def read(
    path: Path,
    *,
    name: str,
    encoding: str = "utf-8",
    columns: Sequence[str] = (),
    limit: int | None = None,
) -> Document:
    """The document in a file. Refuses, before reading, a file that is larger than `limit` bytes."""
    data = file_bytes(path, limit)
    return parse_file(data, path, name=name, encoding=encoding, columns=columns)


def parse_file(
    data: bytes, path: Path, *, name: str, encoding: str = "utf-8", columns: Sequence[str] = ()
) -> Document:
    """A document from the bytes of a file, as the file's name says."""
    where = str(path)
    format = read_as(path, data)
    if says(path) is None and _is_shown_otherwise(path, data):
        raise InputError.at(
            where,
            "looks like markup or JSON, or holds words in codes, and its name has the ending of no "
            "known format; name it .html, .json, .eml or .ics if it is that, or .txt if it is to be read as "
            "it stands",
        )
    return parse(data, name=name, format=format, encoding=encoding, columns=columns, where=where)


def file_bytes(path: Path, limit: int | None = None, within: Root | None = None) -> bytes:
    """The content of a file. Refuses, before reading, one that is larger than `limit` bytes. No link is
    followed below the folder `within` which it was found."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise InputError.at(path, "not a file")
        check_size(found.st_size, limit, str(path))
        return contents(path, MOST_BYTES if limit is None else limit, within=within)
    except OSError as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from None


def read_as(path: Path, data: bytes) -> str:
    """The format that a file's name says, and, of a log, its lines."""
    return "jsonl" if _ending(path) == ".log" and is_jsonl(data) else format_of(path)


def is_jsonl(data: bytes) -> bool:
    """Whether every line is a JSON object, or empty.

    >>> is_jsonl(b'{"a": 1}\\n{"b": 2}\\n'), is_jsonl(b'{"a": 1}\\nx\\n'), is_jsonl(b"\\n")
    (True, False, False)
    """
    lines = [line for line in data.splitlines() if line.strip()]
    if not lines or not all(line.lstrip().startswith(b"{") for line in lines):
        return False
    try:
        return all(isinstance(loads(line), dict) for line in lines)
    except (ValueError, RecursionError):
        return False


def is_coded(data: bytes) -> bool:
    """Whether programs may show other words than stand in a file, as they would of no plain text.

    >>> is_coded(b"Ann, 5 = five"), is_coded(b"<p>Ann"), is_coded(b"FN;CHARSET=utf-8;ENCODING=B:QW5u")
    (False, True, True)
    """
    data = data.replace(b"\0", b"")  # of characters that are wide
    return _MARKUP.match(data) is not None or _CODED.search(data) is not None


def _is_shown_otherwise(path: Path, data: bytes) -> bool:
    """Whether programs may show other words than stand in a file whose name has the ending of no format."""
    is_escaped = _ESCAPED.search(data.replace(b"\0", b"")) is not None
    if _ending(path) in SHOWN:
        return is_coded(data) or (is_escaped and b"!!binary" in data)
    return is_escaped or is_coded(data)


def check_size(size: int, limit: int | None, where: str) -> None:
    """Refuse more bytes than the policy's limit."""
    if limit is not None and size > limit:
        raise InputError.at(
            where,
            f"{size:,} bytes is more than the limit of {limit:,}; split the file, "
            "or raise limits.file_bytes in the policy (dense text takes about 100 bytes of memory per byte)",
        )


def parse(
    data: bytes,
    *,
    name: str,
    format: str = "text",
    encoding: str = "utf-8",
    columns: Sequence[str] = (),
    where: str = "",
    certain: bool = False,
) -> Document:
    """A document from the bytes of a file. The encoding is `certain` where the file may not say otherwise."""
    source = Source(name, where or name, encoding, tuple(columns), certain)
    document = FORMATS.get(format).format.read(data, source)
    refuse_zeros(document.text, source.where)
    return document


def read_again(data: bytes, document: Document | Record) -> Document:
    """The document in a file that was written for this one."""
    origin = document.origin
    return parse(
        data,
        name=document.name,
        format=origin.format,
        encoding=origin.encoding,
        columns=origin.columns,
        certain=True,
    )


def format_of(path: Path) -> str:
    """The format a file's name stands for; plain text if it says nothing."""
    said = says(path) or "text"
    if said in NOT_YET:
        raise InputError.at(
            path, f"{path.suffix} files are not supported yet; convert it to .txt or .md first"
        )
    return said


def says(path: Path) -> str | None:
    """The format that a file's name speaks of, if it does.

    >>> says(Path("a.HTM")), says(Path("a.svg")), says(Path("a.notes")), says(Path("a"))
    ('html', '.svg', None, None)
    """
    suffix = _ending(path)
    if suffix not in SUFFIXES:
        FORMATS.load_others()
        for plugin in map(FORMATS.get, FORMATS.names()):
            if suffix in plugin.suffixes:
                return plugin.name
    return SUFFIXES.get(suffix, suffix if suffix in NOT_YET else None)


def _ending(path: Path) -> str:
    """What a name ends in, as programs see it: of `.html` all, and dots at the end do not count.

    >>> _ending(Path("a.TXT")), _ending(Path(".html")), _ending(Path("a.html. ")), _ending(Path("a"))
    ('.txt', '.html', '.html', '')
    """
    name = path.name.rstrip(". ")
    return name[name.rfind(".") :].lower() if "." in name else ""


def is_named_for(path: Path, format: str, like: Path, data: bytes) -> bool:
    """Whether programs show a file as what it was read as: its name says so, or ends as that of the file
    `like` which it is and says no more than text, or has no ending; one of no known kind holds no codes.

    >>> [is_named_for(Path(name), "text", Path("a.dat"), b"Ann") for name in ("b.txt", "b.dat", "b", "b.htm")]
    [True, True, True, False]
    >>> is_named_for(Path("a.eml"), "text", Path("a.eml"), b"Ann")
    False
    """
    ending = _ending(path)
    if not ending:
        is_markup = format not in ("text", "markdown") and not _ending(like)
        return is_markup or not is_coded(data)
    if ending == ".log" and is_jsonl(data):
        return format == "jsonl"
    said = says(path)
    if said is None and _is_shown_otherwise(path, data):
        return False
    return said == format or (said in (None, "text") and ending == _ending(like))


def known(format: str) -> str:
    """The name of a format, if it is one."""
    if FORMATS.find(format) is None:
        names = [name for name in FORMATS.names() if "/" not in name]  # tables as a whole are ours
        raise InputError(f"unknown format '{format}'; there are {', '.join(names)}")
    return format


def format_for(media: str) -> str | None:
    """The format of a media type, if there is one."""
    if media not in MEDIA:
        FORMATS.load_others()
        for plugin in map(FORMATS.get, FORMATS.names()):
            if media in plugin.media:
                return plugin.name
    return MEDIA.get(media)


def fit(document: Document, edits: Sequence[Edit]) -> list[Edit]:
    """The edits as the document's format can write them."""
    if document.is_its_file:
        return list(edits)
    return FORMATS.get(document.origin.format).format.fit(document, edits)


def spans(document: Document, edits: Sequence[Edit]) -> list[tuple[int, int]]:
    """Where the replacement of each edit stands in the file that is written for them; nothing of a file that
    has no lines."""
    if document.is_its_file:
        return released_spans(edits)
    format = FORMATS.get(document.origin.format).format
    found = format.spans(document, edits) if isinstance(format, Structured) else {}
    begins = sorted(found)
    of_edits = (begins[bisect_left(begins, e.start) : bisect_left(begins, e.end)] for e in edits)
    # Of an edit that was cut, one has what stands in its place
    longest = (max((found[at] for at in of), key=lambda span: span[1] - span[0]) for of in of_edits)
    return list(longest) if found else []


def shown_otherwise(document: Document, *, signed: bool = False) -> str:
    """What in a document's file programs may show otherwise than it is read here: words that are hidden,
    joined, turned round or made while it is shown. Nothing if there is none, or of a `signed` release, which
    holds nothing that no reading undoes.

    >>> shown_otherwise(Document("Seen by \u202edraylaH today."))
    'the character U+202E'
    """
    if signed:
        return ""
    look = getattr(FORMATS.get(document.origin.format).format, "shown_otherwise", None)
    if look is not None and (said := str(look(document))):
        return said
    text = document.file if document.drawn else document.text
    for change in drawn(text, marked=True):
        if is_told(text, [change]):
            return f"the character U+{ord(text[change[1] - 1]):04X}"
    return "what no reader sees" if document.unseen else ""


def write(document: Document, edits: Sequence[Edit]) -> bytes:
    """The file with every edit made, in its own encoding."""
    return released(document, edits)[0]


def record(document: Document, edits: Sequence[Edit]) -> Record:
    """The ledger's entry for a release of a document by edits."""
    return released(document, edits)[1]


def released(document: Document, edits: Sequence[Edit]) -> tuple[bytes, Record]:
    """The file with every edit made, in its own encoding, and the ledger's entry for it."""
    undo, origin = None, document.origin
    if document.source is None:
        text = render(document, edits)
    else:
        patches: Sequence[Patch]
        if document.drawn:
            own = ((e.start, e.end, e.replacement) for e in edits)
            patches = [Patch(*change) for change in after(document.drawn, own)]
        else:
            patches = FORMATS.get(origin.format).format.patches(document, edits)
        undo = reversed_patches(document.source, patches)
        text = patched(document.source, patches)
    if isinstance(edits, EditColumns):
        originals: Sequence[str] = edits.originals(document.text)
        origin = replace(origin, parts=())  # as many: they are read again from the file
    else:
        edits = tuple(edits)
        originals = tuple(document.text[e.start : e.end] for e in edits)
    record = Record(document.name, origin, edits, originals, undo)
    return encode(text, origin.encoding, document.name), record
