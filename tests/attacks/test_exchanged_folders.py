"""Somebody who may write to the output folder, or to the one it lies in, exchanges folders for links to others
again and again while a run writes: nothing outside the output folder is touched, be it a stranger's file or an
earlier release of the same name, and by force neither."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from sfumato import policy
from sfumato.files import identities
from sfumato.keys import Key
from sfumato.policy import Policy
from sfumato.release import batch
from sfumato.release.batch import Job, Settings

SECONDS = 1.5
NAMES = [f"{number}.txt" for number in range(4)]
# Two paths take each other's place at once, until it is killed.
ATTACKER = """
import ctypes, sys, time
exchange, (one, other, pause) = ctypes.CDLL(None).renameat2, sys.argv[1:]
while True:
    exchange(-100, one.encode(), -100, other.encode(), 2)
    time.sleep(float(pause))
"""

pytestmark = pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "renameat2"), reason="needs a system that exchanges two paths"
)


@dataclass(frozen=True)
class Attack:
    """The path that is exchanged for a link, and where the link leads to."""

    exchanged: str
    leads_to: str


ATTACKS = {
    "a folder": Attack("out/a", "victim/a"),
    "a folder in a folder": Attack("out/a/b", "victim/a/b"),
    "the output folder": Attack("out", "victim"),
}
PARENT = {"the folder of the output folder": Attack("place", "elsewhere")}


def rules(number: int) -> Policy:
    """Each time another policy, so that releases are made anew."""
    method = ["label", "mask", "hash"][number % 3]
    return policy.load(
        {"name": f"p{number}", "detect": ["patterns"], "replace": {"*": method}, "limits": {}}
    )


def run(planned: Sequence[Job], ledger: Path, key: Key, number: int, force: bool) -> list[str]:
    settings = Settings(rules(number), key, ledger, force=force)
    return [outcome.message or outcome.status for outcome in batch.run(planned, settings, 1)]


def contents(folder: Path) -> dict[str, tuple[int, bytes]]:
    found = (p for p in folder.rglob("*") if p.is_file())
    return {str(p.relative_to(folder)): (p.stat().st_ino, p.read_bytes()) for p in found}


@pytest.mark.parametrize("force", [False, True], ids=["asked", "by force"])
@pytest.mark.parametrize("victim", ["strangers", "earlier releases"])
@pytest.mark.parametrize("name", [*ATTACKS, *PARENT])
def test_whoever_exchanges_folders_has_nothing_replaced_elsewhere(
    tmp_path: Path, key: Key, name: str, victim: str, force: bool
) -> None:
    attack = (ATTACKS | PARENT)[name]
    source, place = tmp_path / "in", tmp_path / "place"
    for folder in ("a", "a/b"):
        (source / folder).mkdir(parents=True)
        for file in NAMES:
            (source / folder / file).write_text(f"Ask {folder}{file[0]}@example.org about it.\n")
    root = tmp_path if name in PARENT else place
    victims = root / attack.leads_to
    other = victims / "out" if name in PARENT else victims
    ledger = tmp_path / "ledger.db"
    if victim == "earlier releases":
        run(batch.plan([str(source)], str(tmp_path / "whole")), ledger, key, 0, False)
        below = "" if name in PARENT else Path(attack.exchanged).relative_to("out")
        other.parent.mkdir(parents=True)
        (tmp_path / "whole" / below).rename(other)
    else:
        for folder in ("a/b", "b", "."):
            (other / folder).mkdir(parents=True, exist_ok=True)
            for file in NAMES:
                (other / folder / file).write_text("not yours\n")
    before = contents(victims)
    assert before
    (place / "out").mkdir(parents=True)
    planned = batch.plan([str(source)], str(place / "out"))
    assert set(run(planned, ledger, key, 1, force)) == {"released"}
    (root / "link").symlink_to(victims)
    exchanged = [str(root / attack.exchanged), str(root / "link")]
    said: Counter[str] = Counter()
    attacker = subprocess.Popen([sys.executable, "-c", ATTACKER, *exchanged, "0.0003"])
    try:
        until, number = time.monotonic() + SECONDS, 2
        while time.monotonic() < until and contents(victims) == before:
            said.update(run(planned, ledger, key, number, force))
            number += 1
    finally:
        attacker.kill()
        attacker.wait()
    assert contents(victims) == before
    assert any("is a link" in line or "taken its place" in line for line in said), said
    assert said["released"], said
    assert not [line for line in said if "internal error" in line]


@pytest.mark.parametrize("exchanged", [("in/a", "out/a"), ("in", "out"), ("in/a/b", "out/a")])
def test_inputs_that_take_the_place_of_the_output_are_not_replaced_even_by_force(
    tmp_path: Path, key: Key, exchanged: tuple[str, str]
) -> None:
    for folder in ("in/a/b", "in/a"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        for file in NAMES:
            (tmp_path / folder / file).write_text(f"Ask {file[0]}@example.org.\n")
    before = set(contents(tmp_path / "in").values())
    planned = batch.plan([str(tmp_path / "in")], str(tmp_path / "out"))
    ledger = tmp_path / "ledger.db"
    inputs = identities(job.source for job in planned)  # as they are when a run begins
    assert len(inputs) == len(before) == 2 * len(NAMES)

    def released(number: int) -> set[str]:
        settings = Settings(rules(number), key, ledger, force=True, inputs=inputs)
        return {outcome.message or outcome.status for outcome in batch.run(planned, settings, 1)}

    assert released(1) == {"released"}
    both = [str(tmp_path / path) for path in exchanged]
    attacker = subprocess.Popen([sys.executable, "-c", ATTACKER, *both, "0.0003"])
    try:
        until, number = time.monotonic() + SECONDS, 2
        while time.monotonic() < until:
            released(number)
            number += 1
    finally:
        attacker.kill()
        attacker.wait()
    after = {*contents(tmp_path / "in").values(), *contents(tmp_path / "out").values()}
    assert before <= after
