"""Somebody who may write to the output folder plants links, pipes and folders under the names that a command is
about to use, or runs it at the same time: nothing elsewhere is overwritten, what holds originals stays private,
and what is not Sfumato's own is replaced only when that is asked for."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sfumato import sanitize
from sfumato.cli.app import app
from sfumato.errors import SfumatoError
from sfumato.folders import _new_name

NOTE = "Patient: Marguerite Wieczorek, seen on 12 May 2031, called 07700 900318.\n"
LOG = "user,document\n" + "".join(f"u{user},flu\n" for user in range(6))
TABLE = "name,age\n" + "".join(f"Ann{n} Keller,{30 + n % 2}\n" for n in range(8))
TABLE_POLICY = "table: {k: 2, columns: {name: direct, age: {role: quasi, type: number}}}\n"

# A command, the files it writes, and whether they hold originals.
COMMANDS: dict[str, tuple[Sequence[str], Sequence[str], bool]] = {
    "sanitize": (["sanitize", "note.txt", "-o", "out/r.txt"], ["r.txt", "r.txt.cert.json"], False),
    "sanitize into a folder": (
        ["sanitize", "note.txt", "-o", "out/"],
        ["note.txt", "note.txt.cert.json"],
        False,
    ),
    "report": (["sanitize", "note.txt", "--report", "out/p.html"], ["p.html"], False),
    "review": (["sanitize", "note.txt", "--review", "out/p.html"], ["p.html"], True),
    "anonymize": (
        ["anonymize", "t.csv", "-p", "table.yaml", "-o", "out/r.csv", "--no-cache"],
        ["r.csv", "r.csv.cert.json"],
        False,
    ),
    "suggest": (["anonymize", "t.csv", "--suggest", "-o", "out/p.yaml"], ["p.yaml"], False),
    "anonymize-log": (
        ["anonymize-log", "log.csv", "-k", "2", "-o", "out/r.csv"],
        ["r.csv", "r.csv.cert.json"],
        False,
    ),
    "measure": (["measure", "note.txt", "made.txt", "--html", "out/p.html"], ["p.html"], False),
    "explore": (
        ["explore", "note.txt", "--sweep", "replace.*=label,keep", "-o", "out"],
        ["frontier.json", "frontier.svg", "frontier.png", "frontier.html"],
        False,
    ),
    "know build": (
        ["know", "build", "note.txt", "-o", "out/i", "--min-count", "1", "-j", "1"],
        ["i"],
        False,
    ),
    "know sensitivity": (
        ["know", "sensitivity", "labels.csv", "-o", "out/m.json"],
        ["m.json"],
        True,
    ),
}
NAMES = list(COMMANDS)


def call(*arguments: str) -> str:
    """Run a command; what is wrong, if anything is."""
    done = CliRunner().invoke(app, list(arguments))
    if isinstance(done.exception, SfumatoError):
        return str(done.exception)
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.output if done.exit_code else ""


@pytest.fixture
def place(inside: Path) -> Path:
    """A folder with inputs, a release in it, and an empty folder for outputs."""
    (inside / "out").mkdir()
    (inside / "note.txt").write_text(NOTE)
    (inside / "t.csv").write_text(TABLE)
    (inside / "log.csv").write_text(LOG)
    (inside / "table.yaml").write_text(TABLE_POLICY)
    (inside / "labels.csv").write_text(
        "document,sensitive\n" + "flu and fever,yes\nhome and garden,no\n" * 10
    )
    call("sanitize", "note.txt", "-o", "made.txt", "-q")
    return inside


def kinds_of(folder: Path) -> dict[str, bool]:
    return {p.name: p.is_symlink() for p in folder.iterdir()}


@pytest.mark.parametrize("name", NAMES)
def test_every_command_writes_its_files_and_nothing_else_and_again_without_being_asked(
    place: Path, name: str
) -> None:
    arguments, written, holds_originals = COMMANDS[name]
    assert not call(*arguments)
    first = {p.name: p.read_bytes() for p in (place / "out").iterdir()}
    assert sorted(first) == sorted(written)
    for path in (place / "out").iterdir():
        assert not holds_originals or stat.S_IMODE(path.stat().st_mode) == 0o600
    if name == "suggest":  # a policy may have been worked on since
        assert "--force" in call(*arguments)
        arguments = [*arguments, "--force"]
    assert not call(*arguments)
    assert {p.name: p.read_bytes() for p in (place / "out").iterdir()} == first


def test_a_certificate_by_another_key_stays_until_it_is_asked_for(place: Path) -> None:
    arguments, written, _ = COMMANDS["sanitize"]
    certificate = place / "out" / next(name for name in written if name.endswith(".cert.json"))
    assert not call(*arguments)
    ours = certificate.read_bytes()
    certificate.write_text(
        issued_elsewhere := sanitize("Call bob@example.org.").certificate.to_json()
    )
    (place / "out" / written[0]).unlink()
    assert "--force" in call(*arguments)
    assert certificate.read_text() == issued_elsewhere
    assert not call(*arguments, "--force")
    assert certificate.read_bytes() == ours


@pytest.mark.parametrize("planted", ["file", "link", "hard link", "dangling"])
@pytest.mark.parametrize("name", NAMES)
def test_what_is_not_ours_stays_until_it_is_asked_for(place: Path, name: str, planted: str) -> None:
    arguments, written, _ = COMMANDS[name]
    victim, target = place / "victim", place / "out" / written[-1]
    victim.write_text("not yours")
    if planted == "file":
        target.write_text("not yours")
    elif planted == "hard link":
        os.link(victim, target)
    else:
        target.symlink_to(victim if planted == "link" else place / "nowhere")
    assert "--force" in call(*arguments)
    assert [p.name for p in (place / "out").iterdir()] == [target.name]
    assert target.is_symlink() == (planted in ("link", "dangling"))
    assert not call(*arguments, "--force")
    assert sorted(kinds_of(place / "out")) == sorted(written)
    assert not any(kinds_of(place / "out").values())
    assert victim.read_text() == "not yours"
    assert not (place / "nowhere").exists()


ODD = [
    (name, planted, which)
    for name in NAMES
    for planted in ("pipe", "folder", "link to a folder", "link to a device")
    for which in (0, -1)
    if (name, planted[-6:], which) != ("sanitize", "folder", 0)  # there it goes into the folder
]


@pytest.mark.parametrize(("name", "planted", "which"), ODD)
def test_what_is_no_file_is_never_replaced(
    place: Path, name: str, planted: str, which: int
) -> None:
    arguments, written, _ = COMMANDS[name]
    target = place / "out" / written[which]
    match planted:
        case "pipe":
            os.mkfifo(target)
        case "folder":
            target.mkdir()
        case "link to a folder":
            target.symlink_to(place)
        case _:
            target.symlink_to(os.devnull)
    before = target.lstat().st_ino
    assert "no plain file" in call(*arguments, "--force")
    assert [(p.name, p.lstat().st_ino) for p in (place / "out").iterdir()] == [
        (target.name, before)
    ]


@pytest.mark.parametrize("name", ["sanitize", "review", "anonymize", "anonymize-log"])
def test_a_folder_that_cannot_be_written_to_is_one_clear_line(place: Path, name: str) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    (place / "out").chmod(0o500)
    assert "cannot be written" in call(*COMMANDS[name][0])
    (place / "out").chmod(0o700)
    assert list((place / "out").iterdir()) == []


def test_names_of_unfinished_files_cannot_be_guessed() -> None:
    made = {_new_name() for _ in range(1000)}
    assert len(made) == 1000
    assert {len(name) for name in made} == {len(".sfumato-.part") + 16}


def test_an_input_is_never_replaced_whatever_leads_to_it(place: Path) -> None:
    (place / "out" / "r.txt").symlink_to(place / "note.txt")
    os.link(place / "note.txt", place / "out" / "hard.txt")
    call("sanitize", "note.txt", "-o", "out/hard.txt", "--force")  # another name: that one goes
    for target in ("note.txt", "out/../note.txt", "out/r.txt"):
        assert "never overwritten" in call("sanitize", "note.txt", "-o", target, "--force")
    assert (place / "note.txt").read_text() == NOTE


def command(*arguments: str, cwd: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "sfumato", *arguments],
        cwd=cwd,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def test_first_runs_at_the_same_time_share_one_key_and_write_whole_pairs(tmp_path: Path) -> None:
    writers = "abc"
    for writer in writers:
        (tmp_path / writer).mkdir()
        for number in range(20):
            said = f"{writer}: Dr. Maria Keller{number} called.\n"
            (tmp_path / writer / f"{number}.txt").write_text(said)
    running = [command("sanitize", w, "-o", "out", "-q", cwd=tmp_path) for w in writers]
    lines = sorted(process.communicate()[0] for process in running)
    assert [process.returncode for process in running] == [0, 0, 0], lines
    assert lines[:2] == ["", ""]
    assert lines[2].startswith("A new key is in")
    for number in range(20):
        released = (tmp_path / "out" / f"{number}.txt").read_bytes()
        beside = json.loads((tmp_path / "out" / f"{number}.txt.cert.json").read_bytes())
        assert beside["output"] == f"sha256:{hashlib.sha256(released).hexdigest()}"
    assert not [p for p in (tmp_path / "out").iterdir() if p.name.startswith(".")]


@pytest.mark.parametrize(
    ("sent", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_a_run_that_is_asked_to_end_tidies_up(
    tmp_path: Path, sent: signal.Signals, code: int
) -> None:
    (tmp_path / "in").mkdir()
    for number in range(400):
        (tmp_path / "in" / f"{number:03}.txt").write_text(NOTE * 20)
    process = command("sanitize", "in", "-o", "out", "-q", cwd=tmp_path)
    while not list(tmp_path.glob("out/*.txt")):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(sent)
    said, _ = process.communicate()
    assert process.returncode == code, said
    assert said.count("\n") <= 2
    names = {p.name for p in (tmp_path / "out").iterdir()}
    releases = {name for name in names if name.endswith(".txt")}
    assert names == releases | {f"{name}.cert.json" for name in releases}


@pytest.mark.parametrize("place", ["in", "out"])
def test_a_link_that_leads_to_itself_is_one_files_fault(tmp_path: Path, place: str) -> None:
    for folder in ("in", "out"):
        (tmp_path / folder).mkdir()
    (tmp_path / "in" / "a.txt").write_text(NOTE)
    (tmp_path / "in" / "loop.txt").write_text(NOTE)
    loop = tmp_path / place / "loop.txt"
    loop.unlink(missing_ok=True)
    loop.symlink_to("loop.txt")
    arguments = ["sanitize", str(tmp_path / "in"), "-o", str(tmp_path / "out")]
    done = CliRunner().invoke(app, [*arguments, "--ledger", str(tmp_path / "l" / "ledger.db")])
    assert done.exit_code == 2
    assert "Wieczorek" not in (tmp_path / "out" / "a.txt").read_text()


@pytest.mark.parametrize(
    "arguments",
    [
        ["sanitize", "note.txt", "-p", "own.yaml", "-o", "own.yaml"],
        ["sanitize", "note.txt", "-o", "r.txt", "--redacted", "own.yaml", "--report", "own.yaml"],
        ["anonymize", "own.yaml", "--suggest", "-o", "own.yaml"],
        ["restore", "r.txt", "-o", ".sfumato/key"],
        ["restore", "r.txt", "-o", ".sfumato/ledger.db"],
        ["restore", "r.txt", "-o", "r.txt.cert.json"],
    ],
)
def test_what_a_command_uses_is_not_replaced_even_by_force(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("note.txt").write_text(NOTE)
    Path("own.yaml").write_text("detect: [patterns]\n")
    CliRunner().invoke(app, ["sanitize", "note.txt", "-o", "r.txt"])
    before = Path(arguments[-1]).read_bytes()
    assert isinstance(CliRunner().invoke(app, [*arguments, "--force"]).exception, SfumatoError)
    assert Path(arguments[-1]).read_bytes() == before


def test_what_is_larger_than_a_release_can_be_is_not_read_to_see_whether_it_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    Path("out").mkdir()
    for name in ("a.txt", "b.txt"):
        Path("in", name).write_text("Write to ann@example.org.")
    Path("p.yaml").write_text("{detect: [patterns], limits: {file_bytes: 1000}}")
    with Path("out", "b.txt").open("wb") as file:
        file.truncate(1 << 40)  # takes no room on the disk
    done = CliRunner().invoke(app, ["sanitize", "in", "-p", "p.yaml", "-o", "out"])
    assert done.exit_code == 2
    assert "b.txt: exists and is no earlier release" in done.stderr
    assert Path("out", "a.txt").read_text() == "Write to [EMAIL 1]."
