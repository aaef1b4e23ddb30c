"""What a guessed person is by its form: a name without what stands around it, a title, a relative, a role."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from sfumato.detect.encoder import Reading
from sfumato.detect.guesses import LONG_SENTENCE, begins_sentence
from sfumato.detect.known import is_nobodys, names
from sfumato.detect.noun_phrases import TaggedWord, tagged_words
from sfumato.english.nicknames import gender, is_given, is_given_anywhere
from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import (
    CALLED_KIN,
    FULL_TITLES,
    KIN,
    SHORT_TITLES,
    is_section,
    word_set,
)
from sfumato.know.taxonomy import places

# Short for who sees to a firm's people or may decide for another, and for days and papers of notes.
_NOBODY = word_set(
    "HR IT NOK POA LPA EPOA IMCA DOLS EDD LMP BIBA TTO TTOS TTA DNACPR DNAR NBM MDT PS NB SpEd SEN SENCO"
    " PIP DLA ESA JSA SSP SMP PAYE DWP"
)
ROLES = word_set(
    "medic paramedic tutor teacher nurse doctor midwife friend man woman boy girl victim witness driver"
    " patient caller neighbour neighbor colleague manager menarche menopause sister brother wife husband"
    " son daughter carer suspect"
)
# What only somebody with a body does, or has done to them.
BODY = re.compile(
    r" (?:then |also |has |had )?(?:was (?:seen (?:by|at|in|on|again)|examined|discharged|triaged|interviewed"
    r"|cautioned|handcuffed|weighed)|slipped|tripped|fainted|vomited|fractured|coughed|sneezed|limped|cried"
    r"|giggled|nodded|shrugged|whispered|woke|drove|walked|sat (?:up|down|with)|lives (?:in|at|with|alone)"
    r"|weighs|blushed|yawned|smiled|laughed)\b"
)
_FAMILY_NAME = re.compile(
    r" ([A-Z][a-z]+)(?:['’]s)?(?= [a-z]|[.,;!?)]|\n|\Z)"
)  # "Alan" Bishop was seen
_CALLED_BY_TRADE = word_set("doctor nurse officer professor teacher vicar reverend")
_CALL_ENDS = re.compile(r"[.,;:!?\"”’)]|\s*(?:\n|\Z)")  # "in you, Doctor."
_TRADES = word_set("paraplanner projectionist photojournalist cinematographer videographer")
_FAR = 40  # characters before a name that tell whose title it is
_WITNESS = re.compile(r"[PDCR]W-?\d{1,3}")
_BENCH = re.compile(r"(?:CJ|JJ?A?|LJJ?|JC|P)\.?")
_COURT = re.compile(r"(?i)\b(?:court|judgments?|ruling|appellant|appeal|tribunal|republic)\b")
_NAME_BEFORE = re.compile(r"\b[A-Z][\w'’-]+(?:,| and [A-Z][\w'’-]+,) \Z")
_PROSECUTES = re.compile(
    r"(?:the )?(?:Republic|State|Crown|People|Commonwealth|Queen|King|Regina|Rex)"
)
_NAME_ENDS = re.compile(r"[A-Z][a-z]+ \Z")
_TITLE_CASE = re.compile(r"(?<![\w'’-])[A-Z][a-z]+\b")
_RELATIVE = rf"(?:{'|'.join(sorted(KIN, key=len, reverse=True))})(?:-in-law)?"
_KIN_FIRST = re.compile(rf"{_RELATIVE}(?:\s|\Z)")
_TITLE_FIRST = re.compile(rf"(?:{'|'.join((*SHORT_TITLES, *FULL_TITLES))})\.?\s+")
_HONOUR = re.compile(r"(?i)hon['’]ble\b")  # which is read as two words
_LIKE_TITLE = re.compile(rf"(?<!\w)([A-Z]\w+) ({'|'.join(FULL_TITLES)})(?!\w| [A-Z])")
_OFFICE = (
    r"(?:Employment|District|Circuit|Tribunal|Regional|County|Senior|Deputy|Chief|Lead|Head|Charge|Staff"
    r"|Student|School|Community|Practice|Research|Ward|Specialist|Detective|Woman|Flight|Lance|Honour|Honor)"
)
_OF_TITLE = re.compile(rf"\b(?:(?:{'|'.join(SHORT_TITLES)})\.?\s(?:and|&)|{_OFFICE})\s\Z")
_OFFICE_FIRST = re.compile(rf"(?:{_OFFICE}\s)+(?:{'|'.join(FULL_TITLES)})\s+(?=[A-Z])")
_OTHER_LAST = re.compile(
    rf"(?:(?<!\s)\s{{2,}}|\s\()[FM]\)?\Z|\s['‘’\"“][MFmf]\Z|\.\s(?i:{_RELATIVE})\Z"
)
# "Vikram ji", "My teacher Rokeya miss said", but not "Ann miss you"
_TAG = re.compile(r"#\d{4}(?!\w)")  # of "nell#0417"
_TITLE_BEHIND = re.compile(
    r"[ -](?:ji|bhai|didi|apa|sahib|saheb|sensei|san)(?![\w-])"
    r"|[ ](?:miss|madam|sir)(?=[.,;:!?)]|['’]s|[ ](?:said|says|told|gave|is|was|has|had|and|asked|taught)\b)"
)
_VERBS = frozenset({"VERB", "AUX"})
_NO_NAME_AFTER = frozenset({"DET", "ADJ", "PART", "NOUN", "PROPN", "NUM"})
_OWNERS = word_set("his her my your our their its whose")


_PARTS_OF_FIRMS = word_set(
    "Accounts Admin Admissions Audit Benefits Billing Catering Claims Collections Compliance"
    " Delivery Dispatch"
    " Engineering Facilities Finance Housekeeping Installations Legal Logistics Maintenance"
    " Marketing Operations"
    " Packing Payroll Procurement Production Purchasing Quality Radiology Reception Recruitment"
    " Research Sales Security"
    " Shipping Stores Support Training Transport Treasury Underwriting Warehouse"
)
_CALLS_BY = word_set("Teams Zoom Skype FaceTime WhatsApp Webex Meet Slack")
_BY_CALL = re.compile(r"\b(?:by|on|via|over|through)\s(?:(?:MS|Microsoft|Google)\s)?\Z")
_OFFICERS = word_set("Chair Clerk Foreman Governor Headteacher Secretary Steward Treasurer Warden")
_TITLED_BESIDE = re.compile(rf", (?:(?:{'|'.join(SHORT_TITLES)})\.? |[A-Z][a-z]+ )[A-Z]")
_OF_FIRM = re.compile(r"\b(?:in|from|at|to|with|by|of|ask|tell|via|and|or|the)\s\Z")
_NAME_NEXT = re.compile(r" [A-Z][a-z]")
_GOES_ON = re.compile(
    r" (?:w/|with|the|a|an|to|up|for|at|on|into|from|about|his|her|their|your|our|my)(?!\w)| [–—] "
)
_NAME_BESIDE = re.compile(r", [A-Z][a-z]+ [A-Z][\w'’-]+,")


_OWNS = re.compile(r"['’]s ([A-Za-z]+)")
# "our Grace", "he failed Grace W for it"
_GIVEN_ALONE = re.compile(
    r"(?<=\bour )([A-Z][a-z]+)(?![\w'’-]| [A-Z])|(?<=[a-z] )([A-Z][a-z]+) [B-HJ-Z](?= [a-z]|[,;!?)])"
)


def name_alone(text: str, start: int, end: int) -> tuple[int, int]:
    """A guessed name without what is no part of it: who of a family it is, the sex behind it or who begins
    the next sentence ("Ann T. Mom"), and a title that belongs to the words before; with a title behind it.

    >>> said = "Mr and Mrs Popov; sister Morag; Employment Judge Cole; POPOV, Ana   F"
    >>> spans = [(7, 16), (18, 30), (43, 53), (32, 53), (55, 69)]
    >>> [said[slice(*name_alone(said, *span))] for span in spans]
    ['Popov', 'Morag', 'Cole', 'Cole', 'POPOV, Ana']
    """
    kin = _KIN_FIRST.match(text, start, end)
    if kin and kin.end() < end:
        start = kin.end()
    if office := _OFFICE_FIRST.match(text, start, end):
        start = office.end()
    title = _TITLE_FIRST.match(text, start, end)
    if title and title.end() < end and _OF_TITLE.search(text, max(0, start - _FAR), start):
        start = title.end()
    other = _OTHER_LAST.search(text, start, end)
    behind = _TITLE_BEHIND.match(text, end) or _TAG.match(text, end)
    return start, other.start() if other else behind.end() if behind else end


def whole_name(text: str, start: int, end: int, kind: str) -> tuple[int, str]:
    """Where a name ends and what it is the name of, if it is a given name with a family name: that may be a
    word or a title, too.

    >>> said = "Alan Bishop was seen. Alan Monday was seen."
    >>> [whole_name(said, 0, end, kind)[0] for end, kind in ((4, "PERSON"), (11, "MISC"))]
    [11, 11]
    >>> [whole_name(said, 0, len(said), "MISC")[1] for said in ("Susan Lee", "Alan Bishop", "Susan Boats")]
    ['PERSON', 'PERSON', 'MISC']
    """
    first, _, last = text[start:end].partition(" ")
    given, family = first.lower(), last.lower()
    if is_ordinary(given) or not is_given_anywhere(given):
        return end, kind
    if kind == "MISC" and last.istitle() and last.isalpha():
        is_family = is_given(given) and not is_ordinary(family)
        return end, "PERSON" if is_family or last in FULL_TITLES else kind
    after = _FAMILY_NAME.match(text, end) if kind == "PERSON" and not last else None
    is_borne = after and (after[1] in FULL_TITLES or after[1].lower() in names("borne"))
    return (after.end(1) if after and is_borne else end), kind


def is_title(text: str, start: int, end: int) -> bool:
    """Whether a guess is no more than a title before a name, or a relative in small letters; it is a name
    where somebody is called so.

    >>> is_title("Both Bishop and she", 5, 11), is_title("David Bishop. Both Bishop and she", 19, 25)
    (True, False)
    """
    said = text[start:end]
    if _HONOUR.match(text, text.rfind(" ", 0, start) + 1):
        return " " not in said
    titled = _TITLE_FIRST.match(text, start)
    if not titled or titled[0].rstrip(". ") != said.rstrip("."):
        return said in KIN
    return text[titled.end() : titled.end() + 1].isupper() or said not in _called_like_titles(text)


@lru_cache(maxsize=1)
def _called_like_titles(text: str) -> frozenset[str]:
    """The titles that are somebody's family name in a text: "David Bishop"."""
    return frozenset(m[2] for m in _LIKE_TITLE.finditer(text) if is_given(m[1].lower()))


def is_role(text: str, start: int, end: int) -> bool:
    """Whether a word says what somebody is, and a capital only begins the sentence, or is that of "Mum", or
    who sees to a firm's people and machines.

    >>> text = "Medic's name was Rizzo. Mum says that Mr Friend and Tutor came."
    >>> [is_role(text, text.index(w), text.index(w) + len(w)) for w in ("Medic", "Mum", "Friend", "Tutor")]
    [True, True, False, False]
    """
    said = text[start:end].lower()
    if is_section(said) and not _NAME_ENDS.search(text, max(0, start - _FAR), start):
        return True
    if said in CALLED_KIN or text[start:end].replace(".", "") in _NOBODY:
        return True
    begins = begins_sentence(text, start)
    is_name = text[start:end] in _called_like_titles(text)
    if said in _TRADES and not is_name:
        return not re.match(r" [A-Z][a-z]", text[end : end + 3])
    if said in _CALLED_BY_TRADE and not is_name and _CALL_ENDS.match(text, end):
        return text.endswith(", ", 0, start)
    return said in ROLES and not is_name and bool(begins or text[start].islower())


def is_no_name(text: str, start: int, end: int) -> bool:
    """Whether an ordinary word by which nobody is called is a verb that begins a sentence, a trade before a
    name, or a part of a firm.

    >>> text = "Liaise w/ SW. Tackler, Jim Holt, came; Jock in Dispatch said so. Hope w/ Ann."
    >>> said = ("Liaise", "Tackler", "Dispatch", "Hope")
    >>> [is_no_name(text, text.index(s), text.index(s) + len(s)) for s in said]
    [True, True, True, False]
    """
    said = text[start:end]
    if said in _CALLS_BY and _BY_CALL.search(text, max(0, start - 12), start):
        return True
    if said in _OFFICERS and _TITLED_BESIDE.match(text, end):
        return True
    if said in _PARTS_OF_FIRMS and _OF_FIRM.search(text, max(0, start - 12), start):
        return not _NAME_NEXT.match(text, end)
    if not (said.istitle() and said.isalpha() and is_nobodys(said)):
        return False
    if begins_sentence(text, start):
        return bool(_GOES_ON.match(text, end) or _NAME_BESIDE.match(text, end))
    return False


def is_of_law(text: str, start: int, end: int) -> bool:
    """Whether letters are what courts call witnesses by, the rank behind a judge's name, or the state that
    prosecutes.

    >>> text = "PW1 saw it, the court held (Odunga, J.) in Kamau v Republic before J. Kamau"
    >>> said = ("PW1", "J.", "Republic", "J. Kamau")
    >>> [is_of_law(text, text.index(s), text.index(s) + len(s)) for s in said]
    [True, True, True, False]
    """
    said = text[start:end]
    if _BENCH.fullmatch(said) and _NAME_BEFORE.search(text, max(0, start - _FAR), start):
        return _COURT.search(text, max(0, start - LONG_SENTENCE), end + LONG_SENTENCE) is not None
    is_state = _PROSECUTES.fullmatch(said) and text.endswith((" v ", " v. ", " vs "), 0, start)
    is_state = is_state or (said == "R" and text.startswith((" v ", " v. ", " vs "), end))
    return bool(is_state or _WITNESS.fullmatch(said))


def is_before_title(text: str, start: int, end: int) -> bool:
    """Whether letters say what somebody is in a case, as they stand before a title: "IP Mr Teague", and "IP".

    >>> is_before_title("IP Mr Teague rang. IP was well.", 19, 21), is_before_title("JT saw Mr Teague.", 0, 2)
    (True, False)
    """
    said = text[start:end]
    return said.isupper() and bool(
        re.fullmatch(r"[A-Z]{2,4}", said)
        and re.search(rf"(?<!\w){said} (?:Mr|Mrs|Ms|Miss|Dr)\.? [A-Z]", text)
    )


def is_detail(said: str) -> bool:
    """Whether a guessed personal detail may be one, and is not called like a person.

    >>> [is_detail(said) for said in ("Somali", "dental hygienist", "LAWYER", "Norman")]
    [True, True, True, False]
    """
    return not any(w[0].isupper() and is_given(w.lower()) for w in re.findall(r"[^\W\d_]+", said))


def name_slots(reading: Reading) -> Iterator[tuple[int, int]]:
    """Where a word with a capital stands that is an ordinary one elsewhere, and the place is a name's: before
    a verb within a sentence, without an article; and where a given name stands before "'s".

    >>> from sfumato.detect import encoder
    >>> text = "Then Hope called, and I Hope you saw the Dean call at Grace's house."
    >>> [text[a:b] for a, b in name_slots(encoder.default().read(text))]
    ['Hope', 'Grace']
    """
    text = reading.text
    for short in _GIVEN_ALONE.finditer(text):
        given = (short[1] or short[2]).lower()
        if is_given(given) or gender(given):
            yield short.span()
    starts = {m.start() for m in _TITLE_CASE.finditer(text)}
    words = tagged_words(reading) if starts else []
    for n, own in enumerate(words):
        if own.start not in starts:
            continue
        said = text[own.start : own.end].lower()
        if of := _OWNS.match(text, own.end):
            is_name = bool(gender(said)) or is_given(said)
            is_name = is_name or (_is_rare(text[own.start : own.end]) and not _is_found(of[1]))
        else:
            is_name = is_ordinary(said) and _is_subject(text, words[max(0, n - 1) : n + 2])
        if is_name:
            yield own.start, own.end


def _is_rare(word: str) -> bool:
    """Whether a word is no other than a name that no list has: "Jonah" of "Jonah's inhaler"."""
    kinds = ("eponym", "surname", "coined", "thing", "alone", "drug")
    is_known = any({word, f"{word}'s"} & names(kind) for kind in kinds)
    is_other = is_known or is_ordinary(word.lower()) or bool(places.default().senses(word))
    return len(word) > 2 and not is_other


def _is_found(word: str) -> bool:
    """Whether this may be named after its finder: a syndrome, a test."""
    return word.lower() in names("ailment") | names("device")


def _is_subject(text: str, words: Sequence[TaggedWord]) -> bool:
    """Whether the second of three words is a name by its place."""
    if len(words) < 3:
        return False
    before, own, after = words
    beside = text[before.end : own.start] == text[own.end : after.start] == " "
    if (
        text[before.start].isupper()
        and text[max(0, before.start - 2) : before.start].rstrip()[-1:].isalnum()
    ):
        return False  # "Constitutional Law applies"
    return (
        beside
        and text[before.end - 1].isalpha()
        and text[after.start].islower()
        and after.tag in _VERBS
        and (own.tag != "AUX" or text.endswith(("ed", "s"), 0, after.end))  # "then Will called"
        and before.tag not in _NO_NAME_AFTER
        and text[before.start : before.end].lower() not in _OWNERS
    )
