"""Invented values: plausible, of the same kind and shape, and the same for the same original everywhere.

A proposal follows from the key, the kind, what the original is known as and the number of the attempt, and
steers clear of what stands in the document. The vault then sees to it that no two things share one; each
mention has it in its own spelling.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from sfumato.english.folding import folded_words, normal_form
from sfumato.english.nicknames import is_given
from sfumato.english.numbers import numbers_in_words, ordinal
from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import STREET_WORDS, word_set
from sfumato.facts.organisations import LEGAL
from sfumato.facts.phones import read as read_phone
from sfumato.facts.values import address_key
from sfumato.keys import Key
from sfumato.kinds import KINDS
from sfumato.know.taxonomy import places
from sfumato.protect import Vault
from sfumato.protect.replace import codes, phones
from sfumato.protect.replace.callings import Callings
from sfumato.protect.replace.lists import PEOPLES
from sfumato.protect.replace.names import Namer
from sfumato.protect.replace.organisations import renamed
from sfumato.protect.replace.pools import Draw, Pools, pools

_WORD = re.compile(r"\w+")
_LETTERS = re.compile(r"[^\W\d_]+")
_INITIALS = re.compile(r"(?:[A-Z]\.?){2,6}")
_NUMBERED = re.compile(r"(?=.*\d)[A-Z\d./-]{1,5}")  # a ward: 7B
_UNIVERSITY = re.compile(r"Uo[A-Z]{1,2}")
_NEXT_WORD = re.compile(r"\.?[^\S\n]+[^\W\d_]{2,}")
_NTH = re.compile(r"(\d+)(?:st|nd|rd|th)", re.IGNORECASE)
_UNITS = word_set(
    "flat apartment apt unit suite floor room no box po block building house level lot"
)
_OF_UNIT = re.compile(r"\.?\s?#?(?:\d|[A-Z]\b|[Bb]ox\b)|,|\Z")
_FILE = re.compile(
    r"(.+)(\.(?:jpe?g|png|gif|heic|tiff?|pdf|docx?|xlsx?|csv|txt|mp[34]|mov|wav|dcm|zip|eml|msg))",
    re.I,
)
_AGE = re.compile(r"\d{1,3}")
_TIME = re.compile(
    r"(\d{1,2})(?:([:.h])(\d{2})((?::\d{2})?))?(\s?[ap]\.?m\b\.?)?(\s?(?:Z|UTC|GMT|[A-Z]{2,4}T|[+-]\d{2}:?\d{2}))?",
    re.IGNORECASE,
)
_PEOPLE = re.compile(r"[A-Z][a-z]+(?:an|ish|ese|ch|sh|i|ek|ic|ss)")
_AGE_BLOCK = 5


class Inventor:
    """Makes the surrogates of one document."""

    def __init__(
        self,
        key: Key,
        vault: Vault,
        locale: str,
        *,
        text: str = "",
        persons: Iterable[Sequence[str]] = (),
        told: Callings | None = None,
        tells: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._key, self._vault, self._locale, self._text = key, vault, locale, text
        self._persons, self._told, self._tells = tuple(persons), told, tells

    def value(self, kind: str, original: str, name: str = "") -> str | None:
        """The surrogate of an original; `None` where nothing plausible can be made. `name` is what the thing
        is known as that it mentions, or the person whose user name or address it is."""
        family = KINDS[kind].family if kind in KINDS else ""
        kind = (
            "IP" if kind == "CODE" and "." in original and codes.ip_version(original)[0] else kind
        )
        if named := _NAMED.get(kind):
            made = named(self, original, name)
        else:
            maker = _MAKERS.get(kind) or _MAKERS.get(family, Inventor._other)
            made = maker(self, kind, original)
        return None if made is None or holds(made, original) else made

    # What proposals are made of

    @cached_property
    def _pools(self) -> Pools:
        return pools(self._locale)

    @cached_property
    def _seen(self) -> frozenset[str]:
        return frozenset(_WORD.findall(self._text.casefold()))

    def _avoid(self, made: str) -> bool:
        """Whether a word of the proposal stands in the document, or holds a name; short numbers stand
        everywhere."""
        words = (w for w in folded_words(made) if len(w) > 3 or w.isalpha())
        return self._tells(made) or any(w in self._seen for w in words)

    @cached_property
    def _namer(self) -> Namer:
        return Namer(
            self._key,
            self._vault,
            self._pools,
            persons=self._persons,
            told=self._told,
            avoid=self._avoid,
        )

    def _allocate(self, kind: str, original: str, make: Callable[[Draw, int], str]) -> str:
        """The vault's surrogate for `original`, from the first good proposals of `make`."""
        name = normal_form(original)

        def propose(attempt: int) -> str:
            draw = Draw(self._key, kind, name, attempt)
            made = ""
            for _ in range(8):
                made = make(draw, attempt)
                if not holds(made, original) and not self._avoid(made):
                    break
            # A surrogate that still holds the original is made longer until it is another word.
            return made + draw.letters(2) if holds(made, original) else made

        return self._vault.allocate(kind, original, propose)

    # The kinds

    def _person(self, original: str, name: str) -> str | None:
        return self._namer.name(original, name)

    def _code(self, kind: str, original: str) -> str | None:
        if file := _FILE.fullmatch(original):
            return f"{self._code(kind, file[1]) or 'x'}{file[2]}"
        bare = codes.compact(original)
        if not bare:
            return None
        made = self._allocate(kind, bare, lambda draw, n: codes.code(kind, bare, draw, n))
        return codes.lay(made, original)

    def _ip(self, kind: str, original: str) -> str | None:
        version, address, rest = codes.ip_version(original)
        if not version:
            return self._code(kind, original)
        made = self._allocate(kind, address, lambda draw, n: codes.ip(draw, n, version))
        return ("[" if original.startswith("[") else "") + made + rest

    def _phone(self, original: str, known_as: str) -> str | None:
        phone = whole = read_phone(original, self._locale)
        if not phone.national:
            return self._code("PHONE", original)
        if known_as and phones.is_end(phone, other := read_phone(known_as, self._locale)):
            whole = other  # it is said with the code of its country, or its area, elsewhere
        name = f"{whole.country} {whole.national}"
        made = self._allocate("PHONE", name, lambda draw, n: phones.national(whole, draw, n))
        made = phones.as_said(phone, whole, made)
        return phones.write(phone, made, Draw(self._key, "EXTENSION", name))

    def _email(self, original: str, owner: str) -> str | None:
        local, _, domain = original.rpartition("@")
        home = Draw(self._key, "DOMAIN", normal_form(domain)).pick(("com", "org", "net"))
        words = _LETTERS.findall(local[:64])
        given = [is_given(word.lower()) or self._pools.knows(word) for word in words]
        if not owner and len(words) == 2 and any(given):  # whoever has the name in another document
            owner = " ".join(words if given[0] else words[::-1]).title()
        box = self._box(local[:64] or "x", owner)
        return self._allocate("EMAIL", original, lambda draw, n: f"{box(draw, n)}@example.{home}")

    def _username(self, original: str, owner: str) -> str | None:
        bare = original.removeprefix("@")

        def make(draw: Draw, attempt: int) -> str:
            count = min(sum(c.isdigit() for c in bare), 6) + attempt // 8
            return draw.surname().lower() + draw.digits(count)

        made = self._allocate("USERNAME", bare, self._box(bare, owner) if owner else make)
        return original[: len(original) - len(bare)] + made

    def _box(self, local: str, owner: str) -> Callable[[Draw, int], str]:
        """Invents a mailbox or user name: what tells the name of its owner tells the invented one, the rest
        nothing."""
        # Looked up beforehand: a proposal must not ask the vault that it is made for.
        spelt = self._namer.spelt(owner) if owner else lambda _: None
        names = {word: spelt(word) for word in _LETTERS.findall(local)}

        def make(draw: Draw, attempt: int) -> str:
            def word(found: re.Match[str]) -> str:
                invented = draw.letters(1) if len(found[0]) == 1 else draw.surname().lower()
                return names[found[0]] or invented

            return _redigit(_LETTERS.sub(word, local), draw) + draw.digits(attempt // 8)

        return make

    def _url(self, kind: str, original: str) -> str | None:
        found = re.match(r"([a-z][a-z0-9+.-]*:/{0,2})?([^/?#]*)([^?#]*)", original, re.IGNORECASE)
        scheme, host, path = found.groups(default="") if found else ("", original, "")
        www = "www." if host.lower().startswith("www.") else ""
        site = normal_form(host.lower().removeprefix("www."))

        def make(draw: Draw, attempt: int) -> str:
            made = Draw(self._key, "HOST", site, attempt).surname().lower()
            steps = "".join(f"/{draw.surname().lower()}" for s in path.split("/")[1:4] if s)
            return f"{made}{draw.digits(attempt // 8)}.example.org{steps}"

        made = self._allocate(kind, address_key(original), make)
        return f"{scheme}{www}{made}{'/' if path.endswith('/') else ''}"

    def _age(self, _: str, original: str) -> str | None:
        """Ages change places within five years: no two share one, and none stays."""
        said = list(numbers_in_words(original)) if not _AGE.search(original) else []
        if len(said) == 1 and not said[0].decade:
            original = f"{original[: said[0].start]}{said[0].value:.0f}{original[said[0].end :]}"
        numbers = _AGE.findall(original)
        if len(numbers) != 1:
            return None
        base, place = divmod(int(numbers[0]), _AGE_BLOCK)
        turn = 1 + Draw(self._key, "AGE", base).below(_AGE_BLOCK - 1)
        new = base * _AGE_BLOCK + (place + turn) % _AGE_BLOCK
        return re.sub(
            r"\d+(?:(st|nd|rd|th)\b)?", lambda m: ordinal(new) if m[1] else str(new), original
        )

    def _time(self, _: str, original: str) -> str | None:
        """All times of day turn by one secret step."""
        found = _TIME.fullmatch(original)
        if not found:
            return None
        hour, joint, minute, seconds, half, zone = found.groups(default="")
        if not joint and not half:
            return None
        day = 720 if half else 1440
        turn = 1 + Draw(self._key, "TIME", day).below(day - 1)
        new = (int(hour) * 60 + int(minute or 0) + turn) % day
        hours = new // 60 if not half else (new // 60 or 12)
        width = 2 if len(hour) == 2 and (hour[0] == "0" or not half) else 1
        joint = joint or ":"
        return f"{hours:0{width}}{joint}{new % 60:02}{seconds}{half}{zone}"

    def _amount(self, kind: str, original: str) -> str | None:
        """Other digits, the same unit."""
        if not any(c.isdecimal() for c in original):
            return None

        def make(draw: Draw, attempt: int) -> str:
            longer = re.sub(
                r"(\d)(?=[^\d\n]*(?:\n|\Z))",
                lambda m: m[0] + "0" * (attempt // codes.PATIENCE),
                original,
            )
            return re.sub(r"(?<![\d.,])0(?=\d)", "1", _redigit(longer, draw))

        return self._allocate(kind, original, make)

    def _coordinates(self, kind: str, original: str) -> str | None:
        def number(digits: str, draw: Draw) -> str:
            whole, dot, fraction = digits.partition(".")
            top = {1: 10, 2: 50, 3: 80}.get(len(whole), 10)
            first = {1: 0, 2: 10, 3: 100}.get(len(whole), 0)
            return f"{first + draw.below(top)}{dot}{draw.digits(len(fraction))}"

        def make(draw: Draw, attempt: int) -> str:
            made = re.sub(r"\d+(?:\.\d+)?", lambda m: number(m[0], draw), original)
            return made + draw.digits(attempt // codes.PATIENCE)

        return self._allocate(kind, original, make) if re.search(r"\d", original) else None

    def _place(self, original: str, name: str) -> str | None:
        """A place for a place, and in "Austin, Texas" one for each."""
        town, comma, around = original.partition(",")
        if comma and town.strip() and around.strip():
            rest = around.lstrip()
            made = (self._one_place(town, name), comma, around[: -len(rest)], self._place(rest, ""))
            return "".join(part or "" for part in made)
        return self._one_place(original, name)

    def _one_place(self, original: str, name: str) -> str:
        names, table = self._pools, places.default()
        found = next(iter(table.senses(name or original)), None)
        country = found is not None and table.is_country(found.key)
        name = name or (table.written(found.key) if found else original)

        def make(draw: Draw, attempt: int) -> str:
            if country and attempt < 12:
                return draw.pick(names.countries)
            if names.cities and attempt < 12:
                return draw.pick(names.cities)
            return draw.surname() + draw.letters(attempt // codes.PATIENCE)

        if found is None and " " in original:
            return renamed(
                "LOC", original, original, lambda n: self._allocate("LOC", f"{name} {n}", make)
            )
        made = self._allocate("LOC", name, make)
        short = len(codes.compact(original)) < 4  # the UK, the U.S.A.
        return made if short else codes.respell(made, original)

    def _org(self, original: str, name: str) -> str | None:
        """One name for all that an organisation is called, with the words of the original for its sort; and
        letters for initials."""
        words = folded_words(name := name or original)
        initials = codes.compact(original)
        if _NUMBERED.fullmatch(original):
            return self._code("ORG", original)
        if _UNIVERSITY.fullmatch(original):
            return original[:2] + (self._code("ORG", original[2:]) or "")
        if _INITIALS.fullmatch(original) and (initials.lower() not in words or len(words) == 1):
            return self._code("ORG", original)
        known_as = " ".join(w for w in words if w not in LEGAL and w != "and") or name

        def invent(number: int) -> str:
            part = f"{known_as} {number + 1}" if number else known_as
            return self._allocate(
                "ORG", part, lambda draw, n: draw.surname() + draw.letters(n // codes.PATIENCE)
            )

        return renamed("ORG", original, name, invent)

    def _address(self, _: str, original: str) -> str | None:
        """Word by word: numbers and codes keep their shape, names are invented, "Street" and "Flat" stay."""
        streets = self._pools.streets.union(STREET_WORDS)
        has_names = not original.islower()

        def part(found: re.Match[str]) -> str:
            text, low = found[0], found[0].lower()
            if nth := _NTH.fullmatch(text):
                made = self._code("ADDRESS", nth[1]) or "1"
                return codes.respell(ordinal(int(made)), text)
            if any(c.isdigit() for c in text):
                return self._code("ADDRESS", text) or "0"
            after = _NEXT_WORD.match(original, found.end())
            is_last = not after or (has_names and after[0].islower())
            is_sort = is_last and low in streets and found.start() > 0
            is_unit = low in _UNITS and _OF_UNIT.match(original, found.end())
            is_saint = low == "st" and not is_last
            is_plain = has_names and text.islower() and is_ordinary(low)
            if is_sort or is_unit or is_saint or is_plain or (len(text) <= 2 and text.isupper()):
                return text
            return codes.respell(self._one_place(text, ""), text)

        made = re.sub(r"[^\W_]+(?:['’][^\W_]+)*", part, original)
        return made if made != original else None

    def _group(self, kind: str, original: str) -> str | None:
        """A people for a people, an occupation for everything else."""
        people = _PEOPLE.fullmatch(original) is not None

        def make(draw: Draw, attempt: int) -> str:
            if attempt < 24:
                return draw.pick(PEOPLES if people else self._pools.jobs)
            return draw.spoken(original.lower()) + draw.letters(attempt // codes.PATIENCE)

        made = self._allocate(kind, original, make)
        made = made.title() if original.istitle() else made
        return codes.respell(made, original)

    def _other(self, kind: str, original: str) -> str | None:
        if any(c.isdecimal() for c in original):
            return self._code(kind, original)
        if not any(c.isalpha() for c in original):
            return None
        small = original.lower()
        made = self._allocate(
            kind, small, lambda draw, n: draw.spoken(small) + draw.letters(n // codes.PATIENCE)
        )
        same = len(made) == len(original)
        return "".join(map(_cased, made, original)) if same else codes.respell(made, original)


_NAMED: dict[str, Callable[[Inventor, str, str], str | None]] = {
    "PERSON": Inventor._person,
    "ORG": Inventor._org,
    "LOC": Inventor._place,
    "EMAIL": Inventor._email,
    "USERNAME": Inventor._username,
    "PHONE": Inventor._phone,
    "FAX": Inventor._phone,
}
_MAKERS: dict[str, Callable[[Inventor, str, str], str | None]] = {
    "ADDRESS": Inventor._address,
    "POSTCODE": Inventor._code,
    "COORDINATES": Inventor._coordinates,
    "TIME": Inventor._time,
    "DEM": Inventor._group,
    "AGE": Inventor._age,
    "QUANTITY": Inventor._amount,
    "URL": Inventor._url,
    "CODE": Inventor._code,
    "IP": Inventor._ip,
}


def holds(text: str, original: str) -> bool:
    """Whether a text has all of the original in it, as whole words."""
    whole, part = " ".join(folded_words(text)), " ".join(folded_words(original))
    return f" {part} " in f" {whole} " if part else normal_form(original) in normal_form(text)


def _redigit(text: str, draw: Draw) -> str:
    return "".join(draw.digits(1) if c.isdecimal() else c for c in text)


def _cased(made: str, like: str) -> str:
    return made.upper() if like.isupper() else made
