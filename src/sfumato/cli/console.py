"""The one console: what is asked for goes to the output, what is said about it to the error stream."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console, RenderableType
from rich.text import Text

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def show(*parts: RenderableType) -> None:
    """Print to the output; a string is one line, never broken into two."""
    for part in parts:
        if isinstance(part, str):
            out.print(Text(part), soft_wrap=True)
        else:
            out.print(part)


def say(line: str, quiet: bool = False) -> None:
    """One line to the person, never broken into two."""
    if not quiet:
        err.print(Text(line), soft_wrap=True)


def say_ledger(path: Path | None, quiet: bool = False) -> None:
    """Where the originals are."""
    say(f"Ledger: {path} (holds the originals, sealed by the key; it is not for release)", quiet)
