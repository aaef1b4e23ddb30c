"""`sfumato explain`: why each edit was made."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from sfumato import formats
from sfumato.cli.console import out
from sfumato.cli.options import AsJson, DocumentName, KeyFile, LedgerPath, ReleasePath
from sfumato.document import Document, Edit, EditColumns, released_spans, restored, where
from sfumato.errors import InputError
from sfumato.formats import file_bytes
from sfumato.formats.cells import cell_at
from sfumato.release import access
from sfumato.report.plain import table

LONGEST = 300  # characters of a cell


def explain(
    release: ReleasePath,
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="PLACE",
            help="Only what was edited there: LINE:COL of the release, or a place as it is listed.",
        ),
    ] = None,
    ledger: LedgerPath = None,
    key_file: KeyFile = None,
    name: DocumentName = None,
    as_json: AsJson = False,
) -> None:
    """Say why each edit was made, from the ledger."""
    data = file_bytes(release)
    entry = access.entry(
        ledger or access.LEDGER, access.need_key(ledger, key_file), data, release, name
    )
    record = entry.record
    shown = formats.read_again(data, record)
    origin = record.origin
    if record.undo is not None and not origin.parts:  # as many as a table has are not kept
        origin = formats.read_again(restored(data, record), record).origin
    rows = [
        _Row(edit, original, span, origin.place(edit.start, "") if origin.parts else "")
        for edit, original, span in zip(
            record.edits, record.originals, released_spans(record.edits), strict=True
        )
    ]
    if at is not None:
        named = any(part.place == at for part in origin.parts)
        rows = [row for row in rows if row.place == at] if named else _at(rows, shown, at)
        if not rows:
            raise InputError(f"{release}:{at}: nothing was edited there")
    if as_json:
        for row in rows:
            # a place in the text of all cells would tell nobody anything
            lines = None if isinstance(record.edits, EditColumns) else shown.text
            print(json.dumps(_described(row, lines)))
        return
    cells = []
    lines = None if origin.parts else shown.text
    for row in rows:
        place = row.place if lines is None else where(lines, row.span[0])
        told = (place, row.edit.kind, row.original, row.edit.replacement, _reason(row.edit))
        cells.append([_short(cell) for cell in told])
    out.print(table(("place", "kind", "original", "replacement", "reason"), cells))


@dataclass(frozen=True)
class _Row:
    """An edit, what stood there, where it stands in the release, and what its format calls the place."""

    edit: Edit
    original: str
    span: tuple[int, int]
    place: str


def _described(row: _Row, text: str | None) -> dict[str, Any]:
    edit, (start, end) = row.edit, row.span
    described: dict[str, Any] = {} if text is None else {"at": where(text, start)}
    described |= {"start": start, "end": end, "kind": edit.kind}
    described |= {"place": row.place} if row.place else {}
    described |= {"original": row.original, "replacement": edit.replacement, "how": edit.how}
    described |= {"reason": _reason(edit), "alternatives": list(edit.alternatives)}
    return described | {"numbers": dict(edit.numbers)}


def _at(rows: list[_Row], shown: Document, at: str) -> list[_Row]:
    """The edits at LINE:COL of the release."""
    line, column = _line_and_column(at)
    part = cell_at(shown, line, column)
    if part is not None:
        return [row for row in rows if part.start <= row.span[0] and row.span[1] <= part.end + 1]
    offset = _offset(shown.text, at, line, column)
    return [row for row in rows if row.span[0] <= offset < max(row.span[1], row.span[0] + 1)]


def _short(cell: str) -> str:
    """What a table has room for; --json has all."""
    said = " ".join(cell[: 2 * LONGEST].split())
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}…"


def _reason(edit: Edit) -> str:
    """The whole of an edit's reason, for the releasing party."""
    return f"{edit.reason}: {edit.private}" if edit.private else edit.reason


def _line_and_column(at: str) -> tuple[int, int]:
    line, colon, column = at.partition(":")
    if not (colon and line.isdecimal() and column.isdecimal() and int(line) and int(column)):
        raise InputError(
            f"--at {at}: give a place as LINE:COL, e.g. 3:14, or as `explain` names it"
        )
    return int(line), int(column)


def _offset(text: str, at: str, line: int, column: int) -> int:
    lines = text.split("\n")
    if line > len(lines) or column > len(lines[line - 1]) + 1:
        raise InputError(f"--at {at}: the release has no such place")
    return sum(len(before) + 1 for before in lines[: line - 1]) + column - 1
