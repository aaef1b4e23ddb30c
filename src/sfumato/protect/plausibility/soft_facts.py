"""The facts of a text as a search takes them: each with the rungs that it may be said by.

A fact is one decision, whatever the number and the spelling of its mentions. The volume of a rung counts
values of the fact's own level: a year in a decade is one of ten, a day in it one of 3,653.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import takewhile

from sfumato.detect.keeper import Keeper
from sfumato.document import FACT, Document, Edit, Spans, Term
from sfumato.english.births import is_in_months, may_be_age
from sfumato.english.durations import may_last
from sfumato.english.folding import normal_form
from sfumato.english.numbers import has_factor, has_others, numbers_in_digits, numbers_in_words
from sfumato.english.ties import named_days
from sfumato.facts.ages import ages_told, spans_in
from sfumato.facts.durations import beside_values, between_ages
from sfumato.facts.fact import Fact
from sfumato.facts.ladders import (
    Ladder,
    Rung,
    as_ladder,
    has_ladders,
    is_part_of_number,
    ladder_at,
    ladder_of,
    sense_at,
)
from sfumato.facts.understanding import understand
from sfumato.facts.values import AGE, Amount, DayOfYear, Days, Name, Place, Value
from sfumato.kinds import rule_chain
from sfumato.know.taxonomy import medical, named, places, ranges, sensitive, softening, wordnet
from sfumato.know.taxonomy.chain import COME_ALONG, KIND_NOUNS, Chain
from sfumato.know.taxonomy.ladder import Sense
from sfumato.know.taxonomy.ranges import in_band
from sfumato.policy import Policy
from sfumato.protect.plausibility.options import PlausibilityOptions
from sfumato.protect.plausibility.senses import common_term
from sfumato.protect.plausibility.softened import (
    DATED,
    NOUN,
    is_in_name,
    is_settled,
    nouns_of,
    repeated,
)

_NTH = re.compile(r"(?<!\d)\d+(?:st|nd|rd|th)\b", re.IGNORECASE)


@dataclass(eq=False)
class SoftFact:
    """A fact with its mentions, the rungs it may be said by, and the one it has: `level`. A `derived` one
    follows from others, a `tied` one may, and both count for nothing."""

    value: Value
    kind: str
    ladder: Ladder
    mentions: list[Term]
    level: int = 0
    weight: float = 1.0
    derived: bool = False
    tied: bool = False
    texts: dict[str, int] = field(default_factory=dict)  # of its units, for the reason

    @property
    def rung(self) -> Rung:
        return self.ladder[self.level]

    @property
    def pays(self) -> bool:
        return not (self.derived or self.tied)

    @property
    def volume(self) -> int:
        """How many values it may have."""
        return 1 if self.derived else self.rung.volume

    @property
    def sort(self) -> str:
        if self.ladder[-1].concept.startswith("places:"):
            return "place"  # also a name that is no place by its kind
        return "derived" if self.derived else sort_of(self.value)

    @property
    def counted(self) -> str:
        """How many values it may have, in words."""
        things = {"noun": "", "age": "values", "amount": "values", "day of year": "days"}
        named = things.get(self.sort, f"{self.sort}s")
        if self.derived:
            return "follows from two dates"
        if not named or self.rung.words == "place":
            return self.rung.counted
        return f"one of {self.rung.volume:,} {named} in {self.rung.words}"

    def said(self, mention: Term, text: str) -> str:
        """What stands in the place of a mention: of a number, only the number itself is replaced."""
        if not isinstance(self.value, Amount):
            return self.rung.words
        words, places_ = mention.of(text), _decimals(self.value.number)
        low, high = map(int, self.rung.concept.partition(":")[2].split(".."))
        found = next(iter([*numbers_in_digits(words), *numbers_in_words(words)]), None)
        nth = _NTH.search(words)
        span = (found.start, found.end) if found else nth.span() if nth else (0, len(words))
        band = in_band(range(low, high + 1), places_, found is not None and found.grouped)
        return words[: span[0]] + band + words[span[1] :]


def sort_of(value: Value) -> str:
    """What a value is one of.

    >>> sort_of(Amount(Decimal(56), AGE)), sort_of(Name("tumour"))
    ('age', 'noun')
    """
    match value:
        case Days(level=level):
            return level
        case DayOfYear():
            return "day of year"
        case Place():
            return "place"
        case Amount(unit=unit):
            return "age" if unit == AGE else "amount"
    return "noun"


class FactFinder:
    """Finds the facts of a document that a search may soften."""

    def __init__(self, policy: Policy, chain: Chain, options: PlausibilityOptions) -> None:
        self._policy, self._chain, self._options = policy, chain, options
        self._kept = Keeper(policy)

    def found(
        self, document: Document, terms: Sequence[Term], edited: Spans
    ) -> tuple[list[SoftFact], list[Term]]:
        """The findings that nobody else has edited: those with a ladder, which must go up by a rung at least,
        and the rest."""
        facts: dict[Value, SoftFact] = {}
        told = dict[str, Value]()  # by the words of a name
        rest: list[Term] = []
        lasting, between = beside_values(document.text, terms), between_ages(document.text)
        feasts = Spans(named_days(document.text))
        for fact in understand(document.text, terms):
            open_ = [t for t in fact.mentions if not self._policy.keeps(t.kind)]
            mine = [t for t in open_ if not edited.touch(t.start, t.end)]
            tying = between if fact.kind in DATED else lasting
            is_free = not any(tying.touch(t.start, t.end) for t in mine)
            if isinstance(fact.value, Name):
                is_free = is_free and not any(feasts.touch(t.end - 1, t.end) for t in mine)
            said = [t.of(document.text) for t in mine]
            is_free = is_free and not (fact.kind == "AGE" and any(map(is_in_months, said)))
            is_free = is_free and is_settled(fact, document.text)
            is_free = is_free and not is_in_name(fact, document.text)
            is_free = is_free and not (
                isinstance(fact.value, Amount) and any(map(has_others, said))
            )
            if not is_free or any(map(may_last, said)) or any(map(has_factor, said)):
                mine = []
            ladder = self._ladder_of_fact(document, fact, mine[0]) if mine else ()
            if len(ladder) < 2:
                rest += open_
                continue
            rest += [t for t in open_ if t not in mine]
            # one word of two kinds
            spoken = {normal_form(s) for s in said} if isinstance(fact.value, Name) else set[str]()
            same = next((value for words in spoken if (value := told.get(words))), fact.value)
            if same in facts:
                facts[same].mentions += mine
                continue
            told |= dict.fromkeys(spoken, fact.value)
            weight = self._weight(mine[0].kind)
            facts[fact.value] = SoftFact(fact.value, mine[0].kind, ladder, mine, 1, weight)
        for made in facts.values():
            made.mentions.sort(key=lambda t: t.start)
        return list(facts.values()), sorted(rest, key=lambda t: t.start)

    def nouns(self, document: Document, taken: Spans, found: Iterable[SoftFact]) -> list[SoftFact]:
        """The nouns that are neither edited nor found, nor kept by the policy. One that is a further mention
        of a fact already known joins it; a name is not meant by the same word without a capital letter:
        Turkey is no turkey. A delicate one goes up by a rung, as a finding does."""
        text = document.text
        kept = Spans(self._kept.spans(text))
        terms = [
            noun
            for noun in nouns_of(text)
            if not taken.touch(noun.start, noun.end) and not kept.touch(noun.start, noun.end)
        ]
        known: dict[Value, SoftFact] = {f.value: f for f in found if isinstance(f.value, Name)}
        made: dict[str | Value, SoftFact] = {}
        for fact in understand(text, terms):
            first = fact.mentions[0]
            other = known.get(fact.value)
            if other and not (other.kind in KIND_NOUNS and text[first.start].islower()):
                other.mentions += fact.mentions
                continue
            own = self._own(document, first)
            if (same := made.get(own or fact.value)) is not None:
                same.mentions += fact.mentions
                continue
            senses = self._options.senses
            ladder = ladder_at(self._chain, text, first.start, first.end, "", senses)
            ladder = self._fit(_in_words(ladder), NOUN)
            if len(ladder) > 1:
                meant = softening.words().meant_at(text, first.start, first.end)
                weight, level = self._weight(NOUN), int(_is_delicate(own, meant))
                made[own or fact.value] = SoftFact(
                    fact.value, NOUN, ladder, list(fact.mentions), level, weight
                )
        return list(made.values())

    def repeated(
        self, document: Document, facts: Sequence[SoftFact], taken: Spans
    ) -> list[tuple[SoftFact, list[Term]]]:
        """Nouns whose word stands elsewhere as something else, and where."""
        text, words = document.text, [f for f in facts if f.sort == "noun"]
        mine = Spans((m.start, m.end) for fact in words for m in fact.mentions)
        hidden = (mine, taken, Spans(self._kept.spans(text)))
        found = zip(words, repeated(text, [f.mentions for f in words], hidden), strict=True)
        return [(fact, again) for fact, again in found if again]

    def _own(self, document: Document, term: Term) -> str:
        """The concept of a noun in the sense that is meant: "car" and "automobile" are one thing."""
        senses = self._chain.senses(" ".join(term.of(document.text).split()))
        span = (term.start, term.end)
        at = sense_at(self._chain, document.text, *span, "", self._options.senses)
        return senses[at].concept if at < len(senses) else ""

    # Ladders

    def _ladder_of_fact(self, document: Document, fact: Fact, first: Term) -> Ladder:
        text, value = document.text, fact.value
        words = " ".join(first.of(text).split())
        if not has_ladders(first.kind) or is_part_of_number(text, first.start, first.end):
            return ()
        match value:
            case Place():
                sense = Sense(places.NAME, value.node, places.default().written(value.node))
                ladder = as_ladder(self._chain, words, self._chain[places.NAME].climb(sense))
            case Days() | DayOfYear():
                ladder = tuple(_date_rungs(value, words))
            case Amount():
                ladder = tuple(_bands(value, words))
            case Name():
                senses = self._options.senses
                ladder = ladder_at(self._chain, text, first.start, first.end, first.kind, senses)
                ladder = _in_words(ladder)
        return self._fit(ladder, first.kind)

    def _fit(self, ladder: Ladder, kind: str) -> Ladder:
        """The rungs that give a fact of a kind what it needs by itself."""
        asked = self._options.least
        least = next((asked[name] for name in rule_chain(kind) if name in asked), 1)
        fits = [r for r in ladder[1:] if r.volume >= least and self._is_diverse(r)]
        return (*ladder[:1], *fits)

    def _is_diverse(self, rung: Rung) -> bool:
        """Whether the leaves that a word may stand for lie below several concepts below it."""
        taxonomy, _, key = rung.concept.partition(":")
        if self._options.diverse == 1 or taxonomy in ("places", "calendar", "ranges"):
            return True
        top = Sense(
            wordnet.NAME if taxonomy == named.NAME else taxonomy, int(key.split("/")[0]), ""
        )
        if "/" in key:
            return False  # a part of a phrase is no concept
        met, waiting, families = {top.key}, [top], set[int]()
        while waiting and len(families) < self._options.diverse:
            sense = waiting.pop()
            for child in self._chain.children(sense):
                if sense is not top and not self._chain.children(child):
                    families.add(sense.key)
                if child.key not in met:
                    met.add(child.key)
                    waiting.append(child)
        return len(families) >= self._options.diverse

    def _weight(self, kind: str) -> float:
        """The weight of a kind: its own, its family's, or that of all others."""
        weights = self._options.weights
        return next((weights[name] for name in rule_chain(kind) if name in weights), 1.0)

    def widen(self, document: Document, fact: SoftFact) -> None:
        """Take a rung that is common to several senses of a word instead, where there is one that covers
        enough of them (Algorithm 2). It is at least as wide."""
        if fact.sort != "noun":
            return
        term = " ".join(fact.mentions[0].of(document.text).split())
        kind = "" if fact.kind == NOUN else fact.kind
        count = len(self._chain.senses(term, kind))
        ladders = [
            self._fit(ladder_of(self._chain, term, kind, sense), fact.kind)
            for sense in range(count)
        ]
        others = [ladder for ladder in ladders if ladder != fact.ladder]
        if not others or len(others) == len(ladders):
            return
        ladders = [fact.ladder, *others]
        paths = [[(rung.concept, rung.volume) for rung in ladder] for ladder in ladders]
        found = common_term(paths, fact.level, coverage=self._options.coverage)
        for ladder in ladders:
            for level, rung in enumerate(ladder):
                if level and rung.concept == found.node:
                    fact.ladder, fact.level = ladder, level
                    return


def _is_delicate(concept: str, meant: int | None) -> bool:
    """Whether a noun is of a sensitive family in the sense that it has here, or by itself where no taxonomy
    has the whole of it."""
    taxonomy, _, key = concept.partition(":")
    if taxonomy in medical.NAMES:
        return True
    if taxonomy in COME_ALONG:  # of a taxonomy of the policy's own, the words tell
        meant = int(key) if taxonomy == wordnet.NAME else None
    return meant is not None and bool(sensitive.mask()[meant])


def _in_words(ladder: Ladder) -> Ladder:
    """A ladder of words; none where the words are no value and climb as one: the 2000 of "NJA 2000"."""
    value = any(rung.concept.startswith(("calendar:", "ranges:")) for rung in ladder)
    return ladder[:1] if value else ladder


def _date_rungs(value: Days | DayOfYear, words: str) -> Iterator[Rung]:
    """The rungs of a day, a month or a year, counted in days, months or years; of a longer span none."""
    yield Rung(words, 1)
    if isinstance(value, DayOfYear):
        if value.day:
            key = value.month * 100
            yield Rung(softening.span_written(key), softening.DAYS_OF_YEAR, f"calendar:{key}")
    elif value.level != "decade" and (value.first, value.last) in spans_in(
        value.first, value.last, value.level
    ):
        for span in softening.SPANS[value.level]:
            key = softening.span_key(value.first, span)
            volume = softening.values_in(key, value.level)
            yield Rung(softening.span_written(key), volume, f"calendar:{key}")


def _bands(value: Amount, words: str) -> Iterator[Rung]:
    """Nested bands: of an age 5, 10, 20, 40 and 120 years; of another number 5, 10, 50 … of its last
    digit."""
    yield Rung(words, 1)
    decimals = _decimals(value.number)
    last = int(value.number.scaleb(decimals))
    if value.unit == AGE and not (decimals == 0 and 0 <= last < ranges.AGE_WIDTHS[-1]):
        return
    widths = ranges.AGE_WIDTHS if value.unit == AGE else softening.band_widths()
    most = 10 * max(abs(last), 10 ** (decimals + 1))  # wider ones tell nothing of the magnitude
    for width in takewhile(lambda width: width <= most or value.unit == AGE, widths):
        low = last // width * width
        band = range(low, low + width)
        concept = f"{ranges.NAME}:{low}..{band[-1]}"
        yield Rung(in_band(band, decimals, grouped=False), width, concept)


def _decimals(number: Decimal) -> int:
    return max(0, -int(number.as_tuple().exponent))


# Dates


def span_of(fact: SoftFact) -> Days:
    """The days that are released of a date."""
    first, last = softening.span_ends(int(fact.rung.concept.partition(":")[2]))
    return Days(first, last, "day")


def original_ages(document: Document, dates: Sequence[Term]) -> list[tuple[int, int]]:
    """The ages that follow from two of a text's dates."""
    told = [value for f in understand(document.text, dates) for value in f.readings]
    return ages_told([(d.first, d.last) for d in told if isinstance(d, Days)])


def released_ages(facts: Iterable[SoftFact]) -> list[tuple[int, int]]:
    """The ages that follow from what is released of two dates."""
    spans = [span_of(f) for f in facts if f.level and isinstance(f.value, Days)]
    return ages_told([(span.first, span.last) for span in spans])


def may_follow(fact: SoftFact, text: str) -> bool:
    """Whether a fact is an age, or a number that may be one."""
    if not isinstance(fact.value, Amount) or not fact.level:
        return fact.sort == "age"
    return fact.value.unit == AGE or any(may_be_age(fact.said(m, text)) for m in fact.mentions)


def of_edits(document: Document, edits: Sequence[Edit]) -> list[tuple[Value, list[Edit]]]:
    """The facts that edits of ours have softened, each with its edits, in order of the text."""
    mine = [e for e in edits if FACT in e.numbers and e.concept]
    terms = [Term(e.start, e.end, e.kind, 1.0, "") for e in mine]
    dated = [Term(e.start, e.end, e.kind, 1.0, "") for e in edits if e.kind in DATED]
    told = understand(document.text, [*{*terms, *dated}])
    made: dict[float, tuple[Value, list[Edit]]] = {}
    for term, edit in zip(terms, mine, strict=True):
        made.setdefault(edit.numbers[FACT], (told.of(term).value, []))[1].append(edit)
    return list(made.values())
