"""Was everything that the detectors find treated as the policy says? Is nothing of it left?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.document import Claim, Document, Spans, Term
from sfumato.kinds import UNREAD, rule_chain
from sfumato.plugins import claim
from sfumato.policy import Policy, Rule
from sfumato.policy.labels import Labels
from sfumato.verify.check import Check, fails, holds, needs, needs_ledger, places
from sfumato.verify.evidence import Evidence, Find
from sfumato.verify.record import replacements

LEFT = "no known term left"
TREATED = "every finding treated"
_REGION = re.compile(r" (?:State|County|Province|Region|Prefecture|District)(?!\w)")
_WORD_START, _WORD_END = re.compile(r"[^\W_]*\Z"), re.compile(r"[^\W_]*")
_LONGEST_REST = 64  # of a word


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
        return needs_ledger(claim.name)
    if policy is None or find is None:
        return needs(claim.name, "the policy")
    if find.absent:
        return needs(claim.name, not_installed(find.absent))
    covered = bytearray(len(original))
    for edit in record.edits:
        covered[edit.start : edit.end] = b"\1" * (edit.end - edit.start)
    untouched = [
        term
        for term in find.all(Document(original, record.name, record.origin))
        if not all(covered[i] or not original[i].isalnum() for i in range(term.start, term.end))
    ]
    standing = set[tuple[int, int]]()  # words that may stand, also where they were found in halves
    for term in untouched:
        start, end = _whole_words(term, original)
        region = _REGION.match(original, end)
        for stop in (end, region.end() if region else end):
            if may_stand(policy.rule(term.kind), original[start:stop]):
                standing.add((start, end))
    missed = [
        term.start
        for term in untouched
        if not may_stand(policy.rule(term.kind), term.of(original))
        and _whole_words(term, original) not in standing
    ]
    if missed:
        return fails(TREATED, f"{len(missed)} found in the original, at {places(original, missed)}")
    return holds(TREATED)


def _whole_words(term: Term, text: str) -> tuple[int, int]:
    """Where a term's words stand, where it is cut by what may part words, and may not."""
    before = _WORD_START.search(text[max(0, term.start - _LONGEST_REST) : term.start])
    behind = _WORD_END.match(text, term.end, term.end + _LONGEST_REST)
    size = len(before[0]) if before else 0
    return term.start - size, behind.end() if behind else term.end


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
    rules = policy.replace.values()
    generalised = not all(step.plugin.by_rules for step in policy.protect)
    for term in find.again(evidence.document):
        rule = policy.rule(term.kind)
        if all(made[term.start : term.end]) or may_stand(rule, term.of(text)):
            continue
        gives = rule.plugin.gives
        general = (generalised or gives == "word") and not _CODES & set(rule_chain(term.kind))
        # an invented code has letters of the script that the original had
        invented = term.kind == UNREAD and any(r.plugin.gives == "invented" for r in rules)
        is_mask = _is_mask(rule, term.of(text))
        if record is None and (gives not in ("mark", "word") or general or invented or is_mask):
            uncertain.add(term.kind)
        else:
            left.append(term.start)
    if left:
        return fails(LEFT, f"{len(left)} found in the release, at {places(text, left)}")
    alone = record is None and not evidence.signed  # nobody vouches for it: all detectors look
    if alone:
        uncertain |= _by_context(evidence.document, policy, find)
    if uncertain:
        kinds = ", ".join(sorted(uncertain))
        return needs_ledger(LEFT, f"{kinds} found, which may be replacements")
    if find.absent and alone:
        return needs(LEFT, not_installed(find.absent))
    return holds(LEFT, _left_out(find, alone))


def _by_context(document: Document, policy: Policy, find: Find) -> set[str]:
    """The kinds of what any detector takes for a term. Those that go by the words around it may be wrong in
    a text of which much is gone."""
    text = document.text
    labels = Spans(Labels(policy).spans(text))
    return {
        term.kind
        for term in find(document)
        if labels.open_words(term.start, term.end, text)
        and not may_stand(policy.rule(term.kind), term.of(text))
    }


def _left_out(find: Find, alone: bool) -> str:
    """Which detectors did not look at the release, and why."""
    said = [f"'{name}' is not installed here" for name in find.absent]
    said += [f"'{name}' goes by the words around" for name in find.by_context if not alone]
    return f"left out: {', '.join(said)}" if said else ""


def not_installed(names: Sequence[str]) -> str:
    """What is missing where a detector is."""
    return f"{', '.join(repr(name) for name in names)}, which is not installed here"


def _is_mask(rule: Rule, text: str) -> bool:
    """Whether a term may be one that was covered, as the rule says: a password goes by what it is called, and
    the signs in it are not covered."""
    if rule.how != "mask":
        return False
    options = rule.options.model_dump()
    left = text.replace(options["char"], "")
    return left != text and sum(c.isalnum() for c in left) <= options["keep_last"]


def may_stand(rule: Rule, text: str) -> bool:
    """Whether the policy leaves such a term as it is: kept, or already as coarse as asked for."""
    return rule.plugin.may_stand(rule.options, text)
