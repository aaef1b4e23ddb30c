"""Words that tell a time or a country, and such as tie two dates or numbers: "his seventh birthday"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from sfumato.english.chunker import FUNCTION
from sfumato.english.dates import DAY_NAMES, MONTHS
from sfumato.english.durations import durations
from sfumato.english.feasts import FEAST
from sfumato.english.numbers import (
    Number,
    decades_in_words,
    numbers_in_digits,
    numbers_in_words,
)
from sfumato.english.ordinary import is_ordinary
from sfumato.english.units import begins_sentence
from sfumato.english.wordlists import LISTS, SHORT_TITLES, TITLES

_IN_LETTERS = "[a-z-]{0,30}"  # what stands before the end of an ordinal, as long as any is
_NTH = rf"(?:(?:\d{{1,3}}(?:st|nd|rd|th)|{_IN_LETTERS}(?:th|first|second|third)|next|last|following)[ -])?"
_YEARS = r"\d{1,2}\b(?! ?[%°])|(?:one|two|three|four|five|six|seven|eight|nine|ten|\w+(?:even|lve|teen|ty))\b"
_DAYS = re.compile(
    rf"(?i)\b{_NTH}(?:birthdays?|anniversar(?:y|ies)|jubilees?|wedding days?|name days?)\b"
    r"(?!\s*[:=]| is\b|[,;|\t]\S)"  # it names a field
    r"|\b(?:silver|ruby|golden|diamond) weddings?\b"
    r"|\b(?:c[ao]me|comes|coming|was|were|is) of (?:full |legal )?age\b"
    r"|\b(?:c[ao]me|comes|coming) (?:in)?to (?:his|her|their) majority\b"
    rf"|\bturn(?:ed|s|ing)?(?= (?:{_YEARS}))|\breach(?:ed|es|ing)?(?= the age of\b)"
    r"|\b(?:on )?(?:exactly )?(?:the|that) (?:very )?same (?:day|date)\b|\bto the day\b"
    r"|\bthe day (?:he|she|they) (?:was|were) born\b"
)
_NUMBERS = re.compile(
    r"(?i)\b(?:when|before|after|the (?:day|year)) (?:[a-z'’-]+ ){1,3}?(?:was|were) born\b"
    r"|\b(?:at|since|before) (?:his|her|their|[a-z]+['’]s?) birth\b"
    r"|\b(?:all |taken |put )?together\b(?=,? (?:they|both|we|it|this|that|these|those|make|aged?)\b)"
    r"|\b(?:altogether|combined|in total|in all|sums? (?:up )?to|add(?:s|ed|ing)? up to"
    r"|the (?:sum|difference)|(?:older|younger) (?:by|than))\b"
)
_NAMED = re.compile(  # "every Monday" tells no day
    rf"(?<!every )(?<!each )\b(?:{DAY_NAMES}|{FEAST})\b(?!['’]?s\b)"
)
_MONTH = rf"(?:{'|'.join(f'{month[:3]}(?:{month[3:]})?' for month in MONTHS)})\.?"
_DATE = re.compile(
    rf"\b\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{2,4}}\b"
    rf"|\b(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? \d{{4}})?\b"
    rf"|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?\b"
    rf"|\b(?:{_MONTH} )?(?:1[89]|20)\d\d\b"
)
DATES_AROUND = 5  # on either side of a duration, which may be what lies between any two of them
_CLOCK = r"\b\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]\.?m\b)?|\b\d{1,2}(?:\.\d\d)? ?[ap]\.?m\b"
# Numbers that count neither years nor money: "Articles 8 and 13", "the Housing Act 1996", "2. Facts".
_NUMBERED = re.compile(
    r"(?i)(?:\b(?:art(?:icle)?s?|rules?|sect(?:ion)?s?|sub-?sections?|para(?:graph)?s?|chapters?|clauses?"
    r"|protocols?|acts?|laws?|codes?|directives?|regulations?|schedules?|appendix|annex|fig(?:ure)?s?|tables?"
    r"|pages?|pp?|nos?|vol(?:ume)?s?|rooms?|beds?|wards?|doc(?:ument)?s?|exhibits?|items?)\b[.:]?|(?<!§)§++|№)"
    r"\s?(?:no\.? ?)?"
    r"\d[\d()/:.–-]*(?:(?:,| and| or| to|,? §+) ?\d[\d()/:.–-]*)*"
    r"|(?m:^(?:[^\S\n]|[>*•-])*+\d{1,2}(?:\.\d{1,2})*[.)](?=\s))"
    r"|\bthe (?:1[89]|20)\d\d (?:Act|Law|Code|Convention|Regulations?|Order)\b"
    rf"|{_CLOCK}"
    r"|\b\d{3}/\d{2,3}\b"  # a blood pressure
)
_COUNTED = re.compile(r"(?:[ -]|\s(?=[a-z]))?([^\W\d_]+|[%$€£¥₹°])")
_UNCOUNTED = FUNCTION | {"years", "yrs", "year", "old", "aged", "today", "times", "fold"}
_A_DAY = re.compile(r"(?i) times (?:a|per|each|every|daily|weekly)\b")
_OLDEST, _YEARS_WRITTEN = 130, range(1800, 2101)
BLANK = "\ufffc"  # in the place of what is hidden: no word, and no number
# What a date or an age is called where it is hidden: "aged …", "Date of birth: …".
_FIELD = re.compile(rf"(?i)\b(?:aged?|date(?: of birth)?)(?: of)?[:\s]{{1,3}}(?={BLANK})")
# What tells a time or an age without a number.
_TIMES = re.compile(
    rf"\b(?:{'|'.join(MONTHS[:2] + MONTHS[3:4] + MONTHS[5:])}|(?<![.!?] )(?<!^)(?:March|May))\b"
    r"|(?i:\b(?:midsummer|(?:last|next|that|the|early|late|this|in) (?:spring|fall)|teenaged?|new-?borns?"
    r"|young(?:er)?|older|(?:bi)?annual(?:ly)?|sixth[ -]form\w*|(?:\w+th|first|second|third) grader?s?"
    r"|kindergart\w+)\b)"
    rf"|\b(?:\d{{1,3}}(?:st|nd|rd|th)|{_IN_LETTERS}(?:ieth|teenth))\b(?! [a-z]{{3}})"
    rf"|(?i:{_CLOCK})"
)
# What few do, have or are but at some age: "pregnant", "retired", "GCSEs", "millennials".
_AT_AN_AGE = "|".join(words.replace("*", _IN_LETTERS) for words in LISTS["of an age"])
_OF_AN_AGE = re.compile(
    rf"(?i)(?<![^\W_])(?:{_AT_AN_AGE})(?![^\W_])"
    r"|(?:\b(?:is|was|be|were|are|been|both|am)|['’](?:s|m|re)) expecting(?! (?:to|that|the|you|him|me)\b)"
)
_AMOUNTS = "|".join(words.replace("*", _IN_LETTERS) for words in LISTS["tells an amount"])
_TELLS_AMOUNT = re.compile(rf"(?i)(?<![^\W_])(?:{_AMOUNTS})(?![^\W_])")
CURRENCY = (
    r"(?:euro|dollar|quid|franc|z[łl]ot(?:y|e|ych|ie)|koruna|forint|lei|leu|leva|kron[aeou]r?|rouble|ruble|hryvnia"
    r"|lira|rupee|yen|yuan|renminbi|reais|peso|shekel|dirham|dinar|riyal|rial|naira|shilling|cedi"
    r"|kuna|lari|manat|tenge|baht|rupiah|ringgit|dong|taka|soles|birr|kwacha"
    r"|deutschmark|schilling|markka|drachma|peseta|escudo|guilder|tolar|litas|lats|kroon)s?"
)
# What is said of one country, or of a few.
_LANDS = re.compile(
    r"[$€£¥₹₽₺₴₪₩₫₦₱฿₡₲₸₼₾]|\bz[łl]\b|\bKč|\bFt\b"
    r"|\b(?:EUR|USD|GBP|CHF|PLN|CZK|HUF|RON|BGN|SEK|NOK|DKK|ISK|UAH|RUB|TRY|TRL|INR|JPY|CNY|RMB|KRW|AUD|CAD|NZD"
    r"|ZAR|BRL|MXN|ARS|CLP|COP|ILS|AED|SAR|EGP|NGN|KES|HRK|RSD|SIT|SKK|EEK|LVL|LTL|GEL|AMD|AZN|MDL|BYN|KZT|PHP|THB"
    r"|IDR|MYR|SGD|HKD|TWD|VND|PKR|BDT|LKR|FIM|ATS|DEM|FRF|ITL|ESP|PTE|NLG|BEF|GRD|IEP|LUF|CYP|MTL)\b"
    rf"|(?i:\b{CURRENCY}\b)"
    r"|(?i:(?<=[\d\ufffc] )(?:pound|won|rand|real|mark|sol|pula)s?\b)"
    r"|\b(?:Sorani|Tigrinya|Oromo|Igbo|Filipino|Guaraní|Uyghur|Māori|Inuktitut)\b"  # which WordNet has not
)

_SORTS = "|".join(words.replace("*", _IN_LETTERS) for words in LISTS["sort of place"])
_SORT_OF_PLACE = re.compile(rf"(?i)(?<![^\W_])(?:{_SORTS})(?![^\W_])")
_CAPITAL = r"[^\W\d_a-zß-öø-ÿ][\w&]*"
_NAMED_BEFORE = re.compile(rf"(?<![\w.'’-])({_CAPITAL})[ \u00a0-](?:of (?:the )?)?\Z")
_NAMED_AFTER = re.compile(rf"[ \u00a0-]({_CAPITAL})")
_NEAR = 40
_NAME = re.compile(rf"(?<![\w'’]){_CAPITAL}")
_NO_NAMES = FUNCTION | {*TITLES, *SHORT_TITLES}
OF_NO_WAY = LISTS["nouns of no way"]
_OF_NO_WAY = frozenset((*LISTS["of no way"], *OF_NO_WAY))
_OF_SHORT_WAY = frozenset(LISTS["of a short way"])
_GREW_UP = re.compile(r"(?i)\b(grow|grows|grew|grown|brought) up\b")  # but "moved up to"
_APART = re.compile(rf"[\s{BLANK}.,;:!?()\[\]\"'“”‘’]+")


def dates_written(text: str) -> Iterator[tuple[int, int]]:
    """Where dates stand in their usual forms.

    >>> said = "on 3/4/2024, the 5th of May, June 2024 and 1999"
    >>> [said[a:b] for a, b in dates_written(said)]
    ['3/4/2024', 'the 5th of May', 'June 2024', '1999']
    """
    return (found.span() for found in _DATE.finditer(text))


def named_days(text: str) -> Iterator[tuple[int, int]]:
    """Where a day is told by what it is called: with the month of a date, "that Monday" leaves few days.

    >>> said = "That Monday it rained. It was Halloween. He comes every Friday, or on Sundays."
    >>> [said[a:b] for a, b in named_days(said)]
    ['Monday', 'Halloween']
    """
    return (found.span() for found in _NAMED.finditer(text))


def numbers_told(text: str) -> Iterator[Number]:
    """The numbers of a text; but "one" may count nothing.

    >>> said = "1. Under Article 8 she paid for 3 rooms, and one of us for two."
    >>> [n.value for n in numbers_told(said)]
    [1.0, 8.0, 3.0, 2.0]
    """
    yield from numbers_in_digits(text)
    yield from (n for n in numbers_in_words(text) if n.value != 1)
    yield from decades_in_words(text)


def amounts_told(text: str) -> Iterator[tuple[int, int]]:
    """Where a number stands, or a word that tells an amount with no number.

    >>> said = "A grand, half of it twice, to a millionaire for 3 hats; a dog."
    >>> sorted(said[a:b] for a, b in amounts_told(said))
    ['3', 'grand', 'half', 'millionaire', 'twice']
    """
    yield from ((number.start, number.end) for number in numbers_told(text))
    yield from (found.span() for found in _TELLS_AMOUNT.finditer(text))


def times_told(text: str) -> Iterator[tuple[int, int]]:
    """Where something stands that tells a time or an age, or may: any number does that counts nothing else,
    and what is done or had at some age.

    >>> said = "At 60 she retired, two weeks before Halloween, with 3 bags (Rule 59), in her sixties."
    >>> sorted(said[a:b] for a, b in times_told(said))
    ['60', 'Halloween', 'retired', 'sixties', 'two weeks']
    """
    yield from words_of_time(text)
    yield from (found.span() for found in _OF_AN_AGE.finditer(text))
    for number in numbers_told(_NUMBERED.sub(lambda found: " " * len(found[0]), text)):
        after = _COUNTED.match(text, number.end)
        counts = after is not None and after[1].lower() not in _UNCOUNTED
        is_time = number.value in _YEARS_WRITTEN or abs(number.value) <= _OLDEST
        counts = counts or _A_DAY.match(text, number.end) is not None
        if number.decade or (is_time and not counts and number.value % 1 == 0):
            yield number.start, number.end
    yield from ((d.start, d.end) for d in durations(text))


def without_fields(text: str) -> str:
    """What stands but for what hidden dates and ages are called, which tells nothing more of them.

    >>> without_fields(f"A man aged {BLANK}. Date of birth: {BLANK}") == f"A man {BLANK}. {BLANK}"
    True
    """
    return _FIELD.sub("", text)


def ties(text: str, dates: bool) -> Iterator[tuple[int, int]]:
    """Where words stand that tell one date by another, or one number by others.

    >>> said = "seen on his seventh birthday; together they are 78"
    >>> [said[a:b] for dates in (True, False) for a, b in ties(said, dates)]
    ['seventh birthday', 'together']
    """
    for found in (_DAYS if dates else _NUMBERS).finditer(text):
        yield found.span()


def words_of_lands(text: str) -> Iterator[tuple[int, int]]:
    """Where a currency is told, or a language that WordNet has not, and by it what a country may be.

    >>> said = "300 złoty and 3 won; an interpreter for Igbo; a case that was won"
    >>> [said[a:b] for a, b in words_of_lands(said)]
    ['złoty', 'won', 'Igbo']
    """
    return (found.span() for found in _LANDS.finditer(text))


def lands_told(text: str) -> Iterator[tuple[int, int]]:
    """The same, and a sort of place that WordNet has not, and any name: of a firm, a party or a game, which
    may be those of one country.

    >>> said = "The GCSEs. She votes for the Greens, as Mr Ray and I do. Tusla rang in May. It is inland."
    >>> [said[a:b] for a, b in lands_told(said)]
    ['inland', 'GCSEs', 'Greens', 'Ray', 'Tusla']
    """
    yield from words_of_lands(text)
    yield from (found.span() for found in _SORT_OF_PLACE.finditer(text))
    times = {start for start, _ in words_of_time(text)}
    for found in _NAME.finditer(text):
        word, start = found[0], found.start()
        small = word.lower()
        is_common = small in _NO_NAMES or start in times
        is_begun = begins_sentence(text, start) and word[1:].islower() and is_ordinary(small)
        if len(word) > 1 and not is_common and not is_begun:
            yield found.span()


def way_told(text: str) -> Literal["", "short", "any"]:
    """Whether something stands that may tell the way from one place to another: any word may that is not
    known to tell none; some say that it is short.

    >>> [way_told(said) for said in ("She was born in", "They live near", "an hour from", "A – B")]
    ['', 'short', 'any', 'any']
    """
    said = {word.lower() for word in _APART.split(_GREW_UP.sub(r"\1", text))} - {"", "s"}
    told = said - _OF_NO_WAY
    if not told:
        return ""
    return "short" if told <= _OF_SHORT_WAY and not said & {"no", "not"} else "any"


def beside_in_name(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where words stand that make one name with what stands between: who reads the rest of it knows which
    place it is.

    >>> said = "He watches AC Milan, the Bulls of Chicago and the Leeds team. In Leeds Rhinos won."
    >>> towns = [m.span() for m in re.finditer("Milan|Chicago|Leeds", said)]
    >>> [[said[a:b] for a, b in beside_in_name(said, *town)] for town in towns]
    [['AC'], ['Bulls'], [], ['Rhinos']]
    """
    before = _NAMED_BEFORE.search(text[max(0, start - _NEAR) : start])
    if before is not None:
        first = max(0, start - _NEAR) + before.start(1)
        if before[1].lower() not in FUNCTION and not begins_sentence(text, first):
            yield first, first + len(before[1])
    after = _NAMED_AFTER.match(text, end)
    if after is not None and after[1].lower() not in FUNCTION:
        yield after.span(1)


def words_of_time(text: str) -> Iterator[tuple[int, int]]:
    """Where words stand that tell a time or an age without a number."""
    yield from named_days(text)
    yield from (found.span() for found in _TIMES.finditer(text))
