"""A small file that unpacks to gigabytes is refused before it does."""

from __future__ import annotations

import io
import time
import tracemalloc
import zipfile

import pytest

from sfumato.errors import InputError
from sfumato.formats import parse

openpyxl = pytest.importorskip("openpyxl")
arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def workbook(old: bytes, new: bytes) -> bytes:
    """A workbook in whose sheet something else stands."""
    part = "xl/worksheets/sheet1.xml"
    book, made, out = openpyxl.Workbook(), io.BytesIO(), io.BytesIO()
    book.active.append(["note", "n"])
    book.active.append(["Ann Lee", 1])
    book.save(made)
    with zipfile.ZipFile(made) as given, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for info in given.infolist():
            data = given.read(info)
            assert info.filename != part or old in data
            packed.writestr(
                info.filename, data.replace(old, new) if info.filename == part else data
            )
    return out.getvalue()


def of_rows(column: object, packed: str) -> bytes:
    out = arrow.BufferOutputStream()
    table = arrow.table({"note": column})
    parquet.write_table(table, out, compression=packed, use_dictionary=["note"])
    return bytes(out.getvalue().to_pybytes())


def far() -> bytes:
    return workbook(b'r="B2"', b'r="XFD1048576"')


def long() -> bytes:
    return workbook(b"Ann Lee", b"A" * 210_000_000)


def many() -> bytes:
    nothing = arrow.array([0], arrow.int32()).take(arrow.nulls(30_000_000, arrow.int32()))
    return of_rows(nothing, "gzip")


def repeated() -> bytes:
    often = arrow.array([0] * 300, arrow.int32())
    return of_rows(arrow.DictionaryArray.from_arrays(often, ["A" * 1_000_000]), "zstd")


def large() -> bytes:
    return of_rows(["A" * 210_000_000], "zstd")


@pytest.mark.parametrize(
    ("kind", "bomb"),
    [
        ("excel", far),
        ("excel", long),
        ("parquet", many),
        ("parquet", repeated),
        ("parquet", large),
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
    assert time.process_time() - begun < 5


def test_blank_cells_before_a_far_one_take_no_memory() -> None:
    data = workbook(b'r="B2"', b'r="XFD100"')
    tracemalloc.start()
    try:
        assert parse(data, name="x", format="excel", columns=["note"]).text.count("Ann Lee") == 1
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()
