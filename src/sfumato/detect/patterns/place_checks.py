"""Checks of addresses, postcodes, coordinates and amounts of money."""

from __future__ import annotations

import re

from sfumato.detect.patterns.checks import YEAR
from sfumato.detect.patterns.engine import Found
from sfumato.english.chunker import FUNCTION
from sfumato.english.dates import MONTHS, SHORT_MONTHS
from sfumato.english.ordinary import is_ordinary
from sfumato.english.states import STATES
from sfumato.english.wordlists import lists, word_set
from sfumato.know.taxonomy import places

STREET = (
    r"(?:Street|St|Avenue|Ave|Av|Road|Rd|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Terrace|Ter|Boulevard|Blvd|"
    r"Way|Close|Crescent|Cres|Square|Sq|Highway|Hwy|Parkway|Pkwy|Row|Gardens|Gdns|Grove|Mews|Walk|Quay|"
    r"Circle|Cir|Trail|Trl|Alley|Plaza|Turnpike|Pike|Loop|Expressway|Broadway|Hill|Rise|View|Green|"
    r"Parade|Wharf|Embankment|STREET|ST|AVENUE|AVE|ROAD|RD|LANE|LN|DRIVE|DR|COURT|BLVD|WAY)"
)


def coordinates(found: Found) -> str | None:
    numbers = [abs(float(n)) for n in re.findall(r"(?<!\d)\d+\.\d+", found.text)]
    if len(numbers) < 2 or numbers[0] > 90 or numbers[1] > 180:
        return None
    return ""


def zip_after_state(found: Found) -> str | None:
    code = found.before.rstrip(" ,")[-2:]
    return "" if code in STATES or code in ("AA", "AE", "AP") else None  # military mail


def town(found: Found) -> str | None:
    return "" if found.after().lstrip(" ,")[:2] in STATES else None


def spaced(found: Found) -> str | None:
    """A code of two halves, which together may be a stage of a tumour: T2N1M0."""
    return "in two halves" if re.search(r"[ -]", found.text) else ""


def eircode(found: Found) -> str | None:
    """A postcode of Ireland: in two halves, with letters and digits in the second."""
    return spaced(found) if len({c.isdigit() for c in found.text[-4:]}) == 2 else ""


def uk_postcode(found: Found) -> str | None:
    area = re.match(r"[A-Z]+", found.text)
    return "" if area and area.group() in _UK_AREAS else None


# Postcode areas, by Royal Mail.
_UK_AREAS = frozenset(lists("detect/words")["postcode areas"])


_SENTENCE = re.compile(r"(?<!\bSt)(?<!\bCo)\.\s+(?=[A-Z])|[ \t]{2,}|[ ][(\[–—]|[ ]prefers\b")
_POSTCODE = (
    r"[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[\dW] [A-Z\d]{4}"
    r"|[A-Z]{2}(?: \d{5}(?:-\d{4})?| [A-Z]\d[A-Z] ?\d[A-Z]\d)"
)
_GOES_ON = re.compile(
    rf"\b(?:{_POSTCODE})\b(?!, ?[A-Z])|(,?)[ ]([a-z][a-z'’]+|i|I(?=['’ ][a-z]))(?![\w-])"
)
# Words that stand in addresses: "the old mill", "off the high street", "next to the church", "flat 3".
_IN_ADDRESS = frozenset(lists("detect/words")["in addresses"])
_PREPOSITIONS = word_set("in on at by to near over under")
_NOW = re.compile(r",? at (?:present|the (?:moment|time))\b|,? in (?:19|20)\d\d\b")
_ONLY_DATES = re.compile(rf"(?:(?:{SHORT_MONTHS})[a-z]*|[\d\W]|and)+")


def address(found: Found) -> str | None:
    """A labelled address has a number in it and ends where the line or sentence does, or goes on."""
    text = _SENTENCE.split(found.text)[0]
    text = text[: _end_of_address(text)].rstrip(" ,.;:\t")
    found.end = found.start + len(text.encode())
    is_place = any(c.isdigit() for c in text) and len(text) > 5 and not _ONLY_DATES.fullmatch(text)
    return "" if is_place else None


def _end_of_address(text: str) -> int:
    """Where an address ends and the sentence goes on: "14 Elm Road, Leeds, have two cats".

    >>> said = "14 Elm Road, flat 3, Leeds, have two cats", "31 moss bank, L39 2XT i think"
    >>> [text[: _end_of_address(text)] for text in said]
    ['14 Elm Road, flat 3, Leeds', '31 moss bank, L39 2XT']
    """
    for match in _GOES_ON.finditer(text):
        if not match[2]:
            return match.end()
        word = match[2].lower()
        begun, rest = text[: match.start()], text[match.end() :]
        if word in _IN_ADDRESS:
            follows = re.match(r" ([a-z]+)", rest) if word in _PREPOSITIONS else None
            is_clause = follows and follows[1] in FUNCTION and follows[1] != "the"
            ends = is_clause or _NOW.match(text, match.start())
        else:
            is_town = rest[:1] in ("", ",") and places.default().senses(word.title())
            ends = word in FUNCTION or (
                match[1] and re.search(r"[A-Z][a-z]", begun) and is_ordinary(word) and not is_town
            )
        if ends:
            return match.start()
    return len(text)


def money(found: Found) -> str | None:
    """An amount; small ones of INR are how fast blood clots."""
    clots = re.fullmatch(r"INR ?(\d{1,2}(?:\.\d{1,2})?)", found.text)
    return None if clots and float(clots[1]) < 20 else ""


_NOT_STREET = word_set(
    """In On At The During After Before From Since Until By And Between County High Supreme District
    Crown Appeal Appeals Circuit Magistrates Consultant Registrar Clinician"""
).union(MONTHS)
_MONTH_BEFORE = re.compile(rf"(?:{SHORT_MONTHS})[a-z]*\.?,?\s+$|\b(?:in|since|by|of|until)\s+$")


_STOP = re.compile(r"(?<![^\W\d_])([^\W\d_]+)\.\s+(?=[A-Z])")
# Words of addresses that a dot shortens.
_SHORTENED = re.compile(
    r"[A-Z]|[NS][EW]|St|Ste|Mt|Ft|Pt|Av|Ave|Rd|Ln|Dr|Ct|Pl|Ter|Blvd|Cres|Sq|Hwy|Pkwy|Gdns|Cir|Trl|Apt|Rm|Fl"
    r"|No|Bldg|Co"
)


def street(found: Found) -> str | None:
    """A street address; "3 Years In Way" and "12 May …" are none."""
    text = found.text
    words = text.split()
    if re.search(r"\d[.:]\Z", found.before):  # "10.15, Mill Lane" begins with an hour
        found.start += len(words[0]) + 1
        text = text[len(words[0]) + 1 :]
        words = words[1:]
    if any(word in _NOT_STREET for word in words[:4]):
        return None
    if end := next((m for m in _STOP.finditer(text) if not _SHORTENED.fullmatch(m[1])), None):
        text = text[: end.end(1)]  # the sentence ends there: "the 2014 Regulations. Dr Berg"
        if not re.search(rf" {STREET}\b", text):
            return None
    if (YEAR.match(words[0]) or words[0].endswith(",")) and _MONTH_BEFORE.search(found.before):
        return None
    kept = text.rstrip(" ,.")
    found.end = found.start + len(kept.encode())
    return ""
