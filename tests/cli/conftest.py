"""Runs command lines, in an empty folder."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Protocol

import pytest
from typer.testing import CliRunner

from sfumato.cli import console
from sfumato.cli.app import app, main

NOTE = "Patient: Marta Keller\nWrite to marta.keller@example.org before 12 May 2031.\n"
NOTES = {
    "Ann Lee": "Ann Lee wrote to ann@example.org about her lung cancer in Oslo.",
    "Bob Ray": "Bob Ray sells boats in Bergen and sings in a choir.",
    "Cem Kaya": "Cem Kaya bakes bread in Ankara; he has diabetes.",
}
HIDDEN = {
    "Ann Lee": "[PERSON] wrote to [EMAIL] about her disease in [LOC].",
    "Bob Ray": "[PERSON] sells boats in [LOC] and sings in a choir.",
    "Cem Kaya": "[PERSON] bakes bread in [LOC]; he has diabetes.",
}


class Result:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


class Sfumato(Protocol):
    """The command, as the fixture `sfumato` runs it."""

    def __call__(self, *arguments: str, stdin: bytes = b"") -> Result: ...


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Consoles are made once for a process, as wide as its terminal was then: here all alike."""
    for each in (console.out, console.err):
        monkeypatch.setattr(each, "width", 160)


@pytest.fixture
def sfumato(
    inside: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Sfumato:
    """Runs a command line in this process, in an empty folder with a note in it."""
    (inside / "note.txt").write_text(NOTE)

    def call(*arguments: str, stdin: bytes = b"") -> Result:
        monkeypatch.setattr(sys, "argv", ["sfumato", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as caught:
            main()
        seen = capsysbinary.readouterr()
        return Result(int(caught.value.code or 0), seen.out.decode(), seen.err.decode())

    return call


def run(*arguments: object) -> str:
    """What a command prints, spaces squeezed; its errors are raised."""
    done = CliRunner().invoke(app, [str(a) for a in arguments])
    if done.exception is not None:
        raise done.exception
    return " ".join(done.output.split())


def folder(path: Path, texts: dict[str, str]) -> Path:
    path.mkdir()
    for name, text in texts.items():
        (path / f"{name}.txt").write_text(text)
    return path


@pytest.fixture
def before(inside: Path) -> Path:
    return folder(inside / "before", NOTES)


@pytest.fixture
def after(inside: Path) -> Path:
    return folder(inside / "after", HIDDEN)
