"""What the words around persons tell of their names: whose are a woman's or a man's, and which are given
names though no list has them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from sfumato.document import Term
from sfumato.english.wordlists import FEMALE_TITLES, MALE_TITLES, TITLES, TITLES_BEFORE_GIVEN, words
from sfumato.facts.beside import MEN, WOMEN
from sfumato.facts.persons import core

FEMALE, MALE = "female", "male"
_WOMEN = (
    *WOMEN,
    *words("nan gran grandmum grandmom mummy mommy ex-wife half-sister lady woman niece girls"),
)
_MEN = (
    *MEN,
    *words("grandad granddad daddy ex-husband half-brother lad gentleman man nephew boys"),
)
_EITHER = words(
    "parent child children kid twin triplet sibling cousin baby toddler partner fiance friend"
)
_SEX = {
    form: sex
    for sex, kin in ((FEMALE, _WOMEN), (MALE, _MEN), ("", _EITHER))
    for word in kin
    for form in (word, f"{word}s", re.sub("y$", "ie", word) + "s", re.sub("fe$", "ve", word) + "s")
}
_KIN = "|".join(sorted(map(re.escape, _SEX), key=len, reverse=True))
_TITLED = FEMALE_TITLES | MALE_TITLES
_TITLE = "|".join(sorted(_TITLED, key=len, reverse=True))
_TITLE_BEFORE = re.compile(rf"(?i)(?<![\w-])({_TITLE})\.?[^\S\n]+\Z")
_PAIR = re.compile(r"(?i)\b(?:and|&)\s+(?:mrs|ms|miss)\.?\s+\Z")  # of "Mr and Mrs Peter Jones"
_TITLE_BEHIND = re.compile(rf"(?i),?\s\(?({_TITLE})\.?(?:\)|\Z|\n)")
_KIN_BEFORE = re.compile(
    rf"(?i)(?<![\w'’])({_KIN})(?:-in-law)?(?:,|:|,? (?:is|was|were|are|called|named|by the name of))?\s+\Z"
)
_KIN_BEHIND = re.compile(
    r"(?i)(?:,\s|\s\(|,? (?:is|was) )(?:(?:his|her|their|my|our|your|the|an?|\w+['’]s)\s)?(?:[\w-]+\s)?"
    rf"({_KIN})"
    r"(?:-in-law)?(?=[,;.)]|\s(?:of|to|is|was|and|who|has|had)\b|\s\d)"
)
_PATIENT = re.compile(
    r"(?:,|,? is| was)?\s\(?(?:an? )?(?:aged )?\d{0,3}(?:[- ]?(?:yo|y/o|yrs?|years?)(?:[- ]old)?)?[,/ ]?\s*"
    r"\b(?:(F|female|woman|lady|girl)|(M|male|man|gentleman|boy))\b(?!['’.])"
)
_AGE = re.compile(
    r"\s\(\d{1,2}\)|, (?:who is |now |aged |age )?\d{1,2}\b(?!\s?[%/:.]|\s[A-Z])|, (?:who is )?aged\b"
)
_PRONOUN = re.compile(
    r"(?i)\b(?:(she|herself|her(?=\s(?!and|or|to|in|on|at|by|for|with|from|was|is)\w))|(he|his|himself))\b"
)
_ROW = re.compile(r",?\s(?:and|&|or)\s|,\s")
_AMONG = re.compile(r"[^.;:!?\n]{1,60}")
_BREAK = re.compile(r"[.!?](?=\s)|\n")
_NEAR = 60  # characters
_MORE = 3  # how many relations a title tells


@dataclass
class Callings:
    """Persons by what they are known as: of which sex they are by titles and relations, or by pronouns alone;
    and words that are given names, or not."""

    sexes: dict[str, str] = field(default_factory=dict)
    likely: dict[str, str] = field(default_factory=dict)
    given: set[str] = field(default_factory=set)
    family: set[str] = field(default_factory=set)


def callings(
    text: str, persons: Mapping[str, Sequence[Term]], is_given: Callable[[str], bool]
) -> Callings:
    """What a text tells of its persons, each with where it is named.

    >>> note = "Mrs Eze came with her brother Oisin."
    >>> eze, oisin = (Term(a, b, "PERSON", 1, "") for a, b in ((4, 7), (30, 35)))
    >>> found = callings(note, {"Eze": [eze], "Oisin": [oisin]}, lambda word: False)
    >>> found.sexes, found.given, found.family
    ({'Eze': 'female', 'Oisin': 'male'}, {'oisin'}, {'eze'})
    """
    made = Callings()
    told = sorted(((m, name) for name, ms in persons.items() for m in ms), key=lambda p: p[0].start)
    votes, weak = ({name: Counter[str]() for name in persons} for _ in range(2))
    row = ""  # the sex of those who are named in a row: "two girls, Ann, who is 6, and Bo"
    for at, (term, name) in enumerate(told):
        last = told[at - 1][0].end if at else 0
        before = text[max(last, term.start - _NEAR) : term.start]
        after = told[at + 1][0].start if at + 1 < len(told) else len(text)
        row = row if at and _AMONG.fullmatch(text[last : term.start]) else ""
        kin = _KIN_BEFORE.search(before)
        if kin:
            row = _SEX[kin[1].lower()] if kin[1].lower().endswith("s") else ""
        for sex, weight in _told_of(text, term, before, kin):
            votes[name][sex] += weight
        if row and not kin:
            votes[name][row] += 1
        for sex in _pronouns(text[term.end : after], is_last=at + 1 == len(told)):
            weak[name][sex] += 1
        own = core(term.of(text))
        if len(own) == 1:
            _tell_role(made, own[0], text, term, before, bool(kin or row))
    made.sexes, made.likely = (
        {name: sex for name, found in each.items() if (sex := _most(found))}
        for each in (votes, weak)
    )
    _spread(made, text, [term for term, _ in told], is_given)
    return made


def _told_of(
    text: str, term: Term, before: str, kin: re.Match[str] | None
) -> Iterator[tuple[str, int]]:
    """The sexes that titles, relations and marks beside a mention tell, with what they weigh."""
    said = term.of(text)
    titles = [said.split()[0].rstrip(".").lower()] if " " in said else []
    if found := _TITLE_BEFORE.search(before) or _TITLE_BEHIND.match(text, term.end):
        titles.append(found[1].lower())
    if not _PAIR.search(before):
        yield from ((FEMALE if t in FEMALE_TITLES else MALE, _MORE) for t in titles if t in _TITLED)
    relations = [kin[1]] if kin else []
    if (behind := _KIN_BEHIND.match(text, term.end)) and not kin:
        relations.append(behind[1])
    yield from ((sex, 1) for word in relations if (sex := _SEX[word.lower()]))
    if patient := _PATIENT.match(text, term.end):
        yield FEMALE if patient[1] else MALE, 1


def _pronouns(behind: str, *, is_last: bool) -> Iterator[str]:
    """The sexes that pronouns tell behind a mention, before another person is named."""
    end = _BREAK.search(behind)
    rest = behind[end.end() :] if end else ""
    sentences = [behind[: end.start()] if end else behind]
    if end and (is_last or _BREAK.search(rest)):
        sentences.append(rest[: found.start()] if (found := _BREAK.search(rest)) else rest)
    for sentence in sentences:
        if found := _PRONOUN.search(sentence):
            yield FEMALE if found[1] else MALE


def _tell_role(made: Callings, word: str, text: str, term: Term, before: str, is_kin: bool) -> None:
    """Take note of what a name of one word is."""
    said = term.of(text).split()
    title = said[0].rstrip(".").lower() if len(said) > 1 else ""
    if found := re.search(r"(?<![^\W\d_])([^\W\d_]+)\.?[^\S\n]+\Z", before):
        title = title or (found[1].lower() if found[1][0].isupper() else "")
    if title in TITLES:
        (made.given if title in TITLES_BEFORE_GIVEN else made.family).add(word)
    elif is_kin or _KIN_BEHIND.match(text, term.end) or _AGE.match(text, term.end):
        made.given.add(word)


def _spread(
    made: Callings, text: str, terms: Sequence[Term], is_given: Callable[[str], bool]
) -> None:
    """Names in a row are of one sort: "Niamh and Cathal"."""
    rows = [
        (core(one.of(text))[0], core(other.of(text))[0])
        for one, other in pairwise(terms)
        if _ROW.fullmatch(text[one.end : other.start])
        and len(core(one.of(text))) == len(core(other.of(text))) == 1
    ]
    for pairs in (rows, rows[::-1]):
        for pair in pairs:
            if any(word in made.given or is_given(word) for word in pair):
                made.given |= {*pair} - made.family


def _most(votes: Counter[str]) -> str:
    """The sex that surely more tells; none where it is told both ways alike."""
    female, male = votes[FEMALE], votes[MALE]
    if max(female, male) < 2 * min(female, male) + 1:
        return ""
    return FEMALE if female > male else MALE
