"""What a guess of the trained detector is by its form: a guessed kind alone never lets anything stand.

The encoder guesses a type and says, apart from that, how likely something must be hidden. Policies keep
amounts, times and personal details; what has not the form of one is none, whatever its type was guessed as.
Here are words; times and amounts are in `guessed_numbers`, names and roles in `guessed_people`.
"""

from __future__ import annotations

import re

from sfumato.detect.guessed_numbers import FORM_BEFORE, bare_number, counts_only, is_telephone
from sfumato.detect.known import is_nobodys
from sfumato.detect.patterns.ages import place_in_row
from sfumato.english.nicknames import gender, is_given
from sfumato.english.ordinary import is_ordinary
from sfumato.english.small_words import stands_as_word
from sfumato.english.wordlists import LISTS, word_set

# The chance from which on an ordinary word of no type gives somebody away, at the usual limit; chosen, not
# measured
SURE = 0.9
_USUAL = 0.14
# Scales of physicians, with the number of their questions: "PHQ-9".
_SCALES = (
    "PHQ|GAD|EQ|SF|AQ|DASS|PCL|CORE|CURB|EPDS|GDS|HADS|MMSE|MoCA|BDI|YMRS|MADRS|PANSS|DLQI|WHODAS|NEWS|MEWS|NIHSS"
    "|ECOG|AUDIT|DAST|ASRS|SDQ|ODI|DASH|KOOS|ISI|MFQ|RCADS|HoNOS"
)
_SCALE = re.compile(rf"(?:{_SCALES})(?:-?\d{{1,2}}[A-Z]?)?")
_TECHNICAL = re.compile(
    rf"\b(?:{_SCALES})-\Z|"
    r"(?i:\b(?:(?:CPT|HCPCS|ICD(?:-\d+)?|DTC|HTTP|(?:error|exit|fault|trouble|reason|status|return|response|stop|"
    r"warning|alarm|diagnostic|procedure)|(?:returned|failed|rejected)(?: with)?)(?: codes?)?"
    r"|ISO|RFC|CVE|DIN|TCP|UDP|port|build|firmware|"
    r"version|model|part(?: no\.?)?|rule|section|article|clause|paragraph)[ :#-]\s?\Z|\bCVE-\d{4}-\Z)"
)
# What is nobody's by its form: a tyre's size, a number of a program, a message of a log, a law of the Union.
_FORM_OF_ALL = re.compile(
    r"\d{3}/\d{2}\s?Z?R\s?\d{2}[A-Z]?|0[xX][0-9A-Fa-f]{1,8}|(?<=%)[A-Z][A-Z0-9_]*-\d-[A-Z0-9_]+"
    r"|(?:EC|EU|EEC) (?:No\.? )?\d{1,4}/(?:19|20)\d\d"
)
_MODEL = re.compile(r"[A-Z]{1,3}-?[1-9]\d{1,2}[a-z]{0,3}")
_DEVICE = (
    r"(?:printer|scanner|router|switch|monitor|camera|projector|copier|pump|ventilator)(?:e?s)?"
)
_DEVICE_BEFORE = re.compile(rf"(?i)\b{_DEVICE} (?:\(|model )?\Z")
_DEVICE_AFTER = re.compile(rf"(?i)\)? (?:label |laser |network )?{_DEVICE}\b")
LONG_SENTENCE = 400  # characters before a word among which its sentence begins
# The first letter behind the last end of a sentence, line or label.
_SENTENCE = re.compile(r"(?s)(?:\A|[.!?:]\s|\n)[^\w\n]*(\w)(?!.*(?:[.!?:]\s|\n))")
_NOUN_BEFORE = re.compile(r"(?i)\b(?:my|the|an?|this|that|your|old|new|some|any|no)\s\Z")
_EVERYWHERE = word_set(
    "GCSE GCSEs NVQ BTEC HND PhD God Allah OK ASAP FYI TV DVD PDF USB SIM DIY CV CVE FAQ ETA"
    " sudo su ssh scp rsync cron crontab journalctl systemctl dmesg grep awk sed tail head cat"
    " less chmod chown curl"
    " wget git docker kubectl helm terraform ansible apt apt-get yum dnf pip npm psql mysqldump"
    " robocopy sshd systemd"
    " root admin nobody www-data localhost usr bin sbin etc var lib opt tmp home srv mnt proc"
)
_SAID_SO = frozenset(LISTS["in chats and dialects"])
_CODE_LABEL = re.compile(
    r"(?:MRN|NHS|SSN|GMC|NPI|DEA|IBAN|BIC|VAT|TIN|ITIN|EIN|IMEI|VIN|ID|REF|IP)(?:[:.#]?\s+(?=\S*\d)|$)"
    r"|[a-z][a-z0-9+.-]{1,20}://"
)
_SHORT_FORMS = re.compile(r"[A-Z]{2,5}(?:/[A-Z]{2,5})+")  # "DNR/DNI"
_PRIVATE = re.compile(
    r"(?:10|127)(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}"
)
_SETTING = re.compile(
    r"(?<!\w)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?=\s?=|\":|: )"
    r"|(?<!\w)(?:[A-Z][A-Z0-9]*_)*(?:ERR|ERROR|EXCEPTION|FAILED|FAILURE|DENIED|INVALID|TIMEOUT)(?:_[A-Z0-9]+)+(?!\w)"
)
_DRIVE = re.compile(r"(?<!\w)[A-Za-z](?=:[\\/])")
_ACCOUNTED = re.compile(r"(?:FY|CY|AY|[QH][1-4])[ '’]?\d{0,4}")  # years and quarters of accounts
_CELL = re.compile(r"(?:\A|\n|\t|\s\s)\Z")
_FIELD = re.compile(r"(?: [a-z]{1,12}){0,3}:(?=\s)")
_QUOTES = frozenset("\"“'‘")
_SORT_AFTER = re.compile(r"(?i)\s(?:\d|of\b)")  # "in Term 3", "for the County of"
_SHORT_CODE = re.compile(r"[A-Z]{1,2}\d|[A-Z]\d{2}|\d{1,2}[A-Z]|II|III|IV")
_COUNTED = re.compile(r"I{2,3}|I[VX]|VI{1,3}")  # "Analyst II"
_OWN_NUMBER = re.compile(
    r"(?i)\b(?:no|nr|number|id|ids|ref|reference|codes?|pin|badge|flat|apt|apartment|unit|house|plot|plate|reg|cell"
    r"|participant|patient|subject|case|child|locker|account|a/c|card|seat|employee|staff)\W{0,3}\Z"
)
_SHORT = 4  # letters of what is short for something
_HANDLE = re.compile(r"[A-Za-z]{2,}[\w.-]*")
_HOUR_NEXT = re.compile(r"[ \t]+[\[(]?\d{1,2}[:.]\d\d")
_BY = re.compile(r"(?i)\b(?:posted|written|uploaded|edited|sent|commented|opened|logged) by:? \Z")
_FAR = 40  # characters that a handle goes on
_JOINED_BEFORE = re.compile(r"(?:[^\W_]+[._#])+\Z")
_JOINED_AFTER = re.compile(r"(?:[._#][^\W_]+)+")
# Before what somebody is in, at, from or of, or is called.
_PLACE_BEFORE = re.compile(
    r"(?i)\b(?:at|to|from|in|into|near|outside|behind|inside|by|with|for|of|off|opposite|called|named"
    r"|known as|join\w*|mr|mrs|ms|miss|dr|dear|hi|hello)\.?\s"
    r"(?:the\s|an?\s|our\s|my\s|his\s|her\s|their\s)?[\"“'‘]?\Z|[@#]\Z|\d(?:st|nd|rd|th)\s\Z"
)


def untyped(text: str, start: int, end: int, chance: float, limit: float) -> str:
    """The kind of what must be hidden and has no type; "" for what tells nobody: a part of a number, a number
    below a thousand, a letter, an ordinary word of which the detector is not sure (`limit` is its own).

    >>> text = "67M, K 5.9, ref <14, ping, Gruffalo, at 2011"
    >>> said = ("67M", "5", "9", "14", "ping", "Gruffalo", "2011")
    >>> [untyped(text, text.index(s), text.index(s) + len(s), 0.2, 0.1) for s in said]
    ['AGE', '', '', '', '', 'MISC', 'TIME']
    """
    said = text[start:end]
    if is_technical(text, start) or _of_private_net(text, start):
        return ""
    if said.isdigit():
        return bare_number(text, start, end, chance)
    if len(said) < 3 and (len(said) < 2 or any(map(str.isdigit, said))):
        return ""
    if counts_only(said.lower()) or _ACCOUNTED.fullmatch(said):
        return ""
    if re.fullmatch(r"\d{1,3}[MFmf]", said):
        return "" if FORM_BEFORE.search(text, max(0, start - 12), start) else "AGE"
    least = SURE * min(1.0, limit / _USUAL)  # whoever asks for more has more words hidden
    is_small = said.islower() and said.isalpha() and is_ordinary(said)
    return "" if chance < least and (is_small or names_nobody(text, start, end)) else "MISC"


def _of_private_net(text: str, start: int) -> bool:
    """Whether the word at a place is an address that every net or machine has."""
    return _PRIVATE.match(text, text.rfind(" ", 0, start) + 1) is not None


def names_nobody(text: str, start: int, end: int) -> bool:
    """Whether words are ordinary ones by which nobody is called, and not where a house or a firm stands.

    >>> text = "Summer Term 3. Review date: May. She sings at the Review with the Wren."
    >>> [names_nobody(text, m.start(), m.end()) for m in re.finditer("Term|Review|Wren", text)]
    [True, True, False, False]
    """
    words = re.findall(r"[^\W\d_]+", text[start:end])
    if (
        not words
        or not all(map(is_nobodys, words))
        or (end - start < _SHORT and not words[0].istitle())
    ):
        return False
    if text[max(0, start - 1) : start] in _QUOTES:
        return False  # what somebody is called
    is_place = _PLACE_BEFORE.search(text, max(0, start - 24), start)
    return not is_place or _SORT_AFTER.match(text, end) is not None


def is_short_code(text: str, start: int, end: int) -> bool:
    """Whether up to three signs are what many things are called by, and not introduced as somebody's number,
    nor where somebody lives.

    >>> text = "Service Desk L2, Form: 9C, lives in LS6, badge 7Q, Analyst II, PIN 4B2"
    >>> [is_short_code(text, m.start(), m.end()) for m in re.finditer(r"L2|9C|LS6|7Q|II|4B2", text)]
    [True, True, False, False, True, False]
    """
    if _SHORT_CODE.fullmatch(text, start, end) is None:
        return False
    before = max(0, start - 24)
    return not (
        _OWN_NUMBER.search(text, before, start) or _PLACE_BEFORE.search(text, before, start)
    )


def is_plain(text: str, start: int, end: int) -> bool:
    """Whether these are ordinary words in small letters, in a sentence that begins with a capital: no name is
    written so.

    >>> text = "Penny paid penny for penny. tell penny i said hi"
    >>> [is_plain(text, m.start(), m.end()) for m in re.finditer("(?i)penny", text)]
    [False, True, True, False]
    """
    said = text[start:end]
    words = re.findall(r"[^\W_]+", said)
    if stands_as_word(text, start, end) or _COUNTED.fullmatch(said):
        return True
    first = re.search(r"[^\W_]+", said)  # "the carter's yard"
    if first and first.end() < len(said) and stands_as_word(text, start, start + first.end()):
        words.remove(first[0])
    if not said.islower() or not all(map(is_ordinary, words)):
        return False
    if _NOUN_BEFORE.search(text, max(0, start - 8), start) and not any(
        is_given(w) or gender(w) for w in words
    ):
        return True  # "my sim died"
    opens = _SENTENCE.search(text, max(0, start - LONG_SENTENCE), start)
    if opens and opens[1].isdigit():  # a number behind a label
        opens = re.match(r"\W*(\w)", text[text.rfind("\n", 0, start) + 1 : start])
    return opens is not None and opens[1].isupper()


def is_field(text: str, start: int, end: int) -> bool:
    """Whether ordinary words are what a field of a form is called: "Review" of "Leeds    Review date: May".

    >>> text = "Site: Leeds    Review date: May"
    >>> is_field(text, 15, 21), is_field(text, 6, 11)
    (True, False)
    """
    begins = _CELL.search(text, max(0, start - 2), start) is not None
    goes_on = _FIELD.match(text, end) if begins else None
    words = re.findall(r"[^\W_]+", text[start : goes_on.end()]) if goes_on else []
    return bool(words) and all(is_ordinary(word.lower()) for word in words)


def begins_sentence(text: str, start: int) -> bool:
    """Whether a word begins a sentence or a line, where all have a capital."""
    before = text[max(0, start - 6) : start]
    return not before.strip() or re.search(r"(?:[.!?:\"“(]|\n)\s*\Z", before) is not None


# What numbers are called in forms and notes.
_CODE_NAMES = word_set(
    "MRN SSID SSN NHI UPN UPRN URN ULN UIN UCI NINO GSTIN IFSC UAN TFN ABN ACN EIN ITIN NPI DEA GMC NMC MBI"
    " IBAN BIC IMEI VIN CAD PNC MERLIN FIR DOCKET OCN EHCP DBS PIN REF ID ITEM INVOICE"
    " ACCT ACCOUNT POLICY CLAIM ORDER TICKET LICENCE LICENSE"
)
_CODE_NEXT = re.compile(
    r"(?i:[ ](?:ref|reference|no|number|id|nr)\b\.?)?[ :#.-]{1,3}(?=[\w/-]*\d)[\w/-]{4,}"
)


def names_code(text: str, start: int, end: int) -> bool:
    """Whether letters in capitals right before a code say what code it is: known ones, and such as nobody is
    called by, without a vowel.

    >>> text = "(MRN 40013377), MERLIN ref 24PAC118834, FD No. 60023118845, KEAST 40013377, NG 40013377"
    >>> said = ("MRN", "MERLIN", "FD", "KEAST", "NG")
    >>> [names_code(text, text.index(s), text.index(s) + len(s)) for s in said]
    [True, True, True, False, False]
    """
    said = text[start:end]
    is_name = said in _CODE_NAMES or re.fullmatch(r"(?!NG\Z)[B-DF-HJ-NP-TV-XZ]{2,6}", said)
    return bool(is_name) and _CODE_NEXT.match(text, end) is not None


def is_technical(text: str, start: int) -> bool:
    """Whether a number or code stands behind the name of a thing that all have: an error, a rule."""
    return _TECHNICAL.search(text, max(0, start - 24), start) is not None


def is_of_all(text: str, start: int, end: int) -> bool:
    """Whether a code is one that many things bear: the size of a tyre, an error, the model of a device.

    >>> text = "205/55R16, 0x800CCC0E, %SEC-6-DENIED, printer GK420d, laptop LT0412, wallet 0x8004010F9912"
    >>> said = ("205/55R16", "0x800CCC0E", "SEC-6-DENIED", "GK420d", "LT0412", "0x8004010F9912")
    >>> [is_of_all(text, text.index(s), text.index(s) + len(s)) for s in said]
    [True, True, True, True, False, False]
    """
    if _FORM_OF_ALL.fullmatch(text, start, end):
        return True
    beside = _DEVICE_BEFORE.search(text, max(0, start - 24), start) or _DEVICE_AFTER.match(
        text, end
    )
    return beside is not None and _MODEL.fullmatch(text, start, end) is not None


def is_setting(text: str, start: int, end: int) -> bool:
    """Whether a word is what a setting is called, how an address is reached, or what every machine has (root,
    /usr, 192.168.0.1) or chat: tmrw.

    >>> is_setting("REDIS_URL=x", 0, 9), is_setting("redis://x", 0, 5), is_setting("ANN_LEE", 0, 7)
    (True, True, False)
    """
    said = text[start:end]
    if (
        text.startswith("://", end)
        or said in _SAID_SO
        or all(word in _EVERYWHERE for word in said.split())
        or _PRIVATE.fullmatch(said)
        or _SCALE.fullmatch(said)
        or _DRIVE.fullmatch(text, start, end)
    ):
        return True
    names = _SETTING.finditer(text[(first := max(0, start - _FAR)) : end + _FAR])
    return any(m.start() <= start - first and end - first <= m.end() for m in names)


def is_user(text: str, start: int, end: int) -> bool:
    """Whether a guessed code is how somebody signs what is written: before an hour, or behind "by".

    >>> text = "kofi_dev  21:58\\ndeploy\\nPosted by tboy77 » host srv_mail 9:30"
    >>> [is_user(text, text.index(w), text.index(w) + len(w)) for w in ("kofi_dev", "tboy77", "srv_mail")]
    [True, True, False]
    """
    line = text[text.rfind("\n", 0, start) + 1 : start]
    signs = (not line.strip() and _HOUR_NEXT.match(text, end)) or _BY.search(line[-_FAR:])
    return bool(_HANDLE.fullmatch(text, start, end) and signs)


def whole_handle(text: str, start: int, end: int) -> tuple[int, int]:
    """Where what a word is a part of begins and ends: of "nell" in "nell#0417" or "nell.pots", all of it."""
    if end - start < 3 or not text[start:end].isalpha():
        return start, end
    before = _JOINED_BEFORE.search(text, max(0, start - _FAR), start)
    after = _JOINED_AFTER.match(text, end, end + _FAR)
    return before.start() if before else start, after.end() if after else end


def code(text: str, start: int, end: int) -> tuple[int, str]:
    """Where a code begins, without its name ("MRN"), and what it is; no kind where it is none.

    >>> code("In [2021] IEHC 0417", 4, 19), code("MRN 40013377", 0, 12)
    ((3, 'CODE'), (4, 'CODE'))
    """
    said = text[start:end]
    if (
        counts_only(said)
        or _SHORT_FORMS.fullmatch(said)
        or is_short_code(text, start, end)
        or is_of_all(text, start, end)
        or (said.isdigit() and place_in_row(text[end : end + 24]))
    ):
        return start, ""
    if "]" in said and "[" not in said and text.endswith("[", 0, start):
        start, said = start - 1, text[start - 1 : end]  # "[2021] IEHC 417"
    if label := _CODE_LABEL.match(said):
        start += label.end()
    elif "@" in (last := said.rpartition(" ")[2]):
        start = end - len(last)
    if start >= end or is_technical(text, start) or _of_private_net(text, start):
        return start, ""
    if is_telephone(text, start, end):
        return start, "PHONE"
    return start, "USERNAME" if is_user(text, start, end) else "CODE"
