"""The embedded entity database: matching, restricting, labels, readers, the cache, other versions."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sfumato.errors import InputError
from sfumato.know.entities.contexts import default_cache, load_arrays
from sfumato.know.entities.imports import Builder, EntityLabel, Right
from sfumato.know.entities.sqlite import SqliteEntities

DISEASES = {
    "AIDS": ["weight loss", "night sweats", "fatigue", "fever"],
    "Flu": ["fever", "cough", "fatigue"],
    "Cold": ["cough", "sneezing"],
    "Tuberculosis": ["night sweats", "weight loss", "coughs", "fever"],
}


def make(
    folder: Path,
    contexts: dict[str, list[str]],
    labels: Iterable[EntityLabel] = (),
    rights: Iterable[Right] = (),
) -> SqliteEntities:
    builder = Builder()
    for name, terms in contexts.items():
        builder.add([name] * len(terms), terms)
    builder.labels = list(labels)
    builder.rights = list(rights)
    path = folder / "made.entities"
    builder.write(path, cache=folder / "cache")
    return SqliteEntities(path, cache=folder / "cache")


@pytest.fixture
def diseases(tmp_path: Path) -> SqliteEntities:
    return make(
        tmp_path,
        DISEASES,
        labels=[
            EntityLabel("AIDS", "protected"),
            EntityLabel("Tuberculosis", "protected"),
            EntityLabel("Tuberculosis", "lungs"),
            EntityLabel("Cold", "lungs"),
        ],
        rights=[
            Right("lung clinic", "label", "lungs"),
            Right("head", "all", ""),
            Right("virologist", "entity", "AIDS"),
        ],
    )


def found(database: SqliteEntities, text: str) -> list[tuple[str, str]]:
    matches = database.match(text)
    terms = database.terms(m.term for m in matches)
    return [(text[m.start : m.end], term) for m, term in zip(matches, terms, strict=True)]


def test_a_document_is_matched_and_restricted(diseases: SqliteEntities) -> None:
    text = "Fever and night-sweats, then coughing fits and a cough."
    assert found(diseases, text) == [
        ("Fever", "fever"),
        ("night-sweats", "night sweats"),
        ("cough", "cough"),
    ]
    ids = [m.term for m in diseases.match(text)]
    contexts = diseases.restrict(ids)
    assert len(contexts) == len(diseases) == 4
    rows = {n: contexts.of(i).tolist() for i, n in enumerate(diseases.names(range(4)))}
    assert rows == {"AIDS": [0, 1], "Cold": [2], "Flu": [0, 2], "Tuberculosis": [0, 1, 2]}
    assert contexts.indptr.dtype == np.int64
    assert contexts.indices.dtype == np.int32
    assert contexts.terms.tolist() == ids


def test_restricting_to_nothing_leaves_every_entity_empty(diseases: SqliteEntities) -> None:
    contexts = diseases.restrict([])
    assert len(contexts) == 4
    assert len(contexts.indices) == 0


@pytest.mark.parametrize("term", [-1, 99])
def test_a_term_that_does_not_exist_is_an_error(diseases: SqliteEntities, term: int) -> None:
    with pytest.raises(ValueError, match="term id"):
        diseases.restrict([term])


def test_an_entity_is_shown_with_labels_and_context(diseases: SqliteEntities) -> None:
    shown = diseases.entity("tuberculosis")
    assert shown.name == "Tuberculosis"
    assert shown.labels == ("lungs", "protected")
    assert shown.context == (
        ("cough", 1.0),
        ("fever", 1.0),
        ("night sweats", 1.0),
        ("weight loss", 1.0),
    )


def test_an_unknown_or_ambiguous_entity_is_an_error(tmp_path: Path) -> None:
    database = make(tmp_path, {"Mercury": ["planet"], "mercury": ["metal"]})
    assert database.entity("mercury").context == (("metal", 1.0),)
    with pytest.raises(InputError, match="several entities are like"):
        database.entity("MERCURY")
    with pytest.raises(InputError, match="no entity 'Ven"):
        database.entity("Ven\udcffus")
    assert not len(database.labelled("lungs\ud83d"))
    with pytest.raises(InputError, match="no entity 'Venus'"):
        database.entity("Venus")


def test_what_is_protected_depends_on_the_reader(diseases: SqliteEntities) -> None:
    def protected(reader: str | None) -> list[str]:
        return diseases.names(diseases.protected(reader))

    assert diseases.labels() == {"lungs": 2, "protected": 2}
    assert diseases.readers() == ["head", "lung clinic", "virologist"]
    assert protected(None) == ["AIDS", "Tuberculosis"]
    assert protected("lung clinic") == ["AIDS"]
    assert protected("virologist") == ["Tuberculosis"]
    assert protected("head") == []
    assert diseases.names(diseases.visible("lung clinic")) == ["Cold", "Flu", "Tuberculosis"]


def test_an_unknown_reader_is_an_error(diseases: SqliteEntities) -> None:
    with pytest.raises(InputError, match="no reader 'press'; known: head, lung clinic, virologist"):
        diseases.protected("press")


def test_the_cache_is_private_and_holds_no_text(diseases: SqliteEntities) -> None:
    folder = diseases.path.parent / "cache" / diseases.digest
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    files = sorted(folder.iterdir())
    assert [f.name for f in files] == [
        "indices.npy",
        "indptr.npy",
        "term_entities.npy",
        "term_indptr.npy",
    ]
    for file in files:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert np.load(file, allow_pickle=False).dtype in (np.int32, np.int64)
    assert stat.S_IMODE(diseases.path.stat().st_mode) == 0o600


@pytest.mark.parametrize("harm", ["gone", "cut", "foreign"])
def test_a_missing_or_damaged_cache_is_made_again(diseases: SqliteEntities, harm: str) -> None:
    cache = diseases.path.parent / "cache"
    before = diseases.restrict([0, 1]).indices.tolist()
    array = cache / diseases.digest / "term_entities.npy"
    if harm == "gone":
        array.unlink()
    elif harm == "cut":
        array.write_bytes(array.read_bytes()[:-3])
    else:
        np.save(array, np.zeros(3, dtype=np.int32))
    with SqliteEntities(diseases.path, cache=cache) as again:
        assert again.restrict([0, 1]).indices.tolist() == before
    assert len(np.load(array)) == diseases.size[2]


def test_a_cache_that_cannot_be_written_is_done_without(diseases: SqliteEntities) -> None:
    blocked = diseases.path.parent / "a file"
    blocked.write_text("")
    with SqliteEntities(diseases.path, cache=blocked) as again:
        assert len(again.restrict([0]).indices) == len(diseases.restrict([0]).indices)


def test_the_users_cache_folder_is_the_default(
    diseases: SqliteEntities, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert SqliteEntities(diseases.path).size == diseases.size
    assert (tmp_path / "xdg/sfumato/entities" / diseases.digest / "indptr.npy").exists()
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_cache() == tmp_path / ".cache/sfumato/entities"


def test_a_file_changed_by_another_tool_is_not_answered_from_the_old_cache(
    diseases: SqliteEntities,
) -> None:
    before, cache = diseases.digest, diseases.path.parent / "cache"
    diseases.close()
    with closing(sqlite3.connect(diseases.path)) as tool:
        cold = b"".join(int(t).to_bytes(4, "little") for t in range(2))
        tool.execute("UPDATE entities SET context = ? WHERE name = 'Cold'", (cold,))
        tool.commit()
    with SqliteEntities(diseases.path, cache=cache) as changed:
        assert changed.digest != before
        assert changed.restrict([0, 1]).of(changed.entity("Cold").id).tolist() == [0, 1]


def test_the_hash_made_again_is_the_one_of_the_import(diseases: SqliteEntities) -> None:
    before = diseases.digest
    with closing(sqlite3.connect(diseases.path)) as tool:
        tool.execute("UPDATE entities SET name = name")
        tool.commit()
        assert not tool.execute("SELECT * FROM meta WHERE key = 'digest'").fetchall()
    assert SqliteEntities(diseases.path).digest == before


def test_a_hash_that_a_file_claims_for_itself_is_not_believed(
    diseases: SqliteEntities, tmp_path: Path
) -> None:
    """Neither as its fingerprint, nor as the name of a folder."""
    (tmp_path / "other").mkdir()
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "text").write_text("years of work")
    other = make(tmp_path / "other", {**DISEASES, "Cold": ["cough", "fever"]})
    theirs, cache = other.digest, diseases.path.parent / "cache"
    other.close()
    for claimed in (diseases.digest, str(tmp_path / "thesis"), "../thesis"):
        with closing(sqlite3.connect(other.path)) as tool:
            tool.execute("INSERT OR REPLACE INTO meta VALUES ('digest', ?)", (claimed,))
            tool.commit()
        with SqliteEntities(other.path, cache=cache) as forged:
            assert forged.digest == theirs
            assert forged.entity("Cold").id == 1
            forged.contexts()
    assert (tmp_path / "thesis" / "text").read_text() == "years of work"
    with SqliteEntities(diseases.path, cache=cache) as again:
        assert again.contexts()[1].tolist() == diseases.contexts()[1].tolist()


def test_a_cache_that_others_may_change_is_not_used(diseases: SqliteEntities) -> None:
    cache = diseases.path.parent / "cache"
    before = diseases.restrict([0, 1]).indices.tolist()
    array = cache / diseases.digest / "term_entities.npy"
    np.save(array, np.load(array)[::-1])
    for path in (array.parent, cache):
        path.chmod(0o777)
        with SqliteEntities(diseases.path, cache=cache) as again:
            assert again.restrict([0, 1]).indices.tolist() == before
        path.chmod(0o700)


def test_labels_are_no_part_of_the_hash(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    plain = make(tmp_path / "a", DISEASES)
    labelled = make(tmp_path / "b", DISEASES, labels=[EntityLabel("Flu", "protected")])
    assert plain.digest == labelled.digest


def test_how_a_term_is_written_counts_in_the_digest(diseases: SqliteEntities) -> None:
    before = diseases.digest
    with closing(sqlite3.connect(diseases.path)) as tool:
        tool.execute("UPDATE terms SET term = upper(term) WHERE id = 0")
        tool.commit()
    with SqliteEntities(diseases.path) as other:
        assert other.digest != before


_ANEW = "ALTER TABLE terms RENAME TO old; CREATE TABLE terms (id, normal, term);"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("UPDATE meta SET value = '0' WHERE key = 'format'", "of format 0.*make it again with"),
        ("UPDATE meta SET value = '0' WHERE key = 'rules'", "by rules 0.*make it again with"),
        ("DROP TABLE terms", "damaged"),
        ("PRAGMA application_id = 1", "not an entity database"),
        ("DELETE FROM entities WHERE id = 1", "damaged"),
        ("UPDATE entities SET context = x'010203' WHERE id = 1", "damaged"),
        ("UPDATE entities SET context = x'ffffff7f' WHERE id = 1", "damaged"),
        ("UPDATE entities SET context = 'four' WHERE id = 1", "damaged"),
        ("UPDATE entities SET context = x'ffffffff' WHERE id = 1", "damaged"),
        ("UPDATE entities SET name = x'00' WHERE id = 1", "damaged"),
        ("UPDATE entities SET name = CAST(x'ff' AS TEXT) WHERE id = 1", "damaged"),
        ("UPDATE entities SET weights = x'00' WHERE id = 1", "damaged"),
        ("UPDATE entities SET weights = zeroblob(length(context)) WHERE id = 1", "damaged"),
        ("UPDATE terms SET normal = '' WHERE id = 0", "damaged"),
        ("UPDATE terms SET normal = CAST(x'ff' AS TEXT) WHERE id = 0", "damaged"),
        ("UPDATE terms SET term = x'ff' WHERE id = 0", "damaged"),
        ("INSERT INTO labels VALUES (x'ff', 0)", "damaged"),
        ("INSERT INTO labels VALUES ('protected', 99)", "damaged"),
        ("INSERT INTO labels VALUES ('protected', 'Flu')", "damaged"),
        ("INSERT INTO readers VALUES (x'ff', 'all', '')", "damaged"),
        ("UPDATE meta SET value = CAST(x'ff' AS TEXT)", "damaged"),
        (f"{_ANEW} INSERT INTO terms SELECT id, NULL, term FROM old", "damaged"),
        (f"{_ANEW} INSERT INTO terms SELECT min(id, 1), normal, term FROM old", "damaged"),
        (f"{_ANEW} INSERT INTO terms SELECT id * 1.0, normal, term FROM old", "damaged"),
    ],
)
def test_another_version_and_damage_are_told(
    diseases: SqliteEntities, change: str, message: str
) -> None:
    diseases.close()
    with closing(sqlite3.connect(diseases.path)) as tool:
        tool.executescript(change)
    with pytest.raises(InputError, match=message):
        SqliteEntities(diseases.path, cache=diseases.path.parent / "new").restrict([0])
    if "SET context" in change:
        with pytest.raises(InputError, match=message):
            SqliteEntities(diseases.path).entity("Cold")


def test_the_first_databases_which_name_no_rules_are_read(diseases: SqliteEntities) -> None:
    before = found(diseases, "Night sweats")
    diseases.close()
    with closing(sqlite3.connect(diseases.path)) as tool:
        tool.execute("DELETE FROM meta WHERE key = 'rules'")
        tool.commit()
    with SqliteEntities(diseases.path, cache=diseases.path.parent / "new") as again:
        assert found(again, "Night sweats") == before != []


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such entity database; make one with"):
        SqliteEntities(tmp_path / "none")
    (tmp_path / "text").write_text("entity,term\n" * 100)
    with pytest.raises(InputError, match="not an entity database"):
        SqliteEntities(tmp_path / "text")
    (tmp_path / "empty").write_text("")
    with pytest.raises(InputError, match="not an entity database"):
        SqliteEntities(tmp_path / "empty")


def test_reading_does_not_change_the_file(diseases: SqliteEntities) -> None:
    before = diseases.path.read_bytes()
    diseases.match("fever")
    diseases.restrict([0])
    assert diseases.path.read_bytes() == before


def test_a_database_may_be_asked_by_another_thread(diseases: SqliteEntities) -> None:
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: found(diseases, "a cough"), range(20)))
    assert answers == [[("cough", "cough")]] * 20


def test_restricting_a_large_database_is_quick(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    builder = Builder()
    for start in range(0, 20_000, 1000):
        names = [f"e{start + i}" for i in range(1000) for _ in range(20)]
        builder.add(names, [f"t{n}" for n in random.integers(0, 2000, 20_000).tolist()])
    builder.write(tmp_path / "made.entities", cache=tmp_path / "cache")
    with SqliteEntities(tmp_path / "made.entities", cache=tmp_path / "cache") as database:
        database.restrict([0])
        begin = time.process_time()
        database.restrict(list(range(200)))
        assert time.process_time() - begin < 0.5
    assert os.listdir(tmp_path / "cache")  # noqa: PTH208


def test_entities_are_written_where_nobody_else_may_change_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite follows links: whoever may write to the output folder could put one there meanwhile."""
    (tmp_path / "out").mkdir()
    written, connect = [], sqlite3.connect

    def look(name: str | Path, *arguments: Any, **options: Any) -> sqlite3.Connection:
        if not options.get("uri"):
            folder = Path(name).parent
            written.append((folder, stat.S_IMODE(folder.stat().st_mode)))
        opened: sqlite3.Connection = connect(name, *arguments, **options)
        return opened

    monkeypatch.setattr(sqlite3, "connect", look)
    builder = Builder()
    builder.add(["Flu"], ["fever"])
    builder.write(tmp_path / "out" / "made.entities", cache=tmp_path / "cache")
    ((folder, mode),) = written
    assert folder != tmp_path / "out"
    assert mode == 0o700
    assert not folder.exists()
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["made.entities"]


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE entities RENAME TO e; CREATE VIEW entities AS SELECT id, name, normal, "
        "CASE WHEN random() > 0 THEN context ELSE x'' END AS context, weights FROM e",
        "ALTER TABLE terms RENAME TO t; CREATE VIEW terms AS WITH RECURSIVE n(id) AS "
        "(SELECT 0 UNION ALL SELECT id + 1 FROM n) SELECT id, 'x' AS normal, 'x' AS term FROM n",
        "ALTER TABLE entities ADD COLUMN more AS (upper(name))",
        "CREATE TRIGGER t AFTER UPDATE ON meta BEGIN DELETE FROM meta; END",
        "CREATE VIRTUAL TABLE other USING fts5(a)",
    ],
)
def test_what_is_read_was_stored(diseases: SqliteEntities, change: str) -> None:
    """A view may answer otherwise each time: the rows of a forgery would be kept under a genuine hash."""
    with sqlite3.connect(diseases.path) as database:
        database.executescript(change)
    with pytest.raises(InputError, match="more than tables"):
        SqliteEntities(diseases.path)


def test_the_rows_are_read_once_for_the_hash_and_what_is_kept_under_it(
    diseases: SqliteEntities, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    digest, size, query = diseases.digest, diseases.size, SqliteEntities._query

    def count(self: SqliteEntities, text: str, *values: object) -> list[Any]:
        asked.append(text)
        return query(self, text, *values)

    monkeypatch.setattr(SqliteEntities, "_query", count)
    again = SqliteEntities(diseases.path, cache=diseases.path.parent / "other")
    assert (again.digest, again.size) == (digest, size)
    assert sum("context" in text for text in asked) == 1


def test_another_database_does_not_get_the_hash_by_joining_its_terms(
    diseases: SqliteEntities,
) -> None:
    with closing(sqlite3.connect(diseases.path)) as tool:
        terms = [text for (text,) in tool.execute("SELECT normal FROM terms ORDER BY id")]
        tool.execute("UPDATE terms SET normal = ? WHERE id = 0", ("\0".join(terms[:2]),))
        tool.execute("DELETE FROM terms WHERE id = 1")
        tool.commit()
    with pytest.raises(InputError, match="damaged"):
        SqliteEntities(diseases.path).digest  # noqa: B018


def test_arrays_below_a_folder_of_others_are_neither_read_nor_made(
    diseases: SqliteEntities, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own"))
    with SqliteEntities(diseases.path) as made:
        made.contexts()
    folder = default_cache() / diseases.digest
    assert load_arrays(folder, *diseases.size[:2]) is not None
    default_cache().parent.chmod(0o770)
    assert load_arrays(folder, *diseases.size[:2]) is None
    folder.rename(folder.with_name("moved"))
    with SqliteEntities(diseases.path) as made:
        made.contexts()
    assert [path.name for path in default_cache().iterdir()] == ["moved"]
