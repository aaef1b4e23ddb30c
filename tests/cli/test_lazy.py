"""The help of the whole is shown without importing the commands, and says what they say of themselves."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys

import pytest

from sfumato.cli import app, know
from sfumato.cli.lazy import Deferred, Table

HEAVY = {
    *("numpy", "pydantic", "onnxruntime", "tokenizers", "faker", "phonenumbers", "pyarrow", "re2"),
    *("openpyxl", "spacy", "matplotlib", "sklearn", "pandas", "polars", "sqlite3", "cryptography"),
    *("yaml", "multiprocessing", "email", "sfumato.policy", "sfumato.pipeline", "sfumato.know"),
}


@pytest.mark.parametrize("table", [app.COMMANDS, know.COMMANDS])
def test_the_help_lines_are_those_of_the_commands(table: Table) -> None:
    for name, (place, line) in table.items():
        command = Deferred(name, place, line).load()
        said = inspect.cleandoc(command.help or "").split("\n\n")[0]
        assert " ".join(said.split()) == line
        assert command.name == name


def heavy(code: str, *arguments: str) -> str:
    """The heavy modules that a program has imported at its end."""
    end = f"\nimport sys\nprint(*{HEAVY!r} & sys.modules.keys(), file=sys.stderr)"
    command = [sys.executable, "-c", code + end, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stderr.strip()


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_help_imports_nothing_that_is_heavy(arguments: list[str]) -> None:
    code = "from sfumato.cli import main\ntry: main()\nexcept SystemExit: pass"
    assert heavy(code, *arguments) == ""


def test_the_help_of_a_group_imports_none_of_its_commands() -> None:
    code = "from sfumato.cli import main\ntry: main()\nexcept SystemExit: pass"
    # typer reads the options before a command's name with pydantic, which takes in email.
    assert set(heavy(code, "know", "--help").split()) <= {"pydantic", "email"}


def test_importing_the_package_imports_nothing_that_is_heavy() -> None:
    assert heavy("import sfumato\ndir(sfumato)\nfrom sfumato import SfumatoError") == ""


def test_the_package_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "sfumato", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("sfumato ")


@pytest.mark.parametrize(
    ("typed", "completed"), [("sfumato san", "sanitize"), ("sfumato sanitize --pol", "--policy")]
)
def test_shells_complete_commands_and_their_options(typed: str, completed: str) -> None:
    asked = {"_SFUMATO_COMPLETE": "complete_bash", "COMP_WORDS": typed}
    asked["COMP_CWORD"] = str(typed.count(" "))
    start = "import sys; sys.argv = ['sfumato']; from sfumato.cli.app import main; main()"
    command = [sys.executable, "-c", start]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **asked}, check=False
    )
    assert done.stdout.split() == [completed]
