"""The trees on which values are softened: what may stand in a text, and what may be said in its place.

Words and places are nodes of one fixed tree each: the first parent of a concept is its parent. A word is
taken in the same sense wherever it stands (`WordTree.meant`), a place is the likeliest of its name. Spans of
the calendar and bands of numbers follow from rules. Whoever softens and whoever counts again start from here.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from itertools import chain
from typing import Literal, get_args

import numpy as np

from sfumato.english.dates import MONTHS
from sfumato.english.demonyms import demonyms
from sfumato.english.inflection import NUMBERED, pluralise, possible_singulars, several_asked
from sfumato.english.ties import OF_NO_WAY
from sfumato.english.units import begins_sentence
from sfumato.english.wordlists import words as words_of
from sfumato.know import tables
from sfumato.know.taxonomy import places, sensitive, wordnet
from sfumato.know.taxonomy.chain import shorter
from sfumato.know.taxonomy.ladder import Sense

# Words

TABLE = "softening.npz"
LAYOUT = "softening-3"
WordSort = Literal["noun", "sensitive", "other", "nouns", "sensitives", "others"]
WORD_SORTS: tuple[WordSort, ...] = get_args(WordSort)
# What goes with a noun, whichever it is: "type 2 diabetes", "HIV-1".
OF_KIND = re.compile(r"(?i:\b(?:type|stage|grade|phase|class))[ -](?:\d{1,2}|[IVX]{1,4}|[A-D])\s")
NUMBER = re.compile(r"-\d{1,2}\b(?!-|[.,]\d)")
_UNITS = words_of("hour night weekend fortnight month quarter year decade century morning evening")
_WORD = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*")
_NEAR = 24  # characters around a noun that may ask for its number
_UPPER_FLOORS = 3  # of WordNet, that nobody says: entity, physical entity, object …
# Below them, what says nothing of a thing either, or what nobody would say.
_UNSAID = (
    *words_of("whole instrumentality part quantum interval property character cognition organism"),
    "group action", "basic cognitive process", "definite quantity", "indefinite quantity",
    "social group", "natural object", "expressive style", "causal agent", "psychological feature",
)  # fmt: skip
_DAY = "calendar day"
# Better parents than WordNet's first ones: the pain that is felt is the pain that is told to a doctor, and
# arson is more than a change.
_PARENTS = {"pain#3": "pain", "arson": "crime"}


@dataclass(frozen=True, eq=False)
class WordTree:
    """WordNet's nouns with their first parents. What some word is `taken` for is softened; `values` are those
    of which a word is found wherever a noun may stand, and of the sorts in the plural, a plural."""

    parents: tables.Array  # shape (synsets,), int64; the root is its own parent
    sayable: tables.Array  # shape (synsets,), bool: may be said in the place of what lies below
    taken: tables.Array  # shape (synsets,), bool
    values: Mapping[WordSort, tables.Array]  # shape (synsets,), bool

    def meant(self, phrase: str) -> int | None:
        """The sense of a phrase, or of what is left of it without modifiers, whatever stands around it.

        >>> tree = words()
        >>> [wordnet.default().word(tree.meant(p)) for p in ("severe chest infections", "marijuana")]
        ['infection', 'cannabis']
        """
        found = self._read(phrase)
        return found[1].key if found else None

    def _read(self, phrase: str) -> tuple[str, Sense] | None:
        """What is left of a phrase, and its sense."""
        whole = (phrase, NUMBER.sub("", OF_KIND.sub("", phrase)))
        for form in (*whole, *shorter(phrase)):
            sense = _sense(form)
            if sense is not None and (form in whole or not sense.named):  # no part of a name
                return form, sense
        return None

    def meant_at(self, text: str, start: int, end: int) -> int | None:
        """The same for a span of a text. A capital letter means nothing at the start of a sentence, nor where
        the word is a common one and no place: "the Court" is no tennis player."""
        return self.meant(_said_at(text, start, end))

    def is_several_at(self, text: str, start: int, end: int) -> bool:
        """Whether a noun stands in the plural: its place asks for one, or for none in particular, and it is
        another form than that of a single thing. "Gymnastics" is one.

        >>> text = "He saw gymnastics, two sheep and horses."
        >>> [words().is_several_at(text, *at) for at in ((7, 17), (23, 28), (33, 39))]
        [False, True, True]
        """
        asked = several_asked(text[max(0, start - _NEAR) : start], text[end : end + _NEAR])
        if asked is not None:
            return asked
        found = self._read(_said_at(text, start, end))
        return found is not None and wordnet.key_of(found[0]) != wordnet.key_of(found[1].term)


def _said_at(text: str, start: int, end: int) -> str:
    said = " ".join(text[start:end].replace("’", "'").split())
    small = said[:1].lower() + said[1:]
    if not small.islower() or _sense(small) is None:
        return said
    is_name = not begins_sentence(text, start) and places.default().senses(said)
    return said if is_name else small


@lru_cache(maxsize=1 << 16)
def _sense(form: str) -> Sense | None:
    return wordnet.default().meant(form, sensitive.mask())


@cache
def _table() -> Mapping[str, tables.Array]:
    return tables.load(tables.FOLDER / TABLE, LAYOUT, "scripts/build_softening.py")


@cache
def manners() -> bytes:
    """What each lemma may be beside a noun, as `nouns` has it."""
    return bytes(_table()["manners"])


@cache
def words() -> WordTree:
    """The words that come along."""
    net, families = wordnet.default(), sensitive.mask()
    taken, own, one, several = (
        np.unpackbits(_table()[name], count=len(net)).astype(bool)
        for name in ("taken", "own", "one", "several")
    )
    parents = net.first_parents
    for below, above in _PARENTS.items():
        parents[sensitive.concept(below)] = sensitive.concept(above)
    own[[s.key for word in _UNSAID for s in net.senses(word)]] = False
    # "Type 2 diabetes", "the next month": these tell of the next noun, or how long something was.
    telling = [s.key for word in (*NUMBERED, *_UNITS) for s in net.senses(word)]
    one[telling] = several[telling] = False
    # Beside two places one of these may stand where another noun may not.
    kin = [s.key for word in OF_NO_WAY for s in net.senses(word)]
    one[kin] = several[kin] = False
    # "Lives" may be a form of "live".
    ends = [w for w in net.lemmas() if w.endswith(("f", "fe")) and pluralise(w).endswith("ves")]
    several[[s.key for word in ends for s in net.senses(word)]] = False
    # A date tells the weekday, and the feast.
    days = _below(parents, net.senses(_DAY)[0].key)
    one[days] = several[days] = taken[days] = False
    masks = (m & f for m in (one, several) for f in (True, families, ~families))
    values = dict(zip(WORD_SORTS, masks, strict=True))
    return WordTree(parents, own & (depths(parents) >= _UPPER_FLOORS), taken, values)


def _below(parents: tables.Array, node: int) -> tables.Array:
    """Whether each lies below a node, or is it: shape (synsets,), bool."""
    step = np.arange(len(parents))
    found: tables.Array = step == node
    while (parents[step] != step).any():
        step = parents[step]
        found |= step == node
    return found


def certainly_found(words_: int) -> int:
    """How many of some words the program finds at least, wherever they stand: all but one, and but one in
    sixteen, as a detector may take a rare word for a name.

    >>> [certainly_found(n) for n in (2, 11, 34, 300)]
    [1, 10, 31, 281]
    """
    return max(0, words_ - 1 - words_ // 16)


def words_for(found: int) -> int:
    """The fewest words of which so many are certainly found.

    >>> [words_for(n) for n in (1, 10, 31, 281)]
    [2, 11, 34, 300]
    """
    return found + 1 + found // 15


def depths(parents: tables.Array) -> tables.Array:
    """How far each node of a tree is from its root, which is its own parent."""
    depth = np.zeros(len(parents), dtype=np.int64)
    above, step = parents, np.arange(len(parents))
    while (above != step).any():  # each goes up until it is its own parent
        depth += above != step
        step, above = above, parents[above]
    return depth


# Places


@dataclass(frozen=True, eq=False)
class PlaceTree:
    """The places of the table. A place counts that its own name means, where it stands alone; that of a
    `wavering` one may mean or tell another one beside some others."""

    parents: tables.Array  # shape (places,), int64; the root is its own parent
    sayable: tables.Array  # shape (places,), bool
    values: tables.Array  # shape (places,), bool
    wavering: tables.Array  # shape (places,), bool
    told: tables.Array  # shape (places,), int64: how many places below each its own name tells


@cache
def place_tree() -> PlaceTree:
    """The places that come along."""
    table = places.default()
    numbers = np.arange(len(table))
    told = np.array([len(table.told_by(n)) for n in range(len(table))])
    values, wavering = (
        np.unpackbits(_table()[name], count=len(table)).astype(bool)
        for name in ("places", "wavering")
    )
    return PlaceTree(table.parents.astype(np.int64), numbers > 0, values, wavering, told)


@lru_cache(maxsize=1 << 14)
def beside(place: int) -> tuple[frozenset[int], frozenset[int]]:
    """Beside which places the name of a place means another one, or is none of its own; and which others its
    name tells: Utah of "Utah County".

    >>> [places.default().written(n) for n in beside(places.default().senses("American Fork")[0].key)[1]]
    ['United States']
    """
    table, own = places.default(), places.default().above(place)
    namesakes = (sense.key for sense in table.senses(table.written(place)))
    others = {n for namesake in namesakes for n in table.above(namesake)}
    name = table.written(place)
    told = frozenset(key for _, key in table.named_in(_WORD.findall(name)))
    return frozenset(others.difference(own)), (told | table.lands(name)) - {place}


# The calendar

DateLevel = Literal["day", "month", "year"]
Span = Literal["month", "year", "decade", "century"]
YEARS = range(1000, 3000)  # the years of which dates are softened
# For each level at which a text tells a date, the spans that may be said instead and the fewest values that
# one of them has: a level is taken if all its spans have enough, so that February does not betray itself.
SPANS: Mapping[DateLevel, Mapping[Span, int]] = {
    "day": {"month": 28, "year": 365, "decade": 3652, "century": 36524},
    "month": {"year": 12, "decade": 120, "century": 1200},
    "year": {"decade": 10, "century": 100},
}
DAYS_OF_YEAR = 28  # the days that every month has, whatever the year: 4 May is said as May
# A key is year * 10000 + month * 100; a decade or century is its first year * 10000 with a digit below.
_DECADE, _CENTURY = 99, 98


def span_key(first_day: int, span: Span) -> int:
    """The key of the span around a day (`date.toordinal`).

    >>> [span_written(span_key(date(1985, 2, 4).toordinal(), s)) for s in ("month", "decade", "century")]
    ['February 1985', '1980s', '20th century']
    """
    day = date.fromordinal(first_day)
    match span:
        case "month":
            return day.year * 10000 + day.month * 100
        case "year":
            return day.year * 10000
        case "decade":
            return day.year // 10 * 100000 + _DECADE
        case "century":
            return day.year // 100 * 1000000 + _CENTURY


def span_ends(key: int) -> tuple[int, int]:
    """The first and the last day of a span (`date.toordinal`)."""
    year, month, rest = key // 10000, key // 100 % 100, key % 100
    last = year + {_DECADE: 9, _CENTURY: 99}.get(rest, 0)
    ends = date(year, month or 1, 1), date(last, month or 12, monthrange(last, month or 12)[1])
    return ends[0].toordinal(), ends[1].toordinal()


def values_in(key: int, level: DateLevel) -> int:
    """How many days, months or years a span has. A hundred years whose numbers begin alike are a century, as
    most people use the word.

    >>> values_in(19840200, "day"), values_in(19800099, "month"), values_in(19000098, "year")
    (29, 120, 100)
    """
    first, last = span_ends(key)
    if level == "day":
        return last - first + 1
    years = date.fromordinal(last).year - date.fromordinal(first).year + 1
    return years if level == "year" else years * 12


def span_written(key: int) -> str:
    """A span in words; a month of any year has a key below 10000."""
    year, month, rest = key // 10000, key // 100 % 100, key % 100
    if rest == _DECADE:
        return f"{year}s"
    if rest == _CENTURY:
        number = year // 100 + 1
        ending = "th" if number // 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        return f"{number}{ending} century"
    named = MONTHS[month - 1] if month else ""
    return " ".join(part for part in (named, str(year or "")) if part)


# Numbers


def band_widths() -> Iterator[int]:
    """The widths of the nested bands of amounts: 5, 10, 50, 100 … of the last digit, for numbers of every
    magnitude alike."""
    width = 5
    while True:
        yield width
        yield width * 2
        width *= 10


# What words may be read as


@cache
def read_in(said: str) -> tuple[frozenset[int], frozenset[int]]:
    """The synsets and the places of which a name may be read in some words: in all of them, one or several,
    or in a part of them. Whoever hides such a value does not say these words.

    >>> synsets, _ = read_in("bowed instrument")
    >>> sorted(wordnet.default().word(n) for n in synsets)
    ['instrument']
    """
    each, table = said.split(), places.default()
    runs = {" ".join(each[a:b]) for a in range(len(each)) for b in range(a + 1, len(each) + 1)}
    whole = {said, pluralise(said), *possible_singulars(said)}
    forms = {form for run in runs | whole for form in (run, run[:1].swapcase() + run[1:])}
    found = {sense.key for form in forms for sense in table.senses(form)}
    names = {form.capitalize() for form in whole} if said.islower() else {said}
    lands = {*table.lands(said), *(sense.key for name in names for sense in table.senses(name))}
    around = {place for land in lands for place in table.above(land) if place}
    synsets = {sense.key for form in forms if (sense := _sense(form)) is not None}
    return frozenset(synsets).union(*map(_called_after, around)), frozenset(found | around)


@cache
def _called_after(place: int) -> frozenset[int]:
    """The synsets of what a place and its people are called."""
    names = places.default().usual_names_of(place)
    words = (w[:1].upper() + w[1:] for name in names for w in (name, *demonyms(name)))
    senses = map(_sense, chain(words, map(str.upper, names)))
    return frozenset(sense.key for sense in senses if sense is not None)
