"""A table's release with its certificate, checked before anything is written; and its entry in the ledger."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.document import Claim, Document, Edit, Origin, Record, Release, Term
from sfumato.formats import table as files
from sfumato.keys import Key
from sfumato.policy import Policy
from sfumato.policy.table import TableSettings
from sfumato.protect.tables.anonymize import Anonymized
from sfumato.protect.tables.details import TABLE, Details, pack
from sfumato.protect.tables.recognition import Recogniser
from sfumato.protect.tables.release import COLUMN, DIRECT, GENERAL, HOWS, KEPT, LABEL, Marks
from sfumato.protect.tables.rows import Rows
from sfumato.release import certificate, fingerprints
from sfumato.release import files as write
from sfumato.release.batch import certificate_path
from sfumato.release.certificate import Certificate
from sfumato.release.ledger import Ledger
from sfumato.verify import Check, Evidence, prove


@dataclass(frozen=True)
class Published:
    """The bytes of a release, its certificate, what the ledger keeps, and the checks that held."""

    data: bytes = field(repr=False)
    certificate: Certificate = field(repr=False)
    record: Record = field(repr=False)
    checks: tuple[Check, ...]

    def put(self, ledger: Ledger, policy: Policy) -> None:
        text = self.data.decode(self.record.origin.encoding)
        ledger.put(Release(text, self.data, self.record, self.certificate, self.checks), policy)

    def write(self, target: Path) -> None:
        """The certificate first, the release last; neither where one of them cannot be written."""
        beside = certificate_path(target)
        before = beside.read_bytes() if beside.is_file() else None
        write.write_file(beside, self.certificate.to_json().encode())
        try:
            write.write_file(target, self.data)
        except BaseException:
            if before is None:
                beside.unlink(missing_ok=True)
            else:
                write.write_file(beside, before)
            raise


@dataclass(frozen=True)
class Package:
    """A release before it is checked: what is written, claimed and recorded, without the table itself."""

    name: str
    data: bytes = field(repr=False)
    source: bytes = field(repr=False)
    claims: tuple[Claim, ...] = field(repr=False)
    record: Record = field(repr=False)
    encoding: str

    def certify(self, policy: Policy, key: Key, recogniser: Recogniser | None = None) -> Published:
        """The release with its certificate, if every claim holds; else nothing."""
        issued = certificate.issue(
            policy=policy.digest,
            knowledge=fingerprints.of(policy),
            claims=self.claims,
            origin=self.record.origin,
            source=self.source,
            released=self.data,
            key=key,
        )
        evidence = Evidence(
            self.data.decode(self.record.origin.encoding),
            policy,
            _Recognised(recogniser) if recogniser is not None else None,
            self.record,
            key,
            self.data,
            name=self.name,
            input=issued.input,
        )
        return Published(self.data, issued, self.record, prove(self.claims, evidence))


def package(made: Anonymized, *, source: bytes, name: str, given: bool = False) -> Package:
    """What is to be certified. `source` is the table as it was read; `given` says that terms were."""
    data = files.write(made.released)
    claims = tuple(claims_of(made, given=given))
    record = _record(made, source, data, name)
    return Package(name, data, source, claims, record, made.rows.table.form.encoding)


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
                "direct": rows.columns("direct"),
                "given": given,
                "labels": sorted(_labels(made.marks)),
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
    others = ("hidden terms gone", "direct identifiers gone", "rows as in the input")
    claims += [Claim(name) for name in others]
    return claims


def _labels(marks: Marks) -> set[str]:
    """What hidden terms became."""
    hidden = np.isin(marks["how"], [HOWS.index(LABEL), HOWS.index(DIRECT)])
    return {marks.strings[i] for i in np.unique(marks["text"][hidden]).tolist()}


def _demands(rows: Rows, settings: TableSettings) -> Iterable[dict[str, Any]]:
    for name in rows.columns("sensitive"):
        column = settings.columns[name]
        if column.distinct or column.entropy or column.closeness is not None:
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


def _record(made: Anonymized, source: bytes, data: bytes, name: str) -> Record:
    """The table as the ledger keeps it: one edit for the whole, all others packed in its private part."""
    rows, marks = made.rows, made.marks
    details = Details(
        rows.number,
        rows.person,
        marks.arrays,
        tuple(marks.strings),
        HOWS,
        tuple(marks.columns),
        tuple(rows.columns("quasi")),
        rows.table.form.encoding,
        rows.table.form.kind,
        rows.settings.clean,
    )
    encoding = _encoding(source, data)
    original, released = source.decode(encoding), data.decode(encoding)
    edit = Edit(
        0,
        len(original),
        TABLE,
        released,
        f"made {rows.settings.k}-anonymous, rows and texts together",
        TABLE.lower(),
        private=pack(details),
    )
    return Record(name, Origin("text", encoding), (edit,), (original,))


def _encoding(*data: bytes) -> str:
    """UTF-8 where both are that; else every byte for itself, so that a table comes back as it was."""
    try:
        for each in data:
            each.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


class _Recognised:
    """A table's recogniser, as a verifier asks detectors."""

    def __init__(self, recogniser: Recogniser) -> None:
        self._recogniser = recogniser

    def __call__(self, document: Document) -> list[Term]:
        spans = self._recogniser.texts([document.text])[document.text]
        return [Term(a, b, kind, 1.0, "table") for a, b, kind in spans]

    all = again = __call__

    def kept(self, text: str) -> list[tuple[int, int]]:
        return []
