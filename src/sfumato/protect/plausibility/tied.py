"""Which facts pay for t: none that something else which the release tells could tie.

Nobody can list all the ways in which one value tells another: what lies between two dates, sums, shares, an
age at an earlier time. So a date, an age or an amount counts only where nothing stands in the text that is of
its dimension. Dates and ages are counted with each other, in whatever order; amounts are not: one counts if
it is the only one. A place counts where neither a currency nor a language tells of a country.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from sfumato.detect.keeper import Keeper
from sfumato.document import FACT, Edit, Term
from sfumato.english.births import may_be_age
from sfumato.english.ties import (
    BLANK,
    numbers_told,
    time_is_told,
    words_of_lands,
    words_of_time,
)
from sfumato.facts.durations import telling_durations
from sfumato.kinds import rule_chain
from sfumato.policy import Policy
from sfumato.protect.plausibility.ranges import LEVELS

TIMES = frozenset({*LEVELS, "age"})
NUMBERS = frozenset({"amount", "money"})


@dataclass(frozen=True, slots=True)
class Tied:
    """Of which dimensions something stands in a text beside the facts that are counted."""

    times: bool = False
    numbers: bool = False
    places: bool = False

    def holds(self, sort: str, said: str) -> bool:
        """Whether a fact of a sort counts for nothing. A bare number may be an age."""
        if sort in TIMES:
            return self.times
        if sort in NUMBERS:
            return self.numbers or (self.times and may_be_age(said))
        return sort == "place" and self.places


class NotKept:
    """Of terms of a text those that the policy does not let stand."""

    def __init__(self, policy: Policy) -> None:
        self._policy, self._keeper = policy, Keeper(policy)

    def __call__(self, text: str, terms: Iterable[Term]) -> Iterable[Term]:
        kept = self._keeper.spans(text)
        for term in terms:
            at = bisect_right(kept, term.start, key=itemgetter(0)) - 1
            stays = at >= 0 and term.end <= kept[at][1]
            if not stays and not self._policy.keeps(term.kind):
                yield term


def tied_by(
    text: str,
    facts: Iterable[tuple[str, Sequence[Term]]],
    others: Sequence[Edit],
    hidden: Callable[[str, Iterable[Term]], Iterable[Term]] = lambda _, terms: terms,
) -> Tied:
    """What ties facts, each with its sort and its mentions, in a text with the edits of others. What would
    tell one of several by another is `hidden` once they are counted, but for what the policy keeps."""
    facts = list(facts)
    times, numbers, places = (
        sum(sort in sorts for sort, _ in facts) for sorts in (TIMES, NUMBERS, ("place",))
    )
    if not (times or numbers or places):
        return Tied()
    ours = [
        Edit(m.start, m.end, m.kind, BLANK, "", numbers={FACT: float(number)})
        for number, (_, mentions) in enumerate(facts, 1)
        for m in mentions
    ]
    made = sorted([*others, *ours], key=lambda e: e.start)
    telling = hidden(text, telling_durations(text, made))
    soon = [Edit(t.start, t.end, t.kind, BLANK, "") for t in telling]
    stands = _standing(text, sorted([*made, *soon], key=lambda e: e.start))
    money = " ".join(m.of(text) for sort, ms in facts if sort in NUMBERS for m in ms)
    return Tied(
        bool(times or numbers) and time_is_told(stands, times > 1),
        numbers > 1 or (numbers == 1 and any(True for _ in numbers_told(stands))),
        bool(places) and any(True for _ in words_of_lands(f"{stands} {money}")),
    )


def telling_words(text: str, terms: Iterable[Term]) -> Iterator[tuple[int, int]]:
    """Where words stand that tell of a time or a country: no nouns that count beside what was found."""
    kinds = {name for kind in {t.kind for t in terms} for name in rule_chain(kind)}
    if kinds & {"DATE", "AGE"}:
        yield from words_of_time(text)
    if kinds & {"LOC", "DEM"}:
        yield from words_of_lands(text)


def _standing(text: str, edits: Iterable[Edit]) -> str:
    """What is told outside labels and softened facts."""
    pieces, at = list[str](), 0
    for edit in edits:
        is_blank = edit.how == "label" or FACT in edit.numbers
        pieces += [text[at : edit.start], BLANK if is_blank else edit.replacement]
        at = max(at, edit.end)
    return "".join([*pieces, text[at:]])
