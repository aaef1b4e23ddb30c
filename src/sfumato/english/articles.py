"""The article before a word: "a" or "an" by how the word is said, and "the" before names of places."""

from __future__ import annotations

import re

from sfumato.english.folding import unaccented
from sfumato.english.wordlists import LISTS, word_set

Article = str  # "a" or "an"

_SILENT_H = re.compile(r"(?:hour|honest|honor|honour|heir|hors\b)")
# "you" and "one" begin with consonants, whatever their letters: "user", "unit", but "uninsured", "urgent".
_YOU = re.compile(
    r"eu|ew|ouija|uighur|uygh|on(?:e|ce)(?![a-z])|oneself|unesco|unanim|unary|ukr|uni(?!n|m|d(?!ir))"
    r"|u(?!ber\b)[bcfgjkqrstv][aeiou]"
)
_LETTERS_WITH_VOWEL_SOUND = frozenset("aefhilmnorsx")
# Written in capitals, said as words; all that begin with a letter whose name and sound differ.
_SPOKEN = word_set(
    "fat fema fifa ham hepa hipaa hud lan laser leed lidar mac mash mers midi moma nas nasa nasdaq nato"
    " nice nimby radar raid ram rico rom sad salt sam sars scuba sim sonar swat swot snap ufo unicef"
    " unesco"
)
_SPELLED = word_set(
    "naacp aarp usda usps uefa url uk un us usa usb uae uva ucla mrsa html sql hdmi"
)
_LIGATURES = str.maketrans("ØøÆæŒœŁł", "OoAaOoLl")
_ONSETS = word_set(
    "b bl br c ch chl chr cl cr d dr dw f fl fr g gh gl gn gr h j k kl kn kr l m mc n p ph phl phr pl pr"
    " ps q qu r rh s sc sch scr sh shr sk sl sm sn sp sph spl spr squ st str sv sw t th thr tr ts tw v vl"
    " w wh wr x y z"
)
# Names of places that stand with "the": "the United States", "the Balearic Islands", "the Isle of Wight".
_WITH_THE = re.compile(
    r"(?:United|(?:Dominican|Czech|Central African|Democratic) Republic|Republic|Isle|Vale|Gulf|State|City"
    r"|Community|Region|Federal District|Capital Region|District|Districts|Federation|East Riding"
    r"|Autonomous (?:City|Region)) (?:of |in |Kingdom|States|Arab)"
    r"|(?:Netherlands|Philippines|Bahamas|Gambia|Maldives|Seychelles|Comoros|Caribbean|Vatican|Azores"
    r"|Peloponnese|Free State|North West|Crimea)$"
    r"|.*[ ](?:Islands|Republic|Territory|Territories|Highlands|Borders|Hebrides|Cape|Country|Midlands|Strip"
    r"|Bank|Region|Community|Antilles|Emirates)$"
    r"|(?:Northern|Southern|Eastern|Western|Central|North|South) Province$"
)


def takes_the(name: str) -> bool:
    """Whether a place's name stands with "the" in a sentence.

    >>> [n for n in ("United States", "France", "Western Cape", "Isle of Wight") if takes_the(n)]
    ['United States', 'Western Cape', 'Isle of Wight']
    """
    return _WITH_THE.match(name) is not None


# Nouns that stand without an article, by their last words and by their endings.
_MASS = frozenset(LISTS["without an article"])
_MASS_ENDINGS = (
    "ness", "ity", "ism", "ing", "cy", "ship", "hood", "logy", "itis", "osis", "emia", "aemia", "phobia",
    "mania", "ics", "graphy", "therapy", "tude", "ware", "age", "ture", "istry", "nomy",
)  # fmt: skip
_COUNTED = frozenset(LISTS["with an article"])


def is_countable(noun: str) -> bool:
    """Whether one of its kind is said with "a": by rule of thumb.

    >>> [n for n in ("opiate", "liquor", "card game", "sexual activity", "poisoning") if is_countable(n)]
    ['opiate', 'card game', 'sexual activity']
    """
    last = re.split(r"\s(?:of|in|with|for)\s", noun.lower())[0].split()[-1]
    return last in _COUNTED or not (last in _MASS or last.endswith(_MASS_ENDINGS))


def can_be_said(char: str) -> bool:
    """Whether a word that begins with this character has a sound to choose an article by."""
    return char.isdecimal() or (char.isalpha() and _plain(char).isascii())


def indefinite_article(word: str) -> Article:
    """ "a" or "an", by how the word is said.

    >>> [indefinite_article(w) for w in ("hour", "European", "FBI", "UK", "80-89", "18th", "one-off")]
    ['an', 'a', 'an', 'a', 'an', 'an', 'a']
    """
    found = re.match(r"\W*(\d[\d,.]*|[^\W\d_]+(?:[-'’][^\W\d_]*)?)", word)
    if not found:
        return "a"
    text = found[1]
    if text[0].isdecimal():
        return _for_number(text)
    plain = _plain(text)
    if not plain:  # letters that are nothing but a mark upon another one
        return "a"
    head = re.split(r"[-'’]", plain)[0]
    low = plain.lower()
    if len(head) == 1:
        return _for_letter(head.lower()) if len(plain) > 1 or head.isupper() else _for_sound(low)
    if head.isupper() and not _is_said(head.lower()):
        return _for_letter(head[0].lower())
    if re.fullmatch("[A-Z][b-df-hj-np-tv-xz]+", plain):
        return "a"  # "Mr", "Sgt" are said in full
    return _for_sound(low)


def _for_number(text: str) -> Article:
    """Eight, eleven, eighteen, eighty and their thousands begin with a vowel."""
    whole = re.split(r"[.]", text)[0]
    lead = whole.split(",")[0]
    if text[0] == "8":
        return "an"
    eleven = lead[:2] in ("11", "18")
    # 1800 is "eighteen hundred"; 1,800 and 180 begin with "one".
    return "an" if eleven and (len(lead) % 3 == 2 or ("," not in whole and len(lead) == 4)) else "a"


def _for_letter(letter: str) -> Article:
    return "an" if letter in _LETTERS_WITH_VOWEL_SOUND else "a"


def _is_said(low: str) -> bool:
    """Whether capitals are said as a word ("NATO") rather than letter by letter ("FBI")."""
    if low in _SPOKEN or low in _SPELLED:
        return low in _SPOKEN
    onset = re.match(r"[^aeiouy]*", low)
    vowels = re.search(r"[aeiouy]", low)
    return (
        len(low) > 3
        and vowels is not None
        and onset is not None
        and (onset[0] in _ONSETS or not onset[0])
    )


def _for_sound(low: str) -> Article:
    if _SILENT_H.match(low):
        return "an"
    if low[0] == "y":  # "yttrium", "Yvonne", but "year"
        return "an" if re.match(r"y[^aeiou\W]", low) else "a"
    if not re.search(r"[aeiouy]", low):  # "mph", "nth"
        return _for_letter(low[0])
    if low[0] not in "aeiou":
        return "a"
    return "a" if _YOU.match(low) else "an"


def _plain(text: str) -> str:
    """Letters without their accents; æ, ø and œ are vowels too."""
    return unaccented(text.translate(_LIGATURES))
