"""Checks a release by the definitions alone, with no code of the searches that made it.

Every claim has a checker, registered under its name (`plugins.claim`); a claim that nobody can check is not
released. What counts as a finding is the detectors' matter, here as there; that each one was dealt with is
not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sfumato.document import Claim
from sfumato.errors import GuaranteeError
from sfumato.plugins import CLAIMS
from sfumato.policy import Policy
from sfumato.policy.table import TableSettings
from sfumato.verify.check import Check, Verdict, fails, holds, needs
from sfumato.verify.evidence import Evidence

__all__ = [
    "ALWAYS",
    "Check",
    "Evidence",
    "Verdict",
    "check_claims",
    "fails",
    "holds",
    "needs",
    "promised",
    "prove",
    "unstated",
]

ALWAYS = (
    "unchanged outside edits",
    "originals gone",
    "every finding treated",
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


def promised(policy: Policy | None) -> list[str]:
    """The claims that a release by this policy must state: some always, others for its protectors."""
    steps = policy.protect if policy is not None else ()
    return list(dict.fromkeys([*ALWAYS, *(c for s in steps for c in s.plugin.claims(s.options))]))


def unstated(claims: Sequence[Claim], policy: Policy | None) -> list[Check]:
    """Claims that should be there and are not."""
    stated = {claim.name for claim in claims}
    # Whose policy says nothing of tables or logs has none: a certificate cannot make a text one.
    kinds = []
    if policy is None or policy.table is not None:
        kinds.append([*OF_TABLES, *_of_table(policy.table if policy is not None else None)])
    if policy is None or policy.log is not None:
        unnamed = policy is not None and policy.log is not None and policy.log.users != "keep"
        kinds.append([*OF_LOGS, *(["users not named"] if unnamed else [])])
    expected = next((of for of in kinds if of[0] in stated), promised(policy))
    return [
        fails(name, "the certificate does not claim it") for name in expected if name not in stated
    ]


def _of_table(settings: TableSettings | None) -> Iterator[str]:
    """What a table's release must claim where its policy asks for it."""
    if settings is None:
        return
    if any(column.is_demanding for column in settings.columns.values()):
        yield "diverse"
    if settings.sensitive_terms.kinds:
        yield "sensitive terms not told"


def check_claims(claims: Sequence[Claim], evidence: Evidence) -> list[Check]:
    """Each claim re-derived from the release, the policy and, where it is there, the record."""
    evidence = replace(evidence, claims=tuple(claims))
    return [_check(claim, evidence) for claim in claims]


def _check(claim: Claim, evidence: Evidence) -> Check:
    plugin = CLAIMS.find(claim.name)
    if plugin is None:
        return needs(claim.name, "the package that brings its checker, or a newer Sfumato")
    if evidence.record is not None and evidence.original is None:
        return fails(claim.name, "the ledger's record does not fit this release")
    if CLAIMS.is_built_in(claim.name):
        try:
            return plugin.check(claim, evidence)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
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
