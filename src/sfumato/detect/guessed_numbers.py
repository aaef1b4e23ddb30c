"""What a guessed date, amount or number is by its form: an hour, a day, an age, how long something lasts."""

from __future__ import annotations

import re

from sfumato.detect.known import is_nobodys
from sfumato.detect.patterns.ages import AGE, LINK, is_bare_age, is_of_a_test
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
from sfumato.english.dates import DAY_NAMES
from sfumato.english.durations import durations, is_duration, may_last
from sfumato.english.numbers import numbers_in_words
from sfumato.english.ties import CURRENCY
from sfumato.english.wordlists import word_set

CLOCK = r"\d{1,2}[:.h]\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?|\d{1,2}\s?[ap]\.?m\.?"
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
WEEKDAY = re.compile(rf"{DAY_NAMES}|Tues|Weds|Thurs?")
_WEEKDAYS = re.compile(rf"(?i)(?:{DAY_NAMES})s")
# "reflexes 2/2/2", "lactate 2.3", "27/30" where no month has such a number, "APR 29.9" of a loan
_NO_DATE = re.compile(
    r"\d{1,2}/\d{1,2}/\d|\d+\.\d|(?:1[3-9]|[2-9]\d)/(?:1[3-9]|[2-9]\d|100)|APR \d+\.\d{1,2}"
)
_LIST_NUMBER = re.compile(r"(?<!\s)\s{2,}\d{1,2}\Z")  # of "until 14 mo  3. L hemiplegia"
_SO_LONG = re.compile(r"(?i)\s(?:course|supply|history|hx|f/?u|follow|ago|of)\b")
_UNIT_AFTER = re.compile(r"(?i)[\s-]?(?:day|week|month|year|hour|hr|min)(?:s|ly)?\b")
_HOW_LONG = re.compile(r"(?i)\b(?:in|for|x|over|after|next|last|past|every|another)\s$")
_OFTEN = re.compile(r"(?i)\b(?:every|each|alternate|first|second|third|fourth)\s$")
_WEEKDAY = re.compile(r"(?i)(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?")
_OLD = re.compile(r"(?i)\b(?:y/?o|aged?|old)\b|^\d{1,3}\s?[ymf]$")
_NUMBERED = re.compile(r"\b(?:[A-Z]{2}|(?i:unit|flat|house|badge|cell)) $")  # "ET 901"
# Rooms and beds that are another's tomorrow.
_ROOM_BEFORE = re.compile(
    r"(?i)\b(?:beds?|bays?|wards?|rooms?|cubicle|theatre|theater|clinic|chair|table|floor)\s(?:no\.?\s|number\s)?\Z"
)
_ROOM = re.compile(r"\d{1,3}[A-Za-z]?|[A-Z]\.?\d{0,2}")
_ROOM_WORD = re.compile(r"(?i)bed|bay|ward|room|cubicle|theatre|theater|clinic|chair|table|floor")
_ROOM_NEXT = re.compile(r"\s(?:\d{1,3}[A-Za-z]?|[A-Z]\d{0,2})(?!\w)")
# What is numbered in any house, firm or school.
_ANY_NUMBERED = re.compile(
    rf"(?i:{_ROOM_WORD.pattern[4:]}|tier|class|level|terminal|gate|platform|zone|stage|band|grade)\s\d{{1,2}}[A-Za-z]?(?!\w),?\s?"
)
_FAR = 40  # characters that a number goes on
_NTH_YEAR = re.compile(
    r"(?i)(?:\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|final)[- ]years?"
)
_LASTS = re.compile(r"(?i)\b(?:years?|yrs?|months?|mths?|weeks?|wks?)\b")
_SIGN = r"[$£€¥₹₦₵₱₩₪₫₺₽₴₡₲₭₮₸₾฿]"
_MONEY = re.compile(
    rf"(?i){_SIGN}|\b(?:eur|euros?|usd|gbp|chf|rs|rupees?|dollars?|pounds?|pence|lira|roubles?)\b"
)
_CURRENCY = (
    r"USD|GBP|EUR|CHF|AUD|NZD|HKD|SGD|JPY|CNY|RMB|INR|Rs\.?|PKR|LKR|NGN|GHS|KES|KSh|Ksh|UGX|UShs?|TZS|TShs?"
    r"|ZAR|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|TL|RUB|UAH|ILS|AED|SAR|QAR|EGP|BRL|MXN|CLP|ARS|MYR|THB|IDR|VND|KRW"
)
_MONEY_BEFORE = re.compile(rf"(?:{_SIGN}|\b(?i:{_CURRENCY}))\s?$")
_MONEY_AFTER = re.compile(rf" (?i:{CURRENCY})\b")
# An amount of money, and a number with a unit that no code ends in.
_SUM = re.compile(
    rf"(?:{_SIGN}|\b(?:{_CURRENCY}))\s?\d{{1,3}}(?:[,. ]\d{{2,3}})*(?:\d{{0,4}}(?:\.\d\d?)?)\s?"
    rf"(?:[kKmMbB]|bn|BN|mn|cr|crores?|lakhs?|(?:thou|mill|bill|trill)\w+)?(?![\w/])"
    rf"|(?<![\w.])\d[\d,. ]{{0,40}}\s?(?:{_CURRENCY}|{_SIGN})(?!\w)"
)
_MEASURED = re.compile(
    r"(?<![\w.])\d+(?:[.,]\d+)?\s?(?:°\s?[CFK]?|º\s?[CF]|mm|cm|km|µm|nm|kg|mg|mcg|µg|ml|mL|dl|kW|kWh|mAh|kV"
    r"|[KMGT]B|[kMG]?Hz|dB|mph|km/h|kph|psi|rpm|cc|kcal|kJ|hp|bhp|lbs?|oz|yd|ft|sq m|m²|m2|%)(?!\w)"
)
_UNIT_OF_TIME = re.compile(
    r"(?i)(?:years?|yrs?|months?|mths?|mos?|weeks?|wks?|days?|hours?|hrs?|mins?)\.?"
)
_AGE = re.compile(rf"(?:(?i:{LINK})\s)*{AGE}")
FORM_BEFORE = re.compile(r"(?i)\b(?:form|class|year|group|set|tutor|house)\W{1,3}\Z")  # "Form: 9M"
_AGE_BEFORE = re.compile(r"(?i)\b(?:aged?|age[d:]|turned|turning)\W{0,3}$")
_TELEPHONE = re.compile(r"\(?0\d{1,4}\)?(?:[ -]\d{3,6}){1,2}|\(?0\d{1,3}\)?(?:[ -]\d{2}){3,4}")
_OTHER_NUMBER = re.compile(
    r"(?i)(?:\b(?:no|nr|number|ref|reference|account|acct|a/c|id|record|policy|card|licen[cs]e|nhs|mrn)\b|#)\W{0,3}\Z"
)
_UNITS = word_set("year years yr yrs month months week weeks day days hour hours old age")
_DIGITS_BEFORE = re.compile(r"(?:\d+[.,/:–-])+\Z")
_DIGITS_AFTER = re.compile(r"(?:[.,/:–-]\d+)+")


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
        or _is_of_duration(text, start, end)
        or _NO_DATE.fullmatch(text[slice(*_whole(text, start, end))])
    ):
        return True
    if re.fullmatch(r"\d{1,2}\s?[-–/]\s?\d{1,2}", said) and _UNIT_AFTER.match(text, end):
        return True  # "8-12 month review"
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


def _is_of_duration(text: str, start: int, end: int) -> bool:
    """Whether words are a part of so many days, weeks, months or years: "twelve" or "months" of "twelve
    months' notice"."""
    first = max(0, start - _FAR)
    near = text[first : end + _FAR]
    return any(
        first + d.start <= start and end <= first + d.end and is_duration(near[d.start : d.end])
        for d in durations(near)
    )


def is_telephone(text: str, start: int, end: int) -> bool:
    """Whether a guessed code is written like the telephone numbers of many lands, and nothing says that it is
    another number.

    >>> is_telephone("Bríd 087 412 0093", 5, 17), is_telephone("Account no 087 412 0093", 11, 23)
    (True, False)
    """
    said = text[start:end]
    return (
        bool(_TELEPHONE.fullmatch(said))
        and 9 <= sum(map(str.isdigit, said)) <= 11
        and not _OTHER_NUMBER.search(text, max(0, start - _FAR), start)
    )


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
    if is_of_a_test(text[max(0, start - _FAR) : start]):
        return "QUANTITY"
    if (_OLD.search(said) and not FORM_BEFORE.search(before)) or _AGE_BEFORE.search(before):
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


def whole_amount(text: str, end: int) -> int:
    """Where an amount ends whose currency was not taken for a part of it: "5,000 Thai" baht."""
    after = _MONEY_AFTER.match(text, end)
    return after.end() if after else end


def _is_age(before: str, said: str, after: str) -> bool:
    """Whether a guessed quantity is a bare age: it counts nothing itself ("three sons", "85A")."""
    return bool(_AGE.fullmatch(said)) and is_bare_age(before, said, after)


def is_room(text: str, start: int, end: int) -> bool:
    """Whether a number is that of a bed, a room or a ward.

    >>> [is_room(said, 5, len(said)) for said in ("Ward 7B", "Room 12", "Flat 12", "Room 4471")]
    [True, True, False, False]
    """
    if _ROOM_WORD.fullmatch(text, start, end) and _ROOM_NEXT.match(text, end):
        return True
    near = _ROOM_BEFORE.search(text, max(0, start - 20), start)
    return near is not None and _ROOM.fullmatch(text, start, end) is not None


def is_day_of_diary(text: str, start: int, end: int) -> bool:
    """Whether a weekday for short begins a line of a diary: "Sun: Mass", but not Sun Li."""
    begins = not text[text.rfind("\n", 0, start) + 1 : start].strip()
    return begins and text.startswith(":", end) and bool(_WEEKDAY.fullmatch(text, start, end))


def behind_numbered(text: str, start: int, end: int) -> int:
    """Where a mention goes on behind what any house, firm or school has by a number: "Tier 2, Anneke".

    >>> [behind_numbered(said, 0, len(said)) for said in ("Ward 7", "Tier 2, Anneke", "Unit 2, Ely")]
    [6, 8, 0]
    """
    found = _ANY_NUMBERED.match(text, start, end)
    if found and all(map(is_nobodys, re.findall(r"[^\W\d_]+", text[found.end() : end]))):
        return end  # "Level 2 Childcare"
    return found.end() if found else start


def measure(text: str, start: int, end: int) -> str | None:
    """The kind of what is a part of an amount with its sign or unit, whatever it was guessed as.

    >>> text = "It was 34°C, ₦2.3m and one 9mm shell for 2 mos at C-14."
    >>> [measure(text, text.index(s), text.index(s) + len(s)) for s in ("C", "2.3m", "9mm", "mos", "C-14")]
    ['QUANTITY', 'MONEY', 'QUANTITY', 'QUANTITY', None]
    """
    first, last = max(0, start - _FAR), end + _FAR
    for form, kind in ((_SUM, "MONEY"), (_MEASURED, "QUANTITY")):
        if any(m.start() <= start and end <= m.end() for m in form.finditer(text, first, last)):
            return kind
    counted = _UNIT_OF_TIME.fullmatch(text, start, end) and re.search(
        r"\d[ -]?\Z", text[first:start]
    )
    return "QUANTITY" if counted else None


def bare_number(text: str, start: int, end: int, chance: float) -> str:
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


def counts_only(said: str) -> bool:
    """Whether words only count ("one, two, three"): a number alone is no code either."""
    digits = spoken.digits(said) if said[0].isalpha() else None
    return digits is not None and (len(digits) == 1 or spoken.counts(digits))


def is_part_of_number(text: str, start: int, end: int) -> bool:
    """Whether digits are those before or behind the point of a number: "14" of "14.2"."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    beside = (before[:1].isdigit() and before[1:] in ".,") or (
        after[:1] in ".," and after[1:].isdigit()
    )
    return text[start:end].isdigit() and beside
