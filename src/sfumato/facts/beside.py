"""What stands beside a name tells who is meant: titles, relatives, and who does something to whom."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from sfumato.document import Term
from sfumato.english.folding import normal_form
from sfumato.english.nicknames import gender as given_gender
from sfumato.english.nicknames import same_given
from sfumato.english.wordlists import (
    DOTTED_TITLES,
    FEMALE_TITLES,
    FULL_TITLES,
    MALE_TITLES,
    SHORT_TITLES,
    words,
)
from sfumato.facts.persons import core, word_key

_WOMEN = words(
    "wife mother mum mom sister daughter aunt auntie niece grandmother grandma granny granddaughter"
    " girlfriend fiancée stepmother stepdaughter stepsister widow bride girl"
)
_MEN = words(
    "husband father dad brother son uncle nephew grandfather grandpa grandson boyfriend fiancé stepfather"
    " stepson stepbrother widower groom boy"
)
_EITHER = words(
    "doctor nurse teacher tutor pupil student patient client boss manager employer employee lawyer solicitor"
    " landlord tenant assistant roommate flatmate"
    " spouse partner cousin child twin sibling parent neighbour neighbor friend colleague baby"
)
_KIN = "|".join((*_WOMEN, *_MEN, *_EITHER))
_TITLE = rf"(?:(?:{'|'.join(SHORT_TITLES)})\.?|(?:{'|'.join(DOTTED_TITLES)})\.|(?:{'|'.join(FULL_TITLES)}))"
_TITLE_BEFORE = re.compile(rf"(?<!\w)(?:{_TITLE}[ \u00a0])+\Z")
_KIN_BEFORE = re.compile(
    rf"(?:\b(?P<whose>his|her|their|my|your|our|whose|and|with)|['’]s|s['’])\s+(?:[\w-]+\s+){{0,2}}?"
    rf"(?:ex-)?(?P<kin>{_KIN})(?:-in-law)?,?\s+(?:{_TITLE}\s)?\Z",
    re.IGNORECASE,
)
# "Daughter Rosa Brown rang."
_KIN_FIRST = re.compile(
    rf"(?:^|[.;:,(\n])\s*(?P<kin>(?i:{'|'.join((*_WOMEN, *_MEN))}))(?:-in-law)?,? (?:{_TITLE} )?\Z",
    re.MULTILINE,
)
_KIN_OF = re.compile(
    rf"(?:, | is | was )(?:the |a )?(?:ex-)?(?P<kin>{_KIN})(?:-in-law)? (?:of|to) \Z"
)
_VERBS = words(
    "met saw sees seen told asked phoned rang called texted emailed e-mailed wrote visited married"
    " divorced treated examined assessed interviewed referred sued hit helped thanked hired fired paid"
    " taught arrested attacked assaulted accused represented replaced succeeded knows knew loves loved"
    " hates contacted drove informed advised warned invited introduced followed joined beat works worked"
    " lives lived spoke spoken speaks talked listened replied answered thanks sent gave lent owes owed"
)
# Between two persons who are told as two: "Ann Lee and Anna Lee", "Dr Brown was seen by Mr Brown".
_TOGETHER = re.compile(
    rf",? (?:and|or|&|with|v\.?|vs\.?|versus|not) (?:{_TITLE} )?"
    rf"| (?:(?:has|had|have|was|were|is|been|also|then|later|once|never) )*(?:{'|'.join(_VERBS)})"
    rf"(?: (?:by|to|with|for|against|on|at))? (?:{_TITLE} )?"
    rf"|(?: (?:is|was))?,? (?:not (?:a )?|no )relat(?:ed|ion|ive) (?:to|of) (?:{_TITLE} )?"
)
_CALLED = re.compile(r"\s\([\"“'‘]?([^\W\d_][\w-]*)[\"”'’]?\)")
_ASIDE = re.compile(r" \([^()]{0,60}\)")
_FAR = 80  # characters from a name back to the word that tells of whom it is
_WINDOW = 40


@dataclass
class Company:
    """Persons as they are said with their titles, what the words before them say, and who are two."""

    said: list[str]
    genders: dict[str, str] = field(default_factory=dict)
    apart: set[tuple[str, str]] = field(default_factory=set)
    aliases: dict[str, str] = field(
        default_factory=dict
    )  # of those behind whom a name is in brackets


def company(text: str, terms: Sequence[Term], said: Sequence[str]) -> Company:
    """What stands beside the persons of a text.

    >>> text = "Mr Brown and his sister Jo Brown"
    >>> terms = [Term(a, b, "PERSON", 1.0, "") for a, b in ((3, 8), (24, 32))]
    >>> found = company(text, terms, ["Brown", "Jo Brown"])
    >>> found.said, found.genders, found.apart
    (['Mr Brown', 'Jo Brown'], {'jo brown': 'f'}, {('mr brown', 'jo brown')})
    """
    made = Company(list(said))
    last: Term | None = None
    before = ""
    for at, term in enumerate(terms):
        if term.kind != "PERSON":
            continue
        free = last.end if last is not None else 0
        if title := _TITLE_BEFORE.search(text, max(free, term.start - _WINDOW), term.start):
            made.said[at] = title[0] + said[at]
        this = normal_form(made.said[at])
        start = max(free, term.start - _FAR)
        kin = _KIN_BEFORE.search(text, start, term.start)
        if kin is not None:
            _note(made, this, kin["kin"])
        if len(core(said[at])) > 1 and (first := _KIN_FIRST.search(text, start, term.start)):
            _note(made, this, first["kin"])
            made.apart |= {(before, this)} if before not in ("", this) else set()
        if (called := _CALLED.match(text, term.end)) and _is_called(core(said[at]), called[1]):
            made.aliases[this] = word_key(called[1])
        if last is not None and last.end <= term.start and before != this:
            between = _ASIDE.sub("", text[last.end : term.start])
            if kin is not None and not _contradicts(kin["whose"], before):
                made.apart.add((before, this))
            elif of := _KIN_OF.search(between[-_WINDOW:]):
                made.apart.add((before, this))
                if len(between) < _WINDOW:
                    _note(made, before, of["kin"])
            elif len(between) < _WINDOW and _TOGETHER.fullmatch(between):
                made.apart.add((before, this))
        last, before = term, this
    return made


def _is_called(name: Sequence[str], word: str) -> bool:
    """Whether a word in brackets is what somebody is called: how the name begins, or a short form of it."""
    key = word_key(word)
    return any(own.startswith(key) or same_given(own, key) for own in name[:1] if own)


def _note(made: Company, name: str, kin: str) -> None:
    told = "f" if kin.lower() in _WOMEN else "m" if kin.lower() in _MEN else ""
    made.genders[name] = told if made.genders.get(name, told) == told else ""


def _contradicts(whose: str | None, owner: str) -> bool:
    """Whether "his" or "her" is not of the person told last."""
    wanted = {"his": "m", "her": "f"}.get((whose or "").lower(), "")
    title = owner.split(" ")[0].rstrip(".")
    told = "m" if title in MALE_TITLES else "f" if title in FEMALE_TITLES else ""
    told = told or given_gender((*core(owner), "")[0])
    return bool(wanted and told and wanted != told)
