"""The dates of a life: which date of a text is the birth, which one the event that the text is about.

Whoever knows both can reckon an age. Both are told by the words around a date and by its place in the text,
never by its value: another date in the same place would be taken alike. Where an age is hidden that follows
from two dates, birth, age and event get one decision: the birth is told no finer than the age.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import product, starmap

from sfumato.document import FACT, GENERALISE, Document, Edit, Spans, Term
from sfumato.english.births import (
    AGES_BEFORE,
    OLDEST,
    ages,
    ages_by_years,
    are_together,
    born_by,
    in_years,
    is_in_months,
    lone_years,
    lone_years_of,
    may_be_age,
    sentence_of,
    told_as_birth,
    years_passed,
)
from sfumato.english.dates import day_first
from sfumato.facts.fact import Fact
from sfumato.facts.implication import labelled
from sfumato.facts.understanding import understand_records
from sfumato.facts.values import AGE, Amount, Days, Place, Value, readings
from sfumato.kinds import rule_chain
from sfumato.know.taxonomy import calendar
from sfumato.policy import Policy

Span = tuple[int, int]
_RANGE = re.compile(r"(\d{1,3})\s?(?:[-–]|to|and)\s?(\d{1,3})(?!\d)")
_OPEN = re.compile(r"(\d{1,3})(?:\+|[ -]or[ -](?:older|more))")
_OPEN_TO = 10  # ages that are left open where an age is hidden altogether
_MOST_DATES = (
    256  # pairs of dates, for each age, that two ages are looked at with: beyond, ages are hidden
)
_MOST_PAIRS = 1 << 16  # of births, ages and events that are looked at: beyond, births are hidden
_TO = re.compile(r"\s?[-–—]\s?[\dJFMASOND]")
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_GROWN = 5  # years: visits lie a few apart though nobody was born at the first
_WIDEST = {"day": 0, "month": 30, "year": 365}  # what is told as one is a range where it is longer
_WHY = "with another date it would tell an age that is hidden"


def births_among(text: str, dates: Iterable[Fact]) -> list[Fact]:
    """The dates that are told as births.

    >>> from sfumato.document import Term
    >>> from sfumato.facts.understanding import understand
    >>> note = "Admitted in May 2019, was born in 1985."
    >>> facts = understand(note, [Term(12, 20, "DATE", 1, ""), Term(34, 38, "DATE", 1, "")])
    >>> [note[f.mentions[0].start :][:4] for f in births_among(note, facts)]
    ['1985']
    """
    return [f for f in dates if any(told_as_birth(text, m.start) for m in f.mentions)]


# Ages that are hidden


@dataclass(frozen=True, slots=True)
class _Hidden:
    """An age that is hidden: what it was, between which ones it is shown, how many must be left, and whether
    its own words say that it is one."""

    was: int
    shown: Span
    least: int
    is_certain: bool

    def is_told_by(self, born: Span, event: Span) -> bool:
        """Whether two dates leave too few of the ages that are shown."""
        low, high = ages(born, event)
        return min(high, self.shown[1]) - max(low, self.shown[0]) + 1 < self.least


def without_ages(
    edits: Sequence[Edit], document: Document, terms: Sequence[Term], policy: Policy
) -> list[Edit]:
    """The edits, with births told no finer than a hidden age that follows from them and another date. What
    lies an age before another date is taken for a birth, whatever it is called.

    >>> from sfumato.policy import load
    >>> note = Document("DOB 1969, aged 49, seen in 2019")
    >>> terms = [Term(4, 8, "DATE", 1, ""), Term(10, 17, "AGE", 1, ""), Term(27, 31, "DATE", 1, "")]
    >>> made = without_ages([Edit(10, 17, "AGE", "aged 40-49", "", "bucket")], note, terms, load("gdpr"))
    >>> [e.replacement for e in made]
    ['1969–1979', 'aged 40-49']
    """
    text = document.text
    by_place = {_place(e, text): e for e in edits}
    kinds = {e.kind for e in edits if e.hides}
    births = {t.start for t in terms if _is_date(t) and told_as_birth(text, t.start)}
    gone = {start for (start, _), e in by_place.items() if start in births and _is_gone(e)}
    if "AGE" not in kinds and ("QUANTITY" not in kinds or not births) and not gone:
        return list(edits)
    edited, apart = Spans(by_place), {at: years for at, _, _, years in ages_by_years(text)}
    for facts in understand_records(document, terms):
        is_birth_gone = gone and any(m.start in gone for f in facts for m in f.mentions)
        if is_birth_gone or any(True for f in facts for _ in _hidden_ages(f, by_place)):
            life = _Life(facts, document, by_place, policy)
            for birth in life.dates:
                life.widen(birth, births)
            for number in facts:
                life.hide_number(number, gone, edited, apart)
            life.hide_later_ages(facts, edited)
    return sorted(by_place.values(), key=lambda e: e.start)


class _Life:
    """The dates of one record, and the ages that are hidden in it."""

    def __init__(
        self, facts: Iterable[Fact], document: Document, edits: dict[Span, Edit], policy: Policy
    ) -> None:
        self.text, self.edits, self.policy = document.text, edits, policy
        self.order = day_first(document.text)
        self.hidden = list(dict.fromkeys(h for f in facts for h in _hidden_ages(f, edits)))
        self.grown = {age.was for age in self.hidden if age.is_certain and age.was >= _GROWN}
        dates = [f for f in facts if _is_date(f.mentions[0])]
        self.told = {f.number: spans for f in dates if (spans := _told(f, self.text))}
        self.dates = [f for f in dates if f.number in self.told]
        self.mentions = {m.start: (m, f) for f in self.dates for m in f.mentions}
        self.places = sorted(self.mentions)
        self.lone = [*lone_years_of(document.text)]
        self.shown = dict[int, list[Span]]()
        self.left = _MOST_PAIRS
        self.by_year = defaultdict[int, dict[int, Fact]](dict)
        for fact in self.dates:
            for first, last in map(_years, self.told[fact.number]):
                for year in range(first, min(last, first + OLDEST) + 1):
                    self.by_year[year][fact.number] = fact

    def widen(self, birth: Fact, called: Collection[int]) -> None:
        """Tell a date in other words where it would tell an age, if it is called a birth in some place, or
        may be one."""
        if not (births := self._shown(birth)):
            return
        here = [self.edits.get((m.start, m.end)) for m in birth.mentions]
        is_counted = any(e is not None and FACT in e.numbers for e in here)
        is_called = any(m.start in called for m in birth.mentions)
        found = (
            (age, event)
            for age in self.hidden
            if is_called or (age.is_certain and age.was >= _GROWN and not is_counted)
            for event in self._events(age.was, self.told[birth.number])
            if age.was >= _GROWN or not all(m.start in called for m in event.mentions)
        )
        told = list[tuple[_Hidden, Fact]]()
        for each in found:
            told.append(each)
            if self.left < 0:
                break  # it is hidden, whatever else tells an age
        events = list(dict.fromkeys((age, span) for age, e in told for span in self._shown(e)))
        telling = [each for each in events if any(each[0].is_told_by(b, each[1]) for b in births)]
        if not (telling or (told and self.left < 0)):
            return
        wider = dict[Span, None]()
        if not is_counted and not _is_range(birth):
            decade = _years(births[0])[0] // 10 * 10
            wider = dict.fromkeys([*_wider(telling), (decade, decade + 9)])
            wider[min(a for a, _ in wider), max(b for _, b in wider)] = None
        if any(_TO.match(self.text, m.end) for m in birth.mentions):
            wider = {years: None for years in wider if _is_decade(years)}  # no "1939–1949–2019"
        chosen = next(
            (years for years in wider if not any(a.is_told_by(_ends(years), e) for a, e in events)),
            None,
        )
        for m, edit in zip(birth.mentions, here, strict=True):
            old = edit or Edit(m.start, m.end, m.kind, "", m.reason or "date", GENERALISE)
            self.edits[m.start, m.end] = (
                _in_years(old, chosen)
                if chosen and self.left >= 0
                else replace(labelled(old, self.policy, _WHY), numbers={})
            )
        self.shown.pop(birth.number, None)

    def hide_number(
        self, fact: Fact, gone: Collection[int], edited: Spans, apart: Mapping[int, set[int]]
    ) -> None:
        """Hide a number that stands where it tells a birth or an age with what stands beside it: "at 65 in
        2021", "ten years ago, at 82"."""
        number = _age_of(fact)
        for m in fact.mentions if _GROWN <= number <= OLDEST else ():
            if (m.start, m.end) in self.edits or not may_be_age(m.of(self.text)):
                continue
            passed = (
                years_passed(self.text, m.start, m.end)
                if m.kind == "AGE"
                else apart.get(m.start, set())
            )
            is_told = any(abs(age - number) in passed for age in self.grown)
            for told, shown in self._beside(m, edited) if not is_told else ():
                was, now = ([born_by(number, span) for span in spans] for spans in (told, shown))
                is_told = any(
                    age.is_told_by(*pair)
                    for age in self.hidden
                    if age.is_certain and age.was >= _GROWN
                    for event in self._events(age.was, was)
                    for pair in product(now, self._shown(event))
                ) or (any(map(_is_narrow, now)) and self._is_gone_birth(was, gone))
                if is_told:
                    break
            if is_told:
                old = Edit(m.start, m.end, "AGE", "", m.reason or "age", GENERALISE)
                self.edits[m.start, m.end] = labelled(old, self.policy, _WHY)

    def hide_later_ages(self, facts: Iterable[Fact], edited: Spans) -> None:
        """Hide an age that may be of the same person as one before it, where the bands of both, each at the
        dates beside it, leave less than half of one: 30-39 in 2014 and 40-49 in 2015."""
        shown = list[tuple[_Hidden, list[tuple[list[Span], list[Span]]]]]()
        mentions = [(m, f) for f in facts for m in f.mentions if m.kind == "AGE"]
        left = _MOST_DATES * len(mentions)
        for m, fact in sorted(mentions, key=lambda each: each[0].start):
            age = next(_hidden_ages(fact, self.edits), None)
            if age is None or not age.is_certain or age.shown == (0, OLDEST):
                continue
            dates = [*self._beside(m, edited)]
            before = shown[-AGES_BEFORE:]
            left -= len(dates) * sum(len(then) for _, then in before)
            if left < 0 or any(_tell(age, dates, *other) for other in before):
                for place in ((m.start, m.end) for m in fact.mentions):
                    if place in self.edits:
                        self.edits[place] = labelled(self.edits[place], self.policy, _WHY)
            elif dates:
                shown.append((age, dates))

    def _beside(self, number: Term, edited: Spans) -> Iterator[tuple[list[Span], list[Span]]]:
        """The dates beside a number, as they were and as they are shown: in the sentence of an age, or where
        there are none the ones before and behind it and the first of the text, close to another number."""
        where = (number.start, number.end)
        is_age = number.kind == "AGE"
        first, last = sentence_of(self.text, *where) if is_age else where
        at = bisect_right(self.places, number.start)
        near, own = self.places[max(0, at - 1) : at + 1], []
        if is_age:
            own = self.places[bisect_left(self.places, first) : bisect_right(self.places, last)]
            near = own or sorted({*near, *self.places[:1]})
        for place in near:
            other, day = self.mentions[place]
            if is_age or are_together(self.text, where, (other.start, other.end)):
                yield self.told[day.number], self._shown(day)
        lone = [*lone_years(self.text, *where)] if is_age else []
        if is_age and not own and not lone:  # "Clinic 2025": those around it, and the first one
            at = bisect_right(self.lone, where)
            lone = sorted({*self.lone[max(0, at - 1) : at + 1], *self.lone[:1]})
        for begin, end in lone:
            if begin not in self.mentions and not edited.touch(begin, end):
                year = int(self.text[begin:end])
                yield [_ends((year, year))], [_ends((year, year))]

    def _is_gone_birth(self, births: Sequence[Span], gone: Collection[int]) -> bool:
        """Whether one of some births is one that is hidden altogether."""
        hidden = (
            span
            for place in gone
            if place in self.mentions
            for span in self.told[self.mentions[place][1].number]
        )
        return _meet(births, hidden)

    def _events(self, age: int, births: Sequence[Span]) -> Iterator[Fact]:
        """The dates at which somebody has an age who was born at a time."""
        years = {
            year
            for first, last in map(_years, births)
            for year in range(first + age, min(last, first + OLDEST) + age + 2)
        }
        near = [some for year in years if (some := self.by_year.get(year))]
        self.left -= sum(map(len, near))
        if self.left < 0:  # there are too many to tell which
            yield from (next(iter(some.values())) for some in near[:1])
            return
        for event in {n: fact for some in near for n, fact in some.items()}.values():
            pairs = product(births, self.told[event.number])
            if any(low <= age <= high for low, high in starmap(ages, pairs)):
                yield event

    def _shown(self, fact: Fact) -> list[Span]:
        """When a fact is, by what its mentions become; the number of a label ("[DATE 2011]") is no year."""
        if fact.number not in self.shown:
            made = ((self.edits.get((m.start, m.end)), m) for m in fact.mentions)
            found: dict[Span, None] = {}
            told = (
                e.replacement if e else m.of(self.text) for e, m in made if not (e and _is_gone(e))
            )
            for words in dict.fromkeys(told):
                read = readings(words, "DATE", day_first=self.order, places=_nowhere)
                found |= dict.fromkeys(_spans(read, words, split=_is_range(fact)))
            self.shown[fact.number] = list(found)
        return self.shown[fact.number]


def _tell(
    one: _Hidden,
    at: Iterable[tuple[list[Span], list[Span]]],
    other: _Hidden,
    then: Iterable[tuple[list[Span], list[Span]]],
) -> bool:
    """Whether two ages, at the dates beside them as they were and as they are shown, may be of one person and
    leave less than half of what is shown of either."""
    for (was, now), (was_then, now_then) in product(at, then):
        born = product(
            (born_by(one.was, e) for e in was), (born_by(other.was, e) for e in was_then)
        )
        if any(a <= d and c <= b for (a, b), (c, d) in born) and any(
            leave_few(one.shown, now_one, other.shown, now_other)
            for now_one, now_other in product(now, now_then)
        ):
            return True
    return False


def leave_few(one: Span, at: Span, other: Span, then: Span) -> bool:
    """Whether less than half of the ages of a band is left to somebody whose age is in it within some days
    and in another band within others.

    >>> y2014, y2015, y2024 = (_ends((year, year)) for year in (2014, 2015, 2024))
    >>> leave_few((30, 39), y2014, (40, 49), y2015), leave_few((30, 39), y2014, (40, 49), y2024)
    (True, False)
    """
    for band, event, others, time in ((one, at, other, then), (other, then, one, at)):
        first, last = born_by(others[1], time)[0], born_by(others[0], time)[1]
        births = (born_by(age, event) for age in range(band[0], band[1] + 1))
        left = sum(a <= last and first <= b for a, b in births)
        if 2 * left < min(band[1] - band[0] + 1, _OPEN_TO):
            return True
    return False


def _told(fact: Fact, text: str) -> list[Span]:
    """When a date may be; of a range ("1945–2019") both ends."""
    return _spans(fact.readings, fact.mentions[0].of(text), split=True)


def _spans(read: Sequence[Value], words: str, *, split: bool) -> list[Span]:
    """The spans of what was read; where nothing was ("Q2 1961"), the year that the words tell."""
    if found := [v for v in read if isinstance(v, Days)]:
        return [span for v in found for span in (_split(v) if split else [(v.first, v.last)])]
    return [_ends((int(year), int(year))) for year in _YEAR.findall(words)]


def _is_range(fact: Fact) -> bool:
    return any(isinstance(v, Days) and len(_split(v)) > 1 for v in fact.readings)


def _split(value: Days) -> list[Span]:
    wide = _WIDEST.get(value.level, value.last)
    if value.last - value.first <= wide:
        return [(value.first, value.last)]
    return [(value.first, value.first + wide), (value.last - wide, value.last)]


def _is_gone(edit: Edit) -> bool:
    """Whether nothing is told of a date."""
    is_label = edit.how == "label" and edit.replacement[:1] in ("[", "<", "{")
    return edit.hides and (is_label or not re.search(r"\d{3}", edit.replacement))


def _meet(some: Iterable[Span], others: Iterable[Span]) -> bool:
    return any(a <= last and first <= b for (first, last), (a, b) in product(some, others))


def _is_narrow(births: Span) -> bool:
    return births[1] - births[0] < _OPEN_TO * 365


def _place(edit: Edit, text: str) -> Span:
    """Where the words stand that an edit replaces: what is removed goes with a space beside it."""
    said = text[edit.start : edit.end]
    words = said.strip()
    start = edit.start + said.find(words)
    return (start, start + len(words)) if words else (edit.start, edit.end)


def _is_date(term: Term) -> bool:
    return "DATE" in rule_chain(term.kind) and term.kind != "TIME"


def _age_of(fact: Fact) -> int:
    """The age that a fact tells, in full years; -1 of what is none."""
    found = (
        in_years(int(v.number), v.unit)
        for v in fact.readings
        if isinstance(v, Amount)
        and (v.unit == AGE or (fact.kind == "AGE" and is_in_months(v.unit)))
    )
    return next(found, -1)


def _nowhere(_: str) -> Iterator[Place]:
    return iter(())


def _hidden_ages(fact: Fact, edits: Mapping[Span, Edit]) -> Iterator[_Hidden]:
    was = _age_of(fact)
    made = (e for m in fact.mentions if (e := edits.get((m.start, m.end))) and e.hides)
    for edit in made if 0 <= was <= OLDEST else ():
        if FACT in edit.numbers:
            continue
        is_certain = edit.kind == "AGE"
        if any(isinstance(v, Amount) and is_in_months(v.unit) for v in fact.readings):
            yield _Hidden(was, (0, _OPEN_TO - 1), _OPEN_TO, is_certain)
            continue
        found, above = _RANGE.search(edit.replacement), _OPEN.search(edit.replacement)
        if found and int(found[1]) < int(found[2]):
            low, high = int(found[1]), int(found[2])
            is_policys = is_certain and high - low < _OPEN_TO * 2
            least = high - low + 1 if is_policys else _OPEN_TO
            yield _Hidden(was, (low, high), least, is_certain)
        elif above:
            yield _Hidden(was, (int(above[1]), OLDEST), _OPEN_TO, is_certain)
        elif "[" in edit.replacement or {*fact.readings}.isdisjoint(
            readings(edit.replacement, "AGE", day_first=None, places=_nowhere)
        ):
            yield _Hidden(was, (0, OLDEST), _OPEN_TO, is_certain)


def _wider(telling: Sequence[tuple[_Hidden, Span]]) -> Iterator[Span]:
    """The years in which somebody was born who has an age that is shown, at an event."""
    for age, event in telling:
        if age.shown[1] - age.shown[0] < _OPEN_TO * 2 or age.shown[1] == OLDEST > age.shown[0] > 0:
            first, last = _years(event)
            yield first - age.shown[1] - 1, last - age.shown[0]


def _in_years(edit: Edit, years: Span) -> Edit:
    first, last = years
    return replace(
        edit,
        replacement=f"{first}s" if _is_decade(years) else f"{first}–{last}",
        how=GENERALISE,
        concept=calendar.decade(first) if _is_decade(years) else "",
        alternatives=(),
        reason=f"{edit.reason}; {_WHY}",
    )


def _is_decade(years: Span) -> bool:
    return years[0] % 10 == 0 and years[1] == years[0] + 9


def _years(span: Span) -> Span:
    return date.fromordinal(span[0]).year, date.fromordinal(span[1]).year


def _ends(years: Span) -> Span:
    return date(years[0], 1, 1).toordinal(), date(years[1], 12, 31).toordinal()
