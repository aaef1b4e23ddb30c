"""Towns that the trained detector reads as a part of something else, or is not sure of: "the Whitby boats",
"Refer genetics, Stornoway (criteria not met)"."""

from __future__ import annotations

import re

from sfumato.english.dates import DAY_NAMES, MONTH_NAMES, MONTHS
from sfumato.english.nicknames import is_given
from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import word_set
from sfumato.know.taxonomy import places

# The chance from which on a name that is a town's is one. Of things that are called after towns ("Nottingham
# grade", "Barcelona staging", "Bogota bag") none of 60 had more than 0.01, of 13 towns before a noun ("the
# Cardiff bus") none less than 0.016.
TOWN = 0.015
LIKELY = 0.1  # the same for a word of no type; chosen, not measured
_LARGE = 1_000_000  # people: what has more is known as the place that it is
_AMERICAN = 80_000  # people: smaller towns there bear the names of persons
_ENGLISH = ("United Kingdom", "United States", "Ireland", "Canada", "Australia", "New Zealand")
_NAME = re.compile(r"[A-Z][^\W\d_]*(?:[ -](?:[A-Z][^\W\d_]*|upon|on|le|the|by|in)(?=[ -]|\b)){0,3}")
# What joins the halves of a town's name: in other languages always, in English where a map has the whole name
# or the second half is a water or a hill. A day is none.
_CAP = rf"(?!{DAY_NAMES}|{MONTH_NAMES})[^\W\d_a-zß-öø-ÿ]"
_JOIN = (
    r"(?:(?:am|im|bei|zum|zur|an der|in der|(?:ob|unter|vor|auf|hinter)(?: de[rnm])?|aan den?|bij|op de|nad|"
    r"pod|del?|de (?:la|las|los|le|les)|des|du|da|do|dos|das|di|della|delle|dei|degli|sul|sulla|nel|nella|"
    r"sur|sous|l[èe]s|en|aux?) |a\. ?d\. ?|(?:d|nell|dell|sull|all)['’])"
)
_REST = re.compile(rf"[ ](?:{_JOIN}{_CAP}[\w'’-]*|(?:a\. ?M|i\. ?Br)\b(?:\.(?= [a-z]))?)")
_ENGLISH_REST = re.compile(
    rf"[ ](?:by|on|upon|under|in|super|next|le|with)(?: the)? ({_CAP}[\w'’-]*)"
)
_LANDMARKS = word_set(
    """Sea Mare Wold Marsh Water Hill Thames Tyne Tees Trent Avon Severn Wye Humber Dee Ouse Derwent Dove
    Dearne Swale Ure Tweed Spey Lyme Crouch Solent Stour Teme Fosse Wharfe Calder Kennet"""
)
_OF_SOMEBODY = re.compile(
    r"(?:\b(?:[Bb]orn|[Rr]aised|brought up|gr[eo]ws? up|li(?:ves?|ved|ving)"
    r"|work(?:s|ed|ing)?|resid(?:es?|ed|ing)|settled) in"
    r"|\b(?:c[ao]mes?|coming|moved|fled|escaped|arrived|emigrated|deported|returned|is|was|originally)"
    r"(?: back)?(?: here)? (?:from|to)|\b(?:lov(?:es?|ed)|miss(?:es|ed)|visit(?:s|ed)))\s(?:the\s)?\Z"
)
_BEGINS_LIKE_TIME = re.compile(
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{1,12}"
)
_ALONE_BEFORE = re.compile(r"[a-z)\d],\s\Z")
_ALONE_AFTER = re.compile(r"\s?[(;]|[.,](?:\s|\Z)|\Z|\n")


def town_in(text: str, start: int, end: int) -> int | None:
    """Where the town ends with which some words begin, and that only common words follow; else `None`.

    >>> said = ("Whitby boats", "Durham Miners Gala", "Kings Lynn", "Reading week")
    >>> [town_in(words, 0, len(words)) for words in said]
    [6, None, None, None]
    """
    found = _NAME.match(text, start, end)
    if not found or (found.end() < end and not text[found.end() : end].lstrip()[:1].islower()):
        return None
    name = found[0]
    if is_ordinary(name.lower()):
        return None
    senses = places.default().senses(name)
    return found.end() if senses and senses[0].frequency < _LARGE else None


def is_like_a_month(name: str) -> bool:
    """Whether a word that was taken for a time only begins like one: "at her unit in Junee".

    >>> [is_like_a_month(name) for name in ("Junee", "Sunbury", "June", "Sept", "Easter", "Sunday", "Junes")]
    [True, True, False, False, False, False, False]
    """
    is_time = re.fullmatch(rf"(?:{DAY_NAMES}|{MONTH_NAMES})s?", name)
    return (
        _BEGINS_LIKE_TIME.fullmatch(name) is not None
        and not is_time
        and not is_ordinary(name.lower())
    )


def is_english_town(name: str) -> bool:
    """Whether a town of an English-speaking country is called so, and no month: Deal, Diss, Hook."""
    known = places.default()
    is_town = any(known.describe(sense).endswith(_ENGLISH) for sense in known.senses(name))
    return is_town and name not in MONTHS and not is_given(name.lower())


def whole_town(text: str, start: int, end: int) -> int:
    """Where the name of a town ends that goes on: "Weil am Rhein", "San Pedro de Macorís", "Hay on Wye".

    >>> said = ("Weil am Rhein", "Villeneuve d'Ascq", "Hay on Wye", "Leeds on Monday", "Leeds by Air France")
    >>> [text[: whole_town(text, 0, text.index(" "))] for text in said]
    ['Weil am Rhein', "Villeneuve d'Ascq", 'Hay on Wye', 'Leeds', 'Leeds']
    """
    if rest := _REST.match(text, end):
        return rest.end()
    rest = _ENGLISH_REST.match(text, end)
    if rest and (rest[1] in _LANDMARKS or places.default().senses(text[start : rest.end()])):
        return rest.end()
    return end


def home(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Where a place stands of which a name is, or is a part, and where somebody is from, or lives or works.

    >>> text = "She came from the United States, lives in Split, and saw Italy win."
    >>> found = [re.search(place, text).span() for place in ("States", "Split", "Italy")]
    >>> [place and text[slice(*place)] for place in (home(text, *span) for span in found)]
    ['United States', 'Split', None]
    """
    if text.endswith("United ", 0, start):
        start -= len("United ")
    before = _OF_SOMEBODY.search(text, max(0, start - 32), start)
    return (start, end) if before and places.default().senses(text[start:end]) else None


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a name stands behind a comma and before a sign, as places do behind what is there.

    >>> text = "Refer genetics, Stornoway (criteria not met)."
    >>> stands_alone(text, 16, 25), stands_alone("seen, Turner went", 6, 12)
    (True, False)
    """
    known, said = places.default(), text[start:end]
    town = known.senses(said)[0]
    where = known.describe(town)
    if is_given(said.lower()) or not where.endswith(_ENGLISH):
        return False  # "a phone, Nokia (old)"
    if where.endswith("United States") and town.frequency < _AMERICAN:
        return False  # "signs: Homans, Murphy (positive)"
    before = _ALONE_BEFORE.search(text, max(0, start - 3), start)
    return before is not None and _ALONE_AFTER.match(text, end) is not None
