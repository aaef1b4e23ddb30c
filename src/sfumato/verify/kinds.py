"""Was everything that the detectors find treated as the policy says? Is nothing of it left?"""

from __future__ import annotations

from sfumato.document import Claim, Document
from sfumato.kinds import rule_chain
from sfumato.plugins import claim
from sfumato.policy import Rule
from sfumato.verify.check import Check, fails, holds, needs, places
from sfumato.verify.evidence import Evidence
from sfumato.verify.record import replacements

LEFT = "no known term left"
TREATED = "every finding treated"


# Kinds of which no taxonomy says anything: a more general word is never put in their place.
_CODES = frozenset(
    {"CODE", "PHONE", "EMAIL", "URL", "USERNAME", "ADDRESS", "POSTCODE", "COORDINATES"}
)


@claim(TREATED)
def every_finding_treated(claim: Claim, evidence: Evidence) -> Check:
    """Each term found in the original is covered by an edit, or the policy lets it stand as it is."""
    policy, find = evidence.policy, evidence.find
    record, original = evidence.record, evidence.original
    if record is None or original is None:
        return needs(claim.name, "the ledger")
    if policy is None or find is None:
        return needs(claim.name, "the policy")
    covered = bytearray(len(original))
    for edit in record.edits:
        covered[edit.start : edit.end] = b"\1" * (edit.end - edit.start)
    missed = [
        term.start
        for term in find.all(Document(original, record.name, record.origin))
        if not all(covered[i] or not original[i].isalnum() for i in range(term.start, term.end))
        and not may_stand(policy.rule(term.kind), term.of(original))
    ]
    if missed:
        return fails(TREATED, f"{len(missed)} found in the original, at {places(original, missed)}")
    return holds(TREATED)


@claim(LEFT)
def no_known_term_left(claim: Claim, evidence: Evidence) -> Check:
    """Searching the release again finds nothing, but for replacements and what the policy lets stand."""
    text, policy, find, record = evidence.text, evidence.policy, evidence.find, evidence.record
    if policy is None or find is None:
        return needs(claim.name, "the policy")
    made = bytearray(len(text))
    for start, end in replacements(record) if record else []:
        made[start:end] = b"\1" * (end - start)
    left, uncertain = [], set()
    generalised = not all(step.plugin.by_rules for step in policy.protect)
    for term in find.again(Document(text)):
        rule = policy.rule(term.kind)
        if all(made[term.start : term.end]) or may_stand(rule, term.of(text)):
            continue
        gives = rule.plugin.gives
        general = (generalised or gives == "word") and not _CODES & set(rule_chain(term.kind))
        if record is None and (gives not in ("mark", "word") or general):
            uncertain.add(term.kind)
        else:
            left.append(term.start)
    if left:
        return fails(LEFT, f"{len(left)} found in the release, at {places(text, left)}")
    if uncertain:
        kinds = ", ".join(sorted(uncertain))
        return needs(LEFT, f"the ledger: {kinds} found, which may be replacements")
    return holds(LEFT)


def may_stand(rule: Rule, text: str) -> bool:
    """Whether the policy leaves such a term as it is: kept, or already as coarse as asked for."""
    return rule.plugin.may_stand(rule.options, text)
