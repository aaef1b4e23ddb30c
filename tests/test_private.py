"""Folders that are held: what was judged is what is used, whoever exchanges names meanwhile."""

from __future__ import annotations

import gc
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import sfumato
from sfumato import files, folders, private
from sfumato.errors import InputError
from sfumato.keys import Key
from sfumato.release.ledger import Ledger
from tests.attacks.test_planted_key import journal

linux = pytest.mark.skipif(sys.platform != "linux", reason="names of descriptors are Linux's")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of ours with a database, and another one with a journal that deletes what we have."""
    (tmp_path / "thesis.txt").write_text("mine")
    for name in ("ours", "theirs"):
        (tmp_path / name).mkdir(mode=0o700)
        with closing(sqlite3.connect(tmp_path / name / "a.db")) as made:
            made.execute("CREATE TABLE t (x)")
            made.execute("INSERT INTO t VALUES (?)", (name,))
            made.commit()
    theirs = tmp_path / "theirs" / "a.db-journal"
    theirs.write_bytes(journal(2, tmp_path / "thesis.txt"))
    return tmp_path / "ours"


def exchange(folder: Path) -> None:
    folder.rename(folder.with_name("was ours"))
    folder.with_name("theirs").rename(folder)


@linux
@pytest.mark.parametrize("when", ["before it is opened", "before it is read"])
@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_a_database_is_that_of_the_folder_which_was_judged(
    folder: Path, when: str, mode: str
) -> None:
    held = private.hold(folder)
    if when == "before it is opened":
        exchange(folder)
    database = private.connect(held, folder / "a.db", isolation_level=None)
    if when == "before it is read":
        exchange(folder)
    assert database.execute("SELECT x FROM t").fetchall() == [("ours",)]
    database.execute(f"PRAGMA journal_mode = {mode}")
    database.execute("BEGIN")
    database.execute("INSERT INTO t VALUES ('more')")
    beside = {"DELETE": "a.db-journal", "WAL": "a.db-wal"}[mode]
    assert (folder.with_name("was ours") / beside).stat().st_size >= 0
    database.execute("COMMIT")
    database.execute("VACUUM")
    database.close()
    assert {path.name for path in folder.iterdir()} == {"a.db", "a.db-journal"}
    assert [path.name for path in folder.with_name("was ours").iterdir()] == ["a.db"]
    assert (folder.parent / "thesis.txt").read_text() == "mine"


@linux
def test_a_database_of_a_descriptor_is_shared_with_those_who_open_it_by_name(folder: Path) -> None:
    one = private.connect(private.hold(folder), folder / "a.db", isolation_level=None, timeout=0)
    one.execute("PRAGMA journal_mode = WAL")
    with closing(sqlite3.connect(folder / "a.db", isolation_level=None, timeout=0)) as other:
        other.execute("INSERT INTO t VALUES (2)")
        assert one.execute("SELECT count(*) FROM t").fetchone() == (2,)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            one.execute("BEGIN IMMEDIATE")
    one.close()


@linux
def test_a_descriptor_goes_with_its_database(folder: Path, key: Key) -> None:
    def opened() -> int:
        gc.collect()
        return len(os.listdir("/proc/self/fd"))  # noqa: PTH208

    def left_open() -> None:
        private.connect(private.hold(folder), folder / "a.db").execute("SELECT 1")

    def refused() -> None:
        folder.joinpath("b.db").mkdir(exist_ok=True)
        with pytest.raises(InputError, match="not a cache file"):
            private.connect(private.hold(folder), folder / "b.db")

    def closed() -> None:
        Ledger(key, folder / "ledger.db").close()

    acts: list[Callable[[], None]] = [closed, left_open, refused]
    for act in acts:
        act()
        before = opened()
        for _ in range(5):
            act()
        assert opened() == before


@pytest.mark.parametrize("name", ["sfumato", "tables"])
@pytest.mark.parametrize("way", ["link", "0o770", "0o702", "another user's"])
def test_no_folder_on_the_way_is_another_users(tmp_path: Path, name: str, way: str) -> None:
    place = tmp_path / "sfumato" / "tables"
    place.mkdir(parents=True, mode=0o700)
    (tmp_path / "sfumato").chmod(0o700)
    os.close(private.hold(tmp_path, "sfumato", "tables"))
    harmed = place if name == "tables" else place.parent
    if way == "link":
        harmed.symlink_to(harmed.rename(tmp_path / "moved"))
        with pytest.raises(OSError, match="Not a directory"):
            private.hold(tmp_path, "sfumato", "tables", make=True)
        return
    if way == "another user's":
        if os.geteuid() != 0:
            pytest.skip("only root gives folders away")
        os.chown(harmed, 12001, 12001)
    else:
        harmed.chmod(int(way, 8))
    if name == "sfumato":
        place.rmdir()
    with pytest.raises(InputError, match=rf"{name}: a cache in it is not used"):
        private.hold(tmp_path, "sfumato", "tables", make=True)
    assert name == "tables" or not place.exists()  # nothing is made in it


def test_where_descriptors_have_no_names_an_exchange_is_noticed_once_it_is_open(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private, "_DESCRIPTORS", folder / "nowhere")
    private.connect(private.hold(folder), folder / "a.db").close()
    held = private.hold(folder)
    exchange(folder)
    with pytest.raises(InputError, match="another folder has taken its place"):
        private.connect(held, folder / "a.db")
    assert (folder.parent / "thesis.txt").read_text() == "mine"


@linux
def test_a_ledger_stays_where_it_was_when_others_take_its_name(tmp_path: Path, key: Key) -> None:
    path = tmp_path / "kept" / "a ledger?%41.db"
    with Ledger(key, path) as ledger:
        path.parent.rename(tmp_path / "moved")
        path.parent.mkdir(mode=0o777)
        path.touch()
        text = sfumato.sanitize("Ask ann@example.org", ledger=ledger).text
    assert path.read_bytes() == b""
    with Ledger(key, tmp_path / "moved" / path.name, read_only=True) as again:
        assert sfumato.restore(text, again) == "Ask ann@example.org"


@linux
def test_who_opens_ledgers_while_folders_are_exchanged_uses_no_other_one(
    folder: Path, key: Key
) -> None:
    """Hundreds of openings, while somebody changes the names of two folders as fast as he can."""
    Ledger(key, folder / "ledger.db").close()
    theirs = folder.with_name("theirs")
    (theirs / "a.db").rename(theirs / "ledger.db")
    (theirs / "a.db-journal").rename(theirs / "ledger.db-journal")
    theirs.chmod(0o777)
    flip = (
        "import ctypes, sys; rename = ctypes.CDLL(None).renameat2; a, b = map(str.encode, sys.argv[1:])\n"
        "while True: rename(-100, a, -100, b, 2)"
    )
    other = subprocess.Popen([sys.executable, "-c", flip, str(folder), str(theirs)])
    said = set()
    try:
        for _ in range(300):
            try:
                Ledger(key, folder / "ledger.db").close()
            except sfumato.LedgerError as error:
                said.add(str(error).partition(";")[0])
    finally:
        other.kill()
        other.wait()
    assert said <= {f"{folder}: a ledger in it is not used: others may change it"}
    assert (folder.parent / "thesis.txt").read_text() == "mine"


def test_the_log_of_a_database_outlives_the_connection_that_named_it(tmp_path: Path) -> None:
    paths = [tmp_path / name / "data.db" for name in ("one", "other")]
    for path in paths:
        path.parent.mkdir(mode=0o700)

    def opened(path: Path) -> private.HeldDatabase:
        made = private.connect(private.hold(path.parent), path, make=True)
        made.execute("PRAGMA journal_mode = WAL")
        made.execute("CREATE TABLE IF NOT EXISTS t (x)")
        return made

    first, second = opened(paths[0]), opened(paths[0])
    assert first.held == second.held
    first.close()
    other = opened(paths[1])  # which a descriptor that was let go would be given to
    second.close()
    assert sorted(p.name for p in paths[0].parent.iterdir()) == ["data.db"]
    assert (tmp_path / "other" / "data.db-shm").exists()
    other.close()


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="the system does not tell of locks")
@pytest.mark.parametrize("ending", ["", "-wal", "-shm"])
@pytest.mark.parametrize("linked", [False, True])
def test_a_database_that_is_open_is_read_by_nobody_else(
    tmp_path: Path, ending: str, linked: bool
) -> None:
    """Whoever closed the file would take the locks away that SQLite has on it."""

    def locks() -> int:
        return Path("/proc/locks").read_text().count(f" {os.getpid()} ")

    tmp_path.chmod(0o700)
    path = tmp_path / "l.db"
    opened = private.connect(private.hold(tmp_path), path, make=True)
    opened.execute("PRAGMA journal_mode = WAL")
    opened.execute("CREATE TABLE t (a)")
    opened.execute("BEGIN IMMEDIATE")
    opened.execute("INSERT INTO t VALUES (1)")
    before = locks()
    named = tmp_path / f"l.db{ending}"
    if linked:
        (tmp_path / "other").symlink_to(named)
        named = tmp_path / "other"
    with pytest.raises(OSError, match="in use"):
        files.contents(named, 1 << 30)
    with pytest.raises(OSError, match="in use"), files.plain(named):
        pass
    assert locks() == before > 0
    (tmp_path / "text").write_text("words")
    assert files.contents(tmp_path / "text", 9) == b"words"
    within = folders.Root.at(tmp_path)
    assert files.contents(tmp_path / "text", 9, within=within) == b"words"
    (tmp_path / "link").symlink_to("text")
    assert files.contents(tmp_path / "link", 9) == b"words"
    with pytest.raises(OSError, match="symbolic links"):
        files.contents(tmp_path / "link", 9, within=within)
    opened.execute("COMMIT")
    opened.close()
    assert files.contents(path, 1 << 30)
