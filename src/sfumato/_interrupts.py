"""Ctrl-C, wherever it falls: the command ends with code 130 and a line, never with a traceback.

While it starts, nothing is there to be tidied up, and an exception could be changed or lost on its way
through somebody's import: the process ends at once. A program that imports the package keeps its own ways.
"""

import os
import signal
import sys

CODE = 130


def while_starting() -> None:
    """Before anything else is imported, if this process is the command."""
    if _is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def while_working() -> None:
    """From now on there may be something to tidy up: Ctrl-C is an exception."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


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
