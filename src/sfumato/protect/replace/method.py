"""What a replacement method is: from a term to what stands in its place, with the whole document in view.

A method is made once for a document, from its options and the `Overview`, and called for every term whose
kind it is the policy's rule for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from sfumato.document import Document, Term
from sfumato.english.dates import day_first, year_of
from sfumato.english.folding import folded_words, normal_form
from sfumato.facts.fact import Fact
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


Method = Callable[[Term, str], Replacement | Unfit]  # of a term and its original words


class Overview:
    """What a document as a whole tells about its terms, and what the run lends: policy, key, vault."""

    def __init__(self, document: Document, terms: Sequence[Term], run: Run) -> None:
        self.document, self.terms, self.run = document, terms, run

    def originals(self, kind: str) -> list[str]:
        """The words of the terms of a kind, in order."""
        return [t.of(self.document.text) for t in self.terms if t.kind == kind]

    @cached_property
    def facts(self) -> dict[tuple[int, int], Fact]:
        """The fact that each term tells, by its place."""
        found = understand_records(self.document, self.terms)
        return {(m.start, m.end): fact for facts in found for fact in facts for m in fact.mentions}

    def known_as(self, term: Term) -> str:
        """The words for what a term tells, the same for all its mentions: of a place its name in the table,
        of persons and organisations the fullest mention; else the term's own."""
        fact = self.facts.get((term.start, term.end))
        text, value = self.document.text, fact.value if fact else None
        if fact and isinstance(value, Place):
            named = places.default().written(value.node)
            likeliest = places.default().senses(named)[:1]
            # of two towns of one name the less known has its number with it
            return named if [s.key for s in likeliest] == [value.node] else f"{named} {value.node}"
        if fact and isinstance(value, Name):
            said = (" ".join(m.of(text).split()) for m in fact.mentions)
            return next(
                (words for words in said if normal_form(words) == value.words), term.of(text)
            )
        return term.of(text)

    @cached_property
    def day_first(self) -> bool | None:
        """Whether 3/4 is in April, if the document's other dates tell, or one that is told in words, too."""
        told = day_first(self.document.text)
        own = (self._own_order(t) for t in self.terms) if told is None else ()
        return next((order for order in own if order is not None), told)

    def day_first_in(self, term: Term) -> bool | None:
        """Whether a date has its day first: as its fact tells, else as the document's dates do."""
        own = self._own_order(term)
        return self.day_first if own is None else own

    def _own_order(self, term: Term) -> bool | None:
        fact = self.facts.get((term.start, term.end)) if may_be_date(term.kind) else None
        if fact is None or len(fact.mentions) == 1:
            return None
        words = term.of(self.document.text)
        fits = [order for order in (True, False) if fact.value in [*days(words, order)]]
        return fits[0] if len(fits) == 1 else None

    @cached_property
    def dates(self) -> list[str]:
        """The different dates, as they are written."""
        return sorted(set(self.originals("DATE")))

    @cached_property
    def usual_year(self) -> int | None:
        """The year of most dates."""
        years = [y for d in self.dates if (y := year_of(d, dayfirst=self.day_first))]
        return max(sorted(set(years)), key=years.count, default=None)

    def year_near(self, term: Term) -> int | None:
        """The year that a date without one is taken for: that of the same day in full, else the usual one."""
        fact = self.facts.get((term.start, term.end))
        return self._years.get(fact.value, self.usual_year) if fact else self.usual_year

    @cached_property
    def _years(self) -> dict[Value, int]:
        """The year of each day that is told in full, by what is said of it without one."""
        told = (
            date.fromordinal(f.value.first)
            for f in self.facts.values()
            if isinstance(f.value, Days) and f.value.level == "day"
        )
        return {DayOfYear(day.month, day.day): day.year for day in told}

    @cached_property
    def hidden(self) -> frozenset[str]:
        """The words of every original; numbers of fewer than four digits stand everywhere."""
        originals = (folded_words(t.of(self.document.text)) for t in self.terms)
        joined = (" ".join(words) for words in originals)
        return frozenset(o for o in joined if o and not (o.isdecimal() and len(o) < 4))

    def shows_hidden(self, text: str) -> bool:
        """Whether a text holds, as whole words, what the document hides."""
        words = folded_words(text)[:20]
        ends = range(1, len(words) + 1)
        return any(" ".join(words[a:b]) in self.hidden for b in ends for a in range(b))


def may_be_date(kind: str) -> bool:
    """Whether terms of a kind are dates, or may be for all one knows."""
    return kind not in KINDS or ("DATE" in rule_chain(kind) and kind != "TIME")


def others(made: str, forms: Iterable[str | None]) -> tuple[str, ...]:
    """Other forms that could have been chosen, each once."""
    return tuple(dict.fromkeys(f for f in forms if f is not None and f != made))
