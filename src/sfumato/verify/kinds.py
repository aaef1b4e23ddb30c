"""Was everything that the detectors find treated as the policy says? Is nothing of it left?"""

from __future__ import annotations

from typing import Protocol

from sfumato.document import Document, Record, Term
from sfumato.kinds import rule_chain
from sfumato.policy import Policy, Rule
from sfumato.verify.check import Check, fails, holds, needs, places
from sfumato.verify.edits import replacements

LEFT = "no known term left"
TREATED = "every finding treated"


class Find(Protocol):
    """The policy's detectors: everything they find, what they find wherever it stands, what is kept."""

    def all(self, document: Document) -> list[Term]: ...

    def again(self, document: Document) -> list[Term]: ...

    def kept(self, text: str) -> list[tuple[int, int]]: ...


# Kinds of which no taxonomy says anything: a more general word is never put in their place.
_CODES = frozenset(
    {"CODE", "PHONE", "EMAIL", "URL", "USERNAME", "ADDRESS", "POSTCODE", "COORDINATES"}
)


def every_finding_treated(original: str, policy: Policy, record: Record, find: Find) -> Check:
    """Each term found in the original is covered by an edit, or the policy lets it stand as it is."""
    covered = bytearray(len(original))
    for edit in record.edits:
        covered[edit.start : edit.end] = b"\1" * (edit.end - edit.start)
    missed = [
        term.start
        for term in find.all(Document(original, record.name))
        if not all(covered[i] or not original[i].isalnum() for i in range(term.start, term.end))
        and not may_stand(policy.rule(term.kind), term.of(original))
    ]
    if missed:
        return fails(TREATED, f"{len(missed)} found in the original, at {places(original, missed)}")
    return holds(TREATED)


def no_known_term_left(text: str, policy: Policy, record: Record | None, find: Find) -> Check:
    """Searching the release again finds nothing, but for replacements and what the policy lets stand."""
    made = bytearray(len(text))
    for start, end in replacements(record) if record else []:
        made[start:end] = b"\1" * (end - start)
    left, uncertain = [], set()
    generalised = any(step.name != "replace" for step in policy.protect)
    for term in find.again(Document(text)):
        rule = policy.rule(term.kind)
        if all(made[term.start : term.end]) or may_stand(rule, term.of(text)):
            continue
        gives = rule.plugin.gives
        general = (generalised or gives == "word") and not _CODES & set(rule_chain(term.kind))
        if record is None and (gives == "value" or general):
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
