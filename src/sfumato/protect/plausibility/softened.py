"""The facts of a document that have a tree: what is softened, whatever words tell it.

Findings with a value (places, dates, ages, amounts) are facts as `understand` joins them; nouns, and findings
of other kinds that are nouns, are facts by what their word is taken for. What has no tree is left to the
policy's rules.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from sfumato.detect.keeper import Keeper
from sfumato.document import FACT, SEVERAL, SORT, Document, Edit, Spans, Term
from sfumato.english.births import is_in_months
from sfumato.english.durations import may_last
from sfumato.english.folding import normal_form, unaccented
from sfumato.english.inflection import pluralise, possible_singulars
from sfumato.english.numbers import (
    Number,
    has_factor,
    has_others,
    numbers_in_digits,
    numbers_in_words,
)
from sfumato.english.ties import beside_in_name, named_days
from sfumato.english.wordlists import word_set
from sfumato.facts.durations import beside_values, between_ages
from sfumato.facts.fact import Fact
from sfumato.facts.implication import Hidden, has_unit, named_within, without_lands
from sfumato.facts.ladders import has_ladders, is_part_of_number
from sfumato.facts.understanding import understand
from sfumato.facts.values import Amount, Days, Place, days
from sfumato.kinds import rule_chain
from sfumato.know.taxonomy import nouns, places, sensitive, softening, wordnet
from sfumato.know.taxonomy.ranges import in_band
from sfumato.know.taxonomy.softening import WORD_SORTS
from sfumato.policy import Policy
from sfumato.protect.plausibility.options import PlausibilityOptions
from sfumato.protect.plausibility.tied import telling_words
from sfumato.protect.plausibility.trees import NodeSort, Noun, Sort, sort_of, word_sort

NOUN = "TERM"  # the kind of a noun that no detector has found
REPEATED = "repeated"  # the detector of nouns whose word stands elsewhere as something else
DERIVED = "derived"  # in the numbers of our edits: whether it only follows from others
_NAMES = frozenset({"PERSON", "ORG", "LOC"})
_VALUES = frozenset({"DATE", "AGE", "QUANTITY", "LOC"})  # families of kinds whose terms are values
DATED = frozenset({"DATE", "AGE"})  # what may stand beside dates and is counted with them
_NUMBERED = frozenset({"age", "amount", "money"})
_UNIT = re.compile(r"^(\s)(?:([a-z]+)$|(year|month|week|day)\b)")
_SIGNS = word_set("mg kg g mcg ml cl l mm cm m km h min")  # of units, the same for one and for many


@dataclass(eq=False)
class Softened:
    """A fact with its sort, its mentions, how many alternatives it is to have, and the node that it is
    released as; none: a label."""

    kind: str
    sort: Sort
    value: Any  # of its sort: a number is one of units of its last digit
    mentions: list[Term]
    hidden: frozenset[str] = frozenset()  # the concepts that it may mean
    fact: Fact | None = field(default=None, repr=False)
    decimals: int = 0
    size: int = 1  # values that it is to stand for
    least: int = 1  # of which it must have so many by itself
    slack: int = 0  # of which others of its tree may take some
    node: Any = None
    # Further nodes that it might have been released as
    above: list[Any] = field(default_factory=list)
    derived: bool = False  # an age that follows from two dates; the node is a range
    count: int = 1  # values that it may have

    def take(self, edit: Edit, gather: Gatherer) -> None:
        """Take the node and the sort that an edit has."""
        self.derived = DERIVED in edit.numbers
        if SORT in edit.numbers:
            self.sort = gather.word_sort(int(edit.numbers[SORT]))
        key = edit.concept.partition(":")[2]
        if self.sort.name in _NUMBERED and key:
            low, _, high = key.partition("..")
            self.node = range(int(low), int(high) + 1)
        else:
            self.node = int(key) if key else None

    @property
    def counted(self) -> str:
        """How many values it may have, and some of them: the same for all of them."""
        if self.derived:
            return "follows from two dates"
        said = (
            in_band(self.node, self.decimals)
            if self.sort.name in _NUMBERED
            else self.sort.said(self.node)
        )
        examples = ", ".join(self.sort.examples(self.node, self.size))
        return f"one of {self.count:,} ({said}{f': {examples} …' if examples else ''})"

    @property
    def concept(self) -> str:
        return "" if self.node is None else self.sort.concept(self.node)

    @property
    def kin(self) -> str:
        """What has values that may be equal to its own: a day is no year."""
        return self.sort.name if self.sort.tree == "calendar" else self.sort.tree

    @property
    def values(self) -> tuple[str, Any]:
        """By its kin what values it may have: a node, or the ends of a band, whatever its last digit is."""
        if self.sort.name not in _NUMBERED:
            return self.kin, self.concept
        return self.kin, (self.node[0] / 10**self.decimals, self.node[-1] / 10**self.decimals)

    def is_several(self, text: str, mention: Term) -> bool:
        """Whether a mention is a noun that stands in the plural."""
        is_word = self.sort.name in WORD_SORTS
        return is_word and softening.words().is_several_at(text, mention.start, mention.end)

    def numbers(self, text: str, mention: Term) -> dict[str, float]:
        """What the edit of a mention needs so that the fact can be told from it."""
        made = {"alternatives": float(self.count), "asked": float(self.size)}
        made |= {DERIVED: 1.0} if self.derived else {}
        if self.sort.name in WORD_SORTS:
            made[SORT] = float(WORD_SORTS.index(self.sort.name))
            made[SEVERAL] = float(self.is_several(text, mention))
        return made

    @property
    def sort_name(self) -> str:
        return DERIVED if self.derived else self.sort.name

    def words(self, text: str, mention: Term) -> str:
        """What is said in the place of a mention."""
        if self.sort.name not in _NUMBERED:
            said = self.sort.said(self.node)
            return pluralise(said) if self.is_several(text, mention) else said
        plain = _plain(mention.of(text))
        number = _number(plain)
        band = in_band(self.node, self.decimals)
        if number is None:
            return band
        # "1 tablet" would tell the number: "0–4 tablets"; "1 mg" does not.
        after = _UNIT.sub(
            lambda m: m[0] if m[2] in _SIGNS else m[1] + pluralise(m[2] or m[3]),
            plain[number.end :],
        )
        return f"{plain[: number.start]}{band}{after}"


def _plain(words: str) -> str:
    """The words of a number in plain letters; "m²" stays."""
    parts = re.split("([²³])", " ".join(words.split()))
    return "".join(part if part in "²³" else unaccented(part) for part in parts)


def is_ours(edit: Edit) -> bool:
    """Whether an edit comes from here, in an earlier round."""
    return FACT in edit.numbers


class Gatherer:
    """Finds the facts of a document that are softened."""

    def __init__(self, policy: Policy, options: PlausibilityOptions) -> None:
        self._policy, self._options = policy, options
        self._kept = Keeper(policy)

    def __call__(
        self,
        document: Document,
        terms: Sequence[Term],
        edits: Iterable[Edit],
        with_nouns: bool = True,
    ) -> tuple[list[Softened], list[Term]]:
        """The facts that nobody has edited, in order, and the findings that have no tree."""
        text = document.text
        edited = Spans((e.start, e.end) for e in edits)
        free, rest = list[Term](), list[Term]()
        for term in terms:
            if not self._policy.keeps(term.kind):
                (rest if edited.touch(term.start, term.end) else free).append(term)
        values, words, lasting = list[Term](), list[Term](), beside_values(text, terms)
        between, feasts = between_ages(text), Spans(named_days(text))
        for term in free:
            is_value = _VALUES.intersection(rule_chain(term.kind))
            said = term.of(text)
            tying = between if term.kind in DATED else lasting
            is_free = not tying.touch(term.start, term.end)
            is_free = is_free and not (term.kind == "AGE" and is_in_months(said))
            is_free = is_free and not (may_last(said) or has_factor(said))
            is_free = is_free and ("DATE" in rule_chain(term.kind) or not has_others(said))
            # of "Christmas tree" the feast tells no day
            if not is_free if is_value else feasts.touch(term.end - 1, term.end):
                rest.append(term)
                continue
            (values if is_value else words if _may_be_noun(term.kind) else rest).append(term)
        if with_nouns and (words or self._options.terms != "findings"):
            rest += [t for t in words if not _is_noun(t, text)]
            words = [t for t in words if _is_noun(t, text)]
            if self._options.terms != "findings":
                words += self._nouns(text, edited, lasting, terms)
        found = [*self._values(text, values, rest), *self._words(text, words, rest)]
        found = [*_without_money_of_lands(text, found, rest)]
        if with_nouns:
            found = self._without_repeated(text, found, rest, edited)
        return sorted(found, key=lambda f: f.mentions[0].start), rest

    def _nouns(self, text: str, edited: Spans, lasting: Spans, terms: Sequence[Term]) -> list[Term]:
        """The nouns that are neither edited nor found, nor kept by the policy, and in no duration."""
        taken = Spans((t.start, t.end) for t in terms)
        for start, end in telling_words(text, terms) if self._policy.detect else ():
            taken.add(start, end)
        kept = Spans(self._kept.spans(text))
        free = [
            noun
            for noun in nouns_of(text)
            if not any(s.touch(noun.start, noun.end) for s in (edited, lasting, taken, kept))
        ]
        return free if self._options.terms == "nouns" else _said_once(text, free)

    def _without_repeated(
        self, text: str, found: Sequence[Softened], rest: list[Term], edited: Spans
    ) -> list[Softened]:
        """The facts without nouns whose word stands elsewhere as something else ("theft and murder"): it gets
        a label there, and so do they. Nouns that may stand do so."""
        words = [f for f in found if f.sort.name in WORD_SORTS]
        may_stand = {id(f) for f in words if self._may_stand(f)}
        sure = [*rest, *(m for f in found if id(f) not in may_stand for m in f.mentions)]
        hidden = Spans((m.start, m.end) for m in sure), edited, Spans(self._kept.spans(text))
        again, gone = repeated(text, [f.mentions for f in words], hidden), set[int]()
        for fact, terms in zip(words, again, strict=True):
            if terms:
                gone.add(id(fact))
                if id(fact) not in may_stand:
                    rest += [replace(t, detector=REPEATED) for t in (*fact.mentions, *terms)]
        labels = Spans((t.start, t.end) for t in rest if t.detector == REPEATED)
        gone |= {
            id(f)
            for f in words
            if id(f) in may_stand and any(labels.touch(m.start, m.end) for m in f.mentions)
        }
        return [f for f in found if id(f) not in gone]

    def _may_stand(self, fact: Softened) -> bool:
        """Whether a noun is softened only where a unit has too little."""
        is_other = isinstance(fact.value, Noun) and not sensitive.mask()[fact.value.synset]
        return fact.kind == NOUN and self._options.terms == "auto" and is_other

    def _values(self, text: str, terms: Sequence[Term], rest: list[Term]) -> Iterator[Softened]:
        for fact in understand(text, terms):
            sort = sort_of(fact.value)
            is_part = any(is_part_of_number(text, m.start, m.end) for m in fact.mentions)
            if sort is None or is_part or not is_settled(fact, text) or is_in_name(fact, text):
                rest += fact.mentions
                continue
            made = Softened(fact.kind, sort, fact.value, list(fact.mentions), fact=fact)
            made.hidden = frozenset(_concepts(fact))
            if isinstance(fact.value, Amount):
                made.decimals = _decimals(fact.mentions[0].of(text))
                made.value = int(fact.value.number.scaleb(made.decimals))
            yield made

    def _words(self, text: str, terms: Sequence[Term], rest: list[Term]) -> Iterator[Softened]:
        by_synset: dict[int, list[Term]] = {}
        meant = [softening.words().meant_at(text, term.start, term.end) for term in terms]
        said = [normal_form(term.of(text)) for term in terms]
        # "the Army", where the army is told of, is no other thing, nor is the court in "COURT"
        common = {
            words: synset
            for words, synset, term in sorted(
                zip(said, meant, terms, strict=True),
                key=lambda each: (text[each[2].start].islower(), not each[2].of(text).isupper()),
            )
            if synset is not None
        }
        for term, words, own in zip(terms, said, meant, strict=True):
            synset = common.get(words, own)
            if synset != own and places.default().senses(term.of(text)):
                synset = None  # Turkey is no turkey
            if synset is not None and _is_of_people(term.of(text), synset):
                synset = None  # nor is a Polish national a polish
            if synset is not None and softening.words().taken[synset]:
                by_synset.setdefault(synset, []).append(term)
            elif term.kind != NOUN:
                rest.append(term)
        for synset, mentions in by_synset.items():
            mentions.sort(key=lambda t: t.start)
            kind = next((m.kind for m in mentions if m.kind != NOUN), NOUN)
            if kind == NOUN and self._options.terms == "delicate" and not sensitive.mask()[synset]:
                continue
            sort = self._word_sort(synset, kind, mentions, text)
            hidden = frozenset({f"{wordnet.NAME}:{synset}"})
            yield Softened(kind, sort, Noun(synset), mentions, hidden)

    def _word_sort(self, synset: int, kind: str, mentions: Iterable[Term], text: str) -> Sort:
        """A noun is one of those of its family, unless all are looked for; one that stands in the plural, one
        of those that have a plural. Who has found a delicate one is no matter where all such are softened."""
        several = any(softening.words().is_several_at(text, m.start, m.end) for m in mentions)
        sort = 0
        if self._options.terms in ("auto", "delicate"):
            sort = 1 if sensitive.mask()[synset] else 2 * (kind == NOUN)
        return self.word_sort(sort + 3 * several)

    def word_sort(self, number: int) -> Sort:
        """A sort of words by its number. Nouns that no detector has found, and that are not delicate, stand
        beside what one has, if they tell something of it."""
        name = WORD_SORTS[number]
        looked_for = self._options.terms == "nouns" or name in ("other", "others")
        return word_sort(name, self._options.diverse, looked_for and bool(self._policy.detect))


def _without_money_of_lands(
    text: str, found: Sequence[Softened], rest: list[Term]
) -> Iterator[Softened]:
    """The facts without amounts of the money of a land that is hidden, of which nothing else would be left to
    say than that they are money: SEK beside Sweden."""
    told = {" ".join(t.of(text).split()) for t in rest}
    hidden = hidden_in(text, found) | Hidden.of(told, ())
    for fact in found:
        said = [m.of(text) for m in fact.mentions] if fact.sort.name in ("amount", "money") else []
        if any(has_unit(w) and not has_unit(without_lands(w, hidden)) for w in said):
            rest += fact.mentions
        else:
            yield fact


def repeated(
    text: str, found: Sequence[Sequence[Term]], hidden: Iterable[Spans]
) -> list[list[Term]]:
    """Of each of several nouns, by its mentions, where its word stands outside them and what is hidden, in
    either number, whatever it is there; but Turkey is no turkey."""
    by_form, hidden = defaultdict[str, set[int]](set), list(hidden)
    for at, mentions in enumerate(found):
        for form in {form for m in mentions for form in _numbers(m.of(text))}:
            by_form[form].add(at)
    made: list[list[Term]] = [[] for _ in found]
    own = [Spans((m.start, m.end) for m in mentions) for mentions in found]
    for start, end in nouns.single_words(text) if by_form else ():
        word = text[start:end]
        which = {at for form in _numbers(word) for at in by_form.get(form, ())}
        if not which or places.is_large_name(word) or any(s.touch(start, end) for s in hidden):
            continue
        for at in which:
            if not own[at].touch(start, end):
                made[at].append(Term(start, end, NOUN, 1.0, ""))
    return made


def _is_of_people(said: str, synset: int) -> bool:
    """Whether a word is written as what a people is called, and is taken for something else."""
    return said.istitle() and wordnet.default().word(synset).islower() and places.is_people(said)


def _numbers(word: str) -> set[str]:
    form = normal_form(word)
    return {form, *possible_singulars(form)} if form.isalpha() else set()


def is_settled(fact: Fact, text: str) -> bool:
    """Whether a date is one day: 03/06 may be two, unless the order of other dates, an age or other words
    tell which. The policy's rule says something that is true of both."""
    if len({v for v in fact.readings if isinstance(v, Days)}) < 2:
        return True
    usual = next(days(fact.mentions[0].of(text), None), None)
    return fact.value != usual  # an age follows from the other


def is_in_name(fact: Fact, text: str) -> bool:
    """Whether a place is told within the name of something else, which tells it whatever is said in its
    place: "Chicago Bulls", "Worcester sauce"."""
    return isinstance(fact.value, Place) and any(
        any(beside_in_name(text, m.start, m.end)) or nouns.is_in_longer(text, m.start, m.end)
        for m in fact.mentions
    )


def hidden_in(text: str, facts: Iterable[Softened]) -> Hidden:
    """What softened facts hide; "Cambridge, England" hides England as well, a noun the place it is."""
    facts = list(facts)
    said = {(" ".join(m.of(text).split()), f.sort.name) for f in facts for m in f.mentions}
    words = {row for row, _ in said}
    around = {
        each
        for row, sort in said
        if sort in WORD_SORTS or (sort == "place" and "," in row)
        for each in named_within(row, "LOC", "", sort != "place")
    }
    concepts = {c for fact in facts for c in fact.hidden} | {c for _, c in around}
    return Hidden.of(words | {name for name, _ in around}, concepts)


def unread(
    text: str, facts: Iterable[Softened], others: Iterable[Edit]
) -> dict[int, frozenset[int]]:
    """Of each noun, by its `id`, the synsets that would not be read by themselves in its place, beside what
    is said there or beside a value of the fact before it."""
    edits: list[tuple[int, int, str, Softened | None]] = [
        (m.start, m.end, fact.words(text, m), fact) for fact in facts for m in fact.mentions
    ]
    edits += [(e.start, e.end, e.replacement, None) for e in others]
    edits.sort(key=lambda edit: edit[:2])
    pieces, spans, at, length = list[str](), list[tuple[int, int, Softened | None]](), 0, 0
    for start, end, words, fact in edits:
        pieces += [text[at:start], words]
        length += start - at + len(words)
        spans.append((length - len(words), length, fact))
        at = end
    released = "".join([*pieces, text[at:]])
    made: dict[int, frozenset[int]] = defaultdict(frozenset)
    for (_, last, other), (start, end, fact) in pairwise([(0, 0, None), *spans]):
        if fact is None or fact.sort.name not in WORD_SORTS:
            continue
        around = nouns.words_before(released, start), nouns.words_after(released, end)
        assert isinstance(fact.sort, NodeSort)
        own = nouns.beginnings(fact.sort.names(fact.node, fact.size))
        made[id(fact)] |= nouns.swallowed(*around, own)
        if other is not None and isinstance(other.sort, NodeSort):
            between = nouns.words_between(released[last:start])
            if between is not None:
                names = other.sort.names(other.node, other.size)
                made[id(fact)] |= nouns.joined(names, between, own)
    return made


def _is_noun(term: Term, text: str) -> bool:
    """Whether the last word of a term is a noun: "British" and "unemployed" are nouns to a taxonomy."""
    return term.end in nouns.read(text).ends


def nouns_of(text: str) -> list[Term]:
    """The nouns of a text. A name of a place is none: Wales are no weals."""
    found = (span for span in nouns.read(text).terms if not places.is_named_at(text, *span))
    return [Term(start, end, NOUN, 1.0, "") for start, end in found]


def _said_once(text: str, found: Sequence[Term]) -> list[Term]:
    """The nouns; those of a sensitive family side by side are one, "HIV infection", which means the last of
    them: both would become the same. Texts that are counted have a noun of such a family where this one has
    one, and none elsewhere, so that what is one here is one there."""
    made, was_sensitive = list[Term](), False
    for noun in found:
        meant = softening.words().meant_at(text, noun.start, noun.end)
        is_sensitive = meant is not None and bool(sensitive.mask()[meant])
        is_taken = is_sensitive and bool(softening.words().taken[meant])
        if is_taken and was_sensitive and text[made[-1].end : noun.start] == " ":
            made[-1] = replace(made[-1], end=noun.end)
        else:
            made.append(noun)
        was_sensitive = is_sensitive
    return made


def _may_be_noun(kind: str) -> bool:
    return kind not in _NAMES and has_ladders(kind)


def _concepts(fact: Fact) -> Iterator[str]:
    for value in fact.readings:
        if isinstance(value, Place):
            yield f"{places.NAME}:{value.node}"
        elif isinstance(value, Days) and value.level in ("month", "year"):
            span: softening.Span = "month" if value.level == "month" else "year"
            yield f"calendar:{softening.span_key(value.first, span)}"


def _number(plain: str) -> Number | None:
    found = list(numbers_in_digits(plain)) or list(numbers_in_words(plain))
    return found[0] if len(found) == 1 else None


def _decimals(words: str) -> int:
    found = re.search(r"\d\.(\d+)", unaccented(words))
    return len(found[1]) if found else 0
