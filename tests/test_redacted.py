"""`sanitize --redacted`: somebody else's redactions are the start, the policy goes on from there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sfumato import sanitize, verify
from sfumato.errors import InputError
from sfumato.keys import Key

KEY = Key(bytes(range(32)))
TEXT = "Ann Lee has had the flu since May 2004. Write to ann@example.org."


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from sfumato.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_what_was_hidden_stays_hidden_and_the_policy_goes_on() -> None:
    rules = {"detect": ["patterns"], "replace": {"DATE": "keep"}}
    version = TEXT.replace("Ann Lee", "[NAME]").replace("the flu", "███████")
    released = sanitize(TEXT, rules, key=KEY, redacted=version)
    told = version.replace("[NAME]", "[PERSON 1]")  # a label gets the words of the policy
    assert released.text == told.replace("ann@example.org", "[EMAIL 1]")
    assert {c.verdict for c in verify(released, rules, key=KEY)} == {"holds"}


def test_what_is_no_version_of_the_text_is_refused() -> None:
    with pytest.raises(InputError):
        sanitize(TEXT, redacted="Something else entirely was written here, by another hand.")


def test_on_the_command_line(inside: Path) -> None:
    Path("note.txt").write_text(TEXT)
    Path("redacted.txt").write_text(TEXT.replace("the flu", "XXXXX"))
    Path("p.yaml").write_text("detect: [patterns]\nreplace: {DATE: keep}\n")
    done = run(
        "sanitize", "note.txt", "--redacted", "redacted.txt", "-p", "p.yaml", "-o", "safe.txt"
    )
    assert done.returncode == 0, done.stderr
    assert "XXXXX since May 2004" in Path("safe.txt").read_text()
    assert run("restore", "safe.txt").stdout == TEXT
    Path("other.txt").write_text("x")
    both = run("sanitize", "note.txt", "other.txt", "--redacted", "redacted.txt", "-o", "out")
    assert both.returncode == 2
    assert "give one file" in both.stderr
    same = run("sanitize", "note.txt", "--redacted", "note.txt", "-o", "out.txt")
    assert same.returncode == 2
    assert "hides nothing" in same.stderr
    assert not Path("out.txt").exists()
