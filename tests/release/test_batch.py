from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest

from sfumato import policy
from sfumato.document import Document
from sfumato.errors import InputError, SfumatoError
from sfumato.keys import Key
from sfumato.pipeline import Sanitizer
from sfumato.release import batch, fingerprints, processes
from sfumato.release.batch import Settings
from sfumato.release.ledger import Ledger

NAMES = ["Maria Keller", "Amina Yusuf", "Tom Okafor", "Lena Braun", "Piotr Nowak", "Ines Duarte"]


def make_corpus(folder: Path, count: int, lines: int = 40) -> None:
    for number in range(count):
        path = folder / f"{number % 3}" / f"note-{number:02}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = [
            f"Dr. {NAMES[(number + row) % 6]} wrote to p{number * row % 17}@example.org on 12 May 20{row % 30:02}.\n"
            for row in range(lines)
        ]
        path.write_text("".join(rows))


def tree(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()
    }


def run(
    folder: Path,
    out: Path,
    ledger: Path | None,
    key: Key,
    *,
    workers: int = 1,
    profile: str = "research",
    force: bool = False,
) -> list[batch.Outcome]:
    settings = Settings(policy.load(profile), key, ledger, force=force)
    return list(batch.run(batch.plan([str(folder)], str(out)), settings, workers))


def test_a_folder_comes_out_as_the_same_tree_with_certificates(tmp_path: Path, key: Key) -> None:
    make_corpus(tmp_path / "in", 4)
    outcomes = run(tmp_path / "in", tmp_path / "out", tmp_path / "l.db", key)
    assert [o.status for o in outcomes] == ["released"] * 4
    expected = set(tree(tmp_path / "in"))
    assert set(tree(tmp_path / "out")) == expected | {f"{n}.cert.json" for n in expected}


def test_one_person_has_one_surrogate_in_the_whole_corpus(tmp_path: Path, key: Key) -> None:
    make_corpus(tmp_path / "in", 3)
    run(tmp_path / "in", tmp_path / "out", tmp_path / "l.db", key)
    texts = [p.read_text() for p in sorted((tmp_path / "out").rglob("*.txt"))]
    seen = [{line.split(" wrote")[0] for line in text.splitlines()} for text in texts]
    assert seen[0] == seen[1] == seen[2]
    assert len(seen[0]) == len(NAMES)
    assert not any(name in text for name in NAMES for text in texts)


SPELLINGS = ["William Drax", "Drax, William", "Dr. W. Drax", "WILLIAM DRAX", "Bill Drax"]


def test_five_spellings_in_thirty_files_are_one_person_everywhere(tmp_path: Path, key: Key) -> None:
    (tmp_path / "in").mkdir()
    for n in range(30):
        first, second = SPELLINGS[n % 5], SPELLINGS[(n + n // 5) % 5]
        (tmp_path / "in" / f"{n:02}.txt").write_text(
            f"The patient {first} was seen. Later {second} asked for help, and Mr Drax left. Mr Tom Ross stayed."
        )
    run(tmp_path / "in", tmp_path / "labels", None, key, profile="default")
    texts = (path.read_text() for path in (tmp_path / "labels").glob("*.txt"))
    assert {text.replace("Dr. ", "") for text in texts} == {
        "The patient [PERSON 1] was seen. Later [PERSON 1] asked for help, and Mr [PERSON 1] left."
        " Mr [PERSON 2] stayed."
    }
    run(tmp_path / "in", tmp_path / "names", tmp_path / "l.db", key)
    form = re.compile(
        "The patient (.+) was seen. Later (.+) asked for help, and Mr (.+) left. Mr (.+) stayed."
    )
    read = [form.fullmatch(p.read_text()) for p in (tmp_path / "names").glob("*.txt")]
    assert len({found[4] for found in read if found}) == 1
    (family,) = {found[3] for found in read if found}
    said = {name.lower() for found in read if found for name in found.group(1, 2)}
    (given,) = {s.split()[0] for s in said if not s.startswith(("dr.", family.lower()))}
    assert said == {
        f"{given} {family}".lower(),
        f"{family}, {given}".lower(),
        f"dr. {given[0]}. {family}".lower(),
        f"dr. {family}".lower(),  # where the file has no more than the initial
    }


THINGS = {
    "LOC": "Vienna|Wien|VIENNA|Vienna, Austria|WIEN",
    "ORG": "Mersey Clinic Ltd|Mersey Clinic|MERSEY CLINIC LTD|Mersey Clinic Limited|MERSEY CLINIC",
    "PERSON": "Jürgen Müller|Mueller, Jürgen|JÜRGEN MÜLLER|Juergen Mueller|Müller",
}
WORDS = {"LOC": 2, "ORG": 1, "PERSON": 2}  # that are invented for all of these


@pytest.mark.parametrize("kind", THINGS)
def test_a_thing_has_one_surrogate_in_the_folder_and_one_reason_in_each_file(
    tmp_path: Path, key: Key, kind: str
) -> None:
    spellings = THINGS[kind].split("|")
    hidden = {"hide": [{"kind": kind, "terms": [*spellings, "Bremen", "Atlas"]}]}
    rules = policy.load({"detect": [{"lists": hidden}], "replace": {kind: "surrogate"}})
    made = set()
    with Ledger(key, tmp_path / "l.db") as vault:
        sanitizer = Sanitizer(rules, key, vault)
        for n in range(30):
            first, second = spellings[n % 5], spellings[(n + n // 5) % 5]
            release = sanitizer(
                Document(f"Of {first} and Bremen. For {second} see Atlas.", f"{n}.txt")
            )
            own = [e for e in release.record.edits if e.kind == kind][::2]
            assert len({edit.reason for edit in own}) == 1
            made |= {edit.replacement for edit in own}
    words = {word for name in made for word in re.findall(r"\w+", name.casefold())}
    assert len(words - {"clinic", "ltd", "limited"}) == WORDS[kind]


def test_parallel_runs_give_the_same_bytes_as_one_alone(
    tmp_path: Path, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_corpus(tmp_path / "in", 9)
    run(tmp_path / "in", tmp_path / "one", tmp_path / "one.db", key)
    monkeypatch.setattr(batch, "PARALLEL_FROM_BYTES", 0)
    run(tmp_path / "in", tmp_path / "many", tmp_path / "many.db", key, workers=3)
    assert tree(tmp_path / "one") == tree(tmp_path / "many")


def test_what_is_done_is_not_done_again_and_what_changed_is(tmp_path: Path, key: Key) -> None:
    make_corpus(tmp_path / "in", 4)
    arguments = (tmp_path / "in", tmp_path / "out", tmp_path / "l.db", key)
    run(*arguments)
    first, second, third = sorted((tmp_path / "in").rglob("*.txt"))[:3]
    first.write_text("Ask new@example.org")
    (tmp_path / "out" / second.relative_to(tmp_path / "in")).unlink()
    changed = tmp_path / "out" / third.relative_to(tmp_path / "in")
    changed.write_text("written by hand")
    again = run(*arguments)
    assert [o.status for o in again] == ["released", "released", "failed", "up to date"]
    assert "no earlier release; give another name, or --force" in again[2].message
    assert changed.read_text() == "written by hand"
    assert {o.status for o in run(*arguments, force=True)} == {"released", "up to date"}
    assert {o.status for o in run(*arguments)} == {"up to date"}
    assert {o.status for o in run(*arguments, profile="strict")} == {"released"}


@pytest.mark.parametrize("ending", ["", ".cert.json"])
def test_a_link_in_the_place_of_an_output_is_never_up_to_date(
    tmp_path: Path, key: Key, ending: str
) -> None:
    make_corpus(tmp_path / "in", 1)
    arguments = (tmp_path / "in", tmp_path / "out", tmp_path / "l.db", key)
    run(*arguments)
    (release,) = (tmp_path / "out").rglob("*.txt")
    linked = release.with_name(release.name + ending)
    linked.rename(tmp_path / "moved")
    linked.symlink_to(tmp_path / "moved")
    assert [o.status for o in run(*arguments, force=True)] == ["released"]
    assert not linked.is_symlink()
    assert linked.read_bytes() == (tmp_path / "moved").read_bytes()
    assert [o.status for o in run(*arguments)] == ["up to date"]


def test_what_would_come_out_otherwise_today_is_done_again(
    tmp_path: Path, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_corpus(tmp_path / "in", 3)
    arguments = (tmp_path / "in", tmp_path / "out", tmp_path / "l.db", key)
    run(*arguments)
    whole = tree(tmp_path / "out")
    one, two, three = sorted((tmp_path / "out").rglob("*.cert.json"))
    one.write_bytes(one.read_bytes() + b" ")
    two.unlink()
    three.write_bytes(one.read_bytes())
    assert {o.status for o in run(*arguments)} == {"released"}
    assert tree(tmp_path / "out") == whole
    known = fingerprints.of(policy.load("research"))
    monkeypatch.setattr(fingerprints, "of", lambda *_: known | {"detector": "another model"})
    assert {o.status for o in run(*arguments)} == {"released"}
    monkeypatch.undo()
    run(*arguments)
    monkeypatch.setattr(batch, "__version__", "0.0.1")
    assert {o.status for o in run(*arguments)} == {"released"}


SCRIPT = """
import sys
from pathlib import Path
from sfumato import policy
from sfumato.release import batch
from sfumato.keys import Key
import time
folder, out, ledger = map(Path, sys.argv[1:])
slow = batch.write_release
def write_slowly(*a, **k):
    time.sleep(0.05)
    slow(*a, **k)
batch.write_release = write_slowly
settings = batch.Settings(policy.load("research"), Key(bytes(range(32))), ledger)
for outcome in batch.run(batch.plan([str(folder)], str(out)), settings, 1):
    print(outcome.status, flush=True)
"""


def test_killed_half_way_and_started_again_it_goes_on_where_it_stopped(
    tmp_path: Path, key: Key
) -> None:
    make_corpus(tmp_path / "in", 12)
    run(tmp_path / "in", tmp_path / "whole", tmp_path / "whole.db", key)
    command = [sys.executable, "-c", SCRIPT, *(str(tmp_path / n) for n in ("in", "out", "l.db"))]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for _ in range(4):
        assert process.stdout.readline() == "released\n"
    time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    whole = tree(tmp_path / "whole")
    so_far = {
        n: d for n, d in tree(tmp_path / "out").items() if not n.rpartition("/")[2].startswith(".")
    }
    assert all(whole[name] == data for name, data in so_far.items())
    assert 4 <= sum(n.endswith(".txt") for n in so_far) < 12
    outcomes = run(tmp_path / "in", tmp_path / "out", tmp_path / "l.db", key)
    assert [o.status for o in outcomes].count("up to date") >= 4
    assert tree(tmp_path / "out") == whole


def test_a_bad_file_fails_alone(tmp_path: Path, key: Key, monkeypatch: pytest.MonkeyPatch) -> None:
    make_corpus(tmp_path / "in", 5)
    (tmp_path / "in" / "1" / "bad.txt").write_bytes(b"caf\xe9")
    (tmp_path / "in" / "1" / ".hidden").write_bytes(b"\xff")
    monkeypatch.setattr(batch, "PARALLEL_FROM_BYTES", 0)
    outcomes = run(tmp_path / "in", tmp_path / "out", tmp_path / "l.db", key, workers=2)
    assert [o.status for o in outcomes].count("released") == 5
    (failed,) = [o for o in outcomes if o.status == "failed"]
    assert "byte 3 (0xe9) is not utf-8" in failed.message
    assert failed.exit_code == 2
    assert not (tmp_path / "out" / "1" / "bad.txt").exists()


def test_an_original_is_never_overwritten(tmp_path: Path) -> None:
    make_corpus(tmp_path / "in", 2)
    file = str(next((tmp_path / "in").rglob("*.txt")))
    with pytest.raises(InputError, match="lies inside the input folder"):
        batch.plan([str(tmp_path / "in")], str(tmp_path / "in" / "out"))
    with pytest.raises(InputError, match="lies inside the input folder"):
        batch.plan([str(tmp_path / "in")], str(tmp_path / "in"))
    with pytest.raises(InputError, match="never overwritten"):
        batch.plan([file], file)
    once, again = batch.plan([file, file], str(tmp_path / "out"))
    assert not once.fault
    assert "two files would be written there" in again.fault
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no files in it"):
        batch.plan([str(tmp_path / "empty")], None)


def test_what_is_no_certificate_is_not_replaced_beside_a_release(tmp_path: Path, key: Key) -> None:
    make_corpus(tmp_path / "in", 1)
    here = tmp_path / "in", tmp_path / "out", tmp_path / "l.db", key
    assert [o.status for o in run(*here)] == ["released"]
    beside = tmp_path / "out" / "0" / "note-00.txt.cert.json"
    beside.write_text("my thesis")
    next((tmp_path / "in").rglob("*.txt")).write_text("Dr. Ann Lee came.")
    (outcome,) = run(*here)
    assert (outcome.status, "is no earlier certificate" in outcome.message) == ("failed", True)
    assert beside.read_text() == "my thesis"
    assert [o.status for o in run(*here, force=True)] == ["released"]


def test_a_file_that_would_be_written_over_a_certificate_fails_alone(
    tmp_path: Path, key: Key
) -> None:
    make_corpus(tmp_path / "in", 3)
    (tmp_path / "in" / "0" / "note-00.txt.cert.json").write_text("{}")
    (tmp_path / "in" / "0" / "other.cert.json").write_text("{}")
    (tmp_path / "out" / "1").mkdir(parents=True)
    (tmp_path / "out" / "1" / "note-01.txt").symlink_to(tmp_path / "in" / "0" / "note-00.txt")
    outcomes = run(tmp_path / "in", tmp_path / "out", tmp_path / "l.db", key, force=True)
    failed = {o.job.name: o.message for o in outcomes if o.status == "failed"}
    assert sorted(failed) == ["0/note-00.txt.cert.json", "1/note-01.txt"]
    assert "two files would be written there" in failed["0/note-00.txt.cert.json"]
    assert "an original is never overwritten" in failed["1/note-01.txt"]
    released = {o.job.name for o in outcomes if o.status == "released"}
    assert released == {"0/note-00.txt", "0/other.cert.json", "2/note-02.txt"}


def test_links_in_a_folder_are_not_followed(tmp_path: Path) -> None:
    make_corpus(tmp_path / "in", 2)
    make_corpus(tmp_path / "elsewhere", 2)
    for name in ("b", "a"):
        (tmp_path / "in" / "1" / name).symlink_to(tmp_path / "elsewhere")
    (tmp_path / "in" / "1" / ".hidden").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "in" / "file.txt").symlink_to(tmp_path / "elsewhere" / "0" / "note-00.txt")
    told: list[str] = []
    jobs = batch.plan([str(tmp_path / "in")], None, tell=told.append)
    assert [(job.name, job.fault != "") for job in jobs] == [
        *(("0/note-00.txt", False), ("1/note-01.txt", False), ("file.txt", True))
    ]
    assert "name the file itself" in jobs[-1].fault
    for link in ("file.txt", "1/a"):  # `in/*` may name one alone
        with pytest.raises(InputError, match=r"name what it leads to itself \(.*/elsewhere"):
            batch.plan([str(tmp_path / "in" / link)], None)
    (line,) = told
    assert line.startswith(f"{tmp_path}/in/1/a, {tmp_path}/in/1/b: left out, for links")
    assert "name what they lead to" in line
    # As a shell does, links of others' among them
    every = sorted(map(str, (tmp_path / "in").glob("*")))
    assert [job.name for job in batch.plan(every, None, tell=told.append)] == [
        *("0/note-00.txt", "1/note-01.txt")
    ]
    assert told[-1].startswith(
        f"{tmp_path}/in/1/a, {tmp_path}/in/1/b, {tmp_path}/in/file.txt: left"
    )


def test_where_releases_go(tmp_path: Path) -> None:
    make_corpus(tmp_path / "in", 2)
    one, two = sorted((tmp_path / "in").rglob("*.txt"))
    (tmp_path / "there").mkdir()

    def targets(paths: list[Path], out: str) -> list[str]:
        jobs = batch.plan([str(p) for p in paths], f"{tmp_path}/{out}")
        return [j.target.relative_to(tmp_path).as_posix() for j in jobs if j.target]

    assert targets([one], "new/") == ["new/note-00.txt"]
    assert targets([one], "a.txt") == ["a.txt"]
    assert targets([one], "there") == ["there/note-00.txt"]
    assert targets([one, two], "new") == ["new/note-00.txt", "new/note-01.txt"]
    assert targets([tmp_path / "in"], "new") == ["new/0/note-00.txt", "new/1/note-01.txt"]
    assert targets([tmp_path / "in", one], "new")[0] == "new/in/0/note-00.txt"


def test_a_full_disk_leaves_nothing_half_written(
    tmp_path: Path, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_corpus(tmp_path / "in", 1)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    (outcome,) = run(tmp_path / "in", tmp_path / "out", tmp_path / "l.db", key)
    assert outcome.status == "failed"
    assert "No space left on device" in outcome.message
    assert tree(tmp_path / "out") == {}


def test_the_ledger_knows_what_the_folder_holds(tmp_path: Path, key: Key) -> None:
    make_corpus(tmp_path / "in", 2)
    run(tmp_path / "in", tmp_path / "out", tmp_path / "l.db", key)
    with Ledger(key, tmp_path / "l.db") as ledger:
        for name, data in tree(tmp_path / "out").items():
            if name.endswith(".txt"):
                assert ledger.find_one(data, name).record.name == name


class Killed(batch.Worker):
    """Is ended from outside at the file named so, as by a system out of memory."""

    def __call__(self, job: batch.Job) -> batch.Outcome:
        if job.name.endswith("note-03.txt"):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(job)


def test_a_worker_that_dies_is_the_fault_of_the_file_it_had(
    tmp_path: Path, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_corpus(tmp_path / "in", 9)
    monkeypatch.setattr(batch, "PARALLEL_FROM_BYTES", 0)
    monkeypatch.setattr(batch, "Worker", Killed)
    outcomes = run(tmp_path / "in", tmp_path / "out", tmp_path / "l.db", key, workers=2)
    (lost,) = [o for o in outcomes if o.status == "failed"]
    assert (lost.job.name, lost.exit_code) == ("0/note-03.txt", 2)
    assert "its process was ended from outside" in lost.message
    assert [o.status for o in outcomes].count("released") == 8
    monkeypatch.undo()
    again = run(tmp_path / "in", tmp_path / "out", tmp_path / "l.db", key)
    assert [o.status for o in again].count("up to date") == 8
    run(tmp_path / "in", tmp_path / "whole", tmp_path / "whole.db", key)
    assert tree(tmp_path / "out") == tree(tmp_path / "whole")


class KilledOnce(batch.Worker):
    """Is ended from outside once at each of three files: before, in and after its turn."""

    def __init__(self, settings: batch.Settings, turn: processes.Turn = nullcontext) -> None:
        super().__init__(settings, lambda: self._in_turn(turn))
        self._job: batch.Job | None = None

    def __call__(self, job: batch.Job) -> batch.Outcome:
        self._job = job
        self._die("note-02.txt")
        outcome = super().__call__(job)
        self._die("note-06.txt")
        return outcome

    @contextmanager
    def _in_turn(self, turn: processes.Turn) -> Iterator[None]:
        with turn():
            self._die("note-04.txt")
            yield

    def _die(self, name: str) -> None:
        assert self._job is not None
        mark = self._job.source.parent.parent / f".{name}"
        if self._job.name.endswith(name) and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)


def test_the_task_of_a_worker_that_dies_is_given_to_another_and_keeps_its_turn(
    tmp_path: Path, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So names get the surrogates that they would have got."""
    make_corpus(tmp_path / "in", 9)
    with monkeypatch.context() as patched:
        patched.setattr(batch, "PARALLEL_FROM_BYTES", 0)
        patched.setattr(batch, "Worker", KilledOnce)
        outcomes = run(tmp_path / "in", tmp_path / "out", tmp_path / "l.db", key, workers=2)
    assert [o.status for o in outcomes].count("failed") == 0
    assert len(list((tmp_path / "in").rglob(".note-*"))) == 3
    run(tmp_path / "in", tmp_path / "whole", tmp_path / "whole.db", key)
    assert tree(tmp_path / "out") == tree(tmp_path / "whole")


@pytest.mark.parametrize("workers", [1, 2])
def test_a_fault_of_ours_is_the_fault_of_the_file_that_has_it(
    tmp_path: Path, key: Key, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    make_corpus(tmp_path / "in", 4)
    monkeypatch.setattr(batch, "PARALLEL_FROM_BYTES", 0)
    monkeypatch.setattr(batch, "Worker", Faulty)
    outcomes = run(tmp_path / "in", tmp_path / "out", tmp_path / "l.db", key, workers=workers)
    (lost,) = [o for o in outcomes if o.status == "failed"]
    assert lost.exit_code == 2
    assert lost.message.startswith("0/note-03.txt: internal error (IndexError at test_batch.py:")
    assert "Keller" not in lost.message


class Faulty(batch.Worker):
    """Has a fault that one file brings out."""

    def _done(self, job: batch.Job, document: Document) -> batch.Outcome | None:
        if job.name.endswith("note-03.txt"):
            raise IndexError("Dr. Maria Keller")
        return super()._done(job, document)


def test_a_ledger_that_cannot_be_used_is_one_line_for_all_files(
    tmp_path: Path, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_corpus(tmp_path / "in", 4)
    (tmp_path / "l.db").write_text("not a ledger at all")
    monkeypatch.setattr(batch, "PARALLEL_FROM_BYTES", 0)
    with pytest.raises(SfumatoError, match="not a ledger"):
        run(tmp_path / "in", tmp_path / "out", tmp_path / "l.db", key, workers=2)


def test_keys_ledgers_and_reviews_stay_out_of_inputs_and_releases(tmp_path: Path) -> None:
    make_corpus(tmp_path / "in", 1)
    folder, out, file = (
        str(tmp_path / "in"),
        str(tmp_path / "out"),
        tmp_path / "in" / "0" / "note-00.txt",
    )
    with pytest.raises(InputError, match="lies inside the output folder"):
        batch.plan([folder], out, private=[tmp_path / "out" / "ledger.db"])
    with pytest.raises(InputError, match="is among the inputs"):
        batch.plan([folder], out, private=[file])
    with pytest.raises(InputError, match="is among the inputs"):
        batch.plan([folder], out, public=[file])
    with pytest.raises(InputError, match="two files would be written there"):
        batch.plan([str(file)], f"{out}/x.txt", public=[tmp_path / "out" / "x.txt.cert.json"])
    assert batch.plan([folder], out, public=[tmp_path / "out" / "report.html"])


def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    make_corpus(tmp_path / "in", 40, lines=400)
    code = (
        "import sys\nfrom sfumato.release import batch\nfrom sfumato.keys import Key\nfrom sfumato import policy\n"
        "from pathlib import Path\n"
        "if __name__ == '__main__':\n"
        "    batch.PARALLEL_FROM_BYTES = 0\n"
        "    folder, out, ledger = sys.argv[1:]\n"
        "    s = batch.Settings(policy.load('research'), Key(bytes(32)), Path(ledger))\n"
        "    for o in batch.run(batch.plan([folder], out), s, 2): print(o.status, flush=True)\n"
    )
    (tmp_path / "job.py").write_text(code)
    command = [
        sys.executable,
        str(tmp_path / "job.py"),
        *(str(tmp_path / n) for n in ("in", "out", "l.db")),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "released\n"
    process.kill()
    process.wait()
    # The workers hold the pipe's other end; it closes when the last of them is gone.
    process.stdout.read()
    process.stdout.close()


def test_what_columns_leave_unread_in_a_json_file_is_told(tmp_path: Path, key: Key) -> None:
    given = tmp_path / "in"
    given.mkdir()
    for name, text in {
        "a.json": '{"note": "Ask ann@example.org", "other": "bob@example.org"}',
        "b.json": '{"other": "bob@example.org"}',
        "c.csv": "note,other\nann@example.org,bob@example.org\n",
    }.items():
        (given / name).write_text(text)
    settings = Settings(policy.load("default"), key, None, columns=("note",))
    planned = batch.plan([str(given)], str(tmp_path / "out"))
    found = {o.job.name: o for o in batch.run(planned, settings, 1)}
    assert found["a.json"].message.startswith("only what stands under note was read (--columns)")
    assert found["b.json"].message == found["c.csv"].message == ""
    assert "bob@" not in (tmp_path / "out" / "b.json").read_text()


def test_two_pages_of_a_run_are_never_one_file(tmp_path: Path) -> None:
    make_corpus(tmp_path / "in", 1)
    (tmp_path / "same.html").symlink_to("page.html")
    for other in ("page.html", "same.html"):  # the report would be the review, with its originals
        with pytest.raises(InputError, match="two files would be written there"):
            batch.plan(
                [str(tmp_path / "in")],
                None,
                public=[tmp_path / "page.html"],
                private=[tmp_path / other, None],
            )
