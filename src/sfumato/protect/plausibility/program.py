"""t-plausibility against who runs the program himself: closed cuts over the facts of a text.

Every fact that has a tree is released as a node of it, with so many values that the unit could have come
from t texts. How many that is depends on the sorts of the unit's facts alone, never on their values; and
which values are released as a node, on nothing but what is released. So all texts that are counted lead to
this very release, and whoever tries them out has ruled out none. The proof is in `docs/plausibility.md`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from sfumato.document import (
    FACT,
    GENERALISE,
    SORT,
    Claim,
    Document,
    Edit,
    Term,
    released_spans,
)
from sfumato.facts.implication import Hidden, hidden_by
from sfumato.know import sources
from sfumato.protect import Run
from sfumato.protect.plausibility.options import PlausibilityOptions
from sfumato.protect.plausibility.plan import PlannedUnit, SofteningPlan, UnreachableTError
from sfumato.protect.plausibility.problem import in_words
from sfumato.protect.plausibility.searched import MANY, claim_of, unreachable
from sfumato.protect.plausibility.softened import (
    REPEATED,
    Gatherer,
    Softened,
    hidden_in,
    is_ours,
)
from sfumato.protect.plausibility.tied import Standing

# The number of a label that others count for: nouns beside it go by what it hides
_UNSAID = "unsaid"
_LABELLED = "no word for it stands for enough"


class Program:
    """The protector against who runs the program: made once for a run, called for every document."""

    def __init__(self, options: PlausibilityOptions, run: Run) -> None:
        self._options, self._policy = options, run.policy
        self._chain = sources.taxonomy_for(run.policy.know)
        self._gather = Gatherer(run.policy, options)
        self._by_rules, self._standing = run.by_rules, Standing(run.policy)

    def __call__(
        self, document: Document, terms: Sequence[Term], edits: Sequence[Edit]
    ) -> Sequence[Edit]:
        others = [e for e in edits if e.hides and not is_ours(e)]
        facts, rest = self._gather(document, terms, others)
        again = [self._label_again(t) for t in rest if t.detector == REPEATED]
        ruled = sorted((t for t in rest if t.detector != REPEATED), key=lambda t: t.start)
        others = list(self._by_rules(document, ruled, others))
        others = sorted([*others, *again], key=lambda e: e.start)
        hidden = hidden_by(others, document.text, self._chain)
        try:
            plan, unsaid = self._planned(document.text, self._options, facts, hidden, others)
        except UnreachableTError as error:
            part = error.part
            largest = in_words(self._largest(document.text, facts, hidden, others, error))
            limiting = [(f, f"{most:,} at most" if most > 1 else "") for f, most in error.limiting]
            place = document, part.unit, part.span[0], part.t
            raise unreachable(*place, f"about {largest}", limiting) from None
        made = [*others, *unsaid, *self._edits(document.text, plan)]
        return sorted(made, key=lambda e: e.start)

    def _planned(
        self,
        text: str,
        options: PlausibilityOptions,
        facts: Sequence[Softened],
        hidden: Hidden,
        others: Sequence[Edit],
    ) -> tuple[SofteningPlan, list[Edit]]:
        """What the facts are released as, and labels: where those that count first cannot reach t, they say
        nothing, and the nouns that are left out count in their place, where these may be softened."""
        plan = SofteningPlan(text, options, facts, others, self._standing)
        plan.ask()
        known = hidden | hidden_in(text, plan.facts)
        plan.release(known)
        try:
            plan.count()
            return plan, []
        except UnreachableTError:
            left = [f for f in facts if f not in set(plan.facts)]
            if options.terms == "delicate":  # what has labels alone claims nothing
                left = []
            elif not left or not plan.fails_by_itself():
                raise
        unsaid = [self._label(fact, term, text) for fact in plan.facts for term in fact.mentions]
        plan = SofteningPlan(text, options, left, others, self._standing)
        plan.ask()
        plan.release(known | hidden_in(text, left))
        plan.count()
        return plan, unsaid

    def _label_again(self, term: Term) -> Edit:
        words = self._policy.label(term.kind).of(term.kind)
        reason = "replaced by a label, as its word stands elsewhere"
        return Edit(term.start, term.end, term.kind, words, reason, "label", (), {SORT: 0.0})

    def _label(self, fact: Softened, term: Term, text: str) -> Edit:
        words = self._policy.label(term.kind).of(term.kind)
        reason = f"replaced by a label, as {_LABELLED}"
        sort = {name: n for name, n in fact.numbers(text, term).items() if name == SORT}
        numbers = {_UNSAID: 1.0, **sort}
        return Edit(term.start, term.end, term.kind, words, reason, "label", (), numbers)

    def _largest(
        self,
        text: str,
        facts: Sequence[Softened],
        hidden: Hidden,
        others: Sequence[Edit],
        error: UnreachableTError,
    ) -> int:
        """The largest power of ten that the unit could have reached."""
        exponents = range(len(str(error.part.t)))

        def fails(exponent: int) -> bool:
            wanted = dict(self._options.wanted) | {error.part.unit: 10**exponent}
            options = self._options.model_copy(update={"t": wanted})
            try:
                self._planned(text, options, facts, hidden, others)
            except UnreachableTError:
                return True
            return False

        return int(10 ** max(0, bisect_left(exponents, True, key=fails) - 1))

    def _edits(self, text: str, plan: SofteningPlan) -> Iterator[Edit]:
        for number, fact in enumerate(plan.facts, 1):
            reason = _reason(fact, plan.part_of[fact])
            above = tuple(map(fact.sort.said, fact.above)) if fact.node is not None else ()
            for term in fact.mentions:
                words, how = self._policy.label(term.kind).of(term.kind), "label"
                if fact.node is not None:
                    words, how = fact.words(text, term), GENERALISE
                numbers = {FACT: float(number), **fact.numbers(text, term)}
                yield Edit(
                    term.start,
                    term.end,
                    term.kind,
                    words,
                    reason,
                    how,
                    above,
                    numbers,
                    fact.concept,
                )

    def claims(self, document: Document, edits: Sequence[Edit]) -> Sequence[Claim]:
        """The claim, with the words of the release that stand for a concept."""
        ours = {(e.start, e.end): e for e in edits if is_ours(e)}
        terms = [Term(e.start, e.end, e.kind, 1.0, "") for e in ours.values()]
        facts, _ = self._gather(document, terms, (), with_nouns=False)
        for fact in facts:
            first = fact.mentions[0]
            fact.take(ours[first.start, first.end], self._gather)
        others = [e for e in edits if not is_ours(e) and _UNSAID not in e.numbers]
        plan = SofteningPlan(document.text, self._options, facts, others, self._standing)
        plan.ask(chosen=True)
        plan.count(checked=False)
        at = {(e.start, e.end): span for e, span in zip(edits, released_spans(edits), strict=True)}
        number = {id(fact): n for n, fact in enumerate(facts, 1)}
        parts = []
        for part in plan.parts:
            slots = []
            for fact, first in part.facts.items():
                slots.append(
                    [*at[first.start, first.end], fact.concept, fact.sort_name, number[id(fact)]]
                )
            if slots:
                slots.sort()
                made = {"unit": part.unit, "start": slots[0][0], "texts": min(part.texts, MANY)}
                parts.append(made | {"terms": slots})
        births = sorted(number[id(fact)] for fact in plan.births)
        return [claim_of(self._options, births, parts)]


def _reason(fact: Softened, part: PlannedUnit) -> str:
    said = "text" if part.unit == "document" else part.unit
    why = fact.counted if fact.node is not None else f"replaced by a label, as {_LABELLED}"
    counts = any(f.node is not None for f in part.facts)
    return f"{why}; the {said} is one of {in_words(part.texts)}" if counts else why
