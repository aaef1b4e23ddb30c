"""What a letter shows is what was read, whichever program shows it: the rest is written anew, or refused."""

from __future__ import annotations

import base64
import binascii
import re

import pytest

from sfumato import formats
from sfumato.errors import InputError
from tests.formats.letters import edited, mail, read

HEAD = "From: a@example.org\r\nMIME-Version: 1.0\r\nContent-Type: {}\r\nContent-Transfer-Encoding: {}\r\n\r\n"
QUOTED = HEAD.format("text/plain; charset=utf-8", "quoted-printable")


def untouched(data: str | bytes) -> bytes:
    """A letter without what nobody sees, and no other edit."""
    return edited(data if isinstance(data, bytes) else data.encode())


def body(data: bytes) -> bytes:
    return data.partition(b"\r\n\r\n")[2]


# Quoted-printable


@pytest.mark.parametrize(
    "said",
    [
        "See =\rMr Halyard, 020 7946 0958\r\nas told.\r\n",  # which Python's reader leaves out
        "See =\r Halyard\nok\n",
        "Hal=\r\r\nyard\r\n",
        "one\rtwo\r",
        "Hal==79ard",
        "1 = 1",
        "Hal=\x0c\r\nyard",
        "Hal=7",
    ],
)
def test_what_is_no_quoted_printable_is_refused(said: str) -> None:
    with pytest.raises(InputError, match="not the quoted-printable that it says"):
        mail((QUOTED + said).encode())


@pytest.mark.parametrize(
    ("said", "text", "anew"),
    [
        ("A fin= \r\nch\r\n", "A finch\r\n", "A finch\r\n"),
        ("A fin=\t\nch\r\n", "A finch\r\n", "A finch\r\n"),
        ("A fin \t \r\nch", "A fin \t \r\nch", "A fin \t=20\r\nch"),
        ("A finch=", "A finch", "A finch"),
        ("A fin=0Dch", "A fin\nch", "A fin\nch"),
    ],
)
def test_quoted_printable_that_programs_read_differently_is_written_anew(
    said: str, text: str, anew: str
) -> None:
    assert mail((QUOTED + said).encode()).text.removesuffix("\n\n").endswith(text)
    assert body(untouched(QUOTED + said)).decode() == anew


@pytest.mark.parametrize("said", ["caf=C3=A9 =\r\nAnn=20\r\n", "caf=c3=a9\n", "\tx  y\r\n", ""])
def test_plain_quoted_printable_stays_to_the_byte(said: str) -> None:
    assert untouched(QUOTED + said) == (QUOTED + said).encode()


def test_encoded_words_are_read_alike_everywhere_or_refused() -> None:
    for said in ("=?utf-8?q?Hal==79ard?=", "=?utf-8?q?a?Hal=79ard?=", "=?utf-8 ?q?Hal=79ard?="):
        with pytest.raises(InputError, match="header 'subject' cannot be read"):
            mail(f"Subject: {said}\r\n\r\nx\r\n".encode())
    for said, text in (
        ("=?utf-8?q?see Fin=63h?=", "see Finch"),
        ("=?iso-8859-1?q?Tom=E1=9A?=", "Tomáš"),
        ("=?utf-8*en?q?caf=C3=A9?=", "café"),
        ("=?utf-8?q?caf=C3?= =?utf-8?q?=A9?=", "café"),
        ("=?us-ascii?q?Fin?= =?utf-8?q?ch?=", "Finch"),
    ):
        made = untouched(f"Subject: {said}\r\n\r\nx\r\n")
        assert said.encode() not in made
        assert read(made)["Subject"] == text
    exact = (
        b"Subject: =?iso-8859-1?q?caf=E9?=\r\nFrom: =?utf-8?q?Ann?= <a@example.org>\r\n\r\nx\r\n"
    )
    assert untouched(exact) == exact


# Encodings


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        ("iso-8859-1", "cp1252"),
        ("latin1", "cp1252"),
        ("iso-8859-9", "cp1254"),
        ("windows-1252", "cp1252"),
    ],
)
@pytest.mark.parametrize("kind", ["plain", "html"])
def test_a_letter_is_in_the_encoding_that_programs_take_its_name_for(
    label: str, codec: str, kind: str
) -> None:
    said = "Ask Tomáš Œst – now."
    head = HEAD.format(f"text/{kind}; charset={label}", "8bit").encode()
    assert said in mail(head + said.encode(codec)).text
    made = read(untouched(head + said.encode(codec)))
    assert made.get_content() == said
    assert (made.get_content_charset() == "utf-8") == (label != "windows-1252")


def test_letters_that_an_encoding_does_not_have_are_refused() -> None:
    for label in ("iso-8859-15", "latin-1", "koi8-r; charset=utf-8"):
        with pytest.raises(InputError, match="encoding"):
            mail(HEAD.format(f"text/plain; charset={label}", "8bit").encode() + b"Tom\xe1\x9a")


def test_a_mark_of_another_encoding_is_no_mark_afterwards() -> None:
    letter = (
        HEAD.format("text/plain; charset=iso-8859-1", "8bit").encode()
        + b"\xef\xbb\xbfHal\xc2\xadyard"
    )
    assert read(untouched(letter)).get_content() == "ï»¿HalÂyard"


def test_what_says_ascii_and_is_none_comes_to_say_what_it_is() -> None:
    for kind in ("text/plain", "text/plain; charset=us-ascii"):
        made = read(untouched(HEAD.format(kind, "8bit") + "Tomáš\r\n"))
        assert made.get_content() == "Tomáš\r\n"
        assert made.get_content_charset() == "utf-8"


# Files within the lines

SECRET = b"Patient: Margaret Thornbury\n"
UUENCODED = "begin 644 patient.txt\r\n" + binascii.b2a_uu(SECRET).decode().strip() + "\r\n`\r\nend"
FILES = {
    "uuencode": UUENCODED,
    "uuencode, without its end": UUENCODED[:60],
    "uuencode in a reply": "> " + UUENCODED.replace("\r\n", "\r\n> "),
    "uuencode in base64": f"begin-base64 644 a\r\n{base64.b64encode(SECRET).decode()}\r\n====",
    "yEnc": "=ybegin line=128 size=27 name=a\r\nzzz\r\n=yend size=27",
    "a part of a letter": f"Content-Transfer-Encoding: base64\r\n\r\n{base64.b64encode(SECRET).decode()}",
    "PGP": f"-----BEGIN PGP MESSAGE-----\r\n\r\n{base64.b64encode(SECRET).decode()}\r\n-----END PGP MESSAGE-----",
    "BinHex": "(This file must be converted with BinHex 4.0)\r\n\r\n:abc\r\ndef:",
}


@pytest.mark.parametrize("how", FILES)
def test_a_file_within_the_lines_is_an_attachment(how: str) -> None:
    after = "" if "without" in how else "\r\n--x--\r\n" if "part" in how else "\r\nKind regards\r\n"
    made = untouched(f"From: a@example.org\r\n\r\nSee below.\r\n\r\n{FILES[how]}{after}")
    assert read(made).get_content() == f"See below.\r\n\r\n[attachment removed]{after}"


@pytest.mark.parametrize("how", FILES)
def test_a_text_with_a_file_within_its_lines_is_refused(how: str) -> None:
    with pytest.raises(InputError, match=r"a\.txt: line 2 begins a file within the text"):
        formats.parse(f"See:\n{FILES[how]}\n".encode(), name="a.txt")


def test_words_like_those_that_begin_a_file_are_none() -> None:
    for said in (
        "We will\r\nbegin 1500 hours sharp,\r\nnot later.\r\n",
        "begin 644 days\r\n",
        "-----BEGIN PRIVATE KEY-----\r\nMII\r\n",
        "end\r\n",
    ):
        letter = f"From: a@example.org\r\n\r\n{said}".encode()
        assert untouched(letter) == letter
        assert formats.parse(said.encode(), name="a.txt").text == said


# Structure


def test_the_encoding_of_what_has_parts_says_nothing_and_goes() -> None:
    inner = "From: q@example.org\r\nSubject: x\r\n\r\nhello\r\n"
    attached = f"From: a@example.org\r\nContent-Type: message/rfc822; charset=finch\r\n\r\n{inner}"
    joined = (
        'From: a@example.org\r\nContent-Type: multipart/mixed; charset=finch; boundary="=_sfumato_1"\r\n\r\n'
        "--=_sfumato_1\r\n\r\nhello\r\n--=_sfumato_1--\r\n"
    )
    for letter in (attached, joined):
        assert b"finch" not in untouched(letter)
        assert b"hello" in untouched(letter)


def test_a_name_of_a_field_ends_with_its_colon() -> None:
    made = untouched(
        "Subject : x\r\nContent-Type : text/plain; charset=utf-8\r\n"
        "Content-Transfer-Encoding\t: base64\r\n\r\neA==\r\n"
    )
    assert re.findall(rb"(?m)^[\w-]+[ \t]+:", made) == []
    assert read(made).get_content() == "x"


def test_no_line_begins_as_a_boundary_does() -> None:
    made = untouched(
        'From: a@example.org\r\nContent-Type: multipart/mixed; boundary="=_sfumato_1"\r\n\r\n'
        "--=_sfumato_1\r\n\r\nhello\r\n--=_sfumato_12\r\n\r\nx\r\n--=_sfumato_1--\r\n"
    )
    boundary = read(made).get_boundary()
    assert boundary is not None
    assert made.count(b"--" + boundary.encode()) == 2


def test_lines_that_go_on_without_a_space_are_written_as_one() -> None:
    head = HEAD.format("text/plain; charset=utf-8; format=flowed; delsp=yes", "7bit")
    made = untouched(f"{head}Operation \r\nFinch\r\n")
    assert b"OperationFinch\r\n" in made
    kept = f"{head.replace('; delsp=yes', '')}Operation \r\nFinch\r\n".encode()
    assert untouched(kept) == kept


def test_tags_of_enriched_text_are_not_read() -> None:
    made = untouched(HEAD.format("text/enriched; charset=utf-8", "7bit") + "Fin<bold></bold>ch")
    assert read(made).get_content().strip() == "[attachment removed]"


def test_a_term_is_read_over_the_lines_of_a_quotation() -> None:
    head = HEAD.format("text/plain; charset=utf-8", "7bit")
    letter = f"{head}Ann wrote:\r\n> of Operation\r\n> Finch\r\n>> Fin\r\n> > ch\r\n>\r\n> x\r\n".encode()
    assert "\n> of Operation\nFinch\nFin\nch\n\nx\r\n" in mail(letter).text
    assert untouched(letter) == letter
    made = edited(letter, ("Operation\nFinch", "[X]"))
    assert body(made) == b"Ann wrote:\r\n> of [X]\r\n>> Fin\r\n> > ch\r\n>\r\n> x\r\n"
    unquoted = read(edited(letter, ("> of Operation", "[X]")))
    assert unquoted.get_content().startswith("Ann wrote:\r\n[X]\nFinch\n")


def test_what_is_left_of_addresses_can_be_read() -> None:
    letter = b"From: Ann Lee,(Al); =?MIME-Version: @redacted.invalid\r\n\r\nx\r\n"
    assert read(edited(letter, ("nn Lee,(Al); =?MIME-Version:", "")))["From"] is not None
