"""What a guessed name is the name of, by its own words: a school in any language, a saint's house, a place.

A kind is a statement, and a wrong one is false. Where the encoder wavers between two and the words of the
name say nothing, it is an identifying detail and no more.
"""

from __future__ import annotations

import re

from sfumato.detect.known import names
from sfumato.english.chunker import end_of_own
from sfumato.english.folding import plain_lower
from sfumato.english.nicknames import gender, is_given
from sfumato.english.wordlists import (
    LEGAL_FORMS,
    ORG_TYPES,
    STREET_WORDS,
    TITLES,
    word_set,
)
from sfumato.know.taxonomy import places

# The share that a type must have of the chances of all types; chosen by reading what is below it in the texts
# of tests/reading: of persons one in two was one, of organisations and places one in three.
CERTAIN = {"PERSON": 0.6, "ORG": 0.7, "LOC": 0.7}
_WORD = re.compile(r"[^\W\d_]+")
_LETTERS = re.compile(r"[A-Z]{3,4}")
_SAINT = re.compile(r"(?:St\.?|Saint)\s[^\W\d_a-z]\w+")
_REGION = re.compile(r".+ (?:State|County|Province|Prefecture|Region|District)|(?:County|Co\.?) .+")
# Prisons and stations have names, and so have ships.
_OF_NO_PERSON = re.compile(
    r"\b(?:(HMP|HMYOI|YOI|RAF|RNAS)|(?i:yacht|vessel|ship|trawler|ferry|MV|HMS))\s[\"“']?\Z"
)
# Words that no person or place has for a name; those of other languages stand first.
_HEADS = {
    plain_lower(head)
    for kind in ("HOSPITAL", "CLINIC", "SURGERY", "HOSPICE", "PHARMACY", "SCHOOL", "UNIVERSITY")
    for head in ORG_TYPES[kind]
} - word_set("high grammar elementary")
_FIRST = _HEADS - word_set(
    "hospital infirmary clinic surgery hospice pharmacy chemist school academy primary"
)


def named(text: str, start: int, end: int, kind: str, share: float) -> str:
    """The kind of a name that was guessed as one of another.

    >>> text = "Coláiste Bhríde, St Odo's, Ennis, Gorm Vale"
    >>> [named(text, a, b, kind, 0.5) for a, b, kind in
    ...  ((0, 15, "PERSON"), (17, 23, "LOC"), (27, 32, "ORG"), (34, 43, "ORG"))]
    ['ORG', 'ORG', 'LOC', 'MISC']
    """
    said = text[start:end]
    words = [plain_lower(word) for word in _WORD.findall(said)]
    if not words or any(map(str.isdigit, said)) or "," in said:
        return kind
    if len(words) > 1 and (words[0] in _FIRST or words[-1] in _HEADS):
        return "ORG"
    if kind != "ORG" and _SAINT.fullmatch(said) and end_of_own(text, end) > end:
        return "ORG"
    if kind == "ORG" and _REGION.fullmatch(said) and places.default().senses(said):
        return "LOC"
    if _LETTERS.fullmatch(said) and places.is_land(said):
        return "LOC"  # "KSA"; but whoever is called Asia is somebody
    if kind != "ORG" and said in names("coined"):
        return "ORG"  # a firm that everybody knows, where somebody works
    if kind == "PERSON" and (before := _OF_NO_PERSON.search(text, max(0, start - 12), start)):
        return "ORG" if before[1] else "MISC"
    if share >= CERTAIN[kind]:
        return kind
    told = _told(said, words)
    return kind if kind in told else next(iter(told), "MISC")


def _told(said: str, words: list[str]) -> list[str]:
    """The kinds for which the words of a name speak."""
    kinds = {
        "PERSON": words[0] in TITLES or any(is_given(w) or gender(w) for w in words),
        "LOC": words[-1] in STREET_WORDS or bool(places.default().senses(said)),
        "ORG": any(w in LEGAL_FORMS or w in _HEADS for w in words),
    }
    return [kind for kind, is_told in kinds.items() if is_told]
