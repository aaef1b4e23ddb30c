"""Initials that stand for a hidden person without dots, as notes and minutes have them: "EN arrived late"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from sfumato.document import Edit
from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import word_set
from sfumato.facts.names import initials_of, name_readings
from sfumato.facts.persons import core

_LETTERS = re.compile(
    r"(?<![\w.&/-])[A-Z](?:[a-z]{0,2}[A-Z]){1,3}(?=['’]s\b|[^\w&/-]|\Z)(?!\.[A-Z])"
)
_PAIR = re.compile(r"(?<![\w.&/-])([A-Z]{2,4})/([A-Z]{2,4})(?![\w&/-])")
# What notes and records mean by the same letters: these are somebody only where they speak.
_MEANS_MORE = word_set(
    "ad ai am ap bc bd bm bp bs ca cd ceo cn cp cr ct cv cxr dc dh dm dn dna dr dv dx ecg ed ef er eu fh fx"
    " gcs gp hb hr ht hx icu id im ip iq it iv la ld lp lr mh mi mp mr mri ms nb ng nhs no od ok on or ot pa"
    " pc pe ph pm po pr ps pt qa ra rn rr rt rv rx sc sh sob sr st sw tb tv tx uk un us uti vs"
)
_SPEAKS = re.compile(
    r"['’]s\s(?!law\b)|\s(?:said|says|states?|stated|reports?|reported|asked|asks|told|tells|explained|agreed|"
    r"confirmed|denie[sd]|felt|feels|thinks|thought|wants|wanted|arrived|attended|came|went|slept|described|"
    r"replied|disclose[sd]|allege[sd]|claim(?:s|ed)|admit(?:s|ted)|insist(?:s|ed)|refuse[sd]|recalls?|apologised|cried|laughed|smiled|talked|spoke|lives|works|left|presented|complained)\b"
)
_IS = re.compile(
    r":\s|\s(?:is|was|has|had|will|would|did|does|can|could|should|needs?|seemed|appeared|remains|continues|to)\s"
)

# One letter is somebody where it does or hears what only persons do: "if K calls you", "I told K".
_ONE_LETTER = re.compile(
    r"(?<![\w.&/'’-])([B-HJ-Z])(?=\s(?:calls?|called|rings|rang|texts|texted|knows|knew|hates|loves|hit|shouted|yelled)"
    rf"\b|{_SPEAKS.pattern})"
    r"|\b(?:told|tells?|ask(?:s|ed)?|texted|phoned|rang|met|love|miss|kissed|[Tt]hanks|[Tt]hank you|[Cc]heers"
    r"|[Hh]i|[Hh]ey|[Dd]ear)\s([B-HJ-Z])"
    r"(?=\s(?:that|about|to|if|not|when|why|how|and|again|yesterday|today|tomorrow)\b|[.,!?]|\Z)"
    r"|(?<![\w.&/'’-])([B-HJ-Z])(?=\sx{1,4}\s*(?:\n|\Z))"  # under a message
)
_NUMBERED = re.compile(
    r"(?i)\b(?:option|plan|group|class|grade|type|part|section|ward|room|vitamin|hepatitis|exhibit|appendix|"
    r"school|team|line|bus|step|item|answer|company|country|building|block|unit|level|form|case)\s\Z"
)


def initials_again(text: str, edits: Sequence[Edit]) -> Iterator[tuple[int, int]]:
    """Where the initials of hidden persons stand. One place that tells of a person tells what the letters
    mean in all others.

    >>> text = "Client: Eleanor Nolan. EN arrived late. Plan: EN and mother. BP was low."
    >>> [text[a:b] for a, b in initials_again(text, [Edit(8, 21, "PERSON", "[PERSON 1]", "")])]
    ['EN', 'EN']
    """
    hidden = {text[e.start : e.end] for e in edits if e.hides and e.kind in ("PERSON", "MISC")}
    yield from _one_letter(text, {text[e.start] for e in edits if e.hides and e.kind == "PERSON"})
    names = {" ".join(name.split()) for name in hidden if " " in name and len(name) < 80}
    letters = {short for name in names for short in _short(name)}
    if not letters:
        return
    found = defaultdict[str, list[re.Match[str]]](list)
    for match in _LETTERS.finditer(text):
        if match[0].lower() in letters:
            found[match[0]].append(match)
    for pair in _PAIR.finditer(text):  # who does it, in minutes: "IB/SI"
        if {short.lower() for short in pair.groups()} <= letters - _MEANS_MORE:
            yield from (pair.span(n) for n in (1, 2))
    for said, places in found.items():
        if said in hidden or any(_is_person(text, match) for match in places):
            yield from (match.span() for match in places if not _is_heading(text, match))


def _one_letter(text: str, firsts: Collection[str]) -> Iterator[tuple[int, int]]:
    """Where the first letter of a hidden name stands for it.

    >>> text = "Kelsey is bad again. If K calls, K is 5.9; I told K. Plan K says so."
    >>> [*_one_letter(text, {"K"})]
    [(24, 25), (50, 51)]
    """
    for match in _ONE_LETTER.finditer(text) if firsts else ():
        start, end = match.span(match.lastindex or 0)
        if text[start] in firsts and not _NUMBERED.search(text, max(0, start - 12), start):
            yield start, end


def _short(name: str) -> Iterator[str]:
    """The initials of a name in full, its first and last letter among them."""
    own = core(name)
    particles = "".join(word[0] for word in name.split() if not word.istitle() or word in own)
    for reading in name_readings(name) if len(own) > 1 else ():
        for letters in initials_of(reading):
            if letters[0] == own[0][0] and letters[-1] == own[-1][0]:
                yield letters
                if particles.islower():
                    yield letters[:-1] + particles + letters[-1]  # "SdV"


def _is_heading(text: str, match: re.Match[str]) -> bool:
    """Whether letters are a word of a line in capitals."""
    start = text.rfind("\n", 0, match.start()) + 1
    line = text[max(start, match.start() - 60) : match.end() + 60]
    return is_ordinary(match[0].lower()) and line.partition("\n")[0].isupper()


def _is_person(text: str, match: re.Match[str]) -> bool:
    if _SPEAKS.match(text, match.end()):
        return True
    return match[0].lower() not in _MEANS_MORE and _IS.match(text, match.end()) is not None
