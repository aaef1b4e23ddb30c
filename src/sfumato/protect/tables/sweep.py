"""Cutting persons in two where both sides together lose least.

Every column gives orders of the persons, every place in an order a cut; frequent terms give a cut
by presence. One pass from each end tells what all cuts of an order would lose. The loss is that of
both sides of eq. (2); of the terms only the most frequent are looked at, since a coarse part shares
no others. Every order asks all columns for their loss: of many columns only the widest give orders,
or time would go with the square of the columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.protect.tables.block import interval
from sfumato.protect.tables.mondrian import ClassRule
from sfumato.protect.tables.problem import Column, Persons
from sfumato.protect.tables.segments import (
    Floats,
    Ints,
    entries_of,
    first_of_run,
    starts_of,
)

BY_COLUMN = 24  # columns that a part is tried to be cut by
FREQUENT = 48  # terms that count as frequent
BY_TERM = 4  # frequent terms that a part is tried to be cut by


@dataclass(frozen=True)
class Cut:
    """`order[:place]` and `order[place:]` are the two sides."""

    loss: float
    place: int
    order: Ints

    @property
    def sides(self) -> tuple[Ints, Ints]:
        return np.sort(self.order[: self.place]), np.sort(self.order[self.place :])


class PersonCuts:
    """Cuts of any part of a table's persons."""

    def __init__(
        self,
        table: Persons,
        k: int,
        relational: float,
        textual: float,
        rules: Sequence[ClassRule] = (),
    ) -> None:
        self.k, self.rules = k, rules
        self.relational = relational / max(len(table.columns), 1)
        self.textual = textual
        everyone = np.arange(table.count)
        self.intervals = [interval(c, everyone) for c in table.columns if c.kind != "nominal"]
        self.nominal = [c for c in table.columns if c.kind == "nominal"]
        terms = table.terms
        count = np.bincount(terms.ids, minlength=terms.count)
        often = np.argsort(-count, kind="stable")[:FREQUENT]
        often = often[count[often] >= k] if textual else often[:0]
        number = np.full(terms.count + 1, -1, np.int64)
        number[often] = np.arange(len(often))
        place = number[terms.ids]
        inside = place >= 0
        self.has = np.zeros((table.count, len(often)), np.bool_)
        self.has[terms.owner[inside], place[inside]] = True
        self.column_of = terms.column_of[often]
        self.weight = np.zeros((table.count, len(terms.columns)))
        self.weight[terms.owner, terms.column_of[terms.ids]] = terms.weight

    def parts(self, people: Ints, limit: int, lookahead: int = 0) -> list[Ints]:
        """`people`, ascending, cut again and again until a part has fewer than `limit` persons.

        With `lookahead` that many of the best cuts are followed to the end before one is chosen.
        """
        done, stack = [], [people]
        while stack:
            part = stack.pop()
            cuts = self._cuts(part) if len(part) >= max(limit, 2 * self.k) else []
            cuts = self._allowed(cuts, max(lookahead, 1))
            if not cuts:
                done.append(part)
                continue
            best = cuts[0] if len(cuts) == 1 else min(cuts, key=lambda c: self._followed(c, limit))
            stack += best.sides[::-1]
        return done

    def loss(self, people: Ints) -> float:
        """The loss of one class, by frequent terms only."""
        return float(self._from_the_left(people)[-1])

    def _followed(self, cut: Cut, limit: int) -> float:
        return sum(self.loss(p) for side in cut.sides for p in self.parts(side, limit))

    def _allowed(self, cuts: Sequence[Cut], wanted: int) -> list[Cut]:
        """The best cuts that the rules allow, each partition once."""
        chosen: list[Cut] = []
        for cut in sorted(cuts, key=lambda c: c.loss):
            starts = np.array([0, cut.place, len(cut.order)])
            if any(c.place == cut.place and c.loss == cut.loss for c in chosen):
                continue
            if all(rule.holds(cut.order, starts).all() for rule in self.rules):
                chosen.append(cut)
                if len(chosen) == wanted:
                    break
        return chosen

    def _cuts(self, people: Ints) -> list[Cut]:
        """The best cut of each order."""
        cuts = []
        size, k = len(people), self.k
        for key in self._keys(people):
            order = np.argsort(key, kind="stable")
            ordered = people[order]
            fit = first_of_run(key[order])[k : size - k + 1]
            loss = self._from_the_left(ordered)[k - 1 : size - k].copy()
            loss += self._from_the_left(ordered[::-1])[::-1][k : size - k + 1]
            loss[~fit] = np.inf
            best = int(np.argmin(loss))
            cuts.append(Cut(float(loss[best]), best + k, ordered))
        return cuts

    def _keys(self, people: Ints) -> list[Ints]:
        """What to order by, of all that leaves k persons on either side of some place."""
        columns = []
        for column in self.intervals:
            low, high = column.low[people], column.high[people]
            if keys := self._fit([low] if (low == high).all() else [low, high]):
                columns.append((float(column.cost(low.min(), high.max())), keys))
        for nominal in self.nominal:
            keys = [position := nominal.position[people]]
            count = np.bincount(position)
            if np.count_nonzero(count) > 2:  # frequent values together
                rank = np.empty(len(count), np.int64)
                rank[np.argsort(-count, kind="stable")] = np.arange(len(count))
                keys.append(rank[position])
            if keys := self._fit(keys):
                share = _distinct_so_far(nominal, people)[-1] / max(len(nominal.values), 1)
                columns.append((float(share), keys))
        if len(columns) > BY_COLUMN:
            columns = sorted(columns, key=lambda c: -c[0])[:BY_COLUMN]
        keys = [key for _, some in columns for key in some]
        if self.has.shape[1]:
            has = self.has[people]
            count = has.sum(0)
            fit = np.flatnonzero((count >= self.k) & (len(people) - count >= self.k))
            most = fit[np.argsort(-count[fit], kind="stable")[:BY_TERM]]
            keys += [has[:, term].astype(np.int64) for term in most.tolist()]
        return keys

    def _fit(self, keys: Sequence[Ints]) -> list[Ints]:
        ends = self.k - 1, -self.k
        return [key for key in keys if np.ptp(np.partition(key, ends)[list(ends)])]

    def _from_the_left(self, ordered: Ints) -> Floats:
        """The loss of the first 1, 2, 3 … persons as one class."""
        size = len(ordered)
        cost = np.zeros(size)
        for column in self.intervals:
            low = np.minimum.accumulate(column.low[ordered])
            high = np.maximum.accumulate(column.high[ordered])
            cost += column.cost(low, high)
        for nominal in self.nominal:
            distinct = _distinct_so_far(nominal, ordered)
            cost += np.where(distinct > 1, distinct / max(len(nominal.values), 1), 0.0)
        cost *= np.arange(1, size + 1) * self.relational
        # no class is smaller than k: what its first k persons do not share is lost
        shared = np.flatnonzero(self.has[ordered[: self.k]].all(0))
        if len(shared):
            kept = np.logical_and.accumulate(self.has[np.ix_(ordered, shared)], axis=0)
            weight = np.cumsum(self.weight[ordered], axis=0)[:, self.column_of[shared]]
            cost -= self.textual * (kept * weight).sum(1)
        return cost


def _distinct_so_far(column: Column, ordered: Ints) -> Ints:
    places, owner = entries_of(column.indptr, ordered)
    codes = column.codes[places]
    first = np.full(len(column.values), len(codes), np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return np.cumsum(np.bincount(owner[first[first < len(codes)]], minlength=len(ordered)))


def joined(parts: Sequence[Ints]) -> tuple[Ints, Ints]:
    """Parts as one order and their starts, as rules want them."""
    return np.concatenate(parts), starts_of(np.array([len(p) for p in parts]))
