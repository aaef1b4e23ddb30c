"""How good a policy's detectors are, on texts in which people have marked what to hide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sfumato.detect.finder import Finder
from sfumato.document import Document
from sfumato.measure import tab
from sfumato.measure.gold import GoldDocument
from sfumato.measure.tab import ConfidenceInterval, Identifier, MaskCounts, Mention, Span
from sfumato.policy import Policy

SCORES = ("token_recall", "direct_recall", "quasi_recall", "token_precision")


@dataclass(frozen=True, slots=True)
class Score:
    """A share, its bootstrap interval, and of how many; `value` is None where there was nothing."""

    value: float | None
    interval: ConfidenceInterval | None
    total: int


@dataclass(frozen=True, slots=True)
class KindScore:
    """What was found of one kind of gold entity."""

    token_recall: Score
    entities_masked: int
    entities: int


@dataclass(frozen=True, slots=True)
class Missed:
    """A term that should have been masked and was not: how often, and where first."""

    text: str
    kind: str
    identifier: Identifier
    count: int
    document: str
    start: int


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The scores of a policy's detectors on gold documents."""

    documents: int
    scores: Mapping[str, Score]
    kinds: Mapping[str, KindScore]
    missed: tuple[Missed, ...]


def evaluate(documents: Sequence[GoldDocument], settings: Policy, *, seed: int = 0) -> Evaluation:
    """Run a policy's detectors over gold documents and count by the benchmark's definitions.

    Masked is what is found and not kept by the policy's rule. Several annotators of a document are
    averaged as the benchmark does: each is counted, and the counts are added up.
    """
    find = Finder(settings)
    counts: list[MaskCounts] = []
    by_kind: list[dict[str, MaskCounts]] = []
    missed: list[tuple[GoldDocument, Mention]] = []
    for document in documents:
        terms = find(Document(document.text, document.name))
        masked = [(t.start, t.end) for t in terms if not settings.keeps(t.kind)]
        counts.append(_count(document.text, document.annotations, masked))
        split = [_by_kind(mentions) for mentions in document.annotations]
        by_kind.append(
            {
                kind: _count(document.text, [part.get(kind, ()) for part in split], masked)
                for kind in {kind for part in split for kind in part}
            }
        )
        for mentions in document.annotations:
            found = tab.missed(document.text, mentions, masked)
            missed += [(document, mention) for mention in found]
    kinds = {
        kind: _kind_score([part.get(kind, MaskCounts()) for part in by_kind], seed)
        for kind in {kind for part in by_kind for kind in part}
    }
    marked = [(kind, found) for kind, found in kinds.items() if found.entities]
    ranked = sorted(marked, key=lambda k: (-k[1].token_recall.total, k[0]))
    return Evaluation(len(documents), _scores(counts, seed), dict(ranked), _gathered(missed))


def _count(
    text: str, annotations: Iterable[Sequence[Mention]], masked: Sequence[Span]
) -> MaskCounts:
    return sum((tab.count(text, mentions, masked) for mentions in annotations), start=MaskCounts())


def _by_kind(mentions: Iterable[Mention]) -> dict[str, list[Mention]]:
    """The mentions by the kind of their entity, which is that of its first mention."""
    kinds: dict[str, str] = {}
    parts: dict[str, list[Mention]] = {}
    for mention in mentions:
        kind = kinds.setdefault(mention.entity, mention.kind)
        parts.setdefault(kind, []).append(mention)
    return parts


def _scores(counts: Sequence[MaskCounts], seed: int) -> dict[str, Score]:
    values, intervals = tab.score(counts), tab.bootstrap(counts, seed=seed)
    total = sum(counts, start=MaskCounts())
    totals = (total.tokens, total.direct, total.quasi, total.tokens_masked)
    return {
        name: Score(getattr(values, name), getattr(intervals, name), number)
        for name, number in zip(SCORES, totals, strict=True)
    }


def _kind_score(counts: Sequence[MaskCounts], seed: int) -> KindScore:
    total = sum(counts, start=MaskCounts())
    return KindScore(
        _scores(counts, seed)["token_recall"],
        total.direct_masked + total.quasi_masked,
        total.direct + total.quasi,
    )


def _gathered(missed: Iterable[tuple[GoldDocument, Mention]]) -> tuple[Missed, ...]:
    """The missed terms, the most frequent first; direct identifiers before quasi."""
    times: Counter[tuple[str, str, Identifier]] = Counter()
    first: dict[tuple[str, str, Identifier], tuple[str, int]] = {}
    for document, mention in missed:
        words = " ".join(document.text[mention.start : mention.end].split())
        term = (words, mention.kind, mention.identifier)
        times[term] += 1
        first.setdefault(term, (document.name, mention.start))
    ranked = sorted(times.items(), key=lambda t: (-t[1], t[0][2], t[0]))
    return tuple(Missed(*term, count, *first[term]) for term, count in ranked)
