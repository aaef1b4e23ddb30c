"""Which key, ledger, policy and reader a command works with."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from sfumato import keys, policy
from sfumato.errors import InputError, LedgerError, SecretError
from sfumato.files import distrusted, real
from sfumato.keys import Key
from sfumato.policy import Policy
from sfumato.policy.steps import steps_for_readers
from sfumato.release import certificate, schema, targets
from sfumato.release.certificate import Certificate
from sfumato.release.entries import Entry
from sfumato.release.files import certificate_path
from sfumato.release.ledger import NEW_KEY, Ledger

LEDGER = Path(".sfumato") / "ledger.db"


def check_readers(rules: Policy, named: Sequence[str]) -> None:
    """Refuse readers that the policy has no use for, or whose rights nobody knows; without a reader, a
    database that cannot be had."""
    if named and not rules.depends_on_reader:
        raise InputError(
            f"reader '{named[0]}': this policy makes no difference between readers; {steps_for_readers()}"
        )
    for step in rules.protect:
        if step.plugin.readers is not None:
            step.plugin.readers(step.options, named)


def ledger_path(given: Path | None, rules: Policy, *, writing: bool) -> Path | None:
    """The ledger of a run: the one given, the policy's, the usual one where releases are written."""
    from_policy = Path(rules.ledger) if rules.ledger else None
    return given or from_policy or (LEDGER if writing else None)


def key_beside(ledger: Path | None) -> Path | None:
    """Where a ledger's key is kept when nobody says otherwise."""
    return ledger.parent / "key" if ledger else None


def secret(ledger: Path | None, key_file: Path | None) -> tuple[Path, ...]:
    """The files that must never be released: a ledger, its key, those of before, and one that is to be."""
    folders = {ledger.parent, real(ledger).parent} if ledger else set[Path]()
    beside = [folder / name for folder in folders for name in ("key", NEW_KEY)]
    former = [path for folder in folders for path in folder.glob("key.old*")]
    given = (path for path in (key_file, ledger, *beside, *former) if path is not None)
    return tuple({real(path): path for path in given}.values())


def find_key(ledger: Path | None, key_file: Path | None) -> Key | None:
    """The key in a file, in the environment, or beside the ledger."""
    if key_file:
        return keys.read(key_file)
    beside = key_beside(ledger)
    given = keys.from_environment()
    if given is not None or beside is None:
        return given
    _refuse_folder_of_others(beside.parent)
    return keys.read(beside, named=False) if beside.is_file() else None


def _refuse_folder_of_others(folder: Path) -> None:
    """Nobody names the usual folder: it may be one that others have put where we work."""
    if folder != LEDGER.parent or not os.path.lexists(folder):
        return
    found = folder.lstat()
    if stat.S_ISLNK(found.st_mode):
        raise SecretError(f"{folder}: is a link; name the ledger itself with --ledger")
    if why := distrusted(folder, found):
        raise SecretError(f"{folder}: the key and ledger in it are not used: {why}")


def need_key(ledger: Path | None, key_file: Path | None) -> Key:
    """The key, or a line that says where it is looked for."""
    found = find_key(ledger or LEDGER, key_file)
    if found is None and ledger is not None and not ledger.exists():
        raise LedgerError.at(ledger, "no such ledger")
    if found is None:
        raise InputError("no key: give --key-file, set $SFUMATO_KEY, or put it beside the ledger")
    return found


def key_for(ledger: Path | None, key_file: Path | None) -> tuple[Key, bool]:
    """The key of a run, and whether it is a new one that was written beside its ledger. What is only shown
    has the key that it would be written with, or one that is gone afterwards where there is none yet."""
    found = find_key(ledger or LEDGER, key_file)
    beside = key_beside(ledger)
    if found is not None or ledger is None or beside is None:
        return found or keys.new(), False
    if ledger.exists() and not beside.is_file():  # else another first run has just made both
        raise InputError(
            f"{ledger}: exists, but its key was not given; use --key-file or $SFUMATO_KEY"
        )
    os.close(schema.hold_folder(ledger))
    made = keys.new()
    try:
        keys.write(made, beside)
    except SecretError:
        if not beside.is_file():
            raise
        return keys.read(beside, named=False), False
    return made, True


def entry(
    ledger: Path,
    key: Key,
    data: bytes,
    release: Path,
    name: str | None = None,
    cert: Path | None = None,
    *,
    renamed: bool = False,
) -> Entry:
    """What the ledger has about a release: the entry that its certificate (`cert`, else the one beside it) is
    about, where it has one. It must be the one that was written to the release's place or has moved from
    there, or that of the document's name or of the certificate where that is given, unless it may be
    `renamed`."""
    beside = cert or certificate_path(release)
    with Ledger(key, ledger, read_only=True) as opened:
        made = certificate.read(beside)
        if cert is not None and made is None:
            raise InputError.at(cert, "no such file")
        alike = opened.find(data)
        maker = opened.maker(made) if made is not None else None
    input_hash, digest = (made.input, made.policy) if made is not None else (None, None)
    found = targets.one_of(alike, name, input_hash, digest, release)  # refuses what is not its own
    genuine = made is not None and maker is not None and bool(made.is_about(data, maker))
    told = cert is not None
    if made is not None and not (genuine and renamed):
        targets.refuse_another(release, found, alike, name, beside, genuine=genuine, told=told)
    if not renamed:
        named = found.record.name if genuine and told else name
        targets.refuse_elsewhere(release, data, found, name=named, genuine=genuine)
    return found


def certified_policy(name: str | None, found: Entry | None, made: Certificate) -> Policy | None:
    """The policy to check by: the one given, the ledger's, or the profile with the certified hash."""
    if name is not None:
        return policy.load(name)
    if found is not None:
        return policy.parse(found.policy, where="the ledger's policy")
    candidates = (policy.load(profile) for profile in policy.profiles())
    return next((p for p in candidates if p.digest == made.policy), None)
