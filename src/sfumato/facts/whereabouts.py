"""Which places the names of a text may well mean, and where a word for what lies around one would be true.

A name of several places means the one that lies in another place of the text, or in the country that its
places, its peoples and its institutions tell; else it may mean any of them, but for those that are small and
little known beside another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from sfumato.document import Term
from sfumato.english.demonyms import lands_called
from sfumato.english.folding import fold
from sfumato.english.nicknames import gender, is_given
from sfumato.english.ordinary import is_ordinary
from sfumato.english.short_names import places_for_short
from sfumato.english.states import STATES
from sfumato.facts.fact import Fact
from sfumato.facts.mentions import parts_of_place
from sfumato.facts.values import Place
from sfumato.know.taxonomy import places
from sfumato.know.taxonomy.places import is_land, is_region

# Beside a place with so many times the people and the names in other languages, another is not thought of;
# where the text tells its country it is, unless the first has half as many.
_PEOPLE, _NAMES = 20, 4
# A smaller place that no other language has a name for may have namesakes that are smaller still: nobody
# knows of it by its name alone. Chosen, not measured.
_KNOWN_ABROAD = 250_000  # people
_WELL_KNOWN = 50_000
_MOST_PLACES = 40  # of one name
_SHORT = 5  # letters of a short form; chosen, not measured

_BRITISH = ("United Kingdom",)
_MARKS = {
    r"\b(?:NHS|GMC|NMC|HMP|HMRC|DVLA|CQC|CAMHS|Ofsted|GCSEs?|PCSO|EHCP|IAPT|A[- ]levels?"
    r"|[Cc]rown [Cc]ourt|[Mm]agistrates['’]? [Cc]ourt|[Cc]ouncil [Tt]ax|National Insurance|Constabulary"
    r"|Employment Tribunal|Universal Credit|[A-Z]{1,2}\d[\dA-Z]? \d[A-Z]{2})\b|\+44": _BRITISH,
    r"\b(?:A&E|Garda[ií]?|HSE)\b": (*_BRITISH, "Ireland"),
    r"\b(?:GPs?|[Mm]um(?:my)?)\b": (*_BRITISH, "Ireland", "Australia", "New Zealand", "South Africa"),
    r"\b[A-Z]{2} \d{5}\b|\b(?:IRS|FBI|SSN|ZIP|Medicaid|U\.S\.C\.|F\.[23]d|HIPAA|911)\b": ("United States",),
    r"\b[Mm]om(?:my)?\b": ("United States", "Canada"),
    r"\b(?:Fair Work|Centrelink|Medibank|NDIS|Pty\.? Ltd|TAFE)\b|\(Cth\)|\+61": ("Australia",),
    r"\b(?:RCMP|WorkSafeBC|OHIP|CEGEP|Service Canada|Canada Revenue Agency)\b": ("Canada",),
    r"\b(?:Aadhaar|NEFT|IFSC|FIR No)\b|\+91": ("India",),
}  # fmt: skip
_LANDS = [(re.compile(mark), lands) for mark, lands in _MARKS.items()]

# Where something is in a place it is in what lies around it, and who goes there from nowhere else goes there,
# too; it is not where it is near it, or is called after it.
_AT_WORD = re.compile(r"(?i)(?<![\w-])(?:in|within|inside|from|across|throughout)\s+\Z")
_TO = re.compile(
    r"(?i)\b(?:mov\w+|went|go|goes|gone|going|c[oa]me|comes|drove|drive|travel\w*|flew|fly|return\w*|back|trip"
    r"|gets?(?: in)?|relocat\w+|emigrat\w+|transferr?\w*|admitted|sent|home|train|bus|flight) (?:in)?to\s+\Z"
)
_FROM = re.compile(r"(?i)\bfrom\b")
_OF_A_WORK = re.compile(
    r"(?i)\b(?:melod(?:y|ies)|songs?|tunes?|arias?|scenes?|numbers?|lyrics?|quotes?|lines?|music|soundtrack|chorus"
    r"|characters?|cast|sings?|sang|sung) (?:\w+ )?(?:from|in)\s+\Z"
)
_DISTANCE = re.compile(
    r"(?i)\b(?:miles?|km|kilomet\w+|minutes?|hours?|far|away|\w+ed)(?: by \w+| on foot| or so)? from\s+\Z"
)
_ALONE = re.compile(r"(?:\A|[^\w\s'’-]|\n)[^\S\n]*\Z")
_OF = re.compile(r"[,)\d]\s+of\s+\Z")
_IS_OF = re.compile(r"\s+of\s+")
_ROW = re.compile(r",?\s(?:and|or|&)\s|,\s")
_END = r"\s*(?:\Z|\n|[^\w\s'’-])"
_ENDS = re.compile(_END)
_AFTER = re.compile(
    rf"{_END}|\s+(?:\d|(?:in|on|at|and|or|by|for|to|from|with|as|is|was|are|were|has|had|have|since|until|till"
    r"|where|who|when|while|which|that|but|before|after|because|if|then|so|now|again|alone|aged|last|this|next"
    r"|during|under|about|following|via|all|there|every|each|between|she|he|they|we|I|it|today|yesterday)\b)"
)
_NEAR = 40  # characters
_REGION = 10  # places of a region that a reader knows
_CAPITAL = r"[A-Z\u00c0-\u00de](?:['’.-]*\w)+"
_RUN = re.compile(rf"(?<!\w){_CAPITAL}(?: {_CAPITAL}){{0,2}}")
_BEHIND = re.compile(rf"(?:,|\s\(|\n|\sin)\s?(?:the )?({_CAPITAL}(?: {_CAPITAL}){{0,2}})")


class Whereabouts:
    """What a text tells of where its places lie."""

    def __init__(self, text: str, facts: Iterable[Fact]) -> None:
        self._text, self._table = text, places.default()
        facts = list(facts)
        self._terms = sorted((m for f in facts for m in f.mentions), key=lambda t: t.start)
        self._at = {(t.start, t.end): n for n, t in enumerate(self._terms)}
        self._rows = list(self._begun())
        self._meant: dict[int, tuple[int, ...]] = {}  # by where the fact is told first
        self._plain: dict[int, bool] = {}  # by that
        self._told, self._lands = set[int](), set[int]()
        for kind, said in {(t.kind, _said(t, text)) for t in self._terms}:
            self._tell(kind, said)
        for said in {m[0] for m in _RUN.finditer(text)}:  # it may stand, and be no term
            self._told |= (large := _large(said))
            self._lands |= set(filter(self._table.is_country, large))
        named = [set(lands) for mark, lands in _LANDS if mark.search(text)]
        self._marked = set[str].intersection(*named) if named else set[str]()
        self.tells_country = any(
            self._table.is_country(place.node) for f in facts if isinstance(place := f.value, Place)
        )

    def _tell(self, kind: str, said: str) -> None:
        """Take note of a place that can be meant in one way only, and of the country of any, or of a
        people."""
        if kind in ("LOC", "ADDRESS"):
            for name in parts_of_place(said) or (said,):
                found = likely(name)
                if not any(map(is_well_known, found)):
                    continue
                lands = set(map(self._land, found))
                self._lands |= lands if len(lands) == 1 else set()
                self._told |= {*found} if len(found) == 1 else set()
        elif kind in ("DEM", "MISC"):
            self._lands |= set(map(self._land, self._table.lands(said)))

    def _land(self, place: int) -> int:
        """The country that a place is or lies in; 0 for none."""
        return next((n for n in self._table.above(place) if self._table.is_country(n)), 0)

    def meant(self, fact: Fact) -> tuple[int, ...]:
        """The places that a fact may well be, the likeliest first."""
        if (first := fact.mentions[0].start) not in self._meant:
            names = dict.fromkeys(_said(m, self._text) for m in fact.mentions)
            every = [senses for name in names if (senses := _senses(name))]
            common = [n for n in every[0] if all(n in other for other in every)] if every else []
            found = common or [n for each in every for n in each]
            named = {name for m in fact.mentions for name in self._named_behind(m)}
            behind = [n for n in found if not named.isdisjoint(self._table.above(n)[1:])]
            self._meant[first] = known_beside(behind) if behind else self._settled(found)
        return self._meant[first]

    def is_sure(self, fact: Fact) -> bool:
        """Whether a name is known for what it may mean, or the text tells where that lies alone."""
        meant = self.meant(fact)
        told = self._lands | {
            n for n in map(self._land, meant) if self._table.written(n) in self._marked
        }
        around = {n for m in fact.mentions for n in self._named_behind(m)} | self._told - {*meant}
        if (self._is_elsewhere(meant) or self._is_within_other(fact)) and not any(
            around & {*self._table.above(n)[1:]} for n in meant
        ):
            return False
        if all(
            self._land(n) in told or not around.isdisjoint(self._table.above(n)[1:]) for n in meant
        ):
            return True
        return not told and all(map(is_well_known, meant))

    def _is_within_other(self, fact: Fact) -> bool:
        """Whether a country or a region is told right behind a place, and may have none of its name."""
        behind = [m for m in (_BEHIND.match(self._text, t.end) for t in fact.mentions) if m]
        return any(_large(m[1]) for m in behind)

    def _is_elsewhere(self, meant: Sequence[int]) -> bool:
        """Whether the table has a small name for other lands than the text is marked by, or by pounds: a
        village at home that it has not may be called so."""
        home = self._marked or ({*_BRITISH} if "£" in self._text else set())
        return bool(home) and not any(
            self._table.population(n) >= _KNOWN_ABROAD or self._table.written(self._land(n)) in home
            for n in meant
        )

    def told_behind(self, fact: Fact) -> set[int]:
        """The places around it that are told right behind a place: "Leeds, England"."""
        around = {n for place in self.meant(fact) for n in self._table.above(place)[1:]}
        return around & {n for m in fact.mentions for n in self._named_behind(m)}

    def _named_behind(self, term: Term) -> Iterator[int]:
        """The places that the words right behind a term may name."""
        if behind := _BEHIND.match(self._text, term.end):
            words = behind[1].split(" ")
            for many in range(len(words), 0, -1):
                name = " ".join(words[:many])
                yield from _senses(STATES.get(name, name))

    def _settled(self, found: Sequence[int]) -> tuple[int, ...]:
        table, own = self._table, {*found}
        if any(map(table.is_country, found)):  # "from Poland" is from none in Maine
            found = [n for n in found if not table.is_town(n)]
        here = [n for n in found if not self._told.isdisjoint(self._region(n) - own)]
        if not here:
            marked = [n for n in found if table.written(self._land(n)) in self._marked]
            here = (
                [n for n in marked or found if self._land(n) in self._lands] or marked or [*found]
            )
        far = [n for n in found if n not in here and all(is_known_beside(n, h, 2) for h in here)]
        return known_beside([*here, *far])

    def _region(self, place: int) -> set[int]:
        """What a place lies in within its country."""
        table = self._table
        return {
            n for n in table.above(place) if table.is_within_country(n) and not table.is_country(n)
        }

    def _begun(self) -> Iterator[int]:
        """Of each term, which one begins the row of places that it stands in: "in Leeds, York and Hull"."""
        first = 0
        for at, term in enumerate(self._terms):
            last = self._terms[at - 1]
            is_in_row = (
                at and last.kind == "LOC" and _ROW.fullmatch(self._text, last.end, term.start)
            )
            first = first if is_in_row else at
            yield first

    def is_told_plainly(self, fact: Fact) -> bool:
        """Whether all mentions of a place stand where it is a place and no part of another name, by a name
        that is no ordinary word and nobody's: what holds for a place holds there for what lies around it."""
        if (first := fact.mentions[0].start) not in self._plain:
            names = {fold(_said(m, self._text)).text for m in fact.mentions}
            is_word = any(is_ordinary(n) or is_given(n) or gender(n) for n in names)
            is_word = is_word or any(self._is_short_form(m) for m in fact.mentions)
            self._plain[first] = not is_word and all(map(self._is_where, fact.mentions))
        return self._plain[first]

    def _is_short_form(self, term: Term) -> bool:
        """Whether a few capitals are more likely short for something than the name of a town: "his son
        (POA)", where "UK" and "OH" are places."""
        said = term.of(self._text)
        is_short = len(said) <= _SHORT and said.isupper()
        return is_short and said not in STATES and not places_for_short(said)

    def _is_where(self, term: Term) -> bool:
        text = self._text
        if not _AFTER.match(text, term.end):
            return False
        at = self._rows[self._at[term.start, term.end]]
        start, last = self._terms[at].start, self._terms[at - 1] if at else None
        if last and last.kind == "PERSON" and _IS_OF.fullmatch(text, last.end, start):
            return True
        before = text[max(0, start - _NEAR) : start]
        if _AT_WORD.search(before):
            return not (_DISTANCE.search(before) or _OF_A_WORK.search(before))
        if _TO.search(before):
            return not _FROM.search(text, max(0, start - _NEAR), term.end + _NEAR)
        return bool(_OF.search(before) or (_ALONE.search(before) and _ENDS.match(text, term.end)))


@lru_cache(maxsize=1 << 12)
def likely(name: str) -> tuple[int, ...]:
    """The places that a name may well mean where nothing is known of the text.

    >>> [len(likely(name)) for name in ("Leeds", "Durham")]
    [1, 2]
    """
    return known_beside(_senses(name))


def holds_all(concept: str, found: Sequence[int]) -> bool:
    """Whether a concept is a country, or a part of one, in which some places lie: all that are called
    Princeton are in the United States."""
    key = int(concept.partition(":")[2]) if is_within_country(concept) else 0
    return key > 0 and bool(found) and all(key in places.default().above(n) for n in found)


def is_within_country(concept: str) -> bool:
    """Whether a concept is a country, or a part of one: "Northern Europe" tells where somebody is from, but
    nobody would say it of a town."""
    taxonomy, _, key = concept.partition(":")
    return taxonomy == places.NAME and places.default().is_within_country(int(key))


def known_beside(found: Sequence[int]) -> tuple[int, ...]:
    """Some places without those that are not thought of beside another of them."""
    return tuple(n for n in found if not any(is_known_beside(o, n) for o in found if o != n))


def is_known_beside(one: int, other: int, share: int = 1) -> bool:
    """Whether a place is so much larger and better known than another that it is meant by their name."""
    table = places.default()
    people = table.population(one) * share >= _PEOPLE * table.population(other)
    return people and len(table.names_of(one)) >= _NAMES * len(table.names_of(other))


def is_well_known(place: int) -> bool:
    """Whether a place is large, or other languages have a name for it."""
    table = places.default()
    return table.population(place) >= _WELL_KNOWN or len(table.names_of(place)) > 1


@lru_cache(maxsize=1 << 12)
def _senses(name: str) -> tuple[int, ...]:
    """The places of a name, and the countries whose people are called after it: Palestine. By the name of a
    continent none is meant: "in Asia" is in no town of the Philippines."""
    table = places.default()
    names = [name, *places_for_short(name), *lands_called(name)]
    found = dict.fromkeys(sense.key for n in names for sense in table.senses(n)[:_MOST_PLACES])
    return tuple(found) if all(map(table.is_within_country, found)) else ()


@lru_cache(maxsize=1 << 12)
def _large(name: str) -> frozenset[int]:
    """The country or region that a name means, if it does."""
    if not (is_land(name) or is_region(name, _REGION)) or is_given(name.lower()):
        return frozenset()
    return frozenset(n for n in _senses(name) if not places.default().is_town(n))


def _said(term: Term, text: str) -> str:
    return " ".join(term.of(text).split())
