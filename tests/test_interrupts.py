"""Signals at every moment of the command's life."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

# The installed script, which says when the package is there: before that it is Python's own start.
SCRIPT = """
import sfumato
if __name__ == "__main__":
    print("on", flush=True)
    from sfumato.cli import main
    main()
"""
MOMENTS = [number * 0.025 for number in range(20)]


def stopped(
    folder: Path, name: str, number: int, moment: float, *, group: bool = False
) -> tuple[int, str]:
    script = folder / name
    script.write_text(SCRIPT)
    process = subprocess.Popen(
        [sys.executable, str(script), "sanitize", "in", "-o", "out", "--force", "-j", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        start_new_session=True,  # a group of its own, as a terminal makes one
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "on\n"
    time.sleep(moment)
    (os.killpg if group else os.kill)(process.pid, number)
    _, said = process.communicate(timeout=60)
    return process.returncode, said


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    for number in range(20):
        (tmp_path / "in" / f"{number}.txt").write_text("Dr. Margaret Holloway of Leeds. " * 200)
    return tmp_path


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_command_in_a_line_wherever_it_falls(folder: Path, number: int) -> None:
    codes = {signal.SIGINT: {130}, signal.SIGTERM: {143, -15}}[signal.Signals(number)]
    for moment in MOMENTS:
        code, said = stopped(folder, "sfumato", number, moment)
        assert code in codes, said
        assert "Traceback" not in said
        assert "internal error" not in said
        told = [line for line in said.splitlines() if "A new key" not in line]
        assert len(told) == (0 if code < 0 else 1), said
        assert not list(folder.rglob(".sfumato-*"))
        assert len(list(folder.glob("out/*.txt"))) == len(list(folder.glob("out/*.cert.json")))


def test_processes_that_are_starting_say_nothing_of_ctrl_c(folder: Path) -> None:
    for number in range(60):  # large enough for processes of their own
        (folder / "in" / f"{number}.txt").write_text("The weather was fine all day. " * 1200)
    for moment in (0.8, 1.1, 1.4, 1.8, 2.4):
        code, said = stopped(folder, "sfumato", signal.SIGINT, moment, group=True)
        told = [line for line in said.splitlines() if "A new key" not in line]
        assert (code, len(told)) == (130, 1), said


def test_a_program_that_imports_the_package_keeps_its_own_ways(folder: Path) -> None:
    (folder / "mine").write_text("import sfumato, signal; print(signal.getsignal(signal.SIGINT))")
    done = subprocess.run([sys.executable, str(folder / "mine")], capture_output=True, text=True)
    assert "default_int_handler" in done.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_a_library_has_lost_still_ends_the_command(folder: Path, number: int) -> None:
    (folder / "sfumato").write_text(
        "import os, sys\n"
        "from sfumato.cli import main\n"
        "from sfumato.release import batch\n"
        "read, times = batch.read_job, []\n"
        "def lose(*given, **named):\n"
        "    times.append(1)\n"
        "    try:\n"
        f"        len(times) == 3 and os.kill(os.getpid(), {int(number)})\n"
        "    except BaseException:\n"
        "        pass\n"
        "    return read(*given, **named)\n"
        "batch.read_job = lose\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "sfumato", "sanitize", "in", "-o", "out"],
        capture_output=True,
        text=True,
        cwd=folder,
    )
    assert done.returncode == 128 + number
    assert done.stderr.splitlines()[-1].startswith("sfumato: ")
    assert len(list(folder.glob("out/*.txt"))) == len(list(folder.glob("out/*.cert.json"))) == 3
