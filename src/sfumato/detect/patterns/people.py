"""Patterns for names of people, by context only: a title, a field label, a salutation, a kinship."""

from __future__ import annotations

import re

from sfumato.detect.patterns.engine import Check, Found, Pattern
from sfumato.english.nicknames import gender, is_given
from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import (
    DOTTED_TITLES,
    FULL_TITLES,
    SHORT_TITLES,
    is_section,
    lists,
    word_set,
)

# Latin, Greek and Cyrillic; whether a letter is a capital is looked up in the check, where Unicode is known.
_UP = r"[A-Z\x{C0}-\x{24F}\x{370}-\x{52F}\x{1E00}-\x{1FFF}]"
_LET = r"[A-Za-z\x{C0}-\x{24F}\x{300}-\x{36F}\x{370}-\x{52F}\x{1E00}-\x{1FFF}]"
_WORD = rf"{_UP}{_LET}*(?:['’ʼ`-]{_LET}+)*"
_INITIALS = rf"(?:{_UP}\.[ -]?)"
_PARTICLE = (
    r"(?:de|del|della|der|den|des|di|da|do|dos|das|du|van|von|vd|v/d|v\.d\.|vom|zu|zur|la|le|lo|los|las|el|al|"
    r"bin|bint|ibn|ben|ter|ten|te|af|av|y|e|ap|san|st\.|St\.)"
)
_PIECE = rf"(?:\b{_PARTICLE}[ ]){{0,3}}(?:(?:al|el|ul|ad|as|ash|an|ar|bin|d|l|O)['’ʼ`-])?{_WORD}"
_NAME = rf"(?:{_INITIALS}){{0,4}}{_PIECE}(?:[ ](?:{_INITIALS}){{0,3}}{_PIECE}){{0,4}}"
_TWO = (
    rf"(?:{_INITIALS}){{0,4}}{_PIECE}(?:[ ](?:{_INITIALS}){{0,3}}{_PIECE}){{1,4}}|"
    rf"(?:{_INITIALS}){{1,4}}{_PIECE}"
)

_TITLE = (
    rf"(?:{'|'.join(SHORT_TITLES)})\.?|(?:{'|'.join(DOTTED_TITLES)})\.|(?:{'|'.join(FULL_TITLES)})"
)

# Capitalised words that end a name, or show that there is none, put together by hand: function words, days
# and months (but not "May", which is a name, too), what organisations, places and roles are called by.
_STOP = frozenset(lists("detect/words")["ends of names"])
_LEADING_TITLE = re.compile(
    rf"(?:(?:{'|'.join((*SHORT_TITLES, 'Sir', 'Dame', 'Lord', 'Lady', 'Judge', 'Professor'))})\.? )+"
)
_DEGREES = word_set(
    """MD PHD RN DO QC KC ESQ FRCP FRCS MRCP MBE OBE CBE FRS MP MEP BSC MSC MA BA DDS LLM NP PA JD"""
)
_SUFFIX = frozenset(("Jr", "Sr", "II", "III", "IV"))


def _name(*, least: int = 1, capitals: bool = False, whole: bool = False) -> Check:
    """A check that cuts a name where it ends. `least`: the fewest words it must have; `capitals`: all-capital
    names are names; `whole`: a stop word rejects it all, because a label's value is a name or is not."""

    def check(found: Found) -> str | None:
        text = found.text
        if text.isupper() and text in SHORT_TITLES:
            return None  # the rank before a number: "witnessed by PC 2210 Baines"
        title = _LEADING_TITLE.match(text)
        if title:
            found.start += title.end()
            text = text[title.end() :]
        kept = 0
        count = long = 0
        pieces = re.split(r"( )", text)
        at = 0
        for piece in pieces:
            at += len(piece)
            if piece == " " or not piece:
                continue
            bare = piece.strip(".'’-")
            lower = bare.lower()
            first = next((c for c in bare if c.isalpha()), "")
            if lower in _STOP or (bare.upper() in _DEGREES and count and bare.upper() == bare):
                if whole and lower in _STOP:
                    return None
                break
            if not first:
                break
            short = bare.isupper() and 1 < len(bare) < 5 and bare not in _SUFFIX
            if count and short and "." not in piece and not text.isupper():  # an acronym
                break
            if first.isupper() or ("-" in bare and any(c.isupper() for c in bare)):
                count += 1
                if len(bare) > 1:
                    long += 1
                kept = at
                if bare.endswith(("'s", "’s")):
                    break  # what follows is somebody's
            elif len(bare) > 7:  # no particle is that long: a small letter outside ASCII
                break
        name = re.sub(r"['’]s?$|(?<![-'’.])[-'’.]+$", "", text[:kept]) if kept else ""
        if count < least or not long or len(name) < 2:
            return None
        if name.isupper() and not capitals and long == count and len(name) > 3:
            return None
        if whole and kept < len(text) and text[kept:].strip(" ."):
            return None
        found.end = found.start + len(name.encode())
        return ""

    return check


_NOT_A_PERSONS = re.compile(
    r"\b(?:product|file|company|brand|host|domain|business|drug|project|test|organi[sz]ation|hospital|"
    r"school|street|city|trade|generic|species|place|user|screen|display|code|event|song|album|column|"
    r"table|field|class|server|group|practice|firm|team|ship|vessel|variable|function|path)[ ]$",
    re.IGNORECASE,
)


_SPEAKERS = word_set("handler caller operator dispatcher agent customer")


def _after_label(found: Found) -> str | None:
    label = found.before.rstrip(" \t:*").rsplit(":", 1)[-1]
    head = re.sub(r"(?i)names?$", "", label)
    if head != label and _NOT_A_PERSONS.search(head):
        return None
    first = found.text.split()[0].lower()
    is_word = is_ordinary(first) and not (is_given(first) or gender(first))
    if is_word and not _SPEAKERS.isdisjoint(label.lower().split()[-1:]):
        return None  # "CALLER: Ambulance, please"
    surname, comma, rest = found.text.partition(", ")
    # "Keller, Maria" is one name; "Maria Keller, Station Liaison" and "Mrs Keller, Assistant Head" are not.
    words = rest.lower().split()
    is_role = all(map(is_ordinary, words)) and not any(is_given(w) or gender(w) for w in words)
    if comma and (" " in surname or is_role):
        found.end = found.start + len(surname.encode())
    verdict = _LABEL_NAME(found)
    return None if is_section(found.text) else verdict


_LABEL_NAME = _name(capitals=True, whole=True)


_NO_INITIALS = word_set(
    "AND THE HER HIS FOR NOT WAS WHO BUT PT MRN NHS SSN ID NO REF GP NOK SEX AGE MR MRS MS DR HX CHI NI NR"
)


def _initials(found: Found) -> str | None:
    return None if found.text in _NO_INITIALS else ""


def _rare(found: Found) -> str | None:
    return None if is_ordinary(found.text.lower()) else ""


_FIELDS = (
    r"patient(?:['’]s)?(?:[ ]name)?|(?:full|first|last|given|family|middle|maiden|legal|preferred|sur|"
    r"birth)[ ]?names?|name|surname|attending(?:[ ]physician|[ ]doctor)?|(?:referring[ ]|consulting[ ]|"
    r"primary[ ]care[ ])?(?:physician|provider)|consultant|surgeon|doctor|nurse|midwife|therapist|gp|"
    r"from|to|cc|bcc|sender|recipient|author|contact(?:[ ]person)?|next[ ]of[ ]kin|emergency[ ]contact|"
    r"applicant|claimant|defendant|plaintiff|respondent|appellant|witness|employee|customer|client|"
    r"insured|(?:account[ ]|card)?holder|signed(?:[ ]by)?|signature|(?:prepared|reported|dictated|"
    r"reviewed|approved|submitted|written|opened|closed|completed|requested|issued|collected|"
    r"transcribed|translated)[ ]by|attn|attention|supervisor|manager|owner|tenant|landlord|student|"
    r"teacher|mother|father|spouse|husband|wife|child|guardian|parent|beneficiary|member|driver|suspect|"
    r"victim|complainant|officer|judge|counsel|solicitor|lawyer|attorney|chair|interviewer|interviewee|"
    r"assigned[ ]to|agent|caller|representative|director|secretary|clerk|notary|alias|subject[ ]name|"
    r"participant|op(?:erator)?|foreman|engineer|inspector|skipper|assessor|chaperone|interpreter|"
    r"key[ ]?worker|handler|advis[eo]r"
)
_KIN = (
    r"wife|husband|spouse|son|daughter|brother|sister|mother|father|mum|mom|dad|uncle|aunt|cousin|"
    r"nephew|niece|partner|girlfriend|boyfriend|fiancée?|grandmother|grandfather|grandson|granddaughter|"
    r"stepson|stepdaughter|colleague|friend|neighbou?r|roommate|flatmate"
)

_OFFICE = (
    r"(?:lord[ ])?mayor|governor|first[ ]lady|president|prime[ ]minister|(?:arch)?bishop|chief[ ]of[ ]police|"
    r"sheriff|ambassador"
)

PATTERNS = (
    Pattern(
        "name after a title", "PERSON",
        rf"\b((?:(?:{_TITLE})[ ]{{1,2}}|(?:{_TITLE})\n){{1,3}})((?:{_NAME}|[A-Z]\.[ ]?(?:[A-Z]\.)?))",
        0.4, labelled=True, check=_name(capitals=True), hint=rf"\b(?:{_TITLE})[ \n]",
    ),
    Pattern(
        "name of a patient", "PERSON",
        r"\b(?:PT|PATIENT|RESIDENT|MR|MRS|MS)[ ]([A-Z][A-Z'’-]{4,})\b", 0.6, group=1,
        check=_rare,
    ),
    Pattern(
        "name in a greeting", "PERSON",
        r"\b((?:Dear|Hi|Hello|Hey)[ ])((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)(?:[,:!]|\n)", 0.5,
        labelled=True,
    ),
    Pattern(
        "name in a field", "PERSON",
        rf"\b((?i:{_FIELDS}))(?:\(s\))?[ \t]{{0,12}}:[ \t*_]{{0,24}}(?:(?:{_TITLE})[ ]{{1,2}})?[\"“]?"
        rf"({_NAME}(?:,[ ]{_NAME})?)[\"”]?[ \t]*(?:\n|\r|[,;(<|/*]|[ ][-–—]|[ ]{{2}}|\t|\.[ \n]|\.$|$)",
        0.35, labelled=True, check=_after_label, hint=rf"\b(?i:{_FIELDS})(?:\(s\))?[ \t]{{0,12}}:",
    ),
    Pattern(
        "name before an e-mail address", "PERSON",
        rf"({_NAME}(?:,[ ]{_NAME})?)[\"”]?[ ]{{0,2}}[<(\[](?:mailto:)?[^\s<>()@]{{1,64}}@", 0.65,
        retry=True, group=1, check=_name(capitals=True),
        hint=r"[<(\[](?:mailto:)?[^\s<>()@]{1,64}@",
    ),
    Pattern(
        "name in a message", "PERSON",
        r"\|([A-Z][A-Za-z'’-]+\^[A-Z][A-Za-z'’-]+(?:\^[A-Za-z'’. -]*){0,4})\|", 0.7, group=1,
    ),
    Pattern(
        "office of one person", "MISC",
        rf"\b(?i:(?:sitting|current|former)[ ])?(?i:{_OFFICE})[ ]of(?:[ ][A-Z][\w'’-]+){{1,4}}", 0.6,
        hint=rf"(?i:{_OFFICE})[ ]of[ ][A-Z]",
    ),
    Pattern(
        "name in a salutation", "PERSON",
        rf"(?m:^)[ \t>*]{{0,9}}((?i:dear|hi|hello|hey|good[ ]morning|good[ ]afternoon|thanks|thank[ ]you))[ ]"
        rf"({_NAME})(?:[ \t]*[,!:]|[ \t]*\r?\n)",
        0.25, labelled=True, check=_name(whole=True),
        hint=r"\b(?i:dear|hi|hello|hey|good[ ]morning|good[ ]afternoon|thanks|thank[ ]you)[ ]",
    ),
    Pattern(
        "name under a letter", "PERSON",
        rf"\b((?i:regards|sincerely|faithfully|truly|cheers|wishes|thanks|best|love|"
        rf"yours))[,.!]?(?:[ \t]*[\r\n>]{{1,3}}[ \t>]*){{1,3}}({_NAME})[ \t]*(?:\n|\r|$)",
        0.25, labelled=True, check=_name(whole=True),
        hint=r"\b(?i:regards|sincerely|faithfully|truly|cheers|wishes|thanks|best|love|"
        r"yours)[,.!]?[ \t]*[\r\n]",
    ),
    Pattern(
        "initial under a letter", "PERSON",
        r"\b(?i:regards|sincerely|truly|cheers|wishes|thanks|best|love|xx?)[,.!]?[ \t]*[\r\n]{1,3}[ \t]*"
        r"([A-Z])\.?(?:[ ]x{1,3})?[ \t]*(?:\n|\r|$)",
        0.6, group=1,
    ),
    Pattern(
        "initials before a birth", "PERSON", r"\b([A-Z]{2,3}),?[ ]\(?(?i:d\.?o\.?b\b|born[ ])", 0.6, group=1,
        check=_initials,
    ),
    Pattern(
        "name after a closing", "PERSON",
        rf"\b((?i:best|regards|cheers|thanks|love)),[ ]({_NAME})[ \t]*(?:\n|\r|$)", 0.2,
        labelled=True, check=_name(whole=True),
    ),
    Pattern(
        "name after a kinship", "PERSON", rf"\b((?i:{_KIN})),?[ ]((?:{_TWO}))", 0.25, labelled=True,
        check=_name(least=2), hint=rf"\b(?i:{_KIN}),?[ ]",
    ),
    Pattern(
        "name after a kinship", "PERSON", rf"\b((?i:{_KIN}))[ ]({_NAME})", 0.2, labelled=True,
        check=_name(), hint=rf"\b(?i:{_KIN})[ ]",
    ),
    Pattern(
        "name given as such", "PERSON",
        rf"((?i:\bnée|\bnee|\balias|\ba\.?k\.?a\.?|\bnamed[ ]as|\bname[ ]is|\bsigned[ ]by|"
        rf"\bdictated[ ]by|\bprepared[ ]by|\breported[ ]by|\breviewed[ ]by|\bwitnessed[ ]by|"
        rf"\bsubmitted[ ]by|\brepresented[ ]by|\bby[ ]name[ ]of|\bprosecutor|\bnurse|\bdetective|"
        rf"\bjudge|\battorney))[ ][\"“'‘]?({_NAME})",
        0.2, labelled=True, check=_name(),
        hint=r"(?i:\bnée|\bnee|\balias|\ba\.?k\.?a\.?|\bnamed[ ]as|\bname[ ]is|ed[ ]by|\bwritten[ ]by|"
        r"\bname[ ]of|\bprosecutor|\bnurse|\bdetective|\bjudge|\battorney)[ ]",
    ),
)  # fmt: skip
