"""Checks a release by the definitions alone, with no code of the searches that made it.

What counts as a finding is the detectors' matter, here as there; that each one was dealt with is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sfumato import fingerprints
from sfumato.certificate import Certificate, Claim, hash_input, hash_output
from sfumato.document import Record, encode
from sfumato.keys import Key
from sfumato.policy import Policy
from sfumato.verify import edits, kinds
from sfumato.verify.check import Check, Verdict, fails, holds, needs

__all__ = ["CLAIMS", "Check", "Evidence", "Verdict", "check_claims", "examine"]

CLAIMS = (edits.UNCHANGED, edits.GONE, kinds.TREATED, kinds.LEFT)


@dataclass(frozen=True)
class Evidence:
    """What a verifier has in hand. Without a key, a policy or the ledger's record less can be checked."""

    text: str = field(repr=False)
    policy: Policy | None = None
    find: kinds.Find | None = field(repr=False, default=None)
    record: Record | None = field(repr=False, default=None)
    key: Key | None = None
    data: bytes = field(repr=False, default=b"")  # the file itself


def examine(certificate: Certificate, evidence: Evidence) -> list[Check]:
    """Every check of a release: its certificate, what it is about, and each claim."""
    claimed = {claim.name for claim in certificate.claims}
    return [
        _genuine(certificate, evidence),
        _certified_release(certificate, evidence),
        _certified_policy(certificate, evidence),
        _certified_knowledge(certificate),
        *check_claims(certificate.claims, evidence, certificate.input),
        *(
            fails(name, "the certificate does not claim it")
            for name in CLAIMS
            if name not in claimed
        ),
    ]


def check_claims(claims: Sequence[Claim], evidence: Evidence, input_hash: str) -> list[Check]:
    """Each claim re-derived from the release, the policy and, where it is there, the record."""
    return [_check_claim(claim, evidence, input_hash) for claim in claims]


def _check_claim(claim: Claim, evidence: Evidence, input_hash: str) -> Check:
    record, policy, find = evidence.record, evidence.policy, evidence.find
    original = edits.original_text(evidence.text, record) if record else None
    if record and original is None:
        return fails(claim.name, "the ledger's record does not fit this release")
    if claim.name == kinds.LEFT:
        if policy is None or find is None:
            return needs(claim.name, "the policy")
        return kinds.no_known_term_left(evidence.text, policy, record, find)
    if claim.name not in CLAIMS:
        return needs(claim.name, "a newer version of Sfumato")
    if record is None or original is None:
        return needs(claim.name, "the ledger")
    if claim.name == edits.GONE:
        kept = find.kept(evidence.text) if find else []
        return edits.originals_gone(evidence.text, record, kept)
    if claim.name == kinds.TREATED:
        if policy is None or find is None:
            return needs(claim.name, "the policy")
        return kinds.every_finding_treated(original, policy, record, find)
    if evidence.key is None:
        return needs(claim.name, "the key")
    if hash_input(encode(original, record), evidence.key) != input_hash:
        return fails(claim.name, "undoing the edits does not give the certified input")
    return holds(claim.name)


def _genuine(certificate: Certificate, evidence: Evidence) -> Check:
    name = "certificate is genuine"
    if evidence.key is None:
        return needs(name, "the key")
    if not certificate.is_sealed_by(evidence.key):
        return fails(name, "it was changed, or made with another key")
    return holds(name)


def _certified_release(certificate: Certificate, evidence: Evidence) -> Check:
    name = "release is the certified one"
    if evidence.key is None:
        return needs(name, "the key")
    if hash_output(evidence.data, evidence.key) != certificate.output:
        return fails(name, "the file was changed since it was certified")
    return holds(name)


def _certified_policy(certificate: Certificate, evidence: Evidence) -> Check:
    name = "policy is the certified one"
    if evidence.policy is None:
        return needs(name, "the policy")
    if evidence.policy.digest != certificate.policy:
        return fails(name, "the release was made by another policy")
    return holds(name, evidence.policy.name)


def _certified_knowledge(certificate: Certificate) -> Check:
    name = "knowledge is the certified one"
    for source, digest in certificate.knowledge.items():
        if source not in fingerprints.SOURCES:
            return needs(name, f"a version of Sfumato that knows '{source}'")
        if fingerprints.SOURCES[source]() != digest:
            return fails(name, f"'{source}' differs from what was used for the release")
    return holds(name)
