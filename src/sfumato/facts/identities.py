"""Which mentions are one person."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from sfumato.english import nicknames
from sfumato.english.folding import normal_form, spelt_out
from sfumato.english.wordlists import FEMALE_TITLES, MALE_TITLES, OPEN_PARTICLES, PARTICLES, TITLES
from sfumato.facts.persons import NamePart, core, forms, parts, word_key

_GENERATIONS = {word: word for word in ("jr", "sr", "ii", "iii", "iv")} | {
    "jnr": "jr",
    "junior": "jr",
    "snr": "sr",
    "senior": "sr",
}
_CIVIL = frozenset({"mr", "mrs", "ms", "miss", "mx"})
_QUOTED = re.compile(r"\s[\"“”‘'(]([^\W\d_][\w-]*)[\"“”’')](?=\s)")  # Daniel "Danno" McAllister
_NAMED = ("given", "family", "initial")
_HYPHENS = "-‐‑–"
_MOST_NEAR = 20
_MOST_WORDS = 12  # of a name with short forms


@dataclass
class _Person:
    """What a mention says of a person; of the fullest mention, what all of them say."""

    words: tuple[str, ...]  # family name last
    family: int = 1  # words of the family name that hyphens join
    particles: tuple[str, ...] = ()
    title: str = ""
    gender: str = ""
    generation: str = ""
    alias: str = ""
    name: str = ""
    order: int = 0
    told: list[_Person] = field(default_factory=list)  # in other words
    names: set[str] = field(default_factory=set)  # of all who were joined

    @property
    def is_bare(self) -> bool:
        """Whether it is no more than a family name, or a given one."""
        return len(self.words) <= self.family

    @property
    def is_initials(self) -> bool:
        return all(len(word) == 1 for word in self.words)

    @property
    def said(self) -> tuple[object, ...]:
        return self.words, self.family, self.title, self.alias

    @property
    def size(self) -> tuple[int, bool, int, bool, bool, str]:
        """The fuller mentions first; of equal ones those whose title tells more."""
        many, letters = len(self.words), sum(map(len, self.words))
        is_name = self.is_bare and not self.title
        return -many, not self.generation, -letters, is_name, self.title in _CIVIL, self.name


def identities(
    mentions: Iterable[str],
    apart: Iterable[tuple[str, str]] = (),
    genders: Mapping[str, str] | None = None,
    aliases: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The person behind each mention: normal form -> normal form of the fullest mention.

    A shorter mention belongs to a fuller one if exactly one holds its names in their order; a given name may
    be a nickname or an initial, and of two family names either may be left out, but no half of one with a
    hyphen. Bare initials belong to a name that was told before them: those that stand first hide somebody.
    Titles and given names tell a man from his wife, as do the words beside them (`genders`), "Jr" a man from
    his father, and who is told beside somebody (`apart`) is another. `aliases` are what persons are called.

    >>> found = identities(["Maria Keller", "Keller", "M.K.", "William Drax", "Bill", "Mrs Drax"])
    >>> found["keller"], found["m.k."], found["bill"], found["mrs drax"]
    ('maria keller', 'maria keller', 'william drax', 'mrs drax')
    """
    read = _read_all(dict.fromkeys(mentions), genders or {})
    for name, alias in (aliases or {}).items():
        read[name].alias = read[name].alias or alias
    strangers = _strangers(read, apart)
    titled = _titled(read.values())
    called = {p.words[0] for p in read.values() if len(p.words) == 1}
    known: dict[tuple[str, str], list[_Person]] = {}
    found: dict[str, str] = {}
    for one in sorted(read.values(), key=lambda p: p.size):
        fits = [p for p in _near(one, known) if _fits(one, p, strangers, titled)]
        fits = [p for p in fits if not _is_by_middle_name(one, p, called, genders or {})]
        fits = _closest(one, fits)
        if len(fits) == 1:
            _join(one, fits[0])
        person = fits[0] if len(fits) == 1 else one
        person.names.add(one.name)
        found[one.name] = person.name
        for key in _keys(one) if len(person.told) < _MOST_NEAR else ():
            known.setdefault(key, []).append(person)
    return found


def _strangers(
    read: Mapping[str, _Person], apart: Iterable[tuple[str, str]]
) -> dict[str, set[str]]:
    """Of each mention those that are of another person; where Cllr Singh is another than Rev. Singh, or Ivan
    Popov than Ivan Popov Sr, so are all mentions with the one title, or without the "Sr"."""
    sorts: dict[tuple[object, ...], list[str]] = {}
    for name, person in read.items():
        sorts.setdefault((*person.words[-1:], person.title), []).append(name)
        sorts.setdefault((person.words, person.generation), []).append(name)
    found: dict[str, set[str]] = {}
    for pair in apart:
        both = [read[name] for name in pair if name in read]
        alike = [[name] for name in pair]
        if len(both) == 2 and both[0].words and both[1].words:
            one, other = sorted(both, key=lambda p: not p.generation)
            if one.is_bare and other.is_bare and {one.title, other.title}.isdisjoint({"", *_CIVIL}):
                alike = [sorts[p.words[-1], p.title] for p in both]
            elif one.words == other.words and one.generation != other.generation:
                alike = [sorts[p.words, p.generation] for p in both]
            elif other.is_bare and one.generation and one.gender == other.gender != "":
                # Mr Popov, whose father is Ivan Popov Sr, is Ivan Popov
                alike = [[one.name], [other.name, *sorts.get((one.words, ""), ())]]
        for names, others in (alike, alike[::-1]):
            for name in names:
                found.setdefault(name, set()).update(others)
    return found


def _is_by_middle_name(
    one: _Person, full: _Person, called: Collection[str], kin: Collection[str]
) -> bool:
    """Whether a name begins with the second given name of one who is called by the first: Tyler Grant is not
    Mason Tyler Grant, who is Mason. Quispe may be a family name of Leandro Quispe Mamani, who is Leandro."""
    first, *middle = full.words[:-1] or ("",)
    if one.is_bare or one.words[-1] != full.words[-1] or one.words[0] not in middle:
        return False
    return first in called and (one.name in kin or nicknames.is_given(one.words[0]))


def _titled(persons: Iterable[_Person]) -> dict[str, set[str]]:
    """Of each family name the genders that are told by a title, but by no full name."""
    bare: dict[str, set[str]] = {}
    full: dict[str, set[str]] = {}
    for person in persons:
        if person.gender and (person.title or not person.is_bare):
            told = bare if person.is_bare else full
            told.setdefault(person.words[-1], set()).add(person.gender)
    return {family: genders - full.get(family, set()) for family, genders in bare.items()}


# What a mention says


def _read_all(mentions: Iterable[str], genders: Mapping[str, str]) -> dict[str, _Person]:
    mentions = list(mentions)
    spelt = dict(pair for mention in mentions for pair in _spellings(mention))
    made: dict[str, _Person] = {}
    for order, mention in enumerate(mentions):
        person = _read(mention, spelt)
        person.order, person.name = order, normal_form(mention)
        person.gender = person.gender or genders.get(person.name, "")
        if not person.gender and len(person.words) > person.family:
            person.gender = nicknames.gender(person.words[0])
        made.setdefault(person.name, person)
    letters = {"".join(w[0] for w in p.words) for p in made.values() if len(p.words) > 1}
    for mention in mentions:
        person = made[normal_form(mention)]
        if mention.isupper() and len(person.words) == 1 and person.words[0] in letters:
            person.words = tuple(person.words[0])  # "JKA" is J. K. Achterberg
    _turn_headings(mentions, made)
    _take_particles(made.values())
    return made


def _spellings(mention: str) -> Iterator[tuple[str, str]]:
    """Words without umlauts, by those with: Mueller is Müller where Müller is told."""
    if not mention.isascii():
        for word in re.findall(r"[^\W\d_]+", mention):
            if (two := word_key(spelt_out(word))) != word_key(word):
                yield two, word_key(word)


def _read(mention: str, spelt: Mapping[str, str]) -> _Person:
    quoted = _QUOTED.search(mention)
    mention = mention[: quoted.start()] + mention[quoted.end() :] if quoted else mention
    read = parts(mention)
    words = tuple(spelt.get(word, word) for word in core(mention))
    first = next((at for at, p in enumerate(read) if p.role in _NAMED), 0)
    kept = [p.text.casefold() for p in read[first:] if p.role == "kept"]
    leading = [p.text for p in read[:first] if p.role == "kept"]
    titles = [w.casefold() for w in leading if w.isupper() or w.casefold() not in PARTICLES]
    titles = [
        word for word in titles if word in TITLES
    ]  # "DI Frost" is an inspector, "di Marco" none
    before = [word for word in map(str.casefold, leading) if word not in titles]
    title = next((t for t in titles if t in MALE_TITLES | FEMALE_TITLES), "".join(titles[:1]))
    gender = "m" if title in MALE_TITLES else "f" if title in FEMALE_TITLES else ""
    return _Person(
        words,
        family=_family(read),
        particles=tuple(w for w in (*before, *kept) if w in PARTICLES),
        title=titles[0] if titles else "",
        gender=gender,
        generation=next((_GENERATIONS[w] for w in kept[::-1] if w in _GENERATIONS), ""),
        alias=word_key(quoted[1]) if quoted else "",
    )


def _family(read: Sequence[NamePart]) -> int:
    """How many words hyphens join to the family name."""
    places = [at for at, part in enumerate(read) if part.role == "family"]
    joined = [b for a, b in pairwise(places) if b == a + 2]
    return 1 + sum(read[b - 1].text in _HYPHENS for b in joined)


def _turn_headings(mentions: Sequence[str], made: Mapping[str, _Person]) -> None:
    """The names in capitals whose family name comes first, as in a heading, "KELLER ANNA": another mention
    has it last, or the last word is a given name and the first is none."""
    others = [made[normal_form(m)].words for m in mentions if not m.isupper()]
    families = {words[-1] for words in others if words}
    full = {
        (words[-1], given)
        for words in others
        if len(words) > 1
        for form in forms(words[0])
        for given in (form, form[0])
    }
    for mention in mentions:
        person = made[normal_form(mention)]
        first, *rest = words = person.words or ("",)
        if not (mention.isupper() and rest) or "," in mention or (words[-1], first) in full:
            continue
        given = any(len(word) > 1 for word in rest)
        listed = nicknames.is_given(rest[-1]) and not nicknames.is_given(first)
        told = any((first, form) in full for word in rest for form in forms(word))
        if told or (given and listed and words[-1] not in families):
            person.words = (*rest, first)


def _take_particles(persons: Iterable[_Person]) -> None:
    """ "Bin Salman" at the start of a sentence is he who is called "bin Salman" elsewhere."""
    persons = list(persons)
    known = {(p.particles[-1], p.words[-1]) for p in persons if p.particles and p.words}
    for person in persons:
        first, *rest = person.words or ("",)
        if first in OPEN_PARTICLES and len(rest) == 1 and (first, rest[0]) in known:
            person.words, person.particles = tuple(rest), (first,)


# Who a mention may be


def _fits(
    one: _Person,
    other: _Person,
    strangers: Mapping[str, set[str]],
    titled: Mapping[str, set[str]],
) -> bool:
    """Whether a mention may be of a person; what `other` says was told of the person in fuller words."""
    if (one.generation and other.generation and one.generation != other.generation) or (
        one.gender and other.gender and one.gender != other.gender
    ):
        return False
    if one.particles and one.particles != other.particles:
        return False
    is_titled = one.is_bare and one.title and one.gender and not other.gender
    if is_titled and titled.get(one.words[-1], set()) - {one.gender}:
        return False  # a husband and a wife are told: nobody knows which of them
    if one.is_initials and other.order > one.order:
        return False
    told = [other, *other.told]
    if one.is_bare and one.title in _CIVIL:
        bare = [t.title for t in told if t.is_bare and t.title]
        if any(title not in _CIVIL for title in bare):
            return False  # Dr Lee and Mr Lee, the patient
    if not strangers.get(one.name, set()).isdisjoint(other.names):
        return False
    if any(_has_other_given(one, t) for t in told):
        return False
    return any(_is_short_for(one, t) for t in told[:_MOST_NEAR])


def _has_other_given(one: _Person, other: _Person) -> bool:
    """Whether a name begins with another given name than a full one, though a third may be short for both:
    Lea and Lou are not both "L. Moss", nor Samuel and Samantha "Sam"."""
    if not one.words or other.is_bare or (one.is_bare and not nicknames.is_given(one.words[0])):
        return False
    first, second = one.words[0], other.words[0]
    if len(first) == 1 or len(second) == 1 or first in other.words or second in one.words:
        return False
    if first == other.alias:
        return False
    return not nicknames.same_given(first, second)


def _is_short_for(one: _Person, full: _Person) -> bool:
    short, words = one.words, full.words
    if not short or len(short) > len(words):
        return False
    if len(short) == 1:
        families = {words[at] for at in _families(full)}
        return (
            short[0] in families
            or (not one.title and short[0] == full.alias)
            or nicknames.same_given(short[0], words[0])
        )
    if one.is_initials:
        return _initials(short) in (_initials(words), _initials((words[0], words[-1])))
    return any(_aligned(turn, full) for turn in _turns(one))


def _turns(one: _Person) -> Iterator[tuple[str, ...]]:
    """The words of a name, and with its family name first: "Kumar P.", "Takahashi Yuki", "Kim Min-jun"."""
    yield one.words
    first, *rest = one.words
    is_name = len(first) > 1 and not one.particles
    if is_name and not (nicknames.is_given(first) and nicknames.is_given(rest[-1])):
        yield (*rest, first)
        if len(rest) > 1:
            yield (rest[-1], first, *rest[:-1])


def _aligned(short: Sequence[str], full: _Person) -> bool:
    """Whether the words of a name are, in their order, words of the full one or short for them."""
    words = full.words
    if len(short) == len(words) == full.family and tuple(short) == words:
        return True  # "Lee-Chen"
    for last in _families(full, halves=True):
        rest = iter(words[:last])
        if short[-1] == words[last] and all(any(_may_be(s, f) for f in rest) for s in short[:-1]):
            return True
    # "Jean-Marie"; "Nina K.", "Rita C-B": given names in full, then letters
    many = sum(len(word) > 1 for word in short)
    is_given = all(map(nicknames.same_given, short[:many], words[: len(words) - 1]))
    letters = "".join(short[many:])
    is_given = is_given and 0 < many < len(words)
    return is_given and (not letters or letters in _family_letters(full, many))


def _family_letters(full: _Person, given: int) -> set[str]:
    """By which letters a family name is told behind so many given names."""
    letters = "".join(word[:1] for word in full.words)
    family = letters[-full.family :]
    return {letters[given:], family, family[:1]}


def _families(full: _Person, *, halves: bool = False) -> list[int]:
    """Which words of a name may be its last: the last one, and the one before it, for a second family name
    may be left out; with a hyphen only beside a given name (`halves`)."""
    many = len(full.words)
    if full.family > 1 and not halves:
        return []
    return [many - 1, *([many - 2] if many > 2 and len(full.words[-2]) > 1 else ())]


def _may_be(given: str, full: str) -> bool:
    if len(given) == 1:  # "W. Drax" may be Bill
        return any(name.startswith(given) for name in forms(full))
    if len(full) == 1:
        return any(name.startswith(full) for name in forms(given))
    return nicknames.same_given(given, full)


def _initials(words: Sequence[str]) -> str:
    return "".join(f"{word[:1]}." for word in words)


def _closest(one: _Person, fits: list[_Person]) -> list[_Person]:
    """Of several persons whom a mention fits, those whom its title, its "Jr", its particle or its very words
    tell."""
    told = (
        lambda p: (p.words, p.title, p.generation) == (one.words, one.title, one.generation),
        lambda p: one.title in {t.title for t in (p, *p.told)} - {"", *_CIVIL},
        lambda p: bool(one.gender) and p.gender == one.gender,
        lambda p: bool(one.generation or not one.is_bare) and p.generation == one.generation,
        lambda p: p.particles == one.particles,
        lambda p: len(one.words) > 1 and _may_be(one.words[0], p.words[0]),
        lambda p: set(one.words) <= {word for t in (p, *p.told) for word in t.words},
    )
    for mark in told:
        if len(fits) > 1 and (chosen := [p for p in fits if mark(p)]):
            fits = chosen
    return fits


def _join(one: _Person, person: _Person) -> None:
    if all(one.said != told.said for told in (person, *person.told)):
        person.told.append(replace(one, told=[]))
    person.order = min(person.order, one.order)
    person.gender = person.gender or one.gender
    person.generation = person.generation or one.generation


# Where to look: by the rarest word, for a text may tell of thousands of one name


def _keys(one: _Person) -> set[tuple[str, str]]:
    """Under what a person is looked for: the family names, the given one, initials, and for several words
    each family name with every other word or its letter."""
    full = one.words
    if not full:
        return set()
    if len(full) > _MOST_WORDS:  # nobody's short form is told
        return {("", " ".join(full))}
    keys = {("", form) for form in forms(full[0])} | {("", one.alias)}
    for at in _families(one, halves=True):
        keys.add(("", full[at]))
        for word in full[:at]:
            for form in forms(word):
                keys |= {(full[at], form), (full[at], form[0])}
            if len(word) == 1:
                keys.add((full[at], f"{word}."))
    if len(full) > 1:
        keys |= {("", _initials(full)), ("", _initials((full[0], full[-1])))}
        letters = {f for given in range(1, len(full)) for f in _family_letters(one, given)}
        keys |= {(form, f"{f}.") for form in forms(full[0]) for f in letters}
        keys |= {("", " ".join(full[:many])) for many in range(2, len(full) + 1)}
    return keys


def _near(one: _Person, known: Mapping[tuple[str, str], Sequence[_Person]]) -> list[_Person]:
    """Persons of whom a mention may be."""
    short = one.words
    if not short:
        return []
    if len(short) > _MOST_WORDS:
        choices = [[("", " ".join(short))]]
    elif len(short) == 1:
        choices = [[("", form) for form in forms(short[0])]]
    elif one.is_initials:
        choices = [[("", _initials(short))]]
    else:
        choices = [
            [(turn[-1], form) for form in forms(word)] + [(turn[-1], f"{word[0]}.")]
            for turn in _turns(one)
            for word in turn[:-1]
        ]
        letters = "".join(word for word in short[1:] if len(word) == 1)
        choices.append([(form, f"{letters}.") for form in forms(short[0]) if letters])
        choices.append([("", " ".join(short))])
    near = [[p for key in keys for p in known.get(key, ())[: 2 * _MOST_NEAR]] for keys in choices]
    near = [found for found in near if found]
    if not near:
        return []
    return list({id(p): p for found in sorted(near, key=len) for p in found[:_MOST_NEAR]}.values())
