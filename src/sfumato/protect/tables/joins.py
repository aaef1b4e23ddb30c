"""Several tables as one, joined on a key (section 3.1.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from sfumato.errors import InputError
from sfumato.formats import check_size
from sfumato.formats.table import Table


def join(
    tables: Sequence[Table], on: str | None = None, limit: int | None = None
) -> tuple[Table, int]:
    """Several tables as one by the columns they share, or by `on`; and how many rows had no partner.

    One of two tables must have each key once; the rows follow the other, in its order and form. A
    row of the other without a partner is an error: rows are never lost in silence. Rows of the first
    that nobody refers to are counted, and what stands in them is kept beside the table. A row is there once
    for each that refers to it, so all of them together may be no larger than one file.
    """
    joined, unused = tables[0], 0
    for other in tables[1:]:
        if other.form.kind != joined.form.kind:  # whose cells are something else
            raise InputError(
                f"{other.path}: no file of the same kind as {joined.path}; convert one"
            )
        shared = [n for n in joined.names if n in other.names]
        if on is not None and on not in shared:
            raise InputError(f"{other.path}: has no column '{on}' in common with {joined.path}")
        keys = [on] if on is not None else shared
        if not keys:
            raise InputError(
                f"{other.path}: shares no column with {joined.path}; nothing to join on"
            )
        double = [n for n in shared if n not in keys]
        if double:
            raise InputError(
                f"{other.path}: '{double[0]}' is in both tables and not what they are joined on; rename one"
            )
        joined, missed = _joined(joined, other, keys, limit)
        unused += missed
    return joined, unused


def _joined(left: Table, right: Table, keys: list[str], limit: int | None) -> tuple[Table, int]:
    sides = [(left, right, _index(right, keys)), (right, left, _index(left, keys))]
    able = [(many, one, index) for many, one, index in sides if index is not None]
    if not able:
        raise InputError(
            f"{right.path}: '{', '.join(keys)}' tells the rows of neither table apart; give another key"
        )
    tried = [(many, one, [*map(index.get, _keys_of(many, keys))]) for many, one, index in able]
    # where keys are unique in both, the rows follow the one whose rows all have a partner
    many, one, partner = next((t for t in tried if None not in t[2]), tried[0])
    if None in partner:
        raise InputError(f"{many.where(partner.index(None))}: no row of {one.path} has this key")
    added = [i for i, name in enumerate(one.names) if name not in keys]
    sizes = [sum(map(_size, row)) for row in zip(*(one.columns[i] for i in added), strict=True)]
    size = sum(sizes[p] for p in partner if sizes and p is not None)
    size += sum(map(_size, chain.from_iterable(many.columns)))
    check_size(size, limit, f"{many.path} joined with {one.path}")
    unused = sorted({*range(len(one))} - {*partner})
    gone = {name: [one.texts(name)[row] for row in unused] for name in one.names} if unused else {}
    for name, words in (*left.left_out.items(), *right.left_out.items()):
        gone[name] = [*gone.get(name, ()), *words]
    cells = [[one.columns[i][p] for p in partner if p is not None] for i in added]
    return replace(
        many,
        header=(*many.header, *(one.header[i] for i in added)),
        names=(*many.names, *(one.names[i] for i in added)),
        columns=(*many.columns, *cells),
        left_out=gone,
    ), len(unused)


def _size(cell: object) -> int:
    """What a cell takes in a file, with what parts it from the next."""
    return len(str(cell)) + 1


def _keys_of(table: Table, keys: list[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(table.texts(name) for name in keys), strict=True)


def _index(table: Table, keys: list[str]) -> dict[tuple[str, ...], int] | None:
    found = {key: row for row, key in enumerate(_keys_of(table, keys))}
    return found if len(found) == len(table) else None
