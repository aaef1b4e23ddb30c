"""`sfumato explore`: what a setting costs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sfumato.cli.app import app
from sfumato.errors import MissingExtraError
from tests.cli.conftest import NOTES, run


def test_explore_writes_page_pictures_and_numbers(before: Path) -> None:
    said = run("explore", before, "--sweep", "replace.*=label,keep", "-o", "out")
    assert "Recommended:" in said
    assert "out: frontier.html, frontier.json, frontier.svg, frontier.png" in said
    found = json.loads(Path("out/frontier.json").read_text())
    assert [p["settings"] for p in found["points"]] == [
        {"replace.*": "label"},
        {"replace.*": "keep"},
    ]
    assert Path("out/frontier.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in Path("out/frontier.html").read_text()


def test_explore_against_a_background(before: Path) -> None:
    Path("known.csv").write_text("person,text\n" + "".join(f"{n},{t}\n" for n, t in NOTES.items()))
    said = run(
        *("explore", before, "--sweep", "replace.*=label,keep", "--background", "known.csv"),
        "--json",
    )
    assert json.loads(said)["points"][1]["risk"] == 1.0


def test_explore_says_what_was_refused(inside: Path) -> None:
    Path("note.txt").write_text("She uses marijuana for phantom limb pain.")
    Path("p.yaml").write_text("detect: []\nprotect:\n  - plausibility: {t: 2}\n")
    sweep = f"protect.plausibility.t={10**60}"
    said = run("explore", "note.txt", "-p", "p.yaml", "--sweep", sweep, "-o", "o")
    assert "cannot be reached" in said
    assert "every value was refused" in said
    assert sorted(p.name for p in Path("o").iterdir()) == ["frontier.html", "frontier.json"]


def test_without_matplotlib_there_is_the_table_and_a_line(
    before: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    done = CliRunner().invoke(
        app, ["explore", str(before), "--sweep", "replace.*=label", "-o", "out"]
    )
    assert isinstance(done.exception, MissingExtraError)
    assert done.exception.extra == "plots"
    assert "label" in done.output
    assert Path("out/frontier.html").exists()
