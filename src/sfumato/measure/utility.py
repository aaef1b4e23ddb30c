"""What a release has kept: information, certainty, terms; for any sanitizer's output.

    >>> before = "She uses marijuana for phantom limb pain."
    >>> information_kept_score(before, before), ncp_score(before, before)
    (100.0, 0.0)
    >>> 0 < information_kept_score(before, "She uses soft drug for pain.") < 100
    True

The terms of a text are its noun phrases, each mention counted. A phrase was *kept* where it stands as it
stood, *generalised* where a rung of its ladder stands in its place, *shortened* where some of its words are
left, else *hidden*: a label, a black bar, an invented name tell nothing about the original.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import cache
from operator import add
from statistics import fmean
from typing import Literal

from pyroaring import BitMap

from sfumato.detect.noun_phrases import noun_phrases
from sfumato.document import Document, Term
from sfumato.english.folding import normal_form
from sfumato.english.inflection import singular
from sfumato.facts.ladders import Ladder, Rung, has_ladders, ladder_at, ladder_of
from sfumato.know.statistics import probability as statistics
from sfumato.know.statistics.probability import BackOff, IndexStatistics
from sfumato.know.taxonomy import chain as taxonomy
from sfumato.know.taxonomy.chain import Chain
from sfumato.know.taxonomy.ladder import Sense
from sfumato.measure.alignment import TextAlignment, align
from sfumato.measure.texts import Source, pair_up, without_labels
from sfumato.protect.disclosure.measures import information, utility

SPECIALISATIONS = 24  # of a concept that are looked up; more cost time and change little
MOST_SENSES = 8  # senses of a word whose ladders are looked at

How = Literal["kept", "generalised", "shortened", "hidden"]
Find = Callable[[Document], Iterable[Term]]

_MOST_WORDS = 9  # of a rung
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a term of the original."""

    start: int
    end: int
    kind: str
    how: How
    bits: float  # IC of the term
    bits_kept: float  # of what stands in its place, never above `bits`
    ncp: float | None  # None: it has no ladder
    rung: Rung | None = None  # what it was generalised to


@dataclass(frozen=True, slots=True)
class KindKept:
    """How many terms of a kind there were, and how many still stand."""

    terms: int = 0
    kept: int = 0
    generalised: int = 0

    @property
    def hidden(self) -> int:
        """Neither kept nor generalised."""
        return self.terms - self.kept - self.generalised

    def __add__(self, other: KindKept) -> KindKept:
        return KindKept(*map(add, astuple(self), astuple(other)))


@dataclass(frozen=True, slots=True, eq=False)
class TermKnowledge:
    """The statistics and taxonomies by which terms are weighed."""

    statistics: IndexStatistics
    chain: Chain
    _units: dict[str, BitMap] = field(default_factory=dict, repr=False)

    def bits(self, term: str) -> float:
        """IC of a term."""
        return self.statistics.ic(term)

    def bits_of_rung(self, term: str, rung: Rung) -> float:
        """IC of a generalisation, which counts for all its specialisations, the term itself included."""
        own = self.statistics.known(term).units
        units = self._concept(rung)
        count = len(units | own) if own else len(units)
        return information(count / self.statistics.size) if count else math.inf

    def _concept(self, rung: Rung) -> BitMap:
        """The articles that hold a concept's own word or that of a specialisation."""
        if rung.concept not in self._units:
            said = [rung.words, *below(self.chain, rung.concept, SPECIALISATIONS)]
            found = [self.statistics.known(word) for word in said]
            counted = [k.units for k in found if k.units and k.backoff is BackOff.NONE]
            self._units[rung.concept] = BitMap.union(BitMap(), *counted)
        return self._units[rung.concept]


def below(chain: Chain, concept: str, most: int, *, leaves: bool = False) -> list[str]:
    """Words for what is below a concept, nearest first, at most so many of them; or for its leaves only.

    >>> below(taxonomy.default(), taxonomy.default().ladder("marijuana")[1].concept, 3)
    ['marijuana', 'Indian hemp']
    """
    name, _, key = concept.partition(":")
    if not key.isdigit():
        return []
    first = Sense(name, int(key), "")
    found: dict[str, str] = {}
    queue, seen = deque([first]), {first.key}
    while queue and len(found) < most:
        sense = queue.popleft()
        children = [c for c in chain.children(sense) if c.key not in seen]
        if leaves and sense is not first and not chain.children(sense):
            found.setdefault(normal_form(sense.term), sense.term)
        for child in children:
            seen.add(child.key)
            queue.append(child)
            if not leaves:
                found.setdefault(normal_form(child.term), child.term)
    return list(found.values())[:most]


@cache
def knowledge() -> TermKnowledge:
    """What comes with the package."""
    known, chain = statistics.default(), taxonomy.default()
    return TermKnowledge(known, chain)


def phrase_terms(text: str) -> list[Term]:
    """The noun phrases of a text as terms."""
    return [Term(p.start, p.end, "TERM", 1.0, "noun phrase") for p in noun_phrases(text)]


def fates(
    original: str,
    released: str,
    terms: Sequence[Term] | None = None,
    *,
    alignment: TextAlignment | None = None,
    known: TermKnowledge | None = None,
) -> list[Fate]:
    """What became of each term; of the original's noun phrases where no terms are given."""
    known = known or knowledge()
    alignment = alignment or align(original, released)
    chosen = phrase_terms(original) if terms is None else terms
    stretches = _Stretches(released)
    return [_fate(term, original, stretches, alignment, known) for term in chosen]


class _Stretches:
    """What is said in places of a release, read once for all terms that it stands for."""

    def __init__(self, released: str) -> None:
        self._released = released
        self._said: dict[tuple[int, int], frozenset[str]] = {}

    def said(self, start: int, end: int) -> frozenset[str]:
        if (start, end) not in self._said:
            self._said[start, end] = _runs(without_labels(self._released[start:end]))
        return self._said[start, end]


def _fate(
    term: Term, original: str, stretches: _Stretches, alignment: TextAlignment, known: TermKnowledge
) -> Fate:
    said = " ".join(term.of(original).split())
    bits = known.bits(said)
    place = (term.start, term.end, term.kind)
    ladders = _ladders(known.chain, original, term)
    climbs = any(len(ladder) > 1 for ladder in ladders)
    if alignment.is_kept(term.start, term.end):
        return Fate(*place, "kept", bits, bits, 0.0 if climbs else None)
    left = alignment.left_of(term.start, term.end, original)
    here = [stretches.said(a, b) for a, b in alignment.instead(term.start, term.end)]
    found = _rung_said([*here, *map(_runs, left)], ladders)
    if found is not None:
        ladder, rung = found
        share = rung.volume / ladder[-1].volume
        kept = min(bits, known.bits_of_rung(said, rung))
        return Fate(*place, "generalised", bits, kept, share, rung)
    lost = 1.0 if climbs else None
    if left:
        most = max(known.bits(run) for run in left)
        return Fate(*place, "shortened", bits, min(bits, most), lost)
    return Fate(*place, "hidden", bits, 0.0, lost)


def _ladders(chain: Chain, text: str, term: Term) -> list[Ladder]:
    """The ladders that a term may have climbed: of the sense that fits its place, then of the others."""
    said = " ".join(term.of(text).split())
    kinds = [term.kind] if has_ladders(term.kind) else []
    found = [ladder_at(chain, text, term.start, term.end, kind, "context") for kind in kinds]
    senses = min(len(chain.senses(said)), MOST_SENSES) if has_ladders(term.kind) else 0
    return found + [ladder_of(chain, said, sense=n) for n in range(senses)]


def _rung_said(
    here: Sequence[frozenset[str]], ladders: Sequence[Ladder]
) -> tuple[Ladder, Rung] | None:
    """The most specific rung that is said in the release."""
    found = [
        (ladder, rung)
        for ladder in ladders
        for rung in ladder[1:]
        if any(" ".join(_plain(rung.words)) in said for said in here)
    ]
    return min(found, key=lambda f: f[1].volume, default=None)


def _runs(text: str) -> frozenset[str]:
    """All runs of words of a text, as long as rungs get."""
    words = _plain(text)
    return frozenset(
        " ".join(words[at : at + many])
        for many in range(1, _MOST_WORDS + 1)
        for at in range(len(words))
    )


def _plain(text: str) -> list[str]:
    """Words in the singular, in lower case, so that number and case do not matter."""
    return [singular(w) for w in _WORD.findall(normal_form(text))]


def information_kept(found: Iterable[Fate]) -> float:
    """The share of information that is left, in percent: equation (21)."""
    listed = list(found)
    kept = utility((f.bits_kept for f in listed), (f.bits for f in listed))
    return min(kept, 100.0)  # a sum and its own hundredfold may differ in the last bit


def certainty_penalty(found: Iterable[Fate]) -> float | None:
    """NCP averaged over the terms that have ladders; none if no term has one.

    0 for a term as it stands, volume of the rung / volume of the ladder's top for a generalisation, 1 for a
    hidden one.
    """
    penalties = [f.ncp for f in found if f.ncp is not None]
    return fmean(penalties) if penalties else None


def kinds_kept(found: Iterable[Fate]) -> dict[str, KindKept]:
    """How many terms of each kind were kept, by kind in alphabetical order."""
    counts: dict[str, KindKept] = {}
    for fate in found:
        one = KindKept(1, fate.how == "kept", fate.how == "generalised")
        counts[fate.kind] = counts.get(fate.kind, KindKept()) + one
    return dict(sorted(counts.items()))


def information_kept_score(original: Source, released: Source) -> float:
    """The share of the original's information that the release has kept, in percent: equation (21) of the
    correlated-terms paper, pooled over all texts.

    IC is -log2 of the share of Wikipedia articles that hold a term; a generalisation counts for all its
    specialisations.
    """
    pairs = pair_up(original, released)
    return information_kept(f for p in pairs for f in fates(p.original, p.released))


def ncp_score(original: Source, released: Source) -> float:
    """Normalised certainty penalty, from 0 (as it was) to 1 (all gone), over the noun phrases that have
    ladders; nan if none has one."""
    pairs = pair_up(original, released)
    found = certainty_penalty(f for p in pairs for f in fates(p.original, p.released))
    return float("nan") if found is None else found


def terms_kept(
    original: Source, released: Source, find: Find | None = None
) -> Mapping[str, KindKept]:
    """How many of the terms that a detector finds in the original still stand in the release, by kind.

    `find` takes a `Document` and returns terms; without it, the default policy's detectors do.

    >>> terms_kept("Write to ann@example.org now", "Write to [EMAIL] now")["EMAIL"]
    KindKept(terms=1, kept=0, generalised=0)
    """
    find = find or default_finder()
    pairs = pair_up(original, released)
    found = [
        fate
        for p in pairs
        for fate in fates(p.original, p.released, list(find(Document(p.original, p.name))))
    ]
    return kinds_kept(found)


@cache
def default_finder() -> Find:
    """The detectors of the default policy."""
    from sfumato import policy
    from sfumato.detect.finder import Finder

    return Finder(policy.load("default"))
