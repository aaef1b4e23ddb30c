"""`sfumato know ladder`: what a term can be replaced by."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sfumato.cli.know import app
from sfumato.errors import InputError

Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    def call(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["ladder", *arguments])

    return call


def test_the_command_prints_a_ladder(run: Run) -> None:
    done = run("liver cancer")
    assert done.exit_code == 0
    lines = [line.split() for line in done.output.splitlines()]
    assert lines[0] == ["term", "volume", "bits"]
    assert lines[2] == ["liver", "disease", "7", "15.28"]
    assert "* sense 1 (wordnet)" in done.output


def test_the_command_prints_json(run: Run) -> None:
    done = run("marijuana", "--sense", "2", "--json")
    made = json.loads(done.output)
    assert made["steps"][1] == {
        "term": "soft drug",
        "volume": 4,
        "bits": pytest.approx(15.5, abs=0.1),
    }
    assert made["senses"][1]["description"].startswith("the most commonly used illicit drug")


def test_the_command_says_what_happens_to_unknown_terms(run: Run) -> None:
    error = run("xyzzyqua").exception
    assert isinstance(error, InputError)
    assert "policies remove unknown terms" in str(error)
    assert "xyzzyqua" not in str(error)
    assert isinstance(run("pain", "--sense", "99").exception, InputError)


def test_the_command_takes_kinds_and_taxonomies(run: Run, tmp_path: Path) -> None:
    assert "Île-de-France" in run("Paris", "--kind", "LOC").output
    assert "and 2 more" in run("Paris", "--kind", "LOC").output
    assert run("Xyzzyqua", "--kind", "PERSON").output.count("person") == 1
    own = tmp_path / "drugs.txt"
    own.write_text("medicine\n  painkiller\n    marijuana\n    aspirin\n")
    done = run("marijuana", "--taxonomy", str(own))
    assert "painkiller" in done.output
    assert "sense 1 (drugs)" in done.output
