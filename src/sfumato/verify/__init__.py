"""Checks a release by the definitions alone, with no code of the searches that made it.

Every claim has a checker, registered under its name (`plugins.claim`); a claim that nobody can check is not
released. What counts as a finding is the detectors' matter, here as there; that each one was dealt with is
not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sfumato.document import Claim
from sfumato.errors import GuaranteeError
from sfumato.plugins import CLAIMS
from sfumato.policy import Policy
from sfumato.policy.table import TableSettings
from sfumato.verify.check import Check, Verdict, fails, holds, needs, needs_ledger
from sfumato.verify.evidence import Evidence

__all__ = [
    "ALWAYS",
    "Check",
    "Evidence",
    "Verdict",
    "check_claims",
    "fails",
    "holds",
    "is_essential",
    "needs",
    "needs_ledger",
    "promised",
    "prove",
    "unstated",
]

ALWAYS = (
    "unchanged outside edits",
    "originals gone",
    "every finding treated",
    "no age follows from dates",
    "no known term left",
)
OF_TABLES = (
    "k-anonymous",
    "hidden terms gone",
    "direct identifiers gone",
    "rows as in the input",
    "unchanged outside edits",
)
OF_LOGS: tuple[str, ...] = ("documents of k users", "only whole rows left out")
# About the releasing party's own work: whoever trusts the party need not check it, and nobody else can.
_OF_THE_WORK = frozenset((*ALWAYS[:-1], *OF_TABLES[3:], OF_LOGS[1]))

_BARE = _OF_THE_WORK | {ALWAYS[-1], "users not named"}  # which have no parameters


def promised(policy: Policy | None, claims: Sequence[Claim] = ()) -> list[str]:
    """The claims that a release by this policy must state: some always, others for its protectors. Whose
    policy says what must hold of tables or of logs has no other releases; where it says both, or is not at
    hand, `claims` tell what it is."""
    stated = {claim.name for claim in claims}
    table, log = (policy.table, policy.log) if policy is not None else (None, None)
    is_log = log is not None if policy is not None else OF_LOGS[0] in stated
    is_table = table is not None if policy is not None else OF_TABLES[0] in stated
    if is_log and (not is_table or OF_LOGS[0] in stated):
        return [*OF_LOGS, *(["users not named"] if log is not None and log.users != "keep" else [])]
    if is_table:
        return [*OF_TABLES, *(_of_table(table) if table is not None else ())]
    steps = policy.protect if policy is not None else ()
    return [*ALWAYS, *(c for s in steps for c in s.plugin.claims(s.options))]


def is_essential(name: str, policy: Policy | None, claims: Sequence[Claim] = ()) -> bool:
    """Whether nothing may be trusted where this claim cannot be checked."""
    return name not in _OF_THE_WORK and name in promised(policy, claims)


def unstated(claims: Sequence[Claim], policy: Policy | None) -> list[Check]:
    """Claims that should be there and are not, or that are there too often."""
    expected = Counter(promised(policy, claims))
    stated = Counter(claim.name for claim in claims)
    checks = [fails(name, "the certificate does not claim it") for name in expected - stated]
    often = [name for name, many in stated.items() if many > max(expected[name], 1)]
    return [*checks, *(fails(name, "the certificate claims it too often") for name in often)]


def _of_table(settings: TableSettings) -> Iterator[str]:
    """What a table's release must claim where its policy asks for it."""
    if any(column.is_demanding for column in settings.columns.values()):
        yield "diverse"
    if settings.sensitive_terms.kinds:
        yield "sensitive terms not told"


def check_claims(claims: Sequence[Claim], evidence: Evidence) -> list[Check]:
    """Each claim re-derived from the release, the policy and, where it is there, the record. What only the
    ledger can show is attested where a genuine certificate says so. One that is stated too often is checked
    as often as it may be; `unstated` tells of the rest."""
    evidence = replace(evidence, claims=tuple(claims))
    left = Counter({claim.name: 1 for claim in claims}) | Counter(promised(evidence.policy, claims))
    once = []
    for claim in claims:
        if left[claim.name]:
            left[claim.name] -= 1
            once.append(claim)
    checks = (_check(claim, evidence) for claim in once)
    return [_attested(c) if evidence.signed and c.by_ledger else c for c in checks]


def _attested(check: Check) -> Check:
    why = check.detail.partition(": ")[2]
    return replace(check, verdict="attested", detail=f"by the signature{f'; {why}' if why else ''}")


def _check(claim: Claim, evidence: Evidence) -> Check:
    plugin = CLAIMS.find(claim.name)
    if plugin is None:
        return needs(claim.name, "the package that brings its checker, or a newer Sfumato")
    if evidence.record is not None and evidence.original is None:
        return fails(claim.name, "the ledger's record does not fit this release")
    if CLAIMS.is_built_in(claim.name):
        if evidence.policy and claim.name not in promised(evidence.policy, evidence.claims):
            return fails(claim.name, "the policy does not ask for it")
        if claim.parameters and claim.name in _BARE:
            return fails(claim.name, "the claim cannot be read")
        try:
            return plugin.check(claim, evidence)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            return fails(claim.name, "what the certificate says of it does not fit")
    try:
        found: object = plugin.check(claim, evidence)
    except Exception as error:  # somebody else's: what it says may be original text
        return fails(claim.name, f"its checker ended with {type(error).__name__}")
    if not isinstance(found, Check):
        return fails(claim.name, f"its checker gave {type(found).__name__}, not a check")
    return found


def prove(claims: Sequence[Claim], evidence: Evidence) -> tuple[Check, ...]:
    """The checks of a release that is about to be written; an error where a claim does not hold, where
    nobody can check it, or where one is missing."""
    checks = (*check_claims(claims, evidence), *unstated(claims, evidence.policy))
    broken = [check for check in checks if check.verdict != "holds"]
    if broken:
        first = broken[0]
        raise GuaranteeError(
            f"{evidence.name}: '{first.name}' {first.verdict} ({first.detail}); nothing written",
            checks=broken,
        )
    return checks
