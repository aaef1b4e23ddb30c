"""Places: city → county → region → country → part of a continent → continent → place, by every name.

The volume of a rung is the number of places below it that have none below themselves. Population is not a
volume: with the number of names that languages have for a place, it says how likely a sense is, and orders
senses of equal name. What cities are called in other languages ("Wien", "Ratisbon") is known as well, but no
text is searched for it. The table is made by `scripts/build_places.py` from GeoNames and ISO 3166.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np

from sfumato.english.demonyms import ALWAYS_CAPITAL, LANGUAGES, lands_called, places_of
from sfumato.english.folding import fold
from sfumato.english.nicknames import gender, is_given
from sfumato.english.ordinary import is_ordinary
from sfumato.english.short_names import places_for_short, short_names
from sfumato.english.wordlists import words
from sfumato.know import fingerprints, tables
from sfumato.know.taxonomy.ladder import Sense, Step, merge, sanchez_batet
from sfumato.plugins import taxonomy

NAME = "places"
TABLE = "places.npz"
LAYOUT = "places-3"
ROOT, CONTINENT, PART, COUNTRY, REGION, COUNTY, CITY = range(7)
_MOST_WORDS = 5  # of a place's name
_MOST_PLACES = 8  # places of one name that are reckoned with, the likeliest first
_BEFORE = re.compile(
    r"(?<![^\W_])(?:[A-Z][a-z]+[ -]){1,3}\Z"
)  # the words of a name around one of them
_AFTER = re.compile(r"(?:[ -][A-Z][a-z]+){1,3}")
_NEAR = 80  # characters that these have
_LARGE = 400_000  # people of a place that its name is rather meant for than a noun
_SELDOM = 20  # times the people by which a region is thought of first
_MOST_OF_PEOPLE = 3  # words of what people of a place are called: "Papua New Guinean"
# Countries of the United Kingdom, and those that were or are called otherwise.
_LANDS = {
    name.replace("_", " ")
    for name in words(
        "england scotland wales northern_ireland ussr soviet_union yugoslavia czechoslovakia rhodesia zaire"
        " east_germany west_germany palestine prussia austria-hungary ottoman_empire congo swaziland biafra"
        " indochina bechuanaland tanganyika gold_coast kurdistan tibet gb nz n.z ksa drc prc dprk"
    )
}
# Countries by the names that they had, beside those of the table.
_RENAMED = {
    "zaire": "democratic republic of the congo",
    "swaziland": "eswatini",
    "rhodesia": "zimbabwe",
    "bechuanaland": "botswana",
    "tanganyika": "tanzania",
}
_OF_PEOPLES = words(  # behind what a people or a language is called
    "speaker speakers speaking national nationals citizen citizens nationality origin descent heritage born"
    " person people man men woman women lady ladies gentleman girl girls boy boys"
)
_LEVELS = ("place", "continent", "part", "country", "region", "county", "city")


@dataclass(frozen=True)
class _Table:
    names: list[str]
    one: dict[str, int]  # folded name → a place
    several: dict[str, list[int]]  # folded name → places, where there are more; the likeliest first
    others: dict[str, int]  # those of `one` that are not the place's first name
    parents: tables.Array  # shape (places,), uint32; the root is its own parent
    levels: tables.Array  # shape (places,), uint8
    populations: tables.Array  # shape (places,), uint32
    leaves: tables.Array  # shape (places,), uint32: leaves below, 1 for a leaf
    foreign: tables.Array  # shape (foreign names,), bytes: folded, in their order
    foreign_of: tables.Array  # shape (foreign names,), uint32: whose they are
    # Shape (places,), uint8: bit n is set where the n-th place above tells it
    telling: tables.Array

    def named(self, key: str) -> list[int]:
        """The places of a folded name, the likeliest first."""
        return self.several.get(key) or ([self.one[key]] if key in self.one else [])

    def called(self, key: str) -> list[int]:
        """The same, and last those that are called so elsewhere."""
        known, said = self.named(key), key.encode("utf-8", "surrogatepass")
        if len(said) > self.foreign.itemsize:  # to look for it would make the table as wide
            return known
        first, end = (np.searchsorted(self.foreign, said, side) for side in ("left", "right"))
        if first == end:
            return known
        found: list[int] = self.foreign_of[first:end].tolist()
        found.sort(key=lambda number: -int(self.populations[number]))
        return list(dict.fromkeys((*known, *found)))


class Places:
    """The places of the world as a taxonomy. Nothing is read before the first question."""

    name = NAME

    def __len__(self) -> int:
        return len(self._table.names)

    @cached_property
    def _table(self) -> _Table:
        table = tables.load(tables.FOLDER / TABLE, LAYOUT, "scripts/build_places.py")
        names = tables.unpack(table["names"])
        keys = tables.unpack(table["keys"])
        # Most names are of one place: lists are made for the others alone, in a tenth of the time.
        one = dict(zip(keys, range(len(keys)), strict=True))
        others = dict(
            zip(tables.unpack(table["other_keys"]), table["others"].tolist(), strict=True)
        )
        ends, shared = np.cumsum(table["shared_counts"]).tolist(), table["shared"].tolist()
        spans = zip(tables.unpack(table["shared_keys"]), [0, *ends[:-1]], ends, strict=True)
        several = {key: shared[start:end] for key, start, end in spans}
        one |= others
        for old, now in _RENAMED.items():
            if old in one:
                several[old] = [one[now], *several.get(old, [one[old]])]
            else:
                one[old] = others[old] = one[now]
        people = table["populations"]
        for land in np.flatnonzero(table["levels"] <= COUNTRY).tolist():
            # Colombia is not thought of as the town in Cuba
            same = several.get(key_of(names[land]), [land])
            if all(people[land] > people[n] for n in same if n != land):
                same.sort(key=lambda n: n != land)
        one |= {key: found[0] for key, found in several.items()}
        arrays = ("parents", "levels", "populations", "leaves", "foreign", "foreign_of", "telling")
        return _Table(names, one, several, others, *(table[name] for name in arrays))

    def senses(self, term: str) -> list[Sense]:
        """The places of that name, the likeliest first; "Paris, Texas" is the one in Texas.

        A name must begin with a capital letter: "nice" and "reading" are not places.

        >>> [default().describe(s) for s in default().senses("Paris")][:2]
        ['city in Île-de-France, France', 'city in Lamar County, Texas, United States']
        >>> [default().describe(s) for s in default().senses("Paris, Texas")]
        ['city in Lamar County, Texas, United States']
        """
        term = term.removeprefix("the ")
        if term != "place" and not term[:1].isupper() and not term[:1].isdigit():
            return []
        found = self._table.called(key_of(term))
        if not found and "," in term:
            name, _, within = term.partition(",")
            wanted = {key_of(part) for part in within.split(",")}
            named = self._table.named(key_of(name))
            found = [n for n in named if wanted <= self._names_around(n)]
        return [self._sense(n) for n in found]

    def _names_around(self, number: int) -> set[str]:
        """The names of what a place lies in, and what these are called for short."""
        above = self.above(number)[1:]
        short = {s for n in above for s in short_names(self._table.names[n])}
        return short.union(*map(self.names_of, above))

    def names_of(self, number: int) -> frozenset[str]:
        """All names of a place, folded.

        >>> sorted(default().names_of(default().senses("Munich")[0].key) & {"munich", "munchen", "bavaria"})
        ['munchen', 'munich']
        """
        order, whose = self._foreign_order
        first, end = np.searchsorted(whose, [number, number + 1])
        foreign = self._table.foreign[order[first:end]].tolist()
        return self.usual_names_of(number) | {name.decode() for name in foreign}

    def usual_names_of(self, number: int) -> frozenset[str]:
        """The names of a place, folded, without those that it has elsewhere."""
        own = key_of(self._table.names[number])
        return frozenset((own, *self._other_names.get(number, ())))

    def lands(self, words: str) -> frozenset[int]:
        """The places whose people some words speak of, one by one or several together.

        >>> [default().written(n) for n in default().lands("English-born person")]
        ['England']
        """
        runs = {
            " ".join(each[a:b])
            for each in (words.split(), words.replace("-", " ").split())
            for a in range(len(each))
            for b in range(a + 1, min(len(each), a + _MOST_OF_PEOPLE) + 1)
            if each[a][:1].isupper()
        }
        known = self._table.one
        found = {known[name] for run in runs for name in places_of(run) if name in known}
        return frozenset(found - {0})

    def named_in(self, words: Sequence[str], joined: bool = False) -> Iterator[tuple[str, int]]:
        """The places that words name, one by one or several together, each with its name; those are no secret
        that are called as a continent is: the Africa of "South Africa".

        >>> sorted({name for name, _ in default().named_in(["New", "South", "Wales"])})
        ['New South Wales', 'Wales']
        """
        for first in range(len(words)):
            for run in accumulate(words[first : first + _MOST_WORDS], "{} {}".format):
                for name in (run.title() if joined else run, *places_for_short(run)):
                    found = [sense.key for sense in self.senses(name)[:_MOST_PLACES]]
                    if all(map(self.is_within_country, found)):
                        yield from ((name, key) for key in found)

    @cached_property
    def _foreign_order(self) -> tuple[tables.Array, tables.Array]:
        order = np.argsort(self._table.foreign_of, kind="stable")
        return order, self._table.foreign_of[order]

    @cached_property
    def _other_names(self) -> dict[int, list[str]]:
        """The names of places beside their own and those that are foreign."""
        made: dict[int, list[str]] = defaultdict(list)
        for key, number in self._table.others.items():
            made[number].append(key)
        for key, numbers in self._table.several.items():
            for number in numbers:
                made[number].append(key)
        return made

    def _sense(self, number: int) -> Sense:
        return Sense(NAME, number, self._table.names[number], number != 0, self.population(number))

    def above(self, number: int) -> list[int]:
        """The place itself and what it lies in, up to the root."""
        chain = [number]
        while chain[-1]:
            chain.append(int(self._table.parents[chain[-1]]))
        return chain

    def climb(self, sense: Sense) -> list[Step]:
        chain = self.above(sense.key)
        total = int(self._table.leaves[0])
        steps = []
        for depth, number in zip(range(len(chain), 0, -1), chain, strict=True):
            volume = int(self._table.leaves[number])
            below = 0 if volume == 1 else volume
            bits = sanchez_batet(below, depth, total)
            if number == sense.key:
                steps.append(Step(sense.term, 1, bits))
            elif not self.tells(number, sense.key):
                steps.append(Step(self.written(number), volume, bits, f"{NAME}:{number}"))
        return merge(steps)

    def tells(self, around: int, number: int) -> bool:
        """Whether the name of what a place lies in tells the place: it holds a name of it, or its name holds
        that one ("Oklahoma City"); or it is a county most of whose people live in it."""
        above = self.above(number)
        return around in above and bool(self._table.telling[number] >> above.index(around) & 1)

    def told_by(self, around: int) -> tables.Array:
        """The places that the name of what they lie in tells."""
        return self._told.get(around, np.zeros(0, np.int64))

    @cached_property
    def _told(self) -> dict[int, tables.Array]:
        above, pairs = np.arange(len(self)), list[tables.Array]()
        for step in range(1, 8):
            above = self.parents[above]
            told = np.flatnonzero(self._table.telling >> step & 1)
            pairs.append(np.stack([above[told], told]))
        around, told = np.concatenate(pairs, axis=1).astype(np.int64)
        order = np.argsort(around, kind="stable")
        nodes, first = np.unique(around[order], return_index=True)
        return dict(zip(nodes.tolist(), np.split(told[order], first[1:]), strict=True))

    @property
    def parents(self) -> tables.Array:
        """What each place lies in: shape (places,), uint32. The root lies in itself."""
        return self._table.parents

    @cached_property
    def likeliest(self) -> tables.Array:
        """Which places some name means first of all: shape (places,), bool."""
        made = np.zeros(len(self), dtype=bool)
        made[list(self._table.one.values())] = True
        return made

    def volume(self, sense: Sense) -> int:
        return int(self._table.leaves[sense.key])

    def children(self, sense: Sense) -> list[Sense]:
        return [self._sense(n) for n in self._below.get(sense.key, ())]

    def describe(self, sense: Sense) -> str:
        level = int(self._table.levels[sense.key])
        above = self.above(sense.key)[1:-1]
        if level > COUNTRY:  # then the continent goes without saying
            above = [n for n in above if self._table.levels[n] >= COUNTRY]
        around = ", ".join(self._table.names[n] for n in above)
        return f"{_LEVELS[level]} in {around}" if around else _LEVELS[level]

    def written(self, number: int) -> str:
        """The name of a place as it stands in a sentence."""
        return self._table.names[number]

    def population(self, number: int) -> int:
        """How many people live there; 0 where nobody has counted."""
        return int(self._table.populations[number])

    def names(self, min_population: int = 0) -> dict[str, int]:
        """Folded names → the likeliest place of that name: those of that size, and every country and what
        is above it."""
        table = self._table
        wanted = ((table.populations >= min_population) | (table.levels <= COUNTRY)).tolist()
        wanted[0] = False
        several = table.several
        return {
            key: place
            for key, place in table.one.items()
            if wanted[place] or (key in several and any(wanted[n] for n in several[key]))
        }

    def is_country(self, number: int) -> bool:
        """Whether a place is a country."""
        return bool(self._table.levels[number] == COUNTRY)

    def is_within_country(self, number: int) -> bool:
        """Whether a place is a country or lies in one."""
        return bool(self._table.levels[number] >= COUNTRY)

    def is_town(self, number: int) -> bool:
        """Whether a place has no others in it."""
        return bool(self._table.levels[number] == CITY)

    @cached_property
    def _below(self) -> dict[int, list[int]]:
        below: dict[int, list[int]] = defaultdict(list)
        for child, parent in enumerate(self._table.parents.tolist()):
            if child:
                below[parent].append(child)
        return below


def is_land(name: str) -> bool:
    """Whether a name is that of a country, one that was, or what holds several.

    >>> [is_land(name) for name in ("France", "the Soviet Union", "Burma", "Wales", "Europe", "Texas")]
    [True, True, True, True, True, False]
    """
    key = key_of(name).removeprefix("the ")
    if key in _LANDS:
        return True
    table = default()
    found = table.senses(name) or [s for land in lands_called(name) for s in table.senses(land)]
    return any(table.is_country(s.key) or not table.is_within_country(s.key) for s in found[:1])


def is_large_name(word: str) -> bool:
    """Whether a word is written as the name of a large place, and is none of a people or of anything else.

    >>> [is_large_name(word) for word in ("Wales", "Bolivia", "wales", "Cancer", "Arab", "WALES")]
    [True, True, False, False, False, False]
    """
    if not word.istitle() or is_ordinary(word.lower()) or is_people(word):
        return False
    return any(default().population(s.key) >= _LARGE for s in default().senses(word)[:1])


def is_named_at(text: str, start: int, end: int) -> bool:
    """Whether a word stands in a text as the name of a large place, or in that of a place.

    >>> text = "From Wales to King County, Miami-Dade County and Cancer Research."
    >>> words = ("Wales", "King", "County", "Miami", "Dade", "Cancer", "Research")
    >>> [w for w in words if is_named_at(text, text.index(w), text.index(w) + len(w))]
    ['Wales', 'King', 'County', 'Miami', 'Dade']
    """
    if is_large_name(text[start:end]):
        return True
    if not text[start:end].istitle():
        return False
    before, after = _BEFORE.search(text[max(0, start - _NEAR) : start]), _AFTER.match(text, end)
    names = re.findall(r"(?<![^\W_])[^\W_]+[ -]", before[0]) if before else []
    firsts = [start - len("".join(names[at:])) for at in range(len(names))]
    lasts = [end + m.end() for m in re.finditer(r"[^\W_]+", after[0])] if after else []
    spans = ((a, b) for a in (*firsts, start) for b in (end, *lasts) if b - a > end - start)
    return any(default().senses(text[a:b]) for a, b in spans)


def is_region(name: str, least: int) -> bool:
    """Whether a name is that of a part of a country with at least so many places, and of no town that one may
    think of.

    >>> [is_region(name, 10) for name in ("Ontario", "Cheshire", "the Punjab", "Washington", "Leeds")]
    [True, True, True, False, False]
    """
    table = default()
    found = table.senses(name) if "." not in name else []  # "D.C." is a part of Colombia, too
    large = [s for s in found if table.volume(s) >= least]
    most = max((table.population(s.key) for s in large), default=0)
    towns = (table.population(s.key) for s in found if s not in large)
    return found[:1] == large[:1] != [] and all(_SELDOM * n <= most for n in towns)


def is_people(words: str) -> bool:
    """Whether words tell a country's people or what is spoken there, or a language of many lands, and are
    nobody's name.

    >>> [is_people(said) for said in ("German", "Urdu", "Welsh speaker", "Finn", "Mancunian")]
    [True, True, True, False, False]
    """
    first, *rest = re.split(r"[\s-]+", words)
    low = first.lower()
    if not first[:1].isupper() or not all(word.lower() in _OF_PEOPLES for word in rest):
        return False
    is_other = is_given(low) or gender(low) or (is_ordinary(low) and low not in ALWAYS_CAPITAL)
    return first in LANGUAGES or (
        not is_other and any(is_land(name.title()) for name in places_of(first))
    )


def key_of(name: str) -> str:
    """The form under which a place is looked up: case, accents, hyphens and a last dot do not count."""
    return fold(name).text.strip().rstrip(".")


@taxonomy(NAME, knowledge=fingerprints.places)
def default() -> Places:
    """The embedded places."""
    return Places()
