"""What people and things of a place are called: "Nigerian" tells Nigeria."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

# Those that follow no rule, by place; those of countries with more than two million people, and of Britain.
_IRREGULAR = {
    "afghanistan": "afghan", "argentina": "argentine", "bangladesh": "bangladeshi", "belgium": "belgian",
    "china": "chinese", "congo": "congolese", "croatia": "croat croatian", "cyprus": "cypriot",
    "czech republic": "czech", "denmark": "danish dane", "england": "english englishman englishwoman",
    "finland": "finnish finn", "france": "french frenchman frenchwoman",
    "great britain": "british briton", "greece": "greek", "hungary": "hungarian",
    "iceland": "icelandic icelander", "ireland": "irish irishman irishwoman", "israel": "israeli",
    "italy": "italian", "kazakhstan": "kazakh", "kyrgyzstan": "kyrgyz", "lebanon": "lebanese",
    "london": "londoner", "myanmar": "burmese", "netherlands": "dutch dutchman dutchwoman",
    "new zealand": "new zealander", "niger": "nigerien", "norway": "norwegian", "paris": "parisian",
    "peking": "pekinese", "peru": "peruvian", "philippines": "filipino filipina", "poland": "polish pole",
    "portugal": "portuguese", "scotland": "scottish scot scotsman", "serbia": "serb serbian",
    "slovakia": "slovak", "slovenia": "slovene slovenian", "spain": "spanish spaniard",
    "sri lanka": "sri lankan", "sweden": "swedish swede", "switzerland": "swiss", "syria": "syrian",
    "tajikistan": "tajik", "thailand": "thai", "turkey": "turkish turk", "turkmenistan": "turkmen",
    "united kingdom": "british briton", "united states": "american", "uzbekistan": "uzbek",
    "vietnam": "vietnamese", "wales": "welsh welshman welshwoman",
}  # fmt: skip
_ENDINGS = ("n", "an", "ian", "ese", "i", "er", "ish")
_PLACES: dict[str, list[str]] = defaultdict(list)
for _place, _names in _IRREGULAR.items():
    for _name in _names.split():
        _PLACES[_name].append(_place)


def demonyms(place: str) -> Iterator[str]:
    """What people of a place may be called, in lower case, words or not.

    >>> "nigerian" in demonyms("Nigeria"), "german" in demonyms("Germany"), "dutch" in demonyms("Netherlands")
    (True, True, True)
    """
    low = place.lower().removeprefix("the ")
    yield from _IRREGULAR.get(low, "").split()
    yield from (low + ending for ending in _ENDINGS)
    if low.endswith("y"):
        yield low[:-1]


def places_of(demonym: str) -> Iterator[str]:
    """The places whose people may be called so, in lower case, places or not.

    >>> {"nigeria"} <= set(places_of("Nigerian")), {"france"} <= set(places_of("French"))
    (True, True)
    """
    low = demonym.lower()
    yield from _PLACES.get(low, ())
    yield from (low[: -len(e)] for e in _ENDINGS if low.endswith(e) and len(low) > len(e) + 2)
    yield low + "y"
