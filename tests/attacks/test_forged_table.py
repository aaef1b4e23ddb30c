"""Certificates of tables that somebody without the key makes up, and what a receiver is told who skips the
signature; and what one with the signature is told of columns that nobody looked at."""

from __future__ import annotations

import hashlib
import io
import json
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as arrow
import pyarrow.parquet as parquet
import pytest
from openpyxl.comments import Comment
from openpyxl.workbook.defined_name import DefinedName

from sfumato import keys
from sfumato.release import certificate
from tests.cli.conftest import Sfumato as Command
from tests.cli.conftest import sfumato as command

__all__ = ["command"]  # a fixture
RULES = """
detect: [patterns, personal]
table:
  k: 2
  columns: {id: direct, age: {role: quasi, type: number}, note: text}
"""
SKIPPED = ("certificate is genuine", "hidden terms gone", "direct identifiers gone")


@pytest.fixture
def template(command: Command, inside: Path) -> dict[str, Any]:
    """The certificate of a table with nothing in it, made by the forger."""
    (inside / "p.yaml").write_text(RULES)
    (inside / "f.csv").write_text("id,age,note\n1,30,fine\n2,30,fine\n")
    assert command("anonymize", "f.csv", "-p", "p.yaml", "-o", "out/f.csv").code == 0
    found: dict[str, Any] = json.loads(Path("out/f.csv.cert.json").read_text())
    return found


def verdict(
    command: Command,
    made: dict[str, Any],
    data: bytes,
    *more: str,
    name: str = "g.csv",
    **said: Any,
) -> str:
    """What is said of k-anonymity."""
    made["document"]["name"] = name
    made["output"] = "sha256:" + hashlib.sha256(data).hexdigest()
    made["claims"][0].update(said)
    Path(name).write_bytes(data)
    Path(f"{name}.cert.json").write_text(json.dumps(made))
    skips = [word for name in SKIPPED for word in ("--skip", name)]
    done = command("verify", name, "-p", "p.yaml", "--json", *skips, *more)
    checks: dict[str, str] = {
        check["check"]: check["verdict"] for check in json.loads(done.out)["checks"]
    }
    assert (done.code == 0) == (checks["k-anonymous"] == "holds")
    return checks["k-anonymous"]


def test_formulas_show_what_nobody_has_looked_at(
    command: Command, template: dict[str, Any]
) -> None:
    words = b'"=CHAR(77)&CHAR(97)"'
    data = b"id,age,note\nP1,30," + words + b"\nP2,30,fine\n"
    assert verdict(command, template, data) == "does not hold"


@pytest.mark.parametrize("encoding", ["hz", "iso2022_jp"])
@pytest.mark.parametrize("more", [(), ("--encoding", "utf-8")])
def test_a_table_is_not_read_in_an_encoding_that_hides_its_words(
    command: Command, template: dict[str, Any], encoding: str, more: tuple[str, ...]
) -> None:
    before, after = {"hz": (b"~{", b"~}"), "iso2022_jp": (b"\x1b$B", b"\x1b(B")}[encoding]
    words = before + b"_Margaret_Holloway_07700900123" + after
    data = b"id,age,note\nP1,30," + words + b"\nP2,30,fine\n"
    template["document"]["encoding"] = encoding
    assert verdict(command, template, data, *more, encoding=encoding) == "does not hold"


@pytest.mark.parametrize("kind", ["AGE", "ADDRESS", "DATE"])
@pytest.mark.parametrize(
    "said",
    [
        ("30 Elm Street", "30 Oak Avenue"),
        ("30 May 2031", "30 June 2029"),
        ("30 Elm Street, Boston", "30 Oak Avenue, Dublin"),
    ],
)
def test_a_number_of_a_column_covers_no_address_and_no_day(
    command: Command, template: dict[str, Any], said: tuple[str, str], kind: str
) -> None:
    texts = [f"seen on {each} here" for each in said]
    rows = "".join(f'P{n},30,"{text}"\n' for n, text in enumerate(texts))
    column = [f"{n} 8 {8 + len(each)} {kind} age" for n, each in enumerate(said)]
    data = f"id,age,note\n{rows}".encode()
    assert verdict(command, template, data, terms={"note": {"column": column}}) == "does not hold"


def test_with_the_signature_it_is_told_which_columns_were_looked_at(
    command: Command, inside: Path
) -> None:
    (inside / "s.csv").write_text("note,other\nAsk ann@example.org,bob@example.org\n")
    command("sanitize", "s.csv", "--columns", "note", "-o", "out/s.csv")
    public = command("key", "public").out.strip()
    for more in (("--public-key", public), ("--ledger", ".sfumato/ledger.db")):
        done = command("verify", "out/s.csv", "--json", *more)
        assert done.code == 0
        claims = [c for c in json.loads(done.out)["checks"] if "certified" not in c["check"]][1:]
        assert len(claims) > 3
        assert all(claim["detail"].endswith("in 'note' alone") for claim in claims)


def test_no_text_is_read_again_and_again_for_places_over_one_another(
    command: Command, template: dict[str, Any]
) -> None:
    data = b"id,age,note\nP1,30,aged 30 now\nP2,30,aged 30 now\n"
    for many, told in ((1, "holds"), (6, "does not hold"), (50_000, "does not hold")):
        column = [f"{row} 5 7 AGE age" for row in (0, 1)] * many
        assert verdict(command, template, data, terms={"note": {"column": column}}) == told
    labels = [f"[PERSON {n}]" for n in range(3000)]
    text = "[PERSON " * 3000 + "born on 3 May 2031 " * 300
    began = time.process_time()
    data = f"id,age,note\nP1,30,{text}\nP2,30,{text}\n".encode()
    verdict(command, template, data, terms={}, labels=labels)
    assert time.process_time() - began < 12


WHO = "Margaret Holloway 07700900123"
Book = Any  # of openpyxl


def changed(data: bytes, change: Callable[[Book], object]) -> bytes:
    book, out = openpyxl.load_workbook(io.BytesIO(data)), io.BytesIO()
    change(book)
    book.save(out)
    return out.getvalue()


def with_part(data: bytes, name: str, body: str) -> bytes:
    out = io.BytesIO(data)
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr(name, body)
    return out.getvalue()


HIDING: dict[str, Callable[[bytes], bytes]] = {
    "a cell beside the header": lambda d: changed(d, lambda b: b.active.cell(99, 26, WHO)),
    "a comment": lambda d: changed(
        d, lambda b: setattr(b.active["A2"], "comment", Comment(WHO, "a"))
    ),
    "a page's header": lambda d: changed(
        d, lambda b: setattr(b.active.oddHeader.center, "text", WHO)
    ),
    "the sheet's name": lambda d: changed(d, lambda b: setattr(b.active, "title", WHO)),
    "a defined name": lambda d: changed(
        d, lambda b: b.defined_names.add(DefinedName("n", attr_text=f'"{WHO}"'))
    ),
    "a number's format": lambda d: changed(
        d, lambda b: setattr(b.active["B2"], "number_format", f'"{WHO}"0')
    ),
    "a property": lambda d: changed(d, lambda b: setattr(b.properties, "title", WHO)),
    "another part": lambda d: with_part(d, "customXml/item1.xml", f"<a>{WHO}</a>"),
    "the archive's comment": lambda d: d[:-2] + len(WHO).to_bytes(2, "little") + WHO.encode(),
    "what stands before it": lambda d: WHO.encode() + d,
}


@pytest.fixture
def stored(command: Command, inside: Path) -> Callable[[str], tuple[dict[str, Any], bytes]]:
    """The release of a table with nothing in it as a file of some kind, and its certificate."""

    def made(ending: str) -> tuple[dict[str, Any], bytes]:
        (inside / "p.yaml").write_text(RULES)
        rows = [("id", "age", "note"), (1, 30, "fine"), (2, 30, "fine")]
        if ending == "xlsx":
            book = openpyxl.Workbook()
            for row in rows:
                book.active.append(row)
            book.save("f.xlsx")
        else:
            columns = [list(column) for column in zip(*rows[1:], strict=True)]
            parquet.write_table(arrow.table(columns, names=list(rows[0])), "f.parquet")
        done = command("anonymize", f"f.{ending}", "-p", "p.yaml", "-o", f"out/f.{ending}")
        assert done.code == 0, done.err
        release = Path(f"out/f.{ending}")
        return json.loads(Path(f"{release}.cert.json").read_text()), release.read_bytes()

    return made


@pytest.mark.parametrize("where", [None, *HIDING])
def test_what_stands_in_a_workbook_beside_its_cells_is_not_passed_over(
    command: Command, stored: Callable[[str], tuple[dict[str, Any], bytes]], where: str | None
) -> None:
    template, data = stored("xlsx")
    for format, columns in (("table/excel", []), ("excel", ["id", "age", "note"])):
        template["document"] |= {"format": format, "columns": columns}
        if where is None:
            assert verdict(command, template, data, name="g.xlsx") == "holds"
        else:
            forged = HIDING[where](data)
            assert verdict(command, template, forged, name="g.xlsx") == "cannot be checked"


def test_metadata_and_gaps_of_a_parquet_file_are_not_passed_over(
    command: Command, stored: Callable[[str], tuple[dict[str, Any], bytes]]
) -> None:
    template, data = stored("parquet")
    assert verdict(command, template, data, name="g.parquet") == "holds"
    table, out = parquet.read_table(io.BytesIO(data)), io.BytesIO()
    parquet.write_table(table.replace_schema_metadata({b"who": WHO.encode()}), out)
    footer = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    for forged in (out.getvalue(), data[:footer] + WHO.encode() + data[footer:]):
        assert verdict(command, template, forged, name="g.parquet") == "cannot be checked"


SAME_WORDS = [(36, "36"), (36, 36.0), (0.3, 0.30000000000000004), (True, "true"), (None, "")]


@pytest.mark.parametrize("ages", SAME_WORDS)
def test_cells_that_read_the_same_and_are_written_otherwise_tell_persons_apart(
    command: Command, inside: Path, ages: tuple[Any, Any]
) -> None:
    (inside / "p.yaml").write_text(
        "detect: [patterns]\ntable: {k: 2, empty: keep-empty, columns: {id: direct, age: quasi}}\n"
    )
    (inside / "f.csv").write_text("id,age\n1,36\n2,36\n")
    assert command("anonymize", "f.csv", "-p", "p.yaml", "-o", "out/f.csv").code == 0
    made = json.loads(Path("out/f.csv.cert.json").read_text())
    for age, said in ((ages[1], "does not hold"), (ages[0], "holds")):
        rows = [{"id": "P1", "age": ages[0]}, {"id": "P2", "age": age}]
        data = "".join(json.dumps(row) + "\n" for row in rows).encode()
        made["document"]["format"] = "table/jsonl"
        assert verdict(command, made, data, name="g.jsonl", form="jsonl") == said


@pytest.mark.parametrize(
    ("form", "rows"),
    [
        ("csv", 'id,age\nP1,36\nP2,"36"\n'),
        ("csv", "id,age\nP1,36\nP2,36\r\n"),
        ("jsonl", '{"id": "P1", "age": "Zoe"}\n{"id": "P2", "age": "\\u005aoe"}\n'),
        ("jsonl", '{"id": "P1", "age": 1.0}\n{"id": "P2", "age": 1e0}\n'),
        ("jsonl", '{"id": "P1", "age": 36}\n{"id": "P2",  "age": 36}\n'),
    ],
)
def test_quotes_and_escapes_that_need_not_be_are_not_passed_over(
    command: Command, inside: Path, form: str, rows: str
) -> None:
    (inside / "p.yaml").write_text(
        "detect: [patterns]\ntable: {k: 2, columns: {id: direct, age: quasi}}\n"
    )
    (inside / "f.csv").write_text("id,age\n1,36\n2,36\n")
    assert command("anonymize", "f.csv", "-p", "p.yaml", "-o", "out/f.csv").code == 0
    made = json.loads(Path("out/f.csv.cert.json").read_text())
    made["document"]["format"] = f"table/{form}"
    said = verdict(command, made, rows.encode(), name=f"g.{form}", form=form)
    assert said == "cannot be checked"


ANN, BOB = "ann.30@example.org", "bob.30@example.org"
COVERS: list[dict[str, Any]] = [
    {"labels": [ANN, BOB]},
    {"labels": ["ann.30@example", "bob.30@example", ".org"]},
    {"terms": {"note": {"column": [f"{row} 9 {9 + len(ANN)} AGE age" for row in (0, 1)]}}},
    {
        "terms": {
            "note": {"kept": [f"{row} {at} {at + 1} X" for row in (0, 1) for at in range(9, 27)]}
        }
    },
]


@pytest.mark.parametrize("said", COVERS)
def test_what_the_office_says_of_a_text_is_its_word_and_not_the_tables(
    command: Command, template: dict[str, Any], said: dict[str, Any]
) -> None:
    """A key signs anything: labels that are none, a column's value in an address, letters of one."""
    notes = [ANN, "bob.30@example.org" if "kept" not in str(said) else "nna.30@example.org"]
    rows = [f"P{n},30,write to {who} please\n" for n, who in enumerate(notes, 1)]
    public, key = command("key", "public").out.strip(), keys.read(Path(".sfumato/key"))
    for data, forged, told in (
        ("".join(rows), said, "attested"),
        ("".join(rows), {}, "does not hold"),
        ("P1,30,fine\nP2,30,fine\n", {}, "holds"),
    ):
        table, made = f"id,age,note\n{data}".encode(), json.loads(json.dumps(template))
        made["document"]["name"] = "g.csv"
        made["output"] = "sha256:" + hashlib.sha256(table).hexdigest()
        made["claims"][0].update(forged)
        read = certificate.parse(json.dumps(made), "g.csv.cert.json")
        signed = replace(read, signature=key.sign(read.canonical()))
        Path("g.csv").write_bytes(table)
        Path("g.csv.cert.json").write_text(signed.to_json())
        done = command("verify", "g.csv", "-p", "p.yaml", "--json", "--public-key", public)
        checks = {c["check"]: c["verdict"] for c in json.loads(done.out)["checks"]}
        assert checks["certificate is genuine"] == "holds"
        assert checks["k-anonymous"] == told
