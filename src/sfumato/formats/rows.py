"""Rows of tables that are too large to hold: CSV, TSV, JSON lines and Parquet, some thousand at a time.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "signs.csv"
    ...     _ = path.write_text("entity,term\\nFlu,fever\\nFlu,cough\\n")
    ...     [(part.columns, list(part.lines)) for part in rows(path, ["term", "entity"])]
    [([['fever', 'cough'], ['Flu', 'Flu']], [2, 3])]

A table of which every cell may be written back is read by `sfumato.formats.table`.
"""

from __future__ import annotations

import csv
import io
import json
import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from sfumato import files
from sfumato.errors import EncodingError, InputError, needed

ROWS = 20_000  # that are taken in at once
BLOCK = 4_000_000  # bytes, alike
SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
JSON_LINES = (".jsonl", ".ndjson")
PARQUET = (".parquet", ".pq")

csv.field_size_limit(min(sys.maxsize, 2**31 - 1))


class RowBlock(NamedTuple):
    """Some rows by columns, in the order in which these were asked for; an optional column that is not
    there is None. A row that begins on line n of its file is at `where` followed by n."""

    columns: list[Sequence[Any] | None]
    lines: Sequence[int]
    where: str

    def error(self, row: int, what: str) -> InputError:
        """What is wrong with a row of these."""
        return InputError(f"{self.where}{self.lines[row]}: {what}")


def rows(path: Path, columns: Sequence[str], optional: Sequence[str] = ()) -> Iterator[RowBlock]:
    """The named columns of a file, by the ending of its name. Rows without one of them are refused."""
    suffix = path.suffix.lower()
    if suffix in SEPARATORS:
        return _delimited(path, columns, optional)
    if suffix in JSON_LINES:
        return _objects(path, columns, optional)
    if suffix in PARQUET:
        return _batches(path, columns, optional)
    raise InputError.at(path, "not a file of rows; give .csv, .tsv, .jsonl or .parquet")


def opened(path: Path) -> IO[bytes]:
    """A file that is open for reading; a pipe in its place is not waited for."""
    try:
        return files.plain(path)
    except OSError as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from None


def _at(where: str, line: int, what: str) -> InputError:
    return InputError(f"{where}:{line}: {what}", path=where)


def _not_utf8(where: str, line: int, error: UnicodeDecodeError) -> EncodingError:
    said = f"{where}:{line}: not UTF-8 text from here on; convert the file first"
    return EncodingError(said, path=where, offset=error.start)


# CSV and TSV


def _delimited(path: Path, columns: Sequence[str], optional: Sequence[str]) -> Iterator[RowBlock]:
    where = str(path)
    with opened(path) as file:
        table = delimited(file, where, SEPARATORS[path.suffix.lower()], strict=True)
        header = [name.strip() for (name,) in next(table)[0]]
        for name in columns:
            if name not in header:
                # The names that are there are not said: without a header they are somebody's row.
                raise _at(where, 1, f"no column '{name}' in the header; say what yours is called")
        places = [header.index(n) if n in header else None for n in (*columns, *optional)]
        for found, lines in table:
            yield RowBlock([None if p is None else found[p] for p in places], lines, f"{where}:")


def delimited(
    file: IO[bytes], where: str, separator: str, *, strict: bool = False
) -> Iterator[tuple[list[Sequence[str]], Sequence[int]]]:
    """The columns of CSV in UTF-8, many rows at a time, with the line that each row begins on; the header
    comes first, as columns of one row. `strict` refuses what follows a closing quote. Blocks without quotes
    are cut at separators, which is four times as fast as `csv`; from the first block that is not so plain,
    `csv` takes over."""
    left = file.readline()
    head = left.removeprefix(b"\xef\xbb\xbf")
    first = _plain(head if head.endswith(b"\n") else head + b"\n", separator, 0)
    done, line, width = 0, 1, 0
    if first is not None and any(cell for (cell,) in first):
        yield first, [1]
        width, done, line, left = len(first), len(left), 2, b""
        while True:
            block = file.read(BLOCK)
            left += block if block or not left or left.endswith(b"\n") else b"\n"
            end = left.rfind(b"\n") + 1
            if end:
                found = _plain(left[:end], separator, width)
                if found is None:
                    break
                yield found, range(line, line + len(found[0]))
                done, left, line = done + end, left[end:], line + len(found[0])
            if not block:
                return
    file.seek(done)
    with io.TextIOWrapper(file, "utf-8" if done else "utf-8-sig", newline="") as text:
        # Strictly, `csv` sees an open quote itself
        lines = text if strict else chain(text, (_END,))
        reader = csv.reader(lines, delimiter=separator, strict=strict)
        yield from _quoted(reader, where, line, width if done else None)


def _plain(block: bytes, separator: str, width: int) -> list[Sequence[str]] | None:
    """The columns of whole lines in which nothing is quoted and each has as many cells as it should (0: of
    one line, whatever it has); None where that is not so."""
    block = block.replace(b"\r\n", b"\n")
    if b'"' in block or b"\r" in block:
        return None
    points = np.frombuffer(block, dtype=np.uint8)
    cuts = points[(points == ord(separator)) | (points == ord("\n"))]
    width = width or len(cuts)
    if len(cuts) % width or (width == 1 and b"\n\n" in b"\n" + block):
        return None
    cuts = cuts.reshape(-1, width)
    if (cuts[:, -1] != ord("\n")).any() or (cuts[:, :-1] != ord(separator)).any():
        return None
    try:
        cells = block.decode().replace("\n", separator).split(separator)
    except UnicodeDecodeError:
        return None
    return [cells[column:-1:width] for column in range(width)]


_Rows = Any  # what `csv.reader` gives: its type has no public name
_END = "\0end\0"  # a row of its own behind the last one, unless a quote is still open


def _quoted(
    reader: _Rows, where: str, line: int, width: int | None
) -> Iterator[tuple[list[Sequence[str]], Sequence[int]]]:
    """The rest of a table from a line on; where no width is known, from its header on."""
    before = line - 1
    try:
        if width is None:
            row: list[str] = next(reader, [])
            header = [] if _is_end(row, reader, where, line, before) else row
            yield [[name] for name in header], [1]
            width, line = len(header), reader.line_num + 1
        kept: list[list[str]] = []
        lines: list[int] = []
        for row in reader:
            if row and row[-1].endswith(_END) and _is_end(row, reader, where, line, before):
                break
            if len(row) == width:
                kept.append(row)
                lines.append(line)
            elif row:  # not an empty line
                said = f"{len(row)} cells where the header has {width}"
                raise _at(where, line, f"{said}; quote cells that hold the delimiter")
            line = before + reader.line_num + 1
            if len(kept) == ROWS:
                yield list(zip(*kept, strict=True)), lines
                kept, lines = [], []
        if kept:
            yield list(zip(*kept, strict=True)), lines
    except csv.Error as error:
        raise _at(where, before + reader.line_num, f"not a row of a table ({error})") from None
    except UnicodeDecodeError as error:
        raise _not_utf8(where, before + reader.line_num + 1, error) from None


def _is_end(row: list[str], reader: _Rows, where: str, line: int, before: int) -> bool:
    if not row or not row[-1].endswith(_END):
        return False
    begun_earlier = before + reader.line_num > line
    if row != [_END] or begun_earlier or next(reader, None) is not None:
        raise _at(where, line, "not a row of a table (a quote is not closed)")
    return True


# JSON lines


def _objects(path: Path, columns: Sequence[str], optional: Sequence[str]) -> Iterator[RowBlock]:
    where = str(path)
    with opened(path) as file:
        found = json_lines(file, where)
        while part := list(islice(found, ROWS)):
            lines = [line for line, _ in part]
            cells: list[Sequence[Any] | None] = []
            for name in columns:
                try:
                    cells.append([row[name] for _, row in part])
                except KeyError:
                    line = next(line for line, row in part if name not in row)
                    raise _at(where, line, f"no '{name}'") from None
            for name in optional:
                values = [row.get(name) for _, row in part]
                cells.append(values if any(v is not None for v in values) else None)
            yield RowBlock(cells, lines, f"{where}:")


class _RefusedError(ValueError):
    """What Python would read otherwise than others do."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different: of two, each program reads the one that it likes."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise _RefusedError("a key stands in one object twice")
    return made


def _finite(said: str) -> float:
    if not math.isfinite(number := float(said)):
        raise _RefusedError("a number is too large; write it as a string")
    return number


def _no_json(said: str) -> float:
    raise _RefusedError("NaN and Infinity are no JSON; write null, or a string")


def json_lines(file: IO[bytes], where: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of JSON lines, each with the line that it stands on; empty lines are left out."""
    for number, line in enumerate(file, 1):
        if line.isspace():
            continue
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
            row = json.loads(
                text, object_pairs_hook=_unique, parse_float=_finite, parse_constant=_no_json
            )
        except UnicodeDecodeError as error:
            raise _not_utf8(where, number, error) from None
        except _RefusedError as error:
            raise _at(where, number, str(error)) from None
        except (ValueError, RecursionError):
            raise _at(where, number, "not JSON") from None
        if not isinstance(row, dict):
            raise _at(where, number, "not a JSON object")
        yield number, row


# Parquet


@contextmanager
def parquet(path: Path, columns: Sequence[str]) -> Iterator[Any]:
    """An open Parquet file with these columns."""
    from sfumato.formats.parquet import check, reader

    pyarrow = needed("pyarrow.parquet", f"{path}: a Parquet file", "parquet")
    # What is read is what was checked: its name may be another's by then
    with opened(path) as source:
        try:
            check(mmap(source.fileno(), 0, access=ACCESS_READ), str(path))
            file = reader(pyarrow, source)
        except (OSError, ValueError, pyarrow.ArrowException) as error:  # also of an empty file
            what = (isinstance(error, OSError) and error.strerror) or "not Parquet"
            raise InputError.at(path, f"cannot be read ({what})") from None
        for name in columns:
            if name not in file.schema_arrow.names:
                raise InputError.at(path, f"no column '{name}'; say what yours is called")
        yield file


def _batches(path: Path, columns: Sequence[str], optional: Sequence[str]) -> Iterator[RowBlock]:
    with parquet(path, columns) as file:
        there = [n for n in (*columns, *optional) if n in file.schema_arrow.names]
        done = 0
        for batch in file.iter_batches(batch_size=ROWS, columns=there, use_threads=False):
            cells = batch.to_pydict()
            lines = range(done + 1, done + len(batch) + 1)
            yield RowBlock([cells.get(n) for n in (*columns, *optional)], lines, f"{path}: row ")
            done += len(batch)
