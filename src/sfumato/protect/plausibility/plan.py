"""How facts are softened so that each unit has t texts: what is asked of each, what it is released as, and
how many texts that leaves to who runs the program.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

import numpy as np

from sfumato.document import Edit, Term
from sfumato.english import units
from sfumato.english.births import OLDEST, ages, may_be_age
from sfumato.english.units import Unit
from sfumato.facts.ages import ages_told
from sfumato.facts.implication import Hidden, named_within
from sfumato.facts.ladders import Rung
from sfumato.facts.values import Place
from sfumato.kinds import rule_chain
from sfumato.know.taxonomy import places, softening, telling, wordnet
from sfumato.protect.lives import births_among
from sfumato.protect.plausibility.asking import (
    capped,
    factor,
    least,
    most_asked,
    relied_on,
    worst,
)
from sfumato.protect.plausibility.closed import Ints
from sfumato.protect.plausibility.counting import Counting, is_lifted, members, overlapping
from sfumato.protect.plausibility.options import PlausibilityOptions
from sfumato.protect.plausibility.softened import Softened, unread
from sfumato.protect.plausibility.tied import Standing, Tied, tied_by
from sfumato.protect.plausibility.trees import NodeSort, ToldByNodes, place_sort

# Who is to stand for more, where not all need it: words first.
_ORDER = (
    *softening.WORD_SORTS,
    "place",
    "day",
    "month",
    "year",
    "day of year",
    "age",
    "amount",
    "money",
)
_MOST_ROUNDS = 24  # in which what one unit leaves unsaid takes from another
_ROUNDS_BY_HALVES = 8  # of these
_MOST_CHOICES = 3
_FEW = 10  # ages: fewer tell one
_NEVER = 1 << 60  # values: no class has so many
_OTHERS = ("other", "others")  # words that stand where enough counts without them
_USEFUL = 100  # alternatives of a word or number above which it says next to nothing
_USEFUL_PLACES = 2_000  # of a place: "Northern Europe" still says where


@dataclass(eq=False)
class PlannedUnit:
    """A unit of the text: its span, the facts that are told in it, each with its first mention there, and of
    how many texts it is one."""

    unit: Unit
    t: int
    span: tuple[int, int]
    facts: dict[Softened, Term] = field(default_factory=dict)
    texts: int = 1


class UnreachableTError(Exception):
    """A unit cannot have t texts: the facts that limit it, with the most values that each may stand for."""

    def __init__(self, part: PlannedUnit, limiting: list[tuple[Softened, int]]) -> None:
        super().__init__()
        self.part, self.limiting = part, limiting


class SofteningPlan:
    """The facts of a document on their way to a release."""

    def __init__(
        self,
        text: str,
        options: PlausibilityOptions,
        facts: Sequence[Softened],
        others: Sequence[Edit],
        standing: Standing,
    ) -> None:
        self._text, self._options, self._others, self._standing = text, options, others, standing
        self.facts = list(facts)
        self.parts: list[PlannedUnit] = []
        self.part_of: dict[Softened, PlannedUnit] = {}  # the first that tells a fact
        self._sorts: Counter[str] = Counter()  # of the facts that are asked
        self.births: list[Softened] = []
        self._tied = self._always = Tied()  # and what does so whatever the nouns are

    # What is asked of each: a matter of sorts, never of values

    def ask(self, chosen: bool = False) -> None:
        """Let every fact know how many values it is to stand for. Unless they are `chosen` already, nouns
        that are not sensitive are left out where a unit has enough without them."""
        self._tied = self._always = self._ties(self.facts)
        self.parts = [
            PlannedUnit(unit, t, span)
            for unit, t in self._options.wanted.items()
            for span in units.spans(self._text, unit)
        ]
        for fact in self.facts:
            fact.size, fact.slack, fact.least, fact.derived = 1, 0, 1, chosen and fact.derived
        located = [*filter(_is_place, self.facts)]
        for fact in located:
            fact.sort = place_sort(len(located) - 1)
        self._fill(self.facts)
        if not chosen:
            self._choose()
        dated = {id(f.fact): f for f in self.facts if f.fact and f.sort.tree == "calendar"}
        dates = [f.fact for f in dated.values() if f.fact]
        self.births = [dated[id(fact)] for fact in births_among(self._text, dates)]
        if any(f.sort.name == "age" for f in self.facts):  # which is one of ten then
            for born in self.births:
                born.size = softening.SPANS[born.sort.name]["decade"]  # type: ignore[index]
        most: dict[str, int] = {}
        for part in self.parts:
            if part.facts:
                self._ask_part(part, most)
        for fact in self.facts:
            fact.size = max(fact.size, most.get(fact.sort.name, 0))
            names = (name for name in rule_chain(fact.kind) if name in self._options.least)
            if name := next(names, ""):
                fact.least = self._options.least[name]
                fact.size = max(fact.size, fact.least + min(fact.slack, fact.least))
        most_of_places = max((f.size for f in located if f.size < _NEVER), default=0)
        for fact in located:
            fact.size = max(fact.size, most_of_places)

    def _fill(self, facts: Sequence[Softened]) -> None:
        by_unit: dict[Unit, list[PlannedUnit]] = defaultdict(list)
        for part in self.parts:
            part.facts.clear()
            by_unit[part.unit].append(part)
        starts = {unit: [part.span[0] for part in parts] for unit, parts in by_unit.items()}
        self.part_of.clear()
        self._sorts = Counter(fact.sort.name for fact in facts)
        for fact in facts:
            for unit, parts in by_unit.items():
                for mention in fact.mentions:
                    part = parts[max(0, bisect_right(starts[unit], mention.start) - 1)]
                    if part.span[0] <= mention.start < part.span[1]:
                        part.facts.setdefault(fact, mention)
                        self.part_of.setdefault(fact, part)

    def _ties(self, facts: Iterable[Softened]) -> Tied:
        told = ((f.sort.name, f.mentions) for f in facts)
        return tied_by(self._text, told, self._others, self._standing)

    def _is_tied(self, fact: Softened, tied: Tied | None = None) -> bool:
        """By what stands; a word that a detector has found by what it has not, unless all nouns are asked."""
        is_found = fact.sort.name in ("noun", "nouns") and self._options.terms != "nouns"
        said = fact.mentions[0].of(self._text)
        return is_found or (tied or self._tied).holds(fact.sort.name, said)

    def _choose(self) -> None:
        """Keep of the other nouns those of units that have too little without them. What is left out stands,
        and may tie others: then less is left out, or nothing."""
        every = self.facts
        left = self._ties(f for f in every if not _is_other(f))
        if self._sorts["place"] > 1:  # which no words tie that are left out
            self._tied = replace(self._always, places=left.places, near=left.near)
        for _ in range(_MOST_CHOICES if any(map(_is_other, every)) else 0):
            self._leave_out()
            before, self._tied = self._tied, self._ties(self.facts)
            if self._tied == before:
                return
            self.facts = every
            self._fill(every)
        self._tied = self._always

    def _leave_out(self) -> None:
        others = [f for f in self.facts if _is_other(f)]
        wanted = {id(f) for f in self.facts if not _is_other(f)}
        for part in self.parts if others else ():
            base = [f for f in part.facts if not _is_other(f)]
            trees = Counter(fact.sort.tree for fact in base)
            factors = [
                factor(f, _USEFUL_PLACES if _is_place(f) else _USEFUL, trees)
                for f in self._relied_on(part, is_chosen=False)
                if not _is_other(f)
            ]
            if not base or worst(factors, self._options.paying) < part.t:
                wanted.update(map(id, part.facts))
        self.facts = [f for f in self.facts if id(f) in wanted]
        self._fill(self.facts)

    def _relied_on(self, part: PlannedUnit, is_chosen: bool = True) -> list[Softened]:
        """Words may turn out to tell of times and places, which are relied on only without them. Of several
        places those tie none that may still be left out: it shows which of these do where they stand."""
        spoken = [name for name in softening.WORD_SORTS if self._sorts[name]]
        is_one = is_chosen or self._sorts["place"] == 1
        beside = [name for name in spoken if is_one or name not in _OTHERS]
        tied = Tied(times=bool(spoken), places=bool(beside))
        free = {
            f: first
            for f, first in part.facts.items()
            if not (self._is_tied(f) or self._is_tied(f, tied))
        }
        return relied_on(free, self._sorts["place"])

    def _ask_part(self, part: PlannedUnit, most: dict[str, int]) -> None:
        """Ask the facts of a unit; `most` is what was asked of any date of a level or place of the text,
        which is asked of all."""
        trees = Counter(fact.sort.tree for fact in part.facts)
        for fact in part.facts:
            fact.slack = max(fact.slack, 2 * (trees[fact.sort.tree] - 1))
        paying, counted = self._options.paying, self._relied_on(part)

        def texts(tau: int) -> int:
            return worst([factor(f, tau, trees) for f in counted], paying)

        while paying < len(counted) and texts(most_asked(part.t)) < part.t:
            paying += 1  # dates and ages have only so many values
        tau = least(texts, part.t)
        limiting = [(f, f.sort.cap) for f in part.facts if f.sort.cap is not None]
        if tau is None and (part.unit != "document" or not (counted or self._is_small(part))):
            for fact in part.facts:
                fact.size = _NEVER  # and all have labels
            return
        if tau is None:
            raise UnreachableTError(part, limiting)
        # The last step is taken by as few as need it: words first.
        ranked = sorted(counted, key=lambda f: (_ORDER.index(f.sort.name), part.facts[f].start))
        high, low = ([factor(f, size, trees) for f in ranked] for size in (tau, max(1, tau - 1)))
        steps = range(len(ranked) + 1)
        first = bisect_left(steps, part.t, key=lambda k: worst([*high[:k], *low[k:]], paying))
        fewer = {id(fact) for fact in ranked[first:]}
        for fact in part.facts:
            size = capped(fact, tau - (tau > 1 and id(fact) in fewer))
            fact.size = max(fact.size, size)
            if fact.sort.tree in ("calendar", "day of year") or fact.sort.name == "place":
                most[fact.sort.name] = max(most.get(fact.sort.name, 0), size)

    def _is_small(self, part: PlannedUnit) -> bool:
        """Whether all that facts may be is too little: a label for an age is one of 120."""
        caps = [fact.sort.cap for fact in part.facts]
        few = math.prod(cap or part.t for cap in caps) < part.t
        return few and self._options.terms != "delicate"

    # What each is released as

    def release(self, hidden: Hidden) -> None:
        """Give every fact the first node of its own path that tells nothing hidden."""
        told: dict[tuple[str, str], bool] = {}
        for fact in self.facts:
            fact.node = None
            nodes = list(fact.sort.path(fact.value, fact.size))
            for at, node in enumerate(nodes):
                rung = Rung(fact.sort.said(node), 0, fact.sort.concept(node))
                key = rung.words, rung.concept
                if not isinstance(node, range) and key not in told:
                    told[key] = hidden.is_told_by(rung)
                if not told.get(key, False) and not _tells(self._text, fact, rung):
                    fact.node, fact.above = node, nodes[at + 1 :]
                    break
        self._release_places()
        self._release_near()
        self._release_births()
        self._release_ages()
        for fact in self.facts:
            if fact.least > 1 and self._is_tied(fact):
                fact.node, fact.derived = None, False

    def _release_places(self) -> None:
        """Places of which one lies in another count together, and are said alike; where they are not, they
        say nothing. One that has a label holds all that another may be, or that says nothing either."""
        above = places.default().above
        held_by = {f: {*above(f.value.node)} for f in self.facts if _is_place(f)}
        chains = [[g for g in held_by if g.value.node in held] for held in held_by.values()]
        is_done = False
        while not is_done:
            is_done = True
            for fact, some in zip(held_by, chains, strict=True):
                shown = [f for f in some if f.node is not None]
                around = {*above(fact.node)} if fact.node is not None else set[int]()
                fits = all(f.node is not None or f.value.node in around for f in some)
                fits = fits and len({f.node for f in shown}) == 1
                if shown and not fits:
                    is_done = False
                    for other in some:
                        other.node = None

    def _release_near(self) -> None:
        """Places that are told to be near each other say nothing, but for two of which one may lie in the
        other, for all that is said."""
        located = [*filter(_is_place, self.facts)] if self._tied.near else []
        first = next(iter(located), None)
        same = len(located) == 2 and len({f.node for f in located}) == 1
        if first is not None and same and first.node is not None:
            assert isinstance(first.sort, NodeSort)
            same = bool(first.sort.nested(first.node, first.size, (), 1))
        if not same:
            for fact in located:
                fact.node = None

    def _release_births(self) -> None:
        """A birth that leaves few ages at the other dates, as that of a small child does in its decade, says
        nothing beside an age: where ages may get labels, at any of them, else at all of them together."""
        aged = [f for f in self.facts if f.sort.name == "age"]
        others = dict.fromkeys(self.facts).keys() - self.births if aged else ()
        events = {*self._spans(others)}
        together = self._is_whole and all(fact.least <= _FEW for fact in aged)
        telling: dict[tuple[int, int], bool] = {}
        for birth in self.births if events else ():
            for born in self._spans([birth]):
                if born not in telling:
                    found = (ages(born, event) for event in events)
                    left = [(low, high) for low, high in found if low <= high and low < OLDEST]
                    if left and together:
                        left = [(min(low for low, _ in left), max(high for _, high in left))]
                    telling[born] = any(high - low + 1 < _FEW for low, high in left)
                if telling[born]:
                    birth.node = None

    @staticmethod
    def _spans(facts: Iterable[Softened]) -> Iterator[tuple[int, int]]:
        """The days of the dates among some facts, as they are released."""
        dates = (f.node for f in facts if f.sort.tree == "calendar" and f.node is not None)
        return map(softening.span_ends, dates)

    def _release_ages(self) -> None:
        """An age that follows from what is released of two dates says just that; another, or a bare number,
        that might be mistaken for one says nothing."""
        told = ages_told([*self._spans(self.facts)])
        for fact in self.facts if told else ():
            is_age = fact.sort.name == "age"
            if fact.node is None or not (is_age or self._is_bare(fact)):
                continue
            node = fact.node
            for low, high in told:
                if is_age and low <= fact.value <= high:
                    fact.derived = self._is_whole and low < high and high - low + 1 >= fact.least
                    fact.node = range(low, high + 1) if fact.derived else None
                    break
                if node[0] <= high and low <= node[-1]:
                    fact.node = None

    @property
    def _is_whole(self) -> bool:
        """Whether nothing but the whole text is counted, so that an age may follow from its dates."""
        return set(self._options.wanted) == {"document"}

    def _is_bare(self, fact: Softened) -> bool:
        """Whether a fact is a number that may be an age."""
        mentions = fact.mentions if fact.sort.name == "amount" else ()
        return any(may_be_age(fact.words(self._text, m)) for m in mentions)

    # How many texts that leaves

    def count(self, checked: bool = True) -> None:
        """Count the texts of every unit that lead to this release, and if `checked`, that they are enough: a
        part of a document of which too little can be said says nothing."""
        rounds = 0
        while (failing := self._counted()) and checked:
            rounds += 1
            for part, limiting in failing:
                if part.unit == "document" or rounds > _MOST_ROUNDS:
                    raise UnreachableTError(part, limiting)
            few = sorted(dict.fromkeys(part for part, _ in failing), key=lambda p: len(p.facts))
            if rounds <= _ROUNDS_BY_HALVES:  # what some leave unsaid may be enough for others
                few = few[: -(-len(few) // 2)]
            for fact in (fact for part in few for fact in part.facts):
                fact.node, fact.derived = None, False

    def fails_by_itself(self) -> bool:
        """Whether a whole text has too few texts whatever the nouns are that stand in it."""
        return self._is_whole and self._tied == self._always and bool(self._counted(beside=False))

    def _counted(self, beside: bool = True) -> list[tuple[PlannedUnit, list[tuple[Softened, int]]]]:
        """Count, with what the words beside nouns leave out, and tell which units have too few texts, and
        what limits them."""
        said = [f for f in self.facts if f.node is not None and not f.derived]
        lifted = [f for f in said if is_lifted(f)]
        nodes = ((f.concept, f.sort.said(f.node)) for f in said)
        told = ToldByNodes(nodes, map(_years, lifted), _near(self.facts))
        known: dict[tuple[str, str, int, frozenset[int]], int] = {}
        unread_by = unread(self._text, said, self._others) if beside else {}
        taken = overlapping(said)
        for fact in said:
            lost = unread_by.get(id(fact), frozenset())
            key = fact.sort.name, fact.concept, fact.size, lost
            if key not in known:
                known[key] = max(1, fact.sort.count(fact.node, fact.size, told.beside(lost)))
            fact.count = known[key]
        counted, failing = set(said), []
        tied = self._tied_by_words(said)
        counting = Counting(self.facts, said, told, unread_by, self._tied.near)
        for part in self.parts:
            some = [f for f in part.facts if f in counted]
            free = [f for f in some if not (self._is_tied(f) or self._is_tied(f, tied))]
            part.texts = counting.texts(free)
            may_pay = part.unit == "document" and any(map(self._may_pay, self._relied_on(part)))
            if part.texts < part.t and (some or may_pay):
                limiting = ((f, f.count) for f in part.facts)
                failing.append((part, sorted(limiting, key=lambda pair: pair[1])))
            for fact in (f for f in some if f.least > 1):
                alone = fact.count - taken[fact.values] + 1
                if alone < fact.least:
                    failing.append((part, [(fact, alone)]))
        return failing

    def _may_pay(self, fact: Softened) -> bool:
        """Whether something could be said of a fact that counts: of places that are near each other not."""
        return fact.node is not None or not (self._tied.near and _is_place(fact))

    @staticmethod
    def _tied_by_words(said: Iterable[Softened]) -> Tied:
        """What words tie that may tell a time or a sort of place as they are released."""
        words = {(f.sort.name, f.node, f.size): f for f in said if f.sort.tree == wordnet.NAME}
        may_be = [*frozenset[int]().union(*map(members, words.values()))]
        times, located = (bool(telling.mask(of)[may_be].any()) for of in telling.DIMENSIONS)
        return Tied(times=times, places=located)


def _near(facts: Iterable[Softened]) -> Ints | None:
    """In how many facts each place may be told; none where only one fact is a place. One that has a label may
    be any."""
    found = [f for f in facts if f.sort.name == "place"]
    if len(found) < 2:
        return None
    made = np.zeros(len(places.default()), dtype=np.int64)
    for fact in found:
        assert isinstance(fact.sort, NodeSort)
        made[... if fact.node is None else fact.sort.members(fact.node, fact.size)] += 1
    return made


def _is_place(fact: Softened) -> bool:
    return fact.sort.name == "place"


def _is_other(fact: Softened) -> bool:
    return fact.sort.name in _OTHERS


def _tells(text: str, fact: Softened, rung: Rung) -> bool:
    """Whether the name of what a place lies in tells the place, or a place that is named in passing."""
    if not isinstance(fact.value, Place):
        return False
    if places.default().tells(int(rung.concept.partition(":")[2]), fact.value.node):
        return True
    said = {" ".join(mention.of(text).split()) for mention in fact.mentions}
    named = {each for words in said for each in named_within(words, fact.kind, rung.concept)}
    return Hidden.of(*zip(*named, strict=True)).is_told_by(rung) if named else False


def _years(fact: Softened) -> range:
    first, last = (date.fromordinal(day).year for day in softening.span_ends(fact.node))
    return range(first, last + 1)
