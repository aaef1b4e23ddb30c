"""How the body of a part is written for its way: base64, quoted-printable, and the bytes these stand for.

They are read by the grammar of RFC 2045 alone; what programs read in several ways is not certain.
"""

from __future__ import annotations

import base64
import codecs
import re
from bisect import bisect_right
from functools import lru_cache

from sfumato.formats import encodings

_BASE64 = re.compile(r"[A-Za-z0-9+/ \t\r\n]*+={0,2}[ \t\r\n]*+")
# Quoted-printable and nothing else; with blanks at the end of a line, which some programs leave out, before
# "=" too; and what of it stands for something else.
_QUOTED = re.compile(r"(?:[^=\r]|\r\n|=[0-9A-Fa-f]{2}|=[ \t]*+(?:\r?\n|\Z))*+")
_EXACTLY_QUOTED = re.compile(r"(?:[^= \t\r\n]|[ \t]++(?![\r\n]|\Z)|\r?\n|=[0-9A-Fa-f]{2}|=\r?\n)*+")
_CODE = re.compile(rb"=(?:([0-9A-Fa-f]{2})|[ \t]*+(?:\r?\n|\Z))")


def is_base64(raw: str) -> bool:
    """Whether a text is base64 and nothing else.

    >>> is_base64("QUJD\\n"), is_base64("QUI=\\nAnn"), is_base64("QUJ")
    (True, False, False)
    """
    return _BASE64.fullmatch(raw) is not None and len(re.sub(r"\s", "", raw)) % 4 == 0


def is_quoted(raw: str) -> bool:
    """Whether a text is quoted-printable and nothing else.

    >>> is_quoted("caf=E9 =\\nAnn"), is_quoted("1 = 1"), is_quoted("Ann =\\rLee")
    (True, False, False)
    """
    return _QUOTED.fullmatch(raw) is not None


def is_certain(raw: str, encoding: str, charset: str) -> bool:
    """Whether programs read a body alike: all that it says stands in it as the standards have it."""
    exact = _EXACTLY_QUOTED.fullmatch(raw) if encoding == "quoted-printable" else True
    data = _bytes(raw, encoding)
    return exact is not None and encodings.is_certain(data, charset or "us-ascii")


def decoded(raw: str, encoding: str, charset: str) -> str | None:
    """The text of a body; None where it is not in the encoding that it names."""
    try:
        return encodings.decoded(_bytes(raw, encoding), _meant(charset))
    except ValueError:
        return None


def _meant(charset: str) -> str:
    """What says ASCII, or nothing, is often UTF-8."""
    return "utf-8" if charset in ("", "us-ascii", "ascii") else charset


def _codec(charset: str) -> str:
    return encodings.codec(_meant(charset)) or "ascii"


def _bytes(raw: str, encoding: str) -> bytes:
    data = raw.encode("latin-1")
    if encoding == "quoted-printable":
        return unquoted(data)
    return base64.b64decode(data) if encoding == "base64" else data


def unquoted(data: bytes) -> bytes:
    """The bytes that quoted-printable stands for.

    >>> unquoted(b"caf=E9 =\\r\\nAnn")
    b'caf\\xe9 Ann'
    """
    return _CODE.sub(lambda found: bytes.fromhex((found[1] or b"").decode()), data)


def position(raw: str, encoding: str, charset: str, offset: int) -> int:
    """Where a character of the text of a body stands in it.

    >>> position("caf=C3=A9 =\\nAnn", "quoted-printable", "utf-8", 5)
    12
    """
    starts, lengths, states = _line_starts(raw, encoding, charset)
    line = max(0, bisect_right(lengths, offset) - 1)
    first, last = starts[line], starts[line + 1] if line + 1 < len(starts) else len(raw)
    decoder = codecs.getincrementaldecoder(_codec(charset))("ignore")

    def length(end: int) -> int:
        prefix = raw[first:end]
        if encoding == "quoted-printable":
            prefix = re.sub(r"=(?:[0-9A-Fa-f]|\r)?\Z", "", prefix)
        elif encoding == "base64":
            prefix = "".join(prefix.split())
            prefix = prefix[: len(prefix) // 4 * 4]
        decoder.setstate(states[line])
        return lengths[line] + len(decoder.decode(_bytes(prefix, encoding)))

    return max(0, bisect_right(range(first, last + 1), offset, key=length) - 1) + first


@lru_cache(maxsize=4)
def _line_starts(
    raw: str, encoding: str, charset: str
) -> tuple[list[int], list[int], list[tuple[bytes, int]]]:
    """Where lines of a body start that can be read by themselves; how much text stands before each, and what
    of a character."""
    decoder = codecs.getincrementaldecoder(_codec(charset))("ignore")
    starts, lengths, states = [0], [0], [decoder.getstate()]
    for match in re.finditer("\n", raw):
        line = raw[starts[-1] : match.end()]
        if encoding == "base64" and len("".join(line.split())) % 4:
            continue
        starts.append(match.end())
        lengths.append(lengths[-1] + len(decoder.decode(_bytes(line, encoding))))
        states.append(decoder.getstate())
    return starts, lengths, states


def encoded(text: str, encoding: str, charset: str, newline: str) -> str | None:
    """A body that says a text, if one in this encoding can."""
    try:
        data = text.encode("ascii" if _meant(charset) != charset else _codec(charset))
    except UnicodeError:
        return None
    if encoding == "quoted-printable":
        data = quoted_printable(data, newline)
    elif encoding == "base64":
        data = base64.encodebytes(data).replace(b"\n", newline.encode())
    elif encoding in ("", "7bit") and not data.isascii():
        return None
    made = data.decode("latin-1")
    if encoding not in ("quoted-printable", "base64"):
        lines = re.split(r"\r\n|\r|\n", made)
        if any(line.startswith("--") or len(line) > 990 for line in lines):
            return None
    same = decoded(made, encoding, charset) == text and is_certain(made, encoding, charset)
    return made if same else None


def quoted_printable(data: bytes, newline: str) -> bytes:
    """Quoted-printable in which every line end stays what it is.

    >>> quoted_printable("café = 1 \\r\\n.".encode(), "\\n")
    b'caf=C3=A9 =3D 1=20\\r\\n=2E'
    """
    made = []
    for line in re.split(rb"(\r\n|\n)", data):
        if line in (b"\r\n", b"\n"):
            made.append(line)
            continue
        # A dot, dashes or a "From " at the start of a line mean something to some programs.
        coded = re.sub(rb"^[.\-F]|[^!-<>-~ \t]|[ \t]$", lambda m: b"=%02X" % m[0][0], line)
        pieces = re.findall(rb"(?:=..|[^=]){1,73}", coded)
        made.append((b"=" + newline.encode()).join(pieces))
    return b"".join(made)
