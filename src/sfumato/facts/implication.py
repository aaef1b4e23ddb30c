"""Nothing hidden is implied: no replacement says a hidden value, or something that lies below one.

"Born in Estonia, lives in Tartu": where Estonia is hidden, Tartu must not become "Estonia", nor a county of
it. Such a replacement goes up its ladder until it tells nothing of what is hidden, or becomes a label.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import accumulate

from sfumato.document import FACT, GENERALISE, SORT, Document, Edit, Spans, Term
from sfumato.english.currencies import money_of_lands
from sfumato.english.folding import normal_form, plain_letters, skeleton
from sfumato.english.inflection import possible_singulars
from sfumato.english.wordlists import ORG_WORDS
from sfumato.facts.ladders import Ladder, Rung, has_ladders, ladder_of
from sfumato.facts.mentions import countries_told
from sfumato.facts.persons import parts
from sfumato.facts.understanding import understand_records
from sfumato.facts.whereabouts import is_within_country
from sfumato.kinds import rule_chain
from sfumato.know import sources
from sfumato.know.taxonomy import calendar, named, places, sensitive, wordnet
from sfumato.know.taxonomy.chain import KIND_NOUNS, PREFERRED, Chain
from sfumato.policy import Policy

_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
# A range's lower bound may be any number, and a decade is not its first year.
_RANGE = re.compile(r"\d\s?(?:[-–]|to)\s?\D?\d|\b\d{3}0s\b")
_DIGIT = re.compile(r"\d")
_UNIT = re.compile(r"[^\W\d_]|[$€£¥]")
_NAMES = ("given", "family")  # parts of a person's name that a place may have, too: Mr France
_OF_WORDS = (f"{wordnet.NAME}:", f"{named.NAME}:")  # what concepts of words begin with
# Kinds of which no word is a place's: no month is (March), and persons' names are looked at as such.
_NAMELESS = frozenset({"PERSON", "DATE", "AGE", "QUANTITY", "CODE", "PHONE"})
# Whose words stand together, in small letters
_JOINED = frozenset({"EMAIL", "URL", "USERNAME", "CODE"})
_WORD = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*")
_HUMP = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}")
_MOST_WORDS = 3  # of the name of a land beside an amount
_LEAST_INSIDE = 5  # letters of a place's name in the middle of an address
_WHY = "a word between would tell of something else that is hidden"


def without_hints(edits: Sequence[Edit], document: Document, policy: Policy) -> list[Edit]:
    """The edits, those raised that would tell what another one hides. Running it again changes nothing.

    >>> from sfumato.know.taxonomy.chain import default
    >>> from sfumato.policy import load
    >>> text = Document("She was born in Estonia and lives in Tartu.")
    >>> spans = {"Estonia": (16, 23, "Europe"), "Tartu": (37, 42, "Estonia")}
    >>> meant = [default().senses(word, "LOC")[0].concept for _, _, word in spans.values()]
    >>> places = zip(spans.values(), meant, strict=True)
    >>> edits = [Edit(a, b, "LOC", w, "", GENERALISE, concept=c) for (a, b, w), c in places]
    >>> [e.replacement for e in without_hints(edits, text, load("default"))]
    ['Europe', '[PLACE]']
    """
    if not any(e.how == GENERALISE or _is_amount(e) for e in edits):
        return list(edits)
    chain = sources.taxonomy_for(policy.know)
    hidden = hidden_by(edits, document.text, chain)
    edits = [_without_land(e, hidden, policy) if _is_amount(e) else e for e in edits]
    shown = {Rung(e.replacement, 0, e.concept) for e in edits if e.how == GENERALISE}
    telling = {rung for rung in shown if hidden.is_told_by(rung)}
    raised = {
        (e.start, e.end): (e, next(_ladders(chain, _said(e, document.text), e), ()))
        for e in edits
        if e.how == GENERALISE and Rung(e.replacement, 0, e.concept) in telling
    }
    # Another mention of the same thing may have no ladder of its own.
    known = {e.concept: ladder for e, ladder in raised.values() if ladder}
    made = {
        place: _raised(e, ladder or known.get(e.concept, ()), hidden, policy)
        for place, (e, ladder) in raised.items()
    }
    return [made.get((e.start, e.end), e) for e in edits]


def _is_amount(edit: Edit) -> bool:
    """Whether a number stands for an amount, beside what is counted."""
    is_number = edit.hides and "QUANTITY" in rule_chain(edit.kind)
    return is_number and edit.how != "label" and _DIGIT.search(edit.replacement) is not None


def _without_land(edit: Edit, hidden: Hidden, policy: Policy) -> Edit:
    """An amount without what tells a hidden land by the money: "20,000–20,049 shillings", no Kenyan ones. One
    that is counted as money is a label without any."""
    left = without_lands(edit.replacement, hidden)
    if left == edit.replacement:
        return edit
    if FACT in edit.numbers and not has_unit(left):
        return replace(labelled(edit, policy, _WHY), numbers={})
    return replace(edit, replacement=left)


def without_lands(said: str, hidden: Hidden) -> str:
    """An amount without the words beside it that tell a hidden land.

    >>> hidden = Hidden.of({"Kenyan", "Swedish"}, ())
    >>> [without_lands(said, hidden) for said in ("20–29 Kenyan shillings", "SEK 40", "500 euros")]
    ['20–29 shillings', '40', '500 euros']
    """
    telling = Spans()
    for start, end, lands in sorted(_lands_in(said), key=lambda told: told[0] - told[1]):
        if any(hidden.holds(f"{places.NAME}:{land}") for land in lands):
            telling.add(start, end)
    left = [said[a:b] for a, b in telling.gaps(0, len(said))]
    return said if left == [said] else " ".join(" ".join(left).split())


def has_unit(said: str) -> bool:
    """Whether an amount says of what."""
    return _UNIT.search(said) is not None


def _lands_in(said: str) -> Iterator[tuple[int, int, frozenset[int]]]:
    """Where words tell a land: by its name, by its people, by its money."""
    table = places.default()
    for start, end, land in money_of_lands(said):
        yield start, end, frozenset(s.key for s in table.senses(land))
    words = [m.span() for m in _WORD.finditer(said)]
    for at, (start, end) in enumerate(words):
        yield start, end, table.lands(said[start:end])
        for _, last in words[at : at + _MOST_WORDS] if said[start].isupper() else ():
            yield start, last, frozenset(s.key for s in table.senses(said[start:last])[:1])


def with_one_word(edits: Sequence[Edit], document: Document, terms: Sequence[Term]) -> list[Edit]:
    """The edits, those of one place or organisation all with the most general word of them: one fact, one
    decision."""
    made = {(e.start, e.end): e for e in edits}
    shown = {e.concept for e in edits if e.kind in ("LOC", "ORG") and e.how == GENERALISE}
    if len(shown) < 2:
        return list(edits)
    for fact in (f for facts in understand_records(document, terms) for f in facts):
        here = [made[m.start, m.end] for m in fact.mentions if (m.start, m.end) in made]
        general = [e for e in here if e.how == GENERALISE and e.concept and FACT not in e.numbers]
        if fact.kind not in ("LOC", "ORG") or len({e.concept for e in general}) < 2:
            continue
        highest = min(general, key=lambda e: len(concepts_above(e.concept)))
        for e in general:
            if highest.concept in concepts_above(e.concept) and e.concept != highest.concept:
                made[e.start, e.end] = replace(
                    e,
                    replacement=highest.replacement,
                    concept=highest.concept,
                    reason=highest.reason,
                )
    return list(made.values())


def hidden_by(edits: Iterable[Edit], text: str, chain: Chain) -> Hidden:
    """What some edits hide."""
    edits = [e for e in edits if e.hides]
    hiding = {(_said(e, text), e.kind, e.concept) for e in edits}
    hiding |= {
        (name, "LOC", "") for e in edits if e.kind == "PERSON" for name in countries_told(text, e)
    }
    counted = {_said(e, text) for e in edits if SORT in e.numbers}
    named = {each for told in hiding for each in named_within(*told, told[0] in counted)}
    concepts = {c for each in hiding for c in _own(chain, *each)} | {c for _, c in named}
    names = {words for words, _ in named if words.lower() not in ORG_WORDS} | {
        p.text
        for said, kind, _ in hiding
        if kind == "PERSON"
        for p in parts(said)
        if p.role in _NAMES
    }
    joined = (skeleton(said) for said, kind, _ in hiding if kind in _JOINED)
    return Hidden.of({words for words, _, _ in hiding} | names, concepts, joined)


@lru_cache(maxsize=1 << 12)
def named_within(
    said: str, kind: str, concept: str, whole: bool = False
) -> frozenset[tuple[str, str]]:
    """The places that a hidden term names in passing, with their concepts: "Republic of Estonia" tells of
    Estonia, "ann@tartu.ee" of Tartu. Where a place stands for it, those in that place or around it;
    continents are no secret. A noun that is counted is one of many such, and only as a `whole` a place:
    "Wall Street" tells of no town of Street."""
    table, made = places.default(), set[tuple[str, str]]()
    joined = kind in _JOINED
    if not joined and not _NAMELESS.isdisjoint(rule_chain(kind)):
        return frozenset()
    words = [said] if whole else [m[0] for m in (_HUMP if joined else _WORD).finditer(said)]
    above = int(concept.partition(":")[2]) if concept.startswith(f"{places.NAME}:") else 0
    for name, key in table.named_in(words, joined):
        if above in table.above(key) or key in table.above(above):
            made.add((name, f"{places.NAME}:{key}"))
    return frozenset(made)


def _said(edit: Edit, text: str) -> str:
    return " ".join(text[edit.start : edit.end].split())


@dataclass(frozen=True, slots=True)
class Hidden:
    """What a document hides: concepts; words, by their letters, as they stand and in the singular, with all
    names of the places among them; those that are `said`, which tell it in other words, too: "time" in "time
    unit", but not "America" in "North America"; and addresses, whose words are joined: "visitestonia.com"
    tells of Estonia."""

    concepts: frozenset[str]
    words: frozenset[str]
    said: frozenset[str]
    joined: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, words: Iterable[str], concepts: Iterable[str], joined: Iterable[str] = ()
    ) -> Hidden:
        """Hidden words and concepts."""
        words = list(words)
        concepts = frozenset(concepts).union(*map(_lands, words))
        forms = frozenset(form for w in words for form in _forms(w))
        return cls(concepts, forms.union(*map(_names, concepts)), forms, frozenset(joined))

    def __or__(self, other: Hidden) -> Hidden:
        return Hidden(
            self.concepts | other.concepts,
            self.words | other.words,
            self.said | other.said,
            self.joined | other.joined,
        )

    def is_told_by(self, rung: Rung) -> bool:
        """Whether a rung says something hidden, or something that lies below it."""
        if not _RANGE.search(rung.words):
            said = _ARTICLE.sub("", rung.words)
            if not (self.words.isdisjoint(_forms(said)) and self.said.isdisjoint(words_told(said))):
                return True
            if rung.concept.startswith(_OF_WORDS) and any(map(self.holds, _lands(said))):
                return True
        return self.holds(rung.concept)

    def holds(self, concept: str) -> bool:
        """Whether a concept is hidden, or lies below one that is."""
        if not self.concepts.isdisjoint(concepts_above(concept)):
            return True
        names = _long_names(concept) if self.joined else ()
        return any(name in words for words in self.joined for name in names)


@lru_cache(maxsize=1 << 13)
def words_told(said: str) -> frozenset[str]:
    """The letters of all that some words may tell: as they stand, what they may be the plural of, and those
    that stand together. "A time unit" tells a time, "June 2024" June; "May 5" tells no hidden 5."""
    said = _ARTICLE.sub("", said)
    runs = (run for run in _runs(said) if len(run) > 3 or not run.isdigit())
    return frozenset({*_forms(said), *runs})


@lru_cache(maxsize=1 << 13)
def _forms(words: str) -> tuple[str, ...]:
    """The letters of words as they stand, and of what they may be the plural of."""
    form = normal_form(words)
    return tuple(s for w in (form, *possible_singulars(form)) if (s := skeleton(w)))


@lru_cache(maxsize=1 << 13)
def _lands(words: str) -> frozenset[str]:
    """The places whose people some words speak of, as concepts: who hides the English hides England."""
    found = () if _DIGIT.search(words) else places.default().lands(words)
    return frozenset(f"{places.NAME}:{n}" for n in found)


@cache
def _names(concept: str) -> frozenset[str]:
    """The letters of all names of a place; that some place is called Bank does not make a bank one."""
    name, _, key = concept.partition(":")
    known = places.default().names_of(int(key)) if name == places.NAME else ()
    return frozenset(skeleton(n) for n in known if n not in ORG_WORDS)


@cache
def _long_names(concept: str) -> frozenset[str]:
    """The letters of the names of a place and of what it lies in that tell it in the middle of an address."""
    table, (name, _, key) = places.default(), concept.partition(":")
    above = table.above(int(key)) if name == places.NAME else []
    known = (
        n for place in above if table.is_within_country(place) for n in table.usual_names_of(place)
    )
    return frozenset(letters for n in known if len(letters := skeleton(n)) >= _LEAST_INSIDE)


def _runs(words: str) -> Iterator[str]:
    """The letters of all words that stand together."""
    each = plain_letters(words).split()
    for first in range(len(each)):
        yield from accumulate(each[first:])


@cache
def concepts_above(concept: str) -> frozenset[str]:
    """A concept and all that it lies below, by every parent."""
    name, _, key = concept.partition(":")
    if name == places.NAME:
        return frozenset(f"{name}:{n}" for n in places.default().above(int(key)))
    if name == wordnet.NAME:
        return frozenset(f"{name}:{n}" for n in wordnet.default().subsumers_of(int(key)))
    if name == calendar.NAME:
        return frozenset(f"{name}:{n}" for n in (int(key), *calendar.above(int(key))))
    return frozenset({concept})


def _raised(edit: Edit, ladder: Ladder, hidden: Hidden, policy: Policy) -> Edit:
    at = next((i for i, rung in enumerate(ladder) if rung.concept == edit.concept), len(ladder))
    above = [rung for rung in ladder[at + 1 :] if not hidden.is_told_by(rung)]
    if edit.kind == "LOC" and not edit.numbers:
        above = [rung for rung in above if is_within_country(rung.concept)]
    if not above:
        return labelled(edit, policy, _WHY)
    return replace(
        edit,
        replacement=above[0].words,
        concept=above[0].concept,
        reason=f"{above[0].counted}; {_WHY}",
        numbers={**edit.numbers, "volume": above[0].volume}
        if "volume" in edit.numbers
        else edit.numbers,
        alternatives=tuple(rung.words for rung in above[1:]),
    )


def labelled(edit: Edit, policy: Policy, why: str = "") -> Edit:
    """An edit that puts a label instead."""
    label = policy.label(edit.kind).of(edit.kind)
    return replace(
        edit,
        replacement=label,
        how="label",
        concept="",
        alternatives=(),
        reason=f"{edit.reason}; {why}" if why else edit.reason,
    )


@lru_cache(maxsize=1 << 13)  # every round of a run asks for the same
def _own(chain: Chain, said: str, kind: str, concept: str) -> tuple[str, ...]:
    """The concepts that a hidden term may mean; of a generalised one, those below its generalisation. A word
    is taken in the sense that it has alone, where that lies there."""
    if has_ladders(kind) and kind not in PREFERRED and kind not in KIND_NOUNS:
        meant = wordnet.default().meant(said, sensitive.mask())  # all of it, not its head alone
        if meant is not None and concept in ("", *concepts_above(meant.concept)):
            return (meant.concept,)
    return tuple(
        sense.concept
        for sense in chain.senses(said, _kind(kind))
        if not concept or any(step.concept == concept for step in chain.climb(sense))
    )


def _ladders(chain: Chain, said: str, edit: Edit) -> Iterator[tuple[Rung, ...]]:
    """The ladders of a generalised term that lead over its generalisation."""
    for sense in range(max(1, len(chain.senses(said, _kind(edit.kind))))):
        ladder = ladder_of(chain, said, _kind(edit.kind), sense)
        if any(rung.concept == edit.concept for rung in ladder):
            yield ladder


def _kind(kind: str) -> str:
    return "" if kind == "TERM" else kind
