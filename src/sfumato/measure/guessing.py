"""A guessing attack on hidden terms: what stood here?

    >>> from sfumato.document import Term
    >>> text = "He lives in Miami, Florida."
    >>> [g] = guess_terms(text, "He lives in [LOC], Florida.", [Term(12, 17, "LOC", 1.0, "test")],
    ...                   pool={"LOC": ["Oslo", "Miami", "Madrid"]})
    >>> g.rank, g.candidates
    (1, 3)

The adversary lists candidates of the hidden term's kind: everything below the generalisation that stands in
its place, or else the terms of that kind that they know of (`pool`). A candidate's score is its mean PMI with
the terms left around it, in bits; all candidates are taken as equally likely beforehand, so 2^score over the
sum of all is the chance of each. (The sum of PMI, naive Bayes, gives the same ranks, but takes terms that go
together for separate evidence and is sure of what is wrong.) Candidates below a generalisation that are too
many to list count with a score of 0: no evidence for or against.

Terms of which no candidates can be listed (codes, telephone numbers, a date without a trace) are not
assessed.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

import numpy as np

from sfumato.document import Term
from sfumato.english.folding import normal_form
from sfumato.kinds import rule_chain
from sfumato.know.taxonomy.chain import Chain
from sfumato.measure.alignment import TextAlignment, align
from sfumato.measure.utility import Fate, TermKnowledge, below, fates, knowledge, phrase_terms

LISTED = 200  # candidates that are scored
NEAR = 10  # terms left that count as evidence: the nearest ones
# Kinds whose terms are values that nobody lists.
_VALUES = frozenset(
    {"CODE", "PHONE", "EMAIL", "URL", "USERNAME", "DATE", "AGE", "QUANTITY", "ADDRESS"}
    | {"POSTCODE", "COORDINATES"}
)

Pool = Mapping[str, Sequence[str]]
_Distinct = Mapping[str, Mapping[str, str]]  # of each kind, by their normal forms


@dataclass(frozen=True, slots=True)
class Guess:
    """How well a hidden term can be guessed. Holds no original text."""

    start: int
    end: int
    kind: str
    candidates: int  # 0: not assessed
    rank: int  # of the truth among them, from 1; 0: not assessed
    chance: float  # that the adversary names it at the first try
    entropy: float  # in bits, of the chances of all candidates

    @property
    def assessed(self) -> bool:
        return self.candidates > 0


@dataclass(frozen=True, slots=True)
class GuessSummary:
    """All guesses of a release, over the things that were hidden."""

    hidden: int
    assessed: int
    first: int  # guessed at the first try
    chance: float | None  # averaged over the assessed
    entropy: float | None
    median_rank: float | None


@dataclass(frozen=True, slots=True)
class GuessReport:
    """The guesses over all releases and by kind."""

    whole: GuessSummary
    kinds: Mapping[str, GuessSummary]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self.whole) | {"kinds": {k: asdict(s) for k, s in self.kinds.items()}}


def report_guesses(found: Sequence[Guess]) -> GuessReport:
    """What an adversary achieves on the whole and on each kind that could be assessed."""
    kinds = sorted({g.kind for g in found if g.assessed})
    by_kind = {kind: summarise(g for g in found if g.kind == kind) for kind in kinds}
    return GuessReport(summarise(found), by_kind)


def summarise(found: Iterable[Guess]) -> GuessSummary:
    """What an adversary achieves on the whole."""
    listed = list(found)
    able = [g for g in listed if g.assessed]
    mean = (lambda values: math.fsum(values) / len(able)) if able else (lambda values: None)
    return GuessSummary(
        hidden=len(listed),
        assessed=len(able),
        first=sum(g.rank == 1 for g in able),
        chance=mean(g.chance for g in able),
        entropy=mean(g.entropy for g in able),
        median_rank=float(np.median([g.rank for g in able])) if able else None,
    )


def guess_terms(
    original: str,
    released: str,
    terms: Sequence[Term],
    *,
    pool: Pool | None = None,
    alignment: TextAlignment | None = None,
    known: TermKnowledge | None = None,
) -> list[Guess]:
    """One guess for each term that does not stand in the release; a thing that is mentioned several times is
    guessed once."""
    known = known or knowledge()
    alignment = alignment or align(original, released)
    left = [t for t in phrase_terms(original) if alignment.is_kept(t.start, t.end)]
    distinct = {kind: {normal_form(c): c for c in said} for kind, said in (pool or {}).items()}
    found: dict[tuple[str, str], Guess] = {}
    for fate in fates(original, released, terms, alignment=alignment, known=known):
        thing = (fate.kind, normal_form(original[fate.start : fate.end]))
        if fate.how == "kept" or thing in found:
            continue
        found[thing] = _guess(fate, original, left, distinct, known)
    return list(found.values())


def pool_of(texts: Iterable[tuple[str, Sequence[Term]]]) -> dict[str, list[str]]:
    """The terms of each kind that stand in some texts, in order: what somebody who has read them can list."""
    found: dict[str, dict[str, str]] = {}
    for text, terms in texts:
        for term in terms:
            said = " ".join(term.of(text).split())
            found.setdefault(term.kind, {}).setdefault(normal_form(said), said)
    return {kind: list(said.values()) for kind, said in found.items()}


def _guess(
    fate: Fate, original: str, left: Sequence[Term], pool: _Distinct, known: TermKnowledge
) -> Guess:
    truth = " ".join(original[fate.start : fate.end].split())
    place = (fate.start, fate.end, fate.kind)
    listed, total = _candidates(fate, truth, pool, known.chain)
    if not listed:
        return Guess(*place, 0, 0, 0.0, 0.0)
    at = bisect_left(left, fate.start, key=lambda t: t.start)
    around = left[max(0, at - NEAR) : at + NEAR]
    near = sorted(around, key=lambda t: max(t.start - fate.end, fate.start - t.end))[:NEAR]
    beside = list(dict.fromkeys(" ".join(t.of(original).split()) for t in near))
    own = _scores([truth], beside, known)[0]
    scores = _scores([c for c in listed if normal_form(c) != normal_form(truth)], beside, known)
    unlisted = max(0, total - len(scores) - 1)
    better = int((scores >= own).sum()) + (unlisted if own <= 0 else 0)
    top = max(own, 0.0, float(scores.max(initial=0.0)))
    weights = np.exp2(np.append(scores, own) - top)
    whole = float(weights.sum()) + unlisted * 2.0**-top
    chances = weights / whole
    some = chances[chances > 0]
    entropy = -float((some * np.log2(some)).sum())
    if unlisted:
        entropy += unlisted * 2.0**-top / whole * (math.log2(whole) + top)
    return Guess(
        *place, len(scores) + 1 + unlisted, better + 1, float(chances[-1]), max(0.0, entropy)
    )


def _scores(
    candidates: Sequence[str], beside: Sequence[str], known: TermKnowledge
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The mean PMI of each candidate with what is left, shape (candidates,)."""
    pmi, count = known.statistics.pmi, max(len(beside), 1)
    found = [math.fsum(pmi(c, q) for q in beside) / count for c in candidates]
    return np.array(found, dtype=np.float64)


def _candidates(fate: Fate, truth: str, pool: _Distinct, chain: Chain) -> tuple[list[str], int]:
    """The candidates that are listed, and how many there are in all."""
    if fate.rung is not None and fate.rung.concept:
        return below(chain, fate.rung.concept, LISTED, leaves=True) or [truth], fate.rung.volume
    if _VALUES & set(rule_chain(fate.kind)):
        return [], 0
    listed, this = pool.get(fate.kind, {}), normal_form(truth)
    total = len(listed) + (this not in listed)
    if total < 2:  # a list with nothing but the truth on it is no list
        return [], 0
    others = (said for form, said in listed.items() if form != this)
    return [truth, *islice(others, LISTED)], total
