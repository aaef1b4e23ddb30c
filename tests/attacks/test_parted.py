"""Words and numbers that tags of a text, ends of lines or signs of print part are found whole."""

from __future__ import annotations

import json
import re
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato
from sfumato import formats
from sfumato.detect.patterns.engine import Engine, Pattern
from sfumato.document import Release, restored
from sfumato.errors import InputError
from sfumato.formats import html
from sfumato.keys import Key
from sfumato.pipeline import Sanitizer
from sfumato.protect.logs import k_anonymous
from tests.attacks.test_time import steps

KEY = Key(bytes(32))
SANITIZER = Sanitizer("default", KEY)
NAMES = {"csv": "a.csv", "json": "a.json", "text": "a.txt"}
COLUMNS = {"csv": ("note",), "json": (), "text": ()}
TAGS = [
    "<b></b>",
    "<!-- -->",
    "<wbr>",
    "</b><i>",
    "<span class='x'>",
    "<my-x>",
    "<?x?>",
    "<a\nb='>'>",
]


def released(data: str, format: str = "text") -> Release:
    release = SANITIZER(
        formats.parse(data.encode(), name=NAMES[format], format=format, columns=COLUMNS[format])
    )
    assert restored(release.data, release.record) == data.encode()
    checks = sfumato.verify(release, "default", public_key=KEY.public, key=KEY)
    assert not [check for check in checks if check.refuses]
    return release


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("format", ["json", "text", "csv"])
def test_a_tag_in_a_text_parts_no_word(tag: str, format: str) -> None:
    frame = {"json": '{{"html": {}}}', "text": "{}", "csv": "note\n{}\n"}[format]
    for said, rest in (
        ("<p>SSN 078-0{0}5-11{0}20 here", "20"),
        ("Mrs Margaret Hollo{0}way came", "way"),
        ("Card 4111 11{0}11 1111{0} 1111 x", "1111"),
        ("Mail ann.lee@exam{0}ple.org now", "exam"),
    ):
        text = said.format(tag)
        if format == "csv":
            written = frame.format('"' + text.replace('"', '""') + '"')
        else:
            written = frame.format(json.dumps(text) if format == "json" else text)
        assert rest not in re.sub("<[^>]*>", "", released(written, format).data.decode())


@pytest.mark.parametrize("tag", ["<br>", "<p>", "</td><td>", "<li>"])
def test_a_tag_with_a_line_of_its_own_does(tag: str) -> None:
    said = json.dumps({"html": f"weight{tag}loss of Mr{tag}Lee"})
    assert "weight" in released(said, "json").data.decode()


def test_tags_that_cut_no_term_stay() -> None:
    said = '{"h": "<p>He likes <b>tea</b>.</p> <i>SSN 078-<b></b>05-1120</i> <a href=\'x\'>07700 900318</a>."}'
    made = released(said, "json").data.decode()
    assert re.findall("<[^>]*>", made) == re.findall("<[^>]*>", said.replace("<b></b>", ""))
    assert not re.findall(r"\d\d", made)


@pytest.mark.parametrize("end", ["-\n", "-\r\n", "-\n> ", "-\n  "])
def test_names_are_found_over_the_ends_of_lines(end: str) -> None:
    text = f"Mrs Margaret Hollo{end}way of Wake{end}field came.\nMr Abraham Lin{end}coln also."
    made = released(text).text
    assert not {"Hollo", "way", "Wake", "field", "Lin", "coln"} & {*re.findall(r"\w+", made)}


NUMBERS = {
    "SSN 078-05-1120 here": "-",
    "Card number 4111 1111 1111 1111 here": " ",
    "paid by 4111 1111 1111 1111 now": " ",
    "NHS 943 476 5919 here": " ",
    "Phone 07700 900318 here": " ",
    "born 12-05-1931 here": "-",
}
PARTS = {
    " ": ["\xa0", "\u2009", "\u202f", "  ", "\t", "\n", "\r\n", " \n  ", "\n> "],
    "-": ["\u2010", "\u2011", "\u2013", "\u2212", "-\n", "-\r\n  "],
}


@pytest.mark.parametrize("text", NUMBERS)
@pytest.mark.parametrize("profile", ["default", "hipaa-safe-harbor"])
def test_numbers_are_found_whatever_parts_their_groups(text: str, profile: str) -> None:
    sign, is_bare = NUMBERS[text], text.startswith(("born", "paid"))
    for part in PARTS[sign]:
        is_wide = len(part) > 1 or part in "\t\n"
        if is_bare and is_wide and (text.startswith("born") or "\n" not in part):
            continue  # columns of numbers look so, too
        where = re.compile(rf"(?<=\d){sign}(?=\d)")
        said = where.sub(part, text, count=is_bare and is_wide)
        made = sfumato.sanitize(said, profile)
        assert not re.findall(r"\d", re.sub(r"\[[A-Z ]+ \d+\]", "", made.text).replace("1931", ""))
        assert sfumato.restore(made) == said


def test_columns_of_numbers_are_no_card() -> None:
    engine = Sanitizer({"detect": ["patterns"]}, KEY)
    for text in (
        "7\t8\n1234\t5678\t9012\n",
        "1 2\n4111 1111\n1111 1111\n5 6\n",
        "2010–2015, pages 12–15",
    ):
        assert engine(text).text == text


@given(
    st.lists(st.sampled_from([*"12- \t\n", "\xa0", "–", "a", "\u200b"]), max_size=16).map("".join)
)
def test_a_rejoined_number_stands_where_it_is_written(text: str) -> None:
    engine = Engine((Pattern("it", "ID", r"\d\d(?:[ -]\d\d)*", 0.5, custom=True),))
    for term in engine.find(text, "x"):
        said = re.sub(r"[\s\xa0\u200b–-]+", "", text[term.start : term.end])
        assert re.fullmatch("[12]{2,}", said)
        assert text[term.start] in "12"
        assert text[term.end - 1] in "12"


@pytest.mark.parametrize(
    "note",
    ["Mrs Hollo<b></b>way", "Mrs Hol<nobr></nobr>lo<i></i>way", "SSN<b></b>078-05-1120<i></i>DOB"],
)
def test_tags_of_a_card_may_part_words_and_may_not(note: str) -> None:
    card = f"BEGIN:VCARD\r\nVERSION:3.0\r\nNOTE:{note} x\r\nEND:VCARD\r\n"
    made = SANITIZER(formats.parse(card.encode(), name="a", format="calendar")).data.decode()
    assert not {"Hollo", "way", "Hol", "1120", "078"} & {*re.findall(r"\w+", made)}


@pytest.mark.parametrize(
    "said", ['"a\\u0000"', '["x", "b\\u0000c"]', '{"Ann": {"Lee": "\\u0000"}}']
)
@pytest.mark.parametrize("format", ["json", "jsonl"])
def test_an_error_quotes_no_key(said: str, format: str) -> None:
    with pytest.raises(InputError, match=r"^a: line 1 has a zero") as error:
        formats.parse(f'{{"Margaret Holloway": {said}}}'.encode(), name="a", format=format)
    assert not {"Margaret", "Ann", "Lee"} & {*re.findall(r"\w+", str(error.value))}


@pytest.mark.parametrize(
    "other", ["Ann\x1b[0m", "Anx\bn", "\x1b]8;;x\x07Ann", "A\x7fnn", "\x9b1mann"]
)
def test_users_who_are_drawn_alike_are_one(other: str) -> None:
    rows = [("Ann", "my street"), (other, "my street"), ("Ann", "flu"), ("Bob", "flu")]
    assert k_anonymous(rows, 2) == [("Ann", "flu"), ("Bob", "flu")]


@pytest.mark.parametrize("nobody", ["\x1b[0m", "\x9b1m \x07"])
def test_who_is_drawn_as_nothing_is_nobody(nobody: str) -> None:
    with pytest.raises(InputError, match="row 2 has no user"):
        k_anonymous([("Ann", "flu"), (nobody, "flu")], 2)


NOT_DRAWN = ("noscript", "rp", "audio", "video", "canvas", "object", "datalist", "i hidden=x")
MOVED = [  # a page, and a text that a browser shows in one line
    ("12 High Str<table>eet<tr><td>x</table> y", "12 High Street"),
    ("<table><tr><td>a 4111 1111<table> 1111 1111<tr><td>x</table>", "4111 1111 1111 1111"),
    ("Hollo<table><tr>wa<td>x</td>y</tr></table>", "Holloway"),
    ("Hollo<title>x</title>way", "Holloway"),
    ("Hollo<template>x <b>y</b></template>way", "Holloway"),
    ("Hollo<datalist><option>x</datalist>way", "Holloway"),
    ("Hollo<dialog class=a>x<p>y</dialog>way", "Holloway"),
    ("<template>a <template>b</template></template>Hollo<b>way</b>", "Holloway"),
    *((f"Hollo<{name}>x <b>y</b></{name.split()[0]}>way", "Holloway") for name in NOT_DRAWN),
    *(
        (f"Hollo<{name} {how}>x <b>y</b></{name}>way", "Holloway")
        for name in ("i", "span", "div", "section", "button", "svg", "textarea", "details")
        for how in (
            "hidden",
            "HIDDEN=until-found",
            'style="color:red;/**/Display : none!important"',
        )
    ),
    *(
        (f"<svg><text>Hollo<{name}>x</{name.split()[0]}>way</text></svg>", "Holloway")
        for name in ("desc", "defs", "metadata", "title", "tspan display=none")
    ),
    ("Hollo<i style='visibility:hidden'>x</i>way", "Holloway"),
    ("Hollo<span hidden>x<span>y</span>z</span>way", "Holloway"),
    ("Hollo<div hidden>x<div>y</div>z</div>way", "Holloway"),
    ("<div><span hidden>x</div>Hol</span>loway", "Holloway"),
    ("Hollo<br hidden>way <i hidden>x</i>", "Holloway"),
    ("Hollo<template><div hidden><table><tr></template>way", "Holloway"),
    ("<p>Hollo<template></p></div></template>way", "Holloway"),
    ("<ruby>Hollo<rp>(<rt>x<rp>)</ruby>way", "Holloxway"),
    ("<table>Hollo<form>way</form></table>", "Holloway"),
    ("Hollo<table hidden><tr>wa<td>x</table>y", "Holloway"),
    ("<p>Hollo<template><table></template>way<table><tr><td>x</table>", "Holloway"),
]


@pytest.mark.parametrize(("page", "shown"), MOVED)
def test_text_is_read_where_browsers_draw_it(page: str, shown: str) -> None:
    read = formats.parse(page.encode(), name="a", format="html")
    assert shown in read.text
    made = SANITIZER(read)
    assert restored(made.data, made.record) == page.encode()
    assert all(read.text[p.start : p.end] for p in read.origin.parts)


BITS = [
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "</td>",
    "<div>",
    "</div>",
    "<template>",
    "</template>",
]
BITS += [
    "<dialog>",
    "</dialog>",
    "<title>t</title>",
    "a",
    "b ",
    "<caption>",
    "<p>",
    "<svg>",
    "</svg>",
]
BITS += [
    "<i hidden>",
    "</i>",
    "<div hidden>",
    "<p hidden>",
    "<noscript>",
    "</noscript>",
    "<form>",
    "<rp>",
    "</ruby>",
    "<table hidden>",
    "<span style='display:none'>",
    "</span>",
]


@given(st.lists(st.sampled_from(BITS), max_size=14).map("".join))
def test_no_text_is_lost_or_told_twice(page: str) -> None:
    def letters(text: str) -> list[str]:
        return sorted(c for c in text if c.isalpha())

    read = formats.parse(page.encode(), name="a", format="html")
    assert letters(read.text) == letters(re.sub("<[^>]*>", "", page))
    release = formats.write(read, [])
    assert release.decode() == page


@pytest.mark.parametrize(
    "part",
    [
        *("<table>x", "<template>x", "<table><tr><td>", "x</template>", "<template></b>"),
        *("<i hidden>", "<i hidden></b>x", "<div hidden>", "<p hidden>x", "<rp>x<rt>"),
        *("<noscript></template>", "<i hidden></div><div>", "<div><i hidden>"),
    ],
)
def test_pages_of_tables_in_tables_take_steps_in_proportion(part: str) -> None:
    few, many = (steps(partial(html.page, part * size, "")) for size in (300, 600))
    assert many <= 2.2 * few
