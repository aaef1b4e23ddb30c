"""What a setting costs: risk against utility for each of its values, and the value to take.

    >>> points = [Point({"t": 1}, 0.9, 95.0), Point({"t": 10}, 0.3, 90.0), Point({"t": 100}, 0.25, 40.0)]
    >>> Frontier("documents", "risk", "utility", tuple(points)).knee
    1

*Risk* is the chance that a term is disclosed, averaged over every thing that the policy hides at some value
of the sweep: 1 where it still stands, else the chance that a guessing attack names it (0 where nobody can
list candidates). With a background collection, the risk is the share of releases whose person is found at the
first try. *Utility* is the information kept, in percent. No release is written.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from sfumato.document import Document, Release, Term, resolve
from sfumato.english.folding import normal_form
from sfumato.errors import InputError, SfumatoError
from sfumato.keys import Key
from sfumato.measure.alignment import TextAlignment, align
from sfumato.measure.attack import Background, Linkage, reidentify
from sfumato.measure.guessing import Pool, guess_terms, pool_of
from sfumato.measure.similarity import text_similarity
from sfumato.measure.sweep import Sweep, variants
from sfumato.measure.utility import Fate, fates, information_kept
from sfumato.pipeline import Sanitizer
from sfumato.policy import Policy
from sfumato.release.ledger import Ledger

LONG = 10**9  # numbers that are written as powers of ten
# Nothing is released, so nothing needs to be unpredictable; and the same sweep gives the same numbers.
_KEY = Key(bytes(32))


@dataclass(frozen=True, slots=True)
class Point:
    """One policy of a sweep: its settings, what it risks and what it keeps. `refused` says why it has no
    numbers; `more` holds further numbers by name."""

    settings: Mapping[str, Any]
    risk: float = math.nan
    utility: float = math.nan
    more: Mapping[str, Any] = field(default_factory=dict)
    refused: str = ""

    @property
    def label(self) -> str:
        """The settings in words: the last part of each path and its value."""
        return ", ".join(
            f"{path.rpartition('.')[2]} = {_said(v)}" for path, v in self.settings.items()
        )


def _said(value: Any) -> str:
    """A setting's value; long numbers short.

    >>> _said(1000), _said(10**12), _said("label")
    ('1,000', '1e+12', 'label')
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}" if abs(value) < LONG else f"{value:.3g}"
    return str(value)


@dataclass(frozen=True, slots=True)
class Frontier:
    """All points of a sweep, in its order."""

    what: str  # documents or a table
    risk: str  # what the risk is, in words
    utility: str
    points: tuple[Point, ...]
    at_most: float | None = None  # the risk that a recommended point may have

    @property
    def best(self) -> list[int]:
        """The points that no other one beats in both respects, by rising risk."""
        able = [n for n, p in enumerate(self.points) if not p.refused]
        chosen = [n for n in able if not any(_beats(self.points[m], self.points[n]) for m in able)]
        return sorted(chosen, key=lambda n: (self.points[n].risk, n))

    @property
    def knee(self) -> int | None:
        """The recommended point: of the best, the one farthest from the line between the two ends, where a
        little more utility begins to cost much risk. Of two ends alone, the safer one. None where every point
        is refused or has more risk than `at_most`."""
        best = [n for n in self.best if self.at_most is None or self.points[n].risk <= self.at_most]
        if not best:
            return None
        low, high = self.points[best[0]], self.points[best[-1]]
        width, height = high.risk - low.risk, high.utility - low.utility
        if not width or not height:
            return best[0]

        def above(n: int) -> float:
            p = self.points[n]
            return (p.utility - low.utility) / height - (p.risk - low.risk) / width

        return max(best, key=lambda n: (round(above(n), 12), -best.index(n)))

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        best, knee = self.best, self.knee
        rows = []
        for n, p in enumerate(self.points):
            row: dict[str, Any] = {"settings": dict(p.settings)}
            if p.refused:
                row |= {"refused": p.refused}
            else:
                row |= {"risk": p.risk, "utility": p.utility, **p.more}
            rows.append(row | {"on_frontier": n in best, "recommended": n == knee})
        said = {"what": self.what, "risk": self.risk, "utility": self.utility}
        return said | {"points": rows}


def _beats(one: Point, other: Point) -> bool:
    as_good = one.risk <= other.risk and one.utility >= other.utility
    return as_good and (one.risk, one.utility) != (other.risk, other.utility)


def explore(
    documents: Sequence[Document],
    policy: Policy,
    sweeps: Sequence[Sweep],
    *,
    background: Mapping[str, str] | None = None,
    truth: Mapping[str, str] | None = None,
    at_most: float | None = None,
    watch: Callable[[str], None] = lambda said: None,
) -> Frontier:
    """Sanitize the documents by every policy of the sweep, and measure what each risks and keeps.

    With a `background` (what is known of each person, by name) releases are linked to persons; `truth` names
    the person of each document. No point with a risk above `at_most` is recommended. `watch` is told which
    policy is next.
    """
    if not documents or not any(d.text.strip() for d in documents):
        raise InputError("there are no documents with any text to explore")
    made: list[tuple[dict[str, Any], list[Release] | str]] = []
    for said, variant in variants(policy, sweeps):
        watch(Point(said).label)
        made.append((said, _released(documents, variant)))
    hidden = [_hidden_anywhere(n, made) for n in range(len(documents))]
    pool = pool_of((d.text, terms) for d, terms in zip(documents, hidden, strict=True))
    known = Background(background) if background else None
    points = []
    for said, releases in made:
        if isinstance(releases, str):
            points.append(Point(said, refused=releases))
            continue
        texts = [release.text for release in releases]
        found = None
        if known is not None:
            named = {d.name: text for d, text in zip(documents, texts, strict=True)}
            found = reidentify(named, known, truth).best
        points.append(_point(said, documents, texts, hidden, pool, found))
    risk = "persons found at the first try" if background else "chance that a term is disclosed"
    return Frontier("documents", risk, "information kept, percent", tuple(points), at_most)


def _released(documents: Sequence[Document], policy: Policy) -> list[Release] | str:
    """The releases of all documents, or why there are none."""
    try:
        with Ledger(_KEY) as vault:
            sanitizer = Sanitizer(policy, _KEY, vault)
            return [sanitizer(document) for document in documents]
    except SfumatoError as error:
        return str(error)


def _hidden_anywhere(n: int, made: Sequence[tuple[Any, list[Release] | str]]) -> list[Term]:
    """Every term of a document that some policy hides, without overlaps."""
    edits = [
        edit
        for _, releases in made
        if not isinstance(releases, str)
        for edit in releases[n].edits
        if edit.hides
    ]
    return resolve(Term(e.start, e.end, e.kind, 1.0, "explore") for e in edits)


def _point(
    said: Mapping[str, Any],
    documents: Sequence[Document],
    texts: Sequence[str],
    hidden: Sequence[Sequence[Term]],
    pool: Pool,
    found: Linkage | None,
) -> Point:
    chances: list[float] = []
    phrases: list[Fate] = []
    similar: list[float] = []
    for document, text, terms in zip(documents, texts, hidden, strict=True):
        alignment = align(document.text, text)
        chances += _chances(document.text, text, terms, pool, alignment)
        phrases += fates(document.text, text, alignment=alignment)
        similar.append(text_similarity(document.text, text))
    disclosed = fmean(chances) if chances else 0.0
    more: dict[str, Any] = {"similarity": fmean(similar)}
    risk = disclosed
    if found is not None:
        more |= {
            "disclosed": disclosed,
            "interval": found.top_1.interval,
            "top_5": found.top_5.rate,
        }
        risk = found.top_1.rate
    return Point(said, risk, information_kept(phrases), more)


def _chances(
    original: str, released: str, terms: Sequence[Term], pool: Pool, alignment: TextAlignment
) -> list[float]:
    """The chance that each thing is disclosed; one that stands anywhere is."""
    guesses = guess_terms(original, released, terms, pool=pool, alignment=alignment)
    hidden = {_thing(original, g.start, g.end, g.kind): g.chance for g in guesses}
    chances: dict[tuple[str, str], float] = {}
    for term in terms:
        thing = _thing(original, term.start, term.end, term.kind)
        stands = alignment.is_kept(term.start, term.end)
        chances[thing] = 1.0 if stands else max(chances.get(thing, 0.0), hidden.get(thing, 0.0))
    return list(chances.values())


def _thing(text: str, start: int, end: int, kind: str) -> tuple[str, str]:
    return kind, normal_form(text[start:end])
