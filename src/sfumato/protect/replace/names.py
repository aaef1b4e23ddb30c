"""Names to put in the place of persons' names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from sfumato.english.folding import APOSTROPHES, normal_form, spelt_out
from sfumato.english.nicknames import formal, is_given, relatives, same_given
from sfumato.english.wordlists import PARTICLES, TITLES
from sfumato.facts.persons import NamePart, Role, forms, parts, spelt_together, word_key
from sfumato.keys import Key
from sfumato.protect import Vault
from sfumato.protect.replace.callings import Callings
from sfumato.protect.replace.codes import respell
from sfumato.protect.replace.pools import Draw, Pools

_FIRST = frozenset(PARTICLES) - frozenset(TITLES)  # what may also be a given name
_MOST_INITIALS = 4
_BARE = "alone"  # of a family name that no given name stands with
POOL_PATIENCE = 10  # attempts after which a name becomes a double name


class _Person:
    """The words of a person's name by their roles."""

    def __init__(self, name: str, alone: Callable[[str], Role], told: Callings) -> None:
        self.sex, self.likely = told.sexes.get(name, ""), told.likely.get(name, "")
        read = [(p.role, p.text) for p in parts(name, alone=alone)]
        _, first = read[0]
        if all(role != "given" for role, _ in read) and first.istitle() and first.lower() in _FIRST:
            read[0] = "given", first  # Van Morrison, Di Wood
        self.given = [text for role, text in read if role == "given"]
        self.family = [text for role, text in read if role == "family"]
        self.initials = [text for role, text in read if role == "initial"]
        own = [(text, role) for role, text in read if role in ("given", "family")]
        self._words = {key(text): (text, role) for text, role in own for key in (word_key, _key)}

    def meant(self, word: str, role: Role) -> tuple[str, Role]:
        """The word of the name that a word of a mention stands for, and its role."""
        called = (g for g in self.given if role == "given" and same_given(_key(word), _key(g)))
        known = self._words.get(_key(word)) or self._words.get(word_key(word))
        return known or (next(called, word), role)

    def is_told_by(self, letters: str) -> bool:
        """Whether capitals are no word of the name, but its initials: "JKA", "KP"."""
        is_short = letters.isupper() and letters.isalpha() and 1 < len(letters) <= _MOST_INITIALS
        is_word = any(same_given(_key(letters), word) for word in self._words)
        return is_short and bool(self._words) and not is_word

    def abbreviated(self, letter: str, has_family: bool) -> str:
        """The word of the name that an initial stands for; nothing where none begins so."""
        words = self.given if has_family else [*self.given, *self.family]
        low = _key(letter)
        fits = (w for w in words if any(n.startswith(low) for n in forms(_key(w))))
        return next(fits, "")


class Namer:
    """Invents persons' names word by word, so that "Keller" stays one name wherever it stands. `persons` are
    the full names of those of whom the document tells, record by record."""

    def __init__(
        self,
        key: Key,
        vault: Vault,
        names: Pools,
        *,
        persons: Iterable[Sequence[str]] = (),
        told: Callings | None = None,
        avoid: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._key, self._vault, self._names, self._avoid = key, vault, names, avoid
        self._told = told or Callings()
        self._roles: dict[str, Role] = dict.fromkeys(self._told.given, "given")
        self._roles |= dict.fromkeys(self._told.family, "family")
        self._persons: dict[str, _Person] = {}
        self._initials: dict[str, set[str]] = {}  # family name -> first initials it stands with
        self._shared: set[str] = set()  # given names in full, by forms of which two persons go
        self._apart: set[tuple[str, str]] = set()  # (given, family) of two who might be one
        persons = list(persons)
        everybody = {name for record in persons for name in record}
        for name in sorted(everybody, key=lambda name: (" " not in name, name)):
            self._tell(self._person(name))
        for record in persons:
            self._tell_apart([self._person(name) for name in record])

    def _tell(self, person: _Person) -> None:
        """Take note of a person of the document."""
        first = [*person.given, *person.initials][:1]
        if not first or not person.family:
            return
        self._roles |= {_key(w): "given" for w in person.given if _key(w) not in self._roles}
        # A name that is somebody's family name is more often said alone.
        self._roles |= dict.fromkeys(map(_key, person.family), "family")
        self._initials.setdefault(_key(person.family[-1]), set()).add(_key(first[0])[:1])

    def _tell_apart(self, persons: Iterable[_Person]) -> None:
        """Take note of who are two, though their given names may be those of one."""
        words: dict[str, set[frozenset[str]]] = {}
        families: dict[str, set[str]] = {}
        for person in persons:
            own: dict[str, set[str]] = {}  # "Margaret (Peggy) Lee" is called both
            for given in map(_key, person.given):
                own.setdefault(formal(given), set()).add(given)
            for name, forms_of in own.items():
                words.setdefault(name, set()).add(frozenset(forms_of))
            families.setdefault(_family(person), set()).update(own)
        self._shared |= {name for name, called in words.items() if len(called) > 1}
        self._apart |= {
            (given, family)
            for family, names in families.items()
            for given in names
            if not relatives(given).isdisjoint(names)
        }

    def _person(self, name: str) -> _Person:
        if name not in self._persons:
            self._persons[name] = _Person(name, self._alone, self._told)
        return self._persons[name]

    def name(self, original: str, known_as: str = "") -> str:
        """An invented name with the parts and the spelling of the original, which is that of the person
        who is known by the other name."""
        person = self._person(known_as or original)
        read = parts(original, alone=self._alone)
        if known_as not in ("", original) and person.is_told_by(original):
            return "".join(self._initial(letter, person, "") for letter in original)
        family = next((p.text for p in reversed(read) if p.role == "family"), "")
        if family and self._is_unknown(read, person, family):
            read = _without_initials(read)
        out = []
        for part in read:
            if part.role in ("given", "family") or part.text in person.given:
                word = self._word(*person.meant(part.text, part.role), person)
                out.append(respell(word, part.text))
            elif part.role == "initial":
                out.append(self._initial(part.text, person, family))
            else:
                out.append(part.text)
        return "".join(out)

    def spelt(self, known_as: str) -> Callable[[str], str | None]:
        """What stands in the user names and addresses of a person for a word there; nothing for one that does
        not tell the name."""
        person = self._person(known_as)
        given = {_key(w): self._word(w, "given", person).lower() for w in person.given}
        made = given | {_key(w): self._word(w, "family", person).lower() for w in person.family}
        if person.given and person.family:
            words = _key(person.given[0]), _key(person.family[-1])
            new = [made[w] for w in words]
            for form in forms(words[0]):
                made |= dict(zip(spelt_together(form, words[1]), spelt_together(*new), strict=True))
                made[form[:1]] = new[0][:1]
            made.setdefault(words[1][:1], new[1][:1])

        def spelt(word: str) -> str | None:
            low = _key(word)
            short = (new for name, new in given.items() if len(low) > 1 and same_given(low, name))
            return made.get(low) or next(short, None)

        return spelt

    def _is_unknown(self, read: Sequence[NamePart], person: _Person, family: str) -> bool:
        """Whether a name has initials of which the document tells nothing more, and needs none to be told
        from others of its family name: another document may have the name in full."""
        initials = [p.text for p in read if p.role == "initial"]
        if not initials or any(p.role == "given" for p in read):
            return False
        alike = self._initials.get(_key(family), set())
        return not person.abbreviated(initials[0], True) and len(alike) < 2

    def _alone(self, word: str) -> Role:
        """What a name is that stands alone: as the document tells, else as lists do. One that none has is a
        given name, for that reads well in the place of either; in capitals, a family name."""
        if role := self._roles.get(_key(word)):
            return role
        if self._names.knows(word) or is_given(_key(word)):
            return "given"
        is_family = _key(word) in self._names.known_family or (word.isupper() and len(word) > 1)
        return "family" if is_family or not _is_latin(word) else "given"

    def _word(self, word: str, role: Role, person: _Person | None = None) -> str:
        """What stands for a word of a person's name."""
        original = self._original(word, role, person)
        listed = self._names.gender(original) if role == "given" else ""
        usual = listed or (self._drawn_sex(original) if role == "given" else "")
        told = (person.sex or listed or person.likely) if person else listed
        sex = usual and (told or usual)
        # Sandy is one name in all documents, and another only where she is told to be a woman.
        named = original if sex == usual else f"{original} {sex}"

        def propose(attempt: int) -> str:
            draw = Draw(self._key, "PERSON", role, named, attempt)
            made = ""
            for _ in range(12):
                made = self._invent(draw, word, role, sex, attempt)
                low = normal_form(made)
                if low[:1] != original[:1] and low != original and not self._avoid(low):
                    break
            return made

        return self._vault.allocate("PERSON", named, propose)

    def _drawn_sex(self, given: str) -> str:
        """The sex of a given name that no list has: by its end, else by the key."""
        is_female = given.endswith("a") or not Draw(self._key, "SEX", given).below(2)
        return "female" if is_female else "male"

    def _original(self, word: str, role: Role, person: _Person | None) -> str:
        """A word of a name as the vault knows it. Short forms of a given name are one with it, but where two
        persons of the document are called by different ones; what is short for several names is the one by
        which other documents have called one of that family name."""
        given = _key(word)
        if role != "given":
            return self._shared_by_few(given, person)
        given = given if formal(given) in self._shared else formal(given)
        family = _family(person) if person else ""
        if not relatives(given):
            return given

        def called(family: str) -> str:
            meant = f"{given} {family}"
            made = lambda _: f"{self._known_as(given, family)} {meant}"  # noqa: E731
            return self._vault.allocate("CALLED", meant, made).split(" ")[0]

        alone = called("")  # as he may be called in another document
        return called(family) if family else alone

    def _shared_by_few(self, family: str, person: _Person | None) -> str:
        """A family name, of a common one with a number that goes by the first letters of the given names: how
        often an invented name occurs must not tell whether it stands for Smith. Mr Smith is the first of
        whom a document tells more, be it an earlier one or a later one."""
        given = [*person.given, *person.initials] if person else []
        many = self._names.bearers(family)
        if many < 2:
            return family
        letters = "".join(formal(_key(name))[:1] for name in given)
        number = str(Draw(self._key, "FAMILY", family, letters).below(many)) if given else _BARE
        first = self._first(family, number)
        if not given:
            number = first
        elif first == _BARE and self._first(f"{family} {_BARE}", number) == number:
            number = _BARE
        return family if number == _BARE else f"{family} {number}"

    def _first(self, name: str, number: str) -> str:
        """The number with which a name was told first."""
        return self._vault.allocate("FIRST", name, lambda _: f"{number} {name}").partition(" ")[0]

    def _known_as(self, given: str, family: str) -> str:
        """Of those in the vault who have the family name, the one who may have the given name, too; "Sam" is
        nobody where Samuel and Samantha are told, nor is Samantha where Samuel is called so."""
        near = relatives(given)
        if (given, family) in self._apart or formal(given) in self._shared:
            return given

        def known(names: Iterable[str]) -> dict[str, str]:
            rows = ((name, self._vault.stored("CALLED", f"{name} {family}")) for name in names)
            return {name: row.split(" ")[0] for name, row in rows if row}

        found = known(sorted(near))
        others = known(sorted({far for name in found for far in relatives(name)} - near - {given}))
        fits = {*found.values()} - {*others.values()}
        return fits.pop() if len(fits) == 1 else given

    def _invent(self, draw: Draw, word: str, role: Role, sex: str, attempt: int) -> str:
        if not _is_latin(word):
            return draw.spelled(word) + draw.letters(attempt // 40)
        names = self._names
        if role == "given":
            female = sex == "female"
            pool = names.female if female else names.male
            made = draw.pick(pool) if attempt < 6 else draw.given(female)
        else:
            made = draw.pick(names.surnames) if names.surnames and attempt < 6 else draw.surname()
        if attempt < POOL_PATIENCE:
            return made
        # A pool that is used up goes on with double names, of which there are many more.
        double = draw.given(sex == "female") if role == "given" else draw.surname()
        return f"{made}-{double}"

    def _initial(self, letter: str, person: _Person, family: str) -> str:
        """Another letter: the first of the name that the full name got, where the document has one."""
        low = normal_form(letter)
        full = person.abbreviated(letter, bool(family))
        role: Role = "family" if full in person.family else "given"
        first = self._word(full, role, person)[:1].upper() if full else ""
        if first and not family and normal_form(first) != low:  # M.K.
            return first.lower() if letter.islower() else first
        owner = self._word(family, "family", person) if family else ""
        place = f" {at}" if (at := person.given.index(full) if full in person.given else 0) else ""

        def propose(attempt: int) -> str:
            if attempt == 0 and first and normal_form(first) != low:
                return f"{first} {owner}{place}"
            draw = Draw(self._key, "INITIAL", low, normal_form(family), attempt)
            made = draw.pick([c for c in "ABCDEFGHIJKLMNOPRSTVW" if c.casefold() != low])
            return f"{made}{draw.letters(attempt // 60)} {owner}{place}"

        meant = self._original(full, role, person) if full else low
        made = self._vault.allocate("INITIAL", f"{meant} {family}", propose).split(" ")[0]
        return made.lower() if letter.islower() else made


def _key(word: str) -> str:
    """One spelling for a word of a name."""
    return word_key(spelt_out(word))


def _family(person: _Person) -> str:
    return " ".join(map(_key, person.family))


def _without_initials(read: Sequence[NamePart]) -> list[NamePart]:
    """A name's parts but for the initials and what belongs to them: the dot, the comma before."""
    made: list[NamePart] = []
    for before, part in zip([None, *read], read, strict=False):
        if part.role == "initial" or (
            part.role == "between" and before and before.role == "initial"
        ):
            continue
        made.append(part)
    while made and made[-1].role == "between":
        made.pop()
    return made


def _is_latin(word: str) -> bool:
    return all(
        ord(c) < 0x250 or 0x1E00 <= ord(c) < 0x1F00 or c in APOSTROPHES for c in word
    ) and bool(re.search(r"[^\W\d_]", word))
