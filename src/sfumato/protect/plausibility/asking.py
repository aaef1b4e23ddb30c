"""How many values each fact of a unit is to stand for so that t texts are left: a matter of sorts alone."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from heapq import nsmallest

from sfumato.document import Term
from sfumato.protect.plausibility.softened import Softened


def relied_on(facts: Mapping[Softened, Term], located: int) -> list[Softened]:
    """The facts of a unit, of those that nothing ties, of which it is known beforehand that they count: of
    places one, where none of those `located` in the text is told elsewhere, as it may lie in the others."""
    found = sorted(facts, key=lambda f: facts[f].start)
    places = [f for f in found if f.sort.name == "place"]
    left_out = {id(f) for f in places[int(len(places) == located) :]}
    return [f for f in found if id(f) not in left_out]


def factor(fact: Softened, tau: int, trees: Counter[str]) -> int:
    """How many values a fact that stands for tau has at least, by rule of thumb: others of the same tree may
    take some of them."""
    size = capped(fact, tau)
    return max(1, size - min(2 * (trees[fact.sort.tree] - 1), size // 2))


def worst(factors: Iterable[int], paying: int) -> int:
    """How many texts some facts give at least, so many at most of all."""
    return math.prod(nsmallest(paying, factors))


def capped(fact: Softened, tau: int) -> int:
    return tau if fact.sort.cap is None else min(tau, fact.sort.cap)


def least(texts: Callable[[int], int], wanted: int) -> int | None:
    """The least tau that gives as many texts as wanted."""
    low, high = 1, most_asked(wanted)
    if texts(high) < wanted:
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if texts(middle) >= wanted else (middle + 1, high)
    return low


def most_asked(wanted: int) -> int:
    """More values than a fact has to stand for, whatever stands beside it."""
    return 2 * wanted
