"""Whatever the spelling and the type of a cell: who looks alike is written alike, and what is one value counts
once. Variants are generated, and the files are looked at with none of our code."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import re
import unicodedata
import zipfile
from collections import defaultdict
from contextlib import suppress
from typing import Any
from xml.etree import ElementTree

import openpyxl
import pyarrow as arrow
import pyarrow.parquet as parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.comments import Comment

from sfumato.document import restored
from tests.protect.tables.tables import release, rules
from tests.strategies import examples

KINDS = ["csv", "jsonl", "parquet", "xlsx"]
EXACT = 15  # digits of a number that every program keeps
HEADER = ["id", "age", "town", "day", "illness", "dose", "ref", "note"]
COLUMNS = {
    "id": {"role": "direct", "how": "remove"},
    "age": {"role": "quasi", "type": "number"},
    "town": "quasi",
    "day": {"role": "quasi", "type": "date"},
    "illness": {"role": "sensitive", "distinct": 2},
    "dose": {"role": "sensitive", "type": "number", "distinct": 2},
    "ref": "insensitive",
    "note": "text",
}
DIGITS = ["0123456789", "０１２３４５６７８９", "٠١٢٣٤٥٦٧٨٩"]


@st.composite
def numbers(draw: st.DrawFn, value: int) -> Any:
    """A whole number as files have it."""
    said = str(value)
    forms = [
        value,
        float(value),
        said,
        f"{said}.0",
        f"{said}.000",
        f" {said}",
        f"{said}e0",
        f"{value:.15e}",
    ]
    return draw(st.sampled_from(forms))


@st.composite
def names(draw: st.DrawFn, value: str) -> str:
    """A name as people write it."""
    for change in draw(st.lists(st.sampled_from("ulatnszdqbwc"), max_size=3)):
        value = {
            "u": value.upper(),
            "l": value.lower(),
            "a": value.replace("e", "é"),
            "t": value + " ",
            "n": value.replace(" ", "\u00a0"),
            "s": value.replace("-", " "),
            "z": value[:2] + "\u200b" + value[2:],
            "d": value.replace("-", "\u2011"),
            "q": f"{value}.",
            "b": draw(
                st.sampled_from(["({})", "- {}", "* {}", "[{}]", "{};", "# {}", "«{}»"])
            ).format(value),
            "w": value.replace(" ", draw(st.sampled_from([" / ", ", ", ": ", " · "]))),
            "c": value.replace("-", draw(st.sampled_from(["/", "~", "", "‿"]))),
        }[change]
    return unicodedata.normalize(draw(st.sampled_from(["NFC", "NFD"])), value)


@st.composite
def days(draw: st.DrawFn, value: dt.date) -> Any:
    at = dt.datetime(value.year, value.month, value.day)
    return draw(st.sampled_from([value, at, value.isoformat(), f"{value.isoformat()} "]))


@st.composite
def identifiers(draw: st.DrawFn, value: int) -> Any:
    """A number that names somebody, as it may stand elsewhere."""
    said = str(value)
    by_three = f"{value:,}"
    in_parts = " ".join(re.findall(".{1,4}", said))
    plain = [value, float(value), said, f"{said}.0", f"{said}.00", by_three, in_parts]
    plain += [
        in_parts.replace(" ", "-"),
        in_parts.replace(" ", "."),
        f"00{said}",
        f"+{said}",
        f"{value:.15e}",
    ]
    made = draw(st.sampled_from(plain))
    if isinstance(made, str):
        made = made.translate(str.maketrans(DIGITS[0], draw(st.sampled_from(DIGITS))))
    return made


@st.composite
def tables(draw: st.DrawFn, kind: str) -> tuple[list[str], list[list[Any]]]:
    """Who is in a table, and its rows."""
    count = draw(st.integers(4, 7))
    rows = []
    first = draw(st.sampled_from([4929123456784, 49291234567841234]))
    ids = [first + 1117 * at for at in range(count)]
    for at in range(count):
        other = draw(st.sampled_from(ids))
        mentioned = draw(identifiers(other))
        rows.append(
            [
                draw(numbers(ids[at])),
                draw(numbers(draw(st.integers(30, 32)))),
                draw(names(draw(st.sampled_from(["Bad Ems", "Aix-en-Re"])))),
                draw(days(dt.date(2020, 5, draw(st.integers(1, 2))))),
                draw(names(["Lupus erythe-matosus", "Meniere"][at % 2])),
                draw(numbers([4000, 5000][at % 2])),
                draw(st.sampled_from(["", "ok", mentioned, f"see {mentioned}"])),
                draw(st.sampled_from(["nothing", f"met {mentioned} there", f"no. {mentioned}"])),
            ]
        )
    if kind == "parquet":  # a column has one type
        for column in range(len(HEADER)):
            cells = [row[column] for row in rows]
            if len({*map(type, cells)}) > 1:
                for row in rows:
                    row[column] = str(row[column])
    return [str(number)[:EXACT] for number in ids], rows


def written(kind: str, rows: list[list[Any]], quoted: list[bool], looks: list[str]) -> bytes:
    """The table as another program may write it."""
    if kind == "csv":
        lines = [",".join(HEADER)]
        for row, mark in zip(rows, quoted, strict=True):
            cells = [str(cell) for cell in row]
            lines.append(",".join(f'"{c}"' if mark or "," in c else c for c in cells))
        return ("\n".join(lines) + "\n").encode()
    if kind == "jsonl":
        made = ""
        for row, mark in zip(rows, quoted, strict=True):
            cells = [str(c) if isinstance(c, dt.date) else c for c in row]
            made += json.dumps(dict(zip(HEADER, cells, strict=True)), ensure_ascii=mark) + "\n"
        return made.encode()
    out = io.BytesIO()
    if kind == "parquet":
        columns = [arrow.array(list(column)) for column in zip(*rows, strict=True)]
        parquet.write_table(arrow.Table.from_arrays(columns, names=HEADER), out)
        return out.getvalue()
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(HEADER)
    for row, look in zip(rows, looks, strict=True):
        sheet.append(row)
        for cell in sheet[sheet.max_row]:
            if isinstance(cell.value, int | float):
                cell.number_format = look
            if isinstance(cell.value, str):
                cell.data_type = "s"
    book.save(out)
    return out.getvalue()


def stored(kind: str, data: bytes) -> tuple[list[str], list[list[str]], list[list[str]]]:
    """The header; each cell as the file has it, to the byte; and what it says."""
    if kind == "csv":
        _, *lines = data.decode().splitlines()
        raw = [re.findall(r'"(?:[^"]|"")*"|[^,]+|(?<=,)(?=,|$)|^(?=,)', line) for line in lines]
        header, *said = csv.reader(io.StringIO(data.decode()))
        return header, raw, said
    if kind == "jsonl":
        raw, said = [], []
        for line in data.decode().splitlines():
            raw.append(re.findall(r': ("(?:[^"\\]|\\.)*"|[^,}]+)', line))
            said.append([str(v) for v in json.loads(line).values()])
            header = list(json.loads(line))
        return header, raw, said
    if kind == "parquet":
        table = parquet.read_table(io.BytesIO(data))
        rows = [list(row) for row in zip(*(c.to_pylist() for c in table.columns), strict=True)]
        return (
            table.column_names,
            [[*map(repr, row)] for row in rows],
            [[*map(str, r)] for r in rows],
        )
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        (sheet,) = [n for n in parts.namelist() if n.startswith("xl/worksheets/sheet")]
        root = ElementTree.fromstring(parts.read(sheet))
    raw = []
    for row in root.iter("{http://schemas.openxmlformats.org/spreadsheetml/2006/main}row"):
        found = {c.get("r", "")[0]: c for c in row}
        raw.append(
            [
                f"{c.get('t')} {c.get('s')} {''.join(c.itertext())}" if c is not None else ""
                for c in map(found.get, "ABCDEFGH")
            ]
        )
    values = [*openpyxl.load_workbook(io.BytesIO(data)).active.values]
    header = [str(name) for name in values[0]]
    return header, [row[: len(header)] for row in raw[1:]], [[*map(str, r)] for r in values[1:]]


def loose(text: str) -> str:
    """Letters and digits alone, by what they are worth."""
    spread = unicodedata.normalize("NFKD", text.casefold())
    return "".join(str(unicodedata.digit(c, c)) for c in spread if c.isalnum())


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@examples(25)
def test_no_spelling_and_no_type_tells_anybody_apart(kind: str, data: st.DataObject) -> None:
    ids, rows = data.draw(tables(kind))
    flags = st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))
    formats = st.sampled_from(["General", "0", "0.00", "#,##0", "00000"])
    looks = data.draw(st.lists(formats, min_size=len(rows), max_size=len(rows)))
    file = written(kind, rows, data.draw(flags), looks)
    _, published = release(file, rules(COLUMNS, k=2), name=f"t.{kind}")
    header, raw, said = stored(kind, published.data)
    assert header == HEADER[1:]
    by_class = classes(header, raw)
    illness, dose = header.index("illness"), header.index("dose")
    for mine in by_class.values():
        assert len({loose(said[row][illness]) for row in mine}) > 1
        assert len({float(said[row][dose]) for row in mine}) > 1
    for cell in (cell for cells in said for cell in cells):
        assert not any(name in loose(cell) for name in ids), cell
        for number in re.findall(r"[\d.]+(?:e[+-]?\d+)?", cell.replace(",", "")):
            with suppress(ValueError):
                assert f"{float(number):.0f}"[:EXACT] not in ids, cell


def classes(header: list[str], raw: list[list[str]]) -> dict[tuple[str, ...], list[int]]:
    """The rows of each class by its cells, to the byte."""
    quasi = [header.index(name) for name in ("age", "town", "day")]
    found: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for row, cells in enumerate(raw):
        assert len(cells) == len(header)
        found[tuple(cells[at] for at in quasi)].append(row)
    assert min(map(len, found.values())) > 1
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_in_which_nothing_has_to_change_is_written_in_one_way(kind: str) -> None:
    """What quotes and escapes there were in the file told its rows apart."""
    row = ["x", 30, "Zoë", dt.date(2020, 5, 1), "a", 1, "", "-"]
    file = written(kind, [row] * 4, [True, True, True, False], ["0", "0", "0", "0"])
    columns = {"age": {"role": "quasi", "type": "number"}, "town": "quasi", "day": "quasi"}
    _, published = release(file, rules(columns, k=4, others="insensitive"), name=f"t.{kind}")
    header, raw, _ = stored(kind, published.data)
    assert len(classes(header, raw)) == 1


def test_a_workbook_in_which_nothing_has_to_change_is_released_without_its_comments() -> None:
    book = openpyxl.Workbook()
    for row in (["age"], [30], [30]):
        book.active.append(row)
    book.active["A2"].comment = Comment("Zelda Quarx", "Zelda")
    book.properties.creator = "Zelda Quarx"
    book.save(out := io.BytesIO())
    columns = {"age": {"role": "quasi", "type": "number"}}
    _, published = release(out.getvalue(), rules(columns), name="t.xlsx")
    with zipfile.ZipFile(io.BytesIO(published.data)) as parts:
        assert not any(b"Zelda" in parts.read(name) for name in parts.namelist())
    assert published.record is not None
    assert restored(published.data, published.record) == out.getvalue()
