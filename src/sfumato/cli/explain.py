"""`sfumato explain`: why each edit was made."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import Annotated, Any

import typer

from sfumato import formats
from sfumato.cli.console import out, say
from sfumato.cli.options import (
    AsJson,
    CertificateFile,
    DocumentName,
    KeyFile,
    LedgerPath,
    ReleasePath,
    Timeout,
)
from sfumato.deadline import deadline
from sfumato.document import BYTES, Document, Edit, Record, released_spans, restored
from sfumato.errors import InputError
from sfumato.formats import file_bytes
from sfumato.formats.cells import cell_at
from sfumato.release import access, targets
from sfumato.report.plain import table

LONGEST = 300  # characters of a cell


def explain(
    release: ReleasePath,
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="PLACE",
            help="Only what was edited there: LINE:COL of the released file, or a place as it is listed.",
        ),
    ] = None,
    ledger: LedgerPath = None,
    key_file: KeyFile = None,
    name: DocumentName = None,
    cert: CertificateFile = None,
    as_json: AsJson = False,
    timeout: Timeout = None,
) -> None:
    """Say why each edit was made, from the ledger."""
    data = file_bytes(release)
    ledger = ledger or access.LEDGER
    entry = access.entry(ledger, access.need_key(ledger, key_file), data, release, name, cert)
    if moved := targets.moved(release, entry):
        say(moved)
    record = entry.record
    with deadline(str(release), len(data), timeout):
        original = shown = formats.read_again(data, record)
        if record.undo is not None:
            original = formats.read_again(restored(data, record), record)
        rows = _rows(record, original, shown)
        if at is not None:
            named = any(part.place == at for part in original.origin.parts)
            rows = [row for row in rows if row.place == at] if named else _at(rows, shown, at)
            if not rows:
                raise InputError(f"{release}:{at}: nothing was edited there")
    if as_json:
        for row in rows:
            print(json.dumps(_described(row)))
        return
    heads = ["at" if original.origin.parts else "place"] if all(row.at for row in rows) else []
    heads += ["place"] if original.origin.parts else []
    cells = []
    for row in rows:
        places = {"at": row.at, "place": row.place or row.at}
        told = (row.edit.kind, row.original, row.edit.replacement, _reason(row.edit))
        cells.append([_short(cell) for cell in (*(places[head] for head in heads), *told)])
    out.print(table((*heads, "kind", "original", "replacement", "reason"), cells))


@dataclass(frozen=True)
class _Row:
    """An edit, what stood there, where it stands in the released file, if that has lines, and what its format
    calls the place."""

    edit: Edit
    original: str
    span: tuple[int, int]
    at: str
    place: str


def _rows(record: Record, original: Document, shown: Document) -> list[_Row]:
    """Every edit of a release, in the order of its file."""
    spans = formats.spans(original, record.edits)
    parts, lines = original.origin.parts, _Lines(shown)
    rows = []
    for edit, said, span in zip(
        record.edits, record.originals, spans or released_spans(record.edits), strict=True
    ):
        place = original.origin.place(edit.start, "") if parts else ""
        rows.append(_Row(edit, said, span, lines.where(span[0]) if spans else "", place))
    return sorted(rows, key=lambda row: row.span[0])


class _Lines:
    """The lines of a released file, as an editor counts them."""

    def __init__(self, shown: Document) -> None:
        self.is_bytes = shown.origin.encoding == BYTES  # of a letter: one character for each byte
        self.last = -1, 0, 0  # the line, column and characters of the edit before
        self.lines = shown.file.split("\n")
        self.starts = list(accumulate((len(line) + 1 for line in self.lines), initial=0))

    def where(self, offset: int) -> str:
        line = bisect_right(self.starts, offset) - 1
        column = offset - self.starts[line]
        if self.is_bytes:  # counted on from the edit before
            known, before, shown = self.last
            before, shown = (before, shown) if known == line and before <= column else (0, 0)
            shown += len(self._shown(self.lines[line][before:column]))
            self.last, column = (line, column, shown), shown
        return f"{line + 1}:{column + 1}"

    def offset(self, at: str, line: int, column: int) -> int:
        if line > len(self.lines) or column > len(self._shown(self.lines[line - 1])) + 1:
            raise InputError(f"--at {at}: the release has no such place")
        before = self._shown(self.lines[line - 1])[: column - 1]
        return self.starts[line - 1] + len(before.encode() if self.is_bytes else before)

    def _shown(self, line: str) -> str:
        return line.encode(BYTES).decode("utf-8", "replace") if self.is_bytes else line


def _described(row: _Row) -> dict[str, Any]:
    edit, (start, end) = row.edit, row.span
    described: dict[str, Any] = {"at": row.at} if row.at else {}
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
    offset = _Lines(shown).offset(at, line, column)
    return [row for row in rows if row.span[0] <= offset < max(row.span[1], row.span[0] + 1)]


def _short(cell: str) -> str:
    """What a table has room for; --json has all."""
    said = " ".join(cell[: 2 * LONGEST].split())
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}…"


def _reason(edit: Edit) -> str:
    """The whole of an edit's reason, for the releasing party."""
    return f"{edit.reason}: {edit.private}" if edit.private else edit.reason


def _line_and_column(at: str) -> tuple[int, int]:
    place = re.fullmatch(r"0*([1-9][0-9]{0,11}):0*([1-9][0-9]{0,11})", at)
    if place is None:
        raise InputError(
            f"--at {at[:40]}: give a place as LINE:COL, e.g. 3:14, or as `explain` names it"
        )
    return int(place[1]), int(place[2])
