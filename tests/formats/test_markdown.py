"""Markdown is read as viewers show it, and written back to the byte but for the edits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import formats, sanitize
from sfumato.document import Document, Edit
from sfumato.errors import InputError
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
    assert read(f"Dear {said}.\n").text.startswith(f"Dear {NAME}.\n")
    released = sanitize(read(f"# For us\n\nDear {said}, we wrote to Ann\\."))
    assert released.text.startswith("# For us\n\nDear [PERSON 1], we wrote")


@pytest.mark.parametrize("unseen", ["\u200b", "\xad", "&zwnj;", "&#8203;", "\u2060"])
@pytest.mark.parametrize("link", ["[](x)", "![](x 't')", '[](x "(1)")', "<!-- x -->"])
@pytest.mark.parametrize("order", ["{0}{1}", "{1}{0}", "{1}{0}{1}"])
def test_links_beside_signs_that_draw_nothing_part_no_word(
    order: str, link: str, unseen: str
) -> None:
    released = sanitize(read(f"Dear Mar{order.format(link, unseen)}garet Holloway.\n"))
    assert released.text.startswith("Dear [PERSON 1].\n")
    assert released.data.decode().replace(link, "") == "Dear [PERSON 1].\n"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (r"ann\_lee@example\.org \a \\ \&amp;", r"ann_lee@example.org \a \ &amp;"),
        ("AT&T, &nosuch; R&D &copy; &#9999999999;", "AT&T, &nosuch; R&D © \ufffd"),
        ("snake_case, a - b, note[1] <a@b.org> [a][b] 5 < 6 > 4", None),
        ("[cat](x)s, ![a *b*](y)c", "cats, c\nx\na b\ny"),
        (
            "# *Good* **words**, `code` ~~gone~~ <b>bold</b>\n\n- item",
            "# Good words, code gone bold\n\n- item",
        ),
        ("> a\n> > b\n- > c\n1. d", " a\n b\n- c\n1. d"),
        ("a\\\nb", "a\nb"),
        ("List<String> <br> <https://x.org>", "List  <https://x.org>\n<String>"),
    ],
)
def test_what_is_shown_is_what_is_read(said: str, shown: str | None) -> None:
    assert read(said).text == (said if shown is None else shown)


@pytest.mark.parametrize(
    ("said", "released"),
    [
        ("C:\\Ann &amp; \\* x", "C:\\\\[X] &amp; \\* x"),
        ("see &#65;nn&amp;co", "see [X]&amp;co"),
        ("Mc**Ann**s *b*", "Mc**[X]**s *b*"),
        ("d<!-- y -->e Ann", "d<!-- y -->e [X]"),
        ("a_Ann, _Ann_", "a\\_\\[X\\], _Ann_"),
        ("see [Ann](x)", "see [[X]](x)"),
        ("see <b>Ann</b> <i a=b>Ann</i>", "see <b>[X]</b> <i a=b>Ann</i>"),
        ("see Ann(x)", "see \\[X](x)"),
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
        | st.sampled_from(["-->", "[", "](x)", "![](y)", "~~", "`", "\n", "<i x=y>", ";", "_"])
        | st.sampled_from(
            ["> ", "- ", "]: x\n", "[a]", "!", "(", ")", '"', "<x>", "<?", "?>", "<b "]
        ),
        max_size=25,
    ),
    st.data(),
)
def test_any_file_reads_back_as_it_was_edited(pieces: list[str], data: st.DataObject) -> None:
    source = "".join(pieces)
    try:
        document = read(source)
    except InputError:  # over lines of a quote
        return
    keeps_to_the_contract(source.encode(), document, edits_of(document, data))


PHRASES = [
    *("Operation **Finch**", "*Operation* Finch", "<b>Operation</b> Finch", "Operation [Finch](x)"),
    *("> all in Operation\n> Finch", "> > Operation\n> >Finch", "- > Operation\n  > Finch"),
    *(
        "`Operation` Finch",
        "~~Operation~~ Finch",
        "Operation <!-- x --> Finch",
        "Operation\\\nFinch",
    ),
    *("[Operation][a] Finch\n\n[a]: /x", "Operation [Finch]\n\n[Finch]: /x", "Operation ~Finch~"),
    *("Operation Fin<?x?>ch", "Operation Fin<!X y>ch", "Operation Fin<![CDATA[x]]>ch"),
    *("Operation Fin<!-->ch", "Operation Fin<!--->ch", "Operation Fin<!-- a -- b -->ch"),
    *(f"Operation Fin<!--{' x' * 600}-->ch", f'Operation Fin<b title="{"x" * 600}">ch</b>'),
    *('Operation Fin<span\nclass="x">ch', "Operation Fin<b title='>'>ch", "Operation Fin</b x>ch"),
    *("Operation [Fin]ch\n\n[Fin]: /x", "[Operation][] Fin[ch][a]\n\n[operation]: /x\n[a]: /y"),
    *('Operation Fin[](x\n"a\nb")ch', "Operation Fin![a *b* c](x)ch", "Operation Fin[](<a b>)ch"),
    *("Operation Fin[](((((x)))))ch", "Operation Fin</div>ch", "Operation Fin<x-y>ch</x-y>"),
    *("Operation Fin[![](x)](y)ch", "Operation _Fin_<b></b>ch", "Operation Fin<b>_ch_</b>"),
]
POLICY = {
    "detect": [{"lists": {"hide": [{"kind": "PROJECT", "terms": ["Operation Finch"]}]}}],
    "protect": ["replace"],
    "replace": {"*": "label"},
    "unread": "keep",
}


@pytest.mark.parametrize("said", PHRASES)
def test_no_mark_parts_a_phrase(said: str) -> None:
    release = sanitize(read(f"{said}\n"), POLICY)
    assert "[PROJECT 1]" in release.text
    assert "ation" not in release.data.decode().replace("[operation]", "")


def test_marks_around_a_word_that_is_gone_go_too() -> None:
    for said in ("Operation **Finch**", "**Operation Finch**", "Opera**tion** *Finch*"):
        released = sanitize(read(f"See {said}.\n"), POLICY).data.decode()
        assert released.replace("**[PROJECT 1]**", "[PROJECT 1]") == "See [PROJECT 1].\n"


@pytest.mark.parametrize("odd", ["<?a>Finch?>", "<![CDATA[>Finch]]>", "<!-- --!>Finch-->"])
def test_what_browsers_end_elsewhere_is_shown_by_every_viewer(odd: str) -> None:
    release = sanitize(read(f"Operation {odd}\n"), POLICY)
    assert release.data.decode() == f"Operation &lt;{odd[1:]}\n"


def test_a_tag_over_two_lines_of_a_quote_is_refused() -> None:
    with pytest.raises(InputError, match=r"over two lines of a quote \(line 1\)"):
        read('> Fin<span\n> class="x">ch</span>')


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
