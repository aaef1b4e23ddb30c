"""Several taxonomies by preference: the ladder of a term is the one that the first of them knows.

>>> [step.term for step in default().ladder("liver cancer")][:4]
['liver cancer', 'liver disease', 'disease', 'illness']
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from sfumato.english.folding import normal_form
from sfumato.english.inflection import is_plural, pluralise, split_head
from sfumato.errors import InputError
from sfumato.know.taxonomy.ladder import Sense, Step, Taxonomy, merge
from sfumato.plugins import TAXONOMIES


def generalise(original: str, step: Step) -> str:
    """The words of a rung, in the number of the words that they replace.

    >>> generalise("tumours", Step("growth", 9, 1.0)), generalise("tumour", Step("growth", 9, 1.0))
    ('growths', 'growth')
    """
    return pluralise(step.term) if is_plural(original) else step.term


class KindNoun(NamedTuple):
    """What a thing of a kind is at least: as it is said, as WordNet has it, and the concepts of which a
    ladder of that kind must reach one."""

    word: str
    looked_up: str
    reached: frozenset[str]


# How a name that no taxonomy holds climbs, by the kind its detector gave it.
KIND_NOUNS: Mapping[str, KindNoun] = {
    "PERSON": KindNoun("person", "person", frozenset({"person"})),
    "ORG": KindNoun("organisation", "organization", frozenset({"organization", "social group"})),
    "LOC": KindNoun(
        "place", "location", frozenset({"location", "place", "land", "body of water", "structure"})
    ),
}
# The taxonomies that are asked before all others for a kind.
PREFERRED: Mapping[str, tuple[str, ...]] = {
    "LOC": ("places",),
    "DATE": ("calendar",),
    "AGE": ("ranges",),
    "QUANTITY": ("ranges",),
    "MONEY": ("ranges",),
}
# Taxonomies that know no sorts of things, only values: a shortened phrase is not looked up in them.
_VALUES_ONLY = frozenset({"calendar", "ranges"})
MOST_WORDS = 24  # of a phrase that a taxonomy could know; WordNet's longest has 9
COME_ALONG = ("calendar", "ranges", "wordnet", "places", "named")


class Chain:
    """Several taxonomies, the preferred one first.

    A term is looked up in each of them in turn. A phrase that none of them knows backs off: what follows a
    preposition goes first ("infection of the chest" → "infection"), then modifiers from the left ("severe
    chest infection" → "chest infection" → "infection"). Every shorter phrase is a rung; the k-th of them
    stands at least for itself and the k longer ones, so its volume is k + 1 until the taxonomy says more.
    A shortened phrase is never taken for a name, and a part of a name is no rung: "Dr Keller" does not
    climb as Helen Keller.
    """

    def __init__(self, taxonomies: Sequence[Taxonomy]) -> None:
        self._by_name = {t.name: t for t in taxonomies}

    @property
    def name(self) -> str:
        return "+".join(self._by_name)

    def before(self, *preferred: Taxonomy) -> Chain:
        """The same chain with taxonomies that are asked before all others."""
        taken = {t.name for t in preferred}
        return Chain([*preferred, *(t for n, t in self._by_name.items() if n not in taken)])

    def __getitem__(self, name: str) -> Taxonomy:
        return self._by_name[name]

    def senses(self, term: str, kind: str = "") -> list[Sense]:
        """The meanings of a term in all taxonomies, in order of preference, as far as the kind allows."""
        found = [s for t in self._ordered(kind) for s in t.senses(term)]
        return [s for s in found if self._fits(s, kind)] if kind in KIND_NOUNS else found

    def climb(self, sense: Sense) -> list[Step]:
        return self._by_name[sense.taxonomy].climb(sense)

    def volume(self, sense: Sense) -> int:
        return self._by_name[sense.taxonomy].volume(sense)

    def children(self, sense: Sense) -> Sequence[Sense]:
        return self._by_name[sense.taxonomy].children(sense)

    def describe(self, sense: Sense) -> str:
        return self._by_name[sense.taxonomy].describe(sense)

    def ladder(self, term: str, sense: int = 0, kind: str = "") -> list[Step]:
        """The ladder of a term, from specific to general; empty if nothing is known about it.

        `sense` counts from 0 in the order of `senses`; `kind` is the detector's, where there is one.
        """
        found = self._first(term, kind) if sense == 0 else self.senses(term, kind)
        if sense and sense >= len(found):
            raise InputError(f"this term has {len(found)} senses, there is no number {sense + 1}")
        if found:
            return _as_said(term, self.climb(found[sense]))
        return self._backed_off(term, kind) or self._by_kind(term, kind)

    def _first(self, term: str, kind: str) -> list[Sense]:
        """The first sense only: the other taxonomies need not be asked."""
        for taxonomy in self._ordered(kind):
            for sense in taxonomy.senses(term):
                if kind not in KIND_NOUNS or self._fits(sense, kind):
                    return [sense]
        return []

    def _ordered(self, kind: str) -> Sequence[Taxonomy]:
        first = PREFERRED.get(kind)
        if first is None:
            return list(self._by_name.values())
        return sorted(self._by_name.values(), key=lambda t: t.name not in first)

    def _fits(self, sense: Sense, kind: str) -> bool:
        if kind == "PERSON" and not sense.named:
            return False  # John is no customer, and Mary Fisher catches no fish
        wanted = KIND_NOUNS[kind].reached
        return any(step.term in wanted for step in self.climb(sense))

    def _backed_off(self, term: str, kind: str) -> list[Step]:
        phrases = [term, *shorter(term)]
        for dropped, phrase in enumerate(phrases[1:], 1):
            for taxonomy in self._ordered(kind):
                if taxonomy.name in _VALUES_ONLY:
                    continue
                for sense in taxonomy.senses(phrase):
                    if sense.named or (kind in KIND_NOUNS and not self._fits(sense, kind)):
                        continue
                    # A part of a name ("Xyz Corp") is no generalisation of it.
                    between = [p for p in phrases[1:dropped] if p.islower()]
                    return self._below([term, *between], phrase, sense)
        return []

    def _below(self, unknown: Sequence[str], phrase: str, sense: Sense) -> list[Step]:
        """The ladder of a known sense with the longer, unknown phrases under it."""
        known = self.climb(sense)
        # A sort of thing that the taxonomy does not have is taken for one more leaf of it.
        most = known[-1].volume
        bits = max(known[0].bits, math.log2(most + 1) if most > 1 else 0.0)
        steps = [Step(u, i + 1, bits) for i, u in enumerate(unknown)]
        least = len(unknown) + 1
        if sense.term.islower():
            phrase = phrase.lower()  # the Clinic of a name is a clinic
        steps.append(Step(phrase, max(least, self.volume(sense)), known[0].bits, sense.concept))
        steps += [Step(s.term, max(least, s.volume), s.bits, s.concept) for s in known[1:]]
        return merge(steps)

    def _by_kind(self, term: str, kind: str) -> list[Step]:
        if kind not in KIND_NOUNS:
            return []
        noun = KIND_NOUNS[kind]
        asked = self._by_name.values()
        senses = [s for t in asked for s in t.senses(noun.looked_up) if not s.named]
        return self._below([term], noun.word, senses[0]) if senses else []


def shorter(term: str) -> Iterator[str]:
    """The phrases that a phrase backs off to, the longest first.

    >>> list(shorter("severe chest infection")), list(shorter("acute cancer of the liver"))
    (['chest infection', 'infection'], ['acute cancer', 'cancer'])
    >>> list(shorter("chest pain without fever"))
    ['chest pain', 'pain']
    """
    head, rest = split_head(term)
    if head and rest:
        term = head
        yield term
    words = term.split()
    for at in range(max(1, len(words) - MOST_WORDS), len(words)):
        yield " ".join(words[at:])


def _as_said(term: str, steps: list[Step]) -> list[Step]:
    """The ladder with the term itself as it stands for its first rung."""
    first, key = steps[0], normal_form(term)
    # A rung that says the same word again would change nothing: a city and the region of its name.
    rest = [s for s in steps[1:] if len(s.term) != len(key) or normal_form(s.term) != key]
    return [Step(term, first.volume, first.bits), *rest]


@cache
def default() -> Chain:
    """The taxonomies that come with the package: calendar, ranges, WordNet, places, named things."""
    return Chain([TAXONOMIES.get(name).open() for name in COME_ALONG])
