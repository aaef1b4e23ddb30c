"""How long the work on one document may take: in proportion to its size, and no longer.

An alarm of the system ends what takes longer, wherever it is, and whoever catches errors there does not catch
it; what is half-written in memory is for its caller to throw away. It is for the main thread of a program
that is ours (a command, or its process for one document after the other), on systems that have such alarms:
elsewhere nothing is limited.
"""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType, TracebackType

from sfumato.errors import DeadlineError

LEAST = 60.0  # seconds for any document
PER_BYTE = 1 / 2000  # and for each of its bytes
_PACKED = dict.fromkeys((".parquet", ".pq", ".xlsx"), 10)  # what they hold is larger
# Seconds after which the alarm rings again: Python forgets what is raised in some places
_AGAIN = 5.0

_IMPORT = "<frozen importlib._bootstrap>"

_held = 1  # how many reasons there are to raise nothing; one is that no time runs
_has_rung = False  # while it was held


class _Late(BaseException):
    """The alarm has rung: no error, so that nobody takes it for one of his own."""


class Deadline:
    """Time for one document. It runs within `with` blocks, as many as there are: not while others are waited
    for, and not while something is written.

    >>> with Deadline("note.txt", 0.01):  # doctest: +ELLIPSIS
    ...     time.sleep(1)
    Traceback (most recent call last):
    sfumato.errors.DeadlineError: note.txt: takes longer than 0.01 s, which is long for its size; ...
    """

    def __init__(self, name: str, seconds: float) -> None:
        self._name, self.seconds = name, seconds if seconds > 0 else math.inf
        self._left, self._begun = self.seconds, 0.0
        self._rings = False

    def __enter__(self) -> None:
        global _held, _has_rung
        self._rings = self.seconds < math.inf and _can_ring()
        if self._rings:
            if self._left <= 0:
                raise self._error()
            self._begun, _has_rung = time.monotonic(), False
            signal.signal(signal.SIGALRM, _ring)  # for good: a late one must not end the process
            signal.setitimer(signal.ITIMER_REAL, self._left, _AGAIN)
            _held -= 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        global _held
        if self._rings:
            _held += 1
            signal.setitimer(signal.ITIMER_REAL, 0)
            self._left -= time.monotonic() - self._begun
            late = self._left <= 0 and (kind is None or issubclass(kind, Exception))
            if late or kind is _Late:
                raise self._error() from None

    def _error(self) -> DeadlineError:
        return DeadlineError(
            f"{self._name}: takes longer than {self.seconds:,.4g} s, which is long for its size; nothing was "
            "written; split it, or give it more time with --timeout",
            path=self._name,
        )


def deadline(name: str, size: int, seconds: float | None = None) -> Deadline:
    """The deadline of a document of so many bytes, or so many `seconds`; 0 is none."""
    size *= _PACKED.get(name.lower()[name.rfind(".") :], 1)
    return Deadline(name, LEAST + PER_BYTE * size if seconds is None else seconds)


def deadline_of(*paths: Path | None, seconds: float | None = None) -> Deadline:
    """The deadline of what is in some files or folders together, named after the first."""
    size = 0
    for path in filter(None, paths):
        for file in (path, *path.rglob("*")):
            with suppress(OSError):  # told of when it is read
                size += (file.stat() if file is path else file.lstat()).st_size
    return deadline(str(paths[0]), size, seconds)


@contextmanager
def undisturbed() -> Iterator[None]:
    """A block that is done as a whole: an alarm waits until after it."""
    global _held
    _held += 1
    try:
        yield
    finally:
        _held -= 1
        if _has_rung and not _held:
            raise _Late


def _can_ring() -> bool:
    here = threading.current_thread() is threading.main_thread()
    return here and hasattr(signal, "setitimer")


def _ring(_: int, frame: FrameType | None) -> None:
    global _has_rung
    own = frame is not None and frame.f_code is Deadline.__exit__.__code__  # which has noticed
    if _held or own:
        _has_rung = True
    elif not _imports(frame):  # a module that is cut off is never whole again; it rings again
        raise _Late


def _imports(frame: FrameType | None) -> bool:
    """Whether a module is being imported."""
    while frame is not None and frame.f_code.co_filename != _IMPORT:
        frame = frame.f_back
    return frame is not None
