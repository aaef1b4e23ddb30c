"""Signals that ask the command to end: it does, with their code and a line, never with a traceback.

While it starts, nothing is there to be tidied up, and an exception could be changed or lost on its way
through somebody's import: the process ends at once. A program that imports the package keeps its own ways.
"""

import os
import signal
import sys

CODE = 130


class Ended(BaseException):
    """A signal that asks the process to end, when it has tidied up."""

    def __init__(self, number: int) -> None:
        self.number = number


_asked: list[BaseException] = []


def while_starting() -> None:
    """Before anything else is imported, if this process is the command."""
    if _is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def while_working() -> None:
    """From now on there may be something to tidy up: a signal is an exception."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # else somebody has decided, as nohup does
        if number and signal.getsignal(number) in (
            _end,
            signal.default_int_handler,
            signal.SIG_DFL,
        ):
            signal.signal(number, _raise)


def heed() -> None:
    """Raise what was asked for once more, at a place where nobody loses it. Python itself forgets an
    exception that comes while it compares the keys of a dictionary for a library."""
    if _asked:
        raise _asked[0]


def while_ending() -> None:
    """All is done and told: what comes now comes too late."""
    if _is_command():
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)


def _is_command() -> bool:
    """Whether Python was called for the command's script, or with `-m sfumato`."""
    called = [*sys.orig_argv[1:3], "", ""]
    name = called[0].replace("\\", "/").rpartition("/")[2]
    return name in {"sfumato", "sfumato.exe"} or called[:2] == ["-m", "sfumato"]


def _end(*_: object) -> None:
    os.write(2, b"sfumato: interrupted; nothing was written\n")
    os._exit(CODE)


def _raise(number: int, _: object) -> None:
    _asked.append(KeyboardInterrupt() if number == signal.SIGINT else Ended(number))
    raise _asked[-1]
