"""What a replacement method is: from a term to what stands in its place, with the whole document in view.

A method is made once for a document, from its options and the `Overview`, and called for every term whose
kind it is the policy's rule for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TypeGuard

from sfumato.document import Document, Term
from sfumato.english.dates import day_first, is_ambiguous, year_of
from sfumato.english.folding import folded_words, normal_form, plain_letters
from sfumato.facts.fact import Fact, Facts
from sfumato.facts.mentions import LEAST_PART
from sfumato.facts.persons import core
from sfumato.facts.understanding import understand_records
from sfumato.facts.values import DayOfYear, Days, Name, Place, Value, days
from sfumato.kinds import KINDS, rule_chain
from sfumato.know.taxonomy import places
from sfumato.protect import Run


@dataclass(frozen=True, slots=True)
class Replacement:
    """What stands in a term's place, why, what else could, and the concept behind it. One that `may_stay` is
    coarse enough even if it reads like the original; any other one that does makes way for a label."""

    text: str
    why: str
    alternatives: tuple[str, ...] = ()
    concept: str = ""
    may_stay: bool = False


@dataclass(frozen=True, slots=True)
class Unfit:
    """Why a method cannot hide a term: it gets a label instead, as what is to be hidden never stays."""

    why: str


# Countries that do not put the day first, or do both.
_DAY_FIRST = {"United States": False, "Canada": None, "Philippines": None}
_LONGEST = 60  # letters of a word that is looked into

Method = Callable[[Term, str], Replacement | Unfit]  # of a term and its original words


class Overview:
    """What a document as a whole tells about its terms, and what the run lends: policy, key, vault."""

    def __init__(self, document: Document, terms: Sequence[Term], run: Run) -> None:
        self.document, self.terms, self.run = document, terms, run

    @cached_property
    def facts(self) -> list[Facts]:
        """What the terms tell, of each record."""
        return list(understand_records(self.document, self.terms))

    @cached_property
    def _told(self) -> dict[tuple[int, int], tuple[Fact, str]]:
        """The fact that each term tells, and what it is known as: a place by its name in the table, whatever
        has a name by its fullest mention, a user name or an address by its owner's."""
        made: dict[tuple[int, int], tuple[Fact, str]] = {}
        for facts in self.facts:
            owners = {f.number: self._called(f) for f in facts if f.kind == "PERSON"}
            for fact in facts:
                owned = fact.kind in ("USERNAME", "EMAIL")
                known = fact, owners.get(fact.belongs_to, "") if owned else self._called(fact)
                made |= dict.fromkeys(((m.start, m.end) for m in fact.mentions), known)
        return made

    def _called(self, fact: Fact) -> str:
        if isinstance(fact.value, Place):
            named = (table := places.default()).written(node := fact.value.node)
            likeliest = [sense.key for sense in table.senses(named)[:1]]
            return named if likeliest == [node] else f"{named} {node}"  # of two of one name
        said = sorted({" ".join(m.of(self.document.text).split()) for m in fact.mentions})
        return max(said, key=_fullness if fact.kind == "PERSON" else len)

    def fact(self, term: Term) -> Fact | None:
        """The fact that a term of the document tells."""
        return self._told.get((term.start, term.end), (None, ""))[0]

    def name(self, term: Term) -> str:
        """What the thing is known as that a term tells of, the same for all its mentions."""
        return self._told.get((term.start, term.end), (None, ""))[1]

    def identity(self, term: Term) -> str:
        """One wording for all mentions of what a term tells."""
        fact = self.fact(term)
        if fact and isinstance(fact.value, Name) and fact.kind not in ("PERSON", "ORG"):
            return fact.value.words
        if fact and not isinstance(fact.value, Name | Place):
            return str(fact.value)
        return normal_form(self.name(term) or term.of(self.document.text))

    @property
    def persons(self) -> list[list[str]]:
        """The names of the persons that are told of, of each record."""
        return [
            [self.name(f.mentions[0]) for f in facts if f.kind == "PERSON"] for facts in self.facts
        ]

    @property
    def person_mentions(self) -> dict[str, list[Term]]:
        """Where each person is told of, by what he or she is known as."""
        made: dict[str, list[Term]] = {}
        for fact in (f for facts in self.facts for f in facts if f.kind == "PERSON"):
            made.setdefault(self.name(fact.mentions[0]), []).extend(fact.mentions)
        return made

    @cached_property
    def day_first(self) -> bool | None:
        """Whether 3/4 is in April: as the policy says, else as the document's other dates tell, one that is
        told in words, too, or its places."""
        if self.run.policy.date_order is not None:
            return self.run.policy.date_order == "day first"
        told = day_first(self.document.text)
        own = (self._own_order(t) for t in self.terms) if told is None else ()
        order = next((order for order in own if order is not None), told)
        return self._order_of_places if order is None else order

    @cached_property
    def _order_of_places(self) -> bool | None:
        table = places.default()
        nodes = {f.value.node for facts in self.facts for f in facts if isinstance(f.value, Place)}
        lands = {n for node in nodes for n in (node, *table.above(node)) if table.is_country(n)}
        orders = {_DAY_FIRST.get(table.written(land), True) for land in lands}
        return orders.pop() if len(orders) == 1 else None

    def day_first_in(self, term: Term) -> bool | None:
        """Whether a date has its day first: as its fact tells, else as the document's dates do."""
        own = self._own_order(term) if self.run.policy.date_order is None else None
        return self.day_first if own is None else own

    def is_ambiguous(self, term: Term) -> bool:
        """Whether nothing tells the day of a date from its month."""
        said = term.of(self.document.text)
        return is_ambiguous(said) and self.day_first_in(term) is None

    def _own_order(self, term: Term) -> bool | None:
        """The order in which a date is a day that is told in another way as well."""
        words = term.of(self.document.text)
        if not may_be_date(term.kind) or any(map(str.isalpha, words)):
            return None  # a month in letters has no order
        read = {
            order: {v.first for v in days(words, order) if is_day(v)} for order in (True, False)
        }
        fits = [order for order, found in read.items() if found & self._days_told]
        return fits[0] if len(fits) == 1 else None

    @cached_property
    def _days_told(self) -> set[int]:
        """The days that can be read in one way only, and the ends of such spans of days."""
        sure = (f.value for facts in self.facts for f in facts if len(f.readings) == 1)
        return {end for value in sure if is_day(value) for end in (value.first, value.last)}

    @cached_property
    def dates(self) -> list[str]:
        """The different dates, as they are written."""
        return sorted({t.of(self.document.text) for t in self.terms if t.kind == "DATE"})

    @cached_property
    def days(self) -> list[date]:
        """The days that are told in full, in order."""
        told = (value for facts in self.facts for f in facts for value in f.readings[:1])
        ends = (end for v in told if is_day(v) for end in (v.first, v.last))
        return sorted(map(date.fromordinal, {*ends}))

    @cached_property
    def usual_year(self) -> int | None:
        """The year of most dates."""
        years = [y for d in self.dates if (y := year_of(d, dayfirst=self.day_first))]
        return max(sorted(set(years)), key=years.count, default=None)

    def year_near(self, term: Term) -> int | None:
        """The year that a date without one is taken for: that of the same day in full, else the usual one."""
        fact = self.fact(term)
        return self._years.get(fact.value, self.usual_year) if fact else self.usual_year

    @cached_property
    def _years(self) -> dict[Value, int]:
        """The year of each day that is told in full, by what is said of it without one."""
        values = (fact.value for facts in self.facts for fact in facts)
        full = map(date.fromordinal, (value.first for value in values if is_day(value)))
        return {DayOfYear(day.month, day.day): day.year for day in full}

    @cached_property
    def hidden(self) -> frozenset[str]:
        """The words of every original; numbers of fewer than four digits stand everywhere."""
        originals = (folded_words(t.of(self.document.text)) for t in self.terms)
        joined = (" ".join(words) for words in originals)
        return frozenset(o for o in joined if o and not (o.isdecimal() and len(o) < 4))

    @cached_property
    def _name_words(self) -> frozenset[str]:
        """The words of the names of persons and places that are long enough to tell them inside others."""
        named = (t.of(self.document.text) for t in self.terms if t.kind in ("PERSON", "LOC"))
        words = (w for said in named for w in plain_letters(said).split(" "))
        return frozenset(w for w in words if len(w) >= LEAST_PART)

    def tells_name(self, text: str) -> bool:
        """Whether a word of a text holds a hidden name, or a part of one: "Stonethorpe" tells of Stone."""
        runs = (run[:_LONGEST] for run in plain_letters(text).split(" "))
        return any(
            run[a:b] in self._name_words
            for run in runs
            for b in range(LEAST_PART, len(run) + 1)
            for a in range(b - LEAST_PART + 1)
        )

    def shows_hidden(self, text: str) -> bool:
        """Whether a text holds, as whole words, what the document hides."""
        words = folded_words(text)[:20]
        ends = range(1, len(words) + 1)
        return any(" ".join(words[a:b]) in self.hidden for b in ends for a in range(b))


def _fullness(name: str) -> tuple[int, int, bool, int]:
    """How much of a person's name is told: the more words, the fewer initials, the more of its accents."""
    letters = [len(word) for word in core(name)]
    return sum(n > 1 for n in letters), -letters.count(1), not name.isascii(), len(name)


def is_day(value: Value) -> TypeGuard[Days]:
    """Whether a value is a day, or a span of days."""
    return isinstance(value, Days) and value.level == "day"


def may_be_date(kind: str) -> bool:
    """Whether terms of a kind are dates, or may be for all one knows."""
    return kind not in KINDS or ("DATE" in rule_chain(kind) and kind != "TIME")


def others(made: str, forms: Iterable[str | None]) -> tuple[str, ...]:
    """Other forms that could have been chosen, each once."""
    return tuple(dict.fromkeys(f for f in forms if f is not None and f != made))
