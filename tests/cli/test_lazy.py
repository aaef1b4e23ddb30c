"""The help of the whole is shown without importing the commands, and says what they say of themselves."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from sfumato.cli import app, know
from sfumato.cli.lazy import Deferred, Table


@pytest.mark.parametrize("table", [app.COMMANDS, know.COMMANDS])
def test_the_help_lines_are_those_of_the_commands(table: Table) -> None:
    for name, (place, line) in table.items():
        command = Deferred(name, place, line).load()
        said = inspect.cleandoc(command.help or "").split("\n\n")[0]
        assert " ".join(said.split()) == line
        assert command.name == name


def test_the_package_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "sfumato", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("sfumato ")
