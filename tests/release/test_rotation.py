from __future__ import annotations

import contextlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

import sfumato
from sfumato import Document, keys
from sfumato.errors import GuaranteeError, InputError, LedgerError, SecretError
from sfumato.keys import Key
from sfumato.release.ledger import Ledger
from sfumato.release.rotation import rotate

TEXT = "Dr. Amina Yusuf wrote to Ann Lee (ann.lee@example.org) on 12 May 2031.\n"


@pytest.fixture
def ledger(inside: Path, key: Key) -> Path:
    path = inside / "kept" / "ledger.db"
    with Ledger(key, path) as opened:
        for policy in ("default", "research"):
            release = sfumato.sanitize(Document(TEXT, "a.txt"), policy, ledger=opened)
            (inside / policy).write_bytes(release.data)
    keys.write(key, path.parent / "key")
    return path


def tables(path: Path) -> dict[str, list[tuple[bytes, ...]]]:
    with closing(sqlite3.connect(path)) as database:
        names = ("meta", "vault", "releases")
        return {name: database.execute(f"SELECT * FROM {name}").fetchall() for name in names}


def test_everything_is_sealed_and_hashed_anew(ledger: Path, key: Key) -> None:
    before, raw = tables(ledger), ledger.read_bytes()
    rotate(ledger, None, None)
    after = tables(ledger)
    for name in ("vault", "releases"):
        assert len(before[name]) == len(after[name]) > 0
        assert not {v for row in before[name] for v in row} & {
            v for row in after[name] for v in row
        }
    everything = b"".join(p.read_bytes() for p in ledger.parent.glob("ledger*"))
    for row in (*before["vault"], *before["releases"]):
        assert row[-1] in raw or len(row[-1]) > 4000  # long ones are spread over pages
        assert not any(value in everything for value in row)
    with pytest.raises(SecretError, match="does not open the ledger"):
        Ledger(key, ledger)


def test_releases_of_before_are_restored_and_surrogates_stay(ledger: Path, inside: Path) -> None:
    for _ in range(3):  # each key wraps the hashes of the ones before
        done = rotate(ledger, None, None)
        with Ledger(keys.read(done.new), ledger) as opened:
            for policy in ("default", "research"):
                assert sfumato.restore((inside / policy).read_bytes(), opened) == TEXT.encode()
            again = sfumato.sanitize(
                Document("Ann Lee was well.\n", "b.txt"), "research", ledger=opened
            )
            name = again.text.removesuffix(" was well.\n")
            assert name in (inside / "research").read_text()
            assert again.certificate.is_signed_by(keys.read(done.new).public)
            assert sfumato.restore(again.data, opened) == b"Ann Lee was well.\n"


def test_the_key_beside_the_ledger_is_replaced_and_the_former_one_kept(
    ledger: Path, key: Key
) -> None:
    done = rotate(ledger, None, None)
    assert done.new == ledger.parent / "key"
    assert done.former == ledger.parent / "key.old"
    assert keys.read(done.former).hex() == key.hex() != keys.read(done.new).hex()
    assert rotate(ledger, None, None).former == ledger.parent / "key.old.2"
    assert not (ledger.parent / "key.new").exists()


def test_a_key_from_elsewhere_asks_for_a_place_and_nothing_is_moved(
    ledger: Path, inside: Path, key: Key
) -> None:
    mine = inside / "mine"
    (ledger.parent / "key").rename(mine)
    with pytest.raises(InputError, match="say where the new key goes"):
        rotate(ledger, mine, None)
    with pytest.raises(InputError, match="is the key that the ledger has"):
        rotate(ledger, mine, mine)
    done = rotate(ledger, mine, inside / "next")
    assert (done.new, done.former) == (inside / "next", None)
    assert keys.read(mine).hex() == key.hex()
    Ledger(keys.read(inside / "next"), ledger).close()


@pytest.mark.parametrize("moment", ["after", "between"])
def test_an_interrupted_change_is_finished(ledger: Path, key: Key, moment: str) -> None:
    """After the ledger is written; after the former key was copied, before the new one takes its place."""
    beside, new = ledger.parent / "key", ledger.parent / "key.new"
    keys.write(keys.new(), new)
    with Ledger(key, ledger) as opened:
        opened.rotate(keys.read(new))
    with pytest.raises(SecretError, match="interrupted; finish it with: sfumato key rotate"):
        Ledger(key, ledger)
    if moment == "between":
        keys.write(key, ledger.parent / "key.old")
    expected = keys.read(new).hex()
    rotate(ledger, None, None)
    assert keys.read(beside).hex() == expected
    assert keys.read(ledger.parent / "key.old").hex() == key.hex()
    assert {p.name for p in ledger.parent.glob("key*")} == {"key", "key.old"}
    Ledger(keys.read(beside), ledger).close()


def test_a_change_that_was_interrupted_before_the_ledger_was_written_begins_anew(
    ledger: Path,
) -> None:
    keys.write(left := keys.new(), ledger.parent / "key.new")
    done = rotate(ledger, None, None)
    assert keys.read(done.new).hex() != left.hex()
    Ledger(keys.read(done.new), ledger).close()


def test_a_finished_change_leaves_no_row_of_the_former_key(
    ledger: Path, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted after the ledger was written, before what stood there was removed."""
    before = tables(ledger)
    keys.write(keys.new(), ledger.parent / "key.new")
    with Ledger(key, ledger) as opened, monkeypatch.context() as patch:
        patch.setattr(Ledger, "clean", lambda _: None)
        opened.rotate(keys.read(ledger.parent / "key.new"))
        opened._db.execute("PRAGMA wal_checkpoint(PASSIVE)")
    rotate(ledger, None, None)
    everything = b"".join(p.read_bytes() for p in ledger.parent.glob("ledger*"))
    for row in (*before["vault"], *before["releases"]):
        assert not any(value in everything for value in row)


def test_a_change_that_was_interrupted_at_its_very_end_is_over(ledger: Path) -> None:
    """The new key has taken its place, and its first copy was not removed."""
    rotate(ledger, None, None)
    shutil.copy(ledger.parent / "key", ledger.parent / "key.new")
    done = rotate(ledger, None, None)
    assert done.former == ledger.parent / "key.old.2"
    Ledger(keys.read(done.new), ledger).close()


@pytest.mark.parametrize("kept", [False, True])
def test_a_change_to_a_named_file_is_finished(
    ledger: Path, inside: Path, key: Key, kept: bool
) -> None:
    keys.write(keys.new(), inside / "next")
    with Ledger(key, ledger) as opened:
        opened.rotate(keys.read(inside / "next"))
    if kept:
        keys.write(key, ledger.parent / "key.old")
    done = rotate(ledger, None, inside / "next")
    assert (done.new, done.former) == (inside / "next", ledger.parent / "key.old")
    assert {p.name for p in ledger.parent.glob("key*")} == {"key.old"}


def test_a_change_that_fails_leaves_everything_as_it_was(ledger: Path, key: Key) -> None:
    with closing(sqlite3.connect(ledger)) as database, database:
        one = "release = (SELECT max(release) FROM releases)"
        database.execute(f"UPDATE releases SET sealed = x'00' WHERE {one}")
    before = tables(ledger)
    with pytest.raises(LedgerError, match="take a copy from before"):
        rotate(ledger, None, None)
    assert tables(ledger) == before
    assert keys.read(ledger.parent / "key").hex() == key.hex()
    Ledger(key, ledger).close()


def test_whoever_has_the_ledger_open_does_not_go_on_under_the_former_key(
    ledger: Path, key: Key
) -> None:
    with Ledger(key, ledger) as open_still, Ledger(key, ledger, read_only=True) as reading:
        rotate(ledger, None, None)
        with pytest.raises(SecretError, match="does not open the ledger"):
            open_still.allocate("PERSON", "Somebody New", lambda n: f"x{n}")
        with pytest.raises(SecretError, match="does not open the ledger"):
            sfumato.sanitize("Ask eve@example.org", ledger=open_still)
        assert reading.path == ledger


def test_a_copy_from_before_opens_with_the_former_key_alone(ledger: Path, inside: Path) -> None:
    copy = Path(shutil.copy(ledger, inside / "copy.db"))
    done = rotate(ledger, None, None)
    assert done.former is not None
    with Ledger(keys.read(done.former), copy, read_only=True) as opened:
        assert sfumato.restore((inside / "default").read_bytes(), opened) == TEXT.encode()
    with pytest.raises(SecretError):
        Ledger(keys.read(done.new), copy)


def test_a_release_of_a_former_key_must_still_fit_its_hash(ledger: Path, inside: Path) -> None:
    done = rotate(ledger, None, None)
    with Ledger(keys.read(done.new), ledger) as opened:
        entry = opened.find_one((inside / "default").read_bytes())
        assert entry.key is not None
        assert entry.key.input_hash(TEXT.encode()) == entry.certificate.input
        with pytest.raises(GuaranteeError):
            opened.find_one((inside / "default").read_bytes(), input_hash="hmac-sha256:00")


ROTATE = """
from pathlib import Path
from sfumato.release.rotation import rotate
print("ready", flush=True)
rotate(Path("kept/ledger.db"), None, None)
"""


@pytest.mark.slow  # test_an_interrupted_change_is_finished has the moments one by one
def test_killed_at_any_moment_the_ledger_opens_with_one_of_the_keys(
    ledger: Path, inside: Path, key: Key
) -> None:
    with Ledger(key, ledger) as opened:
        for number in range(2_000):
            opened.allocate("PERSON", f"original {number}", f"surrogate {number} {{}}".format)
    draw = random.Random(7)
    for _ in range(15):
        with subprocess.Popen([sys.executable, "-c", ROTATE], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(draw.random() * 0.8)
            process.send_signal(signal.SIGKILL)
        with contextlib.suppress(InputError):  # there is nothing to finish
            rotate(ledger, None, None)
        with Ledger(keys.read(ledger.parent / "key"), ledger) as opened:
            assert sfumato.restore((inside / "research").read_bytes(), opened) == TEXT.encode()
            assert opened.allocate("PERSON", "original 1999", lambda n: "") == "surrogate 1999 0"
