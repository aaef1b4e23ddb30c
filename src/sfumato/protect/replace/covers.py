"""The methods that leave a part of the term to be seen: `mask` and `truncate`."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated

from pydantic import Field, StringConstraints

from sfumato.document import Term
from sfumato.english.wordlists import words
from sfumato.plugins import Options, method
from sfumato.protect.replace.method import Method, Overview, Replacement, Unfit

# Three-digit ZIP areas with 20,000 people or fewer (census of 2000), as the guidance of the US Department
# of Health and Human Services on the HIPAA safe harbor lists them.
SPARSE_ZIPS = words("036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893")
_ZIP = re.compile(r"((?:[A-Z]{2}\s)?)(\d{5})((?:-\d{4})?)", re.ASCII)
_AREA = re.compile(r"\d{3}", re.ASCII)
_EIRCODE = re.compile(r"[A-Z]\d[\dW]\s?[A-Z\d]{4}", re.IGNORECASE | re.ASCII)
_UK_POSTCODE = re.compile(r"([A-Z]{1,2}\d[A-Z\d]?)\s?\d[A-Z]{2}", re.IGNORECASE | re.ASCII)


class Mask(Options):
    """Every letter and digit covered, the length and the punctuation kept: `****-****`."""

    char: Annotated[str, StringConstraints(min_length=1, max_length=1)] = Field(
        "*", description="What covers a character."
    )
    keep_last: int = Field(0, ge=0, le=4, description="Letters and digits left at the end.")


class Truncate(Options):
    """A postcode or code keeps its first characters: 02139 -> 021**."""

    keep: int = Field(3, ge=0, description="Letters and digits kept at the front.")
    sparse_zip: bool = Field(
        False,
        description="ZIP areas of fewer than 20,000 people become 000 (HIPAA safe harbor); other countries' "
        "postcodes get a label.",
    )


@method("mask", options=Mask, leaves="identity")
def mask(options: Mask, overview: Overview) -> Method:
    return lambda _, original: Replacement(masked(original, options), "covered, its length kept")


def may_stand(options: Truncate, text: str) -> bool:
    """Whether a code is no longer than what would be kept of it."""
    if options.sparse_zip and (text in SPARSE_ZIPS or not _is_zip(text)):
        return False
    return sum(c.isalnum() for c in text) <= options.keep


@method("truncate", options=Truncate, gives="coarse", may_stand=may_stand)
def truncate(options: Truncate, overview: Overview) -> Method:
    def replace(_: Term, original: str) -> Replacement | Unfit:
        if options.sparse_zip and not _is_zip(original):
            return Unfit("no ZIP code: its first letters may name a town")
        made = truncated(original, options)
        stays = _AREA.fullmatch(made) is not None
        return Replacement(made, "cut to its first characters", may_stay=stays)

    return replace


def _is_zip(text: str) -> bool:
    return (_ZIP.fullmatch(text) or _AREA.fullmatch(text)) is not None


def masked(text: str, options: Mask) -> str:
    """Every letter and digit covered.

    >>> masked("AB-1234", Mask(keep_last=2))
    '**-**34'
    """
    places = [i for i, c in enumerate(text) if not _is_open(c)]
    if not places:  # nothing but signs: then these are the secret
        places = [i for i, c in enumerate(text) if not c.isspace()]
    if 0 < options.keep_last < len(places):
        places = places[: -options.keep_last]
    covered = list(text)
    for place in places:
        covered[place] = options.char
    return "".join(covered)


def truncated(text: str, options: Truncate) -> str:
    """The first characters, the rest covered; of a short code at least the last one is.

    >>> [truncated(code, Truncate()) for code in ("02139-4307", "SW1A 1AA", "M1 1AE")]
    ['021**-****', 'SW1* ***', 'M1 ***']
    """
    if options.sparse_zip and options.keep >= 3 and _AREA.fullmatch(text):
        return "000" if text in SPARSE_ZIPS else text
    if (found := _ZIP.fullmatch(text)) is not None:
        state, area, more = found.groups()
        area = "000" + area[3:] if options.sparse_zip and area[:3] in SPARSE_ZIPS else area
        return state + _cut(area, min(options.keep, 4)) + _cut(more, 0)
    keep = options.keep
    if (found := _UK_POSTCODE.fullmatch(text)) is not None:
        keep = min(keep, len(found[1]))  # the inward code names a handful of houses
    elif _EIRCODE.fullmatch(text):
        keep = min(keep, 1)  # the first three name a town, all of them a house
    return _cut(text, keep)


def _cut(text: str, keep: int) -> str:
    places = [i for i, c in enumerate(text) if not _is_open(c)]
    cut = list(text)
    for place in places[min(keep, max(len(places) - 1, 0)) :]:
        cut[place] = "*"
    return "".join(cut)


def _is_open(char: str) -> bool:
    """Whether a character may stay in a mask: spaces, punctuation, signs."""
    return not (char.isalnum() or (char.isprintable() and unicodedata.category(char)[0] == "M"))
