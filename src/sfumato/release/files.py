"""The two files of a release: itself, and its certificate beside it."""

from __future__ import annotations

import os
from collections.abc import Container
from pathlib import Path

from sfumato import files
from sfumato.document import Release
from sfumato.errors import InputError
from sfumato.release import certificate
from sfumato.release.ledger import Ledger


def certificate_path(target: Path) -> Path:
    """Where a release's certificate is written."""
    return target.with_name(target.name + certificate.SUFFIX)


def write_release(
    target: Path,
    release: Release,
    ledger: Ledger,
    *,
    force: bool = False,
    never: Container[files.Identity] = (),
) -> None:
    """Write both or neither; at no moment does a release stand beside another one's certificate, or none.
    Inputs are `never` replaced."""
    files.write_together(
        release_files(target, release),
        check=lambda: refuse_strangers(target, ledger, force=force),
        never=never,
    )


def release_files(target: Path, release: Release) -> list[tuple[Path, bytes]]:
    """What is written of a release: the certificate, then itself."""
    return [
        (certificate_path(target), release.certificate.to_json().encode()),
        (target, release.data),
    ]


def refuse_strangers(target: Path, ledger: Ledger, *, force: bool = False) -> None:
    """Refuse to replace what is no earlier release: one in the ledger, or with a certificate by our key."""

    beside = certificate_path(target)
    files.refuse_odd(beside)

    def is_release(data: bytes) -> bool:
        made = _certificate(beside.read_bytes()) if beside.is_file() else None
        key = ledger.maker(made) if made is not None else None
        ours = made is not None and key is not None and made.is_about(data, key)
        return ours or bool(ledger.find(data))

    files.refuse_overwriting(target, force=force, is_ours=is_release, what="release")
    if not os.path.lexists(target):  # a certificate alone is what a killed process leaves
        files.refuse_overwriting(
            beside,
            force=force,
            is_ours=lambda data: _certificate(data) is not None,
            what="certificate",
        )


def _certificate(data: bytes) -> certificate.Certificate | None:
    try:
        return certificate.parse(data, "")
    except InputError:
        return None
