"""Headers of e-mails that programs read after an edit."""

from __future__ import annotations

import re
import time
from email import message_from_bytes
from email.header import decode_header, make_header
from email.utils import getaddresses, parseaddr

import pytest

from sfumato import sanitize
from sfumato.errors import InputError
from sfumato.formats import parse
from sfumato.keys import Key
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
            "Ann Lee <ann@b.org>, bob@c.org",
            [("Ann Lee", "[PERSON 1]"), ("ann@b.org", "[EMAIL 1]"), ("bob@c.org", "[EMAIL 2]")],
            [("[PERSON 1]", "email.1@redacted.invalid"), ("", "email.2@redacted.invalid")],
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
        ([("Mon, 15 Nov 2021", "2021"), ("10:00:00", "[TIME]")], "2021-01-01"),
        ([("Mon, 15 Nov 2021 10:00:00", "November 2021")], "2021-11-01"),
        ([("Mon, 15 Nov 2021 10:00:00", "[DATE]")], "1970-01-01"),
        ([("Mon, 15 Nov 2021 10:00:00", "")], "1970-01-01"),
        ([("Mon, 15 Nov 2021 10:00:00", "Mars (é) 2020s")], "2020-01-01"),
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
    assert "10:00:00 (for Ann)" in mail(data).text


@pytest.mark.parametrize(
    ("date", "new"),
    [
        ("Tue, 12 Mar 2024 10:01:30 +0100", "Tue, 19 Mar 2024 10:01:30 +0100"),
        ("12 Mar 2024 10:01 GMT", "19 Mar 2024 10:01 GMT"),
        ("Tue, 12 Mar 2024 10:01:30 -0730 (Local)", "Tue, 19 Mar 2024 10:01:30 -0730 (Local)"),
        ("Tue,\n 12 Mar 2024 10:01:30\n +0100", "Tue, 19 Mar 2024 10:01:30 +0100"),
        ("12 Mar 2024 10:01", "19 Mar 2024 10:01 -0000"),
    ],
)
def test_the_zone_of_a_date_is_no_text_and_stays(date: str, new: str) -> None:
    data = f"Date: {date}\nSubject: x\n\nx\n".encode()
    assert not re.search(r"GMT|\+0100|-0730", mail(data).text)
    assert f"Date: {new}\n".encode() in edited(data, ("12 Mar", "19 Mar"))


def test_letters_with_shifted_dates_keep_their_order(key: Key) -> None:
    """What is shifted by so many days is a whole date, with its time and its zone."""
    letters = [
        f"From: ann@example.org\nSubject: x\nDate: {day} 10:0{n}:30 +0100\n\nSee you.\n".encode()
        for n, day in enumerate(["Tue, 12 Mar 2024", "Wed, 13 Mar 2024", "Wed, 13 Mar 2024"])
    ]
    dates = [
        read(sanitize(mail(data), "research", key=key).data)["Date"].datetime for data in letters
    ]
    assert all(made.strftime("%z") == "+0100" for made in dates)
    assert [made.minute for made in dates] == [0, 1, 2]
    assert dates[0] < dates[1] < dates[2]


@pytest.mark.parametrize("zone", ["ANN", "+9900", "+1080", "Lee"])
def test_what_is_no_zone_is_text(zone: str) -> None:
    data = f"Date: Tue, 12 Mar 2024 10:01:30 {zone}\nSubject: x\n\nx\n".encode()
    assert zone in mail(data).text
    assert zone.encode() not in edited(data, (zone, "[X]"))


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


@pytest.mark.parametrize(
    "said",
    [
        "<ann . lee @ example . org>",
        "ann.lee @example.org",
        "ann.lee@ example.org",
        "Ann <ann . lee@example.org>",
        "Ann <ann.lee@example . org>",
        "ann.lee(x)@example.org",
    ],
)
def test_an_address_in_parts_is_refused(said: str) -> None:
    with pytest.raises(InputError, match="'to' cannot be read"):
        parse(f"To: {said}\r\n\r\nx\r\n".encode(), name="a.eml", format="mail")


@pytest.mark.parametrize(
    "said", ["ann@example.org, Bo <bo@example.org>", "the list", "a b <c@d.e> f"]
)
def test_other_lists_come_out(said: str) -> None:
    letter = f"To: {said}\r\n\r\nx\r\n"
    assert "x" in parse(letter.encode(), name="a.eml", format="mail").text
