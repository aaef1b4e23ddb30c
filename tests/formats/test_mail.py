"""E-mails in, e-mails out."""

from __future__ import annotations

import base64
from email import message_from_bytes
from email import policy as email_policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sfumato import formats, sanitize
from sfumato.document import Document, Edit, restored
from sfumato.errors import InputError
from sfumato.keys import Key
from tests.clinic import make_clinic, policy
from tests.formats.contract import edits_of, guises, keeps_to_the_contract

PLAIN: dict[str, list[str]] = {"detect": []}  # K-safety alone


@pytest.fixture
def clinic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return make_clinic(tmp_path)


def mail(data: bytes) -> Document:
    return formats.parse(data, name="mail", format="mail")


def sanitized(data: bytes, rules: object = "default", **settings: object) -> bytes:
    return sanitize(mail(data), rules, **settings).data  # type: ignore[arg-type]


def edited(data: bytes, *edits: tuple[str, str]) -> bytes:
    document = mail(data)
    spans = sorted((document.text.index(old), old, new) for old, new in edits)
    made = [Edit(at, at + len(old), "TERM", new, "why") for at, old, new in spans]
    return keeps_to_the_contract(data, document, made)


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


def read(data: bytes) -> EmailMessage:
    made = message_from_bytes(data, policy=email_policy.default)
    assert isinstance(made, EmailMessage)
    return made


# The contract

NAMES = st.sampled_from(
    ["From", "subject", "TO", "Date", "X-A", "Received", "Content-ID", "MIME-Version"]
)
VALUES = st.text('ab é=?<>@",;:\t-', max_size=20).filter(lambda v: "\n" not in v)
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
BODIES = st.text("ab <p>&;é=\n-.", max_size=40)


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
    data = b"Subject: =?utf-8?q?caf=C3=A9?=\r\nFrom: Ann\r\n\r\nHello  Bob =\xc3\xa9\r\n"
    assert edited(data, ("Ann", "[X]")) == data.replace(b"Ann", b"[X]")


def test_a_body_that_cannot_hold_a_replacement_becomes_utf_8() -> None:
    data = b"Subject: x\nContent-Type: text/plain; charset=latin-1; name=n.txt\n\ncaf\xe9 Ann\n"
    made = read(edited(data, ("Ann", "→")))
    assert made.get_content() == "café →\n"
    assert made["Content-Transfer-Encoding"] == "quoted-printable"
    assert made.get_filename() == "n.txt"
    bare = read(edited(b"Subject: x\n\nAnn\n", ("Ann", "→")))
    assert bare.get_content() == "→\n"


def test_a_header_stays_one_line_and_says_what_it_should() -> None:
    data = (
        b"From: =?utf-8?b?w4lsaXNl?= Lee <e@example.org>\r\nSubject: "
        + b"word " * 40
        + b"Ann\r\n\r\nx"
    )
    written = edited(data, ("Lee", "Né\nBcc: eve@example.org"), ("Ann", "Bob"))
    assert "Élise Né Bcc: eve@example.org <e@example.org>\n" in mail(written).text
    made = read(written)
    assert made["Bcc"] is None
    assert str(made["Subject"]).endswith("word Bob")


def test_an_e_mail_within_an_e_mail_is_removed(key: Key) -> None:
    outer = EmailMessage()
    outer["Subject"] = "Fwd"
    outer.set_content("See below.")
    outer.add_attachment(letter())
    made = read(sanitized(outer.as_bytes(), key=key))
    assert "sweating" not in made.as_string()
    assert "[attachment removed]" in made.as_string()


def test_names_of_files_are_text() -> None:
    made = EmailMessage()
    made["Subject"] = "x"
    made.set_content("body")
    made.add_attachment("note", filename="Ann é.txt")
    made.add_attachment("note", filename="plain.txt")
    parts = read(edited(made.as_bytes(), ("Ann", "[X]"))).iter_attachments()
    assert [p.get_filename() for p in parts] == ["[X] é.txt", "plain.txt"]


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


def test_a_broken_address_is_text() -> None:
    data = b'From: <<<@@@ HIV\nTo: ,,,;;:\nDate: not HIV\nCc: \nReply-To: "\n\nx\n'
    assert edited(data, ("<<<@@@ HIV", "[X]")).startswith(b"From: [X]\nTo: ,,,;;:\n")


def test_places_say_where() -> None:
    places = [part.place for part in mail(letter().as_bytes()).origin.parts]
    assert {"subject", "from", "body 1", "file name", "attachment", "header message-id"} <= set(
        places
    )
