"""Small tables for tests, and an independent look at what a release shows."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from sfumato import policy
from sfumato.document import Release
from sfumato.formats import cells as cells_of
from sfumato.formats import table as files
from sfumato.keys import Key
from sfumato.pipeline import certified
from sfumato.policy import Policy
from sfumato.protect import Run
from sfumato.protect.tables.anonymize import Anonymized, Given, anonymize
from sfumato.protect.tables.claims import claims_of
from sfumato.protect.tables.recognition import PolicyRecogniser
from sfumato.release.ledger import Ledger

KEY = Key(bytes(range(32)))


def csv_bytes(header: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue().encode()


def rules(
    columns: Mapping[str, Any], *, lists: Mapping[str, Sequence[str]] | None = None, **settings: Any
) -> Policy:
    """A policy for a table whose terms are on lists: nothing else is looked for."""
    hide = [{"kind": kind, "terms": list(terms)} for kind, terms in (lists or {}).items()]
    detect = [{"lists": {"hide": hide}}] if hide else []
    table = {"k": 2, "columns": dict(columns), **settings}
    return policy.load({"detect": detect, "unread": "keep", "table": table})


def run_of(settings: Policy) -> Run:
    """A run whose vault is gone with the process."""
    return Run(settings, KEY, Ledger(KEY))


def release(
    data: bytes, settings: Policy, *, name: str = "t.csv", given: Given | None = None
) -> tuple[Anonymized, Release]:
    """A table through everything but the files."""
    table = files.parse(data, name)
    recogniser = PolicyRecogniser(settings) if given is None else None
    run = run_of(settings)
    made = anonymize(table, run, recogniser, given)
    claims = claims_of(made, given=given is not None)
    document = cells_of.document(table, data, name)
    return made, certified(document, made.edits, claims, run, recogniser)


def cells(published: Release, name: str = "t.csv") -> list[list[str]]:
    """The rows of a release."""
    table = files.parse(published.data, name)
    return [list(row) for row in zip(*(table.texts(n) for n in table.names), strict=True)]


def column(published: Release, wanted: str, name: str = "t.csv") -> list[str]:
    return files.parse(published.data, name).texts(wanted)
