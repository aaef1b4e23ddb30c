"""How facts are softened so that each unit has t texts: what is asked of each, what it is released as, and
how many texts that leaves to who runs the program.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from heapq import nsmallest
from itertools import chain
from typing import Any

import numpy as np

from sfumato.document import Edit, Spans, Term
from sfumato.english import units
from sfumato.english.births import OLDEST, ages, may_be_age
from sfumato.english.units import Unit
from sfumato.facts.ages import ages_told, pairs, spans_in
from sfumato.facts.implication import Hidden, named_within
from sfumato.facts.ladders import Rung
from sfumato.facts.values import Place
from sfumato.kinds import rule_chain
from sfumato.know.taxonomy import places, softening
from sfumato.protect.lives import birth_and_event, births_among
from sfumato.protect.plausibility.closed import Ints
from sfumato.protect.plausibility.options import PlausibilityOptions
from sfumato.protect.plausibility.softened import Softened, unread
from sfumato.protect.plausibility.sums import Band, following, tied
from sfumato.protect.plausibility.trees import NodeSort, ToldByNodes, span_of

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
_Taken = Counter[tuple[str, Any]]  # how many, by what values facts have
_MOST_ROUNDS = 16  # in which what one unit leaves unsaid takes from another
_FEW = 10  # ages: fewer tell one
_NEVER = 1 << 60  # values: no class has so many
_USEFUL = 100  # alternatives of a word or place above which it says next to nothing


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
        others: Sequence[Edit] = (),
    ) -> None:
        self._text, self._options, self._others = text, options, others
        self.facts = list(facts)
        self.parts: list[PlannedUnit] = []
        self.part_of: dict[Softened, PlannedUnit] = {}  # the first that tells a fact
        self.births: list[Softened] = []
        self.life: tuple[Softened, Softened] | None = None

    # What is asked of each: a matter of sorts, never of values

    def ask(self, chosen: bool = False) -> None:
        """Let every fact know how many values it is to stand for. Unless they are `chosen` already, nouns
        that are not sensitive are left out where a unit has enough without them."""
        self.parts = [
            PlannedUnit(unit, t, span)
            for unit, t in self._options.wanted.items()
            for span in units.spans(self._text, unit)
        ]
        for fact in self.facts:
            fact.size, fact.slack, fact.least, fact.derived = 1, 0, 1, chosen and fact.derived
        self._fill(self.facts)
        if not chosen:
            self._choose()
        dated = {id(f.fact): f for f in self.facts if f.fact and f.sort.tree == "calendar"}
        dates = [f.fact for f in dated.values() if f.fact]
        self.births = [dated[id(fact)] for fact in births_among(self._text, dates)]
        found = birth_and_event(self._text, dates)
        self.life = (dated[id(found[0])], dated[id(found[1])]) if found else None
        if any(f.sort.name == "age" for f in self.facts):  # which is one of ten then
            for born in self.births:
                born.size = softening.SPANS[born.sort.name]["decade"]  # type: ignore[index]
        many_dates = sum(f.sort.tree == "calendar" for f in self.facts) > 1
        for part in self.parts:
            if part.facts:
                self._ask_part(part, many_dates)
        for fact in self.facts:
            names = (name for name in rule_chain(fact.kind) if name in self._options.least)
            if name := next(names, ""):
                least = self._options.least[name]
                fact.least, fact.size = least, max(fact.size, least + min(fact.slack, least))

    def _fill(self, facts: Iterable[Softened]) -> None:
        by_unit: dict[Unit, list[PlannedUnit]] = defaultdict(list)
        for part in self.parts:
            part.facts.clear()
            by_unit[part.unit].append(part)
        starts = {unit: [part.span[0] for part in parts] for unit, parts in by_unit.items()}
        self.part_of.clear()
        for fact in facts:
            for unit, parts in by_unit.items():
                for mention in fact.mentions:
                    part = parts[max(0, bisect_right(starts[unit], mention.start) - 1)]
                    if part.span[0] <= mention.start < part.span[1]:
                        part.facts.setdefault(fact, mention)
                        self.part_of.setdefault(fact, part)

    def _choose(self) -> None:
        """Keep of the other nouns those of units that have too little without them."""
        others = [f for f in self.facts if _is_other(f)]
        wanted = {id(f) for f in self.facts if not _is_other(f)}
        for part in self.parts if others else ():
            base = [f for f in part.facts if not _is_other(f)]
            trees = Counter(fact.sort.tree for fact in base)
            factors = [_factor(f, _USEFUL, trees) for f in _relied_on(part) if not _is_other(f)]
            if not base or _worst(factors, self._options.paying) < part.t:
                wanted.update(map(id, part.facts))
        self.facts = [f for f in self.facts if id(f) in wanted]
        self._fill(self.facts)

    def _ask_part(self, part: PlannedUnit, many_dates: bool) -> None:
        trees = Counter(fact.sort.tree for fact in part.facts)
        for fact in part.facts:
            fact.slack = max(fact.slack, 2 * (trees[fact.sort.tree] - 1))
        counted = [f for f in _relied_on(part) if not (many_dates and f.sort.name == "age")]
        both = self.life is not None and all(date in part.facts for date in self.life)
        wanted = part.t * (2 if both else 1)
        paying = self._options.paying

        def texts(tau: int) -> int:
            return _worst([_factor(f, tau, trees) for f in counted], paying)

        while paying < len(counted) and texts(2 * wanted + 1) < wanted:
            paying += 1  # dates and ages have only so many values
        tau = _least(texts, wanted)
        if tau is None and part.unit != "document":
            for fact in part.facts:
                fact.size = _NEVER  # and all have labels
            return
        if tau is None:
            limiting = [(f, f.sort.cap) for f in part.facts if f.sort.cap is not None]
            raise UnreachableTError(part, limiting)
        # The last step is taken by as few as need it: words first.
        ranked = sorted(counted, key=lambda f: (_ORDER.index(f.sort.name), part.facts[f].start))
        high, low = ([_factor(f, n, trees) for f in ranked] for n in (tau, max(1, tau - 1)))
        steps = range(len(ranked) + 1)
        first = bisect_left(steps, wanted, key=lambda k: _worst([*high[:k], *low[k:]], paying))
        fewer = set(map(id, ranked[first:]))
        for fact in part.facts:
            fact.size = max(fact.size, _capped(fact, tau - (tau > 1 and id(fact) in fewer)))

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
        self._release_births()
        self._release_ages()
        self._release_sums()

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

    def _release_sums(self) -> None:
        """An amount of money that may follow from those before it says nothing: whatever these are, it may be
        what follows. Among numbers that stand, any but the first may."""
        shown = [f for f in self.facts if f.sort.name == "money" and f.node is not None]
        bands = (Band(f.currency, f.node[0], f.node[-1], f.decimals) for f in shown)
        first = {f.currency: f for f in reversed(shown)}
        edited = Spans((e.start, e.end) for e in self._others)
        places = [(f, m) for f in self.facts for m in f.mentions]
        for _, mention in places:
            edited.add(mention.start, mention.end)
        amounts = ((f.currency, m.start, m.end) for f, m in places if f in shown)
        open_ = tied(self._text, amounts, edited) if len(shown) > len(first) else set()
        for fact, follows in zip(shown, following(bands), strict=True):
            if follows or (fact.currency in open_ and fact is not first[fact.currency]):
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
                for fact in part.facts:
                    fact.node, fact.derived = None, False
            self._release_sums()

    def fails_by_itself(self) -> bool:
        """Whether a whole text has too few texts whatever the nouns are that stand in it: dates, which may be
        told as births by one, are not judged."""
        return (
            self._is_whole
            and all(f.sort.tree != "calendar" for f in self.facts)
            and bool(self._counted(beside=False))
        )

    def _counted(self, beside: bool = True) -> list[tuple[PlannedUnit, list[tuple[Softened, int]]]]:
        """Count, with what the words beside nouns leave out, and tell which units have too few texts, and
        what limits them."""
        said = [f for f in self.facts if f.node is not None and not f.derived]
        lifted = [f for f in said if _is_lifted(f)]
        nodes = ((f.concept, f.sort.said(f.node)) for f in said)
        told = ToldByNodes(nodes, map(_years, lifted), _near(self.facts))
        known: dict[tuple[str, str, int, frozenset[int]], int] = {}
        unread_by = unread(self._text, said, self._others) if beside else {}
        taken = _overlapping(said, Counter(f.values for f in said), both=True)
        for fact in said:
            lost = unread_by.get(id(fact), frozenset())
            key = fact.sort.name, fact.concept, fact.size, lost
            if key not in known:
                known[key] = fact.sort.count(fact.node, fact.size, told.beside(lost))
            fact.count = known[key]
        counted, failing = set(said), []
        aged = any(fact.derived for fact in self.facts)
        pair = self._joint(aged)
        for part in self.parts:
            some = [f for f in part.facts if f in counted]
            part.texts = self._texts(some, pair if part.facts.keys() >= {*pair} else (), aged)
            if part.texts < part.t and (some or (part.facts and part.unit == "document")):
                limiting = ((f, f.count) for f in part.facts)
                failing.append((part, sorted(limiting, key=lambda pair: pair[1])))
            for fact in (f for f in some if f.least > 1):
                alone = fact.count - taken[fact.values] + 1
                if alone < fact.least:
                    failing.append((part, [(fact, alone)]))
        return failing

    def _texts(self, facts: Sequence[Softened], life: Sequence[Softened], aged: bool) -> int:
        """The assignments of values to facts, no two the same, of which two are counted together. Facts of
        one node that cannot all be assigned one keep what they have, which others of the tree must then go
        without."""
        groups: dict[tuple[str, Any], list[Softened]] = defaultdict(list)
        taken = _Taken()  # of a node's values, by a birth, an event, what gave way
        for fact in facts:
            if fact in life or _is_lifted(fact):
                taken[fact.values] += 1
            else:
                groups[fact.values].append(fact)
        taken = _overlapping(facts, taken)
        texts = _pairs(life, self.life is not None, aged) if life else 1
        fixed = Counter(fact.kin for fact in life if not texts)
        made: dict[tuple[str, Any], int] = {}
        while True:
            for key in [key for key in groups if key not in made or made[key]]:
                counts = sorted(fact.count for fact in groups[key])
                first = taken[key] + fixed[key[0]]
                made[key] = math.prod(max(0, n - at) for at, n in enumerate(counts, first))
            stuck = [key for key, many in made.items() if not many and key in groups]
            if not stuck:
                return max(1, texts) * math.prod(filter(None, made.values()))
            for key in stuck:
                fixed[key[0]] += len(groups.pop(key))

    def _joint(self, aged: bool) -> Sequence[Softened]:
        """The birth and the event, where what is released leaves open which was first; where an age follows
        from two dates, these, or if no birth is told, the first two."""
        dated = [f for f in self.facts if f.sort.tree == "calendar" and f.node is not None]
        pair = self.life or (dated[:2] if aged else ())
        if len(pair) < 2 or any(f not in dated or _is_lifted(f) for f in pair):
            return ()
        births, events = (softening.span_ends(fact.node) for fact in pair)
        apart = births[1] < events[0] or events[1] < births[0]
        return pair if aged or not apart else ()


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


def _overlapping(facts: Iterable[Softened], taken: _Taken, both: bool = False) -> _Taken:
    """How many values of each node are taken by facts of other nodes, beside those that are taken already: by
    those that lie below it, which choose first, or, if `both`, above. What is asked of two facts may differ,
    so that a value may be in the class of either."""
    made, some = taken.copy(), {f.values: f for f in facts}
    many = Counter(f.values for f in facts)
    for own, around in chain(_inside(some), _meeting(n for n in some if n[0] == "number")):
        made[around] += many[own]
        made[own] += many[around] if both else taken[around]
    return made


def _inside(some: Mapping[tuple[str, Any], Softened]) -> Iterator[tuple[tuple[str, Any], ...]]:
    """Which nodes of words, places and dates lie below which others."""
    for own, fact in some.items():
        for node in fact.sort.around(fact.node):
            if (around := (fact.kin, fact.sort.concept(node))) in some:
                yield own, around


def _meeting(bands: Iterable[tuple[str, Any]]) -> Iterator[tuple[tuple[str, Any], ...]]:
    """Which bands of numbers have values in common, the narrower first."""
    order = sorted(bands, key=lambda band: (band[1][1] - band[1][0], band[1]))
    low, high = np.array([ends for _, ends in order]).reshape(-1, 2).T
    for at, own in enumerate(order):
        meets = (low[at + 1 :] <= high[at]) & (low[at] <= high[at + 1 :])
        yield from ((own, order[at + 1 + n]) for n in np.flatnonzero(meets).tolist())


def _relied_on(part: PlannedUnit) -> list[Softened]:
    """The facts of which it is known beforehand that they count: of amounts of money, only the first, as
    others may follow from it."""
    money = (f for f in part.facts if f.sort.name == "money")
    first = min(money, key=lambda f: part.facts[f].start, default=None)
    return [f for f in part.facts if f is first or f.sort.name != "money"]


def _is_other(fact: Softened) -> bool:
    return fact.sort.name in ("other", "others")


def _factor(fact: Softened, tau: int, trees: Counter[str]) -> int:
    """How many values a fact that stands for tau has at least, by rule of thumb: others of the same tree may
    take some of them."""
    size = _capped(fact, tau)
    return max(1, size - min(2 * (trees[fact.sort.tree] - 1), size // 2))


def _worst(factors: Iterable[int], paying: int) -> int:
    """How many texts some facts give at least, so many at most of all."""
    return math.prod(nsmallest(paying, factors))


def _capped(fact: Softened, tau: int) -> int:
    return tau if fact.sort.cap is None else min(tau, fact.sort.cap)


def _least(texts: Callable[[int], int], wanted: int) -> int | None:
    """The least tau that gives as many texts as wanted; none gives more than one of twice as many."""
    low, high = 1, 2 * wanted + 1
    if texts(high) < wanted:
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if texts(middle) >= wanted else (middle + 1, high)
    return low


def _tells(text: str, fact: Softened, rung: Rung) -> bool:
    """Whether the name of what a place lies in tells the place, or a place that is named in passing."""
    if not isinstance(fact.value, Place):
        return False
    if places.default().tells(int(rung.concept.partition(":")[2]), fact.value.node):
        return True
    said = {" ".join(mention.of(text).split()) for mention in fact.mentions}
    named = {each for words in said for each in named_within(words, fact.kind, rung.concept)}
    return Hidden.of(*zip(*named, strict=True)).is_told_by(rung) if named else False


def _is_lifted(fact: Softened) -> bool:
    """Whether a date gave way to something that is hidden."""
    return fact.sort.tree == "calendar" and fact.sort.first_span(fact.size) != span_of(fact.node)  # type: ignore[attr-defined]


def _years(fact: Softened) -> range:
    first, last = (date.fromordinal(day).year for day in softening.span_ends(fact.node))
    return range(first, last + 1)


def _pairs(dates: Sequence[Softened], told: bool, aged: bool) -> int:
    """How many pairs of a birth and another date that is not earlier are released as these two; if it is not
    `told` which is the birth, of either."""
    births, events = (list(spans_in(*softening.span_ends(f.node), f.sort.name)) for f in dates)
    found = pairs(births, events, aged)
    if not told:
        found = max(found, pairs(events, births, aged))
    found -= len(set(births).intersection(events))
    missing = len(births) - dates[0].count, len(events) - dates[1].count
    return max(0, found - missing[0] * len(events) - missing[1] * len(births))
