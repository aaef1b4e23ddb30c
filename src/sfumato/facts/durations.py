"""What lies between two dates: with a date that stands, "three weeks later" tells one that is hidden.

Where two dates are told of which one is hidden and the other stands, what says about as much as lies between
them is hidden, too. Where the values of dates are counted, each for itself, every duration is hidden that
stands beside two dates, whatever it says: what is told of the dates must not depend on them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from calendar import monthrange
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from operator import itemgetter

from sfumato.document import Edit, Spans, Term
from sfumato.english.births import may_be_age
from sfumato.english.dates import MONTHS, day_first
from sfumato.english.numbers import Number, numbers_in_digits, numbers_in_words
from sfumato.english.ties import ties
from sfumato.facts.mentions import SPREAD
from sfumato.facts.values import DayOfYear, Days, days
from sfumato.kinds import rule_chain

COUNTED = "fact"  # in the numbers of an edit whose values somebody counts
# Days of each unit, and by how many a duration may miss what lies between two dates.
_UNITS = {
    "hour": (1 / 24, 1), "night": (1, 1), "day": (1, 1), "week": (7, 3), "weekend": (7, 4),
    "fortnight": (14, 3), "month": (30.44, 15), "quarter": (91.3, 45), "year": (365.25, 183),
    "decade": (3652.5, 1826), "century": (36525, 18262), "morning": (1, 1), "afternoon": (1, 1),
    "evening": (1, 1),
}  # fmt: skip
_SHORT = {
    "h": "hour", "hr": "hour", "d": "day", "w": "week", "wk": "week", "mo": "month", "mth": "month",
    "mnth": "month", "y": "year", "yr": "year", "decades": "decade", "centurie": "century",
}  # fmt: skip
_LONG_NAMES = [*_UNITS, "centurie", "hr", "wk", "mth", "mnth", "yr"]
_NOT_AGE = r"(?! ?-?(?:old\b|of age))"
_UNIT = re.compile(
    rf"(?<![^\W\d_])(?i:({'|'.join(_LONG_NAMES)})s?)\b{_NOT_AGE}|(?<=\d)(?i:([hdwy]|mo))\b"
)
# How many: what stands before a unit, where it is no number, and how few and how many that may be.
_MANY = {
    "couple of": (1, 3), "couple": (1, 3), "pair of": (2, 2), "few": (2, 8), "several": (2, 15),
    "many": (3, 60), "dozen": (12, 12), "half": (0.5, 0.5), "half a": (0.5, 0.5),
    "half an": (0.5, 0.5), "a": (1, 1), "an": (1, 1), "one": (1, 1), "the next": (0, 2),
    "next": (0, 2), "following": (0, 2), "same": (0, 1), "previous": (0, 2), "preceding": (0, 2),
    "prior": (0, 2), "last": (0, 2), "past": (0, 2), "another": (1, 1),
}  # fmt: skip
_NTH = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)
_MANY |= {nth: (n, n + 1) for n, nth in enumerate(_NTH)}
_HOW_MANY = re.compile(
    rf"(?i)\b(?:(?:an?|the|very|only|over|about|nearly) )*"
    rf"({'|'.join(sorted(_MANY, key=len, reverse=True))})[ -]\Z"
)
_OFTEN = re.compile(r"(?i)(?:\b(?:times|once|twice|thrice|per|each|every|of the|mg|ml|g)|/) ?\Z")
_ADJECTIVE = re.compile(r"(?<=[\w’']) ?[ -][^\W\d_]{3,}\Z")  # "three long weeks"
_FROM = re.compile(r"(\d+) ?(?:-|–|to|or) ?\Z")  # "2 to 3 weeks"
_LAST = re.compile(r"\d+\Z")
_MOST_COUNTED = 366  # "day 366", but "year 2019"
_PARTS_OF_DAY = ("morning", "afternoon", "evening")
_HALF = re.compile(r" and a half\b")
# Further ways: "day 21", "3/52", "overnight", "the day after".
_COUNTED_UNIT = re.compile(
    r"(?i)\b(?:post-?op(?:erative)? )?(day|week|month|year)s? ([+]?\d{1,3}|\w+(?:-\w+)?)\b(?![/.:]\d)"
)
_SHORTHAND = re.compile(r"(?<![\d/.])(\d{1,2})/(7|52|12)(?![\d/]|\.\d)")
_NEXT_TO = re.compile(
    r"(?i)\bovernight\b|\bthe (?:day|morning|night|week|month|year) (?:after|before)\b"
)
_MONTH = rf"(?:{'|'.join(f'{month[:3]}(?:{month[3:]})?' for month in MONTHS)})\.?"
_DATE = re.compile(
    rf"\b\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{2,4}}\b"
    rf"|\b(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? \d{{4}})?\b"
    rf"|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?\b"
    rf"|\b(?:{_MONTH} )?(?:1[89]|20)\d\d\b"
)
# Between ages: "two years older", "half his age".
_OLDER = re.compile(
    r"(?i)['’]? (?:older|younger|(?:(?:his|her|their|my|your|the)|[\w’']+['’]s?) (?:senior|junior)"
    r"|apart|between them|(?:age )?(?:gap|difference))\b"
)
_AS_OLD = re.compile(
    r"(?i)\b(?:twice|half|double|\w+ times|the same)(?: as old\b|(?: [\w’']+){0,3}? age\b)"
    r"|\b(?:just )?as old as\b"
)
_ADJECTIVES = 2  # words between a number and its unit
_BEFORE = 40  # characters before a unit in which its number stands
_ANY_YEAR = 2001
_MOST_COMPARED = 50_000  # pairs of dates; beside more of them any duration tells something


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time in a text, in days, as exactly as it is told."""

    start: int
    end: int
    least: float
    most: float


def durations(text: str) -> Iterator[Duration]:
    """The lengths of time that a text tells, in whatever words.

    >>> said = "for three long weeks, 21d; the next day; a couple of months, day 21 of; two years old"
    >>> [said[d.start : d.end] for d in durations(said)]
    ['three long weeks', '21d', 'the next day', 'a couple of months', 'day 21']
    >>> [round((d.least + d.most) / 2) for d in durations("for three weeks, 21 days; a fortnight later")]
    [21, 21, 14]
    """
    taken = Spans()
    found = sorted([*_counted_units(text), *_before_units(text), *_shorthand(text)], key=_place)
    yield from (d for d in found if taken.add(d.start, d.end))


def _place(duration: Duration) -> tuple[int, int]:
    return duration.start, -duration.end


def _duration(start: int, end: int, unit: str, least: float, most: float) -> Duration:
    days, miss = _UNITS[unit]
    return Duration(start, end, least * days - miss, most * days + miss)


def _before_units(text: str) -> Iterator[Duration]:
    """Numbers, and what stands for one, before a unit of time, with a word or two between at most."""
    for found in _UNIT.finditer(text):
        name = (found[1] or found[2]).lower()
        unit = _SHORT.get(name, name)
        begin = max(0, found.start() - _BEFORE)
        before = text[begin : found.start()]
        for words in range(_ADJECTIVES + 1):  # "three whole calendar months"
            how_many = _how_many(before, unit)
            if how_many is None:
                before = _ADJECTIVE.sub(" ", before.rstrip(" -"))
            else:
                start, least, most = how_many
                most = most * 1.5 if words else most  # "15 working days"
                half = _HALF.match(text, found.end())
                end, most = (half.end(), most + 0.5) if half else (found.end(), most)
                yield _duration(begin + start, end, unit, least, most)
                break


def _how_many(before: str, unit: str) -> tuple[int, float, float] | None:
    """Where the number of a unit begins, at the end of some words, and how few and how many it is."""
    stop = len(before.rstrip(" -"))
    numbers = (*numbers_in_digits(before), *numbers_in_words(before))
    number = next((n for n in numbers if n.end == stop), None)
    if number is None and (last := _LAST.search(before[:stop])):  # "x3 weeks"
        number = Number(last.start(), stop, float(last[0]))
    words = _HOW_MANY.search(before)
    said = words[1].lower() if words else ""
    if unit in _PARTS_OF_DAY and (number or said not in ("next", "the next", "following", "same")):
        return None  # "this morning" is a time of the day
    if number is not None and said != "half":
        if range_ := _FROM.search(before[: number.start]):
            return range_.start(), float(range_[1]), number.value
        return number.start, number.value, number.value
    if words is None or _OFTEN.search(before[: words.start()]):  # "three times a day"
        return (stop - 3, 1, 1) if unit == "fortnight" and before.endswith("the ") else None
    least, most = _MANY[said]
    start = words.start()
    whole = re.search(r"(?i)\b([\w-]+) and \Z", before[:start])
    if said.startswith("half") or before[start:].lower().startswith("a half"):
        number = next(iter(numbers_in_words(whole[1])), None) if whole else None
        if number is not None and whole is not None:  # "one and a half years"
            return whole.start(), number.value, number.value + 1
    return start, least, most


def _counted_units(text: str) -> Iterator[Duration]:
    """ "Day 21", "week three"."""
    for found in _COUNTED_UNIT.finditer(text):
        number = next(iter([*numbers_in_digits(found[2]), *numbers_in_words(found[2])]), None)
        whole = number is not None and number.end - number.start >= len(found[2].lstrip("+"))
        if number is not None and whole and (value := number.value) <= _MOST_COUNTED:
            yield _duration(*found.span(), found[1].lower(), value - 1, value)


def _shorthand(text: str) -> Iterator[Duration]:
    for found in _SHORTHAND.finditer(text):
        unit = {"7": "day", "52": "week", "12": "month"}[found[2]]
        yield _duration(*found.span(), unit, int(found[1]), int(found[1]))
    for found in _NEXT_TO.finditer(text):
        unit = next((u for u in ("week", "month", "year") if u in found[0].lower()), "day")
        yield _duration(*found.span(), unit, 1, 1)


def telling_durations(text: str, edits: Sequence[Edit]) -> list[Term]:
    """The durations outside all edits that would tell a hidden date.

    >>> note = "Admitted on 3 June 2024, left three weeks later. Seen on 24 June 2024 for two days."
    >>> [note[t.start : t.end] for t in telling_durations(note, [Edit(12, 23, "DATE", "", "")])]
    ['three weeks']
    """
    hidden = [e for e in edits if e.hides and "DATE" in rule_chain(e.kind)]
    taken, order = Spans((e.start, e.end) for e in edits), day_first(text)
    aged = any(e.hides and _may_be_age(e.kind, text[e.start : e.end]) for e in edits)
    between = [t for t in _between_ages(text) if not taken.touch(t.start, t.end)] if aged else []
    for term in between:
        taken.add(term.start, term.end)
    between += [t for t in _ties(text, edits, taken) if taken.add(t.start, t.end)]
    if not hidden:
        return between
    standing = {m[0] for m in _DATE.finditer(text) if not taken.touch(*m.span())}
    told = [v for words in {text[e.start : e.end] for e in hidden} for v in days(words, order)]
    stand = [v for words in standing for v in days(words, order)]
    all_of = len({*told, *stand}) > 1 and any(COUNTED in e.numbers for e in hidden)
    years = {date.fromordinal(v.first).year for v in (*told, *stand) if isinstance(v, Days)}
    without_year = sum(isinstance(v, DayOfYear) for v in {*told, *stand})
    all_of = all_of or without_year * len(years) > _MOST_COMPARED
    apart = [] if all_of else _apart(_by_level(told, years), _by_level(stand, years))
    if not all_of and not apart:
        return between
    return between + [
        Term(d.start, d.end, hidden[0].kind, 1.0, SPREAD, "with a date it would tell another")
        for d in durations(text)
        if not taken.touch(d.start, d.end) and (all_of or _lies_apart(d, apart))
    ]


def beside_dates(text: str, terms: Iterable[Term]) -> Spans:
    """Where durations stand in a text that tells two dates: a number in one of them is not free of these."""
    dates = {term.of(text) for term in terms if "DATE" in rule_chain(term.kind)}
    return Spans((d.start, d.end) for d in (durations(text) if len(dates) > 1 else ()))


def may_last(words: str) -> bool:
    """Whether what looks like a date is for so many days, weeks or months: "2/7" to a doctor, "3/52"."""
    return _SHORTHAND.fullmatch(words) is not None


def _may_be_age(kind: str, words: str) -> bool:
    chain = rule_chain(kind)
    return "AGE" in chain or ("QUANTITY" in chain and may_be_age(words))


def _between_ages(text: str) -> Iterator[Term]:
    """What tells one age by another: "two years older", "half his age"."""
    spans = [m.span() for m in _AS_OLD.finditer(text)]
    spans += [(d.start, d.end) for d in durations(text) if _OLDER.match(text, d.end)]
    for start, end in spans:
        yield Term(start, end, "DATE", 1.0, SPREAD, "with an age it would tell another")


def _ties(text: str, edits: Sequence[Edit], taken: Spans) -> Iterator[Term]:
    """What is open of the words that tie two dates, or two numbers, whose values are counted."""
    counted = [e for e in edits if COUNTED in e.numbers]
    for dates in (True, False):
        kinds = {"DATE"} if dates else {"AGE", "QUANTITY"}
        some = {text[e.start : e.end]: e.kind for e in counted if kinds & {*rule_chain(e.kind)}}
        for tie in ties(text, dates) if len(some) > 1 else ():
            for start, end in taken.open_words(*tie, text):
                why = "it would tell one value by another"
                yield Term(start, end, next(iter(some.values())), 1.0, SPREAD, why)


def _apart(told: Mapping[str, set[Days]], stand: Mapping[str, set[Days]]) -> list[tuple[int, int]]:
    """How many days may lie between two dates of a level: spans in order, which do not overlap. Beside too
    many dates any length does."""
    pairs = [(some, stand[level]) for level, some in told.items() if level in stand]
    if sum(len(some) * len(others) for some, others in pairs) > _MOST_COMPARED:
        return [(0, date.max.toordinal())]
    spans = {
        tuple(sorted((abs(a.first - b.last), abs(a.last - b.first))))
        for some, others in pairs
        for a in some
        for b in others
    }
    joined = list[tuple[int, int]]()
    for least, most in sorted(spans):
        if joined and least <= joined[-1][1] + 1:
            least, most = joined[-1][0], max(joined.pop()[1], most)
        joined.append((least, most))
    return joined


def _lies_apart(duration: Duration, apart: Sequence[tuple[int, int]]) -> bool:
    at = bisect_left(apart, duration.least, key=itemgetter(1))
    return at < len(apart) and apart[at][0] <= duration.most


def _by_level(values: Sequence[Days | DayOfYear], years: Collection[int]) -> dict[str, set[Days]]:
    found = dict[str, set[Days]]()
    for value in values:
        for one in _in_years(value, years):
            found.setdefault(one.level, set()).add(one)
    return found


def _in_years(value: Days | DayOfYear, years: Collection[int]) -> Iterator[Days]:
    """A date; one of no particular year in all years that the text tells, and next to them."""
    if isinstance(value, Days):
        yield value
        return
    for year in {y + step for y in years or {_ANY_YEAR} for step in (-1, 0, 1)}:
        if value.day and value.day <= monthrange(year, value.month)[1]:
            day = date(year, value.month, value.day).toordinal()
            yield Days(day, day, "day")
