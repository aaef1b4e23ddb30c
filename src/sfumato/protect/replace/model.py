"""The plain replacements: what the policy's rule for a kind makes of each term.

Labels, masks, ranges and the like follow from the term alone; shifts, pseudonyms, surrogates, hashes and
encryption also from the key, so that nobody else can retrace them. A method that cannot read a term (a date
in an unknown form, a number in words it does not know) falls back to a label: what a policy wants hidden is
never left standing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sfumato.document import Document, Edit, Term
from sfumato.english.folding import folded_words
from sfumato.facts.mentions import SPREAD
from sfumato.kinds import KINDS
from sfumato.plugins import METHODS, Options, Protector, protector
from sfumato.policy import Label
from sfumato.protect import Run
from sfumato.protect.replace.method import Method, Overview, Replacement, Unfit

_LABEL, _REMOVE = "label", "remove"


class ReplaceOptions(Options):
    """The rules stand in the policy under `replace`; there is nothing else to set."""


@protector("replace", options=ReplaceOptions, by_rules=True)
def make(options: ReplaceOptions, run: Run) -> Protector:
    """Replaces every term that no earlier protector has edited, by the policy's rule for its kind."""

    def protect(document: Document, terms: Sequence[Term], edits: Sequence[Edit]) -> Sequence[Edit]:
        return _Job(document, terms, edits, run).edits()

    return protect


class _Job:
    """One document's replacements."""

    def __init__(
        self, document: Document, terms: Sequence[Term], edits: Sequence[Edit], run: Run
    ) -> None:
        self.document, self.policy = document, run.policy
        self.earlier = sorted(edits, key=lambda e: e.start)
        # who keeps nationalities does not keep one that tells a hidden country
        self.terms = [
            t
            for t in terms
            if not run.policy.keeps(t.kind)
            or (t.kind == "DEM" and t.detector == SPREAD and not run.policy.keeps("LOC"))
        ]
        self._overview = Overview(document, self.terms, run)
        self._by_kind: dict[str, tuple[str, Method]] = {}
        self._by_rule: dict[str, Method] = {}

    def edits(self) -> list[Edit]:
        made: list[Edit] = []
        at = 0  # the first earlier edit that may touch the next term
        for term in self.terms:
            while at < len(self.earlier) and self.earlier[at].end <= term.start:
                at += 1
            if at < len(self.earlier) and self.earlier[at].start < term.end:
                made += self._leftovers(term, at)
            elif (edit := self._edit(term)) is not None:
                made.append(edit)
        made = tidied(self.document.text, made, self.earlier)
        return sorted([*self.earlier, *made], key=lambda e: e.start)

    def _edit(self, term: Term) -> Edit | None:
        how, method = self._method(term.kind)
        original = term.of(self.document.text)
        made = method(term, original)
        if isinstance(made, Unfit):
            return self._labelled(term, f"replaced by a label, as {made.why}")
        if not made.may_stay and _reads_like(made.text, original):
            return self._labelled(term, "replaced by a label, as nothing else would hide it")
        if made.text == original:
            return self._labelled(term, "replaced by a label") if term.detector == SPREAD else None
        return _as_edit(term, made, how)

    def _method(self, kind: str) -> tuple[str, Method]:
        """The method of a kind's rule, by name; kinds with the same rule share one."""
        if kind not in self._by_kind:
            rule = self.policy.rule(kind)
            written = rule.model_dump_json()
            if written not in self._by_rule:
                self._by_rule[written] = METHODS.get(rule.how).make(rule.options, self._overview)
            self._by_kind[kind] = rule.how, self._by_rule[written]
        return self._by_kind[kind]

    def _labelled(self, term: Term, why: str) -> Edit:
        """The edit for what its own rule cannot hide."""
        texts = (self.policy.label(term.kind).of(term.kind), Label().of(term.kind), "[…]")
        original = term.of(self.document.text)
        made = next(t for t in texts if t != original)
        return _as_edit(term, Replacement(made, why), _LABEL)

    def _leftovers(self, term: Term, at: int) -> Iterable[Edit]:
        """Labels for the stretches of a term that an earlier edit covers only in part."""
        position = term.start
        while position < term.end:
            edit = self.earlier[at] if at < len(self.earlier) else None
            end = min(term.end, edit.start) if edit else term.end
            if any(c.isalnum() for c in self.document.text[position:end]):
                label = self._labelled(term, "rest replaced by a label")
                yield replace(label, start=position, end=end)
            position = max(edit.end, position) if edit else term.end
            at += 1


def tidied(text: str, made: Sequence[Edit], earlier: Sequence[Edit] = ()) -> list[Edit]:
    """Edits whose removals take one neighbouring space with them, where two would be left or a line would
    begin with one."""
    starts = {e.start for e in (*earlier, *made)}
    ends = {e.end for e in (*earlier, *made)}
    tidy: list[Edit] = []
    free_from = cleared = 0  # everything of the line before `cleared` is removed
    for edit in made:
        start, end = edit.start, edit.end
        if edit.how == _REMOVE:
            after = text[end : end + 1]
            if text[start - 1 : start] == " " and start not in ends and start > free_from:
                start -= not after or after in " \n\r\t.,;:!?)"
            elif (
                (start == cleared or text[start - 1] == "\n") and after == " " and end not in starts
            ):
                end += 1
                cleared = end
            edit = replace(edit, start=start, end=end)
        tidy.append(edit)
        free_from = end
    return tidy


def _as_edit(term: Term, made: Replacement, how: str) -> Edit:
    title = KINDS[term.kind].title if term.kind in KINDS else f"term of kind {term.kind}"
    reason = f"{term.reason or title}; {made.why}"
    return Edit(
        term.start,
        term.end,
        term.kind,
        made.text,
        reason,
        how,
        made.alternatives,
        concept=made.concept,
    )


def _reads_like(made: str, original: str) -> bool:
    return made == original or (folded_words(made) == folded_words(original) != [])
