"""Processes that sanitise bodies, each with a limit on its time: one that exceeds it is ended and replaced.

A thread waits for each process, so that nothing keeps an event loop busy, and a body that takes for ever
costs its own answer only. The processes are plain ones, started when they are first needed: they do not run
the program again that started them.
"""

from __future__ import annotations

import asyncio
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from queue import LifoQueue
from typing import Any

from sfumato.errors import PolicyError
from sfumato.plugins import CLAIMS, DETECTORS, FORMATS, METHODS, PROTECTORS, TAXONOMIES
from sfumato.serve.bodies import BodySettings, SafeBody, WithheldError, put, take

START = 120.0  # seconds for a process to be ready: it imports, and loads a policy's files
_COMMAND = "from sfumato.serve.bodies import main; main()"


class Workers:
    """A few processes that do the same."""

    def __init__(self, settings: BodySettings, processes: int, seconds: float) -> None:
        if settings.vault is None:  # what one replaces, the others replace alike
            folder = tempfile.mkdtemp(prefix="sfumato-")
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            settings = replace(settings, vault=Path(folder) / "vault", temporary=folder)
        self._threads = ThreadPoolExecutor(processes, "sfumato")
        self._idle: LifoQueue[WorkerProcess] = LifoQueue()
        modules = _modules()
        for _ in range(processes):
            self._idle.put(WorkerProcess(settings, modules, seconds))

    async def __call__(
        self, format: str, charset: str, body: bytes, reader: str | None
    ) -> SafeBody:
        """The body's view."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._ask, format, charset, body, reader)

    def _ask(self, format: str, charset: str, body: bytes, reader: str | None) -> SafeBody:
        worker = self._idle.get()
        try:
            return worker.ask(format, charset, body, reader)
        finally:
            self._idle.put(worker)


class WorkerProcess:
    """One process at a time, and another where that has ended."""

    def __init__(self, settings: BodySettings, modules: list[str], seconds: float) -> None:
        self._settings, self._modules, self._seconds = settings, modules, seconds
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, format: str, charset: str, body: bytes, reader: str | None) -> SafeBody:
        """The body's view."""
        process = self._process
        if process is not None and process.poll() is not None:  # while nobody asked anything of it
            _end(process)
            process = None
        process = self._process = process or self._start()
        head = {"format": format, "charset": charset, "reader": reader}
        found, made = self._exchange(process, head, body, self._seconds)
        if "why" in found:
            raise WithheldError(found["status"], found["why"], found["cause"])
        return SafeBody(found["charset"], made, found["certificate"])

    def _start(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", _COMMAND],
            stdin=subprocess.PIPE,  # whose end, when we are gone, is its end
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is the server's: it may still finish its answers
        )
        weakref.finalize(self, _end, process)
        head = {"path": sys.path, "modules": self._modules}
        self._exchange(process, head, pickle.dumps(self._settings), START)
        return process

    def _exchange(
        self, process: subprocess.Popen[bytes], head: dict[str, Any], body: bytes, seconds: float
    ) -> tuple[dict[str, Any], bytes]:
        assert process.stdin is not None
        assert process.stdout is not None
        timer, before = threading.Timer(seconds, process.kill), time.monotonic()
        timer.start()
        try:
            put(process.stdin, head, body)
            return take(process.stdout)
        except (EOFError, OSError):
            self._process = None
            late = time.monotonic() >= before + seconds
            _end(process)
            why = "it takes too long" if late else "an internal error"
            cause = f"over {seconds:g} s" if late else "the process has ended"
            raise WithheldError(503, f"withheld: {why}", cause) from None
        finally:
            timer.cancel()


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with suppress(OSError):  # what was not sent any more
        process.communicate()


def _modules() -> list[str]:
    """The modules of others that have registered plug-ins."""
    registries = (DETECTORS, PROTECTORS, CLAIMS, METHODS, FORMATS, TAXONOMIES)
    named = {module or "__main__" for registry in registries for module in registry.modules()}
    found = sorted(named)
    if "__main__" in found:
        raise PolicyError(
            "a plug-in is defined in the program itself: put it into a module that other processes can "
            "import, or let this one do the work with seconds=None"
        )
    return [module for module in found if not module.startswith("sfumato.")]
