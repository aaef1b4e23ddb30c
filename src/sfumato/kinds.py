"""The kinds of terms that come with Sfumato. A plug-in or a user's list may bring more of its own.

A kind's family is the coarser class it belongs to: a policy rule for `CODE` serves every identifier that
has no rule of its own, a rule for `*` everything that is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Annotated, NamedTuple

from pydantic import StringConstraints

from sfumato.english.wordlists import ORG_TYPES, lists

# The name of a kind, in the settings of whoever finds terms of one.
KindOfTerm = Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]*$")]

NAME = "NAME"  # the word for what has one, where nothing but a guess says of what kind it is
UNREAD = "UNREAD"  # a passage that no detector can read


class Kind(NamedTuple):
    """What a kind of term is, and the family whose rule it follows where it has none."""

    title: str
    family: str = ""
    label: str = ""  # the word for it in a label, where that is another
    types: tuple[str, ...] = ()  # more exact words, where what is said tells which


KINDS: Mapping[str, Kind] = {
    "PERSON": Kind("name of a person", types=(NAME,)),
    "ORG": Kind("organisation", label="ORGANISATION", types=(*ORG_TYPES, NAME)),
    "LOC": Kind("place", label="PLACE", types=("COUNTRY", NAME)),
    "ADDRESS": Kind("street address", "LOC"),
    "POSTCODE": Kind("postcode or ZIP code", "LOC"),
    "COORDINATES": Kind("coordinates", "LOC"),
    "DATE": Kind("date"),
    "TIME": Kind("time of day", "DATE"),
    "AGE": Kind("age"),
    "DEM": Kind(
        "demographic: nationality, profession, belief",
        label="DETAIL",
        types=("PROFESSION", "NATIONALITY", "RELIGION", "LANGUAGE"),
    ),
    "QUANTITY": Kind("quantity"),
    "MONEY": Kind("amount of money", "QUANTITY"),
    "DISEASE": Kind("disease or symptom"),
    "MISC": Kind("other identifying detail", label="DETAIL", types=("NATIONALITY",)),
    UNREAD: Kind("passage in a language or script that is not read", label="PASSAGE"),
    "TERM": Kind("word that is generalised with the others", label="DETAIL"),
    "PHONE": Kind("telephone number"),
    "FAX": Kind("fax number", "PHONE"),
    "EMAIL": Kind("e-mail address"),
    "URL": Kind("web address"),
    "USERNAME": Kind("user name"),
    "SECRET": Kind("password, key or token", "CODE"),
    "CODE": Kind("identifying number or code", label="ID"),
    "SSN": Kind("US social security number", "CODE"),
    "NATIONAL_ID": Kind("national identity number", "CODE", "NATIONAL ID"),
    "TAX_ID": Kind("tax or company number", "CODE", "TAX NUMBER"),
    "PASSPORT": Kind("passport number", "CODE"),
    "DRIVING_LICENCE": Kind("driving licence number", "CODE", "DRIVING LICENCE"),
    "MRN": Kind("medical record number", "CODE"),
    "HEALTH_PLAN": Kind("health plan number", "CODE", "HEALTH PLAN NUMBER"),
    "ACCOUNT": Kind("account number", "CODE"),
    "CERTIFICATE": Kind("certificate or licence number", "CODE", "REGISTRATION"),
    "CASE": Kind("case or file number", "CODE", "REFERENCE"),
    "CARD": Kind("payment card number", "CODE"),
    "IBAN": Kind("bank account number (IBAN)", "CODE"),
    "CRYPTO": Kind("crypto-currency address", "CODE"),
    "PLATE": Kind("vehicle registration plate", "CODE"),
    "VIN": Kind("vehicle identification number", "CODE"),
    "DEVICE": Kind("device or serial number", "CODE"),
    "UUID": Kind("universally unique identifier", "CODE"),
    "IP": Kind("IP address", "CODE"),
    "MAC": Kind("hardware (MAC) address", "CODE"),
}


# What other programs call them.
ELSEWHERE = {name: kind for kind, names in lists("kinds").items() for name in names}


def probably_meant(kind: str) -> str:
    """The kind of ours that somebody means by a name that is none; nothing where it may be one of his own.

    >>> probably_meant("LOCATION"), probably_meant("PERSN"), probably_meant("WARD")
    ('LOC', 'PERSON', '')
    """
    if kind in KINDS:
        return ""
    near = get_close_matches(kind, [*ELSEWHERE, *KINDS], n=1, cutoff=0.8)
    return ELSEWHERE.get(near[0], near[0]) if near else ""


def rule_chain(kind: str) -> tuple[str, ...]:
    """The names under which a policy may have a rule for this kind, the nearest first.

    >>> rule_chain("MRN")
    ('MRN', 'CODE', '*')
    """
    family = KINDS[kind].family if kind in KINDS else ""
    return (kind, family, "*") if family else (kind, "*")


def label_word(kind: str) -> str:
    """The word for a kind in a label.

    >>> label_word("LOC"), label_word("PHONE")
    ('PLACE', 'PHONE')
    """
    return label_words(kind)[0]


def label_words(kind: str) -> tuple[str, ...]:
    """All words that a label of a kind may have, the usual one first.

    >>> label_words("DEM")
    ('DETAIL', 'PROFESSION', 'NATIONALITY', 'RELIGION', 'LANGUAGE')
    """
    known = KINDS.get(kind)
    return (known.label or kind, *known.types) if known else (kind,)
