"""A document log released: certified, proven, recorded, and written last."""

from __future__ import annotations

from pathlib import Path

from sfumato.document import Claim, Edit, Origin, Record, Release
from sfumato.errors import InputError
from sfumato.formats import check_size, log
from sfumato.keys import Key
from sfumato.policy import Policy
from sfumato.protect.logs.model import FILES, LogSummary, SharedLog, share
from sfumato.release import certificate
from sfumato.release.batch import certificate_path
from sfumato.release.files import write_file
from sfumato.release.ledger import Ledger
from sfumato.verify import Evidence, prove

KIND = "LOG"


def release_log(
    path: Path, out: Path, policy: Policy, key: Key, ledger: Ledger
) -> tuple[Release, LogSummary]:
    """Write the log with the documents that k users have, its certificate beside it, and the ledger's entry.

    Files are .csv, .tsv, .jsonl or .parquet, by the endings of their names. Nothing is written if nothing is
    left, or if a claim does not hold.
    """
    settings = policy.log
    if settings is None:
        raise InputError(
            f"the policy '{policy.name}' has no `log:`; say there what must hold, e.g. k"
        )
    if out.suffix.lower() not in FILES:
        known = ".csv, .tsv, .jsonl or .parquet"
        raise InputError(f"{out}: no table of a known kind; give {known}", path=str(out))
    for target in (out, certificate_path(out)):
        if target.resolve() == path.resolve():
            raise InputError(
                f"{target}: is the input; an original is never overwritten", path=str(target)
            )
    source = _bytes(path, policy.limits.file_bytes)
    shared = share(log.read(path, user=settings.user, document=settings.document), settings)
    if not shared.kept.any():
        raise InputError(
            f"{path}: no document is shared by {settings.k:,} users; nothing was written. With k up to "
            f"{shared.most:,} something is left",
            path=str(path),
        )
    release = _certified(path, out, source, shared.to_bytes(out, key), shared, policy, key)
    ledger.put(release, policy)
    write_file(certificate_path(out), release.certificate.to_json().encode())
    write_file(out, release.data)
    return release, shared.summary()


def _certified(
    path: Path,
    out: Path,
    source: bytes,
    data: bytes,
    shared: SharedLog,
    policy: Policy,
    key: Key,
) -> Release:
    claims = _claims(path, out, shared)
    encoding = _encoding(source, data)
    original, text = source.decode(encoding), data.decode(encoding)
    found = shared.summary()
    numbers = {name: float(number) for name, number in found.as_dict().items()}
    reason = f"documents of fewer than {found.k:,} users left out"
    edit = Edit(0, len(original), KIND, text, reason, "log", numbers=numbers)
    record = Record(out.name, Origin("text", encoding), (edit,), (original,))
    issued = certificate.issue(
        policy=policy.digest,
        knowledge={},
        claims=claims,
        origin=record.origin,
        source=source,
        released=data,
        key=key,
    )
    evidence = Evidence(text, policy, None, record, key, data, name=out.name, input=issued.input)
    return Release(text, data, record, issued, prove(claims, evidence))


def _claims(path: Path, out: Path, shared: SharedLog) -> list[Claim]:
    settings = shared.settings
    parameters = {
        "k": settings.k,
        "user": settings.user,
        "document": settings.document,
        "match": settings.match,
        "input": path.suffix.lower(),
        "output": out.suffix.lower(),
    }
    unnamed = [Claim("users not named")] if settings.users != "keep" else []
    return [Claim("documents of k users", parameters), Claim("only whole rows left out"), *unnamed]


def _bytes(path: Path, limit: int) -> bytes:
    try:
        check_size(path.stat().st_size, limit, str(path))
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})", path=str(path)) from None


def _encoding(*data: bytes) -> str:
    """UTF-8 where both are that; else every byte for itself, so that a log comes back as it was."""
    try:
        for each in data:
            each.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"
