"""Headers of e-mails that programs read after an edit."""

from __future__ import annotations

import time
from email import message_from_bytes
from email.header import decode_header, make_header
from email.utils import getaddresses, parseaddr

import pytest

from tests.formats.letters import edited, mail, read


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


def test_a_broken_address_is_text() -> None:
    data = b'From: <<<@@@ HIV\nTo: ,,,;;:\nDate: not HIV\nCc: \nReply-To: "\n\nx\n'
    assert edited(data, ("<<<@@@ HIV", "[X]")).startswith(b"From: [X]\nTo: ,,,;;:\n")


@pytest.mark.parametrize(
    ("field", "edits", "becomes"),
    [
        (
            "Ann Lee <ann@b.org>",
            [("Ann Lee", "[PERSON]"), ("ann@b.org", "[EMAIL]")],
            [("[PERSON]", "email@redacted.invalid")],
        ),
        (
            '"Lee, Ann" <ann@b.org>, bob@c.org',
            [("Lee, Ann", "[PERSON_1]"), ("ann@b.org", "[EMAIL_1]"), ("bob@c.org", "[EMAIL_2]")],
            [("[PERSON_1]", "email_1@redacted.invalid"), ("", "email_2@redacted.invalid")],
        ),
        ("Ann Lee <ann@b.org>", [("Ann Lee", "Bo Ray")], [("Bo Ray", "ann@b.org")]),
        ("Ann Lee <ann@b.org>", [("Ann Lee", 'Bo "B" Ray')], [('Bo "B" Ray', "ann@b.org")]),
        ("Ann <ann@b.org>", [("ann@b.org", "bo@c.org")], [("Ann", "bo@c.org")]),
        ("Ann <ann@b.org>", [("ann@b.org", "")], [("Ann", "hidden@redacted.invalid")]),
        ("Ann <ann@b.org>", [("ann@b.org", "a***")], [("Ann", '"a***"@redacted.invalid')]),
        ("Ann <ann@b.org>", [("Ann <ann@b.org>", "[X]")], [("[X]", "x@redacted.invalid")]),
        ("ann@b.org (Ann Lee)", [("Ann Lee", "[P]")], [("[P]", "ann@b.org")]),
        ("Staff: Ann <ann@b.org>;", [("Ann", "[P]")], [("[P]", "ann@b.org")]),
        ("=?utf-8?q?Zo=C3=AB?= <z@b.org>", [("Zoë", "[P]")], [("[P]", "z@b.org")]),
        ("Ann\n\t<ann@b.org>", [("Ann", "[P]")], [("[P]", "ann@b.org")]),
    ],
)
def test_an_edited_list_of_addresses_is_one_to_programs(
    field: str, edits: list[tuple[str, str]], becomes: list[tuple[str, str]]
) -> None:
    written = edited(f"To: {field}\nSubject: x\n\nhello\n".encode(), *edits)
    assert getaddresses([str(message_from_bytes(written)["To"])]) == becomes
    made = read(written)["To"]
    bare = [address.replace('"', "") for _, address in becomes]
    assert [a.addr_spec for a in made.addresses] == bare
    assert not made.defects


def test_a_name_that_is_not_ascii_is_read_by_programs() -> None:
    written = edited(b"From: Ann <a@b.org>\n\nx\n", ("Ann", "Zoë, " + "é" * 60))
    name, address = parseaddr(message_from_bytes(written)["From"])
    assert str(make_header(decode_header(name))) == "Zoë, " + "é" * 60
    assert address == "a@b.org"
    assert max(map(len, written.splitlines())) < 100


@pytest.mark.parametrize(
    ("edits", "becomes"),
    [
        ([("Mon, 15 Nov 2021", "2021"), ("10:00:00 +0000", "[TIME]")], "2021-01-01"),
        ([("Mon, 15 Nov 2021 10:00:00 +0000", "November 2021")], "2021-11-01"),
        ([("Mon, 15 Nov 2021 10:00:00 +0000", "[DATE]")], "1970-01-01"),
        ([("Mon, 15 Nov 2021 10:00:00 +0000", "")], "1970-01-01"),
        ([("Mon, 15 Nov 2021 10:00:00 +0000", "Mars (é) 2020s")], "2020-01-01"),
        ([("15 Nov", "22 Nov")], "2021-11-22"),
    ],
)
def test_an_edited_date_is_one_to_programs_and_says_no_more(
    edits: list[tuple[str, str]], becomes: str
) -> None:
    made = read(edited(b"Date: Mon, 15 Nov 2021 10:00:00 +0000\nSubject: x\n\nx\n", *edits))
    assert made["Date"].datetime.date().isoformat() == becomes
    assert not made["Date"].defects


def test_a_date_with_a_comment_of_its_own_is_read_whole() -> None:
    data = b"Date: Mon, 15 Nov 2021 10:00:00 +0000 (for Ann)\nSubject: x\n\nx\n"
    assert "10:00:00 +0000 (for Ann)" in mail(data).text


def test_a_list_is_read_in_names_addresses_and_comments() -> None:
    data = b'To: "Lee, A. \\"Al\\"" <a@b.org>, c@d.org (Bo\\) x),\r\n g: =?utf-8?q?Zo=C3=AB?= <z@d.org>;\r\n\r\nx'
    said = 'Lee, A. "Al" <a@b.org>, c@d.org (Bo) x), g: Zoë <z@d.org>;'
    assert mail(data).text.startswith(said + "\n")


@pytest.mark.parametrize(
    "address", ["hidden@redacted.invalid", "email@redacted.invalid", '"x y"@redacted.invalid']
)
def test_addresses_that_nobody_has_say_what_they_stand_for(address: str) -> None:
    said = {"h": "", "e": "[EMAIL]", '"': "x y"}[address[0]]
    assert mail(f"To: {address}\n\nx".encode()).text.startswith(f"{said}\n")


def test_other_addresses_of_that_domain_are_what_they_are() -> None:
    for address in ("Ann@redacted.invalid", "a.b@redacted.invalid", "a@x.redacted.invalid"):
        assert mail(f"To: {address}\n\nx".encode()).text.startswith(f"{address}\n")


def test_long_lists_are_read_in_time_that_grows_with_them() -> None:
    begun = time.process_time()
    for value in ("a@b, " * 40_000, '"' * 100_001, "(" * 100_000, "a " * 100_000, "=?a" * 60_000):
        mail(f"To: {value}\n\nx".encode())
    assert time.process_time() - begun < 10


def test_a_header_of_one_very_long_word_is_written_in_no_time() -> None:
    begin = time.perf_counter()
    written = edited(b"Subject: Ann " + b"a" * 100_000 + b"\n\nx", ("Ann", "[X]"))
    assert str(read(written)["Subject"]).startswith("[X] aaa")
    assert time.perf_counter() - begin < 5
