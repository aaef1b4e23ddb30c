"""The application: exit codes, errors in one line, interrupts, help."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sfumato.errors import described
from tests.cli.conftest import Sfumato
from tests.conftest import EXAMPLES


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sanitize", "nowhere.txt"], "nowhere.txt: cannot be read (No such file or directory)"),
        (["sanitize", "note.txt", "-p", "nope"], "no policy 'nope'"),
        (["sanitize", "note.txt", "--colour"], "No such option"),
        (["sanitize"], "Missing argument"),
        (["sanitize", "note.txt", "-o", "note.txt"], "never overwritten"),
        (["sanitize", ".", "-o", "out"], "lies inside the input folder"),
        (["sanitize", "note.txt", "note.txt"], "several files: give a folder"),
        (["sanitize", "note.txt", "--encoding", "klingon"], "unknown encoding"),
        (["sanitize", "note.txt", "-j", "0"], "-j"),
        (["sanitize", "note.txt", "--key-file", "none"], "cannot read the key file"),
        (["sanitize", "note.txt", "-o", "x.txt", "--ledger", "note.txt/l.db"], "cannot be made"),
        (["sanitize", "note.txt", "-o", "note.txt/x"], "cannot be written"),
        (["sanitize", "note.txt", "--encoding", "rot13"], "unknown encoding"),
        (["sanitize", "note.txt", "-o", "x.txt", "--report", "note.txt"], "is among the inputs"),
        (
            ["sanitize", "note.txt", "-o", "out/", "--ledger", "out/l.db"],
            "lies inside the output folder",
        ),
        (["sanitize", "note.txt", "-o", "/dev/null"], "no plain file"),
        (["verify", "nowhere.txt"], "nowhere.txt: cannot be read"),
        (["verify", "note.txt"], "note.txt.cert.json: no such file; give the release"),
        (["verify", "note.txt", "note.txt"], "not a certificate"),
        (["restore", "note.txt"], "no such ledger"),
        (["explain", "note.txt", "--key-file", "k"], "no such ledger"),
        (["frobnicate"], "No such command"),
        (["policy", "check", "nowhere.yaml"], "neither a file nor a profile"),
    ],
)
def test_wrong_use_is_one_clear_line_and_exit_code_2(
    sfumato: Sfumato, arguments: list[str], message: str
) -> None:
    Path("k").write_text("00" * 32)
    result = sfumato(*arguments)
    assert result.code == 2
    assert message in result.err
    assert len(result.err.strip().splitlines()) == 1 or "new key" in result.err
    assert "Traceback" not in result.err


def test_a_guarantee_that_does_not_hold_is_exit_code_3(
    sfumato: Sfumato, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "sfumato.pipeline.Sanitizer.protect", lambda self, document, terms, first=(): []
    )
    result = sfumato("sanitize", "note.txt", "-o", "safe.txt")
    assert result.code == 3
    assert "does not hold" in result.err
    assert "Keller" not in result.err
    assert not Path("safe.txt").exists()


def test_an_internal_error_shows_no_text(sfumato: Sfumato, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("Marta Keller")

    places = {"sfumato.pipeline.Sanitizer.protect": 2, "sfumato.release.batch.plan": 1}
    for place, code in places.items():  # the fault of one file, and of all
        monkeypatch.setattr(place, broken)
        result = sfumato("sanitize", "note.txt")
        assert result.code == code
        assert "internal error (ValueError at test_app.py" in result.err
        assert "Keller" not in result.err


@pytest.mark.parametrize(
    ("error", "code"), [(KeyboardInterrupt, 130), (MemoryError, 2), (BrokenPipeError, 141)]
)
def test_interrupts_have_their_codes(
    sfumato: Sfumato, monkeypatch: pytest.MonkeyPatch, error: type[BaseException], code: int
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("sfumato.release.batch.plan", stop)
    monkeypatch.setattr(os, "dup2", lambda *_: None)
    assert sfumato("sanitize", "note.txt").code == code


def test_version_and_help(sfumato: Sfumato) -> None:
    from sfumato import __version__

    assert sfumato("--version").out == f"sfumato {__version__}\n"
    assert "Makes text safe to share" in sfumato("--help").out


def test_the_installed_command_works_in_a_pipe() -> None:
    command = [sys.executable, "-c", "from sfumato.cli import main; main()", "sanitize", "-q"]
    done = subprocess.run(
        [*command, str(EXAMPLES / "discharge-note.txt")], capture_output=True, check=True
    )
    assert b"[PERSON 1]" in done.stdout
    assert done.stderr == b""


def test_output_that_nobody_reads_has_a_code_of_its_own_and_no_line() -> None:
    command = [sys.executable, "-c", "from sfumato.cli import main; main()", "policy", "schema"]
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as nobody:
        done = subprocess.run(command, stdout=nobody, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_full_standard_output_is_one_clear_line() -> None:
    command = [sys.executable, "-c", "from sfumato.cli import main; main()", "sanitize", "-q"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*command, str(EXAMPLES / "memo.md")], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 2
    assert done.stderr == "sfumato: output: No space left on device\n"


def test_control_c_ends_with_130_and_a_line(inside: Path) -> None:
    (inside / "big").mkdir()
    for number in range(300):
        (inside / "big" / f"{number}.txt").write_text((EXAMPLES / "memo.md").read_text())
    code = "from sfumato.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "sanitize", "big", "-o", "out", "-j", "1"],
        stderr=subprocess.PIPE,
        text=True,
    )
    while not list(inside.glob("out/*.txt")):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in said
    assert not list(inside.glob("out/.*"))
    assert len(list(inside.glob("out/*.txt"))) < 300


def test_a_full_disk_under_the_ledger_is_told_in_words() -> None:
    error = sqlite3.OperationalError("database or disk is full")
    assert described(error) == "the ledger or another database: database or disk is full"
    assert "internal error" in raised(sqlite3.OperationalError("no such column: Keller"))
    assert "Keller" not in raised(ValueError("Keller"))


def raised(error: Exception) -> str:
    try:
        raise error
    except Exception as again:
        return described(again)
