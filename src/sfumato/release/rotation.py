"""Another key for a ledger. Wherever it is interrupted, one of the two keys opens the ledger."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from sfumato import keys
from sfumato.errors import InputError, LedgerError, SecretError
from sfumato.files import PRIVATE, write_file
from sfumato.folders import alone, sweep
from sfumato.keys import Key
from sfumato.release import access
from sfumato.release.ledger import NEW_KEY, Ledger


@dataclass(frozen=True, slots=True)
class Rotation:
    """Where the new key is, and where the former one, if it was beside the ledger."""

    new: Path
    former: Path | None


def rotate(ledger: Path, key_file: Path | None, new: Path | None) -> Rotation:
    """Seal a ledger anew under the key in the file `new`, which is made if it is not there. Without it, the
    new key takes the place of the one beside the ledger."""
    beside = access.key_beside(ledger)
    assert beside is not None
    is_beside = key_file is None and keys.from_environment() is None
    if new is None and not is_beside:
        raise InputError("say where the new key goes: sfumato key rotate NEW_KEY_FILE")
    if not ledger.exists():
        raise LedgerError.at(ledger, "no such ledger")
    place = new or beside.with_name(NEW_KEY)
    try:
        sweep(beside.parent)
        with alone(beside.parent):
            made = _finished(ledger, key_file, new, place)
            made = made or _changed(ledger, access.need_key(ledger, key_file), new, place)
            former = _keep(beside) if is_beside and beside.is_file() else None
            if new is None:  # from memory: what stands at `place` may have been exchanged
                write_file(beside, keys.to_line(made), mode=PRIVATE)
                place.unlink(missing_ok=True)
            elif former is not None:
                beside.unlink()
    except OSError as error:
        raise InputError(
            f"{error.filename}: {error.strerror}; nothing is lost, run it again"
        ) from None
    return Rotation(new or beside, former)


def _finished(ledger: Path, key_file: Path | None, new: Path | None, place: Path) -> Key | None:
    """The new key, if the ledger is under it already because a change was interrupted after that."""
    if not place.is_file():
        return None
    old, made = access.find_key(ledger, key_file), _there(new, place)
    if old is not None and made.hex() == old.hex():
        if new is not None:
            raise InputError(f"{new}: is the key that the ledger has; name a file for another")
        return None  # all was done but for removing it
    try:
        with Ledger(made, ledger, read_only=True) as opened:
            if new is None and (old is None or not opened.follows(old)):
                raise InputError(
                    f"{ledger}: opens with {place}, which has not taken the place of the key beside it; "
                    "somebody may have put both there. Restore the ledger or its key from a copy"
                )
    except SecretError:
        return None
    with Ledger(made, ledger, create=False) as opened:
        opened.clean()
    return made


def _changed(ledger: Path, old: Key, new: Path | None, place: Path) -> Key:
    """The new key, under which the ledger is now."""
    with Ledger(old, ledger, create=False) as opened:
        if new is not None and place.exists():
            made = _there(new, place)
        else:
            if new is None:
                # What stands there has sealed nothing: it was left by a change that never came about, or
                # put there by somebody who would know the key.
                place.unlink(missing_ok=True)
            made = keys.new()
            keys.write(made, place)
        opened.rotate(made)
    return made


def _there(new: Path | None, place: Path) -> Key:
    """The key that is at a place already. Others may have put one there where it was to be made; one beside
    the ledger counts only if it has sealed that."""
    return keys.read(place, named=new is None)


def _keep(beside: Path) -> Path:
    """A copy of the key beside the ledger: key.old, key.old.2, …"""
    key = keys.read(beside)
    names = (f"{beside.name}.old" + (f".{n}" if n > 1 else "") for n in count(1))
    for copy in map(beside.with_name, names):
        if not os.path.lexists(copy):
            keys.write(key, copy)
            return copy
        if not copy.is_symlink() and copy.read_bytes().strip() == key.hex().encode():
            return copy  # of a change that was interrupted after this
    raise AssertionError("there is always another number")
