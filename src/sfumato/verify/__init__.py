"""Checks a release by the definitions alone, with no code of the searches that made it.

What counts as a finding is the detectors' matter, here as there; that each one was dealt with is not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sfumato.document import Claim, restored
from sfumato.release import fingerprints
from sfumato.release.certificate import Certificate, hash_input, hash_output
from sfumato.verify import disclosure, edits, kinds, ksafety, plausibility
from sfumato.verify.check import Check, Verdict, fails, holds, needs
from sfumato.verify.evidence import Evidence

__all__ = ["CLAIMS", "GUARANTEES", "Check", "Evidence", "Verdict", "check_claims", "examine"]

CLAIMS = (edits.UNCHANGED, edits.GONE, kinds.TREATED, kinds.LEFT)


# The claims of the protectors that give a guarantee, and who checks them.
GUARANTEES: Mapping[str, Callable[[Claim, Evidence], Check]] = {
    plausibility.PLAUSIBLE: plausibility.is_plausible,
    ksafety.K_SAFE: ksafety.is_k_safe,
    disclosure.NOTHING_TOLD: disclosure.nothing_tells_too_much,
}
# What a policy with such a protector must claim.
STATED_BY = {
    "ksafety": ksafety.K_SAFE,
    "plausibility": plausibility.PLAUSIBLE,
    "disclosure": disclosure.NOTHING_TOLD,
}


def examine(certificate: Certificate, evidence: Evidence) -> list[Check]:
    """Every check of a release: its certificate, what it is about, and each claim."""
    claimed = {claim.name for claim in certificate.claims}
    steps = evidence.policy.protect if evidence.policy else ()
    steps = tuple(s for s in steps if not disclosure.claims_nothing(s))
    expected = [*CLAIMS, *(STATED_BY[s.name] for s in steps if s.name in STATED_BY)]
    return [
        _genuine(certificate, evidence),
        _certified_release(certificate, evidence),
        _certified_policy(certificate, evidence),
        _certified_knowledge(certificate, evidence),
        *check_claims(certificate.claims, evidence, certificate.input),
        *(
            fails(name, "the certificate does not claim it")
            for name in expected
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
    if claim.name in GUARANTEES:
        return GUARANTEES[claim.name](claim, evidence)
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
    if hash_input(restored(evidence.data, record), evidence.key) != input_hash:
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


def _certified_knowledge(certificate: Certificate, evidence: Evidence) -> Check:
    name = "knowledge is the certified one"
    same_policy = evidence.policy is not None and evidence.policy.digest == certificate.policy
    now = fingerprints.of(evidence.policy) if evidence.policy and same_policy else {}
    for source, digest in certificate.knowledge.items():
        if source not in now and source not in fingerprints.SOURCES:
            if source == "entities":
                return needs(name, "the entity database")
            return needs(name, f"the policy, or a version of Sfumato that knows '{source}'")
        if (now.get(source) or fingerprints.SOURCES[source](None)[source]) != digest:
            return fails(name, f"'{source}' differs from what was used for the release")
    return holds(name)
