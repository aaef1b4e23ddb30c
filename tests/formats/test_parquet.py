"""Tables in Parquet files."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from sfumato.errors import InputError
from sfumato.formats import parquet, table

arrow = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
SECRET = "Wilhelmina"


@pytest.mark.parametrize(
    "head",
    [
        b"\x19\xf7" + b"\xff" * 8 + b"\x7f" + b"\x00" * 50,  # a list of very many numbers
        b"\x19" * 3_000,  # lists in lists
        b"\x1c" * 3_000,  # structures in structures
        b"\x15\x00\x15\x09\x15\x02\x2c\x15\x02\x15\x00\x00\x00" + b"a" * 50,  # -5 bytes
        b"\x15\x00\x15\x02\x15\x02\x2c\x15\x09\x15\x00\x00\x00" + b"a" * 50,  # -5 values
        b"\x15\x00\x15\x02\x15\x09\x2c\x15\x02\x15\x00\x00\x00" + b"a" * 50,  # before itself
    ],
)
def test_a_page_whose_head_makes_no_sense_is_refused(head: bytes) -> None:
    with pytest.raises(InputError, match="not a Parquet file"):
        list(parquet._pages(head, 0, len(head), "x"))
    sound = b"\x15\x00\x15\x02\x15\x02\x2c\x15\x02\x15\x00\x00\x00a"
    assert list(parquet._pages(sound, 0, len(sound), "x")) == [(1, 1, 0)]
    for start, length in ((-3, 10), (0, -3)):
        with pytest.raises(InputError):
            list(parquet._pages(sound, start, length, "x"))


def test_what_fields_within_columns_say_of_themselves_stays_behind() -> None:
    inner = arrow.field("a", arrow.string(), metadata={"owner": SECRET})
    kinds = {
        "s": arrow.struct([inner]),
        "l": arrow.list_(inner),
        "b": arrow.large_list(inner),
        "f": arrow.list_(inner, 2),
        "m": arrow.map_(arrow.string(), inner),
        "z": arrow.timestamp("us", tz=SECRET),
        "t": arrow.timestamp("us", tz="Europe/Tallinn"),
        "note": arrow.string(),
    }
    given = arrow.table({name: arrow.array([None], type=kind) for name, kind in kinds.items()})
    out = io.BytesIO()
    pq.write_table(given, out)
    again = pq.read_schema(io.BytesIO(table.write(table.parse(out.getvalue(), "t.parquet"))))
    assert [again.field(n).type.tz for n in "zt"] == ["UTC", "Europe/Tallinn"]
    assert SECRET not in str(again)


@pytest.mark.skipif(
    not Path("/proc/self/task").is_dir(), reason="counts threads as Linux shows them"
)
@pytest.mark.parametrize(
    "does",
    [
        "table.parse(path.read_bytes(), 't.parquet')",
        "table.write(table.parse(path.read_bytes(), 't.parquet'))",
        "list(rows.rows(path, ['a', 'b', 'c']))",
        "list(columns.chunks(path, ['a', 'b', 'c']))",
    ],
)
def test_no_thread_that_may_outlive_python_is_begun(does: str, tmp_path: Path) -> None:
    many = {name: [f"{name}{at % 300}" for at in range(3_000)] for name in "abc"}
    how = {"column_encoding": {"c": "DELTA_BYTE_ARRAY"}, "use_dictionary": ["a", "b"]}
    pq.write_table(arrow.table(many), tmp_path / "t.parquet", row_group_size=500, **how)
    script = f"""
import os, sys, pyarrow.parquet, pyarrow.compute
from pathlib import Path
from sfumato.formats import columns, rows, table
path, before = Path(sys.argv[1]), len(os.listdir("/proc/self/task"))
{does}
print(len(os.listdir("/proc/self/task")) - before)
"""
    given = [sys.executable, "-c", script, str(tmp_path / "t.parquet")]
    assert subprocess.run(given, capture_output=True, check=True).stdout == b"0\n"
