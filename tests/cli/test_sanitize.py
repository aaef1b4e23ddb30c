"""`sfumato sanitize`: files in, files of the same kind out."""

from __future__ import annotations

import io
import json
import os
import pty
import select
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from tests.cli.conftest import Sfumato
from tests.conftest import EXAMPLES


def test_a_person_sees_before_and_after_a_pipe_gets_the_release(sfumato: Sfumato) -> None:
    result = sfumato("sanitize", "note.txt")
    assert result.code == 0
    assert result.out == "Patient: [PERSON 1]\nWrite to [EMAIL 1] before 2031.\n"
    assert "Marta Keller" in result.err
    assert "3 terms hidden" in result.err
    assert "✓ originals gone" in result.err
    assert not Path(".sfumato").exists()


def test_standard_input_goes_to_standard_output(sfumato: Sfumato) -> None:
    result = sfumato("sanitize", "-", "-o", "-", stdin=b"Ask ann@example.org\r\n")
    assert (result.code, result.out, result.err) == (0, "Ask [EMAIL 1]\r\n", "")


def test_release_certificate_ledger_and_key_are_written(sfumato: Sfumato, inside: Path) -> None:
    result = sfumato("sanitize", "note.txt", "-o", "safe.txt")
    assert result.code == 0
    assert "1 released; 3 terms hidden" in result.err
    assert "A new key is in .sfumato/key" in result.err
    assert sorted(p.name for p in inside.iterdir()) == [
        ".sfumato",
        "note.txt",
        "safe.txt",
        "safe.txt.cert.json",
    ]
    assert stat.S_IMODE(Path(".sfumato/key").stat().st_mode) == 0o600
    assert stat.S_IMODE(Path(".sfumato").stat().st_mode) == 0o700
    assert "Keller" not in Path("safe.txt").read_text() + Path("safe.txt.cert.json").read_text()
    assert sfumato("sanitize", "note.txt", "-o", "safe.txt").err.startswith(
        "0 released, 1 up to date"
    )


def test_the_name_of_a_file_makes_no_line_of_its_own(sfumato: Sfumato, inside: Path) -> None:
    (inside / "in").mkdir()
    (inside / "in" / "a\n9 released; 9 terms hidden\nb.docx").write_text("x")
    (inside / "in" / "a\n9: 9 terms\n.txt").write_text("")
    said = (
        sfumato("sanitize", "in", "-o", "out").err + sfumato("detect", "in/a\n9: 9 terms\n.txt").out
    )
    assert not [line for line in said.splitlines() if line.startswith("9")]
    assert r"a\n9 released; 9 terms hidden\nb.docx" in said
    assert r"a\n9: 9 terms\n.txt: 0 terms" in said


def test_json_describes_each_release(sfumato: Sfumato) -> None:
    Path("bad.txt").write_bytes(b"\xff")
    result = sfumato("sanitize", "note.txt", "bad.txt", "--json")
    lines = [json.loads(line) for line in result.out.splitlines()]
    assert result.code == 2
    assert lines[0]["text"].startswith("Patient: [PERSON 1]")
    assert set(lines[0]["edits"][0]) == {"start", "end", "kind", "replacement", "how", "reason"}
    assert "byte 0 (0xff)" in lines[1]["error"]


def test_reports_are_self_contained_and_only_the_review_holds_originals(sfumato: Sfumato) -> None:
    sfumato(
        "sanitize", "note.txt", "-o", "out/", "--report", "report.html", "--review", "review.html"
    )
    public, private = Path("report.html").read_text(), Path("review.html").read_text()
    assert "Keller" not in public
    assert "12 May" not in public
    assert "Marta Keller" in private
    assert "releasing party only" in private
    assert stat.S_IMODE(Path("review.html").stat().st_mode) == 0o600
    for page in (public, private):
        assert "http" not in page.replace("http-equiv", "")
        assert "[PERSON 1]" in page


def test_a_report_does_not_point_at_invented_values(sfumato: Sfumato) -> None:
    sfumato("sanitize", "note.txt", "-p", "research", "-o", "safe.txt", "--report", "report.html")
    assert "<mark" not in Path("report.html").read_text()


def test_what_is_shown_is_what_would_be_written(sfumato: Sfumato, inside: Path) -> None:
    """Once there is a key; showing makes none."""
    show = ("sanitize", "note.txt", "-p", "research", "-o", "-", "-q")
    assert sfumato(*show).out != sfumato(*show).out
    assert not (inside / ".sfumato").exists()
    assert sfumato("sanitize", "note.txt", "-p", "research", "-o", "safe.txt").code == 0
    assert sfumato(*show).out == sfumato(*show).out == Path("safe.txt").read_text()


def test_an_empty_file_is_released_empty_and_it_says_so(sfumato: Sfumato) -> None:
    Path("empty.txt").write_text("")
    result = sfumato("sanitize", "empty.txt", "-o", "out.txt")
    assert result.code == 0
    assert "empty.txt: empty file, empty release" in result.err
    assert Path("out.txt").read_bytes() == b""


def test_a_read_only_folder_is_one_clear_line(sfumato: Sfumato, inside: Path) -> None:
    (inside / "locked").mkdir(mode=0o500)
    result = sfumato("sanitize", "note.txt", "-o", "locked/x.txt")
    if os.geteuid() != 0:  # root may write anywhere
        assert result.code == 2
        assert "Permission denied" in result.err


def test_nothing_is_made_when_the_input_is_missing(sfumato: Sfumato, inside: Path) -> None:
    assert sfumato("sanitize", "missing.txt", "-o", "x.txt").code == 2
    assert not (inside / ".sfumato").exists()


def test_a_release_that_is_no_text_goes_to_no_terminal(inside: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["note"])
    book.active.append(["from ann@example.org"])
    book.save("notes.xlsx")
    command = [sys.executable, "-m", "sfumato", "sanitize", "notes.xlsx", "--columns", "note"]
    ours, terminal = pty.openpty()
    shown = subprocess.run([*command, "-o", "-"], stdout=terminal, stderr=subprocess.PIPE)
    assert shown.returncode == 2
    assert b"notes.xlsx: the release is no text" in shown.stderr
    assert not select.select([ours], [], [], 0)[0]
    piped = subprocess.run([*command, "-o", "-"], capture_output=True)
    assert piped.returncode == 0
    sheet = openpyxl.load_workbook(io.BytesIO(piped.stdout)).active
    assert sheet["A2"].value == "from [EMAIL 1]"


def test_a_terminal_narrow_or_wide_shows_both_texts(
    sfumato: Sfumato, monkeypatch: pytest.MonkeyPatch
) -> None:
    for columns in ("60", "160"):
        console = Console(stderr=True, highlight=False, width=int(columns))
        monkeypatch.setattr("sfumato.cli.sanitize.err", console)
        seen = sfumato("sanitize", str(EXAMPLES / "discharge-note.txt"))
        assert "before" in seen.err
        assert "after" in seen.err
