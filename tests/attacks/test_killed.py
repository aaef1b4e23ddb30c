"""A parallel run is killed at random moments, alone or with its workers, on an empty folder or over earlier
releases: whatever is there stands beside its own certificate, and resumed it gives the bytes of a run that
nobody disturbed."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from sfumato.keys import Key
from sfumato.release.ledger import Ledger
from tests.cli.conftest import Sfumato
from tests.cli.conftest import sfumato as command

__all__ = ["command"]  # a fixture

ENDED = """
import os, signal, sys
from sfumato import files
from sfumato.cli.app import main
from sfumato.release.ledger import Ledger

def end(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

{owner}.{step} = end
sys.argv = {arguments}
main()
"""
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


def kill(place: Path, out: str, chance: random.Random) -> int:
    """A run that is killed; the number of releases that are there then."""
    process = started(place, out)
    assert process.stdout is not None
    # Moments by work done since it began: the machine may be slow or fast
    done, least = 0, chance.randrange(FILES // 2)
    while done < least and (line := process.stdout.readline()):
        done += line.strip() == "released"
    time.sleep(chance.uniform(0, 0.05))
    if chance.randrange(2):
        os.killpg(process.pid, signal.SIGKILL)
    else:  # its workers notice, and end by themselves
        process.kill()
    process.communicate()
    return assert_pairs(tree(place / out))


def kill_and_resume(place: Path, number: int, kills: int, chance: random.Random) -> list[int]:
    """A run that is killed some times, each time where it was resumed, and ends at last; the number of
    releases that were there after each kill."""
    out = f"out-{number}"
    if number % 3 == 0:  # over the releases of another policy
        shutil.copytree(place / "other", place / out)
        shutil.copy(place / "other.db", place / f"{out}.db")
    there = [kill(place, out, chance) for _ in range(kills)]
    finished(started(place, out))
    whole = tree(place / "whole")
    assert tree(place / out) == whole
    with Ledger(Key(bytes(range(32))), place / f"{out}.db", read_only=True) as ledger:
        for name, data in whole.items():
            assert name.endswith(".json") or ledger.find_one(data, name).record.name == name
    return there


@pytest.mark.parametrize(
    "kills", [pytest.param(2, id="few"), pytest.param(50, id="many", marks=pytest.mark.slow)]
)
def test_killed_at_any_moment_and_resumed_a_parallel_run_gives_the_same_bytes(
    tmp_path: Path, kills: int
) -> None:
    write_corpus(tmp_path / "in")
    (tmp_path / "job.py").write_text(JOB)
    assert finished(started(tmp_path, "whole")) == {"released": FILES}
    assert finished(started(tmp_path, "other", "strict")) == {"released": FILES}
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance, there, number = random.Random(seed), list[int](), 0
    while len(there) < kills:
        some = chance.randint(1, min(4, kills - len(there)))
        there += kill_and_resume(tmp_path, number, some, chance)
        number += 1
    print(f"releases there after each kill: {sorted(there)}")
    assert kills < 50 or len(set(there)) > 5  # the moments were not all before or after the work


@pytest.mark.parametrize(
    ("owner", "step", "stands"), [("files", "write_together", 0), ("Ledger", "take_over", 1)]
)
@pytest.mark.parametrize("keeps", ["certificate", "nothing"])
@pytest.mark.parametrize(
    ("name", "inputs", "arguments"),
    [
        (
            "note.txt",
            ("Write to ann@example.org today.", "Write to bob@example.net today."),
            ("sanitize", "in", "-o", "out"),
        ),
        (
            "log.csv",
            (
                "user,document\na,flu\nb,flu\nb,my street\n",
                "user,document\na,flu\nb,flu\na,my dog\n",
            ),
            ("anonymize-log", "in/log.csv", "-k", "2", "-o", "out/log.csv", "--keep-users"),
        ),
    ],
)
def test_a_run_that_ends_between_ledger_and_file_gives_no_text_of_another_document(
    command: Sfumato,
    inside: Path,
    name: str,
    inputs: tuple[str, str],
    arguments: tuple[str, ...],
    keeps: str,
    owner: str,
    step: str,
    stands: int,
) -> None:
    """Both inputs have one release, and one place: the second takes it, or has taken it, when the run ends."""
    given, release = inside / "in" / name, inside / "out" / name
    beside = release.with_name(f"{name}.cert.json")
    given.parent.mkdir()
    given.write_text(inputs[0])
    assert command(*arguments, "-q").code == 0
    assert command("restore", str(release)).out == inputs[0]
    given.write_text(inputs[1])
    script = ENDED.format(owner=owner, step=step, arguments=["sfumato", *arguments, "-q"])
    ended = subprocess.run([sys.executable, "-c", script], timeout=300, check=False)
    assert ended.returncode == -signal.SIGKILL
    certified = beside.read_bytes()
    if keeps == "nothing":
        beside.unlink()
    found = command("restore", str(release))
    assert (found.code, found.out) == (2, "")
    assert "a run that writes it was not finished: run it again" in found.err
    if keeps == "certificate":  # by which the user may say what stands there
        found = command("restore", str(release), "--certificate", str(beside))
        assert (found.code, found.out) == (0, inputs[stands])
    assert command(*arguments, "-q").code == 0
    assert command("restore", str(release)).out == inputs[1]
    moved = inside / "earlier" / name  # nothing is lost of the first one
    if keeps == "certificate" and not stands:
        moved.parent.mkdir()
        release.rename(moved)
        moved.with_name(beside.name).write_bytes(certified)
        found = command("restore", str(moved), "--certificate", str(moved.with_name(beside.name)))
        assert found.out == inputs[0]
