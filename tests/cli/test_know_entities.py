"""`sfumato know entities`: make and look at entity databases."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sfumato.cli.know import app
from sfumato.errors import SfumatoError
from tests.know.entities.test_imports import Counted, sqlite_clinic, write

Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> str:
        done = CliRunner().invoke(app, ["entities", *arguments])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == 0, done.output
        return done.stdout

    return call


def test_the_commands_import_and_show(tmp_path: Path, run: Run) -> None:
    write(tmp_path / "rows.csv")
    (tmp_path / "readers.csv").write_text("reader,sees,value\nann,entity,Flu\n")
    said = run(
        "import", "rows.csv", "-o", "d.entities", "--protect", "Flu", "--readers", "readers.csv"
    )
    assert said.startswith("d.entities: 2 entities, 2 terms, 3 pairs, ")
    shown = run("show", "d.entities")
    assert [line.split() for line in shown.splitlines()][:5] == [
        ["entities", "2"],
        ["terms", "2"],
        ["pairs", "3"],
        ["label", "protected", "1"],
        ["protected", "for", "ann", "0"],
    ]
    as_json = json.loads(run("show", "d.entities", "--json"))
    assert as_json["labels"] == {"protected": 1}
    shown = run("show", "d.entities", "flu")
    assert [line.split() for line in shown.splitlines()] == [
        ["Flu", "(protected)"],
        ["term", "weight"],
        ["fever", "2"],
        ["Coughs", "1.5"],
    ]
    assert json.loads(run("show", "d.entities", "Flu", "--json"))["context"][0] == ["fever", 2.0]


def test_the_command_imports_a_query_and_a_corpus(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = "SELECT disease, sign FROM signs"
    said = run(
        "import",
        str(sqlite_clinic(tmp_path / "clinic.sqlite")),
        "--query",
        query,
        "--entity",
        "disease",
        "--term",
        "sign",
        "-o",
        "a",
    )
    assert said.startswith("a: 2 entities")
    statistics = pytest.importorskip("sfumato.know.statistics")
    monkeypatch.setattr(statistics, "default", Counted)
    (tmp_path / "c.jsonl").write_text('{"title": "Zorblax", "text": "rice"}')
    assert run("import", "--corpus", "c.jsonl", "-o", "b").startswith("b: 1 entities, 1 terms")
    with pytest.raises(SfumatoError, match="not both"):
        run("import", "c.jsonl", "--corpus", "--query", query, "-o", "c")


def test_a_link_in_the_place_of_the_database_is_not_replaced_and_no_option_is_advised_that_is_not(
    tmp_path: Path, run: Run
) -> None:
    write(tmp_path / "rows.csv")
    (tmp_path / "dear").write_text("dear")
    (tmp_path / "d.entities").symlink_to("dear")
    with pytest.raises(SfumatoError, match=r"d\.entities: .*give another name$"):
        run("import", "rows.csv", "-o", "d.entities")
    assert (tmp_path / "dear").read_text() == "dear"
