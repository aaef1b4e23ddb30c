"""Columns of a table, many rows at a time: of files, data frames, sequences.

A column of a chunk is a sequence of values or, where the source has it cheaper, `Coded`: each distinct value
once. Nothing here looks at what the values are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sfumato.errors import InputError
from sfumato.formats import rows as files

CHUNK = 1 << 18  # rows

Int32s = np.ndarray[Any, np.dtype[np.int32]]


class Coded(NamedTuple):
    """A column as places in a list of distinct values: `codes` has shape (rows,), integers."""

    codes: np.ndarray[Any, np.dtype[Any]]
    values: list[Any]


Column = Sequence[Any] | Coded


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


def plain(column: Column) -> Sequence[Any]:
    """A column as the values of its rows."""
    if isinstance(column, Coded):
        return [column.values[code] for code in column.codes]
    return column


def is_file(source: object) -> bool:
    """Whether a source is named by its path."""
    return isinstance(source, str | Path)


def chunks(source: Any, columns: Sequence[str], what: str = "table") -> Iterator[list[Column]]:
    """The named columns of a file, a data frame (pandas, polars, pyarrow) or a sequence of tuples.

    >>> list(chunks([("ann", "flu"), ("bob", "cough")], ["user", "document"]))
    [[['ann', 'bob'], ['flu', 'cough']]]
    """
    if is_file(source):
        return _file_chunks(Path(source), columns)
    if hasattr(source, "collect"):
        source = source.collect()  # a lazy frame
    if hasattr(source, "columns") and hasattr(source, "__getitem__"):
        return _frame_chunks(source, columns, what)
    if isinstance(source, Iterable) and not isinstance(source, bytes | dict):
        return _tuple_chunks(source, columns, what)
    raise InputError(
        f"the {what} is neither a data frame nor a sequence of ({', '.join(columns)}) nor a file"
    )


def _file_chunks(path: Path, columns: Sequence[str]) -> Iterator[list[Column]]:
    if path.suffix.lower() in files.PARQUET:
        with files.parquet(path, columns) as file:
            for batch in file.iter_batches(
                batch_size=CHUNK, columns=list(columns), use_threads=False
            ):
                yield [_coded(batch.column(name)) for name in columns]
    else:
        for part in files.rows(path, columns):
            yield [column for column in part.columns if column is not None]


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
