"""Tasks done by several processes, with a part of each in the tasks' order.

A process that dies takes nothing along: turns are given by word of the one who started them, not by a lock,
and the task that it had is given to another one, whose turn it still is. A task that ends two is lost.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

from sfumato._interrupts import heed
from sfumato.children import safe_path, uninterrupted
from sfumato.errors import SfumatoError, described

Task = TypeVar("Task")
Result = TypeVar("Result")
Turn = Callable[[], AbstractContextManager[None]]  # a block within it waits for all earlier tasks'

_ASKS, _HAS_PASSED = "asks for its turn", "has passed its turn"


def work_through(
    tasks: Sequence[Task],
    make: Callable[[Any, Turn], AbstractContextManager[Callable[[Task], Result]]],
    settings: object,
    *,
    processes: int,
    lost: Callable[[Task], Result],
    patience: Callable[[Task], float] = lambda _: math.inf,
) -> Iterator[Result]:
    """The results of all tasks, in order. `make` is called in each process, once; `lost` gives the result of
    a task whose processes have died, or were silent for longer than our `patience` with it."""
    pool = _Pool(tasks, make, settings, lost, patience)
    try:
        pool.start(processes)
        for number in range(len(tasks)):
            while number not in pool.results:
                heed()
                pool.go_on()
            yield pool.results.pop(number)
    finally:
        pool.end()


@dataclass(frozen=True, slots=True)
class _NotStarted:
    message: str
    exit_code: int


@dataclass(slots=True)
class _Process:
    """One process, our end of its pipe, and the number of the task that it has."""

    process: BaseProcess
    pipe: Connection
    number: int | None = None
    asks: bool = False
    until: float = math.inf  # when it will have been silent for too long

    def send(self, message: object) -> None:
        with suppress(OSError):  # it is dead, and that shows where its answer is awaited
            self.pipe.send(message)

    def receive(self) -> Any:
        """What it says; None where it is dead."""
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            return None


class _Pool(Generic[Task, Result]):
    """The processes at work, who has which task, and whose turn it is."""

    def __init__(
        self,
        tasks: Sequence[Task],
        make: Callable[[Any, Turn], AbstractContextManager[Callable[[Task], Result]]],
        settings: object,
        lost: Callable[[Task], Result],
        patience: Callable[[Task], float],
    ) -> None:
        self.results: dict[int, Result] = {}
        self._tasks, self._lost, self._patience = tasks, lost, patience
        self._arguments = (make, settings)
        self._processes: dict[Connection, _Process] = {}
        self._given = self._turn = 0  # the number of the next task, and of the one whose turn it is
        self._passed = [False] * len(tasks)
        self._again: list[int] = []  # tasks whose process has died, once
        self._died: set[int] = set()

    def start(self, many: int) -> None:
        """Start so many more processes, but no more than there are tasks left."""
        context = multiprocessing.get_context("spawn")
        for _ in range(min(many, len(self._tasks) - self._given + len(self._again))):
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, *self._arguments), daemon=True)
            with safe_path(), uninterrupted():
                process.start()
                theirs.close()  # so that their death is the pipe's end
                self._processes[ours] = _Process(process, ours)
            self._give(self._processes[ours])

    def go_on(self) -> None:
        """Wait until one of them says something, and do what follows from it."""
        first = min(one.until for one in self._processes.values())
        seconds = None if first == math.inf else max(0.0, first - time.monotonic())
        for pipe in wait_for(list(self._processes), seconds):
            one = self._processes[pipe]  # type: ignore[index]
            message, number = one.receive(), one.number
            assert number is not None
            if isinstance(message, _NotStarted):
                error = SfumatoError(message.message)
                error.exit_code = message.exit_code
                raise error
            one.asks = message == _ASKS
            if message is None:
                self._after_death(number)
                self._forget(one)
                self.start(1)
                continue
            self._passed[number] = self._passed[number] or not one.asks
            if message in (_ASKS, _HAS_PASSED):
                self._await(one)
                continue
            self.results[number] = message
            self._give(one)
        self._next_turn()
        for one in self._processes.values():
            if one.until <= time.monotonic():  # deaf to its own alarm
                one.process.kill()
                one.until = math.inf

    def end(self) -> None:
        """Let each finish what it is about to write; whoever waits for a task or a turn ends at once."""
        for one in self._processes.values():
            one.pipe.close()
        for one in self._processes.values():
            one.process.join()

    def _give(self, one: _Process) -> None:
        """The next task, if there is one."""
        if self._again:
            one.number = self._again.pop()
        elif self._given < len(self._tasks):
            one.number, self._given = self._given, self._given + 1
        else:
            self._forget(one)
            return
        self._await(one)
        one.send(self._tasks[one.number])

    def _await(self, one: _Process) -> None:
        """From now on, who does not wait for us is waited for no longer than we are patient."""
        assert one.number is not None
        patience = math.inf if one.asks else self._patience(self._tasks[one.number])
        one.until = time.monotonic() + patience

    def _after_death(self, number: int) -> None:
        if number not in self._died:
            self._died.add(number)
            self._again.append(number)
        else:
            self.results[number] = self._lost(self._tasks[number])
            self._passed[number] = True

    def _forget(self, one: _Process) -> None:
        one.pipe.close()
        one.process.join()
        del self._processes[one.pipe]

    def _next_turn(self) -> None:
        while self._turn < len(self._tasks) and self._passed[self._turn]:
            self._turn += 1
        for one in self._processes.values():
            if one.asks and one.number is not None and one.number <= self._turn:
                one.asks = False
                self._await(one)
                one.send(None)


def _serve(
    pipe: Connection,
    make: Callable[[Any, Turn], AbstractContextManager[Callable[[Any], object]]],
    settings: object,
) -> None:
    """What a process does: tasks, until nobody gives any."""
    if not hasattr(signal, "sigpending"):  # else it is blocked, and its arrival can be seen
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # tidy up first
    threading.Thread(target=_end_with_parent, daemon=True).start()

    @contextmanager
    def turn() -> Iterator[None]:
        try:
            pipe.send(_ASKS)
            pipe.recv()
        except (EOFError, OSError):  # nobody wants the result any more
            sys.exit()
        yield
        pipe.send(_HAS_PASSED)

    with suppress(EOFError, ConnectionError):
        try:
            worker = make(settings, turn)
        except Exception as error:
            pipe.send(_NotStarted(described(error), getattr(error, "exit_code", 2)))
            return
        with worker as work:
            while True:
                task = pipe.recv()
                if hasattr(signal, "sigpending") and signal.SIGINT in signal.sigpending():
                    return  # while it was starting: the parent is waiting for its end
                pipe.send(work(task))


def _end_with_parent() -> None:
    """A process whose parent was killed has nobody to work for."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)
