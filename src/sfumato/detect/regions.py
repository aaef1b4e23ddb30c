"""Places without the states and countries that they lie in: "Terre Haute" of "Terre Haute, Indiana"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from sfumato.document import Term
from sfumato.english.states import STATES, is_state
from sfumato.english.wordlists import GIVEN_LIKE_COUNTRIES, words
from sfumato.kinds import rule_chain
from sfumato.know.taxonomy import places

_ZIP = re.compile(r"(?<![\w-])\d{5}(?:-\d{4})?$|(?i:(?<=zip3 )|(?<=zip3: ))\d{3}$")
_BEFORE_ZIP = re.compile(r",?\s\d{5}\b")
_LABEL = re.compile(r"(?i)\b(?:zip3?(?:\s?code)?|postal code)\s?:?\s*$")
_CODE = re.compile(rf"(?<![\w-])(?:{'|'.join(STATES)})$")
_LAST = re.compile(r"[^,\n]+")
_LETTERS = re.compile(r"(?:[A-Z]\.){2,4}|[A-Z]\.[A-Z]\b")
_BREAKS = " ,\n"
_OF = re.compile(r"(?i)\b(?:town|city|village|county|borough|parish|township|municipality)\sof\s$")
_STATE = rf"(?:{'|'.join((*STATES, *STATES.values()))})\b"
_IN = re.compile(f", {_STATE}")
_LISTED = re.compile(f"(?:,|,? (?:and|or|&)) {_STATE}")
# Large places that people are called like, and what stands before them where they are places.
_GIVEN = {
    *GIVEN_LIKE_COUNTRIES,
    *words(
        "indiana dakota montana alberta virginia victoria carolina arizona nevada kenya ireland lorraine"
    ),
}
_WHERE = re.compile(
    r"(?i)(?:\b(?:in|into|from|to|of|across|throughout|near|around|for|through|via|left|leave|visit\w*)\s"
    r"(?:(?:north|south|east|west|central|rural)\w*\s)?|[a-z],\s|\n)\Z"
)
# "to Vienna and Tokyo"
_JOINED = re.compile(r"\b(?:in|from|to|via|between) [A-Z]\w+,? (?:and|or|to) \Z")
_OWN = re.compile(r"\s(?:City|County|Co\.|Borough|Township|Parish|Springs|Falls|Heights)(?!\w)")


def without_large(
    terms: Iterable[Term], text: str, may_stand: Callable[[str], bool], *, zips: bool = True
) -> Iterator[Term]:
    """The terms without the large places that they lie in, which may stand; a ZIP code behind one of them is
    a term of its own, but without `zips` an address is one term.

    >>> text = "of Terre Haute, Indiana 47801, in Ohio"
    >>> terms = [Term(3, 29, "LOC", 0.9, "x"), Term(34, 38, "LOC", 0.9, "x")]
    >>> [(t.kind, t.of(text)) for t in without_large(terms, text, str.istitle)]
    [('POSTCODE', '47801'), ('LOC', 'Terre Haute')]
    """
    for term in terms:
        place = "LOC" in rule_chain(term.kind) and term.kind != "POSTCODE"
        place |= term.kind in ("MISC", "DEM") and places.is_land(term.of(text))  # "KSA"
        place |= term.of(text) in STATES and bool(_BEFORE_ZIP.match(text, term.end))
        if place and (letters := _LETTERS.match(text, term.start)):  # "U" of "U.S."
            term = replace(term, end=max(term.end, letters.end()))
        end = term.end
        zipped = _ZIP.search(text, term.start, end) if term.kind != "POSTCODE" else None
        if not zips and (zipped or term.kind == "ADDRESS"):
            yield term
            continue
        before = text[term.start : zipped.start()] if zipped else ""
        if zipped and (place or _CODE.search(before.rstrip(" ,")) or _LABEL.search(before)):
            yield replace(term, start=zipped.start(), kind="POSTCODE")
            end = term.start + len(_LABEL.sub("", before).rstrip(_BREAKS))
        if (place or end < term.end) and not is_town(text, term.start, end):
            end = _without_large(text, term.start, end, may_stand)
        if end > term.start:
            yield replace(term, end=end)


def _without_large(text: str, start: int, end: int, may_stand: Callable[[str], bool]) -> int:
    """Where a place ends before the state, the country or both that it lies in. "Georgia" of "Georgia,
    Vermont" is a town."""
    within = False
    while last := (
        _CODE.search(text, start, end)
        or _LAST.match(text, max(start, *(text.rfind(s, start, end) + 1 for s in ",\n")), end)
    ):
        said = last[0].strip()
        if not said or not may_stand(said) or (within and not is_state(said)):
            break
        at = end - len(last[0].lstrip())
        end, within = start + len(text[start:at].rstrip(_BREAKS)), True
        if is_state(said):
            break
    return end


def is_town(text: str, start: int, end: int) -> bool:
    """Whether a place of a text is smaller than its name says: it lies in a state, or is a part of one; or it
    may be somebody's name.

    >>> text = "in Georgia, Vermont, in Kansas City, in the town of Mexico, in Ohio, Indy (Indiana) Lee"
    >>> [is_town(text, at, at + len(name)) for name in ("Georgia", "Kansas", "Mexico", "Ohio", "Indiana")
    ...  for at in [text.index(name)]]
    [True, True, True, False, True]
    """
    if (said := text[start:end]).lower() in _GIVEN:
        told = (m.start() for m in re.finditer(rf"(?<!\w){re.escape(said)}(?!\w)", text))
        if not all(_WHERE.search(text, max(0, at - 24), at) for at in told):
            return True
    if _OF.search(text, max(0, start - 24), start) or _OWN.match(text, end):
        return True
    around = _IN.match(text, end)
    return around is not None and (
        not _LISTED.match(text, around.end())
        or bool(places.default().senses(text[start : around.end()]))
    )
