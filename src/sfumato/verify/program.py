"""How many texts the published program leads to a release: counted for who runs it himself.

What is asked of a fact depends on the sorts of the facts around it alone, so whoever has the claim can work
it out again; which values leave a tree together is walked node by node. A value does not count that would not
have been released so, because something else that is released says it or lies below it.
"""

from __future__ import annotations

import math
from collections import Counter as Tally
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from functools import cached_property
from itertools import chain

from sfumato.know.taxonomy import nouns, places, ranges, softening, telling, wordnet
from sfumato.verify.alternatives import TreeWalk, span_of, tree_walk
from sfumato.verify.counts import Asked, Slot, digits, known_in, product, within
from sfumato.verify.sorts import (
    Values,
    capped,
    dimension,
    fewest_of,
    is_age,
    is_lifted,
    kin,
    meeting,
    paid,
    tree_of,
)
from sfumato.verify.tied import Ties
from sfumato.verify.told import DATES, NUMBERS, WORDS, Told

_ORDER = (*WORDS, "place", *DATES, "day of year", "age", "derived", "amount", "money")
_DEEPEST = 2  # places that hold another and are counted with it
_ANYWHERE = -1


class ProgramCounter:
    """Against who runs the program: the values that it releases as each node."""

    takes_labels = True

    def __init__(
        self,
        asked: Asked,
        parts: Sequence[tuple[str, Sequence[Slot]]],
        kinds: Mapping[int, Collection[str]],
        text: str,
        births: Collection[int] = (),
        tied: Ties = Ties(),  # noqa: B008
        finds: bool = True,
    ) -> None:
        self._tied, self._finds = tied, finds
        self._asked, self._kinds, self._text = asked, kinds, text
        self._listed = sorted({s for _, slots in parts for s in slots}, key=lambda s: s.start)
        self._slots = {slot.fact: slot for _, slots in parts for slot in slots}
        located = [slot for slot in self._slots.values() if slot.sort == "place"]
        self._located, self._others = located, min(max(0, len(located) - 1), _DEEPEST)
        self._sizes: dict[int, int] = {}
        self._slack: dict[int, int] = {}
        self._most: Tally[str] = Tally()  # that is asked of any date of a grain, or place
        for unit, slots in parts:
            self._ask(asked.t[unit], slots)
        for fact in self._sizes:
            alike = self._most[self._slots[fact].sort]
            self._sizes[fact] = max(alike, self._sizes[fact])
        aged = any(map(is_age, self._slots.values()))
        for birth in (self._slots[fact] for fact in births if aged and fact in self._sizes):
            decade = softening.SPANS[birth.sort]["decade"]  # type: ignore[index]
            self._sizes[birth.fact] = max(decade, self._sizes[birth.fact])
        self._counts: dict[int, int] = {}
        self._joint: dict[str, tuple[int, bool]] = {}
        self._known_names: dict[tuple[str, str, tuple[int, ...]], tuple[str, ...]] = {}
        said = (s for s in self._slots.values() if s.concept and s.sort != "derived")
        self._same = Tally(map(self._values, said))

    # What is asked of each fact

    def _relied_on(self, slots: Sequence[Slot]) -> list[Slot]:
        """What surely counts, of what nothing ties: a place may lie in others."""
        located = sorted((s for s in slots if s.sort == "place"), key=lambda s: s.start)
        inside = len({s.fact for s in located}) == len(self._located)
        spoken = any(s.sort in WORDS for s in self._slots.values())  # of times and places, maybe
        free = [s for s in slots if s not in self._tied]
        free = [s for s in free if not (spoken and dimension(s, self._text))]
        first = [s for s in located if s in free][:1] if inside else []
        return [s for s in free if s.sort != "place" or s in first]

    def _ask(self, t: int, slots: Sequence[Slot]) -> None:
        """The least number of values for each fact of a unit so that t texts are left, whatever the facts
        of one tree take from each other; the last ones need one less where that is enough."""
        together = Tally(map(tree_of, slots))
        slack = {s.fact: 2 * (together[tree_of(s)] - 1) for s in slots}
        paying, wanted = self._asked.paying, t
        counted = self._relied_on(slots)

        def left(slot: Slot, tau: int) -> int:
            size = capped(slot, tau)
            return max(1, size - min(slack[slot.fact], size // 2))

        def texts(tau: int) -> int:
            """What the facts that pay leave at least, if all stand for tau values."""
            one_of = {(s.sort, slack[s.fact]): s for s in counted}
            many = Tally((s.sort, slack[s.fact]) for s in counted)
            factors = sorted((left(slot, tau), many[group]) for group, slot in one_of.items())
            return paid(factors, paying)

        low, high = 1, 2 * wanted
        while paying < len(counted) and texts(high) < wanted:
            paying += 1  # dates and ages have only so many values
        if texts(high) < wanted:
            return  # nothing that these facts may say is enough
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if texts(middle) >= wanted else (middle + 1, high)
        sizes = {s.fact: capped(s, low) for s in slots}
        if low > 1:
            factors = Tally(left(s, low - 1) for s in counted)
            for slot in sorted(counted, key=lambda s: (_ORDER.index(s.sort), s.start)):
                if paid(sorted(factors.items()), paying) >= wanted:
                    sizes[slot.fact] = capped(slot, low - 1)
                else:
                    factors[left(slot, low - 1)] -= 1
                    factors[left(slot, low)] += 1
        for slot in slots:
            self._sizes[slot.fact] = max(sizes[slot.fact], self._sizes.get(slot.fact, 0))
            self._slack[slot.fact] = max(slack[slot.fact], self._slack.get(slot.fact, 0))
            if slot.sort in (*DATES, "day of year", "place"):
                self._most[slot.sort] = max(sizes[slot.fact], self._most[slot.sort])

    def _asked_of(self, slot: Slot) -> set[int]:
        """The sizes that may have been asked of a fact: without the ledger, by every kind it may have. Of all
        places the same is asked."""
        if slot.sort != "place":
            return self._asked_alone(slot)
        sizes = [self._asked_alone(each) for each in self._located if each.fact in self._sizes]
        least = max(map(min, sizes), default=0)
        return (
            {n for some in sizes for n in some if n >= least} if slot.fact in self._sizes else set()
        )

    def _asked_alone(self, slot: Slot) -> set[int]:
        size, slack = self._sizes.get(slot.fact, 0), self._slack.get(slot.fact, 0)
        kinds = self._kinds.get(slot.fact, ())
        leasts = [self._asked.least_of(slot.sort, kind) for kind in kinds]
        if not kinds:
            leasts = [0, *self._asked.each.values()]
        return {max(size, n + min(slack, n)) for n in leasts} if size else set()

    # How many values a fact may have

    def _count(self, slot: Slot) -> int:
        if slot.fact not in self._counts:
            counts = [self._released(slot, size) for size in self._asked_of(slot)]
            self._counts[slot.fact] = min((n for n in counts if n), default=0)
        return self._counts[slot.fact]

    def _released(self, slot: Slot, size: int) -> int:
        """How many values of a class would have been released as its node beside what else is released."""
        leaving = self._class(slot, size)
        if not leaving or slot.sort == "day of year":
            return leaving
        if slot.sort in NUMBERS:
            return self._numbers(slot)
        if slot.sort in DATES:
            return 1 if is_lifted(slot, size) else self._dates(slot)
        found = self._leaving(slot, size)
        if slot.sort == "place":
            told = {*self._told["places"], *places.default().told_by(slot.node).tolist()}
            return sum(n not in told and self._is_sure(n, slot) for n in found)
        excluded = found & (self._told["words"] | self._unread.get(slot.fact, frozenset()))
        excluded |= found & self._standing(slot)
        return softening.certainly_found(len(found)) - len(excluded)

    def _standing(self, slot: Slot) -> frozenset[int]:
        """The words that would stand beside a date or a place: no detector has found them, and they tell
        something of it."""
        is_found = self._asked.terms != "nouns" and slot.sort not in ("other", "others")
        return telling.standing() if self._finds and not is_found else frozenset()

    def _is_sure(self, place: int, slot: Slot) -> bool:
        """Whether the name of a place means and tells nothing else, whatever other places are told."""
        if not softening.place_tree().wavering[place]:
            return True
        others, tells = softening.beside(place)
        near = self._near
        if near[_ANYWHERE] and others:
            return False
        own = self._may_be[slot.fact]
        return tells.isdisjoint(self._told["places"]) and not any(
            near[other] > (other in own) for other in others
        )

    @cached_property
    def _may_be(self) -> Mapping[int, frozenset[int]]:
        """Of each fact that is a place, those that it may be."""
        found = (s for s in self._slots.values() if s.sort == "place" and s.concept)
        return {
            s.fact: frozenset[int]().union(*(self._leaving(s, n) for n in self._asked_of(s)))
            for s in found
        }

    @cached_property
    def _near(self) -> Mapping[int, int]:
        """In how many facts each place may be told; one with a label may be anywhere."""
        made = Tally(n for some in self._may_be.values() for n in some)
        made[_ANYWHERE] = sum(s.sort == "place" and not s.concept for s in self._slots.values())
        return made

    def _leaving(self, slot: Slot, size: int) -> frozenset[int]:
        """The words or places that leave at a node; of words some more than asked for, as the program may
        miss one where it stands."""
        enough = softening.words_for(size) if slot.sort in WORDS else size
        return self._walk(slot).leaving(slot.node, enough)

    def _walk(self, slot: Slot) -> TreeWalk:
        others = self._others if slot.sort == "place" else 0
        return tree_walk(slot.sort, self._asked.diverse, others)

    def _dates(self, slot: Slot) -> int:
        first, last = (date.fromordinal(day).year for day in span_of(slot.concept))
        told = [key for key in self._told["calendar"] if first <= key // 10000 <= last]
        if slot.sort == "day":
            told = []
        elif slot.sort == "month":
            told = [key for key in told if key // 100 % 100]
        else:
            told = list({key // 10000 for key in told})
        return known_in(slot) - len(told)

    def _numbers(self, slot: Slot) -> int:
        low, high = span_of(slot.concept)
        for first, last in self._gave_way:
            if first <= high and low <= last:
                return 1  # a date may have given way to this number
        years = {key // 10000 for key in self._told["calendar"]}
        return high - low + 1 - sum(low <= year <= high for year in years)

    @cached_property
    def _told(self) -> Mapping[str, frozenset[int]]:
        """What the released nodes say: words and places that hold one or can be read in its words, and keys
        of months and years."""
        synsets, found, keys = set[int](), set[int](), set[int]()
        said_of = (s.concept for s in self._slots.values() if s.sort != "derived")
        for taxonomy, node in {concept.partition(":")[::2] for concept in said_of}:
            said = ""
            if taxonomy == wordnet.NAME:
                synsets |= wordnet.default().subsumers_of(int(node))
                said = wordnet.default().word(int(node)).replace("_", " ")
            elif taxonomy == places.NAME:
                found.update(places.default().above(int(node)))
                said = places.default().written(int(node))
            elif taxonomy == "calendar" and int(node) >= 10000 and int(node) % 100 == 0:
                keys.add(int(node))
            if said:
                by_words = softening.read_in(said)
                synsets |= by_words[0]
                found |= by_words[1]
        return {
            "words": frozenset(synsets),
            "places": frozenset(found),
            "calendar": frozenset(keys),
        }

    @cached_property
    def _unread(self) -> Mapping[int, frozenset[int]]:
        """Of each noun, the synsets of which a word would be read together with what stands beside it, or
        with what may stand in the slot before it."""
        made: dict[int, frozenset[int]] = defaultdict(frozenset)
        text, before = self._text, None
        for slot in self._listed:
            if slot.sort in WORDS and slot.concept:
                left, right = (
                    nouns.words_before(text, slot.start),
                    nouns.words_after(text, slot.end),
                )
                own = nouns.beginnings(self._names(slot))
                made[slot.fact] |= nouns.swallowed(left, right, own)
                gap = None if before is None else nouns.words_between(text[before.end : slot.start])
                if before is not None and gap is not None:
                    made[slot.fact] |= nouns.joined(self._names(before), gap, own)
            before = slot
        return made

    def _names(self, slot: Slot) -> tuple[str, ...]:
        """What may stand in a slot; many have the same."""
        if not slot.concept or slot.sort not in (*WORDS, "place"):
            return ()
        key = slot.concept, slot.sort, tuple(self._asked_of(slot))
        if key not in self._known_names:
            found = (node for size in key[2] for node in self._leaving(slot, size))
            if slot.sort == "place":
                self._known_names[key] = tuple(map(places.default().written, found))
            else:
                self._known_names[key] = tuple(chain(*map(wordnet.default().terms_of, found)))
        return self._known_names[key]

    @cached_property
    def _gave_way(self) -> list[tuple[int, int]]:
        """The years of the spans of dates that gave way to something else."""
        dates = [s for s in self._slots.values() if s.sort in DATES and s.concept]
        ends = [span_of(s.concept) for s in dates if self._gives_way(s)]
        return [(date.fromordinal(a).year, date.fromordinal(b).year) for a, b in ends]

    @cached_property
    def _beside(self) -> Mapping[Values, int]:
        """How many facts of other concepts may have one of its values."""
        made: Tally[Values] = Tally()
        for own, wider in meeting(self._same):
            made[wider] += self._same[own]
            made[own] += self._same[wider]
        return made

    def _values(self, slot: Slot) -> Values:
        """By its kin what values a slot may have: a concept, or the ends of a band as they are written."""
        if slot.sort not in NUMBERS:
            return kin(slot), slot.concept
        tens = 10 ** digits(slot.of(self._text))
        low, high = span_of(slot.concept)
        return kin(slot), (low / tens, high / tens)

    # Units

    def texts(self, slots: Sequence[Slot]) -> int:
        """Assignments of values to facts: one time and one amount, words of which none may tell of what
        another does, and places that may lie in each other as one."""
        counted = [s for s in slots if s.concept and s.sort != "derived" and s not in self._tied]
        counted = [s for s in counted if dimension(s, self._text) not in self._told_by_words]
        located: dict[str, list[Slot]] = defaultdict(list)
        for slot in (s for s in counted if s.sort == "place"):
            located[slot.concept].append(slot)
        told = {s.fact for s in counted if s.sort in WORDS}
        near = {self._line_of[fact] for fact in told}
        lines = (self._lines[n][1] for n in near if self._lines[n][0] <= told)
        alone = (self._count(s) for s in counted if s.sort not in (*WORDS, "place"))
        place = min(map(self._places, located.values()), default=1)
        return product([*lines, *(max(1, n) for n in alone), place])

    @cached_property
    def _words(self) -> list[Slot]:
        return [s for s in self._slots.values() if s.sort in WORDS and s.concept]

    @cached_property
    def _meanings(self) -> Mapping[tuple[str, str], frozenset[int]]:
        """Of words of a sort that are released as a concept, what they may mean."""
        made: dict[tuple[str, str], frozenset[int]] = defaultdict(frozenset)
        for slot in self._words:
            for size in self._asked_of(slot):
                made[slot.sort, slot.concept] |= self._leaving(slot, size) - self._standing(slot)
        return made

    @cached_property
    def _told_by_words(self) -> set[str]:
        """Of which dimensions a word may be that is released."""
        found = [*frozenset[int]().union(*self._meanings.values())]
        return {of for of in telling.DIMENSIONS if telling.mask(of)[found].any()}

    @cached_property
    def _lines(self) -> list[tuple[frozenset[int], int]]:
        """Words that may tell of one thing, as a meaning of one is or holds a meaning of another, by their
        facts; and how many values they have together."""
        kinds = [*self._meanings]
        telling_of: dict[int, set[int]] = defaultdict(set)  # by meaning, which kinds
        for at, kind in enumerate(kinds):
            for meaning in self._meanings[kind] - self._told["words"]:
                telling_of[meaning].add(at)
        near = [set[int]() for _ in kinds]
        for at, kind in enumerate(kinds):
            for holder in wordnet.default().above_any(self._meanings[kind]):
                for other in telling_of.get(holder, ()):
                    near[at].add(other)
                    near[other].add(at)
        made, seen = [], set[int]()
        for at in range(len(kinds)):
            line, waiting = set[int](), [at] if at not in seen else []
            while waiting:
                if (one := waiting.pop()) not in line:
                    line.add(one)
                    waiting += near[one]
            seen |= line
            if line:
                some = [s for s in self._words if (s.sort, s.concept) in {kinds[n] for n in line}]
                made.append((frozenset(s.fact for s in some), self._pays(some)))
        return made

    @cached_property
    def _line_of(self) -> Mapping[int, int]:
        return {fact: n for n, (line, _) in enumerate(self._lines) for fact in line}

    def _pays(self, slots: Sequence[Slot]) -> int:
        """What words that may tell of one thing have together: what the one with fewest values has without
        those of the others and of labels, and no more than what lies below one, two … others of them, where
        anything does."""
        labels = sum(s.sort in WORDS and not s.concept for s in self._slots.values())
        least = min(map(self._count, slots)) - (len(slots) - 1) - labels
        told, above = self._told["words"], wordnet.default().subsumers_of
        lost = told.union(*(self._unread.get(s.fact, ()) for s in slots))
        by_kind: dict[tuple[str, str], list[Slot]] = defaultdict(list)
        for slot in slots if len(slots) > 1 else ():
            by_kind[slot.sort, slot.concept].append(slot)
        room = list[int | None]()
        for kind, alike in by_kind.items():
            slot, longest = alike[0], min(len(alike) - 1, _DEEPEST)
            for enough in {softening.words_for(n) for s in alike for n in self._asked_of(s)}:
                gone = lost | self._standing(slot)
                room.append(self._walk(slot).chains(slot.node, enough, gone, longest))
            for other in by_kind.keys() - {kind}:
                holders = self._meanings[other] - told
                below = {n for n in self._meanings[kind] if not holders & above(n) <= {n}}
                room.append(len(below - lost) if below else None)
        least = min([least, *(softening.certainly_found(n) for n in room if n is not None)])
        return max(1, least)

    def _places(self, slots: Sequence[Slot]) -> int:
        """Places of one node, of which one may lie in another, or none: so many as one of them may be."""
        slot, others = slots[0], len(slots) - 1
        alike = [s.concept == slot.concept for s in self._located]
        if len(slots) < sum(alike):
            return 1  # one of them may lie in what is told elsewhere
        count = min(map(self._count, slots)) - others
        if others and slot.concept not in self._joint:
            told = {*self._told["places"], *places.default().told_by(slot.node).tolist()}
            walk, longest = self._walk(slot), min(others, _DEEPEST)
            sizes = self._asked_of(slot)
            chains = [walk.chains(slot.node, n, told, longest) for n in sizes]
            apart = [walk.apart(slot.node, n, told) for n in sizes]
            known = [n for n in chains if n is not None]
            self._joint[slot.concept] = min([*known, *apart], default=0), bool(known)
        joint, is_nested = self._joint.get(slot.concept, (count + others, False))
        if self._tied.near and not (is_nested and alike == [True, True]):
            return 1  # what is near another is one of few, unless it lies in it
        labels = sum(not s.concept for s in self._located)
        return max(1, min(count, joint - others) - labels)

    def _gives_way(self, slot: Slot) -> bool:
        asked = self._asked_of(slot)
        return slot.sort in DATES and bool(asked) and all(is_lifted(slot, n) for n in asked)

    def is_class(self, slot: Slot) -> bool:
        """Whether the program releases anything as this node."""
        return any(self._class(slot, size) for size in self._asked_of(slot))

    def _class(self, slot: Slot, size: int) -> int:
        """How many values leave at a node, or may give way to it."""
        if slot.sort == "day of year":
            return softening.DAYS_OF_YEAR if size <= softening.DAYS_OF_YEAR else 0
        if slot.sort in DATES:
            fewest = fewest_of(slot)
            return fewest if fewest >= size else 0
        if slot.sort in NUMBERS:
            low, high = span_of(slot.concept)
            widths = ranges.AGE_WIDTHS if slot.sort == "age" else softening.band_widths()
            width = next((w for w in widths if w >= size), 0)
            return width if width == high - low + 1 and not low % width else 0
        return len(self._leaving(slot, size))

    def bits(self, slots: Sequence[Slot]) -> float:
        return math.inf  # nothing but the number counts

    def alone(self, slot: Slot) -> int:
        node = self._values(slot)
        return self._count(slot) - (self._same[node] - 1) - self._beside[node]

    def is_diverse(self, slot: Slot) -> bool:
        return True  # else nothing would have left there

    def holds(self, slot: Slot, told: Told, words: str) -> bool:
        if not slot.concept:
            return True
        if slot.sort in (*WORDS, "place"):
            walk = self._walk(slot)
            found = [n for n in told.values if isinstance(n, int)]
            if slot.sort in WORDS:
                found = [n for n in found if softening.words().taken[n]]
            return any(slot.node in walk.above(n) for n in found)
        return within(slot, told)
