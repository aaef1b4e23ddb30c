"""`sfumato explain`: why each edit was made."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from sfumato import formats
from sfumato.cli.console import out
from sfumato.cli.options import AsJson, DocumentName, KeyFile, LedgerPath, ReleasePath, file_bytes
from sfumato.document import Edit, released_spans, where
from sfumato.errors import InputError
from sfumato.release import access


def explain(
    release: ReleasePath,
    at: Annotated[
        str | None,
        typer.Option(
            "--at", metavar="LINE:COL", help="Only the edit at this place of the release."
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
    text = formats.read_again(data, record).text
    rows = list(zip(record.edits, record.originals, released_spans(record.edits), strict=True))
    if at is not None:
        offset = _offset(text, at)
        rows = [row for row in rows if row[2][0] <= offset < max(row[2][1], row[2][0] + 1)]
        if not rows:
            raise InputError(f"{release}:{at}: nothing was edited there")
    if as_json:
        for edit, original, (start, end) in rows:
            place = record.origin.place(edit.start, "") if record.origin.parts else None
            described = {"at": where(text, start), "start": start, "end": end, "kind": edit.kind}
            described |= {"place": place} if place else {}
            described |= {"original": original, "replacement": edit.replacement, "how": edit.how}
            described |= {"reason": _reason(edit), "alternatives": list(edit.alternatives)}
            print(json.dumps(described | {"numbers": dict(edit.numbers)}))
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for column in ("place", "kind", "original", "replacement", "reason"):
        table.add_column(column)
    for edit, original, (start, _) in rows:
        place = record.origin.place(edit.start, "") if record.origin.parts else where(text, start)
        cells = (place, edit.kind, original, edit.replacement, _reason(edit))
        table.add_row(*(Text(" ".join(cell.split())) for cell in cells))
    out.print(table)


def _reason(edit: Edit) -> str:
    """The whole of an edit's reason, for the releasing party."""
    return f"{edit.reason}: {edit.private}" if edit.private else edit.reason


def _offset(text: str, at: str) -> int:
    line, colon, column = at.partition(":")
    if not (colon and line.isdecimal() and column.isdecimal() and int(line) and int(column)):
        raise InputError(f"--at {at}: give a place as LINE:COL, e.g. 3:14")
    lines = text.split("\n")
    if int(line) > len(lines) or int(column) > len(lines[int(line) - 1]) + 1:
        raise InputError(f"--at {at}: the release has no such place")
    return sum(len(before) + 1 for before in lines[: int(line) - 1]) + int(column) - 1
