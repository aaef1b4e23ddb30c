"""Markdown is read as viewers show it, and written back to the byte but for the edits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import formats, sanitize
from sfumato.document import Document, Edit
from tests.formats.contract import edits_of, keeps_to_the_contract

NAME = "Margaret Holloway"


def read(text: str) -> Document:
    return formats.parse(text.encode(), name="a.md", format="markdown")


@pytest.mark.parametrize(
    "said",
    [
        "".join(f"&#{ord(c)};" for c in NAME),
        "".join(f"&#x{ord(c):X};" for c in NAME),
        "Margaret&#32Holloway",
        "Marg<b></b>aret Hol<wbr/>loway",
        "Marg<!-- a - b -->aret Holloway",
        "Mar**ga**ret Hollo~~w~~ay",
        "Marg<span title='x'>aret Holloway",
        "Marg[](x)aret Holloway",
        "Marg![alt](x)aret Holloway",
        "Marg[](x \"t(1)\")aret Hol[](a(b(c))d '(')loway",
        "Marg[](<a(b> (t))aret Hol![](a\\)b)loway",
        "Marg[](x)**_ar_**et Hol*_low_*ay",
        "M&#97;_rg_&#97;ret Holloway",
        "M`&#97;`rgaret Holl*<i>*oway",
        "M&#97;**&#114;<b>garet Holloway",
    ],
)
def test_a_name_is_found_however_it_is_written(said: str) -> None:
    assert read(f"Dear {said}.\n").seen.text.rstrip().startswith(f"Dear {NAME}.")
    released = sanitize(read(f"# For us\n\nDear {said}, we wrote to Ann\\.")).data.decode()
    assert released.startswith("# For us\n\nDear [PERSON 1], we wrote")


@pytest.mark.parametrize("unseen", ["\u200b", "\xad", "&zwnj;", "&#8203;", "\u2060"])
@pytest.mark.parametrize("link", ["[](x)", "![](x 't')", '[](x "(1)")', "<!-- x -->"])
@pytest.mark.parametrize("order", ["{0}{1}", "{1}{0}", "{1}{0}{1}"])
def test_links_beside_signs_that_draw_nothing_are_taken_out(
    order: str, link: str, unseen: str
) -> None:
    released = sanitize(read(f"Dear Mar{order.format(link, unseen)}garet Holloway.\n"))
    assert released.data.decode() == "Dear [PERSON 1].\n"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (r"ann\_lee@example\.org \a \\ \&amp;", r"ann_lee@example.org \a \ &amp;"),
        ("AT&T, &nosuch; R&D &copy; &#9999999999;", "AT&T, &nosuch; R&D © \ufffd"),
        ("snake_case, a ** b, [cat](x)s, note[1] <a@b.org>", None),
        ("# *Good* **words**, `code` ~~gone~~ <b>bold</b>\n\n* item", None),
        ("10~20", None),
    ],
)
def test_what_is_shown_is_what_is_read(said: str, shown: str | None) -> None:
    assert read(said).text == (said if shown is None else shown)


@pytest.mark.parametrize(
    ("said", "released"),
    [
        ("C:\\Ann &amp; \\* x", "C:\\\\[X] &amp; \\* x"),
        ("see &#65;nn&amp;co", "see [X]&amp;co"),
        ("Mc**Ann**s *b*", "Mc[X]s *b*"),
        ("d<!-- y -->e Ann", "de [X]"),
        ("un**believ**able Ann", "un**believ**able [X]"),
    ],
)
def test_only_what_is_edited_changes(said: str, released: str) -> None:
    document = read(said)
    at = document.text.index("Ann")
    edits = formats.fit(document, [Edit(at, at + 3, "PERSON", "[X]", "a name")])
    assert formats.write(document, edits).decode() == released


@given(
    st.lists(
        st.sampled_from(["a", "b ", "*", "**", "\\", "&", "#65;", "&amp;", "<b>", "</b>", "<!--"])
        | st.sampled_from(["-->", "[", "](x)", "![](y)", "~~", "`", "\n", "<i x=y>", ";", "_"]),
        max_size=25,
    ),
    st.data(),
)
def test_any_file_reads_back_as_it_was_edited(pieces: list[str], data: st.DataObject) -> None:
    source = "".join(pieces)
    document = read(source)
    keeps_to_the_contract(source.encode(), document, edits_of(document, data))


LINKED = [
    *("[Hal](x)yard", "Hal[yard](x)", "[Hal][a]yards", "Hal![yard](x)"),
    *('[Hal](x "t(1)")yard', "Hal\u200b[yard](x)", "Hal**[yard](x)**", "[Hal](a(b)c)&zwnj;yard"),
    *("Hal[](x\n't')yard", "Hal[][a]yard", "Hal&shy;[][a]yard", "Hal[][a]\xadyard"),
]


@pytest.mark.parametrize("link", LINKED)
def test_links_within_words_are_told_of_though_a_release_is_signed(link: str) -> None:
    assert formats.shown_otherwise(read(link), signed=True) == formats.LINKS_WITHIN
    assert not formats.shown_otherwise(read("a [link](x), [an other][a]. <b>b</b>"), signed=True)


@pytest.mark.parametrize(
    "address",
    [
        "data:image/svg+xml,X",
        "data:text/html;charset=utf-8,X",
        "data:image/png;base64,WA==",
        "DATA:;base64,WA==",
        "&#100;ata:image/svg+xml;base64,WA==",
        "data&colon;image/png;base64,WA==",
        "data\\:image/png;base64,WA==",
        f"data:image/png;a={'a' * 300};base64,WA==",
        "data:image/png;a=(b);base64,WA==",
    ],
)
@pytest.mark.parametrize("around", ["![a]({})", "[a](<{}>)", "[b]: {}\n", "<{}>", "see {} now"])
def test_files_within_addresses_are_taken_out(around: str, address: str) -> None:
    source = around.format(address.replace("X", "%26%2365%3B"))
    made = sanitize(read(source), {"detect": []}).data.decode()
    assert made.startswith(around.partition("{")[0])
    assert "%26" not in made
    assert "WA==" not in made


def test_words_that_look_like_addresses_stay() -> None:
    source = "data: a, b; metadata:x,y [a](data,x) data:,x"
    assert sanitize(read(source), {"detect": []}).data.decode() == source
