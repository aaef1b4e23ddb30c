from __future__ import annotations

import multiprocessing
import shutil
import sqlite3
import stat
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from unittest.mock import patch

import pytest

import sfumato
from sfumato import files, keys, policy
from sfumato.errors import GuaranteeError, LedgerError, SecretError
from sfumato.keys import Key
from sfumato.pipeline import Sanitizer
from sfumato.release.ledger import Ledger

TEXT = "Write to ann.lee@example.org or call +44 20 7946 0958 before 12 May 2031."


def propose_few(attempt: int) -> str:
    return f"name {attempt % 40}"


def fill(path: Path, secret: bytes, offset: int) -> dict[str, str]:
    with Ledger(Key(secret), path) as ledger:
        names = [f"original {(i * 7 + offset) % 40}" for i in range(40)]
        return {name: ledger.allocate("PERSON", name, propose_few) for name in names}


def test_the_same_original_gets_the_same_surrogate_in_any_spelling(key: Key) -> None:
    with Ledger(key) as ledger:
        first = ledger.allocate("PERSON", "Ann-Marie Lee", lambda n: f"x{n}")
        assert ledger.allocate("PERSON", "ANN MARIE  LEE", lambda n: f"y{n}") == first == "x0"
        assert ledger.allocate("LOC", "Ann Marie Lee", lambda n: f"x{n}") == "x1"


def test_two_originals_never_share_a_surrogate_over_parallel_runs(tmp_path: Path, key: Key) -> None:
    path = tmp_path / "ledger.db"
    with ProcessPoolExecutor(4, multiprocessing.get_context("spawn")) as pool:
        maps = list(pool.map(fill, [path] * 4, [bytes(range(32))] * 4, range(4)))
    assert all(m == maps[0] for m in maps)
    assert len(set(maps[0].values())) == 40


def test_when_no_surrogate_is_free_it_is_an_error(
    key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sfumato.release.ledger.ATTEMPTS", 10)
    with Ledger(key) as ledger:
        ledger.allocate("PERSON", "a", lambda n: "same")
        with pytest.raises(LedgerError, match="no free surrogate"):
            ledger.allocate("PERSON", "b", lambda n: "same")


def test_a_release_is_found_by_its_text(tmp_path: Path, key: Key) -> None:
    with Ledger(key, tmp_path / "l.db") as ledger:
        release = sfumato.sanitize(TEXT, ledger=ledger)
        assert sfumato.restore(release.text, ledger) == TEXT
        entry = ledger.find_one(release.text.encode())
        assert entry.record == release.record
        assert policy.parse(entry.policy).digest == release.certificate.policy
        assert entry.certificate == release.certificate
        with pytest.raises(LedgerError, match="not in the ledger"):
            ledger.find_one(b"something else")
    with pytest.raises(LedgerError, match="give the ledger"):
        sfumato.restore(release.text)


def test_documents_with_equal_releases_are_told_apart_by_name(key: Key) -> None:
    with Ledger(key) as ledger:
        for name in ("one", "two"):
            document = sfumato.Document(f"Ask {name}@example.org", name)
            released = sfumato.sanitize(document, ledger=ledger).text
        with pytest.raises(LedgerError, match=r"several documents .* --name"):
            ledger.find_one(released.encode())
        assert ledger.find_one(released.encode(), "two").record.originals == ("two@example.org",)


def test_the_file_holds_no_original_and_opens_with_its_key_alone(tmp_path: Path, key: Key) -> None:
    path = tmp_path / "deep" / "ledger.db"
    with Ledger(key, path) as ledger:
        sfumato.sanitize(sfumato.Document(TEXT, "secret-name.txt"), "research", ledger=ledger)
        everything = b"".join(p.read_bytes() for p in path.parent.iterdir())
    for word in (b"ann.lee", b"7946", b"May", b"secret-name"):
        assert word not in everything
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(SecretError, match="does not open the ledger"):
        Ledger(keys.new(), path)


def test_what_is_no_ledger_is_refused(tmp_path: Path, key: Key) -> None:
    with pytest.raises(LedgerError, match="no such ledger"):
        Ledger(key, tmp_path / "none.db", read_only=True)
    (tmp_path / "text.db").write_text("not a database, but long enough to look at" * 10)
    with pytest.raises(LedgerError, match="not a ledger, or a damaged one"):
        Ledger(key, tmp_path / "text.db")
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE visits (address TEXT)")
    before = (tmp_path / "other.db").read_bytes()
    with pytest.raises(LedgerError, match="not a ledger, or a damaged one"):
        Ledger(key, tmp_path / "other.db")
    assert (tmp_path / "other.db").read_bytes() == before
    with pytest.raises(LedgerError, match="not a ledger file"):
        Ledger(key, tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(LedgerError, match="the ledger cannot be made"):
        Ledger(key, tmp_path / "file" / "l.db")


def test_a_ledger_of_another_format_is_refused(tmp_path: Path, key: Key) -> None:
    path = tmp_path / "old.db"
    Ledger(key, path).close()
    with sqlite3.connect(path) as database:
        database.execute("UPDATE meta SET value = x'63' WHERE name = 'format'")
    database.close()
    with pytest.raises(LedgerError, match="another version"):
        Ledger(key, path)


RELEASES = (
    "release BLOB NOT NULL, name BLOB NOT NULL, input BLOB NOT NULL, policy BLOB NOT NULL, sealed BLOB "
    "NOT NULL, PRIMARY KEY (release, name, input, policy)"
)


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM meta",
        "DELETE FROM meta WHERE name = 'format'",
        "DELETE FROM meta WHERE name = 'check'",
        "DELETE FROM meta WHERE name = 'identity'",
        "DELETE FROM meta WHERE name = 'former'",
        "DROP TABLE vault",
        "DROP TABLE meta",
        "DROP TABLE vault; CREATE TABLE vault (original BLOB PRIMARY KEY, surrogate BLOB NOT NULL, "
        "sealed BLOB NOT NULL) STRICT, WITHOUT ROWID",
        "DROP TABLE vault; CREATE TABLE vault (original BLOB PRIMARY KEY, surrogate BLOB NOT NULL UNIQUE ON "
        "CONFLICT REPLACE, sealed BLOB NOT NULL) STRICT, WITHOUT ROWID",
        f"DROP TABLE releases; CREATE TABLE releases ({RELEASES} ON CONFLICT IGNORE) STRICT, WITHOUT ROWID",
        "ALTER TABLE releases RENAME TO r; CREATE VIEW releases AS SELECT * FROM r",
        "CREATE TRIGGER t AFTER INSERT ON vault BEGIN DELETE FROM vault; END",
        "CREATE UNIQUE INDEX i ON releases (name)",
        "CREATE TABLE more (x)",
        "PRAGMA writable_schema = ON; CREATE TABLE more (x); UPDATE sqlite_master SET name = 'sqlite_keep', "
        "tbl_name = 'sqlite_keep', sql = 'CREATE TABLE sqlite_keep (x)' WHERE name = 'more'",
        "PRAGMA writable_schema = ON; INSERT INTO sqlite_master VALUES ('trigger', 'sqlite_stat1', 'releases', "
        "0, 'CREATE TRIGGER sqlite_stat1 BEFORE INSERT ON releases BEGIN SELECT RAISE(IGNORE); END')",
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rowid = rowid + 100; INSERT INTO sqlite_master "
        "(rowid, type, name, tbl_name, rootpage, sql) VALUES (1, 'trigger', 'meta', 'releases', 0, "
        "'CREATE TRIGGER meta BEFORE DELETE ON releases BEGIN SELECT RAISE(IGNORE); END')",
    ],
)
def test_a_ledger_of_another_shape_is_refused_and_nothing_is_written(
    change: str, tmp_path: Path, key: Key
) -> None:
    path = tmp_path / "l.db"
    Ledger(key, path).close()
    with Ledger(key, path) as open_before:
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.executescript(change)
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        before = path.read_bytes()
        with pytest.raises(LedgerError, match="a damaged one"):
            open_before.allocate("PERSON", "a", lambda n: "x")
        for read_only in (False, True):
            with pytest.raises(LedgerError, match="a damaged one"):
                Ledger(key, path, read_only=read_only)
    assert path.read_bytes() == before


def test_a_second_original_never_replaces_the_first(key: Key) -> None:
    with Ledger(key) as ledger:
        releases = [
            sfumato.sanitize(sfumato.Document(f"Ask {who}@example.org", "n.txt"), ledger=ledger)
            for who in ("ann", "bob")
        ]
        for release, who in zip(releases, ("ann", "bob"), strict=True):
            entry = ledger.find_one(release.text.encode(), input_hash=release.certificate.input)
            assert entry.record.originals == (f"{who}@example.org",)
        with pytest.raises(LedgerError, match="several documents"):
            ledger.find_one(releases[0].text.encode(), "n.txt")
        with pytest.raises(LedgerError, match="of no document named 'x'"):
            ledger.find_one(releases[0].text.encode(), "x")


def test_a_ledger_can_be_read_where_nothing_may_be_written(tmp_path: Path, key: Key) -> None:
    path = tmp_path / "l.db"
    with Ledger(key, path) as ledger:
        release = sfumato.sanitize(TEXT, ledger=ledger)
    path.chmod(0o400)
    with Ledger(key, path, read_only=True) as opened:
        assert sfumato.restore(release.text, opened) == TEXT
        assert not list(tmp_path.glob("*-wal"))


def test_who_reads_a_ledger_while_another_writes_sees_one_state_of_it(
    tmp_path: Path, key: Key
) -> None:
    path = tmp_path / "l.db"
    with Ledger(key, path) as ledger:
        release = sfumato.sanitize(TEXT, ledger=ledger)
    with Ledger(key, path, read_only=True) as opened:
        asked = opened._sealed

        def later() -> object:
            with Ledger(key, path) as other:
                for n in range(30):
                    sfumato.sanitize(
                        sfumato.Document(f"Ask ann{n}@example.org.", str(n)), ledger=other
                    )
            return asked()

        with patch.object(opened, "_sealed", later):
            assert sfumato.restore(release.text, opened) == TEXT
        with pytest.raises(LedgerError, match="cannot be used"):
            opened.allocate("PERSON", "Ann", lambda _: "nobody")
    assert [p.name for p in tmp_path.iterdir()] == ["l.db"]


def test_a_damaged_ledger_is_said_to_be_damaged(tmp_path: Path, key: Key) -> None:
    path = tmp_path / "l.db"
    with Ledger(key, path) as ledger:
        release = sfumato.sanitize(TEXT, ledger=ledger)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE releases SET sealed = x'00112233445566778899aabbccddeeff00'")
    database.close()
    with (
        Ledger(key, path, read_only=True) as opened,
        pytest.raises(LedgerError, match="a damaged one"),
    ):
        opened.find(release.text.encode())


def test_two_policies_with_one_release_are_told_apart(key: Key) -> None:
    rules = [
        {"detect": ["patterns"], "replace": {"*": "label"}, "threshold": threshold}
        for threshold in (0.1, 0.2, 0.3, 0.4)
    ]
    with Ledger(key) as ledger:
        for each in rules:
            release = sfumato.sanitize(TEXT, each, key=key, ledger=ledger)
        for each in rules:
            digest = policy.load(each).digest
            found = ledger.find_one(release.data, policy=digest)
            assert policy.parse(found.policy).digest == digest


OLD = Path(__file__).parents[1] / "data" / "ledgers"


def test_ledgers_of_before_signatures_are_read_as_they_are_and_sealed_anew_when_written_to(
    tmp_path: Path, key: Key
) -> None:
    path = Path(shutil.copy(OLD / "format2.db", tmp_path))
    released, original = (
        b"Patient: Alejandro Orman, seen on 24 February 2030. ",
        b"Tobias Achterberg",
    )
    released += b"Call +44 20 7946 0741.\n"
    before = path.read_bytes()
    with Ledger(key, path, read_only=True) as ledger:
        assert original in sfumato.restore(released, ledger)
    assert path.read_bytes() == before
    with Ledger(key, path) as ledger:
        assert original in sfumato.restore(released, ledger)
        assert ledger.allocate("PERSON", "achterberg", lambda _: "Other") == "Orman"
        assert ledger.find_one(released).surrogates is None
    with closing(sqlite3.connect(path)) as database:
        rows = [
            r for t in ("vault", "releases") for (r,) in database.execute(f"SELECT sealed FROM {t}")
        ]
        assert database.execute("SELECT value FROM meta WHERE name = 'format'").fetchone() == (
            b"\5",
        )
    assert {len(row) - 16 for row in rows} <= {2**n for n in range(8, 20)}
    with Ledger(key, path, read_only=True) as ledger:
        assert original in sfumato.restore(released, ledger)


def test_an_older_ledger_that_is_damaged_is_not_sealed_anew(tmp_path: Path, key: Key) -> None:
    path = Path(shutil.copy(OLD / "format2.db", tmp_path))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "UPDATE releases SET name = (SELECT max(name) FROM releases) WHERE name = "
            "(SELECT min(name) FROM releases)"
        )
        before = database.execute("SELECT * FROM releases").fetchall()
    with pytest.raises(LedgerError, match="damaged"):
        Ledger(key, path)
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT * FROM releases").fetchall() == before


def everything(path: Path) -> bytes:
    return b"".join(p.read_bytes() for p in path.parent.iterdir() if p.name.startswith(path.name))


def test_what_is_forgotten_is_gone_from_the_file_and_its_log(tmp_path: Path, key: Key) -> None:
    path = tmp_path / "l.db"
    with Ledger(key, path) as ledger:
        releases = {
            name: [
                sfumato.sanitize(sfumato.Document(text, name), rules, ledger=ledger)
                for rules in ("default", "research")
            ]
            for name, text in (("a", "Ask Ann Lee of Oslo."), ("b", "Ask Ann Lee or Bob Ray."))
        }
        rows = ledger._db.execute(
            "SELECT * FROM releases WHERE name = ?", (key.tag("name", "b"),)
        ).fetchall()
        assert len(rows) == 2
        assert all(row[-1][16:80] in everything(path) for row in rows)
        done = ledger.forget("b")
        assert done.releases == 2
        assert done.surrogates is not None
        assert done.surrogates >= 2  # Bob and Ray; Ann Lee is the other's, too
        for row in rows:
            pieces = (*row[:3], *(row[-1][i : i + 64] for i in range(0, len(row[-1]), 1024)))
            assert not any(piece in everything(path) for piece in pieces)
        assert sfumato.restore(releases["a"][1].data, ledger) == b"Ask Ann Lee of Oslo."
        with pytest.raises(LedgerError, match="not in the ledger"):
            sfumato.restore(releases["b"][1].data, ledger)
        with pytest.raises(LedgerError, match="no document named 'b'"):
            ledger.forget("b")
        assert ledger.allocate("PERSON", "Ann", lambda _: "nobody") != "nobody"  # the vault has her


def test_surrogates_that_only_a_forgotten_document_had_are_forgotten(key: Key) -> None:
    with Ledger(key) as ledger:
        for name, text in (("a", "Ask Ann Lee."), ("b", "Ask Ann Lee or Bob Ray.")):
            sfumato.sanitize(sfumato.Document(text, name), "research", ledger=ledger)
        kept = ledger.allocate("PERSON", "Ann", lambda _: "nobody")
        done = ledger.forget("b")
        assert done.surrogates
        assert ledger.allocate("PERSON", "Bob", lambda _: "somebody") == "somebody"
        assert ledger.allocate("PERSON", "Ann", lambda _: "nobody") == kept


def test_a_document_whose_surrogates_were_forgotten_meanwhile_is_refused(
    tmp_path: Path, key: Key
) -> None:
    path, research = tmp_path / "l.db", policy.load("research")
    with Ledger(key, path) as ledger:
        sfumato.sanitize(sfumato.Document("Ask Ann Lee.", "a"), research, ledger=ledger)
        ledger.begin()
        second = Sanitizer(research, key, ledger)(sfumato.Document("Tell Ann Lee.", "b"))
        with Ledger(key, path) as other:
            assert other.forget("a").surrogates
        with pytest.raises(LedgerError, match="were forgotten while it was sanitised"):
            ledger.put(second, research)


def test_a_document_that_failed_leaves_its_surrogates_to_no_other(key: Key) -> None:
    with Ledger(key) as ledger:
        with (
            patch("sfumato.pipeline.prove", side_effect=GuaranteeError("no")),
            pytest.raises(GuaranteeError, match="no"),
        ):
            sfumato.sanitize(sfumato.Document("Ask Bob Ray.", "b"), "research", ledger=ledger)
        for name, text in (("a", "Ask Ann Lee."), ("c", "Ask Bob Ray of Oslo.")):
            sfumato.sanitize(sfumato.Document(text, name), "research", ledger=ledger)
        ledger.forget("c")
        assert ledger.allocate("PERSON", "Bob", lambda _: "somebody") == "somebody"


def test_a_ledger_that_does_not_open_holds_nothing(tmp_path: Path, key: Key) -> None:
    path = tmp_path / "ledger.db"
    Ledger(key, path).close()
    with pytest.raises(SecretError):
        Ledger(Key(bytes(32)), path)
    assert files.contents(path, 1 << 20).startswith(b"SQLite")  # while it is open nobody reads it


def test_a_ledger_with_older_entries_does_not_guess_whose_surrogates_are_whose(
    tmp_path: Path, key: Key
) -> None:
    path = Path(shutil.copy(OLD / "format2.db", tmp_path))
    with Ledger(key, path) as ledger:
        with pytest.raises(LedgerError, match="or let all stay with --keep-surrogates"):
            ledger.forget("a.txt")
        done = ledger.forget("a.txt", surrogates=False)
        assert (done.releases, done.surrogates) == (2, None)


def test_forgetting_says_so_when_somebody_still_reads_the_log(
    tmp_path: Path, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "l.db"
    with Ledger(key, path) as ledger:
        sfumato.sanitize(sfumato.Document(TEXT, "a"), ledger=ledger)
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT * FROM releases").fetchall()
            ledger._db.execute("PRAGMA busy_timeout = 0")
            with pytest.raises(LedgerError, match="another program reads it"):
                ledger.forget("a")


class Full:
    """A database on a disk without room for a copy of it."""

    def __init__(self, database: sqlite3.Connection, *refused: str) -> None:
        self.database, self.refused, self.tried = database, refused, list[str]()

    def __getattr__(self, name: str) -> object:
        return getattr(self.database, name)

    def execute(self, query: str, *values: Sequence[bytes]) -> sqlite3.Cursor:
        if query.startswith(self.refused):
            self.tried.append(query)
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode, error.sqlite_errorname = sqlite3.SQLITE_FULL, "SQLITE_FULL"
            raise error
        return self.database.execute(query, *values)


def test_on_a_full_disk_what_is_forgotten_is_gone_and_said_to_be(tmp_path: Path, key: Key) -> None:
    path, other = tmp_path / "l.db", keys.new()
    with Ledger(key, path) as ledger:
        sfumato.sanitize(sfumato.Document(TEXT, "a"), ledger=ledger)
        sealed = bytes(ledger._rows("SELECT sealed FROM releases")[0][0])
        full = Full(ledger._db, "VACUUM")
        ledger._db = full  # type: ignore[assignment]
        assert ledger.forget("a").releases == 1
        ledger.rotate(other)
        assert full.tried == ["VACUUM", "VACUUM"]
        assert not any(sealed[:64] in file.read_bytes() for file in tmp_path.iterdir())
        full.refused = ("VACUUM", "PRAGMA wal_checkpoint")
        with pytest.raises(
            LedgerError, match=r"done, but its log cannot be emptied \(SQLITE_FULL\)"
        ):
            ledger.rotate(key)


def test_nothing_is_left_in_the_log_after_closing(tmp_path: Path, key: Key) -> None:
    """Another that has it open keeps SQLite itself from emptying the log."""
    path = tmp_path / "l.db"
    with Ledger(key, path) as other:
        with Ledger(key, path) as ledger:
            sfumato.sanitize(TEXT, ledger=ledger)
            assert (tmp_path / "l.db-wal").stat().st_size > 0
        assert (tmp_path / "l.db-wal").stat().st_size == 0
        assert other.path == path


def test_the_length_of_a_row_does_not_tell_the_name_in_it(tmp_path: Path, key: Key) -> None:
    path = tmp_path / "l.db"
    with Ledger(key, path) as ledger:
        for name in ("Bo", "Bartholomäus", "x" * 90):
            ledger.allocate("PERSON", name, f"{name[0]}{{}}".format)
            sfumato.sanitize(sfumato.Document(f"Dr. {name} is in.", name), ledger=ledger)
    with closing(sqlite3.connect(path)) as database:
        for table in ("vault", "releases"):
            lengths = database.execute(f"SELECT DISTINCT length(sealed) FROM {table}").fetchall()
            assert len(lengths) == 1


def test_a_ledger_that_another_keeps_to_itself_is_no_damaged_one(
    tmp_path: Path, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sfumato.release.schema.PATIENCE", 0.1)
    path = tmp_path / "l.db"
    with Ledger(key, path) as ledger, closing(sqlite3.connect(path, isolation_level=None)) as other:
        ledger.allocate("PERSON", "a", lambda n: "x")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LedgerError, match="another program keeps the ledger"):
            ledger.allocate("PERSON", "b", lambda n: "y")
        other.execute("ROLLBACK")
        assert ledger.allocate("PERSON", "b", lambda n: "y") == "y"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LedgerError, match="another program keeps the ledger"):
            Ledger(key, path, read_only=True)


def fail_at_the_end(ledger: Ledger) -> None:
    """A foreign key that is checked at the end lets the end fail, as a full disk does."""
    with ledger._transaction():
        ledger._db.execute("CREATE TABLE a (x PRIMARY KEY)")
        ledger._db.execute("CREATE TABLE b (x REFERENCES a DEFERRABLE INITIALLY DEFERRED)")
        ledger._db.execute("INSERT INTO b VALUES (1)")


def test_after_a_transaction_that_cannot_end_the_next_one_is_stored(
    tmp_path: Path, key: Key
) -> None:
    path = tmp_path / "l.db"
    with Ledger(key, path) as ledger:
        ledger._db.execute("PRAGMA foreign_keys = ON")
        with pytest.raises(LedgerError):
            fail_at_the_end(ledger)
        ledger.allocate("PERSON", "a", lambda n: "x")
    with Ledger(key, path) as ledger:
        assert ledger.allocate("PERSON", "a", lambda n: "y") == "x"


def test_a_full_disk_is_no_damage(tmp_path: Path, key: Key) -> None:
    path = tmp_path / "l.db"
    with Ledger(key, path) as ledger:
        pages = ledger._db.execute("PRAGMA page_count").fetchone()[0]
        ledger._db.execute(f"PRAGMA max_page_count = {pages}")
        text = " ".join(f"a{n}@example.org" for n in range(2_000))
        with pytest.raises(LedgerError, match=r"l.db: cannot be used \(database or disk is full\)"):
            sfumato.sanitize(text, ledger=ledger)
        ledger._db.execute("PRAGMA max_page_count = 100000")
        assert sfumato.restore(sfumato.sanitize(TEXT, ledger=ledger).text, ledger) == TEXT


@pytest.mark.parametrize("page", range(1, 10))
def test_whatever_page_is_damaged_it_is_said_in_one_line(
    page: int, tmp_path: Path, key: Key
) -> None:
    path = tmp_path / "l.db"
    with Ledger(key, path) as ledger:
        for name in ("a", "b", "c"):
            sfumato.sanitize(
                sfumato.Document(f"Dr. {name}nn Lee.", name), "research", ledger=ledger
            )
    raw = bytearray(path.read_bytes())
    assert len(raw) >= 10 * 4096
    raw[page * 4096 : page * 4096 + 200] = b"\xff" * 200
    path.write_bytes(raw)
    for act in (
        lambda opened: opened.rotate(keys.new()),
        lambda opened: opened.forget("b"),
        lambda opened: sfumato.sanitize("Dr. Dan Ray.", "research", ledger=opened),
    ):
        with suppress(LedgerError), Ledger(key, path) as ledger:
            act(ledger)
