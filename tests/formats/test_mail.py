"""E-mails in, e-mails out."""

from __future__ import annotations

from email import message_from_bytes
from email import policy as email_policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from sfumato.errors import InputError
from sfumato.formats.mail import sanitize_email
from sfumato.keys import Key
from tests.clinic import make_clinic, policy

PLAIN: dict[str, list[str]] = {"detect": []}  # K-safety alone


@pytest.fixture
def clinic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return make_clinic(tmp_path)


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


def test_subject_bodies_and_attachments_are_one_text(clinic: Path) -> None:
    made = read(sanitize_email(letter().as_bytes(), policy(clinic) | PLAIN, reader="lung clinic"))
    said = str(made["Subject"]) + "".join(
        part.get_content() for part in made.walk() if part.get_content_maintype() == "text"
    )
    signs = {s for s in ("weight loss", "sweating", "fever", "fatigue") if s in said.lower()}
    assert len(signs) < 4  # together they would tell of HIV, though no part does alone
    assert "pain" in said
    assert "HIV" not in made.as_string()
    assert "hiv" not in made.as_string()


def test_the_form_is_kept_and_what_is_no_text_is_removed(clinic: Path) -> None:
    made = read(sanitize_email(letter().as_bytes(), policy(clinic) | PLAIN, reader="head"))
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
    made = read(sanitize_email(letter().as_bytes(), "default", key=key))
    assert "example.org" not in made.as_string()
    assert "Okafor" not in made.as_string()
    assert made["X-Originating-IP"] is None
    assert made["Message-ID"] is None
    assert made["From"] is not None


def test_the_same_e_mail_gives_the_same_bytes(key: Key) -> None:
    data = letter().as_bytes()
    assert sanitize_email(data, key=key) == sanitize_email(data, key=key)


def test_an_e_mail_within_an_e_mail_is_removed(key: Key) -> None:
    outer = EmailMessage()
    outer["Subject"] = "Fwd"
    outer.set_content("See below.")
    outer.add_attachment(letter())
    made = read(sanitize_email(outer.as_bytes(), key=key))
    assert "sweating" not in made.as_string()
    assert "[attachment removed]" in made.as_string()


def test_what_is_no_e_mail_is_refused() -> None:
    with pytest.raises(InputError, match="no headers"):
        sanitize_email(b"")
    broken = b'From: <<<@@@ HIV\nTo: ,,,;;:\nDate: not HIV\nCc: \nReply-To: "\n\nx\n'
    with pytest.raises(InputError, match="a header of the e-mail cannot be read"):
        sanitize_email(broken)
    with pytest.raises(InputError, match="encoding it names"):
        sanitize_email(b"Subject: x\nContent-Type: text/plain; charset=utf-8\n\n\xff\n")
    start = b"Subject: x\nContent-Type: multipart/mixed; boundary=x\n\n"
    many = start + b"--x\n\na\n" * 1001 + b"--x--\n"
    with pytest.raises(InputError, match="more than 1000"):
        sanitize_email(many)


def test_a_name_of_a_file_is_made_plain(key: Key) -> None:
    made = EmailMessage()
    made["Subject"] = "x"
    made.set_content("body")
    made.add_attachment("note", filename="é.txt")
    made.add_attachment("note", filename="é")
    parts = [
        p
        for p in read(sanitize_email(made.as_bytes(), PLAIN, key=key)).walk()
        if not p.is_multipart()
    ]
    assert [p.get_filename() for p in parts[1:]] == [".txt", None]
    assert all(p.get_content_disposition() == "attachment" for p in parts[1:])
