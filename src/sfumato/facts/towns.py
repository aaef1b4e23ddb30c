"""Places that nobody found and that tell what is hidden: Cardiff beside a hidden Wales, Oslo beside its
university, Norway beside Oslo."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from sfumato.document import Edit, Spans, Term
from sfumato.english.wordlists import GIVEN_LIKE_COUNTRIES
from sfumato.facts.implication import named_within
from sfumato.facts.mentions import SPREAD
from sfumato.know.taxonomy import places

_AT = re.compile(
    r"\b(?:in|to|from|near|around|outside|via|through|towards?|at|of|visit(?:ed|ing)?|left|reached)\s"
    r"(?:central |downtown |the )?(?=[A-Z\u00c0-\u00de])"
)
_NAME = re.compile(r"[A-Z\u00c0-\u00de][\w'’-]*(?: [A-Z\u00c0-\u00de][\w'’-]*){0,2}")
_LEAST = 20_000  # people of a town that a reader knows to lie in a country
_WHY = "it lies in a hidden place, or is named by a hidden term"


def towns_told(text: str, edits: Sequence[Edit]) -> list[Term]:
    """Towns behind a preposition that no edit covers and that lie in a hidden place, or that a hidden
    organisation is called by.

    >>> text = "She is from Wales. Prices in Cardiff went up, and in Leeds."
    >>> [t.of(text) for t in towns_told(text, [Edit(12, 17, "LOC", "[COUNTRY 1]", "", "label")])]
    ['Cardiff']
    """
    lands, named = set[int](), set[int]()
    for said, kind in {(text[e.start : e.end], e.kind) for e in edits if e.hides}:
        if kind == "DEM":
            lands |= places.default().lands(" ".join(said.split()))
        elif kind == "LOC":
            lands |= _land(" ".join(said.split()))
        elif kind == "ORG":
            told = named_within(" ".join(said.split()), kind, "")
            named |= {int(concept.partition(":")[2]) for _, concept in told}
    if not lands and not named:
        return []
    taken = Spans((e.start, e.end) for e in edits)
    return [
        Term(start, end, "LOC", 1.0, SPREAD, _WHY)
        for start, end in _towns(text, frozenset(lands), frozenset(named))
        if not taken.touch(start, end)
    ]


def countries_around(text: str, edits: Sequence[Edit]) -> list[Term]:
    """Countries that no edit covers and that a hidden place lies in.

    >>> text = "She left Oslo in May. Norway was cold, and so was the Norway Shop."
    >>> [t.start for t in countries_around(text, [Edit(9, 13, "LOC", "[PLACE 1]", "", "label")])]
    [22]
    """
    hidden = {" ".join(text[e.start : e.end].split()) for e in edits if e.hides and e.kind == "LOC"}
    around = {country for name in hidden for country in _countries_of(name)}
    taken = Spans((e.start, e.end) for e in edits)
    return [
        Term(found.start(), found.end(), "LOC", 1.0, SPREAD, "a hidden place lies in it")
        for country in sorted(around)
        for found in _written(country).finditer(text)
        if not taken.touch(found.start(), found.end())
    ]


@lru_cache(maxsize=1 << 8)
def _written(country: int) -> re.Pattern[str]:
    """Where a country stands by itself, in no longer name."""
    name = re.escape(places.default().written(country))
    return re.compile(rf"(?<![\w'’-]){name}(?![\w-]| [A-Z])")


@lru_cache(maxsize=1 << 12)
def _countries_of(name: str) -> frozenset[int]:
    """The countries in which the larger places of a name lie, but for such as people are called like."""
    table = places.default()
    large = [s.key for s in table.senses(name) if table.population(s.key) >= _LEAST]
    above = {node for place in large for node in table.above(place)[1:]}
    countries = filter(table.is_country, above)
    return frozenset(c for c in countries if table.written(c).lower() not in GIVEN_LIKE_COUNTRIES)


def _towns(text: str, lands: frozenset[int], named: frozenset[int]) -> Iterator[tuple[int, int]]:
    for at in _AT.finditer(text):
        found = _NAME.match(text, at.end())
        words = found[0].split(" ") if found else []
        for many in range(len(words), 0, -1):
            name = " ".join(words[:many]).removesuffix("'s").removesuffix("’s")
            if town := _town(name):
                if town in named or not lands.isdisjoint(places.default().above(town)[1:]):
                    yield at.end(), at.end() + len(name)
                break


@lru_cache(maxsize=1 << 12)
def _town(name: str) -> int:
    """The town that a name means before all others; 0 for none."""
    table = places.default()
    senses = table.senses(name)
    is_town = bool(senses) and not table.is_country(senses[0].key)
    return senses[0].key if is_town and table.population(senses[0].key) >= _LEAST else 0


@lru_cache(maxsize=1 << 12)
def _land(name: str) -> frozenset[int]:
    """The country or region that a hidden name is."""
    table = places.default()
    return frozenset(s.key for s in table.senses(name)[:1] if table.children(s))
