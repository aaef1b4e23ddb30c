"""A document has as much time as its size allows. One that takes longer harms nothing else."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import pytest

from sfumato import Document, Edit, Ledger, Release, Sanitizer, Term
from sfumato.cli.app import main
from sfumato.deadline import Deadline, deadline, deadline_of, undisturbed
from sfumato.errors import DeadlineError
from sfumato.keys import Key
from sfumato.policy import load
from sfumato.release import batch
from sfumato.release.batch import Settings
from tests.clinic import make_clinic
from tests.conftest import EXAMPLES
from tests.release.test_batch import make_corpus, tree
from tests.release.test_views import NOTE, READERS

SLOW = "note-03.txt"


def endless(*_: object, **__: object) -> NoReturn:
    """Work that never ends, and takes every error for one of its own."""
    while True:
        with suppress(Exception):
            time.sleep(0.01)


def test_who_catches_every_error_does_not_catch_the_alarm() -> None:
    with (
        pytest.raises(DeadlineError, match=r"^a\.txt: takes longer than 0\.05 s"),
        Deadline("a.txt", 0.05),
    ):
        endless()


def test_an_alarm_that_was_lost_on_its_way_is_told_of_in_the_end() -> None:
    with pytest.raises(DeadlineError), Deadline("a.txt", 0.05), suppress(BaseException):
        endless()


def test_only_time_within_its_blocks_counts_and_it_counts_together() -> None:
    time_left = Deadline("a.txt", 0.4)
    with time_left:
        pass
    time.sleep(0.5)
    with time_left:
        time.sleep(0.25)
    with pytest.raises(DeadlineError), time_left:
        time.sleep(0.25)
    with pytest.raises(DeadlineError), time_left:
        pass


def test_what_is_done_as_a_whole_is_done_before_the_alarm_is_heard() -> None:
    done = []

    def work() -> None:
        with undisturbed():
            time.sleep(0.2)
            done.append("written")
        endless()

    with pytest.raises(DeadlineError), Deadline("a.txt", 0.05):
        work()
    assert done == ["written"]


def test_an_alarm_that_had_to_wait_is_heard_at_once_when_it_need_not_any_more() -> None:
    begun, after = time.monotonic(), []

    def work() -> None:
        with undisturbed():
            with undisturbed():
                time.sleep(0.1)
            after.append("within")
        after.append("outside")
        endless()

    with pytest.raises(DeadlineError), Deadline("a.txt", 0.05):
        work()
    assert after == ["within"]
    assert time.monotonic() - begun < 2
    with Deadline("b.txt", 60), undisturbed():  # of another document nothing is late
        pass


def test_a_module_is_imported_as_a_whole_before_the_alarm_is_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is cut off is imported by nobody again, and what it had registered stays."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("sfumato.deadline._AGAIN", 0.05)
    (tmp_path / "imported_late.py").write_text(
        "import time\nbegun = True\nimport imported_later\ntime.sleep(0.2)\nwhole = True\n"
    )
    (tmp_path / "imported_later.py").write_text("import time\ntime.sleep(0.2)\nwhole = True\n")
    with pytest.raises(DeadlineError), Deadline("a.txt", 0.1):
        endless(import_module("imported_late"))
    for name in ("imported_late", "imported_later"):
        assert sys.modules.pop(name).whole


def test_an_alarm_that_comes_late_ends_nothing() -> None:
    with Deadline("a.txt", 60):
        pass
    os.kill(os.getpid(), signal.SIGALRM)
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def test_time_grows_with_the_size_and_none_is_no_limit(tmp_path: Path) -> None:
    assert deadline("", 0).seconds >= 60
    assert deadline("", 2_000_000).seconds >= 1000
    assert deadline("", 10, 7).seconds == 7
    assert deadline("", 10, 0).seconds == float("inf")
    make_corpus(tmp_path / "in", 3)
    size = sum(path.stat().st_size for path in tmp_path.rglob("*.txt"))
    found = deadline_of(tmp_path / "in", None).seconds
    assert found >= deadline("", size).seconds
    with (tmp_path / "large").open("wb") as file:
        file.truncate(1 << 30)
    (tmp_path / "in" / "link.txt").symlink_to(tmp_path / "large")
    assert deadline_of(tmp_path / "in").seconds < found + 1  # of links in a folder nothing is read


def test_beside_the_main_thread_there_is_no_limit() -> None:
    done = []

    def work() -> None:
        with Deadline("a.txt", 0.01):
            time.sleep(0.05)
            done.append("all")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == ["all"]


class SlowSanitizer(Sanitizer):
    """Does not come back from a document that says so."""

    def protect(
        self, document: Document, terms: list[Term], first: Sequence[Edit] = ()
    ) -> list[Edit]:
        made = super().protect(document, terms, first)
        return endless() if "slow to protect" in document.text else made

    def certify(self, document: Document, edits: list[Edit]) -> Release:
        return endless() if "slow to certify" in document.text else super().certify(document, edits)


class SlowWorker(batch.Worker):
    def _new_sanitizer(self) -> Sanitizer:
        return SlowSanitizer(self._settings.policy, self._settings.key, self._ledger)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("stage", ["protect", "certify"])
def test_a_file_that_takes_too_long_fails_alone(
    tmp_path: Path, key: Key, monkeypatch: pytest.MonkeyPatch, workers: int, stage: str
) -> None:
    """And leaves the vault as any other file does that fails late: done again, all is as if it had not."""
    make_corpus(tmp_path / "in", 7, lines=4)
    with (tmp_path / "in" / "0" / SLOW).open("a") as file:
        file.write(f"It is slow to {stage}.\n")
    planned = batch.plan([str(tmp_path / "in")], str(tmp_path / "out"))
    settings = Settings(load("research"), key, tmp_path / "l.db", timeout=2)
    with monkeypatch.context() as patched:
        patched.setattr(batch, "PARALLEL_FROM_BYTES", 0)
        patched.setattr(batch, "Worker", SlowWorker)
        outcomes = list(batch.run(planned, settings, workers))
    (late,) = [o for o in outcomes if o.status == "failed"]
    assert late.message.startswith(f"0/{SLOW}: takes longer than 2 s")
    assert late.exit_code == 2
    assert [o.status for o in outcomes].count("released") == 6
    assert not [path for path in tree(tmp_path / "out") if SLOW in path or ".part" in path]
    done = [o.status for o in batch.run(planned, settings, 1)]
    assert sorted(done) == ["released", *["up to date"] * 6]
    whole = replace(settings, ledger=tmp_path / "whole.db")
    list(batch.run(batch.plan([str(tmp_path / "in")], str(tmp_path / "whole")), whole, 1))
    assert tree(tmp_path / "out") == tree(tmp_path / "whole")


class DeafWorker(batch.Worker):
    """Hears no alarm at one file, as in a library that is written in C."""

    def __call__(self, job: batch.Job) -> batch.Outcome:
        if job.name.endswith(SLOW):
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
            endless()
        return super().__call__(job)


@pytest.mark.slow
def test_a_process_that_hears_no_alarm_is_ended(
    tmp_path: Path, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_corpus(tmp_path / "in", 5, lines=4)
    planned = batch.plan([str(tmp_path / "in")], str(tmp_path / "out"))
    monkeypatch.setattr(batch, "PARALLEL_FROM_BYTES", 0)
    monkeypatch.setattr(batch, "_START", 10.0)
    monkeypatch.setattr(batch, "Worker", DeafWorker)
    settings = Settings(load("research"), key, tmp_path / "l.db", timeout=2)
    outcomes = list(batch.run(planned, settings, 2))
    (lost,) = [o for o in outcomes if o.status == "failed"]
    assert lost.message.startswith(f"0/{SLOW}: its process was ended from outside")
    assert [o.status for o in outcomes].count("released") == 4


LOG = "user,document\n" + "".join(f"u{n},lung cancer\n" for n in range(5))
TABLE = [str(EXAMPLES / "blog.csv"), "-p", str(EXAMPLES / "blog.yaml"), "-o", "late.csv"]


@pytest.mark.parametrize(
    ("where", "line"),
    [
        ("sfumato.pipeline.Finder.__call__", ["sanitize", "note.txt", "-o", "late.txt"]),
        ("sfumato.pipeline.Finder.__call__", ["detect", "note.txt"]),
        ("sfumato.release.examination.examine", ["verify", "out.txt"]),
        ("sfumato.release.undo.original", ["restore", "out.txt", "-o", "late.txt"]),
        ("sfumato.cli.explain._rows", ["explain", "out.txt"]),
        ("sfumato.measure.check.check", ["check", "out.txt", "--original", "note.txt"]),
        ("sfumato.cli.measure.measure_pairs", ["measure", "note.txt", "out.txt"]),
        ("sfumato.cli.measure.compare_texts", ["measure", "note.txt", "--compare", "a=out.txt"]),
        ("sfumato.measure.spi.spi_report", ["measure", "log.csv", "log.csv"]),
        ("sfumato.protect.tables.anonymize.anonymize", ["anonymize", *TABLE]),
        ("sfumato.protect.tables.suggest.suggest", ["anonymize", "log.csv", "--suggest", "-o", "late.yaml"]),
        ("sfumato.release.logs.share", ["anonymize-log", "log.csv", "-k", "2", "-o", "late.csv"]),
        ("sfumato.release.views.Viewer.__call__", ["views", "memo.txt", "-p", "p.yaml", "--readers", "a,b", "-o", "late.txt"]),
    ],
)  # fmt: skip
def test_every_command_ends_in_time_with_one_line_and_has_written_nothing(
    inside: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    where: str,
    line: list[str],
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(inside / "cache"))
    (inside / "note.txt").write_text("Patient: Marta Keller\nWrite to marta@example.org.\n")
    (inside / "log.csv").write_text(LOG)
    if line[0] == "views":
        make_clinic(inside, readers=READERS)
        rules = "detect: [patterns]\nprotect: [{ksafety: {k: 2, entities: clinic.db}}]\n"
        (inside / "p.yaml").write_text(rules)
        (inside / "memo.txt").write_text(NOTE)
    assert _code(monkeypatch, ["sanitize", "note.txt", "-o", "out.txt"]) == 0
    capsys.readouterr()
    before = set(tree(inside))
    monkeypatch.setattr(where, endless)
    assert _code(monkeypatch, [*line, "--timeout", "0.3"]) == 2
    said = capsys.readouterr()
    assert "takes longer than 0.3 s" in said.err
    assert "Keller" not in said.err + said.out
    assert {name for name in tree(inside) if "late" in name} == set()
    assert not [name for name in set(tree(inside)) - before if name.endswith(".part")]


def _code(monkeypatch: pytest.MonkeyPatch, line: list[str]) -> int:
    monkeypatch.setattr("sys.argv", ["sfumato", *line])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_a_transaction_of_the_ledger_is_whole_or_was_not_begun(tmp_path: Path, key: Key) -> None:
    with Ledger(key, tmp_path / "l.db") as ledger:

        def propose(attempt: int) -> str:
            time.sleep(0.2)
            return f"Ann {attempt}"

        with pytest.raises(DeadlineError), Deadline("a.txt", 0.1):
            endless(ledger.allocate("PERSON", "Marta", propose))
        assert ledger.stored("PERSON", "Marta") == "Ann 0"
        assert ledger.allocate("PERSON", "Lena", lambda n: f"Eva {n}") == "Eva 0"
    with Ledger(key, tmp_path / "l.db") as ledger:
        assert ledger.stored("PERSON", "Lena") == "Eva 0"
