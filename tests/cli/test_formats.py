"""Files of every format go through every command."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Sfumato

MAIL = "marta.keller@example.org"
FILES = {
    "page.html": f"<title>Notes</title><!-- {MAIL} -->\n<p title='{MAIL}'>Ask <b>{MAIL}</b></p>\n",
    "letter.eml": f"From: {MAIL}\nX-Mailer: x\nSubject: Lunch\n\nAsk {MAIL}\n",
    "data.json": f'{{"patient": {{"mail": "{MAIL}", "age": 41}}}}\n',
    "tickets.jsonl": f'{{"id": 1, "note": "{MAIL}"}}\n{{"id": 2, "note": "none"}}\n',
    "people.csv": f'id,mail,note\n1,{MAIL},"ask\n{MAIL}"\n',
    "plain.txt": f"Ask {MAIL}\n",
}
PLACES = {
    "page.html": "title of p, line 2",
    "letter.eml": "from",
    "data.json": "$.patient.mail",
    "tickets.jsonl": "line 1, $.note",
    "people.csv": "row 1, note",
    "plain.txt": "1:5",
}


@pytest.fixture
def released(sfumato: Sfumato, inside: Path) -> Sfumato:
    for name, text in FILES.items():
        (inside / name).write_text(text)
    result = sfumato("sanitize", *FILES, "--columns", "note", "-o", "out/")
    assert result.code == 0, result.err
    return sfumato


def test_one_command_takes_every_format_and_keeps_it(released: Sfumato) -> None:
    made = {name: Path("out", name).read_text() for name in FILES}
    assert (
        made["page.html"] == '<title>Notes</title>\n<p title="[EMAIL 1]">Ask <b>[EMAIL 1]</b></p>\n'
    )
    assert made["letter.eml"] == "From: email.1@redacted.invalid\nSubject: Lunch\n\nAsk [EMAIL 1]\n"
    assert json.loads(made["data.json"]) == {"patient": {"mail": "[EMAIL 1]", "age": "40-49"}}
    assert made["tickets.jsonl"].splitlines()[0] == '{"id": 1, "note": "[EMAIL 1]"}'
    assert made["people.csv"] == f'id,mail,note\n1,{MAIL},"ask\n[EMAIL 1]"\n'


@pytest.mark.parametrize("name", FILES)
def test_a_release_is_verified_explained_and_restored(released: Sfumato, name: str) -> None:
    path = f"out/{name}"
    checked = released("verify", path, "--ledger", ".sfumato/ledger.db")
    assert checked.code == 0, checked.out
    assert "does not hold" not in checked.out
    explained = released("explain", path)
    assert PLACES[name] in explained.out
    assert MAIL in explained.out
    restored = released("restore", path)
    assert restored.out == FILES[name]


@pytest.mark.parametrize("name", FILES)
def test_detect_says_where(released: Sfumato, name: str) -> None:
    found = released("detect", name, "--columns", "note")
    assert found.code == 0
    assert PLACES[name] in found.out
    assert MAIL in found.out


def test_a_run_goes_on_where_it_was_unless_other_columns_are_asked_for(released: Sfumato) -> None:
    again = released("sanitize", *FILES, "--columns", "note", "-o", "out/")
    assert f"{len(FILES)} up to date" in again.err
    other = released("sanitize", "people.csv", "--columns", "note,mail", "-o", "out/")
    assert "1 released" in other.err
    assert Path("out/people.csv").read_text() == 'id,mail,note\n1,[EMAIL 1],"ask\n[EMAIL 1]"\n'


def test_in_a_folder_a_table_without_columns_fails_alone(sfumato: Sfumato, inside: Path) -> None:
    (inside / "in").mkdir()
    for name in ("people.csv", "page.html"):
        (inside / "in" / name).write_text(FILES[name])
    (inside / "in" / "a.docx").write_bytes(b"PK")
    result = sfumato("sanitize", "in", "-o", "out")
    assert result.code == 2
    assert "in/people.csv: a table; name the columns that are text with --columns" in result.err
    assert "in/a.docx: .docx files are not supported yet" in result.err
    assert Path("out/page.html").exists()
    assert not Path("out/people.csv").exists()


def test_standard_input_may_be_of_any_format(sfumato: Sfumato) -> None:
    given = FILES["data.json"].encode()
    result = sfumato("sanitize", "-", "-o", "-", "--format", "json", stdin=given)
    assert result.out == '{"patient": {"mail": "[EMAIL 1]", "age": "40-49"}}\n'
    unknown = sfumato("sanitize", "-", "-o", "-", "--format", "klingon", stdin=given)
    assert unknown.code == 2
    assert "unknown format 'klingon'; there are" in unknown.err


@pytest.mark.parametrize(
    "name",
    ["x.html", "x.json", "x.eml", "x.svg", "x.csv", "x.xhtm", "x.smil", "x", "x.html.", ".html"],
)
def test_a_text_that_is_handed_on_under_another_formats_name_is_not_the_certified_release(
    sfumato: Sfumato, inside: Path, name: str
) -> None:
    said = "".join(f"&#{ord(letter)};" for letter in "Margaret Holloway, ann@example.org")
    Path("x.txt").write_text(f"<!DOCTYPE html>The report: {said}")
    assert sfumato("sanitize", "x.txt", "-o", "out/x.txt").code == 0
    Path("rec").mkdir()
    shutil.copy("out/x.txt", f"rec/{name}")
    shutil.copy("out/x.txt.cert.json", f"rec/{name}.cert.json")
    public = sfumato("key", "public").out.strip()
    done = sfumato("verify", f"rec/{name}", "-p", "default", "--public-key", public)
    assert done.code in (2, 3), done.out + done.err
    if done.code == 3:
        assert "certified as text" in done.out
    for kept in ("x.txt", "y.text"):
        shutil.copy("out/x.txt", f"rec/{kept}")
        shutil.copy("out/x.txt.cert.json", f"rec/{kept}.cert.json")
        assert (
            sfumato("verify", f"rec/{kept}", "-p", "default", "--public-key", public).code == 0
        ), kept
    done = sfumato("sanitize", "x.txt", "-o", f"other/{name}")
    assert done.code == 2
    assert "would be shown otherwise" in done.err
    assert not Path("other").exists()


@pytest.mark.parametrize("lines", [1, 40])
def test_json_lines_that_were_read_as_text_are_no_log(
    sfumato: Sfumato, inside: Path, lines: int
) -> None:
    said = "".join(f"\\u{ord(letter):04x}" for letter in "Margaret Holloway, ann@example.org")
    Path("x.txt").write_text(f'{{"a": "{said}"}}\n' * lines)
    Path("p.yaml").write_text("detect: [patterns]")
    assert sfumato("sanitize", "x.txt", "-p", "p.yaml", "-o", "out/x.txt").code == 0
    shutil.copy("out/x.txt", "y.log")
    given = ("y.log", "out/x.txt.cert.json", "-p", "p.yaml")
    done = sfumato("verify", *given, "--public-key", sfumato("key", "public").out.strip())
    assert (done.code, "certified as text" in done.out) == (3, True)
    done = sfumato("verify", *given, "--skip", "certificate is genuine")
    assert done.code == 3
    done = sfumato("sanitize", "x.txt", "-p", "p.yaml", "-o", "other/y.log")
    assert (done.code, "would be shown otherwise" in done.err) == (2, True)


def test_a_name_that_says_nothing_is_told_and_no_fault(sfumato: Sfumato, inside: Path) -> None:
    Path("x.txt").write_text("Write to ann@example.org")
    assert sfumato("sanitize", "x.txt", "-o", "out/safe").code == 0
    public = sfumato("key", "public").out.strip()
    given = ("-p", "default", "--public-key", public)
    assert sfumato("verify", "out/safe", *given).code == 0
    shutil.copy("out/safe", "x.notes")
    done = sfumato("verify", "x.notes", "out/safe.cert.json", *given)
    assert (done.code, "name it 'safe'" in " ".join(done.out.split())) == (3, True)


def test_what_nobody_vouches_for_is_not_worked_on_beyond_the_limit(
    sfumato: Sfumato, inside: Path
) -> None:
    Path("x.txt").write_text("Write to ann@example.org")
    Path("small.yaml").write_text("detect: [patterns]\nlimits: {file_bytes: 1000}\n")
    assert sfumato("sanitize", "x.txt", "-p", "small.yaml", "-o", "out/x.txt").code == 0
    Path("out/x.txt").write_text("1 " * 4_000)
    done = sfumato("verify", "out/x.txt", "-p", "small.yaml")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "8,000 bytes is more than the limit of 4,000" in done.err


@pytest.mark.parametrize("ending", [".svg", ".XHT", ".fodt", ".rss", ".unheardof", ".dat", ""])
def test_markup_under_another_name_is_not_read_as_text(
    sfumato: Sfumato, inside: Path, ending: str
) -> None:
    Path(f"d{ending}").write_text('\ufeff\n<svg xmlns="x"><text>&#77;argaret</text></svg>')
    Path("notes.dat").write_text("a < b, {c}, Write to ann@example.org")
    done = sfumato("sanitize", f"d{ending}", "notes.dat", "-o", "out")
    assert done.code == 2
    assert not Path(f"out/d{ending}").exists()
    assert "[EMAIL 1]" in Path("out/notes.dat").read_text()


@pytest.mark.parametrize(
    "header", ["note,id,note", "note ,id,note", "note,id, note", '"note",id,note']
)
def test_columns_of_one_name_are_all_meant_or_none(
    sfumato: Sfumato, inside: Path, header: str
) -> None:
    Path("a.csv").write_text(f"{header}\nann@example.org,1,bob@example.net\n")
    done = sfumato("sanitize", "a.csv", "--columns", "note", "-o", "out/a.csv")
    assert done.code == 2
    assert "several columns are named 'note'" in done.err
    assert not Path("out").exists()
    assert sfumato("sanitize", "a.csv", "--columns", "note,note#2", "-o", "out/a.csv").code == 0
    assert "example" not in Path("out/a.csv").read_text()
    Path("b.csv").write_text(f"{header},note\na@example.org,1,b@example.net,c@example.com\n")
    done = sfumato("sanitize", "b.csv", "--columns", "note,note#2", "-o", "out/b.csv")
    assert (done.code, "note,note#2,note#3" in done.err) == (2, True)
