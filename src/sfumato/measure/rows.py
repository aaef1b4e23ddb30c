"""Columns of a table, many rows at a time: from CSV, TSV, JSON lines, Parquet, data frames, sequences.

A column of a chunk is a list of values or, where the source has it cheaper, `Coded`: each distinct value
once. Nothing here looks at what the values are.
"""

from __future__ import annotations

import csv
import importlib
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from sfumato.errors import EncodingError, InputError, MissingExtraError

CHUNK = 1 << 18  # rows
SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
JSON_LINES = (".jsonl", ".ndjson")
PARQUET = ".parquet"
KINDS = ".csv, .tsv, .jsonl or .parquet"

Int32s = np.ndarray[Any, np.dtype[np.int32]]


class Coded(NamedTuple):
    """A column as places in a list of distinct values: `codes` has shape (rows,), integers."""

    codes: np.ndarray[Any, np.dtype[Any]]
    values: list[Any]


Column = list[Any] | Coded


class Numbers(dict[Any, int]):
    """A number for each distinct value, by order of arrival.

    >>> numbers = Numbers()
    >>> numbers.of(["b", "a", "b"]).tolist(), numbers.of(Coded(np.array([0, 0]), ["a"])).tolist()
    ([0, 1, 0], [1, 1])
    """

    def __missing__(self, value: Any) -> int:
        number = self[value] = len(self)
        return number

    def of(self, column: Column) -> Int32s:
        """The numbers of a column's values, shape (rows,), int32."""
        if isinstance(column, Coded):
            return np.take(self.of(column.values), column.codes)
        return np.fromiter(map(self.__getitem__, column), dtype=np.int32, count=len(column))


def is_file(source: object) -> bool:
    """Whether a source is named by its path."""
    return isinstance(source, str | Path)


def chunks(source: Any, columns: Sequence[str], what: str = "table") -> Iterator[list[Column]]:
    """The named columns of a file, a data frame (pandas, polars, pyarrow) or a sequence of tuples.

    >>> list(chunks([("ann", "flu"), ("bob", "cough")], ["user", "document"]))
    [[['ann', 'bob'], ['flu', 'cough']]]
    """
    if is_file(source):
        return file_chunks(Path(source), columns)
    if hasattr(source, "collect"):
        source = source.collect()  # a lazy frame
    if hasattr(source, "columns") and hasattr(source, "__getitem__"):
        return _frame_chunks(source, columns, what)
    if isinstance(source, Iterable) and not isinstance(source, bytes | dict):
        return _tuple_chunks(source, columns, what)
    raise InputError(
        f"the {what} is neither a data frame nor a sequence of ({', '.join(columns)}) nor a file"
    )


def file_chunks(path: Path, columns: Sequence[str]) -> Iterator[list[Column]]:
    """The named columns of a file, by the ending of its name."""
    suffix = path.suffix.lower()
    if suffix in SEPARATORS:
        return _table_chunks(path, columns, SEPARATORS[suffix])
    if suffix in JSON_LINES:
        return _line_chunks(path, columns)
    if suffix == PARQUET:
        return _parquet_chunks(path, columns)
    raise InputError(f"{path}: no table of a known kind; give {KINDS}", path=str(path))


def _frame_chunks(frame: Any, columns: Sequence[str], what: str) -> Iterator[list[Column]]:
    names = [str(n) for n in getattr(frame, "column_names", frame.columns)]
    for name in columns:
        if name not in names:
            raise InputError(f"the {what} has no column '{name}': say what yours is called")
    taken = [frame[name] for name in columns]
    for start in range(0, len(frame), CHUNK):
        yield [_piece(column, start) for column in taken]


def _piece(column: Any, start: int) -> Column:
    if hasattr(column, "iloc"):
        return list(column.iloc[start : start + CHUNK].tolist())
    part = column.slice(start, CHUNK)
    if hasattr(part, "dictionary_encode"):
        return _coded(part.combine_chunks() if hasattr(part, "combine_chunks") else part)
    return list(part.to_list())


def _coded(array: Any) -> Column:
    """An Arrow array; one that holds nulls is rare and taken as it is."""
    if array.null_count:
        return list(array.to_pylist())
    coded = array.dictionary_encode()
    return Coded(coded.indices.to_numpy(), coded.dictionary.to_pylist())


def _tuple_chunks(rows: Iterable[Any], columns: Sequence[str], what: str) -> Iterator[list[Column]]:
    left = iter(rows)
    done = 0
    while part := list(islice(left, CHUNK)):
        try:
            turned: list[Column] = [list(c) for c in zip(*part, strict=True)]
        except (TypeError, ValueError):
            turned = []
        if len(turned) != len(columns):
            wrong = (n for n, row in enumerate(part) if not _fits(row, len(columns)))
            raise InputError(
                f"row {done + next(wrong, 0) + 1} of the {what} is no ({', '.join(columns)})"
            )
        yield turned
        done += len(part)


def _fits(row: Any, width: int) -> bool:
    try:
        return len(row) == width
    except TypeError:
        return False


def _table_chunks(path: Path, columns: Sequence[str], separator: str) -> Iterator[list[Column]]:
    with open_text(path) as file:
        rows = csv.reader(file, delimiter=separator, strict=True)
        try:
            header = next(rows, [])
            wanted = [_place(path, header, name) for name in columns]
            while part := list(islice(rows, CHUNK)):
                part = [row for row in part if row]  # blank lines
                if set(map(len, part)) - {len(header)}:
                    line = _bad_line(path, separator)
                    raise _at(path, line, "the row has another number of columns than the header")
                turned = list(zip(*part, strict=True))
                yield [list(turned[place]) if part else [] for place in wanted]
        except csv.Error:
            raise _at(path, rows.line_num, "a quote is not closed, or in the wrong place") from None
        except UnicodeDecodeError as error:
            raise not_utf8(path, error) from None


def _bad_line(path: Path, separator: str) -> int:
    with open_text(path) as file:
        rows = csv.reader(file, delimiter=separator, strict=True)
        width = len(next(rows))
        return next((rows.line_num for row in rows if row and len(row) != width), 0)


def _place(path: Path, header: Sequence[str], name: str) -> int:
    if name not in header:
        # The names that are there are not said: without a header they are somebody's row.
        raise _at(path, 1, f"no column '{name}' in the header; say what yours is called")
    return header.index(name)


def _line_chunks(path: Path, columns: Sequence[str]) -> Iterator[list[Column]]:
    number = 0
    with open_text(path) as file:
        try:
            while part := list(islice(file, CHUNK)):
                found: list[list[Any]] = [[] for _ in columns]
                for line in part:
                    number += 1
                    if line.isspace():
                        continue
                    row = json.loads(line)
                    for name, values in zip(columns, found, strict=True):
                        values.append(row[name])
                yield list(found)
        except KeyError as error:
            raise _at(path, number, f"no '{error.args[0]}'") from None
        except UnicodeDecodeError as error:
            raise not_utf8(path, error) from None
        except (ValueError, TypeError, IndexError, RecursionError):
            raise _at(path, number, "not a JSON object") from None


def _parquet_chunks(path: Path, columns: Sequence[str]) -> Iterator[list[Column]]:
    with open_parquet(path) as file:
        for name in columns:
            if name not in file.schema_arrow.names:
                raise InputError(
                    f"{path}: no column '{name}'; say what yours is called", path=str(path)
                )
        for batch in file.iter_batches(batch_size=CHUNK, columns=list(columns)):
            yield [_coded(batch.column(name)) for name in columns]


def open_parquet(path: Path) -> Any:
    """An open Parquet file."""
    try:
        parquet: Any = importlib.import_module("pyarrow.parquet")
        arrow: Any = importlib.import_module("pyarrow")
    except ImportError:
        raise MissingExtraError("reading Parquet", "parquet") from None
    try:
        return parquet.ParquetFile(path)
    except (OSError, arrow.ArrowException) as error:
        what = error.strerror if isinstance(error, OSError) and error.strerror else "not Parquet"
        raise InputError(f"{path}: cannot be read ({what})", path=str(path)) from None


def open_text(path: Path) -> IO[str]:
    """A file of UTF-8 text, a byte order mark left out."""
    try:
        return path.open(encoding="utf-8-sig", newline="")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})", path=str(path)) from None


def not_utf8(path: Path, error: UnicodeDecodeError) -> EncodingError:
    """The error for bytes that are no UTF-8."""
    return EncodingError(f"{path}: not UTF-8; convert it first", path=str(path), offset=error.start)


def _at(path: Path, line: int, what: str) -> InputError:
    return InputError(f"{path}:{line}: {what}", path=str(path))
