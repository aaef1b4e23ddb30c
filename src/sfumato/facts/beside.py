"""What stands beside a name tells who is meant: titles, relatives, and who does something to whom."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

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
    TITLES,
    words,
)
from sfumato.facts import generations, roles
from sfumato.facts.also import is_also, was_once
from sfumato.facts.generations import behind, by_kin, with_generation
from sfumato.facts.persons import BABY, INITIALS, core, parts, word_key

WOMEN = words(
    "wife mother mum mom sister daughter aunt auntie niece grandmother grandma granny granddaughter"
    " girlfriend fiancée stepmother stepdaughter stepsister widow bride girl"
)
MEN = words(
    "husband father dad brother son uncle nephew grandfather grandpa grandson boyfriend fiancé stepfather"
    " stepson stepbrother widower groom boy"
)
_EITHER = words(
    "doctor nurse teacher tutor pupil student patient client boss manager employer employee lawyer solicitor"
    " landlord tenant assistant roommate flatmate"
    " spouse partner cousin child twin sibling parent neighbour neighbor friend colleague baby"
)
_KIN = "|".join((*WOMEN, *MEN, *_EITHER))
_TITLE = rf"(?:(?:{'|'.join(SHORT_TITLES)})\.?|(?:{'|'.join(DOTTED_TITLES)})\.|(?:{'|'.join(FULL_TITLES)}))"
_TITLE_BEFORE = re.compile(rf"(?<!\w)(?:{_TITLE}[ \u00a0])+\Z")
_KIN_BEFORE = re.compile(
    rf"(?:\b(?P<whose>his|her|their|my|your|our|whose|and|with)|['’]s|s['’])\s+(?:[\w-]+\s+){{0,2}}?"
    rf"(?:ex-)?(?P<kin>{_KIN})(?:-in-law)?(?:,| is| was)?\s+(?:{_TITLE}\s)?\Z",
    re.IGNORECASE,
)
# "Daughter Rosa Brown rang.", "Mother: Rosa Brown", "Mom (Rosa Brown) notified"
_KIN_FIRST = re.compile(
    rf"(?:^|[.;:,(\n])\s*(?P<kin>(?i:{'|'.join((*WOMEN, *MEN))}))(?:-in-law)?(?:[,:]? | \()(?:{_TITLE} )?\Z",
    re.MULTILINE,
)
_KIN_OF = re.compile(
    rf"(?:, | is | was )(?:the |a )?(?:ex-)?(?P<kin>{_KIN})(?:-in-law)? (?:of|to) \Z"
)
# "Robert Lee is Bob's father", "Ann Lee, Tom's mother, …"
_KIN_BEHIND = re.compile(rf"['’]s?\s(?:[\w-]+\s){{0,2}}?(?:ex-)?(?P<kin>{_KIN})\b", re.IGNORECASE)
_IS = re.compile(r",|,? (?:is|was|isn't|wasn't)(?: not)?|,? being")
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
_COUPLE = re.compile(rf"(?<!\w){_TITLE}\s(?:and|&)\s{_TITLE}\s\S+\Z")
_AND = re.compile(r"\s(?:and|&)\s")
_THAT_IS = re.compile(r" \(|, (?:i\.e\.|that is),? | = ")
_BOTH = re.compile(rf"(?<!\w)(?P<his>{_TITLE})\s(?:and|&)\s(?:{_TITLE}\s)?\Z")
# From a bare name with a title to one in full: "Sgt Hill booked Tom Hill"
_CLAUSE = re.compile(r" (?:(?!name|called|known|signed)[^\s.!?;:,()\"“”]+ )+(?<! as )(?<! or )")
_BABY = re.compile(r"\b(?:baby|newborn|infant)(?: (girl|boy))?\s\Z", re.IGNORECASE)
_CHILDREN = words("son daughter child twin baby boy girl stepson stepdaughter")
_SPOUSES = words("wife husband spouse partner")
# "Rosamund ('Roz' to you)"; what is in quotes, or said by whom, needs be no short form that is known.
_CALLED = re.compile(
    r"\s\(([\"“'‘])?([^\W\d_][\w-]*)(?(1)[\"”'’])( (?:to|for) [^()\n]{2,30}| for short)?\)"
)
_ASIDE = re.compile(r" \([^()]{0,60}\)")
_FAR = 80  # characters from a name back to the word that tells of whom it is
_WINDOW = 40
_MOST_ROW = 4  # persons of a sentence who may be "they"
_SENTENCE = re.compile(r"[.!?]\s|\n")


@dataclass
class Company:
    """Persons as they are said with their titles, what the words before them say, and who are two."""

    said: list[str]
    genders: dict[str, str] = field(default_factory=dict)
    apart: set[tuple[str, str]] = field(default_factory=set)
    # Of those behind whom a name is in brackets
    aliases: dict[str, str] = field(default_factory=dict)
    same: list[tuple[str, str]] = field(default_factory=list)  # two names of one person
    families: list[tuple[list[str], list[str]]] = field(default_factory=list)  # parents, children


def company(text: str, terms: Sequence[Term], said: Sequence[str]) -> Company:
    """What stands beside the persons of a text.

    >>> text = "Mr Brown and his sister Jo Brown"
    >>> terms = [Term(a, b, "PERSON", 1.0, "") for a, b in ((3, 8), (24, 32))]
    >>> found = company(text, terms, ["Brown", "Jo Brown"])
    >>> found.said, found.genders, found.apart
    (['Mr Brown', 'Jo Brown'], {'jo brown': 'f'}, {('mr brown', 'jo brown')})
    """
    persons = [at for at, term in enumerate(terms) if term.kind == "PERSON"]
    home = _Home()
    made = Company(_in_full(text, terms, said, persons, home))
    said, before, free, row, last = list(made.said), "", 0, list[str](), (0, 0)
    for at in persons:
        term = terms[at]
        made.said[at] = _with_title(text[max(free, term.start - _WINDOW) : term.start], said[at])
        this = normal_form(made.said[at])
        start = max(free, term.start - _FAR)
        kin = _KIN_BEFORE.search(text, start, term.start)
        if kin is not None:
            _note(made, this, kin["kin"])
        if len(core(said[at])) > 1 and (first := _KIN_FIRST.search(text, start, term.start)):
            _note(made, this, first["kin"])
            made.apart |= {(before, this)} if before not in ("", this) else set()
        called = _CALLED.match(text, term.end)
        if called and (called[1] or called[3] or _is_called(core(said[at]), called[2])):
            made.aliases[this] = word_key(called[2])
        if _COUPLE.search(text[max(free, term.start - _WINDOW) : term.end]):
            home.couples.add(core(said[at]))
        if _SENTENCE.search(text, free, term.start):
            row = []
        if kin is not None and "their " in kin[0]:  # who came with their cousin
            made.apart |= {(name, this) for name in row if name != this}
        row = [*row[-_MOST_ROW:], this]
        if before not in ("", this) and is_also(text, last, (term.start, term.end)):
            _note_same(made, before, this)
        elif before and free <= term.start and before != this:
            between = _ASIDE.sub("", text[free : term.start])
            if kin is not None and not _contradicts(kin["whose"], before):
                made.apart.add((before, this))
                home.tell(before, kin["kin"].lower(), this)
            elif of := _KIN_OF.search(between[-_WINDOW:]):
                made.apart.add((before, this))
                if len(between) < _WINDOW:
                    _note(made, before, of["kin"])
            elif _IS.fullmatch(between.rstrip()) and (
                of := _KIN_BEHIND.match(text, term.end - 2 * said[at].endswith(("'s", "’s")))
            ):
                made.apart.add((this, before))
                _note(made, before, of["kin"])
            elif len(between) < _WINDOW and _are_two(before, between, this):
                made.apart.add((before, this))
        free, before, last = term.end, this, (term.start, term.end)
    named = [(terms[at], made.said[at]) for at in persons]
    made.apart |= set(roles.strangers(text, named))
    made.genders = roles.genders(text, named) | made.genders
    made.families = home.families(dict.fromkeys(normal_form(made.said[at]) for at in persons))
    return made


@dataclass
class _Home:
    """Who of a family are told as parents, children and spouses."""

    couples: set[tuple[str, ...]] = field(default_factory=set)  # "Mr and Mrs Brown"
    children: set[tuple[str, str]] = field(default_factory=set)  # (family name, given name)
    spouses: set[str] = field(default_factory=set)

    def tell(self, owner: str, kin: str, name: str) -> None:
        if kin in _CHILDREN and len(core(owner)) == 1 and core(name):
            self.children.add((core(owner)[0], core(name)[0]))
        elif kin in _SPOUSES:
            self.spouses |= {owner, name}

    def families(self, names: Iterable[str]) -> list[tuple[list[str], list[str]]]:
        """Mr and Mrs Brown, and their children, who are others; where nobody tells who of that name they are,
        all of them."""
        told = [(name, _title(name), core(name)) for name in names]
        parents: dict[str, list[str]] = {}
        children: dict[str, list[str]] = {}
        for name, title, own in told:
            if title not in ("", "miss") and len(own) == 1:
                parents.setdefault(own[0], []).append(name)
        # "Mr H J Patel & Mrs H Patel", "Tom and Ann Patel"
        known = {own[-1:] for n, title, own in told if n in self.spouses or (title and own[1:])}
        couples = self.couples - known
        for name, title, own in told:
            is_told = own[-1:] in couples or (own[-1:] + own[:1]) in self.children
            if is_told and len(own) > 1 and not title and name not in self.spouses:
                children.setdefault(own[-1], []).append(name)
        return [(parents[name], children[name]) for name in parents if name in children]


def _in_full(
    text: str, terms: Sequence[Term], said: Sequence[str], persons: Sequence[int], home: _Home
) -> list[str]:
    """The names with what those beside them add: Brian is Brian Dobbs in "Brian and Sheila Dobbs", István is
    István Kovács in "KOVÁCS, István", and Sharma a baby in "Baby Sharma", where others of that name are
    told."""
    made = list(said)
    families = {
        core(said[at])[-1]
        for at in persons
        if core(said[at]) and (len(core(said[at])) > 1 or is_titled(text, terms[at], said[at]))
    }
    given = set[str]()  # of those who were told in full before
    for one, other in pairwise((*persons, len(terms))):
        own, name = core(said[one]), core(said[other]) if other < len(terms) else ()
        between = text[terms[one].end : terms[other].start] if name else ""
        if _THAT_IS.fullmatch(between) and len(name) > 1 and _are_initials(said[one], name):
            made[one] = said[other]  # "J.S. (John Smith)"
            continue
        if len(own) > 1:
            given.add(own[0])
            is_alike = len(name) == 1 or (name and same_given(own[0], name[0]))
            if is_alike and was_once(between, said[one], said[other]):
                made[one] = made[other] = _with_birth(said[one], said[other])
        elif " " in said[one] or is_titled(text, terms[one], said[one]):
            continue
        elif baby := _BABY.search(text, max(0, terms[one].start - _WINDOW), terms[one].start):
            if own[-1:] and own[-1] in families:
                made[one] = f"{BABY} {baby[1] or ''} {said[one]}".lower().replace("  ", " ")
        elif _AND.fullmatch(between) and len(name) > 1 and own:
            is_new = own[0] not in families and own[0] not in given
            if is_new and (family := _family(said[other])):
                made[one] = f"{said[one]} {family}"
                home.spouses |= {normal_form(made[one]), normal_form(said[other])}
        elif (
            between == ", "
            and len(name) == 1
            and " " not in said[other]
            and said[one].isupper() > said[other].isupper()
            and not INITIALS.fullmatch(said[one])
            and name[0] not in families
        ):
            made[one] = made[other] = f"{said[other]} {said[one].title()}"
    _name_spouses(text, terms, made, persons)
    _name_generations(text, terms, made, persons)
    return made


def _with_birth(name: str, other: str) -> str:
    """Anna Braun, née Weber, is Anna Weber, too."""
    born = _family(other) or other
    family = _family(name) or name.rpartition(" ")[2]
    is_told = {*core(born)} <= {*core(name)}
    return name if is_told else f"{name.removesuffix(family)}{born} {family}"


def _name_generations(
    text: str, terms: Sequence[Term], made: list[str], persons: Sequence[int]
) -> None:
    """Of two of one name one is the elder, as "John Smith and his father, John Smith" tells; where the text
    has both ("John Smith, Sr.", "John Smith the younger"), each is what stands behind him."""
    told: dict[tuple[str, ...], set[str]] = {}
    for at in persons:
        is_told = {generations.own(made[at]), behind(text, terms[at].end)} - {""}
        told.setdefault(core(made[at]), set()).update(is_told)
    for one, other in pairwise((*persons, len(terms))):
        if len(told.get(core(made[one]), ())) > 1:
            made[one] = with_generation(made[one], behind(text, terms[one].end))
        own = core(made[one]) if other < len(terms) else ()
        if len(own) > 1 and own == core(made[other]):
            between = text[terms[one].end : terms[other].start]
            kin = _KIN_BEFORE.search(between) or _KIN_OF.search(between)
            is_of = kin is not None and "whose" not in kin.groupdict()
            made[other] = with_generation(made[other], by_kin(kin["kin"] if kin else "", is_of))


def _name_spouses(
    text: str, terms: Sequence[Term], made: list[str], persons: Sequence[int]
) -> None:
    """Hope is Hope Rees in "Mr Rees and his wife Hope", where Mrs Rees is told."""
    before = [text[max(0, terms[at].start - _WINDOW) : terms[at].start] for at in persons]
    titled = {
        (_title(said), core(said))
        for at, said_before in zip(persons, before, strict=True)
        for said in [_with_title(said_before, made[at])]
    }
    for (one, other), said_before in zip(pairwise(persons), before[1:], strict=True):
        kin = _KIN_BEFORE.search(said_before)
        title = {"wife": "mrs", "husband": "mr"}.get(kin["kin"].lower(), "") if kin else ""
        if not title or len(core(made[other])) != 1 or is_titled(text, terms[other], made[other]):
            continue
        family = _family(made[one]) or made[one].rpartition(" ")[2]
        if (title, core(family)) in titled:
            made[other] = f"{made[other]} {family}"


def _are_initials(short: str, name: Sequence[str]) -> bool:
    """Whether letters stand for a name: "J.S." and "KL" for Karen Lowe."""
    letters = re.sub(r"[\s.]", "", short)
    return letters.isupper() and letters.lower() == "".join(word[0] for word in name)


def _with_title(before: str, name: str) -> str:
    """A name with the title that stands before it; Peter's in "Mr and Mrs Peter Jones" is his."""
    if title := _TITLE_BEFORE.search(before):
        name = title[0] + name
    if len(core(name)) > 1 and _title(name) in FEMALE_TITLES:
        both = _BOTH.search(before) if given_gender(core(name)[0]) == "m" else None
        name = f"{both['his']} {name.partition(' ')[2]}" if both else name
    return name


def _are_two(before: str, between: str, this: str) -> bool:
    """Whether the words between two names tell of two persons."""
    is_fuller = _title(before) and len(core(before)) == 1 < len(core(this))
    return bool(_TOGETHER.fullmatch(between) or (is_fuller and _CLAUSE.fullmatch(between)))


def is_titled(text: str, term: Term, said: str) -> bool:
    """Whether a name is said with a title, or one stands before it."""
    start = max(0, term.start - _WINDOW)
    return bool(_title(said) or _TITLE_BEFORE.search(text, start, term.start))


def _title(name: str) -> str:
    """The title with which a name begins, in small letters."""
    first = name.partition(" ")[0].rstrip(".").lower()
    return first if first in TITLES and core(name)[:1] != (first,) else ""


def _family(name: str) -> str:
    """The family name of one who is told without titles, with its particles."""
    read = parts(name)
    last = max((at for at, p in enumerate(read) if p.role in ("given", "initial")), default=0)
    is_plain = read[0].role == "given" and "," not in name
    return "".join(p.text for p in read[last + 1 :]).strip(" .") if is_plain else ""


def _is_called(name: Sequence[str], word: str) -> bool:
    """Whether a word in brackets is what somebody is called: how the name begins, or a short form of it."""
    key = word_key(word)
    return any(own.startswith(key) or same_given(own, key) for own in name[:1] if own)


def _note(made: Company, name: str, kin: str) -> None:
    told = "f" if kin.lower() in WOMEN else "m" if kin.lower() in MEN else ""
    made.genders[name] = told if made.genders.get(name, told) == told else ""


def _note_same(made: Company, name: str, other: str) -> None:
    made.same.append((name, other))
    if len(core(other)) == 1:
        made.aliases.setdefault(name, core(other)[0])


def _contradicts(whose: str | None, owner: str) -> bool:
    """Whether "his" or "her" is not of the person told last."""
    wanted = {"his": "m", "her": "f"}.get((whose or "").lower(), "")
    title = _title(owner)
    told = "m" if title in MALE_TITLES else "f" if title in FEMALE_TITLES else ""
    told = told or given_gender((*core(owner), "")[0])
    return bool(wanted and told and wanted != told)
