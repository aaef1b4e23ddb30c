"""What people and things of a place are called: "Nigerian" tells Nigeria, "Mancunian" tells Manchester."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from sfumato.english.folding import normal_form, unaccented
from sfumato.english.inflection import possible_singulars
from sfumato.english.wordlists import lists, word_set

_IRREGULAR = lists("english/demonyms")  # those that follow no rule
# A place with one of these, and one whose last vowel or y makes way for it.
_ENDINGS = ("n", "an", "ian", "ese", "i", "er", "r", "ish", "ite", "ean")
_INSTEAD = ("an", "ian", "ese", "ine", "ish", "ite", "i", "er")
_WITHOUT_S = ("n", "an", "ian", "er")  # Texas, Honduras, Cook Islands
_LEAST = 3  # letters that are left of a place
_PERSON = re.compile(r"[ -]?(?:wo)?m[ae]n$|[ -](?:person|people|folk|girl|boy)s?$")
_PLACES: dict[str, list[str]] = defaultdict(list)
for _place, _names in _IRREGULAR.items():
    for _name in _names:
        _PLACES[_name].append(_place)

# Languages that a million people speak or more, and that are not called as the people of one country.
LANGUAGES = word_set(
    "Mandarin Cantonese Hokkien Urdu Hindi Bengali Sylheti Punjabi Gujarati Marathi Tamil Telugu Malayalam"
    " Kannada Sinhala Sinhalese Farsi Dari Pashto Kurdish Sorani Kurmanji Arabic Hebrew Swahili Amharic"
    " Tigrinya Oromo Yoruba Igbo Hausa Twi Akan Luganda Kinyarwanda Lingala Zulu Xhosa Ndebele Afrikaans"
    " Shona Wolof Tagalog Filipino Cebuano Malay Javanese Khmer Lao Quechua Guaraní Guarani Catalan Galician"
    " Flemish Castilian Tatar Uyghur Tibetan Romani Latin"
)

# They speak of their land, though the list of ordinary words has them.
ALWAYS_CAPITAL = frozenset({"english", "pole", "poles", "bucks"})


def demonyms(place: str) -> Iterator[str]:
    """What people of a place may be called, one or several of them, folded, words or not.

    >>> "nigerian" in demonyms("Nigeria"), "german" in demonyms("Germany"), "dutch" in demonyms("Netherlands")
    (True, True, True)
    >>> "viennese" in demonyms("Vienna"), "sicilian" in demonyms("Sicily"), "texan" in demonyms("Texas")
    (True, True, True)
    """
    low = _folded(place).removeprefix("the ")
    adjectives = [*_IRREGULAR.get(low, ()), *(low + ending for ending in _ENDINGS)]
    if low.endswith("s"):
        adjectives += [low[:-1] + ending for ending in _WITHOUT_S]
    if low[-1:] in "aeiouy":
        adjectives += [low[:-1] + ending for ending in _INSTEAD]
    if low.endswith("y"):  # Germany
        adjectives.append(low[:-1])
    if " of " in low:  # Democratic Republic of the Congo
        yield from demonyms(low.rpartition(" of ")[2])
    for word in adjectives:
        yield from (word, word + "s")
    for word in (low, *adjectives):
        yield from (word + people for people in ("man", "men", "woman", "women"))


def places_of(demonym: str) -> Iterator[str]:
    """The places whose people may be called so, one or several of them, folded, places or not.

    >>> {"nigeria"} <= set(places_of("Nigerian")), {"france"} <= set(places_of("Frenchwomen"))
    (True, True)
    >>> {"vienna"} <= set(places_of("Viennese")), {"manchester"} <= set(places_of("Mancunians"))
    (True, True)
    """
    said = _folded(demonym)
    singular = dict.fromkeys((said, said.removesuffix("s"), *possible_singulars(said)))
    for low in dict.fromkeys(w for form in singular for w in (form, _PERSON.sub("", form))):
        yield from (low,) if low not in singular else ()
        yield from _PLACES.get(low, ())
        for ending in {*_ENDINGS, *_INSTEAD, *_WITHOUT_S}:
            stem = low.removesuffix(ending)
            if stem != low and len(stem) >= _LEAST:
                yield from (stem + last for last in ("", *"aeiouys"))
        yield low + "y"


def lands_called(place: str) -> list[str]:
    """The places whose people are called after one that is not listed so itself.

    >>> lands_called("Palestine"), lands_called("Macedonia"), lands_called("Leeds")
    (['Palestinian Territory'], ['North Macedonia'], [])
    """
    if (low := _folded(place).removeprefix("the ")) in _IRREGULAR:
        return []
    found = (land for word in demonyms(place) for land in _PLACES.get(word, ()) if low[:4] in land)
    return [land.title() for land in dict.fromkeys(found)]


def _folded(words: str) -> str:
    return unaccented(normal_form(words)).lower()
