"""From the terms of a document to a problem: one thing for all mentions of one term.

Terms come from anywhere: what a first sanitizer hid, removed or generalised, and what it left. Nothing here
reads files or makes edits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sfumato.document import Term
from sfumato.english import chunker
from sfumato.facts.ladders import Ladder, Rung
from sfumato.facts.understanding import understand
from sfumato.kinds import rule_chain
from sfumato.protect.disclosure.catalogue import Catalogue, Knowledge
from sfumato.protect.disclosure.contexts import WIDTH, Occurring, Unit, contexts
from sfumato.protect.disclosure.generalise import below
from sfumato.protect.disclosure.problem import Problem, Thing, pose
from sfumato.protect.disclosure.strategies import STRATEGIES, Strategy
from sfumato.protect.disclosure.thresholds import Threshold

SUPPORT = 3  # articles with two terms, from which on that is evidence
# Of a value or a code articles do not tell what it is about.
_VALUES = frozenset(
    {"DATE", "AGE", "QUANTITY", "PHONE", "EMAIL", "URL", "USERNAME", "CODE", "POSTCODE"}
    | {"COORDINATES", "ADDRESS"}
)


def is_assessed(said: str, kind: str) -> bool:
    """Whether co-occurrence may say anything about a hidden term of a kind: not about numbers, dates, codes.

    >>> is_assessed("lupus", "DISEASE"), is_assessed("12", ""), is_assessed("14 May", "DATE")
    (True, False, False)
    """
    return any(c.isalpha() for c in said) and _VALUES.isdisjoint(rule_chain(kind))


@dataclass(frozen=True, slots=True)
class Shown:
    """What stands in a term's place: words and, where they are one, a taxonomy's concept; no words where
    nothing stands there, or only a label."""

    words: str = ""
    concept: str = ""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A term in a text. `shown` is what stands in its place, None where it stands as it is. It is *hidden*
    unless it was `softened`: replaced only because it told too much about another one."""

    start: int
    end: int
    words: str
    kind: str = ""
    shown: Shown | None = None
    softened: bool = False

    @property
    def hidden(self) -> bool:
        return self.shown is not None and not self.softened


@dataclass(frozen=True, slots=True)
class AssessmentSettings:
    """How a document is looked at."""

    threshold: Threshold = field(default_factory=Threshold)
    strategy: Strategy = STRATEGIES["S5"]
    unit: Unit = "document"
    width: int = WIDTH
    support: int = SUPPORT
    disambiguate: bool = False
    intrinsic: bool = False


@dataclass(frozen=True, slots=True)
class Assessment:
    """A problem with the words behind it: a ladder for each thing, the thing of each occurrence, the
    occurrence that speaks for each thing."""

    problem: Problem
    ladders: tuple[Ladder, ...]
    thing_of: tuple[int, ...]
    first: tuple[Occurrence, ...]

    def rung(self, thing: int, level: int) -> Rung | None:
        """What stands in the text at a level; None where the thing is removed."""
        steps = self.ladders[thing]
        return steps[level] if level < len(steps) else None

    def word(self, thing: int, level: int) -> str:
        """What is said at a level; nothing where the thing is removed."""
        rung = self.rung(thing, level)
        return rung.words if rung else ""

    @property
    def hidden(self) -> list[int]:
        return [i for i, t in enumerate(self.problem.things) if t.hidden]

    @property
    def not_assessed(self) -> list[int]:
        """The hidden things of which the statistics know too little."""
        return [i for i in self.hidden if not self.problem.things[i].assessed]


def catalogue_for(knowledge: Knowledge, settings: AssessmentSettings) -> Catalogue:
    """The rows of a document, as the settings count them."""
    return Catalogue(
        knowledge,
        disambiguate=settings.disambiguate,
        intrinsic=settings.intrinsic,
        least=settings.support,
    )


def make_case(
    text: str, occurrences: Sequence[Occurrence], rows: Catalogue, settings: AssessmentSettings
) -> Assessment:
    """The problem of a document. Mentions of one thing agree in their words; a mention that is hidden and one
    that stands in the open are two things, and so are two that stand as different words."""
    numbers: dict[tuple[str, str | None], int] = {}
    first: list[Occurrence] = []
    thing_of = []
    for occurrence in occurrences:
        said = chunker.normal(occurrence.words) or occurrence.words
        shown = occurrence.shown if occurrence.hidden else None
        key = (said, (shown.concept or f" {shown.words}") if shown else None)
        thing = numbers.setdefault(key, len(first))
        if thing == len(first):
            first.append(occurrence)
        elif occurrence.softened and not first[thing].softened:
            first[thing] = occurrence
        thing_of.append(thing)
    placed = [_placed(rows, text, o, settings.strategy) for o in first]
    found = [rows.rows(steps) for steps, _ in placed]
    things = [
        Thing(made.options, start, made.assessed and is_assessed(o.words, o.kind), o.softened)
        for o, (_, start), made in zip(first, placed, found, strict=True)
    ]
    mentions = [
        Occurring(thing, o.start, o.end) for thing, o in zip(thing_of, occurrences, strict=True)
    ]
    if settings.unit != "document":
        mentions += _by_other_names(text, mentions, first)
    hidden = [i for i, t in enumerate(things) if t.hidden]
    around = contexts(text, mentions, hidden, settings.unit, settings.width)
    problem = pose(rows.counts, things, around, settings.threshold)
    return Assessment(problem, tuple(steps for steps, _ in placed), tuple(thing_of), tuple(first))


def _by_other_names(
    text: str, mentions: Sequence[Occurring], first: Sequence[Occurrence]
) -> list[Occurring]:
    """A hidden thing stands also where another name of it does: what tells of Wien tells of Vienna."""
    found = {(m.start, m.end): m.thing for m in mentions if first[m.thing].hidden}
    terms = [Term(*place, first[thing].kind, 1.0, "") for place, thing in found.items()]
    made = []
    for fact in understand(text, terms):
        things = {found[m.start, m.end] for m in fact.mentions}
        if len(things) > 1:
            made += [Occurring(t, m.start, m.end) for m in fact.mentions for t in sorted(things)]
    return made


def _placed(
    rows: Catalogue, text: str, occurrence: Occurrence, strategy: Strategy
) -> tuple[Ladder, int]:
    """What a thing may become, nothing but removal where the strategy says so; and the level it has. A
    generalisation by the first sanitizer that is on no ladder of ours is put on it."""
    shown = occurrence.shown
    way = strategy.hidden if occurrence.hidden else strategy.correlated
    if way == "remove" or (shown is not None and not shown.words):
        steps: Ladder = (Rung(occurrence.words, 1),)
        return steps, 0 if shown is None else 1
    steps = rows.ladder(text, occurrence.start, occurrence.end, occurrence.kind)
    if steps[0].words != occurrence.words:
        steps = (Rung(occurrence.words, 1), *steps[1:])
    if shown is None:
        return steps, 0
    return below(rows.knowledge.chain, steps, shown.words, shown.concept)
