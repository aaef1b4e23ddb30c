"""Groups of terms that together give a hidden one away where none of them does alone.

The paper's risk carries over to a group Q: DR(s; Q) = log2 p(s, Q) / (p(s) p(g, Q)), with p of all of them
together. Few units hold many terms at once, so a group counts as evidence only where at least `support` units
hold the hidden term and all of the group; the *confidence* n(s, Q) / n(Q) says how sure the inference is.

Groups grow one member at a time, as in apriori: n(s, Q) never grows with Q, so only groups with enough
support are extended, and only by members with which each part of the group has enough. A group that is
risky is not extended: its supersets are mended with it.

How often two terms meet within the units of a hidden one is counted once for all pairs, as common bits. For
each pair n(g, Q) ≥ n(s, Q) and n(g, Q) ≥ n(Q) + n(g) - N; only where the risk may reach the limit by these,
n(g, Q) itself is counted. For groups of three and more there is no such short cut, but a budget on the number
that is weighed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sfumato.protect.disclosure import measures
from sfumato.protect.disclosure.counts import EVERYTHING, Counts
from sfumato.protect.disclosure.problem import Levels, Problem
from sfumato.protect.disclosure.thresholds import is_risky

Bits = NDArray[np.uint8]
Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]
Members = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GroupSettings:
    """The largest group, the least support, and how many groups of three and more may be weighed."""

    size: int = 2
    support: int = 5
    budget: int = 200_000

    def __post_init__(self) -> None:
        if not 1 <= self.size <= 4 or self.support < 1 or self.budget < 1:
            raise ValueError("groups have 1 to 4 members, support and budget are at least 1")


@dataclass(frozen=True, slots=True)
class TellingGroup:
    """Things that together tell `risk` bits of a target; `support` units hold them all and the target."""

    target: int
    members: Members
    risk: float
    limit: float
    support: int
    confidence: float


def search_groups(
    problem: Problem,
    levels: Levels,
    settings: GroupSettings,
    changed: Collection[int] | None = None,
    table: RowBits | None = None,
) -> tuple[list[TellingGroup], int]:
    """The smallest risky groups of two and more, the riskiest first, and up to which size all of them were
    weighed. With `changed`, only groups that hold one of these things, or are about one of them. `table`
    keeps what was counted from one search to the next."""
    table = table or RowBits(problem.counts)
    scopes = _scopes(problem, levels)
    shown = {m for target, members in scopes for m in (target, *members)}
    table.places(sorted({problem.row(m, levels[m]) for m in shown} - {EVERYTHING}))
    searches = [
        _Search(problem, levels, target, members, settings, table, changed)
        for target, members in scopes
    ]
    found: dict[tuple[int, Members], TellingGroup] = {}
    weighed, complete = 0, 1
    for size in range(2, settings.size + 1):
        for search in searches:
            if size > 2:
                weighed += search.grow(size, settings.budget - weighed)
            for group in search.found if size > 2 else search.pairs():
                found[group.target, group.members] = group
            if weighed > settings.budget:
                return _ranked(found.values()), complete
        complete = size
    return _ranked(found.values()), complete


def _ranked(groups: Iterable[TellingGroup]) -> list[TellingGroup]:
    return sorted(groups, key=lambda g: (g.limit - g.risk, g.target, g.members))


def _scopes(problem: Problem, levels: Levels) -> list[tuple[int, Members]]:
    """For each target the things shown with it in some context; each set of them once. Several things that
    are shown alike are one."""
    known = set(problem.targets())
    scopes: dict[tuple[int, Members], None] = {}
    for context in problem.contexts:
        by_row = {problem.row(m, levels[m]): m for m in sorted(context.members, reverse=True)}
        shown = sorted(m for row, m in by_row.items() if row != EVERYTHING)
        for target in context.targets:
            # What stands in the target's own place is in p(g, Q) already: with it, a group tells no more.
            place = problem.row(target, levels[target])
            others = tuple(m for m in shown if problem.row(m, levels[m]) != place)
            if target in known and len(others) > 1:
                scopes[target, others] = None
    return list(scopes)


class RowBits:
    """Rows as bits, each made when it is asked for, and how many units two of them share."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._at: dict[int, int] = {}
        self._bits = np.zeros((0, -(-counts.size // 64) * 8), dtype=np.uint8)
        self._both = np.zeros((0, 0), dtype=np.int64)
        self._support: dict[int, Floats] = {}

    def support(self, hidden: int, places: Sequence[int]) -> Floats:
        """How many units of a hidden row hold two rows; shape (places, places)."""
        before = self._support.get(hidden)
        done = 0 if before is None else len(before)
        if before is None or done < len(self._bits):
            held = _packed(self.within(range(len(self._bits)), self.units(hidden)))
            found = np.zeros((len(held), len(held)), dtype=np.float32)
            if before is not None:
                found[:done, :done] = before
            for at in range(done, len(held)):
                numbers = np.bitwise_count(held[: at + 1] & held[at]).sum(axis=1, dtype=np.int64)
                found[at, : at + 1] = found[: at + 1, at] = numbers
            before = self._support[hidden] = found
        return before[np.ix_(np.array(places, dtype=np.intp), np.array(places, dtype=np.intp))]

    def units(self, row: int) -> Ints:
        """The units of a row that may be counted on, rising; shape (units,)."""
        return np.array(self._counts.units(row).to_array(), dtype=np.int64)

    def places(self, rows: Sequence[int]) -> list[int]:
        """Where rows stand in the table; they are put into it first."""
        new = [row for row in dict.fromkeys(rows) if row not in self._at]
        if new:
            made = np.zeros((len(new), self._bits.shape[1] * 8), dtype=np.uint8)
            for at, row in enumerate(new):
                made[at, self.units(row)] = 1
                self._at[row] = len(self._at)
            self._bits = np.concatenate([self._bits, np.packbits(made, axis=1)])
            self._count_pairs(len(new))
        return [self._at[row] for row in rows]

    def _count_pairs(self, new: int) -> None:
        whole = len(self._bits)
        both = np.zeros((whole, whole), dtype=np.int64)
        both[: whole - new, : whole - new] = self._both
        for at in range(whole - new, whole):
            numbers = self.common(self._bits[at], slice(0, at + 1))
            both[at, : at + 1] = both[: at + 1, at] = numbers
        self._both = both

    def common(self, bits: Bits, which: slice | Sequence[int]) -> Ints:
        """How many units some bits share with rows of the table; shape (rows,)."""
        shared = self._bits[which].view(np.uint64) & bits.view(np.uint64)
        found: Ints = np.bitwise_count(shared).sum(axis=1, dtype=np.int64)
        return found

    def bits(self, place: int) -> Bits:
        """Bit u of a row says whether unit u holds it, the first in the highest bit; shape (units / 8,)."""
        found: Bits = self._bits[place]
        return found

    def within(self, places: Sequence[int], units: Ints) -> Flags:
        """In which of some units rows stand; shape (rows, units)."""
        gathered = self._bits[np.ix_(np.array(places, dtype=np.intp), units >> 3)]
        found: Flags = (gathered >> (7 - (units & 7)).astype(np.uint8)) & 1 == 1
        return found

    def pairs(self, places: Sequence[int], others: Sequence[int]) -> Ints:
        """How many units two rows share; shape (places, others)."""
        found: Ints = self._both[np.ix_(np.array(places), np.array(others))]
        return found


def _packed(flags: Flags) -> NDArray[np.uint64]:
    """Flags as bits, 64 in a word; shape (rows, words)."""
    wide = np.zeros((len(flags), -(-flags.shape[1] // 64) * 64), dtype=np.bool_)
    wide[:, : flags.shape[1]] = flags
    return np.packbits(wide, axis=1).view(np.uint64)


class _Search:
    """The groups about one target, level by level."""

    def __init__(
        self,
        problem: Problem,
        levels: Levels,
        target: int,
        members: Members,
        settings: GroupSettings,
        table: RowBits,
        changed: Collection[int] | None,
    ) -> None:
        self._problem, self._target, self._settings, self._table = problem, target, settings, table
        hidden = problem.row(target, 0)
        self._p_hidden = float(problem.counts.p([hidden])[0])
        self._limit = problem.limits[target]
        general = problem.row(target, levels[target])
        self._general = None if general == EVERYTHING else table.places([general])[0]
        places = table.places([problem.row(m, levels[m]) for m in members])
        support = table.support(hidden, places)
        enough = np.flatnonzero(support.diagonal() >= settings.support).tolist()
        self._hidden = hidden
        self._members = [members[at] for at in enough]
        self._places = [places[at] for at in enough]
        self._both = support[np.ix_(np.array(enough, np.intp), np.array(enough, np.intp))]
        self._fresh = list(range(len(enough)))
        if changed is not None and target not in changed:
            self._fresh = [at for at, m in enumerate(self._members) if m in changed]
        self._alive: dict[tuple[int, ...], Flags] = {}
        self.found: list[TellingGroup] = []

    def pairs(self) -> list[TellingGroup]:
        """The risky pairs. All pairs at once, or those of the things that have changed."""
        fresh = self._fresh
        if not fresh or len(self._members) < 2:
            return []
        support: Floats = self._both[fresh]
        asked = support >= self._settings.support
        for row, at in enumerate(fresh):  # each pair once
            asked[row, at] = False
            asked[row, [b for b in fresh if b < at]] = False
        size = self._problem.counts.size
        fresh_places = [self._places[at] for at in fresh]
        alone = self._table.pairs(fresh_places, self._places)
        least = alone
        if self._general is not None:
            own = int(self._table.pairs([self._general], [self._general])[0, 0])
            least = alone + own - size
        least = np.maximum(np.maximum(least, support), 1)
        bound = np.log2(np.maximum(support, 1) / (self._p_hidden * least))
        rows, columns = np.nonzero(asked & is_risky(bound, self._limit, self._problem.strict))
        found: list[TellingGroup] = []
        for row in dict.fromkeys(rows.tolist()):
            others = columns[rows == row]
            found += self._exact(
                (fresh[row],), others.tolist(), support[row, others], alone[row, others]
            )
        if self._settings.size > 2:
            self._keep_alive({g.members for g in found})
        return found

    def _exact(
        self, group: tuple[int, ...], others: Sequence[int], support: Floats, alone: Ints | None
    ) -> list[TellingGroup]:
        """Which of some others make a group risky. All by their places among the members; `alone` is how
        many units hold each group, where that is known."""
        common = self._table.bits(self._places[group[0]])
        for at in group[1:]:
            common = common & self._table.bits(self._places[at])
        places = [self._places[at] for at in others]
        if alone is None:
            alone = self._table.common(common, places)
        together = alone
        if self._general is not None:
            together = self._table.common(common & self._table.bits(self._general), places)
        size = self._problem.counts.size
        seen = support.astype(np.float64)
        p_hidden = np.full(len(others), self._p_hidden)
        risk = measures.risk(p_hidden, seen / size, np.maximum(together, seen) / size)
        over = np.flatnonzero(is_risky(risk, self._limit, self._problem.strict)).tolist()
        return [
            TellingGroup(
                self._target,
                tuple(sorted(self._members[at] for at in (*group, others[i]))),
                float(risk[i]),
                self._limit,
                int(seen[i]),
                float(seen[i] / alone[i]),
            )
            for i in over
        ]

    def _keep_alive(self, risky: Collection[Members]) -> None:
        """The pairs with enough support that are not risky: what groups of three are made of."""
        units = self._table.units(self._hidden)
        self._held = self._table.within(self._places, units).astype(np.float32)
        first, second = np.nonzero(np.triu(self._both >= self._settings.support, 1))
        for a, b in zip(first.tolist(), second.tolist(), strict=True):
            if (self._members[a], self._members[b]) not in risky:
                self._alive[a, b] = (self._held[a] > 0) & (self._held[b] > 0)

    def grow(self, size: int, budget: int) -> int:
        """The groups of one more member; returns how many were weighed, more than `budget` where there
        were too many."""
        heads: dict[tuple[int, ...], list[int]] = {}
        for group in self._alive:
            heads.setdefault(group[:-1], []).append(group[-1])
        grown: dict[tuple[int, ...], Flags] = {}
        self.found, weighed = [], 0
        for head, lasts in heads.items():
            for number, last in enumerate(lasts):
                group = (*head, last)
                others = [
                    b
                    for b in lasts[number + 1 :]
                    if all(p in self._alive for p in combinations((*group, b), size - 1))
                ]
                if not others:
                    continue
                held = self._alive[group].astype(np.float32)
                support: Floats = self._held[others] @ held
                kept = np.flatnonzero(support >= self._settings.support).tolist()
                if weighed + len(kept) > budget:
                    return budget + 1
                weighed += len(kept)
                risky = self._among(group, [others[i] for i in kept], support[kept])
                for b in (others[i] for i in kept):
                    if tuple(sorted(self._members[at] for at in (*group, b))) not in risky:
                        grown[*group, b] = self._alive[group] & (self._held[b] > 0)
        self._alive = grown
        return weighed

    def _among(
        self, group: tuple[int, ...], others: Sequence[int], support: Floats
    ) -> set[Members]:
        """The risky groups of a group and one of some others; those that matter are found."""
        if not others:
            return set()
        made = self._exact(group, others, support, None)
        fresh = {self._members[at] for at in self._fresh}
        self.found += [g for g in made if not fresh.isdisjoint(g.members)]
        return {g.members for g in made}
