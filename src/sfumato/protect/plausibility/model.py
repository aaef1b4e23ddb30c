"""t-plausibility bound to text: which terms, their ladders, the units, and the edits that come of it.

Findings of the detectors go up by a rung at least, so that nothing they found is left standing; a finding
without a ladder is replaced by the policy's rule for its kind. The rest of what t asks for is the search's
choice. What an earlier protector has hidden counts for what its label tells.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence

from sfumato.detect import encoder
from sfumato.document import GENERALISE, Claim, Document, Edit, Spans, Term, released_spans, where
from sfumato.english import units
from sfumato.english.units import Unit
from sfumato.errors import InputError
from sfumato.know import fingerprints, sources
from sfumato.plugins import Guarantor, protector
from sfumato.protect import Run
from sfumato.protect.plausibility.options import PlausibilityOptions
from sfumato.protect.plausibility.problem import Problem, UnreachableError, in_words
from sfumato.protect.plausibility.search import AUTO_BUDGET, search
from sfumato.protect.plausibility.things import LadderedThing, ThingFinder, joined

PLAUSIBLE = "t-plausible"
# Counts above this are given as this: a claim is a line in a file, not a book of digits.
MANY = 10**1000
_SHOWN = 3  # limiting terms that an error names
_knowledge = fingerprints.together(encoder.knowledge, fingerprints.taxonomy, fingerprints.senses)


@protector(
    "plausibility",
    options=PlausibilityOptions,
    claims=lambda _: (PLAUSIBLE,),
    knowledge=_knowledge,
)
def make(options: PlausibilityOptions, run: Run) -> Guarantor:
    """Generalises terms until at least t texts could have been the original."""
    return Plausibility(options, run)


class Plausibility:
    """The protector: made once for a run, called for every document."""

    def __init__(self, options: PlausibilityOptions, run: Run) -> None:
        self._options, self._policy = options, run.policy
        self._chain = sources.taxonomy_for(run.policy.know)
        self._gather = ThingFinder(run.policy, self._chain, options.senses, options.weights)
        self._by_rules = run.by_rules

    def __call__(
        self, document: Document, terms: Sequence[Term], edits: Sequence[Edit]
    ) -> Sequence[Edit]:
        edits = [e for e in edits if e.hides]
        edited = Spans((e.start, e.end) for e in edits)
        found, unknown = self._gather.found(document, terms, edited)
        edits = self._by_rules(document, unknown, edits)
        things = [*self._gather.hidden(document, edits), *found]
        taken = Spans((e.start, e.end) for e in edits)
        for term in terms:
            taken.add(term.start, term.end)
        nouns = joined(document, things, self._gather.nouns(document, taken))
        self._raise_levels(document, things, nouns)
        if self._options.senses == "all":
            for thing in (*things, *nouns):
                if thing.level and not thing.fixed:
                    self._gather.widen(document, thing, self._options.coverage)
        self._tell(document, [*things, *nouns])
        return self._edits(document, [*things, *nouns], edits)

    # Levels

    def _raise_levels(
        self, document: Document, things: Sequence[LadderedThing], nouns: Sequence[LadderedThing]
    ) -> None:
        """Raise things and nouns until every unit has its t. Raising one for a unit never harms another."""
        for unit, t in self._options.wanted.items():
            spans = units.spans(document.text, unit)
            known, standing = _by_span(things, spans), _by_span(nouns, spans)
            for span, inside, others in zip(spans, known, standing, strict=True):
                if self._options.terms == "nouns" or not self._reaches(inside, t):
                    inside += others if self._options.terms != "findings" else []
                if inside:
                    self._raise_unit(document, unit, span, inside, t)

    def _reaches(self, things: Sequence[LadderedThing], t: int) -> bool:
        """Whether things alone could reach t; without any there is nothing to hide with."""
        return bool(things) and math.prod(x.ladder[-1].volume for x in _once(things)) >= t

    def _raise_unit(
        self,
        document: Document,
        unit: Unit,
        span: tuple[int, int],
        things: list[LadderedThing],
        t: int,
    ) -> None:
        while _texts(things) < t:
            counted = _once(things)
            free = [x for x in counted if not x.fixed]
            hidden = math.prod(x.rung.volume for x in counted if x.fixed)
            problem = Problem(
                ladders=[[r.volume for r in x.ladder[x.level :]] for x in free],
                t=-(-t // hidden),
                alpha=self._options.alpha,
                uniform=self._options.uniform,
                weights=[x.weight for x in free] if self._options.weights else None,
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
                limiting = limiting or sorted(free, key=lambda x: x.ladder[-1].volume)
                raise _unreachable(document, unit, span, things, t, limiting) from None
            for thing, level in zip(free, solved.levels, strict=True):
                thing.level += level

    def _tell(self, document: Document, things: Sequence[LadderedThing]) -> None:
        """Let every thing know of how many texts its unit is one, for the reason."""
        told = [x for x in things if x.level or x.fixed]
        for unit in self._options.wanted:
            for inside in _by_span(told, units.spans(document.text, unit)):
                texts = _texts(inside)
                for thing in inside:
                    thing.chosen.setdefault(unit, texts)

    # Edits

    def _edits(
        self, document: Document, things: Sequence[LadderedThing], edits: Sequence[Edit]
    ) -> list[Edit]:
        made = {
            (start, end): edit
            for thing in things
            if thing.level and not thing.fixed
            for start, end in thing.mentions
            if (edit := _edit(thing, start, end))
        }
        kept = [
            e
            for e in edits
            if (new := made.get((e.start, e.end))) is None
            or (e.how == GENERALISE and e.concept == new.concept)
        ]
        same = {(e.start, e.end) for e in kept}
        rest = [edit for span, edit in made.items() if span not in same]
        return sorted([*kept, *rest], key=lambda e: e.start)

    # Claims

    def claims(self, document: Document, edits: Sequence[Edit]) -> Sequence[Claim]:
        """The claim, with the words of the release that stand for a concept."""
        things = list(self._gather.hidden(document, [e for e in edits if e.hides]))
        at = {(e.start, e.end): span for e, span in zip(edits, released_spans(edits), strict=True)}
        parts = []
        for unit in self._options.wanted:
            spans = units.spans(document.text, unit)
            for span, inside in zip(spans, _by_span(things, spans), strict=True):
                slots = sorted(
                    [*at[next(m for m in sorted(x.mentions) if _lies(m, span))], x.rung.concept]
                    for x in _once(inside)
                )
                if slots:
                    texts = min(_texts(inside), MANY)
                    part = {"unit": unit, "start": slots[0][0], "texts": texts, "terms": slots}
                    parts.append(part)
        return [Claim(PLAUSIBLE, {"t": dict(self._options.wanted), "units": parts})]


def _edit(thing: LadderedThing, start: int, end: int) -> Edit:
    rung = thing.rung
    unit, texts = next(iter(thing.chosen.items()), ("document", rung.volume))
    said = "text" if unit == "document" else unit
    reason = f"{rung.counted}; the {said} is one of {in_words(texts)}"
    others = tuple(r.words for r in thing.ladder[thing.level + 1 :])
    numbers = {"volume": rung.volume, "level": thing.level}
    return Edit(
        start, end, thing.kind, rung.words, reason, GENERALISE, others, numbers, rung.concept
    )


def _once(things: Sequence[LadderedThing]) -> list[LadderedThing]:
    """Each thing once: of one word that stands for several concepts, the one that hides least."""
    found: dict[tuple[str, str], LadderedThing] = {}
    for thing in things:
        other = found.setdefault((thing.key, thing.kind), thing)
        if thing.rung.volume < other.rung.volume:
            found[thing.key, thing.kind] = thing
    return list(found.values())


def _texts(things: Sequence[LadderedThing]) -> int:
    """How many texts could have been the original: the product of the volumes."""
    return math.prod(x.rung.volume for x in _once(things))


def _by_span(
    things: Sequence[LadderedThing], spans: Sequence[tuple[int, int]]
) -> list[list[LadderedThing]]:
    """The things that each span mentions, in their order."""
    found: list[list[LadderedThing]] = [[] for _ in spans]
    starts = [start for start, _ in spans]
    for thing in things:
        places = ((bisect_right(starts, m[0]) - 1, m) for m in thing.mentions)
        for place in sorted({n for n, m in places if n >= 0 and _lies(m, spans[n])}):
            found[place].append(thing)
    return found


def _lies(mention: tuple[int, int], span: tuple[int, int]) -> bool:
    return span[0] <= mention[0] < span[1]


def _unreachable(
    document: Document,
    unit: Unit,
    span: tuple[int, int],
    things: Sequence[LadderedThing],
    t: int,
    limiting: Sequence[LadderedThing],
) -> InputError:
    """What is the largest t, and which terms limit it: by place and kind, never by their words."""
    largest = math.prod(x.ladder[-1].volume for x in things)
    shown = ", ".join(
        f"{x.kind} at {where(document.text, x.mentions[0][0])} "
        f"({x.ladder[-1].words}: {x.ladder[-1].volume:,})"
        for x in limiting[:_SHOWN]
    )
    more = f" and {len(limiting) - _SHOWN} more" if len(limiting) > _SHOWN else ""
    place = "" if unit == "document" else f" in the {unit} at {where(document.text, span[0])}"
    limits = f"; limited by {shown}{more}" if shown else ""
    otherwise = "" if unit == "document" else ", or choose a larger unit"
    return InputError(
        f"{document.name}: t = {in_words(t)} cannot be reached{place}, the largest is "
        f"{in_words(largest)}{limits}; lower t{otherwise}",
        path=document.name,
    )
