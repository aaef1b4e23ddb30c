"""`sfumato key`: make keys."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato import keys
from sfumato.cli.console import say

app = typer.Typer(no_args_is_help=True, help="Make keys.")


@app.command("new")
def new(
    file: Annotated[
        Path | None, typer.Argument(help="Where to write it; standard output if not given.")
    ] = None,
) -> None:
    """Make a key of 32 random bytes."""
    key = keys.new()
    if file is None:
        print(key.hex())
    else:
        keys.write(key, file)
        say(f"{file}: a new key; keep it safe, keep it secret")
