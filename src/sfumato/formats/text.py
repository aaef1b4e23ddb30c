"""Plain text: the file is its text."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.document import Document, Edit, Origin, Patch
from sfumato.errors import EncodingError, InputError
from sfumato.formats import encodings
from sfumato.plugins import Source, format


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


@format("text")
class PlainText:
    """The file is the document."""

    kind = "text"

    def read(self, data: bytes, source: Source) -> Document:
        text, encoding = decoded(data, source)
        return Document(text, source.name, Origin(self.kind, encoding))

    def fit(self, document: Document, edits: Sequence[Edit]) -> list[Edit]:
        return list(edits)

    def patches(self, document: Document, edits: Sequence[Edit]) -> list[Patch]:
        return [Patch(e.start, e.end, e.replacement) for e in edits]
