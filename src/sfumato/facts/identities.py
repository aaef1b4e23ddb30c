"""Which mentions are one person."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from sfumato.english import nicknames
from sfumato.english.folding import normal_form, spelt_out
from sfumato.english.wordlists import CIVIL_TITLES, FEMALE_TITLES, MALE_TITLES, PARTICLES, TITLES
from sfumato.facts.names import (
    FORMAL,
    NameReading,
    begins_alike,
    initials_of,
    is_called_so,
    keys_of,
    merged,
    name_readings,
    searched,
    spelt_as,
)
from sfumato.facts.persons import BABIES, BABY, MAC, forms, parts, word_key

_GENERATIONS = {word: word for word in ("jr", "sr", "ii", "iii", "iv")} | {
    "jnr": "jr",
    "junior": "jr",
    "snr": "sr",
    "senior": "sr",
}
# Titles of one meaning, the ranks of which no two are one man's: Captain Smith is not Sergeant Tom Smith.
_RANKS = (
    "constable pc wpc dc|sergeant sgt ds|inspector insp di|chief dci|superintendent supt dsi|private pte pvt"
    "|lance lcpl|corporal cpl|staff ssgt|lieutenant lt|captain capt cpt|major maj|colonel col|brigadier brig"
    "|commander cmdr cdr|admiral adm|general gen|bombardier bdr|gunner gnr"
)
_ALIKE = (
    "father fr|doctor dr|professor prof|reverend rev revd|councillor cllr|detective det"
    "|mr mister herr monsieur señor sr signor signore|mrs frau madame mme señora sra signora"
    "|miss mademoiselle mlle"
)
_RANK_OF, _SAME_TITLE = (
    {word: group.split()[0] for group in groups.split("|") for word in group.split()}
    for groups in (_RANKS, f"{_RANKS}|{_ALIKE}")
)
_QUOTED = re.compile(r"\s[\"“”‘'(]([^\W\d_][\w-]*)[\"“”’')](?=\s)")  # Daniel "Danno" McAllister
_MAC = re.compile(r"\bM[Aa][Cc]\w{3,}")
_NAMED = ("given", "family", "initial")
_MOST_NEAR = 20
_NOBODY: dict[int, _Person] = {}
_MOST_READINGS = 8  # of a person's name


@dataclass(eq=False)
class _Person:
    """What a mention says of a person; of the fullest mention, what all of them say."""

    readings: list[NameReading]
    words: tuple[str, ...]  # family name last
    title: str = ""
    rank: str = ""
    gender: str = ""
    generation: str = ""
    alias: str = ""
    name: str = ""
    order: int = 0
    titles: set[tuple[bool, str]] = field(default_factory=set)  # those of bare names marked
    sorts: set[object] = field(default_factory=set)  # by which all who were joined are strangers

    @property
    def is_bare(self) -> bool:
        """Whether it is no more than a family name, or a given one."""
        return not self.readings or self.readings[0].is_bare

    @property
    def is_letter(self) -> bool:
        """Whether it is no more than one letter."""
        return [*map(len, self.words)] == [1]

    @property
    def is_of_family(self) -> bool:
        """Whether it begins with a family name: "Mr P" does."""
        return bool(self.title and self.readings and self.readings[0].families)

    @property
    def size(self) -> tuple[int, bool, bool, int, bool, bool, str]:
        """The fuller mentions first; of equal ones those whose title tells more."""
        many = min((reading.many for reading in self.readings), default=0)
        letters = sum(map(len, self.words))
        is_name = self.is_bare and not self.title
        is_civil = self.title in CIVIL_TITLES
        return -many, not self.generation, not self.alias, -letters, is_name, is_civil, self.name


@dataclass(eq=False)
class _Fit:
    """A person whom a mention fits: how it is read, how the person's name is, and what both say."""

    person: _Person
    pairs: list[tuple[NameReading, NameReading, NameReading]]


def identities(
    mentions: Iterable[str],
    apart: Iterable[tuple[str, str]] = (),
    genders: Mapping[str, str] | None = None,
    aliases: Mapping[str, str] | None = None,
    families: Iterable[tuple[Iterable[str], Iterable[str]]] = (),
) -> dict[str, str]:
    """The person behind each mention: normal form -> normal form of the fullest mention.

    A shorter mention belongs to a fuller one if exactly one holds its names in their order; a given name may
    be a nickname or an initial, and of two family names either may be left out. Bare initials, and a letter,
    belong to a name that was told before them: those that stand first hide somebody.
    Titles and given names tell a man from his wife, as do the words beside them (`genders`), "Jr" a man from
    his father, and who is told beside somebody (`apart`) is another, as parents are than their children
    (`families`). `aliases` are what persons are called.

    >>> found = identities(["Maria Keller", "Keller", "M.K.", "William Drax", "Bill", "Mrs Drax"])
    >>> found["keller"], found["m.k."], found["bill"], found["mrs drax"]
    ('maria keller', 'maria keller', 'william drax', 'mrs drax')
    """
    read = _read_all(dict.fromkeys(mentions), genders or {})
    for name, alias in (aliases or {}).items():
        read[name].alias = read[name].alias or alias
    strangers = _strangers(read, apart, families)
    titled, ranks = _titled(read.values()), _ranks(read.values())
    codes = _codes(read.values())
    called = {p.words for p in read.values() if len(p.words) > 1 or p.title not in FORMAL}
    known: dict[tuple[str, ...], dict[int, _Person]] = {}
    found: dict[str, str] = {}
    for one in sorted(read.values(), key=lambda p: p.size):
        near = [] if one.is_letter and one.is_of_family in codes else _near(one, known)
        near = [p for p in near if _may_be(one, p, strangers, titled, ranks)]
        fits = [fit for p in near if (fit := _fit(one, p, called, genders or {})).pairs]
        fits = _closest(one, fits)
        person = fits[0].person if len(fits) == 1 else one
        before = [] if person is one else person.readings
        if person is not one:
            _join(one, fits[0])
        person.sorts |= one.sorts
        person.titles.add((one.is_bare, one.title))
        found[one.name] = person.name
        added = [reading for reading in person.readings if reading not in before]
        for key in {key for reading in added for key in keys_of(reading, person.alias)}:
            known.setdefault(key, {})[id(person)] = person
    return found


def _codes(persons: Collection[_Person]) -> set[bool]:
    """Whether letters, those that stand alone or those behind titles, are no names: so they are where one is
    nobody's, as of "the mother, M", and "the child, K"."""
    named = [p for p in persons if p.words and not p.is_letter]
    families = {f[0][0] for p in named for r in p.readings for f in r.families}
    known = {False: {p.words[0][0] for p in named}, True: families}
    letters = [p for p in persons if p.is_letter]
    return {p.is_of_family for p in letters if p.words[0] not in known[p.is_of_family]}


def _strangers(
    read: Mapping[str, _Person],
    apart: Iterable[tuple[str, str]],
    families: Iterable[tuple[Iterable[str], Iterable[str]]],
) -> dict[object, set[object]]:
    """Of each sort of mentions those that are of other persons; where Cllr Singh is another than Rev. Singh,
    or Ivan Popov than Ivan Popov Sr, so are all mentions with the one title, or without the "Sr". A text may
    have thousands of each: they are not told apart one by one."""
    for name, person in read.items():
        person.sorts |= {
            name,
            (*person.words[-1:], person.title),
            (person.words, person.generation),
        }
        if not person.is_bare:
            person.sorts.add((person.words[-1], person.words[0], "given"))
    found: dict[object, set[object]] = {}
    told: list[tuple[list[object], list[object]]] = []
    for number, (parents, children) in enumerate(families):
        told.append(([(number, True)], [(number, False)]))
        for names, is_parent in ((parents, True), (children, False)):
            for name in names:
                read[name].sorts.add((number, is_parent))
        genders = {read[name].gender for name in parents} - {""}
        younger = [read[name] for name in children if read[name].generation]
        # Mr Popov is Ivan Popov, not the Jr
        told += [([p.name], [(p.words, "")]) for p in younger if p.gender in genders]
    full = {(p.words[-1], p.words[0], p.title) for p in read.values() if not p.is_bare}
    for pair in apart:
        both = [read[name] for name in pair if name in read]
        alike: tuple[list[object], list[object]] = ([pair[0]], [pair[1]])
        if len(both) == 2 and both[0].words and both[1].words:
            one, other = sorted(both, key=lambda p: not p.generation)
            if one.is_bare and other.is_bare and "" != one.title != other.title != "":
                alike = [(one.words[-1], one.title)], [(other.words[-1], other.title)]
            elif both[0].is_bare and both[1].is_bare and both[0].title != both[1].title:
                # Noah, whose dad is Dr Khan, is Noah Khan
                called, titled = sorted(both, key=lambda p: bool(p.title))
                given = forms(called.words[0])  # Kathy is Katherine
                if full.isdisjoint((titled.words[-1], word, titled.title) for word in given):
                    alike[both.index(called)].extend((titled.words[-1], w, "given") for w in given)
            elif one.words == other.words and one.generation != other.generation:
                alike = [(one.words, one.generation)], [(other.words, other.generation)]
            elif other.is_bare and one.generation and one.gender == other.gender != "":
                # Mr Popov, whose father is Ivan Popov Sr, is Ivan Popov
                alike = [one.name], [other.name, (one.words, "")]
            elif (len(both[0].words) == 1 < len(both[1].words)) and (
                both[0].words[0] != both[1].words[-1]
            ):
                alike[0].extend(_also_so(both[0], both[1]))
        told.append(alike)
    for some, others in (*told, *(pair[::-1] for pair in told)):
        for sort in some:
            found.setdefault(sort, set()).update(others)
    return found


def _also_so(bare: _Person, full: _Person) -> Iterator[object]:
    """Those who are told by a bare given name, and of another's family rather than him: William Lee is
    William, whose grandson is Bill Lee, and Robert Lee is Bob, whose father is Robert Lee Sr."""
    called = bare.words[0]
    yield bare.words, bare.generation
    if called != full.words[0]:
        yield full.words[-1], called, "given"
    if full.generation and nicknames.same_given(called, full.words[0]):
        for generation in {"", *_GENERATIONS.values()} - {full.generation}:
            yield full.words, generation


def _titled(persons: Iterable[_Person]) -> dict[str, set[str]]:
    """Of each family name the genders that are told by a title, but by no full name."""
    bare: dict[str, set[str]] = {}
    full: dict[str, set[str]] = {}
    for person in persons:
        if person.gender and (person.title or not person.is_bare):
            told = bare if person.is_bare else full
            told.setdefault(person.words[-1], set()).add(person.gender)
    return {family: genders - full.get(family, set()) for family, genders in bare.items()}


def _ranks(persons: Iterable[_Person]) -> dict[str, set[str]]:
    """Of each family name the ranks under which it stands alone."""
    found: dict[str, set[str]] = {}
    for person in persons:
        if person.rank and person.is_bare:
            found.setdefault(person.words[-1], set()).add(person.rank)
    return found


# What a mention says


def _read_all(mentions: Iterable[str], genders: Mapping[str, str]) -> dict[str, _Person]:
    mentions = list(mentions)
    spelt = dict(pair for mention in mentions for pair in _spellings(mention))
    made: dict[str, _Person] = {}
    for order, mention in enumerate(mentions):
        person = _read(mention, spelt)
        person.order, person.name = order, normal_form(mention)
        person.gender = person.gender or genders.get(person.name, "")
        if not person.gender and not person.is_bare:
            full = [r for r in person.readings if not r.is_bare]
            told = {_gender(reading) for reading in (full if mention.isupper() else full[:1])}
            if len(told) > 1:
                person.readings = full  # "AISHA JAMES" may be James, or Aisha: each is of one sex
            if len(told - {""}) == 1:
                person.gender = (told - {""}).pop()
        told_so = made.setdefault(person.name, person)
        # Its order is told: Anna is no family name
        if told_so is not person and not mention.isupper():
            told_so.gender, told_so.readings = told_so.gender or person.gender, person.readings
    letters = {short for p in made.values() for r in p.readings[:1] for short in initials_of(r)}
    for mention in mentions:
        person = made[normal_form(mention)]
        is_upper = mention.rpartition(" ")[2].isupper()
        if is_upper and len(person.words) == 1 and person.words[0] in letters:
            person.readings = [NameReading(letters=person.words[0])]  # "JKA" is J. K. Achterberg
    return made


def _spellings(mention: str) -> Iterator[tuple[str, str]]:
    """Words without umlauts, by those with: Mueller is Müller where Müller is told; McDonald MacDonald."""
    for word in map(word_key, _MAC.findall(MAC.sub(r"\1", mention))):
        yield f"mc{word[3:]}", word
    if not mention.isascii():
        for word in re.findall(r"[^\W\d_]+", mention):
            if (two := word_key(spelt_out(word))) != word_key(word):
                yield two, word_key(word)


def _read(mention: str, spelt: Mapping[str, str]) -> _Person:
    person = copy(_plain(mention))
    if spelt:
        person.readings = [spelt_as(reading, spelt) for reading in person.readings]
        person.words = tuple(spelt.get(word, word) for word in person.words)
    person.titles, person.sorts = set(), set()
    return person


@lru_cache(maxsize=1 << 12)  # a text says a name many times, and is read more than once
def _plain(mention: str) -> _Person:
    quoted = _QUOTED.search(mention)
    mention = mention[: quoted.start()] + mention[quoted.end() :] if quoted else mention
    read = parts(mention)
    first = next((at for at, p in enumerate(read) if p.role in _NAMED), 0)
    kept = [p.text.casefold() for p in read[first:] if p.role == "kept"]
    leading = [p.text for p in read[:first] if p.role == "kept"]
    # "DI Frost" is an inspector, "di Marco" none
    titles = [w.casefold() for w in leading if w.isupper() or w.casefold() not in PARTICLES]
    titles = [word for word in titles if word in TITLES]
    if titles == ["sr"] and nicknames.gender(word_key(read[first].text)) == "f":
        titles = ["sister"]
    title = next((t for t in titles if t in MALE_TITLES | FEMALE_TITLES), "".join(titles[:1]))
    readings = list(name_readings(mention))
    told = readings[0] if readings else NameReading()
    return _Person(
        readings,
        (*(min(words) for words in told.given), *(told.families or ("",))[0], *told.letters),
        title=_SAME_TITLE.get(titles[0], titles[0]) if titles else "",
        rank=next((_RANK_OF[t] for t in titles[::-1] if t in _RANK_OF), ""),
        gender="m" if title in MALE_TITLES else "f" if title in FEMALE_TITLES else "",
        generation=next((_GENERATIONS[w] for w in kept[::-1] if w in _GENERATIONS), ""),
        alias=word_key(quoted[1]) if quoted else "",
    )


# Who a mention may be


def _may_be(
    one: _Person,
    other: _Person,
    strangers: Mapping[object, set[object]],
    titled: Mapping[str, set[str]],
    ranks: Mapping[str, set[str]],
) -> bool:
    """Whether all but its words allow that a mention is of a person."""
    if one.is_bare and one.generation not in ("", other.generation):
        return False  # John Jr., where John Smith is told
    if one.words[:1] != (BABY,) == other.words[:1] and {*other.words[:-1]} <= BABIES:
        return False  # Ms Sharma is not Baby Sharma
    told = {other.rank} - {""} or ranks.get(one.words[-1], set())
    if one.is_bare and one.rank and told != {one.rank}:
        return False
    if _is_younger(one, other) or _is_younger(other, one):
        return False
    if _differ(one.generation, other.generation) or _differ(one.gender, other.gender):
        return False
    is_titled = one.is_bare and one.title and one.gender and not other.gender
    if is_titled and titled.get(one.words[-1], set()) - {one.gender}:
        return False  # a husband and a wife are told: nobody knows which of them
    is_doubtful = (
        one.title in ("", *CIVIL_TITLES) and not one.is_of_family
    )  # but Dr K. L. is Dr Lee
    if is_doubtful and (one.readings[0].letters or one.is_letter) and other.order > one.order:
        return False
    if one.is_bare and one.title in CIVIL_TITLES and (False, one.title) not in other.titles:
        bare = {title for is_bare, title in other.titles if is_bare} - {""}
        if not bare <= CIVIL_TITLES:
            return False  # Dr Lee and Mr Lee, the patient
    if one.is_bare and one.title not in ("", *CIVIL_TITLES):
        titles = {title for _, title in other.titles} - {""}
        if titles and titles <= CIVIL_TITLES:
            return False  # nor is Dr Lee Mr Ivan Lee
    return all(strangers[s].isdisjoint(other.sorts) for s in one.sorts if s in strangers)


def _is_younger(one: _Person, other: _Person) -> bool:
    """Whether a full name is told with "Jr", which the same name before it has not: of Ivan Popov and Ivan
    Popov Jr. But Ivan Popov Jr is Ivan Popov later on."""
    is_new = one.generation and not other.generation and other.order < one.order
    return bool(is_new and not (one.is_bare or other.is_bare))


def _differ(one: str, other: str) -> bool:
    return "" != one != other != ""


def _gender(reading: NameReading) -> str:
    """What the given name of a full name tells."""
    return "" if reading.is_bare else nicknames.gender(min(reading.given[0]))


def _fit(one: _Person, person: _Person, called: Set[tuple[str, ...]], kin: Collection[str]) -> _Fit:
    both = [
        (own, full)
        for own in one.readings
        for full in person.readings
        if not _differ(one.gender or _gender(own), person.gender or _gender(full))
    ]
    made = ((own, full, merged(own, full, person.alias)) for own, full in both)
    pairs = [(own, full, whole) for own, full, whole in made if whole]
    is_kin = one.name in kin
    if pairs and any(_is_by_middle_name(own, full, called, is_kin=is_kin) for own, full in both):
        pairs = []
    return _Fit(person, pairs)


def _is_by_middle_name(
    one: NameReading, full: NameReading, called: Set[tuple[str, ...]], *, is_kin: bool
) -> bool:
    """Whether a name begins with the second given name of one who is called by the first: Tyler Grant is not
    Mason Tyler Grant, who is Mason. Quispe may be a family name of Leandro Quispe Mamani, who is Leandro."""
    if not one.families or full.is_bare or full.turned:
        return False
    first, *rest = [*one.given, *(frozenset({word}) for word in one.families[0])]
    middle = {word for told in (*full.given[1:], full.families[0][:-1]) for word in told}
    so = {told for word in full.given[0] for told in ((word,), (word, full.families[0][-1]))}
    if not rest or called.isdisjoint(so) or not first <= middle - full.given[0]:
        return False
    return is_kin or any(nicknames.is_given(w) or nicknames.gender(w) for w in first)


def _closest(one: _Person, fits: list[_Fit]) -> list[_Fit]:
    """Of several persons whom a mention fits, those whom its title, its "Jr", the order of its words, these
    words themselves or its particle tell."""

    told: tuple[Callable[[_Fit], bool], ...] = (
        lambda f: (
            (f.person.words, f.person.title, f.person.generation)
            == (one.words, one.title, one.generation)
        ),
        # of a mother and a daughter Mrs Moore is the one who is told as such in full
        lambda f: (
            bool(one.title)
            and not {(False, one.title), (one.title not in CIVIL_TITLES, one.title)}.isdisjoint(
                f.person.titles
            )
        ),
        # and Ms Moore is the other
        lambda f: bool(one.title) and {t for bare, t in f.person.titles if not bare} <= {""},
        # Mr Martin is Colin Martin, and not Martin Hale
        lambda f: (
            bool(one.title)
            and any(own.families and not (full.turned or full.is_bare) for own, full, _ in f.pairs)
        ),
        lambda f: bool(one.title) and f.person.order < one.order,
        lambda f: bool(one.generation or not one.is_bare) and f.person.generation == one.generation,
        lambda f: not (f.person.is_bare and f.person.generation),
        lambda f: any(
            not o.families or o.families[0] in full.families[:1] for o, full, _ in f.pairs
        ),
        lambda f: any(not (own.turned or full.turned) for own, full, _ in f.pairs),
        lambda f: any(begins_alike(own, full) for own, full, _ in f.pairs),
        lambda f: any(own.words <= full.words for own, full, _ in f.pairs),
        lambda f: any(is_called_so(own, full) for own, full, _ in f.pairs),
        lambda f: any(not o.families or o.particles == full.particles for o, full, _ in f.pairs),
    )
    for mark in told:
        if len(fits) > 1 and (chosen := [fit for fit in fits if mark(fit)]):
            fits = chosen
    return fits


def _join(one: _Person, fit: _Fit) -> None:
    person = fit.person
    person.readings = list(dict.fromkeys(both for _, _, both in fit.pairs))[:_MOST_READINGS]
    person.order = min(person.order, one.order)
    person.gender = person.gender or one.gender
    person.rank = person.rank or one.rank
    person.alias = person.alias or one.alias
    person.generation = person.generation or one.generation


def _near(one: _Person, known: Mapping[tuple[str, ...], dict[int, _Person]]) -> list[_Person]:
    """Persons of whom a mention may be: by the rarest word, for a text may tell of thousands of one name."""
    near = [
        [p for key in keys for p in islice(known.get(key, _NOBODY).values(), 2 * _MOST_NEAR)]
        for reading in one.readings
        for keys in searched(reading)
    ]
    return list({id(p): p for found in sorted(near, key=len) for p in found[:_MOST_NEAR]}.values())
