"""What places are called for short: "TX" tells Texas, "UAE" the United Arab Emirates."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from sfumato.english.folding import normal_form, unaccented
from sfumato.english.wordlists import lists

_CODES = lists("english/codes")
_ALSO = {
    "bosnia and herzegovina": "bih", "congo republic": "congo",
    "democratic republic of the congo": "congo", "dr congo": "congo", "falkland islands": "falklands",
    "faroe islands": "faroes", "las vegas": "vegas", "marshall islands": "marshalls",
    "north macedonia": "macedonia", "papua new guinea": "papua", "philadelphia": "philly",
    "republic of the congo": "congo", "san francisco": "frisco", "solomon islands": "solomons",
    "timor leste": "timor", "united arab emirates": "emirates",
}  # fmt: skip
_AND = re.compile(r"\s(?:and|&)\s(?:the\s)?")
_SMALL = frozenset({"and", "of", "the"})
# Codes that say something else in capitals, too: only where a place may stand.
DOUBTFUL = frozenset({"hi", "id", "in", "me", "ok", "on", "or"})
_NO_INITIALS = {
    "ad", "am", "as", "at", "be", "bp", "by", "cc", "cm", "cv", "dr", "ed", "go", "gp", "he", "if", "is",
    "it", "kg", "mg", "ml", "mm", "mr", "ms", "no", "of", "pm", "sd", "so", "st", "to", "tv", "up", "we",
}  # fmt: skip

_PLACES: dict[str, list[str]] = defaultdict(list)
for _place, _codes in _CODES.items():
    for _code in _codes:
        _PLACES[_code].append(_place.title())


def places_for_short(code: str) -> list[str]:
    """The places that have a code.

    >>> places_for_short("LA"), places_for_short("U.S."), places_for_short("us")
    (['Los Angeles', 'Louisiana'], ['United States'], [])
    """
    return _PLACES.get(code.replace(".", "").lower(), []) if code.isupper() else []


def parts_and_aliases(place: str) -> Iterator[str]:
    """The names in the name of a place that is two, and a shorter one by which it goes, in small letters.

    >>> [*parts_and_aliases("Trinidad and Tobago")], [*parts_and_aliases("North Macedonia")]
    (['trinidad', 'tobago'], ['macedonia'])
    """
    name = unaccented(normal_form(place)).lower().removeprefix("the ")
    yield from _ALSO.get(name, "").split()
    parts = _AND.split(name)
    yield from parts if len(parts) > 1 else ()


def short_names(place: str) -> Iterator[str]:
    """What a place of some name may be called for short, in small letters.

    >>> [*short_names("Texas")], [*short_names("Ho Chi Minh City")], [*short_names("New Orleans")]
    (['tx'], ['hcmc'], ['nola'])
    >>> "drc" in short_names("Democratic Republic of the Congo")
    True
    """
    name = unaccented(normal_form(place)).lower().removeprefix("the ")
    yield from _CODES.get(name, ())
    initials = "".join(word[0] for word in name.split() if word not in _SMALL)
    if len(initials) > 1 and initials not in _NO_INITIALS:
        yield initials
