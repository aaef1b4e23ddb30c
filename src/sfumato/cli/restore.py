"""`sfumato restore`: the original back from a release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.console import put, say
from sfumato.cli.options import (
    CertificateFile,
    DocumentName,
    Force,
    KeyFile,
    LedgerPath,
    ReleasePath,
    Timeout,
)
from sfumato.deadline import deadline
from sfumato.errors import InputError
from sfumato.files import PRIVATE, Target, identities, real
from sfumato.formats import file_bytes
from sfumato.release import access, targets, undo
from sfumato.release.files import certificate_path


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
    cert: CertificateFile = None,
    timeout: Timeout = None,
    force: Force = False,
) -> None:
    """Give the original back, byte for byte, from a release and the ledger."""
    target = None
    if output is not None:
        used = ledger or access.LEDGER
        needed = (
            release,
            cert or certificate_path(release),
            used,
            key_file or access.key_beside(used),
        )
        target = Target.at(output, force=force, never=identities(needed))
        if real(output) in {real(path) for path in needed if path is not None}:
            raise InputError(
                f"{output}: is the release, its certificate, the ledger or the key; give another name for "
                "the original"
            )
    data = file_bytes(release)
    ledger = ledger or access.LEDGER
    entry = access.entry(ledger, access.need_key(ledger, key_file), data, release, name, cert)
    if moved := targets.moved(release, entry):
        say(moved)
    with deadline(str(release), len(data), timeout):
        original = undo.original(data, entry)
    if target is None:
        put(original)
    else:
        target.write(original, mode=PRIVATE)
