"""Is each document of a released log that of k users? Counted again from the release itself.

With the ledger: the rows are those of the input, whole and in their order, and nobody is named.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import PurePath

from sfumato.document import Claim
from sfumato.english.folding import normal_form
from sfumato.errors import SfumatoError
from sfumato.formats import table as files
from sfumato.formats.log import user_form
from sfumato.plugins import claim
from sfumato.policy.log import LogSettings
from sfumato.verify.check import MORE, Check, fails, holds, needs, needs_ledger
from sfumato.verify.evidence import Evidence

SHARED = "documents of k users"
ROWS = "only whole rows left out"
UNNAMED = "users not named"

Row = tuple[str, str]
# What a forged certificate or a broken file may raise on the way to its rows.
_UNREADABLE = (SfumatoError, KeyError, TypeError, ValueError, AttributeError)


@claim(SHARED)
def documents_of_k_users(claim: Claim, evidence: Evidence) -> Check:
    settings = evidence.policy.log if evidence.policy is not None else None
    if settings is None:
        return needs(SHARED, "the policy")
    asked = settings.model_dump(include={"k", "user", "document", "match"})
    if {n: v for n, v in claim.parameters.items() if n not in ("input", "output")} != asked:
        return fails(SHARED, "the claim is not what the policy asks for")
    k = settings.k
    try:
        table = _table(evidence, claim)
        rows = _rows(table, settings)
    except _UNREADABLE:
        return fails(SHARED, "the release cannot be read as the log that the certificate is about")
    if len(table.names) != 2:
        return fails(SHARED, f"the release has {len(table.names)} columns, not two")
    for row, texts in enumerate(rows):
        if any(files.is_turned(said) or _is_run(said, table) for said in texts):
            return fails(
                SHARED, f"{table.where(row)}: programs show another text than stands there"
            )
    have: dict[object, set[str]] = defaultdict(set)
    written = table.written(settings.document)  # 36 is not "36", though they read the same
    for (user, _), document in zip(rows, written, strict=True):
        have[document] |= {user_form(user)} - {""}  # nobody is no user
    rare = [row for row, document in enumerate(written) if len(have[document]) < k]
    if rare:
        return fails(SHARED, f"{table.where(rare[0])}: the document is not that of {k:,} users")
    if evidence.record is None and not evidence.signed and files.holds_more(table, evidence.data):
        return needs(SHARED, MORE)
    fewest = min(len(users) for users in have.values())
    return holds(SHARED, f"k = {k:,}; {len(have):,} documents, each of {fewest:,} users or more")


def _is_run(said: str, table: files.Table) -> bool:
    return table.form.kind == "csv" and files.is_formula(said)


@claim(ROWS)
def only_whole_rows_left_out(claim: Claim, evidence: Evidence) -> Check:
    if evidence.original is None:
        return needs_ledger(ROWS)
    try:
        before, after = _both(evidence)
    except _UNREADABLE:
        return fails(ROWS, "the release or the original cannot be read as a log")
    same = _same(evidence)
    kept = {same(document) for _, document in after}
    expected = [(user, same(d)) for user, d in before if same(d) in kept]
    if [d for _, d in expected] != [same(d) for _, d in after]:
        return fails(ROWS, "the release has other documents than the input, or in another order")
    if len(kept) != len({document for _, document in after}):
        return fails(ROWS, "a document stands in the release in several spellings")
    names: dict[str, str] = {}
    for (user, _), (shown, _) in zip(expected, after, strict=True):
        if names.setdefault(user_form(user), shown) != shown:
            return fails(ROWS, "a user has several names in the release")
    if len(set(names.values())) < len(names):
        return fails(ROWS, "several users have one name in the release")
    return holds(ROWS, f"{len(before) - len(after):,} of {len(before):,} rows were left out")


@claim(UNNAMED)
def users_not_named(claim: Claim, evidence: Evidence) -> Check:
    if evidence.original is None:
        return needs_ledger(UNNAMED)
    try:
        before, after = _both(evidence)
    except _UNREADABLE:
        return fails(UNNAMED, "the release or the original cannot be read as a log")
    users = {user_form(user) for user, _ in before}
    named = next((n for n, (user, _) in enumerate(after) if user_form(user) in users), None)
    if named is not None:
        return fails(UNNAMED, f"row {named + 1:,} of the release names a user of the input")
    return holds(UNNAMED)


def _same(evidence: Evidence) -> Callable[[str], str]:
    return normal_form if _settings(evidence).match == "normal_form" else str


def _settings(evidence: Evidence) -> LogSettings:
    if evidence.policy is None or evidence.policy.log is None:
        raise ValueError("no policy for logs")
    return evidence.policy.log


def _both(evidence: Evidence) -> tuple[Sequence[Row], Sequence[Row]]:
    """The rows of the input and of the release."""
    assert evidence.record is not None
    assert evidence.original is not None
    claim = next((c for c in evidence.claims if c.name == SHARED), Claim(SHARED))
    source = evidence.original.encode(evidence.record.origin.encoding)
    before = files.parse(source, f"input{claim.parameters['input']}", as_it_stands=True)
    settings = _settings(evidence)
    return _rows(before, settings), _rows(_table(evidence, claim), settings)


def _table(evidence: Evidence, claim: Claim) -> files.Table:
    """The release, as the kind of file that its own name says, else the certificate."""
    suffix = PurePath(evidence.name).suffix or claim.parameters["output"]
    return files.parse(evidence.data, f"release{suffix}", as_it_stands=True)


def _rows(table: files.Table, settings: LogSettings) -> Sequence[Row]:
    columns = (table.texts(name) for name in (settings.user, settings.document))
    return list(zip(*columns, strict=True))
