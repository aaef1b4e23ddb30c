"""What a guessed name is the name of, by its own words: a school in any language, a saint's house, a place.

A kind is a statement, and a wrong one is false. Where the encoder wavers between two and the words of the
name say nothing, it is an identifying detail and no more; where it does not waver, but neither they nor the
words beside it say the same, the kind is a guess, and labels say that something has a name.
"""

from __future__ import annotations

import re

from sfumato.detect.guessed_people import BODY, ROLES
from sfumato.detect.known import names
from sfumato.english.chunker import end_of_own
from sfumato.english.folding import plain_lower
from sfumato.english.nicknames import is_given_anywhere
from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import (
    KIN,
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
# From which on 97 of 100 were right in what was kept aside of WNUT17, Wikigold, GUM and the judgments. Of one
# word for a person that does not suffice: brands, cries and short forms were taken for persons as surely.
_SURE = {"PERSON": 0.99, "ORG": 0.95, "LOC": 0.98}
_IN_TABLE = 0.8  # of a place with a name that the table has: eight of eight were places
_FAR = 40  # characters beside a name that tell what it is
_TURN = re.compile(  # "[12/04/2024, 18:02] "
    r"(?i)(?:\A|\n)[\[(]?(?:\d[\d/.,:\- ]*(?:[ap]m)?[\])]?[ :–—-]{1,3})?\Z"
)
_SPEAKS = re.compile(r"[^\w\n:]{0,6}:[ \n]|[ \t]+[\[(]?\d{1,2}[:.]\d\d")
_TO_SOMEBODY = re.compile(
    r"(?i)\b(?:tell|told|ask|asked|rang|phoned|texted|emailed|met|married|thanks?|thank you|hi|hiya|hello|hey"
    r"|dear|(?:good )?morning|(?:spoken?|speak|talk(?:ed)?) (?:to|with)|my name is|i am|this is)[ ,]\s?\Z"
)
_OF_SOMEBODY = re.compile(
    r"(?:,? (?:said|says|told|asked|replied|added|laughed|cried|nodded|thinks|thought|knows|knew|wants|wanted"
    r"|loves|hates|feels|felt|remembers|remembered|believes|lives|lived|died|was born|is worried|was worried"
    rf"|who|whose)|['’]s? (?:ex-)?(?:{'|'.join(sorted(KIN, key=len, reverse=True))})"
    r"|,? \(\d{1,2}\)|, (?:aged )?\d\d(?=[,. ;)]))(?!\w)"
)
_WHO = re.compile(r"([^\W\d_]+)\.?(?: \(|[,:]? [\"“‘]?)\Z")  # "My father, Ernst", "Mum (Robyn)"
_PERSONS = {*KIN, *TITLES, *ROLES, "child", "baby", "chef", "lad", "girlfriend", "boyfriend"}
_BESIDE = re.compile(r"([^\W\d_]+)(?:,| and| &)\s\Z")  # "Grace, Blessing"
_BESIDE_NEXT = re.compile(r"(?:,| and| &)\s([^\W\d_]+)(?=,| and | & )")  # "Ozren, Keith and Sue"
_WHERE = re.compile(
    r",?\s(?:Co\.?\s|County\s)?([A-Z][\w.]*(?: [A-Z]\w+)?)"
)  # "Rathcormac, Co. Sligo"
_AT = re.compile(r"(?i)\b(?:in|near|outside|across|lives? at|living at|towards?)\s\Z")
_AT_WORK = re.compile(
    r"(?i)\b(?:work(?:s|ed|ing)? (?:at|for|with)|employed (?:at|by)|stud(?:y|ies|ied) at|employer,?|joined"
    r"|run by|job (?:at|with)|(?:is|was) with)\s(?:the\s)?\Z"
)
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

    >>> text = "Coláiste Bhríde, St Odo's, Ennis, Zorb Sede"
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
    if _is_land(said, words[0]):
        return "LOC"  # "KSA", "Germany"; but whoever is called Asia is somebody
    if kind != "ORG" and said in names("coined"):
        return "ORG"  # a firm that everybody knows, where somebody works
    if kind == "PERSON" and (before := _OF_NO_PERSON.search(text, max(0, start - 12), start)):
        return "ORG" if before[1] else "MISC"
    if share >= CERTAIN[kind]:
        return kind
    told = _told(said, words)
    return kind if kind in told else next(iter(told), "MISC")


def _is_land(said: str, word: str) -> bool:
    return places.is_land(said) and (
        _LETTERS.fullmatch(said) is not None or not is_given_anywhere(word)
    )


def is_guess(text: str, start: int, end: int, kind: str, share: float) -> bool:
    """Whether nothing but the guess says that a name is that of a person, an organisation or a place: neither
    its own words, nor those beside it, nor what the encoder was right with elsewhere.

    >>> text = "Thanks Ozren, Quorvex rang. Ana came. K. Vrill and Tessu Vrill, too, to Vrill."
    >>> said = ("Ozren", "Quorvex", "Ana", "K. Vrill", "Tessu Vrill")
    >>> [is_guess(text, a := text.index(s), a + len(s), "PERSON", 0.999) for s in said]
    [False, True, False, False, False]
    """
    said = text[start:end]
    words = [plain_lower(word) for word in _WORD.findall(said)]
    if not words or kind not in _SURE:
        return False
    before, sure = text[max(0, start - _FAR) : start], share >= _SURE[kind]
    if all(map(is_ordinary, words)) or (said.isupper() and " " not in said):
        sure = False
    if kind == "LOC":
        within = _WHERE.match(text, end) or _WHERE.search(said)
        return not (
            sure
            or words[-1] in STREET_WORDS
            or (within and places.default().senses(within[1]))
            or (
                kind in _told(said, words)
                and share >= (CERTAIN[kind] if _AT.search(before) else _IN_TABLE)
            )
        )
    if kind == "ORG":
        return not (sure or _AT_WORK.search(before) or kind in _told(said, words))
    return not (
        (len(words) > 1 and (sure or min(map(len, words)) == 1))  # "K. Vrill"
        or kind in _told(said, words)
        or (_TURN.search(before) and _SPEAKS.match(text, end))
        or ((who := _WHO.search(before)) and who[1].lower() in _PERSONS)
        or _TO_SOMEBODY.search(before)
        or any(
            beside and is_given_anywhere(plain_lower(beside[1]))
            for beside in (_BESIDE.search(before), _BESIDE_NEXT.match(text, end))
        )
        or _OF_SOMEBODY.match(text, end)
        or BODY.match(text, end)
    )


def _told(said: str, words: list[str]) -> list[str]:
    """The kinds for which the words of a name speak."""
    kinds = {
        "PERSON": words[0] in TITLES or any(map(is_given_anywhere, words)),
        "LOC": words[-1] in STREET_WORDS or bool(places.default().senses(said)),
        "ORG": bool(_SAINT.match(said)) or any(w in LEGAL_FORMS or w in _HEADS for w in words),
    }
    return [kind for kind, is_told in kinds.items() if is_told]
