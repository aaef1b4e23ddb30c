"""E-mails in, e-mails out."""

from __future__ import annotations

import base64
import contextlib
import quopri
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sfumato import formats, sanitize
from sfumato.document import Edit, restored
from sfumato.errors import InputError
from sfumato.formats import transfer
from sfumato.keys import Key
from tests.clinic import make_clinic, policy
from tests.formats.contract import edits_of, guises, keeps_to_the_contract
from tests.formats.letters import edited, mail, read

PLAIN: dict[str, list[str]] = {"detect": []}  # K-safety alone


@pytest.fixture
def clinic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return make_clinic(tmp_path)


def sanitized(data: bytes, rules: object = "default", **settings: object) -> bytes:
    return sanitize(mail(data), rules, **settings).data  # type: ignore[arg-type]


def letter() -> EmailMessage:
    made = EmailMessage()
    made["From"] = "Ann Okafor <ann@example.org>"
    made["To"] = "Bob <bob@example.org>, c@example.org"
    made["Subject"] = "Weight loss – café"
    made["Date"] = "Mon, 15 Nov 2021 10:00:00 +0000"
    made["X-Originating-IP"] = "10.1.2.3"
    made["Message-ID"] = "<1@ann.example.org>"
    made.set_content("He has sweating, fever, fatigue and pain.\nWrite to ann@example.org.\n")
    made.add_alternative(
        "<p>He has <b>sweating</b>, fever, fatigue &amp; pain.</p>", subtype="html"
    )
    made.add_attachment("HIV, they say; pain.\n", filename="hiv-test.txt")
    made.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="hiv.png")
    return made


# The contract

NAMES = st.sampled_from(
    ["From", "subject", "TO", "Date", "X-A", "Received", "Content-ID", "MIME-Version"]
)
VALUES = st.one_of(
    st.text('ab é=?<>@",;:()\\[]\t-', max_size=20),
    st.lists(
        st.sampled_from(
            [
                *("Ann Lee", '"L, \\"A\\""', "=?utf-8?b?w4k=?=", "<a@b.c>", "a@b.c", '"a b"@c'),
                *(",", "(Al)", "g:", ";", " ", "\n ", "@redacted.invalid", "hidden", "\r"),
            ]
        ),
        max_size=6,
    ).map("".join),
    st.sampled_from(["Mon, 15 Nov 2021 10:00:00 +0000 (UTC)", "15 Nov 2021 10:00 GMT", "1 (2)"]),
)
TYPES = st.sampled_from(
    [
        "",
        "Content-Type: text/plain",
        "Content-Type: text/plain; charset=utf-8; format=flowed",
        'Content-Type: text/html; charset="iso-8859-1"',
        "Content-Type: TEXT/PLAIN; name=ann.txt",
        'Content-Type: text/plain; charset=utf-8; name="=?utf-8?q?caf=C3=A9?="; x=ann',
        "Content-Type: image/png; name=ann.png",
        "Content-Type: message/rfc822",
        "Content-Type:",
        "Content-Type: text/plain (ann (b) c); format=flowed; delsp=yes",
        "Content-Type: text/plain; format=flowed",
        "Content-Type: text/calendar",
        "Content-Type: application/json",
        "Content-Type: text/csv; name=ann.csv",
        'Content-Type: application/octet-stream; name="ann.json"',
    ]
)
DISPOSITIONS = st.sampled_from(
    [
        "",
        "Content-Disposition: inline",
        'Content-Disposition: attachment; filename="ann.txt"; size=7',
        "Content-Disposition: attachment; filename*=utf-8''caf%C3%A9",
    ]
)
BODIES = st.one_of(
    st.text("ab <p>&;é=\n-.", max_size=40),
    st.text("ab> \n-", max_size=20),
    st.text('a,"b\n;', max_size=12),
    st.sampled_from(['{"é": "[1]", "b": 2}', '["\\u0061nn", "[\\"ann\\"]"]', "{"]),
    st.sampled_from(["Subject: ann é", "From: b@c\nX: y\n\nann <a>", "Date: 1\nTo: ann"]),
)


@st.composite
def leaves(draw: st.DrawFn, newline: str) -> bytes:
    kind, disposition = draw(TYPES), draw(DISPOSITIONS)
    how = draw(st.sampled_from(["", "7bit", "8bit", "quoted-printable", "base64"]))
    text = draw(BODIES).replace("\n", newline)
    charset = "latin-1" if "8859" in kind else "utf-8"
    body = text.encode(charset)
    if how == "base64":
        body = base64.encodebytes(body).replace(b"\n", newline.encode())
    head = [line for line in (kind, disposition) if line]
    head += [f"Content-Transfer-Encoding: {how}"] if how else []
    head += draw(st.lists(st.sampled_from(["Content-ID: <ann>", "X-Y: z"]), max_size=1))
    return newline.join([*head, "", ""]).encode() + body


@st.composite
def letters(draw: st.DrawFn) -> bytes:
    newline = draw(st.sampled_from(["\r\n", "\n"]))
    lines = [f"{draw(NAMES)}: {draw(VALUES)}" for _ in range(draw(st.integers(1, 4)))]
    head = (newline.join(lines) + newline).encode()
    body = draw(leaves(newline))
    for depth in range(draw(st.integers(0, 2))):
        edge = draw(st.sampled_from(["b", "ann-lee", "=_sfumato_7"])) + str(depth)
        parts = [body, *draw(st.lists(leaves(newline), max_size=2))]
        line = newline.encode()
        opening = (
            f'Content-Type: multipart/{draw(st.sampled_from(["mixed", "x"]))}; boundary="{edge}"'
        )
        rest = [b"--" + edge.encode() + line + part + line for part in parts]
        around = draw(st.sampled_from([b"", b"hello" + line]))
        body = opening.encode() + line + line + around + b"".join(rest)
        body += b"--" + edge.encode() + b"--" + line + around
    return head + body


@given(letters(), st.data())
def test_any_letter_reads_back_as_it_was_edited(data: bytes, drawn: st.DataObject) -> None:
    try:
        document = mail(data)
    except InputError:
        assume(False)
    keeps_to_the_contract(data, document, edits_of(document, drawn))


@given(letters(), st.data())
def test_a_broken_letter_is_refused_or_keeps_to_the_contract(
    data: bytes, drawn: st.DataObject
) -> None:
    cuts = drawn.draw(st.lists(st.integers(0, len(data)), max_size=3))
    for cut in cuts:
        data = (
            data[:cut]
            + drawn.draw(st.sampled_from([b"", b"\n", b"\xff", b"--b0", b"=?", b": "]))
            + data[cut + 2 :]
        )
    try:
        document = mail(data)
    except InputError:
        assume(False)
    keeps_to_the_contract(data, document, edits_of(document, drawn))


@given(letters())
def test_nothing_of_a_letter_is_left_but_its_form(data: bytes) -> None:
    try:
        document = mail(data)
    except InputError:
        assume(False)
    everything = [Edit(0, len(document.text), "ALL", "", "why")]
    left = formats.write(document, formats.fit(document, everything))
    left = left.replace(b"X-REPLACED", b"")  # what an emptied line of a calendar is called
    for word in (b"ann", b"hello", b"size", "é".encode(), b"X-", b"Received"):
        assert word not in left


# What is text, what goes


def test_subject_bodies_and_attachments_are_one_text(clinic: Path) -> None:
    made = read(sanitized(letter().as_bytes(), policy(clinic) | PLAIN, reader="lung clinic"))
    said = str(made["Subject"]) + "".join(
        part.get_content() for part in made.walk() if part.get_content_maintype() == "text"
    )
    signs = {s for s in ("weight loss", "sweating", "fever", "fatigue") if s in said.lower()}
    assert len(signs) < 4  # together they would tell of HIV, though no part does alone
    assert "pain" in said
    assert "HIV" not in made.as_string()
    assert "hiv" not in made.as_string()


def test_the_form_is_kept_and_what_is_no_text_is_removed(clinic: Path) -> None:
    made = read(sanitized(letter().as_bytes(), policy(clinic) | PLAIN, reader="head"))
    kinds = [part.get_content_type() for part in made.walk()]
    assert kinds == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "text/html",
        "text/plain",
        "text/plain",
    ]
    parts = [part for part in made.walk() if not part.is_multipart()]
    assert parts[0].get_content().splitlines()[0] == "He has sweating, fever, fatigue and pain."
    assert parts[2].get_filename() == "hiv-test.txt"
    assert parts[3].get_content().strip() == "[attachment removed]"
    assert str(made["Subject"]) == "Weight loss – café"


def test_addresses_go_by_the_policy_and_other_headers_go(key: Key) -> None:
    made = read(sanitized(letter().as_bytes(), key=key))
    assert "example.org" not in made.as_string()
    assert "Okafor" not in made.as_string()
    assert made["X-Originating-IP"] is None
    assert made["Message-ID"] is None
    assert made["From"] is not None


def test_a_letter_can_be_restored_to_the_byte(key: Key) -> None:
    data = letter().as_bytes()
    release = sanitize(mail(data), key=key)
    assert restored(release.data, release.record) == data
    assert release.data == sanitize(mail(data), key=key).data


def test_what_is_not_edited_stays_to_the_byte() -> None:
    kind = b"Content-Type: text/plain; charset=utf-8\r\n"
    data = b"Subject: =?utf-8?q?caf=C3=A9?=\r\nFrom: Ann\r\n%b\r\nHello  Bob =\xc3\xa9\r\n" % kind
    assert edited(data, ("Ann", "[X]")) == data.replace(b"Ann", b"[X]")


def test_a_body_that_cannot_hold_a_replacement_becomes_utf_8() -> None:
    data = b"Subject: x\nContent-Type: text/plain; charset=latin-1; name=n.txt\n\ncaf\xe9 Ann\n"
    made = read(edited(data, ("Ann", "→")))
    assert made.get_content() == "café →\n"
    assert made["Content-Transfer-Encoding"] == "quoted-printable"
    assert made.get_filename() == "n.txt"
    bare = read(edited(b"Subject: x\n\nAnn\n", ("Ann", "→")))
    assert bare.get_content() == "→\n"


def test_an_e_mail_within_an_e_mail_is_read_like_one(key: Key) -> None:
    outer = EmailMessage()
    outer["Subject"] = "Fwd"
    outer.set_content("See below.")
    outer.add_attachment(letter())
    data = outer.as_bytes()
    places = [part.place for part in mail(data).origin.parts]
    assert "attached e-mail, subject" in places
    made = read(sanitized(data, key=key))
    assert "example.org" not in made.as_string()
    assert "10.1.2.3" not in made.as_string()
    inner = next(made.iter_attachments()).get_content()
    assert inner["Message-ID"] is None
    assert "sweating" in inner.get_body(("plain",)).get_content()


def attached(body: str, kind: str, name: str = "", how: str = "7bit") -> bytes:
    """A letter with one part of this kind."""
    named = f'\nContent-Disposition: attachment; filename="{name}"' if name else ""
    coded = base64.encodebytes(body.encode()).decode() if how == "base64" else body
    return (
        f"Subject: x\nMIME-Version: 1.0\nContent-Type: {kind}{named}\n"
        f"Content-Transfer-Encoding: {how}\n\n{coded}"
    ).encode()


def test_names_of_files_are_text() -> None:
    made = EmailMessage()
    made["Subject"] = "x"
    made.set_content("body")
    made.add_attachment("note", filename="Ann é.txt")
    made.add_attachment("note", filename="plain.txt")
    parts = read(edited(made.as_bytes(), ("Ann", "[X]"))).iter_attachments()
    assert [p.get_filename() for p in parts] == ["[X] é.txt", "plain.txt"]


@pytest.mark.parametrize(
    ("name", "becomes"),
    [("Ann Lee.txt", "[X].txt"), ("Ann Lee.CSV", "[X].CSV"), ("for.Ann Lee", "for.[X]")],
)
def test_the_ending_of_a_name_is_kept_where_it_says_nothing_else(name: str, becomes: str) -> None:
    data = attached("a,b\n", "text/csv" if "CSV" in name else "text/plain", name)
    assert "Ann Lee" in mail(data).text
    assert read(edited(data, ("Ann Lee", "[X]"))).get_filename() == becomes
    everything = [Edit(0, len(mail(data).text), "ALL", "[X]", "why")]
    whole = keeps_to_the_contract(data, mail(data), everything)
    assert read(whole).get_filename() == (becomes if becomes[0] == "[" else "[X]")


def test_nothing_hidden_is_left_in_any_guise() -> None:
    secret = "ann.lee@example.org"
    made = EmailMessage()
    made["Subject"] = f"é {secret}"
    made["From"] = secret
    made["Received"] = f"from {secret}"
    made.set_content(f"Café {secret}\n", cte="base64")
    made.add_alternative(f"<a href='mailto:ann.lee%40example.org'>{secret}</a> é", subtype="html")
    made.add_attachment(secret.encode(), maintype="application", subtype="pdf", filename=secret)
    made.add_attachment(secret, filename=f"{secret}.txt")
    made.set_boundary(f"=={secret}")
    data = sanitized(made.as_bytes(), {"detect": ["patterns"]})
    for guise in guises(secret):
        assert guise not in data
    assert b"ann.lee" not in data


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "no headers"),
        (b"hello\nworld\n", "neither a header nor empty"),
        (b"X-A: b\n\nx", "none of the headers"),
        (b"Subject: x\nContent-Type: text/plain; charset=utf-8\n\n\xff\n", "encoding it names"),
        (b"Subject: x\nContent-Type: text/plain; charset=rot13\n\nx\n", "encoding it names"),
        (b"Subject: x\nContent-Transfer-Encoding: x-uuencode\n\nx\n", "unknown way"),
        (b"Subject: x\nContent-Transfer-Encoding: base64\n\nQUI=\nAnn\n", "not the base64"),
        (b"Subject: x\nContent-Type: multipart/mixed\n\nx\n", "no boundary"),
        (b"Subject: x\nContent-Type: a/b\nContent-Type: c/d\n\nx\n", "two content-type"),
        (b"Subject: x\nContent-Type: a/b" + b"; c=d" * 50_000 + b"\n\nx\n", "longer than 10,000"),
        (
            b"Subject: x\nContent-Transfer-Encoding: base64\n\n" + b" \n" * 300_000 + b"!",
            "not the base64",
        ),
        (b"Subject: \xff\n\nx\n", "not UTF-8"),
        (b"Subject: =?none?q?x?=\n\nx\n", "'subject' cannot be read"),
        (
            b"Subject: x\nContent-Type: multipart/mixed; boundary=x\n\n"
            + b"--x\n\na\n" * 1001
            + b"--x--\n",
            "more than 1000",
        ),
    ],
)
def test_what_is_no_e_mail_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(InputError, match=why):
        mail(data)


def test_places_say_where() -> None:
    places = [part.place for part in mail(letter().as_bytes()).origin.parts]
    assert {"subject", "from", "body 1", "file name", "attachment"} <= set(places)


# Comments, lines that go on, attachments


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain (for Ann)",
        "(Ann (Lee)) text/plain; charset=utf-8",
        "text/plain; charset=utf-8 (Ann)",
        'text/plain; (Ann ";") charset="utf-8"',
    ],
)
def test_a_comment_in_a_type_is_no_part_of_it_and_goes(kind: str) -> None:
    data = attached("Hello Bob é\n", kind).replace(b"7bit", b"8bit (Ann)")
    data = data.replace(b"1.0", b"1.0 (Ann)")
    written = edited(data, ("Bob", "[X]"))
    assert b"Ann" not in written
    assert read(written).get_content() == "Hello [X] é\n"


def test_a_bracket_in_a_name_is_no_comment() -> None:
    data = attached("x", "text/plain; name=Ann (1).txt")
    assert "Ann (1)" in mail(data).text


@pytest.mark.parametrize(
    ("kind", "body", "said", "new"),
    [
        ("format=flowed", "Dear Ann \nLee, hi\n", "Dear Ann Lee, hi\n", "Dear [X], hi\n"),
        ("format=flowed; delsp=yes", "Ann L \nee\n", "Ann Lee\n", "[X]\n"),
        ("Format=Flowed", "> Ann \n> Lee\n>> x\n", "> Ann Lee\nx\n", "> [X]\nx\n"),
        ("format=flowed", "Ann Lee \n> no\n", "Ann Lee \n> no\n", "[X] \n> no\n"),
        ("format=flowed", "Ann Lee\n-- \nme\n", "Ann Lee\n-- \nme\n", "[X]\n-- \nme\n"),
        ("format=flowed", "Ann \r\n Lee\r\n", "Ann Lee\r\n", "[X]\r\n"),
    ],
)
def test_lines_that_go_on_are_read_as_one(kind: str, body: str, said: str, new: str) -> None:
    data = attached(body, f"text/plain; charset=utf-8; {kind}")
    assert mail(data).text.endswith(f"\n{said}\n\n")
    written = edited(data, ("Ann Lee", "[X]"))
    assert b"; format=flowed" in written.lower()
    assert mail(written).text.endswith(f"\n{new}\n\n")


def test_a_line_that_would_go_on_by_an_edit_does_not() -> None:
    data = attached("Dear Ann\nyours\n", "text/plain; format=flowed")
    written = edited(data, ("Ann", ""))
    assert read(written).get_content() == "Dear \nyours\n"
    assert b"flowed" not in written


def test_folded_lines_of_an_invitation_are_read_as_one() -> None:
    body = "BEGIN:VEVENT\r\nSUMMARY:With Ann L\r\n ee\r\nEND:VEVENT\r\n"
    written = edited(attached(body, "text/calendar; method=REQUEST"), ("Ann Lee", "[X]"))
    assert b"SUMMARY:With [X]\r\nEND:VEVENT" in written.replace(b"\r\n ", b"")


@pytest.mark.parametrize(
    ("kind", "name", "body", "becomes"),
    [
        ("application/json", "", '{"a": "\\u0041nn", "n": 1}', '{"a": "[X]", "n": 1}'),
        ("application/octet-stream", "a.json", '["Ann"]', '["[X]"]'),
        ("text/plain", "a.json", '["\\u0041nn"]', '["[X]"]'),
        ("text/csv", "", 'n,m\n"Ann",2\n', 'n,m\n"[X]",2\n'),
        ("text/csv", "", "Ann,2\n", "[X],2\n"),
        ("application/octet-stream", "a.tsv", "n\tm\nAnn\t2\n", "n\tm\n[X]\t2\n"),
        ("application/octet-stream", "a.html", "<p>A&#110;n</p>", "<p>[X]</p>"),
        ("application/octet-stream", "a.md", "# Ann\n", "# [X]\n"),
        ("application/x-ndjson", "", '{"a": "Ann"}\n[]\n', '{"a": "[X]"}\n[]\n'),
    ],
)
@pytest.mark.parametrize("how", ["7bit", "base64"])
def test_an_attached_file_is_read_by_its_own_format(
    kind: str, name: str, body: str, becomes: str, how: str
) -> None:
    written = edited(attached(body, kind, name, how), ("Ann", "[X]"))
    made = read(written)
    payload = made.get_payload(decode=True)
    assert payload == becomes.encode()
    assert made.get_content_type() == kind
    assert made.get_filename() == (name or None)


@pytest.mark.parametrize(
    ("kind", "name", "body"),
    [
        ("application/json", "a.json", "{Ann"),
        ("application/octet-stream", "a.json", "\xff{Ann"),
        ("application/octet-stream", "a.xlsx", "Ann"),
        ("application/octet-stream", "a.eml", "Subject: Ann\n\nx"),
        ("application/octet-stream", "ann", "Ann"),
        ("application/pdf", "ann.txt", "Ann"),
        ("text/x-python", "ann.py", "Ann"),
        ("message/rfc822", "", "Ann"),
    ],
)
def test_an_attachment_that_cannot_be_read_is_removed(kind: str, name: str, body: str) -> None:
    written = edited(attached("", kind, name) + body.encode("latin-1"), ("x", "y"))
    assert b"nn" not in written
    assert b"[attachment removed]" in written


def test_a_charset_is_left_as_it_was_spelt() -> None:
    for spelt in ("charset=utf-8", 'charset="utf-8"', "charset=UTF-8"):
        data = attached("Ann", f"text/plain; {spelt}; name=Ann.txt; x=y")
        document = mail(data)
        edits = formats.fit(document, [Edit(0, 1, "TERM", "z", "why")])
        assert f"text/plain; {spelt.lower()}; name=".encode() in formats.write(document, edits)


@pytest.mark.parametrize(
    "data",
    [
        b"Subject: a\rFrom: b\n\nx",
        b"Subject: a\r\r\n\r\nx",
        b"Subject: a\n\rx",
        b"Subject: a\r b\n\nx",
        b"Subject: a\r\rx",
    ],
)
def test_a_carriage_return_alone_among_the_headers_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match=r"carriage return alone .* end lines with LF or CRLF$"):
        mail(data)


def nested(depth: int, opening: str) -> bytes:
    made = b"Subject: Ann\n\nlast\n"
    for level in range(depth):
        head = opening.format(level).encode()
        edge = f"b{level}".encode()
        body = b"--" + edge + b"\n" + made + b"\n--" + edge + b"--\n" if b"multi" in head else made
        made = b"Subject: x\n" + head + b"\n\n" + body
    return made


def test_letters_of_any_depth_are_refused_or_cut_in_one_line() -> None:
    with pytest.raises(InputError, match=r"\A[^\n]*parts in parts deeper than 50[^\n]*\Z"):
        mail(nested(1000, 'Content-Type: multipart/mixed; boundary="b{}"'))
    deep = mail(nested(1000, "Content-Type: message/rfc822"))
    assert "Ann" not in deep.text
    assert "last" in mail(nested(40, "Content-Type: message/rfc822")).text


def test_a_multipart_without_parts_is_no_part_itself() -> None:
    inner = b"Content-Type: multipart/mixed; boundary=c\n\n--c--\n"
    head = b"Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n"
    last = b"--b\nContent-Type: image/png\n\nAnn\n--b\n\nBob\n--b--\n"
    written = edited(head + b"--b\n" + inner + last, ("Bob", "[X]"))
    assert b"Ann" not in written
    assert b"[X]" in written


def test_a_digest_of_a_list_stays_one() -> None:
    letters_of_list = b"--b\n\nSubject: one\n\nAnn\n--b\n\nFrom: c@d\n\nBob\n--b--\n"
    head = b"Subject: x\nContent-Type: multipart/digest; boundary=b\n\n"
    made = read(edited(head + letters_of_list, ("Ann", "[X]")))
    assert [part.get_content_type() for part in made.iter_parts()] == ["message/rfc822"] * 2
    broken = read(edited(head + letters_of_list.replace(b"From: c@d", b"nothing"), ("x", "y")))
    assert broken.get_content_type() == "multipart/mixed"


@pytest.mark.parametrize(
    "field",
    [
        "From: =?utf-8\0?q?abc?=",
        "Content-Type: text/plain; name*=utf-8\0''ab",
        'Content-Type: text/plain; charset="utf-8\0"',
        "Content-Type: text/plain; charset*=utf-8\0''utf-8",
        "Content-Disposition: attachment; filename*=utf-8\0''ab.txt",
    ],
)
def test_a_charset_with_a_null_character_is_read_or_refused_in_a_line(field: str) -> None:
    data = f"Subject: x\r\n{field}\r\n\r\nhello\r\n".encode()
    with contextlib.suppress(InputError):
        assert "hello" in formats.parse(data, name="x.eml", format="mail").text


@given(st.text("abé漢 \n=.", max_size=60), st.sampled_from(["quoted-printable", "base64", "8bit"]))
def test_a_character_of_a_body_stands_where_its_code_is(text: str, encoding: str) -> None:
    data = text.encode()
    if encoding == "base64":
        raw = base64.encodebytes(data).decode()
    elif encoding == "quoted-printable":
        raw = transfer.quoted_printable(data, "\n").decode("latin-1")
    else:
        raw = data.decode("latin-1")
    for offset in range(len(text)):
        place = transfer.position(raw, encoding, "utf-8", offset)
        assert _told(raw[:place], encoding) <= offset < _told(raw[: place + 1], encoding)


def _told(raw: str, encoding: str) -> int:
    """How many characters the beginning of a body says."""
    data = raw.encode("latin-1")
    if encoding == "quoted-printable":
        data = quopri.decodestring(data[:-2] + data[-2:].partition(b"=")[0])
    elif encoding == "base64":
        data = b"".join(data.split())
        data = base64.b64decode(data[: len(data) // 4 * 4])
    return len(data.decode(errors="ignore"))
