"""Places: city → region → country → continent → place, with every place of that name by population.

The volume of a rung is the number of places below it that have none below themselves. Population is not a
volume: it says how likely a sense is, and orders senses of equal name. The table is made by
`scripts/build_places.py` from GeoNames and ISO 3166.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from sfumato.english.folding import fold
from sfumato.know import fingerprints, tables
from sfumato.know.taxonomy.ladder import Sense, Step, merge, sanchez_batet
from sfumato.plugins import taxonomy

NAME = "places"
TABLE = "places.npz"
LAYOUT = "places-1"
ROOT, CONTINENT, COUNTRY, REGION, CITY = range(5)
_LEVELS = ("place", "continent", "country", "region", "city")


@dataclass(frozen=True)
class _Table:
    names: list[str]
    parents: tables.Array  # shape (places,), uint32; the root is its own parent
    levels: tables.Array  # shape (places,), uint8
    populations: tables.Array  # shape (places,), uint32
    leaves: tables.Array  # shape (places,), uint32: leaves below, 1 for a leaf
    one: dict[str, int]  # folded name → a place
    several: dict[str, list[int]]  # folded name → places, where several; the most populous first

    def named(self, key: str) -> list[int]:
        """The places of a folded name, the most populous first."""
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
        parents, people = table["parents"].tolist(), table["populations"].tolist()
        # Most names are of one place: lists are made for the others alone, in a tenth of the time.
        one = dict(zip(keys, range(len(keys)), strict=True))
        several: dict[str, list[int]] = {}
        for number, key in enumerate(keys):
            if one[key] != number:
                several.setdefault(key, []).append(number)
        for key, found in several.items():
            found.append(one[key])
            for number in found:
                above = parents[number]
                if number and keys[above] == key:
                    people[above] = people[number] - 1  # "New York" is the city before the state
        for line in tables.unpack(table["aliases"]):
            key, _, text = line.partition("\t")
            number = int(text)
            first = one.setdefault(key, number)
            if first != number and number not in several.setdefault(key, [first]):
                several[key].append(number)
        for found in several.values():
            found.sort(key=lambda n: (-people[n], n))
        levels, populations, leaves = table["levels"], table["populations"], table["leaves"]
        return _Table(names, table["parents"], levels, populations, leaves, one, several)

    def senses(self, term: str) -> list[Sense]:
        """The places of that name, the most populous first; "Paris, Texas" is the one in Texas.

        A name must begin with a capital letter: "nice" and "reading" are not places.

        >>> [default().describe(s) for s in default().senses("Paris")][:2]
        ['city in Île-de-France, France', 'city in Texas, United States']
        >>> [default().describe(s) for s in default().senses("Paris, Texas")]
        ['city in Texas, United States']
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
                if self._table.levels[number] <= REGION:
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
            # A region named after its city would leave the word as it stands.
            elif key_of(self._table.names[number]) != key_of(sense.term):
                steps.append(Step(self.written(number), volume, bits, f"{NAME}:{number}"))
        return merge(steps)

    def volume(self, sense: Sense) -> int:
        return int(self._table.leaves[sense.key])

    def children(self, sense: Sense) -> list[Sense]:
        return [self._sense(n) for n in self._below.get(sense.key, ())]

    def describe(self, sense: Sense) -> str:
        around = [self._table.names[n] for n in self.above(sense.key)[1:-1]]
        level = _LEVELS[int(self._table.levels[sense.key])]
        if level == "city":
            around = around[:-1]  # the continent goes without saying
        return f"{level} in {', '.join(around)}" if around else level

    def written(self, number: int) -> str:
        """The name of a place as it stands in a sentence: some regions are listed as "wallonne, Région"."""
        name = self._table.names[number].strip()
        first, comma, last = name.partition(", ")
        swapped = comma and self._table.levels[number] == REGION
        return f"{last} {first}" if swapped else name

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
        """Folded names → the largest place of that name: cities of that size, and every region, country
        and continent."""
        table = self._table
        wanted = ((table.populations >= min_population) | (table.levels < CITY)).tolist()
        wanted[0] = False
        found = ((key, table.named(key)) for key in table.one)
        return {key: places[0] for key, places in found if any(wanted[n] for n in places)}

    def is_country(self, number: int) -> bool:
        """Whether a place is a country."""
        return bool(self._table.levels[number] == COUNTRY)

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
