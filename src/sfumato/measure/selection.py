"""Selection of a log's documents by names and private words: a release strategy to measure others against.

Section 3.3 of Carpineto and Romano (2018). What is selected is measured, not released.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Literal

import numpy as np

from sfumato.errors import InputError
from sfumato.formats.log import LogRows, Table, read
from sfumato.measure.matching import Bools
from sfumato.measure.sensitivity import default

TELLING = 8.0  # a word that multiplies the odds of "sensitive" by so much is private

Pair = tuple[Any, Any]


class Ppp:
    """Says whether a document names a person or a place, or holds a private word (PPP).

    Without lists of your own it uses given names, surnames and places that come along, as far as they are no
    ordinary words, and the words that the shipped sensitivity model finds most telling.

    >>> ppp = Ppp(["Keller", "New York", "hiv"])
    >>> [ppp(d) for d in ("weather new york", "HIV test", "pizza recipe")]
    [True, True, False]
    """

    def __init__(self, terms: Iterable[str] | None = None) -> None:
        from sfumato.english.matcher import TermMatcher

        self._matcher = TermMatcher(_shipped_terms() if terms is None else terms, inflect=False)

    def __call__(self, document: str) -> bool:
        return bool(self._matcher.find(document))


@cache
def _shipped_terms() -> tuple[str, ...]:
    from faker.providers.person.en_US import Provider

    from sfumato.english.ordinary import is_ordinary
    from sfumato.know.taxonomy import places

    names = {str(n) for n in (*Provider.first_names, *Provider.last_names)}
    found = {n.casefold() for n in names} | set(places.default().names(min_population=15_000))
    rare = {n for n in found if len(n) > 3 and (" " in n or not is_ordinary(n))}
    private = (w for w in default().telling_words(TELLING) if w.isalpha())
    return tuple(sorted(rare.union(private)))


def select_ppp(
    log: Table,
    is_ppp: Callable[[str], bool],
    share: float,
    *,
    release: Literal["only-ppp", "no-ppp"],
    seed: int = 0,
    user: str = "user",
    document: str = "document",
) -> list[Pair]:
    """A part of the log, drawn from its PPP rows or from the others: `share` of all rows, in their order.

    A larger share holds every smaller one of the same seed.

    >>> log = [("ann", "hiv test"), ("ann", "pizza"), ("bob", "weather"), ("bob", "flu")]
    >>> select_ppp(log, Ppp(["hiv"]), 0.25, release="only-ppp")
    [('ann', 'hiv test')]
    """
    found = read(log, user=user, document=document)
    flags = np.fromiter((is_ppp(str(d)) for d in found.documents), dtype=np.bool_)
    kept = found.rows.where(ppp_rows(found.rows, flags, share, release=release, seed=seed))
    return [
        (found.users[u], found.documents[d])
        for u, d in zip(kept.users.tolist(), kept.documents.tolist(), strict=True)
    ]


def ppp_rows(
    rows: LogRows,
    ppp: Bools,
    share: float,
    *,
    release: Literal["only-ppp", "no-ppp"],
    seed: int = 0,
) -> Bools:
    """The same for numbers: `ppp` says it of each document; the chosen rows, shape (rows,)."""
    if not 0 <= share <= 1:
        raise InputError("the share of a log is a number from 0 to 1")
    wanted = round(share * len(rows))
    candidates = np.flatnonzero(ppp[rows.documents] == (release == "only-ppp"))
    if wanted > len(candidates):
        raise InputError(
            f"{release} can release {len(candidates) / len(rows):.1%} of this log at most; "
            "ask for a smaller share"
        )
    chosen = np.zeros(len(rows), dtype=np.bool_)
    chosen[np.random.default_rng(seed).permutation(candidates)[:wanted]] = True
    return chosen
