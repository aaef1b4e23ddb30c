"""What lies between two dates: with a date that stands, "three weeks later" tells one that is hidden.

Where two dates are told of which one is hidden and the other stands, what says about as much as lies between
them is hidden, too. So it is where both are told by months or years, if it leaves less than half of the days
that these have: between May and June, "the next day" leaves one. Where the values of dates are counted, each
for itself, every duration is hidden that stands beside two dates, whatever it says: what is told of the dates
must not depend on them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from calendar import monthrange
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import permutations, product
from math import ceil, floor
from operator import itemgetter

from sfumato.document import FACT, Edit, Spans, Term, joined
from sfumato.english.births import ages_in, may_be_age
from sfumato.english.dates import day_first
from sfumato.english.durations import Duration, durations, full_years
from sfumato.english.numbers import numbers_in_digits, numbers_in_words
from sfumato.english.ties import DATES_AROUND, dates_written, named_days, ties
from sfumato.facts.mentions import SPREAD
from sfumato.facts.values import DayOfYear, Days, days
from sfumato.kinds import rule_chain

# Between ages: "two years older", "half his age".
_OLDER = re.compile(
    r"(?i)['’]? (?:older|younger|(?:(?:his|her|their|my|your|the)|[\w’']+['’]s?) (?:senior|junior)"
    r"|apart|between them|(?:age )?(?:gap|difference))\b"
)
_AS_OLD = re.compile(
    r"(?i)\b(?:twice|half|double|\w+ times|the same)(?: as old\b|(?: [\w’']+){0,3}? age\b)"
    r"|\b(?:just )?as old as\b"
)
_BAND = re.compile(r"(?<!\d)(\d{1,3}) ?[-–] ?(\d{1,3})(?!\d)")
_ANY_YEAR = 2001
_MOST_COMPARED = 50_000  # pairs of dates; beside more of them any duration tells something


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
    between += [t for t in _between_bands(text, edits, taken) if taken.add(t.start, t.end)]
    counted = [e for e in edits if FACT in e.numbers]
    all_of = len(_ages(text, counted)) > 1  # each may follow from another and what lies between
    if not hidden and not all_of:
        return between
    written = [span for span in dates_written(text) if not taken.touch(*span)]
    told = [v for words in {text[e.start : e.end] for e in hidden} for v in days(words, order)]
    stand = [v for words in {text[a:b] for a, b in written} for v in days(words, order)]
    all_of = all_of or (len({*told, *stand}) > 1 and any(FACT in e.numbers for e in hidden))
    years = {date.fromordinal(v.first).year for v in (*told, *stand) if isinstance(v, Days)}
    without_year = sum(isinstance(v, DayOfYear) for v in {*told, *stand})
    all_of = all_of or without_year * len(years) > _MOST_COMPARED
    apart = [] if all_of else _apart(_by_level(told, years), _by_level(stand, years))
    shown = [] if all_of else _shown(text, hidden, written, order, years)
    if not all_of and not apart and len(shown) < 2:
        return between
    kind = hidden[0].kind if hidden else "DATE"
    return between + [
        Term(d.start, d.end, kind, 1.0, SPREAD, "with another value it would tell one")
        for d in durations(text)
        if not taken.touch(d.start, d.end)
        and (all_of or _lies_apart(d, apart) or _leaves_few(d, shown))
    ]


def beside_values(text: str, terms: Sequence[Term]) -> Spans:
    """Where durations stand in a text that tells two dates or two ages: a number in one of them is not free
    of these."""
    dates = {term.of(text) for term in terms if "DATE" in rule_chain(term.kind)}
    is_tied = len(dates) > 1 or len(_ages(text, terms)) > 1
    return Spans((d.start, d.end) for d in (durations(text) if is_tied else ()))


def between_ages(text: str) -> Spans:
    """Where a length of time says how much older somebody is than another: it is no age."""
    return Spans((term.start, term.end) for term in _between_ages(text))


def _ages(text: str, found: Iterable[Edit | Term]) -> set[str]:
    return ages_in(text, ((f.start, f.end, f.kind) for f in found if f.kind in ("AGE", "QUANTITY")))


def _may_be_age(kind: str, words: str) -> bool:
    chain = rule_chain(kind)
    return "AGE" in chain or ("QUANTITY" in chain and may_be_age(words))


def _between_ages(text: str) -> Iterator[Term]:
    """What tells one age by another: "two years older", "half his age"."""
    spans = [m.span() for m in _AS_OLD.finditer(text)]
    spans += [(d.start, d.end) for d in durations(text) if _OLDER.match(text, d.end)]
    for start, end in spans:
        yield Term(start, end, "DATE", 1.0, SPREAD, "with an age it would tell another")


def _between_bands(text: str, edits: Sequence[Edit], taken: Spans) -> Iterator[Term]:
    """What lies between two ages beside it that are told by bands, and leaves less than half of one: "40-49,
    in two months 50-59"."""
    aged = [
        (e.start, int(found[0].value), (int(band[1]), int(band[2])))
        for e in sorted(edits, key=lambda e: e.start)
        if e.kind == "AGE" and e.hides and FACT not in e.numbers
        if (band := _BAND.search(e.replacement))
        and (
            found := [*numbers_in_digits(words := text[e.start : e.end]), *numbers_in_words(words)]
        )
        and int(band[1]) <= found[0].value <= int(band[2])
    ]
    for d in durations(text) if len(aged) > 1 else ():
        at = bisect_left(aged, d.start, key=itemgetter(0))
        passed = full_years(d)
        for (_, a, one), (_, b, other) in permutations(aged[max(0, at - 2) : at + 2], 2):
            meeting = (range(other[0] - n, other[1] - n + 1) for n in passed)
            left = {n for some in meeting for n in some if one[0] <= n <= one[1]}
            back = {n + more for n in left for more in passed if other[0] <= n + more <= other[1]}
            few = 2 * min(len(left), len(back)) < min(one[1] - one[0], other[1] - other[0], 9) + 1
            if few and passed[0] - 1 <= b - a <= passed[-1] + 1 and not taken.touch(d.start, d.end):
                yield Term(d.start, d.end, "DATE", 1.0, SPREAD, "with an age it would tell another")
                break


def _ties(text: str, edits: Sequence[Edit], taken: Spans) -> Iterator[Term]:
    """What is open of the words that tie two dates, or two numbers, whose values are counted, or name a day
    of one."""
    counted, order = [e for e in edits if FACT in e.numbers], day_first(text)
    for dates in (True, False):
        kinds = {"DATE"} if dates else {"AGE", "QUANTITY"}
        some = {text[e.start : e.end]: e.kind for e in counted if kinds & {*rule_chain(e.kind)}}
        found = [*ties(text, dates)] if len(some) > 1 else []
        if dates and any(_is_day(words, order) for words in some):
            found += named_days(text)
        for tie in found:
            for start, end in taken.open_words(*tie, text):
                why = "it would tell one value by another"
                yield Term(start, end, next(iter(some.values())), 1.0, SPREAD, why)


def _is_day(words: str, order: bool | None) -> bool:
    return any(isinstance(v, DayOfYear) or v.level == "day" for v in days(words, order))


def _apart(told: Mapping[str, set[Days]], stand: Mapping[str, set[Days]]) -> list[tuple[int, int]]:
    """How many days may lie between two dates of a level: spans in order, which do not overlap. Beside too
    many dates any length does."""
    pairs = [(some, stand[level]) for level, some in told.items() if level in stand]
    if sum(len(some) * len(others) for some, others in pairs) > _MOST_COMPARED:
        return [(0, date.max.toordinal())]
    spans = {
        (min(ends), max(ends))
        for some, others in pairs
        for a in some
        for b in others
        for ends in [(abs(a.first - b.last), abs(a.last - b.first))]
    }
    return joined(spans, 2)


def _lies_apart(duration: Duration, apart: Sequence[tuple[int, int]]) -> bool:
    at = bisect_left(apart, duration.least, key=itemgetter(1))
    return at < len(apart) and apart[at][0] <= duration.most


# Dates that are told by months or years


@dataclass(frozen=True, slots=True)
class _Shown:
    """When a date was, and the days of which it is one by what is shown."""

    was: Days
    now: Days

    @property
    def many(self) -> int:
        return self.now.last - self.now.first + 1


def _shown(
    text: str,
    hidden: Iterable[Edit],
    written: Iterable[tuple[int, int]],
    order: bool | None,
    years: Collection[int],
) -> list[tuple[int, list[_Shown]]]:
    """The dates of a text with what is shown of each, by their places; one that stands is shown as it is."""
    made = [(a, text[a:b], text[a:b]) for a, b in written]
    made += [(e.start, text[e.start : e.end], e.replacement) for e in hidden]
    found = list[tuple[int, list[_Shown]]]()
    for start, said, now in sorted(made):
        spans = [span for v in dict.fromkeys(days(now, order)) for span in _in_years(v, years)]
        was = [span for v in dict.fromkeys(days(said, order)) for span in _in_years(v, years)]
        pairs = [_Shown(v, span) for v in was for span in spans if span.holds(v)]
        if pairs:
            found.append((start, pairs))
    return found


def _leaves_few(duration: Duration, shown: Sequence[tuple[int, list[_Shown]]]) -> bool:
    """Whether a duration may lie between two dates beside it, and with it less than half of the days is left
    that are shown of one."""
    at = bisect_left(shown, duration.start, key=itemgetter(0))
    near = (some for _, some in shown[max(0, at - DATES_AROUND) : at + DATES_AROUND])
    least, most = ceil(duration.least), floor(duration.most)
    for a, b in (pair for dates in permutations(near, 2) for pair in product(*dates)):
        is_hidden = a.was != a.now or b.was != b.now
        if is_hidden and b.was.first - a.was.last <= most and least <= b.was.last - a.was.first:
            left = min(a.now.last, b.now.last - least) - max(a.now.first, b.now.first - most)
            back = min(b.now.last, a.now.last + most) - max(b.now.first, a.now.first + least)
            if 2 * (min(left, back) + 1) < min(a.many, b.many):
                return True
    return False


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
        many = monthrange(year, value.month)[1]
        if value.day <= many:
            first = date(year, value.month, value.day or 1).toordinal()
            last = first if value.day else first + many - 1
            yield Days(first, last, "day" if value.day else "month")
