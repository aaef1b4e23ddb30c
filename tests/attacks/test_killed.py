"""A parallel run is killed at random moments, alone or with its workers, on an empty folder or over earlier
releases: whatever is there stands beside its own certificate, and resumed it gives the bytes of a run that
nobody disturbed."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from sfumato.keys import Key
from sfumato.release.ledger import Ledger

NAMES = ["Maria Keller", "Amina Yusuf", "Tom Okafor", "Lena Braun", "Piotr Nowak", "Ines Duarte"]
FILES = 16
JOB = """
import sys
from pathlib import Path
from sfumato import policy
from sfumato.keys import Key
from sfumato.release import batch

if __name__ == "__main__":
    batch.PARALLEL_FROM_BYTES = 0
    folder, out, ledger, profile = sys.argv[1:]
    settings = batch.Settings(policy.load(profile), Key(bytes(range(32))), Path(ledger))
    for outcome in batch.run(batch.plan([folder], out), settings, 2):
        print(outcome.status, outcome.message, flush=True)
"""


def write_corpus(folder: Path) -> None:
    for number in range(FILES):
        path = folder / f"{number % 2}" / f"{number:02}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = (
            f"Dr. {NAMES[(number + row) % 6]} wrote to p{number * row % 17}@example.org on 12 May.\n"
            for row in range(30)
        )
        path.write_text("".join(rows))


def tree(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()
    }


def started(place: Path, out: str, profile: str = "research") -> subprocess.Popen[str]:
    command = [sys.executable, place / "job.py", place / "in", place / out, place / f"{out}.db"]
    return subprocess.Popen(
        [*map(str, command), profile],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def finished(process: subprocess.Popen[str]) -> Counter[str]:
    said, _ = process.communicate()
    assert process.returncode == 0, said
    return Counter(line.strip() for line in said.splitlines())


def assert_pairs(found: dict[str, bytes]) -> int:
    """Every release that is there stands beside its own certificate; how many there are."""
    releases = [n for n in found if n.endswith(".txt") and not n.rpartition("/")[2].startswith(".")]
    for name in releases:
        certified = json.loads(found[f"{name}.cert.json"])
        assert certified["output"] == f"sha256:{hashlib.sha256(found[name]).hexdigest()}"
    return len(releases)


def kill_and_resume(place: Path, number: int, chance: random.Random) -> int:
    """One round; the number of releases that were there after the kill."""
    out = f"out-{number}"
    if number % 3 == 0:  # over the releases of another policy
        finished(started(place, out, "strict"))
    process = started(place, out)
    assert process.stdout is not None
    for _ in range(
        chance.randrange(FILES)
    ):  # moments by work done: the machine may be slow or fast
        process.stdout.readline()
    time.sleep(chance.uniform(0, 0.05))
    if number % 2:
        os.killpg(process.pid, signal.SIGKILL)
    else:  # its workers notice, and end by themselves
        process.kill()
    process.communicate()
    there = assert_pairs(tree(place / out))
    finished(started(place, out))
    whole = tree(place / "whole")
    assert tree(place / out) == whole
    with Ledger(Key(bytes(range(32))), place / f"{out}.db", read_only=True) as ledger:
        for name, data in whole.items():
            assert name.endswith(".json") or ledger.find_one(data, name).record.name == name
    return there


@pytest.mark.parametrize(
    "rounds", [pytest.param(2, id="few"), pytest.param(50, id="many", marks=pytest.mark.slow)]
)
def test_killed_at_any_moment_and_resumed_a_parallel_run_gives_the_same_bytes(
    tmp_path: Path, rounds: int
) -> None:
    write_corpus(tmp_path / "in")
    (tmp_path / "job.py").write_text(JOB)
    assert finished(started(tmp_path, "whole")) == {"released": FILES}
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    there = [kill_and_resume(tmp_path, number, chance) for number in range(rounds)]
    print(f"releases there after each kill: {sorted(there)}")
    assert rounds < 50 or len(set(there)) > 5  # the moments were not all before or after the work
