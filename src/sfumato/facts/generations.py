"""Father and son of one name: who is told as the elder, and who as the younger."""

from __future__ import annotations

import re

from sfumato.english.wordlists import SUFFIXES, words

_OLDER = words(
    "father dad mother mum mom parent grandfather grandpa grandmother grandma granny uncle aunt"
)
_YOUNGER = words("son daughter child grandson granddaughter nephew niece boy girl")
_BEHIND = re.compile(
    r",?\s(?:(?P<elder>the\s(?:elder|older)|(?:Sr|Snr|SR|Senior)\b\.?)|the\syounger|(?:Jr|Jnr|JR|Junior)\b\.?)"
    r"(?=\s*(?:\Z|[,.;:)\n]|(?:and|is|was|has|had|will|who|left|came|said|met|died)\b))"
)


def behind(text: str, end: int) -> str:
    """What stands behind a name: "John Smith the elder", "John Smith, Jr.".

    >>> [behind(said, 10) for said in ("John Smith the elder left.", "John Smith, Jr.", "John Smith left.")]
    ['senior', 'junior', '']
    """
    found = _BEHIND.match(text, end)
    return "" if found is None else "senior" if found["elder"] else "junior"


def own(name: str) -> str:
    """What stands in a name.

    >>> own("John Smith Jr."), own("John Smith")
    ('junior', '')
    """
    last = name.rpartition(" ")[2].rstrip(".").lower()
    return {"jr": "junior", "jnr": "junior", "sr": "senior", "snr": "senior"}.get(
        last, last if last in ("junior", "senior") else ""
    )


def by_kin(kin: str, is_of: bool) -> str:
    """What the second of two of one name is, by the word that stands before his or, if it `is_of` him, tells
    what the first one is to him.

    >>> by_kin("father", is_of=False), by_kin("father", is_of=True), by_kin("friend", is_of=False)
    ('senior', 'junior', '')
    """
    kin = kin.lower()
    if kin not in (*_OLDER, *_YOUNGER):
        return ""
    return "senior" if (kin in _OLDER) != is_of else "junior"


def with_generation(name: str, generation: str) -> str:
    """A name with what tells its bearer from another of the name; one that has it already stays.

    >>> with_generation("John Smith's", "senior"), with_generation("John Smith Jr", "senior")
    ('John Smith senior', 'John Smith Jr')
    """
    plain = re.sub(r"['’]s?\Z", "", name)
    if not generation or plain.rpartition(" ")[2].rstrip(".").lower() in SUFFIXES:
        return name
    return f"{plain} {generation}"
