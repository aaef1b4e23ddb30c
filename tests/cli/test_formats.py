"""Files of every format go through every command."""

from __future__ import annotations

import json
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
    "letter.eml": "header x-mailer",
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
    assert PLACES[name].replace("header x-mailer", "from") in found.out
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
