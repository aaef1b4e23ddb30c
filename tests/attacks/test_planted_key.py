"""Somebody who can write beside a ledger, but does not have its key, plants files there: no key of his ever
takes the place of the ledger's."""

from __future__ import annotations

import ctypes
import os
import shutil
import struct
import sys
from pathlib import Path

import pytest

import sfumato
from sfumato import keys
from sfumato.errors import InputError, LedgerError, SecretError
from sfumato.keys import Key
from sfumato.release import access
from sfumato.release.ledger import Ledger
from sfumato.release.rotation import rotate

_JOURNAL = bytes.fromhex("d9d505f920a163d7")  # how a rollback journal of SQLite begins
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


@pytest.mark.parametrize("way", ["a link", "readable by all", "a link to nothing"])
def test_a_key_that_others_may_know_is_not_taken_for_a_new_one(
    ledger: Path, inside: Path, key: Key, way: str
) -> None:
    place = public = inside / "new.key"
    if way.startswith("a link"):
        public = inside / "public"
        place.symlink_to(public)
    if way != "a link to nothing":
        keys.write(MINE, public)
    if way == "readable by all":
        public.chmod(0o644)
    with pytest.raises((SecretError, InputError)):
        rotate(ledger, None, place)
    Ledger(key, ledger).close()


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


def journal(pages: int, names: Path) -> bytes:
    """A journal that is to be played back: it cuts the database to so many pages, then deletes a file."""
    name, page = str(names).encode(), 4096
    head = (_JOURNAL + struct.pack(">5I", 0, 0, pages, 512, page)).ljust(512, b"\0")
    lock = struct.pack(">I", 0x40000000 // page + 1)
    return head + lock + name + struct.pack(">2I", len(name), sum(name)) + _JOURNAL


@pytest.mark.parametrize("pages", [0, 1, 20])
@pytest.mark.parametrize("read_only", [True, False])
def test_a_planted_journal_is_not_played_back(
    ledger: Path, inside: Path, key: Key, pages: int, read_only: bool
) -> None:
    """SQLite would empty the ledger by it, and delete whatever file it names."""
    mine = inside / "thesis.txt"
    mine.write_text("mine")
    before = ledger.read_bytes()
    planted = ledger.with_name("ledger.db-journal")
    planted.write_bytes(journal(pages, mine))
    with pytest.raises(LedgerError, match=r"ledger.db-journal: is no part of the ledger"):
        Ledger(key, ledger, read_only=read_only)
    assert (mine.read_text(), ledger.read_bytes()) == ("mine", before)
    planted.unlink()
    Ledger(key, ledger, read_only=read_only).close()


def test_a_journal_beside_the_file_that_a_link_leads_to_is_not_played_back(
    ledger: Path, inside: Path, key: Key
) -> None:
    (inside / "thesis.txt").write_text("mine")
    (inside / "link.db").symlink_to(ledger)
    ledger.with_name("ledger.db-journal").write_bytes(journal(20, inside / "thesis.txt"))
    for read_only in (True, False):
        with pytest.raises(LedgerError, match="db-journal: is no part of the ledger"):
            Ledger(key, inside / "link.db", read_only=read_only)
    ledger.with_name("ledger.db-journal").unlink()
    ledger.parent.chmod(0o777)
    with pytest.raises(LedgerError, match="kept: a ledger in it is not used"):
        Ledger(key, inside / "link.db")
    ledger.parent.chmod(0o700)
    with Ledger(key, ledger) as opened:  # what it has not written to the file yet is read
        sfumato.sanitize("Ask bob@example.org", ledger=opened)
        with Ledger(key, inside / "link.db", read_only=True) as again:
            assert sfumato.restore("Ask [EMAIL 1]", again) == "Ask bob@example.org"


def test_a_journal_beside_a_ledger_that_is_not_yet_there_does_nothing(
    inside: Path, key: Key
) -> None:
    (inside / "thesis.txt").write_text("mine")
    (inside / "l.db-journal").write_bytes(journal(0, inside / "thesis.txt"))
    Ledger(key, inside / "l.db").close()
    Ledger(key, inside / "l.db").close()
    assert (inside / "thesis.txt").read_text() == "mine"


@pytest.mark.parametrize("ending", ["-wal", "-shm"])
@pytest.mark.parametrize("way", ["link", "others"])
def test_a_log_that_is_a_link_or_that_others_may_write_is_not_used(
    ledger: Path, inside: Path, key: Key, ending: str, way: str
) -> None:
    mine, planted = inside / "thesis.txt", ledger.with_name(f"ledger.db{ending}")
    mine.write_text("mine")
    if way == "link":
        planted.symlink_to(mine)
    else:
        planted.write_bytes(b"")
        planted.chmod(0o666)
    with pytest.raises(LedgerError, match="is no part of the ledger"):
        Ledger(key, ledger)
    assert mine.read_text() == "mine"


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o770])
def test_a_ledger_in_a_folder_that_others_may_write_to_is_not_used(
    ledger: Path, key: Key, mode: int
) -> None:
    ledger.parent.chmod(mode)
    for path in (ledger, ledger.with_name("new.db")):
        with pytest.raises(LedgerError, match=r"kept: a ledger in it is not used: others may"):
            Ledger(key, path)
    ledger.with_name("key").unlink()
    with pytest.raises(LedgerError, match="a ledger in it is not used"):
        access.key_for(ledger.with_name("new.db"), None)
    assert {path.name for path in ledger.parent.iterdir()} == {"key.old", "ledger.db"}


@pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel which files were made")
def test_no_journal_is_written_even_at_first(inside: Path, key: Key) -> None:
    """One of a run that was killed while it made the ledger would be taken for a planted one."""
    kernel = ctypes.CDLL(None)
    made = kernel.inotify_init1(os.O_NONBLOCK)
    try:
        kernel.inotify_add_watch(made, bytes(inside), 0x100)
        Ledger(key, inside / "l.db").close()
        told = os.read(made, 1 << 16)
    finally:
        os.close(made)
    assert b"l.db-wal" in told
    assert b"l.db-journal" not in told
