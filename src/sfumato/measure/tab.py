"""How well personal information was hidden, by the definitions of the Text Anonymization Benchmark
(Pilán et al., 2022).

An *entity* is the set of mentions that share an identity. It needs masking if any of its mentions
is marked direct or quasi; it is a *direct* identifier if its first mention is, a *quasi* identifier
otherwise.

- Entity recall (direct, quasi): entities all of whose direct and quasi mentions are masked.
- Token recall: over the words of all mentions of entities that need masking.
- Token precision: of the words in masked spans, those inside a direct or quasi mention.

A word is a run of `\\w`. A mention is masked if every character of it is, not counting function
words, spaces and punctuation; so a function word inside a mention counts as masked in token recall,
too.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from enum import StrEnum
from operator import add

import numpy as np

from sfumato.document import joined

Span = tuple[int, int]

_WORD = re.compile(r"\w+")
LEVEL, DRAWS = 0.95, 2000  # of the bootstrap

# Determiners, prepositions, particles and conjunctions, and the six words that the benchmark adds.
_DETERMINERS = (
    "a an the this that these those each every either neither some any all both no another what "
    "which whatever whichever its his her their my your our whose"
)
_PREPOSITIONS = (
    "about above across after against along alongside amid among amongst around as at before "
    "behind below beneath beside besides between beyond by concerning despite down during "
    "except for from in inside into like near of off on onto out outside over per regarding "
    "since than through throughout till to toward towards under underneath unlike until up upon "
    "via versus with within without"
)
_PARTICLES = "not s to"
_CONJUNCTIONS = "and but or nor so yet if because although though while whereas whether unless"
_ADDED = "mr mrs ms no nr about"
FUNCTION_WORDS = frozenset(
    " ".join((_DETERMINERS, _PREPOSITIONS, _PARTICLES, _CONJUNCTIONS, _ADDED)).split()
)


class Identifier(StrEnum):
    """What a mention gives away: the person by itself, the person with others, or nobody."""

    DIRECT = "DIRECT"
    QUASI = "QUASI"
    NO_MASK = "NO_MASK"


@dataclass(frozen=True, slots=True)
class Mention:
    """A gold span. `entity` names the thing it speaks of within its document."""

    start: int
    end: int
    entity: str
    identifier: Identifier
    kind: str = ""

    @property
    def needs_masking(self) -> bool:
        return self.identifier is not Identifier.NO_MASK


@dataclass(frozen=True, slots=True)
class MaskCounts:
    """The numerators and denominators of one document, or of several added up."""

    tokens_recalled: int = 0
    tokens: int = 0
    direct_masked: int = 0
    direct: int = 0
    quasi_masked: int = 0
    quasi: int = 0
    tokens_right: int = 0
    tokens_masked: int = 0

    def __add__(self, other: MaskCounts) -> MaskCounts:
        return MaskCounts(*map(add, astuple(self), astuple(other)))


@dataclass(frozen=True, slots=True)
class Scores:
    """The four numbers of the benchmark; `None` where there was nothing to count."""

    token_recall: float | None
    direct_recall: float | None
    quasi_recall: float | None
    token_precision: float | None


@dataclass(frozen=True, slots=True)
class ConfidenceInterval:
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Intervals:
    """A bootstrap interval for each score; `None` where there was nothing to count."""

    token_recall: ConfidenceInterval | None
    direct_recall: ConfidenceInterval | None
    quasi_recall: ConfidenceInterval | None
    token_precision: ConfidenceInterval | None


def words(text: str, start: int, end: int) -> list[Span]:
    """The runs of word characters in a slice of the text, as offsets into the text.

    >>> words("Mr X. of Rome", 3, 13)
    [(3, 4), (6, 8), (9, 13)]
    """
    return [(start + m.start(), start + m.end()) for m in _WORD.finditer(text[start:end])]


def is_function_word(word: str) -> bool:
    return word.lower() in FUNCTION_WORDS


def count(text: str, mentions: Iterable[Mention], masked: Iterable[Span]) -> MaskCounts:
    """The counts of one document.

    >>> ann = Mention(0, 3, "ann", Identifier.DIRECT)
    >>> rome = Mention(13, 17, "rome", Identifier.QUASI)
    >>> count("Ann lives in Rome", [ann, rome], [(0, 3), (4, 9)])
    MaskCounts(tokens_recalled=1, tokens=2, direct_masked=1, direct=1, quasi_masked=0, quasi=1, \
tokens_right=1, tokens_masked=2)
    """
    mentions, spans = tuple(mentions), merge(masked)
    covered = _Cover(spans)
    gold = _Cover((m.start, m.end) for m in mentions if m.needs_masking)
    recalled = tokens = 0
    masked_entities = {True: 0, False: 0}  # by whether the entity is direct
    entities = {True: 0, False: 0}
    for entity in _entities(mentions):
        hidden = True
        for mention in entity:
            seen = [
                is_function_word(text[a:b]) or covered.holds(a, b)
                for a, b in words(text, mention.start, mention.end)
            ]
            recalled += sum(seen)
            tokens += len(seen)
            hidden = hidden and (all(seen) or not mention.needs_masking)
        direct = entity[0].identifier is Identifier.DIRECT
        entities[direct] += 1
        masked_entities[direct] += hidden
    said = [word for start, end in spans for word in words(text, start, end)]
    return MaskCounts(
        tokens_recalled=recalled,
        tokens=tokens,
        direct_masked=masked_entities[True],
        direct=entities[True],
        quasi_masked=masked_entities[False],
        quasi=entities[False],
        tokens_right=sum(gold.holds(a, b) for a, b in said),
        tokens_masked=len(said),
    )


def missed(text: str, mentions: Iterable[Mention], masked: Iterable[Span]) -> tuple[Mention, ...]:
    """The direct and quasi mentions that are not masked, for the analysis of errors."""
    covered = _Cover(merge(masked))
    return tuple(
        m
        for m in mentions
        if m.needs_masking
        and not all(
            is_function_word(text[a:b]) or covered.holds(a, b)
            for a, b in words(text, m.start, m.end)
        )
    )


def score(counts: Iterable[MaskCounts]) -> Scores:
    """The scores over all documents: counts are added up first (micro average)."""
    total = sum(counts, start=MaskCounts())
    return Scores(
        _ratio(total.tokens_recalled, total.tokens),
        _ratio(total.direct_masked, total.direct),
        _ratio(total.quasi_masked, total.quasi),
        _ratio(total.tokens_right, total.tokens_masked),
    )


def bootstrap(counts: Sequence[MaskCounts], *, seed: int = 0) -> Intervals:
    """Percentile intervals of the scores, of 95 %, when documents are drawn again with replacement.

    >>> bootstrap([MaskCounts(1, 2), MaskCounts(1, 2)]).token_recall
    ConfidenceInterval(low=0.5, high=0.5)
    """
    if not counts:
        return Intervals(None, None, None, None)
    table = np.array([astuple(c) for c in counts], dtype=np.int64)  # (documents, 8)
    draws = np.random.default_rng(seed).integers(len(table), size=(DRAWS, len(table)))
    # One draw at a time: all of them together are gigabytes where there are thousands of documents.
    sums = np.stack([table[rows].sum(axis=0) for rows in draws])
    sums = sums.reshape(DRAWS, len(fields(MaskCounts)) // 2, 2)
    tail = (1 - LEVEL) / 2
    found: list[ConfidenceInterval | None] = []
    for part, whole in np.moveaxis(sums, 0, 2):
        ratios = part[whole > 0] / whole[whole > 0]
        if len(ratios) == 0:
            found.append(None)
        else:
            low, high = np.quantile(ratios, [tail, 1 - tail])
            found.append(ConfidenceInterval(float(low), float(high)))
    return Intervals(*found)


def merge(spans: Iterable[Span]) -> list[Span]:
    """The same characters as spans that neither overlap nor touch, in order of the text.

    >>> merge([(4, 6), (0, 2), (1, 4)])
    [(0, 6)]
    """
    return joined(((start, end) for start, end in spans if start < end), 1)


class _Cover:
    """Answers whether a slice lies inside one of some spans, in logarithmic time."""

    def __init__(self, spans: Iterable[Span]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        # The furthest end of any span that starts at or before this one.
        self._reach = np.maximum.accumulate(np.array([end for _, end in ordered], dtype=np.int64))

    def holds(self, start: int, end: int) -> bool:
        at = bisect_right(self._starts, start)
        return at > 0 and bool(self._reach[at - 1] >= end)


def _entities(mentions: Iterable[Mention]) -> list[list[Mention]]:
    """Mentions by entity, in order of the text, of entities that need masking."""
    by_entity: dict[str, list[Mention]] = {}
    for mention in sorted(mentions, key=lambda m: (m.start, m.end)):
        by_entity.setdefault(mention.entity, []).append(mention)
    return [ms for ms in by_entity.values() if any(m.needs_masking for m in ms)]


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
