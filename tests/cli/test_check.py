"""`sfumato check`: what still discloses in a released text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sfumato.cli.app import app

NOTE = "She has breast cancer and had a mastectomy. A table stood there."


@pytest.fixture
def note(inside: Path) -> Path:
    (inside / "note.txt").write_text(NOTE)
    (inside / "safe.txt").write_text(NOTE.replace("breast cancer", "██████ ██████"))
    return inside


def test_the_command_names_terms_bits_and_what_to_say(note: Path) -> None:
    done = CliRunner().invoke(app, ["check", "safe.txt", "--original", "note.txt"])
    assert done.exit_code == 3
    assert "mastectomy" in done.output
    assert "say" in done.output


def test_the_command_speaks_json(note: Path) -> None:
    done = CliRunner().invoke(app, ["check", "safe.txt", "--original", "note.txt", "--json"])
    said = json.loads(done.output)
    assert said["disclosures"][0]["hidden"] == "breast cancer"
    assert said["disclosures"][0]["told"] >= said["disclosures"][0]["threshold"]


def test_the_command_is_content_with_a_clean_release(note: Path) -> None:
    (note / "clean.txt").write_text("She has [DISEASE] and had a table.")
    done = CliRunner().invoke(app, ["check", "clean.txt"])
    assert done.exit_code == 0
    assert "1 hidden, 1 assessed, 0 disclosures" in done.output


def test_columns_of_a_table_are_checked(note: Path) -> None:
    (note / "before.csv").write_text(f"id,note\n1,{NOTE}\n")
    (note / "after.csv").write_text(f"id,note\n1,{NOTE.replace('breast cancer', '[DISEASE]')}\n")
    line = ["check", "after.csv", "--original", "before.csv", "--columns", "note"]
    done = CliRunner().invoke(app, line)
    assert done.exit_code == 3
    assert "mastectomy" in done.output
