"""What a calendar or a card shows is what was read, whichever program shows it."""

from __future__ import annotations

import pytest

from sfumato import formats
from sfumato.document import Document
from sfumato.errors import InputError
from tests.formats.contract import keeps_to_the_contract


def read(text: str) -> Document:
    return formats.parse(text.encode(), name="x", format="calendar")


def untouched(text: str) -> str:
    """A file without what nobody sees, and no other edit."""
    return keeps_to_the_contract(text.encode(), read(text), []).decode()


@pytest.mark.parametrize(
    ("said", "text", "anew"),
    [
        ("Board of <b>Operation</b> Finch", "Board of Operation Finch", None),
        ("Fin<b title='Ann\\, x'>ch</b>", "Finch", None),
        ("Fin<!-- x -->ch<?y?>", "Finch", None),
        ("Fin\r\n <\r\n b>ch", "Finch", None),
        ("Fin\\<\\b>ch", "Finch", None),
        ("<p>one</p>two<br/>three", "\none\ntwo\nthree", "\\none\\ntwo\\nthree"),
        ("Ann <ann@example.org>", "Ann < ann@example.org>", None),
        ("Fin<x>ch, Fin<b", "Fin< x>ch, Fin< b", "Fin< x>ch\\, Fin< b"),
        ("<<b>b>x", "<b>x", "&lt\\;b>x"),
    ],
)
def test_tags_are_read_as_programs_show_them_and_written_by_none(
    said: str, text: str, anew: str | None
) -> None:
    assert read(f"DESCRIPTION:{said}\r\n").text == f"{text}\n"
    assert untouched(f"DESCRIPTION:{said}\r\n") == f"DESCRIPTION:{anew or text}\r\n"


@pytest.mark.parametrize("said", ["1 < 2 > 0", "&lt\\;b&gt\\; x", "a &amp\\; b", "<3", "x <\\nb>"])
def test_what_is_no_tag_stays_to_the_byte(said: str) -> None:
    assert untouched(f"NOTE:{said}\r\n") == f"NOTE:{said}\r\n"


@pytest.mark.parametrize(
    "parameters",
    [
        *(";ENCODING=8BIT;ENCODING=QUOTED-PRINTABLE", ";ENCODING=8BIT;QUOTED-PRINTABLE"),
        *(
            ";CHARSET=UTF-7",
            ";CHARSET=UTF-8;CHARSET=KOI8-R",
            ";CHARSET=x-finch",
            ";VALUE=TEXT;VALUE=URI",
        ),
    ],
)
def test_what_is_read_in_two_ways_or_in_an_unknown_one_is_refused(parameters: str) -> None:
    with pytest.raises(InputError, match="line 2 names its encoding twice or in an unknown way"):
        read(f"BEGIN:VCARD\r\nFN{parameters}:Operation Fin=63h\r\n")


def test_quoted_printable_is_read_by_its_grammar() -> None:
    head = "NOTE;CHARSET={};ENCODING=QUOTED-PRINTABLE:"
    for charset, said, text in (
        ("UTF-8", "a Fin= \r\nch", "a Finch"),
        ("iso-8859-1", "Tom=E1=9A", "Tomáš"),
        ("UTF-8", "Fin<b></b>ch", "Finch"),
    ):
        line = head.format(charset) + said
        assert read(f"{line}\r\n").text == f"{text}\n"
        made = untouched(f"{line}\r\n") if charset == "UTF-8" else ""
        assert made in ("", f"{head.format(charset)}{text}\r\n")
    for said in ("1 = 1", "Hal==79ard", "Fin="):
        assert untouched(f"{head.format('UTF-8')}{said}") == head.format("UTF-8")
    exact = f"{head.format('iso-8859-1')}caf=E9=\r\n=20x\r\n"
    assert untouched(exact) == exact
