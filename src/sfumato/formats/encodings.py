"""Which encodings are read, and what their names mean: to browsers, to programs for mail, to users.

A file that names an encoding is shown by programs that may not know the name, or read it in another place.
Then ASCII is shown as ASCII: so that no letter of it goes unseen here, only those encodings are read in which
ASCII means itself, and those of them in which it may be half of another sign (Shift_JIS) only by the names
that the Encoding Standard has (https://encoding.spec.whatwg.org), which programs know. What it has a name for
is read as it says: `iso-8859-1` is windows-1252, for so programs show it.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from html import unescape

from sfumato.english.wordlists import lists, word_set
from sfumato.errors import InputError

# The names of the Encoding Standard, with what Python calls the encoding.
LABELS = {label: name for name, labels in lists("formats/encodings").items() for label in labels}
_LISTS = lists("formats/words")
# What Python calls those in which an ASCII character is always itself.
_PLAIN = frozenset(_LISTS["encodings with plain ascii"])
# Those in which it is, but may be the second half of another one.
_JOINING = word_set("big5 big5hkscs cp932 cp949 cp950 gb18030 gbk shift_jis")
_WIDE = re.compile(r"utf-(?:16|32)(?:-[bl]e)?")
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",  # begins as UTF-16 does
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_CONTROL = re.compile(r"[\x80-\x9f]")  # a letter of another encoding, but for Unicode's own
_SIGNS = {name: sign for sign, name in _MARKS.items()}
_LABEL = re.compile(r"[A-Za-z0-9._:+-]+")  # the library takes any sign for a dash: `utf=?-8`
# Of the Encoding Standard, but not read: other characters of ASCII, or none, are meant by their bytes.
_REFUSED = word_set(
    "csiso2022jp csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-jp iso-2022-kr replacement"
    " x-mac-cyrillic x-mac-ukrainian x-user-defined"
)
_HEAD = 1024  # bytes of a page in which browsers look for its encoding
_LONGEST, _MOST = 8192, 1000  # bytes of a tag that names one, and such tags
_META = re.compile(rb"(?i)<meta(?=[\t\n\f\r /])")
_TAG = re.compile(rb"</?[A-Za-z][^\t\n\f\r >]*")
_ATTRIBUTE = re.compile(
    rb"""[\t\n\f\r /]*(?P<name>=?[^\t\n\f\r /=>]+|=)(?:[\t\n\f\r ]*=[\t\n\f\r ]*"""
    rb"""(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\t\n\f\r >"'][^\t\n\f\r >]*)"""
    rb"""|(?P<open>["'])?))?"""
)
_TAG_END = re.compile(rb"[\t\n\f\r /]*>")
_IN_CONTENT = re.compile(
    r"""(?i)charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"'][^\t\n\f\r ;]*))"""
)
_XML = re.compile(rb"""<\?xml[^>]*?encoding[\0- ]*=[\0- ]*["']([^"'>]*)["']""")
_ENDS_EARLY = re.compile(rb"--!>|</")  # what may end something before a comment's end


def python_name(name: str) -> str | None:
    """What Python calls an encoding that a user names; None for one that is not read.

    >>> python_name("Latin-1"), python_name("cp037"), python_name("utf-7")
    ('iso8859-1', None, None)
    """
    if not _LABEL.fullmatch(name):
        return None
    try:
        known = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    known = "utf-8" if known == "utf-8-sig" else known
    return known if known in _PLAIN | _JOINING or _WIDE.fullmatch(known) else None


def web_codec(label: str, *, page: bool) -> str | None:
    """What Python calls the encoding that an answer names; None for one that is not read. Browsers know the
    standard's names alone; another one of an encoding in which ASCII is always itself hides nothing."""
    known = python_name(label)
    return LABELS.get(label.lower(), None if page or known not in _PLAIN else known)


def codec(label: str) -> str | None:
    """What Python calls the encoding that a letter or a card names; None for one that is not read.

    >>> codec("iso-8859-1"), codec("shift_jis"), codec("s-jis"), codec("cp037")
    ('cp1252', 'cp932', None, None)
    """
    known = python_name(label)
    return known if known and _WIDE.fullmatch(known) else web_codec(label, page=False)


def decoded(data: bytes, label: str) -> str | None:
    """The text of bytes in an encoding that a letter or a card names; None where they are none in it. What
    needs a byte-order mark must have it: programs would take it for something else."""
    known = codec(label)
    if known is not None and _WIDE.fullmatch(known):
        said = mark(data, known)
        known, data = (said, data[len(_SIGNS[said]) :]) if said.startswith(known) else (None, data)
    try:
        text = None if known is None else data.decode(known)
    except UnicodeError:
        return None
    is_other = text and not str(known).startswith("utf") and _CONTROL.search(text)
    return None if is_other else text


def is_certain(data: bytes, label: str) -> bool:
    """Whether bytes are the same text to those who take a name for what it says and to browsers.

    >>> is_certain(b"caf\\xe9", "latin-1"), is_certain(b"\\x96", "latin-1"), is_certain(b"\\xe9", "ascii")
    (True, False, False)
    """
    known = python_name(label)
    try:
        # To browsers a mark is all
        unmarked = known is not None and mark(data, known) in ("", known)
        return unmarked and data.decode(known or "") == decoded(data, label)
    except UnicodeError:
        return False


def mark(data: bytes, known: str = "") -> str:
    """The encoding that a byte-order mark tells, nothing where there is none: one that is already `known`, if
    it can be that.

    >>> mark(codecs.BOM_UTF32_LE), mark(codecs.BOM_UTF32_LE, "utf-16"), mark(b"x")
    ('utf-32-le', 'utf-16-le', '')
    """
    told = [name for sign, name in _MARKS.items() if data.startswith(sign)]
    return next((name for name in told if name.startswith(known)), told[0] if told else "")


def page_encoding(data: bytes, where: str) -> str | None:
    """The encoding that a page names in its first bytes, as browsers find it (the HTML standard, 13.2.3.2);
    None where it names none. Browsers do not tell texts from tags there, and find another one once they do:
    but for UTF-8, which takes no text for another, a page that may name two is refused.

    >>> page_encoding(b"<!-- <meta charset=gbk> --><meta charset=latin1>", "page")
    'cp1252'
    """
    first, named = next(_prescanned(data[:_HEAD]), None), {*_all_named(data)}
    unread = [label for label in (first, *named) if label in _REFUSED]
    if unread or (first is not None and first not in LABELS):
        said = unread[0] if unread else first if python_name(first or "") else None
        what = f"unknown encoding '{said}'" if said else "it names an unknown encoding"
        raise InputError.at(where, f"{what}; convert it to UTF-8 and have it say so")
    if first is None:
        return None
    meant = LABELS[first]
    if meant.startswith("utf"):  # it is no UTF-16, since that could be read
        return "utf-8"
    if any(not label or LABELS.get(label, meant) != meant for label in named):
        raise InputError.at(
            where, "it may name several encodings, of which browsers take one or another; leave one"
        )
    return meant


def names_utf_8_alone(page: bytes) -> bool:
    """Whether a page names no encoding but UTF-8, wherever browsers may look for one.

    >>> names_utf_8_alone(b"<meta charset=UTF-8>"), names_utf_8_alone(b"<meta charset=koi8-r>")
    (True, False)
    """
    named = (*_prescanned(page[:_HEAD]), *_all_named(page))
    return all(LABELS.get(label) == "utf-8" for label in named)


def _prescanned(data: bytes) -> Iterator[str]:
    """The encodings that the first bytes of a page name, in the order of browsers."""
    for start, _, is_meta in _marks(data):
        if is_meta and (said := _named(data, start)):
            yield said[0]
    if (found := _XML.match(data)) is not None:
        yield _label(found[1].decode("latin-1"))


def _all_named(data: bytes) -> Iterator[str]:
    """What any tag of a page names that some browser may take for one: all but those in comments that end
    where they seem to. Nothing, where that cannot be told."""
    comments = (span for span in _marks(data) if not span[2])
    start, early, end = 0, 0, 0
    for number, found in enumerate(_META.finditer(data)):
        if number == _MOST:
            yield ""
            return
        while end <= found.start() and (span := next(comments, None)) is not None:
            start, end, _ = span
            ended = _ENDS_EARLY.search(data, start + 4, end)
            early = ended.start() if ended else end
        if not start < found.start() < early:
            yield from _named(data, found.end())


def _marks(data: bytes) -> Iterator[tuple[int, int, bool]]:
    """Comments, and the insides of the tags that name encodings (`True`), as browsers find them at first."""
    at = 0
    while (at := data.find(b"<", at)) >= 0:
        if data.startswith(b"<!--", at):
            end = data.find(b"-->", at + 2) + 3
            yield at, end if end > 2 else len(data), False
            at = end if end > 2 else len(data)
        elif (tag := _META.match(data, at) or _TAG.match(data, at)) is not None:
            if tag.re is _META:
                yield tag.end(), tag.end(), True
            at = tag.end()
            while (found := _ATTRIBUTE.match(data, at)) is not None:
                at = len(data) if found["open"] else found.end()
        elif data[at + 1 : at + 2] in (b"!", b"/", b"?"):
            at = data.find(b">", at) + 1 or len(data)
        else:
            at += 1


def _named(data: bytes, at: int) -> list[str]:
    """The names of an encoding in a tag: as it is written, and with its references undone. An empty one where
    it does not end."""
    limit = min(len(data), at + _LONGEST)
    values: dict[bytes, str] = {}
    while (found := _ATTRIBUTE.match(data, at, limit)) is not None and not found["open"]:
        value = found["double"] or found["single"] or found["bare"] or b""
        values.setdefault(found["name"].lower(), value.decode("latin-1"))
        at = found.end()
    if not _TAG_END.match(data, at, limit):
        return [""] if limit < len(data) else []
    said = []
    for read in (str, unescape):
        if b"charset" in values:
            said.append(read(values[b"charset"]))
        elif read(values.get(b"http-equiv", "")).lower() == "content-type":
            told = _IN_CONTENT.search(read(values.get(b"content", "")))
            said += [told[1] or told[2] or told[3] or ""] if told else []
    return [_label(each) or "?" for each in dict.fromkeys(said)]


def _label(said: str) -> str:
    return said.strip("\t\n\f\r ").lower()
