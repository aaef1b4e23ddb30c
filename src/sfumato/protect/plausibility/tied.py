"""Which facts pay for t: none that something else which the release tells could tie.

Nobody can list all the ways in which one value tells another: what lies between two dates, sums, shares, how
far one town is from the next. So a date, an amount or a place counts only where it is the only one and
nothing stands in the text that is of its dimension: every word of it which WordNet has, every number, every
name. Several places count as one where all words that stand are known to tell no way. An age counts for
nothing, as whatever is told of somebody may tell it ("pregnant", "the soldier").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from sfumato.detect.keeper import Keeper
from sfumato.document import FACT, Edit, Spans, Term, changed
from sfumato.english.births import may_be_age
from sfumato.english.numbers import numbers_in_words
from sfumato.english.ties import (
    BLANK,
    amounts_told,
    lands_told,
    times_told,
    way_told,
    without_fields,
    words_of_lands,
    words_of_time,
)
from sfumato.facts.durations import telling_durations
from sfumato.kinds import rule_chain
from sfumato.know.taxonomy import nouns, sensitive, softening
from sfumato.know.taxonomy.telling import words_telling
from sfumato.policy import Policy
from sfumato.policy.labels import Labels
from sfumato.protect.labels import with_titles

TIMES = frozenset({"day", "day of year", "month", "year", "age"})
NUMBERS = frozenset({"amount", "money"})
MOST_PLACES = 3  # that count together


@dataclass(frozen=True, slots=True)
class Tied:
    """Of which dimensions something stands in a text beside the facts that are counted."""

    times: bool = False
    numbers: bool = False
    places: bool = False
    near: bool = False  # places count only if one may lie in the other, as it is near it then

    def holds(self, sort: str, said: str) -> bool:
        """Whether a fact of a sort counts for nothing. A bare number may be an age; a day of no year may be
        one of this year, which is not over."""
        if sort in TIMES:
            return self.times or sort in ("age", "day of year")
        if sort in NUMBERS:
            return self.numbers or _may_be_age(said)
        return sort == "place" and self.places


class Standing:
    """What stands under a policy: of terms it lets some stand, and beside its labels titles do."""

    def __init__(self, policy: Policy) -> None:
        self._policy, self._keeper, self._labels = policy, Keeper(policy), Labels(policy)

    def hidden(self, text: str, terms: Iterable[Term]) -> Iterator[Term]:
        """Of terms of a text those that do not stand."""
        kept = Spans(self._keeper.spans(text))
        for term in terms:
            if not (kept.holds(term.start, term.end) or self._policy.keeps(term.kind)):
                yield term

    def without_labels(self, words: str) -> str:
        """What is said beside labels, "Miss [PERSON]"."""
        return changed(words, ((start, end, BLANK) for start, end in self._labels.spans(words)))


def tied_by(
    text: str,
    facts: Iterable[tuple[str, Sequence[Term]]],
    others: Sequence[Edit],
    standing: Standing,
) -> Tied:
    """What ties facts, each with its sort and its mentions, in a text with the edits of others. What would
    tell one of several by another is hidden once they are counted, but for what the policy keeps."""
    facts = list(facts)
    numbers, places = (sum(sort in sorts for sort, _ in facts) for sorts in (NUMBERS, ("place",)))
    bare = (sort in NUMBERS and any(_may_be_age(m.of(text)) for m in ms) for sort, ms in facts)
    times = sum(sort in TIMES for sort, _ in facts) + sum(bare)
    if not (times or numbers or places):
        return Tied()
    ours = [
        Edit(m.start, m.end, m.kind, BLANK, "", numbers={FACT: float(number)})
        for number, (_, mentions) in enumerate(facts, 1)
        for m in mentions
    ]
    made = sorted([*with_titles(list(others), text), *ours], key=lambda e: e.start)
    telling = standing.hidden(text, telling_durations(text, made))
    soon = [Edit(t.start, t.end, t.kind, BLANK, "") for t in telling]
    stands = "".join(_pieces(text, sorted([*made, *soon], key=lambda e: e.start), standing))
    timed = without_fields(stands)
    money = " ".join(m.of(text) for sort, ms in facts if sort in NUMBERS for m in ms)
    way = way_told(stands) if places > 1 else ""
    tying = {sort for sort, _ in facts} & {*NUMBERS, "age", *softening.WORD_SORTS}
    return Tied(
        times > 1 or (times == 1 and _has(times_told(timed), words_telling(timed, "time"))),
        numbers > 1 or (numbers == 1 and _has(amounts_told(stands))),
        (places > 1 and (way == "any" or bool(tying) or places > MOST_PLACES))
        or (places > 0 and _has(lands_told(f"{stands} {money}"), words_telling(stands, "place"))),
        way == "short",
    )


def _has(*found: Iterable[object]) -> bool:
    return any(True for _ in chain(*found))


def _may_be_age(said: str) -> bool:
    """Whether a number may be an age as it is released: "three" is "0–4" then."""
    for number in reversed([*numbers_in_words(said)]):
        said = f"{said[: number.start]}0{said[number.end :]}"
    return may_be_age(said)


def telling_words(text: str, terms: Iterable[Term]) -> Iterator[tuple[int, int]]:
    """Where words stand that tell of a time or a place: no nouns that count beside what was found, unless
    they are delicate."""
    kinds = {name for kind in {t.kind for t in terms} for name in rule_chain(kind)}
    found = list[Iterable[tuple[int, int]]]()
    if kinds & {"DATE", "AGE"}:
        found += words_of_time(text), words_telling(text, "time")
    if kinds & {"LOC", "DEM"}:
        found += words_of_lands(text), words_telling(text, "place")
    delicate = Spans(_delicate(text)) if found else Spans()
    yield from (span for span in chain(*found) if not delicate.touch(*span))


def _delicate(text: str) -> Iterator[tuple[int, int]]:
    for start, end in nouns.read(text).terms:
        meant = softening.words().meant_at(text, start, end)
        if meant is not None and sensitive.mask()[meant]:
            yield start, end


def _pieces(text: str, edits: Iterable[Edit], standing: Standing) -> Iterator[str]:
    """What is told outside labels and softened facts."""
    at = 0
    for edit in edits:
        yield text[at : edit.start]
        yield BLANK if FACT in edit.numbers else standing.without_labels(edit.replacement)
        at = max(at, edit.end)
    yield text[at:]
