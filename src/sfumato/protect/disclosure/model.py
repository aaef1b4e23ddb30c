"""Disclosure risk bound to text: what is hidden, what is left, and the edits by which nothing betrays it.

Hidden is what earlier protectors have edited: generalised to a concept, or gone where there is a label, a
mask or an invented value. A term that tells too much about one of them is generalised, all its mentions
alike, or labelled where no generalisation is safe. What is then left of the phrases around it is looked at
again, until nothing changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sfumato.detect import encoder
from sfumato.document import GENERALISE, Claim, Document, Edit, Spans, Term, where
from sfumato.english.folding import skeleton
from sfumato.errors import InputError
from sfumato.facts.implication import labelled
from sfumato.facts.mentions import find
from sfumato.kinds import KINDS
from sfumato.know import fingerprints
from sfumato.plugins import Guarantor, protector
from sfumato.protect import Run
from sfumato.protect.disclosure.catalogue import knowledge_for
from sfumato.protect.disclosure.document_terms import TOLD, DocumentTerms, is_softened
from sfumato.protect.disclosure.groups import GroupSettings, RowBits
from sfumato.protect.disclosure.options import DisclosureOptions
from sfumato.protect.disclosure.sanitizer import Finding, Solution, sanitize
from sfumato.protect.disclosure.strategies import STRATEGIES
from sfumato.protect.disclosure.things import Assessment, Occurrence, catalogue_for, make_case

NOTHING_TOLD = "no term discloses"
KIND = "TERM"  # of a term that no detector has found
OTHER = "MISC"  # says nothing about a term
_SHOWN = 3  # places that an error names
_MOST_ROUNDS = 100
_knowledge = fingerprints.together(
    encoder.knowledge, fingerprints.statistics, fingerprints.taxonomy, fingerprints.senses
)


def _claims(options: DisclosureOptions) -> Sequence[str]:
    """Some strategies leave what discloses: then there is nothing to claim."""
    return () if STRATEGIES[options.strategy].correlated == "leave" else (NOTHING_TOLD,)


@protector("disclosure", options=DisclosureOptions, claims=_claims, knowledge=_knowledge)
def make(options: DisclosureOptions, run: Run) -> Guarantor:
    """Softens terms that tell too much about what is hidden."""
    return Disclosure(options, run)


class Disclosure:
    """The protector: made once for a run, called for every document."""

    def __init__(self, options: DisclosureOptions, run: Run) -> None:
        self._options, self._policy = options, run.policy
        self._strategy = STRATEGIES[options.strategy]
        # As the last step, it looks at the text with all findings treated.
        self._first = run.by_rules if run.is_last else None
        self.knowledge = knowledge_for(run.policy.know)
        self._last: tuple[Document, list[Term], DocumentTerms] | None = None
        self._weighed = options.groups  # up to which size all groups of a document were weighed
        if options.groups > 1 and len(self.knowledge.sources) > 1:
            raise InputError(
                "groups of terms are counted in one index; set know.weight to 1, or groups to 1"
            )

    def __call__(
        self, document: Document, terms: Sequence[Term], edits: Sequence[Edit]
    ) -> Sequence[Edit]:
        edits = [e for e in edits if e.hides]
        if self._first is not None:
            edits = list(self._first(document, terms, edits))
        if self._strategy.hidden == "remove":
            edits = [self._removed(e) for e in edits]
        if self._strategy.correlated == "leave":
            return edits
        document_terms = self._terms_of(document, terms)
        self._weighed = self._options.groups
        groups: GroupSettings | None = None
        for _ in range(_MOST_ROUNDS):
            case, solution = self._solve(document_terms, edits, groups)
            self._refuse_unassessed(document, case)
            self._weighed = max(1, min(self._weighed, solution.groups))
            made = self._edits(document_terms, case, solution, edits)
            if made == edits and groups == self._options.group_settings:
                break
            if made == edits:  # groups are looked at when no single term tells too much any more
                groups, self._weighed = self._options.group_settings, self._options.groups
            edits = made
        return edits

    def _terms_of(self, document: Document, terms: Sequence[Term]) -> DocumentTerms:
        """The document's terms; its rounds share them."""
        known = list(terms)
        if self._last is None or self._last[0] is not document or self._last[1] != known:
            self._last = (document, known, DocumentTerms(document, known, self._policy))
            self._rows = catalogue_for(self.knowledge, self._options.settings)
            self._table = RowBits(self._rows.counts)
        return self._last[2]

    def _solve(
        self, document_terms: DocumentTerms, edits: Sequence[Edit], groups: GroupSettings | None
    ) -> tuple[Assessment, Solution]:
        occurrences = document_terms.occurrences(edits)
        case = make_case(document_terms.text, occurrences, self._rows, self._options.settings)
        return case, sanitize(case.problem, groups, self._options.room, self._table)

    def _refuse_unassessed(self, document: Document, case: Assessment) -> None:
        if self._options.unassessed != "refuse" or not case.not_assessed:
            return
        unknown = [case.first[i] for i in case.not_assessed]
        said = ", ".join(f"{o.kind} at {where(document.text, o.start)}" for o in unknown[:_SHOWN])
        more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
        raise InputError.at(
            document.name,
            f"the statistics do not know what is hidden ({said}{more}), so what gives it "
            "away cannot be assessed; give statistics that do (know.index), or set unassessed to report",
        )

    # Edits

    def _edits(
        self,
        document_terms: DocumentTerms,
        case: Assessment,
        solution: Solution,
        edits: Sequence[Edit],
    ) -> list[Edit]:
        """The edits with every thing at its new level."""
        edits = _with_concepts(document_terms, case, edits)
        moves = zip(solution.levels, case.problem.start, strict=True)
        risen = {i for i, (level, before) in enumerate(moves) if level > before}
        why = {f.thing: f for f in solution.findings}
        at = {(e.start, e.end): e for e in edits}
        made: dict[tuple[int, int], Edit] = {}
        for o, thing in zip(document_terms.occurrences(edits), case.thing_of, strict=True):
            first = case.first[thing]
            if thing not in risen and first.softened and o.shown is None:
                # What earlier edits have left of a phrase may be a softened term.
                made[o.start, o.end] = replace(at[first.start, first.end], start=o.start, end=o.end)
            elif thing in risen:
                made[o.start, o.end] = self._edit(o, case, why[thing], solution.levels[thing])
        if not made:
            return list(edits)
        kept = [e for e in edits if (e.start, e.end) not in made]
        return self._spread(document_terms, [*kept, *made.values()])

    def _edit(self, o: Occurrence, case: Assessment, finding: Finding, level: int) -> Edit:
        rung = case.rung(finding.thing, level)
        kind = o.kind or KIND
        words = rung.words if rung else self._policy.label(kind).of(kind)
        about = case.first[finding.target]
        telling = about.kind in KINDS and about.kind not in (KIND, OTHER)
        title = KINDS[about.kind].title if telling else "term"
        if finding.thing == finding.target:
            reason = "what stood for it told too much about it"
        elif len(finding.group) > 1:
            reason = f"told too much, with others, about a hidden {title}"
        else:
            reason = f"told too much about a hidden {title}"
        tells = f"tells {finding.risk:.1f} of the {finding.information:.1f} bits of “{about.words}”"
        if len(finding.group) > 1:
            others = (case.word(m, case.problem.start[m]) for m in finding.group)
            named = " and ".join(f"“{o}”" for o in others if o)
            tells = tells.replace("tells", f"{named} together tell", 1)
        left = f"“{words}” tells {finding.left:.1f}" if rung else "a label tells nothing"
        numbers = {
            "information": round(finding.information, 2),
            "threshold": round(finding.limit, 2),
            "left": round(finding.left, 2),
        }
        if not o.hidden:
            numbers[TOLD] = round(finding.risk, 2)
        return Edit(
            o.start,
            o.end,
            kind,
            words,
            reason,
            GENERALISE if rung else "label",
            tuple(r.words for r in case.ladders[finding.thing][level + 1 :]),
            numbers,
            rung.concept if rung else "",
            f"{tells}; {left} (threshold {finding.limit:.1f})",
        )

    def _spread(self, document_terms: DocumentTerms, edits: Sequence[Edit]) -> list[Edit]:
        """Softened terms are softened wherever they stand, also as parts of longer phrases."""
        edits = sorted(edits, key=lambda e: e.start)
        softened: dict[str, Edit] = {}
        for edit in edits:
            if is_softened(edit):
                softened.setdefault(skeleton(document_terms.text[edit.start : edit.end]), edit)
        taken = Spans((e.start, e.end) for e in edits)
        found = sorted(
            (m for m in find(document_terms.text, softened) if not taken.touch(m[0], m[1])),
            key=lambda m: (m[0] - m[1], m[0]),
        )
        more = []
        for start, end, key in found:
            if not document_terms.is_fixed(start, end) and taken.add(start, end):
                more.append(replace(softened[key], start=start, end=end))
        return sorted([*edits, *more], key=lambda e: e.start)

    def _removed(self, edit: Edit) -> Edit:
        """A generalised hidden term as a label, where the strategy removes it."""
        if edit.how != GENERALISE or is_softened(edit):
            return edit
        return labelled(edit, self._policy)

    # Claims

    def claims(self, document: Document, edits: Sequence[Edit]) -> Sequence[Claim]:
        """That nothing left tells too much, and of how many hidden things nobody knows."""
        if self._strategy.correlated == "leave":
            return []
        document_terms = self._terms_of(document, self._last[1] if self._last else [])
        own = [e for e in edits if e.hides]
        occurrences = document_terms.occurrences(own)
        case = make_case(document.text, occurrences, self._rows, self._options.settings)
        unknown = len(case.not_assessed)
        said = {**self._options.stated(), "groups": self._weighed, "not assessed": unknown}
        return [Claim(NOTHING_TOLD, said)]


def _with_concepts(
    document_terms: DocumentTerms, case: Assessment, edits: Sequence[Edit]
) -> list[Edit]:
    """The edits, where somebody else's words name a concept with that concept: a verifier must count them as
    the search does."""
    named: dict[tuple[int, int], str] = {}
    for o, thing in zip(document_terms.occurrences(edits), case.thing_of, strict=True):
        if o.shown is not None and o.shown.words and not o.shown.concept:
            rung = case.rung(thing, case.problem.start[thing])
            if rung is not None and rung.concept:
                named[o.start, o.end] = rung.concept
    return [replace(e, concept=named.get((e.start, e.end), e.concept)) for e in edits]
