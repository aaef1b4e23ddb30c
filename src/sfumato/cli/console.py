"""The one console: what is asked for goes to the output, what is said about it to the error stream."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from sfumato.report.plain import one_line

# What a terminal obeys instead of showing it (controls of both sorts, the deletion, and what turns the
# direction of writing), what would break one line into two, and what cannot be encoded.
_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def visible(text: str) -> str:
    r"""A text of others as it may be shown: what a terminal would obey is written as an escape.

    >>> visible("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    return _OBEYED.sub(lambda m: m[0].encode("unicode_escape").decode("ascii"), text)


class SafeConsole(Console):
    """Whatever is printed here, only the console's own commands reach the terminal."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            if segment.control or not _OBEYED.search(segment.text):
                yield segment
            else:
                yield Segment(visible(segment.text), segment.style)


out = SafeConsole(highlight=False)
err = SafeConsole(stderr=True, highlight=False)


def show(*parts: RenderableType) -> None:
    """Print to the output; a string is one line, never broken into two."""
    for part in parts:
        if isinstance(part, str):
            out.print(one_line(part), soft_wrap=True)
        else:
            out.print(part)


def put(data: bytes) -> None:
    """Write data to the output as it is; to a terminal, as it may be shown."""
    if sys.stdout.isatty():
        out.print(Text(data.decode("utf-8", "backslashreplace")), soft_wrap=True, end="")
    else:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def say(line: str, quiet: bool = False) -> None:
    """One line to the person, never broken into two."""
    if not quiet:
        err.print(one_line(line), soft_wrap=True)


def say_ledger(path: Path | None, quiet: bool = False) -> None:
    """Where the originals are."""
    say(f"Ledger: {path} (holds the originals, sealed by the key; it is not for release)", quiet)
