"""What a guess of the trained detector is by its form: a guessed kind alone never lets anything stand.

The encoder guesses a type and says, apart from that, how likely something must be hidden. Policies keep
amounts, times and personal details; what has not the form of one is none, whatever its type was guessed as.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from sfumato.detect.encoder import Reading
from sfumato.detect.noun_phrases import TaggedWord, tagged_words
from sfumato.detect.patterns.ages import AGE, LINK, is_bare_age
from sfumato.detect.patterns.checks import (
    CLOCK_BEFORE,
    HOUR_BEFORE,
    LAW_BEFORE,
    REPORT_AFTER,
    REPORT_BEFORE,
)
from sfumato.detect.patterns.day_checks import is_of_every_week
from sfumato.english import spoken
from sfumato.english.births import told_as_birth
from sfumato.english.durations import is_duration, may_last
from sfumato.english.nicknames import gender, is_given
from sfumato.english.numbers import numbers_in_words
from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import FULL_TITLES, KIN, SHORT_TITLES, word_set

CLOCK = r"\d{1,2}[:.h]\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?|\d{1,2}\s?[ap]\.?m\.?"
# The chance from which on an ordinary word of no type gives somebody away, at the usual limit; chosen, not
# measured
SURE = 0.9
_USUAL = 0.095
# The chance from which on a number gives somebody away; chosen, not measured
LIKELY = 0.5
_TIME = re.compile(
    rf"(?i){CLOCK}|(?:[01]\d|2[0-3])[0-5]\d\s?(?:h|hrs?|hours|z|utc|gmt)"
    r"|(?:(?:early|late|mid)[ -])?(?:morning|afternoon|evening|night|noon|midday|midnight)s?"
)
_FOUR = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d")
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_AT = re.compile(r"(?i)(?:\b(?:at|by|from|until|till|about|around|approx\.?|since|@)|[~@])\s?$")
_HOURS = re.compile(r"(?i)\s?(?:h|hrs?|hours|[-–]\s?(?:[01]\d|2[0-3])[0-5]\d)\b")
WEEKDAY = re.compile(r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day")
_WEEKDAYS = re.compile(r"(?i)(?:mon|tues|wednes|thurs|fri|satur|sun)days")
_NO_DATE = re.compile(r"\d{1,2}/\d{1,2}/\d|\d+\.\d")  # "reflexes 2/2/2", "lactate 2.3"
_LIST_NUMBER = re.compile(r"\s{2,}\d{1,2}\Z")  # of "until 14 mo  3. L hemiplegia"
_SO_LONG = re.compile(r"(?i)\s(?:course|supply|history|hx|f/?u|follow|ago|of)\b")
_HOW_LONG = re.compile(r"(?i)\b(?:in|for|x|over|after|next|last|past|every|another)\s$")
_OFTEN = re.compile(r"(?i)\b(?:every|each|alternate|first|second|third|fourth)\s$")
_WEEKDAY = re.compile(r"(?i)(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?")
_OLD = re.compile(r"(?i)\b(?:y/?o|aged?|old)\b|^\d{1,3}\s?[ymf]$")
_NUMBERED = re.compile(r"\b(?:[A-Z]{2}|(?i:unit|flat|house|badge|cell)) $")  # "ET 901"
# Rooms and beds that are another's tomorrow.
_ROOM_BEFORE = re.compile(
    r"(?i)\b(?:beds?|bays?|wards?|rooms?|cubicle|theatre|theater|clinic|chair|table|floor)\s(?:no\.?\s|number\s)?\Z"
)
_ROOM = re.compile(r"\d{1,3}[A-Za-z]?|[A-Z]\d{0,2}")
_TECHNICAL = re.compile(
    r"(?i)\b(?:CPT|ICD(?:-\d+)?|ISO|RFC|CVE|DIN|HTTP|TCP|UDP|port|error|exit code|status|build|firmware|"
    r"version|model|part(?: no\.?)?|rule|section|article|clause|paragraph)[ :#-]\s?\Z"
)
_LONG_SENTENCE = 400  # characters before a word among which its sentence begins
# The first letter behind the last end of a sentence, line or label.
_SENTENCE = re.compile(r"(?s)(?:\A|[.!?:]\s|\n)[^\w\n]*(\w)(?!.*(?:[.!?:]\s|\n))")
_NOUN_BEFORE = re.compile(r"(?i)\b(?:my|the|an?|this|that|your|old|new|some|any|no)\s\Z")
_EVERYWHERE = word_set(
    "OK ASAP FYI TV DVD PDF USB SIM DIY CV FAQ ETA"
    " root admin nobody www-data localhost usr bin sbin etc var lib opt tmp home"
)
_PRIVATE = re.compile(
    r"(?:10|127)(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}"
)
_KIN = word_set(
    "mum mummy mom mommy mam dad daddy nan nana nanny gran granny grandma grandad grandpa grandmother"
    " grandfather mother father stepmum stepdad"
)
# Short for who sees to a firm's people or may decide for another, and for days and papers of notes.
_NOBODY = word_set("HR IT NOK POA LPA EPOA IMCA DOLS EDD LMP BIBA TTO TTOS TTA DNACPR DNAR NBM MDT")
_ROLES = word_set(
    "medic paramedic tutor teacher nurse doctor midwife friend man woman boy girl victim witness driver"
    " patient caller neighbour neighbor colleague manager menarche menopause sister brother wife husband"
    " son daughter carer suspect"
)
_SETTING = re.compile(r"(?<!\w)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?=\s?=|\":|: )")
_FAR = 40  # characters that a handle or a number goes on
_JOINED_BEFORE = re.compile(r"(?:[^\W_]+[._#])+\Z")
_JOINED_AFTER = re.compile(r"(?:[._#][^\W_]+)+")
_WITNESS = re.compile(r"[PDCR]W-?\d{1,3}")
_BENCH = re.compile(r"(?:CJ|JJ?A?|LJJ?|JC|P)\.?")
_COURT = re.compile(r"(?i)\b(?:court|judgments?|ruling|appellant|appeal|tribunal|republic)\b")
_NAME_BEFORE = re.compile(r"\b[A-Z][\w'’-]+(?:,| and [A-Z][\w'’-]+,) \Z")
_PROSECUTES = re.compile(
    r"(?:the )?(?:Republic|State|Crown|People|Commonwealth|Queen|King|Regina|Rex)"
)
_NTH_YEAR = re.compile(
    r"(?i)(?:\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|final)[- ]years?"
)
_LASTS = re.compile(r"(?i)\b(?:years?|yrs?|months?|mths?|weeks?|wks?)\b")
_MONEY = re.compile(
    r"(?i)[$£€¥₹]|\b(?:eur|euros?|usd|gbp|chf|rs|rupees?|dollars?|pounds?|pence|lira|roubles?)\b"
)
_MONEY_BEFORE = re.compile(r"(?i)(?:[$£€¥₹]|\b(?:eur|usd|gbp|chf|rs\.?))\s?$")
_AGE = re.compile(rf"(?:(?i:{LINK})\s)*{AGE}")
_FORM_BEFORE = re.compile(r"(?i)\b(?:form|class|year|group|set|tutor|house)\W{1,3}\Z")  # "Form: 9M"
_AGE_BEFORE = re.compile(r"(?i)\b(?:aged?|age[d:]|turned|turning)\W{0,3}$")
_UNITS = word_set("year years yr yrs month months week weeks day days hour hours old age")
_TITLE_CASE = re.compile(r"(?<![\w'’-])[A-Z][a-z]+\b")
_RELATIVE = rf"(?:{'|'.join(sorted(KIN, key=len, reverse=True))})(?:-in-law)?"
_KIN_FIRST = re.compile(rf"{_RELATIVE}(?:\s|\Z)")
_TITLE_FIRST = re.compile(rf"(?:{'|'.join((*SHORT_TITLES, *FULL_TITLES))})\.?\s+")
_PLAIN_ENDING = re.compile(
    r"[A-Z][a-z]+(?:ic|al|ous|ive|ary|ical|able|ible|less|ful|ly|ing|ed|ness|ment|tion|sion)"
)
_LIKE_TITLE = re.compile(rf"(?<!\w)([A-Z]\w+) ({'|'.join(FULL_TITLES)})(?!\w| [A-Z])")
_OF_TITLE = re.compile(
    rf"\b(?:{'|'.join(SHORT_TITLES)})\.?\s(?:and|&)\s\Z"
    r"|\b(?:Employment|District|Circuit|Tribunal|Regional|County|Senior|Deputy|Chief|Lead|Head|Charge|Staff"
    r"|Student|School|Community|Practice|Research|Ward|Specialist|Detective|Woman|Flight|Lance)\s\Z"
)
_OTHER_LAST = re.compile(rf"(?:\s{{2,}}|\s\()[FM]\)?\Z|\.\s(?i:{_RELATIVE})\Z")
# "Vikram ji", "My teacher Rokeya miss said", but not "Ann miss you"
_TITLE_BEHIND = re.compile(
    r"[ -](?:ji|bhai|didi|apa|sahib|saheb|sensei|san)(?![\w-])"
    r"|[ ](?:miss|madam|sir)(?=[.,;:!?)]|['’]s|[ ](?:said|says|told|gave|is|was|has|had|and|asked|taught)\b)"
)
_VERBS = frozenset({"VERB", "AUX"})
_NO_NAME_AFTER = frozenset({"DET", "ADJ", "PART", "NOUN", "PROPN", "NUM"})
_OWNERS = word_set("his her my your our their its whose")
_DIGITS_BEFORE = re.compile(r"(?:\d+[.,/:–-])+\Z")
_DIGITS_AFTER = re.compile(r"(?:[.,/:–-]\d+)+")


def name_alone(text: str, start: int, end: int) -> tuple[int, int]:
    """A guessed name without what is no part of it: who of a family it is, the sex behind it or who begins
    the next sentence ("Ann T. Mom"), and a title that belongs to the words before; with a title behind it.

    >>> said = "Mr and Mrs Popov; sister Morag; Employment Judge Cole; POPOV, Ana   F"
    >>> spans = [(7, 16), (18, 30), (43, 53), (55, 69)]
    >>> [said[slice(*name_alone(said, *span))] for span in spans]
    ['Popov', 'Morag', 'Cole', 'POPOV, Ana']
    """
    kin = _KIN_FIRST.match(text, start, end)
    if kin and kin.end() < end:
        start = kin.end()
    title = _TITLE_FIRST.match(text, start, end)
    if title and title.end() < end and _OF_TITLE.search(text, max(0, start - _FAR), start):
        start = title.end()
    other = _OTHER_LAST.search(text, start, end)
    behind = _TITLE_BEHIND.match(text, end)
    return start, other.start() if other else behind.end() if behind else end


def is_title(text: str, start: int, end: int) -> bool:
    """Whether a guess is no more than a title before a name, or a relative in small letters; it is a name
    where somebody is called so.

    >>> is_title("Both Bishop and she", 5, 11), is_title("David Bishop. Both Bishop and she", 19, 25)
    (True, False)
    """
    said = text[start:end]
    titled = _TITLE_FIRST.match(text, start)
    if not titled or titled[0].rstrip(". ") != said.rstrip("."):
        return said in KIN
    return text[titled.end() : titled.end() + 1].isupper() or said not in _called_like_titles(text)


@lru_cache(maxsize=1)
def _called_like_titles(text: str) -> frozenset[str]:
    """The titles that are somebody's family name in a text: "David Bishop"."""
    return frozenset(m[2] for m in _LIKE_TITLE.finditer(text) if is_given(m[1].lower()))


def is_time(text: str, start: int, end: int) -> bool:
    """Whether a guessed date is a time of day: 23.40, 0615, "2030" after "at", "evening".

    >>> [is_time(said, 3, len(said)) for said in ("at 2030", "in 2030", "on 0615", "at 5:40", "on 3/5")]
    [True, False, True, True, False]
    >>> is_time("0700 to 1900", 8, 12), is_time("1820 to 1900", 8, 12)
    (True, False)
    """
    said = text[start:end]
    if _TIME.fullmatch(said) or (len(said) < 3 and _AT.search(text, max(0, start - 8), start)):
        return True
    if not _FOUR.fullmatch(said):
        return False
    near = (
        _AT.search(text, max(0, start - 8), start)
        or _HOURS.match(text, end)
        or CLOCK_BEFORE.search(text, max(0, start - 16), start)
        or HOUR_BEFORE.search(text, max(0, start - 60), start)
    )
    return bool(near) or not _YEAR.fullmatch(said)


def is_no_day(text: str, start: int, end: int) -> bool:
    """Whether a guessed date is no day: one of every week ("every Monday"), a number, a law's year, a length
    of time ("two years and four months").

    >>> text = "after four years' work, every Monday, under the Finance Act 2009, on 4 May"
    >>> said = ("four years", "four", "Monday", "2009", "4 May")
    >>> [is_no_day(text, text.index(s), text.index(s) + len(s)) for s in said]
    [True, True, True, True, False]
    """
    said = text[start:end]
    if (
        is_duration(_LIST_NUMBER.sub("", said))
        or counts_only(said.lower())
        or _NO_DATE.fullmatch(text[slice(*_whole(text, start, end))])
    ):
        return True
    if may_last(said) and (
        _HOW_LONG.search(text, max(0, start - 8), start) or _SO_LONG.match(text, end)
    ):
        return True
    if said.isdigit() and (len(said) < 3 or LAW_BEFORE.search(text, max(0, start - 40), start)):
        return True  # no day by itself
    if REPORT_BEFORE.search(text, max(0, start - 1), start) and REPORT_AFTER.match(text, end):
        return True
    if not _WEEKDAY.fullmatch(said):
        return _WEEKDAYS.fullmatch(said) is not None
    before = text[max(0, start - 16) : start]
    return bool(_OFTEN.search(before)) or is_of_every_week(before, text[end : end + 16])


def quantity(text: str, start: int, end: int, chance: float) -> str:
    """The kind of a guessed quantity; "" where there is no number in it.

    >>> [quantity(t, 0, 2, 0.9) for t in ("14. My stepdad", "14 tablets")], quantity("41200", 0, 5, 0.9)
    (['AGE', 'QUANTITY'], 'CODE')
    """
    whole, stop = _whole(text, start, end)
    said, before, after = text[start:end], text[max(0, whole - 12) : whole], text[end : end + 24]
    if _MONEY.search(said) or _MONEY_BEFORE.search(before):
        return "MONEY"
    if (whole, stop) != (start, end) or _NTH_YEAR.fullmatch(said):
        return ""
    if (_OLD.search(said) and not _FORM_BEFORE.search(before)) or _AGE_BEFORE.search(before):
        return "AGE"
    if _YEAR.fullmatch(said) and told_as_birth(text, start):
        return "DATE"
    if not any(map(str.isdigit, said)) and not any(numbers_in_words(said)):
        return "" if all(w in _UNITS for w in re.findall(r"\w+", said.lower())) else "MISC"
    if _LASTS.match(after.lstrip()):
        return "QUANTITY"
    if chance >= LIKELY and (_LASTS.search(said) or _is_age(before, said, after)):
        return "AGE"  # a bare number that gives somebody away is an age until shown otherwise
    return "CODE" if re.fullmatch(r"\d{5,}", said) else "QUANTITY"


def _is_age(before: str, said: str, after: str) -> bool:
    """Whether a guessed quantity is a bare age: it counts nothing itself ("three sons", "85A")."""
    return bool(_AGE.fullmatch(said)) and is_bare_age(before, said, after)


def untyped(text: str, start: int, end: int, chance: float, limit: float) -> str:
    """The kind of what must be hidden and has no type; "" for what tells nobody: a part of a number, a number
    below a thousand, a letter, an ordinary word of which the detector is not sure (`limit` is its own).

    >>> text = "67M, K 5.9, ref <14, ping, Gruffalo, at 2011"
    >>> said = ("67M", "5", "9", "14", "ping", "Gruffalo", "2011")
    >>> [untyped(text, text.index(s), text.index(s) + len(s), 0.2, 0.1) for s in said]
    ['AGE', '', '', '', '', 'MISC', 'TIME']
    """
    said = text[start:end]
    if is_technical(text, start):
        return ""
    if said.isdigit():
        return _bare_number(text, start, end, chance)
    if len(said) < 3 and (len(said) < 2 or any(map(str.isdigit, said))):
        return ""
    if counts_only(said.lower()):
        return ""
    if re.fullmatch(r"\d{1,3}[MFmf]", said):
        return "" if _FORM_BEFORE.search(text, max(0, start - 12), start) else "AGE"
    is_plain_word = said.islower() and said.isalpha() and is_ordinary(said)
    is_first = _begins(text, start) and bool(_PLAIN_ENDING.fullmatch(said))
    least = SURE * min(1.0, limit / _USUAL)  # whoever asks for more has more words hidden
    is_known = is_plain_word or (is_first and not is_given(said.lower()))
    return "" if is_known and chance < least else "MISC"


def is_plain(text: str, start: int, end: int) -> bool:
    """Whether these are ordinary words in small letters, in a sentence that begins with a capital: no name is
    written so.

    >>> text = "Penny paid penny for penny. tell penny i said hi"
    >>> [is_plain(text, m.start(), m.end()) for m in re.finditer("(?i)penny", text)]
    [False, True, True, False]
    """
    said = text[start:end]
    words = re.findall(r"[^\W_]+", said)
    if not said.islower() or not all(map(is_ordinary, words)):
        return False
    if _NOUN_BEFORE.search(text, max(0, start - 8), start) and not any(
        is_given(w) or gender(w) for w in words
    ):
        return True  # "my sim died"
    opens = _SENTENCE.search(text, max(0, start - _LONG_SENTENCE), start)
    if opens and opens[1].isdigit():  # a number behind a label
        opens = re.match(r"\W*(\w)", text[text.rfind("\n", 0, start) + 1 : start])
    return opens is not None and opens[1].isupper()


def is_room(text: str, start: int, end: int) -> bool:
    """Whether a number is that of a bed, a room or a ward.

    >>> [is_room(said, 5, len(said)) for said in ("Ward 7B", "Room 12", "Flat 12", "Room 4471")]
    [True, True, False, False]
    """
    near = _ROOM_BEFORE.search(text, max(0, start - 20), start)
    return near is not None and _ROOM.fullmatch(text, start, end) is not None


def is_role(text: str, start: int, end: int) -> bool:
    """Whether a word says what somebody is, and a capital only begins the sentence, or is that of "Mum", or
    who sees to a firm's people and machines.

    >>> text = "Medic's name was Rizzo. Mum says that Mr Friend and Tutor came."
    >>> [is_role(text, text.index(w), text.index(w) + len(w)) for w in ("Medic", "Mum", "Friend", "Tutor")]
    [True, True, False, False]
    """
    said = text[start:end].lower()
    if said in _KIN or text[start:end] in _NOBODY:
        return True
    begins = _begins(text, start)
    is_name = text[start:end] in _called_like_titles(text)
    return said in _ROLES and not is_name and bool(begins or text[start].islower())


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
        return _COURT.search(text, max(0, start - _LONG_SENTENCE), end + _LONG_SENTENCE) is not None
    is_state = _PROSECUTES.fullmatch(said) and text.endswith((" v ", " v. ", " vs "), 0, start)
    return bool(is_state or _WITNESS.fullmatch(said))


def _begins(text: str, start: int) -> bool:
    """Whether a word begins a sentence or a line, where all have a capital."""
    before = text[max(0, start - 6) : start]
    return not before.strip() or re.search(r"(?:[.!?:\"“(]|\n)\s*\Z", before) is not None


def is_technical(text: str, start: int) -> bool:
    """Whether a number or code stands behind the name of a thing that all have: an error, a rule."""
    return _TECHNICAL.search(text, max(0, start - 16), start) is not None


def is_setting(text: str, start: int, end: int) -> bool:
    """Whether a word is what a setting is called, how an address is reached, or what every machine has: root,
    /usr, 192.168.0.1.

    >>> is_setting("REDIS_URL=x", 0, 9), is_setting("redis://x", 0, 5), is_setting("ANN_LEE", 0, 7)
    (True, True, False)
    """
    said = text[start:end]
    if text.startswith("://", end) or said in _EVERYWHERE or _PRIVATE.fullmatch(said):
        return True
    around = text[max(0, start - _FAR) : end + _FAR]
    at = start - max(0, start - _FAR)
    names = (
        m for m in _SETTING.finditer(around) if m.start() <= at and at + end - start <= m.end()
    )
    return any(True for _ in names)


def whole_handle(text: str, start: int, end: int) -> tuple[int, int]:
    """Where what a word is a part of begins and ends: of "nell" in "nell#0417" or "nell.pots", all of it."""
    if end - start < 3 or not text[start:end].isalpha():
        return start, end
    before = _JOINED_BEFORE.search(text, max(0, start - _FAR), start)
    after = _JOINED_AFTER.match(text, end, end + _FAR)
    return before.start() if before else start, after.end() if after else end


def _bare_number(text: str, start: int, end: int, chance: float) -> str:
    if _whole(text, start, end) != (start, end):
        return ""
    said, before = text[start:end], text[max(0, start - 12) : start]
    if is_time(text, start, end):
        return "TIME"
    if _YEAR.fullmatch(said):
        return "" if is_no_day(text, start, end) else "DATE"
    if chance >= LIKELY and is_bare_age(before, said, text[end : end + 24]):
        return "AGE"
    return "CODE" if len(said) > 3 or _NUMBERED.search(before) else ""


def _whole(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the number begins and ends that digits are a part of: it is found as a whole or not at all."""
    said = text[start:end]
    if said[0].isdigit() and (before := _DIGITS_BEFORE.search(text, max(0, start - 20), start)):
        start = before.start()
    if said[-1].isdigit() and (after := _DIGITS_AFTER.match(text, end, end + _FAR)):
        end = after.end()
    return start, end


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
    starts = {m.start() for m in _TITLE_CASE.finditer(text)}
    words = tagged_words(reading) if starts else []
    for n, own in enumerate(words):
        if own.start not in starts:
            continue
        said = text[own.start : own.end].lower()
        if re.match(r"['’]s [A-Za-z]", text[own.end : own.end + 4]):
            is_name = bool(gender(said)) or is_given(said)
        else:
            is_name = is_ordinary(said) and _is_subject(text, words[max(0, n - 1) : n + 2])
        if is_name:
            yield own.start, own.end


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


def counts_only(said: str) -> bool:
    """Whether words only count ("one, two, three"): a number alone is no code either."""
    digits = spoken.digits(said) if said[0].isalpha() else None
    return digits is not None and (len(digits) == 1 or spoken.counts(digits))
