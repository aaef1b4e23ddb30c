"""Invented values: plausible, of the same kind and shape, and the same for the same original everywhere.

A proposal follows from the key, the kind, the original and the number of the attempt, and steers clear of
what stands in the document. The vault then sees to it that no two originals share one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property

from sfumato.english.folding import folded_words, normal_form
from sfumato.english.numbers import ordinal
from sfumato.english.wordlists import ORG_WORDS, STREET_WORDS
from sfumato.facts.phones import read as read_phone
from sfumato.keys import Key
from sfumato.kinds import KINDS
from sfumato.protect import Vault
from sfumato.protect.replace import codes, phones
from sfumato.protect.replace.lists import PEOPLES
from sfumato.protect.replace.names import Namer
from sfumato.protect.replace.pools import Draw, Pools, pools

_WORD = re.compile(r"\w+")
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
        self, key: Key, vault: Vault, locale: str, *, text: str = "", persons: Iterable[str] = ()
    ) -> None:
        self._key, self._vault, self._locale, self._text = key, vault, locale, text
        self._persons = tuple(persons)

    def value(self, kind: str, original: str) -> str | None:
        """The surrogate of an original; `None` where nothing plausible can be made."""
        maker = _MAKERS.get(kind)
        if maker is None and KINDS.get(kind) and KINDS[kind].family:
            maker = _MAKERS.get(KINDS[kind].family)
        made = (maker or Inventor._other)(self, kind, original)
        return None if made is None or holds(made, original) else made

    # What proposals are made of

    @cached_property
    def _pools(self) -> Pools:
        return pools(self._locale)

    @cached_property
    def _seen(self) -> frozenset[str]:
        return frozenset(_WORD.findall(self._text.casefold()))

    def _avoid(self, made: str) -> bool:
        """Whether a word of the proposal stands in the document; short numbers stand everywhere."""
        return any(w in self._seen for w in folded_words(made) if len(w) > 3 or w.isalpha())

    @cached_property
    def _namer(self) -> Namer:
        return Namer(
            self._key,
            self._vault,
            self._pools,
            mentions=self._persons,
            avoid=self._seen.__contains__,
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

    def _person(self, _: str, original: str) -> str | None:
        return self._namer.name(original)

    def _code(self, kind: str, original: str) -> str | None:
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

    def _phone(self, _: str, original: str) -> str | None:
        phone = read_phone(original, self._locale)
        if not phone.national:
            return self._code("PHONE", original)
        name = f"{phone.country} {phone.national}"
        made = self._allocate("PHONE", name, lambda draw, n: phones.national(phone, draw, n))
        return phones.write(phone, made, Draw(self._key, "EXTENSION", name))

    def _email(self, kind: str, original: str) -> str | None:
        local, _, domain = original.rpartition("@")
        home = Draw(self._key, "DOMAIN", normal_form(domain)).pick(("com", "org", "net"))
        # Looked up beforehand: a proposal must not ask the vault that it is made for.
        names = self._names_in(local)

        def make(draw: Draw, attempt: int) -> str:
            def box(word: str) -> str:
                invented = draw.letters(1) if len(word) == 1 else draw.surname().lower()
                return names.get(word, invented)

            made = re.sub(r"[^\W\d_]+", lambda m: box(m[0]), local[:64] or "x")
            return f"{_redigit(made, draw)}{draw.digits(attempt // 8)}@example.{home}"

        return self._allocate(kind, original, make)

    def _names_in(self, local: str) -> dict[str, str]:
        """The words of a mailbox that name a person of the document, and what stands for them there."""
        words = re.findall(r"[^\W\d_]+", local)
        known = {w: made.lower() for w in words if (made := self._namer.known(w)) is not None}
        if known:
            owner = list(known)[-1]
            known |= {w: self._namer.initial(w, owner).lower() for w in words if len(w) == 1}
        return known

    def _url(self, kind: str, original: str) -> str | None:
        found = re.match(r"([a-z][a-z0-9+.-]*:/{0,2})?([^/?#]*)([^?#]*)", original, re.IGNORECASE)
        scheme, host, path = found.groups(default="") if found else ("", original, "")
        www = "www." if host.lower().startswith("www.") else ""

        def make(draw: Draw, attempt: int) -> str:
            site = Draw(self._key, "HOST", normal_form(host), attempt).surname().lower()
            steps = "".join(f"/{draw.surname().lower()}" for s in path.split("/")[1:4] if s)
            end = "/" if path.endswith("/") else ""
            return f"{scheme}{www}{site}{draw.digits(attempt // 8)}.example.org{steps}{end}"

        return self._allocate(kind, original, make)

    def _username(self, kind: str, original: str) -> str | None:
        sign = "@" if original.startswith("@") else ""

        def make(draw: Draw, attempt: int) -> str:
            count = min(sum(c.isdigit() for c in original), 6) + attempt // 8
            return sign + draw.surname().lower() + draw.digits(count)

        return self._allocate(kind, original, make)

    def _age(self, _: str, original: str) -> str | None:
        """Ages change places within five years: no two share one, and none stays."""
        numbers = _AGE.findall(original)
        if len(numbers) != 1:
            return None
        base, place = divmod(int(numbers[0]), _AGE_BLOCK)
        turn = 1 + Draw(self._key, "AGE", base).below(_AGE_BLOCK - 1)
        new = base * _AGE_BLOCK + (place + turn) % _AGE_BLOCK
        return re.sub(
            r"\d+(st|nd|rd|th)?\b|\d+", lambda m: ordinal(new) if m[1] else str(new), original
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
                r"(\d)(?!.*\d)", lambda m: m[0] + "0" * (attempt // codes.PATIENCE), original
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

    def _place(self, _: str, original: str) -> str | None:
        names = self._pools
        country = normal_form(original) in names.known_countries

        def make(draw: Draw, attempt: int) -> str:
            if country and attempt < 12:
                return draw.pick(names.countries)
            if names.cities and attempt < 12:
                return draw.pick(names.cities)
            return draw.surname() + draw.letters(attempt // codes.PATIENCE)

        return codes.respell(self._allocate("LOC", original, make), original)

    def _org(self, kind: str, original: str) -> str | None:
        words = re.findall(r"[^\W_][\w'’.&-]*", original)
        kept = [w for w in words if w.lower().strip(".") in ORG_WORDS]
        tail = (
            " ".join(kept[-2:]) if kept and len(kept) < len(words) and words[-1] == kept[-1] else ""
        )

        def make(draw: Draw, attempt: int) -> str:
            name = draw.surname() + draw.letters(attempt // codes.PATIENCE)
            return f"{name} {tail or draw.pick(('Group', 'Partners', 'Services', 'Associates'))}"

        return codes.respell(self._allocate(kind, original, make), original)

    def _address(self, _: str, original: str) -> str | None:
        """Word by word: numbers and codes keep their shape, names are invented, "Street" stays."""
        streets = self._pools.streets.union(STREET_WORDS)

        def part(found: re.Match[str]) -> str:
            text = found[0]
            if any(c.isdigit() for c in text):
                return self._code("ADDRESS", text) or "0"
            if text.lower() in streets or (len(text) == 2 and text.isupper()):
                return text
            return codes.respell(self._place("LOC", text) or "", text)

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


_MAKERS: dict[str, Callable[[Inventor, str, str], str | None]] = {
    "PERSON": Inventor._person,
    "ORG": Inventor._org,
    "LOC": Inventor._place,
    "ADDRESS": Inventor._address,
    "POSTCODE": Inventor._code,
    "COORDINATES": Inventor._coordinates,
    "TIME": Inventor._time,
    "DEM": Inventor._group,
    "AGE": Inventor._age,
    "QUANTITY": Inventor._amount,
    "PHONE": Inventor._phone,
    "EMAIL": Inventor._email,
    "URL": Inventor._url,
    "USERNAME": Inventor._username,
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
