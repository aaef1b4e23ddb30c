"""How a person's name may be read: which of its words are given names and which the family name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sfumato.english import nicknames
from sfumato.english.wordlists import OPEN_PARTICLES, PARTICLES, TITLES, TITLES_BEFORE_GIVEN
from sfumato.facts.persons import HYPHENS, MAC, NamePart, forms, parts, word_key

_NAMED = ("given", "family", "initial")
FORMAL = frozenset({*TITLES} - {*TITLES_BEFORE_GIVEN})  # titles before a family name
_MOST_WORDS = 12  # of a name with short forms
_IRISH = re.compile(r"(?<=\w )O (?=[A-Z])")  # "Sean O Casey", but not "O Casey"

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NameReading:
    """One way to read a name; of a person, what all mentions say that were joined.

    Each given name has all the words by which it is told ({"william", "bill"}), `families` the family name in
    all its forms, the fullest first.
    """

    given: tuple[frozenset[str], ...] = ()
    families: tuple[Words, ...] = ()
    particles: Words = ()
    hyphened: bool = False  # whether a hyphen joins the family name
    turned: bool = False  # whether the family name stands first, and no comma says so
    firsts: frozenset[int] = frozenset({0})  # by which given names somebody is called
    letters: str = ""  # of a mention that has no more

    @property
    def is_bare(self) -> bool:
        """Whether it is no more than a family name, or given ones."""
        return not (self.given and self.families)

    @property
    def many(self) -> int:
        """How many words it has."""
        return len(self.given) + sum(map(len, self.families[:1])) + len(self.letters)

    @property
    def words(self) -> set[str]:
        return {word for part in (*self.given, *self.families) for word in part}


def name_readings(name: str) -> tuple[NameReading, ...]:
    """The ways in which a name without its titles may be read, the likeliest first.

    >>> [(r.given, r.families) for r in name_readings("Keller, A.")]
    [((frozenset({'a'}),), (('keller',),))]
    >>> [(list(map(list, r.given)), r.families) for r in name_readings("Kumar P.")]
    [([['kumar']], (('p',),)), ([['p']], (('kumar',),)), ([['kumar'], ['p']], ()), ([], (('kumar', 'p'),))]
    """
    made: dict[NameReading, None] = {}
    name = MAC.sub(r"\1", name)
    for spelt in dict.fromkeys((name, _IRISH.sub("O", name))):
        read = parts(spelt)
        for groups in _groupings(read):
            is_capital = re.search(r"(?<![\w'’-])[^\W\dA-Z_]", spelt) is None
            orders = _orders(
                groups, _at_comma(read, groups), is_upper=spelt.isupper(), is_capital=is_capital
            )
            if read and read[0].role == "kept" and read[0].text.casefold() in FORMAL:
                # "Mrs Torres-Webb", but "Mr Tom"
                orders = (
                    o
                    for o in orders
                    if o.families or o.letters or nicknames.is_given(min(o.given[0]))
                )
            made |= dict.fromkeys(orders)
    return tuple(made)


@dataclass(frozen=True, slots=True)
class _Group:
    """Words that hyphens join, and the particles before them."""

    words: Words
    particles: Words
    end: int
    is_eastern: bool = False  # "Jong-su", a given name that stands last

    @property
    def is_letter(self) -> bool:
        return all(len(word) == 1 for word in self.words)

    @property
    def is_given(self) -> bool:
        return nicknames.is_given(self.words[0])


def _groupings(read: Sequence[NamePart]) -> Iterator[list[_Group]]:
    """The groups of a name; "Bin Salman" and "Al Gore" may begin with a particle or with a given name."""
    first = next((at for at, p in enumerate(read) if p.role in _NAMED), len(read))
    last = max((at for at, p in enumerate(read) if p.role in _NAMED), default=0)
    is_open = read[first : first + 1] and read[first].text.casefold() in OPEN_PARTICLES
    for leads in (False, True) if is_open and first < last else (False,):
        made, before = list[_Group](), list[str]()
        for at, part in enumerate(read):
            low = part.text.casefold()
            is_named = part.role in _NAMED
            is_title = at < first and part.text.isupper() and low in TITLES  # "DI Frost"
            if low in PARTICLES and at < last and part.role != "initial" and not is_title:
                is_particle = not is_named or at > first or leads
            else:
                is_particle = False
            if is_particle:
                before.append(low)
            elif is_named and made and not before and read[at - 1].text in HYPHENS:
                words = (*made[-1].words, word_key(part.text))
                made[-1] = _Group(words, made[-1].particles, at, part.text.islower())
            elif is_named:
                made.append(_Group((word_key(part.text),), tuple(before), at))
                before = []
        yield made


def _at_comma(read: Sequence[NamePart], groups: Sequence[_Group]) -> int:
    """How many groups stand before the comma of "Keller, Anna"; 0 for none."""
    at = next((at for at, p in enumerate(read) if p.role == "between" and "," in p.text), 0)
    before = sum(group.end < at for group in groups)
    return before if before < len(groups) else 0


def _orders(
    groups: Sequence[_Group], comma: int, *, is_upper: bool, is_capital: bool
) -> Iterator[NameReading]:
    many = len(groups)
    words = tuple(word for group in groups for word in group.words)
    particle = next((at for at, group in enumerate(groups) if group.particles and at), 0)
    if not words:
        return
    if comma:
        yield _reading(groups[comma:], groups[:comma])
    elif all(len(word) == 1 for word in words) and len(words) > 1:
        yield NameReading(letters="".join(words))
    elif len(words) > _MOST_WORDS:
        yield _reading((), groups)
    elif particle:
        yield _reading(groups[:particle], groups[particle:])
        if is_capital and particle == 1 and _may_turn(groups, is_upper=is_upper):
            yield _turned(groups[1:], groups[:1])  # "Nguyen Van An"
    else:
        orders = [_reading(groups[:-n], groups[-n:]) for n in (1, 2) if _may_end(groups, n)]
        if many > 2 and groups[-1].is_letter and not groups[-2].is_letter:
            orders.append(_reading((*groups[:-2], groups[-1]), groups[-2:-1]))  # "Divya Menon D"
        turns = [
            _turned(groups[n:], groups[:n])
            for n in ((1, 2) if _may_turn(groups, is_upper=is_upper) else ())
            if n < many and not any(group.is_letter for group in groups[:n])
        ]
        # "KELLER ANNA", "Kim Jong-su"
        is_turned = is_upper and groups[-1].is_given and not groups[0].is_given
        is_turned = is_turned or (many > 1 and groups[-1].is_eastern)
        yield from (*turns, *orders) if is_turned else (*orders, *turns)
        if not groups[0].particles:
            yield _reading(groups, ())
        if many == 1 or (many == 2 and not groups[0].is_given):
            yield _reading((), groups)


def _may_end(groups: Sequence[_Group], many: int) -> bool:
    """Whether so many groups may be the family name behind given ones."""
    before, family = groups[:-many], groups[-many:]
    is_name = many == 1 or not any(group.is_letter for group in family)
    return bool(before) and is_name and not groups[0].particles


def _may_turn(groups: Sequence[_Group], *, is_upper: bool) -> bool:
    """Whether the family name may stand first: "Kumar P.", "Takahashi Yuki", "KELLER ANNA"."""
    first, last = groups[0], groups[-1]
    if len(groups) < 2 or first.is_letter:
        return False
    is_given = first.is_given or bool(nicknames.gender(first.words[0]))
    return is_upper or bool(first.particles) or last.is_letter or last.is_eastern or not is_given


def _reading(given: Sequence[_Group], family: Sequence[_Group]) -> NameReading:
    words = tuple(word for group in family for word in group.words)
    return NameReading(
        tuple(frozenset({word}) for group in given for word in group.words),
        (words,) if words else (),
        tuple(word for group in family for word in group.particles),
        hyphened=any(len(group.words) > 1 for group in family),
    )


def _turned(given: Sequence[_Group], family: Sequence[_Group]) -> NameReading:
    """A reading with the family name first; Nguyen Thi Mai is Mai."""
    made = _reading(given, family)
    return replace(made, turned=True, firsts=frozenset({0, len(made.given) - 1}))


def spelt_as(reading: NameReading, spelt: Mapping[str, str]) -> NameReading:
    """A reading in the spellings of other mentions: Mueller is Müller where Müller is told."""
    if not spelt or reading.words.isdisjoint(spelt):
        return reading
    return replace(
        reading,
        given=tuple(frozenset(spelt.get(w, w) for w in part) for part in reading.given),
        families=tuple(tuple(spelt.get(w, w) for w in part) for part in reading.families),
    )


# Whether a mention may be of a person


def merged(one: NameReading, full: NameReading, alias: str = "") -> NameReading | None:
    """What is known of a person of whom a mention is told, too; None where its words do not fit.

    Given names may be nicknames or initials, in their order, and some of them left out; of two family names
    either may be.

    >>> full, bill = (name_readings(name)[0] for name in ("William Jay Drax", "Bill D."))
    >>> [sorted(words) for words in merged(bill, full).given]
    [['bill', 'william'], ['jay']]
    """
    if one.letters or full.letters:
        return full if one.letters and one.letters in initials_of(full) else None
    if one.particles and one.particles != full.particles:
        return None
    families = full.families
    if one.families:
        family, is_bare = one.families[0], not one.given
        if not _fits_family(one, full, is_bare=is_bare):
            return None
        if is_bare:
            is_known = family in families or (_letters(family) and families)
            return full if is_known else replace(full, families=(*families, family))
        if family not in families:
            is_fuller = _letters(families[0]) or len(family) > len(families[0])
            families = (family, *families) if is_fuller else (*families, family)
        places = _embedded(one.given, full.given, alias)
    else:
        places = _begun(one.given, full, alias)
    if places is None:
        return None
    given = list(full.given)
    for at, told in zip(places, one.given, strict=True):
        if alias not in told:
            long = {word for word in given[at] | told if len(word) > 1}
            given[at] = frozenset(long) or told
    return NameReading(
        tuple(given),
        families,
        full.particles,
        hyphened=full.hyphened or one.hyphened,
        turned=full.turned and one.turned,
        firsts=full.firsts | {places[0]},
    )


def _fits_family(one: NameReading, full: NameReading, *, is_bare: bool) -> bool:
    family = one.families[0]
    if family in full.families:
        return True
    whole = full.families[0] if full.families else ()
    if is_bare:
        if full.turned and full.given and {*family} == full.given[-1]:
            return True  # Ms Mai
        if len(family) == 1 == len(family[0]):  # "Mr P" is Tom Parker
            return any(family[0] == told[0][0] for told in (*full.families, full.particles) if told)
        return len(whole) == 2 and len(family) == 1 and family[0] in whole
    for short, long in ((family, whole), (whole, family)):
        if (letters := _letters(short)) and long:
            # "Nina K.", "Rita C-B"
            initials = "".join(word[0] for word in long)
            return letters in (initials, initials[0], *(word[0] for word in full.particles[:1]))
    if len(family) == 1 < len(whole):
        return family[0] in whole
    return len(whole) == 1 and one.hyphened and whole[0] in family


def _letters(words: Words) -> str:
    return "".join(words) if all(len(word) == 1 for word in words) else ""


def begins_alike(one: NameReading, full: NameReading) -> bool:
    """Whether the first given name of a mention may be the first one of a person."""
    return not (one.given and full.given) or _may_be(one.given[0], full.given[0], 0, "")


def is_called_so(one: NameReading, full: NameReading) -> bool:
    """Whether a given name is short for the person's: Peggy is Margaret, and no Rita."""
    return not (one.given and full.given) or any(
        own.startswith(word)
        or nicknames.is_short_for(word, own)
        or nicknames.is_short_for(own, word)
        for word in one.given[0]
        for own in full.given[0]
    )


def _embedded(
    short: Sequence[frozenset[str]], full: Sequence[frozenset[str]], alias: str
) -> list[int] | None:
    """Where the given names of a mention stand among those of a person, in their order."""
    places, at = list[int](), 0
    for told in short:
        fits = (n for n in range(at, len(full)) if _may_be(told, full[n], n, alias))
        at = next(fits, len(full))
        if at == len(full) or (at and not places and not _is_called(told, full, at)):
            return None  # Peggy is Margaret Ann, and no Ann Margaret
        places.append(at)
        at += 1
    return places


def _is_called(told: frozenset[str], full: Sequence[frozenset[str]], at: int) -> bool:
    """Whether a given name that is not the first is told by itself or its letter, and not by a nickname;
    Teresa Drax is nobody who is told as Brianna T. Drax."""
    own = full[at]
    is_letter = max(map(len, own)) == 1 < max(map(len, full[0]))
    return not told.isdisjoint(own) or (min(map(len, told | own)) == 1 and not is_letter)


def _begun(given: Sequence[frozenset[str]], full: NameReading, alias: str) -> list[int] | None:
    """Where the given names stand by which somebody is called; an initial tells none."""
    for first in sorted(full.firsts):
        rest = full.given[first : first + len(given)]
        if len(rest) == len(given) and all(
            (max(map(len, own)) > 1 and _may_be(told, own, first + n, alias)) or _begins(told, own)
            for n, (told, own) in enumerate(zip(given, rest, strict=True))
        ):
            return list(range(first, first + len(given)))
    return _embedded(given, full.given, "") if len(given) == 1 and given[0] in full.given else None


def _may_be(told: frozenset[str], own: frozenset[str], at: int, alias: str) -> bool:
    """Whether a word may be a given name, by all the words by which that is told: Samuel is "Sam", but no
    Samantha whom they call so."""
    return (not at and alias in told) or all(_same(one, other) for one in told for other in own)


def _begins(told: frozenset[str], own: frozenset[str]) -> bool:
    """Whether somebody is called by the beginning of the given name: Miroslav is "Miro"."""
    return any(word in beginnings(name) for word in told for name in own)


def beginnings(name: str) -> list[str]:
    """By what the bearers of a given name may be called for short, but for names of the other sex.

    >>> beginnings("tobias"), beginnings("roberta")
    (['tob', 'tobi'], ['robe', 'rober'])
    """
    short = (name[:many] for many in range(3, len(name) - 1))
    return [s for s in short if {nicknames.gender(s), nicknames.gender(name)} != {"f", "m"}]


def _same(one: str, other: str) -> bool:
    if len(one) == 1:  # "W. Drax" may be Bill
        return any(name.startswith(one) for name in forms(other))
    if len(other) == 1:
        return any(name.startswith(other) for name in forms(one))
    return nicknames.same_given(one, other)


def initials_of(full: NameReading) -> set[str]:
    """By which letters a person is told alone: "M.K.", "JKA", "K.P." of K. P. Menon."""
    if full.letters:
        return {full.letters}
    given = "".join(min(words, key=lambda w: (-len(w), w))[0] for words in full.given)
    family = "".join(word[0] for word in full.families[0]) if full.families else ""
    made = {given + family, given[:1] + family, given[:1] + family[-1:], given}
    return {letters for letters in made if len(letters) > 1}


# Where to look: by the rarest word, for a text may tell of thousands of one name


def keys_of(full: NameReading, alias: str = "") -> set[Words]:
    """Under what a person is looked for: the family names, the given ones, initials, and every family name
    with every given one or its letter."""
    if full.many > _MOST_WORDS and full.families:  # not letters alone: "J. S. M. …"
        return {full.families[0]}
    keys: set[Words] = {(alias,)} | {(f"{letters}.",) for letters in initials_of(full)}
    spoken = [{form for word in told for form in forms(word)} for told in full.given]
    families = {word for family in full.families for word in family}
    keys |= {(word,) for word in families} | {
        (form,) for at in full.firsts for form in (spoken[at] if spoken else ())
    }
    keys |= {(word,) for told in full.given for word in told if len(word) > 1}
    firsts = (word for at in full.firsts if full.given for word in full.given[at])
    keys |= {(f"{short}-",) for word in firsts for short in beginnings(word)}
    keys |= {(f"{word[0]}…",) for told in full.given[:1] for word in told if len(word) > 1}
    for told, names in zip(full.given, spoken, strict=True):
        for family in families:
            keys |= {(family, name) for name in names} | {(family, name[0]) for name in names}
            if any(len(word) == 1 for word in told):
                keys.add((family, f"{min(told, key=len)}."))
    keys |= {(f"…{part[0][0]}",) for part in (*full.families, full.particles) if part}
    letters = {f"{word[0]}." for part in (*full.families, full.particles) for word in part[:1]}
    if full.families and _letters(full.families[0]):
        letters |= {f"{full.families[0][0]}="}
    return keys | {(name, letter) for names in spoken[:1] for name in names for letter in letters}


def searched(one: NameReading) -> Iterator[list[Words]]:
    """Under what the person of a mention may be found."""
    if one.letters:
        yield [(f"{one.letters}.",)]
    elif one.many > _MOST_WORDS:
        yield [one.families[0]]
    elif one.is_bare and one.given and one.many == 1 == max(map(len, one.given[0])):
        yield [(f"{min(one.given[0])}…",)]
    elif one.is_bare and one.given:
        yield [(form,) for word in one.given[0] for form in forms(word)]
        yield [(f"{word}-",) for word in one.given[0]]
    elif one.is_bare:
        yield [(word if len(word) > 1 else f"…{word}",) for word in one.families[0]]
    else:
        family = one.families[0]
        if _letters(family):
            yield [(form, f"{family[0]}.") for word in one.given[0] for form in forms(word)]
            return
        for told in one.given:
            for word in told:
                for name in family:
                    yield [(name, form) for form in (*forms(word), f"{word[0]}.")]
        yield [(form, f"{family[0][0]}=") for word in one.given[0] for form in forms(word)]
