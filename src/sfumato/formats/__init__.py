"""Files -> Documents. Each format has a reader here and a writer in `write/`, by the same name.

A reader takes the bytes of a file and returns the text with its `Origin`; whatever it needs to write the same
kind of file back goes into the origin's parts, so that nothing in between knows about formats.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Mapping
from pathlib import Path

from sfumato.document import Document, Origin
from sfumato.errors import EncodingError, InputError

FORMATS: Mapping[str, str] = {
    ".txt": "text",
    ".text": "text",
    ".log": "text",
    ".md": "markdown",
    ".markdown": "markdown",
}
# Formats that look like text, or are easily mistaken for it, but need a reader of their own.
NOT_YET = frozenset(
    f".{suffix}"
    for suffix in (
        *("docx", "doc", "odt", "rtf", "pdf", "html", "htm", "xhtml", "xml", "eml", "msg", "mbox"),
        "json",
    )
)
TABLES = frozenset({".csv", ".tsv", ".parquet", ".jsonl", ".xlsx"})


def read(path: Path, *, name: str, encoding: str = "utf-8", limit: int | None = None) -> Document:
    """The document in a file. Refuses, before reading, a file that is larger than `limit` bytes."""
    where = str(path)
    try:
        size = path.stat().st_size
        if not path.is_file():
            raise InputError(f"{where}: not a file", path=where)
        if path.suffix.lower() in TABLES:
            raise InputError(f"{where}: a table; use `sfumato anonymize`", path=where)
        if path.suffix.lower() in NOT_YET:
            raise InputError(
                f"{where}: {path.suffix} files are not supported yet; convert it to .txt or .md first",
                path=where,
            )
        check_size(size, limit, where)
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{where}: cannot be read ({error.strerror})", path=where) from None
    return parse(data, name=name, format=format_of(path), encoding=encoding, where=where)


def check_size(size: int, limit: int | None, where: str) -> None:
    """Refuse more bytes than the policy's limit."""
    if limit is not None and size > limit:
        raise InputError(
            f"{where}: {size:,} bytes is more than the limit of {limit:,}; split the file, "
            "or raise limits.file_bytes in the policy (dense text takes about 100 bytes of memory per byte)",
            path=where,
        )


def parse(
    data: bytes, *, name: str, format: str = "text", encoding: str = "utf-8", where: str = ""
) -> Document:
    """A document from the bytes of a file."""
    return READERS[format](data, name, format, encoding, where or name)


def format_of(path: Path) -> str:
    """The format a file's name stands for; plain text if it says nothing."""
    return FORMATS.get(path.suffix.lower(), "text")


def _read_text(data: bytes, name: str, format: str, encoding: str, where: str) -> Document:
    try:
        exact = _exact_encoding(data, encoding)
    except (LookupError, ValueError):
        raise InputError(
            f"unknown encoding '{encoding}'; try utf-8, latin-1, cp1252 or utf-16"
        ) from None
    if b"\0" in data and not exact.startswith(("utf-16", "utf-32")):
        raise InputError(
            f"{where}: looks like a binary file (a zero byte at {data.index(0)}); "
            "for UTF-16 text give --encoding utf-16",
            path=where,
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
    return Document(text, name, Origin(format, exact))


def _exact_encoding(data: bytes, encoding: str) -> str:
    """The codec that keeps every byte: a byte-order mark stays in the text as its first character."""
    info = codecs.lookup(encoding)
    known = info.name
    if not info._is_text_encoding or known in ("undefined", "idna", "punycode"):
        raise LookupError(encoding)
    if known == "utf-8-sig":
        return "utf-8"
    if known in ("utf-16", "utf-32"):
        big = data.startswith((codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE))
        return f"{known}-{'be' if big else 'le'}"
    return known


Reader = Callable[[bytes, str, str, str, str], Document]
READERS: Mapping[str, Reader] = {"text": _read_text, "markdown": _read_text}
