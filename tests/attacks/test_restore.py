"""Somebody without the key writes to the ledger's file, or lays certificates beside releases they do not belong to:
the very original comes back, or nothing does, in one line."""

from __future__ import annotations

import itertools
import json
import random
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

import sfumato
from sfumato import Document
from sfumato.errors import SfumatoError
from sfumato.keys import Key
from sfumato.release.ledger import Ledger
from tests.cli.conftest import Sfumato as Command
from tests.cli.conftest import run
from tests.cli.conftest import sfumato as command
from tests.conftest import ROOT

__all__ = ["command"]  # a fixture
OLD = ROOT / "tests" / "data" / "ledgers"
DOCUMENTS = {
    "a.txt": "Write to ann.lee@example.org before 12 May 2031.\n",
    "b.txt": "Patient: Tobias Achterberg, seen on 3 June 2029. Call +44 20 7946 0958.\n",
    "c.txt": "Patient: Ingrid Thorvaldsen is well.\n",  # under labels, the same release as d.txt
    "d.txt": "Patient: Rajesh Venkataraman is well.\n",
}
COLUMNS = {
    "vault": ("original", "surrogate", "sealed"),
    "releases": ("release", "name", "input", "policy", "sealed"),
}
EACH = [(table, column) for table, columns in COLUMNS.items() for column in columns]
VERSIONS = ("format2", "today")


@pytest.fixture(scope="module")
def today(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("today") / "ledger.db")


def filled(path: Path, documents: dict[str, str] = DOCUMENTS) -> Path:
    with Ledger(Key(bytes(range(32))), path) as ledger:
        for policy, (name, text) in itertools.product(("default", "research"), documents.items()):
            sfumato.sanitize(Document(text, name), policy, ledger=ledger)
    return path


@pytest.fixture(scope="module")
def released() -> dict[str, list[str]]:
    """What is out of each document: with labels, and with other names."""
    with Ledger(Key(bytes(range(32)))) as vault:
        made = {
            name: [
                sfumato.sanitize(Document(text, name), policy, ledger=vault).text
                for policy in ("default", "research")
            ]
            for name, text in DOCUMENTS.items()
        }
    # The files from before were made by other policies of the same names: their releases are those of then.
    made["a.txt"].append("Write to orsett.marlcroft@example.com before 17 November 2031.\n")
    made["b.txt"].append("Patient: [PERSON], seen in 2029. Call [PHONE].\n")
    made["c.txt"].append("Patient: Kylie Yarford is well.\n")
    made["d.txt"].append("Patient: Gabrielle Hartcombe is well.\n")
    return made


@pytest.fixture
def ledger(version: str, today: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(today if version == "today" else OLD / f"{version}.db", tmp_path / "l"))


def write(path: Path, change: Callable[[sqlite3.Connection], object]) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        change(database)


def rotated(table: str, column: str) -> Callable[[sqlite3.Connection], None]:
    """Each row gets what the next one has in this column."""

    def change(database: sqlite3.Connection) -> None:
        rows = [list(row) for row in database.execute(f"SELECT * FROM {table}")]
        at = COLUMNS[table].index(column)
        values = [row[at] for row in rows]
        for row, value in zip(rows, values[1:] + values[:1], strict=True):
            row[at] = value
        database.execute(f"DELETE FROM {table}")
        marks = ", ".join("?" * len(COLUMNS[table]))
        for row in rows:
            database.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", row)

    return change


def came_back(path: Path, released: dict[str, list[str]]) -> Iterator[tuple[str, str | None]]:
    """Each document with what its releases give back by its name; None for an error in one line."""
    for name, texts in released.items():
        for text in texts:
            try:
                with Ledger(Key(bytes(range(32))), path, read_only=True) as opened:
                    yield name, sfumato.restore(text, opened, name=name)
            except SfumatoError as error:
                told = any(word in str(error) for word in ("\n", "Achterberg", "ann.lee"))
                yield name, str(error) if told else None


@pytest.mark.parametrize("version", VERSIONS)
def test_untouched_ledgers_of_every_version_give_every_original_back(
    ledger: Path, released: dict[str, list[str]]
) -> None:
    found = list(came_back(ledger, released))
    for name in DOCUMENTS:
        assert DOCUMENTS[name] in [original for which, original in found if which == name]
    assert all(original in (None, DOCUMENTS[name]) for name, original in found)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("table", "column"), EACH)
def test_no_exchange_of_a_column_gives_another_original(
    ledger: Path, released: dict[str, list[str]], version: str, table: str, column: str
) -> None:
    write(ledger, rotated(table, column))
    found = list(came_back(ledger, released))
    assert all(original in (None, DOCUMENTS[name]) for name, original in found)
    # The vault takes no part in it, and what comes back is compared with the hash inside, whatever stands outside.
    harmless = table == "vault" or (column == "input" and version == "format2")
    assert harmless or any(original is None for _, original in found)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("columns", [("release", "name"), ("release", "name", "input", "policy")])
def test_no_exchange_of_several_columns_gives_another_original(
    ledger: Path, released: dict[str, list[str]], columns: tuple[str, ...]
) -> None:
    """The last one is the whole place: the sealed parts go round."""
    for column in columns:
        write(ledger, rotated("releases", column))
    found = list(came_back(ledger, released))
    assert all(original in (None, DOCUMENTS[name]) for name, original in found)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("seed", range(12))
def test_no_flipped_bit_and_no_cut_gives_another_original(
    ledger: Path, released: dict[str, list[str]], seed: int
) -> None:
    """Of some damage, SQLite speaks in bytes that are no text; that is an error in one line, too."""
    draw = random.Random(seed)
    raw = bytearray(ledger.read_bytes())
    if seed % 3 == 0:
        del raw[draw.randrange(len(raw)) :]
    else:
        for _ in range(1 if seed % 3 == 1 else 200):
            raw[draw.randrange(len(raw))] ^= 1 << draw.randrange(8)
    ledger.write_bytes(raw)
    found = list(came_back(ledger, released))
    assert all(original in (None, DOCUMENTS[name]) for name, original in found)


def test_rows_of_another_ledger_with_the_same_key_do_not_open(
    today: Path, tmp_path: Path, key: Key
) -> None:
    """Neither its entries nor its surrogates: each ledger has an identity of its own."""
    mine = Path(shutil.copy(today, tmp_path / "mine"))
    other = filled(tmp_path / "other", {"a.txt": DOCUMENTS["a.txt"]})
    with Ledger(key, other) as opened:
        text = sfumato.sanitize(Document("Ask eve@example.org\n", "e.txt"), ledger=opened).text
        taken = opened.allocate("PERSON", "Moriarty", lambda _: "Holmes")

    def copy(database: sqlite3.Connection) -> None:
        database.execute("ATTACH ? AS other", (str(other),))
        for table in COLUMNS:
            database.execute(f"INSERT OR IGNORE INTO {table} SELECT * FROM other.{table}")

    write(mine, copy)
    with Ledger(key, other, read_only=True) as opened:
        assert sfumato.restore(text, opened) == "Ask eve@example.org\n"
    with Ledger(key, mine) as opened:
        with pytest.raises(SfumatoError, match="damaged"):
            sfumato.restore(text, opened, name="e.txt")
        with pytest.raises(SfumatoError, match="damaged"):
            opened.allocate("PERSON", "Moriarty", lambda _: "Watson")
    assert taken == "Holmes"


def test_a_ledger_that_is_said_to_be_older_does_not_open_unbound_rows(
    today: Path, tmp_path: Path, released: dict[str, list[str]]
) -> None:
    """The version and the proof of the key are taken from an older file that has the same key."""
    mine = Path(shutil.copy(today, tmp_path / "mine"))

    def age(database: sqlite3.Connection) -> None:
        database.execute("ATTACH ? AS old", (str(OLD / "format2.db"),))
        database.execute("DELETE FROM meta")
        database.execute("INSERT INTO meta SELECT * FROM old.meta")
        rows = database.execute("SELECT * FROM old.releases").fetchall()
        for row in database.execute("SELECT release, name, input, policy FROM releases").fetchall():
            # Any row of before in any place of today
            sealed = random.Random(row[0]).choice(rows)[-1]
            database.execute("DELETE FROM releases WHERE release = ? AND name = ?", row[:2])
            database.execute("INSERT INTO releases VALUES (?, ?, ?, ?, ?)", (*row, sealed))

    write(mine, age)
    found = list(came_back(mine, released))
    assert all(original in (None, DOCUMENTS[name]) for name, original in found)


def test_older_rows_of_the_same_ledger_give_the_same_original_or_nothing(
    tmp_path: Path, key: Key
) -> None:
    """A document that changed, its release did not: the row from before is put back over the new one."""
    path = tmp_path / "l.db"
    texts = ["Ask ann@example.org", "Ask bob@example.org"]
    with Ledger(key, path) as opened:
        release = sfumato.sanitize(Document(texts[0], "n.txt"), ledger=opened)
    before = shutil.copy(path, tmp_path / "before")
    with Ledger(key, path) as opened:
        sfumato.sanitize(Document(texts[1], "n.txt"), ledger=opened)

    def put_back(database: sqlite3.Connection) -> None:
        database.execute("ATTACH ? AS old", (str(before),))
        old = database.execute("SELECT sealed FROM old.releases").fetchone()
        database.execute("UPDATE releases SET sealed = ?", old)

    write(path, put_back)
    with (
        Ledger(key, path, read_only=True) as opened,
        pytest.raises(SfumatoError, match="damaged"),
    ):
        sfumato.restore(release.data, opened, name="n.txt")


@pytest.mark.parametrize(
    "statements",
    [
        [
            "CREATE TRIGGER t AFTER DELETE ON releases BEGIN INSERT INTO kept VALUES (old.sealed); END"
        ],
        ["ALTER TABLE releases RENAME TO r", "CREATE VIEW releases AS SELECT * FROM r"],
        [
            "DROP TABLE meta",
            "CREATE TABLE meta (name, value)",
            "INSERT INTO meta VALUES ('format', 3)",
        ],
        ["DROP TABLE meta", "CREATE TABLE meta (name, value)", "INSERT INTO meta VALUES (1, 'x')"],
        ["DROP TABLE releases", "CREATE TABLE releases (release, sealed)"],
        ["DROP TABLE releases"],
        ["UPDATE meta SET value = x'' WHERE name = 'identity'"],
        ["DELETE FROM meta WHERE name = 'former'"],
        ["UPDATE meta SET value = x'00' WHERE name = 'former'"],
    ],
)
@pytest.mark.parametrize("version", ["today"])
def test_a_ledger_of_another_shape_is_refused_in_one_line(
    ledger: Path, released: dict[str, list[str]], statements: list[str]
) -> None:
    write(ledger, lambda database: [database.execute(each) for each in statements])
    assert all(original is None for _, original in came_back(ledger, released))


# Certificates


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six releases, of which c.txt, d.txt and two in a folder below are the same."""
    office = tmp_path_factory.mktemp("built") / "office"
    (office / "in" / "sub").mkdir(parents=True)
    for name, text in DOCUMENTS.items():
        (office / "in" / name).write_text(text)
    (office / "in/sub/c.txt").write_text("Patient: Wolfgang Kowalczyk is well.\n")
    (office / "in/sub/e.txt").write_text("Patient: Birgitta Lindqvist is well.\n")
    ledger = office / ".sfumato" / "ledger.db"
    run("sanitize", office / "in", "-o", office / "out", "--ledger", ledger)
    same = [(office / "out" / n).read_text() for n in ("c.txt", "d.txt", "sub/c.txt", "sub/e.txt")]
    assert len(set(same)) == 1
    return office.rename(tmp_path_factory.mktemp("kept") / "office")


@pytest.fixture
def out(office: Path, inside: Path) -> Path:
    """The releases, in the folder that we are in."""
    return shutil.copytree(office, inside, dirs_exist_ok=True) / "out"


NAMES = ("a.txt", "b.txt", "c.txt", "d.txt", "sub/c.txt", "sub/e.txt")


@pytest.mark.parametrize(("name", "other"), [*itertools.permutations(NAMES, 2)])
def test_no_other_certificate_beside_a_release_gives_another_original(
    command: Command, out: Path, name: str, other: str
) -> None:
    shutil.copy(out / f"{other}.cert.json", out / f"{name}.cert.json")
    for more in ((), ("--name", name)):
        done = command("restore", f"out/{name}", "-o", "back.txt", *more)
        assert done.code in (2, 3)
        assert done.err.count("\n") == 1
        assert not Path("back.txt").exists()
    (out / f"{name}.cert.json").unlink()
    assert command("restore", f"out/{name}", "--name", name).out == (
        (out.parent / "in" / name).read_text()
    )


def test_certificates_that_are_named_and_their_own_places_tell_equal_releases_apart(
    command: Command, out: Path
) -> None:
    originals = {name: (out.parent / "in" / name).read_text() for name in NAMES}
    for name, original in originals.items():
        told = ("--certificate", f"out/{name}.cert.json")
        assert command("restore", f"out/{name}", *told).out == original
    command("sanitize", "in", "-o", "own")
    for name, original in originals.items():
        assert command("restore", f"own/{name}").out == original


def test_documents_of_one_name_in_two_folders_are_not_taken_for_each_other(
    command: Command, inside: Path
) -> None:
    """Two runs, two persons, one name, one release; then the certificates change places, and folders move."""
    texts = {who: f"Ask {who}@example.org\n" for who in ("ann", "bob")}
    for who, text in texts.items():
        (inside / who).mkdir()
        (inside / who / "memo.txt").write_text(text)
        command("sanitize", f"{who}/memo.txt", "-o", f"out/{who}/memo.txt")
    for who, text in texts.items():
        assert command("restore", f"out/{who}/memo.txt").out == text
    Path("out").rename("moved")
    for who, text in texts.items():
        beside = f"moved/{who}/memo.txt.cert.json"
        refused = command("restore", f"moved/{who}/memo.txt")
        assert (refused.code, refused.out) == (2, "")
        assert f"{beside} may be that of another; put it where it was written (" in refused.err
        done = command("restore", f"moved/{who}/memo.txt", "--certificate", beside)
        assert done.out == text
        assert "is taken for 'memo.txt', written to" in done.err
    ann, bob = (Path(f"moved/{who}/memo.txt.cert.json") for who in texts)
    Path("third").write_bytes(ann.read_bytes())
    bob.replace(ann)
    Path("third").replace(bob)
    for who in texts:
        for more in ((), ("--name", "memo.txt")):
            done = command("restore", f"moved/{who}/memo.txt", *more)
            assert (done.code, done.out) == (2, "")
            assert "put it where it was written (" in done.err
    Path("moved").rename("out")
    for who, text in texts.items():
        Path(f"out/{who}/memo.txt.cert.json").unlink()
        for more in ((), ("--name", "memo.txt")):
            assert command("restore", f"out/{who}/memo.txt", *more).out == text
    Path("out").rename("moved")
    done = command("restore", "moved/ann/memo.txt", "--name", "memo.txt")
    assert (done.code, done.out) == (2, "")
    assert "put it where it was written, with its certificate beside it" in done.err


def test_what_was_written_to_one_place_twice_is_told_by_its_certificate(
    command: Command, inside: Path
) -> None:
    for who in ("ann", "bob"):
        (inside / "memo.txt").write_text(f"Ask {who}@example.org\n")
        Path("safe.txt").unlink(missing_ok=True)
        command("sanitize", "memo.txt", "-o", "safe.txt")
        assert command("restore", "safe.txt").out == f"Ask {who}@example.org\n"


@pytest.mark.parametrize("names", [("memo.txt", "memo.txt"), ("a.txt", "b.txt")])
@pytest.mark.parametrize("attack", ["certificate", "row", "both"])
def test_what_has_lost_its_place_to_another_is_not_the_answer_there(
    command: Command, inside: Path, names: tuple[str, str], attack: str
) -> None:
    texts = [f"Ask {who}@example.org\n" for who in ("ann", "bob")]
    kept = []
    for name, text in zip(names, texts, strict=True):
        (inside / name).write_text(text)
        assert command("sanitize", name, "-o", "safe.txt").code == 0
        kept.append(Path("safe.txt.cert.json").read_bytes())
    assert command("restore", "safe.txt").out == texts[1]
    Path("safe.txt.cert.json").unlink()
    if attack != "row":
        Path("safe.txt.cert.json").write_bytes(kept[0])
    if attack != "certificate":
        without_row(inside, texts[1])
    for more in ((), ("--name", names[0])):
        done = command("restore", "safe.txt", *more)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    Path("kept").mkdir()
    Path("safe.txt").rename("kept/safe.txt")
    Path("kept/safe.txt.cert.json").write_bytes(kept[0])
    told = ("--certificate", "kept/safe.txt.cert.json")
    assert command("restore", "kept/safe.txt", *told).out == texts[0]
    assert command("restore", "kept/safe.txt", *told, "--name", names[0]).out == texts[0]
    by_name = command("restore", "kept/safe.txt", "--name", names[0])
    tells = attack != "certificate" or names[0] != names[1]
    assert by_name.out == (texts[0] if tells else "")
    (inside / names[0]).write_text(texts[0])
    assert command("sanitize", names[0], "-o", "safe.txt").code == 0
    assert command("restore", "safe.txt").out == texts[0]


def written(command: Command, who: str, place: str) -> bytes:
    """A release of somebody's note, which is the same for all; its certificate."""
    Path("note.txt").write_text(f"Ask {who}@example.org\n")
    assert command("sanitize", "note.txt", "-o", place).code == 0
    return Path(f"{place}.cert.json").read_bytes()


def test_where_another_was_written_last_an_older_certificate_is_not_believed(
    command: Command, inside: Path
) -> None:
    """Though it was written to one place with it before, and that is gone."""
    older = written(command, "ann", "p/safe.txt")
    written(command, "bob", "p/safe.txt")
    written(command, "bob", "q/safe.txt")
    shutil.rmtree("p")
    Path("q/safe.txt.cert.json").write_bytes(older)
    for more in ((), ("--name", "note.txt"), ("--certificate", "q/safe.txt.cert.json")):
        done = command("restore", "q/safe.txt", *more)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("beside", ["older", "other"])
def test_of_equal_releases_that_moved_no_certificate_beside_them_decides(
    command: Command, inside: Path, beside: str
) -> None:
    laid = written(command, "ann", "outq/note.txt" if beside == "older" else "outr/note.txt")
    own = written(command, "bob", "outq/note.txt")
    shutil.rmtree("outr", ignore_errors=True)
    Path("outq").rename("outs")
    Path("outs/note.txt.cert.json").write_bytes(laid)
    for more in ((), ("--name", "note.txt")):
        done = command("restore", "outs/note.txt", *more)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    Path("own.json").write_bytes(own)
    done = command("restore", "outs/note.txt", "--certificate", "own.json")
    assert done.out == "Ask bob@example.org\n"
    done = command("restore", "outs/note.txt", "--certificate", "none.json")
    assert (done.code, done.err) == (2, "sfumato: none.json: no such file\n")


def test_among_hundreds_of_equal_releases_an_older_certificate_is_not_believed(
    command: Command, inside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More than are told that they stand at a place no more."""
    monkeypatch.setattr("sfumato.release.ledger._MOST_ALIKE", 0)
    older = written(command, "ann", "safe.txt")
    Path("safe.txt").unlink()
    own = written(command, "bob", "safe.txt")
    for laid in (older, own):
        Path("safe.txt.cert.json").write_bytes(laid)
        done = command("restore", "safe.txt")
        assert (done.code, done.out) == (2, "")
    told = ("--certificate", "safe.txt.cert.json")
    assert command("restore", "safe.txt", *told).out == "Ask bob@example.org\n"


@pytest.mark.parametrize("field", ["signature", "name", "claims"])
def test_a_certificate_that_is_not_genuine_does_not_choose_between_equal_releases(
    command: Command, out: Path, field: str
) -> None:
    path = out / "d.txt.cert.json"
    made = json.loads(path.read_text())
    if field == "signature":
        made["signature"] = "ed25519:" + 128 * "0"
    elif field == "name":
        path = out / "c.txt.cert.json"
        made["document"]["name"] = "c.txt"
    else:
        made["claims"] = []
    path.write_text(json.dumps(made))
    done = command("restore", f"out/{path.name.removesuffix('.cert.json')}")
    assert done.code == 2
    assert "--name" in done.err


def test_a_renamed_release_is_not_given_the_original_of_its_new_name(
    command: Command, out: Path
) -> None:
    """Of c.txt is made d.txt, with c.txt's certificate and with d.txt's."""
    (out / "moved").mkdir()
    for certificate in ("c.txt", "d.txt"):
        shutil.copy(out / "c.txt", out / "moved/d.txt")
        shutil.copy(out / f"{certificate}.cert.json", out / "moved/d.txt.cert.json")
        done = command("restore", "out/moved/d.txt")
        assert (done.code, done.out) in ((2, ""), (0, DOCUMENTS[certificate]))


# Rows that were taken away


def without_row(inside: Path, original: str) -> None:
    """Somebody puts back a copy of the ledger from before this input was released."""
    path = inside / ".sfumato" / "ledger.db"
    key = Key(bytes.fromhex((inside / ".sfumato" / "key").read_text()))
    with Ledger(key, path) as opened, opened._transaction():
        tag = opened._sealing.tag("input", original.encode())
        opened._exchange(opened._rows("SELECT * FROM releases WHERE input = ?", tag), [])


def delete_row(inside: Path, original: str) -> None:
    """Somebody takes the row of an input out of the ledger; he tries each row of the same release."""
    path = inside / ".sfumato" / "ledger.db"
    key = Key(bytes.fromhex((inside / ".sfumato" / "key").read_text()))
    with Ledger(key, path, read_only=True) as opened:
        tag = opened._sealing.tag("input", original.encode())
    write(path, lambda database: database.execute("DELETE FROM releases WHERE input = ?", (tag,)))


@pytest.mark.parametrize("certificate", ["none", "own", *NAMES[2:]])
@pytest.mark.parametrize("name", NAMES[2:])
@pytest.mark.parametrize("take_away", [without_row, delete_row])
def test_a_row_that_is_gone_makes_no_other_document_the_answer(
    command: Command, out: Path, name: str, certificate: str, take_away: Callable[[Path, str], None]
) -> None:
    others = [other for other in NAMES[2:] if other != name]
    originals = {(out.parent / "in" / other).read_text() for other in others}
    take_away(out.parent, (out.parent / "in" / name).read_text())
    beside = out / f"{name}.cert.json"
    if certificate == "none":
        beside.unlink()
    elif certificate != "own":
        beside.write_bytes((out / f"{certificate}.cert.json").read_bytes())
    for other in others:  # one after the other is gone
        for verb in ("restore", "explain"):
            done = command(verb, f"out/{name}")
            assert done.code in (2, 3)
            assert done.err.count("\n") == 1
            assert not any(original[9:20] in done.out for original in originals)
        if other != certificate:
            take_away(out.parent, (out.parent / "in" / other).read_text())


@pytest.mark.parametrize("certified", [True, False])
def test_a_document_of_the_same_name_elsewhere_is_not_the_answer_for_a_row_that_is_gone(
    command: Command, inside: Path, certified: bool
) -> None:
    for who in ("ann", "bob"):
        (inside / who).mkdir()
        (inside / who / "memo.txt").write_text(f"Ask {who}@example.org\n")
        command("sanitize", f"{who}/memo.txt", "-o", f"out/{who}/memo.txt")
    without_row(inside, "Ask ann@example.org\n")
    Path("out/ann/memo.txt.cert.json").unlink()
    if certified:
        shutil.copy("out/bob/memo.txt.cert.json", "out/ann/memo.txt.cert.json")
    for more in ((), ("--name", "memo.txt")):
        for verb in ("restore", "explain"):
            done = command(verb, "out/ann/memo.txt", *more)
            assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
            assert str(inside / "out/bob/memo.txt") in done.err
    assert command("restore", "out/bob/memo.txt").out == "Ask bob@example.org\n"


WARDS = {"2024": "Ask ann@example.org\n", "2025": "Ask bob@example.org\n"}


@pytest.fixture
def wards(command: Command, inside: Path) -> Path:
    """Two folders of one shape, released to two others; the releases are equal."""
    for year, text in WARDS.items():
        (inside / year / "ward").mkdir(parents=True)
        (inside / year / "ward" / "note.txt").write_text(text)
        assert command("sanitize", year, "-o", f"out{year}").code == 0
    return inside


@pytest.mark.parametrize("more", [(), ("--name", "ward/note.txt")])
def test_folders_of_one_shape_are_not_taken_for_each_other_where_a_row_is_gone(
    command: Command, wards: Path, more: tuple[str, ...]
) -> None:
    without_row(wards, WARDS["2024"])
    shutil.copy("out2025/ward/note.txt.cert.json", "out2024/ward/note.txt.cert.json")
    done = command("restore", "out2024/ward/note.txt", *more)
    assert (done.code, done.out) == (2, "")
    assert f"stands at {wards / 'out2025/ward/note.txt'}; give that file instead" in done.err
    assert command("restore", "out2025/ward/note.txt").out == WARDS["2025"]


def test_a_release_that_moved_with_deep_folders_is_restored_in_time(
    command: Command, inside: Path
) -> None:
    deep = Path(*"d" * 200)
    (inside / "in" / deep).mkdir(parents=True)
    (inside / "in" / deep / "note.txt").write_text("Ask ann@example.org\n")
    assert command("sanitize", "in", "-o", "out").code == 0
    (inside / "out").rename("moved")
    before = time.process_time()
    assert command("restore", str("moved" / deep / "note.txt")).out == "Ask ann@example.org\n"
    assert time.process_time() - before < 5  # each ending below each folder: 17 seconds


TAKEN_OUT = "were taken out of the ledger or put back into it"


@pytest.mark.parametrize("other", ["stands", "is gone", "moved"])
def test_where_a_row_was_deleted_no_document_with_its_release_comes_back(
    command: Command, wards: Path, other: str
) -> None:
    """With the other's file gone and its genuine certificate laid here, it would look like one that moved."""
    delete_row(wards, WARDS["2024"])
    here, there = Path("out2024/ward/note.txt"), Path("out2025/ward/note.txt")
    shutil.copy(f"{there}.cert.json", f"{here}.cert.json")
    if other == "is gone":
        there.unlink()
    elif other == "moved":
        Path("out2025").rename("elsewhere")
    for more in ((), ("--name", "ward/note.txt")):
        for verb in ("restore", "explain"):
            done = command(verb, str(here), *more)
            assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
            assert TAKEN_OUT in done.err
    (wards / "2025" / "ward" / "note.txt").write_text(WARDS["2025"])
    assert command("sanitize", "2025", "-o", "out2025").code == 0  # which does not make it good
    assert command("restore", str(here)).code == 2


@pytest.mark.parametrize("table", ["releases", "alike", "both"])
def test_rows_of_before_that_are_put_back_are_noticed(
    command: Command, inside: Path, table: str
) -> None:
    """Both together are a copy of the ledger from before: what was released since is not in it, and no more."""
    ledger = inside / ".sfumato" / "ledger.db"
    for year, text in WARDS.items():
        (inside / "note.txt").write_text(text)
        assert command("sanitize", "note.txt", "-o", f"{year}/note.txt").code == 0
        shutil.copy(ledger, f"{year}.db")

    def put_back(database: sqlite3.Connection) -> None:
        database.execute("ATTACH '2024.db' AS old")
        for each in ("releases", "alike") if table == "both" else (table,):
            database.execute(f"DELETE FROM {each}")
            database.execute(f"INSERT INTO {each} SELECT * FROM old.{each}")

    write(ledger, put_back)
    done = command("restore", "2024/note.txt")
    assert done.out == (WARDS["2024"] if table == "both" else "")
    assert table == "both" or TAKEN_OUT in done.err
    assert command("restore", "2025/note.txt").code in (2, 3)


@pytest.mark.parametrize("after", ["another", "the same", "the first again"])
@pytest.mark.parametrize("rows", ["before", "none"])
def test_who_writes_to_a_ledger_seals_nothing_that_was_put_back(
    command: Command, inside: Path, after: str, rows: str
) -> None:
    """With an equal release in between, and each seal that there ever was under any name."""
    ledger, seen = inside / ".sfumato" / "ledger.db", list[tuple[bytes, bytes]]()

    def sanitize(text: str, to: str = "out") -> None:
        (inside / "note.txt").write_text(text)
        assert command("sanitize", "note.txt", "-o", f"{to}/note.txt").code == 0
        with closing(sqlite3.connect(ledger)) as database:
            seen.extend(database.execute("SELECT * FROM alike WHERE release <> x''"))

    def put_back(database: sqlite3.Connection) -> None:
        database.execute("DELETE FROM releases")
        if rows == "before":
            database.execute("ATTACH '2024.db' AS old")
            database.execute("INSERT INTO releases SELECT * FROM old.releases")
        database.execute("UPDATE alike SET sealed = ? WHERE release = ?", seen[0][::-1])

    sanitize(WARDS["2024"])
    shutil.copy(ledger, "2024.db")
    sanitize(WARDS["2025"])
    write(ledger, put_back)
    others = {"another": "Call cem@example.com.\n", "the same": WARDS["2025"]}
    sanitize(others.get(after, WARDS["2024"]), "out" if after == "the same" else "out2")
    for certificate in Path().rglob("*.cert.json"):
        certificate.unlink()
    spare = [(b"j%d" % at, seal) for at, (_, seal) in enumerate(seen)]
    for laid in itertools.product([False, True], repeat=len(seen)):
        write(ledger, lambda d: d.execute("DELETE FROM alike WHERE length(release) = 2"))
        rest = itertools.compress(spare, laid)
        write(ledger, lambda d: d.executemany("INSERT INTO alike VALUES (?, ?)", rest))  # noqa: B023
        for _, seal in seen:
            change = ("UPDATE alike SET sealed = ? WHERE release = ?", (seal, seen[0][0]))
            write(ledger, lambda d: d.execute(*change))  # noqa: B023
            done = command("restore", "out/note.txt")
            assert (done.code, done.out) == (2, "")


@pytest.mark.parametrize("more", ["", "their seal", "both seals", "a part of it"])
def test_the_rows_of_one_release_are_not_put_back_alone(
    command: Command, inside: Path, more: str
) -> None:
    """With the seal over them, and all else as it is now; seals under names that nobody has change nothing,
    though two that are equal would cancel each other where all are reckoned together."""
    ledger = inside / ".sfumato" / "ledger.db"
    for year, text in WARDS.items():
        (inside / "note.txt").write_text(text)
        assert command("sanitize", "note.txt", "-o", "out/note.txt").code == 0
        shutil.copy(ledger, f"{year}.db")
    (inside / "other.txt").write_text("Call cem@example.com.\n")
    assert command("sanitize", "other.txt", "-o", "out/other.txt").code == 0
    Path("out/note.txt.cert.json").unlink()

    def put_back(database: sqlite3.Connection) -> None:
        database.execute("ATTACH '2024.db' AS old")
        which = "release IN (SELECT release FROM old.releases)"
        seals = f"SELECT sealed FROM {{}}alike WHERE {which}"
        ((now,), (then,)) = (database.execute(seals.format(o)).fetchone() for o in ("", "old."))
        for table in ("releases", "alike"):
            database.execute(f"DELETE FROM {table} WHERE {which}")
            database.execute(f"INSERT INTO {table} SELECT * FROM old.{table} WHERE {which}")
        laid = {"their seal": [now], "both seals": [now, then], "a part of it": [now, then[:16]]}
        rows = [(b"j%d" % at, seal) for at, seal in enumerate(laid.get(more, []))]
        database.executemany("INSERT INTO alike VALUES (?, ?)", rows)

    write(ledger, put_back)
    for release in ("out/note.txt", "out/other.txt"):
        done = command("restore", release)
        assert (done.code, done.out, TAKEN_OUT in done.err) == (2, "", True)


def fill(database: sqlite3.Connection, table: str, rows: list[tuple[bytes | str, ...]]) -> None:
    """Let a table have these rows, whatever its types and keys: SQLite looks at them only where it writes."""
    names = ", ".join(column[1] for column in database.execute(f"PRAGMA table_info({table})"))
    values = ", ".join("?" for _ in names.split(","))
    database.execute(f"CREATE TABLE t ({names})")
    database.execute(f"CREATE INDEX i ON t ({names})")
    database.executemany(f"INSERT INTO t VALUES ({values})", rows)
    database.execute("PRAGMA writable_schema = ON")
    tree = "(SELECT rootpage FROM sqlite_master WHERE name = 'i')"
    database.execute(f"UPDATE sqlite_master SET rootpage = {tree} WHERE name = ?", (table,))
    database.execute("DELETE FROM sqlite_master WHERE name IN ('i', 't')")
    (version,) = database.execute("PRAGMA schema_version").fetchone()
    database.execute(f"PRAGMA schema_version = {version + 1}")
    database.execute("PRAGMA writable_schema = RESET")


DOUBLED = ["releases, no seals", "releases", "alike", "no seals", "no seal over all"]


@pytest.mark.parametrize("what", DOUBLED)
def test_rows_of_before_do_not_hide_each_other_nor_stand_without_a_seal(
    command: Command, inside: Path, what: str
) -> None:
    ledger = inside / ".sfumato" / "ledger.db"
    for year, text in WARDS.items():
        (inside / "note.txt").write_text(text)
        assert command("sanitize", "note.txt", "-o", "out/note.txt").code == 0
        shutil.copy(ledger, f"{year}.db")
    Path("out/note.txt.cert.json").unlink()
    with closing(sqlite3.connect("2024.db")) as before:
        rows = before.execute("SELECT * FROM releases").fetchall()
        seals = before.execute("SELECT * FROM alike WHERE release <> x''").fetchall()

    def put_back(database: sqlite3.Connection) -> None:
        if what.startswith("releases"):
            fill(database, "releases", [*rows, *rows])
        else:
            database.execute("DELETE FROM releases")
            database.executemany("INSERT INTO releases VALUES (?, ?, ?, ?, ?)", rows)
        if what == "alike":
            fill(database, "alike", [*seals, *seals])
        elif what.endswith("no seals"):
            database.execute("DELETE FROM alike")
        elif what != "releases":
            database.execute("DELETE FROM alike WHERE release <> x'' OR ?", (what[-3:] == "all",))
            database.executemany("INSERT INTO alike VALUES (?, ?)", seals)

    write(ledger, put_back)
    for verb in ("restore", "explain"):
        done = command(verb, "out/note.txt")
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    for verbs in (("ledger", "forget", "note.txt"), ("key", "rotate")):
        done = command(*verbs)
        assert (done.code, done.err.count("\n")) == (2, 1)
    if what == "no seals":  # nor is a seal made over what is left
        (inside / "other.txt").write_text("Call cem@example.com.\n")
        done = command("sanitize", "other.txt", "-o", "out/other.txt")
        assert (done.code, TAKEN_OUT in done.err) == (2, True)


def test_bytes_and_letters_do_not_hide_each_other(command: Command, wards: Path) -> None:
    def laid(database: sqlite3.Connection) -> None:
        rows = database.execute("SELECT * FROM alike").fetchall()
        fill(database, "alike", [*rows, (b"a", b"sixteen letters!"), (b"b", "sixteen letters!")])

    assert command("restore", "out2025/ward/note.txt").code == 0
    write(wards / ".sfumato" / "ledger.db", laid)
    done = command("restore", "out2025/ward/note.txt")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)


def test_a_ledger_with_deleted_rows_gets_no_other_key(command: Command, wards: Path) -> None:
    """A new key would make good what is missing."""
    delete_row(wards, WARDS["2024"])
    done = command("key", "rotate")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert command("restore", "out2025/ward/note.txt").code == 2


def test_where_a_row_was_deleted_nothing_is_forgotten(command: Command, wards: Path) -> None:
    """Put back afterwards, it would be as if nothing had been."""
    ledger = wards / ".sfumato" / "ledger.db"
    shutil.copy(ledger, "before.db")
    delete_row(wards, WARDS["2024"])
    done = command("ledger", "forget", "ward/note.txt")
    assert (done.code, done.err.count("\n"), TAKEN_OUT in done.err) == (2, 1, True)
    shutil.copy("before.db", ledger)
    assert command("restore", "out2025/ward/note.txt").out == WARDS["2025"]


def test_a_forgotten_document_is_not_missed(command: Command, wards: Path) -> None:
    forget = ("ledger", "forget", "ward/note.txt", "--release")
    assert command(*forget, "out2024/ward/note.txt").code == 0
    assert command("restore", "out2025/ward/note.txt").out == WARDS["2025"]
    assert command("key", "rotate").code == 0
    assert command("restore", "out2025/ward/note.txt").out == WARDS["2025"]
    assert command(*forget, "out2025/ward/note.txt").code == 0
    with closing(sqlite3.connect(".sfumato/ledger.db")) as database:
        assert database.execute("SELECT release FROM alike").fetchall() == [(b"",)]


def test_nobody_says_that_a_ledger_is_of_before(command: Command, wards: Path) -> None:
    """Version 3 does not know which rows there are."""
    delete_row(wards, WARDS["2024"])

    def age(database: sqlite3.Connection) -> None:
        database.execute("DROP TABLE alike")
        database.execute("UPDATE meta SET value = x'03' WHERE name = 'format'")

    write(wards / ".sfumato" / "ledger.db", age)
    done = command("restore", "out2025/ward/note.txt")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)


def test_a_link_to_another_release_or_its_folder_is_not_its_place(
    command: Command, wards: Path
) -> None:
    without_row(wards, WARDS["2024"])
    shutil.rmtree("out2024/ward")
    Path("out2024/ward").symlink_to("../out2025/ward")
    assert command("restore", "out2024/ward/note.txt").code == 2
    Path("out2024/ward").unlink()
    Path("out2025/ward").rename("out2024/ward")
    Path("out2025/ward").symlink_to("../out2024/ward")
    for certificate in Path().rglob("*.cert.json"):
        certificate.unlink()
    assert command("restore", "out2024/ward/note.txt").code == 2


def test_a_place_is_the_same_by_whatever_way_it_is_named(command: Command, inside: Path) -> None:
    (inside / "a.txt").write_text(WARDS["2024"])
    (inside / "deep").mkdir()
    (inside / "link").symlink_to("deep")
    command("sanitize", "a.txt", "-o", "link/../link/out.txt")
    Path("deep/out.txt.cert.json").unlink()
    for name in ("link/out.txt", "deep/out.txt", "deep/../deep/out.txt", inside / "deep/out.txt"):
        assert command("restore", str(name)).out == WARDS["2024"]


@pytest.mark.parametrize(
    "way", ["2024/d/../note.txt", "2024/d/../../2025/note.txt", "2024/d/./../note.txt"]
)
def test_dots_behind_a_link_lead_where_the_link_does(
    command: Command, inside: Path, way: str
) -> None:
    for year, text in WARDS.items():
        (inside / year / "sub").mkdir(parents=True)
        (inside / "note.txt").write_text(text)
        assert command("sanitize", "note.txt", "-o", f"{year}/note.txt").code == 0
    Path("2024/d").symlink_to("../2025/sub")
    Path("2025/note.txt.cert.json").unlink()
    assert command("restore", way).out == WARDS["2025"]


def test_a_ledger_in_another_office_of_the_same_shape_has_not_its_releases(
    command: Command,
    wards: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Moved as a whole, an office goes on by its certificates; while the other one stands, it does not."""
    copy = shutil.copytree(wards, tmp_path_factory.mktemp("copy") / "office")
    monkeypatch.chdir(copy)
    for more in ((), ("--name", "ward/note.txt")):
        assert command("restore", "out2024/ward/note.txt", *more).code == 2
    wards.rename(copy.parent / "gone")
    release = "out2024/ward/note.txt"
    assert command("restore", release).code == 2  # that of 2025 may have moved here
    done = command("restore", release, "--certificate", f"{release}.cert.json")
    assert (done.code, done.out) == (0, WARDS["2024"])


def test_a_link_that_leads_elsewhere_later_joins_no_places(command: Command, inside: Path) -> None:
    for year, text in WARDS.items():
        (inside / year).mkdir()
        Path("current").unlink(missing_ok=True)
        Path("current").symlink_to(year)
        (inside / "note.txt").write_text(text)
        assert command("sanitize", "note.txt", "-o", "current/note.txt").code == 0
        assert command("restore", "current/note.txt").out == text
    refused = command("ledger", "forget", "note.txt")
    assert (refused.code, "say which with --release" in refused.err) == (2, True)
    Path("2025/note.txt.cert.json").unlink()
    done = command("ledger", "forget", "note.txt", "--release", "current/note.txt")
    assert "1 release forgotten" in done.err
    done = command("restore", "current/note.txt")
    assert (done.code, done.out) == (2, "")
    assert command("restore", "2024/note.txt").out == WARDS["2024"]


@pytest.mark.parametrize("beside", ["2024", "2025", None])
def test_of_a_release_that_moved_nothing_is_forgotten_that_another_may_be(
    command: Command, wards: Path, beside: str | None
) -> None:
    certificates = {year: Path(f"out{year}/ward/note.txt.cert.json").read_bytes() for year in WARDS}
    Path("kept").mkdir()
    Path("out2024/ward/note.txt").rename("kept/note.txt")
    if beside is not None:
        Path("kept/note.txt.cert.json").write_bytes(certificates[beside])
    forget = ("ledger", "forget", "ward/note.txt", "--release", "kept/note.txt")
    refused = command(*forget)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert str(wards / "out2024/ward/note.txt") in refused.err
    Path("kept/note.txt").rename("out2024/ward/note.txt")
    assert "1 release forgotten" in command(*forget[:-1], "out2024/ward/note.txt").err
    Path("out2024/ward/note.txt").rename("kept/note.txt")
    assert command(*forget).code == 2  # once more: it is not the other one's turn
    assert command("restore", "out2025/ward/note.txt").out == WARDS["2025"]


@pytest.mark.parametrize("laid", ["other", "invented"])
def test_of_a_release_that_moved_its_bytes_say_what_is_forgotten(
    command: Command, inside: Path, laid: str
) -> None:
    for who, text in (("ann", "Write to ann@example.org."), ("bob", "Call bob@example.net.")):
        (inside / "note.txt").write_text(text)
        assert command("sanitize", "note.txt", "-o", f"{who}/note.txt").code == 0
    Path("moved").mkdir()
    Path("ann/note.txt").rename("moved/note.txt")
    made = json.loads(Path("bob/note.txt.cert.json").read_text())
    made["document"]["name"] = "note.txt" if laid == "other" else "x.txt"
    Path("moved/note.txt.cert.json").write_text(json.dumps(made))
    forget = ("ledger", "forget", "note.txt", "--release", "moved/note.txt")
    refused = command(*forget)
    assert (refused.code, "put the right one beside it" in refused.err) == (2, True)
    Path("moved/note.txt.cert.json").unlink()
    assert "1 release forgotten" in command(*forget).err
    assert command("restore", "bob/note.txt").out == "Call bob@example.net."


def test_without_a_certificate_nothing_is_forgotten_that_several_could_be(
    command: Command, wards: Path
) -> None:
    for year in WARDS:
        shutil.move(f"out{year}/ward/note.txt", f"{year}.txt")
    done = command("ledger", "forget", "ward/note.txt", "--release", "2024.txt")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "put it there, or give that file" in done.err
    shutil.move("out2025/ward/note.txt.cert.json", "2024.txt.cert.json")  # laid there by somebody
    shutil.move("2024.txt", "out2024/ward/note.txt")
    shutil.move("2024.txt.cert.json", "out2024/ward/note.txt.cert.json")
    done = command("ledger", "forget", "ward/note.txt", "--release", "out2024/ward/note.txt")
    assert (done.code, "put the right one beside it" in done.err) == (2, True)


def test_a_release_that_moved_or_was_renamed_is_restored(command: Command, inside: Path) -> None:
    """Moved, with its certificate; renamed, by the name of its document."""
    (inside / "a.txt").write_text("Ask ann@example.org\n")
    command("sanitize", "a.txt", "-o", "out/a.txt")
    Path("kept").mkdir()
    for name in ("a.txt", "a.txt.cert.json"):
        Path(f"out/{name}").rename(f"kept/{name}")
    done = command("restore", "kept/a.txt")
    assert done.out == "Ask ann@example.org\n"
    assert f"is taken for 'a.txt', written to {inside / 'out/a.txt'}" in done.err
    Path("kept/a.txt").rename("b.txt")
    done = command("restore", "b.txt")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "say so with --name" in done.err
    assert command("restore", "b.txt", "--name", "a.txt").out == "Ask ann@example.org\n"
