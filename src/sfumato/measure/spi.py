"""SPI and its relatives: how far each user's released documents are from the original ones.

    >>> before = [("ann", "flu"), ("ann", "hiv test"), ("bob", "flu")]
    >>> after = [("ann", "flu"), ("bob", "flu")]
    >>> round(jsd_score(before, after), 4), round(spi_score(before, after, sensitivity={"flu": 0.5}), 4)
    (0.1556, 0.1403)

Larger is more private, except for PEL and impressions: X = Y gives 0, all gone gives 1. Both tables are data
frames (pandas, polars, pyarrow) with the columns `user` and `document`, sequences of (user, document), or
paths of such files (.csv, .tsv, .jsonl, .parquet). An empty or missing document of the release is one that
was suppressed.

The options are the same for all: see `ColumnNames`, `Matching` and `Weighing`. Section 2 of Carpineto and
Romano (2018); logarithms are to base 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict, Unpack

import numpy as np

from sfumato.errors import InputError
from sfumato.formats.log import LogRows, Table
from sfumato.measure.divergences import Divergence, jensen_shannon, kullback_leibler
from sfumato.measure.exposure import exposure, partners
from sfumato.measure.matching import (
    Bools,
    Floats,
    Ints,
    MatchMode,
    Sensitivity,
    event_weights,
    events_of,
    match_of,
    sigmas,
)
from sfumato.measure.pairs import Pairs, load


class ColumnNames(TypedDict, total=False):
    """What the columns are called."""

    user: str
    document: str


class Matching(ColumnNames, total=False):
    """When two documents are the same: `exact`, `normal_form` or `words`."""

    match: str


class Weighing(Matching, total=False):
    """How likely each document is sensitive (σ_d): a mapping, a function, or a model with `probabilities`;
    `missing` is for documents that a mapping does not name."""

    sensitivity: Sensitivity
    missing: float


@dataclass(frozen=True, slots=True)
class SpiReport:
    """All measures of a release, over all users and for each. Holds no document."""

    spi: float
    jsd: float
    pel: float | None  # None: it is not known what became of each document
    impressions: float  # released documents in percent of the original ones
    documents: int
    documents_released: int
    users_gone: int  # users of whom nothing was released: JSD 1, SPI the sum of w_d·P(d|X_u)
    unnamed: int  # distinct documents that the sensitivity mapping does not name
    match: MatchMode
    users: tuple[Any, ...] = field(repr=False)
    user_spi: Floats = field(repr=False)  # shape (users,)
    user_jsd: Floats = field(repr=False)  # shape (users,)
    user_pel: Floats | None = field(repr=False)  # shape (users,)
    user_gone: Bools = field(repr=False)  # shape (users,)

    def of(self, user: Any) -> Mapping[str, float]:
        """The measures of one user."""
        if user not in self.users:
            raise InputError("the original has no such user")
        at = self.users.index(user)
        found = {"spi": float(self.user_spi[at]), "jsd": float(self.user_jsd[at])}
        return found if self.user_pel is None else {**found, "pel": float(self.user_pel[at])}

    def as_dict(self) -> dict[str, Any]:
        """The numbers over all users, for JSON; names no user."""
        names = ("spi", "jsd", "pel", "impressions", "documents", "documents_released")
        found = {name: getattr(self, name) for name in names}
        return found | {
            "users": len(self.users),
            "users_gone": self.users_gone,
            "unnamed": self.unnamed,
            "match": str(self.match),
        }

    def notes(self) -> list[str]:
        """What a reader of the numbers should know, in words."""
        found = []
        if not self.documents_released:
            found.append("the release is empty: everything is gone, and nothing is left to use")
        elif self.users_gone:
            found.append(
                f"{self.users_gone:,} of {len(self.users):,} users have no documents in the release: "
                "they count with JSD 1 and all of their weights"
            )
        if self.unnamed:
            found.append(f"{self.unnamed:,} documents have no sensitivity of their own")
        if self.pel is None and self.match is MatchMode.WORDS:
            found.append("PEL is about whole documents: not measured when words are matched")
        elif self.pel is None:
            found.append("PEL was not measured: it is not known what became of each document")
        return found


def spi_score(original: Table, released: Table, **how: Unpack[Weighing]) -> float:
    """The Sensitive-aware Privacy Index: WJSD averaged over the users of the original, from 0 to 1.

    >>> spi_score([("ann", "flu"), ("ann", "hiv test")], [("ann", "flu")], sensitivity={"flu": 1})
    0.25
    """
    return _mean(_weighed(original, released, **how).weighted)


wjsd_score = spi_score  # the weighted Jensen-Shannon divergence is SPI by its other name


def jsd_score(original: Table, released: Table, **how: Unpack[Matching]) -> float:
    """The Jensen-Shannon divergence (eq. 2) averaged over users, from 0 to 1.

    >>> jsd_score([("ann", "flu")], [("ann", "an illness")])
    1.0
    """
    return _mean(_weighed(original, released, **how).plain)


def wkld_score(original: Table, released: Table, **how: Unpack[Weighing]) -> float:
    """The weighted Kullback-Leibler divergence (eq. 3) averaged over users.

    Infinite as soon as a document with a weight above 0 is gone; negative where weights make it so.
    """
    return _mean(_weighed(original, released, kullback=True, **how).weighted)


def kld_score(original: Table, released: Table, **how: Unpack[Matching]) -> float:
    """The Kullback-Leibler divergence (eq. 1) averaged over users; infinite as soon as a document is gone."""
    return _mean(_weighed(original, released, kullback=True, **how).plain)


def pel_score(
    original: Table,
    released: Table,
    *,
    match: str = MatchMode.EXACT,
    **columns: Unpack[ColumnNames],
) -> float:
    """The Profile Exposure Level (eq. 4) averaged over users, from 0 to 100; smaller is more private.

    Rows are partners where both tables name the same users row by row; otherwise the release must consist of
    original documents.

    >>> pel_score([("ann", "flu"), ("ann", "hiv test")], [("ann", "illness"), ("ann", None)])
    100.0
    """
    how = match_of(match)
    if how is MatchMode.WORDS:
        raise InputError("PEL is about whole documents: match is 'exact' or 'normal_form'")
    return _mean(_exposed(load(original, released, **columns), how))


def impressions(original: Table, released: Table, **columns: Unpack[ColumnNames]) -> float:
    """Released documents in percent of the original ones.

    >>> impressions([("ann", "flu"), ("ann", "hiv test")], [("ann", "flu")])
    50.0
    """
    pairs = load(original, released, **columns)
    return 100 * len(pairs.kept) / len(pairs.original)


def spi_report(
    original: Table,
    released: Table,
    *,
    sensitivity: Sensitivity = None,
    match: str = MatchMode.EXACT,
    missing: float = 0.0,
    **columns: Unpack[ColumnNames],
) -> SpiReport:
    """All measures at once, over all users and for each of them.

    >>> report = spi_report([("ann", "flu"), ("bob", "flu")], [("ann", "flu")])
    >>> report.jsd, report.pel, report.users_gone, report.of("bob")
    (0.5, 50.0, 1, {'spi': 1.0, 'jsd': 1.0, 'pel': 0.0})
    """
    how = match_of(match)
    pairs = load(original, released, **columns)
    sigma, unnamed = sigmas(pairs.documents, sensitivity, missing)
    found = _divergence(pairs, sigma, how, kullback=False)
    pel = None
    if how is not MatchMode.WORDS:
        try:
            pel = _exposed(pairs, how)
        except InputError:
            pel = None
    kept = pairs.kept
    gone = np.bincount(kept.users, minlength=len(pairs.users)) == 0
    return SpiReport(
        spi=_mean(found.weighted),
        jsd=_mean(found.plain),
        pel=None if pel is None else _mean(pel),
        impressions=100 * len(kept) / len(pairs.original),
        documents=len(pairs.original),
        documents_released=len(kept),
        users_gone=int(gone.sum()),
        unnamed=unnamed,
        match=how,
        users=tuple(pairs.users),
        user_spi=found.weighted,
        user_jsd=found.plain,
        user_pel=pel,
        user_gone=gone,
    )


def _weighed(
    original: Table,
    released: Table,
    *,
    kullback: bool = False,
    sensitivity: Sensitivity = None,
    match: str = MatchMode.EXACT,
    missing: float = 0.0,
    **columns: Unpack[ColumnNames],
) -> Divergence:
    pairs = load(original, released, **columns)
    sigma, _ = sigmas(pairs.documents, sensitivity, missing)
    return _divergence(pairs, sigma, match_of(match), kullback=kullback)


def _divergence(pairs: Pairs, sigma: Floats, match: MatchMode, *, kullback: bool) -> Divergence:
    before, after = pairs.original, pairs.kept
    if match is MatchMode.EXACT:
        weights = 1.0 - sigma
    else:
        events = events_of(pairs.documents, match)
        weights = event_weights(events, sigma, _occur(before, len(pairs.documents)))
        before, after = events.expand(before), events.expand(after)
    divergence = kullback_leibler if kullback else jensen_shannon
    return divergence(before, after, len(pairs.users), weights)


def _occur(rows: LogRows, documents: int) -> Bools:
    found = np.zeros(documents, dtype=np.bool_)
    found[rows.documents] = True
    return found


def _exposed(pairs: Pairs, match: MatchMode) -> Floats:
    form: Ints = events_of(pairs.documents, match).ids.astype(np.int64)
    y = partners(pairs, form)
    users = pairs.original.users.astype(np.int64)
    return exposure(users, form[pairs.original.documents], y.astype(np.int64), len(pairs.users))


def _mean(values: Floats) -> float:
    return float(values.mean())
