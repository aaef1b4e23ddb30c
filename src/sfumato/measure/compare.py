"""All measures of a release at once, text by text and over all, and several sanitizers side by side.

    >>> report = measure_texts("Write to ann@example.org now", "Write to [EMAIL] now")
    >>> report.kinds["EMAIL"], report.edits.share_kept, report.texts[0].name
    (KindKept(terms=1, kept=0, generalised=0), 0.5, 'text')

What is hidden, kept and guessed is measured on the two texts alone, so any sanitizer's output will do. A
report holds no text.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean
from typing import Any

from sfumato.document import Document, Term
from sfumato.errors import InputError
from sfumato.measure.alignment import EditCounts, align
from sfumato.measure.attack import Linkage, reidentify
from sfumato.measure.downstream import AccuracyKept, accuracy_kept
from sfumato.measure.guessing import Guess, GuessSummary, Pool, guess_terms, pool_of, summarise
from sfumato.measure.readability import Readability, readability
from sfumato.measure.similarity import text_similarity
from sfumato.measure.texts import Source, TextPair, pair_up
from sfumato.measure.utility import (
    Fate,
    Find,
    KindKept,
    certainty_penalty,
    default_finder,
    fates,
    information_kept,
    kinds_kept,
)


@dataclass(frozen=True, slots=True)
class TextMeasures:
    """The measures of one text."""

    name: str
    information_kept: float  # percent
    ncp: float | None
    similarity: float
    before: Readability | None
    after: Readability | None
    edits: EditCounts
    kinds: Mapping[str, KindKept]
    guesses: tuple[Guess, ...] = field(repr=False)
    phrases: tuple[Fate, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class TextReport:
    """The measures of a release, over all its texts and for each."""

    texts: tuple[TextMeasures, ...] = field(repr=False)
    information_kept: float  # percent, pooled
    ncp: float | None
    similarity: float
    reading_ease: tuple[float, float] | None  # before and after, averaged over texts
    grade: tuple[float, float] | None
    edits: EditCounts
    kinds: Mapping[str, KindKept]
    guessed: GuessSummary
    found_again: Linkage | None  # by somebody with all the originals; None for a single text
    accuracy: AccuracyKept | None

    @property
    def terms_left(self) -> float:
        """The share of detected terms that still stand, from 0 to 1."""
        total = sum(self.kinds.values(), KindKept())
        return total.kept / total.terms if total.terms else 0.0

    def as_dict(self) -> dict[str, Any]:
        """For JSON; holds no text."""
        found: dict[str, Any] = {
            "texts": len(self.texts),
            "information_kept": self.information_kept,
            "ncp": self.ncp,
            "similarity": self.similarity,
            "reading_ease": self.reading_ease,
            "grade": self.grade,
            "edits": asdict(self.edits) | {"share_kept": self.edits.share_kept},
            "kinds": {kind: asdict(kept) for kind, kept in self.kinds.items()},
            "terms_left": self.terms_left,
            "guessed": asdict(self.guessed),
            "found_again": self.found_again.as_dict() if self.found_again else None,
            "accuracy": None,
        }
        if self.accuracy is not None:
            found["accuracy"] = asdict(self.accuracy) | {"kept": self.accuracy.kept}
        return found

    def rows(self) -> list[dict[str, Any]]:
        """The numbers of each text, for JSON and tables."""
        return [
            {
                "name": t.name,
                "information_kept": t.information_kept,
                "ncp": t.ncp,
                "similarity": t.similarity,
                "share_kept": t.edits.share_kept,
                "terms": sum(k.terms for k in t.kinds.values()),
                "terms_kept": sum(k.kept for k in t.kinds.values()),
                "chance": summarise(t.guesses).chance,
            }
            for t in self.texts
        ]


def measure_texts(
    original: Source,
    released: Source,
    *,
    find: Find | None = None,
    pool: Pool | None = None,
    labels: Sequence[Hashable] | None = None,
    encoding: str = "utf-8",
) -> TextReport:
    """Every measure of texts before and after.

    `find` says which terms matter (without it, the default policy's detectors); `pool` is what an adversary
    can list of each kind, beside the terms of the originals; `labels` are classes of the texts, for a
    classifier trained on the release.
    """
    pairs = pair_up(original, released, encoding=encoding)
    return measure_pairs(pairs, find=find, pool=pool, labels=labels)


def measure_pairs(
    pairs: Sequence[TextPair],
    *,
    find: Find | None = None,
    pool: Pool | None = None,
    labels: Sequence[Hashable] | None = None,
    found: Mapping[str, Sequence[Term]] | None = None,
) -> TextReport:
    """The same for pairs; `found` are their terms by name, where they are known already."""
    terms = found or find_terms(pairs, find)
    listed = pool_of((p.original, terms[p.name]) for p in pairs)
    for kind, more in (pool or {}).items():
        listed[kind] = [*listed.get(kind, ()), *more]
    texts = tuple(_measured(p, terms[p.name], listed) for p in pairs)
    all_phrases = [f for t in texts for f in t.phrases]
    kinds: dict[str, KindKept] = {}
    for text in texts:
        for kind, kept in text.kinds.items():
            kinds[kind] = kinds.get(kind, KindKept()) + kept
    readable = [(t.before, t.after) for t in texts if t.before and t.after]
    linked = None
    if len(pairs) > 1:
        linked = reidentify(
            {p.name: p.released for p in pairs}, {p.name: p.original for p in pairs}
        ).best
    return TextReport(
        texts=texts,
        information_kept=information_kept(all_phrases),
        ncp=certainty_penalty(all_phrases),
        similarity=fmean(t.similarity for t in texts),
        reading_ease=_means((b.reading_ease, a.reading_ease) for b, a in readable),
        grade=_means((b.grade, a.grade) for b, a in readable),
        edits=sum((t.edits for t in texts), EditCounts(0, 0, 0, 0)),
        kinds=dict(sorted(kinds.items())),
        guessed=summarise(g for t in texts for g in t.guesses),
        found_again=linked,
        accuracy=accuracy_kept(pairs, labels) if labels is not None else None,
    )


def find_terms(pairs: Sequence[TextPair], find: Find | None = None) -> dict[str, list[Term]]:
    """The terms of each original, by the name of the pair."""
    find = find or default_finder()
    return {p.name: list(find(Document(p.original, p.name))) for p in pairs}


def compare_texts(
    original: Source,
    released: Mapping[str, Source],
    *,
    find: Find | None = None,
    labels: Sequence[Hashable] | None = None,
    encoding: str = "utf-8",
) -> dict[str, TextReport]:
    """The same measures for the releases of several sanitizers, by name.

    >>> found = compare_texts("Ann has flu", {"label": "[PERSON] has flu", "bar": "xxx has xxx"})
    >>> found["label"].similarity > found["bar"].similarity
    True
    """
    if not released:
        raise InputError(
            "there is nothing to compare: give each release with its name, ours=FOLDER"
        )
    reports, terms = {}, None
    for name, source in released.items():
        pairs = pair_up(original, source, encoding=encoding)
        terms = terms or find_terms(pairs, find)
        reports[name] = measure_pairs(pairs, labels=labels, found=terms)
    return reports


def _measured(pair: TextPair, terms: Sequence[Term], pool: Pool) -> TextMeasures:
    alignment = align(pair.original, pair.released)
    texts = (pair.original, pair.released)
    phrases = fates(*texts, alignment=alignment)
    return TextMeasures(
        name=pair.name,
        information_kept=information_kept(phrases),
        ncp=certainty_penalty(phrases),
        similarity=text_similarity(*texts),
        before=readability(pair.original),
        after=readability(pair.released),
        edits=alignment.counts,
        kinds=kinds_kept(fates(*texts, terms, alignment=alignment)),
        guesses=tuple(guess_terms(*texts, terms, pool=pool, alignment=alignment)),
        phrases=tuple(phrases),
    )


def _means(pairs: Iterable[tuple[float, float]]) -> tuple[float, float] | None:
    listed = list(pairs)
    if not listed:
        return None
    return fmean(b for b, _ in listed), fmean(a for _, a in listed)
