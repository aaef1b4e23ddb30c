"""Texts, names of files and policies with commands for a terminal in them."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.progress import Progress
from rich.table import Table

from sfumato.cli.console import SafeConsole, visible

CLEAR, TITLE, TURNED = "\x1b[2J", "\x1b]0;owned\x07", "\u202etxt.exe"
HOSTILE = f"a{CLEAR}b{TITLE}c\x9b31md{TURNED}\x7f\r\x08\ud800"
COMMAND = (sys.executable, "-c", "from sfumato.cli import main; main()")
# What rich itself sends: colours, cursor and the erasing of a line that it has drawn.
OWN = re.compile(r"\x1b\[(?:[0-9;]*m|\?25[lh]|[0-9]*[AK]|2K)")
OBEYED = re.compile("[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printed(*parts: object) -> str:
    written = io.StringIO()
    console = SafeConsole(file=written, force_terminal=True, width=200, highlight=False)
    for part in parts:
        console.print(part)
    return OWN.sub("", written.getvalue())


def test_what_a_terminal_obeys_is_shown() -> None:
    assert visible("a\tb\nc é 中 😀") == "a\tb\nc é 中 😀"
    assert visible("\x1b\x9b\u202e\ud800") == r"\x1b\x9b\u202e\ud800"


def test_nothing_that_is_printed_is_obeyed() -> None:
    table = Table(HOSTILE)
    table.add_row(HOSTILE)
    progress = Progress(console=SafeConsole(file=io.StringIO()))
    progress.add_task(HOSTILE)
    shown = printed(HOSTILE, table, progress)
    assert r"\x1b[2J" in shown
    assert not OBEYED.search(shown)


def in_a_terminal(*arguments: str, folder: Path) -> str:
    """What the command sends to a terminal, on both of its streams."""
    ours, its = pty.openpty()
    line = [*COMMAND, *arguments]
    with subprocess.Popen(
        line, cwd=folder, stdin=subprocess.DEVNULL, stdout=its, stderr=its,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "200"},
    ) as process:  # fmt: skip
        os.close(its)
        pieces = []
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other side is closed
                break
            if not piece:
                break
            pieces.append(piece)
        process.wait()
    os.close(ours)
    return OWN.sub("", b"".join(pieces).decode("utf-8", "replace"))


NAME = f"note{CLEAR}{TURNED}.txt"
TEXT = f"Mr. {CLEAR}Anna\x1b[31m Berg{TITLE} wrote to ann@example.org\x9b31m on 12 May 2031.\n"
POLICY = 'name: "x\\e[2J"\ndetect: [patterns]\nreplace: {"\\e[2J": label}\n'


@pytest.mark.parametrize(
    "arguments",
    [
        ["sanitize", NAME],
        ["sanitize", NAME, "-o", "-"],
        ["sanitize", NAME, "-o", f"out{CLEAR}"],
        ["sanitize", f"missing{CLEAR}\nb.txt"],
        ["sanitize", NAME, "-p", f"policy{CLEAR}.yaml"],
        ["detect", NAME],
        ["check", NAME],
        ["verify", NAME],
        ["explain", NAME],
        ["policy", "check", f"policy{CLEAR}.yaml"],
        ["policy", "show", f"policy{CLEAR}.yaml"],
        ["know", "ladder", f"dog{CLEAR}"],
        [f"--no{CLEAR}"],
        [f"unknown{CLEAR}"],
    ],
    ids=lambda arguments: re.sub(r"[^a-z]+", "-", " ".join(arguments)),
)
def test_no_command_hands_a_terminal_what_others_wrote(
    arguments: list[str], tmp_path: Path
) -> None:
    (tmp_path / NAME).write_text(TEXT)
    (tmp_path / f"policy{CLEAR}.yaml").write_text(POLICY)
    shown = in_a_terminal(*arguments, folder=tmp_path)
    assert shown
    assert not OBEYED.search(shown.replace("\r\n", "\n"))


def test_a_file_gets_what_every_program_shows(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("\x1b[1mfor ann@example.org \u202e\n")
    (tmp_path / "policy.yaml").write_text("detect: [patterns]\n")
    done = subprocess.run(
        [*COMMAND, "sanitize", "note.txt", "-p", "policy.yaml"], cwd=tmp_path, capture_output=True
    )
    assert done.stdout.decode() == "for [EMAIL 1] \n"
