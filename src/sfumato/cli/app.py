"""The command line.

Exit codes: 0 done, 2 wrong use or input, 3 a guarantee does not hold, 130 interrupted, 143 ended (SIGTERM).
"""

from __future__ import annotations

import atexit
import gc
import io
import os
import signal
import sys
import warnings
from contextlib import suppress
from typing import Annotated

import typer

from sfumato import _interrupts
from sfumato._version import __version__
from sfumato.cli.console import out, say
from sfumato.cli.lazy import LazyGroup, Table
from sfumato.errors import SfumatoError, described

_LEFT = "finished files are complete, the rest was not touched"


COMMANDS: Table = {
    "sanitize": (
        "sanitize:sanitize",
        "Make documents safe to share: files in, files of the same kind out.",
    ),
    "detect": ("detect:detect", "List the terms that a policy's detectors find."),
    "verify": ("verify:verify", "Check that a release holds what its certificate claims."),
    "views": (
        "views:views",
        "Make one release for each reader, and check what they could learn together.",
    ),
    "restore": (
        "restore:restore",
        "Give the original back, byte for byte, from a release and the ledger.",
    ),
    "explain": ("explain:explain", "Say why each edit was made, from the ledger."),
    "check": (
        "check:check",
        "List the terms that still tell too much about what is hidden, and what to write instead.",
    ),
    "anonymize": (
        "anonymize:anonymize",
        "Make a table with texts k-anonymous: rows and the terms of their texts are the same "
        "for k persons.",
    ),
    "anonymize-log": (
        "anonymize_log:anonymize_log",
        "Keep the documents of a log that at least k users have. Other columns are never copied.",
    ),
    "measure": (
        "measure:measure",
        "Say what a release has kept and what it still tells, whatever made it.",
    ),
    "attack": (
        "attack:attack",
        "Try to find out whom releases are about, and what was hidden in them.",
    ),
    "explore": (
        "explore:explore",
        "Show what a setting costs: risk against utility for each of its values. Releases nothing.",
    ),
    "evaluate": ("evaluate:app", "Score the detectors against gold data."),
    "know": ("know:app", "Look at what an adversary may know, and bring your own knowledge."),
    "policy": ("policy:app", "Show, check and describe policies."),
    "key": ("key:app", "Make, show and replace keys."),
    "ledger": ("ledger:app", "What the ledger keeps."),
    "cache": ("cache:app", "What is kept on this machine between runs."),
}


class Commands(LazyGroup):
    """Every command of `sfumato`."""

    table = COMMANDS


app = typer.Typer(
    name="sfumato",
    cls=Commands,
    help="Makes text safe to share: finds what gives a person away, softens it just enough, and proves it.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        out.print(f"sfumato {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    pass


def main() -> None:
    """The entry point: every failure is one line and an exit code."""
    # Tables are large and hold no cycles. Looking for some on the way takes a twentieth of the time for one
    # note, and at the end of the process, where all goes anyway, a sixth.
    gc.set_threshold(100_000)
    atexit.register(gc.freeze)
    for stream in (sys.stdout, sys.stderr):  # halves of characters and odd names can be shown, too
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if not sys.warnoptions:  # libraries' warnings may quote the text
        warnings.simplefilter("ignore")
    try:
        code = _run()
    except (KeyboardInterrupt, _interrupts.Ended) as again:  # while another one was told
        code = 128 + again.number if isinstance(again, _interrupts.Ended) else _interrupts.CODE
    _interrupts.while_ending()
    sys.exit(code)


def _run() -> int:
    try:
        try:
            code = app(standalone_mode=False)
        finally:  # an error of another kind may be all that is left of a signal
            _interrupts.heed()
        if code == _interrupts.CODE:  # typer turns Ctrl-C into an exit code
            raise KeyboardInterrupt
    except SfumatoError as error:
        code = _fail(str(error), error.exit_code)
    except typer.TyperException as error:
        said = error.format_message()  # none where a bare command has shown its help
        code = _fail(f"{said} (see --help)", 2) if said.strip() else 2
    except (KeyboardInterrupt, typer.Abort):
        code = _stopped(None)
    except (BrokenPipeError, SystemExit):  # what typer makes of it
        with suppress(OSError):  # nobody reads on; keep Python from complaining at its end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 128 + signal.SIGPIPE
    except _interrupts.Ended as signalled:
        code = _stopped(signalled)
    except (OSError, MemoryError) as error:
        code = _fail(described(error), 2)
    except Exception as error:
        code = _fail(f"{described(error)}; nothing more was written", 1)
    return int(code or 0)


def _stopped(why: BaseException | None) -> int:
    if isinstance(why, _interrupts.Ended):
        return _fail(f"ended from outside; {_LEFT}", 128 + why.number)
    return _fail(f"interrupted; {_LEFT}", _interrupts.CODE)


def _fail(message: str, code: int) -> int:
    say(f"sfumato: {message}")
    return code
