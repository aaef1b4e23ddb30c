"""The dates of a life: which date of a text is the birth, which one the event that the text is about.

Whoever knows both can reckon an age. Both are told by the words around a date and by its place in the text,
never by its value: another date in the same place would be taken alike. Where an age is hidden that follows
from two dates, birth, age and event get one decision: the birth is told no finer than the age.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import product

from sfumato.document import GENERALISE, Document, Edit, Term
from sfumato.english.births import OLDEST, ages, told_as_birth
from sfumato.english.dates import day_first
from sfumato.facts.fact import Fact
from sfumato.facts.implication import labelled
from sfumato.facts.understanding import understand_records
from sfumato.facts.values import AGE, Amount, Days, Value, readings
from sfumato.kinds import rule_chain
from sfumato.know.taxonomy import calendar
from sfumato.policy import Policy

Span = tuple[int, int]
_RANGE = re.compile(r"(\d{1,3})\s?(?:[-–]|to|and)\s?(\d{1,3})(?!\d)")
_OPEN = re.compile(r"(\d{1,3})(?:\+|[ -]or[ -](?:older|more))")
_OPEN_TO = 10  # ages that are left open where an age is hidden altogether
_MOST_PAIRS = 1 << 14  # of births, events and ages that are looked at: beyond, births are hidden
_COUNTED = (
    "fact"  # the number of an edit whose values are counted together with those of the others
)
_WHY = "with another date it would tell an age that is hidden"


def birth_and_event(text: str, facts: Iterable[Fact]) -> tuple[Fact, Fact] | None:
    """The date that is told as a birth, if there is exactly one, and the first other date.

    >>> from sfumato.document import Term
    >>> from sfumato.facts.understanding import understand
    >>> note = "Admitted in May 2019, was born in 1985."
    >>> facts = understand(note, [Term(12, 20, "DATE", 1, ""), Term(34, 38, "DATE", 1, "")])
    >>> [note[f.mentions[0].start :][:4] for f in birth_and_event(note, facts)]
    ['1985', 'May ']
    """
    dates = [f for f in facts if isinstance(f.value, Days)]
    births = [f for f in dates if any(told_as_birth(text, m.start) for m in f.mentions)]
    others = [f for f in dates if f not in births]
    return (births[0], others[0]) if len(births) == 1 and others else None


# Ages that are hidden


@dataclass(frozen=True, slots=True)
class _Hidden:
    """An age that is hidden: what it was, between which ones it is shown, and how many must be left."""

    was: int
    shown: Span
    least: int

    def is_told_by(self, born: Span, event: Span) -> bool:
        """Whether two dates leave too few of the ages that are shown."""
        low, high = ages(born, event)
        return min(high, self.shown[1]) - max(low, self.shown[0]) + 1 < self.least


def without_ages(
    edits: Sequence[Edit], document: Document, terms: Sequence[Term], policy: Policy
) -> list[Edit]:
    """The edits, with births told no finer than a hidden age that follows from them and another date.

    >>> from sfumato.policy import load
    >>> note = Document("DOB 1969, aged 49, seen in 2019")
    >>> terms = [Term(4, 8, "DATE", 1, ""), Term(10, 17, "AGE", 1, ""), Term(27, 31, "DATE", 1, "")]
    >>> made = without_ages([Edit(10, 17, "AGE", "aged 40-49", "", "bucket")], note, terms, load("gdpr"))
    >>> [e.replacement for e in made]
    ['1969–1979', 'aged 40-49']
    """
    text = document.text
    by_place = {_place(e, text): e for e in edits}
    if not any(e.kind in ("AGE", "QUANTITY") and e.hides for e in edits):
        return list(edits)
    births = {t.start for t in terms if _is_date(t) and told_as_birth(text, t.start)}
    for facts in understand_records(document, terms) if births else ():
        dates = [f for f in facts if isinstance(f.value, Days) and _is_date(f.mentions[0])]
        born = [f for f in dates if any(m.start in births for m in f.mentions)]
        others = [f for f in dates if any(m.start not in births for m in f.mentions)]
        hidden = list(dict.fromkeys(h for f in facts for h in _hidden_ages(f, by_place)))
        many = len(born) * len(others) * len(hidden) > _MOST_PAIRS
        for birth in born:
            told = [
                (age, event)
                for age, event in product(hidden, others if not many else ())
                if any(_follows(age.was, b, e) for b in birth.readings for e in event.readings)
            ]
            if many or told:
                _widen(birth, told, document, by_place, policy)
    return sorted(by_place.values(), key=lambda e: e.start)


def _place(edit: Edit, text: str) -> Span:
    """Where the words stand that an edit replaces: what is removed goes with a space beside it."""
    said = text[edit.start : edit.end]
    words = said.strip()
    start = edit.start + said.find(words)
    return (start, start + len(words)) if words else (edit.start, edit.end)


def _is_date(term: Term) -> bool:
    return "DATE" in rule_chain(term.kind) and term.kind != "TIME"


def _follows(age: int, born: Value, event: Value) -> bool:
    if not isinstance(born, Days) or not isinstance(event, Days):
        return False
    low, high = ages((born.first, born.last), (event.first, event.last))
    return low <= age <= high


def _hidden_ages(fact: Fact, edits: dict[Span, Edit]) -> Iterator[_Hidden]:
    was = next(
        (int(v.number) for v in fact.readings if isinstance(v, Amount) and v.unit == AGE), -1
    )
    made = [e for m in fact.mentions if (e := edits.get((m.start, m.end))) and e.hides]
    for edit in made if 0 <= was <= OLDEST else ():
        if _COUNTED in edit.numbers:
            continue
        found, above = _RANGE.search(edit.replacement), _OPEN.search(edit.replacement)
        if found and int(found[1]) < int(found[2]):
            low, high = int(found[1]), int(found[2])
            is_policys = edit.kind == "AGE" and high - low < _OPEN_TO * 2
            yield _Hidden(was, (low, high), high - low + 1 if is_policys else _OPEN_TO)
        elif above:
            yield _Hidden(was, (int(above[1]), OLDEST), _OPEN_TO)
        elif "[" in edit.replacement or not any(map(str.isdigit, edit.replacement)):
            yield _Hidden(was, (0, OLDEST), _OPEN_TO)


def _widen(
    birth: Fact,
    told: Sequence[tuple[_Hidden, Fact]],
    document: Document,
    edits: dict[Span, Edit],
    policy: Policy,
) -> None:
    """Tell a birth in other words where it would tell an age."""
    order = day_first(document.text)

    def shown(fact: Fact) -> list[Span]:
        """When a fact is, by what its mentions become."""
        made = ((edits.get((m.start, m.end)), m) for m in fact.mentions)
        found: dict[Span, None] = {}
        for words in dict.fromkeys(e.replacement if e else m.of(document.text) for e, m in made):
            read = readings(words, "DATE", day_first=order, places=lambda _: iter(()))
            found |= {(v.first, v.last): None for v in read if isinstance(v, Days)}
        return list(found)

    here = [edits.get((m.start, m.end)) for m in birth.mentions]
    births = shown(birth)
    if not births:
        return
    counted = any(e is not None and _COUNTED in e.numbers for e in here)
    spans = {id(event): shown(event) for event in {id(e): e for _, e in told}.values()}
    events = list(dict.fromkeys((age, span) for age, event in told for span in spans[id(event)]))
    telling = [each for each in events if any(each[0].is_told_by(b, each[1]) for b in births)]
    if told and not telling:
        return
    decade = _years(births[0])[0] // 10 * 10
    open_ = told and not counted
    wider = dict.fromkeys([*_wider(telling), (decade, decade + 9)] if open_ else [])
    chosen = next(
        (years for years in wider if not any(a.is_told_by(_ends(years), e) for a, e in events)),
        None,
    )
    for m, edit in zip(birth.mentions, here, strict=True):
        old = edit or Edit(m.start, m.end, m.kind, "", m.reason or "date", GENERALISE)
        if chosen is None:
            edits[m.start, m.end] = replace(labelled(old, policy, _WHY), numbers={})
            continue
        first, last = chosen
        is_decade = first % 10 == 0 and last == first + 9
        edits[m.start, m.end] = replace(
            old,
            replacement=f"{first}s" if is_decade else f"{first}–{last}",
            how=GENERALISE,
            concept=calendar.decade(first) if is_decade else "",
            alternatives=(),
            reason=f"{old.reason}; {_WHY}",
        )


def _wider(telling: Sequence[tuple[_Hidden, Span]]) -> Iterator[Span]:
    """The years in which somebody was born who has an age that is shown, at an event."""
    for age, event in telling:
        if age.shown[1] - age.shown[0] < _OPEN_TO * 2 or age.shown[1] == OLDEST > age.shown[0] > 0:
            first, last = _years(event)
            yield first - age.shown[1] - 1, last - age.shown[0]


def _years(span: Span) -> Span:
    return date.fromordinal(span[0]).year, date.fromordinal(span[1]).year


def _ends(years: Span) -> Span:
    return date(years[0], 1, 1).toordinal(), date(years[1], 12, 31).toordinal()
