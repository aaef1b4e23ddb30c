"""Where invented names come from: Faker's word lists, and names put together from parts.

Lists of real names are small and full of names that documents hold anyway, so the English surnames and
places are put together from parts: there are thousands, and few of them belong to anybody.
"""

from __future__ import annotations

import importlib
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from sfumato.english.folding import unaccented
from sfumato.english.nicknames import gender as listed_gender
from sfumato.english.wordlists import words
from sfumato.errors import PolicyError
from sfumato.keys import Key
from sfumato.protect.replace.lists import BACK, FEMALE_BACK, FRONT, GIVEN_FRONT, MALE_BACK, MIDDLE

T = TypeVar("T")

_LOCALE = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?")
# The names that most people bear would meet their own bearers in the same document.
_TOO_COMMON = 60
_NOT_COMMON = 0.004  # of all people; eighteen family names are half as common again, or more
# Whose given names are recognised, whatever the locale: names travel.
_FAMILIAR = words(
    "en_US en_GB en_IE en_NZ en_IN en_NG en_KE ga_IE tw_GH ha_NG ig_NG yo_NG zu_ZA sw de_DE fr_FR es_ES es_MX"
    " it_IT pt_PT pt_BR pl_PL sv_SE da_DK no_NO fi_FI nl_NL ro_RO hu_HU cs_CZ sk_SK hr_HR tr_TR"
)

_LOWER = "abcdefghijklmnopqrstuvwxyz"
_VOWELS = "aeiou"
_CONSONANTS = "bcdfghklmnprstvw"
_LATIN = (0x61, 0x7A)
# First and last small letter of the scripts that are kept; all others become Latin.
_SCRIPTS = (
    (0x3B1, 0x3C1), (0x430, 0x44F), (0x5D0, 0x5EA), (0x628, 0x63A), (0x915, 0x939),
    (0x3041, 0x3093), (0x30A1, 0x30F3), (0x4E00, 0x9FA5), (0xAC00, 0xD7A3),
)  # fmt: skip


class Draw:
    """Choices that follow from the key and a name: the same ones every time, unknown without the key."""

    def __init__(self, key: Key, *parts: object) -> None:
        self._stream = key.integers("surrogate", "\0".join(map(str, parts)))
        self._left, self._range = 0, 1

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1."""
        # One word of the stream serves several small draws; what is left keeps enough bits that no
        # value is noticeably likelier than another.
        if self._range < limit << 16:
            self._left = next(self._stream) << 32 | next(self._stream)
            self._range = 1 << 64
        self._left, value = divmod(self._left, limit)
        self._range //= limit
        return value

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def digits(self, count: int) -> str:
        return "".join("0123456789"[self.below(10)] for _ in range(count))

    def letters(self, count: int) -> str:
        return "".join(_LOWER[self.below(26)] for _ in range(count))

    def spelled(self, text: str) -> str:
        """Text of the same shape: a digit for a digit, a letter of the same script and case for a letter."""
        return "".join(self._char(c) for c in text)

    def spoken(self, text: str) -> str:
        """Text of the same shape that can be said: a vowel for a vowel, a consonant for a consonant."""
        return "".join(
            _like(c, self.pick(_VOWELS if c in "aeiouAEIOU" else _CONSONANTS))
            if c.isascii() and c.isalpha()
            else self._char(c)
            for c in text
        )

    def _char(self, char: str) -> str:
        if char.isascii():
            if char.isdigit():
                return "0123456789"[self.below(10)]
            return _like(char, _LOWER[self.below(26)]) if char.isalpha() else char
        category = unicodedata.category(char)
        if category == "Nd":
            return chr(ord(char) - unicodedata.decimal(char) + self.below(10))
        if category[0] not in "LNM":
            return char
        low = ord(char.lower()[0])
        first, last = next(((a, b) for a, b in _SCRIPTS if a <= low <= b), _LATIN)
        return _like(char, chr(first + self.below(last - first + 1)))

    def surname(self) -> str:
        """A surname or place name put together from parts."""
        return self.pick(FRONT) + self.pick(BACK)

    def given(self, female: bool) -> str:
        """A given name put together from parts."""
        back = FEMALE_BACK if female else MALE_BACK
        return self.pick(GIVEN_FRONT) + self.pick(MIDDLE) + self.pick(back)


def _like(char: str, made: str) -> str:
    return made.upper() if char.isupper() else made


@dataclass(frozen=True)
class Pools:
    """The names of a locale. `surnames` and `cities` are empty where they are put together."""

    female: tuple[str, ...]
    male: tuple[str, ...]
    surnames: tuple[str, ...]
    cities: tuple[str, ...]
    known_female: frozenset[str]
    known_male: frozenset[str]
    known_family: frozenset[str]
    countries: tuple[str, ...]
    streets: frozenset[str]
    jobs: tuple[str, ...]
    shares: Mapping[str, float]  # of all people that bear a common family name

    def gender(self, given: str) -> str:
        """'female', 'male', or '' where the lists know the name as both or not at all."""
        name = given.casefold()
        female, male = name in self.known_female, name in self.known_male
        if female == male:
            return {"f": "female", "m": "male"}.get(listed_gender(name), "")
        return "female" if female else "male"

    def bearers(self, family: str) -> int:
        """How many times as many people bear a family name as one that is not common."""
        return round(self.shares.get(family, 0) / _NOT_COMMON)

    def knows(self, given: str) -> bool:
        return given.casefold() in self.known_female or given.casefold() in self.known_male


@cache
def pools(locale: str) -> Pools:
    """The names of one of Faker's locales. Loaded on first use: Faker takes its time."""
    person = _provider("person", locale)
    if person is None:
        raise PolicyError(
            f"no names for locale '{locale}'; use one of Faker's, e.g. en_US, en_GB, de_DE"
        )
    english = locale.startswith("en")
    address = _provider("address", locale) or _provider("address", "en_US")
    known = [p for name in (locale, *_FAMILIAR) if (p := _provider("person", name)) is not None]
    female, male = _given(person, "female"), _given(person, "male")
    if female != male:  # those that tell the sex
        both = {*female} & {*male}
        female, male = (tuple(n for n in each if n not in both) for each in (female, male))
    jobs: tuple[str, ...] = getattr(_provider("job", "en_US"), "jobs", ())
    cities: tuple[str, ...] = getattr(address, "cities", ()) or getattr(address, "city_names", ())
    countries = _words(getattr(address, "countries", ()), phrases=True)
    return Pools(
        female=female,
        male=male,
        surnames=() if english else _words(getattr(person, "last_names", ())),
        cities=() if english else _words(cities),
        known_female=_known(known, "first_names_female"),
        known_male=_known(known, "first_names_male"),
        known_family=_known(known, "last_names"),
        countries=countries,
        jobs=_words((j.lower() for j in jobs if "," not in j and "/" not in j), phrases=True),
        shares=_shares(_provider("person", "en_US")),
        streets=frozenset(w.casefold() for w in getattr(address, "street_suffixes", ())),
    )


def _provider(sort: str, locale: str) -> Any:
    if not _LOCALE.fullmatch(locale):
        return None
    name = f"faker.providers.{sort}.{locale}"
    try:
        return importlib.import_module(name).Provider
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise
        return None


def _given(provider: Any, gender: str) -> tuple[str, ...]:
    names: Any = getattr(provider, f"first_names_{gender}", None) or getattr(
        provider, "first_names", ()
    )
    if not isinstance(names, dict):
        return _words(names)
    ranked = sorted(names, key=lambda n: (-names[n], n))
    return _words(ranked[_TOO_COMMON:])


def _shares(provider: Any) -> dict[str, float]:
    return {name.casefold(): share for name, share in provider.last_names.items()}


def _known(providers: Iterable[Any], attribute: str) -> frozenset[str]:
    names = {name.casefold() for p in providers for name in getattr(p, attribute, ())}
    return frozenset(names | set(map(unaccented, names)))


def _words(names: Iterable[str], *, phrases: bool = False) -> tuple[str, ...]:
    """The usable names, each once, in an order that no hash decides."""
    return tuple(sorted({n for n in names if len(n) > 2 and (phrases or n.isalpha())}))
