"""References with more digits than any character has."""

from __future__ import annotations

import html

import pytest

from sfumato import sanitize
from sfumato.errors import InputError
from sfumato.formats import parse
from sfumato.formats.clean import Cleaned
from sfumato.formats.references import bounded, unescape

LONG = "&#" + "1" * 5000


@pytest.mark.parametrize("digits", ["1" * 9, "0" * 9, "0" * 9 + "65", "9" * 4000, "00000000128"])
@pytest.mark.parametrize("after", ["", ";", "A", "AB;", "65;", " ", ";;"])
def test_long_references_say_what_they_said_and_take_as_many_characters(
    digits: str, after: str
) -> None:
    text = f"a&#{digits}{after}&#{digits}"
    assert unescape(text) == html.unescape(text)
    assert len(bounded(text)) == len(text)


def test_zeros_before_a_number_say_nothing() -> None:
    assert unescape("&#" + "0" * 5000 + "65;") == "A"
    assert unescape(LONG + "A") == "\ufffdA"


@pytest.mark.parametrize(
    "page",
    [
        f"<p>{LONG}; ask ann@example.org</p>",
        f'<p title="{LONG}; ask ann@example.org">x</p>',
        f"<script>x = '{LONG}; ask ann@example.org'</script>",
        f'<a href="/?q={LONG}">ann@example.org</a>',
    ],
)
def test_a_page_with_thousands_of_digits_is_released(page: str) -> None:
    release = sanitize(parse(page.encode(), name="x", format="html"), "default")
    assert b"ann@example" not in release.data


def test_json_and_cleaned_texts_are_read_too() -> None:
    made = sanitize(
        parse(f'{{"a": "{LONG}; ann@example.org"}}'.encode(), name="x", format="json"), "default"
    )
    assert b"ann@example" not in made.data
    assert Cleaned(f"<b title='{LONG}'>Ann {LONG}; Lee</b>", ("html",)).text == "Ann \ufffd Lee"


@pytest.mark.parametrize(
    "field",
    [
        "Content-Type: text/plain; name*{}=x",
        "Content-Disposition: attachment; filename*{}*=x",
        "Content-Disposition: attachment;\r\n filename*{}=x",
    ],
)
def test_a_letter_whose_parameters_have_such_numbers_is_refused(field: str) -> None:
    letter = f"From: a@example.org\r\n{field.format('1' * 5000)}\r\n\r\nHello\r\n"
    with pytest.raises(InputError, match="numbers its parts beyond all bounds") as told:
        sanitize(parse(letter.encode(), name="x", format="mail"), "default")
    assert "\n" not in str(told.value)
