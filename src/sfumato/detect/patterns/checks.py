"""Checks: what is known about a candidate beyond its shape.

A check returns None (not one), "" (may be one) or the words that say what was validated.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import cache
from importlib import import_module

from stdnum import bitcoin, luhn

from sfumato.detect.patterns.engine import Check, Found
from sfumato.english.births import OLDEST
from sfumato.english.wordlists import word_set

VALID = "checksum valid"

_NOT_ALNUM = re.compile(r"[^0-9A-Za-z]+")


def digits_of(text: str) -> str:
    return "".join(c for c in text if "0" <= c <= "9")


def compact(text: str) -> str:
    return _NOT_ALNUM.sub("", text).upper()


def varied(digits: str) -> bool:
    """Whether a number is more than one digit repeated: 0000 0000 passes many a checksum."""
    return len(set(digits)) > 2


@cache
def _tests(modules: tuple[str, ...]) -> list[Callable[[str], bool]]:
    return [import_module(f"stdnum.{module}").is_valid for module in modules]


_LIST_BEFORE = re.compile(r"\d $")
_LIST_AFTER = re.compile(r" \d")


@cache
def standard(*modules: str) -> Check:
    """A check by python-stdnum's modules (`"de.idnr"`). A number that none of them accepts stays a
    candidate for a context word: it may be mistyped."""

    def check(found: Found) -> str | None:
        text = found.text
        if not varied(digits_of(text)):
            return None
        if " " in text and (_LIST_BEFORE.search(found.before) or _LIST_AFTER.match(found.after(2))):
            return ""  # three neighbours in a row of numbers: their checksum is luck
        return VALID if any(test(text) for test in _tests(modules)) else ""

    return check


@cache
def structure(*modules: str) -> Check:
    """As `standard`, for numbers without a checksum: dates and areas in them must exist, which proves
    nothing but rules others out."""

    def check(found: Found) -> str | None:
        return "" if any(test(found.text) for test in _tests(modules)) else None

    return check


VERSION_BEFORE = re.compile(
    r"(?:\b(?:version|ver|release|firmware|build|section|sec|chapter|clause|article|paragraph|para|"
    r"figure|fig|table|item|step|rule|appendix|python|java|linux|kernel|ios|android|chrome|sdk|api|"
    r"patch|update|rev|revision)\.?|\bv\.?|§)[ \t:=]*$",
    re.IGNORECASE,
)


# --- numbers with a checksum ---------------------------------------------------------------------


# The first digits and lengths that card schemes use.
_CARD_PREFIX = re.compile(
    r"(?:4\d{12}(?:\d{3}){0,2}|(?:5[0-8]|2[2-7]|6\d|35|30)\d{14}|6\d{18}|(?:2131|1800)\d{11}|"
    r"3[47]\d{13}|3[0689]\d{12})$"
)


def card(found: Found) -> str | None:
    digits = digits_of(found.text)
    if not _CARD_PREFIX.match(digits) or len(set(digits)) == 1:
        return None
    return VALID if luhn.is_valid(digits) else ""


# The length of an IBAN by country (SWIFT registry).
IBAN_LENGTHS = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29,
    "BY": 28, "CH": 21, "CR": 22, "CY": 24, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29,
    "ES": 24, "FI": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28,
    "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20,
    "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22,
    "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18, "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25,
    "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SC": 31, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "SV": 28,
    "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20,
}  # fmt: skip


def iban(found: Found) -> str | None:
    text = found.text
    length = IBAN_LENGTHS.get(text[:2].upper())
    if length is None:
        return None
    places = [i for i, char in enumerate(text) if char.isalnum()]
    if len(places) < length:
        return None
    kept = text[: places[length - 1] + 1]
    if text[len(kept) :][:1].isalnum():
        return None
    found.end = found.start + len(kept.encode())
    code = compact(kept)
    number = "".join(str(int(c, 36)) for c in code[4:] + code[:4])
    return VALID if int(number) % 97 == 1 else ""


def bic(found: Found) -> str | None:
    return "" if found.text[4:6] in {*IBAN_LENGTHS, "US", "CA", "AU", "JP"} else None


VIN_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
_VIN_VALUES = dict(zip(VIN_LETTERS, map(int, "12345678123457923456789"), strict=True))
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def vin(found: Found) -> str | None:
    text = found.text.upper()
    if not any(c.isdigit() for c in text) or not any(c.isalpha() for c in text):
        return None
    return VALID if text[8] == vin_check(text) else ""


def vin_check(vin: str) -> str:
    """The ninth character of a vehicle identification number, by all others."""
    total = sum(
        (int(c) if c.isdigit() else _VIN_VALUES[c]) * w
        for c, w in zip(vin, _VIN_WEIGHTS, strict=True)
    )
    return "0123456789X"[total % 11]


def imei(found: Found) -> str | None:
    digits = digits_of(found.text)
    return VALID if luhn.is_valid(digits) and varied(digits) else ""


def bitcoin_address(found: Found) -> str | None:
    return VALID if bitcoin.is_valid(found.text) else None


def npi(found: Found) -> str | None:
    """US National Provider Identifier: Luhn with the prefix of the health industry."""
    return VALID if luhn.is_valid("80840" + found.text) else ""


def dea(found: Found) -> str | None:
    """US DEA registration: the last digit of (1st + 3rd + 5th) + 2 · (2nd + 4th + 6th)."""
    d = [int(c) for c in found.text[2:]]
    return VALID if (d[0] + d[2] + d[4] + 2 * (d[1] + d[3] + d[5])) % 10 == d[6] else ""


_UPS_VALUES = {chr(ord("A") + i): str((i + 2) % 10) for i in range(26)}


def ups(found: Found) -> str | None:
    code = compact(found.text)
    if len(code) != 18:
        return None
    d = [int(_UPS_VALUES.get(c, c)) for c in code[2:]]
    return VALID if (-sum(d[0:15:2]) - 2 * sum(d[1:15:2])) % 10 == d[15] else ""


def ssn(found: Found) -> str | None:
    """A US number that may exist: no area 000, 666 or 9xx, no group 00, no serial 0000."""
    d = digits_of(found.text)
    if d[:3] in ("000", "666") or d[0] == "9" or d[3:5] == "00" or d[5:] == "0000":
        return None
    return "" if varied(d) and d != "123456789"[::-1] else None


def itin(found: Found) -> str | None:
    group = int(digits_of(found.text)[3:5])
    return (
        "" if 50 <= group <= 65 or 70 <= group <= 88 or 90 <= group <= 92 or group >= 94 else None
    )


def ni(found: Found) -> str | None:
    return None if compact(found.text)[:2] in {"BG", "GB", "NK", "KN", "TN", "NT", "ZZ"} else ""


# --- numbers known by their label ----------------------------------------------------------------

_MARK = re.compile(
    r"(?:\b(?:nos?|nr|num|number|numbers|id|code|ref|reference|is)\b|[#:№=])[\s.:#(*-]*$",
    re.IGNORECASE,
)
YEAR = re.compile(r"(?:1[5-9]|20)\d\d$")


def value(least_digits: int, *, bare_digits: int = 4, least: int = 4) -> Check:
    """A value after a label: so many digits where the label ends in "no.", ":" or "#", more where not."""

    def check(found: Found) -> str | None:
        text = found.text.rstrip("-/._ ")
        if not any(c.isdigit() for c in text.split(" ")[0]):
            return None
        found.end = found.start + len(text.encode())
        count = len(digits_of(text))
        if _MARK.search(found.before):
            return "" if count >= least_digits and len(text) >= least else None
        return "" if count >= bare_digits and not YEAR.match(text) else None

    return check


_OF_HEALTH = re.compile(
    r"(?i)\b(?:health|medical|dental|hospital|patient|member|subscriber|plan|payer|medic\w*)\b"
)


def policy(found: Found) -> str | None:
    """The number of a policy, which is a health plan's where the words before it say so."""
    if _OF_HEALTH.search(found.before):
        found.kind, found.name = "HEALTH_PLAN", "health plan number"
    return value(4)(found)


_PLATE_WORDS = word_set("""THE AND FOR NOT NO IS WAS ON IN AT OF TO""")


def plate(found: Found) -> str | None:
    text = found.text.rstrip("- ")
    parts = re.split(r"[ -]", text)
    if any(part in _PLATE_WORDS for part in parts) or not 4 <= len(compact(text)) <= 9:
        return None
    if not any(c.isdigit() for c in text) or not any(c.isalpha() for c in text):
        return None
    found.end = found.start + len(text.encode())
    if re.search(r"\d{6}", text):  # no plate has so many digits: a register of a profession has
        found.kind, found.name = "CERTIFICATE", "certificate or licence number"
    return ""


# --- time, age, place ----------------------------------------------------------------------------


def calendar(found: Found) -> str | None:
    """A numeric date that exists, day first or month first."""
    parts = [int(p) for p in re.split(r"[^0-9]+", found.text)[:3]]
    if len(parts) < 3:
        return None
    a, b, c = parts
    if a > 31:
        orders = [(a, b, c)]
    else:
        year = c if c > 99 else 2000 + c
        orders = [(year, b, a), (year, a, b)]
    for year, month, day in orders:
        try:
            date(year, month, day)
        except ValueError:
            continue
        return None if VERSION_BEFORE.search(found.before) else ""
    return None


def month_year(found: Found) -> str | None:
    return None if VERSION_BEFORE.search(found.before) else ""


_UNIT_AFTER = re.compile(
    r"\s?(?:%|‰|mg|µg|mcg|kg|g\b|ml|l\b|mm|cm|km|m\b|ft|miles|people|men|women|units?|votes|copies|"
    r"patients|seats|feet|metres|meters|dollars|euros|pounds|words|pages|points|rpm|hp|votes|tons|tonnes|"
    r"acres|inhabitants|students|employees|members)\b"
)


# Before the year by which a law is called, or of a judgment that is cited: it is a part of its name.
LAW_BEFORE = re.compile(
    r"\b(?:Act|Convention|Treaty|Constitution|Protocol|Agreement|Regulations?|Order|Rules|Code|Statute|"
    r"Charter|Directive|Ordinance|Law|Accords?)(?: of)?(?: [A-Z]\w+)?(?:,? of|,| of the year)? ?\Z"
    r"|\((?:[\w.]+ ){0,3}(?:Cir|App|Ct|Div|Dist|Ch)\.,? \Z"
    r"|\b\d+ [A-Z][A-Za-z.]*\.? ?(?:[23]d|4th)? \d+ \(\Z"
)


# … and what stands around the year of a report of cases: "[2013] UKSC 33", "[1999] 2 AC 455".
REPORT_BEFORE = re.compile(r"\[\Z")
REPORT_AFTER = re.compile(r"\] (?:\d{1,3} )?(?:[A-Z]{2,}|[A-Z][A-Za-z]* ?LR)\b")


# Before the later one of two times: "0700 to 1900", "between 1300 and 1800".
CLOCK_BEFORE = re.compile(r"\b(?:0\d|1[0-7])[0-5]\d ?(?:hrs? )?(?:to|and|until|till|or|[-–]) ?\Z")


# What is done at an hour of the day: "ring us after 1900".
HOUR_BEFORE = re.compile(
    r"(?i)\b(?:ring|call|phone|open|closed?|shifts?|daily|nightly|tonight|today|tomorrow|yesterday|doors?|curfew|"
    r"bedtime|handover|sleeps?)\b[^.;\n]{0,40}\b(?:at|by|from|after|before|until|till)\s\Z"
)


def year(found: Found) -> str | None:
    is_no_date = (
        _UNIT_AFTER.match(found.after())
        or LAW_BEFORE.search(found.before)
        or (REPORT_BEFORE.search(found.before) and REPORT_AFTER.match(found.after()))
        or CLOCK_BEFORE.search(found.before)
        or HOUR_BEFORE.search(found.before)
    )
    return None if is_no_date else ""


def years(found: Found) -> str | None:
    """Two years of one life."""
    first, last = map(int, re.findall(r"\d{4}", found.text))
    return "" if first < last <= first + OLDEST else None


_RATIO_BEFORE = re.compile(
    r"\b(?:ratio|ratios|score|scores|scored|dilution|verse|chapter|odds|won|lost|lead|genesis|exodus|"
    r"psalms?|matthew|mark|luke|john|acts|romans|corinthians|isaiah)\b[^\n]{0,12}$",
    re.IGNORECASE,
)


def clock(found: Found) -> str | None:
    return None if _RATIO_BEFORE.search(found.before) else ""


def mixed_of(least: int, most: int) -> Check:
    """So many letters and digits, at least four digits."""

    def check(found: Found) -> str | None:
        text = found.text.rstrip("- ")
        found.end = found.start + len(text.encode())
        code = compact(text)
        return "" if least <= len(code) <= most and len(digits_of(code)) >= 4 else None

    return check


_SEASON = re.compile(r"(?:19|20)\d\d/\d\d$")


def case_number(found: Found) -> str | None:
    """12345/17 after "no."; a fraction (120/80) has no such word, and a small one is none."""
    number = found.text.split("/")[0]
    if _SEASON.match(found.text):
        return None
    label = found.before.split()[-1].lower() if found.before.split() else ""
    return "" if len(number) >= 4 or label.startswith(("no", "nr", "appl")) else None


_DATE_TAIL = re.compile(r"(?<![.,\s])[.,\s]+$")


def trim_date(found: Found) -> str | None:
    """A date without the full stop that ends an abbreviated month."""
    text = found.text
    kept = _DATE_TAIL.sub("", text)
    found.end -= len(text.encode()) - len(kept.encode())
    return ""
