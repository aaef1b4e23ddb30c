"""Calendars and cards of addresses."""

from __future__ import annotations

import base64
import re
import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sfumato import sanitize
from sfumato.document import Document, Edit
from sfumato.errors import InputError
from sfumato.formats import parse
from sfumato.keys import Key
from tests.formats.contract import edits_of, keeps_to_the_contract
from tests.formats.letters import edited as edited_letter
from tests.formats.letters import mail


def read(text: str) -> Document:
    return parse(text.encode(), name="x.ics", format="calendar")


def edited(text: str, *edits: tuple[str, str]) -> str:
    document = read(text)
    spans = sorted((document.text.index(old), old, new) for old, new in edits)
    made = [Edit(at, at + len(old), "TERM", new, "why") for at, old, new in spans]
    return keeps_to_the_contract(text.encode(), document, made).decode()


NAMES = st.sampled_from(
    [
        *(
            "SUMMARY",
            "summary",
            "DESCRIPTION",
            "DTSTART",
            "DTEND",
            "RRULE",
            "GEO",
            "N",
            "ADR",
            "ORG",
        ),
        *(
            "EMAIL",
            "ATTENDEE",
            "X-ANN",
            "item1.TEL",
            "ann.NOTE",
            "PHOTO",
            "BEGIN",
            "BDAY",
            "DTSTAMP",
        ),
        *("URL", "EXDATE", "FREEBUSY", "X-ALT-DESC", "VERSION"),
    ]
)
PARAMETERS = st.sampled_from(
    [
        *(
            ";CN=Ann",
            ';CN="Ann, L"',
            ";TYPE=WORK,ANN",
            ";HOME",
            ";ENCODING=QUOTED-PRINTABLE",
            ";X-A=^n^'",
        ),
        *(
            ";TZID=Europe/Paris",
            ";VALUE=DATE",
            ";ENCODING=b",
            ';X-REDACTED="2024"',
            ";CHARSET=iso-8859-1",
        ),
        *(';SENT-BY="mailto:ann%40x.org"', ";=", ';A="', ";VALUE=ann"),
    ]
)
VALUES = st.one_of(
    st.text("aN,;\\:n %4=é^\"'@-<>", max_size=12),
    st.sampled_from(
        [
            *(
                "20240606T140000",
                "20240606",
                "20240606T140000Z,20240607",
                "1996-04-15",
                "--0415",
                "19961399",
            ),
            *(
                "FREQ=DAILY;UNTIL=20241231",
                "1.5;2.5",
                "mailto:ann@x.org",
                "https://x.org/?a=%41nn+b",
            ),
            *(
                "Lee;Ann;;;",
                "a=0Ab=\r\nc",
                "data:,Ann",
                "email@redacted.invalid",
                "19700101",
                "20240101",
            ),
        ]
    ),
)


@st.composite
def lines(draw: st.DrawFn) -> str:
    parameters = "".join(draw(st.lists(PARAMETERS, max_size=2)))
    line = f"{draw(NAMES)}{parameters}:{draw(VALUES)}"
    cuts = draw(st.lists(st.integers(1, 30), max_size=2))
    for cut in cuts:
        line = line[:cut] + draw(st.sampled_from(["\r\n ", "\n\t", "\n"])) + line[cut:]
    return line


FILES = st.lists(lines(), max_size=5).flatmap(
    lambda made: st.sampled_from(["\r\n", "\n", "\r"]).map(lambda end: end.join([*made, ""]))
)


@given(FILES, st.data())
def test_any_calendar_reads_back_as_it_was_edited(text: str, data: st.DataObject) -> None:
    try:
        document = read(text)
    except InputError:  # an encoding that is named twice
        assume(False)
    keeps_to_the_contract(text.encode(), document, edits_of(document, data))


@pytest.mark.parametrize(
    ("text", "edits"),
    [
        ("N;ENCODING=QUOTED-PRINTABLE:44\r\n", [(1, 2, ",;\t")]),
        ("X-QUOTED-PRINTABLE:a=0Ab=\r\nc\r\n", [(0, 18, "X-REPLACED")]),
        ("QUOTED-PRINTABLE:a=0Ab=\r\nc\r\n", [(0, 1, "X")]),
        ("NOTE;CN=A\r\n nn;ENCODING=QUOTED-PRINTABLE:a=0Ab=\r\nc\r\n", [(0, 1, "")]),
    ],
)
def test_quoted_printable_is_what_a_parameter_says_and_a_semicolon_parts_no_component(
    text: str, edits: list[tuple[int, int, str]]
) -> None:
    made = [Edit(start, end, "TERM", new, "why") for start, end, new in edits]
    keeps_to_the_contract(text.encode(), read(text), made)


@pytest.mark.parametrize(
    ("line", "becomes"),
    [
        (r"DESCRIPTION:Agenda:\nAnn Lee\, head\nx", r"DESCRIPTION:Agenda:\n[X]\, head\nx"),
        (r"DESCRIPTION:a\NAnn Lee\;b\\c", r"DESCRIPTION:a\N[X]\;b\\c"),
        ("DESCRIPTION:a\\\r\n nAnn\r\n  Lee", "DESCRIPTION:a\\\r\n n[X]"),
        ("COMMENT:a\\nA\n nn L\n\tee", "COMMENT:a\\n[X]"),
        (
            'ATTENDEE;CN="Ann Lee";RSVP=TRUE:mailto:b@x.org',
            'ATTENDEE;CN="[X]";RSVP=TRUE:mailto:b@x.org',
        ),
        ("ATTENDEE;CN=Dr^'Ann Lee:mailto:b@x.org", "ATTENDEE;CN=Dr^'[X]:mailto:b@x.org"),
        (
            "NOTE;ENCODING=QUOTED-PRINTABLE:Hi=0AAnn=20L=\r\nee",
            "NOTE;ENCODING=QUOTED-PRINTABLE:Hi=0A=5BX=5D",
        ),
        ("URL:https://x.org/?q=Ann+Lee%2Cx", "URL:https://x.org/?q=%5BX%5D%2Cx"),
        ("FN:Ann Lee", "FN:[X]"),
        ("no line: of Ann Lee", "no line: of [X]"),
    ],
)
def test_escapes_and_folds_are_undone_and_kept(line: str, becomes: str) -> None:
    for end in ("\r\n", "\n"):
        assert edited(line + end, ("Ann Lee", "[X]")) == becomes + end


def test_what_is_new_is_escaped() -> None:
    assert edited("SUMMARY:Ann\n", ("Ann", "a, b; c\\d\ne")) == "SUMMARY:a\\, b\\; c\\\\d\\ne\n"
    assert edited("A;CN=Ann:x\n", ("Ann", 'a, "b"')) == "A;CN=\"a, ^'b^'\":x\n"


def test_components_of_a_name_are_read_as_people_do() -> None:
    assert read("N:Lee;Ann;;Dr.;\n").text == "Dr. Ann Lee   \n"
    assert edited("N:Lee;Ann;;Dr.;\n", ("Ann Lee", "[X]")) == "N:[X];[X];;Dr.;\n"


def test_words_of_the_standards_are_no_text() -> None:
    text = (
        "BEGIN:VCALENDAR\nVERSION:2.0\nMETHOD:REQUEST\nBEGIN:VTIMEZONE\nBEGIN:STANDARD\n"
        "DTSTART:19701025T030000\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\nTZOFFSETFROM:+0200\nEND:STANDARD\n"
        "END:VTIMEZONE\nBEGIN:VEVENT\nSTATUS:CONFIRMED\nTRANSP:OPAQUE\nSEQUENCE:0\nEND:VEVENT\nEND:VCALENDAR\n"
    )
    assert read(text).text == ""
    assert (
        read("ATTENDEE;ROLE=CHAIR;PARTSTAT=ACCEPTED;TYPE=WORK:mailto:a@x.org\n").text == "a@x.org\n"
    )
    assert read("X-MICROSOFT-CDO-BUSYSTATUS:Ann\n").text == "Ann\n"


@pytest.mark.parametrize(
    "text", ["BEGIN:ANN\n", "STATUS:ANN\n", "A;ROLE=ANN:x\n", "ANN:x\n", "ANN.FN:x\n"]
)
def test_other_words_in_their_place_are_text(text: str) -> None:
    assert "ANN" in read(text).text
    assert "ANN" not in edited(text, ("ANN", "[X]"))


@pytest.mark.parametrize(
    ("line", "edit", "becomes"),
    [
        ("DTSTART;TZID=Europe/Paris:20240606T140000", ("2024-06-06", "2024-06-20"), ";TZID=Europe/Paris:20240620T140000"),
        ("DTSTART:20240606T140000Z", ("2024-06-06T14:00:00Z", "June 2024"), ';VALUE=DATE;X-REDACTED="June 2024":20240601'),
        ("DTEND:20240606T140000Z", ("2024-06-06T14:00:00Z", "2024"), ';VALUE=DATE;X-REDACTED="2024":20250101'),
        ("DTEND;TZID=A:20240606T140000", ("2024-06-06T14:00:00 A", "[DATE]"), ';VALUE=DATE;X-REDACTED="[DATE]":19700102'),
        ("DTSTAMP:20240606T140000Z", ("2024-06-06T14:00:00Z", "2024"), ';X-REDACTED="2024":20240101T000000Z'),
        ("BDAY:1996-04-15", ("1996-04-15", "1996"), ';X-REDACTED="1996":19960101'),
        ("BDAY:19960415", ("1996-04-15", "1997-01-02"), ":19970102"),
        ("BDAY:1996-04-15", ("1996-04-15", "1997-01-02"), ":1997-01-02"),
        ("BDAY;X-ANN=ANN:1996-04-15", ("1996", "1997"), ":1997-04-15"),
        ("EXDATE:20240606,20240613", ("2024-06-06", "2024-06-07"), ":20240607,20240613"),
        ("RRULE:FREQ=DAILY;UNTIL=20240606", ("2024-06-06", "2024"), ';X-REDACTED="2024":FREQ=DAILY;UNTIL=20240101'),
        ("GEO:37.38;-122.08", ("37.38;-122.08", "[LOC]"), ';X-REDACTED="[LOC]":0;0'),
        ("GEO:37.38;-122.08", ("37", "937"), ';X-REDACTED="937.38;-122.08":0;0'),
    ],
)  # fmt: skip
def test_an_edited_value_of_a_form_keeps_it_and_says_no_more(
    line: str, edit: tuple[str, str], becomes: str
) -> None:
    name = re.match("[A-Z]+", line)
    assert name is not None
    assert edited(f"{line}\r\n", edit) == f"{name[0]}{becomes}\r\n"


def test_files_and_pages_within_are_taken_out() -> None:
    photo = base64.b64encode(b"Ann Lee").decode()
    text = f"PHOTO;ENCODING=b:{photo}\nPHOTO:data:image/png;base64,{photo}\nX-ALT-DESC:<p>A&#110;n</p>\nFN:Bo\n"
    assert edited(text, ("Bo", "X")) == "PHOTO;ENCODING=b:\nPHOTO:\nX-ALT-DESC:\nFN:X\n"


def test_addresses_that_are_labels_are_addresses_to_programs() -> None:
    text = "ORGANIZER:mailto:ann%40x.org\nEMAIL:bo@x.org\n"
    made = edited(text, ("ann@x.org", "[EMAIL]"), ("bo@x.org", ""))
    assert made == "ORGANIZER:mailto:email@redacted.invalid\nEMAIL:hidden@redacted.invalid\n"


INVITATION = r"""BEGIN:VCALENDAR
VERSION:2.0
METHOD:REQUEST
BEGIN:VEVENT
DTSTART;TZID=Europe/Stockholm:20240606T140000
DTEND;TZID=Europe/Stockholm:20240606T150000
ORGANIZER;CN=Beatrix Lindqvist:mailto:beatrix@lindqvist.example
SUMMARY:Review
DESCRIPTION:Agenda:\nQuillon Vasterbeck\, head of unit\nq.vasterbeck@plonk.example
END:VEVENT
END:VCALENDAR
"""


@pytest.mark.parametrize(
    ("kind", "name"),
    [("text/calendar; method=REQUEST", ""), ("application/ics", ""), ("text/plain", "meeting.ics")],
)
@pytest.mark.parametrize("profile", ["default", "research"])
def test_an_invitation_in_a_letter_stays_one_and_names_nobody(
    kind: str, name: str, profile: str, key: Key
) -> None:
    named = f'\nContent-Disposition: attachment; filename="{name}"' if name else ""
    head = f"From: a@b.example\nMIME-Version: 1.0\nContent-Type: {kind}{named}\n\n"
    made = sanitize(mail(f"{head}{INVITATION}".encode()), profile, key=key).data.decode()
    assert not re.search("(?i)quillon|vasterbeck|plonk|beatrix|lindqvist", made)
    assert "method=REQUEST" in made or "method" not in kind
    assert made.count("BEGIN:V") == made.count("END:V") == 2
    assert re.search(
        r"DTSTART(?:;VALUE=DATE;X-REDACTED=\"[^\"]*\":20240101|;TZID=[^:]*:\d{8}T\d{6})\n", made
    )


@pytest.mark.parametrize("kind", ["text/vcard", "text/x-vcard", "text/directory", "text/calendar"])
def test_a_card_in_a_letter_is_read_as_one(kind: str) -> None:
    data = f"From: a@b.example\nContent-Type: {kind}\n\nNOTE:x\\nAnn\\, y\n".encode()
    assert b"\n\nNOTE:x\\n[X]\\, y\n" in edited_letter(data, ("Ann", "[X]"))


def test_long_lines_are_read_in_time_that_grows_with_them() -> None:
    begun = time.process_time()
    for value in (
        "\\" * 100_000,
        "\n " * 50_000,
        "=\n" * 50_000,
        ";" * 100_000,
        ';A="' * 30_000,
        "%25" * 9999,
        "<!" * 50_000,
        "<b " * 50_000,
    ):
        read(f"N;QUOTED-PRINTABLE:{value}")
        read(f"RRULE{value}:{value}")
    assert time.process_time() - begun < 10


@pytest.mark.parametrize("charset", ["iso-8859-1", "UTF-8", "windows-1252"])
def test_how_a_value_is_encoded_is_no_text(charset: str) -> None:
    text = f"SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET={charset}:Ann=\r\nx\r\n"
    assert charset not in read(text).text


@pytest.mark.parametrize("name", ["BDAY", "REV", "DTSTART", "GEO", "NOTE"])
@pytest.mark.parametrize(
    "coding", ["ENCODING=QUOTED-PRINTABLE", "QUOTED-PRINTABLE", "ENCODING=Q", "ENCODING=b"]
)
def test_what_is_in_a_coding_is_undone_or_taken_out(name: str, coding: str) -> None:
    coded = "".join(f"={ord(letter):02X}" for letter in "1975-03-14")
    source = f"BEGIN:VCARD\r\nVERSION:2.1\r\n{name};{coding}:{coded}\r\nEND:VCARD\r\n"
    released = sanitize(
        parse(source.encode(), name="b.vcf", format="calendar"), {"detect": ["patterns"]}
    )
    assert "=31=39" not in released.data.decode()
    assert "1975-03-14" not in released.data.decode()


@pytest.mark.parametrize(
    "said",
    [
        "&#97\\;nn@example.org",
        "&#97;nn@example.org",
        "&#x61\\;nn@&#101\\;xample.org",
        "&#9\r\n 7\\;nn@example.org",
        "ann&commat\\;example.org",
    ],
)
@pytest.mark.parametrize("name", ["DESCRIPTION", "NOTE", "SUMMARY", "X-WORDS"])
def test_references_are_undone_as_programs_do(name: str, said: str) -> None:
    source = f"BEGIN:VCALENDAR\r\n{name}:Ask {said} &amp\\; Bo\r\nEND:VCALENDAR\r\n"
    released = sanitize(
        parse(source.encode(), name="b.ics", format="calendar"), {"detect": ["patterns"]}
    )
    assert "Ask [EMAIL 1] &amp\\; Bo" in released.data.decode()


def test_a_reference_that_is_written_out_stays_one() -> None:
    source = "BEGIN:VCALENDAR\r\nNOTE:AT&T\\, &amp\\;#65\\; of ann@example.org\r\nEND:VCALENDAR\r\n"
    released = sanitize(
        parse(source.encode(), name="b.ics", format="calendar"), {"detect": ["patterns"]}
    )
    assert "NOTE:AT&T\\, &amp\\;#65\\; of [EMAIL 1]" in released.data.decode()


def test_pages_in_parameters_are_taken_out() -> None:
    source = (
        'BEGIN:VCALENDAR\r\nDESCRIPTION;ALTREP="data:text/html,%26%2365%3B":x\r\nEND:VCALENDAR\r\n'
    )
    released = sanitize(parse(source.encode(), name="b.ics", format="calendar"), {"detect": []})
    assert b"%23" not in released.data


@pytest.mark.parametrize("before", ["", "see ", '<img src="', "<img src=", '<img src="&#100;'])
@pytest.mark.parametrize("name", ["DESCRIPTION", "NOTE", "X-OTHER", "SUMMARY;LANGUAGE=en"])
def test_files_in_addresses_within_texts_are_taken_out(name: str, before: str) -> None:
    photo = base64.b64encode(b"Call Ann Lee, 07700 900318").decode()
    address = "data:image/svg+xml\\;base64\\,".removeprefix("d" if "&" in before else "")
    source = f"BEGIN:VCALENDAR\r\n{name}:x {before}{address}{photo}\r\nEND:VCALENDAR\r\n"
    released = sanitize(parse(source.encode(), name="b.ics", format="calendar"), {"detect": []})
    assert photo[:8] not in released.data.decode().replace("\r\n ", "")


@pytest.mark.parametrize(
    ("rule", "is_read"),
    [
        ("FREQ=bluebird", True),
        ("FREQ=WEEKLY;BYDAY=bluebird", True),
        ("BYKELLER=MARIA", True),
        ("FREQ=WEEKLY;COUNT=07700900123", True),
        ("FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10", False),
        ("FREQ=MONTHLY;INTERVAL=2;BYDAY=MO,+2TU;BYSETPOS=-1,1;WKST=SU", False),
    ],
)
def test_of_a_rule_only_the_words_of_the_standard_are_passed_over(rule: str, is_read: bool) -> None:
    assert (rule.rpartition("=")[2] in read(f"RRULE:{rule}").text) == is_read
