"""`sfumato key`: make, show and replace keys."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato import keys
from sfumato.cli.console import say
from sfumato.cli.options import KeyFile, LedgerPath

app = typer.Typer(no_args_is_help=True, help="Make, show and replace keys.")


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


@app.command("public")
def public(ledger: LedgerPath = None, key_file: KeyFile = None) -> None:
    """Print the public key, by which receivers tell your certificates from forgeries."""
    from sfumato.release import access

    print(access.need_key(ledger, key_file).public)


@app.command("rotate")
def rotate(
    new_file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[NEW]",
            help="The new key's file, made if it is not there; else it takes the place of the one beside the "
            "ledger.",
        ),
    ] = None,
    ledger: LedgerPath = None,
    key_file: KeyFile = None,
) -> None:
    """Seal a ledger anew under a new key. Surrogates stay the same."""
    from sfumato.release import access, rotation

    path = ledger or access.LEDGER
    done = rotation.rotate(path, key_file, new_file)
    say(f"{path}: sealed anew; its key is in {done.new}. Give receivers the new public key.")
    if done.former is not None:
        say(f"The former key is in {done.former}; it still opens copies of the ledger from before.")
