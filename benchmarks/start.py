"""How long it takes until something happens: importing the package, its help, one note sanitized.

    python -m benchmarks.start [--runs 7]

Every line is a process of its own, run in turn with the others so that all meet one machine; the best run
of each counts. The yardstick is importing numpy and pydantic, which nothing here can do without. Bytecode is
written to a folder that is thrown away, in a first run that does not count, as after an installation.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
NOTE = ROOT / "examples" / "discharge-note.txt"
YARDSTICK = "import numpy, pydantic"
RUNS: dict[str, tuple[list[str], str]] = {
    YARDSTICK: (["-c", YARDSTICK], ""),
    "import sfumato": (["-c", "import sfumato"], "1.3 ×"),
    "from sfumato import sanitize": (["-c", "from sfumato import sanitize"], ""),
    "sfumato --help": (["-m", "sfumato", "--help"], "2 ×"),
    "sfumato sanitize NOTE -o FILE": (
        ["-m", "sfumato", "sanitize", str(NOTE), "-o", "release.txt", "-q"],
        "1.2 s",
    ),
}


def timed(arguments: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Wall and CPU seconds of one process in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(
            [sys.executable, *arguments],
            cwd=folder,
            env=environment,
            check=True,
            capture_output=True,
        )
        wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu


def main() -> None:
    parser = argparse.ArgumentParser(description="Time until something happens.")
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as bytecode:
        environment = os.environ | {"PYTHONPYCACHEPREFIX": bytecode}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        measured: dict[str, list[tuple[float, float]]] = {name: [] for name in RUNS}
        for round_ in range(runs + 1):
            for name, (arguments, _) in RUNS.items():
                found = timed(arguments, environment)
                if round_:
                    measured[name].append(found)
    best = {name: tuple(map(min, zip(*found, strict=True))) for name, found in measured.items()}
    print(f"{'':<30} {'wall s':>7} {'CPU s':>7} {'× yardstick':>12}  goal")
    for name, (wall, cpu) in best.items():
        ratio = wall / best[YARDSTICK][0]
        print(f"{name:<30} {wall:>7.3f} {cpu:>7.3f} {ratio:>12.2f}  {RUNS[name][1]}")


if __name__ == "__main__":
    main()
