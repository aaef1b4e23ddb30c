"""Global document frequency partitioning (Algorithm 2): with and without the most frequent term.

The rule: among the terms of a partition that at least k of its persons have and at least k lack,
the most frequent one is cut on; ties go to the smaller term id, that is by type and then by term.
Terms belong to their branch: what one branch used is still there in another. A partition of fewer
than 2k persons, or without such a term, is a class.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sfumato.protect.tables.classes import Classes, numbered
from sfumato.protect.tables.mondrian import ClassRule, require_rules
from sfumato.protect.tables.problem import Persons, require
from sfumato.protect.tables.segments import Bools, Ints, entries_of, starts_of


class _Postings:
    """Candidate terms by person and persons by candidate term."""

    def __init__(self, table: Persons, k: int) -> None:
        terms = table.terms
        frequency = np.bincount(terms.ids, minlength=max(terms.count, 1))
        self.candidates = np.flatnonzero((frequency >= k) & (frequency <= table.count - k))
        number = np.full(len(frequency), -1, np.int64)
        number[self.candidates] = np.arange(len(self.candidates))
        term = number[terms.ids]
        inside = term >= 0
        self.term, owner = term[inside], terms.owner[inside]
        self.indptr = starts_of(np.bincount(owner, minlength=table.count))
        order = np.argsort(self.term, kind="stable")
        self.owner = owner[order]
        self.by_term = starts_of(np.bincount(self.term, minlength=len(self.candidates)))

    def of(self, people: Ints) -> Ints:
        """The candidate terms of these persons, with repetition."""
        return self.term[entries_of(self.indptr, people)[0]]

    def having(self, term: int) -> Ints:
        return self.owner[self.by_term[term] : self.by_term[term + 1]]


class _Branch:
    """A partition with the terms that can still be cut on below it, and how many of its persons have each.

    What fewer than k have or fewer than k lack stays so in every part of a partition: such terms
    never return.
    """

    def __init__(self, people: Ints, terms: Ints, count: Ints, k: int) -> None:
        live = (count >= k) & (len(people) - count >= k)
        if 2 * int(live.sum()) < len(live):  # dead terms are swept out when they are the majority
            terms, count = terms[live], count[live]
        else:
            count = np.where(live, count, 0)
        self.people, self.terms, self.count = people, terms, count


def gdf(table: Persons, k: int, *, rules: Sequence[ClassRule] = ()) -> Classes:
    """Classes of at least k persons by the most frequent term (Algorithm 2)."""
    require(table.count, k)
    require_rules(rules, table.count)
    postings = _Postings(table, k)
    everyone = np.arange(table.count)
    labels = np.zeros(table.count, np.int64)
    inside = np.zeros(table.count, np.bool_)
    used = np.zeros(len(table.terms.types), np.int64)
    every_term = np.arange(len(postings.candidates))
    stack = [_Branch(everyone, every_term, np.diff(postings.by_term), k)]
    made = 0
    while stack:
        branch = stack.pop()
        term, side = _next(branch, postings, inside, k, rules)
        if term < 0:
            labels[branch.people] = made
            made += 1
            continue
        used[table.terms.type_of[postings.candidates[term]]] += 1
        stack += _halves(branch, side, postings, k)
    return Classes(
        numbered(labels),
        dict(zip(table.terms.types, used.tolist(), strict=True)),
        0,
        int(used.sum()),
    )


def _next(
    branch: _Branch, postings: _Postings, inside: Bools, k: int, rules: Sequence[ClassRule]
) -> tuple[int, Bools]:
    """The term to cut on, -1 for none, and who has it."""
    people = branch.people
    nobody = np.zeros(0, np.bool_)
    if len(people) < 2 * k or len(branch.count) == 0:
        return -1, nobody
    count = branch.count
    while True:
        place = int(np.argmax(count))
        if count[place] == 0:
            return -1, nobody
        term = int(branch.terms[place])
        having = postings.having(term)
        inside[having] = True
        side = inside[people]
        inside[having] = False
        if _allowed(people, side, rules):
            return term, side
        count = count.copy()
        count[place] = 0


def _allowed(people: Ints, side: Bools, rules: Sequence[ClassRule]) -> bool:
    if not rules:
        return True
    order = np.concatenate([people[side], people[~side]])
    starts = np.array([0, int(side.sum()), len(people)])
    return all(bool(rule.holds(order, starts).all()) for rule in rules)


def _halves(branch: _Branch, side: Bools, postings: _Postings, k: int) -> list[_Branch]:
    """Both parts; only the smaller one is counted, the other is what remains."""
    having, lacking = branch.people[side], branch.people[~side]
    small, large = (having, lacking) if len(having) <= len(lacking) else (lacking, having)
    parts = []
    if len(small) >= 2 * k or len(large) >= 2 * k:
        term = postings.of(small)
        count = _count(term, branch.terms, len(postings.candidates))
        count[branch.count == 0] = 0
        parts.append(_Branch(small, branch.terms, count, k))
        parts.append(_Branch(large, branch.terms, branch.count - count, k))
    else:
        nothing = np.zeros(0, np.int64)
        parts = [_Branch(half, nothing, nothing, k) for half in (small, large)]
    return parts[::-1]


def _count(term: Ints, wanted: Ints, terms: int) -> Ints:
    if len(wanted) == terms:
        return np.bincount(term, minlength=terms)
    place = np.searchsorted(wanted, term)
    place[place == len(wanted)] = 0
    return np.bincount(place[wanted[place] == term], minlength=len(wanted))
