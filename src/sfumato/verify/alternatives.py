"""How many values could stand where a released word stands: counted by visiting them.

Against who has the text alone, the leaves below the word's concept, or the days, months or years of a span.
Against who runs the program himself, the values that leave a tree together under that word: from the bottom
to the top, a node where enough values wait lets all of them out. Trees are walked here node by node; only
what is known of the world (parents, what may be said, which senses words have) is taken from `know`.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cache, cached_property

from sfumato.english.folding import normal_form
from sfumato.english.inflection import pluralise, split_head
from sfumato.know.taxonomy import named, places, softening, wordnet
from sfumato.know.taxonomy.chain import MOST_WORDS, Chain
from sfumato.know.taxonomy.ladder import Sense
from sfumato.verify.told import DATES, NUMBERS, WORDS
from sfumato.verify.words import same_but_for_number, singulars

_NOWHERE = -1
_KEPT = 8  # numbers of values for which what was seen of a tree is kept
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
_TAXONOMY = {**dict.fromkeys(DATES, "calendar"), **dict.fromkeys(NUMBERS, "ranges")}
_TAXONOMY |= {"day of year": "calendar", "place": places.NAME}


def is_of_sort(concept: str, sort: str) -> bool:
    """Whether a concept is one that values of a sort have.

    >>> is_of_sort("ranges:55..59", "age"), is_of_sort("wordnet:3", "age"), is_of_sort("mine:3", "noun")
    (True, False, True)
    """
    taxonomy = concept.partition(":")[0]
    return taxonomy == _TAXONOMY.get(sort, taxonomy) and (
        sort not in WORDS or taxonomy not in _TAXONOMY.values()
    )


def span_of(concept: str) -> tuple[int, int]:
    """The first and the last day of a span of the calendar, or the ends of a range of numbers."""
    taxonomy, _, key = concept.partition(":")
    if taxonomy == "ranges":
        low, _, high = key.partition("..")
        return int(low), int(high)
    return softening.span_ends(int(key))


def spans_in(concept: str, level: str) -> Iterator[tuple[int, int]]:
    """The days, months or years of a span, each by its first and last day."""
    first, last = span_of(concept)
    while first <= last:
        day = date.fromordinal(first)
        ends = {
            "day": day,
            "month": date(day.year, day.month, monthrange(day.year, day.month)[1]),
            "year": date(day.year, 12, 31),
        }
        yield first, ends[level].toordinal()
        first = ends[level].toordinal() + 1


class Walk:
    """What words name, and how many leaves concepts have, by visiting them."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._counts: dict[tuple[str, str], int] = {}
        self._held: dict[str, set[str]] = {}

    def count(self, concept: str, sort: str = "noun") -> int:
        """How many values of a sort lie below a concept; 1 for a leaf."""
        if (concept, sort) not in self._counts:
            self._counts[concept, sort] = self._count(concept, sort)
        return self._counts[concept, sort]

    def _count(self, concept: str, sort: str) -> int:
        taxonomy, _, key = concept.partition(":")
        if taxonomy == "ranges":
            low, high = span_of(concept)
            return max(0, high - low + 1)
        if taxonomy == "calendar":
            if int(key) < 10000:  # a month of any year
                return softening.DAYS_OF_YEAR
            return sum(1 for _ in spans_in(concept, sort))
        if taxonomy == named.NAME:
            return self._count_names(key)
        return len(self.leaves(Sense(taxonomy, int(key), "")))

    def leaves(self, top: Sense) -> dict[int, str]:
        """The leaves below a concept, each once, and their words."""
        seen, leaves, waiting = {top.key}, dict[int, str](), [top]
        while waiting:
            sense = waiting.pop()
            below = self._chain.children(sense)
            if not below:
                leaves[sense.key] = sense.term
            for child in below:
                if child.key not in seen:
                    seen.add(child.key)
                    waiting.append(child)
        return leaves

    def nested(self, place: int, between: int) -> int:
        """How many leaves below a place have so many others at least between them and it; all, where none
        has."""
        found, waiting = 0, [(Sense(places.NAME, place, ""), -1)]
        leaves = 0
        while waiting:
            sense, depth = waiting.pop()
            below = self._chain.children(sense)
            waiting += [(child, depth + 1) for child in below]
            leaves += not below
            found += not below and depth >= between
        return found or leaves

    def _count_names(self, key: str) -> int:
        """WordNet's leaves, and the names whose kind lies below; for a phrase, names whose kind ends so."""
        number, slash, dropped = key.partition("/")
        if not slash:
            return self._leaves_and_names(int(number))
        kind = self._named.kinds()[int(number)]
        phrase = normal_form(" ".join(kind.phrase.split()[int(dropped) :]))
        return min(self._names_of[phrase], self._leaves_and_names(kind.synset))

    def _leaves_and_names(self, synset: int) -> int:
        leaves = self.leaves(Sense(wordnet.NAME, synset, ""))
        return len(leaves) + self._names_below[synset]

    # Tens of thousands of kinds are gone through once, however many concepts a claim has.

    @cached_property
    def _names_of(self) -> Counter[str]:
        """How many names have a kind that ends so, by phrase."""
        found: Counter[str] = Counter()
        for kind in self._named.kinds():
            found.update(dict.fromkeys(named.tails(kind.phrase), kind.names))
        return found

    @cached_property
    def _names_below(self) -> Counter[int]:
        """How many names have a kind that lies below, by WordNet's concept."""
        alone: Counter[int] = Counter()
        for kind in self._named.kinds():
            alone[kind.synset] += kind.names
        found: Counter[int] = Counter()
        for synset, names in alone.items():
            found.update(dict.fromkeys(path(synset), names))
        return found

    @property
    def _named(self) -> named.Named:
        table = self._chain[named.NAME]
        assert isinstance(table, named.Named)
        return table

    def families(self, concept: str) -> int:
        """From how many different concepts next above them, below this one, its leaves come."""
        taxonomy, _, key = concept.partition(":")
        top = int(key.partition("/")[0])
        if taxonomy == named.NAME:
            taxonomy = wordnet.NAME
        seen, above, waiting = {top}, set[int](), [top]
        while waiting:
            node = waiting.pop()
            for child in self._chain.children(Sense(taxonomy, node, "")):
                if node != top and not self._chain.children(child):
                    above.add(node)
                if child.key not in seen:
                    seen.add(child.key)
                    waiting.append(child.key)
        return max(1, len(above))

    def is_named(self, words: str, concept: str) -> bool:
        """Whether words are a name of a concept."""
        said = _ARTICLE.sub("", words.strip())
        taxonomy, _, key = concept.partition(":")
        if taxonomy == "ranges":
            return _numbers(said) == span_of(concept)
        if taxonomy == "calendar":
            return said.casefold() == softening.span_written(int(key)).casefold()
        if taxonomy == named.NAME and "/" in key:
            number, _, dropped = key.partition("/")
            phrase = " ".join(self._named.kinds()[int(number)].phrase.split()[int(dropped) :])
            return same_but_for_number(said, phrase)
        if taxonomy == places.NAME:
            written = re.sub(r"^the\s+", "", places.default().written(int(key)))
            return same_but_for_number(said, written)
        asked = wordnet.NAME if taxonomy == named.NAME else taxonomy
        if asked == wordnet.NAME:
            several = pluralise(wordnet.default().word(int(key)))
            if normal_form(several) == normal_form(said):
                return True
        forms = (said, said[:1].lower() + said[1:], *singulars(said))
        return any(s.key == int(key) for f in forms for s in self._chain[asked].senses(f))

    def is_on_line(self, one: str, other: str) -> bool:
        """Whether one of two concepts holds the other, or is it."""
        return self._plain(one) in self._holding(other) or self._plain(other) in self._holding(one)

    def _plain(self, concept: str) -> str:
        """A concept that names are of as WordNet has it, or a phrase that tells what they are, whichever name
        has it."""
        taxonomy, _, key = concept.partition(":")
        if taxonomy != named.NAME:
            return concept
        number, is_phrase, dropped = key.partition("/")
        if not is_phrase:
            return f"{wordnet.NAME}:{key}"
        words = self._named.kinds()[int(number)].phrase.split()[int(dropped) :]
        return f"{taxonomy}:{normal_form(' '.join(words))}"

    def _holding(self, concept: str) -> set[str]:
        if concept not in self._held:
            taxonomy, _, key = concept.partition(":")
            number, is_phrase, dropped = key.partition("/")
            found, waiting = {self._plain(concept)}, list[int]()
            if taxonomy == named.NAME and is_phrase:
                phrase, synset, _ = self._named.kinds()[int(number)]
                shorter = range(int(dropped), len(phrase.split()))
                found |= {self._plain(f"{taxonomy}:{number}/{at}") for at in shorter}
                waiting = [synset]
            elif taxonomy in (named.NAME, wordnet.NAME):
                waiting = [int(key)]
            else:
                sense = Sense(taxonomy, int(number), "")
                found |= {step.concept for step in self._chain.climb(sense)}
            while waiting:
                waiting += wordnet.default().parents(node := waiting.pop())
                found.add(f"{wordnet.NAME}:{node}")
            self._held[concept] = found
        return self._held[concept]

    def is_below(self, term: str, concept: str) -> bool:
        """Whether some sense of a term, or of what is left of it without modifiers, leads to a concept."""
        for phrase in _endings(term):
            for sense in self._chain.senses(phrase):
                if concept in (sense.concept, *(s.concept for s in self._chain.climb(sense))):
                    return True
        return False


def is_several(words: str, concept: str) -> bool:
    """Whether words of the release name a concept of WordNet in the plural.

    >>> drug = wordnet.default().senses("drug")[0].concept
    >>> is_several("Drugs", drug), is_several("a drug", drug), is_several("1980s", "calendar:19800099")
    (True, False, False)
    """
    taxonomy, _, key = concept.partition(":")
    if taxonomy != wordnet.NAME:
        return False
    return normal_form(_ARTICLE.sub("", words.strip())) != normal_form(
        wordnet.default().word(int(key))
    )


def path(synset: int) -> list[int]:
    """A synset and what lies above it by first parents."""
    words = wordnet.default()
    found = [synset]
    while (parent := words.parent(found[-1])) is not None:
        found.append(parent)
    return found


def _endings(term: str) -> Iterator[str]:
    """A phrase, and what stands before its preposition, whole and by its last words, fewer and fewer."""
    yield term
    for head in dict.fromkeys((term, split_head(term)[0])):
        words = head.split()
        begins = (at for at in range(len(words)) if not 0 < at < len(words) - MOST_WORDS)
        yield from (" ".join(words[at:]) for at in begins)


def _numbers(text: str) -> tuple[int, ...]:
    """The numbers of a text in units of their last digit; that of "m2" is none."""
    found = re.findall(
        r"(?!(?<=[a-z])[23]\b)[-−]?\d[\d,]*(?:\.\d+)?", re.sub(r"(?<=\d)[–-](?=\d)", " ", text)
    )
    return tuple(int(re.sub(r"[,.]", "", n).replace("−", "-")) for n in found)


# Who runs the program


@dataclass(eq=False)
class _Floor:
    """A tree walked for one number of values: who waits at a node, and who leaves at it."""

    waiting: dict[int, list[int]] = field(default_factory=dict)
    leaving: dict[int, frozenset[int]] = field(default_factory=dict)
    # of chains that end in one who waits at a node, how many there are of each length, surely and at most
    chains: dict[int, list[tuple[int, int]]] = field(default_factory=dict)


class TreeWalk:
    """Which values leave a tree together: a node lets all out that wait at it, where they are enough. Beside
    so many `others`, which may lie in each other, there must be as many chains of each length, or none."""

    def __init__(self, sort: str, diverse: int, others: int = 0) -> None:
        tree = softening.place_tree() if sort == "place" else None
        words = softening.words()
        self._parents: list[int] = (tree or words).parents.tolist()
        self._sayable: list[bool] = (tree or words).sayable.tolist()
        values = tree.values if tree is not None else words.values[sort]  # type: ignore[index]
        self._values: list[bool] = values.tolist()
        self._told: list[int] = tree.told.tolist() if tree is not None else [0] * len(self._values)
        self._diverse = 1 if sort == "place" else diverse
        self._others = others
        wavers = tree.wavering.tolist() if tree is not None else [False] * len(self._values)
        self._sure = [
            is_value and not unsure for is_value, unsure in zip(self._values, wavers, strict=True)
        ]
        self._floors: dict[int, _Floor] = {}

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        made: dict[int, list[int]] = defaultdict(list)
        for child, parent in enumerate(self._parents):
            if child != parent:
                made[parent].append(child)
        return made

    @cached_property
    def _below(self) -> list[list[tuple[int, int]]]:
        """Of each node, how many values lie below it with none, one … between them and it."""
        made = [[(0, 0)] * self._others for _ in self._parents]
        order = [node for node, parent in enumerate(self._parents) if node == parent]
        for node in order:
            order += self._children.get(node, ())
        for node in reversed(order):
            for child in self._children.get(node, ()):
                own, masks = made[child], (self._sure[child], self._values[child])
                for length, sums in enumerate(made[node]):
                    more = []
                    for at, is_one in enumerate(masks):
                        if not length:
                            more.append(own[0][at] + is_one)
                        else:
                            more.append(own[length - is_one][at])
                    made[node][length] = sums[0] + more[0], sums[1] + more[1]
        return made

    def _chains(self, node: int, floor: _Floor) -> list[tuple[int, int]]:
        """Of those who wait at a node, how many chains lie below them."""
        sums = [[0, 0] for _ in range(self._others)]
        for child in self._children.get(node, ()):
            stays = () if child in floor.leaving else floor.chains[child]
            for at, mask in enumerate((self._sure, self._values)):
                known = self._below[child] if mask[child] else stays
                for length, each in enumerate(known):
                    sums[length][at] += each[at]
        return [(sure, most) for sure, most in sums]

    def chains(self, node: int, enough: int, lost: Collection[int], longest: int) -> int | None:
        """How many values there are at least that lie in another, or in two of which one lies in the other,
        the last of which leaves at a node; None where there can be none. Some are lost, as they are told."""
        leaving, lost = self.leaving(node, enough), frozenset(lost)
        unsaid = self._unsaid(enough) if self._others and leaving else _NOWHERE
        found = [[0, 0] for _ in range(longest)]
        waiting = [(child, 0, 0) for child in self._children.get(node, ())]
        while waiting:  # each with how many hold it that count, and how many may
            at, sure, most = waiting.pop()
            for length, each in enumerate(found, 1):
                each[0] += self._sure[at] and at not in lost and sure >= length
                each[1] += self._values[at] and most >= length
            may_hold = bool(most) or at in leaving
            holds = bool(sure) or (at in leaving and at not in lost)
            most += self._values[at] and may_hold
            sure += self._sure[at] and at not in lost and holds
            if at != unsaid:
                waiting += [(child, sure, most) for child in self._children.get(at, ())]
        return min((sure for sure, most in found if most), default=None)

    def _unsaid(self, enough: int) -> int:
        """The node whose values have labels beside those that leave nowhere, where these are too few: the one
        that lets out fewest. Nothing below it comes out above."""
        top = next(node for node, parent in enumerate(self._parents) if node == parent)
        floor = self._floors[enough]
        if top not in floor.waiting:
            self._walk(top, enough, floor)
        if not 0 < len(floor.waiting[top]) < enough or not floor.leaving:
            return _NOWHERE
        return min(floor.leaving, key=lambda node: (len(floor.leaving[node]), node))

    def apart(self, node: int, enough: int, lost: Collection[int]) -> int:
        """How many of those who surely leave at a node there are of which none lies in another; without the
        lost ones."""
        free = {n for n in self.leaving(node, enough) - frozenset(lost) if self._sure[n]}
        return len(free.difference(*map(self.above, free)))

    def above(self, node: int) -> Iterator[int]:
        """What lies above a node, the nearest first."""
        while (parent := self._parents[node]) != node:
            yield parent
            node = parent

    def leaving(self, node: int, enough: int) -> frozenset[int]:
        """The values that leave at a node; none where it lets nobody out."""
        if not self._sayable[node]:
            return frozenset()
        if enough not in self._floors and len(self._floors) >= _KEPT:
            self._floors.clear()
        floor = self._floors.setdefault(enough, _Floor())
        if node not in floor.waiting:
            self._walk(node, enough, floor)
        return floor.leaving.get(node, frozenset())

    def _walk(self, top: int, enough: int, floor: _Floor) -> None:
        """From the bottom to the top, without recursion: the trees are deep."""
        order, at = [top], 0
        while at < len(order):
            order += [n for n in self._children.get(order[at], ()) if n not in floor.waiting]
            at += 1
        for node in reversed(order):
            waiting: list[int] = []
            for child in self._children.get(node, ()):
                waiting += floor.waiting[child]
                if self._values[child]:
                    waiting.append(child)
            counted = len(waiting) - self._told[node]
            floor.chains[node] = self._chains(node, floor) if self._others else []
            fits = all(sure >= enough or not most for sure, most in floor.chains[node])
            fits = fits and counted >= enough and self._is_diverse(node, waiting)
            if self._sayable[node] and fits:
                floor.leaving[node] = frozenset(waiting)
                waiting = []
            floor.waiting[node] = waiting

    def _is_diverse(self, node: int, waiting: list[int]) -> bool:
        if self._diverse == 1:
            return True
        return len({self._parents[n] for n in waiting} - {node}) >= self._diverse


@cache
def tree_walk(sort: str, diverse: int, others: int = 0) -> TreeWalk:
    """The walk of the tree of words of a sort, or of places; what it has seen is kept."""
    return TreeWalk(sort, diverse, others)
