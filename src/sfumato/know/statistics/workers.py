"""What the steps of a build share: processes that work in order, and arrays that are written whole."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from sfumato.children import safe_path
from sfumato.files import PRIVATE, unfinished

Array = np.ndarray[Any, np.dtype[Any]]
T = TypeVar("T")
R = TypeVar("R")


class Processes:
    """Processes that do tasks in order, with few of them waiting; with one job, this process itself."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Processes:
        if self._jobs > 1:
            with safe_path():
                self._pool = ProcessPoolExecutor(
                    self._jobs,
                    mp_context=multiprocessing.get_context("spawn"),
                    initializer=_end_with,
                    initargs=(os.getpid(),),
                )
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def map(self, do: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        """The tasks' results, in their order."""
        if self._pool is None:
            yield from map(do, tasks)
            return
        tasks = iter(tasks)
        waiting: list[Future[R]] = []
        while True:
            free = islice(tasks, self._jobs + 1 - len(waiting))
            with safe_path():  # processes are started as tasks come
                waiting += [self._pool.submit(do, task) for task in free]
            if not waiting:
                return
            yield waiting.pop(0).result()


def _end_with(parent: int) -> None:
    """A helper process goes when the one it works for was killed."""

    def wait() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def save(path: Path, **arrays: Array) -> None:
    """Whole or not at all; the words of the corpus are for nobody else to read."""
    with unfinished(path, mode=PRIVATE) as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]


def load(path: Path, name: str) -> Array:
    with np.load(path) as file:
        array: Array = file[name]
        return array


def distinct(values: Array) -> Array:
    """Each value once, in order: by sorting, which is several times as fast here as numpy's hashing."""
    ordered = np.sort(values)
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new]
