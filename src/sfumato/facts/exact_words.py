"""The word in a label for what a hidden thing is: a hospital by its own name, a profession by WordNet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from sfumato.english.folding import plain_lower
from sfumato.english.inflection import possible_singulars
from sfumato.english.wordlists import LEGAL_FORMS, ORG_TYPES, lists, word_set
from sfumato.kinds import label_word
from sfumato.know.taxonomy import places, wordnet

_HEADS = {plain_lower(head): word for word, heads in ORG_TYPES.items() for head in heads}
_PEOPLES = {people for peoples in lists("english/demonyms").values() for people in peoples}
_LAST_ONLY = word_set("high primary grammar elementary law mill")  # "High Peak Ltd" is no school
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
# Behind it stands which one, or where.
_TAIL = re.compile(r"\s(?:of|for|in|at|on|and|de|di|du)\s|[,(;/]")
_OF_ONE = re.compile(r"\s(?:of|for)\s(?:the\s)?[^\W\d_]+\Z")
# Concepts of WordNet that people are found under by what they do or believe in, and that of languages.
_OF_PEOPLE = {
    "PROFESSION": word_set(
        "professional worker scientist entertainer engineer expert creator leader communicator"
        " businessperson athlete capitalist artist intellectual"
    ),
    "RELIGION": frozenset({"religious person", "religion", "religious leader", "clergyman"}),
    "LANGUAGE": frozenset({"language", "natural language"}),
}
_FAITHS = word_set("jewish islamic orthodox evangelical pentecostal sunni shia shiite hindu sikh")
_SENSES = 3  # of a word that are reckoned with, the likeliest first


# What is done in no other place; the words stand right before the name.
_AT = r"\s(?:is\s|was\s)?(?:at|to|from|in|of)\s(?:the\s)?\Z"
_DONE_AT = {
    "HOSPITAL": re.compile(
        r"(?i)\b(?:d/c(?:'?d)?|(?:re)?admitted|inpatient|xrt|chemo(?:therapy)?|radiotherapy|dialysis|biopsy|mri|ct|"
        rf"lscs|c-section|ward sister|staff nurse|a&e|icu|itu){_AT}"
    ),
    "SCHOOL": re.compile(
        rf"(?i)\b(?:(?:head\s?)?teachers?|pupils?|schoolgirl|schoolboy|year \d\d?){_AT}"
    ),
}
NEAR = 40  # characters before a name that may tell what it is


def exact_word(kind: str, said: Iterable[str], before: Iterable[str] = ()) -> str:
    """The word for what has been said in some ways, the fullest first; or what the words `before` it tell;
    the kind's own where none tells more.

    >>> [exact_word("ORG", [name]) for name in ("St Mary's Hospital", "Bank of Kent", "Acme Ltd", "Acme")]
    ['HOSPITAL', 'BANK', 'COMPANY', 'ORGANISATION']
    >>> [exact_word("DEM", [words]) for words in ("school teacher", "Nigerian", "left-handed")]
    ['PROFESSION', 'NATIONALITY', 'DETAIL']
    >>> exact_word("ORG", ["Brack General"], ["Admitted to "]), exact_word("ORG", ["Brack"], ["works at "])
    ('HOSPITAL', 'ORGANISATION')
    """
    by_kind: dict[str, Callable[[str], str]] = {
        "ORG": _organisation,
        "LOC": _place,
        "DEM": _person,
        "MISC": _people,
    }
    if (words_for := by_kind.get(kind)) is None:
        return label_word(kind)
    fullest = sorted(set(said), key=lambda words: (-len(words), words))
    if word := next((word for words in fullest if (word := words_for(words))), ""):
        return word
    told = (word for text in before for word, done in _DONE_AT.items() if done.search(text))
    return next(told, label_word(kind)) if kind == "ORG" else label_word(kind)


@lru_cache(maxsize=1 << 12)
def _organisation(name: str) -> str:
    """By its last word, or that before "of" or "for"; else by its first ("HMP Leeds"), or as a company by
    what it is by law."""
    whole, head = (_WORD.findall(plain_lower(part)) for part in (name, _TAIL.split(name)[0]))
    whole, own = ([w for w in words if w not in LEGAL_FORMS] for words in (whole, head))
    first = [word for word in own[:1] if word not in _LAST_ONLY]
    ends = [" ".join(whole[-2:]), *whole[-1:], " ".join(own[-2:]), *own[-1:], *first]
    if _OF_ONE.search(name) and own[-1:] and own[-1] in _HEADS:
        ends = own[-1:]  # a Department of Insurance insures nobody, a School of Law is no firm
    found = next((_HEADS[end] for end in ends if end in _HEADS), "")
    is_company = any(word in LEGAL_FORMS for word in _WORD.findall(plain_lower(name))[1:])
    return found or ("COMPANY" if is_company else "")


@lru_cache(maxsize=1 << 12)
def _place(name: str) -> str:
    table = places.default()
    return "COUNTRY" if any(table.is_country(s.key) for s in table.senses(name)[:1]) else ""


@lru_cache(maxsize=1 << 12)
def _person(said: str) -> str:
    words = _WORD.findall(said)
    if any(map(_people, words[-1:])) or (len(words) > 1 and places.is_people(said)):
        return "NATIONALITY"
    if words and words[-1].lower() in _FAITHS:
        return "RELIGION"
    return _by_wordnet([said, *words[-1:]]) or _people(said)


def _people(said: str) -> str:
    """Whether a people is told: a country's, or one with a word of its own; "Corn Exchange" tells none."""
    table = places.default()
    is_known = any(word.lower() in _PEOPLES for word in _WORD.findall(said))
    return "NATIONALITY" if is_known or any(map(table.is_country, table.lands(said))) else ""


def _by_wordnet(forms: Sequence[str]) -> str:
    known = wordnet.default()
    for form in (f for said in forms for f in (said, *possible_singulars(said))):
        for sense in known.senses(form)[:_SENSES]:
            above = {step.term for step in known.climb(sense)}
            for word, concepts in _OF_PEOPLE.items():
                if concepts & above and (word != "PROFESSION" or "person" in above):
                    return word
    return ""
