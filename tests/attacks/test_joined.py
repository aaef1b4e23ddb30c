"""What no reader of a file sees cuts no term: it is gone before anybody looks for terms, so that nothing shows
whole, or in half, where it is taken out."""

from __future__ import annotations

import json
import random
import re
import time
from contextlib import suppress
from email.message import EmailMessage
from itertools import pairwise
from pathlib import Path

import pyarrow as arrow
import pyarrow.parquet as parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato
from sfumato import formats, policy
from sfumato.document import Document, Release, changed, restored
from sfumato.errors import GuaranteeError, InputError
from sfumato.formats.text import after
from sfumato.keys import Key
from sfumato.pipeline import Sanitizer
from sfumato.release.ledger import Ledger
from sfumato.serve import SanitizeResponses
from tests.protect.tables import tables
from tests.protect.tables.tables import csv_bytes, rules
from tests.serve.test_middleware import app_of, get

KEY = Key(bytes(32))
SANITIZER = Sanitizer("default", KEY)
SENTENCES = [
    "Mrs Margaret Holloway came to Wakefield on 12 May 1931.",
    "Seen: 12 High Street by the doctor.",
    "Mr Abraham Lincoln was born 12/05/1931 in Springfield.",
    "Aged 94. Card 4111 1111 1111 1111.",
    "Mail ann.lee@example.org now, or call 07700 900318.",
    "SSN 078-05-1120, from Liechtenstein.",
]
# Signs that programs draw otherwise than they stand, and what a page takes out.
SIGNS = [
    "\x1b[31m",
    "\x1b[01;31m\x1b[K",
    "\x1b[m\x1b[K",
    "\u202e",
    "\u2066",
    "\x7f",
    "\x07",
    "\u2065",
    "\xad",
    "\u2060",
    "\ufeff",
    "\u034f",
]
TAKEN_OUT = ["<!-- -->", "<!-->", "<!-- x --!>", "<?x?>", "</x>", "<!x>", "<![CDATA[x]]>", "<xq>"]
EMPTY = ["<b></b>", "<!---->", "<span></span>", "<wbr>", "</b>"]  # these stay, and show nothing


def struck(sign: str) -> str:
    return f"_\b{sign}" if sign.isupper() else f"{sign}\b{sign}"


def in_letter(text: str) -> bytes:
    letter = EmailMessage()
    letter["From"] = "nobody@x.example"
    letter.set_content(f"<p>{text}</p>", subtype="html", cte="8bit")
    return letter.as_bytes()


def in_page(text: str) -> bytes:  # references to control characters mean others there
    return f"<p>{text}</p>".encode()


def in_text(text: str) -> bytes:
    return f"{text}\n".encode()


def in_json(text: str) -> bytes:
    return json.dumps({"note": text}).encode()


def in_cell(text: str) -> bytes:
    return f'id,note\n1,"{text}"\n'.encode()


FILES = {
    "text": (in_text, SIGNS, True),
    "markdown": (in_text, [*SIGNS, "<!-- -->"], False),
    "html": (in_page, [*SIGNS, *TAKEN_OUT], False),
    "mail": (in_letter, TAKEN_OUT, False),
    "json": (in_json, SIGNS, True),
    "csv": (in_cell, SIGNS, True),
}


def released(data: bytes, format: str) -> Release:
    columns = ("note",) if format == "csv" else ()
    return SANITIZER(formats.parse(data, name="a", format=format, columns=columns))


def words(release: Release) -> set[str]:
    """What stands in the open."""
    return {*re.findall(r"\w+", re.sub(r"\[[A-Z]+ \d+\]", " ", release.text.replace("\xad", "")))}


@pytest.mark.parametrize("format", FILES)
@settings(max_examples=25)
@given(data=st.data())
def test_a_text_is_released_as_if_what_nobody_sees_had_never_been_there(
    format: str, data: st.DataObject
) -> None:
    write, parts, can_strike = FILES[format]
    chosen = data.draw(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=2, unique=True))
    text = " ".join(chosen)
    pieces = list(text)
    for at in data.draw(st.sets(st.integers(1, len(text) - 1), min_size=1, max_size=6)):
        if can_strike and pieces[at].isalnum() and data.draw(st.booleans()):
            pieces[at] = struck(pieces[at])
        else:
            pieces[at] = data.draw(st.sampled_from(parts)) + pieces[at]
    raw = write("".join(pieces))
    made, plain = released(raw, format), released(write(text), format)
    if "<!-- -->" in parts:  # what is cut by it is read as two words, too
        assert words(made) <= words(plain)
    else:
        assert made.text == plain.text
        assert made.data == plain.data
    assert restored(made.data, made.record) == raw


@settings(max_examples=25)
@given(data=st.data())
def test_what_shows_nothing_and_stays_cuts_nothing(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(SENTENCES))
    pieces = list(text)
    for at in data.draw(st.sets(st.integers(1, len(text) - 1), min_size=1, max_size=3)):
        pieces[at] = data.draw(st.sampled_from([*EMPTY, *TAKEN_OUT, "&shy;"])) + pieces[at]
    made, plain = released(in_page("".join(pieces)), "html"), released(in_page(text), "html")
    assert words(made) <= words(plain)


@pytest.mark.parametrize("format", FILES)
def test_such_a_release_verifies(format: str) -> None:
    write, parts, _ = FILES[format]
    made = released(write(f"Mrs Margaret Hollo{parts[0]}way came."), format)
    assert "[PERSON 1]" in made.text
    assert "way" not in made.text
    checks = sfumato.verify(made, "default", public_key=KEY.public)
    assert not [check for check in checks if check.refuses]


IN_A_LINE = [  # or not drawn at all
    *(
        f"<{name}></{name}>"
        for name in ("nobr", "slot", "my-x", "o:p", "st1:place", "rb", "rtc", "rp")
    ),
    *(
        f"<{name}></{name}>"
        for name in ("script", "style", "template", "noembed", "noframes", "noscript")
    ),
    *(
        f"<{name}></{name}>"
        for name in ("datalist", "math", "mi", "desc", "foreignObject", "text", "mtd")
    ),
    "<input type=hidden>",
    "<img>",
    "<script>let now = then</script>",
    "<style>p {color: red}</style>",
]


@pytest.mark.parametrize("tag", IN_A_LINE)
def test_only_what_browsers_put_on_its_own_line_parts_a_word(tag: str) -> None:
    for said in SENTENCES:
        places = [at for at in range(1, len(said)) if said[at - 1].isalnum() and said[at].isalnum()]
        at = places[len(tag) * 7 % (len(places) - 2)]
        made, plain = (
            released(in_page(said[:at] + tag + said[at:]), "html"),
            released(in_page(said), "html"),
        )
        assert words(made) <= words(plain) | words(released(in_page(tag), "html"))
    cut = tag.join(["078-", "05-", "1", "120"])
    assert "120" not in released(in_page(f"Patient SSN {cut} came."), "html").text


@pytest.mark.parametrize("box", ["<br>", "<p>", "<hr>", "<li>", "<div></div>", "<option>", "<h2>"])
def test_what_is_on_its_own_line_parts_words(box: str) -> None:
    read = formats.parse(in_page(f"weight{box}loss"), name="a", format="html")
    assert read.text.split() == ["weight", "loss"]


def cut_by(sign: str, name: str) -> str:
    return f"{name[:4]}{sign}{name[4:]}" if sign != "\b" else f"{name[:4]}x\b{name[4:]}"


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("sign", ["\x1b[1m", "\x1b]8;;x\x07", "\x9b0m", "\b", "\x07", "\x1b(B"])
def test_tables_say_what_a_reader_sees(kind: str, sign: str, tmp_path: Path) -> None:
    def stored(cut: str) -> bytes:
        names = ["Quackenbush", "Featherstone", "Birtwistle", "Delacroix"]
        columns = {
            "id": [cut_by(cut, f"number{n}") for n in range(4)],
            "name": names,
            "age": [f"{cut}{20 + n}" if cut != "\b" else f"{20 + n}" for n in range(4)],
            "text": [f"Today {cut_by(cut, name)} came" for name in names],
        }
        if kind == "parquet":
            parquet.write_table(arrow.table(columns), tmp_path / "t.parquet")
            return (tmp_path / "t.parquet").read_bytes()
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        if kind == "jsonl":
            return "".join(json.dumps(row) + "\n" for row in rows).encode()
        return csv_bytes([*columns], [[*row.values()] for row in rows])

    settings = rules(
        {
            "id": "direct",
            "name": "direct",
            "age": {"role": "quasi", "type": "number"},
            "text": "text",
        }
    )
    raw = stored(sign)
    made, plain = (
        tables.release(data, settings, name=f"t.{kind}")[1] for data in (raw, stored(""))
    )
    assert made.text == plain.text
    assert made.data == plain.data
    assert restored(made.data, made.record) == raw
    assert not [
        c for c in sfumato.verify(made, settings, key=tables.KEY) if c.verdict == "does not hold"
    ]


@pytest.mark.parametrize("role", ["direct", "text"])
def test_a_column_whose_name_is_drawn_otherwise_is_refused(role: str) -> None:
    data = csv_bytes(["age", "no\x1b[1mte"], [["20", "a"], ["21", "b"]])
    settings = rules({"age": {"role": "quasi", "type": "number"}, "no\x1b[1mte": role})
    with pytest.raises(InputError, match="another name of column 2"):
        tables.release(data, settings)


def test_a_name_that_is_struck_over_letter_by_letter_is_one() -> None:
    name = "".join(f"{c}\b{c}" for c in "Margaret Holloway")
    text = f"Mrs {name} came to {''.join(f'_{chr(8)}{c}' for c in 'Wakefield')}.\n"
    release = released(text.encode(), "text")
    assert release.text == released(b"Mrs Margaret Holloway came to Wakefield.\n", "text").text
    assert sfumato.restore(release) == text


def test_cells_and_paragraphs_stay_apart() -> None:
    rows = "<table><tr><td>Seen by Ann<!-- --><td>Lee Harbour<br>x</table><p>one<!-- --><p>two"
    assert formats.parse(rows.encode(), name="a", format="html").text.split() == (
        ["Seen", "by", "Ann", "Lee", "Harbour", "x", "one", "two"]
    )


@pytest.mark.parametrize("part", ["<!-- -->", "<b></b>", "<?x?>"])
def test_the_middleware_reads_what_its_callers_see(part: str) -> None:
    body = f"<p>Mrs M<b></b>argaret Hollo{part}way".encode()
    app = SanitizeResponses(
        app_of(body, headers=[(b"content-type", b"text/html; charset=utf-8")]),
        "default",
        public=True,
        seconds=None,
    )
    answer = get(app)
    assert answer.status == 200
    assert b"way" not in answer.body
    assert b"argaret" not in answer.body


def test_what_is_found_in_a_string_stands_where_the_string_has_it() -> None:
    text = "Write to\x1b[31m ann@exam\x1b[0mple.org\rand\x07 bob@example.org"
    found = sfumato.detect(text, {"detect": ["patterns"]})
    assert [t.of(text) for t in found] == ["ann@exam\x1b[0mple.org", "bob@example.org"]
    release = sfumato.sanitize(text, {"detect": ["patterns"]})
    assert release.text == "Write to [EMAIL 1]\nand [EMAIL 2]"
    assert sfumato.restore(release) == text


def test_keys_that_become_one_are_refused() -> None:
    document = formats.parse(b'{"n\\u001b[0mo": 1, "no": 2}', name="a", format="json")
    with pytest.raises(
        InputError, match=r"^a: two keys of an object differ only in what no reader"
    ):
        sfumato.sanitize(document)


def test_a_file_within_a_text_is_found_however_its_first_line_is_cut() -> None:
    with pytest.raises(InputError, match="line 1 begins a file"):
        formats.parse(b"beg\x1b[0min 644 a.txt\n#86)C\n`\nend\n", name="a")


@given(st.data())
def test_changes_after_changes_do_what_both_do(data: st.DataObject) -> None:
    def some(size: int) -> list[tuple[int, int, str]]:
        cuts = sorted(data.draw(st.sets(st.integers(0, size), max_size=8)))
        return [
            (a, b, data.draw(st.text("xy", max_size=3)))
            for a, b in zip(cuts[::2], cuts[1::2], strict=False)
        ]

    text = "abcdefghijkl"
    first = some(len(text))
    middle = changed(text, first)
    then = some(len(middle))
    both = after(first, then)
    assert changed(text, both) == changed(middle, then)
    assert all(a < b for a, b, _ in both)
    assert all(before[1] <= behind[0] for before, behind in pairwise(both))


def test_the_time_is_in_proportion() -> None:
    def seconds(size: int) -> float:
        page, spent = in_page("a<!-- -->b c\x1b[0md<b></b> " * size), list[float]()
        for _ in range(3):
            begin = time.process_time()
            document = formats.parse(page, name="a", format="html")
            formats.released(document, formats.fit(document, []))
            spent.append(time.process_time() - begin)
        return min(spent)

    assert seconds(16_000) < 24 * max(seconds(2_000), 0.05)


def test_a_document_of_ones_own_is_read_as_it_is_drawn() -> None:
    release = SANITIZER(Document("Mrs Margaret Hollo\x1b[0mway came."))
    assert release.text == "Mrs [PERSON 1] came."


def test_only_what_goes_without_a_trace_joins_parts() -> None:
    page = b"<p>a<!-- -->b<?x?><!-- y -->c<b></b>d<p style='font-family: Ann/* x */Lee'>"
    document = formats.parse(page, name="a", format="html")
    assert [document.text[p.start : p.end] for p in document.origin.parts][:2] == ["abc", "d"]
    assert {"Ann", "Lee"} <= {document.text[p.start : p.end] for p in document.origin.parts}


@pytest.mark.parametrize("profile", policy.profiles())
def test_every_profile_makes_the_same_of_a_text_that_is_cut(profile: str) -> None:
    sanitizer, draws = Sanitizer(profile, KEY), random.Random(profile)
    for _ in range(4):
        text = " ".join(draws.sample(SENTENCES, 3))
        pieces = list(text)
        for at in draws.sample(range(1, len(text)), 6):
            pieces[at] = draws.choice(SIGNS) + pieces[at]
        made = []
        for each in ("".join(pieces), text):
            with suppress(GuaranteeError):
                made.append(sanitizer(formats.parse(in_page(each), name="a", format="html")).text)
        assert made[:1] == made[1:]


def test_a_term_that_was_cut_is_one_edit_and_stands_where_it_is_released() -> None:
    release = released(b"<p>Mrs M<!-- -->argaret Hollo<!-- x -->way came", "html")
    (edit,) = release.edits
    assert edit.replacement == "Mrs [PERSON 1]"
    document = formats.parse(
        b"<p>Mrs M<!-- -->argaret Hollo<!-- x -->way came", name="a", format="html"
    )
    (span,) = formats.spans(document, release.edits)
    assert release.data.decode()[slice(*span)] == edit.replacement


@pytest.mark.parametrize("format", ["html", "mail"])
def test_a_country_that_may_stand_does_so_wherever_it_is_cut(format: str) -> None:
    said = "SSN 078-05-1120, from Liechtenstein."
    for at in range(said.index("Liech") + 1, len(said) - 1):
        made = released(FILES[format][0](f"{said[:at]}<!-- -->{said[at:]}"), format)
        assert "078" not in made.text


def test_a_title_stays_though_a_tag_cuts_it() -> None:
    made = released(b"<p>M<b></b>rs Margaret Holloway came to Wakefield on 12 May 1931.", "html")
    assert made.text.strip() == "Mrs [PERSON 1] came to [PLACE 1] on [DATE 1]."


@pytest.mark.parametrize("part", ["<!-- -->", "<?x?>", "<xq>", "<!-- --><!-- x -->", "<b></b>"])
def test_what_is_taken_out_between_two_letters_may_part_words(part: str) -> None:
    said = [
        "SSN",
        "078-05-1120",
        "DOB",
        "12/05/1931",
        "Age",
        "94",
        "years; phone",
        "07700 900318",
        "x",
    ]
    document = formats.parse(in_page(part.join(said)), name="a", format="html")
    release = sfumato.sanitize(document, {"detect": ["patterns"]}, key=KEY)
    assert not [number for number in said[1::2] if number in release.data.decode()]
    checks = sfumato.verify(release, {"detect": ["patterns"]}, public_key=KEY.public, key=KEY)
    assert not [check for check in checks if check.refuses]


def test_the_ledger_knows_where_words_may_part() -> None:
    document = formats.parse(b"<p>SSN<!-- -->078-05-1120<!-- -->DOB", name="a", format="html")
    with Ledger(KEY) as ledger:
        release = SANITIZER(document)
        ledger.put(release, SANITIZER.policy)
        (entry,) = ledger.find(release.data)
    assert entry.record.origin == document.origin
    assert document.origin.seams == (4, 15)


def test_a_word_that_may_stand_does_so_though_a_comment_cuts_it() -> None:
    made = released(b"<p>SSN 078-05-1120, from Liechtenste<!-- -->in.</p>", "html")
    assert "from Liechtenstein." in made.text
