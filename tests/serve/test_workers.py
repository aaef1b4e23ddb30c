"""Bodies are sanitised in processes that are ended when they take too long."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from sfumato import Ledger, PolicyError, keys
from sfumato.plugins import DETECTORS, DetectorPlugin, Options
from sfumato.policy import load
from sfumato.release.certificate import parse
from sfumato.serve import SanitizeResponses
from sfumato.serve.bodies import BodySettings, WithheldError, answer, put, take
from sfumato.serve.workers import WorkerProcess, Workers
from tests.serve.plugins import SLEEP
from tests.serve.test_middleware import Answer, app_of, ask

PLAIN = "Ask ann@example.org about it"
POLICY = {"detect": ["patterns", "sleeping"], "protect": ["replace"]}


def settings(policy: Any = "default", **more: Any) -> BodySettings:
    made = {"key": keys.new(), "vault": None, "keep": False, "refresh": 300.0, **more}
    return BodySettings(load(policy), **made)


@pytest.fixture
def worker() -> WorkerProcess:
    return WorkerProcess(
        settings({"detect": ["patterns", "sleeping"]}), ["tests.serve.plugins"], 60
    )


def test_a_body_is_sanitised_in_a_process_of_its_own(worker: WorkerProcess) -> None:
    made = worker.ask("text", "utf-8", PLAIN.encode(), None)
    assert (made.charset, made.body) == ("utf-8", b"Ask [EMAIL 1] about it")
    assert parse(made.certificate, "answer").document["format"] == "text"
    made = worker.ask("html", "ascii", b"<p>b@example.org", None)
    assert (made.charset, made.body) == ("utf-8", b"<p>[EMAIL 1]")
    with pytest.raises(WithheldError, match="not in the encoding it names"):
        worker.ask("text", "utf-8", b"\xff", None)
    with pytest.raises(WithheldError, match="not in the encoding it names"):
        worker.ask("text", "utf-8\0", b"x", None)


def test_an_answer_that_ends_in_the_middle_is_none() -> None:
    """As that of a process killed while it wrote."""
    whole = io.BytesIO()
    put(whole, {"charset": "utf-8"}, b"0123456789")
    assert take(io.BytesIO(whole.getvalue())) == ({"charset": "utf-8"}, b"0123456789")
    for cut in range(len(whole.getvalue())):
        with pytest.raises(EOFError):
            take(io.BytesIO(whole.getvalue()[:cut]))


def test_a_body_that_takes_too_long_is_withheld_and_the_next_one_served(
    worker: WorkerProcess,
) -> None:
    worker.ask("text", "utf-8", b"ready", None)
    worker._seconds = 0.2
    with pytest.raises(WithheldError, match="withheld: it takes too long") as told:
        worker.ask("text", "utf-8", SLEEP.encode(), None)
    assert told.value.status == 503
    worker._seconds = 60
    assert worker.ask("text", "utf-8", PLAIN.encode(), None)[1] == b"Ask [EMAIL 1] about it"


def test_a_process_that_is_killed_is_replaced(worker: WorkerProcess) -> None:
    worker.ask("text", "utf-8", b"ready", None)
    assert worker._process is not None
    gone = worker._process.pid
    threading.Timer(0.5, os.kill, (gone, signal.SIGKILL)).start()
    with pytest.raises(WithheldError, match="an internal error"):
        worker.ask("text", "utf-8", SLEEP.encode(), None)
    assert worker.ask("text", "utf-8", PLAIN.encode(), None)[1] == b"Ask [EMAIL 1] about it"
    assert worker._process.pid != gone


def test_a_process_that_ended_while_it_waited_costs_no_answer(worker: WorkerProcess) -> None:
    worker.ask("text", "utf-8", b"ready", None)
    assert worker._process is not None
    worker._process.kill()
    worker._process.wait()
    assert worker.ask("text", "utf-8", PLAIN.encode(), None)[1] == b"Ask [EMAIL 1] about it"


def test_control_c_of_the_server_reaches_no_process_of_ours(worker: WorkerProcess) -> None:
    """The terminal sends it to the server's group: this one has another."""
    worker.ask("text", "utf-8", b"ready", None)
    assert worker._process is not None
    assert os.getpgid(worker._process.pid) != os.getpgid(0)


def test_a_server_that_is_killed_leaves_no_vault(tmp_path: Path) -> None:
    code = (
        "import asyncio, os, signal\n"
        "from sfumato import keys, policy\n"
        "from sfumato.serve.bodies import BodySettings\n"
        "from sfumato.serve.workers import Workers\n"
        "if __name__ == '__main__':\n"
        "    rules = policy.load({'detect': ['patterns'], 'replace': {'EMAIL': 'surrogate'}})\n"
        "    workers = Workers(BodySettings(rules, keys.new(), None, False, 0.0), 2, 60.0)\n"
        "    asyncio.run(workers('text', 'utf-8', b'Ask ann@example.org', None))\n"
        "    print(os.listdir(os.environ['TMPDIR']), flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    (tmp_path / "server.py").write_text(code)
    kept = tmp_path / "temporary"
    kept.mkdir()
    done = subprocess.run(
        [sys.executable, str(tmp_path / "server.py")],
        env={**os.environ, "TMPDIR": str(kept)},
        capture_output=True,
        text=True,
    )
    assert "sfumato-" in done.stdout, done.stderr
    for _ in range(600):
        if not list(kept.iterdir()):
            return
        time.sleep(0.1)
    raise AssertionError("the vault is left")


def test_a_slow_body_keeps_nobody_else_waiting() -> None:
    """While one process sleeps for ever, the event loop goes on and the other one answers."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        slow = dict(scope["headers"])[b"x-reader"] == b"slow"
        await app_of((SLEEP if slow else PLAIN).encode())(scope, receive, send)

    app = SanitizeResponses(application, POLICY, public=True, processes=2, seconds=15)

    async def both() -> tuple[bool, list[Answer]]:
        slow = asyncio.create_task(ask(app, "slow"))
        await asyncio.sleep(0)
        quick = [await ask(app, "quick") for _ in range(3)]
        ended = slow.done()
        slow.cancel()
        return ended, quick

    ended, quick = asyncio.run(both())
    assert not ended
    assert [a.body for a in quick] == [b"Ask [EMAIL 1] about it"] * 3


def test_all_processes_replace_alike() -> None:
    rules = {"detect": ["patterns"], "replace": {"EMAIL": "surrogate"}}
    workers = Workers(settings(rules), 2, 60)
    one, other = workers._idle.get(), workers._idle.get()
    vault = one._settings.vault
    assert vault is not None
    assert vault == other._settings.vault
    first = one.ask("text", "utf-8", b"ann@example.org", None)
    assert other.ask("text", "utf-8", b"ann@example.org", None) == first
    with Ledger(one._settings.key, vault, read_only=True) as ledger:
        assert ledger._db.execute("SELECT count(*) FROM vault").fetchone() == (1,)


def test_releases_are_on_record_in_the_users_own_ledger(tmp_path: Path) -> None:
    made = settings(vault=tmp_path / "ledger.db", keep=True)
    body = WorkerProcess(made, [], 60).ask("text", "utf-8", PLAIN.encode(), None).body
    with Ledger(made.key, tmp_path / "ledger.db", read_only=True) as ledger:
        assert ledger.find_one(body).record.edits


def test_a_plug_in_of_the_program_itself_is_refused_before_any_work() -> None:
    def detect(options: Options) -> Any:
        raise AssertionError

    detect.__module__ = "__main__"
    DETECTORS.add(DetectorPlugin(name="own", make=detect, options=Options))
    try:
        with pytest.raises(PolicyError, match=r"put it into a module.*seconds=None"):
            Workers(settings(), 1, 30)
    finally:
        DETECTORS.remove("own")


def test_a_program_without_a_guard_is_not_run_again(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import asyncio\n"
        "from tests.serve.test_middleware import app_of, ask\n"
        "from sfumato.serve import SanitizeResponses\n"
        "print('started', flush=True)\n"
        "app = SanitizeResponses(app_of(b'Ask ann@example.org'), public=True)\n"
        "print(asyncio.run(ask(app, '')).body.decode())\n"
    )
    done = subprocess.run(
        [sys.executable, str(tmp_path / "program.py")],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout == "started\nAsk [EMAIL 1]\n", done.stderr


def test_messages_are_answered_until_the_other_side_is_gone() -> None:
    import pickle

    asked, answered = io.BytesIO(), io.BytesIO()
    put(asked, {"path": sys.path, "modules": []}, pickle.dumps(settings()))
    for body in (PLAIN.encode(), b"\xff"):
        put(asked, {"format": "text", "charset": "utf-8", "reader": None}, body)
    asked.seek(0)
    answer(asked, answered)
    answered.seek(0)
    assert take(answered) == ({}, b"")
    head, body = take(answered)
    assert (head["charset"], body) == ("utf-8", b"Ask [EMAIL 1] about it")
    head, _ = take(answered)
    assert head["status"] == 500
    with pytest.raises(EOFError):
        take(answered)
