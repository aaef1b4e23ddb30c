"""`sfumato cache`: what is kept on this machine between runs."""

from __future__ import annotations

import typer

from sfumato.cli.console import show
from sfumato.protect.tables import cache

app = typer.Typer(no_args_is_help=True, help="What is kept on this machine between runs.")


@app.command("clear")
def clear() -> None:
    """Remove what was kept of earlier runs: where terms stood in texts, by keyed hash."""
    number = cache.clear()
    show(f"{number} file{'s' if number != 1 else ''} removed from {cache.folder()}")
