"""Why a term had to go, in words: the smallest group of terms that would fit too few entities with it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.know.entities.contexts import Ints
from sfumato.protect.ksafety import bits
from sfumato.protect.ksafety.matching import Bools, ContextTerms


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Terms that together fit one protected entity and too few others."""

    columns: tuple[int, ...]
    entity: int
    others: int


def counterexample(
    context: ContextTerms, column: int, kept: Collection[int], k: int
) -> Counterexample | None:
    """What would be wrong if a column stood beside those that are kept; None if nothing would.

    Of the protected entities that would stand out, the one with the most of the terms is told of; terms
    that are not needed for that are left out.
    """
    have, entities = context.rows(column)
    allowed = np.zeros(len(context), dtype=np.bool_)
    allowed[[*kept, column]] = True
    rows, which = bits.merge(bits.from_bools(have & allowed))
    counts = np.bincount(which, minlength=len(rows))
    distinct = bits.to_bools(rows, len(context))
    marked = np.isin(entities, context.protected)
    candidates = np.unique(which[marked])
    sizes = distinct[candidates].sum(axis=1)
    for row in candidates[np.argsort(-sizes, kind="stable")].tolist():
        wanted = np.flatnonzero(distinct[row]).tolist()
        if _others(distinct, counts, wanted) >= k:
            continue
        for dropped in [c for c in wanted if c != column]:
            fewer = [c for c in wanted if c != dropped]
            if _others(distinct, counts, fewer) < k:
                wanted = fewer
        entity = int(entities[marked & (which == row)][0])
        return Counterexample(tuple(wanted), entity, _others(distinct, counts, wanted))
    return None


def _others(distinct: Bools, counts: Ints, columns: Sequence[int]) -> int:
    """How many entities beside one have all of these columns."""
    return int(counts[distinct[:, columns].all(axis=1)].sum()) - 1


def told(found: Counterexample, k: int, said: Callable[[int], str], name: str) -> str:
    """A counterexample as a sentence.

    >>> told(Counterexample((0, 1), 7, 3), 10, ["sweating", "fatigue"].__getitem__, "HIV")
    'with *sweating* and *fatigue* only HIV and 3 others remain; 10 are required'
    """
    terms = [f"*{said(column)}*" for column in found.columns]
    listed = terms[0] if len(terms) == 1 else f"{', '.join(terms[:-1])} and {terms[-1]}"
    rest = {0: "", 1: " and 1 other"}.get(found.others, f" and {found.others} others")
    verb = "remain" if found.others else "remains"
    return f"with {listed} only {name}{rest} {verb}; {k} are required"
