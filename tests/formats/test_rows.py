"""Rows of large tables: every kind of file and every size of block gives the same."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import EncodingError, InputError
from sfumato.formats import rows as module
from sfumato.formats.rows import delimited, rows

cells = st.text(st.sampled_from('ab,"\n\r \t;é'), max_size=6)
tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(cells, min_size=width, max_size=width), max_size=12)
)


def all_rows(path: Path, *columns: str, optional: tuple[str, ...] = ()) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for part in rows(path, columns, optional):
        found += zip(*[c or [None] * len(part.lines) for c in part.columns], strict=True)
    return found


@given(tables, st.integers(1, 64), st.integers(1, 5))
def test_a_written_table_is_read_as_it_was(table: list[list[str]], block: int, chunk: int) -> None:
    width = len(table[0]) if table else 2
    names = [f"c{n}" for n in range(width)]
    out = io.StringIO(newline="")
    # One empty cell alone reads as an empty line: quoted, it does not.
    writer = csv.writer(out, quoting=csv.QUOTE_ALL if width == 1 else csv.QUOTE_MINIMAL)
    writer.writerows([names, *table])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", block)
        patch.setattr(module, "ROWS", chunk)
        (header, _), *parts = delimited(io.BytesIO(out.getvalue().encode()), "t.csv", ",")
    assert [name for (name,) in header] == names
    assert [list(row) for columns, _ in parts for row in zip(*columns, strict=True)] == table


@given(tables, st.integers(1, 64))
def test_a_row_is_said_to_begin_where_it_begins(table: list[list[str]], block: int) -> None:
    names = [f"c{n}" for n in range(len(table[0]) if table else 2)]
    out, begins = io.StringIO(newline=""), []
    writer = csv.writer(out, quoting=csv.QUOTE_ALL if len(names) == 1 else csv.QUOTE_MINIMAL)
    writer.writerow(names)
    for row in table:
        begins.append(len(out.getvalue().replace("\r\n", "\n").replace("\r", "\n").split("\n")))
        writer.writerow(row)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", block)
        _, *parts = delimited(io.BytesIO(out.getvalue().encode()), "t.csv", ",")
    assert [line for _, lines in parts for line in lines] == begins


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_every_kind_of_file_gives_the_same(tmp_path: Path, ending: str) -> None:
    table = [("Flu", "fever"), ("Zoë", "a, b"), ("Cold", 'a "dry" cough')]
    path = tmp_path / f"a.{ending}"
    if ending == "parquet":
        arrow = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        turned = dict(zip(("entity", "term"), map(list, zip(*table, strict=True)), strict=True))
        parquet.write_table(arrow.table({"x": [1, 2, 3], **turned}), path)
    elif ending == "jsonl":
        path.write_text(
            "\n".join(json.dumps({"entity": e, "term": t}) for e, t in table), encoding="utf-8"
        )
    else:
        with path.open("w", encoding="utf-8-sig", newline="") as file:
            separator = "\t" if ending == "tsv" else ","
            csv.writer(file, delimiter=separator).writerows([("entity", "x", "term")])
            csv.writer(file, delimiter=separator).writerows((e, "1", t) for e, t in table)
    assert all_rows(path, "term", "entity", optional=("weight",)) == [
        (t, e, None) for e, t in table
    ]


def test_an_optional_column_of_some_objects_is_there(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n\n{"a": 2, "b": 3}\n')
    assert all_rows(tmp_path / "a.jsonl", "a", optional=("b",)) == [(1, None), (2, 3)]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.csv", b"a,b\n1,2\n1\n", r"a\.csv:3: 1 cells where the header has 2"),
        ("a.csv", b'a,b\n"1\n2",3\n4,5,6\n', r"a\.csv:4: 3 cells"),
        ("a.csv", b"x,y\nAnn,Miami\n", r"a\.csv:1: no column 'a' in the header; say what yours is called$"),
        ("a.csv", b"", "no column 'a'"),
        ("a.csv", b"\na,b\n", "no column 'a'"),
        ("a.csv", b'a,b\n1,"2\n', r"a\.csv:2: not a row of a table"),
        ("a.csv", b"a,b\n1,2\n\xff,3\n", r"a\.csv:\d: not UTF-8"),
        ("a.jsonl", b'{"a": 1, "b": 2}\n{"a": 1}\n', r"a\.jsonl:2: no 'b'"),
        ("a.jsonl", b'\n{"a"', r"a\.jsonl:2: not JSON"),
        ("a.jsonl", b"[1]", r"a\.jsonl:1: not a JSON object"),
        ("a.jsonl", b"[" * 100_000, r"a\.jsonl:1: not JSON"),
        ("a.jsonl", b'{"a": "\xff"}', r"a\.jsonl:1: not UTF-8"),
        ("a.parquet", b"a,b", r"a\.parquet: cannot be read \(not Parquet\)"),
        ("a.doc", b"", "not a file of rows"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_with_its_line(
    tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=message) as caught:
        all_rows(tmp_path / name, "a", "b")
    assert "Ann" not in str(caught.value)
    assert isinstance(caught.value, EncodingError) == ("UTF-8" in message)


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet"])
def test_a_file_that_is_not_there_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        all_rows(tmp_path / name, "a")


@pytest.mark.parametrize("line", ["\0end\0", '"\0end\0"', "x,\0end\0"])
def test_a_row_that_looks_like_the_end_ends_nothing(line: str) -> None:
    with pytest.raises(InputError, match="t:3: not a row"):
        list(delimited(io.BytesIO(f'a,b\n"x",1\n{line}\ny,2\n'.encode()), "t", ","))
