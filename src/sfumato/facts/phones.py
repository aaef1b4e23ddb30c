"""Telephone numbers as they are written, and which of them are one number."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sfumato.english import spoken
from sfumato.english.folding import plain_digits

_EXTENSION = re.compile(r"(?<![\s,;])[\s,;]*(?:x|ext\.?|extension|#)\s*\d{1,6}$", re.IGNORECASE)
TRUNK_ZERO = frozenset({"44", "49", "33", "61", "353"})  # countries that dial a zero at home
_KEYPAD = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "22233344455566677778889999")
_HOME = {"GB": "44", "DE": "49", "AT": "49", "FR": "33", "AU": "61", "IE": "353"}
_LEAST_END, _LONGEST = 6, 20  # digits by which the end of a number tells it


@dataclass(frozen=True, slots=True)
class Phone:
    """A number as it is written: what country it belongs to, and its national digits."""

    country: str  # its calling code; '' where it is not known
    national: str  # with the trunk zero, where the country has one
    prefix: str  # the digits before the national number: 1, 44, 0044 …
    trunk: bool  # whether the trunk zero is written
    body: str
    extension: str


def _is_calling_code(digits: str) -> bool:
    from phonenumbers import COUNTRY_CODE_TO_REGION_CODE  # a moment's work, and only for +…

    return bool(digits) and int(digits) in COUNTRY_CODE_TO_REGION_CODE


def read(text: str, locale: str) -> Phone:
    """The number, as far as its digits tell."""
    extension = found[0] if (found := _EXTENSION.search(text)) else ""
    body = text[: len(text) - len(extension)]
    if re.search("[A-Z]{4}", body):  # 1-800-FLOWERS
        body = body.translate(_KEYPAD)
    digits = "".join(str(int(c)) for c in body if c.isdecimal())
    outside = body.lstrip("( ").startswith("+") or digits.startswith("00")
    if outside:
        bare = digits.removeprefix("00")
        country = next((bare[:n] for n in (1, 2, 3) if _is_calling_code(bare[:n])), "")
        prefix = digits[: len(digits) - len(bare) + len(country)]
        rest = bare[len(country) :]
        trunk = country in TRUNK_ZERO and rest.startswith("0")
        national = "0" + rest if country in TRUNK_ZERO and not trunk else rest
        return Phone(country, national, prefix, trunk, body, extension)
    if digits.startswith("0"):
        country = _HOME.get(locale[-2:], "44")
        return Phone(country, digits, "", True, body, extension)
    if len(digits) == 11 and digits[0] == "1":
        return Phone("1", digits[1:], "1", False, body, extension)
    return Phone("1" if len(digits) in (7, 10) else "", digits, "", False, body, extension)


def key(text: str) -> str:
    """What the spellings of one number have in common: its national digits, and the extension.

    >>> {key(n) for n in ("+44 20 7946 0958", "(020) 79460958", "0044 20 7946 0958", "+44 (0)20-7946.0958")}
    {'2079460958'}
    >>> key("oh two oh, seven nine four six, oh nine five eight")
    '2079460958'
    """
    text = plain_digits(text)
    if re.search("[a-z]{2}", text) and (said := spoken.digits(text)):
        text = f"+{said}" if text.lower().startswith(("plus", "+")) else said
    phone = read(text, "")
    digits = phone.national.removeprefix("0")
    extension = "".join(c for c in phone.extension if c.isdecimal())
    return f"{digits}x{extension}" if extension else digits


def ends_of(keys: Iterable[str]) -> dict[str, str]:
    """The number that each one is the end of, where it is that of one alone: said without its area or with
    the code of its country, but no sign that tells it.

    >>> ends_of(["2079460958", "79460958", "442079460958", "5550101"])
    {'2079460958': '442079460958', '79460958': '442079460958'}
    """
    known = sorted(set(keys), key=lambda k: (-len(k), k))
    whole = {known[0]: known[0]} if known else {}
    by_end: dict[str, set[str]] = {}
    for number in known:
        holders = by_end.get(number, set())
        whole[number] = next(iter(holders)) if len(holders) == 1 else number
        for size in range(_LEAST_END, min(len(number), _LONGEST)):
            by_end.setdefault(number[-size:], set()).add(whole[number])
    return {number: meant for number, meant in whole.items() if number != meant}
