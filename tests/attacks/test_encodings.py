"""Somebody names an encoding that programs do not know, or find elsewhere: they show the ASCII that is there."""

from __future__ import annotations

import pytest

from sfumato import formats, sanitize
from sfumato.errors import InputError

SAID = "Margaret Holloway has HIV, margaret@example.org, +44 20 7946 0958"
POLICY = {"detect": ["patterns"], "protect": ["replace"], "unread": "keep"}
UNKNOWN = [
    "cp037",
    "cp500",
    "cp1140",
    "cp1026",
    "cp875",
    "ebcdic-cp-us",
    "ibm273",
    "utf-32",
    "s_jis",
]


def released(data: bytes, format: str, encoding: str = "utf-8") -> bytes:
    """The release of a file; nothing if it is refused."""
    try:
        document = formats.parse(data, name="x", format=format, encoding=encoding)
    except InputError:
        return b""
    return sanitize(document, POLICY).data


@pytest.mark.parametrize("name", [*UNKNOWN, "utf-16le", "utf-16"])
@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("html", "<meta charset={name}><p>{said}"),
        ("html", "<meta http-equiv=content-type content='text/html; charset={name}'><p>{said}"),
        ("mail", "Subject: x\nContent-Type: text/plain; charset={name}\n\n{said}\n"),
        ("mail", 'Subject: x\nContent-Type: text/html; charset="{name}"\n\n<p>{said}</p>\n'),
        ("mail", "Subject: x\nContent-Type: text/plain; charset*=us-ascii''{name}\n\n{said}\n"),
        ("mail", "Subject: x\nContent-Type: text/plain; charset*0={name}\n\n{said}\n"),
        ("mail", "Subject: x\nContent-Type: text/plain; charset={name}; charset=x\n\n{said}\n"),
        ("mail", "Subject: =?{name}?q?margaret@example.org?=\n\nx\n"),
        (
            "mail",
            "Subject: x\nContent-Disposition: inline; filename*={name}''margaret@example.org\n\nx\n",
        ),
        (
            "calendar",
            "BEGIN:VCARD\nNOTE;CHARSET={name};ENCODING=QUOTED-PRINTABLE:Dear margaret@example.org\nEND:VCARD\n",
        ),
    ],
)
def test_ascii_is_hidden_whatever_encoding_is_named(format: str, text: str, name: str) -> None:
    given = text.format(name=name, said=SAID)
    for data in (given, given.replace("\nEND", ".\nEND").replace("x\n", "xx\n")):  # odd or even
        assert b"margaret@" not in released(data.encode(), format)


@pytest.mark.parametrize("name", ["cp037", "utf-16", "utf-32-le", "utf-7"])
@pytest.mark.parametrize("format", ["text", "markdown", "html", "json", "calendar", "table/csv"])
def test_ascii_is_hidden_whatever_encoding_a_user_gives(format: str, name: str) -> None:
    for data in (SAID, SAID + "."):
        assert b"margaret@" not in released(data.encode(), format, name)


def test_words_between_the_halves_of_signs_are_seen() -> None:
    hidden = b"".join(b"\x81" + bytes([letter]) for letter in b"margaret@example.org")
    for tag in (
        b'<meta name="d" content="charset=shift_jis"><meta charset="windows-1252">',
        b"<meta data-charset=shift_jis>",
        b'<meta http-equiv=refresh content="0;url=x?charset=shift_jis">',
        b'<meta content="text/html; charset=shift_jis">',
        b'<div title="<meta charset=shift_jis>">',
        b"</x <meta charset=shift_jis>>",
        b"<!--><meta charset=windows-1252>--><meta charset=shift_jis>",
    ):
        assert released(tag + b"<p>Dear " + hidden, "html") == b""
