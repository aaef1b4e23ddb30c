"""`sfumato know sensitivity`: a classifier of sensitive documents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sfumato.cli.know import app
from sfumato.errors import InputError
from sfumato.measure.sensitivity import load


def run(*arguments: str) -> tuple[int, str, BaseException | None]:
    done = CliRunner().invoke(app, ["sensitivity", *arguments])
    return done.exit_code, done.output, done.exception


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.jsonl"
    rows = [{"document": f"hiv case {n}", "sensitive": True} for n in range(12)]
    rows += [{"document": f"pizza place {n}", "sensitive": False} for n in range(12)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_the_command_writes_a_model_that_only_its_owner_reads(labels: Path, tmp_path: Path) -> None:
    out = tmp_path / "own.json"
    code, said, _ = run(str(labels), "-o", str(out))
    assert code == 0
    assert "24 documents (12 sensitive)" in said
    assert "accuracy 100.0%" in said
    assert out.stat().st_mode & 0o777 == 0o600
    assert load(out).probability("hiv") > 0.9
    first = out.read_bytes()
    _, said, _ = run(str(labels), "-o", str(out), "--json")
    assert json.loads(said)["cross_validation"]["accuracy"] == 1
    assert out.read_bytes() == first


def test_the_command_refuses_to_overwrite_the_labels(labels: Path) -> None:
    code, _, error = run(str(labels), "-o", str(labels))
    assert code != 0
    assert isinstance(error, InputError)
