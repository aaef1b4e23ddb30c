"""Places: city → county → region → country → part of a continent → continent → place, by every name.

The volume of a rung is the number of places below it that have none below themselves. Population is not a
volume: with the number of names that languages have for a place, it says how likely a sense is, and orders
senses of equal name. The table is made by `scripts/build_places.py` from GeoNames and ISO 3166.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sfumato.english.folding import fold
from sfumato.know import fingerprints, tables
from sfumato.know.taxonomy.ladder import Sense, Step, merge, sanchez_batet
from sfumato.plugins import taxonomy

NAME = "places"
TABLE = "places.npz"
LAYOUT = "places-2"
ROOT, CONTINENT, PART, COUNTRY, REGION, COUNTY, CITY = range(7)
_LEVELS = ("place", "continent", "part", "country", "region", "county", "city")


@dataclass(frozen=True)
class _Table:
    names: list[str]
    parents: tables.Array  # shape (places,), uint32; the root is its own parent
    levels: tables.Array  # shape (places,), uint8
    populations: tables.Array  # shape (places,), uint32
    leaves: tables.Array  # shape (places,), uint32: leaves below, 1 for a leaf
    one: dict[str, int]  # folded name → a place
    several: dict[str, list[int]]  # folded name → places, where there are more; the likeliest first

    def named(self, key: str) -> list[int]:
        """The places of a folded name, the likeliest first."""
        found = self.several.get(key)
        if found is None:
            return [self.one[key]] if key in self.one else []
        return found


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
        one.update(zip(tables.unpack(table["other_keys"]), table["others"].tolist(), strict=True))
        ends, shared = np.cumsum(table["shared_counts"]).tolist(), table["shared"].tolist()
        spans = zip(tables.unpack(table["shared_keys"]), [0, *ends[:-1]], ends, strict=True)
        several = {key: shared[start:end] for key, start, end in spans}
        one |= {key: found[0] for key, found in several.items()}
        levels, populations, leaves = table["levels"], table["populations"], table["leaves"]
        return _Table(names, table["parents"], levels, populations, leaves, one, several)

    def senses(self, term: str) -> list[Sense]:
        """The places of that name, the likeliest first; "Paris, Texas" is the one in Texas.

        A name must begin with a capital letter: "nice" and "reading" are not places.

        >>> [default().describe(s) for s in default().senses("Paris")][:2]
        ['city in Île-de-France, France', 'city in Lamar County, Texas, United States']
        >>> [default().describe(s) for s in default().senses("Paris, Texas")]
        ['city in Lamar County, Texas, United States']
        """
        if term != "place" and not term[:1].isupper() and not term[:1].isdigit():
            return []
        found = self._table.named(key_of(term))
        if not found and "," in term:
            name, _, within = term.partition(",")
            wanted = {key_of(part) for part in within.split(",")}
            found = [
                n
                for n in self._table.named(key_of(name))
                if wanted <= {k for a in self.above(n)[1:] for k in self._keys_of(a)}
            ]
        return [self._sense(n) for n in found]

    def _keys_of(self, number: int) -> set[str]:
        """The names under which a place is known that stands around another."""
        return {key_of(self._table.names[number]), *self._other_keys.get(number, ())}

    @cached_property
    def _other_keys(self) -> dict[int, set[str]]:
        made: dict[int, set[str]] = defaultdict(set)
        for key in self._table.one:
            for number in self._table.named(key):
                if self._table.levels[number] < CITY:
                    made[number].add(key)
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
        """Whether the name of what a place lies in tells the place: a region or county named after it, or a
        county most of whose people live in it."""
        names = self._table.names
        if f" {key_of(names[number])} " in f" {key_of(names[around])} ":
            return True
        # Neighbourhoods that have an entry of their own are counted beside their city.
        most = 3 * self.population(number) > self.population(around)
        return most and bool(self._table.levels[around] == COUNTY)

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

    def probability(self, sense: Sense) -> float:
        """How likely a mention of the name means this place: its share of the people of that name.

        >>> paris = default().senses("Paris")
        >>> round(default().probability(paris[0]), 2)
        0.97
        """
        found = self._table.named(key_of(sense.term))
        everyone = math.fsum(self.population(n) + 1 for n in found)
        return (self.population(sense.key) + 1) / everyone

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

    def is_county(self, number: int) -> bool:
        """Whether a place is a county."""
        return bool(self._table.levels[number] == COUNTY)

    @cached_property
    def _below(self) -> dict[int, list[int]]:
        below: dict[int, list[int]] = defaultdict(list)
        for child, parent in enumerate(self._table.parents.tolist()):
            if child:
                below[parent].append(child)
        return below


def key_of(name: str) -> str:
    """The form under which a place is looked up: case, accents and hyphens do not count."""
    return fold(name).text.strip()


@taxonomy(NAME, knowledge=fingerprints.places)
def default() -> Places:
    """The embedded places."""
    return Places()
