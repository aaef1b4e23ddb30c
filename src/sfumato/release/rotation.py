"""Another key for a ledger. Wherever it is interrupted, one of the two keys opens the ledger."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from pathlib import Path

from sfumato import keys
from sfumato.errors import InputError, SecretError
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
    place = new or beside.with_name(NEW_KEY)
    old = access.find_key(ledger, key_file)
    if old is not None and place.is_file() and keys.read(place).hex() == old.hex():
        raise InputError(f"{place}: is the key that the ledger has; name a file for another")
    if not (place.is_file() and _opens(keys.read(place), ledger)):  # else it was interrupted here
        old = access.need_key(ledger, key_file)
        with Ledger(old, ledger, create=False) as opened:
            if not place.exists():
                keys.write(keys.new(), place)
            opened.rotate(keys.read(place))
    former = None
    if is_beside and beside.is_file():
        former = _free(beside)
        beside.rename(former)
    if new is None:
        place = place.rename(beside)
    return Rotation(place, former)


def _opens(key: Key, ledger: Path) -> bool:
    try:
        Ledger(key, ledger, read_only=True).close()
    except SecretError:
        return False
    return True


def _free(beside: Path) -> Path:
    """A name that is not taken: key.old, key.old.2, …"""
    names = (f"{beside.name}.old" + (f".{n}" if n > 1 else "") for n in count(1))
    return next(path for path in map(beside.with_name, names) if not path.exists())
