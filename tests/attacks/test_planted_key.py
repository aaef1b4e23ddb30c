"""Somebody who can write beside a ledger, but does not have its key, plants files there: no key of his ever
takes the place of the ledger's."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import sfumato
from sfumato import keys
from sfumato.errors import InputError, SecretError
from sfumato.keys import Key
from sfumato.release.ledger import Ledger
from sfumato.release.rotation import rotate

MINE, FORMER = Key(b"\x11" * 32), Key(b"\x22" * 32)


@pytest.fixture
def ledger(inside: Path, key: Key) -> Path:
    """A ledger that has had another key, which has become known."""
    path = inside / "kept" / "ledger.db"
    with Ledger(FORMER, path) as opened:
        sfumato.sanitize("Ask ann@example.org", "research", ledger=opened)
    shutil.copy(path, inside / "earlier.db")
    with Ledger(FORMER, path) as opened:
        opened.rotate(key)
    keys.write(key, path.parent / "key")
    keys.write(FORMER, path.parent / "key.old")
    return path


@pytest.mark.parametrize("mine", [MINE, FORMER])
@pytest.mark.parametrize("way", ["plain", "readable by all", "link", "link to nothing"])
def test_a_planted_key_is_not_used(
    ledger: Path, inside: Path, key: Key, way: str, mine: Key
) -> None:
    place, elsewhere = ledger.parent / "key.new", inside / "mine"
    if way.startswith("link"):
        place.symlink_to(elsewhere)
    if way != "link to nothing":
        keys.write(mine, elsewhere if way == "link" else place)
    if way == "readable by all":
        place.chmod(0o644)
    done = rotate(ledger, None, None)
    new = keys.read(done.new)
    assert new.hex() not in (MINE.hex(), FORMER.hex(), key.hex())
    assert done.new.stat().st_mode & 0o777 == 0o600
    assert not done.new.is_symlink()
    Ledger(new, ledger).close()
    with pytest.raises(SecretError):
        Ledger(mine, ledger)
    if way == "link":
        assert keys.read(elsewhere).hex() == mine.hex()
    assert not (way == "link to nothing" and elsewhere.exists())


@pytest.mark.parametrize("has_key", [True, False])
@pytest.mark.parametrize("which", ["made up", "earlier", "earlier under another key"])
def test_a_ledger_that_was_planted_with_its_key_is_refused(
    ledger: Path, inside: Path, key: Key, which: str, has_key: bool
) -> None:
    mine = FORMER if which == "earlier" else MINE
    ledger.unlink()
    if which == "made up":
        Ledger(mine, ledger).close()
    else:
        shutil.copy(inside / "earlier.db", ledger)
        if mine is MINE:
            with Ledger(FORMER, ledger) as opened:
                opened.rotate(MINE)
    keys.write(mine, ledger.parent / "key.new")
    if not has_key:
        (ledger.parent / "key").unlink()
    with pytest.raises(InputError, match=r"has not taken the place of the key beside it; somebody"):
        rotate(ledger, None, None)
    assert not has_key or keys.read(ledger.parent / "key").hex() == key.hex()


def test_something_else_in_the_place_of_the_new_key_is_refused_in_words(
    ledger: Path, key: Key
) -> None:
    (ledger.parent / "key.new").mkdir()
    with pytest.raises(InputError, match=r"key\.new: .*; nothing is lost"):
        rotate(ledger, None, None)
    Ledger(key, ledger).close()


def test_a_planted_copy_of_the_former_key_is_never_written_through(
    ledger: Path, inside: Path, key: Key
) -> None:
    (ledger.parent / "key.old.2").symlink_to(inside / "leak")
    assert rotate(ledger, None, None).former == ledger.parent / "key.old.3"
    assert not (inside / "leak").exists()


def planted(place: Path, inside: Path) -> None:
    (inside / "mine").unlink(missing_ok=True)
    keys.write(MINE, inside / "mine")
    (inside / "mine").replace(place)


def test_a_key_that_is_planted_while_the_new_one_is_made_is_not_used(
    ledger: Path, inside: Path, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow() -> Key:
        planted(ledger.parent / "key.new", inside)
        return Key(b"\x33" * 32)

    monkeypatch.setattr(keys, "new", slow)
    with pytest.raises(SecretError, match="never overwritten"):
        rotate(ledger, None, None)
    Ledger(key, ledger).close()


def test_a_key_that_is_exchanged_while_the_ledger_is_sealed_takes_no_place(
    ledger: Path, inside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seal = Ledger.rotate

    def slow(opened: Ledger, made: Key) -> None:
        seal(opened, made)
        planted(ledger.parent / "key.new", inside)

    monkeypatch.setattr(Ledger, "rotate", slow)
    done = rotate(ledger, None, None)
    assert keys.read(done.new).hex() != MINE.hex()
    Ledger(keys.read(done.new), ledger).close()
    assert not (ledger.parent / "key.new").exists()
