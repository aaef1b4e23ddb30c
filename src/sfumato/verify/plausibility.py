"""Could at least t texts have been the original? Counted again from the release and the policy in hand.

A claim lists, for every unit, where words of the release stand for a concept, and of which fact. From the
release, the policy and what is known of the world it can be seen that the words name these concepts, and how
many values each fact may have; with the ledger also that every unit with an edit is listed, that each
original is one of the values, and that two facts are not one.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.document import Claim, Edit, Spans, where
from sfumato.english import units
from sfumato.english.births import OLDEST, ages, may_be_age, told_as_birth
from sfumato.english.dates import day_first
from sfumato.english.inflection import pluralise
from sfumato.english.numbers import currency
from sfumato.english.ties import named_days
from sfumato.kinds import rule_chain
from sfumato.know import fingerprints, sources
from sfumato.know.taxonomy import wordnet
from sfumato.plugins import claim
from sfumato.policy.labels import Labels
from sfumato.verify.alternatives import Walk, is_of_sort, is_several, span_of
from sfumato.verify.check import Check, fails, holds, needs, needs_ledger
from sfumato.verify.counts import MANY, Asked, Counter, Slot, ages_between
from sfumato.verify.evidence import Evidence
from sfumato.verify.program import ProgramCounter
from sfumato.verify.record import replacements, whole_edits
from sfumato.verify.text import TextCounter
from sfumato.verify.tied import Ties
from sfumato.verify.told import DATES, NUMBERS, ONE, SORTS, WORDS, Told, told

PLAUSIBLE = "t-plausible"
_ROUNDING = 1e-9  # bits
_MARK = "fact"  # in the numbers of an edit: it softens a fact for this claim


@dataclass(frozen=True, slots=True)
class _ClaimedUnit:
    """A unit of the release, as the claim has it."""

    unit: str
    start: int
    texts: int
    slots: tuple[Slot, ...]

    @property
    def says_something(self) -> bool:
        """Whether anything but labels stands in it."""
        return any(slot.concept for slot in self.slots)


@claim(PLAUSIBLE, knowledge=fingerprints.together(fingerprints.taxonomy, fingerprints.year))
def is_plausible(claim: Claim, evidence: Evidence) -> Check:
    """Each unit with something softened could have come from at least t texts."""
    policy, text = evidence.policy, evidence.text
    if policy is None:
        return needs(PLAUSIBLE, "the policy")
    options = evidence.asked_by(claim)
    if options is None:
        return fails(PLAUSIBLE, "the claim is not what the policy asks for")
    asked = Asked.by(options)
    if any(claim.parameters.get(name) != said for name, said in asked.stated.items()):
        return fails(PLAUSIBLE, "the claim is not what the policy asks for")
    try:
        parts = _claimed_units(claim.parameters, text)
        births = _dates(claim.parameters["births"], parts)
    except (IndexError, KeyError, TypeError, ValueError):
        return fails(PLAUSIBLE, "the claim cannot be read")
    if not {p.unit for p in parts} <= asked.t.keys():
        return fails(PLAUSIBLE, "the claim has a unit without a t")
    walk = Walk(sources.taxonomy_for(policy.know))
    seen = _Seen(evidence, asked, parts, births, walk)
    try:
        problem = next(seen.problems(), "")
        if not problem and evidence.record is not None:
            problem = next(seen.problems_of_record(), "")
    except (KeyError, ValueError, IndexError):
        return needs(PLAUSIBLE, "the taxonomies of the policy")
    if problem:
        return fails(PLAUSIBLE, problem)
    if evidence.record is None and (unsure := seen.not_shown()):
        return needs_ledger(PLAUSIBLE, unsure)
    fewest = min((p.texts for p in parts if p.says_something), default=0)
    said = ", ".join(f"t = {_many(t)} in each {u}" for u, t in asked.t.items())
    return holds(
        PLAUSIBLE,
        f"{said}; one of {_many(fewest)} at least" if fewest else "nothing that a taxonomy counts",
    )


# The claim


def _claimed_units(parameters: Mapping[str, Any], text: str) -> list[_ClaimedUnit]:
    """The units that a claim lists: their slots lie in the text, one after the other, none twice; so do their
    facts, and each is the same wherever it is told."""
    if parameters.keys() != {"t", "adversary", "each", "diverse", "births", "units"}:
        raise ValueError("another claim")
    parts, reached, facts = [], dict[str, int](), dict[int, tuple[str, str]]()
    for given in parameters["units"]:
        slots = tuple(Slot(a, b, str(c), str(sort), fact) for a, b, c, sort, fact in given["terms"])
        part = _ClaimedUnit(str(given["unit"]), given["start"], given["texts"], slots)
        numbers = [n for s in slots for n in (s.start, s.end, s.fact)]
        if any(type(n) is not int for n in (*numbers, part.start, part.texts)):
            raise TypeError("no whole number")
        at = reached.get(part.unit, 0)
        for slot in slots:
            if not at <= slot.start < slot.end <= len(text) or slot.sort not in SORTS:
                raise ValueError("a slot out of order")
            if facts.setdefault(slot.fact, (slot.concept, slot.sort)) != (slot.concept, slot.sort):
                raise ValueError("a fact that is two")
            at = slot.end
        if len({s.fact for s in slots}) < len(slots):
            raise ValueError("a fact that counts twice")
        if part.start != slots[0].start or given.keys() != {"unit", "start", "texts", "terms"}:
            raise ValueError("another unit")
        reached[part.unit] = at
        parts.append(part)
    return parts


def _dates(given: Sequence[int], parts: Sequence[_ClaimedUnit]) -> tuple[int, ...]:
    sorts = {s.fact: s.sort for p in parts for s in p.slots}
    if any(sorts.get(fact) not in DATES for fact in given):
        raise ValueError("no dates")
    return tuple(given)


def _many(count: int) -> str:
    """A number as people read it."""
    return f"{count:,}" if count < 10**15 else f"10^{math.floor(math.log10(count))}"


# What can be seen


class _Seen:
    """A claim in the light of the release and of the record, where there is one."""

    def __init__(
        self,
        evidence: Evidence,
        asked: Asked,
        parts: Sequence[_ClaimedUnit],
        births: tuple[int, ...],
        walk: Walk,
    ) -> None:
        self.evidence, self.asked, self.parts = evidence, asked, parts
        self.births = births
        self._hidden = whole_edits(evidence.record) if evidence.record else []
        self.text, self.walk = evidence.text, walk
        self._slots = {s.fact: s for p in parts for s in p.slots}  # of each fact, one
        self._by_fact = self._kinds()
        assert evidence.policy is not None
        self._labels = Labels(evidence.policy)
        self._tied = self._ties_seen()
        if asked.adversary == "program":
            sides = [(p.unit, p.slots) for p in parts]
            self._counter: Counter = ProgramCounter(
                asked,
                sides,
                self._by_fact,
                self.text,
                births,
                self._tied,
                bool(evidence.policy.detect),
            )
        else:
            self._counter = TextCounter(
                asked, walk, evidence.policy.know, self._slots.values(), self._tied
            )

    def _ties_seen(self) -> Ties:
        """What ties the facts, by all that stands beside them."""
        record, hidden = self.evidence.record, self._labels.spans(self.text)
        if record is not None:
            edits = zip(record.edits, replacements(record), strict=True)
            hidden += [span for edit, span in edits if _MARK in edit.numbers]
        slots = [s for p in self.parts for s in p.slots]
        tied = Ties.seen(self.text, slots, hidden, record is not None)
        if self.asked.adversary == "program" and self.asked.terms != "nouns":
            # of the others of its class a detector may find none
            tied = Ties(
                tied.facts | {s.fact for s in slots if s.sort in ("noun", "nouns")}, tied.near
            )
        return tied

    def _kinds(self) -> dict[int, set[str]]:
        """Of each fact the kinds that the record has for its mentions."""
        record = self.evidence.record
        if record is None:
            return {}
        at = {(s.start, s.end): s.fact for p in self.parts for s in p.slots}
        kinds: dict[float, set[str]] = {}
        number: dict[int, float] = {}
        for edit, span in zip(record.edits, replacements(record), strict=True):
            if _MARK in edit.numbers:
                kinds.setdefault(edit.numbers[_MARK], set()).add(edit.kind)
                if span in at:
                    number[at[span]] = edit.numbers[_MARK]
        return {fact: kinds[which] for fact, which in number.items()}

    def problems(self) -> Iterator[str]:
        """What speaks against a claim in the light of the release alone."""
        for part in self.parts:
            yield from self._misnamed(part)
        for slot in self._slots.values():
            yield from self._too_little(slot)
        for part in (p for p in self.parts if p.says_something):
            texts = self._counter.texts(part.slots)
            if part.texts > texts or part.texts < 1:
                yield f"{self._place(part)} is not one of as many texts as claimed"
            t = self.asked.t[part.unit]
            if part.texts < min(t, MANY):
                yield f"{self._place(part)} is one of {_many(texts)} texts, not of {_many(t)}"
            if self._counter.bits(part.slots) < math.log2(t) - _ROUNDING:
                yield f"{self._place(part)} is one of too few likely texts"
        yield from self._ages()

    def _misnamed(self, part: _ClaimedUnit) -> Iterator[str]:
        for slot in part.slots:
            words = slot.of(self.text)
            if not slot.concept and self._counter.takes_labels:
                if not self._labels.has(words):
                    yield f"the words at {where(self.text, slot.start)} are no label"
            elif not (
                slot.concept
                and is_of_sort(slot.concept, slot.sort)
                and self.walk.is_named(words, slot.concept)
            ):
                yield f"the words at {where(self.text, slot.start)} do not name their concept"
            elif (self._is_one(slot) and is_several(words, slot.concept)) or (
                slot.sort == "amount" and self._counter.takes_labels and currency(words)
            ):
                yield f"the words at {where(self.text, slot.start)} are of another sort"

    def _is_one(self, slot: Slot) -> bool:
        """Whether a fact is counted as a word that stands nowhere in the plural."""
        return self._counter.takes_labels and slot.sort in ONE

    def _too_little(self, slot: Slot) -> Iterator[str]:
        """What a single fact must have by itself."""
        if not slot.concept:
            return
        if slot.sort != "derived" and not self._counter.is_class(slot):
            yield f"nothing is released as the words at {where(self.text, slot.start)}"
        least = self.asked.least_of(slot.sort)
        if least > 1 and self._alone(slot) < least:
            yield f"the words at {where(self.text, slot.start)} stand for too few"
        if slot.sort in WORDS and self.asked.diverse > 1 and not self._counter.is_diverse(slot):
            yield f"what the words at {where(self.text, slot.start)} stand for is too much alike"

    def _alone(self, slot: Slot) -> int:
        if slot in self._tied:
            return 1
        if slot.sort == "derived":
            low, high = span_of(slot.concept)
            return high - low + 1
        return self._counter.alone(slot)

    def _ages(self) -> Iterator[str]:
        """An age that follows from two dates says what follows from what is released of them; any other, and
        any number that may be one, lies apart from that."""
        slots = [s for s in self._slots.values() if s.concept]
        follow = ages_between(s.concept for s in slots if s.sort in DATES)
        for slot in slots:
            bare = slot.sort == "amount" and may_be_age(slot.of(self.text))
            if not bare and slot.sort not in ("age", "derived"):
                continue
            first, last = span_of(slot.concept)
            apart = all(last < told[0] or told[-1] < first for told in follow)
            fits = range(first, last + 1) in follow if slot.sort == "derived" else apart
            if not fits:
                yield f"the age at {where(self.text, slot.start)} does not fit the dates"

        aged = any(s.sort == "derived" for s in slots)
        for birth in {s.concept: s for s in slots if aged and s.fact in self.births}.values():
            if self._leaves_few(birth):
                yield f"the birth at {where(self.text, birth.start)} leaves few ages"

    def _leaves_few(self, birth: Slot) -> bool:
        """Whether somebody who was born then has one of less than ten ages, at whatever other date."""
        dates = {
            s.concept
            for s in self._slots.values()
            if s.sort in DATES and s.concept and s.fact not in self.births
        }
        found = [ages(span_of(birth.concept), span_of(event)) for event in dates]
        left = [(low, high) for low, high in found if low <= high and low < OLDEST]
        return bool(left) and max(high for _, high in left) - min(low for low, _ in left) + 1 < 10

    def not_shown(self) -> str:
        """What the release alone does not show; nothing if it shows all."""
        if self.asked.depends_on_kinds:
            return "of which kind each fact is"
        listed_at = {s.start for p in self.parts for s in p.slots}
        singles = {s.concept: s for s in self._slots.values() if s.concept and self._is_one(s)}
        if any(self._is_said_of_several(s, listed_at) for s in singles.values()):
            return "which words stand for several things"
        for unit in self.asked.t:
            inside = [(p.slots[0].start, p.slots[-1].end) for p in self.parts if p.unit == unit]
            for start, end in units.spans(self.text, unit):  # type: ignore[arg-type]
                at = bisect_left(inside, (start, 0))
                listed = at < len(inside) and inside[at][1] <= end
                if any(map(str.isalnum, self.text[start:end])) and not listed:
                    return f"whether something is hidden in each {unit}"
        return ""

    def _is_said_of_several(self, slot: Slot, listed_at: Collection[int]) -> bool:
        """Whether the plural of a word stands where it may tell the same fact again."""
        word = wordnet.default().word(slot.node)
        found = re.finditer(rf"(?i)\b{re.escape(pluralise(word))}\b", self.text)
        return pluralise(word) != word and any(m.start() not in listed_at for m in found)

    # With the record

    def problems_of_record(self) -> Iterator[str]:
        """What speaks against a claim in the light of the originals."""
        record, original = self.evidence.record, self.evidence.original
        assert record is not None
        assert original is not None
        edits = [
            _Softened(edit, said, span)
            for edit, said, span in self._hidden
            if _MARK in edit.numbers and (edit.concept or self._counter.takes_labels)
        ]
        several = {e.key[0] for e in edits if is_several(e.edit.replacement, e.edit.concept)}
        starts = [e.edit.start for e in edits]
        order = day_first(original)
        slots = {(p.unit, s.start, s.end): s for p in self.parts for s in p.slots}
        for unit in self.asked.t:
            for start, end in units.spans(original, unit):  # type: ignore[arg-type]
                inside = edits[bisect_left(starts, start) : bisect_left(starts, end)]
                if not any(e.edit.concept for e in inside):
                    continue  # nothing but labels
                listed = [slots.get((unit, *e.span)) for e in inside]
                for softened, slot in zip(inside, listed, strict=True):
                    if slot and self._is_one(slot) and softened.key[0] in several:
                        yield f"the original at {where(self.text, slot.start)} is of another sort"
                yield from self._against(unit, inside, listed, order)
        if self.asked.adversary == "program" and self._told_births(original) != {*self.births}:
            yield "the claim has another birth than the original"
        yield from self._days(original)

    def _against(
        self,
        unit: str,
        inside: Sequence[_Softened],
        listed: Sequence[Slot | None],
        order: bool | None,
    ) -> Iterator[str]:
        """Each original of a unit is one of the values that its words stand for; every softened one is listed
        or told again; and no two that are listed are one fact."""
        told_by: dict[tuple[str, object], int] = {}  # by sort and value, the fact
        known: dict[tuple[str, str], list[Told]] = {}
        listed_as = {e.key for e, slot in zip(inside, listed, strict=True) if slot is not None}
        for softened, slot in zip(inside, listed, strict=True):
            if slot is None:
                continue
            what = told(softened.original, slot.sort, order, self.asked.adversary)
            if not any(
                self._counter.holds(slot, told(said, slot.sort, order, self.asked.adversary), said)
                for said in self._said(softened, slot.sort)
            ):
                yield f"the original at {self._at(softened)} is none of what its words stand for"
            for value in what.values:
                family = "number" if slot.sort in NUMBERS else slot.sort
                if told_by.setdefault((family, value), slot.fact) != slot.fact:
                    yield f"the original at {self._at(softened)} counts twice"
            kinds = self._by_fact.get(slot.fact, {softened.edit.kind})
            if not self.asked.takes(slot.sort, kinds):
                yield f"the original at {self._at(softened)} is of another sort"
            least = self.asked.least_of(slot.sort, softened.edit.kind)
            if least > 1 and slot.concept and self._alone(slot) < least:
                yield f"the words at {self._at(softened)} stand for too few"
            known.setdefault((slot.concept, slot.sort), []).append(what)
        for softened, slot in zip(inside, listed, strict=True):
            # Whether an acronym is a name that is listed, the record knows: left out, it counts for nothing.
            again = softened.key in listed_as or self._is_told_again(softened, known, order)
            if slot is None and not again:
                yield f"the {unit} around {self._at(softened)} is not covered"

    def _at(self, softened: _Softened) -> str:
        return where(self.text, softened.span[0])

    def _place(self, part: _ClaimedUnit) -> str:
        return f"the {part.unit} at {where(self.text, part.start)}"

    def _said(self, softened: _Softened, sort: str) -> Iterator[str]:
        """The original; of a name that is told in full elsewhere, also that."""
        yield softened.original
        for edit, said, _ in self._hidden if sort in WORDS else ():
            if (edit.numbers.get(_MARK), edit.concept) == softened.key:
                yield said

    def _is_told_again(
        self,
        softened: _Softened,
        known: Mapping[tuple[str, str], Sequence[Told]],
        order: bool | None,
    ) -> bool:
        for (concept, sort), values in known.items():
            if concept == softened.edit.concept:
                what = told(softened.original, sort, order, self.asked.adversary)
                if any(map(what.same_as, values)) or (
                    sort in WORDS and self.walk.is_below(softened.original, concept)
                ):
                    return True
        return False

    def _days(self, original: str) -> Iterator[str]:
        """No day that is counted is told by its weekday or its feast, counted as a word."""
        record, order = self.evidence.record, day_first(original)
        assert record is not None
        counted = [e for e in record.edits if _MARK in e.numbers]
        dates = [e for e in counted if "DATE" in rule_chain(e.kind)]
        said = {original[e.start : e.end] for e in dates}
        if any(told(w, s, order, "text").values for w in said for s in ("day", "day of year")):
            words = Spans((e.end - 1, e.end) for e in counted if e.concept and e not in dates)
            for start, end in named_days(original):
                if words.touch(start, end):
                    yield f"the words at {where(original, start)} of the original tell a day"

    def _told_births(self, original: str) -> set[int]:
        """The facts that the original tells as births."""
        record = self.evidence.record
        assert record is not None
        at = {(s.start, s.end): s.fact for p in self.parts for s in p.slots if s.sort in DATES}
        marked = [e.numbers.get(_MARK) for e in record.edits]
        told = zip(record.edits, marked, strict=True)
        births = {mark for e, mark in told if mark and told_as_birth(original, e.start)}
        spans = zip(replacements(record), marked, strict=True)
        return {at[span] for span, mark in spans if span in at and mark in births}


@dataclass(frozen=True, slots=True)
class _Softened:
    """An edit of the record that softens a fact: the original, and where its replacement stands."""

    edit: Edit
    original: str
    span: tuple[int, int]

    @property
    def key(self) -> tuple[float, str]:
        return self.edit.numbers[_MARK], self.edit.concept
