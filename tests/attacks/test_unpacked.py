"""A small file that unpacks to gigabytes is refused before it does."""

from __future__ import annotations

import io
import json
import lzma
import random
import time
import tracemalloc
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from unittest.mock import Mock

import pytest

from sfumato import sanitize
from sfumato.errors import InputError
from sfumato.formats import log, parse, table
from sfumato.know.entities.builder import Builder
from sfumato.know.entities.imports import add_corpus
from sfumato.know.statistics import corpus
from sfumato.know.statistics.index_build import IndexSettings, build
from sfumato.policy import load
from tests.protect.tables.tables import release

openpyxl = pytest.importorskip("openpyxl")
arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def workbook(old: bytes, new: bytes, part: str = "xl/worksheets/sheet1.xml") -> bytes:
    """A workbook in whose sheet something else stands."""
    return changed({part: (old, new)})


def changed(
    parts: Mapping[str, tuple[bytes, bytes]], added: Mapping[str, bytes] | None = None
) -> bytes:
    """A workbook in whose parts something else stands, and that has others."""
    book, made, out = openpyxl.Workbook(), io.BytesIO(), io.BytesIO()
    book.active.append(["note", "n"])
    book.active.append(["Ann Lee", 1])
    book.save(made)
    with zipfile.ZipFile(made) as given, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for info in given.infolist():
            data = given.read(info)
            old, new = parts.get(info.filename, (b"", b""))
            assert old in data
            packed.writestr(info.filename, data.replace(old, new) if old else data)
        for name, data in (added or {}).items():
            packed.writestr(name, data)
    return out.getvalue()


def of_rows(column: object, packed: str) -> bytes:
    out = arrow.BufferOutputStream()
    table = arrow.table({"note": column})
    parquet.write_table(table, out, compression=packed, use_dictionary=["note"])
    return bytes(out.getvalue().to_pybytes())


def tall() -> bytes:
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.active["A1"], book.active["XFD1"], book.active["A1048576"] = "note", "n", "Ann Lee"
    book.save(out)
    return out.getvalue()


def blank() -> bytes:
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.active["A1"], book.active["A1000000"] = "note", "Ann Lee"
    book.save(out)
    return out.getvalue()


def long() -> bytes:
    return workbook(b"Ann Lee", b"A" * 210_000_000)


NAMED = {  # one text that is named by many cells
    "xl/worksheets/sheet1.xml": (
        b"</sheetData>",
        b"".join(b'<row><c t="s"><v>0</v></c></row>' for _ in range(300)) + b"</sheetData>",
    ),
    "[Content_Types].xml": (
        b"</Types>",
        b'<Override PartName="/s" ContentType="application/vnd.openxmlformats-officedocument.'
        b'spreadsheetml.sharedStrings+xml"/></Types>',
    ),
}
MAIN = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def named() -> bytes:
    strings = b"<sst %s><si><t>%s</t></si></sst>" % (MAIN, b"A" * 1_000_000)
    return changed(NAMED, {"s": strings})


def named_in_the_header() -> bytes:
    cells = b'<c t="s"><v>0</v></c>' * 300
    header = {"xl/worksheets/sheet1.xml": (b'</row><row r="2">', cells + b'</row><row r="2">')}
    strings = b"<sst %s><si><t>%s</t></si></sst>" % (MAIN, b"A" * 1_000_000)
    return changed(NAMED | header, {"s": strings})


TREES = {
    "styles": ("xl/styles.xml", b"</styleSheet>", b'<a b=""/>'),
    "the manifest": ("[Content_Types].xml", b"</Types>", b'<a b=""/>'),
    "the book": ("xl/workbook.xml", b"</workbook>", b'<a b=""/>'),
    "its relations": ("xl/_rels/workbook.xml.rels", b"</Relationships>", b'<a b=""/>'),
    "beside rows": ("xl/worksheets/sheet1.xml", b"</worksheet>", b'<a b=""/>'),
    "strings beside rows": ("xl/worksheets/sheet1.xml", b"</worksheet>", b"<si><a/></si>"),
    "rows beside styles": ("xl/styles.xml", b"</styleSheet>", b"<row><a/></row>"),
    "within a row": ("xl/worksheets/sheet1.xml", b"</row>", b'<a b=""/>'),
}


@pytest.mark.parametrize("where", TREES)
def test_a_part_of_very_many_elements_is_refused_before_a_tree_is_made(where: str) -> None:
    part, end, unit = TREES[where]
    data = workbook(end, unit * 2_000_000 + end, part)
    tracemalloc.start()
    with pytest.raises(InputError, match=r"^x: unpacks to [0-9,]+ bytes, more than 200,000,000"):
        parse(data, name="x", format="excel", columns=["note"])
    assert tracemalloc.get_traced_memory()[1] < 50_000_000
    tracemalloc.stop()


@pytest.mark.parametrize(
    ("part", "old", "new", "said"),
    [
        ("xl/styles.xml", b'<numFmts count="0" />', b'<numFmts><numFmt numFmtId="170" formatCode="%s"/></numFmts>' % (b"[" * 300), "a number format of over 255 characters"),
        ("xl/styles.xml", b"<styleSheet", b'<!DOCTYPE a [<!ENTITY b "c">]><styleSheet', "not an Excel file"),
        ("xl/workbook.xml", b"<sheets>", b'<sheets xmlns:long="%s">' % (b"u" * 300), "not an Excel file"),
    ],
)  # fmt: skip
def test_what_stands_for_more_than_itself_is_refused(
    part: str, old: bytes, new: bytes, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        parse(workbook(old, new, part), name="x", format="excel", columns=["note"])


def test_a_workbook_of_a_hundred_thousand_short_strings_and_high_rows_is_read() -> None:
    rows = b"".join(
        b'<row spans="1:2" ht="15" customHeight="1"><c t="s"><v>%d</v></c></row>' % n
        for n in range(100_000)
    )
    strings = b"".join(b"<si><t>P%06d</t></si>" % n for n in range(100_000))
    sheet = {"xl/worksheets/sheet1.xml": (b"</sheetData>", rows + b"</sheetData>")}
    data = changed(NAMED | sheet, {"s": b"<sst %s>%s</sst>" % (MAIN, strings)})
    read = table.parse(data, "x.xlsx")
    assert read.column("note")[-1] == "P099999"


def many() -> bytes:
    nothing = arrow.array([0], arrow.int32()).take(arrow.nulls(3_000_000, arrow.int32()))
    return of_rows(nothing, "gzip")


def repeated() -> bytes:
    often = arrow.array([0] * 300, arrow.int32())
    return of_rows(arrow.DictionaryArray.from_arrays(often, ["A" * 1_000_000]), "zstd")


def large() -> bytes:
    return of_rows(["A" * 210_000_000], "zstd")


def nested() -> bytes:
    often = arrow.array([0] * 300, arrow.int32())
    texts = arrow.DictionaryArray.from_arrays(often, ["A" * 1_000_000])
    return of_rows(arrow.ListArray.from_arrays([0, 100, 300], texts), "zstd")


def within() -> bytes:
    often = arrow.array([0] * 300, arrow.int32())
    texts = arrow.DictionaryArray.from_arrays(often, ["A" * 1_000_000])
    return of_rows(arrow.StructArray.from_arrays([texts], ["inside"]), "zstd")


def one_row() -> bytes:
    """Of thirty million empty values in one cell."""
    values = arrow.nulls(30_000_000, arrow.int32())
    return of_rows(arrow.ListArray.from_arrays([0, len(values)], values), "gzip")


def differing() -> bytes:
    """Each text is written by what differs from the one before it, which is nothing."""
    out = arrow.BufferOutputStream()
    table = arrow.table({"note": ["A" * 1_000_000] * 300})
    coded = {"note": "DELTA_BYTE_ARRAY"}
    parquet.write_table(table, out, use_dictionary=False, compression="zstd", column_encoding=coded)
    return bytes(out.getvalue().to_pybytes())


def understated() -> bytes:
    """A file that says at its end that it is a small one."""
    data = large()
    told = parquet.read_metadata(arrow.BufferReader(data)).row_group(0)
    end = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    foot = data[end:]
    for size in {told.total_byte_size, told.column(0).total_uncompressed_size}:
        assert varint(size) in foot
        foot = foot.replace(varint(size), varint(1000))
    forged = data[:end] + foot
    small = parquet.read_metadata(arrow.BufferReader(forged)).row_group(0)
    assert small.total_byte_size == small.column(0).total_uncompressed_size == 1000
    return forged


def varint(number: int) -> bytes:
    """A number in five bytes, as it stands in such a file."""
    raw = number << 1
    return bytes((raw >> at & 127) | (128 if at < 28 else 0) for at in (0, 7, 14, 21, 28))


@pytest.mark.parametrize(
    ("kind", "bomb"),
    [
        ("excel", tall),
        ("excel", blank),
        ("excel", long),
        ("excel", named),
        ("excel", named_in_the_header),
        ("parquet", many),
        ("parquet", repeated),
        ("parquet", large),
        ("parquet", nested),
        ("parquet", within),
        ("parquet", one_row),
        ("parquet", differing),
        ("parquet", understated),
    ],
)
def test_a_small_file_that_holds_very_much_is_refused(kind: str, bomb: object) -> None:
    assert callable(bomb)
    data = bomb()
    assert len(data) < 1_000_000
    begun = time.process_time()
    for format in (kind, f"table/{kind}"):
        with pytest.raises(
            InputError, match=r"^x: unpacks to [0-9,]+ bytes, more than 200,000,000"
        ):
            parse(data, name="x", format=format, columns=["note"])
    assert time.process_time() - begun < 60  # those that were not refused took minutes


ALL = b"A3:XFD1048576"
SPANS = {
    "a far cell": (b'r="B2"', b'r="XFD1048576"'),
    "merged cells": (
        b"</sheetData>",
        b'</sheetData><mergeCells><mergeCell ref="%s"/></mergeCells>' % ALL,
    ),
    "a link": (
        b"</sheetData>",
        b'</sheetData><hyperlinks><hyperlink ref="%s" location="x"/></hyperlinks>' % ALL,
    ),
    "a check of values": (
        b"</sheetData>",
        b'</sheetData><dataValidations><dataValidation type="list" sqref="%s"/></dataValidations>'
        % ALL,
    ),
    "looks": (
        b"</sheetData>",
        b'</sheetData><conditionalFormatting sqref="%s"><cfRule type="expression" priority="1">'
        b"<formula>1</formula></cfRule></conditionalFormatting>" % ALL,
    ),
    "a dimension": (b'ref="A1:B2"', b'ref="A1:XFD1048576"'),
}


@pytest.mark.parametrize("what", SPANS)
def test_what_spans_very_many_cells_takes_no_memory(what: str) -> None:
    data = workbook(*SPANS[what])
    tracemalloc.start()
    try:
        assert parse(data, name="x", format="excel", columns=["note"]).text.count("Ann Lee") == 1
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


COLUMN = b'<col min="1" max="%d" width="9" customWidth="1"/>'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"<sheetData>", b"<cols>" + COLUMN % 99 * 2 + b"</cols><sheetData>"),
        (b"<sheetData>", b"<cols>" + COLUMN % 10**9 + b"</cols><sheetData>"),
        (b"</sheetData>", b'<row r="2"><c r="A2"><v>1</v></c></row></sheetData>'),
        (b"</sheetData>", b'<row r="3"><c r="C3"/><c r="A3"><v>1</v></c></row></sheetData>'),
        (b"</sheetData>", b'<row r="3"><c r="A3"/><c r="A3"><v>1</v></c></row></sheetData>'),
        (b'r="A1"', b'r="C1"'),
    ],
)
def test_what_no_program_writes_is_refused(old: bytes, new: bytes) -> None:
    with pytest.raises(InputError, match=r"not an Excel file \(ValueError\)"):
        parse(workbook(old, new), name="x", format="excel", columns=["note"])


def test_warnings_do_not_quote_what_nobody_has_looked_at(
    recwarn: pytest.WarningsRecorder, capfd: pytest.CaptureFixture[str]
) -> None:
    area = b'<definedName name="_xlnm.Print_Area" localSheetId="0">Margaret Holloway</definedName>'
    data = workbook(
        b"</sheets>", b"</sheets><definedNames>" + area + b"</definedNames>", "xl/workbook.xml"
    )
    assert parse(data, name="x", format="excel", columns=["note"]).text.count("Ann Lee") == 1
    assert "Holloway" not in "".join([*capfd.readouterr(), *(str(w.message) for w in recwarn)])


WRITERS = [
    {},
    {"compression": "none"},
    {"compression": "gzip", "data_page_version": "2.0"},
    {"use_dictionary": False, "data_page_size": 100},
    {"use_dictionary": False, "column_encoding": {"note": "DELTA_BYTE_ARRAY"}},
    {"use_dictionary": False, "column_encoding": {"note": "DELTA_LENGTH_BYTE_ARRAY"}},
    {"row_group_size": 10, "write_page_index": True, "write_page_checksum": True},
    {"dictionary_pagesize_limit": 50, "store_schema": False},
]


@pytest.mark.parametrize("options", WRITERS, ids=str)
def test_honest_files_are_read_however_they_are_written(options: dict[str, object]) -> None:
    rows = {
        "note": [None if n % 7 == 0 else f"Ann Lee {n % 13}" for n in range(500)],
        "n": list(range(500)),
        "many": [[f"x{n % 3}", "y"] * (n % 4) for n in range(500)],
        "pair": [{"a": f"z{n % 5}", "b": 0.5} for n in range(500)],
        "map": arrow.array([[("k", f"v{n % 2}")] for n in range(500)], arrow.map_("utf8", "utf8")),
        "fixed": arrow.array([b"abcd"] * 500, arrow.binary(4)),
        "price": arrow.array([Decimal("1.5")] * 500, arrow.decimal128(38, 2)),
        "far": arrow.array([b"x" * (n % 9) for n in range(500)], arrow.large_binary()),
    }
    out = arrow.BufferOutputStream()
    parquet.write_table(arrow.table(rows), out, **options)
    data = bytes(out.getvalue().to_pybytes())
    found = table.parse(data, "x.parquet")
    assert found.column("note") == rows["note"]
    assert found.column("many") == rows["many"]
    assert parse(data, name="x", format="parquet", columns=["note"]).text.count("Ann Lee") == 428


def test_a_log_that_unpacks_to_very_much_is_refused(tmp_path: Path) -> None:
    often = arrow.DictionaryArray.from_arrays(arrow.array([0] * 300, "int32"), ["A" * 1_000_000])
    rows = arrow.table({"user": [f"u{n}" for n in range(300)], "document": often})
    parquet.write_table(rows, tmp_path / "log.parquet", compression="zstd")
    with pytest.raises(InputError, match=r"log.parquet: unpacks to [0-9,]+ bytes, more than"):
        log.read(tmp_path / "log.parquet")


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_file_is_refused_or_read(seed: int) -> None:
    draw = random.Random(seed)
    data = bytearray(of_rows(["Ann Lee", "Bob Ray"] * 50, "zstd"))
    for _ in range(draw.randrange(1, 8)):
        data[draw.randrange(len(data))] = draw.randrange(256)
    with suppress(InputError):
        assert len(table.parse(bytes(data), "x.parquet"))


@pytest.mark.parametrize("options", [WRITERS[0], WRITERS[4]], ids=str)
def test_a_file_is_opened_as_often_whatever_its_columns(
    options: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time all columns are read of at its end: once for each would take the square of their number."""
    opening = Mock(side_effect=parquet.ParquetFile)
    monkeypatch.setattr(parquet, "ParquetFile", opening)
    rows = {"note": ["Ann"], **{f"c{n}": ["a"] for n in range(50)}}
    out = arrow.BufferOutputStream()
    coded = {"column_encoding": dict.fromkeys(rows, "DELTA_BYTE_ARRAY")} if options else {}
    parquet.write_table(arrow.table(rows), out, **{**options, **coded})
    assert table.parse(bytes(out.getvalue().to_pybytes()), "x.parquet").column("c49") == ["a"]
    assert 0 < opening.call_count <= 3


LONG = "a" * 20_000
NAMES = {
    "json": json.dumps({LONG: ["x"] * 5_000}),
    "jsonl": json.dumps({LONG: ["x"] * 5_000}),
    "csv": f"{LONG}\n" + "x\n" * 5_000,
    "calendar": f"BEGIN:VCALENDAR\nX-{LONG}" + "".join(f";X-{n}=y" for n in range(5_000)) + ":z\n",
    "html": f"<x-{LONG}" + "".join(f' title{n}="y"' for n in range(5_000)) + ">z",
}
NAMES["nested"] = f'{{"{LONG[:500]}": ' * 40 + json.dumps(["x"] * 5_000) + "}" * 40


@pytest.mark.parametrize("kind", NAMES)
def test_a_long_name_is_not_kept_for_each_thing_in_its_place(kind: str) -> None:
    """20 kB, 5,000 times."""
    format = "json" if kind == "nested" else kind
    columns = [LONG] if kind == "csv" else []
    tracemalloc.start()
    try:
        parse(NAMES[kind].encode(), name="x", format=format, columns=columns)
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


def test_lines_of_json_that_each_have_a_key_of_their_own_are_refused() -> None:
    lines = "".join(f'{{"name": "u{n}", "k{n}": 1}}\n' for n in range(20_000)).encode()
    begun = time.process_time()
    with pytest.raises(InputError, match=r"unpacks to [0-9,]+ bytes, more than 200,000,000"):
        table.parse(lines, "x.jsonl")
    assert time.process_time() - begun < 20  # gigabytes otherwise
    assert len(table.parse(lines[: lines.index(b"\n", 10_000) + 1], "x.jsonl").names) > 300


@pytest.mark.parametrize("ending", ["xlsx", "parquet"])
def test_a_file_that_unpacks_to_more_text_than_may_be_read_is_refused(ending: str) -> None:
    """By the limit of the policy, whether it is read as a document or as a table."""
    said = ["a" * 30_000] * 40
    data = of_rows(said, "zstd")
    if ending == "xlsx":
        book, out = openpyxl.Workbook(), io.BytesIO()
        for line in ("note", *said):
            book.active.append([line])
        book.save(out)
        data = out.getvalue()
    rules = {"detect": [], "limits": {"file_bytes": 1_000_000}, "unread": "keep"}
    assert len(data) < 100_000
    kind = {"xlsx": "excel"}.get(ending, ending)
    document = parse(data, name=f"t.{ending}", format=kind, columns=["note"])
    with pytest.raises(
        InputError, match=r"1,2\d\d,\d{3} bytes is more than the limit of 1,000,000"
    ):
        sanitize(document, rules)
    columns = {"table": {"k": 2, "columns": {"note": "text"}}}
    with pytest.raises(InputError, match="1,200,000 bytes is more than the limit of 1,000,000"):
        release(data, load(rules | columns), name=f"t.{ending}")


BOMBS = {
    "a line": (b'{"title": "x", "text": "' + b"a" * (1 << 20), {}),
    "lines": (b'{"title": "x", "text": "aha"}\n' * (1 << 12), {}),
    "memory": (b'{"title": "x", "text": "aha"}\n', {"dict_size": 1 << 30}),
}


@pytest.fixture(params=BOMBS)
def bomb(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A packed corpus that goes on for ever, or asks for all memory; the limits are smaller ones."""
    piece, options = BOMBS[request.param]
    monkeypatch.setattr(corpus, "MOST_BYTES", 1 << 18)
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0} | options]
    with lzma.open(tmp_path / "c.jsonl.xz", "wb", filters=filters) as file:
        for _ in range(64 if not options else 1):
            file.write(piece)
    return tmp_path / "c.jsonl.xz"


def test_a_corpus_is_unpacked_within_bounds(bomb: Path, tmp_path: Path) -> None:
    text = bomb.rename(tmp_path / "c.txt.xz")
    for path in (text, text.with_name("c.jsonl.xz")):
        text = text.rename(path)
        tracemalloc.start()
        with pytest.raises(InputError, match="more than"):
            build([path], tmp_path / "x.terms", IndexSettings(least=1), jobs=1)
        with pytest.raises(InputError):
            add_corpus(Builder(), [path])
        assert tracemalloc.get_traced_memory()[1] < 60_000_000
        tracemalloc.stop()


@pytest.mark.parametrize("between", [b"", bytes(8)])
def test_packed_files_in_a_row_are_one(between: bytes, tmp_path: Path) -> None:
    many = [lzma.compress(b"tea\nand "), lzma.compress(b""), lzma.compress(b"milk\n\nx")]
    (tmp_path / "a.txt.xz").write_bytes(between.join(many) + between)
    with corpus.opened(corpus.CorpusFile(tmp_path / "a.txt.xz")) as (_, blocks):
        assert list(corpus.lines(blocks, tmp_path)) == [b"tea", b"and milk", b"", b"x"]


@pytest.mark.parametrize(
    "text",
    [
        "a" + "," * 2_000_000 + "\nx" + "," * 2_000_000 + "\n",
        '"a\n"' + "," * 2_000_000 + "\n",
        "a" + "\t" * 300 + "\n" + ("x" + "\t" * 300 + "\n") * 10_000,
        '"a"' + "," * 300 + "\n" + ('"x"' + "," * 300 + "\n") * 10_000,
    ],
)
def test_a_table_of_many_empty_cells_is_refused_before_it_is_made(text: str) -> None:
    data = text.encode()
    tracemalloc.start()
    with pytest.raises(InputError, match="split the file"):
        table.parse(data, "t.csv")
    assert tracemalloc.get_traced_memory()[1] < 120_000_000
    tracemalloc.stop()


def test_a_table_of_digits_is_read_however_many() -> None:
    data = ",".join("a" * 300).encode() + b"\n" + (",".join("1" * 300).encode() + b"\n") * 8_000
    assert len(table.parse(data, "t.csv")) == 8_000
