"""t-plausibility against who has the released text alone: the paper's searches, bound to the facts of a text.

Findings of the detectors, and nouns of delicate families, go up by a rung at least, so that nothing of them
is left standing; a finding without a ladder is replaced by the policy's rule for its kind, and so counts for
nothing. The rest of what t asks for is the search's choice. What an earlier protector has hidden stays hidden
and counts for nothing either.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from sfumato.document import (
    FACT,
    GENERALISE,
    SORT,
    Claim,
    Document,
    Edit,
    Spans,
    Term,
    released_spans,
    where,
)
from sfumato.english import units
from sfumato.english.units import Unit
from sfumato.errors import InputError
from sfumato.facts.implication import without_hints
from sfumato.facts.ladders import Rung
from sfumato.facts.values import Amount, Days, Value
from sfumato.kinds import rule_chain
from sfumato.know import sources
from sfumato.know.taxonomy import softening
from sfumato.protect import Run
from sfumato.protect.plausibility.likelihood import Likelihood
from sfumato.protect.plausibility.options import PlausibilityOptions
from sfumato.protect.plausibility.problem import Problem, UnreachableError, in_words
from sfumato.protect.plausibility.search import AUTO_BUDGET, search
from sfumato.protect.plausibility.soft_counts import TextCounting
from sfumato.protect.plausibility.soft_facts import (
    FactFinder,
    SoftFact,
    may_follow,
    of_edits,
    original_ages,
    released_ages,
)
from sfumato.protect.plausibility.softened import DATED, DERIVED, NOUN, Softened
from sfumato.protect.plausibility.tied import Standing, telling_words, tied_by

PLAUSIBLE = "t-plausible"
# Counts above this are given as this: a claim is a line in a file, not a book of digits.
MANY = 10**1000
_SHOWN = 3  # limiting terms that an error names
_USEFUL = 100  # alternatives of a noun above which it says next to nothing
_WHY = "a word for it would tell of something else that is hidden"


class Searched:
    """The protector against who has the text alone: made once for a run, called for every document."""

    def __init__(self, options: PlausibilityOptions, run: Run) -> None:
        self._options, self._policy = options, run.policy
        chain = sources.taxonomy_for(run.policy.know)
        self._finder = FactFinder(run.policy, chain, options)
        self._counting = TextCounting(chain)
        corpus = options.probabilities == "corpus"
        self._likelihood = Likelihood(chain, run.policy.know) if corpus else None
        self._by_rules, self._standing = run.by_rules, Standing(run.policy)

    def __call__(
        self, document: Document, terms: Sequence[Term], edits: Sequence[Edit]
    ) -> Sequence[Edit]:
        edits = [e for e in edits if e.hides]
        ours = {(e.start, e.end): e for e in edits if FACT in e.numbers and e.concept}
        others = [e for e in edits if (e.start, e.end) not in ours]
        edited = Spans((e.start, e.end) for e in others)
        found, unknown = self._finder.found(document, terms, edited)
        others = list(self._by_rules(document, unknown, others))
        taken = Spans((e.start, e.end) for e in others)
        for term in terms:
            taken.add(term.start, term.end)
        for start, end in telling_words(document.text, terms):
            taken.add(start, end)
        nouns = self._finder.nouns(document, taken, found)
        if self._options.terms == "findings":
            nouns = []
        found += [fact for fact in nouns if fact.level]
        nouns = [f for f in nouns if not f.level and self._options.terms != "delicate"]
        self._label_repeated(document, found, nouns, taken, others)
        others.sort(key=lambda e: e.start)
        for fact in (*found, *nouns):
            _take_up(fact, ours)
        dates = [t for t in terms if t.kind in DATED and not self._policy.keeps(t.kind)]
        while labelled := self._step(document, found, nouns, dates, others):
            for fact in labelled:
                (found if fact in found else nouns).remove(fact)
                others += [self._label(fact, term) for term in fact.mentions]
            others.sort(key=lambda e: e.start)
        return sorted([*others, *self._edits(document, [*found, *nouns])], key=lambda e: e.start)

    def _label_repeated(
        self,
        document: Document,
        found: list[SoftFact],
        nouns: list[SoftFact],
        taken: Spans,
        others: list[Edit],
    ) -> None:
        """Give nouns labels whose word stands elsewhere as something else; those that may stand do."""
        labels = Spans()
        sure = [*found, *(nouns if self._options.terms == "nouns" else ())]
        for fact, again in self._finder.repeated(document, sure, taken):
            (found if fact in found else nouns).remove(fact)
            said = [t for t in (*fact.mentions, *again) if labels.add(t.start, t.end)]
            others += [replace(self._label(fact, t), numbers={SORT: 0.0}) for t in said]
        for fact, _ in self._finder.repeated(document, nouns, taken):
            nouns.remove(fact)
        nouns[:] = [f for f in nouns if not any(labels.touch(m.start, m.end) for m in f.mentions)]

    def _step(
        self,
        document: Document,
        found: Sequence[SoftFact],
        nouns: Sequence[SoftFact],
        dates: Sequence[Term],
        others: Sequence[Edit],
    ) -> list[SoftFact]:
        """Raise facts until every unit has its t and none tells what another hides. What is given back can
        only be labelled: then it is to be done again without."""
        while True:
            told = original_ages(document, dates)
            for fact in found:
                fact.derived = fact.sort in ("age", DERIVED) and _among(fact, told) is not None
            self._tie(document.text, found, others)
            if labelled := [f for f in found if f.tied and self._least(f.kind) > 1]:
                return labelled
            if unpaid := self._raise_levels(document, found, nouns):
                return unpaid
            if self._options.senses == "all":
                for fact in (*found, *nouns):
                    if fact.level:
                        self._finder.widen(document, fact)
            if clash := self._tell_ages(document, found, told):
                return clash
            self._count(document, [*found, *nouns])
            raised, labelled = self._lifted(document, [*found, *nouns], others)
            if labelled or not raised:
                return labelled

    # Levels

    def _raise_levels(
        self,
        document: Document,
        found: Sequence[SoftFact],
        nouns: Sequence[SoftFact],
    ) -> list[SoftFact]:
        """Raise facts and nouns until every unit has its t. Raising one for a unit never harms another. What
        is given back are facts of a unit where none pays."""
        for unit, t in self._options.wanted.items():
            spans = units.spans(document.text, unit)
            known, standing = _by_span(found, spans), _by_span(nouns, spans)
            for span, inside, more in zip(spans, known, standing, strict=True):
                if self._options.terms == "nouns" or not _reaches(inside, t):
                    inside += more
                if t > 1 and not any(f.pays for f in inside) and any(f.tied for f in inside):
                    return [f for f in inside if f.tied]
                if any(f.pays for f in inside):
                    texts = partial(self._counting.texts, every=[*found, *nouns])
                    self._raise_unit(document, unit, span, inside, t, texts)
        return []

    def _raise_unit(
        self,
        document: Document,
        unit: Unit,
        span: tuple[int, int],
        inside: Sequence[SoftFact],
        t: int,
        texts: Callable[[Sequence[SoftFact]], int],
    ) -> None:
        free = [f for f in inside if f.pays]
        while not self._is_enough(free, t, texts(free)):
            # What does not fit together is made up for, as far as any ladder goes.
            volume, most = (
                math.prod(f.volume for f in free),
                math.prod(f.ladder[-1].volume for f in free),
            )
            more = -(-t * volume // texts(free))
            more = min(more, most) if volume < most else more
            problem = Problem(
                ladders=[[r.volume for r in f.ladder[f.level :]] for f in free],
                t=more,
                alpha=self._options.alpha,
                uniform=self._options.uniform,
                probabilities=self._likelihood.rows(free) if self._likelihood else None,
                weights=[f.weight for f in free] if self._options.weights else None,
            )
            try:
                solved = search(
                    problem,
                    method=self._options.method,
                    delta=self._options.delta,
                    budget=self._options.budget or AUTO_BUDGET,
                )
            except UnreachableError as error:
                limiting = [free[i] for i in error.limiting]
                limiting = limiting or sorted(free, key=lambda f: f.ladder[-1].volume)
                for fact in free:
                    fact.level = len(fact.ladder) - 1
                tops = ((f, f.ladder[-1]) for f in limiting)
                shown = [(f, f"{top.words}: {top.volume:,}") for f, top in tops]
                largest = in_words(texts(free))
                raise unreachable(document, unit, span[0], t, largest, shown) from None
            for fact, level in zip(free, solved.levels, strict=True):
                fact.level += level

    def _is_enough(self, facts: Sequence[SoftFact], t: int, texts: int) -> bool:
        likely = self._likelihood is None or self._likelihood.is_enough(facts, t)
        return likely and texts >= t

    def _lifted(
        self, document: Document, facts: Sequence[SoftFact], others: Sequence[Edit]
    ) -> tuple[bool, list[SoftFact]]:
        """Raise what would tell of something hidden: whether anything was, and what has no rung left."""
        of_place = {(t.start, t.end): f for f in facts for t in f.mentions}
        made = sorted([*others, *self._edits(document, facts)], key=lambda e: e.start)
        raised, labelled = False, list[SoftFact]()
        for edit, lifted in zip(made, without_hints(made, document, self._policy), strict=True):
            fact = of_place.get((edit.start, edit.end))
            if fact is None or fact in labelled or edit.concept == lifted.concept:
                continue
            if fact.rung.concept != edit.concept:
                continue
            concepts = [r.concept for r in fact.ladder]
            above = concepts.index(lifted.concept) if lifted.concept in concepts else 0
            fact.level = above or fact.level + 1
            raised = True
            if fact.level == len(fact.ladder):
                labelled.append(fact)
        return raised, labelled

    def _tie(self, text: str, facts: Sequence[SoftFact], others: Sequence[Edit]) -> None:
        """Let every fact know whether something that stands may tell it."""
        tied = tied_by(text, ((f.sort, f.mentions) for f in facts), others, self._standing)
        for fact in facts:
            is_near = tied.near and fact.sort == "place"
            fact.tied = is_near or tied.holds(fact.sort, fact.mentions[0].of(text))

    def _least(self, kind: str) -> int:
        names = [n for n in rule_chain(kind) if n in self._options.least]
        return self._options.least[names[0]] if names else 1

    def _tell_ages(
        self, document: Document, found: Sequence[SoftFact], told: Sequence[tuple[int, int]]
    ) -> list[SoftFact]:
        """Let the ages that follow from two dates say so. What is given back would tell more than it should:
        an age that is one of too few that follow, or another, or a bare number, that may be one of them."""
        released, clash = released_ages(found), []
        for fact in found:
            if fact.derived:
                low, high = _among(fact, released) or (0, 0)
                clash += [fact] if high - low + 1 < max(2, self._least(fact.kind)) else []
                fact.ladder = (fact.ladder[0], Rung(f"{low}–{high}", 1, f"ranges:{low}..{high}"))
                fact.level = 1
            elif fact.level and may_follow(fact, document.text):
                first, last = map(int, fact.rung.concept.partition(":")[2].split(".."))
                apart = all(last < low or high < first for low, high in (*told, *released))
                clash += [] if apart else [fact]
        return clash

    def _count(self, document: Document, facts: Sequence[SoftFact]) -> None:
        """Let every fact know of how many texts its unit is one, for the reason."""
        soft = [f for f in facts if f.level]
        for fact in soft:
            fact.texts.clear()
        for unit in self._options.wanted:
            for inside in _by_span(soft, units.spans(document.text, unit)):
                texts = self._counting.texts(inside, soft)
                for fact in inside:
                    fact.texts.setdefault(unit, texts)

    # Edits

    def _edits(self, document: Document, facts: Sequence[SoftFact]) -> Iterator[Edit]:
        soft = sorted((f for f in facts if f.level), key=lambda f: f.mentions[0].start)
        for number, fact in enumerate(soft, 1):
            unit, texts = next(iter(fact.texts.items()), ("document", fact.volume))
            said = "text" if unit == "document" else unit
            numbers = {"volume": fact.volume, "level": fact.level, FACT: number}
            edit = Edit(
                0,
                1,
                fact.kind,
                "",
                f"{fact.counted}; the {said} is one of {in_words(texts)}",
                GENERALISE,
                tuple(r.words for r in fact.ladder[fact.level + 1 :]),
                numbers | ({DERIVED: 1} if fact.derived else {}),
                fact.rung.concept,
            )
            for term in fact.mentions:
                words = fact.said(term, document.text)
                yield replace(edit, start=term.start, end=term.end, replacement=words)

    def _label(self, fact: SoftFact, term: Term) -> Edit:
        label = self._policy.label(fact.kind).of(fact.kind)
        return Edit(term.start, term.end, fact.kind, label, f"replaced by a label, as {_WHY}")

    # Claims

    def claims(self, document: Document, edits: Sequence[Edit]) -> Sequence[Claim]:
        """The claim, with the words of the release that stand for a concept."""
        edits = list(edits)
        at = {(e.start, e.end): span for e, span in zip(edits, released_spans(edits), strict=True)}
        facts = [_of_edits(value, mine) for value, mine in of_edits(document, edits)]
        self._tie(
            document.text, facts, [e for e in edits if FACT not in e.numbers or not e.concept]
        )
        number = {id(fact): at for at, fact in enumerate(facts, 1)}
        parts = []
        for unit in self._options.wanted:
            spans = units.spans(document.text, unit)
            for span, inside in zip(spans, _by_span(facts, spans), strict=True):
                slots = []
                for fact in inside:
                    first = next(t for t in fact.mentions if _lies(t, span))
                    place = at[first.start, first.end]
                    slots.append([*place, fact.rung.concept, fact.sort, number[id(fact)]])
                if slots:
                    slots.sort()
                    texts = min(self._counting.texts(inside, facts), MANY)
                    part = {"unit": unit, "start": slots[0][0], "texts": texts, "terms": slots}
                    parts.append(part)
        return [claim_of(self._options, [], parts)]


def _among(fact: SoftFact, told: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """The ages that follow and that a fact is one of."""
    assert isinstance(fact.value, Amount)
    return next(((a, b) for a, b in told if a <= fact.value.number <= b), None)


def _take_up(fact: SoftFact, ours: dict[tuple[int, int], Edit]) -> None:
    """Go on from the rungs of an earlier round: ladders only go up."""
    concepts = [r.concept for r in fact.ladder]
    for term in fact.mentions:
        edit = ours.get((term.start, term.end))
        if edit is not None and edit.concept in concepts:
            fact.level = max(fact.level, concepts.index(edit.concept))


def _of_edits(value: Value, edits: Sequence[Edit]) -> SoftFact:
    """A fact as the release has it."""
    edit = edits[0]
    mentions = [Term(e.start, e.end, e.kind, 1.0, "") for e in edits]
    volume = int(edit.numbers["volume"])
    if isinstance(value, Days) and value.level != "decade":  # it may have been raised since
        volume = softening.values_in(int(edit.concept.partition(":")[2]), value.level)
    ladder = (Rung("", 1), Rung(edit.replacement, volume, edit.concept))
    return SoftFact(value, edit.kind, ladder, mentions, 1, derived=DERIVED in edit.numbers)


def _reaches(facts: Sequence[SoftFact], t: int) -> bool:
    """Whether facts could reach t and still say something; without any there is nothing to hide with."""
    most = (min(f.ladder[-1].volume, _USEFUL if f.kind == NOUN else MANY) for f in facts if f.pays)
    return bool(facts) and math.prod(most) >= t


def _by_span(facts: Sequence[SoftFact], spans: Sequence[tuple[int, int]]) -> list[list[SoftFact]]:
    """The facts that each span mentions, in their order."""
    found: list[list[SoftFact]] = [[] for _ in spans]
    starts = [start for start, _ in spans]
    for fact in facts:
        inside = ((bisect_right(starts, t.start) - 1, t) for t in fact.mentions)
        for at in sorted({n for n, t in inside if n >= 0 and _lies(t, spans[n])}):
            found[at].append(fact)
    return found


def _lies(term: Term, span: tuple[int, int]) -> bool:
    return span[0] <= term.start < span[1]


# What both protectors say


def claim_of(options: PlausibilityOptions, births: list[int], parts: list[dict[str, Any]]) -> Claim:
    """The claim of a release: its units with what stands in them, and which facts are births."""
    stated = {
        "t": dict(options.wanted),
        "adversary": options.adversary,
        "each": dict(options.least),
        "diverse": options.diverse,
        "births": births,
        "units": parts,
    }
    return Claim(PLAUSIBLE, stated)


def unreachable(
    document: Document,
    unit: Unit,
    start: int,
    t: int,
    largest: str,
    limiting: Sequence[tuple[SoftFact | Softened, str]],
) -> InputError:
    """What is the largest t, and which facts limit it, with how: by place and kind, never by their words."""
    text = document.text
    shown = ", ".join(
        f"{fact.kind} at {where(text, fact.mentions[0].start)}{how and f' ({how})'}"
        for fact, how in limiting[:_SHOWN]
    )
    more = f" and {len(limiting) - _SHOWN} more" if len(limiting) > _SHOWN else ""
    limits = f"; limited by {shown}{more}" if shown else ""
    place = "" if unit == "document" else f" in the {unit} at {where(text, start)}"
    otherwise = "" if unit == "document" else ", or choose a larger unit"
    return InputError.at(
        document.name,
        f"t = {in_words(t)} cannot be reached{place}, the largest is {largest}"
        f"{limits}; lower t{otherwise}",
    )
