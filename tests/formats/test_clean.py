"""What is taken out of texts first, and where what stays came from."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sfumato.formats import tags
from sfumato.formats.clean import Cleaned, clean
from tests.attacks.test_time import steps

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
        "<td a='>' b=\"/>",
        "<!-->",
        "<!-- x --!>",
        "<![CDATA[",
        "<![",
        "]]>",
        "-->",
    ),
    *("<?pi?>", "<![CDATA[x]]>", "</", "<", ">", "&", "&amp;", "&amp;lt;", "&nbsp;", "&notit;"),
    *("&eacute", "&#65;", "&#x41", "&lt;b&gt;", " ", "  ", "\n", "\r\n", "\x00", "\u200b", "\xa0"),
    *("Ann", "Lee", "a<b", "'", '"', "=", "<a ", "<a b=", "<!--", "<!", "<?", "/"),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
STEPS = st.sampled_from([("html",), ("control", "spaces"), ("html", "control", "spaces"), ()])


BLANKS = " \t\n\f\r"


def end_of_tag(text: str, at: int) -> int:
    """Where a tag ends whose name ends there, sign by sign; -1 where it never does."""
    while True:
        while text[at : at + 1] and text[at] in BLANKS + "/":
            at += 1
        if text[at : at + 1] in ("", ">"):
            return at + 1 if text[at:] else -1
        at += text[at] == "="
        while text[at : at + 1] and text[at] not in BLANKS + "/>=":
            at += 1
        behind = len(text) - len(text[at:].lstrip(BLANKS))
        if text[behind : behind + 1] != "=":
            continue
        at = len(text) - len(text[behind + 1 :].lstrip(BLANKS))
        if text[at : at + 1] in ("'", '"'):
            if text.find(text[at], at + 1) < 0:
                return -1
            at = text.index(text[at], at + 1) + 1
        else:
            while text[at : at + 1] and text[at] not in BLANKS + ">":
                at += 1


def between_tags(text: str) -> Iterator[str]:
    """What a browser shows of a text; what never ends in it is text."""
    at, is_open = 0, False
    while at < len(text):
        rest, end = text[at:], -1
        if named := re.match(r"</?([a-zA-Z][^ \t\n\f\r/>]*)", rest):
            end = -1 if is_open else end_of_tag(text, at + named.end())
            is_open |= end < 0 and ">" in rest
        elif rest.startswith("<!--"):
            if closed := re.match(r"(?s)<!--(?:-?>|.*?--!?>)", rest):
                end = at + closed.end()
        elif section := re.match(r"(?s)<!\[CDATA\[.*?\]\]>", rest):
            end = at + section.end()
        if end < 0 and re.match("(?s)<(?:[a-zA-Z!?]|/.)", rest) and not rest.startswith("<!--"):
            end = text.find(">", at) + 1 or -1
        if end > 0:
            boxes = ("p", "br", "div", "td", "li", "tr", "h1", "ul")
            yield " " if named and named[1].lower() in boxes else ""
        else:
            yield text[at]
        at = end if end > 0 else at + 1


def plainly(text: str, steps: tuple[str, ...]) -> str:
    """The same without places."""
    if "html" in steps and ("<" in text or "&" in text):
        text = html.unescape(html.unescape("".join(between_tags(text)))).replace("\xa0", " ")
    if "control" in steps:
        text = re.sub(
            r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\ufeff]", "", text
        )
    if "spaces" in steps:
        text = re.sub(r"[^\S\n]+", " ", text).strip()
    return text


class Counted(str):
    """A text that counts how many of its signs are looked at."""

    seen = 0

    def find(self, sub: str, start: Any = 0, end: Any = None) -> int:
        found = super().find(sub, start)
        self.seen += (found if found >= 0 else len(self)) - start + 1
        return found

    def index(self, sub: str, start: Any = 0, end: Any = None) -> int:
        return self.find(sub, start)

    def rfind(self, sub: str, start: Any = 0, end: Any = None) -> int:
        self.seen += len(self)
        return super().rfind(sub)


class Counting:
    """A pattern that does so."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern

    def search(self, text: Counted, at: int) -> re.Match[str] | None:
        found = self.pattern.search(text, at)
        text.seen += (found.end() if found else len(text)) - at + 1
        return found

    def match(self, text: Counted, at: int) -> re.Match[str] | None:
        found = self.pattern.match(text, at)
        end = found.end() if found else len(text) - len(text[at:].lstrip(BLANKS + "/"))
        is_open = found and found.groupdict().get("open") and not found["value"]
        text.seen += (len(text) if is_open else end) - at + 1
        return found


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=3), st.sampled_from(["", ">", "->"]))
@example(["<a "], ">")
@example(["<a b='>'"], "")
@example(["<!--"], "x>")
@example(["<![CDATA[>"], "")
@example(['<a b=">', "'"], "")
def test_no_text_is_gone_through_again_and_again_for_its_tags(pieces: list[str], end: str) -> None:
    text = Counted("".join(pieces) * 200 + end)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("MARK", "ATTRIBUTE", "TAG_END", "COMMENT_END"):
            patch.setattr(tags, name, Counting(getattr(tags, name)))
        found = [*tags.tags(text)]
    assert found == [*tags.tags(str(text))]
    assert text.seen < 8 * len(text) + 100


@pytest.mark.parametrize(
    "sign", ["<a ", "<!", "<![", "<?", "</", "<script>", "&", "\n", "&#9", "\xa0"]
)
def test_cleaning_takes_steps_in_proportion(sign: str) -> None:
    few, many = (
        steps(partial(clean, "x" + sign * size + "x", ("html", "spaces"))) for size in (500, 1000)
    )
    assert many <= 2.1 * few


def test_what_is_no_section_stays_as_it_is() -> None:
    assert clean("x <![078-05-1120", ("html",)) == "x <![078-05-1120"
    assert clean("<![if x]>a<![endif]><![x", ("html",)) == "a<![x"


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("Patient<br>Quentin Quackenbush<br>SSN<br>078-05-1120", "Patient Quentin Quackenbush SSN 078-05-1120"),
        ("<p>Dear</p><p>Quentin</p>", " Dear  Quentin "),
        ("<td>born</td><td>12/05/1939</td>", " born  12/05/1939 "),
        ("<li>Ann<li>Lee", " Ann Lee"),
        ("Hal<b>ya</b>rd", "Halyard"),
        ("<title>Ann</title>Lee", " Ann Lee"),
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
