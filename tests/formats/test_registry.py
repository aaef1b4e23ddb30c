"""Endings and media types are known without opening a format."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from unittest.mock import Mock

import pytest

from sfumato import formats, plugins
from sfumato.errors import InputError, PolicyError
from sfumato.keys import Key
from sfumato.plugins import FORMATS, FormatPlugin
from sfumato.policy import load
from sfumato.release import batch


def test_every_format_but_those_of_whole_tables_is_known_by_an_ending() -> None:
    ours = {name for name in FORMATS.names() if FORMATS.is_built_in(name) and "/" not in name}
    assert {*formats.SUFFIXES.values()} == ours >= {*formats.MEDIA.values()}
    assert formats.says(Path("a.ndjson")) == "jsonl" == formats.format_for("application/jsonl")


def test_a_file_that_is_too_large_or_missing_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    with pytest.raises(InputError, match=r"note\.txt: cannot be read"):
        formats.file_bytes(path)
    path.write_bytes(b"12345")
    assert formats.file_bytes(path, 5) == b"12345"
    with pytest.raises(InputError, match="5 bytes is more than the limit of 4"):
        formats.file_bytes(path, 4)


@dataclass
class Point:
    """What brings a plug-in, or fails."""

    name: str
    error: BaseException | None = None
    value: str = "theirs"
    tries: int = 0

    def load(self) -> None:
        self.tries += 1
        if self.error is not None:
            raise self.error
        FORMATS.add(FormatPlugin(name=self.name, format=Mock(), suffixes=(f".{self.name}",)))


@pytest.fixture
def points(monkeypatch: pytest.MonkeyPatch) -> list[Point]:
    found: list[Point] = []
    ours = {name: FORMATS.get(name) for name in FORMATS.names()}
    monkeypatch.setattr(plugins, "entry_points", lambda group: found)
    monkeypatch.setattr(FORMATS, "_faults", None)
    monkeypatch.setattr(FORMATS, "_known", ours)
    return found


def test_a_format_that_cannot_be_loaded_is_an_error_for_every_file_that_may_be_of_it(
    points: list[Point], tmp_path: Path, key: Key
) -> None:
    """None is read as plain text; those of our own formats are read."""
    points += [Point("ini", ImportError("No module named 'gone'")), Point("toml")]
    for name in ("1.ini", "2.ini", "3.txt", "4.ini", "5"):
        (tmp_path / name).write_text("mail = ann@example.org\n")
    planned = batch.plan([str(tmp_path)], None)
    for _ in range(2):
        outcomes = list(batch.run(planned, batch.Settings(load("default"), key, None), 1))
        assert [o.status for o in outcomes] == ["failed", "failed", "released", "failed", "failed"]
    assert outcomes[3].message == (
        "the format plug-in ini = theirs (ImportError: No module named 'gone') cannot be loaded; repair or "
        "uninstall its package"
    )
    assert FORMATS.find("toml") is not None  # which came after it
    with pytest.raises(PolicyError, match="plug-in ini"):
        FORMATS.find("ini")
    assert [point.tries for point in points] == [1, 1]


def test_formats_whose_loading_is_interrupted_are_loaded_the_next_time(points: list[Point]) -> None:
    points.append(Point("ini", KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        formats.says(Path("a.ini"))
    points[0].error = None
    assert formats.says(Path("a.ini")) == "ini"


@pytest.mark.parametrize(
    ("format", "data"),
    [
        ("json", b'{"a": "An\\u0000a"}'),
        ("jsonl", b'{"a": "An\\u0000a"}\n'),
        (
            "calendar",
            b"BEGIN:VCARD\r\nVERSION:2.1\r\nNOTE;ENCODING=QUOTED-PRINTABLE:An=00a\r\nEND:VCARD\r\n",
        ),
        ("mail", b"To: a@b.c\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nAn=00a\r\n"),
        ("mail", b"Subject: =?utf-8?q?An=00a?=\r\n\r\nx\r\n"),
        ("text", b"A\0n\0"),
    ],
)
def test_a_zero_is_refused_whatever_hides_it(format: str, data: bytes) -> None:
    with pytest.raises(InputError, match="zero"):
        formats.parse(data, name="x", format=format)


@pytest.mark.parametrize(
    "data",
    [
        *(b'{"a": "x"} {"b"', b'[{"a": 1},]', b'[["a"]]', b'{"a":\n1} // x', b"<p>"),
        *('{"a": "x"}'.encode(wide) for wide in ("utf-16", "utf-32")),
        b"BEGIN:VNOTE\nBODY;ENCODING=QUOTED-PRINTABLE:=48olloway\nEND:VNOTE\n",
        b"X\nTEL;HOME;QUOTED-PRINTABLE:=48\n",
        b"From a\nSubject: =?utf-8?b?SG9sbG93YXk=?=\n\nhi\n",
        b"To: a\nContent-Transfer-Encoding: base64\n\nSG9sbG93YXk=\n",
        b"dn: a\ncn:: SG9sbG93YXk=\n",
        b"caf=C3=A9",
        b'name = "\\u0048olloway"\n',
        b"name = '\\x48olloway'\n",
        b'name = "\\110olloway"\n',
        b"See &#72;olloway.",
        b"begin 644 a\n",
        b"{\\rtf1 a}",
    ],
)
def test_what_looks_like_markup_or_is_in_codes_is_not_read_as_text(
    tmp_path: Path, data: bytes
) -> None:
    for name in ("chat", "chat.dat"):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InputError, match="looks like markup or JSON, or holds words in codes"):
            formats.read(tmp_path / name, name=name)
        assert not formats.is_named_for(Path(name), "text", Path(name), data)
    assert formats.is_named_for(Path("chat.txt"), "text", Path("chat.dat"), data)


@pytest.mark.parametrize(
    "text",
    [
        *("[[TIME 1]] Ann", "[14:02] ann: hi", "{Ann}", "[ [x]"),
        "Name: Ann\nThe beginning: at 5=five, R&D; C:\\new, 100% — content: a::b std::string",
    ],
)
def test_brackets_at_the_start_of_a_text_are_no_json(tmp_path: Path, text: str) -> None:
    (tmp_path / "chat").write_text(text)
    assert formats.read(tmp_path / "chat", name="chat").text == text


def test_calendars_of_every_ending_are_read_as_such() -> None:
    data = b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY;ENCODING=QUOTED-PRINTABLE:=48olloway\nEND:VEVENT\nEND:VCALENDAR\n"
    for ending in ("vcs", "ical", "ifb"):
        found = formats.parse_file(data, Path(f"a.{ending}"), name="a")
        assert "Holloway" in found.text


@pytest.mark.parametrize("ending", ["mkd", "mdown", "Rmd", "qmd"])
def test_what_is_shown_as_markdown_is_read_so(ending: str) -> None:
    assert formats.says(Path(f"a.{ending}")) == "markdown"


@pytest.mark.parametrize("ending", ["xhtm", "php", "jsp", "vue", "mdx", "svgz"])
def test_what_is_shown_as_a_page_is_no_text(ending: str) -> None:
    with pytest.raises(InputError, match="not supported yet"):
        formats.format_of(Path(f"a.{ending}"))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.sty", rb"Tom\'a\v{s} \v{Z}ilka"),
        ("a.bib", rb"Operation Fin\-ch"),
        ("a.vtt", b"J&uuml;rgen"),
        ("a.css", rb".n { content: 'H\61 lyard' }"),
        ("a.yaml", b"name: !!binary SGFseWFyZA=="),
        ("a.srt", b"Fin<i>ch</i>"),
        ("a.cfm", b"Fin<b>ch"),
        ("a.htmlx", b"Fin<!-- -->ch"),
    ],
)
def test_escapes_and_tags_of_unknown_kinds_are_no_text(
    tmp_path: Path, name: str, data: bytes
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match="or holds words in codes"):
        formats.read(tmp_path / name, name=name)
    assert not formats.is_named_for(Path(name), "text", Path(name), data)


@pytest.mark.parametrize("ending", ["tex", "rst", "adoc", "org"])
def test_what_is_set_from_marks_is_no_text(ending: str) -> None:
    with pytest.raises(InputError, match="not supported yet"):
        formats.format_of(Path(f"a.{ending}"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.log", "10:00 <main> C:\\temp &amp; x"),
        ("a.txt", "<b>x</b> \\n &lt;"),
        ("a.yaml", "name: <Ann> & 'C:\\dir'\n"),
        ("a.py", "x: list[int] = f('a\\n<b>') # a & b\n"),
        ("a.ini", "[a]\npath=C:\\new\n"),
        ("a.notes", "Ann <ann@example.org>, 5 < 6 & R&D"),
        ("README", "See C:\\new <ann@example.org>"),
    ],
)
def test_honest_texts_of_any_name_are_read(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert formats.read(tmp_path / name, name=name).text == text
