"""`sfumato restore`: the original back from a release."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.options import DocumentName, KeyFile, LedgerPath, ReleasePath
from sfumato.document import restored
from sfumato.formats import file_bytes
from sfumato.release import access, files


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
) -> None:
    """Give the original back, byte for byte, from a release and the ledger."""
    data = file_bytes(release)
    entry = access.entry(
        ledger or access.LEDGER, access.need_key(ledger, key_file), data, release, name
    )
    original = restored(data, entry.record)
    if output is None:
        sys.stdout.buffer.write(original)
        sys.stdout.buffer.flush()
    else:
        files.write_file(output, original, mode=0o600)
