"""What a released table claims, with all that is needed to count again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from sfumato.document import Claim
from sfumato.policy.table import TableSettings
from sfumato.protect.tables.anonymize import Anonymized
from sfumato.protect.tables.release import COLUMN, DIRECT, GENERAL, HOWS, KEPT, LABEL, Marks
from sfumato.protect.tables.rows import Rows

ALWAYS = (
    "hidden terms gone",
    "direct identifiers gone",
    "rows as in the input",
    "unchanged outside edits",
)


def claims_of(made: Anonymized, *, given: bool) -> list[Claim]:
    """What a release claims, with all that is needed to count again."""
    rows, settings = made.rows, made.rows.settings
    person = settings.person_column
    claims = [
        Claim(
            "k-anonymous",
            {
                "k": settings.k,
                "combinations": settings.combinations,
                "form": rows.table.form.kind,
                "encoding": rows.table.form.encoding,
                "person": person,
                "quasi": rows.columns("quasi"),
                "text": rows.columns("text"),
                "insensitive": rows.columns("insensitive"),
                # names of others are words of the input, which the release leaves out
                "direct": [name for name in rows.columns("direct") if name in rows.named],
                "given": given,
                "clean": list(settings.clean),
                "labels": _labels(made.marks),
                "terms": _left(made.marks, made.ancestors, rows),
            },
        )
    ]
    demands = list(_demands(rows, settings))
    if demands:
        claims.append(Claim("diverse", {"demands": demands}))
    wanted = settings.sensitive_terms
    if wanted.kinds:
        parameters = {"kinds": list(wanted.kinds), "closeness": wanted.closeness}
        claims.append(Claim("sensitive terms not told", parameters))
    claims += [Claim(name) for name in ALWAYS]
    return claims


def _labels(marks: Marks) -> list[str]:
    """What hidden terms became."""
    hidden = np.isin(marks["how"], [HOWS.index(LABEL), HOWS.index(DIRECT)])
    return sorted({marks.strings[i] for i in np.unique(marks["text"][hidden]).tolist()})


def _demands(rows: Rows, settings: TableSettings) -> Iterable[dict[str, Any]]:
    for name in rows.columns("sensitive"):
        column = settings.columns[name]
        if column.is_demanding:
            yield {
                "column": name,
                "distinct": column.distinct,
                "entropy": column.entropy,
                "closeness": column.closeness,
                "ordered": column.type in ("number", "date"),
            }


def _left(marks: Marks, ancestors: tuple[str, ...], rows: Rows) -> dict[str, dict[str, list[str]]]:
    """Where terms, generalisations and columns' values stand in the released texts; nothing that is hidden.

    An entry is "row start end KIND", with what a generalisation says or the column's name behind it.
    """
    quasi = rows.columns("quasi")
    made: dict[str, dict[str, list[str]]] = {}
    wanted = np.flatnonzero(np.isin(marks["how"], [HOWS.index(h) for h in (KEPT, GENERAL, COLUMN)]))
    names = ("column", "row", "begin", "stop", "kind", "how", "of")
    for column, row, begin, stop, kind, how, of in zip(
        *(marks[n][wanted].tolist() for n in names), strict=True
    ):
        entry = f"{row} {begin} {stop} {marks.strings[kind]}"
        sort = HOWS[how]
        if sort == GENERAL:
            entry += f" {ancestors[of]}"
        elif sort == COLUMN:
            entry += f" {quasi[of]}"
        name = {KEPT: "kept", GENERAL: "general", COLUMN: "column"}[sort]
        made.setdefault(marks.columns[column], {}).setdefault(name, []).append(entry)
    return made
