"""Invented numbers and codes: the shape of the original, a checksum where it has one, and, where somebody
has set numbers aside for the purpose, a number that can be nobody's."""

from __future__ import annotations

import importlib
import ipaddress
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from stdnum.luhn import calc_check_digit as _luhn

from sfumato.detect.patterns.checks import VIN_LETTERS, vin_check
from sfumato.english.folding import plain_digits
from sfumato.protect.replace.pools import Draw

# After this many refused proposals the shape is taken to be used up, and grows by a digit.
PATIENCE = 48

Make = Callable[[str, Draw], str]


def compact(text: str) -> str:
    """A code without its punctuation, in capital letters and plain digits: what tells it from another one."""
    return "".join(c for c in plain_digits(text) if c.isalnum()).upper()


def lay(code: str, original: str) -> str:
    """A compact code in the layout and the case of the original; what is too much goes to its end.

    >>> lay("99912345678", "632-184 510")
    '999-123 45678'
    """
    places = [i for i, c in enumerate(original) if c.isalnum()]
    if not places or len(code) < len(places):
        return code
    out = list(original)
    for at, char in zip(places, code, strict=False):
        out[at] = char.lower() if original[at].islower() else char
    last = places[-1]
    out[last] += code[len(places) :].lower() if original[last].islower() else code[len(places) :]
    return "".join(out)


def respell(word: str, original: str) -> str:
    """A word in the case of the original: CAPITALS, small letters, or as it is."""
    if len(original) > 1 and original.isupper():
        return word.upper()
    return word.lower() if original.islower() else word


def code(kind: str, original: str, draw: Draw, attempt: int) -> str:
    """An invented compact code for a compact original of this kind."""
    made = _MAKERS.get(_true_kind(kind, original), _spelled)(original, draw)
    return made + draw.digits(attempt // PATIENCE)


def _true_kind(kind: str, original: str) -> str:
    """A card or a bank account that was found only as some code."""
    if kind not in ("CODE", "ACCOUNT"):
        return kind
    if re.fullmatch(r"\d{13,19}", original, re.ASCII) and _luhn(original[:-1]) == original[-1]:
        return "CARD"
    return "IBAN" if re.fullmatch(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", original, re.ASCII) else kind


# Codes by kind


def _spelled(original: str, draw: Draw) -> str:
    made = draw.spelled(original)
    # A number that does not begin with a zero goes on not to.
    if original[:1].isdigit() and original[0] != "0" and made[0] == "0":
        return str(1 + draw.below(9)) + made[1:]
    return made


def _ssn(original: str, draw: Draw) -> str:
    """Area 9xx is never a social security number, and groups below 50 are no taxpayer number either."""
    if not re.fullmatch(r"\d{9}", original):
        return _spelled(original, draw)
    return f"9{draw.digits(2)}{1 + draw.below(49):02}{1 + draw.below(9999):04}"


def _card(original: str, draw: Draw) -> str:
    """The network's first digit, an issuer of zeros as in test cards, and a right check digit."""
    if not re.fullmatch(r"\d{12,19}", original):
        return _spelled(original, draw)
    body = original[0] + "00000" + draw.digits(len(original) - 7)
    return body + _luhn(body)


def _iban(original: str, draw: Draw) -> str:
    """The country, a bank that does not exist, and right check digits."""
    if not re.fullmatch(r"[A-Z]{2}\d{2}[A-Z0-9]{10,30}", original, re.ASCII):
        return _spelled(original, draw)
    country, account = original[:2], original[4:]
    bank = "".join("0" if c.isdigit() else "X" for c in account[:4])
    account = bank + draw.spelled(account[4:])
    number = int("".join(str(int(c, 36)) for c in account + country + "00"))
    return f"{country}{98 - number % 97:02}{account}"


def _vin(original: str, draw: Draw) -> str:
    if not re.fullmatch(r"[A-HJ-NPR-Z0-9]{17}", original, re.ASCII):
        return _spelled(original, draw)
    made = "".join(draw.digits(1) if c.isdigit() else draw.pick(VIN_LETTERS) for c in original)
    if vin_check(original) != original[8]:  # not every maker uses the check digit
        return made
    return made[:8] + vin_check(made) + made[9:]


def _uuid(original: str, draw: Draw) -> str:
    made = "".join("0123456789ABCDEF"[draw.below(16)] for _ in range(32))
    if len(original) != 32:
        return _spelled(original, draw)
    return made[:12] + "4" + made[13:16] + "89AB"[draw.below(4)] + made[17:]


def _mac(original: str, draw: Draw) -> str:
    """A locally administered address: no maker's, so no device's."""
    if not re.fullmatch(r"[0-9A-F]{12,16}", original, re.ASCII):
        return _spelled(original, draw)
    made = "".join("0123456789ABCDEF"[draw.below(16)] for _ in original)
    return made[0] + "26AE"[draw.below(4)] + made[2:]


def _crypto(original: str, draw: Draw) -> str:
    """The kind of address stays to be seen; the checksum is wrong, so that no money can get lost."""
    prefix = next((p for p in ("0X", "BC1", "LTC1", "TB1") if original.startswith(p)), original[:1])
    rest = original[len(prefix) :]
    if prefix == "0X":
        return prefix + "".join("0123456789ABCDEF"[draw.below(16)] for _ in rest)
    return prefix + draw.spelled(rest)


def _device(original: str, draw: Draw) -> str:
    made = _spelled(original, draw)
    if re.fullmatch(r"\d{15}", original, re.ASCII) and _luhn(original[:-1]) == original[-1]:
        return made[:-1] + _luhn(made[:-1])
    return made


# National numbers: the validators of python-stdnum that accept the original must accept the new one.
_NATIONAL = (
    "gb.nhs", "ca.sin", "au.tfn", "nz.ird", "ie.pps", "de.idnr", "nl.bsn", "fr.nir", "es.dni", "es.nie",
    "it.codicefiscale", "pl.pesel", "br.cpf", "se.personnummer", "fi.hetu", "no.fodselsnummer",
    "dk.cpr", "be.nn", "ch.ssn", "at.vnr", "in_.aadhaar", "za.idnr", "us.itin", "pt.cc",
)  # fmt: skip
_TAX = (
    "eu.vat", "gb.utr", "gb.vat", "de.stnr", "de.vat", "fr.siren", "fr.siret", "es.cif", "it.iva", "nl.btw",
    "pl.nip", "br.cnpj", "us.ein", "us.itin", "au.abn", "au.acn", "ca.bn", "in_.pan", "pt.nif", "ch.uid",
)  # fmt: skip
# Where they tell when somebody was born (year, month, a letter for it, day), or the sex before it.
_BORN = {
    "pl.pesel": (0, "ymd"),
    "se.personnummer": (0, "ymd"),
    "za.idnr": (0, "ymd"),
    "be.nn": (0, "ymd"),
    "no.fodselsnummer": (0, "dmy"),
    "dk.cpr": (0, "dmy"),
    "at.vnr": (4, "dmy"),
    "fr.nir": (0, "sym"),
    "it.codicefiscale": (6, "yMd"),
}
_ENDINGS = tuple(f"{n:02}" for n in range(100))


@cache
def _validator(name: str) -> Any:
    try:
        return importlib.import_module(f"stdnum.{name}").is_valid
    except ImportError:  # a validator that this version does not have
        return None


def _valid(name: str, number: str) -> bool:
    check = _validator(name)
    try:
        return bool(check and check(number))
    except Exception:  # a validator that trips over odd input says no
        return False


def _checked(validators: tuple[str, ...]) -> Make:
    """A maker of numbers that pass the first of these checks that the original passes."""

    def make(original: str, draw: Draw) -> str:
        test = next((v for v in validators if _valid(v, original)), None)
        if test is None:
            return _spelled(original, draw)
        if test == "gb.nhs":  # numbers from 999 are set aside for tests
            return _repaired("999" + draw.digits(7), test) or _spelled(original, draw)
        for _ in range(24):
            if fixed := _repaired(_dated(_spelled(original, draw), test, draw), test):
                return fixed
        return _spelled(original, draw)

    return make


def _dated(number: str, test: str, draw: Draw) -> str:
    """The number with an invented birth date where numbers of its sort have one."""
    at, layout = _BORN.get(test, (0, ""))
    drawn = {
        "y": f"{30 + draw.below(70):02}",
        "m": f"{1 + draw.below(12):02}",
        "M": draw.pick("ABCDEHLMPRST"),
        "d": f"{1 + draw.below(28):02}",
        "s": draw.pick("12"),
    }
    date = "".join(drawn[part] for part in layout)
    return number[:at] + date + number[at + len(date) :]


def _repaired(number: str, test: str) -> str | None:
    """The number with the next end for which the check holds: most check digits stand there."""
    ends = _LETTERS if number[-1:].isalpha() else _ENDINGS
    cut = len(ends[0])
    own = ends.index(number[-cut:]) if number[-cut:] in ends else 0
    return next(
        (n for e in (*ends[own:], *ends[:own]) if _valid(test, n := number[:-cut] + e)), None
    )


_LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")

_MAKERS: dict[str, Make] = {
    "SSN": _ssn,
    "CARD": _card,
    "IBAN": _iban,
    "VIN": _vin,
    "UUID": _uuid,
    "MAC": _mac,
    "CRYPTO": _crypto,
    "DEVICE": _device,
    "NATIONAL_ID": _checked(_NATIONAL),
    "TAX_ID": _checked(_TAX),
}


# Internet addresses


_DOCUMENTATION = ("192.0.2.", "198.51.100.", "203.0.113.")


def ip(draw: Draw, attempt: int, version: int) -> str:
    """An address from the ranges kept for documentation; when these are used up, a reserved one."""
    if version == 6:
        groups = [f"{draw.below(0xFFFF) + 1:x}" for _ in range(3)]
        return f"2001:db8:{groups[0]}:{groups[1]}::{groups[2]}"
    if attempt < 12:
        return draw.pick(_DOCUMENTATION) + str(1 + draw.below(254))
    return f"{240 + draw.below(15)}.{draw.below(256)}.{draw.below(256)}.{1 + draw.below(254)}"


def ip_version(text: str) -> tuple[int, str, str]:
    """The version of an address, the address, and what follows it (a port, a prefix length).

    >>> ip_version("10.1.2.3:8080")
    (4, '10.1.2.3', ':8080')
    """
    found = re.match(r"\[?([0-9A-Fa-f:.]+?)(\]?(?::\d{1,5})?(?:/\d{1,3})?)$", text)
    candidates = [(text, "")] + ([(found[1], found[2])] if found else [])
    for address, rest in candidates:
        try:
            return ipaddress.ip_address(address).version, address, rest
        except ValueError:
            continue
    return 0, text, ""
