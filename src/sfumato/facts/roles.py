"""Who of one family name are two: a child and the parent, a patient and the doctor, writer and other.

A bare name with a title ("Mrs Carter") belongs to whom it fits, unless the words around say that it is
another: then it is a person of its own.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sfumato.document import Term
from sfumato.english.folding import normal_form
from sfumato.english.wordlists import CIVIL_TITLES, FEMALE_TITLES, MALE_TITLES, OFFICES, TITLES
from sfumato.facts.persons import core

_FAR = 120
_OF_CHILDREN = frozenset({"miss", "master"})
_GROWN = 16
_AGE = re.compile(
    r"[,\s]{1,2}\(?(?:(?:is|was|now|aged|age|an?)\s){0,3}(\d{1,3})\b(?!\s?(?:%|mg|kg|st|nd|rd|th|/))"
    r"|[,\s]{1,2}\(?(?:is|was)?\s?(?:in\s)?(?:year|grade|class|form|reception|nursery)\s(?P<school>\w+)"
    r"|\s(?:is\s)?an?\s(?P<young>child|pupil|toddler|baby|infant|schoolboy|schoolgirl)\b",
    re.IGNORECASE,
)
_CHILD_BEFORE = re.compile(
    r"(?i)\b(?:child|pupil|baby|toddler|infant|schoolboy|schoolgirl)(?:['’]s name)?:?\s\Z"
)
_PATIENT_BEFORE = re.compile(
    r"(?i)\b(?:patient|client|pt|resident|seeing|referring|name|re|service user)(?:['’]s name)?:?\s\Z"
)
_PATIENT_AFTER = re.compile(r"(?i)[,;\s]{1,3}\(?(?:d\.?o\.?b|nhs|mrn|hosp)\b")
_SPEAKER = re.compile(r"\bI, \Z")
_BY_WHOM = re.compile(
    r"(?i)\b(?:(?:seen|reviewed|examined|assessed|treated|referred|admitted|operated on|discharged|"
    r"interviewed|signed|written|dictated|taught)(?:\s\w+){0,2}\s(?:by|to|under)|d/w|discussed with|"
    r"under the care of)\s\Z"
)
_RE = re.compile(r"(?i)\bre:?\s\Z")
_SELF = re.compile(
    r"(?i)\b(?:calls?|called|address(?:es|ed)?|knows?|known|knew)\sme(?:\sas|\sby)?\s\Z"
)
_HEADING = re.compile(r"[^\n]{0,80}(?<![.!?,;:])(?:\n\s*\n|\Z)")  # what follows a name of one
_LINE = re.compile(r"(?:\A|\n)[^\n.!?]{0,80}\Z")
_WORK = "|".join(OFFICES) + (
    r"|gp|pcp|provider|surgeon|physician|clinician|attending|consultant|registrar|dentist|assessor|interviewer"
    r"|\w+(?:ologist|iatrist|iatrician|therapist)"
)
_AT_WORK = re.compile(
    rf"(?i)(?:\A|\n)[ \t]*(?:\w+[ /]){{0,2}}(?:{_WORK})(?:(?: \w+){{0,2}}:)?\s+\Z"
)
_WORKS = re.compile(
    r",? \(?(?:MD|M\.D\.|DO|D\.O\.|NP|RN|PA|MBBS|MBChB|PhD|Ph\.D\.|FRC[A-Z]{1,4}|MRC[A-Z]{1,4})(?!\w)"
    r"|(?i:(?:,? \(?\d{1,3}\)?,?)?(?:,| is| was) (?:an?|the|our|my|his|her|their) "
    rf"(?:\w+ ){{0,2}}(?:{_WORK})\b(?!['’]s))"
)
_DEAR = re.compile(r"(?i)\bdear\s\Z")
_SIGNED = re.compile(r"(?i)\b(?:sincerely|faithfully|truly|regards|wishes|signed)[,:]?\s*\Z")
_KIN = re.compile(
    r"(?i)[^.!?\n]{0,60}?\b(?P<whose>his|her)\s(?:\w+\s)?(?P<kin>mother|mum|mom|father|dad|parents?|wife|husband)\b"
)
_ENDS = re.compile(r";|[.!?]\s+(?:(?=[A-Z\"“])|\Z)|\n[^\S\n]*\n\s*")
_SAME = re.compile(
    r"(?i)[\W_]*(?:(?:who|whose|full|real|maiden|name|known|as|aka|called|named|formerly|née|nee|i\.?e|or|is|was|now)[\W_]+)*"
)
_MOST_BESIDE = 6  # persons behind one with whom a sentence may tell of him
_PARENTS = {
    "mother": "f",
    "mum": "f",
    "mom": "f",
    "father": "m",
    "dad": "m",
    "parent": "mf",
    "parents": "mf",
}


@dataclass(slots=True)
class _Person:
    """All that is told of a name: its title, where it stands first, and what its bearers are."""

    name: str
    title: str
    words: tuple[str, ...]
    start: int
    is_new: bool = True  # told in a sentence first, and in no heading
    roles: set[str] = field(default_factory=set)
    seen: list[set[str]] = field(default_factory=list)  # the names of whom this one saw


def strangers(text: str, persons: Sequence[tuple[Term, str]]) -> Iterator[tuple[str, str]]:
    """Pairs of names, one in full and one with a title, that are of two persons. `persons` are terms with
    what they say, their titles included.

    >>> text = "Emily Carter, aged 9, came. Mrs Carter was worried."
    >>> child, mother = (Term(a, b, "PERSON", 1.0, "") for a, b in ((0, 12), (28, 38)))
    >>> list(strangers(text, [(child, child.of(text)), (mother, mother.of(text))]))
    [('emily carter', 'mrs carter')]
    """
    told: dict[str, _Person] = {}
    persons = sorted(persons, key=lambda person: person[0].start)
    starts = [term.start for term, _ in persons]
    for at, (term, said) in enumerate(persons):
        start, title, words = _title(text, term, said)
        before, after = text[max(0, start - _FAR) : start], text[term.end : term.end + _FAR]
        is_heading = _LINE.search(before) and _HEADING.match(after)
        is_new = not (is_heading or _RE.search(before))
        name = normal_form(said)
        one = told.setdefault(name, _Person(name, title, words, start, is_new))
        one.roles |= {*(_with_title(before, after) if title else _in_full(before, after))}
        if title and (by := _BY_WHOM.search(before)):
            ends = [end.end() for end in _ENDS.finditer(before, 0, by.start())]
            first = bisect_left(starts, start - len(before) + max(ends, default=0))
            one.seen.append({word for _, name in persons[first:at] for word in core(name)})
    beside = _in_one_sentence(text, persons)
    yield from (pair for pair in beside if "office" not in told[pair[0]].roles)
    titled: dict[str, list[_Person]] = {}
    for other in told.values():
        if other.title and len(other.words) == 1:
            titled.setdefault(other.words[0], []).append(other)
    called = {one.words for one in told.values() if not one.title}
    for one in told.values():
        if not one.title and len(one.words) > 1:
            others = titled.get(one.words[-1], ())
            is_called = one.words[:1] in called or len({_sex(other) for other in others} - {""}) > 1
            yield from ((one.name, o.name) for o in others if _are_two(one, o, is_called))


def _in_one_sentence(text: str, persons: Sequence[tuple[Term, str]]) -> Iterator[tuple[str, str]]:
    """Names of two whom one sentence tells of by an office and in full: "PC Lee stopped Susan Lee". Who is
    called both ways is so in one breath: "Dr Young (Emily Young)", "Dr Young, who is Emily Young"."""
    for at, (one, said) in enumerate(persons):
        _, title, words = _title(text, one, said)
        for other, other_said in persons[at + 1 : at + 1 + _MOST_BESIDE]:
            start, other_title, other_words = _title(text, other, other_said)
            between = text[one.end : start]
            if len(between) > _FAR or _ENDS.search(between):
                break
            if words[-1:] != other_words[-1:] or sorted((len(words), len(other_words)))[:1] != [1]:
                continue
            office, full = (title, other_title) if len(words) == 1 else (other_title, title)
            if office and office not in CIVIL_TITLES and not full and not _SAME.fullmatch(between):
                pair = normal_form(said), normal_form(other_said)
                yield pair if len(words) > 1 else pair[::-1]


def genders(text: str, persons: Sequence[tuple[Term, str]]) -> dict[str, str]:
    """The sex of those whose wife or husband is told before anybody else is: "Hakan Yildiz came with his
    wife". Whoever is told with an office speaks with those of others.

    >>> persons = [(Term(0, 6, "PERSON", 1.0, ""), "Xu Wei")]
    >>> [*genders("Xu Wei came with his wife.", persons).values()]
    ['m']
    >>> genders("Dr Lee saw her husband.", [(Term(3, 6, "PERSON", 1.0, ""), "Dr Lee")])
    {}
    """
    starts = sorted(term.start for term, _ in persons)
    made: dict[str, str] = {}
    for term, said in persons:
        title = _title(text, term, said)[1]
        at = bisect_left(starts, term.end)
        limit = min([term.end + _FAR, *starts[at : at + 1]])
        kin = _KIN.match(text, term.end, limit) if not title or title in CIVIL_TITLES else None
        if kin and kin["kin"].lower() in ("wife", "husband"):
            made[normal_form(said)] = "m" if kin["whose"].lower() == "his" else "f"
    return made


def _title(text: str, term: Term, said: str) -> tuple[int, str, tuple[str, ...]]:
    """Where a name begins with its title, the title in small letters, and the words of the name."""
    first, words = said.partition(" ")[0], core(said)
    title = first.rstrip(".").lower()
    if title not in TITLES or words[:1] in ((), (title,)):
        return term.start, "", words
    is_before = not term.of(text).startswith(first)
    start = text.rfind(first, max(0, term.start - _FAR), term.start) if is_before else term.start
    return max(start, 0), title, words


def _with_title(before: str, after: str) -> Iterator[str]:
    """What somebody is who is told with a title."""
    if _is_child(before, after):
        yield "child"
    if _SIGNED.search(before):
        yield "writer"
    if _SELF.search(before):
        yield "self"
    if _DEAR.search(before):
        yield "reader"


def _in_full(before: str, after: str) -> Iterator[str]:
    """What somebody is who is told in full."""
    if _SPEAKER.search(before):
        yield "writer"
    if _AT_WORK.search(before) or _WORKS.match(after):
        yield "office"
    age = _AGE.match(after)
    if _is_child(before, after):
        yield "child"
    if (
        (age and age[1] and int(age[1]))
        or _PATIENT_BEFORE.search(before)
        or _PATIENT_AFTER.match(after)
    ):
        yield "patient"
    if kin := _KIN.match(after):
        yield from _PARENTS.get(kin["kin"].lower(), "")


def _is_child(before: str, after: str) -> bool:
    age = _AGE.match(after)
    if age is not None and (age["school"] or age["young"] or int(age[1]) < _GROWN):
        return True
    return _CHILD_BEFORE.search(before) is not None


def _are_two(one: _Person, other: _Person, is_called: bool) -> bool:
    """Whether somebody who is told in full is another than one who is told by a title. Who is seen by Dr X is
    another X, if that is who is told as being seen, or nobody is; Ms X is so only of a patient."""
    if "office" in one.roles or "self" in other.roles:
        return False
    is_doctor = other.title not in CIVIL_TITLES or not one.roles.isdisjoint(("patient", "child"))
    if "writer" in one.roles or ("writer" in other.roles and is_doctor):
        return True
    if any(is_doctor if not names else names.intersection(one.words) for names in other.seen):
        return True
    if "reader" in other.roles and one.is_new and one.start > other.start:
        return True  # "Dear Ms Turner, Grace Turner has been off school"
    if "child" in one.roles:
        return other.title not in _OF_CHILDREN and "child" not in other.roles
    if "patient" in one.roles and other.title not in CIVIL_TITLES:
        return True
    # whose mother or father is told, and who is a child, called by the given name alone, or both are told
    return is_called and _sex(other) in one.roles


def _sex(one: _Person) -> str:
    return "m" if one.title in MALE_TITLES else "f" if one.title in FEMALE_TITLES else ""
