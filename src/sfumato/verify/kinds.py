"""Was everything that the detectors find treated as the policy says? Is nothing of it left?"""

from __future__ import annotations

import re
from typing import Protocol

from sfumato.document import Document, Record, Term
from sfumato.kinds import rule_chain
from sfumato.policy import (
    Bucket,
    Generalise,
    Keep,
    Policy,
    Reduce,
    Replacement,
    Shift,
    Surrogate,
    Truncate,
)
from sfumato.verify.check import Check, fails, holds, needs, places
from sfumato.verify.edits import replacements

LEFT = "no known term left"
TREATED = "every finding treated"


class Find(Protocol):
    """The policy's detectors: everything they find, what they find wherever it stands, what is kept."""

    def all(self, document: Document) -> list[Term]: ...

    def again(self, document: Document) -> list[Term]: ...

    def kept(self, text: str) -> list[tuple[int, int]]: ...


# What these put in a term's place may be found like a term; a more general word likewise, but for codes.
_READABLE = Surrogate | Shift | Bucket | Reduce | Truncate
_CODES = frozenset(
    {"CODE", "PHONE", "EMAIL", "URL", "USERNAME", "ADDRESS", "POSTCODE", "COORDINATES"}
)
_MONTH = re.compile(
    r"(?i)jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|spring|summer|autumn|fall|winter"
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
        general = generalised or isinstance(rule, Generalise)
        if record is None and (
            isinstance(rule, _READABLE) or (general and not _CODES & set(rule_chain(term.kind)))
        ):
            uncertain.add(term.kind)
        else:
            left.append(term.start)
    if left:
        return fails(LEFT, f"{len(left)} found in the release, at {places(text, left)}")
    if uncertain:
        kinds = ", ".join(sorted(uncertain))
        return needs(LEFT, f"the ledger: {kinds} found, which may be replacements")
    return holds(LEFT)


def may_stand(rule: Replacement, text: str) -> bool:
    """Whether the policy leaves such a term as it is: kept, or already as coarse as asked for."""
    numbers = [int(n) for n in re.findall(r"\d+", text)]
    match rule:
        case Keep():
            return True
        case Reduce(to="month"):
            return re.search(r"(?<!\d)\d{1,2}(?:st|nd|rd|th)?(?!\d)", text) is None
        case Reduce(to="year"):
            return all(999 < n < 3000 for n in numbers) and not _MONTH.search(text)
        case Reduce(to="decade"):
            return all(n % 10 == 0 and 999 < n < 3000 for n in numbers) and "s" in text
        case Bucket(top=int(top), below_top="keep"):
            return bool(numbers) and all(n < top for n in numbers)
        case Bucket(width=width):
            return (
                len(numbers) == 2
                and numbers[0] % width == 0
                and numbers[1] == numbers[0] + width - 1
            )
        case Truncate(keep=keep):
            return sum(c.isalnum() for c in text) <= keep
    return False
