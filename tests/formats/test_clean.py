"""What is taken out of texts first, and where what stays came from."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.formats.clean import Cleaned, clean

PIECES = (
    *(
        "<b>",
        "</b>",
        "<p class='x'>",
        "<!-- c -->",
        "<br/>",
        "<script>",
        "</script>",
        "<!DOCTYPE x>",
    ),
    *("<?pi?>", "<![CDATA[x]]>", "</", "<", ">", "&", "&amp;", "&amp;lt;", "&nbsp;", "&notit;"),
    *("&eacute", "&#65;", "&#x41", "&lt;b&gt;", " ", "  ", "\n", "\r\n", "\x00", "\u200b", "\xa0"),
    *("Ann", "Lee", "a<b"),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=10).map("".join)
STEPS = st.sampled_from([("html",), ("control", "spaces"), ("html", "control", "spaces"), ()])


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    def handle_starttag(self, tag: str, _: object) -> None:
        self.parts += [" "] * (tag in ("p", "br", "div", "td", "li", "tr", "h1", "ul"))

    def handle_startendtag(self, tag: str, _: object) -> None:
        self.handle_starttag(tag, None)

    def handle_endtag(self, tag: str) -> None:
        self.handle_starttag(tag, None)


def plainly(text: str, steps: tuple[str, ...]) -> str:
    """The same without places: what a browser's parser leaves of a text."""
    if "html" in steps and ("<" in text or "&" in text):
        reader = _Reader()
        reader.feed(text)
        reader.close()
        text = html.unescape("".join(reader.parts)).replace("\xa0", " ")
    if "control" in steps:
        text = re.sub(
            r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\ufeff]", "", text
        )
    if "spaces" in steps:
        text = re.sub(r"[^\S\n]+", " ", text).strip()
    return text


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("Patient<br>Quentin Quackenbush<br>SSN<br>078-05-1120", "Patient Quentin Quackenbush SSN 078-05-1120"),
        ("<p>Dear</p><p>Quentin</p>", " Dear  Quentin "),
        ("<td>born</td><td>12/05/1939</td>", " born  12/05/1939 "),
        ("<li>Ann<li>Lee", " Ann Lee"),
        ("Hal<b>ya</b>rd", "Halyard"),
    ],
)  # fmt: skip
def test_what_has_a_line_or_a_cell_of_its_own_parts_words(raw: str, said: str) -> None:
    assert clean(raw, ("html",)) == said


@given(TEXTS, STEPS)
def test_cleaning_says_where_every_character_came_from(text: str, steps: tuple[str, ...]) -> None:
    made = Cleaned(text, steps)
    assert made.text == clean(text, steps) == plainly(text, steps)
    assert len(made.spans) == len(made.text)
    assert all(a[0] <= b[0] and a[1] <= b[1] for a, b in pairwise(made.spans))
    assert all(0 <= a < b <= len(text) for a, b in made.spans)


@pytest.mark.parametrize("char", ["A", "é", "x"])
def test_a_character_that_stays_stands_for_itself(char: str) -> None:
    made = Cleaned(f"<i>{char}</i>", ("html",))
    assert made.original(0, 1) == (3, 4)
