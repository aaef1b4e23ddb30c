"""k^m-anonymity of term sets: who knows m terms of a person still finds k persons who have them.

A weaker promise than equal term sets, and one that keeps more: in a class whose columns are equal,
a term may stay with some persons only, if every combination of up to m terms that one person still
shows is shown by k.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from math import comb

import numpy as np

from sfumato.errors import PolicyError
from sfumato.protect.tables.classes import Classes
from sfumato.protect.tables.problem import Terms
from sfumato.protect.tables.recode import AS_IT_IS, SUPPRESSED, RecodedTerms
from sfumato.protect.tables.segments import Bools, Ints, entries_of

MOST = 200_000  # combinations of a class that are counted


def keep_combinations(terms: Terms, classes: Classes, k: int, m: int) -> RecodedTerms:
    """Suppress terms, class by class, until every combination of up to m terms is shown by k persons or none.

    In each class terms that fewer than k have go first; then, for 2, 3 … m, the term that is in
    most of the rare combinations goes, ties to the rarer term and then to the larger id, until no
    rare combination is left. Where a class has more combinations than can be counted, its rarest terms go
    before.
    """
    if m < 1:
        raise PolicyError(f"m is {m}: it must be at least 1")
    outcome = np.full(len(terms.ids), SUPPRESSED, np.int64)
    for number in range(classes.count):
        people = classes.members(number)
        places, _ = entries_of(terms.indptr, people)
        count = Counter(terms.ids[places].tolist())
        often = {term for term, many in count.items() if many >= k}
        sets = [
            often.intersection(terms.ids[terms.indptr[p] : terms.indptr[p + 1]].tolist())
            for p in people.tolist()
        ]
        stay = often - _too_many(sets, count, k, m)
        sets = [each & stay for each in sets]
        stay -= _to_remove(sets, count, k, m)
        kept = np.isin(terms.ids[places], np.array(sorted(stay), np.int64))
        outcome[places[kept]] = AS_IT_IS
    return RecodedTerms(outcome, (outcome == SUPPRESSED).astype(np.float64))


def _too_many(sets: list[set[int]], count: Counter[int], k: int, m: int) -> set[int]:
    """The rarest terms, without which there are few enough combinations to count; none where whole sets are
    shown by k persons, for so are all their combinations."""
    different = Counter(map(frozenset, sets))
    if all(many >= k for many in different.values()):
        return set()
    order = sorted(count, key=lambda term: (count[term], -term))
    place = {term: at for at, term in enumerate(order)}
    places = [sorted(place[term] for term in each) for each in different]

    def is_fit(gone: int) -> bool:
        left = (len(each) - bisect_left(each, gone) for each in places)
        return sum(comb(many, min(m, many // 2)) for many in left) <= MOST

    return set(order[: bisect_left(range(len(order)), True, key=is_fit)])


def _to_remove(sets: list[set[int]], count: Counter[int], k: int, m: int) -> set[int]:
    gone: set[int] = set()
    if all(many >= k for many in Counter(map(frozenset, sets)).values()):
        return gone
    for length in range(2, m + 1):
        rare = {c for c, many in _counted(sets, length).items() if many < k}
        while rare:
            hits = Counter(term for combination in rare for term in combination)
            worst = max(hits, key=lambda term: (hits[term], -count[term], term))
            gone.add(worst)
            for each in sets:
                each.discard(worst)
            rare = {c for c in rare if worst not in c}
    return gone


def _counted(sets: Iterable[set[int]], length: int) -> Counter[tuple[int, ...]]:
    counts: Counter[tuple[int, ...]] = Counter()
    for each, many in Counter(map(frozenset, sets)).items():
        for found in combinations(sorted(each), length):
            counts[found] += many
    return counts


def combinations_hold(terms: Terms, classes: Classes, kept: Bools, k: int, m: int) -> bool:
    """Whether every combination of up to m kept terms of a person is kept by k persons of the class."""
    owner: Ints = terms.owner
    for number in range(classes.count):
        inside = kept & (classes.labels[owner] == number)
        sets: dict[int, set[int]] = {}
        for person, term in zip(owner[inside].tolist(), terms.ids[inside].tolist(), strict=True):
            sets.setdefault(person, set()).add(term)
        for length in range(1, m + 1):
            if any(many < k for many in _counted(sets.values(), length).values()):
                return False
    return True
