"""Tables in Parquet files, by pyarrow. What a file unpacks to is counted first, from its own pages: what it
says of them at its end may be less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from mmap import mmap
from typing import Any
from zoneinfo import available_timezones

from sfumato.errors import InputError, needed
from sfumato.formats.table import (
    BYTES_PER_CELL,
    Form,
    Table,
    cell_text,
    check_unpacked,
    most_unpacked,
    require,
    unique_names,
)

BYTES_PER_PAGE = 1000  # at the least, so that empty ones count
# How values of a page are written: by their number in a dictionary, by what differs from the one before.
_DICTIONARY, _LENGTHS, _PREFIXES = {2, 8}, 6, 7
_ZONE = re.compile(r"UTC|[+-]\d\d:\d\d")
_DEEPEST = 8  # of the structures at the head of a page


@dataclass
class _Leaf:
    """What the pages of a column hold."""

    unpacked: int = 0
    values: int = 0
    largest: int = 0  # bytes of a page
    encodings: set[int] = field(default_factory=set)


def _arrow(where: str) -> Any:
    return needed("pyarrow.parquet", f"{where}: a Parquet file", "parquet")


def reader(arrow: Any, source: Any, **options: Any) -> Any:
    """An open file, to be read without threads: one that lets go of what Python holds while Python ends
    aborts the process, though all is done."""
    return arrow.parquet.ParquetFile(source, pre_buffer=False, **options)


def read(data: bytes, where: str) -> Table:
    """The table in a file."""
    arrow = _arrow(where)
    try:
        check(data, where)
        found = reader(arrow, arrow.BufferReader(data)).read(use_threads=False)
        columns = tuple(column.to_pylist() for column in found.columns)
    except (arrow.ArrowException, OSError, UnicodeDecodeError, OverflowError):
        raise _no_parquet(where) from None
    header = tuple(found.column_names)
    require(header, range(found.num_rows), where)
    names = unique_names(header)
    form = Form("parquet", types=dict(zip(names, map(_bare, found.schema.types), strict=True)))
    return Table(header, names, columns, range(1, found.num_rows + 1), form, where)


def _bare(kind: Any) -> Any:
    """A type without what its fields say of themselves, besides names, and with a zone that is one."""
    import pyarrow as arrow

    if isinstance(kind, arrow.BaseExtensionType):
        return _bare(kind.storage_type)
    if arrow.types.is_struct(kind):
        fields = [kind.field(at) for at in range(kind.num_fields)]
        return arrow.struct([(field.name, _bare(field.type)) for field in fields])
    if arrow.types.is_map(kind):
        return arrow.map_(_bare(kind.key_type), _bare(kind.item_type))
    if arrow.types.is_fixed_size_list(kind):
        return arrow.list_(_bare(kind.value_type), kind.list_size)
    if arrow.types.is_large_list(kind) or arrow.types.is_large_list_view(kind):
        return arrow.large_list(_bare(kind.value_type))
    if arrow.types.is_list(kind) or arrow.types.is_list_view(kind):
        return arrow.list_(_bare(kind.value_type))
    if arrow.types.is_dictionary(kind):
        return arrow.dictionary(kind.index_type, _bare(kind.value_type), kind.ordered)
    if arrow.types.is_timestamp(kind) and kind.tz and not _ZONE.fullmatch(kind.tz):
        return arrow.timestamp(kind.unit, kind.tz if kind.tz in available_timezones() else "UTC")
    return kind


def _no_parquet(where: str) -> InputError:
    return InputError.at(where, "not a Parquet file")


def check(data: bytes | mmap, where: str) -> None:
    """Refuse a file that unpacks to far more than it looks: its pages, or texts that it holds once and names
    many times."""
    arrow = _arrow(where)
    told = arrow.parquet.read_metadata(arrow.BufferReader(data))
    check_unpacked(told.num_rows * told.num_columns * BYTES_PER_CELL, data, where)
    leaves = [_Leaf() for _ in range(told.num_columns)]
    size = values = 0
    for chunk, leaf in _chunks(told, leaves):
        for unpacked, count, encoding in _pages(data, *chunk, where):
            leaf.unpacked, leaf.values = leaf.unpacked + unpacked, leaf.values + count
            leaf.largest = max(leaf.largest, unpacked)
            leaf.encodings.add(encoding)
            size, values = size + unpacked + BYTES_PER_PAGE, values + count
            check_unpacked(max(size, values * BYTES_PER_CELL), data, where)
    named, differing = dict[str, _Leaf](), dict[str, _Leaf]()
    for column, leaf in zip(map(told.schema.column, range(told.num_columns)), leaves, strict=True):
        if column.physical_type == "FIXED_LEN_BYTE_ARRAY":
            size += leaf.values * column.length
        elif column.physical_type == "BYTE_ARRAY" and leaf.encodings & {*_DICTIONARY, _PREFIXES}:
            is_named = leaf.encodings.isdisjoint((_LENGTHS, _PREFIXES))
            if not is_named and column.max_repetition_level:  # nobody knows how many a row has
                size += leaf.values * leaf.largest
            else:
                (named if is_named else differing)[column.path] = leaf
    check_unpacked(size, data, where)
    try:
        size += _named(arrow, data, list(named), where)
    except arrow.ArrowNotImplementedError:  # some lists of lists
        size += sum(leaf.values * leaf.largest for leaf in named.values())
    check_unpacked(size + _differing(arrow, data, differing, where), data, where)


def _chunks(told: Any, leaves: list[_Leaf]) -> Iterator[tuple[tuple[int, int], _Leaf]]:
    """Where the pages of each column stand, in each group of rows: from which byte on, and how many."""
    for group in map(told.row_group, range(told.num_row_groups)):
        for at, leaf in enumerate(leaves):
            chunk = group.column(at)
            start = chunk.data_page_offset
            if chunk.has_dictionary_page and 0 < (chunk.dictionary_page_offset or 0) < start:
                start = chunk.dictionary_page_offset
            yield (start, chunk.total_compressed_size), leaf


def _pages(
    data: bytes | mmap, start: int, length: int, where: str
) -> Iterator[tuple[int, int, int]]:
    """Of each page the bytes that it unpacks to, how many values it has, and how they are written."""
    at, end = start, min(start + length, len(data))
    if start < 0 or length < 0:
        raise _no_parquet(where)
    try:
        while at < end:
            head, at = _structure(data, at)
            about, coded = (head[8], 4) if 8 in head else (head.get(5, {}), 2)
            found = int(head[2]), int(about.get(1, 0)), int(about.get(coded, 0))
            if min(*found, head[3]) < 0:
                raise ValueError("less than nothing")
            yield found
            at += head[3]
    except (IndexError, KeyError, ValueError, TypeError, AttributeError):
        raise _no_parquet(where) from None


# Heads of pages are written in Thrift's compact protocol.


def _structure(data: bytes | mmap, at: int, depth: int = 0) -> tuple[dict[int, Any], int]:
    """The fields of a structure by their numbers, and where it ends."""
    if depth > _DEEPEST:
        raise ValueError("too deep")
    fields: dict[int, Any] = {}
    number = 0
    while head := data[at]:
        at += 1
        if step := head >> 4:
            number += step
        else:
            number, at = _number(data, at)
        if head & 15 in (1, 2):  # yes or no, and nothing more
            fields[number] = head & 15 == 1
        else:
            fields[number], at = _value(data, at, head & 15, depth)
    return fields, at + 1


def _value(data: bytes | mmap, at: int, kind: int, depth: int) -> tuple[Any, int]:
    if at >= len(data) or depth > _DEEPEST:
        raise ValueError("too deep, or beyond the end")
    match kind:
        case 1 | 2 | 3:
            return data[at], at + 1
        case 4 | 5 | 6:
            return _number(data, at)
        case 7:
            return None, at + 8
        case 8:
            size, at = _unsigned(data, at)
            return None, at + size
        case 9 | 10:
            size, inside = data[at] >> 4, data[at] & 15
            size, at = _unsigned(data, at + 1) if size == 15 else (size, at + 1)
            if size > len(data) - at:
                raise ValueError("more than there are bytes")
            for _ in range(size):
                _, at = _value(data, at, inside, depth + 1)
            return None, at
        case 12:
            return _structure(data, at, depth + 1)
    raise ValueError("no such type")  # a map is in no head


def _number(data: bytes | mmap, at: int) -> tuple[int, int]:
    said, at = _unsigned(data, at)
    return (said >> 1) ^ -(said & 1), at


def _unsigned(data: bytes | mmap, at: int) -> tuple[int, int]:
    found = 0
    for shift in range(0, 70, 7):
        byte = data[at]
        at += 1
        found |= (byte & 127) << shift
        if byte < 128:
            return found, at
    raise ValueError("no number")


# Texts that a file holds once


def _named(arrow: Any, data: bytes | mmap, paths: list[str], where: str) -> int:
    """The bytes of all texts of columns that hold each only once, and say where it stands."""
    if not paths:
        return 0
    compute = needed("pyarrow.compute", f"{where}: a Parquet file", "parquet").compute
    file = reader(arrow, arrow.BufferReader(data), read_dictionary=paths)
    size = 0
    for group in range(file.num_row_groups):
        read = file.read_row_group(group, columns=paths, use_threads=False)
        for array in _leaves(arrow, read.columns):
            if arrow.types.is_dictionary(array.type):
                lengths = compute.binary_length(array.dictionary.cast("large_binary"))
                size += compute.sum(lengths.take(array.indices)).as_py() or 0
                check_unpacked(size, data, where)
    return size


def _leaves(arrow: Any, arrays: Any) -> Iterator[Any]:
    """The arrays within arrays that hold no others."""
    for array in arrays:
        if isinstance(array, arrow.ChunkedArray):
            yield from _leaves(arrow, array.chunks)
        elif arrow.types.is_struct(array.type):
            yield from _leaves(arrow, array.flatten())
        elif arrow.types.is_map(array.type):
            yield from _leaves(arrow, [array.keys, array.items])
        elif arrow.types.is_nested(array.type):
            yield from _leaves(arrow, [array.flatten()])
        else:
            yield array


def _differing(arrow: Any, data: bytes | mmap, leaves: Mapping[str, _Leaf], where: str) -> int:
    """The bytes of all texts of columns in which each is written by what differs from the one before: none is
    longer than a page."""
    if not leaves:
        return 0
    file = reader(arrow, arrow.BufferReader(data))
    longest = max(1, sum(leaf.largest for leaf in leaves.values()))
    rows = max(1, min(65_536, most_unpacked(data) // longest))
    size = 0
    for batch in file.iter_batches(batch_size=rows, columns=list(leaves), use_threads=False):
        size += batch.nbytes
        check_unpacked(size, data, where)
    return size


def write(table: Table) -> bytes:
    """A table as a file."""
    arrow = _arrow(table.path)
    kinds: Mapping[str, Any] = table.form.types
    arrays = []
    for name, column in zip(table.names, table.columns, strict=True):
        kind = kinds.get(name)
        plain = kind is None or not (arrow.types.is_nested(kind) or arrow.types.is_binary(kind))
        try:
            if not plain and any(isinstance(cell, str) for cell in column):
                raise arrow.ArrowInvalid("edited")
            arrays.append(arrow.array(column, type=kind))
        except (arrow.ArrowInvalid, arrow.ArrowTypeError):  # recoded: now these are strings
            arrays.append(arrow.array([cell_text(cell) for cell in column], type=arrow.string()))
    out = arrow.BufferOutputStream()
    arrow.parquet.write_table(arrow.Table.from_arrays(arrays, names=list(table.header)), out)
    return bytes(out.getvalue().to_pybytes())
