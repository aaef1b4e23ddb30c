"""A progress bar for work that takes longer than a moment."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

PATIENCE = 2.0  # seconds before a bar appears

T = TypeVar("T")


def watched(items: Iterable[T], total: int, console: Console) -> Iterator[T]:
    """The items as they come; on a terminal, with a bar once it has taken two seconds."""
    begun = time.monotonic()
    columns = (TextColumn("sanitizing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    task = bar.add_task("sanitizing", total=total)
    try:
        for item in items:
            bar.advance(task)
            if total > 1 and not bar.live.is_started and time.monotonic() - begun > PATIENCE:
                bar.start()
            yield item
    finally:
        bar.stop()
