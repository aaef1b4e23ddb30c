"""`sfumato restore`: the original back from a release."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.console import put
from sfumato.cli.options import DocumentName, KeyFile, LedgerPath, ReleasePath
from sfumato.errors import InputError
from sfumato.formats import file_bytes
from sfumato.release import access, files, undo


def restore(
    release: ReleasePath,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="Where the original goes; standard output if not given."
        ),
    ] = None,
    ledger: LedgerPath = None,
    key_file: KeyFile = None,
    name: DocumentName = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite a file that exists already.")
    ] = False,
) -> None:
    """Give the original back, byte for byte, from a release and the ledger."""
    if output is not None and os.path.lexists(output) and not force:
        raise InputError(f"{output}: exists already; give another name, or --force to overwrite it")
    data = file_bytes(release)
    entry = access.entry(
        ledger or access.LEDGER, access.need_key(ledger, key_file), data, release, name
    )
    original = undo.original(data, entry)
    if output is None:
        put(original)
    else:
        files.write_file(output, original, mode=0o600)
