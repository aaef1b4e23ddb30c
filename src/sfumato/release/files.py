"""The two files of a release: itself, and its certificate beside it."""

from __future__ import annotations

from pathlib import Path

from sfumato import files
from sfumato.document import Release
from sfumato.errors import InputError
from sfumato.folders import Folders, Identity, Root
from sfumato.keys import Key
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
    root: Root | None = None,
    most: int,
    force: bool = False,
    never: frozenset[Identity] = frozenset(),
) -> None:
    """Write both or neither; at no moment does a release stand beside another one's certificate, or none.
    Inputs are `never` replaced, nor is the ledger with its key."""
    files.write_together(
        release_files(target, release),
        root=root,
        judge=lambda folders: refuse_strangers(folders, target, ledger, most=most, force=force),
        never=never | in_use(ledger),
    )
    ledger.take_over(release, target)


def in_use(ledger: Ledger) -> frozenset[Identity]:
    """The files of a ledger, and the key beside it."""
    if ledger.path is None:
        return frozenset()
    path = ledger.path.resolve()
    names = (path.name + ending for ending in ("", "-wal", "-shm"))
    return files.identities([*map(path.with_name, names), ledger.path.with_name("key")])


def release_files(target: Path, release: Release) -> list[tuple[Path, bytes]]:
    """What is written of a release: the certificate, then itself."""
    return [
        (certificate_path(target), release.certificate.to_json().encode()),
        (target, release.data),
    ]


def look(target: Path, root: Root, ledger: Ledger, *, most: int, force: bool = False) -> None:
    """Refuse early what will be refused when the release is written."""

    def judge(folders: Folders) -> None:
        refuse_strangers(folders, target, ledger, most=most, force=force)

    files.look(target, root, judge)


def refuse_strangers(
    folders: Folders, target: Path, ledger: Ledger, *, most: int, force: bool = False
) -> None:
    """Refuse to replace what is no earlier release: one with a certificate by our key, or in the ledger,
    where it has at most so many bytes."""
    beside = certificate_path(target)
    folders.refuse_odd(beside)

    def made_by_us(found: bytes | None) -> tuple[certificate.Certificate, Key] | None:
        made = _certificate(found) if found is not None else None
        key = ledger.maker(made) if made is not None else None
        return (made, key) if made is not None and key is not None else None

    def is_release(data: bytes) -> bool:
        ours = made_by_us(folders.read(beside, certificate.MOST_BYTES))
        return (ours is not None and bool(ours[0].is_about(data, ours[1]))) or ledger.has(data)

    def is_certified(sha256: str) -> bool:
        ours = made_by_us(folders.read(beside, certificate.MOST_BYTES))
        return ours is not None and ours[0].output == f"sha256:{sha256}"

    folders.refuse(
        target,
        force=force,
        is_ours=is_release,
        is_known=is_certified,
        what="release",
        most=most,
    )
    folders.refuse(  # a certificate alone is what a killed process leaves
        beside,
        force=force,
        is_ours=lambda data: made_by_us(data) is not None,
        what="certificate",
        most=certificate.MOST_BYTES,
    )


def _certificate(data: bytes) -> certificate.Certificate | None:
    try:
        return certificate.parse(data, "")
    except InputError:
        return None
