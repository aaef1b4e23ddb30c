"""A document log released: certified, proven, recorded, and written last."""

from __future__ import annotations

from pathlib import Path

from sfumato.deadline import deadline
from sfumato.document import Claim, Document, Edit, Origin, Release
from sfumato.errors import InputError
from sfumato.files import identities, real, refuse_link, spelt
from sfumato.folders import Root
from sfumato.formats import file_bytes, log
from sfumato.keys import Key
from sfumato.pipeline import certified
from sfumato.policy import Policy
from sfumato.protect import Run
from sfumato.protect.logs.model import FILES, LogSummary, SharedLog, share
from sfumato.release.files import certificate_path, look, write_release
from sfumato.release.ledger import Ledger

KIND = "LOG"


def release_log(
    path: Path,
    out: Path,
    policy: Policy,
    key: Key,
    ledger: Ledger,
    *,
    force: bool = False,
    timeout: float | None = None,
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
        raise InputError.at(out, f"no table of a known kind; give {known}")
    for target in (out, certificate_path(out)):
        if real(target) == real(path):
            raise InputError.at(target, "is the input; an original is never overwritten")
    root = Root.at(out.parent)
    most = policy.limits.release_bytes
    look(out, root, ledger, most=most, force=force)
    refuse_link(path)
    source = file_bytes(path, policy.limits.file_bytes, Root.at(path.parent))
    with deadline(str(path), len(source), timeout):
        shared = share(log.read(path, user=settings.user, document=settings.document), settings)
        if not shared.kept.any():
            raise InputError.at(
                path,
                f"no document is shared by {settings.k:,} users; nothing was written. With k up to "
                f"{shared.most:,} something is left",
            )
        data = shared.to_bytes(out, key)
        encoding = _encoding(source, data)
        document = Document(source.decode(encoding), spelt(out.name), Origin("text", encoding))
        edit = _edit(document, data.decode(encoding), shared.summary())
        run = Run(policy, key, ledger)
        release = certified(document, [edit], _claims(path, out, shared), run, None)
    ledger.put(release, policy, out)
    never = identities([path])
    write_release(out, release, ledger, root=root, most=most, force=force, never=never)
    return release, shared.summary()


def _edit(document: Document, released: str, found: LogSummary) -> Edit:
    """What was done, as the ledger keeps it: the whole log for the whole log."""
    reason = f"documents of fewer than {found.k:,} users left out"
    numbers = {name: float(number) for name, number in found.as_dict().items()}
    return Edit(0, len(document.text), KIND, released, reason, "log", numbers=numbers)


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


def _encoding(*data: bytes) -> str:
    """UTF-8 where both are that; else every byte for itself, so that a log comes back as it was."""
    try:
        for each in data:
            each.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"
