"""Files of a folder that somebody else writes to are called like modules of Python's: no process of ours
runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sfumato.serve.workers import WorkerProcess
from tests.serve.test_workers import settings

# What processes of their own import first, and what they import later.
NAMES = (
    "multiprocessing",
    "json",
    "pickle",
    "sfumato",
    "threading",
    "numpy",
    "encodings",
    "signal",
)
HOSTILE = "open({mark!r}, 'w').close()\n"
COMMANDS = {
    "batch": ["sanitize", ".", "-o", "../out", "-j", "2", "-p", "../lists.yaml"],
    "statistics": ["know", "build", ".", "-o", "../index", "--jobs", "2", "--min-count", "1"],
}


def plant(folder: Path, mark: Path) -> None:
    for name in NAMES:
        (folder / f"{name}.py").write_text(HOSTILE.format(mark=str(mark)))


@pytest.mark.parametrize("command", COMMANDS)
def test_processes_run_nothing_from_the_working_folder(command: str, tmp_path: Path) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    for n in range(3):
        (inbox / f"{n}.txt").write_text("Write to Ann about the tea in Leeds.\n" * 20_000)
    (tmp_path / "lists.yaml").write_text(
        "detect: [{lists: {hide: [{kind: PERSON, terms: [Annabel]}]}}]\n"
    )
    plant(inbox, tmp_path / "run")
    script = tmp_path / "start"
    script.write_text(
        "import sys\nfrom sfumato.cli import main\n\nif __name__ == '__main__':\n    sys.exit(main())\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(
        [sys.executable, script, *COMMANDS[command]],
        cwd=inbox,
        env=environment,
        capture_output=True,
        text=True,
    )
    # 2: a planted file is among the inputs, and no text
    assert done.returncode in (0, 2), done.stderr
    assert not (tmp_path / "run").exists()


def test_workers_of_a_server_run_nothing_from_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "site").mkdir()
    plant(tmp_path / "site", tmp_path / "run")
    monkeypatch.chdir(tmp_path / "site")
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p])
    made = WorkerProcess(settings(), [], 60).ask("text", "utf-8", b"Ask b@example.org", None)
    assert made.body == b"Ask [EMAIL 1]"
    assert not (tmp_path / "run").exists()
